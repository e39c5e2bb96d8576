//! Settings of traces.

use serde::Deserialize;

/// Traces and their collector; each field is explained in the commented defaults.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[expect(missing_docs, reason = "default.toml is the one home of these explanations")]
pub struct TraceSettings {
    pub traces_endpoint: String,
    pub traces_headers: Vec<String>,
    pub traces_sample_ratio: f64,
    pub traces_follow_callers: bool,
    pub traces_service_name: String,
}
