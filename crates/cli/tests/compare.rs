//! `norma compare` prints the changes between two editions as a table, page or JSON, and refuses editions
//! that cannot be compared.

#![allow(clippy::unwrap_used, reason = "this is test code")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

/// Runs `norma compare` with paths from the samples.
fn compare(arguments: &[&str]) -> Output {
    compare_in("", arguments)
}

/// The same in a terminal with this number of columns.
fn compare_in(columns: &str, arguments: &[&str]) -> Output {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    Command::new(env!("CARGO_BIN_EXE_norma"))
        .arg("compare")
        .args(arguments)
        .current_dir(samples)
        .env("COLUMNS", columns)
        .output()
        .unwrap()
}

fn printed(output: Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_table_has_counts_and_what_changed() {
    let editions = ["bicycle-anchors-ed1", "bicycle-anchors-ed2-en/document.xml"];
    let table = printed(compare(&editions));
    let sentence = "9 reworded: 2 stricter, 4 quantities, 1 condition, 1 reference, 1 otherwise; 1 the same words \
                    but a changed clause; 2 moved; 22 new; 3 removed; 42 unchanged relation ";
    let words: Vec<&str> = table.split_whitespace().collect();
    assert!(words.join(" ").starts_with(sentence), "{table}");
    for part in ["recommendation", "5 kN → 8 kN", "4.2 → 10", "[-should-]{+shall+}", " 7.2.2(3)  7.2.2(3) "]
    {
        assert!(table.contains(part), "{part} in {table}");
    }
    let narrow = printed(compare_in("100", &editions));
    assert!(narrow.lines().all(|line| line.chars().count() <= 100), "{narrow}");
}

#[test]
fn editions_are_compared_in_their_order_however_they_are_named() {
    let forward = compare(&["bicycle-anchors-ed1", "bicycle-anchors-ed2-en"]);
    let back = compare(&["bicycle-anchors-ed2-en", "bicycle-anchors-ed1"]);
    assert!(forward.stderr.is_empty());
    let said = String::from_utf8(back.stderr.clone()).unwrap();
    assert_eq!(
        said,
        "urn:nsb:std:nsb:4210:ed-1:en is older than urn:nsb:std:nsb:4210:ed-2:en: compared in this order\n"
    );
    assert_eq!(printed(forward), printed(back));
}

#[test]
fn the_extension_of_a_file_says_its_format() {
    let folder = tempfile::tempdir().unwrap();
    let written = |name: &str, format: &[&str]| {
        let path = folder.path().join(name);
        let editions = ["bicycle-anchors-ed1", "bicycle-anchors-ed2-en", "--output", path.to_str().unwrap()];
        (compare(&[&editions[..], format].concat()), std::fs::read_to_string(&path).unwrap_or_default())
    };
    for (name, format, start) in [
        ("a.html", &[][..], "<!DOCTYPE html>"),
        ("a.json", &[], "{\"older\":"),
        ("a.txt", &[], "9 reworded"),
        ("b.txt", &["--format", "json"], "{\"older\":"),
    ] {
        let (output, text) = written(name, format);
        assert!(output.status.success() && text.starts_with(start), "{name}: {text}");
    }
    let (output, text) = written("c.html", &["--format", "json"]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(
        error.contains("expected `--format html` with `--output") && error.contains("found `--format json`"),
        "{error}"
    );
    assert_eq!((output.status.code(), &*text), (Some(2), ""));
}

#[test]
fn a_byte_order_mark_in_front_of_an_edition_is_taken() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let source = std::fs::read_to_string(samples.join("bicycle-anchors-ed2-en/document.xml")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("marked.xml");
    std::fs::write(&file, format!("\u{feff}{source}")).unwrap();
    let found = printed(compare(&["bicycle-anchors-ed1", file.to_str().unwrap()]));
    assert_eq!(found, printed(compare(&["bicycle-anchors-ed1", "bicycle-anchors-ed2-en/document.xml"])));
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
    let section = &moved["facets"]["moved"]["newer"];
    assert_eq!(section["number"], "10");
    assert!(section["id"].is_string() && section["title"].is_string(), "{section}");
    assert_eq!(moved["newer"]["text"], "The manufacturer shall supply the fixing bolts with the anchor.");
}

#[test]
fn a_page_is_one_file_that_loads_nothing_and_marks_the_words_that_changed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.html");
    let file = file.to_str().unwrap();
    let arguments = ["bicycle-anchors-ed1", "bicycle-anchors-ed2-en", "--output", file];
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
        (vec!["minimal"], vec!["NEWER"]),
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
    // Rules of another version would invent changes.
    let sql = "UPDATE editions SET deriver = '0' WHERE urn = ?1";
    assert_eq!(rusqlite::Connection::open(store).unwrap().execute(sql, [urns[0]]).unwrap(), 1);
    for newer in [urns[1], "bicycle-anchors-ed2-en"] {
        let error = String::from_utf8(compare(&[urns[0], newer, "--store", store]).stderr).unwrap();
        assert!(error.contains(&format!("run `norma rebuild {}`", urns[0])), "{error}");
    }
}

/// A document with a rule that refers to a figure and one that refers to a table.
const DEPENDING: &str = "<standard xmlns:xlink=\"http://www.w3.org/1999/xlink\"><front><std-meta><title-wrap xml:lang=\"en\">\
    <full>Yard</full></title-wrap><std-ident><originator>NSB</originator><doc-type>is</doc-type><doc-number>4711</doc-number>\
    <edition>EDITION</edition></std-ident><content-language>en</content-language><std-ref type=\"dated\">NSB 4711:202EDITION</std-ref>\
    </std-meta></front><body><sec id=\"sec_4\"><label>4</label><title>Gates</title><p>Gates shall have the form of \
    <xref rid=\"fig_1\">Figure 1</xref>.</p><p>Hinges shall conform to <xref rid=\"tab_1\">Table 1</xref>.</p><fig id=\"fig_1\">\
    <label>Figure 1</label><caption><title>Gate</title></caption><graphic xlink:href=\"gate.svg\"/></fig><table-wrap id=\"tab_1\">\
    <label>Table 1</label><table><thead><tr><th>Part</th><th>Load kg</th><th>Bolts</th></tr></thead><tbody><tr><th>hinge</th>\
    <td>CELL</td><td>4</td></tr></tbody></table></table-wrap></sec></body></standard>";

#[test]
fn a_changed_picture_and_changed_values_of_a_table_are_in_what_refers_to_them() {
    let folder = tempfile::tempdir().unwrap();
    let edition = |name: &str, edition: &str, cell: &str, width: u32| {
        let package = folder.path().join(name);
        std::fs::create_dir_all(package.join("media")).unwrap();
        let source = DEPENDING.replace("EDITION", edition).replace("CELL", cell);
        std::fs::write(package.join("document.xml"), source).unwrap();
        let picture = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"><rect width=\"{width}\" height=\"9\"/></svg>"
        );
        std::fs::write(package.join("media/gate.svg"), picture).unwrap();
        package.to_str().unwrap().to_owned()
    };
    let older = edition("older", "1", "≥ 40", 9);
    let found = |name: &str, cell: &str, width: u32| -> Value {
        let newer = edition(name, "2", cell, width);
        serde_json::from_str(&printed(compare(&[&older, &newer, "--format", "json"]))).unwrap()
    };
    let depends = |found: &Value, item: usize| found["items"][item]["facets"]["dependsOn"][0].clone();

    let same = found("same", "≥ 40", 9);
    assert_eq!(
        (&same["counts"]["changed"]["dependsOn"], &same["tableChanges"]),
        (&json!(0), &Value::Null),
        "{same}"
    );
    let picture = found("picture", "≥ 40", 5);
    let figure = depends(&picture, 0);
    assert_eq!((&picture["items"][0]["relation"], &figure["type"]), (&json!("same"), &json!("figure")));
    assert_eq!(
        (&figure["older"]["label"], &figure["newer"]["id"]),
        (&json!("Figure 1"), &json!("graphic~1"))
    );
    assert_eq!(picture["counts"]["changed"]["dependsOn"], 1);

    for (cell, changed) in [("≥ 55", "quantity"), ("≤ 40", "bound")] {
        let value = found(changed, cell, 9);
        assert_eq!(
            (&value["items"][1]["relation"], depends(&value, 1)["counts"]["changed"].as_u64()),
            (&json!("same"), Some(1))
        );
        assert_eq!(
            value["tableChanges"][0]["cellChanges"],
            json!([{"rowHead": "hinge", "columnHead": "Load kg", "older": {"text": "≥ 40"}, "newer": {"text": cell}, "changed": [changed]}])
        );
    }
    let both = found("both", "≤ 30", 9);
    assert_eq!(both["tableChanges"][0]["cellChanges"][0]["changed"], json!(["quantity", "bound"]));
}
