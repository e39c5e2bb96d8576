//! Engine trait with its statements, rows and values: the private interface to a database.
//!
//! An engine runs portable SQL with `$1`, `$2`… as parameters, and knows three types: 64-bit integers, text
//! and bytes. All of the catalogue is written once, above this line.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use norma_model::Digest;

use crate::{Result, StoreError};

/// A database with the store's tables.
#[async_trait]
pub(crate) trait Engine: Send + Sync {
    /// Runs a query on a snapshot of its own. The query of a scan ends soon after nobody waits for it any
    /// more.
    async fn read(&self, sql: Sql) -> Result<Vec<ResultRow>>;

    /// Runs a query that finds a few rows by their keys, in the engine's quickest way. SQLite runs it on the
    /// thread of its caller: the calls by which another thread is woken and waited for were a tenth of
    /// reading one provision (`perf record`).
    async fn lookup(&self, sql: Sql) -> Result<Vec<ResultRow>> {
        self.read(sql).await
    }

    /// As [`read`](Self::read), but before other waiting clients.
    async fn read_at_once(&self, sql: Sql) -> Result<Vec<ResultRow>> {
        self.read(sql).await
    }

    /// Reads the piece of a blob under this key, in the engine's quickest way, since this is frequent.
    async fn piece(&self, key: i64) -> Result<Option<Bytes>>;

    /// Starts a transaction that may write, which is rolled back unless committed.
    async fn begin(&self) -> Result<Box<dyn Transaction>>;

    /// Refuses a database that is no longer at its location. Only a file can be exchanged while it is open:
    /// its reader keeps the one that was opened.
    ///
    /// # Errors
    /// [`StoreError::Replaced`].
    fn expect_same_file(&self) -> Result<()> {
        Ok(())
    }

    /// The error for a database without a change that was there when it was opened; `None` where such a
    /// database goes on from an earlier moment, as a server does after a fail-over or a restore.
    fn other_history(&self) -> Option<StoreError> {
        None
    }

    /// True if nothing can be written.
    fn is_read_only(&self) -> bool {
        false
    }

    /// True if there is a table of this name.
    async fn has_table(&self, name: &str) -> Result<bool>;

    /// True if it is the database of another program, in which no schema of Norma may be made.
    async fn is_foreign(&self) -> Result<bool>;

    /// The scripts that make the schema, in their order: the first makes an empty database the first version.
    fn migrations(&self) -> &'static [&'static str];
}

/// A transaction that may write.
#[async_trait]
pub(crate) trait Transaction: Send {
    /// Runs a query within the transaction, which sees its own changes.
    async fn read(&mut self, sql: Sql) -> Result<Vec<ResultRow>>;

    /// Adds rows with these columns to a table, by one statement that is the same for any number of rows.
    /// Returns the result of the statement's end. A value that is missing is one of a column of text.
    async fn insert(
        &mut self,
        table: &'static str,
        columns: &str,
        rows: Vec<Vec<SqlValue>>,
        end: &'static str,
    ) -> Result<Vec<ResultRow>>;

    /// Runs a statement and returns the number of rows that it changed.
    async fn run(&mut self, sql: Sql) -> Result<u64>;

    /// The end of a SELECT by which the found rows stay unchanged until the end of the transaction.
    fn locking(&self) -> &'static str;

    /// Runs a script of several statements without parameters.
    async fn script(&mut self, text: &'static str) -> Result<()>;

    /// Makes all changes durable; without it, none of them is made.
    async fn commit(self: Box<Self>) -> Result<()>;
}

/// A statement and its arguments.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sql {
    pub(crate) text: String,
    pub(crate) args: Vec<SqlValue>,
}

/// An argument or a cell. It has a type also where the value is missing, because engines need it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum SqlValue {
    Int(Option<i64>),
    Text(Option<String>),
    Bytes(Option<Bytes>),
}

/// A row of a result, with values by column name.
#[derive(Debug)]
pub(crate) struct ResultRow {
    pub(crate) names: Arc<[Box<str>]>,
    pub(crate) cells: Vec<SqlValue>,
}

/// Most arguments of a statement that is prepared once for each connection.
const MAX_REUSED_ARGS: usize = 24;

impl Sql {
    /// True if a connection prepares it once and uses it again. One with more arguments has a list of values,
    /// whose length is seldom the same again: those that SQLite kept took 18 MB in an ingest of 100,000
    /// documents (heaptrack).
    pub(crate) fn is_reused(&self) -> bool {
        self.args.len() <= MAX_REUSED_ARGS
    }

    pub(crate) fn new(text: &str) -> Self {
        Self { text: text.to_owned(), ..Self::default() }
    }

    /// Binds a value to the next `$n`, for statements with their parameters written out.
    pub(crate) fn bind(mut self, value: impl Into<SqlValue>) -> Self {
        self.args.push(value.into());
        self
    }

    /// The statement with more text at its end.
    pub(crate) fn and(mut self, text: &str) -> Self {
        self.push(text);
        self
    }

    /// Appends text to the statement, which must have no value of a caller.
    pub(crate) fn push(&mut self, text: &str) -> &mut Self {
        self.text.push_str(text);
        self
    }

    /// Appends a parameter with its value, for statements that are composed.
    pub(crate) fn arg(&mut self, value: impl Into<SqlValue>) -> &mut Self {
        self.args.push(value.into());
        let index = self.args.len();
        self.text.push_str(&format!("${index}"));
        self
    }

    /// Appends `($1, $2, …)`.
    pub(crate) fn tuple(&mut self, values: impl IntoIterator<Item = SqlValue>) -> &mut Self {
        self.push("(");
        for (index, value) in values.into_iter().enumerate() {
            if index > 0 {
                self.push(", ");
            }
            self.arg(value);
        }
        self.push(")")
    }
}

impl ResultRow {
    /// The value of this column.
    pub(crate) fn value(&self, name: &str) -> Result<&SqlValue> {
        let index = self.names.iter().position(|column| **column == *name);
        let value = index.and_then(|index| self.cells.get(index));
        value.ok_or_else(|| StoreError::corrupt(format!("a row has no column {name}")))
    }

    pub(crate) fn int(&self, name: &str) -> Result<i64> {
        match self.value(name)? {
            SqlValue::Int(Some(value)) => Ok(*value),
            _ => Err(unlike(name, "an integer")),
        }
    }

    pub(crate) fn maybe_int(&self, name: &str) -> Result<Option<i64>> {
        if self.value(name)?.is_missing() { Ok(None) } else { self.int(name).map(Some) }
    }

    pub(crate) fn text(&self, name: &str) -> Result<&str> {
        self.maybe_text(name)?.ok_or_else(|| unlike(name, "text"))
    }

    pub(crate) fn maybe_text(&self, name: &str) -> Result<Option<&str>> {
        match self.value(name)? {
            SqlValue::Text(Some(value)) => Ok(Some(value)),
            value if value.is_missing() => Ok(None),
            _ => Err(unlike(name, "text")),
        }
    }

    pub(crate) fn bytes(&self, name: &str) -> Result<&Bytes> {
        match self.value(name)? {
            SqlValue::Bytes(Some(value)) => Ok(value),
            _ => Err(unlike(name, "bytes")),
        }
    }

    pub(crate) fn digest(&self, name: &str) -> Result<Digest> {
        let bytes: [u8; 32] = self.bytes(name)?.as_ref().try_into().map_err(|_| unlike(name, "a digest"))?;
        Ok(Digest::from_bytes(bytes))
    }
}

fn unlike(name: &str, expected: &str) -> StoreError {
    StoreError::corrupt(format!("column {name} of a row is not {expected}"))
}

impl SqlValue {
    pub(crate) fn is_missing(&self) -> bool {
        matches!(self, Self::Int(None) | Self::Text(None) | Self::Bytes(None))
    }
}

impl From<i64> for SqlValue {
    fn from(value: i64) -> Self {
        Self::Int(Some(value))
    }
}

impl From<usize> for SqlValue {
    fn from(value: usize) -> Self {
        Self::Int(Some(i64::try_from(value).unwrap_or(i64::MAX)))
    }
}

impl From<u64> for SqlValue {
    fn from(value: u64) -> Self {
        Self::Int(Some(i64::try_from(value).unwrap_or(i64::MAX)))
    }
}

impl From<bool> for SqlValue {
    fn from(value: bool) -> Self {
        Self::Int(Some(i64::from(value)))
    }
}

impl From<&str> for SqlValue {
    fn from(value: &str) -> Self {
        Self::Text(Some(value.to_owned()))
    }
}

impl From<String> for SqlValue {
    fn from(value: String) -> Self {
        Self::Text(Some(value))
    }
}

impl From<Option<String>> for SqlValue {
    fn from(value: Option<String>) -> Self {
        Self::Text(value)
    }
}

impl From<Option<&str>> for SqlValue {
    fn from(value: Option<&str>) -> Self {
        Self::Text(value.map(str::to_owned))
    }
}

impl From<&Digest> for SqlValue {
    fn from(value: &Digest) -> Self {
        Self::Bytes(Some(Bytes::copy_from_slice(value.as_bytes())))
    }
}

impl From<Bytes> for SqlValue {
    fn from(value: Bytes) -> Self {
        Self::Bytes(Some(value))
    }
}

impl From<Vec<u8>> for SqlValue {
    fn from(bytes: Vec<u8>) -> Self {
        Bytes::from(bytes).into()
    }
}
