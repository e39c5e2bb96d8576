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

/// The section that units are in: its name and its place. A [`norma_model::Section`] has more, which a file
/// of units does not state: its type, its text, whether it is normative.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComparisonSection {
    /// Id in the edition. It names the section in a record and has no influence on the comparison.
    pub id: Box<str>,
    /// Number: `4.2.1`, `A`.
    pub number: Option<Box<str>>,
    /// Title as plain text.
    pub title: Option<Box<str>>,
    /// Index of the section around it.
    pub parent: Option<usize>,
    /// Language of its text, where that is known.
    pub language: Option<Lang>,
    /// Number of adoptions around its text: 0 for the innermost document, which all others adopt.
    pub layer: u8,
}

/// A table, figure or formula.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NumberedPart {
    /// Which of them.
    pub kind: NumberedPartKind,
    /// Id in the edition; for a formula that of its section. It has no influence on the comparison.
    pub id: Box<str>,
    /// Label as written, `Table 2`, or its number.
    pub label: Option<Box<str>>,
    /// Title.
    pub caption: Option<Box<str>>,
    /// Index of its section.
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
    /// A table.
    Table,
    /// A figure.
    Figure,
    /// A formula.
    Formula,
}

/// One unit of comparison: a provision, or any sentence with an id.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ComparisonUnit {
    /// Unique in the edition. It names the unit in the result and has no influence on it.
    pub id: Box<str>,
    /// For people: `4.2.1(2)`.
    pub label: Option<Box<str>>,
    /// The sentence or item.
    pub text: Box<str>,
    /// The sentence that the item completes.
    pub lead_in: Option<Box<str>>,
    /// Index of its section.
    pub section: usize,
    /// Its type, where that is known.
    pub kind: Option<ProvisionKind>,
    /// Whether its verbal form is a negative one.
    pub negated: bool,
    /// The passage of its verbal form, if known.
    pub verbal_form: Option<Passage>,
    /// Its values, limits, ranges and counts: those of the lead-in, then those of the text, each in order.
    pub quantities: Vec<Quantity>,
    /// Its conditions, in the same order.
    pub conditions: Vec<Passage>,
    /// The subject of the verbal form, if it is one plain phrase.
    pub subject: Option<Passage>,
    /// Its references in the text, in order.
    pub references: Vec<UnitReference>,
    /// Indices of the terms that it uses.
    pub terms: Vec<usize>,
}

/// A reference in the text of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitReference {
    /// As it reads in the text.
    pub text: Box<str>,
    /// Its target, if known.
    pub target: Option<UnitTarget>,
}

/// The target of a reference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum UnitTarget {
    /// A section of the same edition, by index.
    Section(usize),
    /// A table, figure or formula of the same edition, by index.
    Part(usize),
    /// Another document.
    Document {
        /// Its name without edition: `urn:iso:std:iso:9001`.
        document: Box<str>,
        /// Its edition or date, where the reference states one.
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
        /// The item with the index.
        holder: String,
        /// The list that it indexes.
        what: &'static str,
        /// The index.
        index: usize,
        /// One more than the largest valid index.
        limit: usize,
    },
}

impl Units {
    /// Makes units if their ids are unique, indices are in range and parents come before children.
    ///
    /// # Errors
    /// Names the id or index.
    pub fn new(parts: UnitsParts) -> Result<Self, InvalidUnits> {
        let UnitsParts { documents: _, languages: _, sections, parts: list, terms, units } = &parts;
        let check = |holder: &dyn Fn() -> String, what, index: usize, limit| match index < limit {
            true => Ok(()),
            false => Err(InvalidUnits::BadIndex { holder: holder(), what, index, limit }),
        };
        for (index, section) in sections.iter().enumerate() {
            if let Some(parent) = section.parent {
                check(&|| format!("section {index}"), "parent", parent, index)?;
            }
        }
        for (index, part) in list.iter().enumerate() {
            if let Some(section) = part.section {
                check(&|| format!("part {index}"), "section", section, sections.len())?;
            }
        }
        let mut ids = HashSet::with_capacity(units.len());
        for unit in units {
            if !ids.insert(&*unit.id) {
                return Err(InvalidUnits::RepeatedId(unit.id.clone()));
            }
            let holder = || format!("unit `{}`", unit.id);
            check(&holder, "section", unit.section, sections.len())?;
            for &term in &unit.terms {
                check(&holder, "term", term, terms.len())?;
            }
            for reference in &unit.references {
                match reference.target {
                    Some(UnitTarget::Section(index)) => check(&holder, "section", index, sections.len())?,
                    Some(UnitTarget::Part(index)) => check(&holder, "part", index, list.len())?,
                    Some(UnitTarget::Document { .. }) | None => {}
                }
            }
        }
        Ok(Self(parts))
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
