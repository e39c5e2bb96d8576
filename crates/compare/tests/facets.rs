//! Tests of each facet of a change, and of changes that are not one.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::sync::Arc;

use norma_compare::{
    Amount, Change, Comparison, ComparisonSection, ComparisonUnit, DependencyKind, Facet, NumberedPart,
    NumberedPartKind, PartRelation, ReferenceChangeKind, UnitReference, UnitRelation, UnitTarget, Units,
    UnitsParts, compare, find,
};
use norma_model::table::{Cell, Column, Grid};
use norma_model::{
    Comparator, Definition, Designation, DesignationStatus, Lang, Passage, ProvisionKind, Quantity, Term,
    TermId,
};

fn section(number: &str, title: &str, parent: Option<usize>) -> ComparisonSection {
    ComparisonSection {
        number: Some(number.into()),
        title: Some(title.into()),
        parent,
        ..ComparisonSection::default()
    }
}

fn term(designation: &str, definition: &str) -> Term {
    let designation = Designation {
        text: designation.to_owned(),
        status: DesignationStatus::Preferred,
        kind: None,
        part_of_speech: None,
        language: Lang::en(),
    };
    let definition = Definition { language: Lang::en(), text: definition.to_owned(), xml: String::new() };
    Term {
        id: TermId::new("term_1"),
        number: None,
        designations: vec![designation],
        definitions: vec![definition],
        domains: Vec::new(),
        notes: Vec::new(),
        examples: Vec::new(),
        sources: Vec::new(),
        section: 0,
    }
}

fn unit(text: &str) -> ComparisonUnit {
    ComparisonUnit {
        id: text.into(),
        text: text.into(),
        kind: Some(ProvisionKind::Requirement),
        ..ComparisonUnit::default()
    }
}

fn of(units: Vec<ComparisonUnit>) -> Units {
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

/// A unit with a quantity: its words from the first digit to the full stop.
fn measured(text: &str, comparator: Comparator, value: &str, unit: Option<(&str, &str)>) -> ComparisonUnit {
    let start = text.find(|c: char| c.is_ascii_digit()).unwrap();
    let start = text[..start].chars().count() as u32;
    let passage = Passage { in_lead_in: false, start, end: text.chars().count() as u32 - 1 };
    let quantity = Quantity {
        comparator: Some(comparator),
        value: value.into(),
        upper: None,
        tolerance: None,
        unit: unit.map(|(text, _)| text.into()),
        ucum: unit.map(|(_, code)| code.into()),
        passage,
    };
    ComparisonUnit { quantities: vec![quantity], ..self::unit(text) }
}

#[test]
fn quantities_are_converted_before_they_are_compared_and_limits_are_a_facet_of_their_own() {
    let compared = |a: ComparisonUnit, b: ComparisonUnit| compared(of(vec![a]), of(vec![b])).links[0].clone();
    let (mm, m) = (Some(("mm", "mm")), Some(("m", "m")));
    let long = || measured("The gap is 1 000 mm.", Comparator::Equal, "1000", mm);
    let same = compared(long(), measured("The gap is 1 m.", Comparator::Equal, "1", m));
    assert_eq!((same.relation, same.facets.kinds()), (UnitRelation::Reworded, vec![]));
    let other = compared(long(), measured("The gap is 1 000 m.", Comparator::Equal, "1000", m));
    let [change] = &other.facets.quantities[..] else { panic!("{:?}", other.facets) };
    let unit = |amount: &Option<Amount>| amount.as_ref().and_then(|amount| amount.quantity.unit.clone());
    assert_eq!((unit(&change.older).as_deref(), unit(&change.newer).as_deref()), (Some("mm"), Some("m")));
    let most = compared(long(), measured("The gap is 1 000 mm or less.", Comparator::AtMost, "1000", mm));
    assert_eq!(most.facets.kinds(), [Facet::Bound]);
    assert_eq!(most.facets.bounds[0].newer.comparator, Some(Comparator::AtMost));
    // A comparator that is not stated is not known to be another one.
    let mut open = measured("The gap withstands 1 000 mm.", Comparator::Equal, "1000", mm);
    open.quantities[0].comparator = None;
    assert_eq!(compared(long(), open).facets.kinds(), vec![]);
}

#[test]
fn strength_polarity_and_redefined_terms_are_facets() {
    let mut newer = unit("The bags should not be kept dry.");
    newer.kind = Some(ProvisionKind::Recommendation);
    newer.negated = true;
    newer.verbal_form = find(&newer.text, None, "should not");
    newer.terms = vec![0];
    let mut older = unit("The bags shall be kept dry.");
    older.terms = vec![0];
    let sections = vec![section("5", "Storage", None)];
    let terms = vec![term("Bag", "sack of paper")];
    let newer =
        Units::new(UnitsParts { sections, terms, units: vec![newer], ..UnitsParts::default() }).unwrap();
    let facets = compared(of(vec![older]), newer).links[0].facets.clone();
    let strength = facets.strength.as_ref().unwrap();
    assert_eq!(
        (strength.older.kind, strength.newer.kind),
        (Some(ProvisionKind::Requirement), Some(ProvisionKind::Recommendation))
    );
    let polarity = facets.negation.as_ref().unwrap();
    assert!(!polarity.older.negated && polarity.newer.negated);
    assert_eq!(&*polarity.newer.form.as_ref().unwrap().text, "should not");
    assert_eq!(facets.terms, [Change { older: 0, newer: 0 }]);
    assert_eq!(facets.depends_on[0].kind, DependencyKind::Term);
    assert_eq!(facets.kinds(), [Facet::Strength, Facet::Negation, Facet::Terms, Facet::DependsOn]);
}

#[test]
fn another_edition_of_a_document_is_a_facet_and_an_undated_reference_is_marked() {
    let with = |text: &str, edition: Option<&str>| {
        let document = UnitTarget::Document {
            document: "urn:iso:std:iso:9001".into(),
            edition: edition.map(Into::into),
            clause: None,
        };
        let name = edition.map_or("ISO 9001".to_owned(), |edition| format!("ISO 9001:{edition}"));
        let reference = UnitReference { text: name.as_str().into(), target: Some(document) };
        of(vec![ComparisonUnit { references: vec![reference], ..unit(&format!("{text} {name}.")) }])
    };
    let found =
        compared(with("Suppliers shall meet", Some("2008")), with("Suppliers shall meet", Some("2015")));
    assert_eq!(found.links[0].relation, UnitRelation::Reworded);
    assert_eq!(found.links[0].facets.references[0].kind, ReferenceChangeKind::Edition);
    assert_eq!(found.links[0].facets.kinds(), [Facet::References]);
    let undated = compared(with("Suppliers shall meet", None), with("Suppliers shall meet", None));
    let link = &undated.links[0];
    assert_eq!((link.relation, link.facets.kinds()), (UnitRelation::Same, vec![]));
    assert_eq!(link.facets.references[0].kind, ReferenceChangeKind::Undated);
    assert!(link.facets.references[0].undated);
}

/// An edition with a rule that refers to a table of two columns.
fn with_table(rows: &[[&str; 2]]) -> Units {
    let cell = |(column, text): (usize, &&str)| Cell {
        text: (*text).into(),
        column: column as u32,
        columns: 1,
        rows: 1,
        ..Cell::default()
    };
    let rows = rows.iter().map(|row| row.iter().enumerate().map(cell).collect()).collect();
    let column = |head: &str| Column { heads: vec![head.into()], ..Column::default() };
    let columns = vec![column("Size"), column("Colour")];
    let table = NumberedPart {
        kind: NumberedPartKind::Table,
        id: "tab_1".into(),
        label: Some("Table 1".into()),
        caption: None,
        section: Some(0),
        digest: None,
        grid: Some(Arc::new(Grid { columns, rows, ..Grid::default() })),
    };
    let reference = UnitReference { text: "Table 1".into(), target: Some(UnitTarget::Part(0)) };
    let units =
        vec![ComparisonUnit { references: vec![reference], ..unit("Bags shall be marked as in Table 1.") }];
    let sections = vec![section("5", "Storage", None)];
    Units::new(UnitsParts { sections, units, parts: vec![table], ..UnitsParts::default() }).unwrap()
}

#[test]
fn a_table_is_compared_by_rows_columns_and_cells_and_what_refers_to_it_depends_on_it() {
    let older = with_table(&[["small", "red"], ["large", "blue"], ["huge", "grey"]]);
    let same = compare(&older, &older);
    assert_eq!((same.tables[0].relation, same.links[0].facets.kinds()), (PartRelation::Same, vec![]));
    let cell = compare(&older, &with_table(&[["small", "red"], ["large", "green"], ["huge", "grey"]]));
    let [change] = &cell.tables[0].cells[..] else { panic!("{:?}", cell.tables) };
    assert_eq!(
        (&*change.row, &*change.column, &*change.text.older, &*change.text.newer),
        ("large", "Colour", "blue", "green")
    );
    assert_eq!(cell.links[0].relation, UnitRelation::Same);
    let depends = &cell.links[0].facets.depends_on[0];
    assert_eq!((depends.kind, depends.changed), (DependencyKind::Part(NumberedPartKind::Table), 1));
    let row = compare(
        &older,
        &with_table(&[["small", "red"], ["wide", "pink"], ["large", "blue"], ["huge", "grey"]]),
    );
    assert_eq!((row.tables[0].changed_cells, row.tables[0].rows.len()), (0, 1));
    assert_eq!(row.tables[0].rows[0].relation, PartRelation::New);
    let moved = compare(&older, &with_table(&[["huge", "grey"], ["small", "red"], ["large", "blue"]]));
    assert_eq!((moved.tables[0].changed_cells, moved.tables[0].rows[0].relation), (0, PartRelation::Moved));
}

#[test]
fn a_body_that_moved_into_a_first_subclause_general_did_not_move() {
    let texts = ["Grain shall be stored dry.", "Bags shall be closed."];
    let edition = |sections: Vec<ComparisonSection>, home: usize| {
        let units = texts.map(|text| ComparisonUnit { section: home, ..unit(text) }).to_vec();
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
        found.links.iter().all(|link| link.relation == UnitRelation::Same && link.facets.moved.is_none()),
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
    let mut relations: Vec<_> = found.links.iter().map(|link| link.relation).collect();
    relations.sort_unstable();
    assert_eq!(relations, [UnitRelation::Reworded, UnitRelation::Split], "{found:?}");
    let back =
        compared(of(vec![unit(first), unit(second)]), of(vec![unit(&format!("{first} and {second}"))]));
    assert!(back.links.iter().any(|link| link.relation == UnitRelation::Merged), "{back:?}");
}

#[test]
fn of_two_terms_with_one_designation_the_one_with_the_same_definition_corresponds() {
    let edition = || {
        let mut using = unit("The bags shall be sealed.");
        using.terms = vec![1, 0];
        let terms = vec![term("Bag", "sack of paper"), term("Bag", "sack of jute")];
        let sections = vec![section("5", "Storage", None)];
        Units::new(UnitsParts { sections, terms, units: vec![using], ..UnitsParts::default() }).unwrap()
    };
    let found = compared(edition(), edition());
    assert_eq!(found.links[0].facets.terms, [], "{found:?}");
}

/// An edition with figures that have neither label nor caption, and a unit that cites the last of them.
fn with_unnamed_figures(number: usize) -> Units {
    let figure = |index: usize| NumberedPart {
        kind: NumberedPartKind::Figure,
        id: format!("fig_{index}").into(),
        label: None,
        caption: None,
        section: Some(0),
        digest: None,
        grid: None,
    };
    let target = Some(UnitTarget::Part(number - 1));
    let reference = UnitReference { text: "figure below".into(), target };
    let citing = ComparisonUnit {
        references: vec![reference],
        ..unit("Bags shall be closed as shown in the figure below.")
    };
    Units::new(UnitsParts {
        sections: vec![section("5", "Storage", None)],
        units: vec![citing],
        parts: (0..number).map(figure).collect(),
        ..UnitsParts::default()
    })
    .unwrap()
}

#[test]
fn a_figure_without_a_name_corresponds_to_the_one_at_the_same_position() {
    let found = compared(with_unnamed_figures(2), with_unnamed_figures(2));
    assert_eq!(found.links[0].facets.kinds(), [], "{found:?}");
    assert_eq!(found.links[0].relation, UnitRelation::Same);
}

#[test]
fn a_figure_without_a_name_corresponds_to_none_where_their_number_changed() {
    let found = compared(with_unnamed_figures(1), with_unnamed_figures(2));
    assert_eq!(found.links[0].facets.kinds(), [Facet::References], "{found:?}");
}
