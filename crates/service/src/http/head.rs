//! Checks of the form of a request head, before anything is looked up.

use axum::http::request::Parts;
use axum::http::{HeaderMap, Version, header};
use norma_api::problem::Code;

use norma_reads::Failure;

use crate::fixed_limits::{MAX_HEADER_SIZE, MAX_URI_SIZE};

/// Checks the size of target and fields, and `Host`.
pub(super) fn check(request: &Parts) -> Result<(), Failure> {
    let target = request.uri.path_and_query().map_or(0, |t| t.as_str().len());
    if target > MAX_URI_SIZE {
        let detail = format!("Path and query have {target} bytes; the limit is {MAX_URI_SIZE}.");
        return Err(Failure::new(Code::UriTooLong, detail));
    }
    let mut size = 0;
    for (name, value) in &request.headers {
        // A colon, a blank and the end of the line are part of a field.
        size += name.as_str().len() + value.len() + 4;
    }
    if size > MAX_HEADER_SIZE {
        let detail = format!("The header fields have {size} bytes; the limit is {MAX_HEADER_SIZE}.");
        return Err(Failure::new(Code::HeadersTooLarge, detail));
    }
    host(request.version, &request.headers).map_err(|detail| Failure::new(Code::InvalidRequest, detail))
}

/// Checks `Host` by RFC 9112, section 3.2: HTTP/1.1 needs one, and a request may have neither two nor an
/// invalid one.
fn host(version: Version, headers: &HeaderMap) -> Result<(), &'static str> {
    let mut hosts = headers.get_all(header::HOST).iter();
    match (hosts.next(), hosts.next()) {
        (None, _) if version == Version::HTTP_11 => Err("An HTTP/1.1 request needs a `Host` header."),
        (Some(_), Some(_)) => Err("The request has several `Host` headers."),
        (Some(host), None) if !is_host(host.as_bytes()) => {
            Err("The `Host` header is not a valid host with an optional port.")
        }
        _ => Ok(()),
    }
}

/// `uri-host [ ":" port ]` of RFC 9110, section 7.2; the host may be empty, the port too (RFC 3986, section
/// 3.2).
fn is_host(text: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(text) else { return false };
    if let Some(rest) = text.strip_prefix('[')
        && let Some((address, port)) = rest.split_once(']')
    {
        return address.parse::<std::net::Ipv6Addr>().is_ok() && is_port(port);
    }
    let (name, port) = text.split_at(text.find(':').unwrap_or(text.len()));
    // unreserved, sub-delims, and the sign of pct-encoded
    let is_name = name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=%".contains(&b));
    is_name && is_port(port)
}

/// Nothing, or a colon and digits; none after the colon are allowed too.
fn is_port(text: &str) -> bool {
    if text.is_empty() {
        return true;
    }
    match text.strip_prefix(':') {
        Some(digits) => digits.bytes().all(|b| b.is_ascii_digit()),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_a_name_or_address_with_or_without_a_port_and_nothing_else() {
        for good in ["", "n", "norma.example", "192.0.2.1:8480", "[::1]", "[2001:db8::1]:80", "a_b:", "%41.b"]
        {
            assert!(is_host(good.as_bytes()), "{good}");
        }
        for bad in
            ["a b", "a/b", "user@a", "a:b", "a:1:2", "[::1", "[::1]x", "[a]", "a\\b", "ä", "a?b", "::1"]
        {
            assert!(!is_host(bad.as_bytes()), "{bad}");
        }
        assert!(!is_host(&[0xff]));
    }
}
