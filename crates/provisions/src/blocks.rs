//! Blocks of text, in which provisions are searched. Each unit of reading of a section's text is a [`Block`],
//! with the [`TokenSpan`]s in it that are one token (a formula, a cross-reference, a citation). The code that
//! reads a document makes them, so that nothing here depends on how its markup is written.

use std::ops::Range;
use std::rc::Rc;

use norma_model::{PartialUrn, ProvisionKind};

/// One unit of reading: a paragraph or a part of one between lists and notes, a list item's own text, a cell.
/// Blocks are in document order; those of one section do not overlap. A document may have a million, so that
/// each is kept small.
#[derive(Clone, Debug, Default)]
pub struct Block<'t> {
    /// Index of the section.
    pub section: usize,
    /// What the block is, which decides whether provisions are searched in it.
    pub kind: BlockKind,
    /// Bytes of the section's text, label of a list item excluded.
    pub range: Range<usize>,
    /// Id of the nearest element that has one.
    pub element: Option<&'t str>,
    /// The position of the block in a list; all blocks of an item share it.
    pub item: Option<Rc<ListItem>>,
    /// Index of the table around it.
    pub table: Option<u32>,
    /// Index of its language among those of the document, where it is not that of its section.
    pub language: Option<u8>,
    /// Index of the block whose sentence it may continue: a figure, table or list parts the two, which the
    /// source has in one paragraph.
    pub continues: Option<u32>,
    /// Set where the source marks the block, or a block around it, as a provision.
    pub authored: Option<Rc<Authored<'t>>>,
    /// Tokens in it, in order, without overlap, in bytes of the section's text.
    pub spans: Box<[TokenSpan]>,
    /// Bytes of the section's `xml` with the element, if the block is one whole element.
    pub xml: Option<Range<u32>>,
    /// Number of the footnote in the document that it is a part of.
    pub footnote: Option<u32>,
}

/// The kind of a block, which decides whether provisions are searched in it, and how they are reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BlockKind {
    /// A paragraph, or a part of one between lists and notes.
    #[default]
    Paragraph,
    /// The own text of an item of a list.
    ListItem,
    /// A cell of the body of a table.
    TableCell,
    /// A cell that heads a column or row.
    TableHeader,
    /// A footnote of a table.
    TableFootnote,
    /// A row of a list of symbols, abbreviated terms or a definition list outside a terms clause.
    DefinitionListEntry,
    /// A note, which binds nobody.
    Note,
    /// A note to a term.
    NoteToEntry,
    /// An example, which binds nobody.
    Example,
    /// A footnote of the text.
    Footnote,
    /// A note that the source's markup calls a warning, caution or danger.
    Warning,
    /// The key of a figure.
    FigureKey,
    /// The caption of a table or figure.
    Caption,
    /// A title, such as that of a section.
    Title,
    /// The definition of a term.
    Definition,
    /// The source of a term.
    TermSource,
    /// Text that an amendment puts into another document.
    Amendment,
    /// An instruction how to change another document.
    Instruction,
    /// Text that is quoted from elsewhere.
    Quote,
    /// The dependency of a requirement, in the table that states it.
    Dependency,
    /// Preformatted text, such as code.
    Code,
    /// Anything that is not running text (boilerplate, an entry of a bibliography).
    Other,
}

/// A place in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListItem {
    /// Number of the list in the document.
    pub list: usize,
    /// Index of the block directly before the list that may be its lead-in: a paragraph, or an item of the
    /// outer list for a nested one.
    pub lead_in: Option<usize>,
    /// Label of the item, as shown.
    pub label: Option<String>,
    /// Depth: 1 for the outermost list.
    pub depth: u16,
}

/// A provision that the source itself marks; all blocks with one number are one provision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Authored<'t> {
    /// Number of the mark in the document.
    pub mark: usize,
    /// The type that the mark states; `None` if the verbal form decides.
    pub kind: Option<ProvisionKind>,
    /// Id of the marking element.
    pub element: Option<&'t str>,
    /// Identifier of the requirement.
    pub identifier: Option<Rc<str>>,
    /// Label of the part of the requirement.
    pub label: Option<Rc<str>>,
    /// True where each block is a provision of its own.
    pub each: bool,
    /// True for a row of a table of requirements, which without a stated type needs a verbal form.
    pub tabular: bool,
}

/// A stretch of text that is one token.
#[derive(Clone, Debug)]
pub struct TokenSpan {
    /// Bytes of the section's text.
    pub range: Range<usize>,
    /// What the stretch of text is.
    pub kind: SpanKind,
}

/// The kind of a token.
#[derive(Clone, Debug)]
pub enum SpanKind {
    /// A formula, inline or display.
    Formula,
    /// A cross-reference, and what it points at.
    CrossReference {
        /// The parts of this document.
        targets: Vec<CrossReferenceTarget>,
    },
    /// The mark of footnotes.
    FootnoteMark {
        /// Their numbers in the document, as far as they are known.
        footnotes: Box<[u32]>,
    },
    /// Cited documents; `listed` where entries of a list of references are named (`[3]`) and not a document
    /// itself.
    Citation {
        /// The cited documents, as far as they can be read: several if one mark names several entries (`[3],
        /// [4]`).
        cited: Vec<Rc<Cited>>,
        /// True where entries of a list are named, and not documents themselves.
        listed: bool,
    },
    /// A term marked as such; index in the edition's terms where its entry is known.
    Term {
        /// Index of the term.
        term: Option<usize>,
    },
    /// Code, a literal, a quotation in markup, a picture: its words do not count.
    Opaque,
}

/// A document that a citation names.
#[derive(Clone, Debug)]
pub struct Cited {
    /// The designation as it is cited.
    pub reference: String,
    /// The document, if the reference names it.
    pub urn: Option<PartialUrn>,
    /// True where the citation names one edition.
    pub dated: bool,
    /// Year or date of that edition, as cited: `2009`, `2008-12`.
    pub date: Option<String>,
    /// Title of the document, where the citation gives it.
    pub title: Option<String>,
}

/// The target of a cross-reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrossReferenceTarget {
    /// Id, in this edition's views, of the smallest part around it.
    pub id: String,
    /// The kind of the target, if it is smaller than that part.
    pub within: Option<ReferencedPartKind>,
}

/// A part with a number but without an address of its own: a formula, or a group of figures, tables or
/// formulae.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbered {
    /// The kind of the part: a figure, a table or a formula.
    pub kind: ReferencedPartKind,
    /// The number of the part, without brackets: `4`, `A.1`.
    pub number: String,
    /// Id, in this edition's views, of the part that represents this one: the first of a group, the section
    /// of a formula.
    pub part: String,
}

/// Kind of a part, as a reference names it. The names enter provision ids and must not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReferencedPartKind {
    /// A clause of the body of the document.
    Clause,
    /// An annex or a clause of one.
    Annex,
    /// A table of the document.
    Table,
    /// A figure of the document.
    Figure,
    /// A formula with a number.
    Formula,
    /// An item of a list.
    Item,
    /// Anything smaller: a paragraph, a note, a row.
    Other,
}

impl ReferencedPartKind {
    /// The name of the kind in provision ids.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Clause => "clause",
            Self::Annex => "annex",
            Self::Table => "table",
            Self::Figure => "figure",
            Self::Formula => "formula",
            Self::Item => "item",
            Self::Other => "part",
        }
    }
}
