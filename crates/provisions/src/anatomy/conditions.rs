//! Conditions of a sentence: “if”, “when”, “unless”, “in the case of”, and “for …” in front, as far as their ends are certain.

use std::ops::Range;

use serde::Deserialize;

use super::subject::{SubjectTable, subject};

/// The words of a language that open conditions.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct ConditionTable {
    /// Openers at the beginning of a sentence.
    initial: Vec<String>,
    /// Openers anywhere after it.
    inner: Vec<String>,
    /// Phrases that begin as an opener and are no condition.
    never: Vec<String>,
    /// Words that may begin the main clause after a condition: `then`.
    then: Vec<String>,
    /// Verbal forms of main clauses, which no condition holds.
    main_verbs: Vec<String>,
    /// What joins the last of several: `and`.
    coordinators: Vec<String>,
    /// Whether the verb follows a fronted condition without a comma (“Bei Frost ist …”).
    #[serde(default)]
    verb_second: bool,
}

/// How long a condition may be, in bytes; what is longer holds more than one.
const LONGEST: usize = 1000;
/// How many conditions of a text are listed.
const MOST: usize = 16;
/// How many words a fronted condition without a comma may have.
const FRONTED_WORDS: usize = 10;

/// The conditions of a text, in order, as bytes; `form` is the verbal form where this text holds it.
pub(super) fn conditions(
    text: &str,
    lower: &str,
    form: Option<&Range<usize>>,
    table: &ConditionTable,
    subjects: &SubjectTable,
) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = initial(text, lower, form, table, subjects).into_iter().collect();
    let mut at = found.first().map_or(0, |first| first.end);
    while let Some(start) = next_opener(lower, at, table).filter(|_| found.len() < MOST) {
        let end = end_of(text, lower, start, form, table);
        let condition = &text[start..end.max(start)];
        let abbreviation = condition.starts_with(|c: char| c.is_uppercase());
        if condition.contains(' ') && !abbreviation {
            found.push(start..end);
        }
        at = text.ceil_char_boundary(end.max(start + 1));
    }
    found
}

fn begins(lower: &str, phrases: &[String]) -> bool {
    phrases.iter().any(|phrase| {
        lower
            .strip_prefix(phrase.as_str())
            .is_some_and(|rest| phrase.ends_with(['’', '\'']) || !rest.starts_with(char::is_alphanumeric))
    })
}

/// The condition with which the sentence begins.
fn initial(
    text: &str,
    lower: &str,
    form: Option<&Range<usize>>,
    table: &ConditionTable,
    subjects: &SubjectTable,
) -> Option<Range<usize>> {
    let form = form?;
    if !begins(lower, &table.initial) || begins(lower, &table.never) {
        return None;
    }
    let before = &text[..form.start];
    let Some(comma) = before.rfind(',') else {
        let fronted = before.trim_end();
        let short = fronted.split_whitespace().count() <= FRONTED_WORDS;
        return (table.verb_second && short && !fronted.is_empty()).then_some(0..fronted.len());
    };
    let rest = before[comma + 1..].trim();
    let main = lower[comma + 1..form.start].trim();
    let led = table.then.iter().any(|then| main == then) || rest.is_empty();
    let start = form.start - before[comma + 1..].trim_start().len();
    // “For rice, where it is dry, the mass, the volume and the age shall …”: the last comma is one of the subject.
    let row = before.matches(',').count() > 1 && holds_word(main, &table.coordinators);
    if row {
        return None;
    }
    (led || subject(text, start, form, table, subjects).is_some()).then_some(0..comma)
}

/// Whether a word of the list begins the text; its length with the blank after it.
pub(super) fn then_length(lower: &str, table: &ConditionTable) -> usize {
    let found = table
        .then
        .iter()
        .find(|then| lower.strip_prefix(then.as_str()).is_some_and(|rest| rest.starts_with(' ')));
    found.map_or(0, |then| then.len() + 1)
}

fn next_opener(lower: &str, from: usize, table: &ConditionTable) -> Option<usize> {
    let starts = lower[from..].char_indices().map(|(offset, _)| from + offset);
    let mut starts = starts.filter(|&at| at > 0 && lower[..at].ends_with([' ', '(', '\u{a0}']));
    starts.find(|&at| {
        begins(&lower[at..], &table.inner)
            && !begins(&lower[at..], &table.never)
            && !lower[..at].ends_with("as ")
            && !lower[..at].ends_with("even ")
    })
}

/// Where a condition ends that begins within the sentence: at the comma before the verbal form, or with the sentence.
fn end_of(
    text: &str,
    lower: &str,
    start: usize,
    form: Option<&Range<usize>>,
    table: &ConditionTable,
) -> usize {
    let rest = &text[start..text.floor_char_boundary(start + LONGEST)];
    let bracket = text[..start].ends_with('(').then(|| rest.find(')')).flatten();
    let Some(limit) = bracket
        .or_else(|| rest.find([';', ':']))
        .or(Some(rest.len()).filter(|length| start + length == text.len()))
    else {
        return start;
    };
    let before_form = form.filter(|form| form.start > start).map(|form| form.start - start);
    match before_form {
        // “The lid, if it is wet, shall …”
        Some(form) if form < limit => rest[..form].find(',').map_or(start, |comma| start + comma),
        _ => {
            // “if possible, …”; “if it is wet, it shall be dried”, where an earlier verbal form decided.
            let comma = rest[..limit]
                .find(',')
                .filter(|comma| rest[..*comma].split_whitespace().count() <= SHORT_WORDS);
            let main = || {
                let mut words = word_starts(&lower[start..start + limit]);
                let verb = words.find(|at| begins(&lower[start + at..start + limit], &table.main_verbs))?;
                Some(rest[..verb].rfind(',').unwrap_or(0))
            };
            let limit = comma.or_else(main).unwrap_or(limit);
            start + rest[..limit].trim_end_matches(['.', ',', ' ', '!', '?']).len()
        }
    }
}

/// How many words a condition before a comma may have that is an aside: “if at all possible”.
const SHORT_WORDS: usize = 3;

/// Where words begin after the first.
fn word_starts(text: &str) -> impl Iterator<Item = usize> {
    text.match_indices(' ').map(|(at, _)| at + 1)
}

fn holds_word(text: &str, words: &[String]) -> bool {
    text.split_whitespace().any(|word| words.iter().any(|known| known == word))
}
