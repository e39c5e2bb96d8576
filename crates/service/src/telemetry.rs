//! Log, audit and metrics: what the operator sees of a running service. Tokens and signatures never get here.

use std::collections::HashMap;
use std::fmt;
use std::io::{self, IsTerminal};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, PoisonError, RwLock};
use std::time::Duration;

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

use norma_audit::terminal::{escaped, escaped_lines};
use norma_settings::{LogFormat, LogSettings};

/// Upper bounds in seconds of the buckets for durations of requests.
const DURATION_BUCKETS: [f64; 9] = [0.0001, 0.000_5, 0.001, 0.005, 0.01, 0.05, 0.1, 1.0, 10.0];

/// The reason why the log cannot be set up.
#[derive(Debug, thiserror::Error)]
#[error("cannot set up the log: {0}")]
pub struct TelemetryError(String);

/// Sends the process's log to standard error.
pub fn log(settings: &LogSettings) -> Result<(), TelemetryError> {
    let filter = EnvFilter::try_new(&settings.log_level).map_err(|e| {
        TelemetryError(format!("`log-level`: {e}; write info or a filter such as norma_service=debug"))
    })?;
    let to_stderr = match settings.log_format {
        LogFormat::Text => {
            #[allow(clippy::disallowed_methods, reason = "the convention of https://no-color.org")]
            let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            text(io::stderr, io::stderr().is_terminal() && !no_color).boxed()
        }
        LogFormat::Json => json(io::stderr).boxed(),
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

/// The log as a line of JSON for each event. JSON escapes neither C1 controls nor bidirectional marks; here
/// they are.
fn json<S: tracing::Subscriber + for<'a> LookupSpan<'a>>(
    writer: impl for<'a> MakeWriter<'a> + Send + Sync + 'static,
) -> impl Layer<S> + Send + Sync {
    let layer = tracing_subscriber::fmt::layer().json().flatten_event(true).with_writer(writer);
    layer.map_writer(EscapedLines)
}

/// Writes lines with escapes for characters that act on a terminal; an event arrives as a whole.
struct EscapedLines<W>(W);

impl<'a, M: MakeWriter<'a>> MakeWriter<'a> for EscapedLines<M> {
    type Writer = EscapedLines<M::Writer>;

    fn make_writer(&'a self) -> Self::Writer {
        EscapedLines(self.0.make_writer())
    }
}

impl<W: io::Write> io::Write for EscapedLines<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write_all(escaped_lines(&String::from_utf8_lossy(bytes)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Fields of the text log: texts of documents and callers stay on one line and cannot move the cursor.
struct EscapedFields;

impl<'w> FormatFields<'w> for EscapedFields {
    fn format_fields<R: RecordFields>(&self, mut writer: Writer<'w>, fields: R) -> fmt::Result {
        let mut text = String::new();
        DefaultFields::new().format_fields(Writer::new(&mut text), fields)?;
        writer.write_str(&escaped(&text))
    }
}

/// A kind of log line that strangers can cause, bounded in number so that it does not fill a disk. Those left
/// out are counted.
pub(crate) struct BoundedLines<C: Clock = DefaultClock> {
    /// `None` where all lines are written.
    bound: Option<RateLimiter<NotKeyed, InMemoryState, C, NoOpMiddleware<C::Instant>>>,
    left_out: AtomicU64,
}

impl BoundedLines {
    /// At most this many lines a minute; 0 for all.
    pub(crate) fn per_minute(lines: u32) -> Self {
        Self::with_clock(DefaultClock::default(), NonZeroU32::new(lines).map(Quota::per_minute))
    }

    /// One line a second.
    pub(crate) fn one_per_second() -> Self {
        Self::with_clock(DefaultClock::default(), Some(Quota::per_second(NonZeroU32::MIN)))
    }
}

impl<C: Clock> BoundedLines<C> {
    fn with_clock(clock: C, quota: Option<Quota>) -> Self {
        let bound = quota.map(|quota| RateLimiter::direct_with_clock(quota, clock));
        Self { bound, left_out: AtomicU64::new(0) }
    }

    /// The number of lines left out since the last one, if a line may be written now.
    pub(crate) fn line(&self) -> Option<u64> {
        if self.has_room() {
            return Some(self.left_out.swap(0, Ordering::Relaxed));
        }
        self.left_out.fetch_add(1, Ordering::Relaxed);
        None
    }

    /// The number of lines left out since the last one, if a line may be written now; called from time to
    /// time.
    pub(crate) fn left_out(&self) -> Option<u64> {
        let is_due = self.left_out.load(Ordering::Relaxed) > 0 && self.has_room();
        is_due.then(|| self.left_out.swap(0, Ordering::Relaxed))
    }

    fn has_room(&self) -> bool {
        self.bound.as_ref().is_none_or(|bound| bound.check().is_ok())
    }
}

/// Counts of requests. The counters of a combination are looked up once, not for each request.
#[derive(Default)]
pub(crate) struct RequestCounts(RwLock<HashMap<(&'static str, u16), RouteMetrics>>);

/// The counters of each route.
type RouteMetrics = HashMap<String, (Counter, Histogram)>;

impl RequestCounts {
    /// Records one request: its method and route, which are from known sets, and its result.
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

/// Starts counting; the handle prints the metrics in Prometheus' text format. Services in one process, as in
/// tests, count together.
pub fn metrics() -> PrometheusHandle {
    static HANDLE: LazyLock<PrometheusHandle> = LazyLock::new(|| {
        let builder = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &DURATION_BUCKETS)
            .expect("there are buckets");
        builder.install_recorder().expect("no other place installs a recorder")
    });
    HANDLE.clone()
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    use governor::clock::FakeRelativeClock;

    use super::*;

    #[derive(Clone, Default)]
    struct WrittenLog(Arc<Mutex<Vec<u8>>>);

    impl Write for WrittenLog {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// The log of `action`, in text and in JSON.
    fn logged(action: impl Fn()) -> [String; 2] {
        let written = [WrittenLog::default(), WrittenLog::default()];
        let [for_text, for_json] = written.clone();
        let text = tracing_subscriber::registry().with(text(move || for_text.clone(), false));
        tracing::subscriber::with_default(text, &action);
        let json = tracing_subscriber::registry().with(json(move || for_json.clone()));
        tracing::subscriber::with_default(json, &action);
        written.map(|log| String::from_utf8(log.0.lock().unwrap().clone()).unwrap())
    }

    #[test]
    fn an_event_is_one_line_without_control_characters_whatever_is_in_its_fields() {
        let title = "\u{1b}[2J\u{9b}31m\u{202e}\r\n2026-01-01 INFO all is well\u{7f}";
        let logs = logged(|| {
            let span = tracing::info_span!("work", title = %title);
            let _inside = span.enter();
            tracing::info!(title, shown = %title, debug = ?title, "{title}");
        });
        for line in logs.iter().map(|log| log.strip_suffix('\n').unwrap()) {
            assert_eq!(escaped(line), line);
            assert!(line.matches("all is well").count() >= 5, "{line}");
        }
        let event: serde_json::Value = serde_json::from_str(&logs[1]).unwrap();
        assert_eq!(event["message"], title);
    }

    #[test]
    fn lines_beyond_the_bound_are_counted_and_the_next_line_says_how_many() {
        let clock = FakeRelativeClock::default();
        let lines = BoundedLines::with_clock(clock.clone(), NonZeroU32::new(2).map(Quota::per_minute));
        let written: Vec<u64> = (0..1000).filter_map(|_| lines.line()).collect();
        assert_eq!((written, lines.left_out()), (vec![0, 0], None));
        clock.advance(Duration::from_secs(30));
        assert_eq!([lines.left_out(), lines.line()], [Some(998), None]);
        clock.advance(Duration::from_secs(30));
        assert_eq!([lines.left_out(), lines.left_out(), lines.line()], [Some(1), None, None]);
        let all = BoundedLines::per_minute(0);
        assert!((0..100).all(|_| all.line() == Some(0)));
    }

    #[test]
    fn one_line_a_second_is_written_and_says_how_many_were_left_out() {
        let clock = FakeRelativeClock::default();
        let lines = BoundedLines::with_clock(clock.clone(), Some(Quota::per_second(NonZeroU32::MIN)));
        let after = |milliseconds| {
            clock.advance(Duration::from_millis(milliseconds));
            lines.line()
        };
        let found = [after(0), after(1), after(998), after(1), after(1), after(4000)];
        assert_eq!(found, [Some(0), None, None, Some(2), None, Some(1)]);
    }
}
