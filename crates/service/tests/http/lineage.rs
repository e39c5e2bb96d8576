//! Lineages over HTTP: what a provision was and became.

use std::path::Path;
use std::time::SystemTime;

use norma_api::Operation;
use norma_ingest::{IngestOptions, IngestVerdict, ingest};
use serde_json::{Value, json};

use crate::world::{self, World};

pub(crate) const OLDER: &str = world::SIBLING;
pub(crate) const NEWER: &str = world::HIDDEN_SIBLING;

pub(crate) async fn get(world: &World, path: &str) -> Value {
    world.get(path).send().await.unwrap().json().await.unwrap()
}

/// An older and a newer provision of a pair with the same words, and one that was removed.
pub(crate) async fn pair(world: &World) -> (Value, Value, Value) {
    let path = Operation::Comparison.path_with(&[OLDER]);
    let body = get(world, &format!("{path}?with={NEWER}")).await;
    let items = body["items"].as_array().unwrap();
    let same =
        items.iter().find(|item| item["relation"] == "same" && item["likelihood"] == "certain").unwrap();
    let removed = items.iter().find(|item| item["relation"] == "removed").unwrap();
    (same["older"].clone(), same["newer"].clone(), removed["older"].clone())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_provision_names_its_lineage_in_the_editions_that_its_reader_may_read() {
    let world = World::new().await;
    let grant = world.grant(NEWER).await;
    let (older, newer, _) = pair(&world).await;
    let lineage = async |id: &Value| {
        let path = Operation::Provision.path_with(&[id.as_str().unwrap()]);
        get(&world, &path).await["lineage"].clone()
    };
    let (before, after) = (lineage(&older["id"]).await, lineage(&newer["id"]).await);
    assert_eq!(before["id"], after["id"]);
    assert!(before["id"].as_str().unwrap().starts_with("lin_"), "{before}");
    assert_eq!(before["predecessors"], json!([]));
    let member = |urn: &str, unit: &Value| json!([{ "urn": urn, "id": unit["id"], "label": unit["label"], "type": "member" }]);
    assert_eq!(before["successors"], member(NEWER, &newer));
    assert_eq!((&after["predecessors"], &after["successors"]), (&member(OLDER, &older), &json!([])));

    // A change of grants changes the answer and its tag.
    let path = Operation::Provision.path_with(&[older["id"].as_str().unwrap()]);
    let tag = async || world.get(&path).send().await.unwrap().headers()["etag"].to_str().unwrap().to_owned();
    let with_both = tag().await;
    world.store.remove_grant(grant, SystemTime::now()).await.unwrap();
    let hidden = lineage(&older["id"]).await;
    assert_eq!((&hidden["id"], &hidden["successors"]), (&before["id"], &json!([])));
    assert_ne!(tag().await, with_both);
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_neighbour_changes_no_answer_under_the_same_tag() {
    let world = World::new().await;
    world.grant(NEWER).await;
    let (older, newer, _) = pair(&world).await;
    let path = Operation::Provision.path_with(&[older["id"].as_str().unwrap()]);
    let whole = world.get(&path).send().await.unwrap();
    assert_eq!(whole.status().as_u16(), 200);
    let whole: Value = whole.json().await.unwrap();
    assert_eq!(whole["lineage"]["successors"][0]["label"], newer["label"]);
    let pack = world.store.entry(&NEWER.parse().unwrap()).await.unwrap().unwrap().pack.hex();
    let folder = world.folder.path().join("blobs").join(&pack[..2]);
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let file = files.filter(|file| file.to_str().unwrap().contains(&pack)).last().unwrap();
    std::fs::write(&file, vec![0; std::fs::metadata(&file).unwrap().len() as usize]).unwrap();
    // With nothing in memory.
    let fresh = world.fresh().await;
    let request = world.http.get(format!("{}{path}", fresh.public_url)).bearer_auth(world.reader());
    let answer = request.send().await.unwrap();
    let (status, has_tag) = (answer.status().as_u16(), answer.headers().contains_key("etag"));
    let problem: Value = answer.json().await.unwrap();
    assert_eq!((status, has_tag, &problem["code"]), (500, false, &json!("internal")), "{problem}");
    fresh.stop().await;
    world.stop().await;
}

/// Ingests the sample of the older edition again, with another word in the provision with this id.
async fn correct(world: &World, id: &Value) {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/bicycle-anchors-ed1/document.xml");
    let text = std::fs::read_to_string(sample).unwrap();
    let provision = get(world, &Operation::Provision.path_with(&[id.as_str().unwrap()])).await;
    let sentence = provision["text"].as_str().unwrap();
    assert!(text.contains(sentence), "{sentence}");
    let corrected = text.replace(sentence, &sentence.replace(" shall ", " shall always "));
    assert_ne!(corrected, text);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("document.xml"), corrected).unwrap();
    let options = IngestOptions { replace: true, ..IngestOptions::new(&world.settings.ingest) };
    ingest(&world.store, vec![folder.path().to_owned()], &options, |report, _| {
        assert!(matches!(report.verdict, IngestVerdict::Replaced), "{report:?}");
    })
    .await;
}

async fn answer(world: &World, id: &Value) -> (u16, Value, Option<String>) {
    let path = Operation::Provision.path_with(&[id.as_str().unwrap()]);
    let answer = world.get(&path).send().await.unwrap();
    let location = answer.headers().get("content-location").map(|value| value.to_str().unwrap().to_owned());
    (answer.status().as_u16(), answer.json().await.unwrap(), location)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_old_id_names_its_successors_and_a_lineage_gives_its_newest_provision() {
    let world = World::new().await;
    let grant = world.grant(NEWER).await;
    let (older, newer, removed) = pair(&world).await;
    let (_, before, _) = answer(&world, &older["id"]).await;
    let lineage = before["lineage"]["id"].clone();
    let named = Operation::Provision.path_with(&[newer["id"].as_str().unwrap()]);
    let (status, found, location) = answer(&world, &lineage).await;
    assert_eq!((status, &found["id"], location.as_deref()), (200, &newer["id"], Some(&*named)));
    assert_eq!(answer(&world, &newer["id"]).await.2, None, "the id itself needs no other name");

    // A corrected word: another id, and the old one leads there. So does the lineage that the old one gave.
    correct(&world, &older["id"]).await;
    let (status, problem, _) = answer(&world, &older["id"]).await;
    assert_eq!((status, &problem["code"]), (410, &json!("provision-replaced")), "{problem}");
    let heir = &problem["successors"][0];
    assert_eq!((&heir["urn"], &heir["label"]), (&json!(OLDER), &older["label"]), "{problem}");
    let (status, present, _) = answer(&world, &heir["id"]).await;
    assert_eq!((status, &present["lineage"]["id"]), (200, &problem["lineage"]["id"]));
    let earlier = json!({ "urn": OLDER, "id": older["id"], "type": "earlierRevision" });
    assert_eq!(present["lineage"]["predecessors"], json!([earlier]));
    assert_eq!(answer(&world, &lineage).await.1["id"], newer["id"]);

    // A caller who may not read the newer edition gets the older one; one who may read neither gets nothing.
    world.store.remove_grant(grant, SystemTime::now()).await.unwrap();
    assert_eq!(answer(&world, &lineage).await.1["id"], heir["id"]);
    let stranger = async |id: &Value| {
        let path = Operation::Provision.path_with(&[id.as_str().unwrap()]);
        let (status, code, _) = world.ask(Operation::Provision, &path, Some(&world.stranger())).await;
        (status, code)
    };
    let unknown = (404, "provision-not-found".to_owned());
    for id in [&older["id"], &lineage, &json!("lin_aaaaaaaaaaaaaaaaaaaaaaaaaa")] {
        assert_eq!(stranger(id).await, unknown, "{id}");
    }

    // A removed edition: what others carry on is where they are, the rest is gone.
    world.grant(NEWER).await;
    assert!(world.store.remove(&OLDER.parse().unwrap(), SystemTime::now()).await.unwrap());
    let waiting = answer(&world, &removed["id"]).await;
    assert_eq!((waiting.0, &waiting.1["code"]), (503, &json!("unavailable")), "not compared yet");
    let problems = norma_editions::lineage::update_changed(&world.store, 2, false).await;
    assert!(problems.is_empty(), "{problems:?}");
    let (status, problem, _) = world::eventually("the removal is seen", async || {
        Some(answer(&world, &older["id"]).await).filter(|(status, ..)| *status != 503)
    })
    .await;
    assert_eq!((status, &problem["successors"][0]["id"]), (410, &newer["id"]), "{problem}");
    let (status, problem, _) = answer(&world, &removed["id"]).await;
    assert_eq!((status, &problem["code"]), (410, &json!("provision-gone")), "{problem}");
    assert_eq!(stranger(&removed["id"]).await, unknown);
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn provisions_come_with_their_lineages_where_these_are_asked_for() {
    let world = World::new().await;
    world.grant(NEWER).await;
    let tag = async |path: &str| {
        let answer = world.get(path).send().await.unwrap();
        (answer.headers()["etag"].to_str().unwrap().to_owned(), answer.json::<Value>().await.unwrap())
    };
    for (path, count) in [
        (Operation::Provisions.path_with(&[NEWER]), 12),
        (Operation::Selection.path_with(&[NEWER, "all"]), 12),
    ] {
        let (_, plain) = tag(&path).await;
        let (with_lineages, listed) = tag(&format!("{path}?include=lineage")).await;
        let (plain, items) = (plain["items"].as_array().unwrap(), listed["items"].as_array().unwrap());
        assert!(items.len() >= count && items.len() == plain.len());
        for (item, plain) in items.iter().zip(plain) {
            let alone = answer(&world, &item["id"]).await.1;
            assert_eq!(item["lineage"], json!({ "id": alone["lineage"]["id"] }));
            let mut item = item.clone();
            item.as_object_mut().unwrap().remove("lineage");
            assert_eq!(item, *plain);
        }
        // The removal of the older edition changes the ids of lineages, and the tag.
        let (urn, now) = (OLDER.parse().unwrap(), SystemTime::now());
        if world.store.remove(&urn, now).await.unwrap() {
            let waiting = tag(&format!("{path}?include=lineage")).await;
            assert_ne!(waiting.0, with_lineages);
            assert!(waiting.1["items"][0].get("lineage").is_none(), "the document waits");
            norma_editions::lineage::update_changed(&world.store, 2, false).await;
            let (after, listed) = world::eventually("the lineages are made", async || {
                let answered = tag(&format!("{path}?include=lineage")).await;
                answered.1["items"][0].get("lineage").is_some().then_some(answered)
            })
            .await;
            assert_ne!(after, with_lineages);
            assert_ne!(listed["items"], json!(items));
        }
    }
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_publisher_s_table_outranks_what_was_derived_until_it_is_dropped() {
    let world = World::new().await;
    world.grant(NEWER).await;
    let (older, newer, removed) = pair(&world).await;
    let path = format!("{}?with={NEWER}", Operation::Comparison.path_with(&[OLDER]));
    let tag = async || world.get(&path).send().await.unwrap().headers()["etag"].to_str().unwrap().to_owned();
    let of = async |older: &Value| {
        let body = get(&world, &path).await;
        let items = body["items"].as_array().unwrap();
        items.iter().find(|item| item["older"]["id"] == older["id"]).unwrap().clone()
    };
    let (derived, tag_of_derived) = (of(&older).await, tag().await);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let table = format!(
        "older_urn,older,newer_urn,newer,relation\n{OLDER},{},{NEWER},{},reworded\n{OLDER},{},{NEWER},,removed\n",
        text(&removed["id"]),
        text(&newer["id"]),
        text(&older["id"]),
    );
    let imported = norma_editions::lineage::import(&world.store, table.as_bytes()).await.unwrap();
    norma_editions::lineage::update(&world.store, &imported.documents[0]).await.unwrap();
    let expected = "the link of the table is served";
    let stated = world::eventually(expected, async || {
        let item = of(&removed).await;
        (item["origin"] == "authored").then_some(item)
    })
    .await;
    assert_eq!(stated["newer"]["id"], newer["id"]);
    assert_eq!((&stated["relation"], &stated["likelihood"]), (&json!("reworded"), &json!("certain")));
    assert_eq!(of(&older).await["relation"], "removed");
    assert_ne!(tag().await, tag_of_derived, "the same revisions, compared with a table");
    let (older_urn, newer_urn) = (OLDER.parse().unwrap(), NEWER.parse().unwrap());
    world.store.drop_correspondences(&older_urn, &newer_urn, std::time::SystemTime::now()).await.unwrap();
    norma_editions::lineage::update(&world.store, &imported.documents[0]).await.unwrap();
    let expected = "what was derived is served again";
    world::eventually(expected, async || (of(&older).await == derived).then_some(())).await;
    assert_eq!(tag().await, tag_of_derived);
    world.stop().await;
}
