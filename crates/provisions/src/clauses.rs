//! Clause structure of a sentence: the words of its main clauses, and those of subordinate ones.

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
    // “the colours the lid may have”: a relative clause without pronoun.
    let contact = |at: usize| {
        language.clauses.contact.iter().any(|p| p.at(view, at).is_some_and(|m| m.range.start == 0))
    };
    // Behind another verb there is no noun phrase that begins the sentence.
    if let Some(&first) = modal.first() {
        main[first] &= !contact(first);
    }
    main
}

/// Words between commas that are no enumeration within a clause.
const LONGEST_ASIDE: usize = 3;

/// The clauses and brackets that are open while an English or French sentence is read from left to right.
enum OpenClause {
    /// Whether a main clause of its own is in it: “(it should be dark red)”.
    Bracket { main: bool },
    /// A subordinate clause: whether the sentence or its main clause began with it, and whether its verb was
    /// seen.
    Clause {
        initial: bool,
        verb: bool,
        /// Its first token.
        from: usize,
    },
}

/// A phrase between commas directly after a conjunction: “If, in the end, …”, “… or, if it is wet, …”.
struct Aside {
    /// Number of open ones before it.
    depth: usize,
    /// Whether it is a clause after `and` or `or`.
    clause: bool,
}

struct ClauseReader<'a> {
    view: SentenceView<'a>,
    language: &'a Language,
    modal: &'a [usize],
    open: Vec<OpenClause>,
    /// Whether the main clause has its verb.
    verb: bool,
    /// Whether no word of the main clause has been read yet.
    fresh: bool,
    aside: Option<Aside>,
    /// Whether the rest of the sentence lists conditions: “… if: 1) …”.
    listed: bool,
    /// Whether the first word points at something and opens no clause: “That plan shall …”.
    demonstrative: bool,
}

/// Marks subordinate clauses: a word opens them; a comma, a second verb or a new main clause closes them.
fn introduced(view: SentenceView<'_>, language: &Language, modal: &[usize]) -> Vec<bool> {
    let may_open = |token: &SentenceToken| {
        token.known.uses.intersects(Uses::CONNECTIVE) || token.is_mark(Marks::OPENING)
    };
    // Tokens after the last requested verb do not affect it.
    let limit = modal.last().map_or(0, |last| last + 1);
    if !view.tokens[..limit].iter().any(may_open) {
        return vec![true; limit];
    }
    let mut reader = ClauseReader::new(view, language, modal);
    // “That plan shall be kept.”: where no main clause follows, the first word is not a conjunction.
    if view.tokens[0].is_in(language.word_lists.that) && opens_clause(view, language, 0) {
        (0..view.tokens.len()).for_each(|at| reader.read(at));
        let demonstrative = !reader.verb;
        reader = ClauseReader { demonstrative, ..ClauseReader::new(view, language, modal) };
    }
    let mut main = Vec::with_capacity(limit);
    for at in 0..limit {
        reader.read(at);
        let is_main = |open: &OpenClause| matches!(open, OpenClause::Bracket { main: true });
        main.push(reader.open.iter().all(is_main) && !reader.listed);
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
            self.fresh &= !self.open.is_empty();
            return;
        }
        if let Some(relative) = self.connective(at) {
            let initial = self.fresh && self.open.is_empty();
            // “for which samples are …”: after a preposition the subject follows, and then the verb.
            let tokens = self.view.tokens;
            let governed = at > 0 && tokens[at - 1].is_in(self.language.word_lists.preposition);
            // “considering also that lids …”: no relative pronoun.
            let recital = at <= 2 && tokens[0].is_in(self.language.word_lists.recital);
            let named = relative && !governed && !recital;
            let verb =
                named && self.is_in(at + 1, self.language.word_lists.relative_verb) && !self.is_verb(at + 1);
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

    fn read_mark(&mut self, at: usize) {
        let token = &self.view.tokens[at];
        if token.is_mark(Marks::OPENING) {
            let next = self.view.tokens.get(at + 1);
            let begins = self.is_in(at + 1, self.language.word_lists.starting)
                && next.is_some_and(|word| !word.known.uses.intersects(Uses::CONNECTIVE));
            self.open.push(OpenClause::Bracket { main: begins && self.open.is_empty() });
        } else if token.is_mark(Marks::CLOSING) {
            let bracket = self.open.iter().rposition(|o| matches!(o, OpenClause::Bracket { .. }));
            self.open.truncate(bracket.unwrap_or(self.open.len()));
        } else if token.is_mark(Marks::COLON) && at > 0 && opens_clause(self.view, self.language, at - 1) {
            self.listed = true;
        } else if token.is_mark(Marks::SEMICOLON.union(Marks::COLON))
            && !self.open.iter().any(|o| matches!(o, OpenClause::Bracket { .. }))
        {
            self.open.clear();
            (self.verb, self.fresh) = (false, true);
        } else if token.is_mark(Marks::COMMA) {
            self.comma(at);
        }
    }

    fn comma(&mut self, at: usize) {
        let coordinated = self.is_coordinator(at + 1);
        // “If, in the end, …”, “if it is wet or, in the end, …”: neither comma closes anything.
        let hangs = |at: usize| opens_clause(self.view, self.language, at) || self.is_coordinator(at);
        if at > 0 && !self.open.is_empty() && hangs(at - 1) {
            let goes_on = self.is_coordinator(at - 1);
            let next = at + 1 < self.view.tokens.len();
            let clause = goes_on && next && opens_clause(self.view, self.language, at + 1);
            self.aside = Some(Aside { depth: self.open.len(), clause });
            if let Some(OpenClause::Clause { verb, .. }) = self.open.last_mut() {
                *verb &= !goes_on;
            }
            return;
        }
        if let Some(aside) = self.aside.take() {
            self.open.truncate(aside.depth);
            // “… that it is paid or, if it is not, they may …”
            let pronoun = self.is_in(at + 1, self.language.word_lists.pronoun);
            if aside.clause && pronoun && self.verb {
                self.close_all();
            }
            return;
        }
        // “…, where possible, …”: a few words between commas, which need no verb.
        let tokens = self.view.tokens;
        let aside =
            |from: usize| from > 0 && tokens[from - 1].is_mark(Marks::COMMA) && at - from <= LONGEST_ASIDE;
        match self.open.last_mut() {
            Some(OpenClause::Clause { initial: true, verb, .. }) if coordinated => *verb = false,
            Some(OpenClause::Clause { initial: true, .. }) => {
                self.open.pop();
            }
            Some(OpenClause::Clause { initial: false, .. }) if coordinated && self.verb => self.close_all(),
            Some(OpenClause::Clause { initial: false, verb, from })
                if *verb || !self.verb || aside(*from) =>
            {
                self.open.pop();
            }
            _ => {}
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

    /// Whether a subject begins here, and its verb comes before the next comma.
    fn begins_clause_before_comma(&self, at: usize) -> bool {
        let lists = &self.language.word_lists;
        if !self.is_in(at, lists.determiner.union(lists.pronoun)) {
            return false;
        }
        let tokens = self.view.tokens;
        let comma = (at..tokens.len()).find(|&at| tokens[at].is_mark(Marks::COMMA));
        comma.is_some_and(|comma| (at..comma).any(|at| self.is_verb(at)))
    }

    fn take_verb(&mut self) {
        loop {
            let below = self.open.len().checked_sub(2).map(|at| &self.open[at]);
            let waiting = match below {
                None => !self.verb,
                Some(OpenClause::Clause { verb, .. }) => !verb,
                Some(OpenClause::Bracket { .. }) => true,
            };
            match self.open.last_mut() {
                Some(OpenClause::Clause { verb, .. }) if !*verb => {
                    *verb = true;
                    return;
                }
                Some(OpenClause::Clause { initial, .. }) if *initial || waiting => {
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
        let bracket = self.open.iter().rposition(|o| matches!(o, OpenClause::Bracket { .. }));
        self.open.truncate(bracket.map_or(0, |at| at + 1));
    }

    /// Whether a subordinate clause opens here, and whether by a relative pronoun.
    fn connective(&self, at: usize) -> Option<bool> {
        let relatives = &self.language.clauses.relatives;
        if at == 0 && self.demonstrative {
            return None;
        }
        opens_clause(self.view, self.language, at)
            .then(|| relatives.contains(&self.view.tokens[at].known.word))
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

/// Whether a word at this position opens a subordinate clause.
pub(super) fn opens_clause(view: SentenceView<'_>, language: &Language, at: usize) -> bool {
    let clauses = &language.clauses;
    let token = &view.tokens[at];
    token.known.uses.intersects(Uses::CONNECTIVE)
        && token.is_plain_word()
        && clauses.connectives.follow(view, at)
        && !clauses.not_connectives.iter().any(|p| p.follows(view, at).is_some() || p.precedes(view, at + 1))
}

/// Whether the token is a verb that is not modal but still makes a clause.
pub(super) fn is_finite(token: &SentenceToken, language: &Language) -> bool {
    token.is_plain_word() && token.is_in(language.word_lists.finite)
}

/// Whether the verb is within the clause and not at its end: “Während der Prüfung ist die Tür zu schließen”
/// begins with a preposition that looks like a conjunction.
fn has_verb_inside(clause: &[SentenceToken], modal: &[usize], language: &Language) -> bool {
    let words = clause.iter().rposition(|t| t.kind == TokenKind::Word).unwrap_or(0);
    let is_modal = |at: usize| modal.binary_search(&at).is_ok();
    let verb = |at: usize| is_modal(at) || is_finite(&clause[at], language);
    // “Während der Prüfung darf die Tür nicht geöffnet werden”: an infinitive belongs to the verb inside.
    let infinitive = !is_modal(words) && clause[words].is_in(language.word_lists.infinitive);
    let governs = |at: usize| is_modal(at) && !clause[at + 1].is_in(language.word_lists.coordinator);
    if infinitive && clause[0].is_in(language.word_lists.ambiguous) && (1..words).any(governs) {
        return true;
    }
    !verb(words) && (1..words).any(verb)
}

/// Marks between which a German clause is enclosed.
const PARTING: Marks =
    Marks::COMMA.union(Marks::SEMICOLON).union(Marks::COLON).union(Marks::DASH).union(Marks::BRACKET);

/// Marks a clause between commas as subordinate if its modal is at its end or a conjunction opens it
/// (German).
fn verb_final(view: SentenceView<'_>, language: &Language, modals: &[usize]) -> Vec<bool> {
    let tokens = view.tokens;
    let modal = |at: usize| modals.binary_search(&at).is_ok();
    let mut main = vec![true; tokens.len()];
    let mut start = 0;
    while start < tokens.len() {
        let ends = |at: usize| tokens[at].is_mark(PARTING);
        let end = (start..tokens.len()).find(|&at| ends(at)).unwrap_or(tokens.len());
        let opened = start < end && {
            let first = start + usize::from(tokens[start].is_in(language.word_lists.coordinator));
            // “Muss die Probe trocknen, …”: a sentence that begins with its modal is a condition.
            (start == 0 && modal(0) && is_finite(&tokens[0], language))
                || (language.clauses.connectives.follow(view, first)
                    && !(start == 0 && has_verb_inside(&tokens[..end], modals, language)))
        };
        let bracketed = start > 0 && tokens[start - 1].is_mark(Marks::OPENING);
        for at in start..end {
            let last = at + 1 == end
                || tokens[at + 1].is_mark(Marks::SENTENCE_END)
                || tokens[at + 1].is_in(language.word_lists.coordinator);
            let infinitive = |token: &SentenceToken| {
                // “Der Ofen darf, …”: a noun may end so, too.
                token.writing != Writing::Capital && token.is_in(language.word_lists.infinitive)
            };
            let behind_verb = at > start && infinitive(&tokens[at - 1]);
            main[at] = !(opened || bracketed || (modal(at) && last && behind_verb));
        }
        start = end + 1;
    }
    main
}
