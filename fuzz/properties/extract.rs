//! Any bytes are a document or a refusal with a place; what a document gives agrees with its own markup.

use norma_sts::{ExtractionLimits, ExtractionOptions, extract};

/// Holds for any bytes.
pub(crate) fn holds(source: &[u8]) {
    let limits = ExtractionLimits { nodes: 100_000, expansion_bytes: 1 << 20, ..ExtractionLimits::default() };
    let named = ExtractionOptions {
        urn: "urn:iso:std:iso:1:ed-1:en".parse().ok(),
        limits,
        ..ExtractionOptions::default()
    };
    let unnamed = ExtractionOptions { urn: None, ..named.clone() };
    for options in [unnamed, named] {
        match extract(source, &options) {
            Ok(extraction) => {
                for section in &extraction.edition.sections {
                    let parsed = roxmltree::Document::parse(&section.xml);
                    assert!(parsed.is_ok(), "{:?} in {}", parsed.err(), section.xml);
                    assert_eq!(section.text.trim_end(), section.text);
                }
                assert!(extraction.diagnostics.iter().all(|d| d.line > 0 && d.column > 0));
            }
            Err(error) => {
                assert!(error.line > 0 && error.column > 0 && !error.hint.is_empty(), "{error}");
                assert_ne!(error.code, "inconsistent", "{error}");
            }
        }
    }
}
