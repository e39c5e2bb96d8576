//! Tests of what is recorded, without a collector: the finished spans are taken from the queue.

use http::Request;
use tokio::sync::mpsc::Receiver;

use super::*;

const SAMPLED: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const UNSAMPLED: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00";

/// Traces of which this part is recorded, with a queue of this many spans.
fn traces(ratio: f64, follow_callers: bool, queue: usize) -> (Traces, Receiver<SpanData>) {
    let (finished, waiting) = tokio::sync::mpsc::channel(queue);
    let recorder = Recorder {
        sampler: Sampler::TraceIdRatioBased(ratio),
        follow_callers,
        ids: RandomIdGenerator::default(),
        scope: InstrumentationScope::builder("test").build(),
        finished,
        lost: Arc::default(),
        exporter: Mutex::new(None),
    };
    (Traces(Some(Arc::new(recorder))), waiting)
}

fn spans(waiting: &mut Receiver<SpanData>) -> Vec<SpanData> {
    let mut spans = Vec::new();
    while let Ok(span) = waiting.try_recv() {
        spans.push(span);
    }
    spans
}

/// The head of a request with these fields `traceparent`.
fn head(callers: &[&str]) -> Parts {
    let mut request = Request::builder();
    for caller in callers {
        request = request.header(TRACEPARENT, *caller);
    }
    request.body(()).unwrap().into_parts().0
}

fn request(traces: &Traces, callers: &[&str]) -> Trace {
    traces.request(&head(callers), ("GET", "/{urn}"), Some("/x"), "https://norma.example/api")
}

fn attribute(span: &SpanData, name: &str) -> Option<String> {
    let found = span.attributes.iter().find(|attribute| attribute.key.as_str() == name)?;
    Some(found.value.to_string())
}

#[test]
fn a_step_is_within_the_latest_step_that_has_not_ended() {
    let (traces, mut waiting) = traces(1.0, true, 10);
    let trace = request(&traces, &[]);
    let outer = trace.step("outer");
    trace.step("inner").end();
    outer.end();
    trace.step("next").end();
    trace.end();
    let spans = spans(&mut waiting);
    let names: Vec<&str> = spans.iter().map(|span| &*span.name).collect();
    assert_eq!(names, ["inner", "outer", "next", "GET /{urn}"]);
    let ids: Vec<SpanId> = spans.iter().map(|span| span.span_context.span_id()).collect();
    let parents: Vec<SpanId> = spans.iter().map(|span| span.parent_span_id).collect();
    assert_eq!(parents, [ids[1], ids[3], ids[3], SpanId::INVALID]);
}

#[test]
fn the_flag_of_a_valid_caller_decides_and_otherwise_the_ratio_does() {
    for (ratio, follow_callers, callers, is_recorded) in [
        (0.0, true, &[SAMPLED][..], true),
        (1.0, true, &[UNSAMPLED][..], false),
        (1.0, false, &[UNSAMPLED][..], true),
        (0.0, true, &["garbage"][..], false),
        (1.0, true, &["garbage"][..], true),
        (0.0, true, &[SAMPLED, SAMPLED][..], false),
    ] {
        let (traces, mut waiting) = traces(ratio, follow_callers, 10);
        request(&traces, callers).end();
        let recorded = spans(&mut waiting).len();
        assert_eq!(recorded, usize::from(is_recorded), "{ratio} {follow_callers} {callers:?}");
    }
}

#[test]
fn the_trace_of_a_caller_continues_in_their_span() {
    let (traces, mut waiting) = traces(0.0, true, 10);
    request(&traces, &[SAMPLED]).end();
    let root = spans(&mut waiting).pop().unwrap();
    assert_eq!(root.span_context.trace_id().to_string(), "0af7651916cd43dd8448eb211c80319c");
    assert_eq!(root.parent_span_id.to_string(), "b7ad6b7169203331");
    assert!(root.parent_span_is_remote);
}

#[test]
fn the_address_is_the_public_one_and_an_unknown_method_is_not_named() {
    let (traces, mut waiting) = traces(1.0, true, 10);
    traces.request(&head(&[]), ("other", ""), None, "https://norma.example/api").end();
    let root = spans(&mut waiting).pop().unwrap();
    assert_eq!(root.name, "HTTP");
    assert_eq!(attribute(&root, "http.request.method").as_deref(), Some("_OTHER"));
    assert_eq!(attribute(&root, "server.address").as_deref(), Some("norma.example"));
    assert_eq!(attribute(&root, "server.port").as_deref(), Some("443"));
    assert_eq!(attribute(&root, "http.route"), None);
    assert_eq!(attribute(&root, "url.path"), None);
}

#[test]
fn a_long_text_is_cut_between_characters() {
    let (traces, mut waiting) = traces(1.0, true, 10);
    let trace = request(&traces, &[]);
    trace.set_text("norma.standard", &format!("x{}", "é".repeat(MAX_TEXT)));
    trace.end();
    let root = spans(&mut waiting).pop().unwrap();
    assert_eq!(attribute(&root, "norma.standard"), Some(format!("x{}", "é".repeat(MAX_TEXT / 2 - 1))));
}

#[tokio::test]
async fn spans_beyond_the_queue_are_lost_and_counted() {
    let (traces, mut waiting) = traces(1.0, true, 1);
    for _ in 0..3 {
        request(&traces, &[]).end();
    }
    assert_eq!(spans(&mut waiting).len(), 1);
    assert_eq!(traces.stop(Duration::ZERO).await, 2);
}

#[test]
fn a_failed_trace_has_the_class_of_its_error() {
    let (traces, mut waiting) = traces(1.0, true, 10);
    let trace = traces.document(Path::new("a.xml"));
    trace.fail("store");
    trace.end();
    let root = spans(&mut waiting).pop().unwrap();
    assert_eq!(root.name, "ingest document");
    assert_eq!(attribute(&root, "error.type").as_deref(), Some("store"));
    assert_eq!(root.status, Status::error(""));
}

#[test]
fn nothing_is_recorded_without_a_collector() {
    let traces = Traces::default();
    let trace = request(&traces, &[SAMPLED]);
    trace.set_text("norma.standard", "x");
    trace.step("step").end();
    assert!(trace.0.is_none());
}
