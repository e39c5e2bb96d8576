//! Text folded for comparison (NFKC, lower case), and the runs of its characters that are words.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;

/// What a folded character begins or continues.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum CharacterClass {
    Letter,
    Digit,
    Ideograph,
    /// A sign that is a word by itself: `%`, `°`.
    Sign,
    Other,
}

/// A character with its marks, folded.
pub(crate) struct FoldedCharacter {
    pub(crate) class: CharacterClass,
    /// In scalars of the text.
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// In bytes of the text.
    pub(crate) byte: usize,
    /// In bytes of the folded text.
    folded: usize,
}

/// A text with its folded characters, one after the other.
pub(crate) struct FoldedText {
    folded: String,
    pub(crate) characters: Vec<FoldedCharacter>,
}

impl FoldedText {
    /// The folded characters of a text.
    pub(crate) fn of(text: &str) -> Self {
        let mut folded = String::with_capacity(text.len());
        let mut characters: Vec<FoldedCharacter> = Vec::with_capacity(text.len());
        let mut source = text.char_indices().peekable();
        let mut marked = String::new();
        // Scalars of the text that were read.
        let mut end = 0;
        while let Some((byte, c)) = source.next() {
            let start = end;
            end += 1;
            if is_dropped(c) {
                // A soft hyphen within a word does not part it.
                if let Some(last) = characters.last_mut()
                    && last.end == start
                {
                    last.end = end;
                }
                continue;
            }
            marked.clear();
            marked.push(c);
            while let Some((_, mark)) = source.next_if(|(_, next)| canonical_combining_class(*next) != 0) {
                marked.push(mark);
                end += 1;
            }
            let folded_start = folded.len();
            if marked.is_ascii() {
                folded.push(c.to_ascii_lowercase());
            } else {
                folded.extend(marked.nfkc().flat_map(char::to_lowercase).nfc());
            }
            let class = match folded[folded_start..].chars().next() {
                Some(first) => class_of(first),
                None => CharacterClass::Other,
            };
            characters.push(FoldedCharacter { class, start, end, byte, folded: folded_start });
        }
        Self { folded, characters }
    }

    /// The text of some characters.
    pub(crate) fn slice(&self, range: Range<usize>) -> &str {
        &self.folded[self.byte(range.start)..self.byte(range.end)]
    }

    /// Where a character begins, in bytes of the folded text.
    fn byte(&self, at: usize) -> usize {
        match self.characters.get(at) {
            Some(character) => character.folded,
            None => self.folded.len(),
        }
    }

    /// The character at an index; empty beyond the end.
    fn at(&self, at: usize) -> &str {
        self.slice(at..at + 1)
    }

    fn class(&self, at: usize) -> Option<CharacterClass> {
        let character = self.characters.get(at)?;
        Some(character.class)
    }

    /// Where the run of characters of one word ends.
    pub(crate) fn run_end(&self, start: usize) -> usize {
        let class = self.characters[start].class;
        let mut end = start + 1;
        if class == CharacterClass::Sign {
            // `°C` is one word.
            let is_unit = self.at(start) == "°" && matches!(self.at(end), "c" | "f");
            return if is_unit { end + 1 } else { end };
        }
        while let Some(next) = self.class(end) {
            if class == CharacterClass::Letter
                && next == CharacterClass::Digit
                && self.is_exponent(start, end)
            {
                return end + 1;
            }
            let continues = next == class || class == CharacterClass::Digit && self.is_number_sign(end);
            if !continues {
                break;
            }
            end += 1;
        }
        end
    }

    /// A character after a digit is a decimal sign if another digit follows.
    fn is_number_sign(&self, at: usize) -> bool {
        matches!(self.at(at), "." | ",") && self.class(at + 1) == Some(CharacterClass::Digit)
    }

    /// True where the digit at `end` belongs to the letters from `start` on: `m2` and `m³` are units.
    fn is_exponent(&self, start: usize, end: usize) -> bool {
        if end - start > 2 || self.at(end - 1) != "m" || !matches!(self.at(end), "2" | "3") {
            return false;
        }
        !matches!(self.class(end + 1), Some(CharacterClass::Letter | CharacterClass::Digit))
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
