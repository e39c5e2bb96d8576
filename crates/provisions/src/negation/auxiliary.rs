//! Negation next to the auxiliary, and by subjects and objects (English).

use norma_model::ProvisionKind;

use super::{Denial, Surroundings};
use crate::tokenizer::{Marks, TokenKind};

/// Marks at which a clause ends.
const ENDS: Marks = Marks::COMMA.union(Marks::SEMICOLON).union(Marks::COLON).union(Marks::DASH);

/// Most words between a negated noun phrase at the beginning of a clause and the verb that it draws before
/// the subject: “Under no such circumstances shall …”.
const LONGEST_FRONTED: usize = 3;

impl Surroundings<'_> {
    pub(super) fn denied_at_auxiliary(&self) -> Option<Denial> {
        let lists = &self.language.word_lists;
        let mut at = self.verb + 1;
        // The words between the auxiliary and the verb that it governs.
        while at < self.view.tokens.len() {
            if self.is_mark(at, Marks::COMMA) {
                let Some(behind) = self.behind_aside(at) else { break };
                at = behind;
            } else if self.is_in(at, lists.negator) {
                // “not only … but also” and “not less than” deny nothing.
                let denies_nothing = self.is_in(at + 1, lists.restricting) || self.is_compared(at);
                if denies_nothing {
                    return None;
                }
                // “may also not” allows to leave something undone.
                let also = self.kind == ProvisionKind::Permission && self.is_in(at - 1, lists.also);
                return Some(if also { Denial::of_complement(at) } else { Denial::of_verb([at]) });
            } else if self.is_in(at, lists.preposition) && self.is_denying(at + 1) {
                let noun = Some(at + 2).filter(|&noun| self.is_in(noun, lists.occasion));
                return Some(Denial::of_verb([at, at + 1].into_iter().chain(noun)));
            } else if self.is_denying(at) && self.is_in(at + 1, lists.lasting) && !self.is_compared(at) {
                return Some(Denial::of_verb([at, at + 1]));
            } else if self.is_in(at, lists.hedge) {
                at += 1;
            } else {
                break;
            }
        }
        // “has no right to”: the word is a part of the form.
        let own = (at..self.form.range.end).find(|&own| self.is_denying(own) && !self.is_compared(own));
        if let Some(own) = own {
            return Some(Denial::of_verb([own]));
        }
        self.denying_subject().or_else(|| self.denying_object(at.max(self.form.range.end)))
    }

    fn is_denying(&self, at: usize) -> bool {
        // “No. 5” is a number.
        let lists = &self.language.word_lists;
        let numbered = self.token(at + 1).is_some_and(|next| {
            matches!(next.kind, TokenKind::Number | TokenKind::Thing) || next.is_mark(Marks::SENTENCE_END)
        });
        // “No, the lid may be red.” answers.
        let answers = self.is_in(at, lists.determiner) && self.is_mark(at + 1, Marks::COMMA);
        let last = at + 2 >= self.view.tokens.len();
        self.is_in(at, lists.denying) && !answers && (!numbered || last)
    }

    /// “no later than”, “not more than”: the word belongs to the comparison.
    fn is_compared(&self, at: usize) -> bool {
        self.is_in(at + 2, self.language.word_lists.than)
    }

    /// Whether a word before a negated noun phrase ties it to something else than the verb: “a lid with no
    /// lock”, “trays showing no wear”, “little or no”.
    fn is_tied(&self, at: usize) -> bool {
        let lists = &self.language.word_lists;
        at > 0
            && self.is_in(at - 1, lists.tying.union(lists.coordinator).union(lists.than).union(lists.gerund))
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
            let other_verb = at > from && self.is_finite(at);
            if self.is_mark(at, ENDS) || begins_infinitive || other_verb || self.opens_clause(at) {
                return None;
            }
            if self.is_denying(at)
                && !self.is_compared(at)
                && !self.is_tied(at)
                && !self.is_in(at + 1, lists.idle)
                && !self.is_subject_of_another(at)
            {
                return Some(Denial::of_verb([at]));
            }
            at += 1;
        }
        None
    }

    /// “ensure no lids are open”: a clause without a conjunction, whose subject it is.
    fn is_subject_of_another(&self, at: usize) -> bool {
        let mut next = at + 1;
        while next < self.view.tokens.len() && !self.is_mark(next, ENDS) && !self.opens_clause(next) {
            if self.is_finite(next) {
                return true;
            }
            next += 1;
        }
        false
    }

    /// A negated noun phrase before the verb: its subject, or one that draws the verb before the subject.
    fn denying_subject(&self) -> Option<Denial> {
        let lists = &self.language.word_lists;
        let start = self.clause_start();
        let is_fronted = self.is_in(start, lists.starting_phrase) || !self.is_main(start);
        // “If the lamp is lit and the door is open, no lid shall …”
        let begins_fronted = self.is_in(0, lists.starting_phrase) || self.opens_clause(0);
        let mut at = start;
        while at < self.verb {
            if self.is_mark(at, Marks::OPENING) {
                at = self.behind_bracket(at);
                continue;
            }
            // “no later than noon”; but “no more than two doors” is what is denied.
            let compared = self.is_compared(at) && !self.is_in(at + 1, lists.amount);
            if !self.is_denying(at) || !self.is_main(at) || compared {
                at += 1;
                continue;
            }
            let begins = at == start || at == start + 1 && self.is_in(start, lists.coordinator);
            let governed = at > 0 && self.is_in(at - 1, lists.preposition);
            let behind_comma = begins_fronted && at > 0 && self.is_mark(at - 1, Marks::COMMA);
            let behind_fronted = (is_fronted || behind_comma) && !self.is_tied(at) && !governed;
            let precedes_verb = at + 1 == self.verb;
            // “parts no longer used”; but “No longer shall the part be used”.
            let lasting = self.is_in(at + 1, lists.lasting) && at + 2 != self.verb && !self.is_compared(at);
            let idle = lasting || self.is_in(at + 1, lists.idle);
            if !idle && (begins || behind_fronted || precedes_verb) {
                return Some(Denial::of_verb([at]));
            }
            if governed && self.draws_verb(start, at) {
                return Some(Denial::of_verb([at - 1, at]));
            }
            at += 1;
        }
        None
    }

    /// Whether a phrase of a preposition and a negated noun denies the whole clause: it begins the clause,
    /// and the verb follows before its subject, or its noun is one of those for this.
    fn draws_verb(&self, start: usize, at: usize) -> bool {
        let lists = &self.language.word_lists;
        let begins = at == start + 1 || at > 1 && self.is_mark(at - 2, Marks::COMMA);
        let inverted = self.verb - at <= LONGEST_FRONTED + 1
            && (at + 1..self.verb).all(|word| !self.is_in(word, lists.determiner));
        begins && (inverted || self.is_in(at + 1, lists.occasion))
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
            let ends = self.is_mark(before, Marks::SEMICOLON.union(Marks::COLON).union(Marks::OPENING));
            // “by no means”: behind a determiner the word is a noun.
            let determined = before > 0 && self.is_in(before - 1, self.language.word_lists.determiner);
            let another = self.is_finite(before) && self.is_main(before) && self.is_main(self.verb);
            if ends || another && !determined {
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
