//! Location and settings of a store.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use crate::StoreError;
use crate::redact::redacted;

/// The location of the catalogue, and of the blobs if it is another one.
#[derive(Clone, PartialEq, Eq)]
pub struct Location {
    pub(crate) engine: EngineLocation,
    pub(crate) blobs: Option<String>,
}

#[derive(Clone, PartialEq, Eq)]
pub(crate) enum EngineLocation {
    Sqlite(PathBuf),
    Postgres(String),
}

impl Location {
    /// Puts the blobs into an object store instead: `file:///folder`, `s3://bucket/prefix`,
    /// `az://container/prefix` or `gs://bucket/prefix`. Credentials come from the environment, by the names
    /// that each provider documents.
    pub fn with_blobs(mut self, address: impl Into<String>) -> Self {
        self.blobs = Some(address.into());
        self
    }

    /// The file of its database, if it is one.
    pub fn file(&self) -> Option<&Path> {
        match &self.engine {
            EngineLocation::Sqlite(path) => Some(path),
            EngineLocation::Postgres(_) => None,
        }
    }

    /// True if it names a file that does not exist; a server is asked only on connection.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] where the system does not tell, as in a folder that may not be read.
    pub(crate) fn is_missing_file(&self) -> Result<bool, StoreError> {
        let EngineLocation::Sqlite(path) = &self.engine else { return Ok(false) };
        match path.try_exists() {
            Ok(exists) => Ok(!exists),
            Err(error) => Err(StoreError::unavailable(&format!("look for {self}"), error)),
        }
    }
}

impl FromStr for Location {
    type Err = StoreError;

    /// Reads `path`, `sqlite:path` or `postgres://user@host,host/database?options`.
    fn from_str(text: &str) -> Result<Self, StoreError> {
        let refuse = |why: &str| {
            let shown = redacted(text);
            StoreError::Invalid(format!(
                "`{shown}` is not a valid store: {why}; write a path, `sqlite:path` or `postgres://host/database`"
            ))
        };
        let engine = match text.split_once(':') {
            _ if text.is_empty() => return Err(refuse("it is empty")),
            Some(("sqlite", path)) if !path.is_empty() => {
                EngineLocation::Sqlite(path.trim_start_matches("//").into())
            }
            Some(("postgres" | "postgresql", _)) => EngineLocation::Postgres(text.to_owned()),
            Some((scheme, rest)) if rest.starts_with("//") || scheme == "sqlite" => {
                return Err(refuse("no engine has this name, or it names no file"));
            }
            _ => EngineLocation::Sqlite(text.into()),
        };
        Ok(Self { engine, blobs: None })
    }
}

/// Writes the address without credentials, for messages and logs.
impl std::fmt::Display for Location {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.engine {
            EngineLocation::Sqlite(path) => write!(f, "sqlite:{}", redacted(&path.to_string_lossy()))?,
            EngineLocation::Postgres(address) => f.write_str(&redacted(address))?,
        }
        match &self.blobs {
            Some(blobs) => write!(f, " with blobs in {}", redacted(blobs)),
            None => Ok(()),
        }
    }
}

impl std::fmt::Debug for Location {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

/// Settings for the use of a store. Each has a default that suits one machine.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StoreOptions {
    /// True if the store is made where none exists; otherwise it is [`StoreError::Absent`]. Default: true.
    pub make: bool,
    /// True if, with `make`, a database without schema gets one and an older schema is migrated; otherwise
    /// they are refused. Default: true.
    pub migrate: bool,
    /// Connections for reading (SQLite) or in all (PostgreSQL). Default: 8.
    pub connections: u32,
    /// Longest wait for a connection or for another writer. Default: 5 s.
    pub acquire_timeout: Duration,
    /// Longest time that PostgreSQL may take for one statement. Default: 15 s.
    pub statement_timeout: Duration,
    /// Longest time that an object store may take for one object, with repetitions. Default: 15 s.
    pub object_timeout: Duration,
    /// Most attempts at a transaction when others interfere. Default: 8.
    pub attempts: u32,
    /// Time after which a read checks in the background whether the catalogue changed. Default: 200 ms.
    pub refresh_interval: Duration,
    /// Maximum age of a snapshot; a read of an older one waits for the engine. Default: 900 ms.
    pub max_staleness: Duration,
    /// Bytes of blobs kept in memory. Default: 32 MiB.
    pub blob_cache_bytes: u64,
    /// Bytes of the SQLite file that are mapped into memory. Default: 1 GiB; it is address space, not memory.
    pub mmap_bytes: u64,
    /// The ranges of a pack, by its directory, that a viewer at level `discover` may read. Default: none.
    pub discoverable: fn(&[u8]) -> Vec<Range<u64>>,
}

impl Default for StoreOptions {
    fn default() -> Self {
        Self {
            make: true,
            migrate: true,
            connections: 8,
            acquire_timeout: Duration::from_secs(5),
            statement_timeout: Duration::from_secs(15),
            object_timeout: Duration::from_secs(15),
            attempts: 8,
            refresh_interval: Duration::from_millis(200),
            max_staleness: Duration::from_millis(900),
            blob_cache_bytes: 32 << 20,
            mmap_bytes: 1 << 30,
            discoverable: |_| Vec::new(),
        }
    }
}
