//! Tests that a document of each publisher and its citations give one URN.

mod common;

use common::{codes, read};
use norma_model::{PartialUrn, RelationKind};
use norma_sts::{Extraction, ExtractionOptions, extract};

/// Metadata as converters write it.
struct Meta<'a> {
    originator: &'a str,
    kind: &'a str,
    number: &'a str,
    part: &'a str,
    edition: &'a str,
    version: &'a str,
    reference: &'a str,
    holder: &'a str,
}

const NONE: Meta<'_> = Meta {
    originator: "",
    kind: "",
    number: "",
    part: "",
    edition: "1",
    version: "",
    reference: "",
    holder: "",
};

impl Meta<'_> {
    fn source(&self, body: &str) -> String {
        let Self { originator, kind, number, part, edition, version, reference, holder } = self;
        format!(
            "<standard><front><iso-meta><title-wrap><full>Lids of boxes</full></title-wrap>\
             <std-ident><originator>{originator}</originator><doc-type>{kind}</doc-type><doc-number>{number}</doc-number>\
             <part-number>{part}</part-number><edition>{edition}</edition><version>{version}</version></std-ident>\
             <content-language>en</content-language><std-ref type='dated'>{reference}</std-ref>\
             <permissions><copyright-year>2020</copyright-year><copyright-holder>{holder}</copyright-holder></permissions>\
             </iso-meta></front><body><sec><title>Lids</title>{body}</sec></body></standard>"
        )
    }

    fn urn(&self) -> PartialUrn {
        read(&self.source("<p>Text.</p>")).edition.urn.as_partial().clone()
    }
}

/// Originator, kind, number, part, own reference, and citations of the document.
type Case<'a> = (&'a str, &'a str, &'a str, &'a str, &'a str, &'a [&'a str]);

const CASES: &[Case<'_>] = &[
    (
        "ISO",
        "IS",
        "9999",
        "1",
        "ISO 9999-1:2020",
        &["ISO 9999-1", "ISO 9999-1:2015", "urn:iso:std:iso:9999:-1"],
    ),
    (
        "ISO/IEC",
        "technical-report",
        "9998",
        "",
        "ISO/IEC TR 9998:2020",
        &["ISO/IEC TR 9998:2020", "ISO/IEC TR 9998"],
    ),
    ("ISO", "directive", "", "2", "ISO DIR:2018", &["ISO/IEC Directives, Part 2"]),
    ("IEC", "IS", "60068", "2-30", "IEC 60068-2-30:2005", &["IEC 60068-2-30-2005", "CEI 60068-2-30"]),
    ("IEC", "IS", "16", "1-1", "CISPR 16-1-1:2019", &["CISPR 16-1-1", "IEC CISPR 16-1-1:2019"]),
    (
        "IEEE",
        "standard",
        "802.3",
        "",
        "IEEE Std IEEE Std 802.3-2018",
        &["IEEE 802.3", "IEEE Std 802.3™-2018"],
    ),
    (
        "ITU",
        "recommendation",
        "G.650.1",
        "",
        "ITU-T G.650.1:",
        &["ITU-T G.650.1", "Recommendation ITU-T G.650.1 (09/2020)"],
    ),
    ("ITU", "recommendation", "8", "", "ITU-T A.8 (10/2008)", &["ITU-T A.8", "Recommendation ITU-T A.8"]),
    (
        "ITU-T",
        "recommendation-annex",
        "G.729",
        "",
        "ITU-T G.729 Annex A (11/1996)",
        &["ITU-T G.729 Annex A (11/1996)"],
    ),
    (
        "ITU-T",
        "recommendation-annex",
        "G.729",
        "Annex C",
        "ITU-T G.729 Annex C (11/1996)",
        &["ITU-T G.729 Annex C (11/1996)"],
    ),
    (
        "ITU",
        "recommendation-annex",
        "",
        "",
        "ITU-T G.729 Annex B",
        &["Recommendation ITU-T G.729 Annex B (1996)"],
    ),
    ("IEEE", "", "", "", "IEEE Std 987.6-2020:2021", &["IEEE Std 987.6-2020", "IEEE 987.6"]),
    ("CC", "standard", "", "", "CC/DS 18013:2018", &["CC/DS 18013:2018"]),
    ("ITU", "resolution", "50", "", "ITU-T Resolution 50", &["ITU-T Resolution 50"]),
    (
        "ITU-R",
        "recommendation",
        "BT.500-14",
        "",
        "ITU-R BT.500-14",
        &["ITU-R BT.500", "Recommendation ITU-R BT.500-13"],
    ),
    (
        "OGC",
        "standard",
        "10-100r3",
        "",
        "http://www.opengis.net/spec/box/2.0:",
        &["OGC 10-100r3", "[OGC 10-100r3]"],
    ),
    ("IHO", "specification", "44", "", "S-44:", &["IHO S-44", "IHO S-44 Edition 6.1.0"]),
    ("IHO", "regulation", "12", "", "B-12", &["IHO B-12"]),
    ("International Hydrographic Organization", "", "12", "", "S-12", &["IHO S-12"]),
    ("BIPM", "guide", "106", "", "JCGM 106:", &["JCGM 106:2012", "BIPM guide 106"]),
    ("BIPM/JCGM", "guide", "106", "", "", &["JCGM 106", "urn:bipm:std:bipm-jcgm:guide:106"]),
    (
        "BIPM",
        "brochure",
        "SI Brochure 9e v3.01 (2019/2024, E)",
        "",
        "BIPM SI Brochure 9e v3.01 (2019/2024, E):2024",
        &["BIPM SI Brochure"],
    ),
    (
        "BIPM",
        "brochure",
        "Brochure sur le SI 9e v3.01 (2019/2024, F)",
        "",
        "BIPM Brochure sur le SI 9e v3.01 (2019/2024, F):2024",
        &["BIPM SI Brochure"],
    ),
    ("CIPM", "resolution", "2", "", "CIPM Resolution 2 (1956)", &["CIPM RES 2 (1956)"]),
    ("OIML", "recommendation", "60", "1", "OIML R 60-1:2021(E)", &["OIML R 60-1", "OIML R60-1:2021"]),
    ("OIML", "document", "28", "", "", &["OIML D 28"]),
    ("OIML", "vocabulary", "V 1", "", "OIML V 1:2022", &["OIML V1:2000"]),
    (
        "UN/CEFACT",
        "recommendation",
        "33",
        "",
        "UN/CEFACT Recommendation 33",
        &["UNECE Recommendation No. 33"],
    ),
    (
        "",
        "plenary",
        "ECE/TRADE/C/CEFACT/2019/9",
        "",
        "ECE/TRADE/C/CEFACT/2019/9",
        &["ECE/TRADE/C/CEFACT/2019/9"],
    ),
    ("IETF", "standards-track", "8141", "", "RFC 8141", &["RFC 8141", "IETF RFC 8141", "urn:ietf:rfc:8141"]),
    ("IETF", "rfc", "8141", "", "8141", &["RFC8141"]),
    ("CC", "directive", "10005", "", "CC/DIR 10005:2019", &["CC/DIR 10005"]),
    ("M3AAWG", "best-practice", "120", "", "M3AAWG 120", &["M3AAWG 120"]),
    (
        "ETSI",
        "technical-specification",
        "102 822-3-1",
        "",
        "ETSI TS 102 822-3-1 V1.7.1 (2011-12)",
        &["TS 102 822-3-1", "ETSI TS 102 822-3-1"],
    ),
    ("CEN", "standard", "1234", "", "EN 1234:2010", &["EN 1234"]),
    ("NEN", "", "9001", "", "NEN-EN-ISO 9001:2015", &["NEN-EN-ISO 9001"]),
    ("BSI", "", "9001", "", "BS EN ISO 9001:2015", &["BS EN ISO 9001"]),
    ("DIN", "", "13849", "1", "DIN EN ISO 13849-1:2008-12", &["DIN EN ISO 13849-1"]),
    ("", "", "1201", "", "TRBS 1201:2018-03", &["TRBS 1201"]),
    ("W3C", "", "xml", "", "W3C REC-xml-20081126", &["W3C REC-xml-20081126"]),
    ("NIST", "", "800-53r5", "", "NIST SP 800-53r5", &["NIST SP 800-53"]),
    ("ECMA", "", "262", "", "ECMA-262", &["ECMA-262"]),
    ("ASTM", "", "D1234", "", "ASTM D1234-05", &["ASTM D1234", "ASTM D 1234-99"]),
];

#[test]
fn a_document_and_its_citations_agree() {
    let mut wrong = Vec::new();
    for (originator, kind, number, part, reference, citations) in CASES {
        let urn = Meta { originator, kind, number, part, reference, ..NONE }.urn();
        for citation in *citations {
            let source = format!("<ref-list><ref><std><std-ref>{citation}</std-ref></std></ref></ref-list>");
            let cited = read(&NONE_ISO.source(&source));
            let found = cited.edition.relations[0].urn.as_ref().map(|urn| urn.document_urn().to_owned());
            if found.as_deref() != Some(urn.document_urn()) {
                wrong.push(format!("{reference} is {urn}, {citation} is {found:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const NONE_ISO: Meta<'_> = Meta { originator: "ISO", number: "1", reference: "ISO 1:2020", ..NONE };

#[test]
fn update_series_have_the_state_in_the_edition_and_others_do_not() {
    let practice =
        Meta { originator: "BIPM", kind: "mise-en-pratique", number: "SI MEP M1", edition: "2", ..NONE };
    let state = |version| Meta { version, ..practice }.urn().to_string();
    assert_eq!(state("2019-04-30"), "urn:bipm:std:bipm:si-mep-m1:ed-2-2019-04-30:en");
    assert_eq!(state("1.1"), "urn:bipm:std:bipm:si-mep-m1:ed-2-1.1:en");
    assert_eq!(state(""), "urn:bipm:std:bipm:si-mep-m1:ed-2-2020:en");
    let undated = Meta { edition: "", version: "2019-04-30", ..practice };
    assert_eq!(undated.urn().as_str(), "urn:bipm:std:bipm:si-mep-m1:ed-2019-04-30:en");
    let other = Meta { version: "2019-04-30", ..NONE_ISO };
    assert_eq!(other.urn().as_str(), "urn:iso:std:iso:1:ed-1:en");
}

#[test]
fn a_missing_originator_is_what_the_document_prints() {
    let note = "originator-worked-out";
    for (holder, body, urn) in [
        ("United Nations", "", "urn:un:std:un:ge.19-00825:ed-1:en"),
        ("Open Geospatial Consortium", "", "urn:ogc:std:ogc:ge.19-00825:ed-1:en"),
        ("NSB", "", "urn:nsb:std:nsb:ge.19-00825:ed-1:en"),
        ("Widget Testing Board (WTB)", "", "urn:wtb:std:wtb:ge.19-00825:ed-1:en"),
        (
            "Widget Testing Board",
            "<p>The Widget Testing Board (WTB) met.</p>",
            "urn:wtb:std:wtb:ge.19-00825:ed-1:en",
        ),
    ] {
        let meta = Meta { number: "GE.19-00825(E)", reference: "GE.19-00825(E):2019", holder, ..NONE };
        let extraction = read(&meta.source(body));
        assert_eq!(extraction.edition.urn.as_str(), urn, "{holder}");
        assert!(codes(&extraction).contains(&note), "{holder}");
    }
    let nobody = Meta { number: "12", reference: "12:2019", holder: "Widget Testing Board", ..NONE };
    let refused =
        extract(nobody.source("").as_bytes(), &ExtractionOptions::default()).expect_err("no publisher");
    assert_eq!(refused.code, "no-identity");
    assert!(
        refused.hint.contains("--urn") && refused.hint.contains("norma-manifest.toml"),
        "{}",
        refused.hint
    );
}

#[test]
fn a_dated_citation_keeps_its_date_wherever_that_is_written() {
    for (citation, reference, date) in [
        ("<std><std-ref>ISO 9999:2015</std-ref></std>", "ISO 9999:2015", Some("2015")),
        ("<std><std-ref>ISO 9999</std-ref></std>", "ISO 9999", None),
        (
            "<std><std-ref type='undated'>ISO 9999</std-ref><std-ref type='dated'>ISO 9999:2015</std-ref></std>",
            "ISO 9999:2015",
            Some("2015"),
        ),
        ("<std std-id='ISO 9999:2015'>the standard for boxes</std>", "the standard for boxes", Some("2015")),
        ("<std>ISO 9999, <year>2015</year></std>", "ISO 9999, 2015", Some("2015")),
        (
            "<mixed-citation>ISO 9999, Boxes, <year>2015</year></mixed-citation>",
            "ISO 9999:2015",
            Some("2015"),
        ),
        (
            "<mixed-citation>ISO 9999:2015, Boxes, <year>2016</year></mixed-citation>",
            "ISO 9999:2015",
            Some("2015"),
        ),
        (
            "<element-citation><source>ISO 9999</source><year>2015</year></element-citation>",
            "ISO 9999:2015",
            Some("2015"),
        ),
    ] {
        let source = format!("<ref-list><ref>{citation}</ref></ref-list>");
        let relation = read(&NONE_ISO.source(&source)).edition.relations[0].clone();
        assert_eq!(relation.urn.as_ref().map(|urn| urn.as_str()), Some("urn:iso:std:iso:9999"), "{citation}");
        assert_eq!(
            (relation.reference.as_str(), relation.dated, relation.date.as_deref()),
            (reference, date.is_some(), date),
            "{citation}"
        );
    }
}

#[test]
fn an_entry_is_cited_by_its_designation_alone() {
    let relation = |entry: &str| {
        let source = format!("<ref-list content-type='bibl'><ref><label>[1]</label>{entry}</ref></ref-list>");
        let extraction: Extraction = read(&NONE_ISO.source(&source));
        let relation = extraction.edition.relations[0].clone();
        assert_eq!(relation.kind, RelationKind::InformativeReference);
        relation
    };
    for (entry, reference, urn) in [
        (
            "<mixed-citation>ISO 3534-1:1993, Statistics<xref ref-type='fn' rid='f'><sup>1</sup></xref>\
             <fn id='f'><label>1</label><p>Withdrawn.</p></fn></mixed-citation>",
            "ISO 3534-1:1993",
            Some("urn:iso:std:iso:3534:-1"),
        ),
        (
            "<mixed-citation><std><std-ref>ISO 3535:1993</std-ref></std>, <italic>Statistics</italic></mixed-citation>",
            "ISO 3535:1993",
            Some("urn:iso:std:iso:3535"),
        ),
        (
            "<mixed-citation>IETF: RFC 3986, Identifiers</mixed-citation>",
            "RFC 3986",
            Some("urn:ietf:std:ietf:rfc:3986"),
        ),
        (
            "<mixed-citation>A. Doe and B. Roe. IETF RFC 3986: Identifiers. 2005.</mixed-citation>",
            "IETF RFC 3986",
            Some("urn:ietf:std:ietf:rfc:3986"),
        ),
        (
            "<mixed-citation>ISO / TC 34: ISO 9998-2:2001, Boxes</mixed-citation>",
            "ISO 9998-2:2001",
            Some("urn:iso:std:iso:9998:-2"),
        ),
        (
            "<mixed-citation>CIPM (1980), Reports; BIPM (1980), Rapport BIPM-80/3</mixed-citation>",
            "CIPM (1980), Reports; BIPM (1980), Rapport BIPM-80/3",
            None,
        ),
        ("<mixed-citation>HDF 5 Reference Manual</mixed-citation>", "HDF 5 Reference Manual", None),
        ("<std><std-ref>IUPAC 1993</std-ref></std>", "IUPAC 1993", None),
        ("<std><std-ref>[1]</std-ref><title>On lids</title></std>", "On lids", None),
    ] {
        let relation = relation(entry);
        assert_eq!(
            (relation.reference.as_str(), relation.urn.as_ref().map(PartialUrn::as_str)),
            (reference, urn),
            "{entry}"
        );
    }
    let long =
        relation(&format!("<mixed-citation>A. Doe, On lids{}</mixed-citation>", " and boxes".repeat(80)));
    assert!(long.reference.chars().count() <= 201 && long.reference.ends_with('…'), "{}", long.reference);
}

#[test]
fn a_related_document_is_named_by_its_reference_or_its_parts() {
    let xref = |content: &str| {
        let meta = NONE_ISO.source("<p>Text.</p>");
        let source = meta.replace(
            "<permissions>",
            &format!("<std-xref type='obsoletes'>{content}</std-xref><permissions>"),
        );
        read(&source).edition.relations[0].clone()
    };
    for content in [
        "<std-ref>RFC 2141</std-ref>",
        "<std-ref>RFC2141</std-ref>",
        "<std-ref>IETF RFC 2141</std-ref>",
        "<std-ref>urn:ietf:rfc:2141</std-ref>",
        "<std-ident><originator>IETF</originator><doc-type>rfc</doc-type><doc-number>2141</doc-number></std-ident>",
        "<std-ident><originator>IETF</originator><doc-number>2141</doc-number></std-ident><std-ref>2141</std-ref>",
    ] {
        let relation = xref(content);
        assert_eq!(relation.kind, RelationKind::Replaces);
        assert_eq!(
            relation.urn.as_ref().map(PartialUrn::as_str),
            Some("urn:ietf:std:ietf:rfc:2141"),
            "{content}"
        );
    }
}
