//! Several editions in one transaction: each is published whole or not at all, whatever happens to the
//! others.

use std::time::Duration;

use norma_model::{Asset, Status};
use norma_store::{Batch, Blob, Level, Lookup, Outcome, Publication, Store, StoreError, StoreOptions};

use crate::world::{Kind, World, at, edition, urn_of};

promises!(
    one_that_is_refused_undoes_none_of_its_neighbours,
    what_the_engine_refuses_undoes_none_of_its_neighbours,
    a_urn_that_comes_twice_is_published_twice,
    editions_of_one_transaction_count_for_the_status_of_each_other,
    each_edition_of_a_transaction_is_a_change_of_its_own,
    writers_of_the_same_editions_wait_for_each_other_and_never_in_a_circle,
    what_comes_one_by_one_is_published_in_few_transactions,
);

const FIRST: &str = "urn:iso:std:iso:712:ed-3:en";
const SECOND: &str = "urn:iso:std:iso:712:ed-4:en";
const THIRD: &str = "urn:iso:std:iso:7301:ed-4:en";

fn three() -> [Publication; 3] {
    [(FIRST, "ISO 712:1998"), (SECOND, "ISO 712:2009"), (THIRD, "ISO 7301:2021")]
        .map(|(urn, reference)| edition(urn, reference))
}

async fn found(world: &World) -> Vec<String> {
    let mut urns = Vec::new();
    for urn in [FIRST, SECOND, THIRD] {
        urns.push(urn_of(world.find(urn).await));
    }
    urns
}

async fn one_that_is_refused_undoes_none_of_its_neighbours(world: World) {
    world.grant("*", Level::Read).await;
    world.publish(&edition(SECOND, "ISO 712:2009(E)")).await;
    let mut some = three();
    some[1].origin = "elsewhere.xml".to_owned();
    let outcomes = world.store.publish_all(&some, at(2)).await;
    let expected = matches!(
        outcomes.as_slice(),
        [Ok(Outcome::Created), Err(StoreError::Conflict { .. }), Ok(Outcome::Created)]
    );
    assert!(expected, "{outcomes:?}");
    assert_eq!(found(&world).await, [FIRST, SECOND, THIRD]);
    let Some(Lookup::Edition(second)) = world.find(SECOND).await else { panic!("it is not there") };
    assert_eq!(second.entry().summary.reference, "ISO 712:2009(E)");
    // Nothing of the refused one is left.
    assert_eq!(world.store.stats().await.unwrap().blobs, 3);
    let again = world.store.publish_all(&some, at(3)).await;
    let expected = matches!(
        again.as_slice(),
        [Ok(Outcome::Unchanged), Err(StoreError::Conflict { .. }), Ok(Outcome::Unchanged)]
    );
    assert!(expected, "{again:?}");
}

async fn what_the_engine_refuses_undoes_none_of_its_neighbours(world: World) {
    world.grant("*", Level::Read).await;
    let mut some = three();
    some[1].summary.title = "PostgreSQL knows no U+0000: \0".to_owned();
    let outcomes = world.store.publish_all(&some, at(2)).await;
    if world.database.is_some() {
        let expected = matches!(
            outcomes.as_slice(),
            [Ok(Outcome::Created), Err(StoreError::Invalid(_)), Ok(Outcome::Created)]
        );
        assert!(expected, "{outcomes:?}");
        assert_eq!(found(&world).await, [FIRST, "", THIRD]);
    } else {
        assert!(outcomes.iter().all(|outcome| matches!(outcome, Ok(Outcome::Created))), "{outcomes:?}");
    }
}

async fn a_urn_that_comes_twice_is_published_twice(world: World) {
    world.grant("*", Level::Read).await;
    let [first, ..] = three();
    let mut newer = first.clone();
    (newer.deriver, newer.revision) = ("2".to_owned(), "newer".to_owned());
    let mut other = edition(FIRST, "ISO 712:1998(E)");
    other.origin = "elsewhere.xml".to_owned();
    let outcomes = world.store.publish_all(&[first.clone(), first, newer, other], at(2)).await;
    let expected = matches!(
        outcomes.as_slice(),
        [
            Ok(Outcome::Created),
            Ok(Outcome::Unchanged),
            Ok(Outcome::Replaced { .. }),
            Err(StoreError::Conflict { .. })
        ]
    );
    assert!(expected, "{outcomes:?}");
    let Some(Lookup::Edition(found)) = world.find(FIRST).await else { panic!("it is not there") };
    assert_eq!(found.entry().revision, "newer");
}

async fn editions_of_one_transaction_count_for_the_status_of_each_other(world: World) {
    world.grant("*", Level::Read).await;
    world.store.publish_all(&three(), at(2)).await;
    for (urn, status) in
        [(FIRST, Status::Superseded), (SECOND, Status::Published), (THIRD, Status::Published)]
    {
        let Some(Lookup::Edition(found)) = world.find(urn).await else { panic!("{urn} is not there") };
        assert_eq!(found.entry().status, status, "{urn}");
    }
}

async fn each_edition_of_a_transaction_is_a_change_of_its_own(world: World) {
    let before = world.store.state().await.unwrap().sequence;
    world.store.publish_all(&three(), at(2)).await;
    let after = world.store.state().await.unwrap();
    assert_eq!(after.sequence, before + 3);
    assert_eq!(world.store.known_state().await.unwrap(), after);
}

async fn writers_of_the_same_editions_wait_for_each_other_and_never_in_a_circle(world: World) {
    // Each edition supersedes the one before it, and all have two pictures in common.
    let pictures = ["one", "another"].map(Blob::new);
    let state = |n: u32| -> Vec<Publication> {
        let publication = |edition_number: u32| {
            let urn = format!("urn:iso:std:iso:712:ed-{edition_number}:en");
            let mut publication = edition(&urn, &format!("ISO 712:{}", 1990 + edition_number));
            (publication.deriver, publication.revision) = (n.to_string(), n.to_string());
            publication.pack = Blob::new(format!("{n} of {urn}"));
            let asset = |picture: &Blob| {
                let (digest, size) = (picture.digest(), picture.size());
                Asset { digest, size, media_type: "image/png".to_owned(), dimensions: None }
            };
            publication.assets = pictures.iter().map(asset).collect();
            publication.pictures = pictures.to_vec();
            publication
        };
        (1..6).map(publication).collect()
    };
    world.store.publish_all(&state(0), at(1)).await;
    // A database that found a deadlock would end it by an error, and there is no second attempt.
    let mut once = StoreOptions::default();
    (once.attempts, once.acquire_timeout) = (1, Duration::from_secs(60));
    let writers = [false, true].map(|backwards| {
        let (location, once) = (world.location.clone(), once.clone());
        let states = (1..15).map(|n| state(if backwards { 100 + n } else { n })).collect::<Vec<_>>();
        async move {
            let store = Store::open(&location, &once).await.unwrap();
            for (n, mut some) in states.into_iter().enumerate() {
                if backwards {
                    some.reverse();
                }
                for outcome in store.publish_all(&some, at(n as u64 * 100)).await {
                    assert!(matches!(outcome, Ok(Outcome::Replaced { .. })), "{outcome:?}");
                }
                let urn = &some[n % 5].summary.urn;
                assert!(
                    store.withdraw(urn, None, at(2)).await.unwrap()
                        && store.reinstate(urn, at(3)).await.unwrap()
                );
            }
        }
    });
    let writers = writers.map(tokio::spawn);
    for writer in writers {
        writer.await.unwrap();
    }
    assert_eq!(world.store.verify(&mut |_, _| {}).await.unwrap().damaged, 0);
}

async fn what_comes_one_by_one_is_published_in_few_transactions(world: World) {
    let batch = Batch { editions: 4, bytes: 2_000, time: Duration::from_secs(3600) };
    let (publications, mut batches) = batch.begin();
    let bring = tokio::spawn(async move {
        for n in 1..=11 {
            let mut publication = edition(&format!("urn:iso:std:iso:{n}:ed-1:en"), &format!("ISO {n}:2020"));
            // The sixth fills a transaction by itself, and the memory that is allowed as well.
            publication.pack = Blob::new(vec![n as u8; if n == 6 { 9_000 } else { 100 }]);
            assert!(publications.send(publication, n).await);
        }
    });
    let mut published = Vec::new();
    loop {
        let done = batches.publish(&world.store, || at(1)).await;
        if done.is_empty() {
            break;
        }
        assert!(done.iter().all(|(_, outcome)| matches!(outcome, Ok(Outcome::Created))), "{done:?}");
        // Reported editions are stored.
        let reported = published.iter().map(Vec::len).sum::<usize>() + done.len();
        assert_eq!(world.store.stats().await.unwrap().editions, reported as u64);
        published.push(done.into_iter().map(|(n, _)| n).collect::<Vec<_>>());
    }
    bring.await.unwrap();
    assert_eq!(published, [vec![1, 2, 3, 4], vec![5, 6], vec![7, 8, 9, 10], vec![11]]);
}

#[test]
fn what_waits_is_published_when_its_time_is_over_though_more_may_come() {
    crate::world::keep(Kind::Sqlite, |world| {
        Box::pin(async move {
            let (publications, mut batches) = Batch { time: Duration::ZERO, ..Batch::default() }.begin();
            publications.send(edition(FIRST, "ISO 712:1998"), ()).await;
            assert_eq!(batches.publish(&world.store, || at(1)).await.len(), 1);
            drop(publications);
            assert!(batches.publish(&world.store, || at(1)).await.is_empty());
        })
    });
}
