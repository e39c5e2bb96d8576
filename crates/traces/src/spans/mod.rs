//! Traces of requests and of ingested documents for an OpenTelemetry collector, to show which step takes the
//! time.
//!
//! Whether a trace is recorded is decided before anything of it is made: of a request that is not, the cost
//! is one look at its header fields and a random number. Finished spans wait in a bounded queue for a task
//! that sends them, so that a collector that is slow or away delays nothing; spans that are lost are counted.

mod export;
#[cfg(feature = "otlp")]
mod otlp;

use std::fmt;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use crate::TraceLimits;
use http::HeaderMap;
use http::request::Parts;
use norma_settings::{TraceSettings, UnusableSetting};
use opentelemetry::propagation::{Extractor, TextMapPropagator};
use opentelemetry::trace::{
    SpanContext, SpanId, SpanKind, Status, TraceContextExt, TraceFlags, TraceId, TraceState,
};
use opentelemetry::{Context, InstrumentationScope, KeyValue, Value};
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{
    IdGenerator, RandomIdGenerator, Sampler, SamplingDecision, ShouldSample, SpanData, SpanEvents, SpanLinks,
};
use url::Url;

use self::export::{Exporter, Lost};

/// Longest text of an attribute, in bytes: it bounds the memory of waiting spans.
const MAX_TEXT: usize = 1024;

/// Header field of W3C Trace Context, section 3.2.
const TRACEPARENT: &str = "traceparent";

/// The sender of spans to a collector; it records nothing unless the settings name one. Cloning gives another
/// handle.
#[derive(Clone, Default)]
pub struct Traces(Option<Arc<Recorder>>);

struct Recorder {
    sampler: Sampler,
    follow_callers: bool,
    ids: RandomIdGenerator,
    scope: InstrumentationScope,
    finished: tokio::sync::mpsc::Sender<SpanData>,
    lost: Arc<Lost>,
    exporter: Mutex<Option<Exporter>>,
}

impl fmt::Debug for Traces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Traces").field("is_recording", &self.0.is_some()).finish_non_exhaustive()
    }
}

impl Traces {
    /// Starts to send traces where the settings say so; needs a Tokio runtime.
    ///
    /// # Errors
    /// The collector's address or the header fields for it cannot be used.
    pub fn start(settings: &TraceSettings, limits: TraceLimits) -> Result<Self, UnusableSetting> {
        if settings.traces_endpoint.is_empty() {
            return Ok(Self::default());
        }
        let (finished, waiting) = tokio::sync::mpsc::channel(limits.queue);
        let lost = Arc::<Lost>::default();
        let exporter = Exporter::start(settings, limits, waiting, lost.clone())?;
        let recorder = Recorder {
            sampler: Sampler::TraceIdRatioBased(settings.traces_sample_ratio),
            follow_callers: settings.traces_follow_callers,
            ids: RandomIdGenerator::default(),
            scope: InstrumentationScope::builder("norma").with_version(env!("CARGO_PKG_VERSION")).build(),
            finished,
            lost,
            exporter: Mutex::new(Some(exporter)),
        };
        Ok(Self(Some(Arc::new(recorder))))
    }

    /// Sends what waits, within a time, and ends. Gives the number of spans that were lost since the start.
    pub async fn stop(&self, limit: Duration) -> u64 {
        let Some(recorder) = &self.0 else { return 0 };
        let exporter = recorder.exporter.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(exporter) = exporter {
            exporter.stop(limit).await;
        }
        recorder.lost.0.load(Ordering::Relaxed)
    }

    /// Begins the trace of a request, if it is to be recorded. `route` is the template of its path, empty for
    /// an unknown path; `path` the path itself, where it may be shown. Names of attributes: OpenTelemetry's
    /// semantic conventions for HTTP servers, 1.23.
    pub fn request(
        &self,
        head: &Parts,
        (method, route): (&'static str, &'static str),
        path: Option<&str>,
        public_url: &str,
    ) -> Trace {
        let Some(recorder) = &self.0 else { return Trace::default() };
        let Some((id, parent)) = recorder.sample(recorder.caller(&head.headers)) else {
            return Trace::default();
        };
        // A method that is not known is not named: a stranger may make it up.
        let (shown, method) = if method == "other" { ("HTTP", "_OTHER") } else { (method, method) };
        let name = if route.is_empty() { shown.to_owned() } else { format!("{shown} {route}") };
        let trace = recorder.begin(id, parent, name, SpanKind::Server);
        trace.set("http.request.method", method);
        if !route.is_empty() {
            trace.set("http.route", route);
        }
        if let Some(path) = path {
            trace.set_text("url.path", path);
        }
        // The address by which callers reach the service; what a request says in `Host` is not believed.
        if let Ok(url) = Url::parse(public_url) {
            trace.set_text("url.scheme", url.scheme());
            trace.set_text("server.address", url.host_str().unwrap_or_default());
            if let Some(port) = url.port_or_known_default() {
                trace.set_number("server.port", port.into());
            }
        }
        trace
    }

    /// Begins the trace of a document that is ingested, if it is to be recorded.
    pub fn document(&self, path: &Path) -> Trace {
        let Some(recorder) = &self.0 else { return Trace::default() };
        let Some((id, parent)) = recorder.sample(None) else { return Trace::default() };
        let trace = recorder.begin(id, parent, "ingest document".to_owned(), SpanKind::Internal);
        trace.set_text("file.path", &path.display().to_string());
        trace
    }
}

impl Recorder {
    /// The caller's span that a request belongs to, if it has a valid one. Their `tracestate` is left out: it
    /// may be as long as a head, and would be in memory with each span.
    fn caller(&self, headers: &HeaderMap) -> Option<SpanContext> {
        if !self.follow_callers || !headers.contains_key(TRACEPARENT) {
            return None;
        }
        let parsed =
            TraceContextPropagator::new().extract_with_context(&Context::new(), &TraceParent(headers));
        let span = parsed.span();
        let caller = span.span_context();
        if caller.is_valid() { Some(caller.clone()) } else { None }
    }

    /// The ids of a trace and of the span above it, if the trace is to be recorded: by the caller's flag, or
    /// else by the ratio.
    fn sample(&self, caller: Option<SpanContext>) -> Option<(TraceId, SpanId)> {
        if let Some(caller) = caller {
            let ids = (caller.trace_id(), caller.span_id());
            return if caller.is_sampled() { Some(ids) } else { None };
        }
        let id = self.ids.new_trace_id();
        let result = self.sampler.should_sample(None, id, "", &SpanKind::Internal, &[], &[]);
        if result.decision != SamplingDecision::RecordAndSample {
            return None;
        }
        Some((id, SpanId::INVALID))
    }

    /// Begins a trace with its first span.
    fn begin(self: &Arc<Self>, id: TraceId, parent: SpanId, name: String, kind: SpanKind) -> Trace {
        let mut root = self.span(id, parent, name.into());
        root.parent_span_is_remote = parent != SpanId::INVALID;
        root.span_kind = kind;
        let steps = vec![root.span_context.span_id()];
        let state = Mutex::new(SpanState { root: Some(root), steps });
        Trace(Some(Arc::new(Recording { recorder: self.clone(), trace: id, started: Instant::now(), state })))
    }

    /// A span that begins now.
    fn span(&self, trace: TraceId, parent: SpanId, name: std::borrow::Cow<'static, str>) -> SpanData {
        let id = self.ids.new_span_id();
        #[allow(clippy::disallowed_methods, reason = "the clock of traces")]
        let now = SystemTime::now();
        SpanData {
            span_context: SpanContext::new(trace, id, TraceFlags::SAMPLED, false, TraceState::NONE),
            parent_span_id: parent,
            parent_span_is_remote: false,
            span_kind: SpanKind::Internal,
            name,
            start_time: now,
            end_time: now,
            attributes: Vec::new(),
            dropped_attributes_count: 0,
            events: SpanEvents::default(),
            links: SpanLinks::default(),
            status: Status::Unset,
            instrumentation_scope: self.scope.clone(),
        }
    }

    /// Ends a span and has it sent. Does not wait.
    fn finish(&self, mut span: SpanData, started: Instant) {
        // By the monotonic clock: a system clock that is set meanwhile makes no span negative.
        span.end_time = span.start_time + started.elapsed();
        if self.finished.try_send(span).is_err() {
            self.lost.count("queue", 1);
        }
    }
}

/// The one header field that is read.
struct TraceParent<'h>(&'h HeaderMap);

impl Extractor for TraceParent<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        if key != TRACEPARENT {
            return None;
        }
        let mut values = self.0.get_all(TRACEPARENT).iter();
        let value = values.next()?;
        // Several fields are invalid (W3C Trace Context, section 3.2).
        if values.next().is_some() {
            return None;
        }
        value.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        vec![TRACEPARENT]
    }
}

/// A trace that is being recorded, or nothing. Its first span ends with the last handle.
#[derive(Clone, Default)]
pub struct Trace(Option<Arc<Recording>>);

struct Recording {
    recorder: Arc<Recorder>,
    trace: TraceId,
    started: Instant,
    state: Mutex<SpanState>,
}

struct SpanState {
    /// The first span; it is there until the end.
    root: Option<SpanData>,
    /// The first span and the steps that have begun and not ended, each within the one before it.
    steps: Vec<SpanId>,
}

impl Trace {
    /// Begins a step, which ends when it is dropped; steps that begin meanwhile are parts of it.
    pub fn step(&self, name: &'static str) -> Step {
        let Some(recording) = &self.0 else { return Step(None) };
        let mut state = recording.lock();
        let parent = state.steps.last().copied().unwrap_or(SpanId::INVALID);
        let span = recording.recorder.span(recording.trace, parent, name.into());
        state.steps.push(span.span_context.span_id());
        drop(state);
        Step(Some(OpenStep { recording: recording.clone(), started: Instant::now(), span: Some(span) }))
    }

    /// Sets an attribute of the first span to a text, of which at most `MAX_TEXT` bytes are recorded.
    pub fn set_text(&self, name: &'static str, text: &str) {
        if self.0.is_some() {
            self.set(name, text[..text.floor_char_boundary(MAX_TEXT)].to_owned());
        }
    }

    /// Sets an attribute of the first span to a number.
    pub fn set_number(&self, name: &'static str, number: i64) {
        self.set(name, number);
    }

    /// Marks the first span as failed, with a class of errors from a known set.
    pub fn fail(&self, class: &'static str) {
        self.set("error.type", class);
        if let Some(recording) = &self.0
            && let Some(root) = &mut recording.lock().root
        {
            root.status = Status::error("");
        }
    }

    /// Gives this handle back.
    pub fn end(self) {}

    fn set(&self, name: &'static str, value: impl Into<Value>) {
        if let Some(recording) = &self.0
            && let Some(root) = &mut recording.lock().root
        {
            root.attributes.push(KeyValue::new(name, value));
        }
    }
}

impl Recording {
    fn lock(&self) -> MutexGuard<'_, SpanState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        let root = self.lock().root.take();
        if let Some(root) = root {
            self.recorder.finish(root, self.started);
        }
    }
}

/// A step of a trace, or nothing.
#[must_use = "a step ends when it is dropped"]
pub struct Step(Option<OpenStep>);

struct OpenStep {
    recording: Arc<Recording>,
    started: Instant,
    span: Option<SpanData>,
}

impl Step {
    /// Ends the step here, and not where the value goes out of scope.
    pub fn end(self) {
        drop(self.0);
    }
}

impl Drop for OpenStep {
    fn drop(&mut self) {
        if let Some(span) = self.span.take() {
            let id = span.span_context.span_id();
            self.recording.lock().steps.retain(|step| *step != id);
            self.recording.recorder.finish(span, self.started);
        }
    }
}

#[cfg(test)]
mod tests;
