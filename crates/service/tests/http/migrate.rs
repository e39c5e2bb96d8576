//! Migration over HTTP: the counterparts of ids and labels, and what changed.

use std::time::SystemTime;

use norma_api::Operation;
use serde_json::{Value, json};

use crate::lineage::{NEWER, OLDER, get, pair};
use crate::world::{self, World};

async fn migrate(world: &World, urn: &str, query: &str, body: &Value) -> (u16, Value) {
    let path = Operation::Migrate.path_with(&[urn]);
    let request = world.http.post(format!("{}{path}{query}", world.running.public_url));
    let answer = request.bearer_auth(world.reader()).json(body).send().await.unwrap();
    (answer.status().as_u16(), answer.json().await.unwrap())
}

pub(crate) fn edition(n: usize) -> String {
    format!("urn:nsb:std:nsb:77:ed-{n}:en")
}

/// An edition of a standard on boxes: the sections with their numbers, titles and paragraphs.
fn boxes(n: usize, sections: &[(&str, &str, &[&str])]) -> String {
    let section = |(at, (number, title, paragraphs)): (usize, &(&str, &str, &[&str]))| {
        let text: String = paragraphs.iter().map(|text| format!("<p>{text}</p>")).collect();
        format!("<sec id=\"s{at}\"><label>{number}</label><title>{title}</title>{text}</sec>")
    };
    let body: String = sections.iter().enumerate().map(section).collect();
    format!(
        "<standard xml:lang=\"en\"><front><std-meta><title-wrap xml:lang=\"en\"><main>Boxes</main></title-wrap>\
         <std-ident><originator>NSB</originator><doc-type>IS</doc-type><doc-number>77</doc-number>\
         <edition>{n}</edition></std-ident><content-language>en</content-language>\
         <std-ref type=\"dated\">NSB 77:202{n}</std-ref></std-meta></front><body>{body}</body></standard>"
    )
}

const LID: &str = "The lid shall be made of oak.";
const YEAR: &str = "Each box shall be marked with the year in which it was built.";
const CORD: &str = "The cord shall be woven of undyed hemp in three strands.";
const SEAL: &str = "The seal of the carpenter shall be burnt into the base plate beside the left foot.";
const HINGE: &str = "Each hinge shall be greased with clean tallow before delivery and shall be opened one hundred \
                     times in dry air by a tester.";
const PARTS: [&str; 2] = [
    "Each hinge shall be greased with clean tallow before delivery.",
    "Each hinge shall be opened one hundred times in dry air by a tester.",
];

/// The standard in three editions: a bound that was reversed and then got another value, a hinge in two
/// sentences, a seal that was dropped, and a section with another number.
pub(crate) async fn three_editions(world: &World) {
    let load = |load| format!("The box shall carry {load} for one hour.");
    let (first, second, third) = (load("at least 20 kg"), load("at most 20 kg"), load("at most 25 kg"));
    let all: [&[(&str, &str, &[&str])]; 3] = [
        &[("4", "Design", &[LID, &first, HINGE, SEAL]), ("5", "Marking", &[YEAR]), ("6", "Cord", &[CORD])],
        &[
            ("4", "Design", &[LID, &second, PARTS[0], PARTS[1]]),
            ("5", "Colours", &["The box may be painted green."]),
            ("6", "Marking", &[YEAR]),
        ],
        &[
            ("4", "Design", &[LID, &third, PARTS[0], PARTS[1]]),
            ("5", "Colours", &["The box may be painted green."]),
            ("6", "Marking", &[YEAR]),
        ],
    ];
    for (n, sections) in (1..).zip(all) {
        world.add(&boxes(n, sections), &edition(n)).await;
    }
}

/// The id and label of the provision with this text in an edition.
async fn named(world: &World, n: usize, text: &str) -> (Value, Value) {
    let all = get(world, &Operation::Provisions.path_with(&[&edition(n)])).await;
    let items = all["items"].as_array().unwrap();
    let found = items.iter().find(|item| item["text"].as_str().unwrap().starts_with(text));
    let found = found.unwrap_or_else(|| panic!("no {text} in {all}"));
    (found["id"].clone(), found["label"].clone())
}

async fn items(world: &World, n: usize, query: &str, body: Value) -> Vec<Value> {
    let (status, answer) = migrate(world, &edition(n), query, &body).await;
    assert_eq!(status, 200, "{answer}");
    answer["items"].as_array().unwrap().clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_says_what_changed_since_the_edition_of_each_id() {
    let world = World::new().await;
    three_editions(&world).await;
    let mut old = Vec::new();
    for text in [LID, "The box shall carry", HINGE, SEAL, YEAR] {
        old.push(named(&world, 1, text).await);
    }
    let ids: Vec<&Value> = old.iter().map(|(id, _)| id).collect();
    for to in [2, 3] {
        let found = items(&world, to, "", json!({ "ids": ids })).await;
        for (item, (id, label)) in found.iter().zip(&old) {
            let source = json!({ "urn": edition(1), "id": id, "label": label });
            assert_eq!(item["source"], source, "{to}: {item}");
            assert!(item["lineage"]["id"].as_str().unwrap().starts_with("lin_"), "{to}: {item}");
        }
        let [lid, load, hinge, seal, year] = &found[..] else { panic!("{found:?}") };
        for same in [lid, year] {
            assert_eq!(
                (&same["outcome"], &same["relation"], &same["likelihood"], same.get("changed")),
                (&json!("found"), &json!("same"), &json!("certain"), None),
                "{to}: {same}"
            );
        }
        assert_eq!(lid["comparedProvisions"][0]["id"], named(&world, to, LID).await.0);
        assert_eq!(lid["comparedProvisions"][0].get("text"), None);
        assert_eq!((&load["outcome"], &load["relation"]), (&json!("found"), &json!("reworded")), "{load}");
        let changed = if to == 2 { json!(["bound"]) } else { json!(["quantity", "bound"]) };
        assert_eq!(load["changed"], changed, "{to}: {load}");
        let bound = &load["facets"]["bound"][0];
        assert_eq!(
            (&bound["older"]["comparator"], &bound["newer"]["comparator"]),
            (&json!("atLeast"), &json!("atMost"))
        );
        assert_eq!((&seal["outcome"], seal.get("relation")), (&json!("absent"), None), "{to}: {seal}");
        if to == 2 {
            // Neighbours: the stored comparison knows parts.
            assert_eq!(
                (&hinge["outcome"], &hinge["relation"]),
                (&json!("found"), &json!("split")),
                "{hinge}"
            );
            let parts: Vec<&Value> =
                hinge["comparedProvisions"].as_array().unwrap().iter().map(|one| &one["id"]).collect();
            let (one, two) = (named(&world, 2, PARTS[0]).await.0, named(&world, 2, PARTS[1]).await.0);
            assert!(parts.contains(&&one) && parts.contains(&&two), "{hinge}");
        }
        assert!(found.iter().all(|item| item.get("retry").is_none()), "{to}: {found:?}");
    }
    // Back to an older edition, with its texts.
    let (new, _) = named(&world, 3, "The box shall carry").await;
    let back = items(&world, 1, "?include=text", json!({ "ids": [new] })).await.remove(0);
    assert_eq!(back["comparedProvisions"][0]["text"], "The box shall carry at least 20 kg for one hour.");
    assert_eq!(back["facets"]["bound"][0]["older"]["comparator"], "atLeast", "{back}");
    // An id of the edition itself, and a lineage with and without the edition from which it is looked at.
    let own = items(&world, 3, "", json!({ "ids": [new] })).await.remove(0);
    assert_eq!((&own["relation"], own.get("source")), (&json!("same"), None), "{own}");
    let lineage = json!({ "ids": [own["lineage"]["id"]] });
    let bare = items(&world, 3, "", lineage.clone()).await.remove(0);
    assert_eq!((&bare["outcome"], bare.get("relation")), (&json!("found"), None), "{bare}");
    let since = items(&world, 3, &format!("?from={}", edition(2)), lineage).await.remove(0);
    assert_eq!(
        (&since["source"]["urn"], &since["changed"]),
        (&json!(edition(2)), &json!(["quantity"])),
        "{since}"
    );
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn labels_of_clauses_lead_to_the_sections_that_they_became() {
    let world = World::new().await;
    three_editions(&world).await;
    let labels = json!({ "labels": ["5", "Clause 4", "6", "7", "4(1)", "", "4(1-2)"] });
    let found = items(&world, 2, &format!("?from={}", edition(1)), labels.clone()).await;
    let outcomes: Vec<&Value> = found.iter().map(|item| &item["outcome"]).collect();
    assert_eq!(outcomes, ["found", "found", "absent", "unknown", "found", "unknown", "unknown"]);
    let [marking, design, cord, ..] = &found[..] else { panic!("{found:?}") };
    assert_eq!(
        (&marking["sectionChange"]["type"], &marking["sectionChange"]["newer"]["number"]),
        (&json!("same"), &json!("6")),
        "{marking}"
    );
    assert_eq!(design["sectionChange"]["type"], "changed", "{design}");
    assert_eq!(cord["sectionChange"]["type"], "removed", "{cord}");
    for unknown in [&found[3], &found[5], &found[6]] {
        assert!(unknown["reason"].as_str().unwrap().contains("label"), "{unknown}");
    }
    let own = items(&world, 1, &format!("?from={}", edition(1)), labels).await;
    assert_eq!(own[1]["sectionChange"]["counts"]["same"], 4, "{own:?}");
    // Backwards the newer section is what was asked for.
    let back = items(&world, 1, &format!("?from={}", edition(2)), json!({ "labels": ["6", "5"] })).await;
    assert_eq!(back[0]["sectionChange"]["older"]["number"], "5", "{back:?}");
    assert_eq!((&back[1]["outcome"], &back[1]["sectionChange"]["type"]), (&json!("absent"), &json!("new")));
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_are_answered_where_both_editions_may_be_read() {
    let world = World::new().await;
    let grant = world.grant(NEWER).await;
    let (older, newer, removed) = pair(&world).await;
    let absent = migrate(&world, NEWER, "", &json!({ "ids": [removed["id"]] })).await.1["items"][0].clone();
    assert_eq!(absent["outcome"], "absent");
    assert!(!absent["candidates"].as_array().unwrap().is_empty(), "{absent}");
    let lineage = get(&world, &Operation::Provision.path_with(&[older["id"].as_str().unwrap()])).await;
    let body = json!({ "ids": [newer["id"], lineage["lineage"]["id"]] });
    let found = migrate(&world, OLDER, "", &body).await.1;
    assert_eq!(
        (&found["items"][0]["source"]["urn"], &found["items"][0]["relation"]),
        (&json!(NEWER), &json!("same"))
    );
    assert_eq!(found["items"][1].get("source"), None, "a lineage names no edition");
    world.store.remove_grant(grant, SystemTime::now()).await.unwrap();
    let hidden = migrate(&world, OLDER, "", &body).await.1;
    assert_eq!(hidden["items"][0], json!({ "asked": newer["id"], "outcome": "unknown" }));
    let of_lineage = &hidden["items"][1];
    assert_eq!(
        (&of_lineage["outcome"], &of_lineage["comparedProvisions"][0]["id"]),
        (&json!("found"), &older["id"])
    );
    assert_eq!((of_lineage.get("source"), of_lineage.get("relation")), (None, None));
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn ids_and_labels_lead_to_what_became_of_them_and_what_is_hidden_looks_unknown() {
    let world = World::new().await;
    let grant = world.grant(NEWER).await;
    let (older, newer, removed) = pair(&world).await;
    let path = Operation::Provision.path_with(&[older["id"].as_str().unwrap()]);
    let lineage = get(&world, &path).await["lineage"]["id"].clone();
    let hidden = world.provision_of(world::HIDDEN).await;
    let ids = json!([
        older["id"],
        lineage,
        removed["id"],
        newer["id"],
        hidden,
        "4.2(1)",
        "prv_aaaaaaaaaaaaaaaaaaaaaaaaaa",
        "lin_aaaaaaaaaaaaaaaaaaaaaaaaaa",
        ""
    ]);
    let (status, body) = migrate(&world, NEWER, "", &json!({ "ids": ids })).await;
    assert_eq!((status, &body["urn"]), (200, &json!(NEWER)), "{body}");
    let found = json!([{ "id": newer["id"], "label": newer["label"], "type": newer["type"] }]);
    let items = body["items"].as_array().unwrap();
    let outcome = |n: usize| {
        (&items[n]["asked"], items[n]["outcome"].as_str().unwrap(), &items[n]["comparedProvisions"])
    };
    for n in [0, 1, 3] {
        assert_eq!(outcome(n), (&ids[n], "found", &found), "{n}");
    }
    assert_eq!(outcome(2), (&ids[2], "absent", &Value::Null));
    for n in 4..9 {
        assert_eq!(outcome(n), (&ids[n], "unknown", &Value::Null), "{n}");
    }
    for (n, has_reason) in [(4, false), (5, true), (6, false), (7, false), (8, true)] {
        assert_eq!(items[n].get("reason").is_some(), has_reason, "{n}");
    }

    let labels = json!({ "labels": [older["label"], "99.9(1)", "((", removed["label"]] });
    let (status, by_label) = migrate(&world, NEWER, &format!("?from={OLDER}"), &labels).await;
    assert_eq!(status, 200, "{by_label}");
    let outcomes: Vec<&Value> = by_label["items"].as_array().unwrap().iter().map(|i| &i["outcome"]).collect();
    assert_eq!(outcomes, ["found", "unknown", "unknown", "absent"]);
    assert_eq!(by_label["items"][0]["comparedProvisions"], found);

    // Towards the edition that is left, ids of the other one are unknown once it is hidden.
    let back = json!({ "ids": [newer["id"]] });
    assert_eq!(migrate(&world, OLDER, "", &back).await.1["items"][0]["outcome"], "found");
    world.store.remove_grant(grant, SystemTime::now()).await.unwrap();
    assert_eq!(migrate(&world, OLDER, "", &back).await.1["items"][0]["outcome"], "unknown");
    let from_hidden = migrate(&world, OLDER, &format!("?from={NEWER}"), &labels).await;
    assert_eq!((from_hidden.0, &from_hidden.1["code"]), (404, &json!("standard-not-found")));
    let from_discovered = migrate(&world, OLDER, &format!("?from={}", world::DISCOVERED), &labels).await;
    assert_eq!((from_discovered.0, &from_discovered.1["code"]), (403, &json!("content-not-licensed")));
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_migration_has_lineages_that_are_out_of_date_made_again() {
    let world = World::new().await;
    world.grant(NEWER).await;
    let (older, ..) = pair(&world).await;
    // A removal without an update, as of a command that was stopped.
    assert!(world.store.remove(&NEWER.parse().unwrap(), SystemTime::now()).await.unwrap());
    let changed = async || world.store.changed_documents(None, "").await.unwrap().len();
    assert_eq!(changed().await, 1);
    let waiting = migrate(&world, OLDER, "", &json!({ "ids": [older["id"]] })).await.1;
    assert_eq!((&waiting["items"][0]["retry"], waiting["items"][0].get("lineage")), (&json!(true), None));
    world::eventually("the lineages of the edition that is left are made", async || {
        let (status, body) = migrate(&world, OLDER, "", &json!({ "ids": [older["id"]] })).await;
        assert_eq!((status, &body["items"][0]["outcome"]), (200, &json!("found")), "{body}");
        (changed().await == 0).then_some(())
    })
    .await;
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_cannot_be_migrated_is_refused_with_its_reason() {
    let world = World::new().await;
    let too_many: Vec<String> = (0..=1000).map(|n| n.to_string()).collect();
    for (query, body, code, reason) in [
        ("", json!({ "ids": too_many }), "invalid-body", "`max-migrated-ids`"),
        ("", json!({ "ids": [] }), "invalid-body", "at least one"),
        ("", json!({ "id": "a" }), "invalid-body", "`ids` or `labels`"),
        ("", json!({ "labels": ["4.1(1)"] }), "invalid-parameter", "`from`"),
        ("?from=urn:nsb", json!({ "labels": ["4.1(1)"] }), "invalid-parameter", "`from`"),
    ] {
        let (status, answer) = migrate(&world, OLDER, query, &body).await;
        assert_eq!((status, answer["code"].as_str()), (400, Some(code)), "{body}: {answer}");
        assert!(answer["detail"].as_str().unwrap().contains(reason), "{body}: {answer}");
    }
    world.stop().await;
}

/// The change of the requirement with this number in the next edition.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fate {
    Same,
    Value,
    Bound,
    Negated,
    Exception,
    Table,
    Removed,
}

fn fate(n: usize) -> Fate {
    match n % 20 {
        0 => Fate::Value,
        3 => Fate::Bound,
        6 => Fate::Negated,
        9 => Fate::Exception,
        12 => Fate::Table,
        15 => Fate::Removed,
        _ => Fate::Same,
    }
}

/// A requirement in the older or in the newer edition; `None` where it was removed.
fn requirement(n: usize, is_newer: bool) -> Option<String> {
    const PARTS: [&str; 25] = [
        "spindle", "bearing", "gasket", "flange", "lever", "piston", "valve", "rotor", "shaft", "bracket",
        "housing", "washer", "clamp", "hinge", "nozzle", "pulley", "ratchet", "sleeve", "spring", "switch",
        "tank", "throttle", "turbine", "winch", "yoke",
    ];
    const MACHINES: [&str; 20] = [
        "mill",
        "press",
        "lathe",
        "crane",
        "pump",
        "loom",
        "drill",
        "kiln",
        "lift",
        "mixer",
        "saw",
        "oven",
        "robot",
        "plough",
        "printer",
        "furnace",
        "harvester",
        "conveyor",
        "compressor",
        "centrifuge",
    ];
    const ROOMS: [&str; 7] = ["north hall", "cellar", "paint shop", "harbour", "quarry", "dairy", "foundry"];
    const STATES: [&str; 11] = [
        "cold",
        "wet",
        "greased",
        "idle",
        "loaded",
        "reversed",
        "cleaned",
        "frozen",
        "dismantled",
        "inspected",
        "repaired",
    ];
    let (part, machine, load) = (PARTS[n / 20], MACHINES[n % 20], 100 + n);
    let (room, state) = (ROOMS[n % 7], STATES[n % 11]);
    let verb = if is_newer && fate(n) == Fate::Negated { "shall not" } else { "shall" };
    let bound = if is_newer && fate(n) == Fate::Bound { "at most" } else { "at least" };
    let load = if is_newer && fate(n) == Fate::Value { load + 7 } else { load };
    let end = if is_newer && fate(n) == Fate::Exception { ", unless the operator is absent" } else { "" };
    match fate(n) {
        Fate::Removed if is_newer => None,
        Fate::Table => Some(format!(
            "The colour of the {state} {part} of the {machine} in the {room} shall conform to Table 1."
        )),
        _ => Some(format!(
            "The {state} {part} of the {machine} in the {room} {verb} carry {bound} {load} kg{end}."
        )),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn evidence_for_500_requirements_is_exported_and_updated_by_two_calls_each() {
    let world = World::new().await;
    for (n, is_newer) in [(1, false), (2, true)] {
        let of_section = |at: usize| (at * 20..(at + 1) * 20).filter_map(|one| requirement(one, is_newer));
        let texts: Vec<Vec<String>> = (0..25).map(|at| of_section(at).collect()).collect();
        let texts: Vec<Vec<&str>> =
            texts.iter().map(|texts| texts.iter().map(String::as_str).collect()).collect();
        let sections: Vec<(String, &[&str])> =
            texts.iter().enumerate().map(|(at, texts)| ((at + 4).to_string(), &**texts)).collect();
        let sections: Vec<(&str, &str, &[&str])> =
            sections.iter().map(|(number, texts)| (&**number, "Parts", *texts)).collect();
        let colour = if is_newer { "green" } else { "blue" };
        let table = format!(
            "<sec id=\"colours\"><label>90</label><title>Colours</title><table-wrap id=\"t1\"><label>Table 1</label>\
             <table><thead><tr><th>Part</th><th>Colour</th></tr></thead><tbody><tr><td>outside</td><td>{colour}</td></tr>\
             </tbody></table></table-wrap></sec></body>"
        );
        world.add(&boxes(n, &sections).replace("</body>", &table), &edition(n)).await;
    }
    // The list says which edition there is, and one call has all requirements with their lineages.
    let path = Operation::Provisions.path_with(&[&edition(1)]);
    let exported = get(&world, &format!("{path}?include=lineage")).await;
    let evidence = exported["items"].as_array().unwrap();
    assert_eq!(evidence.len(), 500);
    assert!(evidence.iter().all(|one| one["lineage"]["id"].is_string()));
    let ids: Vec<&Value> = evidence.iter().map(|one| &one["id"]).collect();
    let updated = items(&world, 2, "", json!({ "ids": ids })).await;
    let mut wrong = Vec::new();
    for (n, (one, item)) in evidence.iter().zip(&updated).enumerate() {
        assert_eq!(one["lineage"]["id"], item["lineage"]["id"]);
        let is_unchanged = item["relation"] == "same" && item.get("changed").is_none();
        let expected: &[&str] = match fate(n) {
            Fate::Same | Fate::Removed => &[],
            Fate::Value => &["quantity"],
            Fate::Bound => &["bound"],
            Fate::Negated => &["negation"],
            Fate::Exception => &["condition"],
            Fate::Table => &["dependsOn"],
        };
        let is_right = match fate(n) {
            Fate::Same => is_unchanged,
            Fate::Removed => item["outcome"] == "absent",
            _ => !is_unchanged && item["outcome"] == "found" && item["changed"] == json!(expected),
        };
        if !is_right {
            wrong.push(format!("{n} {:?}: {item}", fate(n)));
        }
    }
    assert!(wrong.is_empty(), "{} of 500: {:#?}", wrong.len(), &wrong[..wrong.len().min(5)]);
    world.stop().await;
}
