//! Bytes from the store to the caller: damaged ones do not arrive, and slow readers use little memory.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

mod support;

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use norma_store::BlobReader;
use support::installation::{Answer, Installation, RICH, paths};
use support::random::Random;
use support::test_store::{Kind, TestStore, psql};

const PIECE: usize = BlobReader::PIECE as usize;

const LARGE: &str = "urn:nsb:std:nsb:4299:ed-1:en";

/// A document with this number of clauses of words that hardly compress, and a picture of this many bytes.
fn package(clauses: u32, picture: usize) -> tempfile::TempDir {
    let mut numbers = Random(7);
    let folder = tempfile::tempdir().unwrap();
    let mut text = String::from(
        "<standard xmlns:xlink='http://www.w3.org/1999/xlink'><front><std-meta><title-wrap><full>Pegs</full>\
         </title-wrap><std-ident><originator>NSB</originator><doc-type>IS</doc-type><doc-number>4299</doc-number>\
         <edition>1</edition></std-ident><content-language>en</content-language><std-ref type='dated'>NSB 4299:2020\
         </std-ref></std-meta></front><body>",
    );
    for clause in 1..=clauses {
        text.push_str(&format!(
            "<sec id='s{clause}'><label>{clause}</label><title>Pegs</title><p>The peg shall bear"
        ));
        for _ in 0..24 {
            text.push_str(&format!(" {:016x}", numbers.next()));
        }
        text.push_str(".</p></sec>");
    }
    text.push_str("<sec><fig id='fig_1'><graphic xlink:href='peg.png'/></fig></sec></body></standard>");
    std::fs::write(folder.path().join("document.xml"), text).unwrap();
    let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10\x08\x06\0\0\0\x1f\xf3\xff\x61".to_vec();
    png.resize_with(picture.div_ceil(8) * 8, Default::default);
    for eight in png[40..].chunks_exact_mut(8) {
        eight.copy_from_slice(&numbers.next().to_le_bytes());
    }
    std::fs::write(folder.path().join("peg.png"), png).unwrap();
    folder
}

/// Which bits of the blobs are flipped.
#[derive(Clone, Copy)]
enum Where {
    /// One in each piece.
    Everywhere,
    /// One in the middle and one at the end of each blob of more than three pieces.
    MiddleAndEnd,
}

/// Flips bits of stored bytes; a second call restores them.
fn flip(test_store: &TestStore, kind: Kind, which: Where, seed: u64) {
    // The key of a piece is that of its blob times 2^20, and its number.
    let hit = match which {
        Where::Everywhere => "TRUE",
        Where::MiddleAndEnd => {
            "(SELECT COUNT(*) FROM pieces p WHERE p.id / 1048576 = pieces.id / 1048576) > 3 AND pieces.id % 1048576 IN \
             (SELECT COUNT(*) / 2 FROM pieces p WHERE p.id / 1048576 = pieces.id / 1048576 \
              UNION SELECT COUNT(*) - 1 FROM pieces p WHERE p.id / 1048576 = pieces.id / 1048576)"
        }
    };
    match kind {
        Kind::SqliteAndFiles => {
            let mut numbers = Random(seed);
            for path in objects(test_store.folder.path()) {
                let mut bytes = std::fs::read(&path).unwrap();
                let size = bytes.len();
                match which {
                    // No piece is smaller, but the last of a blob.
                    Where::Everywhere => {
                        bytes.chunks_mut(512).for_each(|part| flip_one(part, numbers.next()))
                    }
                    Where::MiddleAndEnd if size > 4 * PIECE => {
                        flip_one(&mut bytes[size / 2..][..1], numbers.next());
                        flip_one(&mut bytes[size - 1..], numbers.next());
                    }
                    Where::MiddleAndEnd => {}
                }
                std::fs::write(&path, bytes).unwrap();
            }
        }
        Kind::Sqlite => {
            let connection = rusqlite::Connection::open(&test_store.store).unwrap();
            let mut numbers = Random(seed);
            let ids: Vec<i64> = connection
                .prepare(&format!("SELECT id FROM pieces WHERE {hit} ORDER BY id"))
                .unwrap()
                .query_map([], |row| row.get(0))
                .unwrap()
                .map(Result::unwrap)
                .collect();
            connection.execute_batch("BEGIN").unwrap();
            for id in ids {
                let bytes = format!("SELECT bytes FROM pieces WHERE id = {id}");
                let mut bytes: Vec<u8> = connection.query_row(&bytes, [], |row| row.get(0)).unwrap();
                flip_one(&mut bytes, numbers.next());
                let put = format!("UPDATE pieces SET bytes = ?1 WHERE id = {id}");
                connection.execute(&put, [bytes]).unwrap();
            }
            connection.execute_batch("COMMIT").unwrap();
        }
        _ => {
            let bit = format!(
                "(('x' || substr(md5(id || '{seed}'), 1, 8))::bit(32)::bigint % (8 * length(bytes)))"
            );
            let flipped = format!("set_bit(bytes, {bit}, 1 - get_bit(bytes, {bit}))");
            psql(&test_store.store, &format!("UPDATE pieces SET bytes = {flipped} WHERE {hit}"));
        }
    }
}

fn flip_one(bytes: &mut [u8], number: u64) {
    let bit = number as usize % (8 * bytes.len());
    bytes[bit / 8] ^= 1 << (bit % 8);
}

fn objects(folder: &Path) -> Vec<PathBuf> {
    let all = walkdir::WalkDir::new(folder.join("blobs")).sort_by_file_name().into_iter().map(Result::unwrap);
    all.filter(|entry| entry.file_type().is_file()).map(|entry| entry.into_path()).collect()
}

/// Every view in every coding, selections, and the picture, from a service without caches.
async fn all(installation: &Installation) -> (BTreeMap<String, Option<Answer>>, String) {
    let instance = installation.serve(&[]).await;
    let mut answers = BTreeMap::new();
    for urn in [RICH, LARGE] {
        let standard = format!("/standards/{}", urn.replace(':', "%3A"));
        let more = ["/provisions/all", "/content?section=4"].map(|path| format!("{standard}{path}"));
        let of_version = paths(urn).into_iter().chain(more).map(|path| format!("/api/content/v1{path}"));
        let graph = format!("/api/content/preview/knowledge-graph{standard}");
        for path in of_version.chain([graph]) {
            for coding in ["identity", "gzip"] {
                let headers = [("accept-encoding", coding)];
                answers.insert(format!("{path} {coding}"), instance.ask(&path, &headers).await.ok());
            }
        }
        for media in ["text/plain", "application/xml"] {
            let path = format!("/api/content/v1{standard}/content");
            let headers = [("accept", media), ("accept-encoding", "identity")];
            answers.insert(format!("{path} {media}"), instance.ask(&path, &headers).await.ok());
        }
    }
    // Without the index no reference can be resolved.
    if let Some(url) = instance.resolve(LARGE, "fig_1").await.1["url"].as_str() {
        let path = path(url);
        for range in ["bytes=0-", "bytes=900000-900000", "bytes=-5"] {
            answers.insert(format!("picture {range}"), instance.ask(path, &[("range", range)]).await.ok());
        }
    }
    (answers, instance.log())
}

#[tokio::test(flavor = "multi_thread")]
async fn no_answer_has_a_flipped_bit() {
    for kind in [Kind::Sqlite, Kind::SqliteAndFiles, Kind::Postgres] {
        let Some(test_store) = TestStore::new(kind) else { continue };
        let installation = Installation::filled(&test_store.options()).await;
        installation.norma(&["ingest", package(4_000, 2_000_000).path().to_str().unwrap()]);
        let (truth, _) = all(&installation).await;
        for (what, answer) in &truth {
            let status = answer.as_ref().map(|answer| answer.status);
            assert!(matches!(status, Some(200 | 206)), "{kind:?}, {what}: {status:?}");
        }
        assert_eq!(truth.len(), 2 * 22 + 3, "{kind:?}");

        for seed in 0..3 {
            flip(&test_store, kind, Where::Everywhere, seed);
            let (answers, log) = all(&installation).await;
            for (what, answer) in &answers {
                let status = answer.as_ref().map(|answer| answer.status);
                assert_eq!(status, Some(500), "{kind:?}, {what}");
            }
            assert!(log.contains("do not match their checksum"), "{log}");
            flip(&test_store, kind, Where::Everywhere, seed);
        }

        // Damage after the first piece that an answer needs is found when the head is gone.
        flip(&test_store, kind, Where::MiddleAndEnd, 9);
        let (answers, log) = all(&installation).await;
        let (mut good, mut refused, mut broken) = (0, 0, 0);
        for (what, known) in &truth {
            match &answers[what] {
                Some(answer) if answer.status == 500 => refused += 1,
                Some(answer) => {
                    assert!(Some(answer) == known.as_ref(), "{kind:?}, {what}");
                    good += 1;
                }
                None => broken += 1,
            }
        }
        assert!(
            good > 15 && refused > 3 && broken > 2,
            "{kind:?}: {good} good, {refused} refused, {broken} broken"
        );
        assert!(log.contains("an answer was broken off") && log.contains("sha256:"), "{log}");
        flip(&test_store, kind, Where::MiddleAndEnd, 9);
        assert!(all(&installation).await.0 == truth, "{kind:?}");
    }
}

/// The path of a URL.
fn path(url: &str) -> &str {
    &url[url.find("/api/").unwrap()..]
}

/// Requests the bytes of a URL and reads the head of the answer, but nothing more.
fn slow_reader(url: &str) -> TcpStream {
    let (address, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut socket = TcpStream::connect(address).unwrap();
    socket.set_read_timeout(Some(support::DEADLINE)).unwrap();
    write!(socket, "GET /{path} HTTP/1.1\r\nHost: {address}\r\n\r\n").unwrap();
    let mut status = [0; 12];
    socket.read_exact(&mut status).unwrap();
    assert_eq!(&status, b"HTTP/1.1 200");
    socket
}

#[tokio::test(flavor = "multi_thread")]
async fn many_readers_that_do_not_read_a_large_picture_hold_little_memory() {
    const READERS: usize = 48;
    const PICTURE: usize = 150 << 20;
    for kind in [Kind::Sqlite, Kind::SqliteAndFiles, Kind::Postgres] {
        let Some(test_store) = TestStore::new(kind) else { continue };
        let installation = Installation::filled(&test_store.options()).await;
        let package = package(3, PICTURE);
        installation.norma(&["ingest", package.path().to_str().unwrap()]);
        let instance = installation.serve(&[]).await;
        let url = instance.resolve(LARGE, "fig_1").await.1["url"].as_str().unwrap().to_owned();
        let before = instance.memory();
        let readers: Vec<TcpStream> = (0..READERS).map(|_| slow_reader(&url)).collect();
        // One who reads gets all of it meanwhile.
        let began = Instant::now();
        let mut most = 0;
        let reading = instance.ask(path(&url), &[]);
        tokio::pin!(reading);
        let picture = loop {
            tokio::select! {
                answer = &mut reading => break answer.unwrap(),
                () = tokio::time::sleep(Duration::from_millis(20)) => most = most.max(instance.memory()),
            }
            assert!(began.elapsed() < support::DEADLINE, "{kind:?}");
        };
        assert!(picture.body == std::fs::read(package.path().join("peg.png")).unwrap(), "{kind:?}");
        let in_flight = instance.metric("norma_response_bytes_in_flight").await;
        assert!((1..=16 << 20).contains(&in_flight), "{kind:?}: {in_flight} bytes in flight");
        let grown = most.saturating_sub(before);
        assert!(grown < 48 << 20, "{kind:?}: from {before} bytes of memory to {most}");
        drop(readers);
        let began = Instant::now();
        while instance.metric("norma_response_bytes_in_flight").await > 0 {
            assert!(began.elapsed() < support::DEADLINE, "{kind:?}: bytes are in flight to nobody");
        }
    }
}

/// The calls of a command to the system's files, in order, each with its paths; `None` if no tool can record
/// them.
fn file_calls(command: &[&str]) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let mut strace = std::process::Command::new("strace");
    strace.args(["-f", "-qq", "-y", "-e", "trace=openat,fsync,fdatasync", "-o"]).arg(&log);
    strace.arg(env!("CARGO_BIN_EXE_norma")).args(command);
    match strace.output() {
        Ok(output) if output.status.success() => Some(std::fs::read_to_string(&log).unwrap()),
        other => {
            assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "strace: {other:?}");
            drop(writeln!(std::io::stderr(), "LEFT OUT: strace cannot watch a program here"));
            None
        }
    }
}

#[test]
fn an_object_and_its_folder_are_on_the_disk_before_the_catalogue_names_it() {
    let Some(test_store) = TestStore::new(Kind::SqliteAndFiles) else { return };
    let sample = support::installation::samples().join("minimal");
    let ingest =
        ["ingest", sample.to_str().unwrap(), "--store", &test_store.store, "--blobs", &test_store.blobs];
    let Some(calls) = file_calls(&ingest) else { return };
    let calls: Vec<&str> = calls.lines().collect();
    // The last sync of SQLite's log makes an edition durable.
    let is_sync = |call: &&str| call.contains("fsync(") || call.contains("fdatasync(");
    let committed = calls.iter().rposition(|call| is_sync(call) && call.contains("norma.db-wal")).unwrap();
    let objects = objects(test_store.folder.path());
    assert!(!objects.is_empty());
    let synced_after = |from: usize, path: &Path| {
        let path = format!("<{}>", path.display());
        let at = calls[from..committed].iter().position(|call| is_sync(call) && call.contains(&path));
        from + at.unwrap_or_else(|| panic!("{path} is not synced in time"))
    };
    for object in &objects {
        synced_after(synced_after(0, object), object.parent().unwrap());
    }
    synced_after(0, &test_store.folder.path().join("blobs"));
}
