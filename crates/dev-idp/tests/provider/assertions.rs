//! Tests of client assertions as libraries write them, and of invalid ones.

use aws_lc_rs::digest::{Algorithm as Digest, SHA1_FOR_LEGACY_USE_ONLY, SHA256, digest};
use data_encoding::{BASE64, BASE64URL, BASE64URL_NOPAD};
use jiff::Timestamp;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use norma_dev_idp::{ClientCertificate, DevIdpSettings, Guid};
use serde_json::{Value, json};

use crate::fixture::{Fixture, SCOPE, answer};

const JWT_BEARER: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

struct Signer {
    f: Fixture,
    certificate: ClientCertificate,
}

impl Signer {
    async fn with(settings: DevIdpSettings) -> Signer {
        let f = Fixture::with(settings).await;
        let certificate = f.idp.make_certificate(f.tenant, f.client.client_id).unwrap();
        Signer { f, certificate }
    }

    async fn start() -> Signer {
        Signer::with(DevIdpSettings::ephemeral()).await
    }

    fn thumbprint(&self, algorithm: &'static Digest) -> Vec<u8> {
        thumbprint(&self.certificate, algorithm)
    }

    fn header(&self) -> Header {
        Header {
            x5t_s256: Some(BASE64URL_NOPAD.encode(&self.thumbprint(&SHA256))),
            ..Header::new(Algorithm::PS256)
        }
    }

    fn claims(&self) -> Value {
        let (client, now) = (self.f.client.client_id, Timestamp::now().as_second());
        json!({
            "iss": client, "sub": client, "aud": self.f.token_url(self.f.tenant),
            "jti": Guid::random(), "iat": now, "nbf": now, "exp": now + 300,
        })
    }

    fn claims_but(&self, name: &str, value: Value) -> Value {
        let mut claims = self.claims();
        match value {
            Value::Null => claims.as_object_mut().unwrap().remove(name),
            value => claims.as_object_mut().unwrap().insert(name.to_owned(), value),
        };
        claims
    }

    fn sign(&self, header: &Header, claims: &Value) -> String {
        let key = EncodingKey::from_rsa_pem(self.certificate.key_pem.as_bytes()).unwrap();
        encode(header, claims, &key).unwrap()
    }

    fn fields(&self, assertion: &str) -> Vec<(&'static str, String)> {
        self.f.fields_but(&[
            ("client_secret", None),
            ("client_assertion_type", Some(JWT_BEARER)),
            ("client_assertion", Some(assertion)),
        ])
    }

    async fn send(&self, assertion: &str) -> (u16, Value) {
        self.f.ask(&self.fields(assertion)).await
    }

    async fn assert_accepted(&self, what: &str, header: &Header, claims: &Value) {
        let (status, body) = self.send(&self.sign(header, claims)).await;
        assert_eq!(status, 200, "{what}: {body}");
        assert_eq!(crate::tokens::claims(body["access_token"].as_str().unwrap())["azpacr"], "2", "{what}");
    }

    async fn assert_refused(&self, what: &str, assertion: &str, code: u64) {
        let (status, body) = self.send(assertion).await;
        let found = (status, body["error"].as_str(), body["error_codes"][0].as_u64());
        assert_eq!(found, (401, Some("invalid_client"), Some(code)), "{what}: {body}");
    }
}

pub(crate) fn thumbprint(certificate: &ClientCertificate, algorithm: &'static Digest) -> Vec<u8> {
    let base64: String = certificate
        .certificate_pem
        .lines()
        .filter(|line| !line.starts_with("-----"))
        .map(str::trim)
        .collect();
    digest(algorithm, &BASE64.decode(base64.as_bytes()).unwrap()).as_ref().to_vec()
}

#[tokio::test]
async fn both_algorithms_and_each_spelling_of_a_thumbprint_are_accepted() {
    let s = Signer::start().await;
    let (sha1, sha256) = (s.thumbprint(&SHA1_FOR_LEGACY_USE_ONLY), s.thumbprint(&SHA256));
    let hex: String = sha1.iter().map(|byte| format!("{byte:02X}")).collect();
    for algorithm in [Algorithm::RS256, Algorithm::PS256] {
        for encoding in [&BASE64URL_NOPAD, &BASE64URL, &BASE64] {
            let x5t = Header { x5t: Some(encoding.encode(&sha1)), ..Header::new(algorithm) };
            s.assert_accepted("x5t", &x5t, &s.claims()).await;
            let x5t_s256 = Header { x5t_s256: Some(encoding.encode(&sha256)), ..Header::new(algorithm) };
            s.assert_accepted("x5t#S256", &x5t_s256, &s.claims()).await;
        }
        let kid = Header { kid: Some(hex.clone()), ..Header::new(algorithm) };
        s.assert_accepted("kid in hexadecimal", &kid, &s.claims()).await;
    }
}

#[tokio::test]
async fn times_may_have_fractions_and_audiences_several_spellings() {
    let s = Signer::start().await;
    let now = Timestamp::now().as_second() as f64;
    let (url, tenant) = (s.f.idp.url().to_owned(), s.f.tenant);
    let localhost = url.replace("127.0.0.1", "localhost");
    for (what, name, value) in [
        ("fractional exp", "exp", json!(now + 300.75)),
        ("fractional iat", "iat", json!(now - 0.25)),
        ("no nbf", "nbf", Value::Null),
        ("no iat", "iat", Value::Null),
        ("no jti", "jti", Value::Null),
        ("the issuer as audience", "aud", json!(format!("{url}/{tenant}/v2.0"))),
        ("several audiences", "aud", json!(["https://example.org", s.f.token_url(tenant)])),
    ] {
        s.assert_accepted(what, &s.header(), &s.claims_but(name, value)).await;
    }
    let by_name = s.claims_but("aud", json!(format!("{localhost}/{tenant}/oauth2/v2.0/token")));
    s.assert_refused("a host that was not called", &s.sign(&s.header(), &by_name), 700023).await;
    let called = s.f.token_url(tenant).replace("127.0.0.1", "localhost");
    let (status, body) =
        answer(s.f.http.post(called).form(&s.fields(&s.sign(&s.header(), &by_name))).send().await.unwrap())
            .await;
    assert_eq!(status, 200, "the host that was called: {body}");
}

#[tokio::test]
async fn each_wrong_assertion_gets_its_own_code() {
    let s = Signer::start().await;
    let now = Timestamp::now().as_second();
    let other = s.f.idp.register_client(s.f.tenant, "Other").unwrap().client_id;
    for (what, name, value, code) in [
        ("expired", "exp", json!(now - 1), 700024),
        ("expired by a fraction", "exp", json!(now as f64 - 0.5), 700024),
        ("not yet", "nbf", json!(now + 300), 700024),
        ("no exp", "exp", Value::Null, 50027),
        ("exp as text", "exp", json!("soon"), 50027),
        ("issuer of another app", "iss", json!(other), 700021),
        ("subject of another app", "sub", json!(other), 700021),
        ("no issuer", "iss", Value::Null, 700021),
        ("foreign audience", "aud", json!("https://example.org/token"), 700023),
        ("no audience", "aud", Value::Null, 700023),
    ] {
        s.assert_refused(what, &s.sign(&s.header(), &s.claims_but(name, value)), code).await;
    }
    let unnamed = Header::new(Algorithm::PS256);
    s.assert_refused("no thumbprint", &s.sign(&unnamed, &s.claims()), 5002723).await;
    let shared = EncodingKey::from_secret(s.f.client.secret.expose().as_bytes());
    let hs = Header { alg: Algorithm::HS256, ..s.header() };
    s.assert_refused("HS256", &encode(&hs, &s.claims(), &shared).unwrap(), 5002738).await;
    let rs512 = Header { alg: Algorithm::RS512, ..s.header() };
    s.assert_refused("RS512", &s.sign(&rs512, &s.claims()), 5002738).await;
    for (what, text) in [
        ("no JWT", "nonsense"),
        ("no JSON", "e30.bm8.e30"),
        ("bad base64", "!.!.!"),
        ("four parts", "e30.e30.e30.e30"),
        ("no alg", "e30.e30.e30"),
    ] {
        s.assert_refused(what, text, 50027).await;
    }
    let good = s.sign(&s.header(), &s.claims());
    let (message, _) = good.rsplit_once('.').unwrap();
    s.assert_refused(
        "another signature",
        &format!("{message}.{}", BASE64URL_NOPAD.encode(&[1; 256])),
        700027,
    )
    .await;
    let mut unknown = s.header();
    unknown.x5t_s256 = Some(BASE64URL_NOPAD.encode(&[7; 32]));
    s.assert_refused("an unknown certificate", &s.sign(&unknown, &s.claims()), 700027).await;
}

#[tokio::test]
async fn a_certificate_counts_only_for_the_app_it_is_registered_for() {
    let s = Signer::start().await;
    let other = s.f.idp.register_client(s.f.tenant, "Other").unwrap().client_id;
    let certificate = s.f.idp.make_certificate(s.f.tenant, other).unwrap();
    let header = Header {
        x5t_s256: Some(BASE64URL_NOPAD.encode(&thumbprint(&certificate, &SHA256))),
        ..Header::new(Algorithm::PS256)
    };
    let key = EncodingKey::from_rsa_pem(certificate.key_pem.as_bytes()).unwrap();
    s.assert_refused("another app's certificate", &encode(&header, &s.claims(), &key).unwrap(), 700027).await;
}

#[tokio::test]
async fn a_certificate_counts_only_within_its_time() {
    let s = Signer::start().await;
    // Certificates made here end in the year 4096.
    let centuries = 66_000_000_000;
    let later = Timestamp::now().as_second() + centuries;
    s.f.idp.set_clock_ahead(centuries);
    let assertion = s.sign(&s.header(), &s.claims_but("exp", json!(later + 300)));
    s.assert_refused("a certificate that has expired", &assertion, 700027).await;
}

#[tokio::test]
async fn an_assertion_is_used_once_unless_the_settings_let_it_be() {
    let s = Signer::start().await;
    let assertion = s.sign(&s.header(), &s.claims());
    assert_eq!(s.send(&assertion).await.0, 200);
    s.assert_refused("a replay", &assertion, 50027).await;

    let lenient = DevIdpSettings { refuse_replayed_assertions: false, ..DevIdpSettings::ephemeral() };
    let s = Signer::with(lenient).await;
    let assertion = s.sign(&s.header(), &s.claims());
    assert_eq!((s.send(&assertion).await.0, s.send(&assertion).await.0), (200, 200));
}

#[tokio::test]
async fn an_assertion_needs_its_type() {
    let s = Signer::start().await;
    for (kind, code) in
        [(None, 900144), (Some("urn:ietf:params:oauth:client-assertion-type:saml2-bearer"), 90023)]
    {
        let assertion = s.sign(&s.header(), &s.claims());
        let fields = s.f.fields_but(&[
            ("client_secret", None),
            ("client_assertion_type", kind),
            ("client_assertion", Some(&assertion)),
            ("scope", Some(SCOPE)),
        ]);
        let (status, body) = s.f.ask(&fields).await;
        assert_eq!((status, body["error_codes"][0].as_u64()), (400, Some(code)), "{body}");
    }
}
