//! SQLite engine: one file in WAL mode, one writer and a pool of readers.
//!
//! Scans run on the blocking pool. A row that is found by its key and a piece of a blob are read on the
//! thread of their caller: with a memory map over the file that costs a few microseconds, less than the way
//! to another thread and back. Where the disk is slow, they go to the blocking pool too.

pub(crate) mod file;
mod pace;
mod readers;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use bytes::Bytes;
use rusqlite::ffi::SQLITE_ERROR;
use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, MAIN_DB, OpenFlags, Statement};
use tokio::sync::{Mutex, OwnedMutexGuard};

use self::file::OpenedFile;
use self::pace::Pace;
use self::readers::{ReadConnection, Readers, StatementCaller};
use crate::engine::{Engine, ResultRow, Sql, SqlValue, Transaction};
use crate::{Result, StoreError, StoreOptions};

/// The pause before a file that another program has locked is opened again.
const BETWEEN_ATTEMPTS_TO_OPEN: Duration = Duration::from_millis(5);

/// A SQLite file with one writer and several readers.
pub(crate) struct Sqlite {
    file: OpenedFile,
    readers: Arc<Readers>,
    /// The writer; `None` if the file cannot be written. Closed last: only a connection that writes takes the
    /// log back into the file.
    writer: Option<Arc<Mutex<Connection>>>,
    timeout: Duration,
    pace: Arc<Pace>,
}

impl Sqlite {
    /// Opens the file, making it if it is missing; one that cannot be written is only read.
    pub(crate) async fn open(path: &Path, settings: &StoreOptions) -> Result<Self> {
        let deadline = Instant::now() + settings.acquire_timeout;
        loop {
            // Of two programs that switch one new file to the write-ahead log at the same time, SQLite
            // refuses one at once: it does not wait (`busy_timeout`) where both hold a read lock and want to
            // write (https://www.sqlite.org/c3ref/busy_handler.html). In other cases an attempt waits.
            match Self::try_to_open(path, settings).await {
                Err(StoreError::Contended(_)) if Instant::now() < deadline => {
                    tokio::time::sleep(BETWEEN_ATTEMPTS_TO_OPEN).await;
                }
                Err(StoreError::Contended(cause)) => {
                    return Err(StoreError::unavailable(&format!("open {}", path.display()), cause));
                }
                opened => return opened,
            }
        }
    }

    /// Tries it once.
    ///
    /// # Errors
    /// [`StoreError::Contended`] where another program has the file locked.
    async fn try_to_open(path: &Path, settings: &StoreOptions) -> Result<Self> {
        let (path, settings) = (path.to_owned(), settings.clone());
        blocking(move || {
            file::make(&path)?;
            let file = OpenedFile::new(&path)?;
            let writer = match connect(&path, &settings, OpenFlags::default()) {
                Ok(writer) if writer.is_readonly(MAIN_DB).map_err(failed)? => None,
                Ok(writer) => Some(writer),
                Err(locked @ StoreError::Contended(_)) => return Err(locked),
                Err(_) if file::is_read_only(&path) => None,
                Err(error) => return Err(error),
            };
            let all = 0..settings.connections.max(1);
            let readers = if writer.is_some() {
                let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
                all.map(|_| connect(&path, &settings, flags)).collect::<Result<_>>()?
            } else {
                let file = file::open_read_only(&path)?;
                all.map(|_| file.connect(&settings)).collect::<Result<_>>()?
            };
            // It is the file that the connections have opened.
            file.expect_same_file()?;
            Ok(Self {
                file,
                writer: writer.map(|writer| Arc::new(Mutex::new(writer))),
                readers: Arc::new(Readers::new(readers)),
                timeout: settings.acquire_timeout,
                pace: Arc::new(Pace::new()),
            })
        })
        .await
    }

    /// Finds a row by its key, on this thread if that is quick.
    async fn find<T: Send + 'static>(
        &self,
        lookup: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let reader = self.reader().await?;
        let pace = Arc::clone(&self.pace);
        if self.pace.is_slow() {
            blocking(move || pace.watch(|| lookup(&reader))).await
        } else {
            pace.watch(|| lookup(&reader))
        }
    }

    async fn reader(&self) -> Result<ReadConnection> {
        match tokio::time::timeout(self.timeout, Arc::clone(&self.readers).take()).await {
            Ok(reader) => reader,
            Err(_) => {
                let problem = format!("no connection was free within {:?}", self.timeout);
                Err(StoreError::unavailable("read", problem))
            }
        }
    }
}

#[async_trait]
impl Engine for Sqlite {
    async fn read(&self, sql: Sql) -> Result<Vec<ResultRow>> {
        let reader = self.reader().await?;
        let (caller, interrupted) = StatementCaller::new();
        let rows = blocking(move || reader.interruptible(interrupted, |reader| query(reader, &sql))).await;
        drop(caller);
        rows
    }

    async fn lookup(&self, sql: Sql) -> Result<Vec<ResultRow>> {
        self.find(move |reader| query(reader, &sql)).await
    }

    async fn piece(&self, key: i64) -> Result<Option<Bytes>> {
        self.find(move |reader| piece(reader, key)).await
    }

    async fn begin(&self) -> Result<Box<dyn Transaction>> {
        let writer = self.writer.clone().ok_or(StoreError::ReadOnly)?;
        let Ok(writer) = tokio::time::timeout(self.timeout, writer.lock_owned()).await else {
            return Err(StoreError::Contended(format!("the writer was not free within {:?}", self.timeout)));
        };
        let writer = WriteGuard(writer);
        let writer = blocking(move || {
            // IMMEDIATE: the write lock is taken at once, so that no later statement finds it gone.
            writer.0.execute_batch("BEGIN IMMEDIATE").map_err(failed)?;
            Ok(writer)
        })
        .await?;
        Ok(Box::new(SqliteTransaction(Some(writer))))
    }

    fn expect_same_file(&self) -> Result<()> {
        self.file.expect_same_file()
    }

    fn other_history(&self) -> Option<StoreError> {
        Some(self.file.replaced("the file has another history, it was overwritten".to_owned()))
    }

    fn is_read_only(&self) -> bool {
        self.writer.is_none()
    }

    async fn has_table(&self, name: &str) -> Result<bool> {
        let sql = Sql::new("SELECT name FROM sqlite_schema WHERE type = 'table' AND name = $1");
        Ok(!self.read(sql.bind(name)).await?.is_empty())
    }

    /// True if a file has tables, but not the one with the versions.
    async fn is_foreign(&self) -> Result<bool> {
        let sql = Sql::new(
            "SELECT name FROM sqlite_schema \
             WHERE NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'norma_schema') LIMIT 1",
        );
        Ok(!self.read(sql).await?.is_empty())
    }

    fn migrations(&self) -> &'static [&'static str] {
        &[include_str!("schema/6.sql"), include_str!("schema/7.sql")]
    }
}

/// The bytes of a row of `pieces`. A statement would copy them into a value of its own before they are copied
/// out of it.
fn piece(reader: &Connection, key: i64) -> Result<Option<Bytes>> {
    let blob = match reader.blob_open(MAIN_DB, "pieces", "bytes", key, true) {
        Ok(blob) => blob,
        // SQLite has this one code for a missing row and for a missing table. A connection that was opened
        // before the tables were made does not see them here, until a statement reads the schema again. So
        // a statement says which it is.
        Err(rusqlite::Error::SqliteFailure(error, _)) if error.extended_code == SQLITE_ERROR => {
            let sql = Sql::new("SELECT bytes FROM pieces WHERE id = $1").bind(key);
            let rows = query(reader, &sql)?;
            return rows.first().map(|row| row.bytes("bytes").cloned()).transpose();
        }
        Err(error) => return Err(failed(error)),
    };
    let mut bytes = vec![0; blob.len()];
    blob.read_at_exact(&mut bytes, 0).map_err(failed)?;
    Ok(Some(bytes.into()))
}

/// The writer while a transaction is open; dropping it rolls back what was not committed.
struct WriteGuard(OwnedMutexGuard<Connection>);

impl Drop for WriteGuard {
    fn drop(&mut self) {
        if !self.0.is_autocommit()
            && let Err(error) = self.0.execute_batch("ROLLBACK")
        {
            tracing::error!(%error, "a transaction could not be undone");
        }
    }
}

struct SqliteTransaction(Option<WriteGuard>);

impl SqliteTransaction {
    /// Does one step on the blocking pool. When the caller goes away, the step ends and all is undone.
    async fn step<T: Send + 'static>(
        &mut self,
        work: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let writer =
            self.0.take().ok_or_else(|| StoreError::corrupt("a transaction was used after its end"))?;
        let (writer, done) = blocking(move || {
            let done = work(&writer.0);
            Ok((writer, done))
        })
        .await?;
        self.0 = Some(writer);
        done
    }
}

#[async_trait]
impl Transaction for SqliteTransaction {
    async fn read(&mut self, sql: Sql) -> Result<Vec<ResultRow>> {
        self.step(move |connection| query(connection, &sql)).await
    }

    async fn insert(
        &mut self,
        table: &'static str,
        columns: &str,
        rows: Vec<Vec<SqlValue>>,
        end: &'static str,
    ) -> Result<Vec<ResultRow>> {
        let values: Vec<String> = (1..=columns.split(", ").count()).map(|n| format!("?{n}")).collect();
        let text = format!("INSERT INTO {table} ({columns}) VALUES ({}) {end}", values.join(", "));
        self.step(move |connection| {
            let mut statement = connection.prepare_cached(&text).map_err(failed)?;
            let mut given = Vec::new();
            for row in &rows {
                given.append(&mut fetch(&mut statement, row)?);
            }
            Ok(given)
        })
        .await
    }

    async fn run(&mut self, sql: Sql) -> Result<u64> {
        self.step(move |connection| {
            let args = rusqlite::params_from_iter(&sql.args);
            let changed =
                with_statement(connection, &sql, |statement| statement.execute(args).map_err(failed))?;
            Ok(changed as u64)
        })
        .await
    }

    /// There is one writer at a time.
    fn locking(&self) -> &'static str {
        ""
    }

    async fn script(&mut self, text: &'static str) -> Result<()> {
        self.step(move |connection| connection.execute_batch(text).map_err(failed)).await
    }

    async fn commit(mut self: Box<Self>) -> Result<()> {
        self.step(|connection| connection.execute_batch("COMMIT").map_err(failed)).await
    }
}

fn connect(path: &Path, settings: &StoreOptions, flags: OpenFlags) -> Result<Connection> {
    let tried = || format!("open {}", path.display());
    let connection =
        Connection::open_with_flags(path, flags).map_err(|e| StoreError::unavailable(&tried(), e))?;
    connection.busy_timeout(settings.acquire_timeout).map_err(failed)?;
    connection.set_prepared_statement_cache_capacity(128);
    let mmap = settings.mmap_bytes;
    // FULL: what was reported as done outlives a power cut too. Small pages: an edition puts a row at about a
    // hundred places of the indices of digests and ids, which lie in no order, and each costs a page of the
    // log and one of the file. The page size counts for a new file only.
    let pragmas = if flags.contains(OpenFlags::SQLITE_OPEN_READ_ONLY) {
        format!("PRAGMA mmap_size = {mmap}; PRAGMA cache_size = -500; PRAGMA query_only = 1")
    } else {
        format!(
            "PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; \
             PRAGMA wal_autocheckpoint = 4000; PRAGMA journal_size_limit = 67108864; \
             PRAGMA mmap_size = {mmap}; PRAGMA temp_store = MEMORY"
        )
    };
    match connection.execute_batch(&pragmas) {
        Ok(()) => Ok(connection),
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => Err(failed(error)),
        Err(error) => Err(StoreError::unavailable(&tried(), error)),
    }
}

fn query(connection: &Connection, sql: &Sql) -> Result<Vec<ResultRow>> {
    with_statement(connection, sql, |statement| fetch(statement, &sql.args))
}

fn with_statement<T>(
    connection: &Connection,
    sql: &Sql,
    work: impl FnOnce(&mut Statement<'_>) -> Result<T>,
) -> Result<T> {
    let text = numbered(&sql.text);
    if sql.is_reused() {
        work(&mut *connection.prepare_cached(&text).map_err(failed)?)
    } else {
        work(&mut connection.prepare(&text).map_err(failed)?)
    }
}

fn fetch(statement: &mut Statement<'_>, args: &[SqlValue]) -> Result<Vec<ResultRow>> {
    let names: Arc<[Box<str>]> = statement.column_names().into_iter().map(Box::from).collect();
    let mut rows = statement.query(rusqlite::params_from_iter(args)).map_err(failed)?;
    let mut all = Vec::new();
    while let Some(row) = rows.next().map_err(failed)? {
        let mut cells = Vec::with_capacity(names.len());
        for index in 0..names.len() {
            cells.push(cell(row.get_ref(index).map_err(failed)?)?);
        }
        all.push(ResultRow { names: Arc::clone(&names), cells });
    }
    Ok(all)
}

/// Rewrites `$n` as `?n`: SQLite numbers `$n` by first appearance and `?n` by `n`.
fn numbered(text: &str) -> String {
    text.replace('$', "?")
}

fn cell(value: ValueRef<'_>) -> Result<SqlValue> {
    Ok(match value {
        ValueRef::Null => SqlValue::Text(None),
        ValueRef::Integer(number) => SqlValue::Int(Some(number)),
        ValueRef::Text(text) => {
            SqlValue::Text(Some(std::str::from_utf8(text).map_err(StoreError::corrupt)?.to_owned()))
        }
        ValueRef::Blob(bytes) => SqlValue::Bytes(Some(Bytes::copy_from_slice(bytes))),
        ValueRef::Real(_) => return Err(StoreError::corrupt("a number with a fraction where none can be")),
    })
}

impl ToSql for SqlValue {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Int(Some(number)) => ValueRef::Integer(*number),
            Self::Text(Some(text)) => ValueRef::Text(text.as_bytes()),
            Self::Bytes(Some(bytes)) => ValueRef::Blob(bytes),
            Self::Int(None) | Self::Text(None) | Self::Bytes(None) => ValueRef::Null,
        }))
    }
}

fn failed(error: rusqlite::Error) -> StoreError {
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Contended(error.to_string()),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::ConstraintViolation) => {
            StoreError::corrupt(error)
        }
        _ => StoreError::unavailable("run a statement", error),
    }
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => Err(StoreError::unavailable("wait for a statement", error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A store with one reader, and a connection of another program that makes the tables afterwards and puts
    /// piece 7.
    async fn opened_before_its_tables(folder: &Path) -> (Sqlite, Connection) {
        let path = folder.join("norma.db");
        let options = StoreOptions { connections: 1, ..StoreOptions::default() };
        let sqlite = Sqlite::open(&path, &options).await.unwrap();
        let other = connect(&path, &options, OpenFlags::default()).unwrap();
        sqlite.migrations().iter().for_each(|script| other.execute_batch(script).unwrap());
        other.execute("INSERT INTO pieces (id, bytes) VALUES (7, x'0102')", []).unwrap();
        (sqlite, other)
    }

    #[tokio::test]
    async fn a_reader_opened_before_the_tables_were_made_finds_a_piece_at_its_first_call() {
        let folder = tempfile::tempdir().unwrap();
        let (sqlite, _other) = opened_before_its_tables(folder.path()).await;
        assert_eq!(sqlite.piece(7).await.unwrap(), Some(Bytes::from_static(&[1, 2])));
        assert_eq!(sqlite.piece(8).await.unwrap(), None);
    }

    #[tokio::test]
    async fn a_new_file_that_another_program_has_locked_is_opened_after_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("norma.db");
        let other = Connection::open(&path).unwrap();
        other.execute_batch("BEGIN IMMEDIATE; CREATE TABLE made_at_the_same_time (id)").unwrap();
        let refused = Sqlite::try_to_open(&path, &StoreOptions::default()).await;
        assert!(matches!(refused, Err(StoreError::Contended(_))), "{:?}", refused.err());
        let opened = tokio::spawn(async move { Sqlite::open(&path, &StoreOptions::default()).await });
        tokio::time::sleep(3 * BETWEEN_ATTEMPTS_TO_OPEN).await;
        other.execute_batch("COMMIT").unwrap();
        opened.await.unwrap().unwrap();
    }

    #[tokio::test]
    async fn a_piece_of_a_table_that_is_not_there_is_an_error_and_not_absent() {
        let folder = tempfile::tempdir().unwrap();
        let (sqlite, other) = opened_before_its_tables(folder.path()).await;
        other.execute_batch("DROP TABLE pieces").unwrap();
        for _ in 0..2 {
            let found = sqlite.piece(7).await;
            assert!(matches!(found, Err(StoreError::Unavailable { .. })), "{found:?}");
        }
    }

    #[tokio::test]
    async fn lookups_leave_the_thread_of_their_caller_once_one_was_slow() {
        let folder = tempfile::tempdir().unwrap();
        let sqlite = Sqlite::open(&folder.path().join("norma.db"), &StoreOptions::default()).await.unwrap();
        let thread = async || sqlite.find(|_| Ok(std::thread::current().id())).await.unwrap();
        let here = std::thread::current().id();
        assert_eq!(thread().await, here);
        // About a second of work in a debug build, and 50 ms in a release build.
        let long = Sql::new(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500000) SELECT MAX(i) FROM n",
        );
        sqlite.lookup(long).await.unwrap();
        assert_ne!(thread().await, here);
    }
}
