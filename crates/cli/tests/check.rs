//! `norma check` reports the same about a document in each of its formats, and its exit code gives the
//! result.

#![allow(clippy::unwrap_used, reason = "this is test code")]

use std::process::Command;

/// Its metadata does not state the edition.
const FLAWED: &str = "<standard><front><std-meta><title-wrap xml:lang=\"en\"><full>Boxes</full></title-wrap>\n\
    <std-ident><originator>NSB</originator><doc-number>1</doc-number></std-ident><content-language>en</content-language>\n\
    <std-ref>NSB 1:2020</std-ref></std-meta></front><body><sec><p>Text.</p></sec></body></standard>";
const BROKEN: &str = "<standard>\n<sec></standard>";

/// Standard output and exit code of a check of files with these names and contents, in this order.
fn check(format: &str, files: &[(&str, &str)]) -> (String, i32) {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        std::fs::write(folder.path().join(name), content).unwrap();
    }
    let output = Command::new(env!("CARGO_BIN_EXE_norma"))
        .args(["check", "--format", format])
        .args(files.iter().map(|(name, _)| name))
        .current_dir(folder.path())
        .output()
        .unwrap();
    (String::from_utf8(output.stdout).unwrap(), output.status.code().unwrap())
}

#[test]
fn text_names_file_line_and_column_then_what_the_document_holds() {
    let (text, code) = check("text", &[("a.xml", FLAWED)]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("a.xml:1:18: warning[edition-worked-out]: "), "{text}");
    assert!(lines[1].starts_with("    fill "), "{text}");
    assert!(lines[2].starts_with("a.xml: urn:nsb:std:nsb:1:ed-2020:en: 1 sections, "), "{text}");
    assert_eq!(code, 0);
    let (text, code) = check("text", &[("b.xml", BROKEN)]);
    assert!(text.contains("b.xml") && text.contains("refused") && text.contains("2:"), "{text}");
    // The remedy, as for a diagnostic.
    assert!(text.lines().nth(1).is_some_and(|hint| hint.starts_with("    ")), "{text}");
    assert_eq!(code, 2);
}

#[test]
fn json_is_one_object_a_line() {
    let (text, code) = check("json", &[("a.xml", FLAWED), ("b.xml", BROKEN)]);
    let mut reports: Vec<serde_json::Value> =
        text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    reports.sort_by_key(|r| r["document"].to_string());
    assert_eq!(reports.len(), 2);
    let diagnostic = &reports[0]["diagnostics"][0];
    assert_eq!(diagnostic["code"], "edition-worked-out");
    assert_eq!(
        (&diagnostic["severity"], &diagnostic["line"], &diagnostic["column"]),
        (&"warning".into(), &1.into(), &18.into())
    );
    assert!(diagnostic["hint"].is_string() && diagnostic["message"].is_string());
    assert_eq!(reports[0]["urn"], "urn:nsb:std:nsb:1:ed-2020:en");
    assert!(reports[1]["error"].as_str().unwrap().contains("2:"), "{text}");
    assert_eq!(code, 1);
}

#[test]
fn github_gets_annotations_that_no_file_name_can_break() {
    let (text, _) = check("github", &[("a,b.xml", FLAWED)]);
    assert!(text.starts_with("::warning file=a%2Cb.xml,line=1,col=18,title=edition-worked-out::"), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    let (text, code) = check("github", &[("b.xml", BROKEN)]);
    assert!(text.lines().all(|line| line.starts_with("::error file=b.xml")), "{text}");
    assert_eq!(code, 2);
}
