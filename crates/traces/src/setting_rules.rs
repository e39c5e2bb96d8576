//! Check of the settings of traces, and the header fields that they give.

use std::collections::HashMap;

use http::{HeaderName, HeaderValue};
use norma_settings::{SettingFindings, TraceSettings};

/// Notes settings of traces that cannot work.
pub fn check_settings(traces: &TraceSettings, findings: &mut SettingFindings) {
    findings.expect(
        "traces-endpoint",
        traces.traces_endpoint.is_empty() || is_collector(&traces.traces_endpoint),
        "write http:// or https://, a host and a path, without user and password (traces-headers has credentials): \
         http://127.0.0.1:4318/v1/traces",
    );
    findings.expect(
        "traces-headers",
        headers(traces).is_some(),
        "write the name and the value of a header field for each, as in Authorization=Bearer%20…",
    );
    findings.expect("traces-sample-ratio", (0.0..=1.0).contains(&traces.traces_sample_ratio), "write 0 to 1");
}

/// The header fields of requests to the collector, by name; `None` where one is not `name=value` of HTTP.
pub(crate) fn headers(traces: &TraceSettings) -> Option<HashMap<String, String>> {
    let mut headers = HashMap::new();
    for text in &traces.traces_headers {
        let (name, value) = text.split_once('=')?;
        let (name, value) = (name.trim(), value.trim());
        if HeaderName::try_from(name).is_err() || HeaderValue::try_from(value).is_err() {
            return None;
        }
        headers.insert(name.to_owned(), value.to_owned());
    }
    Some(headers)
}

/// Whether spans can be sent to this.
fn is_collector(text: &str) -> bool {
    let Ok(url) = url::Url::parse(text) else { return false };
    matches!(url.scheme(), "http" | "https") && url.username().is_empty() && url.password().is_none()
}
