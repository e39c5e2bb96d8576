//! Publishing: all or nothing, and nothing twice.

use std::time::Duration;

use norma_model::{Asset, ProvisionId};
use norma_store::{Blob, Encoding, Error, Found, Level, Outcome, Publication, Settings, Store, View};

use crate::world::{World, at, behind, edition, urn_of};

const URN: &str = "urn:iso:std:iso:17301:-1:ed-2:en";

promises!(
    what_was_published_is_read_back_whole,
    the_same_document_again_changes_nothing,
    a_foreign_document_of_the_same_urn_is_refused_unless_it_may_replace,
    a_new_derivation_replaces_the_old_one,
    readers_see_the_old_edition_or_the_new_one_and_no_mixture,
    the_same_document_from_two_at_once_is_one_edition,
    a_publish_that_is_given_up_leaves_nothing_half_done,
    what_was_laid_before_is_published_with_the_rest,
    what_was_laid_and_collected_is_not_published,
    a_lost_blob_is_put_back_when_its_edition_is_mended,
    large_blobs_go_in_whole_are_shared_and_mended,
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
    let Some(Found::Edition(found)) = is_send(world.find(URN)).await else { panic!("it is not there") };
    assert_eq!(found.level(), Level::Read);
    assert_eq!(found.entry().summary, publication.summary);
    assert_eq!(found.entry().revision, publication.revision);
    assert_eq!(found.entry().updated, at(1));
    assert_eq!(found.entry().asset(&picture.digest()), Some(&asset));
    for (name, encoding, blob) in &publication.views {
        let view = found.entry().view(name, *encoding).unwrap();
        assert_eq!(is_send(world.store.blob(&view.digest)).await.unwrap().as_ref(), Some(blob.bytes()));
        assert_eq!(world.store.blob_verified(&view.digest).await.unwrap().as_ref(), Some(blob));
    }
    let (source, size) = found.entry().source;
    assert_eq!((source, size), (publication.source.digest(), publication.source.size()));
    let reader = is_send(world.store.blob_reader(&source)).await.unwrap().unwrap();
    assert_eq!(reader.size(), size);
    assert_eq!(is_send(reader.piece(0)).await.unwrap(), publication.source.bytes());
    assert_eq!(world.store.blob(&Blob::new("nothing").digest()).await.unwrap(), None);
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
        Err(Error::Conflict { stored, offered, .. }) => {
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
    let (kept, gone, new) = (id(1), id(2), id(3));
    let mut publication = edition(URN, "ISO 17301-1:2016");
    publication.provisions = vec![gone, kept];
    publication.aliases = vec![norma_model::Identifier::parse("iso:std:iso:17301:-1:ed-2:v1:en").unwrap()];
    world.publish(&publication).await;
    publication.deriver = "2".to_owned();
    publication.revision = "another".to_owned();
    publication.provisions = vec![kept, new];
    publication.aliases.clear();
    assert!(matches!(world.publish(&publication).await, Outcome::Replaced { .. }));
    let seen = world.seen().await;
    assert!(seen.provision(&gone).await.unwrap().is_none());
    let (found, place) = seen.provision(&new).await.unwrap().unwrap();
    assert_eq!((urn_of(Some(found)).as_str(), place), (URN, 1));
    let urn = publication.summary.urn.clone();
    assert_eq!(world.store.provisions(&urn).await.unwrap(), Some(vec![kept, new]));
    let kept = world.store.from_source(&publication.source.digest()).await.unwrap();
    assert_eq!((kept.len(), kept[0].deriver.as_str()), (1, "2"));
    for (deriver, others) in [("1", 1), ("2", 0), ("3", 1)] {
        assert_eq!(world.store.derived_by_others(deriver).await.unwrap(), others, "{deriver}");
    }
}

fn id(n: u8) -> ProvisionId {
    ProvisionId::from_bytes([n; 16])
}

/// All views of one state say the same revision.
fn state(n: u32) -> Publication {
    let mut publication = edition(URN, "ISO 17301-1:2016");
    publication.revision = format!("state-{n}");
    publication.deriver = n.to_string();
    for (name, _, blob) in &mut publication.views {
        *blob = Blob::new(format!("state-{n} {name}"));
    }
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
        let Some(Found::Edition(found)) = world.find(URN).await else { panic!("it was never away") };
        for view in &found.entry().views {
            let bytes = world.store.blob(&view.digest).await.unwrap().unwrap();
            let revision = format!("{} ", found.entry().revision);
            assert!(bytes.starts_with(revision.as_bytes()), "{revision}: {bytes:?}");
        }
        last.clone_from(&found.entry().revision);
    }
    writing.await.unwrap();
    assert!(last.starts_with("state-"));
    let Some(Found::Edition(found)) = world.find(URN).await else { panic!("it is not there") };
    assert_eq!(found.entry().revision, "state-14");
}

async fn the_same_document_from_two_at_once_is_one_edition(world: World) {
    world.grant("urn:iso:std:*", Level::Read).await;
    let publication = edition(URN, "ISO 17301-1:2016");
    let other = norma_store::Store::open(&world.location, &norma_store::Settings::default()).await.unwrap();
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
            Some(Found::Edition(found)) => {
                for view in &found.entry().views {
                    assert!(world.store.blob(&view.digest).await.unwrap().is_some());
                }
            }
            Some(found) => panic!("{found:?}"),
        }
        if done.is_some() {
            return;
        }
    }
}

/// Its views laid, one after the other, but for the last.
async fn laid(world: &World, mut publication: Publication) -> Publication {
    while publication.views.len() > 1 {
        let (name, encoding, blob) = publication.views.remove(0);
        world.store.lay(std::slice::from_ref(&blob), false, at(1)).await.unwrap();
        publication.laid.push(View { name, encoding, digest: blob.digest(), size: blob.size() });
    }
    publication
}

async fn what_was_laid_before_is_published_with_the_rest(world: World) {
    world.grant("urn:iso:std:*", Level::Read).await;
    let whole = edition(URN, "ISO 17301-1:2016");
    let publication = laid(&world, whole.clone()).await;
    assert_eq!(urn_of(world.find(URN).await), "", "nothing is there before it is published");
    assert!(!world.store.holds(&publication).await.unwrap());
    assert_eq!(world.publish(&publication).await, Outcome::Created);
    assert!(world.store.holds(&whole).await.unwrap());
    let Some(Found::Edition(found)) = world.find(URN).await else { panic!("it is not there") };
    for (name, encoding, blob) in &whole.views {
        let view = found.entry().view(name, *encoding).unwrap();
        assert_eq!(world.store.blob_verified(&view.digest).await.unwrap().as_ref(), Some(blob));
    }
    world.store.gc(Duration::ZERO, at(1_000_000)).await.unwrap();
    assert_eq!(world.store.stats().await.unwrap().blobs, 4, "what is laid is referred to");
}

async fn what_was_laid_and_collected_is_not_published(world: World) {
    let publication = laid(&world, edition(URN, "ISO 17301-1:2016")).await;
    assert_eq!(world.store.gc(Duration::ZERO, at(1_000_000)).await.unwrap().blobs, 2);
    let outcome = world.store.publish(&publication, at(2)).await;
    assert!(matches!(outcome, Err(Error::Contended(_))), "{outcome:?}");
    assert_eq!(world.store.stats().await.unwrap().editions, 0);
}

async fn a_lost_blob_is_put_back_when_its_edition_is_mended(world: World) {
    let mut publication = edition(URN, "ISO 17301-1:2016");
    world.publish(&publication).await;
    lose_all(&world).await;
    // A handle that remembers nothing.
    let store = Store::open(&world.location, &Settings::default()).await.unwrap();
    let mut told = Vec::new();
    let checked = store.verify(&mut |_, damage| told.extend(damage.map(str::to_owned))).await.unwrap();
    assert_eq!((checked.damaged, told.len()), (4, 4), "{told:?}");
    assert_eq!(told.iter().filter(|line| line.contains("norma rebuild urn:iso")).count(), 3, "{told:?}");
    assert!(told.iter().any(|line| line.contains("norma ingest --mend archive/")), "{told:?}");
    assert_eq!(store.publish(&publication, at(2)).await.unwrap(), Outcome::Unchanged);
    publication.mend = true;
    assert!(matches!(store.publish(&publication, at(3)).await.unwrap(), Outcome::Replaced { .. }));
    assert_eq!(store.verify(&mut |_, _| {}).await.unwrap().damaged, 0);
}

/// Loses the bytes of every blob, behind the store's back.
async fn lose_all(world: &World) {
    let lose = "UPDATE blobs SET place = CASE WHEN place IS NULL THEN NULL ELSE 'lost/lost' END, \
        bytes = CASE WHEN bytes IS NULL THEN NULL ELSE digest END; DELETE FROM blob_pieces";
    behind(world.folder.path(), world.database.as_ref(), lose).await;
}

async fn large_blobs_go_in_whole_are_shared_and_mended(world: World) {
    let large = Blob::new((0..3 << 20).map(|n: u32| (n % 251) as u8).collect::<Vec<_>>());
    let [first, mut second] = [("urn:iso:std:iso:712:ed-4:en", "ISO 712:2009"), (URN, "ISO 17301-1:2016")]
        .map(|(urn, reference)| {
            let mut publication = edition(urn, reference);
            publication.views.push(("graph".to_owned(), Encoding::Identity, large.clone()));
            publication
        });
    for publication in [&first, &second] {
        assert_eq!(world.publish(publication).await, Outcome::Created);
        let found = world.store.blob_verified(&large.digest()).await.unwrap();
        assert!(found.as_ref() == Some(&large), "it is read back whole");
    }
    lose_all(&world).await;
    second.mend = true;
    let store = Store::open(&world.location, &Settings::default()).await.unwrap();
    assert!(matches!(store.publish(&second, at(3)).await.unwrap(), Outcome::Replaced { .. }));
    assert!(
        store.blob_verified(&large.digest()).await.unwrap().as_ref() == Some(&large),
        "it is whole again"
    );
}
