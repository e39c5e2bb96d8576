//! Pool of reading connections, and interruption of statements whose caller is gone.

use std::ffi::c_int;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::{Result, StoreError};

/// Instructions of SQLite's virtual machine between two checks whether the caller still waits: about 0.1 ms.
const INTERRUPT_CHECK_INTERVAL: c_int = 10_000;

/// Connections that read. The one given back last is taken first: each has a cache and a map of its own, so
/// that only as many of them take memory as ever read at the same time.
pub(super) struct Readers {
    free: Mutex<Vec<Connection>>,
    permits: Arc<Semaphore>,
}

/// A connection, which is free again when this is dropped.
pub(super) struct ReadConnection {
    connection: Option<Connection>,
    readers: Arc<Readers>,
    _permit: OwnedSemaphorePermit,
}

impl Readers {
    pub(super) fn new(connections: Vec<Connection>) -> Self {
        Self { permits: Arc::new(Semaphore::new(connections.len())), free: Mutex::new(connections) }
    }

    /// Waits for a free connection; waiting callers get one in the order in which they came.
    pub(super) async fn take(self: Arc<Self>) -> Result<ReadConnection> {
        let permit = Arc::clone(&self.permits).acquire_owned().await;
        let permit = permit.map_err(|e| StoreError::unavailable("wait for a connection", e))?;
        let connection = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Ok(ReadConnection { connection, readers: self, _permit: permit })
    }
}

impl Deref for ReadConnection {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.connection.as_ref().expect("there is a connection for each permit")
    }
}

impl Drop for ReadConnection {
    /// Gives the connection back; the permit follows it.
    fn drop(&mut self) {
        let connection = self.connection.take();
        self.readers.free.lock().unwrap_or_else(PoisonError::into_inner).extend(connection);
    }
}

impl ReadConnection {
    /// Runs statements until they end or `interrupted` is set.
    pub(super) fn interruptible<T>(
        &self,
        interrupted: Arc<AtomicBool>,
        work: impl FnOnce(&Connection) -> Result<T>,
    ) -> Result<T> {
        let failed = |e| StoreError::unavailable("watch a statement", e);
        self.progress_handler(INTERRUPT_CHECK_INTERVAL, Some(move || interrupted.load(Ordering::Relaxed)))
            .map_err(failed)?;
        let done = work(self);
        self.progress_handler(0, None::<fn() -> bool>).map_err(failed)?;
        done
    }
}

/// The caller that waits for a statement: when it goes before the end, the statement is interrupted.
pub(super) struct StatementCaller(Arc<AtomicBool>);

impl StatementCaller {
    pub(super) fn new() -> (Self, Arc<AtomicBool>) {
        let interrupted = Arc::new(AtomicBool::new(false));
        (Self(Arc::clone(&interrupted)), interrupted)
    }
}

impl Drop for StatementCaller {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crate::StoreOptions;
    use crate::engine::{Engine, Sql};
    use crate::sqlite::Sqlite;

    /// A statement that would run for days.
    const ENDLESS: &str = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000000) \
        SELECT MAX(i) FROM n";

    #[tokio::test(flavor = "multi_thread")]
    async fn a_statement_is_interrupted_when_its_caller_goes() {
        let folder = tempfile::tempdir().unwrap();
        let settings = StoreOptions {
            connections: 1,
            acquire_timeout: Duration::from_secs(300),
            ..StoreOptions::default()
        };
        let sqlite = Sqlite::open(&folder.path().join("norma.db"), &settings).await.unwrap();
        for _ in 0..3 {
            let given_up =
                tokio::time::timeout(Duration::from_millis(20), sqlite.read(Sql::new(ENDLESS))).await;
            assert!(given_up.is_err());
            // There is one connection: it is free again, and interrupts no other statement.
            assert_eq!(sqlite.read(Sql::new("SELECT 7 AS n")).await.unwrap()[0].int("n").unwrap(), 7);
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn waiting_too_long_for_a_connection_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let settings = StoreOptions {
            connections: 1,
            acquire_timeout: Duration::from_millis(20),
            ..StoreOptions::default()
        };
        let sqlite = Sqlite::open(&folder.path().join("norma.db"), &settings).await.unwrap();
        let endless = sqlite.read(Sql::new(ENDLESS));
        let waiting = sqlite.read(Sql::new("SELECT 7"));
        let refused = futures::future::select(Box::pin(endless), Box::pin(waiting)).await;
        let futures::future::Either::Right((refused, _)) = refused else { panic!("days went by") };
        assert!(refused.unwrap_err().to_string().contains("no connection was free within 20ms"));
        let first = sqlite.begin().await.unwrap();
        assert!(matches!(sqlite.begin().await, Err(crate::StoreError::Contended(_))));
        drop(first);
        assert!(sqlite.begin().await.is_ok());
    }
}
