//! Tokens with one error each, and the verdict on each.

mod contents;
mod headers;
mod issuers;
mod outside;
mod payloads;
mod signatures;

use crate::forge::*;

/// The error, the token, and its verdict.
pub(crate) type Wrong = (String, String, &'static str);

pub(crate) fn all() -> Vec<Wrong> {
    [
        outside::rows(),
        headers::rows(),
        payloads::rows(),
        issuers::rows(),
        issuers::crossed(),
        signatures::rows(),
        contents::rows(),
    ]
    .concat()
}

pub(crate) fn with_header(header: &str) -> String {
    K1.token(header, &claims().to_string())
}

pub(crate) fn with_claims(claims: &str) -> String {
    K1.token(&header().to_string(), claims)
}

/// A token of which one part was changed after it was signed.
pub(crate) fn altered(part: usize, change: impl Fn(&str) -> String) -> String {
    let token = good();
    let mut parts: Vec<String> = token.split('.').map(str::to_owned).collect();
    parts[part] = change(&parts[part]);
    parts.join(".")
}
