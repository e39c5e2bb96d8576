//! The HTTP front end: who is answered, by key or by token, and who is not.

use std::collections::HashMap;
use std::time::{Duration, SystemTime};

use data_encoding::BASE64URL_NOPAD;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use rcgen::{KeyPair, PublicKeyData};
use reqwest::{RequestBuilder, Response};
use serde_json::{Value, json};
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::{URN, audited, mount_standard, service};
use crate::http::{HttpServer, HttpServerOptions, UserAccess};

const AUDIENCE: &str = "api://norma-mcp";
const NOW: u64 = 1_800_000_000;

/// A provider with a key, whose key set is published or not.
struct Provider {
    server: MockServer,
    key: KeyPair,
}

impl Provider {
    async fn start() -> Self {
        let key = KeyPair::generate().unwrap();
        let point = key.der_bytes().to_vec();
        let (x, y) = point[1..].split_at(32);
        let coordinate = |bytes| BASE64URL_NOPAD.encode(bytes);
        let keys = json!({"keys": [{"kty": "EC", "crv": "P-256", "kid": "k1", "use": "sig",
                                    "x": coordinate(x), "y": coordinate(y)}]});
        let server = MockServer::start().await;
        let discovery = json!({"issuer": server.uri(), "jwks_uri": format!("{}/keys", server.uri())});
        for (at, body) in [("/.well-known/openid-configuration", discovery), ("/keys", keys)] {
            Mock::given(method("GET"))
                .and(path(at))
                .respond_with(ResponseTemplate::new(200).set_body_json(body))
                .mount(&server)
                .await;
        }
        Self { server, key }
    }

    /// The claims of a good token of a user.
    fn claims(&self) -> Value {
        json!({"iss": self.server.uri(), "aud": AUDIENCE, "sub": "ada", "azp": "assistant",
               "scp": "standards", "iat": NOW - 10, "exp": NOW + 600})
    }

    fn token(&self, claims: &Value) -> String {
        let header = Header { kid: Some("k1".to_owned()), ..Header::new(Algorithm::ES256) };
        let key = EncodingKey::from_ec_pem(self.key.serialize_pem().as_bytes()).unwrap();
        encode(&header, claims, &key).unwrap()
    }

    fn users(&self) -> UserAccess {
        UserAccess {
            issuer: self.server.uri(),
            jwks_uri: None,
            audiences: vec![AUDIENCE.to_owned()],
            algorithms: vec!["ES256".to_owned()],
            token_types: vec!["JWT".to_owned(), "at+jwt".to_owned()],
            client_claims: vec!["azp".to_owned()],
            clock_skew: Duration::from_secs(60),
            extra_root: None,
            calls_per_second: 100,
            burst: 100,
        }
    }
}

fn options(users: Option<UserAccess>) -> HttpServerOptions {
    HttpServerOptions {
        listen: "127.0.0.1:0".parse().unwrap(),
        users,
        tls: None,
        trusted_proxies: Vec::new(),
        public_url: None,
        clock: || SystemTime::UNIX_EPOCH + Duration::from_secs(NOW),
    }
}

#[allow(clippy::disallowed_methods, reason = "this is test code")]
fn http() -> reqwest::Client {
    reqwest::Client::new()
}

/// A request for the list of tools.
fn list(url: &str) -> RequestBuilder {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).to_string();
    http()
        .post(url)
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2025-11-25")
        .body(body)
}

async fn json_of(response: Response) -> Value {
    assert_eq!(response.status(), 200);
    serde_json::from_str(&response.text().await.unwrap()).unwrap()
}

#[tokio::test]
async fn on_this_machine_the_key_in_the_address_lets_in_and_pages_of_others_are_not_answered() {
    let service = service().await;
    let file = tempfile::NamedTempFile::new().unwrap();
    let running = HttpServer::start(audited(&service, file.path()), options(None)).unwrap();
    let url = running.url().to_owned();
    let tools = json_of(list(&url).send().await.unwrap()).await;
    assert_eq!(tools["result"]["tools"].as_array().unwrap().len(), 8);
    let (origin, key) = url.strip_suffix("/mcp").unwrap().rsplit_once('/').unwrap();
    assert_eq!(key.len(), 26, "{url}");
    let other_key = format!("{origin}/{}/mcp", "a".repeat(26));
    for (target, header, expected) in [
        (&*other_key, None, 404),
        (&*format!("{origin}/mcp"), None, 404),
        (&*format!("{origin}/.well-known/oauth-protected-resource"), None, 404),
        (&*url, Some(("host", "evil.example")), 403),
        (&*url, Some(("host", "localhost")), 403),
        (&*url, Some(("origin", "https://evil.example")), 403),
        (&*url, Some(("origin", "null")), 403),
        (&*url, Some(("origin", origin)), 200),
    ] {
        let mut request = list(target);
        if let Some((name, value)) = header {
            request = request.header(name, value);
        }
        let status = request.send().await.unwrap().status().as_u16();
        assert_eq!(status, expected, "{target} {header:?}");
    }
    let huge = list(&url).body("x".repeat(2 << 20));
    assert_eq!(huge.send().await.unwrap().status(), 413);
}

#[tokio::test]
async fn a_user_with_a_token_is_answered_named_in_the_audit_and_the_token_goes_nowhere() {
    let service = service().await;
    mount_standard(&service, "Text.").await;
    let provider = Provider::start().await;
    let file = tempfile::NamedTempFile::new().unwrap();
    let users = Some(provider.users());
    let running = HttpServer::start(audited(&service, file.path()), options(users)).unwrap();
    let token = provider.token(&provider.claims());
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                      "params": {"name": "outline", "arguments": {"urn": URN}}});
    let request = list(running.url()).bearer_auth(&token).body(body.to_string());
    let answer = json_of(request.send().await.unwrap()).await;
    assert_eq!(answer["result"]["structuredContent"]["edition"]["reference"], "NSB 4210:2025", "{answer}");
    let line: Value = serde_json::from_str(&std::fs::read_to_string(file.path()).unwrap()).unwrap();
    assert_eq!(line["sub"], "ada");
    assert_eq!((line["tool"].as_str(), line["urns"][0].as_str()), (Some("outline"), Some(URN)));
    let requests = service.received_requests().await.unwrap();
    assert!(requests.len() > 3);
    for request in requests {
        let headers = format!("{:?}{:?}", request.headers, request.body);
        assert!(!headers.contains(&token), "the token of the user was passed on");
    }
}

#[tokio::test]
async fn without_a_token_that_counts_the_answer_is_401_with_the_metadata_of_the_resource() {
    let service = service().await;
    let (provider, foreign) = (Provider::start().await, Provider::start().await);
    let file = tempfile::NamedTempFile::new().unwrap();
    let users = Some(provider.users());
    let running = HttpServer::start(audited(&service, file.path()), options(users)).unwrap();
    let with = |name: &str, value: Value| {
        let mut claims = provider.claims();
        claims[name] = value;
        provider.token(&claims)
    };
    let mut without_subject = provider.claims();
    without_subject.as_object_mut().unwrap().remove("sub");
    let mut unsigned: Vec<String> =
        provider.token(&provider.claims()).split('.').map(str::to_owned).collect();
    unsigned[0] = BASE64URL_NOPAD.encode(br#"{"alg":"none","typ":"JWT","kid":"k1"}"#);
    let tokens = HashMap::from([
        ("expired", with("exp", (NOW - 61).into())),
        ("not yet", with("nbf", (NOW + 3600).into())),
        ("another audience", with("aud", "api://norma".into())),
        ("another issuer", with("iss", "https://login.example".into())),
        ("signed by another provider", foreign.token(&provider.claims())),
        ("of another provider", foreign.token(&foreign.claims())),
        ("without a user", provider.token(&without_subject)),
        ("without a program", with("azp", "".into())),
        ("not signed", unsigned.join(".")),
        ("no token", "abc".to_owned()),
    ]);
    for (what, token) in tokens {
        let answer = list(running.url()).bearer_auth(token).send().await.unwrap();
        assert_eq!(answer.status(), 401, "{what}");
        let challenge = answer.headers()["www-authenticate"].to_str().unwrap();
        assert!(challenge.contains("error=\"invalid_token\""), "{what}: {challenge}");
        assert!(challenge.contains("resource_metadata=\""), "{what}: {challenge}");
    }
    let answer = list(running.url()).send().await.unwrap();
    assert_eq!(answer.status(), 401);
    let challenge = answer.headers()["www-authenticate"].to_str().unwrap().to_owned();
    let metadata_url = challenge.strip_prefix("Bearer resource_metadata=\"").unwrap().trim_end_matches('"');
    let metadata = json_of(http().get(metadata_url).send().await.unwrap()).await;
    assert_eq!(metadata["resource"], running.url());
    assert_eq!(metadata["authorization_servers"], json!([provider.server.uri()]));
    assert_eq!(std::fs::read_to_string(file.path()).unwrap(), "", "nothing was called");
    assert!(service.received_requests().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_user_in_a_loop_is_slowed_down_and_others_are_not() {
    let service = service().await;
    let provider = Provider::start().await;
    let file = tempfile::NamedTempFile::new().unwrap();
    let users = UserAccess { calls_per_second: 1, burst: 3, ..provider.users() };
    let running = HttpServer::start(audited(&service, file.path()), options(Some(users))).unwrap();
    let mut other = provider.claims();
    other["sub"] = "grace".into();
    let [ada, grace] = [provider.token(&provider.claims()), provider.token(&other)];
    let mut statuses = Vec::new();
    for _ in 0..5 {
        let answer = list(running.url()).bearer_auth(&ada).send().await.unwrap();
        if answer.status() == 429 {
            assert!(answer.headers().contains_key("retry-after"));
        }
        statuses.push(answer.status().as_u16());
    }
    assert_eq!(&statuses[..3], [200, 200, 200]);
    assert!(statuses.contains(&429), "{statuses:?}");
    assert_eq!(list(running.url()).bearer_auth(&grace).send().await.unwrap().status(), 200);
}

#[tokio::test]
async fn behind_a_proxy_only_the_proxy_is_answered_and_by_its_name() {
    let service = service().await;
    let provider = Provider::start().await;
    let file = tempfile::NamedTempFile::new().unwrap();
    let behind = |proxy: &str| HttpServerOptions {
        trusted_proxies: vec![proxy.to_owned()],
        public_url: Some("https://norma-mcp.example".to_owned()),
        ..options(Some(provider.users()))
    };
    // The address that the listener got is not that of hosts: a free port is taken first.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let token = provider.token(&provider.claims());
    for (proxy, host, expected) in [
        ("127.0.0.1", "norma-mcp.example", 200),
        ("127.0.0.1", "127.0.0.1", 403),
        ("192.0.2.0/24", "norma-mcp.example", 403),
    ] {
        let options = HttpServerOptions { listen: ([127, 0, 0, 1], port).into(), ..behind(proxy) };
        let running = HttpServer::start(audited(&service, file.path()), options).unwrap();
        assert_eq!(running.url(), "https://norma-mcp.example/mcp");
        let request = list(&format!("http://127.0.0.1:{port}/mcp")).header("host", host).bearer_auth(&token);
        assert_eq!(request.send().await.unwrap().status(), expected, "{proxy} {host}");
        drop(running);
        // The port is free again once the task has ended.
        while std::net::TcpListener::bind(("127.0.0.1", port)).is_err() {
            tokio::task::yield_now().await;
        }
    }
}

#[tokio::test]
async fn with_tls_a_host_that_trusts_the_certificate_is_answered() {
    let service = service().await;
    let folder = tempfile::tempdir().unwrap();
    let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    let (certificate, key) = (folder.path().join("cert.pem"), folder.path().join("key.pem"));
    std::fs::write(&certificate, made.cert.pem()).unwrap();
    std::fs::write(&key, made.signing_key.serialize_pem()).unwrap();
    let file = folder.path().join("audit");
    let with = |tls| HttpServerOptions { tls: Some(tls), ..options(None) };
    let tls = with((certificate.clone(), key.clone()));
    let running = HttpServer::start(audited(&service, &file), tls).unwrap();
    assert!(running.url().starts_with("https://127.0.0.1:"), "{}", running.url());
    let root = reqwest::Certificate::from_pem(made.cert.pem().as_bytes()).unwrap();
    #[allow(clippy::disallowed_methods, reason = "this is test code")]
    let client = reqwest::Client::builder().tls_certs_merge([root]).build().unwrap();
    let request = list(running.url()).build().unwrap();
    assert_eq!(client.execute(request).await.unwrap().status(), 200);
    let wrong = HttpServer::start(audited(&service, &file), with((key, certificate))).unwrap_err();
    assert!(wrong.to_string().contains("--tls-cert"), "{wrong}");
}
