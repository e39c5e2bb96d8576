//! Encodings: base64 in the two alphabets of tokens, thumbprints and key sets, and hexadecimal.

use data_encoding::{BASE64, BASE64URL_NOPAD, HEXLOWER};

/// base64url without padding (RFC 7515, section 2).
pub(crate) fn base64url(bytes: &[u8]) -> String {
    BASE64URL_NOPAD.encode(bytes)
}

/// Standard base64 with padding (`x5c`, HTTP Basic).
pub(crate) fn base64(bytes: &[u8]) -> String {
    BASE64.encode(bytes)
}

/// Reads standard base64 with padding.
pub(crate) fn from_base64(text: &str) -> Option<Vec<u8>> {
    BASE64.decode(text.as_bytes()).ok()
}

/// Reads strict base64url without padding.
pub(crate) fn from_base64url(text: &str) -> Option<Vec<u8>> {
    BASE64URL_NOPAD.decode(text.as_bytes()).ok()
}

/// Decodes either alphabet, with or without padding: client libraries write thumbprints in each of these ways.
pub(crate) fn from_any_base64(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('=').replace('+', "-").replace('/', "_");
    from_base64url(&text)
}

/// Lower-case hexadecimal digits.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    HEXLOWER.encode(bytes)
}

/// `length` random bytes in base64url, for members whose content is opaque.
#[allow(clippy::disallowed_methods, reason = "random bits of the provider")]
pub(crate) fn opaque(length: usize) -> String {
    let mut bytes = vec![0; length];
    getrandom::fill(&mut bytes).expect("the system's random generator works");
    base64url(&bytes)
}
