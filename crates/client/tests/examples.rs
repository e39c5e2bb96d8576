//! Tests of the examples, run as programs against a mock service.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::Path;
use std::process::Command;

use norma_api::Operation;
use serde_json::json;
use wiremock::matchers::{method, path, query_param, query_param_is_missing};
use wiremock::{Mock, MockServer, ResponseTemplate};

const URN: &str = "urn:nsb:std:nsb:4210:ed-1:en";
const STANDARDS: &str = "/api/content/v1/standards";
const STANDARD: &str = "/api/content/v1/standards/urn%3Ansb%3Astd%3Ansb%3A4210%3Aed-1%3Aen";

/// The program that Cargo built of an example, next to the folder of this test.
fn example(name: &str, server: &MockServer) -> Command {
    let tests = std::env::current_exe().unwrap();
    let program = tests.parent().and_then(Path::parent).unwrap().join("examples").join(name);
    assert!(program.exists(), "{} is not built: cargo build -p norma-client --examples", program.display());
    let mut command = Command::new(program);
    command
        .env("NORMA_BASE_URL", server.uri())
        .env("NORMA_AUTH_URL", server.uri())
        .env("NORMA_TENANT_ID", "tenant")
        .env("NORMA_CLIENT_ID", "client")
        .env("NORMA_SCOPE", "api://norma/.default");
    command
}

async fn run(mut command: Command) -> String {
    let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

async fn provider() -> MockServer {
    let server = MockServer::start().await;
    let token = json!({ "token_type": "Bearer", "expires_in": 3600, "access_token": "t0ken" });
    Mock::given(method("POST"))
        .and(path("/tenant/oauth2/v2.0/token"))
        .respond_with(ResponseTemplate::new(200).set_body_json(token))
        .expect(1)
        .mount(&server)
        .await;
    server
}

fn summary(number: u32) -> serde_json::Value {
    json!({
        "urn": URN, "reference": format!("NSB {number}"), "title": "Bicycle anchors", "publisher": "NSB",
        "number": number.to_string(), "edition": "1", "language": "en", "type": "is", "status": "published",
        "icsCodes": [], "revision": "r", "updatedAt": "2026-01-31T00:00:00Z", "access": "read",
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn obligations_prints_every_requirement_of_the_standards_on_all_pages() {
    let server = provider().await;
    let first = json!({ "items": [summary(1)], "next": "more", "total": 2 });
    let last = json!({ "items": [summary(2)], "total": 2 });
    let list = || Mock::given(method("GET")).and(path(STANDARDS));
    list()
        .and(query_param("q", "ground anchors"))
        .and(query_param_is_missing("cursor"))
        .respond_with(ResponseTemplate::new(200).set_body_json(first))
        .expect(1)
        .mount(&server)
        .await;
    list()
        .and(query_param("cursor", "more"))
        .respond_with(ResponseTemplate::new(200).set_body_json(last))
        .expect(1)
        .mount(&server)
        .await;
    let provisions = norma_api::openapi::example_answer(Operation::Provisions).unwrap();
    Mock::given(path(format!("{STANDARD}/provisions")))
        .and(query_param("type", "requirement"))
        .and(query_param("normative", "true"))
        .respond_with(ResponseTemplate::new(200).set_body_json(provisions))
        .expect(2)
        .mount(&server)
        .await;
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("secret");
    std::fs::write(&secret, "hunter2").unwrap();
    let mut command = example("obligations", &server);
    command.args(["ground", "anchors"]).env("NORMA_CLIENT_SECRET_FILE", secret);
    let said = run(command).await;
    assert!(said.contains("NSB 1 — Bicycle anchors") && said.contains("NSB 2"), "{said}");
    let [label, text] = ["label", "text"].map(|name| provisions["items"][0][name].as_str().unwrap());
    let line = format!("  {label}  {text}");
    assert!(said.lines().filter(|said| *said == line).count() == 2, "{line}: {said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn figures_saves_what_can_be_had_and_says_what_cannot() {
    let server = provider().await;
    let graphics = norma_api::openapi::example_answer(Operation::Graphics).unwrap();
    Mock::given(path(format!("{STANDARD}/graphics")))
        .respond_with(ResponseTemplate::new(200).set_body_json(graphics))
        .mount(&server)
        .await;
    let asset = json!({
        "assetReference": "fig_A.1.svg", "url": format!("{}/api/content/v1/assets/s1gned", server.uri()),
        "expiresAt": "2026-01-31T00:00:00Z", "mediaType": "image/svg+xml", "size": 6, "digest": "sha256:0a0b",
    });
    Mock::given(method("POST"))
        .and(path(format!("{STANDARD}/assets/resolve")))
        .respond_with(ResponseTemplate::new(200).set_body_json(json!({ "items": [asset] })))
        .expect(1)
        .mount(&server)
        .await;
    Mock::given(path("/api/content/v1/assets/s1gned"))
        .respond_with(ResponseTemplate::new(200).set_body_bytes(b"<svg/>"))
        .mount(&server)
        .await;
    let folder = tempfile::tempdir().unwrap();
    let pair = rcgen::KeyPair::generate_for(&rcgen::PKCS_RSA_SHA256).unwrap();
    let made = rcgen::CertificateParams::new(vec!["client".into()]).unwrap().self_signed(&pair).unwrap();
    let certificate = folder.path().join("client.pem");
    std::fs::write(&certificate, [made.pem(), pair.serialize_pem()].concat()).unwrap();
    let mut command = example("figures", &server);
    command.arg(URN).arg(folder.path().join("figures"));
    command.env("NORMA_CLIENT_CERTIFICATE", certificate);
    let said = run(command).await;
    assert_eq!(said, "fig_A.1.svg: 6 bytes of image/svg+xml in 0a0b\n");
    assert_eq!(std::fs::read(folder.path().join("figures/0a0b")).unwrap(), b"<svg/>");
}
