//! `norma search`: what an operator finds, with and without a running service, and the index built again.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

mod support;

use std::os::unix::fs::PermissionsExt;
use std::process::Output;

use serde_json::{Value, json};
use support::installation::{Installation, Instance, STANDARD, norma, series};
use support::test_store::{Kind, TestStore};
use support::wait::{DEADLINE, eventually};

const WORDS: &[&str] = &["search", "anchor", "edition=all", "limit=100", "--format", "json"];

/// What the API finds for a caller who may read everything, once all is indexed.
async fn of_api(instance: &Instance, query: &str) -> Vec<Value> {
    eventually(DEADLINE, async || {
        let answer = instance.get(&format!("/search?{query}")).await;
        let answer: Value = serde_json::from_slice(&answer.body).unwrap();
        match answer["state"] == "complete" {
            true => Ok(answer["items"].as_array().unwrap().clone()),
            false => Err(answer.to_string()),
        }
    })
    .await
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The members that both have, in one order. The index has no numbers of terms, and joins the cells of tables
/// in its way.
fn common(hits: &[Value]) -> Vec<Value> {
    let members = |hit: &Value| match hit["kind"].as_str() {
        Some("term" | "table") => &["reference", "kind", "type", "urn", "id"][..],
        Some("section") => &["reference", "kind", "type", "urn", "id", "label"],
        _ => &["reference", "kind", "type", "urn", "id", "label", "text"],
    };
    let mut common: Vec<Value> = Vec::new();
    for hit in hits {
        if !is_section_of_a_term(hit, hits) {
            common.push(members(hit).iter().map(|name| hit[name].clone()).collect());
        }
    }
    // The one hit of a term and its section is where the first of the two is.
    common.sort_by_key(Value::to_string);
    common
}

/// Whether a hit is the section of a term that is a hit as well: for a caller the two are one hit.
fn is_section_of_a_term(hit: &Value, hits: &[Value]) -> bool {
    let Some(number) = hit["id"].as_str().and_then(|id| id.strip_prefix("sec_")) else { return false };
    let term = format!("term_{number}");
    hits.iter().any(|other| other["urn"] == hit["urn"] && other["id"] == term.as_str())
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_finds_what_a_caller_of_everything_finds_while_a_service_runs_and_after_it() {
    let store = TestStore::new(Kind::Sqlite).unwrap();
    let installation = Installation::filled(&store.options()).await;
    // The default: the file of the store with `-search` at its end.
    let folder = format!("{}-search", store.store);
    let nothing = installation.try_norma(WORDS);
    assert_eq!(nothing.status.code(), Some(2));
    let said = errors(&nothing);
    assert!(said.contains("no sound search index") && said.contains("`norma search rebuild`"), "{said}");
    assert!(!std::path::Path::new(&folder).exists());

    let mut instance = installation.serve(&["--search-dir", &folder]).await;
    let expected = of_api(&instance, "q=anchor&edition=all&limit=100").await;
    assert!(expected.len() > 10);
    let found = installation.try_norma(WORDS);
    let all = lines(&String::from_utf8(found.stdout.clone()).unwrap());
    assert_eq!(common(&all), common(&expected));
    assert!(errors(&found).contains(&format!("{0} of {0} hits", all.len())), "{}", errors(&found));
    assert!(!errors(&found).contains("incomplete"));
    for (words, query) in [
        (&["proof", "load", "type=requirement"][..], "q=proof+load&type=requirement"),
        (&["\"proof load\"", "edition=all"], "q=%22proof+load%22&edition=all"),
        (&["shall", "in=term", "language=en"], "q=shall&in=term&language=en"),
        (&["anchor", "urn=urn:nsb:std:nsb:4210:ed-1:en"], "q=anchor&urn=urn:nsb:std:nsb:4210:ed-1:en"),
    ] {
        let found = installation.norma(&[&["search", "--format", "json"], words].concat());
        assert_eq!(common(&lines(&found)), common(&of_api(&instance, query).await), "{query}");
    }
    let excluding = ["search", "--format", "json", "--store", &store.store, "--", "-marked", "anchor"];
    let found = String::from_utf8(norma(&excluding).output().unwrap().stdout).unwrap();
    assert_eq!(common(&lines(&found)), common(&of_api(&instance, "q=-marked+anchor").await));
    // A service has the index: it is not built again from below.
    let refused = installation.try_norma(&["search", "rebuild"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(errors(&refused).contains("stop `norma serve`"), "{}", errors(&refused));
    assert_eq!(common(&of_api(&instance, "q=anchor&edition=all&limit=100").await), common(&expected));

    // Nobody needs a grant here, and the index is as it was when the service ended.
    instance.kill();
    installation.norma(&["tenant", "remove", &installation.tenant.to_string()]);
    assert_eq!(common(&lines(&installation.norma(WORDS))), common(&expected));
    let documents = series(9001, 3);
    installation.norma(&["ingest", documents.path().to_str().unwrap()]);
    installation.norma(&["recall", STANDARD]);
    let found = installation.try_norma(&["search", "9002"]);
    assert!(errors(&found).contains("incomplete: 4 of 7 standards were searched"), "{}", errors(&found));
    let rebuilt = installation.norma(&["search", "rebuild"]);
    assert!(rebuilt.starts_with(&format!("7 standards are indexed in {folder}, ")), "{rebuilt}");
    let found = installation.try_norma(&["search", "NSB 9002", "--format", "json"]);
    assert!(!errors(&found).contains("incomplete"), "{}", errors(&found));
    let hits = lines(&String::from_utf8(found.stdout).unwrap());
    assert_eq!(
        (&hits[0]["kind"], &hits[0]["urn"]),
        (&json!("standard"), &json!("urn:nsb:std:nsb:9002:ed-1:en"))
    );
    let after = lines(&installation.norma(WORDS));
    assert!(
        !after.is_empty() && after.iter().all(|hit| hit["urn"] != STANDARD),
        "a recalled standard is found"
    );
    let mode = std::fs::metadata(&folder).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);

    // For people: a table.
    let table = installation.norma(&["search", "NSB", "9002"]);
    let head: Vec<&str> = table.lines().next().unwrap().split_whitespace().collect();
    assert_eq!(head[..2], ["reference", "kind"], "{table}");

    // A damaged index is not searched.
    let paths = |folder: &std::path::Path| -> Vec<std::path::PathBuf> {
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
    };
    let index = paths(folder.as_ref()).into_iter().find(|path| path.is_dir()).unwrap();
    for path in paths(&index) {
        if path.extension().is_some_and(|ending| ending == "idx") {
            std::fs::write(path, "rubbish").unwrap();
        }
    }
    assert!(errors(&installation.try_norma(WORDS)).contains("no sound search index"));
    assert!(installation.norma(&["search", "rebuild"]).starts_with("7 standards"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_a_search_is_refused_with_what_to_do() {
    let store = TestStore::new(Kind::Sqlite).unwrap();
    let installation = Installation::filled(&store.options()).await;
    installation.norma(&["search", "rebuild"]);
    for (words, expected) in [
        (&["anchor", "group=standard"][..], "`norma get search` has it"),
        (&["anchor", "type=rule"], "type"),
        (&["anchor", "limit=0"], "limit"),
        (&["anchor", "urn=nothing"], "urn"),
        (&["type=requirement"], "q"),
        (&["locker", "limit=101"], "limit"),
        (&[], "WORDS"),
    ] {
        let output = installation.try_norma(&[&["search"], words].concat());
        let said = errors(&output);
        assert!(output.status.code() == Some(2) && said.contains(expected), "{words:?}: {said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_doctor_says_whether_the_index_can_be_built_and_who_has_it() {
    let store = TestStore::new(Kind::Sqlite).unwrap();
    let installation = Installation::filled(&store.options()).await;
    let folder = store.folder.path().join("search");
    let search_dir = ["--search-dir", folder.to_str().unwrap()];
    let finding = |more: &[&str]| -> Value {
        let arguments = [&["doctor", "operator", "--audience", "x", "--format", "json"], more].concat();
        let findings = lines(&String::from_utf8(installation.try_norma(&arguments).stdout).unwrap());
        let mut of_search = findings.into_iter().filter(|finding| finding["check"] == "search");
        let finding = of_search.next().unwrap();
        assert!(of_search.next().is_none());
        finding
    };
    let said = |finding: &Value| (finding["ok"] == true, finding["said"].as_str().unwrap().to_owned());
    let (is_well, text) = said(&finding(&search_dir));
    assert!(is_well && text.contains("will be made in"), "{text}");
    assert!(!folder.exists());
    let instance = installation.serve(&search_dir).await;
    let has_it = async || match said(&finding(&search_dir)) {
        (true, text) if text.contains("a process writes the index in") => Ok(()),
        (_, text) => Err(text),
    };
    eventually(DEADLINE, has_it).await;
    drop(instance);
    let (is_well, text) = said(&finding(&search_dir));
    assert!(is_well && text.contains("no process has it now"), "{text}");
    assert_eq!(said(&finding(&["--search", "false"])), (true, "it is off (`search`)".to_owned()));

    let theirs = store.folder.path().join("theirs");
    std::fs::create_dir(&theirs).unwrap();
    std::fs::write(theirs.join("photo.jpg"), "").unwrap();
    for (folder, expected) in
        [(theirs.as_path(), "photo.jpg"), (&theirs.join("photo.jpg/search"), "photo.jpg")]
    {
        let finding = finding(&["--search-dir", folder.to_str().unwrap()]);
        let (is_well, text) = said(&finding);
        assert!(!is_well && text.contains(expected), "{finding}");
        assert!(finding["fix"].as_str().unwrap().contains("`search-dir`"), "{finding}");
    }
}
