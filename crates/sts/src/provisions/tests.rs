//! What the module promises, shown on blocks made by hand.

use norma_model::ProvisionKind;

use super::judge::{KeyWords, Manner, judge};
use super::language::Language;

/// Each rule shows what it finds and what it leaves; the tables are checked against that.
#[test]
fn each_rule_finds_its_example_and_leaves_its_counter_example() {
    let mut wrong = Vec::new();
    for language in Language::all() {
        for rule in &language.rules {
            let manner = Manner {
                key_words: if rule.conditions.bcp14 { KeyWords::Bcp14UpperOnly } else { KeyWords::Plain },
                procedure: rule.conditions.procedure,
            };
            let found = |text: &str| -> Vec<(String, ProvisionKind)> {
                let hits = judge(text, 0..text.len(), &[], language, manner);
                hits.iter().map(|h| (h.rule.id.clone(), h.rule.kind)).collect()
            };
            let by_example = found(&rule.example);
            if by_example != [(rule.id.clone(), rule.kind)] {
                wrong.push(format!("{}: `{}` gives {by_example:?}", rule.id, rule.example));
            }
            let by_counter = found(&rule.counter_example);
            if by_counter.iter().any(|(id, _)| *id == rule.id) {
                wrong.push(format!("{}: `{}` gives {by_counter:?}", rule.id, rule.counter_example));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn rule_ids_are_unique_and_say_their_language() {
    let mut seen = std::collections::HashSet::new();
    for language in Language::all() {
        for rule in &language.rules {
            assert!(seen.insert(&rule.id), "{}", rule.id);
            assert!(rule.id.starts_with(&format!("{}-", language.code)), "{}", rule.id);
        }
    }
}
