//! Renames: all rows with an old URN get the new one, in the transaction of the publication.

use std::collections::BTreeSet;

use norma_model::ProvisionId;
use norma_model::lineage::{Asked, Fate};
use norma_store::{Correspondence, GrantScope, Level, Lookup, Outcome, Publication, StoreError};

use crate::world::{World, at, edition, urn_of};

promises!(
    an_edition_that_is_renamed_keeps_its_readers_its_tables_and_its_ids,
    a_name_that_another_edition_has_is_not_given,
);

const OLDER: &str = "urn:iso:std:iso:7:ed-1:en";
const OLD: &str = "urn:iso:std:iso:7:ed-2:eng";
const NEW: &str = "urn:iso:std:iso:7:ed-2:en";

fn provision(n: u8) -> ProvisionId {
    ProvisionId::from_bytes([n; 16])
}

/// The edition of this URN with a provision.
fn published(urn: &str, id: u8) -> Publication {
    Publication { provisions: vec![provision(id)], ..edition(urn, "ISO 7:2020") }
}

/// The edition under its new name.
fn renamed() -> Publication {
    let old = published(OLD, 2);
    Publication {
        former_urn: OLD.parse().ok(),
        source: old.source,
        origin: old.origin,
        deriver: "2".to_owned(),
        successors: vec![(provision(2), provision(3))],
        ..published(NEW, 3)
    }
}

async fn an_edition_that_is_renamed_keeps_its_readers_its_tables_and_its_ids(world: World) {
    world.publish(&published(OLDER, 1)).await;
    world.publish(&published(OLD, 9)).await;
    // An earlier revision had another id.
    let earlier = Publication {
        deriver: "1a".to_owned(),
        successors: vec![(provision(9), provision(2))],
        ..published(OLD, 2)
    };
    world.publish(&earlier).await;
    world.store.withdraw(&OLD.parse().unwrap(), None, at(2)).await.unwrap();
    let list = [OLDER, OLD].map(|urn| urn.parse().unwrap());
    let grant = world.give(GrantScope::List(BTreeSet::from(list)), Level::Read).await;
    let row = Correspondence {
        older: OLDER.parse().unwrap(),
        older_id: Some(provision(1)),
        newer: OLD.parse().unwrap(),
        newer_id: Some(provision(2)),
        relation: "same".to_owned(),
    };
    world.store.put_correspondences(std::slice::from_ref(&row), at(2)).await.unwrap();

    assert!(matches!(world.publish(&renamed()).await, Outcome::Replaced { .. }));
    for name in [OLD, NEW] {
        assert_eq!(urn_of(world.find(name).await), NEW, "{name}");
    }
    let urns: Vec<String> =
        world.store.editions(None, 9).await.unwrap().into_iter().map(|one| one.urn.to_string()).collect();
    assert_eq!(urns, [OLDER, NEW]);
    let Some(Lookup::Edition(found)) = world.find(NEW).await else { panic!("the list does not follow") };
    assert_eq!(found.level(), Level::Read);
    assert_eq!(found.entry().status, norma_model::Status::Withdrawn, "what an operator said stays");
    let policy = world.store.policy().await.unwrap();
    let (_, given) = policy.grants.iter().find(|(id, _)| *id == grant).unwrap();
    assert_eq!(given.scope, GrantScope::List([OLDER, NEW].map(|urn| urn.parse().unwrap()).into()));
    let tables = world.store.document("urn:iso:std:iso:7").await.unwrap().correspondences;
    let followed = Correspondence { newer: NEW.parse().unwrap(), newer_id: Some(provision(3)), ..row };
    assert_eq!(tables, [followed]);
    let asked = [2, 9].map(|id| Asked::Provision(provision(id)));
    let fates = found.fates(&asked, None, 1).await.unwrap().0.into_iter();
    let fates: Vec<_> = fates.map(|followed| followed.map(|one| one.fate)).collect();
    assert_eq!(fates, [Some(Fate::Provision(0)); 2], "also by way of another heir");

    // The next revision knows nothing of the old name.
    let next = Publication { former_urn: None, deriver: "3".to_owned(), ..renamed() };
    world.publish(&next).await;
    assert_eq!(urn_of(world.find(OLD).await), NEW);
}

async fn a_name_that_another_edition_has_is_not_given(world: World) {
    let given = Publication { urn_given: true, ..published(NEW, 4) };
    world.publish(&given).await;
    world.publish(&published(OLD, 2)).await;
    let refused = world.store.publish(&renamed(), at(3)).await;
    assert!(matches!(refused, Err(StoreError::Conflict { .. })), "{refused:?}");
    let stored = world.store.editions(None, 9).await.unwrap();
    let names: Vec<(&str, bool)> = stored.iter().map(|one| (one.urn.as_str(), one.urn_given)).collect();
    assert_eq!(names, [(NEW, true), (OLD, false)]);
}
