//! Ids of provisions and lineages that do not name a published provision themselves: their successors, and
//! the newest one.

use norma_model::lineage::{Asked, PartitionPosition as Position};
use norma_model::{LineageId, ProvisionId};

use crate::access::Level;
use crate::catalogue::entry::of_provision;
use crate::catalogue::lineage::{self, PartitionRow, StoredPartition};
use crate::engine::Engine;
use crate::entry::ProvisionPosition;
use crate::lineage::Retired;
use crate::lineage_view::{CHAIN, Readable, Relative, is_fresh, oldest, position};
use crate::view::{CatalogueView, Lookup};
use crate::{Result, columns};

/// The fate of a provision that is no longer published, as far as a viewer may know it.
#[derive(Debug)]
pub enum Former {
    /// Other provisions continue it.
    Replaced {
        /// The provisions among these that the viewer may read, the nearest first; one or more.
        successors: Vec<Relative>,
        /// The id of its lineage; `None` while the document waits for its lineages to be updated.
        lineage: Option<LineageId>,
    },
    /// No provision carries it on.
    Gone,
    /// An update of the lineages, for which the document waits, will show whether another continues it.
    Pending,
}

/// The result of resolving an id of a provision or lineage that does not name a published provision itself.
pub struct ResolvedId {
    /// The document, named by the URN of an edition without edition and language.
    document: String,
    /// The retired id, if it is that of a provision that is no longer published.
    retired: Option<Retired>,
    /// The published provision that continues it, or that the lineage has.
    carried: Option<Carried>,
}

impl ResolvedId {
    /// The document, named by the URN of an edition without edition and language.
    pub fn document(&self) -> &str {
        &self.document
    }

    /// The retired id, if it is that of a provision that is no longer published.
    pub fn retired(&self) -> Option<&Retired> {
        self.retired.as_ref()
    }
}

/// A published provision that carries on an asked id, or is asked for itself.
struct Carried {
    urn: String,
    position: ProvisionPosition,
    id: ProvisionId,
}

impl CatalogueView<'_> {
    /// Resolves the id of a lineage, or of a provision that is no longer published; `None` if it was never
    /// given.
    ///
    /// # Errors
    /// Those of the engine.
    pub async fn resolve(&self, asked: &Asked) -> Result<Option<ResolvedId>> {
        let engine = self.core.engine();
        match asked {
            Asked::Provision(id) => {
                let Some((document, retired)) = lineage::retired(engine, id).await? else { return Ok(None) };
                let (retired, carried) = (Some(retired), carried(engine, *id).await?);
                Ok(Some(ResolvedId { document, retired, carried }))
            }
            Asked::Lineage(id) => {
                let member = carried(engine, self.snapshot.lineage_key.member(id)).await?;
                let Some(member) = member else { return Ok(None) };
                let document = columns::read_urn(&member.urn)?.document_urn().to_owned();
                Ok(Some(ResolvedId { document, retired: None, carried: Some(member) }))
            }
        }
    }

    /// The stored partition of the document of an id.
    ///
    /// # Errors
    /// Those of the engine.
    pub async fn partition(&self, resolved: &ResolvedId) -> Result<StoredPartition> {
        lineage::partition(self.core.engine(), &resolved.document).await
    }

    /// The fate of a provision that is no longer published, by the decoded [`partition`](Self::partition);
    /// `None` if the viewer may not know it.
    ///
    /// # Errors
    /// Those of the engine.
    pub async fn former(
        &self,
        resolved: ResolvedId,
        row: Option<PartitionRow>,
        matcher: u32,
    ) -> Result<Option<Former>> {
        let (engine, visible) = (self.core.engine(), self.visible());
        let is_fresh = is_fresh(row.as_ref(), matcher);
        let Some(heir) = resolved.carried else {
            let is_known = match resolved.retired {
                Some(retired) => visible.reads(&retired.edition).await?,
                None => false,
            };
            return Ok(is_known.then_some(if is_fresh { Former::Gone } else { Former::Pending }));
        };
        let partition = row.map(|row| row.partition).unwrap_or_default();
        let mut successors = Vec::new();
        let mut lineage = heir.id;
        match position(&partition, &heir.urn, heir.position.index) {
            Some(position) => {
                let readable = Readable { visible, partition: &partition };
                let near = partition.newer(position).chain(partition.older(position));
                for position in std::iter::once(position).chain(near) {
                    successors.extend(readable.relative(position, true).await?);
                    if !successors.is_empty() {
                        break;
                    }
                }
                lineage = oldest(engine, &partition, position).await?.unwrap_or(lineage);
            }
            None => {
                if let Some(Lookup::Edition(edition)) = visible.granted(&heir.urn).await?
                    && edition.level() >= Level::Read
                {
                    let (id, ordinal) = (heir.id, heir.position.index);
                    successors.push(Relative { edition, id, ordinal, is_member: true });
                }
            }
        }
        let lineage = is_fresh.then(|| self.snapshot.lineage_key.id_of(&lineage));
        Ok((!successors.is_empty()).then_some(Former::Replaced { successors, lineage }))
    }

    /// The newest provision of a lineage that the viewer may read, by the decoded
    /// [`partition`](Self::partition), or else the newest one in an edition that they may see. `None` if
    /// there is none.
    ///
    /// # Errors
    /// Those of the engine.
    pub async fn newest(
        &self,
        resolved: ResolvedId,
        row: Option<PartitionRow>,
    ) -> Result<Option<(Lookup, ProvisionId, ProvisionPosition)>> {
        let (engine, visible) = (self.core.engine(), self.visible());
        let Some(member) = resolved.carried else { return Ok(None) };
        let partition = row.map(|row| row.partition).unwrap_or_default();
        let Some(position) = position(&partition, &member.urn, member.position.index) else {
            let found = visible.granted(&member.urn).await?;
            return Ok(found.map(|found| (found, member.id, member.position)));
        };
        let mut line: Vec<Position> = partition.newer(position).collect();
        line.reverse();
        line.push(position);
        line.extend(partition.older(position));
        let mut best: Option<(Lookup, Position)> = None;
        for position in line {
            let edition = &partition.editions[position.0];
            let Some(found) = visible.granted(&edition.urn).await? else { continue };
            if rank(&found) == READABLE {
                best = Some((found, position));
                break;
            }
            // Of equal ranks, the newer one was found first.
            if best.as_ref().is_none_or(|(known, _)| rank(known) < rank(&found)) {
                best = Some((found, position));
            }
        }
        let Some((found, (edition, ordinal))) = best else { return Ok(None) };
        let edition = &partition.editions[edition];
        let ids = lineage::provisions_of(engine, &edition.urn, Some(&edition.revision)).await?;
        let position = ids.and_then(|ids| ProvisionPosition::of(&ids, ordinal as usize));
        Ok(position.map(|(id, position)| (found, id, position)))
    }
}

/// The rank of an edition that the viewer may read.
const READABLE: u8 = 2;

/// The order in which the members of a lineage are preferred; the greatest first.
fn rank(found: &Lookup) -> u8 {
    match found {
        Lookup::Edition(edition) if edition.level() >= Level::Read => READABLE,
        Lookup::Edition(_) => 1,
        Lookup::Recalled { .. } => 0,
    }
}

/// The published provision for an id: its own, or that of its heir.
async fn carried(engine: &dyn Engine, mut id: ProvisionId) -> Result<Option<Carried>> {
    for _ in 0..CHAIN {
        if let Some((urn, position)) = of_provision(engine, &id).await? {
            return Ok(Some(Carried { urn, position, id }));
        }
        match lineage::retired(engine, &id).await? {
            Some((_, Retired { heir: Some(heir), .. })) => id = heir,
            _ => return Ok(None),
        }
    }
    Ok(None)
}
