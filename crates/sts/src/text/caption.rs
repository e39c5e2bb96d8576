//! Captions: the label and title of a figure, table or picture in one line, and what else a caption holds.

use super::noted::{Note, Shape};
use super::{TextWriter, words};
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;
use norma_provisions::blocks::BlockKind;

impl<'t> TextWriter<'_, 't> {
    /// Writes the label and the caption of a figure or table. A label that its title repeats is left out.
    pub(super) fn captioned(&mut self, node: XmlNode<'t>) {
        let caption = caption_of(node);
        let label = match (node.child(Name::Label), caption) {
            (Some(label), Some(caption)) if repeats_label(caption, label) => None,
            (label, _) => label,
        };
        self.begin_shape(Shape::Caption, node);
        self.label_and_caption(label, caption, " — ");
        self.end_shape();
        self.separate_blocks();
        self.previous = None;
    }

    /// Writes label and title in one line.
    fn label_and_caption(
        &mut self,
        label: Option<XmlNode<'t>>,
        caption: Option<XmlNode<'t>>,
        separator: &'static str,
    ) {
        let outer = self.enter_kind(BlockKind::Caption, true);
        if let Some(label) = label {
            self.context.label = true;
            self.children(label);
            self.context.label = false;
        }
        if let Some(caption) = caption {
            let separator = if label.is_some() { separator } else { "" };
            self.caption_content(caption, separator);
        }
        self.leave(outer);
    }

    /// Writes a caption after its label. Other paragraphs of the caption of a table are among its notes.
    fn caption_content(&mut self, caption: XmlNode<'t>, separator: &'static str) {
        let title = caption_title(caption);
        let is_line = title == caption && !caption.elements().any(|n| n.name().is_block());
        if is_line {
            return self.caption_title(title, separator);
        }
        for child in caption.children() {
            if child == title && child.name() == Name::Title {
                self.caption_title(child, separator);
                continue;
            }
            let start = self.out.len();
            self.node(child);
            let is_note = child.is_element() && child != title && title != caption;
            if is_note && self.context.grid.is_some() && is_caption_of_table(caption) {
                self.close();
                self.add_table_note(start);
            }
        }
    }

    fn caption_title(&mut self, title: XmlNode<'t>, separator: &'static str) {
        if !separator.is_empty() && self.open.is_some() && !title.is_blank() {
            self.separator = separator;
        }
        self.children(title);
    }

    pub(super) fn caption(&mut self, node: XmlNode<'t>) {
        if node.name() == Name::Caption {
            self.shaped(Shape::Group("caption"), node, |w| w.grouped(node, Some(BlockKind::Caption)));
        }
    }

    /// A picture says nothing in text but its label and caption.
    pub(super) fn picture(&mut self, node: XmlNode<'t>) {
        if !node.is_element() {
            return;
        }
        self.record(self.out.len(), Note::Picture(node));
        let caption = node.child(Name::Caption);
        let label = match node.child(Name::Label) {
            Some(label) if !label.is_blank() => label,
            _ => {
                if let Some(caption) = caption {
                    self.caption(caption);
                }
                return;
            }
        };
        // `a) Top` as in print, `Sketch 3 — Lid`.
        let is_part = words(label).is_some_and(|label| label.ends_with(')'));
        let separator = if is_part { " " } else { " — " };
        self.separate_blocks();
        self.shaped(Shape::Group("caption"), node, |w| w.label_and_caption(Some(label), caption, separator));
        self.separate_blocks();
    }
}

/// True if a child of a figure or table was written as its caption: a second label or title was not.
pub(super) fn is_caption<'t>(holder: XmlNode<'t>, child: XmlNode<'t>) -> bool {
    holder.child(Name::Label) == Some(child) || caption_of(holder) == Some(child)
}

/// The caption of a figure or table, or its title where it has none; also that within the table of a
/// `table-wrap`.
pub(crate) fn caption_of(holder: XmlNode<'_>) -> Option<XmlNode<'_>> {
    if let Some(own) = own_caption(holder) {
        return Some(own);
    }
    if !matches!(holder.name(), Name::TableWrap | Name::Array) {
        return None;
    }
    let alternatives = holder.elements().filter(|n| n.name() == Name::Alternatives);
    for parent in std::iter::once(holder).chain(alternatives) {
        for table in parent.elements() {
            if table.name() == Name::Table
                && let Some(caption) = own_caption(table)
            {
                return Some(caption);
            }
        }
    }
    None
}

fn own_caption(holder: XmlNode<'_>) -> Option<XmlNode<'_>> {
    holder.child(Name::Caption).or_else(|| holder.child(Name::Title))
}

/// True if the title of a caption begins with the words of a label.
fn repeats_label(caption: XmlNode<'_>, label: XmlNode<'_>) -> bool {
    let title = caption.child(Name::Title).unwrap_or(caption);
    match (words(title), words(label)) {
        (Some(title), Some(label)) => title.starts_with(&label),
        _ => false,
    }
}

/// The part of a caption that is its title: without a title the first paragraph of that of a table, else all
/// of it.
pub(crate) fn caption_title(caption: XmlNode<'_>) -> XmlNode<'_> {
    if let Some(title) = caption.child(Name::Title) {
        return title;
    }
    match caption.child(Name::P) {
        Some(first) if is_caption_of_table(caption) => first,
        _ => caption,
    }
}

/// True if a caption is that of a table, and not of a figure in one.
fn is_caption_of_table(caption: XmlNode<'_>) -> bool {
    caption.parent().is_some_and(|n| matches!(n.name(), Name::TableWrap | Name::Array | Name::Table))
}

/// True if a caption within a table was written as that of the `table-wrap` around it.
pub(super) fn is_written_caption(part: XmlNode<'_>) -> bool {
    matches!(part.name(), Name::Caption | Name::Title)
        && part.ancestors().take(3).any(|n| caption_of(n) == Some(part) && n.name() != Name::Table)
}
