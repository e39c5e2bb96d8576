//! Units: the input of a comparison. A flat list, so that an edition's provisions and the units of a file are
//! compared by the same code.

use foldhash::{HashSet, HashSetExt};
use norma_model::{Lang, Passage, ProvisionKind, Quantity};
use serde::{Deserialize, Serialize};

/// The units of one edition, with the sections, parts and terms that they name by index. The indices are
/// valid; see [`Units::new`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(into = "UnitsParts", try_from = "UnitsParts")]
pub struct Units(UnitsParts);

/// The fields of [`Units`], before their indices are checked.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UnitsParts {
    /// URNs without stage, edition and language: of the document, then of those that it adopts. Empty where
    /// that is not known.
    pub documents: Vec<Box<str>>,
    /// Languages of the sections, the most used first. Empty where they are not known.
    pub languages: Vec<Lang>,
    /// In document order, parents before children.
    pub sections: Vec<Section>,
    /// Tables, figures and formulae that references may name: each kind in document order.
    pub parts: Vec<NumberedPart>,
    /// Terms that units may use.
    pub terms: Vec<Term>,
    /// In document order: the index of a unit is its ordinal.
    pub units: Vec<ComparisonUnit>,
    /// For each section, the number of adoptions around its text: 0 for the innermost document, which all
    /// others adopt. Empty where all are 0.
    pub layers: Vec<u8>,
}

/// A section of an edition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// Id in the edition. It names the section in a record and has no influence on the comparison.
    pub id: Box<str>,
    /// Label as written: `4.2.1`, `Annex A`.
    pub label: Option<Box<str>>,
    /// Title as plain text.
    pub title: Option<Box<str>>,
    /// Index of the section around it.
    pub parent: Option<usize>,
    /// Index of its language in [`UnitsParts::languages`]; 0 where that is empty.
    pub language: usize,
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
    /// The cells of a table, unless there are too many.
    pub grid: Option<Box<Grid>>,
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

/// The cells of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grid {
    /// The heads of each column as one text.
    pub columns: Vec<Box<str>>,
    /// The rows below the heads, with the cells that begin in each.
    pub rows: Vec<Vec<Cell>>,
    /// Texts around the cells: notes and footnotes.
    pub notes: Vec<Box<str>>,
}

/// A cell of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// As plain text.
    pub text: Box<str>,
    /// Its first column, from 0.
    pub column: u32,
    /// Columns that it fills beyond the first.
    pub more_columns: u32,
    /// Rows that it fills beyond the first.
    pub more_rows: u32,
    /// Whether the source marks it as a head.
    pub is_head: bool,
    /// Its value, if it has one and nothing else.
    pub quantity: Option<Box<Quantity>>,
}

/// A term with what it means.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Term {
    /// Id in the edition. It has no influence on the comparison.
    pub id: Box<str>,
    /// Designations, the preferred ones first. Two terms with a designation in common are one concept.
    pub designations: Vec<TermWording>,
    /// Definitions.
    pub definitions: Vec<TermWording>,
}

/// A designation or definition in one language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TermWording {
    /// Its language, where that is known.
    pub language: Option<Lang>,
    /// As plain text.
    pub text: Box<str>,
}

/// One unit of comparison: a provision, or any sentence with an id.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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
    pub references: Vec<Reference>,
    /// Indices of the terms that it uses.
    pub terms: Vec<usize>,
}

/// A reference in the text of a unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
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
    /// The list of layers does not have the length of that of sections.
    #[error("{found} layers for {expected} sections; expected one for each section, or none")]
    Layers {
        /// Layers in the list.
        found: usize,
        /// Sections in the list.
        expected: usize,
    },
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
        let UnitsParts { documents: _, languages, sections, parts: list, terms, units, layers } = &parts;
        let check = |holder: &dyn Fn() -> String, what, index: usize, limit| match index < limit {
            true => Ok(()),
            false => Err(InvalidUnits::BadIndex { holder: holder(), what, index, limit }),
        };
        if !layers.is_empty() && layers.len() != sections.len() {
            return Err(InvalidUnits::Layers { found: layers.len(), expected: sections.len() });
        }
        for (index, section) in sections.iter().enumerate() {
            if let Some(parent) = section.parent {
                check(&|| format!("section {index}"), "parent", parent, index)?;
            }
            check(&|| format!("section {index}"), "language", section.language, languages.len().max(1))?;
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

    /// The layer of a section.
    pub(crate) fn layer(&self, section: usize) -> u8 {
        self.layers.get(section).copied().unwrap_or_default()
    }
}

impl From<Units> for UnitsParts {
    fn from(units: Units) -> Self {
        units.0
    }
}

impl TryFrom<UnitsParts> for Units {
    type Error = InvalidUnits;

    fn try_from(parts: UnitsParts) -> Result<Self, InvalidUnits> {
        Self::new(parts)
    }
}

impl std::ops::Deref for Units {
    type Target = UnitsParts;

    fn deref(&self) -> &UnitsParts {
        &self.0
    }
}
