//! Rows of search indexes that one instance builds and the others fetch.

use std::collections::BTreeSet;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use norma_model::Digest;

use crate::blob::StagedBlobs;
use crate::catalogue::{blob, micros};
use crate::engine::{Engine, ResultRow, Sql, SqlValue, Transaction};
use crate::search_set::{SearchSet, SearchSetFile};
use crate::{Result, StoreError, columns};

/// Makes a process the builder of an index, or notes that it still is. False where another one is, which gave
/// a sign of life within this time.
pub(crate) async fn claim(
    tx: &mut dyn Transaction,
    analyser: u32,
    builder: &str,
    now: SystemTime,
    lost_after: Duration,
) -> Result<bool> {
    let lost = now.checked_sub(lost_after).unwrap_or(SystemTime::UNIX_EPOCH);
    let sql = Sql::new(
        "INSERT INTO search_indexes (analyser, builder, seen, number, list, files) VALUES ($1, $2, $3, 0, $4, $5) \
         ON CONFLICT (analyser) DO UPDATE SET builder = EXCLUDED.builder, seen = EXCLUDED.seen \
         WHERE search_indexes.builder = EXCLUDED.builder OR search_indexes.seen <= $6",
    );
    let sql = sql.bind(i64::from(analyser)).bind(builder).bind(micros(now));
    let sql = sql.bind(Bytes::new()).bind(columns::packed(&Vec::<FileRow>::new())).bind(micros(lost));
    Ok(tx.run(sql).await? > 0)
}

/// True where another process builds the index, and gave a sign of life within this time.
pub(crate) async fn is_held_by_other(
    engine: &dyn Engine,
    analyser: u32,
    builder: &str,
    now: SystemTime,
    lost_after: Duration,
) -> Result<bool> {
    let lost = now.checked_sub(lost_after).unwrap_or(SystemTime::UNIX_EPOCH);
    let sql = Sql::new("SELECT 1 FROM search_indexes WHERE analyser = $1 AND builder <> $2 AND seen > $3");
    let rows = engine.read(sql.bind(i64::from(analyser)).bind(builder).bind(micros(lost))).await?;
    Ok(!rows.is_empty())
}

/// Ends what [`claim`] began, as if the last sign of life had been given at `lost`: another process may build
/// at once.
pub(crate) async fn release(
    tx: &mut dyn Transaction,
    analyser: u32,
    builder: &str,
    lost: SystemTime,
) -> Result<()> {
    let sql = Sql::new("UPDATE search_indexes SET seen = $1 WHERE analyser = $2 AND builder = $3");
    tx.run(sql.bind(micros(lost)).bind(i64::from(analyser)).bind(builder)).await.map(drop)
}

/// A file in the column `files`: its name, its length and the digests of its parts.
type FileRow = (String, u64, Vec<[u8; 32]>);

const SETS: &str = "SELECT analyser, number, list, files FROM search_indexes";

/// The set that was published last; `None` where there is none, or its number is not above `known`.
pub(crate) async fn newer(engine: &dyn Engine, analyser: u32, known: u64) -> Result<Option<SearchSet>> {
    let sql = Sql::new(&format!("{SETS} WHERE analyser = $1 AND number > $2"));
    let rows = engine.read(sql.bind(i64::from(analyser)).bind(known)).await?;
    rows.first().map(set).transpose()
}

/// The published sets, each with its analyser.
pub(crate) async fn all(engine: &dyn Engine) -> Result<Vec<(u32, SearchSet)>> {
    let mut sets = Vec::new();
    for row in engine.read(Sql::new(&format!("{SETS} WHERE number > 0"))).await? {
        sets.push((u32::try_from(row.int("analyser")?).map_err(StoreError::corrupt)?, set(&row)?));
    }
    Ok(sets)
}

fn set(row: &ResultRow) -> Result<SearchSet> {
    let rows: Vec<FileRow> = columns::unpacked(row.bytes("files")?)?;
    let mut files = Vec::with_capacity(rows.len());
    for (name, size, parts) in rows {
        files.push(SearchSetFile { name, size, parts: parts.into_iter().map(Digest::from_bytes).collect() });
    }
    Ok(SearchSet { number: row.int("number")?.unsigned_abs(), list: row.bytes("list")?.clone(), files })
}

/// Replaces the set of an index, whose parts are stored, and returns the digests that only the former set
/// had; `None`, with nothing done, where another process builds the index.
///
/// # Errors
/// [`StoreError::Contended`] where a part was collected meanwhile.
pub(crate) async fn publish(
    tx: &mut dyn Transaction,
    analyser: u32,
    builder: &str,
    list: &Bytes,
    files: &[SearchSetFile],
    now: SystemTime,
) -> Result<Option<Vec<Digest>>> {
    let mut rows: Vec<FileRow> = Vec::with_capacity(files.len());
    let mut digests = BTreeSet::new();
    for file in files {
        digests.extend(file.parts.iter().copied());
        rows.push((file.name.clone(), file.size, file.parts.iter().map(|part| *part.as_bytes()).collect()));
    }
    let sql = Sql::new(
        "UPDATE search_indexes SET number = number + 1, seen = $1, list = $2, files = $3 \
         WHERE analyser = $4 AND builder = $5",
    );
    let sql = sql.bind(micros(now)).bind(list.clone()).bind(columns::packed(&rows));
    if tx.run(sql.bind(i64::from(analyser)).bind(builder)).await? == 0 {
        return Ok(None);
    }
    let former = digests_of(tx, analyser).await?;
    let ids = blob::ensure(tx, &digests, &StagedBlobs::default(), now).await?;
    if ids.len() < digests.len() {
        return Err(StoreError::Contended("parts of the search index were collected".to_owned()));
    }
    remove_refs(tx, analyser).await?;
    let refs = ids.values().map(|id| vec![SqlValue::from(*id), i64::from(analyser).into()]).collect();
    tx.insert("search_blobs", "blob, analyser", refs, "").await?;
    Ok(Some(former.into_iter().filter(|digest| !digests.contains(digest)).collect()))
}

/// Removes the indexes whose builder gave no sign of life since this time: words of removed editions are to
/// leave the store also where nothing builds the index any more.
pub(crate) async fn forget(tx: &mut dyn Transaction, unseen_since: SystemTime) -> Result<()> {
    let sql = Sql::new("DELETE FROM search_indexes WHERE seen < $1 RETURNING analyser");
    for row in tx.read(sql.bind(micros(unseen_since))).await? {
        let analyser = u32::try_from(row.int("analyser")?).map_err(StoreError::corrupt)?;
        remove_refs(tx, analyser).await?;
    }
    Ok(())
}

async fn digests_of(tx: &mut dyn Transaction, analyser: u32) -> Result<Vec<Digest>> {
    let sql = "SELECT b.digest FROM search_blobs s JOIN blobs b ON b.id = s.blob WHERE s.analyser = $1";
    let rows = tx.read(Sql::new(sql).bind(i64::from(analyser))).await?;
    rows.iter().map(|row| row.digest("digest")).collect()
}

async fn remove_refs(tx: &mut dyn Transaction, analyser: u32) -> Result<()> {
    let sql = Sql::new("DELETE FROM search_blobs WHERE analyser = $1");
    tx.run(sql.bind(i64::from(analyser))).await.map(drop)
}
