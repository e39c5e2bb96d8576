//! Base64 in the two alphabets that tokens, thumbprints and key sets use.

use base64::{
    Engine,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};

/// base64url without padding (RFC 7515, section 2).
pub(crate) fn base64url(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Standard base64 with padding (`x5c`, HTTP Basic).
pub(crate) fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// Reads standard base64 with padding.
pub(crate) fn from_base64(text: &str) -> Option<Vec<u8>> {
    STANDARD.decode(text).ok()
}

/// Reads strict base64url without padding.
pub(crate) fn from_base64url(text: &str) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text).ok()
}

/// Reads either alphabet, with or without padding: client libraries write thumbprints in each of these ways.
pub(crate) fn from_any_base64(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('=').replace('+', "-").replace('/', "_");
    from_base64url(&text)
}

/// `length` random bytes in base64url, for members whose content is opaque.
pub(crate) fn opaque(length: usize) -> String {
    let mut bytes = vec![0; length];
    aws_lc_rs::rand::fill(&mut bytes).expect("the system's random generator works");
    base64url(&bytes)
}
