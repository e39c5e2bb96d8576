//! Rounds in which texts are read again that could not be read.

use std::time::{Duration, Instant};

/// Least time between two rounds in which texts are read again that could not be read.
const READ_AGAIN: Duration = Duration::from_secs(5);

/// Times that the pause after such a round is longer than the round: where very many texts cannot be read,
/// the rounds take a twentieth of the time.
const PAUSE: u32 = 20;

/// Rounds in which texts are read again that could not be read: a restored file makes no change in the
/// catalogue.
pub(super) struct ReadAgain {
    /// When the next round begins, or the present one began.
    due: Instant,
    /// The slot of the next edition of a round.
    pub(super) next: u32,
}

impl ReadAgain {
    /// The first round begins at once: another version of Norma may read what the last one could not.
    pub(super) fn new(now: Instant) -> Self {
        Self { due: now, next: 0 }
    }

    pub(super) fn is_due(&self, now: Instant) -> bool {
        now >= self.due
    }

    /// Ends a round; the next one begins after a pause.
    pub(super) fn end(&mut self, now: Instant) {
        let taken = now.saturating_duration_since(self.due);
        *self = Self { due: now + (taken * PAUSE).max(READ_AGAIN), next: 0 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_cannot_be_read_are_read_again_in_rounds_that_take_a_twentieth_of_the_time() {
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        let mut again = ReadAgain::new(start);
        assert!(again.is_due(start), "at once after the start");
        again.end(start);
        assert!(!again.is_due(after(4)) && again.is_due(after(5)));
        again.next = 7;
        // The round began at 5 s.
        again.end(after(8));
        assert_eq!(again.next, 0);
        assert!(!again.is_due(after(67)) && again.is_due(after(68)));
    }
}
