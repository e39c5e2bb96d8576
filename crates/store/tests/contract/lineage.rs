//! Comparisons and lineages: stored for one state of a document, shown as far as grants allow.

use bytes::Bytes;
use norma_model::lineage::{Asked, Fate};
use norma_model::{Lang, NeighbourLinks, Partition, PartitionEdition, ProvisionId, Urn};
use norma_store::{
    Correspondence, GrantedEdition, Level, Lineage, LineageUpdate, Lookup, Publication, Retired, Store,
    StoredComparison,
};

use crate::world::{Kind, World, at, edition};

promises!(
    a_comparison_is_of_the_revisions_that_were_compared,
    comparisons_of_editions_that_are_no_neighbours_go_with_the_next_partition,
    a_partition_is_stored_only_for_what_it_was_made_of,
    two_writers_at_once_end_with_the_partition_of_all_editions,
    ids_that_a_publication_drops_lead_to_their_heirs,
    a_lineage_is_shown_as_far_as_grants_go,
    a_copy_holds_retired_ids_and_correspondences,
    a_copy_holds_comparisons_of_neighbours_and_no_others,
    an_id_of_a_lineage_leads_to_it_whatever_became_of_its_oldest_member,
    a_document_that_waits_has_no_lineage_yet,
    what_a_later_matcher_made_is_not_replaced_by_an_earlier_one,
    changes_of_neighbours_and_tables_are_in_the_feed,
);

const DOCUMENT: &str = "urn:iso:std:iso:7";
const MATCHER: u32 = 1;

fn urn(n: u8) -> String {
    format!("{DOCUMENT}:ed-{n}:en")
}

/// Provision `m` of edition `n`.
fn provision(n: u8, m: u8) -> ProvisionId {
    ProvisionId::from_bytes(std::array::from_fn(|at| if at == 0 { n } else { m }))
}

/// Edition `n`, with three provisions.
fn published(n: u8) -> Publication {
    let mut publication = edition(&urn(n), &format!("ISO 7:200{n}"));
    publication.provisions = (0..3).map(|m| provision(n, m)).collect();
    publication
}

/// The partition that unites provisions with the same number in neighbouring editions, except the last.
async fn link(store: &Store, stem: &str) -> bool {
    link_with(store, stem, Vec::new()).await
}

/// The same, with heirs of ids that were removed.
async fn link_with(store: &Store, stem: &str, inherited: Vec<Retired>) -> bool {
    let document = store.document(stem).await.unwrap();
    if document.is_fresh(MATCHER) {
        return true;
    }
    let edition = |one: &norma_store::DocumentEdition| PartitionEdition {
        urn: one.urn.as_str().into(),
        revision: one.revision.as_str().into(),
    };
    let pairs = 1..document.editions.len().max(1);
    let partition = Partition {
        editions: document.editions.iter().map(edition).collect(),
        neighbours: pairs
            .map(|newer| NeighbourLinks {
                older: newer - 1,
                newer,
                united: vec![(0, 0), (1, 1)],
                related: vec![(0, 2)],
            })
            .collect(),
    };
    let update = LineageUpdate {
        stem: stem.to_owned(),
        wanted: document.wanted,
        matcher: MATCHER,
        partition,
        inherited,
    };
    store.put_lineages(&update, at(5)).await.unwrap()
}

async fn granted(world: &World, n: u8) -> GrantedEdition {
    match world.find(&urn(n)).await {
        Some(Lookup::Edition(edition)) => edition,
        other => panic!("edition {n} is {other:?}"),
    }
}

pub(crate) async fn lineage_of(
    edition: &GrantedEdition,
    id: ProvisionId,
    ordinal: u32,
) -> norma_store::Result<Option<Lineage>> {
    let partition = edition.partition().await?.decode()?;
    edition.lineage(partition, id, ordinal, MATCHER).await
}

async fn a_comparison_is_of_the_revisions_that_were_compared(world: World) {
    let [one, two] = [published(1), published(2)];
    world.publish(&one).await;
    world.publish(&two).await;
    world.grant("urn:iso:*", Level::Read).await;
    let english: Lang = "en".parse().unwrap();
    let handle = async |n| granted(&world, n).await.readable().unwrap();
    let (older, newer) = (handle(1).await, handle(2).await);
    let record = Bytes::from_static(b"record");
    let ids = [&one, &two].map(|publication| publication.provisions.clone());
    let stored = |found: norma_store::Result<Option<StoredComparison>>| {
        let found = found.unwrap().unwrap();
        assert_eq!(found.provisions, ids);
        found.record
    };
    assert_eq!(older.comparison(&newer, &english, 1).await.unwrap(), None);
    assert!(older.put_comparison(&newer, &english, 1, record.clone()).await.unwrap());
    assert_eq!(stored(older.comparison(&newer, &english, 1).await), record);
    let of_operator = world.store.handle(older.entry());
    assert_eq!(stored(of_operator.comparison(&newer, &english, 1).await), record);
    assert_eq!(older.comparison(&newer, &english, 2).await.unwrap(), None, "another matcher");
    assert_eq!(newer.comparison(&older, &english, 1).await.unwrap(), None, "the other way");
    let changed = Publication { revision: "1".to_owned(), deriver: "2".to_owned(), ..two.clone() };
    world.publish(&changed).await;
    assert_eq!(older.comparison(&newer, &english, 1).await.unwrap(), None, "it went with the revision");
    assert!(!older.put_comparison(&newer, &english, 1, record.clone()).await.unwrap(), "no such revision");
    let changed = handle(2).await;
    assert_eq!(older.comparison(&changed, &english, 1).await.unwrap(), None);
    assert!(older.put_comparison(&changed, &english, 1, record).await.unwrap());
    world.store.remove(&one.summary.urn, at(2)).await.unwrap();
    assert_eq!(older.comparison(&changed, &english, 1).await.unwrap(), None);
}

async fn comparisons_of_editions_that_are_no_neighbours_go_with_the_next_partition(world: World) {
    for n in [1, 3] {
        world.publish(&published(n)).await;
    }
    world.grant("urn:iso:*", Level::Read).await;
    let english: Lang = "en".parse().unwrap();
    let handle = async |n| granted(&world, n).await.readable().unwrap();
    let put = async |older, newer| {
        let record = Bytes::from_static(b"record");
        handle(older).await.put_comparison(&handle(newer).await, &english, 1, record).await.unwrap()
    };
    let is_stored = async |older, newer| {
        handle(older).await.has_comparison(&handle(newer).await, &english, 1).await.unwrap()
    };
    assert!(put(1, 3).await && link(&world.store, DOCUMENT).await);
    assert!(is_stored(1, 3).await, "they are neighbours");
    world.publish(&published(2)).await;
    assert!(put(1, 2).await && put(2, 3).await && link(&world.store, DOCUMENT).await);
    assert_eq!((is_stored(1, 2).await, is_stored(2, 3).await, is_stored(1, 3).await), (true, true, false));
    let facts = granted(&world, 2).await.comparable().await.unwrap().unwrap();
    assert_eq!((facts.provisions, facts.adopted), (3, Vec::new()));
}

async fn a_partition_is_stored_only_for_what_it_was_made_of(world: World) {
    world.publish(&published(1)).await;
    let document = world.store.document(DOCUMENT).await.unwrap();
    assert_eq!((document.wanted, document.is_fresh(MATCHER)), (0, true), "one edition has no neighbours");
    world.publish(&published(2)).await;
    assert_eq!(world.store.changed_documents(None, "").await.unwrap(), [DOCUMENT]);
    let document = world.store.document(DOCUMENT).await.unwrap();
    world.publish(&published(3)).await;
    let update = LineageUpdate {
        stem: DOCUMENT.to_owned(),
        wanted: document.wanted,
        matcher: MATCHER,
        partition: Partition::default(),
        inherited: Vec::new(),
    };
    assert!(!world.store.put_lineages(&update, at(2)).await.unwrap(), "an edition came meanwhile");
    assert!(link(&world.store, DOCUMENT).await);
    assert!(world.store.changed_documents(None, "").await.unwrap().is_empty());
    assert_eq!(world.store.changed_documents(Some(MATCHER + 1), "").await.unwrap(), [DOCUMENT]);
    // Drafts and supplements take no part.
    let mut draft = published(4);
    draft.status = norma_model::Status::Draft;
    world.publish(&draft).await;
    assert_eq!(world.store.document(DOCUMENT).await.unwrap().editions.len(), 3);
}

async fn two_writers_at_once_end_with_the_partition_of_all_editions(world: World) {
    let other = Store::open(&world.location, &norma_store::StoreOptions::default()).await.unwrap();
    let publish = async |store: &Store, editions: [u8; 3]| {
        for n in editions {
            store.publish(&published(n), at(1)).await.unwrap();
            while !link(store, DOCUMENT).await {}
        }
    };
    tokio::join!(publish(&world.store, [1, 4, 5]), publish(&other, [6, 2, 3]));
    let document = world.store.document(DOCUMENT).await.unwrap();
    assert!(document.is_fresh(MATCHER));
    let urns: Vec<String> =
        document.partition.editions.iter().map(|edition| edition.urn.to_string()).collect();
    assert_eq!(urns, (1..=6).map(urn).collect::<Vec<_>>());
}

/// The fate of each, without its lineage.
async fn fates_of(edition: &GrantedEdition, asked: &[Asked]) -> Vec<Option<Fate>> {
    let (fates, _) = edition.fates(asked, None, MATCHER).await.unwrap();
    fates.into_iter().map(|followed| followed.map(|followed| followed.fate)).collect()
}

async fn ids_that_a_publication_drops_lead_to_their_heirs(world: World) {
    world.publish(&published(1)).await;
    let mut second = published(2);
    world.publish(&second).await;
    world.grant("urn:iso:*", Level::Read).await;
    assert!(link(&world.store, DOCUMENT).await);
    // A revision drops two ids and says what one of them became.
    second.revision = "1".to_owned();
    second.deriver = "2".to_owned();
    second.provisions = vec![provision(20, 0), provision(2, 1), provision(20, 2)];
    second.successors = vec![(provision(2, 0), provision(20, 0)), (provision(2, 2), provision(99, 9))];
    world.publish(&second).await;
    assert!(link(&world.store, DOCUMENT).await);
    let edition = granted(&world, 2).await;
    let lineage = lineage_of(&edition, provision(20, 0), 0).await.unwrap();
    let key = world.store.lineage_key().await.unwrap();
    let lineage = lineage.unwrap();
    assert_eq!(lineage.id, key.id_of(&provision(1, 0)));
    assert_eq!(lineage.earlier_ids, [provision(2, 0)]);
    let asked = [
        Asked::Provision(provision(2, 0)),
        Asked::Provision(provision(2, 1)),
        Asked::Provision(provision(2, 2)),
        Asked::Provision(provision(1, 1)),
        Asked::Provision(provision(1, 2)),
        Asked::Provision(provision(99, 9)),
        Asked::Lineage(key.id_of(&provision(2, 0))),
        Asked::Lineage(key.id_of(&provision(1, 1))),
        Asked::Lineage(key.id_of(&provision(2, 2))),
    ];
    let fates = [
        Some(Fate::Provision(0)),
        Some(Fate::Provision(1)),
        Some(Fate::Gone),
        Some(Fate::Provision(1)),
        Some(Fate::Absent),
        None,
        Some(Fate::Provision(0)),
        Some(Fate::Provision(1)),
        Some(Fate::Gone),
    ];
    assert_eq!(fates_of(&edition, &asked).await, fates);
    let followed = edition.fates(&asked, Some(&urn(1)), MATCHER).await.unwrap().0;
    let lineages: Vec<_> = [0, 2, 4].map(|n| followed[n].as_ref().unwrap().lineage).into();
    assert_eq!(lineages, [Some(key.id_of(&provision(1, 0))), None, Some(key.id_of(&provision(1, 2)))]);
    let source = |n: usize| followed[n].as_ref().unwrap().source.clone();
    assert_eq!(source(0), Some((urn(2).into(), 0)), "of the same source by other rules");
    assert_eq!((source(1), source(3)), (Some((urn(2).into(), 1)), Some((urn(1).into(), 1))));
    assert_eq!((source(6), source(7)), (Some((urn(1).into(), 0)), Some((urn(1).into(), 1))));
    let without: Vec<Retired> = world.store.document(DOCUMENT).await.unwrap().without_heir;
    assert_eq!(without.iter().map(|one| (one.id, one.ordinal)).collect::<Vec<_>>(), [(provision(2, 2), 2)]);
    // Removed editions leave their ids.
    world.store.remove(&second.summary.urn, at(3)).await.unwrap();
    assert!(link(&world.store, DOCUMENT).await);
    let edition = granted(&world, 1).await;
    assert_eq!(fates_of(&edition, &[Asked::Provision(provision(20, 0))]).await, [Some(Fate::Gone)]);
    let document = world.store.document(DOCUMENT).await.unwrap();
    let another = document.without_heir[0].clone();
    let heir = Retired { id: provision(20, 0), heir: Some(provision(1, 0)), ..another };
    let correspondence = Correspondence {
        older: second.summary.urn.clone(),
        older_id: None,
        newer: second.summary.urn.clone(),
        newer_id: Some(provision(2, 1)),
        relation: "new".to_owned(),
    };
    world.store.put_correspondences(&[correspondence], at(4)).await.unwrap();
    let document = norma_store::LineageDocument { wanted: document.wanted + 1, ..document };
    let update = LineageUpdate {
        stem: DOCUMENT.to_owned(),
        wanted: document.wanted,
        matcher: MATCHER,
        partition: document.partition,
        inherited: vec![heir],
    };
    assert!(world.store.put_lineages(&update, at(4)).await.unwrap());
    let asked = [Asked::Provision(provision(20, 0)), Asked::Provision(provision(2, 0))];
    let found = fates_of(&edition, &asked).await;
    assert_eq!(found, [Some(Fate::Provision(0)); 2], "also by way of another heir");
}

async fn a_lineage_is_shown_as_far_as_grants_go(world: World) {
    for n in 1..=4 {
        world.publish(&published(n)).await;
    }
    assert!(link(&world.store, DOCUMENT).await);
    world.grant(&urn(1), Level::Read).await;
    world.grant(&urn(2), Level::Discover).await;
    world.grant(&urn(4), Level::Read).await;
    let newest = granted(&world, 4).await;
    let key = world.store.lineage_key().await.unwrap();
    let lineage = lineage_of(&newest, provision(4, 0), 0).await.unwrap().unwrap();
    assert_eq!(lineage.id, key.id_of(&provision(1, 0)));
    let relatives = |relatives: &[norma_store::Relative]| {
        let relative = |one: &norma_store::Relative| {
            (one.edition.entry().summary.urn.to_string(), one.id, one.ordinal, one.is_member)
        };
        relatives.iter().map(relative).collect::<Vec<_>>()
    };
    // Editions 3 (hidden) and 2 (not to be read) are passed over.
    assert_eq!(relatives(&lineage.predecessors), [(urn(1), provision(1, 0), 0, true)]);
    assert!(lineage.successors.is_empty());
    let split = lineage_of(&newest, provision(4, 2), 2).await.unwrap().unwrap();
    assert_eq!(split.id, key.id_of(&provision(4, 2)));
    assert_eq!(relatives(&split.predecessors), [(urn(1), provision(1, 0), 0, false)]);
    let oldest = lineage_of(&granted(&world, 1).await, provision(1, 0), 0).await.unwrap().unwrap();
    assert_eq!(relatives(&oldest.successors), [(urn(4), provision(4, 0), 0, true)]);
    // Ids of hidden editions and unknown ids are alike; the lineage is known by its members.
    let asked = [
        Asked::Provision(provision(1, 1)),
        Asked::Provision(provision(2, 1)),
        Asked::Provision(provision(3, 1)),
        Asked::Provision(provision(77, 7)),
        Asked::Lineage(key.id_of(&provision(3, 1))),
        Asked::Lineage(key.id_of(&provision(3, 2))),
    ];
    let fates = [Some(Fate::Provision(1)), None, None, None, Some(Fate::Provision(1)), None];
    assert_eq!(fates_of(&newest, &asked).await, fates);
    // A draft is in no lineage. Those of its document are known where one of their members may be read.
    let mut draft = published(5);
    draft.status = norma_model::Status::Draft;
    world.publish(&draft).await;
    world.grant(&urn(5), Level::Read).await;
    assert_eq!(fates_of(&granted(&world, 5).await, &asked[4..]).await, [Some(Fate::Absent), None]);
    // A recalled edition is passed over, and ids of it are known.
    world.store.recall(&published(1).summary.urn, "wrong", None, at(3)).await.unwrap();
    assert!(link(&world.store, DOCUMENT).await);
    let lineage = lineage_of(&granted(&world, 4).await, provision(4, 0), 0).await.unwrap();
    assert!(lineage.unwrap().predecessors.is_empty());
    let (_, is_fresh) = newest.fates(&asked, None, MATCHER + 1).await.unwrap();
    assert!(!is_fresh, "another matcher");
    assert_eq!(fates_of(&newest, &asked[..1]).await, [Some(Fate::Provision(1))]);
}

async fn a_copy_holds_retired_ids_and_correspondences(world: World) {
    for n in 1..=3 {
        world.publish(&published(n)).await;
    }
    world.store.remove(&published(2).summary.urn, at(2)).await.unwrap();
    let row = Correspondence {
        older: published(1).summary.urn,
        older_id: Some(provision(1, 2)),
        newer: published(3).summary.urn,
        newer_id: None,
        relation: "removed".to_owned(),
    };
    world.store.put_correspondences(&[row], at(2)).await.unwrap();
    assert!(link(&world.store, DOCUMENT).await);
    let here = world.store.document(DOCUMENT).await.unwrap();
    for kind in [Kind::Sqlite, Kind::Postgres] {
        let Some(other) = World::open(kind).await else { continue };
        for _ in 0..2 {
            world.store.copy_to(&other.store, at(3), &mut |_| {}).await.unwrap();
            assert!(link(&other.store, DOCUMENT).await);
            let there = other.store.document(DOCUMENT).await.unwrap();
            assert_eq!((&there.editions, &there.correspondences), (&here.editions, &here.correspondences));
            assert_eq!(there.without_heir, here.without_heir);
            assert_eq!((there.is_fresh(MATCHER), there.partition), (true, here.partition.clone()));
            assert_eq!(other.store.lineage_key().await.unwrap(), world.store.lineage_key().await.unwrap());
        }
    }
}

async fn a_copy_holds_comparisons_of_neighbours_and_no_others(world: World) {
    let other_document = edition("urn:iso:std:iso:8:ed-1:en", "ISO 8:2001");
    for publication in [published(1), published(2), published(3), other_document.clone()] {
        world.publish(&publication).await;
    }
    assert!(link(&world.store, DOCUMENT).await);
    let english: Lang = "en".parse().unwrap();
    let handle = async |store: &Store, urn: &Urn| store.handle(&store.entry(urn).await.unwrap().unwrap());
    let [one, two, three] = [1, 2, 3].map(|n| published(n).summary.urn);
    let pairs = [(&one, &two), (&two, &three), (&one, &three), (&one, &other_document.summary.urn)];
    for (older, newer) in pairs {
        let (older, newer) = (handle(&world.store, older).await, handle(&world.store, newer).await);
        let record = Bytes::from_static(b"record");
        assert!(older.put_comparison(&newer, &english, MATCHER, record).await.unwrap());
    }
    for kind in [Kind::Sqlite, Kind::Postgres] {
        let Some(other) = World::open(kind).await else { continue };
        world.store.copy_to(&other.store, at(3), &mut |_| {}).await.unwrap();
        let mut copied = Vec::new();
        for (older, newer) in pairs {
            let (older, newer) = (handle(&other.store, older).await, handle(&other.store, newer).await);
            copied.push(older.has_comparison(&newer, &english, MATCHER).await.unwrap());
        }
        assert_eq!(copied, [true, true, false, false]);
    }
}

async fn an_id_of_a_lineage_leads_to_it_whatever_became_of_its_oldest_member(world: World) {
    for n in 1..=3 {
        world.publish(&published(n)).await;
    }
    assert!(link(&world.store, DOCUMENT).await);
    world.grant(&urn(3), Level::Read).await;
    let of_newest =
        async || lineage_of(&granted(&world, 3).await, provision(3, 0), 0).await.unwrap().unwrap().id;
    let leads = async |id| fates_of(&granted(&world, 3).await, &[Asked::Lineage(id)]).await;
    let first = of_newest().await;
    for n in [1, 2] {
        world.store.remove(&published(n).summary.urn, at(2)).await.unwrap();
        // As an update does it: the nearest newer member carries the removed ones on.
        let retired = world.store.retired(DOCUMENT).await.unwrap();
        let heirs = retired.into_iter().filter(|one| one.id == provision(n, 0));
        let inherited = heirs.map(|one| Retired { heir: Some(provision(n + 1, 0)), ..one }).collect();
        assert!(link_with(&world.store, DOCUMENT, inherited).await);
        assert_eq!(leads(first).await, [Some(Fate::Provision(0))], "without edition {n}");
    }
    let last = of_newest().await;
    assert_ne!(last, first, "the oldest member is another one");
    assert_eq!(leads(last).await, [Some(Fate::Provision(0))]);
    // An operator put another key in force: ids of the earlier one lead nowhere, as invented ids do.
    assert!(world.store.put_lineage_key(&norma_store::LineageKey::new([7; 16]), at(4)).await.unwrap());
    assert!(!world.store.put_lineage_key(&norma_store::LineageKey::new([7; 16]), at(4)).await.unwrap());
    world.store.state().await.unwrap();
    world.store.document(DOCUMENT).await.unwrap();
    assert_eq!(leads(last).await, [None]);
    assert_eq!(leads(of_newest().await).await, [Some(Fate::Provision(0))]);
}

async fn a_document_that_waits_has_no_lineage_yet(world: World) {
    world.publish(&published(2)).await;
    world.grant(&urn(2), Level::Read).await;
    let lineage = async || lineage_of(&granted(&world, 2).await, provision(2, 0), 0).await.unwrap();
    let alone = lineage().await.unwrap();
    // A hidden edition comes: its reader must not see the id of edition 2 before that of both.
    world.publish(&published(1)).await;
    assert!(lineage().await.is_none());
    assert!(link(&world.store, DOCUMENT).await);
    let of_both = lineage().await.unwrap();
    assert_ne!(of_both.id, alone.id);
    // Neither of them can be computed without the key.
    let other = norma_store::LineageKey::new([1; 16]);
    for n in [1, 2] {
        assert!(![of_both.id, alone.id].contains(&other.id_of(&provision(n, 0))));
    }
}

async fn what_a_later_matcher_made_is_not_replaced_by_an_earlier_one(world: World) {
    world.publish(&published(1)).await;
    world.publish(&published(2)).await;
    world.grant("urn:iso:*", Level::Read).await;
    let put = async |matcher: u32, related: Vec<(u32, u32)>| {
        let document = world.store.document(DOCUMENT).await.unwrap();
        let edition = |one: &norma_store::DocumentEdition| PartitionEdition {
            urn: one.urn.as_str().into(),
            revision: one.revision.as_str().into(),
        };
        let links = NeighbourLinks { older: 0, newer: 1, united: vec![(0, 0)], related };
        let partition =
            Partition { editions: document.editions.iter().map(edition).collect(), neighbours: vec![links] };
        let stem = DOCUMENT.to_owned();
        let update =
            LineageUpdate { stem, wanted: document.wanted, matcher, partition, inherited: Vec::new() };
        world.store.put_lineages(&update, at(3)).await.unwrap()
    };
    assert!(put(MATCHER + 1, vec![(1, 1)]).await);
    assert!(!put(MATCHER, Vec::new()).await, "an older program writes over the result of a newer one");
    let document = world.store.document(DOCUMENT).await.unwrap();
    assert_eq!((document.matcher, document.is_fresh(MATCHER)), (MATCHER + 1, true));
    assert_eq!(document.partition.neighbours[0].related, [(1, 1)]);
    assert!(world.store.changed_documents(Some(MATCHER), "").await.unwrap().is_empty());
    // The older program answers with it.
    assert!(lineage_of(&granted(&world, 2).await, provision(2, 0), 0).await.unwrap().is_some());
    let english: Lang = "en".parse().unwrap();
    let [older, newer] = granted(&world, 1).await.compared_with(&granted(&world, 2).await).unwrap();
    let record = Bytes::from_static(b"record of the later one");
    assert!(older.put_comparison(&newer, &english, MATCHER + 1, record.clone()).await.unwrap());
    assert!(!older.put_comparison(&newer, &english, MATCHER, Bytes::from_static(b"earlier")).await.unwrap());
    let found = older.comparison(&newer, &english, MATCHER + 1).await.unwrap().unwrap();
    assert_eq!(found.record, record);
}

async fn changes_of_neighbours_and_tables_are_in_the_feed(world: World) {
    world.publish(&published(1)).await;
    let (older, newer) = (published(1).summary.urn, published(2).summary.urn);
    let rows = async || world.store.state().await.unwrap().sequence;
    let before = rows().await;
    world.publish(&published(2)).await;
    assert_eq!(rows().await, before + 2, "its own row, and that of the edition that it supersedes");
    let row = Correspondence {
        older: older.clone(),
        older_id: Some(provision(1, 2)),
        newer: newer.clone(),
        newer_id: Some(provision(2, 2)),
        relation: "same".to_owned(),
    };
    world.store.put_correspondences(&[row.clone(), row], at(2)).await.unwrap();
    assert_eq!(rows().await, before + 4, "both editions, once each");
    assert_eq!(world.store.drop_correspondences(&older, &newer, at(3)).await.unwrap(), 2);
    assert_eq!(rows().await, before + 6);
    assert_eq!(world.store.drop_correspondences(&older, &newer, at(3)).await.unwrap(), 0);
    assert_eq!(rows().await, before + 6, "nothing changed");
}
