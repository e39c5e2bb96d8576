//! Quantities of a sentence: values with units, limits, ranges and tolerances, and counts, if they are
//! certain.

mod bare_value;
mod combined;
mod comparison;
mod comparison_table;
mod counts;
mod measures;
mod operator_before;
mod operator_behind;
mod scope;
mod sentence_words;

use std::collections::BTreeMap;
use std::ops::Range;

use norma_model::Comparator;
use serde::Deserialize;

use super::numbers::{Notation, NumberWords, Separators};
use super::units::ParsedUnit;
use comparison::{ComparatorEvidence, Grammar, WordSpan};
use comparison_table::ComparisonTable;
use sentence_words::SentenceWords;

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
    /// Names of months, which make the number before them a date.
    months: Vec<String>,
    /// Words between the numbers of a ratio: `in` of “1 in 20”.
    ratio: Vec<String>,
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
    /// Words that make a phrase of another meaning with such a word: `rapport` of `par rapport à`.
    per_phrases: Vec<String>,
    /// Words of limit that before an angle say at which one it is: `unter 45°`.
    at_angle: Vec<String>,
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
        let words = SentenceWords::of(phrase, phrase, "");
        Grammar { words: &words, table: &self.comparison }.operator_of_phrase()
    }

    /// The comparator for a number that would follow a sentence: “The mass shall not exceed”.
    pub(super) fn comparator_at_end(&self, sentence: &str) -> Option<Comparator> {
        let words = SentenceWords::of(sentence, sentence, "");
        Grammar { words: &words, table: &self.comparison }.comparator_at_end()
    }

    /// Whether a phrase before a number compares with it or opens a range: `at least`, `between`.
    pub(super) fn is_before(&self, phrase: &str) -> bool {
        self.ranges.iter().any(|[opener, _]| opener == phrase) || self.comparator_of(phrase).is_some()
    }

    /// Whether a phrase after a number compares with it: `or more`.
    pub(super) fn is_after(&self, phrase: &str) -> bool {
        let words = SentenceWords::of(phrase, phrase, "");
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

struct QuantityScan<'a> {
    text: &'a str,
    /// The text in lower case, byte for byte.
    lower: &'a str,
    table: &'a QuantityTable,
    words: &'a SentenceWords<'a>,
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
    let words = SentenceWords::of(text, lower, lead_in);
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

    fn span(&self, range: &Range<usize>) -> WordSpan {
        WordSpan { start: self.words.at(range.start), end: self.words.at(range.end) }
    }

    fn grammar(&self) -> Grammar<'a> {
        Grammar { words: self.words, table: &self.table.comparison }
    }

    fn comparison(&self, range: &Range<usize>) -> ComparatorEvidence {
        self.grammar().comparison(self.span(range))
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
        if letter && self.is_labelled(at, &first)
            || of_a_kind
            || found.unit.is_none() && (self.is_date(first.range.end) || self.is_ratio(before))
        {
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
            let span = self.span(&found.range);
            // “not between 5 mm and 8 mm”, “more than 5 mm to 8 mm” say too little of the range.
            let plain = opened || self.grammar().is_plain_range(span);
            all.extend(Some(found).filter(|found| plain && (found.unit.is_some() || found.upper.is_some())));
            return end;
        }
        let is_article = first.word && found.value == "1" && found.unit.is_none();
        if is_article && !self.grammar().is_counted_one(self.span(&found.range)) {
            return end;
        }
        let comparison = self.comparison(&found.range);
        if self.tolerance(&mut found) {
            let end = found.range.end;
            // A tolerance says that the value is the nominal one.
            found.comparator = match comparison {
                ComparatorEvidence::Stated(Comparator::Equal)
                | ComparatorEvidence::NotStated
                | ComparatorEvidence::Joined => Some(Comparator::Equal),
                ComparatorEvidence::Stated(_) => None,
            };
            all.extend(Some(found).filter(|found| found.unit.is_some()));
            return end;
        }
        (found.comparator, found.joined) = match comparison {
            ComparatorEvidence::Stated(comparator) => (Some(comparator), false),
            ComparatorEvidence::Joined => (None, true),
            ComparatorEvidence::NotStated => (None, false),
        };
        let is_angle = found.unit.as_ref().is_some_and(|unit| unit.ucum.as_deref() == Some("deg"));
        if is_angle && self.table.at_angle.iter().any(|word| Self::ends_with(before, word)) {
            found.comparator = None;
        }
        let limits = found.comparator.is_some_and(|comparator| LIMITS.contains(&comparator));
        let measures = self.table.durations.iter().any(|word| Self::ends_with(before, word));
        let counts = if limits { !measures } else { !measures && self.is_count(&first, before) };
        // A numeral before what it counts is the number, whatever verb is before: “Take two samples”.
        let is_count = counts && found.unit.is_none() && found.comparator.is_none();
        if is_count && self.grammar().is_plain_count(self.span(&found.range)) {
            found.comparator = Some(Comparator::Equal);
        }
        let end = found.range.end.max(end);
        let one =
            first.word && found.value == "1" && found.unit.is_some() && self.is_attributive(found.range.end);
        all.extend(Some(found).filter(|found| (found.unit.is_some() || counts) && !one));
        end
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
}

/// Whether a hyphen joins a word to the one before it: `twenty-eight`.
fn hyphenated(text: &str, at: usize) -> bool {
    text[..at].strip_suffix('-').is_some_and(|before| before.ends_with(char::is_alphanumeric))
}
