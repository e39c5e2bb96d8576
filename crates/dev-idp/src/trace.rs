//! Request ids in responses and logs.

use axum::http::HeaderMap;

use crate::{Guid, params::Params};

const CORRELATION: &str = "client-request-id";

/// The two ids of a request: the provider's, and the caller's.
#[derive(Clone, Copy)]
pub(crate) struct RequestIds {
    pub(crate) trace_id: Guid,
    pub(crate) correlation_id: Guid,
}

impl RequestIds {
    /// Reads the caller's id from the header or from the query.
    pub(crate) fn new(headers: &HeaderMap, query: &Params) -> RequestIds {
        let given = headers.get(CORRELATION).and_then(|value| value.to_str().ok()?.parse().ok());
        let correlation_id = given.unwrap_or_else(Guid::random);
        RequestIds { trace_id: Guid::random(), correlation_id }.named_in(query)
    }

    /// The same, with the caller's id from a form or query, where official client libraries send it.
    pub(crate) fn named_in(&self, params: &Params) -> RequestIds {
        let given = params.get(CORRELATION).and_then(|id| id.parse().ok());
        RequestIds { correlation_id: given.unwrap_or(self.correlation_id), ..*self }
    }
}
