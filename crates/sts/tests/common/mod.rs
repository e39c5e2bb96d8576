//! Small documents for tests.

// Each test file uses its own part of it.
#![allow(dead_code, unreachable_pub)]

pub mod templates;

use norma_sts::{Extraction, ExtractionOptions, extract};

/// Complete metadata.
pub const META: &str = "<std-meta><title-wrap xml:lang='en'><full>Boxes</full></title-wrap>\
    <std-ident><originator>ISO</originator><doc-type>IS</doc-type><doc-number>9999</doc-number>\
    <part-number>1</part-number><edition>2</edition></std-ident><content-language>en</content-language>\
    <std-ref type='dated'>ISO 9999-1:2020</std-ref></std-meta>";

/// A document with a body.
pub fn document(body: &str) -> String {
    format!(
        "<standard xmlns:mml='http://www.w3.org/1998/Math/MathML' xmlns:xlink='http://www.w3.org/1999/xlink' \
         xmlns:tbx='urn:iso:std:iso:30042:ed-1'><front>{META}</front><body>{body}</body></standard>"
    )
}

/// Reads a source that has to be read.
pub fn read(source: &str) -> Extraction {
    extract(source.as_bytes(), &ExtractionOptions::default())
        .unwrap_or_else(|e| panic!("{e} ({})\n{source}", e.hint))
}

/// The texts of the sections of a body.
pub fn texts(body: &str) -> Vec<String> {
    read(&document(body)).edition.sections.iter().map(|s| s.text.clone()).collect()
}

/// The text of the only section of a clause with this content.
pub fn text(content: &str) -> String {
    texts(&format!("<sec id='s'>{content}</sec>")).remove(0)
}

/// The codes of the diagnostics.
pub fn codes(extraction: &Extraction) -> Vec<&'static str> {
    extraction.diagnostics.iter().map(|d| d.code).collect()
}
