//! Each facet of a change, and what is not one.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use norma_compare::{
    Change, Comparison, Reference, ReferenceChangeKind, Relation, Section, Target, Term, TermText, Unit,
    Units, UnitsParts, compare,
};
use norma_model::ProvisionKind;

fn section(label: &str, title: &str, parent: Option<usize>) -> Section {
    Section { label: Some(label.into()), title: Some(title.into()), parent, ..Section::default() }
}

fn term(designation: &str, definition: &str) -> Term {
    let text = |text: &str| vec![TermText { language: None, text: text.into() }];
    Term { designations: text(designation), definitions: text(definition) }
}

fn unit(text: &str) -> Unit {
    Unit { id: text.into(), text: text.into(), kind: Some(ProvisionKind::Requirement), ..Unit::default() }
}

fn of(units: Vec<Unit>) -> Units {
    let terms = vec![term("bag", "sack of jute")];
    Units::new(UnitsParts {
        sections: vec![section("5", "Storage", None)],
        units,
        terms,
        ..UnitsParts::default()
    })
    .unwrap()
}

fn compared(a: Units, b: Units) -> Comparison {
    compare(&a, &b)
}

#[test]
fn numbers_in_digits_and_words_are_compared_with_their_units() {
    for (older, newer, from, to) in [
        ("The gap shall be 300 mm wide.", "The gap shall be 250 mm wide.", "300 mm", "250 mm"),
        ("The gap shall be 10 mm wide.", "The gap shall be 10 cm wide.", "10 mm", "10 cm"),
        ("Take three samples of each lot.", "Take five samples of each lot.", "3", "5"),
        (
            "The mass shall be 10 000 kg at most.",
            "The mass shall be 20 000 kg at most.",
            "10000 kg",
            "20000 kg",
        ),
        ("La masse est de 1,5 kg par sac.", "La masse est de 2,5 kg par sac.", "1.5 kg", "2.5 kg"),
    ] {
        let found = compared(of(vec![unit(older)]), of(vec![unit(newer)]));
        let [change] = &found.links[0].facets.quantities[..] else { panic!("{:?}", found.links[0].facets) };
        let text = |q: &Option<norma_compare::Quantity>| {
            let q = q.as_ref().unwrap();
            format!("{} {}", q.value, q.unit.as_deref().unwrap_or_default()).trim().to_owned()
        };
        assert_eq!((text(&change.from), text(&change.to)), (from.to_owned(), to.to_owned()));
    }
    let words = compared(
        of(vec![unit("Take three samples of each lot.")]),
        of(vec![unit("Take 3 samples of each lot.")]),
    );
    assert_eq!((words.links[0].relation, words.links[0].facets.quantities.len()), (Relation::Reworded, 0));
}

#[test]
fn strength_negation_and_redefined_terms_are_facets() {
    let mut newer = unit("The bags should not be kept dry.");
    newer.kind = Some(ProvisionKind::Recommendation);
    newer.negated = true;
    newer.terms = vec![0];
    let mut older = unit("The bags shall be kept dry.");
    older.terms = vec![0];
    let sections = vec![section("5", "Storage", None)];
    let terms = vec![term("Bag", "sack of paper")];
    let newer =
        Units::new(UnitsParts { sections, terms, units: vec![newer], ..UnitsParts::default() }).unwrap();
    let facets = compared(of(vec![older]), newer).links[0].facets.clone();
    let strength = facets.strength.unwrap();
    assert_eq!(
        (strength.from.kind, strength.to.kind),
        (Some(ProvisionKind::Requirement), Some(ProvisionKind::Recommendation))
    );
    assert!(!strength.from.negated && strength.to.negated);
    assert_eq!(facets.negation, Some(Change { from: 0, to: 1 }));
    assert_eq!(facets.terms, [Change { from: 0, to: 0 }]);
}

#[test]
fn another_edition_of_a_document_is_a_facet_and_not_the_same() {
    let with = |text: &str, edition: &str| {
        let document = Target::Document {
            document: "urn:iso:std:iso:9001".into(),
            edition: Some(edition.into()),
            clause: None,
        };
        let reference = Reference { text: format!("ISO 9001:{edition}").into(), target: Some(document) };
        of(vec![Unit { references: vec![reference], ..unit(&format!("{text} ISO 9001:{edition}.")) }])
    };
    let found = compared(with("Suppliers shall meet", "2008"), with("Suppliers shall meet", "2015"));
    assert_eq!(found.links[0].relation, Relation::Reworded);
    assert_eq!(found.links[0].facets.references[0].kind, ReferenceChangeKind::Edition);
    assert!(found.links[0].facets.quantities.is_empty());
}

#[test]
fn a_body_that_moved_into_a_first_subclause_general_did_not_move() {
    let texts = ["Grain shall be stored dry.", "Bags shall be closed."];
    let edition = |sections: Vec<Section>, home: usize| {
        let units = texts.map(|text| Unit { section: home, ..unit(text) }).to_vec();
        Units::new(UnitsParts { sections, units, ..UnitsParts::default() }).unwrap()
    };
    let older = edition(vec![section("5", "Storage", None), section("5.1", "Silos", Some(0))], 0);
    let newer = edition(
        vec![
            section("5", "Storage", None),
            section("5.1", "General", Some(0)),
            section("5.2", "Silos", Some(0)),
        ],
        1,
    );
    let found = compared(older, newer);
    assert!(
        found.links.iter().all(|link| link.relation == Relation::Same && link.facets.moved.is_none()),
        "{found:?}"
    );
}

#[test]
fn a_sentence_that_was_divided_is_possibly_split() {
    let (first, second) = (
        "Bags shall be closed with a strong cotton thread",
        "labels shall name the supplier and the harvest year",
    );
    let found =
        compared(of(vec![unit(&format!("{first} and {second}"))]), of(vec![unit(first), unit(second)]));
    let relations: Vec<_> = found.links.iter().map(|link| link.relation).collect();
    assert_eq!(relations, [Relation::Reworded, Relation::Split], "{found:?}");
    let back =
        compared(of(vec![unit(first), unit(second)]), of(vec![unit(&format!("{first} and {second}"))]));
    assert!(back.links.iter().any(|link| link.relation == Relation::Merged), "{back:?}");
}
