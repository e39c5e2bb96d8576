//! Captions: the label and title of a figure, table or picture in one line, and what else a caption holds.

use super::noted::{Note, Shape};
use super::{TextWriter, words};
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;
use norma_provisions::blocks::BlockKind;

impl<'t> TextWriter<'_, 't> {
    pub(super) fn captioned(&mut self, node: XmlNode<'t>) {
        let label = node.child(Name::Label);
        let caption = caption_of(node);
        let named = caption.map(|c| c.child(Name::Title).unwrap_or(c)).and_then(words);
        let repeats = |label: &XmlNode<'t>| {
            words(*label).zip(named.as_ref()).is_some_and(|(label, title)| title.starts_with(&label))
        };
        let label = label.filter(|l| !repeats(l));
        self.begin_shape(Shape::Caption, node);
        self.label_and_caption(label, caption, " — ");
        self.end_shape();
        self.separate_blocks();
        self.previous = None;
    }

    /// Writes label and title in one line. Other paragraphs of the caption of a table are among its notes.
    fn label_and_caption(
        &mut self,
        label: Option<XmlNode<'t>>,
        caption: Option<XmlNode<'t>>,
        separator: &'static str,
    ) {
        self.as_kind(BlockKind::Caption, true, |w| {
            if let Some(label) = label {
                w.context.label = true;
                w.children(label);
                w.context.label = false;
            }
            let Some(caption) = caption else { return };
            let title = caption_title(caption);
            let is_line = title == caption && !caption.elements().any(|n| n.name().is_block());
            if is_line {
                return w.caption_title(title, label.map(|_| separator));
            }
            for child in caption.children() {
                if child == title && child.name() == Name::Title {
                    w.caption_title(child, label.map(|_| separator));
                    continue;
                }
                let start = w.out.len();
                w.node(child);
                let is_note = child.is_element() && child != title && title != caption;
                if is_note && w.context.grid.is_some() && is_caption_of_table(caption) {
                    w.close();
                    w.add_table_note(start);
                }
            }
        });
    }

    fn caption_title(&mut self, title: XmlNode<'t>, separator: Option<&'static str>) {
        if let Some(separator) = separator
            && self.open.is_some()
            && !title.is_blank()
        {
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
        let Some(label) = node.child(Name::Label).filter(|label| !label.is_blank()) else {
            return caption.into_iter().for_each(|caption| self.caption(caption));
        };
        // `a) Top` as in print, `Sketch 3 — Lid`.
        let is_part = words(label).is_some_and(|label| label.ends_with(')'));
        let separator = if is_part { " " } else { " — " };
        self.separate_blocks();
        self.shaped(Shape::Group("caption"), node, |w| w.label_and_caption(Some(label), caption, separator));
        self.separate_blocks();
    }
}

/// Whether a child of a figure or table was written as its caption: a second label or title was not.
pub(super) fn is_caption<'t>(holder: XmlNode<'t>, child: XmlNode<'t>) -> bool {
    holder.child(Name::Label) == Some(child) || caption_of(holder) == Some(child)
}

/// The caption of a figure or table, or its title where it has none; also that within the table of a
/// `table-wrap`.
pub(crate) fn caption_of(holder: XmlNode<'_>) -> Option<XmlNode<'_>> {
    let own =
        |node: XmlNode<'_>| node.child(Name::Caption).or_else(|| node.child(Name::Title)).map(XmlNode::id);
    let has_caption = |node: &XmlNode<'_>| own(*node).is_some();
    let is_holder = matches!(holder.name(), Name::TableWrap | Name::Array);
    let within = || {
        let alternatives = holder.elements().filter(|n| n.name() == Name::Alternatives);
        let tables = std::iter::once(holder).chain(alternatives).flat_map(XmlNode::elements);
        tables.filter(|n| n.name() == Name::Table).find(has_caption)
    };
    let titled = Some(holder).filter(has_caption).or_else(|| within().filter(|_| is_holder))?;
    titled.child(Name::Caption).or_else(|| titled.child(Name::Title))
}

/// The part of a caption that is its title: without a title the first paragraph of that of a table, else all
/// of it.
pub(crate) fn caption_title(caption: XmlNode<'_>) -> XmlNode<'_> {
    let first = || caption.child(Name::P).filter(|_| is_caption_of_table(caption));
    caption.child(Name::Title).or_else(first).unwrap_or(caption)
}

/// Whether a caption is that of a table, and not of a figure in one.
fn is_caption_of_table(caption: XmlNode<'_>) -> bool {
    caption.parent().is_some_and(|n| matches!(n.name(), Name::TableWrap | Name::Array | Name::Table))
}

/// Whether a caption within a table was written as that of the `table-wrap` around it.
pub(super) fn is_written_caption(part: XmlNode<'_>) -> bool {
    matches!(part.name(), Name::Caption | Name::Title)
        && part.ancestors().take(3).any(|n| caption_of(n) == Some(part) && n.name() != Name::Table)
}
