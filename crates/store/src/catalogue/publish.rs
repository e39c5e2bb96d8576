//! Publishing editions: first the blobs, then the catalogue, so that each reader sees the old edition or the
//! new one.

use std::collections::{BTreeMap, BTreeSet};
use std::time::SystemTime;

use norma_model::{Digest, Urn};

use crate::blob::{Blob, StagedBlobs};
use crate::catalogue::changes::{EditionEvent, EditionEvents};
use crate::catalogue::edition::{self, EditionRows};
use crate::catalogue::maintain::{STORED, StoredEdition, stored_edition};
use crate::catalogue::{ROW_BATCH, blob, earlier, feed, lineage, rename, status};
use crate::earlier::ReplacedSource;
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
    /// True if a publication is the stored edition, and is not to repair it. Refuses another document with
    /// its name, and an edition that is to be renamed to it.
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
    let mut blobs = BTreeMap::new();
    for publication in batch {
        for blob in std::iter::once(&publication.pack).chain(&publication.pictures) {
            blobs.insert(blob.digest(), blob);
        }
    }
    blobs
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
    let (mut touched, mut events) = (BTreeSet::new(), EditionEvents::default());
    for ((publication, offered), digests) in batch.iter().zip(&mut offered).zip(&digests) {
        let before = before(publication, &mut existing);
        if let Some(before) = &before {
            offered.keep_former_urns(&before.rows);
        }
        let offered = &*offered;
        let has_blobs = digests.iter().all(|digest| ids.contains_key(digest));
        if let Some(outcome) = outcome_without_change(publication, before.as_ref(), has_blobs) {
            outcomes.push(outcome);
            continue;
        }
        let Some(before) = before else {
            events.add(offered.text("urn"), EditionEvent::created(offered));
            new.push(offered);
            outcomes.push(Ok(Outcome::Created));
            continue;
        };
        affected.by(&before.rows)?;
        events.add_amended(tx, &before.rows).await?;
        if before.is_renamed {
            touched.insert(before.rows.text("stem").to_owned());
            events.add(before.rows.text("urn"), EditionEvent::Removed);
            let is_recalled = before.rows.is_recalled();
            let created = EditionEvent::Created { codes: offered.codes(), is_recalled };
            events.add(offered.text("urn"), created);
        } else {
            events.add(offered.text("urn"), replacement(publication, &before.rows, offered));
        }
        replace(tx, publication, &before, offered, ids[&offered.pack], now).await?;
        filled.push((before.id, offered));
        outcomes.push(Ok(Outcome::Replaced { previous: before.edition.revision }));
    }
    filled.extend(edition::insert(tx, &new, &ids).await?.into_iter().zip(new));
    edition::insert_details(tx, &filled, &ids).await?;
    for (_, stored) in &filled {
        affected.by(stored)?;
    }
    events.add_statuses(status::recompute_status(tx, affected, now).await?);
    for (_, stored) in &filled {
        events.add_amended(tx, stored).await?;
        touched.insert(stored.text("stem").to_owned());
    }
    events.record(tx, now).await?;
    lineage::touch(tx, &touched).await?;
    Ok(outcomes)
}

/// A stored edition, with its number.
struct FoundRows {
    id: i64,
    edition: StoredEdition,
    rows: EditionRows,
}

/// The stored edition that a publication is to replace.
struct EditionBefore {
    id: i64,
    edition: StoredEdition,
    rows: EditionRows,
    /// True where only an edition under the former URN of the publication is stored, and gets the new one.
    is_renamed: bool,
}

/// Takes the edition that a publication is to replace: the one with its URN, otherwise the one with its
/// former URN.
fn before(publication: &Publication, existing: &mut BTreeMap<String, FoundRows>) -> Option<EditionBefore> {
    let own = existing.remove(publication.summary.urn.as_str());
    let former = publication.former_urn.as_ref().and_then(|former| existing.remove(former.as_str()));
    let is_renamed = own.is_none();
    let FoundRows { id, edition, rows } = own.or(former)?;
    Some(EditionBefore { id, edition, rows, is_renamed })
}

/// The outcome of a publication that changes nothing, because the same edition is stored, or because it is
/// refused; otherwise `None`.
fn outcome_without_change(
    publication: &Publication,
    before: Option<&EditionBefore>,
    has_blobs: bool,
) -> Option<Result<Outcome>> {
    if let Some(before) = before
        && !before.is_renamed
    {
        match before.edition.is_same(publication) {
            Ok(true) => return Some(Ok(Outcome::Unchanged)),
            Ok(false) => {}
            Err(refused) => return Some(Err(refused)),
        }
    }
    let urn = &publication.summary.urn;
    if !has_blobs {
        return Some(Err(StoreError::Contended(format!("blobs of {urn} were collected"))));
    }
    // What a publication retains is of the revision that it was made to replace, and of no other one.
    if let (Some(replaced), Some(before)) = (&publication.replaced, before)
        && replaced.revision != before.edition.revision
    {
        return Some(Err(StoreError::Contended(format!("{urn} was replaced meanwhile"))));
    }
    None
}

/// What callers see of a publication that takes the place of a stored edition with its URN.
fn replacement(publication: &Publication, stored: &EditionRows, offered: &EditionRows) -> EditionEvent {
    let event = EditionEvent::replaced(stored, offered);
    let retained = publication.replaced.as_ref().map(|replaced| &replaced.retained);
    match (event, retained) {
        // The ingest compared source and pictures.
        (EditionEvent::Replaced { codes, former, .. }, Some(ReplacedSource::Same)) => {
            EditionEvent::Replaced { codes, former, is_content: false }
        }
        (event, _) => event,
    }
}

/// Puts the rows of a publication in the place of a stored edition, without its details.
async fn replace(
    tx: &mut dyn Transaction,
    publication: &Publication,
    before: &EditionBefore,
    offered: &EditionRows,
    pack: i64,
    now: SystemTime,
) -> Result<()> {
    let stored = &before.rows;
    if before.is_renamed {
        rename::rename(tx, stored, offered, now).await?;
    }
    lineage::retire(tx, stored, Some(offered), &publication.successors).await?;
    earlier::replace(tx, before.id, [stored, offered], publication.replaced.as_ref(), now).await?;
    edition::clear(tx, before.id, stored, now).await?;
    edition::update(tx, before.id, offered, pack).await
}

/// The stored editions with these URNs.
async fn find(tx: &mut dyn Transaction, urns: &[&Urn]) -> Result<BTreeMap<String, FoundRows>> {
    let mut all = BTreeMap::new();
    for chunk in urns.chunks(ROW_BATCH) {
        let mut sql = edition::select();
        sql.push("urn IN ").tuple(chunk.iter().map(|urn| urn.as_str().into()));
        for row in tx.read(sql).await? {
            let (id, rows) = edition::read(&row)?;
            let found = FoundRows { id, edition: stored_edition(&row)?, rows };
            all.insert(row.text("urn")?.to_owned(), found);
        }
    }
    Ok(all)
}

/// The stored edition with this URN, with its number.
pub(crate) async fn find_one(tx: &mut dyn Transaction, urn: &Urn) -> Result<Option<(i64, EditionRows)>> {
    let found = find(tx, &[urn]).await?.into_values().next();
    Ok(found.map(|found| (found.id, found.rows)))
}

/// The stored edition with this URN, read outside of a transaction.
pub(crate) async fn read_one(engine: &dyn Engine, urn: &Urn) -> Result<Option<EditionRows>> {
    let mut sql = edition::select();
    sql.push("urn = ").arg(urn.as_str());
    let rows = engine.read(sql).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    let (_, stored) = edition::read(row)?;
    Ok(Some(stored))
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
    let mut events = EditionEvents::default();
    match find_one(tx, urn).await? {
        Some((id, old)) => {
            events.add_amended(tx, &old).await?;
            events.add(urn.as_str(), copied_over(&old, copied));
            remove(tx, id, &old, now).await?;
        }
        None => events.add(urn.as_str(), EditionEvent::created(copied)),
    }
    let id = edition::insert(tx, &[copied], &ids).await?;
    let filled: Vec<_> = id.into_iter().map(|id| (id, copied)).collect();
    edition::insert_details(tx, &filled, &ids).await?;
    lineage::touch(tx, &BTreeSet::from([copied.text("stem").to_owned()])).await?;
    events.add_amended(tx, copied).await?;
    events.record(tx, now).await?;
    Ok(true)
}

/// What callers see of an edition of another store that takes the place of one.
fn copied_over(old: &EditionRows, copied: &EditionRows) -> EditionEvent {
    match (old.is_recalled(), copied.is_recalled()) {
        (_, true) => EditionEvent::Recalled,
        (true, false) => EditionEvent::created(copied),
        (false, false) => match EditionEvent::replaced(old, copied) {
            // Status and notice are copied as well.
            EditionEvent::Unseen => EditionEvent::Status,
            event => event,
        },
    }
}

/// Removes all rows of an edition.
pub(crate) async fn remove(
    tx: &mut dyn Transaction,
    id: i64,
    stored: &EditionRows,
    now: SystemTime,
) -> Result<()> {
    lineage::retire(tx, stored, None, &[]).await?;
    earlier::remove(tx, id).await?;
    edition::clear(tx, id, stored, now).await?;
    tx.run(Sql::new("DELETE FROM editions WHERE id = $1").bind(id)).await?;
    lineage::touch(tx, &BTreeSet::from([stored.text("stem").to_owned()])).await
}
