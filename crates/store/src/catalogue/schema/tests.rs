//! Tests of migrations on each engine, with a list that is longer than that of the program: PostgreSQL where
//! `NORMA_TEST_POSTGRES` is set.

#![allow(clippy::disallowed_methods, reason = "this is test code")]

use std::path::PathBuf;
use std::process::Command;
use std::time::SystemTime;

use async_trait::async_trait;
use bytes::Bytes;

use super::*;
use crate::catalogue::feed;
use crate::{Blob, Store, StoreOptions, Tenant, core};

/// An engine with migrations of its own.
struct Extended(Box<dyn Engine>, &'static [&'static str]);

#[async_trait]
impl Engine for Extended {
    async fn read(&self, sql: Sql) -> Result<Vec<ResultRow>> {
        self.0.read(sql).await
    }

    async fn piece(&self, key: i64) -> Result<Option<Bytes>> {
        self.0.piece(key).await
    }

    async fn begin(&self) -> Result<Box<dyn Transaction>> {
        self.0.begin().await
    }

    async fn has_table(&self, name: &str) -> Result<bool> {
        self.0.has_table(name).await
    }

    async fn is_foreign(&self) -> Result<bool> {
        self.0.is_foreign().await
    }

    fn migrations(&self) -> &'static [&'static str] {
        self.1
    }
}

/// A version that the program does not support, in two statements.
const NEXT: &str = "ALTER TABLE tenants ADD COLUMN colour TEXT; UPDATE tenants SET colour = 'blue';";

/// A version with an error in its second statement.
const BROKEN: &str = "ALTER TABLE tenants ADD COLUMN colour TEXT; UPDATE tenants SET shape = 'round';";

/// A version with a table that already exists, which PostgreSQL reports like a race of two programs.
const REPEATED: &str = "ALTER TABLE tenants ADD COLUMN colour TEXT; CREATE TABLE grants (id BIGINT);";

/// A database, dropped with it.
struct Database {
    location: Location,
    folder: tempfile::TempDir,
    server: Option<(String, String)>,
}

impl Database {
    /// A store on each available engine.
    fn each() -> Vec<Self> {
        let folder = || tempfile::tempdir().expect("a temporary folder");
        let mut all = Vec::new();
        let sqlite = folder();
        let location = sqlite.path().join("norma.db").to_str().expect("a name in UTF-8").parse().unwrap();
        all.push(Self { location, folder: sqlite, server: None });
        match std::env::var("NORMA_TEST_POSTGRES") {
            Ok(server) => all.push(Self::on_server(&server, folder())),
            Err(_) => {
                assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "NORMA_TEST_POSTGRES is not set");
                eprintln!("LEFT OUT: NORMA_TEST_POSTGRES is not set");
            }
        }
        all
    }

    fn on_server(server: &str, folder: tempfile::TempDir) -> Self {
        let name = format!("norma_{:x}", crate::random::epoch());
        psql(server, &format!("CREATE DATABASE {name}"));
        let (host, _) = server.rsplit_once('/').expect("an address ends with a database");
        let location = format!("{host}/{name}").parse().unwrap();
        Self { location, folder, server: Some((server.to_owned(), name)) }
    }

    fn address(&self) -> String {
        let (server, name) = self.server.as_ref().expect("a server");
        format!("{}/{name}", server.rsplit_once('/').expect("an address").0)
    }

    async fn engine(&self) -> Box<dyn Engine> {
        let settings = StoreOptions { acquire_timeout: Duration::from_secs(2), ..StoreOptions::default() };
        core::engine(&self.location, &settings).await.unwrap()
    }

    /// The same with one more migration.
    async fn newer(&self, next: &'static str) -> Extended {
        let engine = self.engine().await;
        let migrations = [engine.migrations(), &[next]].concat();
        Extended(engine, migrations.leak())
    }

    /// As docs/operations.md says, while the store is open.
    fn back_up(&self) {
        let backup = self.folder.path().join("backup");
        let backup = backup.to_str().unwrap();
        match &self.server {
            None => {
                let file = rusqlite::Connection::open(self.folder.path().join("norma.db")).unwrap();
                file.execute("VACUUM INTO ?1", [backup]).unwrap();
            }
            Some(_) => run("pg_dump", &["--format=custom", "--file", backup, &self.address()]),
        }
    }

    /// Restores a store as docs/operations.md says, when no program has it open.
    fn restore(&self) {
        let backup = self.folder.path().join("backup");
        match &self.server {
            None => {
                for end in ["-wal", "-shm"] {
                    let _ = std::fs::remove_file(self.folder.path().join(format!("norma.db{end}")));
                }
                std::fs::copy(backup, self.folder.path().join("norma.db")).unwrap();
            }
            Some((server, name)) => {
                psql(server, &format!("DROP DATABASE {name} WITH (FORCE)"));
                psql(server, &format!("CREATE DATABASE {name}"));
                run("pg_restore", &["--no-owner", "--dbname", &self.address(), backup.to_str().unwrap()]);
            }
        }
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if let Some((server, name)) = &self.server {
            psql(server, &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"));
        }
    }
}

fn psql(address: &str, sql: &str) {
    run("psql", &["-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", address, "-c", sql]);
}

/// Runs a program of PostgreSQL's newest version here.
fn run(program: &str, arguments: &[&str]) {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let newest = versions.map(|version| version.path().join("bin")).max();
    let program = newest.map_or_else(|| PathBuf::from(program), |folder| folder.join(program));
    let output = Command::new(&program).args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

async fn write(engine: &dyn Engine, sql: &str) {
    let mut tx = engine.begin().await.unwrap();
    tx.run(Sql::new(sql)).await.unwrap();
    tx.commit().await.unwrap();
}

/// A store of the program's version, with a tenant.
async fn made(database: &Database) {
    let engine = database.engine().await;
    assert_eq!(migrate(&*engine, &database.location).await.unwrap(), Migrated::Made);
    write(&*engine, "INSERT INTO tenants (id, name, suspended) VALUES ('acme', 'Acme', 0)").await;
}

async fn colours(engine: &dyn Engine) -> Result<Vec<String>> {
    let rows = engine.read(Sql::new("SELECT colour FROM tenants")).await?;
    rows.iter().map(|row| row.text("colour").map(str::to_owned)).collect()
}

/// The version of this program, and the next one.
const THIS: i64 = VERSION;
const AFTER: i64 = THIS + 1;
const FROM_THIS: Migrated = Migrated::From { version: THIS, to: AFTER };

#[tokio::test(flavor = "multi_thread")]
async fn a_newer_version_is_refused_by_name_and_a_restored_backup_takes_it_back() {
    for database in Database::each() {
        let location = &database.location;
        made(&database).await;
        let running = database.engine().await;
        feed::state(&*running).await.unwrap();
        let store = Store::open(location, &StoreOptions::default()).await.unwrap();
        database.back_up();

        let newer = database.newer(NEXT).await;
        assert!(matches!(
            check(&newer, location).await,
            Err(StoreError::OlderSchema { found: THIS, known: AFTER, .. })
        ));
        assert_eq!(migrate(&newer, location).await.unwrap(), FROM_THIS);
        assert_eq!(colours(&newer).await.unwrap(), ["blue"]);
        assert_eq!(migrate(&newer, location).await.unwrap(), Migrated::Nothing);

        let program = database.engine().await;
        for refused in
            [check(&*program, location).await.unwrap_err(), migrate(&*program, location).await.unwrap_err()]
        {
            let said = refused.to_string();
            let expected = format!("has schema {AFTER}, this program knows {THIS}: use the newer program");
            assert!(said.contains(&expected), "{said}");
        }
        let mut tx = running.begin().await.unwrap();
        for refused in [feed::state(&*running).await.unwrap_err(), feed::lock(&mut *tx).await.unwrap_err()] {
            assert!(matches!(refused, StoreError::SchemaChanged { found: AFTER, known: THIS }), "{refused}");
        }
        drop(tx);
        // Writers that do not wait for the lock of the catalogue.
        let now = SystemTime::now();
        let tenant = Tenant { id: "late".to_owned(), ..Tenant::default() };
        let blob = Blob::new(Bytes::from_static(b"late"));
        for refused in [
            store.put_tenant(&tenant, now).await,
            store.stage_blobs(std::slice::from_ref(&blob), false, now).await,
        ] {
            let refused = refused.unwrap_err();
            assert!(matches!(refused, StoreError::SchemaChanged { found: AFTER, known: THIS }), "{refused}");
        }
        drop((store, running, newer, program));

        database.restore();
        let program = database.engine().await;
        check(&*program, location).await.unwrap();
        assert!(colours(&*program).await.is_err());
        assert_eq!(program.read(Sql::new("SELECT id FROM tenants")).await.unwrap().len(), 1);
        let newer = database.newer(NEXT).await;
        assert_eq!(migrate(&newer, location).await.unwrap(), FROM_THIS);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_migration_that_is_dropped_or_fails_leaves_the_version_before_it_whole() {
    for database in Database::each() {
        let location = &database.location;
        made(&database).await;
        let newer = database.newer(NEXT).await;
        let mut dropped = newer.begin().await.unwrap();
        for script in [LOCK, LOCK_WRITERS, NEXT] {
            dropped.script(script).await.unwrap();
        }
        drop(dropped);
        for broken in [BROKEN, REPEATED] {
            let failed = migrate(&database.newer(broken).await, location).await;
            assert!(failed.is_err(), "{failed:?}");
            let program = database.engine().await;
            check(&*program, location).await.unwrap();
            assert!(colours(&*program).await.is_err());
        }
        assert_eq!(migrate(&newer, location).await.unwrap(), FROM_THIS);
        assert_eq!(colours(&newer).await.unwrap(), ["blue"]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_programs_that_migrate_at_once_one_does_it_and_writers_end_before() {
    for database in Database::each() {
        let location = &database.location;
        made(&database).await;
        let (one, two) = (database.newer(NEXT).await, database.newer(NEXT).await);
        let writer = database.engine().await;
        let mut last = writer.begin().await.unwrap();
        feed::lock(&mut *last).await.unwrap();
        let write_and_end = async {
            let sql = "INSERT INTO tenants (id, name, suspended) VALUES ('last', 'Last', 0)";
            last.run(Sql::new(sql)).await.unwrap();
            last.commit().await.unwrap();
        };
        let (one_did, two_did, ()) =
            tokio::join!(migrate(&one, location), migrate(&two, location), write_and_end);
        let mut did = [one_did.unwrap(), two_did.unwrap()];
        did.sort_by_key(|did| *did == Migrated::Nothing);
        assert_eq!(did, [FROM_THIS, Migrated::Nothing]);
        assert_eq!(colours(&one).await.unwrap(), ["blue", "blue"]);
    }
}

/// A schema that can be made once, and takes several times as long as the longest wait for a lock.
const SLOW: &str = "
    CREATE TABLE slow (n INTEGER);
    INSERT INTO slow WITH RECURSIVE count (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < 2000000)
        SELECT MAX(n) FROM count;
";

#[tokio::test(flavor = "multi_thread")]
async fn who_waits_for_a_schema_waits_as_long_as_it_takes() {
    let database = &Database::each()[0];
    let settings = StoreOptions { acquire_timeout: Duration::from_millis(20), ..StoreOptions::default() };
    let open = async || Extended(core::engine(&database.location, &settings).await.unwrap(), &[SLOW]);
    let [one, two] = [open().await, open().await];
    let (one, two) = tokio::join!(migrate(&one, &database.location), migrate(&two, &database.location));
    let made = [one.unwrap(), two.unwrap()];
    assert!(made.contains(&Migrated::Made) && made.contains(&Migrated::Nothing), "{made:?}");
    assert_eq!(open().await.read(Sql::new("SELECT n FROM slow")).await.unwrap().len(), 1);
}

#[tokio::test]
async fn who_goes_away_while_the_schema_is_made_leaves_none() {
    for database in Database::each() {
        let one = database.engine().await;
        let mut gone = one.begin().await.unwrap();
        gone.script(LOCK).await.unwrap();
        for migration in one.migrations() {
            gone.script(migration).await.unwrap();
        }
        drop(gone);
        assert_eq!(migrate(&*one, &database.location).await.unwrap(), Migrated::Made);
    }
}
