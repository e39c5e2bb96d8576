//! Traces: strings of which every text in which a rule of a language holds has one.

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::LanguageRule;

/// The traces of some rules, ascending; none begins with another one and a blank.
pub(super) fn of_rules(rules: &[LanguageRule]) -> Vec<String> {
    let mut traces: Vec<String> = Vec::new();
    for rule in rules {
        for trace in rule.pattern.traces() {
            // The tables have one apostrophe, texts have two.
            if trace.contains('\'') {
                add_trace(trace.replace('\'', "’"), &mut traces);
            }
            add_trace(trace, &mut traces);
        }
    }
    // For two traces with the same begin, the shorter one is enough.
    traces.sort();
    traces.dedup_by(|longer, shorter| match longer.strip_prefix(shorter.as_str()) {
        Some(rest) => rest.is_empty() || rest.starts_with(' '),
        None => false,
    });
    traces
}

/// Adds a trace with the capitals that the search does not know: it knows those of ASCII only, and a word may
/// begin with one or be in capitals.
fn add_trace(trace: String, traces: &mut Vec<String>) {
    if !trace.is_ascii() {
        let mut characters = trace.chars();
        if let Some(first) = characters.next() {
            let mut capitalized = String::from(capital(first));
            capitalized.push_str(characters.as_str());
            traces.push(capitalized);
        }
        traces.push(trace.chars().map(capital).collect());
    }
    traces.push(trace);
}

/// The capital of a character outside ASCII; others as they are.
fn capital(c: char) -> char {
    if c.is_ascii() { c } else { c.to_uppercase().next().unwrap_or(c) }
}

/// Finds traces in a text, in ASCII of either case.
pub(super) fn searched(traces: &[String]) -> AhoCorasick {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::LeftmostLongest)
        .kind(Some(AhoCorasickKind::NoncontiguousNFA))
        .build(traces)
        .expect("a test searches by every table")
}
