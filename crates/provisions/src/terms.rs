//! Terms in provisions: which entries of the standard's own vocabulary a sentence uses.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::ops::Range;
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
        let primary = lang.primary();
        let lexicon = lexicon(lang);
        let mut vocabulary = Self { primary, lexicon, entries: HashMap::default(), initials: [0; 64] };
        for (term, entry) in terms.iter().enumerate() {
            for designation in &entry.designations {
                if designation.language.primary() == primary {
                    vocabulary.add(designation.text.trim(), term);
                }
            }
        }
        for entries in vocabulary.entries.values_mut() {
            entries.sort_by_key(|entry| Reverse(entry.words.len()));
        }
        vocabulary
    }

    /// Adds a designation of the term with an index.
    fn add(&mut self, text: &str, term: usize) {
        // A single letter is far more often a unit or a label than the symbol of a term.
        if text.chars().count() <= 1 {
            return;
        }
        let tokens = tokens(text, 0..text.len(), &[], self.lexicon);
        let words: Vec<String> =
            tokens.iter().map(|token| stem(&token.word(text), self.primary).into_owned()).collect();
        let Some(first) = words.first().cloned() else { return };
        let exact = if is_symbol(text, &tokens) { Some(text.to_owned()) } else { None };
        let Initial { slot, bit } = initial(first.bytes());
        self.initials[slot] |= bit;
        self.entries.entry(first).or_default().push(TermEntry { words, exact, term });
    }

    /// Indices of the terms in `text[range]`, whose tokens may be known already, in order of first use; the
    /// longest designation wins.
    pub(super) fn used(
        &self,
        text: &str,
        range: Range<usize>,
        spans: &[&TokenSpan],
        known: Option<&[SentenceToken]>,
    ) -> Vec<usize> {
        let mut used = UsedTerms::default();
        let mut marked = marked_terms(spans, &range).into_iter().peekable();
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
                    used.add(term);
                }
                match self.longest(text, &tokens[at..]) {
                    Some(entry) => {
                        used.add(entry.term);
                        at += entry.words.len();
                    }
                    None => at += 1,
                }
            }
        }
        for (_, term) in marked {
            used.add(term);
        }
        used.terms
    }

    /// True if a designation may begin with a token: a quick test, which most words fail.
    fn may_begin_with(&self, text: &str, token: &SentenceToken) -> bool {
        let bytes = &text.as_bytes()[token.range.start..token.range.end.min(token.range.start + 3)];
        let Initial { slot, bit } = if token.kind == TokenKind::Word && bytes.is_ascii() {
            initial(bytes.iter().map(u8::to_ascii_lowercase))
        } else {
            initial(token.word(text).bytes())
        };
        self.initials[slot] & bit != 0
    }

    /// The longest designation that the tokens begin with.
    fn longest(&self, text: &str, tokens: &[SentenceToken]) -> Option<&TermEntry> {
        let first = &tokens[0];
        if !matches!(first.kind, TokenKind::Word | TokenKind::Number) || !self.may_begin_with(text, first) {
            return None;
        }
        let entries = self.entries.get(stem(&first.word(text), self.primary).as_ref())?;
        entries.iter().find(|entry| self.is_at(text, tokens, entry))
    }

    fn is_at(&self, text: &str, tokens: &[SentenceToken], entry: &TermEntry) -> bool {
        let Some(tokens) = tokens.get(..entry.words.len()) else { return false };
        for (word, token) in entry.words.iter().zip(tokens) {
            if *word != stem(&token.word(text), self.primary) {
                return false;
            }
        }
        match (&entry.exact, tokens) {
            (Some(exact), [first, .., last]) => text[first.range.start..last.range.end] == **exact,
            (Some(exact), [only]) => text[only.range.clone()] == **exact,
            _ => true,
        }
    }
}

/// The terms that are found, each once.
#[derive(Default)]
struct UsedTerms {
    terms: Vec<usize>,
}

impl UsedTerms {
    fn add(&mut self, term: usize) {
        if !self.terms.contains(&term) {
            self.terms.push(term);
        }
    }
}

/// The terms that the source marks in a range, with the bytes at which they begin.
fn marked_terms(spans: &[&TokenSpan], range: &Range<usize>) -> Vec<(usize, usize)> {
    let mut marked = Vec::new();
    for span in spans {
        let is_within = span.range.start >= range.start && span.range.end <= range.end;
        if is_within && let SpanKind::Term { term: Some(term) } = span.kind {
            marked.push((span.range.start, term));
        }
    }
    marked
}

/// True for an acronym or a symbol, which means nothing in another case.
fn is_symbol(text: &str, tokens: &[SentenceToken]) -> bool {
    if let [only] = tokens
        && (only.writing == Writing::Upper || text.chars().count() <= 2)
    {
        return true;
    }
    // `pH meter` has no more capitals than words, `PoE` has.
    text.chars().filter(|c| c.is_uppercase()).count() > tokens.len()
}

/// The bit of a word in [`Vocabulary::initials`].
struct Initial {
    slot: usize,
    bit: u64,
}

/// The bit for the first three bytes of a word: no stem is shorter, so a word and its stem share it.
fn initial(word: impl Iterator<Item = u8>) -> Initial {
    let mut three = 0_u32;
    for byte in word.take(3) {
        three = three.wrapping_mul(31).wrapping_add(byte.into());
    }
    Initial { slot: three as usize / 64 % 64, bit: 1 << (three % 64) }
}

/// The lexicon by which words are separated: the language's table, or else a plain one.
fn lexicon(lang: &Lang) -> &'static Lexicon {
    static PLAIN: LazyLock<Lexicon> = LazyLock::new(Lexicon::default);
    Language::of(lang).map_or(&PLAIN, |l| &l.lexicon)
}

/// A word without the endings that number and case give it. Light on purpose: it never shortens below three
/// letters.
fn stem<'w>(word: &'w str, language: &str) -> Cow<'w, str> {
    let endings: &[&str] = match language {
        "de" => &["en", "es", "er", "em", "e", "n", "s"],
        "fr" => &["es", "s", "x", "e"],
        "en" => &["'s", "s'", "es", "s"],
        _ => &[],
    };
    let is_english = language == "en";
    if is_english && word.ends_with("ies") && word.len() > 5 {
        return Cow::Owned(format!("{}y", &word[..word.len() - 3]));
    }
    for &ending in endings {
        let Some(stem) = word.strip_suffix(ending) else { continue };
        if is_english && ending == "es" && !is_sibilant(word) {
            continue;
        }
        // “glass” is not the plural of “glas”.
        if stem.chars().count() >= 3 && !(is_english && stem.ends_with('s')) {
            return Cow::Borrowed(stem);
        }
    }
    Cow::Borrowed(word)
}

/// English words that take `es`: boxes, dishes, masses.
fn is_sibilant(word: &str) -> bool {
    ["xes", "shes", "ches", "sses", "zes"].iter().any(|ending| word.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn a_stem_has_no_ending_of_number_or_case() {
        for (word, language, expected) in [
            ("boxes", "en", "box"),
            ("gases", "en", "gase"),
            ("glass", "en", "glass"),
            ("assemblies", "en", "assembly"),
            ("lid's", "en", "lid"),
            ("gas", "en", "gas"),
            ("deckeln", "de", "deckel"),
            ("volets", "fr", "volet"),
            ("lids", "it", "lids"),
        ] {
            assert_eq!(stem(word, language), expected, "{word}");
        }
    }
}
