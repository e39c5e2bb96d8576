//! Citations over HTTP: where printed citations lead, and what a caller learns by them.

use norma_api::Operation;
use norma_store::Level;
use serde_json::{Value, json};

use crate::amendments::{AMENDMENT, add_amendment, grant};
use crate::migrate::{edition, three_editions};
use crate::world::{self, World};

async fn sent(world: &World, body: &Value) -> (u16, Value) {
    let url = format!("{}{}", world.running.public_url, Operation::ResolveCitations.path());
    let answer = world.http.post(url).bearer_auth(world.reader()).json(body).send().await.unwrap();
    (answer.status().as_u16(), answer.json().await.unwrap())
}

async fn resolved(world: &World, citations: &[&str]) -> Vec<Value> {
    let (status, answer) = sent(world, &json!({ "citations": citations })).await;
    assert_eq!(status, 200, "{answer}");
    let items = answer["items"].as_array().unwrap().clone();
    let asked: Vec<&str> = items.iter().map(|item| item["citation"].as_str().unwrap()).collect();
    assert_eq!(asked, citations);
    items
}

async fn one(world: &World, citation: &str) -> Value {
    resolved(world, &[citation]).await.remove(0)
}

/// The kinds and labels of parts.
fn parts(list: &Value) -> Vec<String> {
    let text = |part: &Value, name: &str| part[name].as_str().unwrap_or("-").to_owned();
    let list = list.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().map(|part| format!("{} {}", text(part, "kind"), text(part, "label"))).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn printed_citations_lead_to_their_locations() {
    let world = World::new().await;
    for (citation, expected) in [
        ("NSB 4210:2019, 4.2(1)", vec!["provision 4.2(1)"]),
        ("NSB 4210:2019, 4.2 (1)", vec!["provision 4.2(1)"]),
        ("NSB 4210:2019 Table 2", vec!["table 2"]),
        ("NSB 4210 (2019), Annex A", vec!["section A"]),
        ("clause 4.2 of NSB 4210:2019", vec!["section 4.2"]),
        ("Abschnitt 5.3 der NSB 4210:2019", vec!["section 5.3"]),
        ("NSB 4210:2019, paragraphe 5.3", vec!["section 5.3"]),
        ("nsb 4210:2019, tableaux 1 et 2", vec!["table 1", "table 2"]),
        ("NSB 4210:2019, 4.1 to 4.3", vec!["section 4.1", "section 4.2", "section 4.3"]),
        ("NSB 4210:2019, Figure 1", vec!["figure 1"]),
        ("NSB 4210:2019-06, 4.2", vec!["section 4.2"]),
        ("NSB 4210, 4.2", vec!["section 4.2"]),
        ("urn:nsb:std:nsb:4210:ed-1:en, 4.2(1)", vec!["provision 4.2(1)"]),
        ("NSB 4210:2019", vec![]),
    ] {
        let item = one(&world, citation).await;
        assert_eq!((&item["outcome"], &item["urn"]), (&json!("resolved"), &json!(world::SIBLING)), "{item}");
        assert_eq!(item["reference"], "NSB 4210:2019", "{item}");
        assert_eq!(parts(&item["locations"]), expected, "{item}");
        assert!(item.get("nearest").is_none() && item.get("candidates").is_none(), "{item}");
    }
    let item = one(&world, "NSB 4210:2019, 4.2(1)").await;
    let id = item["locations"][0]["id"].as_str().unwrap();
    let provision = world.get(&Operation::Provision.path_with(&[id])).send().await.unwrap();
    let provision: Value = provision.json().await.unwrap();
    assert_eq!((&provision["label"], &provision["type"]), (&json!("4.2(1)"), &item["locations"][0]["type"]));
    assert_eq!(provision["section"], item["locations"][0]["section"]);
    let item = one(&world, "NSB 4210:2019, 7.2.1 b)").await;
    let location = &item["locations"][0];
    assert_eq!((&location["label"], &location["within"]), (&json!("7.2.1"), &json!("item b")), "{item}");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_there_or_not_certain_is_said() {
    let world = World::new().await;
    world.add(&two_sixes(), "urn:nsb:std:nsb:781:ed-1:en").await;
    for (citation, outcome) in [
        ("NSB 4210:2019, 4.9", "place-unknown"),
        ("NSB 4210:2019, 4.2(99)", "place-unknown"),
        ("NSB 4210:2019, Table 9", "place-unknown"),
        ("NSB 4210:2019, Formula (77)", "place-unknown"),
        ("NSB 4210:2019, 4.2 and 4.9", "place-unknown"),
        ("NSB 4210:2018, 4.2", "edition-unknown"),
        ("NSB 4210:2019-07, 4.2", "edition-unknown"),
        ("NSB 4210:2019+A1:2020, 4.2", "edition-unknown"),
        ("EN 4210:2019, 4.2", "edition-unknown"),
        ("NSB 9999:2019, 4.2", "edition-unknown"),
        ("Clause 4.2", "edition-unknown"),
        ("NSB 781:2021, 6", "ambiguous"),
        ("see above", "unreadable"),
        ("", "unreadable"),
        ("NSB 4210:2019, 4.2 kN", "unreadable"),
    ] {
        let item = one(&world, citation).await;
        assert_eq!(item["outcome"], outcome, "{item}");
        assert!(!item["reason"].as_str().unwrap().is_empty(), "{item}");
        assert_eq!(item["locations"], json!([]), "{item}");
    }
    let item = one(&world, "NSB 4210:2019, 4.9").await;
    assert_eq!(parts(&item["nearest"]), ["section 4", "section 4.3", "section 4.2", "section 4.1"], "{item}");
    let item = one(&world, "NSB 4210:2019, Table 9").await;
    assert_eq!(parts(&item["nearest"]), ["table 2", "table 1"], "{item}");
    let item = one(&world, "NSB 781:2021, 6").await;
    let candidates = item["candidates"].as_array().unwrap();
    let titles: Vec<&Value> = candidates.iter().map(|one| &one["location"]["title"]).collect();
    assert_eq!(titles, ["Six", "Other six"], "{item}");
    world.stop().await;
}

/// An edition with two sections of one number.
fn two_sixes() -> String {
    "<standard xml:lang=\"en\"><front><std-meta><title-wrap xml:lang=\"en\"><main>Sixes</main></title-wrap>\
     <std-ident><originator>NSB</originator><doc-type>IS</doc-type><doc-number>781</doc-number>\
     <edition>1</edition></std-ident><content-language>en</content-language>\
     <std-ref type=\"dated\">NSB 781:2021</std-ref></std-meta></front><body>\
     <sec id=\"a\"><label>6</label><title>Six</title><p>It shall hold.</p></sec>\
     <sec id=\"b\"><label>6</label><title>Other six</title><p>It shall hold as well.</p></sec>\
     </body></standard>"
        .to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn locations_alone_are_those_of_the_standard_that_the_request_names() {
    let world = World::new().await;
    let locations = ["Clause 4.2", "4", "A", "4.2(1)", "Tabelle 1", "NSB 4230-1:2024, 5.1", "hello"];
    let body = json!({ "citations": locations, "urn": "urn:nsb:std:nsb:4210" });
    let (status, answer) = sent(&world, &body).await;
    assert_eq!(status, 200, "{answer}");
    let found: Vec<String> = answer["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| {
            format!("{} {}", item["urn"].as_str().unwrap_or("-"), parts(&item["locations"]).join("; "))
        })
        .collect();
    let of_sibling = |part: &str| format!("{} {part}", world::SIBLING);
    let expected = [
        of_sibling("section 4.2"),
        of_sibling("section 4"),
        of_sibling("section A"),
        of_sibling("provision 4.2(1)"),
        of_sibling("table 1"),
        format!("{} section 5.1", world::READ),
        "- ".to_owned(),
    ];
    assert_eq!(found, expected);
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_an_edition_that_may_only_be_discovered_sections_alone_are_locations() {
    let world = World::new().await;
    let path = Operation::Sections.path_with(&[world::DISCOVERED]);
    let hierarchy: Value = world.get(&path).send().await.unwrap().json().await.unwrap();
    let section = hierarchy["sections"].as_array().unwrap().iter().find(|one| one["number"] == "4").unwrap();
    let list = format!("{}?urn={}", Operation::Standards.path(), world::DISCOVERED);
    let list: Value = world.get(&list).send().await.unwrap().json().await.unwrap();
    let reference = list["items"][0]["reference"].as_str().unwrap().to_owned();

    let item = one(&world, &format!("{reference}, Clause 4")).await;
    assert_eq!((&item["outcome"], &item["access"]), (&json!("resolved"), &json!("discover")), "{item}");
    assert_eq!(item["locations"][0]["id"], section["id"], "{item}");
    assert_eq!(item["locations"][0]["title"], section["title"], "{item}");
    assert_eq!(one(&world, &reference).await["outcome"], "resolved");
    // Whether there is such a part is not said.
    for location in ["4(1)", "4(99)", "Table 1", "Table 99", "Figure 1", "4, NOTE 1", "4 a)", "4(1)-(2)"] {
        let item = one(&world, &format!("{reference}, {location}")).await;
        assert_eq!(item["outcome"], "not-licensed", "{item}");
        let without_names = json!([item["locations"], item.get("nearest"), item.get("candidates")]);
        assert_eq!(without_names, json!([[], null, null]), "{item}");
    }
    let item = one(&world, &format!("{reference}, 99")).await;
    assert_eq!(item["outcome"], "place-unknown", "{item}");
    let nearest = item["nearest"].as_array().unwrap();
    assert!(!nearest.is_empty() && nearest.iter().all(|part| part["kind"] == "section"), "{item}");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hidden_edition_is_in_no_member_of_an_answer() {
    let world = World::new().await;
    // What is hidden and what does not exist are answered alike.
    for (hidden, absent) in [
        ("NSB 4210:2025", "NSB 4210:2027"),
        ("NSB 4210:2025, 4.2(1)", "NSB 4210:2027, 4.2(1)"),
        ("NSB 4210:2025, 4.99", "NSB 4210:2027, 4.99"),
        ("NSB/TS 4250:2025, Table 1", "NSB/TS 4259:2027, Table 1"),
        ("NSB/TS 4250", "NSB/TS 4259"),
        ("urn:nsb:std:nsb:4210:ed-2:en, 4.2", "urn:nsb:std:nsb:4210:ed-7:en, 4.2"),
        ("urn:nsb:std:nsb:4210:ed-2, 4.2", "urn:nsb:std:nsb:4210:ed-7, 4.2"),
    ] {
        let [mut found, mut nothing] = [one(&world, hidden).await, one(&world, absent).await];
        for item in [&mut found, &mut nothing] {
            assert_eq!(item["outcome"], "edition-unknown", "{item}");
            let reason = item["reason"].as_str().unwrap().to_owned();
            item["citation"] = Value::Null;
            item["reason"] = json!(reason.split('`').next());
        }
        assert_eq!(found, nothing, "{hidden}");
    }
    let context = |urn: &str| json!({ "citations": ["4.2", "Table 1"], "urn": urn });
    let hidden = sent(&world, &context(world::HIDDEN_SIBLING)).await;
    assert_eq!(hidden, sent(&world, &context("urn:nsb:std:nsb:4210:ed-7:en")).await);
    // The edition before it neither names it nor says where its places went.
    let citations =
        ["NSB 4210:2019", "NSB 4210:2019, 4.2", "NSB 4210:2019, 4.2(1)", "NSB 4210", "NSB 4210, 4.99"];
    let items = Value::Array(resolved(&world, &citations).await);
    let shown = items.to_string();
    for trace in ["2025", "ed-2", "latest", "inLatest", "supersededBy", "amendedBy", "candidates"] {
        assert!(!shown.contains(trace), "{trace}: {shown}");
    }

    // With a grant it is the latest one, and the answer changes at once.
    let seen = world.grant(world::HIDDEN_SIBLING).await;
    let item = one(&world, "NSB 4210, 4.2").await;
    assert_eq!(item["urn"], world::HIDDEN_SIBLING, "{item}");
    let item = one(&world, "NSB 4210:2019, 4.2").await;
    assert_eq!(item["latest"]["urn"], world::HIDDEN_SIBLING, "{item}");
    assert_eq!(item["supersededBy"][0]["urn"], world::HIDDEN_SIBLING, "{item}");
    assert!(item["locations"][0]["inLatest"]["id"].is_string(), "{item}");
    world.store.remove_grant(seen, std::time::SystemTime::now()).await.unwrap();

    // Who may only discover the latest edition learns that it is there, and nothing of its places.
    grant(&world, world::HIDDEN_SIBLING, Level::Discover).await;
    let item = one(&world, "NSB 4210:2019, 4.2(1)").await;
    assert_eq!(item["latest"]["urn"], world::HIDDEN_SIBLING, "{item}");
    assert!(item["locations"][0].get("inLatest").is_none(), "{item}");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn amendments_are_named_where_they_may_be_seen() {
    let world = World::new().await;
    add_amendment(&world).await;
    world.grant(world::HIDDEN_SIBLING).await;
    let citations = ["NSB 4210:2025", "NSB 4210:2025, 4.1", "NSB 4210:2025/Amd 1:2026"];
    let items = resolved(&world, &citations).await;
    assert!(!json!(items[..2]).to_string().contains("amd"), "{items:?}");
    assert_eq!(items[2]["outcome"], "edition-unknown", "{items:?}");
    world.grant(AMENDMENT).await;
    let items = resolved(&world, &["NSB 4210:2025", "NSB 4210:2025, 4.1"]).await;
    for item in &items {
        assert_eq!(item["amendedBy"][0]["urn"], AMENDMENT, "{item}");
    }
    let reference = items[0]["amendedBy"][0]["reference"].as_str().unwrap().to_owned();
    let item = one(&world, &reference).await;
    assert_eq!((&item["outcome"], &item["urn"]), (&json!("resolved"), &json!(AMENDMENT)), "{item}");
    // Without its own date the year of the edition that it amends counts.
    let items = resolved(&world, &["NSB 4210:2025/Amd 1", "NSB 4210:2019/Amd 1", "NSB 4210/Amd 1"]).await;
    let urns: Vec<&Value> = items.iter().map(|item| &item["urn"]).collect();
    assert_eq!(urns, [&json!(AMENDMENT), &Value::Null, &json!(AMENDMENT)], "{items:?}");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_location_says_what_became_of_it_in_the_latest_edition() {
    let world = World::new().await;
    three_editions(&world).await;
    let citations =
        ["NSB 77:2021, 4(1)", "NSB 77:2021, 4(2)", "NSB 77:2021, 4(4)", "NSB 77:2021, 5", "NSB 77:2021, 6"];
    let items = world::eventually("all comparisons", async || {
        let items = resolved(&world, &citations).await;
        let pending = items.iter().any(|item| item["locations"][0]["inLatest"]["retry"] == true);
        (!pending).then_some(items)
    })
    .await;
    let became: Vec<(&str, &str)> = items
        .iter()
        .map(|item| {
            assert_eq!(item["latest"]["urn"], edition(3), "{item}");
            let location = &item["locations"][0]["inLatest"];
            (location["change"].as_str().unwrap(), location["label"].as_str().unwrap_or("-"))
        })
        .collect();
    let expected = [("same", "4(1)"), ("changed", "4(2)"), ("gone", "-"), ("moved", "6"), ("gone", "-")];
    assert_eq!(became, expected, "{items:?}");
    let latest = one(&world, "NSB 77:2023, 4(1)").await;
    assert!(latest.get("latest").is_none() && latest["locations"][0].get("inLatest").is_none(), "{latest}");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_input_is_refused_with_its_reason_and_one_bad_citation_spoils_no_other() {
    let world = World::new().await;
    let too_many: Vec<String> = (0..=100).map(|n| format!("NSB {n}")).collect();
    for (body, reason) in [
        (json!({ "citations": too_many }), "`max-citations`"),
        (json!({ "citations": [] }), "at least one"),
        (json!({ "citations": "NSB 4210" }), "`citations`"),
        (json!({ "ids": ["NSB 4210"] }), "`citations`"),
        (json!({ "citations": ["4.2"], "urn": "urn:nsb" }), "`urn`"),
        (json!({ "citations": ["4.2"], "urn": null }), "`urn`"),
    ] {
        let (status, answer) = sent(&world, &body).await;
        assert_eq!((status, answer["code"].as_str()), (400, Some("invalid-body")), "{body}: {answer}");
        assert!(answer["detail"].as_str().unwrap().contains(reason), "{body}: {answer}");
    }
    let long = "NSB 4210:2019, 4.2 ".repeat(600);
    let right_to_left = "\u{202e}NSB 4210:2019, 4.2";
    let items = resolved(&world, &[&long, right_to_left, "\0", "NSB 4210:2019, 4.2"]).await;
    let outcomes: Vec<&Value> = items.iter().map(|item| &item["outcome"]).collect();
    assert_eq!(outcomes, ["unreadable", "unreadable", "unreadable", "resolved"], "{items:?}");
    assert!(items[0]["reason"].as_str().unwrap().contains("500 characters"), "{}", items[0]);
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_audit_names_the_editions_of_citations_at_their_level() {
    let folder = tempfile::tempdir().unwrap();
    let audit = folder.path().join("audit.jsonl");
    let world = World::with(&[("audit-file", audit.to_str().unwrap())]).await;
    let body = json!({ "citations": ["4.2"], "urn": world::DISCOVERED });
    assert_eq!(sent(&world, &body).await.0, 200);
    resolved(&world, &["NSB 4210:2019, 4.2", "NSB 4210:2019, 4.3", "NSB 4210:2025, 4.2"]).await;
    resolved(&world, &["NSB 4210:2025, 4.2"]).await;
    world.stop().await;
    let lines = std::fs::read_to_string(audit).unwrap();
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let named: Vec<(&Value, &Value)> =
        lines.iter().map(|line| (&line["read"], &line["discovered"])).collect();
    let expected = [(Value::Null, json!([world::DISCOVERED])), (json!([world::SIBLING]), Value::Null)];
    let expected: Vec<(&Value, &Value)> =
        expected.iter().map(|(read, discovered)| (read, discovered)).collect();
    assert_eq!(named, expected, "{lines:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_for_a_citation_finds_what_it_cites_alone() {
    let world = World::new().await;
    world.searched().await;
    let search = async |query: &str| -> Value {
        let answer = world.get(&format!("{}?{query}", Operation::Search.path())).send().await.unwrap();
        assert_eq!(answer.status(), 200, "{query}");
        answer.json().await.unwrap()
    };
    for (query, kind, label) in [
        ("NSB%204210:2019,%204.2(1)", "provision", "4.2(1)"),
        ("Table%202%20of%20NSB%204210:2019", "table", "Table 2"),
        ("NSB%204210,%20Annex%20A", "section", "Annex A"),
    ] {
        let answer = search(&format!("q={query}")).await;
        let first = &answer["items"][0];
        let found = (&first["kind"], &first["label"], &first["urn"]);
        assert_eq!(found, (&json!(kind), &json!(label), &json!(world::SIBLING)), "{answer}");
        assert_eq!((&answer["total"], answer["items"].as_array().unwrap().len()), (&json!(1), 1), "{answer}");
        assert_eq!(answer.get("next"), None, "{answer}");
    }
    // What is hidden, only discovered or not there is not found.
    for query in ["NSB%204210:2025,%204.2(1)", "NSB%204220,%204(1)", "NSB%204210:2019,%204.99"] {
        assert_eq!(search(&format!("q={query}")).await["total"], 0, "{query}");
    }
    let filtered = search("q=NSB%204210:2019,%204.2(1)&type=permission").await;
    assert_eq!(filtered["total"], 0, "{filtered}");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_selection_may_be_a_printed_citation_of_parts() {
    let world = World::new().await;
    for (printed, canonical) in [
        ("Clause 4.2", "4.2"),
        ("4.2 (1)", "4.2(1)"),
        ("§ 4.2", "4.2"),
        ("Annexe A", "A"),
        ("Tables 1 and 2", "table:1,2"),
        ("4.1 bis 4.3", "4.1-4.3"),
        ("Abschnitt 4.2 Absatz 1", "4.2"),
    ] {
        let answer = async |selection: &str| {
            let path = Operation::Selection.path_with(&[world::SIBLING, selection]);
            let answer = world.get(&path).send().await.unwrap();
            assert_eq!(answer.status(), 200, "{selection}");
            answer.json::<Value>().await.unwrap()
        };
        let (found, expected) = (answer(printed).await, answer(canonical).await);
        assert_eq!(found["selection"]["canonical"], canonical, "{printed}");
        assert_eq!(found["items"], expected["items"], "{printed}");
    }
    world.stop().await;
}
