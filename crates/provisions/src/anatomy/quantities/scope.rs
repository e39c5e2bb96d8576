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
        let count = self.negations_of(operator, span, first)?;
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

    /// How often an operator is negated; `None` where that is not certain.
    fn negations_of(&self, operator: Operator, span: WordSpan, first: usize) -> Option<usize> {
        let finite = match operator.kind {
            OperatorKind::Unknown => return None,
            OperatorKind::Verb { finite } => finite,
            OperatorKind::Comparative | OperatorKind::Fixed => {
                // “5 m or more shall not …”: the operator behind the value has the scope of its value.
                if operator.start >= span.end {
                    return self.negations(span.start, first);
                }
                if self.is_one_of_two_verbs(operator, first) {
                    return None;
                }
                return self.negations(operator.start, first);
            }
        };
        if operator.start >= span.end {
            let between = span.end..operator.start;
            let behind = between.filter(|at| self.is_negation(*at)).count();
            if behind == 0 {
                return self.negations(span.start, first);
            }
            // “16 cm nicht überschreiten und 12 cm nicht unterschreiten”: each verb has its own.
            let own = self.behind_coordinator(span.start, first);
            return Some(behind + self.negations(span.start, own)?);
        }
        let before = if finite && operator.start < span.start {
            self.negations_of_subject(operator.start, first)?
        } else if self.is_one_of_two_verbs(operator, first) {
            return None;
        } else if self.has_before(&self.table.from, operator.start, first) {
            // “kept from exceeding 5 mm”
            1
        } else {
            self.negations(operator.start, first)?
        };
        // “überschreitet 5 kg nicht”
        let is_negated_behind = operator.start < span.start && self.is_negated_behind(span.end);
        Some(before + usize::from(is_negated_behind))
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
        for joint in (first..operator.start).rev().take(VERB_PARTS) {
            if has(&self.table.or, self.words.all[joint].text) {
                return self.verb_before(joint, first).is_some();
            }
        }
        false
    }

    /// True if a negation of the verb ends the clause from this index on.
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

    /// True if the word is a negation of the verb: not “not only”, nor “nicht beheizte Räume”.
    fn is_negation(&self, at: usize) -> bool {
        let table = self.table;
        let word = self.words.all[at].text;
        // “n’excède”, but not the unit of “5 N”.
        let is_letter = word.len() == 1 && !self.words.all[at].elided;
        if is_letter || !has(&table.negations, word) {
            return false;
        }
        let Some(next) = self.words.get(at + 1) else { return true };
        if has(&table.only, next) {
            return false;
        }
        // An adjective with its noun: “nicht beheizte Räume”; not “nicht breitere Rohre als”.
        let is_before_noun = self.words.all.get(at + 2).is_some_and(|noun| noun.capital);
        if !is_before_noun || self.words.all[at + 1].capital || self.degree(next).is_some() {
            return true;
        }
        let is_inflected = table.attributive.iter().any(|ending| next.ends_with(ending.as_str()));
        !is_inflected
    }

    /// True if a preposition is before an index.
    fn is_behind_preposition(&self, index: usize, first: usize) -> bool {
        self.has_before(&self.table.of, index, first)
            || ending(&self.table.circumstances, self.words, index, first).is_some()
    }

    /// How many negations hold for what begins at this index; `None` where that is not certain.
    pub(super) fn negations(&self, start: usize, first: usize) -> Option<usize> {
        let mut scan = NegationScan {
            grammar: *self,
            start,
            first,
            count: 0,
            is_adjacent: false,
            is_weak: false,
            modal: None,
            verb_seen: false,
            duty_seen: false,
            in_noun: true,
            crossed: false,
            joined_by_and: false,
        };
        let mut at = start;
        while at > first {
            at -= 1;
            match scan.read(at) {
                ScanStep::Continue => {}
                ScanStep::Skip { start } => at = start,
                ScanStep::End => break,
                ScanStep::Decided(count) => return count,
            }
        }
        if scan.count > 0 {
            return Some(scan.count);
        }
        Some(usize::from(scan.is_adjacent || scan.is_weak))
    }

    /// The negations of a finite verb, before which only its subject can deny.
    fn negations_of_subject(&self, verb: usize, first: usize) -> Option<usize> {
        let start = self.clause_begin(verb, first);
        if start >= verb {
            return None;
        }
        let denies = self.has_at(&self.table.denials, start);
        Some(usize::from(denies || self.has_before(&self.table.negations, verb, first)))
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
        while let Some(word) = self.words.before(start, first) {
            if matches!(word, "," | ";" | ":" | "(") {
                break;
            }
            start -= 1;
        }
        start
    }

    /// True if a segment is a subordinate clause, which ends with it.
    fn is_subordinate(&self, start: usize, end: usize) -> bool {
        for at in (start..end).take(2) {
            if self.is_subordinator(at) || self.has_at(&self.table.relatives, at) {
                return true;
            }
        }
        false
    }
}

/// A reading of the words before an operator, from the last one back, which counts its negations.
struct NegationScan<'a> {
    grammar: Grammar<'a>,
    /// First word of the operator.
    start: usize,
    /// First word that is read.
    first: usize,
    /// Negations so far that hold for the operator.
    count: usize,
    /// True if a word that counts only next to the operator is there.
    is_adjacent: bool,
    /// True if a word denies that has a particle of the verb with it, and counts where that is not before it:
    /// “aucun … ne”.
    is_weak: bool,
    /// The modal of the clause.
    modal: Option<usize>,
    verb_seen: bool,
    /// True if a word of a duty is behind, which the next negation denies: “not required”.
    duty_seen: bool,
    /// True if a negation of a noun may still belong to the noun of the operator.
    in_noun: bool,
    /// True if a comma or bracket was passed since the last modal.
    crossed: bool,
    /// True if an “and” was passed.
    joined_by_and: bool,
}

/// What follows from a word before an operator.
enum ScanStep {
    Continue,
    /// The words from `start` on are a subordinate clause, in which nothing counts.
    Skip {
        start: usize,
    },
    /// No word before this one counts.
    End,
    /// The number of negations, or that it is not certain.
    Decided(Option<usize>),
}

impl NegationScan<'_> {
    fn read(&mut self, at: usize) -> ScanStep {
        let grammar = self.grammar;
        let table = grammar.table;
        let word = grammar.words.all[at].text;
        if matches!(word, ";" | ":" | "." | "?" | "!") || has(&table.adversatives, word) {
            return ScanStep::End;
        }
        let is_behind_comma = grammar.words.before(at, self.first) == Some(",");
        if grammar.is_subordinator(at) || is_behind_comma && has(&table.relatives, word) {
            return ScanStep::End;
        }
        if matches!(word, "," | "(" | ")") {
            return self.read_sign(at);
        }
        if has(&table.nor, word) {
            return ScanStep::Decided(Some(self.count + 1));
        }
        if has(&table.coordinators, word) {
            return self.read_coordinator(word);
        }
        if has(&table.modals, word) {
            return self.read_modal(at, word);
        }
        self.verb_seen |= has(&table.verbs, word);
        self.duty_seen |= has(&table.duties, word);
        if grammar.is_negation(at) {
            return self.read_negation(at);
        }
        if has(&table.adjacent, word) && at + 1 == self.start {
            self.is_adjacent = true;
        } else if has(&table.denials, word) {
            return self.read_denial(at);
        } else if has(&table.weak_denials, word) {
            self.is_weak |= self.in_noun && self.modal.is_none();
        } else if has(&table.bans, word) && self.modal.is_none() {
            self.count += 1;
        }
        ScanStep::Continue
    }

    /// A comma or a bracket, perhaps the end of a subordinate clause.
    fn read_sign(&mut self, at: usize) -> ScanStep {
        self.in_noun = false;
        let segment = self.grammar.segment_start(at, self.first);
        if self.grammar.is_subordinate(segment, at) {
            return ScanStep::Skip { start: segment };
        }
        self.crossed = true;
        ScanStep::Continue
    }

    fn read_coordinator(&mut self, word: &str) -> ScanStep {
        self.joined_by_and |= has(&self.grammar.table.and, word);
        let is_negated = self.count > 0 || self.is_adjacent;
        if is_negated || self.verb_seen && self.modal.is_none() {
            return ScanStep::End;
        }
        if self.modal.is_none() {
            self.in_noun = false;
        }
        ScanStep::Continue
    }

    fn read_modal(&mut self, at: usize, word: &str) -> ScanStep {
        if self.modal.is_some() {
            return ScanStep::End;
        }
        if self.count > 0 && has(&self.grammar.table.denying, word) {
            return ScanStep::Decided(None);
        }
        self.modal = Some(at);
        self.crossed = false;
        ScanStep::Continue
    }

    /// A negation of the verb.
    fn read_negation(&mut self, at: usize) -> ScanStep {
        // “of not less than 20 m”: the negation is a part of the operator.
        if at + 1 == self.start && self.grammar.is_behind_preposition(at, self.first) {
            return ScanStep::Decided(Some(1));
        }
        // “not greater than 60 W and …”: of the other operator.
        let next = self.grammar.words.all[at + 1].text;
        if self.joined_by_and && self.grammar.degree(next).is_some() {
            return ScanStep::End;
        }
        let is_before_modal = self.modal == Some(at + 1);
        if self.duty_seen {
            self.duty_seen = false;
        } else if self.modal.is_none() || is_before_modal {
            self.count += 1;
        }
        ScanStep::Continue
    }

    /// A negation of a noun.
    fn read_denial(&mut self, at: usize) -> ScanStep {
        if self.modal.is_none() {
            self.count += usize::from(self.in_noun);
            return ScanStep::Continue;
        }
        // “No beam shall”, “In no case shall”; in “Rooms with no door shall” it is not the subject's.
        let words_before = at - self.grammar.clause_begin(at, self.first);
        if self.crossed || words_before > 1 {
            return ScanStep::Decided(None);
        }
        self.count += 1;
        ScanStep::Continue
    }
}
