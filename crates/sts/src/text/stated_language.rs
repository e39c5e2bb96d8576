//! Sentences for which the source states a language of their own.

use super::{Mode, TextWriter};
use crate::xml::tree::XmlNode;

impl<'t> TextWriter<'_, 't> {
    /// True if an inline element states a language and is a whole sentence or several.
    pub(super) fn is_sentence_in_a_language(&self, node: XmlNode<'t>) -> bool {
        const ENDS: [char; 5] = ['.', '!', '?', ';', '。'];
        if !node.name().is_formatting() || self.mode != Mode::Section {
            return false;
        }
        let Some(language) = node.attr("lang") else { return false };
        if Some(language) == self.context.language {
            return false;
        }
        let begins_sentence = self.open.is_none() || self.out.trim_end().ends_with(ENDS);
        begins_sentence && node.normalized_text().is_some_and(|text| text.ends_with(ENDS))
    }

    /// Writes such an element: a block of its own on the same line, which is read by the rules of its
    /// language.
    pub(super) fn sentence_in_a_language(&mut self, node: XmlNode<'t>) {
        self.close_in_line();
        self.at = node.range().start;
        let outer = self.enter();
        self.context.language = node.attr("lang");
        self.look(node);
        self.close_in_line();
        self.leave(outer);
    }
}
