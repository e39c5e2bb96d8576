//! Tests of the client against a mock service.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::time::Duration;

use futures::TryStreamExt;
use norma_api::Operation;
use norma_client::shapes::{
    ComparisonAnswer, ComparisonRelation, Facet, MigrateRequest, MigrationOutcome, ProvisionType,
    ResolveItem, SearchState,
};
use norma_client::{
    Client, ClientError, Code, ComparisonQuery, Credential, GraphFormat, ListQuery, Media, MigrateQuery,
    Problem, ProvisionsQuery, RetryPolicy, SearchQuery,
};
use serde_json::json;
use wiremock::matchers::{
    body_json, header, header_exists, method, path, query_param, query_param_is_missing,
};
use wiremock::{Match, Mock, MockServer, Request, ResponseTemplate};

const URN: &str = "urn:nsb:std:nsb:4210:ed-1:en";
const PATH: &str = "/api/content/v1/standards/urn%3Ansb%3Astd%3Ansb%3A4210%3Aed-1%3Aen";

/// A provider that issues at most this number of tokens, and a client without delays.
async fn start(tokens: u64) -> (MockServer, Client) {
    let server = MockServer::start().await;
    let token = json!({ "token_type": "Bearer", "expires_in": 3600, "access_token": "t0ken" });
    Mock::given(method("POST"))
        .and(path("/tenant/oauth2/v2.0/token"))
        .respond_with(ResponseTemplate::new(200).set_body_json(token))
        .expect(0..=tokens)
        .mount(&server)
        .await;
    let client = Client::builder(server.uri(), Credential::secret("hunter2"))
        .authority(server.uri())
        .tenant("tenant")
        .client_id("client")
        .scope("api://norma/.default")
        .retries(RetryPolicy {
            attempts: 2,
            initial_delay: Duration::ZERO,
            max_delay: Duration::from_secs(1),
        })
        .build()
        .unwrap();
    (server, client)
}

/// Matches a request without this header.
struct Without(&'static str);

impl Match for Without {
    fn matches(&self, request: &Request) -> bool {
        !request.headers.contains_key(self.0)
    }
}

fn problem(code: Code) -> ResponseTemplate {
    let problem = Problem::new(code, "what happened", "0123");
    ResponseTemplate::new(code.status()).set_body_raw(problem.to_json(), Media::Problem.name())
}

fn body(bytes: Vec<u8>) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_raw(bytes, "application/json")
}

/// The example of what an operation answers.
fn example(operation: Operation) -> Vec<u8> {
    norma_api::openapi::example_answer(operation).unwrap().to_string().into_bytes()
}

fn limits() -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(json!({
        "defaultPageSize": 50, "maxPageSize": 500, "maxSelectionCharacters": 1024, "maxSelectionItems": 64,
        "maxReferences": 100, "assetUrlSeconds": 900, "maxBodyBytes": 65536, "maxUriBytes": 8192,
        "maxRequestsAtOnce": 256, "maxBytesInFlight": 16777216, "maxWorkSlots": 2, "maxTokenBytes": 16384, "maxQueryValues": 50, "maxQueryWords": 32,
        "maxMigratedIds": 1000, "maxCitations": 100, "maxCitationCharacters": 500, "maxQuotations": 100,
        "maxQuotationCharacters": 2000, "maxQuotationsBodyBytes": 262144, "maxComparedProvisions": 20000,
    }))
}

#[tokio::test]
async fn every_part_of_a_standard_is_asked_for_at_its_path_and_read_as_its_shape() {
    let (server, client) = start(1).await;
    for (part, operation) in [
        ("", Operation::Standard),
        ("/metadata", Operation::Metadata),
        ("/sections", Operation::Sections),
        ("/provisions", Operation::Provisions),
        ("/terms", Operation::Terms),
        ("/graphics", Operation::Graphics),
    ] {
        Mock::given(method("GET"))
            .and(path(format!("{PATH}{part}")))
            .and(header("authorization", "Bearer t0ken"))
            .and(header("accept", "application/json"))
            .respond_with(body(example(operation)))
            .expect(1)
            .mount(&server)
            .await;
    }
    assert_eq!(client.standard(URN).await.unwrap().metadata.reference, "NSB 4210:2019");
    let sent = |operation| norma_api::openapi::example_answer(operation).unwrap();
    assert_eq!(client.metadata(URN).await.unwrap().provisions.len(), 2);
    assert_eq!(client.sections(URN).await.unwrap().sections.len(), 2);
    let provisions = client.provisions(URN, &ProvisionsQuery::default()).await.unwrap();
    assert_eq!(provisions.items[1].text, sent(Operation::Provisions)["items"][1]["text"].as_str().unwrap());
    let terms = client.terms(URN).await.unwrap();
    let designation = &sent(Operation::Terms)["items"][0]["designations"][0]["text"];
    assert_eq!(terms.items[0].designations[0].text, designation.as_str().unwrap());
    let graphics = client.graphics(URN).await.unwrap();
    let reference = &sent(Operation::Graphics)["items"][0]["assetReference"];
    assert_eq!(graphics.items[0].asset_reference, reference.as_str().unwrap());
}

#[tokio::test]
async fn two_editions_are_compared_and_ids_and_labels_are_migrated() {
    let (server, client) = start(1).await;
    let next = "urn:nsb:std:nsb:4210:ed-2:en";
    let page: serde_json::Value = serde_json::from_slice(&example(Operation::Comparison)).unwrap();
    let mut first = page.clone();
    first["next"] = "c2Vjb25k".into();
    Mock::given(method("GET"))
        .and(path(format!("{PATH}/comparison")))
        .and(query_param("with", next))
        .and(query_param("changed", "bound"))
        .and(query_param_is_missing("cursor"))
        .respond_with(ResponseTemplate::new(200).set_body_json(first))
        .expect(1)
        .mount(&server)
        .await;
    Mock::given(method("GET"))
        .and(path(format!("{PATH}/comparison")))
        .and(query_param("with", next))
        .and(query_param("cursor", "c2Vjb25k"))
        .respond_with(ResponseTemplate::new(200).set_body_json(&page))
        .expect(1)
        .mount(&server)
        .await;
    let query = ComparisonQuery { changed: vec![Facet::Bound], ..ComparisonQuery::with(next) };
    let ComparisonAnswer::Whole(comparison) = client.comparison(URN, &query).await.unwrap() else {
        panic!("expected items")
    };
    let of_one = page["items"].as_array().unwrap().len();
    assert_eq!((&*comparison.newer.urn, comparison.items[0].relation), (next, ComparisonRelation::Reworded));
    assert_eq!((comparison.items.len(), &comparison.next), (2 * of_one, &None));
    let sent = |request: serde_json::Value| {
        Mock::given(method("POST")).and(path(format!("{PATH}/migrate"))).and(body_json(request))
    };
    let answer = || body(example(Operation::Migrate));
    sent(json!({ "labels": ["4(1)"] }))
        .and(query_param("from", next))
        .and(query_param("include", "text"))
        .respond_with(answer())
        .expect(1)
        .mount(&server)
        .await;
    sent(json!({ "ids": ["prv_a"] })).respond_with(answer()).expect(1).mount(&server).await;
    let ids = MigrateRequest::Ids { ids: vec!["prv_a".into()] };
    let by_id = client.migrate(URN, &ids, &MigrateQuery::default()).await.unwrap();
    assert_eq!(by_id.items[0].outcome, MigrationOutcome::Found);
    let labels = MigrateRequest::Labels { labels: vec!["4(1)".into()] };
    let query = MigrateQuery { from: Some(next.to_owned()), from_revision: None, text: true };
    assert_eq!(client.migrate(URN, &labels, &query).await.unwrap(), by_id);
}

#[tokio::test]
async fn content_is_had_whole_by_section_as_text_and_as_source() {
    let (server, client) = start(1).await;
    let content = example(Operation::Content);
    let get = |accept: &'static str| {
        Mock::given(method("GET")).and(path(format!("{PATH}/content"))).and(header("accept", accept))
    };
    let json = "application/json";
    get(json)
        .and(query_param_is_missing("section"))
        .respond_with(body(content.clone()))
        .expect(1)
        .mount(&server)
        .await;
    get(json).and(query_param("section", "A & B")).respond_with(body(content)).expect(1).mount(&server).await;
    get("text/plain")
        .respond_with(ResponseTemplate::new(200).set_body_string("1 Scope"))
        .mount(&server)
        .await;
    get("application/xml")
        .respond_with(ResponseTemplate::new(200).set_body_bytes(b"<a>\xe4</a>"))
        .mount(&server)
        .await;
    assert_eq!(client.content(URN, None).await.unwrap().sections.len(), 2);
    assert_eq!(client.content(URN, Some("A & B")).await.unwrap().sections.len(), 2);
    assert_eq!(client.content_text(URN, None).await.unwrap(), "1 Scope");
    assert_eq!(client.source(URN).await.unwrap().as_ref(), b"<a>\xe4</a>");
}

#[tokio::test]
async fn the_graph_is_had_in_both_forms() {
    let (server, client) = start(1).await;
    let at = "/api/content/preview/knowledge-graph/standards/urn%3Aa%3Astd%3A1";
    for (accept, answer) in [("application/ld+json", "{}"), ("text/turtle", "# none")] {
        Mock::given(path(at))
            .and(header("accept", accept))
            .respond_with(ResponseTemplate::new(200).set_body_string(answer))
            .mount(&server)
            .await;
    }
    assert_eq!(client.knowledge_graph("urn:a:std:1", GraphFormat::JsonLd).await.unwrap(), "{}");
    assert_eq!(client.knowledge_graph("urn:a:std:1", GraphFormat::Turtle).await.unwrap(), "# none");
}

#[tokio::test]
async fn standards_are_listed_over_all_pages() {
    let (server, client) = start(1).await;
    let summary = |number: u32| {
        json!({
            "urn": format!("urn:nsb:std:nsb:{number}:ed-1:en"), "reference": format!("NSB {number}"), "title": "T",
            "publisher": "NSB", "number": number.to_string(), "edition": "1", "language": "en", "type": "is",
            "status": "published", "icsCodes": [], "revision": "r", "updatedAt": "2026-01-31T00:00:00Z", "access": "read",
        })
    };
    let page = |items: Vec<u32>, next: Option<&str>| {
        let mut page = json!({ "items": items.into_iter().map(summary).collect::<Vec<_>>(), "total": 5 });
        if let Some(next) = next {
            page["next"] = json!(next);
        }
        ResponseTemplate::new(200).set_body_json(page)
    };
    let get =
        || Mock::given(method("GET")).and(path("/api/content/v1/standards")).and(query_param("limit", "2"));
    get()
        .and(query_param_is_missing("cursor"))
        .and(query_param("publisher", "NSB"))
        .respond_with(page(vec![1, 2], Some("c2")))
        .expect(1)
        .mount(&server)
        .await;
    get()
        .and(query_param("cursor", "c2"))
        .respond_with(page(vec![3, 4], Some("c3")))
        .expect(1)
        .mount(&server)
        .await;
    get().and(query_param("cursor", "c3")).respond_with(page(vec![5], None)).expect(1).mount(&server).await;
    let mut query = ListQuery { limit: 2, ..ListQuery::default() };
    query.filters.publisher.push("NSB".to_owned());
    let all: Vec<_> = client.standards(query).try_collect().await.unwrap();
    assert_eq!(all.iter().map(|s| s.number.as_ref()).collect::<Vec<_>>(), ["1", "2", "3", "4", "5"]);
}

#[tokio::test]
async fn references_are_resolved_and_the_bytes_are_fetched_without_a_token() {
    let (server, client) = start(1).await;
    let url = format!("{}/api/content/v1/assets/s1gned", server.uri());
    let resolved = json!({
        "assetReference": "fig_1", "url": url, "expiresAt": "2026-01-31T00:00:00Z", "mediaType": "image/png", "size": 3,
        "digest": "sha256:00",
    });
    let missing =
        json!({ "assetReference": "fig_2", "problem": Problem::new(Code::AssetNotFound, "d", "i") });
    let post = || Mock::given(method("POST")).and(path(format!("{PATH}/assets/resolve")));
    post()
        .and(body_json(json!({ "assetReference": "fig_1" })))
        .respond_with(ResponseTemplate::new(200).set_body_json(&resolved))
        .mount(&server)
        .await;
    post()
        .and(body_json(json!({ "assetReferences": ["fig_1", "fig_2"] })))
        .respond_with(ResponseTemplate::new(200).set_body_json(json!({ "items": [&resolved, missing] })))
        .mount(&server)
        .await;
    Mock::given(path("/api/content/v1/assets/s1gned"))
        .and(Without("authorization"))
        .respond_with(ResponseTemplate::new(200).set_body_bytes(b"png"))
        .mount(&server)
        .await;

    let asset = client.resolve(URN, "fig_1").await.unwrap();
    assert_eq!(client.asset(&asset).await.unwrap().as_ref(), b"png");
    let items = client.resolve_all(URN, &["fig_1", "fig_2"]).await.unwrap().items;
    assert!(matches!(&items[0], ResolveItem::Resolved(asset) if asset.asset_reference == "fig_1"));
    assert!(
        matches!(&items[1], ResolveItem::Unresolved(asset) if asset.problem.known_code() == Some(Code::AssetNotFound))
    );
}

#[tokio::test]
async fn an_answer_is_asked_for_conditionally_and_remembered() {
    let (server, client) = start(1).await;
    let at = "/api/content/v1/limits";
    Mock::given(path(at))
        .and(header("if-none-match", "\"e1\""))
        .respond_with(ResponseTemplate::new(304))
        .expect(1)
        .with_priority(1)
        .mount(&server)
        .await;
    Mock::given(path(at))
        .and(Without("if-none-match"))
        .respond_with(limits().insert_header("etag", "\"e1\""))
        .expect(1)
        .mount(&server)
        .await;
    let first = client.limits().await.unwrap();
    assert_eq!(client.limits().await.unwrap(), first);
}

#[tokio::test]
async fn a_busy_service_is_asked_again_and_an_impatient_wait_is_not_begun() {
    let (server, client) = start(1).await;
    for code in [Code::RateLimited, Code::Unavailable] {
        Mock::given(path("/api/content/v1/limits"))
            .respond_with(problem(code).insert_header("retry-after", "0"))
            .up_to_n_times(1)
            .expect(1)
            .mount(&server)
            .await;
    }
    Mock::given(path("/api/content/v1/limits")).respond_with(limits()).expect(1).mount(&server).await;
    client.limits().await.unwrap();

    Mock::given(path(PATH))
        .respond_with(problem(Code::RateLimited).insert_header("retry-after", "3600"))
        .expect(1)
        .mount(&server)
        .await;
    let error = client.standard(URN).await.unwrap_err();
    assert!(matches!(error, ClientError::Problem { retry_after: Some(wait), .. } if wait.as_secs() == 3600));
}

#[tokio::test]
async fn a_problem_keeps_its_code_and_other_responses_are_unexpected() {
    let (server, client) = start(1).await;
    Mock::given(path(PATH)).respond_with(problem(Code::ContentNotLicensed)).expect(1).mount(&server).await;
    let error = client.standard(URN).await.unwrap_err();
    assert_eq!(error.code(), Some(Code::ContentNotLicensed));
    assert!(error.to_string().ends_with("(403 content-not-licensed): what happened"), "{error}");
    Mock::given(path("/api/content/v1/limits"))
        .respond_with(ResponseTemplate::new(302).insert_header("location", "/elsewhere"))
        .expect(1)
        .mount(&server)
        .await;
    assert!(matches!(client.limits().await, Err(ClientError::Unexpected { status: 302, .. })));
}

#[tokio::test]
async fn a_refused_token_is_replaced_once_and_not_twice() {
    let (server, client) = start(2).await;
    Mock::given(path("/api/content/v1/limits"))
        .and(header_exists("authorization"))
        .respond_with(problem(Code::TokenInvalid))
        .expect(2)
        .mount(&server)
        .await;
    assert_eq!(client.limits().await.unwrap_err().code(), Some(Code::TokenInvalid));
}

#[tokio::test]
async fn nothing_that_is_shown_holds_a_secret_a_token_or_an_asset_url() {
    let (server, client) = start(1).await;
    client.token().await.unwrap();
    let url = format!("{}/api/content/v1/assets/s1gned", server.uri());
    let asset = json!({
        "assetReference": "f", "url": url, "expiresAt": "", "mediaType": "", "size": 0, "digest": "",
    });
    let asset = serde_json::from_value(asset).unwrap();
    let error = client.asset(&asset).await.unwrap_err();
    let shown = format!("{client:?} {error} {error:?}");
    for hidden in ["hunter2", "t0ken", "s1gned"] {
        assert!(!shown.contains(hidden), "{shown}");
    }
}

#[tokio::test]
async fn hits_are_read_over_all_pages_and_each_page_says_how_many_there_are() {
    let (server, client) = start(1).await;
    let mut first: serde_json::Value = serde_json::from_slice(&example(Operation::Search)).unwrap();
    let mut last = first.clone();
    first["next"] = json!("more");
    last.as_object_mut().unwrap().remove("next");
    let search = || Mock::given(path("/api/content/v1/search")).and(query_param("q", "force"));
    search()
        .and(query_param_is_missing("cursor"))
        .respond_with(body(first.to_string().into()))
        .mount(&server)
        .await;
    search()
        .and(query_param("cursor", "more"))
        .respond_with(body(last.to_string().into()))
        .mount(&server)
        .await;
    let query = SearchQuery::new("force");
    let pages: Vec<_> = client.search_pages(query.clone()).try_collect().await.unwrap();
    assert_eq!(pages.len(), 2);
    assert_eq!(pages[0].total, first["total"].as_u64().unwrap());
    let hits: Vec<_> = client.hits(query).try_collect().await.unwrap();
    let of_a_page = first["items"].as_array().unwrap();
    assert_eq!(hits.len(), 2 * of_a_page.len());
    assert_eq!(hits[0].urn, of_a_page[0]["urn"].as_str().unwrap());
}

#[tokio::test]
async fn a_cursor_that_repeats_is_an_error() {
    let (server, client) = start(1).await;
    for (operation, address) in [
        (Operation::Standards, "/api/content/v1/standards".to_owned()),
        (Operation::Search, "/api/content/v1/search".to_owned()),
        (Operation::Comparison, format!("{PATH}/comparison")),
    ] {
        let mut page: serde_json::Value = serde_json::from_slice(&example(operation)).unwrap();
        page["next"] = json!("again");
        Mock::given(path(address)).respond_with(body(page.to_string().into())).expect(2).mount(&server).await;
    }
    let query = ComparisonQuery::with("urn:nsb:std:nsb:4210:ed-2:en");
    let failed = [
        client.standards(ListQuery::default()).try_collect::<Vec<_>>().await.map(drop),
        client.hits(SearchQuery::new("force")).try_collect::<Vec<_>>().await.map(drop),
        client.comparison(URN, &query).await.map(drop),
    ];
    for failed in failed {
        let error = failed.unwrap_err().to_string();
        assert!(error.contains("a cursor of its own"), "{error}");
    }
}

#[tokio::test]
async fn words_of_a_later_service_are_read_as_unrecognized() {
    let (server, client) = start(1).await;
    let mut answer: serde_json::Value = serde_json::from_slice(&example(Operation::Provisions)).unwrap();
    answer["items"][0]["type"] = json!("wish");
    answer["items"][0]["container"] = json!("hologram");
    Mock::given(path(format!("{PATH}/provisions")))
        .respond_with(body(answer.to_string().into()))
        .mount(&server)
        .await;
    let mut found: serde_json::Value = serde_json::from_slice(&example(Operation::Search)).unwrap();
    found["state"] = json!("resting");
    Mock::given(path("/api/content/v1/search"))
        .respond_with(body(found.to_string().into()))
        .mount(&server)
        .await;
    let provisions = client.provisions(URN, &ProvisionsQuery::default()).await.unwrap();
    assert_eq!(provisions.items[0].kind, ProvisionType::Unrecognized);
    assert_ne!(provisions.items[1].kind, ProvisionType::Unrecognized);
    let page = client.search(&SearchQuery::new("force")).await.unwrap();
    assert_eq!(page.state, SearchState::Unrecognized);
    // A request may have only words that are known.
    assert!("wish".parse::<ProvisionType>().is_err() && "unrecognized".parse::<ProvisionType>().is_err());
}
