//! Tests of the access step below HTTP: what an edition gives at a level, and what its lineages cost.

#![allow(clippy::disallowed_methods, reason = "this is test code")]

use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use bytes::Bytes;
use http::Request;
use norma_api::media::{ContentCoding, View};
use norma_editions::lineage::Refresher;
use norma_editions::stores::open_store;
use norma_ingest::{IngestOptions, ingest};
use norma_model::{NeighbourLinks, Partition, PartitionEdition};
use norma_render::PackDirectory;
use norma_settings::Settings;
use norma_store::{Day, Grant, GrantScope, LineageUpdate, Store, Tenant, Viewer};
use tokio::task::JoinHandle;

use super::*;
use crate::body::Body;
use crate::edition::{ViewFront, ViewItems};
use crate::limits::ReadLimits;
use crate::word_filter::WordFilter;

/// The tenant that has a grant, and its client.
const NAMES: [&str; 2] = ["t", "c"];

/// A new store in a folder, with the settings that name it.
async fn new_store(folder: &Path) -> (Settings, Store) {
    let mut settings = Settings::defaults();
    settings.store.store = folder.join("norma.db").display().to_string();
    let store = open_store(&settings.store).await.unwrap();
    (settings, store)
}

async fn ingest_sample(store: &Store, settings: &Settings, name: &str) {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(name);
    ingest(store, vec![sample], &IngestOptions::new(&settings.ingest), |_, _| {}).await;
}

async fn grant_all(store: &Store, level: Level) {
    let (tenant, now) = (NAMES[0].to_owned(), SystemTime::now());
    store.put_tenant(&Tenant { id: tenant.clone(), ..Tenant::default() }, now).await.unwrap();
    let scope = GrantScope::Urns("*".parse().unwrap());
    let grant = Grant { tenant, client: None, scope, level, from: None, until: None };
    store.add_grant(&grant, now).await.unwrap().unwrap();
}

async fn find(store: &Store, urn: &Urn) -> Lookup {
    let viewer = Viewer::verified(NAMES[0], NAMES[1], Day::from_time(SystemTime::now()));
    let view = store.view_for(&viewer).await.unwrap();
    view.find(&Identifier::Urn(urn.clone()), &[]).await.unwrap().unwrap()
}

fn client(tenant: &str, name: &str) -> TurnClient {
    TurnClient { tenant: tenant.into(), name: name.into() }
}

/// The services for a request to a service on this store, and the task that makes its lineages again.
fn services(settings: &Settings, store: &Store) -> (RequestServices, JoinHandle<()>) {
    let (lineages, refresher) = Refresher::start(store.clone());
    let shared = ReadState::new(settings, ReadLimits::default(), None, lineages);
    let memory = RequestMemory::new(shared.in_flight.share(Default::default()));
    let slots = shared.slots.of_client(client(NAMES[0], NAMES[1]));
    (RequestServices { shared, memory, slots, trace: Trace::default() }, refresher)
}

async fn authorized(store: &Store, urn: &Urn, services: &RequestServices) -> Arc<AuthorizedEdition> {
    let Lookup::Edition(granted) = find(store, urn).await else { panic!("{urn} was recalled") };
    AuthorizedEdition::new(granted, true, services)
}

#[test]
fn languages_come_in_order_of_preference() {
    let accept = "de;q=0.7, fr-CA, en;q=0.9, *;q=0.1, it;q=0";
    let (request, ()) = Request::builder().header("accept-language", accept).body(()).unwrap().into_parts();
    let found: Vec<_> = languages(&request).iter().map(|language| language.to_string()).collect();
    assert_eq!(found, ["fr-ca", "en", "de"]);
}

/// Each of the checks alone: over HTTP the first one refuses, so the others are not reached.
#[tokio::test(flavor = "multi_thread")]
async fn content_of_an_edition_that_may_only_be_discovered_is_refused_three_times() {
    let folder = tempfile::tempdir().unwrap();
    let (settings, store) = new_store(folder.path()).await;
    ingest_sample(&store, &settings, "water-baths").await;
    grant_all(&store, Level::Discover).await;
    let urn = store.editions(None, 1).await.unwrap()[0].urn.clone();
    fn code<T>(answer: Result<T, Failure>) -> Option<Code> {
        answer.err().map(|failure| failure.code())
    }
    let refused = Some(Code::ContentNotLicensed);

    // The operation needs a higher level.
    let mut audited = None;
    assert_eq!(code(require_level(&mut audited, find(&store, &urn).await, Level::Read)), refused);
    assert!(audited.unwrap().only_discovered);
    let granted = require_level(&mut None, find(&store, &urn).await, Level::Discover).unwrap();
    let asset = granted.entry().assets[0].clone();

    // The store gives no bytes but those of the head and the hierarchy.
    let directory = PackDirectory::parse(&granted.entry().directory).unwrap();
    for part in norma_render::PackPart::ALL {
        let range = directory.part(part).range.clone();
        let (size, read) = (range.end - range.start, granted.pack().read(range).await.unwrap().len() as u64);
        let is_open = matches!(part, norma_render::PackPart::Head | norma_render::PackPart::Sections);
        let expected = if is_open { size } else { 0 };
        assert_eq!(read, expected, "{part:?}");
    }

    // The edition gives no content, whatever its operation needs.
    let edition = AuthorizedEdition::new(granted, true, &services(&settings, &store).0);
    for &view in View::ALL {
        let expected = if view == View::Sections { None } else { refused };
        assert_eq!(
            code(edition.view(view, None, ContentCoding::Identity, ViewFront::Stored)),
            expected,
            "{view:?}"
        );
    }
    for member in View::Metadata.members() {
        let of_head = ["relatedEditions", "metadata", "ics", "relations"].contains(member);
        let members = Some(vec![*member]);
        let front = ViewFront::Live(vec![]);
        let given = code(edition.view(View::Metadata, members, ContentCoding::Identity, front));
        assert_eq!(given, if of_head { None } else { refused }, "{member}");
    }
    let id = store.provisions(&urn).await.unwrap().unwrap()[0];
    assert_eq!(code(edition.index().await), refused);
    assert_eq!(code(edition.fragments(&[0]).await), refused);
    let first = ViewItems { indexes: vec![0], ..ViewItems::default() };
    let items = edition.items(View::Provisions, Bytes::new(), first, ContentCoding::Identity).await;
    assert_eq!(code(items), refused);
    let words = WordFilter::new(&["water".to_owned()]).unwrap();
    assert_eq!(code(edition.matching(vec![0], words).await), refused);
    assert_eq!(code(edition.provision(0, None).await), refused);
    assert_eq!(code(edition.lineages().await), refused);
    assert_eq!(code(edition.lineage(id, 0).await), refused);
    assert_eq!(code(edition.fates(&[], None).await), refused);
    assert_eq!(code(edition.asset_bytes(&asset.digest).await), refused);
}

/// A store with two editions of a document, and their URNs.
async fn two_editions(store: &Store, settings: &Settings) -> Vec<Urn> {
    for sample in ["bicycle-anchors-ed1", "bicycle-anchors-ed2-en"] {
        ingest_sample(store, settings, sample).await;
    }
    grant_all(store, Level::Read).await;
    store.editions(None, 2).await.unwrap().into_iter().map(|edition| edition.urn).collect()
}

/// Stores links of two editions as those that a version of the matcher found.
async fn put_links(store: &Store, urns: &[Urn], matcher: u32, united: Vec<(u32, u32)>) {
    let document = store.document(urns[0].document_urn()).await.unwrap();
    let edition = |one: &norma_store::DocumentEdition| PartitionEdition {
        urn: one.urn.as_str().into(),
        revision: one.revision.as_str().into(),
    };
    let editions = document.editions.iter().map(edition).collect();
    let neighbours = vec![NeighbourLinks { older: 0, newer: 1, united, related: Vec::new() }];
    let partition = Partition { editions, neighbours };
    let (stem, wanted) = (document.stem, document.wanted);
    let update = LineageUpdate { stem, wanted, matcher, partition, inherited: Vec::new() };
    assert!(store.put_lineages(&update, SystemTime::now()).await.unwrap());
}

async fn eventually(expected: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_secs(30), "{expected}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_partition_is_decoded_in_a_slot_and_a_small_one_without() {
    let folder = tempfile::tempdir().unwrap();
    let (mut settings, store) = new_store(folder.path()).await;
    let urns = two_editions(&store, &settings).await;
    settings.limits.work_slots = 1;
    let (services, _) = services(&settings, &store);
    let (release, released) = std::sync::mpsc::channel::<()>();
    let (began, has_begun) = tokio::sync::oneshot::channel();
    let other = services.shared.slots.of_client(client("other", "c"));
    let work = async move { other.run(move || (began.send(()), released.recv())).await };
    let busy = tokio::spawn(work);
    has_begun.await.unwrap();

    let id = store.provisions(&urns[0]).await.unwrap().unwrap()[0];
    let small = authorized(&store, &urns[0], &services).await;
    assert!(small.lineage(id, 0).await.unwrap().is_some(), "it needs no slot");
    put_links(&store, &urns, norma_compare::VERSION, (0..50_000).map(|n| (n, n)).collect()).await;
    let large = authorized(&store, &urns[0], &services).await;
    let lineage = tokio::spawn(async move { large.lineage(id, 0).await });
    eventually("it waits for the slot", || services.shared.slots.waiting() == 1).await;
    release.send(()).unwrap();
    assert!(lineage.await.unwrap().unwrap().is_some());
    busy.await.unwrap().1.unwrap();
}

/// The variable with the store's name when this test runs as a child.
#[cfg(unix)]
const CHILD: &str = "NORMA_TEST_CHILD_OF";

/// The test runs itself again: root writes whatever the mode says, unless it has dropped that capability
/// (capabilities(7)).
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn reads_of_a_store_that_cannot_be_written_compare_no_neighbours_after_a_new_matcher() {
    use std::os::unix::fs::PermissionsExt;

    const NAME: &str =
        "access::tests::reads_of_a_store_that_cannot_be_written_compare_no_neighbours_after_a_new_matcher";
    if let Some(folder) = std::env::var_os(CHILD) {
        return read_all(Path::new(&folder)).await;
    }
    let folder = tempfile::tempdir().unwrap();
    let (settings, store) = new_store(folder.path()).await;
    ingest_sample(&store, &settings, "bicycle-anchors-ed1").await;
    grant_all(&store, Level::Read).await;
    // Stopped after its commit, so that an earlier version of the matcher can be the first one.
    let (stopped, options) = (store.clone(), IngestOptions::new(&settings.ingest));
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/bicycle-anchors-ed2-en");
    let stop = async move {
        ingest(&stopped, vec![sample], &options, |_, _| std::panic::resume_unwind(Box::new("stopped"))).await;
    };
    assert!(tokio::spawn(stop).await.is_err());
    let urns: Vec<Urn> =
        store.editions(None, 2).await.unwrap().into_iter().map(|edition| edition.urn).collect();
    put_links(&store, &urns, norma_compare::VERSION - 1, vec![(0, 0)]).await;
    drop(store);
    let (file, log) = (folder.path().join("norma.db"), folder.path().join("norma.db-wal"));
    eventually("the log is written back", || !log.exists()).await;

    let made = |without: &[&str]| {
        let exe = std::env::current_exe().unwrap();
        let command = [without, &[exe.to_str().unwrap(), "--exact", NAME, "--nocapture"]].concat();
        let mut child = std::process::Command::new(command[0]);
        let output = child.args(&command[1..]).env(CHILD, folder.path()).output().unwrap();
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said).into_owned();
        assert!(output.status.success(), "{said}");
        (said.matches("two editions are compared").count(), said.contains("read-only: true"))
    };
    let set = |mode: u32, folder_mode: u32| {
        std::fs::set_permissions(&file, PermissionsExt::from_mode(mode)).unwrap();
        std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(folder_mode)).unwrap();
    };
    let is_root = std::process::Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    let without: &[&str] = if is_root { &["setpriv", "--bounding-set=-dac_override"] } else { &[] };
    set(0o444, 0o555);
    assert_eq!(made(without), (0, true));
    set(0o600, 0o700);
    assert_eq!(made(&[]), (1, false), "where it can be written, they are compared once");
}

/// Reads each provision of a store three times, and prints each comparison that this makes.
#[cfg(unix)]
async fn read_all(folder: &Path) {
    let (settings, store) = new_store(folder).await;
    let level = tracing_subscriber::filter::LevelFilter::DEBUG;
    tracing_subscriber::fmt().with_max_level(level).with_writer(std::io::stderr).init();
    let (services, refresher) = services(&settings, &store);
    for _ in 0..3 {
        for stored in store.editions(None, 2).await.unwrap() {
            let edition = authorized(&store, &stored.urn, &services).await;
            for (ordinal, id) in store.provisions(&stored.urn).await.unwrap().unwrap().into_iter().enumerate()
            {
                let lineage = edition.lineage(id, ordinal).await.unwrap();
                assert!(lineage.is_none() || !store.is_read_only(), "it is that of an earlier matcher");
            }
        }
    }
    drop(services);
    refresher.await.unwrap();
    println!("read-only: {}", store.is_read_only());
}

/// Without it, an answer of 304 would wait for the text of the edition and of each of its amendments.
#[tokio::test(flavor = "multi_thread")]
async fn an_amended_view_has_its_tag_before_anything_is_read_from_a_pack() {
    let folder = tempfile::tempdir().unwrap();
    let blobs = folder.path().join("blobs");
    let mut settings = Settings::defaults();
    settings.store.store = folder.path().join("norma.db").display().to_string();
    settings.store.blobs = format!("file://{}", blobs.display());
    std::fs::create_dir(&blobs).unwrap();
    let store = open_store(&settings.store).await.unwrap();
    ingest_sample(&store, &settings, "bicycle-anchors-ed2-en").await;
    let urn = store.editions(None, 1).await.unwrap()[0].urn.clone();
    ingest_sample(&store, &settings, "bicycle-anchors-amd1").await;
    grant_all(&store, Level::Read).await;
    let (services, _) = services(&settings, &store);
    let (head, ()) = Request::builder().uri("/").body(()).unwrap().into_parts();
    let request = crate::Request {
        operation: Operation::Provisions,
        head: &head,
        id: "request",
        public_url: "",
        base_path: "",
        now: jiff::Timestamp::UNIX_EPOCH,
    };
    let answer = async |store: &Store| {
        let viewer = Viewer::verified(NAMES[0], NAMES[1], Day::from_time(SystemTime::now()));
        let mut standards = RequestedStandards::default();
        let mut access = Access::new(
            store.view_for(&viewer).await.unwrap(),
            (&services.shared, client(NAMES[0], NAMES[1])),
            (services.memory.clone(), Trace::default()),
            &head,
            (&mut standards, Trace::default().step("authorize")),
        );
        let provisions = (View::Provisions, None);
        let made = crate::views::view(&mut access, &Identifier::Urn(urn.clone()), provisions, request).await;
        let made = made.unwrap();
        let Body::Deferred(body) = made.body else { panic!("it is made before it is needed") };
        (made.tag.unwrap(), body.await)
    };
    let (tag, body) = answer(&store).await;
    let Ok(Body::Whole { make, .. }) = body else { panic!("it cannot be read") };
    let text = String::from_utf8(make.await.unwrap().to_vec()).unwrap();
    assert!(
        text.starts_with("{\"amendedBy\":[{\"urn\":\"urn:nsb:std:nsb:4210:amd:1:ed-2:en\","),
        "{text:.200}"
    );

    std::fs::remove_dir_all(&blobs).unwrap();
    let reopened = open_store(&settings.store).await.unwrap();
    let (same, body) = answer(&reopened).await;
    assert_eq!(same, tag);
    assert!(body.is_err(), "the packs are gone");
}
