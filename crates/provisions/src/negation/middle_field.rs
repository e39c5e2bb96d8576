//! Negation between the parts of the verb, and at the head of what precedes it (German).

use norma_model::ProvisionKind;

use super::{Denial, Surroundings};
use crate::tokenizer::{Marks, SentenceToken, TokenKind, Writing};

/// Marks at which a clause ends.
const ENDS: Marks = Marks::SEMICOLON.union(Marks::COLON);

impl Surroundings<'_> {
    /// Finds the word that denies the verb: between its parts, or else at the head of what precedes it.
    pub(super) fn denied_in_middle_field(&self) -> Option<Denial> {
        for at in self.middle_field() {
            if self.denies(at) {
                return Some(Denial::of_verb([at]));
            }
        }
        self.denied_at_head()
    }

    /// The tokens between the finite verb and the end of its clause, without asides and subordinate clauses.
    /// In a clause whose finite verb is at its end they precede it.
    fn middle_field(&self) -> Vec<usize> {
        if !self.is_main(self.verb) {
            let mut start = self.verb;
            while start > 0 && !self.is_mark(start - 1, ENDS.union(Marks::COMMA).union(Marks::BRACKET)) {
                start -= 1;
            }
            return (start..self.verb).collect();
        }
        let mut field = Vec::new();
        let mut at = self.verb + 1;
        while at < self.view.tokens.len() {
            if self.is_mark(at, Marks::OPENING) {
                at = self.behind_bracket(at);
                continue;
            }
            if self.is_mark(at, ENDS.union(Marks::CLOSING)) {
                break;
            }
            if self.is_mark(at, Marks::COMMA) {
                if self.is_closed_before(at) || self.is_predicate_before(at) {
                    break;
                }
                at = self.behind_subordinate(at + 1).unwrap_or(at + 1);
                continue;
            }
            // “muss schließen und darf nicht klemmen”: another verb has a field of its own.
            let is_other_verb = self.is_finite(at) && !self.form.words.contains(&at);
            if is_other_verb && self.is_in(at - 1, self.language.word_lists.coordinator) {
                break;
            }
            field.push(at);
            at += 1;
        }
        field
    }

    /// True if the verb is complete before this comma: an infinitive is there.
    fn is_closed_before(&self, comma: usize) -> bool {
        let infinitive = self.language.word_lists.infinitive;
        let last = comma - 1;
        last > self.verb
            && self.is_in(last, infinitive)
            && self.token(last).is_some_and(|token| token.writing == Writing::Lower)
    }

    /// True if the form is one of several words, all of which are before this token: “ist verpflichtet, …”.
    fn is_predicate_before(&self, comma: usize) -> bool {
        self.form.words.len() > 1 && self.form.range.end <= comma
    }

    /// The token behind a subordinate clause, an aside or an infinitive clause that begins here.
    fn behind_subordinate(&self, start: usize) -> Option<usize> {
        if !self.begins_subordinate(start) {
            return None;
        }
        let end = self.end_of_part(start);
        // A comma ends the subordinate clause; another mark ends the clause around it too.
        Some(if self.is_mark(end, Marks::COMMA) { end + 1 } else { end })
    }

    fn begins_subordinate(&self, start: usize) -> bool {
        let lists = &self.language.word_lists;
        if self.language.clauses.connectives.follow(self.view, start) {
            return true;
        }
        // “, an dem der Deckel liegt,”: a relative pronoun may have a preposition.
        let pronoun = if self.is_in(start, lists.preposition) { start + 1 } else { start };
        if self.is_in(pronoun, lists.relative) && self.ends_in_verb(start) {
            return true;
        }
        self.is_in(start, lists.aside)
    }

    /// The first comma, semicolon or colon from here on, or the end of the sentence.
    fn end_of_part(&self, start: usize) -> usize {
        let mut at = start;
        while at < self.view.tokens.len() && !self.is_mark(at, Marks::COMMA.union(ENDS)) {
            at += 1;
        }
        at
    }

    /// True if the words up to the next comma end in a verb, as those of a relative clause do.
    fn ends_in_verb(&self, start: usize) -> bool {
        let last = self.end_of_part(start).saturating_sub(1);
        let Some(token) = self.token(last) else { return false };
        last > start && token.kind == TokenKind::Word && token.writing == Writing::Lower
    }

    /// True if the word denies the verb in whose field it is.
    fn denies(&self, at: usize) -> bool {
        let lists = &self.language.word_lists;
        // “muss aber nicht”: directly behind the verb the word is an adverb.
        let is_coordinated = at > 0 && at != self.verb + 2 && self.is_in(at - 1, lists.coordinator);
        if self.is_in(at, lists.negator) {
            return !is_coordinated && self.negator_denies(at);
        }
        // “die keinen Schutz bietenden Teile”: within a noun phrase.
        let is_within_phrase = at > 0 && self.is_in(at - 1, lists.determiner);
        self.is_in(at, lists.denying) && !is_coordinated && !is_within_phrase
    }

    /// True if a `nicht` in the field of the verb denies it.
    fn negator_denies(&self, at: usize) -> bool {
        let lists = &self.language.word_lists;
        let is_permission = self.kind == ProvisionKind::Permission;
        // “in einem Abstand von nicht weniger als 5 mm”: within what the preposition governs.
        if !is_permission && at > self.verb + 1 && self.is_in(at - 1, lists.preposition) {
            return false;
        }
        if self.is_in(at + 1, lists.restricting) || self.is_attributive(at) {
            return false;
        }
        // What is allowed instead leaves a ban a ban.
        is_permission || !self.is_contrasted(at)
    }

    /// True if `nicht` belongs to an adjective or participle: “nicht beheizte Räume”. An indefinite noun
    /// phrase is denied by `kein`, so that what follows `nicht` without an article is not the verb's.
    fn is_attributive(&self, at: usize) -> bool {
        let lists = &self.language.word_lists;
        let behind_article = at > 0 && self.is_in(at - 1, lists.article.union(lists.preposition));
        let mut next = at + 1;
        // “nicht mehr benötigte”, “nicht ordnungsgemäß befestigte”, “nicht vom Hersteller zugelassene”.
        while self.token(next).is_some_and(|token| self.is_within_attribute(token, behind_article)) {
            if self.is_inflected(next) && self.modifies_noun(next) {
                return behind_article || at < self.verb || self.is_attribute(at, next);
            }
            next += 1;
        }
        false
    }

    /// True if a noun phrase without an article, whose adjective `nicht` precedes, is denied by it. A dative
    /// is the verb's (“nicht hohen Temperaturen aussetzen”), unless its adjective is one that names a kind.
    fn is_attribute(&self, negator: usize, adjective: usize) -> bool {
        let lists = &self.language.word_lists;
        if self.is_in(adjective, lists.direct) || self.is_in(adjective, lists.derived) {
            return true;
        }
        // “den Einsatz nicht konformer Geräte”: a genitive behind its noun.
        self.is_in(adjective, lists.genitive) && negator > 0 && self.is_noun(negator - 1)
    }

    /// True for a capitalized word, as nouns are.
    fn is_noun(&self, at: usize) -> bool {
        self.token(at).is_some_and(|token| token.kind == TokenKind::Word && token.writing != Writing::Lower)
    }

    /// True if the token may be between `nicht` and the adjective: adverbs, and, behind an article or a
    /// preposition, phrases of their own.
    fn is_within_attribute(&self, token: &SentenceToken, behind_article: bool) -> bool {
        if token.kind == TokenKind::Mark {
            return false;
        }
        if behind_article {
            return true;
        }
        let lists = &self.language.word_lists;
        token.writing == Writing::Lower && !token.is_in(lists.preposition.union(lists.determiner))
    }

    /// True if the word has the ending of an adjective before a noun.
    fn is_inflected(&self, at: usize) -> bool {
        let lists = &self.language.word_lists;
        let is_lower = self.token(at).is_some_and(|token| token.writing == Writing::Lower);
        is_lower && self.is_in(at, lists.inflected) && !self.is_in(at, lists.determiner)
    }

    /// True if a noun follows an adjective, perhaps behind further adjectives.
    fn modifies_noun(&self, adjective: usize) -> bool {
        let lists = &self.language.word_lists;
        let mut at = adjective + 1;
        while let Some(token) = self.token(at) {
            if self.is_noun(at) {
                return true;
            }
            let joins = self.is_in(at, lists.coordinator.union(lists.negator)) || token.is_mark(Marks::COMMA);
            if !joins && !self.is_inflected(at) {
                return false;
            }
            at += 1;
        }
        false
    }

    /// True if the sentence goes on with what is asked for instead: “nicht am Rand, sondern in der Mitte”.
    fn is_contrasted(&self, at: usize) -> bool {
        self.is_in(self.end_of_part(at) + 1, self.language.word_lists.instead)
    }

    /// A negation at the head of what precedes the finite verb: “Kein Deckel darf”, “An keiner Stelle darf”,
    /// “Nicht geöffnet werden darf”.
    fn denied_at_head(&self) -> Option<Denial> {
        if !self.is_main(self.verb) {
            return None;
        }
        let lists = &self.language.word_lists;
        for head in self.heads() {
            if head >= self.verb {
                continue;
            }
            if self.is_in(head, lists.denying) {
                return Some(Denial::of_verb([head]));
            }
            if self.is_in(head, lists.preposition) && self.is_in(head + 1, lists.denying) {
                return Some(Denial::of_verb([head, head + 1]));
            }
            if self.is_in(head, lists.negator) && self.denies_at_head(head) {
                return Some(Denial::of_verb([head]));
            }
        }
        None
    }

    /// True if `nicht` at the head denies the verb: before the rest of the verb, or before a word for all.
    fn denies_at_head(&self, head: usize) -> bool {
        let lists = &self.language.word_lists;
        if self.is_in(head + 1, lists.every) {
            return true;
        }
        if self.is_in(head + 1, lists.restricting) {
            return false;
        }
        for token in &self.view.tokens[head + 1..self.verb] {
            let is_noun = token.kind != TokenKind::Mark && token.writing != Writing::Lower;
            if is_noun {
                return false;
            }
        }
        true
    }

    /// The first tokens of the main clause of the verb and of its parts between commas.
    fn heads(&self) -> Vec<usize> {
        let lists = &self.language.word_lists;
        let mut start = self.verb;
        let mut heads = Vec::new();
        while start > 0 {
            let before = start - 1;
            if self.is_mark(before, Marks::CLOSING) {
                start = self.before_bracket(before);
                continue;
            }
            // “Nicht geöffnet werden darf”: that one is an infinitive.
            let is_other_verb =
                self.is_finite(before) && self.is_main(before) && !self.is_in(before, lists.infinitive);
            if is_other_verb || self.is_mark(before, ENDS.union(Marks::OPENING)) {
                break;
            }
            if self.is_mark(before, Marks::COMMA) {
                heads.push(start);
            }
            start = before;
        }
        heads.push(start);
        for head in &mut heads {
            if self.is_in(*head, lists.coordinator) {
                *head += 1;
            }
        }
        heads.retain(|&head| head == self.verb || self.is_main(head));
        heads
    }
}
