//! JWS compact serialisation: three strictly encoded parts, with a header that may name a key but not contain
//! one.

use data_encoding::BASE64URL_NOPAD;
use serde_json::{Map, Value};

use crate::{Algorithm, Profile, Rules, TokenRule, claims::TokenClaims, json};

/// Full stops in an encrypted token, which has five parts (RFC 7516, 3.1).
const ENCRYPTED_DOTS: usize = 4;

/// A parsed token; nothing in it is trusted yet.
pub(crate) struct Jws<'t> {
    /// The bytes that are signed.
    pub(crate) signed: &'t [u8],
    pub(crate) signature: Vec<u8>,
    pub(crate) header: JoseHeader,
    pub(crate) claims: TokenClaims,
}

impl<'t> Jws<'t> {
    /// Parses a token by the rules that need neither issuer nor key.
    pub(crate) fn parse(token: &'t str, rules: &Rules) -> Result<Self, TokenRule> {
        if token.len() > rules.max_token {
            return Err(TokenRule::Length);
        }
        let (signed, signature) = token.rsplit_once('.').ok_or(TokenRule::Parts)?;
        let (header, claims) = signed.split_once('.').ok_or(TokenRule::Parts)?;
        let dots = token.bytes().filter(|byte| *byte == b'.').count();
        if dots == ENCRYPTED_DOTS {
            return Err(TokenRule::Encrypted);
        }
        if dots != 2 || header.is_empty() || claims.is_empty() || signature.is_empty() {
            return Err(TokenRule::Parts);
        }
        let header = decode(header)?;
        let claims = decode(claims)?;
        let signature = decode(signature)?;
        let header = json::object(&header).map_err(|_| TokenRule::Header)?;
        let header = JoseHeader::read(&header, rules)?;
        let claims = json::object(&claims).map_err(|_| TokenRule::Claims)?;
        Ok(Self { signed: signed.as_bytes(), signature, header, claims: TokenClaims(claims) })
    }
}

/// Base64url without padding, white space or stray final bits (RFC 7515, 2; RFC 4648, 3.5).
fn decode(part: &str) -> Result<Vec<u8>, TokenRule> {
    BASE64URL_NOPAD.decode(part.as_bytes()).map_err(|_| TokenRule::Base64)
}

/// The JOSE header of a token (RFC 7515, section 4), as far as it is read.
pub(crate) struct JoseHeader {
    pub(crate) algorithm: Algorithm,
    pub(crate) kid: String,
    typ: Option<String>,
}

impl JoseHeader {
    fn read(members: &Map<String, Value>, rules: &Rules) -> Result<Self, TokenRule> {
        if has_any(members, &["enc", "zip"]) {
            return Err(TokenRule::Encrypted);
        }
        let algorithm = members.get("alg").and_then(Value::as_str).and_then(Algorithm::named);
        let algorithm = match algorithm {
            Some(algorithm) if rules.algorithms.contains(&algorithm) => algorithm,
            _ => return Err(TokenRule::Algorithm),
        };
        let typ = match members.get("typ") {
            None => None,
            Some(Value::String(typ)) => Some(typ.clone()),
            Some(_) => return Err(TokenRule::Type),
        };
        if has_any(members, &["crit", "b64"]) {
            return Err(TokenRule::Critical);
        }
        if has_any(members, &["jwk", "jku", "x5u", "x5c"]) {
            return Err(TokenRule::EmbeddedKey);
        }
        match members.get("kid").and_then(Value::as_str) {
            Some(kid) if is_kid(kid) => Ok(Self { algorithm, kid: kid.to_owned(), typ }),
            _ => Err(TokenRule::KeyId),
        }
    }

    /// The rules of the header that differ by issuer.
    pub(crate) fn check(&self, profile: &Profile) -> Result<(), TokenRule> {
        if let Some(allowed) = &profile.algorithms
            && !allowed.contains(&self.algorithm)
        {
            return Err(TokenRule::Algorithm);
        }
        let Some(typ) = &self.typ else {
            return if profile.type_optional { Ok(()) } else { Err(TokenRule::Type) };
        };
        for accepted in &profile.types {
            if media_type(accepted).eq_ignore_ascii_case(media_type(typ)) {
                return Ok(());
            }
        }
        Err(TokenRule::Type)
    }
}

fn has_any(members: &Map<String, Value>, names: &[&str]) -> bool {
    names.iter().any(|name| members.contains_key(*name))
}

/// Longest id of a key, in bytes.
const MAX_KID: usize = 256;

/// True if a text can be the id of a key, in a token or in a key set.
pub(crate) fn is_kid(text: &str) -> bool {
    (1..=MAX_KID).contains(&text.len())
}

/// Removes `application/` from `typ`: a sender may omit it if the rest has no slash (RFC 7515, 4.1.9).
fn media_type(typ: &str) -> &str {
    match typ.split_at_checked("application/".len()) {
        Some((prefix, rest)) if prefix.eq_ignore_ascii_case("application/") => rest,
        _ => typ,
    }
}
