"""Methods against the table of operations: each operation has a method, each parameter an argument."""

from __future__ import annotations

import json
import re
from datetime import date
from typing import Any

import httpx2
import pytest
from conftest import ROOT

from norma_client import AsyncNorma, Norma

OPENAPI = json.loads((ROOT / "docs/openapi.json").read_text())
URN = "urn:nsb:std:nsb:4210"
LIST = (
    *("q", "urn", "publisher", "reference", "number", "part", "type", "status", "language", "ics", "edition"),
    *("published_from", "published_to", "updated_since", "access", "sort"),
)
FILTERS: dict[str, Any] = {
    "type": ["requirement", "permission"],
    "normative": True,
    "q": "bolt",
    "lineage": True,
}

#: Other filters of a search.
SEARCH = ["type", "language", "ics", "publisher", "status", "edition", "urn"]

#: A call of each operation with all arguments that become parameters of its query.
CALLS: dict[str, Any] = {
    "listStandards": lambda n: list(n.standards(**dict.fromkeys(LIST, "x"), limit=1)),
    "listChanges": lambda n: n.changes("x", limit=1),
    "searchTexts": lambda n: list(
        n.search(
            "x",
            kind="term",
            facets=["type"],
            group="standard",
            normative=True,
            limit=1,
            **dict.fromkeys(SEARCH, "x"),
        )
    ),
    "getStandard": lambda n: n.standard(URN, fields=["metadata", "ics"]),
    "getMetadata": lambda n: n.metadata(URN, fields=["metadata"]),
    "getSections": lambda n: n.sections(URN, depth=1),
    "getContent": lambda n: n.content(URN, section="4.2"),
    "getProvisions": lambda n: n.provisions(URN, **FILTERS),
    "getSelectedProvisions": lambda n: n.selection(URN, "4.2;table:1", **FILTERS),
    "getTerms": lambda n: n.terms(URN),
    "getTables": lambda n: n.tables(URN),
    "getTable": lambda n: n.table(URN, "A.1"),
    "getGraphics": lambda n: n.graphics(URN),
    "getInstructions": lambda n: n.instructions(URN),
    "resolveAssets": lambda n: n.resolve_all(URN, ["fig_1"]),
    "getProvision": lambda n: n.provision("prv_1"),
    "getLimits": lambda n: n.limits(),
    "getAsset": lambda n: n.asset(URN, "fig_1"),
    "getKnowledgeGraph": lambda n: n.knowledge_graph(URN),
    "getComparison": lambda n: n.compare(
        URN,
        URN,
        relation="same",
        type="requirement",
        changed=["strength"],
        likelihood="high",
        section="4",
        text=True,
        text_language="en",
        different_documents=True,
        other_revision="2026-01-31",
        limit=1,
    ),
    "resolveCitations": lambda n: n.resolve_citations(["NSB 4210:2019, 4.2"], urn=URN, at="2024-06-30"),
    "verifyQuotations": lambda n: n.verify_quotations([{"text": "It shall hold."}], urn=URN),
    "migrateProvisions": lambda n: n.migrate(
        URN, labels=["4.2"], from_urn=URN, from_revision="2026-01-31", text=True
    ),
}

#: Public pages and documents, which are for people and tools and not for programs that read standards.
PUBLIC = {
    "getOpenApi",
    "getDocs",
    "getGuide",
    "getProblemIndex",
    "getProblemPage",
    "getProtectedResource",
    "getVocabulary",
}


def operations() -> dict[str, tuple[str, str, set[str]]]:
    """Method, path and parameters of the query, by the ids of operations."""
    return {
        operation["operationId"]: (
            method.upper(),
            path,
            {
                parameter["name"]
                for parameter in operation.get("parameters", [])
                if parameter["in"] == "query"
            },
        )
        for path, methods in OPENAPI["paths"].items()
        for method, operation in methods.items()
    }


def answers(requests: list[httpx2.Request]) -> httpx2.MockTransport:
    """Answers each request with what every operation may have, and a second page after the first."""

    def answer(request: httpx2.Request) -> httpx2.Response:
        requests.append(request)
        if "/assets/" in request.url.path and not request.url.path.endswith("resolve"):
            return httpx2.Response(200, content=b"picture", headers={"Content-Type": "image/png"})
        body = {
            "urn": URN,
            "revision": "1",
            "items": [],
            "standards": [],
            "url": "https://norma.example/api/content/v1/assets/abc",
        }
        if "limit" in request.url.params and "cursor" not in request.url.params:
            body["next"] = "following"
        media = request.headers["Accept"]
        return httpx2.Response(200, content=json.dumps(body).encode(), headers={"Content-Type": media})

    return httpx2.MockTransport(answer)


def test_each_operation_has_a_method_and_each_method_an_operation() -> None:
    assert set(operations()) - PUBLIC == set(CALLS)
    public, others = ({name for name in dir(kind) if name[0] != "_"} for kind in (Norma, AsyncNorma))
    assert public ^ others == {"close", "aclose"}


@pytest.mark.parametrize("name", CALLS)
def test_each_parameter_is_an_argument(name: str) -> None:
    requests: list[httpx2.Request] = []
    with httpx2.Client(transport=answers(requests)) as http:
        CALLS[name](Norma("https://norma.example", credential=lambda: "token", http_client=http))
    method, path, parameters = operations()[name]
    path = re.sub(r"\{\w+\}", "[^/]+", path)
    matching = [
        r
        for r in requests
        if r.method == method and re.fullmatch(path, r.url.raw_path.decode().split("?")[0])
    ]
    assert matching, [(request.method, request.url) for request in requests]
    assert {key for request in matching for key in request.url.params} == parameters
    signed = name == "getAsset"
    assert all(("Authorization" in request.headers) != signed for request in matching)


def test_a_urn_is_one_segment_and_lists_repeat_their_name() -> None:
    requests: list[httpx2.Request] = []
    with httpx2.Client(transport=answers(requests)) as http:
        norma = Norma("https://norma.example/", credential=lambda: "token", http_client=http)
        norma.selection(
            "urn:iso:std:iso:1|a/b", "4.2(1)-4.3;annex:Ä?", type=["requirement", "permission"], language="fr"
        )
    assert requests[0].url.raw_path.decode() == (
        "/api/content/v1/standards/urn%3Aiso%3Astd%3Aiso%3A1%7Ca%2Fb/provisions/"
        "4.2%281%29-4.3%3Bannex%3A%C3%84%3F?type=requirement&type=permission"
    )
    assert requests[0].headers["Accept-Language"] == "fr"


def test_limits_of_one_request_are_those_of_the_table() -> None:
    from norma_client import _client, _http

    schemas = OPENAPI["components"]["schemas"]
    migrate = schemas["MigrateRequest"]["oneOf"][0]["properties"]["ids"]
    resolve = schemas["ResolveRequest"]["oneOf"][1]["properties"]["assetReferences"]
    citations = schemas["CitationsRequest"]["properties"]["citations"]
    quotations = schemas["QuotationsRequest"]["properties"]["quotations"]
    most = (migrate["maxItems"], resolve["maxItems"], citations["maxItems"], quotations["maxItems"])
    assert most == (
        _client.MOST_MIGRATED,
        _client.MOST_RESOLVED,
        _client.MOST_CITATIONS,
        _http.MOST_QUOTATIONS,
    )


def test_quotations_are_sent_in_requests_that_are_not_too_large() -> None:
    requests: list[httpx2.Request] = []
    quotations: list[Any] = [{"text": "ż" * 2000, "citation": "NSB 4210:2019, 4.2"}] * 150
    with httpx2.Client(transport=answers(requests)) as http:
        norma = Norma("https://norma.example", credential=lambda: "token", http_client=http)
        norma.verify_quotations(quotations, at=date(2024, 6, 30))
    sent = [json.loads(request.content) for request in requests]
    assert [one for body in sent for one in body["quotations"]] == quotations
    assert max(len(request.content) for request in requests) <= 262_144
    assert max(len(body["quotations"]) for body in sent) <= 100
    assert {body["at"] for body in sent} == {"2024-06-30"}
    with pytest.raises(ValueError, match="quotations is empty"):
        norma.verify_quotations([])
