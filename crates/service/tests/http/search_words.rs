//! Searches whose words are not all in one text, and what hits show of themselves.

use norma_api::Operation;
use serde_json::{Value, json};

use crate::world::{self, World};

async fn ask(world: &World, query: &str) -> Value {
    let path = format!("{}?{query}", Operation::Search.path());
    let answer = world.get(&path).send().await.unwrap();
    assert_eq!(answer.status(), 200, "{query}");
    answer.json().await.unwrap()
}

fn items(answer: &Value) -> &[Value] {
    answer["items"].as_array().unwrap()
}

fn strings(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

const RAILS_XML: &str = "<standard><front><std-meta><title-wrap xml:lang='en'><main>Hand rails</main></title-wrap>\
    <std-ident><originator>NSB</originator><doc-type>is</doc-type><doc-number>88</doc-number><edition>1</edition>\
    </std-ident><std-ref type='dated'>NSB 88:2026</std-ref><content-language>en</content-language></std-meta></front>\
    <body><sec id='s3' sec-type='terms'><label>3</label><title>Terms and definitions</title>\
    <term-sec id='t1'><label>3.1</label><tbx:termEntry xmlns:tbx='urn:iso:std:iso:30042:ed-1' id='e1'>\
    <tbx:langSet xml:lang='en'><tbx:definition>bar to hold on to</tbx:definition>\
    <tbx:tig><tbx:term>rail</tbx:term><tbx:normativeAuthorization value='preferredTerm'/></tbx:tig>\
    <tbx:tig><tbx:term>banister</tbx:term><tbx:normativeAuthorization value='deprecatedTerm'/></tbx:tig>\
    </tbx:langSet></tbx:termEntry></term-sec></sec>\
    <sec id='s4'><label>4.</label><title>Marking</title><p>The year shall be engraved.</p>\
    <table-wrap id='tab1'><label>Table 1</label><caption><title>Permitted clearances</title></caption><table>\
    <thead><tr><th>Wall</th></tr></thead><tbody><tr><td>Bricks shall be dry.</td></tr></tbody></table></table-wrap>\
    </sec><sec id='s5'><label>5.</label><title>Strength</title><p>A rail shall withstand 1 200 N.</p></sec></body>\
    </standard>";
const RAILS: &str = "urn:nsb:std:nsb:88:ed-1:en";

#[tokio::test(flavor = "multi_thread")]
async fn texts_with_most_words_are_found_where_none_has_all_and_show_what_is_above_them() {
    let world = World::new().await;
    world.add(RAILS_XML, RAILS).await;
    world.searched().await;
    let within = format!("urn={RAILS}");
    let answer = ask(&world, &format!("q=how+must+the+year+be+in+the+marking+of+hand+rails&{within}")).await;
    assert_eq!((&answer["total"], &answer["relaxed"]), (&json!(0), &json!(true)), "{answer}");
    let first = &items(&answer)[0];
    assert_eq!(first["label"], "4(1)", "{answer}");
    assert_eq!(strings(&first["matched"]), ["year", "marking", "hand", "rails"]);
    assert!(first["missing"].is_null());
    assert_eq!(first["heading"], "4(1) Marking · NSB 88:2026");
    let above: Vec<&str> =
        first["above"].as_array().unwrap().iter().map(|one| one["text"].as_str().unwrap()).collect();
    assert_eq!(above, ["4 Marking", "Hand rails"]);
    assert_eq!(first["above"][0]["highlights"], json!([{"start": 2, "end": 9}]));
    let hints = &answer["hints"];
    assert_eq!(strings(&hints["leftOut"]), ["how", "must"]);
    assert_eq!(hints["words"][0], json!({"word": "year", "hits": 1}));

    // The caption of a table, and another name of a term.
    let found = ask(&world, &format!("q=clearances+of+dry+bricks&in=provision&{within}")).await;
    assert_eq!(items(&found)[0]["above"][0]["text"], "Permitted clearances", "{found}");
    let found = ask(&world, &format!("q=banister+withstand&{within}")).await;
    assert_eq!(items(&found)[0]["label"], "5(1)", "{found}");
    assert_eq!(items(&found)[0]["above"][0]["text"], "rail; banister");

    // A cursor goes on among these; texts with all words come without any of it.
    let query = format!("q=year+marking+strength+rail&limit=1&{within}");
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = ask(&world, &format!("{query}{cursor}")).await;
        assert_eq!((&page["total"], &page["relaxed"]), (&json!(0), &json!(true)), "{page}");
        seen.extend(items(&page).iter().map(|hit| hit["id"].clone()));
        let Some(next) = page["next"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    let whole = ask(&world, &format!("q=year+marking+strength+rail&{within}")).await;
    assert_eq!(seen, items(&whole).iter().map(|hit| hit["id"].clone()).collect::<Vec<_>>());
    let full = ask(&world, &format!("q=rail+withstand&{within}")).await;
    assert!(full["relaxed"].is_null() && full["hints"].is_null() && full["items"][0]["matched"].is_null());
    assert_eq!(full["items"][0]["label"], "5(1)");
    let grouped = ask(&world, &format!("q=year+marking+strength+rail&group=standard&{within}")).await;
    assert_eq!(grouped["standards"][0]["hits"], 0);
    assert!(!grouped["standards"][0]["items"].as_array().unwrap().is_empty());
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_that_finds_nothing_says_what_was_understood_and_where_something_is() {
    let world = World::new().await;
    world.searched().await;
    let answer = ask(&world, "q=galvanisd&facets=kind").await;
    assert_eq!((&answer["total"], &answer["items"]), (&json!(0), &json!([])));
    assert!(answer["relaxed"].is_null());
    assert_eq!(answer["hints"]["words"], json!([{"word": "galvanisd", "hits": 0}]));
    let advice = strings(&answer["hints"]["advice"]).join(" ");
    assert!(advice.contains("`galvanisd`"), "{advice}");

    let answer = ask(&world, "q=%22proof+load%22&language=fr&type=requirement&limit=5").await;
    let elsewhere = answer["hints"]["elsewhere"].as_array().unwrap_or_else(|| panic!("{answer}"));
    let found_in: Vec<&str> = elsewhere.iter().map(|one| one["scope"].as_str().unwrap()).collect();
    assert_eq!(found_in, ["languages"], "{answer}");
    let there = ask(&world, elsewhere[0]["query"].as_str().unwrap()).await;
    assert_eq!(there["total"], elsewhere[0]["hits"]);
    assert_ne!(there["total"], 0);

    // Words of hidden texts are words that no text has. `lignin` is in one of them.
    let hidden = ask(&world, "q=lignin+zzyzx&edition=all").await.to_string();
    let nowhere = ask(&world, "q=qqyzxw+zzyzx&edition=all").await.to_string();
    assert_eq!(hidden.replace("lignin", "qqyzxw"), nowhere);
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hits_of_translations_and_adoptions_are_one_hit_on_a_page() {
    let world = World::new().await;
    let samples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    for (folder, urn) in [
        ("bicycle-anchors-ed2-de", "urn:nsb:std:nsb:4210:ed-2:de"),
        ("bicycle-anchors-xnb", "urn:xnb:std:xnb-nsb:4210:ed-2026-02:en"),
    ] {
        world.add(&std::fs::read_to_string(samples.join(folder).join("document.xml")).unwrap(), urn).await;
    }
    let query = format!(
        "q=1461&type=requirement&urn={}&urn=urn:nsb:std:nsb:4210:ed-2:de\
        &urn=urn:xnb:std:xnb-nsb:4210:ed-2026-02:en",
        world::HIDDEN_SIBLING
    );
    world.searched().await;
    let apart = ask(&world, &query).await;
    world.grant(world::HIDDEN_SIBLING).await;
    world.searched().await;
    let together = ask(&world, &query).await;
    assert_eq!(apart["total"].as_u64().unwrap() + 1, together["total"].as_u64().unwrap());
    let hit = &items(&together)[0];
    assert_eq!((&hit["label"], items(&together).len()), (&json!("5.2(1)"), 1), "{together}");
    let others: Vec<&str> =
        hit["alsoIn"].as_array().unwrap().iter().map(|one| one["urn"].as_str().unwrap()).collect();
    assert_eq!(others.len(), 2, "{together}");
    assert!(!others.contains(&hit["urn"].as_str().unwrap()));
    world.stop().await;
}
