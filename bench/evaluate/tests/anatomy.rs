//! The gold set of quantities and references: own sentences, and 199 provisions of public documents, which
//! were labelled by hand before there were rules. Also the conditions of 194 others. Of these the project
//! holds ids, values and the first and last words of conditions alone; the documents are outside of it.

use std::path::Path;

const OWN: &str = include_str!("../../../crates/provisions/gold/anatomy.jsonl");
const CORPUS: &str = include_str!("../../../crates/provisions/gold/corpus.jsonl");
const CONDITIONS: &str = include_str!("../../../crates/provisions/gold/conditions.jsonl");

/// Least F1 of quantities and of references.
const LEAST: f64 = 0.95;

fn assert_found(report: &norma_bench_evaluate::EvalReport) {
    println!("{report}");
    report.errors.iter().for_each(|error| println!("{error}"));
    assert!(report.quantities.f1() >= LEAST, "quantities: {:?}", report.quantities);
    assert!(report.references.f1() >= LEAST, "references: {:?}", report.references);
}

#[test]
fn quantities_and_references_of_own_sentences_are_found() {
    let report = norma_bench_evaluate::eval(OWN, &mut |path| Err(format!("`{path}` is no own sentence")));
    assert_found(&report.expect("the gold set reads"));
}

/// The results of the public documents for a gold set; `None` if they are not available.
fn measured(gold: &str) -> Option<norma_bench_evaluate::EvalReport> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/sts");
    if !corpus.is_dir() {
        println!("not run: {} is not there", corpus.display());
        return None;
    }
    let mut load = |name: &str| {
        let folder = std::fs::read_dir(corpus.join(name)).map_err(|e| e.to_string())?;
        let mut files = folder.filter_map(|entry| Some(entry.ok()?.path()));
        let file = files.find(|path| path.extension().is_some_and(|extension| extension == "xml"));
        let source = std::fs::read(file.ok_or("it holds no XML file")?).map_err(|e| e.to_string())?;
        let read = norma_sts::extract(&source, &norma_sts::ExtractionOptions::default());
        read.map(|extraction| extraction.edition).map_err(|e| e.to_string())
    };
    Some(norma_bench_evaluate::eval(gold, &mut load).expect("the gold set reads"))
}

#[test]
fn quantities_and_references_of_public_documents_are_found() {
    measured(CORPUS).iter().for_each(assert_found);
}

#[test]
fn conditions_of_public_documents_are_found() {
    let Some(report) = measured(CONDITIONS) else { return };
    println!("{report}");
    report.errors.iter().for_each(|error| println!("{error}"));
    assert!(report.conditions.precision() >= 0.95, "{:?}", report.conditions);
    assert!(report.conditions.f1() >= 0.93, "{:?}", report.conditions);
}
