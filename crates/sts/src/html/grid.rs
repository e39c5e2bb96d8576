//! Tables as HTML has them: no cell over another, none beyond its group of rows, and a cell that begins in
//! each row and column (HTML, 4.9.12).

use std::collections::{BTreeMap, BTreeSet};

use foldhash::HashMap;

use crate::text::noted::{CellSpan, Note, Shape, TextNotes};

/// How HTML has the cells and rows of tables, by the index of their notes.
#[derive(Default)]
pub(super) struct TableCells {
    pub cells: HashMap<usize, SpannedCell>,
    /// Empty cells at the end of a row.
    pub missing: HashMap<usize, usize>,
}

pub(super) struct SpannedCell {
    /// Empty cells before it.
    pub before: usize,
    pub columns: usize,
    pub rows: usize,
}

/// A column while the rows of a group are read from above.
#[derive(Clone, Copy, Default)]
struct HtmlColumn {
    /// The first row that no cell from above fills.
    free_from: usize,
    /// The last cell in the column, by the index of its note.
    cell: Option<usize>,
}

/// A row and its cells, each with the index of its note.
struct HtmlRow {
    note: usize,
    in_head: bool,
    cells: Vec<(usize, CellSpan)>,
}

impl TableCells {
    /// Places the cells of the table whose note has this index.
    pub(super) fn add(&mut self, notes: &TextNotes<'_>, table: usize) {
        let rows = rows(notes, table);
        // The columns in which a cell begins: HTML has no others.
        let mut columns = BTreeSet::new();
        for row in &rows {
            columns.extend(row.cells.iter().map(|(_, span)| span.column));
        }
        let columns: Vec<usize> = columns.into_iter().collect();
        for group in rows.chunk_by(|one, next| one.in_head == next.in_head) {
            self.add_group(group, &columns);
        }
    }

    /// Places the cells of a group of rows. `starts` are the columns of the source that are columns of HTML.
    fn add_group(&mut self, rows: &[HtmlRow], starts: &[usize]) {
        // A row in which no cell begins is left out, and cells from above are so much shorter.
        let filled: Vec<usize> = (0..rows.len()).filter(|&row| !rows[row].cells.is_empty()).collect();
        let mut columns = vec![HtmlColumn::default(); starts.len()];
        let mut first_rows: HashMap<usize, usize> = HashMap::default();
        // Cells over which another one begins, and the row in which it does.
        let mut shortened: BTreeMap<usize, usize> = BTreeMap::new();
        for (at, &source_row) in filled.iter().enumerate() {
            let row = &rows[source_row];
            let mut next = 0;
            for (note, span) in &row.cells {
                let first = starts.partition_point(|&column| column < span.column).max(next);
                if first >= starts.len() {
                    continue;
                }
                let end = span.column.saturating_add(span.columns);
                let last = starts.partition_point(|&column| column < end).max(first + 1).min(starts.len());
                // A cell from above ends where this one begins.
                for column in first..last {
                    if let Some(above) = columns[column].cell
                        && columns[column].free_from > at
                    {
                        shortened.insert(above, at);
                        end_cell(&mut columns, above, at);
                    }
                }
                let end = source_row.saturating_add(span.rows);
                let end = filled.partition_point(|&row| row < end).max(at + 1);
                let before = free_columns(&columns[next..first], at);
                self.cells.insert(*note, SpannedCell { before, columns: last - first, rows: end - at });
                first_rows.insert(*note, at);
                shortened.remove(note);
                columns[first..last].fill(HtmlColumn { free_from: end, cell: Some(*note) });
                next = last;
            }
            self.missing.insert(row.note, free_columns(&columns[next..], at));
        }
        for (note, end) in shortened {
            if let (Some(cell), Some(start)) = (self.cells.get_mut(&note), first_rows.get(&note)) {
                cell.rows = end.saturating_sub(*start).max(1);
            }
        }
    }
}

/// Ends a cell in all of its columns, before a row.
fn end_cell(columns: &mut [HtmlColumn], cell: usize, row: usize) {
    for column in columns {
        if column.cell == Some(cell) {
            column.free_from = row;
        }
    }
}

/// The number of columns that no cell from above fills in a row.
fn free_columns(columns: &[HtmlColumn], row: usize) -> usize {
    columns.iter().filter(|column| column.free_from <= row).count()
}

/// The rows of a table without those of tables within it.
fn rows(notes: &TextNotes<'_>, table: usize) -> Vec<HtmlRow> {
    let mut rows: Vec<HtmlRow> = Vec::new();
    // For each shape that is open, whether it is a table.
    let mut open = Vec::new();
    let mut tables_within = 0;
    for (note, (_, what)) in notes.iter().enumerate().skip(table + 1) {
        match what {
            Note::Begin(shape, _) => {
                match shape {
                    Shape::Row { in_head } if tables_within == 0 => {
                        rows.push(HtmlRow { note, in_head: *in_head, cells: Vec::new() });
                    }
                    Shape::Cell(span) if tables_within == 0 => {
                        if let Some(row) = rows.last_mut() {
                            row.cells.push((note, *span));
                        }
                    }
                    _ => {}
                }
                let is_table = matches!(shape, Shape::Table);
                if is_table {
                    tables_within += 1;
                }
                open.push(is_table);
            }
            Note::End => match open.pop() {
                Some(true) => tables_within -= 1,
                Some(false) => {}
                None => break,
            },
            _ => {}
        }
    }
    rows
}
