//! `norma mcp --listen`: which options are needed, and the address that it prints.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use crate::support::Demo;

/// A running `norma mcp --listen`.
pub(crate) struct Listening {
    child: Child,
    pub(crate) url: String,
}

impl Drop for Listening {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

pub(crate) fn listen(demo: &Demo, arguments: &[&str]) -> Listening {
    let arguments = [&["--listen", "127.0.0.1:0"], arguments].concat();
    let mut command = demo.as_caller("mcp", &arguments);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let url = line.trim().strip_prefix("Connect: ").unwrap_or_else(|| panic!("{line}")).to_owned();
    Listening { child, url }
}

#[tokio::test(flavor = "multi_thread")]
async fn options_that_would_answer_strangers_are_refused_with_what_to_give() {
    let demo = Demo::start(&[]).await;
    for (arguments, expected) in [
        (&["--listen", "0.0.0.0:0"][..], "give `--issuer` and `--audience`"),
        (&["--issuer", "https://login.example"], "give `--listen ADDRESS`"),
        (&["--listen", "127.0.0.1:0", "--issuer", "https://login.example"], "give `--audience`"),
        (
            &["--listen", "0.0.0.0:0", "--issuer", "https://login.example", "--audience", "api://mcp"],
            "--tls-cert",
        ),
        (
            &[
                "--listen",
                "0.0.0.0:0",
                "--issuer",
                "https://login.example",
                "--audience",
                "api://mcp",
                "--trusted-proxies",
                "192.0.2.1",
            ],
            "--public-url",
        ),
    ] {
        let output = demo.as_caller("mcp", arguments).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
}

/// The development provider's tokens of an application have a subject as well.
#[tokio::test(flavor = "multi_thread")]
async fn a_token_of_the_provider_is_answered_and_one_for_the_service_is_not() {
    let demo = Demo::start(&[]).await;
    let caller = demo.caller().await;
    let claims = claims(caller.token());
    let issuer = claims["iss"].as_str().unwrap();
    let own_audience = claims["aud"].as_str().unwrap();
    let keys = format!(
        "{}/{}/discovery/v2.0/keys",
        demo.ready["authUrl"].as_str().unwrap(),
        demo.ready["tenantId"].as_str().unwrap()
    );
    let with =
        |audience: &str| listen(&demo, &["--issuer", issuer, "--jwks-uri", &keys, "--audience", audience]);
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).to_string();
    for (audience, expected) in [(own_audience, 200), ("api://norma-mcp", 401)] {
        let running = with(audience);
        let request = demo.http.post(&running.url).bearer_auth(caller.token()).body(body.clone());
        let request = request.header("content-type", "application/json");
        let request = request.header("accept", "application/json, text/event-stream");
        let answer = request.send().await.unwrap();
        assert_eq!(answer.status().as_u16(), expected, "{audience}");
        if expected == 401 {
            let challenge = answer.headers()["www-authenticate"].to_str().unwrap();
            assert!(challenge.contains("resource_metadata="), "{challenge}");
        }
    }
}

/// The claims of a token.
fn claims(token: &str) -> Value {
    let part = token.split('.').nth(1).unwrap();
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0_u32, 0);
    for c in part.bytes() {
        let value = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'-' => 62,
            _ => 63,
        };
        (bits, count) = (bits << 6 | u32::from(value), count + 6);
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    serde_json::from_slice(&bytes).unwrap()
}
