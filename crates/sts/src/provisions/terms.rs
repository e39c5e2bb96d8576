//! Terms in provisions: which entries of the standard's own vocabulary a sentence uses.

use std::borrow::Cow;
use std::collections::HashMap;

use norma_model::{Lang, Term};

use super::language::Language;
use super::words::{Token, TokenKind, Writing, tokens};
use crate::blocks::{Span, SpanKind};

/// Designations by their first word, longest first.
#[derive(Default)]
pub(super) struct Vocabulary {
    entries: HashMap<String, Vec<Entry>>,
}

struct Entry {
    words: Vec<String>,
    /// For acronyms and symbols, which mean nothing in another case.
    exact: Option<String>,
    term: usize,
}

impl Vocabulary {
    /// The designations of the document's language.
    pub(super) fn new(terms: &[Term], lang: &Lang, elision: bool) -> Self {
        let mut vocabulary = Self::default();
        for (term, entry) in terms.iter().enumerate() {
            for designation in entry.designations.iter().filter(|d| d.language.primary() == lang.primary()) {
                let text = designation.text.trim();
                let tokens = tokens(text, 0..text.len(), &[], elision);
                let words: Vec<String> = tokens.iter().map(|t| stem(&t.word, lang).into_owned()).collect();
                let symbolic = tokens.len() == 1
                    && (tokens[0].writing == Writing::Upper || text.chars().count() <= 2)
                    || text.chars().filter(|c| c.is_uppercase()).count() > tokens.len();
                // A single letter is far more often a unit or a label than the symbol of a term.
                if let Some(first) = words.first().filter(|_| text.chars().count() > 1) {
                    let exact = symbolic.then(|| text.to_owned());
                    let entry = Entry { words: words.clone(), exact, term };
                    vocabulary.entries.entry(first.clone()).or_default().push(entry);
                }
            }
        }
        for entries in vocabulary.entries.values_mut() {
            entries.sort_by_key(|e| std::cmp::Reverse(e.words.len()));
        }
        vocabulary
    }

    /// Indices of the terms in `text[range]`, in order of first use; the longest designation wins.
    pub(super) fn used(
        &self,
        text: &str,
        range: std::ops::Range<usize>,
        spans: &[Span],
        lang: &Lang,
    ) -> Vec<usize> {
        let mut used: Vec<usize> = Vec::new();
        let mut take = |term: usize| {
            if !used.contains(&term) {
                used.push(term);
            }
        };
        let marked: Vec<(usize, usize)> = spans
            .iter()
            .filter(|s| s.range.start >= range.start && s.range.end <= range.end)
            .filter_map(|s| match s.kind {
                SpanKind::Term { term: Some(term) } => Some((s.range.start, term)),
                _ => None,
            })
            .collect();
        let mut marked = marked.into_iter().peekable();
        if !self.entries.is_empty() {
            let elision = Language::of(lang).is_some_and(|l| l.elision);
            let tokens = tokens(text, range, spans, elision);
            let stems: Vec<Cow<'_, str>> = tokens.iter().map(|t| stem(&t.word, lang)).collect();
            let mut at = 0;
            while at < tokens.len() {
                while let Some((_, term)) = marked.next_if(|(start, _)| *start <= tokens[at].range.start) {
                    take(term);
                }
                match self.longest(text, &tokens[at..], &stems[at..]) {
                    Some(entry) => {
                        take(entry.term);
                        at += entry.words.len();
                    }
                    None => at += 1,
                }
            }
        }
        marked.for_each(|(_, term)| take(term));
        used
    }

    fn longest(&self, text: &str, tokens: &[Token<'_>], stems: &[Cow<'_, str>]) -> Option<&Entry> {
        if tokens[0].kind != TokenKind::Word && tokens[0].kind != TokenKind::Number {
            return None;
        }
        self.entries.get(stems[0].as_ref())?.iter().find(|entry| {
            stems.len() >= entry.words.len()
                && entry.words.iter().zip(stems).all(|(word, stem)| word == stem)
                && entry.exact.as_ref().is_none_or(|exact| {
                    text[tokens[0].range.start..tokens[entry.words.len() - 1].range.end] == **exact
                })
        })
    }
}

/// A word without the endings that number and case give it. Light on purpose: it never shortens below four letters.
fn stem<'w>(word: &'w str, lang: &Lang) -> Cow<'w, str> {
    let endings: &[&str] = match lang.primary() {
        "de" => &["en", "es", "er", "em", "e", "n", "s"],
        "fr" => &["es", "s", "x", "e"],
        "en" => &["'s", "s'", "es", "s"],
        _ => &[],
    };
    if lang.primary() == "en" && word.ends_with("ies") && word.len() > 5 {
        return Cow::Owned(format!("{}y", &word[..word.len() - 3]));
    }
    let keeps = |stem: &str| stem.chars().count() >= 3 && !(stem.ends_with('s') && lang.primary() == "en");
    let shortened = endings
        .iter()
        .filter(|&&ending| ending != "es" || lang.primary() != "en" || sibilant(word))
        .find_map(|ending| word.strip_suffix(ending).filter(|stem| keeps(stem)));
    Cow::Borrowed(shortened.unwrap_or(word))
}

/// English words that take `es`: boxes, dishes, masses.
fn sibilant(word: &str) -> bool {
    ["xes", "shes", "ches", "sses", "zes"].iter().any(|ending| word.ends_with(ending))
}
