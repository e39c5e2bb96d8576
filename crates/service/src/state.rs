//! What the requests of a running service share. It holds caches, and no state that could be lost.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use bytes::Bytes;
use ipnet::IpNet;
use jiff::Timestamp;
use metrics_exporter_prometheus::PrometheusHandle;
use moka::future::Cache;
use norma_auth::Verifier;
use norma_model::Digest;
use norma_store::Store;

use crate::audit::Audit;
use crate::config::Settings;
use crate::http::{Documents, Failure, InFlight, ResponseCache};
use crate::limits::Rates;
use crate::render::Index;
use crate::requests::Requests;
use crate::telemetry::{Counts, RefusalLog};

/// What the requests of a running service share.
pub(crate) struct Shared {
    pub(crate) settings: Settings,
    pub(crate) store: Store,
    pub(crate) verifier: Verifier,
    pub(crate) rates: Rates,
    pub(crate) requests: Requests,
    pub(crate) public_url: String,
    pub(crate) trusted_proxies: Vec<IpNet>,
    pub(crate) documents: Documents,
    pub(crate) metrics: PrometheusHandle,
    /// How many standards another version derived, as last counted. They are served as they are.
    pub(crate) stale: AtomicU64,
    pub(crate) stopping: Arc<AtomicBool>,
    pub(crate) counts: Counts,
    pub(crate) refusals: RefusalLog,
    pub(crate) audit: Arc<Audit>,
    pub(crate) responses: ResponseCache,
    pub(crate) in_flight: Arc<InFlight>,
    pub(crate) indexes: Cache<Digest, Arc<Index>>,
    pub(crate) spliced: Cache<String, Bytes>,
}

/// How many indexes and spliced views are remembered, in bytes for each of the two.
const SMALL_CACHE: u64 = 16 << 20;

impl Shared {
    /// The time. Whatever depends on it takes it from here.
    pub(crate) fn now(&self) -> Timestamp {
        Timestamp::now()
    }

    /// The index with this digest, read once.
    pub(crate) async fn index(
        &self,
        digest: Digest,
        read: impl AsyncFnOnce() -> Result<Index, Failure>,
    ) -> Result<Arc<Index>, Failure> {
        if let Some(index) = self.indexes.get(&digest).await {
            return Ok(index);
        }
        let index = Arc::new(read().await?);
        self.indexes.insert(digest, index.clone()).await;
        Ok(index)
    }

    /// Bytes that were put together for a read and may be asked for again; `key` names all that they depend on.
    pub(crate) async fn spliced(
        &self,
        key: String,
        make: impl AsyncFnOnce() -> Result<Bytes, Failure>,
    ) -> Result<Bytes, Failure> {
        if let Some(bytes) = self.spliced.get(&key).await {
            return Ok(bytes);
        }
        let bytes = make().await?;
        self.spliced.insert(key, bytes.clone()).await;
        Ok(bytes)
    }

    /// How many standards another version derived, as last counted.
    pub(crate) fn stale(&self) -> u64 {
        self.stale.load(Ordering::Relaxed)
    }

    /// Whether it was asked to stop.
    pub(crate) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }
}

/// A cache of spliced views.
pub(crate) fn spliced_views() -> Cache<String, Bytes> {
    Cache::builder().max_capacity(SMALL_CACHE).weigher(|_, b: &Bytes| weight(b.len())).build()
}

/// A cache of indexes.
pub(crate) fn indexes() -> Cache<Digest, Arc<Index>> {
    let size = |_: &Digest, index: &Arc<Index>| {
        let outline = &index.outline;
        weight(
            96 * (outline.sections.len()
                + outline.provisions.len()
                + outline.terms.len()
                + index.pictures.len()),
        )
    };
    Cache::builder().max_capacity(SMALL_CACHE).weigher(size).build()
}

fn weight(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}
