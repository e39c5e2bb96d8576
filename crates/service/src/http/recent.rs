//! Answers given a moment ago: whoever asks for the same in the same way is answered out of memory, for as long as the
//! catalogue stands still. A layer around the routes whose answers hang on nothing but caller, request and catalogue.

use std::sync::Arc;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::{HeaderName, Method, header};
use axum::middleware::Next;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use super::access::Caller;
use super::deliver::{Answer, Ready};
use crate::app::App;

/// What answers are negotiated by.
const NEGOTIATED: [HeaderName; 3] = [header::ACCEPT, header::ACCEPT_ENCODING, header::ACCEPT_LANGUAGE];

/// What an answer takes in memory beside its body and its key: headers, counters, the cache's own books.
const OVERHEAD: usize = 1024;

/// Answers by all that they hang on.
pub(crate) struct Recent(Cache<Vec<u8>, Given, Weight>);

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

impl Recent {
    /// Room for so many bytes; 0: nothing is remembered.
    pub(crate) fn new(bytes: u64) -> Self {
        // Most answers are far larger than this; the number only sizes the books.
        let items = usize::try_from(bytes / 16_384).unwrap_or(usize::MAX);
        Self(Cache::with_weighter(items, bytes, Weight))
    }
}

/// Answers from memory, or lets the handler answer and remembers that.
pub(super) async fn around(State(app): State<Arc<App>>, request: Request, next: Next) -> Answer {
    // The layer lies around the answer to other methods as well, which needs no caller.
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Ok(next.run(request).await);
    }
    let (mut parts, body) = request.into_parts();
    let caller = Caller::from_request_parts(&mut parts, &app).await?;
    let mut request = Request::from_parts(parts, body);
    // Asked before the handler reads: what it finds is of this state of the catalogue or of a later one.
    let sequence = app.store.known_sequence().await?;
    let key = key(&caller, sequence, &request);
    let notes = caller.notes().clone();
    if let Some(given) = app.recent.0.get(&key)
        && let Some(answer) = given.ready.answer(request.headers())
    {
        if let Some(urn) = given.standard {
            notes.standard(urn);
        }
        return answer;
    }
    request.extensions_mut().insert(caller);
    let mut response = next.run(request).await;
    if let Some(ready) = response.extensions_mut().remove::<Arc<Ready>>() {
        app.recent.0.insert(key, Given { standard: notes.standard_read(), ready });
    }
    Ok(response)
}

/// Each part with its length before it, so that no two requests share a key.
fn key(caller: &Caller, sequence: u64, request: &Request) -> Vec<u8> {
    let who = caller.who();
    let target = request.uri().path_and_query().map_or("", |target| target.as_str());
    let mut key = Vec::with_capacity(256);
    key.extend_from_slice(&sequence.to_le_bytes());
    key.extend_from_slice(&caller.day().to_le_bytes());
    let mut part = |bytes: &[u8]| {
        key.extend_from_slice(&bytes.len().to_le_bytes());
        key.extend_from_slice(bytes);
    };
    for text in [who.tenant.as_str(), &who.client, target] {
        part(text.as_bytes());
    }
    for name in NEGOTIATED {
        for value in request.headers().get_all(&name) {
            part(value.as_bytes());
        }
        part(name.as_str().as_bytes());
    }
    key
}
