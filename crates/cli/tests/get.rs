//! `norma get` against the running demonstration: every operation, JSON and tables, other forms, and exit
//! codes.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

mod support;

use serde_json::Value;
use support::Demo;
use support::wait::{DEADLINE, eventually};

const STANDARD: &str = "urn:nsb:std:nsb:4210:ed-2:en";
const RICH: &str = "urn:nsb:std:nsb:4230:-1:ed-1:en";
const ONLY_DISCOVERED: &str = "urn:nsb:std:nsb:4220:ed-1:en";

/// Runs `norma get` as the caller of the demonstration: exit code, output, errors.
fn get(demo: &Demo, arguments: &[&str]) -> (i32, String, String) {
    let output = demo.get(arguments).output().unwrap();
    let said = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), said(output.stdout), said(output.stderr))
}

/// Its output when it succeeds.
fn got(demo: &Demo, arguments: &[&str]) -> String {
    let (code, out, err) = get(demo, arguments);
    assert_eq!(code, 0, "{arguments:?}: {err}");
    out
}

fn json(demo: &Demo, arguments: &[&str]) -> Value {
    let out = got(demo, arguments);
    serde_json::from_str(&out).unwrap_or_else(|error| panic!("{arguments:?}: {error} in {out}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn every_operation_is_read_as_the_json_of_the_service_and_as_a_table() {
    let demo = Demo::start(&[]).await;
    let caller = demo.caller().await;
    let first = caller.standard(STANDARD, "/provisions").await["items"][0].clone();
    let id = first["id"].as_str().unwrap();
    let of = |part: &str| format!("/standards/{}{part}", STANDARD.replace(':', "%3A"));
    let annex = format!("{}?section=A", of("/content"));
    let rows: [(&[&str], String, &str); 11] = [
        (&["standards", "number=4210", "limit=9"], "/standards?number=4210&limit=9".into(), "NSB 4210:2025"),
        (&["standard", STANDARD], of(""), "metadata.reference"),
        (&["metadata", STANDARD], of("/metadata"), "NSB 4210:2025"),
        (&["sections", STANDARD], of("/sections"), "provisions"),
        (&["content", STANDARD], of("/content"), "text"),
        (&["content", STANDARD, "--section", "A"], annex, "text"),
        (&["provisions", STANDARD], of("/provisions"), id),
        (&["provisions", STANDARD, "4.2;table:1"], of("/provisions/4.2;table:1"), "references"),
        (&["provision", id], format!("/provisions/{id}"), "standard.urn"),
        (&["graphics", STANDARD], of("/graphics"), "image/svg+xml"),
        (&["limits"], "/limits".into(), "maxReferences"),
    ];
    for (arguments, path, in_table) in rows {
        assert_eq!(json(&demo, arguments), caller.json(&path).await, "{arguments:?}");
        let table = got(&demo, &[arguments, &["--format", "table"]].concat());
        assert!(table.contains(in_table), "{arguments:?}: `{in_table}` is not in {table}");
        assert!(serde_json::from_str::<Value>(&table).is_err(), "{arguments:?}");
    }
    let terms = got(&demo, &["--format", "table", "terms", RICH]);
    assert!(terms.contains("designations") && terms.contains("3.1"), "{terms}");
}

#[tokio::test(flavor = "multi_thread")]
async fn editions_are_compared_and_what_became_of_ids_and_labels_is_reported() {
    let demo = Demo::start(&[]).await;
    let older = STANDARD.replace("ed-2", "ed-1");
    let same = ["comparison", &older, "--with", STANDARD, "--filter", "relation=same"];
    let pair = json(&demo, &[&same[..], &["--filter", "include=text"]].concat())["items"][0].clone();
    // A page of one item is followed to the end.
    let (whole, pages) = (json(&demo, &same), json(&demo, &[&same[..], &["--filter", "limit=1"]].concat()));
    assert!(whole["items"].as_array().unwrap().len() > 1, "{whole}");
    assert_eq!(pages, whole);
    let member = |side: &str, name: &str| pair[side][name].as_str().unwrap().to_owned();
    let (old, label) = (member("older", "id"), member("older", "label"));
    let (new, text) = (member("newer", "id"), member("newer", "text"));
    assert!(!text.is_empty());
    for arguments in [&["migrate", STANDARD, &old][..], &["migrate", STANDARD, &label, "--from", &older]] {
        let item = json(&demo, arguments)["items"][0].clone();
        assert_eq!(
            (&item["outcome"], &item["comparedProvisions"][0]["id"]),
            (&"found".into(), &new.as_str().into()),
            "{item}"
        );
        let table = got(&demo, &[arguments, &["--format", "table"]].concat());
        assert!(table.contains("found") && table.contains(&new), "{table}");
    }
    let table = got(&demo, &[&same[..], &["--format", "table"]].concat());
    assert!(table.contains("newer.label") && table.contains("same"), "{table}");
}

#[tokio::test(flavor = "multi_thread")]
async fn filters_and_other_forms_ask_the_service_for_just_that() {
    let demo = Demo::start(&[]).await;
    let kinds = |arguments: &[&str]| -> Vec<(String, bool)> {
        let answer = json(&demo, arguments);
        let items = answer["items"].as_array().unwrap().iter();
        items
            .map(|item| (item["type"].as_str().unwrap().to_owned(), item["normative"].as_bool().unwrap()))
            .collect()
    };
    let all = kinds(&["provisions", STANDARD]);
    let filter = ["provisions", STANDARD, "--filter", "type=requirement", "--filter", "normative=true"];
    let wanted: Vec<_> = all.iter().filter(|kind| **kind == ("requirement".into(), true)).cloned().collect();
    assert!(!wanted.is_empty() && wanted.len() < all.len());
    assert_eq!(kinds(&filter), wanted);
    let in_clause = kinds(&["provisions", STANDARD, "4", "--filter", "type=recommendation"]);
    assert!(!in_clause.is_empty() && in_clause.iter().all(|(kind, _)| kind == "recommendation"));

    let text = got(&demo, &["content", STANDARD, "--as", "text"]);
    assert!(text.contains("anchor") && !text.contains("<sec") && !text.starts_with('{'), "{text}");
    let source = got(&demo, &["content", STANDARD, "--as", "xml"]);
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/bicycle-anchors-ed2-en/document.xml");
    assert_eq!(source, std::fs::read_to_string(sample).unwrap());
    let page = got(&demo, &["content", STANDARD, "--format", "html"]);
    let provisions = json(&demo, &["provisions", STANDARD]);
    for provision in provisions["items"].as_array().unwrap() {
        let mark = format!(
            "id=\"{}\" data-provision=\"{}\" data-label=\"{}\"",
            provision["id"].as_str().unwrap(),
            provision["type"].as_str().unwrap(),
            provision["label"].as_str().unwrap()
        );
        assert_eq!(page.matches(&mark).count(), 1, "{mark}");
    }
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("data-term=") && !page.contains("<script"));
    let annex = got(&demo, &["content", STANDARD, "--section", "A", "--format", "html"]);
    assert!(annex.len() < page.len() && annex.matches("<section ").count() > 0, "{annex}");
    let graph = json(&demo, &["graph", STANDARD]);
    assert!(graph["@context"].is_object());
    let turtle = got(&demo, &["graph", STANDARD, "--turtle"]);
    assert!(turtle.contains("@prefix") && turtle.contains(STANDARD), "{turtle}");
}

#[tokio::test(flavor = "multi_thread")]
async fn pictures_are_fetched_and_what_fails_ends_with_1_and_says_why() {
    let demo = Demo::start(&[]).await;
    let file = demo.folder().join("picture.svg");
    let said = got(&demo, &["asset", STANDARD, "fig_1", "--output", file.to_str().unwrap()]);
    let bytes = std::fs::read(&file).unwrap();
    assert!(
        bytes.starts_with(b"<") && said.contains(&format!("{} bytes of image/svg+xml", bytes.len())),
        "{said}"
    );
    let resolved = json(&demo, &["asset", STANDARD, "fig_1"]);
    assert_eq!(resolved["items"][0]["size"], bytes.len());

    let (code, out, err) = get(&demo, &["asset", STANDARD, "fig_1", "fig_99"]);
    let answer: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &answer["items"][1]["problem"]["code"]), (1, &"asset-not-found".into()), "{err}");
    let two = ["asset", STANDARD, "fig_1", "fig_2", "--output", file.to_str().unwrap()];
    for (arguments, code, word) in [
        (&["content", ONLY_DISCOVERED][..], 2, "content-not-licensed"),
        (&["standard", "urn:nsb:std:nsb:1:ed-1:en"], 2, "standard-not-found"),
        (&["provisions", STANDARD, "4.2("], 2, "invalid-selection"),
        (&["provisions", STANDARD, "--filter", "type"], 2, "name=value"),
        (&["provisions", STANDARD, "--filter", "kind=requirement"], 2, "unknown-parameter"),
        (&["asset", STANDARD, "fig_99", "--output", file.to_str().unwrap()], 2, "asset-not-found"),
        (&two, 2, "one reference"),
        (&["content", STANDARD, "--as", "html"], 2, "--as"),
        (&["standards", "--format", "yaml"], 2, "--format"),
    ] {
        let (found, out, err) = get(&demo, arguments);
        assert_eq!((found, out.as_str()), (code, ""), "{arguments:?}: {err}");
        assert!(err.contains(word), "{arguments:?}: `{word}` is not said in {err}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn citations_and_quotations_come_from_arguments_or_standard_input() {
    let demo = Demo::start(&[]).await;
    let with_input = |arguments: &[&str], input: &str| {
        let file = demo.folder().join("input");
        std::fs::write(&file, input).unwrap();
        let output = demo.get(arguments).stdin(std::fs::File::open(&file).unwrap()).output().unwrap();
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        (output.status.code().unwrap(), answer["items"].clone())
    };
    let members = |items: &Value, name: &str| -> Vec<String> {
        items.as_array().unwrap().iter().map(|item| item[name].as_str().unwrap_or("-").to_owned()).collect()
    };
    let items = json(&demo, &["cite", "NSB 4210:2025, 4.2(1)", "NSB 4210:2019, Table 1"])["items"].clone();
    assert_eq!(members(&items, "reference"), ["NSB 4210:2025", "NSB 4210:2019"], "{items}");
    let at = json(&demo, &["cite", "4.2", "--urn", "urn:nsb:std:nsb:4210", "--at", "2020-01-01"]);
    assert_eq!(members(&at["items"], "reference"), ["NSB 4210:2019"], "{at}");
    let (code, items) = with_input(&["cite"], "NSB 4210:2025, 4.2\n\nNSB 4210:2025, 4.99\n");
    assert_eq!((code, members(&items, "outcome")), (1, vec!["resolved".into(), "place-unknown".into()]));
    assert_eq!(with_input(&["cite"], "\n").0, 2);

    let text = "The locking point shall not be fastened by a thread that can be undone by hand.";
    let cited = ["--citation", "NSB 4210:2025, 4.2"];
    let items = json(&demo, &[&["verify", text], &cited[..]].concat())["items"].clone();
    assert_eq!(members(&items, "verdict"), ["exact"], "{items}");
    let altered = text.replace("shall not", "shall");
    // Whether it is elsewhere is known once the index has the standard.
    let items = eventually(DEADLINE, async || {
        let (code, items) = with_input(&[&["verify"], &cited[..]].concat(), &altered);
        assert_eq!(code, 1, "{items}");
        if members(&items, "verdict") == ["altered"] { Ok(items) } else { Err(items.to_string()) }
    })
    .await;
    let id = items[0]["units"][0]["id"].as_str().unwrap();
    assert_eq!(get(&demo, &["verify", text, "--id", id]).0, 0);
    let table =
        get(&demo, &["verify", "Nobody reads this sentence aloud.", "--urn", STANDARD, "--format", "table"]);
    assert!(table.0 == 1 && table.1.contains("NSB 4210:2025"), "{table:?}");
    assert_ne!(get(&demo, &["verify", text, "--id", id, "--citation", "4.2"]).0, 0);
}
