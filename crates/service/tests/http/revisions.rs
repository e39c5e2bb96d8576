//! Earlier revisions over HTTP: what corrections of an edition changed, for evidence that names a revision.

#[path = "revisions/histories.rs"]
mod histories;
#[path = "revisions/recipe.rs"]
mod recipe;

use std::time::SystemTime;

use norma_ingest::{IngestOptions, IngestVerdict, ingest};
use serde_json::{Value, json};

use crate::world::{self, World};

/// An edition of standard 78 with these blocks in its only clause.
pub(crate) fn document(number: usize, edition: usize, blocks: &str) -> String {
    format!(
        "<standard xml:lang=\"en\"><front><std-meta><title-wrap xml:lang=\"en\"><main>Pegs</main></title-wrap>\
         <std-ident><originator>NSB</originator><doc-type>IS</doc-type><doc-number>{number}</doc-number>\
         <edition>{edition}</edition></std-ident><content-language>en</content-language>\
         <std-ref type=\"dated\">NSB {number}:202{edition}</std-ref></std-meta></front>\
         <body><sec id=\"s4\"><label>4</label><title>Design</title>{blocks}</sec></body></standard>"
    )
}

pub(crate) fn urn(number: usize, edition: usize) -> String {
    format!("urn:nsb:std:nsb:{number}:ed-{edition}:en")
}

/// Table 1 with this value, and the sentences.
fn blocks(strength: &str, sentences: &[&str]) -> String {
    let sentences: String = sentences.iter().map(|sentence| format!("<p>{sentence}</p>")).collect();
    format!(
        "{sentences}<table-wrap id=\"t1\"><label>Table 1</label><caption><title>Strength</title></caption><table><thead>\
         <tr><th>Part</th><th>Strength</th></tr></thead><tbody><tr><td>peg</td><td>{strength}</td></tr></tbody></table>\
         </table-wrap>"
    )
}

const CONFORM: &str = "The strength shall conform to <xref ref-type=\"table\" rid=\"t1\">Table 1</xref>.";
const MARK: &str = "Each peg shall be marked with its mass.";
const CORRECTED: &str = "Each peg shall be marked with its weight.";
const DRY: &str = "The wood shall be dried in the open air for one year.";

/// Ingests a correction of an edition.
pub(crate) async fn correct(world: &World, source: &str) {
    let file = world.folder.path().join("added.xml");
    std::fs::write(&file, source).unwrap();
    ingest(&world.store, vec![file], &IngestOptions::new(&world.settings.ingest), |report, _| {
        assert!(matches!(report.verdict, IngestVerdict::Replaced), "{report:?}");
    })
    .await;
}

/// Sends a request of the API: the status and the answer.
pub(crate) async fn call(world: &World, path: &str, body: Option<&Value>) -> (u16, Value) {
    let url = format!("{}/api/content/v1{path}", world.running.public_url);
    let request = match body {
        None => world.http.get(url),
        Some(body) => world.http.post(url).json(body),
    };
    let answer = request.bearer_auth(world.reader()).send().await.unwrap();
    (answer.status().as_u16(), answer.json().await.unwrap())
}

/// The provisions of an edition: revision, then id and text of each.
pub(crate) async fn provisions(world: &World, urn: &str) -> (String, Vec<(String, String)>) {
    let (status, answer) = call(world, &format!("/standards/{urn}/provisions"), None).await;
    assert_eq!(status, 200, "{answer}");
    let text = |item: &Value, name: &str| item[name].as_str().unwrap().to_owned();
    let items = answer["items"].as_array().unwrap();
    let items = items.iter().map(|item| (text(item, "id"), text(item, "text"))).collect();
    (text(&answer, "revision"), items)
}

pub(crate) async fn migrated(world: &World, urn: &str, query: &str, ids: &[&str]) -> Vec<Value> {
    let body = json!({ "ids": ids });
    let (status, answer) = call(world, &format!("/standards/{urn}/migrate{query}"), Some(&body)).await;
    assert_eq!(status, 200, "{answer}");
    answer["items"].as_array().unwrap().clone()
}

/// A standard whose table was corrected, and then a word.
struct Corrected {
    world: World,
    urn: String,
    /// The names of the three revisions.
    revisions: [String; 3],
    /// The ids of the first revision.
    ids: Vec<String>,
}

async fn corrected() -> Corrected {
    let (world, urn) = (World::new().await, urn(78, 1));
    world.add(&document(78, 1, &blocks("&gt;= 55", &[CONFORM, MARK, DRY])), &urn).await;
    let (first, items) = provisions(&world, &urn).await;
    correct(&world, &document(78, 1, &blocks("&gt;= 70", &[CONFORM, MARK, DRY]))).await;
    let (second, same) = provisions(&world, &urn).await;
    assert_eq!(items, same);
    correct(&world, &document(78, 1, &blocks("&gt;= 70", &[CONFORM, CORRECTED, DRY]))).await;
    let (third, _) = provisions(&world, &urn).await;
    let ids = items.into_iter().map(|(id, _)| id).collect();
    Corrected { world, urn, revisions: [first, second, third], ids }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_corrected_table_and_a_corrected_word_are_named_to_those_who_stored_the_revision() {
    let Corrected { world, urn, revisions: [first, second, third], ids } = corrected().await;
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let items = migrated(&world, &urn, &format!("?fromRevision={first}&include=text"), &ids).await;
    let [conform, mark, dry] = &items[..] else { panic!("{items:?}") };
    assert_eq!((&conform["relation"], &conform["changed"]), (&json!("same"), &json!(["dependsOn"])));
    assert_eq!(conform["facets"]["dependsOn"][0]["newer"]["label"], "Table 1", "{conform}");
    assert_eq!((&mark["relation"], &mark["outcome"]), (&json!("reworded"), &json!("found")), "{mark}");
    assert_eq!(mark["source"]["text"], MARK);
    assert_eq!((&mark["source"]["revision"], &mark["cause"]), (&json!(first), &json!("text")), "{mark}");
    assert_eq!(mark["comparedProvisions"][0]["text"], CORRECTED);
    assert_eq!((&dry["relation"], dry.get("changed"), dry.get("cause")), (&json!("same"), None, None));

    // Since the second revision, only the word changed.
    let items = migrated(&world, &urn, &format!("?fromRevision={second}"), &ids).await;
    assert_eq!((&items[0]["relation"], items[0].get("changed")), (&json!("same"), None), "{items:?}");
    assert_eq!(items[1]["relation"], "reworded");
    let items = migrated(&world, &urn, &format!("?fromRevision={third}"), &[ids[0], ids[2]]).await;
    assert!(
        items.iter().all(|item| item["relation"] == "same" && item.get("changed").is_none()),
        "{items:?}"
    );

    // A retired id alone.
    let item = migrated(&world, &urn, "", &[ids[1]]).await.remove(0);
    assert_eq!(
        (&item["relation"], &item["source"]["revision"]),
        (&json!("reworded"), &json!(second)),
        "{item}"
    );
    assert_eq!(item["source"].get("text"), None, "{item}");
    let (status, problem) = call(&world, &format!("/provisions/{}", ids[1]), None).await;
    assert_eq!((status, &problem["code"]), (410, &json!("provision-replaced")), "{problem}");
    assert_eq!(problem["relation"], "reworded", "{problem}");
    assert!(problem["successors"][0]["id"].is_string(), "{problem}");

    // By day: today the first revision was there first.
    let today =
        jiff::Timestamp::try_from(SystemTime::now()).unwrap().to_zoned(jiff::tz::TimeZone::UTC).date();
    let items = migrated(&world, &urn, &format!("?fromRevision={today}"), &ids[..1]).await;
    assert_eq!(items[0]["changed"], json!(["dependsOn"]));
    // By label.
    let body = json!({ "labels": ["4(2)", "4", "4(9)"] });
    let path = format!("/standards/{urn}/migrate?fromRevision={first}");
    let (_, answer) = call(&world, &path, Some(&body)).await;
    let [label, section, none] = &answer["items"].as_array().unwrap()[..] else { panic!("{answer}") };
    assert_eq!((&label["relation"], &section["outcome"]), (&json!("reworded"), &json!("found")), "{answer}");
    assert_eq!((&none["outcome"], none["reason"].is_string()), (&json!("unknown"), true), "{answer}");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_comparison_of_two_revisions_of_one_edition_has_texts_and_changed_tables() {
    let Corrected { world, urn, revisions: [first, _, third], .. } = corrected().await;
    let encoded = urn.replace(':', "%3A");
    let path = format!("/standards/{encoded}/comparison?with={encoded}&withRevision={first}");
    let (status, answer) = call(&world, &format!("{path}&include=text"), None).await;
    assert_eq!(status, 200, "{answer}");
    assert_eq!((&answer["older"]["revision"], &answer["newer"]["revision"]), (&json!(first), &json!(third)));
    assert_eq!(
        (&answer["counts"]["same"], &answer["counts"]["reworded"]),
        (&json!(2), &json!(1)),
        "{answer}"
    );
    assert_eq!(answer["tableChanges"][0]["cellChanges"][0]["newer"]["text"], ">= 70", "{answer}");
    let reworded = answer["items"].as_array().unwrap().iter().find(|item| item["relation"] == "reworded");
    let reworded = reworded.unwrap();
    assert_eq!((&reworded["older"]["text"], &reworded["newer"]["text"]), (&json!(MARK), &json!(CORRECTED)));
    let (_, section) = call(&world, &format!("{path}&section=4&relation=reworded"), None).await;
    assert_eq!(section["items"].as_array().unwrap().len(), 1, "{section}");
    // With itself: nothing changed.
    let path = format!("/standards/{encoded}/comparison?with={encoded}");
    let (_, present) = call(&world, &format!("{path}&withRevision={third}"), None).await;
    assert_eq!(present["counts"]["same"], 3, "{present}");
    let (status, problem) = call(&world, &path, None).await;
    assert_eq!((status, &problem["code"]), (400, &json!("not-comparable")), "{problem}");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_revisions_lost_licences_and_recalls_get_clear_errors() {
    let Corrected { world, urn, revisions: [first, second, third], ids } = corrected().await;
    let encoded = urn.replace(':', "%3A");
    let (migrate, compare) = (
        |revision: &str| format!("/standards/{encoded}/migrate?fromRevision={revision}"),
        |revision: &str| format!("/standards/{encoded}/comparison?with={encoded}&withRevision={revision}"),
    );
    let body = json!({ "ids": ids });
    let (_, other) = call(&world, &format!("/standards/{}/provisions", world::SIBLING), None).await;
    let other = other["revision"].as_str().unwrap().to_owned();
    for unknown in ["0123456789abcdef", &other] {
        for (path, body) in [(migrate(unknown), Some(&body)), (compare(unknown), None)] {
            let (status, problem) = call(&world, &path, body).await;
            assert_eq!((status, &problem["code"]), (404, &json!("revision-not-found")), "{problem}");
            assert_eq!(problem["errors"][0]["allowed"], json!([third, second, first]), "{problem}");
        }
    }
    let (status, problem) = call(&world, &migrate("yesterday"), Some(&body)).await;
    assert_eq!((status, &problem["code"]), (400, &json!("invalid-parameter")), "{problem}");

    // A licence that ended: as of any edition.
    let policy = world.store.policy().await.unwrap();
    let own = policy.grants.iter().find(|(_, grant)| format!("{:?}", grant.scope).contains(&urn)).unwrap().0;
    assert!(world.store.remove_grant(own, SystemTime::now()).await.unwrap());
    for (path, body) in [(migrate(&first), Some(&body)), (compare(&first), None)] {
        let (status, problem) = call(&world, &path, body).await;
        assert_eq!((status, &problem["code"]), (404, &json!("standard-not-found")), "{problem}");
    }
    let (status, problem) = call(&world, &format!("/provisions/{}", ids[1]), None).await;
    assert_eq!((status, problem.get("relation")), (404, None), "{problem}");
    world.grant(&urn).await;

    // What is beyond the limits is removed, and its name is known.
    let limits = norma_store::RevisionLimits { count: 1, age: std::time::Duration::from_secs(1_000) };
    world.store.prune_revisions(limits, SystemTime::now()).await.unwrap();
    for (path, body) in [(migrate(&first), Some(&body)), (compare(&first), None)] {
        let (status, problem) = call(&world, &path, body).await;
        assert_eq!((status, &problem["code"]), (410, &json!("revision-gone")), "{problem}");
        assert_eq!(problem["errors"][0]["allowed"], json!([third, second]), "{problem}");
    }
    world
        .store
        .prune_revisions(norma_store::RevisionLimits { count: 0, ..limits }, SystemTime::now())
        .await
        .unwrap();
    let item = migrated(&world, &urn, "", &[&ids[1]]).await.remove(0);
    assert_eq!((&item["outcome"], item.get("relation")), (&json!("found"), None), "{item}");
    assert!(item["reason"].as_str().unwrap().contains("no longer retained"), "{item}");

    world.store.recall(&urn.parse().unwrap(), "An error.", None, SystemTime::now()).await.unwrap();
    for (path, body) in [(migrate(&second), Some(&body)), (compare(&second), None)] {
        let (status, problem) = call(&world, &path, body).await;
        assert_eq!((status, &problem["code"]), (410, &json!("standard-recalled")), "{problem}");
    }
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_exchanged_picture_and_a_corrected_term_are_named_though_no_word_of_the_provision_changed() {
    let (world, urn) = (World::new().await, urn(80, 1));
    let source = |definition: &str| {
        let figure = "<fig id=\"f1\"><label>Figure 1</label><caption><title>Peg</title></caption>\
                      <graphic xmlns:xlink=\"http://www.w3.org/1999/xlink\" xlink:href=\"peg.gif\"/></fig>";
        let shape = "<p>The shape shall conform to <xref ref-type=\"fig\" rid=\"f1\">Figure 1</xref>.</p>";
        let term = format!(
            "<sec id=\"s3\"><label>3</label><title>Terms</title><term-sec id=\"s31\"><label>3.1</label>\
             <tbx:termEntry xmlns:tbx=\"urn:iso:std:iso:30042:ed-1\" id=\"t31\"><tbx:langSet xml:lang=\"en\">\
             <tbx:definition>{definition}</tbx:definition><tbx:tig><tbx:term>dowel</tbx:term></tbx:tig></tbx:langSet>\
             </tbx:termEntry></term-sec></sec>"
        );
        let blocks = format!("{shape}<p>Each dowel shall be sanded by hand.</p><p>{DRY}</p>{figure}");
        document(80, 1, &blocks).replace("<body>", &format!("<body>{term}"))
    };
    let picture = world.folder.path().join("peg.gif");
    std::fs::write(&picture, "GIF89a one").unwrap();
    world.add(&source("round pin of wood"), &urn).await;
    let (first, items) = provisions(&world, &urn).await;
    let ids: Vec<&str> = items.iter().map(|(id, _)| id.as_str()).collect();
    std::fs::write(&picture, "GIF89a another").unwrap();
    correct(&world, &source("round pin of wood")).await;
    let changes = async || {
        let items = migrated(&world, &urn, &format!("?fromRevision={first}"), &ids).await;
        let kinds =
            items.iter().map(|item| item["facets"]["dependsOn"][0]["type"].clone()).collect::<Vec<_>>();
        assert!(items.iter().all(|item| item["relation"] == "same"), "{items:?}");
        kinds
    };
    assert_eq!(changes().await, [json!("figure"), Value::Null, Value::Null]);
    correct(&world, &source("round or square pin of wood")).await;
    assert_eq!(changes().await, [json!("figure"), json!("term"), Value::Null]);
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_retained_source_that_a_later_version_refuses_is_listed_with_the_reason_and_nothing_is_called_the_same()
 {
    let (world, urn) = (World::new().await, urn(81, 1));
    let long = format!("{MARK}<!-- {} -->", "a b ".repeat(10_000).trim());
    world.add(&document(81, 1, &blocks("&gt;= 55", &[CONFORM, &long, DRY])), &urn).await;
    let (first, items) = provisions(&world, &urn).await;
    correct(&world, &document(81, 1, &blocks("&gt;= 55", &[CONFORM, MARK, DRY]))).await;
    let ids: Vec<&str> = items.iter().map(|(id, _)| id.as_str()).collect();
    let found = migrated(&world, &urn, &format!("?fromRevision={first}"), &ids).await;
    assert!(found.iter().all(|item| item["relation"] == "same"), "{found:?}");

    // The next version reads shorter documents only.
    world.store.set_derivers(&[(urn.parse().unwrap(), "0".to_owned())]).await.unwrap();
    let store = norma_editions::stores::open_store(&world.settings.store).await.unwrap();
    let mut limits = norma_ingest::IngestLimits::new(&world.settings.ingest);
    limits.document.source_bytes = 10_000;
    let named = vec![urn.parse().unwrap()];
    norma_ingest::rebuild(&store, &limits, named, false, norma_ingest::IngestShare::ALL, |done, _| {
        assert!(done.is_ok(), "{done:?}")
    })
    .await
    .unwrap();
    let fresh = world.fresh().await;
    let ask = async |path: String, body: Option<Value>| {
        let url = format!("{}/api/content/v1{path}", fresh.public_url);
        let request = match body {
            Some(body) => world.http.post(url).json(&body),
            None => world.http.get(url),
        };
        request.bearer_auth(world.reader()).send().await.unwrap().json::<Value>().await.unwrap()
    };
    let path = format!("/standards/{urn}/migrate?fromRevision={first}");
    let answer = ask(path, Some(json!({ "ids": ids }))).await;
    for item in answer["items"].as_array().unwrap() {
        assert_eq!((&item["outcome"], item.get("relation")), (&json!("unknown"), None), "{item}");
        assert!(item["reason"].as_str().unwrap().contains("cannot be derived"), "{item}");
    }
    let path = format!("/standards/{urn}/comparison?with={urn}&withRevision=");
    let problem = ask(format!("{path}{first}"), None).await;
    assert_eq!(problem["code"], "revision-gone", "{problem}");
    let problem = ask(format!("{path}0123456789abcdef"), None).await;
    assert_eq!(problem["errors"][0]["allowed"].as_array().unwrap().len(), 1, "{problem}");
    assert!(problem["errors"][1]["detail"].as_str().unwrap().contains(&first), "{problem}");
    fresh.stop().await;
    world.stop().await;
}
