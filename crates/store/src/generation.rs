//! What is known of the catalogue as of one change number: thrown away as a whole when the number moves on.

use std::sync::Arc;
use std::time::Instant;

use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::access::{Policy, Rights, Viewer};
use crate::catalogue::feed::{self, State, Subject};
use crate::catalogue::gathered::Gathered;
use crate::catalogue::list::{self, Asked};
use crate::engine::Engine;
use crate::entry::Record;
use crate::page::{Query, Sort};
use crate::scans::Scan;
use crate::{Result, Settings, catalogue};

/// Viewers and counts that are remembered.
const FEW: usize = 1_000;

/// Lists in order that may be remembered, each of some rows.
const LISTS: usize = 100;

/// More changes than this are not looked through.
const CHANGES: u32 = 1_000;

/// A state of the catalogue, and what was read of it so far.
pub(crate) struct Generation {
    pub(crate) state: State,
    pub(crate) policy: Arc<Policy>,
    records: Cache<String, Option<Arc<Record>>>,
    counts: Cache<Asked, u64>,
    gathered: Cache<(Sort, Asked), Arc<Gathered>, ByRows>,
    rights: Arc<Cache<Viewer, Arc<Rights>>>,
}

#[derive(Clone)]
struct ByRows;

impl Weighter<(Sort, Asked), Arc<Gathered>> for ByRows {
    fn weight(&self, _: &(Sort, Asked), rows: &Arc<Gathered>) -> u64 {
        1 + rows.len() as u64
    }
}

/// The present generation, and when it was last compared with the catalogue.
pub(crate) struct Present {
    pub(crate) generation: Arc<Generation>,
    pub(crate) looked: Instant,
}

impl Generation {
    pub(crate) async fn load(engine: &dyn Engine, state: State, settings: &Settings) -> Result<Self> {
        Ok(Self::new(state, Arc::new(catalogue::admin::policy(engine).await?), settings))
    }

    /// The state after changes from this one on; who may see what is read again only where it changed.
    pub(crate) async fn next(&self, engine: &dyn Engine, state: State, settings: &Settings) -> Result<Self> {
        if !feed::was(engine, self.state).await? {
            // The database was put back: what is known here may have happened nowhere.
            return Self::load(engine, state, settings).await;
        }
        let changes = feed::after(engine, self.state.sequence, CHANGES).await?;
        let all = changes.len() < CHANGES as usize
            && changes.last().is_some_and(|last| last.sequence >= state.sequence);
        if !all || changes.iter().any(|change| !matches!(change.subject, Subject::Edition(_))) {
            return Self::load(engine, state, settings).await;
        }
        Ok(Self { rights: Arc::clone(&self.rights), ..Self::new(state, Arc::clone(&self.policy), settings) })
    }

    fn new(state: State, policy: Arc<Policy>, settings: &Settings) -> Self {
        Self {
            state,
            policy,
            records: Cache::new(settings.entry_cache),
            counts: Cache::new(FEW),
            gathered: Cache::with_weighter(LISTS, settings.gathered_rows, ByRows),
            rights: Arc::new(Cache::new(FEW)),
        }
    }

    /// The edition of this URN; concurrent callers share one look.
    pub(crate) async fn record(&self, engine: &dyn Engine, urn: &str) -> Result<Option<Arc<Record>>> {
        let load = async { Ok(catalogue::entry::load(engine, urn).await?.map(Arc::new)) };
        self.records.get_or_insert_async(urn, load).await
    }

    /// How many rows fit.
    pub(crate) async fn count(&self, scan: &Scan<'_>, query: &Query, rights: &Rights) -> Result<u64> {
        let count = async { list::number(scan, list::count(query, rights)).await };
        self.counts.get_or_insert_async(&list::name(query, rights), count).await
    }

    /// All that fits, in ascending order.
    pub(crate) async fn gathered(
        &self,
        scan: &Scan<'_>,
        query: &Query,
        rights: &Rights,
    ) -> Result<Arc<Gathered>> {
        let gather = async { Ok(Arc::new(list::gather(scan, query, rights).await?)) };
        self.gathered.get_or_insert_async(&list::gathered(query, rights), gather).await
    }

    /// What this viewer may see.
    pub(crate) fn rights(&self, viewer: &Viewer) -> Arc<Rights> {
        let rights = || Ok::<_, std::convert::Infallible>(Arc::new(self.policy.rights(viewer)));
        let Ok(rights) = self.rights.get_or_insert_with(viewer, rights);
        rights
    }
}
