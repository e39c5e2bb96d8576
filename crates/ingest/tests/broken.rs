//! Verdicts on the broken samples, compared with those in samples/README.md.

#![allow(clippy::unwrap_used, reason = "this is test code")]

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use norma_editions::stores::open_store;
use norma_ingest::{DocumentReport, IngestLimits, IngestOptions, IngestVerdict, check, ingest};
use norma_settings::{Layers, SettingOrigin};
use norma_sts::Severity;

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples")
}

/// File names with the outcome in the tables of the README.
fn stated() -> Vec<(Vec<String>, String)> {
    let text = std::fs::read_to_string(samples().join("README.md")).unwrap();
    let broken = text.split("## Broken files").nth(1).unwrap();
    let rows = broken.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let files = cells[0].split(", ").map(|file| file.trim_matches('`').to_owned()).collect();
        (files, cells.last().unwrap().to_string())
    })
    .collect()
}

fn settings() -> norma_settings::IngestSettings {
    Layers::default().settings().unwrap().ingest
}

#[test]
fn each_broken_sample_comes_to_what_the_readme_says() {
    let rows = stated();
    assert!(rows.len() > 40, "the tables are not read: {}", rows.len());
    let mut wrong = Vec::new();
    for (files, outcome) in rows {
        for file in files {
            let path = samples().join("broken").join(&file);
            assert!(path.exists(), "{file}");
            let mut reports = Vec::new();
            check(vec![path], None, &IngestLimits::new(&settings()), |report| reports.push(report));
            assert!(!reports.is_empty(), "{file} gave no report");
            wrong.extend(
                reports
                    .iter()
                    .filter_map(|r| Some(format!("{file}: {outcome}, but {}", contradiction(&outcome, r)?))),
            );
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The difference between a report and the stated outcome.
fn contradiction(outcome: &str, report: &DocumentReport) -> Option<String> {
    let refused = matches!(report.verdict, IngestVerdict::Refused(_));
    if refused != outcome.starts_with("refused") {
        return Some(format!("{:?}", report.verdict));
    }
    let urn = outcome.strip_prefix("accepted as `").and_then(|rest| rest.split('`').next());
    if let Some(urn) = urn.filter(|urn| report.urn.as_ref().is_none_or(|found| found.as_str() != *urn)) {
        return Some(format!("{:?} is not {urn}", report.urn));
    }
    let has_diagnostic = |least: Severity| report.diagnostics.iter().any(|d| d.severity >= least);
    let is_unreported = outcome.contains("warning") && !has_diagnostic(Severity::Warning)
        || outcome.contains("a note") && !has_diagnostic(Severity::Note)
        || outcome.contains("language-mismatch")
            && !report.diagnostics.iter().any(|d| d.code == "language-mismatch");
    is_unreported.then(|| format!("{:?}", report.diagnostics))
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_files_stop_nothing_and_a_second_run_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("norma.db").display().to_string();
    let layers = Layers::default().set("store", &path, SettingOrigin::Command).unwrap();
    let store = open_store(&layers.settings().unwrap().store).await.unwrap();
    // One worker, so that of two documents with one name it is known which comes first.
    let mut settings = settings();
    settings.workers = 1;
    let options = IngestOptions::new(&settings);
    let run = async || {
        let mut reports = HashMap::new();
        let source = vec![samples().join("broken")];
        ingest(&store, source, &options, |report, _| {
            let name = report.document.strip_prefix(samples().join("broken")).unwrap().display().to_string();
            reports.insert(name, report);
        })
        .await;
        reports
    };
    let first = run().await;
    let refusal = |name: &str| match &first[name].verdict {
        IngestVerdict::Refused(refusal) => refusal.to_string(),
        other => panic!("{name}: {other:?}"),
    };
    let conflict = refusal("urn-conflict-b.xml");
    assert!(conflict.contains("urn-conflict-a.xml") && conflict.contains("urn-conflict-b.xml"), "{conflict}");
    let both = ["language-mismatch-english.xml", "language-mismatch.xml"]
        .map(|n| first[n].urn.as_ref().unwrap_or_else(|| panic!("{:?}", first[n])).to_string());
    assert_eq!(both, ["urn:nsb:std:nsb:4921:ed-1:en", "urn:nsb:std:nsb:4921:ed-1:fr"]);

    let second = run().await;
    assert_eq!(first.len(), second.len());
    for (name, report) in &second {
        let taken = !matches!(first[name].verdict, IngestVerdict::Refused(_) | IngestVerdict::Skipped(_));
        let same = matches!(report.verdict, IngestVerdict::Unchanged);
        assert!(same == taken, "{name}: first {:?}, then {:?}", first[name].verdict, report.verdict);
        assert_eq!(first[name].diagnostics, report.diagnostics, "{name}");
        assert_eq!(first[name].tally, report.tally, "{name}");
    }
}

/// A URN depends on the document alone: each subset of these, in each order, gives each document the name
/// that it has alone.
#[tokio::test(flavor = "multi_thread")]
async fn a_document_has_the_same_urn_in_any_order_and_any_company() {
    let names = ["language-mismatch.xml", "language-mismatch-english.xml", "amendment-without-number.xml"];
    let path = |name: &str| samples().join("broken").join(name);
    let mut alone = HashMap::new();
    for name in names {
        check(vec![path(name)], None, &IngestLimits::new(&settings()), |report| {
            alone.insert(name, (report.urn, report.diagnostics));
        });
    }
    assert_eq!(alone[names[0]].0.as_ref().unwrap().as_str(), "urn:nsb:std:nsb:4921:ed-1:fr");
    let options = IngestOptions::new(&settings());
    for order in orders(&names) {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("norma.db").display().to_string();
        let layers = Layers::default().set("store", &database, SettingOrigin::Command).unwrap();
        let store = open_store(&layers.settings().unwrap().store).await.unwrap();
        for name in &order {
            let mut reports = Vec::new();
            ingest(&store, vec![path(name)], &options, |report, _| reports.push(report)).await;
            assert!(matches!(reports[0].verdict, IngestVerdict::Created), "{order:?}: {:?}", reports[0]);
            let found = (reports[0].urn.clone(), reports[0].diagnostics.clone());
            assert_eq!(found, alone[name], "{name} in {order:?}");
        }
    }
}

/// Every order of every subset.
fn orders<'a>(names: &[&'a str]) -> Vec<Vec<&'a str>> {
    let mut all: Vec<Vec<&str>> = vec![Vec::new()];
    let mut grown = 0;
    while grown < all.len() {
        for name in names {
            if !all[grown].contains(name) {
                let longer = all[grown].iter().copied().chain([*name]).collect();
                all.push(longer);
            }
        }
        grown += 1;
    }
    all
}
