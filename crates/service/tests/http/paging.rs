//! Paging through a list that changes meanwhile.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::SystemTime;

use norma_api::Operation;
use norma_ingest::{IngestOptions, ingest};
use norma_model::Urn;
use norma_store::{Grant, GrantScope, Level};
use reqwest::header;
use serde_json::Value;

use crate::world::World;

/// Standards of the test's own, numbered from 5000.
const MANY: usize = 48;

/// Numbers that look random and are the same each time (xorshift).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides as u64) as usize
    }
}

async fn many(world: &World) -> (Vec<Urn>, Vec<PathBuf>) {
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/minimal/document.xml");
    let source = std::fs::read_to_string(sample).unwrap();
    let files: Vec<PathBuf> = (0..MANY)
        .map(|n| {
            let file = world.folder.path().join(format!("{n}.xml"));
            let date = format!("20{:02}-03-15", 10 + n % 7);
            let own = source.replace("4201", &(5000 + n).to_string()).replace("2024-03-15", &date);
            std::fs::write(&file, own).unwrap();
            file
        })
        .collect();
    ingest_files(world, files.clone()).await;
    let urns = (0..MANY).map(|n| format!("urn:nsb:std:nsb:{}:ed-1:en", 5000 + n).parse().unwrap()).collect();
    let grant = Grant {
        tenant: world.tenant.to_string(),
        client: None,
        scope: GrantScope::List(urns),
        level: Level::Read,
        from: None,
        until: None,
    };
    let GrantScope::List(urns) = grant.scope.clone() else { unreachable!("it was made of a list") };
    world.store.add_grant(&grant, SystemTime::now()).await.unwrap().unwrap();
    (urns.into_iter().collect(), files)
}

async fn ingest_files(world: &World, files: Vec<PathBuf>) {
    let options = IngestOptions::new(&world.settings.ingest);
    ingest(&world.store, files, &options, |report, _| assert!(report.urn.is_some(), "{report:?}")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_row_is_lost_or_repeated_while_others_come_and_go() {
    let world = World::new().await;
    let (urns, files) = many(&world).await;
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let fresh = world.fresh().await;
    let now = SystemTime::now();
    for round in 0..18 {
        let sort = ["reference", "-reference", "published", "-published", "updated", "-updated"][round % 6];
        let limit = 1 + dice.roll(9);
        // Every third standard stays as it is; the others are recalled, reinstated, removed and ingested
        // again.
        let stays = |n: usize| n.is_multiple_of(3);
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let mut next = Some(format!("{}?sort={sort}&limit={limit}", Operation::Standards.path()));
        while let Some(path) = next {
            let url = format!("{}{path}", fresh.public_url);
            let answer = world.http.get(url).bearer_auth(world.reader()).send().await.unwrap();
            let link = answer.headers().get(header::LINK).map(|v| v.to_str().unwrap().to_owned());
            let page: Value = answer.json().await.unwrap();
            for item in page["items"].as_array().unwrap() {
                *counts.entry(item["urn"].as_str().unwrap().to_owned()).or_default() += 1;
            }
            let link = link.map(|link| {
                let url = link.strip_prefix('<').and_then(|l| l.strip_suffix(">; rel=\"next\"")).unwrap();
                url.strip_prefix(&fresh.public_url).unwrap().to_owned()
            });
            assert_eq!(page["next"].as_str().is_some(), link.is_some());
            assert!(link.as_deref().is_none_or(|link| link.ends_with(page["next"].as_str().unwrap())));
            next = link;
            for _ in 0..dice.roll(4) {
                let n = dice.roll(MANY);
                if stays(n) {
                    continue;
                }
                match dice.roll(6) {
                    0 | 1 => _ = world.store.recall(&urns[n], "for a while", None, now).await.unwrap(),
                    2 | 3 => _ = world.store.reinstate(&urns[n], now).await.unwrap(),
                    4 => _ = world.store.remove(&urns[n], now).await.unwrap(),
                    _ => ingest_files(&world, vec![files[n].clone()]).await,
                }
            }
        }
        for (n, urn) in urns.iter().enumerate() {
            let times = counts.get(urn.as_str()).copied().unwrap_or_default();
            if stays(n) {
                assert_eq!(times, 1, "{urn}, which stayed, in round {round} by {sort}, {limit} a page");
            } else if !sort.ends_with("updated") {
                assert!(times <= 1, "{urn} {times} times in round {round} by {sort}, {limit} a page");
            }
        }
    }
    // At rest the count is the number of rows, in every order.
    for urn in &urns {
        world.store.reinstate(urn, now).await.unwrap();
    }
    ingest_files(&world, files).await;
    let last = world.fresh().await;
    let url = format!("{}{}?limit=500", last.public_url, Operation::Standards.path());
    let page: Value =
        world.http.get(url).bearer_auth(world.reader()).send().await.unwrap().json().await.unwrap();
    assert_eq!(page["total"], MANY + 3);
    assert_eq!(page["items"].as_array().unwrap().len(), MANY + 3);
    last.stop().await;
    fresh.stop().await;
    world.stop().await;
}
