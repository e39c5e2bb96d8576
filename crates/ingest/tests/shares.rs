//! Shares of an ingest and of a rebuild, made at once in one store.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

use std::io::Write;
use std::path::Path;

use norma_editions::stores::open_store;
use norma_ingest::{IngestLimits, IngestOptions, IngestShare, IngestVerdict, ingest};
use norma_settings::{Layers, SettingOrigin, Settings};
use norma_store::Store;

fn standard(number: u32) -> String {
    format!(
        "<standard><front><std-meta><title-wrap><main>Pegs</main></title-wrap><std-ident><originator>NSB</originator>\
         <doc-type>IS</doc-type><doc-number>{number}</doc-number><edition>1</edition></std-ident><content-language>en\
         </content-language><std-ref type='dated'>NSB {number}:2020</std-ref></std-meta></front><body><sec id='s'>\
         <label>1</label><title>Pegs</title><p>A peg shall hold.</p></sec></body></standard>"
    )
}

/// A folder with twenty documents, and an archive with twenty more.
fn sources() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for number in 1..=20 {
        let inner = folder.path().join(number.to_string());
        std::fs::create_dir(&inner).unwrap();
        std::fs::write(inner.join("a.xml"), standard(number)).unwrap();
    }
    let mut archive = zip::ZipWriter::new(std::fs::File::create(folder.path().join("more.zip")).unwrap());
    for number in 21..=40 {
        archive.start_file(format!("{number}.xml"), zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(standard(number).as_bytes()).unwrap();
    }
    archive.finish().unwrap();
    folder
}

fn settings(store: &Path) -> Settings {
    let layers =
        Layers::default().set("store", &store.display().to_string(), SettingOrigin::Command).unwrap();
    layers.settings().unwrap()
}

async fn store_in(folder: &Path, name: &str) -> (Store, Settings) {
    let settings = settings(&folder.join(name));
    (open_store(&settings.store).await.unwrap(), settings)
}

/// Ingests or rebuilds each of three shares at once, and gives how many documents each had.
async fn in_shares<Done: Future<Output = usize>>(one: impl Fn(IngestShare) -> Done) -> Vec<usize> {
    let [first, second, third] = ["1/3", "2/3", "3/3"].map(|share| one(share.parse().unwrap()));
    let (first, second, third) = tokio::join!(first, second, third);
    vec![first, second, third]
}

#[tokio::test(flavor = "multi_thread")]
async fn shares_of_a_folder_and_its_archives_ingest_and_rebuild_each_document_once() {
    let (sources, stores) = (sources(), tempfile::tempdir().unwrap());
    let (whole, settings) = store_in(stores.path(), "whole.db").await;
    ingest(&whole, vec![sources.path().to_owned()], &IngestOptions::new(&settings.ingest), |_, _| {}).await;

    let (shared, settings) = store_in(stores.path(), "shared.db").await;
    let ingested = in_shares(async |share| {
        let options = IngestOptions { share, ..IngestOptions::new(&settings.ingest) };
        let (mut reports, mut known) = (Vec::new(), 0);
        ingest(&shared, vec![sources.path().to_owned()], &options, |report, number| {
            reports.push(report);
            known = number;
        })
        .await;
        assert_eq!(reports.len(), known);
        for report in &reports {
            assert!(matches!(report.verdict, IngestVerdict::Created), "{report:?}");
        }
        reports.len()
    })
    .await;
    assert_eq!(ingested.iter().sum::<usize>(), 40);
    assert!(ingested.iter().all(|documents| *documents > 3), "{ingested:?}");

    let editions = async |store: &Store| {
        let mut editions = Vec::new();
        for stored in store.editions(None, 500).await.unwrap() {
            let revision = store.entry(&stored.urn).await.unwrap().unwrap().revision.clone();
            editions.push((stored.urn, stored.source, stored.deriver, revision));
        }
        editions
    };
    let expected = editions(&whole).await;
    assert_eq!(expected.len(), 40);
    assert_eq!(editions(&shared).await, expected);

    let rebuilt = in_shares(async |share| {
        let (mut rebuilt, limits) = (0, IngestLimits::new(&settings.ingest));
        let done = norma_ingest::rebuild(&shared, &limits, Vec::new(), true, share, |outcome, _| {
            assert!(outcome.is_ok(), "{outcome:?}");
            rebuilt += 1;
        });
        assert_eq!(done.await.unwrap(), Vec::<String>::new());
        rebuilt
    })
    .await;
    assert_eq!(rebuilt.iter().sum::<usize>(), 40);
    assert_eq!(editions(&shared).await, expected);
}
