//! Tests with a service that answers what a test says, and with a host that is rmcp's own client or sends
//! lines of its own.

mod arguments;
mod failures;
mod hosts;
mod http;
mod marked_text;

use std::path::Path;
use std::time::{Duration, SystemTime};

use norma_client::{Client, ClientBuilder, Credential};
use rmcp::model::{CallToolRequestParams, CallToolResult};
use rmcp::service::{RoleClient, RunningService};
use rmcp::{ServiceExt, service::QuitReason};
use serde_json::{Value, json};
use wiremock::matchers::{method, path, path_regex};
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::audit::AuditSink;
use crate::server::Server;

pub(crate) const URN: &str = "urn:nsb:std:nsb:4210:ed-2:en";
const SECRET: &str = "hunter2-is-the-secret";
const TOKEN: &str = "token-of-the-caller";

/// A service whose identity provider gives a token.
async fn service() -> MockServer {
    let service = MockServer::start().await;
    let token = json!({"access_token": TOKEN, "token_type": "Bearer", "expires_in": 3600});
    Mock::given(method("POST"))
        .and(path("/tenant-1/oauth2/v2.0/token"))
        .respond_with(ResponseTemplate::new(200).set_body_json(token))
        .mount(&service)
        .await;
    service
}

fn client(url: &str) -> ClientBuilder {
    Client::builder(url, Credential::secret(SECRET))
        .authority(url)
        .tenant("tenant-1")
        .client_id("client-1")
        .scope("api://norma/.default")
}

fn server(service: &MockServer, timeout: Duration) -> Server {
    server_at(&service.uri(), timeout)
}

fn server_at(url: &str, timeout: Duration) -> Server {
    Server::with_timeout(client(url), AuditSink::standard_error(), || SystemTime::UNIX_EPOCH, timeout)
        .unwrap()
}

/// The same with audit lines in a file.
fn audited(service: &MockServer, file: &Path) -> Server {
    let audit = AuditSink::file(file).unwrap();
    Server::new(client(&service.uri()), audit, || SystemTime::UNIX_EPOCH).unwrap()
}

/// A host of the server, over pipes in memory.
async fn host(server: Server) -> RunningService<RoleClient, ()> {
    let (ours, theirs) = tokio::io::duplex(1 << 20);
    tokio::spawn(async move {
        let running = server.serve(ours).await.unwrap();
        assert!(matches!(running.waiting().await.unwrap(), QuitReason::Closed));
    });
    ().serve(theirs).await.unwrap()
}

async fn call(host: &RunningService<RoleClient, ()>, tool: &'static str, arguments: Value) -> CallToolResult {
    let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
    host.call_tool(CallToolRequestParams::new(tool).with_arguments(arguments)).await.unwrap()
}

/// The text of an answer.
fn text(result: &CallToolResult) -> &str {
    &result.content[0].as_text().unwrap().text
}

/// Answers of the service about one standard with one section and its text.
async fn mount_standard(service: &MockServer, section_text: &str) {
    let standard = format!("/api/content/v1/standards/{}", URN.replace(':', "%3A"));
    let metadata = json!({
        "status": "published", "urn": URN, "revision": "r1", "ics": [], "relations": [],
        "metadata": {"reference": "NSB 4210:2025", "title": "Anchors", "titles": {}, "publisher": "NSB",
                     "type": "is", "number": "4210", "edition": "2", "language": "en", "languages": ["en"],
                     "dates": {}, "keywords": []},
    });
    let section = json!({"id": "sec_4.2", "label": "4.2", "number": "4.2", "title": "Locking point",
                         "type": "clause", "normative": true, "level": 2, "order": 7});
    let mut content_section = section.clone();
    content_section["text"] = section_text.into();
    content_section["xml"] = "<sec/>".into();
    let content = json!({"urn": URN, "revision": "r1", "sections": [content_section]});
    let mut node = section;
    node["counts"] = json!({"provisions": 1, "terms": 0, "graphics": 0});
    node["totalCounts"] = json!({"provisions": 1, "terms": 0, "graphics": 0});
    node["children"] = json!([]);
    let sections = json!({"urn": URN, "revision": "r1", "sections": [node]});
    for (part, body) in [("metadata", metadata), ("content", content), ("sections", sections)] {
        Mock::given(method("GET"))
            .and(path(format!("{standard}/{part}")))
            .respond_with(ResponseTemplate::new(200).set_body_json(body))
            .mount(service)
            .await;
    }
    let location = json!({"kind": "section", "id": "sec_4.2", "label": "4.2", "title": "Locking point"});
    let resolved = json!({"items": [{"citation": "c", "outcome": "resolved", "urn": URN,
        "reference": "NSB 4210:2025", "status": "published", "access": "read", "locations": [location]}]});
    Mock::given(method("POST"))
        .and(path_regex("citations/resolve$"))
        .respond_with(ResponseTemplate::new(200).set_body_json(resolved))
        .mount(service)
        .await;
}
