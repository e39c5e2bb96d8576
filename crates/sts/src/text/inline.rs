//! Words within a line: marks of footnotes, cross-references, citations, formulae, sub- and superscripts.

use std::rc::Rc;

use super::noted::{Note, Shape};
use super::{Gap, Mode, TextWriter, line};
use crate::document::citation::{best_citation, is_joined};
use crate::document::graphics::alternative_text;
use crate::document::index::{is_footnote_reference, is_inline_footnote};
use crate::text::{math, tex, tex_line};
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;
use norma_provisions::blocks::{Authored, BlockKind, SpanKind};

/// Superscripts that are the end of an ordinal number.
const ORDINALS: &[&str] =
    &["st", "nd", "rd", "th", "e", "er", "re", "ère", "ème", "ième", "o", "a", "os", "es"];

impl<'t> TextWriter<'_, 't> {
    /// Writes an inline node; `false` when it is not inline.
    pub(super) fn inline(&mut self, node: XmlNode<'t>) -> bool {
        if self.is_sentence_in_a_language(node) {
            self.sentence_in_a_language(node);
            return true;
        }
        match node.name() {
            name if name.is_plain_inline() => self.look(node, Self::running),
            Name::Title if self.in_citation(node) => self.running(node),
            Name::Monospace => self.span(SpanKind::Opaque, |w| w.look(node, Self::running)),
            Name::ExtLink | Name::Uri | Name::Email | Name::InlineSupplementaryMaterial => self.link(node),
            Name::Private => self.private_character(node),
            Name::Rt => self.gloss(node),
            Name::Def if node.parent().is_some_and(|p| p.name() == Name::Abbrev) => self.gloss(node),
            Name::HtmlHr => self.set_separator(" "),
            Name::Break | Name::HtmlBr if self.context.breaks => {
                self.close();
                self.gap = Gap::Space;
            }
            Name::Break | Name::HtmlBr => self.separator = if self.context.cell { " " } else { "\n" },
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
                self.span(SpanKind::Formula, |w| w.formula(node, &|_| false));
            }
            Name::Alternatives => match best_alternative(node) {
                Some(best) if matches!(best.name(), Name::Math | Name::TexMath | Name::TextualForm) => {
                    self.span(SpanKind::Formula, |w| w.formula(best, &|_| false));
                }
                Some(best) => self.node(best),
                None => self.first_picture(node),
            },
            Name::NavPointer => {
                self.set_separator(if self.out.ends_with(char::is_alphanumeric) { ", " } else { " " });
                self.children(node);
            }
            Name::NavPointerGroup => self.children(node),
            // Index marks and the identifiers of a citation are not running text.
            Name::IndexTerm | Name::IndexXref | Name::StdId | Name::StdIdGroup | Name::ObjectId => {}
            Name::AltText | Name::LongDesc => {}
            // Code on one line between words is one of them.
            Name::Code
                if is_adjacent_to_words(node)
                    && node.descendants().all(|n| !n.characters().contains('\n')) =>
            {
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

    /// Writes words in another look.
    pub(super) fn look(&mut self, node: XmlNode<'t>, write: impl FnOnce(&mut Self, XmlNode<'t>)) {
        self.shaped(Shape::Look, node, |w| write(w, node));
    }

    /// Of pictures that show the same the first.
    fn first_picture(&mut self, alternatives: XmlNode<'t>) {
        let pictures = [Name::Graphic, Name::InlineGraphic, Name::Media];
        if let Some(first) = alternatives.elements().find(|n| pictures.contains(&n.name())) {
            self.picture(first);
        }
    }

    /// Writes an inline element; its address if it has one and no content.
    fn link(&mut self, node: XmlNode<'t>) {
        match node.attr("href") {
            Some(address) if node.elements().next().is_none() && node.is_blank() => {
                self.span(SpanKind::Opaque, |w| w.put(address.trim().trim_start_matches("mailto:")));
            }
            _ => self.running(node),
        }
    }

    /// Writes a character that Unicode does not have: its description, or else a sign for it. Its data are a
    /// drawing.
    fn private_character(&mut self, node: XmlNode<'t>) {
        let picture =
            || node.descendants().find(|n| n.name() == Name::InlineGraphic).and_then(alternative_text);
        let described = node.attr("description").map(|text| text.trim().to_owned()).or_else(picture);
        self.span(SpanKind::Opaque, |w| w.put(described.as_deref().unwrap_or("▢")));
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

    /// Writes a formula in one line: its MathML, else its TeX, else its text.
    pub(super) fn formula(&mut self, node: XmlNode<'t>, skip: &dyn Fn(&XmlNode<'t>) -> bool) {
        match node.name() {
            Name::Math => {
                let line = math::linear(node, &|| self.decimal_sign());
                if !line.is_empty() {
                    self.inserted(node, |w| {
                        let start = w.put_at(&line);
                        w.record(start, Note::Formula(node, w.out.len()));
                    });
                }
            }
            Name::Alternatives => match best_alternative(node) {
                Some(best) => self.formula(best, skip),
                None => self.first_picture(node),
            },
            Name::TexMath => {
                if let Some(source) = node.normalized_text() {
                    let source = tex::formula(&source);
                    // A title or caption is read as print does, if the formula is simple.
                    let line = if self.is_short() { tex_line::line(source) } else { None };
                    match line {
                        Some(line) => self.put(&line),
                        None => self.shaped(Shape::Code("tex"), node, |w| w.put(source)),
                    }
                }
            }
            Name::Text => self.text(node.characters()),
            _ => {
                // If a formula has several renderings, only the best is written.
                let best = node.elements().filter_map(rendering).min();
                for child in inner(node).filter(|n| !skip(n)) {
                    match child.name() {
                        _ if rendering(child) > best => {}
                        Name::Math | Name::Alternatives | Name::TexMath | Name::ChemStruct => {
                            self.formula(child, skip);
                        }
                        _ => self.node(child),
                    }
                }
            }
        }
    }

    fn script(&mut self, node: XmlNode<'t>, mark: char) {
        let shape = if mark == '^' { Shape::Superscript } else { Shape::Subscript };
        let plain = node.descendants().all(|n| {
            !matches!(n.name(), Name::Xref | Name::Fn | Name::Math | Name::InlineFormula | Name::Std)
        });
        let words = match line(self.document, node) {
            Some(words) if plain => words,
            _ => return self.shaped(shape, node, |w| w.running(node)),
        };
        let before =
            self.out.chars().next_back().filter(|_| self.open.is_some() && self.separator.is_empty());
        let ordinal = ORDINALS.contains(&words.as_str())
            && before.is_some_and(|c| c.is_ascii_digit() || "nNIVXp".contains(c));
        let symbol = words.chars().all(|c| "™®℠°*†‡′″ºª".contains(c)) || words == "TM";
        if mark == '^' && (ordinal || symbol || before.is_none()) {
            return self.shaped(shape, node, |w| w.put(&words));
        }
        let script = words.trim_start_matches(['−', '-', '+']);
        let is_number = script.chars().all(|c| c.is_ascii_digit() || c == '.');
        // Digits and then letters need brackets, since `H_2O` has a script of one digit.
        let begins_with_digit = script.starts_with(|c: char| c.is_ascii_digit());
        let is_bare =
            script.chars().all(|c| c.is_alphanumeric() || c == '.') && (is_number || !begins_with_digit);
        self.shaped(shape, node, |w| {
            let (before, after) = if is_bare { ("", "") } else { ("(", ")") };
            let start = w.put_at(&format!("{mark}{before}{words}{after}"));
            w.record(start, Note::Sign(start + mark.len_utf8() + before.len()));
            w.record(w.out.len() - after.len(), Note::Sign(w.out.len()));
            if is_bare && !script.is_empty() {
                w.bare_script = Some((w.out.len(), is_number));
            }
        });
    }

    fn cross_reference(&mut self, node: XmlNode<'t>) {
        let footnote = is_footnote_reference(node);
        if footnote && self.mode != Mode::Section {
            return;
        }
        let Some(document) = self.document else { return self.trimmed(node) };
        let rids = node.attr("rid").unwrap_or_default();
        let generated = || {
            let labels: Vec<String> =
                rids.split_whitespace().filter_map(|rid| document.display_label(rid)).collect();
            labels.join(", ")
        };
        if footnote {
            let words = line(None, node).unwrap_or_else(generated);
            let mark = match words.is_empty() {
                // A footnote without a label has a number, at its other marks too.
                true => {
                    let marks = rids.split_whitespace();
                    let marks = marks.filter_map(|rid| document.footnote_mark(rid, self.section));
                    marks.collect::<Vec<_>>().join(", ")
                }
                false => words,
            };
            return self.footnote_mark(&mark, Shape::Mark(Some(rids)), node);
        }
        let label = if node.is_blank() { generated() } else { String::new() };
        let kind = match node.attr("ref-type") {
            Some("bibr") => {
                let entries = rids.split_whitespace().map(|rid| document.cited(rid));
                SpanKind::Citation { cited: entries.flat_map(|cited| cited.to_vec()).collect(), listed: true }
            }
            _ => SpanKind::CrossReference { targets: document.targets(rids) },
        };
        self.span(kind, |w| {
            w.shaped(Shape::Reference(rids), node, |w| {
                if label.is_empty() {
                    w.trimmed(node);
                } else {
                    w.put(&label);
                }
            });
        });
    }

    fn citation(&mut self, node: XmlNode<'t>) {
        let cited = self
            .document
            .and_then(|document| document.citations(node).first().cloned())
            .into_iter()
            .collect();
        self.span(SpanKind::Citation { cited, listed: false }, |w| match is_joined(node) {
            true => w.parted(node, ", "),
            false => w.trimmed(node),
        });
    }

    /// Writes elements that have no words between them apart from each other.
    fn parted(&mut self, node: XmlNode<'t>, separator: &'static str) {
        let paragraph = std::mem::replace(&mut self.context.paragraph, true);
        for child in node.elements() {
            if !child.name().is_attached() {
                self.set_separator(separator);
            }
            // A name of a person or a date has its parts in elements of their own.
            let structured = child.name() == Name::Unknown
                && child.children().all(|n| n.name() != Name::Text || n.characters().trim().is_empty());
            match structured {
                true => self.parted(child, " "),
                false => self.node(child),
            }
        }
        self.context.paragraph = paragraph;
    }

    fn named_content(&mut self, node: XmlNode<'t>) {
        let is_term = node.name() == Name::EntailedTerm || node.attr("content-type") == Some("term");
        if !is_term {
            return match self.mark(node).filter(|_| self.context.authored.is_none()) {
                Some(mark) => self.marked(node, mark),
                None => self.look(node, Self::running),
            };
        }
        let named = ["target", "xtarget", "rid", "href"].into_iter().find_map(|a| node.attr(a));
        let term = self
            .document
            .zip(named)
            .and_then(|(document, id)| document.term(id.trim().trim_start_matches('#')));
        let id = named.unwrap_or_default().trim().trim_start_matches('#');
        self.span(SpanKind::Term { term }, |w| w.shaped(Shape::Term(id), node, |w| w.running(node)));
    }

    fn trimmed(&mut self, node: XmlNode<'t>) {
        let paragraph = std::mem::replace(&mut self.context.paragraph, true);
        inner(node).for_each(|child| self.node(child));
        self.context.paragraph = paragraph;
    }

    fn in_citation(&self, node: XmlNode<'t>) -> bool {
        node.parent().map(XmlNode::name).is_some_and(|name| {
            name == Name::RelatedObject || name.is_citation() && name != Name::CitationAlternatives
        })
    }

    /// Writes the mark of a footnote onto the word before it.
    fn footnote_mark(&mut self, mark: &str, shape: Shape<'t>, node: XmlNode<'t>) {
        if mark.is_empty() {
            return;
        }
        if self.open.is_some() && !self.out.ends_with(char::is_whitespace) {
            self.separator = "";
        }
        // After a digit it would be read as an exponent; a label has no exponent.
        let after_digit = self.separator.is_empty() && self.out.ends_with(|c: char| c.is_ascii_digit());
        let raised = match self.open {
            Some(_) if after_digit && !self.context.label => " ^",
            Some(_) => "^",
            None => "",
        };
        self.span(SpanKind::FootnoteMark, |w| {
            w.shaped(shape, node, |w| {
                let start = w.put_at(&format!("{raised}{mark}"));
                w.record(start, Note::Sign(start + raised.len()));
            });
        });
        // The blank belongs to the mark: without the mark, the text has none.
        let last = self.open.as_mut().and_then(|open| open.spans.last_mut());
        if let Some(mark) = last.filter(|span| matches!(span.kind, SpanKind::FootnoteMark))
            && raised.starts_with(' ')
            && self.out[..mark.range.start].ends_with(' ')
        {
            mark.range.start -= 1;
        }
    }

    /// Writes words that the source marks as a provision: a block of its own on the same line.
    fn marked(&mut self, node: XmlNode<'t>, mark: Rc<Authored<'t>>) {
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
    pub(super) fn close_in_line(&mut self) {
        let spaced = !self.separator.is_empty();
        self.close();
        if spaced {
            self.gap = self.gap.max(Gap::Space);
        }
    }

    /// Whether the mark of a footnote is shown where it is: not where a reference next to it shows the mark,
    /// nor where it is collected with others and only referred to.
    fn shows_mark(&self, node: XmlNode<'t>) -> bool {
        /// Footnotes and references to footnotes that are looked at around one.
        const MOST_ADJACENT: usize = 16;
        let id = node.xml_id();
        let reference = id.zip(self.document).and_then(|(id, document)| document.footnote_reference(id));
        let (Some(id), Some(reference)) = (id, reference) else { return true };
        let is_blank = |n: &XmlNode<'t>| !n.is_element() && n.characters().trim().is_empty();
        let names =
            |n: XmlNode<'t>| n.attr("rid").unwrap_or_default().split_whitespace().any(|rid| rid == id);
        let is_mark =
            |n: &XmlNode<'t>| n.name() == Name::Fn || n.name() == Name::Xref && is_footnote_reference(*n);
        let before = || std::iter::successors(node.previous(), |n| n.previous());
        let after = || std::iter::successors(node.next(), |n| n.next());
        let adjacent = |nodes: &mut dyn Iterator<Item = XmlNode<'t>>| {
            let marks = nodes.take(MOST_ADJACENT).take_while(|n| is_blank(n) || is_mark(n));
            marks.filter(|n| n.name() == Name::Xref).any(names)
        };
        let follows_words = before().take(MOST_ADJACENT).any(|n| !is_blank(&n));
        let is_last = after().take(MOST_ADJACENT).all(|n| is_blank(&n) || n.name() == Name::Fn);
        let parent = node.parent().map_or(0, XmlNode::id);
        let is_collected = is_last && (parent..node.id()).contains(&reference);
        let running = self.context.paragraph || is_adjacent_to_words(node);
        running && follows_words && !is_collected && !adjacent(&mut before()) && !adjacent(&mut after())
    }

    /// Writes the mark of a footnote and queues its body for the end of the section.
    fn footnote(&mut self, node: XmlNode<'t>) {
        self.footnote_count += 1;
        let label = self.label_of(node).or_else(|| node.attr("symbol").map(str::to_owned));
        let mark = label.unwrap_or_else(|| format!("{})", self.footnote_count));
        if self.shows_mark(node) {
            self.footnote_mark(&mark, Shape::Mark(None), node);
        }
        self.footnotes.push_back((node, self.context.table, mark));
    }

    /// Writes a footnote of a group of footnotes; without a label it continues the one before.
    pub(super) fn grouped_footnote(&mut self, node: XmlNode<'t>) {
        self.end_block(Gap::Line);
        self.flush_label();
        let (start, label) = (self.out.len(), self.label_of(node));
        self.label.clone_from(&label);
        let kind = match self.context.table {
            Some(_) => BlockKind::TableFootnote,
            None => BlockKind::Footnote,
        };
        self.shaped(Shape::Footnote, node, |w| w.labelled_content(node, kind));
        self.add_table_footnote(self.context.table, start, label);
        self.end_block(Gap::Line);
    }
}

/// Children without the white space at both ends, which pretty-printing put there.
fn inner<'t>(node: XmlNode<'t>) -> impl Iterator<Item = XmlNode<'t>> {
    let is_blank = |n: &XmlNode<'t>| n.name() == Name::Text && n.characters().trim().is_empty();
    node.children().filter(move |n| !(is_blank(n) && (n.next().is_none() || n.is_first())))
}

/// Whether words are directly before or after a node, under the same parent.
fn is_adjacent_to_words(node: XmlNode<'_>) -> bool {
    let says = |n: XmlNode<'_>| n.name() == Name::Text && !n.characters().trim().is_empty();
    node.previous().is_some_and(says) || node.next().is_some_and(says)
}

/// How well a node renders a formula, the best first; `None` where it renders none.
fn rendering(node: XmlNode<'_>) -> Option<u8> {
    match node.name() {
        Name::Math => Some(0),
        Name::TexMath => Some(2),
        Name::TextualForm => Some(4),
        Name::Alternatives => best_alternative(node).and_then(rendering).map(|rendering| rendering + 1),
        _ => None,
    }
}

/// The best one of several renderings as text.
pub(super) fn best_alternative(node: XmlNode<'_>) -> Option<XmlNode<'_>> {
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
