//! Limit of a user's requests, so that one assistant in a loop does not use up what all share.

use std::num::NonZeroU32;

use governor::clock::{Clock, DefaultClock};
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};

/// A token bucket for each user.
pub(super) struct UserLimit {
    buckets: RateLimiter<String, DashMapStateStore<String>, DefaultClock>,
    clock: DefaultClock,
}

impl UserLimit {
    /// Buckets that are filled at a rate and hold a burst, at least one each.
    pub(super) fn new(per_second: u32, burst: u32) -> Self {
        let at_least_one = |number| NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN);
        let quota = Quota::per_second(at_least_one(per_second)).allow_burst(at_least_one(burst));
        let clock = DefaultClock::default();
        Self { buckets: RateLimiter::new(quota, DashMapStateStore::default(), clock.clone()), clock }
    }

    /// Takes one request from a user's bucket; the error is the number of seconds until there is one again.
    pub(super) fn take(&self, subject: &str) -> Result<(), u64> {
        match self.buckets.check_key(&subject.to_owned()) {
            Ok(()) => Ok(()),
            Err(early) => Err(early.wait_time_from(self.clock.now()).as_secs() + 1),
        }
    }

    /// Forgets full buckets.
    pub(super) fn forget_idle(&self) {
        self.buckets.retain_recent();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_user_has_a_burst_of_their_own_and_hears_when_to_try_again() {
        let limit = UserLimit::new(1, 3);
        let taken: Vec<bool> = (0..4).map(|_| limit.take("a").is_ok()).collect();
        assert_eq!(taken, [true, true, true, false]);
        assert_eq!(limit.take("a"), Err(1));
        assert!(limit.take("b").is_ok());
        limit.forget_idle();
        assert!(limit.take("a").is_err());
    }
}
