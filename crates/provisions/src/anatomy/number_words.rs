//! Numbers as words: a grammar over the words of a language, below a million and with halves.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::numbers::is_blank;

/// The words of a language for numbers, in lower case.
#[derive(Debug, Default, Deserialize)]
#[serde(from = "WordTable")]
pub(crate) struct NumberWords {
    table: WordTable,
    /// First words of all that is read, so that other words are passed over.
    starters: BTreeSet<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct WordTable {
    /// The words for numbers below twenty, with their values.
    small: BTreeMap<String, u64>,
    /// Words of the tens from twenty on.
    tens: BTreeMap<String, u64>,
    hundred: BTreeSet<String>,
    thousand: BTreeSet<String>,
    dozen: BTreeSet<String>,
    /// Words before a hundred, a thousand or a dozen that count one of them: `a`.
    one_of: BTreeSet<String>,
    /// Words between the parts of a number: `and`.
    joints: BTreeSet<String>,
    /// The joint of tens and hundreds in one word, in a language that writes them so: `und`.
    compound: Option<String>,
    /// True if tens may be counted: `quatre-vingt-dix`.
    twenties: bool,
    /// Phrases for values that are not whole: `half an`.
    parts: BTreeMap<String, String>,
    /// Words behind a number that add a half: `and a half`.
    and_half: Vec<String>,
}

impl From<WordTable> for NumberWords {
    fn from(table: WordTable) -> Self {
        let mut starters = BTreeSet::new();
        for words in [&table.hundred, &table.thousand, &table.dozen, &table.one_of] {
            starters.extend(words.iter().cloned());
        }
        starters.extend(table.small.keys().cloned());
        starters.extend(table.tens.keys().cloned());
        for phrase in table.parts.keys() {
            let first = phrase.split([' ', '-']).next().unwrap_or_default();
            starters.insert(first.to_owned());
        }
        Self { table, starters }
    }
}

/// A number of which some words are read.
#[derive(Clone, Copy, Default)]
struct WordNumber {
    /// Thousands that are complete.
    total: u64,
    /// The words since then.
    group: u64,
    /// True behind a word that counts one of what follows: `a`.
    counts_one: bool,
}

impl NumberWords {
    /// True if a word may begin a number.
    pub(super) fn may_begin(&self, word: &str) -> bool {
        self.starters.contains(word) || self.compound(word).is_some()
    }

    /// The number as words that begins at this byte, as a decimal string, and its end.
    pub(super) fn read(&self, text: &str, at: usize) -> Option<(String, usize)> {
        let word = word_at(text, at).to_lowercase();
        if !self.may_begin(&word) {
            return None;
        }
        if let Some(found) = self.part(text, at) {
            return Some(found);
        }
        let (value, end) = match self.compound(&word) {
            Some(value) => (value, at + word_at(text, at).len()),
            None => self.whole(text, at)?,
        };
        match self.table.and_half.iter().find_map(|half| strip(&text[end..], half)) {
            Some(rest) => Some((format!("{value}.5"), text.len() - rest.len())),
            None => Some((value.to_string(), end)),
        }
    }

    /// The length of words behind a unit that add a half to the number before it: `et demie`.
    pub(super) fn half_behind(&self, text: &str) -> Option<usize> {
        let rest = self.table.and_half.iter().find_map(|half| strip(text, half))?;
        Some(text.len() - rest.len())
    }

    /// A phrase for a value that is not whole: `half an`.
    fn part(&self, text: &str, at: usize) -> Option<(String, usize)> {
        let rest = &text[at..];
        let mut longest: Option<(&str, usize)> = None;
        for (phrase, value) in &self.table.parts {
            let Some(head) = rest.get(..phrase.len()) else { continue };
            let ends = phrase.ends_with('-') || !rest[phrase.len()..].starts_with(char::is_alphanumeric);
            if !ends || head.to_lowercase() != *phrase {
                continue;
            }
            if longest.is_none_or(|(_, length)| length < phrase.len()) {
                longest = Some((value, phrase.len()));
            }
        }
        let (value, length) = longest?;
        // “une demi-heure”: the unit follows the hyphen.
        let length = if rest[..length].ends_with('-') { length - 1 } else { length };
        Some((value.to_owned(), at + length))
    }

    /// Words of a number that are parted by blanks or hyphens.
    fn whole(&self, text: &str, at: usize) -> Option<(u64, usize)> {
        let mut number = WordNumber::default();
        let mut at = at;
        let mut end = None;
        loop {
            let word = word_at(text, at);
            let behind_word = at + word.len();
            let lower = word.to_lowercase();
            if end.is_none() && self.counts_one(&lower) {
                number.counts_one = true;
            } else if self.table.dozen.contains(&lower) {
                return Some((number.group.max(1) * 12, behind_word));
            } else if self.add(&lower, &mut number) {
                end = Some(behind_word);
            } else {
                break;
            }
            let Some(gap) = text[behind_word..].chars().next() else { break };
            if !is_blank(gap) && gap != '-' {
                break;
            }
            at = behind_word + gap.len_utf8();
            // “hundred and five”, “vingt et un”
            let joint = word_at(text, at);
            if !number.counts_one && self.table.joints.contains(&joint.to_lowercase()) {
                let Some(behind) = self.joined(text, at + joint.len() + 1, number.group) else { break };
                at = behind;
            }
            // “a hundred five”: `a` counts the hundred only.
            number.counts_one &= end.is_none();
        }
        Some((number.total + number.group, end?))
    }

    /// True if a word counts one hundred, thousand or dozen behind it, and is not a number itself.
    fn counts_one(&self, word: &str) -> bool {
        self.table.one_of.contains(word) && !self.table.small.contains_key(word)
    }

    /// Adds the next word of a number; returns false for a word that does not go on with it.
    fn add(&self, word: &str, number: &mut WordNumber) -> bool {
        let table = &self.table;
        let WordNumber { total, group, counts_one } = *number;
        if let Some(value) = table.small.get(word) {
            if counts_one || !self.attaches(group, *value) {
                return false;
            }
            number.group += value;
            return true;
        }
        if let Some(value) = table.tens.get(word) {
            let is_quatre_vingt = table.twenties && *value == 20 && group % 100 == 4;
            if is_quatre_vingt {
                number.group += 76;
                return true;
            }
            if counts_one || group % 100 != 0 {
                return false;
            }
            number.group += value;
            return true;
        }
        // A language with twenties has `cent` and `mille` without a word that counts them.
        let is_counted = group > 0 || counts_one || table.twenties;
        if table.hundred.contains(word) && is_counted && group < 20 {
            number.group = group.max(1) * 100;
            return true;
        }
        if table.thousand.contains(word) && is_counted && total == 0 {
            number.total = group.max(1) * 1000;
            number.group = 0;
            return true;
        }
        false
    }

    /// The byte behind a joint, if a part of the number follows there that the joint may add to a group.
    fn joined(&self, text: &str, behind: usize, group: u64) -> Option<usize> {
        text.get(behind..)?;
        let word = word_at(text, behind).to_lowercase();
        let value = self.table.small.get(&word).or_else(|| self.table.tens.get(&word))?;
        let is_ten = group.is_multiple_of(10) && !group.is_multiple_of(100);
        let may_join = if self.table.twenties { is_ten } else { group.is_multiple_of(100) };
        (may_join && self.attaches(group, *value)).then_some(behind)
    }

    /// True if a small number goes on with a group: 40 with 2, not 42 with 3.
    fn attaches(&self, group: u64, value: u64) -> bool {
        let rest = group % 100;
        if value < 10 {
            // “soixante-dix-sept”
            if self.table.twenties && value > 6 && matches!(rest, 10 | 70 | 90) {
                return true;
            }
            return rest.is_multiple_of(10) && rest != 10;
        }
        // “soixante-douze”
        if self.table.twenties && value < 20 && matches!(rest, 60 | 80) {
            return true;
        }
        rest == 0
    }

    /// A number in one word: `einhundertachtzig`.
    fn compound(&self, word: &str) -> Option<u64> {
        let joint = self.table.compound.as_deref()?;
        // Most words are not such numbers.
        let may_be = ["hundert", "tausend", "zig", "ßig"].iter().any(|part| word.contains(part));
        if !may_be {
            return None;
        }
        let thousand = self.table.thousand.iter().find_map(|thousand| word.split_once(thousand.as_str()));
        let Some((count, rest)) = thousand else { return self.below_thousand(word, joint) };
        let count = if count.is_empty() { 1 } else { self.below_thousand(count, joint)? };
        let rest = if rest.is_empty() {
            0
        } else {
            self.below_thousand(rest.strip_prefix(joint).unwrap_or(rest), joint)?
        };
        Some(count * 1000 + rest)
    }

    fn below_thousand(&self, word: &str, joint: &str) -> Option<u64> {
        let hundred = self.table.hundred.iter().find_map(|hundred| word.split_once(hundred.as_str()));
        let Some((count, rest)) = hundred else { return self.below_hundred(word, joint) };
        let count = if count.is_empty() { 1 } else { self.below_hundred(count, joint)? };
        let rest = if rest.is_empty() {
            0
        } else {
            self.below_hundred(rest.strip_prefix(joint).unwrap_or(rest), joint)?
        };
        Some(count * 100 + rest)
    }

    fn below_hundred(&self, word: &str, joint: &str) -> Option<u64> {
        let WordTable { small, tens, .. } = &self.table;
        if let Some(value) = small.get(word).or_else(|| tens.get(word)) {
            return Some(*value);
        }
        // “einundzwanzig”
        let (units, ten) = word.split_once(joint)?;
        let units = *small.get(units)?;
        if units < 10 { Some(units + tens.get(ten)?) } else { None }
    }
}

/// The letters that begin at this byte.
fn word_at(text: &str, at: usize) -> &str {
    let rest = &text[at..];
    &rest[..rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len())]
}

/// The text behind a phrase with which it begins, after a blank.
fn strip<'t>(text: &'t str, phrase: &str) -> Option<&'t str> {
    let rest = text.strip_prefix(is_blank)?.strip_prefix(phrase)?;
    (!rest.starts_with(char::is_alphanumeric)).then_some(rest)
}

#[cfg(test)]
mod tests {
    use norma_model::Lang;

    use crate::anatomy::Anatomy;

    #[test]
    fn words_for_numbers_below_a_million_are_read() {
        for (code, text, value, rest) in [
            ("en", "five", "5", ""),
            ("en", "twenty-eight", "28", ""),
            ("en", "one hundred and eighty days", "180", " days"),
            ("en", "a hundred", "100", ""),
            ("en", "two thousand five hundred kg", "2500", " kg"),
            ("en", "nine hundred and ninety-nine thousand", "999000", ""),
            ("en", "half an hour", "0.5", " hour"),
            ("en", "two and a half hours", "2.5", " hours"),
            ("en", "a dozen", "12", ""),
            ("en", "three and four", "3", " and four"),
            ("de", "einundzwanzig", "21", ""),
            ("de", "zweitausendfünfhundert", "2500", ""),
            ("de", "einhundertachtzig Tage", "180", " Tage"),
            ("de", "eine halbe Stunde", "0.5", " Stunde"),
            ("de", "anderthalb Stunden", "1.5", " Stunden"),
            ("fr", "vingt et un", "21", ""),
            ("fr", "quatre-vingt-dix-sept", "97", ""),
            ("fr", "soixante et onze", "71", ""),
            ("fr", "deux mille cinq cents", "2500", ""),
            ("fr", "cent quatre-vingts jours", "180", " jours"),
            ("fr", "une demi-heure", "0.5", "-heure"),
        ] {
            let language: Lang = code.parse().unwrap();
            let words = &Anatomy::of(&language).unwrap().quantities.numbers;
            let (found, end) = words.read(text, 0).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((&*found, &text[end..]), (value, rest), "{text}");
        }
    }
}
