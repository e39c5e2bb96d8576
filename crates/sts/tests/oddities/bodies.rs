//! Oddities of publishers: adoptions with and without inner metadata, amendments, consolidations, IEEE.

use norma_model::{RelationKind, StandardType, Status};
use norma_sts::Extraction;

use crate::common::{META, codes, read};

fn with(meta: &str) -> Extraction {
    read(&format!("<standard><front>{meta}</front><body><sec><p>Text.</p></sec></body></standard>"))
}

fn named(tag: &str, reference: &str, ident: &str) -> String {
    let end = tag.split(' ').next().unwrap_or(tag);
    format!(
        "<{tag}><title-wrap><full>T</full></title-wrap><std-ident>{ident}</std-ident><content-language>en</content-language>\
         <std-ref>{reference}</std-ref></{end}>"
    )
}

fn adopted(extraction: &Extraction) -> Vec<(String, String)> {
    let relations = extraction.edition.relations.iter().filter(|r| r.kind == RelationKind::Adopts);
    relations
        .map(|r| (r.reference.clone(), r.urn.as_ref().map(ToString::to_string).unwrap_or_default()))
        .collect()
}

#[test]
fn a_designation_alone_tells_what_is_adopted() {
    for (reference, urn, layers) in [
        (
            "DIN EN ISO 9999-1:2008-12",
            "urn:din:std:din-en-iso:9999:-1:ed-2008-12:en",
            &[("EN ISO 9999-1", "urn:en:std:en-iso:9999:-1"), ("ISO 9999-1", "urn:iso:std:iso:9999:-1")][..],
        ),
        (
            "BS EN ISO 9999:2007",
            "urn:bs:std:bs-en-iso:9999:ed-2007:en",
            &[("EN ISO 9999", "urn:en:std:en-iso:9999"), ("ISO 9999", "urn:iso:std:iso:9999")],
        ),
        (
            "NF EN ISO/IEC 9999:2017",
            "urn:nf:std:nf-en-iso-iec:9999:ed-2017:en",
            &[
                ("EN ISO/IEC 9999", "urn:en:std:en-iso-iec:9999"),
                ("ISO/IEC 9999", "urn:iso:std:iso-iec:9999"),
            ],
        ),
        ("BS ISO 9999:2007", "urn:bs:std:bs-iso:9999:ed-2007:en", &[("ISO 9999", "urn:iso:std:iso:9999")]),
        ("ISO/IEC 9999:2007", "urn:iso:std:iso-iec:9999:ed-2007:en", &[]),
        ("DIN 9999:2007-01", "urn:din:std:din:9999:ed-2007-01:en", &[]),
    ] {
        for tag in ["std-meta", "nat-meta"] {
            let extraction = with(&named(tag, reference, ""));
            assert_eq!(extraction.edition.urn.as_str(), urn, "{tag} {reference}");
            let expected: Vec<_> = layers.iter().map(|(r, u)| ((*r).to_owned(), (*u).to_owned())).collect();
            assert_eq!(adopted(&extraction), expected, "{tag} {reference}");
            assert_eq!(extraction.edition.metadata.adoption_of.len(), layers.len());
        }
    }
}

#[test]
fn a_publisher_that_states_itself_alone_still_names_its_chain() {
    let meta = named(
        "std-meta",
        "DIN EN ISO 9999:2008-12",
        "<originator>DIN</originator><doc-number>9999</doc-number>",
    );
    assert_eq!(with(&meta).edition.urn.as_str(), "urn:din:std:din-en-iso:9999:ed-2008-12:en");
}

#[test]
fn several_blocks_belong_to_the_outermost_publisher_and_nothing_is_adopted_twice() {
    let blocks = [
        named(
            "iso-meta",
            "ISO 9999:2006",
            "<originator>ISO</originator><doc-number>9999</doc-number><edition>2</edition>",
        ),
        named("reg-meta originator='CEN'", "EN ISO 9999:2007", ""),
        named("reg-meta originator='CENELEC'", "EN ISO 9999:2007", ""),
        named("nat-meta originator='DIN'", "DIN EN ISO 9999:2008-12", ""),
    ];
    let extraction = with(&blocks.concat());
    assert_eq!(extraction.edition.urn.as_str(), "urn:din:std:din-en-iso:9999:ed-2008-12:en");
    let references: Vec<String> = adopted(&extraction).into_iter().map(|(reference, _)| reference).collect();
    assert_eq!(references, ["EN ISO 9999:2007", "ISO 9999:2006"]);
}

#[test]
fn sections_of_all_layers_stand_in_their_order() {
    let layer = |reference: &str, name: &str, inner: &str| {
        format!(
            "<adoption><adoption-front>{}<sec><title>{name}</title></sec></adoption-front>{inner}\
             <back><app-group><app><label>Annex {name}</label></app></app-group></back></adoption>",
            named("std-meta", reference, "")
        )
    };
    let core = format!(
        "<standard><front>{}</front><body><sec><label>1</label></sec></body><back><app-group><app-group><app><label>Annex A\
         </label></app></app-group></app-group><ref-list/></back></standard>",
        named("std-meta", "ISO 9999:2006", "")
    );
    let edition =
        read(&layer("DIN EN ISO 9999:2008-12", "NA", &layer("EN ISO 9999:2007", "ZA", &core))).edition;
    let heads: Vec<&str> = edition
        .sections
        .iter()
        .map(|s| s.title.as_deref().or(s.number.as_deref()).unwrap_or_default())
        .collect();
    assert_eq!(heads, ["NA", "ZA", "1", "A", "", "ZA", "NA"]);
    let layers: Vec<u8> = edition.sections.iter().map(|section| section.layer).collect();
    assert_eq!(layers, [2, 1, 0, 0, 0, 1, 2]);
    let alone = format!(
        "<adoption>{}<body><sec><label>1</label></sec></body></adoption>",
        named("std-meta", "DIN 9999:2008", "")
    );
    assert_eq!(read(&alone).edition.sections[0].layer, 0, "it holds no document of another publisher");
    assert_eq!(edition.urn.as_str(), "urn:din:std:din-en-iso:9999:ed-2008-12:en");
}

#[test]
fn consolidations_are_editions_of_their_own() {
    for (reference, edition, urn) in [
        ("EN 1234:2010", "", "urn:en:std:en:1234:ed-2010:en"),
        ("EN 1234:2010+A1:2014", "", "urn:en:std:en:1234:ed-2010-a1:en"),
        ("EN 1234:2010+A1:2014+AC:2015", "", "urn:en:std:en:1234:ed-2010-a1:en"),
        ("EN 1234:2010+A1:2014+A2:2016", "<edition>3</edition>", "urn:en:std:en:1234:ed-3-a1-a2:en"),
        ("IEC 1234:2010+AMD1:2013 CSV", "", "urn:iec:std:iec:1234:ed-2010-a1:en"),
    ] {
        assert_eq!(with(&named("std-meta", reference, edition)).edition.urn.as_str(), urn, "{reference}");
    }
    let extraction = with(&named("std-meta", "EN 1234:2010+A1:2014", "<edition>3</edition>"));
    assert_eq!(codes(&extraction), ["originator-worked-out", "number-worked-out", "supplement-worked-out"]);
}

#[test]
fn an_amendment_is_distinguished_from_its_base_where_only_the_reference_differs() {
    let base = with(META).edition;
    for (reference, kind, urn) in [
        ("ISO 9999-1:2020/Amd 1:2022", StandardType::Amendment, "urn:iso:std:iso:9999:-1:amd:1:ed-2:en"),
        ("ISO 9999-1:2020/DAM 1", StandardType::Amendment, "urn:iso:std:iso:9999:-1:draft:amd:1:ed-2:en"),
        ("ISO 9999-1:2020/Cor 2:2022", StandardType::Corrigendum, "urn:iso:std:iso:9999:-1:cor:2:ed-2:en"),
        (
            "ISO 9999-1:2020/Amd 1:2022/Cor 1:2023",
            StandardType::Amendment,
            "urn:iso:std:iso:9999:-1:amd:1:cor:1:ed-2:en",
        ),
    ] {
        let extraction = with(&META.replace("ISO 9999-1:2020", reference));
        assert_eq!(
            (extraction.edition.urn.as_str(), extraction.edition.metadata.standard_type),
            (urn, kind),
            "{reference}"
        );
        assert_ne!(extraction.edition.urn, base.urn, "{reference}");
    }
}

const IEEE: &str = "<standards-document article-status='active' content-type='recommended-practice' dtd-version='1.7' \
    std-status='active' xmlns:xlink='http://www.w3.org/1999/xlink'><front><std-meta><std-id std-id-type='doi'>10.1109/IEEESTD.2013.1\
    </std-id><std-designation content-type='full-tm'>IEEE Std 9127\u{2122}-2013</std-designation><std-designation \
    content-type='full'>IEEE Std 9127-2013</std-designation><std-designation content-type='std-num'>9127-2013</std-designation>\
    <std-designation content-type='norm'/><ics><ics-code>55.160</ics-code><ics-desc>Cases. Boxes. Crates</ics-desc></ics>\
    <std-title-group><std-intro-title>Packing</std-intro-title><std-main-title>Boxes</std-main-title><std-full-title>IEEE \
    Recommended Practice for Boxes</std-full-title><alt-title><related-article related-article-type='revision-of'>(Revision of \
    <std>IEEE Std 9127-1998</std>)</related-article></alt-title></std-title-group><publisher><publisher-name>The Institute\
    </publisher-name></publisher><std-sponsor><committee>Boxes Committee</committee> of the <society>Packing Society</society>\
    </std-sponsor><pub-date date-type='published'><day>4</day><month>February</month><year>2014</year></pub-date><approval>\
    <approval-date iso-8601-date='2013-12-11'/><stds-body>Board</stds-body></approval><permissions><copyright-year>2014\
    </copyright-year><copyright-holder copyright-owner='IEEE'>IEEE</copyright-holder></permissions><abstract><p>How to box.</p>\
    </abstract></std-meta><notes><sec><title>Notice</title><p>Read it.</p></sec></notes><sec><title>Introduction</title></sec>\
    </front><body><sec id='s3'><label>3.</label><title>Definitions</title><std-def-list><std-def-list-item><term>box</term><x>: \
    </x><def><p>closed case</p></def></std-def-list-item><std-def-list-item><term>lid</term><x>: </x><def><p>top of a <bold>box\
    </bold></p></def></std-def-list-item></std-def-list></sec><sec id='s4'><label>4.</label><title>Marking</title><disp-formula>\
    <tex-math>A = w h</tex-math></disp-formula><p>where</p><variable-list><var-item><term>w</term><def><p>is the width</p></def>\
    </var-item></variable-list></sec></body><back><app-group><app><label>Annex A</label><annex-type>(informative)</annex-type>\
    <title>Bibliography</title><ref-list><ref><label>[B1]</label><mixed-citation>IEEE Std 9000-2001, Crates.</mixed-citation>\
    </ref></ref-list></app></app-group></back></standards-document>";

#[test]
fn an_ieee_document_is_known_by_its_designation() {
    let extraction = read(IEEE);
    let edition = &extraction.edition;
    let metadata = &edition.metadata;
    assert_eq!(edition.urn.as_str(), "urn:ieee:std:ieee:9127:ed-2013:en");
    assert_eq!(metadata.reference, "IEEE Std 9127-2013");
    assert_eq!((metadata.publisher.as_str(), metadata.number.as_str()), ("IEEE", "9127"));
    assert_eq!(
        (metadata.standard_type, metadata.type_label.as_deref()),
        (StandardType::Other, Some("recommended-practice"))
    );
    let title = &metadata.titles[&"en".parse().expect("a language")];
    assert_eq!((title.intro.as_deref(), title.main.as_deref()), (Some("Packing"), Some("Boxes")));
    assert_eq!(title.full, "IEEE Recommended Practice for Boxes");
    assert_eq!(metadata.committee.as_deref(), Some("Boxes Committee of the Packing Society"));
    let dates: Vec<String> = metadata.dates.iter().map(|(name, date)| format!("{name} {date}")).collect();
    assert_eq!(dates, ["approved 2013-12-11", "published 2014-02-04"]);
    assert!(
        metadata.identifiers.contains(&"10.1109/IEEESTD.2013.1".to_owned()),
        "{:?}",
        metadata.identifiers
    );
    let ics: Vec<_> = edition.ics.iter().map(|i| (i.code.as_str(), i.title.as_deref())).collect();
    assert_eq!(ics, [("55.160", Some("Cases. Boxes. Crates"))]);
    let relations: Vec<_> = edition.relations.iter().map(|r| (r.kind, r.reference.as_str())).collect();
    assert_eq!(
        relations,
        [
            (RelationKind::Replaces, "IEEE Std 9127-1998"),
            (RelationKind::InformativeReference, "IEEE Std 9000-2001")
        ]
    );
    assert_eq!(
        codes(&extraction),
        ["originator-worked-out", "number-worked-out", "edition-worked-out", "language-worked-out"]
    );
}

#[test]
fn an_ieee_document_gives_its_sections_and_terms() {
    let edition = read(IEEE).edition;
    let sections: Vec<_> = edition
        .sections
        .iter()
        .map(|s| (s.level, s.number.as_deref().unwrap_or("-"), s.title.as_deref().unwrap_or("-")))
        .collect();
    assert_eq!(
        sections,
        [
            (1, "-", "-"),
            (2, "-", "Notice"),
            (1, "-", "Introduction"),
            (1, "3", "Definitions"),
            (1, "4", "Marking"),
            (1, "A", "Bibliography"),
        ]
    );
    let text = |id: &str| {
        edition.sections.iter().find(|s| s.id.as_str() == id).map(|s| s.text.clone()).unwrap_or_default()
    };
    assert_eq!(text("s3"), "3. Definitions\n\nbox:\tclosed case\nlid:\ttop of a box");
    assert_eq!(text("s4"), "4. Marking\n\nA = w h\n\nwhere\n\nw\tis the width");
    let terms: Vec<_> = edition
        .terms
        .iter()
        .map(|t| (t.designations[0].text.as_str(), t.definitions[0].text.as_str()))
        .collect();
    assert_eq!(terms, [("box", "closed case"), ("lid", "top of a box")]);
}

#[test]
fn ieee_says_the_state_of_a_document_on_its_root() {
    for (status, designation, urn, state) in [
        ("inactive-withdrawn", "IEEE Std 9127-2013", "urn:ieee:std:ieee:9127:ed-2013:en", Status::Withdrawn),
        ("unapproved-draft", "IEEE P9127/D3", "urn:ieee:std:ieee:9127:draft:ed-2013-12-11:en", Status::Draft),
        ("approved-draft", "IEEE Std 9127-2013", "urn:ieee:std:ieee:9127:draft:ed-2013:en", Status::Draft),
    ] {
        let source = IEEE.replace("std-status='active'", &format!("std-status='{status}'"));
        let source = source
            .replace("IEEE Std 9127-2013", designation)
            .replace("IEEE Std 9127\u{2122}-2013", designation);
        let source = source.replace(
            "9127-2013</std-designation><std-designation content-type='norm'",
            "</std-designation><a",
        );
        let source = source
            .replace("<pub-date date-type='published'>", "<pub-date date-type='published'><x/>")
            .replace("<day>4</day><month>February</month><year>2014</year>", "");
        let edition = read(&source).edition;
        assert_eq!((edition.urn.as_str(), edition.status), (urn, state), "{status}");
    }
}
