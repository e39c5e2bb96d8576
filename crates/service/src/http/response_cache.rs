//! Answers given a moment ago: whoever asks for the same in the same way is answered out of memory, for as long as the
//! catalogue stands still.

use std::sync::Arc;

use axum::extract::{FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderName, Method, header};
use axum::response::Response;
use norma_api::Operation;
use norma_store::State;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use super::access::Caller;
use super::deliver::Ready;
use super::problem::Failure;
use super::trace::Notes;
use crate::state::Shared;

/// The operations whose answers hang on nothing but caller, request and catalogue.
const REMEMBERED: [Operation; 11] = [
    Operation::Provision,
    Operation::Sections,
    Operation::Content,
    Operation::Standard,
    Operation::Metadata,
    Operation::Provisions,
    Operation::Selection,
    Operation::Terms,
    Operation::Graphics,
    Operation::Standards,
    Operation::KnowledgeGraph,
];

/// What answers are negotiated by.
const NEGOTIATED: [HeaderName; 3] = [header::ACCEPT, header::ACCEPT_ENCODING, header::ACCEPT_LANGUAGE];

/// What an answer takes in memory beside its body and its key: headers, counters, the cache's own books.
const OVERHEAD: usize = 1024;

/// Answers by all that they hang on.
pub(crate) struct ResponseCache(Option<Cache<Vec<u8>, Given, Weight>>);

#[derive(Clone)]
struct Given {
    standard: Option<Arc<str>>,
    ready: Arc<Ready>,
}

#[derive(Clone)]
struct Weight;

impl Weighter<Vec<u8>, Given> for Weight {
    fn weight(&self, key: &Vec<u8>, given: &Given) -> u64 {
        (OVERHEAD + key.len() + given.ready.size()) as u64
    }
}

impl ResponseCache {
    /// Room for so many bytes; 0: nothing is remembered.
    pub(crate) fn new(bytes: u64) -> Self {
        // Most answers are far larger than this; the number only sizes the books.
        let items = usize::try_from(bytes / 16_384).unwrap_or(usize::MAX);
        Self((bytes > 0).then(|| Cache::with_weighter(items, bytes, Weight)))
    }
}

/// What a request comes to before a handler sees it.
pub(super) enum Looked {
    /// It was answered a moment ago.
    Again(Response),
    /// It is to be answered, and its answer kept where there is a place for it.
    New(Request, Option<Place>),
}

/// Where an answer will be kept.
pub(super) struct Place {
    key: Vec<u8>,
    notes: Notes,
}

/// Looks for the answer to a request whose route hangs on nothing but caller, request and catalogue.
pub(super) async fn look(app: &Arc<Shared>, route: &str, request: Request) -> Result<Looked, Failure> {
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    if !reads || !REMEMBERED.iter().any(|operation| operation.path() == route) {
        return Ok(Looked::New(request, None));
    }
    let (mut parts, body) = request.into_parts();
    let caller = Caller::from_request_parts(&mut parts, app).await?;
    // Asked before the handler reads: what that finds is of this state of the catalogue or of a later one.
    let key = key(&caller, app.store.known_state().await?, &parts);
    let notes = caller.notes().clone();
    if let Some(given) = app.responses.0.as_ref().and_then(|cache| cache.get(&key))
        && let Some(answer) = given.ready.answer(&parts).await
    {
        if let Some(urn) = given.standard {
            notes.standard(urn);
        }
        return answer.map(Looked::Again);
    }
    parts.extensions.insert(caller);
    Ok(Looked::New(Request::from_parts(parts, body), Some(Place { key, notes })))
}

impl Place {
    /// Keeps an answer that can be given again.
    pub(super) fn keep(self, app: &Shared, response: &mut Response) {
        let ready = response.extensions_mut().remove::<Arc<Ready>>();
        if let (Some(ready), Some(cache)) = (ready, &app.responses.0) {
            let Self { key, notes } = self;
            cache.insert(key, Given { standard: notes.standard_read(), ready });
        }
    }
}

/// Each part with its length before it, so that no two requests share a key.
fn key(caller: &Caller, state: State, request: &Parts) -> Vec<u8> {
    let who = caller.who();
    let target = request.uri.path_and_query().map_or("", |target| target.as_str());
    let mut key = Vec::with_capacity(256);
    key.extend_from_slice(&state.sequence.to_le_bytes());
    key.extend_from_slice(&state.mark.to_le_bytes());
    key.extend_from_slice(&caller.day().to_le_bytes());
    let mut part = |bytes: &[u8]| {
        key.extend_from_slice(&bytes.len().to_le_bytes());
        key.extend_from_slice(bytes);
    };
    for text in [who.tenant.as_str(), &who.client, target] {
        part(text.as_bytes());
    }
    for name in NEGOTIATED {
        for value in request.headers.get_all(&name) {
            part(value.as_bytes());
        }
        part(name.as_str().as_bytes());
    }
    key
}
