//! Access: what grants show, and what they hide.

use norma_store::{Level, Query};

use crate::world::{World, edition, urn_of};

#[tokio::test(flavor = "multi_thread")]
async fn without_a_grant_nothing_is_there() {
    let world = World::sqlite().await;
    world.publish(&edition("urn:iso:std:iso:712:ed-4:en", "ISO 712:2009")).await;
    assert_eq!(urn_of(world.find("urn:iso:std:iso:712:ed-4:en").await), "");
    assert!(world.list(&Query::default()).await.is_empty());
    let grant = world.grant("urn:iso:std:iso:712:*", Level::Discover).await;
    assert_eq!(urn_of(world.find("urn:iso:std:iso:712").await), "urn:iso:std:iso:712:ed-4:en");
    assert_eq!(world.list(&Query::default()).await.len(), 1);
    world.store.remove_grant(grant, crate::world::at(3)).await.unwrap();
    assert_eq!(urn_of(world.find("urn:iso:std:iso:712:ed-4:en").await), "");
}
