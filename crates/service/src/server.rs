//! Running service: its listeners, its background tasks, start and stop.

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use norma_audit::Audit;
use norma_editions::lineage::Refresher;
use norma_editions::search::{EditionSearch, IndexState};
use norma_reads::{Comparisons, ReadState};
use norma_settings::{Settings, UnusableSetting};
use norma_store::{Policy, Store, StoreError};
use norma_traces::Traces;
use tokio::task::JoinHandle;

pub use crate::error::StartError;
use crate::fixed_limits::REFUSED_LINES_PER_MINUTE;
pub use crate::fixed_limits::{FixedLimits, ListenerLimits};
use crate::http;
use crate::limits::Rates;
use crate::requests::Requests;
use crate::sockets;
pub use crate::sockets::Sockets;
use crate::state::Shared;
use crate::{files, identity, telemetry};

/// A service that answers.
pub struct RunningService {
    /// Base URL of the API, as callers reach it.
    pub public_url: String,
    /// The address of the API.
    pub address: SocketAddr,
    /// The address of health and metrics.
    pub ops_address: SocketAddr,
    api: http::Listener,
    ops: http::Listener,
    stopping: Arc<AtomicBool>,
    drain: Duration,
    grace: Duration,
    tasks: Vec<JoinHandle<()>>,
    audit: Arc<Audit>,
    traces: Traces,
    comparisons: Arc<Comparisons>,
    search: Option<EditionSearch>,
}

/// Interval between checks of the age of keys.
const KEY_CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// Starts the listeners and tasks of a service on a store. `deriver`: the version of the program that derives
/// editions.
pub async fn start(settings: Settings, store: Store, deriver: u32) -> Result<RunningService, StartError> {
    start_within(FixedLimits::default(), Sockets::bind(&settings)?, settings, store, deriver).await
}

/// The same on sockets that were already bound, from these settings.
pub async fn start_on(
    sockets: Sockets,
    settings: Settings,
    store: Store,
    deriver: u32,
) -> Result<RunningService, StartError> {
    start_within(FixedLimits::default(), sockets, settings, store, deriver).await
}

/// The same within limits that no setting changes.
pub async fn start_within(
    limits: FixedLimits,
    sockets: Sockets,
    settings: Settings,
    store: Store,
    deriver: u32,
) -> Result<RunningService, StartError> {
    let Sockets { api, ops } = sockets;
    let audit = Arc::new(open_audit(&settings)?);
    let address = sockets::local(&api);
    let public_url = sockets::public_url(&settings.http, address);
    let ops_address = sockets::reachable(sockets::local(&ops));
    let connections = files::connections(settings.http.max_connections);
    let stopping = Arc::<AtomicBool>::default();
    let (lineages, refreshing) = Refresher::start(store.clone());
    let (search, indexing) = start_search(&store, &settings)?;
    let traces = Traces::start(&settings.traces, limits.traces)?;
    let shared = Arc::new(Shared {
        verifier: identity::verifier(&settings.identity, limits.keys)?,
        rates: Rates::new(&settings.limits),
        requests: Requests::new(settings.limits.max_requests_per_client),
        trusted_proxies: http::networks(&settings.http.trusted_proxies)?,
        documents: http::Documents::new(&settings, &public_url),
        base_path: sockets::base_path(&public_url),
        public_url: public_url.clone(),
        metrics: telemetry::metrics(),
        stale: AtomicU64::new(0),
        stopping: stopping.clone(),
        counts: telemetry::RequestCounts::default(),
        traces: traces.clone(),
        refusals: telemetry::BoundedLines::per_minute(REFUSED_LINES_PER_MINUTE),
        audit: audit.clone(),
        responses: http::ResponseCache::new(settings.store.response_cache.bytes()),
        reads: ReadState::new(&settings, limits.reads, search, lineages),
        store: store.reader(),
        settings,
    });
    tracing::info!("{}", identity::audiences(&shared.settings.identity));
    make_signing_key(&store, &shared).await?;
    let follower = StoreFollower::start(&shared, deriver).await;
    let (api, ops) = serve((api, ops), &shared, &limits.listeners, connections)?;
    let http_settings = &shared.settings.http;
    let (drain, grace) = (http_settings.drain_time.std(), http_settings.shutdown_grace.std());
    Ok(RunningService {
        public_url,
        address,
        ops_address,
        api,
        ops,
        stopping,
        drain,
        grace,
        audit,
        traces,
        comparisons: shared.reads.comparisons.clone(),
        search: shared.reads.search.clone(),
        tasks: vec![tokio::spawn(follower.run()), tokio::spawn(refresh_keys(shared)), refreshing, indexing],
    })
}

fn open_audit(settings: &Settings) -> Result<Audit, UnusableSetting> {
    Audit::open(&settings.log).map_err(|error| UnusableSetting {
        setting: "audit-file",
        why: format!("{} cannot be written: {error}", settings.log.audit_file),
    })
}

/// Starts the search where it is on, and the task that follows the catalogue for it.
fn start_search(
    store: &Store,
    settings: &Settings,
) -> Result<(Option<EditionSearch>, JoinHandle<()>), StartError> {
    if settings.search.search {
        let (search, task) = EditionSearch::start(store.clone(), settings).map_err(StartError::Search)?;
        return Ok((Some(search), task));
    }
    // The search reads the index of editions at the start. Without it, the first list would wait.
    let reader = store.reader();
    let reading = async move {
        if let Err(error) = reader.follow_editions().await {
            tracing::debug!(%error, "the index of editions could not be read");
        }
    };
    Ok((None, tokio::spawn(reading)))
}

/// Makes the first key that URLs of assets are sealed with, where the store can be written.
async fn make_signing_key(store: &Store, shared: &Shared) -> Result<(), StartError> {
    let has_key = !store.policy().await?.signing_keys.is_empty();
    if store.is_read_only() {
        tracing::info!(
            has_key,
            "the store can only be read; without a signing key, assets are answered with 503"
        );
    } else if !has_key {
        store.rotate_signing_key(shared.now().into()).await?;
    }
    Ok(())
}

/// Accepts connections for the API, and for health and metrics.
fn serve(
    (api, ops): (TcpListener, TcpListener),
    shared: &Arc<Shared>,
    limits: &ListenerLimits,
    connections: usize,
) -> Result<(http::Listener, http::Listener), StartError> {
    let settings = &shared.settings.http;
    let admission = http::Admission::new(
        connections,
        Some(settings.max_connections_per_address),
        shared.trusted_proxies.clone(),
    );
    let api = http::serve(api, http::Routes::api(shared.clone())?, (settings, limits), admission, true)?;
    let admission = http::Admission::new(limits.max_ops_connections, None, Vec::new());
    let ops = http::serve(ops, http::Routes::ops(shared.clone()), (settings, limits), admission, false)?;
    Ok((api, ops))
}

impl RunningService {
    /// Number of comparisons made for requests, without stored or cached ones.
    pub fn comparisons_made(&self) -> u64 {
        self.comparisons.made()
    }

    /// State of the search index; `None` where search is off.
    pub fn search_state(&self) -> Option<IndexState> {
        self.search.as_ref().map(EditionSearch::state)
    }

    /// Reports that it is not ready, accepts requests for `drain-time`, waits at most `shutdown-grace` for
    /// those in flight, then stops. Traces are sent in what is left of that time.
    pub async fn stop(self) {
        let deadline = Instant::now() + self.drain + self.grace;
        self.stopping.store(true, Ordering::Relaxed);
        self.api.stop(self.drain, self.grace).await;
        self.ops.stop(Duration::ZERO, self.grace).await;
        for task in self.tasks {
            task.abort();
        }
        self.audit.close();
        self.traces.stop(deadline.saturating_duration_since(Instant::now())).await;
    }
}

/// Keeps tenants and counts as the store has them.
struct StoreFollower {
    shared: Arc<Shared>,
    /// The policy with the tenants that are accepted.
    policy: Option<Arc<Policy>>,
    /// The version that derives editions now.
    deriver: String,
}

impl StoreFollower {
    /// Reads tenants and counts for the first time, so that the first request finds them.
    async fn start(shared: &Arc<Shared>, deriver: u32) -> Self {
        let mut follower = Self { shared: Arc::clone(shared), policy: None, deriver: deriver.to_string() };
        follower.update_tenants().await;
        follower.count_stale().await;
        follower
    }

    async fn run(mut self) {
        let mut ticks = tokio::time::interval(self.shared.settings.store.poll_interval.std());
        let (mut known, mut was_replaced) = (None, false);
        loop {
            ticks.tick().await;
            self.shared.rates.forget_idle();
            self.shared.requests.forget_idle();
            if let Some(left_out) = self.shared.refusals.left_out() {
                tracing::info!(left_out, "tokens were refused that are not in the log one by one");
            }
            let state = self.shared.store.state().await;
            let is_replaced = matches!(state, Err(StoreError::Replaced { .. }));
            if let Err(error) = &state
                && is_replaced
                && !was_replaced
            {
                tracing::error!(%error, "the service answers 503");
            }
            was_replaced = is_replaced;
            match state {
                Ok(state) if known == Some(state) => {}
                Ok(state) => {
                    known = self.update_tenants().await.then_some(state);
                    self.count_stale().await;
                }
                Err(error) => tracing::debug!(%error, "the store does not answer"),
            }
        }
    }

    /// Reads the tenants of the store again; true if they could be read.
    async fn update_tenants(&mut self) -> bool {
        let Shared { store, verifier, settings, .. } = &*self.shared;
        match store.policy_now().await {
            Ok(policy) => {
                // Most changes of the catalogue leave the tenants as they are.
                let has_changed = match &self.policy {
                    Some(known) => known.tenants != policy.tenants || known.suspended != policy.suspended,
                    None => true,
                };
                if has_changed {
                    verifier.replace_tenants(identity::tenants(&settings.identity, &policy));
                    self.policy = Some(policy);
                }
                true
            }
            Err(error) => {
                tracing::warn!(%error, "tenants cannot be read; those known stay in force");
                false
            }
        }
    }

    /// Counts the standards that another version derived, and reports to the operator when the first appears
    /// or the last is gone.
    async fn count_stale(&self) {
        let stale = match self.shared.store.derived_by_others(&self.deriver).await {
            Ok(stale) => stale,
            Err(error) => return tracing::debug!(%error, "stale standards cannot be counted"),
        };
        metrics::gauge!("norma_stale_standards").set(stale as f64);
        let before = self.shared.stale.swap(stale, Ordering::Relaxed);
        if stale > 0 && before == 0 {
            tracing::warn!(
                stale,
                "another version derived standards, or a rebuild of them was stopped; they are served as they are; run `norma rebuild`"
            );
        } else if stale == 0 && before > 0 {
            tracing::info!("all standards are derived by this version");
        }
    }
}

async fn refresh_keys(shared: Arc<Shared>) {
    let mut ticks = tokio::time::interval(KEY_CHECK_INTERVAL);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        shared.verifier.refresh_due(shared.now()).await;
        // Durations wait to be sorted into buckets; without scrapes they would accumulate.
        shared.metrics.run_upkeep();
    }
}
