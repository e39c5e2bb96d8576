//! An operator's work on the store: schemas, copies from engine to engine, verification, backup and restore.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

mod support;

use std::path::Path;
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

use support::installation::{Installation, RICH, norma, samples, series};
use support::test_store::{Kind, TestStore, program, psql};

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_from_engine_to_engine_and_back_serves_equal_views() {
    let (Some(first), Some(second), Some(third)) = (
        TestStore::new(Kind::Sqlite),
        TestStore::new(Kind::PostgresAndS3),
        TestStore::new(Kind::SqliteAndFiles),
    ) else {
        return;
    };
    let installation = Installation::filled(&first.options()).await;
    installation.norma(&["withdraw", "urn:nsb:std:nsb:4210:ed-1:en"]);
    let truth = installation.serve(&[]).await.views().await;
    assert!(truth.len() >= 35, "{}", truth.len());

    let there = copy(&first, &second);
    assert!(there.contains("5 editions copied, 0 were there already"), "{there}");
    let back = copy(&second, &third);
    assert!(back.contains("5 editions copied, 0 were there already"), "{back}");
    let again = copy(&first, &third);
    assert!(again.contains("0 editions copied, 5 were there already; 0 bytes"), "{again}");
    for test_store in [&second, &third] {
        let instance = installation.serve_on(&test_store.options(), &[]).await;
        assert_eq!(instance.views().await, truth, "{}", test_store.store);
        assert!(succeed(on(test_store, &["store", "verify"])).ends_with(" 0 damaged\n"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_that_was_killed_goes_on_where_it_was() {
    let (Some(first), Some(second)) = (TestStore::new(Kind::Sqlite), TestStore::new(Kind::Postgres)) else {
        return;
    };
    let installation = Installation::filled(&first.options()).await;
    installation.norma(&["ingest", series(9001, 25).path().to_str().unwrap()]);
    let truth = installation.serve(&[]).await.views().await;
    succeed(on(&second, &["store", "migrate"]));
    let mut child =
        norma(&["store", "copy", &first.store, &second.store]).stdout(Stdio::null()).spawn().unwrap();
    let began = Instant::now();
    while psql(&second.store, "SELECT COUNT(*) FROM editions") == "0" {
        assert!(began.elapsed() < Duration::from_secs(60), "the copy does not begin");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let half: u64 = psql(&second.store, "SELECT COUNT(*) FROM editions").parse().unwrap();
    assert!((1..30).contains(&half), "{half}");
    let rest = copy(&first, &second);
    assert!(rest.contains(&format!("{} editions copied, {half} were there already", 30 - half)), "{rest}");
    let instance = installation.serve_on(&second.options(), &[]).await;
    assert_eq!(instance.views().await, truth);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_or_missing_blob_is_not_copied_and_is_named_by_verify() {
    let (Some(test_store), Some(target)) =
        (TestStore::new(Kind::SqliteAndFiles), TestStore::new(Kind::Sqlite))
    else {
        return;
    };
    for sample in ["minimal", "tea-infusion"] {
        succeed(on(&test_store, &["ingest", samples().join(sample).to_str().unwrap()]));
    }
    assert!(succeed(on(&test_store, &["store", "verify"])).starts_with("2 editions, "));
    let blobs = test_store.folder.path().join("blobs");
    let all = glob::glob(blobs.join("*/*").to_str().unwrap()).unwrap();
    let mut blobs: Vec<_> = all.map(Result::unwrap).filter(|path| path.is_file()).collect();
    let (one, other) = (blobs.remove(0), blobs.remove(0));
    let mut bytes = std::fs::read(&one).unwrap();
    bytes[0] ^= 1;
    std::fs::write(&one, bytes).unwrap();
    std::fs::remove_file(&other).unwrap();
    let verified = on(&test_store, &["store", "verify"]);
    let said = String::from_utf8_lossy(&verified.stderr).into_owned();
    assert_eq!(verified.status.code(), Some(1), "{said}");
    for name in [&one, &other] {
        assert!(said.contains(name.file_stem().unwrap().to_str().unwrap()), "{said}");
    }
    let copied =
        norma(&["store", "copy", &test_store.store, &target.store, "--from-blobs", &test_store.blobs])
            .output()
            .unwrap();
    assert_eq!(copied.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&copied.stderr).contains("the store is damaged"));
    let stats = succeed(on(&target, &["store", "stats", "--format", "json"]));
    assert!(stats.contains(r#""editions":0,"#), "{stats}");
}

#[tokio::test(flavor = "multi_thread")]
async fn rotate_key_makes_a_new_key_for_asset_urls_and_the_one_before_is_replaced() {
    for kind in [Kind::Sqlite, Kind::Postgres] {
        let Some(test_store) = TestStore::new(kind) else { continue };
        succeed(on(&test_store, &["store", "migrate"]));
        for keys in 1..3 {
            let said = succeed(on(&test_store, &["store", "rotate-key"]));
            assert!(said.starts_with("asset URLs are signed with a new key"), "{said}");
            let location = test_store.store.parse().unwrap();
            let store =
                norma_store::Store::open(&location, &norma_store::StoreOptions::default()).await.unwrap();
            let policy = store.policy().await.unwrap();
            let replaced: Vec<bool> = policy.signing_keys.iter().map(|key| key.replaced.is_some()).collect();
            assert_eq!(replaced, [vec![false], vec![true; keys - 1]].concat());
        }
    }
    let nowhere = norma(&["store", "rotate-key", "--store", "/nonexistent/norma.db"]).output().unwrap();
    assert_eq!(nowhere.status.code(), Some(2));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_schema_is_made_by_migrate_or_by_a_start_that_may() {
    for kind in [Kind::Sqlite, Kind::Postgres] {
        let Some(test_store) = TestStore::new(kind) else { continue };
        let installation = Installation::on(&test_store.options()).await;
        for (command, printed) in [("list", "there is no store"), ("serve", "has no schema")] {
            let refused = installation.try_norma(&[command, "--audience", "x", "--migrate", "false"]);
            assert_eq!(refused.status.code(), Some(2));
            let said = String::from_utf8_lossy(&refused.stderr).into_owned();
            assert!(said.contains(printed), "{said}");
        }

        let both: Vec<_> = (0..2)
            .map(|_| installation.command(&["store", "migrate"]).stdout(Stdio::piped()).spawn().unwrap())
            .collect();
        for child in both {
            succeed(child.wait_with_output().unwrap());
        }
        assert!(installation.norma(&["store", "migrate"]).ends_with("is there already\n"));
        let instance = installation.serve(&["--migrate", "false"]).await;
        assert_eq!(instance.ready().await, 200);
        drop(instance);

        let newer = "INSERT INTO norma_schema (version) VALUES (999)";
        match kind {
            Kind::Postgres => drop(psql(&test_store.store, newer)),
            _ => sqlite(&test_store.store, newer),
        }
        for command in [["store", "migrate"].as_slice(), &["list"], &["serve", "--audience", "x"]] {
            let refused = installation.try_norma(command);
            assert_eq!(refused.status.code(), Some(2), "{command:?}");
            let said = String::from_utf8_lossy(&refused.stderr).into_owned();
            assert!(said.contains("has schema 999") && said.contains("use the newer program"), "{said}");
        }
    }
}

#[test]
fn a_store_and_a_demo_folder_of_a_version_that_was_never_released_are_refused_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("norma.db");
    let (file, data) = (file.to_str().unwrap(), folder.path().to_str().unwrap());
    sqlite(
        file,
        "CREATE TABLE norma_schema (version BIGINT PRIMARY KEY); INSERT INTO norma_schema VALUES (3)",
    );
    let samples = samples().join("minimal");
    let on_free_ports =
        ["--listen", "127.0.0.1:0", "--ops-listen", "127.0.0.1:0", "--idp-listen", "127.0.0.1:0"];
    for (arguments, printed) in [
        (&["ingest", samples.to_str().unwrap(), "--store", file][..], file),
        (&["store", "migrate", "--store", file], file),
        (&["doctor", "operator", "--store", file], "ingest again"),
        (&[["demo", "--data", data].as_slice(), &on_free_ports].concat(), "name another one with `--data`"),
    ] {
        let output = norma(arguments).output().unwrap();
        assert!(!output.status.success(), "{arguments:?}");
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            said.contains("never released: ingest again") && said.contains(printed),
            "{arguments:?}: {said}"
        );
    }
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_cannot_be_written_is_served_and_without_a_key_assets_are_503() {
    let test_store = TestStore::new(Kind::Sqlite).unwrap();
    let installation = Installation::filled(&test_store.options()).await;
    let set = |file: u32, folder: u32| {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&test_store.store, PermissionsExt::from_mode(file)).unwrap();
        std::fs::set_permissions(test_store.folder.path(), PermissionsExt::from_mode(folder)).unwrap();
    };
    set(0o444, 0o555);
    let instance = installation.serve_without_rights(&test_store.options()).await;
    let read = instance.views().await;
    assert_eq!((instance.ready().await, read.len()), (200, 35));
    let (status, problem) = instance.resolve(RICH, "fig_1b.png").await;
    assert_eq!((status, problem["code"].as_str()), (503, Some("unavailable")));
    let detail = problem["detail"].as_str().unwrap();
    assert!(detail.contains("no key to sign asset URLs") && detail.contains("can only be read"), "{detail}");
    drop(instance);

    // Served once where it can be written, it has a key.
    set(0o600, 0o700);
    drop(installation.serve(&[]).await);
    installation.norma(&["store", "stats"]);
    set(0o444, 0o555);
    let instance = installation.serve_without_rights(&test_store.options()).await;
    let (status, asset) = instance.resolve(RICH, "fig_1b.png").await;
    assert_eq!(status, 200, "{asset}");
    let picture = installation.http.get(asset["url"].as_str().unwrap()).send().await.unwrap();
    assert_eq!(picture.status(), 200);
    assert_eq!(instance.views().await, read);
    drop(instance);
    set(0o600, 0o700);
}

#[test]
fn tenants_and_grants_that_contradict_themselves_are_refused_and_suspended_clients_are_listed() {
    let test_store = TestStore::new(Kind::Sqlite).unwrap();
    let run = |arguments: &[&str]| on(&test_store, arguments);
    let refused = |arguments: &[&str]| {
        let output = run(arguments);
        assert!(!output.status.success(), "{arguments:?}");
        String::from_utf8_lossy(&output.stderr).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    succeed(run(&["tenant", "add", "acme", "--issuer", "https://acme.test"]));
    let said = refused(&["tenant", "add", "other", "--issuer", "https://acme.test"]);
    assert!(said.contains("tenant acme") && said.contains("`other`"), "{said}");

    let client = "0000ABCD-0000-4000-8000-00000000BEEF";
    succeed(run(&["client", "suspend", "acme", client]));
    assert!(succeed(run(&["tenant", "list"])).contains(&client.to_lowercase()));
    succeed(run(&["client", "resume", "acme", &client.to_lowercase()]));
    assert!(!succeed(run(&["tenant", "list"])).contains(&client.to_lowercase()));

    let granted = succeed(run(&["grant", "add", "acme", "--client", "portal", "--urn", "urn:nsb:*"]));
    assert_eq!(granted, "grant 1: client portal of tenant acme may read urn:nsb:*\n");
    let granted = succeed(run(&["grant", "add", "acme", "--ics", "67", "--level", "discover"]));
    assert_eq!(granted, "grant 2: all clients of tenant acme may discover ICS 67\n");
    let grant = ["grant", "add", "acme", "--urn", "urn:nsb:*"];
    assert!(refused(&[grant.as_slice(), &["--client", ""]].concat()).contains("the client `` is empty"));
    let turned = [grant.as_slice(), &["--from", "2026-05-02", "--until", "2026-05-01"]].concat();
    assert!(refused(&turned).contains("ends on 2026-05-01, before its first day 2026-05-02"));
    assert!(refused(&["client", "suspend", "acme", ""]).contains("is empty"));

    // As it could come to be without the check.
    let other = "DROP INDEX tenants_by_issuer; \
        INSERT INTO tenants (id, name, issuer, suspended) VALUES ('other', 'Other', 'https://acme.test', 0)";
    sqlite(&test_store.store, other);
    let output = run(&["doctor", "operator", "--audience", "x"]);
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("tenants acme and other have one issuer, https://acme.test"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_of_sqlite_and_its_folder_of_blobs_made_while_serving_serves_equal_bytes() {
    for kind in [Kind::Sqlite, Kind::SqliteAndFiles] {
        let (Some(test_store), Some(restored)) = (TestStore::new(kind), TestStore::new(kind)) else { return };
        let installation = Installation::filled(&test_store.options()).await;
        let instance = installation.serve(&[]).await;
        let truth = instance.views().await;
        // The catalogue first: every blob that it names is in the folder by then.
        sqlite(&test_store.store, &format!("VACUUM INTO '{}'", restored.store));
        installation.norma(&["ingest", samples().join("tea-infusion").to_str().unwrap()]);
        copy_folder(&test_store.folder.path().join("blobs"), &restored.folder.path().join("blobs"));
        assert!(succeed(on(&restored, &["store", "verify"])).ends_with(" 0 damaged\n"));
        let instance = installation.serve_on(&restored.options(), &[]).await;
        assert_eq!(instance.views().await, truth, "{kind:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dump_of_postgresql_made_while_serving_restores_to_equal_bytes() {
    let (Some(test_store), Some(restored)) = (TestStore::new(Kind::Postgres), TestStore::new(Kind::Postgres))
    else {
        return;
    };
    let installation = Installation::filled(&test_store.options()).await;
    let instance = installation.serve(&[]).await;
    let truth = instance.views().await;
    let dump = test_store.folder.path().join("norma.dump");
    run(program("pg_dump"), &["--format=custom", "--file", dump.to_str().unwrap(), &test_store.store]);
    installation.norma(&["remove", "urn:nsb:std:nsb:4230:-1:ed-1:en"]);
    run(program("pg_restore"), &["--no-owner", "--dbname", &restored.store, dump.to_str().unwrap()]);
    assert!(succeed(on(&restored, &["store", "verify"])).ends_with(" 0 damaged\n"));
    let instance = installation.serve_on(&restored.options(), &[]).await;
    assert_eq!(instance.views().await, truth);
    // A restored store continues: new ids do not collide with restored ones.
    succeed(on(&restored, &["ingest", samples().join("tea-infusion").to_str().unwrap()]));
}

#[tokio::test(flavor = "multi_thread")]
async fn postgresql_keeps_blobs_out_of_line_as_they_are_and_needs_no_extension() {
    let Some(test_store) = TestStore::new(Kind::Postgres) else { return };
    succeed(on(&test_store, &["store", "migrate"]));
    let storage =
        "SELECT attstorage FROM pg_attribute WHERE attrelid = 'pieces'::regclass AND attname = 'bytes'";
    assert_eq!(psql(&test_store.store, storage), "e");
    assert_eq!(psql(&test_store.store, "SELECT extname FROM pg_extension"), "plpgsql");
    assert_eq!(psql(&test_store.store, "SELECT COUNT(*) FROM pg_trigger WHERE NOT tgisinternal"), "0");
}

#[test]
fn a_location_of_blobs_that_cannot_be_used_is_refused_with_what_would_do() {
    let test_store = TestStore::new(Kind::Sqlite).unwrap();
    succeed(norma(&["store", "migrate", "--store", &test_store.store]).output().unwrap());
    for (blobs, said) in [
        ("gs://", "write file:///folder"),
        ("gs://content?colour=blue", "colour"),
        ("gs://content?google_service_account=/does/not/exist", "/does/not/exist"),
        ("ftp://content", "expected file, s3, az or gs, found `ftp`"),
        ("s3://content?endpint=http://127.0.0.1:1", "endpint"),
    ] {
        let output = norma(&["list", "--store", &test_store.store, "--blobs", blobs]).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{blobs}: {error}");
        assert!(error.contains(said), "{blobs}: {error}");
    }
}

fn copy(from: &TestStore, to: &TestStore) -> String {
    let blobs = ["--from-blobs", &from.blobs, "--to-blobs", &to.blobs];
    succeed(norma(&[["store", "copy", &from.store, &to.store].as_slice(), &blobs].concat()).output().unwrap())
}

fn on(test_store: &TestStore, arguments: &[&str]) -> Output {
    norma(arguments).args(test_store.options()).output().unwrap()
}

fn succeed(output: Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn sqlite(file: &str, sql: &str) {
    rusqlite::Connection::open(file).unwrap().execute_batch(sql).unwrap();
}

fn run(program: std::path::PathBuf, arguments: &[&str]) {
    succeed(std::process::Command::new(program).args(arguments).output().unwrap());
}

fn copy_folder(from: &Path, to: &Path) {
    if from.exists() {
        run("cp".into(), &["-r", from.to_str().unwrap(), to.to_str().unwrap()]);
    }
}
