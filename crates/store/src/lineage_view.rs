//! Lineages as one viewer may see them.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use norma_model::lineage::{Asked, Fate, Followed, PartitionPosition as Position};
use norma_model::{LineageId, Partition, ProvisionId};

use crate::access::Level;
use crate::catalogue::entry::of_provision;
use crate::catalogue::lineage::{self, PartitionRow, StoredPartition};
use crate::engine::Engine;
use crate::lineage_key::LineageKey;
use crate::view::{GrantedEdition, Lookup, VisibleEditions};
use crate::{Result, columns};

/// Most ids in a chain of heirs; a longer one shows a damaged catalogue.
pub(crate) const CHAIN: usize = 1_000;

/// The lineage of one provision, with the editions that a viewer may read.
#[derive(Clone, Debug)]
pub struct Lineage {
    /// Its id: that of its present oldest member, even if the viewer may not read that one.
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
    /// The provision.
    pub id: ProvisionId,
    /// Its ordinal in the other edition.
    pub ordinal: usize,
    /// Whether it is a member of the lineage; otherwise it is a possible split or merger.
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
        let state = row.as_ref().map_or_else(String::new, |row| lineage::state_name(row.done, row.matcher));
        let partition = row.map(|row| row.partition).unwrap_or_default();
        if let Some(edition) = partition.edition(urn, &entry.revision) {
            let previous = partition.all_previous();
            let oldest =
                |position| std::iter::successors(Some(position), |one| previous.get(one).copied()).last();
            let mut ids = ProvisionIds::new(self);
            for (member, ordinal) in members.iter_mut().zip(0..) {
                let Some(oldest) = oldest((edition, ordinal)).filter(|oldest| oldest.0 != edition) else {
                    continue;
                };
                let of_edition = ids.all(&partition.editions[oldest.0].urn).await?;
                if let Some(id) = of_edition.get(oldest.1 as usize) {
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
        let own = ids.all(&urn).await?.iter().zip(0..);
        let mut fates = Fates {
            found: own.map(|(id, ordinal)| (*id, (Arc::clone(&urn), ordinal))).collect(),
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
        let Some(PartitionRow { partition, .. }) = row else { return Default::default() };
        let [a, b] = [self, newer].map(|one| (one.entry().summary.urn.as_str(), &*one.entry().revision));
        let are_neighbours = partition.are_neighbours(a.0, b.0);
        let both = partition.edition(a.0, a.1).zip(partition.edition(b.0, b.1));
        let pairs = both.map(|(older, newer)| partition.pairs(older, newer));
        (pairs.unwrap_or_default(), are_neighbours)
    }
}

/// Whether the partition of a document is that of its present editions, by this version of the matcher or a
/// later one.
pub(crate) fn is_fresh(row: Option<&PartitionRow>, matcher: u32) -> bool {
    row.is_none_or(|row| row.done == row.wanted && row.matcher >= matcher)
}

/// Ids of provisions, read once for each edition.
struct ProvisionIds<'a> {
    viewed: &'a GrantedEdition,
    known: HashMap<String, Vec<ProvisionId>>,
}

impl<'a> ProvisionIds<'a> {
    fn new(viewed: &'a GrantedEdition) -> Self {
        Self { viewed, known: HashMap::new() }
    }

    async fn all(&mut self, urn: &str) -> Result<&[ProvisionId]> {
        if !self.known.contains_key(urn) {
            let ids = lineage::provisions(self.viewed.core().engine(), urn).await?.unwrap_or_default();
            self.known.insert(urn.to_owned(), ids);
        }
        Ok(&self.known[urn])
    }
}

/// The fates of provisions in one edition.
struct Fates<'a> {
    /// The found provisions of this edition and of others of the document, by URN and ordinal.
    found: HashMap<ProvisionId, (Arc<str>, usize)>,
    partition: Partition,
    previous: HashMap<Position, Position>,
    is_fresh: bool,
    from: Option<&'a str>,
    ids: ProvisionIds<'a>,
    visible: VisibleEditions<'a>,
    key: Arc<LineageKey>,
}

impl Fates<'_> {
    /// The fate of a provision, which is known if its edition is; with `by_lineage`, that of any member of
    /// its lineage.
    async fn of(&mut self, asked: ProvisionId, by_lineage: bool) -> Result<Option<Followed>> {
        let viewed = self.ids.viewed;
        let engine = viewed.core().engine();
        let own = viewed.entry().summary.urn.as_str();
        let stem = viewed.entry().summary.urn.document_urn();
        let (mut id, mut is_known) = (asked, false);
        for _ in 0..CHAIN {
            let (urn, ordinal, fate) = match self.find(&id).await? {
                Some((urn, ordinal)) if *urn == *own => (urn, ordinal, Fate::Provision(ordinal)),
                Some((urn, _)) if columns::read_urn(&urn)?.document_urn() != stem => return Ok(None),
                Some((urn, ordinal)) => {
                    if !self.found.contains_key(&id) {
                        let all = self.ids.all(&urn).await?.iter().zip(0..);
                        self.found.extend(all.map(|(id, ordinal)| (*id, (Arc::clone(&urn), ordinal))));
                    }
                    let fate = self.followed(&urn, ordinal);
                    (urn, ordinal, fate)
                }
                None => {
                    let retired = lineage::retired(engine, &id).await?;
                    let Some((_, retired)) = retired.filter(|(document, _)| document == stem) else {
                        return Ok(None);
                    };
                    // An id of a removed edition is known to those whose grants cover its URN.
                    is_known |= self.visible.reads(&retired.edition).await?;
                    let Some(heir) = retired.heir else {
                        let gone = Followed { fate: Fate::Gone, lineage: None, source: None };
                        return Ok(is_known.then_some(gone));
                    };
                    id = heir;
                    continue;
                }
            };
            let is_readable = *urn == *own || self.visible.reads(&urn).await?;
            is_known |= is_readable;
            if by_lineage && !is_known {
                is_known =
                    matches!(fate, Fate::Provision(_)) || self.has_readable_member(&urn, ordinal).await?;
            }
            if !is_known {
                return Ok(None);
            }
            let source = match by_lineage {
                false if id == asked && is_readable => Some(((*urn).into(), ordinal)),
                false => None,
                true => self.member_of_from(&urn, ordinal),
            };
            let lineage = self.lineage(&urn, ordinal).await?;
            return Ok(Some(Followed { fate, lineage, source }));
        }
        Ok(None)
    }

    /// The published provision with this id: URN of its edition, and its ordinal.
    async fn find(&mut self, id: &ProvisionId) -> Result<Option<(Arc<str>, usize)>> {
        if let found @ Some(_) = self.found.get(id) {
            return Ok(found.cloned());
        }
        let found = of_provision(self.ids.viewed.core().engine(), id).await?;
        Ok(found.map(|(urn, position)| (urn.into(), position.index)))
    }

    /// The older members of the lineage of a provision, the nearest one first.
    fn older(&self, position: Position) -> impl Iterator<Item = Position> {
        let previous = |one: &Position| self.previous.get(one).copied();
        std::iter::successors(previous(&position), previous)
    }

    /// The id of the lineage of a provision.
    async fn lineage(&mut self, urn: &str, ordinal: usize) -> Result<Option<LineageId>> {
        let position = position(&self.partition, urn, ordinal);
        let oldest = position.map(|position| self.older(position).last().unwrap_or(position));
        let (urn, ordinal) = match oldest {
            Some((edition, ordinal)) => (&*self.partition.editions[edition].urn, ordinal as usize),
            None => (urn, ordinal),
        };
        let id = self.ids.all(urn).await?.get(ordinal).filter(|_| self.is_fresh);
        Ok(id.map(|id| self.key.id_of(id)))
    }

    /// The member in the edition `from` of the lineage of a provision.
    fn member_of_from(&self, urn: &str, ordinal: usize) -> Option<(Box<str>, usize)> {
        let from = self.from?;
        if urn == from {
            return Some((from.into(), ordinal));
        }
        let edition = self.partition.editions.iter().position(|edition| *edition.urn == *from)?;
        let position = position(&self.partition, urn, ordinal)?;
        let mut line = self.older(position).chain(self.partition.newer(position));
        line.find(|one| one.0 == edition).map(|(_, ordinal)| (from.into(), ordinal as usize))
    }

    /// Whether the viewer may read the edition of another member of the lineage of a provision.
    async fn has_readable_member(&self, urn: &str, ordinal: usize) -> Result<bool> {
        let Some(position) = position(&self.partition, urn, ordinal) else { return Ok(false) };
        for (edition, _) in self.older(position).chain(self.partition.newer(position)) {
            if self.visible.reads(&self.partition.editions[edition].urn).await? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The member of a lineage in this edition.
    fn followed(&self, urn: &str, ordinal: usize) -> Fate {
        let own = self.ids.viewed.entry();
        let here = self.partition.edition(own.summary.urn.as_str(), &own.revision);
        let (Some(here), Some(position)) = (here, position(&self.partition, urn, ordinal)) else {
            return Fate::Absent;
        };
        let mut line = self.older(position).chain(self.partition.newer(position));
        let found = line.find(|(edition, _)| *edition == here);
        found.map_or(Fate::Absent, |(_, ordinal)| Fate::Provision(ordinal as usize))
    }
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
    match partition.oldest(position) {
        oldest if oldest == position => Ok(None),
        (edition, ordinal) => {
            lineage::provision_at(engine, &partition.editions[edition].urn, ordinal as usize).await
        }
    }
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
