//! Documents that are damaged, hostile or unusual.

#![allow(clippy::unwrap_used, reason = "this is test code")]

use std::io::{Cursor, Write};
use std::path::Path;

use jiff::civil::date;
use norma_review::{
    DocumentError, DocumentFormat, DocumentPart, DocumentPosition, MAX_DOCUMENT_BYTES, Review,
    ReviewDocument, read_document,
};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const NAMESPACE: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

/// An archive with these files.
fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        archive.start_file(*name, SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

fn document_xml(body: &str) -> Vec<u8> {
    format!("<w:document xmlns:w=\"{NAMESPACE}\"><w:body>{body}</w:body></w:document>").into_bytes()
}

fn docx(body: &str) -> Vec<u8> {
    archive(&[("word/document.xml", &document_xml(body))])
}

fn read_docx(bytes: &[u8]) -> Result<Vec<String>, DocumentError> {
    let blocks = read_document(DocumentFormat::Docx, bytes)?;
    Ok(blocks.into_iter().map(|block| block.text.trim().to_owned()).collect())
}

/// The citations that a review of a text asks a service for.
fn asked(format: DocumentFormat, text: &str) -> Vec<String> {
    let blocks = read_document(format, text.as_bytes());
    let day = date(2026, 11, 29);
    let review = Review::new(vec![ReviewDocument { name: "a".to_owned(), blocks }], day, day);
    review.citation_requests().into_iter().flat_map(|request| request.citations).collect()
}

#[test]
fn paragraphs_rows_notes_and_tracked_changes_of_docx_are_read() {
    let body = "<w:p><w:r><w:t>NSB 4210</w:t><w:noBreakHyphen/><w:t>1 &amp; more</w:t></w:r></w:p>\
         <w:p><w:del><w:r><w:delText>old</w:delText></w:r></w:del><w:ins><w:r><w:t>new</w:t></w:r></w:ins></w:p>\
         <w:p><w:pPr><w:pStyle w:val=\"Quote\"/></w:pPr><w:r><w:t>quoted</w:t></w:r></w:p>\
         <w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>b</w:t></w:r></w:p>\
         </w:tc></w:tr></w:tbl>";
    let notes = format!(
        "<w:footnotes xmlns:w=\"{NAMESPACE}\"><w:footnote><w:p><w:r><w:t>note</w:t></w:r></w:p></w:footnote></w:footnotes>"
    );
    let bytes =
        archive(&[("word/document.xml", &document_xml(body)), ("word/footnotes.xml", notes.as_bytes())]);
    let blocks = read_document(DocumentFormat::Docx, &bytes).unwrap();
    let read: Vec<(&str, Option<u32>, DocumentPosition)> =
        blocks.iter().map(|block| (block.text.trim(), block.quote, block.position(0))).collect();
    let body = |number| DocumentPosition::Paragraph(DocumentPart::Body, number);
    let expected = [
        ("NSB 4210\u{2011}1 & more", None, body(1)),
        ("new", None, body(2)),
        ("quoted", Some(1), body(3)),
        ("a | b", None, body(4)),
        ("note", None, DocumentPosition::Paragraph(DocumentPart::Footnotes, 1)),
    ];
    assert_eq!(read, expected);
}

#[test]
fn a_damaged_docx_is_refused_with_what_is_wrong() {
    let whole = docx("<w:p><w:r><w:t>text</w:t></w:r></w:p>");
    for (bytes, reason) in [
        (b"no archive".to_vec(), "DOCX"),
        (whole[..whole.len() / 2].to_vec(), "DOCX"),
        (archive(&[("word/other.xml", b"")]), "`word/document.xml`"),
        (archive(&[("word/document.xml", b"<a><b></a>")]), "DOCX"),
        (archive(&[("word/document.xml", b"<w:document><w:p>")]), "within an element"),
        (archive(&[("word/document.xml", b"<!DOCTYPE a><a/>")]), "document type"),
    ] {
        let error = read_docx(&bytes).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
    let mut changed = whole.clone();
    let at = changed.len() / 3;
    changed[at] ^= 0x55;
    assert!(read_docx(&changed).is_err());
}

#[test]
fn an_archive_that_becomes_many_times_larger_is_refused() {
    let bomb = docx(&format!("<w:p><w:r><w:t>{}</w:t></w:r></w:p>", "a".repeat(64 * 1024 * 1024)));
    assert!(bomb.len() < 1024 * 1024, "{}", bomb.len());
    assert!(matches!(read_docx(&bomb), Err(DocumentError::DocxLimit(_))));
    let many: Vec<(String, &[u8])> = (0..10_001).map(|number| (number.to_string(), &b""[..])).collect();
    let many: Vec<(&str, &[u8])> = many.iter().map(|(name, bytes)| (name.as_str(), *bytes)).collect();
    assert!(matches!(read_docx(&archive(&many)), Err(DocumentError::DocxLimit(_))));
}

#[test]
fn entities_of_a_docx_are_not_expanded() {
    let body = "<w:p><w:r><w:t>a&amp;b&#x2013;c&unknown;d</w:t></w:r></w:p>";
    assert_eq!(read_docx(&docx(body)).unwrap(), ["a&b–cd"]);
}

#[test]
fn other_formats_and_too_large_files_are_refused_and_encodings_are_read() {
    assert_eq!(DocumentFormat::of_name(Path::new("README")), Ok(DocumentFormat::Text));
    assert_eq!(DocumentFormat::of_name(Path::new("a.MD")), Ok(DocumentFormat::Markdown));
    assert!(DocumentFormat::of_name(Path::new("a.pdf")).is_err());
    let large = vec![b'a'; MAX_DOCUMENT_BYTES as usize + 1];
    assert!(matches!(read_document(DocumentFormat::Text, &large), Err(DocumentError::TooLarge(_))));
    assert!(matches!(read_document(DocumentFormat::Text, b"a\0b"), Err(DocumentError::NotText(1))));
    for bytes in [&b"\xef\xbb\xbfd\xc3\xa9"[..], b"\xff\xfed\0\xe9\0", b"d\xe9"] {
        let blocks = read_document(DocumentFormat::Text, bytes).unwrap();
        assert_eq!(blocks[0].text.trim(), "dé");
    }
}

#[test]
fn a_citation_of_ten_thousand_characters_is_one_of_its_document() {
    let locations: Vec<String> = (1..2_000).map(|number| format!("4.{}", number % 900)).collect();
    let text = format!("As NSB 4210:2025, {} say.", locations.join(", "));
    let citations = asked(DocumentFormat::Text, &text);
    assert!(citations.iter().all(|citation| citation.chars().count() <= 500), "{citations:?}");
    assert!(citations.iter().any(|citation| citation.starts_with("NSB 4210:2025")), "{citations:?}");
    let letters = format!("{} 1", "A".repeat(10_000));
    assert!(asked(DocumentFormat::Text, &letters).len() <= 1);
}

#[test]
fn citations_in_text_from_right_to_left_are_found() {
    let text = "המוצר עומד בדרישות \u{200f}NSB 4210:2025, 4.2\u{200f} במלואן. المنتج مطابق لـ NSB 4201:2024.";
    assert_eq!(asked(DocumentFormat::Markdown, text), ["NSB 4201:2024", "NSB 4210:2025, 4.2"]);
}

#[test]
fn citations_in_code_are_not_asked_for_and_those_in_front_of_it_are() {
    let text = "See `NSB 4210:2025`:\n\n```\nISO 9001:2015\n```\n\n<pre>ISO 9002</pre>\n\n<p>NSB 4201</p>\n";
    assert_eq!(asked(DocumentFormat::Markdown, text), ["NSB 4201", "NSB 4210:2025"]);
}

#[test]
fn a_document_of_many_citations_and_marks_is_read_in_time_that_grows_with_its_length() {
    let unit = "NSB 4210:2025 says “a b c d” in Clause 4.2 and Table 1, « x y z » ";
    let text = unit.repeat(1024 * 1024 / unit.len());
    let begun = std::time::Instant::now();
    let citations = asked(DocumentFormat::Text, &text);
    assert_eq!(citations, ["NSB 4210:2025"]);
    assert!(begun.elapsed() < std::time::Duration::from_secs(60), "{:?}", begun.elapsed());
}
