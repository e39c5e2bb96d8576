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

use super::numbers::{Notation, Number, NumberWords, Separators};
use super::units::ParsedUnit;
use comparison::{ComparatorEvidence, Grammar, WordSpan};
use comparison_table::ComparisonTable;
use sentence_words::SentenceWords;

/// The words of a language around numbers.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct QuantityTable {
    /// The numbers that are written as words.
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

    /// True if a phrase before a number compares with it or opens a range: `at least`, `between`.
    pub(super) fn is_before(&self, phrase: &str) -> bool {
        self.ranges.iter().any(|[opener, _]| opener == phrase) || self.comparator_of(phrase).is_some()
    }

    /// True if a phrase after a number compares with it: `or more`.
    pub(super) fn is_after(&self, phrase: &str) -> bool {
        let words = SentenceWords::of(phrase, phrase, "");
        Grammar { words: &words, table: &self.comparison }.is_operator_after()
    }

    /// True if a word has no meaning of its own: `of`.
    pub(super) fn is_function_word(&self, word: &str) -> bool {
        self.function_words.iter().any(|known| known == word)
    }

    /// True if a word says what the number after it numbers: `clause`.
    pub(super) fn is_label(&self, word: &str) -> bool {
        self.labels.iter().any(|label| label == word)
    }
}

/// A quantity by bytes of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FoundQuantity {
    /// `None` where the sentence does not prove one.
    pub(super) comparator: Option<Comparator>,
    /// True for a quantity that may share the comparator of the one before it.
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
    while let Some(c) = text[at..].chars().next() {
        if found.len() >= MOST {
            break;
        }
        let next = at + c.len_utf8();
        while excluded.next_if(|range| range.end <= at).is_some() {}
        if let Some(skipped) = excluded.peek()
            && skipped.contains(&at)
        {
            at = skipped.end.max(next);
            previous = text[..at].chars().next_back().unwrap_or(' ');
            continue;
        }
        let begins_word = !(previous.is_alphanumeric() || "._,^:/#§‑\u{2011}".contains(previous));
        if begins_word
            && c == '+'
            && let Some(end) = scan.deviations(at)
        {
            at = end;
            previous = ' ';
            continue;
        }
        let may_be_number = c.is_alphanumeric() || previous != ')' && scan.is_sign(at, c, found.last());
        if begins_word && may_be_number && !hyphenated(text, at) {
            let before = found.len();
            let end = scan.quantity(at, &mut found);
            if before > 0 && found.len() > before {
                scan.coordinate(&mut found, before);
            }
            at = end.max(next);
        } else {
            at = next;
        }
        previous = text[..at].chars().next_back().unwrap_or(' ');
    }
    found
}

impl<'a> QuantityScan<'a> {
    /// True if a character is the sign of the number behind it.
    fn is_sign(&self, at: usize, c: char, last: Option<&FoundQuantity>) -> bool {
        if !matches!(c, '−' | '-' | '–') {
            return false;
        }
        let is_before_digit = self.text[at + c.len_utf8()..].starts_with(|c: char| c.is_ascii_digit());
        is_before_digit && (c != '–' || self.dash_is_sign(at, last))
    }

    /// True if a dash before a number is its sign: no value is before it, so that it makes no range.
    fn dash_is_sign(&self, at: usize, last: Option<&FoundQuantity>) -> bool {
        let before = self.text[..at].trim_end();
        let has_blank = before.len() < at;
        if !has_blank && !before.is_empty() && !before.ends_with('(') {
            return false;
        }
        let is_behind_value = last.is_some_and(|last| last.range.end == before.len());
        !is_behind_value && !before.ends_with(|c: char| c.is_ascii_digit())
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
        let end_of_word = first.range.end.max(self.word_end(at));
        let Some(mut found) = self.value(at, &first) else { return end_of_word };
        let before = self.before(at);
        if self.is_other_number(at, &first, &found) {
            return end_of_word;
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
            // “not between 5 mm and 8 mm”, “more than 5 mm to 8 mm” say too little of the range.
            let is_duration = Self::ends_with_one(before, &self.table.durations);
            if is_duration || self.grammar().is_plain_range(self.span(&found.range)) {
                all.push(found);
            }
            return end;
        }
        let is_article = first.word && found.value == "1" && found.unit.is_none();
        if is_article && !self.grammar().is_counted_one(self.span(&found.range)) {
            return end_of_word;
        }
        let evidence = self.comparison(&found.range);
        if self.tolerance(&mut found) {
            let end = found.range.end;
            // A tolerance says that the value is the nominal one; a limit contradicts that.
            found.comparator = match evidence.comparator() {
                None | Some(Comparator::Equal) => Some(Comparator::Equal),
                Some(_) => None,
            };
            if found.unit.is_some() {
                all.push(found);
            }
            return end;
        }
        let end = found.range.end.max(end_of_word);
        found.comparator = evidence.comparator();
        found.joined = evidence == ComparatorEvidence::Joined;
        all.extend(self.limit_or_count(found, &first, before));
        end
    }

    /// The value of a number with the unit behind it; `None` where the number has no value of its own.
    fn value(&self, at: usize, number: &Number) -> Option<FoundQuantity> {
        let end = number.range.end;
        let value = number.value.clone()?;
        if self.is_fraction(end) {
            return None;
        }
        let unit = self.unit(end);
        let end = unit.as_ref().map_or(end, |unit| unit.range.end);
        let mut found = FoundQuantity {
            comparator: None,
            joined: false,
            value,
            upper: None,
            unit,
            tolerance: None,
            range: at..end,
        };
        // “une heure et demie”
        if !found.value.contains('.')
            && let Some(length) = self.table.numbers.half_behind(&self.lower[end..])
        {
            found.value.push_str(".5");
            found.range.end += length;
        }
        Some(found)
    }

    /// True if a number is a part of a code, a label, a date or a ratio, and no quantity.
    fn is_other_number(&self, at: usize, number: &Number, found: &FoundQuantity) -> bool {
        let end = number.range.end;
        if let Some(unit) = &found.unit {
            // After a label a letter is not a unit: “type 3 A”.
            return unit.range.len() == 1 && self.is_labelled(at, number);
        }
        // “5-A” is a code.
        if self.is_glued(end) && !self.may_be_range(end) {
            return true;
        }
        // “three working days” counts days of a kind that no unit is.
        self.is_labelled(at, number)
            || self.has_unit_of_a_kind(end)
            || self.is_date(end)
            || self.is_ratio(self.before(at))
    }

    /// True if a hyphen and another number follow: “5-10 mm”.
    fn may_be_range(&self, end: usize) -> bool {
        match self.text[end..].strip_prefix(['-', '\u{2011}']) {
            Some(behind_hyphen) => behind_hyphen.starts_with(|c: char| c.is_ascii_digit()),
            None => false,
        }
    }

    /// A value, limit or count without tolerance; `None` for a number that does not measure or count.
    fn limit_or_count(
        &self,
        mut found: FoundQuantity,
        number: &Number,
        before: &str,
    ) -> Option<FoundQuantity> {
        let is_angle = found.unit.as_ref().is_some_and(|unit| unit.ucum.as_deref() == Some("deg"));
        if is_angle && Self::ends_with_one(before, &self.table.at_angle) {
            found.comparator = None;
        }
        if found.unit.is_some() {
            // “a one-day-old sample”
            let is_attribute = number.word && found.value == "1" && self.is_attributive(found.range.end);
            return (!is_attribute).then_some(found);
        }
        if Self::ends_with_one(before, &self.table.durations) {
            return None;
        }
        let is_limit = found.comparator.is_some_and(|comparator| LIMITS.contains(&comparator));
        if !is_limit && !self.is_count(number, before) {
            return None;
        }
        // A numeral before what it counts is the number, whatever verb is before: “Take two samples”.
        if found.comparator.is_none() && self.grammar().is_plain_count(self.span(&found.range)) {
            found.comparator = Some(Comparator::Equal);
        }
        Some(found)
    }

    /// The text before the number, in lower case, without a bracket and blanks.
    fn before(&self, at: usize) -> &'a str {
        self.lower[..at].trim_end_matches(|c: char| c.is_whitespace() || c == '(')
    }

    /// True if a text ends with one of some phrases.
    fn ends_with_one(before: &str, phrases: &[String]) -> bool {
        phrases.iter().any(|phrase| Self::ends_with(before, phrase))
    }

    fn ends_with(before: &str, phrase: &str) -> bool {
        let Some(rest) = before.strip_suffix(phrase) else { return false };
        let is_within_word =
            rest.ends_with(char::is_alphanumeric) && phrase.starts_with(char::is_alphanumeric);
        !is_within_word || rest.ends_with('\'')
    }
}

/// True if a hyphen joins a word to the one before it: `twenty-eight`.
fn hyphenated(text: &str, at: usize) -> bool {
    text[..at].strip_suffix('-').is_some_and(|before| before.ends_with(char::is_alphanumeric))
}
