//! `norma export` for tools of requirements against the running demonstration: the mapping of two editions,
//! ids that survive, links that are made in the tools, and what is refused.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use support::Demo;

const OLDER: &str = "urn:nsb:std:nsb:4210:ed-1:en";
const NEWER: &str = "urn:nsb:std:nsb:4210:ed-2:en";
const ONLY_DISCOVERED: &str = "urn:nsb:std:nsb:4220:ed-1:en";

/// Runs it: exit code, bytes, errors.
fn run(demo: &Demo, arguments: &[&str]) -> (i32, Vec<u8>, String) {
    let output = demo.as_caller("export", arguments).output().unwrap();
    (output.status.code().unwrap(), output.stdout, String::from_utf8(output.stderr).unwrap())
}

fn exported(demo: &Demo, arguments: &[&str]) -> Vec<u8> {
    let (code, bytes, errors) = run(demo, arguments);
    assert_eq!(code, 0, "{arguments:?}: {errors}");
    bytes
}

/// The needs of an export, by the kind and the id that the API gives them.
fn needs(bytes: &[u8]) -> BTreeMap<(String, String), Value> {
    let file: Value = serde_json::from_slice(bytes).unwrap();
    let needs = file["versions"]["norma"]["needs"].as_object().unwrap();
    let mut by_local_id = BTreeMap::new();
    for need in needs.values() {
        let text = |member: &str| need[member].as_str().unwrap_or_default().to_owned();
        if !text("local_id").is_empty() {
            let kind = text("type").trim_start_matches("std_").to_owned();
            by_local_id.insert((kind, text("local_id")), need.clone());
        }
    }
    by_local_id
}

/// The words of a provision of a comparison.
fn words(side: &Value) -> String {
    let text = |member: &str| side[member].as_str().unwrap_or_default();
    format!("{} {}", text("leadIn"), text("text")).trim().to_owned()
}

/// A line of the table that was labelled by hand.
struct Labelled<'a> {
    stated: &'a str,
    older: &'a str,
    newer: &'a str,
}

#[tokio::test(flavor = "multi_thread")]
async fn the_mapping_of_the_samples_is_the_one_that_was_labelled_by_hand() {
    let table =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../export/tests/mapping.tsv"))
            .unwrap();
    let mut labelled = Vec::new();
    for line in table.lines().filter(|line| !line.starts_with('#')).skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [stated, truth, older, newer] = cells[..] else { panic!("{line}") };
        // More than an intersection is stated only where it is true.
        assert!(stated == truth || matches!(stated, "intersects-with" | "equivalent-to"), "{line}");
        labelled.push(Labelled { stated, older, newer });
    }
    let demo = Demo::start(&[]).await;
    let mapping: Value =
        serde_json::from_slice(&exported(&demo, &["--compare", OLDER, NEWER, "--format", "oscal"])).unwrap();
    let mapping = &mapping["mapping-collection"]["mappings"][0];
    let compared: Value =
        serde_json::from_str(&demo.norma(&["compare", OLDER, NEWER, "--format", "json"])).unwrap();
    let mut text_of: BTreeMap<&str, String> = BTreeMap::new();
    for item in compared["items"].as_array().unwrap() {
        for side in ["older", "newer"] {
            if let Some(id) = item[side]["id"].as_str() {
                text_of.insert(id, words(&item[side]));
            }
        }
    }
    let id = |item: &Value| text_of[item[0]["id-ref"].as_str().unwrap()].clone();
    let mut stated: Vec<(String, String, String)> = Vec::new();
    for map in mapping["maps"].as_array().unwrap() {
        let relationship = map["relationship"].as_str().unwrap().to_owned();
        stated.push((relationship, id(&map["sources"]), id(&map["targets"])));
    }
    for (gap, is_older) in [("source-gap-summary", true), ("target-gap-summary", false)] {
        for control in mapping[gap]["unmapped-controls"][0]["with-ids"].as_array().unwrap() {
            let text = text_of[control.as_str().unwrap()].clone();
            let sides = if is_older { (text, "-".to_owned()) } else { ("-".to_owned(), text) };
            stated.push(("gap".to_owned(), sides.0, sides.1));
        }
    }
    for line in &labelled {
        let at = stated.iter().position(|(relationship, older, newer)| {
            relationship == line.stated && older.starts_with(line.older) && newer.starts_with(line.newer)
        });
        let at = at.unwrap_or_else(|| panic!("{} {} {}: {stated:#?}", line.stated, line.older, line.newer));
        stated.remove(at);
    }
    assert!(stated.is_empty(), "not labelled: {stated:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_item_of_a_comparison_is_lost_in_a_mapping() {
    let demo = Demo::start(&[]).await;
    let compared: Value =
        serde_json::from_str(&demo.norma(&["compare", OLDER, NEWER, "--format", "json"])).unwrap();
    let items = compared["items"].as_array().unwrap();
    let pairs: BTreeSet<(&str, &str)> = items
        .iter()
        .filter_map(|item| Some((item["older"]["id"].as_str()?, item["newer"]["id"].as_str()?)))
        .collect();
    let written = exported(&demo, &["--compare", OLDER, NEWER, "--format", "reqif"]);
    let written = String::from_utf8(written).unwrap();
    assert_eq!(written.matches("<SPEC-RELATION IDENTIFIER").count(), pairs.len());
    for (older, newer) in &pairs {
        let ends = format!(
            "<SOURCE><SPEC-OBJECT-REF>_{older}</SPEC-OBJECT-REF></SOURCE><TARGET><SPEC-OBJECT-REF>_{newer}</SPEC-OBJECT-REF></TARGET>"
        );
        assert!(written.contains(&ends), "{ends}");
    }
}

/// The pairs of ids in two editions that an export has to keep together, and those of each edition alone.
fn section_pairs(compared: &Value) -> Vec<(Option<String>, Option<String>)> {
    let id = |side: &Value| side["id"].as_str().map(str::to_owned);
    let changes = compared["sectionChanges"].as_array().unwrap().iter();
    changes.map(|change| (id(&change["older"]), id(&change["newer"]))).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_of_the_next_edition_keeps_the_id_of_each_pair_and_gives_no_id_of_another() {
    let demo = Demo::start(&[]).await;
    let state = demo.folder().join("4210.state").to_str().unwrap().to_owned();
    let options = ["--identity", "lineage", "--state", &state, "--format", "needs"];
    let older = needs(&exported(&demo, &[&[OLDER][..], &options].concat()));
    let newer = needs(&exported(&demo, &[&[NEWER][..], &options].concat()));
    let again = needs(&exported(&demo, &[&[OLDER][..], &options].concat()));
    assert_eq!(older, again, "an edition that the state has keeps its ids");

    let compared: Value =
        serde_json::from_str(&demo.norma(&["compare", OLDER, NEWER, "--format", "json"])).unwrap();
    let id = |needs: &BTreeMap<(String, String), Value>, kind: &str, local: &str| {
        needs[&(kind.to_owned(), local.to_owned())]["id"].as_str().unwrap().to_owned()
    };
    let mut retained = BTreeSet::new();
    for (before, after) in section_pairs(&compared) {
        if let (Some(before), Some(after)) = (&before, &after) {
            assert_eq!(id(&older, "heading", before), id(&newer, "heading", after), "{before} {after}");
            retained.insert(id(&older, "heading", before));
        }
    }
    for item in compared["items"].as_array().unwrap() {
        let is_united = matches!(item["relation"].as_str(), Some("same" | "reworded"))
            && matches!(item["likelihood"].as_str(), Some("certain" | "high"));
        if is_united {
            let [before, after] = ["older", "newer"].map(|side| item[side]["id"].as_str().unwrap());
            assert_eq!(id(&older, "provision", before), id(&newer, "provision", after), "{item}");
            retained.insert(id(&older, "provision", before));
        }
    }
    assert_eq!(id(&older, "heading", "sec_7.4"), id(&newer, "heading", "_0d9be218-77aa"), "7.4 became 7.5");
    for term in ["term_3.1", "term_3.2", "term_3.3", "term_3.4"] {
        retained.insert(id(&older, "term", term));
        assert_eq!(id(&older, "term", term), id(&newer, "term", term));
    }
    for table in ["tab_1", "tab_2"] {
        retained.insert(id(&older, "table", table));
        assert_eq!(id(&older, "table", table), id(&newer, "table", table));
    }
    let ids = |needs: &BTreeMap<(String, String), Value>| -> BTreeSet<String> {
        needs.values().map(|need| need["id"].as_str().unwrap().to_owned()).collect()
    };
    let both: BTreeSet<String> = ids(&older).intersection(&ids(&newer)).cloned().collect();
    // What the two have in common, besides, is the picture of the same file.
    let others: Vec<&String> = both.difference(&retained).filter(|id| !id.starts_with("PIC_")).collect();
    assert!(others.is_empty(), "{others:?}");
    let state = std::fs::read_to_string(&state).unwrap();
    assert!(!state.contains("locking point") && !state.contains("shall"), "{state}");
}

#[tokio::test(flavor = "multi_thread")]
async fn links_made_in_doorstop_and_sphinx_needs_lead_to_the_same_provision_after_the_next_import() {
    let Some(venv) = std::env::var_os("NORMA_VENV").map(PathBuf::from) else {
        eprintln!("NORMA_VENV is not set: nothing is proved here");
        return;
    };
    let demo = Demo::start(&[]).await;
    let folder = demo.folder().join("imports");
    std::fs::create_dir(&folder).unwrap();
    let state = folder.join("4210.state");
    for (number, urn) in [("1", OLDER), ("2", NEWER)] {
        for (format, extension) in [("doorstop", "zip"), ("needs", "needs.json"), ("reqifz", "reqifz")] {
            let output = folder.join(format!("{number}.{extension}"));
            let arguments = ["--identity", "lineage", "--state", state.to_str().unwrap(), "--format", format];
            exported(&demo, &[&[urn, "--output", output.to_str().unwrap()][..], &arguments].concat());
        }
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peers/imported_links.py");
    let output = Command::new(venv.join("bin/python")).arg(script).arg(&folder).output().unwrap();
    let said = [&output.stdout[..], &output.stderr[..]].concat();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&said));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_state_is_never_the_file_of_the_export_by_whatever_path() {
    let demo = Demo::start(&[]).await;
    let folder = demo.folder().join("state");
    std::fs::create_dir(&folder).unwrap();
    let [state, link, output] = ["ids.state", "link.reqif", "out.reqif"].map(|name| folder.join(name));
    let state = state.to_str().unwrap();
    let lineages = [NEWER, "--identity", "lineage", "--format", "reqif", "--state", state];
    exported(&demo, &[&lineages[..], &["--output", output.to_str().unwrap()]].concat());
    let before = std::fs::read(state).unwrap();
    std::os::unix::fs::symlink(state, &link).unwrap();
    for path in [link, folder.join("../state/ids.state")] {
        let (code, _, errors) = run(&demo, &[&lineages[..], &["--output", path.to_str().unwrap()]].concat());
        assert!(code != 0 && errors.contains("expected two files"), "{errors}");
        assert_eq!(std::fs::read(state).unwrap(), before);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_refused_is_one_line_and_leaves_no_file_and_headings_are_given_where_asked_for() {
    let demo = Demo::start(&[]).await;
    let folder = demo.folder().join("refused");
    std::fs::create_dir(&folder).unwrap();
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (output, state, broken) = (path("out.reqif"), path("ids.state"), demo.folder().join("broken.state"));
    std::fs::write(&broken, "{").unwrap();
    let broken = broken.to_str().unwrap();
    for (arguments, word) in [
        (&[ONLY_DISCOVERED][..], "content-not-licensed"),
        (&[ONLY_DISCOVERED, "--format", "needs"], "content-not-licensed"),
        (&[NEWER, "--identity", "lineage"], "expected `--state FILE`"),
        (&[NEWER, "--state", &state], "give `--identity lineage`"),
        (&[NEWER, "--format", "csv", "--headings"], "for formats of requirements"),
        (&[NEWER, "--identity", "lineage", "--state", broken], "cannot read the state of ids"),
        (&[NEWER, "--identity", "lineage", "--state", &output], "expected two files"),
        (&[NEWER, "--identity", "lineage", "--state", &path("./out.reqif")], "expected two files"),
        (&[NEWER, "--identity", "lineage", "--state", &path("absent/ids.state")], "folder does not exist"),
        (&[NEWER, "99"], "selection-not-found"),
        (&[OLDER, NEWER, "--format", "oscal"], "expected one standard for the format `oscal`, found 2"),
        (&["--compare", OLDER, NEWER, "--format", "ciso"], "for a comparison, found `ciso`"),
        (&["urn:nsb:std:nsb:1:ed-1:en", "--identity", "lineage", "--state", &state], "standard-not-found"),
    ] {
        let (code, out, errors) = run(&demo, &[arguments, &["--output", &output]].concat());
        assert!(code != 0 && out.is_empty(), "{arguments:?}: {code}");
        assert!(errors.contains(word) && errors.trim_end().lines().count() == 1, "{arguments:?}: {errors}");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0, "{arguments:?}");
    }
    let absent = path("absent/out.reqif");
    let arguments = [NEWER, "--identity", "lineage", "--state", &state, "--output", &absent];
    let (code, _, errors) = run(&demo, &arguments);
    assert!(code != 0 && errors.contains("absent"), "{errors}");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0, "no state without its export");

    let headings = needs(&exported(&demo, &[ONLY_DISCOVERED, "--headings", "--format", "needs"]));
    assert!(headings.len() > 3 && headings.keys().all(|(kind, _)| kind == "heading"), "{headings:?}");
    let some = needs(&exported(&demo, &[NEWER, "4.2", "--type", "requirement", "--format", "needs"]));
    let provisions = some.keys().filter(|(kind, _)| kind == "provision").count();
    assert_eq!((provisions, some.len()), (2, 4), "{some:?}");
}
