//! Documents of items in the formats that are read, with the positions of their items.

use std::io::{Cursor, Write};
use std::ops::RangeInclusive;

use norma_review::DocumentFormat;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::items::{Item, Paragraph};

/// Longest line of texts, in characters.
const WIDTH: usize = 76;

/// A document with the lines or paragraphs of each item.
pub(crate) struct GeneratedDocument {
    pub(crate) name: String,
    pub(crate) format: DocumentFormat,
    pub(crate) bytes: Vec<u8>,
    pub(crate) positions: Vec<RangeInclusive<u32>>,
}

/// The extensions of the documents, in turns.
pub(crate) const EXTENSIONS: [&str; 6] = ["md", "docx", "html", "txt", "rst", "adoc"];

pub(crate) fn document(name: &str, items: &[Item]) -> GeneratedDocument {
    let format = DocumentFormat::of_name(name.as_ref()).unwrap();
    let extension = name.rsplit('.').next().unwrap();
    let (bytes, positions) = match extension {
        "docx" => docx(items),
        "html" => lines(items, "<!doctype html>\n<title>Report</title>\n", html),
        "md" => lines(items, "# Report\n\n", markdown),
        "adoc" => lines(items, "= Report\n\n", asciidoc),
        _ => lines(items, "Report\n======\n\n", plain),
    };
    GeneratedDocument { name: name.to_owned(), format, bytes, positions }
}

fn lines(items: &[Item], head: &str, write: fn(&Paragraph) -> String) -> (Vec<u8>, Vec<RangeInclusive<u32>>) {
    let mut text = head.to_owned();
    let mut positions = Vec::new();
    for item in items {
        let first = text.matches('\n').count() as u32 + 1;
        text += &write(&item.paragraph);
        let last = text.matches('\n').count() as u32;
        text += "\n";
        positions.push(first..=last);
    }
    (text.into_bytes(), positions)
}

/// A text in lines.
fn wrapped(text: &str, indent: &str) -> String {
    let mut wrapped = String::new();
    let mut line = String::new();
    for word in text.split(' ') {
        if !line.is_empty() && line.chars().count() + word.chars().count() > WIDTH {
            wrapped += &format!("{indent}{line}\n");
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line += word;
    }
    wrapped + &format!("{indent}{line}\n")
}

fn without_bold(text: &str) -> String {
    text.replace(['\u{1}', '\u{2}'], "")
}

fn markdown(paragraph: &Paragraph) -> String {
    let bold = |text: &str| text.replace(['\u{1}', '\u{2}'], "**");
    match paragraph {
        Paragraph::Text(text) => wrapped(&bold(text), ""),
        Paragraph::Quote { intro, text, attribution } => {
            let mut written = wrapped(&bold(intro), "") + "\n" + &wrapped(text, "> ");
            if !attribution.is_empty() {
                written += &format!(">\n{}", wrapped(&bold(attribution), "> "));
            }
            written
        }
        Paragraph::Row(cells) => {
            let cells: Vec<String> = cells.iter().map(|cell| bold(cell)).collect();
            let head = "| a ".repeat(cells.len()) + "|\n" + &"|---".repeat(cells.len()) + "|\n";
            format!("{head}| {} |\n", cells.join(" | "))
        }
    }
}

fn plain(paragraph: &Paragraph) -> String {
    match paragraph {
        Paragraph::Text(text) => wrapped(&without_bold(text), ""),
        Paragraph::Quote { intro, text, attribution } => {
            let mut written = wrapped(&with_colon(&without_bold(intro)), "") + "\n" + &wrapped(text, "    ");
            if !attribution.is_empty() {
                let attribution = without_bold(attribution).replace('—', "--");
                written += &format!("\n{}", wrapped(&attribution, "    "));
            }
            written
        }
        Paragraph::Row(cells) => wrapped(&without_bold(&cells.join(" | ")), ""),
    }
}

/// Only a colon introduces lines that are indented.
fn with_colon(intro: &str) -> String {
    format!("{}:", intro.trim_end_matches([':', '.', ' ']))
}

fn asciidoc(paragraph: &Paragraph) -> String {
    match paragraph {
        Paragraph::Quote { intro, text, attribution } => {
            let mut written = wrapped(&without_bold(intro), "") + "\n____\n" + &wrapped(text, "");
            if !attribution.is_empty() {
                written += &format!("\n{}", wrapped(&without_bold(attribution), ""));
            }
            written + "____\n"
        }
        other => plain(other),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn html(paragraph: &Paragraph) -> String {
    let inline =
        |text: &str| escaped(text).replace('\u{1}', "<b>").replace('\u{2}', "</b>").replace('—', "&mdash;");
    match paragraph {
        Paragraph::Text(text) => format!("<p>{}</p>\n", wrapped(&inline(text), "").trim_end()),
        Paragraph::Quote { intro, text, attribution } => {
            let mut written = format!(
                "<p>{}</p>\n<blockquote>\n<p>{}</p>\n",
                inline(intro),
                wrapped(&inline(text), "").trim_end()
            );
            if !attribution.is_empty() {
                written += &format!("<p>{}</p>\n", inline(attribution));
            }
            written + "</blockquote>\n"
        }
        Paragraph::Row(cells) => {
            let cells: String = cells.iter().map(|cell| format!("<td>{}</td>\n", inline(cell))).collect();
            format!("<table>\n<tr>{cells}</tr>\n</table>\n")
        }
    }
}

fn docx(items: &[Item]) -> (Vec<u8>, Vec<RangeInclusive<u32>>) {
    let mut body = String::new();
    let mut positions = Vec::new();
    for item in items {
        let first = body.matches("<w:p>").count() as u32 + 1;
        match &item.paragraph {
            Paragraph::Text(text) => body += &word_paragraph(text, ""),
            Paragraph::Quote { intro, text, attribution } => {
                body += &word_paragraph(intro, "");
                body += &word_paragraph(text, "Quote");
                if !attribution.is_empty() {
                    body += &word_paragraph(attribution, "Quote");
                }
            }
            Paragraph::Row(cells) => {
                let cells: String =
                    cells.iter().map(|cell| format!("<w:tc>{}</w:tc>", word_paragraph(cell, ""))).collect();
                body += &format!("<w:tbl><w:tr>{cells}</w:tr></w:tbl>");
            }
        }
        positions.push(first..=body.matches("<w:p>").count() as u32);
    }
    (word_document(&body), positions)
}

/// A paragraph whose words are cut into runs, as word processors do.
fn word_paragraph(text: &str, style: &str) -> String {
    let mut runs = String::new();
    for piece in text.split_inclusive(['\u{1}', '\u{2}', ',']) {
        let piece = escaped(&without_bold(piece));
        runs += &format!("<w:r><w:t xml:space=\"preserve\">{piece}</w:t></w:r>");
    }
    let properties = match style {
        "" => String::new(),
        style => format!("<w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr>"),
    };
    format!("<w:p>{properties}{runs}</w:p>")
}

/// An archive with this body.
pub(crate) fn word_document(body: &str) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    archive.start_file("word/document.xml", SimpleFileOptions::default()).unwrap();
    let namespace = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
    write!(archive, "<w:document xmlns:w=\"{namespace}\"><w:body>{body}</w:body></w:document>").unwrap();
    archive.finish().unwrap().into_inner()
}
