//! Requests whose connection an instance closes, and which of them a proxy sends to another instance
//! (docs/operations.md).

use norma_api::Operation;
use reqwest::StatusCode;
use serde_json::json;
use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;

use crate::Services;
use crate::proxy::{Case, PROGRAMS, client};
use crate::support::free_port;

/// An instance that reads a request and closes the connection without an answer.
async fn breaking() -> std::net::SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut request = Vec::new();
                while !request.windows(4).any(|end| end == b"\r\n\r\n") {
                    if !matches!(socket.read_buf(&mut request).await, Ok(1..)) {
                        break;
                    }
                }
            });
        }
    });
    address
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_an_instance_breaks_off_is_sent_again_as_the_documentation_says() {
    let services = Services::start().await;
    let caller = services.plain.caller().await;
    let breaking = breaking().await;
    // Whether GET and POST are sent to the other instance: by default, and with the setting.
    let expected = [
        ("nginx", [true, false], [true, true]),
        ("haproxy", [false, false], [true, true]),
        ("apache2", [false, false], [false, false]),
    ];
    for (name, by_default, with_setting) in expected {
        let program = PROGRAMS.iter().find(|program| program.name == name).unwrap();
        for (case, expected) in
            [(Case::Breaking(breaking), by_default), (Case::Retrying(breaking), with_setting)]
        {
            let Some(proxy) = program.start(&services.service, case).await else { continue };
            let mut is_sent_again = [true; 2];
            for number in 0..12 {
                let is_post = number % 4 >= 2;
                let request = match is_post {
                    true => {
                        let urn = "urn:nsb:std:nsb:4210:ed-2:en";
                        let path = Operation::Migrate.path_with(&[urn]);
                        let body = json!({ "ids": ["prv_aaaaaaaaaaaaaaaaaaaaaaaaaa"] });
                        client().post(format!("{}{path}", proxy.url)).json(&body)
                    }
                    false => client().get(format!("{}{}", proxy.url, Operation::Limits.path())),
                };
                let status = request.bearer_auth(caller.token()).send().await.unwrap().status();
                match status {
                    StatusCode::OK => {}
                    StatusCode::BAD_GATEWAY => is_sent_again[usize::from(is_post)] = false,
                    other => panic!("{name} {case:?}: {other}"),
                }
            }
            assert_eq!(is_sent_again, expected, "{name} {case:?}");
        }
    }
    // An instance that refuses connections: HAProxy asks the other one with `option redispatch 1` only.
    let refusing = std::net::SocketAddr::from(([127, 0, 0, 1], free_port()));
    let haproxy = PROGRAMS.iter().find(|program| program.name == "haproxy").unwrap();
    for (case, expected) in [(Case::Breaking(refusing), 503), (Case::Retrying(refusing), 200)] {
        let Some(proxy) = haproxy.start(&services.service, case).await else { continue };
        let url = format!("{}{}", proxy.url, Operation::Limits.path());
        let mut found = std::collections::BTreeSet::from([200]);
        for _ in 0..6 {
            let answer = client().get(&url).bearer_auth(caller.token()).send().await.unwrap();
            found.insert(answer.status().as_u16());
        }
        assert_eq!(found, [200, expected].into(), "{case:?}");
    }
}
