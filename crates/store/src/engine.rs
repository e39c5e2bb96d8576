//! The private trait that each engine implements, and the few words of SQL that all of them share.
//!
//! An engine runs portable SQL with `$1`, `$2`… as parameters, and knows three types: 64-bit integers, text
//! and bytes. All of the catalogue is written once, above this line.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use norma_model::Digest;

use crate::pieces::Checksums;
use crate::scans::Permit;
use crate::{Error, Result};

/// A database with the store's tables.
#[async_trait]
pub(crate) trait Engine: Send + Sync {
    /// Runs a query on a snapshot of its own. The query of a scan ends soon after nobody waits for it any more.
    async fn read(&self, sql: Sql) -> Result<Vec<Row>>;

    /// Reads a blob: the hot path, in the engine's quickest way.
    async fn blob(&self, digest: &Digest) -> Result<Option<Stored>>;

    /// Starts a transaction that may write; it is undone unless committed.
    async fn begin(&self) -> Result<Box<dyn Transaction>>;

    /// Whether nothing can be written.
    fn is_read_only(&self) -> bool {
        false
    }

    /// The version of the stored schema; 0 when there is none.
    async fn schema_version(&self) -> Result<i64>;

    /// The script that makes the schema.
    fn schema(&self) -> &'static str;
}

/// A transaction that may write.
#[async_trait]
pub(crate) trait Transaction: Send {
    /// Runs a query.
    async fn read(&mut self, sql: Sql) -> Result<Vec<Row>>;

    /// Runs a statement and says how many rows it changed.
    async fn run(&mut self, sql: Sql) -> Result<u64>;

    /// What a SELECT ends with so that the rows it finds stay as they are until the end of the transaction.
    fn locking(&self) -> &'static str;

    /// Runs a script of several statements without parameters.
    async fn script(&mut self, text: &'static str) -> Result<()>;

    /// Makes it durable.
    async fn commit(self: Box<Self>) -> Result<()>;
}

/// A blob as the catalogue has it.
pub(crate) struct Stored {
    pub(crate) size: u64,
    pub(crate) checksums: Checksums,
    pub(crate) held: Held,
}

/// Where the bytes of a blob lie.
pub(crate) enum Held {
    /// In its row, not compared with their checksum yet.
    Here(Bytes),
    /// In the table of pieces.
    InPieces,
    /// In the object of this name.
    At(String),
}

impl Stored {
    /// Asks for the row of a blob.
    pub(crate) fn ask(digest: &Digest) -> Sql {
        Sql::new("SELECT size, checksums, place, bytes FROM blobs WHERE digest = $1").bind(digest)
    }

    /// Of the rows that come of it.
    pub(crate) fn of(rows: &[Row]) -> Result<Option<Self>> {
        let Some(row) = rows.first() else { return Ok(None) };
        let size = row.int(0)?.unsigned_abs();
        let held = match (row.maybe_text(2)?, row.maybe_bytes(3)?) {
            (Some(place), _) => Held::At(place.to_owned()),
            (None, Some(bytes)) => Held::Here(bytes.clone()),
            (None, None) => Held::InPieces,
        };
        Ok(Some(Self { size, checksums: Checksums::stored(row.bytes(1)?.clone(), size)?, held }))
    }
}

/// A statement and its arguments.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sql {
    pub(crate) text: String,
    pub(crate) args: Vec<Value>,
    /// Of a statement that scans the catalogue; held until it has ended.
    pub(crate) permit: Option<Arc<Permit>>,
}

/// An argument or a cell. The type stands also where the value lacks, because engines want to know it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Value {
    Int(Option<i64>),
    Text(Option<String>),
    Bytes(Option<Bytes>),
}

/// A row of a result, read by position.
#[derive(Debug)]
pub(crate) struct Row(pub(crate) Vec<Value>);

impl Sql {
    pub(crate) fn new(text: &str) -> Self {
        Self { text: text.to_owned(), ..Self::default() }
    }

    /// Gives the next `$n` its value: for statements that write their parameters out.
    pub(crate) fn bind(mut self, value: impl Into<Value>) -> Self {
        self.args.push(value.into());
        self
    }

    /// The same with more text at its end.
    pub(crate) fn and(mut self, text: &str) -> Self {
        self.push(text);
        self
    }

    /// Appends text.
    pub(crate) fn push(&mut self, text: &str) -> &mut Self {
        self.text.push_str(text);
        self
    }

    /// Appends a parameter with its value: for statements that are put together.
    pub(crate) fn arg(&mut self, value: impl Into<Value>) -> &mut Self {
        self.args.push(value.into());
        let place = self.args.len();
        self.text.push_str(&format!("${place}"));
        self
    }

    /// Appends `($1, $2, …)`.
    pub(crate) fn tuple(&mut self, values: impl IntoIterator<Item = Value>) -> &mut Self {
        self.push("(");
        for (place, value) in values.into_iter().enumerate() {
            if place > 0 {
                self.push(", ");
            }
            self.arg(value);
        }
        self.push(")")
    }
}

impl Row {
    pub(crate) fn int(&self, place: usize) -> Result<i64> {
        self.maybe_int(place)?.ok_or_else(|| self.unlike(place, "an integer"))
    }

    pub(crate) fn maybe_int(&self, place: usize) -> Result<Option<i64>> {
        match self.0.get(place) {
            Some(Value::Int(value)) => Ok(*value),
            Some(Value::Text(None) | Value::Bytes(None)) => Ok(None),
            _ => Err(self.unlike(place, "an integer")),
        }
    }

    pub(crate) fn text(&self, place: usize) -> Result<&str> {
        self.maybe_text(place)?.ok_or_else(|| self.unlike(place, "text"))
    }

    pub(crate) fn maybe_text(&self, place: usize) -> Result<Option<&str>> {
        match self.0.get(place) {
            Some(Value::Text(value)) => Ok(value.as_deref()),
            Some(Value::Int(None) | Value::Bytes(None)) => Ok(None),
            _ => Err(self.unlike(place, "text")),
        }
    }

    pub(crate) fn maybe_bytes(&self, place: usize) -> Result<Option<&Bytes>> {
        match self.0.get(place) {
            Some(Value::Bytes(value)) => Ok(value.as_ref()),
            Some(Value::Int(None) | Value::Text(None)) => Ok(None),
            _ => Err(self.unlike(place, "bytes")),
        }
    }

    pub(crate) fn bytes(&self, place: usize) -> Result<&Bytes> {
        self.maybe_bytes(place)?.ok_or_else(|| self.unlike(place, "bytes"))
    }

    pub(crate) fn digest(&self, place: usize) -> Result<Digest> {
        let bytes: [u8; 32] =
            self.bytes(place)?.as_ref().try_into().map_err(|_| self.unlike(place, "a digest"))?;
        Ok(Digest::from_bytes(bytes))
    }

    fn unlike(&self, place: usize, expected: &str) -> Error {
        Error::corrupt(format!("column {place} of a row is not {expected}"))
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Int(Some(value))
    }
}

impl From<usize> for Value {
    fn from(value: usize) -> Self {
        Self::Int(Some(i64::try_from(value).unwrap_or(i64::MAX)))
    }
}

impl From<u64> for Value {
    fn from(value: u64) -> Self {
        Self::Int(Some(i64::try_from(value).unwrap_or(i64::MAX)))
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Int(Some(i64::from(value)))
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Text(Some(value.to_owned()))
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Self::Text(Some(value))
    }
}

impl From<Option<String>> for Value {
    fn from(value: Option<String>) -> Self {
        Self::Text(value)
    }
}

impl From<Option<&str>> for Value {
    fn from(value: Option<&str>) -> Self {
        Self::Text(value.map(str::to_owned))
    }
}

impl From<&Digest> for Value {
    fn from(value: &Digest) -> Self {
        Self::Bytes(Some(Bytes::copy_from_slice(value.as_bytes())))
    }
}

impl From<Bytes> for Value {
    fn from(value: Bytes) -> Self {
        Self::Bytes(Some(value))
    }
}
