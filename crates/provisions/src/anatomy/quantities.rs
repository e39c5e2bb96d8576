//! Quantities of a sentence: values with units, limits, ranges and tolerances, and counts, if they are
//! certain.

mod combined;
mod limits;

use std::collections::BTreeMap;
use std::ops::Range;

use norma_model::Comparator;
use serde::Deserialize;

use super::numbers::{Number, number_at, shifted};
use super::units::{ParsedUnit, size, unit_at};

/// The words of a language around numbers.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct QuantityTable {
    /// Numbers as words.
    numbers: BTreeMap<String, u32>,
    /// Words behind a number that multiply it, and their powers of ten: `million`.
    multiples: BTreeMap<String, i32>,
    /// Words between such a word and the unit: `de`.
    partitive: Vec<String>,
    /// Words between a unit and its divisor: `per`.
    per: Vec<String>,
    /// The same before a unit of time alone: `a`.
    per_time: Vec<String>,
    /// Words that join values: `or`.
    coordinators: Vec<String>,
    /// Words between the lengths of a product: `by`.
    by: Vec<String>,
    /// Words behind the noun of a measure, the articles before it, and the verbs of which both are the
    /// object: `exceed a value of`.
    measures: Vec<String>,
    determiners: Vec<String>,
    exceed: Vec<String>,
    /// Words before a count of beneficiaries.
    beneficiaries: Vec<String>,
    /// Words before a number that is a circumstance.
    adverbial: Vec<String>,
    /// Whether the verb at the end of the clause may state a limit.
    #[serde(default)]
    verb_final: bool,
    /// The sign that may group thousands, if a decimal sign looks the same.
    pub(super) thousands: Option<char>,
    /// Names of units and their codes in UCUM, empty where there is none.
    pub(super) units: BTreeMap<String, String>,
    /// Words directly before a number or range, by the comparator that they give.
    before: BTreeMap<Comparator, Vec<String>>,
    /// Words directly after a number and its unit.
    after: BTreeMap<Comparator, Vec<String>>,
    /// Words that turn `above` into `at most`.
    negations: Vec<String>,
    /// Words between the ends of a range without a word before it: `5 m to 10 m`.
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

/// Comparators that set a limit.
const LIMITS: [Comparator; 4] =
    [Comparator::MoreThan, Comparator::LessThan, Comparator::AtMost, Comparator::AtLeast];

impl QuantityTable {
    /// The limit that a word before a number sets: `maximum`, `min.`.
    pub(super) fn limit_of(&self, word: &str) -> Option<Comparator> {
        self.comparator_of(word).filter(|limit| matches!(limit, Comparator::AtMost | Comparator::AtLeast))
    }

    /// The comparator for a number after a phrase: `over`, `up to`.
    pub(super) fn comparator_of(&self, phrase: &str) -> Option<Comparator> {
        let holds =
            |kind| self.before.get(&kind).is_some_and(|phrases| phrases.iter().any(|known| known == phrase));
        LIMITS.into_iter().find(|kind| holds(*kind))
    }

    /// Whether a phrase before a number compares with it: `at least`, `≥`.
    pub(super) fn is_before(&self, phrase: &str) -> bool {
        let opens_range = self.ranges.iter().any(|[opener, _]| opener == phrase);
        opens_range || self.before.values().flatten().any(|known| known == phrase)
    }

    /// Whether a phrase after a number compares with it: `or more`.
    pub(super) fn is_after(&self, phrase: &str) -> bool {
        self.after.values().flatten().any(|known| known == phrase)
    }

    /// Whether a word has no meaning of its own: `of`.
    pub(super) fn is_function_word(&self, word: &str) -> bool {
        self.function_words.iter().any(|known| known == word)
    }

    /// Whether a word says what the number after it numbers: `clause`.
    pub(super) fn is_label(&self, word: &str) -> bool {
        self.labels.iter().any(|label| label == word)
    }
}

/// A quantity by bytes of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FoundQuantity {
    pub(super) comparator: Comparator,
    pub(super) value: String,
    pub(super) upper: Option<String>,
    pub(super) unit: Option<ParsedUnit>,
    pub(super) tolerance: Option<String>,
    /// From the first number to the end of the last unit or number.
    pub(super) range: Range<usize>,
}

/// Most quantities that are listed for a text; a sentence with more is a table set as text.
const MOST: usize = 128;
/// Most words between a negation and its limit: “shall not be stored below 5 °C”.
const NEGATION_REACH: usize = 4;
/// Most words between a number and its noun: “three clean dry bags”.
const NOUN_REACH: usize = 3;

/// Words that say what kind of voltage a unit is of, and are no part of it.
const CURRENTS: [&str; 4] = ["d.c.", "a.c.", "dc", "ac"];

struct QuantityScan<'a> {
    text: &'a str,
    /// The text in lower case, byte for byte.
    lower: &'a str,
    table: &'a QuantityTable,
    /// That of the table, unless the text shows another.
    thousands: Option<char>,
}

/// The quantities of a text, which is also given in lower case, in order; no number in an excluded stretch (a
/// reference) is one.
pub(super) fn quantities(
    text: &str,
    lower: &str,
    excluded: &[Range<usize>],
    table: &QuantityTable,
    thousands: Option<char>,
) -> Vec<FoundQuantity> {
    let scan = QuantityScan { text, lower, table, thousands };
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
        if let Some(end) = Some(at).filter(|_| begins && c == '+').and_then(|at| scan.deviations(at)) {
            at = end;
            previous = ' ';
            continue;
        }
        if begins && (c.is_alphanumeric() || signed && previous != ')') && !self::hyphenated(text, at) {
            let before = found.len();
            let end = scan.quantity(at, &mut found);
            if before > 0 && found.len() > before {
                scan.coordinate(&mut found, before);
            }
            at = end.max(at + c.len_utf8());
        } else {
            at += c.len_utf8();
        }
        previous = text[..at].chars().next_back().unwrap_or(' ');
    }
    found
}

impl<'a> QuantityScan<'a> {
    /// Adds the quantities whose first number begins at this byte; returns where to continue.
    fn quantity(&self, at: usize, all: &mut Vec<FoundQuantity>) -> usize {
        let Some(first) = self.number(at) else { return self.word_end(at) };
        let end = first.range.end.max(self.word_end(at));
        let Some(value) = first.value.clone().filter(|_| !self.is_fraction(first.range.end)) else {
            return end;
        };
        let before = self.before(at);
        let mut found = FoundQuantity {
            comparator: Comparator::Equal,
            value,
            upper: None,
            unit: self.unit(first.range.end),
            tolerance: None,
            range: at..first.range.end,
        };
        found.range.end = found.unit.as_ref().map_or(first.range.end, |unit| unit.range.end);
        // “5-10 mm” is a range, “5-A” a code.
        let ranges = self.text[first.range.end..].strip_prefix(['-', '\u{2011}']);
        let ranges = ranges.is_some_and(|upper| upper.starts_with(|c: char| c.is_ascii_digit()));
        if found.unit.is_none() && self.is_glued(first.range.end) && !ranges {
            return end;
        }
        // After a label a letter is not a unit: “type 3 A”.
        let letter = found.unit.as_ref().is_none_or(|unit| unit.range.len() == 1);
        // “three working days” counts days of a kind that no unit is.
        let of_a_kind = found.unit.is_none() && self.has_unit_of_a_kind(first.range.end);
        if letter && self.is_labelled(at, &first) || of_a_kind {
            return end;
        }
        if let Some(end) = self.product(&found, all) {
            return end;
        }
        if let Some(end) = self.deviations(found.range.end) {
            return end;
        }
        if let Some(end) = self.range_of_two_units(&found, before, all) {
            return end;
        }
        if self.range(&mut found, before) || self.tolerance(&mut found) {
            let end = found.range.end;
            all.extend(Some(found).filter(|found| found.unit.is_some() || found.upper.is_some()));
            return end;
        }
        let limit = self.limit(before, found.range.end);
        found.comparator = self.comparator(limit, before);
        let counts = limit.is_some_and(|limit| LIMITS.contains(&limit))
            && !self.table.durations.iter().any(|word| Self::ends_with(before, word))
            || limit.is_none() && self.is_count(&first, before);
        let end = found.range.end.max(end);
        let one =
            first.word && found.value == "1" && found.unit.is_some() && self.is_attributive(found.range.end);
        all.extend(Some(found).filter(|found| (found.unit.is_some() || counts) && !one));
        end
    }

    fn comparator(&self, limit: Option<Comparator>, before: &str) -> Comparator {
        match limit {
            Some(Comparator::LessThan) if self.is_negated(before) => Comparator::AtLeast,
            Some(Comparator::MoreThan) if self.is_negated(before) => Comparator::AtMost,
            Some(limit) => limit,
            None if before.ends_with(['±', '∓']) || before.ends_with("+/-") => Comparator::PlusMinus,
            None => Comparator::Equal,
        }
    }

    fn number(&self, at: usize) -> Option<Number> {
        // Most words are no numbers.
        let word = &self.lower[at..self.word_end(at)];
        if word.starts_with(char::is_alphabetic) && !self.table.numbers.contains_key(word) {
            return None;
        }
        let mut number = number_at(self.text, at, &self.table.numbers, self.thousands)?;
        self.multiply(&mut number);
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

    /// Reads the word for a power of ten behind a number: `3 million`, `3 millions de`. What goes on behind
    /// it (`two hundred and
    /// fifty`) is not read.
    fn multiply(&self, number: &mut Number) {
        let rest = self.lower[number.range.end..].trim_start_matches([' ', '\u{a0}', '\u{202f}']);
        let after =
            |word: &str| rest.strip_prefix(word).filter(|after| !after.starts_with(char::is_alphanumeric));
        let mut multiples = self.table.multiples.iter();
        let Some((after, power)) = multiples.find_map(|(word, power)| Some((after(word)?, *power))) else {
            return;
        };
        let mut words = after.split_whitespace().skip_while(|word| self.coordinators(word));
        let goes_on = words.next().is_some_and(|next| self.table.numbers.contains_key(next));
        number.value = number.value.take().filter(|_| !goes_on).map(|value| shifted(&value, power));
        let partitive = |word: &String| after.strip_prefix(' ')?.strip_prefix(word.as_str());
        let unit = self.table.partitive.iter().find_map(partitive).unwrap_or(after);
        number.range.end = self.text.len() - unit.len();
    }

    fn coordinators(&self, word: &str) -> bool {
        self.table.coordinators.iter().any(|coordinator| coordinator == word)
    }

    /// The unit after a number, with its divisor.
    fn unit(&self, at: usize) -> Option<ParsedUnit> {
        let unit = self.plain_unit(at)?;
        self.divided(&unit).or(Some(unit))
    }

    /// `litres per minute`, `g per 100 g`, `kN per strand`, `mSv im Jahr`.
    fn divided(&self, unit: &ParsedUnit) -> Option<ParsedUnit> {
        let rest = &self.lower[unit.range.end..];
        let after = |words: &[String]| {
            words
                .iter()
                .find_map(|word| rest.strip_prefix(' ')?.strip_prefix(word.as_str())?.strip_prefix(' '))
        };
        let slash = rest.strip_prefix('/');
        let divisor = slash.or_else(|| after(&self.table.per));
        let of_time = divisor.is_none();
        let start = self.text.len() - divisor.or_else(|| after(&self.table.per_time))?.len();
        let whole = |end: usize, ucum| Some(ParsedUnit { range: unit.range.start..end, ucum });
        if let Some(number) = number_at(self.text, start, &BTreeMap::new(), self.thousands) {
            // “5 mm/6 mm” are two values.
            let hundred = self.text[number.range.clone()].trim_end_matches('0') == "1";
            let of = self.plain_unit(number.range.end).filter(|_| hundred || slash.is_none())?;
            return whole(of.range.end, None).filter(|_| !of_time);
        }
        if let Some(of) = unit_at(self.text, start, &self.table.units) {
            let is_time = of.ucum.as_deref().and_then(size).is_some_and(|(base, _)| base == "s");
            let dated = self.text[of.range.end..].trim_start().starts_with(|c: char| c.is_ascii_digit());
            let ucum = unit.ucum.as_ref().zip(of.ucum).map(|(unit, of)| [unit, of.as_str()].join("/"));
            return whole(of.range.end, ucum).filter(|_| !of_time || is_time && !dated);
        }
        let end = self.word_end(start);
        let (word, own) = (&self.lower[start..end], &self.text[start..end]);
        let listed =
            [&self.table.labels, &self.table.function_words].iter().any(|l| l.iter().any(|w| w == word));
        let noun = own.starts_with(char::is_uppercase) == self.table.plurals.is_empty()
            && own.len() > 2
            && own.chars().all(char::is_alphabetic);
        whole(end, None).filter(|_| noun && !listed && !of_time)
    }

    /// The unit after a number: directly, after a blank or a hyphen, or after the bracket that closes.
    fn plain_unit(&self, at: usize) -> Option<ParsedUnit> {
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

    /// The end of the word around this byte.
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

    /// The text before the number, in lower case, without a bracket and blanks.
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

    /// Whether a unit with an adjective is counted.
    fn has_unit_of_a_kind(&self, end: usize) -> bool {
        let mut words = self.lower[end..].split([' ', '\u{a0}']).skip(1).take(NOUN_REACH);
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
    fn is_count(&self, number: &Number, before: &str) -> bool {
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

    /// Whether a hyphen continues after the unit: “a one-day-old sample”.
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
