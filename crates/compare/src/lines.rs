//! Alignment of the rows, and of the columns, of two tables: by their heads, by equal cells, or by order.

use std::cmp::Reverse;

use foldhash::HashMap;
use norma_model::table::{Cell, CellMatrix, Grid, row_head};

use crate::alignment::AlignedPair;
use crate::features::normalized;

/// Least share of equal cells of corresponding rows or columns with different heads.
const ALIKE: f32 = 0.5;
/// Most rows or columns with different heads that are compared with each other.
const COMPARED: usize = 256;

/// A row or column with the keys for comparing it.
pub(crate) struct GridLine<'a> {
    /// The texts of its head cells; for a row without those the text of its first cell.
    pub(crate) head: String,
    /// The texts of its cells that are not empty, sorted.
    texts: Vec<&'a str>,
}

impl GridLine<'_> {
    /// The head in the form for comparing it.
    fn key(&self) -> String {
        normalized(&self.head).to_lowercase()
    }
}

pub(crate) fn rows<'a>(matrix: &CellMatrix<'a>) -> Vec<GridLine<'a>> {
    let mut lines = Vec::with_capacity(matrix.len());
    for row in matrix {
        lines.push(GridLine { head: row_head(row), texts: sorted_texts(row.iter().copied()) });
    }
    lines
}

pub(crate) fn columns<'a>(grid: &Grid, matrix: &CellMatrix<'a>) -> Vec<GridLine<'a>> {
    let mut lines = Vec::with_capacity(grid.columns.len());
    for (column, head) in grid.columns.iter().enumerate() {
        let texts = sorted_texts(matrix.iter().map(|row| row[column]));
        lines.push(GridLine { head: head.head().into_owned(), texts });
    }
    lines
}

/// The texts of cells that are not empty, sorted.
fn sorted_texts<'a>(cells: impl Iterator<Item = Option<&'a Cell>>) -> Vec<&'a str> {
    let mut texts: Vec<&str> = Vec::new();
    for cell in cells.flatten() {
        if !cell.text.is_empty() {
            texts.push(&cell.text);
        }
    }
    texts.sort_unstable();
    texts
}

/// Which rows or columns of two tables correspond: in the order of the newer table, then the removed ones.
pub(crate) struct AlignedLines {
    pub(crate) pairs: Vec<AlignedPair>,
}

impl AlignedLines {
    /// Aligns lines by equal heads in their order, then by equal cells, then, with `by_order`, in the order
    /// of the remaining ones.
    pub(crate) fn of(a: &[GridLine<'_>], b: &[GridLine<'_>], by_order: bool) -> Self {
        let mut search = LineSearch { a, b, to_newer: vec![None; a.len()], to_older: vec![None; b.len()] };
        search.by_heads();
        search.by_cells();
        if by_order {
            search.by_order();
        }
        let mut pairs = Vec::with_capacity(b.len());
        for (to, from) in search.to_older.into_iter().enumerate() {
            pairs.push((from, Some(to)));
        }
        for (from, to) in search.to_newer.into_iter().enumerate() {
            if to.is_none() {
                pairs.push((Some(from), None));
            }
        }
        Self { pairs }
    }

    /// The lines that are in both tables.
    pub(crate) fn both(&self) -> Vec<(usize, usize)> {
        self.pairs.iter().filter_map(|&(from, to)| from.zip(to)).collect()
    }

    /// Lines of the older table that are in the newer one in the same order: as many as possible.
    pub(crate) fn in_order(&self) -> Vec<usize> {
        let mut older = Vec::new();
        for (from, _) in self.both() {
            older.push(from);
        }
        longest_increasing(&older)
    }
}

/// The search for corresponding lines.
struct LineSearch<'a> {
    a: &'a [GridLine<'a>],
    b: &'a [GridLine<'a>],
    /// The counterpart of each line of `a`.
    to_newer: Vec<Option<usize>>,
    /// The counterpart of each line of `b`.
    to_older: Vec<Option<usize>>,
}

impl LineSearch<'_> {
    fn link(&mut self, from: usize, to: usize) {
        self.to_newer[from] = Some(to);
        self.to_older[to] = Some(from);
    }

    /// Lines without counterpart, at most so many of each table.
    fn free(&self, most: usize) -> (Vec<usize>, Vec<usize>) {
        let left = (0..self.a.len()).filter(|&from| self.to_newer[from].is_none()).take(most);
        let right = (0..self.b.len()).filter(|&to| self.to_older[to].is_none()).take(most);
        (left.collect(), right.collect())
    }

    /// Links lines with the same head: of several those with the same cells, or else the first.
    fn by_heads(&mut self) {
        // Lines of `b` by head, the last one first.
        let mut known: HashMap<String, Vec<usize>> = HashMap::default();
        for (index, line) in self.b.iter().enumerate().rev() {
            known.entry(line.key()).or_default().push(index);
        }
        for (from, line) in self.a.iter().enumerate() {
            if line.head.is_empty() {
                continue;
            }
            let Some(same) = known.get_mut(&line.key()) else { continue };
            let own = same.iter().rposition(|&to| self.b[to].texts == line.texts);
            if let Some(at) = own.or(same.len().checked_sub(1)) {
                let to = same.remove(at);
                self.link(from, to);
            }
        }
    }

    /// Links lines that have most of their cells in common, the most similar ones first.
    fn by_cells(&mut self) {
        let (left, right) = self.free(COMPARED);
        let mut alike: Vec<AlikeLines> = Vec::new();
        for &from in &left {
            for &to in &right {
                let share = share(&self.a[from].texts, &self.b[to].texts);
                if share >= ALIKE {
                    alike.push(AlikeLines { share, from, to });
                }
            }
        }
        alike.sort_unstable_by_key(AlikeLines::order);
        for AlikeLines { from, to, .. } in alike {
            if self.to_newer[from].is_none() && self.to_older[to].is_none() {
                self.link(from, to);
            }
        }
    }

    /// Links the remaining lines in their order, if there are as many in both tables.
    fn by_order(&mut self) {
        let (left, right) = self.free(usize::MAX);
        if left.len() == right.len() {
            for (from, to) in left.into_iter().zip(right) {
                self.link(from, to);
            }
        }
    }
}

/// Two lines with cells in common.
struct AlikeLines {
    share: f32,
    from: usize,
    to: usize,
}

impl AlikeLines {
    /// The key by which lines are sorted: the largest share first, then the nearest. It is the same for
    /// exchanged tables.
    fn order(&self) -> (Reverse<u32>, usize, usize, usize) {
        let Self { share, from, to } = *self;
        (Reverse(share.to_bits()), from.abs_diff(to), from.min(to), from.max(to))
    }
}

/// Share of texts that are in both of two sorted lists: 0 to 1.
fn share(a: &[&str], b: &[&str]) -> f32 {
    if a.is_empty() && b.is_empty() {
        return 0.0;
    }
    let (mut i, mut j, mut common) = (0, 0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        common += usize::from(x == y);
        (i, j) = (i + usize::from(x <= y), j + usize::from(y <= x));
    }
    2.0 * common as f32 / (a.len() + b.len()) as f32
}

/// A longest increasing subsequence.
fn longest_increasing(values: &[usize]) -> Vec<usize> {
    // For each length the index of the least last value of a subsequence of it.
    let mut ends: Vec<usize> = Vec::new();
    // For each value the index of the one before it in such a subsequence.
    let mut before: Vec<Option<usize>> = vec![None; values.len()];
    for (index, value) in values.iter().enumerate() {
        let length = ends.partition_point(|&end| values[end] < *value);
        if length > 0 {
            before[index] = Some(ends[length - 1]);
        }
        if length == ends.len() {
            ends.push(index);
        } else {
            ends[length] = index;
        }
    }
    let mut found = Vec::with_capacity(ends.len());
    let mut next = ends.last().copied();
    while let Some(index) = next {
        found.push(values[index]);
        next = before[index];
    }
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line<'a>(head: &str, texts: &[&'a str]) -> GridLine<'a> {
        GridLine { head: head.to_owned(), texts: texts.to_vec() }
    }

    #[test]
    fn lines_are_aligned_by_heads_then_by_cells_then_by_order() {
        let older = [line("A", &["1", "2"]), line("B", &["3", "4"]), line("C", &["5"]), line("D", &["6"])];
        let newer = [line("a", &["9"]), line("X", &["3", "4"]), line("Y", &["8"])];
        let pairs = |by_order| AlignedLines::of(&older, &newer, by_order).pairs;
        let by_cells =
            [(Some(0), Some(0)), (Some(1), Some(1)), (None, Some(2)), (Some(2), None), (Some(3), None)];
        assert_eq!(pairs(false), by_cells);
        assert_eq!(pairs(true), by_cells, "two lines are left for one");
    }

    #[test]
    fn a_longest_increasing_subsequence_leaves_out_the_fewest_values() {
        assert_eq!(longest_increasing(&[3, 0, 1, 4, 2, 5]), [0, 1, 2, 5]);
        assert!(longest_increasing(&[]).is_empty());
    }
}
