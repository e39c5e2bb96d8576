//! Tests of finding the units that a quotation may be from.

use norma_model::Lang;
use norma_search::{MOST_CANDIDATES, SearchError, SearchIndex, UnitKind};

use crate::index::{TestEdition, TestKey, TestUnit, open};

fn edition(number: u32, texts: &[&str]) -> TestEdition {
    let mut units = Vec::new();
    for text in texts {
        units.push(TestUnit {
            kind: UnitKind::Provision,
            provision: None,
            normative: None,
            keys: Vec::new(),
            title: String::new(),
            text: (*text).to_owned(),
            context: String::new(),
        });
    }
    TestEdition {
        key: TestKey::numbered(number),
        document_urn: format!("urn:nsb:std:nsb:{number}"),
        language: Lang::en(),
        units,
    }
}

fn found(index: &SearchIndex, text: &str, slots: &[u32]) -> Vec<(u32, u32)> {
    let found = index.reader().units_with_words(text, &[Lang::en(), "de".parse().unwrap()], slots).unwrap();
    found.into_iter().map(|unit| (unit.slot, unit.index)).collect()
}

#[test]
fn units_with_half_of_the_words_are_found_in_the_slots_that_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let mut index = open(folder.path());
    let first =
        edition(1, &["The winch shall be greased before each lift.", "Ropes shall be dry.", "A winch."]);
    let second = edition(2, &["The winch shall be greased before each lift.", "The lift is greased."]);
    first.add_to(&mut index, 0);
    second.add_to(&mut index, 1);
    index.commit("1").unwrap();

    // A changed word is in no unit.
    let altered = "The winch shall be oiled before each lift";
    assert_eq!(found(&index, altered, &[0]), [(0, 0)]);
    assert_eq!(found(&index, altered, &[0, 1]), [(0, 0), (1, 0)]);
    assert_eq!(found(&index, altered, &[]), []);
    assert_eq!(found(&index, "Nobody paints the harbour on Sundays", &[0, 1]), []);

    index.remove(0);
    index.commit("2").unwrap();
    assert_eq!(found(&index, altered, &[0, 1]), [(1, 0)]);
}

#[test]
fn the_units_with_the_most_words_come_first_and_there_are_no_more_than_fifty() {
    let folder = tempfile::tempdir().unwrap();
    let mut index = open(folder.path());
    let mut texts = vec!["Hoses of the pump shall be flushed"; 2 * MOST_CANDIDATES];
    texts.push("Hoses of the pump shall be flushed with clean water");
    edition(1, &texts).add_to(&mut index, 0);
    index.commit("1").unwrap();
    let found = found(&index, "Hoses of the pump shall be flushed with clean water.", &[0]);
    assert_eq!(found.len(), MOST_CANDIDATES);
    assert_eq!(found[0], (0, 2 * MOST_CANDIDATES as u32));
}

#[test]
fn common_words_are_not_looked_up_beyond_the_bound_and_nothing_else_is_too_many() {
    let folder = tempfile::tempdir().unwrap();
    let mut index = open(folder.path());
    let mut texts = vec!["The pump shall run and the hose shall hold."; 30_000];
    texts.push("The pump shall run and the bellows shall hold.");
    edition(1, &texts).add_to(&mut index, 0);
    index.commit("1").unwrap();
    let common = index.reader().units_with_words("The pump shall run and hold", &[Lang::en()], &[0]);
    assert_eq!(common, Err(SearchError::TooManyMatches));
    assert_eq!(found(&index, "The pump shall run and the bellows shall hold", &[0]), [(0, 30_000)]);
}
