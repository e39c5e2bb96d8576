//! Words within a line: marks of footnotes, cross-references, citations, formulae, sub- and superscripts.

use std::rc::Rc;

use super::{Gap, Writer};
use crate::document::index::is_footnote_reference;
use crate::text::math;
use crate::xml::names::Name;
use crate::xml::tree::Node;
use norma_provisions::blocks::{Authored, BlockKind, SpanKind};

/// Superscripts that are the end of an ordinal number.
const ORDINALS: &[&str] =
    &["st", "nd", "rd", "th", "e", "er", "re", "ère", "ème", "ième", "o", "a", "os", "es"];

impl<'t> Writer<'_, 't> {
    /// Writes an inline node; `false` when it is not inline.
    pub(super) fn inline(&mut self, node: Node<'t>) -> bool {
        match node.name() {
            Name::Bold
            | Name::Italic
            | Name::Underline
            | Name::Overline
            | Name::Sc
            | Name::Roman
            | Name::SansSerif
            | Name::Strike
            | Name::Num
            | Name::Abbrev
            | Name::X
            | Name::Target
            | Name::Article
            | Name::ChapterTitle
            | Name::TextualForm
            | Name::InlineSupplementaryMaterial
            | Name::Term
            | Name::Source
            | Name::StdRef => self.children(node),
            Name::Title if self.in_citation(node) => self.children(node),
            Name::Monospace | Name::Email | Name::Uri => self.span(SpanKind::Opaque, |w| w.children(node)),
            Name::ExtLink => self.children(node),
            Name::Break | Name::HtmlBr if self.context.breaks => {
                self.close();
                self.gap = Gap::Space;
            }
            Name::Break | Name::HtmlBr => self.separator = if self.context.cell { " " } else { "\n" },
            Name::Sub => self.script(node, '_'),
            Name::Sup => self.script(node, '^'),
            Name::Xref => self.cross_reference(node),
            Name::Fn if self.is_inline_footnote(node) => self.footnote(node),
            Name::Footnote => self.trimmed(node),
            Name::Std | Name::MixedCitation => self.citation(node),
            Name::ElementCitation | Name::NlmCitation => self.element_citation(node),
            Name::NamedContent | Name::StyledContent | Name::EntailedTerm => self.named_content(node),
            Name::InlineFormula | Name::Math | Name::TexMath | Name::ChemStruct | Name::Alternatives => {
                if node.name() == Name::Alternatives
                    && best_alternative(node).is_some_and(|n| n.name() == Name::Table)
                {
                    return false;
                }
                self.span(SpanKind::Formula, |w| w.formula(node, &|_| false));
            }
            Name::NavPointer => {
                self.set_separator(if self.out.ends_with(char::is_alphanumeric) { ", " } else { " " });
                self.children(node);
            }
            Name::NavPointerGroup => self.children(node),
            // Index marks and the identifiers of a citation are not running text.
            Name::IndexTerm | Name::IndexXref | Name::StdId | Name::StdIdGroup | Name::ObjectId => {}
            Name::AltText | Name::LongDesc => {}
            Name::Unknown if self.context.paragraph => self.children(node),
            Name::HtmlLi | Name::P | Name::Unknown => return false,
            _ => return false,
        }
        true
    }

    /// Sets the separator before the next word of an open block, unless another one is pending.
    pub(super) fn set_separator(&mut self, with: &'static str) {
        if self.open.is_some() && (self.separator.is_empty() || self.separator == " ") {
            self.separator = with;
        }
    }

    /// Writes a formula in one line: its MathML, else its TeX, else its text.
    pub(super) fn formula(&mut self, node: Node<'t>, skip: &dyn Fn(&Node<'t>) -> bool) {
        match node.name() {
            Name::Math => {
                let line = math::linear(node);
                if !line.is_empty() {
                    self.put(&line);
                }
            }
            Name::Alternatives => {
                if let Some(best) = best_alternative(node) {
                    self.formula(best, skip);
                }
            }
            Name::TexMath => self.children(node),
            Name::Text => self.text(node.characters()),
            _ => {
                let has_math = node.children().any(|n| n.name() == Name::Math);
                for child in inner(node).filter(|n| !skip(n)) {
                    match child.name() {
                        Name::TexMath if has_math => {}
                        Name::Math | Name::Alternatives | Name::TexMath | Name::ChemStruct => {
                            self.formula(child, skip);
                        }
                        _ => self.node(child),
                    }
                }
            }
        }
    }

    fn script(&mut self, node: Node<'t>, mark: char) {
        let plain = node.descendants().all(|n| {
            !matches!(n.name(), Name::Xref | Name::Fn | Name::Math | Name::InlineFormula | Name::Std)
        });
        let words = match node.normalized_text() {
            Some(words) if plain => words,
            _ => return self.children(node),
        };
        let before =
            self.out.chars().next_back().filter(|_| self.open.is_some() && self.separator.is_empty());
        let ordinal = ORDINALS.contains(&words.as_str())
            && before.is_some_and(|c| c.is_ascii_digit() || "nNIVXp".contains(c));
        let symbol = words.chars().all(|c| "™®℠°*†‡′″ºª".contains(c)) || words == "TM";
        if mark == '^' && (ordinal || symbol || before.is_none()) {
            return self.put(&words);
        }
        let simple =
            words.trim_start_matches(['−', '-', '+']).chars().all(|c| c.is_alphanumeric() || c == '.');
        self.put(&if simple { format!("{mark}{words}") } else { format!("{mark}({words})") });
    }

    fn cross_reference(&mut self, node: Node<'t>) {
        let rids = node.attr("rid").unwrap_or_default();
        let generated = || {
            let labels: Vec<String> =
                rids.split_whitespace().filter_map(|rid| self.document.display_label(rid)).collect();
            labels.join(", ")
        };
        if is_footnote_reference(node) {
            if self.omit_footnotes {
                return;
            }
            let mark = node.normalized_text().unwrap_or_else(generated);
            return self.footnote_mark(&mark);
        }
        let label = if node.is_blank() { generated() } else { String::new() };
        let kind = match node.attr("ref-type") {
            Some("bibr") => {
                let mut cited = rids.split_whitespace().filter_map(|rid| self.document.cited(rid)).peekable();
                let first = cited.peek().cloned();
                SpanKind::Citation { cited: cited.find(|cited| cited.urn.is_some()).or(first), listed: true }
            }
            _ => SpanKind::CrossReference { targets: self.document.targets(rids) },
        };
        self.span(kind, |w| {
            if label.is_empty() {
                w.trimmed(node);
            } else {
                w.put(&label);
            }
        });
    }

    fn citation(&mut self, node: Node<'t>) {
        let cited = self.document.citation(node);
        self.span(SpanKind::Citation { cited, listed: false }, |w| w.trimmed(node));
    }

    /// A citation in elements without punctuation between them.
    fn element_citation(&mut self, node: Node<'t>) {
        self.span(SpanKind::Citation { cited: None, listed: false }, |w| {
            for child in node.elements() {
                w.set_separator(", ");
                w.children(child);
            }
        });
    }

    fn named_content(&mut self, node: Node<'t>) {
        let is_term = node.name() == Name::EntailedTerm || node.attr("content-type") == Some("term");
        if !is_term {
            return match self.mark(node).filter(|_| self.context.authored.is_none()) {
                Some(mark) => self.marked(node, mark),
                None => self.children(node),
            };
        }
        let named = ["target", "xtarget", "rid", "href"].into_iter().find_map(|a| node.attr(a));
        let term = named.and_then(|id| self.document.term(id.trim().trim_start_matches('#')));
        self.span(SpanKind::Term { term }, |w| w.children(node));
    }

    fn trimmed(&mut self, node: Node<'t>) {
        inner(node).for_each(|child| self.node(child));
    }

    fn in_citation(&self, node: Node<'t>) -> bool {
        node.parent()
            .is_some_and(|p| matches!(p.name(), Name::Std | Name::MixedCitation | Name::RelatedObject))
    }

    /// Writes the mark of a footnote onto the word before it.
    fn footnote_mark(&mut self, mark: &str) {
        if mark.is_empty() {
            return;
        }
        if self.open.is_some() && !self.out.ends_with(char::is_whitespace) {
            self.separator = "";
        }
        self.span(SpanKind::FootnoteMark, |w| {
            let raised = if w.open.is_some() { "^" } else { "" };
            w.put(&format!("{raised}{mark}"));
        });
    }

    /// Writes words that the source marks as a provision: a block of its own on the same line.
    fn marked(&mut self, node: Node<'t>, mark: Rc<Authored<'t>>) {
        self.close_in_line();
        let element = node.xml_id();
        self.at = node.range().start;
        self.in_context(
            |context| {
                context.authored = Some(mark);
                context.element = element.or(context.element);
            },
            |w| {
                w.children(node);
                w.close_in_line();
            },
        );
    }

    /// Ends the open block so that the next one follows on the same line.
    fn close_in_line(&mut self) {
        let spaced = !self.separator.is_empty();
        self.close();
        if spaced {
            self.gap = self.gap.max(Gap::Space);
        }
    }

    /// Whether a footnote is at its mark, and not in a group of footnotes.
    fn is_inline_footnote(&self, node: Node<'t>) -> bool {
        node.parent().is_none_or(|p| !matches!(p.name(), Name::FnGroup | Name::TableWrapFoot | Name::Legend))
    }

    /// Writes the mark of a footnote and queues its body for the end of the section.
    fn footnote(&mut self, node: Node<'t>) {
        if self.omit_footnotes {
            return;
        }
        self.footnote_count += 1;
        let label = node
            .child(Name::Label)
            .and_then(Node::normalized_text)
            .or_else(|| node.attr("symbol").map(str::to_owned));
        let mark = label.unwrap_or_else(|| format!("{})", self.footnote_count));
        if !node.xml_id().is_some_and(|id| self.document.referenced_footnotes.contains(id)) {
            self.footnote_mark(&mark);
        }
        self.footnotes.push_back((node, self.context.table, mark));
    }

    /// Writes a footnote where footnotes are gathered; without a label it goes on from the one before.
    pub(super) fn grouped_footnote(&mut self, node: Node<'t>) {
        self.end_block(Gap::Line);
        self.flush_label();
        self.label = node.child(Name::Label).and_then(Node::normalized_text);
        let kind = match self.context.table {
            Some(_) => BlockKind::TableFootnote,
            None => BlockKind::Footnote,
        };
        self.in_context(
            |context| {
                context.kind = kind;
                context.paragraph = false;
            },
            |w| {
                w.children_without_label(node);
                w.flush_label();
            },
        );
        self.end_block(Gap::Line);
    }
}

/// Children without the white space at both ends, which pretty-printing put there.
fn inner<'t>(node: Node<'t>) -> impl Iterator<Item = Node<'t>> {
    let is_blank = |n: &Node<'t>| n.name() == Name::Text && n.characters().trim().is_empty();
    node.children().filter(move |n| !(is_blank(n) && (n.next().is_none() || n.is_first())))
}

/// The one of several renderings that reads best as text.
pub(super) fn best_alternative(node: Node<'_>) -> Option<Node<'_>> {
    let order = [
        Name::Math,
        Name::TexMath,
        Name::Table,
        Name::Tgroup,
        Name::TextualForm,
        Name::Code,
        Name::Preformat,
    ];
    order.iter().find_map(|name| node.child(*name)).or_else(|| node.elements().find(|n| !n.is_blank()))
}
