//! Tests of the HTTP client against a real listener on loopback: its requests, and the answers that it
//! refuses.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use crate::forge::*;
use norma_auth::{Fetch, Https, Profile, RegisteredTenant, Tenants, Verifier};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
    sync::mpsc,
};

/// Answers each connection with the next of these texts, passes on the request, and never closes.
async fn serve(answers: Vec<String>) -> (SocketAddr, mpsc::UnboundedReceiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (sent, requests) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        let mut open = Vec::new();
        for answer in answers {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = Vec::new();
            while !request.ends_with(b"\r\n\r\n") {
                request.push(stream.read_u8().await.unwrap());
            }
            sent.send(String::from_utf8(request).unwrap()).unwrap();
            // The peer may rightly hang up in the middle of an answer that is too long for it.
            let _ = stream.write_all(answer.as_bytes()).await;
            open.push(stream);
        }
        std::future::pending::<()>().await;
    });
    (address, requests)
}

fn ok(body: &str) -> String {
    let length = body.len();
    let date = "date: Mon, 01 Jun 2026 00:00:05 GMT";
    format!("HTTP/1.1 200 OK\r\n{date}\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}")
}

async fn fault(answer: String) -> String {
    let mut rules = rules();
    rules.keys.max_document = 1000;
    rules.keys.fetch_timeout = Duration::from_millis(300);
    let (address, _requests) = serve(vec![answer]).await;
    let https = Https::new(&rules, None).unwrap();
    https.get(&format!("http://{address}/keys")).await.unwrap_err().to_string()
}

#[tokio::test]
async fn a_document_comes_with_the_providers_clock() {
    let (address, mut requests) = serve(vec![ok("{}")]).await;
    let document = Https::new(&rules(), None).unwrap().get(&format!("http://{address}/a?b=c")).await.unwrap();
    assert_eq!((document.body, document.date), (b"{}".to_vec(), Some(at(5))));
    let request = requests.recv().await.unwrap();
    assert!(request.starts_with("GET /a?b=c HTTP/1.1\r\n"), "{request}");
    assert!(request.contains("accept: application/json"), "{request}");
    assert!(request.contains("user-agent: norma-auth/"), "{request}");
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let answer = "HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/evil\r\ncontent-length: 0\r\n\r\n";
    assert!(fault(answer.into()).await.contains("302"));
}

#[tokio::test]
async fn only_200_is_an_answer() {
    for status in ["204 No Content", "404 Not Found", "500 Internal Server Error", "503 Service Unavailable"]
    {
        let answer = format!("HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
        assert!(fault(answer).await.contains(&status[..3]), "{status}");
    }
}

#[tokio::test]
async fn a_body_beyond_the_limit_is_given_up_announced_or_not() {
    let body = "x".repeat(1001);
    assert!(fault(ok(&body)).await.contains("larger than 1000"));
    assert!(
        fault(format!("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{body}"))
            .await
            .contains("larger than 1000")
    );
    let chunk = format!("{:x}\r\n{}\r\n", 600, "x".repeat(600));
    let chunked = format!("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n{chunk}{chunk}0\r\n\r\n");
    assert!(fault(chunked).await.contains("larger than 1000"));
}

#[tokio::test]
async fn a_provider_that_says_nothing_is_given_up_in_time() {
    assert!(fault(String::new()).await.contains("timed out"));
    let half = "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc";
    assert!(fault(half.into()).await.contains("timed out"));
}

#[tokio::test]
async fn plain_http_goes_nowhere_but_to_this_machine() {
    let https = Https::new(&rules(), None).unwrap();
    for url in
        ["http://login.test/keys", "http://127.0.0.1.nip.test/", "file:///etc/passwd", "data:,x", "//x", ""]
    {
        assert!(https.get(url).await.is_err(), "{url}");
    }
}

#[test]
fn roots_that_are_no_certificates_are_refused() {
    assert!(
        Https::new(&rules(), Some(b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"))
            .is_err()
    );
}

#[tokio::test]
async fn a_token_is_verified_with_keys_discovered_over_http_on_loopback() {
    // Bound first, so that the documents can name the address.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let base = format!("http://{address}");
    let discovery = ok(&format!(r#"{{"issuer":"{base}","jwks_uri":"{base}/jwks"}}"#));
    let keys = ok(&key_set(&[K1.jwk("k1")]));
    let listener = TcpListener::bind(address).await.unwrap();
    tokio::spawn(async move {
        for answer in [discovery, keys] {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = Vec::new();
            while !request.ends_with(b"\r\n\r\n") {
                request.push(stream.read_u8().await.unwrap());
            }
            stream.write_all(answer.as_bytes()).await.unwrap();
        }
    });
    let rules = rules();
    let verifier = Verifier::new(rules.clone(), Arc::new(Https::new(&rules, None).unwrap())).unwrap();
    let profile = Profile::other(&base, None).unwrap();
    let tenant = RegisteredTenant {
        id: tenant_id(TENANT_A),
        profiles: vec![profile],
        suspended: false,
        suspended_clients: Vec::new(),
    };
    verifier.replace_tenants(Tenants::new([tenant]).unwrap());
    let token = K1.token(&header().to_string(), &claims().text("iss", &base).to_string());
    assert_eq!(name(&verifier.verify(&token, at(0)).await), "VerifiedToken");
}
