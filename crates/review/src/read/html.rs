//! Reader of HTML: the text that a page shows, by the tokenizer of a browser. Scripts, styles and code blocks
//! are left out.

use std::cell::RefCell;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};

use super::block::{BlockBuilder, DocumentBlock};

/// Blocks of a page whose first line has this number.
pub(super) fn read(text: &str, first_line: u32) -> Vec<DocumentBlock> {
    let sink = HtmlSink { first_line, page: RefCell::default() };
    let tokenizer = Tokenizer::new(sink, TokenizerOpts::default());
    let queue = BufferQueue::default();
    queue.push_back(StrTendril::from(text));
    _ = tokenizer.feed(&queue);
    tokenizer.end();
    let mut page = tokenizer.sink.page.into_inner();
    page.end_block();
    page.blocks
}

struct HtmlSink {
    first_line: u32,
    page: RefCell<HtmlPage>,
}

/// What is read of a page so far.
#[derive(Default)]
struct HtmlPage {
    blocks: Vec<DocumentBlock>,
    block: BlockBuilder,
    /// Depth of block quotations, and how many began.
    quote_depth: u32,
    quotes: u32,
    /// Depth of elements whose text is left out.
    skipped_depth: u32,
    /// For each table around the text, whether a row of it is open: a row is one block. End tags of rows may
    /// be missing.
    rows: Vec<bool>,
}

/// Elements whose text is left out.
const SKIPPED: [&str; 3] = ["pre", "template", "svg"];

/// Elements that are within a paragraph.
const INLINE: &str = "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark math mi mn \
     mo mrow msub msup q ruby rp rt s samp small span strike strong sub sup time tt u var wbr";

impl TokenSink for HtmlSink {
    type Handle = ();

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<()> {
        let line = u32::try_from(line).unwrap_or(u32::MAX).saturating_add(self.first_line - 1);
        let mut page = self.page.borrow_mut();
        match token {
            Token::CharacterTokens(text) => page.text(&text, line),
            Token::TagToken(tag) => return page.tag(&tag, line),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

impl HtmlPage {
    /// Adds text that ends on a line.
    fn text(&mut self, text: &str, last_line: u32) {
        if self.skipped_depth > 0 {
            return;
        }
        let line_ends = u32::try_from(text.matches('\n').count()).unwrap_or(u32::MAX);
        let first_line = last_line.saturating_sub(line_ends);
        for (line, piece) in (first_line..).zip(text.split_inclusive('\n')) {
            self.block.push(piece, line);
        }
    }

    fn tag(&mut self, tag: &Tag, line: u32) -> TokenSinkResult<()> {
        let name: &str = &tag.name;
        let is_start = tag.kind == TagKind::StartTag;
        match name {
            // Their text is not a part of the page: the text up to the end tag is one that is left out.
            "script" if is_start => return self.skip_raw(RawKind::ScriptData),
            "style" | "noscript" | "iframe" | "xmp" if is_start => return self.skip_raw(RawKind::Rawtext),
            "script" | "style" | "noscript" | "iframe" | "xmp" => {
                self.skipped_depth = self.skipped_depth.saturating_sub(1);
            }
            "textarea" | "title" if is_start => {
                self.end_block();
                return TokenSinkResult::RawData(RawKind::Rcdata);
            }
            _ if SKIPPED.contains(&name) && !tag.self_closing => {
                self.end_block();
                self.skipped_depth = moved(self.skipped_depth, is_start);
            }
            "q" => self.text(if is_start { "“" } else { "”" }, line),
            "br" | "wbr" if name == "br" => self.block.space(),
            "table" if is_start => {
                self.end_part();
                self.rows.push(false);
            }
            "table" => {
                self.rows.pop();
                self.end_part();
            }
            "tr" => self.row(is_start),
            "td" | "th" if is_start => self.block.cell(),
            "blockquote" => self.block_quotation(is_start),
            _ if INLINE.split_whitespace().any(|inline| inline == name) => {}
            // Paragraphs in a cell are parts of the row.
            _ => self.end_part(),
        }
        TokenSinkResult::Continue
    }

    fn row(&mut self, is_start: bool) {
        if let Some(is_open) = self.rows.last_mut() {
            *is_open = false;
        }
        self.end_part();
        if let Some(is_open) = self.rows.last_mut() {
            *is_open = is_start;
        }
    }

    /// Ends a paragraph, which is a block unless it is within a row.
    fn end_part(&mut self) {
        if self.rows.contains(&true) { self.block.space() } else { self.end_block() }
    }

    fn skip_raw(&mut self, kind: RawKind) -> TokenSinkResult<()> {
        self.skipped_depth += 1;
        TokenSinkResult::RawData(kind)
    }

    fn block_quotation(&mut self, is_start: bool) {
        self.end_block();
        self.quotes += u32::from(is_start && self.quote_depth == 0);
        self.quote_depth = moved(self.quote_depth, is_start);
    }

    fn end_block(&mut self) {
        let quote = (self.quote_depth > 0).then_some(self.quotes);
        self.blocks.extend(self.block.take_with_lines(quote));
    }
}

/// A depth after a start tag or an end tag, of which there may be too many.
fn moved(depth: u32, is_start: bool) -> u32 {
    if is_start { depth.saturating_add(1) } else { depth.saturating_sub(1) }
}

#[cfg(test)]
mod tests {
    use super::super::block::DocumentPosition;
    use super::*;

    #[test]
    fn the_text_that_a_page_shows_is_read_with_its_lines() {
        let html = "<title>T</title><script>if (a<b) 'NSB 4210'</script><p>One &amp; <em>two</em>\nthree\n\
             <blockquote><p>Quoted</p></blockquote><pre>code</pre><table><tr><td>a<td><p>b</table><p>x <q>y</q>";
        let blocks = read(html, 10);
        let texts: Vec<(&str, Option<u32>)> =
            blocks.iter().map(|block| (block.text.trim(), block.quote)).collect();
        let expected =
            [("T", None), ("One & two\nthree", None), ("Quoted", Some(1)), ("a | b", None), ("x “y”", None)];
        assert_eq!(texts, expected);
        assert_eq!(blocks[1].position(0), DocumentPosition::Line(10));
        assert_eq!(blocks[1].position(12), DocumentPosition::Line(11));
    }
}
