//! Memory of a comparison: the reservation is enough, and not much more than enough.

#![allow(clippy::unwrap_used, reason = "this is test code")]

use std::fmt::Write as _;
use std::path::Path;

use norma_editions::comparison::{make, memory};
use norma_editions::stores::open_store;
use norma_ingest::{IngestOptions, ingest};
use norma_model::Lang;
use norma_settings::{Layers, SettingOrigin, Settings};
use norma_store::{EditionHandle, Store};
use peak_alloc::PeakAlloc;

/// The allocator of the system, which counts the bytes in use.
#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// A new store in a folder, with the settings that name it.
async fn new_store(folder: &Path) -> (Settings, Store) {
    let path = folder.join("norma.db").display().to_string();
    let settings = Layers::default().set("store", &path, SettingOrigin::Command).unwrap().settings().unwrap();
    let store = open_store(&settings.store).await.unwrap();
    (settings, store)
}

/// A standard with this number of provisions; `text` gives the words of each.
fn standard(number: u32, provisions: u32, text: &mut dyn FnMut(u32) -> String) -> String {
    let mut body = String::new();
    for clause in 0..provisions / 20 {
        write!(body, "<sec id=\"s{clause}\"><label>{}</label><title>Part {clause}</title>", clause + 4)
            .unwrap();
        for one in 0..20 {
            write!(body, "<p>{}</p>", text(clause * 20 + one)).unwrap();
        }
        body.push_str("</sec>");
    }
    format!(
        "<standard xml:lang=\"en\"><front><std-meta><title-wrap xml:lang=\"en\"><main>Pumps</main></title-wrap>\
         <std-ident><originator>NSB</originator><doc-type>IS</doc-type><doc-number>{number}</doc-number>\
         <edition>1</edition></std-ident><content-language>en</content-language>\
         <std-ref type=\"dated\">NSB {number}:2026</std-ref></std-meta></front><body>{body}</body></standard>"
    )
}

async fn stored_standard(store: &Store, options: &IngestOptions, source: String) -> EditionHandle {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("document.xml");
    std::fs::write(&file, source).unwrap();
    let before = store.editions(None, 100).await.unwrap();
    ingest(store, vec![file], options, |_, _| {}).await;
    let after = store.editions(None, 100).await.unwrap();
    let new = after.iter().find(|edition| !before.contains(edition)).unwrap();
    store.handle(&store.entry(&new.urn).await.unwrap().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_comparison_takes_no_more_memory_than_is_reserved_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let (settings, store) = new_store(folder.path()).await;
    let options = IngestOptions::new(&settings.ingest);
    let english: Lang = "en".parse().unwrap();
    let mut random = 1_u64;
    let mut word = || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        random >> 52
    };
    let mut number = 1;
    for (words, shared) in [(4, 0), (20, 10), (60, 30), (60, 55)] {
        let mut sides = Vec::new();
        for side in 0..2 {
            let mut text = |one: u32| {
                let same = (0..shared).map(|n| format!("w{:x} ", (one + n).wrapping_mul(2_654_435)));
                let own = (shared..words).map(|_| format!("w{:x} ", word()));
                let all: String = same.chain(own.collect::<Vec<_>>()).collect();
                format!("Pump {one} shall hold {} h {all}.", one + side)
            };
            let source = standard(number, 2000, &mut text);
            number += 1;
            sides.push(stored_standard(&store, &options, source).await);
        }
        let [older, newer] = [&sides[0], &sides[1]];
        let provisions = 4000;
        let reserved = memory([older.entry(), newer.entry()], provisions);
        let before = MEMORY.current_usage();
        MEMORY.reset_peak_usage();
        let found = make([older, newer], Vec::new(), &english, usize::MAX).await.unwrap();
        let taken = (MEMORY.peak_usage() - before) as u64;
        let compared = norma_reads::ComparedPair::new(found.record, found.ordinals);
        let counted = compared.memory();
        let held = MEMORY.current_usage();
        drop(compared);
        let freed = held - MEMORY.current_usage();
        assert!(taken <= reserved, "{taken} of {reserved} bytes, {words} words");
        assert!(taken * 4 > reserved, "{taken} of {reserved} bytes, {words} words: too much is reserved");
        assert!(freed <= counted && counted < 2 * freed, "{freed} bytes, counted {counted}, {words} words");
    }
}
