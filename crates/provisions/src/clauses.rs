//! Clause structure of a sentence: the words of its main clauses, and those of subordinate ones.

use std::ops::Range;

use super::language::Language;
use super::lexicon::{ListSet, Uses};
use super::matching::SentenceView;
use super::tokenizer::{Marks, SentenceToken, TokenKind, Writing};

/// For each token up to the last modal one, whether it is in a main clause. `modal` are the tokens that a
/// rule has found, ascending.
pub(super) fn main_clauses(view: SentenceView<'_>, language: &Language, modal: &[usize]) -> Vec<bool> {
    if language.clauses.verb_final {
        return verb_final(view, language, modal);
    }
    let mut main = introduced(view, language, modal);
    // Behind another verb there is no noun phrase that begins the sentence.
    if let Some(&first) = modal.first()
        && is_in_contact_clause(view, language, first)
    {
        main[first] = false;
    }
    main
}

/// True if a modal is in a relative clause without pronoun after the first words: “the colours the lid may
/// have”.
fn is_in_contact_clause(view: SentenceView<'_>, language: &Language, modal: usize) -> bool {
    for pattern in &language.clauses.contact {
        if pattern.at(view, modal).is_some_and(|found| found.range.start == 0) {
            return true;
        }
    }
    false
}

/// Words between commas that are no enumeration within a clause.
const LONGEST_ASIDE: usize = 3;

/// The clauses and brackets that are open while an English or French sentence is read from left to right.
enum OpenClause {
    /// True if a main clause of its own is in it: “(it should be dark red)”.
    Bracket { main: bool },
    /// A subordinate clause: whether the sentence or its main clause began with it, and whether its verb was
    /// seen.
    Clause {
        initial: bool,
        verb: bool,
        /// The first token of the clause.
        from: usize,
    },
}

/// A phrase between commas directly after a conjunction: “If, in the end, …”, “… or, if it is wet, …”.
struct Aside {
    /// Number of open ones before it.
    depth: usize,
    /// True for a clause after `and` or `or`.
    clause: bool,
}

struct ClauseReader<'a> {
    view: SentenceView<'a>,
    language: &'a Language,
    modal: &'a [usize],
    open: Vec<OpenClause>,
    /// True if the main clause has its verb.
    verb: bool,
    /// True if no word of the main clause has been read yet.
    fresh: bool,
    aside: Option<Aside>,
    /// True if the rest of the sentence lists conditions: “… if: 1) …”.
    listed: bool,
    /// True if the first word points at something and opens no clause: “That plan shall …”.
    demonstrative: bool,
}

/// Marks subordinate clauses: a word opens them; a comma, a second verb or a new main clause closes them.
fn introduced(view: SentenceView<'_>, language: &Language, modal: &[usize]) -> Vec<bool> {
    // Tokens after the last requested verb do not affect it.
    let limit = modal.last().map_or(0, |last| last + 1);
    let may_open = |token: &SentenceToken| {
        token.known.uses.intersects(Uses::CONNECTIVE) || token.is_mark(Marks::OPENING)
    };
    if !view.tokens[..limit].iter().any(may_open) {
        return vec![true; limit];
    }
    let mut reader = ClauseReader::new(view, language, modal);
    // “That plan shall be kept.”: where no main clause follows, the first word is not a conjunction.
    if view.tokens[0].is_in(language.word_lists.that) && opens_clause(view, language, 0) {
        for at in 0..view.tokens.len() {
            reader.read(at);
        }
        let demonstrative = !reader.verb;
        reader = ClauseReader { demonstrative, ..ClauseReader::new(view, language, modal) };
    }
    let mut main = Vec::with_capacity(limit);
    for at in 0..limit {
        reader.read(at);
        main.push(reader.is_in_main_clause());
    }
    main
}

impl<'a> ClauseReader<'a> {
    fn new(view: SentenceView<'a>, language: &'a Language, modal: &'a [usize]) -> Self {
        Self {
            view,
            language,
            modal,
            open: Vec::new(),
            verb: false,
            fresh: true,
            aside: None,
            listed: false,
            demonstrative: false,
        }
    }

    fn read(&mut self, at: usize) {
        let token = &self.view.tokens[at];
        if token.kind == TokenKind::Mark {
            return self.read_mark(at);
        }
        // Most words do not make clauses.
        let lists = &self.language.word_lists;
        let turns = token.known.uses.intersects(Uses::CONNECTIVE) || token.is_in(lists.turning);
        if !turns && self.modal.binary_search(&at).is_err() {
            if self.open.is_empty() {
                self.fresh = false;
            }
            return;
        }
        if let Some(is_relative) = self.connective(at) {
            let initial = self.fresh && self.open.is_empty();
            let verb = is_relative && self.is_followed_by_relative_verb(at);
            self.open.push(OpenClause::Clause { initial, verb, from: at });
            return;
        }
        if self.is_coordinator(at) {
            return self.coordinate(at);
        }
        if self.is_verb(at) {
            self.take_verb();
        }
        if self.open.is_empty() {
            self.fresh = false;
        }
    }

    /// True if the verb of a relative clause is next to its pronoun, by its form: “which moves”.
    fn is_followed_by_relative_verb(&self, pronoun: usize) -> bool {
        let lists = &self.language.word_lists;
        let tokens = self.view.tokens;
        // “for which samples are …”: after a preposition the subject follows, and then the verb.
        if pronoun > 0 && tokens[pronoun - 1].is_in(lists.preposition) {
            return false;
        }
        // “considering also that lids …”: not a relative pronoun.
        if pronoun <= 2 && tokens[0].is_in(lists.recital) {
            return false;
        }
        self.is_in(pronoun + 1, lists.relative_verb) && !self.is_verb(pronoun + 1)
    }

    fn is_in_main_clause(&self) -> bool {
        let is_main = |open: &OpenClause| matches!(open, OpenClause::Bracket { main: true });
        !self.listed && self.open.iter().all(is_main)
    }

    fn read_mark(&mut self, at: usize) {
        let token = &self.view.tokens[at];
        if token.is_mark(Marks::OPENING) {
            let main = self.open.is_empty() && self.begins_sentence(at + 1);
            self.open.push(OpenClause::Bracket { main });
        } else if token.is_mark(Marks::CLOSING) {
            if let Some(bracket) = self.innermost_bracket() {
                self.open.truncate(bracket);
            }
        } else if token.is_mark(Marks::COLON) && at > 0 && opens_clause(self.view, self.language, at - 1) {
            self.listed = true;
        } else if token.is_mark(Marks::SEMICOLON.union(Marks::COLON)) && self.innermost_bracket().is_none() {
            self.open.clear();
            (self.verb, self.fresh) = (false, true);
        } else if token.is_mark(Marks::COMMA) {
            self.comma(at);
        }
    }

    /// True if a word begins a sentence and not a subordinate clause.
    fn begins_sentence(&self, at: usize) -> bool {
        let Some(word) = self.view.tokens.get(at) else { return false };
        word.is_in(self.language.word_lists.starting) && !word.known.uses.intersects(Uses::CONNECTIVE)
    }

    /// Index of the innermost bracket that is open.
    fn innermost_bracket(&self) -> Option<usize> {
        self.open.iter().rposition(|open| matches!(open, OpenClause::Bracket { .. }))
    }

    fn comma(&mut self, at: usize) {
        if at > 0 && !self.open.is_empty() && self.hangs(at - 1) {
            return self.begin_aside(at);
        }
        if let Some(aside) = self.aside.take() {
            return self.end_aside(&aside, at);
        }
        let is_coordinated = self.is_coordinator(at + 1);
        let tokens = self.view.tokens;
        match self.open.last_mut() {
            // “If it is wet, or the lid is open, …”: the condition has a second clause.
            Some(OpenClause::Clause { initial: true, verb, .. }) if is_coordinated => *verb = false,
            Some(OpenClause::Clause { initial: true, .. }) => {
                self.open.pop();
            }
            Some(OpenClause::Clause { initial: false, .. }) if is_coordinated && self.verb => {
                self.close_all();
            }
            Some(OpenClause::Clause { initial: false, verb, from }) => {
                // “…, where possible, …”: a few words between commas, which need no verb.
                let is_between_commas = *from > 0 && tokens[*from - 1].is_mark(Marks::COMMA);
                let needs_no_verb = is_between_commas && at - *from <= LONGEST_ASIDE;
                if *verb || !self.verb || needs_no_verb {
                    self.open.pop();
                }
            }
            Some(OpenClause::Bracket { .. }) | None => {}
        }
    }

    /// True if what a word begins is behind the comma after it: “If, in the end, …”, “if it is wet or, in the
    /// end, …”. Neither comma closes anything.
    fn hangs(&self, at: usize) -> bool {
        opens_clause(self.view, self.language, at) || self.is_coordinator(at)
    }

    /// Begins a phrase between commas.
    fn begin_aside(&mut self, comma: usize) {
        let is_coordinated = self.is_coordinator(comma - 1);
        let has_next = comma + 1 < self.view.tokens.len();
        let clause = is_coordinated && has_next && opens_clause(self.view, self.language, comma + 1);
        self.aside = Some(Aside { depth: self.open.len(), clause });
        if is_coordinated && let Some(OpenClause::Clause { verb, .. }) = self.open.last_mut() {
            *verb = false;
        }
    }

    /// Ends a phrase between commas, with what was opened in it.
    fn end_aside(&mut self, aside: &Aside, comma: usize) {
        self.open.truncate(aside.depth);
        // “… that it is paid or, if it is not, they may …”
        let begins_main_clause = self.is_in(comma + 1, self.language.word_lists.pronoun);
        if aside.clause && begins_main_clause && self.verb {
            self.close_all();
        }
    }

    /// Handles `and`, `or` and the like without a comma before them.
    fn coordinate(&mut self, at: usize) {
        let next_is_verb = self.is_verb(at + 1);
        let strong = self.is_in(at + 1, self.language.word_lists.strong);
        let begins_anew = self.is_in(at + 1, self.language.word_lists.subject);
        let main_has_verb = self.verb;
        let goes_on = self.begins_clause_before_comma(at + 1);
        match self.open.last_mut() {
            // “If it is wet and the lid is open, …”: the condition has a second clause.
            Some(OpenClause::Clause { initial: true, verb, .. }) if goes_on => *verb = false,
            Some(OpenClause::Clause { initial: false, verb: true, .. }) if begins_anew && main_has_verb => {
                self.close_all();
            }
            Some(OpenClause::Clause { verb: false, .. }) if next_is_verb => {
                self.open.pop();
            }
            Some(OpenClause::Clause { initial: false, .. }) if next_is_verb && strong => self.close_all(),
            Some(OpenClause::Clause { verb, .. }) if next_is_verb || main_has_verb => *verb = false,
            _ => {}
        }
    }

    /// True if a subject begins here, and its verb comes before the next comma.
    fn begins_clause_before_comma(&self, at: usize) -> bool {
        let lists = &self.language.word_lists;
        if !self.is_in(at, lists.determiner.union(lists.pronoun)) {
            return false;
        }
        let mut has_verb = false;
        for (at, token) in self.view.tokens.iter().enumerate().skip(at) {
            if token.is_mark(Marks::COMMA) {
                return has_verb;
            }
            has_verb = has_verb || self.is_verb(at);
        }
        false
    }

    /// Gives a verb to the innermost clause without one. A clause that has a verb ends where the clause
    /// around it waits for its own.
    fn take_verb(&mut self) {
        loop {
            let is_awaited_around = match self.open.len().checked_sub(2).map(|around| &self.open[around]) {
                None => !self.verb,
                Some(OpenClause::Clause { verb, .. }) => !verb,
                Some(OpenClause::Bracket { .. }) => true,
            };
            match self.open.last_mut() {
                Some(OpenClause::Clause { verb, .. }) if !*verb => {
                    *verb = true;
                    return;
                }
                Some(OpenClause::Clause { initial, .. }) if *initial || is_awaited_around => {
                    self.open.pop();
                }
                Some(_) => return,
                None => {
                    self.verb = true;
                    return;
                }
            }
        }
    }

    /// Closes everything that is open, except a bracket and its content.
    fn close_all(&mut self) {
        let remaining = self.innermost_bracket().map_or(0, |bracket| bracket + 1);
        self.open.truncate(remaining);
    }

    /// True if a subordinate clause opens here by a relative pronoun, false if by another word, `None` if
    /// none opens.
    fn connective(&self, at: usize) -> Option<bool> {
        if at == 0 && self.demonstrative || !opens_clause(self.view, self.language, at) {
            return None;
        }
        Some(self.language.clauses.relatives.contains(&self.view.tokens[at].known.word))
    }

    fn is_in(&self, at: usize, list: ListSet) -> bool {
        self.view.tokens.get(at).is_some_and(|token| token.is_in(list))
    }

    fn is_coordinator(&self, at: usize) -> bool {
        self.is_in(at, self.language.word_lists.coordinator)
    }

    fn is_verb(&self, at: usize) -> bool {
        self.modal.binary_search(&at).is_ok()
            || self.view.tokens.get(at).is_some_and(|t| is_finite(t, self.language))
    }
}

/// True if a word at this position opens a subordinate clause.
pub(super) fn opens_clause(view: SentenceView<'_>, language: &Language, at: usize) -> bool {
    let clauses = &language.clauses;
    let token = &view.tokens[at];
    if !token.known.uses.intersects(Uses::CONNECTIVE) || !token.is_plain_word() {
        return false;
    }
    if !clauses.connectives.follow(view, at) {
        return false;
    }
    for exception in &clauses.not_connectives {
        if exception.follows(view, at).is_some() || exception.precedes(view, at + 1) {
            return false;
        }
    }
    true
}

/// True if the token is a verb that is not modal but still makes a clause.
pub(super) fn is_finite(token: &SentenceToken, language: &Language) -> bool {
    token.is_plain_word() && token.is_in(language.word_lists.finite)
}

/// True if the verb is within the clause and not at its end: “Während der Prüfung ist die Tür zu schließen”
/// begins with a preposition that looks like a conjunction.
fn has_verb_inside(clause: &[SentenceToken], modal: &[usize], language: &Language) -> bool {
    let last = clause.iter().rposition(|token| token.kind == TokenKind::Word).unwrap_or(0);
    let is_modal = |at: usize| modal.binary_search(&at).is_ok();
    let is_verb = |at: usize| is_modal(at) || is_finite(&clause[at], language);
    // “Während der Prüfung darf die Tür nicht geöffnet werden”: an infinitive belongs to the verb inside.
    let ends_in_infinitive = !is_modal(last) && clause[last].is_in(language.word_lists.infinitive);
    if ends_in_infinitive && clause[0].is_in(language.word_lists.ambiguous) {
        for at in 1..last {
            if is_modal(at) && !clause[at + 1].is_in(language.word_lists.coordinator) {
                return true;
            }
        }
    }
    !is_verb(last) && (1..last).any(is_verb)
}

/// Marks between which a German clause is enclosed.
const PARTING: Marks =
    Marks::COMMA.union(Marks::SEMICOLON).union(Marks::COLON).union(Marks::DASH).union(Marks::BRACKET);

/// Marks a clause between commas as subordinate if its modal is at its end or a conjunction opens it
/// (German).
fn verb_final(view: SentenceView<'_>, language: &Language, modals: &[usize]) -> Vec<bool> {
    let tokens = view.tokens;
    let mut main = vec![true; tokens.len()];
    let mut start = 0;
    while start < tokens.len() {
        let end = (start..tokens.len()).find(|&at| tokens[at].is_mark(PARTING)).unwrap_or(tokens.len());
        let is_bracketed = start > 0 && tokens[start - 1].is_mark(Marks::OPENING);
        let is_subordinate = is_bracketed || is_opened(view, language, modals, start..end);
        for at in start..end {
            let is_modal = modals.binary_search(&at).is_ok();
            let ends_clause = at + 1 == end
                || tokens[at + 1].is_mark(Marks::SENTENCE_END)
                || tokens[at + 1].is_in(language.word_lists.coordinator);
            let is_final = is_modal && ends_clause && at > start && is_infinitive(&tokens[at - 1], language);
            main[at] = !is_subordinate && !is_final;
        }
        start = end + 1;
    }
    main
}

/// True if a German clause begins like a subordinate one: with a conjunction, or as a condition with its
/// modal.
fn is_opened(view: SentenceView<'_>, language: &Language, modals: &[usize], clause: Range<usize>) -> bool {
    let tokens = view.tokens;
    if clause.is_empty() {
        return false;
    }
    // “Muss die Probe trocknen, …”: a sentence that begins with its modal is a condition.
    let begins_sentence = clause.start == 0;
    if begins_sentence && modals.first() == Some(&0) && is_finite(&tokens[0], language) {
        return true;
    }
    let is_coordinated = tokens[clause.start].is_in(language.word_lists.coordinator);
    let first = clause.start + usize::from(is_coordinated);
    if !language.clauses.connectives.follow(view, first) {
        return false;
    }
    !begins_sentence || !has_verb_inside(&tokens[..clause.end], modals, language)
}

/// True if a word has the ending of an infinitive. “Der Ofen darf, …”: a noun may end so, too.
fn is_infinitive(token: &SentenceToken, language: &Language) -> bool {
    token.writing != Writing::Capital && token.is_in(language.word_lists.infinitive)
}
