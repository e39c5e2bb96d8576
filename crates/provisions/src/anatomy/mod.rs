//! Anatomy of a provision: its quantities, its conditions and its subject, by tables of words for each
//! language. What is not certain
//! is left out.

mod cells;
mod conditions;
mod numbers;
mod quantities;
mod subject;
mod units;

use std::ops::Range;
use std::sync::LazyLock;

use norma_model::{Comparator, Lang, Passage, Quantity};
use serde::Deserialize;

pub use cells::{has_number, is_unit_symbol, read_cells};
use conditions::{ConditionSentence, ConditionTable};
use quantities::{QuantityTable, quantities};
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

    /// Adds the contents of a text. References are no quantities: `references` are their words, in order.
    pub(super) fn add(&self, part: AnatomyText<'_>, references: &[&str], found: &mut FoundAnatomy) {
        let text = part.text;
        let lower = lower_case(text);
        let excluded = located(text, references);
        let mut scalars = Scalars::default();
        let mut scalar = |byte| u32::try_from(scalars.at(text, byte)).unwrap_or(u32::MAX);
        let mut passage = |range: &Range<usize>| Passage {
            in_lead_in: part.in_lead_in,
            start: scalar(range.start),
            end: scalar(range.end),
        };
        for quantity in quantities(text, &lower, &excluded, &self.quantities, self.quantities.thousands) {
            // “the following three steps” counts the items, and limits none of them.
            let counts = quantity.unit.is_none() && quantity.comparator == Comparator::Equal;
            if part.in_lead_in && counts && quantity.value.bytes().all(|byte| byte.is_ascii_digit()) {
                continue;
            }
            found.quantities.push(Quantity {
                comparator: quantity.comparator,
                value: quantity.value.into(),
                upper: quantity.upper.map(Into::into),
                tolerance: quantity.tolerance.map(Into::into),
                unit: quantity.unit.as_ref().map(|unit| text[unit.range.clone()].into()),
                ucum: quantity.unit.and_then(|unit| unit.ucum).map(Into::into),
                passage: passage(&quantity.range),
            });
        }
        let (form, table, subjects) = (part.form, &self.conditions, &self.subject);
        let sentence = ConditionSentence { text, lower: &lower, form, table, subjects };
        let conditions = sentence.conditions();
        let initial = conditions.first().filter(|first| first.start == 0).map_or(0, |first| first.end + 1);
        found.conditions.extend(conditions.iter().map(&mut passage));
        let subject = subject(initial, sentence);
        found.subject = subject.as_ref().map(passage).or(found.subject);
    }
}

/// The quantities and conditions of a single sentence without references; empty in a language without tables.
pub fn read_sentence(text: &str, lang: &Lang) -> (Vec<Quantity>, Vec<Passage>) {
    let mut found = FoundAnatomy::default();
    if let Some(anatomy) = Anatomy::of(lang) {
        anatomy.add(AnatomyText { text, in_lead_in: false, form: None }, &[], &mut found);
    }
    (found.quantities, found.conditions)
}

/// The text in lower case, each letter in as many bytes as before.
fn lower_case(text: &str) -> String {
    let lower =
        |c: char| c.to_lowercase().next().filter(|lower| lower.len_utf8() == c.len_utf8()).unwrap_or(c);
    if text.is_ascii() { text.to_ascii_lowercase() } else { text.chars().map(lower).collect() }
}

/// The positions of the words in the text, one after the other.
fn located(text: &str, words: &[&str]) -> Vec<Range<usize>> {
    let mut at = 0;
    let find = |words: &&str| {
        let start = at + text[at..].find(*words)?;
        at = start + words.len();
        Some(start..at)
    };
    words.iter().filter_map(find).collect()
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
    use super::*;

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
        let part = AnatomyText { text, in_lead_in: false, form: Some(&form) };
        Anatomy::of(&code.parse().unwrap()).unwrap().add(part, &[], &mut found);
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
