//! `norma mirror` and `norma watch` against the running demonstration: copies equal the list after each run,
//! whatever happened and whenever a run was killed.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

mod support;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Output;
use std::time::Duration;

use serde_json::Value;
use support::Demo;

const READ: &str = "urn:nsb:std:nsb:4210:ed-1:en";
const OTHER: &str = "urn:nsb:std:nsb:4230:-1:ed-1:en";
const REMOVED: &str = "urn:nsb:std:nsb:4201:ed-1:en";

fn run(demo: &Demo, name: &str, arguments: &[&str]) -> Output {
    demo.as_caller(name, arguments).output().unwrap()
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Runs a mirror to its end, and returns its last line.
fn mirror(demo: &Demo, folder: &Path) -> String {
    let output = run(demo, "mirror", &[folder.to_str().unwrap()]);
    assert!(output.status.success(), "{}", said(&output));
    String::from_utf8(output.stdout).unwrap().lines().last().unwrap().to_owned()
}

/// Revision and status of each copy, by URN.
fn copies(folder: &Path) -> BTreeMap<String, (String, String)> {
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir(folder.join("standards")).unwrap() {
        let file = entry.unwrap().path().join("standard.json");
        let standard: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
        let text = |name: &str| standard[name].as_str().unwrap().to_owned();
        all.insert(text("urn"), (text("revision"), text("status")));
    }
    all
}

/// The same of each edition that the caller may read.
async fn listed(demo: &Demo) -> BTreeMap<String, (String, String)> {
    let list = demo.caller().await.json("/standards?limit=500&access=read").await;
    let text = |item: &Value, name: &str| item[name].as_str().unwrap().to_owned();
    let items = list["items"].as_array().unwrap();
    items.iter().map(|i| (text(i, "urn"), (text(i, "revision"), text(i, "status")))).collect()
}

/// A running service knows of a change within a second.
async fn catch_up() {
    tokio::time::sleep(Duration::from_millis(1200)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mirror_has_what_the_list_has_after_each_run() {
    let demo = Demo::start(&[]).await;
    let folder = demo.folder().join("copies");
    let first = mirror(&demo, &folder);
    assert_eq!(copies(&folder), listed(&demo).await);
    assert!(first.contains("all listed"), "{first}");
    assert!(mirror(&demo, &folder).contains(" 0 read, 0 removed"));
    let check = run(&demo, "mirror", &[folder.to_str().unwrap(), "--check"]);
    assert!(check.status.success(), "{}", said(&check));
    let held = folder.join("standards/urn_nsb_std_nsb_4210_ed-1_en");
    for file in ["standard.json", "provisions.json", "tables.json", "content.txt", "content.html"] {
        assert!(std::fs::metadata(held.join(file)).unwrap().len() > 100, "{file}");
    }

    demo.norma(&["withdraw", READ, "--notice", "Use edition 2."]);
    demo.norma(&["recall", OTHER, "--reason", "an error"]);
    demo.norma(&["remove", REMOVED]);
    catch_up().await;
    let second = mirror(&demo, &folder);
    assert!(second.contains(" 1 read, 2 removed"), "{second}");
    assert_eq!(copies(&folder), listed(&demo).await);

    // A grant ends: all that it showed goes.
    demo.norma(&["grant", "remove", "1"]);
    catch_up().await;
    let third = mirror(&demo, &folder);
    assert!(third.contains("all listed"), "{third}");
    assert_eq!(copies(&folder), listed(&demo).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_repairs_what_a_check_reports() {
    let demo = Demo::start(&[]).await;
    let folder = demo.folder().join("copies");
    let standards = folder.join("standards");
    let check = |code: i32| {
        let check = run(&demo, "mirror", &[folder.to_str().unwrap(), "--check"]);
        assert_eq!(check.status.code(), Some(code), "{}", said(&check));
        said(&check)
    };
    let refused = check(2);
    assert!(refused.contains("copies does not exist") && !folder.exists(), "{refused}");
    mirror(&demo, &folder);

    // A copy that is missing is read again; a file or folder that belongs to none is removed.
    std::fs::remove_dir_all(standards.join("urn_nsb_std_nsb_4210_ed-1_en")).unwrap();
    std::fs::create_dir(standards.join("folder")).unwrap();
    std::fs::write(standards.join("file"), "x").unwrap();
    std::fs::write(standards.join(".DS_Store"), "x").unwrap();
    let (found, missing) = (check(1), format!("missing: {READ}"));
    for line in [&*missing, "not licensed: folder", "not licensed: file"] {
        assert!(found.contains(line), "{found}");
    }
    assert!(!found.contains(".DS_Store"), "{found}");
    let repaired = mirror(&demo, &folder);
    assert!(repaired.contains(" 1 read, 0 removed") && !repaired.contains("all listed"), "{repaired}");
    check(0);

    // A copy that somebody changed is found by a check alone, which says what to do.
    std::fs::write(standards.join("urn_nsb_std_nsb_4210_ed-1_en/content.txt"), "changed").unwrap();
    mirror(&demo, &folder);
    let found = check(1);
    assert!(found.contains("content.txt") && found.contains("remove mirror.json"), "{found}");
    std::fs::remove_file(folder.join("mirror.json")).unwrap();
    // The listing run removes files as well.
    std::fs::write(standards.join("file"), "x").unwrap();
    mirror(&demo, &folder);
    check(0);
    assert!(!standards.join("file").exists() && standards.join(".DS_Store").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mirror_that_is_killed_at_any_time_goes_on() {
    let demo = Demo::start(&[]).await;
    let folder = demo.folder().join("copies");
    for pause in [5, 20, 40, 60, 80, 100, 150, 200, 300] {
        let mut child = demo.as_caller("mirror", &[folder.to_str().unwrap()]).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(pause));
        child.kill().unwrap();
        child.wait().unwrap();
        // What is there is whole.
        if folder.join("standards").exists() {
            copies(&folder);
        }
    }
    mirror(&demo, &folder);
    assert_eq!(copies(&folder), listed(&demo).await);
    let check = run(&demo, "mirror", &[folder.to_str().unwrap(), "--check"]);
    assert!(check.status.success(), "{}", said(&check));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_watch_hands_on_what_changed_once_and_again_where_its_command_failed() {
    let demo = Demo::start(&[]).await;
    let (state, got) = (demo.folder().join("watch.json"), demo.folder().join("got"));
    let state = state.to_str().unwrap();
    let write = format!("cat >> '{}'", got.display());
    let call = |command: &str| run(&demo, "watch", &["--state", state, "--exec", command]);
    assert!(call(&write).status.success());
    assert!(!got.exists(), "the first call hands nothing on");
    demo.norma(&["withdraw", READ]);
    catch_up().await;
    let failed = call("exit 7");
    assert_eq!(failed.status.code(), Some(2), "{}", said(&failed));
    assert!(call(&write).status.success());
    let payload: Value = serde_json::from_slice(&std::fs::read(&got).unwrap()).unwrap();
    assert_eq!(payload["type"], "norma.changes");
    let item = &payload["data"]["items"][0];
    assert_eq!((&item["type"], &item["urn"]), (&"withdraw".into(), &READ.into()), "{payload}");
    std::fs::remove_file(&got).unwrap();
    assert!(call(&write).status.success());
    assert!(!got.exists(), "nothing is handed on twice");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_watch_on_the_same_state_is_refused() {
    let demo = Demo::start(&[]).await;
    let file = |name: &str| demo.folder().join(name);
    let state = file("watch.json");
    let state = state.to_str().unwrap();
    let call = |command: &str| demo.as_caller("watch", &["--state", state, "--exec", command]);
    assert!(call("true").status().unwrap().success());
    demo.norma(&["withdraw", READ]);
    catch_up().await;
    // A call whose command waits until the second one has ended, for a minute at most.
    let (started, ended, got) = (file("started"), file("ended"), file("got"));
    let [started_text, ended_text, got_text] = [&started, &ended, &got].map(|path| path.display());
    let command = format!(
        "touch '{started_text}'; for i in $(seq 600); do [ -e '{ended_text}' ] && break; sleep 0.1; done; \
         cat >> '{got_text}'"
    );
    let mut first = call(&command).spawn().unwrap();
    while !started.exists() {
        assert!(first.try_wait().unwrap().is_none(), "the first call waits for its command");
        std::thread::sleep(Duration::from_millis(20));
    }
    let second = call(&format!("cat >> '{got_text}'")).output().unwrap();
    assert_eq!(second.status.code(), Some(2), "{}", said(&second));
    assert!(said(&second).contains("another call runs"), "{}", said(&second));
    std::fs::write(&ended, "").unwrap();
    assert!(first.wait().unwrap().success());
    let payload: Value = serde_json::from_slice(&std::fs::read(&got).unwrap()).unwrap();
    assert_eq!(payload["data"]["items"].as_array().unwrap().len(), 1, "{payload}");

    let lost = run(&demo, "watch", &["--state", "no/such/folder/s.json", "--exec", "true"]);
    assert_eq!(lost.status.code(), Some(2), "{}", said(&lost));
    assert!(said(&lost).contains("no/such/folder: "), "{}", said(&lost));
}
