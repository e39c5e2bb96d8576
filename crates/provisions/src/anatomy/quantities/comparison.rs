//! Comparison of a value: the operator in the words around it, as a composition of a few kinds of words.
//!
//! An operator is a fixed phrase (`at least`, `≤`), a comparative with `than`, a verb of limit (`exceed`),
//! or a word of limit before its noun (`maximum width of`). Whether it is negated is asked of its clause
//! ([`super::scope`]). Without an operator the value is `equal` only behind a word that proves it.

use norma_model::Comparator;

use super::comparison_table::{ComparisonTable, has};
use super::sentence_words::{SentenceWords, beginning, ending};

/// Words between a noun of limit and its value, at most.
pub(super) const NOUN_REACH: usize = 6;
/// Words of a subject, at most.
pub(super) const SUBJECT_REACH: usize = 14;

/// An operator, and the index of its first word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Operator {
    pub(super) comparator: Comparator,
    pub(super) start: usize,
    /// What negates it.
    pub(super) kind: OperatorKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OperatorKind {
    /// A comparative or a preposition: a negation makes its opposite.
    Comparative,
    /// A verb; also negated behind the value in German.
    Verb { finite: bool },
    /// A phrase that includes the value: it is not known what its negation means.
    Fixed,
    /// One of two, and it is not known which: “The minimum and maximum widths shall be”.
    Unknown,
}

/// What the words around a value say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ComparatorEvidence {
    Stated(Comparator),
    /// A value that may share the comparator of the value before it.
    Joined,
    NotStated,
}

/// A value among the words of its text.
#[derive(Clone, Copy, Debug)]
pub(super) struct WordSpan {
    /// Index of its first word, and of the word behind it.
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Grammar of comparisons over the words of a sentence.
#[derive(Clone, Copy)]
pub(super) struct Grammar<'a> {
    pub(super) words: &'a SentenceWords<'a>,
    pub(super) table: &'a ComparisonTable,
}

pub(super) fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

impl<'a> Grammar<'a> {
    /// What the words around a value say of it.
    pub(super) fn comparison(&self, span: WordSpan) -> ComparatorEvidence {
        // The lead-in is read on by a value with which its item begins.
        let first = if span.start == self.words.led { 0 } else { self.words.led };
        if let Some(operator) = self.operator_before(self.lead_end(span.start), first) {
            if self.is_lower_end(operator, span, first) {
                return ComparatorEvidence::NotStated;
            }
            return match self.scoped(operator, span, first) {
                Some(comparator) => ComparatorEvidence::Stated(comparator),
                None => ComparatorEvidence::NotStated,
            };
        }
        if let Some(operator) = self.operator_after(span, first) {
            return match self.scoped(operator, span, first) {
                Some(comparator) => ComparatorEvidence::Stated(comparator),
                None => ComparatorEvidence::NotStated,
            };
        }
        self.value(span, first)
    }

    /// “may be reduced up to 4 m”: a verb of decrease makes the end of an extent the smallest value.
    fn is_lower_end(&self, operator: Operator, span: WordSpan, first: usize) -> bool {
        if beginning(&self.table.extents, self.words, operator.start).is_none() {
            return false;
        }
        let is_amount =
            self.words.before(operator.start, first).is_some_and(|word| has(&self.table.amounts, word));
        !is_amount && self.clause_has(span, first, |word| has(&self.table.decrease, word))
    }

    /// “may be reduced to 4 m”: where a change is allowed, its end is a limit, and not the value.
    pub(super) fn is_allowed_change(&self, span: WordSpan, first: usize) -> bool {
        let is_change = |word: &str| has(&self.table.decrease, word) || has(&self.table.increase, word);
        self.clause_has(span, first, |word| has(&self.table.allowing, word))
            && self.clause_has(span, first, is_change)
    }

    /// The noun before the copula of a value: `class` of “The ice class shall be 1A”.
    pub(super) fn noun_before_copula(&self, start: usize, first: usize) -> Option<&'a str> {
        let mut index = start;
        while let Some(word) = self.words.before(index, first) {
            let is_verb = has(&self.table.modals, word) || has(&self.table.auxiliaries, word);
            if !is_verb {
                return (index < start).then_some(word);
            }
            index -= 1;
        }
        None
    }

    /// Whether the clause around a value has such a word.
    pub(super) fn clause_has(&self, span: WordSpan, first: usize, is_meant: impl Fn(&str) -> bool) -> bool {
        let before = self.words.all[self.clause_start(span.start, first)..span.start].iter();
        let behind = self.words.all[span.end..].iter();
        let behind = behind.take_while(|word| !matches!(word.text, "," | ";" | ":" | "."));
        before.chain(behind).any(|word| is_meant(word.text))
    }

    /// Whether a range that begins here is not negated and under no other operator.
    pub(super) fn is_plain_range(&self, span: WordSpan) -> bool {
        let first = if span.start == self.words.led { 0 } else { self.words.led };
        let operator = self.operator_before(span.start, first);
        let limited = operator.is_some_and(|operator| operator.kind != OperatorKind::Fixed);
        !limited && self.negations(span.start, first).is_some_and(|count| count.is_multiple_of(2))
    }

    /// Whether words behind a value compare with it, and none before it.
    pub(super) fn is_limited_behind(&self, span: WordSpan) -> bool {
        let first = if span.start == self.words.led { 0 } else { self.words.led };
        self.operator_before(span.start, first).is_none() && self.operator_after(span, first).is_some()
    }

    /// The comparator that a phrase before a value is, if it is nothing else: `more than`.
    pub(super) fn operator_of_phrase(&self) -> Option<Comparator> {
        let end = self.words.all.len();
        let operator = self.operator_before(end, 0)?;
        let span = WordSpan { start: end, end };
        let comparator = self.scoped(operator, span, 0)?;
        let negation = &self.words.all[..operator.start];
        let is_negation = |word: &str| has(&self.table.negations, word) || has(&self.table.denials, word);
        negation
            .iter()
            .all(|word| is_negation(word.text) || has(&self.table.adjacent, word.text))
            .then_some(comparator)
    }

    /// The comparator for a value behind all words, if there is an operator.
    pub(super) fn comparator_at_end(&self) -> Option<Comparator> {
        let end = self.words.all.len();
        let operator = self.operator_before(end, 0)?;
        self.scoped(operator, WordSpan { start: end, end }, 0)
    }

    /// Whether a value is in the subject of a verb behind it.
    pub(super) fn is_in_subject(&self, span: WordSpan) -> bool {
        for at in span.end..span.end + SUBJECT_REACH {
            let Some(word) = self.word(at).filter(|word| !matches!(*word, "," | ";" | ":" | ".")) else {
                return false;
            };
            if has(&self.table.modals, word) {
                return true;
            }
        }
        false
    }

    /// Whether the words are an operator behind a value: `or more`.
    pub(super) fn is_operator_after(&self) -> bool {
        self.phrase_after(0).is_some_and(|(_, end)| end == self.words.all.len())
    }

    /// Where the words before a value end: without the verb that ends its lead-in (“darf höchstens betragen:
    /// 5 mm”).
    pub(super) fn lead_end(&self, start: usize) -> usize {
        let end = if start == self.words.led {
            start
        } else {
            match self.colon_before(start) {
                Some(colon) => colon,
                None => return start,
            }
        };
        ending(&self.table.values, self.words, end, 0).filter(|_| self.table.verb_final).unwrap_or(end)
    }

    /// The colon of the lead-in whose item begins at this index, in a text that has both: “within: 20 days”,
    /// “for at most: — 20 days; or — 30 days”.
    fn colon_before(&self, start: usize) -> Option<usize> {
        let first = self.words.led;
        let is_marked = matches!(self.words.before(start, first), Some("—" | "–" | "•"));
        let mark = start - usize::from(is_marked);
        if self.words.before(mark, first) == Some(":") {
            return Some(mark - 1);
        }
        if !is_marked {
            return None;
        }
        let is_joined =
            self.words.before(mark, first).is_some_and(|word| has(&self.table.coordinators, word));
        let end = mark - usize::from(is_joined);
        if !matches!(self.words.before(end, first), Some(";" | ",")) {
            return None;
        }
        let before =
            (first..end).rev().find(|at| matches!(self.words.all[*at].text, ":" | "." | "?" | "!"))?;
        (self.word(before) == Some(":")).then_some(before)
    }

    pub(super) fn word(&self, index: usize) -> Option<&'a str> {
        self.words.get(index)
    }

    /// Where the words before a value begin that change nothing: brackets, articles, `exactly`.
    pub(super) fn skipped(&self, mut index: usize, first: usize) -> usize {
        while let Some(word) = self.words.before(index, first) {
            if word != "(" && !has(&self.table.transparent, word) {
                break;
            }
            index -= 1;
        }
        index
    }

    /// Whether a word of a circumstance is before this index: “bei 20 °C”.
    pub(super) fn is_circumstance(&self, index: usize, first: usize) -> bool {
        let mut index = self.skipped(index, first);
        // “bei einer Dicke von 5 mm”
        if self.words.before(index, first).is_some_and(|word| has(&self.table.of, word)) {
            index -= 1;
            for _ in 0..NOUN_REACH {
                let part = self.words.before(index, first);
                if part.is_none_or(|word| has(&self.table.stops, word) && !has(&self.table.transparent, word))
                {
                    break;
                }
                index -= 1;
            }
        }
        ending(&self.table.circumstances, self.words, index, first).is_some()
    }

    pub(super) fn clause_start(&self, index: usize, first: usize) -> usize {
        let mut start = index;
        while self.words.before(start, first).is_some_and(|word| !matches!(word, "," | ";" | ":")) {
            start -= 1;
        }
        start
    }

    /// Whether the word at this index opens a subordinate clause.
    pub(super) fn is_subordinator(&self, index: usize) -> bool {
        if beginning(&self.table.subordinators, self.words, index).is_none() {
            return false;
        }
        // “plus étroite que 20 mm”
        let is_than = self.word(index).is_some_and(|word| has(&self.table.than, word));
        !(is_than && self.degree_before(index, 0, 0).is_some())
    }
}
