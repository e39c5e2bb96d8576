//! The result of a comparison.

use norma_model::ProvisionKind;
use serde::{Deserialize, Serialize};

use crate::AuthoredRelation;
use crate::difference::Edit;
use crate::quantities::Quantity;

/// What became of the units of an older edition in a newer one. Units, sections and terms are named by index in their edition.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// Corresponding sections, older and newer, one to one and in order of the older edition. First subsections "General" correspond where
    /// their parents do.
    pub sections: Vec<(usize, usize)>,
    /// In order of the older edition, then of the newer. Each unit is in at most one link whose relation is `Same` or `Reworded`.
    pub links: Vec<Link>,
    /// Units of the older edition for which no counterpart was found.
    pub older_unmatched: Vec<Unmatched>,
    /// Units of the newer edition for which no counterpart was found.
    pub newer_unmatched: Vec<Unmatched>,
}

/// A unit of the older edition and one of the newer.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// Index of the older unit.
    pub older: usize,
    /// Index of the newer unit.
    pub newer: usize,
    /// How they belong together.
    pub relation: Relation,
    /// How sure that is.
    pub confidence: Confidence,
    /// Where it comes from.
    pub origin: Origin,
    /// Similarity of the texts: 0 to 1, and 1 where they are equal.
    pub similarity: f32,
    /// What changed, by kind. Empty for `Split` and `Merged`.
    pub facets: Facets,
    /// Words of the lead-in that differ; an absent lead-in counts as an empty one. Empty for `Split` and `Merged`.
    pub lead_in: Vec<Edit>,
    /// Words of the text that differ. Empty for `Split` and `Merged`.
    pub text: Vec<Edit>,
}

/// How an older and a newer unit belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Relation {
    /// The same words; numbers of references within the edition may differ.
    Same,
    /// Other words.
    Reworded,
    /// Possibly a part of the older unit became the newer one.
    Split,
    /// Possibly the older unit became a part of the newer one.
    Merged,
}

/// How sure a link is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// Nearest of what was found, with other readings.
    Likely,
    /// Clearly nearer than all others.
    High,
    /// Equal texts that nothing else explains.
    Certain,
}

/// Where a link comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// The matcher found it.
    #[default]
    Derived,
    /// A publisher's own table of correspondence states it.
    Authored,
}

/// A row of a publisher's table of correspondence, for two units or one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Correspondence {
    /// Index of the older unit; none where the newer one is new.
    pub older: Option<usize>,
    /// Index of the newer unit; none where the older one was removed.
    pub newer: Option<usize>,
    /// How they belong together. `Same` and `Reworded` say the same here: the texts tell which of the two it is.
    pub relation: AuthoredRelation,
}

/// A value that changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change<T> {
    /// In the older edition.
    pub from: T,
    /// In the newer edition.
    pub to: T,
}

/// What changed in a pair, by kind. Whatever is empty did not change.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facets {
    /// Sections, where they do not correspond.
    pub moved: Option<Change<usize>>,
    /// Type and polarity.
    pub strength: Option<Change<Strength>>,
    /// Number of negating words in lead-in and text.
    pub negation: Option<Change<usize>>,
    /// Numbers with their units, spans within lead-in or text; `None` where one was added or dropped.
    pub quantities: Vec<Change<Option<Quantity>>>,
    /// References.
    pub references: Vec<ReferenceChange>,
    /// Terms that both units use, by index, and whose definition changed.
    pub terms: Vec<Change<usize>>,
}

/// Type of a provision, and whether its verbal form is negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Strength {
    /// The type.
    pub kind: Option<ProvisionKind>,
    /// Whether the verbal form is negative: `shall not`.
    pub negated: bool,
}

/// A reference that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReferenceChange {
    /// As it reads in the older edition; `None` where it was added.
    pub from: Option<Box<str>>,
    /// As it reads in the newer edition; `None` where it was dropped.
    pub to: Option<Box<str>>,
    /// What about it changed.
    pub kind: ReferenceChangeKind,
}

/// What about a reference changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReferenceChangeKind {
    /// The label of what it points at.
    Renumbered,
    /// The edition of the document that it points at, or the part of it.
    Edition,
    /// What it points at, or how it is written.
    Other,
}

/// A unit for which no counterpart was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Unmatched {
    /// Index of the unit.
    pub unit: usize,
    /// The nearest units of the other edition, by words, section and position; the most similar one of them first.
    pub candidates: Vec<Candidate>,
}

/// A unit that is near another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// Index of the unit.
    pub unit: usize,
    /// Similarity of the texts: 0 to 1.
    pub similarity: f32,
}
