//! Pace of lookups: whether the file is in memory, so that a lookup may run on the thread of its caller.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Time after which a lookup counts as waiting for a disk. From memory one takes about 10 µs.
const SLOW: Duration = Duration::from_millis(5);

/// Time for which lookups use blocking threads after a slow one. The first lookup after that may block its
/// thread again, once.
const CAUTIOUS: Duration = Duration::from_secs(60);

/// The time of the last slow lookup.
pub(super) struct Pace {
    began: Instant,
    /// End of the time in which lookups use blocking threads, in milliseconds after `began`.
    cautious_until: AtomicU64,
}

impl Pace {
    pub(super) fn new() -> Self {
        Self { began: Instant::now(), cautious_until: AtomicU64::new(0) }
    }

    /// True if a lookup was slow within the last minute.
    pub(super) fn is_slow(&self) -> bool {
        self.cautious_until.load(Ordering::Relaxed) > self.since(Instant::now())
    }

    /// Runs a lookup and measures its time.
    pub(super) fn watch<T>(&self, lookup: impl FnOnce() -> T) -> T {
        let began = Instant::now();
        let found = lookup();
        self.note(began, Instant::now());
        found
    }

    fn note(&self, began: Instant, ended: Instant) {
        if ended - began > SLOW {
            self.cautious_until.store(self.since(ended + CAUTIOUS), Ordering::Relaxed);
        }
    }

    fn since(&self, time: Instant) -> u64 {
        u64::try_from((time - self.began).as_millis()).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_a_slow_lookup_the_next_ones_are_taken_for_slow() {
        let pace = Pace::new();
        assert!(!pace.is_slow());
        assert_eq!(pace.watch(|| 7), 7);
        assert!(!pace.is_slow());
        let now = Instant::now();
        pace.note(now, now + 2 * SLOW);
        assert!(pace.is_slow());
    }
}
