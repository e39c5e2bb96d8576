//! Garbage: only unreferenced blobs, also while others publish.

use std::time::Duration;

use norma_store::{Blob, Collected, Level, Lookup, StoreError};

use crate::world::{World, at, edition};

promises!(
    only_what_nobody_refers_to_is_collected_and_only_when_it_rested,
    the_grace_period_begins_when_a_blob_is_staged_again,
    a_collector_in_a_loop_takes_nothing_from_those_who_publish,
);

async fn the_grace_period_begins_when_a_blob_is_staged_again(world: World) {
    let blob = [Blob::new("a picture that nothing refers to yet")];
    let (day, hour) = (Duration::from_secs(86_400), 3_600);
    for now in [0, 20 * hour] {
        world.store.stage_blobs(&blob, false, at(now)).await.unwrap();
    }
    assert_eq!(world.store.gc(day, at(30 * hour)).await.unwrap(), Collected::default());
    assert_eq!(world.store.gc(day, at(45 * hour)).await.unwrap().blobs, 1);
}

async fn only_what_nobody_refers_to_is_collected_and_only_when_it_rested(world: World) {
    let mut publication = edition("urn:iso:std:iso:712:ed-4:en", "ISO 712:2009");
    world.publish(&publication).await;
    let old = publication.pack.digest();
    publication.deriver = "2".to_owned();
    publication.pack = Blob::new("a new pack");
    world.publish(&publication).await;
    let (day, hour) = (Duration::from_secs(86_400), 3_600);
    assert_eq!(world.store.gc(day, at(hour)).await.unwrap(), Collected::default());
    assert!(world.store.blob_verified(&old).await.unwrap().is_some());
    let collected = world.store.gc(day, at(30 * hour)).await.unwrap();
    assert_eq!(collected.blobs, 1);
    assert!(world.store.blob_verified(&old).await.unwrap().is_none());
    assert!(world.store.blob_verified(&publication.pack.digest()).await.unwrap().is_some());
    // Its readers may have begun with it: it rests from its removal on, not from when it was put.
    world.store.remove(&publication.summary.urn, at(30 * hour)).await.unwrap();
    assert_eq!(world.store.gc(day, at(40 * hour)).await.unwrap(), Collected::default());
    assert_eq!(world.store.gc(day, at(60 * hour)).await.unwrap().blobs, 1);
    assert_eq!(world.store.stats().await.unwrap().blobs, 0);
    // Collected blobs can be put again.
    world.publish(&publication).await;
    assert_eq!(world.store.stats().await.unwrap().blobs, 1);
}

async fn a_collector_in_a_loop_takes_nothing_from_those_who_publish(world: World) {
    world.grant("*", Level::Read).await;
    let urn = "urn:iso:std:iso:712:ed-4:en";
    // Each step makes garbage of what the next but one needs again.
    let state = |n: u32| {
        let mut publication = edition(urn, "ISO 712:2009");
        publication.deriver = n.to_string();
        publication.revision = n.to_string();
        publication.pack = Blob::new(format!("pack {}", n % 2));
        publication
    };
    let writer = world.store.clone();
    let writing = tokio::spawn(async move {
        for n in 0..20 {
            loop {
                match writer.publish(&state(n), at(n.into())).await {
                    Err(StoreError::Contended(_)) => {}
                    done => break done.map(|_| ()).unwrap(),
                }
            }
        }
    });
    while !writing.is_finished() {
        world.store.gc(Duration::ZERO, at(1_000_000)).await.unwrap();
        if let Some(Lookup::Edition(found)) = world.find(urn).await {
            assert!(found.entry().revision.parse::<u32>().unwrap() < 20);
        }
    }
    writing.await.unwrap();
    let Some(Lookup::Edition(found)) = world.find(urn).await else { panic!("it is not there") };
    assert_eq!(found.entry().revision, "19");
    assert!(world.store.blob_verified(&found.entry().pack).await.unwrap().is_some());
    world.store.gc(Duration::ZERO, at(1_000_000)).await.unwrap();
    assert_eq!(world.store.stats().await.unwrap().blobs, 1);
}

#[test]
fn what_an_interrupted_write_of_an_object_left_is_collected() {
    crate::world::keep(crate::world::Kind::SqliteAndFiles, |world| Box::pin(interrupted_write(world)));
}

async fn interrupted_write(world: World) {
    world.publish(&edition("urn:iso:std:iso:712:ed-4:en", "ISO 712:2009")).await;
    let digest = Blob::new("a picture of which only the first bytes were written").digest().hex();
    let left = world.folder.path().join("blobs").join(&digest[..2]);
    std::fs::create_dir_all(&left).unwrap();
    std::fs::write(left.join(format!("{digest}.random")), "a pic").unwrap();
    // Files have the time of the clock; what the catalogue names is kept, however old.
    let later = std::time::SystemTime::now() + Duration::from_secs(2 * 86_400);
    let collected = world.store.gc(Duration::from_secs(86_400), later).await.unwrap();
    assert_eq!(collected, Collected { blobs: 1, bytes: 5 });
    assert_eq!(world.store.verify(&mut |_, _| {}).await.unwrap().damaged, 0);
}
