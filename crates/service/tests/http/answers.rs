//! What HTTP asks of every answer: HEAD, conditions, codings, ranges, ids, links (RFC 9110).

use std::io::Read;
use std::time::{Duration, Instant, SystemTime};

use aws_lc_rs::hmac;
use norma_api::Operation;
use norma_api::paths::{Method, Requirement};
use norma_store::SigningKey;
use reqwest::header::{self, HeaderMap, HeaderName};
use reqwest::{Response, StatusCode};
use serde_json::Value;

use crate::routes::target;
use crate::world::{self, World};

/// Path of every GET operation that answers 200 to the reader, with a signed URL for the asset.
async fn readable(world: &World) -> Vec<(Operation, String)> {
    let provision = world.provision_of(world::READ).await;
    let asset = world.resolve(world::READ, "fig_1a").await["url"].as_str().unwrap().to_owned();
    let get = Operation::ALL.iter().copied().filter(|o| o.describe().method == Method::Get);
    get.map(|operation| {
        let path = match operation {
            Operation::ProblemPage => operation.path_with(&["invalid-urn"]),
            Operation::Asset => asset.strip_prefix(&world.running.public_url).unwrap().to_owned(),
            _ => target(operation, world::READ, &provision),
        };
        (operation, path)
    })
    .collect()
}

async fn ask(world: &World, path: &str, headers: &[(HeaderName, &str)]) -> Response {
    let mut request = world.get(path);
    for (name, value) in headers {
        request = request.header(name, *value);
    }
    request.send().await.unwrap()
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
    for (operation, path) in readable(&world).await {
        let whole = ask(&world, &path, &[]).await;
        assert_eq!(whole.status(), 200, "{operation:?}");
        let headers = whole.headers().clone();
        let etag = headers[header::ETAG].to_str().unwrap().to_owned();
        assert!(etag.starts_with('"'), "{operation:?}: {etag} is weak");
        assert_eq!(headers[header::CONTENT_LENGTH], whole.bytes().await.unwrap().len().to_string());
        let head = world.http.head(format!("{}{path}", world.running.public_url));
        let head = head.bearer_auth(world.reader()).send().await.unwrap();
        assert_eq!(
            (head.status(), lasting(head.headers())),
            (StatusCode::OK, lasting(&headers)),
            "{operation:?}"
        );

        let cache = headers[header::CACHE_CONTROL].to_str().unwrap();
        let private = operation.describe().requirement != Requirement::Open || operation == Operation::Asset;
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
        let made_for_the_request = matches!(
            operation,
            Operation::Standards | Operation::Selection | Operation::Provision | Operation::Comparison
        );
        if made_for_the_request || operation == Operation::Asset || whole.len() < 1024 {
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
async fn an_asset_is_served_by_its_url_whole_or_in_ranges_and_cannot_act() {
    let world = World::new().await;
    let asset = world.resolve(world::READ, "fig_1a").await;
    let url = asset["url"].as_str().unwrap();
    let get = |headers: &[(HeaderName, &str)]| {
        let request =
            headers.iter().fold(world.http.get(url), |request, (name, value)| request.header(name, *value));
        async { request.send().await.unwrap() }
    };
    let whole = get(&[]).await;
    let headers = whole.headers().clone();
    for (name, value) in [
        ("content-type", "image/svg+xml"),
        ("accept-ranges", "bytes"),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
    ] {
        assert_eq!(headers[name], value);
    }
    assert!(headers["content-security-policy"].to_str().unwrap().ends_with("; sandbox"));
    assert!(headers["content-disposition"].to_str().unwrap().starts_with("inline; filename=\""));
    let cache = headers["cache-control"].to_str().unwrap();
    let age: u32 = cache
        .strip_prefix("private, max-age=")
        .unwrap()
        .strip_suffix(", immutable")
        .unwrap()
        .parse()
        .unwrap();
    assert!((1..=900).contains(&age), "{cache}");
    let tag = headers[header::ETAG].to_str().unwrap();
    assert_eq!(format!("\"{}\"", asset["digest"].as_str().unwrap().trim_start_matches("sha256:")), tag);
    let bytes = whole.bytes().await.unwrap();
    let size = bytes.len();
    assert_eq!(asset["size"], size);

    let (last, beyond) = (size - 1, format!("bytes={size}-"));
    for (range, part, content_range) in [
        ("bytes=0-9", &bytes[..10], format!("bytes 0-9/{size}")),
        ("bytes=5-", &bytes[5..], format!("bytes 5-{last}/{size}")),
        ("bytes=-7", &bytes[size - 7..], format!("bytes {}-{last}/{size}", size - 7)),
        ("bytes=0-999999", &bytes[..], format!("bytes 0-{last}/{size}")),
    ] {
        for condition in [None, Some(tag)] {
            let headers = [Some((header::RANGE, range)), condition.map(|tag| (header::IF_RANGE, tag))];
            let headers: Vec<_> = headers.into_iter().flatten().collect();
            let answer = get(&headers).await;
            assert_eq!(answer.status(), 206, "{range}");
            assert_eq!(answer.headers()[header::CONTENT_RANGE], content_range);
            assert_eq!(answer.headers()[header::ETAG], tag);
            assert_eq!(answer.bytes().await.unwrap(), part, "{range}");
        }
    }
    for whole in [
        &[(header::RANGE, "bytes=0-1,4-5")][..],
        &[(header::RANGE, "lines=0-1")],
        &[(header::RANGE, "bytes=0-1"), (header::IF_RANGE, "\"other\"")],
        &[(header::RANGE, "bytes=0-1"), (header::IF_RANGE, "Sun, 01 Mar 2026 10:00:00 GMT")],
    ] {
        let answer = get(whole).await;
        assert_eq!(
            (answer.status(), answer.bytes().await.unwrap()),
            (StatusCode::OK, bytes.clone()),
            "{whole:?}"
        );
    }
    let nothing = get(&[(header::RANGE, &beyond)]).await;
    assert_eq!(
        (nothing.status().as_u16(), &nothing.headers()[header::CONTENT_RANGE]),
        (416, &format!("bytes */{size}").parse().unwrap())
    );
    assert_eq!(get(&[(header::RANGE, "bytes=0-1"), (header::IF_NONE_MATCH, tag)]).await.status(), 304);
    let head = world.http.head(url).header(header::RANGE, "bytes=0-1").send().await.unwrap();
    assert_eq!(
        (head.status(), head.headers()[header::CONTENT_LENGTH].to_str().unwrap()),
        (StatusCode::OK, &*size.to_string())
    );

    // One letter of the URL changed.
    let (stored, end) = url.split_at(url.len() - 1);
    let altered = format!("{stored}{}", if end == "A" { "B" } else { "A" });
    assert_eq!(world.http.get(altered).send().await.unwrap().status(), 403);
    world.stop().await;
}

/// Whether this key signed the URL.
fn signed_by(url: &str, key: &SigningKey) -> bool {
    let ticket = data_encoding::BASE64URL_NOPAD.decode(url.rsplit('/').next().unwrap().as_bytes()).unwrap();
    let (signed, signature) = ticket.split_at(ticket.len() - 32);
    hmac::verify(&hmac::Key::new(hmac::HMAC_SHA256, &key.secret), signed, signature).is_ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_signing_key_signs_within_a_second_and_urls_of_the_old_one_work_until_they_expire() {
    let world = World::with(&[("asset-url-lifetime", "5s")]).await;
    let resolve = async || world.resolve(world::READ, "fig_1a").await["url"].as_str().unwrap().to_owned();
    let before = resolve().await;
    // As another process does it, of which the service learns from the store alone.
    let other = norma_service::stores::open_store(&world.settings.store).await.unwrap();
    let rotated = Instant::now();
    other.rotate_signing_key(SystemTime::now()).await.unwrap();
    let new = other.policy_now().await.unwrap().signing_keys[0].clone();
    assert!(!signed_by(&before, &new));
    while !signed_by(&resolve().await, &new) {
        assert!(rotated.elapsed() < Duration::from_secs(1), "the service still signs with the old key");
    }
    assert_eq!(world.http.get(&before).send().await.unwrap().status(), 200, "not expired yet");
    let code = loop {
        let answer = world.http.get(&before).send().await.unwrap();
        if answer.status() != 200 {
            break answer.json::<Value>().await.unwrap()["code"].clone();
        }
        assert!(rotated.elapsed() < Duration::from_secs(10), "the URL does not expire");
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    assert_eq!(code, "asset-url-expired");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_form_of_reference_resolves_alone_and_in_a_batch() {
    let world = World::new().await;
    let graphics: Value =
        ask(&world, &Operation::Graphics.path_with(&[world::READ]), &[]).await.json().await.unwrap();
    let graphics = graphics["items"].as_array().unwrap();
    let mut references = Vec::new();
    for graphic in graphics.iter().filter(|graphic| graphic["available"] == true) {
        let (href, id) = (graphic["reference"].as_str().unwrap(), graphic["id"].as_str().unwrap());
        let mut forms = vec![href.to_owned(), id.to_owned()];
        if href != id {
            let name = href.rsplit('/').next().unwrap();
            forms.extend([name.to_owned(), format!("images/{name}")]);
            forms.extend([".svg", ".png"].iter().filter_map(|end| href.strip_suffix(end)).map(str::to_owned));
        }
        if let Some(figure) = graphic["figureId"].as_str() {
            forms.extend([figure.to_owned(), format!("#{figure}")]);
        }
        for form in forms {
            let resolved = world.resolve(world::READ, &form).await;
            assert_eq!(resolved["reference"], form);
            references.push((form, resolved["digest"].clone()));
        }
    }
    assert!(references.len() > 12, "{references:?}");
    let path = Operation::ResolveAssets.path_with(&[world::READ]);
    let mut forms: Vec<&str> = references.iter().map(|(form, _)| form.as_str()).collect();
    forms.push("nowhere.png");
    let request = world.http.post(format!("{}{path}", world.running.public_url)).bearer_auth(world.reader());
    let answer: Value =
        request.json(&serde_json::json!({ "references": forms })).send().await.unwrap().json().await.unwrap();
    let items = answer["items"].as_array().unwrap();
    assert_eq!(items.len(), forms.len());
    for (item, (form, digest)) in items.iter().zip(&references) {
        assert_eq!((&item["reference"], &item["digest"]), (&form.as_str().into(), digest));
    }
    assert_eq!(items.last().unwrap()["problem"]["code"], "asset-not-found");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn links_name_the_public_url_and_an_id_is_taken_over_or_made() {
    let world = World::with(&[
        ("public-url", "https://norma.example/base/"),
        ("page-size", "1"),
        ("rate-limit", "50"),
    ])
    .await;
    let local = format!("http://{}", world.running.address);
    let get = |path: &str| world.http.get(format!("{local}{path}")).bearer_auth(world.reader());
    let page = get("/api/content/v1/standards").send().await.unwrap();
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
async fn pages_of_other_origins_read_only_where_the_operator_names_the_origin() {
    let world = World::new().await;
    let open = world.start_with(&[("cors-origins", "https://app.example")]).await;
    for (base, origin, allowed) in [
        (&world.running.public_url, "https://app.example", None),
        (&open.public_url, "https://app.example", Some("https://app.example")),
        (&open.public_url, "https://evil.example", None),
    ] {
        let url = format!("{base}/api/content/v1/standards");
        let request = world.http.request(reqwest::Method::OPTIONS, &url).header("origin", origin);
        let request = request.header("access-control-request-method", "GET");
        let request = request.header("access-control-request-headers", "authorization, if-none-match");
        let preflight = request.send().await.unwrap();
        let found = preflight.headers().get("access-control-allow-origin").map(|v| v.to_str().unwrap());
        assert_eq!(found, allowed, "{base} {origin}");
        let answer =
            world.http.get(&url).bearer_auth(world.reader()).header("origin", origin).send().await.unwrap();
        let found = answer.headers().get("access-control-allow-origin").map(|v| v.to_str().unwrap());
        assert_eq!((answer.status(), found), (StatusCode::OK, allowed), "{base} {origin}");
        if allowed.is_some() {
            let exposed = answer.headers()["access-control-expose-headers"].to_str().unwrap();
            for name in
                ["etag", "link", "x-request-id", "retry-after", "www-authenticate", "content-location"]
            {
                assert!(exposed.split(',').any(|e| e == name), "{exposed}");
            }
        }
    }
    open.stop().await;
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
        let linked = (one["previous"].as_str(), one["next"].as_str());
        assert_eq!(linked, (neighbour(at.checked_sub(1)), neighbour(Some(at + 1))), "{id}");
        assert_eq!((one.get("previous").is_some(), one.get("next").is_some()), (at > 0, at + 1 < ids.len()));
    }
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_answer_leaves_a_browser_to_guess_a_type_and_every_page_says_what_it_may_load_and_who_may_frame_it()
 {
    let world = World::new().await;
    let (api, ops) = (&world.running.public_url, format!("http://{}", world.running.ops_address));
    let mut addresses: Vec<(String, &str)> =
        readable(&world).await.into_iter().map(|(_, path)| (format!("{api}{path}"), "*/*")).collect();
    // Pages, other forms of content, the script, problems, what is not there, and the operator's listener.
    let content = Operation::Content.path_with(&[world::READ]);
    addresses.extend(["text/plain", "application/xml"].map(|media| (format!("{api}{content}"), media)));
    addresses
        .extend(norma_api::problem::Code::ALL.iter().map(|code| (format!("{api}{}", code.path()), "*/*")));
    addresses.extend(
        ["", "/", norma_api::openapi::DOCS_SCRIPT_PATH, "/nowhere", "/api/content/v1/standards/x"]
            .map(|path| (format!("{api}{path}"), "text/html,*/*;q=0.8")),
    );
    addresses
        .extend(["/livez", "/readyz", "/metrics", "/nowhere"].map(|path| (format!("{ops}{path}"), "*/*")));
    let mut pages = 0;
    for (address, accept) in &addresses {
        for method in [reqwest::Method::GET, reqwest::Method::HEAD, reqwest::Method::DELETE] {
            let request = world.http.request(method.clone(), address).bearer_auth(world.reader());
            let answer = request.header(header::ACCEPT, *accept).send().await.unwrap();
            let headers = answer.headers();
            assert_eq!(headers.get(header::X_CONTENT_TYPE_OPTIONS).unwrap(), "nosniff", "{method} {address}");
            let kind = headers.get(header::CONTENT_TYPE).map_or("", |kind| kind.to_str().unwrap());
            if kind.starts_with("text/html") {
                let policy = headers.get(header::CONTENT_SECURITY_POLICY).unwrap().to_str().unwrap();
                assert!(policy.starts_with("default-src 'none'; script-src 'self';"), "{method} {address}");
                assert!(policy.contains("frame-ancestors 'none'"), "{method} {address}");
                pages += usize::from(method == reqwest::Method::GET);
            }
        }
    }
    assert_eq!(
        pages,
        norma_api::problem::Code::ALL.len() + 4,
        "problems, the root twice, the reader and one problem's page"
    );
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_finds_a_page_at_the_root_that_leads_to_the_documentation_and_a_program_a_problem() {
    let world = World::new().await;
    let root = async |accept: Option<&str>| {
        let mut request = world.http.get(format!("{}/", world.running.public_url));
        if let Some(accept) = accept {
            request = request.header(header::ACCEPT, accept);
        }
        request.send().await.unwrap()
    };
    let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";
    for accept in [browser, "text/html"] {
        let page = root(Some(accept)).await;
        assert_eq!(
            (page.status().as_u16(), &page.headers()[header::VARY]),
            (200, &"Accept, Accept-Encoding".parse().unwrap())
        );
        let text = page.text().await.unwrap();
        assert!(text.contains("<a href=\"/docs\">") && text.len() < 1000, "{text}");
    }
    for accept in [None, Some("*/*"), Some("application/json"), Some("text/html;q=0, */*")] {
        let problem = root(accept).await;
        assert_eq!(problem.status(), 404, "{accept:?}");
        assert_eq!(problem.json::<Value>().await.unwrap()["code"], "not-found", "{accept:?}");
    }
    world.stop().await;
}
