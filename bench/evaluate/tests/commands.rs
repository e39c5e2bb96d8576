//! The command `evaluate`: `compare` prints links and unmatched units by id, `pairs` the number of correct
//! links, and `gold` the labels that are not met. A file of another shape is refused with position and
//! expectation.

#![allow(clippy::unwrap_used, reason = "this is test code")]

use std::process::{Command, Output};

use serde_json::{Value, json};

fn evaluate(arguments: &[&str], file: &str) -> Output {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("units.json"), file).unwrap();
    Command::new(env!("CARGO_BIN_EXE_evaluate"))
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
    let output = evaluate(&["compare"], &units().to_string());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let candidates = found["unmatched"]["a"][0]["candidates"].take();
    assert!(candidates.as_array().unwrap().iter().all(|c| c["id"].is_string() && c["score"].is_number()));
    found["unmatched"]["b"][0]["candidates"].take();
    assert_eq!(
        found,
        json!({
            "links": [
                {"a": "a1", "b": "b2", "relation": "same", "likelihood": "certain", "changed": []},
                {"a": "a2", "b": "b1", "relation": "reworded", "likelihood": "high", "changed": ["quantity"]},
            ],
            "unmatched": {"a": [{"id": "a3", "candidates": null}], "b": [{"id": "b3", "candidates": null}]},
        })
    );
}

#[test]
fn pairs_prints_precision_recall_and_f1() {
    let output = evaluate(&["pairs"], &units().to_string());
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
        for command in [["compare"], ["pairs"]] {
            let output = evaluate(&command, file);
            let error = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{error}");
            named.iter().for_each(|part| assert!(error.contains(part), "{part} in {error}"));
        }
    }
    let without_truth = evaluate(&["pairs"], &json!({"a": [unit], "b": [unit]}).to_string());
    assert!(String::from_utf8(without_truth.stderr).unwrap().contains("expected the true links"));
}

/// A gold line with a requirement whose label is this type.
fn gold_line(label: &str) -> String {
    json!({"sentence": "The lid shall be shut.", "type": label}).to_string()
}

#[test]
fn gold_prints_figures_and_each_label_that_is_not_met() {
    let met = evaluate(&["gold"], &gold_line("requirement"));
    let text = String::from_utf8(met.stdout).unwrap();
    assert_eq!(met.status.code(), Some(0), "{text}");
    assert!(!text.contains("line 1"), "{text}");
    let missed = evaluate(&["gold"], &gold_line("permission"));
    let text = String::from_utf8(missed.stdout).unwrap();
    assert_eq!(missed.status.code(), Some(1), "{text}");
    assert!(text.contains("line 1: Permission missed: The lid shall be shut."), "{text}");
}

#[test]
fn a_byte_order_mark_in_front_of_a_file_is_taken() {
    let file = format!("\u{feff}{}", units());
    for arguments in [["compare"], ["pairs"]] {
        let [marked, bare] = [&*file, &units().to_string()].map(|file| evaluate(&arguments, file));
        assert!(marked.status.success(), "{}", String::from_utf8_lossy(&marked.stderr));
        assert_eq!(marked.stdout, bare.stdout);
    }
    let gold = gold_line("requirement");
    let [marked, bare] = [&*format!("\u{feff}{gold}"), &gold].map(|file| evaluate(&["gold"], file));
    assert!(marked.status.success(), "{}", String::from_utf8_lossy(&marked.stderr));
    assert_eq!(marked.stdout, bare.stdout);
}
