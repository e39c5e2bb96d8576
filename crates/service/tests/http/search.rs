//! Search: what is found at each level of access, also after changes, and what the answer shows of it.

use std::path::PathBuf;
use std::time::SystemTime;

use futures::future::join_all;
use norma_api::Operation;
use norma_editions::stores::open_store;
use norma_ingest::DERIVER_VERSION;
use norma_service::server::{self, FixedLimits};
use serde_json::{Value, json};

use crate::memory::LARGE;
use crate::world::{self, World};

async fn ask(world: &World, query: &str) -> Value {
    let path = format!("{}?{query}", Operation::Search.path());
    let answer = world.get(&path).send().await.unwrap();
    assert_eq!(answer.status(), 200, "{query}");
    answer.json().await.unwrap()
}

fn urns(answer: &Value) -> Vec<&str> {
    answer["items"].as_array().unwrap().iter().map(|hit| hit["urn"].as_str().unwrap()).collect()
}

/// The words that the highlights of a hit slice.
fn highlighted(hit: &Value) -> Vec<String> {
    let text: Vec<char> = hit["text"].as_str().unwrap().chars().collect();
    let slice = |slice: &Value| {
        let [start, end] = ["start", "end"].map(|name| slice[name].as_u64().unwrap() as usize);
        text[start..end].iter().collect::<String>().to_lowercase()
    };
    hit["highlights"].as_array().unwrap().iter().map(slice).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_caller_finds_what_they_may_read_and_titles_of_what_they_may_discover() {
    let world = World::new().await;
    world.searched().await;

    // A provision of a readable edition, with its place and highlights.
    let answer = ask(&world, "q=proof+load&type=requirement&edition=all").await;
    assert_eq!(answer["state"], "complete");
    let hits = answer["items"].as_array().unwrap();
    assert!(!hits.is_empty() && answer["total"] == hits.len(), "{answer}");
    for hit in hits {
        assert_eq!(
            (&hit["kind"], &hit["type"], &hit["urn"]),
            (&json!("provision"), &json!("requirement"), &json!(world::SIBLING))
        );
        let provision = world.get(&Operation::Provision.path_with(&[hit["id"].as_str().unwrap()]));
        let provision: Value = provision.send().await.unwrap().json().await.unwrap();
        assert_eq!(provision["label"], hit["label"]);
        assert_eq!(provision["section"], hit["section"]);
        assert!(provision["text"].as_str().unwrap().ends_with(hit["text"].as_str().unwrap()), "{hit}");
        let words = highlighted(hit);
        assert!(words.iter().any(|word| word.starts_with("load")), "{hit}");
        assert!(words.iter().all(|word| word.starts_with("load") || word.starts_with("proof")), "{hit}");
    }

    // The parts of the sentence that docs/search.md begins with are in one provision of each edition.
    let answer = ask(&world, "q=pull-out+force&type=requirement&edition=all").await;
    let labels: Vec<&Value> = answer["items"].as_array().unwrap().iter().map(|hit| &hit["label"]).collect();
    assert!(!labels.is_empty() && labels.iter().all(|label| label.as_str() == Some("7.2.2(3)")), "{answer}");

    // Of an edition at level `discover`: its title, and no text. Of a hidden one: nothing.
    let metadata = Operation::Metadata.path_with(&[world::DISCOVERED]) + "?fields=metadata";
    let metadata: Value = world.get(&metadata).send().await.unwrap().json().await.unwrap();
    let title = metadata["metadata"]["titles"][0]["full"].as_str().map(str::to_owned);
    let list = format!("{}?urn={}", Operation::Standards.path(), world::DISCOVERED);
    let listed: Value = world.get(&list).send().await.unwrap().json().await.unwrap();
    let title = title.unwrap_or_else(|| listed["items"][0]["title"].as_str().unwrap().to_owned());
    let word = title.split([' ', '\u{2014}']).find(|word| word.len() > 5).unwrap();
    let found = ask(&world, &format!("q={word}&edition=all&urn={}", world::DISCOVERED)).await;
    assert_eq!((&found["total"], &found["items"][0]["kind"]), (&json!(1), &json!("standard")), "{found}");
    assert_eq!(found["items"][0]["access"], "discover");
    let hidden = ask(&world, &format!("q=the&edition=all&urn={}", world::HIDDEN)).await;
    assert_eq!((&hidden["total"], &hidden["state"]), (&json!(0), &json!("complete")));
    let everything = ask(&world, "q=shall&edition=all&limit=100&facets=status,kind").await;
    assert!(urns(&everything).iter().all(|urn| [world::READ, world::SIBLING].contains(urn)));
    let kinds = everything["hitCounts"]["kind"].as_array().unwrap();
    let counted: u64 = kinds.iter().map(|kind| kind["hits"].as_u64().unwrap()).sum();
    assert_eq!(counted, everything["total"], "{kinds:?}");

    // A grant, and its end, are seen at once.
    let id = world.grant(world::HIDDEN).await;
    let query = format!("q=shall&edition=all&urn={}", world::HIDDEN);
    let granted = world::eventually("texts of the new grant", async || {
        let answer = ask(&world, &query).await;
        (answer["total"] != 0).then_some(answer)
    });
    assert!(urns(&granted.await).iter().all(|urn| *urn == world::HIDDEN));
    assert!(world.store.remove_grant(id, SystemTime::now()).await.unwrap());
    world::eventually("nothing after the grant", async || {
        (ask(&world, &query).await["total"] == 0).then_some(())
    })
    .await;

    // What is recalled is not found.
    let readable = format!("q=shall&edition=all&urn={}", world::READ);
    assert_ne!(ask(&world, &readable).await["total"], 0);
    let urn = world::READ.parse().unwrap();
    let recalled = world.store.recall(&urn, "an error", None, SystemTime::now()).await;
    assert!(recalled.unwrap());
    world::eventually("nothing after the recall", async || {
        (ask(&world, &readable).await["total"] == 0).then_some(())
    })
    .await;
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_and_groups_have_all_hits_once() {
    let world = World::new().await;
    world.searched().await;
    let whole = ask(&world, "q=shall&edition=all&limit=100").await;
    let total = whole["total"].as_u64().unwrap() as usize;
    assert!(total > 10);
    let ids = |answer: &Value| -> Vec<String> {
        answer["items"].as_array().unwrap().iter().map(|hit| hit["id"].to_string()).collect()
    };
    let (mut paged, mut query) = (Vec::new(), "q=shall&edition=all&limit=7".to_owned());
    loop {
        let page = ask(&world, &query).await;
        assert_eq!(page["total"], whole["total"]);
        paged.extend(ids(&page));
        let Some(next) = page["next"].as_str() else { break };
        query = format!("q=shall&edition=all&limit=7&cursor={next}");
    }
    assert_eq!(paged.len(), total);
    assert_eq!(paged[..ids(&whole).len()], ids(&whole));

    let grouped = ask(&world, "q=shall&edition=all&group=standard").await;
    let standards = grouped["standards"].as_array().unwrap();
    assert_eq!(grouped["items"], json!([]));
    let sum: u64 = standards.iter().map(|one| one["hits"].as_u64().unwrap()).sum();
    assert_eq!(sum, grouped["total"]);
    assert!(standards.iter().all(|one| one["items"].as_array().unwrap().len() <= 3));

    for (query, code) in [
        ("q=other&edition=all&limit=7&cursor=", "invalid-cursor"),
        ("q=%22%22", "invalid-parameter"),
        ("q=-shall", "invalid-parameter"),
        ("q=a&urn=x", "invalid-parameter"),
    ] {
        let page = ask(&world, "q=shall&edition=all&limit=7").await;
        let cursor = if query.ends_with('=') { page["next"].as_str().unwrap() } else { "" };
        let path = format!("{}?{query}{cursor}", Operation::Search.path());
        let (status, found, _) = world.ask(Operation::Search, &path, Some(&world.reader())).await;
        assert_eq!((status, found.as_str()), (400, code), "{query}");
    }
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_one_line_of_the_audit_with_the_standards_that_it_shows() {
    let folder = tempfile::tempdir().unwrap();
    let audit = folder.path().join("audit.json");
    let world = World::with(&[("audit-file", audit.to_str().unwrap())]).await;
    world.searched().await;
    ask(&world, "q=%22proof+load%22&edition=all").await;
    ask(&world, "q=nowhere").await;
    assert_ne!(ask(&world, "q=parking&edition=all&in=standard").await["total"], 0);
    let of_one = format!("q=5&edition=all&in=section&urn={}", world::SIBLING);
    assert_ne!(ask(&world, &of_one).await["total"], 0);
    world.stop().await;
    let lines = std::fs::read_to_string(&audit).unwrap();
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let line = lines.iter().find(|line| line["path"].as_str().unwrap().contains("proof")).unwrap();
    assert_eq!(line["read"], json!([world::SIBLING]), "{line}");
    assert!(line["standard"].is_null() && line["discovered"].is_null(), "{line}");
    // A page with titles only shows no content.
    for path in ["in=standard", "in=section"] {
        let line = lines.iter().find(|line| line["path"].as_str().unwrap().contains(path)).unwrap();
        assert!(line["read"].is_null() && line["discovered"][0].is_string(), "{line}");
    }
    // A search is counted also where it finds nothing.
    let line = lines.iter().find(|line| line["path"].as_str().unwrap().contains("nowhere")).unwrap();
    assert!(line["read"].is_null() && line["discovered"].is_null() && line["status"] == 200, "{line}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_is_building_is_not_stored_and_says_how_far_it_is() {
    let world = World::new().await;
    // Another process has the folder of the index, so that this one finds nothing.
    let second = world.start_with(&[]).await;
    let url = format!("{}{}?q=shall", second.public_url, Operation::Search.path());
    let answer = world.http.get(url).bearer_auth(world.reader()).send().await.unwrap();
    assert_eq!(answer.headers()["cache-control"], "no-store");
    let answer: Value = answer.json().await.unwrap();
    assert_eq!((&answer["state"], &answer["total"]), (&json!("building"), &json!(0)), "{answer}");
    assert_eq!(answer["progress"]["searched"], 0);
    assert!(answer["next"].is_null());
    second.stop().await;
    world.stop().await;
}

/// The file of the pack of an edition.
async fn pack_file(world: &World, urn: &str) -> PathBuf {
    let entry = world.store.entry(&urn.parse().unwrap()).await.unwrap().unwrap();
    let digest = entry.pack.to_string();
    let hex = digest.trim_start_matches("sha256:");
    let mut folders = vec![world.folder.path().join("blobs")];
    while let Some(folder) = folders.pop() {
        for file in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            // A file may be in a folder named by the first digits.
            let is_pack = file.to_string_lossy().replace('/', "").contains(hex);
            match file.is_dir() {
                true => folders.push(file),
                false if is_pack => return file,
                false => {}
            }
        }
    }
    panic!("no file has the pack {digest} of {urn}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_without_the_texts_of_a_standard_says_so_until_they_can_be_read_again() {
    let world = World::new().await;
    let pack = pack_file(&world, world::SIBLING).await;
    let sound = std::fs::read(&pack).unwrap();
    std::fs::write(&pack, vec![7; sound.len()]).unwrap();
    // A service with empty caches and an index of its own.
    let mut settings = world.settings.clone();
    settings.search.search_dir = world.folder.path().join("second").display().to_string();
    let store = open_store(&settings.store).await.unwrap();
    let second = server::start(settings.clone(), store, DERIVER_VERSION).await.unwrap();
    let asked = async |query: &str| -> (String, Value) {
        let url = format!("{}{}?{query}", second.public_url, Operation::Search.path());
        let answer = world.http.get(url).bearer_auth(world.reader()).send().await.unwrap();
        let control = answer.headers()["cache-control"].to_str().unwrap().to_owned();
        (control, answer.json().await.unwrap())
    };
    let until = async |query: &str, state: &str| {
        world::eventually(state, async || {
            let (control, answer) = asked(query).await;
            (answer["state"] == state).then_some((control, answer))
        })
        .await
    };
    let (control, answer) = until("q=shall&edition=all&limit=2", "partial").await;
    assert_eq!(answer["progress"], json!({ "searched": 3, "titlesOnly": 1, "selected": 3 }), "{answer}");
    assert_eq!(control, "no-store");
    assert!(answer["next"].is_string() && !urns(&answer).contains(&world::SIBLING), "{answer}");
    // Its title is found, and an answer without it is complete.
    let (_, title) = asked(&format!("q=NSB+4210&edition=all&urn={}", world::SIBLING)).await;
    assert_eq!((&title["total"], &title["items"][0]["kind"]), (&json!(1), &json!("standard")), "{title}");
    let (_, other) = asked(&format!("q=shall&edition=all&urn={}", world::READ)).await;
    assert_eq!((&other["state"], &other["progress"]), (&json!("complete"), &Value::Null), "{other}");
    let metrics = async || {
        let metrics = world.http.get(format!("http://{}/metrics", second.ops_address)).send().await.unwrap();
        metrics.text().await.unwrap()
    };
    world::eventually("the metric", async || {
        metrics().await.contains("\nnorma_search_titles_only 1\n").then_some(())
    })
    .await;
    let findings = norma_service::doctor::diagnose(&settings, &[], jiff::Timestamp::now()).await;
    let said: Vec<String> = findings.iter().map(|finding| finding.said.clone()).collect();
    let said = said.join("\n");
    assert!(said.contains("only the titles of 1 standards") && said.contains(world::SIBLING), "{said}");

    // The blob is restored; the service runs on.
    std::fs::write(&pack, sound).unwrap();
    let (control, answer) = until("q=shall&edition=all&limit=100", "complete").await;
    assert!(urns(&answer).contains(&world::SIBLING), "{answer}");
    assert_eq!((&*control, &answer["progress"]), ("private, no-cache", &Value::Null));
    world::eventually("the metric", async || {
        metrics().await.contains("\nnorma_search_titles_only 0\n").then_some(())
    })
    .await;
    second.stop().await;
    world.stop().await;
}

/// A standard of terms with long definitions, and of tables with many cells.
fn glossary(terms: usize, tables: usize) -> String {
    let long = "holds the lid while the pump is at rest ".repeat(40);
    let terms: String = (1..=terms)
        .map(|at| {
            format!(
                "<term-sec><label>3.{at}</label><tbx:termEntry id='t{at}'><tbx:langSet xml:lang='en'>\
                 <tbx:definition>{long}</tbx:definition><tbx:tig><tbx:term>clasp {at}</tbx:term></tbx:tig>\
                 </tbx:langSet></tbx:termEntry></term-sec>"
            )
        })
        .collect();
    let row = format!("<tr>{}</tr>", "<td>clasp</td>".repeat(20));
    let table = |at| {
        let rows = row.repeat(50);
        format!(
            "<table-wrap id='tab_{at}'><label>Table {at}</label><caption><title>Clasps</title></caption>\
             <table><tbody>{rows}</tbody></table></table-wrap>"
        )
    };
    let tables: String = (1..=tables).map(table).collect();
    format!(
        "<standard xmlns:tbx='urn:iso:std:iso:30042:ed-1' xml:lang='en'><front><std-meta><title-wrap xml:lang='en'>\
         <main>Clasps</main></title-wrap><std-ident><originator>NSB</originator><doc-type>IS</doc-type>\
         <doc-number>9001</doc-number><edition>1</edition></std-ident><content-language>en</content-language>\
         <std-ref type='dated'>NSB 9001:2026</std-ref></std-meta></front><body>\
         <sec sec-type='terms'><label>3</label><title>Terms and definitions</title>{terms}</sec>\
         <sec><label>4</label><title>Sizes</title>{tables}</sec></body></standard>"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn hits_in_one_standard_take_the_memory_of_reading_it_once() {
    const EACH: usize = 80;
    let world = World::with(&[("response-cache", "0B"), ("cache-size", "0B")]).await;
    world.add(&glossary(EACH, EACH), LARGE).await;
    world.searched().await;
    for kind in ["term", "table"] {
        // At once: one alone may use all of its client's share.
        let query = format!("q=clasp&in={kind}&urn={LARGE}&limit=100");
        for answer in join_all((0..4).map(|_| ask(&world, &query))).await {
            assert_eq!((&answer["total"], &answer["state"]), (&json!(EACH), &json!("complete")), "{kind}");
            assert_eq!(answer["items"].as_array().unwrap().len(), EACH, "{kind}");
        }
    }
    world.stop().await;
}

const VARIED: &str = "urn:nsb:std:nsb:9002:ed-1:en";

/// A standard with an annex, texts that are no provisions, a term in two languages, and a table with a
/// footnote.
const VARIED_XML: &str = "<standard xmlns:tbx='urn:iso:std:iso:30042:ed-1' xml:lang='en'><front><std-meta>\
    <title-wrap xml:lang='en'><main>The sealing of drums</main></title-wrap><std-ident>\
    <originator>NSB</originator><doc-type>IS</doc-type><doc-number>9002</doc-number><edition>1</edition>\
    </std-ident><content-language>en</content-language><std-ref type='dated'>NSB 9002:2026</std-ref>\
    </std-meta></front><body>\
    <sec sec-type='scope'><label>1</label><title>Scope</title><p>Drums from foundries have seams.</p></sec>\
    <sec sec-type='terms'><label>3</label><title>Terms and definitions</title>\
    <term-sec><label>3.1</label><tbx:termEntry id='t1'>\
    <tbx:langSet xml:lang='en'><tbx:definition>ring that presses a lid</tbx:definition>\
    <tbx:tig><tbx:term>clamp</tbx:term></tbx:tig><tbx:tig><tbx:term>lid ring</tbx:term></tbx:tig></tbx:langSet>\
    <tbx:langSet xml:lang='de'><tbx:definition>Bauteil an Deckelrändern</tbx:definition>\
    <tbx:tig><tbx:term>Spannring</tbx:term></tbx:tig></tbx:langSet></tbx:termEntry></term-sec></sec>\
    <sec><label>4</label><title>Bolts</title><p>The bolt shall be M10. It came from écluses.</p>\
    <p>A pin shall be 10 mm long.</p>\
    <table-wrap id='tab_1'><label>Table 1</label><caption><title>Sizes</title></caption><table><tbody>\
    <tr><td>small<xref ref-type='table-fn' rid='f1'><sup>a</sup></xref></td><td>galvanic</td></tr></tbody>\
    </table><table-wrap-foot><fn id='f1'><p>Doubtful value.</p></fn></table-wrap-foot></table-wrap></sec></body>\
    <back><app-group><app id='a' content-type='inform-annex'><label>Annex A</label><title>Recipes</title>\
    <p>Wax is warm.</p></app></app-group></back></standard>";

#[tokio::test(flavor = "multi_thread")]
async fn everything_that_a_caller_may_read_is_found() {
    let world = World::new().await;
    world.add(VARIED_XML, VARIED).await;
    world.searched().await;
    let hits = async |query: &str| {
        let answer = ask(&world, &format!("{query}&urn={VARIED}")).await;
        let hits = answer["items"].as_array().unwrap().clone();
        assert_eq!(answer["total"], hits.len(), "{query}");
        hits
    };
    // Each with the kind, label and marked words of the first hit.
    for (query, kind, label, marked) in [
        ("q=foundries", "section", "1", &["foundries"][..]),
        ("q=scope+seams", "section", "1", &["scope", "seams"]),
        ("q=Annex+A", "section", "Annex A", &[]),
        ("q=wax", "section", "Annex A", &["wax"]),
        ("q=ecluse", "section", "4", &["écluses"]),
        ("q=M10", "provision", "4(1)", &["m10"]),
        ("q=lid+ring", "term", "3.1", &["lid", "ring", "ring", "lid"]),
        ("q=Spannringe", "term", "3.1", &["spannring"]),
        ("q=Deckel", "term", "3.1", &["deckelrändern"]),
        ("q=doubtful", "table", "Table 1", &["doubtful"]),
        ("q=galvanic", "table", "Table 1", &["galvanic"]),
    ] {
        let found = hits(query).await;
        let first = found.first().unwrap_or_else(|| panic!("{query} finds nothing"));
        assert_eq!((&first["kind"], &first["label"]), (&json!(kind), &json!(label)), "{query}: {first}");
        let words = highlighted(first);
        let joined = if query == "q=M10" { vec![words.concat()] } else { words };
        assert_eq!(joined, marked, "{query}: {first}");
    }
    let scope = &hits("q=foundries").await[0];
    assert_eq!((&scope["section"]["title"], &scope["section"]["id"]), (&json!("Scope"), &scope["id"]));
    // Each text is in one unit.
    for query in ["q=galvanic", "q=presses", "q=bolt+M10", "q=Deckelränder"] {
        assert_eq!(hits(query).await.len(), 1, "{query}");
    }
    assert_eq!(hits("q=the+sealing+of+drums").await[0]["kind"], "standard");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn urns_with_and_without_an_edition_select_editions() {
    let world = World::new().await;
    world.add(VARIED_XML, VARIED).await;
    world.searched().await;
    let found = async |query: &str| {
        let answer = ask(&world, &format!("q=shall&limit=100&{query}")).await;
        let mut urns: Vec<String> = urns(&answer).into_iter().map(str::to_owned).collect();
        urns.dedup();
        urns.sort();
        urns.dedup();
        urns
    };
    // The caller does not see the second edition, so that the first is the latest one; it is superseded.
    let document = "urn:nsb:std:nsb:4210";
    assert_eq!(found(&format!("urn={document}")).await, [world::SIBLING]);
    world.grant(world::HIDDEN_SIBLING).await;
    world::eventually("the second edition", async || {
        (found(&format!("urn={document}")).await == [world::HIDDEN_SIBLING]).then_some(())
    })
    .await;
    let of_another = format!("urn={document}&urn={VARIED}");
    assert_eq!(found(&of_another).await, [world::HIDDEN_SIBLING, VARIED]);
    let both = format!("urn={document}&urn={}", world::SIBLING);
    assert_eq!(found(&both).await, [world::SIBLING, world::HIDDEN_SIBLING]);
    assert_eq!(found("status=superseded").await, [""; 0]);
    assert_eq!(found("status=superseded&edition=all").await, [world::SIBLING]);
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_right_after_a_recall_is_answered_without_the_recalled_edition() {
    let world = World::with(&[("poll-interval", "5s"), ("max-staleness", "10s")]).await;
    world.searched().await;
    // A change that the service has seen: it knows no entry of the new state.
    let (withdrawn, recalled) = (world::SIBLING.parse().unwrap(), world::READ.parse().unwrap());
    assert!(world.store.withdraw(&withdrawn, None, SystemTime::now()).await.unwrap());
    let list = format!("{}?urn={}&status=withdrawn", Operation::Standards.path(), world::SIBLING);
    world::eventually("the withdrawal", async || {
        let list: Value = world.get(&list).send().await.unwrap().json().await.unwrap();
        (list["total"] == 1).then_some(())
    })
    .await;
    // A change that it has not seen.
    assert!(world.store.recall(&recalled, "an error", None, SystemTime::now()).await.unwrap());
    let answer = ask(&world, &format!("q=shall&edition=all&urn={}", world::READ)).await;
    assert_eq!((&answer["total"], &answer["state"]), (&json!(0), &json!("complete")), "{answer}");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_with_more_matches_than_are_looked_at_is_refused_with_the_advice() {
    let mut limits = FixedLimits::default();
    limits.reads.search_matches = 1;
    let world = World::within(limits, &[]).await;
    world::eventually("the search is refused", async || {
        let path = format!("{}?q=anchor&edition=all", Operation::Search.path());
        let answer = world.get(&path).send().await.unwrap();
        if answer.status() == 200 {
            return None;
        }
        assert_eq!(
            (answer.status().as_u16(), &answer.headers()["retry-after"]),
            (503, &"60".parse().unwrap())
        );
        let problem: Value = answer.json().await.unwrap();
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains("Too many texts match") && detail.contains("write a rarer word"), "{detail}");
        Some(())
    })
    .await;
    world.stop().await;
}
