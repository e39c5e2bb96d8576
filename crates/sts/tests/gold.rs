//! The gold set: sentences of our own, typed by hand, against which the rules are measured.

use norma_model::ProvisionKind::{self, Permission, Recommendation, Requirement};

const GOLD: &[&str] = &[
    include_str!("../gold/english.jsonl"),
    include_str!("../gold/french.jsonl"),
    include_str!("../gold/german.jsonl"),
    include_str!("../gold/samples.jsonl"),
];

/// The samples that gold lines name, by their path from the folder of the gold files.
fn sample(path: &str) -> Option<Vec<u8>> {
    std::fs::read(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("gold").join(path)).ok()
}

/// Least precision and recall, by language and type.
fn bars(language: &str, kind: ProvisionKind) -> (f64, f64) {
    match (language, kind) {
        ("en", Requirement | Recommendation | Permission) => (0.97, 0.98),
        _ => (0.95, 0.95),
    }
}

#[test]
fn provisions_of_the_gold_set_are_found_and_none_is_invented() {
    let report = norma_sts::eval(&GOLD.concat(), &mut sample).expect("the gold set reads");
    println!("{report}");
    report.errors.iter().for_each(|error| println!("{error}"));
    for row in &report.rows {
        let (precision, recall) = bars(&row.language, row.kind);
        assert!(row.precision() >= precision, "precision of {row:?} is below {precision}");
        assert!(row.recall() >= recall, "recall of {row:?} is below {recall}");
    }
    assert_eq!(report.name_errors, 0, "identifiers and labels");
    assert!(report.negation_errors <= report.rows.iter().map(|r| r.right).sum::<usize>() / 50, "negation");
}

#[test]
fn the_gold_set_is_large_enough_in_each_language_and_of_the_samples() {
    for (gold, least) in GOLD.iter().zip([220, 90, 90, 150]) {
        assert!(gold.lines().count() >= least, "{} lines", gold.lines().count());
    }
}

#[test]
fn a_gold_line_that_cannot_be_read_is_named() {
    let gold = "{\"sentence\":\"It shall fit.\",\"type\":\"requirement\"}\n{\"sentence\":\"It shall fit.\",\"type\":\"duty\"}";
    let error = norma_sts::eval(gold, &mut |_| None).expect_err("a type that is none");
    assert_eq!(error.line, 2);
    let missing = "{\"document\":\"nowhere.xml\",\"sentence\":\"x\",\"type\":null}";
    let error = norma_sts::eval(missing, &mut |_| None).expect_err("a document that is none");
    assert!(error.reason.contains("nowhere.xml"), "{error}");
}

#[test]
fn sentences_of_a_document_are_looked_up_in_their_section() {
    let document = r#"<standard xmlns:xlink="http://www.w3.org/1999/xlink"><front><iso-meta>
        <title-wrap xml:lang="en"><main>Lids</main></title-wrap>
        <doc-ident><sdo>ISO</sdo><proj-id/><language>en</language><release-version>IS</release-version></doc-ident>
        <std-ident><originator>ISO</originator><doc-type>is</doc-type><doc-number>99999</doc-number>
        <edition>1</edition></std-ident><content-language>en</content-language>
        <std-ref type="dated">ISO 99999:2020</std-ref></iso-meta></front>
        <body><sec id="sec_4"><label>4</label><title>Lids</title>
        <p>A lid shall close. A lid may be red. A lid is round.</p></sec></body></standard>"#;
    let gold = [
        r#"{"document":"lids.xml","section":"4","sentence":"A lid shall close.","type":"requirement"}"#,
        r#"{"document":"lids.xml","section":"sec_4","sentence":"A lid may be red.","type":"permission"}"#,
        r#"{"document":"lids.xml","section":"4","sentence":"A lid is round.","type":null}"#,
        r#"{"document":"lids.xml","section":"4","sentence":"A lid may","type":null}"#,
    ];
    let mut load = |path: &str| (path == "lids.xml").then(|| document.as_bytes().to_vec());
    let report = norma_sts::eval(&gold.join("\n"), &mut load).expect("the document reads");
    let counts: Vec<_> = report.rows.iter().map(|r| (r.right, r.invented, r.missed)).collect();
    assert_eq!(counts, [(1, 0, 0), (1, 1, 0)], "a provision that holds more than the sentence is wrong");
    let elsewhere = gold[0].replace("\"4\"", "\"5\"");
    let error = norma_sts::eval(&elsewhere, &mut load).expect_err("the section is not there");
    assert!(error.reason.contains("section 5"), "{error}");
}
