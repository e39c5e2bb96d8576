//! The keys of one issuer through time: fetched once for all who wait, kept through an outage, never asked
//! for too often.

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
    Fetch, Profile, Reject, Rule, Rules,
    claims::later,
    fetch,
    keyset::{Key, KeySet},
    tenant::TenantId,
};

/// What is shared by all sources of a verifier.
pub(crate) struct Ground {
    pub(crate) rules: Rules,
    pub(crate) fetch: Arc<dyn Fetch>,
}

/// The refetches that unknown `kid`s cause: one per tenant and [`KeyRules::refetch_gap`](crate::KeyRules::refetch_gap),
/// of the key sets of all its issuers, so that a flood of tokens of one issuer cannot keep out a new key of another.
#[derive(Default)]
pub(crate) struct Refetches(Mutex<Shared>);

#[derive(Default)]
struct Shared {
    last: Option<Timestamp>,
    sources: Vec<Weak<Source>>,
}

impl Refetches {
    /// From now on these are the tenant's issuers.
    pub(crate) fn share(&self, sources: &[Arc<Source>]) {
        lock(&self.0).sources = sources.iter().map(Arc::downgrade).collect();
    }

    /// All issuers to ask now, if the last refetch was long enough ago.
    fn take(&self, now: Timestamp, rules: &Rules) -> Option<Vec<Arc<Source>>> {
        let mut shared = lock(&self.0);
        let allowed = shared.last.is_none_or(|last| age(last, now) >= rules.keys.refetch_gap);
        allowed.then(|| {
            shared.last = Some(now);
            shared.sources.iter().filter_map(Weak::upgrade).collect()
        })
    }
}

/// One issuer of one tenant, and its keys.
pub(crate) struct Source {
    pub(crate) tenant: TenantId,
    pub(crate) profile: Profile,
    pub(crate) refetches: Arc<Refetches>,
    held: ArcSwapOption<Held>,
    book: Mutex<Book>,
}

struct Held {
    set: KeySet,
    since: Timestamp,
}

/// What is known about asking. Its lock is held for a few instructions, never while something is awaited.
#[derive(Default)]
struct Book {
    /// Closed when the fetch under way has ended, well or not.
    running: Option<watch::Receiver<()>>,
    /// When the next fetch is wanted; at once when nothing was fetched yet.
    due: Option<Timestamp>,
    failures: u32,
    fault: Option<String>,
    /// `kid`s that a good answer lacked, and when.
    missing: HashMap<String, Timestamp>,
}

/// More unknown `kid`s than this are not remembered; the time between two refetches holds without it.
const MOST_MISSING: usize = 64;

enum Next {
    Use(Arc<Key>),
    /// Someone else's fetch, which may have been answered before this key was published.
    Join(watch::Receiver<()>),
    Start(watch::Receiver<()>),
    Refuse(Reject),
}

impl Source {
    pub(crate) fn new(tenant: TenantId, profile: Profile, refetches: Arc<Refetches>) -> Self {
        Self { tenant, profile, refetches, held: ArcSwapOption::empty(), book: Mutex::default() }
    }

    /// The key of that `kid`, asking the provider when that is needed and allowed.
    pub(crate) async fn key(
        self: &Arc<Self>,
        kid: &str,
        now: Timestamp,
        ground: &Arc<Ground>,
    ) -> Result<Arc<Key>, Reject> {
        let mut joined = false;
        let own = loop {
            let (wait, own) = match self.next(kid, now, ground) {
                Next::Use(key) => return Ok(key),
                Next::Refuse(reject) => return Err(reject),
                Next::Join(wait) => (wait, false),
                Next::Start(wait) => (wait, true),
            };
            ended(wait).await;
            if let Some(key) = self.held(kid, now, &ground.rules) {
                return Ok(key);
            }
            // The second fetch that is joined began after this request came, so that its answer counts.
            if own || joined {
                break own;
            }
            joined = true;
        };
        let mut book = lock(&self.book);
        if book.failures > 0 {
            return Err(book.unavailable(now));
        }
        if own && book.missing.len() < MOST_MISSING {
            book.missing.insert(kid.to_owned(), now);
        }
        Err(Rule::KeyUnknown.into())
    }

    fn next(self: &Arc<Self>, kid: &str, now: Timestamp, ground: &Arc<Ground>) -> Next {
        let rules = &ground.rules;
        if let Some(key) = self.held(kid, now, rules) {
            return Next::Use(key);
        }
        let mut book = lock(&self.book);
        if let Some(key) = self.held(kid, now, rules) {
            return Next::Use(key); // fetched between the two looks
        }
        if let Some(wait) = book.running() {
            return Next::Join(wait);
        }
        let refetch = match self.usable(now, rules) {
            false => book.due.is_none_or(|due| now >= due).then(Vec::new),
            true if book.is_missing(kid, now, rules) => None,
            true => self.refetches.take(now, rules),
        };
        match refetch {
            Some(sources) => {
                let wait = self.start(&mut book, now, ground);
                drop(book);
                sources.iter().for_each(|other| other.refetch(now, ground));
                Next::Start(wait)
            }
            None if book.failures > 0 => Next::Refuse(book.unavailable(now)),
            None => Next::Refuse(Rule::KeyUnknown.into()),
        }
    }

    /// Starts a fetch where none is under way.
    fn refetch(self: &Arc<Self>, now: Timestamp, ground: &Arc<Ground>) {
        let mut book = lock(&self.book);
        if book.running().is_none() {
            self.start(&mut book, now, ground);
        }
    }

    /// Starts a background refresh when one is due, and tells how to wait for its end.
    pub(crate) fn refresh(
        self: &Arc<Self>,
        now: Timestamp,
        ground: &Arc<Ground>,
    ) -> Option<watch::Receiver<()>> {
        let mut book = lock(&self.book);
        if book.running().is_some() || book.due.is_some_and(|due| now < due) {
            return None;
        }
        Some(self.start(&mut book, now, ground))
    }

    /// The fetch is a task of its own, so that it ends even when all who wait for it have gone.
    fn start(self: &Arc<Self>, book: &mut Book, now: Timestamp, ground: &Arc<Ground>) -> watch::Receiver<()> {
        let (done, wait) = watch::channel(());
        book.running = Some(wait.clone());
        let (source, ground) = (self.clone(), ground.clone());
        tokio::spawn(async move {
            let answer = fetch::load(&source.tenant, &source.profile, &ground.rules, &*ground.fetch).await;
            source.settle(answer.map_err(|error| error.to_string()), now, &ground.rules);
            drop(done);
        });
        wait
    }

    fn settle(&self, answer: Result<KeySet, String>, now: Timestamp, rules: &Rules) {
        let (tenant, issuer) = (&self.tenant, &self.profile.issuer);
        for key in answer.iter().flat_map(|set| &set.skipped) {
            tracing::info!(%tenant, %issuer, index = key.index, why = key.why, "key skipped");
        }
        let answer = match answer {
            // A provider that publishes no key does so by mistake: its good keys stay until their time is over.
            Ok(set) if set.len() == 0 => Err("the key set has no usable key".to_owned()),
            other => other,
        };
        if let Err(fault) = &answer {
            tracing::warn!(%tenant, %issuer, %fault, "keys not refreshed");
        }

        let mut book = lock(&self.book);
        let fault = answer.map(|set| self.held.store(Some(Arc::new(Held { set, since: now })))).err();
        let pause = match fault {
            None => early(rules),
            Some(_) => {
                rules.keys.retry_min.saturating_mul(1 << book.failures.min(16)).min(rules.keys.retry_max)
            }
        };
        book.failures = if fault.is_some() { book.failures.saturating_add(1) } else { 0 };
        book.due = Some(later(now, pause));
        book.fault = fault;
        book.running = None;
    }

    /// Whether that very key is in use at this time.
    pub(crate) fn holds(&self, key: &Key, now: Timestamp, rules: &Rules) -> bool {
        let held = self.held.load();
        held.as_ref().is_some_and(|held| {
            age(held.since, now) < rules.keys.keep && held.set.key(&key.kid).is_some_and(|own| **own == *key)
        })
    }

    fn held(&self, kid: &str, now: Timestamp, rules: &Rules) -> Option<Arc<Key>> {
        let held = self.held.load();
        held.as_ref().filter(|held| age(held.since, now) < rules.keys.keep)?.set.key(kid).cloned()
    }

    fn usable(&self, now: Timestamp, rules: &Rules) -> bool {
        let held = self.held.load();
        held.as_ref().is_some_and(|held| age(held.since, now) < rules.keys.keep && held.set.len() > 0)
    }

    /// When the next fetch is wanted.
    pub(crate) fn due(&self) -> Option<Timestamp> {
        lock(&self.book).due
    }

    /// How this source stands, for readiness and for an operator.
    pub(crate) fn health(&self, now: Timestamp, rules: &Rules) -> KeyHealth {
        let held = self.held.load();
        let book = lock(&self.book);
        KeyHealth {
            tenant: self.tenant.clone(),
            issuer: self.profile.issuer.clone(),
            keys: held.as_ref().map_or(0, |held| held.set.len()),
            age: held.as_ref().map(|held| age(held.since, now)),
            ready: self.usable(now, rules),
            failures: book.failures,
            fault: book.fault.clone(),
            next: book.due,
        }
    }
}

/// How the keys of one issuer stand at a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyHealth {
    /// Whose keys they are.
    pub tenant: TenantId,
    /// Which of the tenant's issuers.
    pub issuer: String,
    /// How many usable keys the last good answer had.
    pub keys: usize,
    /// How old the last good answer is; `None` before the first.
    pub age: Option<Duration>,
    /// Whether tokens of this issuer can be verified now.
    pub ready: bool,
    /// How many fetches have failed since the last good answer.
    pub failures: u32,
    /// What went wrong last, until it goes well again.
    pub fault: Option<String>,
    /// When the keys will be asked for next; `None` means at once.
    pub next: Option<Timestamp>,
}

impl Book {
    fn running(&self) -> Option<watch::Receiver<()>> {
        self.running.clone().filter(|wait| wait.has_changed().is_ok())
    }

    fn is_missing(&mut self, kid: &str, now: Timestamp, rules: &Rules) -> bool {
        self.missing.retain(|_, since| age(*since, now) < rules.keys.negative);
        self.missing.contains_key(kid)
    }

    fn unavailable(&self, now: Timestamp) -> Reject {
        let pause = self.due.map_or(Duration::ZERO, |due| age(now, due));
        Reject::KeysUnavailable {
            retry_after: Duration::from_secs(pause.as_secs_f64().ceil().max(1.0) as u64),
        }
    }
}

/// Waits until the fetch has dropped its end of the channel; nothing is ever sent.
pub(crate) async fn ended(mut wait: watch::Receiver<()>) {
    while wait.changed().await.is_ok() {}
}

/// The time to the next refresh: never more than `refresh`, less by chance so that tenants and instances
/// spread.
fn early(rules: &Rules) -> Duration {
    let keys = &rules.keys;
    let most = keys.refresh * keys.jitter_percent / 100;
    let chance = RandomState::new().hash_one(()) as f64 / u64::MAX as f64;
    keys.refresh.saturating_sub(most.mul_f64(chance))
}

fn age(since: Timestamp, now: Timestamp) -> Duration {
    Duration::try_from(now.duration_since(since)).unwrap_or(Duration::ZERO)
}

/// A panic elsewhere leaves these few fields consistent, so that a poisoned lock may be used.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
