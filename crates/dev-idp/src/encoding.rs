//! Encodings of tokens and key sets.

use data_encoding::BASE64URL_NOPAD;

/// base64url without padding (RFC 7515, section 2).
pub(crate) fn base64url(bytes: &[u8]) -> String {
    BASE64URL_NOPAD.encode(bytes)
}

/// `length` random bytes in base64url, for members whose content is opaque.
#[allow(clippy::disallowed_methods, reason = "random bits of the provider")]
pub(crate) fn opaque(length: usize) -> String {
    let mut bytes = vec![0; length];
    getrandom::fill(&mut bytes).expect("the system's random generator works");
    base64url(&bytes)
}
