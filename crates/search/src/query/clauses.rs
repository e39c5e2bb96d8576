//! From a piece of a query to its clauses: words in all forms that texts have of them.

use norma_model::Lang;

use super::{Clause, Element, Piece, PieceSyntax};
use crate::analyse::{Token, closed_part, reversed};
use crate::stem::{STEM_LANGUAGES, stem};
use crate::variants::{number_forms, spellings};
use crate::vocabulary::is_quantity_unit;

/// Letters of the shortest word that finds longer German words by their beginning or end.
const SHORTEST_PART: usize = 5;
/// Letters of the shortest stem of such a word.
const SHORTEST_PART_STEM: usize = 4;
/// Letters of the shortest German word that is looked for by its fragments, and of the shortest of these.
const SHORTEST_COMPOUND: usize = 10;
const SHORTEST_FRAGMENT: usize = 4;

/// What makes clauses of the pieces of a query.
pub(super) struct PieceReader<'l> {
    /// Codes of the languages whose stems a word may have.
    languages: Vec<&'l str>,
    /// Set where a word is also looked for as it is written, for texts of other languages.
    finds_unstemmed: bool,
}

impl<'l> PieceReader<'l> {
    /// `language` is the one language to stem by; without it, all are tried that have stems.
    pub(super) fn new(language: Option<&'l Lang>) -> Self {
        match language {
            Some(language) => Self { languages: vec![language.primary()], finds_unstemmed: false },
            None => Self { languages: STEM_LANGUAGES.to_vec(), finds_unstemmed: true },
        }
    }

    pub(super) fn clauses(&self, piece: &Piece, keep_stop_words: bool) -> Vec<Clause> {
        match piece.syntax {
            PieceSyntax::Prefix => prefixes(&piece.tokens),
            PieceSyntax::Phrase => self.phrase(&piece.tokens),
            PieceSyntax::Plain => {
                let mut clauses = self.plain(&piece.text, &piece.tokens, keep_stop_words);
                self.add_parts(&mut clauses, &piece.tokens);
                clauses
            }
        }
    }

    /// One clause with all words; none where there are no words.
    fn phrase(&self, tokens: &[Token]) -> Vec<Clause> {
        let words = tokens.iter().filter(|token| !token.is_designation);
        let elements: Vec<Element> = words.map(|token| self.exact(token)).collect();
        if elements.is_empty() { Vec::new() } else { vec![Clause(elements)] }
    }

    /// Designations, and words with their joined neighbours.
    fn plain(&self, text: &str, tokens: &[Token], keep_stop_words: bool) -> Vec<Clause> {
        let mut clauses: Vec<Clause> = Vec::new();
        let mut designation_end = 0;
        let mut before: Option<&Token> = None;
        for token in tokens {
            if token.is_designation {
                designation_end = token.end;
                clauses.push(Clause(vec![self.exact(token)]));
                before = None;
                continue;
            }
            if token.start < designation_end {
                continue;
            }
            let neighbour = before.filter(|before| before.position + 1 == token.position);
            let is_quantity = match neighbour {
                Some(neighbour) => neighbour.is_number() && is_quantity_unit(&token.word),
                None => false,
            };
            let counts = keep_stop_words || is_quantity || !token.is_stop_word() || is_symbol(text, token);
            if !counts {
                // What follows a stop word that is dropped is not joined to the clause before.
                before = None;
                continue;
            }
            before = Some(token);
            let joins = neighbour.is_some() && (token.is_joined || is_quantity);
            let element = self.exact(token);
            match clauses.last_mut() {
                Some(clause) if joins => clause.0.push(element),
                _ => clauses.push(Clause(vec![element])),
            }
        }
        clauses
    }

    /// Lets a word that is alone in its clause find longer words that it is a part of.
    fn add_parts(&self, clauses: &mut [Clause], tokens: &[Token]) {
        for Clause(elements) in clauses {
            let [element] = elements.as_mut_slice() else { continue };
            if element.is_designation {
                continue;
            }
            let word = tokens.iter().find(|token| token.position == element.offset && !token.is_designation);
            if let Some(word) = word {
                element.parts = self.parts(word);
                if self.languages.contains(&"de") && !word.is_number() {
                    element.fragments = german_fragments(&word.word);
                }
            }
        }
    }

    /// The element of a whole word or designation.
    fn exact(&self, token: &Token) -> Element {
        let is_designation = token.is_designation;
        let mut terms = Vec::new();
        if is_designation {
            terms.push(token.term.clone());
        } else {
            self.add_terms(&mut terms, &token.word);
            for other in number_forms(&token.word) {
                self.add_terms(&mut terms, &other);
            }
            if self.languages.contains(&"en") {
                for other in spellings(&token.word) {
                    terms.push(stem(&other, "en"));
                }
            }
        }
        terms.sort_unstable();
        terms.dedup();
        Element {
            offset: token.position,
            terms,
            is_designation,
            typed: token.word.clone(),
            ..Element::default()
        }
    }

    /// Adds what a text has of a word: its stems, and itself for texts of other languages; a number itself.
    fn add_terms(&self, terms: &mut Vec<String>, word: &str) {
        let is_number = word.starts_with(|c: char| c.is_ascii_digit());
        if self.finds_unstemmed || is_number {
            terms.push(stem(word, "und"));
        }
        if is_number {
            return;
        }
        for language in &self.languages {
            terms.push(stem(word, language));
        }
    }

    /// What finds words with a hyphen by a word without it, and German words that begin or end with a word.
    fn parts(&self, token: &Token) -> Vec<String> {
        let is_long = token.word.chars().count() >= SHORTEST_PART && !token.is_number();
        if !is_long {
            return Vec::new();
        }
        let mut parts: Vec<String> = Vec::new();
        for language in &self.languages {
            let closed = closed_part(&stem(&token.word, language));
            if !parts.contains(&closed) {
                parts.push(closed);
            }
        }
        if !self.languages.contains(&"de") {
            return parts;
        }
        let stem = stem(&token.word, "de");
        let mut forms = vec![&token.word];
        if stem.chars().count() >= SHORTEST_PART_STEM && stem != token.word {
            forms.push(&stem);
        }
        for form in forms {
            parts.push(format!(">{form}"));
            parts.push(format!("<{}", reversed(form)));
        }
        parts
    }
}

/// Stems of the words that a long German word may begin or end with. Those that are not words are in no text.
fn german_fragments(word: &str) -> Vec<String> {
    let boundaries: Vec<usize> = word.char_indices().map(|(at, _)| at).collect();
    let mut fragments = Vec::new();
    if boundaries.len() < SHORTEST_COMPOUND {
        return fragments;
    }
    for at in &boundaries[SHORTEST_FRAGMENT..=boundaries.len() - SHORTEST_FRAGMENT] {
        let (start, end) = word.split_at(*at);
        fragments.push(stem(start, "de"));
        fragments.push(stem(end, "de"));
        // `s` joins many words: `Sicherheitsschuh`.
        if let Some(start) = start.strip_suffix('s') {
            fragments.push(stem(start, "de"));
        }
    }
    fragments.sort_unstable();
    fragments.dedup();
    fragments
}

/// A clause for each word, which may be the beginning of a longer one.
fn prefixes(tokens: &[Token]) -> Vec<Clause> {
    let mut clauses = Vec::new();
    for token in tokens {
        let (prefix, typed) = (Some(token.word.clone()), format!("{}*", token.word));
        clauses.push(Clause(vec![Element { offset: token.position, prefix, typed, ..Element::default() }]));
    }
    clauses
}

/// A letter is a symbol, not a word, if a digit or joining sign is next to it (`M10`, `m/s`), or if it is a
/// capital without an apostrophe (`class C`).
fn is_symbol(text: &str, token: &Token) -> bool {
    if token.end != token.start + 1 {
        return false;
    }
    let start = token.start as usize;
    let before = if start == 0 { None } else { text.chars().nth(start - 1) };
    let mut from_letter = text.chars().skip(start);
    let letter = from_letter.next();
    let after = from_letter.next();
    if joins_symbols(before) || joins_symbols(after) {
        return true;
    }
    letter.is_some_and(char::is_uppercase) && !is_apostrophe(before) && !is_apostrophe(after)
}

fn joins_symbols(c: Option<char>) -> bool {
    matches!(c, Some('0'..='9' | '-' | '/' | '+'))
}

fn is_apostrophe(c: Option<char>) -> bool {
    matches!(c, Some('\'' | '\u{2019}'))
}
