//! Amendments that meet, that are recalled or amended themselves, and what callers learn of a withdrawal or
//! recall.

use std::path::Path;
use std::time::SystemTime;

use norma_api::Operation;
use norma_store::Level;
use serde_json::Value;

use crate::amendments::{AMENDMENT, BASE, add_amendment, answer, grant, json, provision_with};
use crate::world::{self, World};

const SECOND: &str = "urn:nsb:std:nsb:4210:amd:2:ed-2:en";

/// The sample amendment as a second one of a later year. It amends what `amends` says.
fn second_amendment(amends: &str) -> String {
    let sample =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/bicycle-anchors-amd1/document.xml");
    let document = std::fs::read_to_string(sample).unwrap();
    document
        .replace(
            "<std-ref type=\"dated\">NSB 4210:2025</std-ref>",
            &format!("<std-ref type=\"dated\">{amends}</std-ref>"),
        )
        .replace("<suppl-number>1</suppl-number>", "<suppl-number>2</suppl-number>")
        .replace(
            "NSB 4210:2025/Amd 1:2026</std-ref>\n      <std-ref type=\"undated\">NSB 4210/Amd 1",
            "NSB 4210:2025/Amd 2:2027</std-ref>\n      <std-ref type=\"undated\">NSB 4210/Amd 2",
        )
        .replace(
            "<doc-ref>NSB 4210:2025/Amd 1:2026(en)</doc-ref>",
            "<doc-ref>NSB 4210:2025/Amd 2:2027(en)</doc-ref>",
        )
        .replace("<release-date>2026-08-17</release-date>", "<release-date>2027-02-01</release-date>")
}

/// The references of the amendments in an answer, in their order.
fn references(answer: &Value) -> Vec<&str> {
    let changes = answer["amendedBy"].as_array().map_or(&[][..], Vec::as_slice);
    let mut references: Vec<&str> = changes.iter().map(|one| one["reference"].as_str().unwrap()).collect();
    references.dedup();
    references
}

#[tokio::test(flavor = "multi_thread")]
async fn two_amendments_of_one_provision_are_named_in_the_order_of_their_publication() {
    let world = World::new().await;
    world.grant(BASE).await;
    let provision = provision_with(&world, "An anchor may fold flat").await;
    let path = Operation::Provision.path_with(&[&provision]);
    let untouched = answer(&world, &path).await;
    world.add(&second_amendment("NSB 4210:2025"), SECOND).await;
    add_amendment(&world).await;
    grant(&world, AMENDMENT, Level::Read).await;

    let touched = json(&world, &path).await;
    assert_eq!(references(&touched), ["NSB 4210:2025/Amd 1:2026", "NSB 4210:2025/Amd 2:2027"]);
    assert_eq!(touched["amendedBy"][0]["targets"], touched["amendedBy"][1]["targets"]);

    world.store.recall(&SECOND.parse().unwrap(), "misprint", None, SystemTime::now()).await.unwrap();
    assert_eq!(references(&json(&world, &path).await), ["NSB 4210:2025/Amd 1:2026"]);
    world.store.recall(&AMENDMENT.parse().unwrap(), "misprint", None, SystemTime::now()).await.unwrap();
    assert_eq!(answer(&world, &path).await, untouched);
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_amendment_of_an_amendment_is_shown_with_the_latter() {
    let world = World::new().await;
    add_amendment(&world).await;
    grant(&world, AMENDMENT, Level::Read).await;
    let path = Operation::Metadata.path_with(&[AMENDMENT]);
    assert_eq!(json(&world, &path).await.get("amendedBy"), None);
    world.add(&second_amendment("NSB 4210:2025/Amd 1:2026"), SECOND).await;
    assert_eq!(references(&json(&world, &path).await), ["NSB 4210:2025/Amd 2:2027"]);
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_notice_of_a_withdrawal_is_in_metadata_and_lists_and_goes_with_it() {
    let world = World::new().await;
    let metadata = Operation::Metadata.path_with(&[world::READ]);
    let list = format!("{}?urn={}", Operation::Standards.path(), world::READ);
    let [before, listed_before] = [answer(&world, &metadata).await, answer(&world, &list).await];
    let urn = world::READ.parse().unwrap();
    world.store.withdraw(&urn, Some("Replaced by a national law."), SystemTime::now()).await.unwrap();

    let withdrawn = json(&world, &metadata).await;
    assert_eq!(
        (&withdrawn["status"], &withdrawn["notice"]),
        (&"withdrawn".into(), &"Replaced by a national law.".into())
    );
    assert_eq!(withdrawn["withdrawnOn"].as_str().unwrap().len(), "2026-01-01".len());
    let row = &json(&world, &list).await["items"][0];
    assert_eq!((&row["notice"], &row["withdrawnOn"]), (&withdrawn["notice"], &withdrawn["withdrawnOn"]));

    world.store.reinstate(&urn, SystemTime::now()).await.unwrap();
    assert_eq!(answer(&world, &metadata).await, before);
    // The list says when the catalogue changed a standard last.
    let listed = answer(&world, &list).await.2;
    assert_eq!(listed.contains("notice"), listed_before.2.contains("notice"));
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_notice_of_a_recall_is_for_callers_with_a_grant_and_the_reason_for_nobody() {
    let world = World::new().await;
    let path = Operation::Metadata.path_with(&[world::READ]);
    let urn = world::READ.parse().unwrap();
    let stranger = world.stranger();
    let unknown = world.ask(Operation::Metadata, &path, Some(&stranger)).await;
    world.store.recall(&urn, "secret", Some("Table 2 has wrong limits."), SystemTime::now()).await.unwrap();

    let (status, _, body) = answer(&world, &path).await;
    assert_eq!(status, 410, "{body}");
    assert!(body.contains("Table 2 has wrong limits.") && !body.contains("secret"), "{body}");
    let still = world.ask(Operation::Metadata, &path, Some(&stranger)).await;
    assert_eq!((still.0, still.1), (unknown.0, unknown.1));
    assert!(!still.2.contains("wrong limits"), "{}", still.2);
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edition_whose_successor_was_recalled_says_so_to_callers_who_may_see_that_one() {
    let world = World::new().await;
    world.grant(world::SIBLING).await;
    let path = Operation::Metadata.path_with(&[world::SIBLING]);
    let superseded = json(&world, &path).await;
    assert_eq!((&superseded["status"], superseded.get("statusReason")), (&"superseded".into(), None));

    world.store.recall(&BASE.parse().unwrap(), "misprint", None, SystemTime::now()).await.unwrap();
    for urn in ["urn:nsb:std:nsb:4210:ed-2:de", "urn:nsb:std:nsb:4210:ed-2:fr"] {
        world.store.recall(&urn.parse().unwrap(), "misprint", None, SystemTime::now()).await.unwrap();
    }
    let hidden = json(&world, &path).await;
    assert_eq!((&hidden["status"], hidden.get("statusReason")), (&"published".into(), None));
    grant(&world, BASE, Level::Discover).await;
    let seen = json(&world, &path).await;
    assert_eq!((&seen["status"], &seen["statusReason"]), (&"published".into(), &"successor-recalled".into()));
    assert!(!seen.to_string().contains("ed-2"), "{seen}");
    world.stop().await;
}
