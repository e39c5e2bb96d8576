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
        let begin: BTreeSet<usize> =
            rows.iter().flat_map(|row| row.cells.iter().map(|c| c.1.column)).collect();
        let begin: Vec<usize> = begin.into_iter().collect();
        for group in rows.chunk_by(|one, next| one.in_head == next.in_head) {
            self.add_group(group, &begin);
        }
    }

    fn add_group(&mut self, rows: &[HtmlRow], begin: &[usize]) {
        // A row in which no cell begins is left out, and cells from above are so much shorter.
        let filled: Vec<usize> = (0..rows.len()).filter(|&row| !rows[row].cells.is_empty()).collect();
        // For each column, the first row that is free, and the cell above it.
        let mut free: Vec<(usize, Option<usize>)> = vec![(0, None); begin.len()];
        let mut shortened: BTreeMap<usize, usize> = BTreeMap::new();
        for (at, row) in filled.iter().map(|&row| &rows[row]).enumerate() {
            let end_of = |rows_filled: usize| {
                let end = filled[at].saturating_add(rows_filled);
                filled.partition_point(|&row| row < end).max(at + 1)
            };
            let mut next = 0;
            for (note, span) in &row.cells {
                let first = begin.partition_point(|&column| column < span.column).max(next);
                let end = span.column.saturating_add(span.columns);
                let last = begin.partition_point(|&column| column < end).max(first + 1).min(begin.len());
                let Some(first) = (first..begin.len()).next() else { continue };
                // A cell from above ends where this one begins.
                for column in first..last {
                    if let (until, Some(above)) = free[column]
                        && until > at
                    {
                        shortened.insert(above, at);
                        free.iter_mut().filter(|f| f.1 == Some(above)).for_each(|f| f.0 = at);
                    }
                }
                let before = (next..first).filter(|&column| free[column].0 <= at).count();
                let end = end_of(span.rows);
                self.cells.insert(*note, SpannedCell { before, columns: last - first, rows: end - at });
                shortened.remove(note);
                free[first..last].fill((end, Some(*note)));
                next = last;
            }
            let missing = (next..begin.len()).filter(|&column| free[column].0 <= at).count();
            self.missing.insert(row.note, missing);
        }
        let starts: HashMap<usize, usize> = filled
            .iter()
            .enumerate()
            .flat_map(|(at, &row)| rows[row].cells.iter().map(move |(note, _)| (*note, at)))
            .collect();
        for (note, end) in shortened {
            if let (Some(cell), Some(start)) = (self.cells.get_mut(&note), starts.get(&note)) {
                cell.rows = end.saturating_sub(*start).max(1);
            }
        }
    }
}

/// The rows of a table without those of tables within it.
fn rows(notes: &TextNotes<'_>, table: usize) -> Vec<HtmlRow> {
    let mut rows: Vec<HtmlRow> = Vec::new();
    // For each shape that is open, whether it is a table.
    let mut open = Vec::new();
    let mut inner = 0;
    for (note, (_, what)) in notes.iter().enumerate().skip(table + 1) {
        match what {
            Note::Begin(shape, _) => {
                match shape {
                    Shape::Row { in_head } if inner == 0 => {
                        rows.push(HtmlRow { note, in_head: *in_head, cells: Vec::new() });
                    }
                    Shape::Cell(span) if inner == 0 => {
                        if let Some(row) = rows.last_mut() {
                            row.cells.push((note, *span));
                        }
                    }
                    _ => {}
                }
                let is_table = matches!(shape, Shape::Table);
                inner += usize::from(is_table);
                open.push(is_table);
            }
            Note::End => match open.pop() {
                Some(is_table) => inner -= usize::from(is_table),
                None => break,
            },
            _ => {}
        }
    }
    rows
}
