//! A collector of traces on loopback, which decodes requests by the protobuf definitions of OpenTelemetry.

#![allow(unreachable_pub, reason = "this is test code")]

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::routing::post;
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTraceServiceRequest, ExportTraceServiceResponse,
};
use opentelemetry_proto::tonic::common::v1::KeyValue;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use prost::Message;

/// A span as it was received.
#[derive(Clone, Debug)]
pub struct Span {
    pub name: String,
    pub trace: String,
    pub id: String,
    /// Empty: none.
    pub parent: String,
    pub is_server: bool,
    pub has_failed: bool,
    pub nanoseconds: u64,
    /// Nanoseconds since 1970.
    pub begin: u64,
    pub attributes: BTreeMap<String, String>,
    /// Attributes of the service that sent it.
    pub resource: BTreeMap<String, String>,
}

/// All of it. It ends with the test.
pub struct Collector {
    pub endpoint: String,
    received: Arc<Received>,
}

#[derive(Default)]
struct Received {
    spans: Mutex<Vec<Span>>,
    headers: Mutex<Vec<HeaderMap>>,
}

impl Collector {
    pub async fn start() -> Self {
        let received = Arc::<Received>::default();
        let routes = Router::new().route("/v1/traces", post(receive)).with_state(received.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}/v1/traces", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, routes).await });
        Self { endpoint, received }
    }

    pub fn spans(&self) -> Vec<Span> {
        self.received.spans.lock().unwrap().clone()
    }

    /// The spans that no received span is above of.
    pub fn roots(&self) -> Vec<Span> {
        let spans = self.spans();
        let is_root = |span: &&Span| !spans.iter().any(|other| other.id == span.parent);
        spans.iter().filter(is_root).cloned().collect()
    }

    /// The one trace that was received: its first span, and the paths of the others by their names, sorted.
    pub fn only_trace(&self) -> (Span, Vec<String>) {
        let roots = self.roots();
        assert_eq!(roots.len(), 1, "{roots:?}");
        (roots[0].clone(), self.steps(&roots[0]))
    }

    /// The spans below a span, as paths of their names, sorted.
    pub fn steps(&self, root: &Span) -> Vec<String> {
        let mut paths = self.below(root, "");
        paths.sort();
        paths
    }

    fn below(&self, above: &Span, path: &str) -> Vec<String> {
        let mut paths = Vec::new();
        for span in self.spans().iter().filter(|span| span.parent == above.id) {
            assert_eq!(span.trace, above.trace, "{span:?}");
            let path = format!("{path}/{}", span.name);
            paths.extend(self.below(span, &path));
            paths.push(path);
        }
        paths
    }

    /// An address that redirects to the collector from another host, as clients see it: another port.
    pub async fn redirecting(&self) -> String {
        let to = self.endpoint.clone();
        let redirect = post(async move || axum::response::Redirect::temporary(&to));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}/v1/traces", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, Router::new().route("/v1/traces", redirect)).await });
        endpoint
    }

    /// The header fields of all exports.
    pub fn headers(&self) -> Vec<HeaderMap> {
        self.received.headers.lock().unwrap().clone()
    }
}

async fn receive(State(received): State<Arc<Received>>, headers: HeaderMap, body: Bytes) -> Vec<u8> {
    let request = ExportTraceServiceRequest::decode(body).unwrap();
    received.headers.lock().unwrap().push(headers);
    let mut spans = received.spans.lock().unwrap();
    for group in request.resource_spans {
        let resource = attributes(&group.resource.unwrap().attributes);
        for span in group.scope_spans.into_iter().flat_map(|scope| {
            assert_eq!(scope.scope.unwrap().name, "norma");
            scope.spans
        }) {
            spans.push(Span {
                attributes: attributes(&span.attributes),
                resource: resource.clone(),
                is_server: span.kind == SpanKind::Server as i32,
                // STATUS_CODE_ERROR
                has_failed: span.status.is_some_and(|status| status.code == 2),
                nanoseconds: span.end_time_unix_nano - span.start_time_unix_nano,
                begin: span.start_time_unix_nano,
                trace: hex(&span.trace_id),
                id: hex(&span.span_id),
                parent: hex(&span.parent_span_id),
                name: span.name,
            });
        }
    }
    ExportTraceServiceResponse::default().encode_to_vec()
}

fn attributes(attributes: &[KeyValue]) -> BTreeMap<String, String> {
    let text = |pair: &KeyValue| match pair.value.as_ref().unwrap().value.as_ref().unwrap() {
        Value::StringValue(text) => text.clone(),
        Value::IntValue(number) => number.to_string(),
        other => panic!("{other:?}"),
    };
    let pairs: BTreeMap<_, _> = attributes.iter().map(|pair| (pair.key.clone(), text(pair))).collect();
    assert_eq!(pairs.len(), attributes.len(), "an attribute is there twice: {attributes:?}");
    pairs
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
