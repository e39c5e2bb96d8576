//! Guard of the explorer: which requests are answered, and the headers of every answer.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, ORIGIN, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use data_encoding::BASE32_NOPAD;

use crate::visit::{CHECK_PATH, Site};

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
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // A page may have its own.
    for (name, value) in [(CONTENT_SECURITY_POLICY, POLICY), (REFERRER_POLICY, "no-referrer")] {
        if !headers.contains_key(&name) {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
    response
}

/// Why a request is not answered: another host (a name that was rebound to loopback), another origin, another
/// key, another method.
fn refusal(site: &Site, request: &Request) -> Option<(StatusCode, &'static str)> {
    let headers = request.headers();
    // Several values are refused, since it is not clear which of them counts.
    let host = only_value(headers, &HOST);
    if host.is_none_or(|host| host != site.host.as_str()) {
        return Some((
            StatusCode::FORBIDDEN,
            "The explorer answers to the host and port that it prints, and to no other name.\n",
        ));
    }
    // Browsers name no origin where a person opens an address.
    if headers.contains_key(ORIGIN) {
        let own = format!("http://{}", site.host);
        if only_value(headers, &ORIGIN).is_none_or(|origin| *origin != *own) {
            return Some((StatusCode::FORBIDDEN, "The explorer does not answer pages of other origins.\n"));
        }
    }
    if request.uri().path().split('/').nth(1) != Some(&site.key) {
        return Some((
            StatusCode::NOT_FOUND,
            "Nothing is at this address. Open the whole address that the explorer printed.\n",
        ));
    }
    match *request.method() {
        Method::GET | Method::HEAD => None,
        Method::POST if is_form(request) => None,
        _ => Some((StatusCode::METHOD_NOT_ALLOWED, "The explorer answers GET and HEAD only.\n")),
    }
}

/// True for the form of the page that checks a text. Browsers name the origin of a form, which was compared.
fn is_form(request: &Request) -> bool {
    let page = request.uri().path().split('/').nth(3);
    page == Some(CHECK_PATH) && request.headers().contains_key(ORIGIN)
}

/// The value of a header field that a request has once; `None` where it is absent or there several times.
fn only_value<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a HeaderValue> {
    let mut values = headers.get_all(name).iter();
    let first = values.next();
    if values.next().is_some() { None } else { first }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;
    use crate::visit::tests::{HOST_AND_PORT, KEY, site};

    fn refused(method: Method, path: &str, headers: &[(HeaderName, &str)]) -> Option<StatusCode> {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(name, *value);
        }
        let refusal = refusal(&site(), &request.body(Body::empty()).unwrap());
        refusal.map(|(status, _)| status)
    }

    #[test]
    fn a_request_that_names_another_host_or_origin_or_several_is_refused() {
        let path = format!("/{KEY}/");
        let origin = format!("http://{HOST_AND_PORT}");
        for headers in [&[(HOST, HOST_AND_PORT)][..], &[(HOST, HOST_AND_PORT), (ORIGIN, origin.as_str())]] {
            assert_eq!(refused(Method::GET, &path, headers), None, "{headers:?}");
        }
        for headers in [
            &[][..],
            &[(HOST, "evil.example")],
            &[(HOST, HOST_AND_PORT), (HOST, HOST_AND_PORT)],
            &[(HOST, HOST_AND_PORT), (ORIGIN, "null")],
            &[(HOST, HOST_AND_PORT), (ORIGIN, "https://evil.example")],
            &[(HOST, HOST_AND_PORT), (ORIGIN, &*origin), (ORIGIN, &*origin)],
        ] {
            assert_eq!(refused(Method::GET, &path, headers), Some(StatusCode::FORBIDDEN), "{headers:?}");
        }
    }

    #[test]
    fn a_request_without_the_key_or_with_another_method_is_refused() {
        let host = [(HOST, HOST_AND_PORT)];
        for path in ["/", "/other/", "/explorer.css", &format!("//{KEY}/")] {
            assert_eq!(refused(Method::GET, path, &host), Some(StatusCode::NOT_FOUND), "{path}");
        }
        let path = format!("/{KEY}/en/search");
        assert_eq!(refused(Method::HEAD, &path, &host), None);
        assert_eq!(refused(Method::POST, &path, &host), Some(StatusCode::METHOD_NOT_ALLOWED));
        // A form is sent to one page, with the origin that browsers name.
        let form = format!("/{KEY}/en/check");
        let own = format!("http://{HOST_AND_PORT}");
        let origin = |origin| [(HOST, HOST_AND_PORT), (ORIGIN, origin)];
        assert_eq!(refused(Method::POST, &form, &origin(&*own)), None);
        assert_eq!(refused(Method::POST, &form, &host), Some(StatusCode::METHOD_NOT_ALLOWED));
        assert_eq!(refused(Method::POST, &form, &origin("null")), Some(StatusCode::FORBIDDEN));
        assert_eq!(refused(Method::POST, &path, &origin(&*own)), Some(StatusCode::METHOD_NOT_ALLOWED));
    }

    #[test]
    fn a_key_has_26_letters_and_digits_and_is_another_each_time() {
        let [first, second] = [key(), key()];
        assert!(first.len() == 26 && first.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{first}");
        assert_ne!(first, second);
    }
}
