//! Phrases: many patterns that are searched at once, each by a word that it always has.

use super::lexicon::Word;
use super::matching::SentenceView;
use super::pattern::Pattern;

/// Patterns, by the words that they are looked up by.
#[derive(Debug, Default)]
pub(super) struct PhrasePatterns {
    patterns: Vec<Pattern>,
    /// Places in `patterns`, by the number of a word.
    by_word: Vec<Vec<usize>>,
}

impl PhrasePatterns {
    /// Patterns that are found anywhere, each by its rarest word.
    pub(super) fn anywhere(patterns: Vec<Pattern>) -> Result<Self, String> {
        Self::by(patterns, |pattern| pattern.keys().collect())
    }

    /// Patterns that are tried at a token, each by its first word.
    pub(super) fn from_first_word(patterns: Vec<Pattern>) -> Result<Self, String> {
        Self::by(patterns, |pattern| pattern.first_words().into_iter().flatten().collect())
    }

    fn by(patterns: Vec<Pattern>, words: impl Fn(&Pattern) -> Vec<Word>) -> Result<Self, String> {
        let mut by_word: Vec<Vec<usize>> = Vec::new();
        for (index, pattern) in patterns.iter().enumerate() {
            let words = words(pattern);
            if words.is_empty() {
                return Err("a phrase needs a word by which it is found".to_owned());
            }
            for word in words {
                if by_word.len() <= word.index() {
                    by_word.resize_with(word.index() + 1, Vec::new);
                }
                by_word[word.index()].push(index);
            }
        }
        Ok(Self { patterns, by_word })
    }

    /// Indices in the table of the patterns that match.
    pub(super) fn found<'a>(&'a self, view: SentenceView<'a>) -> impl Iterator<Item = usize> + 'a {
        view.tokens.iter().enumerate().flat_map(move |(at, token)| {
            let holds = move |&index: &usize| self.patterns[index].at(view, at).is_some();
            self.known_by(token.known.word).iter().copied().filter(holds)
        })
    }

    /// True if one of the patterns matches from this token on.
    pub(super) fn follow(&self, view: SentenceView<'_>, at: usize) -> bool {
        let word = view.tokens.get(at).map_or(Word::UNKNOWN, |token| token.known.word);
        self.known_by(word).iter().any(|&index| self.patterns[index].follows(view, at).is_some())
    }

    /// The words by which they are looked up.
    pub(super) fn words(&self) -> impl Iterator<Item = Word> {
        (0..self.by_word.len()).filter(|&word| !self.by_word[word].is_empty()).map(Word::of_index)
    }

    fn known_by(&self, word: Word) -> &[usize] {
        self.by_word.get(word.index()).map_or(&[], Vec::as_slice)
    }
}
