//! From a text to tokens with offsets: one function for the index, for queries and for highlights.
//!
//! - Characters are folded (NFKC, lower case); soft hyphens and characters without width are dropped.
//! - Letters and digits part: `300mm` is `300 mm`. A decimal comma is a point.
//! - Words are stemmed by the language of the text: English, French or German; others are not. Stems have no
//!   accents.
//! - A designation is a token in addition to its words: the URN of its document. In a text, so are the URNs
//!   of the documents that this one belongs to.
//! - Of Chinese, Japanese and Korean scripts, each pair of characters is a token.

use std::ops::Range;

use norma_model::urn::{find_publisher, reference_key};
use norma_model::{Lang, PartialUrn};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;

use crate::LanguageText;
use crate::stem::stem;
use crate::vocabulary::is_stop_word;

/// Changes whenever another token comes of the same text, or units have other keys or texts. An index of
/// another version is built again.
pub const ANALYSER_VERSION: u32 = 3;

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
    /// Whether it is a designation.
    pub is_designation: bool,
    /// Whether something that is not white space joins it to the token before.
    pub is_joined: bool,
    /// Whether its text is German.
    is_german: bool,
}

impl Token {
    /// Whether its word is a stop word.
    pub(crate) fn is_stop_word(&self) -> bool {
        !self.is_designation && is_stop_word(&self.word)
    }

    /// Whether it is a number.
    pub(crate) fn is_number(&self) -> bool {
        !self.is_designation && self.word.starts_with(|c: char| c.is_ascii_digit())
    }

    /// What finds the word by a part of it: after `=` the word as written where a prefix of it may not be one
    /// of its stem; after `>` the stem and the word, and after `<` both reversed, of long German words.
    pub(crate) fn parts(&self) -> Vec<String> {
        let mut parts: Vec<String> = Vec::new();
        if self.is_designation {
            return parts;
        }
        if self.term != self.word {
            parts.push(format!("={}", self.word));
        }
        if self.is_german && self.word.chars().count() >= LONG_GERMAN_WORD {
            for form in [&self.term, &self.word] {
                parts.extend([format!(">{form}"), format!("<{}", reversed(form))]);
            }
        }
        parts
    }
}

/// The term of a designation. No word begins with this sign, so that no prefix of a word finds it.
pub(crate) fn designation_term(document_urn: &str) -> String {
    format!("#{document_urn}")
}

/// The term of an identifier, reference or label as typed. Of the id of a provision its first 16 characters
/// are enough: 60 random bits. The whole ids would be a tenth of the index.
pub(crate) fn key_term(key: &str) -> String {
    let term = reference_key(key);
    match term.starts_with("prv_") {
        true => at_most(&term, PROVISION_KEY).to_owned(),
        false => term,
    }
}

/// The first scalars of a text.
fn at_most(text: &str, scalars: usize) -> &str {
    text.char_indices().nth(scalars).map_or(text, |(end, _)| &text[..end])
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
    let (mut tokens, mut position, mut offset) = (Vec::new(), 0, 0);
    for LanguageText { text, language } in parts {
        let text = at_most(text, LONGEST_TEXT - offset as usize);
        let moved = |token: Token| Token {
            position: token.position + position,
            start: token.start + offset,
            end: token.end + offset,
            ..token
        };
        tokens.extend(analyse(text, language).into_iter().map(moved));
        position = tokens.last().map_or(0, |last: &Token| last.position + 1);
        offset += text.chars().count() as u32;
    }
    tokens
}

/// The same for a query, where designations may be in lower case. Its words are not stemmed.
pub(crate) fn analyse_query(text: &str) -> Vec<Token> {
    tokens(text, &Lang::undetermined(), true)
}

fn tokens(text: &str, language: &Lang, is_query: bool) -> Vec<Token> {
    let folded = FoldedText::of(text);
    let mut reader =
        TokenReader { text, language, is_query, tokens: Vec::new(), position: 0, designation_end: 0 };
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
        match class {
            CharacterClass::Ideograph => reader.pairs(&folded, at..end),
            _ => reader.word(&folded, at..end),
        }
        let is_joined =
            last_end.is_some_and(|last: usize| !folded.slice(last..at).contains(char::is_whitespace));
        if let Some(first) = reader.tokens[before..].iter_mut().find(|token| !token.is_designation) {
            first.is_joined = is_joined;
        }
        (at, last_end) = (end, Some(end));
    }
    reader.tokens
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum CharacterClass {
    Letter,
    Digit,
    Ideograph,
    /// A sign that is a word by itself: `%`, `°`.
    Sign,
    Other,
}

/// A character with its marks, folded.
struct FoldedCharacter {
    class: CharacterClass,
    /// In scalars of the text.
    start: u32,
    end: u32,
    /// In bytes of the text.
    byte: usize,
    /// In bytes of the folded text.
    folded: usize,
}

/// A text with its folded characters, one after the other.
struct FoldedText {
    folded: String,
    characters: Vec<FoldedCharacter>,
}

impl FoldedText {
    fn of(text: &str) -> Self {
        let mut folded = String::with_capacity(text.len());
        let mut characters: Vec<FoldedCharacter> = Vec::with_capacity(text.len());
        let mut source = text.char_indices().enumerate().peekable();
        let mut marked = String::new();
        while let Some((start, (byte, c))) = source.next() {
            if is_dropped(c) {
                // A soft hyphen within a word does not part it.
                if let Some(last) = characters.last_mut().filter(|last| last.end == start as u32) {
                    last.end += 1;
                }
                continue;
            }
            let mut end = start + 1;
            let from = folded.len();
            marked.clear();
            marked.push(c);
            while let Some((at, (_, mark))) = source.next_if(|(_, (_, m))| canonical_combining_class(*m) != 0)
            {
                marked.push(mark);
                end = at + 1;
            }
            match marked.is_ascii() {
                true => folded.push(c.to_ascii_lowercase()),
                false => folded.extend(marked.nfkc().flat_map(char::to_lowercase).nfc()),
            }
            let class = folded[from..].chars().next().map_or(CharacterClass::Other, class_of);
            let (start, end) = (start as u32, end as u32);
            characters.push(FoldedCharacter { class, start, end, byte, folded: from });
        }
        Self { folded, characters }
    }

    /// Some characters.
    fn slice(&self, range: Range<usize>) -> &str {
        let byte = |at: usize| self.characters.get(at).map_or(self.folded.len(), |c| c.folded);
        &self.folded[byte(range.start)..byte(range.end)]
    }

    /// The character at an index; empty beyond the end.
    fn at(&self, at: usize) -> &str {
        self.slice(at..at + 1)
    }

    fn class(&self, at: usize) -> Option<CharacterClass> {
        self.characters.get(at).map(|c| c.class)
    }

    /// Where the run of characters of one word ends.
    fn run_end(&self, start: usize) -> usize {
        let class = self.characters[start].class;
        let mut end = start + 1;
        if class == CharacterClass::Sign {
            // `°C` is one word.
            let is_unit = self.at(start) == "°" && matches!(self.at(end), "c" | "f");
            return if is_unit { end + 1 } else { end };
        }
        while let Some(next) = self.class(end) {
            let after = self.class(end + 1);
            let is_number_sign = class == CharacterClass::Digit
                && matches!(self.at(end), "." | ",")
                && after == Some(CharacterClass::Digit);
            // `m2` and `m³` are units: the digit belongs to the letters before it.
            let is_exponent = class == CharacterClass::Letter
                && next == CharacterClass::Digit
                && end - start <= 2
                && matches!(self.at(end), "2" | "3")
                && self.at(end - 1) == "m"
                && !matches!(after, Some(CharacterClass::Letter | CharacterClass::Digit));
            if next != class && !is_number_sign && !is_exponent {
                break;
            }
            end += 1;
            if is_exponent {
                break;
            }
        }
        end
    }
}

/// Characters that have no width and no meaning in a search.
fn is_dropped(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}')
}

fn class_of(c: char) -> CharacterClass {
    match c {
        '\u{2e80}'..='\u{2fdf}'
        | '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7af}'
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}' => CharacterClass::Ideograph,
        '%' | '°' => CharacterClass::Sign,
        c if c.is_ascii_digit() => CharacterClass::Digit,
        c if c.is_alphanumeric() => CharacterClass::Letter,
        _ => CharacterClass::Other,
    }
}

struct TokenReader<'t> {
    text: &'t str,
    language: &'t Lang,
    is_query: bool,
    tokens: Vec<Token>,
    position: u32,
    /// Byte of the text where the last designation ends.
    designation_end: usize,
}

impl TokenReader<'_> {
    fn word(&mut self, text: &FoldedText, run: Range<usize>) {
        let (first, last) = (&text.characters[run.start], &text.characters[run.end - 1]);
        let folded = text.slice(run);
        self.designation(first, folded);
        let word = at_most(folded, LONGEST_WORD);
        let (term, word) = match first.class {
            CharacterClass::Digit => {
                let number = word.replace(',', ".");
                (number.clone(), number)
            }
            _ => (stem(word, self.language.primary()), word.to_owned()),
        };
        self.push(term, word, first.start, last.end);
    }

    fn pairs(&mut self, text: &FoldedText, run: Range<usize>) {
        if run.len() == 1 {
            let single = &text.characters[run.start];
            let term = text.slice(run).to_owned();
            return self.push(term.clone(), term, single.start, single.end);
        }
        for at in run.start..run.end - 1 {
            let term = text.slice(at..at + 2).to_owned();
            self.push(term.clone(), term, text.characters[at].start, text.characters[at + 1].end);
            let last = self.tokens.len() - 1;
            self.tokens[last].is_joined = true;
        }
    }

    fn push(&mut self, term: String, word: String, start: u32, end: u32) {
        let position = self.position;
        self.position += 1;
        let (is_designation, is_joined) = (false, false);
        let is_german = self.language.primary() == "de";
        self.tokens.push(Token { term, word, position, start, end, is_designation, is_joined, is_german });
    }

    /// Adds the designation that begins with a word.
    fn designation(&mut self, first: &FoldedCharacter, word: &str) {
        let start = first.byte;
        let rest = at_most(&self.text[start..], LONGEST_DESIGNATION);
        let has_capitals = rest.bytes().take(2).filter(u8::is_ascii_uppercase).count() == 2;
        // In lower case, words of a query are a designation where the body is a known one.
        let is_typed = || self.is_query && !is_stop_word(word) && find_publisher(word).is_some();
        if start < self.designation_end || !(has_capitals || is_typed()) {
            return;
        }
        if !at_most(rest, DESIGNATION_HEAD).bytes().any(|b| b.is_ascii_digit()) {
            return;
        }
        let Some(citation) = PartialUrn::from_reference(&rest.to_ascii_uppercase()) else { return };
        let Some(printed) = rest.get(..citation.end) else { return };
        if !printed.contains(|c: char| c.is_ascii_digit()) {
            return;
        }
        let scalars = printed.chars().count() as u32;
        let end = first.start + scalars;
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
                end,
                is_designation: true,
                is_joined: false,
                is_german: false,
            });
        }
    }
}

#[cfg(test)]
mod tests {
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
