//! Failures of the engines: each answer is correct or 503 with `Retry-After`, readiness shows them, nothing
//! is published in part, and the service recovers without a restart.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

mod support;

use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use support::cluster::Cluster;
use support::installation::{Answer, Installation, Instance, RICH, paths, series};
use support::proxy::{Fault, Proxy};
use support::small_disk::SmallDisk;
use support::test_store::{Kind, TestStore, below, unique, variable};
use support::wait::eventually;

/// Longest time of a recovery after the cause is gone.
const RECOVERY: Duration = Duration::from_secs(20);

/// Connections that one instance may have.
const CONNECTIONS: u32 = 4;

/// Callers that send requests all the time and compare each answer with the expected one.
struct Load {
    stop: Arc<AtomicBool>,
    right: Arc<AtomicU64>,
    callers: Vec<tokio::task::JoinHandle<()>>,
}

impl Load {
    fn on(instance: &Arc<Instance>, truth: &BTreeMap<String, Answer>) -> Self {
        let (stop, right) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let callers = (0..8).map(|_| {
            let (instance, truth) = (Arc::clone(instance), truth.clone());
            let (stop, right) = (Arc::clone(&stop), Arc::clone(&right));
            tokio::spawn(async move {
                for (path, known) in truth.iter().cycle() {
                    if stop.load(Ordering::Relaxed) {
                        return;
                    }
                    right.fetch_add(
                        u64::from(is_right(&instance.get(path).await, known, path)),
                        Ordering::Relaxed,
                    );
                }
            })
        });
        Self { callers: callers.collect(), stop, right }
    }

    /// Ends it; fails where a caller met something wrong.
    async fn end(self) -> u64 {
        self.stop.store(true, Ordering::Relaxed);
        for caller in self.callers {
            caller.await.unwrap();
        }
        self.right.load(Ordering::Relaxed)
    }
}

/// Whether it is the expected answer; otherwise it must be a correct 503.
fn is_right(answer: &Answer, known: &Answer, path: &str) -> bool {
    if answer.status == 503 {
        assert!(answer.retry_after.is_some(), "{path}: no Retry-After");
        return false;
    }
    assert_eq!(answer, known, "{path}");
    true
}

#[tokio::test(flavor = "multi_thread")]
async fn postgresql_may_stop_and_die_under_load_and_come_back() {
    let cluster = Cluster::start();
    let installation = Installation::filled(&["--store".to_owned(), cluster.address()]).await;
    let connections = CONNECTIONS.to_string();
    let more = ["--store-connections", &connections, "--store-timeout", "1s"];
    let instance = Arc::new(installation.serve(&more).await);
    let truth = instance.views().await;
    let folders = [9100, 9200, 9300].map(|first| series(first, 20));
    let load = Load::on(&instance, &truth);
    let path = &paths(RICH)[0];
    let mut published: Vec<String> = Vec::new();
    for (way, folder) in ["fast", "immediate", "kill"].into_iter().zip(&folders) {
        let ingest = ["ingest", folder.path().to_str().unwrap(), "--format", "json"];
        let ingesting =
            installation.command(&ingest).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let before: u64 = count(&cluster);
        let began = Instant::now();
        while count(&cluster) < before + 3 {
            assert!(began.elapsed() < RECOVERY, "the ingest does not begin");
        }
        match way {
            "kill" => cluster.kill(),
            mode => cluster.stop(mode),
        }
        instance.until_ready(503, RECOVERY).await;
        instance.until(path, 503, Duration::from_secs(2)).await;
        cluster.start_again();
        instance.until_ready(200, RECOVERY).await;
        instance.until(path, 200, RECOVERY).await;
        let output = ingesting.wait_with_output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        published.extend(text.lines().filter(|line| line.contains(r#""verdict":"created""#)).map(|line| {
            let report: serde_json::Value = serde_json::from_str(line).unwrap();
            report["urn"].as_str().unwrap().to_owned()
        }));
        // Connections of the ingest may take a moment to close.
        let open = "SELECT COUNT(*) FROM pg_stat_activity WHERE application_name = 'norma'";
        let began = Instant::now();
        while cluster.sql(open).parse::<u32>().unwrap() > CONNECTIONS {
            assert!(began.elapsed() < RECOVERY, "{way}: too many connections");
        }
    }
    assert!(load.end().await > 100);
    // Every edition that was reported as published is stored, and all stored ones are whole.
    for urn in &published {
        assert_eq!(instance.get(&paths(urn)[0]).await.status, 200, "{urn}");
    }
    assert!(installation.norma(&["store", "verify"]).ends_with(" 0 damaged\n"));
    let ingest = ["ingest"].into_iter().chain(folders.iter().map(|folder| folder.path().to_str().unwrap()));
    let ingest: Vec<&str> = ingest.collect();
    installation.norma(&ingest);
    same_as_on_a_quiet_day(&installation, &ingest, 65);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_hangs_up_meets_no_storm_of_connections() {
    let Some(test_store) = TestStore::new(Kind::Postgres) else { return };
    let installation = Installation::filled(&test_store.options()).await;
    let (authority, database) =
        test_store.store.strip_prefix("postgres://norma@").unwrap().split_once('/').unwrap();
    let proxy = Proxy::to(authority).await;
    let through = format!("postgres://norma@127.0.0.1:{}/{database}", proxy.port);
    let instance = Arc::new(installation.serve_on(&["--store".to_owned(), through], &[]).await);
    let truth = instance.views().await;
    let before = proxy.taken();
    assert!(before <= 16, "{before} connections");
    proxy.set(Fault::Down);
    let load = Load::on(&instance, &truth);
    let began = Instant::now();
    tokio::time::sleep(Duration::from_secs(3)).await;
    let tried = proxy.taken() - before;
    let per_second = tried as f64 / began.elapsed().as_secs_f64();
    proxy.set(Fault::None);
    instance.until_ready(200, RECOVERY).await;
    load.end().await;
    // Without a rest in between, eight callers would try a thousand times a second.
    assert!(tried > 0 && per_second < 100.0, "{tried} connections, {per_second} a second");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_of_several_hosts_follows_the_primary_to_a_promoted_replica() {
    let primary = Cluster::start();
    let replica = primary.standby();
    let store = format!(
        "postgres://norma@{},{}/postgres?target_session_attrs=read-write",
        replica.host(),
        primary.host()
    );
    let installation = Installation::filled(&["--store".to_owned(), store]).await;
    let instance = Arc::new(installation.serve(&["--store-timeout", "1s"]).await);
    let truth = instance.views().await;
    let lag = "SELECT COUNT(*) FROM pg_stat_replication WHERE replay_lsn = pg_current_wal_lsn()";
    eventually(RECOVERY, async || {
        (primary.sql(lag) == "1").then_some(()).ok_or_else(|| "the replica does not follow".to_owned())
    })
    .await;
    let load = Load::on(&instance, &truth);
    primary.kill();
    instance.until_ready(503, RECOVERY).await;
    replica.promote();
    instance.until_ready(200, RECOVERY).await;
    let documents = series(9001, 2);
    installation.norma(&["ingest", documents.path().to_str().unwrap()]);
    instance.until(&paths("urn:nsb:std:nsb:9002:ed-1:en")[0], 200, Duration::from_secs(2)).await;
    let right = load.end().await;
    assert!(right > 0);
    for (path, known) in &truth {
        assert_eq!(instance.get(path).await, *known, "{path}");
    }
    assert!(instance.log().contains("another host is the primary"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_object_store_may_be_away_silent_slow_failing_or_cut_off() {
    let Some(bucket) = variable("NORMA_TEST_S3") else { return };
    let Some(test_store) = TestStore::new(Kind::Postgres) else { return };
    let (start, host) = bucket.split_once("http://").unwrap();
    let proxy = Proxy::to(host).await;
    let blobs = below(&format!("{start}http://127.0.0.1:{}", proxy.port), &unique());
    let options = ["--store".to_owned(), test_store.store.clone(), "--blobs".to_owned(), blobs];
    let installation = Installation::filled(&options).await;
    // Nothing but the last blobs is remembered, so that each read meets the fault.
    let more = ["--cache-size", "1KiB", "--response-cache", "0B", "--object-timeout", "2s"];
    let instance = Arc::new(installation.serve(&more).await);
    let truth = instance.views().await;
    let documents = series(9001, 3);
    let ingest = ["ingest", documents.path().to_str().unwrap(), "--object-timeout", "2s"];
    let slow = Fault::Slow(Duration::from_millis(300));
    for fault in [Fault::Down, Fault::Unanswered, Fault::Failing, Fault::Cut(700), slow] {
        proxy.set(fault);
        let sections: Vec<_> = truth.iter().filter(|(path, _)| path.ends_with("/sections")).collect();
        let mut right = sections.len();
        // The memory of blobs lets go of what is too much for it only after a number of reads.
        for _ in 0..50 {
            right = 0;
            for (path, known) in &sections {
                right += usize::from(is_right(&instance.get(path).await, known, path));
            }
            if right < sections.len() || fault == slow {
                break;
            }
        }
        if fault == slow {
            assert_eq!((right, instance.ready().await), (5, 200));
            continue;
        }
        assert!(right < 5, "{fault:?} hinders nobody");
        if !matches!(fault, Fault::Cut(_)) {
            assert_eq!(instance.ready().await, 503, "{fault:?}");
        }
        if fault == Fault::Failing {
            // Nothing half-published: no document is published without its blobs.
            let refused = installation.try_norma(&ingest);
            assert_eq!(refused.status.code(), Some(2));
            assert_eq!(installation.norma(&["list", "--format", "json"]).lines().count(), 5);
        }
        proxy.set(Fault::None);
        instance.until_ready(200, RECOVERY).await;
        for (path, known) in &truth {
            assert_eq!(instance.get(path).await, *known, "{fault:?}: {path}");
        }
    }
    proxy.set(Fault::None);
    installation.norma(&ingest);
    assert!(installation.norma(&["store", "verify"]).starts_with("8 editions, "));
    same_as_on_a_quiet_day(&installation, &ingest, 8);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_refuses_documents_and_goes_on_serving() {
    let test_store = TestStore::new(Kind::Sqlite).unwrap();
    let installation = Installation::filled(&test_store.options()).await;
    let instance = Arc::new(installation.serve(&[]).await);
    let truth = instance.views().await;
    let load = Load::on(&instance, &truth);
    let documents = series(9001, 60);
    let documents = documents.path().to_str().unwrap();
    // A limit on the size of files meets SQLite as a full disk does: in the middle of a write.
    let size = std::fs::metadata(&test_store.store).unwrap().len();
    let script = format!("trap '' XFSZ; ulimit -f {}; exec \"$@\"", (size + 64 * 1024) / 1024);
    let limited = Command::new("bash")
        .args([
            "-c",
            &script,
            "limited",
            env!("CARGO_BIN_EXE_norma"),
            "ingest",
            documents,
            "--format",
            "json",
        ])
        .args(test_store.options())
        // As all other commands of the tests: what was ingested before the disk was full stays.
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&limited.stdout);
    let refused = said.lines().filter(|line| line.contains(r#""verdict":"refused""#)).count();
    assert!(refused > 0 && said.contains("the store is unavailable"), "{said}");
    assert!(load.end().await > 0);
    assert!(installation.norma(&["store", "verify"]).ends_with(" 0 damaged\n"));
    let ingest = ["ingest", documents];
    installation.norma(&ingest);
    same_as_on_a_quiet_day(&installation, &ingest, 65);
    for (path, known) in &truth {
        assert_eq!(instance.get(path).await, *known, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_without_room_refuses_what_is_new_and_serves_what_is_there() {
    let elsewhere = tempfile::tempdir().unwrap();
    for blobs_alone in [false, true] {
        let Some(small) = SmallDisk::of(48) else { return };
        let catalogue = match blobs_alone {
            true => elsewhere.path().join("norma.db").to_str().unwrap().to_owned(),
            false => small.path("norma.db"),
        };
        let mut options = vec!["--store".to_owned(), catalogue];
        if blobs_alone {
            options.extend(["--blobs".to_owned(), format!("file://{}", small.path("blobs"))]);
        }
        let installation = Installation::filled(&options).await;
        let audit = small.path("audit.jsonl");
        let instance = Arc::new(installation.serve(&["--audit-file", &audit]).await);
        let truth = instance.views().await;
        small.fill();
        let load = Load::on(&instance, &truth);
        let documents = series(9001, 12);
        let ingest = ["ingest", documents.path().to_str().unwrap()];
        let refused = installation.try_norma(&ingest);
        let printed = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{printed}");
        assert!(printed.contains("the store is unavailable"), "{printed}");
        assert!(printed.contains("full") || printed.contains("No space left"), "{printed}");
        if !blobs_alone {
            let grant = ["grant", "add", &installation.tenant.to_string(), "--urn", "urn:other:*"];
            let refused = installation.try_norma(&grant);
            let printed = String::from_utf8_lossy(&refused.stderr).into_owned();
            assert!(!refused.status.success() && printed.contains("full"), "{printed}");
        }
        // Reads need no room, and each was right; the lines of the audit that are lost are reported.
        assert_eq!(instance.ready().await, 200);
        assert!(load.end().await > 100);
        let began = Instant::now();
        while !instance.log().contains("audit events are lost") {
            assert!(began.elapsed() < RECOVERY, "the lost audit is not reported: {}", instance.log());
            instance.get(&paths(RICH)[0]).await;
        }
        small.make_room();
        assert_eq!(installation.norma(&["list", "--format", "json"]).lines().count(), 5);
        assert!(installation.norma(&["store", "verify"]).ends_with(" 0 damaged\n"));
        installation.norma(&ingest);
        same_as_on_a_quiet_day(&installation, &ingest, 17);
        instance.until(&paths("urn:nsb:std:nsb:9002:ed-1:en")[0], 200, RECOVERY).await;
        let began = Instant::now();
        while !instance.log().contains("audit events are written to") {
            assert!(began.elapsed() < RECOVERY, "the audit is not written again: {}", instance.log());
            instance.get(&paths(RICH)[0]).await;
        }
        for (path, known) in &truth {
            assert_eq!(instance.get(path).await, *known, "{path}");
        }
    }
}

fn count(cluster: &Cluster) -> u64 {
    cluster.sql("SELECT COUNT(*) FROM changes").parse().unwrap()
}

/// Compares each edition with the same documents in a store where nothing ever failed.
fn same_as_on_a_quiet_day(installation: &Installation, ingest: &[&str], editions: usize) {
    let quiet = TestStore::new(Kind::Sqlite).unwrap();
    let on_quiet = |arguments: &[&str]| {
        let output = support::installation::norma(arguments).args(quiet.options()).output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    on_quiet(ingest);
    let listed = installation.norma(&["list", "--format", "json"]);
    assert_eq!(listed.lines().count(), editions);
    let urn = |line: &str| {
        serde_json::from_str::<serde_json::Value>(line).unwrap()["urn"].as_str().unwrap().to_owned()
    };
    // A sample of them: each look is a process.
    let new: Vec<String> = listed.lines().map(urn).filter(|urn| urn.contains(":9")).step_by(7).collect();
    assert!(!new.is_empty());
    // Grants and times are those of one store.
    let shown = |text: String| -> Vec<String> {
        let of_store = |line: &&str| ["access ", "changed "].iter().any(|start| line.starts_with(start));
        text.lines().filter(|line| !of_store(line)).map(str::to_owned).collect()
    };
    for urn in new {
        let show = ["show", &urn, "--provisions"];
        assert_eq!(shown(installation.norma(&show)), shown(on_quiet(&show)));
    }
}
