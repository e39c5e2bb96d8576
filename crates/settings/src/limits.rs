//! Settings of the limits on callers.

use serde::Deserialize;

use crate::Size;

/// Limits that callers meet; each field is explained in the commented defaults.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[expect(missing_docs, reason = "default.toml is the one home of these explanations")]
pub struct LimitSettings {
    pub rate_limit: u32,
    pub rate_burst: u32,
    pub max_requests_per_client: u32,
    pub refused_limit: u32,
    pub max_compared_provisions: usize,
    pub comparison_memory: Size,
    pub max_bytes_in_flight: Size,
    pub work_slots: usize,
}
