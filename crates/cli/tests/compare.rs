//! `norma compare` prints what changed between two editions, as a table or page, and refuses what cannot be compared; `norma compare --units` links and unmatched units by id, `norma eval --pairs` how many are right; a file of another
//! shape is refused with what was expected and where.

#![allow(clippy::unwrap_used, reason = "this is test code")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

fn norma(arguments: &[&str], file: &str) -> Output {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("units.json"), file).unwrap();
    Command::new(env!("CARGO_BIN_EXE_norma"))
        .args(arguments)
        .arg("units.json")
        .current_dir(folder.path())
        .output()
        .unwrap()
}

fn units() -> Value {
    let unit = |id: &str, text: &str| json!({"id": id, "section": "5", "title": "Storage", "text": text, "type": "requirement"});
    json!({
        "a": [
            unit("a1", "The grain shall be stored in a dry place."),
            unit("a2", "Each bag shall hold three kilograms of clean grain."),
            unit("a3", "The carrier shall inspect every vessel."),
        ],
        "b": [
            unit("b1", "Each bag shall hold five kilograms of clean grain."),
            unit("b2", "The grain shall be stored in a dry place."),
            unit("b3", "Sampling follows the plan of every supplier."),
        ],
        "links": [{"a": "a1", "b": "b2", "relation": "kept"}, {"a": "a2", "b": "b1", "relation": "kept"}],
    })
}

#[test]
fn compare_prints_links_and_unmatched_units() {
    let output = norma(&["compare", "--format", "json", "--units"], &units().to_string());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let candidates = found["unmatched"]["a"][0]["candidates"].take();
    assert!(candidates.as_array().unwrap().iter().all(|c| c["id"].is_string() && c["score"].is_number()));
    found["unmatched"]["b"][0]["candidates"].take();
    assert_eq!(
        found,
        json!({
            "links": [
                {"a": "a1", "b": "b2", "relation": "same", "confidence": "certain", "changed": []},
                {"a": "a2", "b": "b1", "relation": "reworded", "confidence": "high", "changed": ["quantity"]},
            ],
            "unmatched": {"a": [{"id": "a3", "candidates": null}], "b": [{"id": "b3", "candidates": null}]},
        })
    );
}

#[test]
fn eval_prints_precision_recall_and_f1() {
    let output = norma(&["eval", "--pairs"], &units().to_string());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    let all = text.lines().find(|line| line.starts_with("all ")).unwrap();
    assert!(all.split_whitespace().eq(["all", "2", "2", "1.000", "1.000", "1.000"]), "{text}");
}

#[test]
fn a_file_of_another_shape_is_refused_with_what_was_expected_and_where() {
    let unit = json!({"id": "x", "text": "It shall."});
    for (file, named) in [
        ("{\"a\": [", vec!["units.json", "line 1"]),
        ("{\"a\": []}", vec!["units.json", "missing field `b`"]),
        ("{\"a\": [{\"id\": 1}], \"b\": []}", vec!["expected a string", "line 1 column 15"]),
        (&json!({"a": [unit, unit], "b": []}).to_string(), vec!["`a`", "`x`", "unique"]),
        (
            &json!({"a": [unit], "b": [], "links": [{"a": "x", "b": "y"}]}).to_string(),
            vec!["`links[0].b`", "`y`"],
        ),
        (
            &json!({"a": [{"id": "x", "text": "w".repeat(100_001)}], "b": []}).to_string(),
            vec!["`a[0]`", "100000 characters", "100001"],
        ),
    ] {
        for command in [&["compare", "--units"][..], &["eval", "--pairs"]] {
            let output = norma(command, file);
            let error = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{error}");
            named.iter().for_each(|part| assert!(error.contains(part), "{part} in {error}"));
        }
    }
    let without_truth = norma(&["eval", "--pairs"], &json!({"a": [unit], "b": [unit]}).to_string());
    assert!(String::from_utf8(without_truth.stderr).unwrap().contains("expected the true links"));
}

/// Runs `norma compare` with paths from the samples.
fn compare(arguments: &[&str]) -> Output {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    Command::new(env!("CARGO_BIN_EXE_norma"))
        .arg("compare")
        .args(arguments)
        .current_dir(samples)
        .output()
        .unwrap()
}

fn printed(output: Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_table_has_counts_and_what_changed() {
    let table = printed(compare(&["bicycle-anchors-ed1", "bicycle-anchors-ed2-en/document.xml"]));
    assert!(table.starts_with("22 new, 3 removed, 9 reworded, 45 same\n"), "{table}");
    for part in ["recommendation", "5 kN → 8 kN", "4.2 → 10"] {
        assert!(table.contains(part), "{part} in {table}");
    }
}

#[test]
fn json_has_the_shape_of_the_api_with_the_texts() {
    let json = printed(compare(&["bicycle-anchors-ed1", "bicycle-anchors-ed2-en", "--format", "json"]));
    let found: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(found["counts"]["new"], 22);
    assert_eq!(
        (&found["counts"]["reworded"], &found["counts"]["changed"]["strength"]),
        (&json!(9), &json!(2))
    );
    assert_eq!(found["newer"]["urn"], "urn:nsb:std:nsb:4210:ed-2:en");
    let items = found["items"].as_array().unwrap();
    let moved = items.iter().find(|item| item["older"]["label"] == "4.2(3)").unwrap();
    assert_eq!((&moved["relation"], &moved["newer"]["label"]), (&json!("same"), &json!("10(3)")));
    assert_eq!(moved["facets"]["moved"]["newer"]["label"], "10");
    assert_eq!(moved["newer"]["text"], "The manufacturer shall supply the fixing bolts with the anchor.");
}

#[test]
fn a_page_is_one_file_that_loads_nothing_and_marks_the_words_that_changed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.html");
    let file = file.to_str().unwrap();
    let arguments = ["bicycle-anchors-ed1", "bicycle-anchors-ed2-en", "--format", "html", "--output", file];
    assert_eq!(printed(compare(&arguments)), "");
    let page = std::fs::read_to_string(file).unwrap();
    for part in
        ["<!DOCTYPE html>", "<del>should</del>", "<ins>shall</ins>", "<del>three</del>", "<ins>five</ins>"]
    {
        assert!(page.contains(part), "{part} in the page");
    }
    for outside in ["http:", "https:", "src=", "url(", "@import", "<link"] {
        assert!(!page.contains(outside), "the page names `{outside}`");
    }
    // Each link within the page has its target, once.
    for target in page.split("href=\"#").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert_eq!(page.matches(&format!("id=\"{target}\"")).count(), 1, "{target}");
    }
    let back = ["bicycle-anchors-ed2-en", "bicycle-anchors-ed1", "--format", "html"];
    assert!(printed(compare(&back)).contains("<ins>should</ins>"));
}

#[test]
fn text_of_a_document_is_escaped_in_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let source = std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/minimal/document.xml"),
    );
    let source = source.unwrap();
    let hostile =
        source.replacen("shall", "shall &lt;script&gt;alert(1)&lt;/script&gt; &quot;&amp;&apos;", 1);
    let file = folder.path().join("document.xml");
    std::fs::write(&file, hostile).unwrap();
    let page = printed(compare(&["minimal", file.to_str().unwrap(), "--format", "html"]));
    assert!(page.contains("alert(1)") && !page.contains("<script>alert"), "{page}");
}

#[test]
fn what_cannot_be_compared_is_refused_with_the_reason() {
    for (arguments, named) in [
        (vec!["minimal", "minimal"], vec!["expected two editions", "urn:nsb:std:nsb:4201:ed-1:en", "twice"]),
        (vec!["minimal", "bicycle-anchors-ed1"], vec!["one document", "--different-documents"]),
        (
            vec!["bicycle-anchors-ed1", "bicycle-anchors-ed2-fr"],
            vec!["no language in common", "`en`", "`fr`"],
        ),
        (
            vec!["bicycle-anchors-ed1", "bicycle-anchors-ed2-en", "--language", "fr"],
            vec!["expected a language that both editions have", "`fr`", "`en`"],
        ),
        (vec!["minimal", "absent"], vec!["absent"]),
        (vec!["minimal", "."], vec!["expected one standard"]),
        (vec!["minimal", "bicycle-anchors-ed1", "--units", "x"], vec!["--units"]),
        (vec!["minimal"], vec!["NEWER"]),
        (
            vec!["bicycle-anchors-ed1", "bicycle-anchors-ed2-en", "--max-comparison-units", "5"],
            vec!["expected at most 5 provisions", "max-comparison-units"],
        ),
    ] {
        let output = compare(&arguments);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        named.iter().for_each(|part| assert!(error.contains(part), "{part} in {error}"));
    }
    printed(compare(&["minimal", "bicycle-anchors-ed1", "--different-documents"]));
    // An adoption is compared with an edition of the document that it adopts.
    printed(compare(&["bicycle-anchors-ed2-en", "bicycle-anchors-xnb"]));
}

#[test]
fn stored_editions_are_compared_by_urn() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    let store = store.to_str().unwrap();
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let ingest = Command::new(env!("CARGO_BIN_EXE_norma"))
        .args(["ingest", "bicycle-anchors-ed1", "bicycle-anchors-ed2-en", "--store", store])
        .current_dir(samples)
        .output()
        .unwrap();
    printed(ingest);
    let urns = ["urn:nsb:std:nsb:4210:ed-1:en", "urn:nsb:std:nsb:4210:ed-2:en"];
    let stored = printed(compare(&[urns[0], urns[1], "--store", store]));
    assert_eq!(stored, printed(compare(&["bicycle-anchors-ed1", "bicycle-anchors-ed2-en"])));
    let absent = compare(&[urns[0], "urn:nsb:std:nsb:1:ed-1:en", "--store", store]);
    assert!(String::from_utf8(absent.stderr).unwrap().contains("is not in the store"));
}
