//! Numbers without a unit: what they count, and which of them number or label something.

use super::QuantityScan;
use crate::anatomy::numbers::Number;

/// Most words between a number and its noun: “three clean dry bags”.
const WORDS_BEFORE_NOUN: usize = 3;

impl QuantityScan<'_> {
    pub(super) fn is_fraction(&self, end: usize) -> bool {
        let rest = self.lower[end..].trim_start_matches([' ', '-', '\u{a0}']);
        let word = &rest[..rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len())];
        self.table.fractions.iter().any(|fraction| fraction == word)
    }

    pub(super) fn is_glued(&self, end: usize) -> bool {
        let mut rest = self.text[end..].chars();
        let (next, second) = (rest.next(), rest.next());
        next.is_some_and(|c| c.is_alphanumeric() || c == '_')
            || matches!(next, Some('-' | '\u{2011}')) && second.is_some_and(char::is_alphanumeric)
    }

    pub(super) fn is_labelled(&self, at: usize, number: &Number) -> bool {
        let before = &self.lower[..at];
        let trimmed = before.trim_end();
        let label = self.table.labels.iter().any(|label| Self::ends_with(trimmed, label));
        // “The ice class shall be 1A” names a class.
        let behind = &self.text[number.range.end..];
        let is_glued = behind.starts_with(char::is_alphabetic);
        let span = self.span(&number.range);
        let of_subject = self.grammar().noun_before_copula(span.start, self.words.led);
        let label = label || is_glued && of_subject.is_some_and(|noun| self.table.is_label(noun));
        // “The class of the crate shall be 2A” names one too; “2A” of a current is written “2 A”.
        let is_class = || {
            let mut signs = behind.chars();
            signs.next().is_some_and(char::is_uppercase)
                && !signs.next().is_some_and(char::is_alphanumeric)
                && self.grammar().clause_has(span, self.words.led, |word| self.table.is_label(word))
        };
        let label = label || is_class();
        let named =
            trimmed.ends_with(['“', '"', '«', '=']) && !number.word && trimmed.ends_with(['“', '"', '«']);
        label || named
    }

    /// Whether a month follows a number: “30 June”, “30. Juni”.
    pub(super) fn is_date(&self, end: usize) -> bool {
        let rest = self.lower[end..].trim_start_matches(['.', ' ', '\u{a0}']);
        let word = &rest[..rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len())];
        self.table.months.iter().any(|month| month == word)
    }

    /// Whether the text before a number is another one in a ratio to it: “1 in 20”.
    pub(super) fn is_ratio(&self, before: &str) -> bool {
        self.table.ratio.iter().any(|word| {
            let first = before.strip_suffix(word.as_str()).and_then(|rest| rest.strip_suffix(' '));
            first.is_some_and(|first| first.ends_with(|c: char| c.is_ascii_digit()))
        })
    }

    /// Whether a unit with an adjective is counted.
    pub(super) fn has_unit_of_a_kind(&self, end: usize) -> bool {
        let mut words = self.lower[end..].split([' ', '\u{a0}']).skip(1).take(WORDS_BEFORE_NOUN);
        let plain = |word: &&str| word.chars().all(char::is_alphabetic);
        words
            .next()
            .is_some_and(|first| plain(&first) && !self.table.function_words.iter().any(|w| w == first))
            && words.next().is_some_and(|word| {
                let word = word.trim_end_matches([',', '.', ';', ':', ')']);
                word.len() > 2 && self.table.units.contains_key(word)
            })
    }

    /// Whether a number without a unit counts the following words: “three specimens”, “22 SI units”.
    pub(super) fn is_count(&self, number: &Number, before: &str) -> bool {
        let Some(value) = number.value.as_deref().and_then(|value| value.parse::<u32>().ok()) else {
            return false;
        };
        let year = !number.word && (1900..2100).contains(&value);
        let designator = !number.word
            && before.rsplit(char::is_whitespace).next().is_some_and(|word| {
                let own = &self.text[before.len() - word.len()..before.len()];
                let letter = own.len() == 1 && own != "A" && before.len() > 1;
                (own.len() > 1 || letter) && own.chars().any(char::is_uppercase) && before.len() > word.len()
            });
        let rest = &self.text[number.range.end..];
        // “for two bicycles” limits nothing.
        let alternatives = self.table.alternatives.iter().chain(&self.table.beneficiaries);
        let alternative = alternatives.into_iter().any(|word| Self::ends_with(before, word));
        if value < 2 || alternative || year || designator || !rest.starts_with([' ', '\u{a0}']) {
            return false;
        }
        for word in rest.split_whitespace().take(WORDS_BEFORE_NOUN) {
            let bare = word.trim_end_matches([',', '.', ';', ':', ')', '”']);
            let plain = bare.chars().all(|c| c.is_alphabetic() || matches!(c, '-' | '’' | '\''));
            let lower = bare.to_lowercase();
            if !plain || bare.is_empty() || self.table.function_words.contains(&lower) {
                return false;
            }
            let noun = match self.table.plurals.is_empty() {
                true => bare.starts_with(char::is_uppercase),
                false => {
                    bare.len() > 3 && self.table.plurals.iter().any(|ending| lower.ends_with(ending.as_str()))
                }
            };
            if noun {
                return true;
            }
            if bare.len() < word.len() {
                return false;
            }
        }
        false
    }

    /// Whether a hyphen continues after the unit: “a one-day-old sample”.
    pub(super) fn is_attributive(&self, end: usize) -> bool {
        self.text[end..].starts_with('-')
    }
}
