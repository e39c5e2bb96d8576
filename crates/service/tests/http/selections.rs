//! Generated selections: the answers of the service, compared with its own sections and provisions.

use norma_api::Operation;
use serde_json::Value;

use crate::world::{self, World};

/// A section of the hierarchy: its number, its index in document order, and that of its last subsection.
struct Section {
    id: String,
    number: Option<String>,
    last: usize,
}

/// Sections in document order.
fn flat(nodes: &Value, sections: &mut Vec<Section>) {
    for node in nodes.as_array().unwrap() {
        let at = sections.len();
        let text = |name: &str| node[name].as_str().map(str::to_owned);
        sections.push(Section { id: text("id").unwrap(), number: text("number"), last: at });
        flat(&node["children"], sections);
        sections[at].last = sections.len() - 1;
    }
}

/// Small numbers that are the same in every run (a linear congruential generator with the constants of
/// Knuth's MMIX).
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

/// One item of a selection, and whether it means a provision, given the index of its section and its own
/// index there, counted from 1.
struct Item {
    written: String,
    minus: bool,
    sections: (usize, usize),
    ordinals: (usize, usize),
}

fn item(dice: &mut Dice, sections: &[Section]) -> Item {
    let numbered: Vec<usize> = (0..sections.len()).filter(|&at| sections[at].number.is_some()).collect();
    let number = |at: usize| sections[at].number.as_deref().unwrap();
    let (a, b) = (numbered[dice.below(numbered.len())], numbered[dice.below(numbered.len())]);
    let any = (1, usize::MAX);
    let (written, chosen, ordinals) = match dice.below(4) {
        0 => (number(a).to_lowercase(), (a, sections[a].last), any),
        1 => (format!("id:{}", sections[a].id), (a, sections[a].last), any),
        2 => {
            let (first, last) = (a.min(b), a.max(b));
            (format!("{}-{}", number(first), number(last)), (first, sections[last].last), any)
        }
        _ => {
            let first = 1 + dice.below(3);
            let last = first + dice.below(3);
            (format!("{}({first}-{last})", number(a)), (a, a), (first, last))
        }
    };
    Item { written, minus: dice.below(4) == 0, sections: chosen, ordinals }
}

impl Item {
    fn means(&self, section: usize, ordinal: usize) -> bool {
        (self.sections.0..=self.sections.1).contains(&section)
            && (self.ordinals.0..=self.ordinals.1).contains(&ordinal)
    }

    /// As a part of a selection.
    fn part(&self) -> String {
        let minus = if self.minus { "!" } else { "" };
        match self.written.strip_prefix("id:") {
            Some(id) => format!("id:{minus}{id}"),
            None => format!("{minus}{}", self.written),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn five_hundred_selections_choose_what_sections_and_provisions_say() {
    let world = World::new().await;
    let read = async |operation: Operation, arguments: &[&str]| {
        let answer = world.get(&operation.path_with(arguments)).send().await.unwrap();
        (answer.status().as_u16(), answer.json::<Value>().await.unwrap())
    };
    let mut sections = Vec::new();
    flat(&read(Operation::Sections, &[world::READ]).await.1["sections"], &mut sections);
    let (_, provisions) = read(Operation::Provisions, &[world::READ]).await;
    // Of each provision: its id, the place of its section, and which of that section's own it is.
    let mut known: Vec<(&str, usize, usize)> = Vec::new();
    for provision in provisions["items"].as_array().unwrap() {
        let section = sections.iter().position(|s| provision["section"]["id"] == s.id.as_str()).unwrap();
        let before = known.iter().filter(|(_, other, _)| *other == section).count();
        known.push((provision["id"].as_str().unwrap(), section, before + 1));
    }
    assert!(known.len() > 20 && sections.len() > 20, "{} {}", known.len(), sections.len());

    let (mut dice, mut chosen_once) = (Dice(1), 0);
    for _ in 0..500 {
        let items: Vec<Item> = (0..=dice.below(4)).map(|_| item(&mut dice, &sections)).collect();
        let selection = items.iter().map(Item::part).collect::<Vec<_>>().join(";");
        let only_minus = items.iter().all(|item| item.minus);
        let meant = |&&(_, section, ordinal): &&(&str, usize, usize)| {
            let any = |minus| items.iter().any(|i| i.minus == minus && i.means(section, ordinal));
            (only_minus || any(false)) && !any(true)
        };
        let expected: Vec<&str> = known.iter().filter(meant).map(|(id, _, _)| *id).collect();
        let (status, answer) = read(Operation::Selection, &[world::READ, &selection]).await;
        if status == 404 {
            // Each of its items asks for the nth provision of a clause that has not so many.
            assert_eq!(answer["code"], "selection-not-found", "{selection}");
            let named = |i: &Item| i.ordinals.1 == usize::MAX || known.iter().any(|k| i.means(k.1, k.2));
            assert!(!items.iter().any(named), "{selection}");
            continue;
        }
        assert_eq!(status, 200, "{selection}: {answer}");
        let found: Vec<&str> =
            answer["items"].as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap()).collect();
        assert_eq!(found, expected, "{selection}");
        let report = &answer["selection"];
        let count = |name: &str| report[name].as_array().unwrap().len();
        assert_eq!(count("matched") + count("unmatched"), items.len(), "{selection}: {report}");
        chosen_once += usize::from(!found.is_empty());
    }
    assert!(chosen_once > 200, "only {chosen_once} of them chose anything");
    world.stop().await;
}
