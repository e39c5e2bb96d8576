//! Examples of answers in the OpenAPI document: they are answers about samples, with lists cut short.
//!
//! Set `NORMA_WRITE_DOCS` to write them again.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::SystemTime;

use norma_api::Operation;
use norma_api::paths::{Method, Requirement, ResponseBody};
use serde_json::{Value, json};

use crate::routes::target;
use crate::world::{self, World};

const OLDER: &str = world::SIBLING;
const NEWER: &str = world::HIDDEN_SIBLING;

/// Most items of a list in an example.
const SHOWN: usize = 2;

/// Query of an operation's example.
fn query(operation: Operation) -> String {
    match operation {
        Operation::Standards => "?publisher=NSB&limit=1".to_owned(),
        Operation::Search => "?q=pull-out+force&type=requirement&facets=type,status&limit=2".to_owned(),
        Operation::Comparison => format!("?with={}&include=text&changed=quantity", NEWER.replace(':', "%3A")),
        _ => String::new(),
    }
}

/// Gives values that differ between runs the same value, and shortens lists.
fn shorten(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                match (name.as_str(), member.as_str()) {
                    ("updatedAt" | "changedAt", _) => *member = "2026-01-31T09:30:00Z".into(),
                    ("expiresAt", _) => *member = "2026-01-31T09:45:00Z".into(),
                    ("url", _) => *member = "https://norma.example/api/content/v1/assets/c2lnbmVk".into(),
                    ("id", Some(id)) if id.starts_with("lin_") => {
                        *member = "lin_bibiebqgaydambqgaydambqgae".into();
                    }
                    _ => shorten(member),
                }
            }
        }
        Value::Array(items) => {
            items.iter_mut().for_each(shorten);
            // The longest items, in their order.
            while items.len() > SHOWN {
                let shortest = (0..items.len()).min_by_key(|&index| items[index].to_string().len());
                items.remove(shortest.unwrap());
            }
        }
        _ => {}
    }
}

async fn ask(world: &World, operation: Operation, path: &str, body: Option<Value>) -> Value {
    let url = format!("{}{path}", world.running.public_url);
    let request = match operation.describe().method {
        Method::Get => world.http.get(url),
        Method::Post => world.http.post(url).json(&body),
    };
    let answer = request.bearer_auth(world.reader()).send().await.unwrap();
    assert_eq!(answer.status(), 200, "{path}");
    answer.json().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_examples_of_the_openapi_document_are_answers_about_samples() {
    let world = World::new().await;
    world.grant(NEWER).await;
    let of = async |operation: Operation| ask(&world, operation, &operation.path_with(&[OLDER]), None).await;
    let provisions = of(Operation::Provisions).await;
    let graphics = of(Operation::Graphics).await;
    // One that says much: with a quantity.
    let provision = provisions["items"].as_array().unwrap().iter().find(|one| one["quantities"] != json!([]));
    let provision = provision.unwrap()["id"].as_str().unwrap();
    let path = Operation::Provision.path_with(&[provision]);
    world::eventually("the lineages of the document", async || {
        let answer = ask(&world, Operation::Provision, &path, None).await;
        answer["lineage"].is_object().then_some(())
    })
    .await;
    world.searched().await;
    let mut examples = BTreeMap::new();
    for &operation in Operation::ALL {
        let description = operation.describe();
        let has_shape = matches!(description.answers[0], ResponseBody::Json([_, ..]));
        if !has_shape || description.requirement < Requirement::Token {
            continue;
        }
        let body = match operation {
            Operation::ResolveAssets => {
                Some(json!({ "assetReference": graphics["items"][0]["assetReference"] }))
            }
            Operation::ResolveCitations => {
                Some(json!({ "citations": ["NSB 4210:2019, 4.2(1)", "NSB 4210:2019, 4.9"] }))
            }
            Operation::VerifyQuotations => Some(json!({
                "quotations": [
                    {
                        "text": "The locking point shall not be fastened by a thread.",
                        "citation": "NSB 4210:2019, 4.2(2)",
                    },
                    { "text": "The locking point shall be fastened by a thread.", "urn": OLDER },
                ],
            })),
            Operation::Migrate => Some(json!({ "ids": [provision, "lin_aaaaaaaaaaaaaaaaaaaaaaaaaa"] })),
            _ => None,
        };
        let urn = if operation == Operation::Migrate { NEWER } else { OLDER };
        let path = match operation {
            Operation::Selection => operation.path_with(&[urn, "4;table:9"]),
            _ => target(operation, urn, provision).split('?').next().unwrap().to_owned(),
        };
        let mut answer = ask(&world, operation, &(path + &query(operation)), body).await;
        shorten(&mut answer);
        examples.insert(description.id, answer);
    }
    // Something changes, after all other examples were made.
    let path = Operation::Changes.path();
    let begin = ask(&world, Operation::Changes, path, None).await;
    world.store.withdraw(&OLDER.parse().unwrap(), Some("Use edition 2."), SystemTime::now()).await.unwrap();
    let since = format!("{path}?since={}", begin["next"].as_str().unwrap());
    let mut answer = ask(&world, Operation::Changes, &since, None).await;
    assert_eq!(answer["items"][0]["type"], "withdraw");
    shorten(&mut answer);
    answer["next"] = "bm8gcGFnZSBiZWZvcmU".into();
    examples.insert(Operation::Changes.describe().id, answer);
    let written = serde_json::to_string_pretty(&examples).unwrap() + "\n";
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../api/src/openapi/answers.json");
    if std::env::var_os("NORMA_WRITE_DOCS").is_some() {
        std::fs::write(&file, &written).unwrap();
    }
    let current = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(current == written, "{} is out of date: run `just documents`", file.display());
    world.stop().await;
}
