//! The search index of instances that share a store: one of them builds it, the others fetch its files, and
//! all answer as one that built its own index.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

mod support;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};
use support::installation::{Installation, Instance, STANDARD, series};
use support::random::Random;
use support::small_disk::SmallDisk;
use support::test_store::{Kind, TestStore, psql};
use support::wait::{DEADLINE, eventually};

const KILLS: u32 = 20;
/// Longest time from one kill to the next, in milliseconds.
const LONGEST_LIFE: u64 = 3000;

const QUERIES: [&str; 6] = [
    "q=anchor&edition=all&limit=100",
    "q=shall&limit=100&facets=type,status,normative",
    "q=shall&limit=7&group=standard",
    "q=temperat*",
    "q=how+long+must+an+anchor+hold",
    "q=NSB+9007",
];

/// What the log of the instance says that builds the index.
const BUILDS: &str = "the search index follows the catalogue";

/// An installation with further documents, of which each instance has an index folder of its own.
struct World {
    installation: Installation,
    folder: tempfile::TempDir,
    store: TestStore,
}

impl World {
    async fn new(kind: Kind) -> Option<Self> {
        Some(Self::on(TestStore::new(kind)?).await)
    }

    async fn on(store: TestStore) -> Self {
        let installation = Installation::filled(&store.options()).await;
        let documents = series(9001, 40);
        installation.norma(&["ingest", documents.path().to_str().unwrap()]);
        Self { installation, folder: tempfile::tempdir().unwrap(), store }
    }

    fn search_dir(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    async fn serve(&self, name: &str) -> Instance {
        self.installation.serve(&["--search-dir", self.search_dir(name).to_str().unwrap()]).await
    }

    /// The names of the files of segments in the folder of an instance.
    fn segments(&self, name: &str) -> Vec<String> {
        let mut names = Vec::new();
        for folder in self.search_dir(name).read_dir().unwrap().map(|entry| entry.unwrap().path()) {
            let Ok(entries) = folder.read_dir() else { continue };
            names.extend(entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()));
        }
        names.retain(|name| !name.starts_with('.') && name != "meta.json");
        names.sort();
        names
    }
}

/// What an answer found, without what depends on the key of a store.
fn found(answer: &Value) -> Value {
    let items = answer["items"].as_array().unwrap().iter();
    let hits: Vec<Value> =
        items.map(|hit| json!([hit["urn"], hit["kind"], hit["label"], hit["id"]])).collect();
    json!({"total": answer["total"], "counts": answer["hitCounts"], "standards": answer["standards"], "hits": hits})
}

/// What is found once all texts are searched.
async fn complete(instance: &Instance) -> BTreeMap<&'static str, Value> {
    eventually(DEADLINE, async || {
        let mut answers = BTreeMap::new();
        for query in QUERIES {
            let answer = instance.get(&format!("/search?{query}")).await;
            assert_eq!(answer.status, 200, "{query}: {}", instance.log());
            let answer: Value = serde_json::from_slice(&answer.body).unwrap();
            if answer["state"] != "complete" {
                return Err(format!("{}: {}", answer["progress"], instance.log()));
            }
            answers.insert(query, found(&answer));
        }
        Ok(answers)
    })
    .await
}

/// Waits until what is found is as it is expected to be.
async fn until(instance: &Instance, is_expected: impl Fn(&BTreeMap<&'static str, Value>) -> bool) {
    eventually(DEADLINE, async || match complete(instance).await {
        found if is_expected(&found) => Ok(()),
        found => Err(format!("{found:?}: {}", instance.log())),
    })
    .await;
}

/// What one finds that builds its own index of the same documents.
async fn expected() -> BTreeMap<&'static str, Value> {
    let world = World::new(Kind::Sqlite).await.unwrap();
    let instance = world.serve("own").await;
    let answers = complete(&instance).await;
    assert!(answers[QUERIES[1]]["total"].as_u64().unwrap() > 100);
    answers
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_instance_fetches_what_the_first_built_and_builds_it_on_when_the_first_is_gone() {
    let expected = expected().await;
    for kind in [Kind::Postgres, Kind::PostgresAndS3] {
        let Some(world) = World::new(kind).await else { continue };
        let mut one = world.serve("one").await;
        assert_eq!(complete(&one).await, expected, "{kind:?}");
        let mut two = world.serve("two").await;
        assert_eq!(complete(&two).await, expected, "{kind:?}");
        assert!(one.log().contains(BUILDS) && !two.log().contains(BUILDS), "{kind:?}");
        assert_eq!(world.segments("two"), world.segments("one"), "{kind:?}");

        world.installation.norma(&["recall", STANDARD]);
        for instance in [&one, &two] {
            until(instance, |found| !found[QUERIES[0]].to_string().contains(STANDARD)).await;
        }
        world.installation.norma(&["reinstate", STANDARD]);
        for instance in [&one, &two] {
            until(instance, |found| *found == expected).await;
        }

        let verified = world.installation.norma(&["store", "verify"]);
        assert!(verified.ends_with(" 0 damaged\n"), "{verified}");
        one.kill();
        let more = series(9101, 3);
        world.installation.norma(&["ingest", more.path().to_str().unwrap()]);
        eventually(DEADLINE, async || {
            let answer: Value = serde_json::from_slice(&two.get("/search?q=NSB+9102").await.body).unwrap();
            match answer["items"][0]["urn"] == "urn:nsb:std:nsb:9102:ed-1:en" {
                true => Ok(()),
                false => Err(format!("{answer}: {}", two.log())),
            }
        })
        .await;
        two.until_logged(BUILDS).await;
        // The first one comes back with the files that it had, and fetches those that are new.
        let one = world.serve("one").await;
        complete(&one).await;
        assert!(!one.log().contains(BUILDS), "{kind:?}: {}\n{}", one.log(), two.log());
        two.kill();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_kills_of_builders_and_fetchers_leave_the_same_answers() {
    let expected = expected().await;
    let Some(world) = World::new(Kind::PostgresAndS3).await else { return };
    let mut random = Random(7);
    let mut instances = [world.serve("one").await, world.serve("two").await];
    for kill in 0..KILLS {
        match kill % 5 {
            1 => drop(world.installation.norma(&["recall", STANDARD])),
            3 => drop(world.installation.norma(&["reinstate", STANDARD])),
            _ => {}
        }
        tokio::time::sleep(Duration::from_millis(random.below(LONGEST_LIFE))).await;
        let victim = random.below(2) as usize;
        instances[victim].kill();
        instances[victim] = world.serve(["one", "two"][victim]).await;
    }
    for instance in &instances {
        assert_eq!(complete(instance).await, expected);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_builds_the_index_before_instances_start() {
    let Some(world) = World::new(Kind::Postgres).await else { return };
    let folder = world.search_dir("built");
    let built = world.installation.norma(&["search", "rebuild", "--search-dir", folder.to_str().unwrap()]);
    assert!(built.contains("45 standards"), "{built}");
    let (one, two) = (world.serve("one").await, world.serve("two").await);
    let answers = complete(&one).await;
    assert_eq!(complete(&two).await, answers);
    assert_eq!(world.segments("two"), world.segments("built"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_lost_builder_published_and_is_damaged_is_built_again() {
    let expected = expected().await;
    let Some(world) = World::new(Kind::Postgres).await else { return };
    let mut one = world.serve("one").await;
    assert_eq!(complete(&one).await, expected);
    let published = async || match psql(&world.store.store, "SELECT count(*) FROM search_blobs").as_str() {
        "0" => Err("no index is published".to_owned()),
        _ => Ok(()),
    };
    eventually(DEADLINE, published).await;
    one.kill();
    // The first byte of each part.
    let damage = "UPDATE pieces SET bytes = set_byte(bytes, 0, 255 - get_byte(bytes, 0)) \
                  WHERE id >> 20 IN (SELECT blob FROM search_blobs)";
    psql(&world.store.store, damage);
    let verified = world.installation.try_norma(&["store", "verify"]);
    let said = String::from_utf8_lossy(&verified.stdout);
    assert!(!verified.status.success() && !said.ends_with(" 0 damaged\n"), "{said}");
    // The folder of the first one is lost with it.
    let two = world.serve("two").await;
    assert_eq!(complete(&two).await, expected);
    let three = world.serve("three").await;
    assert_eq!(complete(&three).await, expected);
    assert!(!three.log().contains(BUILDS), "{}", three.log());
    let verified = world.installation.norma(&["store", "verify"]);
    assert!(verified.ends_with(" 0 damaged\n"), "{verified}");
}

#[tokio::test(flavor = "multi_thread")]
async fn while_the_store_of_blobs_is_full_the_builder_answers_and_later_the_others_fetch_its_index() {
    let expected = expected().await;
    let Some(small) = SmallDisk::of(32) else { return };
    let Some(mut store) = TestStore::new(Kind::Postgres) else { return };
    store.blobs = format!("file://{}", small.path("blobs"));
    let world = World::on(store).await;
    small.fill();
    let one = world.serve("one").await;
    assert_eq!(complete(&one).await, expected);
    one.until_logged("No space left").await;
    assert_eq!(psql(&world.store.store, "SELECT count(*) FROM search_blobs"), "0");
    let two = world.serve("two").await;
    let answer: Value = serde_json::from_slice(&two.get("/search?q=shall").await.body).unwrap();
    assert_eq!(answer["state"], "building", "{answer}: {}", two.log());

    small.make_room();
    assert_eq!(complete(&two).await, expected, "{}", one.log());
    assert_eq!(complete(&one).await, expected);
    assert_eq!(world.segments("two"), world.segments("one"));
    let verified = world.installation.norma(&["store", "verify"]);
    assert!(verified.ends_with(" 0 damaged\n"), "{verified}");
}
