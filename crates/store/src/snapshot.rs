//! Caches for one catalogue snapshot; dropped as a whole when the change sequence advances.

use std::sync::Arc;
use std::time::Instant;

use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::access::{Policy, Rights, Viewer};
use crate::cache::cache_of_bytes;
use crate::catalogue::feed::{self, CatalogueState, ChangesSince};
use crate::engine::Engine;
use crate::entry::CachedEntry;
use crate::{LineageKey, Result, catalogue};

/// Viewers whose rights are cached.
const CACHED_VIEWERS: usize = 1_000;

/// Most bytes of cached catalogue entries: those of some 8,000 editions, or of fewer where documents have
/// hundreds of editions, which are all related to each other.
const CACHED_ENTRIES: u64 = 16 << 20;

/// Bytes of a small entry, and of the largest that is expected.
const SMALL_ENTRY: u64 = 2 << 10;
const LARGE_ENTRY: u64 = 512 << 10;

/// About as many bytes as an entry has in memory.
#[derive(Clone)]
struct EntryBytes;

impl Weighter<String, Option<Arc<CachedEntry>>> for EntryBytes {
    fn weight(&self, urn: &String, entry: &Option<Arc<CachedEntry>>) -> u64 {
        let Some(record) = entry else { return 128 + urn.len() as u64 };
        let relations = record.related.len() + record.recalled_successors.len();
        let parts = record.entry.directory.len() + 200 * record.entry.assets.len() + 250 * relations;
        1024 + parts as u64
    }
}

/// A state of the catalogue, and what was read of it so far.
pub(crate) struct Snapshot {
    pub(crate) state: CatalogueState,
    pub(crate) policy: Arc<Policy>,
    pub(crate) lineage_key: Arc<LineageKey>,
    records: Cache<String, Option<Arc<CachedEntry>>, EntryBytes>,
    rights: Arc<Cache<Viewer, Arc<Rights>>>,
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
            records: cache_of_bytes(CACHED_ENTRIES, SMALL_ENTRY, LARGE_ENTRY, EntryBytes),
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
