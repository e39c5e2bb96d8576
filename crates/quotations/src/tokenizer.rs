//! The words of a text as they are compared: without the marks that print, copying and typing change.

mod labels;
pub(crate) mod levels;
mod marks;
pub(crate) mod numbers;

use levels::CharacterLevel;

use crate::signs::{MINUS, PrintedSign, RAISED, SOFT_HYPHEN, is_fraction, printed_signs};
use norma_compare::words::is_ideograph;
use norma_provisions::is_unit_symbol;

/// Most letters of a word right after a number that may be a symbol of a unit which is in no list.
const LONGEST_SYMBOL: usize = 3;
/// Signs between parts of a unit.
const UNIT_JOINTS: [&str; 5] = ["/", "·", "*", "°", "-"];

/// What a word is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WordKind {
    /// Letters, and digits after them: `valve`, `CO2`.
    Letters,
    /// Digits: `5`, `0,5`, `4.2.1`, `10^-3`.
    Number,
    /// Any sign that is not only typography: `%`, `±`, `<`, `→`.
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
    /// Whether it counts on no side: the mark of a footnote, or a dash that may be a minus or not.
    pub(crate) is_footnote_mark: bool,
    /// Of each character of `written`, whether it is raised or lowered. Empty where none is.
    pub(crate) levels: Vec<CharacterLevel>,
    /// Whether it follows a number, with nothing but parts of its unit between them.
    pub(crate) after_number: bool,
    /// Whether it is the symbol of a unit after a number.
    pub(crate) is_unit: bool,
    /// Whether its capitals count: a unit, or a short word that may be one.
    pub(crate) keeps_case: bool,
    /// Whether a mark, not a word, is before it.
    pub(crate) after_mark: bool,
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

    /// Whether it is a number that is neither a label nor the mark of a footnote.
    fn is_value(&self) -> bool {
        self.kind == WordKind::Number && !self.is_label && !self.is_footnote_mark
    }

    /// Whether it is a part of the unit of a number, behind which another part may be.
    fn is_part_of_unit(&self) -> bool {
        self.after_number && (self.is_unit || UNIT_JOINTS.contains(&self.key.as_str()))
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
    /// A mark of punctuation, or a quotation mark.
    has_pause: bool,
    /// Any mark.
    has_mark: bool,
}

impl Before {
    const NOTHING: Self = Self {
        has_ellipsis: false,
        has_stop: false,
        has_break: false,
        has_line: false,
        has_space: false,
        has_pause: false,
        has_mark: false,
    };
    const START: Self = Self {
        has_ellipsis: false,
        has_stop: true,
        has_break: true,
        has_line: true,
        has_space: true,
        has_pause: true,
        has_mark: true,
    };
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
            if self.is_range(length) {
                self.push(WordKind::Sign, self.at..self.at + length, "…".to_owned(), "…".to_owned());
            } else {
                self.before.has_ellipsis = true;
            }
            self.at += length;
        } else if is_ideograph(sign) {
            let at = self.at;
            self.push(WordKind::Letters, at..at + 1, sign.to_string(), sign.to_string());
            self.at += 1;
        } else if sign.is_alphabetic() {
            self.letters();
        } else if sign.is_numeric() && !is_fraction(sign) {
            self.number();
        } else if sign == RAISED {
            self.detached_raised();
        } else if let Some((word, length)) = self.meaningful() {
            self.push_sign(sign, word, length);
        } else {
            self.mark(sign);
        }
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
        let mut levels: Vec<CharacterLevel> = Vec::new();
        let mut lowering: Option<bool> = None;
        let mut has_digit = false;
        let mut end = start;
        while let Some(sign) = self.sign_at(end).filter(|sign| !is_ideograph(*sign)) {
            if sign.is_alphabetic() || unicode_normalization::char::is_combining_mark(sign) {
                // `5mm` is a number and its unit, `H2O` one word.
                lowering = lowering.filter(|of_digits| !of_digits);
                levels.push(self.level(end, lowering));
                written.push(sign);
                end += 1;
            } else if sign.is_numeric() {
                has_digit = true;
                levels.push(self.level(end, lowering));
                written.push(sign);
                end += 1;
            } else if let Some(after) = self.past_division(end, has_digit) {
                lowering = None;
                end = after;
            } else if let Some(after) = self.past_lowering(end) {
                // `H_2O`: of digits, only these are lowered.
                lowering = Some(self.sign_at(after).is_some_and(char::is_numeric) && after == end + 1);
                end = after;
            } else if matches!(sign, '-' | MINUS) && self.sign_at(end + 1).is_some_and(char::is_numeric) {
                // `min-1`, `A-1`
                levels.push(CharacterLevel::Plain);
                written.push('-');
                end += 1;
            } else if sign == ']' && written.chars().count() == 1 && self.is_letter(end + 1) {
                // `[T]he`
                end += 1;
            } else if sign == RAISED {
                let Some((raised, after)) = self.raised(end) else { break };
                // `a_1^2` has a power.
                let is_variable = levels.get(1) == Some(&CharacterLevel::Lowered);
                if !is_variable && is_footnote_mark(&written, &raised) {
                    break;
                }
                lowering = None;
                levels.extend(std::iter::repeat_n(CharacterLevel::Raised, raised.chars().count()));
                written.push_str(&raised);
                end = after;
            } else {
                break;
            }
        }
        self.push(WordKind::Letters, start..end, written.to_lowercase(), written);
        self.set_levels(levels);
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
        if let Some(sign) = self.sign_at(at).filter(|c| matches!(*c, '-' | MINUS | '+')) {
            raised.push(if sign == MINUS { '-' } else { sign });
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
            raised.push(if sign == MINUS { '-' } else { sign });
            at += 1;
        }
        if in_brackets && self.sign_at(at) == Some(')') {
            at += 1;
        }
        (!raised.is_empty()).then_some((raised, at))
    }

    /// Reads raised signs that no word is in front of: the mark of a footnote, or the power of a formula.
    fn detached_raised(&mut self) {
        let Some((raised, end)) = self.raised(self.at) else {
            self.push_sign(RAISED, RAISED.to_string(), 1);
            return;
        };
        let is_power = self.follows_formula();
        let levels = vec![CharacterLevel::Raised; raised.chars().count()];
        self.push(WordKind::Number, self.at..end, raised.to_lowercase(), raised);
        self.set_levels(levels);
        if let Some(word) = self.words.last_mut() {
            word.is_footnote_mark = !is_power;
        }
        self.at = end;
    }

    fn push(&mut self, kind: WordKind, signs: std::ops::Range<usize>, key: String, written: String) {
        let first = self.signs[signs.start].index as usize;
        let last = self.signs[signs.end - 1].index as usize;
        let before = std::mem::replace(&mut self.before, Before::NOTHING);
        let is_capital = written.starts_with(|c: char| c.is_uppercase() || c.is_numeric());
        let former = self.words.last().filter(|_| !before.has_pause);
        let is_next_to_number = former.is_some_and(PrintedWord::is_value);
        let after_number = is_next_to_number || former.is_some_and(PrintedWord::is_part_of_unit);
        let is_letters = kind == WordKind::Letters;
        let symbol = written.trim_end_matches(|c: char| c.is_ascii_digit() || c == '-');
        let is_unit = is_letters && after_number && is_unit_symbol(symbol);
        let is_short = is_letters && symbol.chars().count() <= LONGEST_SYMBOL;
        self.words.push(PrintedWord {
            kind,
            key,
            start: first,
            end: last + 1,
            is_footnote_mark: false,
            levels: Vec::new(),
            after_number,
            is_unit,
            keeps_case: is_unit || is_short && is_next_to_number,
            after_mark: before.has_mark,
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
            ("at −18 °C – or 1 500 kg", "at - 18 ° c (-) or 1500 kg"),
            ("A − B, N·m, 3:4 and a: b", "a - b n · m 3 : 4 and a b"),
            ("2…5 mm, 2 ... 5 mm", "2 … 5 mm 2 … 5 mm"),
            ("**open** the _lid_: * now", "open the lid now"),
            ("a/(b+c) * |x|^2", "a / ( b + c * | x | 2"),
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
