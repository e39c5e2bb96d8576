//! Examples of responses, requests and problems in the OpenAPI document.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::{Value, json};
use url::form_urlencoded;

use crate::paths::Operation;
use crate::problem::{Code, Problem};
use crate::query::{ListQuery, Position, QueryLimits};

/// Example of an operation's JSON response: an answer about a sample, with lists cut short. The test `http`
/// of the crate `service` writes the file.
pub fn example_answer(operation: Operation) -> Option<&'static Value> {
    static ANSWERS: LazyLock<BTreeMap<String, Value>> =
        LazyLock::new(|| serde_json::from_str(include_str!("answers.json")).expect("the file is JSON"));
    ANSWERS.get(operation.describe().id)
}

/// A cursor of the list with all its other parameters as in their examples.
pub(super) fn cursor() -> String {
    let parameters = Operation::Standards.describe().parameters.iter().filter(|p| p.name != "cursor");
    let query = form_urlencoded::Serializer::new(String::new())
        .extend_pairs(parameters.map(|p| (p.name, p.example)))
        .finish();
    let query = ListQuery::parse(&query, QueryLimits::default()).expect("the table's examples fit");
    let urn = "urn:nsb:std:nsb:4210:ed-1:en".to_owned();
    query.cursor(&Position { key: "1769851800000".to_owned(), urn })
}

/// Bodies of a request of an operation that has one.
pub(super) fn bodies(operation: Operation) -> Value {
    if operation == Operation::ResolveCitations {
        return json!({
            "citations": {
                "summary": "Citations with their document",
                "value": { "citations": ["NSB 4210:2019, 4.2(1)", "Clause 5 of NSB 4210:2019"] },
            },
            "locations": {
                "summary": "Places of one standard",
                "value": { "citations": ["Table 1", "Annex A"], "urn": "urn:nsb:std:nsb:4210:ed-1:en" },
            },
        });
    }
    if operation == Operation::VerifyQuotations {
        return json!({
            "citations": {
                "summary": "Quotations with their citations",
                "value": {
                    "quotations": [
                        { "text": "The locking point shall be marked.", "citation": "NSB 4210:2019, 4.2(1)" },
                        { "text": "The locking point shall be marked.", "urn": "urn:nsb:std:nsb:4210" },
                    ],
                },
            },
            "standard": {
                "summary": "Quotations of one standard, by its editions of a day",
                "value": {
                    "quotations": [{ "text": "The locking point shall be marked.", "citation": "Clause 4.2" }],
                    "urn": "urn:nsb:std:nsb:4210",
                    "at": "2024-06-30",
                },
            },
        });
    }
    if operation == Operation::Migrate {
        return json!({
            "ids": {
                "summary": "Ids of provisions and lineages",
                "value": { "ids": ["prv_2zufqtxvuva3243a2disdxshlu", "lin_aaaaaaaaaaaaaaaaaaaaaaaaaa"] },
            },
            "labels": {
                "summary": "Labels of the edition that `from` names",
                "value": { "labels": ["4.2(1)", "7.1(3)"] },
            },
        });
    }
    json!({
        "one": { "summary": "One reference", "value": { "assetReference": "media/fig_1.svg" } },
        "several": { "summary": "Several references", "value": { "assetReferences": ["media/fig_1.svg", "#fig_1"] } },
    })
}

/// Each problem that an operation can have, by its code.
pub(super) fn problems() -> BTreeMap<&'static str, Value> {
    let used = |code: &&Code| Operation::ALL.iter().any(|operation| operation.problems().contains(code));
    let example = |&code: &Code| {
        let problem = Problem::new(code, code.explanation(), "0198c5e2-7d3a-7a51-8f5e-3b7a0c1d2e3f");
        (code.as_str(), json!({ "summary": code.title(), "value": problem }))
    };
    Code::ALL.iter().filter(used).map(example).collect()
}
