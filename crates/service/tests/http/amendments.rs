//! Amendments in the answers about the edition that they amend: for a caller who may read them, discover them
//! or not see them.

use std::path::Path;
use std::time::SystemTime;

use norma_api::Operation;
use norma_ingest::{IngestOptions, ingest};
use norma_store::{Grant, GrantScope, Level};
use serde_json::Value;

use crate::world::{self, World};

pub(crate) const BASE: &str = world::HIDDEN_SIBLING;
pub(crate) const AMENDMENT: &str = "urn:nsb:std:nsb:4210:amd:1:ed-2:en";

/// The answers about the base, each with its query.
fn paths(provision: &str) -> Vec<String> {
    let of = |operation: Operation| operation.path_with(&[BASE]);
    vec![
        of(Operation::Standard),
        of(Operation::Metadata),
        format!("{}?fields=metadata,ics,relations", of(Operation::Metadata)),
        of(Operation::Sections),
        format!("{}?depth=1", of(Operation::Sections)),
        of(Operation::Content),
        format!("{}?section=4.1", of(Operation::Content)),
        of(Operation::Provisions),
        format!("{}?type=permission", of(Operation::Provisions)),
        Operation::Selection.path_with(&[BASE, "4.1"]),
        of(Operation::Terms),
        of(Operation::Tables),
        Operation::Table.path_with(&[BASE, "1"]),
        of(Operation::Graphics),
        of(Operation::KnowledgeGraph),
        Operation::Provision.path_with(&[provision]),
        format!("{}?urn=urn:nsb:std:nsb:4210", Operation::Standards.path()),
        format!("{}?reference=NSB%204210&status=published", Operation::Standards.path()),
        format!("{}?q=anchor%20fold&urn={BASE}", Operation::Search.path()),
    ]
}

pub(crate) async fn add_amendment(world: &World) {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/bicycle-anchors-amd1");
    ingest(&world.store, vec![sample], &IngestOptions::new(&world.settings.ingest), |_, _| {}).await;
}

pub(crate) async fn grant(world: &World, urn: &str, level: Level) -> i64 {
    let grant = Grant {
        tenant: world.tenant.to_string(),
        client: Some(world.clients[0].to_string()),
        scope: GrantScope::List([urn.parse().unwrap()].into()),
        level,
        from: None,
        until: None,
    };
    world.store.add_grant(&grant, SystemTime::now()).await.unwrap().unwrap()
}

/// Status, tag and body of an answer.
pub(crate) async fn answer(world: &World, path: &str) -> (u16, String, String) {
    let answer = world.get(path).send().await.unwrap();
    let status = answer.status().as_u16();
    let tag = answer.headers().get("etag").map_or_else(String::new, |tag| tag.to_str().unwrap().to_owned());
    (status, tag, answer.text().await.unwrap())
}

async fn answers(world: &World, provision: &str) -> Vec<(u16, String, String)> {
    let mut all = Vec::new();
    for path in paths(provision) {
        let found = answer(world, &path).await;
        assert_eq!(found.0, 200, "{path}: {}", found.2);
        all.push(found);
    }
    all
}

pub(crate) async fn json(world: &World, path: &str) -> Value {
    let (status, _, body) = answer(world, path).await;
    assert_eq!(status, 200, "{path}: {body}");
    serde_json::from_str(&body).unwrap()
}

/// The id of the provision with this text.
pub(crate) async fn provision_with(world: &World, words: &str) -> String {
    let view = json(world, &Operation::Provisions.path_with(&[BASE])).await;
    let items = view["items"].as_array().unwrap();
    let found = items.iter().find(|item| item["text"].as_str().unwrap().starts_with(words));
    found.unwrap()["id"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hidden_amendment_changes_no_byte_and_no_tag() {
    let world = World::new().await;
    world.grant(BASE).await;
    world.searched().await;
    let provision = provision_with(&world, "An anchor may fold flat").await;
    let without = answers(&world, &provision).await;

    add_amendment(&world).await;
    world.searched().await;
    let hidden = answers(&world, &provision).await;
    for ((path, before), after) in paths(&provision).iter().zip(&without).zip(&hidden) {
        assert_eq!(before, after, "{path}");
    }
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_reads_an_amendment_sees_its_changes_in_views_and_at_items() {
    let world = World::new().await;
    world.grant(BASE).await;
    world.searched().await;
    let provision = provision_with(&world, "An anchor may fold flat").await;
    let other = provision_with(&world, "An anchor shall have at least one locking point").await;
    let without = answers(&world, &provision).await;
    add_amendment(&world).await;
    grant(&world, AMENDMENT, Level::Read).await;
    world.searched().await;

    let view = json(&world, &Operation::Provisions.path_with(&[BASE])).await;
    let changes = view["amendedBy"].as_array().unwrap();
    assert_eq!(view.as_object().unwrap().keys().next().unwrap(), "amendedBy");
    assert_eq!(changes.len(), 6);
    let third = &changes[2];
    assert_eq!(
        (third["urn"].as_str(), third["operation"].as_str(), third["label"].as_str()),
        (Some(AMENDMENT), Some("replace"), Some("4.1, third paragraph"))
    );
    assert_eq!((&third["resolved"], &third["publishedOn"]), (&Value::Bool(true), &"2026-08-17".into()));
    assert_eq!(third["targets"], serde_json::json!(["sec_4.1", provision]));

    for (path, (_, tag, _)) in paths(&provision).iter().zip(&without) {
        let (_, own, body) = answer(&world, path).await;
        let is_graph = path.contains("knowledge-graph") || path.contains("/tables/");
        assert_eq!(body.contains("\"amendedBy\":["), !is_graph, "{path}");
        assert_eq!(own != *tag, !path.contains("knowledge-graph"), "{path}");
        let again = world.get(path).header("if-none-match", &own).send().await.unwrap();
        assert_eq!(again.status(), 304, "{path}");
    }
    let touched = json(&world, &Operation::Provision.path_with(&[&provision])).await;
    assert_eq!(touched["amendedBy"][0]["newText"], third["newText"]);
    let untouched = json(&world, &Operation::Provision.path_with(&[&other])).await;
    assert_eq!(untouched.get("amendedBy"), None);
    let selection = json(&world, &Operation::Selection.path_with(&[BASE, "4.1"])).await;
    let marked: Vec<bool> =
        selection["items"].as_array().unwrap().iter().map(|item| item.get("amendedBy").is_some()).collect();
    assert_eq!(marked.iter().filter(|marked| **marked).count(), 1, "{marked:?}");

    let related = json(&world, &Operation::Metadata.path_with(&[AMENDMENT])).await;
    let sides: Vec<&str> = related["relatedEditions"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|one| one["type"].as_str())
        .collect();
    assert_eq!(sides, ["amends"]);
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_may_discover_an_amendment_sees_that_it_amends_and_nothing_of_it() {
    let world = World::new().await;
    world.grant(BASE).await;
    let provision = provision_with(&world, "An anchor may fold flat").await;
    add_amendment(&world).await;
    grant(&world, AMENDMENT, Level::Discover).await;
    let named = serde_json::json!([{
        "urn": AMENDMENT, "reference": "NSB 4210:2025/Amd 1:2026", "publishedOn": "2026-08-17"
    }]);
    for operation in [Operation::Standard, Operation::Metadata, Operation::Sections, Operation::Provisions] {
        let view = json(&world, &operation.path_with(&[BASE])).await;
        assert_eq!(view["amendedBy"], named, "{operation:?}");
    }
    let item = json(&world, &Operation::Provision.path_with(&[&provision])).await;
    assert_eq!(item.get("amendedBy"), None);
    let refused = answer(&world, &Operation::Instructions.path_with(&[AMENDMENT])).await;
    assert_eq!(refused.0, 403);
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_instructions_of_an_amendment_show_only_bases_that_may_be_read() {
    let world = World::new().await;
    add_amendment(&world).await;
    grant(&world, AMENDMENT, Level::Read).await;
    let path = Operation::Instructions.path_with(&[AMENDMENT]);
    let alone = json(&world, &path).await;
    let items = alone["items"].as_array().unwrap();
    assert_eq!(items.len(), 6);
    assert!(items.iter().all(|item| item["bases"] == serde_json::json!([])), "{alone}");
    assert_eq!((items[5]["operation"].as_str(), items[5].get("newText")), (Some("delete"), None));

    world.grant(BASE).await;
    let with_base = json(&world, &path).await;
    let base = &with_base["items"][2]["bases"][0];
    assert_eq!((base["urn"].as_str(), base["resolved"].as_bool()), (Some(BASE), Some(true)));
    // A standard that amends nothing has no instructions.
    let none = json(&world, &Operation::Instructions.path_with(&[world::READ])).await;
    assert_eq!(none["items"], serde_json::json!([]));
    world.stop().await;
}
