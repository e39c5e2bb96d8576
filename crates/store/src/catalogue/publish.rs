//! Publishing editions: first the blobs, then the catalogue, so that each reader sees the old edition or the
//! new one.

use std::collections::{BTreeMap, BTreeSet};
use std::time::SystemTime;

use norma_model::{Digest, Urn};

use crate::blob::{Blob, StagedBlobs};
use crate::catalogue::edition::{self, EditionRows};
use crate::catalogue::feed::{self, Subject};
use crate::catalogue::maintain::{STORED, StoredEdition, stored_edition};
use crate::catalogue::{ROW_BATCH, blob, lineage, rename, status};
use crate::engine::{Engine, Sql, Transaction};
use crate::entry::{Outcome, Publication};
use crate::{Result, StoreError};

/// The stored editions under the URNs of these publications.
pub(crate) async fn existing(
    engine: &dyn Engine,
    batch: &[&Publication],
) -> Result<BTreeMap<String, StoredEdition>> {
    let mut all = BTreeMap::new();
    for chunk in batch.chunks(ROW_BATCH) {
        let mut sql = Sql::new(STORED).and(" WHERE urn IN ");
        sql.tuple(chunk.iter().map(|one| one.summary.urn.as_str().into()));
        for row in engine.read(sql).await? {
            all.insert(row.text("urn")?.to_owned(), stored_edition(&row)?);
        }
    }
    Ok(all)
}

impl StoredEdition {
    /// Whether the stored edition is the same. Refuses another document with its name, and an edition that is
    /// to be renamed to it.
    pub(crate) fn is_same(&self, publication: &Publication) -> Result<bool> {
        let same_source = self.source == publication.source;
        let is_other = !same_source && self.origin != publication.origin && !publication.replace;
        if is_other || publication.former_urn.is_some() {
            return Err(StoreError::Conflict {
                urn: publication.summary.urn.clone(),
                stored: self.origin.clone(),
                offered: publication.origin.clone(),
            });
        }
        Ok(!publication.repair
            && same_source
            && self.deriver == publication.deriver
            && self.revision == publication.revision)
    }
}

/// The blobs of these publications, by digest.
pub(crate) fn blobs<'a>(batch: &[&'a Publication]) -> BTreeMap<Digest, &'a Blob> {
    let blobs = batch.iter().flat_map(|one| std::iter::once(&one.pack).chain(&one.pictures));
    blobs.map(|blob| (blob.digest(), blob)).collect()
}

/// Publishes editions with different URNs, and returns the outcome of each. A refused one changes nothing and
/// does not affect the others. [`StoreError::Contended`] where a blob that was there is gone: put it once
/// more.
///
/// All writers lock in one order: blobs by digest, then the feed, then whatever they change. So they wait for
/// each other and never in a circle.
pub(crate) async fn publish(
    tx: &mut dyn Transaction,
    batch: &[&Publication],
    staged: &StagedBlobs<'_>,
    now: SystemTime,
) -> Result<Vec<Result<Outcome>>> {
    let mut offered: Vec<EditionRows> = batch.iter().map(|one| EditionRows::new(one, now)).collect();
    let digests: Vec<BTreeSet<Digest>> = offered.iter().map(EditionRows::blobs).collect::<Result<_>>()?;
    let ids = blob::ensure(tx, &digests.iter().flatten().copied().collect(), staged, now).await?;
    feed::lock(tx).await?;
    let urns: Vec<&Urn> = batch.iter().flat_map(|one| one.urns()).collect();
    let mut existing = find(tx, &urns).await?;
    let mut outcomes = Vec::with_capacity(batch.len());
    let (mut new, mut filled, mut affected) = (Vec::new(), Vec::new(), status::Affected::default());
    let mut touched = BTreeSet::new();
    for ((publication, offered), digests) in batch.iter().zip(&mut offered).zip(&digests) {
        let urn = &publication.summary.urn;
        let own = existing.remove(urn.as_str());
        let former = publication.former_urn.as_ref().and_then(|former| existing.remove(former.as_str()));
        let (is_renamed, before) = (own.is_none(), own.or(former));
        if let Some((_, _, stored)) = &before {
            offered.keep_former_urns(stored);
        }
        let offered = &*offered;
        let present = before.as_ref().filter(|_| !is_renamed);
        let is_same = present.map_or(Ok(false), |(_, existing, _)| existing.is_same(publication));
        outcomes.push(match (is_same, before) {
            (Err(refused), _) => Err(refused),
            (Ok(true), _) => Ok(Outcome::Unchanged),
            _ if digests.iter().any(|digest| !ids.contains_key(digest)) => {
                Err(StoreError::Contended(format!("blobs of {urn} were collected")))
            }
            (_, None) => {
                new.push(offered);
                Ok(Outcome::Created)
            }
            (_, Some((id, before, stored))) => {
                affected.by(&stored)?;
                if is_renamed {
                    rename::rename(tx, &stored, offered, now).await?;
                    touched.insert(stored.text("stem").to_owned());
                }
                lineage::retire(tx, &stored, Some(offered), &publication.successors).await?;
                edition::clear(tx, id, &stored, now).await?;
                edition::update(tx, id, offered, ids[&offered.pack]).await?;
                filled.push((id, offered));
                Ok(Outcome::Replaced { previous: before.revision })
            }
        });
    }
    filled.extend(edition::insert(tx, &new, &ids).await?.into_iter().zip(new));
    edition::insert_details(tx, &filled, &ids).await?;
    for (_, stored) in &filled {
        affected.by(stored)?;
    }
    let mut changed = status::recompute_status(tx, affected, now).await?;
    changed.extend(filled.iter().map(|(_, stored)| stored.text("urn").to_owned()));
    feed::record(tx, &changed.into_iter().map(Subject::Edition).collect::<Vec<_>>(), now).await?;
    touched.extend(filled.iter().map(|(_, stored)| stored.text("stem").to_owned()));
    lineage::touch(tx, &touched).await?;
    Ok(outcomes)
}

/// The stored editions with these URNs, with their numbers.
async fn find(
    tx: &mut dyn Transaction,
    urns: &[&Urn],
) -> Result<BTreeMap<String, (i64, StoredEdition, EditionRows)>> {
    let mut all = BTreeMap::new();
    for chunk in urns.chunks(ROW_BATCH) {
        let mut sql = edition::select();
        sql.push("urn IN ").tuple(chunk.iter().map(|urn| urn.as_str().into()));
        for row in tx.read(sql).await? {
            let (id, stored) = edition::read(&row)?;
            all.insert(row.text("urn")?.to_owned(), (id, stored_edition(&row)?, stored));
        }
    }
    Ok(all)
}

/// The stored edition with this URN, with its number.
pub(crate) async fn find_one(tx: &mut dyn Transaction, urn: &Urn) -> Result<Option<(i64, EditionRows)>> {
    Ok(find(tx, &[urn]).await?.into_values().next().map(|(id, _, stored)| (id, stored)))
}

/// The same, not in a transaction.
pub(crate) async fn read_one(engine: &dyn Engine, urn: &Urn) -> Result<Option<EditionRows>> {
    let mut sql = edition::select();
    sql.push("urn = ").arg(urn.as_str());
    let rows = engine.read(sql).await?;
    rows.first().map(|row| edition::read(row).map(|(_, stored)| stored)).transpose()
}

/// Writes an edition of another store, replacing the one with its URN. False, and nothing done, when a blob
/// is missing.
pub(crate) async fn write(
    tx: &mut dyn Transaction,
    urn: &Urn,
    copied: &EditionRows,
    staged: &StagedBlobs<'_>,
    now: SystemTime,
) -> Result<bool> {
    let digests = copied.blobs()?;
    let ids = blob::ensure(tx, &digests, staged, now).await?;
    if ids.len() < digests.len() {
        return Ok(false);
    }
    feed::lock(tx).await?;
    if let Some((id, old)) = find_one(tx, urn).await? {
        remove(tx, id, &old, now).await?;
    }
    let id = edition::insert(tx, &[copied], &ids).await?;
    let filled: Vec<_> = id.into_iter().map(|id| (id, copied)).collect();
    edition::insert_details(tx, &filled, &ids).await?;
    lineage::touch(tx, &BTreeSet::from([copied.text("stem").to_owned()])).await?;
    feed::record(tx, &[Subject::Edition(urn.to_string())], now).await?;
    Ok(true)
}

/// Removes all rows of an edition.
pub(crate) async fn remove(
    tx: &mut dyn Transaction,
    id: i64,
    stored: &EditionRows,
    now: SystemTime,
) -> Result<()> {
    lineage::retire(tx, stored, None, &[]).await?;
    edition::clear(tx, id, stored, now).await?;
    tx.run(Sql::new("DELETE FROM editions WHERE id = $1").bind(id)).await?;
    lineage::touch(tx, &BTreeSet::from([stored.text("stem").to_owned()])).await
}
