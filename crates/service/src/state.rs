//! Shared state of the requests of a running service: settings, store, verifier, caches and counts.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use ipnet::IpNet;
use jiff::Timestamp;
use metrics_exporter_prometheus::PrometheusHandle;
use norma_audit::Audit;
use norma_auth::Verifier;
use norma_reads::ReadState;
use norma_settings::Settings;
use norma_store::Reader;
use norma_traces::Traces;

use crate::http::{Documents, ResponseCache};
use crate::limits::Rates;
use crate::requests::Requests;
use crate::telemetry::{BoundedLines, RequestCounts};

/// The state that the requests of a running service share.
pub(crate) struct Shared {
    pub(crate) settings: Settings,
    /// Gives editions only as one viewer may see them.
    pub(crate) store: Reader,
    pub(crate) verifier: Verifier,
    pub(crate) rates: Rates,
    pub(crate) requests: Requests,
    pub(crate) public_url: String,
    /// The path of the public URL, without slash at the end: the begin of references without a host.
    pub(crate) base_path: String,
    pub(crate) trusted_proxies: Vec<IpNet>,
    pub(crate) documents: Documents,
    pub(crate) metrics: PrometheusHandle,
    /// Number of standards that another version derived, as last counted. They are served as they are.
    pub(crate) stale: AtomicU64,
    pub(crate) stopping: Arc<AtomicBool>,
    pub(crate) counts: RequestCounts,
    pub(crate) traces: Traces,
    /// Lines of the log on refused tokens.
    pub(crate) refusals: BoundedLines,
    pub(crate) audit: Arc<Audit>,
    pub(crate) responses: ResponseCache,
    /// What reads share: memory, threads, comparisons, search.
    pub(crate) reads: Arc<ReadState>,
}

impl Shared {
    /// The time. Whatever depends on it takes it from here.
    #[allow(clippy::disallowed_methods, reason = "the clock of requests")]
    pub(crate) fn now(&self) -> Timestamp {
        Timestamp::now()
    }

    /// Number of standards that another version derived, as last counted.
    pub(crate) fn stale(&self) -> u64 {
        self.stale.load(Ordering::Relaxed)
    }

    /// True once the service was asked to stop.
    pub(crate) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }
}
