//! Editions of a registry: a section named by a key, its label and title, corresponds to the section of the same name only.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test may panic")]

use norma_compare::pairs::Pairs;
use norma_compare::{Comparison, compare};
use serde_json::{Value, json};

const TEXT: &str = "The handle shall be valid and shall belong to the device that made it.";

/// Sections of one unit each; its text ends with words of its own unless the section is the renamed one.
fn edition(keys: &[&str], renamed: &str, title: impl Fn(&str) -> String) -> Vec<Value> {
    let text =
        |key: &str| if key == renamed { TEXT.to_owned() } else { format!("{TEXT} {key} {key} is limited.") };
    keys.iter()
        .map(|key| json!({"id": key, "section": key, "title": title(key), "text": text(key)}))
        .collect()
}

fn comparison(title: impl Fn(&str) -> String) -> Comparison {
    let older = edition(&["createBuffer", "createImage", "bindMemory"], "bindMemory", &title);
    let newer = edition(&["createBuffer", "createImage", "bindMemory2"], "bindMemory2", &title);
    let pairs = Pairs::parse(&serde_json::to_vec(&json!({"a": older, "b": newer})).unwrap()).unwrap();
    compare(&pairs.older, &pairs.newer)
}

#[test]
fn an_item_under_another_key_is_another_item_and_a_candidate() {
    let found = comparison(str::to_owned);
    assert_eq!(found.links.iter().map(|link| (link.older, link.newer)).collect::<Vec<_>>(), [(0, 0), (1, 1)]);
    for unmatched in [&found.older_unmatched, &found.newer_unmatched] {
        let [item] = &unmatched[..] else { panic!("{unmatched:?}") };
        assert_eq!((item.unit, item.candidates[0].unit), (2, 2), "{unmatched:?}");
    }
}

#[test]
fn a_section_with_a_title_apart_from_its_label_can_be_renamed() {
    let found = comparison(|key| format!("About {key}"));
    assert_eq!(found.links.len(), 3, "{:?}", found.links);
}
