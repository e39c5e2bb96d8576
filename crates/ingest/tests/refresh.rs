//! Refresh of lineages: those of a changed document are made again when they are requested.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

use std::time::{Duration, SystemTime};

use norma_editions::lineage::Refresher;
use norma_editions::stores::open_store;
use norma_ingest::{IngestOptions, ingest};
use norma_settings::{Layers, SettingOrigin};

const DOCUMENT: &str = "<standard><front><std-meta><title-wrap><full>Pegs</full></title-wrap><std-ident>\
    <originator>NSB</originator><doc-type>IS</doc-type><doc-number>1</doc-number><edition>1</edition></std-ident>\
    <content-language>en</content-language><std-ref type='dated'>NSB 1:2020</std-ref></std-meta></front><body>\
    <sec><title>Pegs</title><p>Pegs shall be made of wood.</p></sec></body></standard>";

#[tokio::test(flavor = "multi_thread")]
async fn a_document_that_changed_is_made_again_when_it_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("norma.db").display().to_string();
    let settings = Layers::default().set("store", &path, SettingOrigin::Command).unwrap().settings().unwrap();
    let store = open_store(&settings.store).await.unwrap();
    let options = IngestOptions::new(&settings.ingest);
    for edition in ["1", "2"] {
        let file = folder.path().join(format!("{edition}.xml"));
        let source = DOCUMENT.replace("<edition>1", &format!("<edition>{edition}"));
        std::fs::write(&file, source.replace(":2020", &format!(":202{edition}"))).unwrap();
        ingest(&store, vec![file], &options, |_, _| {}).await;
    }
    let urn = store.editions(None, 1).await.unwrap()[0].urn.clone();
    let document = urn.document_urn();
    let (refresher, task) = Refresher::start(store.clone());
    // A removal without an update, as of a command that was stopped.
    assert!(store.remove(&urn, SystemTime::now()).await.unwrap());
    assert!(refresher.request(document));
    let deadline = tokio::time::Instant::now() + Duration::from_secs(30);
    while !store.changed_documents(None, "").await.unwrap().is_empty() {
        assert!(tokio::time::Instant::now() < deadline, "the document is not made again");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(store.document(document).await.unwrap().partition.editions.len(), 1);
    drop(refresher);
    task.await.unwrap();
}
