//! Reading an edition row by row and writing it to another store, whatever its engine.

use std::time::SystemTime;

use norma_model::{Digest, Urn};

use crate::catalogue::feed::{self, Subject};
use crate::catalogue::publish;
use crate::engine::{Engine, Sql, Transaction, Value};
use crate::{Error, Result};

/// Every column of an edition but its id, which each store gives itself.
const EDITION: &str = "urn, stem, edition, edition_key, languages, original, stated, withdrawn, status, recalled, \
     reference, reference_key, sort_key, title, publisher, number, part, supplement_kind, supplement_number, \
     supplement_year, kind, published_on, ics, revision, deriver, origin, source, source_size, updated";

/// What hangs on an edition: tables and columns beside `edition`.
const PARTS: [(&str, &str); 8] = [
    ("edition_parts", "views, assets, provisions"),
    ("edition_ics", "code"),
    ("edition_languages", "language"),
    ("edition_words", "word"),
    ("aliases", "alias"),
    ("citations", "kind, reference_key, stem, dated"),
    ("provisions", "id, ordinal"),
    ("blob_refs", "digest"),
];

/// All rows of an edition.
#[derive(PartialEq, Eq)]
pub(crate) struct Rows {
    edition: Vec<Value>,
    parts: Vec<Vec<Vec<Value>>>,
}

/// The row of an edition alone: equal rows mean equal editions.
pub(crate) fn row_of(urn: &Urn) -> Sql {
    Sql::new(&format!("SELECT {EDITION} FROM editions WHERE urn = $1")).bind(urn.as_str())
}

/// Digests of all blobs that an edition refers to; none when it is not there.
pub(crate) async fn digests_of(engine: &dyn Engine, urn: &Urn) -> Result<Vec<Digest>> {
    let sql = "SELECT r.digest FROM blob_refs r JOIN editions e ON e.id = r.edition WHERE e.urn = $1";
    engine.read(Sql::new(sql).bind(urn.as_str())).await?.iter().map(|row| row.digest(0)).collect()
}

/// Reads all rows of an edition; `None` when it is not there, or was replaced meanwhile.
pub(crate) async fn read(engine: &dyn Engine, urn: &Urn) -> Result<Option<Rows>> {
    let Some(edition) = engine.read(row_of(urn)).await?.pop() else { return Ok(None) };
    let mut parts = Vec::new();
    for (table, columns) in PARTS {
        let sql =
            format!("SELECT {columns} FROM {table} WHERE edition = (SELECT id FROM editions WHERE urn = $1)");
        parts.push(match table {
            // Found by the packed list: the table itself is not indexed by edition.
            "provisions" => packed_provisions(engine, urn).await?,
            _ => engine.read(Sql::new(&sql).bind(urn.as_str())).await?.into_iter().map(|row| row.0).collect(),
        });
    }
    let again = engine.read(row_of(urn)).await?.pop();
    let whole = again.is_some_and(|again| again.0 == edition.0);
    Ok(whole.then_some(Rows { edition: edition.0, parts }))
}

async fn packed_provisions(engine: &dyn Engine, urn: &Urn) -> Result<Vec<Vec<Value>>> {
    let sql = "SELECT p.provisions FROM editions e JOIN edition_parts p ON p.edition = e.id WHERE e.urn = $1";
    let rows = engine.read(Sql::new(sql).bind(urn.as_str())).await?;
    let Some(row) = rows.first() else { return Ok(Vec::new()) };
    let ids = row.bytes(0)?;
    let id = |place: usize| ids.slice(place * 16..place * 16 + 16);
    Ok((0..ids.len() / 16).map(|place| vec![Value::from(id(place)), place.into()]).collect())
}

impl Rows {
    /// Digests of all blobs that the edition refers to.
    pub(crate) fn digests(&self) -> Result<Vec<Digest>> {
        let place = PARTS.iter().position(|(table, _)| *table == "blob_refs").expect("it is in the list");
        let digest = |row: &Vec<Value>| match row.first() {
            Some(Value::Bytes(Some(bytes))) => {
                bytes.as_ref().try_into().map(Digest::from_bytes).map_err(Error::corrupt)
            }
            _ => Err(Error::corrupt("a reference to a blob is no digest")),
        };
        self.parts[place].iter().map(digest).collect()
    }

    /// Writes them in place of what is there under this URN. False, and nothing done, when a blob is missing.
    pub(crate) async fn write(&self, tx: &mut dyn Transaction, urn: &Urn, now: SystemTime) -> Result<bool> {
        if !publish::touch(tx, &self.digests()?, now).await? {
            return Ok(false);
        }
        let old = tx.read(Sql::new("SELECT id FROM editions WHERE urn = $1").bind(urn.as_str())).await?;
        if let Some(old) = old.first() {
            publish::clear(tx, old.int(0)?).await?;
            tx.run(Sql::new("DELETE FROM editions WHERE id = $1").bind(old.int(0)?)).await?;
        }
        let mut sql = Sql::new(&format!("INSERT INTO editions ({EDITION}) VALUES "));
        sql.tuple(self.edition.iter().cloned()).push(" RETURNING id");
        let rows = tx.read(sql).await?;
        let id = rows.first().ok_or_else(|| Error::corrupt("an inserted edition has no id"))?.int(0)?;
        for ((table, columns), rows) in PARTS.iter().zip(&self.parts) {
            let with_id = |row: &Vec<Value>| std::iter::once(id.into()).chain(row.iter().cloned()).collect();
            publish::fill(tx, &format!("{table} (edition, {columns})"), rows.iter().map(with_id).collect())
                .await?;
        }
        feed::record(tx, &Subject::Edition(urn.to_string()), now).await?;
        Ok(true)
    }
}
