//! Log, audit and metrics: what the operator sees of a running service. Tokens and signatures never get here.

use std::collections::HashMap;
use std::io;
use std::sync::{Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use metrics::{Counter, Histogram};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tracing_subscriber::filter::EnvFilter;
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

use crate::config::{Log, LogFormat};

/// Target of audit events: one for each read of content.
pub const AUDIT: &str = "norma::audit";

/// Upper bounds in seconds of the buckets that durations of requests are counted in.
const DURATION_BUCKETS: [f64; 9] = [0.0001, 0.000_5, 0.001, 0.005, 0.01, 0.05, 0.1, 1.0, 10.0];

/// Why the log cannot be set up.
#[derive(Debug, thiserror::Error)]
#[error("cannot set up the log: {0}")]
pub struct TelemetryError(String);

/// Sends the process's log to standard error.
pub fn log(settings: &Log) -> Result<(), TelemetryError> {
    let filter = EnvFilter::try_new(&settings.log_level).map_err(|e| {
        TelemetryError(format!("`log-level`: {e}; write info or a filter such as norma_service=debug"))
    })?;
    let to_stderr = match settings.log_format {
        LogFormat::Text => {
            tracing_subscriber::fmt::layer().with_writer(io::stderr).with_target(false).boxed()
        }
        LogFormat::Json => {
            tracing_subscriber::fmt::layer().json().flatten_event(true).with_writer(io::stderr).boxed()
        }
    };
    tracing_subscriber::registry()
        .with(to_stderr.with_filter(filter))
        .try_init()
        .map_err(|e| TelemetryError(e.to_string()))
}

/// Counts of requests. The counters of a combination are looked up once, not for each request.
#[derive(Default)]
pub(crate) struct Counts(RwLock<HashMap<(&'static str, u16), Routes>>);

/// The counters of each route.
type Routes = HashMap<String, (Counter, Histogram)>;

impl Counts {
    /// One request, by its method and route, which are of known sets, and how it ended.
    pub(crate) fn request(&self, method: &'static str, route: &str, status: u16, took: Duration) {
        let count = |(requests, seconds): &(Counter, Histogram)| {
            requests.increment(1);
            seconds.record(took.as_secs_f64());
        };
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(counters) = known.get(&(method, status)).and_then(|routes| routes.get(route)) {
            return count(counters);
        }
        drop(known);
        let labels =
            [("method", method.to_owned()), ("path", route.to_owned()), ("status", status.to_string())];
        let requests = metrics::counter!("norma_http_requests_total", &labels);
        let counters =
            (requests, metrics::histogram!("norma_http_request_seconds", "path" => route.to_owned()));
        count(&counters);
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        known.entry((method, status)).or_default().insert(route.to_owned(), counters);
    }
}

/// A line of the log that anyone can cause: it is written once in a second at most.
#[derive(Default)]
pub(crate) struct Sparingly(Mutex<(Option<Instant>, u64)>);

impl Sparingly {
    const GAP: Duration = Duration::from_secs(1);

    /// Whether to write the line now: then the number of lines left out since the last one.
    pub(crate) fn line(&self, now: Instant) -> Option<u64> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (written, left_out) = &mut *last;
        if written.is_some_and(|written| now.duration_since(written) < Self::GAP) {
            *left_out += 1;
            return None;
        }
        *written = Some(now);
        Some(std::mem::take(left_out))
    }
}

/// Starts counting; the handle prints the counts in Prometheus' text format.
pub fn metrics() -> PrometheusHandle {
    let builder = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &DURATION_BUCKETS)
        .expect("there are buckets");
    let recorder = builder.build_recorder();
    let handle = recorder.handle();
    // A second service in one process, as in tests, counts into the first one's recorder.
    if metrics::set_global_recorder(recorder).is_err() {
        tracing::debug!("metrics are already being counted");
    }
    handle
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_anyone_can_cause_is_written_once_in_a_second_and_says_how_many_were_left_out() {
        let (line, start) = (Sparingly::default(), Instant::now());
        let at = |milliseconds| line.line(start + Duration::from_millis(milliseconds));
        assert_eq!(
            [at(0), at(1), at(999), at(1000), at(1001), at(5000)],
            [Some(0), None, None, Some(2), None, Some(1)]
        );
    }
}
