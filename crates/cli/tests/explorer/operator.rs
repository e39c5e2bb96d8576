//! Pages for an operator, and the documentation of the service, which the tour of the browser
//! (tests/peers/explorer.cjs) does not visit.

use std::process::Command;

use reqwest::StatusCode;

use super::support::{Demo, installed};
use super::{ANCHORS, Explore, command, page, started};

/// URN of `samples/broken/missing-graphic.xml`.
const BROKEN: &str = "urn:nsb:std:nsb:4930:ed-1:en";

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_sees_what_an_ingest_found() {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/broken/missing-graphic.xml");
    let demo = Demo::start(&["--ingest", source]).await;
    let service = demo.ready["baseUrl"].as_str().unwrap();
    let report = Command::new(env!("CARGO_BIN_EXE_norma"))
        .args(["check", "--format", "json", source])
        .output()
        .unwrap();
    let report: serde_json::Value = serde_json::from_slice(&report.stdout).unwrap();
    let urn = report["urn"].as_str().unwrap();
    let store = demo.folder().join("data/norma.db");
    let operator = started(command(&demo, service, "127.0.0.1:0").arg("--store").arg(store));
    let (status, text) = page(&demo, &format!("{}en/i/{urn}", operator.url)).await;
    assert!(status.is_success(), "{text}");
    let diagnostics = report["diagnostics"].as_array().unwrap();
    assert!(!diagnostics.is_empty(), "{report}");
    for diagnostic in diagnostics {
        let position = format!(" {}:{}</a></h3>", diagnostic["line"], diagnostic["column"]);
        assert!(text.contains(&position), "{position} in {text}");
        for member in ["severity", "code", "message", "hint"] {
            let words = diagnostic[member].as_str().unwrap();
            assert!(text.contains(words), "{member} `{words}` in {text}");
        }
    }
    let sections = format!("<dt>sections</dt><dd>{}</dd>", report["counts"]["sections"]);
    assert!(text.contains(&sections), "{sections} in {text}");
    let link = format!("en/i/{urn}\"");
    assert!(page(&demo, &format!("{}en/s/{urn}", operator.url)).await.1.contains(&link));
    assert_eq!(page(&demo, &format!("{}en/i/{ANCHORS}x", operator.url)).await.0, StatusCode::NOT_FOUND);
    // A caller without the store has neither the link nor the page.
    let start = demo.ready["explorerUrl"].as_str().unwrap();
    assert!(!page(&demo, &format!("{start}en/s/{urn}")).await.1.contains(&link));
    let found = page(&demo, &format!("{start}en/i/{urn}")).await;
    assert!(found.0 == StatusCode::NOT_FOUND && found.1.contains("<code>--store</code>"), "{found:?}");
}

/// An explorer that reads the store of a demonstration.
fn operator(demo: &Demo) -> Explore {
    let service = demo.ready["baseUrl"].as_str().unwrap();
    let store = demo.folder().join("data/norma.db");
    started(command(demo, service, "127.0.0.1:0").arg("--store").arg(store))
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_sees_what_an_ingest_corrected_and_what_is_new() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("4713.xml");
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/minimal/document.xml");
    let sample = std::fs::read_to_string(sample).unwrap().replace("4201", "4713");
    let note = "<non-normative-note><p>The ball shall be dry.</p></non-normative-note>";
    let lost = "<p>See <xref rid=\"nowhere\">Clause 9</xref>.</p>";
    // Both sources have the flaw of the note, on different lines.
    std::fs::write(&file, sample.replace("<p>The mass", &format!("{lost}{note}<p>The mass"))).unwrap();
    let demo = Demo::start(&["--ingest", file.to_str().unwrap()]).await;
    let date = "<std-ref type=\"undated\">NSB 4713</std-ref>\n<release-date>soon</release-date>";
    let corrected = sample
        .replace("<std-ref type=\"undated\">NSB 4713</std-ref>", date)
        .replace("<p>The mass", &format!("{note}<p>The mass"));
    std::fs::write(&file, corrected).unwrap();
    let store = demo.folder().join("data/norma.db");
    let ingested = Command::new(env!("CARGO_BIN_EXE_norma"))
        .args(["ingest", "--store", store.to_str().unwrap(), file.to_str().unwrap()])
        .output()
        .unwrap();
    assert!(ingested.status.success(), "{}", String::from_utf8_lossy(&ingested.stderr));
    let explorer = operator(&demo);
    let (_, text) = page(&demo, &format!("{}en/i/urn:nsb:std:nsb:4713:ed-1:en", explorer.url)).await;
    let (_, changes) = text.split_once("id=\"changes\"").unwrap_or_else(|| panic!("{text}"));
    let (corrected, added) =
        changes.split_once("New in the source: 1").unwrap_or_else(|| panic!("{changes}"));
    assert!(corrected.contains("Corrected in the source: 1"), "{corrected}");
    assert!(corrected.contains("<code>dangling-reference</code>"), "{corrected}");
    assert!(added.contains("<code>invalid-date</code>"), "{added}");
    assert!(!changes.contains("provision-in-note"), "it is in both: {changes}");
}

#[tokio::test(flavor = "multi_thread")]
async fn diagnostics_are_explained_in_the_language_of_the_page() {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/broken/missing-graphic.xml");
    let demo = Demo::start(&["--ingest", source]).await;
    let explorer = operator(&demo);
    for (language, words) in [("de", "ist nicht im Paket"), ("fr", "n'est pas dans le paquet")] {
        let (_, text) = page(&demo, &format!("{}{language}/i/{BROKEN}", explorer.url)).await;
        assert!(text.contains(words), "{language}: {text}");
        assert!(text.contains("<p lang=\"en\">"), "the words of the service are folded: {text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_accessibility_checker_finds_nothing_in_pages_for_operators_and_in_the_documentation() {
    let (Some(browser), Some(modules)) = (installed("NORMA_BROWSER"), installed("NORMA_NODE_MODULES")) else {
        return;
    };
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/broken/missing-graphic.xml");
    let demo = Demo::start(&["--ingest", source]).await;
    let explorer = operator(&demo);
    let docs = format!("{}/docs", demo.ready["baseUrl"].as_str().unwrap().trim_end_matches('/'));
    let checker = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/peers/accessible.cjs");
    let mut command = Command::new("node");
    command.arg(checker).arg(browser).arg(docs).env("NODE_PATH", modules);
    for language in ["en", "de", "fr"] {
        command.arg(format!("{}{language}/i/{BROKEN}", explorer.url));
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
