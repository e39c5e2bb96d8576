//! Reverse proxies in front of the service: requests with unread bodies do not disable an instance, and all
//! operations answer as without a proxy. Limits and retries are those of docs/operations.md. `script/test`
//! and `script/test-deploy` install the proxies; one that is absent is named, and nothing is proved about it.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

mod exchange;
mod limits;
mod proxy;
mod retries;
#[path = "../support/mod.rs"]
mod support;

use exchange::{expect_equal, requests};
use proxy::{Case, PROGRAMS, REQUESTS, Service, client};
use support::Demo;

/// Two demonstrations of the service, without TLS and with it.
struct Services {
    plain: Demo,
    secure: Demo,
    service: Service,
}

impl Services {
    async fn start() -> Self {
        let key = rcgen::KeyPair::generate().unwrap();
        let parameters = rcgen::CertificateParams::new(["127.0.0.1".to_owned()]).unwrap();
        let pem = [parameters.self_signed(&key).unwrap().pem(), key.serialize_pem()].concat();
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("both.pem");
        std::fs::write(&file, &pem).unwrap();
        let file = file.to_str().unwrap();
        // All requests come from one address: the proxies' and the test's.
        let many = ["--refused-limit", "10000"];
        let plain = Demo::start(&many).await;
        let secure = Demo::start(&[&many[..], &["--tls-cert", file, "--tls-key", file]].concat()).await;
        let address = |demo: &Demo| {
            let url = demo.ready["baseUrl"].as_str().unwrap();
            url.split_once("://").unwrap().1.parse().unwrap()
        };
        let service = Service { plain: address(&plain), secure: address(&secure), pem };
        Self { plain, secure, service }
    }
}

/// Sends requests with bodies of 1 KB to 5 MB and no token; returns the number of answers that were not the
/// service's 401.
async fn flood(url: &str, count: usize) -> usize {
    let sizes = [1_000, 60_000, 900_000, 5_000_000];
    let mut lost = 0;
    for number in 0..count {
        let body = vec![b'x'; sizes[number % sizes.len()]];
        let path = ["/api/content/v1/standards", "/api/content/v1/limits"][number % 2];
        // A client of its own each: a connection that was closed causes no second try.
        let mut request = client().get(format!("{url}{path}")).body(body);
        if number % 3 == 0 {
            request = request.header("expect", "100-continue");
        }
        let answer = request.send().await;
        if !answer.as_ref().is_ok_and(|answer| answer.status() == 401) {
            eprintln!("request {number}: {answer:?}");
            lost += 1;
        }
    }
    lost
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_that_nobody_reads_take_the_service_from_nobody_behind_a_proxy() {
    let services = Services::start().await;
    let (plain, secure) = (services.plain.caller().await, services.secure.caller().await);
    for (program, case) in PROGRAMS.iter().flat_map(|program| [(program, Case::Plain), (program, Case::Tls)])
    {
        let Some(proxy) = program.start(&services.service, case).await else { continue };
        let flooding = tokio::spawn({
            let url = proxy.url.clone();
            async move { flood(&url, REQUESTS).await }
        });
        let tls = case == Case::Tls;
        let caller = if tls && program.reaches_tls { &secure } else { &plain };
        let (http, url) = (client(), format!("{}/api/content/v1/limits", proxy.url));
        let (mut reads, mut failed) = (0, Vec::new());
        while !flooding.is_finished() || reads < 50 {
            match http.get(&url).bearer_auth(caller.token()).send().await {
                Ok(answer) if answer.status() == 200 => {}
                other => failed.push(format!("{other:?}")),
            }
            reads += 1;
        }
        let name = format!("{}{}", program.name, if tls { " with TLS" } else { "" });
        assert!(failed.is_empty(), "{name}: {} of {reads} reads failed: {failed:?}", failed.len());
        let lost = flooding.await.unwrap();
        eprintln!("{name}: 0 of {reads} reads failed, {lost} of {REQUESTS} early answers were lost");
        assert!(lost <= program.may_lose, "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn all_operations_answer_through_a_proxy_as_without_one() {
    let services = Services::start().await;
    let caller = services.plain.caller().await;
    let straight = format!("http://{}", services.service.plain);
    let requests = requests(&caller, &straight).await;
    for program in &PROGRAMS {
        let Some(proxy) = program.start(&services.service, Case::Plain).await else { continue };
        let mut exchanges = 0;
        for request in &requests {
            exchanges += expect_equal(program.name, request, caller.token(), [&straight, &proxy.url]).await;
        }
        eprintln!("{}: {exchanges} exchanges are equal", program.name);
    }
}
