//! Plain text of a section's content, and the list of its blocks.

mod block;
mod caption;
mod footnote;
mod formula;
mod grid;
mod inline;
pub(crate) mod list;
pub(crate) mod lookups;
pub(crate) mod math;
pub(crate) mod noted;
mod requirement;
mod section;
mod shapes;
mod stated_language;
mod table;
mod term;
pub(crate) mod terms;
mod tex;
mod tex_line;
mod writing;
pub(crate) mod written_table;

use std::collections::VecDeque;
use std::rc::Rc;

pub(crate) use self::caption::{caption_of, caption_title};
use self::lookups::Lookups;
use self::math::FormulaDecimalSign;
use self::noted::TextNotes;
use self::requirement::RequirementTable;
pub(crate) use self::section::{noted_section, section};
use self::written_table::WrittenTable;
use crate::document::markup::Markup;
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;
use foldhash::HashMap;
use norma_model::whitespace::collapse;
use norma_provisions::blocks::{Authored, Block, BlockKind, ListItem, TokenSpan};

/// Blocks of a document, with the offset of each in the repaired text.
#[derive(Default)]
pub(crate) struct BlockList<'t> {
    pub blocks: Vec<Block<'t>>,
    /// First byte of each block's source.
    pub offsets: Vec<usize>,
    /// The languages that the source states for blocks, by their index.
    pub stated_languages: Vec<(usize, &'t str)>,
    lists: usize,
    marks: usize,
    /// The written text of each table, by its index.
    pub tables: HashMap<usize, WrittenTable<'t>>,
}

impl BlockList<'_> {
    /// An empty list with capacity for a document with this number of nodes.
    pub(crate) fn with_node_count(nodes: usize) -> Self {
        let blocks = nodes / 16;
        Self { blocks: Vec::with_capacity(blocks), offsets: Vec::with_capacity(blocks), ..Self::default() }
    }
}

/// A short text in one line, as a label, title, caption or designation: without footnotes, their marks and
/// notes. `None` where it is empty. Without a document, a cross-reference that has no words says nothing.
pub(crate) fn line<'t>(document: Option<&dyn Lookups<'t>>, node: XmlNode<'t>) -> Option<String> {
    if is_plain(node) {
        return node.normalized_text();
    }
    let mut scratch = BlockList::default();
    let mut writer = TextWriter::new(document, 0, &mut scratch, Mode::Line);
    (writer.context.cell, writer.context.paragraph) = (true, true);
    writer.children(node);
    not_empty(writer.finish())
}

/// A short text as [`line`] gives it, with each white space one plain space, without the labels of
/// cross-references that have no words.
pub(crate) fn words(node: XmlNode<'_>) -> Option<String> {
    let line = line(None, node)?;
    Some(collapse(&line))
}

fn not_empty(text: String) -> Option<String> {
    if text.is_empty() { None } else { Some(text) }
}

/// True if a node is one run of characters, as most labels and many titles are: no writer is needed for it.
fn is_plain(node: XmlNode<'_>) -> bool {
    let mut children = node.children();
    let (Some(only), None) = (children.next(), children.next()) else { return false };
    match only.name() {
        Name::Text => {
            let text = only.characters();
            let has_other_spaces =
                !text.is_ascii() && text.contains(|c: char| !c.is_ascii() && c.is_whitespace());
            !has_other_spaces && !tex_line::has_marks(text)
        }
        name => name.is_formatting() && is_plain(only),
    }
}

/// The label of a node, without marks of footnotes.
pub(crate) fn label(node: XmlNode<'_>) -> Option<String> {
    let label = words(node.child(Name::Label)?)?;
    // A mark that is not a cross-reference: `4.1<sup>a</sup>`.
    match label.find('^') {
        Some(mark) => not_empty(label[..mark].trim_end().to_owned()),
        None => Some(label),
    }
}

/// The text of one node, with its paragraphs and lists, without footnotes.
pub(crate) fn paragraphs<'t>(document: &dyn Lookups<'t>, node: XmlNode<'t>) -> String {
    let mut scratch = BlockList::default();
    let mut writer = TextWriter::new(Some(document), 0, &mut scratch, Mode::Paragraphs);
    writer.context.paragraph = true;
    writer.children(node);
    writer.finish()
}

/// The kind of text that a writer writes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// A section, whose footnotes follow it.
    Section,
    /// Paragraphs in a text, without footnotes.
    Paragraphs,
    /// One line without footnotes and notes.
    Line,
}

/// Separator between two runs of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    #[default]
    Nothing,
    Space,
    Line,
    Blank,
}

/// What the surrounding elements decide for the blocks within them.
#[derive(Clone, Default)]
struct WriteContext<'t> {
    kind: BlockKind,
    item: Option<Rc<ListItem>>,
    table: Option<usize>,
    /// The table whose cells are being written.
    grid: Option<usize>,
    authored: Option<Rc<Authored<'t>>>,
    element: Option<&'t str>,
    /// The language that an element below the section states; `None` where it is that of the section.
    language: Option<&'t str>,
    /// In a table's cell: all on one line.
    cell: bool,
    /// In a label, whose marks of footnotes cannot be exponents.
    label: bool,
    /// In code, whose white space counts.
    verbatim: bool,
    /// In running text: a display formula belongs to it, and so does each element that is not known as a
    /// block.
    paragraph: bool,
    /// In an entry of terms.
    entry: bool,
    depth: u16,
    /// A line break parts statements.
    breaks: bool,
    /// In a table that states a requirement.
    requirement: Option<Rc<RequirementTable<'t>>>,
    /// The footnote around what is written, by the index of its node.
    footnote: Option<u32>,
}

/// The block to which the next character belongs.
struct OpenBlock {
    /// First byte in the text.
    start: usize,
    /// First byte of the source.
    at: usize,
    /// Index of the block whose sentence may go on in this one.
    continues: Option<usize>,
    spans: Vec<TokenSpan>,
}

/// A footnote whose body is not written yet.
struct QueuedFootnote<'t> {
    node: XmlNode<'t>,
    /// Index of the table with its mark.
    table: Option<usize>,
    mark: String,
}

/// A script without brackets, which the words directly after it may lengthen.
struct BareScript {
    /// One past its last byte in the text.
    end: usize,
    /// True for digits alone, which letters do not lengthen.
    is_number: bool,
}

struct TextWriter<'b, 't> {
    /// Absent while the parts of the document are not known yet.
    document: Option<&'b dyn Lookups<'t>>,
    mode: Mode,
    section: usize,
    block_list: &'b mut BlockList<'t>,
    /// Markup of the section, when a section is written.
    markup: Option<&'b Markup>,
    out: String,
    context: WriteContext<'t>,
    open: Option<OpenBlock>,
    /// Number of blocks that were opened.
    block_count: usize,
    gap: Gap,
    /// Separator before the next word of the open block.
    separator: &'static str,
    /// Label that the next block begins with, outside of it.
    label: Option<String>,
    /// The block before, while nothing but white space came after it.
    previous: Option<usize>,
    /// The block of a paragraph whose sentence a figure, table or list parts, while nothing came after that.
    parted: Option<usize>,
    /// Footnotes whose marks are written and whose bodies follow the section.
    footnotes: VecDeque<QueuedFootnote<'t>>,
    footnote_count: usize,
    /// The last script without brackets, until other words are written.
    bare_script: Option<BareScript>,
    /// First byte of the node being written.
    at: usize,
    /// What HTML is written from; absent while no HTML is.
    notes: Option<TextNotes<'t>>,
}

impl<'b, 't> TextWriter<'b, 't> {
    fn new(
        document: Option<&'b dyn Lookups<'t>>,
        section: usize,
        block_list: &'b mut BlockList<'t>,
        mode: Mode,
    ) -> Self {
        Self {
            document,
            mode,
            section,
            block_list,
            markup: None,
            out: String::new(),
            context: WriteContext::default(),
            open: None,
            block_count: 0,
            gap: Gap::Nothing,
            separator: "",
            label: None,
            previous: None,
            parted: None,
            footnotes: VecDeque::new(),
            footnote_count: 0,
            bare_script: None,
            at: 0,
            notes: None,
        }
    }

    /// Ends the text and gives it.
    fn finish(mut self) -> String {
        self.end_text();
        self.out.shrink_to_fit();
        self.out
    }

    /// Writes the pending label, and cuts off the white space at the end.
    fn end_text(&mut self) {
        self.close();
        self.flush_label();
        self.truncate(self.out.trim_end().len());
    }

    fn children(&mut self, node: XmlNode<'t>) {
        for child in node.children() {
            self.node(child);
        }
    }

    /// Writes the children of a node as running text.
    fn running(&mut self, node: XmlNode<'t>) {
        let paragraph = std::mem::replace(&mut self.context.paragraph, true);
        self.children(node);
        self.context.paragraph = paragraph;
    }

    /// The label of a node as the next block shows it, with the marks of its footnotes, which follow the
    /// section.
    fn label_of(&mut self, node: XmlNode<'t>) -> Option<String> {
        let label = node.child(Name::Label)?;
        if is_plain(label) {
            return label.normalized_text();
        }
        let mut scratch = BlockList::default();
        let mut writer = TextWriter::new(self.document, self.section, &mut scratch, self.mode);
        (writer.context.cell, writer.context.paragraph) = (true, true);
        writer.context.table = self.context.table;
        writer.context.label = true;
        writer.footnote_count = self.footnote_count;
        writer.children(label);
        writer.close();
        self.footnote_count = writer.footnote_count;
        self.footnotes.append(&mut writer.footnotes);
        not_empty(collapse(&writer.finish()))
    }

    /// The primary subtag of the document's main language.
    fn main_language(&self) -> &str {
        self.document.map_or("en", |document| document.language())
    }

    /// True if a title, a caption or another short text is written, which shows no marks of authors' tools.
    fn is_short(&self) -> bool {
        self.mode == Mode::Line || matches!(self.context.kind, BlockKind::Title | BlockKind::Caption)
    }

    /// The decimal sign of the document; unknown without one.
    fn decimal_sign(&self) -> FormulaDecimalSign {
        self.document.map_or_else(FormulaDecimalSign::default, |document| document.decimal_sign())
    }
}
