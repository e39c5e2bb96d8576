//! From a text to tokens with offsets: one function for the index, for queries and for highlights.
//!
//! - Characters are folded (NFKC, lower case); soft hyphens and characters without width are dropped.
//! - Letters and digits part: `300mm` is `300 mm`. A decimal comma is a point.
//! - Words are stemmed by the language of the text: English, French or German; others are not. Stems have no
//!   accents.
//! - A designation is a token in addition to its words: the URN of its document. In a text, so are the URNs
//!   of the documents that this one belongs to.
//! - A number with thousands separators (`1 000`) is a token in addition to its groups, with the last one.
//! - Of Chinese, Japanese and Korean scripts, each pair of characters is a token.

use std::ops::Range;

use norma_model::urn::{find_publisher, reference_key};
use norma_model::{Lang, PartialUrn};

use crate::LanguageText;
use crate::digits::{DigitGroups, is_group_separator, thousands_sign, ungrouped};
use crate::fold::{CharacterClass, FoldedCharacter, FoldedText};
use crate::stem::stem;
use crate::vocabulary::is_stop_word;

/// Changes whenever another token comes of the same text, or units have other keys or texts. An index of
/// another version is built again.
pub const ANALYSER_VERSION: u32 = 4;

/// Scalars of a unit that are indexed: while it is, each word takes about 300 bytes of memory.
const LONGEST_TEXT: usize = 1_000_000;
/// Longest word that is a token, in scalars; the rest of a longer word is ignored.
const LONGEST_WORD: usize = 64;
/// Characters of the id of a provision that are a key.
const PROVISION_KEY: usize = 16;
/// Words of this length and above are indexed by their ends in German texts.
const LONG_GERMAN_WORD: usize = 8;
/// Scalars of a text in which a designation is looked for: each is read once for each word in capitals.
const LONGEST_DESIGNATION: usize = 160;
/// Scalars in which a designation must have its first digit.
const DESIGNATION_HEAD: usize = 40;

/// A token of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What is compared: a stem, number, pair of characters, or the URN of a document.
    pub term: String,
    /// The folded word, not stemmed.
    pub word: String,
    /// The number of words before it.
    pub position: u32,
    /// Where it begins in the text, in scalars.
    pub start: u32,
    /// Where it ends in the text, in scalars.
    pub end: u32,
    /// Set for a designation: `ISO 9001:2015`.
    pub is_designation: bool,
    /// Set where something that is not white space joins it to the token before.
    pub is_joined: bool,
    /// Set for a number with thousands separators, whose groups are tokens as well.
    pub is_grouped: bool,
    /// Set where its text is German, whose compounds are also found by their parts.
    is_german: bool,
    /// The word that it would be together with the next one, where a hyphen joins them.
    closed: Option<ClosedWord>,
}

/// Two words with a hyphen between them, as one: `pullout` of `pull-out`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ClosedWord {
    stem: String,
    /// Where the second word ends in the text, in scalars.
    end: u32,
}

impl Token {
    /// True for a stop word that is not a designation.
    pub(crate) fn is_stop_word(&self) -> bool {
        !self.is_designation && is_stop_word(&self.word)
    }

    /// True for a number that is not a designation.
    pub(crate) fn is_number(&self) -> bool {
        !self.is_designation && self.word.starts_with(|c: char| c.is_ascii_digit())
    }

    /// Where the text ends that a part of [`parts`](Self::parts) is of, in scalars.
    pub(crate) fn end_of_part(&self, part: &str) -> u32 {
        match &self.closed {
            Some(closed) if part.starts_with('~') => closed.end,
            _ => self.end,
        }
    }

    /// What finds the word by a part of it: after `=` the word as written where a prefix of it may not be one
    /// of its stem; after `>` the stem and the word, and after `<` both reversed, of long German words;
    /// between `~` the stem of two words that a hyphen joins.
    pub(crate) fn parts(&self) -> Vec<String> {
        let mut parts: Vec<String> = Vec::new();
        if self.is_designation {
            return parts;
        }
        if let Some(closed) = &self.closed {
            parts.push(closed_part(&closed.stem));
        }
        if self.term != self.word {
            parts.push(format!("={}", self.word));
        }
        if self.is_german && self.word.chars().count() >= LONG_GERMAN_WORD {
            for form in [&self.term, &self.word] {
                parts.push(format!(">{form}"));
                parts.push(format!("<{}", reversed(form)));
            }
        }
        parts
    }
}

/// The part that finds two words which a hyphen joins by the stem of both as one word.
pub(crate) fn closed_part(stem: &str) -> String {
    format!("~{stem}~")
}

/// The term of a designation. No word begins with this sign, so that no prefix of a word finds it.
pub(crate) fn designation_term(document_urn: &str) -> String {
    format!("#{document_urn}")
}

/// The term of an identifier, reference or label as typed. Of the id of a provision its first 16 characters
/// are enough: 60 random bits. The whole ids would be a tenth of the index.
pub(crate) fn key_term(key: &str) -> String {
    let term = reference_key(key);
    if term.starts_with("prv_") { at_most(&term, PROVISION_KEY).to_owned() } else { term }
}

/// The first scalars of a text.
fn at_most(text: &str, scalars: usize) -> &str {
    match text.char_indices().nth(scalars) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}

/// The characters of a word from its end.
pub(crate) fn reversed(word: &str) -> String {
    word.chars().rev().collect()
}

/// The tokens of a text, by position. Designations come before the words that they consist of.
///
/// # Examples
/// ```
/// let tokens = norma_search::analyse("Anchors of 300mm", &norma_model::Lang::en());
/// let terms: Vec<&str> = tokens.iter().map(|token| token.term.as_str()).collect();
/// assert_eq!(terms, ["anchor", "of", "300", "mm"]);
/// ```
pub fn analyse(text: &str, language: &Lang) -> Vec<Token> {
    tokens(text, language, false)
}

/// The tokens of the parts of a text, at most `LONGEST_TEXT`, with positions and offsets in the whole.
pub(crate) fn analyse_parts(parts: &[LanguageText<'_>]) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut position = 0;
    let mut offset = 0;
    for LanguageText { text, language } in parts {
        let text = at_most(text, LONGEST_TEXT - offset as usize);
        for mut token in analyse(text, language) {
            token.position += position;
            token.start += offset;
            token.end += offset;
            tokens.push(token);
        }
        if let Some(last) = tokens.last() {
            position = last.position + 1;
        }
        offset += text.chars().count() as u32;
    }
    tokens
}

/// The same for a query, where designations may be in lower case. Its words are not stemmed.
pub(crate) fn analyse_query(text: &str) -> Vec<Token> {
    tokens(text, &Lang::undetermined(), true)
}

fn is_hyphen(separator: &str) -> bool {
    matches!(separator, "-" | "\u{2010}")
}

fn tokens(text: &str, language: &Lang, is_query: bool) -> Vec<Token> {
    let folded = FoldedText::of(text);
    let mut reader = TokenReader {
        text,
        language,
        is_query,
        tokens: Vec::new(),
        position: 0,
        designation_end: 0,
        number: None,
    };
    let mut at = 0;
    let mut last_end = None;
    while at < folded.characters.len() {
        let class = folded.characters[at].class;
        if class == CharacterClass::Other {
            at += 1;
            continue;
        }
        let end = folded.run_end(at);
        let before = reader.tokens.len();
        let separator = match last_end {
            Some(last_end) => folded.slice(last_end..at),
            None => "",
        };
        match class {
            CharacterClass::Ideograph => reader.pairs(&folded, at..end),
            _ => reader.word(&folded, at..end),
        }
        let is_joined = last_end.is_some() && !separator.contains(char::is_whitespace);
        // A designation comes before its first word.
        if let Some(first) = reader.tokens[before..].iter_mut().find(|token| !token.is_designation) {
            first.is_joined = is_joined;
        }
        match class {
            CharacterClass::Digit => reader.group_digits(&folded, at..end, separator),
            CharacterClass::Letter if is_hyphen(separator) => reader.close_word(before),
            _ => {}
        }
        at = end;
        last_end = Some(end);
    }
    reader.tokens
}

/// A text and its tokens so far.
struct TokenReader<'t> {
    text: &'t str,
    language: &'t Lang,
    is_query: bool,
    tokens: Vec<Token>,
    /// Words that were read.
    position: u32,
    /// Byte of the text where the last designation ends.
    designation_end: usize,
    /// The digits of the last word, where they may be the first groups of a number.
    number: Option<DigitGroups>,
}

impl TokenReader<'_> {
    fn word(&mut self, text: &FoldedText, run: Range<usize>) {
        let first = &text.characters[run.start];
        let last = &text.characters[run.end - 1];
        let folded = text.slice(run);
        self.designation(first, folded);
        let word = at_most(folded, LONGEST_WORD);
        if first.class == CharacterClass::Digit {
            let number = word.replace(',', ".");
            self.push(number.clone(), number, first.start, last.end);
        } else {
            let term = stem(word, self.language.primary());
            self.push(term, word.to_owned(), first.start, last.end);
        }
    }

    fn pairs(&mut self, text: &FoldedText, run: Range<usize>) {
        if run.len() == 1 {
            let single = &text.characters[run.start];
            let term = text.slice(run).to_owned();
            self.push(term.clone(), term, single.start, single.end);
            return;
        }
        for at in run.start..run.end - 1 {
            let term = text.slice(at..at + 2).to_owned();
            self.push(term.clone(), term, text.characters[at].start, text.characters[at + 1].end);
            if let Some(pair) = self.tokens.last_mut() {
                pair.is_joined = true;
            }
        }
    }

    fn push(&mut self, term: String, word: String, start: u32, end: u32) {
        self.tokens.push(Token {
            term,
            word,
            position: self.position,
            start,
            end,
            is_designation: false,
            is_joined: false,
            is_grouped: false,
            is_german: self.language.primary() == "de",
            closed: None,
        });
        self.position += 1;
    }

    /// Adds the number that the digits of the last word end, where they are a group of three after others, or
    /// have separators as the language of the text prints them.
    fn group_digits(&mut self, text: &FoldedText, run: Range<usize>, separator: &str) {
        let start = text.characters[run.start].start;
        let end = text.characters[run.end - 1].end;
        let digits = text.slice(run);
        let before = self.number.take().filter(|before| before.words + 1 == self.position);
        let (whole, decimals) = digits.split_at(digits.find(['.', ',']).unwrap_or(digits.len()));
        if let Some(before) = before
            && whole.len() == 3
            && is_group_separator(separator)
        {
            let number = format!("{}{whole}", before.digits);
            self.push_number(format!("{number}{}", decimals.replace(',', ".")), before.start, end);
            if decimals.is_empty() {
                self.number = Some(DigitGroups { digits: number, start: before.start, words: self.position });
            }
            return;
        }
        if let Some(number) = ungrouped(digits, thousands_sign(self.language)) {
            self.push_number(number, start, end);
        } else if digits.len() <= 3 && !digits.starts_with('0') {
            self.number = Some(DigitGroups { digits: digits.to_owned(), start, words: self.position });
        }
    }

    /// Adds a number where its last group is.
    fn push_number(&mut self, number: String, start: u32, end: u32) {
        self.tokens.push(Token {
            term: number.clone(),
            word: number,
            position: self.position - 1,
            start,
            end,
            is_designation: false,
            is_joined: false,
            is_grouped: true,
            is_german: false,
            closed: None,
        });
    }

    /// Notes at the word before the one whose tokens begin at an index what both are as one.
    fn close_word(&mut self, second: usize) {
        let (earlier, later) = self.tokens.split_at_mut(second);
        let Some(first) = earlier.last_mut() else { return };
        let Some(second) = later.iter().find(|token| !token.is_designation) else { return };
        let is_word = first.word.starts_with(char::is_alphabetic) && first.position + 1 == second.position;
        if first.is_designation || !is_word {
            return;
        }
        let stem = stem(&format!("{}{}", first.word, second.word), self.language.primary());
        first.closed = Some(ClosedWord { stem, end: second.end });
    }

    /// Adds the designation that begins with a word.
    fn designation(&mut self, first: &FoldedCharacter, word: &str) {
        let start = first.byte;
        if start < self.designation_end {
            return;
        }
        let rest = at_most(&self.text[start..], LONGEST_DESIGNATION);
        if !self.may_be_designation(rest, word) {
            return;
        }
        let Some(citation) = PartialUrn::from_reference(&rest.to_ascii_uppercase()) else { return };
        let Some(printed) = rest.get(..citation.end) else { return };
        if !printed.contains(|c: char| c.is_ascii_digit()) {
            return;
        }
        let scalars = printed.chars().count() as u32;
        self.designation_end = start + printed.len();
        let mut urns: Vec<&str> = citation.urn.document_urns().collect();
        if self.is_query {
            // A query finds what belongs to the document; a text has what its document belongs to.
            urns.drain(..urns.len() - 1);
        }
        for urn in urns.into_iter().rev() {
            self.tokens.push(Token {
                term: designation_term(urn),
                word: printed.to_owned(),
                position: self.position,
                start: first.start,
                end: first.start + scalars,
                is_designation: true,
                is_joined: false,
                is_grouped: false,
                is_german: false,
                closed: None,
            });
        }
    }

    /// True for a text that is worth reading as a designation, which takes longer. `word` is its first word.
    fn may_be_designation(&self, text: &str, word: &str) -> bool {
        let has_capitals = text.len() >= 2 && text.bytes().take(2).all(|byte| byte.is_ascii_uppercase());
        if !has_capitals {
            // In lower case, words of a query are a designation where the body is a known one.
            let is_typed = self.is_query && !is_stop_word(word) && find_publisher(word).is_some();
            if !is_typed {
                return false;
            }
        }
        at_most(text, DESIGNATION_HEAD).contains(|c: char| c.is_ascii_digit())
    }
}

#[cfg(test)]
mod tests {
    use unicode_normalization::UnicodeNormalization;

    use super::*;

    fn terms(text: &str, language: &str) -> Vec<String> {
        analyse(text, &language.parse().unwrap()).into_iter().map(|token| token.term).collect()
    }

    #[test]
    fn words_are_folded_and_stemmed_by_language() {
        assert_eq!(terms("Anchors WERE e\u{301}tale\u{301}", "nl"), ["anchors", "were", "etale"]);
        assert_eq!(terms("échelles œillets й が", "fr"), ["echel", "oeillet", "й", "が"]);
        assert_eq!(terms("anchors", "en"), ["anchor"]);
        assert_eq!(terms("Kräfte", "de"), ["kraft"]);
        assert_eq!(terms("vérifiés", "fr"), terms("vérifié", "fr"));
        assert_eq!(terms("an\u{ad}chor", "en"), ["anchor"]);
    }

    #[test]
    fn numbers_part_from_letters_and_have_a_point() {
        assert_eq!(terms("300mm; 0,5 m³/h, 20 °C.", "en"), ["300", "mm", "0.5", "m3", "h", "20", "°c"]);
        assert_eq!(terms("1, 2", "en"), ["1", "2"]);
    }

    #[test]
    fn a_designation_is_a_token_in_addition_to_its_words() {
        let tokens = analyse("see NSB 880-2:2020 for", &Lang::en());
        let found: Vec<(&str, u32)> = tokens.iter().map(|t| (t.term.as_str(), t.position)).collect();
        assert_eq!(found[1], ("#urn:nsb:std:nsb:880:-2", 1));
        assert_eq!(found[2], ("#urn:nsb:std:nsb:880", 1));
        assert_eq!(found[3], ("nsb", 1));
        assert_eq!(found.last(), Some(&("for", 5)));
        assert_eq!((tokens[1].start, tokens[1].end), (4, 18));
    }

    #[test]
    fn words_with_a_hyphen_are_found_as_one() {
        let tokens = analyse("pull-out forces, anti-theft-device", &Lang::en());
        let closed: Vec<&str> =
            tokens.iter().filter_map(|token| Some(&*token.closed.as_ref()?.stem)).collect();
        assert_eq!(closed, ["pullout", "antitheft", "theftdevic"]);
        assert_eq!(tokens[0].parts(), ["~pullout~"]);
        assert_eq!(tokens[0].end_of_part("~pullout~"), 8);
    }

    #[test]
    fn pairs_of_ideographs_are_tokens() {
        assert_eq!(terms("地锚拉力", "zh"), ["地锚", "锚拉", "拉力"]);
        assert_eq!(terms("米 rice", "zh"), ["米", "rice"]);
    }

    #[test]
    fn each_part_of_a_text_has_its_language() {
        let part = |text: &'static str, of: &str| LanguageText::new(text, &of.parse().unwrap());
        let tokens = analyse_parts(&[part("ladders; ", "en"), part("Leitern", "de")]);
        let found = tokens.iter().map(|token| (token.term.as_str(), token.position, token.start));
        assert!(found.eq([("ladder", 0, 0), ("leit", 1, 9)]));
        let long = [LanguageText::new("a ".repeat(LONGEST_TEXT), &Lang::en()), part("b", "en")];
        assert_eq!(analyse_parts(&long).len(), LONGEST_TEXT / 2);
    }

    #[test]
    fn offsets_are_scalars_of_the_text() {
        let text = "À l'ﬁn: e\u{301}tat 3 µm — 试验方法";
        let scalars: Vec<char> = text.chars().collect();
        for token in analyse(text, &Lang::en()) {
            let slice: String = scalars[token.start as usize..token.end as usize].iter().collect();
            let folded: String = slice.nfkc().flat_map(char::to_lowercase).nfc().collect();
            assert_eq!(folded, token.word);
        }
    }

    proptest::proptest! {
        #[test]
        fn tokens_of_any_text_are_in_order_and_within_it(text in ".{0,80}") {
            let length = text.chars().count() as u32;
            for language in ["en", "de", "zh"] {
                let tokens = analyse(&text, &language.parse().unwrap());
                for token in &tokens {
                    assert!(token.start < token.end && token.end <= length, "{token:?}");
                    assert!(!token.term.is_empty());
                }
                assert!(tokens.is_sorted_by_key(|token| token.position));
            }
        }
    }
}
