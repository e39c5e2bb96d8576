//! More connections than the process may open files: the service and its operator's listener continue.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

#[path = "support/wait.rs"]
#[allow(dead_code, unreachable_pub, reason = "each test program uses what it needs")]
mod wait;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use self::wait::{DEADLINE, eventually_blocking, ready};

/// `norma serve` under limits of open files.
struct Served {
    child: Child,
    folder: tempfile::TempDir,
    api: String,
    ops: String,
}

impl Served {
    fn with_files(soft: u32, hard: u32, more: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        let limits = format!("ulimit -Sn {soft}; ulimit -Hn {hard}; exec \"$0\" \"$@\"");
        let mut child = Command::new("sh")
            .args(["-c", &limits, env!("CARGO_BIN_EXE_norma"), "serve", "--audience", "api://norma"])
            .args(["--listen", "127.0.0.1:0", "--ops-listen", "127.0.0.1:0", "--drain-time", "0s"])
            .args(more)
            .arg("--store")
            .arg(file("norma.db"))
            .arg("--ready-file")
            .arg(file("ready"))
            .stdout(Stdio::null())
            .stderr(std::fs::File::create(file("log")).unwrap())
            .spawn()
            .unwrap();
        let ready = eventually_blocking(DEADLINE, || ready(&mut child, &file("ready"), &file("log")));
        let address = |name: &str| ready[name].as_str().unwrap().trim_start_matches("http://").to_owned();
        let (api, ops) = (address("baseUrl"), address("opsUrl"));
        Self { child, folder, api, ops }
    }

    fn log(&self) -> String {
        std::fs::read_to_string(Path::new(self.folder.path()).join("log")).unwrap()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// The status of an answer; `None` when the connection is closed instead.
fn status(address: &str, path: &str) -> Option<u16> {
    let mut socket = TcpStream::connect(address).ok()?;
    socket.set_read_timeout(Some(DEADLINE)).unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: n\r\nConnection: close\r\n\r\n");
    socket.write_all(request.as_bytes()).ok()?;
    let mut answer = String::new();
    socket.read_to_string(&mut answer).ok()?;
    answer.get(9..12)?.parse().ok()
}

#[test]
fn the_soft_limit_of_files_is_raised_so_that_idle_connections_do_not_use_it_up() {
    let served = Served::with_files(128, 2048, &["--max-connections-per-address", "1000"]);
    let idle: Vec<_> = (0..400).map(|_| TcpStream::connect(&served.api).unwrap()).collect();
    assert_eq!(status(&served.api, "/docs"), Some(200));
    assert_eq!(status(&served.ops, "/livez"), Some(200));
    drop(idle);
}

#[test]
fn under_a_hard_limit_that_is_low_connections_leave_files_to_the_rest_and_the_log_says_so() {
    let served = Served::with_files(128, 128, &[]);
    // Half of the files are for connections of the API; what comes beyond is closed at once.
    let idle: Vec<_> = (0..400).map_while(|_| TcpStream::connect(&served.api).ok()).collect();
    assert_eq!(status(&served.api, "/docs"), None);
    assert_eq!(status(&served.ops, "/livez"), Some(200));
    assert_eq!(status(&served.ops, "/readyz"), Some(200));
    drop(idle);
    let began = Instant::now();
    while status(&served.api, "/docs") != Some(200) {
        assert!(began.elapsed() < DEADLINE, "it does not take connections again");
    }
    let log = served.log();
    assert!(log.contains("fewer connections are taken than max-connections"), "{log}");
    let refusals = log.matches("a connection was refused").count();
    assert!((1..=60).contains(&refusals), "{refusals} lines of some 340 refused connections: {log}");
}

#[test]
fn errors_of_accepting_are_survived_and_logged_at_a_bounded_rate() {
    // The operator's 64 connections are more than the files that the service itself leaves.
    let served = Served::with_files(64, 64, &[]);
    let idle: Vec<_> = (0..120).map_while(|_| TcpStream::connect(&served.ops).ok()).collect();
    let began = Instant::now();
    while !served.log().contains("connections cannot be accepted") {
        assert!(began.elapsed() < DEADLINE, "no error was met: {}", served.log());
    }
    drop(idle);
    while status(&served.api, "/docs") != Some(200) || status(&served.ops, "/livez") != Some(200) {
        assert!(began.elapsed() < DEADLINE, "it does not take connections again");
    }
    let lines = served.log().matches("connections cannot be accepted").count() as u64;
    assert!(lines <= 2 * (began.elapsed().as_secs() + 1), "{lines} lines");
}

#[test]
fn the_demonstration_listens_on_loopback_only() {
    for setting in ["--listen", "--ops-listen", "--idp-listen", "--explorer-listen"] {
        let folder = tempfile::tempdir().unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_norma"))
            .args(["demo", setting, "192.0.2.1:0", "--data"])
            .arg(folder.path())
            .output()
            .unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && said.contains("loopback addresses only"), "{setting}: {said}");
        assert!(said.contains(&format!("`{setting} 192.0.2.1:0`")), "{said}");
    }
}
