//! PostgreSQL engine: a bounded pool on the primary; it follows when another host becomes primary.

mod address;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use bytes::Bytes;
use sqlx::postgres::{PgArguments, PgConnectOptions, PgPool, PgPoolOptions, PgRow};
use sqlx::query::Query;
use sqlx::{
    Arguments, AssertSqlSafe, Column, Connection, PgConnection, Postgres, Row as _, TypeInfo, ValueRef,
};

use crate::engine::{Engine, ResultRow, Sql, SqlValue, Transaction};
use crate::{Result, StoreError, StoreOptions, random};

/// Time after which an idle connection is checked by a ping before it is used.
const PING_AFTER_IDLE: Duration = Duration::from_secs(1);

/// Longest wait for one host in the search for the primary.
const PROBE_TIMEOUT: Duration = Duration::from_secs(2);

/// Time after a failure to connect in which further calls fail at once instead of waiting.
const OPEN_CIRCUIT: Duration = Duration::from_millis(300);

/// A PostgreSQL database, on the one of its hosts that is the primary.
pub(crate) struct PostgresEngine {
    primary: Arc<Primary>,
    statement_timeout: Duration,
}

/// The pool, its hosts, and the circuit breaker.
struct Primary {
    pool: PgPool,
    hosts: Vec<PgConnectOptions>,
    is_following: AtomicBool,
    open_until: Mutex<Option<Instant>>,
}

impl PostgresEngine {
    /// Prepares a pool on the first host, or on the primary among several.
    pub(crate) async fn open(address: &str, settings: &StoreOptions) -> Result<Box<dyn Engine>> {
        let hosts = address::candidates(address, settings)?;
        let options = PgPoolOptions::new()
            .max_connections(settings.connections.max(2))
            .acquire_timeout(settings.acquire_timeout)
            .test_before_acquire(false)
            .before_acquire(|connection, state| {
                Box::pin(
                    async move { Ok(state.idle_for < PING_AFTER_IDLE || connection.ping().await.is_ok()) },
                )
            });
        let first = hosts.first().ok_or_else(|| StoreError::Invalid("no host is named".to_owned()))?.clone();
        let pool = options.connect_lazy_with(first);
        let primary =
            Primary { pool, hosts, is_following: AtomicBool::new(false), open_until: Mutex::new(None) };
        if primary.hosts.len() > 1 {
            primary.follow().await;
        }
        Ok(Box::new(Self { primary: Arc::new(primary), statement_timeout: settings.statement_timeout }))
    }

    /// Most attempts at a statement that changes nothing, when each connection of the pool may have failed
    /// with its server.
    fn max_attempts(&self) -> u32 {
        self.primary.pool.options().get_max_connections() + 1
    }
}

impl Primary {
    /// Awaits a connection of the pool; fails at once while the circuit is open.
    async fn acquire<T>(self: &Arc<Self>, wanted: impl Future<Output = sqlx::Result<T>>) -> sqlx::Result<T> {
        let open_until = *self.open_until.lock().unwrap_or_else(PoisonError::into_inner);
        if open_until.is_some_and(|until| Instant::now() < until) {
            return Err(sqlx::Error::PoolTimedOut);
        }
        let result = wanted.await;
        match result {
            Ok(_) => *self.open_until.lock().unwrap_or_else(PoisonError::into_inner) = None,
            Err(sqlx::Error::PoolTimedOut) => self.trip(),
            Err(_) => {}
        }
        result
    }

    /// Opens the circuit after a failure to connect: no caller tries again for about [`OPEN_CIRCUIT`], with
    /// jitter.
    fn trip(&self) {
        let until = Instant::now() + OPEN_CIRCUIT.mul_f64(0.5 + random::fraction());
        *self.open_until.lock().unwrap_or_else(PoisonError::into_inner) = Some(until);
    }

    /// Converts an error, and searches for another primary if the error may mean that.
    fn failed(self: &Arc<Self>, error: sqlx::Error) -> StoreError {
        if is_lost(&error) && self.hosts.len() > 1 && !self.is_following.swap(true, Ordering::AcqRel) {
            let primary = Arc::clone(self);
            tokio::spawn(async move {
                primary.follow().await;
                tokio::time::sleep(OPEN_CIRCUIT.mul_f64(0.5 + random::fraction())).await;
                primary.is_following.store(false, Ordering::Release);
            });
        }
        explain(&error)
    }

    /// Connects the pool to the primary, if one of the hosts is it.
    async fn follow(&self) {
        for host in &self.hosts {
            let answer = tokio::time::timeout(PROBE_TIMEOUT, is_primary(host)).await;
            if !matches!(answer, Ok(Ok(true))) {
                continue;
            }
            let current = self.pool.connect_options();
            let (name, port) = (host.get_host(), host.get_port());
            if (current.get_host(), current.get_port()) != (name, port) {
                tracing::info!(host = name, port, "another host is the primary");
                self.pool.set_connect_options(host.clone());
            }
            return;
        }
        tracing::warn!("none of the hosts is a primary that answers");
    }
}

async fn is_primary(host: &PgConnectOptions) -> sqlx::Result<bool> {
    let mut connection = PgConnection::connect_with(host).await?;
    let standby: bool = sqlx::query_scalar("SELECT pg_is_in_recovery()").fetch_one(&mut connection).await?;
    connection.close().await?;
    Ok(!standby)
}

/// True if the server of the connection went away, or is no longer the primary.
fn is_lost(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Database(cause) => {
            matches!(cause.code().as_deref(), Some("25006" | "57P01" | "57P02" | "57P03"))
        }
        sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut | sqlx::Error::Protocol(_) => true,
        _ => false,
    }
}

#[async_trait]
impl Engine for PostgresEngine {
    async fn read(&self, sql: Sql) -> Result<Vec<ResultRow>> {
        let mut attempts_left = self.max_attempts();
        loop {
            let connection = self.primary.acquire(async {
                let connection = self.primary.pool.acquire().await;
                connection.inspect_err(|_| self.primary.trip())
            });
            let mut connection = connection.await.map_err(|e| self.primary.failed(e))?;
            let query = async {
                let statement = statement(&sql).map_err(|e| sqlx::Error::Encode(e.to_string().into()))?;
                statement.fetch_all(&mut *connection).await
            };
            match tokio::time::timeout(self.statement_timeout, query).await {
                Ok(Ok(rows)) => return named(&rows),
                Ok(Err(error)) => {
                    let lost = is_lost(&error);
                    let error = self.primary.failed(error);
                    if !lost {
                        return Err(error);
                    }
                    connection.close_on_drop();
                    attempts_left -= 1;
                    if attempts_left == 0 {
                        return Err(error);
                    }
                }
                Err(_) => {
                    // The server does not answer on it.
                    connection.close_on_drop();
                    return Err(StoreError::unavailable("run a query", "PostgreSQL took too long"));
                }
            }
        }
    }

    async fn piece(&self, key: i64) -> Result<Option<Bytes>> {
        let rows = self.read(Sql::new("SELECT bytes FROM pieces WHERE id = $1").bind(key)).await?;
        rows.first().map(|row| row.bytes("bytes").cloned()).transpose()
    }

    async fn begin(&self) -> Result<Box<dyn Transaction>> {
        let mut attempts_left = self.max_attempts();
        loop {
            let primary = Arc::clone(&self.primary);
            match primary.acquire(primary.pool.begin()).await {
                Ok(open) => return Ok(Box::new(PostgresTransaction { open, primary })),
                Err(error) => {
                    attempts_left -= 1;
                    let is_lost = matches!(error, sqlx::Error::Io(_) | sqlx::Error::Protocol(_));
                    let error = primary.failed(error);
                    if !is_lost {
                        return Err(error);
                    }
                    if attempts_left == 0 {
                        primary.trip();
                        return Err(error);
                    }
                }
            }
        }
    }

    async fn has_table(&self, name: &str) -> Result<bool> {
        let sql = "SELECT table_name FROM information_schema.tables \
             WHERE table_schema = CURRENT_SCHEMA() AND table_name = $1";
        Ok(!self.read(Sql::new(sql).bind(name)).await?.is_empty())
    }

    /// Always false: a database may have schemas and tables of several programs, and the address names the
    /// schema.
    async fn is_foreign(&self) -> Result<bool> {
        Ok(false)
    }

    fn migrations(&self) -> &'static [&'static str] {
        &[include_str!("schema/6.sql"), include_str!("schema/7.sql")]
    }
}

struct PostgresTransaction {
    open: sqlx::Transaction<'static, Postgres>,
    primary: Arc<Primary>,
}

#[async_trait]
impl Transaction for PostgresTransaction {
    async fn read(&mut self, sql: Sql) -> Result<Vec<ResultRow>> {
        let rows = statement(&sql)?.fetch_all(&mut *self.open).await.map_err(|e| self.primary.failed(e))?;
        named(&rows)
    }

    async fn insert(
        &mut self,
        table: &'static str,
        columns: &str,
        rows: Vec<Vec<SqlValue>>,
        end: &'static str,
    ) -> Result<Vec<ResultRow>> {
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let (arguments, arrays) = arrays(rows)?;
        let text = format!("INSERT INTO {table} ({columns}) SELECT * FROM UNNEST({arrays}) {end}");
        let query = sqlx::query_with(AssertSqlSafe(text.as_str()), arguments);
        let rows = query.fetch_all(&mut *self.open).await.map_err(|e| self.primary.failed(e))?;
        named(&rows)
    }

    async fn run(&mut self, sql: Sql) -> Result<u64> {
        let done = statement(&sql)?.execute(&mut *self.open).await.map_err(|e| self.primary.failed(e))?;
        Ok(done.rows_affected())
    }

    fn locking(&self) -> &'static str {
        " FOR NO KEY UPDATE"
    }

    async fn script(&mut self, text: &'static str) -> Result<()> {
        // An index over a large table may take longer than the setting allows.
        let unlimited = sqlx::raw_sql("SET LOCAL statement_timeout = 0").execute(&mut *self.open).await;
        unlimited.map_err(|e| self.primary.failed(e))?;
        sqlx::raw_sql(text).execute(&mut *self.open).await.map_err(|e| self.primary.failed(e))?;
        Ok(())
    }

    async fn commit(self: Box<Self>) -> Result<()> {
        self.open.commit().await.map_err(|e| self.primary.failed(e))
    }
}

fn statement(sql: &Sql) -> Result<Query<'_, Postgres, PgArguments>> {
    let mut arguments = PgArguments::default();
    for value in &sql.args {
        let added = match value {
            SqlValue::Int(number) => arguments.add(*number),
            SqlValue::Text(text) => arguments.add(text.as_deref()),
            SqlValue::Bytes(bytes) => arguments.add(bytes.as_deref()),
        };
        added.map_err(|e| StoreError::Invalid(format!("a value cannot be sent to PostgreSQL: {e}")))?;
    }
    Ok(sqlx::query_with(AssertSqlSafe(sql.text.as_str()), arguments).persistent(sql.is_reused()))
}

/// Values column by column, with the types that the statement states for them.
fn arrays(rows: Vec<Vec<SqlValue>>) -> Result<(PgArguments, String)> {
    let width = rows.first().map_or(0, Vec::len);
    let mut columns: Vec<Vec<SqlValue>> = (0..width).map(|_| Vec::with_capacity(rows.len())).collect();
    for row in rows {
        for (column, value) in columns.iter_mut().zip(row) {
            column.push(value);
        }
    }
    let (mut arguments, mut types) = (PgArguments::default(), Vec::new());
    for (index, column) in columns.into_iter().enumerate() {
        macro_rules! array {
            ($kind:ident) => {{
                let values = column.into_iter().map(|value| match value {
                    SqlValue::$kind(value) => value.map(Into::into),
                    _ => None,
                });
                values.collect::<Vec<_>>()
            }};
        }
        let first = column.iter().find(|value| !value.is_missing());
        let (added, kind) = match first {
            Some(SqlValue::Int(_)) => (arguments.add::<Vec<Option<i64>>>(array!(Int)), "bigint"),
            Some(SqlValue::Bytes(_)) => (arguments.add::<Vec<Option<Vec<u8>>>>(array!(Bytes)), "bytea"),
            _ => (arguments.add::<Vec<Option<String>>>(array!(Text)), "text"),
        };
        added.map_err(|e| StoreError::Invalid(format!("a value cannot be sent to PostgreSQL: {e}")))?;
        types.push(format!("${}::{kind}[]", index + 1));
    }
    Ok((arguments, types.join(", ")))
}

fn named(rows: &[PgRow]) -> Result<Vec<ResultRow>> {
    let columns = rows.first().map_or(&[][..], |row| row.columns());
    let names: Arc<[Box<str>]> = columns.iter().map(|column| Box::from(column.name())).collect();
    let mut named = Vec::with_capacity(rows.len());
    for row in rows {
        let mut cells = Vec::with_capacity(names.len());
        for index in 0..names.len() {
            cells.push(cell(row, index)?);
        }
        named.push(ResultRow { names: Arc::clone(&names), cells });
    }
    Ok(named)
}

fn cell(row: &PgRow, index: usize) -> Result<SqlValue> {
    let raw = row.try_get_raw(index).map_err(StoreError::corrupt)?;
    if raw.is_null() {
        return Ok(SqlValue::Text(None));
    }
    let info = raw.type_info();
    let value = match info.name() {
        "INT8" => row.try_get::<i64, _>(index).map(SqlValue::from),
        "INT4" => row.try_get::<i32, _>(index).map(|n| SqlValue::from(i64::from(n))),
        "BYTEA" => row.try_get::<Vec<u8>, _>(index).map(|b| SqlValue::from(Bytes::from(b))),
        _ => row.try_get::<String, _>(index).map(SqlValue::from),
    };
    value.map_err(StoreError::corrupt)
}

/// By SQLSTATE (PostgreSQL documentation, appendix A).
fn explain(error: &sqlx::Error) -> StoreError {
    match error {
        sqlx::Error::Database(cause) => match cause.code().as_deref() {
            // Serialisation, deadlock, lock; and two who insert the same row or make the same table or its
            // type, of whom one then finds it.
            Some("40001" | "40P01" | "55P03" | "23505" | "42P07" | "42710") => {
                StoreError::Contended(cause.to_string())
            }
            Some("XX001" | "XX002") => StoreError::corrupt(cause),
            // A value that no column can hold, such as text with U+0000.
            Some(code) if code.starts_with("22") => {
                StoreError::Invalid(format!("PostgreSQL refuses a value: {cause}"))
            }
            _ => StoreError::unavailable("run a statement on PostgreSQL", cause),
        },
        error => StoreError::unavailable("reach PostgreSQL", error),
    }
}
