//! Lists: order, filters, and pages that neither lose nor repeat a row.

use std::collections::{BTreeMap, BTreeSet};

use norma_model::{Identifier, StandardType, Status};
use norma_store::{Level, PageKey, Query, Sort, Store, StoreOptions};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::world::{World, at, edition, variety, viewer};

promises!(
    references_stand_in_the_order_people_count,
    each_order_can_be_turned_round,
    each_filter_keeps_what_fits,
    a_page_has_a_limit,
    pages_neither_lose_nor_repeat_a_row_while_standards_come_and_go,
);

async fn references_stand_in_the_order_people_count(world: World) {
    world.grant("*", Level::Read).await;
    let references = ["ISO 9:2000", "ISO 9-1:1999", "ISO 10:1990", "ISO 17301-2:2010", "ISO 17301-10:2001"];
    for (n, reference) in references.iter().enumerate().rev() {
        world.publish(&edition(&format!("urn:iso:std:iso:{n}:ed-1:en"), reference)).await;
    }
    assert_eq!(world.list(&Query::default()).await, references);
}

async fn each_order_can_be_turned_round(world: World) {
    world.grant("*", Level::Read).await;
    for (n, publication) in variety().iter().enumerate() {
        world.store.publish(publication, at(100 - n as u64 / 2)).await.unwrap();
    }
    for sort in [Sort::Reference, Sort::Published, Sort::Updated] {
        let ahead = world.list(&Query { sort, ..Query::default() }).await;
        let mut back = world.list(&Query { sort, descending: true, ..Query::default() }).await;
        back.reverse();
        assert_eq!(ahead, back, "{sort:?}");
        assert_eq!(ahead.len(), variety().len());
        for way in [false, true] {
            let query = Query { sort, descending: way, ..Query::default() };
            let mut paged = Vec::new();
            let mut after: Option<PageKey> = None;
            loop {
                let page = world.view().await.list(&query, after.as_ref(), 2).await.unwrap();
                paged.extend(page.rows.into_iter().map(|row| row.summary.reference));
                after = page.next;
                if after.is_none() {
                    break;
                }
            }
            assert_eq!(paged, world.list(&query).await, "{sort:?}");
        }
    }
}

async fn each_filter_keeps_what_fits(world: World) {
    world.grant("*", Level::Read).await;
    for publication in variety() {
        world.publish(&publication).await;
    }
    let all = Query::default;
    let identifier = |text: &str| Identifier::parse(text).unwrap();
    let date = |text: &str| Some(text.parse().unwrap());
    let cases: [(&str, Query, &[&str]); 30] = [
        ("word", Query { words: vec!["rice".into()], ..all() }, &["ISO 7301:2021"]),
        ("begin of a word", Query { words: vec!["RIC 73".into()], ..all() }, &["ISO 7301:2021"]),
        ("other word", Query { words: vec!["rice flour".into()], ..all() }, &[]),
        ("either text", Query { words: vec!["nothing".into(), "rice".into()], ..all() }, &["ISO 7301:2021"]),
        ("number as word", Query { words: vec!["13849".into()], ..all() }, &["DIN EN ISO 13849-1:2008-12"]),
        ("ideograph", Query { words: vec!["谷".into()], ..all() }, &["GB/T 1354"]),
        ("accent", Query { words: vec!["humidité".into()], ..all() }, &["ISO 712:2009"]),
        (
            "publisher",
            Query { publishers: vec!["iso".into()], ..all() },
            &["ISO 712:2009", "ISO 712:2024", "ISO 7301:2021"],
        ),
        ("number", Query { numbers: vec!["712".into()], ..all() }, &["ISO 712:2009", "ISO 712:2024"]),
        ("part", Query { parts: vec!["1".into()], ..all() }, &["DIN EN ISO 13849-1:2008-12"]),
        ("other part", Query { parts: vec!["13849".into()], ..all() }, &[]),
        ("reference", Query { references: vec!["iso\u{a0}712:2009".into()], ..all() }, &["ISO 712:2009"]),
        (
            "undated references",
            Query { references: vec!["ISO 712".into(), "GB/T 1354".into()], ..all() },
            &["GB/T 1354", "ISO 712:2009", "ISO 712:2024"],
        ),
        ("beginning of a number", Query { references: vec!["ISO 71".into()], ..all() }, &[]),
        ("kind", Query { kinds: vec![StandardType::Other], ..all() }, &["GB/T 1354"]),
        (
            "two kinds",
            Query { kinds: vec![StandardType::Other, StandardType::Is], ..all() },
            &["DIN EN ISO 13849-1:2008-12", "GB/T 1354", "ISO 712:2009", "ISO 712:2024", "ISO 7301:2021"],
        ),
        ("draft", Query { statuses: vec![Status::Draft], ..all() }, &["ISO 712:2024"]),
        ("language", Query { languages: vec!["fr".parse().unwrap()], ..all() }, &["ISO 712:2009"]),
        (
            "class",
            Query { ics: vec!["67".into()], ..all() },
            &["GB/T 1354", "ISO 712:2009", "ISO 712:2024", "ISO 7301:2021"],
        ),
        ("group", Query { ics: vec!["13.110".into()], ..all() }, &["DIN EN ISO 13849-1:2008-12"]),
        ("latest", Query { latest: true, numbers: vec!["712".into()], ..all() }, &["ISO 712:2009"]),
        ("from", Query { published_from: date("2021-06-02"), ..all() }, &["ISO 712:2024"]),
        (
            "from its day",
            Query { published_from: date("2021-06-01"), ..all() },
            &["ISO 712:2024", "ISO 7301:2021"],
        ),
        (
            "to a year",
            Query { published_to: date("2009"), ..all() },
            &["DIN EN ISO 13849-1:2008-12", "ISO 712:2009"],
        ),
        ("to a day", Query { published_to: date("2008-12-03"), ..all() }, &["DIN EN ISO 13849-1:2008-12"]),
        ("since", Query { updated_since: Some(at(2)), ..all() }, &[]),
        (
            "urn",
            Query { identifiers: vec![identifier("urn:iso:std:iso:7301:ed-4:en")], ..all() },
            &["ISO 7301:2021"],
        ),
        (
            "stem",
            Query { identifiers: vec![identifier("urn:iso:std:iso:712")], ..all() },
            &["ISO 712:2009", "ISO 712:2024"],
        ),
        (
            "edition",
            Query { identifiers: vec![identifier("urn:iso:std:iso:712:ed-4")], ..all() },
            &["ISO 712:2009"],
        ),
        ("none", Query { numbers: vec!["712".into()], words: vec!["rice".into()], ..all() }, &[]),
    ];
    for (name, query, expected) in cases {
        assert_eq!(world.list(&query).await, expected, "{name}");
    }
}

async fn a_page_has_a_limit(world: World) {
    for limit in [0, 501] {
        assert!(world.view().await.list(&Query::default(), None, limit).await.is_err());
    }
    let key = PageKey { value: "no number".to_owned(), urn: String::new() };
    world.grant("*", Level::Read).await;
    world.publish(&edition("urn:iso:std:iso:1:ed-1:en", "ISO 1")).await;
    let query = Query { sort: Sort::Updated, ..Query::default() };
    assert!(world.view().await.list(&query, Some(&key), 5).await.is_err());
}

/// Before each page some standards come and some go.
async fn pages_neither_lose_nor_repeat_a_row_while_standards_come_and_go(world: World) {
    world.grant("urn:iso:std:iso:*", Level::Read).await;
    let steps = prop::collection::vec(prop::collection::vec((0u32..24, any::<bool>()), 0..4), 1..12);
    let strategy = (prop::collection::btree_set(0u32..24, 4..20), steps, 1u32..5, any::<bool>());
    let mut runner = TestRunner::new(Config { cases: 12, failure_persistence: None, ..Config::default() });
    let handle = tokio::runtime::Handle::current();
    let done = tokio::task::block_in_place(|| {
        runner.run(&strategy, |(start, steps, limit, descending)| {
            handle.block_on(walk(&world, start, steps, limit, descending));
            Ok(())
        })
    });
    done.unwrap();
}

async fn walk(
    world: &World,
    start: BTreeSet<u32>,
    steps: Vec<Vec<(u32, bool)>>,
    limit: u32,
    descending: bool,
) {
    let publication = |n: u32| edition(&format!("urn:iso:std:iso:{n}:ed-1:en"), &format!("ISO {n}"));
    for n in 0..24 {
        world.store.remove(&publication(n).summary.urn, at(0)).await.unwrap();
    }
    for n in &start {
        world.publish(&publication(*n)).await;
    }
    let query = Query { descending, ..Query::default() };
    let mut throughout = start.clone();
    let mut times: BTreeMap<u32, u32> = BTreeMap::new();
    let mut order = Vec::new();
    let mut after = None;
    let mut steps = steps.into_iter();
    loop {
        let page = world.view().await.list(&query, after.as_ref(), limit).await.unwrap();
        for row in page.rows {
            let n: u32 = row.summary.number.parse().unwrap();
            *times.entry(n).or_default() += 1;
            order.push(n);
        }
        after = page.next;
        if after.is_none() {
            break;
        }
        for (n, comes) in steps.next().unwrap_or_default() {
            if comes {
                world.publish(&publication(n)).await;
            } else {
                world.store.remove(&publication(n).summary.urn, at(2)).await.unwrap();
                throughout.remove(&n);
            }
        }
    }
    // What followed the changes is what a store that was opened now reads.
    let anew = Store::open(&world.location, &StoreOptions::default()).await.unwrap();
    for sort in [Sort::Reference, Sort::Published, Sort::Updated] {
        let query = Query { sort, latest: true, ..query.clone() };
        let anew = anew.view_for(&viewer("2026-05-01")).await.unwrap().list(&query, None, 500).await.unwrap();
        assert_eq!(world.view().await.list(&query, None, 500).await.unwrap(), anew, "{sort:?}");
    }
    if descending {
        order.reverse();
    }
    assert!(order.is_sorted(), "{order:?}");
    assert!(times.values().all(|times| *times == 1), "repeated: {times:?}");
    let lost: Vec<&u32> = throughout.iter().filter(|n| !times.contains_key(n)).collect();
    assert!(lost.is_empty(), "lost: {lost:?}");
}
