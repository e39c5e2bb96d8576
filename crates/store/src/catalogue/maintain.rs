//! Operator's changes to published editions, and queries over all of them.

use std::collections::{BTreeMap, BTreeSet};
use std::time::SystemTime;

use norma_model::{Digest, Status, Urn};

use crate::catalogue::changes::{EditionEvent, EditionEvents};
use crate::catalogue::entry::{LISTED, summary};
use crate::catalogue::{ROW_BATCH, feed, micros, publish, status};
use crate::engine::{Engine, ResultRow, Sql, Transaction};
use crate::entry::Summary;
use crate::{Result, columns};

/// A change of one edition that an operator asks for.
#[derive(Clone, Copy)]
pub(crate) enum EditionChange<'a> {
    /// The edition is served as withdrawn, with a text for callers.
    Withdraw {
        notice: &'a str,
    },
    /// The edition is not served. Callers do not see the reason; those who have a grant see the notice.
    Recall {
        reason: &'a str,
        notice: &'a str,
    },
    Reinstate,
    Remove,
}

const WITHDRAW: &str =
    "UPDATE editions SET updated = $1, withdrawn = 1, notice = $2, noticed = $3 WHERE id = $4";

const RECALL: &str =
    "UPDATE editions SET updated = $1, notice = $2, noticed = $3, recalled = $4 WHERE id = $5";

const REINSTATE: &str = "UPDATE editions SET updated = $1, withdrawn = 0, recalled = NULL, notice = NULL, noticed = 0 \
     WHERE id = $2";

/// Applies the change; false when no edition has this URN.
pub(crate) async fn change_edition(
    tx: &mut dyn Transaction,
    urn: &Urn,
    change: EditionChange<'_>,
    now: SystemTime,
) -> Result<bool> {
    feed::lock(tx).await?;
    let Some((id, stored)) = publish::find_one(tx, urn).await? else { return Ok(false) };
    let mut events = EditionEvents::default();
    events.add_amended(tx, &stored).await?;
    let at = micros(now);
    let event = match change {
        EditionChange::Withdraw { notice } => {
            tx.run(Sql::new(WITHDRAW).bind(at).bind(notice).bind(at).bind(id)).await?;
            // The notice of a recall is this one now.
            if stored.is_recalled() { EditionEvent::Recalled } else { EditionEvent::Status }
        }
        EditionChange::Recall { reason, notice } => {
            tx.run(Sql::new(RECALL).bind(at).bind(notice).bind(at).bind(reason).bind(id)).await?;
            EditionEvent::Recalled
        }
        EditionChange::Reinstate => {
            tx.run(Sql::new(REINSTATE).bind(at).bind(id)).await?;
            if stored.is_recalled() { EditionEvent::Reinstated } else { EditionEvent::Status }
        }
        EditionChange::Remove => {
            publish::remove(tx, id, &stored, now).await?;
            EditionEvent::Removed
        }
    };
    events.add(urn.as_str(), event);
    let mut affected = status::Affected::default();
    affected.by(&stored)?;
    events.add_statuses(status::recompute_status(tx, affected, now).await?);
    events.record(tx, now).await?;
    Ok(true)
}

/// A stored edition, with the values for a rebuild or a repeated ingest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEdition {
    /// The URN under which the edition is stored.
    pub urn: Urn,
    /// Digest of its source.
    pub source: Digest,
    /// [Version of the program](crate::derived_by) that made its pack, and perhaps a mark after a comma.
    pub deriver: String,
    /// State of source and derivation.
    pub revision: String,
    /// The origin of the document.
    pub origin: String,
    /// True if an operator or the manifest of a package gave its URN; otherwise its document does.
    pub urn_given: bool,
}

/// A stored edition as an operator's list shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CataloguedEdition {
    /// The fields that its source states.
    pub summary: Summary,
    /// The status as of now, which the other editions of the document decide too.
    pub status: Status,
    /// The reason of its recall, if it was recalled.
    pub recalled: Option<String>,
    /// State of source and derivation.
    pub revision: String,
    /// Version of the program that made its pack.
    pub deriver: String,
    /// The origin of the document.
    pub origin: String,
    /// Digest of its source.
    pub source: Digest,
}

/// The editions after `after`, ordered by URN, at most `limit`, with the fields of lists.
pub(crate) async fn catalogued_editions(
    engine: &dyn Engine,
    after: Option<&Urn>,
    limit: u32,
) -> Result<Vec<CataloguedEdition>> {
    let sql = format!(
        "SELECT {LISTED}, e.recalled, e.deriver, e.origin, e.source FROM editions e WHERE e.urn > $1 ORDER BY e.urn LIMIT $2"
    );
    let after = after.map_or("", |urn| urn.as_str());
    let rows = engine.read(Sql::new(&sql).bind(after).bind(i64::from(limit))).await?;
    let mut editions = Vec::with_capacity(rows.len());
    for row in &rows {
        editions.push(CataloguedEdition {
            summary: summary(row)?,
            status: columns::read_status(row.int("status")?)?,
            recalled: row.maybe_text("recalled")?.map(str::to_owned),
            revision: row.text("revision")?.to_owned(),
            deriver: row.text("deriver")?.to_owned(),
            origin: row.text("origin")?.to_owned(),
            source: row.digest("source")?,
        });
    }
    Ok(editions)
}

/// The columns that [`stored_edition`] reads.
pub(crate) const STORED: &str = "SELECT urn, source, deriver, revision, origin, urn_given FROM editions";

/// The editions after `after`, ordered by URN, at most `limit`.
pub(crate) async fn stored_editions(
    engine: &dyn Engine,
    after: Option<&Urn>,
    limit: u32,
) -> Result<Vec<StoredEdition>> {
    let sql = format!("{STORED} WHERE urn > $1 ORDER BY urn LIMIT $2");
    let after = after.map_or("", |urn| urn.as_str());
    let rows = engine.read(Sql::new(&sql).bind(after).bind(i64::from(limit))).await?;
    rows.iter().map(stored_edition).collect()
}

/// The editions that were made from this source.
pub(crate) async fn from_source(engine: &dyn Engine, source: &Digest) -> Result<Vec<StoredEdition>> {
    let sql = Sql::new(&format!("{STORED} WHERE source = $1 ORDER BY urn")).bind(source);
    engine.read(sql).await?.iter().map(stored_edition).collect()
}

/// Number of editions that another version derived: two ranges of an index, short if there are few.
pub(crate) async fn derived_by_others(engine: &dyn Engine, deriver: &str) -> Result<u64> {
    let sql = "SELECT (SELECT COUNT(*) FROM editions WHERE deriver < $1) \
         + (SELECT COUNT(*) FROM editions WHERE deriver > $1) AS others";
    let rows = engine.read(Sql::new(sql).bind(deriver)).await?;
    rows.first().map_or(Ok(0), |row| Ok(row.int("others")?.unsigned_abs()))
}

/// The documents after this one, by name, at most `limit`.
pub(crate) async fn documents(engine: &dyn Engine, after: &str, limit: usize) -> Result<BTreeSet<String>> {
    let sql = Sql::new("SELECT DISTINCT stem FROM editions WHERE stem > $1 ORDER BY stem LIMIT $2");
    let rows = engine.read(sql.bind(after).bind(limit)).await?;
    rows.iter().map(|row| Ok(row.text("stem")?.to_owned())).collect()
}

/// Computes place and status of the editions of these documents again, and returns the number of those for
/// which one of both changes.
pub(crate) async fn renew_order(
    tx: &mut dyn Transaction,
    documents: &BTreeSet<String>,
    now: SystemTime,
) -> Result<usize> {
    feed::lock(tx).await?;
    let affected = status::Affected::documents(documents.clone());
    let changed = status::recompute_status(tx, affected, now).await?;
    let count = changed.count();
    let mut events = EditionEvents::default();
    events.add_statuses(changed);
    events.record(tx, now).await?;
    Ok(count)
}

/// Writes the deriver of each of these editions.
pub(crate) async fn set_derivers(tx: &mut dyn Transaction, derivers: &[(Urn, String)]) -> Result<()> {
    feed::lock(tx).await?;
    // There are few different ones, and many editions with each.
    let mut urns_by_deriver: BTreeMap<&str, Vec<&Urn>> = BTreeMap::new();
    for (urn, deriver) in derivers {
        urns_by_deriver.entry(deriver).or_default().push(urn);
    }
    for (deriver, urns) in urns_by_deriver {
        for batch in urns.chunks(ROW_BATCH) {
            let mut sql = Sql::new("UPDATE editions SET deriver = ");
            sql.arg(deriver).push(" WHERE urn IN ").tuple(batch.iter().map(|urn| urn.as_str().into()));
            tx.run(sql).await?;
        }
    }
    Ok(())
}

pub(crate) fn stored_edition(row: &ResultRow) -> Result<StoredEdition> {
    let urn = columns::read_urn(row.text("urn")?)?;
    Ok(StoredEdition {
        urn,
        urn_given: row.int("urn_given")? != 0,
        source: row.digest("source")?,
        deriver: row.text("deriver")?.to_owned(),
        revision: row.text("revision")?.to_owned(),
        origin: row.text("origin")?.to_owned(),
    })
}

/// Counts of the contents of a store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Editions, recalled ones included.
    pub editions: u64,
    /// Blobs, with those that no edition refers to and that are not collected yet.
    pub blobs: u64,
    /// Bytes of all blobs.
    pub blob_bytes: u64,
    /// Comparisons whose records are stored.
    pub comparisons: u64,
    /// Bytes of their records.
    pub comparison_bytes: u64,
    /// Documents that have, or had, several editions.
    pub lineages: u64,
    /// Bytes of their partitions, and of ids that are no longer published.
    pub lineage_bytes: u64,
    /// Tenants, suspended ones included.
    pub tenants: u64,
    /// Grants, with those that are not valid now.
    pub grants: u64,
    /// Number of the last change.
    pub sequence: u64,
}

pub(crate) async fn stats(engine: &dyn Engine) -> Result<Stats> {
    let sql = "SELECT (SELECT COUNT(*) FROM editions) AS editions, (SELECT COUNT(*) FROM blobs) AS blobs, \
         (SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) FROM blobs) AS blob_bytes, \
         (SELECT COUNT(*) FROM comparisons) AS comparisons, \
         (SELECT CAST(COALESCE(SUM(LENGTH(record)), 0) AS BIGINT) FROM comparisons) AS comparison_bytes, \
         (SELECT COUNT(*) FROM lineages) AS lineages, \
         (SELECT CAST(COALESCE(SUM(LENGTH(links)), 0) AS BIGINT) FROM lineages) AS lineage_bytes, \
         (SELECT CAST(COALESCE(SUM(LENGTH(id) + LENGTH(heir) + LENGTH(edition) + LENGTH(stem)), 0) AS BIGINT) \
            FROM retired_provisions) AS retired_bytes, \
         (SELECT COUNT(*) FROM tenants) AS tenants, (SELECT COUNT(*) FROM grants) AS grants, \
         (SELECT seq FROM feed WHERE one = 1) AS sequence";
    let rows = engine.read(Sql::new(sql)).await?;
    let Some(row) = rows.first() else { return Ok(Stats::default()) };
    let number = |column| Ok::<u64, crate::StoreError>(row.int(column)?.unsigned_abs());
    Ok(Stats {
        editions: number("editions")?,
        blobs: number("blobs")?,
        blob_bytes: number("blob_bytes")?,
        comparisons: number("comparisons")?,
        comparison_bytes: number("comparison_bytes")?,
        lineages: number("lineages")?,
        lineage_bytes: number("lineage_bytes")? + number("retired_bytes")?,
        tenants: number("tenants")?,
        grants: number("grants")?,
        sequence: number("sequence")?,
    })
}
