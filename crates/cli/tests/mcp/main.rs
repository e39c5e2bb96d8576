//! `norma mcp` against the running demonstration: texts, citations, quotations, questions of engineers, many
//! calls at once, and clients of others.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

mod clients;
mod over_http;
mod questions;
mod quotations;
#[path = "../support/mod.rs"]
mod support;
mod texts;

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

use serde_json::{Value, json};
use support::wait::eventually;
use support::{DEADLINE, Demo};

const ANCHORS: &str = "urn:nsb:std:nsb:4210:ed-2:en";
const OLDER_ANCHORS: &str = "urn:nsb:std:nsb:4210:ed-1:en";
const BATHS: &str = "urn:nsb:std:nsb:4230:-1:ed-1:en";

/// A host that started `norma mcp`.
struct Host {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    next_id: u64,
}

impl Drop for Host {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

impl Host {
    /// Starts the program as the caller of the demonstration, greets it, and waits until all standards are
    /// searched.
    async fn start(demo: &Demo) -> Self {
        let mut host = Self::of(&mut demo.as_caller("mcp", &[]));
        eventually(DEADLINE, async || {
            let (answer, _) = host.call("search", json!({"words": "anchor", "limit": 1}));
            if answer["total"].as_u64() > Some(20) { Ok(()) } else { Err(answer.to_string()) }
        })
        .await;
        host
    }

    fn of(command: &mut Command) -> Self {
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let mut host = Self { child, input, output, next_id: 0 };
        let client = json!({"name": "tests", "version": "1"});
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
        let id = host.send("initialize", params);
        let answer = host.receive(&[id]).remove(&id).unwrap();
        assert_eq!(answer["result"]["serverInfo"]["name"], "norma", "{answer}");
        host.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        host
    }

    fn write(&mut self, message: &Value) {
        writeln!(self.input.as_mut().unwrap(), "{message}").unwrap();
    }

    fn send(&mut self, method: &str, params: Value) -> u64 {
        self.next_id += 1;
        let id = self.next_id;
        self.write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// The answers with these ids, in whatever order they come.
    fn receive(&mut self, ids: &[u64]) -> HashMap<u64, Value> {
        let mut answers = HashMap::new();
        while answers.len() < ids.len() {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the program closed its output");
            let answer: Value = serde_json::from_str(&line).unwrap();
            let id = answer["id"].as_u64().unwrap_or_else(|| panic!("{answer}"));
            assert!(ids.contains(&id), "{answer}");
            answers.insert(id, answer);
        }
        answers
    }

    /// Calls a tool: its structure, and the text that a model reads.
    fn call(&mut self, tool: &str, arguments: Value) -> (Value, String) {
        let result = self.call_raw(tool, arguments);
        assert_eq!(result["isError"], false, "{result}");
        (result["structuredContent"].clone(), result["content"][0]["text"].as_str().unwrap().to_owned())
    }

    /// The sentence of a call that fails.
    fn refused(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call_raw(tool, arguments);
        assert_eq!(result["isError"], true, "{result}");
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }

    fn call_raw(&mut self, tool: &str, arguments: Value) -> Value {
        let id = self.send("tools/call", json!({"name": tool, "arguments": arguments}));
        let answer = self.receive(&[id]).remove(&id).unwrap();
        assert!(answer["result"].is_object(), "{answer}");
        answer["result"].clone()
    }

    /// A figure of the program in `/proc`, in KiB.
    #[cfg(target_os = "linux")]
    fn memory(&self, name: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_calls_at_once_are_answered_within_64_mib() {
    let demo = Demo::start(&[]).await;
    drop(Host::start(&demo).await);
    let start = Instant::now();
    let mut host = Host::of(&mut demo.as_caller("mcp", &[]));
    let id = host.send("tools/list", json!({}));
    let tools = host.receive(&[id]).remove(&id).unwrap();
    println!("start to first answer: {} ms", start.elapsed().as_millis());
    assert_eq!(tools["result"]["tools"].as_array().unwrap().len(), 8);
    let calls = [
        ("search", json!({"words": "anchor"})),
        ("read", json!({"urn": ANCHORS, "max_tokens": 12000})),
        ("outline", json!({ "urn": BATHS })),
        ("compare", json!({"older": OLDER_ANCHORS, "newer": ANCHORS})),
        ("find_standards", json!({})),
    ];
    let mut ids = Vec::new();
    for round in 0..100 {
        let (tool, arguments) = &calls[round % calls.len()];
        ids.push(host.send("tools/call", json!({"name": tool, "arguments": arguments})));
    }
    for answer in host.receive(&ids).values() {
        assert_eq!(answer["result"]["isError"], false, "{answer}");
    }
    let peak = host.memory("VmHWM");
    println!("peak of resident memory: {} MiB", peak / 1024);
    assert!(peak <= 64 * 1024, "{peak} KiB");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_closes_the_pipe_ends_the_program_with_0() {
    let demo = Demo::start(&[]).await;
    let mut host = Host::start(&demo).await;
    host.input = None;
    assert_eq!(host.child.wait().unwrap().code(), Some(0));
    // One that is stopped while a host waits ends as well.
    let mut host = Host::start(&demo).await;
    assert!(Command::new("kill").arg(host.child.id().to_string()).status().unwrap().success());
    assert_eq!(host.child.wait().unwrap().code(), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn audit_lines_go_to_the_file_and_have_no_text() {
    let demo = Demo::start(&[]).await;
    let file = demo.folder().join("audit-of-mcp");
    let mut command = demo.as_caller("mcp", &["--audit-file", file.to_str().unwrap()]);
    let mut host = Host::of(&mut command);
    host.call("read", json!({"urn": ANCHORS, "section": "6.1"}));
    host.refused("read", json!({"urn": "urn:nsb:std:nsb:4220:ed-1:en"}));
    let lines = std::fs::read_to_string(&file).unwrap();
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!((&lines[0]["tool"], &lines[0]["outcome"]), (&json!("read"), &json!("ok")));
    assert_eq!(lines[0]["urns"], json!([ANCHORS]));
    assert_eq!(lines[1]["outcome"], "not-licensed");
    assert!(lines.iter().all(|line| line.get("sub").is_none()), "{lines:?}");
    assert!(!std::fs::read_to_string(&file).unwrap().contains("proof load"));
}
