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
#[derive(Debug)]
pub(crate) struct VerificationKey {
    pub(crate) kid: String,
    verifiers: Vec<(Algorithm, ParsedPublicKey)>,
}

impl VerificationKey {
    pub(crate) fn verify(
        &self,
        algorithm: Algorithm,
        signed: &[u8],
        signature: &[u8],
    ) -> Result<(), TokenRule> {
        let bound =
            self.verifiers.iter().find(|(own, _)| *own == algorithm).ok_or(TokenRule::KeyAlgorithm)?;
        bound.1.verify_sig(signed, signature).map_err(|_| TokenRule::Signature)
    }
}

/// Equal when the same tokens pass.
impl PartialEq for VerificationKey {
    fn eq(&self, other: &Self) -> bool {
        let same = |(a, b): (&(Algorithm, ParsedPublicKey), &(Algorithm, ParsedPublicKey))| {
            a.0 == b.0 && a.1.as_ref() == b.1.as_ref()
        };
        self.kid == other.kid
            && self.verifiers.len() == other.verifiers.len()
            && self.verifiers.iter().zip(&other.verifiers).all(same)
    }
}

/// A key that is not used, with the reason. One such key never hides the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedKey {
    /// Its index in the set, from 0.
    pub index: usize,
    /// Its `kid`, where it has one.
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
            let mut skip = |reason| set.skipped.push(SkippedKey { index, kid: kid.clone(), reason });
            match read(&members, tenant, profile, rules) {
                Err(reason) => skip(reason),
                Ok(key) => match set.keys.entry(key.kid.clone()) {
                    Entry::Vacant(entry) => drop(entry.insert(Arc::new(key))),
                    Entry::Occupied(entry) if **entry.get() == key => {}
                    Entry::Occupied(entry) => {
                        skip("its `kid` is also that of another key; neither is used");
                        ambiguous.push(entry.key().clone());
                    }
                },
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
    let text = |name| members.get(name).and_then(Value::as_str);
    let bytes = |name| text(name).and_then(|value| BASE64URL_NOPAD.decode(value.as_bytes()).ok());
    let kid = text("kid")
        .filter(|kid| is_kid(kid))
        .ok_or("its `kid` is not a non-empty string of allowed length")?;
    if members.get("use").is_some_and(|purpose| purpose != "sig") {
        return Err("its `use` is not `sig`");
    }
    let may_verify = |ops: &Value| ops.as_array().is_some_and(|ops| ops.iter().any(|op| op == "verify"));
    if members.get("key_ops").is_some_and(|ops| !may_verify(ops)) {
        return Err("its `key_ops` do not contain `verify`");
    }
    if members.contains_key("d") {
        return Err("it is a private key (`d` is present) that was published");
    }
    if members.get("issuer").is_some_and(|own| !is_issuer(own, tenant, profile)) {
        return Err("its own `issuer` is not the issuer that it was fetched for");
    }
    let family: &[Algorithm] = match text("kty") {
        Some("RSA") => &[Algorithm::Rs256, Algorithm::Ps256],
        Some("EC") if text("crv") == Some("P-256") => &[Algorithm::Es256],
        _ => return Err("its `kty` or `crv` is not supported"),
    };
    let own = |algorithm: &Algorithm| members.get("alg").is_none_or(|alg| alg == algorithm.name());
    let narrowed =
        |algorithm: &Algorithm| profile.algorithms.as_ref().is_none_or(|list| list.contains(algorithm));
    let allowed = |it: &Algorithm| own(it) && rules.algorithms.contains(it) && narrowed(it);
    let algorithms: Vec<Algorithm> = family.iter().copied().filter(allowed).collect();
    let verifiers = match family {
        _ if algorithms.is_empty() => return Err("none of the allowed algorithms fits it"),
        [Algorithm::Es256] => {
            let (x, y) = (bytes("x"), bytes("y"));
            let key = p256(x.as_deref(), y.as_deref()).ok_or("its `x` and `y` are not a point on P-256")?;
            vec![(Algorithm::Es256, key)]
        }
        _ => {
            let n = bytes("n").ok_or("its `n` is not base64url without padding")?;
            let e = bytes("e").ok_or("its `e` is not base64url without padding")?;
            rsa(significant(&n), significant(&e), &algorithms)?
        }
    };
    Ok(VerificationKey { kid: kid.to_owned(), verifiers })
}

fn is_issuer(own: &Value, tenant: &TenantId, profile: &Profile) -> bool {
    own.as_str()
        .is_some_and(|template| template.replace(TENANT_PLACEHOLDER, tenant.as_str()) == profile.issuer)
}

/// An unsigned number without leading zeros, which RFC 7518, 6.3.1.1 forbids and some providers write.
fn significant(number: &[u8]) -> &[u8] {
    &number[number.iter().take_while(|byte| **byte == 0).count()..]
}

/// Parses an RSA key with a modulus of at least 2048 bits (RFC 7518, 3.3), and an odd exponent above 2^16 of
/// at most 33 bits (FIPS 186-5, A.1.1).
fn rsa(
    n: &[u8],
    e: &[u8],
    algorithms: &[Algorithm],
) -> Result<Vec<(Algorithm, ParsedPublicKey)>, &'static str> {
    let bits = n.first().map_or(0, |first| n.len() * 8 - first.leading_zeros() as usize);
    if !(2048..=8192).contains(&bits) {
        return Err("its modulus has fewer than 2048 or more than 8192 bits");
    }
    let exponent = e.iter().try_fold(0_u64, |sum, byte| sum.checked_mul(256)?.checked_add(u64::from(*byte)));
    let odd = |number: &[u8]| number.last().is_some_and(|byte| byte % 2 == 1);
    if !odd(n) || !odd(e) || !exponent.is_some_and(|e| (65_537..1 << 33).contains(&e)) {
        return Err("its modulus or exponent is unsafe");
    }
    let parse = |algorithm: &Algorithm| {
        let parameters = match algorithm {
            Algorithm::Ps256 => &RSA_PSS_2048_8192_SHA256,
            _ => &RSA_PKCS1_2048_8192_SHA256,
        };
        let key = RsaPublicKeyComponents { n, e }.to_parsed_public_key(parameters);
        key.map(|key| (*algorithm, key)).map_err(|_| "it is not a valid RSA key")
    };
    algorithms.iter().map(parse).collect()
}

fn p256(x: Option<&[u8]>, y: Option<&[u8]>) -> Option<ParsedPublicKey> {
    let (x, y) = (x.filter(|x| x.len() == 32)?, y.filter(|y| y.len() == 32)?);
    ParsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, [&[4], x, y].concat()).ok()
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
