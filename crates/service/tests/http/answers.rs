//! Answers of HTTP operations (RFC 9110): HEAD, conditions, codings, ids and links.

use std::io::Read;

use norma_api::Operation;
use norma_api::paths::{Method, Requirement};
use norma_audit::usage::Metric;
use reqwest::header::{self, HeaderMap, HeaderName};
use reqwest::{Response, StatusCode};
use serde_json::Value;

use crate::routes::target;
use crate::world::{self, World};

/// Path of every GET operation that answers 200 to the reader, with a signed URL for the asset.
pub(crate) async fn readable(world: &World) -> Vec<(Operation, String)> {
    let provision = world.provision_of(world::READ).await;
    let asset = world.resolve(world::READ, "fig_1a").await["url"].as_str().unwrap().to_owned();
    let get = Operation::ALL.iter().copied().filter(|o| o.describe().method == Method::Get);
    get.map(|operation| {
        let path = match operation {
            Operation::ProblemPage => operation.path_with(&["invalid-urn"]),
            Operation::GuidePage => operation.path_with(&["using-the-api"]),
            Operation::Asset => asset.strip_prefix(&world.running.public_url).unwrap().to_owned(),
            _ => target(operation, world::READ, &provision),
        };
        (operation, path)
    })
    .collect()
}

pub(crate) async fn ask(world: &World, path: &str, headers: &[(HeaderName, &str)]) -> Response {
    let mut request = world.get(path);
    for (name, value) in headers {
        request = request.header(name, *value);
    }
    request.send().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_that_shows_text_or_pictures_counts_as_a_request_and_no_other_does() {
    let world = World::new().await;
    world.searched().await;
    let json = async |path: String| ask(&world, &path, &[]).await.json::<Value>().await.unwrap();
    let provisions = json(Operation::Provisions.path_with(&[world::READ])).await;
    let terms = json(Operation::Terms.path_with(&[world::READ])).await;
    let tables = json(Operation::Tables.path_with(&[world::READ])).await;
    let cells = tables["items"][0]["rows"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|row| row["cells"].as_array().unwrap());
    let longest = cells.map(|cell| &cell["text"]).max_by_key(|text| text.as_str().unwrap().len()).unwrap();
    let shown = [&provisions["items"][0]["text"], &terms["items"][0]["definitions"][0]["text"], longest];
    let shown = shown.map(|text| text.as_str().unwrap());
    let mut reads = readable(&world).await;
    let comparison = target(Operation::Comparison, world::READ, "");
    reads.push((Operation::Comparison, format!("{comparison}&include=text")));
    // The search for the words of a provision of this standard shows that provision.
    let words: Vec<&str> = shown[0].split(|c: char| !c.is_alphanumeric()).filter(|w| w.len() > 2).collect();
    // This standard amends nothing, so it has no instructions to show.
    reads.retain(|(operation, _)| ![Operation::Search, Operation::Instructions].contains(operation));
    let search = Operation::Search.path();
    reads.push((Operation::Search, format!("{search}?q={}&urn={}", words.join("+"), world::READ)));
    for (operation, path) in reads {
        let answer = ask(&world, &path, &[(header::ACCEPT_ENCODING, "identity")]).await;
        let is_picture = answer.headers()[header::CONTENT_TYPE].to_str().unwrap().starts_with("image/");
        let body = String::from_utf8_lossy(&answer.bytes().await.unwrap()).into_owned();
        let shows = is_picture || shown.iter().any(|text| body.contains(text));
        let counted = Metric::of(operation, 200, false, &path);
        assert_eq!(counted == Some(Metric::Request), shows, "{operation:?} {path}: {counted:?}");
    }
    world.stop().await;
}

/// Headers that say nothing of the representation.
fn lasting(headers: &HeaderMap) -> Vec<(String, String)> {
    let passing = ["date", "x-request-id", "cache-control", "x-ratelimit-remaining", "x-ratelimit-reset"];
    let text = |(name, value): (&HeaderName, &header::HeaderValue)| {
        (name.to_string(), value.to_str().unwrap().to_owned())
    };
    let mut stored: Vec<_> =
        headers.iter().filter(|(name, _)| !passing.contains(&name.as_str())).map(text).collect();
    stored.sort();
    stored
}

#[tokio::test(flavor = "multi_thread")]
async fn every_get_answers_head_alike_and_keeps_to_the_conditions_of_http() {
    let world = World::new().await;
    world.searched().await;
    for (operation, path) in readable(&world).await {
        // Before there is an answer that it could be taken from.
        let head = world.http.head(format!("{}{path}", world.running.public_url));
        let head = head.bearer_auth(world.reader()).send().await.unwrap();
        let whole = ask(&world, &path, &[]).await;
        assert_eq!(whole.status(), 200, "{operation:?}");
        let headers = whole.headers().clone();
        let etag = headers[header::ETAG].to_str().unwrap().to_owned();
        assert!(etag.starts_with('"'), "{operation:?}: {etag} is weak");
        assert_eq!(headers[header::CONTENT_LENGTH], whole.bytes().await.unwrap().len().to_string());
        let mut expected = headers.clone();
        if operation == Operation::Comparison {
            // Of HEAD no comparison is made, so that its size is not known.
            expected.remove(header::CONTENT_LENGTH);
        }
        assert_eq!(
            (head.status(), lasting(head.headers())),
            (StatusCode::OK, lasting(&expected)),
            "{operation:?}"
        );

        let cache = headers[header::CACHE_CONTROL].to_str().unwrap();
        let private = operation.describe().requirement != Requirement::Open;
        assert!(cache.starts_with(if private { "private, " } else { "public, " }), "{operation:?}: {cache}");

        let weak = format!("\"other\", W/{etag}");
        for (name, value, status) in [
            (header::IF_NONE_MATCH, etag.as_str(), 304),
            (header::IF_NONE_MATCH, &weak, 304),
            (header::IF_NONE_MATCH, "*", 304),
            (header::IF_NONE_MATCH, "\"other\"", 200),
            (header::IF_MATCH, &etag, 200),
            (header::IF_MATCH, "*", 200),
            (header::IF_MATCH, &weak, 412),
        ] {
            let answer = ask(&world, &path, &[(name.clone(), value)]).await;
            assert_eq!(answer.status(), status, "{operation:?} {name}: {value}");
            if status == 304 {
                assert_eq!(answer.headers()[header::ETAG], etag);
                assert!(!answer.headers().contains_key(header::CONTENT_TYPE));
                assert_eq!(answer.headers().get(header::VARY), headers.get(header::VARY), "{operation:?}");
                assert!(answer.bytes().await.unwrap().is_empty());
            }
        }
        if let Some(modified) = headers.get(header::LAST_MODIFIED) {
            let modified = modified.to_str().unwrap();
            let since = async |date: &str| ask(&world, &path, &[(header::IF_MODIFIED_SINCE, date)]).await;
            for later in ["Sun, 01 Mar 2099 10:00:00 GMT", "Sun Mar  1 10:00:00 2099"] {
                assert_eq!(since(later).await.status(), 304, "{operation:?} {later}");
            }
            assert_eq!(since("Sunday, 01-Mar-15 10:00:00 GMT").await.status(), 200, "{operation:?}");
            let both = [(header::IF_MODIFIED_SINCE, modified), (header::IF_NONE_MATCH, "\"other\"")];
            assert_eq!(ask(&world, &path, &both).await.status(), 200, "{operation:?}");
            let before = [(header::IF_UNMODIFIED_SINCE, "Sun, 01 Mar 2015 10:00:00 GMT")];
            assert_eq!(ask(&world, &path, &before).await.status(), 412, "{operation:?}");
        }
    }
    world.stop().await;
}

fn decoded(coding: Option<&str>, bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    match coding {
        None => plain.extend_from_slice(bytes),
        Some("gzip") => _ = flate2::read::GzDecoder::new(bytes).read_to_end(&mut plain).unwrap(),
        Some(other) => panic!("{other} was not asked for"),
    }
    plain
}

#[tokio::test(flavor = "multi_thread")]
async fn each_coding_holds_the_same_bytes_under_its_own_tag() {
    let world = World::new().await;
    for (operation, path) in readable(&world).await {
        let whole = ask(&world, &path, &[]).await.bytes().await.unwrap();
        use Operation::{Asset, Provision, Search, Selection, Standards, Table};
        let least = match operation {
            Standards | Provision | Table | Asset => usize::MAX,
            Search | Selection => 8 << 10,
            _ => 1 << 10,
        };
        if whole.len() < least {
            let answer = ask(&world, &path, &[(header::ACCEPT_ENCODING, "gzip, br")]).await;
            assert_eq!(answer.headers().get(header::CONTENT_ENCODING), None, "{operation:?}");
            continue;
        }
        let mut tags = Vec::new();
        for (accept, coding) in [
            ("gzip, br", Some("gzip")),
            ("gzip", Some("gzip")),
            ("br;q=0.5, gzip;q=0.8", Some("gzip")),
            ("*", Some("gzip")),
            ("br", None),
            ("identity;q=0, gzip", Some("gzip")),
            ("identity, gzip;q=0.5", None),
            ("deflate", None),
            ("gzip;q=0", None),
        ] {
            let answer = ask(&world, &path, &[(header::ACCEPT_ENCODING, accept)]).await;
            let found =
                answer.headers().get(header::CONTENT_ENCODING).map(|v| v.to_str().unwrap().to_owned());
            assert_eq!(found.as_deref(), coding, "{operation:?} {accept}");
            let vary = answer.headers()[header::VARY].to_str().unwrap();
            assert!(vary.contains("Accept-Encoding"), "{operation:?}: {vary}");
            tags.push((found.clone(), answer.headers()[header::ETAG].clone()));
            let bytes = answer.bytes().await.unwrap();
            assert!(decoded(found.as_deref(), &bytes) == whole, "{operation:?} {accept}");
        }
        for (coding, tag) in &tags {
            assert!(tags.iter().all(|(c, t)| (c == coding) == (t == tag)), "{operation:?}: {tags:?}");
        }
    }
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn selections_and_pages_of_a_search_are_compressed_from_8_kib_on_with_a_tag_for_each_coding() {
    let world = World::new().await;
    world.searched().await;
    let provisions = Operation::Provisions.path_with(&[world::SIBLING]);
    let selection = Operation::Selection.path_with(&[world::SIBLING, "1-9"]);
    let few = Operation::Selection.path_with(&[world::SIBLING, "7.2.2"]);
    let content = Operation::Content.path_with(&[world::SIBLING]);
    let search = Operation::Search.path();
    for (path, is_large) in [
        (selection, true),
        (format!("{provisions}?type=requirement"), true),
        (format!("{content}?section=7"), true),
        (format!("{search}?q=shall&edition=all&limit=100"), true),
        (few, false),
        (format!("{search}?q=shall&edition=all&limit=1"), false),
    ] {
        let identity = ask(&world, &path, &[]).await;
        assert_eq!(identity.headers().get(header::CONTENT_ENCODING), None, "{path}");
        let tags = [identity.headers()[header::ETAG].clone()];
        let whole = identity.bytes().await.unwrap();
        assert_eq!(whole.len() >= 8 << 10, is_large, "{path}: {} bytes", whole.len());
        // Twice: made, and from the response cache.
        for _ in 0..2 {
            let answer = ask(&world, &path, &[(header::ACCEPT_ENCODING, "gzip")]).await;
            let headers = answer.headers().clone();
            let coding = headers.get(header::CONTENT_ENCODING).map(|coding| coding.to_str().unwrap());
            assert_eq!(coding, is_large.then_some("gzip"), "{path}");
            assert!(headers[header::VARY].to_str().unwrap().contains("Accept-Encoding"), "{path}");
            let tag = &headers[header::ETAG];
            assert!(tag.to_str().unwrap().starts_with('"'), "{path}: the tag is strong");
            assert!(!is_large || !tags.contains(tag), "{path}: the tag is that of identity");
            let bytes = answer.bytes().await.unwrap();
            assert!(!is_large || bytes.len() < whole.len() / 2, "{path}: {} bytes", bytes.len());
            assert!(decoded(coding, &bytes) == whole, "{path}");
            for (accept, known, status) in [("gzip", tag, 304), ("identity", &tags[0], 304)] {
                let conditions =
                    [(header::ACCEPT_ENCODING, accept), (header::IF_NONE_MATCH, known.to_str().unwrap())];
                assert_eq!(ask(&world, &path, &conditions).await.status(), status, "{path} {accept}");
            }
            if is_large {
                let crossed =
                    [(header::ACCEPT_ENCODING, "identity"), (header::IF_NONE_MATCH, tag.to_str().unwrap())];
                assert_eq!(ask(&world, &path, &crossed).await.status(), 200, "{path}");
            }
        }
    }
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn media_types_are_negotiated_by_quality() {
    let world = World::new().await;
    let content = Operation::Content.path_with(&[world::READ]);
    let graph = Operation::KnowledgeGraph.path_with(&[world::READ]);
    for (path, accept, media) in [
        (&content, "*/*", "application/json"),
        (&content, "text/plain", "text/plain; charset=utf-8"),
        (&content, "application/xml;q=0.9, application/json;q=0.1", "application/xml"),
        (&content, "text/*;q=0.5, application/json;q=0", "text/plain; charset=utf-8"),
        (&graph, "application/json", "application/ld+json"),
        (&graph, "application/ld+json;q=0.2, text/turtle", "text/turtle; charset=utf-8"),
    ] {
        let answer = ask(&world, path, &[(header::ACCEPT, accept)]).await;
        assert_eq!(answer.headers()[header::CONTENT_TYPE], media, "{path} {accept}");
    }
    let source = ask(&world, &content, &[(header::ACCEPT, "text/xml")]).await.bytes().await.unwrap();
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/water-baths/document.xml");
    assert!(source == std::fs::read(sample).unwrap(), "the source is not what came in");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_text_of_a_section_is_the_same_as_in_the_text_of_the_standard() {
    let world = World::new().await;
    let content = Operation::Content.path_with(&[world::READ]);
    let text =
        async |path: &str| ask(&world, path, &[(header::ACCEPT, "text/plain")]).await.text().await.unwrap();
    let whole = text(&content).await;
    let sections: serde_json::Value = ask(&world, &content, &[]).await.json().await.unwrap();
    let numbers: Vec<&str> = sections["sections"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|section| section["number"].as_str())
        .collect();
    assert!(numbers.len() > 5 && numbers.iter().any(|number| number.contains('.')), "{numbers:?}");
    for number in numbers {
        let section = text(&format!("{content}?section={number}")).await;
        assert!(section.ends_with("\n\n") && whole.contains(&section), "{number}: {section}");
    }
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn links_name_the_public_url_and_an_id_is_taken_over_or_made() {
    let world = World::with(&[("public-url", "https://norma.example/base/"), ("rate-limit", "50")]).await;
    let local = format!("http://{}", world.running.address);
    let get = |path: &str| world.http.get(format!("{local}{path}")).bearer_auth(world.reader());
    let page = get("/api/content/v1/standards?limit=1").send().await.unwrap();
    let link = page.headers()[header::LINK].to_str().unwrap();
    assert!(
        link.starts_with("<https://norma.example/base/api/content/v1/standards?limit=1&cursor="),
        "{link}"
    );
    assert!(link.ends_with(">; rel=\"next\""), "{link}");
    assert_eq!(page.headers()["x-ratelimit-limit"], "1000");
    let refused = world.http.get(format!("{local}/api/content/v1/standards")).send().await.unwrap();
    let challenge = refused.headers()["www-authenticate"].to_str().unwrap();
    let metadata = "resource_metadata=\"https://norma.example/base/.well-known/oauth-protected-resource\"";
    assert!(challenge.contains(metadata), "{challenge}");
    let limits: Value = get("/api/content/v1/limits").send().await.unwrap().json().await.unwrap();
    assert_eq!(limits["rate"], serde_json::json!({ "requestsPerSecond": 50, "burst": 1000 }));

    let own = get("/api/content/v1/limits").header("x-request-id", "order-66:a_b.c").send().await.unwrap();
    assert_eq!(own.headers()["x-request-id"], "order-66:a_b.c");
    for strange in ["a b", "<script>", "", &"x".repeat(129)] {
        let made = get("/nowhere").header("x-request-id", strange).send().await.unwrap();
        let id = made.headers()["x-request-id"].to_str().unwrap().to_owned();
        assert_eq!(id.len(), 36, "{id}");
        assert_eq!(made.json::<Value>().await.unwrap()["instance"], id);
    }
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_authority_of_the_protected_resource_leads_to_the_issuer_of_the_callers_tokens() {
    let world = World::new().await;
    let metadata: Value = ask(&world, Operation::ProtectedResource.path(), &[]).await.json().await.unwrap();
    let [authority] = &metadata["authorization_servers"].as_array().unwrap()[..] else {
        panic!("{metadata}")
    };
    let discovery = format!("{}/.well-known/openid-configuration", authority.as_str().unwrap());
    let discovered: Value = world.http.get(discovery).send().await.unwrap().json().await.unwrap();
    let tenant = world.tenant.to_string();
    let issuer = discovered["issuer"].as_str().unwrap().replace("{tenantid}", &tenant);
    assert_eq!(issuer, format!("{}/{tenant}/v2.0", world.idp.url()));
    let own: Value = world
        .http
        .get(format!("{issuer}/.well-known/openid-configuration"))
        .send()
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    assert_eq!(own["issuer"], issuer);
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn provisions_lead_from_the_first_to_the_last_and_back() {
    let world = World::new().await;
    let stored = world.store.provisions(&world::READ.parse().unwrap()).await.unwrap().unwrap();
    let ids: Vec<String> = stored.iter().map(ToString::to_string).collect();
    assert!(ids.len() > 20);
    for (at, id) in ids.iter().enumerate() {
        let path = Operation::Provision.path_with(&[id]);
        let one: Value = ask(&world, &path, &[]).await.json().await.unwrap();
        let neighbour = |at: Option<usize>| at.and_then(|at| ids.get(at)).map(String::as_str);
        let linked = (one["previousId"].as_str(), one["nextId"].as_str());
        assert_eq!(linked, (neighbour(at.checked_sub(1)), neighbour(Some(at + 1))), "{id}");
        assert_eq!(
            (one.get("previousId").is_some(), one.get("nextId").is_some()),
            (at > 0, at + 1 < ids.len())
        );
    }
    world.stop().await;
}
