//! Comparison of tables: rows by their heads and equal cells, columns by their heads, then cell by cell.

use foldhash::{HashMap, HashSet};
use norma_model::Quantity;
use norma_model::table::{Cell, Grid};

use crate::comparison::{CellChange, Change, LineChange, PartRelation, TableChange};
use crate::facets::{FacetContext, of_quantities};
use crate::features::normalized;
use crate::part_links::{PartLinks, caption};
use crate::units::{NumberedPart, NumberedPartKind};

/// Changed cells of a table that are listed.
const LISTED: usize = 100;
/// Rows and columns of a table that are listed.
const LINES: usize = 1000;
/// Least share of equal cells of corresponding rows or columns with different heads.
const ALIKE: f32 = 0.5;
/// Most rows or columns with different heads that are compared with each other.
const COMPARED: usize = 256;

/// The change of each table: in the order of the newer edition, then the removed ones.
pub(crate) fn tables(context: &FacetContext<'_>, links: &PartLinks) -> Vec<TableChange> {
    let (older, newer) = (&context.older.parts, &context.newer.parts);
    let is_table = |part: &NumberedPart| part.kind == NumberedPartKind::Table;
    let alone = |relation, older, newer| TableChange {
        relation,
        older,
        newer,
        caption: None,
        notes_changed: false,
        changed_cells: 0,
        cells: Vec::new(),
        rows: Vec::new(),
        columns: Vec::new(),
    };
    let in_newer =
        newer.iter().enumerate().filter(|(_, part)| is_table(part)).map(|(index, part)| {
            match links.to_older[index] {
                None => alone(PartRelation::New, None, Some(index)),
                Some(from) => {
                    let (from, to) = (from as usize, index);
                    let mut change = alone(PartRelation::Same, Some(from), Some(to));
                    compare(&older[from], part, &mut change);
                    let home = |side: usize, section: Option<usize>| {
                        section.map(|section| context.homes[side][section])
                    };
                    let homes = home(0, older[from].section).zip(home(1, part.section));
                    if change.relation == PartRelation::Same
                        && homes.is_some_and(|(s, t)| !context.links.linked(s, t))
                    {
                        change.relation = PartRelation::Moved;
                    }
                    change
                }
            }
        });
    let removed =
        older.iter().enumerate().filter(|(index, part)| is_table(part) && links.to_newer[*index].is_none());
    in_newer.chain(removed.map(|(index, _)| alone(PartRelation::Removed, Some(index), None))).collect()
}

/// Says in `change` what differs between two tables.
fn compare(a: &NumberedPart, b: &NumberedPart, change: &mut TableChange) {
    if caption(a) != caption(b) {
        let text = |part: &NumberedPart| part.caption.clone().unwrap_or_default();
        change.caption = Some(Change { older: text(a), newer: text(b) });
    }
    let equal = a.digest.is_some() && a.digest == b.digest;
    match (&a.grid, &b.grid) {
        (Some(x), Some(y)) => compare_grids(x, y, change),
        _ if !equal => change.relation = PartRelation::Changed,
        _ => {}
    }
    let TableChange { caption, notes_changed, changed_cells, rows, columns, .. } = change;
    if caption.is_some() || *notes_changed || *changed_cells > 0 || !rows.is_empty() || !columns.is_empty() {
        change.relation = PartRelation::Changed;
    }
}

/// A row or column with the keys for comparing it.
struct GridLine<'a> {
    head: String,
    /// Its texts that are not empty, sorted.
    texts: Vec<&'a str>,
}

/// The cells of a grid by row and column; cells with spans are repeated.
type Matrix<'a> = Vec<Vec<Option<&'a Cell>>>;

fn matrix(grid: &Grid) -> Matrix<'_> {
    let width = grid.columns.len();
    let mut rows: Matrix<'_> = vec![vec![None; width]; grid.rows.len()];
    for (index, row) in grid.rows.iter().enumerate() {
        for cell in row {
            let end = cell.column.saturating_add(cell.columns) as usize;
            let end_row = index.saturating_add(cell.rows as usize).min(grid.rows.len());
            for row in &mut rows[index..end_row] {
                let filled = row.get_mut(cell.column as usize..end.min(width));
                filled.into_iter().flatten().for_each(|slot| *slot = Some(cell));
            }
        }
    }
    rows
}

fn lines<'a>(grid: &'a Grid, matrix: &Matrix<'a>) -> [Vec<GridLine<'a>>; 2] {
    let sorted = |texts: &mut dyn Iterator<Item = &'a Cell>| {
        let mut texts: Vec<&str> = texts.map(|cell| &*cell.text).filter(|text| !text.is_empty()).collect();
        texts.sort_unstable();
        texts
    };
    let rows = matrix.iter().map(|row| {
        let mut heads: Vec<&str> =
            row.iter().flatten().filter(|cell| cell.is_head).map(|cell| &*cell.text).collect();
        heads.dedup();
        let first = || row.first().copied().flatten().map_or("", |cell| &*cell.text);
        let head = if heads.is_empty() { first().to_owned() } else { heads.join(" ") };
        GridLine { head, texts: sorted(&mut row.iter().flatten().copied()) }
    });
    let columns = grid.columns.iter().enumerate().map(|(column, head)| GridLine {
        head: head.head().into_owned(),
        texts: sorted(&mut matrix.iter().filter_map(|row| row[column])),
    });
    [rows.collect(), columns.collect()]
}

fn compare_grids(x: &Grid, y: &Grid, change: &mut TableChange) {
    change.notes_changed = notes(x) != notes(y);
    let (a, b) = (matrix(x), matrix(y));
    let ([a_rows, a_columns], [b_rows, b_columns]) = (lines(x, &a), lines(y, &b));
    let one_column = a_columns.len() == 1 && b_columns.len() == 1;
    let rows = matched(&a_rows, &b_rows, one_column);
    let columns = matched(&a_columns, &b_columns, a_columns.len() == b_columns.len());
    change.rows = line_changes(&rows, &a_rows, &b_rows, false);
    change.columns = line_changes(&columns, &a_columns, &b_columns, true);
    let mut seen = HashSet::default();
    for (from, to) in pairs(&rows) {
        for (c, d) in pairs(&columns) {
            let (old, new) = (a[from][c], b[to][d]);
            let id = |cell: Option<&Cell>| cell.map(std::ptr::from_ref);
            let renamed = normalized(&a_columns[c].head) != normalized(&b_columns[d].head);
            let Some(mut found) = cell_change(old, new, renamed) else { continue };
            if !seen.insert((id(old), id(new))) {
                continue;
            }
            change.changed_cells += 1;
            if change.cells.len() < LISTED {
                (found.row, found.column) =
                    (b_rows[to].head.as_str().into(), b_columns[d].head.as_str().into());
                change.cells.push(found);
            }
        }
    }
}

/// The notes around the cells of a grid, then its footnotes.
fn notes(grid: &Grid) -> Vec<String> {
    let footnotes = grid.footnotes.iter().map(|footnote| &footnote.text);
    grid.notes.iter().chain(footnotes).map(|text| normalized(text)).collect()
}

fn pairs(lines: &[(Option<usize>, Option<usize>)]) -> impl Iterator<Item = (usize, usize)> {
    lines.iter().filter_map(|(from, to)| from.zip(*to))
}

/// The change of a cell. `renamed`: the head of its column differs, which may give it another unit.
fn cell_change(old: Option<&Cell>, new: Option<&Cell>, renamed: bool) -> Option<CellChange> {
    let text = |cell: Option<&Cell>| -> Box<str> { cell.map_or_else(Box::default, |cell| cell.text.clone()) };
    let equal = normalized(&text(old)) == normalized(&text(new));
    let values =
        (old.and_then(|cell| cell.quantity.as_deref()), new.and_then(|cell| cell.quantity.as_deref()));
    let quantity = match values {
        (Some(x), Some(y)) => Some(Change { older: Quantity::from(x), newer: Quantity::from(y) }),
        _ => None,
    };
    let (value_changed, bound_changed) =
        quantity.as_ref().map_or((false, false), |change| of_quantities(&change.older, &change.newer));
    // Equal texts may be other values in a column of another unit; unequal ones may be one value.
    let same = match &quantity {
        Some(_) if equal && renamed => true,
        Some(_) => !value_changed && !bound_changed,
        None => equal,
    };
    let (row, column) = Default::default();
    let text = Change { older: text(old), newer: text(new) };
    (!same).then_some(CellChange { row, column, text, quantity, value_changed, bound_changed })
}

/// Pairs of lines: by equal heads in their order, then by equal cells, then, with `by_order`, in the order of
/// the remaining ones.
fn matched(a: &[GridLine<'_>], b: &[GridLine<'_>], by_order: bool) -> Vec<(Option<usize>, Option<usize>)> {
    let mut to_newer: Vec<Option<usize>> = vec![None; a.len()];
    let mut known: HashMap<String, Vec<usize>> = HashMap::default();
    let key = |line: &GridLine<'_>| normalized(&line.head).to_lowercase();
    for (index, line) in b.iter().enumerate().rev() {
        known.entry(key(line)).or_default().push(index);
    }
    let mut taken = vec![false; b.len()];
    // Lines without head, and those whose head occurs several times, first look for their own cells.
    for (from, line) in a.iter().enumerate() {
        let Some(same) = known.get_mut(&key(line)).filter(|_| !line.head.is_empty()) else { continue };
        let own = same.iter().rposition(|&to| b[to].texts == line.texts).or(same.len().checked_sub(1));
        if let Some(own) = own {
            let to = same.remove(own);
            (to_newer[from], taken[to]) = (Some(to), true);
        }
    }
    let left: Vec<usize> = (0..a.len()).filter(|&from| to_newer[from].is_none()).take(COMPARED).collect();
    let right: Vec<usize> = (0..b.len()).filter(|&to| !taken[to]).take(COMPARED).collect();
    let mut alike: Vec<(u32, usize, usize, usize)> = Vec::new();
    for &from in &left {
        for &to in &right {
            let share = share(&a[from].texts, &b[to].texts);
            if share >= ALIKE {
                alike.push((u32::MAX - share.to_bits(), from.abs_diff(to), to, from));
            }
        }
    }
    alike.sort_unstable_by_key(|&(share, apart, to, from)| (share, apart, from.min(to), from.max(to)));
    for (_, _, to, from) in alike {
        if to_newer[from].is_none() && !taken[to] {
            (to_newer[from], taken[to]) = (Some(to), true);
        }
    }
    if by_order {
        let free: Vec<usize> = (0..b.len()).filter(|&to| !taken[to]).collect();
        let from: Vec<usize> = (0..a.len()).filter(|&from| to_newer[from].is_none()).collect();
        if free.len() == from.len() {
            for (from, to) in from.into_iter().zip(free) {
                (to_newer[from], taken[to]) = (Some(to), true);
            }
        }
    }
    let mut to_older: Vec<Option<usize>> = vec![None; b.len()];
    to_newer.iter().enumerate().for_each(|(from, to)| to.iter().for_each(|&to| to_older[to] = Some(from)));
    let found = to_older.iter().enumerate().map(|(to, from)| (*from, Some(to)));
    let removed =
        to_newer.iter().enumerate().filter(|(_, to)| to.is_none()).map(|(from, _)| (Some(from), None));
    found.chain(removed).collect()
}

/// Share of texts that are in both lines: 0 to 1.
fn share(a: &[&str], b: &[&str]) -> f32 {
    let (mut i, mut j, mut common) = (0, 0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        common += usize::from(x == y);
        (i, j) = (i + usize::from(x <= y), j + usize::from(y <= x));
    }
    if a.is_empty() && b.is_empty() { 0.0 } else { 2.0 * common as f32 / (a.len() + b.len()) as f32 }
}

/// Lines that came, went, moved, or have another head.
fn line_changes(
    lines: &[(Option<usize>, Option<usize>)],
    a: &[GridLine<'_>],
    b: &[GridLine<'_>],
    with_heads: bool,
) -> Vec<LineChange> {
    let order: Vec<usize> = pairs(lines).map(|(from, _)| from).collect();
    let stays: HashSet<usize> = longest_increasing(&order).into_iter().collect();
    let head = |list: &[GridLine<'_>], index: Option<usize>| index.map(|index| Box::from(&*list[index].head));
    let change = |&(from, to): &(Option<usize>, Option<usize>)| {
        let relation = match (from, to) {
            (None, _) => PartRelation::New,
            (_, None) => PartRelation::Removed,
            (Some(from), Some(to)) if with_heads && normalized(&a[from].head) != normalized(&b[to].head) => {
                PartRelation::Changed
            }
            (Some(from), _) if !stays.contains(&from) => PartRelation::Moved,
            _ => return None,
        };
        Some(LineChange { relation, older: head(a, from), newer: head(b, to) })
    };
    lines.iter().filter_map(change).take(LINES).collect()
}

/// A longest increasing subsequence.
fn longest_increasing(values: &[usize]) -> Vec<usize> {
    // For each length the index of the least last value of a subsequence of it.
    let (mut ends, mut before): (Vec<usize>, Vec<Option<usize>>) = (Vec::new(), vec![None; values.len()]);
    for (index, value) in values.iter().enumerate() {
        let length = ends.partition_point(|&end| values[end] < *value);
        before[index] = length.checked_sub(1).map(|shorter| ends[shorter]);
        if length == ends.len() { ends.push(index) } else { ends[length] = index }
    }
    let chain = std::iter::successors(ends.last().copied(), |&index| before[index]);
    let mut found: Vec<usize> = chain.map(|index| values[index]).collect();
    found.reverse();
    found
}
