//! Limits on scans: a client with many lists delays only itself, and a scan ends when its caller is gone.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use norma_model::Identifier;
use norma_store::{Error, Level, Query, Settings, Store, Viewer};

use crate::world::{World, edition, run_sql, viewer, viewer_named};

promises!(
    many_lists_of_one_client_do_not_delay_the_reads_of_another,
    a_client_whose_turn_does_not_come_gets_an_error_and_others_list_meanwhile,
    a_list_that_nobody_waits_for_is_ended,
);

const STANDARDS: u32 = 1_500;

/// Several thousand standards with eight words each, inserted by SQL that every engine accepts.
async fn filled(world: &World) {
    world.grant("*", Level::Read).await;
    world.publish(&edition("urn:iso:std:iso:1:ed-1:en", "ISO 1:2000")).await;
    let columns = "edition, edition_key, languages, original, stated, withdrawn, status, reference_key, title, \
         publisher, number, kind, published_on, ics, words, revision, deriver, origin, source, source_size, updated, pack";
    let numbers =
        format!("WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < {STANDARDS})");
    let urn = "'urn:iso:std:iso:' || n.i || ':ed-1:en'";
    let sql = format!(
        "INSERT INTO editions (urn, stem, reference, sort_key, {columns}) {numbers} \
            SELECT {urn}, 'urn:iso:std:iso:' || n.i, 'ISO ' || n.i, 'iso ' || n.i, {columns} FROM n, editions e; \
         INSERT INTO edition_parts (edition, directory, assets, provisions, aliases, citations) \
            SELECT e.id, p.directory, p.assets, p.provisions, p.aliases, p.citations \
            FROM editions e, edition_parts p WHERE e.id <> p.edition; \
         INSERT INTO edition_languages (edition, language) \
            SELECT id, 'en' FROM editions WHERE urn <> 'urn:iso:std:iso:1:ed-1:en'; \
         INSERT INTO edition_words (word, edition) WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n \
            WHERE i < 7) SELECT 'w' || ((e.id * 7 + n.i * 131) % 900) || 'x' || n.i, e.id FROM editions e, n"
    );
    run_sql(world.folder.path(), world.database.as_ref(), &sql).await;
}

/// The same store under these settings.
async fn again(world: &World, acquire_timeout: Duration) -> Store {
    let mut settings = Settings::default();
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
            matches!(&refusal, Err(Error::Unavailable { tried, .. }) if tried == "list standards"),
            "{refusal:?}"
        );
    }
}

/// Only PostgreSQL can be made to wait here; another test shows that SQLite interrupts its statements.
async fn a_list_that_nobody_waits_for_is_ended(world: World) {
    let Some(database) = &world.database else { return };
    world.grant("*", Level::Read).await;
    let store = again(&world, Duration::from_secs(300)).await;
    let mut lock = database.connect().await;
    sqlx::raw_sql("BEGIN; LOCK TABLE editions IN ACCESS EXCLUSIVE MODE").execute(&mut lock).await.unwrap();
    let waiting = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = CURRENT_DATABASE() \
         AND wait_event_type = 'Lock' AND query LIKE '%FROM editions%'";
    let caller = viewer("2026-05-01");
    let mut listing = Box::pin(list(&store, &caller, Query::default()));
    let mut watcher = database.connect().await;
    let began = Instant::now();
    let mut count = async || {
        assert!(began.elapsed() < Duration::from_secs(60), "it did not come so far");
        sqlx::query_scalar::<_, i64>(waiting).fetch_one(&mut watcher).await.unwrap()
    };
    loop {
        tokio::select! {
            listed = &mut listing => panic!("the lock was no obstacle: {listed:?}"),
            waiting = count() => if waiting > 0 { break },
        }
    }
    drop(listing);
    while count().await > 0 {}
    sqlx::raw_sql("ROLLBACK").execute(&mut lock).await.unwrap();
    assert_eq!(list(&store, &caller, Query::default()).await.unwrap(), 0);
}
