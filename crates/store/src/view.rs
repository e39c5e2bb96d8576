//! Catalogue view: everything that one viewer may see, and nothing else.

use std::cmp::Reverse;
use std::sync::{Arc, RwLockReadGuard};

use fixedbitset::FixedBitSet;
use norma_model::{Identifier, Lang, PartialUrn, ProvisionId, Urn};

use crate::access::{Level, Rights, SigningKey, Viewer};
use crate::catalogue::entry::{EditionCandidate, of_alias, of_document, of_provision};
use crate::catalogue::{comparison, edition, list};
use crate::columns::{DRAFT, PUBLISHED};
use crate::core::Core;
use crate::edition_index::{Aliased, MatchingEditions, Visible};
use crate::entry::{CachedEntry, Entry, OperatorNotice, ProvisionPosition, Related};
use crate::lineage::Comparable;
use crate::page::{ListPage, PageKey, Query, check_limit};
use crate::snapshot::Snapshot;
use crate::{BlobReader, CatalogueState, EditionHandle, Result, SlotRows, StoreError};

/// The catalogue as one viewer sees it, as of one moment.
pub struct CatalogueView<'a> {
    pub(crate) core: &'a Arc<Core>,
    pub(crate) snapshot: Arc<Snapshot>,
    pub(crate) rights: Arc<Rights>,
    pub(crate) viewer: Viewer,
}

/// Which editions a viewer may use, by their URNs.
pub(crate) struct VisibleEditions<'a> {
    pub(crate) core: &'a Arc<Core>,
    snapshot: Arc<Snapshot>,
    rights: &'a Arc<Rights>,
}

impl VisibleEditions<'_> {
    /// The edition with this URN, at the level of the viewer.
    pub(crate) async fn granted(&self, urn: &str) -> Result<Option<Lookup>> {
        let Some(record) = self.snapshot.record(self.core.engine(), urn).await? else { return Ok(None) };
        let Some(level) = self.rights.level(urn, &record.entry.summary.ics) else { return Ok(None) };
        if let Some(reason) = &record.entry.recalled {
            let (urn, reason) = (record.entry.summary.urn.clone(), reason.clone());
            let notice = record.entry.notice.clone();
            return Ok(Some(Lookup::Recalled { urn, reason, notice }));
        }
        let (core, rights) = (Arc::clone(self.core), Arc::clone(self.rights));
        Ok(Some(Lookup::Edition(GrantedEdition { core, record, rights, level })))
    }

    /// True if the viewer may read an edition, or could if it were not recalled or removed.
    pub(crate) async fn reads(&self, urn: &str) -> Result<bool> {
        let record = self.snapshot.record(self.core.engine(), urn).await?;
        // Of a removed edition nothing but the URN is known.
        let ics = match &record {
            Some(record) => record.entry.summary.ics.as_slice(),
            None => &[],
        };
        Ok(self.rights.level(urn, ics) == Some(Level::Read))
    }
}

/// Result of a lookup.
#[derive(Debug)]
pub enum Lookup {
    /// An edition that may be used at its level.
    Edition(GrantedEdition),
    /// A recalled edition that the viewer has a grant for.
    Recalled {
        /// URN of the recalled edition.
        urn: Urn,
        /// The reason of the recall, for the operator.
        reason: String,
        /// What the operator says to callers.
        notice: Option<OperatorNotice>,
    },
}

/// An edition that the viewer may see. What its level does not allow, it does not give.
///
/// ```
/// use norma_store::{BlobReader, EditionHandle, GrantedEdition};
///
/// fn handle(edition: &GrantedEdition) -> Option<EditionHandle> {
///     edition.readable()
/// }
/// fn pack(edition: &GrantedEdition) -> BlobReader {
///     edition.pack()
/// }
/// ```
///
/// There is no handle without a look at the level, and none is made of an entry:
///
/// ```compile_fail,E0308
/// # use norma_store::{EditionHandle, GrantedEdition};
/// fn handle(edition: &GrantedEdition) -> EditionHandle {
///     edition.readable()
/// }
/// ```
/// ```compile_fail,E0624
/// # use norma_store::{EditionHandle, GrantedEdition};
/// fn handle(edition: &GrantedEdition) -> EditionHandle {
///     edition.handle()
/// }
/// ```
/// ```compile_fail,E0599
/// # use norma_store::{EditionHandle, GrantedEdition, Reader};
/// fn handle(reader: &Reader, edition: &GrantedEdition) -> EditionHandle {
///     reader.handle(edition.entry())
/// }
/// ```
#[derive(Clone)]
pub struct GrantedEdition {
    core: Arc<Core>,
    record: Arc<CachedEntry>,
    rights: Arc<Rights>,
    level: Level,
}

impl GrantedEdition {
    pub(crate) fn core(&self) -> &Arc<Core> {
        &self.core
    }

    /// The catalogue as its viewer sees it now.
    pub(crate) async fn visible(&self) -> Result<VisibleEditions<'_>> {
        let snapshot = self.core.snapshot().await?;
        Ok(VisibleEditions { core: &self.core, snapshot, rights: &self.rights })
    }

    /// The values of the edition in the catalogue.
    pub fn entry(&self) -> &Arc<Entry> {
        &self.record.entry
    }

    /// The level at which the viewer may use it.
    pub fn level(&self) -> Level {
        self.level
    }

    fn handle(&self) -> EditionHandle {
        EditionHandle::new(&self.core, self.entry())
    }

    fn is_readable(&self) -> bool {
        self.level >= Level::Read
    }

    /// The edition with its pack, its assets and its comparisons, if the viewer may read it.
    pub fn readable(&self) -> Option<EditionHandle> {
        self.is_readable().then(|| self.handle())
    }

    /// The pack of the edition, limited to the viewer's level. At level `discover` these are the ranges of
    /// [`StoreOptions::discoverable`](crate::StoreOptions::discoverable), and no other byte is read.
    pub fn pack(&self) -> BlobReader {
        let pack = self.handle().pack();
        if self.is_readable() {
            return pack;
        }
        let discoverable = self.core.settings().discoverable;
        pack.within(discoverable(&self.entry().directory))
    }

    /// Both editions for their comparison, if the viewer may read one of them. Of the other edition, answers
    /// show counts of the whole comparison only.
    pub fn compared_with(&self, other: &Self) -> Option<[EditionHandle; 2]> {
        (self.is_readable() || other.is_readable()).then(|| [self, other].map(Self::handle))
    }

    /// The values that decide whether it may be compared; `None` if it is no longer in the state in which it
    /// was read.
    ///
    /// # Errors
    /// Those of the engine.
    pub async fn comparable(&self) -> Result<Option<Comparable>> {
        let entry = self.entry();
        comparison::comparable(self.core.engine(), entry.summary.urn.as_str(), &entry.revision).await
    }

    /// True if it is in force because an edition that superseded it was recalled, and the viewer may see that
    /// edition.
    pub fn has_recalled_successor(&self) -> bool {
        for (urn, ics) in &self.record.recalled_successors {
            if self.rights.level(urn, ics).is_some() {
                return true;
            }
        }
        false
    }

    /// The related editions that the viewer may see, by kind and URN.
    pub fn related(&self) -> Vec<Related> {
        let mut visible = Vec::new();
        for (related, ics) in &self.record.related {
            if self.rights.level(related.urn.as_str(), ics).is_some() {
                visible.push(related.clone());
            }
        }
        visible
    }
}

impl std::fmt::Debug for GrantedEdition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GrantedEdition")
            .field("entry", self.entry())
            .field("level", &self.level)
            .finish_non_exhaustive()
    }
}

/// The editions that a viewer may search, at one version of the index of editions.
#[derive(Clone)]
pub struct SearchableEditions {
    core: Arc<Core>,
    read: Arc<MatchingEditions>,
    discover: Arc<MatchingEditions>,
}

impl SearchableEditions {
    /// The editions that fit a query, for an operator, who may read everything.
    pub(crate) async fn of_operator(core: &Arc<Core>, query: &Query) -> Result<Self> {
        let state = core.refresh().await?.state;
        core.editions().follow(core.engine(), state).await?;
        let aliased = list::aliased(core.engine(), &query.identifiers).await?;
        let rows = core.editions().rows();
        let aliased = Aliased { rows: aliased, version: rows.version() };
        let everything = Visible::everything(&rows);
        let at = |level| {
            let query = Query { level: Some(level), ..query.clone() };
            Arc::new(rows.matching(&query, &aliased, &everything, None))
        };
        Ok(Self { core: Arc::clone(core), read: at(Level::Read), discover: at(Level::Discover) })
    }

    /// The index of editions, if none of these editions changed since they were selected. Others may have.
    pub fn rows(&self) -> Option<RwLockReadGuard<'_, SlotRows>> {
        let rows = self.core.editions().rows();
        for set in [&self.read, &self.discover] {
            let mut changed = rows.changed_since(set.version)?;
            if changed.any(|slot| set.slots.contains(slot as usize)) {
                return None;
            }
        }
        Some(rows)
    }

    /// The level at which the viewer may use the edition in a slot; `None` where it is hidden or left out.
    pub fn level(&self, slot: u32) -> Option<Level> {
        if self.read.slots.contains(slot as usize) {
            Some(Level::Read)
        } else if self.discover.slots.contains(slot as usize) {
            Some(Level::Discover)
        } else {
            None
        }
    }

    /// The number of all of them.
    pub fn count(&self) -> usize {
        self.read.slots.count_ones(..) + self.discover.slots.count_ones(..)
    }

    /// The number of those that are in a set of slots.
    pub fn count_in(&self, slots: &FixedBitSet) -> usize {
        self.count_readable_in(slots) + self.discover.slots.intersection_count(slots)
    }

    /// The number of those that the viewer may read and that are in a set of slots.
    pub fn count_readable_in(&self, slots: &FixedBitSet) -> usize {
        self.read.slots.intersection_count(slots)
    }
}

impl CatalogueView<'_> {
    /// The editions that fit a query, for a search in them. The level of the query counts for nothing.
    ///
    /// # Errors
    /// As [`list`](Self::list).
    pub async fn searchable(&self, query: &Query) -> Result<SearchableEditions> {
        let at = |level| Query { level: Some(level), ..query.clone() };
        let read = self.matching(&at(Level::Read)).await?;
        let discover = self.matching(&at(Level::Discover)).await?;
        Ok(SearchableEditions { core: Arc::clone(self.core), read, discover })
    }

    /// The edition that this identifier means for this viewer. A partial URN means the latest published
    /// edition, in the first of the `preferred` languages it is there in, else in the original language. A
    /// hidden edition is as if it were not there, also for aliases and latest editions.
    pub async fn find(&self, identifier: &Identifier, preferred: &[Lang]) -> Result<Option<Lookup>> {
        let found = self.lookup(identifier, preferred).await?;
        if found.is_some() {
            return Ok(found);
        }
        let engine = self.core.engine();
        let mut meant = of_alias(engine, edition::alias(identifier)).await?;
        meant.retain(|one| self.may_see(one));
        match meant.as_slice() {
            [one] => self.granted(&one.urn).await,
            [] => match identifier.to_urn() {
                // A text that is itself a URN was looked up above.
                Some(urn) if urn.as_str() != edition::alias(identifier) => {
                    self.lookup(&completed(urn), preferred).await
                }
                _ => Ok(None),
            },
            // An alias of several editions means none of them.
            _ => Ok(None),
        }
    }

    async fn lookup(&self, identifier: &Identifier, preferred: &[Lang]) -> Result<Option<Lookup>> {
        match identifier {
            Identifier::Urn(urn) => self.granted(urn.as_str()).await,
            Identifier::Partial(partial) => {
                let mut candidates = of_document(self.core.engine(), partial.document_urn()).await?;
                candidates.retain(|one| self.may_see(one));
                match latest(&candidates, partial, preferred) {
                    Some(one) => self.granted(&one.urn).await,
                    None => Ok(None),
                }
            }
            Identifier::Alias(_) => Ok(None),
        }
    }

    fn may_see(&self, candidate: &EditionCandidate) -> bool {
        self.rights.level(&candidate.urn, &candidate.ics).is_some()
    }

    async fn granted(&self, urn: &str) -> Result<Option<Lookup>> {
        self.visible().granted(urn).await
    }

    pub(crate) fn visible(&self) -> VisibleEditions<'_> {
        VisibleEditions { core: self.core, snapshot: Arc::clone(&self.snapshot), rights: &self.rights }
    }

    /// The edition with this provision, and its position there.
    pub async fn provision(&self, id: &ProvisionId) -> Result<Option<(Lookup, ProvisionPosition)>> {
        let Some((urn, position)) = of_provision(self.core.engine(), id).await? else { return Ok(None) };
        Ok(self.granted(&urn).await?.map(|found| (found, position)))
    }

    /// A page of what the viewer may see: at most `limit` rows after the key `after`, or from the start.
    /// Clients take turns at finding what fits a query.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the client's turn does not come within the setting `acquire_timeout`,
    /// [`StoreError::Invalid`] where the key is of another order, and those of the engine.
    pub async fn list(&self, query: &Query, after: Option<&PageKey>, limit: u32) -> Result<ListPage> {
        check_limit(limit)?;
        let limit = limit as usize;
        let engine = self.core.engine();
        let found = self.matching(query).await?;
        let (ids, next) = {
            let rows = self.core.editions().rows();
            // One row more than requested shows whether there is a next page.
            let mut slots = rows.page(&found.slots, query, after, limit + 1)?;
            let more = slots.len() > limit;
            slots.truncate(limit);
            let editions: Vec<_> = slots.iter().filter_map(|slot| rows.get(*slot)).collect();
            let ids: Vec<i64> = editions.iter().map(|one| one.id).collect();
            let next = if more { editions.last().map(|last| last.key(query.sort)) } else { None };
            (ids, next)
        };
        let rows = list::rows_of(engine, query, &self.rights, &ids).await?;
        Ok(ListPage { rows, next, total: found.slots.count_ones(..) as u64 })
    }

    /// The editions that fit a query, found once for each version of the index of editions.
    async fn matching(&self, query: &Query) -> Result<Arc<MatchingEditions>> {
        let engine = self.core.engine();
        self.core.editions().follow(engine, self.snapshot.state).await?;
        let key = list::query_key(query, &self.rights);
        if let Some(known) = self.core.editions().known_matching(&key) {
            return Ok(known);
        }
        // Aliases may be of this version or of a later one, whose changes are compared once more.
        let version = self.core.editions().rows().version();
        let aliased = list::aliased(engine, &query.identifiers).await?;
        let turn = self.core.list_turn(&self.viewer).await?;
        let (core, rights, query) = (Arc::clone(self.core), Arc::clone(&self.rights), query.clone());
        let work = move || {
            let _turn = turn;
            core.editions().matching(key, &query, &Aliased { rows: aliased, version }, &rights)
        };
        let found = tokio::task::spawn_blocking(work).await;
        found.map_err(|error| StoreError::unavailable("list standards", error))
    }

    /// The catalogue as the same viewer may see it now.
    ///
    /// # Errors
    /// Those of the engine.
    pub async fn renewed(&self) -> Result<Self> {
        let snapshot = self.core.refresh().await?;
        let rights = snapshot.rights(&self.viewer);
        Ok(Self { core: self.core, snapshot, rights, viewer: self.viewer.clone() })
    }

    /// True if the viewer is refused: suspended, or of an unknown tenant.
    pub fn is_suspended(&self) -> bool {
        self.rights.is_suspended
    }

    /// The key that URLs of assets are sealed with now; `None` if the store has none yet.
    pub fn signing_key(&self) -> Option<&SigningKey> {
        self.snapshot.policy.signing_keys.first()
    }

    /// True if the catalogue can only be read, because its file or folder cannot be written.
    pub fn is_read_only(&self) -> bool {
        self.core.engine().is_read_only()
    }

    /// The state of the catalogue that this view shows.
    pub fn state(&self) -> CatalogueState {
        self.snapshot.state
    }
}

fn completed(urn: PartialUrn) -> Identifier {
    match urn.complete() {
        Some(urn) => Identifier::Urn(urn),
        None => Identifier::Partial(urn),
    }
}

/// The candidate that a URN means without language, or without edition and language. An edition in force
/// comes before any other; drafts count only where the URN itself names a draft, recalled editions where
/// there is no other.
fn latest<'a>(
    candidates: &'a [EditionCandidate],
    urn: &PartialUrn,
    preferred: &[Lang],
) -> Option<&'a EditionCandidate> {
    let mut named = Vec::new();
    for one in candidates {
        let is_named = match urn.edition() {
            Some(edition) => one.edition == edition,
            None => one.status != DRAFT || urn.stage().is_some(),
        };
        if is_named {
            named.push(one);
        }
    }
    // The languages of the best edition are editions of their own, with one rank.
    let best = named.iter().map(|one| rank(one)).max()?;
    named.retain(|one| rank(one) == best);
    named.into_iter().min_by_key(|one| language_order(one, preferred))
}

/// The order of editions of a document; the greatest is the one that its URN means.
fn rank(one: &EditionCandidate) -> (Reverse<bool>, bool, &str) {
    (Reverse(one.is_recalled), one.status == PUBLISHED, &one.edition_key)
}

/// The order of the languages of an edition; the least is the one that is preferred.
fn language_order<'a>(one: &'a EditionCandidate, preferred: &[Lang]) -> (usize, bool, &'a str) {
    // Lookup (RFC 4647, section 3.4): `de-AT` is answered with `de` where there is no closer one.
    let fits = |lang: &Lang| one.languages.iter().any(|own| own == lang.as_str() || own == lang.primary());
    let index = preferred.iter().position(fits).unwrap_or(usize::MAX);
    (index, !one.original, &one.urn)
}
