//! Limits of the service for a caller.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// `GET /limits`: what this service allows the caller.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Limits {
    /// Rate limit of requests; absent when unlimited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<RateLimit>,
    /// Most requests of the client at once, until the last byte of their answers; beyond it `rate-limited`.
    pub max_requests_at_once: u32,
    /// Most bytes of memory that they take at once, until their answers are read. What waits too long for
    /// room is `unavailable`.
    pub max_bytes_in_flight: u64,
    /// Most requests of the tenant that work on large standards at once; others wait, and its clients take
    /// turns.
    pub max_work_slots: u32,
    /// Items on a page of the list when `limit` is not given.
    pub default_page_size: u32,
    /// Most items on a page of the list.
    pub max_page_size: u32,
    /// Most values of all parameters of one query.
    pub max_query_values: u32,
    /// Most words of all `q` of one query.
    pub max_query_words: u32,
    /// Most characters in a selection.
    pub max_selection_characters: u32,
    /// Most items in a selection.
    pub max_selection_items: u32,
    /// Most references in one request to resolve assets.
    pub max_references: u32,
    /// Most ids or labels in one request to migrate.
    pub max_migrated_ids: u32,
    /// Most citations in one request to resolve.
    pub max_citations: u32,
    /// Most characters in a citation.
    pub max_citation_characters: u32,
    /// Most quotations in one request to verify.
    pub max_quotations: u32,
    /// Most characters in a quotation.
    pub max_quotation_characters: u32,
    /// Most provisions of an edition that is compared on request.
    pub max_compared_provisions: u32,
    /// How long a resolved URL works, in seconds.
    pub asset_url_seconds: u32,
    /// Longest request body, in bytes.
    pub max_body_bytes: u64,
    /// Longest body of a request to verify quotations, in bytes.
    pub max_quotations_body_bytes: u64,
    /// Longest request target, in bytes.
    pub max_uri_bytes: u64,
    /// Longest access token, in bytes.
    pub max_token_bytes: u64,
}

/// How many requests a client may send.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RateLimit {
    /// Requests that become available again each second.
    pub requests_per_second: u32,
    /// Most requests at once after a pause.
    pub burst: u32,
}
