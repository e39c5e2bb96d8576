//! Heads of columns: the first rows of a table that are heads, by marks of the source or by their form.

use super::table_grid::TableText;
use crate::text::written_table::{WrittenCell, WrittenRow};

/// The heads of the columns of a table.
pub(super) struct Heads {
    /// Number of its first rows that are heads.
    pub(super) rows: usize,
    /// The source does not mark at least one of these rows.
    pub(super) derived: bool,
}

impl TableText<'_> {
    /// The first rows that are heads of columns: those that the source marks, else one that has the form of
    /// heads.
    pub(super) fn heads(&self) -> Heads {
        let rows = &self.written.rows;
        let marked = rows.iter().take_while(|row| is_marked_head(row)).count();
        let has_marks = rows.iter().any(|row| row.in_head || row.cells.iter().any(|cell| cell.is_head));
        // A cell across the table is its title, and not a head of a column.
        let has_marked_title = marked > 0 && rows[..marked].iter().all(|row| row.cells.len() == 1);
        let may_have_unmarked = !has_marks || has_marked_title;
        let has_form = may_have_unmarked && self.has_form_of_heads(&rows[marked..]);
        let reached = reached_rows(rows, marked + usize::from(has_form));
        let goes_on = reached > 0 && self.goes_on(&rows[..reached], &rows[reached..]);
        Heads { rows: reached + usize::from(goes_on), derived: has_form || goes_on }
    }

    /// The first of these rows has the form of heads if all its cells are bold, and not all below; or if it
    /// has no number, and most rows below have one.
    fn has_form_of_heads(&self, rows: &[WrittenRow]) -> bool {
        let Some((first, below)) = rows.split_first() else { return false };
        if below.is_empty() || filled(first).count() < 2 {
            return false;
        }
        if is_bold(first) && !below.iter().all(is_bold) {
            return true;
        }
        if filled(first).any(|cell| norma_provisions::has_number(self.slice(&cell.text))) {
            return false;
        }
        let with_values = below.iter().filter(|row| self.has_value(row)).count();
        2 * with_values > below.len()
    }

    /// A value is not in the first column, which may number the rows.
    fn has_value(&self, row: &WrittenRow) -> bool {
        filled(row).any(|cell| cell.column > 0 && self.is_value(cell))
    }

    /// The first of these rows continues the heads above if it divides columns under a head with a span, or
    /// has the units of columns. It has words where the rows below have values.
    fn goes_on(&self, heads: &[WrittenRow], rows: &[WrittenRow]) -> bool {
        let Some((first, below)) = rows.split_first() else { return false };
        if below.is_empty() || !filled(first).any(|cell| cell.column > 0) {
            return false;
        }
        if filled(first).any(|cell| self.is_value(cell)) {
            return false;
        }
        // A row of data has its own head in the first column, and no units alone.
        let is_row_of_data = filled(first).any(|cell| cell.column == 0)
            && !filled(first).any(|cell| self.ends_with_unit(cell));
        let divides_columns = !is_row_of_data && filled(first).any(|cell| is_below_span(heads, cell.column));
        for cell in filled(first) {
            if cell.column == 0 {
                continue;
            }
            if !self.has_values_below(cell.column, below) {
                return false;
            }
            let is_part = divides_columns && cell.columns == 1;
            if !is_part && !norma_provisions::is_unit_symbol(self.slice(&cell.text)) {
                return false;
            }
        }
        true
    }

    fn ends_with_unit(&self, cell: &WrittenCell) -> bool {
        let last_word = self.slice(&cell.text).rsplit([' ', '\n', '/']).next().unwrap_or_default();
        norma_provisions::is_unit_symbol(last_word)
    }

    /// Most cells that begin in the column are values.
    fn has_values_below(&self, column: usize, rows: &[WrittenRow]) -> bool {
        let mut cells = 0;
        let mut values = 0;
        for cell in rows.iter().flat_map(filled) {
            if cell.column == column {
                cells += 1;
                values += usize::from(self.is_value(cell));
            }
        }
        2 * values > cells
    }

    /// A value begins with a number, signs before it aside.
    fn is_value(&self, cell: &WrittenCell) -> bool {
        let text = self.slice(&cell.text).trim_start_matches(|c: char| !c.is_alphanumeric());
        text.starts_with(|c: char| c.is_ascii_digit())
    }
}

/// The cells of a row that have words.
fn filled(row: &WrittenRow) -> impl Iterator<Item = &WrittenCell> {
    row.cells.iter().filter(|cell| !cell.text.is_empty())
}

/// The source marks heads of columns by the head of the table, by the cells of a row, or by both.
fn is_marked_head(row: &WrittenRow) -> bool {
    if row.in_head {
        return true;
    }
    // The only cell of a row that does not span is the head of that row.
    let may_head_columns = filled(row).any(|cell| row.cells.len() > 1 || cell.columns > 1);
    may_head_columns && filled(row).all(|cell| cell.is_head && !cell.is_row_head)
}

/// Cells without words may be of any weight.
fn is_bold(row: &WrittenRow) -> bool {
    filled(row).all(|cell| cell.is_bold)
}

/// The last row of heads has a cell that fills this column and others.
fn is_below_span(heads: &[WrittenRow], column: usize) -> bool {
    let Some(last) = heads.last() else { return false };
    last.cells
        .iter()
        .any(|cell| cell.columns > 1 && (cell.column..cell.column + cell.columns).contains(&column))
}

/// Number of first rows that are heads where this many begin one: rows into which a head reaches are heads
/// too, unless no row is left then.
fn reached_rows(rows: &[WrittenRow], heads: usize) -> usize {
    let mut reached = heads;
    for (at, row) in rows.iter().take(heads).enumerate() {
        for cell in &row.cells {
            reached = reached.max(at.saturating_add(cell.rows));
        }
    }
    if reached < rows.len() { reached } else { heads }
}
