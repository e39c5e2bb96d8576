//! Tables: grids of cells, with the text and position of each cell.

use std::borrow::Cow;

use crate::{Comparator, Digest, Passage, Quantity, TableId};

/// A table of the edition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Unique in the edition.
    pub id: TableId,
    /// Label as printed: `Table 2`; for a part of a group `a)`.
    pub label: Option<Box<str>>,
    /// Label without its leading word: `2`, `A.1`; for a part of a group the group's number with its letter,
    /// `2A`. Letters are in upper case.
    pub number: Option<String>,
    /// Title.
    pub caption: Option<String>,
    /// Index of its section.
    pub section: usize,
    /// The group that it is a part of: several tables under one number.
    pub group: Option<TableGroup>,
    /// SHA-256 of the texts of its cells as in the plain text, each ended by a line feed; `None` if no cell
    /// has text. Tables with the same digest say the same.
    pub digest: Option<Digest>,
    /// Its cells.
    pub content: TableContent,
}

/// A group of tables with a label of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableGroup {
    /// Id of its element; without one, that of its first table.
    pub id: Box<str>,
    /// Label as printed: `Table 2`.
    pub label: Option<Box<str>>,
    /// Label without its leading word.
    pub number: Option<Box<str>>,
    /// Title.
    pub caption: Option<Box<str>>,
}

/// The cells of a table, or their number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableContent {
    /// All of them.
    Grid(Grid),
    /// More than a document may have as data. The text of the section has them.
    Omitted {
        /// Rows, the heads of columns among them.
        rows: usize,
        /// Columns.
        columns: usize,
        /// Cells.
        cells: usize,
    },
}

/// Cells in rows and columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    /// The columns from left to right.
    pub columns: Vec<Column>,
    /// Whether the heads of the columns follow from the form of the first row: the source marks none.
    pub has_derived_heads: bool,
    /// Unit that the caption or a sentence at the table names for all of it.
    pub unit: Option<Unit>,
    /// The rows below the heads of the columns.
    pub rows: Vec<Vec<Cell>>,
    /// Texts around the cells: notes, legends, sentences on dimensions.
    pub notes: Vec<Box<str>>,
    /// Its footnotes.
    pub footnotes: Vec<TableFootnote>,
}

/// A column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Column {
    /// Texts of its heads from the top, none of them empty.
    pub heads: Vec<Box<str>>,
    /// Unit that its head names for its cells.
    pub unit: Option<Unit>,
    /// Marks of footnotes in its heads.
    pub footnotes: Vec<Box<str>>,
}

/// A cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// Its text as in the text of the section.
    pub text: Box<str>,
    /// Its first column, from 0.
    pub column: u32,
    /// Columns that it fills, at least 1.
    pub columns: u32,
    /// Rows that it fills, at least 1.
    pub rows: u32,
    /// Whether the source marks it as a head.
    pub is_head: bool,
    /// Its value, if it has one and nothing else.
    pub quantity: Option<Box<CellQuantity>>,
    /// Marks of footnotes in it.
    pub footnotes: Box<[Box<str>]>,
    /// Indices of the graphics in it.
    pub graphics: Box<[u32]>,
    /// Indices of the provisions that begin in it.
    pub provisions: Box<[u32]>,
}

/// A footnote of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableFootnote {
    /// Its mark, where it has one.
    pub mark: Option<Box<str>>,
    /// Its text.
    pub text: Box<str>,
}

/// A unit of measurement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// As printed.
    pub text: Box<str>,
    /// Code in UCUM (<https://ucum.org/ucum>), where it has one.
    pub ucum: Option<Box<str>>,
}

/// A value, limit or range in a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellQuantity {
    /// The comparator between the measured quantity and the value.
    pub comparator: Comparator,
    /// Decimal string with a point. Of a range the lower end.
    pub value: Box<str>,
    /// Upper end of a range.
    pub upper: Option<Box<str>>,
    /// Greatest deviation from the value, in the same unit.
    pub tolerance: Option<Box<str>>,
    /// Its unit with the unit's origin; `None` for a plain number.
    pub unit: Option<(Unit, UnitOrigin)>,
}

/// The location at which the unit of a cell is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnitOrigin {
    /// In the cell.
    Cell,
    /// In the head of its column.
    Column,
    /// In the head of its row, or in a column of units.
    Row,
    /// In the caption, or in a sentence at the table.
    Table,
}

impl Column {
    /// Its heads as one text, separated by spaces.
    pub fn head(&self) -> Cow<'_, str> {
        match &self.heads[..] {
            [head] => Cow::Borrowed(head),
            heads => heads.join(" ").into(),
        }
    }
}

impl Table {
    /// Its cells, unless they are too many.
    pub fn grid(&self) -> Option<&Grid> {
        match &self.content {
            TableContent::Grid(grid) => Some(grid),
            TableContent::Omitted { .. } => None,
        }
    }
}

/// The same quantity as one of a provision, without the origin of its unit. It has no passage: the cell holds
/// nothing else.
impl From<&CellQuantity> for Quantity {
    fn from(quantity: &CellQuantity) -> Self {
        let CellQuantity { comparator, value, upper, tolerance, unit } = quantity;
        let unit = unit.as_ref().map(|(unit, _)| unit);
        Self {
            comparator: Some(*comparator),
            value: value.clone(),
            upper: upper.clone(),
            tolerance: tolerance.clone(),
            unit: unit.map(|unit| unit.text.clone()),
            ucum: unit.and_then(|unit| unit.ucum.clone()),
            passage: Passage::default(),
        }
    }
}
