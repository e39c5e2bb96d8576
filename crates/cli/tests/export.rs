//! `norma export` against the running demonstration: what it writes, and what it refuses.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::process::{Command, Stdio};

use serde_json::Value;
use support::Demo;

const OLDER: &str = "urn:nsb:std:nsb:4210:ed-1:en";
const NEWER: &str = "urn:nsb:std:nsb:4210:ed-2:en";
const OTHER_DOCUMENT: &str = "urn:nsb:std:nsb:4201:ed-1:en";
const ONLY_DISCOVERED: &str = "urn:nsb:std:nsb:4220:ed-1:en";

/// Runs it: exit code, bytes, errors.
fn run(demo: &Demo, arguments: &[&str]) -> (i32, Vec<u8>, String) {
    let output = demo.as_caller("export", arguments).output().unwrap();
    (output.status.code().unwrap(), output.stdout, String::from_utf8(output.stderr).unwrap())
}

/// The rows that it writes as CSV, by the heads of their columns.
fn rows(demo: &Demo, arguments: &[&str]) -> Vec<BTreeMap<String, String>> {
    let (code, bytes, errors) = run(demo, &[arguments, &["--format", "csv"]].concat());
    assert_eq!(code, 0, "{arguments:?}: {errors}");
    csv::Reader::from_reader(&*bytes).deserialize().map(Result::unwrap).collect()
}

fn column<'r>(rows: &'r [BTreeMap<String, String>], name: &str) -> Vec<&'r str> {
    rows.iter().map(|row| &*row[name]).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn provisions_of_urns_selections_types_and_filters_are_those_of_the_service() {
    let demo = Demo::start(&[]).await;
    let caller = demo.caller().await;
    let ids = |answer: &Value| -> Vec<String> {
        let items = answer["items"].as_array().unwrap().iter();
        items.map(|item| item["id"].as_str().unwrap().to_owned()).collect()
    };
    let all = caller.standard(NEWER, "/provisions?include=lineage").await;
    let exported = rows(&demo, &["urn:nsb:std:nsb:4210"]);
    assert_eq!(column(&exported, "id"), ids(&all));
    assert_eq!(exported[0]["lineage"], all["items"][0]["lineage"]["id"]);
    assert_eq!((&*exported[0]["reference"], &*exported[0]["status"]), ("NSB 4210:2025", "published"));

    let types = "?type=requirement&type=recommendation";
    let some = caller.standard(NEWER, &format!("/provisions/4{types}")).await;
    let exported = rows(&demo, &[NEWER, "4", "--type", "requirement,recommendation"]);
    assert_eq!(column(&exported, "id"), ids(&some));
    let both = rows(&demo, &[OLDER, NEWER]);
    assert_eq!(both.len(), rows(&demo, &[OLDER]).len() + rows(&demo, &[NEWER]).len());

    let listed = caller.json("/standards?number=4210&language=en&access=read").await;
    let listed: BTreeSet<&str> =
        listed["items"].as_array().unwrap().iter().map(|item| item["urn"].as_str().unwrap()).collect();
    let found = rows(&demo, &["--filter", "number=4210", "--filter", "language=en", "--filter", "limit=2"]);
    assert_eq!(BTreeSet::from_iter(column(&found, "urn")), listed);
    let (code, _, said) = run(&demo, &["--filter", "publisher=NSB", "--format", "csv"]);
    assert!(code == 0 && said.contains("a grant to read them is missing"), "{said}");
}

/// A law in French, with a duty by a verbal form and one in the present tense.
const LAW: &str = "<standard><front><std-meta><title-wrap xml:lang='fr'><full>Ports de plaisance</full></title-wrap>\
    <std-ident><originator>NSB</originator><doc-type>is</doc-type><doc-number>9501</doc-number>\
    <edition>1</edition></std-ident><content-language>fr</content-language>\
    <std-ref type='dated'>NSB 9501:2024</std-ref></std-meta></front><body><sec id='art_4'>\
    <label>Article 4</label><title>Quais</title><p>Le plan du port doit être affiché et la passerelle doit \
    résister à 5 kN.</p><p>Le gardien éclaire les quais.</p></sec></body></standard>";
const OF_LAW: &str = "urn:nsb:std:nsb:9501:ed-1:fr";

#[tokio::test(flavor = "multi_thread")]
async fn each_reader_of_a_law_sees_that_its_provisions_are_not_all_its_duties() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("law.xml");
    std::fs::write(&file, LAW).unwrap();
    let demo = Demo::start(&["--ingest", file.to_str().unwrap()]).await;
    let caller = demo.caller().await;
    let start = demo.ready["explorerUrl"].as_str().unwrap();
    for (urn, is_incomplete) in [(OF_LAW, true), (NEWER, false)] {
        let answer = caller.standard(urn, "").await;
        let stated = &answer["metadata"]["dutiesWithoutVerbalForm"];
        assert_eq!(stated.as_bool().unwrap_or_default(), is_incomplete, "{urn}: {answer}");
        assert_eq!(stated.is_null(), !is_incomplete, "{urn}");

        let (code, _, said) = run(&demo, &[urn, "--format", "csv"]);
        assert_eq!(code, 0, "{said}");
        assert_eq!(said.contains("may state duties without a verbal form"), is_incomplete, "{said}");

        let page = demo.http.get(format!("{start}en/s/{urn}")).send().await.unwrap().text().await.unwrap();
        assert_eq!(page.contains("the marked provisions are not all"), is_incomplete, "{urn}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_comparator_that_is_not_stated_is_shown_as_not_stated() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("law.xml");
    std::fs::write(&file, LAW).unwrap();
    let demo = Demo::start(&["--ingest", file.to_str().unwrap()]).await;
    let all = demo.caller().await.standard(OF_LAW, "/provisions").await;
    let quantity = &all["items"][0]["quantities"][0];
    assert_eq!((&quantity["value"], &quantity["comparator"]), (&Value::from("5"), &Value::Null), "{all}");

    let (start, id) = (demo.ready["explorerUrl"].as_str().unwrap(), all["items"][0]["id"].as_str().unwrap());
    let page = demo.http.get(format!("{start}en/p/{id}")).send().await.unwrap().text().await.unwrap();
    assert!(page.contains("(not stated)"), "{page}");
    assert!(!page.contains("equal") && !page.contains("= 5"), "{page}");
    let exported = rows(&demo, &[OF_LAW]);
    assert_eq!(exported[0]["quantities"], "5 kN");
}

#[tokio::test(flavor = "multi_thread")]
async fn ids_of_lineages_survive_an_edition_and_the_rows_of_a_comparison_are_its_items() {
    let demo = Demo::start(&[]).await;
    let [older, newer] = [OLDER, NEWER].map(|urn| rows(&demo, &[urn, "--identity", "lineage"]));
    let json = demo.norma(&["compare", OLDER, NEWER, "--format", "json"]);
    let compared: Value = serde_json::from_str(&json).unwrap();
    let items = compared["items"].as_array().unwrap();
    let id_of = |edition: &str, side: &Value| {
        let all = rows(&demo, &[edition]);
        let at = all.iter().position(|row| row["id"] == side["id"].as_str().unwrap()).unwrap();
        if edition == OLDER { older[at]["id"].clone() } else { newer[at]["id"].clone() }
    };
    let sure = |item: &&Value| {
        let is_pair = matches!(item["relation"].as_str(), Some("same" | "reworded"));
        is_pair && matches!(item["likelihood"].as_str(), Some("high" | "certain"))
    };
    let mut pairs = 0;
    for item in items.iter().filter(sure).step_by(10) {
        assert_eq!(id_of(OLDER, &item["older"]), id_of(NEWER, &item["newer"]), "{item}");
        pairs += 1;
    }
    assert!(pairs > 2, "{pairs}");

    let changes = rows(&demo, &["--compare", OLDER, NEWER]);
    assert_eq!(changes.len(), items.len());
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    for (row, item) in changes.iter().zip(items) {
        let changed = item["changed"].as_array().into_iter().flatten().map(text);
        assert_eq!(row["changed"], changed.collect::<Vec<_>>().join("; "));
        for name in ["relation", "likelihood"] {
            assert_eq!(row[name], text(&item[name]), "{item}");
        }
        for side in ["older", "newer"] {
            for member in ["id", "label", "type"] {
                assert_eq!(row[&format!("{side}_{member}")], text(&item[side][member]), "{item}");
            }
            let texts = [&item[side]["leadIn"], &item[side]["text"]].map(text);
            assert_eq!(row[&format!("{side}_text")], texts.join(" ").trim(), "{item}");
        }
        for (member, column) in [("quantity", "quantity"), ("dependsOn", "depends_on"), ("moved", "moved")] {
            assert_eq!(row[column].is_empty(), item["facets"][member].is_null(), "{item}");
        }
    }
    let stricter = rows(&demo, &["--compare", NEWER, OLDER, "--filter", "changed=strength"]);
    assert!(
        !stricter.is_empty() && stricter.iter().all(|row| row["strength"].contains(" → ")),
        "{stricter:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn editions_in_the_other_order_are_exchanged_with_a_word_and_documents_differ_only_where_asked_for() {
    let demo = Demo::start(&[]).await;
    let in_order = run(&demo, &["--compare", OLDER, NEWER, "--format", "csv"]);
    assert_eq!((in_order.0, &*in_order.2), (0, ""));
    for first in [NEWER, "urn:nsb:std:nsb:4210"] {
        let (code, bytes, said) = run(&demo, &["--compare", first, OLDER, "--format", "csv"]);
        assert_eq!(code, 0, "{said}");
        assert_eq!(said, format!("{OLDER} is older than {NEWER}: compared in this order\n"));
        assert!(bytes == in_order.1, "{first}");
    }
    let arguments = ["--compare", OLDER, OTHER_DOCUMENT, "--filter", "differentDocuments=true"];
    assert!(!rows(&demo, &arguments).is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_says_its_format_and_what_is_refused_is_one_line_and_leaves_no_file() {
    let demo = Demo::start(&[]).await;
    let folder = demo.folder().join("exports");
    std::fs::create_dir(&folder).unwrap();
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (workbook, again, changes) = (path("a.xlsx"), path("b.xlsx"), path("changes.xlsx"));
    for arguments in [
        &[NEWER, "--output", &workbook][..],
        &[NEWER, "--output", &again],
        &["--compare", OLDER, NEWER, "--output", &changes],
    ] {
        let (code, out, errors) = run(&demo, arguments);
        assert_eq!((code, out.len(), &*errors), (0, 0, ""), "{arguments:?}");
    }
    let bytes = std::fs::read(&workbook).unwrap();
    assert!(bytes.starts_with(b"PK") && bytes == std::fs::read(&again).unwrap());
    let files = || std::fs::read_dir(&folder).unwrap().count();
    assert_eq!(files(), 3);

    let output = path("refused.csv");
    for (arguments, word) in [
        (&[NEWER, "--format", "ods"][..], "expected the format `csv`, `xlsx`, `reqif`"),
        (&[NEWER, "99"], "selection-not-found"),
        (&[NEWER, "4.2(1)", "--type", "permission"], "expected at least one provision"),
        (&[NEWER, "--type", "must"], "`must` is not one of"),
        (&[ONLY_DISCOVERED], "content-not-licensed"),
        (&["urn:nsb:std:nsb:1:ed-1:en"], "standard-not-found"),
        (&["4.2"], "expected a URN"),
        (&["4.2", NEWER], "found `4.2` in front of others"),
        (&["--filter", "number=1"], "find no standard"),
        (&["--filter", "nummer=1"], "unknown-parameter"),
        (&["--compare", OLDER, "urn:nsb:std:nsb:1:ed-1:en"], "standard-not-found"),
        (&["--compare", OLDER, NEWER, "--filter", "changed=colour"], "`colour` is not one of"),
        (&["--compare", OLDER, OTHER_DOCUMENT], "add `--filter differentDocuments=true`"),
    ] {
        let (code, out, errors) = run(&demo, &[arguments, &["--output", &output]].concat());
        assert!(code != 0 && out.is_empty(), "{arguments:?}: {code}");
        assert!(errors.contains(word) && errors.trim_end().lines().count() == 1, "{arguments:?}: {errors}");
        assert_eq!(files(), 3, "{arguments:?}");
    }
    let (code, _, errors) = run(&demo, &[NEWER]);
    assert!(code != 0, "{errors}");
    for name in ["csv", "xlsx", "reqif", "reqifz", "needs", "doorstop", "oscal", "ciso"] {
        assert!(errors.contains(&format!("`{name}`")), "{name}: {errors}");
    }
    let (code, _, errors) = run(&demo, &[NEWER, "--output", &path("absent/a.csv")]);
    assert!(code != 0 && errors.contains("absent"), "{errors}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pipe_or_link_that_output_names_stays_what_it_is() {
    let demo = Demo::start(&[]).await;
    let folder = tempfile::tempdir().unwrap();
    let [pipe, target, link] = ["all.csv", "target.csv", "link.csv"].map(|name| folder.path().join(name));
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    std::fs::write(&target, "").unwrap();
    std::os::unix::fs::symlink(&target, &link).unwrap();
    let expected = run(&demo, &[NEWER, "--format", "csv"]).1;
    let reader = Command::new("cat").arg(&pipe).stdout(Stdio::piped()).spawn().unwrap();
    for path in [&pipe, &link] {
        let (code, _, errors) = run(&demo, &[NEWER, "--output", path.to_str().unwrap()]);
        assert_eq!(code, 0, "{errors}");
        assert!(!path.symlink_metadata().unwrap().is_file());
    }
    assert_eq!(reader.wait_with_output().unwrap().stdout, expected);
    assert_eq!(std::fs::read(&target).unwrap(), expected);
}
