//! Limits of proxies on heads and bodies, and paths that they remove (docs/operations.md).

use norma_api::Operation;

use crate::Services;
use crate::proxy::{Case, PROGRAMS, client};

/// Sends a token of this many bytes, which the service refuses, and this many more bytes of head. Gives the
/// status.
async fn status(url: &str, token: usize, more: usize) -> u16 {
    let request = client().get(format!("{url}{}", Operation::Limits.path())).bearer_auth("x".repeat(token));
    request.header("x-more", "x".repeat(more)).send().await.unwrap().status().as_u16()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proxy_takes_heads_as_large_as_the_documentation_says() {
    let services = Services::start().await;
    // The answers to tokens of 7, 9 and 15 KB, and to a head of 30 KB; 401 is that of the service.
    let expected = [
        ("nginx", [401, 400, 400, 400], [401; 4]),
        ("haproxy", [401, 401, 401, 400], [401; 4]),
        ("apache2", [401, 400, 400, 400], [401; 4]),
    ];
    for (name, by_default, with_setting) in expected {
        let program = PROGRAMS.iter().find(|program| program.name == name).unwrap();
        for (case, expected) in [(Case::Plain, by_default), (Case::Large, with_setting)] {
            let Some(proxy) = program.start(&services.service, case).await else { continue };
            let mut found = Vec::new();
            for (token, more) in [(7_000, 1), (9_000, 1), (15_000, 1), (1, 30_000)] {
                found.push(status(&proxy.url, token, more).await);
            }
            assert_eq!(found, expected, "{name} {case:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nginx_takes_the_path_of_the_service_away_and_refuses_large_bodies() {
    let services = Services::start().await;
    let Some(proxy) = PROGRAMS[0].start(&services.service, Case::Plain).await else { return };
    let post = async |size: usize| {
        let path = Operation::Migrate.path_with(&["urn:nsb:std:nsb:4210:ed-2:en"]);
        let request = client().post(format!("{}/standards{path}", proxy.url)).body(vec![b'x'; size]);
        let answer = request.send().await.unwrap();
        let is_of_service = answer.headers()["content-type"] == "application/problem+json";
        (answer.status().as_u16(), is_of_service)
    };
    assert_eq!((post(60 << 10).await, post(70 << 10).await), ((401, true), (413, false)));
}
