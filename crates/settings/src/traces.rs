//! Settings of traces.

use std::collections::HashMap;

use http::{HeaderName, HeaderValue};
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

impl TraceSettings {
    /// The header fields of requests to the collector, by name; `None` where one is not `name=value` of HTTP.
    pub fn headers(&self) -> Option<HashMap<String, String>> {
        let header = |text: &String| {
            let (name, value) = text.split_once('=')?;
            let (name, value) = (name.trim(), value.trim());
            (HeaderName::try_from(name).is_ok() && HeaderValue::try_from(value).is_ok())
                .then(|| (name.to_owned(), value.to_owned()))
        };
        self.traces_headers.iter().map(header).collect()
    }
}
