//! Words and signs of a sentence, on which the grammar of comparisons works.

use serde::Deserialize;

/// A word, a number or a sign. Apostrophes part words and are not words: “d’au” is two words.
#[derive(Clone, Copy, Debug)]
pub(super) struct SentenceWord<'a> {
    /// In lower case.
    pub(super) text: &'a str,
    /// First byte in the text; of words of the lead-in, 0.
    pub(super) start: usize,
    /// Whether it begins with a capital in the text.
    pub(super) capital: bool,
    /// Whether an apostrophe follows.
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
        all.iter_mut().for_each(|word| word.start = 0);
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
        // “80.900” is one word.
        let is_digit_behind = lower[at + c.len_utf8()..].starts_with(|next: char| next.is_ascii_digit());
        let is_in_number =
            matches!(c, '.' | ',') && lower[..at].ends_with(|c: char| c.is_ascii_digit()) && is_digit_behind;
        if c.is_alphanumeric() || is_in_number {
            start.get_or_insert(at);
            continue;
        }
        if let Some(start) = start.take() {
            all.push(SentenceWord { text: &lower[start..at], start, capital: false, elided: false });
        }
        if is_apostrophe(c) && lower[..at].ends_with(char::is_alphanumeric) {
            all.iter_mut().next_back().into_iter().for_each(|word| word.elided = true);
        }
        if !c.is_whitespace() && !is_apostrophe(c) && !matches!(c, '\u{200b}' | '\u{ad}') {
            all.push(SentenceWord {
                text: &lower[at..at + c.len_utf8()],
                start: at,
                capital: false,
                elided: false,
            });
        }
    }
    if let Some(start) = start {
        all.push(SentenceWord { text: &lower[start..], start, capital: false, elided: false });
    }
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
