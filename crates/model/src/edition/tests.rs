//! Tests of each contradiction between the parts of an edition.

use std::collections::BTreeMap;

use super::*;
use crate::table::Grid;
use crate::{
    Anchor, Container, Lang, Origin, Outline, ProvisionId, ProvisionKind, ProvisionSurroundings, SectionId,
    SectionKind, StandardType, TableContent, TableId, TermId,
};

fn section(id: &str, level: u16, parent: Option<usize>, text: &str) -> Section {
    Section {
        id: SectionId::new(id),
        source_id: None,
        label: None,
        number: Some(id.to_uppercase().into()),
        title: None,
        kind: SectionKind::Clause,
        language: Lang::en(),
        normative: true,
        level,
        parent,
        layer: 0,
        xml: String::new(),
        text: text.to_owned(),
    }
}

fn provision(nth: u8, section: usize, text: &str, (start, end): (usize, usize)) -> Provision {
    Provision {
        id: ProvisionId::from_bytes([nth; 16]),
        label: format!("{section}({nth})").into(),
        identifier: None,
        item_label: None,
        kind: ProvisionKind::Requirement,
        verbal_form: "shall".into(),
        negated: false,
        text: text.into(),
        xml: None,
        lead_in: None,
        container: Container::Paragraph,
        normative: true,
        section,
        table: None,
        references: [].into(),
        terms: [].into(),
        anchor: Anchor { element: None, start, end, verbal_form: None },
        origin: Origin::Derived,
        rule: "en-shall",
        confidence: 1.0,
        quantities: [].into(),
        conditions: [].into(),
        subject: None,
        alternatives: &[],
    }
}

/// Clause 1 with 1.1, and clause 2, which has a table; one provision in 1.1 and two in 2.
fn parts() -> EditionParts {
    let mut in_table = provision(3, 2, "It should.", (17, 27));
    in_table.table = Some(0);
    EditionParts {
        urn: "urn:iso:std:iso:1:ed-1:en".parse().unwrap(),
        metadata: Metadata {
            reference: "ISO 1:2020".to_owned(),
            titles: BTreeMap::new(),
            publisher: "ISO".to_owned(),
            standard_type: StandardType::Is,
            type_label: None,
            number: "1".to_owned(),
            part: None,
            supplement: None,
            edition: "1".to_owned(),
            version: None,
            stage: None,
            languages: vec![Lang::en()],
            provision_languages: Vec::new(),
            dates: BTreeMap::new(),
            reference_date: None,
            committee: None,
            secretariat: None,
            copyright: None,
            page_count: None,
            duties_without_verbal_form: false,
            identifiers: Vec::new(),
            adoption_of: Vec::new(),
        },
        status: Status::Published,
        ics: Vec::new(),
        relations: Vec::new(),
        sections: vec![
            section("a", 1, None, ""),
            section("a.1", 2, Some(0), "Né here. The  valve\n shall close."),
            section("b", 1, None, "The lid shall. \n It should."),
        ],
        interruptions: Vec::new(),
        provisions: vec![
            provision(1, 1, "The valve shall close.", (9, 33)),
            provision(2, 2, "The lid shall.", (0, 14)),
            in_table,
        ],
        terms: vec![],
        graphics: vec![],
        tables: vec![Table {
            id: TableId::new("tab_1"),
            label: None,
            number: None,
            caption: None,
            section: 2,
            group: None,
            digest: None,
            content: TableContent::Grid(Grid::default()),
        }],
        formulae: vec![],
        blocks: vec![],
        instructions: vec![],
        contexts: EditionContexts::default(),
    }
}

#[test]
fn parts_that_agree_make_an_edition_and_its_outline() {
    let edition = Edition::new(parts()).unwrap_or_else(|e| panic!("{e}"));
    let outline = Outline::from_edition(&edition);
    let spans: Vec<_> = outline.sections.iter().map(|s| (s.parent, s.end, s.provisions)).collect();
    assert_eq!(spans, [(None, 2, (0, 0)), (Some(0), 2, (0, 1)), (None, 3, (1, 3))]);
    assert_eq!(outline.provisions.iter().map(|p| p.table).collect::<Vec<_>>(), [None, None, Some(0)]);
    assert_eq!(edition.into_parts(), parts());
}

#[test]
fn parts_that_disagree_are_refused_with_what_is_wrong() {
    type Fault = (&'static str, fn(&mut EditionParts));
    let faults: [Fault; 16] = [
        ("2 contexts", |p| p.contexts.provisions.resize(2, ProvisionSurroundings::default())),
        ("the context of provision", |p| {
            let uses_term = ProvisionSurroundings { terms: [9].into(), ..ProvisionSurroundings::default() };
            p.contexts.provisions = vec![uses_term; 3];
        }),
        ("no language", |p| p.metadata.languages.clear()),
        ("not in pre-order", |p| p.sections[1].level = 3),
        ("not in pre-order", |p| p.sections[2].level = 0),
        ("not in pre-order", |p| p.sections[1].parent = None),
        ("two sections are `a`", |p| p.sections[2].id = SectionId::new("a")),
        ("table tab_1 refers to a section", |p| p.tables[0].section = 3),
        ("two tables are `tab_1`", |p| p.tables.extend_from_within(..)),
        ("two provisions are", |p| p.provisions[1].id = p.provisions[0].id),
        ("1(1) refers to a section", |p| p.provisions[0].section = 9),
        ("not in document order", |p| p.provisions.swap(0, 1)),
        ("refers to a term", |p| p.provisions[0].terms = [0].into()),
        ("refers to a table", |p| p.provisions[0].table = Some(1)),
        ("anchor of provision 1(1)", |p| p.provisions[0].anchor.start = 10),
        ("anchor of provision 2(3)", |p| p.provisions[2].anchor.end = 28),
    ];
    for (what, spoil) in faults {
        let mut parts = parts();
        spoil(&mut parts);
        let refusal = Edition::new(parts).expect_err(what).to_string();
        assert!(refusal.contains(what), "{refusal}");
    }
}

#[test]
fn terms_and_relations_name_sections_that_are_there() {
    let mut beyond = parts();
    beyond.terms.push(Term {
        id: TermId::new("t"),
        number: None,
        designations: vec![],
        definitions: vec![],
        domains: vec![],
        notes: vec![],
        examples: vec![],
        sources: vec![],
        section: 7,
    });
    assert!(Edition::new(beyond).is_err());
    for (section, at) in [(0, 0), (1, 1), (9, 0)] {
        let mut outside = parts();
        outside.interruptions.push(crate::Interruption { section, at });
        assert!(Edition::new(outside).is_err(), "{section} {at}");
    }
    let mut beyond = parts();
    beyond.relations.push(Relation {
        kind: crate::RelationKind::Replaces,
        reference: "ISO 1".to_owned(),
        urn: None,
        dated: false,
        date: None,
        title: None,
        sections: vec![0, 3],
    });
    assert!(Edition::new(beyond).is_err());
}
