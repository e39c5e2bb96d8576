//! Publishing: all or nothing, and nothing twice.

use std::time::Duration;

use norma_model::{Asset, ProvisionId};
use norma_store::{Blob, Level, Lookup, Outcome, Publication, Store, StoreError, StoreOptions};

use crate::world::{World, at, edition, run_sql, urn_of};

const URN: &str = "urn:iso:std:iso:17301:-1:ed-2:en";

promises!(
    what_was_published_is_read_back_whole,
    the_same_document_again_changes_nothing,
    a_foreign_document_of_the_same_urn_is_refused_unless_it_may_replace,
    a_new_derivation_replaces_the_old_one,
    readers_see_the_old_edition_or_the_new_one_and_no_mixture,
    the_same_document_published_concurrently_is_one_edition,
    a_publish_that_is_given_up_leaves_nothing_half_done,
    staged_blobs_are_published_with_the_rest,
    staged_blobs_that_were_collected_are_not_published,
    a_lost_blob_is_put_back_when_its_edition_is_repaired,
    large_blobs_are_stored_whole_shared_and_repaired,
);

fn is_send<T: Send>(value: T) -> T {
    value
}

async fn what_was_published_is_read_back_whole(world: World) {
    world.grant("urn:iso:std:*", Level::Read).await;
    let mut publication = edition(URN, "ISO 17301-1:2016");
    let picture = Blob::new(vec![7; 100_000]);
    let size = picture.size();
    let asset = Asset {
        digest: picture.digest(),
        media_type: "image/png".to_owned(),
        size,
        dimensions: Some((4, 3)),
    };
    publication.assets = vec![asset.clone()];
    publication.pictures = vec![picture.clone()];
    // Handlers hold these across threads.
    assert_eq!(is_send(world.store.publish(&publication, at(1))).await.unwrap(), Outcome::Created);
    let Some(Lookup::Edition(found)) = is_send(world.find(URN)).await else { panic!("it is not there") };
    assert_eq!(found.level(), Level::Read);
    assert_eq!(found.entry().summary, publication.summary);
    assert_eq!(found.entry().revision, publication.revision);
    assert_eq!(found.entry().updated, at(1));
    assert_eq!(found.entry().asset(&picture.digest()), Some(&asset));
    let entry = found.entry();
    assert_eq!((entry.source, entry.source_size), (publication.source, publication.source_size));
    assert_eq!((&entry.directory, entry.pack), (&publication.directory, publication.pack.digest()));
    let pack = is_send(world.store.handle(entry).pack());
    assert_eq!((pack.size(), pack.digest()), (publication.pack.size(), &entry.pack));
    assert_eq!(is_send(pack.read(0..u64::MAX)).await.unwrap(), publication.pack.bytes());
    // It begins a piece where it was cut.
    assert_eq!(is_send(pack.piece_from(0)).await.unwrap(), "metadata and ");
    assert_eq!(pack.piece_from(21).await.unwrap(), publication.pack.bytes().slice(21..));
    for blob in [&publication.pack, &picture] {
        assert_eq!(is_send(world.store.blob_verified(&blob.digest())).await.unwrap().as_ref(), Some(blob));
    }
    assert_eq!(world.store.blob_verified(&Blob::new("nothing").digest()).await.unwrap(), None);
}

async fn the_same_document_again_changes_nothing(world: World) {
    let publication = edition(URN, "ISO 17301-1:2016");
    world.publish(&publication).await;
    let before = world.store.stats().await.unwrap();
    assert_eq!(world.publish(&publication).await, Outcome::Unchanged);
    assert_eq!(world.store.stats().await.unwrap(), before);
}

async fn a_foreign_document_of_the_same_urn_is_refused_unless_it_may_replace(world: World) {
    world.grant("urn:iso:std:*", Level::Read).await;
    let first = edition(URN, "ISO 17301-1:2016");
    world.publish(&first).await;
    let mut other = edition(URN, "ISO 17301-1:2016(E)");
    other.origin = "elsewhere.zip".to_owned();
    match world.store.publish(&other, at(2)).await {
        Err(StoreError::Conflict { stored, offered, .. }) => {
            assert_eq!((stored.as_str(), offered.as_str()), (first.origin.as_str(), "elsewhere.zip"));
        }
        outcome => panic!("{outcome:?}"),
    }
    other.replace = true;
    assert_eq!(world.publish(&other).await, Outcome::Replaced { previous: first.revision });
    assert_eq!(urn_of(world.find(URN).await), URN);
}

async fn a_new_derivation_replaces_the_old_one(world: World) {
    world.grant("urn:iso:std:*", Level::Read).await;
    let (stored, gone, new) = (id(1), id(2), id(3));
    let mut publication = edition(URN, "ISO 17301-1:2016");
    publication.provisions = vec![gone, stored];
    publication.aliases = vec![norma_model::Identifier::parse("iso:std:iso:17301:-1:ed-2:v1:en").unwrap()];
    world.publish(&publication).await;
    publication.deriver = "2".to_owned();
    publication.revision = "another".to_owned();
    publication.provisions = vec![stored, new];
    publication.aliases.clear();
    assert!(matches!(world.publish(&publication).await, Outcome::Replaced { .. }));
    let view = world.view().await;
    assert!(view.provision(&gone).await.unwrap().is_none());
    let (found, position) = view.provision(&new).await.unwrap().unwrap();
    assert_eq!(
        (urn_of(Some(found)).as_str(), position.index, position.previous, position.next),
        (URN, 1, Some(stored), None)
    );
    let urn = publication.summary.urn.clone();
    assert_eq!(world.store.provisions(&urn).await.unwrap(), Some(vec![stored, new]));
    let stored = world.store.from_source(&publication.source).await.unwrap();
    assert_eq!((stored.len(), stored[0].deriver.as_str()), (1, "2"));
    for (deriver, others) in [("1", 1), ("2", 0), ("3", 1)] {
        assert_eq!(world.store.derived_by_others(deriver).await.unwrap(), others, "{deriver}");
    }
}

fn id(n: u8) -> ProvisionId {
    ProvisionId::from_bytes([n; 16])
}

/// The pack says the revision.
fn state(n: u32) -> Publication {
    let mut publication = edition(URN, "ISO 17301-1:2016");
    publication.revision = format!("state-{n}");
    publication.deriver = n.to_string();
    publication.pack = Blob::new(format!("state-{n} of all"));
    publication
}

async fn readers_see_the_old_edition_or_the_new_one_and_no_mixture(world: World) {
    world.grant("urn:iso:std:*", Level::Read).await;
    world.publish(&state(0)).await;
    let writer = world.store.clone();
    let writing = tokio::spawn(async move {
        for n in 1..15 {
            writer.publish(&state(n), at(n.into())).await.unwrap();
        }
    });
    let mut last = String::new();
    while !writing.is_finished() {
        let Some(Lookup::Edition(found)) = world.find(URN).await else { panic!("it was never away") };
        let bytes = found.pack().read(0..u64::MAX).await.unwrap();
        assert_eq!(bytes, format!("{} of all", found.entry().revision));
        last.clone_from(&found.entry().revision);
    }
    writing.await.unwrap();
    assert!(last.starts_with("state-"));
    let Some(Lookup::Edition(found)) = world.find(URN).await else { panic!("it is not there") };
    assert_eq!(found.entry().revision, "state-14");
}

async fn the_same_document_published_concurrently_is_one_edition(world: World) {
    world.grant("urn:iso:std:*", Level::Read).await;
    let publication = edition(URN, "ISO 17301-1:2016");
    let other =
        norma_store::Store::open(&world.location, &norma_store::StoreOptions::default()).await.unwrap();
    let (one, two) =
        tokio::join!(world.store.publish(&publication, at(1)), other.publish(&publication, at(1)));
    let mut outcomes = [one.unwrap(), two.unwrap()];
    outcomes.sort_by_key(|outcome| *outcome == Outcome::Unchanged);
    assert_eq!(outcomes, [Outcome::Created, Outcome::Unchanged]);
    assert_eq!(world.store.stats().await.unwrap().editions, 1);
}

async fn a_publish_that_is_given_up_leaves_nothing_half_done(world: World) {
    world.grant("urn:iso:std:*", Level::Read).await;
    // Given up after ever more steps, until it comes through.
    for polls in 1.. {
        let publication = edition(URN, "ISO 17301-1:2016");
        let mut publishing = Box::pin(world.store.publish(&publication, at(1)));
        let mut left = polls;
        let done = std::future::poll_fn(|context| {
            use std::task::Poll;
            match publishing.as_mut().poll(context) {
                Poll::Ready(done) => Poll::Ready(Some(done)),
                Poll::Pending if left == 0 => Poll::Ready(None),
                Poll::Pending => {
                    left -= 1;
                    Poll::Pending
                }
            }
        });
        let done = done.await;
        drop(publishing);
        match world.find(URN).await {
            None => assert!(done.is_none()),
            Some(Lookup::Edition(found)) => {
                let pack = found.pack().read(0..u64::MAX).await.unwrap();
                assert_eq!(&pack, publication.pack.bytes());
            }
            Some(found) => panic!("{found:?}"),
        }
        if done.is_some() {
            return;
        }
    }
}

/// An edition with two pictures, staged one after the other.
async fn with_staged_pictures(world: &World) -> (Publication, [Blob; 2]) {
    let mut publication = edition(URN, "ISO 17301-1:2016");
    let pictures = ["one picture", "another picture"].map(Blob::new);
    for picture in &pictures {
        world.store.stage_blobs(std::slice::from_ref(picture), false, at(1)).await.unwrap();
        let (digest, size) = (picture.digest(), picture.size());
        publication.assets.push(Asset { digest, size, media_type: "image/png".to_owned(), dimensions: None });
    }
    (publication, pictures)
}

async fn staged_blobs_are_published_with_the_rest(world: World) {
    world.grant("urn:iso:std:*", Level::Read).await;
    let (publication, pictures) = with_staged_pictures(&world).await;
    assert_eq!(urn_of(world.find(URN).await), "", "nothing is there before it is published");
    assert!(!world.store.holds(&publication).await.unwrap());
    assert_eq!(world.publish(&publication).await, Outcome::Created);
    assert!(world.store.holds(&publication).await.unwrap());
    let Some(Lookup::Edition(found)) = world.find(URN).await else { panic!("it is not there") };
    for picture in &pictures {
        assert!(found.entry().asset(&picture.digest()).is_some());
        assert_eq!(world.store.blob_verified(&picture.digest()).await.unwrap().as_ref(), Some(picture));
    }
    world.store.gc(Duration::ZERO, at(1_000_000)).await.unwrap();
    assert_eq!(world.store.stats().await.unwrap().blobs, 3, "what is laid is referred to");
}

async fn staged_blobs_that_were_collected_are_not_published(world: World) {
    let (publication, _) = with_staged_pictures(&world).await;
    assert_eq!(world.store.gc(Duration::ZERO, at(1_000_000)).await.unwrap().blobs, 2);
    let others = [edition("urn:iso:std:iso:712:ed-4:en", "ISO 712:2009"), publication];
    let outcomes = world.store.publish_all(&others, at(2)).await;
    assert!(
        matches!(outcomes.as_slice(), [Ok(Outcome::Created), Err(StoreError::Contended(_))]),
        "{outcomes:?}"
    );
    assert_eq!(world.store.stats().await.unwrap().editions, 1);
}

async fn a_lost_blob_is_put_back_when_its_edition_is_repaired(world: World) {
    let (mut publication, pictures) = with_staged_pictures(&world).await;
    world.publish(&publication).await;
    lose_all(&world).await;
    // A handle that remembers nothing.
    let store = Store::open(&world.location, &StoreOptions::default()).await.unwrap();
    let mut reported = Vec::new();
    let checked = store.verify(&mut |_, damage| reported.extend(damage.map(str::to_owned))).await.unwrap();
    assert_eq!((checked.damaged, reported.len()), (3, 3), "{reported:?}");
    assert!(reported.iter().all(|line| line.contains("norma ingest --repair archive/")), "{reported:?}");
    assert_eq!(store.publish(&publication, at(2)).await.unwrap(), Outcome::Unchanged);
    publication.repair = true;
    publication.pictures.push(pictures[0].clone());
    store.stage_blobs(&pictures[1..], true, at(3)).await.unwrap();
    assert!(matches!(store.publish(&publication, at(3)).await.unwrap(), Outcome::Replaced { .. }));
    assert_eq!(store.verify(&mut |_, _| {}).await.unwrap().damaged, 0);
}

/// Deletes the bytes of every blob behind the store's back.
async fn lose_all(world: &World) {
    let lose = "UPDATE blobs SET object = CASE WHEN object IS NULL THEN NULL ELSE 'lost/lost' END; DELETE FROM pieces";
    run_sql(world.folder.path(), world.database.as_ref(), lose).await;
}

async fn large_blobs_are_stored_whole_shared_and_repaired(world: World) {
    let large = Blob::new((0..3 << 20).map(|n: u32| (n % 251) as u8).collect::<Vec<_>>());
    let [first, mut second] = [("urn:iso:std:iso:712:ed-4:en", "ISO 712:2009"), (URN, "ISO 17301-1:2016")]
        .map(|(urn, reference)| {
            let mut publication = edition(urn, reference);
            let (digest, size) = (large.digest(), large.size());
            publication.assets =
                vec![Asset { digest, size, media_type: "image/png".to_owned(), dimensions: None }];
            publication.pictures = vec![large.clone()];
            publication
        });
    for publication in [&first, &second] {
        assert_eq!(world.publish(publication).await, Outcome::Created);
        let found = world.store.blob_verified(&large.digest()).await.unwrap();
        assert!(found.as_ref() == Some(&large), "it is read back whole");
    }
    lose_all(&world).await;
    second.repair = true;
    let store = Store::open(&world.location, &StoreOptions::default()).await.unwrap();
    assert!(matches!(store.publish(&second, at(3)).await.unwrap(), Outcome::Replaced { .. }));
    assert!(
        store.blob_verified(&large.digest()).await.unwrap().as_ref() == Some(&large),
        "it is whole again"
    );
}
