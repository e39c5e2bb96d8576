//! The words of a text as they are compared: without the marks that print, copying and typing change.

mod labels;
pub(crate) mod numbers;

use crate::signs::{PrintedSign, RAISED, SOFT_HYPHEN, printed_signs};
use norma_compare::words::is_ideograph;
use norma_provisions::is_unit_symbol;

/// What a word is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WordKind {
    /// Letters, and digits after them: `valve`, `CO2`.
    Letters,
    /// Digits: `5`, `0,5`, `4.2.1`, `10^-3`.
    Number,
    /// A sign that means something: `%`, `±`, `<`.
    Sign,
}

/// A word of a text.
#[derive(Clone, Debug)]
pub(crate) struct PrintedWord {
    pub(crate) kind: WordKind,
    /// In lower case, without hyphens and the marks of lowered and raised signs.
    pub(crate) key: String,
    /// The same with its capitals.
    pub(crate) written: String,
    /// First Unicode scalar value in the text.
    pub(crate) start: usize,
    /// One past the last.
    pub(crate) end: usize,
    /// Whether it is the mark of a footnote, which counts on no side.
    pub(crate) is_footnote_mark: bool,
    /// Whether it belongs to a label such as `a)` or `NOTE 1`.
    pub(crate) is_label: bool,
    /// Whether something is left out before it.
    pub(crate) after_ellipsis: bool,
    /// Whether it begins a sentence or line.
    pub(crate) starts_sentence: bool,
    /// Whether it begins a line.
    pub(crate) starts_line: bool,
}

impl PrintedWord {
    /// Whether it can be a group of digits within a number.
    pub(crate) fn is_group(&self) -> bool {
        self.key.len() == numbers::GROUP && self.key.bytes().all(|byte| byte.is_ascii_digit())
    }
}

/// The words of a text.
pub(crate) fn printed_words(text: &str) -> Vec<PrintedWord> {
    let signs = printed_signs(text);
    let mut scan =
        WordScan { signs: &signs, at: 0, words: Vec::with_capacity(signs.len() / 5), before: Before::START };
    while let Some(sign) = scan.sign(0) {
        scan.step(sign);
    }
    scan.words
}

/// What is between a word and the one before it.
#[derive(Clone, Copy)]
struct Before {
    has_ellipsis: bool,
    /// A full stop, or a mark like it.
    has_stop: bool,
    /// Any mark after which a label may be.
    has_break: bool,
    has_line: bool,
    has_space: bool,
}

impl Before {
    const NOTHING: Self =
        Self { has_ellipsis: false, has_stop: false, has_break: false, has_line: false, has_space: false };
    const START: Self =
        Self { has_ellipsis: false, has_stop: true, has_break: true, has_line: true, has_space: true };
}

/// A position in the signs of a text, with the words before it.
struct WordScan<'s> {
    signs: &'s [PrintedSign],
    at: usize,
    words: Vec<PrintedWord>,
    before: Before,
}

impl WordScan<'_> {
    /// The sign at a distance.
    fn sign(&self, distance: usize) -> Option<char> {
        self.signs.get(self.at + distance).map(|sign| sign.sign)
    }

    fn sign_at(&self, index: usize) -> Option<char> {
        self.signs.get(index).map(|sign| sign.sign)
    }

    /// Reads the word, mark or white space at the position.
    fn step(&mut self, sign: char) {
        if self.before.has_break && self.label() {
            return;
        }
        if let Some(length) = self.ellipsis() {
            self.before.has_ellipsis = true;
            self.at += length;
        } else if is_ideograph(sign) {
            let at = self.at;
            self.push(WordKind::Letters, at..at + 1, sign.to_string(), sign.to_string());
            self.at += 1;
        } else if sign.is_alphabetic() {
            self.letters();
        } else if sign.is_numeric() && !matches!(sign, '½' | '¼' | '¾') {
            self.number();
        } else if sign == RAISED {
            self.detached_raised();
        } else if let Some((word, length)) = self.meaningful() {
            let end = self.at + length;
            self.push(WordKind::Sign, self.at..end, word.clone(), word);
            self.at = end;
        } else {
            self.mark(sign);
        }
    }

    /// Passes a mark or white space, which are no words.
    fn mark(&mut self, sign: char) {
        match sign {
            '\n' => (self.before.has_line, self.before.has_break, self.before.has_space) = (true, true, true),
            '\t' => (self.before.has_line, self.before.has_break, self.before.has_space) = (true, true, true),
            ' ' => self.before.has_space = true,
            '.' | '!' | '?' => (self.before.has_stop, self.before.has_break) = (true, true),
            ':' | ';' | ',' | '•' | '"' | '\'' => self.before.has_break = true,
            '-' => self.before.has_break |= self.before.has_space,
            _ => {}
        }
        self.at += 1;
    }

    /// The number of signs of an ellipsis at the position, with the brackets around it.
    fn ellipsis(&self) -> Option<usize> {
        let opening = matches!(self.sign(0), Some('(' | '['));
        let mut length = usize::from(opening);
        if self.sign(length) == Some('…') {
            length += 1;
        } else {
            let mut stops = 0;
            let mut ahead = length;
            while self.sign(ahead) == Some('.') {
                stops += 1;
                length = ahead + 1;
                // `. . .`, perhaps over the end of a line.
                ahead = length;
                while self.sign(ahead).is_some_and(char::is_whitespace) {
                    ahead += 1;
                }
            }
            if stops < 3 {
                return None;
            }
        }
        let closing = matches!(self.sign(length), Some(')' | ']'));
        match (opening, closing) {
            (true, false) => None,
            (true, true) => Some(length + 1),
            (false, _) => Some(length),
        }
    }

    /// Reads a word of letters, through hyphens, line ends and the marks of lowered and raised signs.
    fn letters(&mut self) {
        let start = self.at;
        let mut written = String::new();
        let mut has_digit = false;
        let mut end = start;
        while let Some(sign) = self.sign_at(end).filter(|sign| !is_ideograph(*sign)) {
            if sign.is_alphabetic() || unicode_normalization::char::is_combining_mark(sign) {
                // `5mm` is a number and its unit, `H2O` one word.
                written.push(sign);
                end += 1;
            } else if sign.is_numeric() {
                has_digit = true;
                written.push(sign);
                end += 1;
            } else if let Some(after) = self.past_division(end, has_digit) {
                end = after;
            } else if let Some(after) = self.past_lowering(end) {
                end = after;
            } else if sign == '-' && self.sign_at(end + 1).is_some_and(char::is_numeric) {
                // `min-1`, `A-1`
                written.push('-');
                end += 1;
            } else if sign == ']' && written.chars().count() == 1 && self.is_letter(end + 1) {
                // `[T]he`
                end += 1;
            } else if sign == RAISED {
                let Some((raised, after)) = self.raised(end) else { break };
                if is_footnote_mark(&written, &raised) {
                    break;
                }
                written.push_str(&raised);
                end = after;
            } else {
                break;
            }
        }
        self.push(WordKind::Letters, start..end, written.to_lowercase(), written);
        self.at = end;
    }

    fn is_letter(&self, index: usize) -> bool {
        self.sign_at(index).is_some_and(char::is_alphabetic)
    }

    /// The index after a hyphen within a word, at the end of a line or not.
    fn past_division(&self, index: usize, has_digit: bool) -> Option<usize> {
        let sign = self.sign_at(index)?;
        if !matches!(sign, '-' | SOFT_HYPHEN) {
            return None;
        }
        let mut next = index + 1;
        let mut has_line = false;
        while let Some(space) = self.sign_at(next).filter(|c| matches!(c, ' ' | '\n' | '\t')) {
            has_line |= space == '\n';
            next += 1;
        }
        let is_adjacent = next == index + 1;
        let divides = (is_adjacent && !has_digit || has_line || sign == SOFT_HYPHEN) && self.is_letter(next);
        divides.then_some(next)
    }

    /// The index after the mark of a lowered sign: `_` of `MTTF_d`, `_(` of `x_(i,j)`.
    fn past_lowering(&self, index: usize) -> Option<usize> {
        if self.sign_at(index)? != '_' {
            return None;
        }
        let next = index + 1 + usize::from(self.sign_at(index + 1) == Some('('));
        self.sign_at(next).is_some_and(char::is_alphanumeric).then_some(next)
    }

    /// The raised signs after the mark at an index, and the index after them.
    fn raised(&self, index: usize) -> Option<(String, usize)> {
        let mut at = index + 1;
        let in_brackets = self.sign_at(at) == Some('(');
        at += usize::from(in_brackets);
        let mut raised = String::new();
        if let Some(sign) = self.sign_at(at).filter(|c| matches!(c, '-' | '+')) {
            raised.push(sign);
            at += 1;
        }
        let begins_with_digit = self.sign_at(at).is_some_and(char::is_numeric);
        while let Some(sign) = self.sign_at(at) {
            let belongs = if in_brackets {
                sign != ')' && !sign.is_whitespace()
            } else if begins_with_digit {
                sign.is_numeric()
            } else {
                sign.is_alphanumeric()
            };
            if !belongs {
                break;
            }
            raised.push(sign);
            at += 1;
        }
        if in_brackets && self.sign_at(at) == Some(')') {
            at += 1;
        }
        (!raised.is_empty()).then_some((raised, at))
    }

    /// Reads raised signs that no word is in front of: the mark of a footnote.
    fn detached_raised(&mut self) {
        let Some((raised, end)) = self.raised(self.at) else {
            self.at += 1;
            return;
        };
        self.push(WordKind::Number, self.at..end, raised.to_lowercase(), raised);
        if let Some(word) = self.words.last_mut() {
            word.is_footnote_mark = true;
        }
        self.at = end;
    }

    /// A sign that means something, and its length.
    fn meaningful(&self) -> Option<(String, usize)> {
        let (sign, next, third) = (self.sign(0)?, self.sign(1), self.sign(2));
        let word = match (sign, next, third) {
            ('+', Some('/'), Some('-')) => return Some(("±".to_owned(), 3)),
            ('<', Some('='), _) => return Some(("≤".to_owned(), 2)),
            ('>', Some('='), _) => return Some(("≥".to_owned(), 2)),
            ('-', ..) if self.is_minus() => "-".to_owned(),
            // `m/s`, not “and / or”.
            ('/' | '⁄', Some(next), _) if next.is_alphanumeric() && !self.before.has_space => {
                "/".to_owned()
            }
            ('′' | '″', ..) if self.words.last().is_some_and(|word| word.kind == WordKind::Number) => {
                sign.to_string()
            }
            (
                '%' | '‰' | '°' | '±' | '+' | '<' | '>' | '=' | '≤' | '≥' | '≠' | '≈' | '~' | '×' | '÷' | '&'
                | '§' | '#' | '$' | '€' | '£' | '@' | '½' | '¼' | '¾' | '∞' | '√' | '∑',
                ..,
            ) => sign.to_string(),
            _ => return None,
        };
        Some((word, 1))
    }

    /// Whether the dash at the position is the sign of a negative number, or that of a range.
    fn is_minus(&self) -> bool {
        let mut next = 1;
        while self.sign(next) == Some(' ') {
            next += 1;
        }
        if !self.sign(next).is_some_and(char::is_numeric) {
            return false;
        }
        let after_number =
            !self.before.has_stop && self.words.last().is_some_and(|word| word.kind == WordKind::Number);
        next == 1 || after_number
    }

    fn push(&mut self, kind: WordKind, signs: std::ops::Range<usize>, key: String, written: String) {
        let first = self.signs[signs.start].index as usize;
        let last = self.signs[signs.end - 1].index as usize;
        let before = std::mem::replace(&mut self.before, Before::NOTHING);
        let is_capital = written.starts_with(|c: char| c.is_uppercase() || c.is_numeric());
        self.words.push(PrintedWord {
            kind,
            key,
            start: first,
            end: last + 1,
            is_footnote_mark: false,
            is_label: false,
            after_ellipsis: before.has_ellipsis,
            starts_sentence: before.has_line || before.has_stop && before.has_space && is_capital,
            starts_line: before.has_line,
            written,
        });
    }
}

/// Whether raised signs after a word are the mark of a footnote, and not a power or a part of a name.
fn is_footnote_mark(word: &str, raised: &str) -> bool {
    if word.chars().count() < 2 || is_unit_symbol(word) {
        return false;
    }
    let is_number = raised.chars().all(char::is_numeric);
    let is_letter = raised.chars().count() == 1 && raised.chars().all(char::is_lowercase);
    is_number || is_letter && word.chars().count() > 2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> Vec<String> {
        let words = printed_words(text).into_iter();
        let shown = words.map(|word| match (word.is_label, word.is_footnote_mark, word.after_ellipsis) {
            (true, ..) => format!("{}:", word.key),
            (_, true, _) => format!("({})", word.key),
            (.., true) => format!("… {}", word.key),
            _ => word.key,
        });
        shown.collect()
    }

    #[test]
    fn words_have_one_form_whatever_print_and_copying_did() {
        for (text, expected) in [
            ("MTTF_d of the non-return valve", "mttfd of the nonreturn valve"),
            ("require-\nment and re\u{ad}quirement", "requirement and requirement"),
            ("an area of 5 m^2 and 5m²", "an area of 5 m2 and 5 m2"),
            ("release^1 and release¹ again", "release (1) and release (1) again"),
            ("10^(-3) m^3/h", "10^-3 m3 / h"),
            ("10⁻³ m³/h", "10^-3 m3 / h"),
            ("at −18 °C – or 1 500 kg", "at - 18 ° c or 1500 kg"),
            ("5–10 mm", "5 - 10 mm"),
            ("a) open", "a: open"),
            ("4.2 The lid", "4.2: the lid"),
            ("4.2.1\tThe lid", "4.2.1: the lid"),
            ("NOTE 1 to entry: The lid", "note: 1: to: entry: the lid"),
            ("shall: b) open", "shall b: open"),
            ("shall […] be . . . open", "shall … be … open"),
            ("10 samples", "10 samples"),
            ("[T]he lid", "the lid"),
            ("L’essai n'est pas", "l essai n est pas"),
            ("ISO 712 ^1)", "iso 712 (1)"),
            ("(20 ± 2) °C, +/- 5 %, <= 3", "20 ± 2 ° c ± 5 % ≤ 3"),
        ] {
            assert_eq!(keys(text).join(" "), expected, "{text}");
        }
    }

    #[test]
    fn a_word_has_the_position_of_its_signs() {
        let text = "Der ﬁlter, au-\nßen";
        let found: Vec<String> = printed_words(text)
            .iter()
            .map(|word| text.chars().skip(word.start).take(word.end - word.start).collect())
            .collect();
        assert_eq!(found, ["Der", "ﬁlter", "au-\nßen"]);
    }
}
