//! Files in `deploy/` against the program: what they name exists, and the service manager hears of start and stop.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up fails")]

use std::collections::BTreeSet;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// How long a start or a stop may take.
const DEADLINE: Duration = Duration::from_secs(60);

fn workspace() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Texts of all files below a folder that have this ending.
fn texts(folder: &str, ending: &str) -> Vec<String> {
    let files = walkdir::WalkDir::new(workspace().join(folder)).into_iter().map(Result::unwrap);
    let files = files.filter(|file| file.path().extension().is_some_and(|found| found == ending));
    files.map(|file| std::fs::read_to_string(file.path()).unwrap()).collect()
}

/// The names of metrics in a text.
fn metrics(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let names = words.filter(|word| word.starts_with("norma_")).map(|word| {
        let suffixes = ["_bucket", "_sum", "_count"];
        suffixes.iter().find_map(|suffix| word.strip_suffix(suffix)).unwrap_or(word).to_owned()
    });
    names.collect()
}

#[test]
fn dashboard_and_alerts_name_metrics_that_the_service_has_and_leave_none_out() {
    let literals = texts("crates/service/src", "rs").concat();
    let known: BTreeSet<String> =
        metrics(&literals).into_iter().filter(|name| literals.contains(&format!("!(\"{name}\""))).collect();
    assert!(known.contains("norma_http_requests_total"), "{known:?}");
    for (folder, ending) in [("deploy/prometheus", "yml"), ("deploy/grafana", "json")] {
        assert_eq!(metrics(&texts(folder, ending).concat()), known, "{folder}");
    }
}

#[test]
fn settings_of_traces_are_valid_and_their_secrets_are_not_printed() {
    let folder = tempfile::tempdir().unwrap();
    let headers = folder.path().join("headers");
    std::fs::write(&headers, "Authorization=Bearer%20hush,X-Scope=hush\n").unwrap();
    let dump = Command::new(env!("CARGO_BIN_EXE_norma"))
        .args(["config", "dump", "--config"])
        .arg(workspace().join("deploy/opentelemetry/norma.toml"))
        .env("NORMA_TRACES_HEADERS_FILE", &headers)
        .output()
        .unwrap();
    let shown = String::from_utf8(dump.stdout).unwrap();
    assert!(dump.status.success(), "{}", String::from_utf8_lossy(&dump.stderr));
    assert!(shown.contains("Authorization=…") && shown.contains("X-Scope=…"), "{shown}");
    assert!(shown.contains("0.01") && !shown.contains("hush"), "{shown}");
}

#[test]
fn the_service_manager_is_notified_of_readiness_and_of_the_stop() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notify");
    let socket = UnixDatagram::bind(&path).unwrap();
    socket.set_read_timeout(Some(DEADLINE)).unwrap();
    let state = || {
        let mut buffer = [0; 256];
        let length = socket.recv(&mut buffer).unwrap();
        String::from_utf8_lossy(&buffer[..length]).trim().to_owned()
    };
    let mut service = Command::new(env!("CARGO_BIN_EXE_norma"))
        .args([
            "serve",
            "--audience",
            "api://norma",
            "--listen",
            "127.0.0.1:0",
            "--ops-listen",
            "127.0.0.1:0",
        ])
        .args(["--drain-time", "0s"])
        .current_dir(&folder)
        .env("NOTIFY_SOCKET", &path)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    assert_eq!(state(), "READY=1");
    let stop = Command::new("kill").args(["-TERM", &service.id().to_string()]).status().unwrap();
    assert!(stop.success());
    assert_eq!(state(), "STOPPING=1");
    assert!(service.wait().unwrap().success());
}
