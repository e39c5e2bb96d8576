//! Rates: how often a client may call, and how many refused tokens an address may bring (token buckets).

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};

use crate::config::Limits;

type Buckets<K> = RateLimiter<K, DashMapStateStore<K>, DefaultClock, StateInformationMiddleware>;

/// All buckets of a running service.
pub(crate) struct Rates {
    clients: Option<Buckets<(String, String)>>,
    refusals: Option<Buckets<IpAddr>>,
    burst: u32,
    clock: DefaultClock,
}

/// What is left to a client after this request.
pub(crate) struct Rate {
    /// Size of the bucket; `None` when there is no limit.
    limit: Option<u32>,
    remaining: u32,
    reset: u64,
    /// Set when this request is one too many.
    pub(crate) refused: Option<Refusal>,
}

/// When to come again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Refusal {
    /// Seconds, at least one.
    pub(crate) retry_after: u64,
}

impl Rates {
    /// Buckets as the settings say; a rate of 0 is no limit.
    pub(crate) fn new(settings: &Limits) -> Self {
        let burst = NonZeroU32::new(settings.burst()).unwrap_or(NonZeroU32::MIN);
        let per_second =
            NonZeroU32::new(settings.rate_limit).map(|rate| Quota::per_second(rate).allow_burst(burst));
        let per_minute = NonZeroU32::new(settings.refused_limit).map(Quota::per_minute);
        Self {
            clients: per_second.map(|quota| RateLimiter::keyed(quota).with_middleware()),
            refusals: per_minute.map(|quota| RateLimiter::keyed(quota).with_middleware()),
            burst: burst.get(),
            clock: DefaultClock::default(),
        }
    }

    /// Takes one request of a client out of its bucket.
    pub(crate) fn take(&self, who: &norma_auth::Caller) -> Rate {
        let Some(clients) = &self.clients else {
            return Rate { limit: None, remaining: 0, reset: 0, refused: None };
        };
        let key = (who.tenant.to_string(), who.client.clone());
        let (remaining, wait) = match clients.check_key(&key) {
            Ok(state) => (state.remaining_burst_capacity(), None),
            Err(early) => (0, Some(early.wait_time_from(self.clock.now()))),
        };
        let reset = wait.map_or(0, seconds);
        Rate {
            limit: Some(self.burst),
            remaining,
            reset,
            refused: wait.map(|w| Refusal { retry_after: seconds(w) }),
        }
    }

    /// Notes a refused token; says when the address brought too many.
    pub(crate) fn refuse(&self, address: IpAddr) -> Option<Refusal> {
        let early = self.refusals.as_ref()?.check_key(&address).err()?;
        Some(Refusal { retry_after: seconds(early.wait_time_from(self.clock.now())) })
    }

    /// Forgets full buckets; to be called now and then.
    pub(crate) fn forget_idle(&self) {
        if let Some(clients) = &self.clients {
            clients.retain_recent();
        }
        if let Some(refusals) = &self.refusals {
            refusals.retain_recent();
        }
    }
}

impl Rate {
    /// The headers that tell a client where it stands.
    pub(crate) fn headers(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let Self { limit, remaining, reset, refused: _ } = self;
        let values = limit.map(|limit| {
            [
                ("x-ratelimit-limit", u64::from(limit)),
                ("x-ratelimit-remaining", u64::from(*remaining)),
                ("x-ratelimit-reset", *reset),
            ]
        });
        values.into_iter().flatten()
    }
}

fn seconds(wait: Duration) -> u64 {
    (wait.as_secs() + u64::from(wait.subsec_nanos() > 0)).max(1)
}
