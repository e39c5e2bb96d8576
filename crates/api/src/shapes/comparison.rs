//! Comparison of two editions: what became of each provision, and what changed in it.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    AccessLevel, ComparisonRelation, Confidence, Facet, Origin, ProvisionType, ReferenceChangeType, Slice,
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

/// A page of the comparison of two editions: the older one against the newer one, whichever of them the path names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ComparisonView<'a> {
    /// The older edition.
    pub older: ComparedEdition<'a>,
    /// The newer edition.
    pub newer: ComparedEdition<'a>,
    /// The language that was compared (BCP 47).
    pub language: Cow<'a, str>,
    /// Version of the matcher: a higher one can give another result for the same editions.
    pub matcher: u32,
    /// How many there are of each kind in the whole comparison, whatever the filters and the page leave.
    pub counts: ComparisonCounts,
    /// Links and new provisions in the order of the newer edition, then what was removed in the order of the older one.
    pub items: Vec<ComparedProvision<'a>>,
    /// Cursor of the next page; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<Cow<'a, str>>,
}

/// The counts of a comparison, for a caller who may read one of the two editions and only discover the other: no provision of either.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ComparisonSummary<'a> {
    /// The older edition.
    pub older: ComparedEdition<'a>,
    /// The newer edition.
    pub newer: ComparedEdition<'a>,
    /// The language that was compared (BCP 47).
    pub language: Cow<'a, str>,
    /// Version of the matcher: a higher one can give another result for the same editions.
    pub matcher: u32,
    /// How many there are of each kind in the whole comparison.
    pub counts: ComparisonCounts,
}

/// One of two editions that are compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ComparedEdition<'a> {
    /// URN of the edition.
    pub urn: Cow<'a, str>,
    /// Changes when the source or the way it is derived changes.
    pub revision: Cow<'a, str>,
    /// Designation with its date: `ISO 17301-1:2016`.
    pub reference: Cow<'a, str>,
    /// Title in the main language.
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
}

/// How many pairs have which kind of change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FacetCounts {
    /// Their sections do not correspond.
    pub moved: u32,
    /// Type or polarity.
    pub strength: u32,
    /// The number of negating words.
    pub negation: u32,
    /// Numbers with their units.
    pub quantities: u32,
    /// References.
    pub references: u32,
    /// Definitions of terms that both use.
    pub terms: u32,
}

/// What became of one provision: a pair, a part of a possible split or merger, or a provision without counterpart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ComparedProvision<'a> {
    /// How the two belong together, or on which side the one is.
    pub relation: ComparisonRelation,
    /// The older provision; absent where the provision is new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub older: Option<ComparedUnit<'a>>,
    /// The newer provision; absent where the provision was removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub newer: Option<ComparedUnit<'a>>,
    /// Kinds of change in the pair.
    pub changed: Vec<Facet>,
    /// How sure it is that they belong together; absent of a provision without counterpart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Confidence>,
    /// `derived`: the matcher found it; `authored`: the publisher's table of correspondence states it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// Similarity of the texts: 1 where they are equal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, maximum = 1)]
    pub similarity: Option<f32>,
    /// What changed, with the values on both sides; only of pairs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facets: Option<Facets<'a>>,
    /// The words that differ; only of pairs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
    /// Of a provision without counterpart the nearest provisions of the other edition, best first; otherwise empty.
    pub candidates: Vec<ComparisonCandidate<'a>>,
}

/// A provision of one of the editions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ComparedUnit<'a> {
    /// Its id.
    pub id: Cow<'a, str>,
    /// For people, and itself a selection: `4.2.1(2)`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<Cow<'a, str>>,
    /// Its type.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<ProvisionType>,
    /// The sentence that the item completes; only with `include=text`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lead_in: Option<Cow<'a, str>>,
    /// The sentence or item; only with `include=text`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<Cow<'a, str>>,
}

/// A value in the older and in the newer edition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Change<T> {
    /// In the older edition.
    pub from: T,
    /// In the newer edition.
    pub to: T,
}

/// What changed in a pair, by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Facets<'a> {
    /// Sections that do not correspond.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved: Option<Change<ComparedSection<'a>>>,
    /// Type and polarity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strength: Option<Change<Strength>>,
    /// Number of negating words in lead-in and text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub negation: Option<Change<u32>>,
    /// Numbers with their units.
    pub quantities: Vec<QuantityChange<'a>>,
    /// References.
    pub references: Vec<ReferenceChange<'a>>,
    /// Designations of terms that both use and whose definition changed.
    pub terms: Vec<TermChange<'a>>,
}

/// A section of one of the editions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ComparedSection<'a> {
    /// Its id.
    pub id: Cow<'a, str>,
    /// Its number: `4.2.1`, `A`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<Cow<'a, str>>,
}

/// Type of a provision, and whether its verbal form is a negative one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Strength {
    /// Its type.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<ProvisionType>,
    /// Whether the verbal form is a negative one.
    pub negated: bool,
}

/// A number with its unit that changed; one side is absent where it was added or dropped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct QuantityChange<'a> {
    /// In the older edition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<ComparedQuantity<'a>>,
    /// In the newer edition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<ComparedQuantity<'a>>,
}

/// A number with its unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ComparedQuantity<'a> {
    /// In digits, with a decimal point.
    pub value: Cow<'a, str>,
    /// Unit as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<Cow<'a, str>>,
}

/// A reference that changed, as it reads; one side is absent where it was added or dropped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReferenceChange<'a> {
    /// In the older edition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<Cow<'a, str>>,
    /// In the newer edition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<Cow<'a, str>>,
    /// What about it changed.
    pub kind: ReferenceChangeType,
}

/// A term that both provisions use and that was redefined, by its preferred designation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TermChange<'a> {
    /// In the older edition.
    pub from: Cow<'a, str>,
    /// In the newer edition.
    pub to: Cow<'a, str>,
}

/// Words that differ, in order. Offsets are Unicode scalar values in `leadIn` and `text` of the provision.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    /// In the lead-ins; an absent one counts as empty.
    pub lead_in: Vec<Edit>,
    /// In the texts.
    pub text: Vec<Edit>,
}

/// These words of the older text became those of the newer one; one of the two may be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Edit {
    /// Part of the older text.
    pub older: Slice,
    /// Part of the newer text.
    pub newer: Slice,
}

/// A provision that is near one without counterpart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ComparisonCandidate<'a> {
    /// Its id.
    pub id: Cow<'a, str>,
    /// For people, and itself a selection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<Cow<'a, str>>,
    /// Similarity of the texts: 1 where they are equal.
    #[schema(minimum = 0, maximum = 1)]
    pub similarity: f32,
}
