//! Editions with items that repeat each other's texts: registries, handbooks, renumbered catalogues. Every
//! equal text is linked.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test may panic")]

use norma_bench_evaluate::pairs::Pairs;
use norma_compare::{Comparison, UnitRelation, compare};
use serde_json::{Value, json};

/// A unit with the label and title of its section.
fn row(id: usize, section: &str, title: &str, text: &str) -> Value {
    json!({"id": format!("u{id}"), "section": section, "title": title, "text": text})
}

fn comparison(older: &[Value], newer: &[Value]) -> (Pairs, Comparison) {
    let pairs = Pairs::parse(&serde_json::to_vec(&json!({"a": older, "b": newer})).unwrap()).unwrap();
    let found = compare(&pairs.older, &pairs.newer);
    (pairs, found)
}

/// Numbers of possible and of found links between equal texts.
fn equal_texts(older: &[Value], newer: &[Value]) -> (usize, usize) {
    let (pairs, found) = comparison(older, newer);
    let mut free: Vec<&str> = pairs.newer.units.iter().map(|unit| &*unit.text).collect();
    let mut possible = 0;
    for unit in &pairs.older.units {
        if let Some(index) = free.iter().position(|text| *text == &*unit.text) {
            free.swap_remove(index);
            possible += 1;
        }
    }
    (possible, found.links.iter().filter(|link| link.relation == UnitRelation::Same).count())
}

/// Items of a registry: the key of an item is label and title, and two of its three sentences are the same
/// for all items.
fn registry(keys: &[String]) -> Vec<Value> {
    let sentences = |key: &String| {
        let own = format!("The token {key} shall belong to the desk that issued {key}.");
        ["The handle shall be valid.".to_owned(), own, "A desk shall release the handle.".to_owned()]
            .map(|text| (key.clone(), text))
    };
    let all = keys.iter().flat_map(sentences).enumerate();
    all.map(|(id, (key, text))| row(id, &key, &key, &text)).collect()
}

#[test]
fn every_equal_text_of_a_registry_is_linked_also_under_another_key() {
    let keys = |skipped: usize, renamed: usize| -> Vec<String> {
        let name = |n: usize| if n % 7 == renamed { format!("move{n}Lot") } else { format!("make{n}Lot") };
        (0..90).filter(|n| n % 11 != skipped).map(name).collect()
    };
    let (possible, linked) = equal_texts(&registry(&keys(3, 8)), &registry(&keys(5, 2)));
    assert!(possible > 200);
    assert_eq!(linked, possible);
}

#[test]
fn every_equal_text_of_a_handbook_is_linked_though_its_chapters_are_in_another_order() {
    let chapters = ["Bees", "Geese", "Goats", "Hens", "Pigs", "Sheep"];
    let edition = |order: &[usize]| -> Vec<Value> {
        let rows = order
            .iter()
            .enumerate()
            .flat_map(|(number, &chapter)| (0..9).map(move |rule| (number + 1, chapters[chapter], rule)));
        let text = |name: &str, rule: usize| match rule {
            0..4 => format!("Rule {rule} for the keeper shall be observed in the yard."),
            _ => format!("{name} shall be counted {rule} times in a week."),
        };
        let rows = rows.enumerate();
        rows.map(|(id, (number, name, rule))| row(id, &number.to_string(), name, &text(name, rule))).collect()
    };
    let (possible, linked) = equal_texts(&edition(&[0, 1, 2, 3, 4, 5]), &edition(&[4, 2, 0, 5, 1, 3]));
    assert_eq!((possible, linked), (54, 54));
}

#[test]
fn every_equal_text_of_a_catalogue_is_linked_after_it_was_renumbered() {
    // The text of many items is one of four, and a hundred items came in front.
    let text = |item: usize| match item % 5 {
        0 => format!("Item {item} shall be kept in a drawer of its own."),
        other => format!("The label shall have colour {other}."),
    };
    let edition = |items: std::ops::Range<usize>| -> Vec<Value> {
        let start = items.start;
        items
            .map(|item| {
                let number = (item - start + 1).to_string();
                row(item, &number, &number, &text(item))
            })
            .collect()
    };
    let (possible, linked) = equal_texts(&edition(100..300), &edition(0..300));
    assert_eq!((possible, linked), (200, 200));
}

#[test]
fn an_item_that_has_another_key_and_a_text_of_its_own_is_linked() {
    let item = |id, key: &str, text: &str| row(id, key, key, text);
    let older =
        [item(0, "open", "A desk shall answer each call."), item(1, "close", "The lamp shall be out.")];
    let newer =
        [item(0, "open", "A desk shall answer each call."), item(1, "shut", "The lamp shall be out.")];
    let (_, found) = comparison(&older, &newer);
    assert_eq!(found.links.iter().map(|link| (link.older, link.newer)).collect::<Vec<_>>(), [(0, 0), (1, 1)]);
}
