//! Blocks of running text: headings, paragraphs, notes, examples, figures, formulae on lines of their own.

use std::rc::Rc;

use norma_model::ProvisionKind;

use super::caption::is_caption;
use super::noted::{Note, Shape};
use super::requirement::kind_of_element;
use super::term::begins_with_label;
use super::{Gap, Mode, TextWriter, WriteContext};
use crate::languages::generated;
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;
use norma_provisions::blocks::{Authored, BlockKind, SpanKind};

impl<'t> TextWriter<'_, 't> {
    /// Writes any node.
    pub(super) fn node(&mut self, node: XmlNode<'t>) {
        let name = node.name();
        match name {
            Name::Text => return self.inserted(node, |w| w.text(node.characters())),
            Name::Other if node.struck().is_some() => {
                let spaced = !self.separator.is_empty();
                return self.record(self.out.len(), Note::Struck(node, spaced));
            }
            Name::Other | Name::Graphic | Name::InlineGraphic | Name::Media => return self.picture(node),
            _ if name.is_metadata() || self.document.is_some_and(|d| d.is_section(node)) => {
                return self.separate_blocks();
            }
            Name::NonNormativeNote | Name::NormativeNote | Name::AltTitle if self.mode == Mode::Line => {
                return;
            }
            _ if self.inline(node) => return,
            _ => {}
        }
        self.at = node.range().start;
        let element = self.context.element;
        let authored = self.context.authored.clone();
        let language = self.context.language;
        if let Some(own) = node.attr("lang") {
            self.close();
            self.context.language = Some(own);
        }
        let in_sentence = self.context.paragraph && self.open.is_some();
        if let Some(id) = node.xml_id() {
            self.note_id(node);
            // A formula on a line of its own does not end the sentence that it is in.
            if !(in_sentence && is_display_formula(name)) {
                self.close();
                self.context.element = Some(id);
            }
        }
        if in_sentence && parts_sentence(name) {
            return self.parting(node);
        }
        if authored.is_none()
            && let Some(mark) = self.mark(node)
        {
            self.close();
            self.context.authored = Some(mark);
        }
        self.block(node);
        if self.context.element != element
            || self.context.authored != authored
            || self.context.language != language
        {
            self.close();
        }
        self.context.element = element;
        self.context.authored = authored;
        self.context.language = language;
    }

    /// Writes a figure, table or list within a paragraph, whose sentence may go on after it.
    fn parting(&mut self, node: XmlNode<'t>) {
        self.close();
        let is_unfinished = !self.out.trim_end().ends_with(['.', '!', '?', ':', ';', '。']);
        let begun = self.previous.filter(|_| is_unfinished);
        let element = self.context.element;
        self.context.element = node.xml_id().or(element);
        self.block(node);
        self.close();
        self.context.element = element;
        self.parted = begun;
    }

    fn block(&mut self, node: XmlNode<'t>) {
        match node.name() {
            Name::P | Name::VerseLine | Name::Attrib | Name::HtmlLi => self.paragraph(node),
            Name::List | Name::HtmlUl | Name::HtmlOl => self.list(node),
            Name::DefList => self.def_list(node),
            Name::DefItem => self.def_item(node),
            Name::TableWrap | Name::Array | Name::Table | Name::Tgroup => self.table(node),
            Name::Fig | Name::FigGroup | Name::TableWrapGroup => self.figure(node),
            Name::DispFormula | Name::ChemStructWrap => self.display_formula(node),
            Name::DispFormulaGroup if self.context.paragraph && self.open.is_some() => {
                self.group_in_sentence(node);
            }
            Name::NonNormativeNote | Name::NormativeNote => self.note(node),
            Name::NonNormativeExample | Name::NormativeExample => {
                let label = &generated(self.main_language()).example;
                self.shaped(Shape::Group("example"), node, |w| w.labelled(node, BlockKind::Example, label));
            }
            Name::TermEntry => {
                let displayed = node.parent().is_some_and(|p| p.child(Name::TermDisplay).is_some());
                if !displayed {
                    self.entry(node);
                }
            }
            Name::TermDisplay => {
                self.shaped(Shape::Group("term"), node, |w| {
                    w.apart(
                        |context| (context.kind, context.entry) = (BlockKind::Definition, true),
                        |w| w.children(node),
                    );
                });
            }
            Name::Preformat | Name::Code => {
                self.shaped(Shape::Verbatim, node, |w| {
                    w.apart(
                        |context| {
                            (context.kind, context.paragraph) = (BlockKind::Code, true);
                            context.verbatim = !context.cell;
                        },
                        |w| w.children(node),
                    );
                });
            }
            Name::EditingInstruction => self.shaped(Shape::Group("instruction"), node, |w| {
                w.grouped(node, Some(BlockKind::Amendment));
            }),
            Name::DispQuote => {
                let amends = self.document.is_some_and(|d| d.amends());
                let kind = if amends { BlockKind::Amendment } else { BlockKind::Quote };
                self.shaped(Shape::Quotation, node, |w| w.grouped(node, Some(kind)));
            }
            Name::Ref => self.reference(node),
            Name::Fn => self.grouped_footnote(node),
            Name::Title | Name::Subtitle => {
                self.shaped(Shape::Paragraph("title"), node, |w| {
                    w.apart(|context| context.kind = BlockKind::Title, |w| w.running(node));
                });
                self.previous = None;
            }
            Name::Label => {
                self.separate_blocks();
                self.shaped(Shape::Paragraph("label"), node, |w| {
                    w.in_context(|context| context.kind = BlockKind::Other, |w| w.running(node));
                });
                self.end_block(Gap::Line);
            }
            Name::Caption | Name::AltText | Name::LongDesc | Name::ObjectId => self.caption(node),
            Name::IndexEntry => {
                self.end_block(Gap::Line);
                self.shaped(Shape::Paragraph(""), node, |w| {
                    w.in_context(|context| context.kind = BlockKind::Other, |w| w.children(node));
                });
                self.end_block(Gap::Line);
            }
            Name::BoxedText => self.shaped(Shape::Group("box"), node, |w| w.grouped(node, None)),
            Name::AnnexType | Name::RefList | Name::Index | Name::Toc => {
                self.grouped(node, Some(BlockKind::Other));
            }
            _ => self.grouped(node, None),
        }
    }

    pub(super) fn grouped(&mut self, node: XmlNode<'t>, kind: Option<BlockKind>) {
        let kind = kind.unwrap_or(self.context.kind);
        self.apart(|context| (context.kind, context.paragraph) = (kind, false), |w| w.children(node));
    }

    /// Writes whole blocks separately from those around them, and returns to the present one.
    pub(super) fn apart(
        &mut self,
        change: impl FnOnce(&mut WriteContext<'t>),
        write: impl FnOnce(&mut Self),
    ) {
        self.separate_blocks();
        self.in_context(change, write);
        self.separate_blocks();
    }

    pub(super) fn paragraph(&mut self, node: XmlNode<'t>) {
        self.separate_blocks();
        self.shaped(Shape::Paragraph(""), node, |w| {
            let outer = w.parted.take();
            w.write_element(node, |w| w.as_kind(w.context.kind, true, |w| w.children(node)));
            w.parted = outer;
        });
        self.separate_blocks();
    }

    /// Writes an element and records its bytes if it became one block.
    pub(super) fn write_element(&mut self, node: XmlNode<'t>, write: impl FnOnce(&mut Self)) {
        self.close();
        let before = self.block_list.blocks.len();
        write(self);
        self.close();
        if let [block] = &mut self.block_list.blocks[before..]
            && block.xml.is_none()
        {
            block.xml = self.markup.and_then(|markup| markup.range_in_markup(node.range()));
        }
    }

    fn note(&mut self, node: XmlNode<'t>) {
        let words = generated(self.main_language());
        let sort = node.attr("content-type").or_else(|| node.attr("specific-use")).unwrap_or_default();
        let (kind, label) = match sort.trim().to_ascii_lowercase().as_str() {
            "warning" => (BlockKind::Warning, &words.warning),
            "caution" => (BlockKind::Warning, &words.caution),
            "danger" => (BlockKind::Warning, &words.danger),
            _ if node.name() == Name::NormativeNote => (self.context.kind, &words.note),
            _ if self.context.entry => (BlockKind::NoteToEntry, &words.note),
            _ => (BlockKind::Note, &words.note),
        };
        let shape = Shape::Group(if kind == BlockKind::Warning { "warning" } else { "note" });
        self.shaped(shape, node, |w| w.labelled(node, kind, label));
    }

    /// Writes an element with its own label or a generated one.
    fn labelled(&mut self, node: XmlNode<'t>, kind: BlockKind, generated: &str) {
        self.separate_blocks();
        self.flush_label();
        let language = self.main_language().to_owned();
        self.label = self
            .label_of(node)
            .or_else(|| (!begins_with_label(node, &language)).then(|| generated.to_owned()));
        self.labelled_content(node, kind);
        self.separate_blocks();
        self.previous = None;
    }

    /// Writes the content of an element whose label is pending; the label alone where there is none.
    pub(super) fn labelled_content(&mut self, node: XmlNode<'t>, kind: BlockKind) {
        self.as_kind(kind, false, |w| {
            w.children_without_label(node);
            w.flush_label();
        });
    }

    /// Writes the content of an element without its label.
    pub(super) fn children_without_label(&mut self, node: XmlNode<'t>) {
        let label = node.child(Name::Label);
        node.children().filter(|child| Some(*child) != label).for_each(|child| self.node(child));
    }

    /// Writes label and caption in one line, then the rest.
    fn figure(&mut self, node: XmlNode<'t>) {
        self.separate_blocks();
        self.begin_shape(Shape::Figure("figure"), node);
        self.captioned(node);
        for child in node.children().filter(|c| !is_caption(node, *c)) {
            match child.name() {
                // The tables of a group have provisions as others have.
                Name::TableWrap if node.name() == Name::TableWrapGroup => self.node(child),
                _ => self.as_kind(BlockKind::FigureKey, false, |w| w.node(child)),
            }
        }
        self.end_shape();
        self.separate_blocks();
        self.previous = None;
    }

    /// Writes a formula on a line of its own: within a paragraph it belongs to the paragraph's block.
    fn display_formula(&mut self, node: XmlNode<'t>) {
        let within_paragraph = self.context.paragraph && self.open.is_some();
        let label = self.label_of(node);
        self.begin_shape(Shape::Group("formula"), node);
        let write = |w: &mut Self| {
            w.span(SpanKind::Formula, |w| {
                w.formula(node, &|n| n.name() == Name::Label || n.name().follows_formula());
                if let Some(label) = label {
                    w.set_separator(" ");
                    w.put(&if label.starts_with('(') { label } else { format!("({label})") });
                }
            });
        };
        if within_paragraph {
            let line = if self.context.cell { " " } else { "\n" };
            self.separator = line;
            write(self);
            self.separator = line;
        } else {
            self.separate_blocks();
            self.in_context(|context| context.kind = BlockKind::Other, write);
            self.separate_blocks();
        }
        self.end_shape();
        node.elements().filter(|n| n.name().follows_formula()).for_each(|block| self.node(block));
    }

    /// Writes a group of formulae within a sentence, with its label after them.
    fn group_in_sentence(&mut self, node: XmlNode<'t>) {
        let label = self.label_of(node);
        self.children_without_label(node);
        if let Some(label) = label {
            let separator = std::mem::replace(&mut self.separator, " ");
            self.put(&if label.starts_with('(') { label } else { format!("({label})") });
            self.separator = separator;
        }
    }

    /// Writes an entry of a bibliography.
    fn reference(&mut self, node: XmlNode<'t>) {
        self.separate_blocks();
        self.flush_label();
        self.label = self.label_of(node);
        self.begin_shape(Shape::Paragraph("reference"), node);
        self.as_kind(BlockKind::Other, true, |w| {
            let label = node.child(Name::Label);
            let mut cited = false;
            for child in node.children().filter(|child| Some(*child) != label) {
                let cites = child.name().is_citation();
                if cites && cited && w.separator.is_empty() && w.open.is_some() {
                    w.separator = "; ";
                }
                cited |= cites;
                w.node(child);
            }
            w.flush_label();
        });
        self.end_shape();
        self.separate_blocks();
    }

    /// The mark that a source sets on an element to say that it is a provision.
    pub(super) fn mark(&mut self, node: XmlNode<'t>) -> Option<Rc<Authored<'t>>> {
        // Authoring tools write tests and classes of requirements as the same elements, distinguished by
        // `type`; a table in one states it.
        let general = || {
            let tables = || node.descendants().any(|n| matches!(n.name(), Name::TableWrap | Name::Table));
            node.attr("type").is_none_or(|sort| sort == "general") && !tables()
        };
        let kind = match node.name() {
            Name::Requirement | Name::Recommendation | Name::Permission => {
                Some(kind_of_element(node).filter(|_| general())?)
            }
            name if name.is_markable() => {
                marked_kind(node.attr("content-type").or_else(|| node.attr("specific-use"))?)?
            }
            _ => return None,
        };
        self.block_list.marks += 1;
        Some(Rc::new(Authored {
            mark: self.block_list.marks,
            kind,
            element: node.xml_id(),
            identifier: None,
            label: None,
            each: false,
            tabular: false,
        }))
    }
}

/// The type that an attribute's value names; the inner `None` is a provision of no stated type.
fn marked_kind(value: &str) -> Option<Option<ProvisionKind>> {
    Some(match value.trim().to_ascii_lowercase().as_str() {
        "requirement" => Some(ProvisionKind::Requirement),
        "recommendation" => Some(ProvisionKind::Recommendation),
        "permission" => Some(ProvisionKind::Permission),
        "capability" | "possibility" => Some(ProvisionKind::Capability),
        "external-constraint" | "externalconstraint" => Some(ProvisionKind::ExternalConstraint),
        "provision" => None,
        _ => return None,
    })
}

fn is_display_formula(name: Name) -> bool {
    matches!(name, Name::DispFormula | Name::DispFormulaGroup | Name::ChemStructWrap)
}

/// Whether an element within a paragraph parts its sentence.
fn parts_sentence(name: Name) -> bool {
    matches!(
        name,
        Name::List
            | Name::HtmlUl
            | Name::HtmlOl
            | Name::DefList
            | Name::Fig
            | Name::FigGroup
            | Name::TableWrap
            | Name::TableWrapGroup
            | Name::Array
            | Name::Table
    )
}
