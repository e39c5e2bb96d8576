//! Rows of comparisons, and the values by which the catalogue decides whether two editions may be compared.

use bytes::Bytes;
use norma_model::Partition;

use crate::catalogue::lineage::provisions_of;
use crate::catalogue::{edition, feed};
use crate::engine::{Engine, Sql, SqlValue, Transaction};
use crate::lineage::{Comparable, ComparisonKey, StoredComparison};
use crate::{Result, StoreError, columns};

/// The values for comparing an edition; `None` if it is no longer in this state.
pub(crate) async fn comparable(engine: &dyn Engine, urn: &str, revision: &str) -> Result<Option<Comparable>> {
    let sql = "SELECT LENGTH(p.provisions) AS size, p.citations FROM editions e \
         JOIN edition_parts p ON p.edition = e.id WHERE e.urn = $1 AND e.revision = $2";
    let rows = engine.lookup(Sql::new(sql).bind(urn).bind(revision)).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    let bytes = usize::try_from(row.int("size")?).map_err(StoreError::corrupt)?;
    let adopted = edition::adopted(row.bytes("citations")?)?;
    Ok(Some(Comparable { provisions: bytes / columns::PROVISION_BYTES, adopted }))
}

/// True if the record of a comparison is stored; it is not read.
pub(crate) async fn is_stored(engine: &dyn Engine, key: &ComparisonKey) -> Result<bool> {
    let sql = "SELECT matcher FROM comparisons WHERE older = $1 AND newer = $2 AND language = $3 \
         AND older_revision = $4 AND newer_revision = $5 AND matcher = $6";
    Ok(!engine.lookup(key.bind(Sql::new(sql))).await?.is_empty())
}

/// The record of a comparison, with the ids of its editions.
///
/// # Errors
/// [`StoreError::Corrupt`] where ids of an edition are damaged, and those of the engine. A damaged record is
/// left out: it is made again.
pub(crate) async fn comparison(engine: &dyn Engine, key: &ComparisonKey) -> Result<Option<StoredComparison>> {
    let sql = "SELECT c.record, c.checksum FROM comparisons c JOIN editions o ON o.urn = c.older AND o.revision = c.older_revision \
         JOIN editions n ON n.urn = c.newer AND n.revision = c.newer_revision WHERE c.older = $1 AND c.newer = $2 \
         AND c.language = $3 AND c.older_revision = $4 AND c.newer_revision = $5 AND c.matcher = $6";
    let rows = engine.read(key.bind(Sql::new(sql))).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    let record = row.bytes("record")?;
    if row.int("checksum")? != key.checksum(record) {
        tracing::warn!(older = %key.older, newer = %key.newer, "a stored comparison is damaged: it is made again");
        return Ok(None);
    }
    let older = provisions_of(engine, key.older.as_str(), Some(&key.older_revision)).await?;
    let newer = provisions_of(engine, key.newer.as_str(), Some(&key.newer_revision)).await?;
    let (Some(older), Some(newer)) = (older, newer) else { return Ok(None) };
    Ok(Some(StoredComparison { record: record.clone(), provisions: [older, newer] }))
}

impl ComparisonKey {
    /// Binds the arguments of a query by key, in the order of the columns.
    fn bind(&self, sql: Sql) -> Sql {
        let sql = sql.bind(self.older.as_str()).bind(self.newer.as_str()).bind(self.language.as_str());
        let sql = sql.bind(self.older_revision.as_str()).bind(self.newer_revision.as_str());
        sql.bind(i64::from(self.matcher))
    }

    /// The checksum of a record under this key.
    fn checksum(&self, record: &Bytes) -> i64 {
        let Self { older, older_revision, newer, newer_revision, language, matcher } = self;
        columns::checksum(&[
            older.as_str().into(),
            newer.as_str().into(),
            language.as_str().into(),
            older_revision.as_str().into(),
            newer_revision.as_str().into(),
            i64::from(*matcher).into(),
            record.clone().into(),
        ])
    }
}

/// Stores the record of a comparison, if both editions are still in the compared state and no later version
/// of the matcher stored one. False if it is not stored.
pub(crate) async fn put_comparison(
    tx: &mut dyn Transaction,
    key: &ComparisonKey,
    record: &Bytes,
) -> Result<bool> {
    // A publication holds the same lock, so that none of the two changes before this ends.
    feed::lock(tx).await?;
    let mut sql = Sql::new(
        "INSERT INTO comparisons (older, newer, language, older_revision, newer_revision, matcher, record, checksum) \
         SELECT o.urn, n.urn, ",
    );
    sql.arg(key.language.as_str()).push(", o.revision, n.revision, ").arg(i64::from(key.matcher));
    sql.push(", ").arg(record.clone()).push(", ").arg(key.checksum(record));
    sql.push(" FROM editions o, editions n WHERE o.urn = ");
    sql.arg(key.older.as_str()).push(" AND o.revision = ").arg(key.older_revision.as_str());
    sql.push(" AND n.urn = ").arg(key.newer.as_str());
    sql.push(" AND n.revision = ").arg(key.newer_revision.as_str());
    sql.push(
        " ON CONFLICT (older, newer, language) DO UPDATE SET older_revision = excluded.older_revision, \
         newer_revision = excluded.newer_revision, matcher = excluded.matcher, record = excluded.record, \
         checksum = excluded.checksum WHERE comparisons.matcher <= excluded.matcher",
    );
    Ok(tx.run(sql).await? > 0)
}

/// Removes the records of comparisons between editions that are not neighbours.
pub(crate) async fn keep_neighbours(tx: &mut dyn Transaction, partition: &Partition) -> Result<()> {
    for (index, edition) in partition.editions.iter().enumerate() {
        let (mut newer, mut older) = (Vec::new(), Vec::new());
        for pair in &partition.neighbours {
            if pair.older == index {
                newer.push(SqlValue::from(&*partition.editions[pair.newer].urn));
            }
            if pair.newer == index {
                older.push(SqlValue::from(&*partition.editions[pair.older].urn));
            }
        }
        for (own, other, neighbours) in [("older", "newer", newer), ("newer", "older", older)] {
            let mut sql = Sql::new(&format!("DELETE FROM comparisons WHERE {own} = "));
            sql.arg(&*edition.urn);
            if !neighbours.is_empty() {
                sql.push(&format!(" AND {other} NOT IN ")).tuple(neighbours);
            }
            tx.run(sql).await?;
        }
    }
    Ok(())
}
