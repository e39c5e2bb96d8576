//! Quotations over HTTP: what a caller learns at each level of access, and what the audit names.

use norma_api::Operation;
use norma_store::Level;
use serde_json::{Value, json};

use crate::amendments::{AMENDMENT, add_amendment, grant};
use crate::quotations::{FIRST, SECOND, SHELF, one, sent, verified, with_kilns};
use crate::world::{self, World};

#[tokio::test(flavor = "multi_thread")]
async fn a_caller_learns_of_no_text_that_they_may_not_read() {
    let world = World::new().await;
    world.searched().await;
    let thread = "The locking point shall not be fastened by a thread that can be undone by hand.";
    // A hidden edition is answered like one that does not exist.
    for (hidden, absent) in [
        (json!({ "citation": "NSB 4210:2025, 4.2" }), json!({ "citation": "NSB 4210:2027, 4.2" })),
        (json!({ "urn": world::HIDDEN_SIBLING }), json!({ "urn": "urn:nsb:std:nsb:4210:ed-7:en" })),
        (json!({ "urn": "urn:nsb:std:nsb:ts:4250" }), json!({ "urn": "urn:nsb:std:nsb:ts:4259" })),
    ] {
        let mut found = Vec::new();
        for mut source in [hidden, absent] {
            source["text"] = json!(thread);
            let mut item = verified(&world, json!([source])).await.remove(0);
            assert_eq!(item["unverifiedCause"], "edition-unknown", "{item}");
            item["reason"] = json!(item["reason"].as_str().unwrap().split('`').next());
            found.push(item);
        }
        assert_eq!(found[0], found[1]);
    }
    // What only the hidden edition has is absent, and nothing names that edition.
    let item = one(&world, thread, "NSB 4210:2019, 4.2").await;
    assert_eq!(item["verdict"], "exact", "{item}");
    assert!(!item.to_string().contains("2025"), "{item}");
    let only_newer = "ISO 1461:2022 Hot dip galvanized coatings on fabricated iron and steel articles";
    let before = one(&world, only_newer, "NSB 4210:2019").await;
    assert!(!before.to_string().contains("2025") && before.get("foundIn").is_none(), "{before}");

    // Of an edition that may only be discovered nothing of the text is said.
    let list = format!("{}?urn={}", Operation::Standards.path(), world::DISCOVERED);
    let list: Value = world.get(&list).send().await.unwrap().json().await.unwrap();
    let reference = list["items"][0]["reference"].as_str().unwrap().to_owned();
    let texts = [
        "Bells of bronze ring at noon in every harbour.",
        "The infusion shall be made with water that boils.",
    ];
    let mut answers = Vec::new();
    for text in texts {
        for location in ["", ", 4", ", 4(1)", ", 4(99)", ", Table 9"] {
            let item = one(&world, text, &format!("{reference}{location}")).await;
            assert_eq!(item["unverifiedCause"], "not-licensed", "{item}");
            assert_eq!((&item["access"], &item["units"]), (&json!("discover"), &json!([])), "{item}");
            answers.push(item);
        }
    }
    assert!(answers.iter().all(|item| *item == answers[0]), "{answers:?}");
    // With a grant to discover the newer edition, it is named and not looked at.
    grant(&world, world::HIDDEN_SIBLING, Level::Discover).await;
    let item = one(&world, only_newer, "NSB 4210:2019").await;
    assert_eq!((&item["verdict"], item.get("foundIn")), (&before["verdict"], None), "{item}");
    assert_eq!(item["latest"]["urn"], world::HIDDEN_SIBLING, "{item}");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn amendments_of_what_is_quoted_are_named() {
    let world = World::new().await;
    add_amendment(&world).await;
    world.grant(world::HIDDEN_SIBLING).await;
    world.grant(AMENDMENT).await;
    world.searched().await;
    let item = one(&world, "An anchor may fold flat when it is not in use.", "NSB 4210:2025, 4.1").await;
    assert!(matches!(item["verdict"].as_str(), Some("exact" | "normalised")), "{item}");
    assert_eq!(item["amendedBy"][0]["urn"], AMENDMENT, "{item}");
    assert_eq!(item["units"][0]["amendedBy"][0]["urn"], AMENDMENT, "{item}");
    let body = json!({
        "quotations": [{ "text": "An anchor may fold flat when it is not in use.", "urn": world::HIDDEN_SIBLING }],
        "at": "2026-08-16",
    });
    let (_, answer) = sent(&world, &body).await;
    assert!(!answer.to_string().contains("amendedBy"), "{answer}");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_audit_names_the_editions_of_quotations_and_whether_their_text_was_shown() {
    let folder = tempfile::tempdir().unwrap();
    let audit = folder.path().join("audit.jsonl");
    let world = with_kilns(&[("audit-file", audit.to_str().unwrap())]).await;
    world.searched().await;
    one(&world, SHELF, "NSB 4292:2024").await;
    one(&world, SHELF, "NSB 4292:2019").await;
    one(&world, "Bells of bronze ring at noon in every harbour.", "NSB 4292:2019").await;
    verified(&world, json!([{ "text": SHELF, "urn": world::DISCOVERED }])).await;
    one(&world, SHELF, "NSB 4210:2025, 4.2").await;
    world.stop().await;
    let lines = std::fs::read_to_string(audit).unwrap();
    let mut lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    lines.retain(|line| line["part"] == Operation::VerifyQuotations.path());
    let named: Vec<(&Value, &Value)> =
        lines.iter().map(|line| (&line["read"], &line["discovered"])).collect();
    let expected = [
        (json!([SECOND]), Value::Null),
        (json!([FIRST, SECOND]), Value::Null),
        (Value::Null, json!([FIRST])),
        (Value::Null, json!([world::DISCOVERED])),
    ];
    let expected: Vec<(&Value, &Value)> =
        expected.iter().map(|(read, discovered)| (read, discovered)).collect();
    assert_eq!(named, expected, "{lines:?}");
}
