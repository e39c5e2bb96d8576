//! Characters of a text and the blocks that they are in: separators, labels, and tokens.

use super::noted::Note;
use super::{Gap, OpenBlock, TextWriter, WriteContext, tex_line};
use crate::xml::invisible::visible;
use crate::xml::position::offset32;
use norma_provisions::blocks::{Block, BlockKind, SpanKind, TokenSpan};

impl<'t> TextWriter<'_, 't> {
    /// Writes character data; a short text without the marks of type that an author wrote for a tool.
    pub(super) fn text(&mut self, text: &str) {
        let text = &*visible(text);
        if self.is_short() && tex_line::has_marks(text) {
            self.characters(&tex_line::without_marks(text));
        } else {
            self.characters(text);
        }
    }

    /// Writes visible characters, with one separator for each run of white space unless white space counts.
    fn characters(&mut self, text: &str) {
        if self.context.verbatim {
            if !text.is_empty() {
                self.begin();
                self.out.push_str(text);
            }
            return;
        }
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let start = start_of_word(bytes, at);
            if start > at && self.separator.is_empty() {
                self.separator = " ";
            }
            let end = end_of_words(bytes, start);
            if end > start {
                self.begin();
                self.part_from_script(&text[start..end]);
                self.out.push_str(&text[start..end]);
            }
            at = end;
        }
    }

    /// Writes a word with the pending separator before it.
    pub(super) fn put(&mut self, word: &str) {
        self.put_at(word);
    }

    /// Writes a word as `put`, and gives the byte of the text that it begins at.
    pub(super) fn put_at(&mut self, word: &str) -> usize {
        let word = &*visible(word);
        if !word.is_empty() {
            self.begin();
            self.part_from_script(word);
            self.out.push_str(word);
        }
        self.out.len() - word.len()
    }

    /// Writes a blank between a script without brackets and the words after it, which would lengthen it:
    /// `10^2 3`. A letter after digits does not: `H_2O`.
    fn part_from_script(&mut self, words: &str) {
        let Some(script) = self.bare_script.take() else { return };
        let Some(first) = words.chars().next() else { return };
        let lengthens = first.is_ascii_digit() || first.is_alphanumeric() && !script.is_number;
        if script.end == self.out.len() && lengthens {
            self.out.push(' ');
            self.record(script.end, Note::Sign(self.out.len()));
        }
    }

    /// Makes sure that a block is open and the next character belongs to it.
    fn begin(&mut self) {
        if self.open.is_some() {
            if !self.separator.is_empty() {
                self.out.push_str(self.separator);
                self.separator = "";
            }
            return;
        }
        if !self.separator.is_empty() {
            self.gap = self.gap.max(Gap::Space);
        }
        self.flush_gap();
        if let Some(label) = self.label.take() {
            self.put_label(&label);
            self.out.push(' ');
        }
        self.separator = "";
        self.open = Some(OpenBlock {
            start: self.out.len(),
            at: self.at,
            continues: self.parted.take(),
            spans: Vec::new(),
        });
        self.block_count += 1;
    }

    /// Writes the pending gap, and after a line break the indent of a list item.
    pub(super) fn flush_gap(&mut self) {
        let begins_line = self.out.is_empty() || self.out.ends_with(['\n', '\t']);
        match self.gap {
            Gap::Nothing => {}
            Gap::Space if begins_line || self.out.ends_with(' ') => {}
            Gap::Space => self.out.push(' '),
            Gap::Line | Gap::Blank if self.out.is_empty() => {}
            Gap::Line => self.out.push('\n'),
            Gap::Blank => self.out.push_str("\n\n"),
        }
        if self.gap >= Gap::Line && self.context.item.is_some() {
            for _ in 1..self.context.depth {
                self.out.push_str("  ");
            }
        }
        self.gap = Gap::Nothing;
    }

    /// Writes the pending label, if no block began with it.
    pub(super) fn flush_label(&mut self) {
        if let Some(label) = self.label.take() {
            self.flush_gap();
            self.put_label(&label);
            self.gap = Gap::Space;
        }
    }

    fn put_label(&mut self, label: &str) {
        let at = self.out.len();
        self.out.push_str(label);
        self.record(at, Note::Label(self.out.len()));
    }

    /// Ends the open block, and adds it to the list unless it is empty.
    pub(super) fn close(&mut self) {
        self.separator = "";
        let Some(mut open) = self.open.take() else { return };
        let end = open.start + self.out[open.start..].trim_end().len();
        self.truncate(end);
        if end == open.start {
            return;
        }
        open.spans.retain(|span| span.range.end <= end && !span.range.is_empty());
        let index = self.block_list.blocks.len();
        self.previous = Some(index);
        if let Some(language) = self.context.language {
            self.block_list.stated_languages.push((index, language));
        }
        self.block_list.offsets.push(open.at);
        self.block_list.blocks.push(Block {
            section: self.section,
            kind: self.context.kind,
            range: open.start..end,
            element: self.context.element,
            item: self.context.item.clone(),
            table: self.context.table.map(offset32),
            language: None,
            continues: open.continues.map(offset32),
            authored: self.context.authored.clone(),
            spans: open.spans.into(),
            xml: None,
            footnote: self.context.footnote,
        });
    }

    /// Ends the open block and separates the next one from it. In a cell, which is one line, by a space.
    pub(super) fn end_block(&mut self, gap: Gap) {
        self.close();
        let gap = if self.context.cell { Gap::Space } else { gap };
        self.gap = self.gap.max(gap);
    }

    /// Parts blocks of running text: by a blank line, within lists by a line.
    pub(super) fn separate_blocks(&mut self) {
        self.end_block(if self.context.item.is_some() { Gap::Line } else { Gap::Blank });
    }

    /// Ends the open block, so that whole blocks can be written in a context that the caller changes. `leave`
    /// restores the context that this gives.
    pub(super) fn enter(&mut self) -> WriteContext<'t> {
        self.close();
        self.context.clone()
    }

    /// Enters blocks of a kind, which are running text if they are in a paragraph.
    pub(super) fn enter_kind(&mut self, kind: BlockKind, paragraph: bool) -> WriteContext<'t> {
        let outer = self.enter();
        (self.context.kind, self.context.paragraph) = (kind, paragraph);
        outer
    }

    /// Ends the blocks that were written since `enter`, and restores the context around them.
    pub(super) fn leave(&mut self, outer: WriteContext<'t>) {
        self.close();
        self.context = outer;
    }

    /// Writes a token and records it as a span of the open block.
    pub(super) fn span(&mut self, kind: SpanKind, write: impl FnOnce(&mut Self)) {
        let block_before = self.open.is_some().then_some(self.block_count);
        let length_before = self.out.len();
        write(self);
        let Some(open) = &mut self.open else { return };
        // If the token began a block, the space or the label before the block is not a part of it. Nor is
        // the white space that was cut off from the block before.
        let is_in_same_block = block_before == Some(self.block_count);
        let from = if is_in_same_block { length_before } else { open.start };
        let written = &self.out[from..];
        let start = from + (written.len() - written.trim_start().len());
        let overlaps = open.spans.last().is_some_and(|last| last.range.end > start);
        if start < self.out.len() && !overlaps {
            open.spans.push(TokenSpan { range: start..self.out.len(), kind });
        }
    }
}

/// True if a byte is white space: XML has no other character below the space.
fn is_blank(byte: u8) -> bool {
    byte <= b' '
}

/// The first byte from `at` on that is not white space.
fn start_of_word(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at..];
    at + rest.iter().position(|b| !is_blank(*b)).unwrap_or(rest.len())
}

/// The end of the words that begin at a byte and have one space between them: they are written together.
fn end_of_words(bytes: &[u8], start: usize) -> usize {
    let mut end = start;
    loop {
        let rest = &bytes[end..];
        end += rest.iter().position(|b| is_blank(*b)).unwrap_or(rest.len());
        match bytes.get(end..end + 2) {
            Some([b' ', next]) if end > start && !is_blank(*next) => end += 1,
            _ => return end,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{end_of_words, start_of_word};

    #[test]
    fn words_with_one_space_between_them_are_one_run() {
        let text = b"\n The lid  shall";
        let start = start_of_word(text, 0);
        assert_eq!(start, 2);
        assert_eq!(end_of_words(text, start), 9);
        assert_eq!(end_of_words(text, 11), text.len());
        assert_eq!(start_of_word(b"  ", 0), 2);
    }
}
