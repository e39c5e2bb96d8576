//! Operators behind a value: phrases such as `or more`, and verbs of limit at the end of a clause.

use std::sync::LazyLock;

use norma_model::Comparator;

use super::comparison::{Grammar, Operator, OperatorKind, WordSpan, is_number};
use super::comparison_table::has;
use super::sentence_words::{Phrase, beginning};

/// Words of what is counted or measured, before a comparison behind it, at most.
const COUNTED_REACH: usize = 3;
/// Words of an inserted phrase that a verb may follow, at most.
const INSERTED_REACH: usize = 12;

/// An operator behind a value, and the index of the word behind it.
pub(super) struct PhraseAfter {
    pub(super) operator: Operator,
    pub(super) end: usize,
}

impl Grammar<'_> {
    pub(super) fn operator_after(&self, span: WordSpan, first: usize) -> Option<Operator> {
        match self.phrase_after(span.end) {
            Some(phrase) => Some(phrase.operator),
            None => self.verb_after(span, first),
        }
    }

    /// `or more`, `maximum`, `oder länger`, also behind what is counted or measured: “three holes or more”,
    /// “5 m in length or more”.
    pub(super) fn phrase_after(&self, end: usize) -> Option<PhraseAfter> {
        let directly = self.phrase_directly_after(end);
        if directly.is_some() {
            return directly;
        }
        let joint = self.has_at(&self.table.within, end);
        let noun = end + usize::from(joint);
        for at in noun..noun + COUNTED_REACH {
            let word = self.word(at)?;
            let is_plain = word.chars().all(char::is_alphabetic);
            let is_unit = word.len() < 3;
            if !is_plain || is_unit || has(&self.table.stops, word) || has(&self.table.modals, word) {
                return None;
            }
            let phrase = self.phrase_directly_after(at + 1);
            if phrase.is_some() {
                return phrase;
            }
        }
        None
    }

    pub(super) fn phrase_directly_after(&self, end: usize) -> Option<PhraseAfter> {
        let mut at = end;
        if self.word(at) == Some(")") {
            at += 1;
        }
        // “12 V d.c. or more”
        if let Some(current) = beginning(&*CURRENTS, self.words, at) {
            at = current;
        }
        let phrase = self.phrase_at(at);
        if phrase.is_some() {
            return phrase;
        }
        // “5 m long or more”
        self.table.adjective(self.word(at)?)?;
        self.phrase_at(at + 1)
    }

    /// The operator that begins at this index: one of the phrases of the table, or a comparative behind `or`.
    fn phrase_at(&self, at: usize) -> Option<PhraseAfter> {
        let mut longest: Option<(usize, Comparator)> = None;
        for (comparator, phrases) in &self.table.after {
            if let Some(end) = beginning(phrases, self.words, at)
                && longest.is_none_or(|(other, _)| end >= other)
            {
                longest = Some((end, *comparator));
            }
        }
        if let Some((end, comparator)) = longest {
            let operator = Operator { comparator, start: at, kind: OperatorKind::Fixed };
            return Some(PhraseAfter { operator, end });
        }
        if !self.has_at(&self.table.or, at) && !self.has_at(&self.table.and, at) {
            return None;
        }
        let is_more = self.degree(self.word(at + 1)?)?;
        // “or more than” compares with what follows.
        if self.has_at(&self.table.than, at + 2) {
            return None;
        }
        let comparator = if is_more { Comparator::AtLeast } else { Comparator::AtMost };
        let operator = Operator { comparator, start: at, kind: OperatorKind::Comparative };
        Some(PhraseAfter { operator, end: at + 2 })
    }

    /// A verb of limit behind the value: “shall not be exceeded”, “darf 5 mm bei 20 °C nicht überschreiten”.
    pub(super) fn verb_after(&self, span: WordSpan, first: usize) -> Option<Operator> {
        if self.table.verb_final { self.verb_at_end(span, first) } else { self.verb_of_subject(span.end) }
    }

    /// The verb of limit of a value that is its subject: “A mass of 5 kg shall not be exceeded”.
    fn verb_of_subject(&self, end: usize) -> Option<Operator> {
        let mut at = end;
        loop {
            let word = self.word(at)?;
            if let Some(verb) = self.verb(word, at) {
                return (at > end).then_some(verb);
            }
            let is_part = has(&self.table.modals, word)
                || has(&self.table.auxiliaries, word)
                || has(&self.table.negations, word)
                || has(&self.table.adjacent, word);
            if !is_part {
                return None;
            }
            at += 1;
        }
    }

    /// The verb of limit at the end of the clause of a value, or at its begin.
    fn verb_at_end(&self, span: WordSpan, first: usize) -> Option<Operator> {
        if self.is_circumstance(span.start, first) {
            return None;
        }
        // “Überschreitet die Masse 5 kg”
        let clause = self.clause_start(span.start, first);
        if clause < span.start
            && let Some(verb) = self.verb(self.word(clause)?, clause)
        {
            return Some(verb);
        }
        let mut is_joined = false;
        let mut at = span.end;
        loop {
            let word = self.word(at)?;
            if let Some(verb) = self.verb(word, at) {
                return Some(verb);
            }
            match word {
                ";" | ":" | "." | "(" => return None,
                "," => return self.verb_behind_insertion(at),
                _ => {}
            }
            // “eine Breite von 2 m und eine Höhe von 4 m nicht überschreiten”
            is_joined |= has(&self.table.coordinators, word);
            if is_number(word) && !is_joined && !self.is_circumstance(at, first) {
                return None;
            }
            at += 1;
        }
    }

    /// The negated verb behind a phrase between commas: “, gemessen bei 20 °C, nicht überschreiten”.
    fn verb_behind_insertion(&self, comma: usize) -> Option<Operator> {
        let closing = (comma + 1..comma + INSERTED_REACH).find(|at| self.word(*at) == Some(","))?;
        if !self.has_at(&self.table.negations, closing + 1) {
            return None;
        }
        let verb = closing + 2;
        self.verb(self.word(verb)?, verb)
    }
}

/// Kinds of voltage behind a unit, which do not belong to it.
static CURRENTS: LazyLock<[Phrase; 4]> =
    LazyLock::new(|| ["d.c.", "a.c.", "dc", "ac"].map(|current| Phrase::from(current.to_owned())));
