//! The command on an archive. Killed at any point and started again, it ends with every standard whole; it
//! distinguishes valid from invalid; reading makes no store; and a service continues while standards are
//! derived again.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

#[path = "support/wait.rs"]
#[allow(dead_code, unreachable_pub, reason = "each test program uses what it needs")]
mod wait;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use norma_bench_data::Archive;
use norma_ingest::{IngestOptions, IngestVerdict, ingest};
use norma_settings::Settings;
use norma_store::{Store, StoreOptions};
use serde_json::Value;

use self::wait::DEADLINE;

fn norma(store: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_norma"));
    command.args(arguments).arg("--store").arg(store);
    command
}

fn output(store: &Path, arguments: &[&str]) -> Output {
    norma(store, arguments).output().unwrap()
}

fn lines(output: &Output) -> Vec<Value> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Everything that can be read from a store, by digest; each blob is hashed again.
async fn contents(store: &Path) -> BTreeMap<String, Vec<String>> {
    let store =
        Store::open(&store.to_str().unwrap().parse().unwrap(), &StoreOptions::default()).await.unwrap();
    let mut contents = BTreeMap::new();
    for stored in store.editions(None, 500).await.unwrap() {
        let entry = store.entry(&stored.urn).await.unwrap().unwrap();
        let assets = entry.assets.iter().map(|a| (a.media_type.clone(), a.digest));
        let mut all = vec![format!("{} {:?}", stored.revision, entry.summary)];
        for (name, digest) in assets.chain([("pack".to_owned(), entry.pack)]) {
            assert!(
                store.blob_verified(&digest).await.unwrap().is_some(),
                "{}: {name} is not there",
                stored.urn
            );
            all.push(format!("{name} {digest}"));
        }
        let provisions = store.provisions(&stored.urn).await.unwrap().unwrap();
        all.push(format!("{provisions:?}"));
        contents.insert(stored.urn.to_string(), all);
    }
    contents
}

/// Line for each document that is in the store.
const CREATED: &str = "a standard was created";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "the test that kills an ingest runs it"]
async fn ingest_in_transactions_of_two_documents() {
    let [store, archive] =
        ["NORMA_TEST_STORE", "NORMA_TEST_ARCHIVE"].map(|name| std::env::var(name).unwrap());
    let store = Store::open(&store.parse().unwrap(), &StoreOptions::default()).await.unwrap();
    let mut options = IngestOptions::new(&Settings::defaults().ingest);
    options.limits.batch.editions = 2;
    ingest(&store, vec![archive.into()], &options, |report, _| {
        if matches!(report.verdict, IngestVerdict::Created) {
            println!("{CREATED}");
        }
    })
    .await;
}

#[tokio::test]
async fn an_ingest_killed_again_and_again_ends_with_every_standard_whole() {
    const DOCUMENTS: usize = 40;
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("archive");
    Archive { standards: DOCUMENTS, seed: 3, size: 0.1, pictures: true }.write(&archive).unwrap();
    let archive = archive.to_str().unwrap();
    let (whole, killed) = (folder.path().join("whole.db"), folder.path().join("killed.db"));
    assert!(output(&whole, &["ingest", archive]).status.success());
    for standards in [0, 3, 1, 9, 5, 2, 7] {
        // This program again, with one test: a transaction of the command takes all documents that come in a
        // second, so a kill would meet the first.
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["ingest_in_transactions_of_two_documents", "--exact", "--ignored", "--nocapture"])
            .env("NORMA_TEST_STORE", &killed)
            .env("NORMA_TEST_ARCHIVE", archive)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let reports = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        let made = reports.filter(|report| report.contains(CREATED)).take(standards).count();
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(made, standards, "it was killed while there was work to do");
    }
    let rest = output(&killed, &["ingest", "--format", "json", archive]);
    assert!(rest.status.success(), "{}", String::from_utf8_lossy(&rest.stderr));
    assert!(lines(&rest).iter().any(|report| report["verdict"] == "unchanged"), "nothing was stored");
    assert_eq!(contents(&killed).await, contents(&whole).await);
    let again = lines(&output(&killed, &["ingest", "--format", "json", archive]));
    assert_eq!(again.iter().filter(|report| report["verdict"] == "unchanged").count(), DOCUMENTS);
    assert_eq!(again.len(), DOCUMENTS);
}

/// Memory of an ingest without its documents, and the multiple of the largest of them for each worker.
const BASE: u64 = 64 << 20;
const TIMES: u64 = 20;

#[cfg(target_os = "linux")]
#[test]
fn an_ingest_takes_no_more_memory_than_workers_and_the_largest_document_explain() {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("archive");
    Archive { standards: 12, seed: 5, size: 2.0, pictures: true }.write(&archive).unwrap();
    let documents = || walkdir::WalkDir::new(&archive).into_iter().map(Result::unwrap);
    let documents = documents().filter(|entry| entry.file_name() == "document.xml");
    let largest = documents.map(|entry| entry.metadata().unwrap().len()).max().unwrap();
    for workers in [1, 2] {
        keeps_to_its_memory(&folder.path().join(format!("{workers}.db")), &archive, workers, largest);
    }
}

/// Documents with the smallest accepted parts: their views are fifteen to forty times as large.
#[cfg(target_os = "linux")]
#[test]
fn an_ingest_of_a_document_of_very_many_small_parts_keeps_to_its_memory() {
    let folder = tempfile::tempdir().unwrap();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/minimal/document.xml");
    let sample = std::fs::read_to_string(sample).unwrap();
    let (before, after) = sample.split_once("</body>").unwrap();
    let section = |n: u32| {
        format!("<sec id='s{n}'><label>9.{n}</label><title>Title {n}</title><p>It is marked so.</p></sec>")
    };
    let provision = |n: u32| {
        format!(
            "<p>The hook {n} shall bear a coat that is wet, and a hat, for more than a day and a night.</p>"
        )
    };
    let term = |n: u32| {
        format!(
            "<def-item><term>hook {n}</term><def><p>thing that a coat or a hat is hung on in {n}</p></def></def-item>"
        )
    };
    let parts = |part: &dyn Fn(u32) -> String| (0..60_000).map(part).collect::<String>();
    for (name, body) in [
        ("sections", parts(&section)),
        ("provisions", format!("<sec>{}</sec>", parts(&provision))),
        ("terms", format!("<sec sec-type='terms'><def-list>{}</def-list></sec>", parts(&term))),
    ] {
        let document = folder.path().join(name).with_extension("xml");
        let text = format!("{before}{body}</body>{after}");
        std::fs::write(&document, &text).unwrap();
        keeps_to_its_memory(&document.with_extension("db"), &document, 1, text.len() as u64);
    }
}

/// Pictures do not count in the memory of a document.
#[cfg(target_os = "linux")]
#[test]
fn an_ingest_of_a_document_with_large_pictures_keeps_to_its_memory() {
    const PICTURES: u8 = 24;
    const EACH: usize = 3 << 20;
    let folder = tempfile::tempdir().unwrap();
    let package = folder.path().join("package");
    std::fs::create_dir(&package).unwrap();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/minimal/document.xml");
    let sample = std::fs::read_to_string(sample).unwrap();
    let (before, after) = sample.split_once("</body>").unwrap();
    let graphic = |n: u8| {
        let link = "xmlns:xlink='http://www.w3.org/1999/xlink'";
        format!("<fig><graphic {link} xlink:href='figure {n}.png'/></fig>")
    };
    let figures: String = (0..PICTURES).map(graphic).collect();
    let text = format!("{before}<sec>{figures}</sec></body>{after}");
    std::fs::write(package.join("document.xml"), &text).unwrap();
    for n in 0..PICTURES {
        let bytes = [b"\x89PNG\r\n\x1a\n".as_slice(), &vec![n; EACH]].concat();
        std::fs::write(package.join(format!("figure {n}.png")), bytes).unwrap();
    }
    let store = folder.path().join("norma.db");
    keeps_to_its_memory(&store, &package, 1, text.len() as u64);
    let stored = std::fs::metadata(&store).unwrap().len();
    assert!(stored > u64::from(PICTURES) * EACH as u64, "{stored}");
}

/// Ingests `path` and measures the process meanwhile.
#[cfg(target_os = "linux")]
fn keeps_to_its_memory(store: &Path, path: &Path, workers: u64, largest: u64) {
    let arguments = ["ingest", path.to_str().unwrap(), "--workers", &workers.to_string()];
    let mut child = norma(store, &arguments).stdout(Stdio::null()).spawn().unwrap();
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        peak = peak.max(resident_peak(child.id()));
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(child.wait().unwrap().success());
    let bound = BASE + TIMES * largest * workers;
    let said = format!("{workers} workers, largest document {largest} bytes: peak {peak}, bound {bound}");
    println!("{said}");
    assert!((1 << 20..=bound).contains(&peak), "{said}");
}

/// The most memory that a process used so far; 0 when it has ended.
#[cfg(target_os = "linux")]
fn resident_peak(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|kib| kib.trim_end_matches("kB").trim().parse::<u64>().ok()).unwrap_or(0) * 1024
}

#[test]
fn the_exit_code_and_the_report_tell_good_from_bad() {
    let folder = tempfile::tempdir().unwrap();
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let archive = folder.path().join("archive");
    std::fs::create_dir(&archive).unwrap();
    let put = |name: &str, from: PathBuf| std::fs::copy(from, archive.join(name)).unwrap();
    let (store, report) = (folder.path().join("norma.db"), folder.path().join("report.jsonl"));
    let run = || output(&store, &["ingest", archive.to_str().unwrap(), "--report", report.to_str().unwrap()]);
    put("cut.xml", samples.join("broken/truncated.xml"));
    put("catalog.xml", samples.join("broken/html-page.xml"));
    assert_eq!(run().status.code(), Some(2), "nothing done");
    put("good.xml", samples.join("minimal/document.xml"));
    let some = run();
    assert_eq!(some.status.code(), Some(1), "some refused");
    assert!(String::from_utf8_lossy(&some.stderr).contains("cut.xml: refused:"));
    assert!(String::from_utf8_lossy(&some.stderr).contains("catalog.xml: skipped:"));
    let text = std::fs::read_to_string(&report).unwrap();
    let mut verdicts: Vec<String> = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["verdict"].as_str().unwrap().to_owned())
        .collect();
    verdicts.sort();
    assert_eq!(verdicts, ["created", "refused", "skipped"]);
    std::fs::remove_file(archive.join("cut.xml")).unwrap();
    assert_eq!(run().status.code(), Some(0), "all good");
}

#[test]
fn a_command_that_reads_makes_no_store() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("mistyped.db");
    let urn = "urn:nsb:std:nsb:4201:ed-1:en";
    for arguments in [
        &["list"][..],
        &["show", urn],
        &["withdraw", urn],
        &["reinstate", urn],
        &["recall", urn],
        &["remove", urn],
        &["rebuild"],
        &["gc"],
        &["store", "stats"],
        &["tenant", "list"],
        &["grant", "list"],
    ] {
        let output = output(&store, arguments);
        let printed = String::from_utf8_lossy(&output.stderr);
        assert!(
            !output.status.success() && printed.contains("there is no store"),
            "{arguments:?}: {printed}"
        );
        assert!(!store.exists(), "{arguments:?}");
    }
}

/// An archive with this number of documents, ingested.
fn filled(folder: &Path, documents: usize) -> (PathBuf, PathBuf) {
    let (archive, store) = (folder.join("archive"), folder.join("norma.db"));
    Archive { standards: documents, seed: 4, size: 0.1, pictures: true }.write(&archive).unwrap();
    assert!(output(&store, &["ingest", archive.to_str().unwrap()]).status.success());
    (archive, store)
}

fn said(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

#[tokio::test]
async fn a_rebuild_of_all_that_is_killed_goes_on_with_the_rest() {
    const DOCUMENTS: usize = 24;
    let folder = tempfile::tempdir().unwrap();
    let (_, store) = filled(folder.path(), DOCUMENTS);
    let before = contents(&store).await;
    let mut child = norma(&store, &["rebuild", "--all"]).stdout(Stdio::piped()).spawn().unwrap();
    let printed = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert_eq!(printed.filter(|line| line.contains("stayed")).take(5).count(), 5);
    child.kill().unwrap();
    child.wait().unwrap();
    let connection = rusqlite::Connection::open(&store).unwrap();
    let is_left = "deriver LIKE '%to be rebuilt%'";
    let count = format!("SELECT COUNT(*) FROM editions WHERE {is_left}");
    let left: i64 = connection.query_row(&count, [], |row| row.get(0)).unwrap();
    assert!((1..=19).contains(&left), "{left} were left");
    // One program wrote those that are left and those that are rebuilt: they are compared.
    let first = |condition: &str| -> String {
        let sql = format!("SELECT MIN(urn) FROM editions WHERE {condition}");
        connection.query_row(&sql, [], |row| row.get(0)).unwrap()
    };
    let (waiting, rebuilt) = (first(is_left), first(&format!("NOT {is_left}")));
    let compared = output(&store, &["compare", &waiting, &rebuilt, "--different-documents"]);
    assert!(compared.status.success(), "{}", said(&compared));
    drop(connection);
    let rest = said(&output(&store, &["rebuild", "--all"]));
    assert!(rest.contains(&format!("{left} rebuilt, 0 failed")), "{rest}");
    assert_eq!(contents(&store).await, before);
    let all = said(&output(&store, &["rebuild", "--all"]));
    assert!(all.contains(&format!("{DOCUMENTS} rebuilt, 0 failed")), "{all}");
}

#[tokio::test]
async fn what_a_store_lost_is_named_with_its_remedy_and_put_back_by_it() {
    let folder = tempfile::tempdir().unwrap();
    let (archive, store) = filled(folder.path(), 6);
    let stats: serde_json::Value =
        serde_json::from_str(&said(&output(&store, &["store", "stats", "--format", "json"]))).unwrap();
    assert_eq!((&stats["editions"], &stats["tenants"]), (&6.into(), &0.into()), "{stats}");
    assert!(said(&output(&store, &["store", "stats"])).contains("bytes of blobs"));
    let before = contents(&store).await;
    let damage = |is_hit: &dyn Fn(&str) -> bool| {
        let connection = rusqlite::Connection::open(&store).unwrap();
        for (name, digest) in before.values().flatten().filter_map(|line| line.split_once(" sha256:")) {
            if is_hit(name) {
                let sql = format!(
                    "UPDATE pieces SET bytes = zeroblob(length(bytes)) \
                     WHERE id / 1048576 = (SELECT id FROM blobs WHERE digest = X'{digest}')"
                );
                assert!(connection.execute(&sql, []).unwrap() > 0, "{name}");
            }
        }
        let verified = output(&store, &["store", "verify"]);
        assert_eq!(verified.status.code(), Some(1));
        said(&verified)
    };
    let is_pack = |name: &str| name == "pack";
    // Without source and pictures there is nothing to derive from, and nothing is derived.
    let archive = archive.to_str().unwrap();
    for is_hit in [&is_pack as &dyn Fn(&str) -> bool, &|name| !is_pack(name), &|_| true] {
        let printed = damage(is_hit);
        assert!(printed.contains("norma ingest --repair /"), "{printed}");
        let rebuilt = output(&store, &["rebuild", "--all"]);
        assert!(said(&rebuilt).contains("norma ingest --repair /"), "{}", said(&rebuilt));
        assert_eq!(rebuilt.status.code(), Some(1));
        let repaired = output(&store, &["ingest", "--repair", archive]);
        assert!(repaired.status.success(), "{}", said(&repaired));
        assert_eq!(contents(&store).await, before);
    }
    // A pack that cannot be read is found by the next ingest of the same document.
    damage(&is_pack);
    assert!(output(&store, &["ingest", archive]).status.success());
    assert!(said(&output(&store, &["store", "verify"])).ends_with(" 0 damaged\n"));
    assert_eq!(contents(&store).await, before);
}

#[tokio::test]
async fn a_service_serves_and_counts_stale_standards_until_they_are_rebuilt() {
    let folder = tempfile::tempdir().unwrap();
    let (store, ready, log) =
        (folder.path().join("norma.db"), folder.path().join("ready.json"), folder.path().join("log"));
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    for sample in ["minimal", "tea-infusion"] {
        assert!(output(&store, &["ingest", samples.join(sample).to_str().unwrap()]).status.success());
    }
    let before = contents(&store).await;
    let sql = "UPDATE editions SET deriver = '0' WHERE urn LIKE '%4201%'";
    assert_eq!(rusqlite::Connection::open(&store).unwrap().execute(sql, []).unwrap(), 1);
    let arguments =
        ["serve", "--audience", "api://norma", "--listen", "127.0.0.1:0", "--ops-listen", "127.0.0.1:0"];
    let mut serve = norma(&store, &arguments)
        .arg("--ready-file")
        .arg(&ready)
        .stderr(std::fs::File::create(&log).unwrap())
        .spawn()
        .unwrap();
    let addresses = wait::eventually(DEADLINE, async || wait::ready(&mut serve, &ready, &log)).await;
    let url = format!("{}/readyz", addresses["opsUrl"].as_str().unwrap());
    let stale =
        async || reqwest::get(&url).await.unwrap().json::<Value>().await.unwrap()["staleStandards"].clone();
    assert_eq!(stale().await, 1);
    assert!(std::fs::read_to_string(&log).unwrap().contains("norma rebuild"));
    let unknown = output(&store, &["rebuild", "urn:nsb:std:nsb:1:ed-1:en"]);
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("is not in the store"));
    let rebuilt = output(&store, &["rebuild"]);
    let printed = String::from_utf8_lossy(&rebuilt.stdout);
    assert!(rebuilt.status.success() && printed.contains("1 rebuilt, 0 failed"), "{printed}");
    wait::eventually(DEADLINE, async || {
        let count = stale().await;
        (count == 0).then_some(()).ok_or_else(|| format!("{count} stale standards are counted"))
    })
    .await;
    serve.kill().unwrap();
    serve.wait().unwrap();
    assert_eq!(contents(&store).await, before);
}

/// The rules are part of the program, so the test makes a store as other rules might have left it: one of its
/// three provisions has an id that these rules do not give.
#[tokio::test]
async fn a_rebuild_tells_which_provision_ids_came_went_and_stayed_and_show_tells_their_order() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("norma.db");
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/minimal");
    assert!(output(&file, &["ingest", sample.to_str().unwrap()]).status.success());
    let urn = "urn:nsb:std:nsb:4201:ed-1:en";
    let store =
        Store::open(&file.to_str().unwrap().parse().unwrap(), &StoreOptions::default()).await.unwrap();
    let ids = async || store.provisions(&urn.parse().unwrap()).await.unwrap().unwrap();
    let before = ids().await;
    let foreign = norma_model::ProvisionId::from_bytes([7; 16]);
    let packed: Vec<u8> = [before[0], foreign, before[2]].iter().flat_map(|id| *id.as_bytes()).collect();
    let checksum = checksum_of([urn.as_bytes(), &packed]);
    let sqlite = rusqlite::Connection::open(&file).unwrap();
    // The index has the first 48 bits of an id.
    let key = |id: &norma_model::ProvisionId| {
        id.as_bytes()[..6].iter().fold(0_i64, |key, &byte| key << 8 | i64::from(byte))
    };
    let moved = format!("UPDATE provisions SET key = ?1 WHERE key = {}", key(&before[1]));
    let changes: [(&str, &dyn rusqlite::ToSql); 4] = [
        ("UPDATE editions SET deriver = ?1", &"0"),
        ("UPDATE edition_parts SET provisions = ?1", &packed),
        ("UPDATE edition_parts SET provisions_checksum = ?1", &checksum),
        (&moved, &key(&foreign)),
    ];
    for (sql, value) in changes {
        assert_eq!(sqlite.execute(sql, [value]).unwrap(), 1, "{sql}");
    }
    assert_eq!(ids().await, [before[0], foreign, before[2]]);

    let printed = |arguments: &[&str]| {
        let output = output(&file, arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let wanted = format!(
        "{urn}: 1 provision ids came, 1 went, 0 of them changed, 2 stayed\n  + {}\n  - {foreign}\n1 rebuilt, 0 failed\n",
        before[1]
    );
    assert_eq!(printed(&["rebuild"]), wanted);
    assert_eq!(ids().await, before);
    assert_eq!(printed(&["rebuild"]), "0 rebuilt, 0 failed\n");
    let again =
        format!("{urn}: 0 provision ids came, 0 went, 0 of them changed, 3 stayed\n1 rebuilt, 0 failed\n");
    assert_eq!(printed(&["rebuild", "--all"]), again);

    let shown = printed(&["show", urn, "--provisions"]);
    let rows: Vec<Vec<&str>> = shown
        .lines()
        .filter(|line| line.contains("prv_"))
        .map(|line| line.split_whitespace().collect())
        .collect();
    let [first, second, third] = [0, 1, 2].map(|at| before[at].to_string());
    assert_eq!(
        rows,
        [
            vec!["2(1)", "requirement", &first],
            vec!["2(2)", "recommendation", &second],
            vec!["2(3)", "permission", &third],
        ]
    );
}

/// CRC-32C (RFC 9260, appendix A) of values, each after its length, as the store has it.
fn checksum_of(values: [&[u8]; 2]) -> i64 {
    let mut sum = u32::MAX;
    for value in values {
        for byte in (value.len() as u64).to_le_bytes().iter().chain(value) {
            sum ^= u32::from(*byte);
            for _ in 0..8 {
                sum = if sum & 1 == 1 { sum >> 1 ^ 0x82f6_3b78 } else { sum >> 1 };
            }
        }
    }
    i64::from(!sum)
}
