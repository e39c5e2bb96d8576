//! Rate limits: token buckets for requests of a client and for refused tokens of an address.

use std::hash::Hash;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use axum::http::HeaderName;
use governor::clock::{Clock, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};

use norma_settings::LimitSettings;

type Buckets<K, C> = RateLimiter<K, DashMapStateStore<K>, C, StateInformationMiddleware>;

/// All buckets of a running service.
pub(crate) struct Rates<C: Clock = DefaultClock> {
    clients: Option<Buckets<(String, String), C>>,
    refusals: Option<Buckets<IpAddr, C>>,
    burst: u32,
    rate: u32,
    clock: C,
}

/// The remaining rate of a client after this request.
#[derive(Clone, Copy)]
pub(crate) struct Rate {
    /// Size of the bucket; `None` when there is no limit.
    limit: Option<u32>,
    remaining: u32,
    /// Seconds until the bucket is full again.
    reset: u64,
    /// Set when this request is one too many.
    pub(crate) refused: Option<RateRefusal>,
}

/// A refusal, with the time after which to retry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RateRefusal {
    /// Seconds, at least one.
    pub(crate) retry_after: u64,
}

impl Rates {
    /// Buckets with the rates of the settings; a rate of 0 means unlimited.
    pub(crate) fn new(settings: &LimitSettings) -> Self {
        Self::with_clock(DefaultClock::default(), settings)
    }
}

impl<C: Clock + Clone> Rates<C> {
    fn with_clock(clock: C, settings: &LimitSettings) -> Self {
        let burst = NonZeroU32::new(settings.rate_burst).unwrap_or(NonZeroU32::MIN);
        let per_second =
            NonZeroU32::new(settings.rate_limit).map(|rate| Quota::per_second(rate).allow_burst(burst));
        let per_minute = NonZeroU32::new(settings.refused_limit).map(Quota::per_minute);
        Self {
            clients: per_second.map(|quota| buckets(quota, &clock)),
            refusals: per_minute.map(|quota| buckets(quota, &clock)),
            burst: burst.get(),
            rate: settings.rate_limit,
            clock,
        }
    }

    /// Takes one request from a client's bucket.
    pub(crate) fn take(&self, tenant: &str, client: &str) -> Rate {
        let Some(clients) = &self.clients else {
            return Rate { limit: None, remaining: 0, reset: 0, refused: None };
        };
        let key = (tenant.to_owned(), client.to_owned());
        let (remaining, wait) = match clients.check_key(&key) {
            Ok(state) => (state.remaining_burst_capacity(), None),
            Err(early) => (0, Some(early.wait_time_from(self.clock.now()))),
        };
        let reset = (self.burst - remaining.min(self.burst)).div_ceil(self.rate);
        Rate {
            limit: Some(self.burst),
            remaining,
            reset: u64::from(reset),
            refused: wait.map(|w| RateRefusal { retry_after: seconds(w) }),
        }
    }

    /// Records a refused token, and says whether the address, or its IPv6 network of 64 bits, had too many.
    pub(crate) fn refuse(&self, address: IpAddr) -> Option<RateRefusal> {
        let early = self.refusals.as_ref()?.check_key(&network(address)).err()?;
        Some(RateRefusal { retry_after: seconds(early.wait_time_from(self.clock.now())) })
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

fn buckets<K: Clone + Eq + Hash, C: Clock + Clone>(quota: Quota, clock: &C) -> Buckets<K, C> {
    RateLimiter::new(quota, DashMapStateStore::default(), clock.clone())
}

impl Rate {
    /// The headers with a client's limit, the remaining rate, and its reset.
    pub(crate) fn headers(&self) -> impl Iterator<Item = (HeaderName, u64)> {
        let Self { limit, remaining, reset, refused: _ } = self;
        let values = limit.map(|limit| {
            [
                (HeaderName::from_static("x-ratelimit-limit"), u64::from(limit)),
                (HeaderName::from_static("x-ratelimit-remaining"), u64::from(*remaining)),
                (HeaderName::from_static("x-ratelimit-reset"), *reset),
            ]
        });
        values.into_iter().flatten()
    }
}

/// The network that an address counts for: one client may have all addresses of an IPv6 /64 (RFC 4291,
/// section 2.5.1).
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => IpAddr::V6((u128::from(v6) >> 64 << 64).into()),
        v4 => v4,
    }
}

fn seconds(wait: Duration) -> u64 {
    (wait.as_secs() + u64::from(wait.subsec_nanos() > 0)).max(1)
}

#[cfg(test)]
mod tests {
    use governor::clock::FakeRelativeClock;
    use norma_settings::Settings;

    use super::*;

    fn limits(rate: u32, burst: u32, refused: u32) -> LimitSettings {
        LimitSettings {
            rate_limit: rate,
            rate_burst: burst,
            refused_limit: refused,
            ..Settings::defaults().limits
        }
    }

    #[test]
    fn a_burst_is_let_through_then_a_steady_rate_and_each_client_has_a_bucket_of_its_own() {
        let clock = FakeRelativeClock::default();
        let rates = Rates::with_clock(clock.clone(), &limits(2, 4, 0));
        let take = |name| {
            let rate = rates.take("tenant", name);
            let values: Vec<u64> = rate.headers().map(|(_, value)| value).collect();
            (values, rate.refused.map(|r| r.retry_after))
        };
        assert_eq!(take("a"), (vec![4, 3, 1], None));
        assert_eq!(take("a"), (vec![4, 2, 1], None));
        assert_eq!(take("a"), (vec![4, 1, 2], None));
        assert_eq!(take("a"), (vec![4, 0, 2], None));
        assert_eq!(take("a"), (vec![4, 0, 2], Some(1)));
        assert_eq!(take("b").1, None);
        clock.advance(Duration::from_millis(500));
        assert_eq!(take("a").1, None);
        assert_eq!(take("a").1, Some(1));
        clock.advance(Duration::from_secs(2));
        assert_eq!(take("a"), (vec![4, 3, 1], None));
    }

    #[test]
    fn zero_is_no_limit_and_says_so_by_saying_nothing() {
        let rates = Rates::with_clock(FakeRelativeClock::default(), &limits(0, 5, 0));
        for _ in 0..100 {
            let rate = rates.take("tenant", "a");
            assert!(rate.refused.is_none() && rate.headers().next().is_none());
            assert!(rates.refuse("192.0.2.1".parse().unwrap()).is_none());
        }
    }

    #[test]
    fn refused_tokens_are_counted_by_address_and_minute() {
        let clock = FakeRelativeClock::default();
        let rates = Rates::with_clock(clock.clone(), &limits(0, 0, 2));
        let refuse = |ip: &str| rates.refuse(ip.parse().unwrap()).map(|r| r.retry_after);
        assert_eq!((refuse("192.0.2.1"), refuse("192.0.2.1")), (None, None));
        assert_eq!((refuse("192.0.2.1"), refuse("192.0.2.2")), (Some(30), None));
        clock.advance(Duration::from_secs(30));
        assert_eq!((refuse("192.0.2.1"), refuse("192.0.2.1")), (None, Some(30)));
    }

    #[test]
    fn all_addresses_of_an_ipv6_network_of_64_bits_count_as_one() {
        let rates = Rates::with_clock(FakeRelativeClock::default(), &limits(0, 0, 2));
        let refuse = |ip: &str| rates.refuse(ip.parse().unwrap()).is_some();
        assert_eq!(
            ["2001:db8:0:1::1", "2001:db8:0:1:ffff::7", "2001:db8:0:1:2:3:4:5"].map(refuse),
            [false, false, true]
        );
        assert_eq!(["2001:db8:0:2::1", "192.0.2.1", "192.0.2.2"].map(refuse), [false, false, false]);
        assert_eq!(
            ["::ffff:192.0.2.1", "192.0.2.1"].map(refuse),
            [false, true],
            "the same address in two forms"
        );
    }
}
