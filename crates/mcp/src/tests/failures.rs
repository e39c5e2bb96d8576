//! Failures of the service: each is an error of the tool in one sentence, and the conversation goes on.

use std::time::Duration;

use serde_json::json;
use wiremock::matchers::{method, path, path_regex};
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::{SECRET, TOKEN, URN, call, host, mount_standard, server, server_at, service, text};

fn problem(status: u16, code: &str) -> ResponseTemplate {
    let problem = json!({"type": format!("/problems/{code}"), "title": "t", "status": status,
                         "detail": "What is wrong.", "instance": "i", "code": code});
    ResponseTemplate::new(status).set_body_json(problem).insert_header("retry-after", "7")
}

async fn failing(answer: ResponseTemplate) -> MockServer {
    let service = service().await;
    Mock::given(method("GET")).and(path_regex("^/api/")).respond_with(answer).mount(&service).await;
    service
}

/// The sentence of a tool whose calls of the service are answered so.
async fn sentence(answer: ResponseTemplate, timeout: Duration) -> String {
    let service = failing(answer).await;
    let host = host(server(&service, timeout)).await;
    let result = call(&host, "outline", json!({ "urn": URN })).await;
    assert_eq!(result.is_error, Some(true));
    let sentence = text(&result).to_owned();
    assert!(!sentence.contains(SECRET) && !sentence.contains(TOKEN), "{sentence}");
    assert!(sentence.ends_with('.') && !sentence.contains('\n'), "{sentence}");
    // The conversation goes on.
    assert_eq!(host.list_all_tools().await.unwrap().len(), 8);
    sentence
}

#[tokio::test]
async fn each_failure_of_the_service_is_a_sentence_that_says_what_to_do() {
    let long = Duration::from_secs(20);
    for (answer, expected) in [
        (problem(401, "token-invalid"), "`norma doctor caller`"),
        (problem(403, "role-missing"), "`norma doctor caller`"),
        (problem(403, "content-not-licensed"), "ask the operator of the service for a licence"),
        (problem(404, "standard-not-found"), "find_standards"),
        (problem(410, "standard-recalled"), "must not be used"),
        (problem(400, "invalid-urn"), "correct them: What is wrong."),
        (problem(400, "invalid-cursor"), "of another call or of an earlier revision; call again without"),
        (problem(414, "uri-too-long"), "correct them: What is wrong."),
        (ResponseTemplate::new(431), "shorten them"),
        (problem(429, "rate-limited"), "try again in 7 s"),
        (problem(503, "unavailable"), "try again in a minute"),
        (ResponseTemplate::new(503), "try again in a minute"),
        (ResponseTemplate::new(404), "find_standards"),
        (ResponseTemplate::new(500), "report this to its operator"),
        (ResponseTemplate::new(200).set_body_string("no JSON"), "report this to its operator"),
    ] {
        let sentence = sentence(answer, long).await;
        assert!(sentence.contains(expected), "{expected}: {sentence}");
    }
}

#[tokio::test]
async fn a_service_that_is_slow_or_away_is_a_sentence_as_well() {
    let slow = ResponseTemplate::new(200).set_delay(Duration::from_secs(30));
    let said = sentence(slow, Duration::from_millis(200)).await;
    assert!(said.contains("no answer in time; try again"), "{said}");
    // A port without a listener.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let url = format!("http://127.0.0.1:{port}");
    let host = host(server_at(&url, Duration::from_secs(5))).await;
    let result = call(&host, "search", json!({ "words": "anchor" })).await;
    assert_eq!(result.is_error, Some(true));
    assert!(text(&result).contains("try again"), "{}", text(&result));
}

#[tokio::test]
async fn a_provider_that_refuses_a_token_is_a_sentence_without_the_secret() {
    let service = MockServer::start().await;
    let refusal = json!({"error": "invalid_client", "error_description": format!("wrong secret {SECRET}")});
    Mock::given(method("POST"))
        .and(path("/tenant-1/oauth2/v2.0/token"))
        .respond_with(ResponseTemplate::new(401).set_body_json(refusal))
        .mount(&service)
        .await;
    let host = host(server(&service, Duration::from_secs(5))).await;
    let result = call(&host, "find_standards", json!({})).await;
    assert!(text(&result).contains("`norma doctor caller`") && !text(&result).contains(SECRET));
}

#[tokio::test]
async fn wrong_arguments_are_said_to_the_model_and_an_unknown_tool_to_the_host() {
    let service = service().await;
    mount_standard(&service, "Text.").await;
    let host = host(server(&service, Duration::from_secs(5))).await;
    for (tool, arguments, expected) in [
        ("search", json!({}), "missing field `words`"),
        ("search", json!({"words": "a", "kinds": ["note"]}), "Correct `kinds`"),
        ("search", json!({"words": 7}), "Correct the arguments"),
        ("read", json!({"standard": URN}), "unknown field `standard`"),
        ("read", json!({"urn": URN, "section": "4", "table": "1"}), "Name one place"),
        ("read", json!({"urn": URN, "section": "4.2", "next": "9@r1"}), "call again without it"),
        ("verify_quotations", json!({"quotations": []}), "1 to 100 quotations"),
    ] {
        let result = call(&host, tool, arguments.clone()).await;
        assert_eq!(result.is_error, Some(true), "{tool} {arguments}");
        assert!(text(&result).contains(expected), "{tool} {arguments}: {}", text(&result));
    }
    let unknown = host.call_tool(rmcp::model::CallToolRequestParams::new("delete_everything")).await;
    assert!(unknown.unwrap_err().to_string().contains("no tool"));
}
