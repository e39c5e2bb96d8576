//! Fates of asked provisions and lineages in one edition, along the heirs of ids that are not published.

use std::collections::HashMap;
use std::sync::Arc;

use norma_model::lineage::{Fate, Followed, FormerId, PartitionPosition as Position};
use norma_model::{LineageId, Partition, ProvisionId};

use super::{CHAIN, oldest_member, position};
use crate::catalogue::entry::of_provision;
use crate::catalogue::lineage;
use crate::lineage::Retired;
use crate::lineage_key::LineageKey;
use crate::view::{GrantedEdition, VisibleEditions};
use crate::{Result, columns};

/// Ids of provisions, read once for each edition.
pub(super) struct ProvisionIds<'a> {
    viewed: &'a GrantedEdition,
    known: HashMap<String, Vec<ProvisionId>>,
}

impl<'a> ProvisionIds<'a> {
    pub(super) fn new(viewed: &'a GrantedEdition) -> Self {
        Self { viewed, known: HashMap::new() }
    }

    pub(super) async fn all(&mut self, urn: &str) -> Result<&[ProvisionId]> {
        if !self.known.contains_key(urn) {
            let ids = lineage::provisions(self.viewed.core().engine(), urn).await?.unwrap_or_default();
            self.known.insert(urn.to_owned(), ids);
        }
        Ok(&self.known[urn])
    }
}

/// The fates of provisions in one edition.
pub(super) struct Fates<'a> {
    /// The found provisions of this edition and of others of the document, by URN and ordinal.
    pub(super) found: HashMap<ProvisionId, (Arc<str>, usize)>,
    pub(super) partition: Partition,
    pub(super) previous: HashMap<Position, Position>,
    pub(super) is_fresh: bool,
    pub(super) from: Option<&'a str>,
    pub(super) ids: ProvisionIds<'a>,
    pub(super) visible: VisibleEditions<'a>,
    pub(super) key: Arc<LineageKey>,
}

/// The way from an asked id along its heirs.
struct HeirChain {
    asked: ProvisionId,
    /// The id that the chain has reached.
    id: ProvisionId,
    /// True where the fate of any member of the lineage answers.
    by_lineage: bool,
    /// True once the viewer may read an edition that has, or had, an id of the chain.
    is_known: bool,
    former: Option<FormerId>,
}

impl Fates<'_> {
    /// The fate of a provision, which is known if its edition is; with `by_lineage`, that of any member of
    /// its lineage.
    pub(super) async fn of(&mut self, asked: ProvisionId, by_lineage: bool) -> Result<Option<Followed>> {
        let viewed = self.ids.viewed;
        let engine = viewed.core().engine();
        let stem = viewed.entry().summary.urn.document_urn();
        let mut chain = HeirChain { asked, id: asked, by_lineage, is_known: false, former: None };
        for _ in 0..CHAIN {
            if let Some((urn, ordinal)) = self.find(&chain.id).await? {
                return self.of_published(chain, urn, ordinal).await;
            }
            let Some((document, retired)) = lineage::retired(engine, &chain.id).await? else {
                return Ok(None);
            };
            if document != stem {
                return Ok(None);
            }
            // An id of a removed edition is known to those whose grants cover its URN.
            let is_readable = self.visible.reads(&retired.edition).await?;
            chain.is_known |= is_readable;
            if !by_lineage {
                note_former(&mut chain.former, &retired, is_readable);
            }
            let Some(heir) = retired.heir else {
                let gone = Followed { fate: Fate::Gone, lineage: None, source: None, former: chain.former };
                return Ok(chain.is_known.then_some(gone));
            };
            chain.id = heir;
        }
        Ok(None)
    }

    /// The fate of a chain that has reached a published provision.
    async fn of_published(
        &mut self,
        chain: HeirChain,
        urn: Arc<str>,
        ordinal: usize,
    ) -> Result<Option<Followed>> {
        let HeirChain { asked, id, by_lineage, is_known, former } = chain;
        let own = &self.ids.viewed.entry().summary.urn;
        let is_own = *urn == *own.as_str();
        let fate = if is_own {
            Fate::Provision(ordinal)
        } else if columns::read_urn(&urn)?.document_urn() != own.document_urn() {
            return Ok(None);
        } else {
            self.remember(&id, &urn).await?;
            self.followed(&urn, ordinal)
        };
        let is_readable = is_own || self.visible.reads(&urn).await?;
        let mut is_known = is_known || is_readable;
        // A lineage is known by any of its members.
        if by_lineage && !is_known {
            is_known = matches!(fate, Fate::Provision(_)) || self.has_readable_member(&urn, ordinal).await?;
        }
        if !is_known {
            return Ok(None);
        }
        let source = if by_lineage {
            self.member_of_from(&urn, ordinal)
        } else {
            // An id that a change of the text retired names another text than that of its heir.
            let is_same_text = id == asked || former.as_ref().is_some_and(|former| former.by_rules);
            (is_same_text && is_readable).then(|| ((*urn).into(), ordinal))
        };
        let lineage = self.lineage(&urn, ordinal).await?;
        Ok(Some(Followed { fate, lineage, source, former }))
    }

    /// Adds all provisions of the edition in which an id was found: more of them are probably asked for.
    async fn remember(&mut self, id: &ProvisionId, urn: &Arc<str>) -> Result<()> {
        if !self.found.contains_key(id) {
            for (id, ordinal) in self.ids.all(urn).await?.iter().zip(0..) {
                self.found.insert(*id, (Arc::clone(urn), ordinal));
            }
        }
        Ok(())
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
        let (urn, ordinal) = match position(&self.partition, urn, ordinal) {
            Some(position) => {
                let (edition, ordinal) = oldest_member(&self.previous, position);
                (&*self.partition.editions[edition].urn, ordinal as usize)
            }
            None => (urn, ordinal),
        };
        let ids = self.ids.all(urn).await?;
        match ids.get(ordinal) {
            // The members of a partition that is not fresh may belong to other lineages.
            Some(id) if self.is_fresh => Ok(Some(self.key.id_of(id))),
            _ => Ok(None),
        }
    }

    /// The member in the edition `from` of the lineage of a provision.
    fn member_of_from(&self, urn: &str, ordinal: usize) -> Option<(Box<str>, usize)> {
        let from = self.from?;
        if urn == from {
            return Some((from.into(), ordinal));
        }
        let edition = self.partition.editions.iter().position(|edition| *edition.urn == *from)?;
        let position = position(&self.partition, urn, ordinal)?;
        for (of_member, ordinal) in self.older(position).chain(self.partition.newer(position)) {
            if of_member == edition {
                return Some((from.into(), ordinal as usize));
            }
        }
        None
    }

    /// True if the viewer may read the edition of another member of the lineage of a provision.
    async fn has_readable_member(&self, urn: &str, ordinal: usize) -> Result<bool> {
        let Some(position) = position(&self.partition, urn, ordinal) else { return Ok(false) };
        for (edition, _) in self.older(position).chain(self.partition.newer(position)) {
            if self.visible.reads(&self.partition.editions[edition].urn).await? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What became in this edition of a provision of another one: the member of its lineage that is here.
    fn followed(&self, urn: &str, ordinal: usize) -> Fate {
        let own = self.ids.viewed.entry();
        let here = self.partition.edition(own.summary.urn.as_str(), &own.revision);
        let (Some(here), Some(position)) = (here, position(&self.partition, urn, ordinal)) else {
            return Fate::Absent;
        };
        for (edition, ordinal) in self.older(position).chain(self.partition.newer(position)) {
            if edition == here {
                return Fate::Provision(ordinal as usize);
            }
        }
        Fate::Absent
    }
}

/// Notes the next retired id of a chain of heirs. The first one that a change of the text retired counts, or
/// else the last one.
pub(super) fn note_former(former: &mut Option<FormerId>, retired: &Retired, is_readable: bool) {
    let Retired { id, edition, revision, by_rules, heir, .. } = retired;
    let mut ids = match former {
        Some(former) if !former.by_rules => return,
        Some(former) => std::mem::take(&mut former.ids),
        None => vec![*id],
    };
    if *by_rules {
        ids.extend(heir);
    }
    let (urn, revision) = (edition.as_str().into(), revision.as_str().into());
    *former = is_readable.then_some(FormerId { ids, urn, revision, by_rules: *by_rules });
}
