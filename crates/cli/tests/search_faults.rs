//! The search index under faults: kills, damaged files, a full disk, a folder that cannot be used. Content is
//! served meanwhile, and afterwards the same answers come back without an operator.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

mod support;

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;
use support::installation::{Answer, Installation, Instance, STANDARD, paths, series};
use support::random::Random;
use support::small_disk::SmallDisk;
use support::test_store::{Kind, TestStore};
use support::wait::{DEADLINE, eventually};

const KILLS: usize = 100;
/// Kills without a look at the answers in between.
const KILLS_IN_A_ROW: usize = 10;
/// Longest time from the start of a process to its kill, in milliseconds.
const LONGEST_LIFE: u64 = 600;
/// Damaged files: one while no process runs, one while it serves, in turn.
const DAMAGED_FILES: usize = 50;
/// Documents that are stored in addition to the samples.
const DOCUMENTS: u32 = 40;

const QUERIES: [&str; 7] = [
    "q=anchor&edition=all&limit=100",
    "q=shall&limit=100&facets=type,status,normative",
    "q=shall&limit=7&group=standard",
    "q=%22proof+load%22&edition=all",
    "q=temperat*",
    "q=4.2&edition=all",
    "q=NSB+9007",
];

/// An installation with an index folder that its instances use one after the other.
struct World {
    installation: Installation,
    /// Answers of an index that nothing happened to, by query.
    expected: BTreeMap<&'static str, Value>,
    /// What is read while the index is damaged.
    content: BTreeMap<String, Answer>,
    folder: tempfile::TempDir,
    _store: TestStore,
}

impl World {
    async fn new() -> Self {
        let store = TestStore::new(Kind::Sqlite).unwrap();
        let installation = Installation::filled(&store.options()).await;
        let documents = series(9001, DOCUMENTS);
        installation.norma(&["ingest", documents.path().to_str().unwrap()]);
        let instance = installation.serve(&[]).await;
        let expected = complete(&instance).await;
        assert!(expected["q=shall&limit=100&facets=type,status,normative"]["total"].as_u64().unwrap() > 100);
        let mut content = BTreeMap::new();
        for path in paths(STANDARD) {
            content.insert(path.clone(), instance.get(&path).await);
        }
        Self { installation, expected, content, folder: tempfile::tempdir().unwrap(), _store: store }
    }

    fn search_dir(&self) -> PathBuf {
        self.folder.path().join("search")
    }

    async fn serve(&self) -> Instance {
        self.serve_in(&self.search_dir()).await
    }

    async fn serve_in(&self, folder: &Path) -> Instance {
        self.installation.serve(&["--search-dir", folder.to_str().unwrap()]).await
    }

    /// Content is served, and nothing that is found is wrong.
    async fn assert_content(&self, instance: &Instance) {
        for (path, known) in &self.content {
            assert_eq!(instance.get(path).await, *known, "{path}");
        }
    }

    /// The answers become those of a sound index, by themselves.
    async fn assert_recovered(&self, instance: &Instance, after: &str) {
        self.assert_content(instance).await;
        let answers = complete(instance).await;
        for (query, expected) in &self.expected {
            assert_eq!(answers[query], *expected, "{after}: {query}");
        }
        self.assert_content(instance).await;
    }
}

async fn ask(instance: &Instance, query: &str) -> Value {
    let answer = instance.get(&format!("/search?{query}")).await;
    assert_eq!(answer.status, 200, "{query}: {}", instance.log());
    serde_json::from_slice(&answer.body).unwrap()
}

/// The answers once all are complete.
async fn complete(instance: &Instance) -> BTreeMap<&'static str, Value> {
    eventually(DEADLINE, async || {
        let mut answers = BTreeMap::new();
        for query in QUERIES {
            let answer = ask(instance, query).await;
            if answer["state"] != "complete" {
                return Err(format!("{}: {}", answer["progress"], instance.log()));
            }
            answers.insert(query, answer);
        }
        Ok(answers)
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_kills_leave_an_index_with_the_same_answers() {
    let world = World::new().await;
    let folder = world.search_dir();
    let more = ["--search-dir", folder.to_str().unwrap()];
    let mut random = Random(1);
    for row in 0..KILLS / KILLS_IN_A_ROW {
        if row % 2 == 0 {
            // Kills while the index is built.
            drop(std::fs::remove_dir_all(&folder));
        }
        for kill in 0..KILLS_IN_A_ROW {
            // Kills while editions are removed and added.
            match kill {
                3 => drop(world.installation.norma(&["recall", STANDARD])),
                7 => drop(world.installation.norma(&["reinstate", STANDARD])),
                _ => {}
            }
            let mut instance = world.installation.begin(&more);
            tokio::time::sleep(Duration::from_millis(random.below(LONGEST_LIFE))).await;
            instance.kill();
        }
        let mut instance = world.serve().await;
        world.assert_recovered(&instance, &format!("kills until {}", (row + 1) * KILLS_IN_A_ROW)).await;
        instance.kill();
    }
}

/// The files of an index.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] })
        .collect();
    files.sort();
    files
}

/// How a file is damaged.
const WAYS: [&str; 6] = ["flip", "shorten", "lengthen", "overwrite", "remove", "rubbish"];

/// Damages a file of the index, and returns what was done.
fn damage(folder: &Path, random: &mut Random) -> String {
    let files = files(folder);
    let file = &files[random.below(files.len() as u64) as usize];
    let way = WAYS[random.below(WAYS.len() as u64) as usize];
    let mut bytes = std::fs::read(file).unwrap();
    let middle = random.below(bytes.len().max(1) as u64) as usize;
    match way {
        "flip" => bytes.iter_mut().skip(middle).take(1).for_each(|byte| *byte ^= 1 << random.below(8)),
        "shorten" => bytes.truncate(middle),
        "lengthen" => bytes.extend_from_slice(b"rubbish"),
        "overwrite" => bytes.iter_mut().for_each(|byte| *byte = random.below(256) as u8),
        _ => {}
    }
    match way {
        "remove" => std::fs::remove_file(file).unwrap(),
        "rubbish" => std::fs::write(files[0].with_file_name("rubbish.idx"), "rubbish").unwrap(),
        // The same file, as it may be open: not another one of this name.
        _ => std::fs::write(file, bytes).unwrap(),
    }
    format!("{way} {} at {middle}", file.display())
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_damaged_files_are_found_and_the_index_is_built_again() {
    let world = World::new().await;
    let folder = world.search_dir();
    let mut random = Random(2);
    let mut instance = world.serve().await;
    complete(&instance).await;
    for _ in 0..DAMAGED_FILES / 2 {
        let served = damage(&folder, &mut random);
        world.assert_content(&instance).await;
        for query in QUERIES {
            ask(&instance, query).await;
        }
        world.assert_content(&instance).await;
        instance.kill();
        let stopped = damage(&folder, &mut random);
        instance = world.serve().await;
        world.assert_recovered(&instance, &format!("{served}, then {stopped}")).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn on_a_full_disk_content_is_served_and_what_was_indexed_is_found() {
    let Some(small) = SmallDisk::of(8) else { return };
    let world = World::new().await;
    let folder: PathBuf = small.path("search").into();
    small.fill();
    let instance = world.serve_in(&folder).await;
    instance.until_logged("the search index does not follow the catalogue until this is corrected").await;
    instance.until_logged("No space left").await;
    assert_eq!(ask(&instance, QUERIES[0]).await["state"], "building");
    assert_eq!(instance.metric("norma_search_open").await, 0);
    world.assert_content(&instance).await;
    assert_eq!(instance.ready().await, 200);
    small.make_room();
    world.assert_recovered(&instance, "a disk that was full at the start").await;
    assert_eq!(instance.metric("norma_search_open").await, 1);

    small.fill();
    let documents = series(9501, 5);
    world.installation.norma(&["ingest", documents.path().to_str().unwrap()]);
    let new = &paths("urn:nsb:std:nsb:9501:ed-1:en")[0];
    instance.until(new, 200, DEADLINE).await;
    eventually(DEADLINE, async || match instance.metric("norma_search_open").await {
        0 => Ok(()),
        _ => Err("the full disk is not noticed".to_owned()),
    })
    .await;
    let answer = ask(&instance, QUERIES[0]).await;
    assert_eq!(answer["state"], "building");
    assert_eq!(answer["total"], world.expected[QUERIES[0]]["total"], "what was indexed is found");
    world.assert_content(&instance).await;
    small.make_room();
    let answers = complete(&instance).await;
    assert_eq!(answers[QUERIES[0]], world.expected[QUERIES[0]]);
    assert_eq!(ask(&instance, "q=NSB+9503").await["items"][0]["kind"], "standard");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_can_only_be_read_is_reported_until_it_can_be_written() {
    let Some(small) = SmallDisk::of(8) else { return };
    let world = World::new().await;
    let folder: PathBuf = small.path("search").into();
    small.remount("ro");
    let instance = world.serve_in(&folder).await;
    instance.until_logged("Read-only file system").await;
    instance.until_logged(folder.to_str().unwrap()).await;
    assert_eq!(ask(&instance, QUERIES[0]).await["progress"]["searched"], 0);
    world.assert_content(&instance).await;
    small.remount("rw");
    world.assert_recovered(&instance, "a folder that could only be read").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_process_waits_for_the_folder_of_the_first() {
    let world = World::new().await;
    let mut first = world.serve().await;
    world.assert_recovered(&first, "nothing").await;
    let second = world.serve().await;
    second.until_logged("another process uses the search index in").await;
    second.until_logged("`search-dir`").await;
    let answer = ask(&second, QUERIES[0]).await;
    assert_eq!((&answer["state"], &answer["total"]), (&"building".into(), &0.into()), "{answer}");
    world.assert_content(&second).await;
    world.assert_recovered(&first, "a second process").await;
    first.kill();
    world.assert_recovered(&second, "the end of the first process").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_of_somebody_else_is_left_as_it_is_and_an_empty_one_is_closed_to_others() {
    let world = World::new().await;
    let folder = tempfile::tempdir().unwrap();
    let set = |path: &Path| std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    let (theirs, empty) = (folder.path().join("theirs"), folder.path().join("empty"));
    for path in [theirs.join("index-0"), empty.clone()] {
        std::fs::create_dir_all(path).unwrap();
    }
    std::fs::write(theirs.join("index-0/letter.txt"), "theirs").unwrap();
    std::fs::write(theirs.join("photo.jpg"), "theirs").unwrap();
    [&theirs, &empty].into_iter().for_each(|path| set(path));
    let before = files(&theirs);
    let instance = world.serve_in(&theirs).await;
    instance.until_logged("photo.jpg").await;
    instance.until_logged("let `search-dir` name a new or an empty folder").await;
    assert_eq!(ask(&instance, QUERIES[0]).await["progress"]["searched"], 0);
    world.assert_content(&instance).await;
    assert_eq!((files(&theirs), mode(&theirs)), (before, 0o755));
    let instance = world.serve_in(&empty).await;
    world.assert_recovered(&instance, "an empty folder").await;
    assert_eq!(mode(&empty), 0o700);
}
