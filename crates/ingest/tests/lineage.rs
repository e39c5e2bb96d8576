//! Lineages across editions: the same set of editions has the same partition and ids, in whatever order it
//! arrived.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use norma_editions::lineage::{self, ImportError};
use norma_editions::stores::open_store;
use norma_ingest::{DocumentReport, IngestLimits, IngestOptions, IngestVerdict, ingest, rebuild};
use norma_model::lineage::Asked;
use norma_model::{Digest, LineageId, ProvisionId, Urn};
use norma_render::Compression;
use norma_settings::{Layers, SettingOrigin, Settings};
use norma_store::{Blob, LineageKey, Publication, Store, Summary};
use sha2::{Digest as _, Sha256};

#[path = "lineage/histories.rs"]
mod histories;

/// The clauses of each of four editions.
const EDITIONS: [&[&str]; 4] = [
    &[
        "Each peg shall be made of dry beech wood without visible knots.",
        "The length of a peg shall not exceed 80 mm.",
        "Pegs should be stored in a closed box of cardboard.",
        "The supplier shall state the year of manufacture on each box.",
    ],
    &[
        "Each peg shall be made of dry beech wood without visible knots.",
        "The length of a peg shall not exceed 85 mm.",
        "Every box of pegs shall be labelled with the mass of its content.",
        "Pegs should be stored in a closed box of cardboard.",
    ],
    &[
        "The length of a peg shall not exceed 85 mm.",
        "Each peg shall be made of dry beech or oak wood without visible knots.",
        "Every box of pegs shall be labelled with the mass of its content.",
        "The colour of a peg may be chosen by the purchaser.",
    ],
    &[
        "The length of a peg shall not exceed 90 mm.",
        "Each peg shall be made of dry beech or oak wood without visible knots.",
        "Every box of pegs shall be labelled with the net mass of its content.",
        "The supplier shall state the year of manufacture on each box.",
        "The colour of a peg may be chosen by the purchaser.",
    ],
];

fn source(edition: usize, clauses: &[&str]) -> String {
    let clause = |(n, text): (usize, &&str)| {
        let n = n + 1;
        format!("<sec id='s{n}'><label>{n}</label><title>Clause {n}</title><p>{text}</p></sec>")
    };
    let clauses: String = clauses.iter().enumerate().map(clause).collect();
    format!(
        "<standard><front><std-meta><title-wrap><main>Pegs</main><full>Pegs</full></title-wrap><std-ident>\
         <originator>NSB</originator><doc-type>IS</doc-type><doc-number>7</doc-number><edition>{edition}</edition>\
         </std-ident><content-language>en</content-language><std-ref type='dated'>NSB 7:{}</std-ref></std-meta></front>\
         <body>{clauses}</body></standard>",
        2000 + edition
    )
}

/// A store in a folder of its own, and the sources of the editions.
struct World {
    folder: tempfile::TempDir,
    store: Store,
    settings: Settings,
}

impl World {
    async fn new() -> Self {
        Self::at(None).await
    }

    /// A store at this address, else in the folder.
    async fn at(address: Option<&str>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (n, clauses) in EDITIONS.iter().enumerate() {
            std::fs::write(folder.path().join(format!("{}.xml", n + 1)), source(n + 1, clauses)).unwrap();
        }
        let path = folder.path().join("norma.db").display().to_string();
        let store = address.unwrap_or(&path);
        let settings =
            Layers::default().set("store", store, SettingOrigin::Command).unwrap().settings().unwrap();
        let store = open_store(&settings.store).await.unwrap();
        // One key in all stores, so that ids can be compared.
        store.put_lineage_key(&LineageKey::new([7; 16]), SystemTime::now()).await.unwrap();
        Self { folder, store, settings }
    }

    fn path(&self, edition: usize) -> PathBuf {
        self.folder.path().join(format!("{edition}.xml"))
    }

    fn options(&self) -> IngestOptions {
        IngestOptions::new(&self.settings.ingest)
    }

    async fn ingest(&self, path: &Path) -> DocumentReport {
        let mut reports = Vec::new();
        ingest(&self.store, vec![path.to_owned()], &self.options(), |report, _| reports.push(report)).await;
        assert!(!matches!(reports[0].verdict, IngestVerdict::Refused(_)), "{reports:?}");
        reports.remove(0)
    }

    async fn urns(&self) -> Vec<Urn> {
        self.store.editions(None, 10).await.unwrap().into_iter().map(|edition| edition.urn).collect()
    }

    /// The lineage of each provision.
    async fn lineages(&self) -> BTreeMap<ProvisionId, LineageId> {
        let mut all = BTreeMap::new();
        for urn in self.urns().await {
            for id in self.store.provisions(&urn).await.unwrap().unwrap() {
                all.insert(id, self.lineage_of(id).await.unwrap());
            }
        }
        all
    }

    /// The lineage that a provision is or was in.
    async fn lineage_of(&self, id: ProvisionId) -> Option<LineageId> {
        lineage::show(&self.store, Asked::Provision(id)).await.unwrap().and_then(|shown| shown.id)
    }

    /// The lineage that an id of a lineage leads to; the outer `None` if the id is unknown.
    async fn resolved(&self, id: LineageId) -> Option<Option<LineageId>> {
        lineage::show(&self.store, Asked::Lineage(id)).await.unwrap().map(|shown| shown.id)
    }

    async fn is_fresh(&self) -> bool {
        let urn = &self.urns().await[0];
        let document = self.store.document(urn.document_urn()).await.unwrap();
        document.done == document.wanted
    }

    async fn remove(&self, urn: &Urn) {
        assert!(self.store.remove(urn, SystemTime::now()).await.unwrap());
        lineage::update(&self.store, urn.document_urn()).await.unwrap();
    }
}

/// All orders of these numbers.
fn orders(numbers: &[usize]) -> Vec<Vec<usize>> {
    if numbers.is_empty() {
        return vec![Vec::new()];
    }
    let with = |first: &usize| {
        let rest: Vec<usize> = numbers.iter().copied().filter(|n| n != first).collect();
        orders(&rest).into_iter().map(|rest| [vec![*first], rest].concat()).collect::<Vec<_>>()
    };
    numbers.iter().flat_map(with).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_order_of_arrival_gives_the_same_partition_and_ids() {
    let mut expected = None;
    for order in orders(&[1, 2, 3, 4]) {
        let world = World::new().await;
        let mut shown = BTreeSet::new();
        let mut before = BTreeMap::new();
        for edition in &order {
            world.ingest(&world.path(*edition)).await;
            let now = world.lineages().await;
            if order.is_sorted() {
                assert!(before.iter().all(|(id, lineage)| now[id] == *lineage), "a shown id changed");
            }
            shown.extend(now.values().copied());
            before = now;
        }
        for id in shown {
            assert!(world.resolved(id).await.unwrap().is_some(), "{id} leads nowhere after {order:?}");
        }
        let expected = expected.get_or_insert_with(|| before.clone());
        assert_eq!(*expected, before, "{order:?}");
    }
    let lineages: BTreeSet<LineageId> = expected.unwrap().into_values().collect();
    // Wood, length, cardboard, supplier of edition 1, supplier of edition 4, label, colour.
    assert_eq!(lineages.len(), 7);
}

#[tokio::test(flavor = "multi_thread")]
async fn ingest_again_rebuild_and_putting_back_change_nothing() {
    let world = World::new().await;
    for edition in 1..=4 {
        world.ingest(&world.path(edition)).await;
    }
    let expected = world.lineages().await;
    world.ingest(&world.path(2)).await;
    assert_eq!(world.lineages().await, expected);
    let mut rebuilt = 0;
    rebuild(
        &world.store,
        &IngestLimits::new(&world.settings.ingest),
        Vec::new(),
        true,
        norma_ingest::IngestShare::ALL,
        |outcome, _| {
            assert!(outcome.unwrap().changed.is_empty());
            rebuilt += 1;
        },
    )
    .await
    .unwrap();
    assert_eq!((rebuilt, world.is_fresh().await), (4, true));
    assert_eq!(world.lineages().await, expected);
    for urn in world.urns().await {
        world.remove(&urn).await;
        for (id, lineage) in &expected {
            let fate = world.resolved(*lineage).await;
            assert!(fate.is_some(), "{lineage} is unknown without {urn}");
            // The lineage has other members: its id leads to one of theirs.
            let others = world.lineages().await;
            if expected.iter().any(|(other, same)| same == lineage && others.contains_key(other)) {
                assert!(fate.unwrap().is_some(), "{lineage} of {id} leads nowhere without {urn}");
            } else {
                assert_eq!(fate.unwrap(), None);
            }
        }
        let edition = urn.edition().parse().unwrap();
        world.ingest(&world.path(edition)).await;
        assert_eq!(world.lineages().await, expected, "{urn} was put back");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_id_that_changes_in_a_revision_keeps_its_lineage() {
    let world = World::new().await;
    for edition in 1..=2 {
        world.ingest(&world.path(edition)).await;
    }
    let before = world.lineages().await;
    let urn = world.urns().await[0].clone();
    let old = world.store.provisions(&urn).await.unwrap().unwrap();
    let mut clauses = EDITIONS[0].to_vec();
    clauses[1] = "The length of each peg shall not exceed 80 mm.";
    std::fs::write(world.path(1), source(1, &clauses)).unwrap();
    let report = world.ingest(&world.path(1)).await;
    let new = world.store.provisions(&urn).await.unwrap().unwrap();
    assert_eq!(report.changed_ids, [(old[1], new[1])]);
    let after = world.lineages().await;
    // It is the oldest member, so that the id of the lineage changes; the old one leads to it.
    assert_ne!(after[&new[1]], before[&old[1]]);
    assert_eq!(world.lineage_of(old[1]).await, Some(after[&new[1]]));
    assert_eq!(world.resolved(before[&old[1]]).await, Some(Some(after[&new[1]])));
    let second = world.store.provisions(&world.urns().await[1]).await.unwrap().unwrap();
    assert_eq!(after[&second[1]], after[&new[1]]);
    // Put back as it was, all is as before.
    std::fs::write(world.path(1), source(1, EDITIONS[0])).unwrap();
    world.ingest(&world.path(1)).await;
    assert_eq!(world.lineages().await, before);
    assert_eq!(world.lineage_of(new[1]).await, Some(before[&old[1]]));
}

/// The rules are part of the program, so the store is made as rules left it that wrote the square of a
/// product as `ab^2`.
#[tokio::test(flavor = "multi_thread")]
async fn an_id_that_a_rebuild_changes_by_the_words_of_a_formula_has_an_heir() {
    let world = World::new().await;
    let square = "<inline-formula><math><msup><mrow><mi>a</mi><mi>b</mi></mrow><mn>2</mn></msup></math></inline-formula>";
    let clauses = |formula: &str, length: u32| {
        let area = format!("The area of a peg shall not exceed {formula} square millimetres.");
        [area, format!("The length of a peg shall not exceed {length} mm.")]
    };
    let document = |edition: usize, formula: &str, length: u32| {
        let clauses = clauses(formula, length);
        source(edition, &clauses.each_ref().map(String::as_str))
    };
    let first = document(1, square, 80);
    publish_as_read_from(&world.store, &document(1, "ab^2", 80), &first).await;
    std::fs::write(world.path(2), document(2, square, 85)).unwrap();
    world.ingest(&world.path(2)).await;
    let urn = world.urns().await[0].clone();
    let old = world.store.provisions(&urn).await.unwrap().unwrap();
    let before = world.lineages().await;

    let mut changed = Vec::new();
    rebuild(
        &world.store,
        &IngestLimits::new(&world.settings.ingest),
        Vec::new(),
        false,
        norma_ingest::IngestShare::ALL,
        |outcome, _| {
            changed.extend(outcome.unwrap().changed);
        },
    )
    .await
    .unwrap();

    let new = world.store.provisions(&urn).await.unwrap().unwrap();
    assert_eq!(changed, [(old[0], new[0])]);
    assert_ne!(old[0], new[0]);
    assert_eq!(old[1], new[1], "the provision without a formula keeps its id");
    let after = world.lineages().await;
    assert_eq!(world.lineage_of(old[0]).await, Some(after[&new[0]]));
    assert_eq!(world.resolved(before[&old[0]]).await, Some(Some(after[&new[0]])));
    let second = world.store.provisions(&world.urns().await[1]).await.unwrap().unwrap();
    assert_eq!(after[&second[0]], after[&new[0]]);
}

/// Publishes the edition that `read` gives, with `source` as its source: as another version derived it.
async fn publish_as_read_from(store: &Store, read: &str, source: &str) {
    let edition =
        norma_sts::extract(read.as_bytes(), &norma_sts::ExtractionOptions::default()).unwrap().edition;
    let pack = norma_render::render(&edition, &[], "0", source.as_bytes(), b"[]", Compression::with_level(1));
    let publication = Publication {
        summary: Summary::from(&*edition),
        status: edition.status,
        original: true,
        urn_given: false,
        former_urn: None,
        source: Digest::from_bytes(Sha256::digest(source).into()),
        source_size: source.len() as u64,
        deriver: "0".to_owned(),
        revision: "0".to_owned(),
        origin: "1.xml".to_owned(),
        aliases: Vec::new(),
        relations: edition.relations.clone(),
        provisions: edition.provisions.iter().map(|provision| provision.id).collect(),
        successors: Vec::new(),
        replaced: None,
        pack: Blob::in_pieces(pack.bytes, pack.cuts),
        directory: pack.directory,
        assets: Vec::new(),
        pictures: Vec::new(),
        replace: false,
        repair: false,
    };
    store.publish(&publication, SystemTime::now()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ingest_that_is_stopped_after_its_commit_is_finished_by_the_next_one() {
    let world = World::new().await;
    world.ingest(&world.path(1)).await;
    let (store, path, options) = (world.store.clone(), world.path(2), world.options());
    let stopped = tokio::spawn(async move {
        // A report comes after the commit and before lineages are made.
        ingest(&store, vec![path], &options, |_, _| std::panic::resume_unwind(Box::new("stopped"))).await;
    });
    assert!(stopped.await.is_err());
    assert_eq!(world.urns().await.len(), 2);
    assert!(!world.is_fresh().await);
    let alone = world.lineages().await;
    assert_eq!(alone.values().collect::<BTreeSet<_>>().len(), 8, "nothing is united yet");
    // Another document, so that nothing of the first one is ingested again.
    let other = world.folder.path().join("other.xml");
    std::fs::write(&other, source(1, EDITIONS[0]).replace(">7<", ">8<").replace("NSB 7:", "NSB 8:")).unwrap();
    world.ingest(&other).await;
    assert!(world.is_fresh().await);
    let united = world.lineage_of(*alone.keys().next().unwrap()).await;
    assert!(united.is_some());
    let lineages: BTreeSet<LineageId> = world.lineages().await.into_values().collect();
    assert_eq!(lineages.len(), 5 + 4, "three of the provisions of both editions are the same");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_ingests_at_once_give_the_partition_of_both() {
    let world = World::new().await;
    let other = open_store(&world.settings.store).await.unwrap();
    let options = world.options();
    let half = async |store: &Store, editions: [usize; 2]| {
        let paths = editions.map(|edition| world.path(edition)).to_vec();
        ingest(store, paths, &options, |report, _| assert!(matches!(report.verdict, IngestVerdict::Created)))
            .await;
    };
    tokio::join!(half(&world.store, [1, 3]), half(&other, [2, 4]));
    assert!(world.is_fresh().await);
    let lineages: BTreeSet<LineageId> = world.lineages().await.into_values().collect();
    assert_eq!(lineages.len(), 7);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_publishers_table_outranks_what_was_derived_and_is_taken_whole_or_not() {
    let world = World::new().await;
    for edition in [1, 2] {
        world.ingest(&world.path(edition)).await;
    }
    let derived = world.lineages().await;
    let urns = world.urns().await;
    let ids = [
        world.store.provisions(&urns[0]).await.unwrap().unwrap(),
        world.store.provisions(&urns[1]).await.unwrap().unwrap(),
    ];
    let table = |rows: &[(&str, &str, &str)]| {
        let row = |(older, newer, relation): &(&str, &str, &str)| {
            format!("{},{older},{},{newer},{relation}\n", urns[0], urns[1])
        };
        let rows: String = rows.iter().map(row).collect();
        format!("older_urn,older,newer_urn,newer,relation\n{rows}").into_bytes()
    };
    let import = async |rows: &[(&str, &str, &str)]| {
        let imported = lineage::import(&world.store, &table(rows)).await?;
        for document in &imported.documents {
            lineage::update(&world.store, document).await?;
        }
        Ok::<_, ImportError>(imported.rows)
    };
    // One row names nothing: none is taken.
    let refused = import(&[("4(1)", "3(1)", "reworded"), ("9(9)", "1(1)", "same")]).await.unwrap_err();
    assert!(refused.to_string().starts_with("line 3, column `older`"), "{refused}");
    assert_eq!(world.lineages().await, derived);
    // By label and by id: the supplier's clause became that of the label; wood has no counterpart.
    let id = ids[1][2].to_string();
    assert_eq!(import(&[("4(1)", &id, "reworded"), ("1(1)", "", "removed")]).await.unwrap(), 2);
    let imported = world.lineages().await;
    assert_eq!(imported[&ids[0][3]], imported[&ids[1][2]]);
    assert_ne!(imported[&ids[0][0]], imported[&ids[1][0]]);
    assert_eq!(imported[&ids[0][1]], imported[&ids[1][1]], "of others, what was derived counts");
    // Two rows for one provision unite nothing; they take the place of the earlier rows.
    import(&[("4(1)", "3(1)", "same"), ("4(1)", "1(1)", "same")]).await.unwrap();
    let several = world.lineages().await;
    assert_ne!(several[&ids[0][3]], several[&ids[1][2]]);
    assert_ne!(several[&ids[0][0]], several[&ids[1][0]], "its newer provision is in the table");
    // The table outlives its editions.
    import(&[("4(1)", "3(1)", "same")]).await.unwrap();
    let with_table = world.lineages().await;
    world.remove(&urns[1]).await;
    world.ingest(&world.path(2)).await;
    assert_eq!(world.lineages().await, with_table);
    // It names what a revision makes of its provisions.
    let mut clauses = EDITIONS[0].to_vec();
    clauses[3] = "The supplier shall state the year and month of manufacture on each box.";
    std::fs::write(world.path(1), source(1, &clauses)).unwrap();
    let report = world.ingest(&world.path(1)).await;
    let [(old, new)] = report.changed_ids[..] else { panic!("{report:?}") };
    assert_eq!(old, ids[0][3]);
    let document = world.store.document(urns[0].document_urn()).await.unwrap();
    let row = &document.correspondences[0];
    assert_eq!((row.older_id, row.newer_id), (Some(new), Some(ids[1][2])));
    let revised = world.lineages().await;
    assert_eq!(revised[&new], revised[&ids[1][2]]);
    std::fs::write(world.path(1), source(1, EDITIONS[0])).unwrap();
    world.ingest(&world.path(1)).await;
    assert_eq!(world.lineages().await, with_table);
    assert_eq!(world.store.drop_correspondences(&urns[0], &urns[1], SystemTime::now()).await.unwrap(), 1);
    lineage::update(&world.store, urns[0].document_urn()).await.unwrap();
    assert_eq!(world.lineages().await, derived);
}
