//! Every problem of the contract, provoked.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use norma_api::query::{ListQuery, Position};
use norma_api::{Code, Operation};
use norma_editions::stores::open_store;
use norma_service::server::{self, FixedLimits};
use reqwest::{Method, RequestBuilder, Response, header};
use serde_json::{Value, json};

use crate::world::{self, World, eventually};

/// A request that fails, and the code of its problem.
struct Provocation {
    code: Code,
    request: RequestBuilder,
}

fn provocations(world: &World) -> Vec<Provocation> {
    let url = |path: &str| format!("{}{path}", world.running.public_url);
    let get = |path: &str| world.get(path);
    let of = |operation: Operation| operation.path_with(&[world::READ]);
    let selection = |text: &str| Operation::Selection.path_with(&[world::READ, text]);
    let list = |query: &str| get(&format!("{}?{query}", Operation::Standards.path()));
    let resolve = || world.http.post(url(&of(Operation::ResolveAssets))).bearer_auth(world.reader());
    let bare = |path: &str| world.http.get(url(path));
    let limits = Operation::Limits.path();
    world.idp.set_clock_ahead(-7200);
    let expired = world.reader();
    world.idp.set_clock_ahead(0);
    let forged = ListQuery::default().cursor(&Position { key: "x".into(), urn: "y".into() });
    let forged_position = "sort=updated&cursor=".to_owned()
        + &ListQuery::parse("sort=updated", Default::default())
            .unwrap()
            .cursor(&Position { key: "x".into(), urn: "y".into() });
    let json = "application/json";
    let code = |code, request| Provocation { code, request };
    vec![
        code(Code::InvalidRequest, bare(limits).header("authorization", "Bearer a b")),
        code(Code::InvalidRequest, get(limits).header("authorization", "Bearer second")),
        code(Code::InvalidUrn, get(&Operation::Standard.path_with(&["urn:nsb:std"]))),
        code(Code::InvalidSelection, get(&selection("4,,5"))),
        code(Code::InvalidSelection, get(&selection("5-4"))),
        code(Code::InvalidSelection, get(&selection(&"4,".repeat(600)))),
        code(Code::InvalidParameter, list("limit=0")),
        code(
            Code::InvalidParameter,
            get(&format!("{}?section=4", of(Operation::Content))).header("accept", "application/xml"),
        ),
        code(Code::UnknownParameter, list("publsher=NSB")),
        code(Code::UnknownParameter, get(&format!("{}?a=1", of(Operation::Terms)))),
        code(Code::InvalidCursor, list("cursor=abc")),
        code(Code::InvalidCursor, list(&format!("cursor={forged}&publisher=NSB"))),
        code(Code::InvalidCursor, list(&forged_position)),
        code(Code::InvalidBody, resolve().header("content-type", json).body("{")),
        code(Code::InvalidBody, resolve().json(&json!({ "assetReferences": vec!["a"; 101] }))),
        code(Code::NotComparable, get(&format!("{}?with={}", of(Operation::Comparison), world::READ))),
        code(
            Code::RevisionNotFound,
            get(&format!("{}?with={}&withRevision=0123456789abcdef", of(Operation::Comparison), world::READ)),
        ),
        code(Code::TokenMissing, bare(limits)),
        code(Code::TokenInvalid, bare(limits).bearer_auth("not.a.token")),
        code(Code::TokenExpired, bare(limits).bearer_auth(expired)),
        code(Code::RoleMissing, bare(limits).bearer_auth(world.roleless())),
        code(Code::ContentNotLicensed, get(&Operation::Terms.path_with(&[world::DISCOVERED]))),
        code(Code::AssetUrlInvalid, bare(&Operation::Asset.path_with(&["forged"]))),
        code(Code::StandardNotFound, get(&Operation::Standard.path_with(&[world::HIDDEN]))),
        code(Code::SectionNotFound, get(&format!("{}?section=99", of(Operation::Content)))),
        code(Code::SelectionNotFound, get(&selection("99;table:98"))),
        code(Code::TableNotFound, get(&Operation::Table.path_with(&[world::READ, "99"]))),
        code(
            Code::ProvisionNotFound,
            get(&Operation::Provision.path_with(&["prv_aaaaaaaaaaaaaaaaaaaaaaaaaa"])),
        ),
        code(Code::ProvisionNotFound, get(&Operation::Provision.path_with(&["4.2(1)"]))),
        code(Code::AssetNotFound, resolve().json(&json!({ "assetReference": "nowhere.png" }))),
        code(Code::NotFound, get("/api/content/v1/standard")),
        code(Code::NotFound, bare("/problems/no-such-code")),
        code(
            Code::MethodNotAllowed,
            world.http.request(Method::DELETE, url(limits)).bearer_auth(world.reader()),
        ),
        code(Code::NotAcceptable, get(limits).header("accept", "text/html")),
        code(Code::PreconditionFailed, get(limits).header("if-match", "\"other\"")),
        code(Code::BodyTooLarge, resolve().header("content-type", json).body(" ".repeat(70_000))),
        code(Code::UriTooLong, list(&format!("q={}", "a".repeat(9_000)))),
        code(Code::UnsupportedMediaType, resolve().header("content-type", "text/plain").body("{}")),
        code(Code::HeadersTooLarge, get(limits).header("x-long", "a".repeat(66_000))),
    ]
}

/// Asserts that the answer is a problem with this code, in every member.
async fn expect(code: Code, answer: Response) -> Value {
    assert_eq!(answer.status().as_u16(), code.status(), "{code}");
    assert_eq!(answer.headers()["content-type"], "application/problem+json", "{code}");
    let headers = answer.headers().clone();
    let problem: Value = answer.json().await.unwrap();
    assert_eq!(problem["code"], code.as_str());
    assert_eq!(problem["status"], code.status());
    assert_eq!(problem["title"], code.title());
    assert_eq!(problem["type"], code.path());
    assert_eq!(problem["instance"], headers["x-request-id"].to_str().unwrap());
    assert!(problem["detail"].as_str().unwrap().len() > 10, "{problem}");
    match code.status() {
        401 => assert!(headers["www-authenticate"].to_str().unwrap().starts_with("Bearer ")),
        405 => assert!(headers["allow"].to_str().unwrap().contains("GET")),
        406 => assert!(!problem["errors"][0]["allowed"].as_array().unwrap().is_empty()),
        429 | 503 => assert!(headers["retry-after"].to_str().unwrap().parse::<u32>().unwrap() > 0),
        _ => {}
    }
    for inside in ["sqlite", "panick", "/src/", "norma.db", "blobs"] {
        assert!(!problem.to_string().contains(inside), "{problem}");
    }
    problem
}

#[tokio::test(flavor = "multi_thread")]
async fn every_problem_of_the_contract_can_be_met_and_has_a_page() {
    let world = World::new().await;
    let mut met: BTreeMap<Code, usize> = BTreeMap::new();
    let mut others = Vec::new();
    for Provocation { code, request } in provocations(&world) {
        let answer = request.send().await.unwrap();
        match answer.status().as_u16() == code.status() {
            true => _ = expect(code, answer).await,
            false => others.push((code, answer.text().await.unwrap())),
        }
        *met.entry(code).or_default() += 1;
    }
    assert!(others.is_empty(), "{others:?}");
    for (code, answer) in changed_worlds(world).await {
        expect(code, answer).await;
        *met.entry(code).or_default() += 1;
    }
    let missing: Vec<&Code> = Code::ALL.iter().filter(|code| !met.contains_key(code)).collect();
    assert!(missing.is_empty(), "no request provokes {missing:?}");
}

/// Problems that need other settings, a changed catalogue or a damaged store.
async fn changed_worlds(world: World) -> Vec<(Code, Response)> {
    let mut answers = Vec::new();
    let now = SystemTime::now();
    for &code in Code::ALL {
        let page =
            world.http.get(format!("{}{}", world.running.public_url, code.path())).send().await.unwrap();
        assert_eq!(
            (page.status().as_u16(), page.headers()["content-type"].to_str().unwrap()),
            (200, "text/html; charset=utf-8")
        );
        assert!(page.text().await.unwrap().contains(code.title()), "{code}");
    }

    let asset = world.resolve(world::READ, "fig_1a").await["url"].as_str().unwrap().to_owned();
    let beyond = world.http.get(&asset).header("range", "bytes=99999999-").send().await.unwrap();
    answers.push((Code::RangeNotSatisfiable, beyond));
    let mut limits = FixedLimits::default();
    limits.reads.asset_url_lifetime = Duration::from_secs(1);
    let brief = world.start_within(limits, &[]).await;
    let path = Operation::ResolveAssets.path_with(&[world::READ]);
    let resolve = world.http.post(format!("{}{path}", brief.public_url)).bearer_auth(world.reader());
    let late: Value =
        resolve.json(&json!({ "assetReference": "fig_1a" })).send().await.unwrap().json().await.unwrap();
    let expired = eventually("the URL expires", async || {
        let answer = world.http.get(late["url"].as_str().unwrap()).send().await.unwrap();
        Some(answer).filter(|answer| answer.status() != 200)
    })
    .await;
    answers.push((Code::AssetUrlExpired, expired));
    brief.stop().await;

    let list = |base: &str| {
        world.http.get(format!("{base}{}", Operation::Standards.path())).bearer_auth(world.reader())
    };
    let narrow = world.start_with(&[("rate-limit", "1"), ("rate-burst", "1"), ("refused-limit", "1")]).await;
    assert_eq!(list(&narrow.public_url).send().await.unwrap().status(), 200);
    answers.push((Code::RateLimited, list(&narrow.public_url).send().await.unwrap()));
    let stranger = || world.http.get(format!("{}/api/content/v1/limits", narrow.public_url)).send();
    assert_eq!(stranger().await.unwrap().status(), 401);
    answers.push((Code::RateLimited, stranger().await.unwrap()));
    narrow.stop().await;
    let small = world.start_with(&[("max-compared-provisions", "1")]).await;
    let path = Operation::Comparison.path_with(&[world::READ]);
    let url = format!("{}{path}?with={}&differentDocuments=true", small.public_url, world::SIBLING);
    let too_large = world.http.get(url).bearer_auth(world.reader()).send().await.unwrap();
    answers.push((Code::ComparisonTooLarge, too_large));
    small.stop().await;
    let without_search = world.start_with(&[("search", "false")]).await;
    let url = format!("{}{}?q=water", without_search.public_url, Operation::Search.path());
    answers.push((Code::SearchOff, world.http.get(url).bearer_auth(world.reader()).send().await.unwrap()));
    without_search.stop().await;
    let hasty = world.start_with(&[("request-timeout", "1ns")]).await;
    // Lists that the store does not remember: some must take longer than the clock's tick.
    let mut late = None;
    for number in 0..200 {
        let unasked = format!("{}{}?q=unasked+{number}", hasty.public_url, Operation::Standards.path());
        late = Some(world.http.get(unasked).bearer_auth(world.reader()).send().await.unwrap());
        if late.as_ref().is_some_and(|answer| answer.status() != 200) {
            break;
        }
    }
    answers.extend(late.map(|answer| (Code::Timeout, answer)));
    hasty.stop().await;

    // Provisions of another edition than the one that was removed carry some of its provisions on, which the
    // caller may read now.
    let [removed, newer] =
        [world::SIBLING, world::HIDDEN_SIBLING].map(|urn| urn.parse::<norma_model::Urn>().unwrap());
    let scope = norma_store::GrantScope::List([newer].into());
    let (tenant, level) = (world.tenant.to_string(), norma_store::Level::Read);
    let grant = norma_store::Grant { tenant, client: None, scope, level, from: None, until: None };
    world.store.add_grant(&grant, now).await.unwrap().unwrap();
    let ids = world.store.provisions(&removed).await.unwrap().unwrap();
    assert!(world.store.remove(&removed, now).await.unwrap());
    norma_editions::lineage::update_changed(&world.store, 2, false).await;
    let fresh = world.fresh().await;
    for id in ids {
        let url = format!("{}{}", fresh.public_url, Operation::Provision.path_with(&[&id.to_string()]));
        let ask = async || world.http.get(&url).bearer_auth(world.reader()).send().await.unwrap();
        let problem: Value = ask().await.json().await.unwrap();
        let is_replaced = problem["successors"].as_array().is_some();
        answers.push((if is_replaced { Code::ProvisionReplaced } else { Code::ProvisionGone }, ask().await));
    }
    fresh.stop().await;

    // A cursor that is followed by a change of another year.
    let path = Operation::Changes.path();
    let begin: Value = world.get(path).send().await.unwrap().json().await.unwrap();
    let long_ago = now - std::time::Duration::from_secs(500 * 24 * 3600);
    assert!(world.store.withdraw(&world::READ.parse().unwrap(), None, long_ago).await.unwrap());
    let path = format!("{path}?since={}", begin["next"].as_str().unwrap());
    answers.push((Code::CursorEnded, world.get(&path).send().await.unwrap()));

    // A revision whose source is no longer retained.
    let entry = world.store.entry(&world::READ.parse().unwrap()).await.unwrap().unwrap();
    let sample =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/water-baths/document.xml");
    let corrected = std::fs::read_to_string(sample).unwrap().replace(" shall ", " must ");
    std::fs::write(world.folder.path().join("corrected.xml"), corrected).unwrap();
    let mut options = norma_ingest::IngestOptions::new(&world.settings.ingest);
    (options.replace, options.limits.revisions.count) = (true, 0);
    norma_ingest::ingest(&world.store, vec![world.folder.path().join("corrected.xml")], &options, |_, _| {})
        .await;
    let comparison = Operation::Comparison.path_with(&[world::READ]);
    let path = format!("{comparison}?with={}&withRevision={}", world::READ, entry.revision);
    answers.push((Code::RevisionGone, world.get(&path).send().await.unwrap()));

    // A view whose bytes are not what they were.
    let entry = world.store.entry(&world::READ.parse().unwrap()).await.unwrap().unwrap();
    let digest = entry.pack.hex();
    let file = walkdir::WalkDir::new(world.folder.path().join("blobs"))
        .into_iter()
        .filter_map(Result::ok)
        .find(|file| file.path().to_string_lossy().replace('/', "").contains(&digest))
        .unwrap_or_else(|| panic!("no blob {digest}"));
    let size = file.metadata().unwrap().len() as usize;
    std::fs::write(file.path(), vec![0; size]).unwrap();
    let fresh = world.fresh().await;
    let url = format!("{}{}", fresh.public_url, Operation::Terms.path_with(&[world::READ]));
    // A length needs no stored bytes.
    let head = world.http.head(&url).bearer_auth(world.reader()).send().await.unwrap();
    assert_eq!((head.status().as_u16(), head.headers().contains_key("content-length")), (200, true));
    answers.push((Code::Internal, world.http.get(url).bearer_auth(world.reader()).send().await.unwrap()));
    fresh.stop().await;

    world.store.recall(&world::READ.parse().unwrap(), "an error", None, now).await.unwrap();
    let fresh = world.fresh().await;
    let standard = Operation::Standard.path_with(&[world::READ]);
    let recalled = world.http.get(format!("{}{standard}", fresh.public_url)).bearer_auth(world.reader());
    answers.push((Code::StandardRecalled, recalled.send().await.unwrap()));
    answers.push((Code::StandardRecalled, world.http.get(&asset).send().await.unwrap()));
    fresh.stop().await;

    let [reader, ..] = world.clients;
    world.store.suspend_client(&world.tenant.to_string(), &reader.to_string(), true, now).await.unwrap();
    let fresh = world.fresh().await;
    answers.push((Code::CallerSuspended, list(&fresh.public_url).send().await.unwrap()));
    fresh.stop().await;

    // A service that never saw the provider's keys, when the provider is away.
    let token = world.reader();
    let World { running, idp, settings, http, folder: _folder, .. } = world;
    running.stop().await;
    idp.shutdown().await.unwrap();
    let store = open_store(&settings.store).await.unwrap();
    let fresh = server::start(settings, store, norma_ingest::DERIVER_VERSION).await.unwrap();
    let url = format!("{}{}", fresh.public_url, Operation::Standards.path());
    answers.push((Code::Unavailable, http.get(url).bearer_auth(token).send().await.unwrap()));
    fresh.stop().await;
    answers
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slip_of_the_pen_is_answered_with_what_was_meant() {
    let world = World::new().await;
    let errors = async |path: String| {
        let problem: Value = world.get(&path).send().await.unwrap().json().await.unwrap();
        problem["errors"][0].clone()
    };
    let list = Operation::Standards.path();
    for (query, parameter, suggestion) in [
        ("publsher=NSB", "publsher", "publisher"),
        ("Limit=3", "Limit", "limit"),
        ("published_from=2020", "published_from", "publishedFrom"),
        ("status=publishd", "status", "published"),
        ("sort=-updatd", "sort", "-updated"),
        ("access=raed", "access", "read"),
    ] {
        let error = errors(format!("{list}?{query}")).await;
        assert_eq!(error["parameter"], parameter, "{error}");
        assert_eq!(error["suggestion"], suggestion, "{error}");
        assert!(error["detail"].as_str().unwrap().len() > 20 && error["allowed"].is_array(), "{error}");
    }
    let provisions = Operation::Provisions.path_with(&[world::READ]);
    assert_eq!(errors(format!("{provisions}?type=requirment")).await["suggestion"], "requirement");
    // Offsets count characters, not bytes: `é` is one.
    let error = errors(Operation::Selection.path_with(&[world::READ, "é,4.2("])).await;
    assert_eq!((&error["parameter"], &error["offset"]), (&json!("selection"), &json!(6)));
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_query_beyond_its_bounds_is_refused_with_the_bound() {
    let world = World::new().await;
    let list = Operation::Standards.path().to_owned();
    let provisions = Operation::Provisions.path_with(&[world::READ]);
    let words = |count: usize| (0..count).map(|n| n.to_string()).collect::<Vec<_>>().join("+");
    let too_many_values = Some("at most 100 (`max-query-values`)");
    let too_many_words = Some("at most 32 (`max-query-words`)");
    let all_values = ["ics=01"; 100].join("&");
    for (path, query, bound) in [
        (&list, all_values.clone(), None),
        (&list, format!("{all_values}&edition=latest"), too_many_values),
        (&list, format!("q={}&q=a+b", words(30)), None),
        (&list, format!("q={}&q=a+b", words(31)), too_many_words),
        (&list, format!("q={}", words(990)), too_many_words),
        (&provisions, format!("q={}", words(33)), too_many_words),
        (&provisions, format!("{}&type=requirement", ["q=a"; 100].join("&")), too_many_values),
    ] {
        let answer = world.get(&format!("{path}?{query}")).send().await.unwrap();
        let status = answer.status().as_u16();
        let problem: Value = answer.json().await.unwrap();
        match bound {
            None => assert_eq!(status, 200, "{query}: {problem}"),
            Some(bound) => {
                assert_eq!((status, &problem["code"]), (400, &json!("invalid-parameter")), "{query}");
                assert!(problem["detail"].as_str().unwrap().contains(bound), "{problem}");
            }
        }
    }
    let limits: Value = world.get(Operation::Limits.path()).send().await.unwrap().json().await.unwrap();
    assert_eq!((&limits["maxQueryValues"], &limits["maxQueryWords"]), (&json!(100), &json!(32)));
    // A quarter of all, and what the settings say for each client.
    assert_eq!((&limits["maxBytesInFlight"], &limits["maxRequestsAtOnce"]), (&json!(16 << 20), &json!(256)));
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn references_of_a_service_below_a_path_of_its_gateway_begin_with_that_path() {
    let world = World::new().await;
    let below = world.start_with(&[("public-url", "https://gateway.example/standards/")]).await;
    let at =
        |path: &str| world.http.get(format!("http://{}{path}", below.address)).bearer_auth(world.reader());
    let problem: Value = at("/api/content/v1/standards/x").send().await.unwrap().json().await.unwrap();
    assert_eq!(problem["type"], "/standards/problems/invalid-urn");
    let latest = world::READ.split(":ed-").next().unwrap();
    let answer = at(&Operation::Standard.path_with(&[latest])).send().await.unwrap();
    let location = answer.headers()[header::CONTENT_LOCATION].to_str().unwrap();
    assert!(location.starts_with("/standards/api/content/v1/standards/urn%3A"), "{location}");
    let page = at("/docs").send().await.unwrap().text().await.unwrap();
    assert!(
        page.contains("\"/standards/docs/scalar.js\"") && page.contains("/standards/openapi.json"),
        "{page}"
    );
    let home = at("/").header(header::ACCEPT, "text/html").send().await.unwrap().text().await.unwrap();
    assert!(home.contains("href=\"/standards/docs\""), "{home}");
    let resolve = world.http.post(format!(
        "http://{}{}",
        below.address,
        Operation::ResolveAssets.path_with(&[world::READ])
    ));
    let body = serde_json::json!({ "assetReferences": ["nothing-of-this-name"] });
    let resolved: Value =
        resolve.bearer_auth(world.reader()).json(&body).send().await.unwrap().json().await.unwrap();
    assert_eq!(resolved["items"][0]["problem"]["type"], "/standards/problems/asset-not-found");
    let twice = at("/api/content/v1/standards/urn%253Ansb%253Astd%253Ansb%253A4210").send().await.unwrap();
    let twice: Value = twice.json().await.unwrap();
    assert!(twice["detail"].as_str().unwrap().contains("encoded twice"), "{twice}");
    below.stop().await;
    world.stop().await;
}
