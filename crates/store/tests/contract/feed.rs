//! The change feed: each change once, in order, and none of a history that never took effect.

use norma_model::Urn;
use norma_store::{CatalogueState, Level, Reader, Subject};

use crate::world::{TENANT, World, at, edition};

promises!(
    changes_are_read_in_their_order_in_as_many_steps_as_the_reader_likes,
    a_state_of_another_history_has_no_changes,
);

const OLD: &str = "urn:iso:std:iso:712:ed-3:en";
const NEW: &str = "urn:iso:std:iso:712:ed-4:en";

/// All changes since a state, read in steps.
async fn since(reader: &Reader, mut state: CatalogueState, step: u32) -> (Vec<Subject>, CatalogueState) {
    let mut all = Vec::new();
    loop {
        let changes = reader.changes_since(state, step).await.unwrap().unwrap();
        assert!(changes.subjects.len() <= step as usize);
        if changes.subjects.is_empty() {
            assert_eq!(changes.state, state);
            return (all, state);
        }
        assert_ne!(changes.state, state);
        state = changes.state;
        all.extend(changes.subjects);
    }
}

async fn changes_are_read_in_their_order_in_as_many_steps_as_the_reader_likes(world: World) {
    let reader = world.store.reader();
    let start = CatalogueState { sequence: 0, epoch: 0 };
    let before = reader.state().await.unwrap();
    world.publish(&edition(OLD, "ISO 712:1998")).await;
    world.grant("*", Level::Read).await;
    world.publish(&edition(NEW, "ISO 712:2009")).await;
    let urn: Urn = NEW.parse().unwrap();
    world.store.recall(&urn, "a wrong table", at(2)).await.unwrap();
    world.store.remove(&urn, at(3)).await.unwrap();
    let now = reader.state().await.unwrap();
    let of = |urn: &str| Subject::Edition(urn.to_owned());
    let (changes, state) = since(&reader, before, 100).await;
    assert_eq!(state, now);
    // The recall and the removal of the newer edition change the status of the older one.
    for subject in [of(OLD), of(NEW), Subject::Tenant(TENANT.to_owned())] {
        assert!(changes.contains(&subject), "{subject:?} is missing in {changes:?}");
    }
    assert!(changes.iter().filter(|one| **one == of(OLD)).count() >= 3, "{changes:?}");
    let last = |subject: &Subject| changes.iter().rposition(|one| one == subject);
    assert!(last(&of(NEW)) > last(&Subject::Tenant(TENANT.to_owned())), "{changes:?}");
    assert_eq!(changes.len() as u64, now.sequence - before.sequence);
    let (whole, end) = since(&reader, start, 100).await;
    assert_eq!((whole.len() as u64, end), (now.sequence, now));
    assert!(whole.ends_with(&changes));
    for step in [1, 2, 3] {
        assert_eq!(since(&reader, start, step).await, (whole.clone(), now), "{step}");
    }
}

async fn a_state_of_another_history_has_no_changes(world: World) {
    let reader = world.store.reader();
    world.publish(&edition(OLD, "ISO 712:1998")).await;
    let now = reader.state().await.unwrap();
    let other = [
        CatalogueState { epoch: now.epoch ^ 1, ..now },
        CatalogueState { sequence: now.sequence + 1, ..now },
        CatalogueState { sequence: now.sequence - 1, ..now },
    ];
    for state in other {
        assert_eq!(reader.changes_since(state, 10).await.unwrap(), None, "{state:?}");
    }
}
