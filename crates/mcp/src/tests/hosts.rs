//! Hosts that send garbage, cancel, close their pipes, and call a hundred tools at once.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};
use tokio::task::JoinHandle;
use wiremock::matchers::{method, path_regex};
use wiremock::{Mock, ResponseTemplate};

use super::{URN, audited, call, host, mount_standard, server, service};
use crate::server::Server;
use crate::stdio::{StdioError, serve_pipes};

/// A host that writes any line.
struct RawHost {
    write: WriteHalf<DuplexStream>,
    read: BufReader<ReadHalf<DuplexStream>>,
    served: JoinHandle<Result<(), StdioError>>,
}

impl RawHost {
    fn of(server: Server) -> Self {
        let (ours, theirs) = tokio::io::duplex(1 << 22);
        let (read, write) = tokio::io::split(ours);
        let served = tokio::spawn(serve_pipes(server, read, write));
        let (read, write) = tokio::io::split(theirs);
        Self { write, read: BufReader::new(read), served }
    }

    async fn send(&mut self, line: &[u8]) {
        self.write.write_all(line).await.unwrap();
        self.write.write_all(b"\n").await.unwrap();
    }

    async fn request(&mut self, id: u32, method: &str, params: Value) {
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.send(request.to_string().as_bytes()).await;
    }

    /// The next answer with this id; answers to garbage have none.
    async fn answer(&mut self, id: u32) -> Value {
        loop {
            let mut line = String::new();
            let length = tokio::time::timeout(Duration::from_secs(20), self.read.read_line(&mut line)).await;
            assert!(length.unwrap().unwrap() > 0, "the server closed the pipe");
            let answer: Value = serde_json::from_str(&line).unwrap();
            if answer["id"] == id {
                return answer;
            }
        }
    }

    async fn initialize(&mut self, version: &str) -> Value {
        let client = json!({"name": "raw", "version": "1"});
        let params = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": client});
        self.request(0, "initialize", params).await;
        let answer = self.answer(0).await;
        self.send(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
        answer
    }
}

/// Lines that are no message, or none that a host sends.
fn garbage() -> Vec<Vec<u8>> {
    vec![
        b"".to_vec(),
        b"hello".to_vec(),
        b"{".to_vec(),
        b"{}".to_vec(),
        b"[]".to_vec(),
        b"null".to_vec(),
        vec![0xff, 0xfe, 0x00],
        br#"{"jsonrpc":"2.0","id":{"a":1},"method":"tools/list"}"#.to_vec(),
        br#"{"jsonrpc":"1.0","id":1000,"method":"tools/list"}"#.to_vec(),
        br#"{"jsonrpc":"2.0","id":1001,"method":"no/such/method"}"#.to_vec(),
        br#"{"jsonrpc":"2.0","id":1002,"method":"tools/call","params":{"name":7}}"#.to_vec(),
        br#"{"jsonrpc":"2.0","id":1003,"result":{}}"#.to_vec(),
        format!("\"{}\"", "x".repeat(2 << 20)).into_bytes(),
        "[".repeat(100_000).into_bytes(),
    ]
}

#[tokio::test]
async fn garbage_is_answered_or_passed_over_and_the_conversation_goes_on() {
    let service = service().await;
    mount_standard(&service, "Text.").await;
    let mut host = RawHost::of(server(&service, Duration::from_secs(5)));
    let answer = host.initialize("2025-06-18").await;
    assert_eq!(answer["result"]["protocolVersion"], "2025-06-18");
    for (round, line) in (1..).zip(garbage()) {
        host.send(&line).await;
        host.request(round, "tools/list", json!({})).await;
        let tools = host.answer(round).await;
        assert_eq!(tools["result"]["tools"].as_array().unwrap().len(), 8, "{round}");
    }
}

#[tokio::test]
async fn each_revision_of_the_protocol_is_spoken() {
    let service = service().await;
    for version in ["2025-06-18", "2025-11-25"] {
        let mut host = RawHost::of(server(&service, Duration::from_secs(5)));
        assert_eq!(host.initialize(version).await["result"]["protocolVersion"], version);
    }
    // The last one has no handshake: each request names the revision.
    let mut host = RawHost::of(server(&service, Duration::from_secs(5)));
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "raw", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    host.request(1, "server/discover", json!({ "_meta": meta })).await;
    let discovered = host.answer(1).await;
    let versions = discovered["result"]["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&"2026-07-28".into()), "{discovered}");
    host.request(2, "tools/list", json!({ "_meta": meta })).await;
    let tools = host.answer(2).await;
    assert_eq!(tools["result"]["tools"].as_array().unwrap().len(), 8, "{tools}");
}

#[tokio::test]
async fn a_host_that_closes_its_pipes_ends_the_conversation_without_an_error() {
    let service = service().await;
    Mock::given(method("GET"))
        .and(path_regex("^/api/"))
        .respond_with(ResponseTemplate::new(200).set_delay(Duration::from_secs(30)))
        .mount(&service)
        .await;
    // Before the first word, after the handshake, and during a call.
    for words in 0..3 {
        let mut host = RawHost::of(server(&service, Duration::from_secs(60)));
        if words > 0 {
            host.initialize("2025-11-25").await;
        }
        if words > 1 {
            host.request(1, "tools/call", json!({"name": "search", "arguments": {"words": "anchor"}})).await;
        }
        let RawHost { write, read, served } = host;
        drop((write, read));
        let ended = tokio::time::timeout(Duration::from_secs(20), served).await;
        assert!(ended.unwrap().unwrap().is_ok(), "after {words} words");
    }
}

#[tokio::test]
async fn a_cancelled_call_ends_at_once_is_in_the_audit_and_others_are_answered() {
    let service = service().await;
    mount_standard(&service, "Text.").await;
    Mock::given(method("GET"))
        .and(path_regex("/search$"))
        .respond_with(ResponseTemplate::new(200).set_delay(Duration::from_secs(30)))
        .mount(&service)
        .await;
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut host = RawHost::of(audited(&service, file.path()));
    host.initialize("2025-11-25").await;
    // More calls than may be made of the service at once: a cancelled one gives its turn back.
    for id in 1..=8 {
        host.request(id, "tools/call", json!({"name": "search", "arguments": {"words": "anchor"}})).await;
    }
    for id in 1..=8 {
        let cancelled = json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
                               "params": {"requestId": id, "reason": "enough"}});
        host.send(cancelled.to_string().as_bytes()).await;
    }
    host.request(9, "tools/call", json!({"name": "outline", "arguments": {"urn": URN}})).await;
    let answer = host.answer(9).await;
    assert_eq!(answer["result"]["structuredContent"]["edition"]["reference"], "NSB 4210:2025", "{answer}");
    let lines = std::fs::read_to_string(file.path()).unwrap();
    let cancelled = lines.lines().filter(|line| line.contains(r#""outcome":"cancelled""#)).count();
    assert_eq!(cancelled, 8, "{lines}");
    assert!(lines.contains(&format!(r#""tool":"outline","urns":["{URN}"],"outcome":"ok""#)), "{lines}");
}

#[tokio::test]
async fn a_hundred_calls_at_once_are_all_answered() {
    let service = service().await;
    mount_standard(&service, "The locking point shall be closed.").await;
    let host = host(server(&service, Duration::from_secs(20))).await;
    let calls = (0..100).map(|_| call(&host, "read", json!({"urn": URN, "section": "4.2"})));
    let answers = futures::future::join_all(calls).await;
    for answer in answers {
        let structure = answer.structured_content.unwrap();
        assert_eq!(structure["units"][0]["text"], "The locking point shall be closed.");
    }
}
