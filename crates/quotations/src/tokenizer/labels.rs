//! Labels in front of a text: `a)`, `4.2`, `NOTE 1 to entry:`.

use norma_provisions::begins_note;

use super::{WordKind, WordScan};

/// Most letters or digits of the label of an item.
const LONGEST: usize = 4;
/// Most letters of a note's words behind its number: “to entry”, “à l’article”.
const LONGEST_SUFFIX: usize = 16;

impl WordScan<'_> {
    /// Reads a label at the position, if there is one.
    pub(super) fn label(&mut self) -> bool {
        let is_first = self.words.iter().all(|word| word.is_label);
        let length = self.item_label().or_else(|| if is_first { self.clause_label() } else { None });
        if let Some(length) = length {
            self.push_label(self.at, self.at + length);
            return true;
        }
        is_first && self.note_label()
    }

    /// The length of the label of an item: `a)`, `(12)`, `iv)`.
    fn item_label(&self) -> Option<usize> {
        let opening = usize::from(self.sign(0) == Some('('));
        let mut length = opening;
        while self.sign(length).is_some_and(char::is_alphanumeric) {
            length += 1;
        }
        let letters = length - opening;
        let is_number = (opening..length).all(|at| self.sign(at).is_some_and(char::is_numeric));
        let is_roman =
            (opening..length).all(|at| matches!(self.sign(at), Some('i' | 'v' | 'x' | 'I' | 'V' | 'X')));
        let fits = letters == 1 || letters == 2 && is_number || is_roman && letters <= LONGEST;
        let is_closed = self.sign(length) == Some(')');
        let goes_on = self.sign(length + 1).is_none_or(|c| c.is_alphanumeric());
        (fits && letters > 0 && is_closed && !goes_on).then_some(length + 1)
    }

    /// The length of the number of a clause with white space behind it: `4.2`, `A.3.1`, `4.`. It may be a
    /// value as well, as in `0.5 kg`.
    fn clause_label(&self) -> Option<usize> {
        let mut length = 0;
        let mut stops = 0;
        let is_lettered = self.sign(0).is_some_and(|c| c.is_ascii_uppercase()) && self.sign(1) == Some('.');
        if is_lettered {
            length = 1;
        }
        while let Some(sign) = self.sign(length) {
            let is_stop = sign == '.';
            if !(sign.is_ascii_digit() || is_stop && self.sign(length - length.min(1)) != Some('.')) {
                break;
            }
            stops += usize::from(is_stop);
            length += 1;
        }
        let has_space = self.sign(length).is_some_and(char::is_whitespace);
        let has_digit = (0..length).any(|at| self.sign(at).is_some_and(|c| c.is_ascii_digit()));
        (stops > 0 && has_digit && has_space).then_some(length)
    }

    /// Reads the label of a note or example: `NOTE 1 to entry:`, `Beispiel 2`.
    fn note_label(&mut self) -> bool {
        let mut length = 0;
        let mut word = String::new();
        while let Some(letter) = self.sign(length).filter(|c| c.is_alphabetic()) {
            word.extend(letter.to_lowercase());
            length += 1;
        }
        let is_capital = self.sign(0).is_some_and(char::is_uppercase);
        if !is_capital || !begins_note(&word) {
            return false;
        }
        let mut end = length;
        while matches!(self.sign(end), Some(' ')) {
            end += 1;
        }
        let number = end;
        while self.sign(end).is_some_and(|c| c.is_ascii_digit()) {
            end += 1;
        }
        let is_upper = (0..length).all(|at| self.sign(at).is_some_and(char::is_uppercase));
        let colon = (0..LONGEST_SUFFIX).find(|&distance| self.sign(end + distance) == Some(':'));
        if end == number && !is_upper && colon != Some(0) {
            // “Note the time.”
            return false;
        }
        let first = self.at;
        self.push_label(first, first + length);
        if end > number {
            self.push_label(first + number, first + end);
        }
        if let Some(distance) = colon {
            self.suffix(first + end, first + end + distance);
        }
        true
    }

    /// Reads the words between the number of a note and the colon.
    fn suffix(&mut self, start: usize, colon: usize) {
        self.at = start;
        while self.at < colon {
            match self.sign(0) {
                Some(letter) if letter.is_alphabetic() => {
                    self.letters();
                    if let Some(word) = self.words.last_mut() {
                        word.is_label = true;
                    }
                }
                _ => self.at += 1,
            }
        }
        self.before = super::Before::START;
    }

    fn push_label(&mut self, start: usize, end: usize) {
        let mut written = String::new();
        for sign in &self.signs[start..end] {
            if !matches!(sign.sign, '(' | ')') {
                written.push(sign.sign);
            }
        }
        let key = written.trim_end_matches('.').to_lowercase();
        let is_number = key.starts_with(|c: char| c.is_ascii_digit());
        let kind = if is_number { WordKind::Number } else { WordKind::Letters };
        self.push(kind, start..end, key, written);
        if let Some(word) = self.words.last_mut() {
            word.is_label = true;
        }
        self.at = end;
        // A label may follow: `4.2 NOTE 1`.
        self.before = super::Before::START;
    }
}
