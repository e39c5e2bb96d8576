//! Reads during a repeated ingest: each answer is from the old edition or from the new one.

use std::collections::BTreeSet;
use std::path::Path;

use norma_ingest::{IngestOptions, IngestVerdict, ingest};

use crate::world::{READ, World};

#[tokio::test(flavor = "multi_thread")]
async fn readers_see_the_old_edition_or_the_new_one_while_it_is_taken_in_again() {
    // The reader asks as fast as it can.
    let world = World::with(&[("rate-limit", "0")]).await;
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/water-baths/document.xml");
    let text = std::fs::read_to_string(sample).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let states = ["shall", "must now"].map(|word| {
        let state = folder.path().join(word);
        std::fs::create_dir(&state).unwrap();
        std::fs::write(state.join("document.xml"), text.replace(" shall ", &format!(" {word} "))).unwrap();
        state
    });
    let ingest_files = async |state: &Path| {
        let options = IngestOptions { replace: true, ..IngestOptions::new(&world.settings.ingest) };
        ingest(&world.store, vec![state.to_owned()], &options, |report, _| {
            assert!(matches!(report.verdict, IngestVerdict::Replaced), "{report:?}");
        })
        .await;
    };
    let paths = ["", "/content", "/provisions", "/sections", "/metadata"];
    let read = async |which: usize| {
        let path = format!("/api/content/v1/standards/{}{}", READ.replace(':', "%3A"), paths[which]);
        let response = world.get(&path).send().await.unwrap();
        assert_eq!(response.status(), 200, "{path}");
        (which, response.text().await.unwrap())
    };
    // The answers in each state without a concurrent change.
    let mut allowed = BTreeSet::new();
    for state in &states {
        ingest_files(state).await;
        for which in 0..paths.len() {
            allowed.insert(read(which).await);
        }
    }
    assert_eq!(allowed.len(), 2 * paths.len(), "the two states differ in every view");
    let mut counts = BTreeSet::new();
    let writing = async {
        for turn in 0..8 {
            ingest_files(&states[turn % 2]).await;
        }
    };
    let reading = async {
        loop {
            for which in 0..paths.len() {
                counts.insert(read(which).await);
            }
        }
    };
    tokio::select! {
        () = writing => {}
        () = reading => {}
    }
    assert!(!counts.is_empty() && counts.is_subset(&allowed), "a reader saw what was never published");
    world.stop().await;
}
