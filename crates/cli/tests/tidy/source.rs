//! Source files of the workspace, and a lexer that distinguishes names, comments and strings.

use std::path::Path;

use crate::root;

/// A file of Rust code.
pub(crate) struct Source {
    /// From the root of the workspace.
    pub(crate) path: String,
    pub(crate) text: String,
}

/// A lexeme that a reader reads as words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lexeme<'t> {
    Name(&'t str),
    Comment(&'t str),
    Text(&'t str),
}

/// All Rust files of the workspace and of the fuzz targets.
pub(crate) fn sources() -> Vec<Source> {
    let root = root();
    let files: Vec<Source> = ["crates", "bench", "fuzz"]
        .iter()
        .flat_map(|folder| walkdir::WalkDir::new(root.join(folder)).sort_by_file_name())
        .map(|entry| entry.unwrap().into_path())
        .filter(|path| path.extension().is_some_and(|e| e == "rs") && !is_built(path))
        .map(|path| Source {
            text: std::fs::read_to_string(&path).unwrap(),
            path: path.strip_prefix(&root).unwrap().display().to_string(),
        })
        .collect();
    assert!(files.len() > 400, "only {} files were found", files.len());
    files
}

fn is_built(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == "target")
}

/// The lexemes of a file, each with its line, from 1.
pub(crate) fn lexemes(text: &str) -> Vec<(usize, Lexeme<'_>)> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut line = 1;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let (length, lexeme) = first(rest);
        if let Some(lexeme) = lexeme {
            found.push((line, lexeme));
        }
        line += rest[..length].matches('\n').count();
        at += length;
    }
    found
}

/// The length of the first lexeme, and the lexeme if it has words.
fn first(rest: &str) -> (usize, Option<Lexeme<'_>>) {
    let is_name = |c: char| c == '_' || c.is_alphanumeric();
    if rest.starts_with("//") {
        let end = rest.find('\n').unwrap_or(rest.len());
        return (end, Some(Lexeme::Comment(&rest[..end])));
    }
    if let Some((open, close)) = raw_string(rest) {
        let end = rest[open..].find(&close).map_or(rest.len(), |i| open + i);
        return ((end + close.len()).min(rest.len()), Some(Lexeme::Text(&rest[open..end])));
    }
    let c = rest.chars().next().expect("the rest is not empty");
    if c == '"' {
        let end = closing_quote(rest, '"');
        return (end + 1, Some(Lexeme::Text(&rest[1..end])));
    }
    if c == '\'' {
        // A character, or a lifetime.
        let mut next = rest.chars().skip(1);
        let (first, second) = (next.next(), next.next());
        let is_character = first == Some('\\') || second == Some('\'');
        return (if is_character { closing_quote(rest, '\'') + 1 } else { 1 }, None);
    }
    if is_name(c) {
        let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        return (end, Some(Lexeme::Name(&rest[..end])));
    }
    (c.len_utf8(), None)
}

/// The begin of a raw string after its prefix, and its end mark.
fn raw_string(rest: &str) -> Option<(usize, String)> {
    let prefix = ["r", "br", "cr"].into_iter().find(|prefix| {
        rest.strip_prefix(prefix).is_some_and(|r| r.trim_start_matches('#').starts_with('"'))
    })?;
    let hashes = rest[prefix.len()..].find('"').expect("there is a quote");
    Some((prefix.len() + hashes + 1, format!("\"{}", "#".repeat(hashes))))
}

/// The offset of the quote that ends a literal.
fn closing_quote(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (i, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return i,
            _ => {}
        }
    }
    rest.len() - 1
}

#[test]
fn names_comments_and_strings_are_distinguished() {
    let text = "let a = \"x\\\"y\"; // why\nb::<'c>('\\'', 'd', r#\"e\"f\"#, b\"g\") /* h */";
    use Lexeme::{Comment, Name, Text};
    let expected = [
        (1, Name("let")),
        (1, Name("a")),
        (1, Text("x\\\"y")),
        (1, Comment("// why")),
        (2, Name("b")),
        (2, Name("c")),
        (2, Text("e\"f")),
        (2, Name("b")),
        (2, Text("g")),
        (2, Name("h")),
    ];
    assert_eq!(lexemes(text), expected);
}
