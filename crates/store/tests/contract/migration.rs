//! Migration of a store of the version before.

use norma_model::Urn;
use norma_store::{ChangePosition, Level, Migrated, Store, StoreError, StoreOptions};

use crate::changes::{FIRST, SECOND, revised, since};
use crate::world::{World, at, run_sql};

promises!(a_store_of_the_version_before_tells_of_what_it_has_after_its_migration);

/// The tables of version 7, whose migration is to be done again.
const WITHOUT_VERSION_7: &str = "DROP TABLE edition_changes; DROP TABLE revision_changes; DROP TABLE amendment_changes; \
    DROP TABLE search_indexes; DROP TABLE search_blobs; DELETE FROM norma_schema WHERE version = 7";

async fn a_store_of_the_version_before_tells_of_what_it_has_after_its_migration(mut world: World) {
    world.grant("urn:iso:*", Level::Read).await;
    world.publish(&revised(FIRST, "r1", "a")).await;
    world.publish(&revised(SECOND, "s1", "c")).await;
    let second: Urn = SECOND.parse().unwrap();
    world.store.recall(&second, "a reason", Some("Table 1 is wrong"), at(5)).await.unwrap();
    let before = since(&world, ChangePosition::default()).await;

    run_sql(world.folder.path(), world.database.as_ref(), WITHOUT_VERSION_7).await;
    let mut careful = StoreOptions::default();
    careful.migrate = false;
    let refused = Store::open(&world.location, &careful).await;
    assert!(matches!(refused, Err(StoreError::OlderSchema { .. })), "{refused:?}");
    let migrated = Store::migrate(&world.location, &StoreOptions::default()).await.unwrap();
    assert_eq!(migrated, Migrated::From { version: 6, to: 7 });

    world.store = Store::open(&world.location, &careful).await.unwrap();
    assert_eq!(since(&world, ChangePosition::default()).await, before);
    let position = world.view().await.last_change().await.unwrap();
    assert_eq!(since(&world, position).await, Vec::<String>::new());
    world.publish(&revised(FIRST, "r2", "b")).await;
    assert_eq!(since(&world, position).await, [format!("Content {FIRST} from r1")]);
    world.store.reinstate(&second, at(6)).await.unwrap();
    assert!(since(&world, position).await.contains(&format!("Created {SECOND}")));
}
