//! Memory of answers: concurrent requests stay below the settings that bound their memory.

use std::fmt::Write as _;

use futures::future::join_all;
use norma_api::Operation;
use peak_alloc::PeakAlloc;

use crate::world::World;

/// The allocator of the system, which counts the bytes in use.
#[global_allocator]
pub(crate) static MEMORY: PeakAlloc = PeakAlloc;

const MIB: usize = 1 << 20;

pub(crate) const LARGE: &str = "urn:nsb:std:nsb:9001:ed-1:en";

/// A standard with this many clauses of twenty requirements, about 14 KB of provisions each, with words that
/// do not compress.
fn large_standard(clauses: usize) -> String {
    let (mut body, mut random) = (String::new(), 1_u64);
    let mut word = || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        format!("w{:x} ", random >> 24)
    };
    for clause in 4..4 + clauses {
        write!(body, "<sec id=\"s{clause}\"><label>{clause}</label><title>Pump {clause}</title>").unwrap();
        for pump in 0..20 {
            let words: String = (0..20).map(|_| word()).collect();
            write!(body, "<p>Pump {clause}-{pump} shall hold its pressure for {pump} h {words}.</p>")
                .unwrap();
        }
        body.push_str("</sec>");
    }
    format!(
        "<standard xml:lang=\"en\"><front><std-meta><title-wrap xml:lang=\"en\"><main>Pumps</main></title-wrap>\
         <std-ident><originator>NSB</originator><doc-type>IS</doc-type><doc-number>9001</doc-number>\
         <edition>1</edition></std-ident><content-language>en</content-language>\
         <std-ref type=\"dated\">NSB 9001:2026</std-ref></std-meta></front><body>{body}</body></standard>"
    )
}

pub(crate) async fn with_large_standard(clauses: usize, settings: &[(&str, &str)]) -> World {
    // The search's thread would read the standard while memory is measured.
    let settings = [settings, &[("search", "false")]].concat();
    let world = World::with(&settings).await;
    world.add(&large_standard(clauses), LARGE).await;
    world
}

/// Sends requests for these paths at once, and returns the most bytes of memory that they used.
async fn most_memory(world: &World, paths: impl IntoIterator<Item = String>) -> usize {
    let paths: Vec<String> = paths.into_iter().collect();
    let requests: Vec<_> = paths.iter().map(|path| world.get(path)).collect();
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let answers = join_all(requests.into_iter().map(|request| async {
        let answer = request.send().await.unwrap();
        (answer.status().as_u16(), answer.bytes().await.unwrap().len())
    }));
    for (status, size) in answers.await {
        assert!(status == 200 && size < 300, "{status}: {size} bytes");
    }
    MEMORY.peak_usage() - before
}

#[tokio::test(flavor = "multi_thread")]
async fn filters_of_a_large_standard_take_no_more_memory_than_the_settings_say() {
    let settings = [
        ("max-bytes-in-flight", "16MiB"),
        ("response-cache", "0B"),
        ("cache-size", "0B"),
        ("store-timeout", "60s"),
        ("request-timeout", "60s"),
    ];
    let world = with_large_standard(200, &settings).await;
    let path = |query: String| format!("{}?{query}", Operation::Provisions.path_with(&[LARGE]));
    // One request alone, so that nothing below is memory of first uses.
    most_memory(&world, [path("q=zz".to_owned())]).await;
    let attacks = 100;
    let taken = most_memory(&world, (0..attacks).map(|k| path(format!("q=zz{k}")))).await;
    // Of the client's share, connections and their tasks: each about 100 KiB in a debug build, on both sides.
    let bound = 16 * MIB + attacks * MIB / 10;
    assert!(taken < bound, "{} KiB of {} KiB", taken >> 10, bound >> 10);
    world.stop().await;
}

/// Number of 503 answers for this reason, as in `/metrics`.
async fn unavailable(world: &World, reason: &str) -> u64 {
    let metrics = world.http.get(format!("http://{}/metrics", world.running.ops_address));
    let metrics = metrics.send().await.unwrap().text().await.unwrap();
    let series = format!("norma_unavailable_total{{reason=\"{reason}\"}} ");
    metrics.lines().find_map(|line| line.strip_prefix(&series)?.parse().ok()).unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_for_want_of_memory_and_of_the_store_are_counted_by_reason() {
    let bounds = [("max-bytes-in-flight", "2MiB"), ("store-timeout", "100ms"), ("response-cache", "0B")];
    let world = with_large_standard(120, &[&bounds[..], &[("cache-size", "0B")]].concat()).await;
    let path = Operation::Standard.path_with(&[LARGE]);
    let before = (unavailable(&world, "memory").await, unavailable(&world, "store").await);
    // A reader that does not read has the client's share.
    let slow = crate::large::begin(&world, &path, "identity").await;
    let answer = world.get(&path).send().await.unwrap();
    assert_eq!(answer.status(), 503);
    let after = (unavailable(&world, "memory").await, unavailable(&world, "store").await);
    assert_eq!(after, (before.0 + 1, before.1));
    drop(slow);
    // The folder of blobs is a file now.
    let blobs = world.folder.path().join("blobs");
    std::fs::rename(&blobs, world.folder.path().join("moved")).unwrap();
    std::fs::write(&blobs, "").unwrap();
    let answer = world.get(&Operation::Terms.path_with(&[LARGE])).send().await.unwrap();
    assert_eq!(answer.status(), 503);
    let at_end = (unavailable(&world, "memory").await, unavailable(&world, "store").await);
    assert_eq!(at_end, (after.0, after.1 + 1));
    world.stop().await;
}
