//! Guard of the explorer: which requests are answered, and the headers of every answer.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, ORIGIN, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use data_encoding::BASE32_NOPAD;

use crate::visit::Site;

/// What pages may load: their own style, script and pictures.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// A key of 128 random bits, the first part of every path. It is not a cookie: cookies ignore ports, so
/// another server on this machine would receive one.
///
/// # Panics
/// Where the system gives no random bits.
#[allow(clippy::disallowed_methods, reason = "this is the one place")]
pub(crate) fn key() -> String {
    let mut bits = [0; 16];
    getrandom::fill(&mut bits).expect("the system gives random bits");
    BASE32_NOPAD.encode(&bits).to_lowercase()
}

/// Answers what comes from a page of this explorer, or from a person who has its address.
pub(crate) async fn guard(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    let mut response = match refusal(&site, &request) {
        Some((StatusCode::METHOD_NOT_ALLOWED, text)) => {
            (StatusCode::METHOD_NOT_ALLOWED, [(ALLOW, "GET, HEAD")], text).into_response()
        }
        Some(refusal) => refusal.into_response(),
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (CACHE_CONTROL, "no-store"),
        (REFERRER_POLICY, "no-referrer"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if !headers.contains_key(CONTENT_SECURITY_POLICY) {
        headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    }
    response
}

/// Why a request is not answered: another host (a name that was rebound to loopback), another origin, another
/// key, another method.
fn refusal(site: &Site, request: &Request) -> Option<(StatusCode, &'static str)> {
    let headers = request.headers();
    let only = |name: &HeaderName| {
        let mut values = headers.get_all(name).iter();
        (values.next(), values.next().is_some())
    };
    let is_host = matches!(only(&HOST), (Some(host), false) if host == site.host.as_str());
    let origin = format!("http://{}", site.host);
    let is_origin = matches!(only(&ORIGIN), (None, _))
        || matches!(only(&ORIGIN), (Some(value), false) if *value == *origin);
    let has_key = request.uri().path().split('/').nth(1) == Some(&site.key);
    if !is_host {
        Some((
            StatusCode::FORBIDDEN,
            "The explorer answers to the host and port that it prints, and to no other name.\n",
        ))
    } else if !is_origin {
        Some((StatusCode::FORBIDDEN, "The explorer does not answer pages of other origins.\n"))
    } else if !has_key {
        Some((
            StatusCode::NOT_FOUND,
            "Nothing is at this address. Open the whole address that the explorer printed.\n",
        ))
    } else if !matches!(*request.method(), Method::GET | Method::HEAD) {
        Some((StatusCode::METHOD_NOT_ALLOWED, "The explorer answers GET and HEAD only.\n"))
    } else {
        None
    }
}
