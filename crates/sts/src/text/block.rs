//! Blocks of running text: headings, paragraphs, notes, examples, figures, formulae on lines of their own.

use std::rc::Rc;

use norma_model::ProvisionKind;

use super::caption::is_caption;
use super::formula::FormulaExtent;
use super::noted::{Note, Shape};
use super::requirement::kind_of_element;
use super::term::begins_with_label;
use super::{Gap, Mode, TextWriter, WriteContext};
use crate::languages::generated;
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;
use norma_provisions::blocks::{Authored, BlockKind, SpanKind};

impl<'t> TextWriter<'_, 't> {
    /// Writes a node of any sort: characters, a picture, an inline element or a block.
    pub(super) fn node(&mut self, node: XmlNode<'t>) {
        match node.name() {
            Name::Text => self.inserted(node, |w| w.text(node.characters())),
            Name::Other if node.struck().is_some() => {
                let spaced = !self.separator.is_empty();
                self.record(self.out.len(), Note::Struck(node, spaced));
            }
            Name::Other | Name::Graphic | Name::InlineGraphic | Name::Media => self.picture(node),
            // Metadata are not content, and a section within this one has a text of its own.
            name if name.is_metadata() || self.is_section(node) => self.separate_blocks(),
            Name::NonNormativeNote | Name::NormativeNote | Name::AltTitle if self.mode == Mode::Line => {}
            _ => {
                let is_inline = self.inline(node);
                if !is_inline {
                    self.block_node(node);
                }
            }
        }
    }

    /// True if a node is a section of the document, known only when there is a document.
    fn is_section(&self, node: XmlNode<'t>) -> bool {
        self.document.is_some_and(|document| document.is_section(node))
    }

    /// Writes a node that is not inline. Its blocks have the id, the language and the mark that it states.
    fn block_node(&mut self, node: XmlNode<'t>) {
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
            if !(in_sentence && is_display_formula(node.name())) {
                self.close();
                self.context.element = Some(id);
            }
        }
        if in_sentence && parts_sentence(node.name()) {
            return self.parting(node);
        }
        if authored.is_none()
            && let Some(mark) = self.mark(node)
        {
            self.close();
            self.context.authored = Some(mark);
        }
        self.block(node);
        let is_changed = self.context.element != element
            || self.context.authored != authored
            || self.context.language != language;
        if is_changed {
            self.close();
        }
        self.context.element = element;
        self.context.authored = authored;
        self.context.language = language;
    }

    /// Writes a figure, table or list within a paragraph, whose sentence may go on after it.
    fn parting(&mut self, node: XmlNode<'t>) {
        self.close();
        let is_finished = self.out.trim_end().ends_with(['.', '!', '?', ':', ';', '。']);
        let begun = if is_finished { None } else { self.previous };
        let element = self.context.element;
        self.context.element = node.xml_id().or(element);
        self.block(node);
        self.close();
        self.context.element = element;
        self.parted = begun;
    }

    /// Writes an element that is a block of its own. An unknown one is a group that shows
    /// nothing of its own, so that its words are read.
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
                // The display form next to an entry is written instead of it.
                let displayed = node.parent().is_some_and(|p| p.child(Name::TermDisplay).is_some());
                if !displayed {
                    self.entry(node);
                }
            }
            Name::TermDisplay => self.shaped(Shape::Group("term"), node, |w| w.term_display(node)),
            Name::Preformat | Name::Code => self.shaped(Shape::Verbatim, node, |w| w.verbatim(node)),
            Name::EditingInstruction => {
                let kind = Some(BlockKind::Instruction);
                self.shaped(Shape::Group("instruction"), node, |w| w.grouped(node, kind));
            }
            Name::DispQuote => self.shaped(Shape::Quotation, node, |w| w.quotation(node)),
            Name::Ref => self.reference(node),
            Name::Fn => self.grouped_footnote(node),
            Name::Title | Name::Subtitle => self.title(node),
            Name::Label => self.separate_label(node),
            Name::Caption | Name::AltText | Name::LongDesc | Name::ObjectId => self.caption(node),
            Name::IndexEntry => self.index_entry(node),
            Name::BoxedText => self.shaped(Shape::Group("box"), node, |w| w.grouped(node, None)),
            Name::AnnexType | Name::RefList | Name::Index | Name::Toc => {
                self.grouped(node, Some(BlockKind::Other));
            }
            _ => self.grouped(node, None),
        }
    }

    fn term_display(&mut self, node: XmlNode<'t>) {
        let outer = self.enter_apart();
        (self.context.kind, self.context.entry) = (BlockKind::Definition, true);
        self.children(node);
        self.leave_apart(outer);
    }

    /// Writes code, whose white space counts except in a cell, which is one line.
    fn verbatim(&mut self, node: XmlNode<'t>) {
        let outer = self.enter_apart();
        (self.context.kind, self.context.paragraph) = (BlockKind::Code, true);
        self.context.verbatim = !self.context.cell;
        self.children(node);
        self.leave_apart(outer);
    }

    /// Writes a quotation, which in an amendment is the text that it inserts in another document.
    fn quotation(&mut self, node: XmlNode<'t>) {
        let amends = self.document.is_some_and(|document| document.amends());
        let kind = if amends { BlockKind::Amendment } else { BlockKind::Quote };
        self.grouped(node, Some(kind));
    }

    /// Writes a title that is not that of the section.
    fn title(&mut self, node: XmlNode<'t>) {
        self.begin_shape(Shape::Paragraph("title"), node);
        let outer = self.enter_apart();
        self.context.kind = BlockKind::Title;
        self.running(node);
        self.leave_apart(outer);
        self.end_shape();
        self.previous = None;
    }

    /// Writes a label that no block begins with, on a line of its own.
    fn separate_label(&mut self, node: XmlNode<'t>) {
        self.separate_blocks();
        self.begin_shape(Shape::Paragraph("label"), node);
        let outer = self.enter();
        self.context.kind = BlockKind::Other;
        self.running(node);
        self.leave(outer);
        self.end_shape();
        self.end_block(Gap::Line);
    }

    fn index_entry(&mut self, node: XmlNode<'t>) {
        self.end_block(Gap::Line);
        self.begin_shape(Shape::Paragraph(""), node);
        let outer = self.enter();
        self.context.kind = BlockKind::Other;
        self.children(node);
        self.leave(outer);
        self.end_shape();
        self.end_block(Gap::Line);
    }

    /// Writes the children of a node as blocks of a kind, or of the kind around them.
    pub(super) fn grouped(&mut self, node: XmlNode<'t>, kind: Option<BlockKind>) {
        let outer = self.enter_apart();
        self.context.kind = kind.unwrap_or(self.context.kind);
        self.context.paragraph = false;
        self.children(node);
        self.leave_apart(outer);
    }

    /// Begins whole blocks that are separated from those before them. `leave_apart` restores the context.
    pub(super) fn enter_apart(&mut self) -> WriteContext<'t> {
        self.separate_blocks();
        self.enter()
    }

    /// Ends blocks that `enter_apart` began, and separates them from those after them.
    pub(super) fn leave_apart(&mut self, outer: WriteContext<'t>) {
        self.leave(outer);
        self.separate_blocks();
    }

    pub(super) fn paragraph(&mut self, node: XmlNode<'t>) {
        self.separate_blocks();
        self.begin_shape(Shape::Paragraph(""), node);
        let parted = self.parted.take();
        let first = self.begin_element();
        let outer = self.enter_kind(self.context.kind, true);
        self.children(node);
        self.leave(outer);
        self.end_element(node, first);
        self.parted = parted;
        self.end_shape();
        self.separate_blocks();
    }

    /// Ends the open block before an element. Gives the index of the next block, for `end_element`.
    pub(super) fn begin_element(&mut self) -> usize {
        self.close();
        self.block_list.blocks.len()
    }

    /// Ends an element, and records its bytes in the markup if one block was written since `begin_element`.
    pub(super) fn end_element(&mut self, node: XmlNode<'t>, first: usize) {
        self.close();
        if let [block] = &mut self.block_list.blocks[first..]
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
        let own = self.label_of(node);
        self.label = if own.is_some() || begins_with_label(node, self.main_language()) {
            own
        } else {
            Some(generated.to_owned())
        };
        self.labelled_content(node, kind);
        self.separate_blocks();
        self.previous = None;
    }

    /// Writes the content of an element whose label is pending; the label alone where there is none.
    pub(super) fn labelled_content(&mut self, node: XmlNode<'t>, kind: BlockKind) {
        let outer = self.enter_kind(kind, false);
        self.children_without_label(node);
        self.flush_label();
        self.leave(outer);
    }

    /// Writes the content of an element without its label.
    pub(super) fn children_without_label(&mut self, node: XmlNode<'t>) {
        let label = node.child(Name::Label);
        for child in node.children() {
            if Some(child) != label {
                self.node(child);
            }
        }
    }

    /// Writes label and caption in one line, then the rest.
    fn figure(&mut self, node: XmlNode<'t>) {
        self.separate_blocks();
        self.begin_shape(Shape::Figure("figure"), node);
        self.captioned(node);
        for child in node.children() {
            if is_caption(node, child) {
                continue;
            }
            let is_table_of_group = child.name() == Name::TableWrap && node.name() == Name::TableWrapGroup;
            if is_table_of_group {
                // It has provisions as other tables have.
                self.node(child);
            } else {
                let outer = self.enter_kind(BlockKind::FigureKey, false);
                self.node(child);
                self.leave(outer);
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
        if within_paragraph {
            let line = if self.context.cell { " " } else { "\n" };
            self.separator = line;
            self.formula_and_label(node, label);
            self.separator = line;
        } else {
            self.separate_blocks();
            let outer = self.enter();
            self.context.kind = BlockKind::Other;
            self.formula_and_label(node, label);
            self.leave(outer);
            self.separate_blocks();
        }
        self.end_shape();
        for block in node.elements() {
            if block.name().follows_formula() {
                self.node(block);
            }
        }
    }

    /// Writes the formula of a display formula and, in the same token, its label in parentheses.
    fn formula_and_label(&mut self, node: XmlNode<'t>, label: Option<String>) {
        self.span(SpanKind::Formula, |w| {
            w.formula(node, FormulaExtent::FormulaAlone);
            if let Some(label) = label {
                w.set_separator(" ");
                w.put(&in_parentheses(label));
            }
        });
    }

    /// Writes a group of formulae within a sentence, with its label after them.
    fn group_in_sentence(&mut self, node: XmlNode<'t>) {
        let label = self.label_of(node);
        self.children_without_label(node);
        if let Some(label) = label {
            let separator = std::mem::replace(&mut self.separator, " ");
            self.put(&in_parentheses(label));
            self.separator = separator;
        }
    }

    /// Writes an entry of a bibliography.
    fn reference(&mut self, node: XmlNode<'t>) {
        self.separate_blocks();
        self.flush_label();
        self.label = self.label_of(node);
        self.begin_shape(Shape::Paragraph("reference"), node);
        let outer = self.enter_kind(BlockKind::Other, true);
        let label = node.child(Name::Label);
        let mut cited = false;
        for child in node.children() {
            if Some(child) == label {
                continue;
            }
            let is_citation = child.name().is_citation();
            // Citations without words between them are parted as in a list.
            if is_citation && cited && self.separator.is_empty() && self.open.is_some() {
                self.separator = "; ";
            }
            cited |= is_citation;
            self.node(child);
        }
        self.flush_label();
        self.leave(outer);
        self.end_shape();
        self.separate_blocks();
    }

    /// The mark that a source sets on an element to say that it is a provision.
    pub(super) fn mark(&mut self, node: XmlNode<'t>) -> Option<Rc<Authored<'t>>> {
        let kind = match node.name() {
            Name::Requirement | Name::Recommendation | Name::Permission => {
                let kind = kind_of_element(node)?;
                if !states_requirement(node) {
                    return None;
                }
                Some(kind)
            }
            name if name.is_markable() => {
                let value = node.attr("content-type").or_else(|| node.attr("specific-use"))?;
                marked_kind(value)?
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

/// True if the words of an element for requirements state one. Authoring tools write tests and classes of
/// requirements as the same elements, distinguished by `type`; a table in the element states the requirement.
fn states_requirement(element: XmlNode<'_>) -> bool {
    if element.attr("type").is_some_and(|sort| sort != "general") {
        return false;
    }
    !element.descendants().any(|n| matches!(n.name(), Name::TableWrap | Name::Table))
}

/// The label of a formula as print shows it: `(3)`.
fn in_parentheses(label: String) -> String {
    if label.starts_with('(') { label } else { format!("({label})") }
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

/// True if an element within a paragraph parts its sentence.
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
