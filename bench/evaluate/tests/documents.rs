//! The gold set on documents: sentences of the samples, typed by hand, and the form in which a gold line
//! names a document.

use norma_model::Edition;

const SAMPLES: &str = include_str!("../../../crates/provisions/gold/samples.jsonl");

fn read(source: &[u8]) -> Result<Edition, String> {
    let read = norma_sts::extract(source, &norma_sts::ExtractionOptions::default());
    read.map(|extraction| extraction.edition).map_err(|e| e.to_string())
}

#[test]
fn nearly_all_provisions_of_the_samples_are_found_and_none_is_invented() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/provisions/gold");
    let mut load = |path: &str| read(&std::fs::read(folder.join(path)).map_err(|e| e.to_string())?);
    assert!(SAMPLES.lines().count() >= 150, "{} lines", SAMPLES.lines().count());
    let report = norma_bench_evaluate::eval(SAMPLES, &mut load).expect("the gold set reads");
    report.errors.iter().for_each(|error| println!("{error}"));
    let right: usize = report.rows.iter().map(|row| row.counts.right).sum();
    let wrong: usize = report.rows.iter().map(|row| row.counts.invented + row.counts.missed).sum();
    assert!(wrong * 30 <= right, "{right} are right, {wrong} are invented or missed");
    assert_eq!(report.name_errors + report.negation_errors, 0, "identifiers, labels, negation");
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
    let mut load = |path: &str| match path {
        "lids.xml" => read(document.as_bytes()),
        _ => Err("unknown document".to_owned()),
    };
    let report = norma_bench_evaluate::eval(&gold.join("\n"), &mut load).expect("the document reads");
    let counts: Vec<_> =
        report.rows.iter().map(|row| row.counts).map(|c| (c.right, c.invented, c.missed)).collect();
    assert_eq!(counts, [(1, 0, 0), (1, 1, 0)], "a provision that holds more than the sentence is wrong");
    let elsewhere = gold[0].replace("\"4\"", "\"5\"");
    let error = norma_bench_evaluate::eval(&elsewhere, &mut load).expect_err("the section is not there");
    assert!(error.reason.contains("section 5"), "{error}");
}
