"""Shapes of answers: dicts, to which a later service may add members.

Generated from docs/openapi.json by generate.py.
"""

from __future__ import annotations

import sys
from typing import Literal, TypeAlias

if sys.version_info >= (3, 11):
    from typing import NotRequired, TypedDict
else:
    from typing_extensions import NotRequired, TypedDict

Acceptability: TypeAlias = Literal["preferred", "admitted", "deprecated"]


AccessLevel: TypeAlias = Literal["discover", "read"]


class Adoption(TypedDict):
    """
    A document that this one adopts.
    """

    reference: str
    urn: NotRequired[str]


class AlsoIn(TypedDict):
    """
    The same object of another edition.
    """

    urn: str
    reference: str
    id: NotRequired[str]


class AskedWord(TypedDict):
    """
    A word that was searched for.
    """

    word: str
    hits: int


ChangeCause: TypeAlias = Literal["text", "rules"]


CitationOutcome: TypeAlias = Literal[
    "resolved", "edition-unknown", "place-unknown", "ambiguous", "not-licensed", "unreadable"
]


class CitationsRequest(TypedDict):
    """
    Body of `POST /citations/resolve`: citations as people write them.
    """

    citations: list[str]
    urn: NotRequired[str]
    at: NotRequired[str]


CitedPartType: TypeAlias = Literal["section", "provision", "table", "figure", "term"]


Comparator: TypeAlias = Literal[
    "equal", "lessThan", "atMost", "atLeast", "moreThan", "between", "about", "nearest", "plusMinus"
]


class ComparedEdition(TypedDict):
    """
    One of two editions that are compared.
    """

    urn: str
    revision: str
    reference: str
    title: str
    access: AccessLevel


class ComparedPart(TypedDict):
    """
    A clause, table, figure, formula or term of one of the editions, or a provision with its footnotes or
    joined sentences.
    """

    id: str
    label: NotRequired[str]


class ComparedText(TypedDict):
    """
    The caption or a cell of a table of one of the editions.
    """

    text: str


class ComparisonCandidate(TypedDict):
    """
    A provision that is near one without counterpart.
    """

    id: str
    label: NotRequired[str]
    similarity: float


ComparisonRelation: TypeAlias = Literal["same", "reworded", "split", "merged", "new", "removed"]


Container: TypeAlias = Literal["paragraph", "listItem", "tableCell", "tableFootnote", "block"]


class Copyright(TypedDict):
    """
    Rights in the document.
    """

    statement: NotRequired[str]
    year: NotRequired[str]
    holder: NotRequired[str]


CriticalChangeType: TypeAlias = Literal["negation", "verb", "number", "unit", "comparator", "reference"]


CriticalOmissionType: TypeAlias = Literal[
    "negation", "verbal-form", "condition", "exception", "limit", "lead-in"
]


class Definition(TypedDict):
    """
    A definition in one language.
    """

    language: str
    text: str
    xml: str


class DependencyCounts(TypedDict):
    """
    Numbers of changes in what provisions depend on.
    """

    changed: int
    new: int
    removed: int


DependencyExtent: TypeAlias = Literal["unknown"]


DependencyType: TypeAlias = Literal["clause", "table", "figure", "formula", "term", "footnote", "sentence"]


class Designation(TypedDict):
    """
    One word, phrase or symbol for a concept.
    """

    text: str
    acceptability: Acceptability
    type: NotRequired[str]
    partOfSpeech: NotRequired[str]
    language: str


Facet: TypeAlias = Literal[
    "strength",
    "normative",
    "negation",
    "quantity",
    "bound",
    "condition",
    "subject",
    "references",
    "terms",
    "dependsOn",
    "moved",
]


class FacetCounts(TypedDict):
    """
    Numbers of pairs by kind of change.
    """

    strength: int
    normative: int
    negation: int
    quantity: int
    bound: int
    condition: int
    subject: int
    references: int
    terms: int
    dependsOn: int
    moved: int


class Ics(TypedDict):
    """
    A class of the International Classification for Standards.
    """

    code: str
    title: NotRequired[str]


InstructionOperation: TypeAlias = Literal["replace", "add", "delete", "renumber", "change"]


Likelihood: TypeAlias = Literal["certain", "high", "likely"]


LineageRelation: TypeAlias = Literal["earlierRevision", "member", "possible"]


LocationChange: TypeAlias = Literal["same", "changed", "moved", "gone", "unknown"]


class LocationInLatest(TypedDict):
    """
    A part of an edition in the latest edition of its document.
    """

    change: LocationChange
    changed: NotRequired[list[Facet]]
    likelihood: NotRequired[Likelihood]
    id: NotRequired[str]
    label: NotRequired[str]
    retry: NotRequired[bool]


class MigrateRequest1(TypedDict):
    """
    Ids of provisions (`prv_…`) and lineages (`lin_…`).
    """

    ids: list[str]


class MigrateRequest2(TypedDict):
    """
    Labels of provisions and sections of another edition.
    """

    labels: list[str]


MigrateRequest: TypeAlias = MigrateRequest1 | MigrateRequest2


MigrationOutcome: TypeAlias = Literal["found", "absent", "gone", "unknown"]


class MigrationSource(TypedDict):
    """
    A provision of the edition from which an id or label comes.
    """

    urn: str
    id: str
    label: NotRequired[str]
    revision: NotRequired[str]
    text: NotRequired[str]
    leadIn: NotRequired[str]


class NormativeStatus(TypedDict):
    """
    Normative status of the section of a provision.
    """

    normative: bool


Origin: TypeAlias = Literal["authored", "derived"]


PartChangeType: TypeAlias = Literal["same", "changed", "moved", "new", "removed"]


class PartCounts(TypedDict):
    """
    Numbers of sections or tables by relation.
    """

    same: int
    changed: int
    moved: int
    new: int
    removed: int


class ProblemError(TypedDict):
    """
    One part of a request that is wrong.
    """

    detail: str
    parameter: NotRequired[str]
    header: NotRequired[str]
    offset: NotRequired[int]
    suggestion: NotRequired[str]
    allowed: NotRequired[list[str]]


class ProvisionCounts(TypedDict):
    """
    The provisions of a section by what became of them.
    """

    same: int
    changed: int
    new: int
    removed: int


ProvisionPart: TypeAlias = Literal["leadIn"]


ProvisionType: TypeAlias = Literal[
    "requirement", "recommendation", "permission", "capability", "externalConstraint"
]


class QuotationChange(TypedDict):
    """
    Words that differ between a quotation and a unit.
    """

    quoted: str
    actual: str
    critical: NotRequired[CriticalChangeType]


class QuotationOmission(TypedDict):
    """
    What a quotation leaves out of a unit.
    """

    text: str
    critical: list[CriticalOmissionType]


class RateLimit(TypedDict):
    """
    How many requests a client may send.
    """

    requestsPerSecond: int
    burst: int


class Reference(TypedDict):
    """
    A cross-reference or cited standard in a provision.
    """

    text: str
    targetId: NotRequired[str]
    urn: NotRequired[str]
    date: NotRequired[str]
    clause: NotRequired[str]
    self: NotRequired[bool]


ReferenceChangeType: TypeAlias = Literal["edition", "clause", "document", "added", "removed", "undated"]


RefreshScope: TypeAlias = Literal["entitlements"]


RelatedEditionType: TypeAlias = Literal[
    "replacedBy", "amendedBy", "adoptedAs", "replaces", "amends", "adopts", "edition", "translation"
]


class RelatedProvision(TypedDict):
    """
    A provision that comes before or after another in its lineage.
    """

    urn: str
    id: str
    label: NotRequired[str]
    type: LineageRelation


RelationType: TypeAlias = Literal[
    "replaces", "amends", "adopts", "normativeReference", "informativeReference", "related"
]


class ResolveRequest1(TypedDict):
    """
    One reference; the answer is a `ResolvedAsset` or a problem.
    """

    assetReference: str


AssetReference: TypeAlias = str


class ResolveRequest2(TypedDict):
    """
    Several references; the answer is a `ResolveAnswer`.
    """

    assetReferences: list[AssetReference]


ResolveRequest: TypeAlias = ResolveRequest1 | ResolveRequest2


class ResolvedAsset(TypedDict):
    """
    URL and properties of one resolved reference.
    """

    assetReference: str
    url: str
    expiresAt: str
    mediaType: str
    size: int
    width: NotRequired[int]
    height: NotRequired[int]
    digest: str


class RowOrColumnChange(TypedDict):
    """
    A row or column that came, went or moved, or a column with another head.
    """

    type: PartChangeType
    older: NotRequired[str]
    newer: NotRequired[str]


SearchElsewhere: TypeAlias = Literal["editions", "languages", "without-filters"]


SearchKind: TypeAlias = Literal["standard", "section", "provision", "term", "table"]


class SearchProgress(TypedDict):
    """
    How many of the standards that the caller may find were searched.
    """

    searched: int
    titlesOnly: NotRequired[int]
    selected: int


SearchState: TypeAlias = Literal["complete", "partial", "building"]


class SectionCounts(TypedDict):
    """
    Numbers of what a section holds.
    """

    provisions: int
    terms: int
    graphics: int


class SectionRef(TypedDict):
    """
    A section that something is in or refers to.
    """

    id: str
    number: NotRequired[str]
    title: NotRequired[str]


SectionType: TypeAlias = Literal[
    "foreword",
    "introduction",
    "scope",
    "normativeReferences",
    "terms",
    "term",
    "clause",
    "annex",
    "bibliography",
    "footnotes",
    "index",
    "other",
]


class SelectionReport(TypedDict):
    """
    Result of a selection.
    """

    canonical: str
    matched: list[str]
    unmatched: list[str]


class SentQuotation(TypedDict):
    """
    A text that is said to be in a standard.
    """

    text: str
    urn: NotRequired[str]
    citation: NotRequired[str]
    id: NotRequired[str]


class Slice(TypedDict):
    """
    A part of a section's text.
    """

    start: int
    end: int


StandardChangeType: TypeAlias = Literal["create", "update", "withdraw", "recall", "remove", "refresh"]


StandardType: TypeAlias = Literal[
    "is", "ts", "tr", "pas", "iwa", "guide", "amendment", "corrigendum", "other"
]


Status: TypeAlias = Literal["draft", "published", "superseded", "withdrawn"]


StatusReason: TypeAlias = Literal["successor-recalled"]


SupplementType: TypeAlias = Literal["amendment", "corrigendum", "addendum"]


class TableCounts(TypedDict):
    """
    Size of a table in rows, columns and cells.
    """

    rows: int
    columns: int
    cells: int


class TableFootnote(TypedDict):
    """
    A footnote of a table.
    """

    mark: NotRequired[str]
    text: str


class TableGroup(TypedDict):
    """
    Several tables under one number.
    """

    id: str
    label: NotRequired[str]
    number: NotRequired[str]
    caption: NotRequired[str]


class TermText(TypedDict):
    """
    A note, example or source in one language.
    """

    language: str
    text: str


class Title(TypedDict):
    """
    A title and its elements (ISO/IEC Directives, Part 2).
    """

    intro: NotRequired[str]
    main: NotRequired[str]
    complement: NotRequired[str]
    full: str


UnitLocation: TypeAlias = Literal["cell", "column", "row", "table"]


UnresolvedReason: TypeAlias = Literal[
    "nothingNamed",
    "pageOrLine",
    "clauseMissing",
    "clauseAmbiguous",
    "titleDiffers",
    "partMissing",
    "partAmbiguous",
    "wordsMissing",
]


UnverifiedCause: TypeAlias = Literal[
    "edition-unknown",
    "not-licensed",
    "not-indexed",
    "citation-unreadable",
    "ambiguous",
    "no-source",
    "quotation-unreadable",
    "too-many-matches",
]


UpdateCause: TypeAlias = Literal["content", "rules", "status", "amendment"]


class ValueCount(TypedDict):
    """
    How many hits have a value.
    """

    facetValue: str
    hits: int


VerdictType: TypeAlias = Literal[
    "exact", "normalised", "partial", "altered", "other-edition", "absent", "unverified"
]


class SectionMove(TypedDict):
    """
    A value in the older and in the newer edition.
    """

    older: SectionRef
    newer: SectionRef


class ProtectedResource(TypedDict):
    """
    Metadata of a protected resource (RFC 9728).
    """

    resource: str
    authorization_servers: list[str]
    scopes_supported: list[str]
    bearer_methods_supported: list[str]
    resource_name: NotRequired[str]
    resource_documentation: NotRequired[str]


class Alternative(TypedDict):
    """
    Another reading of a provision.
    """

    type: ProvisionType
    confidence: float


class Amendment(TypedDict):
    """
    An amendment or corrigendum of a standard, with one of its changes where the caller may read both.
    """

    urn: str
    reference: str
    publishedOn: NotRequired[str]
    instructionId: NotRequired[str]
    operation: NotRequired[InstructionOperation]
    label: NotRequired[str]
    text: NotRequired[str]
    newText: NotRequired[str]
    language: NotRequired[str]
    resolved: NotRequired[bool]
    unresolvedReason: NotRequired[UnresolvedReason]
    targets: NotRequired[list[str]]


class Anchor(TypedDict):
    """
    Position of a provision: that slice of its section's text, white space collapsed, is its text.
    """

    elementId: NotRequired[str]
    start: int
    end: int
    verbalFormSlice: NotRequired[Slice]


class CellChange(TypedDict):
    """
    A cell that changed.
    """

    rowHead: str
    columnHead: str
    older: ComparedText
    newer: ComparedText
    changed: list[Facet]


class PartChange(TypedDict):
    """
    A value in the older and in the newer edition.
    """

    older: ComparedPart
    newer: ComparedPart


class NormativeChange(TypedDict):
    """
    A value in the older and in the newer edition.
    """

    older: NormativeStatus
    newer: NormativeStatus


class TextChange(TypedDict):
    """
    A value in the older and in the newer edition.
    """

    older: ComparedText
    newer: ComparedText


class VerifiedUnit(TypedDict):
    """
    A unit of an edition that a quotation is compared with.
    """

    kind: CitedPartType
    id: str
    label: NotRequired[str]
    cite: NotRequired[str]
    type: NotRequired[ProvisionType]
    section: NotRequired[SectionRef]
    leadIn: NotRequired[str]
    text: str
    amendedBy: NotRequired[list[Amendment]]


class CitedEdition(TypedDict):
    """
    An edition that a citation names.
    """

    urn: str
    reference: str
    status: Status


class CitedPart(TypedDict):
    """
    A part of an edition that a citation names.
    """

    kind: CitedPartType
    id: str
    label: NotRequired[str]
    title: NotRequired[str]
    type: NotRequired[ProvisionType]
    section: NotRequired[SectionRef]
    within: NotRequired[str]
    amendedBy: NotRequired[list[Amendment]]
    inLatest: NotRequired[LocationInLatest]


class ComparedProvision(TypedDict):
    """
    A provision of one of the editions.
    """

    id: str
    label: NotRequired[str]
    type: NotRequired[ProvisionType]
    leadIn: NotRequired[str]
    text: NotRequired[str]


class ComparisonCounts(TypedDict):
    """
    Numbers of provisions by relation, and of pairs by kind of change.
    """

    same: int
    reworded: int
    split: int
    merged: int
    new: int
    removed: int
    changed: FacetCounts
    sections: PartCounts
    tables: PartCounts


class ComparisonSummary(TypedDict):
    """
    The counts of a comparison, for a caller who may read one of the two editions and only discover the other:
    no provision of either.
    """

    older: ComparedEdition
    newer: ComparedEdition
    language: str
    matcher: int
    counts: ComparisonCounts


class Dependency(TypedDict):
    """
    Something that both provisions refer to or that belongs to both, and that changed.
    """

    type: DependencyType
    older: ComparedPart
    newer: ComparedPart
    counts: DependencyCounts
    extent: NotRequired[DependencyExtent]


class Edit(TypedDict):
    """
    These words of the older text became those of the newer one; one of the two may be empty.
    """

    older: Slice
    newer: Slice


class EditionWithQuotation(CitedEdition):
    """
    An edition that has a quotation.
    """

    units: list[VerifiedUnit]


class FoundAbove(TypedDict):
    """
    What is around an object, with words that were searched for.
    """

    text: str
    highlights: list[Slice]


class Graphic(TypedDict):
    """
    One picture of the text, in place.
    """

    id: str
    figureId: NotRequired[str]
    label: NotRequired[str]
    caption: NotRequired[str]
    altText: NotRequired[str]
    section: NotRequired[SectionRef]
    assetReference: str
    mediaType: NotRequired[str]
    width: NotRequired[int]
    height: NotRequired[int]
    size: NotRequired[int]
    digest: NotRequired[str]
    available: bool


class GraphicsView(TypedDict):
    """
    Answer of `GET /standards/{id}/graphics`: the graphics of the standard.
    """

    amendedBy: NotRequired[list[Amendment]]
    urn: str
    revision: str
    items: list[Graphic]


class HintedSearch(TypedDict):
    """
    A search that finds what another one did not.
    """

    scope: SearchElsewhere
    hits: int
    query: str


class InstructionBase(TypedDict):
    """
    An edition that an instruction changes.
    """

    urn: str
    reference: str
    resolved: bool
    unresolvedReason: NotRequired[UnresolvedReason]
    targets: list[str]


class Limits(TypedDict):
    """
    `GET /limits`: what this service allows the caller.
    """

    rate: NotRequired[RateLimit]
    maxRequestsAtOnce: int
    maxBytesInFlight: int
    maxWorkSlots: int
    defaultPageSize: int
    maxPageSize: int
    maxQueryValues: int
    maxQueryWords: int
    maxSelectionCharacters: int
    maxSelectionItems: int
    maxReferences: int
    maxMigratedIds: int
    maxCitations: int
    maxCitationCharacters: int
    maxQuotations: int
    maxQuotationCharacters: int
    maxComparedProvisions: int
    assetUrlSeconds: int
    maxBodyBytes: int
    maxQuotationsBodyBytes: int
    maxUriBytes: int
    maxTokenBytes: int


class Lineage(TypedDict):
    """
    The lineage of a provision: the provisions of other editions of its document that are the same provision.
    Editions that you may not read are passed over. Where a provision is listed with others, its lineage has
    the id alone.
    """

    id: str
    predecessors: NotRequired[list[RelatedProvision]]
    successors: NotRequired[list[RelatedProvision]]


Passage = TypedDict(
    "Passage",
    {
        "text": str,
        "in": NotRequired[ProvisionPart],
        "start": int,
        "end": int,
    },
)


class Polarity(TypedDict):
    """
    Polarity of a provision, which says that something is to be so, or not to be so.
    """

    negated: bool
    verbalFormPassage: NotRequired[Passage]


class Problem(TypedDict):
    """
    A failure as it is sent: `application/problem+json` (RFC 9457).
    """

    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: str
    errors: NotRequired[list[ProblemError]]
    successors: NotRequired[list[RelatedProvision]]
    lineage: NotRequired[Lineage]
    relation: NotRequired[ComparisonRelation]
    changed: NotRequired[list[Facet]]


class QuotationsRequest(TypedDict):
    """
    Body of `POST /quotations/verify`: texts, each with where it is said to be.
    """

    quotations: list[SentQuotation]
    urn: NotRequired[str]
    at: NotRequired[str]


class ReferenceChange(TypedDict):
    """
    A reference that changed; one side is absent where it was added or dropped.
    """

    type: ReferenceChangeType
    older: NotRequired[Passage]
    newer: NotRequired[Passage]
    undated: NotRequired[bool]


class RelatedEdition(TypedDict):
    """
    Another edition in the catalogue.
    """

    type: RelatedEditionType
    urn: str
    reference: str


class Relation(TypedDict):
    """
    One document that the edition cites, and how.
    """

    type: RelationType
    reference: str
    urn: NotRequired[str]
    dated: bool
    date: NotRequired[str]
    title: NotRequired[str]
    sectionIds: list[str]


class SearchFacets(TypedDict):
    """
    Counts of all hits by values, the highest first.
    """

    kind: NotRequired[list[ValueCount]]
    type: NotRequired[list[ValueCount]]
    normative: NotRequired[list[ValueCount]]
    publisher: NotRequired[list[ValueCount]]
    status: NotRequired[list[ValueCount]]
    language: NotRequired[list[ValueCount]]
    ics: NotRequired[list[ValueCount]]


class SearchHints(TypedDict):
    """
    What was understood of a search without results, and what to try.
    """

    words: list[AskedWord]
    leftOut: list[str]
    elsewhere: list[HintedSearch]
    advice: list[str]


class SearchHit(TypedDict):
    """
    A text that was found.
    """

    kind: SearchKind
    id: NotRequired[str]
    label: NotRequired[str]
    urn: str
    reference: str
    title: str
    status: Status
    access: AccessLevel
    amendedBy: NotRequired[list[Amendment]]
    type: NotRequired[ProvisionType]
    normative: NotRequired[bool]
    section: NotRequired[SectionRef]
    heading: NotRequired[str]
    matched: NotRequired[list[str]]
    missing: NotRequired[list[str]]
    above: NotRequired[list[FoundAbove]]
    alsoIn: NotRequired[list[AlsoIn]]
    text: str
    highlights: list[Slice]


class SearchedStandard(TypedDict):
    """
    A standard with hits.
    """

    urn: str
    reference: str
    title: str
    status: Status
    access: AccessLevel
    hits: int
    items: list[SearchHit]


class SectionChange(TypedDict):
    """
    Change of a section, with counts of the provisions in it.
    """

    type: PartChangeType
    older: NotRequired[SectionRef]
    newer: NotRequired[SectionRef]
    counts: ProvisionCounts


class SectionContext(TypedDict):
    """
    The section of a provision, with the sections around it and its text.
    """

    id: str
    label: NotRequired[str]
    number: NotRequired[str]
    title: NotRequired[str]
    type: SectionType
    normative: bool
    ancestors: list[SectionRef]
    text: str


class SectionHead(TypedDict):
    """
    Name and place of a section, which it has in the hierarchy, the content and the complete standard.
    """

    id: str
    label: NotRequired[str]
    number: NotRequired[str]
    title: NotRequired[str]
    type: SectionType
    normative: bool
    level: int
    order: int


class SectionNode(SectionHead):
    """
    One element of the hierarchy, without its content.
    """

    sourceId: NotRequired[str]
    counts: SectionCounts
    totalCounts: SectionCounts
    children: list[SectionNode]


class SectionsView(TypedDict):
    """
    Answer of `GET /standards/{id}/sections`: the section hierarchy.
    """

    amendedBy: NotRequired[list[Amendment]]
    urn: str
    revision: str
    sections: list[SectionNode]


class StandardChange(TypedDict):
    """
    The last change of an edition; or that the caller's grants changed.
    """

    type: StandardChangeType
    scope: NotRequired[RefreshScope]
    urn: NotRequired[str]
    reference: NotRequired[str]
    cause: NotRequired[UpdateCause]
    changedAt: NotRequired[str]
    status: NotRequired[Status]
    access: NotRequired[AccessLevel]
    revision: NotRequired[str]
    previousRevision: NotRequired[str]
    counts: NotRequired[ComparisonCounts]
    notice: NotRequired[str]


class Strength(TypedDict):
    """
    Type of a provision, with its verbal form.
    """

    type: NotRequired[ProvisionType]
    verbalFormPassage: NotRequired[Passage]


class Supplement(TypedDict):
    """
    Which supplement a document is.
    """

    type: SupplementType
    number: str
    year: NotRequired[str]


class TableChange(TypedDict):
    """
    Change of a table, with those of its cells, rows and columns.
    """

    type: PartChangeType
    older: NotRequired[ComparedPart]
    newer: NotRequired[ComparedPart]
    captionChange: NotRequired[TextChange]
    annotationsChanged: NotRequired[bool]
    changedCellCount: int
    cellChanges: list[CellChange]
    rowChanges: list[RowOrColumnChange]
    columnChanges: list[RowOrColumnChange]


class Term(TypedDict):
    """
    One concept of the edition.
    """

    id: str
    number: NotRequired[str]
    designations: list[Designation]
    definitions: list[Definition]
    domain: NotRequired[str]
    notes: list[TermText]
    examples: list[TermText]
    sources: list[TermText]
    section: SectionRef


class TermsView(TypedDict):
    """
    Answer of `GET /standards/{id}/terms`: the terms of the standard.
    """

    amendedBy: NotRequired[list[Amendment]]
    urn: str
    revision: str
    items: list[Term]


class Unit(TypedDict):
    """
    A unit of measurement.
    """

    text: str
    ucum: NotRequired[str]
    printedIn: NotRequired[UnitLocation]


class UnresolvedAsset(TypedDict):
    """
    A reference without bytes.
    """

    assetReference: str
    problem: Problem


class VerifiedQuotation(TypedDict):
    """
    Whether one quotation is true. The members of the edition (`urn` to `latest`) are there where one edition
    is meant that you may see.
    """

    verdict: VerdictType
    unverifiedCause: NotRequired[UnverifiedCause]
    reason: NotRequired[str]
    retry: NotRequired[bool]
    urn: NotRequired[str]
    reference: NotRequired[str]
    title: NotRequired[str]
    status: NotRequired[Status]
    access: NotRequired[AccessLevel]
    supersededBy: NotRequired[list[RelatedEdition]]
    amendedBy: NotRequired[list[Amendment]]
    latest: NotRequired[CitedEdition]
    atCitedLocation: NotRequired[bool]
    units: list[VerifiedUnit]
    omissions: NotRequired[list[QuotationOmission]]
    changes: NotRequired[list[QuotationChange]]
    foundIn: NotRequired[EditionWithQuotation]
    candidates: NotRequired[list[CitedEdition]]


class Bound(Passage):
    """
    A limit for a quantity or a time.
    """

    comparator: NotRequired[Comparator]


class CellQuantity(TypedDict):
    """
    A value, limit or range in a cell.
    """

    comparator: Comparator
    value: str
    upper: NotRequired[str]
    tolerance: NotRequired[str]
    unit: NotRequired[Unit]


class ChangeList(TypedDict):
    """
    `GET /changes`: what changed of the standards that the caller may see.
    """

    items: list[StandardChange]
    more: bool
    next: str


class SubjectChange(TypedDict):
    """
    A value in the older and in the newer edition.
    """

    older: Passage
    newer: Passage


class StrengthChange(TypedDict):
    """
    A value in the older and in the newer edition.
    """

    older: Strength
    newer: Strength


class ConditionChange(TypedDict):
    """
    A value of which one side is absent where it was added or dropped.
    """

    older: NotRequired[Passage]
    newer: NotRequired[Passage]


class CitationCandidate(CitedEdition):
    """
    An edition or a part of one that a citation may mean.
    """

    location: NotRequired[CitedPart]


class Column(TypedDict):
    """
    A column of a table.
    """

    heads: list[str]
    unit: NotRequired[Unit]
    footnoteMarks: NotRequired[list[str]]


class ContentSection(SectionHead):
    """
    The content of one section, without the sections within it.
    """

    parentId: NotRequired[str]
    xml: str
    text: str
    graphics: list[Graphic]
    terms: list[Term]
    provisionIds: list[str]


class ContentView(TypedDict):
    """
    Answer of `GET /standards/{id}/content`: the sections with their content.
    """

    amendedBy: NotRequired[list[Amendment]]
    urn: str
    revision: str
    sections: list[ContentSection]


class Difference(TypedDict):
    """
    Words that differ, in order. Offsets are Unicode scalar values in `leadIn` and `text` of the provision.
    """

    leadInEdits: list[Edit]
    textEdits: list[Edit]


class Instruction(TypedDict):
    """
    One change that an amendment states.
    """

    id: str
    operation: InstructionOperation
    label: str
    text: str
    newText: NotRequired[str]
    language: str
    section: SectionRef
    provisionIds: list[str]
    bases: list[InstructionBase]


class InstructionsView(TypedDict):
    """
    `GET /standards/{id}/instructions`: what an amendment or corrigendum changes.
    """

    urn: str
    revision: str
    items: list[Instruction]


class Metadata(TypedDict):
    """
    Metadata of an edition.
    """

    reference: str
    title: NotRequired[str]
    titles: dict[str, Title]
    publisher: str
    type: StandardType
    typeLabel: NotRequired[str]
    number: str
    part: NotRequired[str]
    supplement: NotRequired[Supplement]
    edition: str
    version: NotRequired[str]
    stage: NotRequired[str]
    language: str
    languages: list[str]
    provisionLanguages: NotRequired[list[str]]
    dates: dict[str, str]
    publishedOn: NotRequired[str]
    committee: NotRequired[str]
    secretariat: NotRequired[str]
    copyright: NotRequired[Copyright]
    pageCount: NotRequired[int]
    dutiesWithoutVerbalForm: NotRequired[bool]
    identifiers: list[str]
    adoptionOf: list[Adoption]


class BoundChange(TypedDict):
    """
    A value in the older and in the newer edition.
    """

    older: Bound
    newer: Bound


class NegationChange(TypedDict):
    """
    A value in the older and in the newer edition.
    """

    older: Polarity
    newer: Polarity


class Quantity(Passage):
    """
    A value, limit, range or count in a provision.
    """

    comparator: NotRequired[Comparator]
    value: str
    upper: NotRequired[str]
    unit: NotRequired[Unit]
    tolerance: NotRequired[str]


class QuotationsAnswer(TypedDict):
    """
    Whether each quotation is true, in the order of the request.
    """

    items: list[VerifiedQuotation]


ResolveItem: TypeAlias = ResolvedAsset | UnresolvedAsset


class ResolvedCitation(TypedDict):
    """
    Where one citation leads. The members of the edition (`urn` to `latest`) are there where one edition is
    meant that you may see.
    """

    citation: str
    outcome: CitationOutcome
    reason: NotRequired[str]
    urn: NotRequired[str]
    reference: NotRequired[str]
    title: NotRequired[str]
    status: NotRequired[Status]
    access: NotRequired[AccessLevel]
    supersededBy: NotRequired[list[RelatedEdition]]
    amendedBy: NotRequired[list[Amendment]]
    latest: NotRequired[CitedEdition]
    locations: list[CitedPart]
    nearest: NotRequired[list[CitedPart]]
    candidates: NotRequired[list[CitationCandidate]]


class SearchAnswer(TypedDict):
    """
    Answer of `GET /search`: a page of the texts that were found.
    """

    total: int
    relaxed: NotRequired[bool]
    hints: NotRequired[SearchHints]
    state: SearchState
    progress: NotRequired[SearchProgress]
    hitCounts: NotRequired[SearchFacets]
    items: list[SearchHit]
    standards: list[SearchedStandard]
    next: NotRequired[str]


class Section(SectionHead):
    """
    One element of the hierarchy with its content, as in a complete standard.
    """

    sourceId: NotRequired[str]
    xml: str
    text: str
    graphics: list[Graphic]
    terms: list[Term]
    provisionIds: list[str]
    children: list[Section]


class Standard(TypedDict):
    """
    `GET /standards/{id}`: the complete standard.

    `status` and `relatedEditions` come first: they depend on the rest of the catalogue, and on the caller.
    Members that `fields` does not name are absent, but for `status`, `urn` and `revision`.
    """

    status: Status
    statusReason: NotRequired[StatusReason]
    withdrawnOn: NotRequired[str]
    notice: NotRequired[str]
    amendedBy: NotRequired[list[Amendment]]
    relatedEditions: NotRequired[list[RelatedEdition]]
    urn: str
    revision: str
    metadata: NotRequired[Metadata]
    ics: NotRequired[list[Ics]]
    relations: NotRequired[list[Relation]]
    sections: NotRequired[list[Section]]
    graphics: NotRequired[list[Graphic]]
    terms: NotRequired[list[Term]]


class StandardSummary(TypedDict):
    """
    A standard in one line.
    """

    urn: str
    reference: str
    title: str
    publisher: str
    number: str
    part: NotRequired[str]
    supplement: NotRequired[Supplement]
    edition: str
    language: str
    type: StandardType
    status: Status
    withdrawnOn: NotRequired[str]
    notice: NotRequired[str]
    amendedBy: NotRequired[list[Amendment]]
    publishedOn: NotRequired[str]
    icsCodes: list[str]
    revision: str
    updatedAt: str
    access: AccessLevel


class Cell(TypedDict):
    """
    A cell of a table.
    """

    text: str
    column: NotRequired[int]
    columnSpan: NotRequired[int]
    rowSpan: NotRequired[int]
    head: NotRequired[bool]
    quantity: NotRequired[CellQuantity]
    footnoteMarks: NotRequired[list[str]]
    graphicIds: NotRequired[list[str]]
    provisionIds: NotRequired[list[str]]


class QuantityChange(TypedDict):
    """
    A value of which one side is absent where it was added or dropped.
    """

    older: NotRequired[Quantity]
    newer: NotRequired[Quantity]


class CitationsAnswer(TypedDict):
    """
    Where each citation leads, in the order of the request.
    """

    items: list[ResolvedCitation]


class Facets(TypedDict):
    """
    Changes in a pair, by kind; what is absent did not change. Positions are those of the text or lead-in of
    the provision on that side.
    """

    strength: NotRequired[StrengthChange]
    normative: NotRequired[NormativeChange]
    negation: NotRequired[NegationChange]
    quantity: NotRequired[list[QuantityChange]]
    bound: NotRequired[list[BoundChange]]
    condition: NotRequired[list[ConditionChange]]
    subject: NotRequired[SubjectChange]
    references: NotRequired[list[ReferenceChange]]
    terms: NotRequired[list[PartChange]]
    dependsOn: NotRequired[list[Dependency]]
    moved: NotRequired[SectionMove]


class MigrateItem(TypedDict):
    """
    What became of one id or label. `source` and what follows from it (`relation` to `candidates`) are there
    where you may read both editions.
    """

    asked: str
    outcome: MigrationOutcome
    reason: NotRequired[str]
    lineage: NotRequired[Lineage]
    cause: NotRequired[ChangeCause]
    source: NotRequired[MigrationSource]
    relation: NotRequired[ComparisonRelation]
    likelihood: NotRequired[Likelihood]
    changed: NotRequired[list[Facet]]
    facets: NotRequired[Facets]
    comparedProvisions: NotRequired[list[ComparedProvision]]
    sectionChange: NotRequired[SectionChange]
    candidates: NotRequired[list[ComparisonCandidate]]
    retry: NotRequired[bool]


class Provision(TypedDict):
    """
    One testable unit of a standard: a sentence or list item with a verbal form.
    """

    id: str
    label: str
    amendedBy: NotRequired[list[Amendment]]
    lineage: NotRequired[Lineage]
    identifier: NotRequired[str]
    itemLabel: NotRequired[str]
    type: ProvisionType
    verbalForm: str
    negated: bool
    text: str
    xml: NotRequired[str]
    leadIn: NotRequired[str]
    container: Container
    normative: bool
    section: SectionRef
    instructionId: NotRequired[str]
    tableId: NotRequired[str]
    references: list[Reference]
    quantities: list[Quantity]
    conditions: list[Passage]
    subject: NotRequired[Passage]
    termIds: list[str]
    anchor: Anchor
    origin: Origin
    rule: str
    confidence: float
    alternatives: list[Alternative]


class ProvisionChange(TypedDict):
    """
    Change of one provision: a pair, a part of a possible split or merger, or a provision without counterpart.
    """

    relation: ComparisonRelation
    older: NotRequired[ComparedProvision]
    newer: NotRequired[ComparedProvision]
    changed: NotRequired[list[Facet]]
    likelihood: NotRequired[Likelihood]
    origin: NotRequired[Origin]
    similarity: NotRequired[float]
    facets: NotRequired[Facets]
    difference: NotRequired[Difference]
    candidates: NotRequired[list[ComparisonCandidate]]


class ProvisionInContext(Provision):
    """
    `GET /provisions/{id}`: a provision with its standard and its section.
    """

    urn: str
    revision: str
    standard: StandardSummary
    sectionContext: SectionContext
    previousId: NotRequired[str]
    nextId: NotRequired[str]


class ProvisionsView(TypedDict):
    """
    Answer of `GET /standards/{id}/provisions`: the provisions that the filters leave.
    """

    amendedBy: NotRequired[list[Amendment]]
    urn: str
    revision: str
    items: list[Provision]


class ResolveAnswer(TypedDict):
    """
    Answer to several references, in their order.
    """

    items: list[ResolveItem]


class SelectionView(TypedDict):
    """
    Answer of `GET /standards/{id}/provisions/{selection}`: the provisions that a selection names.
    """

    urn: str
    revision: str
    selection: SelectionReport
    items: list[Provision]


class StandardList(TypedDict):
    """
    `GET /standards`: one page of the standards that the caller may see.
    """

    items: list[StandardSummary]
    next: NotRequired[str]
    total: int


class TableRow(TypedDict):
    """
    A row of a table.
    """

    cells: list[Cell]


class ComparisonView(TypedDict):
    """
    A page of the comparison of two editions: the older one against the newer one, whichever of them the path
    names.
    """

    older: ComparedEdition
    newer: ComparedEdition
    language: str
    matcher: int
    counts: ComparisonCounts
    items: list[ProvisionChange]
    sectionChanges: NotRequired[list[SectionChange]]
    tableChanges: NotRequired[list[TableChange]]
    next: NotRequired[str]


class MetadataView(TypedDict):
    """
    `GET /standards/{id}/metadata`: the standard without section bodies. Members that `fields` does not name
    are absent, but for `status`, `urn` and `revision`.
    """

    status: Status
    statusReason: NotRequired[StatusReason]
    withdrawnOn: NotRequired[str]
    notice: NotRequired[str]
    amendedBy: NotRequired[list[Amendment]]
    relatedEditions: NotRequired[list[RelatedEdition]]
    urn: str
    revision: str
    metadata: NotRequired[Metadata]
    ics: NotRequired[list[Ics]]
    relations: NotRequired[list[Relation]]
    provisions: NotRequired[list[Provision]]
    terms: NotRequired[list[Term]]
    graphics: NotRequired[list[Graphic]]


class MigrateAnswer(TypedDict):
    """
    What became of each id or label, in the order of the request.
    """

    urn: str
    revision: str
    items: list[MigrateItem]


class Table(TypedDict):
    """
    A table with its cells and the texts around them.
    """

    id: str
    label: NotRequired[str]
    number: NotRequired[str]
    caption: NotRequired[str]
    group: NotRequired[TableGroup]
    section: SectionRef
    normative: bool
    unit: NotRequired[Unit]
    derived: NotRequired[bool]
    columns: list[Column]
    rows: list[TableRow]
    annotations: list[str]
    footnotes: list[TableFootnote]
    provisionIds: list[str]
    citingProvisionIds: list[str]
    omitted: NotRequired[bool]
    counts: NotRequired[TableCounts]
    parts: NotRequired[list[Table]]


class TableView(Table):
    """
    Answer of `GET /standards/{id}/tables/{table}`: one table, or a group of tables.
    """

    amendedBy: NotRequired[list[Amendment]]
    urn: str
    revision: str


class TablesView(TypedDict):
    """
    Answer of `GET /standards/{id}/tables`: the tables of the standard.
    """

    amendedBy: NotRequired[list[Amendment]]
    urn: str
    revision: str
    items: list[Table]
