//! Key set of a provider (RFC 7517): the usable keys, and the reason for each skipped one.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::Arc,
};

use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED, ParsedPublicKey, RSA_PKCS1_2048_8192_SHA256, RSA_PSS_2048_8192_SHA256,
    RsaPublicKeyComponents,
};
use data_encoding::BASE64URL_NOPAD;
use serde::Deserialize;
use serde_json::{Map, Value, value::RawValue};

use crate::{
    Algorithm, Profile, Rules, TokenRule, json,
    jws::is_kid,
    tenant::{TENANT_PLACEHOLDER, TenantId},
};

/// One public key, bound to the algorithms it may be used with.
#[derive(Debug, PartialEq)]
pub(crate) struct VerificationKey {
    pub(crate) kid: String,
    bound: Vec<BoundKey>,
}

/// A public key as one algorithm takes it.
#[derive(Debug)]
struct BoundKey {
    algorithm: Algorithm,
    key: ParsedPublicKey,
}

impl VerificationKey {
    pub(crate) fn verify(
        &self,
        algorithm: Algorithm,
        signed: &[u8],
        signature: &[u8],
    ) -> Result<(), TokenRule> {
        let bound = self.bound.iter().find(|bound| bound.algorithm == algorithm);
        let bound = bound.ok_or(TokenRule::KeyAlgorithm)?;
        bound.key.verify_sig(signed, signature).map_err(|_| TokenRule::Signature)
    }
}

/// Equal when the same signatures pass.
impl PartialEq for BoundKey {
    fn eq(&self, other: &Self) -> bool {
        self.algorithm == other.algorithm && self.key.as_ref() == other.key.as_ref()
    }
}

/// A key that is not used, with the reason. One such key never hides the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedKey {
    /// Index of the key in the set, from 0.
    pub index: usize,
    /// The `kid` of the key, where it has one.
    pub kid: Option<String>,
    /// The reason why it is not used.
    pub reason: &'static str,
}

/// The usable keys of an issuer.
#[derive(Debug, Default)]
pub(crate) struct KeySet {
    keys: HashMap<String, Arc<VerificationKey>>,
    pub(crate) skipped: Vec<SkippedKey>,
}

#[derive(Deserialize)]
struct KeySetDocument<'a> {
    #[serde(borrow)]
    keys: Vec<&'a RawValue>,
}

impl KeySet {
    /// Parses a key set for one issuer. Unusable keys are skipped; only a malformed document is an error.
    pub(crate) fn parse(
        bytes: &[u8],
        tenant: &TenantId,
        profile: &Profile,
        rules: &Rules,
    ) -> Result<Self, String> {
        let document: KeySetDocument<'_> =
            serde_json::from_slice(bytes).map_err(|error| format!("not a key set: {error}"))?;
        let mut set = Self::default();
        let mut ambiguous = Vec::new();
        for (index, raw) in document.keys.iter().enumerate() {
            let members = json::object(raw.get().as_bytes()).unwrap_or_default();
            let kid = members.get("kid").and_then(Value::as_str).map(str::to_owned);
            let key = match read(&members, tenant, profile, rules) {
                Ok(key) => key,
                Err(reason) => {
                    set.skipped.push(SkippedKey { index, kid, reason });
                    continue;
                }
            };
            match set.keys.entry(key.kid.clone()) {
                Entry::Vacant(entry) => {
                    entry.insert(Arc::new(key));
                }
                // The same key twice.
                Entry::Occupied(entry) if **entry.get() == key => {}
                Entry::Occupied(entry) => {
                    let reason = "its `kid` is also that of another key; neither is used";
                    set.skipped.push(SkippedKey { index, kid, reason });
                    ambiguous.push(entry.key().clone());
                }
            }
        }
        set.keys.retain(|kid, _| !ambiguous.contains(kid));
        Ok(set)
    }

    pub(crate) fn key(&self, kid: &str) -> Option<&Arc<VerificationKey>> {
        self.keys.get(kid)
    }

    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    pub(crate) fn kids(&self) -> impl Iterator<Item = &str> {
        self.keys.keys().map(String::as_str)
    }
}

/// Parses one JSON Web Key with the checks that a signature library does not make.
fn read(
    members: &Map<String, Value>,
    tenant: &TenantId,
    profile: &Profile,
    rules: &Rules,
) -> Result<VerificationKey, &'static str> {
    let kid = match text(members, "kid") {
        Some(kid) if is_kid(kid) => kid.to_owned(),
        _ => return Err("its `kid` is not a non-empty string of allowed length"),
    };
    check_purpose(members)?;
    if let Some(own) = members.get("issuer")
        && !is_issuer(own, tenant, profile)
    {
        return Err("its own `issuer` is not the issuer that it was fetched for");
    }
    let family: &[Algorithm] = match text(members, "kty") {
        Some("RSA") => &[Algorithm::Rs256, Algorithm::Ps256],
        Some("EC") if text(members, "crv") == Some("P-256") => &[Algorithm::Es256],
        _ => return Err("its `kty` or `crv` is not supported"),
    };
    let mut algorithms = Vec::new();
    for algorithm in family {
        if is_allowed(*algorithm, members, profile, rules) {
            algorithms.push(*algorithm);
        }
    }
    let bound = match algorithms.as_slice() {
        [] => return Err("none of the allowed algorithms fits it"),
        [Algorithm::Es256] => vec![p256(members)?],
        algorithms => rsa(members, algorithms)?,
    };
    Ok(VerificationKey { kid, bound })
}

fn text<'m>(members: &'m Map<String, Value>, name: &str) -> Option<&'m str> {
    members.get(name)?.as_str()
}

/// The number in a member, base64url without padding.
fn number(members: &Map<String, Value>, name: &str) -> Option<Vec<u8>> {
    BASE64URL_NOPAD.decode(text(members, name)?.as_bytes()).ok()
}

/// Checks that a key is a public one for signatures.
fn check_purpose(members: &Map<String, Value>) -> Result<(), &'static str> {
    if let Some(purpose) = members.get("use")
        && purpose != "sig"
    {
        return Err("its `use` is not `sig`");
    }
    if let Some(operations) = members.get("key_ops") {
        let operations = operations.as_array().map_or(&[][..], Vec::as_slice);
        if !operations.iter().any(|operation| operation == "verify") {
            return Err("its `key_ops` do not contain `verify`");
        }
    }
    if members.contains_key("d") {
        return Err("it is a private key (`d` is present) that was published");
    }
    Ok(())
}

/// True if a key may be used with an algorithm: by its own `alg`, the settings and the profile.
fn is_allowed(algorithm: Algorithm, members: &Map<String, Value>, profile: &Profile, rules: &Rules) -> bool {
    if let Some(own) = members.get("alg")
        && own != algorithm.name()
    {
        return false;
    }
    if let Some(narrowed) = &profile.algorithms
        && !narrowed.contains(&algorithm)
    {
        return false;
    }
    rules.algorithms.contains(&algorithm)
}

/// True if the `issuer` of a key, which may be a template, is that of a profile.
fn is_issuer(own: &Value, tenant: &TenantId, profile: &Profile) -> bool {
    let Some(template) = own.as_str() else { return false };
    template.replace(TENANT_PLACEHOLDER, tenant.as_str()) == profile.issuer
}

/// An unsigned number without leading zeros, which RFC 7518, 6.3.1.1 forbids and some providers write.
fn significant(mut number: &[u8]) -> &[u8] {
    while let [0, rest @ ..] = number {
        number = rest;
    }
    number
}

/// Parses an RSA key with a modulus of at least 2048 bits (RFC 7518, 3.3), and an odd exponent above 2^16 of
/// at most 33 bits (FIPS 186-5, A.1.1).
fn rsa(members: &Map<String, Value>, algorithms: &[Algorithm]) -> Result<Vec<BoundKey>, &'static str> {
    let n = number(members, "n").ok_or("its `n` is not base64url without padding")?;
    let e = number(members, "e").ok_or("its `e` is not base64url without padding")?;
    let (n, e) = (significant(&n), significant(&e));
    let bits = n.first().map_or(0, |first| n.len() * 8 - first.leading_zeros() as usize);
    if !(2048..=8192).contains(&bits) {
        return Err("its modulus has fewer than 2048 or more than 8192 bits");
    }
    if !is_odd(n) || !is_safe_exponent(e) {
        return Err("its modulus or exponent is unsafe");
    }
    let mut bound = Vec::new();
    for algorithm in algorithms {
        let parameters = match algorithm {
            Algorithm::Ps256 => &RSA_PSS_2048_8192_SHA256,
            _ => &RSA_PKCS1_2048_8192_SHA256,
        };
        let key = RsaPublicKeyComponents { n, e }.to_parsed_public_key(parameters);
        let key = key.map_err(|_| "it is not a valid RSA key")?;
        bound.push(BoundKey { algorithm: *algorithm, key });
    }
    Ok(bound)
}

fn is_odd(number: &[u8]) -> bool {
    number.last().is_some_and(|byte| byte % 2 == 1)
}

fn is_safe_exponent(number: &[u8]) -> bool {
    // More bytes than these are more than 33 bits.
    if number.len() > size_of::<u64>() {
        return false;
    }
    let mut exponent = 0_u64;
    for byte in number {
        exponent = exponent << 8 | u64::from(*byte);
    }
    is_odd(number) && (65_537..1 << 33).contains(&exponent)
}

/// Parses a key of two coordinates of 32 bytes (RFC 7518, 6.2.1).
fn p256(members: &Map<String, Value>) -> Result<BoundKey, &'static str> {
    const INVALID: &str = "its `x` and `y` are not a point on P-256";
    let x = number(members, "x").ok_or(INVALID)?;
    let y = number(members, "y").ok_or(INVALID)?;
    if x.len() != 32 || y.len() != 32 {
        return Err(INVALID);
    }
    // 4 is the sign of an uncompressed point (SEC 1, 2.3.3).
    let point = [&[4], x.as_slice(), y.as_slice()].concat();
    let key = ParsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point).map_err(|_| INVALID)?;
    Ok(BoundKey { algorithm: Algorithm::Es256, key })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the example in `signed` and `signature` with its key.
    fn check(algorithm: Algorithm, jwk: &str, signed: &str, signature: &str) -> Result<(), TokenRule> {
        let mut rules = Rules::new(["a"], "r");
        rules.algorithms = vec![algorithm];
        let tenant: TenantId = "t".parse().unwrap();
        let profile = Profile::other("https://joe.test", None).unwrap();
        let set =
            KeySet::parse(format!("{{\"keys\":[{jwk}]}}").as_bytes(), &tenant, &profile, &rules).unwrap();
        let key = set.key("k").unwrap();
        key.verify(algorithm, signed.as_bytes(), &BASE64URL_NOPAD.decode(signature.as_bytes()).unwrap())
    }

    #[test]
    fn the_rs256_example_of_rfc_7515_a_2_verifies() {
        let jwk = r#"{"kty":"RSA","kid":"k","e":"AQAB","n":"ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ"}"#;
        let signed = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ";
        let signature = "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw";
        assert_eq!(check(Algorithm::Rs256, jwk, signed, signature), Ok(()));
        assert_eq!(check(Algorithm::Rs256, jwk, &signed[1..], signature), Err(TokenRule::Signature));
        assert_eq!(check(Algorithm::Ps256, jwk, signed, signature), Err(TokenRule::Signature));
    }

    #[test]
    fn the_es256_example_of_rfc_7515_a_3_verifies() {
        let jwk = r#"{"kty":"EC","kid":"k","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}"#;
        let signed = "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ";
        let signature =
            "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q";
        assert_eq!(check(Algorithm::Es256, jwk, signed, signature), Ok(()));
        assert_eq!(check(Algorithm::Es256, jwk, &signed[1..], signature), Err(TokenRule::Signature));
    }
}
