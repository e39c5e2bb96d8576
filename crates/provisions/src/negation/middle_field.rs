//! Negation between the parts of the verb, and at the head of what precedes it (German).

use norma_model::ProvisionKind;

use super::{Denial, Surroundings};
use crate::tokenizer::{Marks, SentenceToken, TokenKind, Writing};

/// Marks at which a clause ends.
const ENDS: Marks = Marks::SEMICOLON.union(Marks::COLON);

impl Surroundings<'_> {
    pub(super) fn denied_in_middle_field(&self) -> Option<Denial> {
        let field = self.middle_field();
        let found = field.into_iter().find(|&at| self.denies(at));
        found.map(|at| Denial::of_verb([at])).or_else(|| self.denied_at_head())
    }

    /// The tokens between the finite verb and the end of its clause, without asides and subordinate clauses.
    /// In a clause whose finite verb is at its end they precede it.
    fn middle_field(&self) -> Vec<usize> {
        let lists = &self.language.word_lists;
        if !self.is_main(self.verb) {
            let ends = |at: usize| self.is_mark(at, ENDS.union(Marks::COMMA).union(Marks::BRACKET));
            let start = (0..self.verb).rev().find(|&at| ends(at)).map_or(0, |at| at + 1);
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
                match self.behind_subordinate(at + 1) {
                    Some(behind) => at = behind,
                    None => at += 1,
                }
                continue;
            }
            // “muss schließen und darf nicht klemmen”: another verb has a field of its own.
            let another = self.is_finite(at) && !self.form.words.contains(&at);
            if another && self.is_in(at - 1, lists.coordinator) {
                break;
            }
            field.push(at);
            at += 1;
        }
        field
    }

    /// Whether the verb is complete before this comma: an infinitive is there.
    fn is_closed_before(&self, comma: usize) -> bool {
        let infinitive = self.language.word_lists.infinitive;
        let last = comma - 1;
        last > self.verb
            && self.is_in(last, infinitive)
            && self.token(last).is_some_and(|token| token.writing == Writing::Lower)
    }

    /// Whether the form is one of several words, all of which are before this token: “ist verpflichtet, …”.
    fn is_predicate_before(&self, comma: usize) -> bool {
        self.form.words.len() > 1 && self.form.range.end <= comma
    }

    /// The token behind a subordinate clause, an aside or an infinitive clause that begins here.
    fn behind_subordinate(&self, start: usize) -> Option<usize> {
        let lists = &self.language.word_lists;
        let governed = start + usize::from(self.is_in(start, lists.preposition));
        let subordinate = self.language.clauses.connectives.follow(self.view, start)
            || self.is_in(governed, lists.relative) && self.ends_in_verb(start)
            || self.is_in(start, lists.aside);
        if !subordinate {
            return None;
        }
        let end = (start..self.view.tokens.len()).find(|&at| self.is_mark(at, Marks::COMMA.union(ENDS)));
        Some(end.map_or(self.view.tokens.len(), |end| end + usize::from(self.is_mark(end, Marks::COMMA))))
    }

    /// Whether the words up to the next comma end in a verb, as those of a relative clause do.
    fn ends_in_verb(&self, start: usize) -> bool {
        let tokens = self.view.tokens;
        let end = (start..tokens.len()).find(|&at| self.is_mark(at, Marks::COMMA.union(ENDS)));
        let last = end.unwrap_or(tokens.len()).saturating_sub(1);
        last > start && tokens[last].kind == TokenKind::Word && tokens[last].writing == Writing::Lower
    }

    /// Whether the word denies the verb in whose field it is.
    fn denies(&self, at: usize) -> bool {
        let lists = &self.language.word_lists;
        // “muss aber nicht”: directly behind the verb the word is an adverb.
        let coordinated = at > 0 && at != self.verb + 2 && self.is_in(at - 1, lists.coordinator);
        if self.is_in(at, lists.negator) {
            // “in einem Abstand von nicht weniger als 5 mm”: within what the preposition governs.
            let governed = self.kind != ProvisionKind::Permission
                && at > self.verb + 1
                && self.is_in(at - 1, lists.preposition);
            if governed || coordinated || self.is_in(at + 1, lists.restricting) || self.is_attributive(at) {
                return false;
            }
            // What is allowed instead leaves a ban a ban.
            return self.kind == ProvisionKind::Permission || !self.is_contrasted(at);
        }
        // “die keinen Schutz bietenden Teile”: within a noun phrase.
        let within = at > 0 && self.is_in(at - 1, lists.determiner);
        self.is_in(at, lists.denying) && !coordinated && !within
    }

    /// Whether `nicht` belongs to an adjective or participle: “nicht beheizte Räume”. An indefinite noun
    /// phrase is denied by `kein`, so that what follows `nicht` without an article is not the verb's.
    fn is_attributive(&self, at: usize) -> bool {
        let lists = &self.language.word_lists;
        let behind_article = at > 0 && self.is_in(at - 1, lists.article.union(lists.preposition));
        let mut next = at + 1;
        // “nicht mehr benötigte”, “nicht ordnungsgemäß befestigte”, “nicht vom Hersteller zugelassene”.
        while self.token(next).is_some_and(|token| self.is_within_attribute(token, behind_article)) {
            if self.is_inflected(next) && self.modifies_noun(next) {
                // “nicht hohen Temperaturen aussetzen”: a dative is the verb's, unless its adjective is one
                // that names a kind.
                // “den Einsatz nicht konformer Geräte”: a genitive behind its noun.
                let behind_noun = at > 0
                    && self.token(at - 1).is_some_and(|token| {
                        token.kind == TokenKind::Word && token.writing != Writing::Lower
                    });
                return behind_article
                    || behind_noun && self.is_in(next, lists.genitive)
                    || at < self.verb
                    || self.is_in(next, lists.direct)
                    || self.is_in(next, lists.derived);
            }
            next += 1;
        }
        false
    }

    /// Whether the token may be between `nicht` and the adjective: adverbs, and, behind an article or a
    /// preposition, phrases of their own.
    fn is_within_attribute(&self, token: &SentenceToken, behind_article: bool) -> bool {
        if token.kind == TokenKind::Mark {
            return false;
        }
        let lists = &self.language.word_lists;
        behind_article
            || token.writing == Writing::Lower && !token.is_in(lists.preposition.union(lists.determiner))
    }

    /// Whether the word has the ending of an adjective before a noun.
    fn is_inflected(&self, at: usize) -> bool {
        let lower = self.token(at).is_some_and(|token| token.writing == Writing::Lower);
        let lists = &self.language.word_lists;
        lower && self.is_in(at, lists.inflected) && !self.is_in(at, lists.determiner)
    }

    /// Whether a noun follows an adjective, perhaps behind further adjectives.
    fn modifies_noun(&self, adjective: usize) -> bool {
        let lists = &self.language.word_lists;
        let mut at = adjective + 1;
        loop {
            let Some(token) = self.token(at) else { return false };
            if token.kind == TokenKind::Word && token.writing != Writing::Lower {
                return true;
            }
            let joins = self.is_in(at, lists.coordinator.union(lists.negator)) || token.is_mark(Marks::COMMA);
            if !joins && !self.is_inflected(at) {
                return false;
            }
            at += 1;
        }
    }

    /// Whether the sentence goes on with what is asked for instead: “nicht am Rand, sondern in der Mitte”.
    fn is_contrasted(&self, at: usize) -> bool {
        let lists = &self.language.word_lists;
        let comma = (at..self.view.tokens.len()).find(|&next| self.is_mark(next, Marks::COMMA.union(ENDS)));
        comma.is_some_and(|comma| self.is_in(comma + 1, lists.instead))
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

    /// Whether `nicht` at the head denies the verb: before the rest of the verb, or before a word for all.
    fn denies_at_head(&self, head: usize) -> bool {
        let lists = &self.language.word_lists;
        let is_noun = |at: usize| {
            self.token(at)
                .is_some_and(|token| token.kind != TokenKind::Mark && token.writing != Writing::Lower)
        };
        let holds_noun = (head + 1..self.verb).any(is_noun);
        self.is_in(head + 1, lists.every) || !holds_noun && !self.is_in(head + 1, lists.restricting)
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
            let another =
                self.is_finite(before) && self.is_main(before) && !self.is_in(before, lists.infinitive);
            if another || self.is_mark(before, ENDS.union(Marks::OPENING)) {
                break;
            }
            if self.is_mark(before, Marks::COMMA) {
                heads.push(start);
            }
            start = before;
        }
        heads.push(start);
        for head in &mut heads {
            *head += usize::from(self.is_in(*head, lists.coordinator));
        }
        heads.retain(|&head| head == self.verb || self.is_main(head));
        heads
    }
}
