//! Response cache, keyed by caller, day, target, negotiated headers and catalogue state.

use std::sync::Arc;

use axum::http::request::Parts;
use axum::http::{HeaderName, header};
use norma_reads::{MAX_BUFFERED, RequestedStandards};
use norma_store::{CatalogueState, cache_of_bytes};
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use super::conditional::PreparedResponse;

/// Request headers that negotiate an answer.
const NEGOTIATED_HEADERS: [HeaderName; 3] =
    [header::ACCEPT, header::ACCEPT_ENCODING, header::ACCEPT_LANGUAGE];

/// Estimated bytes of memory for an answer in addition to its body and its key: headers, counters, the
/// cache's entry.
const OVERHEAD: usize = 1024;

/// Bytes of a small answer.
const SMALL_ANSWER: u64 = 4 << 10;

/// Answers by everything that they depend on: caller, day, state of the catalogue, target and negotiated
/// headers.
pub(crate) struct ResponseCache(Option<Cache<Vec<u8>, CachedResponse, ResponseWeight>>);

/// An answer that can be given again.
#[derive(Clone)]
pub(super) struct CachedResponse {
    /// The standards that it has content of.
    pub(super) standards: RequestedStandards,
    pub(super) response: Arc<PreparedResponse>,
}

#[derive(Clone)]
struct ResponseWeight;

impl Weighter<Vec<u8>, CachedResponse> for ResponseWeight {
    fn weight(&self, key: &Vec<u8>, cached: &CachedResponse) -> u64 {
        (OVERHEAD + key.len() + cached.response.size()) as u64
    }
}

impl ResponseCache {
    /// A cache of this many bytes; 0 stores nothing.
    pub(crate) fn new(bytes: u64) -> Self {
        Self((bytes > 0).then(|| cache_of_bytes(bytes, SMALL_ANSWER, MAX_BUFFERED, ResponseWeight)))
    }
}

/// The slot for the answer to a request, whether it is stored or not.
pub(super) struct CacheSlot<'c> {
    cache: &'c ResponseCache,
    key: Vec<u8>,
}

impl ResponseCache {
    /// The slot for the answer to a caller's request on a day (days since 1970), in this state of the
    /// catalogue. The state is to be asked for before an operation reads: what it finds is of this state or
    /// of a later one.
    pub(super) fn slot(
        &self,
        (caller, day): (&norma_auth::Caller, i64),
        state: CatalogueState,
        request: &Parts,
    ) -> CacheSlot<'_> {
        let caller = [caller.tenant.as_str(), &caller.client];
        CacheSlot { cache: self, key: key((caller, day), state, request) }
    }
}

impl CacheSlot<'_> {
    /// The answer in the slot.
    pub(super) fn get(&self) -> Option<CachedResponse> {
        self.cache.0.as_ref()?.get(&self.key)
    }

    /// Keeps an answer with content of standards.
    pub(super) fn insert(self, standards: RequestedStandards, response: PreparedResponse) {
        if let Some(cache) = &self.cache.0 {
            cache.insert(self.key, CachedResponse { standards, response: Arc::new(response) });
        }
    }
}

/// The key: each part after its length, so that no two requests share a key.
fn key(([tenant, client], day): ([&str; 2], i64), state: CatalogueState, request: &Parts) -> Vec<u8> {
    let target = request.uri.path_and_query().map_or("", |target| target.as_str());
    let mut key = Vec::with_capacity(256);
    key.extend_from_slice(&state.sequence.to_le_bytes());
    key.extend_from_slice(&state.epoch.to_le_bytes());
    key.extend_from_slice(&day.to_le_bytes());
    let mut part = |bytes: &[u8]| {
        key.extend_from_slice(&bytes.len().to_le_bytes());
        key.extend_from_slice(bytes);
    };
    for text in [tenant, client, target] {
        part(text.as_bytes());
    }
    for name in NEGOTIATED_HEADERS {
        for value in request.headers.get_all(&name) {
            part(value.as_bytes());
        }
        part(name.as_str().as_bytes());
    }
    key
}

#[cfg(test)]
mod tests {
    use axum::http::Request;

    use super::*;

    #[test]
    fn a_key_changes_with_caller_day_state_target_and_each_negotiated_header() {
        let key_for = |caller: [&str; 2], day, (sequence, epoch), target: &str, header: Option<&str>| {
            let request = Request::builder().uri(target);
            let request = header.into_iter().fold(request, |request, name| request.header(name, "x"));
            let (request, ()) = request.body(()).unwrap().into_parts();
            key((caller, day), CatalogueState { sequence, epoch }, &request)
        };
        let (one, a) = (["t", "c"], "/a");
        let keys = std::collections::BTreeSet::from([
            key_for(one, 1, (1, 1), a, None),
            key_for(["u", "c"], 1, (1, 1), a, None),
            key_for(["t", "d"], 1, (1, 1), a, None),
            key_for(one, 2, (1, 1), a, None),
            key_for(one, 1, (2, 1), a, None),
            key_for(one, 1, (1, 2), a, None),
            key_for(one, 1, (1, 1), "/a?b", None),
            key_for(one, 1, (1, 1), a, Some("accept")),
            key_for(one, 1, (1, 1), a, Some("accept-encoding")),
            key_for(one, 1, (1, 1), a, Some("accept-language")),
        ]);
        assert_eq!(keys.len(), 10);
        assert_eq!(key_for(one, 1, (1, 1), a, Some("user-agent")), key_for(one, 1, (1, 1), a, None));
    }
}
