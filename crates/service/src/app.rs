//! A running service: what its requests share, its listeners, and the tasks that keep it current.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use ipnet::IpNet;
use jiff::Timestamp;
use metrics_exporter_prometheus::PrometheusHandle;
use moka::future::Cache;
use norma_auth::Verifier;
use norma_model::Digest;
use norma_store::{Location, Policy, Store};

use crate::audit::Audit;
use crate::config::{Settings, StoreSettings};
use crate::http::{self, Failure};
use crate::limits::Rates;
use crate::render::{DERIVER_VERSION, Index};
use crate::requests::Requests;
pub use crate::sockets::Sockets;
use crate::{files, identity, sockets, telemetry};

/// What the requests of a running service share. It holds caches, and no state that could be lost.
pub struct App {
    pub(crate) settings: Settings,
    pub(crate) store: Store,
    pub(crate) verifier: Verifier,
    pub(crate) rates: Rates,
    pub(crate) requests: Requests,
    pub(crate) public_url: String,
    pub(crate) trusted_proxies: Vec<IpNet>,
    pub(crate) documents: http::Documents,
    pub(crate) metrics: PrometheusHandle,
    stale: AtomicU64,
    stopping: Arc<AtomicBool>,
    pub(crate) counts: telemetry::Counts,
    pub(crate) refusals: telemetry::RefusalLog,
    pub(crate) audit: Arc<Audit>,
    pub(crate) recent: http::Recent,
    pub(crate) in_flight: Arc<http::InFlight>,
    policy: Mutex<Option<Arc<Policy>>>,
    indexes: Cache<Digest, Arc<Index>>,
    spliced: Cache<String, Bytes>,
}

/// A service that answers.
pub struct Running {
    /// Base URL of the API, as callers reach it.
    pub public_url: String,
    /// Where the API listens.
    pub address: SocketAddr,
    /// Where health and metrics are to be had.
    pub ops_address: SocketAddr,
    api: http::Listener,
    ops: http::Listener,
    stopping: Arc<AtomicBool>,
    drain: std::time::Duration,
    grace: std::time::Duration,
    tasks: Vec<tokio::task::JoinHandle<()>>,
    audit: Arc<Audit>,
}

/// Why a service does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// An address cannot be listened on.
    #[error("cannot listen on {address}; choose another with `--{setting}` (port 0 takes a free one)")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The setting that names it.
        setting: &'static str,
        /// What the system said.
        source: std::io::Error,
    },
    /// The settings do not fit together.
    #[error("`{setting}`: {why}")]
    Setting {
        /// The setting.
        setting: &'static str,
        /// What is wrong and how to mend it.
        why: String,
    },
    /// Identity cannot be set up.
    #[error(transparent)]
    Identity(#[from] identity::Error),
    /// The store cannot be had.
    #[error(transparent)]
    Store(#[from] norma_store::Error),
}

/// How many indexes and spliced views are remembered, in bytes for each of the two.
const SMALL_CACHE: u64 = 16 << 20;

/// Memory for the bytes of blobs in a command that ends.
const WORKING_CACHE: u64 = 4 << 20;

/// How often tenants are compared with the store, and keys with their age.
const TICK: std::time::Duration = std::time::Duration::from_millis(250);

/// Opens the store that the settings name, making it where there is none.
pub async fn open_store(settings: &StoreSettings) -> Result<Store, norma_store::Error> {
    let (location, how) = store_settings(settings)?;
    Store::open(&location, &how).await
}

/// Makes the schema of the store that the settings name; false when it is there.
pub async fn migrate_store(settings: &StoreSettings) -> Result<bool, norma_store::Error> {
    let (location, how) = store_settings(settings)?;
    Store::migrate(&location, &how).await
}

/// Opens the store as a command does that works on it and ends: with little memory for bytes, none of which is asked
/// for twice. Where there is none, it is made only if `make` says so.
pub async fn open_store_to_work(settings: &StoreSettings, make: bool) -> Result<Store, norma_store::Error> {
    let (location, mut how) = store_settings(settings)?;
    how.make = make;
    how.blob_cache_bytes = how.blob_cache_bytes.min(WORKING_CACHE);
    how.mmap_bytes = 0;
    Store::open(&location, &how).await
}

fn store_settings(settings: &StoreSettings) -> Result<(Location, norma_store::Settings), norma_store::Error> {
    let mut location: Location = settings.store.parse()?;
    if !settings.blobs.is_empty() {
        location = location.with_blobs(&settings.blobs);
    }
    let mut how = norma_store::Settings::default();
    how.migrate = settings.migrate;
    how.connections = settings.store_connections;
    how.patience = settings.store_timeout.std();
    how.statement_timeout = settings.statement_timeout.std();
    how.object_timeout = settings.object_timeout.std();
    how.look_after = settings.change_interval.std();
    how.stale_after = settings.stale_after.std();
    how.blob_cache_bytes = settings.cache_size.bytes();
    Ok((location, how))
}

impl App {
    /// Starts the listeners and tasks of a service on a store.
    pub async fn start(settings: Settings, store: Store) -> Result<Running, StartError> {
        Self::start_on(Sockets::bind(&settings)?, settings, store).await
    }

    /// The same on sockets that were bound before, from these settings.
    pub async fn start_on(sockets: Sockets, settings: Settings, store: Store) -> Result<Running, StartError> {
        let Sockets { api, ops } = sockets;
        let audit = Audit::open(&settings.log).map_err(|error| StartError::Setting {
            setting: "audit-file",
            why: format!("{} cannot be written: {error}", settings.log.audit_file),
        })?;
        let audit = Arc::new(audit);
        let address = sockets::local(&api);
        let public_url = sockets::public_url(&settings.http, address);
        let ops_address = sockets::reachable(sockets::local(&ops));
        let connections = files::connections(settings.http.max_connections);
        let stopping = Arc::<AtomicBool>::default();
        let app = Arc::new(Self {
            verifier: identity::verifier(&settings.identity)?,
            rates: Rates::new(&settings.limits),
            requests: Requests::new(settings.limits.max_requests_per_client),
            trusted_proxies: networks(&settings.http.trusted_proxies)?,
            documents: http::Documents::new(&settings, &public_url),
            public_url: public_url.clone(),
            metrics: telemetry::metrics(),
            stale: AtomicU64::new(0),
            stopping: stopping.clone(),
            counts: telemetry::Counts::default(),
            refusals: telemetry::RefusalLog::new(settings.log.log_refused_limit),
            audit: audit.clone(),
            recent: http::Recent::new(settings.store.answer_cache.bytes()),
            in_flight: http::InFlight::of(&settings),
            policy: Mutex::new(None),
            indexes: weighed(),
            spliced: Cache::builder()
                .max_capacity(SMALL_CACHE)
                .weigher(|_, b: &Bytes| weight(b.len()))
                .build(),
            store,
            settings,
        });
        let has_key = !app.store.policy().await?.signing_keys.is_empty();
        if app.store.is_read_only() {
            tracing::info!(
                has_key,
                "the store can only be read; without a signing key, assets are answered with 503"
            );
        } else if !has_key {
            app.store.rotate_signing_key(std::time::SystemTime::now()).await?;
        }
        app.follow().await;
        app.count_stale().await;
        let limits = &app.settings.http;
        let admission = http::Admission::new(
            connections,
            Some(limits.max_connections_per_address),
            app.trusted_proxies.clone(),
        );
        let api = http::serve(api, http::api(app.clone())?, limits, admission, true)?;
        let admission = http::Admission::new(limits.max_ops_connections, None, Vec::new());
        let ops = http::serve(ops, http::ops(app.clone()), limits, admission, false)?;
        let (drain, grace) = (limits.drain_time.std(), limits.shutdown_grace.std());
        let tasks = vec![tokio::spawn(app.clone().keep_current()), tokio::spawn(app.keep_keys())];
        Ok(Running { public_url, address, ops_address, api, ops, stopping, drain, grace, tasks, audit })
    }

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

    /// Takes over the tenants of the store as it is now; true when they could be read.
    async fn follow(&self) -> bool {
        match self.store.policy_now().await {
            Ok(policy) => {
                let mut known = self.policy.lock().unwrap_or_else(|e| e.into_inner());
                // Most changes of the catalogue are none of tenants.
                if known.as_ref().is_none_or(|known| {
                    known.tenants != policy.tenants || known.suspended != policy.suspended
                }) {
                    self.verifier.replace_tenants(identity::tenants(&self.settings.identity, &policy));
                    *known = Some(policy);
                }
                true
            }
            Err(error) => {
                tracing::warn!(%error, "tenants cannot be read; those known stay in force");
                false
            }
        }
    }

    /// How many standards another version derived, as last counted. They are served as they are.
    pub(crate) fn stale(&self) -> u64 {
        self.stale.load(Ordering::Relaxed)
    }

    /// Whether it was asked to stop.
    pub(crate) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    /// Counts them, and tells the operator when there come to be some or none.
    async fn count_stale(&self) {
        let stale = match self.store.derived_by_others(&DERIVER_VERSION.to_string()).await {
            Ok(stale) => stale,
            Err(error) => return tracing::debug!(%error, "stale standards cannot be counted"),
        };
        metrics::gauge!("norma_stale_standards").set(stale as f64);
        let before = self.stale.swap(stale, Ordering::Relaxed);
        if stale > 0 && before == 0 {
            tracing::warn!(
                stale,
                "standards were derived by another version and are served as they are; run `norma rebuild`"
            );
        } else if stale == 0 && before > 0 {
            tracing::info!("all standards are derived by this version");
        }
    }

    async fn keep_current(self: Arc<Self>) {
        let mut ticks = tokio::time::interval(TICK);
        let mut known = None;
        loop {
            ticks.tick().await;
            self.rates.forget_idle();
            self.requests.forget_idle();
            self.refusals.flush();
            match self.store.state().await {
                Ok(state) if known == Some(state) => {}
                Ok(state) => {
                    known = self.follow().await.then_some(state);
                    self.count_stale().await;
                }
                Err(error) => tracing::debug!(%error, "the store does not answer"),
            }
        }
    }

    async fn keep_keys(self: Arc<Self>) {
        let mut ticks = tokio::time::interval(TICK * 4);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            self.verifier.refresh_due(self.now()).await;
            // Durations wait to be put into buckets; where nobody scrapes, they would pile up.
            self.metrics.run_upkeep();
        }
    }
}

impl Running {
    /// Says that it is not ready, takes requests for `drain-time`, lets those in flight finish within
    /// `shutdown-grace`, then stops.
    pub async fn stop(self) {
        self.stopping.store(true, Ordering::Relaxed);
        self.api.stop(self.drain, self.grace).await;
        self.ops.stop(std::time::Duration::ZERO, self.grace).await;
        for task in self.tasks {
            task.abort();
        }
        self.audit.close();
    }
}

pub(crate) fn networks(proxies: &[String]) -> Result<Vec<IpNet>, StartError> {
    let network = |text: &String| {
        let one = || text.parse::<std::net::IpAddr>().map(IpNet::from);
        text.parse::<IpNet>().or_else(|_| one()).map_err(|_| StartError::Setting {
            setting: "trusted-proxies",
            why: format!("`{text}` is no address or network"),
        })
    };
    proxies.iter().map(network).collect()
}

fn weight(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

fn weighed() -> Cache<Digest, Arc<Index>> {
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
