//! Tables: their columns, rows and cells, with the values that cells hold.

use std::borrow::Cow;
use std::collections::HashSet;

use norma_model::EditionParts;
use norma_model::table::{self, TableContent};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Amendment, Comparator, SectionRef, UnitLocation, borrowed};

/// Answer of `GET /standards/{id}/tables`: the tables of the standard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TablesView<'a> {
    /// Amendments of the object that the caller may see, in the order of their publication. It is absent
    /// without any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub amended_by: Vec<Amendment<'a>>,
    /// URN of the standard.
    pub urn: Cow<'a, str>,
    /// Revision of the edition, which changes with its source and with the way it is derived.
    pub revision: Cow<'a, str>,
    /// Tables in document order.
    pub items: Vec<Table<'a>>,
}

/// Answer of `GET /standards/{id}/tables/{table}`: one table, or a group of tables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TableView<'a> {
    /// Amendments of the object that the caller may see, in the order of their publication. It is absent
    /// without any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub amended_by: Vec<Amendment<'a>>,
    /// URN of the standard.
    pub urn: Cow<'a, str>,
    /// Revision of the edition, which changes with its source and with the way it is derived.
    pub revision: Cow<'a, str>,
    /// Members of the table.
    #[serde(flatten)]
    pub table: Table<'a>,
}

/// A table with its cells and the texts around them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Table<'a> {
    /// Id of the object. It is unique in the edition.
    pub id: Cow<'a, str>,
    /// Label, for people. It is as printed: `Table 1`, or `a)` of a part of a group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<Cow<'a, str>>,
    /// Number of the object, as text. It is `1` or `A.2`; a part of a group has the group's number with its
    /// letter, `2A`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<Cow<'a, str>>,
    /// Caption without its label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caption: Option<Cow<'a, str>>,
    /// The group that it is a part of: several tables under one number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<TableGroup<'a>>,
    /// Section that has the object.
    pub section: SectionRef<'a>,
    /// True for normative content. It is as its section is.
    pub normative: bool,
    /// Unit of measurement. It is the one that the caption or a sentence at the table names for all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<Unit<'a>>,
    /// Present and true where the heads of the columns follow from the form of the first row: the source
    /// marks none.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub derived: bool,
    /// Columns of the table, from left to right.
    pub columns: Vec<Column<'a>>,
    /// The rows below the heads of the columns.
    pub rows: Vec<TableRow<'a>>,
    /// Texts around the cells: notes, legends, sentences on dimensions.
    pub annotations: Vec<Cow<'a, str>>,
    /// Footnotes of the table.
    pub footnotes: Vec<TableFootnote<'a>>,
    /// Ids of the provisions in the object, in document order.
    pub provision_ids: Vec<Cow<'a, str>>,
    /// Ids of the provisions that refer to it, in document order.
    pub citing_provision_ids: Vec<Cow<'a, str>>,
    /// Present and true where the cells are too many: the text of its section has them, and `counts` says how
    /// many.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub omitted: bool,
    /// Size of a table whose cells are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counts: Option<TableCounts>,
    /// The tables of a group, which has no columns and rows of its own. Only where one table was asked for by
    /// the number or id of its group.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false, no_recursion)]
    pub parts: Vec<Self>,
}

/// Several tables under one number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TableGroup<'a> {
    /// Id of the object. Where the source gives the group none, it is that of its first table.
    pub id: Cow<'a, str>,
    /// Label, for people. It is as printed: `Table 2`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<Cow<'a, str>>,
    /// Number of the object, as text. It is `2` of the tables 2A and 2B.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<Cow<'a, str>>,
    /// Caption without its label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caption: Option<Cow<'a, str>>,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Column<'a> {
    /// Texts of its heads from the top. One that fills several columns is in each of them.
    pub heads: Vec<Cow<'a, str>>,
    /// Unit of measurement. It is the one that its head names for its cells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<Unit<'a>>,
    /// Marks of the footnotes that the object has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub footnote_marks: Vec<Cow<'a, str>>,
}

/// A row of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TableRow<'a> {
    /// The cells that begin in it, from left to right.
    pub cells: Vec<Cell<'a>>,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Cell<'a> {
    /// Plain text, without markup. It is as in the text of the section, and empty where the cell is.
    pub text: Cow<'a, str>,
    /// Index of the first column, from 0; present where cells from rows above, or nothing, fill columns
    /// before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// Columns that it fills, where more than one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column_span: Option<u32>,
    /// Rows that it fills, where more than one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row_span: Option<u32>,
    /// Present and true where the source marks it as a head.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub head: bool,
    /// Value of the cell, where it holds one and nothing else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quantity: Option<CellQuantity<'a>>,
    /// Marks of the footnotes that the object has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub footnote_marks: Vec<Cow<'a, str>>,
    /// Ids of the graphics in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub graphic_ids: Vec<Cow<'a, str>>,
    /// Ids of the provisions in the object, in document order. They are those that begin in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub provision_ids: Vec<Cow<'a, str>>,
}

/// A value, limit or range in a cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CellQuantity<'a> {
    /// Relation of what is measured to the value.
    pub comparator: Comparator,
    /// Decimal number as a string, with a point: `0.5`. Of a range the lower end.
    pub value: Cow<'a, str>,
    /// Upper end of a range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upper: Option<Cow<'a, str>>,
    /// Greatest deviation from the value, in the same unit: `2` of `20 °C ± 2 °C`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<Cow<'a, str>>,
    /// Unit of measurement. A plain number has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<Unit<'a>>,
}

/// A unit of measurement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Unit<'a> {
    /// Plain text, without markup. It is as printed.
    pub text: Cow<'a, str>,
    /// Code in UCUM (<https://ucum.org/ucum>), where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ucum: Option<Cow<'a, str>>,
    /// Where the unit of a cell of a table is printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub printed_in: Option<UnitLocation>,
}

/// A footnote of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TableFootnote<'a> {
    /// Mark of the footnote, where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<Cow<'a, str>>,
    /// Plain text, without markup.
    pub text: Cow<'a, str>,
}

/// Size of a table in rows, columns and cells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TableCounts {
    /// Number of rows, the heads of columns among them.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// Number of cells.
    pub cells: usize,
}

/// Which provisions are in a table, and which refer to it: indices into the provisions of the edition, in
/// document order.
#[derive(Clone, Debug, Default)]
pub struct TableProvisions {
    /// Indexes of the cells in the row.
    pub holds: Vec<usize>,
    /// Those that refer to it.
    pub cited_by: Vec<usize>,
}

impl<'a> Table<'a> {
    /// The shape of a table of this edition.
    pub fn new(table: &'a table::Table, provisions: &TableProvisions, edition: &'a EditionParts) -> Self {
        let table::Table { id, label, number, caption, section, group, digest: _, content } = table;
        let ids = |indices: &[usize]| {
            indices.iter().map(|&index| edition.provisions[index].id.to_string().into()).collect()
        };
        let section = &edition.sections[*section];
        let mut shape = Self {
            id: id.as_str().into(),
            label: borrowed(label),
            number: borrowed(number),
            caption: borrowed(caption),
            group: group.as_ref().map(Into::into),
            section: section.into(),
            normative: section.normative,
            unit: None,
            derived: false,
            columns: Vec::new(),
            rows: Vec::new(),
            annotations: Vec::new(),
            footnotes: Vec::new(),
            provision_ids: ids(&provisions.holds),
            citing_provision_ids: ids(&provisions.cited_by),
            omitted: false,
            counts: None,
            parts: Vec::new(),
        };
        match content {
            TableContent::Grid(grid) => shape.add_grid(grid, edition),
            &TableContent::Omitted { rows, columns, cells } => {
                shape.omitted = true;
                shape.counts = Some(TableCounts { rows, columns, cells });
            }
        }
        shape
    }

    /// A group of these tables, of which there is at least one.
    pub fn of_group(group: TableGroup<'a>, parts: Vec<Self>) -> Self {
        let TableGroup { id, label, number, caption } = group;
        // In document order, each once.
        let all = |own: fn(&Self) -> &Vec<Cow<'a, str>>| {
            let mut seen = HashSet::new();
            parts.iter().flat_map(own).filter(|id| seen.insert(*id)).cloned().collect()
        };
        Self {
            id,
            label,
            number,
            caption,
            group: None,
            unit: None,
            derived: false,
            columns: Vec::new(),
            rows: Vec::new(),
            annotations: Vec::new(),
            footnotes: Vec::new(),
            provision_ids: all(|part| &part.provision_ids),
            citing_provision_ids: all(|part| &part.citing_provision_ids),
            omitted: false,
            counts: None,
            section: parts[0].section.clone(),
            normative: parts[0].normative,
            parts,
        }
    }

    /// The cell in each column of each row; a cell that fills several columns or rows is in each of them.
    pub fn grid(&self) -> impl Iterator<Item = Vec<Option<&Cell<'a>>>> {
        // The cell that fills each column, and how many rows it fills from here on.
        let mut open: Vec<(Option<&Cell<'a>>, u32)> = vec![(None, 0); self.columns.len()];
        self.rows.iter().map(move |row| {
            let mut next = 0;
            for cell in &row.cells {
                let first = cell.column.unwrap_or(next);
                next = first.saturating_add(cell.column_span.unwrap_or(1));
                let filled = open.iter_mut().take(next as usize).skip(first as usize);
                filled.for_each(|column| *column = (Some(cell), cell.row_span.unwrap_or(1)));
            }
            let cells = open.iter().map(|(cell, rows)| cell.filter(|_| *rows > 0)).collect();
            open.iter_mut().for_each(|(_, rows)| *rows = rows.saturating_sub(1));
            cells
        })
    }

    /// The grid that this is the shape of; `None` where its cells are too many. `graphic` and `provision`
    /// give the index of an id in the edition. A value is left out where a later version of Norma wrote a
    /// word of it that this one does not know.
    pub fn to_model_grid(
        &self,
        graphic: impl Fn(&str) -> Option<u32>,
        provision: impl Fn(&str) -> Option<u32>,
    ) -> Option<table::Grid> {
        if self.omitted {
            return None;
        }
        let mut rows = Vec::with_capacity(self.rows.len());
        for row in &self.rows {
            let mut cells = Vec::with_capacity(row.cells.len());
            // A cell that does not say its column is in the one behind the cell before.
            let mut next = 0;
            for cell in &row.cells {
                let column = cell.column.unwrap_or(next);
                let columns = cell.column_span.unwrap_or(1);
                next = column.saturating_add(columns);
                cells.push(table::Cell {
                    text: (*cell.text).into(),
                    column,
                    columns,
                    rows: cell.row_span.unwrap_or(1),
                    is_head: cell.head,
                    quantity: cell.quantity.as_ref().and_then(CellQuantity::to_model).map(Box::new),
                    footnotes: owned(&cell.footnote_marks),
                    graphics: cell.graphic_ids.iter().filter_map(|id| graphic(id)).collect(),
                    provisions: cell.provision_ids.iter().filter_map(|id| provision(id)).collect(),
                });
            }
            rows.push(cells);
        }
        let column = |column: &Column<'_>| table::Column {
            heads: owned(&column.heads),
            unit: column.unit.as_ref().map(Unit::to_model),
            footnotes: owned(&column.footnote_marks),
        };
        let footnote = |footnote: &TableFootnote<'_>| table::TableFootnote {
            mark: footnote.mark.as_deref().map(Into::into),
            text: (*footnote.text).into(),
        };
        Some(table::Grid {
            columns: self.columns.iter().map(column).collect(),
            has_derived_heads: self.derived,
            unit: self.unit.as_ref().map(Unit::to_model),
            rows,
            notes: owned(&self.annotations),
            footnotes: self.footnotes.iter().map(footnote).collect(),
        })
    }

    fn add_grid(&mut self, grid: &'a table::Grid, edition: &'a EditionParts) {
        let table::Grid { columns, has_derived_heads, unit, rows, notes, footnotes } = grid;
        self.unit = unit.as_ref().map(|unit| Unit::new(unit, None));
        self.derived = *has_derived_heads;
        self.columns = columns.iter().map(Into::into).collect();
        self.rows = rows.iter().map(|row| TableRow { cells: cells(row, edition) }).collect();
        self.annotations = texts(notes);
        let footnote = |table::TableFootnote { mark, text }: &'a table::TableFootnote| TableFootnote {
            mark: borrowed(mark),
            text: (**text).into(),
        };
        self.footnotes = footnotes.iter().map(footnote).collect();
    }
}

/// The cells of a row, each of which says its column where it is not the next one.
fn cells<'a>(row: &'a [table::Cell], edition: &'a EditionParts) -> Vec<Cell<'a>> {
    let mut next = 0;
    let cells = row.iter().map(|cell| {
        let table::Cell { text, column, columns, rows, is_head, quantity, footnotes, graphics, provisions } =
            cell;
        let is_next = *column == next;
        next = column + columns;
        Cell {
            text: (**text).into(),
            column: (!is_next).then_some(*column),
            column_span: Some(*columns).filter(|columns| *columns > 1),
            row_span: Some(*rows).filter(|rows| *rows > 1),
            head: *is_head,
            quantity: quantity.as_deref().map(Into::into),
            footnote_marks: texts(footnotes),
            graphic_ids: graphics
                .iter()
                .map(|&at| edition.graphics[at as usize].id.as_str().into())
                .collect(),
            provision_ids: provisions
                .iter()
                .map(|&at| edition.provisions[at as usize].id.to_string().into())
                .collect(),
        }
    });
    cells.collect()
}

fn texts(texts: &[Box<str>]) -> Vec<Cow<'_, str>> {
    texts.iter().map(|text| (**text).into()).collect()
}

/// Texts in the model's form.
fn owned<C: FromIterator<Box<str>>>(texts: &[Cow<'_, str>]) -> C {
    texts.iter().map(|text| Box::from(&**text)).collect()
}

impl CellQuantity<'_> {
    /// The quantity that this is the shape of; `None` where a later version of Norma wrote a word that this
    /// one does not know.
    fn to_model(&self) -> Option<table::CellQuantity> {
        let Self { comparator, value, upper, tolerance, unit } = self;
        let unit = match unit {
            Some(unit) => Some((unit.to_model(), unit.printed_in?.try_into().ok()?)),
            None => None,
        };
        Some(table::CellQuantity {
            comparator: (*comparator).try_into().ok()?,
            value: (**value).into(),
            upper: upper.as_deref().map(Into::into),
            tolerance: tolerance.as_deref().map(Into::into),
            unit,
        })
    }
}

impl<'a> Unit<'a> {
    fn new(unit: &'a table::Unit, printed_in: Option<UnitLocation>) -> Self {
        let table::Unit { text, ucum } = unit;
        Self { text: (**text).into(), ucum: borrowed(ucum), printed_in }
    }

    fn to_model(&self) -> table::Unit {
        let Self { text, ucum, printed_in: _ } = self;
        table::Unit { text: (**text).into(), ucum: ucum.as_deref().map(Into::into) }
    }

    /// The unit of a quantity in a provision.
    pub(super) fn of_provision(text: &'a str, ucum: Option<&'a str>) -> Self {
        Self { text: text.into(), ucum: ucum.map(Into::into), printed_in: None }
    }
}

impl<'a> From<&'a table::Column> for Column<'a> {
    fn from(column: &'a table::Column) -> Self {
        let table::Column { heads, unit, footnotes } = column;
        let unit = unit.as_ref().map(|unit| Unit::new(unit, None));
        Self { heads: texts(heads), unit, footnote_marks: texts(footnotes) }
    }
}

impl<'a> From<&'a table::TableGroup> for TableGroup<'a> {
    fn from(group: &'a table::TableGroup) -> Self {
        let table::TableGroup { id, label, number, caption } = group;
        Self {
            id: (**id).into(),
            label: borrowed(label),
            number: borrowed(number),
            caption: borrowed(caption),
        }
    }
}

impl<'a> From<&'a table::CellQuantity> for CellQuantity<'a> {
    fn from(quantity: &'a table::CellQuantity) -> Self {
        let table::CellQuantity { comparator, value, upper, tolerance, unit } = quantity;
        Self {
            comparator: (*comparator).into(),
            value: (**value).into(),
            upper: borrowed(upper),
            tolerance: borrowed(tolerance),
            unit: unit.as_ref().map(|(unit, from)| Unit::new(unit, Some((*from).into()))),
        }
    }
}
