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
    /// Title of the table as plain text.
    pub caption: Option<String>,
    /// Index of its section.
    pub section: usize,
    /// The group that it is a part of: several tables under one number.
    pub group: Option<TableGroup>,
    /// SHA-256 of the texts of its cells as in the plain text, each ended by a line feed; `None` if no cell
    /// has text. Tables with the same digest say the same.
    pub digest: Option<Digest>,
    /// Cells in rows and columns, or their number.
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
    /// Title of the group as plain text.
    pub caption: Option<Box<str>>,
}

/// The cells of a table, or their number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableContent {
    /// All cells, by row and column.
    Grid(Grid),
    /// More than a document may have as data. The text of the section has them.
    Omitted {
        /// Number of rows, the heads of columns among them.
        rows: usize,
        /// Number of columns of the table.
        columns: usize,
        /// Number of cells in all rows.
        cells: usize,
    },
}

/// Cells in rows and columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    /// The columns from left to right.
    pub columns: Vec<Column>,
    /// Set where the heads of the columns follow from the form of the first row: the source marks none.
    pub has_derived_heads: bool,
    /// Unit that the caption or a sentence at the table names for all of it.
    pub unit: Option<Unit>,
    /// The rows below the heads of the columns.
    pub rows: Vec<Vec<Cell>>,
    /// Texts around the cells: notes, legends, sentences on dimensions.
    pub notes: Vec<Box<str>>,
    /// Footnotes of the table.
    pub footnotes: Vec<TableFootnote>,
}

/// A column of a table, with what its head says of all its cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Column {
    /// Texts of its heads from the top, none of them empty.
    pub heads: Vec<Box<str>>,
    /// Unit that its head names for its cells.
    pub unit: Option<Unit>,
    /// Marks of footnotes in its heads.
    pub footnotes: Vec<Box<str>>,
}

/// A cell of a table. One that spans several rows is in the first of them alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// Text, as it is in the text of the section.
    pub text: Box<str>,
    /// First column that the cell fills, from 0.
    pub column: u32,
    /// Columns that it fills, at least 1.
    pub columns: u32,
    /// Rows that it fills, at least 1.
    pub rows: u32,
    /// Set where the source marks it as a head.
    pub is_head: bool,
    /// Value of the cell, if the cell has one and nothing else.
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
    /// Mark of the footnote, where it has one.
    pub mark: Option<Box<str>>,
    /// Text of the footnote.
    pub text: Box<str>,
}

/// A unit of measurement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The unit as printed: `kg`, `mm²`.
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
    /// Unit and the unit's origin; `None` for a plain number.
    pub unit: Option<(Unit, UnitOrigin)>,
}

/// The location at which the unit of a cell is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnitOrigin {
    /// In the cell itself.
    Cell,
    /// In the head of its column.
    Column,
    /// In the head of its row, or in a column of units.
    Row,
    /// In the caption, or in a sentence at the table.
    Table,
}

impl Column {
    /// The heads of the column as one text, separated by spaces.
    pub fn head(&self) -> Cow<'_, str> {
        match &self.heads[..] {
            [head] => Cow::Borrowed(head),
            heads => heads.join(" ").into(),
        }
    }
}

/// The cell at each row and column of a table.
pub type CellMatrix<'a> = Vec<Vec<Option<&'a Cell>>>;

impl Grid {
    /// The cell at each row and column; a cell that fills several of them is in each.
    pub fn matrix(&self) -> CellMatrix<'_> {
        let width = self.columns.len();
        let mut rows: CellMatrix<'_> = vec![vec![None; width]; self.rows.len()];
        for (index, row) in self.rows.iter().enumerate() {
            for cell in row {
                let end_column = (cell.column.saturating_add(cell.columns) as usize).min(width);
                let end_row = index.saturating_add(cell.rows as usize).min(self.rows.len());
                for row in &mut rows[index..end_row] {
                    // A cell beyond the last column has no place.
                    let Some(slots) = row.get_mut(cell.column as usize..end_column) else { continue };
                    slots.fill(Some(cell));
                }
            }
        }
        rows
    }
}

/// The head of a row of [`Grid::matrix`]: the texts of its head cells; for a row without those the text of
/// its first cell.
pub fn row_head(row: &[Option<&Cell>]) -> String {
    let mut heads: Vec<&str> = Vec::new();
    for cell in row.iter().flatten() {
        if cell.is_head {
            heads.push(&cell.text);
        }
    }
    heads.dedup();
    match row.first() {
        Some(Some(first)) if heads.is_empty() => first.text.to_string(),
        _ => heads.join(" "),
    }
}

impl Table {
    /// The cells of the table, unless they are too many.
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
