//! Router: all routes, and the checks that apply to each.

use std::net::IpAddr;

use axum::{
    Router,
    extract::{DefaultBodyLimit, Request, State},
    http::{
        HeaderMap, HeaderName, HeaderValue, Method, StatusCode,
        header::{CACHE_CONTROL, DATE, HOST, ORIGIN, PRAGMA, X_CONTENT_TYPE_OPTIONS},
        uri::Authority,
    },
    middleware::{Next, from_fn_with_state},
    response::Response,
    routing::{any, get, post},
};

use crate::{
    DevIdp, Guid, changes, consent, discovery, params::Params, problem::problem, token, trace::RequestIds,
};

/// Longest request body in bytes.
const MAX_REQUEST_BYTES: usize = 64 * 1024;

pub(crate) fn router(idp: DevIdp) -> Router {
    Router::new()
        .route("/{tenant}/oauth2/v2.0/token", any(token::endpoint))
        .route("/{tenant}/oauth2/token", any(token::endpoint))
        .route("/{tenant}/v2.0/.well-known/openid-configuration", get(discovery::document_v2))
        .route("/{tenant}/.well-known/openid-configuration", get(discovery::document_v1))
        .route("/{tenant}/discovery/v2.0/keys", get(discovery::keys_v2))
        .route("/{tenant}/discovery/keys", get(discovery::keys_v1))
        .route("/common/discovery/instance", get(discovery::instance))
        .route("/{tenant}/adminconsent", get(consent::endpoint).post(consent::endpoint))
        .route("/{tenant}/apps/{client}/role", post(changes::role))
        .route("/keys", post(changes::keys))
        .fallback(|| async { problem(StatusCode::NOT_FOUND, UNKNOWN_PATH) })
        .layer(DefaultBodyLimit::max(MAX_REQUEST_BYTES))
        .layer(from_fn_with_state(idp.clone(), guard))
        .with_state(idp)
}

/// The answer for unknown paths, also for the interactive endpoint, which the metadata lists because clients
/// expect it.
const UNKNOWN_PATH: &str = "Nothing is served at this path: this provider has the token endpoint for client \
                            credentials, metadata, keys and admin consent, but no interactive sign-in.";

/// The text of a header; empty where it has characters beyond ASCII.
fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name).map(|value| value.to_str().unwrap_or_default())
}

/// Refuses requests from other sites, and gives each response its request id.
async fn guard(State(idp): State<DevIdp>, mut request: Request, next: Next) -> Response {
    let query = Params::parse(request.uri().query().unwrap_or_default().as_bytes());
    let trace = RequestIds::new(request.headers(), &query);
    let mut response = match called_here(&request) {
        Ok(authority) => {
            request.extensions_mut().insert(trace);
            request.extensions_mut().insert(authority);
            next.run(request).await
        }
        Err(reason) => {
            tracing::warn!(reason, url = idp.url(), "request refused");
            problem(StatusCode::FORBIDDEN, reason)
        }
    };
    let headers = response.headers_mut();
    headers.insert(HeaderName::from_static("x-ms-request-id"), header_value(trace.trace_id));
    headers.insert(HeaderName::from_static("client-request-id"), header_value(trace.correlation_id));
    if !headers.contains_key(CACHE_CONTROL) {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store, no-cache"));
        headers.insert(PRAGMA, HeaderValue::from_static("no-cache"));
    }
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    // A provider whose clock is wrong says the wrong time in its answers as well.
    let now = idp.state().now();
    let date = jiff::fmt::rfc2822::DateTimePrinter::new().timestamp_to_rfc9110_string(&now);
    // A time outside of the format has no header.
    if let Ok(date) = date
        && let Ok(date) = HeaderValue::try_from(date)
    {
        headers.insert(DATE, date);
    }
    response
}

fn header_value(id: Guid) -> HeaderValue {
    HeaderValue::from_str(&id.to_string()).expect("a GUID is a header value")
}

/// The called host, or why the request is refused: a name rebound to loopback (DNS rebinding), or a browser's
/// POST from a page of another site. Programs send neither `Origin` nor `Sec-Fetch-Site`.
fn called_here(request: &Request) -> Result<Authority, &'static str> {
    let headers = request.headers();
    // In HTTP/1 it is in a header, in HTTP/2 in the URI.
    let authority = match text(headers, &HOST) {
        Some(host) => host.parse::<Authority>().ok(),
        None => request.uri().authority().cloned(),
    };
    let Some(authority) = authority.filter(is_loopback) else {
        return Err("This provider accepts the host names localhost, 127.0.0.1 and [::1] only.");
    };
    let is_change = !matches!(*request.method(), Method::GET | Method::HEAD);
    if is_change && is_from_other_site(headers, &authority) {
        return Err("Changes from pages of other sites are not accepted.");
    }
    Ok(authority)
}

fn is_from_other_site(headers: &HeaderMap, authority: &Authority) -> bool {
    if let Some(origin) = text(headers, &ORIGIN) {
        match origin.split_once("://") {
            Some((_, host)) if host == authority.as_str() => {}
            _ => return true,
        }
    }
    match text(headers, &HeaderName::from_static("sec-fetch-site")) {
        Some(site) => site != "same-origin" && site != "none",
        None => false,
    }
}

fn is_loopback(authority: &Authority) -> bool {
    let host = authority.host().trim_start_matches('[').trim_end_matches(']');
    if host.eq_ignore_ascii_case("localhost") {
        return true;
    }
    match host.parse::<IpAddr>() {
        Ok(address) => address.is_loopback(),
        Err(_) => false,
    }
}
