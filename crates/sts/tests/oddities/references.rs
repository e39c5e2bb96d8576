//! Oddities of references: the forms in which documents, and parts of the document itself, are referred to.

use norma_model::{ReferenceTarget, RelationKind};

use crate::common::{META, codes, document, read};

fn cited(content: &str) -> Vec<(String, String, bool)> {
    let body = format!("<sec sec-type='norm-refs'><ref-list><ref>{content}</ref></ref-list></sec>");
    let relations = &read(&document(&body)).edition.relations;
    let urn = |r: &norma_model::Relation| r.urn.as_ref().map(ToString::to_string).unwrap_or_default();
    relations.iter().map(|r| (r.reference.clone(), urn(r), r.dated)).collect()
}

#[test]
fn one_document_is_known_under_all_the_ids_that_one_corpus_has_for_it() {
    for (id, urn, dated) in [
        ("urn:iso:std:iso:712", "urn:iso:std:iso:712", false),
        ("iso:std:iso:712", "urn:iso:std:iso:712", false),
        ("URN urn:iso:std:iso:712", "urn:iso:std:iso:712", false),
        ("ISO\u{a0}712:2009", "urn:iso:std:iso:712", true),
        ("ISO 16634:—", "urn:iso:std:iso:16634", false),
        ("ISO 16634:-", "urn:iso:std:iso:16634", false),
        ("ISO 712, 7.3.1", "urn:iso:std:iso:712", false),
        ("urn:iso:std:iso:13485:ed-1:term:3.7", "urn:iso:std:iso:13485:ed-1", true),
        ("URN urn:iso:std:iso:20483:clause:C", "urn:iso:std:iso:20483", false),
        ("urn:iec:std:iec:60050-713:1998::::clause:713-05-18", "urn:iec:std:iec:60050:-713", true),
        ("ref16", "", false),
    ] {
        let std = format!("<std><std-id>{id}</std-id>the test</std>");
        assert_eq!(cited(&std), [("the test".to_owned(), urn.to_owned(), dated)], "{id}");
    }
}

#[test]
fn a_designation_may_be_bare_text_after_ids() {
    let ids = "<std-id std-id-link-type='urn' std-id-type='dated'>din:1</std-id><std-id std-id-type='undated'>din:2</std-id>";
    for (std, reference) in [
        (format!("<std>{ids}ISO 712:2009</std>"), "ISO 712:2009"),
        (format!("<std>{ids}<std-ref>ISO 712:2009</std-ref>, <title>Moisture</title></std>"), "ISO 712:2009"),
        ("<std><std-id-group><std-id>x</std-id></std-id-group><bold>ISO</bold> 712:2009,</std>".to_owned(), "ISO 712:2009"),
        ("<mixed-citation>ISO 712:2009</mixed-citation>".to_owned(), "ISO 712:2009"),
        ("<label>[1]</label><mixed-citation><std>ISO 712:2009</std>, <italic>Moisture</italic></mixed-citation>".to_owned(), "ISO 712:2009"),
    ] {
        assert_eq!(cited(&std), [(reference.to_owned(), "urn:iso:std:iso:712".to_owned(), true)], "{std}");
    }
}

#[test]
fn editing_instructions_in_normative_references_cite_nothing() {
    let instruction = "<editing-instruction><p>ISO/IEC 9999-2:2021, Clause 15</p></editing-instruction>";
    let body =
        format!("<sec sec-type='norm-refs'>{instruction}<p>ISO 712:2009, <italic>Cereals</italic></p></sec>");
    let relations = &read(&document(&body)).edition.relations;
    assert_eq!(relations.iter().map(|r| r.reference.as_str()).collect::<Vec<_>>(), ["ISO 712:2009"]);
}

#[test]
fn normative_references_may_be_plain_paragraphs() {
    let body = "<sec sec-type='norm-refs'><p>The following apply.</p><p>ISO 712:2009, <italic>Moisture</italic></p></sec>";
    let relations = read(&document(body)).edition.relations.clone();
    assert_eq!(relations.len(), 1);
    assert_eq!(
        (relations[0].reference.as_str(), relations[0].title.as_deref()),
        ("ISO 712:2009", Some("Moisture"))
    );
}

#[test]
fn a_bibliography_is_in_back_in_an_annex_or_in_a_section() {
    let entry =
        "<ref-list><ref id='b1'><label>[1]</label><std><std-ref>ISO 712</std-ref></std></ref></ref-list>";
    for body in [
        format!("<sec/></body><back>{entry}</back><body>"),
        format!(
            "<sec/></body><back><app-group><app content-type='bibl'><title>Sources</title>{entry}</app></app-group></back><body>"
        ),
        format!("<sec id='sec_bibl'><title>Bibliography</title>{entry}</sec>"),
    ] {
        let edition = read(&document(&body)).edition;
        let kinds: Vec<_> = edition.relations.iter().map(|r| (r.kind, r.reference.as_str())).collect();
        assert_eq!(kinds, [(RelationKind::InformativeReference, "ISO 712")], "{body}");
    }
}

#[test]
fn ties_to_other_documents_have_many_names() {
    for (name, kind) in [
        ("supersedes", RelationKind::Replaces),
        ("replaces", RelationKind::Replaces),
        ("revises", RelationKind::Replaces),
        ("obsoletes", RelationKind::Replaces),
        ("updates", RelationKind::Amends),
        ("amends", RelationKind::Amends),
        ("isPublishedFormatOf", RelationKind::Adopts),
        ("derivedFrom", RelationKind::Related),
        ("", RelationKind::Related),
    ] {
        let xref =
            format!("<std-xref type='{name}'><std-ref>ISO 9999-1:2010</std-ref></std-xref></std-meta>");
        let relations = read(&document("<sec/>").replace("</std-meta>", &xref)).edition.relations.clone();
        assert_eq!(relations.iter().map(|r| r.kind).collect::<Vec<_>>(), [kind], "{name}");
        assert_eq!(relations[0].urn.as_ref().map(|u| u.as_str()), Some("urn:iso:std:iso:9999:-1"));
    }
    let ident = "<std-xref type='replaces'><std-ident><originator>ISO</originator><doc-number>4</doc-number></std-ident>\
        <std-ref>ISO 4</std-ref></std-xref></std-meta>";
    let edition = read(&document("<sec/>").replace("</std-meta>", ident)).edition;
    assert_eq!(edition.urn.number(), "9999", "the number of another document is not its own");
}

#[test]
fn what_an_adopted_document_replaces_is_only_related_to_the_one_that_adopts_it() {
    let block = |tag: &str, publisher: &str, reference: &str, replaced: &str| {
        format!(
            "<{tag} originator='{publisher}'><content-language>en</content-language><std-ident><originator>ISO</originator>\
             <doc-number>9999</doc-number><edition>1</edition></std-ident><std-ref>{reference}</std-ref>\
             <std-xref type='replaces'><std-ref>{replaced}</std-ref></std-xref></{tag}>"
        )
    };
    let national = block("nat-meta", "NEN", "NEN-ISO 9999:2007", "NEN 1111:1999");
    let adopted = block("iso-meta", "ISO", "ISO 9999:2007", "ISO 9999:2001");
    for meta in [format!("{adopted}{national}"), format!("{national}{adopted}")] {
        let source =
            format!("<standard><front>{meta}</front><body><sec id='a'><p>Text.</p></sec></body></standard>");
        let relations = read(&source).edition.relations.clone();
        let kind =
            |reference: &str| relations.iter().find(|one| one.reference == reference).map(|one| one.kind);
        assert_eq!(kind("NEN 1111:1999"), Some(RelationKind::Replaces), "{relations:?}");
        assert_eq!(kind("ISO 9999:2001"), Some(RelationKind::Related), "{relations:?}");
        assert_eq!(kind("ISO 9999:2007"), Some(RelationKind::Adopts), "{relations:?}");
    }
}

/// The targets of the cross-references in a sentence with a requirement.
fn targets(xref: &str) -> Vec<Option<String>> {
    let body = format!(
        "<sec id='s1'><label>1</label><p>It shall fit {xref}.</p></sec><sec id='s2'><label>2</label><disp-formula id='f1'>\
         <tex-math>x</tex-math><label>(1)</label></disp-formula><list><list-item id='i1'><label>a)</label><p>one</p></list-item>\
         </list><p id='p1'>Word<fn id='n1'><label>1)</label><p>note</p></fn></p><table-wrap id='t1'><label>Table 1</label><table>\
         <tr><td id='c1'>x</td></tr></table><table-wrap-foot><fn id='n2'><label>a</label><p>y</p></fn></table-wrap-foot></table-wrap>\
         <fig id='g1'><label>Figure 1</label><graphic id='g' xlink:href='a.png'/></fig><fig id='k1'><p>no picture</p></fig>\
         <non-normative-note id='o1'><p>n</p></non-normative-note><sec id='s3'/></sec><p id='l1'>loose</p>"
    );
    let edition = read(&document(&body)).edition;
    let references = &edition.provisions[0].references;
    let target = |target: &ReferenceTarget| match target {
        ReferenceTarget::Part(part) => part.clone(),
        ReferenceTarget::Urn(urn) => urn.to_string(),
    };
    references.iter().map(|r| r.target.as_ref().map(target)).collect()
}

#[test]
fn a_cross_reference_leads_to_the_smallest_part_that_has_a_name() {
    for (rid, target) in [
        ("s2", Some("s2")),
        ("s3", Some("s3")),
        ("t1", Some("t1")),
        ("g1", Some("g")),
        ("g", Some("g")),
        ("f1", Some("s2")),
        ("i1", Some("s2")),
        ("p1", Some("s2")),
        ("o1", Some("s2")),
        ("k1", Some("s2")),
        ("n1", Some("s2")),
        ("n2", Some("t1")),
        ("c1", Some("t1")),
        ("l1", Some("clause~1")),
        ("nowhere", None),
    ] {
        let found = targets(&format!("<xref ref-type='other' rid='{rid}'>there</xref>"));
        assert_eq!(found, [target.map(str::to_owned)], "{rid}");
    }
    let several = targets("<xref rid='t1 nowhere g1'>there</xref>");
    assert_eq!(several, [Some("t1".to_owned()), Some("g".to_owned())]);
    assert_eq!(targets("<xref>there</xref>"), [None], "without `rid`");
}

#[test]
fn dangling_and_several_targets_are_reported_once_for_each_reference() {
    let body = "<sec id='s'><p><xref rid='s nowhere'>a</xref> <xref rid='gone'/></p></sec>";
    let extraction = read(&document(body));
    assert_eq!(codes(&extraction), ["dangling-reference", "dangling-reference"]);
    assert!(META.contains("ISO 9999-1:2020"));
}

#[test]
fn elements_of_a_citation_are_read_apart_and_one_of_several_forms_is_written() {
    let entry = |content: &str| {
        let body = format!("<ref-list content-type='bibl'><ref><label>[1]</label>{content}</ref></ref-list>");
        let edition = read(&document(&body)).edition;
        let cited = edition.relations.iter().map(|relation| {
            let urn = relation.urn.as_ref().map(ToString::to_string).unwrap_or_default();
            format!("{} | {urn} | {}", relation.reference, relation.title.as_deref().unwrap_or_default())
        });
        (cited.collect::<Vec<_>>(), edition.sections[0].text.clone())
    };
    let elements = "<element-citation><source>ISO 712</source><article-title>Moisture</article-title><year>2009</year>\
        </element-citation>";
    let mixed = "<mixed-citation>ISO 712:2009, <italic>Moisture</italic></mixed-citation>";
    let one = ["ISO 712:2009 | urn:iso:std:iso:712 | Moisture".to_owned()];
    for (content, text) in [
        (elements.to_owned(), "[1] ISO 712, Moisture, 2009"),
        (
            "<element-citation><std-organization>ISO</std-organization> <pub-id>712:2009</pub-id> <article-title>Moisture\
             </article-title></element-citation>"
                .to_owned(),
            "[1] ISO, 712:2009, Moisture",
        ),
        (
            "<element-citation><publisher-name>ISO</publisher-name><source>ISO 712:2009</source><article-title>Moisture\
             </article-title></element-citation>"
                .to_owned(),
            "[1] ISO, ISO 712:2009, Moisture",
        ),
        ("<mixed-citation><source>ISO 712:2009</source><article-title>Moisture</article-title></mixed-citation>".to_owned(),
            "[1] ISO 712:2009, Moisture"),
        (format!("<citation-alternatives>{elements}{mixed}</citation-alternatives>"), "[1] ISO 712:2009, Moisture"),
        (
            format!(
                "<citation-alternatives><mixed-citation xml:lang='fr'>ISO 712:2009, Eau</mixed-citation>{mixed}\
                 </citation-alternatives>"
            ),
            "[1] ISO 712:2009, Moisture",
        ),
    ] {
        assert_eq!(entry(&content), (one.to_vec(), text.to_owned()), "{content}");
    }
    let two = format!("{mixed}<mixed-citation>ISO 713, Ash</mixed-citation>");
    let both = [one[0].clone(), "ISO 713 | urn:iso:std:iso:713 | Ash".to_owned()];
    assert_eq!(entry(&two), (both.to_vec(), "[1] ISO 712:2009, Moisture; ISO 713, Ash".to_owned()));
    let monograph = "<element-citation><person-group><name><surname>Doe</surname><given-names>A.</given-names></name></person-group>\
        <source>Grain</source><year>2001</year></element-citation>";
    assert_eq!(entry(monograph).1, "[1] Doe A., Grain, 2001");
}

#[test]
fn the_title_follows_a_designation_with_special_hyphens_dashes_marks_or_a_label() {
    for designation in [
        "ISO 712\u{2011}1:2009,",
        "ISO\u{a0}712\u{2010}1:\u{2014},",
        "ISO 712-1:\u{2014}<sup>2)</sup>,",
        "ISO 712-1:\u{2014}<xref ref-type='fn' rid='n'>2)</xref>,",
        "[3] ISO 712-1 \u{2014}",
        "ISO 712-1.",
    ] {
        let body = format!("<sec sec-type='norm-refs'><p>{designation} <italic>Moisture</italic></p></sec>");
        let relations = &read(&document(&body)).edition.relations;
        let urn = relations[0].urn.as_ref().map(ToString::to_string);
        assert_eq!(urn.as_deref(), Some("urn:iso:std:iso:712:-1"), "{designation}");
        assert_eq!(relations[0].title.as_deref(), Some("Moisture"), "{designation}");
    }
}

#[test]
fn a_mark_that_names_several_entries_refers_to_each() {
    let body = "<sec id='s'><p>Grain shall meet <xref ref-type='bibr' rid='a b'>[1], [2]</xref>.</p></sec>\
        <ref-list content-type='bibl'><ref id='a'><std><std-ref>ISO 712</std-ref></std></ref>\
        <ref id='b'><std><std-ref>ISO 713</std-ref></std></ref></ref-list>";
    let edition = read(&document(body)).edition;
    let references = edition.provisions[0].references.iter().map(|r| match &r.target {
        Some(ReferenceTarget::Urn(urn)) => urn.to_string(),
        other => panic!("{other:?}"),
    });
    assert_eq!(references.collect::<Vec<_>>(), ["urn:iso:std:iso:712", "urn:iso:std:iso:713"]);
    assert!(edition.relations.iter().all(|relation| relation.sections == [0, 1]));
}

#[test]
fn groups_of_figures_tables_and_formulae_are_found_by_their_number_and_by_markup() {
    let figure = |letter: &str| {
        format!("<fig><label>{letter})</label><graphic id='g{letter}' xlink:href='{letter}'/></fig>")
    };
    let table = |letter: &str| {
        format!(
            "<table-wrap id='t{letter}'><label>{letter})</label><table><tr><td>x</td></tr></table></table-wrap>"
        )
    };
    let formula = "<disp-formula><label>(4b)</label><mml:math><mml:mi>x</mml:mi></mml:math></disp-formula>";
    let body = format!(
        "<sec id='s'><fig-group id='fg'><label>Figure 2</label>{}{}</fig-group>\
         <table-wrap-group id='tg'><label>Table 3</label>{}{}</table-wrap-group>\
         <disp-formula-group id='dg'><label>(4)</label>{formula}</disp-formula-group></sec>\
         <sec id='r'><p>The lid shall be as in Figure 2.</p><p>The lid shall be as in Figure 2b.</p>\
         <p>The lid shall be as in Table 3.</p><p>The lid shall be as in <xref rid='tg'>Table 3</xref>.</p>\
         <p>The lid shall be as in Table 3b.</p><p>The lid shall meet Formula (4).</p>\
         <p>The lid shall meet Formula (4b).</p></sec>",
        figure("a"),
        figure("b"),
        table("a"),
        table("b")
    );
    let edition = read(&document(&body)).edition;
    let targets = edition.provisions.iter().map(|provision| match &provision.references[0].target {
        Some(ReferenceTarget::Part(id)) => id.clone(),
        other => panic!("{}: {other:?}", provision.text),
    });
    assert_eq!(targets.collect::<Vec<_>>(), ["ga", "gb", "ta", "ta", "tb", "s", "s"]);
    let numbers: Vec<_> = edition.tables.iter().map(|table| table.number.as_deref()).collect();
    assert_eq!(numbers, [Some("3A"), Some("3B")]);
}

#[test]
fn the_publisher_and_the_title_may_be_next_to_the_std_of_a_citation() {
    for citation in [
        "<mixed-citation><std-organization>ISO</std-organization> <std>712:2009</std>, <article-title>Moisture</article-title>\
         </mixed-citation>",
        "<element-citation><std>ISO 712:2009</std><std-title>Moisture</std-title></element-citation>",
    ] {
        let body = format!("<ref-list content-type='bibl'><ref>{citation}</ref></ref-list>");
        let relation = read(&document(&body)).edition.relations[0].clone();
        assert_eq!(
            relation.urn.map(|urn| urn.to_string()).as_deref(),
            Some("urn:iso:std:iso:712"),
            "{citation}"
        );
        assert_eq!(
            (relation.reference.as_str(), relation.title.as_deref()),
            ("ISO 712:2009", Some("Moisture"))
        );
    }
}
