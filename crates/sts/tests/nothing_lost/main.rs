//! Property tests that nothing of a document is lost: generated documents, compared with a second,
//! independent reading of the source.

#[path = "../common/mod.rs"]
mod common;
mod generate;
mod reading;

use norma_model::{AssetSource, DesignationStatus, Edition};
use proptest::prelude::*;
use reading::Reading;

/// The unique words of a text that were inserted, in order: `q`, digits, `z`.
fn words(text: &str) -> Vec<String> {
    let word = |(at, _): (usize, &str)| {
        let digits = text[at + 1..].find(|c: char| !c.is_ascii_digit())?;
        let end = at + 1 + digits;
        (digits > 0 && text[end..].starts_with('z')).then(|| text[at..=end].to_owned())
    };
    text.match_indices('q').filter_map(word).collect()
}

fn sorted(mut words: Vec<String>) -> Vec<String> {
    words.sort();
    words
}

fn hold(source: &str) -> Result<(), TestCaseError> {
    let edition = common::read(source).edition;
    let readable = source.replace("&mdash;", "—");
    let tree = roxmltree::Document::parse_with_options(
        &readable,
        roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() },
    )
    .expect("the generator writes XML");
    let reading = Reading::of(tree.root_element());
    sections(&edition, &reading)?;
    graphics(&edition, &reading)?;
    terms(&edition, &reading)?;
    relations(&edition, &reading)
}

/// Each word in the markup of one section, in order, and in its text once; sections in document order.
fn sections(edition: &Edition, reading: &Reading) -> Result<(), TestCaseError> {
    let mut found = Vec::new();
    for section in &edition.sections {
        let own = roxmltree::Document::parse(&section.xml)
            .map_err(|e| TestCaseError::fail(format!("{e}: {}", section.xml)))?;
        let text: String = own.descendants().filter(|n| n.is_text()).filter_map(|n| n.text()).collect();
        let marked = words(&text);
        prop_assert_eq!(
            sorted(words(&section.text)),
            sorted(marked.clone()),
            "{}\n{}",
            section.xml,
            section.text
        );
        found.push(marked);
    }
    prop_assert_eq!(&found, &reading.sections);
    Ok(())
}

fn graphics(edition: &Edition, reading: &Reading) -> Result<(), TestCaseError> {
    prop_assert_eq!(edition.graphics.len(), reading.hrefs.len());
    let mut hrefs: Vec<String> = Vec::new();
    for graphic in &edition.graphics {
        hrefs.push(match &graphic.source {
            AssetSource::Href(href) => href.clone(),
            AssetSource::Missing => String::new(),
            AssetSource::Embedded { media_type, bytes } => {
                prop_assert_eq!((media_type.as_deref(), bytes.as_slice()), (Some("image/png"), &b"hi"[..]));
                "data:image/png;base64,aGk=".to_owned()
            }
        });
    }
    prop_assert_eq!(&hrefs, &reading.hrefs);
    Ok(())
}

fn terms(edition: &Edition, reading: &Reading) -> Result<(), TestCaseError> {
    let texts = |all: &[norma_model::TermText]| -> Vec<String> {
        all.iter().map(|t| format!("{} {}", t.language, words(&t.text).join(" "))).collect()
    };
    let status = |status| match status {
        DesignationStatus::Preferred => "preferredTerm",
        DesignationStatus::Admitted => "admittedTerm",
        DesignationStatus::Deprecated => "deprecatedTerm",
    };
    let mut found = Vec::new();
    for term in &edition.terms {
        let designations =
            term.designations.iter().map(|d| format!("{} {} {}", d.language, d.text, status(d.status)));
        let definitions =
            term.definitions.iter().map(|d| format!("{} {}", d.language, words(&d.text).join(" ")));
        found.push([
            designations.collect(),
            definitions.collect(),
            texts(&term.notes),
            texts(&term.examples),
            texts(&term.sources),
            texts(&term.domains),
        ]);
    }
    prop_assert_eq!(&found, &reading.terms);
    Ok(())
}

/// Each reference with its URN, derived from its own text.
fn relations(edition: &Edition, reading: &Reading) -> Result<(), TestCaseError> {
    for reference in &reading.references {
        let urn = format!("urn:iso:std:iso:{}", reference.trim_start_matches("ISO "));
        let relation = edition.relations.iter().filter(|r| &r.reference == reference);
        let urns: Vec<_> = relations_urns(relation);
        prop_assert_eq!(urns, [urn]);
    }
    Ok(())
}

fn relations_urns<'e>(relations: impl Iterator<Item = &'e norma_model::Relation>) -> Vec<String> {
    relations.filter_map(|r| r.urn.as_ref().map(ToString::to_string)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, ..ProptestConfig::default() })]

    #[test]
    fn of_generated_documents_nothing_is_lost(source in generate::document()) {
        hold(&source)?;
    }
}
