//! Negation next to the auxiliary, and by subjects and objects (English).

use norma_model::ProvisionKind;

use super::{Denial, Surroundings};
use crate::tokenizer::{Marks, TokenKind};

/// Marks at which a clause ends.
const ENDS: Marks = Marks::COMMA.union(Marks::SEMICOLON).union(Marks::COLON).union(Marks::DASH);

/// Most words between a negated noun phrase at the beginning of a clause and the verb that it draws before
/// the subject: “Under no such circumstances shall …”.
const LONGEST_FRONTED: usize = 3;

/// The words of a clause before its verb.
#[derive(Clone, Copy)]
struct ClauseBeforeVerb {
    start: usize,
    /// True if a phrase or a subordinate clause precedes the subject: “In winter, …”.
    is_fronted: bool,
    /// True if the sentence begins so, in this clause or an earlier one.
    begins_fronted: bool,
}

impl Surroundings<'_> {
    /// Finds the words that deny the verb: first those directly after the auxiliary, then the subject and the
    /// objects of its clause.
    pub(super) fn denied_at_auxiliary(&self) -> Option<Denial> {
        let lists = &self.language.word_lists;
        let mut at = self.verb + 1;
        // The words between the auxiliary and the verb that it governs.
        while at < self.view.tokens.len() {
            if self.is_mark(at, Marks::COMMA) {
                let Some(behind) = self.behind_aside(at) else { break };
                at = behind;
            } else if self.is_in(at, lists.negator) {
                return self.denied_by_negator(at);
            } else if self.is_in(at, lists.preposition) && self.is_denying(at + 1) {
                // “shall under no circumstances”: the noun is one of those for this.
                let mut words = vec![at, at + 1];
                if self.is_in(at + 2, lists.occasion) {
                    words.push(at + 2);
                }
                return Some(Denial::of_verb(words));
            } else if self.is_denying(at) && self.is_in(at + 1, lists.lasting) && !self.is_compared(at) {
                return Some(Denial::of_verb([at, at + 1]));
            } else if self.is_in(at, lists.hedge) {
                at += 1;
            } else {
                break;
            }
        }
        // “has no right to”: the word is a part of the form.
        for own in at..self.form.range.end {
            if self.is_denying(own) && !self.is_compared(own) {
                return Some(Denial::of_verb([own]));
            }
        }
        self.denying_subject().or_else(|| self.denying_object(at.max(self.form.range.end)))
    }

    /// The denial by a word such as `not` after the auxiliary.
    fn denied_by_negator(&self, at: usize) -> Option<Denial> {
        let lists = &self.language.word_lists;
        // “not only … but also” and “not less than” deny nothing.
        if self.is_in(at + 1, lists.restricting) || self.is_compared(at) {
            return None;
        }
        // “may also not” allows to leave something undone.
        if self.kind == ProvisionKind::Permission && self.is_in(at - 1, lists.also) {
            return Some(Denial::of_complement(at));
        }
        Some(Denial::of_verb([at]))
    }

    /// True for a word such as `no`, unless it answers or is the abbreviation of “number”.
    fn is_denying(&self, at: usize) -> bool {
        let lists = &self.language.word_lists;
        if !self.is_in(at, lists.denying) {
            return false;
        }
        // “No, the lid may be red.” answers.
        if self.is_in(at, lists.determiner) && self.is_mark(at + 1, Marks::COMMA) {
            return false;
        }
        // “No. 5” is a number; a full stop at the end of the sentence is its own.
        let Some(next) = self.token(at + 1) else { return true };
        let begins_number =
            matches!(next.kind, TokenKind::Number | TokenKind::Thing) || next.is_mark(Marks::SENTENCE_END);
        let is_last = at + 2 >= self.view.tokens.len();
        !begins_number || is_last
    }

    /// “no later than”, “not more than”: the word belongs to the comparison.
    fn is_compared(&self, at: usize) -> bool {
        self.is_in(at + 2, self.language.word_lists.than)
    }

    /// True if a word before a negated noun phrase ties it to something else than the verb: “a lid with no
    /// lock”, “trays showing no wear”, “little or no”.
    fn is_tied(&self, at: usize) -> bool {
        let lists = &self.language.word_lists;
        let tying = lists.tying.union(lists.coordinator).union(lists.than).union(lists.gerund);
        at > 0 && self.is_in(at - 1, tying)
    }

    /// A negated noun phrase behind the verb in its clause: “use no rope”, “be opened by nobody”.
    fn denying_object(&self, from: usize) -> Option<Denial> {
        let lists = &self.language.word_lists;
        let mut at = from;
        while at < self.view.tokens.len() {
            if self.is_mark(at, Marks::OPENING) {
                at = self.behind_bracket(at);
                continue;
            }
            let begins_infinitive = self.is_in(at, lists.infinitive_mark) && !self.is_denying(at + 1);
            let is_other_verb = at > from && self.is_finite(at);
            if self.is_mark(at, ENDS) || begins_infinitive || is_other_verb || self.opens_clause(at) {
                return None;
            }
            if self.is_object(at) {
                return Some(Denial::of_verb([at]));
            }
            at += 1;
        }
        None
    }

    /// True if a word negates an object of the verb.
    fn is_object(&self, at: usize) -> bool {
        if !self.is_denying(at) || self.is_compared(at) || self.is_tied(at) {
            return false;
        }
        // “no matter how” denies nothing.
        if self.is_in(at + 1, self.language.word_lists.idle) {
            return false;
        }
        !self.is_subject_of_another(at)
    }

    /// “ensure no lids are open”: a clause without a conjunction, whose subject it is.
    fn is_subject_of_another(&self, at: usize) -> bool {
        for next in at + 1..self.view.tokens.len() {
            if self.is_mark(next, ENDS) || self.opens_clause(next) {
                return false;
            }
            if self.is_finite(next) {
                return true;
            }
        }
        false
    }

    /// A negated noun phrase before the verb: its subject, or one that draws the verb before the subject.
    fn denying_subject(&self) -> Option<Denial> {
        let lists = &self.language.word_lists;
        let start = self.clause_start();
        let clause = ClauseBeforeVerb {
            start,
            is_fronted: self.is_in(start, lists.starting_phrase) || !self.is_main(start),
            // “If the lamp is lit and the door is open, no lid shall …”
            begins_fronted: self.is_in(0, lists.starting_phrase) || self.opens_clause(0),
        };
        let mut at = start;
        while at < self.verb {
            if self.is_mark(at, Marks::OPENING) {
                at = self.behind_bracket(at);
                continue;
            }
            // “no later than noon”; but “no more than two doors” is what is denied.
            let belongs_to_comparison = self.is_compared(at) && !self.is_in(at + 1, lists.amount);
            if self.is_denying(at) && self.is_main(at) && !belongs_to_comparison {
                if self.is_subject(at, clause) {
                    return Some(Denial::of_verb([at]));
                }
                let is_governed = at > 0 && self.is_in(at - 1, lists.preposition);
                if is_governed && self.draws_verb(start, at) {
                    return Some(Denial::of_verb([at - 1, at]));
                }
            }
            at += 1;
        }
        None
    }

    /// True if a negated noun phrase before the verb denies it by its position in the clause.
    fn is_subject(&self, at: usize, clause: ClauseBeforeVerb) -> bool {
        let lists = &self.language.word_lists;
        // “parts no longer used”; but “No longer shall the part be used”.
        if self.is_in(at + 1, lists.lasting) && at + 2 != self.verb && !self.is_compared(at) {
            return false;
        }
        // “no matter how” denies nothing.
        if self.is_in(at + 1, lists.idle) {
            return false;
        }
        // “No lid shall”, “and no lid shall”.
        let begins_clause =
            at == clause.start || at == clause.start + 1 && self.is_in(clause.start, lists.coordinator);
        if begins_clause || at + 1 == self.verb {
            return true;
        }
        // “In winter, no lid shall”: what precedes the subject is a phrase or a clause of its own.
        let behind_comma = clause.begins_fronted && at > 0 && self.is_mark(at - 1, Marks::COMMA);
        let is_governed = at > 0 && self.is_in(at - 1, lists.preposition);
        (clause.is_fronted || behind_comma) && !self.is_tied(at) && !is_governed
    }

    /// True if a phrase of a preposition and a negated noun denies the whole clause: it begins the clause,
    /// and the verb follows before its subject, or its noun is one of those for this.
    fn draws_verb(&self, start: usize, at: usize) -> bool {
        let lists = &self.language.word_lists;
        let begins = at == start + 1 || at > 1 && self.is_mark(at - 2, Marks::COMMA);
        if !begins {
            return false;
        }
        if self.is_in(at + 1, lists.occasion) {
            return true;
        }
        // A subject between the two would have a determiner.
        let is_near = self.verb - at <= LONGEST_FRONTED + 1;
        is_near && (at + 1..self.verb).all(|word| !self.is_in(word, lists.determiner))
    }

    /// The first token of the clause of the verb.
    fn clause_start(&self) -> usize {
        let mut at = self.verb;
        while at > 0 {
            let before = at - 1;
            if self.is_mark(before, Marks::CLOSING) {
                at = self.before_bracket(before);
                continue;
            }
            if self.is_mark(before, Marks::SEMICOLON.union(Marks::COLON).union(Marks::OPENING)) {
                return at;
            }
            // “by no means”: behind a determiner the word is a noun.
            let is_noun = before > 0 && self.is_in(before - 1, self.language.word_lists.determiner);
            let is_verb = self.is_finite(before) && !is_noun;
            if is_verb && self.is_main(before) && self.is_main(self.verb) {
                return at;
            }
            // The clause of a verb in a subordinate clause begins with its conjunction.
            if !self.is_main(self.verb) && self.opens_clause(before) {
                return at;
            }
            at = before;
        }
        0
    }
}
