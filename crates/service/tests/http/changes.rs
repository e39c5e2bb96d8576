//! Changes since a cursor, over HTTP: what they say is so, and nothing tells of what is hidden.

use std::collections::BTreeSet;
use std::io::{Read as _, Write as _};
use std::time::{Duration, SystemTime};

use norma_api::Operation;
use norma_store::LineageKey;
use serde_json::{Value, json};

use crate::revisions::{call, correct, document, urn};
use crate::world::{self, World};

const MARK: &str = "<p>Each peg shall be marked with its mass.</p>";
const CORRECTED: &str = "<p>Each peg should be marked with its mass.</p>";
const DRY: &str = "<p>The wood shall be dried for one year.</p>";

/// The answer to a caller, without and with a cursor.
async fn changes(world: &World, since: Option<&str>) -> Value {
    let (status, answer) = call(world, &path(since), None).await;
    assert_eq!(status, 200, "{answer}");
    answer
}

fn path(since: Option<&str>) -> String {
    match since {
        Some(since) => format!("/changes?since={since}"),
        None => "/changes".to_owned(),
    }
}

fn next(answer: &Value) -> String {
    answer["next"].as_str().unwrap().to_owned()
}

async fn cursor(world: &World) -> String {
    let answer = changes(world, None).await;
    assert_eq!((&answer["items"], &answer["more"]), (&json!([]), &json!(false)));
    next(&answer)
}

/// Status, entity tag and body of an answer to a token.
async fn whole(world: &World, token: &str, since: &str) -> (u16, Option<String>, Vec<u8>) {
    let url = format!("{}/api/content/v1{}", world.running.public_url, path(Some(since)));
    let answer = world.http.get(url).bearer_auth(token).send().await.unwrap();
    let tag = answer.headers().get("etag").map(|tag| tag.to_str().unwrap().to_owned());
    (answer.status().as_u16(), tag, answer.bytes().await.unwrap().to_vec())
}

/// Type, cause and URN of each item.
fn words(answer: &Value) -> Vec<String> {
    let text = |item: &Value, name: &str| item[name].as_str().unwrap_or("-").to_owned();
    let items = answer["items"].as_array().unwrap();
    items.iter().map(|i| [text(i, "type"), text(i, "cause"), text(i, "urn")].join(" ")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_correction_has_the_counts_of_the_comparison_of_its_revisions() {
    let (world, urn) = (World::new().await, urn(78, 1));
    world.add(&document(78, 1, &[MARK, DRY].concat()), &urn).await;
    let since = cursor(&world).await;
    let before = call(&world, &format!("/standards/{urn}/provisions"), None).await.1;
    correct(&world, &document(78, 1, &[CORRECTED, DRY].concat())).await;
    let answer = changes(&world, Some(&since)).await;
    assert_eq!(words(&answer), [format!("update content {urn}")]);
    let item = &answer["items"][0];
    assert_eq!(item["previousRevision"], before["revision"]);
    let revision = before["revision"].as_str().unwrap();
    let comparison = format!("/standards/{urn}/comparison?with={urn}&withRevision={revision}");
    let (status, compared) = call(&world, &comparison, None).await;
    assert_eq!((status, &item["counts"]), (200, &compared["counts"]), "{compared}");
    assert_eq!(item["counts"]["changed"]["strength"], 1);
    assert_eq!((&item["revision"], &item["access"]), (&compared["newer"]["revision"], &json!("read")));

    // Two corrections since the cursor: the revision at the cursor, and the comparison with it.
    let wood = DRY.replace("one year", "two years");
    correct(&world, &document(78, 1, &[CORRECTED, &wood].concat())).await;
    let answer = changes(&world, Some(&since)).await;
    let item = &answer["items"][0];
    let (_, compared) = call(&world, &comparison, None).await;
    assert_eq!((&item["previousRevision"], &item["counts"]), (&before["revision"], &compared["counts"]));
    assert_eq!(item["counts"]["changed"]["quantity"], 1, "{item}");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_change_is_answered_until_it_was_read_and_an_unchanged_answer_is_the_same() {
    let (world, added) = (World::new().await, urn(78, 1));
    let grants = [world.grant(world::HIDDEN_SIBLING).await];
    let mut since = cursor(&world).await;
    let expect = async |since: &mut String, expected: &[String]| {
        let answer = changes(&world, Some(since)).await;
        assert_eq!(words(&answer), expected);
        *since = next(&answer);
        let [one, other] =
            [whole(&world, &world.reader(), since).await, whole(&world, &world.reader(), since).await];
        assert_eq!(one, other);
        assert_eq!(next(&serde_json::from_slice(&one.2).unwrap()), *since);
        answer
    };
    let at = SystemTime::now();
    world.store.withdraw(&world::READ.parse().unwrap(), Some("Wait for edition 2."), at).await.unwrap();
    let answer = expect(&mut since, &[format!("withdraw - {}", world::READ)]).await;
    let item = &answer["items"][0];
    assert_eq!((&item["status"], &item["notice"]), (&json!("withdrawn"), &json!("Wait for edition 2.")));
    world.store.reinstate(&world::READ.parse().unwrap(), at).await.unwrap();
    expect(&mut since, &[format!("update status {}", world::READ)]).await;
    world
        .store
        .recall(&world::READ.parse().unwrap(), "for us alone", Some("Figure 1 is wrong."), at)
        .await
        .unwrap();
    let answer = expect(&mut since, &[format!("recall - {}", world::READ)]).await;
    assert_eq!(answer["items"][0]["notice"], "Figure 1 is wrong.");
    assert!(!answer.to_string().contains("for us alone"));
    world.store.remove(&world::READ.parse().unwrap(), at).await.unwrap();
    expect(&mut since, &[format!("remove - {}", world::READ)]).await;
    // What the caller may only discover changes as well.
    world.store.withdraw(&world::DISCOVERED.parse().unwrap(), None, at).await.unwrap();
    let answer = expect(&mut since, &[format!("withdraw - {}", world::DISCOVERED)]).await;
    assert_eq!(answer["items"][0]["access"], "discover");

    // A grant: list again, and go on from where it was.
    world.add(&document(78, 1, MARK), &added).await;
    let refreshed = changes(&world, Some(&since)).await;
    assert_eq!(refreshed["items"], json!([{ "type": "refresh", "scope": "entitlements" }]));
    assert_eq!(refreshed["more"], true);
    let after = next(&refreshed);
    assert_ne!(after, since);
    since = after;
    expect(&mut since, &[format!("create - {added}")]).await;
    for grant in grants {
        assert!(world.store.remove_grant(grant, at).await.unwrap());
    }
    let refreshed = changes(&world, Some(&since)).await;
    assert_eq!(words(&refreshed), ["refresh - -"]);
    since = next(&refreshed);
    expect(&mut since, &[]).await;
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_any_size_have_the_same_changes() {
    let world = World::new().await;
    let since = cursor(&world).await;
    for urn in [world::READ, world::SIBLING, world::DISCOVERED] {
        world.store.withdraw(&urn.parse().unwrap(), None, SystemTime::now()).await.unwrap();
    }
    let all = words(&changes(&world, Some(&since)).await);
    assert_eq!(all.len(), 3);
    for limit in 1..=4 {
        let (mut found, mut since) = (Vec::new(), since.clone());
        loop {
            let (status, page) = call(&world, &format!("/changes?since={since}&limit={limit}"), None).await;
            assert_eq!(status, 200, "{page}");
            assert!(page["items"].as_array().unwrap().len() <= limit);
            found.extend(words(&page));
            since = next(&page);
            if page["more"] == false {
                break;
            }
        }
        assert_eq!(found, all, "{limit}");
    }
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_byte_of_an_answer_tells_of_editions_that_its_caller_does_not_see() {
    let world = World::new().await;
    let (reader, stranger) = (world.reader(), world.stranger());
    let mine = cursor(&world).await;
    let of_stranger = async || {
        let url = format!("{}/api/content/v1/changes", world.running.public_url);
        let answer = world.http.get(url).bearer_auth(&stranger).send().await.unwrap();
        let answer: Value = answer.json().await.unwrap();
        next(&answer)
    };
    let theirs = of_stranger().await;
    assert_ne!(mine, theirs, "both see nothing new, and their cursors are their own");
    let before = [whole(&world, &reader, &mine).await, whole(&world, &stranger, &theirs).await];
    assert_eq!(before.each_ref().map(|(status, ..)| *status), [200, 200]);
    let at = SystemTime::now();
    let hidden: norma_model::Urn = world::HIDDEN.parse().unwrap();
    let other = norma_store::Tenant { id: "another".to_owned(), ..Default::default() };
    world.store.put_tenant(&other, at).await.unwrap();
    let grant = norma_store::Grant {
        tenant: "another".to_owned(),
        client: None,
        scope: norma_store::GrantScope::Urns("urn:nsb:*".parse().unwrap()),
        level: norma_store::Level::Read,
        from: None,
        until: None,
    };
    world.store.add_grant(&grant, at).await.unwrap();
    for step in 0..6 {
        match step {
            0 => world.store.withdraw(&hidden, Some("text"), at).await.unwrap(),
            1 => world.store.reinstate(&hidden, at).await.unwrap(),
            2 => world.store.recall(&hidden, "reason", None, at).await.unwrap(),
            3 => world.store.reinstate(&hidden, at).await.unwrap(),
            4 => world.store.remove(&hidden, at).await.unwrap(),
            _ => {
                world.store.rotate_signing_key(at).await.unwrap();
                true
            }
        };
        let after = [whole(&world, &reader, &mine).await, whole(&world, &stranger, &theirs).await];
        assert_eq!(before, after, "{step}");
        assert_eq!((cursor(&world).await, of_stranger().await), (mine.clone(), theirs.clone()), "{step}");
    }
    // Cursors of positions that follow each other have nothing in common.
    let mut beginnings = BTreeSet::from([mine[..8].to_owned()]);
    for _ in 0..5 {
        world.store.withdraw(&world::READ.parse().unwrap(), None, at).await.unwrap();
        assert!(beginnings.insert(cursor(&world).await[..8].to_owned()));
    }
    world.stop().await;
}

/// Status and code of the answer to a cursor.
async fn refused(world: &World, token: &str, since: &str) -> (u16, String) {
    let path = format!("{}?since={since}", Operation::Changes.path());
    let (status, code, _) = world.ask(Operation::Changes, &path, Some(token)).await;
    (status, code)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cursor_that_was_altered_or_is_of_another_client_or_key_opens_nothing() {
    let world = World::new().await;
    let (reader, since) = (world.reader(), cursor(&world).await);
    let invalid = (400, "invalid-cursor".to_owned());
    assert_eq!(refused(&world, &world.stranger(), &since).await, invalid);
    for index in (0..since.len()).step_by(7) {
        let mut altered = since.clone().into_bytes();
        altered[index] = if altered[index] == b'A' { b'B' } else { b'A' };
        assert_eq!(refused(&world, &reader, &String::from_utf8(altered).unwrap()).await, invalid, "{index}");
        if index > 0 {
            assert_eq!(refused(&world, &reader, &since[..index]).await, invalid, "{index}");
        }
    }
    for text in ["x", "%00", &since.repeat(2), &format!("{since}=")] {
        let (status, code) = refused(&world, &reader, text).await;
        assert_eq!(status, 400, "{text}: {code}");
    }
    world.store.put_lineage_key(&LineageKey::new([9; 16]), SystemTime::now()).await.unwrap();
    assert_eq!(refused(&world, &reader, &since).await, invalid);
    assert_eq!(refused(&world, &reader, &cursor(&world).await).await.0, 200);
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cursor_ends_by_a_change_that_is_too_old_and_by_a_database_that_was_put_back() {
    let world = World::new().await;
    let reader = world.reader();
    let ended = (410, "cursor-ended".to_owned());
    let read: norma_model::Urn = world::READ.parse().unwrap();
    let first = cursor(&world).await;
    let days = |days: u64| SystemTime::now() - Duration::from_secs(days * 24 * 3600);
    world.store.withdraw(&read, None, days(399)).await.unwrap();
    assert_eq!(refused(&world, &reader, &first).await.0, 200);
    world.store.withdraw(&read, None, days(401)).await.unwrap();
    assert_eq!(refused(&world, &reader, &first).await, ended);
    // Who read that change goes on, however old it is.
    let second = cursor(&world).await;
    assert_eq!(refused(&world, &reader, &second).await.0, 200);

    let backup = world.folder.path().join("backup.db");
    let file = world.folder.path().join("norma.db");
    let database = rusqlite::Connection::open(&file).unwrap();
    database.execute("VACUUM INTO ?1", [backup.to_str().unwrap()]).unwrap();
    drop(database);
    world.store.reinstate(&read, SystemTime::now()).await.unwrap();
    let third = cursor(&world).await;
    let World { store, running, idp, http, tenant, clients, settings, folder } = world;
    running.stop().await;
    drop(store);
    for end in ["-wal", "-shm"] {
        drop(std::fs::remove_file(folder.path().join(format!("norma.db{end}"))));
    }
    std::fs::copy(&backup, &file).unwrap();
    let store = norma_editions::stores::open_store(&settings.store).await.unwrap();
    let running =
        norma_service::server::start(settings.clone(), store.clone(), norma_ingest::DERIVER_VERSION);
    let running = running.await.unwrap();
    let world = World { store, running, idp, http, tenant, clients, settings, folder };
    assert_eq!(refused(&world, &reader, &third).await, ended);
    // Another change takes the number of the lost one, not its place.
    world.store.withdraw(&read, Some("again"), SystemTime::now()).await.unwrap();
    assert_eq!(refused(&world, &reader, &third).await, ended);
    // Of what this caller had read, nothing was lost.
    let answer = changes(&world, Some(&second)).await;
    assert_eq!(words(&answer), [format!("withdraw - {}", world::READ)]);
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_poll_without_changes_is_at_most_300_bytes_and_a_304() {
    let world = World::with(&[("rate-limit", "100")]).await;
    let (reader, since) = (world.reader(), cursor(&world).await);
    let (status, tag, _) = whole(&world, &reader, &since).await;
    let tag = tag.unwrap();
    assert_eq!(status, 200);
    let address = world.running.address;
    let request = format!(
        "GET {}?since={since} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {reader}\r\n\
         If-None-Match: {tag}\r\n\r\n",
        Operation::Changes.path()
    );
    let answer = tokio::task::spawn_blocking(move || {
        let mut socket = std::net::TcpStream::connect(address).unwrap();
        socket.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        // The connection stays open, as that of a caller that polls; a 304 ends with its head.
        while !answer.ends_with(b"\r\n\r\n") {
            let mut bytes = [0; 1024];
            let count = socket.read(&mut bytes).unwrap();
            assert!(count > 0, "the answer ends early: {answer:?}");
            answer.extend_from_slice(&bytes[..count]);
        }
        answer
    });
    let answer = String::from_utf8(answer.await.unwrap()).unwrap();
    assert!(answer.starts_with("HTTP/1.1 304"), "{answer}");
    assert!(answer.len() <= 300, "{} bytes: {answer}", answer.len());
    world.stop().await;
}
