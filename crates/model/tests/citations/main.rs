//! Printed citations with known answers: made of templates by construction, and written by hand. Half of each
//! was not run before the reader was complete.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

mod by_hand;
mod generator;
mod refused;

use norma_model::printed::PrintedCitation;

/// The halves of templates and of citations by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Half {
    /// Looked at while the reader was written.
    Open,
    /// Run when it was complete.
    Held,
}

/// The half of a template or citation, by its text (FNV-1a).
fn half(name: &str) -> Half {
    let mut hash: u32 = 0x811c_9dc5;
    for byte in name.bytes() {
        hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    }
    if hash >> 16 & 1 == 0 { Half::Open } else { Half::Held }
}

/// What a citation is read as: `URN year | place; place`.
fn read(text: &str) -> String {
    let Ok(citation) = PrintedCitation::read(text) else { return "unreadable".to_owned() };
    let document = match &citation.document {
        Some(document) => match &document.citation.year {
            Some(year) => format!("{} {year}", document.citation.urn),
            None => document.citation.urn.to_string(),
        },
        None => "-".to_owned(),
    };
    let locations: Vec<String> = citation.locations.iter().map(ToString::to_string).collect();
    if locations.is_empty() { document } else { format!("{document} | {}", locations.join("; ")) }
}

/// The citations that are not read as expected, with their number.
fn wrong(expected: &[(String, String)]) -> Vec<String> {
    let mut wrong = Vec::new();
    for (text, answer) in expected {
        let found = read(text);
        if found != *answer {
            wrong.push(format!("{text}\n    expected {answer}\n    found    {found}"));
        }
    }
    wrong
}

fn assert_read(expected: &[(String, String)]) {
    let wrong = wrong(expected);
    let misread = wrong.iter().filter(|one| !one.ends_with("found    unreadable")).count();
    assert!(
        wrong.is_empty(),
        "{} of {} are not read as expected, {misread} of them wrongly:\n{}",
        wrong.len(),
        expected.len(),
        wrong.iter().take(40).cloned().collect::<Vec<_>>().join("\n")
    );
}

fn assert_refused(of: Half) {
    let mut read_as = Vec::new();
    for text in refused::of(of) {
        let found = read(text);
        if found != "unreadable" {
            read_as.push(format!("{text}: {found}"));
        }
    }
    assert_eq!(read_as, Vec::<String>::new());
}

#[test]
fn citations_by_construction_are_read_as_they_were_made() {
    assert_read(&generator::made(Half::Open, 4_000));
}

#[test]
fn citations_of_templates_that_were_not_looked_at_are_read_as_they_were_made() {
    assert_read(&generator::made(Half::Held, 4_000));
}

#[test]
fn citations_by_hand_are_read_as_expected() {
    assert_read(&by_hand::of(Half::Open));
}

#[test]
fn citations_by_hand_that_were_not_looked_at_are_read_as_expected() {
    assert_read(&by_hand::of(Half::Held));
}

#[test]
fn what_is_no_citation_is_refused() {
    assert_refused(Half::Open);
}

#[test]
fn what_is_no_citation_and_was_not_looked_at_is_refused() {
    assert_refused(Half::Held);
}
