//! Stores for tests: one for each pair of engines that Norma runs on, in a separate folder and database.

use std::io::Write as _;
use std::process::Command;
use std::time::SystemTime;

/// Engines of the catalogue and of the blobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Sqlite,
    SqliteAndFiles,
    Postgres,
    PostgresAndS3,
    PostgresAndAzure,
}

/// A store in a temporary folder; its database is dropped with it.
pub struct TestStore {
    pub store: String,
    pub blobs: String,
    pub folder: tempfile::TempDir,
    database: Option<Database>,
}

struct Database {
    server: String,
    name: String,
}

impl TestStore {
    /// Makes a store; `None`, with a message on stderr, if an engine is not available; on a CI machine that
    /// is a failure.
    pub fn new(kind: Kind) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_str().unwrap();
        let sqlite = format!("{path}/norma.db");
        let (store, database) = match kind {
            Kind::Sqlite | Kind::SqliteAndFiles => (sqlite, None),
            Kind::Postgres | Kind::PostgresAndS3 | Kind::PostgresAndAzure => {
                let server = variable("NORMA_TEST_POSTGRES")?;
                let name = format!("norma_{}", unique());
                psql(&server, &format!("CREATE DATABASE {name}"));
                let (host, _) = server.rsplit_once('/').unwrap();
                (format!("{host}/{name}"), Some(Database { server, name }))
            }
        };
        let blobs = match kind {
            Kind::Sqlite | Kind::Postgres => String::new(),
            Kind::SqliteAndFiles => format!("file://{path}/blobs"),
            Kind::PostgresAndS3 => below(&variable("NORMA_TEST_S3")?, &unique()),
            Kind::PostgresAndAzure => below(&variable("NORMA_TEST_AZURE")?, &unique()),
        };
        Some(Self { store, blobs, folder, database })
    }

    /// As options of a command.
    pub fn options(&self) -> [String; 4] {
        ["--store".to_owned(), self.store.clone(), "--blobs".to_owned(), self.blobs.clone()]
    }
}

impl Drop for TestStore {
    fn drop(&mut self) {
        if let Some(Database { server, name }) = &self.database {
            psql(server, &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"));
        }
    }
}

/// The value of a variable with an engine for tests.
pub fn variable(name: &str) -> Option<String> {
    let value = std::env::var(name).ok();
    if value.is_none() {
        assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "{name} is not set");
        // Not by a macro: those are held back when a test passes.
        drop(writeln!(std::io::stderr(), "LEFT OUT: {name} is not set"));
    }
    value
}

/// A separate prefix in a bucket, before the options of the address.
pub fn below(bucket: &str, name: &str) -> String {
    match bucket.split_once('?') {
        Some((base, options)) => format!("{base}/{name}?{options}"),
        None => format!("{bucket}/{name}"),
    }
}

pub fn unique() -> String {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    format!("{:x}_{:x}", since.as_nanos(), std::process::id())
}

/// A program of PostgreSQL's newest version here.
pub fn program(name: &str) -> std::path::PathBuf {
    let mut all: Vec<_> = glob::glob("/usr/lib/postgresql/*/bin").unwrap().map(Result::unwrap).collect();
    all.sort();
    all.last().map_or_else(|| name.into(), |bin| bin.join(name))
}

/// Runs SQL on a database and returns its output.
pub fn psql(address: &str, sql: &str) -> String {
    let arguments = ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", address, "-c", sql];
    let output = Command::new(program("psql")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{sql}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}
