//! Histories of a document: after any changes in any order, partition and ids depend only on the present
//! editions, and an id that was answered once still resolves.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::time::SystemTime;

use norma_ingest::{IngestLimits, rebuild};
use norma_model::lineage::{Asked, Fate, Followed};
use norma_model::{Identifier, Partition, ProvisionId, Urn};
use norma_store::{Day, Grant, GrantScope, GrantedEdition, Level, Lookup, Tenant, Viewer};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::{EDITIONS, World, source};

/// A change of one edition, by its number, or no change.
#[derive(Clone, Copy, Debug)]
enum Change {
    Ingest(usize),
    /// The same edition with one word corrected.
    Correct(usize),
    Remove(usize),
    Rebuild,
}

/// Three or four editions in any order, and up to five changes.
fn histories() -> impl Strategy<Value = Vec<Change>> {
    let arrivals = (3..=4_usize, Just(vec![1, 2, 3, 4]).prop_shuffle());
    let arrivals = arrivals.prop_map(|(count, order)| order.into_iter().take(count).map(Change::Ingest));
    let change = prop_oneof![
        (1..=4_usize).prop_map(Change::Ingest),
        (1..=4_usize).prop_map(Change::Correct),
        (1..=4_usize).prop_map(Change::Remove),
        Just(Change::Rebuild),
    ];
    (arrivals, prop::collection::vec(change, 0..=5))
        .prop_map(|(arrivals, more)| arrivals.chain(more).collect())
}

/// The tenant that may read all editions.
const ALL: &str = "all";

/// The tenant that may read one edition.
fn reader_of(edition: usize) -> String {
    format!("edition-{edition}")
}

fn urn(edition: usize) -> Urn {
    format!("urn:nsb:std:nsb:7:ed-{edition}:en").parse().unwrap()
}

/// A document with its history.
struct History {
    world: World,
    /// The present editions, each with whether a word of it was corrected.
    present: BTreeMap<usize, bool>,
    /// Every id that was answered, with the last provisions for it.
    answered: BTreeMap<String, (Asked, BTreeSet<ProvisionId>)>,
}

impl History {
    async fn new(address: Option<&str>) -> Self {
        let world = World::at(address).await;
        let one = |edition| (reader_of(edition), GrantScope::List([urn(edition)].into()));
        let all = (ALL.to_owned(), GrantScope::Urns("*".parse().unwrap()));
        for (tenant, scope) in (1..=EDITIONS.len()).map(one).chain([all]) {
            let now = SystemTime::now();
            world.store.put_tenant(&Tenant { id: tenant.clone(), ..Tenant::default() }, now).await.unwrap();
            let grant = Grant { tenant, client: None, scope, level: Level::Read, from: None, until: None };
            world.store.add_grant(&grant, now).await.unwrap();
        }
        Self { world, present: BTreeMap::new(), answered: BTreeMap::new() }
    }

    async fn put(&mut self, edition: usize, is_corrected: bool) {
        let mut clauses = EDITIONS[edition - 1].to_vec();
        let corrected = clauses[0].replacen("peg", "pin", 1);
        if is_corrected {
            clauses[0] = &corrected;
        }
        let path = self.world.path(edition);
        std::fs::write(&path, source(edition, &clauses)).unwrap();
        self.world.ingest(&path).await;
        self.present.insert(edition, is_corrected);
    }

    async fn change(&mut self, change: Change) {
        match change {
            Change::Ingest(edition) => self.put(edition, false).await,
            Change::Correct(edition) => self.put(edition, true).await,
            Change::Remove(edition) => {
                if self.present.remove(&edition).is_some() {
                    self.world.remove(&urn(edition)).await;
                }
            }
            Change::Rebuild => {
                let (store, limits) = (&self.world.store, &IngestLimits::new(&self.world.settings.ingest));
                rebuild(store, limits, Vec::new(), true, norma_ingest::IngestShare::ALL, |done, _| {
                    assert!(done.is_ok())
                })
                .await
                .unwrap();
            }
        }
    }

    /// A present edition, as a tenant sees it.
    async fn granted(&self, tenant: &str, edition: usize) -> GrantedEdition {
        let viewer = Viewer::verified(tenant, "c", Day::from_time(SystemTime::now()));
        let view = self.world.store.view_for(&viewer).await.unwrap();
        match view.find(&Identifier::Urn(urn(edition)), &[]).await.unwrap() {
            Some(Lookup::Edition(granted)) => granted,
            other => panic!("edition {edition} is {other:?}"),
        }
    }

    /// Records the present answer for a reader of all: the id of each provision, and of its lineage.
    async fn answer(&mut self) {
        for &edition in self.present.keys() {
            let granted = self.granted(ALL, edition).await;
            let ids = self.world.store.provisions(&urn(edition)).await.unwrap().unwrap();
            for (ordinal, id) in (0..).zip(ids) {
                let partition = granted.partition().await.unwrap().decode().unwrap();
                let found = granted.lineage(partition, id, ordinal, norma_compare::VERSION).await.unwrap();
                let lineage = found.expect("the lineages are fresh").id;
                self.answered.entry(id.to_string()).or_insert((Asked::Provision(id), BTreeSet::new()));
                self.answered
                    .entry(lineage.to_string())
                    .or_insert((Asked::Lineage(lineage), BTreeSet::new()));
            }
        }
    }

    /// Expects that each id that was ever answered resolves, also for a caller who may read one member alone.
    async fn expect_resolved(&mut self) -> Result<(), TestCaseError> {
        let asked: Vec<Asked> = self.answered.values().map(|(asked, _)| *asked).collect();
        let mut leads_to = vec![BTreeSet::new(); asked.len()];
        let mut present = BTreeSet::new();
        for &edition in self.present.keys() {
            let ids = self.world.store.provisions(&urn(edition)).await.unwrap().unwrap();
            let fates =
                self.granted(ALL, edition).await.fates(&asked, None, norma_compare::VERSION).await.unwrap();
            let own = self.granted(&reader_of(edition), edition).await;
            let own = own.fates(&asked, None, norma_compare::VERSION).await.unwrap();
            for (n, fate) in fates.0.iter().enumerate() {
                prop_assert!(fate.is_some(), "{:?} is unknown in edition {edition}", asked[n]);
                let Some(Followed { fate: Fate::Provision(ordinal), .. }) = fate else { continue };
                leads_to[n].insert(ids[*ordinal]);
                // The id of a provision of an edition that a caller may not read looks unknown to them.
                if matches!(asked[n], Asked::Lineage(_)) {
                    prop_assert_eq!(
                        own.0[n].as_ref().map(|one| one.fate),
                        Some(Fate::Provision(*ordinal)),
                        "{:?} for a reader of edition {}",
                        asked[n],
                        edition
                    );
                }
            }
            present.extend(ids);
        }
        for ((id, (_, before)), now) in self.answered.iter_mut().zip(leads_to) {
            let is_left = before.iter().any(|provision| present.contains(provision));
            prop_assert!(!is_left || !now.is_empty(), "{id} led to {before:?} and leads nowhere");
            *before = now;
        }
        Ok(())
    }

    async fn partition(&self) -> Partition {
        self.world.store.document(urn(1).document_urn()).await.unwrap().partition
    }
}

/// Checks the properties that each history must have.
async fn expect_history(address: Option<&str>, changes: &[Change]) -> Result<(), TestCaseError> {
    let mut history = History::new(address).await;
    for change in changes {
        history.change(*change).await;
        history.answer().await;
        history.expect_resolved().await?;
    }
    let mut straight = History::new(None).await;
    for (&edition, &is_corrected) in &history.present {
        straight.put(edition, is_corrected).await;
    }
    prop_assert_eq!(history.world.lineages().await, straight.world.lineages().await);
    if history.present.len() > 1 {
        prop_assert_eq!(history.partition().await, straight.partition().await);
    }
    Ok(())
}

/// Tries this number of histories, each in a store at an address of its own.
fn try_histories(cases: u32, mut address: impl FnMut() -> Option<Database>) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 100, ..Config::default() };
    let address = std::cell::RefCell::new(&mut address);
    let result = TestRunner::new(config).run(&histories(), |changes| {
        let database = address.borrow_mut()();
        let address = database.as_ref().map(|database| database.address.as_str());
        runtime.block_on(expect_history(address, &changes))
    });
    result.unwrap_or_else(|failed| panic!("{failed}"));
}

#[test]
fn each_history_ends_with_the_partition_of_its_editions_and_forgets_no_id() {
    try_histories(12, || None);
}

#[test]
fn each_history_does_so_on_postgresql() {
    let Ok(server) = std::env::var("NORMA_TEST_POSTGRES") else {
        assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "NORMA_TEST_POSTGRES is not set");
        eprintln!("LEFT OUT: NORMA_TEST_POSTGRES is not set");
        return;
    };
    let mut number = 0;
    try_histories(4, || {
        number += 1;
        Some(Database::new(&server, format!("norma_history_{}_{number}", std::process::id())))
    });
}

/// A database of its own, dropped at the end.
struct Database {
    server: String,
    name: String,
    address: String,
}

impl Database {
    fn new(server: &str, name: String) -> Self {
        psql(server, &format!("CREATE DATABASE {name}"));
        let (host, _) = server.rsplit_once('/').unwrap();
        Self { server: server.to_owned(), address: format!("{host}/{name}"), name }
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        psql(&self.server, &format!("DROP DATABASE {} WITH (FORCE)", self.name));
    }
}

fn psql(server: &str, sql: &str) {
    let output = Command::new("psql").args(["-X", "-q", "-d", server, "-c", sql]).output().unwrap();
    assert!(output.status.success(), "{sql}: {}", String::from_utf8_lossy(&output.stderr));
}
