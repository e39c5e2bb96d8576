//! Reader of Markdown. Code blocks and metadata at the start are left out: what they have is not prose. Code
//! within a line is read, because people mark designations so.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::block::{BlockBuilder, DocumentBlock};
use super::html;

/// Blocks of a Markdown document.
pub(super) fn read(text: &str) -> Vec<DocumentBlock> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_GFM
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    let mut reader = MarkdownReader { line_starts: line_starts(text), ..MarkdownReader::default() };
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        reader.event(event, range);
    }
    reader.end_block();
    reader.blocks
}

/// Bytes where lines begin.
fn line_starts(text: &str) -> Vec<usize> {
    let mut starts = vec![0];
    starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
    starts
}

#[derive(Debug, Default)]
struct MarkdownReader {
    line_starts: Vec<usize>,
    blocks: Vec<DocumentBlock>,
    block: BlockBuilder,
    /// For each block quotation around the text, whether it is one: notes and warnings have its form.
    quotations: Vec<bool>,
    /// How many block quotations began.
    quotes: u32,
    /// Whether text is left out: code, metadata.
    is_skipped: bool,
    /// HTML of the present block, and the line where it begins.
    html: Option<(String, u32)>,
}

impl MarkdownReader {
    fn line(&self, byte: usize) -> u32 {
        let line = self.line_starts.partition_point(|start| *start <= byte);
        u32::try_from(line).unwrap_or(u32::MAX)
    }

    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        let line = self.line(range.start);
        match event {
            Event::Start(tag) => self.start(&tag, line),
            Event::End(tag) => self.end(tag),
            _ if self.is_skipped => {}
            Event::Text(text) | Event::Code(text) => self.block.push(&text, line),
            Event::SoftBreak | Event::HardBreak => self.block.push("\n", line),
            Event::Html(html) => {
                if let Some((whole, _)) = &mut self.html {
                    whole.push_str(&html);
                }
            }
            // A tag within a line: its text is between events.
            Event::InlineHtml(tag) if tag.starts_with("<br") => self.block.space(),
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>, line: u32) {
        match tag {
            Tag::BlockQuote(kind) => {
                self.end_block();
                self.quotes += u32::from(self.quotations.is_empty());
                self.quotations.push(kind.is_none());
            }
            Tag::CodeBlock(_) | Tag::MetadataBlock(_) => {
                self.end_block();
                self.is_skipped = true;
            }
            Tag::HtmlBlock => {
                self.end_block();
                self.html = Some((String::new(), line));
            }
            Tag::TableCell => self.block.cell(),
            Tag::Paragraph
            | Tag::Heading { .. }
            | Tag::Item
            | Tag::List(_)
            | Tag::FootnoteDefinition(_)
            | Tag::TableRow
            | Tag::TableHead => self.end_block(),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::BlockQuote(_) => {
                self.end_block();
                self.quotations.pop();
            }
            TagEnd::CodeBlock | TagEnd::MetadataBlock(_) => self.is_skipped = false,
            TagEnd::HtmlBlock => {
                if let Some((whole, line)) = self.html.take() {
                    self.blocks.extend(html::read(&whole, line));
                }
            }
            TagEnd::Paragraph
            | TagEnd::Heading(_)
            | TagEnd::Item
            | TagEnd::FootnoteDefinition
            | TagEnd::TableRow
            | TagEnd::TableHead => self.end_block(),
            _ => {}
        }
    }

    fn end_block(&mut self) {
        let quote = self.quotations.contains(&true).then_some(self.quotes);
        self.blocks.extend(self.block.take_with_lines(quote));
    }
}

#[cfg(test)]
mod tests {
    use super::super::block::DocumentPosition;
    use super::*;

    #[test]
    fn prose_is_read_with_its_lines_and_code_is_left_out() {
        let text = "---\na: b\n---\n# Head\n\nOne *two*\n[three](x) `four`\n\n```\ncode\n```\n\n> quoted\n> more\n\n| a | b |\n|---|---|\n| c | d |\n";
        let blocks = read(text);
        let texts: Vec<(&str, Option<u32>)> =
            blocks.iter().map(|block| (block.text.as_str(), block.quote)).collect();
        let expected = [
            ("Head", None),
            ("One two\nthree four", None),
            ("quoted\nmore", Some(1)),
            ("a | b", None),
            ("c | d", None),
        ];
        assert_eq!(texts, expected);
        assert_eq!(blocks[1].position(0), DocumentPosition::Line(6));
        assert_eq!(blocks[1].position(9), DocumentPosition::Line(7));
        assert_eq!(blocks[4].position(0), DocumentPosition::Line(18));
    }
}
