//! Questions of engineers, as calls of tools: whether the right place is found in three calls, and how many
//! tokens that takes.

use std::path::Path;

use serde_json::{Value, json};

use crate::Host;
use crate::support::Demo;

/// Calls of a question.
const CALLS: usize = 3;

/// A question of `questions.toml`.
struct Question {
    asks: String,
    held_back: bool,
    locations: Vec<String>,
    calls: Vec<(String, Value)>,
}

fn questions() -> Vec<Question> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mcp/questions.toml");
    let table: toml::Table = std::fs::read_to_string(file).unwrap().parse().unwrap();
    let mut questions = Vec::new();
    for entry in table["question"].as_array().unwrap() {
        let text = |name: &str| entry.get(name).and_then(|value| value.as_str()).map(str::to_owned);
        let asks = text("asks").unwrap();
        let calls = match text("tool") {
            Some(tool) => vec![(tool, serde_json::to_value(&entry["arguments"]).unwrap())],
            None => vec![
                ("search".to_owned(), json!({ "words": asks })),
                ("search".to_owned(), json!({ "words": text("words").unwrap() })),
            ],
        };
        let locations =
            entry["places"].as_array().unwrap().iter().map(|one| one.as_str().unwrap().to_owned());
        let held_back = entry.get("held_back").is_some();
        questions.push(Question { asks, held_back, locations: locations.collect(), calls });
    }
    questions
}

/// The adoption is cited by its URN, and named by its designation in the questions.
const ADOPTION: (&str, &str) = ("urn:xnb:std:xnb-nsb:4210:ed-2026-02:en", "XNB NSB 4210:2026-02");

/// True where a citation is of a place or of a label in it: `4.2(1)` and `4.2.1` are in `4.2`.
fn is_at(cite: &str, location: &str) -> bool {
    match cite.replace(ADOPTION.0, ADOPTION.1).strip_prefix(location) {
        Some(rest) => rest.is_empty() || rest.starts_with(['(', '.']),
        None => false,
    }
}

/// The first unit of an answer that is at one of the places: its citation, and whether its text is whole.
fn right_unit(answer: &Value, locations: &[String]) -> Option<(String, bool)> {
    match answer {
        Value::Array(items) => items.iter().find_map(|item| right_unit(item, locations)),
        Value::Object(members) => {
            let name = members.get("cite").or(members.get("reference")).and_then(Value::as_str);
            if let Some(name) = name
                && locations.iter().any(|location| is_at(name, location))
            {
                return Some((name.to_owned(), !members.contains_key("excerpt")));
            }
            members.values().find_map(|member| right_unit(member, locations))
        }
        _ => None,
    }
}

/// Calls that it took to find the place with its whole text, and the tokens of their answers.
struct Attempt {
    calls: Option<usize>,
    tokens: usize,
}

fn attempt(host: &mut Host, question: &Question) -> Attempt {
    let (mut calls, mut bytes) = (0, 0);
    for (tool, arguments) in &question.calls {
        let (answer, text) = host.call(tool, arguments.clone());
        (calls, bytes) = (calls + 1, bytes + text.len());
        let Some((cite, is_whole)) = right_unit(&answer, &question.locations) else { continue };
        // Of an excerpt the whole unit is read.
        if !is_whole {
            let (_, text) = host.call("read", json!({ "urn": cite }));
            (calls, bytes) = (calls + 1, bytes + text.len());
        }
        return Attempt { calls: (calls <= CALLS).then_some(calls), tokens: bytes.div_ceil(4) };
    }
    Attempt { calls: None, tokens: bytes.div_ceil(4) }
}

/// The share of questions whose place is found, and the median of their tokens.
fn answered(host: &mut Host, questions: &[Question]) -> (f64, usize) {
    let (mut found, mut tokens) = (0, Vec::new());
    for question in questions {
        let Attempt { calls, tokens: spent } = attempt(host, question);
        println!("{:>4} tokens, {calls:?} calls: {}", spent, question.asks);
        found += usize::from(calls.is_some());
        tokens.push(spent);
    }
    tokens.sort_unstable();
    let share = found as f64 / questions.len() as f64;
    println!("{found} of {} found, median {} tokens", questions.len(), tokens[tokens.len() / 2]);
    (share, tokens[tokens.len() / 2])
}

/// Asks the questions that were held back, or the others.
async fn are_answered_in_three_calls(held_back: bool) {
    let questions: Vec<Question> = questions().into_iter().filter(|one| one.held_back == held_back).collect();
    assert_eq!(questions.len(), 20);
    let demo = Demo::start(&[]).await;
    let mut host = Host::start(&demo).await;
    let (share, tokens) = answered(&mut host, &questions);
    assert!(share >= 0.9 && tokens <= 1_500, "{share} {tokens}");
}

#[tokio::test(flavor = "multi_thread")]
async fn engineers_questions_are_answered_in_three_calls() {
    are_answered_in_three_calls(false).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_that_were_held_back_are_answered_in_three_calls() {
    are_answered_in_three_calls(true).await;
}
