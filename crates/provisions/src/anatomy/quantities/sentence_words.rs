//! Words and signs of a sentence, on which the grammar of comparisons works.

use std::ops::Range;

use serde::Deserialize;

/// A word, a number or a sign. Apostrophes part words and are not words: “d’au” is two words.
#[derive(Clone, Copy, Debug)]
pub(super) struct SentenceWord<'a> {
    /// The word in lower case.
    pub(super) text: &'a str,
    /// First byte in the text; of words of the lead-in, 0.
    pub(super) start: usize,
    /// True for a word that begins with a capital in the text.
    pub(super) capital: bool,
    /// True if an apostrophe follows.
    pub(super) elided: bool,
}

/// The words of a text, behind those of its lead-in.
#[derive(Debug, Default)]
pub(super) struct SentenceWords<'a> {
    pub(super) all: Vec<SentenceWord<'a>>,
    /// Number of words of the lead-in.
    pub(super) led: usize,
}

impl<'a> SentenceWords<'a> {
    /// The words of a text, which is also given in lower case, and of a lead-in without the colon at its end,
    /// in lower case.
    pub(super) fn of(text: &str, lower: &'a str, lead_in: &'a str) -> Self {
        let mut all = Vec::new();
        let lead = lead_in.trim_end_matches(|c: char| c.is_whitespace() || c == ':');
        add(lead, &mut all);
        for word in &mut all {
            word.start = 0;
        }
        let led = all.len();
        add(lower, &mut all);
        for word in &mut all[led..] {
            word.capital = text[word.start..].starts_with(char::is_uppercase);
        }
        Self { all, led }
    }

    /// Index of the first word of the text that begins at this byte or behind it.
    pub(super) fn at(&self, byte: usize) -> usize {
        self.led + self.all[self.led..].partition_point(|word| word.start < byte)
    }

    /// The word before an index, if there is one behind `first`.
    pub(super) fn before(&self, index: usize, first: usize) -> Option<&'a str> {
        (index > first).then(|| self.all[index - 1].text)
    }

    pub(super) fn get(&self, index: usize) -> Option<&'a str> {
        self.all.get(index).map(|word| word.text)
    }
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’')
}

fn add<'a>(lower: &'a str, all: &mut Vec<SentenceWord<'a>>) {
    let mut start = None;
    for (at, c) in lower.char_indices() {
        if c.is_alphanumeric() || is_sign_in_number(lower, at) {
            start.get_or_insert(at);
            continue;
        }
        if let Some(start) = start.take() {
            all.push(word(lower, start..at));
        }
        if is_apostrophe(c) {
            if lower[..at].ends_with(char::is_alphanumeric)
                && let Some(last) = all.last_mut()
            {
                last.elided = true;
            }
            continue;
        }
        let is_invisible = matches!(c, '\u{200b}' | '\u{ad}');
        if !c.is_whitespace() && !is_invisible {
            all.push(word(lower, at..at + c.len_utf8()));
        }
    }
    if let Some(start) = start {
        all.push(word(lower, start..lower.len()));
    }
}

fn word(lower: &str, range: Range<usize>) -> SentenceWord<'_> {
    SentenceWord { text: &lower[range.clone()], start: range.start, capital: false, elided: false }
}

/// True for a full stop or comma between digits: “80.900” is one word.
fn is_sign_in_number(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    if !matches!(bytes[at], b'.' | b',') {
        return false;
    }
    let is_behind_digit = bytes[..at].last().is_some_and(u8::is_ascii_digit);
    is_behind_digit && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)
}

/// Some words in a row, as tables have them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
pub(crate) struct Phrase(Vec<String>);

impl From<String> for Phrase {
    fn from(text: String) -> Self {
        let mut words = Vec::new();
        add(&text, &mut words);
        Self(words.into_iter().map(|word| word.text.to_owned()).collect())
    }
}

impl Phrase {
    /// Where the phrase begins if it ends before this index, and not before `first`.
    pub(super) fn ends(&self, words: &SentenceWords<'_>, index: usize, first: usize) -> Option<usize> {
        let start = index.checked_sub(self.0.len()).filter(|start| *start >= first)?;
        let same = self.0.iter().zip(&words.all[start..index]).all(|(own, word)| own == word.text);
        same.then_some(start)
    }

    /// Where the phrase ends if it begins at this index.
    pub(super) fn begins(&self, words: &SentenceWords<'_>, index: usize) -> Option<usize> {
        let end = index + self.0.len();
        let slice = words.all.get(index..end)?;
        let same = self.0.iter().zip(slice).all(|(own, word)| own == word.text);
        same.then_some(end)
    }
}

/// The longest of some phrases that ends before an index: where it begins.
pub(super) fn ending(
    phrases: &[Phrase],
    words: &SentenceWords<'_>,
    index: usize,
    first: usize,
) -> Option<usize> {
    phrases.iter().filter_map(|phrase| phrase.ends(words, index, first)).min()
}

/// The longest of some phrases that begins at an index: where it ends.
pub(super) fn beginning(phrases: &[Phrase], words: &SentenceWords<'_>, index: usize) -> Option<usize> {
    phrases.iter().filter_map(|phrase| phrase.begins(words, index)).max()
}
