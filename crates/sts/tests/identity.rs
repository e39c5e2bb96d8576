//! Tests of identity: the URN of a document in each dialect, with parts missing.

mod common;

use common::{META, codes, read};
use norma_model::{RelationKind, StandardType, Status};
use norma_sts::{Extraction, ExtractionOptions, extract};

fn with(meta: &str) -> Extraction {
    read(&format!("<standard><front>{meta}</front><body><sec><p>Text.</p></sec></body></standard>"))
}

fn urn(meta: &str) -> String {
    with(meta).edition.urn.to_string()
}

fn ident(originator: &str, rest: &str) -> String {
    format!("<std-ident><originator>{originator}</originator>{rest}</std-ident>")
}

#[test]
fn stated_parts_make_the_urn() {
    let extraction = with(META);
    assert_eq!(extraction.edition.urn.as_str(), "urn:iso:std:iso:9999:-1:ed-2:en");
    assert_eq!(extraction.edition.metadata.reference, "ISO 9999-1:2020");
    assert_eq!(codes(&extraction), Vec::<&str>::new());
}

#[test]
fn isosts_metadata_with_repeated_bodies_reads_the_same() {
    let meta = "<iso-meta><title-wrap xml:lang='en'><main>Boxes</main></title-wrap><doc-ident><sdo>ISO/ISO/ISO</sdo>\
        <proj-id/><language>en</language><release-version>IS</release-version><urn>iso:std:iso:9999:-1:ed-2:v1:en</urn>\
        </doc-ident><std-ident><originator/><doc-type>st</doc-type><doc-number>9999</doc-number>\
        <part-number>-1</part-number><edition>2</edition><version>1</version></std-ident><content-language/>\
        <std-ref type='undated'>ISO 9999-1:2020</std-ref><std-ref type='dated'>ISO 9999-1</std-ref></iso-meta>";
    let edition = with(meta).edition;
    assert_eq!(edition.urn.as_str(), "urn:iso:std:iso:9999:-1:ed-2:en");
    assert_eq!(edition.metadata.reference, "ISO 9999-1:2020", "the dated one, though the types are swapped");
    assert!(edition.metadata.identifiers.contains(&"iso:std:iso:9999:-1:ed-2:v1:en".to_owned()));
    assert_eq!(edition.metadata.standard_type, StandardType::Is);
}

#[test]
fn gaps_are_filled_from_the_reference_and_each_is_reported() {
    let meta = "<std-meta><title-wrap><full>T</full></title-wrap><content-language>fr</content-language>\
        <std-ref type='dated'>ISO/TS 4444-3:2011</std-ref></std-meta>";
    let extraction = with(meta);
    assert_eq!(extraction.edition.urn.as_str(), "urn:iso:std:iso:ts:4444:-3:ed-2011:fr");
    assert_eq!(
        codes(&extraction),
        ["originator-worked-out", "number-worked-out", "part-worked-out", "edition-worked-out"]
    );
}

#[test]
fn an_edition_falls_back_to_dates_in_their_order() {
    let meta = |dates: &str| {
        format!(
            "<std-meta>{}<content-language>en</content-language>{dates}</std-meta>",
            ident("CC", "<doc-number>7</doc-number>")
        )
    };
    let copyright = "<permissions><copyright-year>2014</copyright-year></permissions>";
    let all = format!("<release-date>2016-05</release-date><pub-date>2015</pub-date>{copyright}");
    assert_eq!(urn(&meta(&all)), "urn:cc:std:cc:7:ed-2016-05:en");
    assert_eq!(urn(&meta(&format!("<release-date/>{copyright}"))), "urn:cc:std:cc:7:ed-2014:en");
    let refused = extract(
        format!("<standard><front>{}</front><body><p>x</p></body></standard>", meta("")).as_bytes(),
        &ExtractionOptions::default(),
    );
    let error = refused.expect_err("no date at all");
    assert_eq!(error.code, "no-identity");
    assert!(error.message.contains("std-ident/edition") && error.message.contains("--urn"), "{error:?}");
    let version = "<version>v1.2</version>";
    assert_eq!(urn(&meta(version)), "urn:cc:std:cc:7:ed-1.2:en");
    assert_eq!(
        urn(&meta(&format!("{version}{copyright}"))),
        "urn:cc:std:cc:7:ed-2014:en",
        "dates come first"
    );
}

#[test]
fn a_publication_is_dated_as_far_as_the_source_tells() {
    let published = |reference: &str, rest: &str| {
        let meta = format!(
            "<std-meta>{}<content-language>en</content-language><std-ref>{reference}</std-ref>{rest}</std-meta>",
            ident("NSB", "<doc-number>7</doc-number><edition>1</edition>")
        );
        with(&meta).edition.metadata.published_on().map(|date| date.to_string())
    };
    let copyright = "<permissions><copyright-year>2015</copyright-year></permissions>";
    let day = "<release-date>2016-05-01</release-date>";
    for (reference, rest, date) in [
        ("NSB 7:2014", format!("{day}{copyright}"), Some("2016-05-01")),
        ("NSB 7:2014", copyright.to_owned(), Some("2014")),
        ("NSB 7:2008-12", String::new(), Some("2008-12")),
        ("NSB 7:2014/Amd 1:2017", copyright.to_owned(), Some("2017")),
        ("NSB 7", copyright.to_owned(), Some("2015")),
        ("NSB 7", String::new(), None),
    ] {
        assert_eq!(published(reference, &rest).as_deref(), date, "{reference} {rest}");
    }
}

#[test]
fn a_publisher_may_be_stated_by_its_abbreviation_alone() {
    let meta = "<std-meta><std-org-group><std-org><std-org-name>National Board of Boxes</std-org-name>\
        <std-org-abbrev>NBB</std-org-abbrev></std-org></std-org-group><std-ident><doc-number>7</doc-number>\
        <version>2</version></std-ident><content-language>en</content-language></std-meta>";
    assert_eq!(urn(meta), "urn:nbb:std:nbb:7:ed-2:en");
}

#[test]
fn a_reference_without_a_number_is_reported_and_gives_none() {
    let meta = |number: &str, reference: &str| {
        let ident = ident("NSB", &format!("{number}<edition>1</edition>"));
        format!(
            "<std-meta>{ident}<content-language>en</content-language><std-ref>{reference}</std-ref></std-meta>"
        )
    };
    for (reference, is_reported) in [(":8 Ap", true), ("Final text", true), ("NSB 7", false), ("7", false)] {
        let extraction = with(&meta("<doc-number>7</doc-number>", reference));
        assert_eq!(extraction.edition.urn.as_str(), "urn:nsb:std:nsb:7:ed-1:en", "{reference}");
        let found = codes(&extraction).contains(&"reference-without-number");
        assert_eq!(found, is_reported, "{reference}");
    }
    let source = format!("<standard><front>{}</front><body><p>x</p></body></standard>", meta("", ":8 Ap"));
    let refused = extract(source.as_bytes(), &ExtractionOptions::default()).expect_err("no number");
    assert!(refused.message.contains("no number"), "{refused:?}");
    let options =
        ExtractionOptions { urn: "urn:nsb:std:nsb:7:ed-1:en".parse().ok(), ..ExtractionOptions::default() };
    let named = extract(source.as_bytes(), &options).expect("the URN is given");
    assert!(codes(&named).contains(&"reference-without-number"));
    assert_eq!(named.edition.metadata.number, "7");
}

#[test]
fn an_amendment_is_distinguished_from_its_base_by_its_reference() {
    let meta = META.replace("ISO 9999-1:2020", "ISO 9999-1:2020/Amd 1:2022").replace(">IS<", ">amendment<");
    let edition = with(&meta).edition;
    assert_eq!(edition.urn.as_str(), "urn:iso:std:iso:9999:-1:amd:1:ed-2:en");
    assert_eq!(edition.metadata.standard_type, StandardType::Amendment);
    let supplement = edition.metadata.supplement.as_ref().expect("a supplement");
    assert_eq!((supplement.number.as_str(), supplement.year.as_deref()), ("1", Some("2022")));
    let amends = &edition.relations[0];
    assert_eq!((amends.kind, amends.reference.as_str()), (RelationKind::Amends, "ISO 9999-1:2020"));
    assert_eq!(amends.urn.as_ref().map(|u| u.as_str()), Some("urn:iso:std:iso:9999:-1"));
}

#[test]
fn drafts_carry_their_stage() {
    let stage = "<custom-meta-group><custom-meta><meta-name>stage</meta-name><meta-value>30</meta-value></custom-meta>\
        <custom-meta><meta-name>substage</meta-name><meta-value>92</meta-value></custom-meta></custom-meta-group></std-meta>";
    let edition = with(&META.replace("</std-meta>", stage)).edition;
    assert_eq!(edition.urn.as_str(), "urn:iso:std:iso:9999:-1:stage-30.92:ed-2:en");
    assert_eq!(edition.status, Status::Draft);
    let word = META.replace("<std-ident>", "<release-version>DIS</release-version><std-ident>");
    assert_eq!(urn(&word), "urn:iso:std:iso:9999:-1:draft:ed-2:en");
}

#[test]
fn nested_adoptions_belong_to_the_outermost_publisher() {
    let layer = |originator: &str, reference: &str, edition: &str| {
        format!(
            "<std-meta><title-wrap xml:lang='de'><full>Kisten</full></title-wrap><std-ident>\
             <originator>{originator}</originator><doc-number>9999</doc-number><part-number>1</part-number>\
             <edition>{edition}</edition></std-ident><content-language>de</content-language>\
             <std-ref type='dated'>{reference}</std-ref><ics>55.160</ics></std-meta>"
        )
    };
    let source = format!(
        "<adoption><adoption-front>{}<sec sec-type='foreword'><title>Nationales Vorwort</title></sec></adoption-front>\
         <adoption><adoption-front>{}</adoption-front><standard><front>{}</front><body><sec id='c1'><label>1</label>\
         </sec></body><back><app-group><app-group><app id='a'><label>Annex A</label></app></app-group></app-group></back>\
         </standard><back><app id='za'><label>Annex ZA</label></app></back></adoption></adoption>",
        layer("DIN", "DIN EN ISO 9999-1:2008-12", ""),
        layer("CEN", "EN ISO 9999-1:2008", ""),
        layer("ISO", "ISO 9999-1:2007", "2"),
    );
    let edition = read(&source).edition;
    assert_eq!(edition.urn.as_str(), "urn:din:std:din-en-iso:9999:-1:ed-2008-12:de");
    let adopted: Vec<&str> = edition.metadata.adoption_of.iter().map(|a| a.reference.as_str()).collect();
    assert_eq!(adopted, ["EN ISO 9999-1:2008", "ISO 9999-1:2007"]);
    assert_eq!(edition.relations.iter().filter(|r| r.kind == RelationKind::Adopts).count(), 2);
    assert_eq!(edition.ics.len(), 1);
    let labels: Vec<&str> =
        edition.sections.iter().map(|s| s.number.as_deref().unwrap_or_default()).collect();
    assert_eq!(labels, ["", "1", "A", "ZA"]);
}

#[test]
fn of_mixed_metadata_the_national_block_owns_the_urn() {
    let block = |tag: &str, reference: &str| {
        format!(
            "<{tag}><content-language>en</content-language>{}<std-ref>{reference}</std-ref></{}>",
            ident("ISO", "<doc-number>9999</doc-number><edition>1</edition>"),
            tag.split(' ').next().unwrap_or(tag)
        )
    };
    let meta = [
        block("iso-meta", "ISO 9999:2007"),
        block("reg-meta originator='CEN'", "EN ISO 9999:2007"),
        block("nat-meta originator='NEN'", "NEN-EN-ISO 9999:2007"),
    ]
    .concat();
    let edition = with(&meta).edition;
    assert_eq!(edition.urn.publisher(), "nen");
    assert_eq!(edition.metadata.adoption_of.len(), 2);
    assert_eq!(edition.metadata.reference, "NEN-EN-ISO 9999:2007");
}

const FRENCH: &str =
    "<p>Le couvercle de la boîte doit être fermé et les joints sont vérifiés dans une salle.</p>";
const ENGLISH: &str =
    "<p>The lid of the box shall be closed, and the gaskets are checked with a gauge in this room.</p>";

#[test]
fn languages_run_together_are_taken_apart() {
    let meta = META.replace(">en</content-language>", ">arruenfrzhes</content-language>");
    assert_eq!(with(&meta).edition.metadata.languages.len(), 6);
}

#[test]
fn the_urn_has_the_language_of_the_text_and_the_metadata_counts_where_the_text_does_not_tell() {
    let document = |meta: &str, text: &str| {
        read(&format!("<standard><front>{meta}</front><body><sec id='a'>{text}</sec></body></standard>"))
    };
    let declared =
        |language: &str| META.replace(">en</content-language>", &format!(">{language}</content-language>"));
    for (meta, text, languages, mismatch) in [
        (META.to_owned(), FRENCH.repeat(8), "fr", true),
        (META.to_owned(), ENGLISH.repeat(8), "en", false),
        (META.to_owned(), FRENCH.to_owned(), "en", false),
        (declared("fr"), FRENCH.repeat(8), "fr", false),
        (declared("fr-ca"), FRENCH.repeat(8), "fr-ca", false),
        (declared("enfr"), ENGLISH.repeat(8), "en", true),
        (declared("enfr"), format!("{}</sec><sec>{}", ENGLISH.repeat(16), FRENCH.repeat(16)), "en,fr", false),
        (declared("en"), format!("{}</sec><sec>{}", ENGLISH.repeat(16), FRENCH.repeat(16)), "en,fr", true),
    ] {
        let extraction = document(&meta, &text);
        let urn = extraction.edition.urn.to_string();
        assert!(urn.ends_with(&format!(":{languages}")), "{urn}, not {languages}");
        assert_eq!(codes(&extraction).contains(&"language-mismatch"), mismatch, "{urn}");
    }
    // A stated URN of the edition that was translated.
    let stated = META.replace(
        "<std-ident>",
        "<doc-ident><urn>urn:iso:std:iso:9999:-1:ed-2:en</urn></doc-ident><std-ident>",
    );
    assert_eq!(document(&stated, &FRENCH.repeat(8)).edition.urn.as_str(), "urn:iso:std:iso:9999:-1:ed-2:fr");
}

#[test]
fn each_section_of_a_bilingual_document_is_read_by_the_rules_of_its_language() {
    let source = format!(
        "<standard><front>{META}</front><body><sec id='e'>{}</sec><sec id='f'>{}</sec></body></standard>",
        ENGLISH.repeat(16),
        FRENCH.repeat(16)
    );
    let edition = read(&source).edition;
    let forms = |section: usize| -> Vec<&str> {
        let provisions = edition.provisions.iter().filter(|p| p.section == section);
        provisions.map(|p| p.verbal_form.as_ref()).collect()
    };
    assert_eq!(forms(0), ["shall"; 16]);
    assert_eq!(forms(1), ["doit"; 16]);
}

#[test]
fn a_text_without_provisions_says_why() {
    let says = |text: &str| {
        let source = format!("<standard><front>{META}</front><body><sec>{text}</sec></body></standard>");
        let extraction = read(&source);
        assert!(extraction.edition.provisions.is_empty(), "{:?}", extraction.edition.provisions);
        codes(&extraction).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let polish =
        "<p>Pokrywa pudełka powinna być zamknięta, a uszczelki należy sprawdzić sprawdzianem.</p>".repeat(8);
    assert_eq!(says(&polish), ["language-mismatch", "no-rules-for-language"]);
    assert_eq!(says("<disp-quote><p>The lid shall be closed.</p></disp-quote>"), ["no-provision"]);
    assert!(says("<p>The lid is closed.</p>").is_empty());
}

#[test]
fn a_given_urn_replaces_metadata_and_language() {
    let options =
        ExtractionOptions { urn: "urn:iso:std:iso:7:ed-1:fr".parse().ok(), ..ExtractionOptions::default() };
    let bare =
        extract(b"<standard><body><sec><p>Texte.</p></sec></body></standard>", &options).expect("is read");
    assert_eq!(bare.edition.metadata.reference, "ISO 7");
    assert_eq!(bare.edition.metadata.language().as_str(), "fr");
    let error = extract(b"<standard><body><sec/></body></standard>", &ExtractionOptions::default())
        .expect_err("no metadata");
    assert_eq!(error.code, "no-identity");
    assert!(error.message.contains("std-meta"), "{error}");
}

#[test]
fn identity_may_stand_in_a_designation_or_in_own_metadata() {
    let designation = "<std-meta><std-designation>IEEE 802.3-2018</std-designation><content-language>en</content-language>\
        <std-ident><originator>IEEE</originator><doc-number>802.3</doc-number></std-ident>\
        <pub-date>2018-08-31</pub-date></std-meta>";
    assert!(urn(designation).starts_with("urn:ieee:std:ieee:802.3:"), "{}", urn(designation));
    let own = "<std-meta><content-language>en</content-language><custom-meta-group><custom-meta>\
        <meta-name>reference</meta-name><meta-value>ISO 712:2009</meta-value></custom-meta></custom-meta-group></std-meta>";
    assert_eq!(urn(own), "urn:iso:std:iso:712:ed-2009:en");
}

#[test]
fn language_is_taken_from_an_unqualified_attribute_when_the_metadata_is_silent() {
    let source = format!(
        "<standard lang='de' dtd-version='1.2'><front>{}</front><body><sec/></body></standard>",
        META.replace("<content-language>en</content-language>", "")
    );
    let extraction = read(&source);
    assert_eq!(extraction.edition.urn.languages()[0].as_str(), "de");
    assert!(codes(&extraction).contains(&"language-worked-out"));
}
