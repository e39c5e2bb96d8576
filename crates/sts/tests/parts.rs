//! Terms, graphics, tables and relations.

mod common;

use common::{META, codes, document, read};
use norma_model::{AssetSource, DesignationStatus, RelationKind};

const ENTRY: &str = "<sec id='s' sec-type='terms'><label>3</label><term-sec id='ts'><label>3.1</label>\
    <tbx:termEntry id='t1'><tbx:langSet xml:lang='en'><tbx:definition>closed <tbx:entailedTerm target='t2'>box</tbx:entailedTerm>\
    </tbx:definition><tbx:note>It has a lid.</tbx:note><tbx:note>Or two.</tbx:note><tbx:example>Tin.</tbx:example>\
    <tbx:source>ISO 1:2000, 3.1</tbx:source><tbx:subjectField>packing</tbx:subjectField>\
    <tbx:tig id='d1'><tbx:term>case</tbx:term><tbx:partOfSpeech value='noun'/>\
    <tbx:normativeAuthorization value='preferredTerm'/><tbx:termType value='fullForm'/></tbx:tig>\
    <tbx:tig><tbx:term>C<sub>1</sub></tbx:term><tbx:normativeAuthorization value='admittedTerm'/></tbx:tig>\
    <tbx:tig><tbx:term>crate</tbx:term><tbx:normativeAuthorization value='deprecatedTerm'/></tbx:tig></tbx:langSet>\
    <tbx:langSet xml:lang='fr'><tbx:definition>boîte fermée</tbx:definition><tbx:tig><tbx:term>caisse</tbx:term>\
    </tbx:tig></tbx:langSet></tbx:termEntry></term-sec>\
    <def-list><def-item><term>lid</term><def><p>top part</p></def></def-item></def-list></sec>";

#[test]
fn an_entry_gives_all_its_languages_designations_and_notes() {
    let edition = read(&document(ENTRY)).edition;
    let term = &edition.terms[0];
    assert_eq!((term.id.as_str(), term.number.as_deref()), ("t1", Some("3.1")));
    assert_eq!(edition.sections[term.section].id.as_str(), "ts");
    let designations: Vec<_> =
        term.designations.iter().map(|d| (d.text.as_str(), d.status, d.language.as_str())).collect();
    assert_eq!(
        designations,
        [
            ("case", DesignationStatus::Preferred, "en"),
            ("C_1", DesignationStatus::Admitted, "en"),
            ("crate", DesignationStatus::Deprecated, "en"),
            ("caisse", DesignationStatus::Preferred, "fr"),
        ]
    );
    assert_eq!(term.designations[0].part_of_speech.as_deref(), Some("noun"));
    assert_eq!(term.designations[0].kind.as_deref(), Some("fullForm"));
    assert_eq!(term.definitions[0].text, "closed box");
    assert!(roxmltree::Document::parse(&term.definitions[0].xml).is_ok(), "{}", term.definitions[0].xml);
    assert_eq!(term.definitions[1].language.as_str(), "fr");
    let texts = |all: &[norma_model::TermText]| all.iter().map(|t| t.text.clone()).collect::<Vec<_>>();
    assert_eq!(texts(&term.notes), ["It has a lid.", "Or two."]);
    assert_eq!(
        [texts(&term.examples), texts(&term.sources), texts(&term.domains)].concat(),
        ["Tin.", "ISO 1:2000, 3.1", "packing"]
    );
    let item = &edition.terms[1];
    assert_eq!((item.designations[0].text.as_str(), item.definitions[0].text.as_str()), ("lid", "top part"));
}

#[test]
fn an_entry_reads_as_it_is_printed() {
    let edition = read(&document(ENTRY)).edition;
    assert_eq!(
        edition.sections[1].text,
        "3.1\n\ncase\nC_1\nDEPRECATED: crate\n\n<packing> closed box\n\nEXAMPLE Tin.\n\nNote 1 to entry: It has a lid.\n\n\
         Note 2 to entry: Or two.\n\n[SOURCE: ISO 1:2000, 3.1]\n\ncaisse\n\nboîte fermée"
    );
}

#[test]
fn a_term_display_replaces_its_entry() {
    let body = "<sec><term-sec><tbx:termEntry><tbx:langSet xml:lang='en'><tbx:definition>d</tbx:definition><tbx:tig>\
        <tbx:term>t</tbx:term></tbx:tig></tbx:langSet></tbx:termEntry><term-display><p>t</p><p>d, at length</p>\
        </term-display></term-sec></sec>";
    let edition = read(&document(body)).edition;
    assert_eq!(edition.sections[1].text, "t\n\nd, at length");
    assert_eq!(edition.terms.len(), 1);
}

#[test]
fn each_picture_is_a_graphic_once_wherever_it_is() {
    let body = "<sec id='s'><fig id='f1'><label>Figure 1</label><caption><title>Lid</title></caption>\
        <graphic xlink:href='fig_1'><alt-text>a lid</alt-text></graphic><graphic id='g' xlink:href='data:image/png;base64,aGk='/></fig>\
        <p><inline-graphic xlink:href='data:image/png;base64,%%%'/><graphic/></p></sec>";
    let meta = META.replace(
        "</std-meta>",
        "<permissions><copyright-statement><inline-graphic xlink:href='logo.png'/>\
        </copyright-statement></permissions></std-meta>",
    );
    let extraction = read(&document(body).replace(META, &meta));
    let graphics = &extraction.edition.graphics;
    let ids: Vec<_> = graphics.iter().map(|g| (g.id.as_str(), g.reference.as_str(), g.section)).collect();
    assert_eq!(
        ids,
        [
            ("graphic~1", "logo.png", None),
            ("graphic~2", "fig_1", Some(0)),
            ("g", "g", Some(0)),
            ("graphic~3", "graphic~3", Some(0)),
            ("graphic~4", "graphic~4", Some(0)),
        ]
    );
    assert_eq!(graphics[1].figure_id.as_deref(), Some("f1"));
    assert_eq!(
        (graphics[1].label.as_deref(), graphics[1].caption.as_deref()),
        (Some("Figure 1"), Some("Lid"))
    );
    assert_eq!(graphics[1].alt_text.as_deref(), Some("a lid"));
    let png = AssetSource::Embedded { media_type: Some("image/png".into()), bytes: b"hi".to_vec() };
    assert_eq!(graphics[2].source, png);
    assert_eq!(codes(&extraction), ["unreadable-data-uri", "graphic-without-href"]);
}

#[test]
fn tables_have_numbers_and_captions() {
    let table = "<table-wrap id='t'><label>Table A.1</label><caption><title>Sizes</title></caption><table/></table-wrap>";
    let edition = read(&document(&format!(
        "<sec>{table}<table><tr><td>x</td></tr></table><array><table/></array></sec>"
    )))
    .edition;
    assert_eq!(edition.tables.len(), 2, "an array is not a table");
    assert_eq!(
        (edition.tables[0].number.as_deref(), edition.tables[0].caption.as_deref()),
        (Some("A.1"), Some("Sizes"))
    );
    assert_eq!(edition.tables[1].id.as_str(), "table~1");
}

#[test]
fn references_become_relations_with_the_sections_that_cite_them() {
    let body = "<sec sec-type='norm-refs' id='n'><p>The following apply.</p><ref-list><ref id='r1'><std><std-ref>ISO 712:2009\
        </std-ref>, <title>Moisture</title></std></ref><ref><std><std-id>urn:iso:std:iso:6646</std-id>the husking test\
        </std></ref></ref-list><p>IEC 61010-2, Safety</p></sec><sec id='c'><p>See <std><std-ref>ISO&#xA0;712:2009</std-ref>\
        </std>.</p></sec><sec id='d'><p><xref ref-type='bibr' rid='b1'>[1]</xref></p></sec>";
    let source = document(body).replace(
        "</body>",
        "</body><back><ref-list id='bib'><ref id='b1'><label>[1]</label>\
        <mixed-citation>A. Writer, Boxes</mixed-citation></ref></ref-list></back>",
    );
    let source = source.replace(
        "</std-meta>",
        "<std-xref type='replaces'><std-ref>ISO 9999-1:2010</std-ref></std-xref></std-meta>",
    );
    let edition = read(&source).edition;
    let relations: Vec<_> = edition
        .relations
        .iter()
        .map(|r| {
            (r.kind, r.reference.as_str(), r.urn.as_ref().map(|u| u.as_str()), r.dated, r.sections.clone())
        })
        .collect();
    assert_eq!(
        relations,
        [
            (RelationKind::Replaces, "ISO 9999-1:2010", Some("urn:iso:std:iso:9999:-1"), true, vec![]),
            (RelationKind::NormativeReference, "ISO 712:2009", Some("urn:iso:std:iso:712"), true, vec![0, 1]),
            (
                RelationKind::NormativeReference,
                "the husking test",
                Some("urn:iso:std:iso:6646"),
                false,
                vec![0]
            ),
            (
                RelationKind::NormativeReference,
                "IEC 61010-2",
                Some("urn:iec:std:iec:61010:-2"),
                false,
                vec![0]
            ),
            (RelationKind::InformativeReference, "A. Writer, Boxes", None, false, vec![2, 3]),
        ]
    );
    assert_eq!(edition.relations[1].title.as_deref(), Some("Moisture"));
}

#[test]
fn classes_are_collected_from_all_blocks_without_repeats() {
    let meta = META.replace(
        "</std-meta>",
        "<ics>67.060</ics><ics-wrap><ics>67.060</ics><ics-desc>Cereals</ics-desc></ics-wrap>\
        <ics>55.160</ics></std-meta>",
    );
    let edition = read(&document("<sec/>").replace(META, &meta)).edition;
    let ics: Vec<_> = edition.ics.iter().map(|i| (i.code.as_str(), i.title.as_deref())).collect();
    assert_eq!(ics, [("67.060", Some("Cereals")), ("55.160", None)]);
}

#[test]
fn every_code_is_listed_once_with_a_hint() {
    let mut codes = std::collections::HashSet::new();
    for entry in norma_sts::diagnostic_kinds() {
        assert!(codes.insert(entry.code), "{}", entry.code);
        assert!(entry.meaning.ends_with('.') && !entry.hint.is_empty(), "{}", entry.code);
    }
}
