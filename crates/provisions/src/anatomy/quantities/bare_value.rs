//! Values without an operator: `equal` only where a word proves that the value is meant itself.

use norma_model::Comparator;

use super::comparison::{ComparatorEvidence, Grammar, NOUN_REACH, OperatorKind, WordSpan, is_number};
use super::comparison_table::has;
use super::sentence_words::{beginning, ending};

/// What the words around a value say if it is the value itself.
const EQUAL: ComparatorEvidence = ComparatorEvidence::Stated(Comparator::Equal);

fn equal_unless(is_open: bool) -> ComparatorEvidence {
    if is_open { ComparatorEvidence::NotStated } else { EQUAL }
}

impl Grammar<'_> {
    /// The comparator of a value without operator: `equal` if words prove that the value is meant itself.
    pub(super) fn value(&self, span: WordSpan, first: usize) -> ComparatorEvidence {
        let is_unknown = ending(&self.table.unknown, self.words, span.start, first).is_some();
        if is_unknown || self.is_compared_by_unknown(span.end) {
            return ComparatorEvidence::NotStated;
        }
        let index = self.skipped(span.start, first);
        let Some(word) = self.words.before(index, first) else { return EQUAL };
        // “four months before the meeting”
        if self.has_at(&self.table.values_behind, span.end) || matches!(word, ":" | "=") {
            return EQUAL;
        }
        if matches!(word, "," | "×" | "x" | "*" | "/") || has(&self.table.coordinators, word) {
            return ComparatorEvidence::Joined;
        }
        if let Some(verb) = ending(&self.table.values, self.words, index, first) {
            let is_negated = self.negations(verb, first) != Some(0) || self.is_negated_behind(span.end);
            return equal_unless(is_negated);
        }
        if self.is_behind_circumstance(span.start, first) || self.is_behind_circumstance(index, first) {
            // “doit résister à 5 kN”
            let is_endured = self.has_before(&self.table.endure, index - 1, first);
            return equal_unless(is_endured || self.is_allowed_change(span, first));
        }
        if has(&self.table.of, word) {
            // “from a height of 3 m”
            return equal_unless(self.noun_is_open(index - 1, first));
        }
        if self.table.verb_final && self.ends_with_value_verb(span) {
            let is_directly_at_verb = has(&self.table.modals, word) || self.verb_is_next(span);
            let is_negated = self.negations(index, first) != Some(0) || self.is_negated_behind(span.end);
            return equal_unless(is_negated || !is_directly_at_verb);
        }
        ComparatorEvidence::NotStated
    }

    /// True if a word of a circumstance is directly before an index: “for 60 s”.
    fn is_behind_circumstance(&self, index: usize, first: usize) -> bool {
        ending(&self.table.circumstances, self.words, index, first).is_some()
    }

    /// True if the noun before `of` is a limit of an unknown side, or one from which on a value counts.
    pub(super) fn noun_is_open(&self, index: usize, first: usize) -> bool {
        let mut at = index;
        for _ in 0..NOUN_REACH {
            let Some(word) = self.words.before(at, first) else { return false };
            // “above a height of 3 m”, “over a length of 3 m”
            if self.phrase_before(at, first).is_some() {
                return true;
            }
            if has(&self.table.open, word) || has(&self.table.from, word) {
                return true;
            }
            let is_part = has(&self.table.transparent, word) || has(&self.table.of, word);
            if has(&self.table.stops, word) && !is_part {
                return false;
            }
            at -= 1;
        }
        false
    }

    /// True if a word that is not known may compare behind the value: “5 mm or thereabouts”.
    pub(super) fn is_compared_by_unknown(&self, end: usize) -> bool {
        if !self.has_at(&self.table.or, end) {
            return false;
        }
        let Some(word) = self.word(end + 1) else { return false };
        let goes_on = has(&self.table.transparent, word) || has(&self.table.stops, word);
        word.starts_with(char::is_alphabetic) && !goes_on
    }

    /// True if a number that counts the noun behind it is that number: no word before it may compare.
    pub(super) fn is_plain_count(&self, span: WordSpan) -> bool {
        let first = self.first_word(span);
        let index = self.skipped(span.start, first);
        let Some(word) = self.words.before(index, first) else { return true };
        if self.may_compare(word) {
            return false;
        }
        let is_directly_before = index == span.start;
        if is_directly_before && has(&self.table.from, word) {
            return false;
        }
        if ending(&self.table.unknown, self.words, span.start, first).is_some() {
            return false;
        }
        // “shall withstand 3000 cycles”: at least as many.
        if self.clause_has(span, first, |word| has(&self.table.endure, word)) {
            return false;
        }
        if self.is_compared_by_unknown(span.end) || self.operator_after(span, first).is_some() {
            return false;
        }
        self.operator_before(span.start, first).is_none()
    }

    /// True if a word before a number may compare with it or deny it.
    fn may_compare(&self, word: &str) -> bool {
        let table = self.table;
        for words in [&table.than, &table.negations, &table.adjacent, &table.denials, &table.open] {
            if has(words, word) {
                return true;
            }
        }
        self.degree(word).is_some()
    }

    /// True if an article that may be a one is a number: “at least one”, “one or more”.
    pub(super) fn is_counted_one(&self, span: WordSpan) -> bool {
        if self.has_at(&self.table.or, span.end) && self.phrase_directly_after(span.end).is_some() {
            return true;
        }
        let first = self.first_word(span);
        // “pas moins qu’une connaissance”: an article; “plus d’un” is a number.
        if !self.table.than_directly.is_empty() && self.has_before(&self.table.than, span.start, first) {
            return false;
        }
        // “dépasser une vitesse”: an article.
        match self.operator_before(span.start, first) {
            Some(operator) => !matches!(operator.kind, OperatorKind::Verb { .. }),
            None => false,
        }
    }

    /// True if the clause ends with a verb that says that a value is the value: “betragen”.
    pub(super) fn ends_with_value_verb(&self, span: WordSpan) -> bool {
        // “muss 5 m, die Höhe 3 m betragen”
        let shares_verb = self.word(span.end) == Some(",");
        let mut at = span.end;
        while let Some(word) = self.word(at) {
            if beginning(&self.table.values, self.words, at).is_some() {
                return true;
            }
            let ends_clause = matches!(word, ";" | ":") || has(&self.table.modals, word);
            let begins_other_value = word == "," || is_number(word) && !self.is_joined(at);
            if ends_clause || begins_other_value && !shares_verb {
                return false;
            }
            at += 1;
        }
        false
    }

    /// True if the word before an index joins it to a number before: `5 × 3`, “5 oder 3”.
    fn is_joined(&self, at: usize) -> bool {
        let Some(index) = at.checked_sub(1) else { return false };
        let Some(before) = self.word(index) else { return false };
        matches!(before, "×" | "x" | ",") || is_number(before) || has(&self.table.coordinators, before)
    }

    /// True if that verb follows the value or its adjective: “5 mm breit ist”.
    pub(super) fn verb_is_next(&self, span: WordSpan) -> bool {
        let is_adjective = self.word(span.end).is_some_and(|word| self.table.adjective(word).is_some());
        let verb = if is_adjective { span.end + 1 } else { span.end };
        beginning(&self.table.values, self.words, verb).is_some()
    }
}
