//! The demonstration: each printed command works in a shell, and its output is the one shown below it.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

mod support;

use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use support::Demo;
use support::wait::{DEADLINE, eventually};

/// The output of `norma demo` up to its end.
async fn printed(demo: &Demo) -> String {
    eventually(DEADLINE, async || {
        let text = std::fs::read_to_string(demo.folder().join("printed")).unwrap();
        if text.ends_with("Ctrl-C stops it.\n") { Ok(text) } else { Err(text) }
    })
    .await
}

/// The first command, which sets variables, and the others, each with the output below it.
fn steps(printed: &str) -> (&str, Vec<(&str, &str)>) {
    let mut blocks = printed.split("\n\n");
    let first = blocks.by_ref().find(|block| block.starts_with("  . ")).unwrap();
    let mut steps = Vec::new();
    while let Some(block) = blocks.next() {
        if block.starts_with(|first: char| first.is_ascii_digit()) {
            steps.push((blocks.next().unwrap(), blocks.next().unwrap()));
        }
    }
    (first, steps)
}

#[tokio::test(flavor = "multi_thread")]
async fn each_command_prints_what_is_shown_below_it() {
    let demo = Demo::start(&[]).await;
    let printed = printed(&demo).await;
    let (variables, steps) = steps(&printed);
    assert_eq!(steps.len(), 6, "{printed}");
    let without_instance = |text: &str| -> Vec<String> {
        text.lines()
            .filter(|line| !line.contains("\"instance\""))
            .map(|line| line.trim().to_owned())
            .collect()
    };
    for (commands, shown) in &steps {
        let output = Command::new("sh")
            .args(["-c", &format!("{variables}\n{commands}")])
            .env_clear()
            .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
            .env("COLUMNS", "96")
            .output()
            .unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{commands}: {}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(without_instance(&said), without_instance(shown), "{commands}");
    }
    for (at, words) in [
        (0, &["discover", "superseded", "urn:nsb:std:nsb:4210:ed-2:en"][..]),
        (1, &["proof load", "requirement", "NSB 4210:2025"]),
        (2, &["4.2(1)", "requirement", "prv_"]),
        (3, &["should", "shall", "strength"]),
        (4, &["found", "absent", "prv_"]),
        (5, &["Dimension,Value mm,Condition", "content-not-licensed"]),
    ] {
        for word in words {
            assert!(steps[at].1.contains(word), "`{word}` is not in {}", steps[at].1);
        }
    }
    assert!(!printed.contains("diagnostic") && !printed.contains("warning"), "{printed}");
    assert!(printed.lines().all(|line| line.chars().count() <= 140), "{printed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shell_that_read_the_environment_of_another_demonstration_changes_nothing_and_reads_a_note() {
    let first = Demo::start(&[]).await;
    printed(&first).await;
    let environment = first.folder().join("data/environment");
    let second = Demo::start_after(&environment).await;
    let printed = printed(&second).await;
    assert_ne!(second.ready["authUrl"], first.ready["authUrl"]);
    let log = std::fs::read_to_string(second.folder().join("log")).unwrap();
    assert!(log.contains("NORMA_AUTH_URL is ignored"), "{log}");
    let caller = second.caller().await;
    let listed = caller.json("/standards?limit=100").await;
    let total = listed["total"].as_u64().unwrap();
    let counts = format!("The caller of the demonstration finds {total} and may read");
    assert!(printed.contains(&counts) && printed.contains("1 is hidden: no grant names it"), "{printed}");
    let (_, steps) = steps(&printed);
    assert!(steps[0].1.contains("urn:nsb:std:nsb:4210:ed-2:en"), "{printed}");
}

#[test]
fn a_first_build_says_how_long_it_takes_and_a_later_one_does_not() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("cargo", "#!/bin/sh\n"), ("rustc", "#!/bin/sh\necho rustc 99.0.0\n")] {
        let program = folder.path().join(name);
        std::fs::write(&program, text).unwrap();
        std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
    }
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
    let said = || {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../script/demo");
        let mut command = Command::new(script);
        command.env("PATH", &path).env("CARGO_TARGET_DIR", folder.path());
        let output = command.output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    assert_eq!(said(), "The first build takes two to four minutes.\n");
    std::fs::create_dir(folder.path().join("demo")).unwrap();
    std::fs::write(folder.path().join("demo/norma"), "").unwrap();
    assert_eq!(said(), "");
}
