//! Comparison of two editions: what became of each provision, and what changed in it.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    AccessLevel, Comparator, ComparisonRelation, DependencyExtent, DependencyType, Facet, Likelihood,
    NormativeStatus, Origin, PartChangeType, Passage, ProvisionType, Quantity, ReferenceChangeType,
    SectionRef, Slice,
};

/// The answer of `GET /standards/{id}/comparison`: by what the caller may do with the two editions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ComparisonAnswer<'a> {
    /// To a caller who may read both.
    Whole(ComparisonView<'a>),
    /// To a caller who may read one of the two and only discover the other.
    Summary(ComparisonSummary<'a>),
}

/// A page of the comparison of two editions: the older one against the newer one, whichever of them the path
/// names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ComparisonView<'a> {
    /// Side of the older edition. It is the edition itself.
    pub older: ComparedEdition<'a>,
    /// Side of the newer edition. It is the edition itself.
    pub newer: ComparedEdition<'a>,
    /// Language code (BCP 47). It is the language that was compared.
    pub language: Cow<'a, str>,
    /// Version of the matcher: a higher one can give another result for the same editions.
    pub matcher: u32,
    /// Numbers of items by kind. They are those of the whole comparison, whatever the filters and the page
    /// leave.
    pub counts: ComparisonCounts,
    /// Links and new provisions in the order of the newer edition, then what was removed in the order of the
    /// older one.
    pub items: Vec<ProvisionChange<'a>>,
    /// On the first page: what became of each section, in the order of the newer edition, then those that
    /// were removed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub section_changes: Vec<SectionChange<'a>>,
    /// On the first page: the tables that changed, moved, came or went, in the same order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub table_changes: Vec<TableChange<'a>>,
    /// Cursor of the next page; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<Cow<'a, str>>,
}

/// The counts of a comparison, for a caller who may read one of the two editions and only discover the other:
/// no provision of either.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ComparisonSummary<'a> {
    /// Side of the older edition. It is the edition itself.
    pub older: ComparedEdition<'a>,
    /// Side of the newer edition. It is the edition itself.
    pub newer: ComparedEdition<'a>,
    /// Language code (BCP 47). It is the language that was compared.
    pub language: Cow<'a, str>,
    /// Version of the matcher: a higher one can give another result for the same editions.
    pub matcher: u32,
    /// Numbers of items by kind. They are those of the whole comparison.
    pub counts: ComparisonCounts,
}

/// One of two editions that are compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ComparedEdition<'a> {
    /// URN of the standard.
    pub urn: Cow<'a, str>,
    /// Revision of the edition, which changes with its source and with the way it is derived.
    pub revision: Cow<'a, str>,
    /// Designation of the document. It has the date: `ISO 17301-1:2016`.
    pub reference: Cow<'a, str>,
    /// Title as plain text. It is in the main language.
    pub title: Cow<'a, str>,
    /// Level of the caller's access to the edition.
    pub access: AccessLevel,
}

/// Numbers of provisions by relation, and of pairs by kind of change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ComparisonCounts {
    /// Pairs with the same words.
    pub same: u32,
    /// Pairs with other words.
    pub reworded: u32,
    /// Possible parts of an older provision.
    pub split: u32,
    /// Older provisions that possibly became a part of a newer one.
    pub merged: u32,
    /// Provisions without counterpart in the older edition.
    pub new: u32,
    /// Provisions without counterpart in the newer edition.
    pub removed: u32,
    /// Pairs by kind of change.
    pub changed: FacetCounts,
    /// Sections by what became of them.
    pub sections: PartCounts,
    /// Tables by what became of them.
    pub tables: PartCounts,
}

/// Numbers of sections or tables by relation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PartCounts {
    /// Sections or tables in which nothing changed.
    pub same: u32,
    /// Sections or tables in which something changed.
    pub changed: u32,
    /// Sections or tables that are in another place.
    pub moved: u32,
    /// Sections or tables without counterpart in the older edition.
    pub new: u32,
    /// Sections or tables without counterpart in the newer edition.
    pub removed: u32,
}

/// Numbers of pairs by kind of change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FacetCounts {
    /// Pairs whose types differ.
    pub strength: u32,
    /// Pairs of a normative and an informative section.
    pub normative: u32,
    /// Pairs whose polarity differs.
    pub negation: u32,
    /// Pairs with another value, unit or tolerance.
    pub quantity: u32,
    /// Pairs with another comparator, or another word that limits.
    pub bound: u32,
    /// Pairs with other conditions, or other sentences that limit.
    pub condition: u32,
    /// Pairs with another subject.
    pub subject: u32,
    /// Pairs with other references.
    pub references: u32,
    /// Pairs that use a term whose definition differs.
    pub terms: u32,
    /// Pairs that refer to something that changed, or whose footnotes or joined sentences did.
    pub depends_on: u32,
    /// Pairs whose sections do not correspond.
    pub moved: u32,
}

/// Change of one provision: a pair, a part of a possible split or merger, or a provision without counterpart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ProvisionChange<'a> {
    /// Relation of the two provisions, or the side of the only one.
    pub relation: ComparisonRelation,
    /// Side of the older edition. It is absent where the provision is new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub older: Option<ComparedProvision<'a>>,
    /// Side of the newer edition. It is absent where the provision was removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub newer: Option<ComparedProvision<'a>>,
    /// Kinds of change. Only pairs have it; it is absent where nothing changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<Facet>,
    /// Likelihood that the two belong together; absent of a provision without counterpart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub likelihood: Option<Likelihood>,
    /// Origin, which is stated by the source or found by Norma. `authored` where the publisher's table of
    /// correspondence states it; otherwise absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// Similarity of the texts: 1 where they are equal. It is absent where they are the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, maximum = 1)]
    pub similarity: Option<f32>,
    /// Changes by kind, with the values on both sides. Only pairs have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facets: Option<Facets<'a>>,
    /// Words that differ; only of pairs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
    /// Nearest provisions of the other edition, best first. Only of a provision without counterpart.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<ComparisonCandidate<'a>>,
}

/// A provision of one of the editions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ComparedProvision<'a> {
    /// Id of the object.
    pub id: Cow<'a, str>,
    /// Label, for people. It is itself a selection: `4.2.1(2)`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<Cow<'a, str>>,
    /// Type of the provision, where it is known.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<ProvisionType>,
    /// Lead-in: the sentence that the item completes. Only with `include=text`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lead_in: Option<Cow<'a, str>>,
    /// Plain text, without markup. It is the sentence or item, and is there only with `include=text`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<Cow<'a, str>>,
}

/// A value in the older and in the newer edition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Change<T> {
    /// Side of the older edition.
    pub older: T,
    /// Side of the newer edition.
    pub newer: T,
}

/// A value of which one side is absent where it was added or dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PartialChange<T> {
    /// Side of the older edition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub older: Option<T>,
    /// Side of the newer edition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub newer: Option<T>,
}

/// Changes in a pair, by kind; what is absent did not change. Positions are those of the text or lead-in of
/// the provision on that side.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Facets<'a> {
    /// Types of the two provisions, where they differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strength: Option<Change<Strength<'a>>>,
    /// Normative status of the two sections, where it differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub normative: Option<Change<NormativeStatus>>,
    /// Polarities of the two provisions, where they differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub negation: Option<Change<Polarity<'a>>>,
    /// Quantities whose value, unit or tolerance differs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub quantity: Vec<PartialChange<Quantity<'a>>>,
    /// Limits whose comparator differs, and words that became their opposite: `before`, `after`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub bound: Vec<Change<Bound<'a>>>,
    /// Conditions that were added, dropped or reworded, then such sentences after the provision that
    /// limit it: they have the empty position at the end of the text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub condition: Vec<PartialChange<Passage<'a>>>,
    /// Subject that the verbal form speaks of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<Change<Passage<'a>>>,
    /// References that point at something else, and those to other documents without edition.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub references: Vec<ReferenceChange<'a>>,
    /// Terms that both use and whose definition changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub terms: Vec<Change<ComparedPart<'a>>>,
    /// Things that both refer to or that belong to both, and that changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub depends_on: Vec<Dependency<'a>>,
    /// Sections that do not correspond.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved: Option<Change<SectionRef<'a>>>,
}

/// A clause, table, figure, formula or term of one of the editions, or a provision with its footnotes or
/// joined sentences.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ComparedPart<'a> {
    /// Id of the object. A formula has the id of its section; footnotes and sentences have that of the
    /// provision.
    pub id: Cow<'a, str>,
    /// Label, for people. A clause has its number, `4.2.1`, a term its preferred designation, a provision its
    /// label; others have it as printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<Cow<'a, str>>,
}

/// Type of a provision, with its verbal form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Strength<'a> {
    /// Type of the provision, where it is known.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<ProvisionType>,
    /// Verbal form, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verbal_form_passage: Option<Passage<'a>>,
}

/// Polarity of a provision, which says that something is to be so, or not to be so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Polarity<'a> {
    /// True where the verbal form is a negative one.
    pub negated: bool,
    /// Verbal form, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verbal_form_passage: Option<Passage<'a>>,
}

/// A limit for a quantity or a time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Bound<'a> {
    /// Relation of what is measured to the value. A word without a value has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparator: Option<Comparator>,
    /// The value with its unit, or the word.
    #[serde(flatten)]
    pub passage: Passage<'a>,
}

/// A reference that changed; one side is absent where it was added or dropped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReferenceChange<'a> {
    /// Kind of change of the reference.
    #[serde(rename = "type")]
    pub kind: ReferenceChangeType,
    /// Side of the older edition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub older: Option<Passage<'a>>,
    /// Side of the newer edition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub newer: Option<Passage<'a>>,
    /// Present and true where the newer one names another document without its edition or date.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub undated: bool,
}

/// Something that both provisions refer to or that belongs to both, and that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Dependency<'a> {
    /// Kind of the thing that changed.
    #[serde(rename = "type")]
    pub kind: DependencyType,
    /// Side of the older edition.
    pub older: ComparedPart<'a>,
    /// Side of the newer edition.
    pub newer: ComparedPart<'a>,
    /// Numbers of items by kind. They count provisions of a clause; cells, rows and columns of a table;
    /// footnotes; sentences.
    pub counts: DependencyCounts,
    /// `unknown` where it did not change itself, and something changed that it leads to more than three
    /// references away from the provision; the counts are then 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extent: Option<DependencyExtent>,
}

/// Numbers of changes in what provisions depend on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DependencyCounts {
    /// Cells of a table, provisions of a clause, footnotes or sentences that changed; 1 of anything else.
    /// Of a clause also 1 for its text outside of provisions, and 1 for another normative status.
    pub changed: u32,
    /// Rows and columns, provisions, footnotes or sentences that are new.
    pub new: u32,
    /// Rows and columns, provisions, footnotes or sentences that were removed.
    pub removed: u32,
}

/// Change of a section, with counts of the provisions in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SectionChange<'a> {
    /// Change from the older edition to the newer one.
    #[serde(rename = "type")]
    pub kind: PartChangeType,
    /// Side of the older edition. It is absent where the section is new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub older: Option<SectionRef<'a>>,
    /// Side of the newer edition. It is absent where the section was removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub newer: Option<SectionRef<'a>>,
    /// Numbers of items by kind. They count the provisions in it and in its subsections.
    pub counts: ProvisionCounts,
}

/// The provisions of a section by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProvisionCounts {
    /// Provisions with the same words and no facet but `moved` or a `dependsOn` for what they refer to.
    pub same: u32,
    /// Provisions with other words, or with a facet.
    pub changed: u32,
    /// Provisions without counterpart in the older edition.
    pub new: u32,
    /// Provisions without counterpart in the newer section.
    pub removed: u32,
}

/// Change of a table, with those of its cells, rows and columns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TableChange<'a> {
    /// Change from the older edition to the newer one.
    #[serde(rename = "type")]
    pub kind: PartChangeType,
    /// Side of the older edition. It is absent where the table is new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub older: Option<ComparedPart<'a>>,
    /// Side of the newer edition. It is absent where the table was removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub newer: Option<ComparedPart<'a>>,
    /// Captions of the two tables, where they differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caption_change: Option<Change<ComparedText<'a>>>,
    /// Present and true where its annotations or footnotes differ.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub annotations_changed: bool,
    /// Number of cells that changed.
    pub changed_cell_count: u32,
    /// Cells that changed, the first 100 of them.
    pub cell_changes: Vec<CellChange<'a>>,
    /// Rows that came, went or moved, by their head cells.
    pub row_changes: Vec<RowOrColumnChange<'a>>,
    /// Columns that came, went or moved, or have another head.
    pub column_changes: Vec<RowOrColumnChange<'a>>,
}

/// A cell that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CellChange<'a> {
    /// Head of the row that has the cell.
    pub row_head: Cow<'a, str>,
    /// Head of the column that has the cell.
    pub column_head: Cow<'a, str>,
    /// Side of the older edition.
    pub older: ComparedText<'a>,
    /// Side of the newer edition.
    pub newer: ComparedText<'a>,
    /// Kinds of change. They are `quantity` and `bound`, as of provisions; the list is empty where other
    /// words changed.
    pub changed: Vec<Facet>,
}

/// The caption or a cell of a table of one of the editions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ComparedText<'a> {
    /// Plain text, without markup. It is empty where caption or cell is.
    pub text: Cow<'a, str>,
}

/// A row or column that came, went or moved, or a column with another head.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RowOrColumnChange<'a> {
    /// Change from the older edition to the newer one.
    #[serde(rename = "type")]
    pub kind: PartChangeType,
    /// Side of the older edition. It is the head.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub older: Option<Cow<'a, str>>,
    /// Side of the newer edition. It is the head.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub newer: Option<Cow<'a, str>>,
}

/// Words that differ, in order. Offsets are Unicode scalar values in `leadIn` and `text` of the provision.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    /// Edits of the lead-in; an absent one counts as empty.
    pub lead_in_edits: Vec<Edit>,
    /// Edits of the text of the provision.
    pub text_edits: Vec<Edit>,
}

/// These words of the older text became those of the newer one; one of the two may be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Edit {
    /// Side of the older edition. They are the words.
    pub older: Slice,
    /// Side of the newer edition. They are the words.
    pub newer: Slice,
}

/// A provision that is near one without counterpart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ComparisonCandidate<'a> {
    /// Id of the object.
    pub id: Cow<'a, str>,
    /// Label, for people. It is itself a selection: `4.2.1(2)`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<Cow<'a, str>>,
    /// Similarity of the texts: 1 where they are equal.
    #[schema(minimum = 0, maximum = 1)]
    pub similarity: f32,
}
