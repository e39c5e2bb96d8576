//! Subject of a sentence: the words before its verbal form, if these are one plain phrase.

use std::ops::Range;

use serde::Deserialize;

use super::conditions::{ConditionSentence, then_length};

/// The words of a language that show that a phrase is not a plain subject.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct SubjectTable {
    /// First words of phrases that are not a subject or do not name one: pronouns, prepositions,
    /// conjunctions.
    not_first: Vec<String>,
    /// Words that make a phrase more than a noun and what belongs to it: relative pronouns, verbs.
    breakers: Vec<String>,
    /// Words that are pronouns alone and determiners before others: “this lid”.
    determiners: Vec<String>,
    /// Words between a subject and its verbal form that belong to the latter: `ne`.
    #[serde(default)]
    trailing: Vec<String>,
    most_words: usize,
}

/// The subject between `start` and the verbal form, as bytes of the text.
pub(super) fn subject(start: usize, sentence: ConditionSentence<'_>) -> Option<Range<usize>> {
    let ConditionSentence { text, form: Some(form), table: conditions, subjects: table, .. } = sentence
    else {
        return None;
    };
    let lower = sentence.lower.get(start..form.start)?;
    let skipped = lower.len() - lower.trim_start().len();
    let start = start + skipped + then_length(lower.trim_start(), conditions);
    let mut phrase = text[start..form.start].trim_end();
    for trailing in &table.trailing {
        if let Some(rest) = phrase.strip_suffix(trailing.as_str())
            && rest.ends_with(char::is_whitespace)
        {
            phrase = rest.trim_end();
        }
    }
    // A number or a sign begins no subject, and these signs part it or make it more than a phrase.
    let begins_with_letter = phrase.starts_with(|c: char| c.is_alphabetic());
    if !begins_with_letter || phrase.contains([',', ';', ':', '“', '"', '«', '„', '?', '=', '|']) {
        return None;
    }
    let words: Vec<String> = phrase.split_whitespace().map(str::to_lowercase).collect();
    let (first, others) = words.split_first()?;
    if words.len() > table.most_words || others.iter().any(|word| table.breakers.contains(word)) {
        return None;
    }
    let is_determiner = !others.is_empty() && table.determiners.contains(first);
    if table.not_first.contains(first) && !is_determiner {
        return None;
    }
    Some(start..start + phrase.len())
}
