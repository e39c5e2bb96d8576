//! Request and response helpers that several pages share.

use axum::{
    http::{
        HeaderMap, HeaderName,
        header::{CACHE_CONTROL, PRAGMA},
    },
    response::{IntoResponse, Response},
};

/// The text of a header; empty where it has characters beyond ASCII.
pub(crate) fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name).map(|value| value.to_str().unwrap_or_default())
}

/// Whether a browser that sends fetch metadata sent the request.
pub(crate) fn from_browser(headers: &HeaderMap) -> bool {
    headers.contains_key("sec-fetch-mode")
}

/// The headers of responses that must not be cached.
pub(crate) fn no_store() -> impl axum::response::IntoResponseParts {
    [(CACHE_CONTROL, "no-store, no-cache"), (PRAGMA, "no-cache")]
}

/// Whether the client asks for JSON instead of a page.
pub(crate) fn wants_json(headers: &HeaderMap) -> bool {
    text(headers, &axum::http::header::ACCEPT).is_some_and(|accept| accept.contains("application/json"))
}

/// See-other, so that a reload of the next page posts nothing again.
pub(crate) fn see_other(to: &str) -> Response {
    axum::response::Redirect::to(to).into_response()
}
