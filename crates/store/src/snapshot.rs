//! Caches for one catalogue snapshot; dropped as a whole when the change sequence advances.

use std::sync::Arc;
use std::time::Instant;

use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::access::{Policy, Rights, Viewer};
use crate::catalogue::feed::{self, State};
use crate::catalogue::list::{self, QueryKey};
use crate::catalogue::ordered_ids::OrderedIds;
use crate::engine::Engine;
use crate::entry::Record;
use crate::page::{Query, Sort};
use crate::scans::Scan;
use crate::{LineageKey, Result, catalogue};

/// Cached viewers and counts.
const CACHED_VIEWERS: usize = 1_000;

/// Cached ordered lists.
const CACHED_LISTS: usize = 100;

/// Editions whose catalogue entry is cached.
const CACHED_EDITIONS: usize = 2_000;

/// Rows that all lists together cache, about 20 bytes each.
const CACHED_ROWS: u64 = 400_000;

/// A state of the catalogue, with the values read from it so far.
pub(crate) struct Snapshot {
    pub(crate) state: State,
    pub(crate) policy: Arc<Policy>,
    pub(crate) lineage_key: Arc<LineageKey>,
    records: Cache<String, Option<Arc<Record>>>,
    counts: Cache<QueryKey, u64>,
    ordered_ids: Cache<(Sort, QueryKey), Arc<OrderedIds>, ByRows>,
    rights: Arc<Cache<Viewer, Arc<Rights>>>,
}

#[derive(Clone)]
struct ByRows;

impl Weighter<(Sort, QueryKey), Arc<OrderedIds>> for ByRows {
    fn weight(&self, _: &(Sort, QueryKey), rows: &Arc<OrderedIds>) -> u64 {
        1 + rows.len() as u64
    }
}

/// The present snapshot, and the time when it was last compared with the catalogue.
pub(crate) struct CurrentSnapshot {
    pub(crate) snapshot: Arc<Snapshot>,
    pub(crate) checked_at: Instant,
}

impl Snapshot {
    pub(crate) async fn load(engine: &dyn Engine, state: State) -> Result<Self> {
        let lineage_key = Arc::new(catalogue::lineage_key::load(engine).await?);
        Ok(Self::new(state, Arc::new(catalogue::admin::policy(engine).await?), lineage_key))
    }

    /// The state after changes to this one; access is read again only if it changed.
    pub(crate) async fn next(&self, engine: &dyn Engine, state: State) -> Result<Self> {
        if !feed::only_editions_changed(engine, self.state).await? {
            return Self::load(engine, state).await;
        }
        let next = Self::new(state, Arc::clone(&self.policy), Arc::clone(&self.lineage_key));
        Ok(Self { rights: Arc::clone(&self.rights), ..next })
    }

    fn new(state: State, policy: Arc<Policy>, lineage_key: Arc<LineageKey>) -> Self {
        Self {
            state,
            policy,
            lineage_key,
            records: Cache::new(CACHED_EDITIONS),
            counts: Cache::new(CACHED_VIEWERS),
            ordered_ids: Cache::with_weighter(CACHED_LISTS, CACHED_ROWS, ByRows),
            rights: Arc::new(Cache::new(CACHED_VIEWERS)),
        }
    }

    /// The edition with this URN; concurrent callers share one query.
    pub(crate) async fn record(&self, engine: &dyn Engine, urn: &str) -> Result<Option<Arc<Record>>> {
        let load = async { Ok(catalogue::entry::load(engine, urn).await?.map(Arc::new)) };
        self.records.get_or_insert_async(urn, load).await
    }

    /// How many rows fit.
    pub(crate) async fn count(&self, scan: &Scan<'_>, query: &Query, rights: &Rights) -> Result<u64> {
        let count = async { list::number(scan, list::count(query, rights)).await };
        self.counts.get_or_insert_async(&list::query_key(query, rights), count).await
    }

    /// All that fits, in ascending order.
    pub(crate) async fn ordered_ids(
        &self,
        scan: &Scan<'_>,
        query: &Query,
        rights: &Rights,
    ) -> Result<Arc<OrderedIds>> {
        let load = async { Ok(Arc::new(list::ordered_ids(scan, query, rights).await?)) };
        self.ordered_ids.get_or_insert_async(&list::ordered_ids_key(query, rights), load).await
    }

    /// The rights of this viewer.
    pub(crate) fn rights(&self, viewer: &Viewer) -> Arc<Rights> {
        let rights = || Ok::<_, std::convert::Infallible>(Arc::new(self.policy.rights(viewer)));
        let Ok(rights) = self.rights.get_or_insert_with(viewer, rights);
        rights
    }
}
