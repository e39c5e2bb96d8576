//! Cached key set of one issuer: one fetch for all waiting requests, use during an outage, and a limit on
//! refetches.

use std::{
    collections::HashMap,
    hash::{BuildHasher, RandomState},
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::Duration,
};

use arc_swap::ArcSwapOption;
use jiff::Timestamp;
use tokio::sync::watch;

use crate::{
    Fetch, Profile, Reject, Rules, TokenRule,
    claims::later,
    fetch,
    keyset::{KeySet, VerificationKey},
    tenant::TenantId,
};

/// First pause after a failed fetch; it doubles with each further failure.
const RETRY_MIN: Duration = Duration::from_secs(10);
/// Longest pause after failed fetches.
const RETRY_MAX: Duration = Duration::from_secs(20);

/// Values that all issuers of a verifier share: rules and fetcher.
pub(crate) struct IssuerContext {
    pub(crate) rules: Rules,
    pub(crate) fetch: Arc<dyn Fetch>,
}

/// The limiter of refetches caused by unknown `kid`s: one refetch per tenant and
/// [`KeyRules::refetch_gap`](crate::KeyRules::refetch_gap). It covers the key sets of all issuers of the
/// tenant, so that a flood of tokens of one issuer cannot keep out a new key of another.
#[derive(Default)]
pub(crate) struct RefetchLimiter(Mutex<LimiterState>);

#[derive(Default)]
struct LimiterState {
    last: Option<Timestamp>,
    issuers: Vec<Weak<IssuerKeys>>,
}

impl RefetchLimiter {
    /// Sets the issuers of the tenant.
    pub(crate) fn set_issuers(&self, issuers: &[Arc<IssuerKeys>]) {
        lock(&self.0).issuers = issuers.iter().map(Arc::downgrade).collect();
    }

    /// All issuers to refetch now, if the last refetch was long enough ago.
    fn acquire(&self, now: Timestamp, rules: &Rules) -> Option<Vec<Arc<IssuerKeys>>> {
        let mut state = lock(&self.0);
        let allowed = state.last.is_none_or(|last| age(last, now) >= rules.keys.refetch_gap);
        allowed.then(|| {
            state.last = Some(now);
            state.issuers.iter().filter_map(Weak::upgrade).collect()
        })
    }
}

/// One issuer of one tenant, and its keys.
pub(crate) struct IssuerKeys {
    pub(crate) tenant: TenantId,
    pub(crate) profile: Profile,
    pub(crate) refetch_limiter: Arc<RefetchLimiter>,
    cached: ArcSwapOption<CachedKeySet>,
    state: Mutex<FetchState>,
}

struct CachedKeySet {
    set: KeySet,
    since: Timestamp,
}

/// State of fetching. Its lock is held for a few instructions, never while something is awaited.
#[derive(Default)]
struct FetchState {
    /// Closed when the running fetch has ended, with success or not.
    running: Option<watch::Receiver<()>>,
    /// Time of the next fetch; `None` means at once.
    due: Option<Timestamp>,
    failures: u32,
    last_error: Option<String>,
    /// `kid`s that a good answer did not contain, each with the time of the answer.
    missing: HashMap<String, Timestamp>,
}

/// Most unknown `kid`s that are remembered; the gap between two refetches does not depend on them.
const MAX_MISSING_KIDS: usize = 64;

enum Action {
    Use(Arc<VerificationKey>),
    /// A running fetch of another request, which may have been answered before this key was published.
    Join(watch::Receiver<()>),
    Start(watch::Receiver<()>),
    Refuse(Reject),
}

impl IssuerKeys {
    pub(crate) fn new(tenant: TenantId, profile: Profile, refetch_limiter: Arc<RefetchLimiter>) -> Self {
        Self { tenant, profile, refetch_limiter, cached: ArcSwapOption::empty(), state: Mutex::default() }
    }

    /// The key of that `kid`; fetches the key set when that is needed and allowed.
    pub(crate) async fn key(
        self: &Arc<Self>,
        kid: &str,
        now: Timestamp,
        context: &Arc<IssuerContext>,
    ) -> Result<Arc<VerificationKey>, Reject> {
        let mut joined = false;
        let own = loop {
            let (wait, own) = match self.next_action(kid, now, context) {
                Action::Use(key) => return Ok(key),
                Action::Refuse(reject) => return Err(reject),
                Action::Join(wait) => (wait, false),
                Action::Start(wait) => (wait, true),
            };
            wait_for_fetch(wait).await;
            if let Some(key) = self.cached_key(kid, now, &context.rules) {
                return Ok(key);
            }
            // The second fetch that is joined began after this request came, so that its answer counts.
            if own || joined {
                break own;
            }
            joined = true;
        };
        let mut state = lock(&self.state);
        if state.failures > 0 {
            return Err(state.unavailable(now));
        }
        if own && state.missing.len() < MAX_MISSING_KIDS {
            state.missing.insert(kid.to_owned(), now);
        }
        Err(TokenRule::KeyUnknown.into())
    }

    fn next_action(self: &Arc<Self>, kid: &str, now: Timestamp, context: &Arc<IssuerContext>) -> Action {
        let rules = &context.rules;
        if let Some(key) = self.cached_key(kid, now, rules) {
            return Action::Use(key);
        }
        let mut state = lock(&self.state);
        if let Some(key) = self.cached_key(kid, now, rules) {
            return Action::Use(key); // fetched between the two lookups
        }
        if let Some(wait) = state.running() {
            return Action::Join(wait);
        }
        let refetch = match self.has_usable_keys(now, rules) {
            false => state.due.is_none_or(|due| now >= due).then(Vec::new),
            true if state.is_missing(kid, now, rules) => None,
            true => self.refetch_limiter.acquire(now, rules),
        };
        match refetch {
            Some(issuers) => {
                let wait = self.start(&mut state, now, context);
                drop(state);
                issuers.iter().for_each(|other| other.refetch(now, context));
                Action::Start(wait)
            }
            None if state.failures > 0 => Action::Refuse(state.unavailable(now)),
            None => Action::Refuse(TokenRule::KeyUnknown.into()),
        }
    }

    /// Starts a fetch unless one is running.
    fn refetch(self: &Arc<Self>, now: Timestamp, context: &Arc<IssuerContext>) {
        let mut state = lock(&self.state);
        if state.running().is_none() {
            self.start(&mut state, now, context);
        }
    }

    /// Starts a background refresh when one is due; the receiver closes when it has ended.
    pub(crate) fn refresh(
        self: &Arc<Self>,
        now: Timestamp,
        context: &Arc<IssuerContext>,
    ) -> Option<watch::Receiver<()>> {
        let mut state = lock(&self.state);
        if state.running().is_some() || state.due.is_some_and(|due| now < due) {
            return None;
        }
        Some(self.start(&mut state, now, context))
    }

    /// Starts a fetch as a separate task, so that it ends even when no request waits any longer.
    fn start(
        self: &Arc<Self>,
        state: &mut FetchState,
        now: Timestamp,
        context: &Arc<IssuerContext>,
    ) -> watch::Receiver<()> {
        let (done, wait) = watch::channel(());
        state.running = Some(wait.clone());
        let (issuer, context) = (self.clone(), context.clone());
        tokio::spawn(async move {
            let answer = fetch::load(&issuer.tenant, &issuer.profile, &context.rules, &*context.fetch).await;
            issuer.store_result(answer.map_err(|error| error.to_string()), now, &context.rules);
            drop(done);
        });
        wait
    }

    fn store_result(&self, answer: Result<KeySet, String>, now: Timestamp, rules: &Rules) {
        let (tenant, issuer) = (&self.tenant, &self.profile.issuer);
        for key in answer.iter().flat_map(|set| &set.skipped) {
            tracing::info!(%tenant, %issuer, index = key.index, reason = key.reason, "key skipped");
        }
        let answer = match answer {
            // An empty key set is a mistake of the provider: the previous keys stay in use until they expire.
            Ok(set) if set.len() == 0 => Err("the key set has no usable key".to_owned()),
            other => other,
        };
        if let Err(error) = &answer {
            tracing::warn!(%tenant, %issuer, %error, "keys not refreshed");
        }

        let mut state = lock(&self.state);
        let error =
            answer.map(|set| self.cached.store(Some(Arc::new(CachedKeySet { set, since: now })))).err();
        let pause = match error {
            None => jittered_refresh(rules),
            Some(_) => RETRY_MIN.saturating_mul(1 << state.failures.min(16)).min(RETRY_MAX),
        };
        state.failures = if error.is_some() { state.failures.saturating_add(1) } else { 0 };
        state.due = Some(later(now, pause));
        state.last_error = error;
        state.running = None;
    }

    /// Whether exactly this key is valid at this time.
    pub(crate) fn has_key(&self, key: &VerificationKey, now: Timestamp, rules: &Rules) -> bool {
        let cached = self.cached.load();
        cached.as_ref().is_some_and(|cached| {
            age(cached.since, now) < rules.keys.lifetime
                && cached.set.key(&key.kid).is_some_and(|own| **own == *key)
        })
    }

    fn cached_key(&self, kid: &str, now: Timestamp, rules: &Rules) -> Option<Arc<VerificationKey>> {
        let cached = self.cached.load();
        cached.as_ref().filter(|cached| age(cached.since, now) < rules.keys.lifetime)?.set.key(kid).cloned()
    }

    fn has_usable_keys(&self, now: Timestamp, rules: &Rules) -> bool {
        let cached = self.cached.load();
        cached
            .as_ref()
            .is_some_and(|cached| age(cached.since, now) < rules.keys.lifetime && cached.set.len() > 0)
    }

    /// Time of the next fetch.
    pub(crate) fn due(&self) -> Option<Timestamp> {
        lock(&self.state).due
    }

    /// State of the keys, for readiness checks and operators.
    pub(crate) fn health(&self, now: Timestamp, rules: &Rules) -> KeyHealth {
        let cached = self.cached.load();
        let state = lock(&self.state);
        KeyHealth {
            tenant: self.tenant.clone(),
            issuer: self.profile.issuer.clone(),
            keys: cached.as_ref().map_or(0, |cached| cached.set.len()),
            age: cached.as_ref().map(|cached| age(cached.since, now)),
            ready: self.has_usable_keys(now, rules),
            failures: state.failures,
            last_error: state.last_error.clone(),
            next: state.due,
        }
    }
}

/// State of the keys of one issuer at one time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyHealth {
    /// The tenant.
    pub tenant: TenantId,
    /// The issuer.
    pub issuer: String,
    /// Number of usable keys in the last successful fetch.
    pub keys: usize,
    /// Age of the last successful fetch; `None` before the first.
    pub age: Option<Duration>,
    /// Whether tokens of this issuer can be verified now.
    pub ready: bool,
    /// Number of failed fetches since the last successful one.
    pub failures: u32,
    /// Error of the last fetch; `None` after a success.
    pub last_error: Option<String>,
    /// Time of the next fetch; `None` means at once.
    pub next: Option<Timestamp>,
}

impl FetchState {
    fn running(&self) -> Option<watch::Receiver<()>> {
        self.running.clone().filter(|wait| wait.has_changed().is_ok())
    }

    fn is_missing(&mut self, kid: &str, now: Timestamp, rules: &Rules) -> bool {
        self.missing.retain(|_, since| age(*since, now) < rules.keys.unknown_key_ttl);
        self.missing.contains_key(kid)
    }

    fn unavailable(&self, now: Timestamp) -> Reject {
        let pause = self.due.map_or(Duration::ZERO, |due| age(now, due));
        Reject::KeysUnavailable {
            retry_after: Duration::from_secs(pause.as_secs_f64().ceil().max(1.0) as u64),
        }
    }
}

/// Waits until the fetch has dropped the sender; nothing is ever sent.
pub(crate) async fn wait_for_fetch(mut wait: watch::Receiver<()>) {
    while wait.changed().await.is_ok() {}
}

/// Time to the next refresh: at most `refresh`, minus random jitter, so that tenants and instances do not
/// refresh at the same time.
fn jittered_refresh(rules: &Rules) -> Duration {
    let keys = &rules.keys;
    let most = keys.refresh * keys.jitter_percent / 100;
    let chance = RandomState::new().hash_one(()) as f64 / u64::MAX as f64;
    keys.refresh.saturating_sub(most.mul_f64(chance))
}

fn age(since: Timestamp, now: Timestamp) -> Duration {
    Duration::try_from(now.duration_since(since)).unwrap_or(Duration::ZERO)
}

/// Locks, ignoring poisoning: a panic elsewhere leaves these few fields consistent.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
