//! Turns of lists: a client that lists much delays only itself.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures::StreamExt;
use norma_model::Identifier;
use norma_store::{Level, Query, Store, StoreOptions, Viewer};

use crate::world::{World, at, edition, viewer, viewer_named};

promises!(many_lists_of_one_client_do_not_delay_the_reads_of_another);

const STANDARDS: u32 = 1_500;

/// Lists that the attacker always has in flight. A read that waited its turn behind them would see as many
/// end.
const LISTS_AT_ONCE: usize = 40;

/// Longest time for the reads on a busy machine.
const DEADLINE: Duration = Duration::from_secs(120);

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
    let attack = futures::stream::iter(0..).for_each_concurrent(LISTS_AT_ONCE, async |number| {
        list(&store, &attacker, expensive(number)).await.unwrap();
        done.fetch_add(1, Ordering::Relaxed);
    });
    let reads = async {
        while done.load(Ordering::Relaxed) == 0 {
            tokio::task::yield_now().await;
        }
        for n in 1..=20 {
            let before = done.load(Ordering::Relaxed);
            let urn = Identifier::parse(&format!("urn:iso:std:iso:{n}:ed-1:en")).unwrap();
            let view = store.view_for(&other_client()).await.unwrap();
            assert!(view.find(&urn, &[]).await.unwrap().is_some());
            let meanwhile = done.load(Ordering::Relaxed) - before;
            assert!(meanwhile < LISTS_AT_ONCE, "the read waited for {meanwhile} lists");
        }
    };
    tokio::select! {
        () = attack => unreachable!("the attack does not end"),
        read = tokio::time::timeout(DEADLINE, reads) => read.expect("the reads wait for the attack"),
    }
}
