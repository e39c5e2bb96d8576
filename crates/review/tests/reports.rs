//! Reports: what a review says of answers, and the forms in which it says it.

#![allow(clippy::unwrap_used, reason = "this is test code")]

use std::collections::BTreeSet;

use jiff::civil::{Date, date};
use norma_api::shapes::{CitationsAnswer, QuotationsAnswer};
use norma_review::{
    DocumentError, DocumentFormat, FindingLevel, Review, ReviewBaseline, ReviewDocument, ReviewFinding,
    ReviewReport, ReviewRule, read_document,
};
use serde_json::{Value, json};

const TODAY: Date = date(2026, 11, 29);

fn document(name: &str, text: &str) -> ReviewDocument {
    let format = DocumentFormat::of_name(name.as_ref()).unwrap();
    ReviewDocument { name: name.to_owned(), blocks: read_document(format, text.as_bytes()) }
}

/// The report on documents where each citation and each quotation has this answer, without its text.
fn reported(documents: Vec<ReviewDocument>, citation: &Value, quotation: &Value, at: Date) -> ReviewReport {
    let mut review = Review::new(documents, at, TODAY);
    loop {
        let requests = review.citation_requests();
        if requests.is_empty() {
            break;
        }
        for request in requests {
            assert_eq!(request.at.as_deref(), Some(at.to_string().as_str()));
            let items: Vec<Value> = request
                .citations
                .iter()
                .map(|text| {
                    let mut item = json!({ "citation": text, "locations": [] });
                    item.as_object_mut().unwrap().extend(citation.as_object().unwrap().clone());
                    item
                })
                .collect();
            let answer: CitationsAnswer<'static> = serde_json::from_value(json!({ "items": items })).unwrap();
            review.resolved(&request, answer).unwrap();
        }
    }
    loop {
        let requests = review.quotation_requests();
        if requests.is_empty() {
            break;
        }
        for request in requests {
            let items = vec![quotation.clone(); request.quotations.len()];
            let answer: QuotationsAnswer<'static> =
                serde_json::from_value(json!({ "items": items })).unwrap();
            review.verified(&request, answer).unwrap();
        }
    }
    review.report(&ReviewBaseline::default())
}

fn present() -> Value {
    json!({ "outcome": "resolved", "urn": "urn:nsb:std:nsb:4210:ed-2:en", "reference": "NSB 4210:2025",
        "status": "published" })
}

fn superseded() -> Value {
    json!({ "outcome": "resolved", "urn": "urn:nsb:std:nsb:4210:ed-1:en", "reference": "NSB 4210:2019",
        "status": "superseded",
        "supersededBy": [{ "type": "replacedBy", "urn": "urn:nsb:std:nsb:4210:ed-2:en", "reference": "NSB 4210:2025" }],
        "latest": { "urn": "urn:nsb:std:nsb:4210:ed-2:en", "reference": "NSB 4210:2025", "status": "published" },
        "locations": [{ "kind": "section", "id": "sec_4.2", "label": "4.2",
            "inLatest": { "change": "moved", "id": "sec_4.3", "label": "4.3" } }] })
}

fn altered() -> Value {
    json!({ "verdict": "altered", "urn": "urn:nsb:std:nsb:4210:ed-2:en", "reference": "NSB 4210:2025",
        "units": [{ "kind": "provision", "id": "prv_1", "label": "6.1(1)", "cite": "NSB 4210:2025, 6.1(1)",
            "text": "The anchor shall withstand 8 kN <b>." }],
        "changes": [{ "quoted": "5", "actual": "8", "critical": "number" }] })
}

const QUOTED: &str = "Intro.\n\nNSB 4210:2025, 6.1 says: “The anchor shall withstand 5 kN.”\n";

fn one(report: &ReviewReport) -> &ReviewFinding {
    assert_eq!(report.findings.len(), 1, "{report:?}");
    &report.findings[0]
}

#[test]
fn a_superseded_edition_is_a_warning_that_says_what_to_cite() {
    let report =
        reported(vec![document("a.md", "See NSB 4210:2019, 4.2.")], &superseded(), &json!({}), TODAY);
    let finding = one(&report);
    assert_eq!((finding.rule, finding.level), (ReviewRule::SupersededEdition, FindingLevel::Warning));
    assert_eq!(
        finding.message,
        "NSB 4210:2025 replaced NSB 4210:2019; in NSB 4210:2025 4.2 is 4.3: cite that."
    );
}

#[test]
fn a_status_of_today_says_nothing_about_another_day() {
    let mut answer = superseded();
    answer.as_object_mut().unwrap().remove("supersededBy");
    answer.as_object_mut().unwrap().remove("latest");
    let text = "See NSB 4210:2019, 4.2.";
    let earlier = reported(vec![document("a.md", text)], &answer, &json!({}), date(2020, 1, 1));
    assert_eq!(earlier.findings, []);
    let today = reported(vec![document("a.md", text)], &answer, &json!({}), TODAY);
    assert_eq!(one(&today).rule, ReviewRule::SupersededEdition);
}

#[test]
fn an_altered_quotation_is_an_error_that_names_the_words() {
    let report = reported(vec![document("a.md", QUOTED)], &present(), &altered(), TODAY);
    let finding = one(&report);
    assert_eq!((finding.rule, finding.level), (ReviewRule::AlteredQuotation, FindingLevel::Error));
    let message = "NSB 4210:2025, 6.1(1) reads otherwise: the number is “8”, not “5”; quote it as it is.";
    assert_eq!(finding.message, message);
    assert_eq!(finding.position.to_string(), "3");
}

#[test]
fn each_verdict_has_its_rule_and_level() {
    let units = json!([{ "kind": "provision", "id": "p", "label": "4.3(1)", "cite": "NSB 4210:2025, 4.3(1)", "text": "t" }]);
    let edition =
        json!({ "urn": "urn:nsb:std:nsb:4210:ed-2:en", "reference": "NSB 4210:2025", "units": units });
    let rows = [
        (json!({ "verdict": "exact", "atCitedLocation": true }), None),
        (json!({ "verdict": "normalised" }), None),
        (json!({ "verdict": "exact", "atCitedLocation": false }), Some(("other-place", "warning"))),
        (json!({ "verdict": "partial", "omissions": [{ "text": "in the end", "critical": [] }] }), None),
        (
            json!({ "verdict": "partial", "omissions": [{ "text": "not", "critical": ["negation"] }] }),
            Some(("partial-quotation", "error")),
        ),
        (
            json!({ "verdict": "altered", "changes": [{ "quoted": "big", "actual": "large" }] }),
            Some(("altered-quotation", "warning")),
        ),
        (json!({ "verdict": "other-edition" }), Some(("other-edition", "warning"))),
        (
            json!({ "verdict": "other-edition", "foundIn": { "urn": "urn:nsb:std:nsb:4210:ed-2:de",
                "reference": "NSB 4210:2025", "status": "published", "units": [] } }),
            None,
        ),
        (json!({ "verdict": "absent", "units": [] }), Some(("absent-quotation", "error"))),
        (
            json!({ "verdict": "unverified", "unverifiedCause": "not-indexed", "reason": "The search is off.", "units": [] }),
            Some(("unverified", "note")),
        ),
        (json!({ "verdict": "unverified", "unverifiedCause": "edition-unknown", "units": [] }), None),
    ];
    for (answer, expected) in rows {
        let mut item = edition.clone();
        item.as_object_mut().unwrap().extend(answer.as_object().unwrap().clone());
        let report = reported(vec![document("a.md", QUOTED)], &present(), &item, TODAY);
        let found: Vec<(&str, &str)> =
            report.findings.iter().map(|finding| (finding.rule.id(), finding.level.as_str())).collect();
        assert_eq!(found, expected.into_iter().collect::<Vec<_>>(), "{answer}");
    }
}

#[test]
fn a_location_that_does_not_exist_is_an_error_with_the_nearest() {
    let answer = json!({ "outcome": "place-unknown", "urn": "urn:nsb:std:nsb:4210:ed-2:en",
        "reference": "NSB 4210:2025", "status": "published",
        "nearest": [{ "kind": "section", "id": "sec_4.4", "label": "4.4", "title": "Visibility" }] });
    let report = reported(vec![document("a.md", "See NSB 4210:2025, 4.9.")], &answer, &json!({}), TODAY);
    let finding = one(&report);
    assert_eq!((finding.rule, finding.level), (ReviewRule::LocationUnknown, FindingLevel::Error));
    assert_eq!(finding.message, "NSB 4210:2025 does not have 4.9: the nearest are 4.4 (Visibility).");
}

#[test]
fn documents_that_are_not_known_are_counted_and_not_reported() {
    let answer = json!({ "outcome": "edition-unknown" });
    let text = "RAL 9005, ISO 9001:2015 and ISO 9001:2015, 4.2 were named.";
    let report = reported(vec![document("a.md", text)], &answer, &json!({}), TODAY);
    assert_eq!(report.findings, []);
    let unknown: Vec<(&str, usize)> =
        report.unknown_documents.iter().map(|one| (one.document.as_str(), one.citations)).collect();
    assert_eq!(unknown, [("ISO 9001:2015", 2)]);
}

#[test]
fn without_the_service_each_finding_is_unverified() {
    let mut review = Review::new(vec![document("a.md", QUOTED)], TODAY, TODAY);
    review.fail("it is away");
    assert_eq!(review.citation_requests(), []);
    let report = review.report(&ReviewBaseline::default());
    let rules: BTreeSet<ReviewRule> = report.findings.iter().map(|finding| finding.rule).collect();
    assert_eq!(rules, BTreeSet::from([ReviewRule::Unverified]));
    assert_eq!(report.findings.len(), 2);
    assert_eq!(report.failure.as_deref(), Some("it is away"));
}

#[test]
fn an_answer_with_another_number_of_items_is_refused() {
    let mut review = Review::new(vec![document("a.md", QUOTED)], TODAY, TODAY);
    let request = review.citation_requests().remove(0);
    assert!(review.resolved(&request, CitationsAnswer { items: Vec::new() }).is_err());
}

#[test]
fn quotations_without_words_are_not_asked_for() {
    let text = "NSB 4210:2025, 4.2 says “…… — …… — ……”, “12 345 678 901 234” and “NSB 4210:2025, 4.2”.";
    let report = reported(vec![document("a.md", text)], &present(), &json!({}), TODAY);
    assert_eq!(report.files[0].quotations, 0);
}

#[test]
fn findings_of_a_baseline_are_hidden_wherever_they_are_in_the_file() {
    let first = reported(vec![document("a.md", QUOTED)], &present(), &altered(), TODAY);
    let baseline = ReviewBaseline::parse(first.to_json().as_bytes()).unwrap();
    let moved = format!("A new paragraph.\n\n{QUOTED}");
    let mut review = Review::new(vec![document("a.md", &moved)], TODAY, TODAY);
    review.fail("away");
    assert_eq!(review.report(&baseline).hidden, 0, "another rule is not hidden");
    let second = reported(vec![document("a.md", &moved)], &present(), &altered(), TODAY);
    assert_eq!(second.findings[0].fingerprint, first.findings[0].fingerprint);
    assert_ne!(second.findings[0].position, first.findings[0].position);
    assert!(ReviewBaseline::parse(b"[]").is_err());
}

#[test]
fn two_runs_give_the_same_bytes_in_any_order_of_files() {
    let both = |names: [&str; 2]| {
        let documents = names.map(|name| document(name, QUOTED)).to_vec();
        let report = reported(documents, &superseded(), &altered(), TODAY);
        [report.to_json(), report.to_sarif("1"), report.to_html("1")]
    };
    assert_eq!(both(["a.md", "b.md"]), both(["b.md", "a.md"]));
}

#[test]
fn the_page_has_no_scripts_and_shows_texts_as_texts() {
    let text = "NSB 4210:2025, 6.1 says: “<script>alert(1)</script> the anchor shall withstand”\n";
    let report = reported(vec![document("<img>.txt", text)], &present(), &altered(), TODAY);
    let page = report.to_html("0.2.0");
    assert!(!page.contains("<script") && !page.contains("<img"), "{page}");
    assert!(page.contains("&lt;script&gt;alert(1)") && page.contains("default-src 'none'"), "{page}");
}

/// Checks a value against what the schema of SARIF 2.1.0 requires of the members that are used here.
#[test]
fn the_sarif_log_has_the_structure_of_the_standard() {
    let broken = ReviewDocument {
        name: "a b.docx".to_owned(),
        blocks: Err(DocumentError::Docx("its archive is damaged".to_owned())),
    };
    let report = reported(vec![document("docs/a b.md", QUOTED), broken], &superseded(), &altered(), TODAY);
    let log: Value = serde_json::from_str(&report.to_sarif("0.2.0")).unwrap();
    assert_eq!(log["version"], "2.1.0");
    assert!(log["$schema"].as_str().unwrap().ends_with("sarif-schema-2.1.0.json"));
    let run = &log["runs"][0];
    let driver = &run["tool"]["driver"];
    assert_eq!((&driver["name"], &driver["semanticVersion"]), (&json!("Norma"), &json!("0.2.0")));
    let rules = driver["rules"].as_array().unwrap();
    let ids: BTreeSet<&str> = rules.iter().map(|rule| rule["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), rules.len(), "ids of rules are unique (3.19.23)");
    for rule in rules {
        assert!(rule["shortDescription"]["text"].as_str().unwrap().ends_with('.'));
        assert!(is_level(&rule["defaultConfiguration"]["level"]));
    }
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), report.findings.len());
    assert!(results.len() >= 2);
    for result in results {
        let index = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(rules[index]["id"], result["ruleId"], "3.27.6");
        assert!(is_level(&result["level"]));
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        let location = &result["locations"][0]["physicalLocation"];
        assert_eq!(location["artifactLocation"]["uri"], "docs/a%20b.md");
        assert!(location["region"]["startLine"].as_u64().unwrap() >= 1, "3.30.5");
        let fingerprint = &result["partialFingerprints"]["normaReview/v1"];
        assert_eq!(fingerprint.as_str().unwrap().len(), 32);
    }
    let invocation = &run["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let notification = &invocation["toolExecutionNotifications"][0];
    assert!(notification["message"]["text"].as_str().unwrap().contains("damaged"));
    assert!(!log.to_string().contains("The anchor shall withstand 8"), "texts of standards are left out");
}

fn is_level(level: &Value) -> bool {
    ["none", "note", "warning", "error"].iter().any(|word| level == word)
}
