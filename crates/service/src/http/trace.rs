//! Around each request: its id, the limits on its head, its time, and what log, audit and metrics say of it.

use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use norma_api::problem::Code;

use super::problem::Failure;
use crate::app::App;
use crate::telemetry::AUDIT;

/// The request's id, taken from the caller or made here.
pub(super) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

const LONGEST_REQUEST_ID: usize = 128;

/// The id of a request that came through [`around`].
#[derive(Clone)]
struct RequestId(Arc<str>);

/// The request's id, for problems within an answer.
pub(super) fn id_of(extensions: &axum::http::Extensions) -> String {
    extensions.get::<RequestId>().map_or_else(String::new, |id| id.0.to_string())
}

/// What becomes known of a request while it is answered: for audit and headers, never for decisions.
#[derive(Clone, Default)]
pub(super) struct Notes(Arc<Mutex<Noted>>);

#[derive(Default)]
struct Noted {
    caller: Option<(String, String)>,
    standard: Option<String>,
    headers: HeaderMap,
}

impl Notes {
    /// The notes of a request; of one that did not come through [`around`], nobody reads them.
    pub(super) fn of(extensions: &axum::http::Extensions) -> Self {
        extensions.get::<Self>().cloned().unwrap_or_default()
    }

    /// Which client of which tenant asks.
    pub(super) fn caller(&self, tenant: &str, client: &str) {
        self.lock().caller = Some((tenant.to_owned(), client.to_owned()));
    }

    /// Which standard content was read of.
    pub(super) fn standard(&self, urn: &str) {
        self.lock().standard = Some(urn.to_owned());
    }

    /// A header that the answer shall have, whatever it is.
    pub(super) fn header(&self, name: HeaderName, value: HeaderValue) {
        self.lock().headers.insert(name, value);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Noted> {
        self.0.lock().unwrap_or_else(|e| e.into_inner())
    }
}

/// The layer around all routes.
pub(super) async fn around(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let started = Instant::now();
    let id = request_id(request.headers());
    let method = request.method().clone();
    let path = request.extensions().get::<MatchedPath>().cloned();
    let notes = Notes::default();
    request.extensions_mut().insert(notes.clone());
    request.extensions_mut().insert(RequestId(id.as_str().into()));

    let answer = async {
        check_head(&app, &request)?;
        let limit = app.settings.http.request_timeout.std();
        tokio::time::timeout(limit, next.run(request)).await.map_err(|_| {
            Failure::new(Code::Timeout, "The answer was not finished within the service's time limit.")
        })
    };
    let mut response = answer.await.unwrap_or_else(IntoResponse::into_response);
    if let Some(failure) = response.extensions_mut().remove::<Failure>() {
        response = failure.render(&id);
    }
    response.headers_mut().insert(REQUEST_ID, HeaderValue::from_str(&id).expect("an id is visible ASCII"));
    finish(&notes, &id, &method, path.as_ref().map_or("", |p| p.as_str()), &mut response, started);
    response
}

/// The caller's id when it is short and visible ASCII, else a new one.
fn request_id(headers: &HeaderMap) -> String {
    let sent = headers.get(REQUEST_ID).and_then(|v| v.to_str().ok());
    let usable = |id: &&str| {
        (1..=LONGEST_REQUEST_ID).contains(&id.len())
            && id.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.:".contains(&b))
    };
    sent.filter(usable).map_or_else(|| uuid::Uuid::new_v4().to_string(), str::to_owned)
}

fn check_head(app: &App, request: &Request) -> Result<(), Failure> {
    let limits = &app.settings.http;
    let target = request.uri().path_and_query().map_or(0, |t| t.as_str().len()) as u64;
    if target > limits.max_uri_size.bytes() {
        let detail =
            format!("Path and query have {target} bytes; at most {} are taken.", limits.max_uri_size.bytes());
        return Err(Failure::new(Code::UriTooLong, detail));
    }
    let size: usize =
        request.headers().iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum();
    if size as u64 > limits.max_header_size.bytes() {
        let detail = format!(
            "The header fields have {size} bytes; at most {} are taken.",
            limits.max_header_size.bytes()
        );
        return Err(Failure::new(Code::HeadersTooLarge, detail));
    }
    Ok(())
}

/// Headers from the notes, one line for the audit when content was asked for, and the counts.
fn finish(notes: &Notes, id: &str, method: &Method, path: &str, response: &mut Response, started: Instant) {
    let noted = std::mem::take(&mut *notes.lock());
    response.headers_mut().extend(noted.headers);
    let status = response.status().as_u16();
    if let (Some((tenant, client)), Some(standard)) = (&noted.caller, &noted.standard) {
        let bytes = response.headers().get(header::CONTENT_LENGTH).and_then(|v| v.to_str().ok());
        let bytes = bytes.and_then(|v| v.parse::<u64>().ok()).or_else(|| http_body_length(response));
        tracing::info!(
            target: AUDIT,
            request = id, tenant, client, standard, method = method.as_str(),
            part = path, status, bytes = bytes.unwrap_or(0),
            "read"
        );
    }
    // What a stranger may make up must not become a label.
    let known = [
        Method::GET,
        Method::HEAD,
        Method::POST,
        Method::OPTIONS,
        Method::PUT,
        Method::DELETE,
        Method::PATCH,
    ];
    let label = if known.contains(method) { method.as_str() } else { "other" };
    let labels = [("method", label.to_owned()), ("path", path.to_owned()), ("status", status.to_string())];
    metrics::counter!("norma_http_requests_total", &labels).increment(1);
    metrics::histogram!("norma_http_request_seconds", "path" => path.to_owned())
        .record(started.elapsed().as_secs_f64());
}

fn http_body_length(response: &Response) -> Option<u64> {
    axum::body::HttpBody::size_hint(response.body()).exact()
}

/// The caller's address: the peer's, or, when that is a trusted proxy, the last one in X-Forwarded-For that is not.
pub(super) fn address(app: &App, extensions: &axum::http::Extensions, headers: &HeaderMap) -> Option<IpAddr> {
    let peer = extensions.get::<ConnectInfo<SocketAddr>>()?.0.ip().to_canonical();
    let trusted = |ip: &IpAddr| app.trusted_proxies.iter().any(|network| network.contains(ip));
    if !trusted(&peer) {
        return Some(peer);
    }
    let values = headers.get_all("x-forwarded-for").iter().filter_map(|v| v.to_str().ok());
    let chain: Vec<IpAddr> =
        values.flat_map(|v| v.split(',')).filter_map(|ip| ip.trim().parse().ok()).collect();
    Some(chain.into_iter().rev().find(|ip| !trusted(ip)).unwrap_or(peer))
}
