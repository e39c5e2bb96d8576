//! Tests of the rows of a publisher's table, as comparisons get them.

use norma_compare::{ComparisonSection, ComparisonUnit, UnitsParts};

use super::*;

fn id(n: u8) -> ProvisionId {
    ProvisionId::from_bytes([n; 16])
}

fn units(ids: &[u8]) -> Units {
    let mut units = Vec::new();
    for n in ids {
        units.push(ComparisonUnit { id: id(*n).to_string().into(), ..ComparisonUnit::default() });
    }
    let sections = vec![ComparisonSection::default()];
    Units::new(UnitsParts { units, sections, ..UnitsParts::default() }).unwrap()
}

fn row(older: Option<u8>, newer: Option<u8>, relation: &str) -> Correspondence {
    Correspondence {
        older: "urn:nsb:std:nsb:1:ed-1:en".parse().unwrap(),
        older_id: older.map(id),
        newer: "urn:nsb:std:nsb:1:ed-2:en".parse().unwrap(),
        newer_id: newer.map(id),
        relation: relation.to_owned(),
    }
}

#[test]
fn rows_name_units_by_index_and_may_have_one_side_only() {
    let table = [row(Some(2), Some(3), "same"), row(None, Some(4), "new"), row(Some(1), None, "removed")];
    let found: Vec<_> = stated(&table, [&units(&[1, 2]), &units(&[3, 4])])
        .into_iter()
        .map(|row| (row.older, row.newer, row.relation))
        .collect();
    let expected = [
        (Some(1), Some(0), AuthoredRelation::Same),
        (None, Some(1), AuthoredRelation::New),
        (Some(0), None, AuthoredRelation::Removed),
    ];
    assert_eq!(found, expected);
}

#[test]
fn rows_of_provisions_in_other_languages_and_of_unknown_relations_are_left_out() {
    let table =
        [row(Some(9), Some(3), "same"), row(Some(1), Some(9), "same"), row(Some(1), Some(3), "equal")];
    assert!(stated(&table, [&units(&[1]), &units(&[3])]).is_empty());
}
