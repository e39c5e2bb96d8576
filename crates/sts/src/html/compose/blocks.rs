//! Block elements: those that notes begin, and those that HTML needs around them or within them.

use norma_model::DesignationStatus;

use super::{Composer, HtmlBlock, HtmlGap, IMPLIED, OpenBlockElement};
use crate::html::markup::{Attribute, Tag};
use crate::text::noted::Shape;
use crate::text::terms::status;
use crate::xml::tree::XmlNode;

impl Composer<'_, '_> {
    /// Opens and closes blocks so that words can follow, or with `false` a picture or an empty cell.
    pub(super) fn blocks_are_open(&mut self, words: bool) {
        if !self.blocks_changed {
            return;
        }
        self.blocks_changed = !words;
        let wanted = self.wanted_blocks(words);
        let same = self.open.iter().zip(&wanted).take_while(|(open, wanted)| open.block == **wanted).count();
        if same == self.open.len() && same == wanted.len() {
            return;
        }
        self.close_blocks(same);
        self.gap = HtmlGap::None;
        for &block in &wanted[same..] {
            self.open_block(block);
        }
    }

    /// The blocks around what comes next, the outermost first.
    fn wanted_blocks(&self, words: bool) -> Vec<HtmlBlock> {
        let mut wanted: Vec<HtmlBlock> = Vec::with_capacity(self.blocks.len() + 4);
        for (index, &block) in self.blocks.iter().enumerate() {
            let has_block_within = index + 1 < self.blocks.len();
            if has_block_within && holds_words_only(block.tag) {
                continue;
            }
            self.imply(&mut wanted, block.tag, block.key);
            wanted.push(block);
        }
        self.imply(&mut wanted, Tag::Span, IMPLIED);
        if words && self.needs_paragraph(wanted.last()) {
            wanted.push(HtmlBlock { key: IMPLIED, tag: Tag::P });
        }
        wanted
    }

    /// True if words in a block are in a paragraph of it.
    fn needs_paragraph(&self, block: Option<&HtmlBlock>) -> bool {
        let Some(block) = block else { return true };
        match block.tag {
            // A formula is a line of its own without one.
            Tag::Div => !matches!(self.shape(block.key), Some((Shape::Group("formula"), _))),
            Tag::Blockquote | Tag::Figure => true,
            _ => false,
        }
    }

    /// Adds the elements that must be between the last block and an element within it.
    fn imply(&self, wanted: &mut Vec<HtmlBlock>, tag: Tag, key: usize) {
        let is_row_of_head = matches!(self.shape(key), Some((Shape::Row { in_head: true }, _)));
        let in_head = is_row_of_head || self.struck_in_head;
        while let Some(top) = wanted.last() {
            let tag = match (top.tag, tag) {
                (Tag::Ul | Tag::Ol, Tag::Li)
                | (Tag::Thead | Tag::Tbody, Tag::Tr)
                | (Tag::Tr, Tag::Td | Tag::Th)
                | (Tag::Dl, Tag::Dt | Tag::Dd) => return,
                (Tag::Ul | Tag::Ol, _) => Tag::Li,
                (Tag::Table, Tag::Tr) if in_head => Tag::Thead,
                (Tag::Table, _) => Tag::Tbody,
                (Tag::Thead | Tag::Tbody, _) => Tag::Tr,
                (Tag::Tr, _) => Tag::Td,
                (Tag::Dl, _) => Tag::Dd,
                (_, Tag::Dt | Tag::Dd) => Tag::Dl,
                _ => return,
            };
            wanted.push(HtmlBlock { key: IMPLIED, tag });
        }
    }

    /// Closes blocks until a number of them is open.
    pub(super) fn close_blocks(&mut self, down_to: usize) {
        self.close_inlines(0);
        while self.open.len() > down_to {
            let Some(OpenBlockElement { block, last_within }) = self.open.pop() else { return };
            // A list of terms ends with a definition, if with an empty one.
            if block.tag == Tag::Dl && last_within == Some(Tag::Dt) {
                self.empty(Tag::Dd);
            }
            self.html.end(block.tag);
        }
    }

    fn open_block(&mut self, block: HtmlBlock) {
        let HtmlBlock { key, tag } = block;
        let before = match self.open.last_mut() {
            Some(around) => around.last_within.replace(tag),
            None => None,
        };
        // A list of terms begins with a term.
        if tag == Tag::Dd && before.is_none() {
            self.empty(Tag::Dt);
        }
        let mut attributes: Vec<(Attribute, String)> = Vec::new();
        if let Some(id) = self.ids.remove(&key).and_then(|id| self.fresh(&id)) {
            attributes.push((Attribute::Id, id));
        }
        if let Some((shape, node)) = self.shape(key) {
            let kind = match shape {
                Shape::Paragraph(kind) | Shape::Group(kind) | Shape::Figure(kind) => kind,
                Shape::Footnote => "footnote",
                _ => "",
            };
            if !kind.is_empty() {
                attributes.push((Attribute::Type, kind.to_owned()));
            }
            if let Shape::Paragraph("designation") = shape {
                attributes.push((Attribute::Acceptability, acceptability(node).to_owned()));
            }
            self.add_language(node, &mut attributes);
            if let Shape::Cell(_) = shape {
                self.cell(key, tag, &mut attributes);
            }
        }
        self.begin_tag(tag, &attributes);
        self.open.push(OpenBlockElement { block, last_within: None });
    }

    /// Writes the empty cells before a cell, and adds its spans and its scope.
    fn cell(&mut self, key: usize, tag: Tag, attributes: &mut Vec<(Attribute, String)>) {
        if let Some(cell) = self.table_cells.cells.remove(&key) {
            for _ in 0..cell.before {
                self.empty(Tag::Td);
            }
            for (attribute, span) in [(Attribute::Colspan, cell.columns), (Attribute::Rowspan, cell.rows)] {
                if span > 1 {
                    attributes.push((attribute, span.to_string()));
                }
            }
        }
        if tag == Tag::Th {
            let in_head = self.open.iter().any(|open| open.block.tag == Tag::Thead);
            attributes.push((Attribute::Scope, if in_head { "col" } else { "row" }.to_owned()));
        }
    }

    /// Ends the innermost block that a note began.
    pub(super) fn end_block(&mut self) {
        let Some(&block) = self.blocks.last() else { return };
        let open_at = self.open.iter().position(|open| open.block == block);
        match (block.tag, open_at) {
            // A cell without words.
            (Tag::Td | Tag::Th, None) => self.ready(false),
            (Tag::Tr, Some(row)) => {
                let missing = self.table_cells.missing.get(&block.key).copied().unwrap_or_default();
                if missing > 0 {
                    self.close_blocks(row + 1);
                    for _ in 0..missing {
                        self.empty(Tag::Td);
                    }
                }
            }
            (Tag::Div, Some(_)) => self.link_back(block.key),
            _ => {}
        }
        self.blocks.pop();
        self.blocks_changed = true;
    }

    fn empty(&mut self, tag: Tag) {
        self.html.begin(tag, &[]);
        self.html.end(tag);
    }

    pub(super) fn begin_tag(&mut self, tag: Tag, attributes: &[(Attribute, String)]) {
        let attributes: Vec<(Attribute, &str)> = attributes.iter().map(|(a, v)| (*a, v.as_str())).collect();
        self.html.begin(tag, &attributes);
    }
}

/// The word of the API for the acceptability of a designation.
fn acceptability(designation: XmlNode<'_>) -> &'static str {
    match status(designation) {
        DesignationStatus::Preferred => "preferred",
        DesignationStatus::Admitted => "admitted",
        DesignationStatus::Deprecated => "deprecated",
    }
}

/// True if an element holds words and what is within a line.
fn holds_words_only(tag: Tag) -> bool {
    matches!(tag, Tag::P | Tag::Pre | Tag::Dt | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6)
}
