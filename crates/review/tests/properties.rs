//! Properties of any document: it is read or refused, and its citations and findings are at positions in it.

#![allow(clippy::unwrap_used, clippy::panic, reason = "this is test code")]

use jiff::civil::date;
use norma_model::printed::{PrintedCitation, citations_in};
use norma_review::{DocumentFormat, FindingPosition, Review, ReviewBaseline, ReviewDocument, read_document};
use proptest::prelude::*;

/// Pieces of which texts are made: what citations, quotations and formats consist of.
const PIECES: [&str; 44] = [
    "NSB 4210:2025",
    "ISO",
    " 9001",
    ":2015",
    "EN ISO 13849-1",
    "urn:nsb:std:nsb:4210",
    ", 4.2",
    "(1)",
    "Clause 4.2",
    "Annex A",
    "Table 1",
    " and ",
    " to ",
    " of ",
    "§",
    "5 kN",
    "“",
    "”",
    "„",
    "«",
    "»",
    "\"",
    "‹",
    "›",
    "…",
    " says: ",
    "The lid shall be shut. ",
    "> ",
    "\n",
    "\n\n",
    "```\n",
    "----\n",
    "____\n",
    "    ",
    "<p>",
    "<blockquote>",
    "</td><td>",
    "<tr>",
    "<!--",
    "&amp;",
    "| a |",
    "\u{ad}",
    "\u{202e}",
    "\u{a0}",
];

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(
        prop_oneof![
            4 => prop::sample::select(&PIECES[..]).prop_map(str::to_owned),
            1 => "\\PC{0,6}",
        ],
        0..60,
    )
    .prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn citations_are_in_order_and_read_as_they_are_found(text in text()) {
        let mut end = 0;
        for found in citations_in(&text) {
            prop_assert!(found.range.start >= end && found.range.start < found.range.end);
            prop_assert!(text.get(found.range.clone()).is_some());
            prop_assert_eq!(PrintedCitation::read(&found.text).unwrap(), found.citation);
            end = found.range.end;
        }
    }

    #[test]
    fn any_text_is_reviewed_without_a_service(text in text()) {
        let lines = text.lines().count().max(1) as u32 + 1;
        for format in [DocumentFormat::Text, DocumentFormat::Markdown, DocumentFormat::Html] {
            let blocks = read_document(format, text.as_bytes());
            let day = date(2026, 11, 29);
            let mut review = Review::new(vec![ReviewDocument { name: "a".to_owned(), blocks }], day, day);
            for request in review.citation_requests() {
                prop_assert!(request.citations.len() <= 100);
                prop_assert!(request.citations.iter().all(|citation| citation.chars().count() <= 500));
            }
            review.fail("away");
            let report = review.report(&ReviewBaseline::default());
            for finding in &report.findings {
                let FindingPosition::Line { line } = finding.position else { panic!("{finding:?}") };
                prop_assert!(line >= 1 && line <= lines, "{finding:?}");
            }
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused_as_docx(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = read_document(DocumentFormat::Docx, &bytes);
    }
}
