//! `norma review` against the running demonstration: findings, forms of the report, days, baselines, exit
//! codes.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

mod support;

use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;

use serde_json::Value;
use support::Demo;

const REPORT: &str = "# Report\n\n\
    Our anchors follow NSB 4210:2025, 4.2, and once followed NSB 4210:2019, 4.2.\n\n\
    NSB 4210:2025, 4.2 says: “The locking point shall not be fastened by a thread that can be undone by hand.”\n\n\
    NSB 4210:2025, 4.2 says: “The locking point should not be fastened by a thread that can be undone by hand.”\n\n\
    See NSB 4210:2025, 4.29, and ISO 9227:2022 for the rest; the price is 4.20 EUR.\n\n\
    Der Anker folgt der NSB 4210:2025; Abschnitt 4.2 sagt: „Der Anschließpunkt muss einen Zylinder mit dem in\n\
    Tabelle 1 angegebenen Durchmesser aufnehmen.“\n";

/// Runs `norma review` in a folder: exit code, output, errors.
fn review(demo: &Demo, folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = demo.as_caller("review", arguments).current_dir(folder).output().unwrap();
    let said = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), said(output.stdout), said(output.stderr))
}

/// Line and rule of each finding of a report in JSON.
fn findings(json: &str) -> Vec<(u64, String)> {
    let report: Value = serde_json::from_str(json).unwrap();
    let findings = report["findings"].as_array().unwrap().iter();
    findings
        .map(|finding| (finding["line"].as_u64().unwrap(), finding["rule"].as_str().unwrap().to_owned()))
        .collect()
}

/// A service that answers each request with a status.
fn refusing(status: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut head = [0; 65_536];
            _ = stream.read(&mut head);
            let answer = format!(
                "HTTP/1.1 {status}\r\ncontent-length: 0\r\nretry-after: 0\r\nconnection: close\r\n\r\n"
            );
            _ = stream.write_all(answer.as_bytes());
        }
    });
    format!("http://{address}")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_is_reviewed_in_each_form_and_accepted_findings_are_hidden() {
    let demo = Demo::start(&[]).await;
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("report.md"), REPORT).unwrap();
    let run = |arguments: &[&str]| review(&demo, folder.path(), arguments);

    let (code, json, err) = run(&["report.md", "--format", "json"]);
    assert_eq!(code, 1, "{err}");
    let found = findings(&json);
    let expected = [(3, "superseded-edition"), (7, "altered-quotation"), (9, "place-unknown")];
    let warnings: Vec<(u64, &str)> = found
        .iter()
        .filter(|(_, rule)| rule != "amended-place")
        .map(|(line, rule)| (*line, rule.as_str()))
        .collect();
    assert_eq!(warnings, expected, "{json}");
    let report: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(report["unknownDocuments"][0]["document"], "ISO 9227:2022");
    let altered = report["findings"].as_array().unwrap().iter().find(|f| f["rule"] == "altered-quotation");
    let message = altered.unwrap()["message"].as_str().unwrap();
    assert!(message.contains("“shall”, not “should”"), "{message}");

    assert_eq!(run(&["report.md", "--format", "json"]).1, json, "two runs give the same bytes");
    let (code, table, _) = run(&["report.md"]);
    assert!(code == 1 && table.contains("altered-quotation") && table.contains("report.md:7"), "{table}");
    let (_, sarif, _) = run(&["report.md", "--format", "sarif"]);
    let sarif: Value = serde_json::from_str(&sarif).unwrap();
    assert_eq!(sarif["runs"][0]["results"].as_array().unwrap().len(), found.len());
    let (code, _, _) = run(&["report.md", "--format", "html", "--output", "review.html"]);
    let page = std::fs::read_to_string(folder.path().join("review.html")).unwrap();
    assert!(code == 1 && page.contains("altered-quotation"), "{page}");

    std::fs::write(folder.path().join("accepted.json"), &json).unwrap();
    let (code, accepted, _) = run(&["report.md", "--format", "json", "--baseline", "accepted.json"]);
    assert_eq!((code, findings(&accepted)), (0, vec![]));
    std::fs::write(folder.path().join("old.md"), "See NSB 4210:2019, 4.2.").unwrap();
    assert_eq!(run(&["old.md"]).0, 0, "a warning is not an error");
    assert_eq!(run(&["old.md", "--fail-on", "warning"]).0, 1);
    let (code, json, _) = run(&["old.md", "--format", "json", "--at", "2020-06-30", "--fail-on", "note"]);
    assert_eq!((code, findings(&json)), (0, vec![]), "it was in force on that day");
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_files_and_a_service_that_is_away_have_exit_codes_of_their_own() {
    let demo = Demo::start(&[]).await;
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("report.md"), REPORT).unwrap();
    std::fs::write(folder.path().join("broken.docx"), "no archive").unwrap();
    let (code, table, err) = review(&demo, folder.path(), &["broken.docx", "report.md"]);
    assert_eq!(code, 2);
    assert!(
        table.contains("altered-quotation") && err.contains("broken.docx is not reviewed"),
        "{table}{err}"
    );
    assert_eq!(review(&demo, folder.path(), &["missing.md"]).0, 2);
    assert_eq!(review(&demo, folder.path(), &["report.md", "--at", "tomorrow"]).0, 2);

    let away = format!("http://127.0.0.1:{}", support::free_port());
    let services = ["404 Not Found", "429 Too Many Requests", "503 Service Unavailable"].map(refusing);
    for service in std::iter::once(away).chain(services) {
        let arguments = ["report.md", "--format", "json", "--base-url", &service];
        let (code, json, err) = review(&demo, folder.path(), &arguments);
        assert_eq!(code, 3, "{service}: {err}");
        let found = findings(&json);
        assert!(found.len() > 5 && found.iter().all(|(_, rule)| rule == "unverified"), "{json}");
    }
}
