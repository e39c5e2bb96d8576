//! Cursor over the text of a citation, which reads numbers, details and the words between them.

use super::cited::{DetailKind, LocationDetail, LocationKind};
use super::word_lists::{
    LocationWord, begins_with, detail_word, location_word, ordinal_word, same_length_lower,
};

/// Most digits of one field of a number. Four would be a year: `12.05.2016`.
const FIELD_DIGITS: usize = 3;

/// Joint between two places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LocationJoint {
    /// White space without a sign or word.
    Space,
    /// A comma without a word such as *and* behind it.
    Comma,
    /// A semicolon without such a word.
    Semicolon,
    /// A word for *and* or *or*.
    And,
    /// A word for *to*, or a dash.
    Range,
    /// A hyphen, which joins a range or is a part of a number.
    Hyphen,
}

pub(super) const AND: [&str; 13] =
    ["and/or", "and", "or", "et", "ou", "und", "oder", "sowie", "as well as", "bzw.", "&", "+", "resp."];
const TO: [&str; 5] = ["to", "through", "bis", "à", "until"];

/// A citation, the same in lower case, and the position of the reader.
#[derive(Clone)]
pub(super) struct LocationReader<'t> {
    pub(super) text: &'t str,
    lower: String,
    pub(super) at: usize,
}

impl<'t> LocationReader<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, lower: same_length_lower(text), at: 0 }
    }

    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    pub(super) fn lower(&self) -> &str {
        &self.lower[self.at..]
    }

    pub(super) fn spaces(&mut self) -> bool {
        let rest = self.rest();
        let trimmed = rest.trim_start();
        self.at += rest.len() - trimmed.len();
        rest.len() > trimmed.len()
    }

    pub(super) fn take(&mut self, sign: char) -> bool {
        let is_next = self.rest().starts_with(sign);
        if is_next {
            self.at += sign.len_utf8();
        }
        is_next
    }

    /// Takes the longest of these words or phrases.
    pub(super) fn take_one_of(&mut self, phrases: &[&str]) -> bool {
        let mut longest = 0;
        for phrase in phrases {
            if begins_with(self.lower(), phrase) {
                longest = longest.max(phrase.len());
            }
        }
        self.at += longest;
        longest > 0
    }

    /// The joint before the next place.
    pub(super) fn joint(&mut self) -> Option<LocationJoint> {
        let is_apart = self.spaces();
        if self.take('–') {
            self.spaces();
            return Some(LocationJoint::Range);
        }
        if self.take('-') {
            // A hyphen between spaces is a dash.
            let joint = if is_apart || self.rest().starts_with(' ') {
                LocationJoint::Range
            } else {
                LocationJoint::Hyphen
            };
            self.spaces();
            return Some(joint);
        }
        let mut joint = is_apart.then_some(LocationJoint::Space);
        if !is_apart && self.take(',') {
            joint = Some(LocationJoint::Comma);
        } else if self.take(';') {
            joint = Some(LocationJoint::Semicolon);
        }
        self.spaces();
        if joint.is_some() && self.take_one_of(&AND) {
            self.spaces();
            return Some(LocationJoint::And);
        }
        if joint == Some(LocationJoint::Space) && self.take_one_of(&TO) {
            self.spaces();
            return Some(LocationJoint::Range);
        }
        joint
    }

    /// The word for a part.
    pub(super) fn location_word(&mut self) -> Option<LocationWord> {
        let before = self.at;
        let word = location_word(self.lower())?;
        self.at += word.length;
        self.spaces();
        // `Nr.` and `No.` may follow another word.
        self.take_one_of(&["no.", "n°", "nr."]);
        self.spaces();
        // `paragraphe 4.2` is a clause, `paragraph 2` a part of one.
        if word.needs_dots && !self.is_dotted_number_next() {
            self.at = before;
            return None;
        }
        Some(word)
    }

    fn is_dotted_number_next(&self) -> bool {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '.').unwrap_or(rest.len());
        rest[..end].trim_end_matches('.').contains('.')
    }

    /// The number of a part, letters in upper case. Without a word before it (`is_bare`) it has a dot.
    pub(super) fn number(&mut self, kind: LocationKind, is_annex: bool, is_bare: bool) -> Option<String> {
        let rest = self.rest();
        let has_bracket = kind == LocationKind::Formula && rest.starts_with('(');
        let start = usize::from(has_bracket);
        let length = number_length(&rest[start..], is_annex)?;
        let number = &rest[start..start + length];
        let after = &rest[start + length..];
        if has_bracket && !after.starts_with(')') || !ends_number(after) {
            return None;
        }
        let has_dot = number.contains('.');
        let begins_with_letter = number.starts_with(|c: char| c.is_ascii_alphabetic());
        let has_digit = number.bytes().any(|b| b.is_ascii_digit());
        if is_bare && !has_dot || !has_digit && !is_annex {
            return None;
        }
        // `v1.2` is a version.
        let is_version = number.starts_with(|c: char| c.is_ascii_lowercase())
            && number[1..].starts_with(|c: char| c.is_ascii_digit());
        if is_version && !is_annex {
            return None;
        }
        // Letters in lower case are those of an annex with its word or with dots.
        if begins_with_letter && !is_annex && !has_dot && kind == LocationKind::Clause {
            return None;
        }
        self.at += start + length + usize::from(has_bracket);
        Some(number.to_ascii_uppercase())
    }

    /// `(1)`, `(1-3)`: the first and the last ordinal.
    pub(super) fn ordinals(&mut self) -> Option<(u32, u32)> {
        let before = self.at;
        let found = self.ordinals_in_brackets();
        if found.is_none() {
            self.at = before;
        }
        found
    }

    fn ordinals_in_brackets(&mut self) -> Option<(u32, u32)> {
        self.spaces();
        if !self.take('(') {
            return None;
        }
        let first = self.small_number()?;
        let last = if self.take('-') || self.take('–') { self.small_number()? } else { first };
        let is_closed = self.take(')');
        // `(2)P` is a principle of the Eurocodes.
        let letter = self.rest().strip_prefix('P');
        self.at += usize::from(letter.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric)));
        (is_closed && first <= last).then_some((first, last))
    }

    fn small_number(&mut self) -> Option<u32> {
        let rest = self.rest();
        let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let number: u32 = rest[..length].parse().ok()?;
        self.at += length;
        (number > 0).then_some(number)
    }

    /// What is smaller than a part: `b)`, `(b)`, `Absatz 2`, `second paragraph`, `NOTE 1`.
    pub(super) fn detail(&mut self) -> Option<LocationDetail> {
        let before = self.at;
        self.spaces();
        let found = self.detail_in_words().or_else(|| self.item());
        if found.is_none() {
            self.at = before;
        }
        found
    }

    fn detail_in_words(&mut self) -> Option<LocationDetail> {
        let before = self.at;
        self.take_one_of(&["the", "der", "die", "den", "dem", "le", "la"]);
        self.spaces();
        if let Some((number, length)) = ordinal_word(self.lower()) {
            self.at += length;
            self.spaces();
            if let Some((kind, length)) = detail_word(self.lower()) {
                self.at += length;
                return Some(LocationDetail { kind, value: Some(number.to_string()) });
            }
        }
        self.at = before;
        let (kind, length) = detail_word(self.lower())?;
        self.at += length;
        let end_of_word = self.at;
        self.spaces();
        self.take_one_of(&["no.", "n°", "nr."]);
        self.spaces();
        let value = match kind {
            DetailKind::Item => self.item_value(true),
            DetailKind::Footnote => self.item_value(true),
            _ => self.detail_number(),
        };
        if value.is_none() {
            self.at = end_of_word;
            // Only a note or an example may be the only one of its part.
            if !matches!(kind, DetailKind::Note | DetailKind::Example) {
                self.at = before;
                return None;
            }
        }
        if kind == DetailKind::Note {
            self.end_of_note();
        }
        Some(LocationDetail { kind, value })
    }

    /// The words of a note to a term entry.
    fn end_of_note(&mut self) {
        let before = self.at;
        self.spaces();
        if !self.take_one_of(&["to entry", "zum begriff", "à l'article"]) {
            self.at = before;
        }
    }

    /// The number of a detail, with brackets or without: `2`, `(2)`.
    fn detail_number(&mut self) -> Option<String> {
        let before = self.at;
        let has_bracket = self.take('(');
        let number = self.small_number();
        let is_closed = !has_bracket || self.take(')');
        match number {
            Some(number) if is_closed && ends_number(self.rest()) => Some(number.to_string()),
            _ => {
                self.at = before;
                None
            }
        }
    }

    /// An item by its label alone: `b)`, `(b)`, `ii)`, `2)`; a single letter where a text or list ends.
    pub(super) fn item(&mut self) -> Option<LocationDetail> {
        let before = self.at;
        self.spaces();
        let value = self.item_value(false);
        if value.is_none() {
            self.at = before;
        }
        Some(LocationDetail { kind: DetailKind::Item, value: Some(value?) })
    }

    /// The label of an item without its brackets. Behind a word (`is_named`) these may be missing.
    fn item_value(&mut self, is_named: bool) -> Option<String> {
        let before = self.at;
        let opens = self.take('(');
        let rest = self.rest();
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let label = &rest[..length];
        let is_number = !label.is_empty() && label.bytes().all(|b| b.is_ascii_digit());
        let is_letters = !label.is_empty() && label.bytes().all(|b| b.is_ascii_lowercase());
        let fits = is_number && length <= 2 || is_letters && length <= 4;
        self.at += length;
        let closes = self.take(')');
        let is_single_letter = length == 1 && (b'a'..=b'f').contains(&label.as_bytes()[0]);
        let ends = self.rest().is_empty() || self.rest().starts_with([',', ';', ' ']);
        let is_marked = closes && !(opens && is_number);
        let is_plain = !opens && !closes && ends && (is_named || is_single_letter);
        if fits && (is_marked || is_plain) {
            return Some(label.to_owned());
        }
        self.at = before;
        None
    }

    /// Takes the status of an annex in brackets.
    pub(super) fn status_of_annex(&mut self) {
        let before = self.at;
        self.spaces();
        let statuses =
            ["(normative)", "(informative)", "(normativ)", "(informativ)", "(normatif)", "(informatif)"];
        for status in statuses {
            if self.lower().starts_with(status) {
                self.at += status.len();
                return;
            }
        }
        self.at = before;
    }
}

/// Length of the number of a part at the beginning of a text, in bytes.
fn number_length(text: &str, is_annex: bool) -> Option<usize> {
    let bytes = text.as_bytes();
    if let Some(length) = vocabulary_number(bytes) {
        return Some(length);
    }
    let letters = bytes.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    let is_roman = letters <= 5 && bytes[..letters].iter().all(|b| b"IVXLC".contains(b));
    if letters > 3 && !is_roman {
        return None;
    }
    let digits = digits_at(bytes, letters);
    if letters + digits == 0 || digits > FIELD_DIGITS || letters > 0 && digits > 0 && letters > 2 {
        return None;
    }
    if letters > 0 && digits == 0 && !is_annex && bytes.get(letters) != Some(&b'.') {
        return None;
    }
    let mut end = letters + digits;
    while bytes.get(end) == Some(&b'.') {
        let digits = digits_at(bytes, end + 1);
        if digits == 0 {
            break;
        }
        if digits > FIELD_DIGITS {
            return None;
        }
        end += 1 + digits;
    }
    // `2a` is a part of Table 2 or a clause put in later; `4.2b)` has an item.
    let ends_with_letter = bytes.get(end).is_some_and(u8::is_ascii_alphabetic)
        && bytes[end - 1].is_ascii_digit()
        && !bytes.get(end + 1).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b')');
    Some(end + usize::from(ends_with_letter))
}

/// Length of the number of an entry of the International Electrotechnical Vocabulary: `601-01-02`.
fn vocabulary_number(bytes: &[u8]) -> Option<usize> {
    let has_form = digits_at(bytes, 0) == 3
        && bytes.get(3) == Some(&b'-')
        && digits_at(bytes, 4) == 2
        && bytes.get(6) == Some(&b'-');
    let last = if has_form { digits_at(bytes, 7) } else { 0 };
    (2..=3).contains(&last).then_some(7 + last)
}

fn digits_at(bytes: &[u8], at: usize) -> usize {
    bytes.get(at..).unwrap_or_default().iter().take_while(|b| b.is_ascii_digit()).count()
}

/// True if a number may end before this text: not within a decimal, a time or a word.
fn ends_number(after: &str) -> bool {
    let mut characters = after.chars();
    let next = characters.next();
    let second = characters.next();
    let joins = next.is_some_and(|c| matches!(c, '.' | ',' | ':' | '/' | '_' | '\''));
    if joins && second.is_some_and(char::is_alphanumeric) {
        return false;
    }
    // `4.2b)`: the item is read next.
    let is_item = next.is_some_and(|c| c.is_ascii_lowercase()) && second == Some(')');
    is_item || !next.is_some_and(char::is_alphanumeric)
}
