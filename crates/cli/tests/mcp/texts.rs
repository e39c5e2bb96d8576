//! Texts of tools are those of the API, whole, with citations that lead back to them.

use serde_json::{Value, json};

use crate::support::Demo;
use crate::{ANCHORS, BATHS, Host, OLDER_ANCHORS};

/// The standards of the demonstration whose text its caller may read.
fn readable(demo: &Demo) -> Vec<String> {
    let standards = demo.ready["standards"].as_array().unwrap().iter();
    let urns = standards.map(|urn| urn.as_str().unwrap().to_owned());
    urns.filter(|urn| !urn.contains(":4220:") && !urn.contains(":4250:")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn read_gives_every_section_of_every_standard_as_the_api_does() {
    let demo = Demo::start(&[]).await;
    let caller = demo.caller().await;
    let mut host = Host::start(&demo).await;
    for urn in readable(&demo) {
        let content = caller.standard(&urn, "/content").await;
        let mut expected = Vec::new();
        for section in content["sections"].as_array().unwrap() {
            if !section["text"].as_str().unwrap().trim().is_empty() {
                expected.push((section["id"].clone(), section["text"].clone()));
            }
        }
        // In small answers, so that all of them go on where the one before ended.
        let mut found = Vec::new();
        let mut next = Value::Null;
        loop {
            let arguments = json!({"urn": urn, "max_tokens": 1500, "next": next});
            let (answer, text) = host.call("read", arguments);
            assert!(text.len() <= 1500 * 4, "{urn}: {} bytes", text.len());
            for unit in answer["units"].as_array().unwrap() {
                found.push((unit["id"].clone(), unit["text"].clone()));
            }
            next = answer["leftOut"]["next"].clone();
            if next.is_null() {
                assert!(answer["leftOut"].is_null(), "{answer}");
                break;
            }
        }
        assert_eq!(found, expected, "{urn}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn provisions_and_changes_have_the_texts_of_the_api_with_lead_ins_and_conditions() {
    let demo = Demo::start(&[]).await;
    let caller = demo.caller().await;
    let mut host = Host::start(&demo).await;
    let whole = caller.standard(ANCHORS, "/provisions").await;
    let items = whole["items"].as_array().unwrap();
    let (read, _) = host.call("read", json!({"urn": ANCHORS, "selection": "1-10", "max_tokens": 12000}));
    let mut compared = 0;
    for unit in read["units"].as_array().unwrap() {
        let item = items.iter().find(|item| item["id"] == unit["id"]).unwrap();
        for member in ["text", "leadIn", "type"] {
            assert_eq!(unit[member], item[member], "{unit}");
        }
        compared += 1;
    }
    assert!(compared > 30, "{compared}");
    for item in items.iter().filter(|item| !item["conditions"].as_array().unwrap().is_empty()) {
        let (one, _) = host.call("provision", json!({"provision": item["id"]}));
        assert_eq!(one["unit"]["text"], item["text"]);
        let conditions = item["conditions"].as_array().unwrap();
        let conditions: Vec<&Value> = conditions.iter().map(|condition| &condition["text"]).collect();
        assert_eq!(one["conditions"].as_array().unwrap().iter().collect::<Vec<_>>(), conditions);
    }
    let encoded = ANCHORS.replace(':', "%3A");
    let path = format!("/comparison?with={encoded}&include=text");
    let comparison = caller.standard(OLDER_ANCHORS, &path).await;
    let (compared, _) =
        host.call("compare", json!({"older": OLDER_ANCHORS, "newer": ANCHORS, "max_tokens": 12000}));
    let changes = compared["changes"].as_array().unwrap();
    assert!(changes.len() > 20 && compared["leftOut"].is_null(), "{compared}");
    for change in changes {
        let id = |change: &Value, side: &str| change[side]["id"].clone();
        let same = |item: &&Value| ["older", "newer"].iter().all(|side| id(item, side) == id(change, side));
        let item = comparison["items"].as_array().unwrap().iter().find(same).unwrap();
        for side in ["older", "newer"] {
            assert_eq!(change[side]["text"], item[side]["text"]);
            assert_eq!(change[side]["leadIn"], item[side]["leadIn"]);
        }
        assert_eq!(change["relation"], item["relation"]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_section_is_read_and_compared_by_its_own_citation_and_one_that_is_not_there_is_refused() {
    let demo = Demo::start(&[]).await;
    let mut host = Host::start(&demo).await;
    let (outline, _) = host.call("outline", json!({"urn": ANCHORS, "max_tokens": 12000}));
    let cites = outline["sections"].as_array().unwrap().iter().filter_map(|row| row["cite"].as_str());
    let mut sections: Vec<&str> = cites.collect();
    assert!(sections.len() > 10, "{outline}");
    sections.extend(["Annex A", "annex:A", "A", "sec_A", "Clause 6.1", "6.1"]);
    for section in sections {
        host.call("read", json!({"urn": ANCHORS, "section": section, "max_tokens": 12000}));
        host.call("compare", json!({"older": OLDER_ANCHORS, "newer": ANCHORS, "section": section}));
    }
    for section in ["Annex Z", "Clause 99", "NSB 4210:2025, 99"] {
        let read = json!({"urn": ANCHORS, "section": section});
        assert!(host.refused("read", read).contains("call outline"), "{section}");
        let compared = json!({"older": OLDER_ANCHORS, "newer": ANCHORS, "section": section});
        assert!(host.refused("compare", compared).contains("call outline"), "{section}");
    }
}

/// All objects with a citation in an answer.
fn cited<'a>(value: &'a Value, found: &mut Vec<&'a Value>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| cited(item, found)),
        Value::Object(members) => {
            if members.contains_key("cite") {
                found.push(value);
            }
            members.values().for_each(|member| cited(member, found));
        }
        _ => {}
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_citation_that_a_tool_gives_leads_to_the_same_unit() {
    let demo = Demo::start(&[]).await;
    let mut host = Host::start(&demo).await;
    let mut answers = Vec::new();
    for urn in readable(&demo) {
        answers.push((host.call("outline", json!({ "urn": urn })).0, Some(urn.clone())));
        answers.push((host.call("read", json!({"urn": urn, "max_tokens": 12000})).0, Some(urn)));
    }
    for words in ["anchor", "water bath", "locking point", "test report", "Anker", "ancrage"] {
        answers.push((host.call("search", json!({"words": words, "limit": 20})).0, None));
    }
    let selection = json!({"urn": ANCHORS, "selection": "1-10;annex:A,B"});
    answers.push((host.call("read", selection).0, Some(ANCHORS.to_owned())));
    answers.push((host.call("read", json!({"urn": BATHS, "table": "1"})).0, Some(BATHS.to_owned())));
    let mut resolved = 0;
    let mut without = Vec::new();
    for (answer, urn) in &answers {
        let mut units = Vec::new();
        cited(answer, &mut units);
        for unit in units {
            let citation = unit["cite"].as_str().unwrap();
            let (found, _) = host.call("resolve_citation", json!({ "citation": citation }));
            assert_eq!(found["outcome"], "resolved", "{citation}: {found}");
            let expected = urn.as_deref().or(unit["urn"].as_str()).unwrap();
            assert_eq!(found["edition"]["urn"], expected, "{citation}");
            let locations = found["locations"].as_array().unwrap();
            assert_eq!(locations.len(), 1, "{citation}");
            // The entry of a term is a section.
            if unit["kind"] != "term" {
                assert_eq!(locations[0]["id"], unit["id"], "{citation}");
            }
            resolved += 1;
        }
        for unit in answer["units"].as_array().into_iter().flatten() {
            // The sections of an amendment have no numbers of their own.
            if unit.get("cite").is_none() && !urn.as_ref().is_some_and(|urn| urn.contains(":amd:")) {
                without.push(unit["title"].as_str().unwrap_or_default().to_owned());
            }
        }
    }
    println!("{resolved} citations resolved; units without one: {without:?}");
    assert!(resolved > 300, "{resolved}");
    // Only sections that print no number have none.
    let unnumbered = [
        "Foreword",
        "Introduction",
        "Bibliography",
        "Vorwort",
        "Einleitung",
        "Literaturhinweise",
        "Avant-propos",
        "Bibliographie",
        "National foreword",
        "National bibliography",
    ];
    for title in without {
        assert!(unnumbered.contains(&title.as_str()), "{title}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_limits_the_use_of_a_text_is_first_and_what_may_not_be_read_is_said() {
    let demo = Demo::start(&[]).await;
    let mut host = Host::start(&demo).await;
    let (old, _) = host.call("read", json!({"urn": OLDER_ANCHORS, "section": "6.1"}));
    let names: Vec<&String> = old.as_object().unwrap().keys().take(2).collect();
    assert_eq!(names, ["notice", "edition"]);
    let edition = &old["edition"];
    let names: Vec<&String> = edition.as_object().unwrap().keys().take(2).collect();
    assert_eq!(names, ["status", "supersededBy"]);
    assert_eq!(
        (&edition["status"], &edition["supersededBy"]),
        (&json!("superseded"), &json!(["NSB 4210:2025"]))
    );
    let (amended, _) = host.call("read", json!({"urn": "NSB 4210:2025, 4.1"}));
    assert_eq!(amended["edition"]["amendedBy"], json!(["NSB 4210:2025/Amd 1:2026"]));
    let unit = &amended["units"][0];
    assert_eq!(unit.as_object().unwrap().keys().next().unwrap(), "amendedBy", "{unit}");
    assert!(unit["amendedBy"][0]["newText"].as_str().unwrap().contains("shall not fold"), "{unit}");
    let tea = "urn:nsb:std:nsb:4220:ed-1:en";
    assert!(host.refused("read", json!({ "urn": tea })).contains("ask the operator"));
    let (outline, _) = host.call("outline", json!({ "urn": tea }));
    assert!(outline["sections"].as_array().unwrap().len() > 5, "{outline}");
    assert!(
        host.refused("read", json!({"urn": "urn:nsb:std:nsb:ts:4250:ed-1:en"})).contains("find_standards")
    );
    assert!(host.refused("read", json!({"urn": "NSB 9999:2020"})).contains("find_standards"));
    let (nothing, _) = host.call("search", json!({"words": "how does unobtainium rust"}));
    assert_eq!(nothing["advice"]["attempts"].as_array().unwrap().len(), 3, "{nothing}");
    let (none, _) = host.call("find_standards", json!({"words": "submarines"}));
    assert_eq!(none["attempts"].as_array().unwrap().len(), 3, "{none}");
}
