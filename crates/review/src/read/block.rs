//! Blocks of a document: the stretches of text in which citations and quotations are looked for.

use std::ops::Range;

/// Most bytes of a block. A longer paragraph is divided, so that the work for a document grows with its
/// length alone.
const MAX_BLOCK_BYTES: usize = 16 * 1024;

/// A paragraph, a heading, a list item or a row of a table, as text without markup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentBlock {
    /// The text. A line end within it is white space.
    pub text: String,
    /// Which block quotation of the document it is a part of.
    pub quote: Option<u32>,
    positions: BlockPositions,
}

/// Position of a part of a document, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DocumentPosition {
    /// A line, from 1.
    Line(u32),
    /// A paragraph of a part of a word-processing document, from 1.
    Paragraph(DocumentPart, u32),
}

/// Part of a word-processing document that has paragraphs of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DocumentPart {
    /// The text.
    Body,
    /// The footnotes.
    Footnotes,
    /// The endnotes.
    Endnotes,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum BlockPositions {
    /// From which byte of the text on which line is, in order.
    Lines(Vec<(usize, u32)>),
    Paragraph(DocumentPart, u32),
}

impl DocumentBlock {
    /// The position of a byte of the text.
    pub fn position(&self, byte: usize) -> DocumentPosition {
        match &self.positions {
            BlockPositions::Paragraph(part, number) => DocumentPosition::Paragraph(*part, *number),
            BlockPositions::Lines(lines) => {
                let after = lines.partition_point(|(start, _)| *start <= byte);
                let line = lines.get(after.saturating_sub(1)).map_or(1, |(_, line)| *line);
                DocumentPosition::Line(line)
            }
        }
    }
}

/// A block while its text is read.
#[derive(Debug, Default)]
pub(super) struct BlockBuilder {
    text: String,
    lines: Vec<(usize, u32)>,
}

impl BlockBuilder {
    /// Appends text of one line.
    pub(super) fn push(&mut self, text: &str, line: u32) {
        if text.is_empty() {
            return;
        }
        if self.lines.last().is_none_or(|(_, last)| *last != line) {
            self.lines.push((self.text.len(), line));
        }
        self.text.push_str(text);
    }

    /// Appends white space, unless the text ends with some.
    pub(super) fn space(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with(char::is_whitespace) {
            self.text.push(' ');
        }
    }

    /// Appends the border between two cells of a row.
    pub(super) fn cell(&mut self) {
        if self.text.trim().is_empty() {
            return;
        }
        self.space();
        self.text.push_str("| ");
    }

    pub(super) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// The block with its lines, none without words; several where it is long. Leaves an empty builder.
    pub(super) fn take_with_lines(&mut self, quote: Option<u32>) -> Vec<DocumentBlock> {
        let Self { text, lines } = std::mem::take(self);
        let mut blocks = Vec::new();
        for range in pieces(&text) {
            let first = lines.partition_point(|(start, _)| *start <= range.start).saturating_sub(1);
            let mut of_piece = Vec::new();
            for (start, line) in lines[first..].iter().take_while(|(start, _)| *start < range.end) {
                of_piece.push((start.saturating_sub(range.start), *line));
            }
            let positions = BlockPositions::Lines(of_piece);
            blocks.push(DocumentBlock { text: text[range].to_owned(), quote, positions });
        }
        blocks
    }

    /// The block as a paragraph with a number, none without words; several where it is long. Leaves an empty
    /// builder.
    pub(super) fn take_paragraph(
        &mut self,
        quote: Option<u32>,
        part: DocumentPart,
        number: u32,
    ) -> Vec<DocumentBlock> {
        let text = std::mem::take(self).text;
        let mut blocks = Vec::new();
        for range in pieces(&text) {
            let positions = BlockPositions::Paragraph(part, number);
            blocks.push(DocumentBlock { text: text[range].to_owned(), quote, positions });
        }
        blocks
    }
}

/// The pieces of a text that blocks are made of: the whole, or pieces between white space where it is long.
fn pieces(text: &str) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let mut end = text.floor_char_boundary((start + MAX_BLOCK_BYTES).min(text.len()));
        if end < text.len()
            && let Some(space) = text[start..end].rfind(char::is_whitespace)
            && space > 0
        {
            end = start + space;
        }
        if !text[start..end].trim().is_empty() {
            pieces.push(start..end);
        }
        start = end;
    }
    pieces
}
