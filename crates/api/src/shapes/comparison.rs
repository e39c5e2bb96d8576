//! Comparison of two editions: what became of each provision, and what changed in it.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    AccessLevel, Comparator, ComparisonRelation, DependencyType, Facet, Likelihood, Origin, PartChangeType,
    Passage, ProvisionType, Quantity, ReferenceChangeType, SectionRef, Slice,
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
    /// On the side of the older edition. The edition itself.
    pub older: ComparedEdition<'a>,
    /// On the side of the newer edition. The edition itself.
    pub newer: ComparedEdition<'a>,
    /// Language (BCP 47). The one that was compared.
    pub language: Cow<'a, str>,
    /// Version of the matcher: a higher one can give another result for the same editions.
    pub matcher: u32,
    /// How many there are of each kind. In the whole comparison, whatever the filters and the page leave.
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
    /// On the side of the older edition. The edition itself.
    pub older: ComparedEdition<'a>,
    /// On the side of the newer edition. The edition itself.
    pub newer: ComparedEdition<'a>,
    /// Language (BCP 47). The one that was compared.
    pub language: Cow<'a, str>,
    /// Version of the matcher: a higher one can give another result for the same editions.
    pub matcher: u32,
    /// How many there are of each kind. In the whole comparison.
    pub counts: ComparisonCounts,
}

/// One of two editions that are compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ComparedEdition<'a> {
    /// URN of the standard.
    pub urn: Cow<'a, str>,
    /// Changes when the source or the way it is derived changes.
    pub revision: Cow<'a, str>,
    /// Designation of the document. With its date: `ISO 17301-1:2016`.
    pub reference: Cow<'a, str>,
    /// Title as plain text. In the main language.
    pub title: Cow<'a, str>,
    /// What the caller may do with it.
    pub access: AccessLevel,
}

/// How many provisions have which relation, and how many pairs which kind of change.
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

/// How many sections or tables have which relation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PartCounts {
    /// Nothing in them changed.
    pub same: u32,
    /// Something in them changed.
    pub changed: u32,
    /// They are in another place.
    pub moved: u32,
    /// They have no counterpart in the older edition.
    pub new: u32,
    /// They have no counterpart in the newer edition.
    pub removed: u32,
}

/// How many pairs have which kind of change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FacetCounts {
    /// Type.
    pub strength: u32,
    /// Polarity.
    pub negation: u32,
    /// Value, unit or tolerance.
    pub quantity: u32,
    /// Comparator, or a word that limits.
    pub bound: u32,
    /// Conditions.
    pub condition: u32,
    /// Subject.
    pub subject: u32,
    /// References.
    pub references: u32,
    /// Definitions of terms that both use.
    pub terms: u32,
    /// What both refer to.
    pub depends_on: u32,
    /// Their sections do not correspond.
    pub moved: u32,
}

/// What became of one provision: a pair, a part of a possible split or merger, or a provision without
/// counterpart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ProvisionChange<'a> {
    /// How the two belong together, or on which side the one is.
    pub relation: ComparisonRelation,
    /// On the side of the older edition. Absent where the provision is new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub older: Option<ComparedProvision<'a>>,
    /// On the side of the newer edition. Absent where the provision was removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub newer: Option<ComparedProvision<'a>>,
    /// Kinds of change. Only of pairs; absent where nothing changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<Facet>,
    /// How likely it is that they belong together; absent of a provision without counterpart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub likelihood: Option<Likelihood>,
    /// Whether the source states it or Norma found it. `authored` where the publisher's table of
    /// correspondence states it; otherwise absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// Similarity of the texts: 1 where they are equal. Absent where they are the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, maximum = 1)]
    pub similarity: Option<f32>,
    /// What changed, with the values on both sides. Only of pairs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facets: Option<Facets<'a>>,
    /// The words that differ; only of pairs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
    /// The nearest provisions of the other edition, best first. Only of a provision without counterpart.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<ComparisonCandidate<'a>>,
}

/// A provision of one of the editions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ComparedProvision<'a> {
    /// Its id.
    pub id: Cow<'a, str>,
    /// Label, for people. It is itself a selection: `4.2.1(2)`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<Cow<'a, str>>,
    /// Its type.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<ProvisionType>,
    /// The sentence that the item completes. Only with `include=text`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lead_in: Option<Cow<'a, str>>,
    /// Plain text. The sentence or item, only with `include=text`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<Cow<'a, str>>,
}

/// A value in the older and in the newer edition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Change<T> {
    /// On the side of the older edition.
    pub older: T,
    /// On the side of the newer edition.
    pub newer: T,
}

/// A value of which one side is absent where it was added or dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PartialChange<T> {
    /// On the side of the older edition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub older: Option<T>,
    /// On the side of the newer edition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub newer: Option<T>,
}

/// What changed in a pair, by kind; what is absent did not change. Positions are those of the text or lead-in
/// of the provision on that side.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Facets<'a> {
    /// Types.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strength: Option<Change<Strength<'a>>>,
    /// Polarities.
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
    /// Conditions that were added, dropped or reworded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub condition: Vec<PartialChange<Passage<'a>>>,
    /// What the verbal form speaks of.
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
    /// What both refer to and that changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub depends_on: Vec<Dependency<'a>>,
    /// Sections that do not correspond.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved: Option<Change<SectionRef<'a>>>,
}

/// A clause, table, figure, formula or term of one of the editions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ComparedPart<'a> {
    /// Its id. Of a formula that of its section.
    pub id: Cow<'a, str>,
    /// Label, for people. Of a clause its number, `4.2.1`; of a term its preferred designation; else as
    /// printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<Cow<'a, str>>,
}

/// Type of a provision, with its verbal form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Strength<'a> {
    /// Its type.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<ProvisionType>,
    /// The verbal form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verbal_form_passage: Option<Passage<'a>>,
}

/// Whether a provision says that something is to be so, or not to be so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Polarity<'a> {
    /// Whether the verbal form is a negative one.
    pub negated: bool,
    /// The verbal form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verbal_form_passage: Option<Passage<'a>>,
}

/// A limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Bound<'a> {
    /// How what is measured compares with the value. Absent of a word without value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparator: Option<Comparator>,
    /// The value with its unit, or the word.
    #[serde(flatten)]
    pub passage: Passage<'a>,
}

/// A reference that changed; one side is absent where it was added or dropped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReferenceChange<'a> {
    /// What about it changed.
    #[serde(rename = "type")]
    pub kind: ReferenceChangeType,
    /// On the side of the older edition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub older: Option<Passage<'a>>,
    /// On the side of the newer edition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub newer: Option<Passage<'a>>,
    /// Present and true where the newer one names another document without its edition or date.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub undated: bool,
}

/// Something that both provisions refer to, and that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Dependency<'a> {
    /// What it is.
    #[serde(rename = "type")]
    pub kind: DependencyType,
    /// On the side of the older edition.
    pub older: ComparedPart<'a>,
    /// On the side of the newer edition.
    pub newer: ComparedPart<'a>,
    /// How many there are of each kind. Provisions of a clause; cells, rows and columns of a table.
    pub counts: DependencyCounts,
}

/// How much of what provisions depend on changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DependencyCounts {
    /// Cells of a table, or provisions of a clause, that changed; 1 of anything else.
    pub changed: u32,
    /// Rows and columns, or provisions, that are new.
    pub new: u32,
    /// Rows and columns, or provisions, that were removed.
    pub removed: u32,
}

/// What became of a section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SectionChange<'a> {
    /// What became of it.
    #[serde(rename = "type")]
    pub kind: PartChangeType,
    /// On the side of the older edition. Absent where the section is new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub older: Option<SectionRef<'a>>,
    /// On the side of the newer edition. Absent where the section was removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub newer: Option<SectionRef<'a>>,
    /// How many there are of each kind. The provisions in it and in its subsections.
    pub counts: ProvisionCounts,
}

/// The provisions of a section by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProvisionCounts {
    /// The same words, and no facet but `moved`.
    pub same: u32,
    /// Other words, or a facet.
    pub changed: u32,
    /// Without counterpart in the older edition.
    pub new: u32,
    /// Without counterpart in the newer section.
    pub removed: u32,
}

/// What became of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TableChange<'a> {
    /// What became of it.
    #[serde(rename = "type")]
    pub kind: PartChangeType,
    /// On the side of the older edition. Absent where the table is new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub older: Option<ComparedPart<'a>>,
    /// On the side of the newer edition. Absent where the table was removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub newer: Option<ComparedPart<'a>>,
    /// Captions, where they differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caption_change: Option<Change<ComparedText<'a>>>,
    /// Present and true where its annotations or footnotes differ.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub annotations_changed: bool,
    /// How many cells changed.
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
    /// Head of its row.
    pub row_head: Cow<'a, str>,
    /// Head of its column.
    pub column_head: Cow<'a, str>,
    /// On the side of the older edition.
    pub older: ComparedText<'a>,
    /// On the side of the newer edition.
    pub newer: ComparedText<'a>,
    /// Kinds of change. `quantity` and `bound` as of provisions; empty where other words changed.
    pub changed: Vec<Facet>,
}

/// The caption or a cell of a table of one of the editions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ComparedText<'a> {
    /// Plain text. Empty where caption or cell is.
    pub text: Cow<'a, str>,
}

/// A row or column that came, went or moved, or a column with another head.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RowOrColumnChange<'a> {
    /// What became of it.
    #[serde(rename = "type")]
    pub kind: PartChangeType,
    /// On the side of the older edition. Its head.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub older: Option<Cow<'a, str>>,
    /// On the side of the newer edition. Its head.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub newer: Option<Cow<'a, str>>,
}

/// Words that differ, in order. Offsets are Unicode scalar values in `leadIn` and `text` of the provision.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    /// In the lead-ins; an absent one counts as empty.
    pub lead_in_edits: Vec<Edit>,
    /// In the texts.
    pub text_edits: Vec<Edit>,
}

/// These words of the older text became those of the newer one; one of the two may be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Edit {
    /// On the side of the older edition. The words.
    pub older: Slice,
    /// On the side of the newer edition. The words.
    pub newer: Slice,
}

/// A provision that is near one without counterpart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ComparisonCandidate<'a> {
    /// Its id.
    pub id: Cow<'a, str>,
    /// Label, for people. It is itself a selection: `4.2.1(2)`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<Cow<'a, str>>,
    /// Similarity of the texts: 1 where they are equal.
    #[schema(minimum = 0, maximum = 1)]
    pub similarity: f32,
}
