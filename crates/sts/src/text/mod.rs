//! Plain text of a section's content, and the list of its blocks.

mod block;
mod caption;
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
pub(crate) mod written_table;

use std::collections::VecDeque;
use std::rc::Rc;

pub(crate) use self::caption::{caption_of, caption_title};
use self::lookups::Lookups;
use self::math::FormulaDecimalSign;
use self::noted::{Note, TextNotes};
use self::requirement::RequirementTable;
pub(crate) use self::section::{noted_section, section};
use self::written_table::WrittenTable;
use crate::document::markup::Markup;
use crate::xml::invisible::visible;
use crate::xml::names::Name;
use crate::xml::position::offset32;
use crate::xml::tree::XmlNode;
use foldhash::HashMap;
use norma_model::whitespace::collapse;
use norma_provisions::blocks::{Authored, Block, BlockKind, ListItem, SpanKind, TokenSpan};

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
    Some(writer.finish()).filter(|text| !text.is_empty())
}

/// The same with each white space one plain space, without the labels of cross-references that have no words.
pub(crate) fn words(node: XmlNode<'_>) -> Option<String> {
    line(None, node).map(|line| collapse(&line))
}

/// Whether a node is one run of characters, as most labels and many titles are.
fn is_plain(node: XmlNode<'_>) -> bool {
    let mut children = node.children();
    let (Some(only), None) = (children.next(), children.next()) else { return false };
    match only.name() {
        Name::Text => {
            let odd = |c: char| !c.is_ascii() && c.is_whitespace();
            let text = only.characters();
            (text.is_ascii() || !text.contains(odd)) && !tex_line::has_marks(text)
        }
        name => name.is_formatting() && is_plain(only),
    }
}

/// The label of a node, without marks of footnotes.
pub(crate) fn label(node: XmlNode<'_>) -> Option<String> {
    let label = words(node.child(Name::Label)?)?;
    // A mark that is not a cross-reference: `4.1<sup>a</sup>`.
    match label.find('^') {
        Some(mark) => Some(label[..mark].trim_end().to_owned()).filter(|label| !label.is_empty()),
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
    /// Paragraphs without footnotes.
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

/// State of the writer that the surrounding elements set.
#[derive(Clone, Default)]
struct WriteContext<'t> {
    kind: BlockKind,
    item: Option<Rc<ListItem>>,
    table: Option<usize>,
    /// The table whose cells are being written.
    grid: Option<usize>,
    authored: Option<Rc<Authored<'t>>>,
    element: Option<&'t str>,
    /// The language that the source states below the section.
    language: Option<&'t str>,
    /// In a table's cell: all on one line.
    cell: bool,
    /// In a label.
    label: bool,
    /// White space counts.
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
}

struct OpenBlock {
    start: usize,
    at: usize,
    continues: Option<usize>,
    spans: Vec<TokenSpan>,
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
    footnotes: VecDeque<(XmlNode<'t>, Option<usize>, String)>,
    footnote_count: usize,
    /// The end of the last script without brackets in the text, and whether it is digits alone.
    bare_script: Option<(usize, bool)>,
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

    fn finish(mut self) -> String {
        self.end_text();
        self.out.shrink_to_fit();
        self.out
    }

    fn end_text(&mut self) {
        self.close();
        self.flush_label();
        self.truncate(self.out.trim_end().len());
    }

    /// Writes whole blocks elsewhere and comes back.
    fn in_context(&mut self, change: impl FnOnce(&mut WriteContext<'t>), write: impl FnOnce(&mut Self)) {
        self.close();
        let saved = self.context.clone();
        change(&mut self.context);
        write(self);
        self.close();
        self.context = saved;
    }

    /// Writes blocks of a kind; in a paragraph all become running text.
    fn as_kind(&mut self, kind: BlockKind, paragraph: bool, write: impl FnOnce(&mut Self)) {
        self.in_context(|context| (context.kind, context.paragraph) = (kind, paragraph), write);
    }

    fn children(&mut self, node: XmlNode<'t>) {
        node.children().for_each(|child| self.node(child));
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
        Some(collapse(&writer.finish())).filter(|label| !label.is_empty())
    }

    /// The primary subtag of the document's main language.
    fn main_language(&self) -> &str {
        self.document.map_or("en", |document| document.language())
    }

    /// Whether a title, a caption or another short text is written.
    fn is_short(&self) -> bool {
        self.mode == Mode::Line || matches!(self.context.kind, BlockKind::Title | BlockKind::Caption)
    }

    /// The decimal sign of the document.
    fn decimal_sign(&self) -> FormulaDecimalSign {
        self.document.map_or_else(FormulaDecimalSign::default, |document| document.decimal_sign())
    }

    /// Writes character data.
    fn text(&mut self, text: &str) {
        let text = &*visible(text);
        let printed;
        let text = if self.is_short() && tex_line::has_marks(text) {
            printed = tex_line::without_marks(text);
            &printed
        } else {
            text
        };
        if self.context.verbatim {
            if !text.is_empty() {
                self.begin();
                self.out.push_str(text);
            }
            return;
        }
        let bytes = text.as_bytes();
        // No other character of XML is below the space.
        let blank = |b: &u8| *b <= b' ';
        let mut at = 0;
        while at < bytes.len() {
            let word = at + bytes[at..].iter().position(|b| !blank(b)).unwrap_or(bytes.len() - at);
            if word > at && self.separator.is_empty() {
                self.separator = " ";
            }
            // Words with one space between them are written together.
            let mut end = word;
            loop {
                end += bytes[end..].iter().position(blank).unwrap_or(bytes.len() - end);
                match bytes.get(end..end + 2) {
                    Some([b' ', next]) if end > word && !blank(next) => end += 1,
                    _ => break,
                }
            }
            if end > word {
                self.begin();
                self.part_from_script(&text[word..end]);
                self.out.push_str(&text[word..end]);
            }
            at = end;
        }
    }

    /// Writes a word with the pending separator before it.
    fn put(&mut self, word: &str) {
        self.put_at(word);
    }

    /// The same; gives the byte that the word begins at.
    fn put_at(&mut self, word: &str) -> usize {
        let word = &*visible(word);
        if !word.is_empty() {
            self.begin();
            self.part_from_script(word);
            self.out.push_str(word);
        }
        self.out.len() - word.len()
    }

    /// Writes a blank between a script without brackets and the words after it, which would lengthen it:
    /// `10^2 3`. A letter after digits does not: `H_2O`.
    fn part_from_script(&mut self, words: &str) {
        let Some((end, digits)) = self.bare_script.take() else { return };
        let lengthens = words.starts_with(|c: char| c.is_ascii_digit() || c.is_alphanumeric() && !digits);
        if end == self.out.len() && lengthens {
            self.out.push(' ');
            self.record(end, Note::Sign(self.out.len()));
        }
    }

    /// Makes sure that a block is open and the next character belongs to it.
    fn begin(&mut self) {
        if self.open.is_none() {
            if !self.separator.is_empty() {
                self.gap = self.gap.max(Gap::Space);
            }
            self.flush_gap();
            if let Some(label) = self.label.take() {
                self.put_label(&label);
                self.out.push(' ');
            }
            self.separator = "";
            self.open = Some(OpenBlock {
                start: self.out.len(),
                at: self.at,
                continues: self.parted.take(),
                spans: Vec::new(),
            });
            self.block_count += 1;
        } else if !self.separator.is_empty() {
            self.out.push_str(self.separator);
            self.separator = "";
        }
    }

    fn flush_gap(&mut self) {
        let fresh = self.out.is_empty() || self.out.ends_with(['\n', '\t']);
        match self.gap {
            Gap::Nothing => {}
            Gap::Space if fresh || self.out.ends_with(' ') => {}
            Gap::Space => self.out.push(' '),
            Gap::Line | Gap::Blank if self.out.is_empty() => {}
            Gap::Line => self.out.push('\n'),
            Gap::Blank => self.out.push_str("\n\n"),
        }
        if self.gap >= Gap::Line && self.context.item.is_some() {
            for _ in 1..self.context.depth {
                self.out.push_str("  ");
            }
        }
        self.gap = Gap::Nothing;
    }

    /// Writes a label that no block took up.
    fn flush_label(&mut self) {
        if let Some(label) = self.label.take() {
            self.flush_gap();
            self.put_label(&label);
            self.gap = Gap::Space;
        }
    }

    fn put_label(&mut self, label: &str) {
        let at = self.out.len();
        self.out.push_str(label);
        self.record(at, Note::Label(self.out.len()));
    }

    /// Ends the open block.
    fn close(&mut self) {
        self.separator = "";
        let Some(mut open) = self.open.take() else { return };
        let end = open.start + self.out[open.start..].trim_end().len();
        self.truncate(end);
        if end == open.start {
            return;
        }
        open.spans.retain(|s| s.range.end <= end && !s.range.is_empty());
        self.previous = Some(self.block_list.blocks.len());
        if let Some(language) = self.context.language {
            self.block_list.stated_languages.push((self.block_list.blocks.len(), language));
        }
        self.block_list.offsets.push(open.at);
        self.block_list.blocks.push(Block {
            section: self.section,
            kind: self.context.kind,
            range: open.start..end,
            element: self.context.element,
            item: self.context.item.clone(),
            table: self.context.table.map(offset32),
            language: None,
            continues: open.continues.map(offset32),
            authored: self.context.authored.clone(),
            spans: open.spans.into(),
            xml: None,
        });
    }

    /// Ends the open block and separates the next one from it.
    fn end_block(&mut self, gap: Gap) {
        self.close();
        let gap = if self.context.cell { Gap::Space } else { gap };
        self.gap = self.gap.max(gap);
    }

    /// Parts blocks of running text: by a blank line, within lists by a line.
    fn separate_blocks(&mut self) {
        self.end_block(if self.context.item.is_some() { Gap::Line } else { Gap::Blank });
    }

    /// Writes a token and records it as a span.
    fn span(&mut self, kind: SpanKind, write: impl FnOnce(&mut Self)) {
        let before = self.open.as_ref().map(|_| self.block_count);
        let from = self.out.len();
        write(self);
        let Some(open) = &mut self.open else { return };
        // What the token began with may be the space or the label before it, or the end of a block that is
        // cut off.
        let from = if before == Some(self.block_count) { from } else { open.start };
        let start = from + (self.out[from..].len() - self.out[from..].trim_start().len());
        if start < self.out.len() && open.spans.last().is_none_or(|s| s.range.end <= start) {
            open.spans.push(TokenSpan { range: start..self.out.len(), kind });
        }
    }
}
