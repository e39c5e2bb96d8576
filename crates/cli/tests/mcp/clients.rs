//! Clients of others with the program, over its pipes and over HTTP: the packages of the protocol's project
//! for Python and Node, and its inspector. A test whose program is not there says so and proves nothing.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Host;
use crate::over_http::listen;
use crate::support::{Demo, installed};

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peers").join(name)
}

/// The variables by which a host starts the program, as its configuration has them.
fn environment(demo: &Demo, command: &mut Command) {
    let caller = demo.as_caller("mcp", &[]);
    for (name, value) in caller.get_envs() {
        command.env(name, value.unwrap());
    }
    command.env("NORMA_PROGRAM", env!("CARGO_BIN_EXE_norma"));
}

fn succeed(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = [&output.stdout[..], &output.stderr[..]].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    assert!(output.status.success(), "{command:?}\n{said}");
    said
}

#[tokio::test(flavor = "multi_thread")]
async fn the_python_client_reads_cites_and_verifies() {
    let Some(venv) = installed("NORMA_VENV") else { return };
    let demo = Demo::start(&[]).await;
    drop(Host::start(&demo).await);
    let running = listen(&demo, &[]);
    let mut client = Command::new(venv.join("bin/python"));
    environment(&demo, &mut client);
    println!("{}", succeed(client.arg(script("mcp_client.py")).arg(&running.url)));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_node_client_reads_cites_and_verifies() {
    let Some(modules) = installed("NORMA_NODE_MODULES") else { return };
    let demo = Demo::start(&[]).await;
    drop(Host::start(&demo).await);
    let running = listen(&demo, &[]);
    let mut client = Command::new("node");
    environment(&demo, &mut client);
    println!("{}", succeed(client.arg(script("mcp_client.cjs")).arg(&running.url).env("NODE_PATH", modules)));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_inspector_lists_the_tools_and_calls_one() {
    let Some(modules) = installed("NORMA_NODE_MODULES") else { return };
    let inspector = modules.join(".bin/mcp-inspector");
    if !inspector.exists() {
        eprintln!("{} is not there: nothing is proved here", inspector.display());
        return;
    }
    let demo = Demo::start(&[]).await;
    drop(Host::start(&demo).await);
    // The inspector gives the program none of its own variables.
    let caller = demo.as_caller("mcp", &[]);
    let variables: Vec<String> = caller
        .get_envs()
        .map(|(name, value)| format!("{}={}", name.display(), value.unwrap().display()))
        .collect();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(&inspector);
        command.arg("--cli");
        for variable in &variables {
            command.args(["-e", variable]);
        }
        succeed(command.args([env!("CARGO_BIN_EXE_norma"), "mcp"]).args(arguments))
    };
    let tools = run(&["--method", "tools/list"]);
    assert!(tools.contains("verify_quotations") && tools.contains("readOnlyHint"), "{tools}");
    let called = run(&["--method", "tools/call", "--tool-name", "search", "--tool-arg", "words=proof load"]);
    assert!(called.contains("NSB 4210:2025, 3.3"), "{called}");
}
