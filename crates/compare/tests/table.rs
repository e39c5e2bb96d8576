//! Tests of a publisher's table of correspondence, which replaces results of the matcher.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use norma_compare::AuthoredRelation::{Merged, New, Removed, Same};
use norma_compare::{
    AuthoredRelation, Comparison, ComparisonSection, ComparisonUnit, Confidence, Correspondence, LinkOrigin,
    UnitRelation, Units, UnitsParts, compare_with_table,
};

fn edition(texts: &[&str]) -> Units {
    let unit = |text: &&str| ComparisonUnit {
        id: (*text).into(),
        text: (*text).into(),
        ..ComparisonUnit::default()
    };
    let sections = vec![ComparisonSection { title: Some("Storage".into()), ..ComparisonSection::default() }];
    Units::new(UnitsParts { sections, units: texts.iter().map(unit).collect(), ..UnitsParts::default() })
        .unwrap()
}

const OLDER: [&str; 3] = [
    "Grain shall be stored in a dry room.",
    "Bags shall hold three kilograms of grain.",
    "A label shall name the harvest.",
];
const NEWER: [&str; 3] = [
    "Grain shall be stored in a dry and dark room.",
    "Bags shall hold three kilograms of grain.",
    "The year is printed on each sack.",
];

fn compared(rows: &[(Option<usize>, Option<usize>, AuthoredRelation)]) -> Comparison {
    let rows: Vec<_> =
        rows.iter().map(|&(older, newer, relation)| Correspondence { older, newer, relation }).collect();
    compare_with_table(&edition(&OLDER), &edition(&NEWER), &rows)
}

fn links(found: &Comparison) -> Vec<(usize, usize, UnitRelation, LinkOrigin)> {
    found.links.iter().map(|link| (link.older, link.newer, link.relation, link.origin)).collect()
}

#[test]
fn a_row_outranks_what_was_found_for_its_provisions() {
    let derived = [
        (0, 0, UnitRelation::Reworded, LinkOrigin::Derived),
        (1, 1, UnitRelation::Same, LinkOrigin::Derived),
    ];
    assert_eq!(links(&compared(&[])), derived);
    let found = compared(&[(Some(2), Some(2), Same), (Some(1), None, Removed), (None, Some(1), New)]);
    // The words show that it was reworded, whatever the table says.
    assert_eq!(links(&found), [derived[0], (2, 2, UnitRelation::Reworded, LinkOrigin::Authored)]);
    assert_eq!(found.links[1].confidence, Confidence::Certain);
    assert!(!found.links[1].text.is_empty());
    assert_eq!(found.older_unmatched.iter().map(|one| one.unit).collect::<Vec<_>>(), [1]);
    assert_eq!(found.newer_unmatched.iter().map(|one| one.unit).collect::<Vec<_>>(), [1]);
}

#[test]
fn rows_of_one_provision_with_several_are_parts() {
    let split = compared(&[(Some(2), Some(1), Same), (Some(2), Some(2), Same)]);
    let authored = |older, newer, relation| (older, newer, relation, LinkOrigin::Authored);
    assert_eq!(
        links(&split)[1..],
        [authored(2, 1, UnitRelation::Split), authored(2, 2, UnitRelation::Split)]
    );
    let merged = compared(&[(Some(1), Some(2), Merged), (Some(2), Some(2), Same)]);
    assert_eq!(
        links(&merged)[1..],
        [authored(1, 2, UnitRelation::Merged), authored(2, 2, UnitRelation::Merged)]
    );
}
