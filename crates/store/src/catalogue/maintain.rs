//! What an operator does to editions after they were published, and what keeps the store lean.

use std::collections::BTreeSet;
use std::time::SystemTime;

use norma_model::{Digest, Urn};

use crate::catalogue::feed::{self, Subject};
use crate::catalogue::{micros, publish, status};
use crate::engine::{Engine, Row, Sql, Transaction, Value};
use crate::{Result, codes};

/// A change of one edition that an operator asks for.
#[derive(Clone, Copy)]
pub(crate) enum Act<'a> {
    Withdraw,
    Recall(&'a str),
    Reinstate,
    Remove,
}

/// Does it; false when there is no such edition.
pub(crate) async fn act(tx: &mut dyn Transaction, urn: &Urn, act: Act<'_>, now: SystemTime) -> Result<bool> {
    let rows = tx.read(Sql::new("SELECT id FROM editions WHERE urn = $1").bind(urn.as_str())).await?;
    let Some(row) = rows.first() else { return Ok(false) };
    let id = row.int(0)?;
    feed::record(tx, &Subject::Edition(urn.to_string()), now).await?;
    let touched = status::touched_by(tx, id).await?;
    let set = match act {
        Act::Withdraw => Sql::new("UPDATE editions SET updated = $1, withdrawn = 1 WHERE id = $2"),
        Act::Recall(_) => Sql::new("UPDATE editions SET updated = $1, recalled = $3 WHERE id = $2"),
        Act::Reinstate => {
            Sql::new("UPDATE editions SET updated = $1, withdrawn = 0, recalled = NULL WHERE id = $2")
        }
        Act::Remove => {
            publish::clear(tx, id).await?;
            tx.run(Sql::new("DELETE FROM editions WHERE id = $1").bind(id)).await?;
            status::settle(tx, touched, now).await?;
            return Ok(true);
        }
    };
    let mut set = set.bind(micros(now)).bind(id);
    if let Act::Recall(reason) = act {
        set = set.bind(reason);
    }
    tx.run(set).await?;
    status::settle(tx, touched, now).await?;
    Ok(true)
}

/// A stored edition as a rebuild or a repeated ingest needs to know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Its name.
    pub urn: Urn,
    /// Digest of its source.
    pub source: Digest,
    /// Version of the program that derived its views.
    pub deriver: String,
    /// State of source and derivation.
    pub revision: String,
    /// Where the document came from.
    pub origin: String,
}

const KEPT: &str = "SELECT urn, source, deriver, revision, origin FROM editions";

/// The editions behind `after`, in the order of their URNs, at most `limit`.
pub(crate) async fn kept(engine: &dyn Engine, after: Option<&Urn>, limit: u32) -> Result<Vec<Kept>> {
    let sql = format!("{KEPT} WHERE urn > $1 ORDER BY urn LIMIT $2");
    let after = after.map_or("", |urn| urn.as_str());
    let rows = engine.read(Sql::new(&sql).bind(after).bind(i64::from(limit))).await?;
    rows.iter().map(keep).collect()
}

/// The editions that were made from this source.
pub(crate) async fn from_source(engine: &dyn Engine, source: &Digest) -> Result<Vec<Kept>> {
    let sql = Sql::new(&format!("{KEPT} WHERE source = $1 ORDER BY urn")).bind(source);
    engine.read(sql).await?.iter().map(keep).collect()
}

/// How many editions another version derived: two ranges of an index, short where there are few.
pub(crate) async fn derived_by_others(engine: &dyn Engine, deriver: &str) -> Result<u64> {
    let sql = "SELECT (SELECT COUNT(*) FROM editions WHERE deriver < $1) \
         + (SELECT COUNT(*) FROM editions WHERE deriver > $1)";
    let rows = engine.read(Sql::new(sql).bind(deriver)).await?;
    rows.first().map_or(Ok(0), |row| Ok(row.int(0)?.unsigned_abs()))
}

/// URNs that go into one UPDATE.
const ROWS_AT_ONCE: usize = 500;

/// Puts this word in the place of the version that derived these editions.
pub(crate) async fn set_deriver(tx: &mut dyn Transaction, urns: &[Urn], deriver: &str) -> Result<()> {
    for some in urns.chunks(ROWS_AT_ONCE) {
        let mut sql = Sql::new("UPDATE editions SET deriver = ");
        sql.arg(deriver).push(" WHERE urn IN ").tuple(some.iter().map(|urn| urn.as_str().into()));
        tx.run(sql).await?;
    }
    Ok(())
}

fn keep(row: &Row) -> Result<Kept> {
    Ok(Kept {
        urn: codes::read_urn(row.text(0)?)?,
        source: row.digest(1)?,
        deriver: row.text(2)?.to_owned(),
        revision: row.text(3)?.to_owned(),
        origin: row.text(4)?.to_owned(),
    })
}

/// How much there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Stored editions, recalled ones included.
    pub editions: u64,
    /// Stored blobs.
    pub blobs: u64,
    /// Bytes of all blobs.
    pub blob_bytes: u64,
    /// Tenants.
    pub tenants: u64,
    /// Grants.
    pub grants: u64,
    /// Number of the last change.
    pub sequence: u64,
}

pub(crate) async fn stats(engine: &dyn Engine) -> Result<Stats> {
    let sql = "SELECT (SELECT COUNT(*) FROM editions), (SELECT COUNT(*) FROM blobs), \
         (SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) FROM blobs), (SELECT COUNT(*) FROM tenants), \
         (SELECT COUNT(*) FROM grants), (SELECT seq FROM feed WHERE one = 1)";
    let rows = engine.read(Sql::new(sql)).await?;
    let Some(row) = rows.first() else { return Ok(Stats::default()) };
    let number = |place| Ok::<u64, crate::Error>(row.int(place)?.unsigned_abs());
    Ok(Stats {
        editions: number(0)?,
        blobs: number(1)?,
        blob_bytes: number(2)?,
        tenants: number(3)?,
        grants: number(4)?,
        sequence: number(5)?,
    })
}

/// Blobs behind `after` that nothing refers to and that were last put or used before `cutoff`.
pub(crate) async fn garbage(
    engine: &dyn Engine,
    after: Option<Digest>,
    cutoff: SystemTime,
    limit: usize,
) -> Result<Vec<Digest>> {
    let sql = "SELECT b.digest FROM blobs b WHERE b.touched < $1 AND b.digest > $2 \
         AND NOT EXISTS (SELECT 1 FROM blob_refs r WHERE r.digest = b.digest) ORDER BY b.digest LIMIT $3";
    let after = after.map(|d| bytes::Bytes::copy_from_slice(d.as_bytes())).unwrap_or_default();
    let rows = engine.read(Sql::new(sql).bind(micros(cutoff)).bind(after).bind(limit)).await?;
    rows.iter().map(|row| row.digest(0)).collect()
}

/// Deletes those of the digests that are garbage still, and gives their sizes and the places of their objects.
pub(crate) async fn collect(
    tx: &mut dyn Transaction,
    digests: &[Digest],
    cutoff: SystemTime,
) -> Result<Vec<(u64, Option<String>)>> {
    // The next statement sees what those did who used one of them.
    publish::lock(tx, digests).await?;
    let mut sql = Sql::new("DELETE FROM blobs WHERE touched < ");
    sql.arg(micros(cutoff)).push(" AND digest IN ").tuple(digests.iter().map(Value::from));
    sql.push(
        " AND NOT EXISTS (SELECT 1 FROM blob_refs r WHERE r.digest = blobs.digest) \
         RETURNING size, place, digest",
    );
    let rows = tx.read(sql).await?;
    let gone = rows.iter().map(|row| row.digest(2)).collect::<Result<Vec<_>>>()?;
    publish::remove_pieces(tx, gone.iter()).await?;
    let row = |row: &Row| Ok((row.int(0)?.unsigned_abs(), row.maybe_text(1)?.map(str::to_owned)));
    rows.iter().map(row).collect()
}

/// Those of the places that a blob lies at.
pub(crate) async fn named<'a>(
    engine: &dyn Engine,
    places: impl Iterator<Item = &'a str>,
) -> Result<BTreeSet<String>> {
    // By digest, which every place holds and which has an index.
    let places: Vec<&str> = places.collect();
    let digests = places.iter().filter_map(|place| {
        let hex = place.rsplit('/').next()?.split('.').next()?;
        hex.parse::<Digest>().ok()
    });
    let mut sql = Sql::new("SELECT place FROM blobs WHERE place IS NOT NULL AND digest IN ");
    sql.tuple(digests.map(|digest| Value::from(&digest)));
    engine.read(sql).await?.iter().map(|row| Ok(row.text(0)?.to_owned())).collect()
}
