//! The text of a section: its heading, its content, its footnotes.

use super::noted::{Shape, TextNotes};
use super::{BlockList, Gap, Mode, QueuedFootnote, TextWriter};
use crate::document::index::DocumentIndex;
use crate::document::markup::Markup;
use crate::document::structure::SectionPlan;
use crate::xml::names::Name;
use crate::xml::position::offset32;
use crate::xml::tree::XmlNode;
use norma_model::Interruption;
use norma_provisions::blocks::BlockKind;

/// The text of a section. Adds its blocks to the list with their ranges in the markup, and to `interruptions`
/// the sections after which its text continues.
pub(crate) fn section<'t>(
    document: &DocumentIndex<'t>,
    index: usize,
    markup: &Markup,
    block_list: &mut BlockList<'t>,
    interruptions: &mut Vec<Interruption>,
) -> String {
    let section_plan = &document.structure.sections[index];
    let mut writer = TextWriter::new(Some(document), index, block_list, Mode::Section);
    writer.markup = Some(markup);
    // It is seldom longer than its markup.
    writer.out.reserve(markup.xml.len());
    writer.whole_section(document, section_plan, interruptions);
    writer.finish()
}

impl<'t> TextWriter<'_, 't> {
    /// Writes heading, content and footnotes of a section, and adds the sections that interrupt its text.
    fn whole_section(
        &mut self,
        document: &DocumentIndex<'t>,
        section_plan: &SectionPlan<'t>,
        interruptions: &mut Vec<Interruption>,
    ) {
        self.heading(section_plan);
        let first = interruptions.len();
        for node in section_plan.extent.content() {
            if let Some(section) = document.structure.section_of(node) {
                interruptions.push(Interruption { section, at: self.out.len() });
            }
            if !is_section_head(section_plan, node) {
                self.node(node);
            }
        }
        // A section after the last words of the content interrupts nothing: footnotes come last in any case.
        let end = self.out.trim_end().len();
        let goes_on = interruptions[first..].partition_point(|interruption| interruption.at < end);
        interruptions.truncate(first + goes_on);
        self.footnotes();
    }
}

/// The text of a section with the notes that HTML is written from.
pub(crate) fn noted_section<'t>(document: &DocumentIndex<'t>, index: usize) -> (String, TextNotes<'t>) {
    let mut block_list = BlockList::default();
    let mut writer = TextWriter::new(Some(document), index, &mut block_list, Mode::Section);
    writer.notes = Some(TextNotes::new());
    writer.whole_section(document, &document.structure.sections[index], &mut Vec::new());
    writer.end_text();
    (writer.out, writer.notes.unwrap_or_default())
}

/// True if a node is written in the heading of the section.
fn is_section_head(section_plan: &SectionPlan<'_>, node: XmlNode<'_>) -> bool {
    let Some(element) = section_plan.extent.element() else { return false };
    match node.name() {
        Name::Title => section_plan.title == Some(node),
        Name::Label | Name::AnnexType => element.child(node.name()) == Some(node),
        _ => false,
    }
}

impl<'t> TextWriter<'_, 't> {
    /// Writes label and title of a section.
    fn heading(&mut self, section_plan: &SectionPlan<'t>) {
        let Some(element) = section_plan.extent.element() else { return };
        self.context.element = element.xml_id();
        let authored = self.mark(element);
        self.at = element.range().start;
        self.begin_shape(Shape::Heading, element);
        let outer = self.enter_kind(BlockKind::Title, true);
        for part in element.elements() {
            let is_title = section_plan.title == Some(part) && part.name() == Name::Title;
            let is_label_or_type = matches!(part.name(), Name::Label | Name::AnnexType)
                && element.child(part.name()) == Some(part);
            if is_title || is_label_or_type {
                self.set_separator(" ");
                self.context.label = part.name() == Name::Label;
                self.children(part);
            }
        }
        self.leave(outer);
        self.end_shape();
        self.context.authored = authored;
        self.end_block(Gap::Blank);
        self.previous = None;
    }

    /// Writes the body of each footnote with a mark in the text.
    fn footnotes(&mut self) {
        while let Some(QueuedFootnote { node, table, mark }) = self.footnotes.pop_front() {
            self.end_block(Gap::Blank);
            let kind = if table.is_some() { BlockKind::TableFootnote } else { BlockKind::Footnote };
            let start = self.out.len();
            self.label = Some(mark.clone());
            self.begin_shape(Shape::Footnote, node);
            let outer = self.enter();
            self.context.kind = kind;
            self.context.table = table;
            self.context.item = None;
            self.context.footnote = Some(offset32(node.id()));
            self.children_without_label(node);
            self.leave(outer);
            self.end_shape();
            self.add_table_footnote(table, start, Some(mark));
        }
    }
}
