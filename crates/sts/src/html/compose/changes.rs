//! Change marks: what is struck out, among the words that are in force.

use super::{Composer, HtmlGap, IMPLIED};
use crate::html::markup::Tag;
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;

impl<'t> Composer<'_, 't> {
    /// Writes what is struck out where the source has it.
    pub(super) fn struck(&mut self, node: XmlNode<'t>, spaced: bool) {
        let Some(struck) = node.struck() else { return };
        if struck.words.is_empty() {
            return;
        }
        // A block of its own is not in one line with the words around it.
        let is_block = struck.name.is_block();
        if is_block {
            self.close_implied_blocks();
        }
        if spaced && !is_block {
            self.gap = self.gap.max(HtmlGap::Space);
        }
        self.struck_in_head = node.parent().is_some_and(|parent| parent.name() == Name::Thead);
        self.ready(true);
        self.struck_in_head = false;
        self.html.begin(Tag::Del, &[]);
        self.html.text(&struck.words);
        self.html.end(Tag::Del);
        if is_block {
            self.close_implied_blocks();
        }
    }

    /// Ends the blocks that HTML needs and no note begins, down to the last that a note begins.
    fn close_implied_blocks(&mut self) {
        let last_noted = self.open.iter().rposition(|open| open.block.key != IMPLIED);
        self.close_blocks(last_noted.map_or(0, |index| index + 1));
        self.blocks_changed = true;
    }
}
