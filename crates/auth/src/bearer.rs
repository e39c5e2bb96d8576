//! Parser of the `Authorization` header: the bearer token by its grammar (RFC 6750, 2.1; RFC 9110, 11.4).

use crate::Reject;

/// Finds the token of a request in the values of its `Authorization` headers.
///
/// The scheme is compared without regard to case. Of the token only the alphabet is checked; everything else,
/// its length too, is checked by [`Verifier::verify`](crate::Verifier::verify).
///
/// # Errors
/// [`Reject::Missing`] without a header or with another scheme; [`Reject::Malformed`] for several headers and
/// for a value that is not `Bearer`, spaces and a b64token.
///
/// ```
/// use norma_auth::{Reject, bearer};
/// assert_eq!(bearer([&b"Bearer a.b.c"[..]]), Ok("a.b.c"));
/// assert_eq!(bearer([&b"Basic dTpw"[..]]), Err(Reject::Missing));
/// assert_eq!(bearer([&b"Bearer a b"[..]]), Err(Reject::Malformed));
/// ```
pub fn bearer<'a>(values: impl IntoIterator<Item = &'a [u8]>) -> Result<&'a str, Reject> {
    let mut values = values.into_iter();
    let value = match (values.next(), values.next()) {
        (None, _) => return Err(Reject::Missing),
        (Some(value), None) => value,
        (Some(_), Some(_)) => return Err(Reject::Malformed),
    };
    let value = std::str::from_utf8(value).map_err(|_| Reject::Malformed)?;
    let (scheme, rest) = value.split_at(value.find(' ').unwrap_or(value.len()));
    if scheme.is_empty() || !scheme.bytes().all(is_tchar) {
        return Err(Reject::Malformed);
    }
    if !scheme.eq_ignore_ascii_case("Bearer") {
        return Err(Reject::Missing);
    }
    let token = rest.trim_start_matches(' ');
    let body = token.trim_end_matches('=');
    let mut is_good = !body.is_empty();
    // Without an early exit, so that the loop over about a thousand bytes is vectorised.
    for byte in body.bytes() {
        is_good &= is_b64token(byte);
    }
    if !is_good {
        return Err(Reject::Malformed);
    }
    Ok(token)
}

/// True if a byte may be in an HTTP token, such as a scheme (RFC 9110, 5.6.2).
fn is_tchar(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

/// True if a byte may be in a b64token before its padding (RFC 6750, 2.1).
fn is_b64token(byte: u8) -> bool {
    matches!(byte, b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'+' | b'/')
}
