//! Names of types: each has one meaning in the whole workspace.

use std::collections::BTreeMap;

use crate::expect_none;
use crate::source::sources;

/// Names that two or more files share because they mean one thing: the crates of the files, the names, and
/// the reason.
const SHARED: [(&[&str], &str, &str); 4] = [
    (
        &["api", "model"],
        "Adoption Alternative Anchor Cell CellQuantity Column Copyright Definition Designation Graphic Ics \
         Instruction Metadata Passage Provision Quantity Reference Relation Section Slice Supplement Table TableFootnote \
         TableGroup Term TermText Title Unit",
        "a part of an edition, and its shape in answers",
    ),
    (
        &["api", "compare"],
        "Bound CellChange Change Dependency Edit Facets Polarity ReferenceChange SectionChange Strength \
         TableChange",
        "what changed between two editions, and its shape in answers",
    ),
    (&["api", "store"], "Lineage Sort", "what a store gives or takes, and its shape in the API"),
    (&["compare", "store"], "Correspondence", "a row of a publisher's table, as read and as stored"),
];

/// The name of a type or trait that a line declares. Associated types, which are indented, have the name that
/// their trait gives.
fn declared(line: &str) -> Option<&str> {
    let code = line.trim_start();
    let code = code.strip_prefix("pub").map_or(code, |rest| match rest.strip_prefix('(') {
        Some(rest) => rest.split_once(')').map_or(rest, |(_, rest)| rest),
        None => rest,
    });
    let (keyword, rest) = code.trim_start().split_once(' ')?;
    let is_type = matches!(keyword, "struct" | "enum" | "trait" | "union");
    let is_alias = keyword == "type" && !line.starts_with(' ');
    let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
    ((is_type || is_alias) && name.starts_with(char::is_uppercase)).then_some(name)
}

#[test]
fn one_type_name_has_one_meaning() {
    let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in sources() {
        let Some((name_of_crate, _)) = file.path.strip_prefix("crates/").and_then(|p| p.split_once("/src/"))
        else {
            continue;
        };
        let mut names: Vec<&str> = file.text.lines().filter_map(declared).collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            files.entry(name.to_owned()).or_default().push(name_of_crate.to_owned());
        }
    }
    assert!(files.len() > 1000, "only {} names were found", files.len());
    let mut wrong = Vec::new();
    for (crates, names, why) in SHARED {
        for name in names.split_whitespace() {
            match files.remove(name) {
                Some(found) if found == crates => {}
                found => wrong.push(format!("`{name}` ({why}) is expected in {crates:?}: {found:?}")),
            }
        }
    }
    wrong.extend(
        files.iter().filter(|(_, found)| found.len() > 1).map(|(n, found)| format!("`{n}`: {found:?}")),
    );
    expect_none(
        "A name of a type has one meaning, so that a search finds one thing: say whose it is (`PackPart`). \
         The same thing in two crates, for example in the model and in the API, goes to the list of this test.",
        &wrong,
    );
}

#[test]
fn declarations_are_found() {
    for line in
        ["struct Cell;", "pub(in crate::http) enum Cell<'a> {", "    pub struct Cell(u8);", "type Cell = u8;"]
    {
        assert_eq!(declared(line), Some("Cell"), "{line}");
    }
    for line in ["    type Item = u8;", "/// A struct Cell", "impl Cell {", "pub use cell::Cell;"] {
        assert_eq!(declared(line), None, "{line}");
    }
}
