//! The amended edition, as far as instructions are compared with it.

use std::ops::Range;

use norma_model::{KnownSection, TextBlockKind};

/// The parts of the amended edition. Indices are those of the edition's lists.
#[derive(Clone, Debug, Default)]
pub struct AmendedEdition {
    /// Primary subtags of the languages of the edition.
    pub languages: Vec<String>,
    /// All sections in document order, parents before children.
    pub sections: Vec<AmendedSection>,
    /// All tables in document order, those without a number too.
    pub tables: Vec<AmendedTable>,
    /// All figures in document order, those without a number too.
    pub figures: Vec<AmendedFigure>,
    /// All terms in document order.
    pub terms: Vec<AmendedTerm>,
}

/// A section of the amended edition.
#[derive(Clone, Debug, Default)]
pub struct AmendedSection {
    /// The number, letters in upper case: `4.1`, `A.2`.
    pub number: Option<String>,
    /// The title as plain text.
    pub title: Option<String>,
    /// The kind of a section that instructions name by it: “the Foreword”.
    pub named: Option<KnownSection>,
    /// One past the index of the last section within it.
    pub end: usize,
    /// The blocks of its text in order, without those of its subsections.
    pub blocks: Vec<AmendedBlock>,
}

/// A block of the text of a section.
#[derive(Clone, Debug)]
pub struct AmendedBlock {
    /// The kind, by which instructions count: “the third paragraph”.
    pub kind: TextBlockKind,
    /// The label before it: `b)`, `NOTE 1`; empty where it has none.
    pub label: String,
    /// The text without the label.
    pub text: String,
    /// Index of the table around it.
    pub table: Option<usize>,
    /// The provisions that are in it, by index, each with its bytes in the text.
    pub provisions: Vec<(u32, Range<usize>)>,
}

/// A table of the amended edition.
#[derive(Clone, Debug, Default)]
pub struct AmendedTable {
    /// The number without the word before it: `2`, `A.1`.
    pub number: Option<String>,
    /// Index of its section.
    pub section: usize,
    /// The texts of the heads of its columns.
    pub heads: Vec<String>,
    /// The rows below the heads, each with its cells.
    pub rows: Vec<Vec<AmendedCell>>,
}

/// A cell of a table.
#[derive(Clone, Debug, Default)]
pub struct AmendedCell {
    /// The text of the whole cell.
    pub text: String,
    /// The provisions in it, by index.
    pub provisions: Vec<u32>,
}

/// A figure of the amended edition.
#[derive(Clone, Debug)]
pub struct AmendedFigure {
    /// The number without the word before it: `3`, `B.2`.
    pub number: Option<String>,
    /// Index of its section, where it is in one.
    pub section: Option<usize>,
}

/// A term of the amended edition.
#[derive(Clone, Debug)]
pub struct AmendedTerm {
    /// Index of its section.
    pub section: usize,
}
