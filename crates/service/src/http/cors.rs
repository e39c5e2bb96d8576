//! Cross-origin reading by browser pages (CORS): closed unless the operator names origins.

use std::time::Duration;

use axum::http::{HeaderName, HeaderValue, Method, header};
use norma_settings::UnusableSetting;
use tower_http::cors::CorsLayer;

use super::context::REQUEST_ID;

/// Request headers that a page may send, in addition to those that need no permission.
const REQUEST_HEADERS: [HeaderName; 14] = [
    header::AUTHORIZATION,
    header::ACCEPT,
    header::ACCEPT_LANGUAGE,
    header::CONTENT_TYPE,
    header::IF_MATCH,
    header::IF_NONE_MATCH,
    header::IF_MODIFIED_SINCE,
    header::IF_UNMODIFIED_SINCE,
    header::IF_RANGE,
    header::RANGE,
    // W3C Trace Context, section 3.
    HeaderName::from_static("traceparent"),
    HeaderName::from_static("tracestate"),
    // W3C Baggage, section 3. It is not read: libraries for traces send it with the other two.
    HeaderName::from_static("baggage"),
    REQUEST_ID,
];

/// Response headers that a page may read: every one that the contract names.
const EXPOSED_HEADERS: [HeaderName; 16] = [
    header::ETAG,
    header::LINK,
    header::LAST_MODIFIED,
    header::CONTENT_LOCATION,
    header::CONTENT_DISPOSITION,
    header::CONTENT_RANGE,
    header::ACCEPT_RANGES,
    header::ALLOW,
    header::RETRY_AFTER,
    header::WWW_AUTHENTICATE,
    HeaderName::from_static("x-ratelimit-limit"),
    HeaderName::from_static("x-ratelimit-remaining"),
    HeaderName::from_static("x-ratelimit-reset"),
    HeaderName::from_static("deprecation"),
    HeaderName::from_static("sunset"),
    REQUEST_ID,
];

/// Time for which a browser may remember the permission.
const PREFLIGHT_MAX_AGE: Duration = Duration::from_secs(3600);

/// The layer for these origins; `None` without origins.
pub(super) fn layer(origins: &[String]) -> Result<Option<CorsLayer>, UnusableSetting> {
    let origins = origins.iter().map(|text| origin(text)).collect::<Result<Vec<_>, _>>()?;
    let layer = CorsLayer::new()
        .allow_methods([Method::GET, Method::HEAD, Method::POST])
        .allow_headers(REQUEST_HEADERS)
        .expose_headers(EXPOSED_HEADERS)
        .max_age(PREFLIGHT_MAX_AGE);
    Ok((!origins.is_empty()).then(|| layer.allow_origin(origins)))
}

/// An origin as browsers write it (RFC 6454, section 6.2): scheme, host, and port unless it is the scheme's
/// default.
fn origin(text: &str) -> Result<HeaderValue, UnusableSetting> {
    let written = url::Url::parse(text).ok().map(|url| url.origin()).filter(|origin| origin.is_tuple());
    let written = written.map(|origin| origin.ascii_serialization());
    let why = match &written {
        Some(right) if right == text => return Ok(HeaderValue::from_str(text).expect("an origin is ASCII")),
        Some(right) => {
            format!("`{text}` is not a valid origin as browsers write it; did you mean `{right}`?")
        }
        None => format!("`{text}` is not a valid origin: write `https://host` or `https://host:port`"),
    };
    Err(UnusableSetting { setting: "cors-origins", why })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_that_no_browser_writes_is_named_at_start() {
        for right in ["https://app.example", "http://localhost:3000"] {
            assert_eq!(origin(right).unwrap(), right);
        }
        for (wrong, hint) in [
            ("https://app.example/", "did you mean `https://app.example`"),
            ("https://App.example:443/x", "did you mean `https://app.example`"),
            ("*", "write `https://host`"),
            ("app.example", "write `https://host`"),
            ("null", "write `https://host`"),
        ] {
            let error = layer(&["https://app.example".to_owned(), wrong.to_owned()]).unwrap_err().to_string();
            assert!(error.contains(&format!("`{wrong}`")) && error.contains(hint), "{error}");
        }
        assert!(layer(&[]).unwrap().is_none());
    }
}
