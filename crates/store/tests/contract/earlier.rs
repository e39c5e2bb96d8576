//! Earlier revisions: they are retained within limits, go with their edition, and are copied and verified.

use std::time::Duration;

use bytes::Bytes;
use norma_model::Digest;
use norma_store::{
    EarlierRevision, Publication, ReplacedRevision, ReplacedSource, RetainedRevision, RetainedUnits,
    RevisionForm, RevisionLimits, StoreError,
};

use crate::world::{Kind, World, at, edition};

promises!(
    what_replaced_revisions_retain_is_read_pruned_copied_and_removed,
    a_publication_for_another_revision_than_the_stored_one_is_contended,
    a_revision_whose_source_is_lost_takes_those_before_it_along,
);

const URN: &str = "urn:iso:std:iso:1:ed-1:en";

fn limits(count: usize) -> RevisionLimits {
    RevisionLimits { count, age: Duration::from_secs(1_000) }
}

/// Revision `n` of the edition, which replaces the one before.
fn revision(n: u8, retained: ReplacedSource) -> Publication {
    let replaced = ReplacedRevision {
        revision: format!("r{}", n - 1),
        retained,
        derived_again: Vec::new(),
        limits: limits(3),
    };
    let source = Digest::from_bytes([n; 32]);
    let replaced = (n > 1).then_some(replaced);
    Publication { revision: format!("r{n}"), source, replaced, ..edition(URN, "ISO 1") }
}

/// What is retained of revision `n`.
fn retained(n: u8) -> RetainedRevision {
    RetainedRevision {
        number: i64::from(n),
        source: Digest::from_bytes([n; 32]),
        source_size: u64::from(n),
        pictures: Bytes::from(vec![n; 64]),
        difference: Bytes::from(vec![n; 300]),
        units: RetainedUnits {
            deriver: "1".to_owned(),
            size: 7,
            difference: Bytes::from(vec![n; 5]),
            reason: String::new(),
        },
    }
}

fn source_of(n: u8) -> ReplacedSource {
    ReplacedSource::Retained(Box::new(RetainedRevision { number: 0, ..retained(n) }))
}

/// The number of each earlier revision with its form.
async fn forms(world: &World) -> Vec<(i64, RevisionForm)> {
    let entry = world.store.entry(&URN.parse().unwrap()).await.unwrap().unwrap();
    let earlier = world.store.handle(&entry).earlier_revisions().await.unwrap();
    earlier.iter().map(|one| (one.number, one.form)).collect()
}

async fn what_replaced_revisions_retain_is_read_pruned_copied_and_removed(world: World) {
    use RevisionForm::{Pruned, Retained, SameSource};
    let urn = URN.parse().unwrap();
    world.store.publish(&revision(1, ReplacedSource::Lost), at(0)).await.unwrap();
    for n in 2..=6 {
        let source = if n == 5 { ReplacedSource::Same } else { source_of(n - 1) };
        world.store.publish(&revision(n, source), at(u64::from(n))).await.unwrap();
    }
    let all = [(1, Pruned), (2, Retained), (3, Retained), (4, SameSource), (5, Retained)];
    assert_eq!(forms(&world).await, all);
    let entry = world.store.entry(&urn).await.unwrap().unwrap();
    let handle = world.store.handle(&entry);
    let earlier = handle.earlier_revisions().await.unwrap();
    let third = EarlierRevision {
        number: 3,
        revision: "r3".to_owned(),
        replaced_at: at(4),
        form: Retained,
        deriver: "1".to_owned(),
        units_size: 7,
        reason: String::new(),
    };
    assert_eq!(earlier[2], third);
    assert_eq!(handle.retained_revisions(3).await.unwrap(), [retained(5), retained(3)]);

    // Derived again, only the units are others.
    let units = RetainedUnits { deriver: "2".to_owned(), reason: "no".to_owned(), ..Default::default() };
    let again = ReplacedRevision {
        revision: "r6".to_owned(),
        retained: ReplacedSource::Same,
        derived_again: vec![(3, units.clone())],
        limits: limits(3),
    };
    let replaced = Publication { replaced: Some(again), repair: true, ..revision(6, ReplacedSource::Same) };
    world.store.publish(&replaced, at(7)).await.unwrap();
    assert_eq!(forms(&world).await, all, "the same revision replaced none");
    let found = world.store.handle(&entry).retained_revisions(3).await.unwrap();
    assert_eq!(found[1], RetainedRevision { units, ..retained(3) });

    for kind in [Kind::Sqlite, Kind::Postgres] {
        let Some(other) = World::open(kind).await else { continue };
        for _ in 0..2 {
            world.store.copy_to(&other.store, at(8), &mut |_| {}).await.unwrap();
            assert_eq!(forms(&other).await, all);
        }
    }
    let verified = world.store.verify(&mut |_, damage| assert_eq!(damage, None)).await.unwrap();
    assert_eq!((verified.records, verified.damaged), (5, 0));

    // By number, then by age.
    assert_eq!(world.store.prune_revisions(limits(2), at(9)).await.unwrap(), 1);
    assert_eq!(forms(&world).await[1..], [(2, Pruned), (3, Retained), (4, SameSource), (5, Retained)]);
    assert_eq!(world.store.prune_revisions(limits(2), at(1_005)).await.unwrap(), 1);
    assert_eq!(forms(&world).await[2..], [(3, Pruned), (4, SameSource), (5, Retained)]);
    assert_eq!(world.store.prune_revisions(limits(2), at(1_005)).await.unwrap(), 0);
    assert_eq!(world.store.handle(&entry).retained_revisions(0).await.unwrap().len(), 1);

    world.store.remove(&urn, at(10)).await.unwrap();
    world.store.publish(&revision(1, ReplacedSource::Lost), at(11)).await.unwrap();
    assert_eq!(forms(&world).await, []);
}

async fn a_publication_for_another_revision_than_the_stored_one_is_contended(world: World) {
    world.store.publish(&revision(1, ReplacedSource::Lost), at(0)).await.unwrap();
    let late = revision(3, source_of(2));
    let refused = world.store.publish(&late, at(1)).await.unwrap_err();
    assert!(matches!(refused, StoreError::Contended(_)), "{refused}");
    assert_eq!(forms(&world).await, []);
    // A reader that looked the edition up before a correction does not see the list of another revision.
    let entry = world.store.entry(&URN.parse().unwrap()).await.unwrap().unwrap();
    let handle = world.store.handle(&entry);
    world.store.publish(&revision(2, source_of(1)), at(1)).await.unwrap();
    assert!(matches!(handle.earlier_revisions().await, Err(StoreError::Contended(_))));
}

async fn a_revision_whose_source_is_lost_takes_those_before_it_along(world: World) {
    world.store.publish(&revision(1, ReplacedSource::Lost), at(0)).await.unwrap();
    world.store.publish(&revision(2, source_of(1)), at(1)).await.unwrap();
    assert_eq!(forms(&world).await, [(1, RevisionForm::Retained)]);
    world.store.publish(&revision(3, ReplacedSource::Lost), at(2)).await.unwrap();
    assert_eq!(forms(&world).await, [(1, RevisionForm::Pruned), (2, RevisionForm::Pruned)]);
}
