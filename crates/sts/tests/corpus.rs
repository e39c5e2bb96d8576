//! Corpus test: documents, compared with the result of an independent program on the same files.
//!
//! It needs the corpus (`NORMA_CORPUS`, else `../shared/corpus` next to the workspace) and a Python with lxml
//! (`NORMA_VENV`, else `python3`); without either it says so and passes.

#![allow(clippy::disallowed_methods, reason = "this is not production code")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use norma_model::{AssetSource, DesignationStatus};
use norma_sts::{Extraction, ExtractionOptions, extract};

use serde_json::json;

fn corpus() -> Option<PathBuf> {
    let sibling = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let folder = std::env::var_os("NORMA_CORPUS").map_or(sibling, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    println!("corpus absent: {} is not a folder", folder.display());
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
    extract(&source, &ExtractionOptions::default()).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The result for a document, in the form for the independent program.
fn given(path: &Path) -> serde_json::Value {
    let edition = read(path).edition;
    let status = |status| match status {
        DesignationStatus::Preferred => "preferred",
        DesignationStatus::Admitted => "admitted",
        DesignationStatus::Deprecated => "deprecated",
    };
    let terms = edition.terms.iter().map(|term| {
        let designations =
            term.designations.iter().map(|d| json!([d.language.primary(), status(d.status), d.text]));
        json!({
            "designations": designations.collect::<Vec<_>>(),
            "counts": {
                "definition": term.definitions.len(),
                "note": term.notes.len(),
                "example": term.examples.len(),
                "subjectField": term.domains.len(),
            },
        })
    });
    let graphics = edition.graphics.iter().map(|graphic| match &graphic.source {
        AssetSource::Href(href) => href.clone(),
        AssetSource::Embedded { .. } => "data:".to_owned(),
        AssetSource::Missing => String::new(),
    });
    json!({
        "path": path,
        "sections": edition.sections.iter().map(|s| s.xml.as_str()).collect::<Vec<_>>(),
        "terms": terms.collect::<Vec<_>>(),
        "graphics": graphics.collect::<Vec<_>>(),
        "references": edition.relations.iter().map(|r| r.reference.as_str()).collect::<Vec<_>>(),
    })
}

/// Differences that an independent program finds, a line each; `None` without Python
/// with lxml.
fn judged(paths: &[PathBuf]) -> Option<String> {
    let python = match std::env::var_os("NORMA_VENV") {
        Some(venv) => Path::new(&venv).join("bin/python"),
        None => PathBuf::from("python3"),
    };
    let there = Command::new(&python).args(["-c", "import lxml"]).output();
    if !there.is_ok_and(|output| output.status.success()) {
        println!("lxml absent: set NORMA_VENV to a virtual environment that has it");
        return None;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/judge.py");
    let mut checker = Command::new(python)
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the judge starts");
    let mut input = checker.stdin.take().expect("the judge listens");
    for path in paths {
        writeln!(input, "{}", given(path)).expect("the judge listens to the end");
    }
    drop(input);
    let output = checker.wait_with_output().expect("the judge ends");
    assert!(output.status.success(), "the judge fails");
    Some(String::from_utf8(output.stdout).expect("verdicts are UTF-8"))
}

#[test]
fn our_samples_have_the_markup_terms_and_references_that_lxml_finds() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let whole = |path: &PathBuf| path.file_name().is_some_and(|name| name == "document.xml");
    let paths: Vec<PathBuf> = documents(&samples).into_iter().filter(whole).collect();
    assert!(paths.len() >= 8, "{} samples", paths.len());
    if let Some(differences) = judged(&paths) {
        assert_eq!(differences, "");
    }
}

#[test]
fn real_documents_have_the_markup_terms_and_references_that_lxml_finds() {
    let Some(folder) = corpus() else { return };
    let paths = documents(&folder.join("sts"));
    assert!(!paths.is_empty(), "no documents in {}", folder.display());
    if let Some(differences) = judged(&paths) {
        assert_eq!(differences, "");
    }
}

#[test]
fn test_files_of_the_tag_sets_are_read_or_refused_with_a_reason() {
    let Some(folder) = corpus() else { return };
    for path in documents(&folder.join("fragments")) {
        let source = std::fs::read(&path).expect("the file can be read");
        let named = ExtractionOptions {
            urn: "urn:iso:std:iso:1:ed-1:en".parse().ok(),
            ..ExtractionOptions::default()
        };
        if let Err(error) = extract(&source, &ExtractionOptions::default()) {
            assert_eq!(error.code, "no-identity", "{}: {error}", path.display());
            let named = extract(&source, &named);
            assert!(named.is_ok(), "{}: {:?}", path.display(), named.err());
        }
    }
}
