//! Notes of a walk: what HTML shows as an element, by the bytes of the text that the walk writes.

use crate::text::grid::GridCell;
use crate::xml::tree::XmlNode;

/// What is noted at a byte of the text.
pub(crate) enum Note<'t> {
    /// What follows is in this shape, up to the end that belongs to it.
    Begin(Shape<'t>, XmlNode<'t>),
    End,
    /// Id in the source of what comes next.
    Id(&'t str),
    /// A label, up to a byte of the text.
    Label(usize),
    /// Signs that are in the text instead of a shape, up to a byte of it: `^` before a superscript.
    Sign(usize),
    /// MathML, in the text as one line up to a byte of it.
    Formula(XmlNode<'t>, usize),
    /// A picture, which is not in the text.
    Picture(XmlNode<'t>),
    /// What is struck out, which is not in the text; and whether white space is before it.
    Struck(XmlNode<'t>, bool),
    /// What the source marks as inserted begins or ends.
    Insertion(bool),
}

/// How HTML shows a part of a section.
#[derive(Clone, Copy)]
pub(crate) enum Shape<'t> {
    Heading,
    /// A paragraph of a kind; most have none.
    Paragraph(&'static str),
    /// Blocks of a kind that belong together.
    Group(&'static str),
    Quotation,
    Verbatim,
    List {
        ordered: bool,
    },
    Item,
    /// Terms and their definition in a definition list.
    Defined,
    Definition,
    /// A figure or table with its caption, of a kind.
    Figure(&'static str),
    Caption,
    Table,
    Row {
        in_head: bool,
    },
    Cell(CellSpan),
    /// A footnote, where it is written; its node is its element.
    Footnote,
    /// Words in another look; the node says which.
    Look,
    Subscript,
    Superscript,
    /// Words whose characters count: code, TeX.
    Code(&'static str),
    /// The reference to parts with these ids.
    Reference(&'t str),
    /// The use of the term with this id.
    Term(&'t str),
    /// The mark of a footnote by the footnote's id; without one the node is the footnote.
    Mark(Option<&'t str>),
}

/// The place of a cell in its table.
#[derive(Clone, Copy)]
pub(crate) struct CellSpan {
    pub column: usize,
    pub columns: usize,
    pub rows: usize,
    pub is_head: bool,
}

impl From<&GridCell<'_>> for CellSpan {
    fn from(cell: &GridCell<'_>) -> Self {
        let GridCell { column, columns, rows, head, .. } = *cell;
        Self { column, columns, rows, is_head: head }
    }
}

/// Notes in the order of the text, each with its byte.
pub(crate) type TextNotes<'t> = Vec<(usize, Note<'t>)>;
