//! Relations of sections with counts of their provisions, and sentences that have only their frame in common.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use norma_compare::{
    Comparison, ComparisonSection, ComparisonUnit, Confidence, PartRelation, Units, UnitsParts, compare,
};

/// Sections with label, title, parent by label, and texts.
type Outline<'a> = &'a [(&'a str, &'a str, &'a str, &'a [&'a str])];

fn edition(outline: Outline<'_>) -> Units {
    let at = |label: &str| outline.iter().position(|(own, ..)| *own == label);
    let section = |(label, title, parent, _): &(&str, &str, &str, &[&str])| ComparisonSection {
        id: (*label).into(),
        number: Some((*label).into()),
        title: (!title.is_empty()).then(|| (*title).into()),
        parent: at(parent),
        ..ComparisonSection::default()
    };
    let unit = |section: usize, text: &str| ComparisonUnit {
        id: text.into(),
        text: text.into(),
        section,
        ..ComparisonUnit::default()
    };
    let units =
        (0..).zip(outline).flat_map(|(index, (.., texts))| texts.iter().map(move |text| unit(index, text)));
    Units::new(UnitsParts {
        sections: outline.iter().map(section).collect(),
        units: units.collect(),
        ..UnitsParts::default()
    })
    .unwrap()
}

/// Relation, labels on both sides and counts (same, changed, new, removed) of each section.
fn outline(a: &Units, b: &Units, found: &Comparison) -> Vec<(PartRelation, String, String, [u32; 4])> {
    let label = |units: &Units, section: Option<usize>| {
        section.and_then(|section| units.sections[section].number.clone()).unwrap_or_default().into_string()
    };
    let row = |change: &norma_compare::SectionChange| {
        (change.relation, label(a, change.older), label(b, change.newer), change.provisions)
    };
    found.outline.iter().map(row).collect()
}

#[test]
fn each_section_has_a_relation_and_counts_of_what_is_in_it() {
    let older = edition(&[
        ("4", "Gates", "", &["Each gate shall have two hinges of steel."]),
        ("5", "Lamps", "", &["A lamp shall burn at the entrance.", "Each lamp shall hold 2 l of oil."]),
        ("6", "Ropes", "", &["Ropes shall be dry before they are coiled."]),
        ("6.1", "Knots", "6", &["A knot shall bear the weight of a crate."]),
        ("7", "Geese", "", &["Geese shall be counted at sunset."]),
        ("8", "Records", "", &["The keeper shall note each visitor."]),
    ]);
    let newer = edition(&[
        ("4", "Gates", "", &["Each gate shall have two hinges of steel."]),
        (
            "5",
            "Lamps",
            "",
            &[
                "A lamp shall burn at the entrance.",
                "Each lamp shall hold 3 l of oil.",
                "Wicks shall be trimmed weekly.",
            ],
        ),
        ("6", "Ropes", "", &["Ropes shall be dry before they are coiled."]),
        ("7", "Records", "", &["The keeper shall note each visitor."]),
        ("7.1", "Knots", "7", &["A knot shall bear the weight of a crate."]),
        ("8", "Boats", "", &["Boats shall be tarred in spring."]),
    ]);
    let found = compare(&older, &newer);
    let row =
        |relation, older: &str, newer: &str, counts| (relation, older.to_owned(), newer.to_owned(), counts);
    assert_eq!(
        outline(&older, &newer, &found),
        [
            row(PartRelation::Same, "4", "4", [1, 0, 0, 0]),
            row(PartRelation::Changed, "5", "5", [1, 1, 1, 0]),
            row(PartRelation::Same, "6", "6", [1, 0, 0, 0]),
            row(PartRelation::Same, "8", "7", [2, 0, 0, 0]),
            row(PartRelation::Moved, "6.1", "7.1", [1, 0, 0, 0]),
            row(PartRelation::New, "", "8", [0, 0, 1, 0]),
            row(PartRelation::Removed, "7", "", [0, 0, 0, 1]),
        ]
    );
}

#[test]
fn a_provision_that_went_to_another_section_is_removed_in_its_former_one() {
    let older = edition(&[
        ("4", "Gates", "", &["Each gate shall have two hinges of steel.", "Oil shall be kept in a tin can."]),
        ("5", "Lamps", "", &["A lamp shall burn at the entrance."]),
    ]);
    let newer = edition(&[
        ("4", "Gates", "", &["Each gate shall have two hinges of steel."]),
        ("5", "Lamps", "", &["A lamp shall burn at the entrance.", "Oil shall be kept in a tin can."]),
    ]);
    let counts = |older: &Units, newer: &Units| -> Vec<[u32; 4]> {
        compare(older, newer).outline.iter().map(|change| change.provisions).collect()
    };
    assert_eq!(counts(&older, &newer), [[1, 0, 0, 1], [2, 0, 0, 0]]);
    assert_eq!(counts(&newer, &older), [[2, 0, 0, 0], [1, 0, 0, 1]]);
}

#[test]
fn subsections_of_which_only_the_number_is_known_correspond_where_none_was_inserted() {
    let gates: &[&str] = &["Each gate shall have two hinges of steel."];
    let older = edition(&[("4", "Gates", "", gates), ("4.1", "", "4", &[]), ("4.2", "", "4", &[])]);
    let relations: Vec<PartRelation> =
        compare(&older, &older).outline.iter().map(|change| change.relation).collect();
    assert_eq!(relations, [PartRelation::Same; 3]);
    let newer = edition(&[
        ("4", "Gates", "", gates),
        ("4.1", "", "4", &[]),
        ("4.2", "", "4", &[]),
        ("4.3", "", "4", &[]),
    ]);
    let found = compare(&older, &newer);
    let same = found.outline.iter().filter(|change| change.relation == PartRelation::Same);
    assert_eq!(same.count(), 1, "{:?}", found.outline);
}

/// Frames of provisions, and subjects without a common word.
const FRAMES: [&str; 12] = [
    "It is not permitted to {}.",
    "It is recommended that you {}.",
    "It shall be possible to {}.",
    "The following shall be done: {}.",
    "Care should be taken to {}.",
    "Es ist nicht zulässig, {}.",
    "Es muss möglich sein, {}.",
    "Es wird empfohlen, {}.",
    "Il est interdit de {}.",
    "Il est recommandé de {}.",
    "Il doit être possible de {}.",
    "The manufacturer shall ensure that it is possible to {}.",
];
const SUBJECTS: [[&str; 4]; 2] = [
    ["open gates", "paint ladders", "count geese", "feed horses"],
    ["sell barrels", "sweep chimneys", "ring bells", "burn candles"],
];

#[test]
fn sentences_that_share_their_frame_alone_are_no_pairs_of_high_confidence() {
    for frame in FRAMES {
        let [older, newer] = SUBJECTS.map(|subjects| {
            let texts = subjects.map(|subject| frame.replace("{}", subject));
            edition(&[("4", "Rules", "", &texts.each_ref().map(|text| &**text))])
        });
        let found = compare(&older, &newer);
        let high = found.links.iter().filter(|link| link.confidence >= Confidence::High);
        let high: Vec<_> =
            high.map(|link| (&older.units[link.older].text, &newer.units[link.newer].text)).collect();
        assert!(high.is_empty(), "{high:?}");
    }
}

/// An edition of sections with number, title, parent by index, and a hash of their own text.
fn edition_of_texts(sections: &[(&str, &str, Option<usize>, u64)]) -> Units {
    let mut parts = UnitsParts::default();
    for &(number, title, parent, text_hash) in sections {
        parts.sections.push(ComparisonSection {
            id: number.into(),
            number: Some(number.into()),
            title: (!title.is_empty()).then(|| title.into()),
            parent,
            text_hash: Some(text_hash),
            ..ComparisonSection::default()
        });
    }
    Units::new(parts).unwrap()
}

#[test]
fn sections_without_provisions_correspond_by_their_own_text_or_the_title_that_no_sibling_has() {
    let older = edition_of_texts(&[
        ("4", "範囲", None, 0),
        ("4.1", "", Some(0), 17),
        ("4.2", "", Some(0), 18),
        ("4.3", "一般", Some(0), 19),
        ("4.4", "", Some(0), 20),
        ("4.5", "", Some(0), 20),
        ("4.6", "", Some(0), 0),
    ]);
    let newer = edition_of_texts(&[
        ("4", "目的", None, 99),
        ("5", "範囲", None, 0),
        ("5.1", "", Some(1), 18),
        ("5.2", "一般", Some(1), 21),
        ("5.3", "", Some(1), 17),
        ("5.4", "", Some(1), 20),
        ("5.5", "", Some(1), 0),
    ]);
    // Of texts that two sections have, and of no text, nothing is said.
    let found = compare(&older, &newer);
    assert_eq!(found.sections, [(0, 1), (1, 4), (2, 2), (3, 3)]);
}
