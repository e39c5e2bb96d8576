//! Quotations over HTTP: verdicts on invented editions.

use norma_api::Operation;
use serde_json::{Value, json};

use crate::world::{self, World};

pub(crate) const FIRST: &str = "urn:nsb:std:nsb:4292:ed-1:en";
pub(crate) const SECOND: &str = "urn:nsb:std:nsb:4292:ed-2:en";

/// An edition of a standard on kilns.
fn kilns(edition: u32, published_on: &str, load: &str) -> String {
    let year = &published_on[..4];
    format!(
        "<standard xml:lang=\"en\"><front><std-meta><title-wrap xml:lang=\"en\"><main>Kilns</main></title-wrap>\
         <std-ident><originator>NSB</originator><doc-type>IS</doc-type><doc-number>4292</doc-number>\
         <edition>{edition}</edition></std-ident><content-language>en</content-language>\
         <std-ref type=\"dated\">NSB 4292:{year}</std-ref><release-date>{published_on}</release-date></std-meta>\
         </front><body>\
         <sec id=\"s1\"><label>4</label><title>Kiln</title>\
         <sec id=\"s2\"><label>4.1</label><title>Door</title>\
         <p>The door of the kiln shall not be opened while the chamber glows, unless a keeper wears gloves.</p>\
         <p>Kilns of this family were built by hand in narrow valleys.</p></sec>\
         <sec id=\"s3\"><label>4.2</label><title>Shelf</title>\
         <p>Each shelf of the kiln shall carry a load of at least {load} kg.</p>\
         <p>Paint should be removed from the shelf before the first fire.</p></sec></sec>\
         <sec id=\"s4\"><label>5</label><title>Marks</title>\
         <p>Paint should be removed from the shelf before the first fire.</p>\
         <p>A kiln is marked with:</p><list list-type=\"alpha-lower\">\
         <list-item><label>a)</label><p>the name of the potter, which shall be legible from two metres.</p>\
         </list-item></list>\
         <table-wrap id=\"t1\"><label>Table 1</label><caption><title>Glow of the chamber</title></caption>\
         <table><thead><tr><th>Colour</th><th>Celsius</th></tr></thead><tbody>\
         <tr><td>cherry red heat</td><td>750</td></tr></tbody></table></table-wrap></sec>\
         </body></standard>"
    )
}

const DOOR: &str =
    "The door of the kiln shall not be opened while the chamber glows, unless a keeper wears gloves.";
pub(crate) const SHELF: &str = "Each shelf of the kiln shall carry a load of at least 40 kg.";
const PAINT: &str = "Paint should be removed from the shelf before the first fire.";
const VALLEYS: &str = "Kilns of this family were built by hand in narrow valleys.";

pub(crate) async fn with_kilns(own: &[(&str, &str)]) -> World {
    let world = World::with(own).await;
    world.add(&kilns(1, "2019-06-12", "25"), FIRST).await;
    world.add(&kilns(2, "2024-03-05", "40"), SECOND).await;
    world
}

async fn searched_kilns() -> World {
    let world = with_kilns(&[]).await;
    world.searched().await;
    world
}

pub(crate) async fn sent(world: &World, body: &Value) -> (u16, Value) {
    let url = format!("{}{}", world.running.public_url, Operation::VerifyQuotations.path());
    let answer = world.http.post(url).bearer_auth(world.reader()).json(body).send().await.unwrap();
    (answer.status().as_u16(), answer.json().await.unwrap())
}

pub(crate) async fn verified(world: &World, quotations: Value) -> Vec<Value> {
    let (status, answer) = sent(world, &json!({ "quotations": quotations })).await;
    assert_eq!(status, 200, "{answer}");
    answer["items"].as_array().unwrap().clone()
}

pub(crate) async fn one(world: &World, text: &str, citation: &str) -> Value {
    verified(world, json!([{ "text": text, "citation": citation }])).await.remove(0)
}

/// The citations of units.
fn cites(units: &Value) -> Vec<&str> {
    units.as_array().unwrap().iter().map(|unit| unit["cite"].as_str().unwrap_or("-")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_true_quotation_is_found_with_its_whole_unit_and_a_citation_that_leads_there() {
    let world = searched_kilns().await;
    for (text, citation, verdict, cite) in [
        (DOOR, "NSB 4292:2024, 4.1(1)", "exact", "NSB 4292:2024, 4.1(1)"),
        (DOOR, "NSB 4292:2024", "exact", "NSB 4292:2024, 4.1(1)"),
        (DOOR, "NSB 4292, Clause 4", "exact", "NSB 4292:2024, 4.1(1)"),
        (SHELF, "NSB 4292:2024, 4.2(1)", "exact", "NSB 4292:2024, 4.2(1)"),
        (
            "each shelf of the kiln shall  carry a load\nof at least 40 kg",
            "NSB 4292:2024",
            "normalised",
            "NSB 4292:2024, 4.2(1)",
        ),
        (
            "4.2 Shelf Each shelf of the kiln shall carry a load of at least 40 kg.",
            "NSB 4292:2024, 4.2",
            "normalised",
            "NSB 4292:2024, 4.2(1)",
        ),
        (VALLEYS, "NSB 4292:2024, 4.1", "exact", "NSB 4292:2024, 4.1"),
        ("cherry red heat 750", "NSB 4292:2024, Table 1", "normalised", "NSB 4292:2024, Table 1"),
    ] {
        let item = one(&world, text, citation).await;
        assert_eq!((&item["verdict"], cites(&item["units"])), (&json!(verdict), vec![cite]), "{item}");
        assert_eq!((&item["urn"], &item["reference"]), (&json!(SECOND), &json!("NSB 4292:2024")), "{item}");
        assert_eq!(item["access"], "read", "{item}");
        assert_eq!(item.get("unverifiedCause"), None, "{item}");
        if citation != "NSB 4292:2024" {
            assert_eq!(item["atCitedLocation"], true, "{item}");
        }
        // The citation leads to the unit.
        let url = format!("{}{}", world.running.public_url, Operation::ResolveCitations.path());
        let body = json!({ "citations": [cite] });
        let resolved = world.http.post(url).bearer_auth(world.reader()).json(&body).send().await.unwrap();
        let resolved: Value = resolved.json().await.unwrap();
        assert_eq!(resolved["items"][0]["locations"][0]["id"], item["units"][0]["id"], "{resolved}");
    }
    let item = one(&world, DOOR, "NSB 4292:2024").await;
    let unit = &item["units"][0];
    assert_eq!(
        (&unit["kind"], &unit["type"], &unit["text"]),
        (&json!("provision"), &json!("requirement"), &json!(DOOR))
    );
    assert_eq!((&unit["section"]["number"], &unit["section"]["title"]), (&json!("4.1"), &json!("Door")));
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_left_out_or_changed_is_named() {
    let world = searched_kilns().await;
    let item =
        one(&world, "The door of the kiln shall not be opened while the chamber glows", "NSB 4292:2024, 4.1")
            .await;
    assert_eq!(item["verdict"], "partial", "{item}");
    assert_eq!(item["omissions"][0]["text"], "unless a keeper wears gloves", "{item}");
    assert!(item["omissions"][0]["critical"].as_array().unwrap().contains(&json!("exception")), "{item}");
    let item =
        one(&world, "the name of the potter, which shall be legible from two metres.", "NSB 4292:2024").await;
    assert_eq!(
        (&item["verdict"], &item["omissions"][0]["critical"]),
        (&json!("partial"), &json!(["lead-in"])),
        "{item}"
    );
    assert_eq!(item["units"][0]["leadIn"], "A kiln is marked with:", "{item}");
    for (text, quoted, actual, critical) in [
        (SHELF.replace("40", "45"), "45", "40", "number"),
        (SHELF.replace("kg", "lb"), "lb", "kg", "unit"),
        (SHELF.replace("least", "most"), "most", "least", "comparator"),
        (SHELF.replace("shall", "should"), "should", "shall", "verb"),
        (SHELF.replace("shall carry", "shall not carry"), "not", "", "negation"),
    ] {
        let item = one(&world, &text, "NSB 4292:2024, 4.2(1)").await;
        assert_eq!((&item["verdict"], &item["atCitedLocation"]), (&json!("altered"), &json!(true)), "{item}");
        let change = json!({ "quoted": quoted, "actual": actual, "critical": critical });
        assert_eq!(item["changes"], json!([change]), "{item}");
        assert_eq!(cites(&item["units"]), ["NSB 4292:2024, 4.2(1)"], "{item}");
    }
    let item = one(&world, &SHELF.replace("kiln", "oven"), "NSB 4292:2024").await;
    assert_eq!(item["changes"], json!([{ "quoted": "oven", "actual": "kiln" }]), "{item}");
    let item = one(&world, "Bells of bronze ring at noon in every harbour.", "NSB 4292:2024, 4.1").await;
    assert_eq!((&item["verdict"], &item["units"]), (&json!("absent"), &json!([])), "{item}");
    assert_eq!((item.get("atCitedLocation"), item.get("changes")), (None, None), "{item}");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_true_quotation_at_another_location_is_seen() {
    let world = searched_kilns().await;
    for (citation, is_there) in
        [("NSB 4292:2024, 4.1", false), ("NSB 4292:2024, 4.2(2)", false), ("NSB 4292:2024, 4", true)]
    {
        let item = one(&world, SHELF, citation).await;
        assert_eq!(
            (&item["verdict"], &item["atCitedLocation"]),
            (&json!("exact"), &json!(is_there)),
            "{citation}: {item}"
        );
        assert_eq!(item.get("reason"), None, "{item}");
    }
    let item = one(&world, SHELF, "NSB 4292:2024, 4.9").await;
    assert_eq!((&item["verdict"], &item["atCitedLocation"]), (&json!("exact"), &json!(false)), "{item}");
    assert_eq!(item["reason"], "The edition has no `4.9`.", "{item}");
    // Of equal units the one at the cited place is meant.
    for (citation, cite) in [
        ("NSB 4292:2024, 4.2", "NSB 4292:2024, 4.2(2)"),
        ("NSB 4292:2024, 5", "NSB 4292:2024, 5(1)"),
        ("NSB 4292:2024", "NSB 4292:2024, 4.2(2)"),
    ] {
        let item = one(&world, PAINT, citation).await;
        assert_eq!(
            (&item["verdict"], cites(&item["units"])),
            (&json!("exact"), vec![cite]),
            "{citation}: {item}"
        );
    }
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn ids_and_urns_say_where_a_quotation_is_from() {
    let world = searched_kilns().await;
    let item = one(&world, SHELF, "NSB 4292:2024").await;
    let id = item["units"][0]["id"].clone();
    let quotations = json!([
        { "text": SHELF, "id": id },
        { "text": SHELF, "id": id, "urn": SECOND },
        { "text": SHELF, "id": "s1", "urn": "urn:nsb:std:nsb:4292" },
        { "text": DOOR, "id": id },
        { "text": SHELF, "urn": SECOND, "citation": "Clause 4.2" },
        { "text": SHELF, "urn": "urn:nsb:std:nsb:4292" },
        { "text": SHELF, "urn": SECOND, "id": "s9" },
        { "text": SHELF, "id": "prv_aaaaaaaaaaaaaaaaaaaaaaaaaa" },
        { "text": SHELF, "id": "s1" },
        { "text": SHELF, "citation": "4.2(1)" },
        { "text": SHELF },
        { "text": SHELF, "citation": "see above" },
    ]);
    let found: Vec<(String, Value)> = verified(&world, quotations)
        .await
        .iter()
        .map(|item| {
            let cause = item["unverifiedCause"].as_str().unwrap_or("-");
            (format!("{} {cause}", item["verdict"].as_str().unwrap()), item["atCitedLocation"].clone())
        })
        .collect();
    let expected = [
        ("exact -", json!(true)),
        ("exact -", json!(true)),
        ("exact -", json!(true)),
        ("exact -", json!(false)),
        ("exact -", json!(true)),
        ("exact -", Value::Null),
        ("exact -", json!(false)),
        ("unverified edition-unknown", Value::Null),
        ("unverified no-source", Value::Null),
        ("unverified no-source", Value::Null),
        ("unverified no-source", Value::Null),
        ("unverified citation-unreadable", Value::Null),
    ];
    let expected: Vec<(String, Value)> =
        expected.into_iter().map(|(verdict, is_there)| (verdict.to_owned(), is_there)).collect();
    assert_eq!(found, expected);
    // The URN of the body is that of quotations without one.
    let body = json!({ "quotations": [{ "text": SHELF }, { "text": SHELF, "urn": FIRST }], "urn": SECOND });
    let (_, answer) = sent(&world, &body).await;
    let urns: Vec<&Value> = answer["items"].as_array().unwrap().iter().map(|item| &item["urn"]).collect();
    assert_eq!(urns, [SECOND, FIRST], "{answer}");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_quotation_of_another_edition_is_found_there_if_that_may_be_read() {
    let world = searched_kilns().await;
    let item = one(&world, SHELF, "NSB 4292:2019, 4.2(1)").await;
    assert_eq!((&item["verdict"], &item["urn"]), (&json!("other-edition"), &json!(FIRST)), "{item}");
    assert_eq!(item["changes"], json!([{ "quoted": "40", "actual": "25", "critical": "number" }]), "{item}");
    assert_eq!(cites(&item["units"]), ["NSB 4292:2019, 4.2(1)"], "{item}");
    assert_eq!(
        (&item["foundIn"]["urn"], cites(&item["foundIn"]["units"])),
        (&json!(SECOND), vec!["NSB 4292:2024, 4.2(1)"]),
        "{item}"
    );
    assert_eq!((&item["latest"]["urn"], &item["status"]), (&json!(SECOND), &json!("superseded")), "{item}");
    // Also from the newer to the older one.
    let older = SHELF.replace("40", "25");
    let item = one(&world, &older, "NSB 4292:2024").await;
    assert_eq!(
        (&item["verdict"], &item["foundIn"]["reference"]),
        (&json!("other-edition"), &json!("NSB 4292:2019")),
        "{item}"
    );
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn editions_of_a_day_alone_count_for_a_request_with_one() {
    let world = searched_kilns().await;
    let at = async |quotation: Value, day: &str| {
        let (status, answer) = sent(&world, &json!({ "quotations": [quotation], "at": day })).await;
        assert_eq!(status, 200, "{answer}");
        answer["items"][0].clone()
    };
    let undated = json!({ "text": SHELF, "citation": "NSB 4292, 4.2" });
    let item = at(undated.clone(), "2024-03-05").await;
    assert_eq!((&item["verdict"], &item["urn"]), (&json!("exact"), &json!(SECOND)), "{item}");
    let item = at(undated, "2024-03-04").await;
    assert_eq!((&item["verdict"], &item["urn"]), (&json!("altered"), &json!(FIRST)), "{item}");
    for later in ["latest", "foundIn", "supersededBy"] {
        assert_eq!(item.get(later), None, "{item}");
    }
    let urn = at(json!({ "text": SHELF, "urn": "urn:nsb:std:nsb:4292" }), "2020-01-01").await;
    assert_eq!(urn["urn"], FIRST, "{urn}");
    for quotation in [
        json!({ "text": SHELF, "citation": "NSB 4292:2024, 4.2" }),
        json!({ "text": SHELF, "urn": SECOND }),
        json!({ "text": SHELF, "citation": "NSB 4292" }),
    ] {
        let day = if quotation["citation"] == "NSB 4292" { "2018-12-31" } else { "2024-03-04" };
        let item = at(quotation, day).await;
        assert_eq!(item["unverifiedCause"], "edition-unknown", "{item}");
        assert!(item["reason"].as_str().unwrap().contains(day), "{item}");
    }
    // Citations are resolved alike.
    let url = format!("{}{}", world.running.public_url, Operation::ResolveCitations.path());
    let body = json!({ "citations": ["NSB 4292, 4.2", "NSB 4292:2024, 4.2", "NSB 4292:2019, 4.2"], "at": "2023-01-01" });
    let resolved = world.http.post(url).bearer_auth(world.reader()).json(&body).send().await.unwrap();
    let resolved: Value = resolved.json().await.unwrap();
    let outcomes: Vec<(&Value, &Value, bool)> = resolved["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| (&item["outcome"], &item["urn"], item.get("latest").is_some()))
        .collect();
    let expected = [
        (&json!("resolved"), &json!(FIRST), false),
        (&json!("edition-unknown"), &Value::Null, false),
        (&json!("resolved"), &json!(FIRST), false),
    ];
    assert_eq!(outcomes, expected, "{resolved}");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_index_a_quotation_is_found_at_its_location_or_not_verified() {
    let world = with_kilns(&[("search", "false")]).await;
    let item = one(&world, SHELF, "NSB 4292:2024, 4.2").await;
    assert_eq!((&item["verdict"], &item["atCitedLocation"]), (&json!("exact"), &json!(true)), "{item}");
    for (text, citation) in [
        (SHELF, "NSB 4292:2024"),
        (SHELF, "NSB 4292:2024, 4.1"),
        ("Bells of bronze ring at noon in every harbour.", "NSB 4292:2024, 4.2"),
        ("Each shelf of the kiln shall carry a load of at least 45 kg.", "NSB 4292:2024, 4.2"),
    ] {
        let item = one(&world, text, citation).await;
        let cause = (&item["verdict"], &item["unverifiedCause"], item.get("retry"));
        assert_eq!(cause, (&json!("unverified"), &json!("not-indexed"), None), "{item}");
        assert_eq!(item["units"], json!([]), "{item}");
    }
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_the_index_is_built_a_quotation_is_not_absent() {
    let world = with_kilns(&[]).await;
    let text = "Bells of bronze ring at noon in every harbour.";
    world::eventually("a verdict", async || {
        let item = one(&world, text, "NSB 4292:2024").await;
        if item["verdict"] == "absent" {
            return Some(());
        }
        let cause = (&item["unverifiedCause"], &item["retry"]);
        assert_eq!(cause, (&json!("not-indexed"), &json!(true)), "{item}");
        None
    })
    .await;
    let found = world.get(&format!("{}?q=bells", Operation::Search.path())).send().await.unwrap();
    assert_eq!(found.json::<Value>().await.unwrap()["total"], 0);
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_input_is_refused_with_its_reason_and_one_bad_quotation_spoils_no_other() {
    let world = searched_kilns().await;
    let many = |count: usize| vec![json!({ "text": SHELF, "urn": SECOND }); count];
    for (body, reason) in [
        (json!({ "quotations": many(101) }), "`max-quotations`"),
        (json!({ "quotations": [] }), "at least one"),
        (json!({ "quotations": SHELF }), "`quotations`"),
        (json!({ "quotations": [SHELF] }), "`quotations`"),
        (json!({ "citations": [SHELF] }), "`quotations`"),
        (json!({ "quotations": [{ "text": SHELF, "urn": null }] }), "`quotations`"),
        (json!({ "quotations": [{ "text": SHELF, "citation": "4.2", "id": "s1" }] }), "`quotations`"),
        (json!({ "quotations": many(1), "urn": null }), "`quotations`"),
        (json!({ "quotations": many(1), "at": null }), "`quotations`"),
        (json!({ "quotations": many(1), "at": "2024" }), "`at`"),
        (json!({ "quotations": many(1), "at": "2024-02-30" }), "`at`"),
        (json!({ "quotations": [{ "text": SHELF, "urn": "urn:nsb" }] }), "`urn`"),
    ] {
        let (status, answer) = sent(&world, &body).await;
        assert_eq!((status, answer["code"].as_str()), (400, Some("invalid-body")), "{body}: {answer}");
        assert!(answer["detail"].as_str().unwrap().contains(reason), "{body}: {answer}");
    }
    let long = format!("{SHELF} ").repeat(40);
    let texts = [
        "eleven char",
        "twelve chars",
        &long[..2000],
        &"a".repeat(2001),
        "12 34 56 78 90 12",
        "\u{202e}.gk 04 tsael ta fo daol a yrrac llahs nlik eht fo flehs hcaE",
        "\u{5db}\u{5dc} \u{5de}\u{5d3}\u{5e3} \u{5e9}\u{5dc} \u{5d4}\u{5db}\u{5d1}\u{5e9}\u{5df} \u{5d9}\u{5d9}\u{5e9}\u{5d0}",
        SHELF,
    ];
    let quotations: Vec<Value> = texts.iter().map(|text| json!({ "text": text, "urn": SECOND })).collect();
    let items = verified(&world, json!(quotations)).await;
    let causes: Vec<&str> = items
        .iter()
        .map(|item| item["unverifiedCause"].as_str().unwrap_or(item["verdict"].as_str().unwrap()))
        .collect();
    let unreadable = "quotation-unreadable";
    assert_eq!(causes[0], unreadable, "{items:?}");
    assert_eq!(causes[1], "absent", "{items:?}");
    assert_ne!(causes[2], unreadable, "{items:?}");
    assert_eq!(causes[3..5], [unreadable, unreadable], "{items:?}");
    assert_eq!(causes[5..], ["absent", "absent", "exact"], "{items:?}");
    // A hundred of the longest fit into a request.
    let quotations: Vec<Value> = (0..100)
        .map(|n| json!({ "text": format!("{n} {}", &long[..1990]), "citation": "NSB 4292:2024, 4.2" }))
        .collect();
    let items = verified(&world, json!(quotations)).await;
    assert_eq!(items.len(), 100);
    world.stop().await;
}
