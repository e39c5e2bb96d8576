//! Several instances of the real program on one PostgreSQL: all show each change, and nothing is published in
//! part.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

mod support;

use std::collections::BTreeSet;
use std::process::Stdio;
use std::time::{Duration, Instant};

use support::installation::{Installation, STANDARD, paths, samples, series};
use support::proxy::{Fault, Proxy};
use support::test_store::{Kind, TestStore};

/// Time within which all instances show a change of one.
const SOON: Duration = Duration::from_secs(1);

#[tokio::test(flavor = "multi_thread")]
async fn what_one_changes_all_others_show_within_a_second() {
    let Some(test_store) = TestStore::new(Kind::Postgres) else { return };
    let installation = Installation::filled(&test_store.options()).await;
    let all = [installation.serve(&[]).await, installation.serve(&[]).await];
    let tea = &paths("urn:nsb:std:nsb:4220:ed-1:en")[0];
    let standard = &paths(STANDARD)[0];
    let tenant = installation.tenant.to_string();
    let steps: [(&[&str], &str, u16); 8] = [
        (&["ingest", &samples().join("tea-infusion").display().to_string()], tea, 200),
        (&["recall", STANDARD, "--reason", "an error"], standard, 410),
        (&["reinstate", STANDARD], standard, 200),
        (&["grant", "remove", "1"], standard, 404),
        (&["grant", "add", &tenant, "--urn", "urn:nsb:*"], standard, 200),
        (&["tenant", "suspend", &tenant], standard, 403),
        (&["tenant", "resume", &tenant], standard, 200),
        (&["remove", "urn:nsb:std:nsb:4220:ed-1:en"], tea, 404),
    ];
    for (command, path, status) in steps {
        installation.norma(command);
        let (one, other) = tokio::join!(all[0].until(path, status, SOON), all[1].until(path, status, SOON));
        assert!(one.max(other) < SOON, "{command:?}: {one:?}, {other:?}");
    }
    installation.norma(&["withdraw", STANDARD]);
    let asked = Instant::now();
    for instance in &all {
        let is_withdrawn = async || {
            let body = instance.get(standard).await.body;
            serde_json::from_slice::<serde_json::Value>(&body).unwrap()["status"] == "withdrawn"
        };
        while !is_withdrawn().await {
            assert!(asked.elapsed() < SOON, "the withdrawal is not seen");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn revoked_access_ends_within_the_bound_also_for_an_instance_that_cannot_reach_the_database() {
    let Some(test_store) = TestStore::new(Kind::Postgres) else { return };
    let installation = Installation::filled(&test_store.options()).await;
    let (authority, database) =
        test_store.store.strip_prefix("postgres://norma@").unwrap().split_once('/').unwrap();
    let proxy = Proxy::to(authority).await;
    let through = format!("postgres://norma@127.0.0.1:{}/{database}", proxy.port);
    let cut_off = installation.serve_on(&["--store".to_owned(), through], &["--store-timeout", "1s"]).await;
    let path = &paths(STANDARD)[0];
    let mut grant = "1".to_owned();
    for fault in [Fault::Unanswered, Fault::Down] {
        cut_off.until(path, 200, Duration::from_secs(10)).await;
        proxy.set(fault);
        let lost = Instant::now();
        installation.norma(&["grant", "remove", &grant]);
        let mut last = Duration::ZERO;
        while lost.elapsed() < 2 * SOON {
            let asked = lost.elapsed();
            let answer = cut_off.get(path).await;
            match answer.status {
                200 => last = asked,
                503 => assert!(answer.retry_after.is_some()),
                other => panic!("{other}"),
            }
        }
        assert!(last < SOON, "{fault:?}: served {last:?} after the connection was lost");
        proxy.set(Fault::None);
        cut_off.until(path, 404, Duration::from_secs(10)).await;
        let given =
            installation.norma(&["grant", "add", &installation.tenant.to_string(), "--urn", "urn:nsb:*"]);
        grant = given.strip_prefix("grant ").unwrap().split(':').next().unwrap().to_owned();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_documents_from_several_processes_at_once_become_one_edition_each() {
    for kind in [Kind::Sqlite, Kind::Postgres, Kind::PostgresAndS3] {
        let Some(test_store) = TestStore::new(kind) else { continue };
        let installation = Installation::on(&test_store.options()).await;
        installation.norma(&["store", "migrate"]);
        let folder = series(9001, 12);
        let path = folder.path().to_str().unwrap();
        let both: Vec<_> = (0..3)
            .map(|_| {
                let mut command = installation.command(&["ingest", path, "--format", "json"]);
                command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
            })
            .collect();
        let mut created = 0;
        for child in both {
            let output = child.wait_with_output().unwrap();
            assert!(output.status.success(), "{kind:?}: {}", String::from_utf8_lossy(&output.stderr));
            let text = String::from_utf8(output.stdout).unwrap();
            assert_eq!(text.lines().count(), 12);
            created += text.matches(r#""verdict":"created""#).count();
        }
        assert_eq!(created, 12, "{kind:?}");
        let listed = installation.norma(&["list", "--format", "json"]);
        let urns: BTreeSet<&str> =
            listed.lines().map(|line| line.split("\"urn\":").nth(1).unwrap()).collect();
        assert_eq!((listed.lines().count(), urns.len()), (12, 12), "{kind:?}");
        assert!(installation.norma(&["store", "verify"]).starts_with("12 editions, "));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_instance_that_is_killed_takes_nothing_with_it() {
    let Some(test_store) = TestStore::new(Kind::Postgres) else { return };
    let installation = Installation::filled(&test_store.options()).await;
    let (mut one, other) = (installation.serve(&[]).await, installation.serve(&[]).await);
    let truth = one.views().await;
    let folder = series(9001, 30);
    let ingest = ["ingest", folder.path().to_str().unwrap()];
    let mut killed = installation.command(&ingest).stdout(Stdio::null()).spawn().unwrap();
    other.until(&paths("urn:nsb:std:nsb:9003:ed-1:en")[0], 200, Duration::from_secs(60)).await;
    killed.kill().unwrap();
    one.kill();
    killed.wait().unwrap();
    for (path, known) in &truth {
        assert_eq!(other.get(path).await, *known, "{path}");
    }
    assert!(installation.norma(&["store", "verify"]).ends_with(" 0 damaged\n"));
    installation.norma(&ingest);
    assert!(installation.norma(&["store", "verify"]).starts_with("35 editions, "));
}
