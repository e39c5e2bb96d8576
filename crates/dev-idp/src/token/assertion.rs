//! Client assertions (RFC 7523), signed with the key of a certificate.

use aws_lc_rs::signature::{
    RSA_PKCS1_2048_8192_SHA256, RSA_PSS_2048_8192_SHA256, RsaParameters, UnparsedPublicKey,
};
use data_encoding::{BASE64URL_NOPAD, HEXLOWER};
use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::{Guid, certificate::ParsedCertificate, directory::App, refusal::TokenRefusal};

/// Tolerance for `nbf` in seconds: client libraries round up, and clocks differ.
const EARLY_SECONDS: f64 = 60.0;

/// Id and expiry of an assertion, which may be used once.
pub(super) struct SingleUse {
    pub(super) jti: String,
    pub(super) expires: Timestamp,
}

/// Checks an assertion except for its single use; returns what that needs, when it has a `jti`.
pub(super) fn check(
    text: &str,
    client: Guid,
    app: &App,
    audiences: &[String],
    now: Timestamp,
) -> Result<Option<SingleUse>, TokenRefusal> {
    let assertion = ClientAssertion::parse(text)?;
    assertion.check_signature(client, app, now)?;
    let expires = assertion.check_time(now)?;
    assertion.check_audience(audiences)?;
    let Some(jti) = text_of(&assertion.claims, "jti") else { return Ok(None) };
    // A float cast saturates, and a time past the calendar's end is its end.
    let expires = Timestamp::from_second(expires.ceil() as i64).unwrap_or(Timestamp::MAX);
    Ok(Some(SingleUse { jti: jti.to_owned(), expires }))
}

/// A parsed assertion; nothing in it is checked yet.
struct ClientAssertion<'t> {
    /// The text that is signed.
    signed: &'t str,
    header: Map<String, Value>,
    claims: Map<String, Value>,
    signature: Vec<u8>,
}

impl<'t> ClientAssertion<'t> {
    fn parse(text: &'t str) -> Result<Self, TokenRefusal> {
        let malformed = TokenRefusal::AssertionMalformed;
        let parts: Vec<&str> = text.split('.').collect();
        let [header, claims, signature] = parts[..] else {
            return Err(malformed("it does not have three parts"));
        };
        let signed = &text[..header.len() + 1 + claims.len()];
        let header = object(header).ok_or(malformed("its header is not base64url of a JSON object"))?;
        let claims = object(claims).ok_or(malformed("its claims are not base64url of a JSON object"))?;
        let signature = from_base64url(signature).ok_or(malformed("its signature is not base64url"))?;
        Ok(Self { signed, header, claims, signature })
    }

    /// Checks that the client signed it with the key of one of its certificates, which is valid.
    fn check_signature(&self, client: Guid, app: &App, now: Timestamp) -> Result<(), TokenRefusal> {
        let algorithm = algorithm(&self.header)?;
        let named_key = NamedKey::read(&self.header)?;
        if !self.names(client, "iss") || !self.names(client, "sub") {
            return Err(TokenRefusal::AssertionApp);
        }
        let unknown = TokenRefusal::AssertionKeyUnknown;
        let certificate = app.certificates().find(|certificate| named_key.is_of(certificate));
        let certificate =
            certificate.ok_or(unknown("the certificate is not registered for the application"))?;
        UnparsedPublicKey::new(algorithm, &certificate.public_key)
            .verify(self.signed.as_bytes(), &self.signature)
            .map_err(|_| unknown("it does not fit the certificate"))?;
        if !certificate.is_valid_at(now) {
            return Err(unknown("the certificate is outside its validity period"));
        }
        Ok(())
    }

    /// True if a claim is the client id.
    fn names(&self, client: Guid, claim: &str) -> bool {
        match text_of(&self.claims, claim) {
            Some(id) => id.parse().ok() == Some(client),
            None => false,
        }
    }

    /// Checks the validity period; returns its end, in seconds since 1970.
    fn check_time(&self, now: Timestamp) -> Result<f64, TokenRefusal> {
        let expires = seconds(&self.claims, "exp");
        let expires = expires.ok_or(TokenRefusal::AssertionMalformed("it has no numeric 'exp'"))?;
        let begins = seconds(&self.claims, "nbf").unwrap_or(f64::MIN);
        let now = now.as_millisecond() as f64 / 1000.0;
        if now + EARLY_SECONDS < begins || expires <= now {
            return Err(TokenRefusal::AssertionTime);
        }
        Ok(expires)
    }

    /// Checks that it is for one of some audiences, of which the first is the one to show.
    fn check_audience(&self, audiences: &[String]) -> Result<(), TokenRefusal> {
        let named = match self.claims.get("aud") {
            Some(Value::Array(all)) => all.as_slice(),
            Some(one) => std::slice::from_ref(one),
            None => &[],
        };
        for audience in audiences {
            if named.iter().any(|named| named == audience) {
                return Ok(());
            }
        }
        Err(TokenRefusal::AssertionAudience(audiences.first().cloned().unwrap_or_default()))
    }
}

/// The name of a certificate in a header: `x5t#S256`, `x5t`, or a thumbprint as `kid`. Client libraries write
/// the thumbprint in base64 of either alphabet, with or without padding, or in hexadecimal.
struct NamedKey {
    name: String,
    /// The name decoded, where it is base64.
    decoded: Option<Vec<u8>>,
}

impl NamedKey {
    fn read(header: &Map<String, Value>) -> Result<Self, TokenRefusal> {
        let thumbprint = text_of(header, "x5t#S256").or_else(|| text_of(header, "x5t"));
        let name = thumbprint.or_else(|| text_of(header, "kid")).ok_or(TokenRefusal::AssertionKeyUnnamed)?;
        let base64url = name.trim_end_matches('=').replace('+', "-").replace('/', "_");
        Ok(Self { name: name.to_owned(), decoded: from_base64url(&base64url) })
    }

    fn is_of(&self, certificate: &ParsedCertificate) -> bool {
        self.is_thumbprint(&certificate.sha1) || self.is_thumbprint(&certificate.sha256)
    }

    fn is_thumbprint(&self, thumbprint: &[u8]) -> bool {
        self.decoded.as_deref() == Some(thumbprint)
            || self.name.eq_ignore_ascii_case(&HEXLOWER.encode(thumbprint))
    }
}

fn algorithm(header: &Map<String, Value>) -> Result<&'static RsaParameters, TokenRefusal> {
    match text_of(header, "alg") {
        Some("RS256") => Ok(&RSA_PKCS1_2048_8192_SHA256),
        Some("PS256") => Ok(&RSA_PSS_2048_8192_SHA256),
        Some(other) => Err(TokenRefusal::AssertionAlgorithm(other.to_owned())),
        None => Err(TokenRefusal::AssertionMalformed("its header has no 'alg'")),
    }
}

fn from_base64url(text: &str) -> Option<Vec<u8>> {
    BASE64URL_NOPAD.decode(text.as_bytes()).ok()
}

fn object(part: &str) -> Option<Map<String, Value>> {
    serde_json::from_slice(&from_base64url(part)?).ok()
}

fn text_of<'m>(members: &'m Map<String, Value>, name: &str) -> Option<&'m str> {
    members.get(name)?.as_str()
}

/// A `NumericDate` (RFC 7519, section 2), which may have a fraction.
fn seconds(claims: &Map<String, Value>, name: &str) -> Option<f64> {
    claims.get(name)?.as_f64()
}
