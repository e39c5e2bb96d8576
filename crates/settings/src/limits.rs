//! Settings of the limits on callers.

use norma_api::query::QueryLimits;
use serde::Deserialize;

use crate::{Duration, Size};

/// Limits that callers meet; each field is explained in the commented defaults.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[expect(missing_docs, reason = "default.toml is the one home of these explanations")]
pub struct LimitSettings {
    pub rate_limit: u32,
    pub rate_burst: u32,
    pub max_requests_per_client: u32,
    pub refused_limit: u32,
    pub page_size: u32,
    pub max_page_size: u32,
    pub max_query_values: usize,
    pub max_query_words: usize,
    pub max_asset_references: usize,
    pub max_migrated_ids: usize,
    pub max_compared_provisions: usize,
    pub max_comparisons: usize,
    pub comparison_timeout: Duration,
    pub comparison_memory: Size,
    pub asset_url_lifetime: Duration,
    pub max_bytes_in_flight: Size,
    pub work_slots: usize,
    pub work_slots_per_tenant: usize,
}

impl LimitSettings {
    /// The limits of a query.
    pub fn queries(&self) -> QueryLimits {
        QueryLimits {
            page_size: self.page_size,
            max_page_size: self.max_page_size,
            max_values: self.max_query_values,
            max_words: self.max_query_words,
        }
    }
}
