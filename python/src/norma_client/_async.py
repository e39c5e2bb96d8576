"""The asynchronous client, of which `generate.py` makes the synchronous one."""

from __future__ import annotations

import os
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeAlias, TypeVar, cast, overload

import httpx2

from ._answers import Items
from ._async_transport import AsyncTransport
from ._credentials import from_environment
from ._errors import ConfigurationError, NotLicensed
from ._http import (
    JSON,
    MOST_ANSWER_BYTES,
    Answer,
    Cursors,
    Retries,
    batches,
    path,
    query_string,
    quotation_batches,
    raise_for_proxies,
)
from ._rows import frame_of, rows_of
from ._settings import CA_FILE, VARIABLES, check

if TYPE_CHECKING:
    from datetime import date, datetime

    from typing_extensions import Self

    from . import types
    from ._credentials import Credential

T = TypeVar("T")
P = TypeVar("P")
#: One value of a filter, or several, of which one has to fit.
OneOrMore: TypeAlias = T | Iterable[T] | None

CHANGES = "/api/content/v1/changes"
SEARCH = "/api/content/v1/search"
CITATIONS = "/api/content/v1/citations/resolve"
QUOTATIONS = "/api/content/v1/quotations/verify"
STANDARDS = "/api/content/v1/standards"
STANDARD = STANDARDS + "/{urn}"
PROVISION = "/api/content/v1/provisions/{id}"
LIMITS = "/api/content/v1/limits"
#: Most ids or labels, most references, and most citations, that one request takes.
MOST_MIGRATED, MOST_RESOLVED, MOST_CITATIONS = 1000, 100, 100
#: Members of a comparison that its summary does not have.
PAGE_MEMBERS = {"items", "next", "sectionChanges", "tableChanges"}
KNOWLEDGE_GRAPH = "/api/content/preview/knowledge-graph/standards/{urn}"


class AsyncPages(Generic[T, P]):
    """Items of all pages, which are requested one after the other as they are needed."""

    def __init__(self, fetch: Callable[[str | None], Awaitable[Answer]], member: str = "items") -> None:
        self._fetch = fetch
        self._member = member

    async def pages(self) -> AsyncIterator[P]:
        """The pages as they are, with all that the service says beside the items.

        `total` counts the items of all pages, and `next` is the cursor of the page that follows. A page of a
        search also has `state`, and `hitCounts` where facets were asked for.
        """
        async for answer in self._answers():
            yield cast("P", answer.json())

    async def __aiter__(self) -> AsyncIterator[T]:
        """Each item."""
        async for answer in self._answers():
            for item in answer.items(self._member):
                yield item

    async def _answers(self) -> AsyncIterator[Answer]:
        cursors, cursor = Cursors(), None
        while True:
            answer = await self._fetch(cursor)
            answer.items(self._member)
            yield answer
            cursor = cursors.after(answer)
            if cursor is None:
                return


class AsyncNorma:
    """A client of one Norma service; it may be shared by all that call it.

    It requests tokens and renews them in time, keeps answers and asks whether they are still right, and tries
    again when the service is busy. A URN may be one without language, or without edition and language: it
    means the latest published edition that you may see, and the answer says which. `language` then states
    your preferences, as in `fr, en;q=0.5`.

    >>> for provision in (await norma.provisions("urn:nsb:std:nsb:4210", type="recommendation"))[:2]:
    ...     print(provision["label"], provision["text"])
    4.4(2) The colour of the anchor should contrast with that of the ground.
    4.4(4) It should be possible to close the lock with one hand.
    """

    def __init__(
        self,
        base_url: str,
        *,
        credential: Credential,
        ca_file: str | os.PathLike[str] | None = None,
        timeout: float = 60.0,
        max_retries: int = 3,
        cache_bytes: int = 32 << 20,
        max_answer_bytes: int = MOST_ANSWER_BYTES,
        http_client: httpx2.AsyncClient | None = None,
    ) -> None:
        """Makes a client; nothing is sent yet.

        Args:
            base_url: URL of the service, without `/api/…`.
            credential: `ClientSecret`, `ClientCertificate`, or a callable that returns an access token.
            ca_file: PEM file with further root certificates to trust, of a private service or provider.
            timeout: Seconds that an attempt may wait for a connection or for the next bytes.
            max_retries: Attempts after the first, when the service is busy or the connection breaks.
            cache_bytes: Size of the cache of answers, each of which is revalidated by its `ETag` when it is
                used; 0 for none.
            max_answer_bytes: Most bytes of one answer, decoded; 256 MiB. A longer one is an error.
            http_client: A client of httpx2 of your own, with its proxies, trust and timeout. You close it.

        Raises:
            ConfigurationError: A value cannot be right; the error names it.
        """
        check({"base_url": base_url})
        self.base_url = base_url.rstrip("/")
        self._own_http = http_client is None
        http = http_client or _http_client(ca_file, timeout)
        self._transport = AsyncTransport(
            self.base_url, credential, http, Retries(max_retries), cache_bytes, max_answer_bytes
        )

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None, **options: Any) -> Self:
        """A client by the variables of `norma get`; `options` are those of the constructor.

        `NORMA_BASE_URL`, `NORMA_AUTH_URL`, `NORMA_TENANT_ID`, `NORMA_CLIENT_ID`, `NORMA_SCOPE`; one of
        `NORMA_CLIENT_CERTIFICATE`, `NORMA_CLIENT_SECRET_FILE` and `NORMA_CLIENT_SECRET`, of which the first
        counts; and `NORMA_CA_FILE`, which may be absent.

        Raises:
            ConfigurationError: A variable is missing or cannot be right; the error names it.
        """
        environ = os.environ if environ is None else environ
        base_url = environ.get(VARIABLES["base_url"], "").strip()
        check({"base_url": base_url}, VARIABLES)
        if "credential" not in options:
            options["credential"] = from_environment(environ)
        if ca_file := environ.get(CA_FILE):
            options.setdefault("ca_file", ca_file)
        return cls(base_url, **options)

    async def aclose(self) -> None:
        """Closes the connections."""
        if self._own_http:
            await self._transport.http.aclose()

    async def __aenter__(self) -> Self:
        """The client, which is closed at the end of the block."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Closes the connections."""
        await self.aclose()

    def __repr__(self) -> str:
        """Names the service, and no secret."""
        return f"AsyncNorma({self.base_url})"

    async def token(self) -> str:
        """An access token, from the cache where it is fresh enough; for requests of your own."""
        return (await self._transport.token()).text

    def standards(
        self,
        *,
        q: OneOrMore[str] = None,
        urn: OneOrMore[str] = None,
        publisher: OneOrMore[str] = None,
        reference: OneOrMore[str] = None,
        number: OneOrMore[str] = None,
        part: OneOrMore[str] = None,
        type: OneOrMore[types.StandardType] = None,
        status: OneOrMore[types.Status] = None,
        language: OneOrMore[str] = None,
        ics: OneOrMore[str] = None,
        edition: str | None = None,
        published_from: str | date | None = None,
        published_to: str | date | None = None,
        updated_since: str | datetime | None = None,
        access: OneOrMore[types.AccessLevel] = None,
        sort: str | None = None,
        limit: int | None = None,
    ) -> AsyncPages[types.StandardSummary, types.StandardList]:
        """The standards that you may see. Values of one filter are alternatives, filters hold together.

        Args:
            q: Words that reference or title hold, all of them.
            urn: URN, with or without edition and language.
            publisher: Publisher.
            reference: Designation as printed: `ISO 712` means all editions, `ISO 712:2009` one.
            number: Number without part.
            part: Part of a number.
            type: Kind of document.
            status: Whether it is in force.
            language: Language of the text.
            ics: ICS code or the beginning of one.
            edition: `latest` for the latest of each standard only.
            published_from: Published on this day, month or year, or later.
            published_to: Published on this day, month or year, or earlier.
            updated_since: Changed in the catalogue at this instant or later.
            access: `discover` or `read`.
            sort: `reference`, `published` or `updated`; `-` before it reverses the order.
            limit: Items that are requested at once.

        >>> async for standard in norma.standards(number="4210", language=["de", "fr"]):
        ...     print(standard["reference"], standard["language"])
        NSB 4210:2025 de
        NSB 4210:2025 fr
        """
        query = {
            "q": q,
            "urn": urn,
            "publisher": publisher,
            "reference": reference,
            "number": number,
            "part": part,
            "type": type,
            "status": status,
            "language": language,
            "ics": ics,
            "edition": edition,
            "publishedFrom": published_from,
            "publishedTo": published_to,
            "updatedSince": updated_since,
            "access": access,
            "sort": sort,
            "limit": limit,
        }
        first = query_string(query)

        async def fetch(cursor: str | None) -> Answer:
            following = query_string({"cursor": cursor, "limit": limit}) if cursor else first
            return await self._transport.get(STANDARDS + following)

        return AsyncPages(fetch)

    async def changes(self, since: str | None = None, *, limit: int | None = None) -> types.ChangeList:
        """What changed of the standards that you may see, each edition once by its last change.

        Without `since` there are no changes, and `next` is the cursor to begin with. Store it, list all
        standards, and ask with it from then on. `more` says to ask again at once, with the new `next`. A
        `refresh` says that your grants changed: list all standards again. `Mirror` does all of this.

        Args:
            since: `next` of the answer before.
            limit: Most changes of the answer.

        Raises:
            Gone: The cursor counts no more (`cursor-ended`): begin again without it.
            InvalidRequest: It was altered, or is of another client or service (`invalid-cursor`).

        >>> first = await norma.changes()
        >>> (await norma.changes(first["next"]))["items"]
        []
        """
        query = query_string({"since": since, "limit": limit})
        return cast("types.ChangeList", (await self._transport.get(CHANGES + query)).json())

    @overload
    def search(
        self,
        q: str,
        *,
        kind: OneOrMore[types.SearchKind] = None,
        type: OneOrMore[types.ProvisionType] = None,
        normative: bool | None = None,
        language: OneOrMore[str] = None,
        ics: OneOrMore[str] = None,
        publisher: OneOrMore[str] = None,
        status: OneOrMore[types.Status] = None,
        edition: str | None = None,
        urn: OneOrMore[str] = None,
        facets: Iterable[str] | None = None,
        group: None = None,
        limit: int | None = None,
    ) -> AsyncPages[types.SearchHit, types.SearchAnswer]: ...

    @overload
    def search(
        self,
        q: str,
        *,
        kind: OneOrMore[types.SearchKind] = None,
        type: OneOrMore[types.ProvisionType] = None,
        normative: bool | None = None,
        language: OneOrMore[str] = None,
        ics: OneOrMore[str] = None,
        publisher: OneOrMore[str] = None,
        status: OneOrMore[types.Status] = None,
        edition: str | None = None,
        urn: OneOrMore[str] = None,
        facets: Iterable[str] | None = None,
        group: Literal["standard"],
        limit: int | None = None,
    ) -> AsyncPages[types.SearchedStandard, types.SearchAnswer]: ...

    def search(
        self,
        q: str,
        *,
        kind: OneOrMore[types.SearchKind] = None,
        type: OneOrMore[types.ProvisionType] = None,
        normative: bool | None = None,
        language: OneOrMore[str] = None,
        ics: OneOrMore[str] = None,
        publisher: OneOrMore[str] = None,
        status: OneOrMore[types.Status] = None,
        edition: str | None = None,
        urn: OneOrMore[str] = None,
        facets: Iterable[str] | None = None,
        group: Literal["standard"] | None = None,
        limit: int | None = None,
    ) -> AsyncPages[Any, types.SearchAnswer]:
        """Provisions, sections, terms and tables with all words of `q`, in all standards that you may read.

        Args:
            q: Words in any form; with `"a phrase"`, `-excluded` or `prefix*`.
            kind: Such as `provision`, or several kinds.
            type: Only provisions of this type.
            normative: Only provisions of normative sections, or of informative ones.
            language: Language of the standard.
            ics: ICS code or the beginning of one.
            publisher: Publisher.
            status: Whether the standard is in force.
            edition: `all` for all editions; the latest ones where absent.
            urn: Only in these standards.
            facets: What to count the hits by, such as `["type"]`: member `hitCounts` of each of `.pages()`.
            group: `standard` for an item for each standard, with its best three hits.
            limit: Items that are requested at once.

        >>> urn = "urn:nsb:std:nsb:4210:ed-2:en"
        >>> async for hit in norma.search('"proof load"', type="requirement", urn=urn):
        ...     print(hit["reference"], hit["label"])
        NSB 4210:2025 6.1(1)
        NSB 4210:2025 7.2.2(3)
        NSB 4210:2025 7.2.2(4)

        `pages()` has what the service says beside the hits: how many there are, and whether all standards
        were searched.

        >>> async for page in norma.search('"proof load"', type="requirement", urn=urn, limit=2).pages():
        ...     print(page["total"], page["state"], len(page["items"]))
        3 complete 2
        3 complete 1
        """
        query = {
            "q": q,
            "in": kind,
            "type": type,
            "normative": normative,
            "language": language,
            "ics": ics,
            "publisher": publisher,
            "status": status,
            "edition": edition,
            "urn": urn,
            "facets": _joined(facets),
            "group": group,
            "limit": limit,
        }

        async def fetch(cursor: str | None) -> Answer:
            return await self._transport.get(SEARCH + query_string({**query, "cursor": cursor}))

        return AsyncPages(fetch, "standards" if group else "items")

    async def standard(
        self, urn: str, *, fields: Iterable[str] | None = None, language: str | None = None
    ) -> types.Standard:
        """A complete standard: metadata, sections with their content, graphics and terms.

        Args:
            urn: URN of the standard.
            fields: Members of the answer, such as `["metadata", "terms"]`; all where absent.
            language: Preferred languages, for a URN without one.
        """
        answer: types.Standard = await self._json(
            path(STANDARD, urn=urn), {"fields": _joined(fields)}, language
        )
        return answer

    async def metadata(
        self, urn: str, *, fields: Iterable[str] | None = None, language: str | None = None
    ) -> types.MetadataView:
        """A standard without the content of its sections.

        For `fields=["metadata", "ics", "relations"]` it is enough that you may discover the standard.

        >>> (await norma.metadata("urn:nsb:std:nsb:4220", fields=["metadata"]))["metadata"]["reference"]
        'NSB 4220:2023'
        """
        answer: types.MetadataView = await self._json(
            path(STANDARD + "/metadata", urn=urn), {"fields": _joined(fields)}, language
        )
        return answer

    async def sections(
        self, urn: str, *, depth: int | None = None, language: str | None = None
    ) -> types.SectionsView:
        """The hierarchy of sections, or the top `depth` levels of it.

        >>> (await norma.sections("urn:nsb:std:nsb:4210", depth=1))["sections"][0]["title"]
        'Foreword'
        """
        answer: types.SectionsView = await self._json(
            path(STANDARD + "/sections", urn=urn), {"depth": depth}, language
        )
        return answer

    async def content(
        self, urn: str, *, section: str | None = None, language: str | None = None
    ) -> types.ContentView:
        """The content of the sections in their order; of one, by its number or id, and those within it."""
        answer: types.ContentView = await self._json(
            path(STANDARD + "/content", urn=urn), {"section": section}, language
        )
        return answer

    async def content_text(self, urn: str, *, section: str | None = None, language: str | None = None) -> str:
        """The content as plain text.

        >>> (await norma.content_text("urn:nsb:std:nsb:4210", section="4.2")).splitlines()[0]
        '4.2 Locking point'
        """
        target = path(STANDARD + "/content", urn=urn) + query_string({"section": section})
        return (await self._transport.get(target, "text/plain", language)).text()

    async def source(self, urn: str, *, language: str | None = None) -> bytes:
        """The source document in XML, in the encoding that it declares."""
        target = path(STANDARD + "/content", urn=urn)
        return (await self._transport.get(target, "application/xml", language)).body

    async def provisions(
        self,
        urn: str,
        *,
        type: OneOrMore[types.ProvisionType] = None,
        normative: bool | None = None,
        q: OneOrMore[str] = None,
        lineage: bool = False,
        language: str | None = None,
    ) -> Items[types.Provision, types.ProvisionsView]:
        """The provisions of a standard in document order.

        Args:
            urn: URN of the standard.
            type: Such as `requirement`, or several types.
            normative: Only those of normative sections, or of informative ones.
            q: Words that the text holds, all of them.
            lineage: With the id of the lineage of each, which names it in all editions.
            language: Preferred languages, for a URN without one.

        >>> provisions = await norma.provisions("urn:nsb:std:nsb:4210:ed-2:en", q="galvanized")
        >>> [provision["label"] for provision in provisions]
        ['5.2(1)', '5.2(2)']
        """
        query = {"type": type, "normative": normative, "q": q, "include": "lineage" if lineage else None}
        target = path(STANDARD + "/provisions", urn=urn) + query_string(query)
        return Items(await self._transport.get(target, language=language))

    async def selection(
        self,
        urn: str,
        selection: str,
        *,
        type: OneOrMore[types.ProvisionType] = None,
        normative: bool | None = None,
        q: OneOrMore[str] = None,
        lineage: bool = False,
        language: str | None = None,
    ) -> Items[types.Provision, types.SelectionView]:
        """The provisions that a selection names: clauses, ranges, single provisions, tables, terms.

        `answer["selection"]["unmatched"]` has the parts of it that name nothing in this edition.

        >>> found = await norma.selection("urn:nsb:std:nsb:4210:ed-2:en", "4.2(1);table:9")
        >>> [provision["label"] for provision in found], found.answer["selection"]["unmatched"]
        (['4.2(1)'], ['table:9'])
        """
        query = {"type": type, "normative": normative, "q": q, "include": "lineage" if lineage else None}
        target = path(STANDARD + "/provisions/{selection}", urn=urn, selection=selection)
        return Items(await self._transport.get(target + query_string(query), language=language))

    async def provision(self, id: str) -> types.ProvisionInContext:
        """A provision with its standard, its section, and what it is in other editions.

        The id of a lineage gives the provision in the latest edition that you may read.
        """
        answer: types.ProvisionInContext = await self._json(path(PROVISION, id=id))
        return answer

    async def rows(
        self,
        urn: str,
        *,
        type: OneOrMore[types.ProvisionType] = None,
        normative: bool | None = None,
        q: OneOrMore[str] = None,
        language: str | None = None,
    ) -> list[dict[str, str]]:
        """The provisions as rows of texts, for `csv.DictWriter` or a spreadsheet.

        The columns are those of `norma export`. `id` and `lineage` are what evidence is filed by.

        >>> (await norma.rows("urn:nsb:std:nsb:4210", q="cylinder"))[0]["label"]
        '4.2(1)'
        """
        found = await self.provisions(
            urn, type=type, normative=normative, q=q, lineage=True, language=language
        )
        metadata = await self.metadata(found.urn, fields=["metadata"])
        terms = await self.terms(found.urn)
        outline = await self.sections(found.urn)
        return rows_of(
            found, urn=found.urn, revision=found.revision, metadata=metadata, terms=terms, outline=outline
        )

    async def frame(
        self,
        urn: str,
        *,
        type: OneOrMore[types.ProvisionType] = None,
        normative: bool | None = None,
        q: OneOrMore[str] = None,
        language: str | None = None,
        library: str | None = None,
    ) -> Any:
        """The rows as a data frame of pandas or polars, whichever is there; `library` names one of the two.

        >>> (await norma.frame("urn:nsb:std:nsb:4210:ed-2:en", library="pandas")).shape
        (76, 19)
        """
        return frame_of(await self.rows(urn, type=type, normative=normative, q=q, language=language), library)

    async def terms(self, urn: str, *, language: str | None = None) -> Items[types.Term, types.TermsView]:
        """The terms with their designations and definitions."""
        return Items(await self._transport.get(path(STANDARD + "/terms", urn=urn), language=language))

    async def tables(self, urn: str, *, language: str | None = None) -> Items[types.Table, types.TablesView]:
        """The tables with columns, units and cells."""
        return Items(await self._transport.get(path(STANDARD + "/tables", urn=urn), language=language))

    async def table(self, urn: str, table: str, *, language: str | None = None) -> types.TableView:
        """One table, by its id or number."""
        answer: types.TableView = await self._json(
            path(STANDARD + "/tables/{table}", urn=urn, table=table), language=language
        )
        return answer

    async def table_csv(self, urn: str, table: str, *, language: str | None = None) -> str:
        """One table as CSV.

        >>> (await norma.table_csv("urn:nsb:std:nsb:4210:ed-2:en", "1")).splitlines()[0]
        'Dimension,Value mm,Condition'
        """
        target = path(STANDARD + "/tables/{table}", urn=urn, table=table)
        return (await self._transport.get(target, "text/csv", language)).text()

    async def graphics(
        self, urn: str, *, language: str | None = None
    ) -> Items[types.Graphic, types.GraphicsView]:
        """The graphics, with the references that `asset` takes."""
        return Items(await self._transport.get(path(STANDARD + "/graphics", urn=urn), language=language))

    async def instructions(
        self, urn: str, *, language: str | None = None
    ) -> Items[types.Instruction, types.InstructionsView]:
        """What an amendment or corrigendum changes, and where in the editions that it amends."""
        return Items(await self._transport.get(path(STANDARD + "/instructions", urn=urn), language=language))

    async def resolve(self, urn: str, reference: str, *, language: str | None = None) -> types.ResolvedAsset:
        """A URL of a picture that works for a short time and needs no token; with its type and size."""
        body = {"assetReference": reference}
        target = path(STANDARD + "/assets/resolve", urn=urn)
        answer = await self._transport.post(target, body, language)
        resolved: Any = answer.json()
        if not isinstance(resolved.get("url"), str):
            raise answer.unexpected("a JSON object with `url`")
        return resolved  # type: ignore[no-any-return]

    async def resolve_all(
        self, urn: str, references: Iterable[str], *, language: str | None = None
    ) -> list[types.ResolvedAsset | types.UnresolvedAsset]:
        """The same for several references; one that names nothing has a `problem` in place of a URL."""
        target = path(STANDARD + "/assets/resolve", urn=urn)
        resolved: list[types.ResolvedAsset | types.UnresolvedAsset] = []
        for batch in batches(references, MOST_RESOLVED, "references"):
            answer = await self._transport.post(target, {"assetReferences": batch}, language)
            resolved += answer.items()
        return resolved

    async def asset(self, urn: str, reference: str, *, language: str | None = None) -> bytes:
        """The bytes of a picture.

        >>> urn = "urn:nsb:std:nsb:4210:ed-2:en"
        >>> reference = (await norma.graphics(urn))[0]["assetReference"]
        >>> b"<svg" in await norma.asset(urn, reference)
        True
        """
        return await self._transport.get_signed(
            (await self.resolve(urn, reference, language=language))["url"]
        )

    async def compare(
        self,
        urn: str,
        other: str,
        *,
        relation: OneOrMore[types.ComparisonRelation] = None,
        type: OneOrMore[types.ProvisionType] = None,
        changed: OneOrMore[types.Facet] = None,
        likelihood: OneOrMore[types.Likelihood] = None,
        section: str | None = None,
        text: bool = False,
        text_language: str | None = None,
        different_documents: bool | None = None,
        other_revision: str | None = None,
        limit: int | None = None,
        language: str | None = None,
    ) -> types.ComparisonView:
        """What became of each provision from one edition to another, with the items of all pages.

        Args:
            urn: URN of one edition.
            other: URN of the other one; the service knows which is older.
            relation: Such as `reworded`, `new` or `removed`.
            type: Such as `requirement`: one provision of the item has this type.
            changed: Kinds of change, such as `strength` or `quantity`.
            likelihood: How sure a pair is: `certain`, `high` or `likely`.
            section: Number or id of a section, with what is within it, in either edition.
            text: With the texts of the provisions.
            text_language: The language to compare, where the editions have several in common.
            different_documents: Whether editions of different documents may be compared.
            other_revision: `revision` of the other edition that you stored, or a day such as `2026-01-31`;
                then `other` may be the same edition.
            limit: Items that are requested at once.
            language: Preferred languages, for a URN without one.

        Raises:
            NotLicensed: You may read one of the two at most; `comparison_summary` may give the counts.

        >>> old, new = "urn:nsb:std:nsb:4210:ed-1:en", "urn:nsb:std:nsb:4210:ed-2:en"
        >>> (await norma.compare(old, new, relation="new"))["items"][0]["newer"]["label"]
        '4.1(3)'
        """
        query = {
            "with": other,
            "relation": relation,
            "type": type,
            "changed": changed,
            "likelihood": likelihood,
            "section": section,
            "include": "text" if text else None,
            "language": text_language,
            "differentDocuments": different_documents,
            "withRevision": other_revision,
            "limit": limit,
        }
        target = path(STANDARD + "/comparison", urn=urn)
        answer = await self._transport.get(target + query_string(query), language=language)
        whole: Any = answer.json()
        if "counts" in whole and "items" not in whole:
            raise NotLicensed(
                "of the two editions you may read one only, for which the service gives counts: ask the "
                "operator for a grant at level `read` for the other one, or call comparison_summary()",
                status=200,
            )
        whole["items"], cursors = answer.items(), Cursors()
        while cursor := cursors.after(answer):
            following = {"with": other, "cursor": cursor, "limit": limit}
            answer = await self._transport.get(target + query_string(following), language=language)
            whole["items"] += answer.items()
        whole.pop("next", None)
        return whole  # type: ignore[no-any-return]

    async def comparison_summary(
        self,
        urn: str,
        other: str,
        *,
        text_language: str | None = None,
        different_documents: bool | None = None,
        language: str | None = None,
    ) -> types.ComparisonSummary:
        """The counts of a comparison, for which it is enough to read one edition and to discover the other.

        >>> old, new = "urn:nsb:std:nsb:4210:ed-1:en", "urn:nsb:std:nsb:4210:ed-2:en"
        >>> (await norma.comparison_summary(old, new))["counts"]["removed"]
        3
        """
        target = path(STANDARD + "/comparison", urn=urn)
        query = {
            "with": other,
            "language": text_language,
            "differentDocuments": different_documents,
            "limit": 1,
        }
        answer = await self._json(target, query, language)
        summary: Any = {name: value for name, value in answer.items() if name not in PAGE_MEMBERS}
        return summary  # type: ignore[no-any-return]

    async def migrate(
        self,
        urn: str,
        ids: Iterable[str] | None = None,
        *,
        labels: Iterable[str] | None = None,
        from_urn: str | None = None,
        from_revision: str | None = None,
        text: bool = False,
        language: str | None = None,
    ) -> Items[types.MigrateItem, types.MigrateAnswer]:
        """What became of provisions in an edition, by ids that you stored or by labels of another edition.

        Args:
            urn: URN of the edition in which they are looked for.
            ids: Ids of provisions and lineages, in any number.
            labels: Labels of provisions and sections of `from_urn`, in place of ids.
            from_urn: The edition that labels are of, or whose member of a lineage is compared.
            from_revision: `revision` of that edition, or else of this one, that you stored with the ids or
                labels; or a day such as `2026-01-31`.
            text: With the texts of the provisions found.
            language: Preferred languages, for a URN without one.

        >>> old, new = "urn:nsb:std:nsb:4210:ed-1:en", "urn:nsb:std:nsb:4210:ed-2:en"
        >>> for item in await norma.migrate(new, labels=["4.2(1)", "5.3(1)"], from_urn=old):
        ...     print(item["asked"], item["outcome"])
        4.2(1) found
        5.3(1) absent
        """
        if (ids is None) == (labels is None):
            raise ValueError("ids and labels: expected one of the two")
        if labels is not None and from_urn is None and from_revision is None:
            raise ValueError("from_urn is not set: expected the URN of the edition that the labels are of")
        query = {
            "from": from_urn,
            "fromRevision": from_revision,
            "include": "text" if text else None,
        }
        target = path(STANDARD + "/migrate", urn=urn) + query_string(query)
        member, asked = ("ids", ids) if ids is not None else ("labels", labels or ())
        answers = [
            await self._transport.post(target, {member: batch}, language)
            for batch in batches(asked, MOST_MIGRATED, member)
        ]
        return Items(*answers)

    async def resolve_citations(
        self,
        citations: Iterable[str],
        *,
        urn: str | None = None,
        at: str | date | None = None,
        language: str | None = None,
    ) -> list[types.ResolvedCitation]:
        """The editions and places that printed citations name, in their order.

        Args:
            citations: As people write them in English, French and German, in any number.
            urn: The standard that citations without a designation mean.
            at: Day whose editions count; without it all count.
            language: Preferred languages of editions.

        >>> for item in await norma.resolve_citations(["NSB 4210:2019, 4.2(1)", "NSB 4210:2019, 4.9"]):
        ...     print(item["outcome"], [place["label"] for place in item["locations"]])
        resolved ['4.2(1)']
        place-unknown []
        """
        more = _members(urn=urn, at=at)
        items: list[types.ResolvedCitation] = []
        for batch in batches(citations, MOST_CITATIONS, "citations"):
            answer = await self._transport.post(CITATIONS, {"citations": batch, **more}, language)
            items.extend(answer.items())
        return items

    async def verify_quotations(
        self,
        quotations: Iterable[types.SentQuotation],
        *,
        urn: str | None = None,
        at: str | date | None = None,
        language: str | None = None,
    ) -> list[types.VerifiedQuotation]:
        """Whether texts that are said to be in standards are there, in their order.

        Args:
            quotations: Dicts with `text`, and with `citation`, `urn` or `id` of its source, in any number.
            urn: The standard of quotations without `urn`.
            at: Day whose editions count; without it all count.
            language: Preferred languages of editions.

        >>> text = "The manufacturer shall supply the fixing bolts with the anchor."
        >>> for item in await norma.verify_quotations([{"text": text, "citation": "NSB 4210:2019, 4.2"}]):
        ...     print(item["verdict"], [unit["cite"] for unit in item["units"]])
        exact ['NSB 4210:2019, 4.2(3)']
        """
        more = _members(urn=urn, at=at)
        items: list[types.VerifiedQuotation] = []
        for batch in quotation_batches(quotations):
            answer = await self._transport.post(QUOTATIONS, {"quotations": batch, **more}, language)
            items.extend(answer.items())
        return items

    async def knowledge_graph(self, urn: str, *, language: str | None = None) -> dict[str, Any]:
        """The knowledge graph of a standard as JSON-LD; a preview, whose form can change."""
        target = path(KNOWLEDGE_GRAPH, urn=urn)
        return (await self._transport.get(target, "application/ld+json", language)).json()

    async def knowledge_graph_turtle(self, urn: str, *, language: str | None = None) -> str:
        """The same as Turtle."""
        target = path(KNOWLEDGE_GRAPH, urn=urn)
        return (await self._transport.get(target, "text/turtle", language)).text()

    async def limits(self) -> types.Limits:
        """What the service allows you: rate, requests at once, sizes."""
        answer: types.Limits = await self._json(LIMITS)
        return answer

    async def _json(
        self, target: str, query: Mapping[str, Any] | None = None, language: str | None = None
    ) -> Any:
        return (await self._transport.get(target + query_string(query or {}), JSON, language)).json()


def _members(**values: str | date | None) -> dict[str, str]:
    return {
        name: value if isinstance(value, str) else value.isoformat()
        for name, value in values.items()
        if value is not None
    }


def _joined(fields: Iterable[str] | None) -> str | None:
    return fields if fields is None or isinstance(fields, str) else ",".join(fields)


def _http_client(ca_file: str | os.PathLike[str] | None, timeout: float) -> httpx2.AsyncClient:
    from . import __version__

    context = httpx2.create_ssl_context()
    if ca_file is not None:
        try:
            context.load_verify_locations(ca_file)
        except (OSError, ssl.SSLError) as error:
            raise ConfigurationError(
                f"{CA_FILE} (ca_file) `{ca_file}` cannot be used: {error.strerror or error}; "
                "expected certificates in PEM"
            ) from None
    try:
        # A redirect would send the token or the secret to another host.
        return httpx2.AsyncClient(
            verify=context,
            timeout=timeout,
            follow_redirects=False,
            headers={"User-Agent": f"norma-client-python/{__version__}"},
        )
    except (ValueError, ImportError, httpx2.InvalidURL) as error:
        raise_for_proxies(error)
