//! The real binary, as a newcomer runs it: demo on free ports, a token over HTTP, every operation, an asset's
//! bytes; on each engine.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

mod support;

use serde_json::Value;
use support::Demo;
use support::test_store::{Kind, TestStore};

/// Runs each test on each pair of engines.
macro_rules! on_each_engine {
    ($($name:ident),* $(,)?) => {
        on_each_engine!(@kind sqlite Sqlite $($name)*);
        on_each_engine!(@kind sqlite_and_files SqliteAndFiles $($name)*);
        on_each_engine!(@kind postgres Postgres $($name)*);
        on_each_engine!(@kind postgres_and_s3 PostgresAndS3 $($name)*);
        on_each_engine!(@kind postgres_and_azure PostgresAndAzure $($name)*);
    };
    (@kind $module:ident $kind:ident $($name:ident)*) => {
        mod $module {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $name() {
                    if let Some(test_store) = crate::TestStore::new(crate::Kind::$kind) {
                        super::$name(test_store).await;
                    }
                }
            )*
        }
    };
}

on_each_engine!(
    a_licensed_caller_reads_a_real_standard_part_by_part,
    what_is_not_licensed_is_refused_and_what_is_hidden_is_not_there,
    a_change_by_the_command_line_is_seen_within_a_second,
    a_second_start_finds_the_data_and_changes_nothing,
);

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn everything_in_a_demo_folder_is_for_its_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let demo = Demo::start(&[]).await;
    let mut todo = vec![demo.folder().join("data")];
    let mut seen = 0;
    while let Some(path) = todo.pop() {
        let about = path.metadata().unwrap();
        assert_eq!(about.permissions().mode() & 0o077, 0, "{}", path.display());
        // Nobody else reaches the files in the folder of the search index, whose engine makes them.
        if about.is_dir() && !path.ends_with("search") {
            todo.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        }
        seen += 1;
    }
    assert!(seen > 20, "{seen} files and folders");
}

const STANDARD: &str = "urn:nsb:std:nsb:4210:ed-2:en";
const RICH: &str = "urn:nsb:std:nsb:4230:-1:ed-1:en";
const ONLY_DISCOVERED: &str = "urn:nsb:std:nsb:4220:ed-1:en";
const HIDDEN: &str = "urn:nsb:std:nsb:ts:4250:ed-1:en";

async fn a_licensed_caller_reads_a_real_standard_part_by_part(test_store: TestStore) {
    let demo = Demo::start_on(test_store, &[]).await;
    let caller = demo.caller().await;

    let list = caller.json("/standards").await;
    let urns: Vec<&str> =
        list["items"].as_array().unwrap().iter().map(|s| s["urn"].as_str().unwrap()).collect();
    assert_eq!(list["total"], urns.len());
    assert!(urns.contains(&STANDARD) && urns.contains(&ONLY_DISCOVERED), "{urns:?}");
    assert!(!urns.contains(&HIDDEN), "{urns:?}");

    let complete = caller.standard(STANDARD, "").await;
    assert_eq!(complete["metadata"]["reference"], "NSB 4210:2025");
    assert_eq!(complete["ics"].as_array().unwrap().len(), 2);
    let metadata = caller.standard(STANDARD, "/metadata").await;
    let members: Vec<&String> = metadata.as_object().unwrap().keys().collect();
    assert_eq!(members.len(), 11, "{members:?}");

    let sections = caller.standard(STANDARD, "/sections").await;
    let content = caller.standard(STANDARD, "/content").await;
    let ids: Vec<&Value> = content["sections"].as_array().unwrap().iter().map(|s| &s["id"]).collect();
    assert_eq!(pre_order(&sections["sections"]), ids);

    let provisions = caller.standard(STANDARD, "/provisions").await;
    let clause = caller.standard(STANDARD, "/provisions/4").await;
    let in_clause = clause["items"].as_array().unwrap();
    assert!(!in_clause.is_empty() && in_clause.len() < provisions["items"].as_array().unwrap().len());
    let id = in_clause[0]["id"].as_str().unwrap();
    let one = caller.json(&format!("/provisions/{id}")).await;
    assert_eq!(one["standard"]["urn"], STANDARD);
    assert_eq!(one["nextId"], in_clause[1]["id"]);
    assert!(one["sectionContext"]["text"].as_str().unwrap().contains(one["text"].as_str().unwrap()));

    let terms = caller.standard(RICH, "/terms").await;
    assert_eq!(terms["items"].as_array().unwrap().len(), 6);
    let graphics = caller.standard(RICH, "/graphics").await;
    for graphic in graphics["items"].as_array().unwrap() {
        assert_eq!(graphic["available"], true, "{graphic}");
        let asset = caller.resolve(RICH, graphic["assetReference"].as_str().unwrap()).await;
        let bytes = demo.http.get(asset["url"].as_str().unwrap()).send().await.unwrap();
        assert_eq!(bytes.status(), 200);
        assert_eq!(bytes.headers()["content-type"], asset["mediaType"].as_str().unwrap());
        assert_eq!(bytes.bytes().await.unwrap().len() as u64, asset["size"].as_u64().unwrap());
    }

    let graph = caller.get("/api/content/preview/knowledge-graph/standards/", STANDARD, "").await;
    assert_eq!(graph.headers()["content-type"], "application/ld+json");
    assert!(graph.json::<Value>().await.unwrap()["@context"].is_object());

    let log = demo.stop().await;
    let unexpected: Vec<&str> = log.lines().filter(|l| l.contains("WARN") || l.contains("ERROR")).collect();
    // The development provider says loudly what it is.
    assert!(unexpected.iter().all(|l| l.contains("development identity provider")), "{unexpected:?}");
}

async fn what_is_not_licensed_is_refused_and_what_is_hidden_is_not_there(test_store: TestStore) {
    let demo = Demo::start_on(test_store, &[]).await;
    let caller = demo.caller().await;
    let path = "/api/content/v1/standards/";
    for part in ["", "/metadata", "/content", "/provisions", "/provisions/4", "/terms", "/graphics"] {
        let refused = caller.get(path, ONLY_DISCOVERED, part).await;
        assert_eq!(refused.status(), 403, "{part}");
        assert_eq!(refused.json::<Value>().await.unwrap()["code"], "content-not-licensed", "{part}");
        let hidden = caller.get(path, HIDDEN, part).await.json::<Value>().await.unwrap();
        let unknown =
            caller.get(path, "urn:nsb:std:nsb:1:ed-1:en", part).await.json::<Value>().await.unwrap();
        let but_instance = |mut problem: Value| {
            problem["instance"] = Value::Null;
            problem
        };
        assert_eq!(hidden["status"], 404, "{part}");
        assert_eq!(but_instance(hidden), but_instance(unknown), "{part}");
    }
    assert_eq!(caller.get(path, ONLY_DISCOVERED, "/sections").await.status(), 200);
    assert_eq!(caller.get(path, HIDDEN, "/sections").await.status(), 404);
}

async fn a_change_by_the_command_line_is_seen_within_a_second(test_store: TestStore) {
    let demo = Demo::start_on(test_store, &[]).await;
    let caller = demo.caller().await;
    let path = "/api/content/v1/standards/";
    assert_eq!(caller.get(path, HIDDEN, "").await.status(), 404);
    let tenant = demo.ready["tenantId"].as_str().unwrap();
    demo.norma(&["grant", "add", tenant, "--urn", HIDDEN]);
    caller.until(path, HIDDEN, 200).await;
    demo.norma(&["recall", HIDDEN, "--reason", "an error in a table"]);
    caller.until(path, HIDDEN, 410).await;
    demo.norma(&["reinstate", HIDDEN]);
    demo.norma(&["withdraw", HIDDEN]);
    caller.until(path, HIDDEN, 200).await;
    let picture = caller.resolve(STANDARD, "fig_1").await["url"].as_str().unwrap().to_owned();
    demo.norma(&["tenant", "suspend", tenant]);
    caller.until(path, HIDDEN, 403).await;
    assert_eq!(demo.http.get(&picture).send().await.unwrap().status(), 403);
    demo.norma(&["tenant", "remove", tenant]);
    caller.until(path, HIDDEN, 401).await;
}

async fn a_second_start_finds_the_data_and_changes_nothing(test_store: TestStore) {
    let first = Demo::start_on(test_store, &[]).await;
    let before = first.caller().await.standard(STANDARD, "").await;
    let (folder, test_store) = first.stop_and_keep().await;
    let second = Demo::start_in(folder, test_store, &[]).await;
    assert_eq!(second.caller().await.standard(STANDARD, "").await, before);
}

fn pre_order(sections: &Value) -> Vec<&Value> {
    let sections = sections.as_array().unwrap().iter();
    sections.flat_map(|s| std::iter::once(&s["id"]).chain(pre_order(&s["children"]))).collect()
}
