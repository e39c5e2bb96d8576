//! Operators behind a value: phrases such as `or more`, and verbs of limit at the end of a clause.

use norma_model::Comparator;

use super::comparison::{Grammar, Operator, OperatorKind, WordSpan, is_number};
use super::comparison_table::has;
use super::sentence_words::{Phrase, beginning};

/// Words of what is counted or measured, before a comparison behind it, at most.
const COUNTED_REACH: usize = 3;
/// Words of an inserted phrase that a verb may follow, at most.
const INSERTED_REACH: usize = 12;

impl Grammar<'_> {
    pub(super) fn operator_after(&self, span: WordSpan, first: usize) -> Option<Operator> {
        let operator = self.phrase_after(span.end).map(|(operator, _)| operator);
        operator.or_else(|| self.verb_after(span, first))
    }

    /// `or more`, `maximum`, `oder länger`, also behind what is counted or measured (“three holes or more”,
    /// “5 m in length or more”); and where it ends.
    pub(super) fn phrase_after(&self, end: usize) -> Option<(Operator, usize)> {
        self.phrase_directly_after(end).or_else(|| {
            let joint = self.word(end).is_some_and(|word| has(&self.table.within, word));
            let noun = end + usize::from(joint);
            for at in noun..noun + COUNTED_REACH {
                let word = self.word(at)?;
                let plain = word.chars().all(char::is_alphabetic);
                let is_unit = word.len() < 3;
                if !plain || is_unit || has(&self.table.stops, word) || has(&self.table.modals, word) {
                    return None;
                }
                if let Some(found) = self.phrase_directly_after(at + 1) {
                    return Some(found);
                }
            }
            None
        })
    }

    pub(super) fn phrase_directly_after(&self, end: usize) -> Option<(Operator, usize)> {
        let mut at = end;
        if self.word(at) == Some(")") {
            at += 1;
        }
        // “12 V d.c. or more”
        if let Some(current) = beginning(&currents(), self.words, at) {
            at = current;
        }
        let adjective = self.word(at).is_some_and(|word| self.table.adjective(word).is_some());
        for at in [at, at + usize::from(adjective)] {
            let phrases =
                self.table.after.iter().filter_map(|(comparator, phrases)| {
                    Some((beginning(phrases, self.words, at)?, *comparator))
                });
            if let Some((end, comparator)) = phrases.max_by_key(|(end, _)| *end) {
                return Some((Operator { comparator, start: at, kind: OperatorKind::Fixed }, end));
            }
            let joint = self.word(at).filter(|word| has(&self.table.or, word) || has(&self.table.and, word));
            let degree = joint.and_then(|_| self.degree(self.word(at + 1)?));
            let compares = self.word(at + 2).is_some_and(|word| has(&self.table.than, word));
            if let Some(is_more) = degree.filter(|_| !compares) {
                let comparator = if is_more { Comparator::AtLeast } else { Comparator::AtMost };
                return Some((Operator { comparator, start: at, kind: OperatorKind::Comparative }, at + 2));
            }
        }
        None
    }

    /// A verb of limit behind the value: “shall not be exceeded”, “darf 5 mm bei 20 °C nicht überschreiten”.
    pub(super) fn verb_after(&self, span: WordSpan, first: usize) -> Option<Operator> {
        let mut at = span.end;
        if !self.table.verb_final {
            loop {
                let word = self.word(at)?;
                if let Some(verb) = self.verb(word, at) {
                    return (at > span.end).then_some(verb);
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
        if self.is_circumstance(span.start, first) {
            return None;
        }
        let mut is_joined = false;
        // “Überschreitet die Masse 5 kg”
        let clause = self.clause_start(span.start, first);
        if let Some(verb) =
            self.word(clause).and_then(|word| self.verb(word, clause)).filter(|_| clause < span.start)
        {
            return Some(verb);
        }
        loop {
            let word = self.word(at)?;
            if let Some(verb) = self.verb(word, at) {
                return Some(verb);
            }
            match word {
                ";" | ":" | "." | "(" => return None,
                // “, gemessen bei 20 °C, nicht überschreiten”
                "," => {
                    let closing = (at + 1..at + INSERTED_REACH).find(|at| self.word(*at) == Some(","))?;
                    let behind = closing + 1;
                    let is_negation = self.word(behind).is_some_and(|word| has(&self.table.negations, word));
                    return self.verb(self.word(behind + 1).filter(|_| is_negation)?, behind + 1);
                }
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
}

/// Kinds of voltage behind a unit, which do not belong to it.
fn currents() -> [Phrase; 4] {
    ["d.c.", "a.c.", "dc", "ac"].map(|current| Phrase::from(current.to_owned()))
}
