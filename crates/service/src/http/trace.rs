//! Around each request: its id, the limits on its head, its time, and what log, audit and metrics say of it.

use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, LazyLock, Mutex};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::response::{IntoResponse, Response};
use axum::{BoxError, Router};
use bytes::Bytes;
use futures::FutureExt;
use futures::future::BoxFuture;
use norma_api::Operation;
use norma_api::openapi::DOCS_SCRIPT_PATH;
use norma_api::problem::Code;
use tower::Service;

use super::head;
use super::in_flight::{InFlight, Share};
use super::problem::Failure;
use super::response_cache::{self, Looked};
use crate::audit::Read;
use crate::limits::Rate;
use crate::state::Shared;

/// The request's id, taken from the caller or made here.
pub(super) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

const LONGEST_REQUEST_ID: usize = 128;

/// The request's id, for problems within an answer.
pub(super) fn id_of(extensions: &axum::http::Extensions) -> String {
    extensions.get::<Notes>().map_or_else(String::new, |notes| notes.id().to_owned())
}

/// What becomes known of a request while it is answered: for audit, headers and the share of bytes in flight, never for
/// decisions about access.
#[derive(Clone)]
pub(super) struct Notes(Arc<Inner>);

struct Inner {
    id: HeaderValue,
    in_flight: Arc<InFlight>,
    noted: Mutex<Noted>,
}

#[derive(Default)]
struct Noted {
    caller: Option<(String, String)>,
    standard: Option<Arc<str>>,
    /// What was asked for, with selection, provision and query; empty for assets. Only reads with known parameters are
    /// audited, so that nothing but these gets into the audit.
    path: String,
    rate: Option<Rate>,
}

impl Notes {
    fn new(id: HeaderValue, in_flight: Arc<InFlight>) -> Self {
        Self(Arc::new(Inner { id, in_flight, noted: Mutex::default() }))
    }

    /// The request's id.
    pub(super) fn id(&self) -> &str {
        self.0.id.to_str().expect("an id is visible ASCII")
    }

    /// The notes of a request; of one that did not come through [`around`], nobody reads them.
    pub(super) fn of(extensions: &axum::http::Extensions) -> Self {
        let unread = || Self::new(HeaderValue::from_static(""), Arc::default());
        extensions.get::<Self>().cloned().unwrap_or_else(unread)
    }

    /// What the caller, as far as one is known, may have in flight.
    pub(super) fn share(&self) -> Share {
        let caller = self.lock().caller.clone();
        self.0.in_flight.share(caller.unwrap_or_default())
    }

    /// Which client of which tenant asks.
    pub(super) fn caller(&self, tenant: &str, client: &str) {
        self.lock().caller = Some((tenant.to_owned(), client.to_owned()));
    }

    /// Which standard content was read of.
    pub(super) fn standard(&self, urn: Arc<str>) {
        self.lock().standard = Some(urn);
    }

    /// The standard that content was read of, so far.
    pub(super) fn standard_read(&self) -> Option<Arc<str>> {
        self.lock().standard.clone()
    }

    /// What is left to the caller: the answer tells, whatever it is.
    pub(super) fn rate(&self, rate: Rate) {
        self.lock().rate = Some(rate);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Noted> {
        self.0.noted.lock().unwrap_or_else(|e| e.into_inner())
    }
}

/// The routes, with what is done around each of them.
///
/// It stands before the router and not in a layer of it, so that an answer out of memory costs no routing.
#[derive(Clone)]
pub(crate) struct Traced {
    app: Arc<Shared>,
    routes: Router,
}

impl Traced {
    pub(super) fn new(app: Arc<Shared>, routes: Router) -> Self {
        Self { app, routes }
    }
}

impl<B> Service<Request<B>> for Traced
where
    B: HttpBody<Data = Bytes, Error: Into<BoxError>> + Send + 'static,
{
    type Response = Response;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let Self { app, routes } = self.clone();
        Box::pin(async move { Ok(around(app, routes, request.map(Body::new)).await) })
    }
}

/// Paths by their templates, found as the router finds them.
static TEMPLATES: LazyLock<matchit::Router<&'static str>> = LazyLock::new(|| {
    let mut templates = matchit::Router::new();
    for path in Operation::ALL.iter().map(|operation| operation.path()).chain([DOCS_SCRIPT_PATH]) {
        templates.insert(path, path).expect("the router takes the same paths");
    }
    templates
});

/// The template of a path, by which requests are told apart in counts and audit; empty where there is none.
fn template(path: &str) -> &'static str {
    TEMPLATES.at(path).map_or("", |found| found.value)
}

async fn around(app: Arc<Shared>, routes: Router, mut request: Request) -> Response {
    let started = Instant::now();
    let notes = Notes::new(request_id(request.headers()), app.in_flight.clone());
    let method = request.method().clone();
    let route = template(request.uri().path());
    // The URL of an asset is as good as the bytes behind it: no log may hold one.
    if route != Operation::Asset.path() {
        let target = request.uri().path_and_query().map_or("", |target| target.as_str());
        notes.lock().path = target.to_owned();
    }
    request.extensions_mut().insert(notes.clone());

    let answer = async {
        head::check(&request, &app.settings.http)?;
        survived(respond(&app, route, request, routes), app.settings.http.request_timeout.std()).await?
    };
    let mut response = answer.await.unwrap_or_else(IntoResponse::into_response);
    if let Some(failure) = response.extensions_mut().remove::<Failure>() {
        let allowed = response.headers_mut().remove(header::ALLOW);
        response = failure.render(notes.id());
        // The router has named the methods that a path takes.
        response.headers_mut().extend(allowed.map(|methods| (header::ALLOW, methods)));
    }
    response.headers_mut().insert(REQUEST_ID, notes.0.id.clone());
    guard(response.headers_mut());
    let (method, status) = (counted(&method), response.status().as_u16());
    finish(&app, &notes, method, route, &mut response);
    app.counts.request(method, route, status, started.elapsed());
    response
}

/// The answer out of memory, or the handler's.
async fn respond(
    app: &Arc<Shared>,
    route: &str,
    request: Request,
    mut routes: Router,
) -> Result<Response, Failure> {
    match response_cache::look(app, route, request).await? {
        Looked::Again(response) => Ok(response),
        Looked::New(request, place) => {
            let Ok(mut response) = routes.call(request).await;
            if let Some(place) = place {
                place.keep(app, &mut response);
            }
            Ok(response)
        }
    }
}

/// The answer, unless making it takes too long or panics.
async fn survived<T>(answer: impl Future<Output = T>, limit: Duration) -> Result<T, Failure> {
    match tokio::time::timeout(limit, AssertUnwindSafe(answer).catch_unwind()).await {
        Ok(Ok(response)) => Ok(response),
        Ok(Err(panic)) => Err(Failure::panicked(&*panic)),
        Err(_) => {
            Err(Failure::new(Code::Timeout, "The answer was not finished within the service's time limit."))
        }
    }
}

/// The caller's id when it is short and visible ASCII, else a new one.
fn request_id(headers: &HeaderMap) -> HeaderValue {
    let usable = |id: &&HeaderValue| {
        (1..=LONGEST_REQUEST_ID).contains(&id.len())
            && id.as_bytes().iter().all(|b| b.is_ascii_alphanumeric() || b"-_.:".contains(b))
    };
    headers.get(REQUEST_ID).filter(usable).cloned().unwrap_or_else(|| {
        let mut text = uuid::Uuid::encode_buffer();
        HeaderValue::from_str(uuid::Uuid::new_v4().hyphenated().encode_lower(&mut text))
            .expect("a UUID is ASCII")
    })
}

/// What every answer tells a browser: not to guess at types, and of a page what it may load and that no other page may
/// frame it. Scripts come from this service alone; what is asked for from a page goes to this service alone.
pub(super) fn guard(headers: &mut HeaderMap) {
    const POLICY: HeaderValue = HeaderValue::from_static(
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
         font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/html")) {
        headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(POLICY);
    }
}

/// What a stranger may make up must not become a label.
fn counted(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "OPTIONS" => "OPTIONS",
        "PUT" => "PUT",
        "DELETE" => "DELETE",
        "PATCH" => "PATCH",
        _ => "other",
    }
}

/// Headers from the notes, and one line for the audit when content was asked for.
fn finish(app: &Shared, notes: &Notes, method: &'static str, route: &str, response: &mut Response) {
    let noted = std::mem::take(&mut *notes.lock());
    if let Some(rate) = &noted.rate {
        rate.headers().for_each(|(name, value)| {
            response.headers_mut().insert(name, value.into());
        });
    }
    if let (Some((tenant, client)), Some(standard)) = (&noted.caller, &noted.standard) {
        let bytes = response.headers().get(header::CONTENT_LENGTH).and_then(|v| v.to_str().ok());
        let bytes = bytes.and_then(|v| v.parse::<u64>().ok());
        app.audit.read(&Read {
            request: notes.id(),
            tenant,
            client,
            standard,
            method,
            part: route,
            path: &noted.path,
            status: response.status().as_u16(),
            bytes: bytes.or_else(|| response.body().size_hint().exact()).unwrap_or(0),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_becomes_a_problem_that_names_the_request_and_tells_nothing() {
        let answer = async { panic!("the secret of clause {}", 4) };
        let failure = survived(answer, Duration::from_secs(60)).await.unwrap_err();
        let response = failure.render("request-7");
        assert_eq!(response.status(), 500);
        let body = axum::body::to_bytes(response.into_body(), 4096).await.unwrap();
        let problem: norma_api::Problem<'_> = serde_json::from_slice(&body).unwrap();
        assert_eq!((problem.code.as_ref(), problem.instance.as_ref()), ("internal", "request-7"));
        assert!(!String::from_utf8(body.to_vec()).unwrap().contains("secret"));
    }

    #[tokio::test]
    async fn an_answer_that_takes_too_long_is_given_up() {
        let failure = survived(std::future::pending::<Response>(), Duration::ZERO).await.unwrap_err();
        assert_eq!(failure.code(), Code::Timeout);
    }
}
