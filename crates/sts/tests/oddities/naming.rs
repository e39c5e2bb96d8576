//! Oddities of names: the derivation of a document's URN, rule by rule, and the reports about derived parts.

use norma_sts::{Extraction, ExtractionOptions, extract};

use crate::common::{codes, read};

fn source(meta: &str) -> String {
    format!(
        "<standard><front><std-meta><title-wrap><full>T</full></title-wrap>{meta}</std-meta></front><body><sec/></body></standard>"
    )
}

fn with(meta: &str) -> Extraction {
    read(&source(meta))
}

fn refusal(meta: &str) -> (&'static str, String) {
    let error = extract(source(meta).as_bytes(), &ExtractionOptions::default()).expect_err("no name");
    assert!(error.hint.contains("--urn"), "{error:?}");
    (error.code, error.message)
}

const WHOLE: &str = "<std-ident><originator>ISO</originator><doc-type>TS</doc-type><doc-number>9</doc-number><part-number>2</part-number>\
    <edition>3</edition><suppl-type>amd</suppl-type><suppl-number>4</suppl-number></std-ident><content-language>fr</content-language>\
    <std-ref>ISO/TS 9-2:2001/Amd 4:2005</std-ref>";

#[test]
fn what_is_stated_makes_the_name_in_silence() {
    let extraction = with(WHOLE);
    assert_eq!(extraction.edition.urn.as_str(), "urn:iso:std:iso:ts:9:-2:amd:4:ed-3:fr");
    assert!(codes(&extraction).is_empty());
}

#[test]
fn each_missing_part_is_derived_and_reported() {
    for (part, code) in [
        ("<originator>ISO</originator>", "originator-worked-out"),
        ("<doc-number>9</doc-number>", "number-worked-out"),
        ("<part-number>2</part-number>", "part-worked-out"),
        ("<suppl-type>amd</suppl-type>", "supplement-worked-out"),
        ("<suppl-number>4</suppl-number>", "supplement-worked-out"),
        ("<content-language>fr</content-language>", "language-worked-out"),
    ] {
        let extraction = with(&WHOLE.replace(part, ""));
        let language = if code == "language-worked-out" { "en" } else { "fr" };
        assert_eq!(
            extraction.edition.urn.as_str(),
            format!("urn:iso:std:iso:ts:9:-2:amd:4:ed-3:{language}"),
            "without {part}"
        );
        assert_eq!(codes(&extraction), [code], "without {part}");
    }
    let extraction = with(&WHOLE.replace("<edition>3</edition>", ""));
    assert_eq!(extraction.edition.urn.as_str(), "urn:iso:std:iso:ts:9:-2:amd:4:ed-2005:fr");
    assert_eq!(codes(&extraction), ["edition-worked-out"]);
}

#[test]
fn an_edition_that_is_not_stated_falls_back_to_dates_in_their_order() {
    let ident = "<std-ident><originator>ISO</originator><doc-number>9</doc-number></std-ident><content-language>en</content-language>";
    let mut dates = vec![
        ("<std-ref>ISO 9:2001</std-ref>", "2001"),
        ("<release-date>2002-02</release-date>", "2002-02"),
        ("<pub-date>2003-03-03</pub-date>", "2003-03-03"),
        (
            "<approval><approval-date><day>4</day><month>April</month><year>2004</year></approval-date></approval>",
            "2004-04-04",
        ),
        ("<meta-date type='withdrawal'>1999</meta-date><meta-date type='created'>2005</meta-date>", "2005"),
        ("<permissions><copyright-year>2006</copyright-year></permissions>", "2006"),
    ];
    while let Some((_, date)) = dates.first() {
        let all: String = dates.iter().map(|(element, _)| *element).collect();
        let extraction = with(&format!("{ident}{all}"));
        assert_eq!(extraction.edition.urn.as_str(), format!("urn:iso:std:iso:9:ed-{date}:en"), "{all}");
        assert!(codes(&extraction).contains(&"edition-worked-out"));
        dates.remove(0);
    }
    let (code, message) = refusal(ident);
    assert!(
        code == "no-identity" && message.contains("std-ident/edition") && message.contains("date"),
        "{message}"
    );
}

#[test]
fn a_refusal_names_the_missing_element() {
    for (meta, code, element) in [
        (
            "<std-ident><doc-number>9</doc-number><edition>1</edition></std-ident>",
            "no-identity",
            "std-ident/originator",
        ),
        (
            "<std-ident><originator>ISO</originator><edition>1</edition></std-ident>",
            "no-identity",
            "std-ident/doc-number",
        ),
        (
            "<std-ident><originator>ISO</originator><doc-number>9</doc-number></std-ident>",
            "no-identity",
            "std-ident/edition",
        ),
        (
            "<std-ident><originator>???</originator><doc-number>(9)</doc-number><edition>1</edition></std-ident>",
            "no-identity",
            "publisher",
        ),
        (
            "<std-ident><originator>ISO</originator><doc-number>draft</doc-number><edition>5</edition></std-ident>",
            "invalid-identity",
            "number",
        ),
    ] {
        let (found, message) = refusal(meta);
        assert!(found == code && message.contains(element), "{meta}: {found} {message}");
    }
}

#[test]
fn a_stated_urn_holds_and_a_difference_is_said() {
    let stated = |urn: &str| {
        WHOLE.replace("<std-ident>", &format!("<doc-ident><urn>{urn}</urn></doc-ident><std-ident>"))
    };
    let same = with(&stated("urn:iso:std:iso:ts:9:-2:amd:4:ed-3:fr"));
    assert!(codes(&same).is_empty());
    let other = with(&stated("urn:iso:std:iso:ts:8:ed-1:fr"));
    assert_eq!((other.edition.urn.number(), codes(&other)), ("8", vec!["stated-urn-differs"]));
    let aliased = with(&stated("iso:std:iso:ts:9:-2:ed-3:v1:fr"));
    assert_eq!(aliased.edition.urn.as_str(), "urn:iso:std:iso:ts:9:-2:amd:4:ed-3:fr");
    assert!(aliased.edition.metadata.identifiers.contains(&"iso:std:iso:ts:9:-2:ed-3:v1:fr".to_owned()));
}

#[test]
fn a_given_name_holds_against_all_that_is_stated() {
    let options =
        ExtractionOptions { urn: "urn:nsb:std:nsb:1:ed-1:de".parse().ok(), ..ExtractionOptions::default() };
    let named = extract(source(WHOLE).as_bytes(), &options).expect("is read");
    assert_eq!(named.edition.urn.as_str(), "urn:nsb:std:nsb:1:ed-1:de");
    assert_eq!(
        named.edition.metadata.reference, "ISO/TS 9-2:2001/Amd 4:2005",
        "what the source says stays known"
    );
}
