//! The recipe of docs/using-the-api.md for evidence that is kept for years: its calls are read from the page
//! and sent.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::SystemTime;

use norma_ingest::{IngestOptions, ingest};
use serde_json::{Value, json};

use super::{CONFORM, CORRECTED, DRY, MARK, blocks, call, correct, document, provisions, urn};
use crate::world::World;

/// The calls of each row of the table in the section of the recipe, by the words of its first column.
fn recipe() -> BTreeMap<String, Vec<String>> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/using-the-api.md");
    let page = std::fs::read_to_string(page).unwrap();
    let section = page.split("## Evidence that is kept for years").nth(1).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let mut rows = BTreeMap::new();
    for line in section.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let calls = cells[1].split('`').filter(|code| code.starts_with("GET ") || code.starts_with("POST "));
        rows.insert(cells[0].to_owned(), calls.map(str::to_owned).collect());
    }
    rows
}

/// Evidence as a caller keeps it.
#[derive(Clone)]
struct Evidence {
    id: String,
    urn: String,
    revision: String,
}

impl Evidence {
    /// Sends a call of the recipe with what is stored.
    async fn send(&self, world: &World, call_of_recipe: &str, newer: &str) -> (u16, Value) {
        let (method, path) = call_of_recipe.split_once(' ').unwrap();
        let filled = path
            .replace("{id}", &self.id)
            .replace("{urn}", &self.urn.replace(':', "%3A"))
            .replace("{newer}", &newer.replace(':', "%3A"))
            .replace("{revision}", &self.revision);
        let body = json!({ "ids": [self.id] });
        call(world, &filled, (method == "POST").then_some(&body)).await
    }

    /// Does the two calls of a row: the item of the first, and the evidence with what the second answers.
    async fn follow(&self, world: &World, calls: &[String], newer: &str) -> (Value, Self) {
        assert_eq!(calls.len(), 2, "{calls:?}");
        let (status, answer) = self.send(world, &calls[0], newer).await;
        assert_eq!(status, 200, "{answer}");
        let item = answer["items"][0].clone();
        let found = item["comparedProvisions"][0]["id"].as_str();
        let stored = Self { id: found.unwrap_or(&self.id).to_owned(), ..self.clone() };
        let (status, answer) = stored.send(world, &calls[1], newer).await;
        assert_eq!(status, 200, "{answer}");
        let text = |name: &str| answer[name].as_str().unwrap().to_owned();
        (item, Self { id: stored.id, urn: text("urn"), revision: text("revision") })
    }
}

/// Whether evidence remains valid, by the rule of the recipe.
fn remains(item: &Value) -> bool {
    item["relation"] == "same" && item.get("changed").is_none()
}

const AMENDMENT: &str = "<standard xml:lang='en'><front><std-meta><title-wrap xml:lang='en'><main>Pegs</main></title-wrap><std-ident>\
    <originator>NSB</originator><doc-type>IS</doc-type><doc-number>79</doc-number><edition>2</edition>\
    <suppl-type>amd</suppl-type><suppl-number>1</suppl-number></std-ident><content-language>en</content-language>\
    <std-ref type='dated'>NSB 79:2022/Amd 1:2023</std-ref><std-xref type='amends'><std-ref>NSB 79:2022</std-ref></std-xref>\
    </std-meta></front><body><sec id='s1'><label>1</label><title>Change</title><p>The peg shall be oiled.</p></sec></body></standard>";

#[tokio::test(flavor = "multi_thread")]
async fn evidence_follows_the_recipe_from_its_publication_to_a_recall() {
    let recipe = recipe();
    let (world, old, new) = (World::new().await, urn(79, 1), urn(79, 2));
    world.add(&document(79, 1, &blocks("&gt;= 55", &[CONFORM, MARK, DRY])), &old).await;
    let (_, items) = provisions(&world, &old).await;
    let mut evidence = Vec::new();
    for (id, _) in items {
        let stored = Evidence { id, urn: old.clone(), revision: String::new() };
        let (status, answer) = stored.send(&world, &recipe["A provision is published"][0], &new).await;
        assert_eq!((status, &answer["urn"]), (200, &json!(old)), "{answer}");
        let revision = answer["revision"].as_str().unwrap().to_owned();
        evidence.push(Evidence { revision, ..stored });
    }

    let corrected = &recipe["The edition was corrected: another `revision`"];
    // For each step: what is ingested, and which pieces of evidence remain.
    let steps = [(["70", MARK], [false, true, true]), (["70", CORRECTED], [true, false, true])];
    for ([strength, sentence], expected) in steps {
        let source = document(79, 1, &blocks(&format!("&gt;= {strength}"), &[CONFORM, sentence, DRY]));
        correct(&world, &source).await;
        for (one, expected) in evidence.iter_mut().zip(expected) {
            let (item, stored) = one.follow(&world, corrected, &new).await;
            assert_eq!(remains(&item), expected, "{item}");
            *one = stored;
        }
    }

    let replaced = &recipe["A newer edition was published"];
    let longer = "The wood shall be dried in the open air for two years.";
    world.add(&document(79, 2, &blocks("&gt;= 70", &[CONFORM, CORRECTED, longer])), &new).await;
    for (one, expected) in evidence.iter_mut().zip([true, true, false]) {
        let (item, stored) = one.follow(&world, replaced, &new).await;
        assert_eq!((remains(&item), &*stored.urn), (expected, &*new), "{item}");
        *one = stored;
    }

    let amended = &recipe["An amendment was published"];
    let file = world.folder.path().join("amendment.xml");
    std::fs::write(&file, AMENDMENT).unwrap();
    ingest(&world.store, vec![file], &IngestOptions::new(&world.settings.ingest), |_, _| {}).await;
    let editions = world.store.editions(None, 100).await.unwrap();
    let amendment = editions.iter().find(|one| one.origin.ends_with("amendment.xml")).unwrap();
    world.grant(amendment.urn.as_str()).await;
    assert_eq!(amended.len(), 2);
    for one in &evidence {
        let (_, answer) = one.send(&world, &amended[0], &new).await;
        assert!(remains(&answer["items"][0]), "{answer}");
        let (status, answer) = one.send(&world, &amended[1], &new).await;
        assert_eq!(status, 200, "{answer}");
        let related = answer["relatedEditions"].as_array().unwrap();
        assert!(related.iter().any(|one| one["type"] == "amendedBy"), "{answer}");
    }

    let recalled = &recipe["The edition was recalled"];
    world.store.recall(&new.parse().unwrap(), "An error.", None, SystemTime::now()).await.unwrap();
    assert_eq!(recalled.len(), 2);
    for one in &evidence {
        for sent in recalled {
            let (status, answer) = one.send(&world, sent, &new).await;
            assert_eq!((status, &answer["code"]), (410, &json!("standard-recalled")), "{answer}");
        }
    }
    world.stop().await;
}
