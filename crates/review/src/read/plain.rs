//! Reader of text, with what reStructuredText and AsciiDoc mark by lines: block quotations and code.

use super::block::{BlockBuilder, DocumentBlock};

/// Blocks of a text. A blank line ends a paragraph.
pub(super) fn read(text: &str) -> Vec<DocumentBlock> {
    let mut reader = PlainReader::default();
    for (line, number) in text.lines().zip(1..) {
        reader.line(line, number);
    }
    reader.end_block();
    reader.blocks
}

/// The delimiter that a block of AsciiDoc, or of fenced code, began with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Delimited {
    Code(&'static str),
    Quote,
}

#[derive(Debug, Default)]
struct PlainReader {
    blocks: Vec<DocumentBlock>,
    block: BlockBuilder,
    /// Number of the block quotation of the present block.
    quote: Option<u32>,
    quotes: u32,
    delimited: Option<Delimited>,
    /// Whether the lines that are indented now are code: behind `::` or a directive of reStructuredText.
    is_indented_code: bool,
    /// Whether the last line was blank.
    is_after_blank: bool,
    /// Whether the last block may have its quotation in the indented lines behind it.
    introduces_quote: bool,
}

/// Delimiters of blocks of code.
const CODE: [&str; 3] = ["```", "~~~", "----"];

impl PlainReader {
    fn line(&mut self, line: &str, number: u32) {
        let content = line.trim();
        if self.delimiter(content) {
            return;
        }
        if matches!(self.delimited, Some(Delimited::Code(_))) {
            return;
        }
        if content.is_empty() {
            self.end_block();
            self.is_after_blank = true;
            return;
        }
        let is_indented = line.starts_with([' ', '\t']);
        if self.is_indented_code {
            if is_indented {
                return;
            }
            self.is_indented_code = false;
        }
        self.set_quote(content, is_indented);
        self.is_after_blank = false;
        self.block.push(content.trim_start_matches(['>', ' ']), number);
        self.block.push("\n", number);
        if content.ends_with("::") || content.starts_with(".. ") && content.contains("::") {
            self.is_indented_code = true;
        }
        self.introduces_quote = content.ends_with(':') && !content.ends_with("::");
    }

    /// Whether a line begins or ends a delimited block.
    fn delimiter(&mut self, content: &str) -> bool {
        match self.delimited {
            Some(Delimited::Code(sign)) if content.starts_with(sign) => self.delimited = None,
            Some(Delimited::Code(_)) => return false,
            Some(Delimited::Quote) if is_underscores(content) => {
                self.end_block();
                self.delimited = None;
                self.quote = None;
            }
            Some(Delimited::Quote) => return false,
            None if is_underscores(content) => {
                self.end_block();
                self.delimited = Some(Delimited::Quote);
                self.begin_quote();
            }
            None => return self.begin_code(content),
        }
        true
    }

    fn begin_code(&mut self, content: &str) -> bool {
        for sign in CODE {
            // A line of hyphens under words is a heading of reStructuredText.
            let is_underline = sign == "----" && !self.block.is_blank();
            let is_delimiter =
                content.starts_with(sign) && (sign != "----" || content.trim_matches('-').is_empty());
            if is_delimiter && !is_underline {
                self.end_block();
                self.delimited = Some(Delimited::Code(sign));
                return true;
            }
        }
        false
    }

    /// Sets which block quotation a line is in. Lines with `>` are in one, and indented ones behind a
    /// paragraph that ends with a colon.
    fn set_quote(&mut self, content: &str, is_indented: bool) {
        if self.delimited == Some(Delimited::Quote) {
            return;
        }
        let is_marked = content.starts_with('>');
        let is_list_item = content.starts_with(['-', '*', '+', '#', '.', '•']);
        let begins_indented = is_indented && self.is_after_blank && self.introduces_quote && !is_list_item;
        let goes_on = is_indented && self.quote.is_some();
        if is_marked || begins_indented || goes_on {
            if self.quote.is_none() {
                self.end_block();
                self.begin_quote();
            }
        } else if self.quote.is_some() {
            self.end_block();
            self.quote = None;
        }
        if content == ">" {
            self.end_block();
        }
    }

    fn begin_quote(&mut self) {
        self.quotes += 1;
        self.quote = Some(self.quotes);
    }

    fn end_block(&mut self) {
        self.blocks.extend(self.block.take_with_lines(self.quote));
    }
}

/// Delimiter of a quotation in AsciiDoc.
fn is_underscores(content: &str) -> bool {
    content.len() >= 4 && content.bytes().all(|b| b == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<(String, Option<u32>)> {
        read(text).into_iter().map(|block| (block.text.trim().to_owned(), block.quote)).collect()
    }

    #[test]
    fn lines_distinguish_paragraphs_quotations_and_code() {
        let read = texts(
            "One\ntwo.\n\nAs it says::\n\n    code\n\nThe text:\n\n   Quoted words.\n\n   -- a source\n\nEnd",
        );
        let expected = [
            ("One\ntwo.", None),
            ("As it says::", None),
            ("The text:", None),
            ("Quoted words.", Some(1)),
            ("-- a source", Some(1)),
            ("End", None),
        ];
        assert_eq!(read, expected.map(|(text, quote)| (text.to_owned(), quote)));
        let read = texts("> a\n> b\n\n____\nc\n____\n----\nd\n----\ne");
        let expected = [("a\nb", Some(1)), ("c", Some(2)), ("e", None)];
        assert_eq!(read, expected.map(|(text, quote)| (text.to_owned(), quote)));
    }
}
