//! Log, audit and metrics: what the operator sees of a running service. Tokens and signatures never get here.

use std::collections::HashMap;
use std::fmt::{self, Display};
use std::io::{self, IsTerminal};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use governor::clock::{Clock, DefaultClock};
use governor::middleware::NoOpMiddleware;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};
use metrics::{Counter, Histogram};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tracing_subscriber::field::RecordFields;
use tracing_subscriber::filter::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::fmt::format::{DefaultFields, FormatFields, Writer};
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;

use crate::config::{Log, LogFormat};
use crate::terminal::escaped;

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
            let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            text(io::stderr, io::stderr().is_terminal() && !no_color).boxed()
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

/// The log as lines for people.
fn text<S: tracing::Subscriber + for<'a> LookupSpan<'a>>(
    writer: impl for<'a> MakeWriter<'a> + Send + Sync + 'static,
    colours: bool,
) -> impl Layer<S> + Send + Sync {
    let layer = tracing_subscriber::fmt::layer().with_writer(writer).with_target(false);
    layer.fmt_fields(EscapedFields).with_ansi(colours)
}

/// Fields of the text log: what documents and callers say in them stays on its line and moves no cursor.
struct EscapedFields;

impl<'w> FormatFields<'w> for EscapedFields {
    fn format_fields<R: RecordFields>(&self, mut writer: Writer<'w>, fields: R) -> fmt::Result {
        let mut text = String::new();
        DefaultFields::new().format_fields(Writer::new(&mut text), fields)?;
        writer.write_str(&escaped(&text))
    }
}

/// Lines of the log on refused tokens, bounded in number so that strangers do not fill a disk; those left out are
/// counted.
pub(crate) struct RefusalLog<C: Clock = DefaultClock> {
    lines: Option<RateLimiter<NotKeyed, InMemoryState, C, NoOpMiddleware<C::Instant>>>,
    left_out: AtomicU64,
}

impl RefusalLog {
    /// Takes so many lines a minute; 0: all.
    pub(crate) fn new(per_minute: u32) -> Self {
        Self::by(DefaultClock::default(), per_minute)
    }
}

impl<C: Clock> RefusalLog<C> {
    fn by(clock: C, per_minute: u32) -> Self {
        let quota = NonZeroU32::new(per_minute).map(Quota::per_minute);
        let lines = quota.map(|quota| RateLimiter::direct_with_clock(quota, clock));
        Self { lines, left_out: AtomicU64::new(0) }
    }

    /// Writes or counts one refusal.
    pub(crate) fn note(&self, reason: &impl Display) {
        if !self.has_room() {
            self.left_out.fetch_add(1, Ordering::Relaxed);
            return;
        }
        let left_out = self.left_out.swap(0, Ordering::Relaxed);
        tracing::info!(%reason, left_out, "a token was refused");
    }

    /// Says how many were left out since the last line, once there is room for that; to be called now and then.
    pub(crate) fn flush(&self) {
        if self.left_out.load(Ordering::Relaxed) > 0 && self.has_room() {
            let left_out = self.left_out.swap(0, Ordering::Relaxed);
            tracing::info!(left_out, "tokens were refused that are not in the log one by one");
        }
    }

    fn has_room(&self) -> bool {
        self.lines.as_ref().is_none_or(|lines| lines.check().is_ok())
    }
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
    use std::io::Write;
    use std::sync::Arc;

    use governor::clock::FakeRelativeClock;

    use super::*;

    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl Write for Written {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// What the text log says of what happens in `act`.
    fn logged(act: impl FnOnce()) -> String {
        let written = Written::default();
        let writer = written.clone();
        let subscriber = tracing_subscriber::registry().with(text(move || writer.clone(), false));
        tracing::subscriber::with_default(subscriber, act);
        let bytes = written.0.lock().unwrap().clone();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn an_event_is_one_line_without_control_characters_whatever_is_in_its_fields() {
        let title = "\u{1b}[2J\u{9b}31m\u{202e}\r\n2026-01-01 INFO all is well\u{7f}";
        let text = logged(|| {
            let span = tracing::info_span!("work", title = %title);
            let _inside = span.enter();
            tracing::info!(title, shown = %title, debug = ?title, "{title}");
        });
        let line = text.strip_suffix('\n').unwrap();
        assert!(
            !line.contains(|c: char| c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c)),
            "{line:?}"
        );
        assert_eq!(line.matches("all is well").count(), 5, "{line}");
    }

    #[test]
    fn refusals_beyond_the_limit_are_counted_and_the_next_line_says_how_many() {
        let clock = FakeRelativeClock::default();
        let log = RefusalLog::by(clock.clone(), 2);
        let text = logged(|| {
            (0..1000).for_each(|number| log.note(&format!("reason {number}")));
            log.flush();
            clock.advance(Duration::from_secs(30));
            log.flush();
            log.note(&"later");
            clock.advance(Duration::from_secs(30));
            log.flush();
            log.flush();
            log.note(&"last");
        });
        let said: Vec<&str> = text.lines().map(|line| line.split_once("INFO ").unwrap().1).collect();
        assert_eq!(
            said,
            [
                "a token was refused reason=reason 0 left_out=0",
                "a token was refused reason=reason 1 left_out=0",
                "tokens were refused that are not in the log one by one left_out=998",
                "tokens were refused that are not in the log one by one left_out=1",
            ]
        );
        let all = logged(|| {
            let log = RefusalLog::new(0);
            (0..100).for_each(|number| log.note(&number));
        });
        assert_eq!(all.lines().count(), 100);
    }

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
