//! Tests of the tables of rules.

use super::*;

/// An example that the first test misses would never be read.
#[test]
fn each_example_is_noticed_before_it_is_read() {
    for language in Language::all() {
        for rule in language.rules.iter().filter(|rule| rule.pattern.keys().next().is_some()) {
            let text = rule.example.as_str();
            let tokens = tokens(text, 0..text.len(), &[], &language.lexicon);
            assert!(!language.traces(&tokens, text).is_empty(), "{}: `{text}`", rule.id);
            assert!(language.spelled_traces(text).next().is_some(), "{}: `{text}`", rule.id);
        }
    }
}

#[test]
fn rule_ids_are_unique_and_say_their_language() {
    let mut seen = std::collections::HashSet::new();
    for language in Language::all() {
        for rule in &language.rules {
            let readings = rule.denied.iter().map(|denied| &denied.id).chain([&rule.id]);
            readings.for_each(|id| assert!(seen.insert(id), "{id}"));
            assert!(rule.id.starts_with(&format!("{}-", language.code)), "{}", rule.id);
        }
    }
}
