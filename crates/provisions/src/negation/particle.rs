//! Negation by a particle before the verb (French).

use super::{Denial, Surroundings};
use crate::tokenizer::Marks;

/// Marks at which a clause ends.
const ENDS: Marks = Marks::SEMICOLON.union(Marks::COLON);

impl Surroundings<'_> {
    pub(super) fn denied_by_particle(&self) -> Option<Denial> {
        let lists = &self.language.word_lists;
        let mut first = self.verb;
        while first > 0 && self.is_in(first - 1, lists.clitic) {
            first -= 1;
        }
        if first > 0 && self.is_in(first - 1, lists.particle) {
            let mut words = vec![first - 1];
            if self.is_restricted() && !self.is_subject_denied(first - 1) {
                return None;
            }
            words.extend(Some(self.verb + 1).filter(|&at| self.is_in(at, lists.denying)));
            return Some(Denial::of_verb(words));
        }
        self.denied_complement()
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

    /// Whether a finite verb follows before the clause ends.
    fn has_verb(&self, from: usize) -> bool {
        let marks = ENDS.union(Marks::COMMA).union(Marks::BRACKET);
        let ends = |at: usize| self.is_mark(at, marks) || self.opens_clause(at);
        (from..self.view.tokens.len()).take_while(|&at| !ends(at)).any(|at| self.is_finite(at))
    }

    /// “aucun … ne”, “nul ne”: the subject denies.
    fn is_subject_denied(&self, particle: usize) -> bool {
        let lists = &self.language.word_lists;
        let start = (0..particle).rev().find(|&at| self.is_mark(at, ENDS.union(Marks::COMMA)));
        (start.map_or(0, |at| at + 1)..particle).any(|at| self.is_in(at, lists.denying))
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
        let is_clause = self.is_in(at, lists.that)
            || at > 0 && self.is_in(at - 1, lists.that) && self.form.words.last() == Some(&(at - 1));
        if !is_clause {
            at += usize::from(self.is_in(at, lists.infinitive_mark));
            let denied = self.is_in(at, lists.particle);
            return denied.then(|| Denial::of_complement(at));
        }
        at += usize::from(self.is_in(at, lists.that));
        while at < self.view.tokens.len() {
            if self.is_mark(at, ENDS.union(Marks::COMMA)) || self.opens_clause(at) {
                return None;
            }
            if self.is_in(at, lists.particle) {
                return Some(Denial::of_complement(at));
            }
            at += 1;
        }
        None
    }
}
