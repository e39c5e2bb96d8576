//! Numbers without a unit: what they count, and which of them number or label something.

use super::QuantityScan;
use super::comparison_table::has;
use crate::anatomy::numbers::Number;

/// Most words between a number and its noun: “three clean dry bags”.
const WORDS_BEFORE_NOUN: usize = 3;

impl QuantityScan<'_> {
    /// True if a word behind a number makes it a part of a fraction: “one third”.
    pub(super) fn is_fraction(&self, end: usize) -> bool {
        let rest = self.lower[end..].trim_start_matches([' ', '-', '\u{a0}']);
        has(&self.table.fractions, first_letters(rest))
    }

    /// True if letters or digits are directly behind a number, or behind a hyphen: “5A”, “5-A”.
    pub(super) fn is_glued(&self, end: usize) -> bool {
        let mut rest = self.text[end..].chars();
        let Some(next) = rest.next() else { return false };
        if matches!(next, '-' | '\u{2011}') {
            return rest.next().is_some_and(char::is_alphanumeric);
        }
        next.is_alphanumeric() || next == '_'
    }

    /// True if a number is a label or a name: “line 3”, “The ice class shall be 1A”.
    pub(super) fn is_labelled(&self, at: usize, number: &Number) -> bool {
        let before = self.lower[..at].trim_end();
        if Self::ends_with_one(before, &self.table.labels) {
            return true;
        }
        if !number.word && before.ends_with(['“', '"', '«']) {
            return true;
        }
        let behind = &self.text[number.range.end..];
        if !behind.starts_with(char::is_alphabetic) {
            return false;
        }
        // “The ice class shall be 1A” names a class.
        let span = self.span(&number.range);
        let noun = self.grammar().noun_before_copula(span.start, self.words.led);
        if noun.is_some_and(|noun| self.table.is_label(noun)) {
            return true;
        }
        // “The class of the crate shall be 2A” names one too; “2A” of a current is written “2 A”.
        let mut signs = behind.chars();
        let is_capital = signs.next().is_some_and(char::is_uppercase);
        if !is_capital || signs.next().is_some_and(char::is_alphanumeric) {
            return false;
        }
        self.grammar().clause_has(span, self.words.led, |word| self.table.is_label(word))
    }

    /// True if a month follows a number: “30 June”, “30. Juni”.
    pub(super) fn is_date(&self, end: usize) -> bool {
        let rest = self.lower[end..].trim_start_matches(['.', ' ', '\u{a0}']);
        has(&self.table.months, first_letters(rest))
    }

    /// True if the text before a number is another one in a ratio to it: “1 in 20”.
    pub(super) fn is_ratio(&self, before: &str) -> bool {
        for word in &self.table.ratio {
            if let Some(rest) = before.strip_suffix(word.as_str())
                && let Some(first) = rest.strip_suffix(' ')
                && first.ends_with(|c: char| c.is_ascii_digit())
            {
                return true;
            }
        }
        false
    }

    /// True if a unit with an adjective is counted.
    pub(super) fn has_unit_of_a_kind(&self, end: usize) -> bool {
        const SHORTEST_NAME: usize = 3;
        let mut words = self.lower[end..].split([' ', '\u{a0}']).skip(1);
        let (Some(adjective), Some(unit)) = (words.next(), words.next()) else { return false };
        let is_word = adjective.chars().all(char::is_alphabetic);
        if !is_word || has(&self.table.function_words, adjective) {
            return false;
        }
        let unit = unit.trim_end_matches([',', '.', ';', ':', ')']);
        unit.len() >= SHORTEST_NAME && self.table.units.contains_key(unit)
    }

    /// True if a number without a unit counts the following words: “three specimens”, “22 SI units”.
    pub(super) fn is_count(&self, number: &Number, before: &str) -> bool {
        let Some(value) = &number.value else { return false };
        let Ok(value @ 2..) = value.parse::<u32>() else { return false };
        let rest = &self.text[number.range.end..];
        if !rest.starts_with([' ', '\u{a0}']) {
            return false;
        }
        let is_year = (1900..2100).contains(&value);
        if !number.word && (is_year || self.is_behind_designator(before)) {
            return false;
        }
        if Self::ends_with_one(before, &self.table.alternatives) {
            return false;
        }
        // “for two bicycles” limits nothing.
        if Self::ends_with_one(before, &self.table.beneficiaries) {
            return false;
        }
        for word in rest.split_whitespace().take(WORDS_BEFORE_NOUN) {
            let bare = word.trim_end_matches([',', '.', ';', ':', ')', '”']);
            let is_word = bare.chars().all(|c| c.is_alphabetic() || matches!(c, '-' | '’' | '\''));
            if bare.is_empty() || !is_word {
                return false;
            }
            let lower = bare.to_lowercase();
            if self.table.function_words.contains(&lower) {
                return false;
            }
            if self.is_counted(bare, &lower) {
                return true;
            }
            // A mark ends the phrase.
            if bare.len() < word.len() {
                return false;
            }
        }
        false
    }

    /// True if the word before a number has a capital, as a name that the number belongs to: “PVC 2”. The
    /// first word of a sentence has one anyway, and “A” may be an article.
    fn is_behind_designator(&self, before: &str) -> bool {
        let word = before.rsplit(char::is_whitespace).next().unwrap_or_default();
        let is_first = before.len() == word.len();
        let printed = &self.text[before.len() - word.len()..before.len()];
        if is_first || printed == "A" {
            return false;
        }
        printed.chars().any(char::is_uppercase)
    }

    /// True if a word is a noun that can be counted: by the ending of its plural, or in a language without
    /// such endings by its capital.
    fn is_counted(&self, word: &str, lower: &str) -> bool {
        const SHORTEST_PLURAL: usize = 4;
        let plurals = &self.table.plurals;
        if plurals.is_empty() {
            return word.starts_with(char::is_uppercase);
        }
        let has_ending = plurals.iter().any(|ending| lower.ends_with(ending.as_str()));
        word.len() >= SHORTEST_PLURAL && has_ending
    }

    /// True if a hyphen continues after the unit: “a one-day-old sample”.
    pub(super) fn is_attributive(&self, end: usize) -> bool {
        self.text[end..].starts_with('-')
    }
}

/// The letters with which a text begins.
fn first_letters(text: &str) -> &str {
    &text[..text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len())]
}
