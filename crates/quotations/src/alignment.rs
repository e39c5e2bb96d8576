//! The alignment of a quotation with the words of a unit: which word is which, at the least cost. The
//! quotation is used whole; the unit may have more before and after it, and at an ellipsis.

use std::ops::Range;

use norma_provisions::is_unit_symbol;

use crate::target::TargetWord;
use crate::tokenizer::levels::levels_agree;
use crate::tokenizer::numbers::in_notation;
use crate::tokenizer::{PrintedWord, WordKind};

/// Cost of a word that is only in the quotation, or only in the unit.
const ONE_SIDED: u16 = 2;
/// Cost of a word instead of another, of the same kind and of another kind. It is less than that of both
/// words on one side, so that a changed word is named with the one that it replaces.
const REPLACED: u16 = 2;
const REPLACED_BY_OTHER_KIND: u16 = 3;
/// Most words that are one word on the other side: `non return valve`.
const MOST_JOINED: usize = 3;

/// A step of an alignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StepKind {
    /// The words are the same.
    Same,
    /// A word for another one.
    Replaced,
    /// A word of the quotation that the unit has not.
    Added,
    /// A word of the unit that the quotation has not, where it does not say that something is left out.
    Dropped,
    /// A word that counts on no side: the mark of a footnote, a label.
    Passed,
    /// A word that an ellipsis is for.
    Omitted,
}

/// A step with the words of both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AlignmentStep {
    pub(crate) kind: StepKind,
    pub(crate) quoted: Range<usize>,
    pub(crate) actual: Range<usize>,
}

/// The alignment of a quotation with the words of a target.
#[derive(Clone, Debug)]
pub(crate) struct Alignment {
    /// 0 where each word of the quotation is there, in order.
    pub(crate) cost: u16,
    /// In order; `actual` are indices of the target's words.
    pub(crate) steps: Vec<AlignmentStep>,
}

/// One way into a cell of the table of costs.
#[derive(Clone, Copy, Default)]
struct CostCell {
    cost: u16,
    /// Words of the quotation and of the unit in the last step.
    quoted: u8,
    actual: u8,
}

/// Aligns a quotation with some words of a target. `is_label` says of each word of the quotation whether it
/// may be a label in front of a text.
pub(crate) fn align(
    quoted: &[PrintedWord],
    is_label: &[bool],
    actual: &[TargetWord],
    decimal: Option<char>,
) -> Alignment {
    let table = CostTable::new(quoted, is_label, actual, decimal);
    table.best()
}

struct CostTable<'a> {
    quoted: &'a [PrintedWord],
    is_label: &'a [bool],
    actual: &'a [TargetWord],
    decimal: Option<char>,
    cells: Vec<CostCell>,
}

impl<'a> CostTable<'a> {
    fn new(
        quoted: &'a [PrintedWord],
        is_label: &'a [bool],
        actual: &'a [TargetWord],
        decimal: Option<char>,
    ) -> Self {
        let cells = vec![CostCell::default(); (quoted.len() + 1) * (actual.len() + 1)];
        let mut table = Self { quoted, is_label, actual, decimal, cells };
        for row in 1..=quoted.len() {
            for column in 0..=actual.len() {
                let index = table.index(row, column);
                table.cells[index] = table.cheapest(row, column);
            }
        }
        table
    }

    fn index(&self, row: usize, column: usize) -> usize {
        row * (self.actual.len() + 1) + column
    }

    /// The cost of a cell that a step comes from, with the cost of the step.
    fn from(&self, (row, column): (usize, usize), quoted: usize, actual: usize, cost: u16) -> CostCell {
        let before = self.cells[self.index(row - quoted, column - actual)];
        CostCell { cost: before.cost.saturating_add(cost), quoted: quoted as u8, actual: actual as u8 }
    }

    /// The cheapest way into a cell; of several the first: the same words, another word, a word less, a word
    /// more.
    fn cheapest(&self, row: usize, column: usize) -> CostCell {
        let at = (row, column);
        let mut best = CostCell { cost: u16::MAX, quoted: 0, actual: 0 };
        let mut take = |cell: CostCell| {
            if cell.cost < best.cost {
                best = cell;
            }
        };
        if column > 0 {
            let (quoted, actual) = (&self.quoted[row - 1], &self.actual[column - 1].word);
            if is_same(quoted, actual, self.decimal) {
                take(self.from(at, 1, 1, 0));
            } else {
                for joined in 2..=MOST_JOINED {
                    if row >= joined && is_joined(self.quoted[row - joined..row].iter(), actual) {
                        take(self.from(at, joined, 1, 0));
                    }
                    if column >= joined {
                        let words = self.actual[column - joined..column].iter().map(|word| &word.word);
                        if is_joined(words, quoted) {
                            take(self.from(at, 1, joined, 0));
                        }
                    }
                }
                let cost = if quoted.kind == actual.kind { REPLACED } else { REPLACED_BY_OTHER_KIND };
                take(self.from(at, 1, 1, cost));
            }
            take(self.from(at, 0, 1, self.cost_of_dropping(row, column)));
        }
        take(self.from(at, 1, 0, self.cost_of_adding(row, column)));
        best
    }

    fn cost_of_dropping(&self, row: usize, column: usize) -> u16 {
        let is_free = self.actual[column - 1].is_optional || self.is_at_ellipsis(row);
        if is_free { 0 } else { ONE_SIDED }
    }

    /// Whether the quotation has an ellipsis behind its first words.
    fn is_at_ellipsis(&self, row: usize) -> bool {
        self.quoted.get(row).is_some_and(|next| next.after_ellipsis)
    }

    fn cost_of_adding(&self, row: usize, column: usize) -> u16 {
        let word = &self.quoted[row - 1];
        let next = self.actual.get(column);
        let is_label = self.is_label[row - 1] && next.is_some_and(|next| next.is_start);
        // Between a lead-in and its item, `3 : 5 mm` has no ratio.
        let last = column.checked_sub(1).and_then(|index| self.actual.get(index));
        let is_between = last.zip(next).is_some_and(|(last, next)| last.piece != next.piece);
        let is_free = is_label || is_between && word.key == ":" || word.is_footnote_mark;
        if is_free { 0 } else { ONE_SIDED }
    }

    /// The alignment of the least cost. Of several with the same cost, one whose last word is the same or
    /// replaces another, and of these the first.
    fn best(&self) -> Alignment {
        let last = self.quoted.len();
        let mut end = 0;
        let mut least = (u16::MAX, true);
        for column in 0..=self.actual.len() {
            let cell = self.cells[self.index(last, column)];
            let rank = (cell.cost, cell.actual == 0 || cell.quoted == 0);
            if rank < least {
                (least, end) = (rank, column);
            }
        }
        Alignment { cost: least.0, steps: self.steps_to(last, end) }
    }

    fn steps_to(&self, mut row: usize, mut column: usize) -> Vec<AlignmentStep> {
        let mut steps = Vec::new();
        while row > 0 {
            let cell = self.cells[self.index(row, column)];
            let (quoted, actual) = (usize::from(cell.quoted), usize::from(cell.actual));
            let kind = self.kind_of(row, column, quoted, actual);
            steps.push(AlignmentStep { kind, quoted: row - quoted..row, actual: column - actual..column });
            row -= quoted;
            column -= actual;
        }
        steps.reverse();
        steps
    }

    fn kind_of(&self, row: usize, column: usize, quoted: usize, actual: usize) -> StepKind {
        match (quoted, actual) {
            (1, 1) => {
                let (quoted, actual) = (&self.quoted[row - 1], &self.actual[column - 1].word);
                if is_same(quoted, actual, self.decimal) { StepKind::Same } else { StepKind::Replaced }
            }
            (1, 0) if self.cost_of_adding(row, column) == 0 => StepKind::Passed,
            (1, 0) => StepKind::Added,
            (0, 1) if self.actual[column - 1].is_optional => StepKind::Passed,
            (0, 1) if self.is_at_ellipsis(row) => StepKind::Omitted,
            (0, 1) => StepKind::Dropped,
            _ => StepKind::Same,
        }
    }
}

/// Whether two words are the same.
pub(crate) fn is_same(quoted: &PrintedWord, actual: &PrintedWord, decimal: Option<char>) -> bool {
    if quoted.key == actual.key {
        // `d^2` is not `d_2`.
        if !levels_agree(&quoted.levels, &actual.levels) {
            return false;
        }
        // `mW` is not `MW`, and `8 kN` not `8 KN`.
        return quoted.written == actual.written
            || !(quoted.keeps_case
                || actual.keeps_case
                || is_unit_symbol(&quoted.written) && is_unit_symbol(&actual.written));
    }
    let are_numbers = quoted.kind == WordKind::Number && actual.kind == WordKind::Number;
    are_numbers && in_notation(&quoted.key, decimal) == in_notation(&actual.key, decimal)
}

/// Whether some words are one word without the spaces and dashes between them: `non return`, `12 000`. Units
/// are not: `5 m s` is not `5 ms`.
fn is_joined<'w>(parts: impl Iterator<Item = &'w PrintedWord>, whole: &PrintedWord) -> bool {
    let mut rest = whole.key.as_str();
    let mut at = 0;
    let mut has_unit = whole.is_unit;
    for (index, part) in parts.enumerate() {
        let is_dash = part.kind == WordKind::Sign && part.is_footnote_mark;
        if is_dash && index > 0 && whole.kind == WordKind::Letters {
            continue;
        }
        let fits = match (whole.kind, index) {
            (WordKind::Sign, _) => false,
            (kind, 0) => part.kind == kind,
            (WordKind::Letters, _) => part.kind != WordKind::Sign && !part.after_ellipsis,
            (WordKind::Number, _) => part.is_group() && !part.after_ellipsis && !part.after_mark,
        };
        match rest.strip_prefix(part.key.as_str()) {
            Some(after) if fits => rest = after,
            _ => return false,
        }
        if !levels_agree(whole.levels.get(at..).unwrap_or_default(), &part.levels) {
            return false;
        }
        at += part.written.chars().count();
        has_unit |= part.is_unit;
    }
    rest.is_empty() && !has_unit
}
