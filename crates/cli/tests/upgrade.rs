//! Stores of earlier versions with the present program: migrated, served, rebuilt, and refused until then.
//!
//! `stores/` has what programs of these versions stored of the samples, as dumps of SQLite and PostgreSQL
//! (`stores/README.md`).

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

mod support;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;
use support::installation::{Answer, Installation, Instance, STANDARD, norma, samples};
use support::test_store::{Kind, TestStore, program, psql};
use support::wait::{DEADLINE, eventually, eventually_blocking};

/// Versions of the schema of which there are dumps.
const STORED: [u32; 5] = [1, 2, 3, 4, 5];

/// The version that the program makes.
const CURRENT: u32 = 5;

/// The other edition in the dumps.
const OLDER: &str = "urn:nsb:std:nsb:4210:ed-1:en";

/// Sample and edition.
const SAMPLES: [(&str, &str); 2] = [("bicycle-anchors-ed1", OLDER), ("bicycle-anchors-ed2-en", STANDARD)];

#[tokio::test(flavor = "multi_thread")]
async fn a_store_of_each_version_is_migrated_served_and_rebuilt_to_what_a_new_ingest_gives() {
    assert_eq!(STORED.last(), Some(&CURRENT), "the schema of today has no dumps (stores/README.md)");
    for (version, kind) in each() {
        let Some(test_store) = stored(version, kind) else { continue };
        let installation = Installation::on(&test_store.options()).await;
        if version < CURRENT {
            for command in [&["list"][..], &["rebuild"], &["serve", "--audience", "x", "--migrate", "false"]]
            {
                let refused = installation.try_norma(command);
                let said = String::from_utf8_lossy(&refused.stderr).into_owned();
                assert_eq!(refused.status.code(), Some(2), "{command:?}: {said}");
                let expected = format!("has schema {version}, this program needs {CURRENT}");
                assert!(said.contains(&expected) && said.contains("norma store migrate"), "{said}");
            }
            let said = installation.norma(&["store", "migrate"]);
            assert!(said.contains(&format!("is migrated from version {version} to {CURRENT}")), "{said}");
        }
        assert!(installation.norma(&["store", "migrate"]).ends_with("is there already\n"));
        assert!(installation.norma(&["tenant", "list"]).contains("Stored Reader"));
        let tenant = installation.tenant.to_string();
        installation.norma(&["tenant", "add", &tenant]);
        installation.norma(&["grant", "add", &tenant, "--urn", "urn:nsb:*"]);

        let instance = installation.serve(&["--migrate", "false"]).await;
        if version < CURRENT {
            eventually(DEADLINE, async || match instance.metric("norma_stale_standards").await {
                2 => Ok(()),
                other => Err(format!("{other} standards are stale, expected 2")),
            })
            .await;
        }
        let before = answers(&instance).await;
        // These are made of stored parts whose form changed.
        let made_anew = ["comparison", "knowledge-graph"];
        for (path, answer) in &before {
            let is_problem = answer.status == 503 && answer.retry_after.is_some();
            assert!(
                answer.status == 200 || (is_problem && made_anew.iter().any(|part| path.contains(part))),
                "{path}: {answer:?}"
            );
        }
        drop(instance);
        let source = tempfile::tempdir().unwrap();
        for (sample, urn) in SAMPLES {
            let folder = source.path().join(sample);
            run("cp", &["-r", samples().join(sample).to_str().unwrap(), folder.to_str().unwrap()]);
            std::fs::write(
                folder.join("document.xml"),
                &before[&format!("{} source", path(urn, "/content"))].body,
            )
            .unwrap();
        }

        let stored_pack = pack_version(&test_store);
        // The editions that a migration marked; for the present version, all on request.
        let command: &[&str] = if version < CURRENT { &["rebuild"] } else { &["rebuild", "--all"] };
        let said = installation.norma(command);
        assert!(said.ends_with("2 rebuilt, 0 failed\n"), "{said}");
        assert!(
            version < CURRENT || pack_version(&test_store) == stored_pack,
            "schema {version} has packs of version {stored_pack}, this program writes {}: an older program cannot read them. A new version \
             of packs comes with a migration and dumps (stores/README.md)",
            pack_version(&test_store)
        );
        assert!(installation.norma(&["store", "verify"]).ends_with(" 0 damaged\n"));
        let rebuilt = answers(&installation.serve(&[]).await).await;

        let key = source.path().join("lineage.key");
        std::fs::write(&key, installation.norma(&["lineage", "key", "export"])).unwrap();
        let fresh = TestStore::new(Kind::Sqlite).unwrap();
        let installation = Installation::on(&fresh.options()).await;
        installation.norma(&["store", "migrate"]);
        // Ids of lineages are equal under one key.
        let said = installation.norma(&["lineage", "key", "import", key.to_str().unwrap()]);
        assert_eq!(said, "the lineage key is imported\n");
        std::fs::remove_file(&key).unwrap();
        installation.norma(&["ingest", source.path().to_str().unwrap()]);
        let tenant = installation.tenant.to_string();
        installation.norma(&["tenant", "add", &tenant]);
        installation.norma(&["grant", "add", &tenant, "--urn", "urn:nsb:*"]);
        let ingested = answers(&installation.serve(&[]).await).await;
        assert_eq!(rebuilt.keys().collect::<Vec<_>>(), ingested.keys().collect::<Vec<_>>());
        for (path, answer) in &ingested {
            assert_eq!(answer.status, 200, "{path}: {answer:?}");
            let text = |answer: &Answer| String::from_utf8_lossy(&answer.body).into_owned();
            let (found, expected) = (text(&rebuilt[path]), text(answer));
            assert!(
                rebuilt[path] == *answer,
                "{version} {kind:?} {path}: expected {expected}, found {found}"
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn search_says_that_it_has_only_titles_of_what_an_earlier_version_stored_until_it_is_rebuilt() {
    let test_store = stored(1, Kind::Sqlite).unwrap();
    let installation = Installation::on(&test_store.options()).await;
    installation.norma(&["store", "migrate"]);
    let tenant = installation.tenant.to_string();
    installation.norma(&["tenant", "add", &tenant]);
    installation.norma(&["grant", "add", &tenant, "--urn", "urn:nsb:*"]);
    // The default of the command, which the tests' installation does not have.
    let folder = format!("{}-search", test_store.store);
    let instance = installation.serve(&["--search-dir", &folder]).await;
    let until = async |state: &str| {
        eventually(DEADLINE, async || {
            let answer = instance.get("/search?q=shall&edition=all").await;
            let answer: Value = serde_json::from_slice(&answer.body).unwrap();
            if answer["state"] == state { Ok(answer) } else { Err(answer.to_string()) }
        })
        .await
    };
    let answer = until("partial").await;
    assert_eq!((&answer["total"], &answer["progress"]["titlesOnly"]), (&0.into(), &2.into()), "{answer}");
    let said = String::from_utf8(installation.try_norma(&["search", "shall", "edition=all"]).stderr).unwrap();
    assert!(said.contains("of 2 standards only the titles were searched"), "{said}");
    let rebuilt = installation.norma(&["rebuild"]);
    assert!(rebuilt.ends_with("2 rebuilt, 0 failed\n"), "{rebuilt}");
    let answer = until("complete").await;
    assert!(answer["total"].as_u64().unwrap() > 10, "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_and_an_ingest_migrate_an_older_store_at_their_start() {
    for kind in [Kind::Sqlite, Kind::Postgres] {
        let Some(test_store) = stored(1, kind) else { continue };
        let installation = Installation::on(&test_store.options()).await;
        drop(installation.serve(&[]).await);
        assert_eq!(version_of(&test_store), CURRENT.to_string());

        let Some(test_store) = stored(1, kind) else { continue };
        let sample = samples().join("minimal");
        succeed(norma(&["ingest", sample.to_str().unwrap()]).args(test_store.options()).output().unwrap());
        assert_eq!(version_of(&test_store), CURRENT.to_string());
    }
}

#[test]
fn of_two_programs_that_migrate_at_once_one_does_it() {
    for kind in [Kind::Sqlite, Kind::Postgres] {
        let Some(test_store) = stored(CURRENT - 1, kind) else { continue };
        let both: Vec<_> = (0..2)
            .map(|_| migrate(&test_store).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
            .collect();
        let mut said: Vec<String> =
            both.into_iter().map(|child| succeed(child.wait_with_output().unwrap())).collect();
        said.sort();
        assert!(said[0].contains("is migrated from version"), "{said:?}");
        assert!(said[1].ends_with("is there already\n"), "{said:?}");
    }
}

/// At each write to a file, a kill leaves nothing of the migration, or all of it.
#[test]
fn a_migration_of_sqlite_that_is_killed_at_any_write_leaves_one_version_whole() {
    let (mut kills, mut at) = (0, 1);
    loop {
        let Some(test_store) = stored(1, Kind::Sqlite) else { return };
        let command = migrate(&test_store);
        let mut strace = Command::new("strace");
        strace.args(["-f", "-qq", "-o", "/dev/null", "-e", "trace=pwrite64", "-e"]);
        strace.arg(format!("inject=pwrite64:signal=KILL:when={at}"));
        let output = match strace.arg(command.get_program()).args(command.get_args()).output() {
            Ok(output) if !String::from_utf8_lossy(&output.stderr).contains("PTRACE") => output,
            other => {
                assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "strace: {other:?}");
                drop(writeln!(std::io::stderr(), "LEFT OUT: strace cannot watch a program here"));
                return;
            }
        };
        if output.status.success() {
            break;
        }
        let version = version_of(&test_store);
        let has_tables = "SELECT COUNT(*) FROM sqlite_schema WHERE name IN ('comparisons', 'lineages')";
        let tables = if version == "1" { "0" } else { "2" };
        assert_eq!(query(&test_store, has_tables), tables, "killed at write {at}");
        assert_eq!(query(&test_store, "PRAGMA integrity_check"), "ok", "killed at write {at}");
        succeed(migrate(&test_store).output().unwrap());
        assert_eq!(version_of(&test_store), CURRENT.to_string(), "killed at write {at}");
        (kills, at) = (kills + 1, at + 1 + at / 4);
    }
    assert!(kills > 5, "the migration was killed {kills} times only");
}

#[test]
fn a_migration_of_postgresql_that_is_killed_in_its_middle_leaves_the_version_before_it() {
    let Some(test_store) = stored(1, Kind::Postgres) else { return };
    // A reader of the table that the migration changes last: it waits there, with all before it done.
    let mut reader = Command::new(program("psql"));
    reader.args(["-X", "-q", "-d", &test_store.store]).stdin(Stdio::piped()).stdout(Stdio::null());
    let mut reader = reader.spawn().unwrap();
    let mut to_reader = reader.stdin.take().unwrap();
    writeln!(to_reader, "BEGIN; LOCK TABLE changes IN ACCESS SHARE MODE;").unwrap();
    let waiting = |mode: &str, granted: &str| {
        let sql = format!(
            "SELECT COUNT(*) FROM pg_locks WHERE relation = 'changes'::regclass AND mode = '{mode}' AND granted = {granted}"
        );
        eventually_blocking(DEADLINE, || match psql(&test_store.store, &sql).as_str() {
            "0" => Err(format!("nobody has {mode}, granted: {granted}")),
            _ => Ok(()),
        });
    };
    waiting("AccessShareLock", "true");
    let mut migration = migrate(&test_store).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    waiting("AccessExclusiveLock", "false");
    migration.kill().unwrap();
    migration.wait().unwrap();
    drop(to_reader);
    reader.wait().unwrap();
    let version = version_of(&test_store);
    assert_eq!(
        (version.as_str(), psql(&test_store.store, "SELECT to_regclass('comparisons')").as_str()),
        ("1", "")
    );
    let said = succeed(migrate(&test_store).output().unwrap());
    assert!(said.contains("is migrated from version 1"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_whose_store_another_program_migrates_answers_503_and_publishes_nothing() {
    for kind in [Kind::Sqlite, Kind::Postgres] {
        let Some(test_store) = TestStore::new(kind) else { continue };
        let installation = Installation::filled(&test_store.options()).await;
        let instance = installation.serve(&[]).await;
        let path = path(STANDARD, "");
        instance.until(&path, 200, DEADLINE).await;
        execute(&test_store, "INSERT INTO norma_schema (version) VALUES (999)");
        instance.until(&path, 503, Duration::from_secs(5)).await;
        instance.until_ready(503, Duration::from_secs(5)).await;
        let log = instance.log();
        assert!(log.contains(&format!("schema 999 now, this program was started on {CURRENT}")), "{log}");
        execute(&test_store, "DELETE FROM norma_schema WHERE version = 999");
        instance.until(&path, 200, DEADLINE).await;
    }
}

/// Versions with dumps, on each engine.
fn each() -> impl Iterator<Item = (u32, Kind)> {
    STORED.into_iter().flat_map(|version| [(version, Kind::Sqlite), (version, Kind::Postgres)])
}

/// A store as a program with this version of the schema stored it.
fn stored(version: u32, kind: Kind) -> Option<TestStore> {
    let test_store = TestStore::new(kind)?;
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/stores");
    match kind {
        Kind::Postgres => {
            let file = folder.join(format!("schema-{version}.postgres.sql"));
            let arguments = ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", &test_store.store, "-f"];
            let psql = Command::new(program("psql")).args(arguments).arg(file).output().unwrap();
            succeed(psql);
        }
        _ => {
            let file = folder.join(format!("schema-{version}.sqlite.sql"));
            execute(&test_store, &std::fs::read_to_string(file).unwrap());
        }
    }
    assert_eq!(version_of(&test_store), version.to_string());
    Some(test_store)
}

/// Each view of both editions in each of its forms, one provision with its lineage, and their comparison,
/// without members that depend on the caller.
async fn answers(instance: &Instance) -> BTreeMap<String, Answer> {
    let mut all = instance.views().await;
    for (_, urn) in SAMPLES {
        let content = path(urn, "/content");
        for (name, media_type) in [("text", "text/plain"), ("source", "application/xml")] {
            let answer = instance.ask(&format!("/api/content/v1{content}"), &[("accept", media_type)]).await;
            all.insert(format!("{content} {name}"), answer.unwrap());
        }
        let encoded = urn.replace(':', "%3A");
        let graph = format!("/api/content/preview/knowledge-graph/standards/{encoded}");
        for media_type in ["application/ld+json", "text/turtle"] {
            let answer = instance.ask(&graph, &[("accept", media_type)]).await.unwrap();
            all.insert(format!("{graph} {media_type}"), answer);
        }
        let provisions: Value = serde_json::from_slice(&all[&path(urn, "/provisions")].body).unwrap();
        let id = provisions["items"][0]["id"].as_str().unwrap().to_owned();
        for path in [path(urn, "/provisions/4"), path(urn, "/provisions/table%3A1")] {
            all.insert(path.clone(), instance.get(&path).await);
        }
        // When the catalogue changed is of each store.
        let path = format!("/provisions/{id}");
        let answer = instance.get(&path).await;
        let mut body: Value = serde_json::from_slice(&answer.body).unwrap();
        let changed = body.pointer_mut("/standard/updatedAt").map(Value::take);
        assert!(answer.status != 200 || changed.is_some(), "{path}: {body}");
        all.insert(path, Answer { etag: None, body: body.to_string().into(), ..answer });
    }
    let comparison = format!(
        "/api/content/v1/standards/{}/comparison?with={}",
        OLDER.replace(':', "%3A"),
        STANDARD.replace(':', "%3A")
    );
    all.insert(comparison.clone(), instance.ask(&comparison, &[]).await.unwrap());
    all
}

fn path(urn: &str, part: &str) -> String {
    format!("/standards/{}{part}", urn.replace(':', "%3A"))
}

fn migrate(test_store: &TestStore) -> Command {
    let mut command = norma(&["store", "migrate"]);
    command.args(test_store.options());
    command
}

fn version_of(test_store: &TestStore) -> String {
    query(test_store, "SELECT MAX(version) FROM norma_schema")
}

/// The version of the packs: the first byte of their directories, in hexadecimal.
fn pack_version(test_store: &TestStore) -> String {
    let first = "substr(directory, 1, 1)";
    let hex = if test_store.store.contains("://") {
        format!("encode({first}, 'hex')")
    } else {
        format!("hex({first})")
    };
    query(test_store, &format!("SELECT MAX({hex}) FROM edition_parts"))
}

/// The first cell of what a query gives.
fn query(test_store: &TestStore, sql: &str) -> String {
    if test_store.store.contains("://") {
        return psql(&test_store.store, sql);
    }
    let file = rusqlite::Connection::open(&test_store.store).unwrap();
    let cell: rusqlite::types::Value = file.query_row(sql, [], |row| row.get(0)).unwrap();
    match cell {
        rusqlite::types::Value::Integer(number) => number.to_string(),
        rusqlite::types::Value::Text(text) => text,
        other => panic!("{sql}: {other:?}"),
    }
}

fn execute(test_store: &TestStore, sql: &str) {
    if test_store.store.contains("://") {
        drop(psql(&test_store.store, sql));
    } else {
        rusqlite::Connection::open(&test_store.store).unwrap().execute_batch(sql).unwrap();
    }
}

fn run(program: impl AsRef<Path>, arguments: &[&str]) {
    succeed(Command::new(program.as_ref()).args(arguments).output().unwrap());
}

fn succeed(output: Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}
