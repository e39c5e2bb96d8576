//! The request pipeline: every request to the API goes through the steps of [`answer`] and [`steps`], in
//! their order.

use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::task::{self, Poll};
use std::time::Duration;

use axum::BoxError;
use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use bytes::Bytes;
use futures::FutureExt;
use futures::future::BoxFuture;
use norma_api::Operation;
use norma_api::paths::Caching;
use norma_api::problem::Code;
use norma_api::query::QueryLimits;
use norma_reads::{Access, Call, Failure, ReadCall, Representation, failed, reserve_whole};
use norma_store::Viewer;
use norma_traces::Step;
use tower::Service;

use super::access::{self, AcceptedCaller, SignedAsset};
use super::conditional::{self, PreparedResponse};
use super::context::RequestContext;
use super::limits_in_force::limits_in_force;
use super::response_cache::CacheSlot;
use super::route::{Route, RouteTarget};
use super::{documents, head, request_body};
use crate::state::Shared;

/// Answers requests to the API.
#[derive(Clone)]
pub(crate) struct Pipeline(Arc<Shared>);

impl Pipeline {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        Self(shared)
    }
}

impl<B> Service<Request<B>> for Pipeline
where
    B: HttpBody<Data = Bytes, Error: Into<BoxError>> + Send + 'static,
{
    type Response = Response;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut task::Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let shared = self.0.clone();
        Box::pin(async move { Ok(answer(shared, request.map(Body::new)).await) })
    }
}

/// Answers one request, however it ends: context, steps, audit, trace.
async fn answer(shared: Arc<Shared>, request: Request) -> Response {
    let (request, body) = request.into_parts();
    let route = Route::of(request.uri.path());
    let mut context = RequestContext::new(&request, &route, &shared.traces, &shared.public_url);
    let limit = shared.settings.http.request_timeout.std();
    let answered = with_deadline(steps(&shared, &mut context, &route, &request, body), limit).await;
    let problem = answered.as_ref().err().map(Failure::code);
    let mut response =
        answered.unwrap_or_else(|failure| failure.render(context.id(), &shared.base_path).map(Body::from));
    if !shared.base_path.is_empty() {
        below(&shared.base_path, response.headers_mut());
    }
    context.complete(&mut response);
    context.audit(&shared.audit, &response);
    context.count(&shared.counts, &response);
    context.complete_trace(&response, problem);
    response
}

/// Adds the path of `public-url` to `Content-Location`; the proxy with this path removes it from requests.
fn below(base_path: &str, headers: &mut HeaderMap) {
    if let Some(location) = headers.get(header::CONTENT_LOCATION).and_then(|value| value.to_str().ok())
        && let Ok(location) = HeaderValue::try_from(format!("{base_path}{location}"))
    {
        headers.insert(header::CONTENT_LOCATION, location);
    }
}

/// The steps from a request to its answer. The first that fails ends it. Those after the response cache have
/// a future of their own: within this one, an answer from the cache copied 17 KB for them (callgrind).
async fn steps(
    shared: &Arc<Shared>,
    context: &mut RequestContext,
    route: &Route<'_>,
    request: &Parts,
    body: Body,
) -> Result<Response, Failure> {
    // Limits of the head, and of what the path takes.
    head::check(request)?;
    route.check(&request.method)?;
    let operation = match route.target {
        RouteTarget::Operation(operation) => operation,
        RouteTarget::Script => return public_document(documents::script(request)?, context, request).await,
        RouteTarget::Elsewhere => {
            return public_document(shared.documents.elsewhere(request)?, context, request).await;
        }
    };
    let caching = operation.describe().caching;

    // Authenticate: token, suspension, rate.
    let step = context.trace.step("authenticate");
    let caller = access::authenticate(shared, context, request, operation).await?;
    step.end();

    // Response cache. Searches are not in it: it would keep what was found in an index that turns out to be
    // damaged.
    let mut cache_slot: Option<CacheSlot<'_>> = None;
    if let (Some(caller), Caching::Private) = (&caller, caching)
        && operation != Operation::Search
    {
        let state = shared.store.known_state().await.map_err(failed)?;
        let slot = shared.responses.slot((caller.who(), caller.day()), state, request);
        if let Some(cached) = slot.get()
            && let Some(answer) = {
                let share = || context.share(&shared.reads.in_flight);
                let cover = async |bytes| reserve_whole(share, bytes).await;
                cached.response.answer(&request.headers, cover).await
            }
        {
            context.standards = cached.standards;
            context.trace.set_text("norma.response_cache", "hit");
            return answer;
        }
        cache_slot = Some(slot);
    }

    let client = context.caller.as_ref().map(|(tenant, client)| access::client(tenant, client));
    let answered = made(shared, context, (operation, route, caller), request, body);
    let (response, prepared) = match client {
        Some(client) => norma_store::for_client(client, Box::pin(answered)).await?,
        None => Box::pin(answered).await?,
    };
    if let (Some(slot), Some(prepared)) = (cache_slot, prepared) {
        slot.insert(context.standards.clone(), prepared);
    }
    Ok(response)
}

/// The steps after the response cache, when it does not have the answer.
async fn made(
    shared: &Arc<Shared>,
    context: &mut RequestContext,
    (operation, route, caller): (Operation, &Route<'_>, Option<AcceptedCaller>),
    request: &Parts,
    body: Body,
) -> Result<(Response, Option<PreparedResponse>), Failure> {
    // Parameters and media type, by the table of operations.
    let call = Call::read(operation, &route.arguments, request, QueryLimits::default())?;

    // Authorize, read and shape.
    let id = context.id().to_owned();
    let read = norma_reads::Request {
        operation,
        head: request,
        id: &id,
        public_url: &shared.public_url,
        base_path: &shared.base_path,
        now: shared.now(),
    };
    let representation = match call {
        Call::Document(document) => shared.documents.representation(&document, request),
        Call::Asset(signed) => asset(shared, context, &signed, read).await?,
        Call::Limits => limits(shared, context, caller).await?,
        Call::Read(call) => answered(shared, context, caller, (call, body), read).await?,
    };

    // Conditional.
    let step = context.trace.step("respond");
    let memory = || context.memory(&shared.reads.in_flight);
    let conditions = (&request.method, &request.headers, &*id);
    let caching = operation.describe().caching;
    let prepared = conditional::answer(representation, caching, conditions, memory).await?;
    step.end();
    Ok(prepared)
}

/// The answer to a call of a caller with a token.
async fn answered(
    shared: &Arc<Shared>,
    context: &mut RequestContext,
    caller: Option<AcceptedCaller>,
    (call, body): (ReadCall, Body),
    read: norma_reads::Request<'_>,
) -> Result<Representation, Failure> {
    let authorizing = context.trace.step("authorize");
    let viewer = caller.ok_or_else(token_missing)?.viewer();
    let mut access = access_of(shared, context, &viewer, authorizing, read).await?;
    let body = request_body::read(read.operation, &read.head.headers, body);
    norma_reads::answer(&mut access, call, body, read).await
}

/// The limits in force, for a caller who is not suspended.
async fn limits(
    shared: &Shared,
    context: &RequestContext,
    caller: Option<AcceptedCaller>,
) -> Result<Representation, Failure> {
    let authorizing = context.trace.step("authorize");
    let viewer = caller.ok_or_else(token_missing)?.viewer();
    access::view_for(shared, &viewer).await?;
    authorizing.end();
    Representation::from_shape(&limits_in_force(&shared.settings, &shared.reads.limits))
}

/// The bytes of the asset that a signed URL names.
async fn asset(
    shared: &Arc<Shared>,
    context: &mut RequestContext,
    signed: &str,
    read: norma_reads::Request<'_>,
) -> Result<Representation, Failure> {
    let authorizing = context.trace.step("authorize");
    let SignedAsset { viewer, urn, digest, seconds } =
        SignedAsset::open(shared, context, signed, read.now).await?;
    let mut access = access_of(shared, context, &viewer, authorizing, read).await?;
    norma_reads::asset(&mut access, urn, &digest, seconds).await
}

/// What a viewer may use of the catalogue, for one request.
async fn access_of<'r>(
    shared: &'r Shared,
    context: &'r mut RequestContext,
    viewer: &Viewer,
    authorizing: Step,
    read: norma_reads::Request<'_>,
) -> Result<Access<'r>, Failure> {
    let view = access::view_for(shared, viewer).await?;
    let client = access::client(viewer.tenant(), viewer.client());
    let memory = context.memory(&shared.reads.in_flight);
    let trace = context.trace.clone();
    let standards = &mut context.standards;
    Ok(Access::new(view, (&shared.reads, client), (memory, trace), read.head, (standards, authorizing)))
}

fn token_missing() -> Failure {
    Failure::new(Code::TokenMissing, "This operation needs an access token.")
}

/// Answers with a document that belongs to no operation.
async fn public_document(
    document: Representation,
    context: &RequestContext,
    request: &Parts,
) -> Result<Response, Failure> {
    let nothing_in_flight = || unreachable!("what everybody may read is not counted");
    let asked = (&request.method, &request.headers, context.id());
    let answer = conditional::answer(document, Caching::Public, asked, nothing_in_flight);
    Ok(answer.await?.0)
}

/// The answer, unless making it takes too long or panics.
async fn with_deadline<T>(
    answer: impl Future<Output = Result<T, Failure>>,
    limit: Duration,
) -> Result<T, Failure> {
    match tokio::time::timeout(limit, AssertUnwindSafe(answer).catch_unwind()).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(panic)) => Err(Failure::panicked(&*panic)),
        Err(_) => {
            Err(Failure::new(Code::Timeout, "The answer was not finished within the service's time limit."))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_becomes_a_problem_that_names_the_request_and_reveals_nothing() {
        let answer = async { panic!("the secret of clause {}", 4) };
        let failure = with_deadline::<()>(answer, Duration::from_secs(60)).await.unwrap_err();
        let response = failure.render("request-7", "");
        assert_eq!(response.status(), 500);
        let problem: norma_api::Problem<'_> = serde_json::from_slice(response.body()).unwrap();
        assert_eq!((problem.code.as_ref(), problem.instance.as_ref()), ("internal", "request-7"));
        assert!(!String::from_utf8_lossy(response.body()).contains("secret"));
    }

    #[tokio::test]
    async fn an_answer_that_takes_too_long_is_given_up() {
        let failure = with_deadline::<()>(std::future::pending(), Duration::ZERO).await.unwrap_err();
        assert_eq!(failure.code(), Code::Timeout);
    }
}
