//! Real documents, against facts that a program without any part in Norma works out from the same files.
//!
//! It needs the corpus (`NORMA_CORPUS`, else `../shared/corpus` beside the workspace) and a Python with lxml
//! (`NORMA_VENV`, else `python3`); where either lacks it says so and passes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use norma_sts::{Extraction, Options, extract};

fn corpus() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let folder = std::env::var_os("NORMA_CORPUS").map_or(beside, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    println!("corpus absent: {} is no folder", folder.display());
    None
}

fn documents(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the corpus can be listed") {
            let path = entry.expect("an entry of the corpus").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "xml") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn read(path: &Path) -> Extraction {
    let source = std::fs::read(path).expect("the document can be read");
    extract(&source, &Options::default()).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Facts by path; `None` where there is no Python with lxml.
fn facts(paths: &[PathBuf]) -> Option<Vec<serde_json::Value>> {
    let python = match std::env::var_os("NORMA_VENV") {
        Some(venv) => Path::new(&venv).join("bin/python"),
        None => PathBuf::from("python3"),
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/facts.py");
    let output = Command::new(python).arg(script).args(paths).output().ok().filter(|o| o.status.success());
    let Some(output) = output else {
        println!("lxml absent: set NORMA_VENV to a virtual environment that has it");
        return None;
    };
    let text = String::from_utf8(output.stdout).expect("facts are UTF-8");
    Some(text.lines().map(|line| serde_json::from_str(line).expect("a fact is JSON")).collect())
}

fn characters(xml: &str) -> String {
    let document = roxmltree::Document::parse(xml).unwrap_or_else(|e| panic!("{e}: {xml:.300}"));
    let texts = document.descendants().filter(|n| n.is_text()).filter_map(|n| n.text());
    texts.flat_map(str::split_whitespace).collect()
}

fn histogram(text: &str) -> BTreeMap<char, usize> {
    let mut counts = BTreeMap::new();
    text.chars().for_each(|c| *counts.entry(c).or_default() += 1);
    counts
}

#[test]
fn whole_documents_have_the_parts_and_the_text_that_lxml_counts() {
    let Some(folder) = corpus() else { return };
    let paths = documents(&folder.join("sts"));
    assert_eq!(paths.len(), 26);
    let Some(facts) = facts(&paths) else { return };
    for (path, fact) in paths.iter().zip(facts) {
        let edition = read(path).edition;
        let name = path.display();
        let count = |key: &str| fact[key].as_u64().expect("a count") as usize;
        let own = edition.sections.iter().filter(|s| {
            ["<sec", "<app", "<term-sec"].iter().any(|tag| {
                s.xml.strip_prefix(tag).is_some_and(|rest| rest.starts_with([' ', '>', '\n', '\r', '/']))
            })
        });
        assert_eq!(own.count(), count("sections"), "sections of {name}");
        assert_eq!(edition.graphics.len(), count("graphics"), "graphics of {name}");
        assert_eq!(edition.tables.len(), count("tables"), "tables of {name}");
        assert_eq!(edition.ics.len(), count("ics"), "ICS of {name}");
        assert!(edition.terms.len() >= count("entries"), "terms of {name}");

        let parts: Vec<String> = edition.sections.iter().map(|s| characters(&s.xml)).collect();
        let all: String = parts.concat();
        let source = fact["characters"].as_str().expect("characters");
        assert_eq!(histogram(&all), histogram(source), "text of {name}");
    }
}

#[test]
fn test_files_of_the_tag_sets_are_read_or_refused_with_a_reason() {
    let Some(folder) = corpus() else { return };
    for path in documents(&folder.join("fragments")) {
        let source = std::fs::read(&path).expect("the file can be read");
        let named = Options { urn: "urn:iso:std:iso:1:ed-1:en".parse().ok(), ..Options::default() };
        if let Err(error) = extract(&source, &Options::default()) {
            assert_eq!(error.code, "no-identity", "{}: {error}", path.display());
            let named = extract(&source, &named);
            assert!(named.is_ok(), "{}: {:?}", path.display(), named.err());
        }
    }
}

#[test]
fn damaged_copies_are_read_or_refused_but_never_break_the_program() {
    let Some(folder) = corpus() else { return };
    let path = folder.join("sts/iso-rice-2016-en/document-en.niso.sts.xml");
    let source = std::fs::read(path).expect("the document can be read");
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed as usize % below
    };
    for round in 0..60 {
        let mut copy = source.clone();
        match round % 4 {
            0 => copy.truncate(random(source.len())),
            1 => copy[random(source.len())] ^= 1 << random(8),
            2 => {
                let at = random(source.len());
                copy.splice(at..at, *b"&nosuch;&mdash;");
            }
            _ => {
                let (from, to) = (random(source.len() - 200), random(source.len() - 200));
                let piece: Vec<u8> = copy[from..from + 100].to_vec();
                copy.splice(to..to + 100, piece);
            }
        }
        match extract(&copy, &Options::default()) {
            Ok(extraction) => extraction.edition.sections.iter().for_each(|s| {
                characters(&s.xml);
            }),
            Err(error) => assert!(!error.hint.is_empty() && error.line > 0, "{error}"),
        }
    }
}
