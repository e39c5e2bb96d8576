//! Traces as a collector receives them: which requests are recorded, with which content, and what changes
//! while a collector is down.

use std::time::Duration;

use norma_api::Operation;
use norma_ingest::{IngestOptions, ingest};
use norma_service::server::FixedLimits;
use norma_store::{Grant, GrantScope, Level};
use norma_traces::{TraceLimits, Traces};

use crate::collector::{Collector, Span};
use crate::world::{HIDDEN_SIBLING, READ, SIBLING, World, eventually};

const CALLER: (&str, &str) = ("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331");

/// A `traceparent` of a caller, with these flags.
fn traceparent(flags: &str) -> String {
    format!("00-{}-{}-{flags}", CALLER.0, CALLER.1)
}

/// Limits by which a span waits for no other one.
fn at_once() -> FixedLimits {
    let mut limits = FixedLimits::default();
    limits.traces.interval = Duration::ZERO;
    limits
}

/// A service that sends traces to a collector.
async fn traced_world(ratio: &str, own: &[(&str, &str)]) -> (World, Collector) {
    let collector = Collector::start().await;
    let traces = [("traces-endpoint", collector.endpoint.as_str()), ("traces-sample-ratio", ratio)];
    let world = World::within(at_once(), &[&traces, own].concat()).await;
    (world, collector)
}

fn content() -> String {
    Operation::Content.path_with(&[READ])
}

/// Sends a request and gives its status.
async fn status(request: reqwest::RequestBuilder) -> u16 {
    let answer = request.send().await.unwrap();
    let status = answer.status().as_u16();
    answer.bytes().await.unwrap();
    status
}

/// Asserts the attributes of a span, leaving those given by name only to the caller.
fn assert_attributes(span: &Span, expected: &[(&str, &str)]) {
    let found: Vec<_> = span.attributes.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(found, expected, "{span:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_is_a_trace_of_named_steps_with_conventional_attributes_and_no_token() {
    let headers = "Authorization=Bearer%20for-the-collector";
    let own = [("traces-headers", headers), ("traces-service-name", "standards")];
    let (world, collector) = traced_world("1", &own).await;
    let token = world.reader();
    let request = world.http.get(format!("{}{}?secret=hush", world.running.public_url, content()));
    let request = request.bearer_auth(&token).header("x-request-id", "r-1");
    // A parameter that does not exist is refused; then the same without it.
    assert_eq!(status(request).await, 400);
    assert_eq!(status(world.get(&content()).header("x-request-id", "r-2")).await, 200);
    let port = world.running.address.port().to_string();
    world.stop().await;

    let roots = collector.roots();
    let root = |id: &str| roots.iter().find(|root| root.attributes["norma.request_id"] == id).unwrap();
    let attributes = |id, status, problem: &[(&'static str, &'static str)], standard| {
        let common = [
            ("http.request.method", "GET"),
            ("http.response.status_code", status),
            ("http.route", Operation::Content.path()),
        ];
        let named = [("norma.request_id", id)];
        let address = [("server.address", "127.0.0.1"), ("server.port", port.as_str()), ("url.path", "")];
        let mut all =
            [&common, problem, &named[..], standard, &address[..], &[("url.scheme", "http")]].concat();
        all.iter_mut().filter(|(name, _)| *name == "url.path").for_each(|pair| pair.1 = "path");
        all
    };
    for (id, status, problem, standard) in [
        ("r-1", "400", &[("norma.problem", "unknown-parameter")][..], &[][..]),
        ("r-2", "200", &[][..], &[("norma.standard", READ)][..]),
    ] {
        let mut span = root(id).clone();
        assert_eq!(span.attributes.insert("url.path".into(), "path".into()), Some(content()));
        assert_attributes(&span, &attributes(id, status, problem, standard));
        assert_eq!(span.name, format!("GET {}", Operation::Content.path()));
        assert_eq!((span.parent.as_str(), span.is_server, span.has_failed), ("", true, false));
        assert_eq!(span.resource["service.name"], "standards");
        assert_eq!(span.resource["service.version"], env!("CARGO_PKG_VERSION"));
    }
    assert_eq!(roots.len(), 2, "{roots:?}");
    assert_ne!(roots[0].trace, roots[1].trace);
    assert_eq!(collector.steps(root("r-1")), ["/authenticate"]);
    let steps = collector.steps(root("r-2"));
    assert_eq!(steps, ["/authenticate", "/authorize", "/respond", "/respond/read"]);
    let spans = collector.spans();
    let whole: u64 = spans.iter().filter(|span| span.parent == root("r-2").id).map(|s| s.nanoseconds).sum();
    assert!(whole <= root("r-2").nanoseconds, "{spans:?}");
    for secret in [token.as_str(), "hush", "for-the-collector"] {
        assert!(!format!("{spans:?}").contains(secret), "{secret}");
    }
    let sent = collector.headers();
    assert!(sent.iter().all(|head| head["authorization"] == "Bearer for-the-collector"), "{sent:?}");
    assert!(sent.iter().all(|head| head["content-type"] == "application/x-protobuf"), "{sent:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn at_ratio_0_only_requests_that_their_callers_record_are_recorded_in_their_traces() {
    let (world, collector) = traced_world("0", &[]).await;
    let with = |header: &str| world.get(&content()).header("traceparent", header);
    for unsampled in [&traceparent("00"), "00-0-0-01", "garbage", &traceparent("01").to_uppercase()] {
        assert_eq!(status(with(unsampled)).await, 200);
    }
    // Two fields are invalid.
    assert_eq!(status(with(&traceparent("01")).header("traceparent", traceparent("01"))).await, 200);
    assert_eq!(status(world.get(&content())).await, 200);
    let state = "vendor=".to_owned() + &"x".repeat(200);
    assert_eq!(status(with(&traceparent("03")).header("tracestate", state)).await, 200);
    world.stop().await;
    let (root, steps) = collector.only_trace();
    assert_eq!((root.trace.as_str(), root.parent.as_str()), CALLER);
    // The answer was in memory.
    assert_eq!(steps, ["/authenticate"]);
    assert_eq!(root.attributes["norma.response_cache"], "hit");
}

#[tokio::test(flavor = "multi_thread")]
async fn at_ratio_1_a_caller_who_does_not_record_is_followed_unless_the_settings_say_otherwise() {
    for (follows, recorded) in [("true", 0), ("false", 2)] {
        let (world, collector) = traced_world("1", &[("traces-follow-callers", follows)]).await;
        for flags in ["00", "00"] {
            assert_eq!(status(world.get(&content()).header("traceparent", traceparent(flags))).await, 200);
        }
        world.stop().await;
        let roots = collector.roots();
        assert_eq!(roots.len(), recorded, "{roots:?}");
        assert!(roots.iter().all(|root| root.trace != CALLER.0 && root.parent.is_empty()), "{roots:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn paths_that_are_secret_or_unknown_are_not_recorded_and_only_failures_of_the_service_are_marked() {
    let (world, collector) = traced_world("1", &[]).await;
    let picture = world.resolve(READ, "fig_1a").await;
    let url = picture["url"].as_str().unwrap();
    assert_eq!(status(world.http.get(url)).await, 200);
    assert_eq!(status(world.http.get(format!("{url}x"))).await, 403);
    assert_eq!(status(world.get("/hush/hush")).await, 404);
    let method = reqwest::Method::from_bytes(b"HUSH").unwrap();
    let unknown_method = world.http.request(method, format!("{}/docs", world.running.public_url));
    assert_eq!(status(unknown_method).await, 405);
    assert_eq!(status(world.http.get(format!("{}{}", world.running.public_url, content()))).await, 401);
    std::fs::remove_dir_all(world.folder.path().join("blobs")).unwrap();
    let damaged = world.fresh().await;
    let request = world.http.get(format!("{}{}", damaged.public_url, content())).bearer_auth(world.reader());
    let failed = status(request).await;
    assert!(failed >= 500, "{failed}");
    damaged.stop().await;
    world.stop().await;

    let spans = collector.spans();
    let ticket = url.rsplit('/').next().unwrap();
    for secret in ["hush", "HUSH", ticket] {
        assert!(!format!("{spans:?}").contains(secret), "{secret}: {spans:?}");
    }
    let mut ends: Vec<_> = collector
        .roots()
        .iter()
        .map(|root| {
            let attribute = |name: &str| root.attributes.get(name).cloned().unwrap_or_default();
            let failure = (root.has_failed, attribute("error.type"));
            (root.name.clone(), attribute("http.response.status_code"), attribute("norma.problem"), failure)
        })
        .collect();
    ends.sort();
    let problem = ends.iter().find(|end| end.3.0).unwrap().2.clone();
    let ends: Vec<_> =
        ends.iter().map(|(n, s, p, (f, e))| (n.as_str(), s.as_str(), p.as_str(), *f, e.as_str())).collect();
    let asset = format!("GET {}", Operation::Asset.path());
    let content = format!("GET {}", Operation::Content.path());
    let resolve = format!("POST {}", Operation::ResolveAssets.path());
    let failed = failed.to_string();
    let expected = [
        ("GET", "404", "not-found", false, ""),
        (&asset, "200", "", false, ""),
        (&asset, "403", "asset-url-invalid", false, ""),
        (&content, "401", "token-missing", false, ""),
        (&content, &failed, &problem, true, &problem),
        ("HTTP /docs", "405", "method-not-allowed", false, ""),
        (&resolve, "200", "", false, ""),
    ];
    assert_eq!(ends, expected);
    let with_path = spans.iter().filter(|span| span.attributes.contains_key("url.path")).count();
    assert_eq!(with_path, 4, "all but assets and unknown paths");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_comparison_is_a_step_where_it_is_made_and_read_where_it_is_stored() {
    let (world, collector) = traced_world("1", &[]).await;
    let grant = Grant {
        tenant: world.tenant.to_string(),
        client: None,
        scope: GrantScope::List([HIDDEN_SIBLING.parse().unwrap()].into()),
        level: Level::Read,
        from: None,
        until: None,
    };
    world.store.add_grant(&grant, std::time::SystemTime::now()).await.unwrap().unwrap();
    let comparison = Operation::Comparison.path_with(&[SIBLING]);
    // Neighbouring editions were compared when they were ingested; those of different documents are compared
    // now.
    for with in [HIDDEN_SIBLING, &format!("{READ}&differentDocuments=true")] {
        assert_eq!(status(world.get(&format!("{comparison}?with={with}"))).await, 200);
    }
    world.stop().await;
    for (with, is_made) in [(HIDDEN_SIBLING, false), (READ, true)] {
        let roots = collector.roots();
        let root = roots.iter().find(|root| root.attributes["norma.with"] == with).unwrap();
        assert_eq!(root.attributes["norma.standard"], SIBLING);
        let steps = collector.steps(root);
        let has = |step: &str| steps.iter().any(|one| one == step);
        assert_eq!((has("/respond/read"), has("/respond/compare")), (true, is_made), "{steps:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_begins_when_its_caller_is_authorized_and_its_texts_are_read_after_it() {
    let (world, collector) = traced_world("1", &[]).await;
    world.searched().await;
    let search = Operation::Search.path();
    assert_eq!(status(world.get(&format!("{search}?q=load"))).await, 200);
    world.stop().await;
    let roots = collector.roots();
    let root = roots.iter().find(|root| root.attributes["http.route"] == search).unwrap();
    let spans = collector.spans();
    let mut steps: Vec<&Span> = spans.iter().filter(|span| span.parent == root.id).collect();
    steps.sort_by_key(|step| step.begin);
    let names: Vec<&str> = steps.iter().map(|step| step.name.as_str()).collect();
    assert_eq!(names, ["authenticate", "authorize", "search", "read", "respond"]);
    for two in steps.windows(2) {
        assert!(two[0].begin + two[0].nanoseconds <= two[1].begin, "{two:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_document_of_an_ingest_is_a_trace_from_its_first_byte_to_its_commit() {
    let (world, _) = traced_world("0", &[]).await;
    let collector = Collector::start().await;
    let mut settings = world.settings.clone();
    settings.traces.traces_endpoint = collector.endpoint.clone();
    settings.traces.traces_sample_ratio = 1.0;
    let traces = Traces::start(&settings.traces, TraceLimits::default()).unwrap();
    let options = IngestOptions { traces: traces.clone(), ..IngestOptions::new(&settings.ingest) };
    let samples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let broken = world.folder.path().join("broken.xml");
    std::fs::write(&broken, "<standard><front>").unwrap();
    let sources = ["minimal", "water-baths"].map(|folder| samples.join(folder).join("document.xml"));
    ingest(&world.store, [&sources[..], &[broken]].concat(), &options, |_, _| {}).await;
    assert_eq!(traces.stop(Duration::from_secs(30)).await, 0);
    let mut found: Vec<_> = collector
        .roots()
        .iter()
        .map(|root| {
            assert_eq!((root.name.as_str(), root.is_server), ("ingest document", false));
            let folder = root.attributes["file.path"].rsplit('/').nth(1).unwrap().to_owned();
            let steps = collector.steps(root).concat();
            (root.attributes["norma.verdict"].clone(), folder, root.has_failed, steps)
        })
        .collect();
    found.sort();
    let of = |verdict: &str, failed, steps: &str| (verdict.to_owned(), failed, steps.to_owned());
    let found: Vec<_> =
        found.into_iter().map(|(verdict, _, failed, steps)| (verdict, failed, steps)).collect();
    let expected = [
        of("created", false, "/commit/derive/read/render"),
        of("refused", true, "/derive/read"),
        of("unchanged", false, "/read"),
    ];
    assert_eq!(found, expected);
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redirect_of_the_collector_takes_no_span_and_no_credential_elsewhere() {
    let elsewhere = Collector::start().await;
    let endpoint = elsewhere.redirecting().await;
    let own = [
        ("traces-endpoint", endpoint.as_str()),
        ("traces-sample-ratio", "1"),
        ("traces-headers", "x-api-key=hush"),
    ];
    let world = World::within(at_once(), &own).await;
    assert_eq!(status(world.get(&content())).await, 200);
    let lost = eventually("the span is lost", async || {
        let metrics = world.http.get(format!("http://{}/metrics", world.running.ops_address));
        let metrics = metrics.send().await.unwrap().text().await.unwrap();
        metrics.contains("norma_spans_lost_total{reason=\"export\"}").then_some(())
    });
    lost.await;
    world.stop().await;
    assert!(elsewhere.spans().is_empty() && elsewhere.headers().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_is_away_changes_no_answer_and_what_is_lost_is_counted() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let away = format!("http://{}/v1/traces", free.local_addr().unwrap());
    drop(free);
    let own = [("traces-endpoint", away.as_str()), ("traces-sample-ratio", "1")];
    let mut limits = at_once();
    limits.traces = TraceLimits { queue: 2, timeout: Duration::from_millis(50), ..limits.traces };
    let world = World::within(limits, &own).await;
    let lost = eventually("spans are lost in both ways", async || {
        assert_eq!(status(world.get(&content())).await, 200);
        let metrics = world.http.get(format!("http://{}/metrics", world.running.ops_address));
        let metrics = metrics.send().await.unwrap().text().await.unwrap();
        let count = |reason: &str| {
            let series = format!("norma_spans_lost_total{{reason=\"{reason}\"}} ");
            metrics.lines().find_map(|line| line.strip_prefix(&series)?.parse::<u64>().ok())
        };
        count("queue").zip(count("export"))
    });
    let (queue, export) = lost.await;
    assert!(queue > 0 && export > 0);
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_does_not_answer_delays_no_stop_beyond_its_deadline() {
    // Connections are begun by the kernel and never accepted.
    let unanswering = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}/v1/traces", unanswering.local_addr().unwrap());
    let own =
        [("traces-endpoint", endpoint.as_str()), ("traces-sample-ratio", "1"), ("shutdown-grace", "1s")];
    let mut limits = FixedLimits::default();
    limits.traces.timeout = Duration::from_secs(10 * 3600);
    let world = World::within(limits, &own).await;
    assert_eq!(status(world.get(&content())).await, 200);
    world.stop().await;
}
