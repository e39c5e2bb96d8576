//! Comparisons of two editions: the parts that each grant shows, refusals, and stored rows.

use std::io::Read;
use std::time::SystemTime;

use norma_api::Operation;
use norma_ingest::DERIVER_VERSION;
use norma_store::{Grant, GrantScope, Level};
use reqwest::Response;
use serde_json::{Value, json};

use crate::world::{self, World};

pub(crate) const OLDER: &str = world::SIBLING;
pub(crate) const NEWER: &str = world::HIDDEN_SIBLING;

/// Target of a comparison of the edition in the path with another; `more` begins with `&` where there is
/// more.
pub(crate) fn target(id: &str, with: &str, more: &str) -> String {
    format!("{}?with={with}{more}", Operation::Comparison.path_with(&[id]))
}

pub(crate) async fn answer(world: &World, target: &str) -> (u16, Value) {
    let answer = world.get(target).send().await.unwrap();
    (answer.status().as_u16(), answer.json().await.unwrap())
}

/// Gives the reader these grants for an edition, and no others; without any, it is hidden.
pub(crate) async fn grant(world: &World, urn: &str, level: Option<Level>) {
    let now = SystemTime::now();
    let scope = GrantScope::List([urn.parse().unwrap()].into());
    for (id, grant) in &world.store.policy_now().await.unwrap().grants {
        if grant.scope == scope {
            world.store.remove_grant(*id, now).await.unwrap();
        }
    }
    if let Some(level) = level {
        let (tenant, client) = (world.tenant.to_string(), Some(world.clients[0].to_string()));
        let grant = Grant { tenant, client, scope, level, from: None, until: None };
        world.store.add_grant(&grant, now).await.unwrap().unwrap();
    }
}

/// The provisions of an edition in the store, read by a caller who may read it.
async fn provisions(world: &World, urn: &str) -> Vec<Value> {
    grant(world, urn, Some(Level::Read)).await;
    let answer = world.get(&Operation::Provisions.path_with(&[urn])).send().await.unwrap();
    answer.json::<Value>().await.unwrap()["items"].as_array().unwrap().clone()
}

pub(crate) fn items(body: &Value) -> &Vec<Value> {
    body["items"].as_array().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_of_both_editions_gets_every_provision_with_what_changed_in_it() {
    let world = World::new().await;
    let (older, newer) = (provisions(&world, OLDER).await, provisions(&world, NEWER).await);
    let (status, body) = answer(&world, &target(OLDER, NEWER, "&include=text")).await;
    assert_eq!(status, 200, "{body}");
    assert_eq!((&body["older"]["urn"], &body["newer"]["urn"]), (&json!(OLDER), &json!(NEWER)));
    assert_eq!((&body["older"]["access"], &body["language"]), (&json!("read"), &json!("en")));
    // Each provision of either edition is in a pair or has no counterpart, with its own text.
    for (side, provisions, alone) in [("older", &older, "removed"), ("newer", &newer, "new")] {
        let one_to_one = ["same", "reworded", alone];
        let mut seen: Vec<&str> = Vec::new();
        for item in items(&body) {
            let unit = &item[side];
            if unit.is_null() || !one_to_one.contains(&item["relation"].as_str().unwrap()) {
                continue;
            }
            let id = unit["id"].as_str().unwrap();
            let provision = provisions.iter().find(|one| one["id"] == id).unwrap();
            assert_eq!((&unit["text"], &unit["leadIn"]), (&provision["text"], &provision["leadIn"]));
            assert_eq!((&unit["label"], &unit["type"]), (&provision["label"], &provision["type"]));
            seen.push(id);
        }
        seen.sort_unstable();
        let mut all: Vec<&str> = provisions.iter().map(|one| one["id"].as_str().unwrap()).collect();
        all.sort_unstable();
        assert_eq!(seen, all, "{side}");
    }
    // Counts are of the whole comparison, whatever the filters leave.
    let of = |relation: &str| items(&body).iter().filter(|item| item["relation"] == relation).count();
    for relation in ["same", "reworded", "split", "merged", "new", "removed"] {
        assert_eq!(body["counts"][relation], json!(of(relation)), "{relation}");
    }
    let (_, turned) = answer(&world, &target(NEWER, OLDER, "&include=text")).await;
    assert_eq!(turned, body, "whichever edition the path names");
    let (_, stricter) = answer(&world, &target(OLDER, NEWER, "&changed=strength")).await;
    assert_eq!(stricter["counts"], body["counts"]);
    // samples/README.md: rounded edges and the year of manufacture.
    for item in items(&stricter) {
        let strength = &item["facets"]["strength"];
        assert_eq!(strength["older"]["type"], "recommendation", "{item}");
        assert_eq!(strength["newer"]["type"], "requirement", "{item}");
        assert_eq!(strength["newer"]["verbalFormPassage"]["text"], "shall", "{item}");
        assert!(item["older"].get("text").is_none(), "text comes with include=text only");
    }
    assert_eq!(items(&stricter).len(), 2, "{stricter}");
    for (filter, fits) in [
        ("&relation=new&relation=removed", "new removed"),
        ("&relation=reworded", "reworded"),
        ("&relation=same&type=permission", "same"),
    ] {
        let (_, filtered) = answer(&world, &target(OLDER, NEWER, filter)).await;
        assert!(!items(&filtered).is_empty(), "{filter}");
        for item in items(&filtered) {
            assert!(fits.contains(item["relation"].as_str().unwrap()), "{filter}: {item}");
            assert!(!filter.contains("type") || item["newer"]["type"] == "permission", "{item}");
        }
    }
    let ids = |item: &Value| [item["older"]["id"].clone(), item["newer"]["id"].clone()];
    for sure in ["certain", "high", "likely"] {
        let (_, filtered) = answer(&world, &target(OLDER, NEWER, &format!("&likelihood={sure}"))).await;
        let expected = items(&body).iter().filter(|item| item["likelihood"] == sure);
        assert_eq!(
            items(&filtered).iter().map(ids).collect::<Vec<_>>(),
            expected.map(ids).collect::<Vec<_>>()
        );
    }
    let clause =
        |side: &Value| side["label"].as_str().is_some_and(|l| l.starts_with("4.") || l.starts_with("4("));
    let (_, filtered) = answer(&world, &target(OLDER, NEWER, "&section=4")).await;
    let expected = items(&body).iter().filter(|item| clause(&item["older"]) || clause(&item["newer"]));
    assert_eq!(items(&filtered).iter().map(ids).collect::<Vec<_>>(), expected.map(ids).collect::<Vec<_>>());
    assert!(!items(&filtered).is_empty() && items(&filtered).len() < items(&body).len(), "{filtered}");
    let same = items(&body).iter().find(|item| item["relation"] == "same" && item.get("changed").is_none());
    let members: Vec<&String> = same.unwrap().as_object().unwrap().keys().collect();
    assert_eq!(members, ["relation", "older", "newer", "likelihood"], "short where nothing changed");
    let removed = items(&body).iter().find(|item| item["relation"] == "removed").unwrap();
    assert!(removed["newer"].is_null() && !removed["candidates"].as_array().unwrap().is_empty(), "{removed}");
    world.stop().await;
}

/// Every text of an answer, with the names of members.
fn texts(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(list) => list.iter().for_each(|one| texts(one, found)),
        Value::Object(members) => members.values().for_each(|one| texts(one, found)),
        _ => {}
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_combination_of_grants_shows_what_it_allows_and_nothing_of_the_other_edition() {
    let world = World::new().await;
    let both = [provisions(&world, OLDER).await, provisions(&world, NEWER).await];
    let counts = answer(&world, &target(OLDER, NEWER, "")).await.1["counts"].take();
    assert!(counts["reworded"].as_u64().unwrap() > 0 && counts["changed"]["strength"].as_u64().unwrap() > 0);
    let (read, discover) = (Some(Level::Read), Some(Level::Discover));
    for (older, newer, expected) in [
        (read, read, 200),
        (read, discover, 200),
        (discover, read, 200),
        (discover, discover, 403),
        (read, None, 404),
        (None, read, 404),
        (discover, None, 404),
        (None, discover, 404),
        (None, None, 404),
    ] {
        grant(&world, OLDER, older).await;
        grant(&world, NEWER, newer).await;
        let is_summary = expected == 200 && older != newer;
        for (id, with) in [(OLDER, NEWER), (NEWER, OLDER)] {
            for more in [
                "&include=text",
                "",
                "&relation=new",
                "&type=requirement",
                "&changed=strength",
                "&likelihood=high",
                "&section=4",
            ] {
                let target = target(id, with, more);
                // Filters would reveal which provisions exist.
                let expected = if is_summary && !more.is_empty() { 400 } else { expected };
                // The second time out of the response cache.
                for _ in 0..2 {
                    let sent = world.get(&target).send().await.unwrap();
                    assert_eq!(sent.status(), expected, "{older:?} {newer:?} {target}");
                    let body = sent.text().await.unwrap();
                    for (level, own, other) in [(older, &both[0], &both[1]), (newer, &both[1], &both[0])] {
                        if level != read {
                            shows_nothing_of(own, other, &body, &format!("{older:?} {newer:?} {target}"));
                        }
                    }
                }
            }
        }
        if expected == 404 {
            let unknown = "urn:nsb:std:nsb:9999:ed-1:en";
            let sibling = if older.is_some() { OLDER } else { NEWER };
            let (hidden, absent) = (
                answer(&world, &target(OLDER, NEWER, "")).await,
                answer(&world, &target(sibling, unknown, "")).await,
            );
            let without_id = |(status, mut body): (u16, Value)| {
                body["instance"].take();
                (status, body)
            };
            assert_eq!(without_id(hidden), without_id(absent), "{older:?} {newer:?}");
        }
        if is_summary {
            let (_, body) = answer(&world, &target(OLDER, NEWER, "")).await;
            let members: Vec<&String> = body.as_object().unwrap().keys().collect();
            assert_eq!(members, ["older", "newer", "language", "matcher", "counts"], "no items");
            assert_eq!(body["counts"], counts, "the counts are of the whole");
            let other = if older == discover { "older" } else { "newer" };
            assert_eq!(body[other]["access"], "discover");
        }
    }
    world.stop().await;
}

/// Asserts that no id, label or text of unreadable provisions is shown, unless the other edition has the
/// same.
fn shows_nothing_of(provisions: &[Value], other: &[Value], body: &str, what: &str) {
    let mut readable = Vec::new();
    other.iter().for_each(|provision| texts(provision, &mut readable));
    for provision in provisions {
        for member in ["id", "label", "text", "leadIn"] {
            let Some(text) = provision[member].as_str() else { continue };
            let quoted = serde_json::to_string(text).unwrap();
            let is_shared = readable.iter().any(|one| one == text);
            assert!(is_shared || !body.contains(&quoted), "{what}: {member} {quoted} is in {body}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_compared_is_refused_with_its_reason() {
    let world = World::with(&[("max-compared-provisions", "3")]).await;
    grant(&world, NEWER, Some(Level::Read)).await;
    let path = Operation::Comparison.path_with(&[OLDER]);
    for (target, status, code, reason) in [
        (target(OLDER, OLDER, ""), 400, "not-comparable", "the edition in the path"),
        (target(OLDER, world::READ, ""), 400, "not-comparable", "differentDocuments=true"),
        (target(OLDER, NEWER, "&language=fr"), 400, "invalid-parameter", "expected one of en"),
        (target(OLDER, "urn:nsb", ""), 400, "invalid-parameter", "`with`"),
        (path, 400, "invalid-parameter", "`with`"),
        (target(OLDER, NEWER, "&relation=gone"), 400, "invalid-parameter", "not one of"),
        (target(OLDER, NEWER, "&changed=words"), 400, "invalid-parameter", "`changed`"),
        (
            target(OLDER, world::READ, "&differentDocuments=true"),
            422,
            "comparison-too-large",
            "`max-compared-provisions`",
        ),
    ] {
        let head = world.http.head(format!("{}{target}", world.running.public_url));
        let head = head.bearer_auth(world.reader()).send().await.unwrap();
        assert_eq!(head.status(), status, "HEAD {target}");
        let (found, body) = answer(&world, &target).await;
        assert_eq!((found, body["code"].as_str()), (status, Some(code)), "{target}: {body}");
        assert!(body["detail"].as_str().unwrap().contains(reason), "{target}: {body}");
    }
    // Comparisons stored at publication are read, whatever may be compared on request.
    assert_eq!(answer(&world, &target(OLDER, NEWER, "")).await.0, 200);
    world.store.recall(&NEWER.parse().unwrap(), "wrong", None, SystemTime::now()).await.unwrap();
    for (id, with) in [(OLDER, NEWER), (NEWER, OLDER)] {
        let (status, body) = answer(&world, &target(id, with, "")).await;
        assert_eq!((status, &body["code"]), (410, &json!("standard-recalled")), "{id}");
    }
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tag_names_both_revisions_both_levels_and_the_query_and_a_short_urn_is_answered_with_the_meant_ones()
 {
    let world = World::new().await;
    grant(&world, NEWER, Some(Level::Read)).await;
    let tag = |answer: &Response| answer.headers()["etag"].to_str().unwrap().to_owned();
    let get = async |target: &str| world.get(target).send().await.unwrap();
    let whole = get(&target(OLDER, NEWER, "")).await;
    let known =
        world.get(&target(OLDER, NEWER, "")).header("if-none-match", tag(&whole)).send().await.unwrap();
    assert_eq!(known.status(), 304);
    let filtered = tag(&get(&target(OLDER, NEWER, "&relation=new")).await);
    grant(&world, NEWER, Some(Level::Discover)).await;
    let discovered = tag(&get(&target(OLDER, NEWER, "")).await);
    grant(&world, NEWER, Some(Level::Read)).await;
    grant(&world, OLDER, Some(Level::Discover)).await;
    let turned = tag(&get(&target(OLDER, NEWER, "")).await);
    let tags = std::collections::BTreeSet::from([tag(&whole), filtered, discovered, turned]);
    assert_eq!(tags.len(), 4);
    assert!(whole.headers().get("content-location").is_none());
    grant(&world, OLDER, Some(Level::Read)).await;
    let short = get(&target("urn:nsb:std:nsb:4210", OLDER, "&relation=new")).await;
    let meant = target(NEWER, &OLDER.replace(':', "%3A"), "&relation=new");
    assert_eq!(short.headers()["content-location"], meant.as_str());
    assert_eq!(tag(&get(&meant).await), short.headers()["etag"].to_str().unwrap());
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revoked_grant_is_gone_from_the_next_answer_and_the_audit_names_both_standards() {
    let folder = tempfile::tempdir().unwrap();
    let audit = folder.path().join("audit.json");
    let world = World::with(&[("audit-file", audit.to_str().unwrap())]).await;
    grant(&world, NEWER, Some(Level::Read)).await;
    let path = target(OLDER, NEWER, "");
    let status = async || world.get(&path).send().await.unwrap().status().as_u16();
    assert_eq!((status().await, status().await), (200, 200));
    grant(&world, NEWER, None).await;
    assert_eq!(status().await, 404);
    grant(&world, NEWER, Some(Level::Discover)).await;
    assert_eq!(answer(&world, &path).await.1["newer"]["access"], "discover");
    grant(&world, OLDER, Some(Level::Discover)).await;
    assert_eq!(status().await, 403);
    world.stop().await;
    let lines = std::fs::read_to_string(&audit).unwrap();
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let read = lines.iter().filter(|line| line["part"] == Operation::Comparison.path());
    let read: Vec<(&Value, &Value, &Value)> =
        read.map(|line| (&line["status"], &line["standard"], &line["with"])).collect();
    let (older, newer) = (json!(OLDER), json!(NEWER));
    let expected = [200, 200, 200, 403].map(|status| json!(status));
    let both: Vec<_> = expected.iter().map(|status| (status, &older, &newer)).collect();
    // The response cache names both as well; of a hidden standard there is nothing to name.
    let read: Vec<_> = read.into_iter().filter(|(status, ..)| **status != json!(404)).collect();
    assert_eq!(read, both);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_comparison_is_compressed_for_callers_who_accept_that_and_has_a_tag_for_each_coding() {
    let world = World::new().await;
    grant(&world, NEWER, Some(Level::Read)).await;
    let ask = async |coding: &str, tag: &str| {
        let request = world.get(&target(OLDER, NEWER, "&include=text"));
        let answer =
            request.header("accept-encoding", coding).header("if-none-match", tag).send().await.unwrap();
        let header = |name: &str| answer.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
        let head = (answer.status().as_u16(), header("content-encoding"), header("etag").unwrap());
        (head, answer.bytes().await.unwrap())
    };
    // Twice: made for the answer, and from the response cache.
    for _ in 0..2 {
        let ((status, coding, plain_tag), plain) = ask("identity", "\"x\"").await;
        assert_eq!((status, coding), (200, None));
        let ((status, coding, tag), compressed) = ask("gzip", &plain_tag).await;
        assert_eq!((status, coding.as_deref()), (200, Some("gzip")));
        assert_ne!(tag, plain_tag);
        let mut inflated = Vec::new();
        flate2::read::GzDecoder::new(&compressed[..]).read_to_end(&mut inflated).unwrap();
        assert_eq!(inflated, plain);
        assert!(compressed.len() * 3 < plain.len(), "{} of {}", compressed.len(), plain.len());
        for (coding, tag) in [("gzip", &tag), ("identity;q=0.5, gzip;q=0", &plain_tag)] {
            let ((status, coding, same), body) = ask(coding, tag).await;
            assert_eq!((status, coding, &same, body.len()), (304, None, tag, 0));
        }
    }
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn editions_of_different_derivers_are_not_compared_before_they_are_rebuilt() {
    let world = World::new().await;
    grant(&world, NEWER, Some(Level::Read)).await;
    grant(&world, world::READ, Some(Level::Read)).await;
    let of_older = |deriver: String| [(OLDER.parse().unwrap(), deriver)];
    world.store.set_derivers(&of_older("1".to_owned())).await.unwrap();
    // No neighbours, so that no comparison is stored.
    let target = target(OLDER, world::READ, "&differentDocuments=true");
    // A deriver is not a change of the catalogue: a service may remember the edition with the one before.
    let ask = async || {
        let fresh = world.fresh().await;
        let request = world.http.get(format!("{}{target}", fresh.public_url)).bearer_auth(world.reader());
        let response = request.send().await.unwrap();
        fresh.stop().await;
        response
    };
    let response = ask().await;
    assert_eq!(
        (response.status().as_u16(), &response.headers()["retry-after"]),
        (503, &"60".parse().unwrap())
    );
    let body: Value = response.json().await.unwrap();
    assert!(body["detail"].as_str().unwrap().contains("has to be rebuilt"), "{body}");
    // A rebuild that was stopped leaves a mark. One version wrote both all the same.
    let mark = format!("{DERIVER_VERSION}, to be rebuilt by {DERIVER_VERSION}");
    world.store.set_derivers(&of_older(mark)).await.unwrap();
    assert_eq!(ask().await.status().as_u16(), 200);
    world.stop().await;
}
