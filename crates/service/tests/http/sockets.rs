//! Tests at socket level: TLS and HTTP/2, slow and large requests, proxies, a stop with requests in flight.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use norma_api::Operation;
use norma_service::server::FixedLimits;
use reqwest::{Certificate, Version};
use rustls::pki_types::pem::PemObject;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::world::{self, World, eventually};

/// Writes a new certificate for loopback, and its key; returns the certificate.
pub(crate) fn write_certificate(folder: &Path) -> Certificate {
    let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    std::fs::write(folder.join("key.pem"), made.signing_key.serialize_pem()).unwrap();
    std::fs::write(folder.join("cert.pem"), made.cert.pem()).unwrap();
    Certificate::from_pem(made.cert.pem().as_bytes()).unwrap()
}

/// A TLS client that trusts this certificate only and offers this protocol.
pub(crate) fn trusting_tls(folder: &Path, alpn: &[u8]) -> tokio_rustls::TlsConnector {
    let mut roots = rustls::RootCertStore::empty();
    roots.add(rustls::pki_types::CertificateDer::from_pem_file(folder.join("cert.pem")).unwrap()).unwrap();
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider);
    let config = config.with_safe_default_protocol_versions().unwrap();
    let mut config = config.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = vec![alpn.to_vec()];
    Arc::new(config).into()
}

fn trusting(certificate: &Certificate) -> reqwest::Client {
    reqwest::Client::builder().tls_certs_only([certificate.clone()]).build().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn over_tls_http_2_is_spoken_and_a_new_certificate_is_taken_up_without_a_stop() {
    let world = World::new().await;
    let first = write_certificate(world.folder.path());
    let file = |name: &str| world.folder.path().join(name).display().to_string();
    let (cert, key) = (file("cert.pem"), file("key.pem"));
    let mut limits = FixedLimits::default();
    limits.listeners.tls_interval = Duration::from_millis(10);
    let secure = world.start_within(limits, &[("tls-cert", &cert), ("tls-key", &key)]).await;
    assert!(secure.public_url.starts_with("https://"));
    let url = format!("{}/api/content/v1/limits", secure.public_url);
    let answer = trusting(&first).get(&url).bearer_auth(world.reader()).send().await.unwrap();
    assert_eq!((answer.version(), answer.status().as_u16()), (Version::HTTP_2, 200));
    let old = reqwest::Client::builder().tls_certs_only([first.clone()]).http1_only().build().unwrap();
    assert_eq!(old.get(&url).bearer_auth(world.reader()).send().await.unwrap().version(), Version::HTTP_11);

    // A broken file leaves the old certificate in force, before and after it is read, which `tls.rs` tests; a
    // good one takes its place.
    std::fs::write(world.folder.path().join("cert.pem"), "nothing").unwrap();
    assert!(trusting(&first).get(&url).bearer_auth(world.reader()).send().await.is_ok());
    let second = write_certificate(world.folder.path());
    eventually("the new certificate is used", async || trusting(&second).get(&url).send().await.ok()).await;
    assert!(trusting(&first).get(&url).send().await.is_err());
    secure.stop().await;
    world.stop().await;
}

/// Sends these bytes and reads until the other side closes.
async fn talk(address: std::net::SocketAddr, bytes: &[u8]) -> String {
    let mut socket = TcpStream::connect(address).await.unwrap();
    socket.write_all(bytes).await.unwrap();
    let mut answer = Vec::new();
    // A side that closes early may do so by a reset.
    drop(socket.read_to_end(&mut answer).await);
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_head_that_does_not_end_is_given_up_and_one_that_is_too_long_is_refused() {
    let world = World::with(&[("header-timeout", "200ms")]).await;
    let address = world.running.address;
    let started = Instant::now();
    let answer = talk(address, b"GET /api/content/v1/limits HTTP/1.1\r\nHost: n\r\nX-").await;
    assert!(!answer.starts_with("HTTP/1.1 200") && started.elapsed() < Duration::from_secs(20), "{answer}");

    let head = |extra: &str| {
        format!("GET /api/content/v1/limits HTTP/1.1\r\nHost: n\r\nConnection: close\r\n{extra}\r\n")
    };
    let long = head(&format!("X-Long: {}\r\n", "a".repeat(70_000)));
    let answer = talk(address, long.as_bytes()).await;
    assert!(
        answer.starts_with("HTTP/1.1 431 ") && answer.contains("\"code\":\"headers-too-large\""),
        "{answer}"
    );
    // Beyond what is read at all, and beyond a hundred fields, there is the status only.
    for extra in [format!("X-Long: {}\r\n", "a".repeat(200_000)), "X-Many: a\r\n".repeat(120)] {
        let answer = talk(address, head(&extra).as_bytes()).await;
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 431 "), "{answer}");
    }
    // And the service continues.
    assert!(talk(address, head("").as_bytes()).await.starts_with("HTTP/1.1 401 "));
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn http_1_1_needs_one_good_host_and_a_body_must_not_be_encoded() {
    let world = World::new().await;
    let address = world.running.address;
    let ask = async |version: &str, hosts: &str| {
        let request = format!("GET /docs HTTP/{version}\r\n{hosts}Connection: close\r\n\r\n");
        talk(address, request.as_bytes()).await
    };
    for (version, hosts) in
        [("1.1", ""), ("1.1", "Host: a\r\nHost: a\r\n"), ("1.1", "Host: a b\r\n"), ("1.0", "Host: a/\r\n")]
    {
        let answer = ask(version, hosts).await;
        let refused = answer.contains(" 400 ") && answer.contains("\"code\":\"invalid-request\"");
        assert!(refused, "{version} {hosts}: {answer}");
    }
    for (version, hosts) in [("1.1", "Host: n:80\r\n"), ("1.1", "Host:\r\n"), ("1.0", "")] {
        assert!(ask(version, hosts).await.contains(" 200 OK"), "{version} {hosts}");
    }
    let path = Operation::ResolveAssets.path_with(&[world::READ]);
    let resolve = async |encoding: &'static str| {
        let request = world.http.post(format!("{}{path}", world.running.public_url));
        let request = request.bearer_auth(world.reader()).header("content-encoding", encoding);
        request.json(&serde_json::json!({ "assetReference": "fig_1a" })).send().await.unwrap()
    };
    assert_eq!(resolve("identity").await.status(), 200);
    let refused = resolve("gzip").await;
    assert_eq!(
        (refused.status().as_u16(), &refused.headers()["accept-encoding"]),
        (415, &"identity".parse().unwrap())
    );
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_does_not_come_is_a_timeout() {
    let world = World::with(&[("request-timeout", "300ms")]).await;
    let path = Operation::ResolveAssets.path_with(&[world::READ]);
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: n\r\nConnection: close\r\nAuthorization: Bearer {}\r\n\
         Content-Type: application/json\r\nContent-Length: 30\r\n\r\n{{",
        world.reader()
    );
    let answer = talk(world.running.address, head.as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 504 ") && answer.contains("\"code\":\"timeout\""), "{answer}");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_lets_requests_in_flight_finish_and_takes_no_new_ones() {
    let world = World::new().await;
    let service = world.start_with(&[]).await;
    let address = service.address;
    let body = br#"{"assetReference":"fig_1a"}"#;
    let path = Operation::ResolveAssets.path_with(&[world::READ]);
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: n\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nExpect: 100-continue\r\n\r\n",
        world.reader(),
        body.len()
    );
    let mut socket = TcpStream::connect(address).await.unwrap();
    socket.write_all(head.as_bytes()).await.unwrap();
    // That it asks for the body shows that the request is being worked on.
    let mut started = [0; 25];
    socket.read_exact(&mut started).await.unwrap();
    assert!(started.starts_with(b"HTTP/1.1 100 Continue"));
    let stopping = tokio::spawn(service.stop());
    let began = Instant::now();
    while TcpStream::connect(address).await.is_ok() {
        assert!(began.elapsed() < Duration::from_secs(30), "it still listens");
    }
    socket.write_all(body).await.unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains("\"expiresAt\""), "{answer}");
    stopping.await.unwrap();
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn refused_tokens_are_counted_for_the_caller_of_a_trusted_proxy() {
    let world = World::with(&[("refused-limit", "1"), ("trusted-proxies", "127.0.0.0/8")]).await;
    let direct = world.start_with(&[("refused-limit", "1")]).await;
    let from = async |base: &str, address: &str| -> String {
        let request = world.http.get(format!("{base}/api/content/v1/limits"));
        let problem: Value =
            request.header("x-forwarded-for", address).send().await.unwrap().json().await.unwrap();
        problem["code"].as_str().unwrap().to_owned()
    };
    let proxied = &world.running.public_url;
    assert_eq!(from(proxied, "192.0.2.1").await, "token-missing");
    assert_eq!(from(proxied, "192.0.2.1").await, "rate-limited");
    assert_eq!(from(proxied, "192.0.2.2").await, "token-missing");
    // Other addresses are not trusted.
    assert_eq!(from(&direct.public_url, "192.0.2.3").await, "token-missing");
    assert_eq!(from(&direct.public_url, "192.0.2.4").await, "rate-limited");
    direct.stop().await;
    world.stop().await;
}
