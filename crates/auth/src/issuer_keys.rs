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
        if let Some(last) = state.last
            && age(last, now) < rules.keys.refetch_gap
        {
            return None;
        }
        state.last = Some(now);
        Some(state.issuers.iter().filter_map(Weak::upgrade).collect())
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

/// The last good answer of the provider, with the time of it.
struct CachedKeySet {
    set: KeySet,
    since: Timestamp,
}

impl CachedKeySet {
    /// True if the keys may still be used.
    fn is_valid(&self, now: Timestamp, rules: &Rules) -> bool {
        age(self.since, now) < rules.keys.lifetime
    }
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
        // Another request may have fetched it between the two lookups.
        if let Some(key) = self.cached_key(kid, now, rules) {
            return Action::Use(key);
        }
        if let Some(wait) = state.running() {
            return Action::Join(wait);
        }
        let Some(others) = self.issuers_to_refetch(kid, &mut state, now, rules) else {
            let is_unavailable = state.failures > 0;
            let reject = if is_unavailable { state.unavailable(now) } else { TokenRule::KeyUnknown.into() };
            return Action::Refuse(reject);
        };
        let wait = self.start(&mut state, now, context);
        // `refetch` takes the lock of this issuer, too, which is one of the others.
        drop(state);
        for other in others {
            other.refetch(now, context);
        }
        Action::Start(wait)
    }

    /// The issuers to fetch with this one for a key that is not cached; `None` where no fetch is allowed now.
    fn issuers_to_refetch(
        &self,
        kid: &str,
        state: &mut FetchState,
        now: Timestamp,
        rules: &Rules,
    ) -> Option<Vec<Arc<Self>>> {
        if !self.has_usable_keys(now, rules) {
            return if state.is_due(now) { Some(Vec::new()) } else { None };
        }
        if state.is_missing(kid, now, rules) {
            return None;
        }
        self.refetch_limiter.acquire(now, rules)
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
        if state.running().is_some() || !state.is_due(now) {
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
        if let Ok(set) = &answer {
            for key in &set.skipped {
                tracing::info!(%tenant, %issuer, index = key.index, reason = key.reason, "key skipped");
            }
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
        match answer {
            Ok(set) => {
                self.cached.store(Some(Arc::new(CachedKeySet { set, since: now })));
                state.due = Some(later(now, jittered_refresh(rules)));
                state.failures = 0;
                state.last_error = None;
            }
            Err(error) => {
                state.due = Some(later(now, pause_after(state.failures)));
                state.failures = state.failures.saturating_add(1);
                state.last_error = Some(error);
            }
        }
        state.running = None;
    }

    /// True if exactly this key is valid at this time.
    pub(crate) fn has_key(&self, key: &VerificationKey, now: Timestamp, rules: &Rules) -> bool {
        let cached = self.cached.load();
        let Some(cached) = cached.as_ref() else { return false };
        if !cached.is_valid(now, rules) {
            return false;
        }
        match cached.set.key(&key.kid) {
            Some(own) => **own == *key,
            None => false,
        }
    }

    fn cached_key(&self, kid: &str, now: Timestamp, rules: &Rules) -> Option<Arc<VerificationKey>> {
        let cached = self.cached.load();
        let cached = cached.as_ref()?;
        if !cached.is_valid(now, rules) {
            return None;
        }
        cached.set.key(kid).cloned()
    }

    fn has_usable_keys(&self, now: Timestamp, rules: &Rules) -> bool {
        match self.cached.load().as_ref() {
            Some(cached) => cached.is_valid(now, rules) && cached.set.len() > 0,
            None => false,
        }
    }

    /// Time of the next fetch.
    pub(crate) fn due(&self) -> Option<Timestamp> {
        lock(&self.state).due
    }

    /// True if it is time for the next fetch.
    pub(crate) fn is_due(&self, now: Timestamp) -> bool {
        lock(&self.state).is_due(now)
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
    /// The tenant whose tokens the keys verify.
    pub tenant: TenantId,
    /// The issuer, as its tokens name it in `iss`.
    pub issuer: String,
    /// Number of usable keys in the last successful fetch.
    pub keys: usize,
    /// Age of the last successful fetch; `None` before the first.
    pub age: Option<Duration>,
    /// True if tokens of this issuer can be verified now.
    pub ready: bool,
    /// Number of failed fetches since the last successful one.
    pub failures: u32,
    /// Error of the last fetch; `None` after a success.
    pub last_error: Option<String>,
    /// Time of the next fetch; `None` means at once.
    pub next: Option<Timestamp>,
}

impl FetchState {
    /// The receiver of the fetch that is running.
    fn running(&self) -> Option<watch::Receiver<()>> {
        let wait = self.running.as_ref()?;
        // An error says that the sender was dropped: the fetch has ended.
        if wait.has_changed().is_ok() { Some(wait.clone()) } else { None }
    }

    fn is_due(&self, now: Timestamp) -> bool {
        match self.due {
            Some(due) => now >= due,
            None => true,
        }
    }

    fn is_missing(&mut self, kid: &str, now: Timestamp, rules: &Rules) -> bool {
        self.missing.retain(|_, since| age(*since, now) < rules.keys.unknown_key_ttl);
        self.missing.contains_key(kid)
    }

    fn unavailable(&self, now: Timestamp) -> Reject {
        let pause = self.due.map_or(Duration::ZERO, |due| age(now, due));
        let seconds = pause.as_secs_f64().ceil().max(1.0) as u64;
        Reject::KeysUnavailable { retry_after: Duration::from_secs(seconds) }
    }
}

/// Waits until the fetch has dropped the sender; nothing is ever sent.
pub(crate) async fn wait_for_fetch(mut wait: watch::Receiver<()>) {
    while wait.changed().await.is_ok() {}
}

/// The pause after a fetch that failed after this number of failures.
fn pause_after(failures: u32) -> Duration {
    RETRY_MIN.saturating_mul(1 << failures.min(16)).min(RETRY_MAX)
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
