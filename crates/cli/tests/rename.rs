//! Rebuild of editions whose documents now give other URNs: readers, grants and ids of provisions use the new
//! ones.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

mod support;

use serde_json::{Value, json};
use support::installation::{Answer, Installation, Instance};
use support::test_store::{Kind, TestStore, psql};

const OLD: &str = "urn:nsb:std:nsb:7301:ed-1:eng";
const NEW: &str = "urn:nsb:std:nsb:7301:ed-1:en";

/// The name that an operator gave to a document that names itself `NSB 7302`.
const GIVEN: &str = "urn:nsb:std:nsb:900:ed-1:eng";

const TAKEN: &str = "urn:nsb:std:nsb:7303:ed-1:en";
const UNCHANGED: &str = "urn:nsb:std:nsb:7303:ed-1:eng";

/// Enough words to detect their language: a document with `eng` must not differ from its text in English.
const LONG: &str = "The hooks of this list are made by the smiths of the town and are sold with the screws that fit the wall of a hall \
    or a room. The number on the back of each of them is the year in which it was made, and the letter is that of the smith. The colour \
    of the brass is not the same for all of them, as the share of the copper in it is a matter of the maker and of the year.";

fn document(number: u32) -> String {
    format!(
        "<standard><front><std-meta><title-wrap><full>Hooks {number}</full></title-wrap><std-ident><originator>NSB</originator>\
         <doc-number>{number}</doc-number><edition>1</edition></std-ident><content-language>eng</content-language>\
         <std-ref type='dated'>NSB {number}:2019</std-ref></std-meta></front><body><sec id='s4'><label>4</label>\
         <title>Hooks</title><p>The hook shall carry the coat. It should be made of brass.</p>\
         <p>The hook shall carry the coat.</p><p>{LONG}</p></sec></body></standard>"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rebuild_renames_what_its_source_names_otherwise_and_nothing_is_lost() {
    for kind in [Kind::Sqlite, Kind::Postgres] {
        let Some(test_store) = TestStore::new(kind) else { continue };
        let installation = Installation::on(&test_store.options()).await;
        let folder = tempfile::tempdir().unwrap();
        let ingest = |number: u32, more: &[&str]| {
            let file = folder.path().join(format!("{number}.xml"));
            std::fs::write(&file, document(number)).unwrap();
            installation.norma(&[&["ingest", file.to_str().unwrap()], more].concat());
        };
        for (number, urn) in [(7301, OLD), (7302, GIVEN), (7303, UNCHANGED)] {
            ingest(number, &["--urn", urn]);
        }
        let other = folder.path().join("other.xml");
        std::fs::write(&other, document(7303).replace("coat", "hat")).unwrap();
        installation.norma(&["ingest", other.to_str().unwrap()]);
        let tenant = installation.tenant.to_string();
        installation.norma(&["tenant", "add", &tenant]);
        installation.norma(&["grant", "add", &tenant, "--urn", OLD, "--urn", GIVEN, "--urn", UNCHANGED]);
        // As a program stored them that knew `eng` as a language of its own, but for the name that was given.
        execute(&test_store, "UPDATE editions SET deriver = 'none'");
        execute(&test_store, &format!("UPDATE editions SET urn_given = 0 WHERE urn <> '{GIVEN}'"));

        let instance = installation.serve(&[]).await;
        let held = ids(&read(&instance, OLD, "/provisions").await);
        assert_eq!(held.len(), 3);
        let said = installation.norma(&["rebuild"]);
        assert!(said.contains(&format!("renamed from {OLD}")), "{said}");
        assert!(said.ends_with("4 rebuilt, 0 failed\n"), "{said}");
        assert!(said.contains(&format!("gives {TAKEN}, which another edition has")), "{said}");
        drop(instance);

        let instance = installation.serve(&[]).await;
        for name in [OLD, NEW] {
            assert_eq!(read(&instance, name, "").await["urn"], NEW, "{kind:?} {name}");
        }
        let present = ids(&read(&instance, NEW, "/provisions").await);
        assert_eq!(present.len(), 3);
        assert!(held.iter().all(|old| !present.contains(old)));
        let (_, heirs) =
            instance.post(&format!("/v1{}", path(NEW, "/migrate")), &json!({ "ids": held })).await;
        let heirs = heirs["items"].as_array().unwrap_or_else(|| panic!("{heirs}"));
        let heirs: Vec<&str> =
            heirs.iter().map(|item| item["comparedProvisions"][0]["id"].as_str().unwrap()).collect();
        assert_eq!(heirs, present, "{kind:?}");
        // A name that was given, and one that is taken, stay.
        for name in [GIVEN, UNCHANGED] {
            assert_eq!(read(&instance, name, "").await["urn"], name);
        }
        assert_eq!(instance.get(&path(TAKEN, "")).await.status, 404, "a grant follows its edition alone");
        let said = installation.norma(&[
            "ingest",
            folder.path().join("7301.xml").to_str().unwrap(),
            "--format",
            "json",
        ]);
        assert!(said.contains(NEW) && said.contains("\"diagnostics\""), "{said}");
        assert!(!said.contains("language-mismatch"), "{said}");
        assert!(!installation.norma(&["list"]).contains(OLD));
        // Once more, nothing changes; the alias stays.
        installation.norma(&["rebuild", "--all"]);
        assert_eq!(read(&instance, OLD, "").await["urn"], NEW);
        assert!(installation.norma(&["store", "verify"]).ends_with(" 0 damaged\n"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ingest_of_the_same_source_renames_as_a_rebuild_does() {
    let test_store = TestStore::new(Kind::Sqlite).unwrap();
    let installation = Installation::on(&test_store.options()).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hooks.xml");
    std::fs::write(&file, document(7301)).unwrap();
    let file = file.to_str().unwrap();
    installation.norma(&["ingest", file, "--urn", OLD]);
    execute(&test_store, "UPDATE editions SET urn_given = 0, deriver = 'none'");
    installation.norma(&["ingest", file]);
    let said = installation.norma(&["list"]);
    assert!(said.contains(NEW) && !said.contains(OLD), "{said}");
}

fn path(urn: &str, rest: &str) -> String {
    format!("/standards/{}{rest}", urn.replace(':', "%3A"))
}

async fn read(instance: &Instance, urn: &str, rest: &str) -> Value {
    let answer: Answer = instance.get(&path(urn, rest)).await;
    assert_eq!(answer.status, 200, "{urn}{rest}: {answer:?}");
    serde_json::from_slice(&answer.body).unwrap()
}

fn ids(provisions: &Value) -> Vec<String> {
    let items = provisions["items"].as_array().unwrap();
    items.iter().map(|item| item["id"].as_str().unwrap().to_owned()).collect()
}

fn execute(test_store: &TestStore, sql: &str) {
    if test_store.store.contains("://") {
        psql(&test_store.store, sql);
    } else {
        rusqlite::Connection::open(&test_store.store).unwrap().execute_batch(sql).unwrap();
    }
}
