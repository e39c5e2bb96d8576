//! Searches in steps: they find what a search at once finds.

use norma_model::{Lang, ProvisionKind};
use norma_search::{Page, TextQuery, UnitFilter, UnitKind};

use crate::index::{TestEdition, TestKey, TestScope, TestUnit, open};

#[test]
fn a_search_in_steps_finds_what_one_at_once_finds() {
    let unit = |at: u32| TestUnit {
        kind: if at.is_multiple_of(3) { UnitKind::Section } else { UnitKind::Provision },
        provision: (!at.is_multiple_of(3)).then_some(ProvisionKind::Requirement),
        normative: Some(at.is_multiple_of(2)),
        keys: vec![format!("{at}.1")],
        title: if at.is_multiple_of(5) { format!("steel anchor {at}") } else { String::new() },
        text: format!(
            "steel anchors hold Bodenanker{at} rust{} load",
            if at.is_multiple_of(7) { "less" } else { "" }
        ),
        context: String::new(),
    };
    let edition = |at: u32| TestEdition {
        key: TestKey::numbered(at),
        document_urn: format!("urn:nsb:std:nsb:{at}"),
        language: if at.is_multiple_of(2) { Lang::en() } else { "de".parse().unwrap() },
        units: (0..120).map(|number| unit(120 * at + number)).collect(),
    };
    let editions: Vec<TestEdition> = (0..40).map(edition).collect();
    let folder = tempfile::tempdir().unwrap();
    let mut index = open(folder.path());
    for (slot, edition) in (0..).zip(&editions) {
        edition.add_to(&mut index, slot);
    }
    index.commit("1").unwrap();
    let keys: Vec<TestKey> = editions.iter().map(|edition| edition.key.clone()).collect();
    let scope = TestScope::readable((0..40).filter(|slot| slot % 10 != 9), &keys);
    let reader = index.reader();
    for (text, least) in [
        ("steel", 10),
        ("\"steel anchors\" load", 10),
        ("anchor -rust", 10),
        ("bodena*", 10),
        ("Boden", 5),
        ("81.1", 1),
    ] {
        let query = TextQuery::parse(text, None, 32).unwrap();
        for (grouped, limit) in [(false, 10), (true, 10), (false, 100)] {
            let page = Page { limit, after: None, grouped, max_matches: u64::MAX, relaxes: false };
            let whole = reader.search(&query, &scope, &UnitFilter::default(), &page).unwrap();
            assert!(whole.total > 0, "{text}");
            let mut search = reader.begin(&query, keys.len(), &UnitFilter::default(), &page);
            let mut steps = 1;
            while !search.step(&scope, &mut || true).unwrap() {
                steps += 1;
            }
            assert!(steps >= least, "{text}: {steps} steps");
            assert_eq!(search.finish(&scope), whole, "{text}");
        }
    }
    // What is hidden from one step to the next is not found any more.
    let query = TextQuery::parse("steel", None, 32).unwrap();
    let page = Page { limit: 10, after: None, grouped: false, max_matches: u64::MAX, relaxes: false };
    let mut search = reader.begin(&query, keys.len(), &UnitFilter::default(), &page);
    assert!(!search.step(&scope, &mut || true).unwrap());
    let nothing = TestScope::readable(0..0, &keys);
    assert!(search.step(&nothing, &mut || false).unwrap());
    assert_eq!(search.finish(&scope).total, 0);
}
