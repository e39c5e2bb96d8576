//! Positions in the changes of a catalogue.

use norma_store::{CatalogueState, ChangePosition, Level};

use crate::world::{World, edition};

promises!(a_position_of_another_history_has_no_changes,);

async fn a_position_of_another_history_has_no_changes(world: World) {
    world.grant("urn:iso:*", Level::Read).await;
    world.publish(&edition("urn:iso:std:iso:7:ed-1:en", "ISO 7:2001")).await;
    let view = world.view().await;
    let now = view.last_change().await.unwrap();
    assert!(view.changes_since(now, 10).await.unwrap().is_some());
    for other in [
        CatalogueState { epoch: now.state.epoch ^ 1, ..now.state },
        CatalogueState { sequence: now.state.sequence + 1000, ..now.state },
        CatalogueState { sequence: u64::MAX, ..now.state },
    ] {
        let other = ChangePosition { state: other, ..now };
        assert_eq!(view.changes_since(other, 10).await.unwrap(), None, "{other:?}");
    }
    assert!(view.changes_since(now, 0).await.is_err());
}
