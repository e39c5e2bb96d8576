//! Messages for callers and operators, in one list that can be read in one go. Problems and diagnostics have
//! pages of their own (docs/problems.md, docs/diagnostics.md).

use std::collections::{BTreeMap, BTreeSet};

use crate::source::{Lexeme, lexemes, sources};
use crate::{expect_none, read, root};

const LIST: &str = "crates/cli/tests/tidy/messages.txt";

/// Names after which a text is a message, with at most this many names between them.
const MARKS: [&str; 14] = [
    "anyhow",
    "bail",
    "context",
    "detail",
    "ensure",
    "error",
    "expected",
    "Failure",
    "hint",
    "invalid",
    "reason",
    "refusal",
    "refused",
    "with_context",
];
const NAMES_BETWEEN: usize = 4;

/// The messages of each crate, as they are written in the source.
fn messages() -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in sources() {
        let Some((name, path)) = file.path.strip_prefix("crates/").and_then(|path| path.split_once("/src/"))
        else {
            continue;
        };
        if path.ends_with("tests.rs") {
            continue;
        }
        let own = file.text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let (mut since, mut is_lint) = (usize::MAX, false);
        for (_, lexeme) in lexemes(own) {
            match lexeme {
                // The reason of an exception from a lint.
                Lexeme::Name("clippy") => is_lint = true,
                Lexeme::Text(_) if std::mem::take(&mut is_lint) => {}
                Lexeme::Name(name) if MARKS.contains(&name) => since = 0,
                Lexeme::Name(_) => since = since.saturating_add(1),
                Lexeme::Text(text) if since <= NAMES_BETWEEN && text.split_whitespace().nth(2).is_some() => {
                    let text = text.replace("\\n", " ").replace("\\\n", " ");
                    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                    found.entry(name.to_owned()).or_default().insert(text);
                }
                Lexeme::Text(_) | Lexeme::Comment(_) => {}
            }
        }
    }
    found
}

#[test]
#[allow(clippy::disallowed_methods, reason = "tests take no settings")]
fn the_list_of_messages_is_up_to_date() {
    let crates = messages()
        .into_iter()
        .map(|(name, texts)| format!("# {name}\n{}\n", texts.into_iter().collect::<Vec<_>>().join("\n")));
    let list = crates.collect::<Vec<_>>().join("\n");
    if std::env::var_os("NORMA_WRITE_DOCS").is_some() {
        std::fs::write(root().join(LIST), &list).unwrap();
    }
    assert!(list.lines().count() > 300, "few messages were found: does the code name them in another way?");
    assert!(
        read(LIST) == list,
        "{LIST} is out of date: NORMA_WRITE_DOCS=1 writes it; then read what changed"
    );
}

#[test]
fn no_message_is_there_in_two_wordings() {
    let mut wordings: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for text in messages().into_values().flatten() {
        let words = |c: char| !c.is_alphanumeric() && c != '{' && c != '}';
        let words =
            text.to_lowercase().split(words).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        wordings.entry(words).or_default().insert(text);
    }
    let twice = wordings.into_values().filter(|texts| texts.len() > 1);
    let twice: Vec<String> = twice.map(|texts| texts.into_iter().collect::<Vec<_>>().join(" | ")).collect();
    expect_none("Messages that differ in signs or case only:", &twice);
}
