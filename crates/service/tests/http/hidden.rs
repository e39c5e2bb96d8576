//! Hidden editions: no trace in a status, a body, a header, a count, an alias or a relation.

use std::path::Path;
use std::time::SystemTime;

use norma_api::Operation;
use norma_api::paths::Requirement;
use norma_ingest::{IngestOptions, ingest};
use norma_store::{Grant, GrantScope, Level, Tenant};
use serde_json::{Value, json};

use crate::routes::{body, target};
use crate::world::{self, World};

/// Status, headers and body of an answer, without values that differ each time.
async fn answer(world: &World, operation: Operation, path: &str, token: &str) -> (u16, Vec<String>, Value) {
    let url = format!("{}{path}", world.running.public_url);
    let request = match operation.describe().body {
        None => world.http.get(url),
        Some(_) => world.http.post(url).json(&body(operation)),
    };
    let answer = request.bearer_auth(token).header("x-request-id", "the-same").send().await.unwrap();
    let status = answer.status().as_u16();
    let passing = ["date", "x-ratelimit-remaining", "x-ratelimit-reset"];
    let mut headers: Vec<String> = (answer.headers().iter())
        .filter(|(name, _)| !passing.contains(&name.as_str()))
        .map(|(name, value)| format!("{name}: {}", value.to_str().unwrap()))
        .collect();
    headers.sort();
    (status, headers, answer.json().await.unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hidden_standard_and_one_that_is_not_there_are_answered_alike_on_every_route() {
    let world = World::new().await;
    let unknown = "prv_aaaaaaaaaaaaaaaaaaaaaaaaaa";
    let hidden_provision = world.provision_of(world::HIDDEN).await;
    // By its URN, without its language, without its edition, and as an alias that resolves for those who see
    // it.
    let names = [
        (world::HIDDEN, "urn:nsb:std:nsb:ts:4251:ed-1:en"),
        ("urn:nsb:std:nsb:ts:4250:ed-1", "urn:nsb:std:nsb:ts:4251:ed-1"),
        ("urn:nsb:std:nsb:ts:4250", "urn:nsb:std:nsb:ts:4251"),
        ("urn:nsb:std:nsb:ts:4250:ed-1:v1:en", "urn:nsb:std:nsb:ts:4251:ed-1:v1:en"),
    ];
    for &operation in Operation::ALL.iter().filter(|o| o.describe().requirement >= Requirement::Discover) {
        for token in [world.reader(), world.stranger()] {
            let ask = async |name: &str, provision: &str| {
                let path = target(operation, name, provision);
                answer(&world, operation, &path, &token).await
            };
            for (hidden, absent) in names {
                let (found, nothing) = (ask(hidden, &hidden_provision).await, ask(absent, unknown).await);
                assert_eq!(found.0, 404, "{operation:?} {hidden}");
                assert_eq!(found, nothing, "{operation:?} {hidden}");
            }
        }
    }
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_searches_counts_and_relations_tell_nothing_of_what_is_hidden() {
    let world = World::new().await;
    let list = async |query: &str| -> Value {
        world
            .get(&format!("{}?{query}", Operation::Standards.path()))
            .send()
            .await
            .unwrap()
            .json()
            .await
            .unwrap()
    };
    let urns = |page: &Value| -> Vec<String> {
        page["items"].as_array().unwrap().iter().map(|i| i["urn"].as_str().unwrap().to_owned()).collect()
    };
    let everything = list("").await;
    assert_eq!(everything["total"], 3);
    assert_eq!(urns(&everything), [world::SIBLING, world::DISCOVERED, world::READ]);
    let levels: Vec<&Value> = everything["items"].as_array().unwrap().iter().map(|i| &i["access"]).collect();
    assert_eq!(levels, ["read", "discover", "read"]);
    for (query, total) in [
        ("number=4250", 0),
        ("urn=urn:nsb:std:nsb:ts:4250", 0),
        ("q=archive", 0),
        ("type=ts", 0),
        ("number=4210", 1),
        ("number=4210&edition=latest", 1),
        ("access=discover", 1),
        ("access=read", 2),
        ("access=read&access=discover", 3),
    ] {
        let page = list(query).await;
        assert_eq!((&page["total"], urns(&page).len()), (&json!(total), total), "{query}");
        assert!(page.get("next").is_none(), "{query}");
    }
    // The edition after this one is hidden: this one is the latest, and has no other next to it.
    let path = Operation::Standard.path_with(&[world::SIBLING]);
    let sibling: Value = world.get(&path).send().await.unwrap().json().await.unwrap();
    assert_eq!(sibling["relatedEditions"], json!([]));
    let short = world.get(&Operation::Standard.path_with(&["urn:nsb:std:nsb:4210"])).send().await.unwrap();
    assert_eq!(short.headers()["content-location"], path);
    assert_eq!(short.json::<Value>().await.unwrap()["urn"], world::SIBLING);
    let graph = world.get(&Operation::KnowledgeGraph.path_with(&[world::SIBLING])).send().await.unwrap();
    assert!(!graph.text().await.unwrap().contains(world::HIDDEN_SIBLING));
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_tag_of_a_list_changes_with_rows_and_grants_of_its_caller_only() {
    let world = World::new().await;
    let list = Operation::Standards.path();
    let tag = async || world.get(list).send().await.unwrap().headers()["etag"].to_str().unwrap().to_owned();
    let now = SystemTime::now();
    let first = tag().await;

    // Another tenant comes, gets a grant and loses a client; a standard that the reader does not see comes as
    // well.
    let other = Tenant { id: "other".into(), issuer: Some("https://other.test".into()), ..Tenant::default() };
    world.store.put_tenant(&other, now).await.unwrap();
    let everything = Grant {
        tenant: "other".into(),
        client: None,
        scope: GrantScope::Urns("*".parse().unwrap()),
        level: Level::Read,
        from: None,
        until: None,
    };
    world.store.add_grant(&everything, now).await.unwrap().unwrap();
    world.store.suspend_client("other", "one", true, now).await.unwrap();
    let minimal = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/minimal");
    let options = IngestOptions::new(&world.settings.ingest);
    let mut added = None;
    ingest(&world.store, vec![minimal], &options, |report, _| added.clone_from(&report.urn)).await;
    let added = added.unwrap();
    assert_eq!(tag().await, first);
    let known = world.get(list).header("if-none-match", &first).send().await.unwrap();
    assert_eq!(known.status(), 304);

    let mine =
        Grant { tenant: world.tenant.to_string(), scope: GrantScope::List([added].into()), ..everything };
    let grant = world.store.add_grant(&mine, now).await.unwrap().unwrap();
    let with_grant = tag().await;
    assert_ne!(with_grant, first);
    assert_eq!(world.get(list).header("if-none-match", &first).send().await.unwrap().status(), 200);
    world.store.remove_grant(grant, now).await.unwrap();
    assert_eq!(tag().await, first);

    // The publisher made public which edition is in force, so a hidden edition counts for it.
    world.store.remove(&world::HIDDEN_SIBLING.parse().unwrap(), now).await.unwrap();
    let page: Value = world.get(&format!("{list}?number=4210")).send().await.unwrap().json().await.unwrap();
    assert_eq!((&page["total"], &page["items"][0]["status"]), (&json!(1), &json!("published")));
    assert_ne!(tag().await, first);
    world.stop().await;
}
