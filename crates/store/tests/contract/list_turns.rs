//! Turns of lists: a client that lists much delays only itself.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use norma_model::Identifier;
use norma_store::{Level, Query, Store, StoreError, StoreOptions, Viewer};

use crate::world::{World, at, edition, viewer, viewer_named};

promises!(
    many_lists_of_one_client_do_not_delay_the_reads_of_another,
    a_client_whose_turn_does_not_come_gets_an_error_and_others_list_meanwhile,
);

const STANDARDS: u32 = 1_500;

/// Some thousand standards with two words each, which share their pack.
async fn filled(world: &World) {
    world.grant("*", Level::Read).await;
    let first = edition("urn:iso:std:iso:1:ed-1:en", "ISO 1:2000");
    let standard = |n: u32| {
        let mut one = edition(&format!("urn:iso:std:iso:{n}:ed-1:en"), &format!("ISO {n}"));
        one.summary.title = format!("w{}x0 w{}x1", n * 7 % 900, (n * 7 + 131) % 900);
        one.pack = first.pack.clone();
        one
    };
    let all: Vec<_> = (1..=STANDARDS).map(standard).collect();
    for published in world.store.publish_all(&all, at(1)).await {
        published.unwrap();
    }
}

/// The same store under these settings.
async fn again(world: &World, acquire_timeout: Duration) -> Store {
    let mut settings = StoreOptions::default();
    settings.acquire_timeout = acquire_timeout;
    settings.statement_timeout = Duration::from_secs(600);
    Store::open(&world.location, &settings).await.unwrap()
}

/// The list of an attacker: 300 words, different for each number, and only latest editions.
fn expensive(number: usize) -> Query {
    let words = (0..300).map(|n| format!("w{}x{number}", n * 3)).collect();
    Query { words, latest: true, ..Query::default() }
}

fn other_client() -> Viewer {
    viewer_named("another", "2026-05-01")
}

async fn list(store: &Store, viewer: &Viewer, query: Query) -> norma_store::Result<u64> {
    Ok(store.view_for(viewer).await?.list(&query, None, 50).await?.total)
}

async fn many_lists_of_one_client_do_not_delay_the_reads_of_another(world: World) {
    filled(&world).await;
    let store = again(&world, Duration::from_secs(300)).await;
    let done = AtomicUsize::new(0);
    let attacker = viewer("2026-05-01");
    let lists = async {
        let lists = (0..40).map(|n| list(&store, &attacker, expensive(n)));
        let mut lists: FuturesUnordered<_> = lists.collect();
        while let Some(listed) = lists.next().await {
            listed.unwrap();
            done.fetch_add(1, Ordering::Relaxed);
        }
    };
    let reads = async {
        tokio::task::yield_now().await;
        for n in 1..=20 {
            let urn = Identifier::parse(&format!("urn:iso:std:iso:{n}:ed-1:en")).unwrap();
            let view = store.view_for(&other_client()).await.unwrap();
            assert!(view.find(&urn, &[]).await.unwrap().is_some());
        }
        done.load(Ordering::Relaxed)
    };
    let ((), done_before) = tokio::join!(lists, reads);
    assert!(done_before <= 20, "the reads waited for {done_before} of 40 lists");
}

async fn a_client_whose_turn_does_not_come_gets_an_error_and_others_list_meanwhile(world: World) {
    filled(&world).await;
    let store = again(&world, Duration::from_secs(1)).await;
    let (attacker, other) = (viewer("2026-05-01"), other_client());
    let lists = futures::future::join_all((0..400).map(|n| list(&store, &attacker, expensive(n))));
    let (lists, listed) = tokio::join!(lists, list(&store, &other, Query::default()));
    assert_eq!(listed.unwrap(), u64::from(STANDARDS));
    let (served, refused): (Vec<_>, Vec<_>) = lists.into_iter().partition(Result::is_ok);
    assert!(!served.is_empty() && !refused.is_empty(), "{} served", served.len());
    for refusal in refused {
        assert!(
            matches!(&refusal, Err(StoreError::Unavailable { tried, .. }) if tried == "list standards"),
            "{refusal:?}"
        );
    }
}
