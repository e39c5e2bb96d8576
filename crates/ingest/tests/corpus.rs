//! Real documents, each ingested into a store of its own, counted against XPath by lxml.
//!
//! The documents are in the folder that `NORMA_CORPUS` names, else in `../shared/corpus` next to the
//! checkout; without them, or without a Python with lxml in `NORMA_VENV`, the test says so and proves
//! nothing.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

use std::path::{Path, PathBuf};
use std::process::Command;

use norma_editions::pack;
use norma_editions::stores::open_store;
use norma_ingest::{DocumentReport, IngestOptions, IngestVerdict, ingest};
use norma_render::PackPart;
use norma_settings::{Layers, SettingOrigin};
use norma_store::Store;
use serde::Deserialize;

#[derive(Deserialize)]
struct Facts {
    path: PathBuf,
    graphics: usize,
    tables: usize,
    terms: usize,
    ics: usize,
    references: usize,
    obligations: Vec<String>,
}

fn facts() -> Option<Vec<Facts>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = std::env::var_os("NORMA_CORPUS")
        .map_or_else(|| root.join("../shared/corpus"), PathBuf::from)
        .join("sts");
    let python = Path::new(&std::env::var_os("NORMA_VENV")?).join("bin/python");
    let documents: Vec<PathBuf> = walkdir::WalkDir::new(folder)
        .into_iter()
        .filter_map(|entry| Some(entry.ok()?.into_path()))
        .filter(|path| path.extension().is_some_and(|e| e == "xml"))
        .collect();
    if documents.is_empty() {
        return None;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus.py");
    let output = Command::new(python).arg(script).args(&documents).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).unwrap();
    Some(lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

async fn taken_in(document: &Path) -> (DocumentReport, Store, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("norma.db").display().to_string();
    let layers = Layers::default().set("store", &path, SettingOrigin::Command).unwrap();
    let settings = layers.settings().unwrap();
    let store = open_store(&settings.store).await.unwrap();
    let options = IngestOptions::new(&settings.ingest);
    let mut reports = Vec::new();
    ingest(&store, vec![document.to_owned()], &options, |report, _| reports.push(report)).await;
    assert_eq!(reports.len(), 1);
    (reports.remove(0), store, folder)
}

/// Texts of the provisions in answers, without white space, each with its lead-in before it.
async fn provisions(store: &Store, report: &DocumentReport) -> Vec<String> {
    let entry = store.entry(report.urn.as_ref().unwrap()).await.unwrap().unwrap();
    let bytes = pack::part(&store.handle(&entry), PackPart::Provisions).await.unwrap().unwrap();
    let view: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
    let text = |item: &serde_json::Value, member: &str| letters(item[member].as_str().unwrap_or_default());
    view["items"].as_array().unwrap().iter().flat_map(|p| [text(p, "text"), text(p, "leadIn")]).collect()
}

/// Letters only: formulae, marks and references are written differently in plain text.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphabetic()).collect()
}

/// True if a paragraph holds a provision, by the letters from its "shall" on.
fn is_found(paragraph: &str, provisions: &[String]) -> bool {
    paragraph.match_indices(" shall ").any(|(at, _)| {
        let from: String = letters(&paragraph[at..]).chars().take(16).collect();
        provisions.iter().any(|provision| provision.contains(&from))
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn every_real_document_is_taken_in_and_has_the_parts_that_xpath_counts() {
    let Some(facts) = facts() else {
        eprintln!("corpus absent: no documents, or NORMA_VENV is not set; nothing is proved here");
        return;
    };
    let openapi = norma_api::openapi::snapshot();
    let parameter = "/paths/~1api~1content~1v1~1standards~1{id}/get/parameters/0/schema/pattern";
    let urn_pattern = regex::Regex::new(openapi.pointer(parameter).unwrap().as_str().unwrap()).unwrap();
    let (mut wrong, mut obligations, mut found) = (Vec::new(), 0, 0);
    for expected in facts {
        let name = expected.path.display().to_string();
        let (report, store, _folder) = taken_in(&expected.path).await;
        if !matches!(report.verdict, IngestVerdict::Created) {
            wrong.push(format!("{name}: {:?}", report.verdict));
            continue;
        }
        let urn = report.urn.as_ref().unwrap().to_string();
        if !urn_pattern.is_match(&urn) {
            wrong.push(format!("{name}: the contract's pattern does not match {urn}"));
        }
        let tally = report.tally;
        for (what, counted, by_xpath) in [
            ("graphics", tally.graphics, expected.graphics),
            ("tables", tally.tables, expected.tables),
            ("ICS", tally.ics, expected.ics),
        ] {
            if counted != by_xpath {
                wrong.push(format!("{name}: {counted} {what}, XPath counts {by_xpath}"));
            }
        }
        // Definition lists in a terms clause are terms too.
        if tally.terms < expected.terms {
            wrong.push(format!("{name}: {} terms, XPath counts {} entries", tally.terms, expected.terms));
        }
        // An amendment names what it amends in its text only.
        let is_supplement = report.urn.as_ref().is_some_and(|urn| !urn.supplements().is_empty());
        if tally.relations < expected.references || !is_supplement && tally.relations > expected.references {
            wrong
                .push(format!("{name}: {} relations, XPath counts {}", tally.relations, expected.references));
        }
        let provisions = provisions(&store, &report).await;
        obligations += expected.obligations.len();
        for paragraph in &expected.obligations {
            match is_found(paragraph, &provisions) {
                true => found += 1,
                false => eprintln!("{name}: no provision in: {paragraph}"),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // A standard on how to write standards speaks of the word itself; those few are no provisions.
    assert!(
        found * 100 >= obligations * 97,
        "{found} of {obligations} paragraphs with an obligation are found"
    );
    eprintln!("{found} of {obligations} paragraphs with an obligation hold a provision");
}
