//! Numbers and units at a byte of a text: signs and powers as words, divisors and shares of units.

use norma_model::Comparator;

use super::QuantityScan;
use super::comparison::ComparatorEvidence;
use super::comparison_table::has;
use crate::anatomy::numbers::{Number, digits, number_at, shifted};
use crate::anatomy::units::{ParsedUnit, size, unit_at};

impl QuantityScan<'_> {
    /// The number that begins at this byte, if it is not a part of a code or a date.
    pub(super) fn number(&self, at: usize) -> Option<Number> {
        // Most words are no numbers.
        let word = &self.lower[at..self.word_end(at)];
        if word.starts_with(char::is_alphabetic) && !self.table.numbers.may_begin(word) {
            return self.signed(word, at);
        }
        let mut number = number_at(self.text, at, self.notation())?;
        self.multiply(&mut number);
        let after = &self.text[number.range.end..];
        if after.starts_with(['^', '_']) {
            return None;
        }
        let Some(next) = after.chars().next() else { return Some(number) };
        let following_digits = digits(&after[next.len_utf8()..]);
        if following_digits == 0 {
            return Some(number);
        }
        // A version, a date, a time, a clause: not this number.
        if matches!(next, '.' | ':' | '/' | ',') {
            return None;
        }
        // “5-10 mm” is a range, “5-10” a code.
        if matches!(next, '-' | '\u{2011}') {
            let end = number.range.end + next.len_utf8() + following_digits;
            self.unit(end)?;
        }
        Some(number)
    }

    /// A number behind its sign as a word: `minus 5`.
    fn signed(&self, word: &str, at: usize) -> Option<Number> {
        if !has(&self.table.minus, word) {
            return None;
        }
        let rest = self.text[at + word.len()..].strip_prefix([' ', '\u{a0}'])?;
        let number = number_at(self.text, self.text.len() - rest.len(), self.digits())?;
        let value = number.value?;
        if value.starts_with('-') {
            return None;
        }
        // “au moins 5 kg” is a limit.
        let is_behind_word = self.lower[..at].trim_end().ends_with(char::is_alphanumeric);
        if is_behind_word && self.comparison(&number.range) == ComparatorEvidence::Stated(Comparator::AtLeast)
        {
            return None;
        }
        Some(Number { range: at..number.range.end, value: Some(["-", &value].concat()), word: false })
    }

    /// Reads the word for a power of ten behind a number: `3 million`, `3 millions de`. What goes on behind
    /// it (`two hundred and fifty`) is not read.
    fn multiply(&self, number: &mut Number) {
        let rest = self.lower[number.range.end..].trim_start_matches([' ', '\u{a0}', '\u{202f}']);
        let mut multiple = None;
        for (word, power) in &self.table.multiples {
            if let Some(behind) = rest.strip_prefix(word.as_str())
                && !behind.starts_with(char::is_alphanumeric)
            {
                multiple = Some((behind, *power));
                break;
            }
        }
        let Some((behind, power)) = multiple else { return };
        let mut words = behind.split_whitespace().skip_while(|word| self.coordinators(word));
        let goes_on = words.next().is_some_and(|next| self.table.numbers.may_begin(next));
        number.value = match number.value.take() {
            Some(value) if !goes_on => Some(shifted(&value, power)),
            _ => None,
        };
        number.range.end = self.text.len() - self.behind_partitive(behind).len();
    }

    /// A text without the word between a multiple and its unit: `de` of “3 millions de litres”.
    fn behind_partitive<'t>(&self, behind_multiple: &'t str) -> &'t str {
        let Some(rest) = behind_multiple.strip_prefix(' ') else { return behind_multiple };
        for word in &self.table.partitive {
            if let Some(unit) = rest.strip_prefix(word.as_str()) {
                return unit;
            }
        }
        behind_multiple
    }

    pub(super) fn coordinators(&self, word: &str) -> bool {
        has(&self.table.coordinators, word)
    }

    /// The unit after a number, with its divisor.
    pub(super) fn unit(&self, at: usize) -> Option<ParsedUnit> {
        let unit = self.plain_unit(at)?;
        let unit = self.divided(&unit).unwrap_or(unit);
        Some(self.with_share(unit))
    }

    /// A percentage with what it is a share of: `% by mass`.
    fn with_share(&self, unit: ParsedUnit) -> ParsedUnit {
        if !matches!(unit.ucum.as_deref(), Some("%" | "[ppm]" | "[ppth]")) {
            return unit;
        }
        let Some(rest) = self.lower[unit.range.end..].strip_prefix([' ', '\u{a0}']) else { return unit };
        for share in &self.table.by_share {
            if let Some(behind) = rest.strip_prefix(share.as_str())
                && !behind.starts_with(char::is_alphanumeric)
            {
                let end = self.lower.len() - behind.len();
                return ParsedUnit { range: unit.range.start..end, ucum: unit.ucum };
            }
        }
        unit
    }

    /// `litres per minute`, `g per 100 g`, `kN per strand`, `mSv im Jahr`.
    fn divided(&self, unit: &ParsedUnit) -> Option<ParsedUnit> {
        let rest = &self.lower[unit.range.end..];
        if let Some(divisor) = rest.strip_prefix('/') {
            return self.divided_by(unit, self.text.len() - divisor.len(), true);
        }
        if let Some(divisor) = behind_blank_and_word(rest, &self.table.per) {
            return self.divided_by(unit, self.text.len() - divisor.len(), false);
        }
        let divisor = behind_blank_and_word(rest, &self.table.per_time)?;
        self.divided_by_time(unit, self.text.len() - divisor.len())
    }

    /// A unit with the divisor that begins at this byte: a unit, an amount of one, or what is counted.
    fn divided_by(&self, unit: &ParsedUnit, start: usize, by_slash: bool) -> Option<ParsedUnit> {
        if let Some(number) = number_at(self.text, start, self.digits()) {
            // “5 mm/6 mm” are two values.
            let is_power_of_ten = self.text[number.range.clone()].trim_end_matches('0') == "1";
            if by_slash && !is_power_of_ten {
                return None;
            }
            let of = self.plain_unit(number.range.end)?;
            return Some(ParsedUnit { range: unit.range.start..of.range.end, ucum: None });
        }
        if let Some(of) = unit_at(self.text, start, &self.table.units) {
            return Some(quotient(unit, &of));
        }
        let end = self.word_end(start);
        self.is_counted_noun(start, end).then_some(ParsedUnit { range: unit.range.start..end, ucum: None })
    }

    /// A unit with the unit of time that begins at this byte: “mSv im Jahr”, not “im Jahr 2020”.
    fn divided_by_time(&self, unit: &ParsedUnit, start: usize) -> Option<ParsedUnit> {
        let of = unit_at(self.text, start, &self.table.units)?;
        let (base, _) = size(of.ucum.as_deref()?)?;
        let is_dated = self.text[of.range.end..].trim_start().starts_with(|c: char| c.is_ascii_digit());
        (base == "s" && !is_dated).then(|| quotient(unit, &of))
    }

    /// True if a word names what is counted: “kN per strand”.
    fn is_counted_noun(&self, start: usize, end: usize) -> bool {
        const SHORTEST: usize = 3;
        let word = &self.lower[start..end];
        let is_listed = has(&self.table.labels, word)
            || has(&self.table.function_words, word)
            || has(&self.table.per_phrases, word);
        if is_listed || word.len() < SHORTEST {
            return false;
        }
        let printed = &self.text[start..end];
        // Without endings of plurals, nouns of the language are known by their capital.
        let is_noun = printed.starts_with(char::is_uppercase) == self.table.plurals.is_empty();
        is_noun && printed.chars().all(char::is_alphabetic)
    }

    /// The unit after a number: directly, after a blank or a hyphen, or after the bracket that closes.
    fn plain_unit(&self, at: usize) -> Option<ParsedUnit> {
        let rest = &self.text[at..];
        let is_hyphenated = rest.starts_with(['-', '\u{2011}']);
        let behind =
            rest.strip_prefix([' ', '\u{a0}', '\u{202f}', '\u{2009}', '-', '\u{2011}']).unwrap_or(rest);
        let unit = unit_at(self.text, self.text.len() - behind.len(), &self.table.units)?;
        let after = &self.text[unit.range.end..];
        // “degrees of freedom”
        if after.starts_with(" of freedom") || after.starts_with(" de liberté") {
            return None;
        }
        // “3-A-12”
        let is_symbol = unit.range.len() < 3;
        if is_hyphenated && is_symbol && after.starts_with('-') {
            return None;
        }
        Some(unit)
    }

    /// The end of the word around this byte.
    pub(super) fn word_end(&self, at: usize) -> usize {
        let rest = &self.text[at..];
        at + rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len())
    }
}

/// A unit divided by another one.
fn quotient(unit: &ParsedUnit, of: &ParsedUnit) -> ParsedUnit {
    let ucum = match (&unit.ucum, &of.ucum) {
        (Some(unit), Some(of)) => Some([unit.as_str(), of.as_str()].join("/")),
        _ => None,
    };
    ParsedUnit { range: unit.range.start..of.range.end, ucum }
}

/// The text behind a blank, one of some words and another blank.
fn behind_blank_and_word<'t>(text: &'t str, words: &[String]) -> Option<&'t str> {
    behind_word(text.strip_prefix(' ')?, words)
}

/// The text behind one of some words and a blank.
pub(super) fn behind_word<'t>(text: &'t str, words: &[String]) -> Option<&'t str> {
    for word in words {
        if let Some(rest) = text.strip_prefix(word.as_str())
            && let Some(rest) = rest.strip_prefix(' ')
        {
            return Some(rest);
        }
    }
    None
}
