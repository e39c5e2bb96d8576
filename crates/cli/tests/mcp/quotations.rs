//! Altered quotations: none is found, and those that are true are.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::support::Demo;
use crate::{ANCHORS, BATHS, Host, OLDER_ANCHORS};

/// Words that are replaced, each by one that says something else.
const REPLACED: [(&str, &str); 24] = [
    (" shall ", " should "),
    (" shall ", " may "),
    (" shall not ", " shall "),
    (" should ", " shall "),
    (" should not ", " should "),
    (" may ", " shall "),
    (" can ", " shall "),
    (" cannot ", " can "),
    (" need not ", " shall "),
    (" is not ", " is "),
    (" at least ", " at most "),
    (" not more than ", " not less than "),
    (" more than ", " less than "),
    (" less than ", " more than "),
    (" exceed ", " fall below "),
    (" above ", " below "),
    (" below ", " above "),
    (" before ", " after "),
    (" each ", " no "),
    (" both ", " either "),
    (" kN", " N"),
    (" mm", " cm"),
    (" °C", " K"),
    (" s ", " min "),
];

/// Texts that differ from a sentence in one word or number: by construction none of them is true.
fn altered(text: &str) -> Vec<String> {
    let mut altered = Vec::new();
    for (old, new) in REPLACED {
        for (at, _) in text.match_indices(old) {
            altered.push(format!("{}{new}{}", &text[..at], &text[at + old.len()..]));
        }
    }
    // A negation that is not there, and one digit more in each number.
    for verb in [" shall ", " should ", " may ", " can "] {
        for (at, _) in text.match_indices(verb) {
            if !text[at + verb.len()..].starts_with("not ") {
                altered.push(format!("{}{verb}not {}", &text[..at], &text[at + verb.len()..]));
            }
        }
    }
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        let ends = bytes.get(at + 1).is_none_or(|next| !next.is_ascii_digit());
        // The mark of a footnote is not a word of the sentence.
        if byte.is_ascii_digit() && ends && !text[..at].ends_with('^') {
            for digit in ["1", "7"] {
                altered.push(format!("{}{digit}{}", &text[..=at], &text[at + 1..]));
            }
        }
    }
    altered
}

#[tokio::test(flavor = "multi_thread")]
async fn none_of_two_thousand_altered_quotations_is_found_and_each_true_one_is() {
    let demo = Demo::start(&[]).await;
    let caller = demo.caller().await;
    let mut host = Host::start(&demo).await;
    let (mut originals, mut wrong) = (Vec::new(), Vec::new());
    for urn in [ANCHORS, OLDER_ANCHORS, BATHS, "urn:xnb:std:xnb-nsb:4210:ed-2026-02:en"] {
        let provisions = caller.standard(urn, "/provisions").await;
        for provision in provisions["items"].as_array().unwrap() {
            let text = provision["text"].as_str().unwrap();
            // Of a list item, the sentence that it completes belongs to the quotation.
            if text.chars().count() < 20 || provision.get("leadIn").is_some() {
                continue;
            }
            originals.push((urn, text.to_owned()));
            wrong.extend(altered(text).into_iter().map(|text| (urn, text)));
        }
    }
    let true_texts: HashSet<&(&str, String)> = originals.iter().collect();
    wrong.retain(|one| !true_texts.contains(one));
    // As many as the samples give; repeated with the words of another sentence behind them.
    let mut index = 0;
    while wrong.len() < 2_000 {
        let (urn, text) = wrong[index].clone();
        let (_, more) = &originals[index % originals.len()];
        wrong.push((urn, format!("{text} {more}")));
        index += 1;
    }
    wrong.truncate(2_000);
    let mut true_found = 0;
    for some in originals.chunks(100) {
        true_found += verdicts(&mut host, some).iter().filter(|item| item["found"] == true).count();
    }
    println!("{true_found} of {} true quotations found", originals.len());
    assert_eq!(true_found, originals.len());
    assert!(originals.len() > 150, "{}", originals.len());
    let mut found = Vec::new();
    for some in wrong.chunks(100) {
        for (item, (_, text)) in verdicts(&mut host, some).iter().zip(some) {
            if item["found"] != false {
                found.push(format!("{text}: {item}"));
            }
        }
    }
    println!("{} of {} altered quotations found", found.len(), wrong.len());
    assert!(found.is_empty(), "{found:#?}");
}

fn verdicts(host: &mut Host, quotations: &[(&str, String)]) -> Vec<Value> {
    let sent: Vec<Value> =
        quotations.iter().map(|(urn, text)| json!({"text": text, "citation": urn})).collect();
    let (answer, _) = host.call("verify_quotations", json!({ "quotations": sent }));
    answer["items"].as_array().unwrap().clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_verdict_names_the_word_that_differs_and_the_citation_of_the_unit() {
    let demo = Demo::start(&[]).await;
    let mut host = Host::start(&demo).await;
    let arguments = json!({"quotations": [
        {"text": "Stainless steel need not be galvanized.", "citation": "NSB 4210:2025, 5.2"},
        {"text": "Stainless steel shall be galvanized.", "citation": "NSB 4210:2025, 5.2"},
        {"text": "Stainless steel need not be galvanized.", "citation": "NSB 4210:2025, 6.1"},
        {"text": "Bicycles fly at noon over the harbour.", "citation": "NSB 4210:2025"},
    ]});
    let (answer, _) = host.call("verify_quotations", arguments);
    let items = answer["items"].as_array().unwrap();
    let found: Vec<&Value> = items.iter().map(|item| &item["found"]).collect();
    assert_eq!(found, [&json!(true), &json!(false), &json!(true), &json!(false)], "{answer}");
    assert_eq!(items[0]["units"][0]["cite"], "NSB 4210:2025, 5.2(2)");
    assert_eq!(items[1]["verdict"], "altered");
    assert!(items[1]["changes"].as_array().unwrap().iter().any(|change| change["critical"].is_string()));
    assert_eq!(items[2]["atCitedLocation"], false, "the words are true, the place is not");
    assert_eq!(items[3]["verdict"], "absent");
}
