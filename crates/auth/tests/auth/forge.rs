//! Issuer of the tests, which signs any token, valid or not, and shares nothing with the code under test.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock, Mutex, Weak},
};

use aws_lc_rs::{
    encoding::AsDer,
    rand::SystemRandom,
    rsa::{KeyPair, KeySize},
    signature::{
        ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _, RSA_PKCS1_SHA256, RSA_PSS_SHA256,
        RsaEncoding, RsaPublicKeyComponents,
    },
};
use data_encoding::{BASE64, BASE64URL_NOPAD};
use jiff::Timestamp;
use norma_auth::{
    AuthError, Caller, Fetch, Profile, ProviderDocument, RegisteredTenant, Reject, Rules, TenantId, Tenants,
    Verifier,
};

pub(crate) const HOST: &str = "https://login.test";
pub(crate) const STS: &str = "https://sts.test/{tenantid}/";
pub(crate) const TENANT_A: &str = "11111111-aaaa-4aaa-8aaa-111111111111";
pub(crate) const TENANT_B: &str = "22222222-bbbb-4bbb-8bbb-222222222222";
pub(crate) const TENANT_X: &str = "99999999-9999-4999-8999-999999999999";
pub(crate) const CLIENT: &str = "c0ffee00-0000-4000-8000-00000000c11e";
pub(crate) const AUDIENCE: &str = "5e7f1ce0-0000-4000-8000-0000000000a1";
pub(crate) const AUDIENCE_URI: &str = "api://norma.test";
pub(crate) const ROLE: &str = "Content.Read.All";
/// The moment at which all tests play: 2026-06-01T00:00:00Z.
pub(crate) const NOW: i64 = 1_780_272_000;

pub(crate) fn at(second: i64) -> Timestamp {
    Timestamp::from_second(NOW + second).unwrap()
}

pub(crate) fn b64(bytes: impl AsRef<[u8]>) -> String {
    BASE64URL_NOPAD.encode(bytes.as_ref())
}

/// An RSA key of an issuer.
pub(crate) struct Rsa(KeyPair);

impl Rsa {
    fn new() -> Self {
        Self(KeyPair::generate(KeySize::Rsa2048).unwrap())
    }

    pub(crate) fn sign_as(&self, encoding: &'static dyn RsaEncoding, text: &str) -> Vec<u8> {
        let mut signature = vec![0; self.0.public_modulus_len()];
        self.0.sign(encoding, &SystemRandom::new(), text.as_bytes(), &mut signature).unwrap();
        signature
    }

    pub(crate) fn sign(&self, text: &str) -> String {
        b64(self.sign_as(&RSA_PKCS1_SHA256, text))
    }

    pub(crate) fn sign_pss(&self, text: &str) -> String {
        b64(self.sign_as(&RSA_PSS_SHA256, text))
    }

    pub(crate) fn components(&self) -> (Vec<u8>, Vec<u8>) {
        let parts = RsaPublicKeyComponents::<Vec<u8>>::from(self.0.public_key());
        (parts.n, parts.e)
    }

    /// The forms of the public key that an attacker has, and that a careless verifier accepts as an HMAC
    /// secret.
    pub(crate) fn public_forms(&self) -> Vec<Vec<u8>> {
        let der = AsDer::as_der(self.0.public_key()).unwrap().as_ref().to_vec();
        let body = BASE64.encode(der.as_ref());
        let lines: Vec<&str> =
            body.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).unwrap()).collect();
        let pem = format!("-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----\n", lines.join("\n"));
        vec![pem.into_bytes(), der, self.components().0]
    }

    /// Signs a token with this key, whatever the header says.
    pub(crate) fn token(&self, header: &str, claims: &str) -> String {
        let signed = format!("{}.{}", b64(header), b64(claims));
        format!("{signed}.{}", self.sign(&signed))
    }

    /// The key as a provider publishes it: no `alg`.
    pub(crate) fn jwk(&self, kid: &str) -> Members {
        let (n, e) = self.components();
        Members::default()
            .set("kty", r#""RSA""#)
            .set("use", r#""sig""#)
            .text("kid", kid)
            .text("n", &b64(n))
            .text("e", &b64(e))
    }
}

/// An EC key of an issuer.
pub(crate) struct P256(EcdsaKeyPair);

impl P256 {
    pub(crate) fn sign(&self, text: &str) -> String {
        b64(self.0.sign(&SystemRandom::new(), text.as_bytes()).unwrap())
    }

    pub(crate) fn token(&self, header: &str, claims: &str) -> String {
        let signed = format!("{}.{}", b64(header), b64(claims));
        format!("{signed}.{}", self.sign(&signed))
    }

    pub(crate) fn jwk(&self, kid: &str) -> Members {
        let point = self.0.public_key().as_ref();
        let jwk = Members::default().set("kty", r#""EC""#).set("crv", r#""P-256""#).text("kid", kid);
        jwk.text("x", &b64(&point[1..33])).text("y", &b64(&point[33..65]))
    }
}

pub(crate) static K1: LazyLock<Rsa> = LazyLock::new(Rsa::new);
pub(crate) static K2: LazyLock<Rsa> = LazyLock::new(Rsa::new);
pub(crate) static K3: LazyLock<Rsa> = LazyLock::new(Rsa::new);
pub(crate) static EC: LazyLock<P256> =
    LazyLock::new(|| P256(EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap()));

/// The members of a JSON object as text, so that tests can make any error in it.
#[derive(Clone, Default)]
pub(crate) struct Members(Vec<(String, String)>);

impl Members {
    /// Sets a member to a JSON text.
    pub(crate) fn set(mut self, name: &str, json: &str) -> Self {
        match self.0.iter_mut().find(|(own, _)| own == name) {
            Some(member) => member.1 = json.to_owned(),
            None => self.0.push((name.to_owned(), json.to_owned())),
        }
        self
    }

    /// Sets a member to a string without characters to escape.
    pub(crate) fn text(self, name: &str, value: &str) -> Self {
        self.set(name, &format!("\"{value}\""))
    }

    /// Appends a member, even if it is there already. The name is written unchanged, escapes included.
    pub(crate) fn also(mut self, name: &str, json: &str) -> Self {
        self.0.push((name.to_owned(), json.to_owned()));
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.0.retain(|(own, _)| own != name);
        self
    }
}

impl std::fmt::Display for Members {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let members: Vec<String> = self.0.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
        write!(f, "{{{}}}", members.join(","))
    }
}

/// The header of a good token.
pub(crate) fn header() -> Members {
    Members::default().text("typ", "JWT").text("alg", "RS256").text("kid", "k1")
}

/// The claims of a good v2 token of tenant A.
pub(crate) fn claims() -> Members {
    Members::default()
        .text("aud", AUDIENCE)
        .text("iss", &issuer(TENANT_A))
        .set("iat", &(NOW - 10).to_string())
        .set("nbf", &(NOW - 10).to_string())
        .set("exp", &(NOW + 3600).to_string())
        .text("azp", CLIENT)
        .text("azpacr", "1")
        .text("oid", "0b0b0b0b-0000-4000-8000-000000000001")
        .set("roles", &format!("[\"{ROLE}\"]"))
        .text("sub", "0b0b0b0b-0000-4000-8000-000000000001")
        .text("tid", TENANT_A)
        .text("uti", "opaque-æøå")
        .text("ver", "2.0")
}

/// The claims of a good v1 token of tenant A.
pub(crate) fn claims_v1() -> Members {
    let v1 = claims()
        .without("azp")
        .without("azpacr")
        .text("appid", CLIENT)
        .text("appidacr", "1")
        .text("ver", "1.0");
    v1.text("iss", &STS.replace("{tenantid}", TENANT_A)).text("aud", AUDIENCE_URI)
}

/// A token that the verifier accepts.
pub(crate) fn good() -> String {
    K1.token(&header().to_string(), &claims().to_string())
}

pub(crate) fn issuer(tenant: &str) -> String {
    format!("{HOST}/{tenant}/v2.0")
}

pub(crate) fn keys_url(tenant: &str) -> String {
    format!("{HOST}/{tenant}/discovery/v2.0/keys")
}

pub(crate) fn keys_url_v1(tenant: &str) -> String {
    format!("{HOST}/{tenant}/discovery/keys")
}

pub(crate) fn key_set(keys: &[Members]) -> String {
    let keys: Vec<String> = keys.iter().map(Members::to_string).collect();
    format!("{{\"keys\":[{}]}}", keys.join(","))
}

/// A provider with the answers of the test, which counts requests and can be made to wait.
#[derive(Default)]
pub(crate) struct Provider {
    documents: Mutex<HashMap<String, String>>,
    request_count: Mutex<Vec<String>>,
    gate: Mutex<Option<Arc<tokio::sync::Semaphore>>>,
}

impl Provider {
    pub(crate) fn publish(&self, url: &str, document: impl Into<String>) {
        self.documents.lock().unwrap().insert(url.to_owned(), document.into());
    }

    /// From now on every fetch fails.
    pub(crate) fn go_down(&self) {
        self.documents.lock().unwrap().clear();
    }

    pub(crate) fn request_count(&self) -> usize {
        self.request_count.lock().unwrap().len()
    }

    pub(crate) fn asked_for(&self) -> Vec<String> {
        self.request_count.lock().unwrap().clone()
    }

    /// From now on each answer waits for a permit.
    pub(crate) fn hold(&self) -> Arc<tokio::sync::Semaphore> {
        let gate = Arc::new(tokio::sync::Semaphore::new(0));
        *self.gate.lock().unwrap() = Some(gate.clone());
        gate
    }
}

/// The provider of a verifier, shared so that a test can still change it.
pub(crate) struct Shared(pub(crate) Arc<Provider>);

#[async_trait::async_trait]
impl Fetch for Shared {
    async fn get(&self, url: &str) -> Result<ProviderDocument, AuthError> {
        self.0.request_count.lock().unwrap().push(url.to_owned());
        let gate = self.0.gate.lock().unwrap().clone();
        if let Some(gate) = gate {
            gate.acquire().await.unwrap().forget();
        }
        match self.0.documents.lock().unwrap().get(url) {
            Some(document) => Ok(ProviderDocument { body: document.clone().into_bytes(), date: None }),
            None => Err(AuthError::Document { url: url.to_owned(), reason: "no answer".into() }),
        }
    }
}

/// The rules of all tests: the defaults, without random times of refreshes.
pub(crate) fn rules() -> Rules {
    let mut rules = Rules::new([AUDIENCE, AUDIENCE_URI], ROLE);
    rules.keys.jitter_percent = 0;
    rules
}

pub(crate) fn tenant_id(id: &str) -> TenantId {
    id.parse().unwrap()
}

/// A tenant with the v2 and the v1 profile.
pub(crate) fn tenant(id: &str) -> RegisteredTenant {
    let id = tenant_id(id);
    let profiles = vec![Profile::v2(HOST, &id).unwrap(), Profile::v1(HOST, STS, &id).unwrap()];
    RegisteredTenant { id, profiles, suspended: false, suspended_clients: Vec::new() }
}

/// A verifier for tenants A (k1 in v2, kv1 in v1) and B (kb), with `both` for a key of each, and its
/// provider.
pub(crate) fn stage(rules: Rules) -> (Verifier, Arc<Provider>) {
    let provider = Arc::new(Provider::default());
    provider.publish(&keys_url(TENANT_A), key_set(&[K1.jwk("k1"), K1.jwk("both")]));
    provider.publish(&keys_url_v1(TENANT_A), key_set(&[K2.jwk("kv1")]));
    provider.publish(&keys_url(TENANT_B), key_set(&[K3.jwk("kb"), K3.jwk("both")]));
    provider.publish(&keys_url_v1(TENANT_B), key_set(&[K3.jwk("kb")]));
    let verifier = Verifier::new(rules, Arc::new(Shared(provider.clone()))).unwrap();
    verifier.replace_tenants(Tenants::new([tenant(TENANT_A), tenant(TENANT_B)]).unwrap());
    (verifier, provider)
}

/// The caller of a token that is good at this second: upgradable as long as the verifier caches the token.
pub(crate) async fn caller_of(verifier: &Verifier, token: &str, second: i64) -> Weak<Caller> {
    Arc::downgrade(&verifier.verify(token, at(second)).await.unwrap())
}

/// The name of a verdict: `VerifiedToken`, the rule of an invalid token, or the class of another refusal.
pub(crate) fn name<T>(verdict: &Result<T, Reject>) -> String {
    match verdict {
        Ok(_) => "VerifiedToken".into(),
        Err(Reject::Invalid(rule)) => format!("{rule:?}"),
        Err(Reject::OtherAudience(_)) => "Audience".into(),
        Err(Reject::RoleMissing(_)) => "RoleMissing".into(),
        Err(Reject::Suspended(_)) => "Suspended".into(),
        Err(Reject::KeysUnavailable { .. }) => "KeysUnavailable".into(),
        Err(other) => format!("{other:?}"),
    }
}
