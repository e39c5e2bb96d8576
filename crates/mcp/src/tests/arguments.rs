//! Arguments as readers write them, and those that are refused with a sentence that says what to do.

use std::time::Duration;

use norma_client::shapes::ComparisonCounts;
use rmcp::service::{RoleClient, RunningService};
use serde_json::{Value, json};
use wiremock::matchers::{method, path, path_regex, query_param};
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::{URN, call, host, mount_standard, server, service, text};

const OLDER: &str = "urn:nsb:std:nsb:4210:ed-1:en";

/// A service with two editions, each with Annex A; the newer one is that of [`mount_standard`] with it.
async fn two_editions() -> MockServer {
    let service = service().await;
    for urn in [OLDER, URN] {
        let counts = json!({"provisions": 1, "terms": 0, "graphics": 0});
        let annex = json!({"id": "sec_A", "label": "Annex A", "number": "A", "title": "Test slab",
                           "type": "annex", "normative": true, "level": 1, "order": 9,
                           "counts": counts, "totalCounts": counts, "children": []});
        let sections = json!({"urn": urn, "revision": "r1", "sections": [annex]});
        mount_part(&service, urn, "sections", ResponseTemplate::new(200).set_body_json(sections)).await;
    }
    mount_standard(&service, "Text.").await;
    service
}

async fn mount_part(service: &MockServer, urn: &str, part: &str, answer: ResponseTemplate) {
    Mock::given(method("GET"))
        .and(path(format!("/api/content/v1/standards/{}/{part}", urn.replace(':', "%3A"))))
        .respond_with(answer)
        .mount(service)
        .await;
}

/// A comparison of one section, in which a table changed.
async fn mount_comparison(service: &MockServer, section: &str) {
    let side = |urn: &str| {
        let (revision, reference) = ("r1", "NSB 4210");
        json!({"urn": urn, "revision": revision, "reference": reference, "title": "Anchors",
               "access": "read"})
    };
    let table = json!({"type": "changed", "newer": {"id": "tab_1", "label": "Table 1"},
                       "changedCellCount": 1, "cellChanges": [], "rowChanges": [], "columnChanges": []});
    let comparison = json!({"older": side(OLDER), "newer": side(URN), "language": "en", "matcher": 1,
                            "counts": ComparisonCounts::default(), "items": [], "tableChanges": [table]});
    Mock::given(method("GET"))
        .and(path_regex("/comparison$"))
        .and(query_param("section", section))
        .respond_with(ResponseTemplate::new(200).set_body_json(comparison))
        .mount(service)
        .await;
}

/// The sentence of a call that is refused.
async fn refused(host: &RunningService<RoleClient, ()>, tool: &'static str, arguments: Value) -> String {
    let result = call(host, tool, arguments).await;
    assert_eq!(result.is_error, Some(true), "{result:?}");
    text(&result).to_owned()
}

#[tokio::test]
async fn a_section_is_named_as_readers_do_and_one_that_is_not_there_is_refused() {
    let service = two_editions().await;
    mount_comparison(&service, "A").await;
    let host = host(server(&service, Duration::from_secs(5))).await;
    for section in ["A", "Annex A", "annex:A", "Test slab"] {
        let arguments = json!({"older": OLDER, "newer": URN, "section": section});
        let compared = call(&host, "compare", arguments).await.structured_content.unwrap();
        assert_eq!(compared["changes"], json!([]), "{section}");
        let read = call(&host, "read", json!({"urn": URN, "section": section})).await;
        assert_eq!(read.is_error, Some(false), "{section}: {read:?}");
    }
    for section in ["Annex B", "Clause 99", "NSB 4210:2025, Annex B"] {
        let arguments = json!({"older": OLDER, "newer": URN, "section": section});
        let sentence = refused(&host, "compare", arguments).await;
        assert!(sentence.contains(&format!("no section `{section}` in {OLDER} or {URN}")), "{sentence}");
        assert!(sentence.contains("call outline"), "{sentence}");
        let sentence = refused(&host, "read", json!({"urn": URN, "section": section})).await;
        assert!(sentence.contains("call outline"), "{sentence}");
    }
}

#[tokio::test]
async fn a_comparison_says_what_its_changes_do_not_have() {
    let service = two_editions().await;
    mount_comparison(&service, "A").await;
    let host = host(server(&service, Duration::from_secs(5))).await;
    let arguments = json!({"older": OLDER, "newer": URN, "section": "Annex A"});
    let compared = call(&host, "compare", arguments).await.structured_content.unwrap();
    assert_eq!(compared["alsoChanged"], json!({"tables": 1, "firstTables": ["Table 1: changed"]}));
    assert!(compared["notListed"].as_str().unwrap().contains("provisions only"), "{compared}");
}

#[tokio::test]
async fn editions_that_are_not_compared_are_a_sentence_about_the_arguments_of_the_tool() {
    for (code, detail, expected) in [
        (
            "not-comparable",
            "Different; send `differentDocuments=true`.",
            "are editions of different documents",
        ),
        ("not-comparable", "`with` names it; expected `withRevision`.", "name the same edition"),
        ("not-comparable", "a amends the other edition, see /api/x.", "is an amendment"),
        ("invalid-cursor", "The comparison changed since; omit `cursor`.", "changed during the call"),
        ("invalid-parameter", "One may only be discovered: expected no `include`.", "ask the operator"),
        ("invalid-parameter", "`with`: expected a URN.", "`newer`: expected a URN."),
        ("invalid-parameter", "`q`: found 33 words (`max-query-words`).", "`words`: found 33 words."),
    ] {
        let service = service().await;
        let problem = json!({"type": "t", "title": "t", "status": 400, "detail": detail, "instance": "i",
                             "code": code});
        Mock::given(method("GET"))
            .and(path_regex("/comparison$"))
            .respond_with(ResponseTemplate::new(400).set_body_json(problem))
            .mount(&service)
            .await;
        let host = host(server(&service, Duration::from_secs(5))).await;
        let sentence = refused(&host, "compare", json!({"older": OLDER, "newer": URN})).await;
        assert!(sentence.contains(expected), "{sentence}");
        for name in ["differentDocuments", "`with`", "withRevision", "`q`", "`cursor`", "/api/"] {
            assert!(!sentence.contains(name), "{sentence}");
        }
    }
}

#[tokio::test]
async fn a_next_of_another_call_is_refused() {
    let service = service().await;
    mount_standard(&service, "Text.").await;
    let counts = json!({"provisions": 0, "terms": 0, "graphics": 0});
    let mut sections = Vec::new();
    for number in 1..40 {
        sections.push(json!({
            "id": format!("sec_{number}"), "number": number.to_string(), "title": "x".repeat(100),
            "type": "clause", "normative": true, "level": 1, "order": number, "text": "y".repeat(300),
            "counts": counts, "totalCounts": counts, "children": [],
        }));
    }
    let all = json!({"urn": OLDER, "revision": "r1", "sections": sections});
    for part in ["content", "sections"] {
        mount_part(&service, OLDER, part, ResponseTemplate::new(200).set_body_json(all.clone())).await;
    }
    let metadata = json!({
        "status": "published", "urn": OLDER, "revision": "r1",
        "metadata": {"reference": "NSB 4210:2019", "title": "Anchors", "language": "en"},
    });
    mount_part(&service, OLDER, "metadata", ResponseTemplate::new(200).set_body_json(metadata)).await;
    let host = host(server(&service, Duration::from_secs(5))).await;
    let first = call(&host, "read", json!({"urn": OLDER, "max_tokens": 600})).await;
    let first = first.structured_content.unwrap();
    let next = first["leftOut"]["next"].clone();
    assert!(next.is_string(), "{first}");
    let more = call(&host, "read", json!({"urn": OLDER, "max_tokens": 900, "next": next})).await;
    assert_ne!(more.structured_content.unwrap()["units"][0]["id"], first["units"][0]["id"]);
    for (tool, arguments) in [
        ("read", json!({"urn": URN, "next": next})),
        // Of the same revision, and with as many items.
        ("read", json!({"urn": OLDER, "section": "3", "next": next})),
        ("outline", json!({"urn": OLDER, "next": next})),
        ("search", json!({"words": "anchor", "next": next})),
        ("find_standards", json!({ "next": next })),
    ] {
        let sentence = refused(&host, tool, arguments).await;
        assert!(sentence.contains("of another call"), "{tool}: {sentence}");
    }
}

#[tokio::test]
async fn arguments_that_are_too_long_or_ask_for_nothing_are_refused_with_the_bound() {
    let service = service().await;
    mount_standard(&service, "Text.").await;
    let host = host(server(&service, Duration::from_secs(5))).await;
    let long = "x".repeat(2_001);
    for (tool, arguments, expected) in [
        ("search", json!({ "words": "a ".repeat(100_000) }), "2000 or fewer"),
        ("find_standards", json!({ "words": long }), "2000 or fewer"),
        ("read", json!({ "urn": long }), "500 or fewer"),
        ("provision", json!({ "provision": long }), "500 or fewer"),
        ("resolve_citation", json!({ "citation": long }), "500 or fewer"),
        ("verify_quotations", json!({"quotations": [{ "text": long }]}), "2000 or fewer"),
        ("verify_quotations", json!({"quotations": [{"text": "x", "citation": long}]}), "500 or fewer"),
        ("outline", json!({"urn": URN, "depth": 0}), "levels from 1"),
    ] {
        let sentence = refused(&host, tool, arguments).await;
        assert!(sentence.contains(expected) && sentence.len() < 200, "{tool}: {sentence}");
    }
}

#[tokio::test]
async fn the_latest_edition_of_a_citation_has_its_amendments_or_says_that_they_are_not_known() {
    for is_known in [true, false] {
        let service = service().await;
        let latest = json!({"urn": URN, "reference": "NSB 4210:2025", "status": "published"});
        let resolved = json!({"items": [{"citation": "c", "outcome": "resolved", "urn": OLDER,
            "reference": "NSB 4210:2019", "status": "superseded", "access": "read", "latest": latest,
            "locations": []}]});
        Mock::given(method("POST"))
            .and(path_regex("citations/resolve$"))
            .respond_with(ResponseTemplate::new(200).set_body_json(resolved))
            .mount(&service)
            .await;
        let metadata = json!({
            "status": "published", "urn": URN, "revision": "r1",
            "amendedBy": [{"urn": "urn:a", "reference": "NSB 4210:2025/Amd 1:2026"}],
            "metadata": {"reference": "NSB 4210:2025", "language": "en"},
        });
        let answer = ResponseTemplate::new(if is_known { 200 } else { 500 }).set_body_json(metadata);
        mount_part(&service, URN, "metadata", answer).await;
        let host = host(server(&service, Duration::from_secs(5))).await;
        let found = call(&host, "resolve_citation", json!({"citation": "NSB 4210:2019"})).await;
        let latest = found.structured_content.unwrap()["latest"].clone();
        if is_known {
            assert_eq!(latest["amendedBy"], json!(["NSB 4210:2025/Amd 1:2026"]));
            assert!(latest.get("amendmentsNotLookedAt").is_none(), "{latest}");
        } else {
            assert_eq!(latest["amendmentsNotLookedAt"], true);
            assert!(latest.get("amendedBy").is_none(), "{latest}");
        }
    }
}

#[tokio::test]
async fn editions_of_folded_hits_are_named_by_what_is_known_of_them() {
    let service = service().await;
    let hit = json!({"kind": "standard", "urn": URN, "reference": "NSB 4210:2025", "title": "Anchors",
                     "status": "published", "access": "read", "heading": "NSB 4210:2025", "text": "Anchors",
                     "highlights": [], "alsoIn": [{"urn": OLDER, "reference": "NSB 4210:2019"}]});
    let found = json!({"total": 1, "state": "complete", "items": [hit], "standards": [], "next": "abc"});
    Mock::given(method("GET"))
        .and(path_regex("/search$"))
        .respond_with(ResponseTemplate::new(200).set_body_json(found))
        .mount(&service)
        .await;
    let host = host(server(&service, Duration::from_secs(5))).await;
    let found = call(&host, "search", json!({"words": "anchor"})).await.structured_content.unwrap();
    assert_eq!(found["hits"][0]["sameLabelIn"], json!(["NSB 4210:2019"]), "{found}");
    assert!(found["hits"][0].get("alsoIn").is_none(), "{found}");
    let next = found["next"].clone();
    let more = call(&host, "search", json!({"words": "anchor", "limit": 3, "next": next})).await;
    assert_eq!(more.is_error, Some(false), "{more:?}");
    let sentence = refused(&host, "search", json!({"words": "bath", "next": next})).await;
    assert!(sentence.contains("of another call"), "{sentence}");
}
