//! Status: it follows from the catalogue, in whatever order editions came.

use norma_model::{RelationKind, Status};
use norma_store::{Level, Lookup, Publication, Query};

use crate::world::{World, at, edition, relation, run_sql, urn_of};

promises!(
    a_later_edition_supersedes_an_earlier_one_in_its_language,
    a_replacement_supersedes_what_it_names_whichever_came_first,
    withdrawal_outlives_a_new_derivation_and_is_taken_back_by_hand,
    a_recalled_edition_tells_why_and_is_in_no_list,
    a_removed_edition_leaves_no_trace_in_the_others,
    a_hidden_edition_counts_for_the_status_of_others_and_for_nothing_else,
    the_latest_edition_is_the_latest_in_all_that_is_asked,
    editions_in_an_earlier_order_are_put_right,
);

async fn status(world: &World, urn: &str) -> Status {
    match world.find(urn).await {
        Some(Lookup::Edition(found)) => found.entry().status,
        found => panic!("{urn}: {found:?}"),
    }
}

const OLD: &str = "urn:iso:std:iso:712:ed-3:en";
const NEW: &str = "urn:iso:std:iso:712:ed-4:en";

async fn a_later_edition_supersedes_an_earlier_one_in_its_language(world: World) {
    world.grant("*", Level::Read).await;
    world.publish(&edition("urn:iso:std:iso:712:ed-3:fr", "ISO 712:1998")).await;
    world.publish(&edition(NEW, "ISO 712:2009")).await;
    world.publish(&edition(OLD, "ISO 712:1998")).await;
    assert_eq!(status(&world, OLD).await, Status::Superseded);
    assert_eq!(status(&world, NEW).await, Status::Published);
    assert_eq!(status(&world, "urn:iso:std:iso:712:ed-3:fr").await, Status::Published);
    let published = Query { statuses: vec![Status::Superseded], ..Query::default() };
    assert_eq!(world.list(&published).await, ["ISO 712:1998"]);
}

async fn a_replacement_supersedes_what_it_names_whichever_came_first(world: World) {
    world.grant("*", Level::Read).await;
    let mut replacement = edition("urn:iso:std:iso:6540:ed-1:en", "ISO 6540:2021");
    replacement.relations =
        vec![relation(RelationKind::Replaces, "ISO 712:2009"), relation(RelationKind::Replaces, "ISO 713")];
    let undated = "urn:iso:std:iso:713:ed-1:en";
    world.publish(&edition(NEW, "ISO 712:2009")).await;
    assert_eq!(status(&world, NEW).await, Status::Published);
    world.publish(&replacement).await;
    world.publish(&edition(OLD, "ISO 712:1998")).await;
    world.publish(&edition(undated, "ISO 713:1975")).await;
    assert_eq!(status(&world, NEW).await, Status::Superseded);
    assert_eq!(status(&world, undated).await, Status::Superseded);
    world.store.remove(&replacement.summary.urn, at(4)).await.unwrap();
    assert_eq!(status(&world, NEW).await, Status::Published);
    assert_eq!(status(&world, undated).await, Status::Published);
}

async fn withdrawal_outlives_a_new_derivation_and_is_taken_back_by_hand(world: World) {
    world.grant("*", Level::Read).await;
    let mut publication = edition(NEW, "ISO 712:2009");
    let urn = publication.summary.urn.clone();
    world.publish(&publication).await;
    assert!(world.store.withdraw(&urn, None, at(2)).await.unwrap());
    assert_eq!(status(&world, NEW).await, Status::Withdrawn);
    publication.deriver = "2".to_owned();
    world.publish(&publication).await;
    assert_eq!(status(&world, NEW).await, Status::Withdrawn);
    assert!(world.store.reinstate(&urn, at(3)).await.unwrap());
    assert_eq!(status(&world, NEW).await, Status::Published);
    assert!(!world.store.withdraw(&OLD.parse().unwrap(), None, at(2)).await.unwrap());
}

async fn a_recalled_edition_tells_why_and_is_in_no_list(world: World) {
    world.grant("*", Level::Discover).await;
    world.publish(&edition(OLD, "ISO 712:1998")).await;
    world.publish(&edition(NEW, "ISO 712:2009")).await;
    assert!(world.store.recall(&NEW.parse().unwrap(), "a wrong table", None, at(2)).await.unwrap());
    match world.find(NEW).await {
        Some(Lookup::Recalled { urn, reason, .. }) => {
            assert_eq!((urn.as_str(), reason.as_str()), (NEW, "a wrong table"))
        }
        found => panic!("{found:?}"),
    }
    assert_eq!(world.list(&Query::default()).await, ["ISO 712:1998"]);
    assert_eq!(status(&world, OLD).await, Status::Published);
    assert!(world.store.reinstate(&NEW.parse().unwrap(), at(3)).await.unwrap());
    assert_eq!(status(&world, OLD).await, Status::Superseded);
}

async fn a_removed_edition_leaves_no_trace_in_the_others(world: World) {
    world.grant("*", Level::Read).await;
    world.publish(&edition(OLD, "ISO 712:1998")).await;
    world.publish(&edition(NEW, "ISO 712:2009")).await;
    assert!(world.store.remove(&NEW.parse().unwrap(), at(2)).await.unwrap());
    assert!(world.find(NEW).await.is_none());
    assert_eq!(status(&world, OLD).await, Status::Published);
    let Some(Lookup::Edition(found)) = world.find(OLD).await else { panic!("it is not there") };
    assert_eq!(found.related(), []);
}

async fn a_hidden_edition_counts_for_the_status_of_others_and_for_nothing_else(world: World) {
    world.grant(OLD, Level::Read).await;
    world.store.publish(&edition(OLD, "ISO 712:1998"), at(1)).await.unwrap();
    let hidden = edition(NEW, "ISO 712:2009");
    let urn = hidden.summary.urn.clone();
    let reported = async |after: &str, status: Status, updated: u64| {
        let Some(Lookup::Edition(found)) = world.find(OLD).await else { panic!("it is not there") };
        assert_eq!((found.entry().status, found.entry().updated), (status, at(updated)), "{after}");
        assert_eq!(found.related(), [], "{after}");
        assert!(world.find(NEW).await.is_none(), "{after}");
        let numbers = Query { numbers: vec!["712".into()], ..Query::default() };
        let latest = Query { latest: true, ..Query::default() };
        let statuses = Query { statuses: vec![status], ..Query::default() };
        for query in [Query::default(), numbers, latest, statuses] {
            assert_eq!(world.list(&query).await, ["ISO 712:1998"], "{after}: {query:?}");
        }
        let words = Query { words: vec!["2009".into()], ..Query::default() };
        assert!(world.list(&words).await.is_empty(), "{after}");
    };
    reported("before", Status::Published, 1).await;
    world.store.publish(&hidden, at(2)).await.unwrap();
    reported("published", Status::Superseded, 2).await;
    world.store.withdraw(&urn, None, at(3)).await.unwrap();
    reported("withdrawn", Status::Superseded, 2).await;
    world.store.recall(&urn, "a wrong table", None, at(4)).await.unwrap();
    reported("recalled", Status::Published, 4).await;
    world.store.reinstate(&urn, at(5)).await.unwrap();
    reported("reinstated", Status::Superseded, 5).await;
    world.store.remove(&urn, at(6)).await.unwrap();
    reported("removed", Status::Published, 6).await;
}

const DOCUMENT: &str = "urn:nsb:std:nsb:4242";

/// An edition of the document with this name, published on this date.
fn named(name: &str, published_on: &str) -> Publication {
    let mut edition = edition(&format!("{DOCUMENT}:ed-{name}:en"), &format!("NSB 4242 ({name})"));
    edition.summary.published_on = (!published_on.is_empty()).then(|| published_on.parse().unwrap());
    edition
}

/// Expects these two to be the editions of the document, in this order, in all that the store answers.
async fn expect_order(world: &World, older: &Publication, newer: &Publication) {
    let [older, newer] = [older, newer].map(|one| one.summary.urn.clone());
    let urns = [older.as_str(), newer.as_str()];
    assert_eq!(status(world, urns[0]).await, Status::Superseded, "{urns:?}");
    assert_eq!(status(world, urns[1]).await, Status::Published, "{urns:?}");
    // `edition=latest` of lists, and the editions that a search is in.
    let latest = Query { latest: true, ..Query::default() };
    let page = world.view().await.list(&latest, None, 10).await.unwrap();
    let listed: Vec<String> = page.rows.iter().map(|row| row.summary.urn.to_string()).collect();
    assert_eq!(listed, urns[1..], "{urns:?}");
    let searched = world.view().await.searchable(&latest).await.unwrap();
    {
        let rows = searched.rows().unwrap();
        let slots = (0..rows.slots() as u32).filter(|slot| searched.level(*slot).is_some());
        let found: Vec<&str> = slots.map(|slot| rows.get(slot).unwrap().urn()).collect();
        assert_eq!(found, urns[1..], "{urns:?}");
    }
    // The URN of the document, and lineages.
    assert_eq!(urn_of(world.find(DOCUMENT).await), urns[1]);
    let document = world.store.document(DOCUMENT).await.unwrap();
    assert_eq!(document.editions.iter().map(|one| one.urn.as_str()).collect::<Vec<_>>(), urns);
    // Comparisons.
    let [first, second] = [&older, &newer].map(|urn| world.store.entry(urn));
    let (first, second) = (first.await.unwrap().unwrap(), second.await.unwrap().unwrap());
    assert!(first.precedes(&second) && !second.precedes(&first), "{urns:?}");
}

async fn the_latest_edition_is_the_latest_in_all_that_is_asked(world: World) {
    world.grant("*", Level::Read).await;
    for (older, newer) in [
        (("9", "2001"), ("10", "2015")),
        (("2018", "2018"), ("2", "2019")),
        (("1", "2017"), ("2018", "2018")),
        (("1", "2008-11"), ("2008-12", "2008-12")),
        (("2016-05-01", "2016-05-01"), ("2", "2016-06")),
        (("2018", "2018-03"), ("2018-05", "2018-05")),
        (("2", ""), ("2018", "")),
        (("first", "2014"), ("2", "2019")),
        (("revised", ""), ("2008-12", "2008-12")),
    ] {
        let pair = [named(older.0, older.1), named(newer.0, newer.1)];
        for published in [[0, 1], [1, 0]] {
            for one in published {
                world.publish(&pair[one]).await;
            }
            expect_order(&world, &pair[0], &pair[1]).await;
            for one in published {
                world.store.remove(&pair[one].summary.urn, at(5)).await.unwrap();
            }
        }
    }
}

async fn editions_in_an_earlier_order_are_put_right(world: World) {
    world.grant("*", Level::Read).await;
    let pair = [named("2018", "2018"), named("2", "2019")];
    for one in &pair {
        world.publish(one).await;
    }
    let earlier = "UPDATE editions SET edition_key = edition; UPDATE editions SET status = 3 - status";
    run_sql(world.folder.path(), world.database.as_ref(), earlier).await;
    assert_eq!(world.store.renew_order(at(9)).await.unwrap(), 2);
    expect_order(&world, &pair[0], &pair[1]).await;
    assert_eq!(world.store.renew_order(at(9)).await.unwrap(), 0);
}
