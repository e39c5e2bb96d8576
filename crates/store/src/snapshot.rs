//! Caches for one catalogue snapshot; dropped as a whole when the change sequence advances.

use std::sync::Arc;
use std::time::Instant;

use fixedbitset::FixedBitSet;
use quick_cache::sync::Cache;

use crate::access::{Policy, Rights, Viewer};
use crate::catalogue::feed::{self, CatalogueState, ChangesSince};
use crate::catalogue::list::QueryKey;
use crate::engine::Engine;
use crate::entry::CachedEntry;
use crate::{LineageKey, Result, catalogue};

/// Viewers whose rights are cached.
const CACHED_VIEWERS: usize = 1_000;

/// Cached lists: 13 KB each where there are 100,000 editions.
const CACHED_LISTS: usize = 100;

/// Editions whose catalogue entry is cached.
const CACHED_EDITIONS: usize = 2_000;

/// A state of the catalogue, and what was read of it so far.
pub(crate) struct Snapshot {
    pub(crate) state: CatalogueState,
    pub(crate) policy: Arc<Policy>,
    pub(crate) lineage_key: Arc<LineageKey>,
    records: Cache<String, Option<Arc<CachedEntry>>>,
    /// What fits a query.
    pub(crate) lists: Cache<QueryKey, Arc<MatchingEditions>>,
    rights: Arc<Cache<Viewer, Arc<Rights>>>,
}

/// The editions that fit a query, as slots of one version of the index of editions.
pub(crate) struct MatchingEditions {
    pub(crate) version: usize,
    pub(crate) slots: FixedBitSet,
}

/// The present snapshot, and the time when it was last compared with the catalogue.
pub(crate) struct CurrentSnapshot {
    pub(crate) snapshot: Arc<Snapshot>,
    pub(crate) checked_at: Instant,
    /// True if the last check found another store in the place of this one: the snapshot is not used until a
    /// check finds it again.
    pub(crate) is_replaced: bool,
}

impl Snapshot {
    pub(crate) async fn load(engine: &dyn Engine, state: CatalogueState) -> Result<Self> {
        let lineage_key = Arc::new(catalogue::lineage_key::load(engine).await?);
        Ok(Self::new(state, Arc::new(catalogue::admin::policy(engine).await?), lineage_key))
    }

    /// The state after changes to this one; access is read again only if it changed.
    ///
    /// # Errors
    /// [`StoreError::Replaced`](crate::StoreError::Replaced) where a file has another history.
    pub(crate) async fn next(&self, engine: &dyn Engine, state: CatalogueState) -> Result<Self> {
        match feed::kinds_since(engine, self.state).await? {
            ChangesSince::Editions => {}
            ChangesSince::Access => return Self::load(engine, state).await,
            ChangesSince::OtherHistory => {
                return match engine.other_history() {
                    Some(error) => Err(error),
                    None => Self::load(engine, state).await,
                };
            }
        }
        let next = Self::new(state, Arc::clone(&self.policy), Arc::clone(&self.lineage_key));
        Ok(Self { rights: Arc::clone(&self.rights), ..next })
    }

    fn new(state: CatalogueState, policy: Arc<Policy>, lineage_key: Arc<LineageKey>) -> Self {
        Self {
            state,
            policy,
            lineage_key,
            records: Cache::new(CACHED_EDITIONS),
            lists: Cache::new(CACHED_LISTS),
            rights: Arc::new(Cache::new(CACHED_VIEWERS)),
        }
    }

    /// The edition with this URN; concurrent callers share one query.
    pub(crate) async fn record(&self, engine: &dyn Engine, urn: &str) -> Result<Option<Arc<CachedEntry>>> {
        let load = async { Ok(catalogue::entry::load(engine, urn).await?.map(Arc::new)) };
        self.records.get_or_insert_async(urn, load).await
    }

    /// What this viewer may see.
    pub(crate) fn rights(&self, viewer: &Viewer) -> Arc<Rights> {
        let rights = || Ok::<_, std::convert::Infallible>(Arc::new(self.policy.rights(viewer)));
        let Ok(rights) = self.rights.get_or_insert_with(viewer, rights);
        rights
    }
}
