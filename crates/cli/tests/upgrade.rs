//! Stores that this program makes, and those that it refuses: of versions that were never released, and of a
//! version that another program made while this one ran. Migrations from one version to the next are tested
//! in the store (`crates/store/src/catalogue/schema/tests.rs`).

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

mod support;

use std::io::Write as _;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use support::installation::{Installation, STANDARD, norma};
use support::test_store::{Kind, TestStore, psql};
use support::wait::DEADLINE;

/// The version that the program makes.
const CURRENT: u32 = 7;

#[tokio::test(flavor = "multi_thread")]
async fn a_store_of_a_version_that_was_never_released_is_refused_with_what_to_do() {
    for kind in [Kind::Sqlite, Kind::Postgres] {
        let Some(test_store) = TestStore::new(kind) else { continue };
        let earlier = "CREATE TABLE norma_schema (version BIGINT PRIMARY KEY); \
            INSERT INTO norma_schema (version) VALUES (1), (2), (3), (4), (5)";
        execute(&test_store, earlier);
        let installation = Installation::on(&test_store.options()).await;
        for command in [
            &["list"][..],
            &["rebuild"],
            &["store", "migrate"],
            &["serve", "--audience", "x"],
            &["ingest", "."],
        ] {
            let refused = installation.try_norma(command);
            let said = String::from_utf8_lossy(&refused.stderr).into_owned();
            assert_eq!(refused.status.code(), Some(2), "{command:?}: {said}");
            assert!(said.contains("has schema 5,") && said.contains("ingest again"), "{said}");
        }
        assert_eq!(version_of(&test_store), "5");
    }
}

#[test]
fn of_two_programs_that_make_a_store_at_once_one_does_it() {
    for kind in [Kind::Sqlite, Kind::Postgres] {
        let Some(test_store) = TestStore::new(kind) else { continue };
        let both: Vec<_> = (0..2)
            .map(|_| migrate(&test_store).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
            .collect();
        let mut said: Vec<String> =
            both.into_iter().map(|child| succeed(child.wait_with_output().unwrap())).collect();
        said.sort();
        assert!(said[0].ends_with("is made\n"), "{said:?}");
        assert!(said[1].ends_with("is there already\n"), "{said:?}");
        assert_eq!(version_of(&test_store), CURRENT.to_string());
    }
}

/// At each write to a file, a kill leaves nothing of the schema, or all of it.
#[test]
fn a_store_of_sqlite_whose_making_is_killed_at_any_write_has_no_schema_or_a_whole_one() {
    let (mut kills, mut at) = (0, 1);
    loop {
        let Some(test_store) = TestStore::new(Kind::Sqlite) else { return };
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
        let tables = "SELECT COUNT(*) FROM sqlite_schema WHERE name IN ('norma_schema', 'editions', 'feed')";
        let tables = query(&test_store, tables);
        assert!(["0", "3"].contains(&tables.as_str()), "killed at write {at}: {tables} tables");
        assert_eq!(query(&test_store, "PRAGMA integrity_check"), "ok", "killed at write {at}");
        succeed(migrate(&test_store).output().unwrap());
        assert_eq!(version_of(&test_store), CURRENT.to_string(), "killed at write {at}");
        (kills, at) = (kills + 1, at + 1 + at / 4);
    }
    assert!(kills > 5, "the program was killed {kills} times only");
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

fn succeed(output: Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}
