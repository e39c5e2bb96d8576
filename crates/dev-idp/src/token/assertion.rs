//! Client assertions (RFC 7523), signed with the key of a certificate.

use aws_lc_rs::signature::{
    RSA_PKCS1_2048_8192_SHA256, RSA_PSS_2048_8192_SHA256, RsaParameters, UnparsedPublicKey,
};
use data_encoding::{BASE64URL_NOPAD, HEXLOWER};
use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::{Guid, certificate::ParsedCertificate, directory::App, refusal::TokenRefusal};

/// Checks an assertion except for its single use; returns `jti` and expiry for that, when it has a `jti`.
pub(super) fn check(
    text: &str,
    client: Guid,
    app: &App,
    audiences: &[String],
    now: Timestamp,
) -> Result<Option<(String, Timestamp)>, TokenRefusal> {
    let malformed = TokenRefusal::AssertionMalformed;
    let [header_text, claims_text, signature] = text.split('.').collect::<Vec<_>>()[..] else {
        return Err(malformed("it does not have three parts"));
    };
    let header = object(header_text).ok_or(malformed("its header is not base64url of a JSON object"))?;
    let claims = object(claims_text).ok_or(malformed("its claims are not base64url of a JSON object"))?;
    let signature = from_base64url(signature).ok_or(malformed("its signature is not base64url"))?;

    let algorithm = algorithm(&header)?;
    let names_key = key_names(&header)?;
    let ours =
        |name: &str| claims.get(name).and_then(Value::as_str).and_then(|id| id.parse().ok()) == Some(client);
    if !ours("iss") || !ours("sub") {
        return Err(TokenRefusal::AssertionApp);
    }
    let certificate = app
        .certificates()
        .find(|certificate| names_key(certificate))
        .ok_or(TokenRefusal::AssertionKeyUnknown("the certificate is not registered for the application"))?;
    let message = &text[..header_text.len() + 1 + claims_text.len()];
    UnparsedPublicKey::new(algorithm, &certificate.public_key)
        .verify(message.as_bytes(), &signature)
        .map_err(|_| TokenRefusal::AssertionKeyUnknown("it does not fit the certificate"))?;
    if !certificate.is_valid_at(now) {
        return Err(TokenRefusal::AssertionKeyUnknown("the certificate is outside its validity period"));
    }

    let expires = seconds(&claims, "exp").ok_or(malformed("it has no numeric 'exp'"))?;
    let now_seconds = now.as_millisecond() as f64 / 1000.0;
    let begins = seconds(&claims, "nbf").unwrap_or(f64::MIN);
    if now_seconds + EARLY_SECONDS < begins || expires <= now_seconds {
        return Err(TokenRefusal::AssertionTime);
    }
    let audience = match claims.get("aud") {
        Some(Value::Array(all)) => all.as_slice(),
        Some(one) => std::slice::from_ref(one),
        None => &[],
    };
    if !audience.iter().filter_map(Value::as_str).any(|aud| audiences.iter().any(|known| known == aud)) {
        return Err(TokenRefusal::AssertionAudience(audiences.first().cloned().unwrap_or_default()));
    }
    // A float cast saturates, and a time past the calendar's end is its end.
    let expires = Timestamp::from_second(expires.ceil() as i64).unwrap_or(Timestamp::MAX);
    Ok(claims.get("jti").and_then(Value::as_str).map(|jti| (jti.to_owned(), expires)))
}

/// Tolerance for `nbf` in seconds: client libraries round up, and clocks differ.
const EARLY_SECONDS: f64 = 60.0;

fn from_base64url(text: &str) -> Option<Vec<u8>> {
    BASE64URL_NOPAD.decode(text.as_bytes()).ok()
}

fn object(part: &str) -> Option<Map<String, Value>> {
    serde_json::from_slice(&from_base64url(part)?).ok()
}

fn algorithm(header: &Map<String, Value>) -> Result<&'static RsaParameters, TokenRefusal> {
    match header.get("alg").and_then(Value::as_str) {
        Some("RS256") => Ok(&RSA_PKCS1_2048_8192_SHA256),
        Some("PS256") => Ok(&RSA_PSS_2048_8192_SHA256),
        Some(other) => Err(TokenRefusal::AssertionAlgorithm(other.to_owned())),
        None => Err(TokenRefusal::AssertionMalformed("its header has no 'alg'")),
    }
}

/// Whether a certificate is the one that the header names: by `x5t#S256`, `x5t`, or a thumbprint as `kid`.
/// Client libraries write the thumbprint in base64 of either alphabet, with or without padding, or in
/// hexadecimal.
fn key_names(
    header: &Map<String, Value>,
) -> Result<impl Fn(&ParsedCertificate) -> bool + use<>, TokenRefusal> {
    let text = |name: &str| header.get(name).and_then(Value::as_str).map(str::to_owned);
    let named = text("x5t#S256").or_else(|| text("x5t")).or_else(|| text("kid"));
    let named = named.ok_or(TokenRefusal::AssertionKeyUnnamed)?;
    let decoded = from_base64url(&named.trim_end_matches('=').replace('+', "-").replace('/', "_"));
    Ok(move |certificate: &ParsedCertificate| {
        [&certificate.sha1[..], &certificate.sha256[..]].into_iter().any(|thumbprint| {
            decoded.as_deref() == Some(thumbprint) || named.eq_ignore_ascii_case(&HEXLOWER.encode(thumbprint))
        })
    })
}

/// A `NumericDate` (RFC 7519, section 2), which may have a fraction.
fn seconds(claims: &Map<String, Value>, name: &str) -> Option<f64> {
    claims.get(name)?.as_f64()
}
