//! Publishing: all or nothing, and nothing twice.

use norma_store::{Error, Found, Level, Outcome};

use crate::world::{World, at, edition, urn_of};

const URN: &str = "urn:iso:std:iso:17301:-1:ed-2:en";

#[tokio::test(flavor = "multi_thread")]
async fn what_was_published_is_read_back_whole() {
    let world = World::sqlite().await;
    world.grant("urn:iso:std:*", Level::Read).await;
    let publication = edition(URN, "ISO 17301-1:2016");
    assert_eq!(world.publish(&publication).await, Outcome::Created);
    let Some(Found::Edition(found)) = world.find(URN).await else { panic!("it is not there") };
    assert_eq!(found.level(), Level::Read);
    assert_eq!(found.entry().summary, publication.summary);
    for (name, encoding, blob) in &publication.views {
        let view = found.entry().view(name, *encoding).unwrap();
        assert_eq!(world.store.blob(&view.digest).await.unwrap().as_ref(), Some(blob.bytes()));
    }
    assert_eq!(
        world.store.blob(&publication.source.digest()).await.unwrap(),
        Some(publication.source.bytes().clone())
    );
    // Handlers must be able to hold these across threads.
    fn is_send<T: Send>(value: T) -> T {
        value
    }
    is_send(world.store.publish(&publication, at(2))).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_document_again_changes_nothing() {
    let world = World::sqlite().await;
    let publication = edition(URN, "ISO 17301-1:2016");
    world.publish(&publication).await;
    let before = world.store.sequence().await.unwrap();
    assert_eq!(world.publish(&publication).await, Outcome::Unchanged);
    assert_eq!(world.store.sequence().await.unwrap(), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_foreign_document_of_the_same_urn_is_refused_unless_it_may_replace() {
    let world = World::sqlite().await;
    world.grant("urn:iso:std:*", Level::Read).await;
    world.publish(&edition(URN, "ISO 17301-1:2016")).await;
    let mut other = edition(URN, "ISO 17301-1:2016(E)");
    match world.store.publish(&other, at(2)).await {
        Err(Error::Conflict { stored, offered, .. }) => {
            assert_eq!(
                (stored.as_str(), offered.as_str()),
                ("archive/ISO 17301-1:2016.xml", other.origin.as_str())
            );
        }
        outcome => panic!("{outcome:?}"),
    }
    other.replace = true;
    assert!(matches!(world.publish(&other).await, Outcome::Replaced { .. }));
    assert_eq!(urn_of(world.find(URN).await), URN);
}
