//! Negation by a particle before the verb (French).

use super::{Denial, Surroundings};
use crate::tokenizer::Marks;

/// Marks at which a clause ends.
const ENDS: Marks = Marks::SEMICOLON.union(Marks::COLON);

impl Surroundings<'_> {
    /// Finds the particle before the verb with the word that completes it, or else a denied complement.
    pub(super) fn denied_by_particle(&self) -> Option<Denial> {
        let lists = &self.language.word_lists;
        // “ne le doit pas”: pronouns may be between the particle and the verb.
        let mut first = self.verb;
        while first > 0 && self.is_in(first - 1, lists.clitic) {
            first -= 1;
        }
        if first == 0 || !self.is_in(first - 1, lists.particle) {
            return self.denied_complement();
        }
        let particle = first - 1;
        if self.is_restricted() && !self.is_subject_denied(particle) {
            return None;
        }
        let mut words = vec![particle];
        if self.is_in(self.verb + 1, lists.denying) {
            words.push(self.verb + 1);
        }
        Some(Denial::of_verb(words))
    }

    /// “ne … que”, “pas seulement”: the rest of the clause restricts and does not deny.
    fn is_restricted(&self) -> bool {
        let lists = &self.language.word_lists;
        let mut at = self.verb + 1;
        while at < self.view.tokens.len() && !self.is_mark(at, ENDS) {
            if self.is_in(at, lists.denying) {
                return self.is_in(at + 1, lists.restricting);
            }
            if self.is_in(at, lists.that) {
                // “avant que”, “afin que” open a clause, and so does “exiger que le client paie”.
                let connectives = &self.language.clauses.connectives;
                let conjunction = (1..=2).any(|back| connectives.follow(self.view, at - back));
                return !conjunction && !self.has_verb(at + 1);
            }
            at += 1;
        }
        false
    }

    /// True if a finite verb follows before the clause ends.
    fn has_verb(&self, from: usize) -> bool {
        let ends = ENDS.union(Marks::COMMA).union(Marks::BRACKET);
        for at in from..self.view.tokens.len() {
            if self.is_mark(at, ends) || self.opens_clause(at) {
                return false;
            }
            if self.is_finite(at) {
                return true;
            }
        }
        false
    }

    /// “aucun … ne”, “nul ne”: the subject denies.
    fn is_subject_denied(&self, particle: usize) -> bool {
        for at in (0..particle).rev() {
            if self.is_mark(at, ENDS.union(Marks::COMMA)) {
                return false;
            }
            if self.is_in(at, self.language.word_lists.denying) {
                return true;
            }
        }
        false
    }

    /// “doit ne pas ouvrir”, “convient de n'ouvrir aucun volet”, “convient que le volet ne soit pas ouvert”.
    fn denied_complement(&self) -> Option<Denial> {
        let lists = &self.language.word_lists;
        let mut at = self.form.range.end;
        if self.is_mark(at, Marks::COMMA) {
            at = self.behind_aside(at)?;
        }
        while self.is_in(at, lists.adverb) {
            at += 1;
        }
        if self.is_in(at, lists.that) {
            return self.denied_clause(at + 1);
        }
        // “convient que”: the conjunction is the last word of the form.
        let ends_with_that =
            at > 0 && self.is_in(at - 1, lists.that) && self.form.words.last() == Some(&(at - 1));
        if ends_with_that {
            return self.denied_clause(at);
        }
        if self.is_in(at, lists.infinitive_mark) {
            at += 1;
        }
        if self.is_in(at, lists.particle) { Some(Denial::of_complement(at)) } else { None }
    }

    /// The denial of a clause that begins here and says what is asked for.
    fn denied_clause(&self, start: usize) -> Option<Denial> {
        for at in start..self.view.tokens.len() {
            if self.is_mark(at, ENDS.union(Marks::COMMA)) || self.opens_clause(at) {
                return None;
            }
            if self.is_in(at, self.language.word_lists.particle) {
                return Some(Denial::of_complement(at));
            }
        }
        None
    }
}
