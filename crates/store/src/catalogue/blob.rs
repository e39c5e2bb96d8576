//! Rows of blobs and their pieces.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use norma_model::Digest;

use crate::blob::{Blob, BlobRow, StagedBlobs};
use crate::catalogue::{ROW_BATCH, micros};
use crate::engine::{Engine, ResultRow, Sql, SqlValue, Transaction};
use crate::pieces::BlobLayout;
use crate::{Result, StoreError};

/// Time within which a touched blob is not touched again.
const TOUCH_INTERVAL: Duration = Duration::from_secs(60);

/// Most bytes of pieces in one statement, apart from one larger piece.
const BYTE_BATCH: usize = 1 << 20;

/// Most pieces of a blob: the lower bits of their keys number them.
const PIECES: usize = 1 << 20;

/// The columns that [`row`] reads, of the row `b`.
pub(crate) const COLUMNS: &str = "b.id AS blob, b.digest, b.size AS blob_size, b.object, b.pieces";

/// A row of [`COLUMNS`].
pub(crate) fn row(row: &ResultRow) -> Result<BlobRow> {
    let digest = row.digest("digest")?;
    let (layout, size) = (BlobLayout::from_bytes(row.bytes("pieces")?)?, row.int("blob_size")?);
    // A length that changed shifts all pieces after it.
    if layout.size() != size.unsigned_abs() {
        let found = layout.size();
        return Err(StoreError::corrupt(format!(
            "the pieces of the blob {digest} have {found} bytes, expected {size}"
        )));
    }
    let object = row.maybe_text("object")?.map(str::to_owned);
    Ok(BlobRow { id: row.int("blob")?, digest, object, layout })
}

/// The key of a piece: SQLite finds it without an index.
pub(crate) fn piece_key(blob: i64, n: usize) -> i64 {
    blob * PIECES as i64 + n as i64
}

/// The row of the blob with this digest.
pub(crate) async fn find(engine: &dyn Engine, digest: &Digest) -> Result<Option<BlobRow>> {
    let sql = Sql::new(&format!("SELECT {COLUMNS} FROM blobs b WHERE b.digest = $1")).bind(digest);
    engine.read(sql).await?.first().map(row).transpose()
}

/// The digests among these for which the catalogue has a blob.
pub(crate) async fn present<'a>(
    engine: &dyn Engine,
    digests: impl Iterator<Item = &'a Digest>,
) -> Result<BTreeSet<Digest>> {
    let mut there = BTreeSet::new();
    let digests: Vec<SqlValue> = digests.map(SqlValue::from).collect();
    for batch in digests.chunks(ROW_BATCH) {
        let mut sql = Sql::new("SELECT digest FROM blobs WHERE digest IN ");
        sql.tuple(batch.iter().cloned());
        for row in engine.read(sql).await? {
            there.insert(row.digest("digest")?);
        }
    }
    Ok(there)
}

/// Numbers of the blobs with these digests, locked against the collector, and marked as used now. Those that
/// are not there are put where their bytes are at hand, and have no number otherwise. Rows are locked in the
/// order of the digests, by all who lock any, so that no two wait for each other.
///
/// # Errors
/// [`StoreError::Contended`] when another writer puts one of them at the same time.
pub(crate) async fn ensure(
    tx: &mut dyn Transaction,
    digests: &BTreeSet<Digest>,
    staged: &StagedBlobs<'_>,
    now: SystemTime,
) -> Result<BTreeMap<Digest, i64>> {
    let all: Vec<Digest> = digests.iter().copied().collect();
    let late = micros(now.checked_sub(TOUCH_INTERVAL).unwrap_or(SystemTime::UNIX_EPOCH));
    let mut ids = BTreeMap::new();
    let mut untouched = Vec::new();
    for batch in all.chunks(ROW_BATCH) {
        for row in lock(tx, batch).await? {
            let (digest, id) = (row.digest("digest")?, row.int("id")?);
            ids.insert(digest, id);
            if row.int("touched")? < late {
                untouched.push(id);
            }
        }
    }
    touch(tx, &untouched, now).await?;
    for (digest, id) in &ids {
        if staged.is_rewritten(digest) {
            rewrite(tx, *id, digest, staged).await?;
        }
    }
    let mut missing = Vec::new();
    for digest in &all {
        if !ids.contains_key(digest)
            && let Some((blob, object)) = staged.get(digest)
        {
            missing.push(MissingBlob { blob, layout: blob.layout(), object });
        }
    }
    insert(tx, &missing, now, &mut ids).await?;
    Ok(ids)
}

/// A blob that the catalogue has no row of.
struct MissingBlob<'a> {
    blob: &'a Blob,
    layout: BlobLayout,
    /// The name of the object with its bytes; `None` where the catalogue gets them in pieces.
    object: Option<&'a str>,
}

/// Adds blobs with their pieces, and their numbers to `ids`.
async fn insert(
    tx: &mut dyn Transaction,
    missing: &[MissingBlob<'_>],
    now: SystemTime,
    ids: &mut BTreeMap<Digest, i64>,
) -> Result<()> {
    let mut rows = Vec::with_capacity(missing.len());
    for MissingBlob { blob, layout, object } in missing {
        rows.push(vec![
            SqlValue::from(&blob.digest()),
            blob.size().into(),
            micros(now).into(),
            SqlValue::from(*object),
            layout.to_bytes().into(),
        ]);
    }
    let unless_there = "ON CONFLICT (digest) DO NOTHING RETURNING id, digest";
    let put = tx.insert("blobs", "digest, size, touched, object, pieces", rows, unless_there).await?;
    if put.len() < missing.len() {
        return Err(StoreError::Contended("another writer puts the same blobs".to_owned()));
    }
    for row in put {
        ids.insert(row.digest("digest")?, row.int("id")?);
    }
    let mut pieces = UnsentPieces::default();
    for MissingBlob { blob, layout, object } in missing {
        if object.is_none() {
            pieces.add(tx, ids[&blob.digest()], blob, layout).await?;
        }
    }
    pieces.write(tx).await
}

/// Waits for the transactions that use one of the blobs, and locks them, in order.
async fn lock(tx: &mut dyn Transaction, digests: &[Digest]) -> Result<Vec<ResultRow>> {
    let mut sql = Sql::new("SELECT id, digest, touched FROM blobs WHERE digest IN ");
    sql.tuple(digests.iter().map(SqlValue::from)).push(" ORDER BY digest").push(tx.locking());
    tx.read(sql).await
}

/// Marks blobs as used now.
pub(crate) async fn touch(tx: &mut dyn Transaction, ids: &[i64], now: SystemTime) -> Result<()> {
    for batch in ids.chunks(ROW_BATCH) {
        let mut sql = Sql::new("UPDATE blobs SET touched = ");
        sql.arg(micros(now)).push(" WHERE id IN ").tuple(batch.iter().map(|id| SqlValue::from(*id)));
        tx.run(sql).await?;
    }
    Ok(())
}

/// Replaces the stored bytes of a blob.
async fn rewrite(tx: &mut dyn Transaction, id: i64, digest: &Digest, staged: &StagedBlobs<'_>) -> Result<()> {
    let Some((blob, object)) = staged.get(digest) else { return Ok(()) };
    remove_pieces(tx, &[id]).await?;
    let layout = blob.layout();
    let sql = Sql::new("UPDATE blobs SET object = $1, pieces = $2, size = $3 WHERE id = $4");
    tx.run(sql.bind(object).bind(layout.to_bytes()).bind(blob.size()).bind(id)).await?;
    if object.is_none() {
        let mut pieces = UnsentPieces::default();
        pieces.add(tx, id, blob, &layout).await?;
        pieces.write(tx).await?;
    }
    Ok(())
}

/// Pieces that are not sent yet.
#[derive(Default)]
struct UnsentPieces {
    rows: Vec<Vec<SqlValue>>,
    bytes: usize,
}

impl UnsentPieces {
    /// Adds the pieces of a blob, and sends the collected ones when they are enough.
    async fn add(
        &mut self,
        tx: &mut dyn Transaction,
        id: i64,
        blob: &Blob,
        layout: &BlobLayout,
    ) -> Result<()> {
        if layout.count() > PIECES {
            return Err(StoreError::Invalid(format!(
                "a blob has at most {PIECES} pieces, not {}",
                layout.count()
            )));
        }
        for n in 0..layout.count() {
            let range = layout.range(n);
            let piece = blob.bytes().slice(range.start as usize..range.end as usize);
            self.bytes += piece.len();
            self.rows.push(vec![piece_key(id, n).into(), piece.into()]);
            if self.bytes >= BYTE_BATCH {
                self.write(tx).await?;
            }
        }
        Ok(())
    }

    /// Sends what there is.
    async fn write(&mut self, tx: &mut dyn Transaction) -> Result<()> {
        self.bytes = 0;
        tx.insert("pieces", "id, bytes", std::mem::take(&mut self.rows), "").await.map(drop)
    }
}

async fn remove_pieces(tx: &mut dyn Transaction, ids: &[i64]) -> Result<()> {
    for id in ids {
        let sql = Sql::new("DELETE FROM pieces WHERE id >= $1 AND id < $2");
        tx.run(sql.bind(piece_key(*id, 0)).bind(piece_key(*id + 1, 0))).await?;
    }
    Ok(())
}

/// Unreferenced blobs after this one that were last put or used before `cutoff`.
pub(crate) async fn garbage(
    engine: &dyn Engine,
    after: Option<Digest>,
    cutoff: SystemTime,
    limit: usize,
) -> Result<Vec<Digest>> {
    let sql = "SELECT b.digest FROM blobs b WHERE b.touched < $1 AND b.digest > $2 \
         AND NOT EXISTS (SELECT 1 FROM blob_refs r WHERE r.blob = b.id) \
         AND NOT EXISTS (SELECT 1 FROM search_blobs s WHERE s.blob = b.id) ORDER BY b.digest LIMIT $3";
    let after = after.map(|d| Bytes::copy_from_slice(d.as_bytes())).unwrap_or_default();
    let rows = engine.read(Sql::new(sql).bind(micros(cutoff)).bind(after).bind(limit)).await?;
    rows.iter().map(|row| row.digest("digest")).collect()
}

/// Deletes the blobs with these digests that are still garbage, and returns their sizes and the names of
/// their objects.
pub(crate) async fn collect(
    tx: &mut dyn Transaction,
    digests: &[Digest],
    cutoff: SystemTime,
) -> Result<Vec<(u64, Option<String>)>> {
    // The next statement sees what those did who used one of them.
    lock(tx, digests).await?;
    let mut sql = Sql::new("DELETE FROM blobs WHERE touched < ");
    sql.arg(micros(cutoff)).push(" AND digest IN ").tuple(digests.iter().map(SqlValue::from));
    sql.push(
        " AND NOT EXISTS (SELECT 1 FROM blob_refs r WHERE r.blob = blobs.id) \
         AND NOT EXISTS (SELECT 1 FROM search_blobs s WHERE s.blob = blobs.id) RETURNING id, size, object",
    );
    let gone = tx.read(sql).await?;
    remove_pieces(tx, &gone.iter().map(|row| row.int("id")).collect::<Result<Vec<_>>>()?).await?;
    let mut collected = Vec::with_capacity(gone.len());
    for row in &gone {
        collected.push((row.int("size")?.unsigned_abs(), row.maybe_text("object")?.map(str::to_owned)));
    }
    Ok(collected)
}

/// The names of objects among these that a blob has.
pub(crate) async fn named<'a>(
    engine: &dyn Engine,
    keys: impl Iterator<Item = &'a str>,
) -> Result<BTreeSet<String>> {
    let mut sql = Sql::new("SELECT object FROM blobs WHERE object IS NOT NULL AND digest IN ");
    // By digest, which every name has in it and which has an index.
    sql.tuple(keys.filter_map(digest_in).map(|digest| SqlValue::from(&digest)));
    engine.read(sql).await?.iter().map(|row| Ok(row.text("object")?.to_owned())).collect()
}

/// The digest in the name of an object, as in `ab/abcd….1234`.
fn digest_in(key: &str) -> Option<Digest> {
    let name = key.rsplit('/').next()?;
    name.split('.').next()?.parse().ok()
}
