//! Fair engine: clients take turns at the connections of an engine.
//!
//! Where the database answers late, requests wait for connections; then a client that sends many waits for
//! itself. Two connections are left for looking at the state of the catalogue, without which nothing is
//! served, and for transactions.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;

use crate::engine::{Engine, ResultRow, Sql, Transaction};
use crate::turns::{Turn, TurnClient, Turns};
use crate::{Result, StoreError, StoreOptions};

/// Connections that take no turns.
const LEFT: u32 = 2;

tokio::task_local! {
    static CLIENT: TurnClient;
}

/// Runs a future for a client, who takes turns with others at the connections of stores.
pub async fn for_client<T>(client: TurnClient, work: impl Future<Output = T>) -> T {
    CLIENT.scope(client, work).await
}

/// The client of the running future; the one without a name if there is none.
pub fn current_client() -> TurnClient {
    static NOBODY: LazyLock<TurnClient> =
        LazyLock::new(|| TurnClient { tenant: Arc::default(), name: Arc::default() });
    CLIENT.try_with(TurnClient::clone).unwrap_or_else(|_| NOBODY.clone())
}

/// An engine, and the turns at its connections.
pub(crate) struct Fair {
    engine: Box<dyn Engine>,
    turns: Arc<Turns>,
    timeout: Duration,
}

impl Fair {
    pub(crate) fn new(engine: Box<dyn Engine>, settings: &StoreOptions) -> Self {
        let connections = settings.connections.saturating_sub(LEFT).max(1) as usize;
        Self { engine, turns: Turns::new(connections, connections), timeout: settings.acquire_timeout }
    }

    async fn turn(&self) -> Result<Turn> {
        let turn = tokio::time::timeout(self.timeout, self.turns.take(&current_client())).await;
        turn.map_err(|_| {
            StoreError::unavailable("read", format!("no connection was free within {:?}", self.timeout))
        })
    }
}

#[cfg(test)]
thread_local! {
    /// The statements that were read on this thread.
    pub(crate) static READS: std::cell::RefCell<Vec<String>> = const { std::cell::RefCell::new(Vec::new()) };
}

#[async_trait]
impl Engine for Fair {
    async fn read(&self, sql: Sql) -> Result<Vec<ResultRow>> {
        #[cfg(test)]
        READS.with_borrow_mut(|reads| reads.push(sql.text.clone()));
        let _turn = self.turn().await?;
        self.engine.read(sql).await
    }

    async fn lookup(&self, sql: Sql) -> Result<Vec<ResultRow>> {
        #[cfg(test)]
        READS.with_borrow_mut(|reads| reads.push(sql.text.clone()));
        let _turn = self.turn().await?;
        self.engine.lookup(sql).await
    }

    async fn read_at_once(&self, sql: Sql) -> Result<Vec<ResultRow>> {
        self.engine.read(sql).await
    }

    async fn piece(&self, key: i64) -> Result<Option<Bytes>> {
        let _turn = self.turn().await?;
        self.engine.piece(key).await
    }

    async fn begin(&self) -> Result<Box<dyn Transaction>> {
        self.engine.begin().await
    }

    fn expect_same_file(&self) -> Result<()> {
        self.engine.expect_same_file()
    }

    fn other_history(&self) -> Option<StoreError> {
        self.engine.other_history()
    }

    fn is_read_only(&self) -> bool {
        self.engine.is_read_only()
    }

    async fn has_table(&self, name: &str) -> Result<bool> {
        self.engine.has_table(name).await
    }

    async fn is_foreign(&self) -> Result<bool> {
        self.engine.is_foreign().await
    }

    fn migrations(&self) -> &'static [&'static str] {
        self.engine.migrations()
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;
    use crate::sqlite::Sqlite;

    /// A statement that would run for days.
    const ENDLESS: &str = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000000) \
        SELECT MAX(i) FROM n";

    #[tokio::test(flavor = "multi_thread")]
    async fn the_state_is_looked_at_while_others_have_all_turns() {
        let folder = tempfile::tempdir().unwrap();
        let acquire_timeout = Duration::from_millis(50);
        let settings = StoreOptions { connections: LEFT + 1, acquire_timeout, ..StoreOptions::default() };
        let sqlite = Sqlite::open(&folder.path().join("norma.db"), &settings).await.unwrap();
        let fair = Fair::new(Box::new(sqlite), &settings);
        let mut long = for_client(current_client(), fair.read(Sql::new(ENDLESS))).boxed();
        assert!((&mut long).now_or_never().is_none());
        let one = || Sql::new("SELECT 7 AS n");
        assert!(fair.lookup(one()).await.is_err(), "its turn does not come");
        assert_eq!(fair.read_at_once(one()).await.unwrap()[0].int("n").unwrap(), 7);
        drop(long);
        assert_eq!(fair.lookup(one()).await.unwrap()[0].int("n").unwrap(), 7);
    }
}
