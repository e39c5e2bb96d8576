//! Turns of lists: a client that lists much delays only itself.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use norma_model::Identifier;
use norma_store::{Level, Query, Store, StoreError, StoreOptions, Viewer};

use crate::world::{World, edition, run_sql, viewer, viewer_named};

promises!(
    many_lists_of_one_client_do_not_delay_the_reads_of_another,
    a_client_whose_turn_does_not_come_gets_an_error_and_others_list_meanwhile,
);

const STANDARDS: u32 = 1_500;

/// Some thousand standards with two words each, put in by SQL that every engine knows.
async fn filled(world: &World) {
    world.grant("*", Level::Read).await;
    world.publish(&edition("urn:iso:std:iso:1:ed-1:en", "ISO 1:2000")).await;
    let columns = "edition, edition_key, languages, original, stated, withdrawn, status, reference_key, title, \
         publisher, number, kind, published_on, ics, words, revision, deriver, origin, source, source_size, updated, pack";
    let words = "'w' || ((n.i * 7) % 900) || 'x0 w' || ((n.i * 7 + 131) % 900) || 'x1'";
    let values = columns.replace("words", words);
    let numbers =
        format!("WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < {STANDARDS})");
    let urn = "'urn:iso:std:iso:' || n.i || ':ed-1:en'";
    let sql = format!(
        "INSERT INTO editions (urn, stem, reference, sort_key, {columns}) {numbers} \
            SELECT {urn}, 'urn:iso:std:iso:' || n.i, 'ISO ' || n.i, 'iso ' || n.i, {values} FROM n, editions e; \
         INSERT INTO edition_parts (edition, directory, assets, provisions, aliases, citations) \
            SELECT e.id, p.directory, p.assets, p.provisions, p.aliases, p.citations \
            FROM editions e, edition_parts p WHERE e.id <> p.edition; \
         INSERT INTO edition_languages (edition, language) \
            SELECT id, 'en' FROM editions WHERE urn <> 'urn:iso:std:iso:1:ed-1:en'"
    );
    run_sql(world.folder.path(), world.database.as_ref(), &sql).await;
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
