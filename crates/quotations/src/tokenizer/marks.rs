//! Signs and marks: each sign is a word, except those that are typography.

use super::{WordKind, WordScan};
use crate::signs::MINUS;

/// Signs behind which a dash is a minus.
const BEFORE_MINUS: [&str; 14] = ["=", "<", ">", "≤", "≥", "≠", "≈", "+", "±", "×", "÷", "·", "*", "/"];
/// Signs behind which brackets change what is meant.
const BEFORE_FACTOR: [&str; 9] = ["/", "*", "·", "×", "÷", "√", "∑", "∫", "¬"];

/// Most asterisks of one sign, and most characters of a formula in brackets.
const LONGEST_RUN: usize = 8;
const LONGEST_FORMULA: usize = 60;

impl WordScan<'_> {
    /// Passes a mark or white space, which are no words.
    pub(super) fn mark(&mut self, sign: char) {
        let before = &mut self.before;
        match sign {
            '\n' | '\t' => (before.has_line, before.has_break, before.has_space) = (true, true, true),
            ' ' => before.has_space = true,
            '.' | '。' | '۔' => (before.has_stop, before.has_break) = (true, true),
            ':' | ';' | ',' | '"' | '\'' => before.has_break = true,
            '-' => before.has_break |= before.has_space,
            _ if is_bullet(sign) => before.has_break = true,
            _ => {}
        }
        before.has_mark |= !sign.is_whitespace();
        before.has_pause |= is_pause(sign);
        self.at += 1;
    }

    /// Pushes a sign that counts, or one that only may count: a dash, or a bullet at the start of a line.
    pub(super) fn push_sign(&mut self, sign: char, word: String, length: usize) {
        let end = self.at + length;
        let before = self.before;
        let is_dash = sign == '-' && !self.is_minus();
        let is_item = is_bullet(sign) && before.has_line && self.is_before_space();
        self.push(WordKind::Sign, self.at..end, word.clone(), word);
        if is_dash || is_item {
            if let Some(word) = self.words.last_mut() {
                word.is_footnote_mark = true;
            }
            self.before = before;
            self.before.has_mark = true;
            // A label of an item follows a dash at the start of its line: not in `(y - Y)/u`.
            self.before.has_break |= before.has_line;
        } else if matches!(sign, '!' | '?') {
            self.before.has_stop = true;
            self.before.has_break = true;
            self.before.has_pause = true;
        }
        self.at = end;
    }

    /// The sign at the position as a word, and its length; `None` where it is typography.
    pub(super) fn meaningful(&self) -> Option<(String, usize)> {
        let (sign, next, third) = (self.sign(0)?, self.sign(1), self.sign(2));
        match (sign, next, third) {
            ('+', Some('/'), Some('-' | MINUS)) => return Some(("±".to_owned(), 3)),
            ('<', Some('='), _) => return Some(("≤".to_owned(), 2)),
            ('>', Some('='), _) => return Some(("≥".to_owned(), 2)),
            ('*' | '_', ..) => return self.run(sign),
            _ => {}
        }
        let counts = match sign {
            '-' => self.is_minus() || self.may_be_minus(),
            '′' | '″' => self.is_prime(),
            ':' => self.is_ratio(),
            '(' | '[' => self.opens_factor(),
            ')' | ']' => self.closes_factor(),
            _ => !is_typography(sign) && !self.is_item_bullet(sign),
        };
        let word = match sign {
            MINUS => '-',
            '⁄' => '/',
            _ => sign,
        };
        counts.then(|| (word.to_string(), 1))
    }

    /// Asterisks or underscores: a sign between two operands, and else the markup of a word or a bullet.
    fn run(&self, sign: char) -> Option<(String, usize)> {
        let mut length = 1;
        while length < LONGEST_RUN && self.sign(length) == Some(sign) {
            length += 1;
        }
        let before = self.at.checked_sub(1).and_then(|index| self.sign_at(index));
        let after = self.sign(length);
        let is_tight = before.is_some_and(|c| c.is_alphanumeric() || matches!(c, ')' | ']' | '|'))
            && after.is_some_and(|c| c.is_alphanumeric() || matches!(c, '(' | '[' | '|'));
        let is_loose = sign == '*'
            && before.is_some_and(char::is_whitespace)
            && after.is_none_or(char::is_whitespace)
            && !self.is_item_bullet(sign);
        (is_tight || is_loose).then(|| (sign.to_string().repeat(length), length))
    }

    /// Whether the dash at the position is the sign of a negative number, or that of a range.
    fn is_minus(&self) -> bool {
        let follows_operator = self
            .words
            .last()
            .is_some_and(|word| word.kind == WordKind::Sign && BEFORE_MINUS.contains(&word.key.as_str()));
        if follows_operator && self.follows_word() {
            return true;
        }
        let distance = self.distance_of_next(1);
        if !self.sign(distance).is_some_and(char::is_numeric) {
            return false;
        }
        distance == 1 || self.follows_quantity()
    }

    /// Whether the dash at the position is between words, where it may be typed for a minus.
    fn may_be_minus(&self) -> bool {
        !self.before.has_pause && self.words.last().is_some_and(|word| !word.is_label)
    }

    /// Whether a number is the last word, or a unit behind one, without punctuation after it.
    fn follows_quantity(&self) -> bool {
        !self.before.has_pause && self.words.last().is_some_and(|word| word.is_value() || word.is_unit)
    }

    /// Whether an ellipsis of some signs at the position is that of a range: `2…5 mm`.
    pub(super) fn is_range(&self, length: usize) -> bool {
        let is_bare = matches!(self.sign(0), Some('…' | '.'));
        let next = self.sign(self.distance_of_next(length));
        is_bare && self.follows_word() && self.follows_quantity() && next.is_some_and(char::is_numeric)
    }

    /// Whether it is a prime of a number or of a letter, and no quotation mark.
    fn is_prime(&self) -> bool {
        let Some(last) = self.words.last() else { return false };
        let is_letter = last.kind == WordKind::Letters && last.key.chars().count() == 1;
        let is_derived = is_letter && self.follows_word() && !self.before.has_space;
        last.kind == WordKind::Number || is_derived && !self.sign(1).is_some_and(char::is_alphabetic)
    }

    /// Whether it is a colon between digits: `3:4`, `3 : 4`, but not “step 3: 4 lids”.
    fn is_ratio(&self) -> bool {
        let after_digit = self.last_sign().is_some_and(char::is_numeric);
        let after_label = self.words.last().is_some_and(|word| word.is_label);
        let distance = self.distance_of_next(1);
        let before_digit = self.sign(distance).is_some_and(char::is_numeric);
        let is_even = distance == 1 || self.before.has_space;
        after_digit && !after_label && before_digit && is_even
    }

    /// Whether it is a bracket behind an operator.
    fn opens_factor(&self) -> bool {
        let Some(last) = self.words.last().filter(|_| self.follows_word()) else { return false };
        if last.kind != WordKind::Sign {
            return false;
        }
        BEFORE_FACTOR.contains(&last.key.as_str()) || last.key == "-" && self.opens_sum()
    }

    /// Whether there is an operator within the brackets that begin at the position.
    fn opens_sum(&self) -> bool {
        let inner = self.signs[self.at..].iter().map(|sign| sign.sign);
        inner.take(LONGEST_FORMULA).take_while(|sign| !matches!(sign, ')' | ']')).any(is_operator)
    }

    /// Whether it is a bracket in front of an operator.
    fn closes_factor(&self) -> bool {
        let distance = self.distance_of_next(1);
        match self.sign(distance) {
            Some('/' | '·' | '×' | '÷') => true,
            Some('*') => self.sign(distance + 1).is_some_and(|c| c.is_alphanumeric() || c == '('),
            _ => false,
        }
    }

    /// Whether the signs before the position are a formula in brackets, or in bars: `(a+b)`, `|x|`.
    pub(super) fn follows_formula(&self) -> bool {
        let Some(last) = self.at.checked_sub(1) else { return false };
        match self.signs[last].sign {
            '|' => true,
            ')' | ']' => {
                let inner = self.signs[..last].iter().rev().map(|sign| sign.sign);
                inner.take(LONGEST_FORMULA).take_while(|sign| !matches!(sign, '(' | '[')).any(is_operator)
            }
            _ => false,
        }
    }

    /// Whether a sign is a bullet at the start of the text, or after punctuation.
    fn is_item_bullet(&self, sign: char) -> bool {
        let is_first = self.words.iter().all(|word| word.is_label);
        is_bullet(sign) && self.is_before_space() && (is_first || self.last_sign().is_some_and(is_pause))
    }

    fn is_before_space(&self) -> bool {
        self.sign(1).is_none_or(char::is_whitespace)
    }

    /// The distance of the next sign other than white space, from a distance on.
    fn distance_of_next(&self, from: usize) -> usize {
        let mut distance = from;
        while self.sign(distance).is_some_and(char::is_whitespace) {
            distance += 1;
        }
        distance
    }

    /// The index of the last sign before the position other than white space.
    fn index_of_last(&self) -> Option<usize> {
        (0..self.at).rev().find(|&index| !self.signs[index].sign.is_whitespace())
    }

    fn last_sign(&self) -> Option<char> {
        self.index_of_last().map(|index| self.signs[index].sign)
    }

    /// Whether there is nothing but white space between the last word and the position.
    fn follows_word(&self) -> bool {
        let Some(word) = self.words.last() else { return false };
        self.index_of_last().is_some_and(|index| self.signs[index].index as usize + 1 == word.end)
    }
}

/// Signs of punctuation and quotation marks, which may differ.
fn is_pause(sign: char) -> bool {
    let is_latin = matches!(sign, '.' | ',' | ';' | ':' | '"' | '\'' | '`');
    is_latin || matches!(sign, '。' | '、' | '「' | '」' | '『' | '』' | '،' | '؛' | '۔')
}

/// Signs that never count: punctuation, marks of footnotes, and signs that are not printed.
fn is_typography(sign: char) -> bool {
    let is_direction = matches!(sign, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}');
    let is_joiner = matches!(sign, '\u{ad}' | '\u{2061}'..='\u{2069}');
    let is_printed = !(sign.is_whitespace() || sign.is_control() || is_direction || is_joiner);
    !is_printed || is_pause(sign) || matches!(sign, '†' | '‡')
}

/// Signs that may be in front of an item. Those of Symbol and Wingdings are for private use.
fn is_bullet(sign: char) -> bool {
    let is_drawn =
        matches!(sign, '•' | '‣' | '◦' | '▪' | '▫' | '■' | '□' | '●' | '○' | '►' | '▶' | '➢' | '➤');
    is_drawn || matches!(sign, '⁃' | '·' | '*' | MINUS | '\u{e000}'..='\u{f8ff}')
}

fn is_operator(sign: char) -> bool {
    matches!(sign, '+' | '/' | '*' | '·' | '×' | '÷' | '=')
}
