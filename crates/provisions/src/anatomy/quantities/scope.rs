//! Scope of negation: how often the clause of an operator negates it.
//!
//! A negation of the verb holds for what is behind it in its clause (“shall not, at any point, exceed”), one
//! of a noun for what belongs to that noun (“no opening of more than 5 mm”), one of the subject for the
//! clause (“No beam shall exceed 5 m”). Two of them cancel each other. A negation in another clause does not
//! count.

use norma_model::Comparator;

use super::comparison::{Grammar, Operator, OperatorKind, WordSpan};
use super::comparison_table::has;
use super::sentence_words::ending;

/// Words between two verbs that share a value, at most: “exceed or fall below”.
const VERB_PARTS: usize = 2;

impl Grammar<'_> {
    /// The comparator of an operator with the negations that hold for it; `None` where these are not certain.
    pub(super) fn scoped(&self, operator: Operator, span: WordSpan, first: usize) -> Option<Comparator> {
        let mut count = match operator.kind {
            OperatorKind::Unknown => return None,
            // “5 m or more shall not …”: the operator behind the value has the scope of its value.
            _ if operator.start >= span.end && !matches!(operator.kind, OperatorKind::Verb { .. }) => {
                self.negations(span.start, first)?
            }
            OperatorKind::Verb { finite: true } if operator.start < span.start => {
                self.negations_of_subject(operator.start, first)?
            }
            _ if operator.start >= span.end => {
                let behind = (span.end..operator.start).filter(|at| self.is_negation(*at)).count();
                // “16 cm nicht überschreiten und 12 cm nicht unterschreiten”: each verb has its own.
                let own = if behind > 0 { self.behind_coordinator(span.start, first) } else { first };
                behind + self.negations(span.start, own)?
            }
            _ if self.is_one_of_two_verbs(operator, first) => return None,
            // “kept from exceeding 5 mm”
            OperatorKind::Verb { .. }
                if self
                    .words
                    .before(operator.start, first)
                    .is_some_and(|word| has(&self.table.from, word)) =>
            {
                1
            }
            _ => self.negations(operator.start, first)?,
        };
        if matches!(operator.kind, OperatorKind::Verb { .. }) && operator.start < span.start {
            // “überschreitet 5 kg nicht”
            count += usize::from(self.is_negated_behind(span.end));
        }
        if count.is_multiple_of(2) {
            return Some(operator.comparator);
        }
        match (operator.comparator, operator.kind) {
            (_, OperatorKind::Fixed) => None,
            (Comparator::MoreThan, _) => Some(Comparator::AtMost),
            (Comparator::LessThan, _) => Some(Comparator::AtLeast),
            (Comparator::AtMost, _) => Some(Comparator::MoreThan),
            (Comparator::AtLeast, _) => Some(Comparator::LessThan),
            _ => None,
        }
    }

    /// The index behind the last coordinator before a value.
    fn behind_coordinator(&self, start: usize, first: usize) -> usize {
        let mut index = start;
        while let Some(word) = self.words.before(index, first) {
            if has(&self.table.coordinators, word) || has(&self.table.nor, word) {
                break;
            }
            index -= 1;
        }
        index
    }

    /// “exceed or fall below 5 mm”: two verbs share the value.
    fn is_one_of_two_verbs(&self, operator: Operator, first: usize) -> bool {
        let joint = (first..operator.start)
            .rev()
            .take(VERB_PARTS)
            .find(|at| has(&self.table.or, self.words.all[*at].text));
        joint.and_then(|joint| self.verb_before(joint, first)).is_some()
    }

    /// Whether a negation of the verb ends the clause from this index on.
    pub(super) fn is_negated_behind(&self, end: usize) -> bool {
        for at in end..self.words.all.len() {
            let word = self.words.all[at].text;
            if matches!(word, "," | ";" | ":" | "." | "(") || has(&self.table.coordinators, word) {
                return false;
            }
            if self.is_negation(at) && !self.table.attributive.is_empty() {
                return true;
            }
        }
        false
    }

    /// Whether the word is a negation of the verb: not “not only”, nor “nicht beheizte Räume”.
    fn is_negation(&self, at: usize) -> bool {
        let table = self.table;
        let word = self.words.all[at].text;
        // “n’excède”, but not the unit of “5 N”.
        let is_letter = word.len() == 1 && !self.words.all[at].elided;
        if is_letter || !has(&table.negations, word) {
            return false;
        }
        let Some(next) = self.words.get(at + 1) else { return true };
        // An adjective with its noun: “nicht beheizte Räume”; not “nicht breitere Rohre als”.
        let inflected = table.attributive.iter().any(|ending| next.ends_with(ending.as_str()));
        let noun = self.words.all.get(at + 2).is_some_and(|noun| noun.capital);
        let is_adjective =
            inflected && noun && !self.words.all[at + 1].capital && self.degree(next).is_none();
        !has(&table.only, next) && !is_adjective
    }

    /// Whether a preposition is before an index.
    fn is_behind_preposition(&self, index: usize, first: usize) -> bool {
        let is_of = self.words.before(index, first).is_some_and(|word| has(&self.table.of, word));
        is_of || ending(&self.table.circumstances, self.words, index, first).is_some()
    }

    /// How many negations hold for what begins at this index; `None` where that is not certain.
    pub(super) fn negations(&self, start: usize, first: usize) -> Option<usize> {
        let table = self.table;
        let mut count = 0;
        let mut adjacent = 0;
        let mut modal = None;
        let mut verb_seen = false;
        // Whether a negation of a noun may still belong to the noun of the operator.
        let mut in_noun = true;
        let mut duty = false;
        let mut crossed = false;
        // A word that denies with a particle of the verb, and counts where that is not before it:
        // “aucun … ne”.
        let mut weak = false;
        let mut joined_by_and = false;
        let mut at = start;
        while at > first {
            let word = self.words.all[at - 1].text;
            at -= 1;
            if matches!(word, ";" | ":" | "." | "?" | "!") || has(&table.adversatives, word) {
                break;
            }
            if self.is_subordinator(at) {
                break;
            }
            if has(&table.relatives, word) && self.words.before(at, first) == Some(",") {
                break;
            }
            if matches!(word, "," | "(" | ")") {
                let segment = self.segment_start(at, first);
                in_noun = false;
                if self.is_subordinate(segment, at) {
                    at = segment;
                } else {
                    crossed = true;
                }
                continue;
            }
            if has(&table.nor, word) {
                return Some(count + 1);
            }
            if has(&table.coordinators, word) {
                joined_by_and |= has(&table.and, word);
                if count + adjacent > 0 || verb_seen && modal.is_none() {
                    break;
                }
                if modal.is_none() {
                    in_noun = false;
                }
                continue;
            }
            if has(&table.modals, word) {
                if modal.is_some() {
                    break;
                }
                if has(&table.denying, word) && count > 0 {
                    return None;
                }
                (modal, crossed) = (Some(at), false);
                continue;
            }
            verb_seen |= has(&table.verbs, word);
            duty |= has(&table.duties, word);
            if self.is_negation(at) {
                // “of not less than 20 m”: the negation is a part of the operator.
                if at + 1 == start && self.is_behind_preposition(at, first) {
                    return Some(1);
                }
                // “not greater than 60 W and …”: of the other operator.
                let next = self.words.all[at + 1].text;
                if joined_by_and && self.degree(next).is_some() {
                    break;
                }
                let before_modal = modal == Some(at + 1);
                if duty {
                    duty = false;
                } else if modal.is_none() || before_modal {
                    count += 1;
                }
            } else if has(&table.adjacent, word) && at + 1 == start {
                adjacent = 1;
            } else if has(&table.denials, word) {
                if modal.is_none() {
                    count += usize::from(in_noun);
                } else {
                    // “No beam shall”, “In no case shall”; in “Rooms with no door shall” it is not the
                    // subject's.
                    let from_start = at - self.clause_begin(at, first);
                    if crossed || from_start > 1 {
                        return None;
                    }
                    count += 1;
                }
            } else if has(&table.weak_denials, word) {
                weak |= in_noun && modal.is_none();
            } else if has(&table.bans, word) && modal.is_none() {
                count += 1;
            }
        }
        Some(if count == 0 { adjacent.max(usize::from(weak)) } else { count })
    }

    /// The negations of a finite verb, before which only its subject can deny.
    fn negations_of_subject(&self, verb: usize, first: usize) -> Option<usize> {
        let start = self.clause_begin(verb, first);
        let word = self.words.get(start).filter(|_| start < verb)?;
        Some(usize::from(
            has(&self.table.denials, word)
                || self.words.before(verb, first).is_some_and(|word| has(&self.table.negations, word)),
        ))
    }

    /// The first word of the clause around an index.
    fn clause_begin(&self, index: usize, first: usize) -> usize {
        let mut start = index;
        while let Some(word) = self.words.before(start, first) {
            if matches!(word, "," | ";" | ":" | ".") || self.is_subordinator(start - 1) {
                break;
            }
            start -= 1;
        }
        start
    }

    /// The first word of the segment that a comma ends.
    fn segment_start(&self, comma: usize, first: usize) -> usize {
        let mut start = comma;
        while self.words.before(start, first).is_some_and(|word| !matches!(word, "," | ";" | ":" | "(")) {
            start -= 1;
        }
        start
    }

    /// Whether a segment is a subordinate clause, which ends with it.
    fn is_subordinate(&self, start: usize, end: usize) -> bool {
        let is_opener =
            |at: usize| self.is_subordinator(at) || has(&self.table.relatives, self.words.all[at].text);
        (start..end).take(2).any(is_opener)
    }
}
