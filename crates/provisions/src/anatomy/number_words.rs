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
    /// Words below twenty.
    small: BTreeMap<String, u64>,
    /// Words of the tens from twenty on.
    tens: BTreeMap<String, u64>,
    hundred: Vec<String>,
    thousand: Vec<String>,
    dozen: Vec<String>,
    /// Words before a hundred, a thousand or a dozen that count one of them: `a`.
    one_of: Vec<String>,
    /// Words between the parts of a number: `and`.
    joints: Vec<String>,
    /// The joint of tens and hundreds in one word, in a language that writes them so: `und`.
    compound: Option<String>,
    /// Whether tens may be counted: `quatre-vingt-dix`.
    twenties: bool,
    /// Phrases for values that are not whole: `half an`.
    parts: BTreeMap<String, String>,
    /// Words behind a number that add a half: `and a half`.
    and_half: Vec<String>,
}

impl From<WordTable> for NumberWords {
    fn from(table: WordTable) -> Self {
        let first = |phrase: &String| phrase.split([' ', '-']).next().unwrap_or_default().to_owned();
        let lists = [&table.hundred, &table.thousand, &table.dozen, &table.one_of];
        let words = lists.into_iter().flatten().chain(table.small.keys()).chain(table.tens.keys());
        let starters = words.cloned().chain(table.parts.keys().map(first)).collect();
        Self { table, starters }
    }
}

impl NumberWords {
    /// Whether a word may begin a number.
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

    /// Whether the words behind a unit add a half to its number, and their length: `et demie`.
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
            if head.to_lowercase() == *phrase
                && ends
                && longest.is_none_or(|(_, length)| length < phrase.len())
            {
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
        let table = &self.table;
        let (mut total, mut group) = (0, 0);
        let mut at = at;
        let mut end = None;
        let mut counts_one = false;
        loop {
            let word = word_at(text, at);
            let lower = word.to_lowercase();
            if end.is_none() && table.one_of.contains(&lower) && !table.small.contains_key(&lower) {
                counts_one = true;
            } else if let Some(value) = table.small.get(&lower) {
                if counts_one || !self.attaches(group, *value) {
                    break;
                }
                group += value;
                end = Some(at + word.len());
            } else if let Some(value) = table.tens.get(&lower) {
                if table.twenties && *value == 20 && group % 100 == 4 {
                    group += 76;
                } else if group % 100 == 0 && !counts_one {
                    group += value;
                } else {
                    break;
                }
                end = Some(at + word.len());
            } else if table.hundred.contains(&lower) {
                if group >= 20 || group == 0 && !counts_one && !table.twenties {
                    break;
                }
                group = group.max(1) * 100;
                end = Some(at + word.len());
            } else if table.thousand.contains(&lower) {
                if total > 0 || group == 0 && !counts_one && !table.twenties {
                    break;
                }
                total = group.max(1) * 1000;
                group = 0;
                end = Some(at + word.len());
            } else if table.dozen.contains(&lower) {
                return Some((group.max(1) * 12, at + word.len()));
            } else {
                break;
            }
            let next = at + word.len();
            let Some(gap) = text[next..].chars().next().filter(|c| is_blank(*c) || *c == '-') else { break };
            at = next + gap.len_utf8();
            // “hundred and five”, “vingt et un”
            let joint = word_at(text, at);
            if !counts_one && table.joints.contains(&joint.to_lowercase()) {
                let behind = at + joint.len() + 1;
                let follows = text.get(behind..).map_or("", |_| word_at(text, behind)).to_lowercase();
                let value = table.small.get(&follows).or_else(|| table.tens.get(&follows)).copied();
                let ten = group % 10 == 0 && group % 100 > 0;
                let may_join = if table.twenties { ten } else { group % 100 == 0 };
                if !may_join || value.is_none_or(|value| !self.attaches(group, value)) {
                    break;
                }
                at = behind;
            }
            counts_one &= end.is_none();
        }
        Some((total + group, end?))
    }

    /// Whether a small number goes on with a group: 40 with 2, not 42 with 3.
    fn attaches(&self, group: u64, value: u64) -> bool {
        let rest = group % 100;
        let twenties = self.table.twenties;
        match value {
            0..10 => {
                rest.is_multiple_of(10) && rest != 10 || twenties && matches!(rest, 10 | 70 | 90) && value > 6
            }
            _ => rest == 0 || twenties && matches!(rest, 60 | 80) && value < 20,
        }
    }

    /// A number in one word: `einhundertachtzig`.
    fn compound(&self, word: &str) -> Option<u64> {
        let joint = self.table.compound.as_deref()?;
        // Most words are not such numbers.
        let may_be = ["hundert", "tausend", "zig", "ßig"].iter().any(|part| word.contains(part));
        if !may_be {
            return None;
        }
        let below = |word: &str| self.below_hundred(word, joint);
        let hundreds = |word: &str| -> Option<u64> {
            let Some((count, rest)) =
                self.table.hundred.iter().find_map(|hundred| word.split_once(hundred.as_str()))
            else {
                return below(word);
            };
            let count = if count.is_empty() { 1 } else { below(count)? };
            let rest = if rest.is_empty() { 0 } else { below(rest.strip_prefix(joint).unwrap_or(rest))? };
            Some(count * 100 + rest)
        };
        let thousand = self.table.thousand.iter().find_map(|thousand| word.split_once(thousand.as_str()));
        let Some((count, rest)) = thousand else { return hundreds(word) };
        let count = if count.is_empty() { 1 } else { hundreds(count)? };
        let rest = if rest.is_empty() { 0 } else { hundreds(rest.strip_prefix(joint).unwrap_or(rest))? };
        Some(count * 1000 + rest)
    }

    fn below_hundred(&self, word: &str, joint: &str) -> Option<u64> {
        let table = &self.table;
        table.small.get(word).or_else(|| table.tens.get(word)).copied().or_else(|| {
            let (units, tens) = word.split_once(joint)?;
            Some(table.small.get(units).filter(|units| **units < 10)? + table.tens.get(tens)?)
        })
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
