//! Reader of DOCX: paragraphs and rows of the text, the footnotes and the endnotes, as they are after tracked
//! changes.

use std::io::{BufRead, BufReader, Cursor, Read};

use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use zip::ZipArchive;
use zip::result::ZipError;

use super::DocumentError;
use super::block::{BlockBuilder, DocumentBlock, DocumentPart};

/// Most files in the archive of a document.
pub const MAX_DOCX_ENTRIES: usize = 10_000;
/// Most bytes of one inflated part.
pub const MAX_DOCX_PART_BYTES: u64 = 100 * 1024 * 1024;
/// Most bytes that one byte of the archive becomes, beyond the first MiB of a part.
pub const MAX_DOCX_RATIO: u64 = 200;

/// The parts that are read, in the order of their blocks.
const PARTS: [(&str, DocumentPart); 3] = [
    ("word/document.xml", DocumentPart::Body),
    ("word/footnotes.xml", DocumentPart::Footnotes),
    ("word/endnotes.xml", DocumentPart::Endnotes),
];

/// Styles of block quotations, as word processors in English, German and French name them.
const QUOTE_STYLES: [&str; 6] =
    ["quote", "intensequote", "zitat", "intensiveszitat", "citation", "citationintense"];

/// Blocks of a document of a word processor.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<DocumentBlock>, DocumentError> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(damaged)?;
    if archive.len() > MAX_DOCX_ENTRIES {
        return Err(DocumentError::DocxLimit(format!(
            "it has {} files, and at most {MAX_DOCX_ENTRIES} are read",
            archive.len()
        )));
    }
    let mut blocks = Vec::new();
    for (name, part) in PARTS {
        let file = match archive.by_name(name) {
            Ok(file) => file,
            Err(ZipError::FileNotFound) if part != DocumentPart::Body => continue,
            Err(ZipError::FileNotFound) => {
                return Err(DocumentError::Docx(format!("its archive has no `{name}`")));
            }
            Err(error) => return Err(damaged(error)),
        };
        let limit = part_limit(file.compressed_size());
        let mut inflated = BufReader::new(file.take(limit + 1));
        let read = DocxReader::new(part).read(&mut inflated, &mut blocks);
        // A part that is cut off at the limit is damaged as well.
        if inflated.get_ref().limit() == 0 {
            return Err(beyond(name, limit));
        }
        read?;
    }
    Ok(blocks)
}

/// Most bytes that a part may have when it is inflated.
fn part_limit(compressed: u64) -> u64 {
    let by_ratio = compressed.saturating_mul(MAX_DOCX_RATIO).saturating_add(1024 * 1024);
    by_ratio.min(MAX_DOCX_PART_BYTES)
}

fn beyond(name: &str, limit: u64) -> DocumentError {
    DocumentError::DocxLimit(format!("`{name}` is more than {limit} bytes, the most for its compressed size"))
}

fn damaged(error: impl std::fmt::Display) -> DocumentError {
    DocumentError::Docx(error.to_string())
}

/// What is read of a part so far.
struct DocxReader {
    part: DocumentPart,
    block: BlockBuilder,
    /// Number of the paragraph that is read, and of the first one of the row.
    paragraph: u32,
    row_paragraph: u32,
    row_depth: u32,
    /// Depth of elements whose text is left out.
    skipped_depth: u32,
    /// Whether text of the present element is text of the document.
    is_text: bool,
    /// Whether the paragraph has the style of a quotation, and the last one had.
    is_quote: bool,
    was_quote: bool,
    quotes: u32,
}

/// Elements without text that is read: deleted and moved text, the second form of drawings, field codes.
const SKIPPED: [&[u8]; 5] = [b"del", b"moveFrom", b"Fallback", b"instrText", b"delText"];

impl DocxReader {
    fn new(part: DocumentPart) -> Self {
        Self {
            part,
            block: BlockBuilder::default(),
            paragraph: 0,
            row_paragraph: 0,
            row_depth: 0,
            skipped_depth: 0,
            is_text: false,
            is_quote: false,
            was_quote: false,
            quotes: 0,
        }
    }

    fn read(
        mut self,
        source: &mut impl BufRead,
        blocks: &mut Vec<DocumentBlock>,
    ) -> Result<(), DocumentError> {
        let mut reader = Reader::from_reader(source);
        let mut buffer = Vec::new();
        let mut depth = 0_u32;
        loop {
            match reader.read_event_into(&mut buffer).map_err(damaged)? {
                Event::Start(element) => {
                    depth += 1;
                    self.start(&element);
                }
                Event::Empty(element) => self.empty(&element),
                Event::End(element) => {
                    depth = depth.saturating_sub(1);
                    blocks.extend(self.end(element.local_name().as_ref()));
                }
                Event::Text(text) if self.is_read() => {
                    let text = text.xml10_content().map_err(damaged)?;
                    self.block.push(&text, 1);
                }
                Event::GeneralRef(reference) if self.is_read() => self.reference(&reference)?,
                Event::DocType(_) => return Err(damaged("a part has a document type declaration")),
                Event::Eof if depth > 0 => return Err(damaged("a part ends within an element")),
                Event::Eof => return Ok(()),
                _ => {}
            }
            buffer.clear();
        }
    }

    fn is_read(&self) -> bool {
        self.is_text && self.skipped_depth == 0
    }

    fn start(&mut self, element: &BytesStart<'_>) {
        let name = element.local_name();
        let name = name.as_ref();
        if SKIPPED.contains(&name) {
            self.skipped_depth += 1;
        }
        match name {
            b"p" => {
                self.paragraph += 1;
                self.is_quote = false;
            }
            b"t" => self.is_text = true,
            b"tr" => {
                self.row_depth += 1;
                self.row_paragraph = self.paragraph + 1;
            }
            b"tc" => self.block.cell(),
            _ => self.empty(element),
        }
    }

    /// An element without content.
    fn empty(&mut self, element: &BytesStart<'_>) {
        match element.local_name().as_ref() {
            b"tab" | b"br" | b"cr" => self.block.space(),
            b"noBreakHyphen" => self.block.push("\u{2011}", 1),
            b"p" => self.paragraph += 1,
            b"pStyle" => self.is_quote = is_quote_style(element),
            _ => {}
        }
    }

    /// The blocks that end with an element.
    fn end(&mut self, name: &[u8]) -> Vec<DocumentBlock> {
        if SKIPPED.contains(&name) {
            self.skipped_depth = self.skipped_depth.saturating_sub(1);
        }
        match name {
            b"t" => self.is_text = false,
            b"p" if self.row_depth > 0 => self.block.space(),
            b"p" => {
                self.quotes += u32::from(self.is_quote && !self.was_quote);
                let quote = self.is_quote.then_some(self.quotes);
                self.was_quote = self.is_quote;
                return self.block.take_paragraph(quote, self.part, self.paragraph);
            }
            b"tr" => {
                self.row_depth = self.row_depth.saturating_sub(1);
                if self.row_depth == 0 {
                    self.was_quote = false;
                    return self.block.take_paragraph(None, self.part, self.row_paragraph);
                }
            }
            _ => {}
        }
        Vec::new()
    }

    /// A reference to a character. Only the entities of XML itself exist in a document.
    fn reference(&mut self, reference: &BytesRef<'_>) -> Result<(), DocumentError> {
        if let Some(character) = reference.resolve_char_ref().map_err(damaged)? {
            self.block.push(character.encode_utf8(&mut [0; 4]), 1);
            return Ok(());
        }
        let name = reference.decode().map_err(damaged)?;
        if let Some(text) = resolve_predefined_entity(&name) {
            self.block.push(text, 1);
        }
        Ok(())
    }
}

fn is_quote_style(element: &BytesStart<'_>) -> bool {
    for attribute in element.attributes().flatten() {
        if attribute.key.local_name().as_ref() == b"val" {
            let style = String::from_utf8_lossy(&attribute.value).to_lowercase();
            return QUOTE_STYLES.contains(&style.as_str());
        }
    }
    false
}
