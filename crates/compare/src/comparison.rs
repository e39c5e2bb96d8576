//! The result of a comparison.

use norma_model::{Comparator, ProvisionKind, Quantity};
use serde::{Deserialize, Serialize};

use crate::AuthoredRelation;
use crate::difference::Edit;
use crate::passages::PassageWords;
use crate::units::NumberedPartKind;

/// The result of comparing the units of an older edition with those of a newer one. Units, sections and terms
/// are named by index in their edition.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// Corresponding sections, older and newer, one to one and in order of the older edition. First
    /// subsections "General" correspond where their parents do.
    pub sections: Vec<(usize, usize)>,
    /// In order of the older edition, then of the newer. Each unit is in at most one link whose relation is
    /// `Same` or `Reworded`.
    pub links: Vec<Link>,
    /// Units of the older edition for which no counterpart was found.
    pub older_unmatched: Vec<Unmatched>,
    /// Units of the newer edition for which no counterpart was found.
    pub newer_unmatched: Vec<Unmatched>,
    /// The change of each section, in the order of the newer edition, then the removed ones.
    pub outline: Vec<SectionChange>,
    /// The change of each table with cells, a counterpart or both, in the same order.
    pub tables: Vec<TableChange>,
}

/// A unit of the older edition and one of the newer. `N` is what names a section, a term or another part of
/// the edition: its index, or in a [`crate::ComparisonRecord`] its [`crate::PartName`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Link<N = usize> {
    /// Index of the older unit.
    pub older: usize,
    /// Index of the newer unit.
    pub newer: usize,
    /// The relation of the two.
    pub relation: UnitRelation,
    /// The confidence in it.
    pub confidence: Confidence,
    /// The origin of the link.
    pub origin: LinkOrigin,
    /// Similarity of the texts: 0 to 1, and 1 where they are equal.
    pub similarity: f32,
    /// The changes, by kind. Empty for `Split` and `Merged`.
    pub facets: Facets<N>,
    /// Words of the lead-in that differ; an absent lead-in counts as an empty one. Empty for `Split` and
    /// `Merged`.
    pub lead_in: Vec<Edit>,
    /// Words of the text that differ. Empty for `Split` and `Merged`.
    pub text: Vec<Edit>,
}

/// The relation of an older and a newer unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UnitRelation {
    /// The same words; numbers of references within the edition may differ.
    Same,
    /// Other words.
    Reworded,
    /// Possibly a part of the older unit became the newer one.
    Split,
    /// Possibly the older unit became a part of the newer one.
    Merged,
}

/// The confidence in a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// Most similar of the found units, with others nearly as similar.
    Likely,
    /// Clearly more similar than all others.
    High,
    /// Equal texts that nothing else explains.
    Certain,
}

/// The origin of a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LinkOrigin {
    /// The matcher found it.
    #[default]
    Derived,
    /// A publisher's own table of correspondence states it.
    Authored,
}

/// A row of a publisher's table of correspondence, for two units or one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Correspondence {
    /// Index of the older unit; `None` if the newer one is new.
    pub older: Option<usize>,
    /// Index of the newer unit; `None` if the older one was removed.
    pub newer: Option<usize>,
    /// The relation of the two. `Same` and `Reworded` say the same here: the texts tell which of the two it
    /// is.
    pub relation: AuthoredRelation,
}

/// A value that changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change<T> {
    /// In the older edition.
    pub older: T,
    /// In the newer edition.
    pub newer: T,
}

/// A kind of change in a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Facet {
    /// The type.
    Strength,
    /// The polarity.
    Negation,
    /// Value, unit or tolerance.
    Quantity,
    /// The comparator of a value, or a word that limits.
    Bound,
    /// Conditions.
    Condition,
    /// The subject of the verbal form.
    Subject,
    /// The target of a reference.
    References,
    /// Definitions of terms that both use.
    Terms,
    /// Something that both refer to has changed.
    DependsOn,
    /// The section.
    Moved,
}

impl Facet {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Strength => "strength",
            Self::Negation => "negation",
            Self::Quantity => "quantity",
            Self::Bound => "bound",
            Self::Condition => "condition",
            Self::Subject => "subject",
            Self::References => "references",
            Self::Terms => "terms",
            Self::DependsOn => "dependsOn",
            Self::Moved => "moved",
        }
    }
}

/// The changes in a pair, by kind. Whatever is empty did not change, but for references of the kind
/// `Undated`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Facets<N = usize> {
    /// Sections, where they do not correspond.
    pub moved: Option<Change<N>>,
    /// Types.
    pub strength: Option<Box<Change<Strength>>>,
    /// Polarities.
    pub negation: Option<Box<Change<Polarity>>>,
    /// Quantities with another value, unit or tolerance; `None` for one that was added or dropped.
    pub quantities: Vec<Change<Option<Amount>>>,
    /// Limits whose comparator differs.
    pub bounds: Vec<Change<Bound>>,
    /// Conditions; `None` where one was added or dropped.
    pub conditions: Vec<Change<Option<PassageWords>>>,
    /// Subjects.
    pub subject: Option<Box<Change<PassageWords>>>,
    /// References.
    pub references: Vec<ReferenceChange>,
    /// Terms that both units use, with another definition.
    pub terms: Vec<Change<N>>,
    /// Things that both units refer to, with what changed in them.
    pub depends_on: Vec<Dependency<N>>,
}

impl<N> Facets<N> {
    /// The kinds of change that are present, in the order of [`Facet`].
    pub fn kinds(&self) -> Vec<Facet> {
        let is_change = |change: &ReferenceChange| change.kind != ReferenceChangeKind::Undated;
        let kinds = [
            (Facet::Strength, self.strength.is_some()),
            (Facet::Negation, self.negation.is_some()),
            (Facet::Quantity, !self.quantities.is_empty()),
            (Facet::Bound, !self.bounds.is_empty()),
            (Facet::Condition, !self.conditions.is_empty()),
            (Facet::Subject, self.subject.is_some()),
            (Facet::References, self.references.iter().any(is_change)),
            (Facet::Terms, !self.terms.is_empty()),
            (Facet::DependsOn, !self.depends_on.is_empty()),
            (Facet::Moved, self.moved.is_some()),
        ];
        kinds.into_iter().filter(|(_, is_there)| *is_there).map(|(facet, _)| facet).collect()
    }
}

/// Type of a provision, with its verbal form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Strength {
    /// The type.
    pub kind: Option<ProvisionKind>,
    /// The verbal form, if known.
    pub form: Option<PassageWords>,
}

/// Whether a provision says that something is so or is not so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Polarity {
    /// Whether it is negative.
    pub negated: bool,
    /// The verbal form, if known.
    pub form: Option<PassageWords>,
}

/// A quantity with its words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Amount {
    /// The quantity.
    pub quantity: Quantity,
    /// As it reads.
    pub text: Box<str>,
}

/// A limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bound {
    /// Its comparator; `None` for a word without value: `before`.
    pub comparator: Option<Comparator>,
    /// The value with its unit, or the word.
    pub words: PassageWords,
}

/// A reference that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReferenceChange {
    /// The kind of change.
    pub kind: ReferenceChangeKind,
    /// In the older edition; `None` where it was added.
    pub older: Option<PassageWords>,
    /// In the newer edition; `None` where it was dropped.
    pub newer: Option<PassageWords>,
    /// Whether the newer one names another document without its edition or date.
    pub undated: bool,
}

/// The change of a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ReferenceChangeKind {
    /// Another edition of the same document.
    Edition,
    /// Another place in the same document, or in this one.
    Clause,
    /// Another document.
    Document,
    /// It was added.
    Added,
    /// It was dropped.
    Removed,
    /// No change: it names another document without its edition, which may have another one now.
    Undated,
}

/// Something that both units refer to, and that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dependency<N = usize> {
    /// The kind of target.
    pub kind: DependencyKind,
    /// It on both sides.
    pub target: Change<N>,
    /// Cells of a table, or provisions of a clause, that changed.
    pub changed: u32,
    /// Rows and columns, or provisions, that are new.
    pub new: u32,
    /// Rows and columns, or provisions, that were removed.
    pub removed: u32,
}

/// The kind of target of a [`Dependency`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum DependencyKind {
    /// A clause or annex: an index is that of a section.
    Clause,
    /// A table, figure or formula: an index is that of a part.
    Part(NumberedPartKind),
    /// A term: an index is that of a term.
    Term,
}

/// The change of a section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionChange<S = usize> {
    /// Its change.
    pub relation: PartRelation,
    /// The older section.
    pub older: Option<S>,
    /// The newer section.
    pub newer: Option<S>,
    /// Provisions in it and in its subsections: with the same words, with others, new, removed.
    pub provisions: [u32; 4],
}

/// The relation of a section or table to its counterpart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum PartRelation {
    /// Nothing in it changed.
    Same,
    /// Something in it changed.
    Changed,
    /// It is in another section.
    Moved,
    /// It has no counterpart in the older edition.
    New,
    /// It has no counterpart in the newer edition.
    Removed,
}

/// The change of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableChange<N = usize> {
    /// Its change.
    pub relation: PartRelation,
    /// The older table.
    pub older: Option<N>,
    /// The newer table.
    pub newer: Option<N>,
    /// Captions, where they differ.
    pub caption: Option<Change<Box<str>>>,
    /// Whether its notes or footnotes differ.
    pub notes_changed: bool,
    /// Number of cells that changed.
    pub changed_cells: u32,
    /// The first of them.
    pub cells: Vec<CellChange>,
    /// Rows that were added, removed or moved, by their head cells.
    pub rows: Vec<LineChange>,
    /// Columns that were added, removed or moved, or have another head.
    pub columns: Vec<LineChange>,
}

/// A cell that changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CellChange {
    /// Head of its row.
    pub row: Box<str>,
    /// Head of its column.
    pub column: Box<str>,
    /// The texts.
    pub text: Change<Box<str>>,
    /// The values, where both are quantities.
    pub quantity: Option<Change<Quantity>>,
    /// Whether value, unit or tolerance differs.
    pub value_changed: bool,
    /// Whether the comparator differs.
    pub bound_changed: bool,
}

/// A row or column that was added, removed or moved, or a column with another head.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineChange {
    /// Its change.
    pub relation: PartRelation,
    /// Its head in the older edition.
    pub older: Option<Box<str>>,
    /// Its head in the newer edition.
    pub newer: Option<Box<str>>,
}

/// A unit for which no counterpart was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unmatched {
    /// Index of the unit.
    pub unit: usize,
    /// The nearest units of the other edition by words, section and position, the most similar one first.
    pub candidates: Vec<Candidate>,
}

/// A unit that is similar to another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// Index of the unit.
    pub unit: usize,
    /// Similarity of the texts: 0 to 1.
    pub similarity: f32,
}
