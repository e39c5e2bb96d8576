//! Blocks of the text of a section: its paragraphs, items, notes and cells, by their position.

use serde::{Deserialize, Serialize};

/// One block of a section's text. Those of one section are in order and do not overlap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextBlock {
    /// Index of its section in [`crate::EditionParts::sections`].
    pub section: u32,
    /// The kind, by which instructions count and name blocks.
    pub kind: TextBlockKind,
    /// The first byte in the section's text, after the label of an item.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// Index in [`crate::EditionParts::tables`] of the table around it.
    pub table: Option<u32>,
}

/// The kind of a block, as far as instructions of amendments distinguish them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TextBlockKind {
    /// A paragraph, or its part before a figure, table or list within it.
    Paragraph,
    /// A part of a paragraph after a figure, table or list within it.
    Continuation,
    /// An item of a list; the nesting begins at 1.
    Item(u16),
    /// A cell of a table.
    Cell,
    /// A footnote of the text or of a table.
    Footnote,
    /// A note of the text, a table or a term.
    Note,
    /// An example of the text or of a term.
    Example,
    /// A title of a section.
    Title,
    /// A caption of a table or figure.
    Caption,
    /// A definition of a term.
    Definition,
    /// Any other text, such as an entry of references.
    Other,
}
