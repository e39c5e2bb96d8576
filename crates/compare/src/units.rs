//! Units: the input of a comparison. A flat list, so that an edition's provisions and the units of a file are
//! compared by the same code.

use std::sync::Arc;

use foldhash::{HashSet, HashSetExt};
use norma_model::table::Grid;
use norma_model::{Lang, Passage, ProvisionKind, Quantity, Term};
use serde::{Deserialize, Serialize};

/// The units of one edition, with the sections, parts and terms that they name by index. The indices are
/// valid; see [`Units::new`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Units(UnitsParts);

/// The fields of [`Units`], before their indices are checked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UnitsParts {
    /// URNs without stage, edition and language: of the document, then of those that it adopts. Empty where
    /// that is not known.
    pub documents: Vec<Box<str>>,
    /// Languages of the sections, the most used first. Empty where they are not known.
    pub languages: Vec<Lang>,
    /// In document order, parents before children.
    pub sections: Vec<ComparisonSection>,
    /// Tables, figures and formulae that references may name: each kind in document order.
    pub parts: Vec<NumberedPart>,
    /// Terms that units may use, without subject fields. Two terms with a designation in common are one
    /// concept. The section of a term, and the graphics and provisions in a cell of a table, are indices into
    /// the whole edition, also in the units of one language.
    pub terms: Vec<Term>,
    /// In document order: the index of a unit is its ordinal.
    pub units: Vec<ComparisonUnit>,
}

/// The section that units are in: its name, its place, and what it says besides its units. A
/// [`norma_model::Section`] has more: its type and its text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComparisonSection {
    /// The id in the edition. It names the section in a record and has no influence on the comparison.
    pub id: Box<str>,
    /// The number as printed: `4.2.1`, `A`.
    pub number: Option<Box<str>>,
    /// The title as plain text.
    pub title: Option<Box<str>>,
    /// Index of the section around it.
    pub parent: Option<usize>,
    /// Language of its text, where that is known.
    pub language: Option<Lang>,
    /// Number of adoptions around its text: 0 for the innermost document, which all others adopt.
    pub layer: u8,
    /// True for normative text, false for informative; `None` where that is not known.
    pub normative: Option<bool>,
    /// Hash of its own text without units; `None` where that was not read.
    pub text_hash: Option<u64>,
    /// What that text refers to in this edition, in order.
    pub targets: Vec<UnitTarget>,
}

/// A table, figure or formula.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NumberedPart {
    /// What the part is; parts of two kinds never correspond.
    pub kind: NumberedPartKind,
    /// The id in the edition; for a formula that of its section. It has no influence on the comparison.
    pub id: Box<str>,
    /// The label as written, `Table 2`, or the number.
    pub label: Option<Box<str>>,
    /// The title as plain text.
    pub caption: Option<Box<str>>,
    /// Index of its section; `None` for a figure outside all sections.
    pub section: Option<usize>,
    /// SHA-256 of its content, where that is known.
    pub digest: Option<[u8; 32]>,
    /// The cells of a table, unless there are too many. Shared with the units of each of its languages. They
    /// are not serialised, since a pack has the tables in a part of their own.
    #[serde(skip)]
    pub grid: Option<Arc<Grid>>,
}

/// The kind of a [`NumberedPart`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum NumberedPartKind {
    /// A table with a label or caption, compared cell by cell.
    Table,
    /// A figure, compared by the digest of its file.
    Figure,
    /// A formula with a number, compared by the digest of its content.
    Formula,
}

/// One unit of comparison: a provision, or any sentence with an id.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ComparisonUnit {
    /// The id, unique in the edition. It names the unit in the result and has no influence on it.
    pub id: Box<str>,
    /// The label for people: `4.2.1(2)`.
    pub label: Option<Box<str>>,
    /// The sentence or item as plain text.
    pub text: Box<str>,
    /// The sentence that the item completes.
    pub lead_in: Option<Box<str>>,
    /// Index of its section.
    pub section: usize,
    /// The type, where that is known.
    pub kind: Option<ProvisionKind>,
    /// Set where the verbal form is a negative one: “shall not”.
    pub negated: bool,
    /// The passage of the verbal form, if known.
    pub verbal_form: Option<Passage>,
    /// Values, limits, ranges and counts: those of the lead-in, then those of the text, each in order.
    pub quantities: Vec<Quantity>,
    /// Passages of conditions, in the same order.
    pub conditions: Vec<Passage>,
    /// The subject of the verbal form, if it is one plain phrase.
    pub subject: Option<Passage>,
    /// The references in the text, in order.
    pub references: Vec<UnitReference>,
    /// Indices of the terms that it uses.
    pub terms: Vec<usize>,
    /// What is around it and belongs to what it says.
    pub context: UnitContext,
}

/// What is around a unit and belongs to what it says: see [`norma_model::ProvisionSurroundings`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitContext {
    /// Hashes of the words of its footnotes.
    pub footnotes: Vec<u64>,
    /// The sentences after it that limit it.
    pub limits: Vec<UnitLimit>,
    /// Hashes of the sentences that a word joins with it, or that introduce its list.
    pub neighbours: Vec<u64>,
    /// What its lead-in, its footnotes and the limiting sentences refer to in this edition.
    pub targets: Vec<UnitTarget>,
    /// Indices of the terms that its lead-in and the limiting sentences use.
    pub terms: Vec<usize>,
}

/// A sentence after a unit that limits it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitLimit {
    /// The sentence as it reads.
    pub text: Box<str>,
    /// Hash of the words, which is the same for sentences that say the same.
    pub hash: u64,
}

/// A reference in the text of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitReference {
    /// The words of the reference as they read in the text.
    pub text: Box<str>,
    /// The target; `None` where no part of the edition and no document is known by these words.
    pub target: Option<UnitTarget>,
}

/// The target of a reference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum UnitTarget {
    /// A section of the same edition, by index.
    Section(usize),
    /// A table, figure or formula of the same edition, by index.
    Part(usize),
    /// Another document, or a part of one.
    Document {
        /// The URN without edition: `urn:iso:std:iso:9001`.
        document: Box<str>,
        /// The edition or date, where the reference states one.
        edition: Option<Box<str>>,
        /// The part of the document that is meant, as written: `6.2`.
        clause: Option<Box<str>>,
    },
}

/// The reason why a list of units was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidUnits {
    /// Two units have one id.
    #[error("two units have the id `{0}`; expected ids that are unique in the edition")]
    RepeatedId(Box<str>),
    /// An index is out of range, or a parent does not come before its child.
    #[error("{holder} names {what} {index}, which is not in the list; expected an index below {limit}")]
    BadIndex {
        /// The item that has the index: `section 3`.
        holder: String,
        /// What the index names: `parent`, `term`.
        what: &'static str,
        /// The index that was found.
        index: usize,
        /// One more than the largest valid index.
        limit: usize,
    },
}

impl Units {
    /// Makes units if their ids are unique, indices are in range and parents come before children.
    ///
    /// # Errors
    /// The first id that is there twice, or index that is out of range.
    pub fn new(parts: UnitsParts) -> Result<Self, InvalidUnits> {
        for (index, section) in parts.sections.iter().enumerate() {
            let holder = IndexHolder::Section(index);
            if let Some(parent) = section.parent {
                // Parents come before children.
                holder.check("parent", parent, index)?;
            }
            for target in &section.targets {
                holder.check_target(target, &parts)?;
            }
        }
        for (index, part) in parts.parts.iter().enumerate() {
            if let Some(section) = part.section {
                IndexHolder::Part(index).check("section", section, parts.sections.len())?;
            }
        }
        let mut ids = HashSet::with_capacity(parts.units.len());
        for unit in &parts.units {
            if !ids.insert(&*unit.id) {
                return Err(InvalidUnits::RepeatedId(unit.id.clone()));
            }
            let holder = IndexHolder::Unit(unit);
            holder.check("section", unit.section, parts.sections.len())?;
            for &term in unit.terms.iter().chain(&unit.context.terms) {
                holder.check("term", term, parts.terms.len())?;
            }
            for reference in &unit.references {
                if let Some(target) = &reference.target {
                    holder.check_target(target, &parts)?;
                }
            }
            for target in &unit.context.targets {
                holder.check_target(target, &parts)?;
            }
        }
        Ok(Self(parts))
    }
}

/// The item that has an index, as messages name it.
enum IndexHolder<'a> {
    Section(usize),
    Part(usize),
    Unit(&'a ComparisonUnit),
}

impl IndexHolder<'_> {
    /// An index is valid below `limit`.
    fn check(&self, what: &'static str, index: usize, limit: usize) -> Result<(), InvalidUnits> {
        if index < limit {
            return Ok(());
        }
        let holder = match self {
            Self::Section(index) => format!("section {index}"),
            Self::Part(index) => format!("part {index}"),
            Self::Unit(unit) => format!("unit `{}`", unit.id),
        };
        Err(InvalidUnits::BadIndex { holder, what, index, limit })
    }

    fn check_target(&self, target: &UnitTarget, parts: &UnitsParts) -> Result<(), InvalidUnits> {
        match *target {
            UnitTarget::Section(index) => self.check("section", index, parts.sections.len()),
            UnitTarget::Part(index) => self.check("part", index, parts.parts.len()),
            UnitTarget::Document { .. } => Ok(()),
        }
    }
}

impl From<Units> for UnitsParts {
    fn from(units: Units) -> Self {
        units.0
    }
}

impl std::ops::Deref for Units {
    type Target = UnitsParts;

    fn deref(&self) -> &UnitsParts {
        &self.0
    }
}
