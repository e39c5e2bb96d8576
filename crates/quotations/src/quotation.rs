//! Quotations: the words of a text that is said to be in a standard.

use crate::tokenizer::{PrintedWord, printed_words};

/// Characters of a quotation.
pub const QUOTATION_CHARACTERS: std::ops::RangeInclusive<usize> = 12..=2_000;

/// Most words of a quotation, signs among them: texts of standards have less than a word for two characters.
const MOST_WORDS: usize = 1_000;
/// Words of a sentence by which units are found, at least.
const LEAST_WORDS: usize = 5;
/// Sentences of a quotation by which units are found, at most.
const MOST_SENTENCES: usize = 6;

/// A text that is said to be in a standard.
#[derive(Clone, Debug)]
pub struct Quotation {
    pub(crate) text: String,
    pub(crate) words: Vec<PrintedWord>,
    /// Whether something is left out between its words.
    pub(crate) has_ellipsis: bool,
}

/// The reason why a text cannot be looked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidQuotation {
    /// It is too short or too long.
    #[error("the quotation has {0} characters; expected 12 to 2000")]
    Length(usize),
    /// It has too many words.
    #[error("the quotation has {0} words and signs; expected at most 1000")]
    Words(usize),
    /// It has no words.
    #[error("the quotation has no words; expected text of a standard")]
    NoWords,
}

impl Quotation {
    /// Reads a quotation of 12 to 2,000 characters.
    ///
    /// # Errors
    /// Its length is another, or it has no words or too many.
    pub fn new(text: &str) -> Result<Self, InvalidQuotation> {
        let text = text.trim();
        let length = text.chars().count();
        if !QUOTATION_CHARACTERS.contains(&length) {
            return Err(InvalidQuotation::Length(length));
        }
        let mut words = printed_words(text);
        // An ellipsis at the start leaves out nothing between words.
        if let Some(first) = words.first_mut() {
            first.after_ellipsis = false;
        }
        if words.len() > MOST_WORDS {
            return Err(InvalidQuotation::Words(words.len()));
        }
        let has_ellipsis = words.iter().any(|word| word.after_ellipsis);
        if !words.iter().any(|word| word.key.contains(char::is_alphabetic)) {
            return Err(InvalidQuotation::NoWords);
        }
        Ok(Self { text: text.to_owned(), words, has_ellipsis })
    }

    /// The texts by which units are found that it may be from: the whole, then its longest sentences. A
    /// quotation of several provisions has less than half of its words in each.
    pub fn search_texts(&self) -> Vec<String> {
        let mut starts: Vec<usize> = Vec::new();
        for (index, word) in self.words.iter().enumerate() {
            if index == 0 || word.starts_sentence || word.after_ellipsis {
                starts.push(index);
            }
        }
        let mut sentences = Vec::new();
        for (number, &start) in starts.iter().enumerate() {
            let end = starts.get(number + 1).copied().unwrap_or(self.words.len());
            if end - start >= LEAST_WORDS && end - start < self.words.len() {
                sentences.push(start..end);
            }
        }
        sentences.sort_by_key(|sentence| std::cmp::Reverse(sentence.len()));
        sentences.truncate(MOST_SENTENCES);
        let mut texts = vec![self.text.clone()];
        for sentence in sentences {
            let (first, last) = (&self.words[sentence.start], &self.words[sentence.end - 1]);
            texts.push(self.text.chars().skip(first.start).take(last.end - first.start).collect());
        }
        texts
    }

    /// Its words in lower case without marks, for finding the units that it may be from.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(|word| word.key.as_str())
    }
}
