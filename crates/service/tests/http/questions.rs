//! Questions of engineers, with the parts that answer them, in the samples and in the corpus where it is
//! there. Lines with a star were not run while the search was made; they only measure it.
//!
//! The corpus is in the folder that `NORMA_CORPUS` names, else in `../shared/corpus` next to the checkout.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use norma_api::Operation;
use norma_ingest::{IngestOptions, IngestVerdict, ingest};
use serde_json::Value;

use crate::world::{self, World};

const QUESTIONS: &str = include_str!("questions/questions.txt");

/// A part that answers a question.
struct JudgedPart {
    /// The name of its document.
    document: &'static str,
    /// Number of its clause or term, or the label of its table.
    label: &'static str,
}

struct Question {
    language: &'static str,
    text: &'static str,
    parts: Vec<JudgedPart>,
}

/// The documents of questions: how URNs or references of their editions begin, by name.
fn documents() -> BTreeMap<&'static str, Vec<&'static str>> {
    let mut documents = BTreeMap::new();
    for line in QUESTIONS.lines() {
        let Some(line) = line.strip_prefix("= ") else { continue };
        let mut columns = line.split(" | ");
        documents.insert(columns.next().unwrap(), columns.collect());
    }
    documents
}

/// The questions with a star, or those without.
fn questions(with_star: bool) -> Vec<Question> {
    let mut questions = Vec::new();
    for line in QUESTIONS.lines() {
        let columns: Vec<&str> = line.split(" | ").collect();
        let [language, text, parts] = columns[..] else { continue };
        if line.starts_with(['#', '=']) || language.ends_with('*') != with_star {
            continue;
        }
        let part = |part: &'static str| {
            let (document, label) = part.split_once(' ').unwrap();
            JudgedPart { document, label }
        };
        let language = language.trim_end_matches('*');
        questions.push(Question { language, text, parts: parts.split("; ").map(part).collect() });
    }
    questions
}

/// A label as the questions have it: `A` for `Annex A`, `2.26` for `2.26.`.
fn plain_label(label: &str) -> &str {
    let words = ["Annex ", "Anhang ", "Annexe "];
    let number = words.into_iter().find_map(|word| label.strip_prefix(word));
    number.unwrap_or(label).trim_end_matches('.')
}

impl JudgedPart {
    /// True where a hit is the part, or is directly in its clause, also of an edition that the hit is of too.
    fn is_found_by(&self, hit: &Value, documents: &BTreeMap<&str, Vec<&str>>) -> bool {
        let others = hit["alsoIn"].as_array().into_iter().flatten();
        let is_of_document = std::iter::once(hit).chain(others).any(|edition| {
            let [urn, reference] = ["urn", "reference"].map(|name| edition[name].as_str().unwrap());
            documents[self.document].iter().any(|start| urn == *start || reference.starts_with(start))
        });
        let labels = [&hit["label"], &hit["section"]["number"]];
        is_of_document && labels.into_iter().any(|label| label.as_str().map(plain_label) == Some(self.label))
    }
}

/// What is measured of a group of questions.
#[derive(Debug, Default)]
struct Measured {
    questions: usize,
    /// Right ones among the first five hits, and among the first ten.
    in_five: usize,
    in_ten: usize,
    without_hit: usize,
    without_hit_and_hint: usize,
}

impl Measured {
    fn add(&mut self, question: &Question, answer: &Value, documents: &BTreeMap<&str, Vec<&str>>) {
        let items = answer["items"].as_array().unwrap();
        let is_right = |hit: &Value| question.parts.iter().any(|part| part.is_found_by(hit, documents));
        let rank = items.iter().position(is_right);
        self.questions += 1;
        self.in_five += usize::from(rank.is_some_and(|rank| rank < 5));
        self.in_ten += usize::from(rank.is_some_and(|rank| rank < 10));
        self.without_hit += usize::from(items.is_empty());
        self.without_hit_and_hint += usize::from(items.is_empty() && answer["hints"].is_null());
    }
}

/// Puts the samples and the corpus into the store, and grants all of it. `false` without the corpus.
async fn add_documents(world: &World) -> bool {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let corpus =
        std::env::var_os("NORMA_CORPUS").map_or_else(|| root.join("../shared/corpus"), PathBuf::from);
    let mut sources = Vec::new();
    for folder in ["ed1", "ed2-en", "ed2-de", "ed2-fr", "amd1", "xnb"] {
        sources.push(root.join(format!("samples/bicycle-anchors-{folder}")));
    }
    sources.push(root.join("samples/minimal"));
    let has_corpus = corpus.is_dir();
    if has_corpus {
        sources.push(corpus.join("sts"));
    } else {
        eprintln!("corpus absent: {} is not a folder", corpus.display());
    }
    let mut urns = vec![world::DISCOVERED.to_owned(), world::HIDDEN.to_owned()];
    ingest(&world.store, sources, &IngestOptions::new(&world.settings.ingest), |report, _| {
        if matches!(report.verdict, IngestVerdict::Created | IngestVerdict::Unchanged) {
            urns.extend(report.urn.as_ref().map(ToString::to_string));
        }
    })
    .await;
    for urn in urns {
        world.grant(&urn).await;
    }
    has_corpus
}

async fn answer(world: &World, text: &str) -> Value {
    let encoded: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let path = format!("{}?q={encoded}", Operation::Search.path());
    world.get(&path).send().await.unwrap().json().await.unwrap()
}

/// Waits until all texts are in the index: the corpus takes longer than other tests wait.
async fn indexed(world: &World) {
    let path = format!("{}?q=a&edition=all", Operation::Search.path());
    let started = Instant::now();
    loop {
        let answer: Value = world.get(&path).send().await.unwrap().json().await.unwrap();
        if answer["state"] == "complete" {
            return;
        }
        assert!(started.elapsed() < Duration::from_secs(300), "{} {}", answer["state"], answer["progress"]);
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_find_the_parts_that_answer_them() {
    let world = World::new().await;
    let has_corpus = add_documents(&world).await;
    indexed(&world).await;
    let documents = documents();
    for with_star in [false, true] {
        let mut measured: BTreeMap<&str, Measured> = BTreeMap::new();
        for question in questions(with_star) {
            let is_urn = |start: &&str| start.starts_with("urn:");
            let of_corpus = !documents[question.parts[0].document].iter().any(is_urn);
            if of_corpus && !has_corpus {
                continue;
            }
            let answer = answer(&world, question.text).await;
            for group in [question.language, if of_corpus { "corpus" } else { "samples" }, "all"] {
                measured.entry(group).or_default().add(&question, &answer, &documents);
            }
        }
        for (group, of) in &measured {
            println!("{group}, star: {with_star}: {of:?}");
        }
        let Measured { questions, in_five, in_ten, without_hit_and_hint, .. } = measured["all"];
        assert!(10 * in_five >= 7 * questions && 10 * in_ten >= 8 * questions, "{:?}", measured["all"]);
        assert_eq!(without_hit_and_hint, 0);
    }
    world.stop().await;
}
