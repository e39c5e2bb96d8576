//! Anatomy of a provision: its quantities, its conditions and its subject, by tables of words for each
//! language. What is not certain is left out.

mod cells;
mod conditions;
mod number_words;
mod numbers;
mod quantities;
mod subject;
mod units;

use std::ops::Range;
use std::sync::LazyLock;

use norma_model::{Comparator, Lang, Passage, Quantity, Section};
use serde::Deserialize;

pub use cells::{has_number, is_unit_symbol, read_cells};
use conditions::{ConditionSentence, ConditionTable};
pub(super) use numbers::Separators;
use numbers::decimal_sign;
use quantities::{FoundQuantity, QuantityTable, QuantityText, quantities};
use subject::{SubjectTable, subject};

/// The tables of a language.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Anatomy {
    quantities: QuantityTable,
    conditions: ConditionTable,
    subject: SubjectTable,
}

/// One of the two texts of a provision.
#[derive(Clone, Copy)]
pub(super) struct AnatomyText<'t> {
    /// The text, white space collapsed.
    pub(super) text: &'t str,
    pub(super) in_lead_in: bool,
    /// The lead-in that the text completes; else empty.
    pub(super) lead_in: &'t str,
    /// Bytes of the verbal form, if this text has it.
    pub(super) form: Option<&'t Range<usize>>,
}

/// The quantities, conditions and subject of a provision.
#[derive(Clone, Debug, Default)]
pub(super) struct FoundAnatomy {
    pub(super) quantities: Vec<Quantity>,
    pub(super) conditions: Vec<Passage>,
    pub(super) subject: Option<Passage>,
}

type AnatomyTable = LazyLock<Anatomy>;

static ENGLISH: AnatomyTable = LazyLock::new(|| read(include_str!("english.toml")));
static FRENCH: AnatomyTable = LazyLock::new(|| read(include_str!("french.toml")));
static GERMAN: AnatomyTable = LazyLock::new(|| read(include_str!("german.toml")));

fn read(table: &str) -> Anatomy {
    toml::from_str(table).expect("a test reads every table")
}

impl Anatomy {
    /// The tables of a language; `None` if there are none.
    pub(super) fn of(lang: &Lang) -> Option<&'static Self> {
        match lang.primary() {
            "en" => Some(&ENGLISH),
            "fr" => Some(&FRENCH),
            "de" => Some(&GERMAN),
            _ => None,
        }
    }

    /// The decimal sign of the language, where its table has one.
    pub(super) fn decimal_sign(&self) -> Option<char> {
        self.quantities.decimal
    }

    /// What the signs in numbers mean in the sections of a document that are in this language.
    pub(super) fn separators<'s>(&self, sections: impl Iterator<Item = &'s Section>) -> Separators {
        let has_unit = |text: &str, end: usize| {
            let rest = &text[end..];
            let blank = rest.chars().next().filter(|c| numbers::is_blank(*c)).map_or(0, char::len_utf8);
            units::unit_at(text, end + blank, &self.quantities.units).is_some()
        };
        let shown = decimal_sign(sections.map(|section| section.text.as_str()), has_unit);
        Separators { decimal: shown.or(self.quantities.decimal), thousands: self.quantities.thousands }
    }

    /// Adds the contents of a text. References are no quantities: `references` are their words, in order.
    pub(super) fn add(
        &self,
        part: AnatomyText<'_>,
        separators: Separators,
        references: &[&str],
        found: &mut FoundAnatomy,
    ) {
        let text = part.text;
        let lower = lower_case(text);
        let lead_in = lower_case(part.lead_in);
        let excluded = located(text, references);
        let mut passages = PassageReader { text, in_lead_in: part.in_lead_in, scalars: Scalars::default() };
        let source = QuantityText { text, lower: &lower, lead_in: &lead_in, excluded: &excluded, separators };
        for quantity in quantities(source, &self.quantities) {
            if part.in_lead_in && is_plain_count(&quantity) {
                continue;
            }
            found.quantities.push(Quantity {
                comparator: quantity.comparator,
                value: quantity.value.into(),
                upper: quantity.upper.map(Into::into),
                tolerance: quantity.tolerance.map(Into::into),
                unit: quantity.unit.as_ref().map(|unit| text[unit.range.clone()].into()),
                ucum: quantity.unit.and_then(|unit| unit.ucum).map(Into::into),
                passage: passages.passage(&quantity.range),
            });
        }
        let (form, table, subjects) = (part.form, &self.conditions, &self.subject);
        let sentence = ConditionSentence { text, lower: &lower, form, table, subjects };
        let conditions = sentence.conditions();
        for condition in &conditions {
            found.conditions.push(passages.passage(condition));
        }
        let start_of_subject = match conditions.first() {
            Some(first) if first.start == 0 => first.end + 1,
            _ => 0,
        };
        if let Some(subject) = subject(start_of_subject, sentence) {
            found.subject = Some(passages.passage(&subject));
        }
    }
}

/// True if a quantity only counts: in a lead-in, “the following three steps” counts the items, and limits
/// none of them.
fn is_plain_count(quantity: &FoundQuantity) -> bool {
    let is_value = matches!(quantity.comparator, None | Some(Comparator::Equal));
    let is_whole = quantity.value.bytes().all(|byte| byte.is_ascii_digit());
    quantity.unit.is_none() && is_value && is_whole
}

/// Passages of a text by ranges of its bytes.
struct PassageReader<'t> {
    text: &'t str,
    in_lead_in: bool,
    scalars: Scalars,
}

impl PassageReader<'_> {
    fn passage(&mut self, range: &Range<usize>) -> Passage {
        let range = with_brackets(self.text, range);
        let (start, end) = (self.scalar(range.start), self.scalar(range.end));
        Passage { in_lead_in: self.in_lead_in, start, end }
    }

    fn scalar(&mut self, byte: usize) -> u32 {
        u32::try_from(self.scalars.at(self.text, byte)).unwrap_or(u32::MAX)
    }
}

/// The quantities and conditions of a single sentence without references; empty in a language without tables.
pub fn read_sentence(text: &str, lang: &Lang) -> (Vec<Quantity>, Vec<Passage>) {
    let mut found = FoundAnatomy::default();
    if let Some(anatomy) = Anatomy::of(lang) {
        let separators =
            Separators { decimal: anatomy.quantities.decimal, thousands: anatomy.quantities.thousands };
        let part = AnatomyText { text, in_lead_in: false, lead_in: "", form: None };
        anatomy.add(part, separators, &[], &mut found);
    }
    (found.quantities, found.conditions)
}

/// A range with the bracket before or behind it whose other one is within: `(20 ± 2) °C`, not `20 ± 2) °C`.
fn with_brackets(text: &str, range: &Range<usize>) -> Range<usize> {
    let Range { mut start, mut end } = range.clone();
    for (open, close) in [('(', ')'), ('[', ']')] {
        let mut depth = 0_i32;
        let mut lowest = 0;
        for c in text[start..end].chars() {
            depth += i32::from(c == open) - i32::from(c == close);
            lowest = lowest.min(depth);
        }
        let unclosed = depth - lowest;
        let before = text[..start].trim_end();
        if lowest < 0 && before.ends_with(open) {
            start = before.len() - open.len_utf8();
        }
        let behind = text[end..].trim_start();
        if unclosed > 0 && behind.starts_with(close) {
            end = text.len() - behind.len() + close.len_utf8();
        }
    }
    start..end
}

/// The text in lower case, each letter in as many bytes as before.
fn lower_case(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.chars().map(lower_case_of_same_length).collect()
}

fn lower_case_of_same_length(c: char) -> char {
    match c.to_lowercase().next() {
        Some(lower) if lower.len_utf8() == c.len_utf8() => lower,
        _ => c,
    }
}

/// The positions of the words in the text, one after the other; words that are not there are left out.
fn located(text: &str, words: &[&str]) -> Vec<Range<usize>> {
    let mut located = Vec::with_capacity(words.len());
    let mut at = 0;
    for word in words {
        let Some(offset) = text[at..].find(word) else { continue };
        let start = at + offset;
        at = start + word.len();
        located.push(start..at);
    }
    located
}

/// Number of Unicode scalar values before a byte, counted from the last requested byte.
#[derive(Default)]
pub(super) struct Scalars {
    byte: usize,
    scalar: usize,
}

impl Scalars {
    pub(super) fn at(&mut self, text: &str, byte: usize) -> usize {
        if byte < self.byte {
            *self = Self::default();
        }
        let between = text.get(self.byte..byte).map_or(0, |between| between.chars().count());
        *self = Self { byte, scalar: self.scalar + between };
        self.scalar
    }
}

#[cfg(test)]
mod tests {
    use norma_model::Comparator;

    use super::*;

    #[test]
    fn a_passage_has_both_brackets_or_none() {
        for (text, words, whole) in [
            ("at (20 ± 2) °C", "20 ± 2) °C", "(20 ± 2) °C"),
            ("20 W/(m K)", "20 W/(m K", "20 W/(m K)"),
            ("(if it is wet)", "if it is wet", "if it is wet"),
            ("5 mm) thick", "5 mm)", "5 mm)"),
        ] {
            let start = text.find(words).unwrap();
            assert_eq!(&text[with_brackets(text, &(start..start + words.len()))], whole);
        }
    }

    #[test]
    fn a_value_with_a_deviation_in_a_composed_unit_is_read_whole() {
        for unit in ["W/(m² K)", "W/(m^2 K)", "W/(m²·K)"] {
            let text = format!("The transmittance shall be 0.58 {unit} ± 0.06 {unit} (see Table 3).");
            let (quantities, _) = read_sentence(&text, &Lang::en());
            let [Quantity { comparator, value, tolerance, unit: read, .. }] = &quantities[..] else {
                panic!("{text}: {quantities:?}")
            };
            let found = (*comparator, &**value, tolerance.as_deref(), read.as_deref());
            assert_eq!(found, (Some(Comparator::Equal), "0.58", Some("0.06"), Some(unit)), "{text}");
        }
    }

    #[test]
    fn the_tables_of_each_language_read() {
        for code in ["en", "fr", "de"] {
            assert!(Anatomy::of(&code.parse().unwrap()).is_some(), "{code}");
        }
    }

    /// Conditions and subject of a sentence whose verbal form is the first occurrence of a word.
    fn parts_of(code: &str, text: &str, form: &str) -> (Vec<String>, String) {
        let start = text.find(form).unwrap();
        let form = start..start + form.len();
        let mut found = FoundAnatomy::default();
        let part = AnatomyText { text, in_lead_in: false, lead_in: "", form: Some(&form) };
        let separators = Separators::default();
        Anatomy::of(&code.parse().unwrap()).unwrap().add(part, separators, &[], &mut found);
        let words = |p: &Passage| {
            text.chars().skip(p.start as usize).take((p.end - p.start) as usize).collect::<String>()
        };
        (found.conditions.iter().map(words).collect(), found.subject.as_ref().map(words).unwrap_or_default())
    }

    #[test]
    fn conditions_and_subject_are_listed_where_they_are_certain() {
        for (code, text, form, conditions, subject) in [
            ("en", "If it is wet, the lid shall be dried.", "shall", vec!["If it is wet"], "the lid"),
            ("en", "The lid, if it is wet, shall be dried.", "shall", vec!["if it is wet"], ""),
            ("en", "The lid shall be dried unless it is red.", "shall", vec!["unless it is red"], "The lid"),
            ("en", "For wet rice, then the lid shall be shut.", "shall", vec!["For wet rice"], "the lid"),
            ("en", "For example, the lid shall be shut.", "shall", vec![], ""),
            ("en", "For rice, where wet, mass, age and size shall be given.", "shall", vec![], ""),
            ("en", "The lid that is wet shall be dried.", "shall", vec![], ""),
            ("en", "It shall be dried.", "shall", vec![], ""),
            (
                "fr",
                "Si elle est humide, la boîte doit être séchée.",
                "doit",
                vec!["Si elle est humide"],
                "la boîte",
            ),
            ("fr", "La boîte ne doit pas être ouverte.", "doit", vec![], "La boîte"),
            ("fr", "Le SI doit être utilisé dans le SI et ailleurs.", "doit", vec![], ""),
            ("de", "Bei Frost muss der Deckel dicht sein.", "muss", vec!["Bei Frost"], ""),
            (
                "de",
                "Der Deckel muss dicht sein, wenn es regnet.",
                "muss",
                vec!["wenn es regnet"],
                "Der Deckel",
            ),
        ] {
            assert_eq!(
                parts_of(code, text, form),
                (conditions.iter().map(|&c| c.to_owned()).collect(), subject.to_owned()),
                "{text}"
            );
        }
    }
}
