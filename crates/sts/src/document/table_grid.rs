//! Grid of a table: its written cells, notes and footnotes, which are ranges of the section's text, as texts.

use std::ops::Range;

use norma_model::Digest;
use norma_model::table::{Cell, Column, Grid, TableContent, TableFootnote};
use sha2::{Digest as _, Sha256};

use super::table_heads::Heads;
use crate::text::written_table::{WrittenCell, WrittenRow, WrittenTable};

/// Bytes that a cell counts in addition to its text.
const CELL: usize = 128;

/// The written text of a table, and the text that contains it.
pub(super) struct TableText<'a> {
    /// The text of the section.
    pub(super) text: &'a str,
    pub(super) written: &'a WrittenTable<'a>,
    /// The pictures of the document, by bytes of the source.
    pub(super) graphics: &'a [Range<usize>],
}

impl<'a> TableText<'a> {
    /// A part of the text. What was cut off at the end of a row is empty.
    pub(super) fn slice(&self, range: &Range<usize>) -> &'a str {
        self.text.get(range.clone()).unwrap_or_default()
    }

    /// Digest of the words of all cells; `None` where the table has none.
    pub(super) fn digest(&self) -> Option<Digest> {
        let mut digest = Sha256::new();
        let mut is_empty = true;
        for cell in self.written.rows.iter().flat_map(|row| &row.cells) {
            let text = self.slice(&cell.text);
            if !text.is_empty() {
                is_empty = false;
                digest.update(text);
                digest.update("\n");
            }
        }
        if is_empty {
            return None;
        }
        Some(Digest::from_bytes(digest.finalize().into()))
    }

    /// The grid, or only its measures if it takes more than the bytes that are left for tables.
    pub(super) fn content(&self, bytes_left: &mut usize) -> TableContent {
        let rows = self.written.rows.len();
        // A column in which no cell begins is the rest of a span that is too long.
        let mut columns = 0;
        let mut cells = 0;
        for cell in self.written.rows.iter().flat_map(|row| &row.cells) {
            columns = columns.max(cell.column + 1);
            cells += 1;
        }
        let Some(rest) = bytes_left.checked_sub(self.size(columns)) else {
            return TableContent::Omitted { rows, columns, cells };
        };
        *bytes_left = rest;
        TableContent::Grid(self.grid(columns))
    }

    /// Bytes of the table where each cell is repeated in all rows and columns that it fills.
    fn size(&self, columns: usize) -> usize {
        let rows = &self.written.rows;
        let mut size: usize = 0;
        for (at, row) in rows.iter().enumerate() {
            for cell in &row.cells {
                let filled_columns = cell.columns.min(columns - cell.column);
                let filled_rows = cell.rows.min(rows.len() - at);
                let repeated = filled_columns.saturating_mul(filled_rows);
                size = size.saturating_add(repeated.saturating_mul(cell.text.len() + CELL));
            }
        }
        size
    }

    fn grid(&self, columns: usize) -> Grid {
        let Heads { rows: heads, derived } = self.heads();
        let (above, below) = self.written.rows.split_at(heads);
        let mut rows = Vec::with_capacity(below.len());
        for (at, row) in below.iter().enumerate() {
            let rows_left = below.len() - at;
            rows.push(row.cells.iter().map(|cell| self.cell(cell, rows_left)).collect());
        }
        Grid {
            columns: (0..columns).map(|column| self.column(above, column)).collect(),
            has_derived_heads: derived,
            unit: None,
            rows,
            notes: self.notes(),
            footnotes: self.footnotes(),
        }
    }

    /// The heads of a column from the top; a cell that fills several rows is one.
    fn column(&self, heads: &[WrittenRow], column: usize) -> Column {
        let mut found = Column::default();
        for cell in heads.iter().flat_map(|row| &row.cells) {
            if !(cell.column..cell.column + cell.columns).contains(&column) {
                continue;
            }
            let text = self.slice(&cell.text);
            if !text.is_empty() {
                found.heads.push(text.into());
            }
            found.footnotes.extend(self.marks(cell));
        }
        found
    }

    /// A cell below the heads. It fills at most the rows that are left of the table.
    fn cell(&self, cell: &WrittenCell, rows_left: usize) -> Cell {
        let first_graphic = self.graphics_before(cell.source.start);
        let end_of_graphics = self.graphics_before(cell.source.end);
        Cell {
            text: self.slice(&cell.text).into(),
            column: saturated(cell.column),
            columns: saturated(cell.columns),
            rows: saturated(cell.rows.min(rows_left)),
            is_head: cell.is_head,
            quantity: None,
            footnotes: self.marks(cell).collect(),
            graphics: (first_graphic..end_of_graphics).map(saturated).collect(),
            provisions: Box::default(),
        }
    }

    /// Number of pictures that begin before a byte of the source.
    fn graphics_before(&self, byte: usize) -> usize {
        self.graphics.partition_point(|graphic| graphic.start < byte)
    }

    /// The marks of the footnotes of a cell, without the sign of a superscript.
    fn marks(&self, cell: &WrittenCell) -> impl Iterator<Item = Box<str>> {
        cell.marks.iter().map(|mark| self.slice(mark).trim_start_matches('^').into())
    }

    /// The texts around the cells, except the footnotes.
    fn notes(&self) -> Vec<Box<str>> {
        let mut notes = Vec::new();
        for note in &self.written.notes {
            let mut start = note.start;
            for footnote in &self.written.footnotes {
                if note.contains(&footnote.text.start) {
                    self.add_paragraphs(start..footnote.text.start, &mut notes);
                    start = footnote.text.end;
                }
            }
            self.add_paragraphs(start..note.end, &mut notes);
        }
        notes
    }

    fn add_paragraphs(&self, range: Range<usize>, paragraphs: &mut Vec<Box<str>>) {
        for paragraph in self.slice(&range).split("\n\n") {
            let paragraph = paragraph.trim();
            if !paragraph.is_empty() {
                paragraphs.push(paragraph.into());
            }
        }
    }

    fn footnotes(&self) -> Vec<TableFootnote> {
        let mut footnotes: Vec<TableFootnote> = Vec::new();
        for written in &self.written.footnotes {
            let text = self.slice(&written.text);
            let mark = written.mark.as_deref();
            if mark.is_none()
                && let Some(last) = footnotes.last_mut()
            {
                last.text = [&*last.text, text].join("\n").into();
                continue;
            }
            let text = mark.and_then(|mark| text.strip_prefix(mark)).unwrap_or(text);
            footnotes.push(TableFootnote { mark: mark.map(Into::into), text: text.trim().into() });
        }
        footnotes
    }
}

/// A number in 32 bits, or the largest of these.
fn saturated(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
