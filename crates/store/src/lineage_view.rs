//! Lineages as one viewer may see them.

mod fates;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use norma_model::lineage::{Asked, Followed, PartitionPosition as Position};
use norma_model::{LineageId, Partition, ProvisionId};

use self::fates::{Fates, ProvisionIds};
use crate::Result;
use crate::access::Level;
use crate::catalogue::lineage::{self, PartitionRow, StoredPartition};
use crate::engine::Engine;
use crate::view::{GrantedEdition, Lookup, VisibleEditions};

/// Most ids in a chain of heirs; a longer one shows a damaged catalogue.
pub(crate) const CHAIN: usize = 1_000;

/// The lineage of one provision, with the editions that a viewer may read.
#[derive(Clone, Debug)]
pub struct Lineage {
    /// Id by the present oldest member, even if the viewer may not read that one.
    pub id: LineageId,
    /// Ids that the provision had in earlier revisions of its own edition.
    pub earlier_ids: Vec<ProvisionId>,
    /// The older members, the nearest first, then provisions from which this one was possibly split or
    /// merged.
    pub predecessors: Vec<Relative>,
    /// The newer members, the nearest first, then provisions into which this one was possibly split or
    /// merged.
    pub successors: Vec<Relative>,
}

/// A provision of another edition.
#[derive(Clone)]
pub struct Relative {
    /// The other edition, which the viewer may read.
    pub edition: GrantedEdition,
    /// Id of the provision in the other edition.
    pub id: ProvisionId,
    /// Ordinal of the provision in the other edition, from 0.
    pub ordinal: usize,
    /// True if it is a member of the lineage; otherwise it is a possible split or merger.
    pub is_member: bool,
}

impl fmt::Debug for Relative {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { edition, id, ordinal, is_member } = self;
        let urn = &edition.entry().summary.urn;
        write!(f, "Relative({urn} {id} {ordinal} {is_member})")
    }
}

impl GrantedEdition {
    /// The partition of its document as it is stored.
    ///
    /// # Errors
    /// Those of the engine.
    pub async fn partition(&self) -> Result<StoredPartition> {
        lineage::partition(self.core().engine(), self.entry().summary.urn.document_urn()).await
    }

    /// The lineage of the provision with this id and ordinal, by the decoded [`partition`](Self::partition):
    /// its members in editions that the viewer may read, the nearest first. `None` where the partition is not
    /// that of the present editions by version `matcher` of the matcher or a later one: an id that is another
    /// one a moment later tells that an edition came which the viewer may not see.
    ///
    /// # Errors
    /// Those of the engine.
    pub async fn lineage(
        &self,
        row: Option<PartitionRow>,
        id: ProvisionId,
        ordinal: u32,
        matcher: u32,
    ) -> Result<Option<Lineage>> {
        let engine = self.core().engine();
        let entry = self.entry();
        if !is_fresh(row.as_ref(), matcher) {
            return Ok(None);
        }
        let key = Arc::clone(&self.core().snapshot().await?.lineage_key);
        let earlier_ids = lineage::earlier_ids(engine, entry.summary.urn.as_str(), &id).await?;
        let mut found =
            Lineage { id: key.id_of(&id), earlier_ids, predecessors: Vec::new(), successors: Vec::new() };
        let Some(PartitionRow { partition, .. }) = row else { return Ok(Some(found)) };
        let Some(edition) = partition.edition(entry.summary.urn.as_str(), &entry.revision) else {
            return Ok(Some(found));
        };
        let position = (edition, ordinal);
        if let Some(oldest) = oldest(engine, &partition, position).await? {
            found.id = key.id_of(&oldest);
        }
        let readable = Readable { visible: self.visible().await?, partition: &partition };
        for older in partition.older(position) {
            found.predecessors.extend(readable.relative(older, true).await?);
        }
        for related in partition.older_related(position) {
            let line = std::iter::once(related).chain(partition.older(related));
            found.predecessors.extend(readable.nearest(line).await?);
        }
        for newer in partition.newer(position) {
            found.successors.extend(readable.relative(newer, true).await?);
        }
        for related in partition.newer_related(position) {
            let line = std::iter::once(related).chain(partition.newer(related));
            found.successors.extend(readable.nearest(line).await?);
        }
        Ok(Some(found))
    }

    /// The lineage ids of all provisions of the edition, in document order, and [their
    /// state](Self::lineage_state). `None` as in [`GrantedEdition::lineage`], and if the edition is no longer
    /// in the state in which it was read.
    ///
    /// # Errors
    /// Those of the engine.
    pub async fn lineages(&self, matcher: u32) -> Result<Option<(String, Vec<LineageId>)>> {
        let engine = self.core().engine();
        let entry = self.entry();
        let urn = entry.summary.urn.as_str();
        let row = self.partition().await?.decode()?;
        if !is_fresh(row.as_ref(), matcher) {
            return Ok(None);
        }
        let Some(mut members) = lineage::provisions_of(engine, urn, Some(&entry.revision)).await? else {
            return Ok(None);
        };
        let key = Arc::clone(&self.core().snapshot().await?.lineage_key);
        let (state, partition) = match row {
            Some(row) => (lineage::state_name(row.done, row.matcher), row.partition),
            None => (String::new(), Partition::default()),
        };
        if let Some(edition) = partition.edition(urn, &entry.revision) {
            let previous = partition.all_previous();
            let mut ids = ProvisionIds::new(self);
            for (member, ordinal) in members.iter_mut().zip(0..) {
                let (oldest_edition, oldest_ordinal) = oldest_member(&previous, (edition, ordinal));
                if oldest_edition == edition {
                    continue;
                }
                let of_edition = ids.all(&partition.editions[oldest_edition].urn).await?;
                if let Some(id) = of_edition.get(oldest_ordinal as usize) {
                    *member = *id;
                }
            }
        }
        Ok(Some((state, members.iter().map(|member| key.id_of(member)).collect())))
    }

    /// A name of the state of the document's lineages: while it is the same, so are their ids. `None` as of
    /// [`GrantedEdition::lineage`].
    ///
    /// # Errors
    /// Those of the engine.
    pub async fn lineage_state(&self, matcher: u32) -> Result<Option<String>> {
        lineage::state(self.core().engine(), self.entry().summary.urn.document_urn(), matcher).await
    }

    /// The fates of provisions and lineages in this edition, in the order of the request. Of a lineage the
    /// member in the edition `from` is its source. `None` for what is not known in this document, or only in
    /// editions that the viewer may not read: the two look alike. Then whether they are of a fresh partition,
    /// as of [`GrantedEdition::lineage`].
    ///
    /// # Errors
    /// Those of the engine.
    pub async fn fates(
        &self,
        asked: &[Asked],
        from: Option<&str>,
        matcher: u32,
    ) -> Result<(Vec<Option<Followed>>, bool)> {
        let row = self.partition().await?.decode()?;
        let is_fresh = is_fresh(row.as_ref(), matcher);
        let partition = row.map(|row| row.partition).unwrap_or_default();
        let mut ids = ProvisionIds::new(self);
        let urn: Arc<str> = self.entry().summary.urn.as_str().into();
        let mut found = HashMap::new();
        for (id, ordinal) in ids.all(&urn).await?.iter().zip(0..) {
            found.insert(*id, (Arc::clone(&urn), ordinal));
        }
        let mut fates = Fates {
            found,
            previous: partition.all_previous(),
            partition,
            is_fresh,
            from,
            ids,
            visible: self.visible().await?,
            key: Arc::clone(&self.core().snapshot().await?.lineage_key),
        };
        let mut answers = Vec::with_capacity(asked.len());
        for asked in asked {
            answers.push(match asked {
                Asked::Provision(id) => fates.of(*id, false).await?,
                Asked::Lineage(id) => fates.of(fates.key.member(id), true).await?,
            });
        }
        Ok((answers, is_fresh))
    }

    /// The id of the provision with this ordinal, and the ids that it had in earlier revisions.
    ///
    /// # Errors
    /// Those of the engine.
    pub async fn ids_in_revisions(&self, ordinal: usize) -> Result<Vec<ProvisionId>> {
        let (engine, urn) = (self.core().engine(), self.entry().summary.urn.as_str());
        let Some(id) = lineage::provision_at(engine, urn, ordinal).await? else { return Ok(Vec::new()) };
        let mut ids = vec![id];
        ids.extend(lineage::earlier_ids(engine, urn, &id).await?);
        Ok(ids)
    }

    /// Another edition that its viewer may read.
    ///
    /// # Errors
    /// Those of the engine.
    pub async fn other(&self, urn: &str) -> Result<Option<Self>> {
        let found = self.visible().await?.granted(urn).await?;
        let Some(Lookup::Edition(granted)) = found else { return Ok(None) };
        Ok(Some(granted).filter(|one| one.level() >= Level::Read))
    }

    /// The ordinals of provisions of this edition and a newer one of its document that share a lineage, by
    /// the decoded [`partition`](Self::partition). Also whether the two are neighbours.
    pub fn lineage_pairs(&self, newer: &Self, row: Option<&PartitionRow>) -> (Vec<(u32, u32)>, bool) {
        let Some(PartitionRow { partition, .. }) = row else { return (Vec::new(), false) };
        let (older, newer) = (self.entry(), newer.entry());
        let (older_urn, newer_urn) = (older.summary.urn.as_str(), newer.summary.urn.as_str());
        let are_neighbours = partition.are_neighbours(older_urn, newer_urn);
        let older = partition.edition(older_urn, &older.revision);
        let newer = partition.edition(newer_urn, &newer.revision);
        let pairs = match (older, newer) {
            (Some(older), Some(newer)) => partition.pairs(older, newer),
            // The partition is of another state of one of them.
            _ => Vec::new(),
        };
        (pairs, are_neighbours)
    }
}

/// True if the partition of a document is that of its present editions, by this version of the matcher or a
/// later one.
pub(crate) fn is_fresh(row: Option<&PartitionRow>, matcher: u32) -> bool {
    row.is_none_or(|row| row.done == row.wanted && row.matcher >= matcher)
}

/// The position of the provision with this ordinal in an edition, in whatever state the edition is.
pub(crate) fn position(partition: &Partition, urn: &str, ordinal: usize) -> Option<Position> {
    let edition = partition.editions.iter().position(|edition| *edition.urn == *urn)?;
    Some((edition, u32::try_from(ordinal).ok()?))
}

/// The oldest other member of the lineage of a provision.
pub(crate) async fn oldest(
    engine: &dyn Engine,
    partition: &Partition,
    position: Position,
) -> Result<Option<ProvisionId>> {
    let oldest = partition.oldest(position);
    if oldest == position {
        return Ok(None);
    }
    let (edition, ordinal) = oldest;
    lineage::provision_at(engine, &partition.editions[edition].urn, ordinal as usize).await
}

/// The oldest member of the lineage of a provision, by the next older member of each.
fn oldest_member(previous: &HashMap<Position, Position>, position: Position) -> Position {
    let mut oldest = position;
    while let Some(older) = previous.get(&oldest) {
        oldest = *older;
    }
    oldest
}

/// Provisions of a partition in editions that a viewer may read.
pub(crate) struct Readable<'a> {
    pub(crate) visible: VisibleEditions<'a>,
    pub(crate) partition: &'a Partition,
}

impl Readable<'_> {
    /// The first of these provisions in an edition that the viewer may read, related to another without being
    /// the same.
    async fn nearest(&self, positions: impl Iterator<Item = Position>) -> Result<Option<Relative>> {
        for position in positions {
            if let Some(found) = self.relative(position, false).await? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// The provision at a position, if the viewer may read its edition, in the state of the partition.
    pub(crate) async fn relative(
        &self,
        (edition, ordinal): Position,
        is_member: bool,
    ) -> Result<Option<Relative>> {
        let edition = &self.partition.editions[edition];
        let Some(Lookup::Edition(granted)) = self.visible.granted(&edition.urn).await? else {
            return Ok(None);
        };
        if granted.level() < Level::Read || granted.entry().revision != *edition.revision {
            return Ok(None);
        }
        let ordinal = ordinal as usize;
        let id = lineage::provision_at(self.visible.core.engine(), &edition.urn, ordinal).await?;
        Ok(id.map(|id| Relative { edition: granted, id, ordinal, is_member }))
    }
}

#[cfg(test)]
mod tests;
