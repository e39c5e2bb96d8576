//! The words that differ between a quotation and a unit, and which of them matter.

use norma_compare::words::{compares, has_strength, negates};
use norma_provisions::{is_unit_symbol, plain_references, read_sentence, word_uses};

use crate::alignment::{AlignmentStep, StepKind};
use crate::omissions::{UnitReading, is_denial};
use crate::quotation::Quotation;
use crate::roles::LONGEST_SENTENCE;
use crate::target::PreparedUnit;
use crate::tokenizer::{PrintedWord, WordKind};
use crate::verdict::{CriticalChange, WordChange};

/// Signs that compare a value with another.
const COMPARING_SIGNS: [&str; 20] =
    ["<", ">", "≤", "≥", "=", "≠", "≈", "~", "⩽", "⩾", "≦", "≧", "≪", "≫", "≮", "≯", "≲", "≳", "≃", "≡"];
/// Signs that are a part of a number.
const NUMBER_SIGNS: [&str; 11] = ["-", "+", "±", "×", "/", "½", "¼", "¾", "∞", "·", "…"];
/// Signs that are a unit.
const UNIT_SIGNS: [&str; 5] = ["%", "‰", "°", "′", "″"];
/// Words before what something is compared with.
const THAN: [&str; 4] = ["than", "als", "que", "qu"];
/// Words before the number of a part that is not a clause, a table or a figure.
const PART_WORDS: [&str; 20] = [
    "step",
    "steps",
    "item",
    "items",
    "row",
    "rows",
    "column",
    "columns",
    "schritt",
    "schritte",
    "schritten",
    "zeile",
    "zeilen",
    "spalte",
    "spalten",
    "étape",
    "étapes",
    "ligne",
    "lignes",
    "colonne",
];
/// Most words between a number and a part of its unit.
const LONGEST_UNIT: usize = 5;

/// A quotation next to the unit that it is compared with.
pub(crate) struct Changes<'a, 't> {
    quotation: &'a Quotation,
    reading: &'a UnitReading<'a, 't>,
    /// Of each word of the quotation, whether it is in a reference.
    is_reference: Vec<bool>,
}

impl<'a, 't> Changes<'a, 't> {
    pub(crate) fn new(quotation: &'a Quotation, reading: &'a UnitReading<'a, 't>) -> Self {
        let mut is_reference = vec![false; quotation.words.len()];
        for range in plain_references(&quotation.text) {
            let start = quotation.text[..range.start].chars().count();
            let end = start + quotation.text[range].chars().count();
            for (word, is_reference) in quotation.words.iter().zip(&mut is_reference) {
                *is_reference |= word.start < end && start < word.end;
            }
        }
        Self { quotation, reading, is_reference }
    }

    /// The changes of an alignment, in order. Adjacent words that matter for the same reason are one change.
    pub(crate) fn all(&self, steps: &[AlignmentStep]) -> Vec<WordChange> {
        let mut found: Vec<(AlignmentStep, Option<CriticalChange>)> = Vec::new();
        for step in steps {
            if !matches!(step.kind, StepKind::Replaced | StepKind::Added | StepKind::Dropped) {
                continue;
            }
            let critical = self.critical(step);
            match found.last_mut() {
                Some((last, reason)) if *reason == critical && is_adjacent(last, step) => {
                    last.quoted.end = step.quoted.end;
                    last.actual.end = step.actual.end;
                }
                _ => found.push((step.clone(), critical)),
            }
        }
        self.mark_comparators(&mut found);
        let mut changes = Vec::with_capacity(found.len());
        for (step, critical) in found {
            changes.push(WordChange {
                quoted: self.quoted_text(&step),
                actual: self.reading.text_of(step.actual),
                critical,
            });
        }
        changes
    }

    /// Marks a change next to a value that both sides have, with another comparator: not all words that
    /// compare are in a list.
    fn mark_comparators(&self, found: &mut [(AlignmentStep, Option<CriticalChange>)]) {
        let Some(unit) = found.first().and_then(|(step, _)| self.unit(step)) else { return };
        let (quoted, _) = read_sentence(&self.quotation.text, unit.unit.language);
        let mut actual = unit.unit.quantities.to_vec();
        if actual.is_empty() && unit.unit.text.len() <= LONGEST_SENTENCE {
            actual = read_sentence(unit.unit.text, unit.unit.language).0;
        }
        for quantity in quoted {
            let Some(same) = actual.iter().find(|other| other.value == quantity.value) else { continue };
            let (Some(said), Some(meant)) = (quantity.comparator, same.comparator) else { continue };
            if said == meant {
                continue;
            }
            let start = quantity.passage.start as usize;
            let position = self.quotation.words.partition_point(|word| word.end <= start);
            let unmarked = found.iter_mut().filter(|(_, critical)| critical.is_none());
            let nearest = unmarked.min_by_key(|(step, _)| step.quoted.start.abs_diff(position));
            if let Some((_, critical)) = nearest {
                *critical = Some(CriticalChange::Comparator);
            }
        }
    }

    fn quoted_text(&self, step: &AlignmentStep) -> String {
        let words = &self.quotation.words[step.quoted.clone()];
        let (Some(first), Some(last)) = (words.first(), words.last()) else { return String::new() };
        self.quotation.text.chars().skip(first.start).take(last.end - first.start).collect()
    }

    /// Why the change of a step matters: by what the words are, in this order, since a number may be that of
    /// a reference, and a limit may have a negation.
    fn critical(&self, step: &AlignmentStep) -> Option<CriticalChange> {
        if self.is_of_reference(step) {
            return Some(CriticalChange::Reference);
        }
        if self.is_of_unit(step) {
            return Some(CriticalChange::Unit);
        }
        if self.is_of_number(step) {
            return Some(CriticalChange::Number);
        }
        if self.either(step, is_comparator) {
            return Some(CriticalChange::Comparator);
        }
        if self.is_of_negation(step) {
            return Some(CriticalChange::Negation);
        }
        if self.either(step, is_before_than) {
            return Some(CriticalChange::Comparator);
        }
        self.is_of_verb(step).then_some(CriticalChange::Verb)
    }

    fn is_of_reference(&self, step: &AlignmentStep) -> bool {
        let actual = step.actual.clone().any(|index| self.reading.roles[index].in_reference);
        let quoted = step.quoted.clone().any(|index| self.is_reference[index]);
        actual || quoted || self.either(step, is_part_number)
    }

    fn is_of_unit(&self, step: &AlignmentStep) -> bool {
        let actual = step.actual.clone().any(|index| {
            let word = self.reading.word(index);
            let is_named = self.reading.roles[index].in_quantity && word.kind == WordKind::Letters;
            (is_named || is_unit(word)) && self.follows_number(index)
        });
        let quoted = step.quoted.clone().any(|index| {
            is_unit(&self.quotation.words[index]) && follows_number(index, |at| &self.quotation.words[at])
        });
        actual || quoted
    }

    /// Whether an actual word is behind a number, with nothing but its unit between them.
    fn follows_number(&self, index: usize) -> bool {
        if follows_number(index, |at| self.reading.word(at)) {
            return true;
        }
        // `two hours`: a number in words begins its quantity.
        let in_quantity = |at: usize| self.reading.roles[at].in_quantity;
        index.checked_sub(1).is_some_and(in_quantity)
    }

    fn is_of_number(&self, step: &AlignmentStep) -> bool {
        let is_in_words = |index: usize| {
            let is_first = index.checked_sub(1).is_none_or(|before| !self.reading.roles[before].in_quantity);
            self.reading.roles[index].in_quantity && is_first
        };
        step.actual.clone().any(is_in_words) || self.either(step, |words, index| is_number(words[index]))
    }

    fn is_of_negation(&self, step: &AlignmentStep) -> bool {
        let Some(unit) = self.unit(step) else { return false };
        self.either(step, |words, index| {
            let next = words.get(index + 1).map(|word| word.key.as_str());
            negates(&words[index].key, next) || is_denial(&words[index].key, unit)
        })
    }

    fn is_of_verb(&self, step: &AlignmentStep) -> bool {
        if step.actual.clone().any(|index| self.reading.roles[index].in_verbal_form) {
            return true;
        }
        let Some(unit) = self.unit(step) else { return false };
        self.either(step, |words, index| {
            has_strength(&words[index].key) || word_uses(&words[index].key, unit.unit.language).is_modal
        })
    }

    fn unit(&self, step: &AlignmentStep) -> Option<&PreparedUnit<'_>> {
        let last = self.reading.target.words.len().checked_sub(1)?;
        Some(self.reading.unit_of(step.actual.start.min(last)))
    }

    /// Whether one of the words of the step is such a word, in the words of its own side.
    fn either(&self, step: &AlignmentStep, is_such: impl Fn(&[&PrintedWord], usize) -> bool) -> bool {
        let quoted: Vec<&PrintedWord> = self.quotation.words.iter().collect();
        let actual: Vec<&PrintedWord> = self.reading.target.words.iter().map(|word| &word.word).collect();
        step.quoted.clone().any(|index| is_such(&quoted, index))
            || step.actual.clone().any(|index| is_such(&actual, index))
    }
}

fn is_adjacent(last: &AlignmentStep, step: &AlignmentStep) -> bool {
    last.quoted.end == step.quoted.start && last.actual.end == step.actual.start
}

fn is_number(word: &PrintedWord) -> bool {
    word.kind == WordKind::Number || NUMBER_SIGNS.contains(&word.key.as_str())
}

/// Whether a word can be a unit, or a part of one: `m2`, `%`.
fn is_unit(word: &PrintedWord) -> bool {
    if UNIT_SIGNS.contains(&word.key.as_str()) {
        return true;
    }
    let symbol = word.written.trim_end_matches(|c: char| c.is_ascii_digit() || c == '-');
    word.kind == WordKind::Letters && is_unit_symbol(symbol)
}

fn follows_number<'w>(index: usize, word: impl Fn(usize) -> &'w PrintedWord) -> bool {
    for before in (index.saturating_sub(LONGEST_UNIT)..index).rev() {
        let word = word(before);
        if word.kind == WordKind::Number {
            return true;
        }
        if !is_unit(word) && word.key != "/" {
            return false;
        }
    }
    false
}

fn is_comparator(words: &[&PrintedWord], index: usize) -> bool {
    let key = words[index].key.as_str();
    compares(key) || COMPARING_SIGNS.contains(&key)
}

/// Whether a word is the number or letter of a part: `step 3`, `item b`.
fn is_part_number(words: &[&PrintedWord], index: usize) -> bool {
    let word = words[index];
    let is_letter = word.key.len() == 1 && word.key.bytes().all(|byte| byte.is_ascii_lowercase());
    let before = index.checked_sub(1).map(|before| words[before].key.as_str());
    (word.kind == WordKind::Number || is_letter) && before.is_some_and(|before| PART_WORDS.contains(&before))
}

/// Whether a word is compared with what follows: `longer than`.
fn is_before_than(words: &[&PrintedWord], index: usize) -> bool {
    words.get(index + 1).is_some_and(|next| THAN.contains(&next.key.as_str()))
}
