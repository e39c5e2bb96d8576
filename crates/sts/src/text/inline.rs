//! Words within a line: links, cross-references, citations, uses of terms, words in another look.

use std::rc::Rc;

use super::formula::{FormulaExtent, best_alternative};
use super::lookups::display_labels;
use super::noted::Shape;
use super::{Gap, Mode, TextWriter};
use crate::document::citation::{best_citation, is_joined};
use crate::document::graphics::alternative_text;
use crate::document::index::{is_footnote_reference, is_inline_footnote};
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;
use norma_provisions::blocks::{Authored, SpanKind};

impl<'t> TextWriter<'_, 't> {
    /// Writes an inline node; `false` when it is not inline.
    pub(super) fn inline(&mut self, node: XmlNode<'t>) -> bool {
        if self.is_sentence_in_a_language(node) {
            self.sentence_in_a_language(node);
            return true;
        }
        match node.name() {
            name if name.is_plain_inline() => self.look(node),
            Name::Title if is_in_citation(node) => self.running(node),
            Name::Monospace => self.span(SpanKind::Opaque, |w| w.look(node)),
            Name::ExtLink | Name::Uri | Name::Email | Name::InlineSupplementaryMaterial => self.link(node),
            Name::Private => self.private_character(node),
            Name::Rt => self.gloss(node),
            Name::Def if node.parent().is_some_and(|p| p.name() == Name::Abbrev) => self.gloss(node),
            Name::HtmlHr => self.set_separator(" "),
            Name::Break | Name::HtmlBr => self.line_break(),
            Name::Sub => self.script(node, '_'),
            Name::Sup => self.script(node, '^'),
            Name::Xref => self.cross_reference(node),
            Name::Fn | Name::Footnote if self.mode != Mode::Section => {}
            Name::Fn if is_inline_footnote(node) => self.footnote(node),
            Name::Footnote => self.trimmed(node),
            Name::Std | Name::MixedCitation | Name::ElementCitation | Name::NlmCitation => {
                self.citation(node);
            }
            Name::CitationAlternatives => {
                if let Some(best) = best_citation(node, self.main_language()) {
                    self.node(best);
                }
            }
            Name::NamedContent | Name::StyledContent | Name::EntailedTerm => self.named_content(node),
            Name::InlineFormula | Name::Math | Name::TexMath | Name::ChemStruct => {
                self.span(SpanKind::Formula, |w| w.formula(node, FormulaExtent::Whole));
            }
            Name::Alternatives => self.alternatives(node),
            Name::NavPointer => {
                self.set_separator(if self.out.ends_with(char::is_alphanumeric) { ", " } else { " " });
                self.children(node);
            }
            Name::NavPointerGroup => self.children(node),
            // Index marks and the identifiers of a citation are not running text.
            Name::IndexTerm | Name::IndexXref | Name::StdId | Name::StdIdGroup | Name::ObjectId => {}
            Name::AltText | Name::LongDesc => {}
            // Code on one line between words is one of them.
            Name::Code if is_adjacent_to_words(node) && is_one_line(node) => {
                self.span(SpanKind::Opaque, |w| w.shaped(Shape::Code("code"), node, |w| w.running(node)));
            }
            // An element that is not known as a block belongs to the sentence around it.
            name if !name.is_block() && (self.context.paragraph || is_adjacent_to_words(node)) => {
                self.link(node)
            }
            _ => return false,
        }
        true
    }

    /// Writes the best of several renderings of the same.
    fn alternatives(&mut self, node: XmlNode<'t>) {
        let Some(best) = best_alternative(node) else { return self.first_picture(node) };
        match best.name() {
            Name::Math | Name::TexMath | Name::TextualForm => {
                self.span(SpanKind::Formula, |w| w.formula(best, FormulaExtent::Whole));
            }
            _ => self.node(best),
        }
    }

    fn line_break(&mut self) {
        if self.context.breaks {
            self.close();
            self.gap = Gap::Space;
        } else {
            self.separator = if self.context.cell { " " } else { "\n" };
        }
    }

    /// Writes words in another look, such as bold.
    pub(super) fn look(&mut self, node: XmlNode<'t>) {
        self.shaped(Shape::Look, node, |w| w.running(node));
    }

    /// Writes an inline element; its address if it has one and no content.
    fn link(&mut self, node: XmlNode<'t>) {
        match node.attr("href") {
            Some(address) if is_empty_element(node) => {
                self.span(SpanKind::Opaque, |w| w.put(address.trim().trim_start_matches("mailto:")));
            }
            _ => self.running(node),
        }
    }

    /// Writes a character that Unicode does not have: its description, or else a sign for it. Its data are a
    /// drawing.
    fn private_character(&mut self, node: XmlNode<'t>) {
        let description = match node.attr("description") {
            Some(description) => Some(description.trim().to_owned()),
            None => {
                let picture = node.descendants().find(|n| n.name() == Name::InlineGraphic);
                picture.and_then(alternative_text)
            }
        };
        self.span(SpanKind::Opaque, |w| w.put(description.as_deref().unwrap_or("▢")));
    }

    /// Writes the explanation of the word before it in brackets, in the same line.
    fn gloss(&mut self, node: XmlNode<'t>) {
        if node.is_blank() {
            return;
        }
        self.set_separator(" ");
        self.put("(");
        for child in inner(node) {
            match child.name() {
                Name::P => {
                    self.running(child);
                    self.set_separator(" ");
                }
                _ => self.node(child),
            }
        }
        self.separator = "";
        self.put(")");
    }

    /// Sets the separator before the next word of an open block, unless another one is pending.
    pub(super) fn set_separator(&mut self, with: &'static str) {
        if self.open.is_some() && (self.separator.is_empty() || self.separator == " ") {
            self.separator = with;
        }
    }

    /// Writes a cross-reference: its words, or else the labels of the parts that it points at.
    fn cross_reference(&mut self, node: XmlNode<'t>) {
        let is_footnote = is_footnote_reference(node);
        if is_footnote && self.mode != Mode::Section {
            return;
        }
        let Some(document) = self.document else { return self.trimmed(node) };
        if is_footnote {
            return self.footnote_reference(document, node);
        }
        let rids = node.attr("rid").unwrap_or_default();
        let label = if node.is_blank() { display_labels(document, rids) } else { String::new() };
        let kind = match node.attr("ref-type") {
            Some("bibr") => {
                let mut cited = Vec::new();
                for rid in rids.split_whitespace() {
                    cited.extend_from_slice(&document.cited(rid));
                }
                SpanKind::Citation { cited, listed: true }
            }
            _ => SpanKind::CrossReference { targets: document.targets(rids) },
        };
        self.span(kind, |w| {
            w.begin_shape(Shape::Reference(rids), node);
            if label.is_empty() {
                w.trimmed(node);
            } else {
                w.put(&label);
            }
            w.end_shape();
        });
    }

    fn citation(&mut self, node: XmlNode<'t>) {
        let mut cited = Vec::new();
        if let Some(document) = self.document {
            cited.extend(document.citations(node).first().cloned());
        }
        self.span(SpanKind::Citation { cited, listed: false }, |w| {
            if is_joined(node) {
                w.parted(node, ", ");
            } else {
                w.trimmed(node);
            }
        });
    }

    /// Writes elements that have no words between them apart from each other.
    fn parted(&mut self, node: XmlNode<'t>, separator: &'static str) {
        let paragraph = std::mem::replace(&mut self.context.paragraph, true);
        for child in node.elements() {
            if !child.name().is_attached() {
                self.set_separator(separator);
            }
            if is_structured(child) {
                self.parted(child, " ");
            } else {
                self.node(child);
            }
        }
        self.context.paragraph = paragraph;
    }

    /// Writes words that the source names: the use of a term, a provision, or words in another look.
    fn named_content(&mut self, node: XmlNode<'t>) {
        let is_term = node.name() == Name::EntailedTerm || node.attr("content-type") == Some("term");
        if is_term {
            return self.term_use(node);
        }
        match self.mark(node) {
            Some(mark) if self.context.authored.is_none() => self.marked(node, mark),
            _ => self.look(node),
        }
    }

    fn term_use(&mut self, node: XmlNode<'t>) {
        let target = ["target", "xtarget", "rid", "href"].into_iter().find_map(|name| node.attr(name));
        let id = target.unwrap_or_default().trim().trim_start_matches('#');
        let term = match (self.document, target) {
            (Some(document), Some(_)) => document.term(id),
            _ => None,
        };
        self.span(SpanKind::Term { term }, |w| w.shaped(Shape::Term(id), node, |w| w.running(node)));
    }

    /// Writes the children of a node as running text, without the white space at both ends.
    fn trimmed(&mut self, node: XmlNode<'t>) {
        let paragraph = std::mem::replace(&mut self.context.paragraph, true);
        for child in inner(node) {
            self.node(child);
        }
        self.context.paragraph = paragraph;
    }

    /// Writes words that the source marks as a provision: a block of its own on the same line.
    fn marked(&mut self, node: XmlNode<'t>, mark: Rc<Authored<'t>>) {
        self.close_in_line();
        self.at = node.range().start;
        let outer = self.enter();
        self.context.authored = Some(mark);
        self.context.element = node.xml_id().or(self.context.element);
        self.children(node);
        self.close_in_line();
        self.leave(outer);
    }

    /// Ends the open block so that the next one follows on the same line.
    pub(super) fn close_in_line(&mut self) {
        let spaced = !self.separator.is_empty();
        self.close();
        if spaced {
            self.gap = self.gap.max(Gap::Space);
        }
    }
}

/// Children without the white space at both ends, which pretty-printing put there.
pub(super) fn inner<'t>(node: XmlNode<'t>) -> impl Iterator<Item = XmlNode<'t>> {
    node.children().filter(|n| !(is_blank_text(*n) && (n.next().is_none() || n.is_first())))
}

/// True if a node is white space between elements.
pub(super) fn is_blank_text(node: XmlNode<'_>) -> bool {
    node.name() == Name::Text && node.characters().trim().is_empty()
}

fn is_in_citation(title: XmlNode<'_>) -> bool {
    let Some(parent) = title.parent() else { return false };
    match parent.name() {
        Name::RelatedObject => true,
        // Its title is not one of the citations.
        Name::CitationAlternatives => false,
        name => name.is_citation(),
    }
}

/// True if an element within a citation has its parts in elements of their own, as a date or the name of a
/// person.
fn is_structured(part: XmlNode<'_>) -> bool {
    part.name() == Name::Unknown && part.children().all(|n| n.name() != Name::Text || is_blank_text(n))
}

fn is_empty_element(node: XmlNode<'_>) -> bool {
    node.elements().next().is_none() && node.is_blank()
}

fn is_one_line(code: XmlNode<'_>) -> bool {
    code.descendants().all(|n| !n.characters().contains('\n'))
}

/// True if words are directly before or after a node, under the same parent.
pub(super) fn is_adjacent_to_words(node: XmlNode<'_>) -> bool {
    let has_words = |n: XmlNode<'_>| n.name() == Name::Text && !is_blank_text(n);
    node.previous().is_some_and(has_words) || node.next().is_some_and(has_words)
}
