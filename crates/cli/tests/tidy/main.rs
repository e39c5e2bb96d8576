//! Rules of tidiness: terms, names of types, heads and lengths of files, and what the documents have to name.
//! have.

#![allow(clippy::unwrap_used, reason = "this is test code")]

mod messages;
mod names;
mod source;
mod terms;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use self::source::sources;

/// Lines that a file may have, its tests included.
const MOST_LINES: usize = 500;

/// Characters that a line of prose may have.
const MOST_COLUMNS: usize = 110;

/// The last column at which the last word of a longer line may begin: it is a link or an address that cannot
/// be divided.
const FIRST_OF_LONG_WORD: usize = 90;

/// Pages that tests make from the texts of the program.
const MADE: [&str; 2] = ["docs/problems.md", "docs/diagnostics.md"];

/// First words of a sentence that defines by a pronoun instead of a term.
const PRONOUNS: [&str; 8] = ["What", "Who", "Whoever", "Whether", "Why", "How", "When", "Where"];

/// Fails with the advice and the findings if there are any.
pub(crate) fn expect_none(advice: &str, findings: &[String]) {
    assert!(findings.is_empty(), "{advice}\n{}\n{} findings", findings.join("\n"), findings.len());
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace is there")
}

pub(crate) fn read(path: &str) -> String {
    let path = root().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

#[test]
fn every_file_begins_with_a_noun_phrase() {
    let wrong = sources()
        .into_iter()
        .filter(|file| {
            let head = file.text.lines().next().unwrap_or_default().strip_prefix("//! ");
            head.and_then(|head| head.split_whitespace().next()).is_none_or(|word| PRONOUNS.contains(&word))
        })
        .map(|file| file.path)
        .collect::<Vec<_>>();
    expect_none(
        "The first line of a file is `//! ` and a noun phrase that names its content, but not of:",
        &wrong,
    );
}

#[test]
fn no_file_is_too_long() {
    let wrong = sources()
        .into_iter()
        .filter(|file| file.text.lines().count() > MOST_LINES)
        .map(|file| format!("{}: {} lines", file.path, file.text.lines().count()))
        .collect::<Vec<_>>();
    expect_none(&format!("A file has at most {MOST_LINES} lines; split by responsibility:"), &wrong);
}

/// Whether a line is longer than prose may be. Tables, and lines that end in a link, are not counted.
fn is_long(line: &str) -> bool {
    let prose = line.trim_start_matches(['/', '!', ' ']);
    let words_end = line.rfind(' ').map_or(0, |at| line[..at].chars().count());
    line.chars().count() > MOST_COLUMNS && !prose.starts_with('|') && words_end > FIRST_OF_LONG_WORD
}

#[test]
fn every_line_of_prose_is_short() {
    let mut wrong = Vec::new();
    for file in sources() {
        let comments = file.text.lines().enumerate().filter(|(_, line)| line.trim_start().starts_with("//"));
        let long = comments.filter(|(_, line)| is_long(line));
        wrong.extend(long.map(|(at, _)| format!("{}:{}", file.path, at + 1)));
    }
    for entry in walkdir::WalkDir::new(root()).into_iter().filter_entry(|entry| {
        let name = entry.file_name().to_string_lossy();
        !name.starts_with('.') && name != "target" && name != "node_modules"
    }) {
        let path = entry.unwrap().into_path();
        if path.extension().is_none_or(|e| e != "md") || MADE.iter().any(|made| path.ends_with(made)) {
            continue;
        }
        let mut is_code = false;
        for (at, line) in std::fs::read_to_string(&path).unwrap().lines().enumerate() {
            is_code ^= line.trim_start().starts_with("```");
            if !is_code && is_long(line) {
                wrong.push(format!("{}:{}", path.display(), at + 1));
            }
        }
    }
    expect_none(&format!("A line of prose has at most {MOST_COLUMNS} characters:"), &wrong);
}

#[test]
fn pictures_are_of_the_present_pages() {
    let check = ["--check", "--quiet", "docs/pictures/sources.sha256"];
    let output = std::process::Command::new("sha256sum").args(check).current_dir(root()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "run script/pictures: what the pictures show has changed: {said}");
}

#[test]
fn every_direct_dependency_is_explained() {
    let page = read("docs/decisions/0002-dependencies.md");
    let named: BTreeSet<&str> =
        page.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_')).collect();
    let mut manifests = vec![
        "Cargo.toml".to_owned(),
        "bench/data/Cargo.toml".into(),
        "bench/evaluate/Cargo.toml".into(),
        "fuzz/Cargo.toml".into(),
    ];
    for entry in std::fs::read_dir(root().join("crates")).unwrap() {
        manifests.push(format!("crates/{}/Cargo.toml", entry.unwrap().file_name().to_string_lossy()));
    }
    let mut missing = BTreeSet::new();
    for manifest in manifests {
        let table: toml::Table = read(&manifest).parse().unwrap_or_else(|e| panic!("{manifest}: {e}"));
        let workspace = table.get("workspace").and_then(|w| w.as_table());
        let sections = ["dependencies", "dev-dependencies", "build-dependencies"];
        let sections = sections.iter().filter_map(|s| table.get(*s));
        for section in sections.chain(workspace.and_then(|w| w.get("dependencies"))) {
            let names = section.as_table().unwrap().keys();
            missing.extend(
                names
                    .filter(|name| !name.starts_with("norma-") && !named.contains(name.as_str()))
                    .map(|name| format!("{name} ({manifest})")),
            );
        }
    }
    assert!(missing.is_empty(), "docs/decisions/0002-dependencies.md has no line for {missing:?}");
}

#[test]
fn every_setting_is_documented() {
    let page = read("docs/operations.md");
    let keys = norma_settings::keys();
    let missing: Vec<&str> = keys
        .iter()
        .map(|key| key.name.as_str())
        .filter(|name| !page.contains(&format!("`{name}`")))
        .collect();
    assert!(missing.is_empty(), "docs/operations.md does not name the settings {missing:?}");
}

#[test]
fn every_metric_is_documented() {
    let page = read("docs/operations.md");
    let mut count = 0;
    for file in sources().iter().filter(|file| file.path.contains("/src/")) {
        for (before, name) in file.text.match_indices("!(\"norma_").map(|(i, _)| file.text.split_at(i)) {
            let metric = ["counter", "gauge", "histogram"].iter().any(|kind| before.ends_with(kind));
            let name = name.split('"').nth(1).unwrap();
            assert!(!metric || page.contains(name), "docs/operations.md does not name the metric {name}");
            count += usize::from(metric);
        }
    }
    assert!(count >= 9, "only {count} metrics were found: does the code name them in another way?");
}
