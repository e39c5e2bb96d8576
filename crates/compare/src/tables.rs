//! Changes of tables: captions, notes, rows, columns and cells.

use foldhash::HashSet;
use norma_model::Quantity;
use norma_model::table::{Cell, CellMatrix, CellQuantity, Grid};

use crate::comparison::{CellChange, Change, LineChange, PartRelation, TableChange};
use crate::facets::FacetContext;
use crate::features::normalized;
use crate::lines::{AlignedLines, GridLine, columns, rows};
use crate::part_links::{PartLinks, caption};
use crate::quantities::QuantityDifference;
use crate::units::{NumberedPart, NumberedPartKind};

/// Most changed cells of a table that are listed.
const LISTED: usize = 100;
/// Most rows, and most columns, of a table that are listed.
const LINES: usize = 1000;

/// The change of each table: in the order of the newer edition, then the removed ones.
pub(crate) fn tables(context: &FacetContext<'_>, links: &PartLinks) -> Vec<TableChange> {
    let (older, newer) = (&context.older.parts, &context.newer.parts);
    let mut changes = Vec::new();
    for (to, part) in newer.iter().enumerate() {
        if part.kind != NumberedPartKind::Table {
            continue;
        }
        changes.push(match links.to_older[to] {
            Some(from) => compared(context, from as usize, to),
            None => without_details(PartRelation::New, None, Some(to)),
        });
    }
    for (from, part) in older.iter().enumerate() {
        if part.kind == NumberedPartKind::Table && links.to_newer[from].is_none() {
            changes.push(without_details(PartRelation::Removed, Some(from), None));
        }
    }
    changes
}

/// A change of a table as a whole.
fn without_details(relation: PartRelation, older: Option<usize>, newer: Option<usize>) -> TableChange {
    TableChange {
        relation,
        older,
        newer,
        caption: None,
        notes_changed: false,
        changed_cells: 0,
        cells: Vec::new(),
        rows: Vec::new(),
        columns: Vec::new(),
    }
}

/// The change of a table that is in both editions.
fn compared(context: &FacetContext<'_>, from: usize, to: usize) -> TableChange {
    let (a, b) = (&context.older.parts[from], &context.newer.parts[to]);
    let mut change = without_details(PartRelation::Same, Some(from), Some(to));
    if caption(a) != caption(b) {
        let older = a.caption.clone().unwrap_or_default();
        let newer = b.caption.clone().unwrap_or_default();
        change.caption = Some(Change { older, newer });
    }
    if let (Some(x), Some(y)) = (&a.grid, &b.grid) {
        compare_grids(x, y, &mut change);
    } else if a.digest.is_none() || a.digest != b.digest {
        // One table is too large for its cells to be read.
        change.relation = PartRelation::Changed;
    }
    if has_details(&change) {
        change.relation = PartRelation::Changed;
    }
    if change.relation == PartRelation::Same && is_moved(context, a, b) {
        change.relation = PartRelation::Moved;
    }
    change
}

fn has_details(change: &TableChange) -> bool {
    change.caption.is_some()
        || change.notes_changed
        || change.changed_cells > 0
        || !change.rows.is_empty()
        || !change.columns.is_empty()
}

/// A table is moved if both editions have it in a section, and the two do not correspond.
fn is_moved(context: &FacetContext<'_>, a: &NumberedPart, b: &NumberedPart) -> bool {
    let (Some(from), Some(to)) = (a.section, b.section) else { return false };
    !context.links.linked(context.homes[0][from], context.homes[1][to])
}

/// Says in `change` what differs between the cells and notes of two tables.
fn compare_grids(x: &Grid, y: &Grid, change: &mut TableChange) {
    change.notes_changed = notes(x) != notes(y);
    let (a, b) = (x.matrix(), y.matrix());
    let (a_rows, b_rows) = (rows(&a), rows(&b));
    let (a_columns, b_columns) = (columns(x, &a), columns(y, &b));
    let one_column = a_columns.len() == 1 && b_columns.len() == 1;
    let row_pairs = AlignedLines::of(&a_rows, &b_rows, one_column);
    let column_pairs = AlignedLines::of(&a_columns, &b_columns, a_columns.len() == b_columns.len());
    change.rows = line_changes(&row_pairs, &a_rows, &b_rows, false);
    change.columns = line_changes(&column_pairs, &a_columns, &b_columns, true);
    // A cell that spans several rows or columns is counted once.
    let mut seen = HashSet::default();
    let column_pairs = column_pairs.both();
    for (from, to) in row_pairs.both() {
        for &(c, d) in &column_pairs {
            let (old, new) = (cell(&a, from, c), cell(&b, to, d));
            let renamed = normalized(&a_columns[c].head) != normalized(&b_columns[d].head);
            let Some(mut found) = cell_change(old, new, renamed) else { continue };
            if !seen.insert((old.map(std::ptr::from_ref), new.map(std::ptr::from_ref))) {
                continue;
            }
            change.changed_cells += 1;
            if change.cells.len() < LISTED {
                found.row = b_rows[to].head.as_str().into();
                found.column = b_columns[d].head.as_str().into();
                change.cells.push(found);
            }
        }
    }
}

fn cell<'a>(matrix: &CellMatrix<'a>, row: usize, column: usize) -> Option<&'a Cell> {
    matrix[row][column]
}

/// The notes around the cells of a grid, then its footnotes.
fn notes(grid: &Grid) -> Vec<String> {
    let footnotes = grid.footnotes.iter().map(|footnote| &footnote.text);
    grid.notes.iter().chain(footnotes).map(|text| normalized(text)).collect()
}

/// The change of a cell. `renamed`: the head of its column differs, which may give it another unit.
fn cell_change(old: Option<&Cell>, new: Option<&Cell>, renamed: bool) -> Option<CellChange> {
    let text = Change { older: text_of(old), newer: text_of(new) };
    let equal = normalized(&text.older) == normalized(&text.newer);
    let quantity = match (quantity_of(old), quantity_of(new)) {
        (Some(x), Some(y)) => Some(Change { older: Quantity::from(x), newer: Quantity::from(y) }),
        _ => None,
    };
    let mut difference = QuantityDifference::default();
    let same = if let Some(Change { older, newer }) = &quantity {
        difference = QuantityDifference::of(older, newer);
        // Equal texts may be other values in a column of another unit; unequal ones may be one value.
        equal && renamed || !difference.value && !difference.comparator
    } else {
        equal
    };
    if same {
        return None;
    }
    let QuantityDifference { value: value_changed, comparator: bound_changed } = difference;
    let (row, column) = Default::default();
    Some(CellChange { row, column, text, quantity, value_changed, bound_changed })
}

/// The text of a cell, empty where there is no cell.
fn text_of(cell: Option<&Cell>) -> Box<str> {
    match cell {
        Some(cell) => cell.text.clone(),
        None => Box::default(),
    }
}

fn quantity_of(cell: Option<&Cell>) -> Option<&CellQuantity> {
    cell?.quantity.as_deref()
}

/// Lines that came, went, moved, or have another head where that is looked at.
fn line_changes(
    lines: &AlignedLines,
    a: &[GridLine<'_>],
    b: &[GridLine<'_>],
    with_heads: bool,
) -> Vec<LineChange> {
    let in_order: HashSet<usize> = lines.in_order().into_iter().collect();
    let mut changes = Vec::new();
    for &(from, to) in &lines.pairs {
        let relation = match (from, to) {
            (None, _) => PartRelation::New,
            (_, None) => PartRelation::Removed,
            (Some(from), Some(to)) if with_heads && normalized(&a[from].head) != normalized(&b[to].head) => {
                PartRelation::Changed
            }
            (Some(from), _) if !in_order.contains(&from) => PartRelation::Moved,
            _ => continue,
        };
        changes.push(LineChange {
            relation,
            older: from.map(|from| a[from].head.as_str().into()),
            newer: to.map(|to| b[to].head.as_str().into()),
        });
        if changes.len() == LINES {
            break;
        }
    }
    changes
}
