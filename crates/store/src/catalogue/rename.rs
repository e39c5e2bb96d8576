//! Rename of an edition: all rows with its URN get the new one.

use std::collections::BTreeSet;
use std::time::SystemTime;

use norma_model::Partition;

use crate::Result;
use crate::catalogue::edition::EditionRows;
use crate::catalogue::feed::{self, Subject};
use crate::catalogue::lineage::PARTITION_CHECKED;
use crate::columns;
use crate::engine::{Sql, Transaction};

/// Writes the new URN into grants of this edition, publishers' tables, retired ids and partitions. Its own
/// rows, those of its provisions and its changes are written by the publication.
pub(crate) async fn rename(
    tx: &mut dyn Transaction,
    stored: &EditionRows,
    new: &EditionRows,
    now: SystemTime,
) -> Result<()> {
    let (old_urn, new_urn) = (stored.text("urn"), new.text("urn"));
    let (old_stem, new_stem) = (stored.text("stem"), new.text("stem"));
    grants(tx, old_urn, new_urn, now).await?;
    let sql = "UPDATE retired_provisions SET edition = $1, stem = $2 WHERE stem = $3 AND edition = $4";
    tx.run(Sql::new(sql).bind(new_urn).bind(new_stem).bind(old_stem).bind(old_urn)).await?;
    correspondences(tx, old_urn, new_urn, new_stem).await?;
    if old_stem != new_stem {
        let sql = "INSERT INTO lineages (stem, wanted, done, matcher, links, checksum) \
             SELECT $1, wanted, done, matcher, links, 0 FROM lineages WHERE stem = $2 ON CONFLICT (stem) DO NOTHING";
        tx.run(Sql::new(sql).bind(new_stem).bind(old_stem)).await?;
    }
    for stem in BTreeSet::from([old_stem, new_stem]) {
        partition(tx, stem, old_urn, new_urn).await?;
    }
    Ok(())
}

/// Grants with a list that names the edition, or with a pattern that is its URN.
async fn grants(tx: &mut dyn Transaction, old: &str, new: &str, now: SystemTime) -> Result<()> {
    let sql = "SELECT DISTINCT tenant FROM grants WHERE (scope_kind = 'urns' AND scope = $1) \
         OR id IN (SELECT grant_id FROM grant_urns WHERE urn = $1)";
    let mut tenants = Vec::new();
    for row in tx.read(Sql::new(sql).bind(old)).await? {
        tenants.push(Subject::Tenant(row.text("tenant")?.to_owned()));
    }
    let mut sql = Sql::new("INSERT INTO grant_urns (grant_id, urn) SELECT grant_id, ");
    sql.arg(new).push(" FROM grant_urns WHERE urn = ").arg(old);
    sql.push(" ON CONFLICT (grant_id, urn) DO NOTHING");
    tx.run(sql).await?;
    tx.run(Sql::new("DELETE FROM grant_urns WHERE urn = $1").bind(old)).await?;
    let sql = "UPDATE grants SET scope = $1 WHERE scope_kind = 'urns' AND scope = $2";
    tx.run(Sql::new(sql).bind(new).bind(old)).await?;
    feed::record(tx, &tenants, now).await.map(drop)
}

/// Tables of correspondence. One that names the new URN already is of an edition that was removed: that of
/// the renamed one counts.
async fn correspondences(tx: &mut dyn Transaction, old: &str, new: &str, new_stem: &str) -> Result<()> {
    for [side, other] in [["older", "newer"], ["newer", "older"]] {
        let sql = format!(
            "DELETE FROM correspondences WHERE {side} = $1 \
             AND {other} IN (SELECT {other} FROM correspondences WHERE {side} = $2)"
        );
        tx.run(Sql::new(&sql).bind(new).bind(old)).await?;
        let sql = format!("UPDATE correspondences SET {side} = $1 WHERE {side} = $2");
        tx.run(Sql::new(&sql).bind(new).bind(old)).await?;
    }
    // The document of a table is that of its older edition.
    let sql = "UPDATE correspondences SET stem = $1 WHERE older = $2";
    tx.run(Sql::new(sql).bind(new_stem).bind(new)).await.map(drop)
}

/// The partition of a document, from which heirs of removed ids follow until it is made again.
async fn partition(tx: &mut dyn Transaction, stem: &str, old: &str, new: &str) -> Result<()> {
    let sql = format!("SELECT {PARTITION_CHECKED} FROM lineages WHERE stem = $1");
    let rows = tx.read(Sql::new(&sql).bind(stem)).await?;
    let Some(row) = rows.first() else { return Ok(()) };
    let Ok(mut partition) = columns::unpacked::<Partition>(row.bytes("links")?) else { return Ok(()) };
    for edition in &mut partition.editions {
        if &*edition.urn == old {
            edition.urn = new.into();
        }
    }
    let (done, matcher) = (row.int("done")?, row.int("matcher")?);
    let links = columns::packed(&partition);
    let sum = columns::checksum(&[stem.into(), done.into(), matcher.into(), links.clone().into()]);
    let sql = Sql::new("UPDATE lineages SET links = $1, checksum = $2 WHERE stem = $3");
    tx.run(sql.bind(links).bind(sum).bind(stem)).await.map(drop)
}
