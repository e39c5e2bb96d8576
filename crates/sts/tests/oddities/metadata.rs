//! Oddities of metadata: values that are empty, swapped, joined, in the wrong element or missing.

use norma_model::{StandardType, Status};
use norma_sts::{Extraction, ExtractionOptions, extract};

use crate::common::{META, codes, read};

fn with(meta: &str) -> Extraction {
    read(&format!("<standard><front>{meta}</front><body><sec><p>Text.</p></sec></body></standard>"))
}

fn meta(reference: &str, rest: &str) -> String {
    format!(
        "<std-meta><title-wrap><full>T</full></title-wrap>{rest}<std-ref>{reference}</std-ref></std-meta>"
    )
}

#[test]
fn elements_that_are_there_and_empty_say_nothing() {
    let empty = "<iso-meta><title-wrap xml:lang='en'><intro/><main>Boxes</main><full/></title-wrap><doc-ident><sdo/><proj-id/>\
        <language/><release-version/><urn/></doc-ident><std-ident><originator/><doc-type/><doc-number/><part-number/>\
        <edition/><version/><suppl-type/><suppl-number/></std-ident><content-language/><std-ref type='dated'>ISO 9:2001</std-ref>\
        <std-ref type='undated'/><doc-ref/><pub-date/><release-date/><meta-date type='x'/><comm-ref/><secretariat/><ics/>\
        <permissions><copyright-statement/><copyright-year/><copyright-holder/></permissions></iso-meta>";
    let extraction = with(empty);
    assert_eq!(extraction.edition.urn.as_str(), "urn:iso:std:iso:9:ed-2001:en");
    let metadata = &extraction.edition.metadata;
    assert_eq!((&metadata.committee, &metadata.secretariat, &metadata.copyright), (&None, &None, &None));
    assert!(metadata.dates.is_empty() && extraction.edition.ics.is_empty());
    assert_eq!(
        codes(&extraction),
        ["originator-worked-out", "number-worked-out", "edition-worked-out", "language-worked-out"]
    );
}

#[test]
fn types_are_written_in_many_ways() {
    for (written, kind, urn) in [
        ("IS", StandardType::Is, "urn:iso:std:iso:9999:-1:ed-2:en"),
        ("st", StandardType::Is, "urn:iso:std:iso:9999:-1:ed-2:en"),
        ("standard", StandardType::Is, "urn:iso:std:iso:9999:-1:ed-2:en"),
        ("TS", StandardType::Ts, "urn:iso:std:iso:ts:9999:-1:ed-2:en"),
        ("technical-report", StandardType::Tr, "urn:iso:std:iso:tr:9999:-1:ed-2:en"),
        ("Guide", StandardType::Guide, "urn:iso:std:iso:guide:9999:-1:ed-2:en"),
        ("amendment", StandardType::Amendment, "urn:iso:std:iso:9999:-1:ed-2:en"),
        ("white paper", StandardType::Other, "urn:iso:std:iso:9999:-1:ed-2:en"),
    ] {
        let edition = with(&META.replace(">IS<", &format!(">{written}<"))).edition;
        assert_eq!((edition.metadata.standard_type, edition.urn.as_str()), (kind, urn), "{written}");
        assert_eq!(edition.metadata.type_label.as_deref(), Some(written));
    }
}

#[test]
fn bodies_are_repeated_joined_or_given_by_attribute() {
    for (element, urn) in [
        ("<originator>ISO/ISO/ISO</originator>", "urn:iso:std:iso:9999:-1:ed-2:en"),
        ("<originator>IEC/IEC</originator>", "urn:iec:std:iec:9999:-1:ed-2:en"),
        ("<originator>ISO/IEC</originator>", "urn:iso:std:iso-iec:9999:-1:ed-2:en"),
        ("<originator>iso-astm</originator>", "urn:iso:std:iso-astm:9999:-1:ed-2:en"),
    ] {
        let meta =
            META.replace("<originator>ISO</originator>", element).replace("ISO 9999-1:2020", "9999-1:2020");
        assert_eq!(with(&meta).edition.urn.as_str(), urn, "{element}");
    }
}

#[test]
fn swapped_types_of_the_reference_are_no_matter() {
    let swapped =
        "<std-ref type='undated'>ISO 9999-1:2020</std-ref><std-ref type='dated'>ISO 9999-1</std-ref>";
    let meta = META.replace("<std-ref type='dated'>ISO 9999-1:2020</std-ref>", swapped);
    assert_eq!(with(&meta).edition.metadata.reference, "ISO 9999-1:2020");
}

#[test]
fn a_reference_with_an_empty_language_is_read() {
    let edition =
        with(&meta("", "<doc-ref>ISO/CD 17301-1:2016()</doc-ref><content-language>zh</content-language>"))
            .edition;
    assert_eq!(edition.urn.as_str(), "urn:iso:std:iso:17301:-1:draft:ed-2016:zh");
    assert_eq!(edition.status, Status::Draft);
}

#[test]
fn titles_are_found_in_any_language_in_any_element_and_without_their_footnotes() {
    let two = "<title-wrap xml:lang='de'><main>Kisten</main></title-wrap><title-wrap xml:lang='en'><intro>Packing</intro>\
        <main>Boxes</main><compl>Part 1: Lids</compl></title-wrap>";
    let one = "<title-wrap xml:lang='en'><full>Boxes</full></title-wrap>";
    let metadata = with(&META.replace(one, two)).edition.metadata.clone();
    let of = |tag: &str| metadata.titles.get(&tag.parse().expect("a language")).map(|t| t.full.as_str());
    assert_eq!((of("de"), of("en")), (Some("Kisten"), Some("Packing — Boxes — Part 1: Lids")));

    let full = "<title-wrap xml:lang='en'><main/><full>Boxes of <std>ISO 1</std><fn><label>1</label><p>Note</p></fn>\
        <xref ref-type='fn' rid='f'>1)</xref></full></title-wrap>";
    let title = &with(&META.replace(one, full)).edition.metadata.titles[&"en".parse().expect("a language")];
    assert_eq!((title.full.as_str(), title.main.as_deref()), ("Boxes of ISO 1", None));
}

#[test]
fn text_directly_in_a_national_block_is_no_content() {
    let meta = META
        .replace("<std-meta>", "<nat-meta originator='NEN'>Loose words")
        .replace("</std-meta>", "</nat-meta>");
    let edition = with(&meta).edition;
    assert_eq!(edition.urn.publisher(), "nen");
    assert_eq!(edition.sections.len(), 1);
}

#[test]
fn no_metadata_element_at_all_asks_for_a_name() {
    let source = "<standard><body><sec><p>Text.</p></sec></body></standard>";
    let error = extract(source.as_bytes(), &ExtractionOptions::default()).expect_err("no name");
    assert_eq!((error.code, error.line, error.column), ("no-identity", 1, 1));
    assert!(error.message.contains("std-meta") && error.hint.contains("--urn"), "{error:?}");
    let named =
        ExtractionOptions { urn: "urn:iso:std:iso:7:ed-1:fr".parse().ok(), ..ExtractionOptions::default() };
    assert_eq!(extract(source.as_bytes(), &named).expect("named").edition.metadata.reference, "ISO 7");
}

#[test]
fn own_metadata_may_be_all_there_is() {
    let own = "<std-meta><custom-meta-group><custom-meta><meta-name>identifier</meta-name><meta-value>ISO/TS 9:2011</meta-value>\
        </custom-meta><custom-meta><meta-name>stage</meta-name><meta-value>95</meta-value></custom-meta><custom-meta>\
        <meta-name>substage</meta-name><meta-value>99</meta-value></custom-meta></custom-meta-group></std-meta>";
    let edition = with(own).edition;
    assert_eq!(edition.urn.as_str(), "urn:iso:std:iso:ts:9:ed-2011:en");
    assert_eq!(edition.status, Status::Withdrawn);
}

#[test]
fn languages_are_one_list_many_elements_or_run_together() {
    for (elements, languages) in [
        ("<content-language>en</content-language><content-language>fr</content-language>", "en,fr"),
        ("<content-language>en,fr</content-language>", "en,fr"),
        ("<content-language>enfr</content-language>", "en,fr"),
        ("<doc-ident><language>fr</language></doc-ident>", "fr"),
        ("<content-language>E</content-language>", "en"),
    ] {
        let urn =
            with(&META.replace("<content-language>en</content-language>", elements)).edition.urn.to_string();
        assert_eq!(urn, format!("urn:iso:std:iso:9999:-1:ed-2:{languages}"), "{elements}");
    }
}

#[test]
fn the_metadata_of_the_whole_standard_is_read_alone_and_completes_that_of_one_document() {
    let whole = "<std-doc-meta><title-wrap xml:lang='en'><main>Boxes</main></title-wrap><std-ident><originator>ISO</originator>\
        <doc-number>9999</doc-number><edition>2</edition></std-ident><content-language>en</content-language>\
        <std-ref>ISO 9999:2020</std-ref><pub-date>2020-05</pub-date><ics>55.020</ics></std-doc-meta>";
    let alone = with(whole).edition;
    assert_eq!(alone.urn.as_str(), "urn:iso:std:iso:9999:ed-2:en");
    // The committee is in the other block, whose own date goes before.
    let other = "<std-meta><comm-ref>ISO/TC 9</comm-ref><pub-date>2020-06-01</pub-date></std-meta>";
    for both in [format!("{whole}{other}"), format!("{other}{whole}")] {
        let edition = with(&both).edition;
        assert_eq!(edition.urn, alone.urn);
        assert_eq!(edition.metadata.titles, alone.metadata.titles);
        assert_eq!(edition.metadata.committee.as_deref(), Some("ISO/TC 9"));
        assert_eq!(edition.metadata.dates["published"].as_str(), "2020-06-01");
        assert_eq!(edition.ics.iter().map(|ics| ics.code.as_str()).collect::<Vec<_>>(), ["55.020"]);
        assert!(
            edition.metadata.adoption_of.is_empty(),
            "a block that completes another one is no adopted document"
        );
    }
    // The statement of a document about itself is more specific.
    let own = whole.replace("std-doc-meta", "std-meta").replace("Boxes", "Crates").replace(">2<", ">3<");
    let edition = with(&format!("{whole}{own}")).edition;
    assert_eq!(edition.urn.as_str(), "urn:iso:std:iso:9999:ed-3:en");
    assert_eq!(edition.metadata.title().unwrap().full, "Crates");
}

#[test]
fn languages_have_codes_of_two_letters_where_there_is_one() {
    for (stated, language) in [
        ("eng", "en"),
        ("fre", "fr"),
        ("fra", "fr"),
        ("ger", "de"),
        ("DEU", "de"),
        ("jpn", "ja"),
        ("grc", "grc"),
    ] {
        let meta = META
            .replace(">en<", &format!(">{stated}<"))
            .replace("xml:lang='en'", &format!("xml:lang='{stated}'"));
        let edition = with(&meta).edition;
        assert_eq!(edition.urn.as_str(), format!("urn:iso:std:iso:9999:-1:ed-2:{language}"), "{stated}");
        assert_eq!(edition.metadata.titles.keys().map(|key| key.as_str()).collect::<Vec<_>>(), [language]);
    }
    let meta = META.replace(">en<", ">fra<");
    let source = format!(
        "<standard><front>{meta}</front><body><sec><label>4</label><p>Le sac doit rester sec.</p></sec></body></standard>"
    );
    assert_eq!(read(&source).edition.provisions.len(), 1, "French rules find it");
}

#[test]
fn classes_and_languages_are_read_as_codes_whatever_words_are_around_them() {
    let read = with(&meta(
        "ISO 9:2001",
        "<std-ident><originator>ISO</originator><doc-number>9</doc-number><edition>1</edition></std-ident>\
         <content-language>iw</content-language><ics>ICS 13.110</ics><ics>13 040 20</ics><ics>Safety of machines</ics>",
    ));
    assert_eq!(read.edition.urn.as_str(), "urn:iso:std:iso:9:ed-1:he");
    let codes_of: Vec<&str> = read.edition.ics.iter().map(|ics| ics.code.as_str()).collect();
    assert_eq!(codes_of, ["13.110", "13.040.20"]);
    assert!(codes(&read).contains(&"invalid-ics"));
}

#[test]
fn a_part_in_another_file_is_reported_as_missing() {
    let include = "<xi:include xmlns:xi='http://www.w3.org/2001/XInclude' href='clause5.xml'/>";
    for body in [format!("<sec><p>Text.</p></sec>{include}"), format!("<sec><p>Text.</p>{include}</sec>")] {
        let read = read(&format!("<standard><front>{META}</front><body>{body}</body></standard>"));
        let said: Vec<_> = read.diagnostics.iter().filter(|d| d.code == "include-not-resolved").collect();
        assert_eq!((said.len(), read.edition.sections.len()), (1, 1), "{body}");
        assert!(said[0].message.contains("clause5.xml"));
    }
}
