//! A small edition of our own, shown in the OpenAPI document and used by the tests.

use std::collections::BTreeMap;

use norma_model::table::{Cell, CellQuantity, Column, Grid, TableFootnote, Unit};
use norma_model::{
    Alternative, Anchor, Asset, AssetSource, Comparator, Container, Definition, Designation,
    DesignationStatus, Digest, EditionContexts, EditionParts, Graphic, GraphicId, Ics, Lang,
    LimitingSentence, Metadata, Origin, Passage, Provision, ProvisionId, ProvisionKind,
    ProvisionSurroundings, Quantity, Reference, ReferenceTarget, Relation, RelationKind, Section, SectionId,
    SectionKind, SectionOwnText, Slice, StandardType, Status, Table, TableContent, TableId, Term, TermId,
    TermText, Title, UnitOrigin,
};

/// The revision it is shown with.
pub(crate) const REVISION: &str = "d1c9a3f0";

const LITERAL: &str = "the example is written correctly";

/// The edition and the file of each of its graphics.
pub(crate) fn edition() -> (EditionParts, Vec<Option<Asset>>) {
    let sections = sections();
    let provisions = provisions(&sections);
    let contexts = contexts(provisions.len(), sections.len());
    let parts = EditionParts {
        urn: "urn:nsb:std:nsb:4210:ed-1:en".parse().expect(LITERAL),
        metadata: metadata(),
        status: Status::Published,
        ics: vec![
            Ics { code: "43.150".to_owned(), title: Some("Cycles".to_owned()) },
            Ics { code: "91.090".to_owned(), title: None },
        ],
        relations: relations(),
        provisions,
        sections,
        interruptions: Vec::new(),
        terms: vec![term()],
        graphics: graphics(),
        tables: vec![forces()],
        formulae: Vec::new(),
        blocks: Vec::new(),
        instructions: Vec::new(),
        contexts,
    };
    let picture = Asset {
        digest: Digest::from_bytes([7; 32]),
        media_type: "image/svg+xml".to_owned(),
        size: 2048,
        dimensions: Some((640, 480)),
    };
    (parts, vec![Some(picture), None])
}

fn forces() -> Table {
    let newton = || Unit { text: "N".into(), ucum: Some("N".into()) };
    let column = |heads: &[&str], unit| Column {
        heads: heads.iter().map(|&head| head.into()).collect(),
        unit,
        footnotes: Vec::new(),
    };
    let cell =
        |text: &str, column| Cell { text: text.into(), column, columns: 1, rows: 1, ..Cell::default() };
    let force = |text: &str, value: &str| Cell {
        quantity: Some(Box::new(CellQuantity {
            comparator: Comparator::AtLeast,
            value: value.into(),
            upper: None,
            tolerance: None,
            unit: Some((newton(), UnitOrigin::Column)),
        })),
        ..cell(text, 1)
    };
    let marked = Cell { footnotes: ["a".into()].into(), ..force("≥ 5 000^a", "5000") };
    let grid = Grid {
        columns: vec![column(&["Direction"], None), column(&["Force", "N"], Some(newton()))],
        rows: vec![vec![cell("Upwards", 0), marked], vec![cell("Sideways", 0), force("≥ 3 000", "3000")]],
        footnotes: vec![TableFootnote { mark: Some("a".into()), text: "With the lock closed.".into() }],
        ..Grid::default()
    };
    Table {
        id: TableId::new("tab_1"),
        label: Some("Table 1".into()),
        number: Some("1".to_owned()),
        caption: Some("Forces".to_owned()),
        section: 3,
        group: None,
        digest: Some(Digest::from_bytes([9; 32])),
        content: TableContent::Grid(grid),
    }
}

fn metadata() -> Metadata {
    let title = Title {
        intro: Some("Bicycle parking".to_owned()),
        main: Some("Ground anchors".to_owned()),
        complement: None,
        full: "Bicycle parking — Ground anchors".to_owned(),
    };
    let date = |text: &str| text.parse().expect(LITERAL);
    Metadata {
        reference: "NSB 4210:2019".to_owned(),
        titles: BTreeMap::from([(Lang::en(), title)]),
        publisher: "NSB".to_owned(),
        standard_type: StandardType::Is,
        type_label: Some("IS".to_owned()),
        number: "4210".to_owned(),
        part: None,
        supplement: None,
        edition: "1".to_owned(),
        version: Some("1".to_owned()),
        stage: Some("60.60".to_owned()),
        languages: vec![Lang::en()],
        dates: BTreeMap::from([
            ("published".to_owned(), date("2019-06-12")),
            ("review".to_owned(), date("2024-06")),
        ]),
        reference_date: Some(date("2019")),
        committee: Some("NSB/TC 21/SC 3".to_owned()),
        secretariat: Some("XNB".to_owned()),
        copyright: Some(norma_model::Copyright {
            statement: Some("© NSB 2019".to_owned()),
            year: Some("2019".to_owned()),
            holder: Some("NSB".to_owned()),
        }),
        page_count: Some(11),
        duties_without_verbal_form: false,
        identifiers: vec!["nsb:4210:2019".to_owned()],
        provision_languages: Vec::new(),
        adoption_of: Vec::new(),
    }
}

fn relations() -> Vec<Relation> {
    let relation = |kind, reference: &str, urn: Option<&str>, title: Option<&str>, sections| Relation {
        kind,
        reference: reference.to_owned(),
        urn: urn.map(|urn| urn.parse().expect(LITERAL)),
        dated: reference.contains(':'),
        date: reference.split_once(':').map(|(_, date)| date.to_owned()),
        title: title.map(str::to_owned),
        sections,
    };
    vec![
        relation(
            RelationKind::NormativeReference,
            "ISO 9227",
            Some("urn:iso:std:iso:9227"),
            Some("Salt spray tests"),
            vec![3],
        ),
        relation(RelationKind::InformativeReference, "Parking handbook, 2017", None, None, vec![4]),
    ]
}

fn sections() -> Vec<Section> {
    let section = |id: &str, label: &str, title: &str, kind, level, parent, body: &str| {
        let number = label.rsplit(' ').next().filter(|n| !n.is_empty());
        let label_markup = number.map(|_| format!("<label>{label}</label>")).unwrap_or_default();
        let heading = [label, title].join(" ");
        let text = format!("{heading}\n\n{}", body.replace("<p>", "").replace("</p>", "\n\n"));
        Section {
            id: SectionId::new(id),
            source_id: None,
            label: number.map(|_| label.into()),
            number: number.map(Into::into),
            title: Some(title.into()),
            kind,
            language: norma_model::Lang::en(),
            normative: !matches!(kind, SectionKind::Bibliography | SectionKind::Annex),
            level,
            parent,
            layer: 0,
            xml: format!("<sec id=\"{id}\">{label_markup}<title>{title}</title>{body}</sec>"),
            text: text.trim_end().to_owned(),
        }
    };
    vec![
        section(
            "sec_1",
            "1",
            "Scope",
            SectionKind::Scope,
            1,
            None,
            "<p>This document specifies ground anchors to which bicycles are locked.</p>",
        ),
        section("sec_3", "3", "Terms and definitions", SectionKind::Terms, 1, None, ""),
        section(
            "sec_3.1",
            "3.1",
            "ground anchor",
            SectionKind::Term,
            2,
            Some(1),
            "<p>fitting fixed to the ground that offers a closed locking point</p>",
        ),
        section(
            "sec_4",
            "4",
            "Requirements",
            SectionKind::Clause,
            1,
            None,
            "<p>A ground anchor shall withstand the forces of Table 1 after the exposure of ISO 9227, 5.2.</p><p>Its edges should be rounded.</p>",
        ),
        section(
            "sec_A",
            "Annex A",
            "Fixing",
            SectionKind::Annex,
            1,
            None,
            "<p>Bolts can be set in resin, see Figure A.1.</p>",
        ),
    ]
}

fn term() -> Term {
    let english = |text: &str| TermText { language: Lang::en(), text: text.to_owned() };
    let designation = |text: &str, status| Designation {
        text: text.to_owned(),
        status,
        kind: None,
        part_of_speech: Some("noun".to_owned()),
        language: Lang::en(),
    };
    Term {
        id: TermId::new("term_3.1"),
        number: Some("3.1".to_owned()),
        designations: vec![
            designation("ground anchor", DesignationStatus::Preferred),
            designation("anchor", DesignationStatus::Admitted),
            designation("bicycle hook", DesignationStatus::Deprecated),
        ],
        definitions: vec![Definition {
            language: Lang::en(),
            text: "fitting fixed to the ground that offers a closed locking point".to_owned(),
            xml: "<definition>fitting fixed to the ground that offers a closed locking point</definition>"
                .to_owned(),
        }],
        domains: vec![english("street furniture")],
        notes: vec![english("A stand that holds a bicycle upright is not an anchor.")],
        examples: vec![english("A steel hoop in a concrete foundation.")],
        sources: vec![english("NSB 4200:2011, 3.4")],
        section: 2,
    }
}

fn graphics() -> Vec<Graphic> {
    let graphic = |id: &str, label: &str, caption: &str, section, href: &str| Graphic {
        id: GraphicId::new(id),
        figure_id: Some(format!("fig_{}", label.trim_start_matches("Figure "))),
        label: Some(label.to_owned()),
        caption: Some(caption.to_owned()),
        alt_text: Some(format!("Drawing: {caption}")),
        section,
        reference: href.to_owned(),
        source: AssetSource::Href(href.to_owned()),
    };
    vec![
        graphic("gra_A.1", "Figure A.1", "Bolt set in resin", Some(4), "fig_A.1.svg"),
        graphic("gra_logo", "Figure 0", "Mark of the publisher", None, "logo"),
    ]
}

/// Contexts, of which only those of the first provision and of the first section say something.
fn contexts(provisions: usize, sections: usize) -> EditionContexts {
    let reference = Reference {
        text: "Annex A".to_owned(),
        target: Some(ReferenceTarget::Part("sec_A".to_owned())),
        date: None,
        clause: None,
        itself: false,
    };
    let mut contexts = EditionContexts {
        provisions: vec![ProvisionSurroundings::default(); provisions],
        sections: vec![SectionOwnText::default(); sections],
    };
    contexts.provisions[0] = ProvisionSurroundings {
        footnotes: [7].into(),
        limits: [LimitingSentence { text: "This does not apply in tunnels.".into(), hash: 8 }].into(),
        neighbours: [9].into(),
        references: [reference.clone()].into(),
        terms: [0].into(),
    };
    contexts.sections[0] = SectionOwnText { hash: Some(10), references: [reference].into() };
    contexts
}

fn provisions(sections: &[Section]) -> Vec<Provision> {
    let provision = |seed: u8, label: &str, kind, verbal_form: &str, section: usize, text: &str| {
        let section_text = &sections[section].text;
        let start = section_text[..section_text.find(text).expect(LITERAL)].chars().count();
        let rule = match kind {
            ProvisionKind::Requirement => "en.shall",
            ProvisionKind::Recommendation => "en.should",
            _ => "en.can",
        };
        Provision {
            id: ProvisionId::from_bytes([seed; 16]),
            label: label.into(),
            identifier: None,
            item_label: None,
            kind,
            verbal_form: verbal_form.into(),
            negated: false,
            text: text.into(),
            xml: Some(format!("<p>{text}</p>").into()),
            lead_in: None,
            container: Container::Paragraph,
            normative: sections[section].normative,
            section,
            table: None,
            references: [].into(),
            terms: [].into(),
            anchor: Anchor {
                element: Some(sections[section].id.as_str().into()),
                start,
                end: start + text.chars().count(),
                verbal_form: text.find(verbal_form).map(|at| {
                    let form = start + text[..at].chars().count();
                    Slice { start: form, end: form + verbal_form.chars().count() }
                }),
            },
            origin: Origin::Derived,
            rule,
            confidence: 0.99,
            quantities: [].into(),
            conditions: [].into(),
            subject: None,
            alternatives: &[],
        }
    };
    let reference = |text: &str, target| Reference {
        text: text.to_owned(),
        target: Some(target),
        date: None,
        clause: None,
        itself: false,
    };
    let iso_9227 = ReferenceTarget::Urn("urn:iso:std:iso:9227".parse().expect(LITERAL));
    let mut shall = provision(
        1,
        "4(1)",
        ProvisionKind::Requirement,
        "shall",
        3,
        "A ground anchor shall withstand the forces of Table 1 after the exposure of ISO 9227, 5.2.",
    );
    shall.terms = [0].into();
    shall.references = [
        reference("Table 1", ReferenceTarget::Part("tab_1".to_owned())),
        Reference { clause: Some("5.2".to_owned()), ..reference("ISO 9227, 5.2", iso_9227) },
    ]
    .into();
    shall.subject = Some(Passage { in_lead_in: false, start: 0, end: 15 });
    let mut should =
        provision(2, "4(2)", ProvisionKind::Recommendation, "should", 3, "Its edges should be rounded.");
    should.lead_in = Some("If a bolt measures 20 mm ± 2 mm:".into());
    should.conditions = [Passage { in_lead_in: true, start: 0, end: 31 }].into();
    should.quantities = [Quantity {
        comparator: Some(Comparator::Equal),
        value: "20".into(),
        upper: None,
        tolerance: Some("2".into()),
        unit: Some("mm".into()),
        ucum: Some("mm".into()),
        passage: Passage { in_lead_in: true, start: 19, end: 31 },
    }]
    .into();
    let mut can = provision(
        3,
        "A(1)",
        ProvisionKind::Capability,
        "can",
        4,
        "Bolts can be set in resin, see Figure A.1.",
    );
    can.references = [reference("Figure A.1", ReferenceTarget::Part("fig_A.1".to_owned()))].into();
    can.confidence = 0.8;
    can.alternatives = &[Alternative { kind: ProvisionKind::Permission, confidence: 0.2 }];
    vec![shall, should, can]
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_example_is_an_edition_whose_parts_agree() {
        norma_model::Edition::new(super::edition().0).unwrap();
    }
}
