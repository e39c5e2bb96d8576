//! Quantities of a sentence: values with units, limits, ranges and tolerances, and counts, if they are
//! certain.

mod combined;
mod comparison;
mod comparison_table;
mod scope;
mod words;

use std::collections::BTreeMap;
use std::ops::Range;

use norma_model::Comparator;
use serde::Deserialize;

use super::numbers::{Notation, Number, NumberWords, Separators, number_at, shifted};
use super::units::{ParsedUnit, size, unit_at};
use comparison::{Comparison, Grammar, Place};
use comparison_table::ComparisonTable;
use words::Words;

/// The words of a language around numbers.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct QuantityTable {
    /// Numbers as words.
    pub(super) numbers: NumberWords,
    /// The words that compare.
    comparison: ComparisonTable,
    /// Signs as words: `minus`.
    minus: Vec<String>,
    /// Words behind a percentage that say of what it is a share: `by mass`.
    by_share: Vec<String>,
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
    /// Words before a count of beneficiaries.
    beneficiaries: Vec<String>,
    /// Words before a number that is a circumstance.
    adverbial: Vec<String>,
    /// The sign that may group thousands, if a decimal sign looks the same.
    pub(super) thousands: Option<char>,
    /// The sign before decimals, where a document does not show another.
    pub(super) decimal: Option<char>,
    /// Names of units and their codes in UCUM, empty where there is none.
    pub(super) units: BTreeMap<String, String>,
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
    /// The limit that a word sets for its noun: `maximum`, `Mindestbreite`.
    pub(super) fn limit_of(&self, word: &str) -> Option<Comparator> {
        // Without a full stop, “min” is a unit.
        match word {
            "min" | "max" => None,
            "min." => Some(Comparator::AtLeast),
            "max." => Some(Comparator::AtMost),
            _ => self.comparison.limit_of_word(word.trim_end_matches('.')),
        }
    }

    /// The comparator for a number after a phrase that is nothing else: `over`, `not more than`.
    pub(super) fn comparator_of(&self, phrase: &str) -> Option<Comparator> {
        let words = Words::of(phrase, phrase, "");
        Grammar { words: &words, table: &self.comparison }.operator_of_phrase()
    }

    /// The comparator for a number that would follow a sentence: “The mass shall not exceed”.
    pub(super) fn comparator_at_end(&self, sentence: &str) -> Option<Comparator> {
        let words = Words::of(sentence, sentence, "");
        Grammar { words: &words, table: &self.comparison }.comparator_at_end()
    }

    /// Whether a phrase before a number compares with it or opens a range: `at least`, `between`.
    pub(super) fn is_before(&self, phrase: &str) -> bool {
        self.ranges.iter().any(|[opener, _]| opener == phrase) || self.comparator_of(phrase).is_some()
    }

    /// Whether a phrase after a number compares with it: `or more`.
    pub(super) fn is_after(&self, phrase: &str) -> bool {
        let words = Words::of(phrase, phrase, "");
        Grammar { words: &words, table: &self.comparison }.is_operator_after()
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
    /// `None` where the sentence does not prove one.
    pub(super) comparator: Option<Comparator>,
    /// Whether it may share the comparator of the quantity before it.
    pub(super) joined: bool,
    pub(super) value: String,
    pub(super) upper: Option<String>,
    pub(super) unit: Option<ParsedUnit>,
    pub(super) tolerance: Option<String>,
    /// From the first number to the end of the last unit or number.
    pub(super) range: Range<usize>,
}

/// Most quantities that are listed for a text; a sentence with more is a table set as text.
const MOST: usize = 128;
/// Most words between a number and its noun: “three clean dry bags”.
const NOUN_REACH: usize = 3;

struct QuantityScan<'a> {
    text: &'a str,
    /// The text in lower case, byte for byte.
    lower: &'a str,
    table: &'a QuantityTable,
    words: &'a Words<'a>,
    separators: Separators,
}

/// A text in which quantities are read.
#[derive(Clone, Copy)]
pub(super) struct QuantityText<'a> {
    pub(super) text: &'a str,
    /// The text in lower case, byte for byte.
    pub(super) lower: &'a str,
    /// The lead-in that the text completes, in lower case; else empty.
    pub(super) lead_in: &'a str,
    /// The words in which no number is a quantity, such as references, in order.
    pub(super) excluded: &'a [Range<usize>],
    pub(super) separators: Separators,
}

/// The quantities of a text, in order.
pub(super) fn quantities(source: QuantityText<'_>, table: &QuantityTable) -> Vec<FoundQuantity> {
    let QuantityText { text, lower, lead_in, excluded, separators } = source;
    let words = Words::of(text, lower, lead_in);
    let scan = QuantityScan { text, lower, table, words: &words, separators };
    let mut found = Vec::new();
    let mut at = 0;
    let mut previous = ' ';
    let mut excluded = excluded.iter().peekable();
    while let Some(c) = text[at..].chars().next().filter(|_| found.len() < MOST) {
        let begins = !(previous.is_alphanumeric() || "._,^:/#§‑\u{2011}".contains(previous));
        let signed = matches!(c, '−' | '-' | '–')
            && text[at + c.len_utf8()..].starts_with(|c: char| c.is_ascii_digit())
            && (c != '–' || scan.dash_is_sign(at, found.last()));
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
    /// Whether a dash before a number is its sign: no value is before it, so that it makes no range.
    fn dash_is_sign(&self, at: usize, last: Option<&FoundQuantity>) -> bool {
        let before = self.text[..at].trim_end();
        let parted = before.len() < at || before.is_empty() || before.ends_with('(');
        let behind_value = last.is_some_and(|last| last.range.end == before.len());
        parted && !behind_value && !before.ends_with(|c: char| c.is_ascii_digit())
    }

    fn notation(&self) -> Notation<'a> {
        Notation { words: Some(&self.table.numbers), separators: self.separators }
    }

    /// How numbers are read that are not words.
    fn digits(&self) -> Notation<'a> {
        Notation { words: None, separators: self.separators }
    }

    fn place(&self, range: &Range<usize>) -> Place {
        Place { start: self.words.at(range.start), end: self.words.at(range.end) }
    }

    fn grammar(&self) -> Grammar<'a> {
        Grammar { words: self.words, table: &self.table.comparison }
    }

    fn comparison(&self, range: &Range<usize>) -> Comparison {
        self.grammar().comparison(self.place(range))
    }

    /// Adds the quantities whose first number begins at this byte; returns where to continue.
    fn quantity(&self, at: usize, all: &mut Vec<FoundQuantity>) -> usize {
        let Some(first) = self.number(at) else { return self.word_end(at) };
        let end = first.range.end.max(self.word_end(at));
        let Some(value) = first.value.clone().filter(|_| !self.is_fraction(first.range.end)) else {
            return end;
        };
        let before = self.before(at);
        let mut found = FoundQuantity {
            comparator: None,
            joined: false,
            value,
            upper: None,
            unit: self.unit(first.range.end),
            tolerance: None,
            range: at..first.range.end,
        };
        found.range.end = found.unit.as_ref().map_or(first.range.end, |unit| unit.range.end);
        // “une heure et demie”
        if let Some(length) = self.table.numbers.half_behind(&self.lower[found.range.end..])
            && !found.value.contains('.')
        {
            found.value.push_str(".5");
            found.range.end += length;
        }
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
        if let Some(compound) = self.compound(&found) {
            if compound.value.is_empty() {
                return compound.range.end;
            }
            found = compound;
        }
        if self.range(&mut found, before) {
            let end = found.range.end;
            let opened = self.table.durations.iter().any(|word| Self::ends_with(before, word));
            let place = self.place(&found.range);
            // “not between 5 mm and 8 mm”, “more than 5 mm to 8 mm” say too little of the range.
            let plain = opened || self.grammar().is_plain_range(place);
            all.extend(Some(found).filter(|found| plain && (found.unit.is_some() || found.upper.is_some())));
            return end;
        }
        let is_article = first.word && found.value == "1" && found.unit.is_none();
        if is_article && !self.grammar().is_counted_one(self.place(&found.range)) {
            return end;
        }
        let comparison = self.comparison(&found.range);
        if self.tolerance(&mut found) {
            let end = found.range.end;
            // A tolerance says that the value is the nominal one.
            found.comparator = match comparison {
                Comparison::Stated(Comparator::Equal) | Comparison::NotStated | Comparison::Joined => {
                    Some(Comparator::Equal)
                }
                Comparison::Stated(_) => None,
            };
            all.extend(Some(found).filter(|found| found.unit.is_some()));
            return end;
        }
        (found.comparator, found.joined) = match comparison {
            Comparison::Stated(comparator) => (Some(comparator), false),
            Comparison::Joined => (None, true),
            Comparison::NotStated => (None, false),
        };
        let limits = found.comparator.is_some_and(|comparator| LIMITS.contains(&comparator));
        let measures = self.table.durations.iter().any(|word| Self::ends_with(before, word));
        let counts = if limits { !measures } else { !measures && self.is_count(&first, before) };
        // A numeral before what it counts is the number, whatever verb is before: “Take two samples”.
        let is_count = counts && found.unit.is_none() && found.comparator.is_none();
        if is_count && self.grammar().is_plain_count(self.place(&found.range)) {
            found.comparator = Some(Comparator::Equal);
        }
        let end = found.range.end.max(end);
        let one =
            first.word && found.value == "1" && found.unit.is_some() && self.is_attributive(found.range.end);
        all.extend(Some(found).filter(|found| (found.unit.is_some() || counts) && !one));
        end
    }

    /// A value in two units, `5 ft 6 in`, `1 h 30 min`, in the smaller one; without value where it is not whole.
    fn compound(&self, first: &FoundQuantity) -> Option<FoundQuantity> {
        let unit = first.unit.as_ref()?;
        let rest = self.text[unit.range.end..].strip_prefix([' ', '\u{a0}'])?;
        if !rest.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let at = self.text.len() - rest.len();
        let second = number_at(self.text, at, self.digits())?;
        let (smaller, ratio) = self.smaller_unit(unit, second.range.end)?;
        let whole = |value: &str| value.parse::<u64>().ok();
        let value = whole(&first.value).zip(second.value.as_deref().and_then(whole));
        let value = value.and_then(|(high, low)| high.checked_mul(ratio)?.checked_add(low));
        Some(FoundQuantity {
            value: value.map(|value| value.to_string()).unwrap_or_default(),
            range: first.range.start..smaller.range.end,
            unit: Some(smaller),
            ..first.clone()
        })
    }

    /// The unit at a byte, and how many of it make the larger unit of the same dimension.
    fn smaller_unit(&self, larger: &ParsedUnit, at: usize) -> Option<(ParsedUnit, u64)> {
        const INCHES: u64 = 12;
        let larger = larger.ucum.as_deref()?;
        // “in” is a unit behind feet alone: elsewhere it is a word.
        let inch = self.text[at..].strip_prefix([' ', '\u{a0}']).and_then(|rest| rest.strip_prefix("in"));
        if larger == "[ft_i]"
            && let Some(rest) = inch.filter(|rest| !rest.starts_with(char::is_alphanumeric))
        {
            let end = self.text.len() - rest.len();
            return Some((ParsedUnit { range: end - 2..end, ucum: Some("[in_i]".to_owned()) }, INCHES));
        }
        let smaller = self.unit(at)?;
        let (base, size_of_larger) = size(larger)?;
        let (other, size_of_smaller) = size(smaller.ucum.as_deref()?)?;
        let ratio = (size_of_larger / size_of_smaller).round();
        (base == other && ratio > 1.0).then_some((smaller, ratio as u64))
    }

    fn number(&self, at: usize) -> Option<Number> {
        // Most words are no numbers.
        let word = &self.lower[at..self.word_end(at)];
        if word.starts_with(char::is_alphabetic) && !self.table.numbers.may_begin(word) {
            return self.signed(word, at);
        }
        let mut number = number_at(self.text, at, self.notation())?;
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

    /// A number behind its sign as a word: `minus 5`.
    fn signed(&self, word: &str, at: usize) -> Option<Number> {
        if !self.table.minus.iter().any(|minus| minus == word) {
            return None;
        }
        let start = at + word.len();
        let start =
            start + self.text[start..].chars().next().filter(|c| matches!(c, ' ' | '\u{a0}'))?.len_utf8();
        let number = number_at(self.text, start, self.digits())?;
        // “au moins 5 kg” is a limit.
        let is_limit = self.lower[..at].trim_end().ends_with(char::is_alphanumeric)
            && self.comparison(&number.range) == Comparison::Stated(Comparator::AtLeast);
        let value = number.value.filter(|value| !is_limit && !value.starts_with('-'))?;
        Some(Number { range: at..number.range.end, value: Some(["-", &value].concat()), word: false })
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
        let goes_on = words.next().is_some_and(|next| self.table.numbers.may_begin(next));
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
        let unit = self.divided(&unit).unwrap_or(unit);
        Some(self.with_share(unit))
    }

    /// A percentage with what it is a share of: `% by mass`.
    fn with_share(&self, unit: ParsedUnit) -> ParsedUnit {
        let end = unit.range.end;
        let rest = &self.lower[end..];
        let behind = |share: &String| {
            let after = rest.strip_prefix([' ', '\u{a0}'])?.strip_prefix(share.as_str())?;
            (!after.starts_with(char::is_alphanumeric)).then_some(self.lower.len() - after.len())
        };
        let is_share = matches!(unit.ucum.as_deref(), Some("%" | "[ppm]" | "[ppth]"));
        let share = if is_share { self.table.by_share.iter().find_map(behind) } else { None };
        ParsedUnit { range: unit.range.start..share.unwrap_or(end), ucum: unit.ucum }
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
        if let Some(number) = number_at(self.text, start, self.digits()) {
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
