//! Retry policy: which failures are retried, and after how long.

use std::time::{Duration, SystemTime};

/// Retry policy of calls.
///
/// Responses 429 and 503 and failed connections are retried. Between attempts the client waits as long as
/// `Retry-After` says, else with exponential backoff and jitter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Number of retries after the first attempt; 3 by default, 0 for none.
    pub attempts: u32,
    /// First delay when the service states none; half a second by default.
    pub initial_delay: Duration,
    /// Longest delay; 30 s by default. When the service asks for a longer one, the call fails at once.
    pub max_delay: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self { attempts: 3, initial_delay: Duration::from_millis(500), max_delay: Duration::from_secs(30) }
    }
}

impl RetryPolicy {
    /// Delay before the attempt after `attempt` (counted from 0); `None` to give up.
    /// `jitter` is between 0 and 1.
    pub(crate) fn wait(&self, attempt: u32, retry_after: Option<Duration>, jitter: f64) -> Option<Duration> {
        if attempt >= self.attempts {
            return None;
        }
        if let Some(requested) = retry_after {
            return if requested <= self.max_delay { Some(requested) } else { None };
        }
        let doubled = self.initial_delay.saturating_mul(2_u32.saturating_pow(attempt));
        let longest = doubled.min(self.max_delay);
        // At least half of it, so that a busy service has time.
        Some(longest.mul_f64(0.5 + jitter / 2.0))
    }
}

/// Reads `Retry-After` (RFC 9110, 10.2.3): seconds, or a date.
pub(crate) fn retry_after(value: &str, now: SystemTime) -> Option<Duration> {
    match value.trim().parse() {
        Ok(seconds) => Some(Duration::from_secs(seconds)),
        Err(_) => {
            let date = httpdate::parse_http_date(value).ok()?;
            Some(date.duration_since(now).unwrap_or_default())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_the_longest_and_then_end() {
        let retries = RetryPolicy {
            attempts: 4,
            initial_delay: Duration::from_secs(1),
            max_delay: Duration::from_secs(3),
        };
        let waits: Vec<_> =
            (0..5).map(|attempt| retries.wait(attempt, None, 1.0).map(|w| w.as_secs())).collect();
        assert_eq!(waits, [Some(1), Some(2), Some(3), Some(3), None]);
        assert_eq!(retries.wait(0, None, 0.0), Some(Duration::from_millis(500)));
    }

    #[test]
    fn what_the_service_asks_for_is_done_unless_it_is_too_long() {
        let retries = RetryPolicy::default();
        assert_eq!(retries.wait(0, Some(Duration::from_secs(7)), 0.3), Some(Duration::from_secs(7)));
        assert_eq!(retries.wait(0, Some(Duration::from_secs(31)), 0.3), None);
        assert_eq!(retries.wait(3, Some(Duration::ZERO), 0.3), None);
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777);
        assert_eq!(retry_after("120", now), Some(Duration::from_secs(120)));
        assert_eq!(retry_after("Sun, 06 Nov 1994 08:49:47 GMT", now), Some(Duration::from_secs(10)));
        assert_eq!(retry_after("Sun, 06 Nov 1994 08:49:27 GMT", now), Some(Duration::ZERO));
        assert_eq!(retry_after("soon", now), None);
    }
}
