//! The text of a section: its heading, its content, its footnotes.

use super::{BlockList, Gap, Mode, Writer};
use crate::document::index::DocumentIndex;
use crate::document::markup::Markup;
use crate::document::structure::SectionPlan;
use crate::xml::names::Name;
use crate::xml::tree::Node;
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
    let mut writer = Writer::new(Some(document), index, block_list, Mode::Section);
    writer.markup = Some(markup);
    // It is seldom longer than its markup.
    writer.out.reserve(markup.xml.len());
    writer.heading(section_plan);
    let first = interruptions.len();
    for node in section_plan.extent.content() {
        if let Some(section) = document.structure.section_of(node) {
            interruptions.push(Interruption { section, at: writer.out.len() });
        }
        if !matches!(node.name(), Name::Label | Name::Title | Name::AnnexType)
            || !is_section_head(section_plan, node)
        {
            writer.node(node);
        }
    }
    // Footnotes come last in any case.
    let end = writer.out.trim_end().len();
    let goes_on = interruptions[first..].partition_point(|interruption| interruption.at < end);
    interruptions.truncate(first + goes_on);
    writer.footnotes();
    writer.finish()
}

fn is_section_head(section_plan: &SectionPlan<'_>, node: Node<'_>) -> bool {
    let Some(element) = section_plan.extent.element() else { return false };
    match node.name() {
        Name::Title => section_plan.title == Some(node),
        name => element.child(name) == Some(node),
    }
}

impl<'t> Writer<'_, 't> {
    /// Writes label and title of a section.
    fn heading(&mut self, section_plan: &SectionPlan<'t>) {
        let Some(element) = section_plan.extent.element() else { return };
        self.context.element = element.xml_id();
        let authored = self.mark(element);
        self.at = element.range().start;
        self.as_kind(BlockKind::Title, true, |w| {
            for part in element.elements() {
                let is_title = section_plan.title == Some(part) && part.name() == Name::Title;
                let is_head = matches!(part.name(), Name::Label | Name::AnnexType)
                    && element.child(part.name()) == Some(part);
                if is_title || is_head {
                    w.set_separator(" ");
                    w.children(part);
                }
            }
        });
        self.context.authored = authored;
        self.end_block(Gap::Blank);
        self.previous = None;
    }
}
