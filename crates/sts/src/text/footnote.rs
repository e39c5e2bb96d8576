//! Footnotes: their marks in the text, and the bodies of those in groups.

use super::inline::is_adjacent_to_words;
use super::lookups::{Lookups, display_labels};
use super::noted::{Note, Shape};
use super::{Gap, QueuedFootnote, TextWriter, line};
use crate::document::index::is_footnote_reference;
use crate::xml::names::Name;
use crate::xml::position::offset32;
use crate::xml::tree::XmlNode;
use norma_provisions::blocks::{BlockKind, SpanKind};

/// Siblings on each side of a footnote that are searched for references to it.
const MOST_ADJACENT: usize = 16;

impl<'t> TextWriter<'_, 't> {
    /// Writes the mark of a footnote and queues its body for the end of the section.
    pub(super) fn footnote(&mut self, node: XmlNode<'t>) {
        self.footnote_count += 1;
        let label = self.label_of(node).or_else(|| node.attr("symbol").map(str::to_owned));
        let mark = label.unwrap_or_else(|| format!("{})", self.footnote_count));
        if self.shows_mark(node) {
            self.footnote_mark(&mark, Shape::Mark(None), node, [offset32(node.id())].into());
        }
        self.footnotes.push_back(QueuedFootnote { node, table: self.context.table, mark });
    }

    /// Writes the mark of a cross-reference to footnotes: its words, else the labels of the footnotes.
    pub(super) fn footnote_reference(&mut self, document: &dyn Lookups<'t>, xref: XmlNode<'t>) {
        let rids = xref.attr("rid").unwrap_or_default();
        let mut mark = line(None, xref).unwrap_or_else(|| display_labels(document, rids));
        if mark.is_empty() {
            // A footnote without a label has a number, at its other marks too.
            let mut marks = Vec::new();
            for rid in rids.split_whitespace() {
                marks.extend(document.footnote_mark(rid, self.section));
            }
            mark = marks.join(", ");
        }
        let footnotes = rids.split_whitespace().filter_map(|rid| document.footnote(rid)).collect();
        self.footnote_mark(&mark, Shape::Mark(Some(rids)), xref, footnotes);
    }

    /// Writes the mark of footnotes onto the word before it.
    fn footnote_mark(&mut self, mark: &str, shape: Shape<'t>, node: XmlNode<'t>, footnotes: Box<[u32]>) {
        if mark.is_empty() {
            return;
        }
        if self.open.is_some() && !self.out.ends_with(char::is_whitespace) {
            self.separator = "";
        }
        // After a digit it would be read as an exponent; a label has no exponent.
        let after_digit = self.separator.is_empty() && self.out.ends_with(|c: char| c.is_ascii_digit());
        let raised = if self.open.is_none() {
            ""
        } else if after_digit && !self.context.label {
            " ^"
        } else {
            "^"
        };
        self.span(SpanKind::FootnoteMark { footnotes }, |w| {
            w.begin_shape(shape, node);
            let start = w.put_at(&format!("{raised}{mark}"));
            w.record(start, Note::Sign(start + raised.len()));
            w.end_shape();
        });
        if raised.starts_with(' ') {
            self.extend_mark_over_blank();
        }
    }

    /// Adds the blank before a mark to its token: without the mark, the text has no blank.
    fn extend_mark_over_blank(&mut self) {
        let Some(open) = &mut self.open else { return };
        let Some(last) = open.spans.last_mut() else { return };
        let is_mark = matches!(last.kind, SpanKind::FootnoteMark { .. });
        if is_mark && self.out[..last.range.start].ends_with(' ') {
            last.range.start -= 1;
        }
    }

    /// True if the source prints the mark of a footnote at the place of the footnote.
    fn shows_mark(&self, node: XmlNode<'t>) -> bool {
        let Some(id) = node.xml_id() else { return true };
        let Some(document) = self.document else { return true };
        let Some(reference) = document.footnote_reference(id) else { return true };
        // Footnotes that are collected in blocks of their own, and only referred to.
        let is_in_running_text = self.context.paragraph || is_adjacent_to_words(node);
        if !is_in_running_text || !follows_words(node) {
            return false;
        }
        // Footnotes that are collected at the end of the paragraph with the references to them.
        let parent = node.parent().map_or(0, XmlNode::id);
        let is_referred_to_before = (parent..node.id()).contains(&reference);
        if is_referred_to_before && is_among_last(node) {
            return false;
        }
        // A reference next to it shows the mark.
        !has_reference_to(id, preceding(node)) && !has_reference_to(id, following(node))
    }

    /// Writes a footnote of a group of footnotes; without a label it continues the one before.
    pub(super) fn grouped_footnote(&mut self, node: XmlNode<'t>) {
        self.end_block(Gap::Line);
        self.flush_label();
        let start = self.out.len();
        let label = self.label_of(node);
        self.label.clone_from(&label);
        let kind = match self.context.table {
            Some(_) => BlockKind::TableFootnote,
            None => BlockKind::Footnote,
        };
        let around = self.context.footnote.replace(offset32(node.id()));
        self.shaped(Shape::Footnote, node, |w| w.labelled_content(node, kind));
        self.context.footnote = around;
        self.add_table_footnote(self.context.table, start, label);
        self.end_block(Gap::Line);
    }
}

/// The siblings before a node, the nearest first.
fn preceding<'t>(node: XmlNode<'t>) -> impl Iterator<Item = XmlNode<'t>> {
    std::iter::successors(node.previous(), |n| n.previous()).take(MOST_ADJACENT)
}

/// The siblings after a node, the nearest first.
fn following<'t>(node: XmlNode<'t>) -> impl Iterator<Item = XmlNode<'t>> {
    std::iter::successors(node.next(), |n| n.next()).take(MOST_ADJACENT)
}

/// True if a node is white space, a comment or what is struck out.
fn is_blank_node(node: XmlNode<'_>) -> bool {
    !node.is_element() && node.characters().trim().is_empty()
}

/// True if anything but white space is before a footnote, under the same parent.
fn follows_words(footnote: XmlNode<'_>) -> bool {
    preceding(footnote).any(|n| !is_blank_node(n))
}

/// True if nothing but footnotes is after a footnote, under the same parent.
fn is_among_last(footnote: XmlNode<'_>) -> bool {
    following(footnote).all(|n| n.name() == Name::Fn || is_blank_node(n))
}

/// True if siblings have a reference to the footnote with an id, before any that is not a mark of a footnote.
fn has_reference_to<'t>(id: &str, siblings: impl Iterator<Item = XmlNode<'t>>) -> bool {
    for node in siblings {
        if node.name() == Name::Xref && is_footnote_reference(node) {
            let rids = node.attr("rid").unwrap_or_default();
            if rids.split_whitespace().any(|rid| rid == id) {
                return true;
            }
        } else if node.name() != Name::Fn && !is_blank_node(node) {
            return false;
        }
    }
    false
}
