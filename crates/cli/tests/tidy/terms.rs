//! Terms of `docs/decisions/0017-terms-not-used.md`: those not to be used in names, comments, strings and
//! documents.

use crate::source::{Lexeme, lexemes, sources};
use crate::{expect_none, read, root};

/// The page with the lists.
const PAGE: &str = "docs/decisions/0017-terms-not-used.md";
const ADVICE: &str = "docs/decisions/0017-terms-not-used.md says what to use instead.";

/// Phrases with a term of the list that say something else.
const FINE: [&str; 5] = ["there is no", "there is none", "there are none", "is no longer", "is no more"];

/// Names of other crates.
const FOREIGN: [&str; 3] = ["block_in_place", "open_in_place", "seal_in_place_append_tag"];

/// The first column of the table below a heading, cut at commas.
fn listed(page: &str, heading: &str) -> Vec<String> {
    let section = page.split(&format!("\n## {heading}\n")).nth(1).unwrap_or_else(|| panic!("no {heading}"));
    let section = section.split("\n## ").next().unwrap();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| ")?.split('|').next());
    let terms = rows.skip(1).flat_map(|cell| cell.split(',')).map(|term| term.trim().to_owned());
    let terms: Vec<String> = terms.collect();
    assert!(terms.len() > 10, "the page lists only {terms:?}");
    terms
}

/// A name cut into words: `NoDate` and `no_date` are `no date`.
fn words_of_name(name: &str) -> String {
    let mut words = String::new();
    let mut before = '_';
    let mut characters = name.chars().peekable();
    while let Some(c) = characters.next() {
        let next_is_lower = characters.peek().is_some_and(|c| c.is_lowercase());
        let begins = c.is_uppercase() && (!before.is_uppercase() || next_is_lower);
        if (begins || c == '_' || c == '-' || c == '.' || c == '/') && !words.ends_with(' ') {
            words.push(' ');
        }
        if c.is_alphanumeric() {
            words.extend(c.to_lowercase());
        }
        before = c;
    }
    words.trim().to_owned()
}

/// Whether a list of the glossary forbids a name: `*x*` as a part of it, `x` as the whole.
fn forbids(term: &str, words: &str) -> bool {
    match term.strip_prefix('*').and_then(|term| term.strip_suffix('*')) {
        Some(part) => format!(" {words} ").contains(&format!(" {part} ")),
        None => term == words,
    }
}

/// The terms that a text uses as whole words, outside backquotes.
fn used<'t>(terms: &'t [String], text: &str) -> Vec<&'t str> {
    let outside: Vec<&str> = text.split('`').step_by(2).collect();
    let mut words = format!(" {} ", outside.join(" ` ").to_lowercase())
        .replace(|c: char| !(c.is_alphanumeric() || c == '`'), " ");
    words = words.split_whitespace().collect::<Vec<_>>().join("  ");
    words = format!(" {words} ");
    for fine in FINE {
        words = words.replace(&format!(" {} ", fine.replace(' ', "  ")), " ");
    }
    let count = |term: &str| words.matches(&format!(" {} ", term.replace(' ', "  "))).count();
    terms.iter().flat_map(|term| std::iter::repeat_n(term.as_str(), count(term))).collect()
}

#[test]
fn code_uses_the_terms_of_the_glossary() {
    let page = read(PAGE);
    let (names, prose) = (listed(&page, "Not in names"), listed(&page, "Not in prose"));
    let (mut in_names, mut in_prose) = (Vec::new(), Vec::new());
    for file in sources() {
        let own = file.path.rsplit('/').next().unwrap();
        let in_tests = file.path.contains("/tests/") || own == "tests.rs";
        let tests_begin = file.text.find("#[cfg(test)]\nmod tests {").unwrap_or(file.text.len());
        let tests_begin = file.text[..tests_begin].lines().count() + 1;
        let mut check_name = |name: &str, line: usize| {
            let words = words_of_name(name);
            let term = names.iter().find(|term| forbids(term, &words));
            if let Some(term) = term.filter(|_| !FOREIGN.contains(&name)) {
                in_names.push(format!("{}:{line}: `{name}` ({term})", file.path));
            }
        };
        check_name(own, 1);
        let mut check_prose = |text: &str, line: usize| {
            for term in used(&prose, text) {
                in_prose.push(format!("{}:{line}: “{term}” in {}", file.path, text.trim()));
            }
        };
        for (line, lexeme) in lexemes(&file.text) {
            match lexeme {
                Lexeme::Name(name) => check_name(name, line),
                Lexeme::Comment(text) => check_prose(text, line),
                // Strings of tests are data; one without white space is a code or a path: `Option::is_none`.
                Lexeme::Text(text)
                    if !in_tests && line < tests_begin && text.contains(char::is_whitespace) =>
                {
                    check_prose(text, line);
                }
                Lexeme::Text(_) => {}
            }
        }
    }
    in_names.append(&mut in_prose);
    expect_none(ADVICE, &in_names);
}

#[test]
fn documents_use_the_terms_of_the_glossary() {
    let prose = listed(&read(PAGE), "Not in prose");
    let documents = walkdir::WalkDir::new(root().join("docs"))
        .into_iter()
        .map(|entry| entry.unwrap().into_path())
        .filter(|path| path.extension().is_some_and(|e| e == "md") && !path.ends_with(PAGE))
        .chain(
            ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|name| root().join(name)),
        )
        .chain([root().join("crates/settings/src/default.toml")]);
    let mut wrong = Vec::new();
    for path in documents {
        let text = std::fs::read_to_string(&path).unwrap();
        // Fenced code is at odd indices.
        for (i, part) in text.split("\n```").enumerate().filter(|(i, _)| i % 2 == 0) {
            let line = text.split("\n```").take(i).map(|p| p.matches('\n').count() + 1).sum::<usize>() + 1;
            for (offset, text) in part.lines().enumerate() {
                wrong.extend(
                    used(&prose, text)
                        .iter()
                        .map(|term| format!("{}:{}: “{term}” in {text}", path.display(), line + offset)),
                );
            }
        }
    }
    expect_none(ADVICE, &wrong);
}

#[test]
fn names_and_texts_are_matched_by_whole_words() {
    assert_eq!(words_of_name("NoDate"), words_of_name("no_date"));
    assert_eq!(words_of_name("XMLReader_2"), "xml reader 2");
    assert!(forbids("*no date*", "parse no date error") && !forbids("no date", "parse no date error"));
    assert!(!forbids("*place*", "replace all"));
    let terms = ["is no".to_owned(), "told".to_owned()];
    assert_eq!(used(&terms, "It is no date; told, told."), ["is no", "told", "told"]);
    assert!(used(&terms, "There is no date, it is no longer `told`.").is_empty());
    let terms = ["is none".to_owned(), "are none".to_owned()];
    assert_eq!(used(&terms, "There is none, there are none; it is none."), ["is none"]);
}
