//! The limits in force, as callers see them.

use norma_api::shapes::{Limits, RateLimit};
use norma_model::selection::{MAX_SELECTION_ITEMS, MAX_SELECTION_LENGTH};
use norma_settings::Settings;

use norma_reads::{CLIENT_SHARES, slots_per_tenant};

/// The limits of these settings.
pub(super) fn limits_in_force(settings: &Settings) -> Limits {
    let limits = &settings.limits;
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    Limits {
        rate: (limits.rate_limit > 0)
            .then_some(RateLimit { requests_per_second: limits.rate_limit, burst: limits.rate_burst }),
        max_requests_at_once: limits.max_requests_per_client,
        max_bytes_in_flight: limits.max_bytes_in_flight.bytes() / CLIENT_SHARES as u64,
        max_work_slots: number(slots_per_tenant(limits)),
        default_page_size: limits.page_size,
        max_page_size: limits.max_page_size,
        max_query_values: number(limits.max_query_values),
        max_query_words: number(limits.max_query_words),
        max_selection_characters: number(MAX_SELECTION_LENGTH),
        max_selection_items: number(MAX_SELECTION_ITEMS),
        max_references: number(limits.max_asset_references),
        max_migrated_ids: number(limits.max_migrated_ids),
        max_compared_provisions: number(limits.max_compared_provisions),
        asset_url_seconds: u32::try_from(limits.asset_url_lifetime.std().as_secs()).unwrap_or(u32::MAX),
        max_body_bytes: settings.http.max_body_size.bytes(),
        max_uri_bytes: settings.http.max_uri_size.bytes(),
        max_token_bytes: settings.identity.max_token_size.bytes(),
    }
}
