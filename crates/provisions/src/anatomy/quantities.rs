//! Quantities of a sentence: values with units, limits, ranges and tolerances, and counts, as far as they are certain.

use std::collections::BTreeMap;
use std::ops::Range;

use norma_model::Comparator;
use serde::Deserialize;

use super::numbers::{Number, number_at};
use super::units::{Unit, unit_at};

/// The words of a language around numbers.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct QuantityTable {
    /// Numbers as words.
    numbers: BTreeMap<String, u32>,
    /// The sign that may part thousands, where a decimal sign looks the same.
    thousands: Option<char>,
    /// Names of units and their codes in UCUM, empty where there is none.
    units: BTreeMap<String, String>,
    /// Words directly before a number or range, by what they make of it.
    before: BTreeMap<Kind, Vec<String>>,
    /// Words directly after a number and its unit.
    after: BTreeMap<Kind, Vec<String>>,
    /// Words that turn `above` into `at most`.
    negations: Vec<String>,
    /// What joins the ends of a range without a word before it: `5 m to 10 m`.
    to: Vec<String>,
    /// Words before a range, each with the word between its ends: `between … and`.
    ranges: Vec<[String; 2]>,
    /// Words before a number that is not a quantity: `line 3`.
    labels: Vec<String>,
    /// Words that end the search for the plural that a number counts: `of`, `is`.
    function_words: Vec<String>,
    /// Words before a limit that needs a unit: `within`.
    durations: Vec<String>,
    /// Words after a number that make it part of a fraction: `one third`.
    fractions: Vec<String>,
    /// Words before a number that make it one of several: `one or two bags`.
    alternatives: Vec<String>,
    /// Endings of plurals; empty: nouns are known by their capital.
    plurals: Vec<String>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    LessThan,
    AtMost,
    AtLeast,
    MoreThan,
    About,
    Nearest,
}

/// A quantity by bytes of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) comparator: Comparator,
    pub(super) value: String,
    pub(super) upper: Option<String>,
    pub(super) unit: Option<Unit>,
    pub(super) tolerance: Option<String>,
    /// From the first number to the end of the last unit or number.
    pub(super) range: Range<usize>,
}

/// How many quantities of a text are listed; a sentence with more is a table set as text.
const MOST: usize = 128;
/// How many words before a limit its negation may be: “shall not be stored below 5 °C”.
const NEGATION_REACH: usize = 4;
/// How many words after a number its noun may be: “three clean dry bags”.
const NOUN_REACH: usize = 3;

struct Scan<'a> {
    text: &'a str,
    /// The text in lower case, byte for byte.
    lower: &'a str,
    table: &'a QuantityTable,
}

/// The quantities of a text, which is also given in lower case, in order; no number in an excluded stretch (a reference) is one.
pub(super) fn quantities(
    text: &str,
    lower: &str,
    excluded: &[Range<usize>],
    table: &QuantityTable,
) -> Vec<Found> {
    let scan = Scan { text, lower, table };
    let mut found = Vec::new();
    let mut at = 0;
    let mut previous = ' ';
    let mut excluded = excluded.iter().peekable();
    while let Some(c) = text[at..].chars().next().filter(|_| found.len() < MOST) {
        let begins = !(previous.is_alphanumeric() || "._,^:/#§‑\u{2011}".contains(previous));
        let signed =
            matches!(c, '−' | '-') && text[at + c.len_utf8()..].starts_with(|c: char| c.is_ascii_digit());
        while excluded.next_if(|range| range.end <= at).is_some() {}
        if let Some(skipped) = excluded.peek().filter(|range| range.contains(&at)) {
            at = skipped.end.max(at + c.len_utf8());
            previous = text[..at].chars().next_back().unwrap_or(' ');
            continue;
        }
        if begins && (c.is_alphanumeric() || signed && previous != ')') && !self::hyphenated(text, at) {
            let (quantity, end) = scan.quantity(at);
            found.extend(quantity);
            at = end.max(at + c.len_utf8());
        } else {
            at += c.len_utf8();
        }
        previous = text[..at].chars().next_back().unwrap_or(' ');
    }
    found
}

impl<'a> Scan<'a> {
    /// The quantity whose first number begins at this byte, and where to read on.
    fn quantity(&self, at: usize) -> (Option<Found>, usize) {
        let Some(first) = self.number(at) else { return (None, self.word_end(at)) };
        let end = first.range.end.max(self.word_end(at));
        let Some(value) = first.value.clone().filter(|_| !self.is_fraction(first.range.end)) else {
            return (None, end);
        };
        let before = self.before(at);
        let mut found = Found {
            comparator: Comparator::Equal,
            value,
            upper: None,
            unit: self.unit(first.range.end),
            tolerance: None,
            range: at..first.range.end,
        };
        found.range.end = found.unit.as_ref().map_or(first.range.end, |unit| unit.range.end);
        if found.unit.is_none() && self.is_glued(first.range.end) {
            return (None, end);
        }
        // After a label a letter is not a unit: “type 3 A”.
        if self.is_labelled(at, &first) && !(found.unit.is_some() && found.range.end > first.range.end + 1) {
            return (None, end);
        }
        if self.range(&mut found, before) || self.tolerance(&mut found) {
            let end = found.range.end;
            return (Some(found).filter(|found| found.unit.is_some() || found.upper.is_some()), end);
        }
        let limit = self.limit(before, found.range.end);
        found.comparator = match limit {
            Some(Kind::LessThan) if self.is_negated(before) => Comparator::AtLeast,
            Some(Kind::MoreThan) if self.is_negated(before) => Comparator::AtMost,
            Some(Kind::LessThan) => Comparator::LessThan,
            Some(Kind::MoreThan) => Comparator::MoreThan,
            Some(Kind::AtMost) => Comparator::AtMost,
            Some(Kind::AtLeast) => Comparator::AtLeast,
            Some(Kind::About) => Comparator::About,
            Some(Kind::Nearest) => Comparator::Nearest,
            None if before.ends_with(['±', '∓']) || before.ends_with("+/-") => Comparator::PlusMinus,
            None => Comparator::Equal,
        };
        let limits = matches!(limit, Some(Kind::LessThan | Kind::MoreThan | Kind::AtMost | Kind::AtLeast));
        let counts = limits && !self.table.durations.iter().any(|word| Self::ends_with(before, word))
            || limit.is_none() && self.is_count(&first, before);
        let end = found.range.end.max(end);
        let one =
            first.word && found.value == "1" && found.unit.is_some() && self.is_attributive(found.range.end);
        (Some(found).filter(|found| (found.unit.is_some() || counts) && !one), end)
    }

    fn number(&self, at: usize) -> Option<Number> {
        // Most words are no numbers.
        let word = &self.lower[at..self.word_end(at)];
        if word.starts_with(char::is_alphabetic) && !self.table.numbers.contains_key(word) {
            return None;
        }
        let number = number_at(self.text, at, &self.table.numbers, self.table.thousands)?;
        let after = &self.text[number.range.end..];
        let mut rest = after.chars();
        let (next, second) = (rest.next(), rest.next());
        // A version, a date, a time, a clause: not this number.
        let joined = next.is_some_and(|c| ".:/,".contains(c)) && second.is_some_and(|c| c.is_ascii_digit());
        let code = matches!(next, Some('-' | '\u{2011}')) && second.is_some_and(|c| c.is_ascii_digit());
        let ranged =
            code && self.unit(number.range.end + next.map_or(0, char::len_utf8) + digits(after)).is_some();
        (!joined && (!code || ranged) && !after.starts_with(['^', '_'])).then_some(number)
    }

    /// The unit after a number: directly, after a blank or a hyphen, or after the bracket that closes.
    fn unit(&self, at: usize) -> Option<Unit> {
        let rest = &self.text[at..];
        let glue = rest
            .chars()
            .next()
            .filter(|c| matches!(c, ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}' | '-' | '\u{2011}'));
        let at = at + glue.map_or(0, char::len_utf8);
        let unit = unit_at(self.text, at, &self.table.units)?;
        let hyphen = matches!(glue, Some('-' | '\u{2011}'));
        let symbol = unit.range.len() < 3;
        // “degrees of freedom”, “3-A-12”.
        let freedom =
            [" of freedom", " de liberté"].iter().any(|words| self.text[unit.range.end..].starts_with(words));
        let code = hyphen && symbol && self.text[unit.range.end..].starts_with('-');
        (!freedom && !code).then_some(unit)
    }

    /// Where the word ends that holds this byte.
    fn word_end(&self, at: usize) -> usize {
        let rest = &self.text[at..];
        at + rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len())
    }

    fn is_fraction(&self, end: usize) -> bool {
        let rest = self.lower[end..].trim_start_matches([' ', '-', '\u{a0}']);
        let word = &rest[..rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len())];
        self.table.fractions.iter().any(|fraction| fraction == word)
    }

    fn is_glued(&self, end: usize) -> bool {
        let mut rest = self.text[end..].chars();
        let (next, second) = (rest.next(), rest.next());
        next.is_some_and(|c| c.is_alphanumeric() || c == '_')
            || matches!(next, Some('-' | '\u{2011}')) && second.is_some_and(char::is_alphanumeric)
    }

    /// What is before the number, in lower case, without a bracket and blanks.
    fn before(&self, at: usize) -> &'a str {
        self.lower[..at].trim_end_matches(|c: char| c.is_whitespace() || c == '(')
    }

    fn ends_with(before: &str, phrase: &str) -> bool {
        before.strip_suffix(phrase).is_some_and(|rest| {
            !rest.ends_with(char::is_alphanumeric)
                || !phrase.starts_with(char::is_alphanumeric)
                || rest.ends_with('\'')
        })
    }

    fn is_labelled(&self, at: usize, number: &Number) -> bool {
        let before = &self.lower[..at];
        let trimmed = before.trim_end();
        let label = self.table.labels.iter().any(|label| Self::ends_with(trimmed, label));
        let named =
            trimmed.ends_with(['“', '"', '«', '=']) && !number.word && trimmed.ends_with(['“', '"', '«']);
        label || named
    }

    /// Reads a range on from its first number; gives whether there is one.
    fn range(&self, found: &mut Found, before: &str) -> bool {
        let opened = self.table.ranges.iter().find(|[opener, _]| Self::ends_with(before, opener));
        let rest = &self.lower[found.range.end..];
        let trimmed = rest.trim_start();
        let (joint, needs_unit) = match opened {
            Some([_, joint]) if trimmed.starts_with(joint.as_str()) => (joint.as_str(), false),
            _ => match self.table.to.iter().find(|to| trimmed.starts_with(to.as_str())) {
                Some(to) => (to.as_str(), true),
                None => return false,
            },
        };
        let start = self.text.len() - trimmed.len() + joint.len();
        let at = self.text.len() - self.text[start..].trim_start().len();
        let worded = joint.ends_with(char::is_alphabetic);
        if worded && at == start {
            return false;
        }
        let Some(second) = number_at(self.text, at, &self.table.numbers, self.table.thousands) else {
            return false;
        };
        let unit = self.unit(second.range.end);
        if (needs_unit && unit.is_none()) || (unit.is_none() && self.is_glued(second.range.end)) {
            return false;
        }
        let lower = found.value.parse::<f64>().ok();
        let ascends = lower
            .zip(second.value.as_deref().and_then(|v| v.parse::<f64>().ok()))
            .is_some_and(|(a, b)| a < b);
        if !ascends || !self.may_share(found, unit.as_ref()) || unit.is_none() && found.unit.is_some() {
            return false;
        }
        found.comparator = Comparator::Between;
        found.upper = second.value;
        found.range.end = unit.as_ref().map_or(second.range.end, |unit| unit.range.end);
        found.unit = unit;
        true
    }

    /// Whether the unit of a second number is written as that of the first, or one of them has none.
    fn may_share(&self, found: &Found, unit: Option<&Unit>) -> bool {
        let units = found.unit.as_ref().zip(unit);
        units.is_none_or(|(a, b)| self.text[a.range.clone()] == self.text[b.range.clone()])
    }

    /// Reads a tolerance after the value: `20 °C ± 2 °C`, `(20 ± 2) °C`; gives whether there is one.
    fn tolerance(&self, found: &mut Found) -> bool {
        let rest = self.text[found.range.end..].trim_start();
        let Some(after) = ["±", "+/-", "+/−"].iter().find_map(|sign| rest.strip_prefix(sign)) else {
            return false;
        };
        let at = self.text.len() - after.trim_start().len();
        let Some(Number { range, value: Some(value), .. }) =
            number_at(self.text, at, &BTreeMap::new(), self.table.thousands)
        else {
            return false;
        };
        let bracket = usize::from(self.text[range.end..].starts_with(')'));
        let unit = self.unit(range.end + bracket);
        if !self.may_share(found, unit.as_ref()) || unit.is_none() {
            return false;
        }
        found.range.end = unit.as_ref().map_or(range.end, |unit| unit.range.end);
        found.tolerance = Some(value);
        found.unit = unit;
        true
    }

    fn limit(&self, before: &str, end: usize) -> Option<Kind> {
        let rest = self.lower[end..].trim_start_matches(|c: char| c.is_whitespace() || c == ')');
        let longest = |table: &BTreeMap<Kind, Vec<String>>, holds: &dyn Fn(&str) -> bool| {
            let phrases = table
                .iter()
                .flat_map(|(kind, phrases)| phrases.iter().map(move |phrase| (phrase.len(), *kind, phrase)));
            phrases
                .filter(|(_, _, phrase)| holds(phrase))
                .max_by_key(|(length, ..)| *length)
                .map(|(_, kind, _)| kind)
        };
        let starts = |phrase: &str| {
            rest.strip_prefix(phrase).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
        };
        longest(&self.table.before, &|phrase| Self::ends_with(before, phrase))
            .or_else(|| longest(&self.table.after, &starts))
    }

    /// Whether one of the words before the limit denies it.
    fn is_negated(&self, before: &str) -> bool {
        let words =
            before.rsplit(|c: char| !(c.is_alphanumeric() || c == '\'')).filter(|word| !word.is_empty());
        words
            .take(NEGATION_REACH + 1)
            .any(|word| self.table.negations.iter().any(|negation| negation == word))
    }

    /// Whether a number without a unit counts what follows: “three specimens”, “22 SI units”.
    fn is_count(&self, number: &Number, before: &str) -> bool {
        let Some(value) = number.value.as_deref().and_then(|value| value.parse::<u32>().ok()) else {
            return false;
        };
        let year = !number.word && (1900..2100).contains(&value);
        let designator = !number.word
            && before.rsplit(char::is_whitespace).next().is_some_and(|word| {
                let own = &self.text[before.len() - word.len()..before.len()];
                own.len() > 1 && own.chars().any(char::is_uppercase) && before.len() > word.len()
            });
        let rest = &self.text[number.range.end..];
        let alternative = self.table.alternatives.iter().any(|word| Self::ends_with(before, word));
        if value < 2 || alternative || year || designator || !rest.starts_with([' ', '\u{a0}']) {
            return false;
        }
        for word in rest.split_whitespace().take(NOUN_REACH) {
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

    /// Whether a hyphen goes on after the unit: “a one-day-old sample”.
    fn is_attributive(&self, end: usize) -> bool {
        self.text[end..].starts_with('-')
    }
}

/// Whether a hyphen joins a word to the one before it: `twenty-eight`.
fn hyphenated(text: &str, at: usize) -> bool {
    text[..at].strip_suffix('-').is_some_and(|before| before.ends_with(char::is_alphanumeric))
}

fn digits(after: &str) -> usize {
    let second = after.chars().next().map_or("", |c| &after[c.len_utf8()..]);
    second.bytes().take_while(u8::is_ascii_digit).count()
}
