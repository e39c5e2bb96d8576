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
        let name = name.trim();
        let value = value.trim();
        if HeaderName::try_from(name).is_err() || HeaderValue::try_from(value).is_err() {
            return None;
        }
        headers.insert(name.to_owned(), value.to_owned());
    }
    Some(headers)
}

/// True if spans can be sent to this.
fn is_collector(text: &str) -> bool {
    let Ok(url) = url::Url::parse(text) else { return false };
    matches!(url.scheme(), "http" | "https") && url.username().is_empty() && url.password().is_none()
}

#[cfg(test)]
mod tests {
    use norma_settings::Settings;

    use super::*;

    fn with_headers(texts: &[&str]) -> TraceSettings {
        let mut settings = Settings::defaults().traces;
        settings.traces_headers = texts.iter().map(|text| (*text).to_owned()).collect();
        settings
    }

    #[test]
    fn a_header_field_is_a_name_and_a_value_around_the_first_equals_sign() {
        let found = headers(&with_headers(&[" x-key = a=b ", "Authorization=Bearer x"])).unwrap();
        assert_eq!(found["x-key"], "a=b");
        assert_eq!(found["Authorization"], "Bearer x");
        for wrong in ["no-value", "a b=c", "=c", "x=a\nb"] {
            assert!(headers(&with_headers(&[wrong])).is_none(), "{wrong}");
        }
    }

    #[test]
    fn a_collector_has_a_scheme_of_the_web_and_no_credentials() {
        assert!(is_collector("http://127.0.0.1:4318/v1/traces") && is_collector("https://c.example/"));
        for wrong in ["127.0.0.1:4318", "grpc://c.example/", "https://u@c.example/", "https://:p@c.example/"]
        {
            assert!(!is_collector(wrong), "{wrong}");
        }
    }
}
