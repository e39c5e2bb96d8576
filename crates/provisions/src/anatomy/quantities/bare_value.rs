//! Values without an operator: `equal` only where a word proves that the value is meant itself.

use norma_model::Comparator;

use super::comparison::{ComparatorEvidence, Grammar, NOUN_REACH, OperatorKind, WordSpan, is_number};
use super::comparison_table::has;
use super::sentence_words::{beginning, ending};

impl Grammar<'_> {
    /// Whether a value without operator is proved to be the value itself.
    pub(super) fn value(&self, span: WordSpan, first: usize) -> ComparatorEvidence {
        if self.is_compared_by_unknown(span.end)
            || ending(&self.table.unknown, self.words, span.start, first).is_some()
        {
            return ComparatorEvidence::NotStated;
        }
        let equal = ComparatorEvidence::Stated(Comparator::Equal);
        let index = self.skipped(span.start, first);
        let Some(word) = self.words.before(index, first) else { return equal };
        // “four months before the meeting”
        let behind = self.word(span.end).is_some_and(|word| has(&self.table.values_behind, word));
        if behind || matches!(word, ":" | "=") {
            return equal;
        }
        if matches!(word, "," | "×" | "x" | "*" | "/") || has(&self.table.coordinators, word) {
            return ComparatorEvidence::Joined;
        }
        if let Some(verb) = ending(&self.table.values, self.words, index, first) {
            let negated = self.negations(verb, first) != Some(0) || self.is_negated_behind(span.end);
            return if negated { ComparatorEvidence::NotStated } else { equal };
        }
        let circumstance = [span.start, index]
            .into_iter()
            .any(|index| ending(&self.table.circumstances, self.words, index, first).is_some());
        if circumstance {
            // “doit résister à 5 kN”
            let is_endured = self
                .words
                .before(index - 1, first)
                .is_some_and(|verb| index > first + 1 && has(&self.table.endure, verb));
            let is_open = is_endured || self.is_allowed_change(span, first);
            return if is_open { ComparatorEvidence::NotStated } else { equal };
        }
        if has(&self.table.of, word) {
            // “from a height of 3 m”
            let is_open = self.noun_is_open(index - 1, first);
            return if is_open { ComparatorEvidence::NotStated } else { equal };
        }
        if self.table.verb_final && self.ends_with_value_verb(span) {
            let negated = self.negations(index, first) != Some(0) || self.is_negated_behind(span.end);
            let directly = has(&self.table.modals, word) || self.verb_is_next(span);
            return if negated || !directly { ComparatorEvidence::NotStated } else { equal };
        }
        ComparatorEvidence::NotStated
    }

    /// Whether the noun before `of` is a limit of an unknown side, or one from which on a value counts.
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

    /// Whether a word that is not known may compare behind the value: “5 mm or thereabouts”.
    pub(super) fn is_compared_by_unknown(&self, end: usize) -> bool {
        let joined = self.word(end).is_some_and(|word| has(&self.table.or, word));
        let word = self.word(end + 1).unwrap_or_default();
        let goes_on = has(&self.table.transparent, word) || has(&self.table.stops, word);
        joined && word.starts_with(char::is_alphabetic) && !goes_on
    }

    /// Whether a number that counts the noun behind it is that number: no word before it may compare.
    pub(super) fn is_plain_count(&self, span: WordSpan) -> bool {
        let first = if span.start == self.words.led { 0 } else { self.words.led };
        let index = self.skipped(span.start, first);
        let Some(word) = self.words.before(index, first) else { return true };
        let compares = has(&self.table.than, word)
            || has(&self.table.from, word) && index == span.start
            || has(&self.table.negations, word)
            || has(&self.table.adjacent, word)
            || has(&self.table.denials, word)
            || has(&self.table.open, word)
            || self.degree(word).is_some();
        // “shall withstand 3000 cycles”: at least as many.
        let is_endured = self.clause_has(span, first, |word| has(&self.table.endure, word));
        let unknown = ending(&self.table.unknown, self.words, span.start, first).is_some();
        let behind = self.is_compared_by_unknown(span.end) || self.operator_after(span, first).is_some();
        !compares && !is_endured && !unknown && !behind && self.operator_before(span.start, first).is_none()
    }

    /// Whether an article that may be a one is a number: “at least one”, “one or more”.
    pub(super) fn is_counted_one(&self, span: WordSpan) -> bool {
        let first = if span.start == self.words.led { 0 } else { self.words.led };
        let joined = self.word(span.end).is_some_and(|word| has(&self.table.or, word));
        // “pas moins qu’une connaissance”: an article; “plus d’un” is a number.
        let before = self.words.before(span.start, first).unwrap_or_default();
        let is_article = !self.table.than_directly.is_empty() && has(&self.table.than, before);
        let operator = self.operator_before(span.start, first);
        // “dépasser une vitesse”: an article.
        let limits = operator.is_some_and(|operator| !matches!(operator.kind, OperatorKind::Verb { .. }));
        !is_article && limits || joined && self.phrase_directly_after(span.end).is_some()
    }

    /// Whether the clause ends with a verb that says that a value is the value: “betragen”.
    pub(super) fn ends_with_value_verb(&self, span: WordSpan) -> bool {
        let shares = self.word(span.end) == Some(",");
        let mut at = span.end;
        while let Some(word) = self.word(at) {
            if beginning(&self.table.values, self.words, at).is_some() {
                return true;
            }
            // “muss 5 m, die Höhe 3 m betragen”
            let is_digit = is_number(word);
            let ends = match word {
                "," => !shares,
                ";" | ":" => true,
                _ => {
                    let joined = self.word(at - 1).is_some_and(|before| {
                        let is_sign = matches!(before, "×" | "x" | ",");
                        is_sign || is_number(before) || has(&self.table.coordinators, before)
                    });
                    has(&self.table.modals, word) || is_digit && !joined && !shares
                }
            };
            if ends {
                return false;
            }
            at += 1;
        }
        false
    }

    /// Whether that verb follows the value or its adjective: “5 mm breit ist”.
    pub(super) fn verb_is_next(&self, span: WordSpan) -> bool {
        let adjective = self.word(span.end).is_some_and(|word| self.table.adjective(word).is_some());
        beginning(&self.table.values, self.words, span.end + usize::from(adjective)).is_some()
    }
}
