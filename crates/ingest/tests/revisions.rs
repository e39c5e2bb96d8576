//! Earlier revisions: an ingest retains what it replaces, in few bytes, and a rebuild derives it again.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

use std::time::SystemTime;

use norma_api::query::AskedRevision;
use norma_compare::{ComparisonRecord, UnitRelation};
use norma_editions::comparison::{ComparedState, make_of_states};
use norma_editions::earlier::{NamedRevision, RevisionError, Revisions};
use norma_editions::stores::open_store;
use norma_ingest::{IngestLimits, IngestOptions, ingest, rebuild};
use norma_model::{Lang, Urn};
use norma_settings::{Layers, SettingOrigin, Settings};
use norma_store::{EditionHandle, Store};

const URN: &str = "urn:nsb:std:nsb:7:ed-1:en";

/// A document of 400 sentences, with this number in Table 1 and this word in the first sentence.
fn source(strength: u32, word: &str) -> String {
    let mut clauses = String::new();
    for n in 2..400_u32 {
        let load = n * 7919 % 10_007;
        clauses.push_str(&format!(
            "<p>Part {n} of the anchor shall withstand a load of {load} N without a crack.</p>"
        ));
    }
    format!(
        "<standard><front><std-meta><title-wrap><main>Pegs</main><full>Pegs</full></title-wrap><std-ident>\
         <originator>NSB</originator><doc-type>IS</doc-type><doc-number>7</doc-number><edition>1</edition>\
         </std-ident><content-language>en</content-language><std-ref type='dated'>NSB 7:2001</std-ref></std-meta></front>\
         <body><sec id='s1'><label>1</label><title>Pegs</title><p>The {word} shall be marked with its mass.</p>\
         <p>The strength shall conform to <xref ref-type='table' rid='t1'>Table 1</xref>.</p>{clauses}\
         <table-wrap id='t1'><label>Table 1</label><caption><title>Strength</title></caption><table><thead><tr><th>Part</th>\
         <th>Strength</th></tr></thead><tbody><tr><td>peg</td><td>&gt;= {strength}</td></tr></tbody></table></table-wrap>\
         </sec></body></standard>"
    )
}

struct World {
    folder: tempfile::TempDir,
    store: Store,
    settings: Settings,
}

impl World {
    async fn new(count: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("norma.db").display().to_string();
        let layers = Layers::default().set("store", &path, SettingOrigin::Command).unwrap();
        let layers = layers.set("earlier-revisions", count, SettingOrigin::Command).unwrap();
        let settings = layers.settings().unwrap();
        let store = open_store(&settings.store).await.unwrap();
        Self { folder, store, settings }
    }

    /// Ingests a document and gives the name of its revision.
    async fn ingest(&self, source: &str) -> String {
        let path = self.folder.path().join("1.xml");
        std::fs::write(&path, source).unwrap();
        let options = IngestOptions::new(&self.settings.ingest);
        ingest(&self.store, vec![path], &options, |_, _| {}).await;
        self.handle().await.entry().revision.clone()
    }

    async fn handle(&self) -> EditionHandle {
        let entry = self.store.entry(&URN.parse().unwrap()).await.unwrap().unwrap();
        self.store.handle(&entry)
    }

    async fn revisions(&self) -> Revisions {
        Revisions::read(&self.handle().await).await.unwrap()
    }

    /// The comparison of an earlier revision with the present one.
    async fn compared(&self, revision: &str) -> ComparisonRecord {
        let name = AskedRevision::Revision(revision.to_owned());
        let NamedRevision::Earlier(earlier) = self.revisions().await.find(&name).unwrap() else {
            panic!("{revision} is the present one")
        };
        assert_eq!(earlier.reason, "");
        let edition = self.handle().await;
        let states = [Some(earlier.number), None];
        let states = states.map(|earlier| ComparedState { edition: edition.clone(), earlier });
        let found = make_of_states(states, Vec::new(), &Lang::en()).await.unwrap();
        let texts = found.texts[0].as_ref().unwrap();
        assert!(texts.unit(0).is_some_and(|unit| unit.text.ends_with("shall be marked with its mass.")));
        assert_eq!(found.texts[1], None);
        found.record
    }
}

fn relations(record: &ComparisonRecord) -> [usize; 3] {
    let count = |wanted| record.links.iter().filter(|link| link.relation == wanted).count();
    let depends = record.links.iter().filter(|link| !link.facets.depends_on.is_empty());
    [count(UnitRelation::Same), count(UnitRelation::Reworded), depends.count()]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_correction_retains_the_revision_that_it_replaces_in_few_bytes() {
    let world = World::new("5").await;
    let first = world.ingest(&source(55, "peg")).await;
    let pack = world.handle().await.pack().size();
    let second = world.ingest(&source(70, "peg")).await;
    let third = world.ingest(&source(70, "bolt")).await;
    assert_eq!(world.revisions().await.present(), third);
    assert_eq!(relations(&world.compared(&first).await), [399, 1, 1]);
    assert_eq!(relations(&world.compared(&second).await), [399, 1, 0]);
    for retained in world.handle().await.retained_revisions(0).await.unwrap() {
        let [source, units] = [retained.difference.len(), retained.units.difference.len()];
        eprintln!("source {source}, units {units} bytes, pack {pack}");
        assert!(source < 300 && 50 * (source + units) as u64 <= pack, "{source} and {units} of {pack}");
    }
    let unknown = AskedRevision::Revision("0123456789abcdef".to_owned());
    assert_eq!(world.revisions().await.find(&unknown), Err(RevisionError::Unknown));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rebuild_makes_no_revision_and_derives_the_retained_ones_again() {
    let mut world = World::new("2").await;
    let first = world.ingest(&source(50, "peg")).await;
    let second = world.ingest(&source(60, "peg")).await;
    let third = world.ingest(&source(60, "pin")).await;
    let present = world.ingest(&source(60, "bolt")).await;
    let name = |revision: &str| AskedRevision::Revision(revision.to_owned());
    assert_eq!(world.revisions().await.find(&name(&first)), Err(RevisionError::Pruned));
    // As another version left it.
    let urn: Urn = URN.parse().unwrap();
    world.store.set_derivers(&[(urn, "0".to_owned())]).await.unwrap();
    world.store = open_store(&world.settings.store).await.unwrap();
    let edition = world.handle().await;
    let states = [Some(2), None].map(|earlier| ComparedState { edition: edition.clone(), earlier });
    assert!(make_of_states(states, Vec::new(), &Lang::en()).await.is_err(), "units of two derivers");
    let limits = IngestLimits::new(&world.settings.ingest);
    rebuild(&world.store, &limits, Vec::new(), false, norma_ingest::IngestShare::ALL, |done, _| {
        assert!(done.is_ok())
    })
    .await
    .unwrap();
    assert_eq!(world.revisions().await.present(), present);
    assert_eq!(world.revisions().await.retained().count(), 2);
    for (revision, expected) in [(second, [399, 1, 0]), (third, [399, 1, 0])] {
        assert_eq!(relations(&world.compared(&revision).await), expected);
    }
    // A state that comes back is the present one, and those between are retained.
    let back = world.ingest(&source(60, "pin")).await;
    assert_eq!(world.revisions().await.find(&name(&back)), Ok(NamedRevision::Present));
    assert_eq!(relations(&world.compared(&present).await), [399, 1, 0]);
    let none = norma_store::RevisionLimits { count: 0, ..limits.revisions };
    assert_eq!(world.store.prune_revisions(none, SystemTime::now()).await.unwrap(), 1);
    assert_eq!(world.revisions().await.find(&name(&present)), Err(RevisionError::Pruned));
}
