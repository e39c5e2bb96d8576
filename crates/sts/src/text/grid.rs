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
    /// Whether it is in the head of the table.
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
    /// Its first column, from 0.
    pub(super) column: usize,
    /// Columns that it fills.
    pub(super) columns: usize,
    /// Rows that it fills, without those beyond the end of its group.
    pub(super) rows: usize,
    /// Whether the source marks it as a head of its column or row.
    pub(super) head: bool,
}

/// Most columns that cells may span: more are an error of the source.
const MAX_COLUMNS: usize = 100;

impl<'t> SourceGrid<'t> {
    /// Reads the rows of a table (XHTML, HTML 4 section 11.2) or of a `tgroup` (CALS, OASIS TR 9502:1995).
    pub(super) fn of(table: XmlNode<'t>) -> Self {
        let mut grouped: [Vec<GridChild<'t>>; 3] = Default::default();
        let columns = Columns::default().within(table);
        let mut loose = RowGroup::new(&columns);
        for child in table.children() {
            match child.name() {
                Name::Thead | Name::Tbody | Name::Tfoot => {
                    let part_of_table = match child.name() {
                        Name::Thead => 0,
                        Name::Tbody => 1,
                        _ => 2,
                    };
                    let own = columns.within(child);
                    let mut group = RowGroup::new(&own);
                    let parts = child.children().filter_map(|part| group.part(part, part_of_table == 0));
                    grouped[part_of_table].extend(within_group(parts.collect()));
                }
                _ => grouped[1].extend(loose.part(child, false)),
            }
        }
        Self { parts: grouped.into_iter().flatten().collect() }
    }
}

/// The rows of a group, whose cells end with it and fill none of its rows that are struck out.
fn within_group(mut parts: Vec<GridChild<'_>>) -> Vec<GridChild<'_>> {
    let is_row = |part: &GridChild<'_>| match part {
        GridChild::Row(_) => Some(true),
        GridChild::Other(node) => is_struck_row(*node).then_some(false),
    };
    let rows: Vec<bool> = parts.iter().filter_map(is_row).collect();
    let mut left = &rows[..];
    for part in &mut parts {
        if is_row(part).is_none() {
            continue;
        }
        if let GridChild::Row(row) = part {
            for child in &mut row.children {
                if let Child::Cell(cell) = child {
                    cell.rows = left.iter().take(cell.rows).filter(|present| **present).count();
                }
            }
        }
        left = &left[1..];
    }
    parts
}

fn is_struck_row(node: XmlNode<'_>) -> bool {
    node.struck().is_some_and(|struck| matches!(struck.name, Name::Tr | Name::Row))
}

/// The columns that a CALS table names, each with its number from 0, and its spans.
#[derive(Default)]
struct Columns<'t> {
    names: Vec<(&'t str, usize)>,
    spans: Vec<(&'t str, Option<&'t str>, Option<&'t str>)>,
}

impl<'t> Columns<'t> {
    /// The columns that a table or a group of its rows declares; without a declaration, those around it.
    fn within(&self, holder: XmlNode<'t>) -> Self {
        let mut columns = Self { names: Vec::new(), spans: self.spans.clone() };
        let mut next = 0;
        for child in holder.children() {
            match child.name() {
                Name::Colspec => {
                    let number = child.attr("colnum").and_then(|number| number.trim().parse().ok());
                    let column = number.map_or(next, |number: usize| number.saturating_sub(1));
                    next = column + 1;
                    columns.names.extend(child.attr("colname").map(|name| (name.trim(), column)));
                }
                Name::Spanspec => {
                    let name = child.attr("spanname").map(str::trim);
                    columns
                        .spans
                        .extend(name.map(|name| (name, child.attr("namest"), child.attr("nameend"))));
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
        let span = cell.attr("spanname").and_then(|name| self.spans.iter().find(|(n, ..)| *n == name.trim()));
        let (first, last) = match span {
            Some((_, first, last)) => (*first, *last),
            None => (cell.attr("namest").or_else(|| cell.attr("colname")), cell.attr("nameend")),
        };
        let first = self.number(first?)?;
        let last = last.and_then(|last| self.number(last)).unwrap_or(first);
        Some(first..last.max(first) + 1)
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

    fn part(&mut self, part: XmlNode<'t>, head: bool) -> Option<GridChild<'t>> {
        match part.name() {
            Name::Tr | Name::Row => {
                let mut next = 0;
                let children = part.children().map(|child| match child.name() {
                    Name::Td | Name::Th | Name::Entry => {
                        Child::Cell(self.cell(child, head || child.name() == Name::Th, &mut next))
                    }
                    _ => Child::Other(child),
                });
                let children = children.collect();
                self.row += 1;
                Some(GridChild::Row(GridRow { node: part, in_head: head, children }))
            }
            Name::Col | Name::Colgroup | Name::Colspec | Name::Spanspec => None,
            // Cells above count it among the rows that they fill.
            _ if is_struck_row(part) => {
                self.row += 1;
                Some(GridChild::Other(part))
            }
            _ => Some(GridChild::Other(part)),
        }
    }

    /// A cell in its columns: its first column is the next free one, or a later one that it names.
    fn cell(&mut self, cell: XmlNode<'t>, head: bool, next: &mut usize) -> GridCell<'t> {
        let number = |name| cell.attr(name).and_then(|value| value.trim().parse::<usize>().ok());
        let named =
            self.columns.named(cell).filter(|named| named.start >= *next && named.start < MAX_COLUMNS);
        let first = named.as_ref().map_or(*next, |named| named.start);
        let is_free = |column: &usize| self.free_from.get(*column).is_none_or(|row| *row <= self.row);
        let column = (first..).find(is_free).unwrap_or(first);
        let columns = named.map_or_else(|| number("colspan").unwrap_or(1).max(1), |named| named.len());
        let end = column.saturating_add(columns).min(MAX_COLUMNS).max(column + 1);
        // No rows at all means all that follow in the group (HTML, 4.9.11).
        let rows = number("morerows").map(|more| more.saturating_add(1)).or_else(|| number("rowspan"));
        let below = match rows {
            Some(0) => usize::MAX,
            rows => self.row.saturating_add(rows.unwrap_or(1)),
        };
        if self.free_from.len() < end {
            self.free_from.resize(end, 0);
        }
        // A cell from above that this one goes over fills its columns further down all the same.
        self.free_from[column..end].iter_mut().for_each(|row| *row = below.max(*row));
        *next = end;
        GridCell { node: cell, column, columns: end - column, rows: below - self.row, head }
    }
}
