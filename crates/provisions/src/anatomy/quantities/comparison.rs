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
    /// What the operator is, which decides what negates it.
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

impl ComparatorEvidence {
    /// The comparator that the words state.
    pub(super) fn comparator(self) -> Option<Comparator> {
        match self {
            Self::Stated(comparator) => Some(comparator),
            Self::Joined | Self::NotStated => None,
        }
    }
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
        let first = self.first_word(span);
        let before = self.operator_before(self.lead_end(span.start), first);
        if before.is_some_and(|operator| self.is_lower_end(operator, span, first)) {
            return ComparatorEvidence::NotStated;
        }
        let Some(operator) = before.or_else(|| self.operator_after(span, first)) else {
            return self.value(span, first);
        };
        match self.scoped(operator, span, first) {
            Some(comparator) => ComparatorEvidence::Stated(comparator),
            None => ComparatorEvidence::NotStated,
        }
    }

    /// The first word that can say something of a value. A value with which an item begins continues the
    /// lead-in.
    pub(super) fn first_word(&self, span: WordSpan) -> usize {
        if span.start == self.words.led { 0 } else { self.words.led }
    }

    /// True if the word before an index is in a list; words before `first` are not looked at.
    pub(super) fn has_before(&self, list: &[String], index: usize, first: usize) -> bool {
        match self.words.before(index, first) {
            Some(word) => has(list, word),
            None => false,
        }
    }

    /// True if the word at an index is in a list.
    pub(super) fn has_at(&self, list: &[String], index: usize) -> bool {
        match self.word(index) {
            Some(word) => has(list, word),
            None => false,
        }
    }

    /// “may be reduced up to 4 m”: a verb of decrease makes the end of an extent the smallest value.
    fn is_lower_end(&self, operator: Operator, span: WordSpan, first: usize) -> bool {
        if beginning(&self.table.extents, self.words, operator.start).is_none() {
            return false;
        }
        let is_amount = self.has_before(&self.table.amounts, operator.start, first);
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

    /// True if the clause around a value has such a word.
    pub(super) fn clause_has(&self, span: WordSpan, first: usize, is_meant: impl Fn(&str) -> bool) -> bool {
        let before = &self.words.all[self.clause_start(span.start, first)..span.start];
        if before.iter().any(|word| is_meant(word.text)) {
            return true;
        }
        for word in &self.words.all[span.end..] {
            if matches!(word.text, "," | ";" | ":" | ".") {
                return false;
            }
            if is_meant(word.text) {
                return true;
            }
        }
        false
    }

    /// True if a range that begins here is not negated and under no other operator.
    pub(super) fn is_plain_range(&self, span: WordSpan) -> bool {
        let first = self.first_word(span);
        if let Some(operator) = self.operator_before(span.start, first)
            && operator.kind != OperatorKind::Fixed
        {
            return false;
        }
        match self.negations(span.start, first) {
            Some(count) => count.is_multiple_of(2),
            None => false,
        }
    }

    /// True if words behind a value compare with it, and none before it.
    pub(super) fn is_limited_behind(&self, span: WordSpan) -> bool {
        let first = self.first_word(span);
        self.operator_before(span.start, first).is_none() && self.operator_after(span, first).is_some()
    }

    /// The comparator that a phrase before a value is, if it is nothing else: `more than`.
    pub(super) fn operator_of_phrase(&self) -> Option<Comparator> {
        let end = self.words.all.len();
        let operator = self.operator_before(end, 0)?;
        let comparator = self.scoped(operator, WordSpan { start: end, end }, 0)?;
        for word in &self.words.all[..operator.start] {
            let is_negation = has(&self.table.negations, word.text)
                || has(&self.table.denials, word.text)
                || has(&self.table.adjacent, word.text);
            if !is_negation {
                return None;
            }
        }
        Some(comparator)
    }

    /// The comparator for a value behind all words, if there is an operator.
    pub(super) fn comparator_at_end(&self) -> Option<Comparator> {
        let end = self.words.all.len();
        let operator = self.operator_before(end, 0)?;
        self.scoped(operator, WordSpan { start: end, end }, 0)
    }

    /// True if a value is in the subject of a verb behind it.
    pub(super) fn is_in_subject(&self, span: WordSpan) -> bool {
        for at in span.end..span.end + SUBJECT_REACH {
            let Some(word) = self.word(at) else { return false };
            if matches!(word, "," | ";" | ":" | ".") {
                return false;
            }
            if has(&self.table.modals, word) {
                return true;
            }
        }
        false
    }

    /// True if the words are an operator behind a value: `or more`.
    pub(super) fn is_operator_after(&self) -> bool {
        self.phrase_after(0).is_some_and(|phrase| phrase.end == self.words.all.len())
    }

    /// Where the words before a value end: without the verb that ends its lead-in (“darf höchstens betragen:
    /// 5 mm”).
    pub(super) fn lead_end(&self, start: usize) -> usize {
        let end = if start == self.words.led { Some(start) } else { self.colon_before(start) };
        let Some(end) = end else { return start };
        if !self.table.verb_final {
            return end;
        }
        ending(&self.table.values, self.words, end, 0).unwrap_or(end)
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
        let is_joined = self.has_before(&self.table.coordinators, mark, first);
        let end = mark - usize::from(is_joined);
        if !matches!(self.words.before(end, first), Some(";" | ",")) {
            return None;
        }
        for at in (first..end).rev() {
            match self.words.all[at].text {
                ":" => return Some(at),
                "." | "?" | "!" => return None,
                _ => {}
            }
        }
        None
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

    /// True if a word of a circumstance is before this index: “bei 20 °C”.
    pub(super) fn is_circumstance(&self, index: usize, first: usize) -> bool {
        let mut index = self.skipped(index, first);
        // “bei einer Dicke von 5 mm”
        if self.has_before(&self.table.of, index, first) {
            index -= 1;
            for _ in 0..NOUN_REACH {
                let Some(word) = self.words.before(index, first) else { break };
                if has(&self.table.stops, word) && !has(&self.table.transparent, word) {
                    break;
                }
                index -= 1;
            }
        }
        ending(&self.table.circumstances, self.words, index, first).is_some()
    }

    pub(super) fn clause_start(&self, index: usize, first: usize) -> usize {
        let mut start = index;
        while let Some(word) = self.words.before(start, first) {
            if matches!(word, "," | ";" | ":") {
                break;
            }
            start -= 1;
        }
        start
    }

    /// True if the word at this index opens a subordinate clause.
    pub(super) fn is_subordinator(&self, index: usize) -> bool {
        if beginning(&self.table.subordinators, self.words, index).is_none() {
            return false;
        }
        // “plus étroite que 20 mm”
        let is_than = self.has_at(&self.table.than, index);
        !(is_than && self.degree_before(index, 0, 0).is_some())
    }
}
