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
    /// The relation of the two units.
    pub relation: UnitRelation,
    /// The confidence in the link and its relation.
    pub confidence: Confidence,
    /// The matcher or a publisher's table.
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
    /// Other words for the same provision.
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
    /// The value in the older edition.
    pub older: T,
    /// The value in the newer edition.
    pub newer: T,
}

/// A kind of change in a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Facet {
    /// Another type: a recommendation became a requirement.
    Strength,
    /// A section that is normative in one edition alone.
    Normative,
    /// Another polarity: a provision became its negation.
    Negation,
    /// Another value, unit or tolerance.
    Quantity,
    /// Another comparator of a value, or another word that limits.
    Bound,
    /// Other conditions, or other sentences behind the unit that limit it.
    Condition,
    /// Another subject of the verbal form, or another agent of a passive sentence.
    Subject,
    /// Another target of a reference.
    References,
    /// Another definition of a term that both use.
    Terms,
    /// A change of something that both refer to or that belongs to both.
    DependsOn,
    /// Another section, which does not correspond.
    Moved,
}

impl Facet {
    /// The name in answers of the API and in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Strength => "strength",
            Self::Normative => "normative",
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
    /// The sections, where they do not correspond.
    pub moved: Option<Change<N>>,
    /// The types, where they differ.
    pub strength: Option<Box<Change<Strength>>>,
    /// The status of the sections, where one is normative and the other is not.
    pub normative: Option<Change<bool>>,
    /// The polarities, where they differ.
    pub negation: Option<Box<Change<Polarity>>>,
    /// Quantities with another value, unit or tolerance; `None` for one that was added or dropped.
    pub quantities: Vec<Change<Option<Amount>>>,
    /// Limits whose comparator differs.
    pub bounds: Vec<Change<Bound>>,
    /// Conditions, then sentences after the units that limit them; `None` where one was added or dropped.
    /// Such a sentence has the empty passage at the end of the text.
    pub conditions: Vec<Change<Option<PassageWords>>>,
    /// The subjects or agents, where they name different things.
    pub subject: Option<Box<Change<PassageWords>>>,
    /// References with another target, and those of the kind `Undated`.
    pub references: Vec<ReferenceChange>,
    /// Terms that both units use, with another definition.
    pub terms: Vec<Change<N>>,
    /// Things that both units refer to or that belong to both, with what changed in them.
    pub depends_on: Vec<Dependency<N>>,
}

impl<N> Facets<N> {
    /// The kinds of change that are present, in the order of [`Facet`].
    pub fn kinds(&self) -> Vec<Facet> {
        let has_references = self.references.iter().any(ReferenceChange::is_change);
        let present = [
            (Facet::Strength, self.strength.is_some()),
            (Facet::Normative, self.normative.is_some()),
            (Facet::Negation, self.negation.is_some()),
            (Facet::Quantity, !self.quantities.is_empty()),
            (Facet::Bound, !self.bounds.is_empty()),
            (Facet::Condition, !self.conditions.is_empty()),
            (Facet::Subject, self.subject.is_some()),
            (Facet::References, has_references),
            (Facet::Terms, !self.terms.is_empty()),
            (Facet::DependsOn, !self.depends_on.is_empty()),
            (Facet::Moved, self.moved.is_some()),
        ];
        let mut kinds = Vec::new();
        for (facet, is_present) in present {
            if is_present {
                kinds.push(facet);
            }
        }
        kinds
    }
}

/// Type of a provision, with its verbal form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Strength {
    /// The type, where it is known.
    pub kind: Option<ProvisionKind>,
    /// The verbal form, if known.
    pub form: Option<PassageWords>,
}

/// The polarity of a provision, which says that something is so or that it is not so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Polarity {
    /// Set where the provision is negative; where both have the same form, for the one with more negating
    /// words.
    pub negated: bool,
    /// The verbal form, if known.
    pub form: Option<PassageWords>,
}

/// A quantity with its words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Amount {
    /// The quantity as the reader of provisions gives it.
    pub quantity: Quantity,
    /// The words as they read in the edition.
    pub text: Box<str>,
}

/// A limit: a quantity with a comparator, or a word such as `before` or `only`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bound {
    /// The comparator of the value; `None` for a word without value: `before`.
    pub comparator: Option<Comparator>,
    /// The value with its unit, or the word.
    pub words: PassageWords,
}

/// A reference that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReferenceChange {
    /// The kind of change.
    pub kind: ReferenceChangeKind,
    /// The words in the older edition; `None` where the reference was added.
    pub older: Option<PassageWords>,
    /// The words in the newer edition; `None` where the reference was dropped.
    pub newer: Option<PassageWords>,
    /// Set where the newer reference names another document without edition or date.
    pub undated: bool,
}

impl ReferenceChange {
    /// An undated reference is listed although nothing in it changed.
    fn is_change(&self) -> bool {
        self.kind != ReferenceChangeKind::Undated
    }
}

/// The change of a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ReferenceChangeKind {
    /// Another edition of the same document.
    Edition,
    /// Another place in the same document, or in this one.
    Clause,
    /// Another document than before.
    Document,
    /// A reference that the older edition does not have.
    Added,
    /// A reference that the newer edition does not have.
    Removed,
    /// No change: the reference names another document without edition, and a newer edition of that may
    /// apply.
    Undated,
}

/// Something that both units refer to or that belongs to both, and that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dependency<N = usize> {
    /// The kind of target, which says what its index is of.
    pub kind: DependencyKind,
    /// The target in both editions.
    pub target: Change<N>,
    /// Cells of a table, provisions of a clause, footnotes or sentences that changed. For a clause also 1 if
    /// its other text changed, and 1 if its normative status did.
    pub changed: u32,
    /// Rows and columns, provisions, footnotes or sentences that are new.
    pub new: u32,
    /// Rows and columns, provisions, footnotes or sentences that were removed.
    pub removed: u32,
    /// Set if the target itself did not change and refers to something beyond the last step that is followed,
    /// where something changed. The other members are then 0.
    pub unknown: bool,
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
    /// Footnotes of the unit: an index is that of the unit.
    Footnote,
    /// Sentences that a word joins with the unit, or that introduce its list, and the list or table that it
    /// runs into: an index is that of the unit.
    Sentence,
}

/// The change of a section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionChange<S = usize> {
    /// What became of the section.
    pub relation: PartRelation,
    /// The section of the older edition; `None` for a new one.
    pub older: Option<S>,
    /// The section of the newer edition; `None` for a removed one.
    pub newer: Option<S>,
    /// Numbers of provisions in it and in its subsections: with the same words, with others, new, removed.
    pub provisions: [u32; 4],
}

/// The relation of a section or table to its counterpart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum PartRelation {
    /// Nothing in it changed.
    Same,
    /// Something in it changed.
    Changed,
    /// It is in another section; something in a moved section may have changed too.
    Moved,
    /// It has no counterpart in the older edition.
    New,
    /// It has no counterpart in the newer edition.
    Removed,
}

/// The change of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableChange<N = usize> {
    /// What became of the table.
    pub relation: PartRelation,
    /// The table of the older edition; `None` for a new one.
    pub older: Option<N>,
    /// The table of the newer edition; `None` for a removed one.
    pub newer: Option<N>,
    /// The captions, where they differ.
    pub caption: Option<Change<Box<str>>>,
    /// Set where notes or footnotes of the table differ.
    pub notes_changed: bool,
    /// Number of cells that changed.
    pub changed_cells: u32,
    /// The first changed cells, at most 100.
    pub cells: Vec<CellChange>,
    /// Rows that were added, removed or moved, by their head cells.
    pub rows: Vec<LineChange>,
    /// Columns that were added, removed or moved, or have another head.
    pub columns: Vec<LineChange>,
}

/// A cell that changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CellChange {
    /// Head of its row in the newer edition.
    pub row: Box<str>,
    /// Head of its column in the newer edition.
    pub column: Box<str>,
    /// The texts in both editions, empty where there is no cell.
    pub text: Change<Box<str>>,
    /// The values, where both are quantities.
    pub quantity: Option<Change<Quantity>>,
    /// Set where both are quantities, and value, unit or tolerance differs.
    pub value_changed: bool,
    /// Set where both are quantities, and the comparator differs.
    pub bound_changed: bool,
}

/// A row or column that was added, removed or moved, or a column with another head.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineChange {
    /// What became of the row or column; `Changed` for a column with another head.
    pub relation: PartRelation,
    /// The head in the older edition; `None` for a new row or column.
    pub older: Option<Box<str>>,
    /// The head in the newer edition; `None` for a removed row or column.
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
