//! Output of the program: it cannot act on a terminal or forge a line, has no colours in a file and no secret
//! of an address; a lost output is an error.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

mod support;

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};

use norma_audit::terminal::escaped_lines;
use support::installation::{Installation, norma, samples};
use support::test_store::{Kind, TestStore};

/// Text that clears the screen in two ways, reverses the direction of reading, and begins a new line.
const EVIL: &str = "Rice\u{1b}[2J\u{9b}2J\u{202e}\u{2066}\u{7f}\nnorma: forged";

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn assert_harmless(output: &str) {
    assert!(output.contains("forged"), "{output:?}");
    assert_eq!(output, escaped_lines(output), "{output:?}");
    assert!(!output.lines().any(|line| line.starts_with("norma: forged")), "{output}");
}

#[test]
fn what_names_titles_and_arguments_say_is_escaped_by_every_command() {
    let test_store = TestStore::new(Kind::Sqlite).unwrap();
    let store = ["--store", &test_store.store];
    let run = |arguments: &[&str]| norma(arguments).args(store).output().unwrap();
    let tenant = ["acme", "--issuer", "https://acme.example", "--name", EVIL];
    let added = run(&[&["tenant", "add"][..], &tenant].concat());
    assert!(added.status.success(), "{}", text(&added));
    assert_harmless(&text(&run(&["tenant", "list"])));

    // A title may hold all of it but what XML forbids; a newline becomes a space.
    let sample = std::fs::read_to_string(samples().join("minimal/document.xml")).unwrap();
    let (before, after) = sample.split_once("<full>").unwrap();
    let title = EVIL.replace('\u{1b}', "&#x9b;");
    let document = test_store.folder.path().join("standard.xml");
    std::fs::write(&document, format!("{before}<full>{title}{after}")).unwrap();
    let path = document.to_str().unwrap();
    let taken = run(&["ingest", path]);
    assert!(taken.status.success(), "{}", text(&taken));
    let listed = text(&run(&["list"]));
    let urn = listed.split_whitespace().find(|word| word.starts_with("urn:")).unwrap();
    assert_harmless(&text(&run(&["show", urn])));

    let folder = test_store.folder.path().join(EVIL);
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("broken.xml"), "<standard").unwrap();
    let folder = folder.to_str().unwrap();
    for arguments in [
        &["check", folder][..],
        &["check", "--format", "json", folder],
        &["check", "--format", "github", folder],
        &["ingest", folder],
        &["show", EVIL],
        &["withdraw", EVIL],
        &["grant", "add", "acme", "--urn", EVIL],
        &["list", "--config", EVIL],
        &["list", "--log-format", EVIL],
        &["list", EVIL],
        &["store", "copy", EVIL, "x.db"],
    ] {
        let output = run(arguments);
        assert!(!output.status.success(), "{arguments:?}");
        assert_harmless(&text(&output));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_is_lost_is_an_error() {
    for arguments in [&["openapi"][..], &["completions", "bash"], &["config", "defaults"]] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = norma(arguments).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output).contains("norma: cannot write to standard output: "), "{}", text(&output));

        let (reader, closed) = std::io::pipe().unwrap();
        drop(reader);
        let output = norma(arguments).stdout(closed).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", text(&output));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_in_a_file_has_no_colours() {
    let test_store = TestStore::new(Kind::Sqlite).unwrap();
    let installation = Installation::on(&test_store.options()).await;
    let instance = installation.serve(&["--log-level", "debug"]).await;
    let log = instance.log();
    assert!(log.contains("INFO serving api="), "{log}");
    assert_eq!(log, escaped_lines(&log));
}

#[test]
fn no_secret_of_an_address_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("norma.toml");
    for (store, blobs) in [
        ("postgres://norma:hush@127.0.0.1:1/norma?password=hush&sslpassword=hush&sslmode=disable", ""),
        ("postgres://127.0.0.1:1/norma?options=hush&port=none", ""),
        ("postgres://norma:hush?hush@127.0.0.1:1/norma", ""),
        ("postgres:/norma:hush@127.0.0.1:1/norma", ""),
        ("mysql://norma:hush@127.0.0.1/norma?password=hush", ""),
        ("norma:hush@127.0.0.1/norma", ""),
        (
            "norma.db",
            "s3://hush:hush@content/x?secret_access_key=hush&token=hush&region=x&endpoint=http://127.0.0.1:1",
        ),
        (
            "norma.db",
            "az://content/x?sig=hush&account_key=hush&account_name=norma&endpoint=http://127.0.0.1:1",
        ),
        ("norma.db", "s3://content?nonsense=hush"),
        ("norma.db", "ftp://norma:hush@content?nonsense=hush"),
    ] {
        std::fs::write(
            &file,
            format!("[store]\nstore = {store:?}\nblobs = {blobs:?}\nobject-timeout = \"1s\"\n"),
        )
        .unwrap();
        for arguments in [
            &["config", "dump"][..],
            &["store", "migrate"],
            &["list"],
            &["doctor", "operator"],
            &[
                "serve",
                "--audience",
                "x",
                "--listen",
                "127.0.0.1:0",
                "--ops-listen",
                "127.0.0.1:0",
                "--log-level",
                "debug",
                "--tls-cert",
                "none",
                "--store-timeout",
                "1s",
            ],
            &["store", "copy", store, "sqlite:", "--from-blobs", blobs],
        ] {
            let output = norma(arguments).current_dir(&folder).arg("--config").arg(&file).output().unwrap();
            let said = text(&output);
            assert!(!said.contains("hush"), "{arguments:?} on {store} {blobs}: {said}");
            assert!(!said.is_empty());
        }
    }
    // A file that cannot be read as TOML is not quoted.
    std::fs::write(&file, "[store]\nstore = \"postgres://norma:hush@db/norma\n").unwrap();
    let output = norma(&["list", "--config", file.to_str().unwrap()]).output().unwrap();
    assert!(text(&output).contains("line 2") && !text(&output).contains("hush"), "{}", text(&output));
}

/// What is at a path, without following a link.
fn found(path: &Path) -> (bool, bool, Vec<u8>) {
    let kind = path.symlink_metadata().unwrap().file_type();
    let is_readable = path.metadata().unwrap().is_file();
    (kind.is_file(), kind.is_symlink(), if is_readable { std::fs::read(path).unwrap() } else { Vec::new() })
}

#[test]
fn only_the_ready_file_of_an_earlier_run_is_removed_and_anything_else_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let [earlier, link, other, pipe, inner] =
        ["earlier", "link", "other", "pipe", "folder"].map(|name| folder.path().join(name));
    let addresses = r#"{"baseUrl":"http://127.0.0.1:1"}"#;
    let serve = |ready: &Path| {
        let mut command = norma(&["serve", "--audience", "x", "--tls-cert", "none", "--ready-file"]);
        command.arg(ready).current_dir(&folder).output().unwrap()
    };
    std::fs::write(&earlier, addresses).unwrap();
    symlink(&earlier, &link).unwrap();
    std::fs::write(&other, "the only copy").unwrap();
    std::fs::create_dir(&inner).unwrap();
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for path in [&link, &other, &pipe, &inner] {
        let before = found(path);
        let output = serve(path);
        assert!(!output.status.success());
        assert!(text(&output).contains("--ready-file"), "{}", text(&output));
        assert_eq!(found(path), before, "{}", path.display());
    }
    let output = serve(&earlier);
    assert!(!output.status.success() && !text(&output).contains("--ready-file"), "{}", text(&output));
    assert!(!earlier.exists(), "the addresses of an earlier run are wrong now");
}

#[test]
fn a_result_is_written_through_a_link_and_into_a_pipe() {
    let test_store = TestStore::new(Kind::Sqlite).unwrap();
    let folder = test_store.folder.path();
    let sample = |name: &str| samples().join(name).to_str().unwrap().to_owned();
    let [target, link, pipe] = ["target", "link", "pipe"].map(|name| folder.join(name));
    std::fs::write(&target, "").unwrap();
    symlink(&target, &link).unwrap();
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let compared = ["bicycle-anchors-ed1", "bicycle-anchors-ed2-en"].map(sample);
    let compare = ["compare", &compared[0], &compared[1], "--format", "json", "--output"];
    let minimal = sample("minimal");
    let ingest = ["ingest", &minimal, "--store", &test_store.store, "--report"];
    for (arguments, word) in [(&compare[..], "\"older\""), (&ingest, "\"verdict\"")] {
        let expect = |written: &str| assert!(written.contains(word), "{arguments:?}: {written}");
        let output = norma(arguments).arg(&link).output().unwrap();
        assert!(output.status.success(), "{}", text(&output));
        assert!(link.is_symlink());
        expect(&std::fs::read_to_string(&target).unwrap());
        let mut reader = Command::new("cat").arg(&pipe).stdout(std::process::Stdio::piped()).spawn().unwrap();
        let output = norma(arguments).arg(&pipe).output().unwrap();
        let is_pipe = !pipe.symlink_metadata().unwrap().is_file();
        if !is_pipe {
            reader.kill().unwrap();
        }
        assert!(is_pipe && output.status.success(), "{}", text(&output));
        expect(&String::from_utf8(reader.wait_with_output().unwrap().stdout).unwrap());
    }
    std::fs::remove_file(&target).unwrap();
    let output = norma(&compare).arg(&link).output().unwrap();
    assert!(text(&output).contains("a symbolic link to a file that does not exist"), "{}", text(&output));
    assert!(!target.exists());
}
