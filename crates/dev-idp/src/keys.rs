//! Signing keys: the current one, the next one, already published, and retired ones, still published for an
//! overlap.

use aws_lc_rs::{rand::SystemRandom, rsa, signature::RSA_PKCS1_SHA256};
use data_encoding::BASE64;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    DevIdpError,
    certificate::{ParsedCertificate, make_signing_key},
    encoding::base64url,
};

/// The error for a key that was stored and is damaged.
const UNUSABLE: &str = "a signing key cannot be used";

/// Version of the real provider's access tokens, and of the endpoints that give them.
#[derive(Clone, Copy)]
pub(crate) enum TokenVersion {
    /// `ver` 1.0: issuer `https://sts.windows.net/{tenant}/`, audience as asked for.
    V1,
    /// `ver` 2.0: issuer `{url}/{tenant}/v2.0`, audience always the client id of the API.
    V2,
}

/// Stored form of a key in the state file.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeyRecord {
    /// PKCS #8, DER in base64.
    private_key: String,
    /// Self-signed certificate, DER in base64.
    certificate: String,
    /// Time at which a retired key is removed from the published set.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    withdrawn_at: Option<Timestamp>,
}

/// One RSA-2048 signing key.
pub(crate) struct TokenSigningKey {
    record: KeyRecord,
    certificate: ParsedCertificate,
    private: rsa::KeyPair,
}

impl TokenSigningKey {
    pub(crate) fn generate() -> Result<TokenSigningKey, DevIdpError> {
        let (private_key, certificate) = make_signing_key()?;
        TokenSigningKey::from_record(KeyRecord {
            private_key: BASE64.encode(&private_key),
            certificate: BASE64.encode(&certificate),
            withdrawn_at: None,
        })
    }

    pub(crate) fn from_record(record: KeyRecord) -> Result<TokenSigningKey, DevIdpError> {
        let private = rsa::KeyPair::from_pkcs8(&from_base64(&record.private_key)?);
        let private = private.map_err(|error| DevIdpError::key(UNUSABLE, error))?;
        let certificate = ParsedCertificate::from_der(&from_base64(&record.certificate)?)?;
        Ok(TokenSigningKey { record, certificate, private })
    }

    /// The key id, which is also the certificate's `x5t`.
    fn id(&self) -> String {
        self.certificate.thumbprint()
    }

    fn is_withdrawn(&self, now: Timestamp) -> bool {
        match self.record.withdrawn_at {
            Some(withdrawn_at) => now >= withdrawn_at,
            None => false,
        }
    }

    /// The key as a member of a key set, without `alg` as in the real one.
    fn jwk(&self) -> Value {
        json!({
            "kty": "RSA",
            "use": "sig",
            "kid": self.id(),
            "x5t": self.id(),
            "n": base64url(&self.certificate.modulus),
            "e": base64url(&self.certificate.exponent),
            "x5c": [self.record.certificate],
        })
    }

    fn sign(&self, message: &[u8]) -> Vec<u8> {
        let mut signature = vec![0; self.private.public_modulus_len()];
        self.private
            .sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), message, &mut signature)
            .expect("a whole RSA key signs any message");
        signature
    }
}

/// Decodes a part of a key in the state file.
fn from_base64(text: &str) -> Result<Vec<u8>, DevIdpError> {
    let bytes = BASE64.decode(text.as_bytes());
    bytes.map_err(|error| DevIdpError::key(UNUSABLE, error))
}

/// All keys: the first signs, the second is published for the next rotation, the others are retired.
pub(crate) struct Keys(Vec<TokenSigningKey>);

impl Keys {
    pub(crate) fn generate() -> Result<Keys, DevIdpError> {
        Ok(Keys(vec![TokenSigningKey::generate()?, TokenSigningKey::generate()?]))
    }

    /// The keys of a state file; a missing first or second key is generated.
    pub(crate) fn from_records(records: Vec<KeyRecord>) -> Result<Keys, DevIdpError> {
        let mut keys = Vec::new();
        let mut retired = Vec::new();
        for record in records {
            let key = TokenSigningKey::from_record(record)?;
            if key.record.withdrawn_at.is_some() {
                retired.push(key);
            } else {
                keys.push(key);
            }
        }
        while keys.len() < 2 {
            keys.push(TokenSigningKey::generate()?);
        }
        keys.extend(retired);
        Ok(Keys(keys))
    }

    pub(crate) fn records(&self) -> Vec<KeyRecord> {
        self.0.iter().map(|key| key.record.clone()).collect()
    }

    /// Makes the published second key the signing key and publishes `fresh` as the next one. Keeps the old
    /// signing key until `withdrawn_at`.
    pub(crate) fn rotate(&mut self, fresh: TokenSigningKey, now: Timestamp, withdrawn_at: Timestamp) {
        let mut old = self.0.remove(0);
        old.record.withdrawn_at = Some(withdrawn_at);
        self.0.insert(1, fresh);
        self.0.push(old);
        self.0.retain(|key| !key.is_withdrawn(now));
    }

    /// Keys in the published set at `now`, each with `issuer` when the document states one.
    pub(crate) fn published(&self, now: Timestamp, issuer: Option<&str>) -> Value {
        let mut keys = Vec::new();
        for key in &self.0 {
            if key.is_withdrawn(now) {
                continue;
            }
            let mut jwk = key.jwk();
            if let Some(issuer) = issuer {
                jwk["issuer"] = issuer.into();
            }
            keys.push(jwk);
        }
        json!({ "keys": keys })
    }

    /// A compact JWS over `claims` with the header of tokens of `version`.
    pub(crate) fn token(&self, version: TokenVersion, claims: &Value) -> String {
        let key = &self.0[0];
        let header = match version {
            TokenVersion::V1 => json!({ "typ": "JWT", "alg": "RS256", "x5t": key.id(), "kid": key.id() }),
            TokenVersion::V2 => json!({ "typ": "JWT", "alg": "RS256", "kid": key.id() }),
        };
        let header = base64url(header.to_string().as_bytes());
        let claims = base64url(claims.to_string().as_bytes());
        let message = format!("{header}.{claims}");
        let signature = base64url(&key.sign(message.as_bytes()));
        format!("{message}.{signature}")
    }
}
