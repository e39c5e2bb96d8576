//! Terms in provisions: which entries of the standard's own vocabulary a sentence uses.

use std::borrow::Cow;
use std::sync::LazyLock;

use foldhash::HashMap;
use norma_model::{Lang, Term};

use super::language::Language;
use super::lexicon::Lexicon;
use super::tokenizer::{SentenceToken, TokenKind, Writing, tokens};
use crate::blocks::{SpanKind, TokenSpan};

/// Designations by their first word, longest first.
pub(super) struct Vocabulary<'a> {
    /// Code of the language, without its region.
    primary: &'a str,
    lexicon: &'static Lexicon,
    entries: HashMap<String, Vec<TermEntry>>,
    /// Beginnings of the entries' first words, a bit each: most words need no look at their stem.
    initials: [u64; 64],
}

struct TermEntry {
    words: Vec<String>,
    /// For acronyms and symbols, which mean nothing in another case.
    exact: Option<String>,
    term: usize,
}

impl<'a> Vocabulary<'a> {
    /// The designations of the document's language.
    pub(super) fn new(terms: &[Term], lang: &'a Lang) -> Self {
        let lexicon = lexicon(lang);
        let primary = lang.primary();
        let mut vocabulary = Self { primary, lexicon, entries: HashMap::default(), initials: [0; 64] };
        for (term, entry) in terms.iter().enumerate() {
            for designation in entry.designations.iter().filter(|d| d.language.primary() == primary) {
                let text = designation.text.trim();
                let tokens = tokens(text, 0..text.len(), &[], lexicon);
                let words: Vec<String> =
                    tokens.iter().map(|t| stem(&t.word(text), primary).into_owned()).collect();
                let symbolic = tokens.len() == 1
                    && (tokens[0].writing == Writing::Upper || text.chars().count() <= 2)
                    || text.chars().filter(|c| c.is_uppercase()).count() > tokens.len();
                // A single letter is far more often a unit or a label than the symbol of a term.
                if let Some(first) = words.first().filter(|_| text.chars().count() > 1) {
                    let exact = symbolic.then(|| text.to_owned());
                    let entry = TermEntry { words: words.clone(), exact, term };
                    vocabulary.entries.entry(first.clone()).or_default().push(entry);
                    let (at, bit) = initial(first.bytes());
                    vocabulary.initials[at] |= bit;
                }
            }
        }
        for entries in vocabulary.entries.values_mut() {
            entries.sort_by_key(|e| std::cmp::Reverse(e.words.len()));
        }
        vocabulary
    }

    /// Indices of the terms in `text[range]`, whose tokens may be known already, in order of first use; the
    /// longest designation wins.
    pub(super) fn used(
        &self,
        text: &str,
        range: std::ops::Range<usize>,
        spans: &[&TokenSpan],
        known: Option<&[SentenceToken]>,
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
            let read;
            let tokens = match known {
                Some(tokens) => tokens,
                None => {
                    read = tokens(text, range, spans.iter().copied(), self.lexicon);
                    &read
                }
            };
            let mut at = 0;
            while at < tokens.len() {
                while let Some((_, term)) = marked.next_if(|(start, _)| *start <= tokens[at].range.start) {
                    take(term);
                }
                match self.longest(text, &tokens[at..]) {
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

    /// A quick look, without the word itself.
    fn may_begin_with(&self, text: &str, token: &SentenceToken) -> bool {
        let first = &text.as_bytes()[token.range.start..token.range.end.min(token.range.start + 3)];
        let (at, bit) = match token.kind {
            TokenKind::Word if first.is_ascii() => initial(first.iter().map(u8::to_ascii_lowercase)),
            _ => initial(token.word(text).bytes()),
        };
        self.initials[at] & bit != 0
    }

    fn longest(&self, text: &str, tokens: &[SentenceToken]) -> Option<&TermEntry> {
        let first = &tokens[0];
        if !matches!(first.kind, TokenKind::Word | TokenKind::Number) || !self.may_begin_with(text, first) {
            return None;
        }
        self.entries.get(stem(&first.word(text), self.primary).as_ref())?.iter().find(|entry| {
            tokens.len() >= entry.words.len()
                && entry
                    .words
                    .iter()
                    .zip(tokens)
                    .all(|(word, token)| *word == stem(&token.word(text), self.primary))
                && entry.exact.as_ref().is_none_or(|exact| {
                    text[first.range.start..tokens[entry.words.len() - 1].range.end] == **exact
                })
        })
    }
}

/// The slot for the first three bytes of a word: no stem is shorter, so a word and its stem share it.
fn initial(word: impl Iterator<Item = u8>) -> (usize, u64) {
    let three = word.take(3).fold(0u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    (three as usize / 64 % 64, 1 << (three % 64))
}

/// The lexicon by which words are separated: the language's table, or else a plain one.
fn lexicon(lang: &Lang) -> &'static Lexicon {
    static PLAIN: LazyLock<Lexicon> = LazyLock::new(Lexicon::default);
    Language::of(lang).map_or(&PLAIN, |l| &l.lexicon)
}

/// A word without the endings that number and case give it. Light on purpose: it never shortens below four
/// letters.
fn stem<'w>(word: &'w str, language: &str) -> Cow<'w, str> {
    let endings: &[&str] = match language {
        "de" => &["en", "es", "er", "em", "e", "n", "s"],
        "fr" => &["es", "s", "x", "e"],
        "en" => &["'s", "s'", "es", "s"],
        _ => &[],
    };
    if language == "en" && word.ends_with("ies") && word.len() > 5 {
        return Cow::Owned(format!("{}y", &word[..word.len() - 3]));
    }
    let keeps = |stem: &str| stem.chars().count() >= 3 && !(stem.ends_with('s') && language == "en");
    let shortened = endings
        .iter()
        .filter(|&&ending| ending != "es" || language != "en" || sibilant(word))
        .find_map(|ending| word.strip_suffix(ending).filter(|stem| keeps(stem)));
    Cow::Borrowed(shortened.unwrap_or(word))
}

/// English words that take `es`: boxes, dishes, masses.
fn sibilant(word: &str) -> bool {
    ["xes", "shes", "ches", "sses", "zes"].iter().any(|ending| word.ends_with(ending))
}
