//! Settings of the limits that callers meet.

use serde::Deserialize;

use super::Duration;

/// Limits that callers meet; each field is explained in the commented defaults.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[expect(missing_docs, reason = "default.toml is the one home of these explanations")]
pub struct Limits {
    pub rate_limit: u32,
    pub rate_burst: u32,
    pub max_requests_per_client: u32,
    pub refused_limit: u32,
    pub page_size: u32,
    pub max_page_size: u32,
    pub max_asset_references: usize,
    pub asset_url_lifetime: Duration,
}
