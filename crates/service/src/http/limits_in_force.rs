//! The limits in force, as callers see them.

use norma_api::query::QueryLimits;
use norma_api::shapes::{Limits, RateLimit};
use norma_model::printed::MAX_CITATION_LENGTH;
use norma_model::selection::{MAX_SELECTION_ITEMS, MAX_SELECTION_LENGTH};
use norma_settings::Settings;

use norma_reads::{
    CLIENT_SHARES, MAX_ASSET_REFERENCES, MAX_CITATIONS, MAX_MIGRATED_IDS, MAX_QUOTATION_CHARACTERS,
    MAX_QUOTATIONS, ReadLimits, slots_per_tenant,
};

use crate::fixed_limits::{MAX_BODY_SIZE, MAX_QUOTATIONS_BODY_SIZE, MAX_URI_SIZE};

/// The limits of these settings, and those that no setting changes.
pub(super) fn limits_in_force(settings: &Settings, reads: &ReadLimits) -> Limits {
    let (limits, queries) = (&settings.limits, QueryLimits::default());
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    Limits {
        rate: (limits.rate_limit > 0)
            .then_some(RateLimit { requests_per_second: limits.rate_limit, burst: limits.rate_burst }),
        max_requests_at_once: limits.max_requests_per_client,
        max_bytes_in_flight: limits.max_bytes_in_flight.bytes() / CLIENT_SHARES as u64,
        max_work_slots: number(slots_per_tenant(limits)),
        default_page_size: queries.page_size,
        max_page_size: queries.max_page_size,
        max_query_values: number(queries.max_values),
        max_query_words: number(queries.max_words),
        max_selection_characters: number(MAX_SELECTION_LENGTH),
        max_selection_items: number(MAX_SELECTION_ITEMS),
        max_references: number(MAX_ASSET_REFERENCES),
        max_migrated_ids: number(MAX_MIGRATED_IDS),
        max_citations: number(MAX_CITATIONS),
        max_citation_characters: number(MAX_CITATION_LENGTH),
        max_quotations: number(MAX_QUOTATIONS),
        max_quotation_characters: number(MAX_QUOTATION_CHARACTERS),
        max_compared_provisions: number(limits.max_compared_provisions),
        asset_url_seconds: u32::try_from(reads.asset_url_lifetime.as_secs()).unwrap_or(u32::MAX),
        max_body_bytes: MAX_BODY_SIZE as u64,
        max_quotations_body_bytes: MAX_QUOTATIONS_BODY_SIZE as u64,
        max_uri_bytes: MAX_URI_SIZE as u64,
        max_token_bytes: norma_auth::MAX_TOKEN_SIZE as u64,
    }
}
