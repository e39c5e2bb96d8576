//! The gold set: sentences of our own, typed by hand, against which the rules are measured.

use norma_model::ProvisionKind::{self, Permission, Recommendation, Requirement};

const GOLD: &[&str] = &[
    include_str!("../../../crates/provisions/gold/english.jsonl"),
    include_str!("../../../crates/provisions/gold/french.jsonl"),
    include_str!("../../../crates/provisions/gold/german.jsonl"),
    include_str!("../../../crates/provisions/gold/sentences.jsonl"),
];

/// Least precision and recall, by language and type.
fn bars(language: &str, kind: ProvisionKind) -> (f64, f64) {
    match (language, kind) {
        ("en", Requirement | Recommendation | Permission) => (0.97, 0.98),
        _ => (0.95, 0.95),
    }
}

#[test]
fn provisions_of_the_gold_set_are_found_and_none_is_invented() {
    let report =
        norma_bench_evaluate::eval(&GOLD.concat(), &mut |_| Err("there are no documents".to_owned()))
            .expect("the gold set reads");
    println!("{report}");
    report.errors.iter().for_each(|error| println!("{error}"));
    for row in &report.rows {
        let (precision, recall) = bars(&row.language, row.kind);
        assert!(row.counts.precision() >= precision, "precision of {row:?} is below {precision}");
        assert!(row.counts.recall() >= recall, "recall of {row:?} is below {recall}");
    }
    assert!(report.conditions.f1() >= 0.95, "conditions: {:?}", report.conditions);
    assert!(report.quantities.f1() >= 0.95, "quantities: {:?}", report.quantities);
    assert!(report.references.f1() >= 0.95, "references: {:?}", report.references);
    assert_eq!(report.name_errors, 0, "identifiers and labels");
    assert_eq!(report.diagnostic_errors, 0, "diagnostics");
    assert!(
        report.negation_errors <= report.rows.iter().map(|r| r.counts.right).sum::<usize>() / 50,
        "negation"
    );
}

#[test]
fn the_gold_set_is_large_enough_in_each_language() {
    for (gold, least) in GOLD.iter().zip([220, 90, 90]) {
        assert!(gold.lines().count() >= least, "{} lines", gold.lines().count());
    }
}

#[test]
fn a_gold_line_that_cannot_be_read_is_named() {
    let gold = "{\"sentence\":\"It shall fit.\",\"type\":\"requirement\"}\n{\"sentence\":\"It shall fit.\",\"type\":\"duty\"}";
    let error = norma_bench_evaluate::eval(gold, &mut |_| Err("there are no documents".to_owned()))
        .expect_err("a type that is none");
    assert_eq!(error.line, 2);
    let missing = "{\"document\":\"nowhere.xml\",\"sentence\":\"x\",\"type\":null}";
    let error = norma_bench_evaluate::eval(missing, &mut |_| Err("there are no documents".to_owned()))
        .expect_err("a document that is none");
    assert!(error.reason.contains("nowhere.xml"), "{error}");
}
