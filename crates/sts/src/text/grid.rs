//! Tables as grids: the columns and rows of each cell, for XHTML and CALS tables alike.

use std::ops::Range;

use crate::xml::names::Name;
use crate::xml::tree::XmlNode;

/// A table of XHTML, or one group of columns of a CALS table: its rows as printed, the head first and the
/// foot last.
pub(super) struct SourceGrid<'t> {
    pub(super) parts: Vec<GridChild<'t>>,
}

/// A child of a table or of a group of its rows.
pub(super) enum GridChild<'t> {
    Row(GridRow<'t>),
    /// A node that is not made of rows, such as a caption.
    Other(XmlNode<'t>),
}

/// A row with all its children, in order.
pub(super) struct GridRow<'t> {
    pub(super) node: XmlNode<'t>,
    /// True in the head of the table.
    pub(super) in_head: bool,
    pub(super) children: Vec<Child<'t>>,
}

/// A child of a row.
pub(super) enum Child<'t> {
    Cell(GridCell<'t>),
    /// Words between cells, which belong to none.
    Other(XmlNode<'t>),
}

/// A cell and its place.
pub(super) struct GridCell<'t> {
    pub(super) node: XmlNode<'t>,
    /// The first column, from 0.
    pub(super) column: usize,
    /// The number of columns that the cell fills.
    pub(super) columns: usize,
    /// The number of rows that the cell fills, without those beyond the end of its group.
    pub(super) rows: usize,
    /// True where the source marks the cell as a head of its column or row.
    pub(super) head: bool,
}

/// Most columns that cells may span: more are an error of the source.
const MAX_COLUMNS: usize = 100;

impl<'t> SourceGrid<'t> {
    /// Reads the rows of a table (XHTML, HTML 4 section 11.2) or of a `tgroup` (CALS, OASIS TR 9502:1995).
    pub(super) fn of(table: XmlNode<'t>) -> Self {
        let columns = Columns::default().within(table);
        let (mut head, mut body, mut foot) = (Vec::new(), Vec::new(), Vec::new());
        let mut rows_of_table = RowGroup::new(&columns);
        for child in table.children() {
            match child.name() {
                Name::Thead => head.extend(row_group(child, &columns)),
                Name::Tbody => body.extend(row_group(child, &columns)),
                Name::Tfoot => foot.extend(row_group(child, &columns)),
                _ => body.extend(rows_of_table.part(child, false)),
            }
        }
        let mut parts = head;
        parts.append(&mut body);
        parts.append(&mut foot);
        Self { parts }
    }
}

/// The rows of a head, body or foot of a table, in the columns that it declares or those of the table.
fn row_group<'t>(group: XmlNode<'t>, columns: &Columns<'t>) -> Vec<GridChild<'t>> {
    let columns = columns.within(group);
    let mut rows = RowGroup::new(&columns);
    let mut parts = Vec::new();
    for part in group.children() {
        parts.extend(rows.part(part, group.name() == Name::Thead));
    }
    end_cells_with_group(&mut parts);
    parts
}

/// Ends the cells of a group with the group. The rows of a cell are counted without those that are struck
/// out.
fn end_cells_with_group(parts: &mut [GridChild<'_>]) {
    let mut is_present = Vec::new();
    for part in &*parts {
        match part {
            GridChild::Row(_) => is_present.push(true),
            GridChild::Other(node) if is_struck_row(*node) => is_present.push(false),
            GridChild::Other(_) => {}
        }
    }
    let mut row_index = 0;
    for part in parts {
        match part {
            GridChild::Row(row) => {
                let rows_below = &is_present[row_index..];
                for child in &mut row.children {
                    if let Child::Cell(cell) = child {
                        let filled = &rows_below[..cell.rows.min(rows_below.len())];
                        cell.rows = filled.iter().filter(|present| **present).count();
                    }
                }
                row_index += 1;
            }
            GridChild::Other(node) if is_struck_row(*node) => row_index += 1,
            GridChild::Other(_) => {}
        }
    }
}

fn is_struck_row(node: XmlNode<'_>) -> bool {
    node.struck().is_some_and(|struck| matches!(struck.name, Name::Tr | Name::Row))
}

/// The columns that a CALS table names, each with its number from 0, and its spans.
#[derive(Default)]
struct Columns<'t> {
    names: Vec<(&'t str, usize)>,
    spans: Vec<ColumnSpan<'t>>,
}

/// Columns to which a CALS table gives a name (`spanspec`), by the names of the first and the last one.
#[derive(Clone, Copy)]
struct ColumnSpan<'t> {
    name: &'t str,
    first: Option<&'t str>,
    last: Option<&'t str>,
}

impl<'t> Columns<'t> {
    /// The columns that a table or a group of its rows declares; without a declaration, those around it.
    fn within(&self, holder: XmlNode<'t>) -> Self {
        let mut columns = Self { names: Vec::new(), spans: self.spans.clone() };
        let mut next = 0;
        for child in holder.children() {
            match child.name() {
                Name::Colspec => {
                    let number = number_in(child, "colnum");
                    let column = number.map_or(next, |number| number.saturating_sub(1));
                    next = column.saturating_add(1);
                    if let Some(name) = child.attr("colname") {
                        columns.names.push((name.trim(), column));
                    }
                }
                Name::Spanspec => {
                    if let Some(name) = child.attr("spanname") {
                        let (first, last) = (child.attr("namest"), child.attr("nameend"));
                        columns.spans.push(ColumnSpan { name: name.trim(), first, last });
                    }
                }
                _ => {}
            }
        }
        if columns.names.is_empty() {
            columns.names.clone_from(&self.names);
        }
        columns
    }

    /// The number of a column by its name.
    fn number(&self, name: &str) -> Option<usize> {
        self.names.iter().find(|(known, _)| *known == name.trim()).map(|(_, number)| *number)
    }

    /// The columns that a cell names.
    fn named(&self, cell: XmlNode<'t>) -> Option<Range<usize>> {
        let span = cell.attr("spanname").map(str::trim);
        let span = span.and_then(|name| self.spans.iter().find(|span| span.name == name));
        let (first, last) = match span {
            Some(span) => (span.first, span.last),
            None => (cell.attr("namest").or_else(|| cell.attr("colname")), cell.attr("nameend")),
        };
        let first = self.number(first?)?;
        let last = last.and_then(|last| self.number(last)).unwrap_or(first);
        Some(first..last.max(first).saturating_add(1))
    }
}

/// A group of rows, beyond which no cell reaches.
struct RowGroup<'c, 't> {
    columns: &'c Columns<'t>,
    /// For each column, the first row that the cells above leave free.
    free_from: Vec<usize>,
    row: usize,
}

impl<'c, 't> RowGroup<'c, 't> {
    fn new(columns: &'c Columns<'t>) -> Self {
        Self { columns, free_from: Vec::new(), row: 0 }
    }

    /// A child of the group, unless it only declares columns.
    fn part(&mut self, part: XmlNode<'t>, head: bool) -> Option<GridChild<'t>> {
        match part.name() {
            Name::Tr | Name::Row => Some(GridChild::Row(self.row(part, head))),
            Name::Col | Name::Colgroup | Name::Colspec | Name::Spanspec => None,
            _ => {
                // Cells above count a row that is struck out among the rows that they fill.
                if is_struck_row(part) {
                    self.row += 1;
                }
                Some(GridChild::Other(part))
            }
        }
    }

    fn row(&mut self, row: XmlNode<'t>, head: bool) -> GridRow<'t> {
        let mut next = 0;
        let mut children = Vec::new();
        for child in row.children() {
            children.push(match child.name() {
                Name::Td | Name::Th | Name::Entry => {
                    Child::Cell(self.cell(child, head || child.name() == Name::Th, &mut next))
                }
                _ => Child::Other(child),
            });
        }
        self.row += 1;
        GridRow { node: row, in_head: head, children }
    }

    /// A cell in its columns: its first column is the next free one, or a later one that it names.
    fn cell(&mut self, cell: XmlNode<'t>, head: bool, next: &mut usize) -> GridCell<'t> {
        let named = match self.columns.named(cell) {
            Some(named) if named.start >= *next && named.start < MAX_COLUMNS => Some(named),
            _ => None,
        };
        let first = named.as_ref().map_or(*next, |named| named.start);
        let column = self.free_column(first);
        let columns = match named {
            Some(named) => named.len(),
            None => number_in(cell, "colspan").unwrap_or(1).max(1),
        };
        let end = column.saturating_add(columns).min(MAX_COLUMNS).max(column + 1);
        let rows = match number_in(cell, "morerows") {
            Some(more) => more.saturating_add(1),
            None => number_in(cell, "rowspan").unwrap_or(1),
        };
        // No rows at all means all that follow in the group (HTML, 4.9.11).
        let below = if rows == 0 { usize::MAX } else { self.row.saturating_add(rows) };
        if self.free_from.len() < end {
            self.free_from.resize(end, 0);
        }
        for free_from in &mut self.free_from[column..end] {
            // A cell from above that this one goes over fills its columns further down all the same.
            *free_from = below.max(*free_from);
        }
        *next = end;
        GridCell { node: cell, column, columns: end - column, rows: below - self.row, head }
    }

    /// The first column from one on that no cell from above fills in the present row.
    fn free_column(&self, first: usize) -> usize {
        let mut column = first;
        while self.free_from.get(column).is_some_and(|row| *row > self.row) {
            column += 1;
        }
        column
    }
}

/// The number in an attribute; `None` where it is not a number.
fn number_in(node: XmlNode<'_>, attribute: &str) -> Option<usize> {
    node.attr(attribute)?.trim().parse().ok()
}
