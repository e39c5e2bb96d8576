//! HTML from a text and the notes of the walk that wrote it: blocks, then words in their looks, and over both
//! the marks of provisions.

mod blocks;
mod changes;
mod inline;

use std::cmp::Reverse;

use foldhash::{HashMap, HashSet};

use super::grid::TableCells;
use super::markup::{Attribute, Html, Tag};
use super::parts::{HtmlPicture, HtmlStandard, ProvisionMark};
use crate::text::noted::{Note, Shape, TextNotes};
use crate::xml::tree::XmlNode;

/// The key of an element that HTML needs and no note begins.
const IMPLIED: usize = usize::MAX;

/// A part of the text that is marked, whatever elements it crosses.
pub(super) struct Marked<'a> {
    /// Bytes of the text.
    pub start: usize,
    pub end: usize,
    /// The provision; absent for the words that decided its type.
    pub provision: Option<&'a ProvisionMark<'a>>,
}

/// What the caller has for the nodes of the section.
pub(super) struct SectionNotes<'a, 't> {
    pub standard: &'a HtmlStandard,
    pub section: &'a str,
    pub heading: Tag,
    /// Ids of the API for tables and entries of terms, by node.
    pub ids: HashMap<usize, &'a str>,
    pub pictures: HashMap<usize, &'a HtmlPicture<'a>>,
    pub notes: &'a TextNotes<'t>,
    pub marked: &'a [Marked<'a>],
}

/// A block element, and the index of the note that begins it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct HtmlBlock {
    key: usize,
    tag: Tag,
}

/// What is around words within a block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inline {
    /// An element, by the index of its note.
    Element(usize),
    /// A part that is marked, by its index.
    Marked(usize),
    /// What the source marks as inserted.
    Inserted,
}

/// What a note that begins a shape has become.
enum BegunShape {
    Block,
    Inline(usize),
    Nothing,
}

/// A block that is written and not ended.
struct OpenBlockElement {
    block: HtmlBlock,
    /// The last element directly within it.
    last_within: Option<Tag>,
}

/// The begin or the end of a part that is marked.
struct MarkBound {
    /// Byte of the text.
    at: usize,
    begins: bool,
    /// Index of the marked part.
    index: usize,
}

/// White space that is written once it is known what follows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum HtmlGap {
    None,
    Space,
    Break,
}

pub(super) struct Composer<'a, 't> {
    known: SectionNotes<'a, 't>,
    html: &'a mut Html,
    /// Ids that the document has.
    taken: &'a mut HashSet<String>,
    text: &'a str,
    /// How far the text is written.
    at: usize,
    /// Shapes that notes began and did not end.
    begun: Vec<BegunShape>,
    /// Blocks around the present byte of the text, as notes say. They are opened before words alone.
    blocks: Vec<HtmlBlock>,
    /// True if `open` may differ from what `blocks` need.
    blocks_changed: bool,
    /// Blocks that are written and not ended.
    open: Vec<OpenBlockElement>,
    /// What is around the present byte within its block, the outermost first.
    inlines: Vec<Inline>,
    /// The part of it that is written and not ended.
    open_inlines: Vec<Inline>,
    gap: HtmlGap,
    /// True while a row is written that is struck out of the head of a table.
    struck_in_head: bool,
    /// Ids that wait for the next element or words.
    waiting: Vec<&'t str>,
    /// Ids of the elements that notes begin.
    ids: HashMap<usize, String>,
    /// Where in the text each shape ends.
    ends: HashMap<usize, usize>,
    table_cells: TableCells,
    /// Begins and ends of what is marked, in the order of the text.
    bounds: std::iter::Peekable<std::vec::IntoIter<MarkBound>>,
    /// The numbers of footnotes without an id, by node.
    footnotes: HashMap<usize, usize>,
    /// Ids of the footnotes of which a mark is written.
    referred: HashSet<String>,
}

impl<'a, 't> Composer<'a, 't> {
    pub(super) fn new(
        known: SectionNotes<'a, 't>,
        text: &'a str,
        html: &'a mut Html,
        taken: &'a mut HashSet<String>,
    ) -> Self {
        let bounds = bounds(known.marked);
        let ends = ends_of_shapes(known.notes);
        Self {
            known,
            html,
            taken,
            text,
            at: 0,
            begun: Vec::new(),
            blocks: Vec::new(),
            blocks_changed: true,
            open: Vec::new(),
            inlines: Vec::new(),
            open_inlines: Vec::new(),
            gap: HtmlGap::None,
            struck_in_head: false,
            waiting: Vec::new(),
            ids: HashMap::default(),
            ends,
            table_cells: TableCells::default(),
            bounds: bounds.into_iter().peekable(),
            footnotes: HashMap::default(),
            referred: HashSet::default(),
        }
    }

    /// Writes the whole text.
    pub(super) fn compose(mut self) {
        let notes = self.known.notes;
        for (index, (at, note)) in notes.iter().enumerate() {
            self.text_to(*at);
            match *note {
                Note::Id(id) => self.waiting.push(id),
                Note::Begin(shape, node) => self.begin(index, shape, node),
                Note::End => self.end(),
                Note::Label(end) => self.label(end),
                Note::Sign(end) => self.sign(end),
                Note::Formula(node, end) => self.formula(node, end),
                Note::Picture(node) => self.picture(node),
                Note::Struck(node, spaced) => self.struck(node, spaced),
                Note::Insertion(true) => self.inlines.push(Inline::Inserted),
                Note::Insertion(false) => self.inlines.retain(|inline| *inline != Inline::Inserted),
            }
        }
        self.text_to(self.text.len());
        self.close_blocks(0);
    }

    /// Writes the text up to a byte, in pieces that lie in the same marked parts.
    fn text_to(&mut self, to: usize) {
        loop {
            while let Some(bound) = self.bounds.next_if(|bound| bound.at <= self.at) {
                if bound.begins {
                    self.inlines.push(Inline::Marked(bound.index));
                } else {
                    self.inlines.retain(|inline| *inline != Inline::Marked(bound.index));
                }
            }
            if self.at >= to {
                return;
            }
            let end = self.bounds.peek().map_or(to, |bound| to.min(bound.at));
            let piece = &self.text[self.at..end];
            self.at = end;
            self.words(piece);
        }
    }

    /// Writes a piece of the text.
    fn words(&mut self, piece: &str) {
        if let Some(&block) = self.blocks.last()
            && block.tag == Tag::Pre
        {
            return self.verbatim(block, piece);
        }
        let words = piece.trim_start();
        self.blank(&piece[..piece.len() - words.len()]);
        let words = words.trim_end();
        if words.is_empty() {
            return;
        }
        self.ready(true);
        let mut lines = words.split('\n');
        self.html.text(lines.next().unwrap_or_default());
        for line in lines {
            self.html.begin(Tag::Br, &[]);
            self.html.text(line.trim_start());
        }
        self.blank(&piece[piece.trim_end().len()..]);
    }

    /// Writes code with its white space. A line break at its start would be an empty line above it.
    fn verbatim(&mut self, block: HtmlBlock, piece: &str) {
        let is_open = self.open.iter().any(|open| open.block == block);
        self.ready(true);
        self.html.text(if is_open { piece } else { piece.trim_start_matches('\n') });
    }

    /// Notes white space, for the next words.
    fn blank(&mut self, blank: &str) {
        if blank.is_empty() {
            return;
        }
        let gap = if blank.contains('\n') { HtmlGap::Break } else { HtmlGap::Space };
        self.gap = self.gap.max(gap);
    }

    /// Opens and closes elements so that words can follow, or with `false` a picture or an empty cell.
    fn ready(&mut self, words: bool) {
        self.blocks_are_open(words);
        let inlines = std::mem::take(&mut self.inlines);
        self.inlines_are_open(&inlines);
        self.inlines = inlines;
        for id in std::mem::take(&mut self.waiting) {
            if let Some(id) = self.fresh(id) {
                self.html.begin(Tag::Span, &[(Attribute::Id, &id)]);
                self.html.end(Tag::Span);
            }
        }
    }

    /// The shape that the note with an index begins, and its node; `None` for what no note begins.
    fn shape(&self, key: usize) -> Option<(Shape<'t>, XmlNode<'t>)> {
        match self.known.notes.get(key)?.1 {
            Note::Begin(shape, node) => Some((shape, node)),
            _ => None,
        }
    }

    /// Begins a shape, whose key is the index of its note.
    fn begin(&mut self, key: usize, shape: Shape<'t>, node: XmlNode<'t>) {
        let tag = match shape {
            Shape::Heading => self.known.heading,
            Shape::Paragraph(_) => Tag::P,
            Shape::Group(_) | Shape::Footnote => Tag::Div,
            Shape::Quotation => Tag::Blockquote,
            Shape::Verbatim => Tag::Pre,
            Shape::List { ordered: true } => Tag::Ol,
            Shape::List { ordered: false } => Tag::Ul,
            Shape::Item => Tag::Li,
            Shape::Defined => Tag::Dt,
            Shape::Definition => Tag::Dd,
            Shape::Figure(_) => Tag::Figure,
            Shape::Caption => Tag::Figcaption,
            Shape::Table => Tag::Table,
            Shape::Row { .. } => Tag::Tr,
            Shape::Cell(span) if span.is_head => Tag::Th,
            Shape::Cell(_) => Tag::Td,
            _ => return self.begin_inline(key),
        };
        if matches!(shape, Shape::Table) {
            self.table_cells.add(self.known.notes, key);
        }
        let noted = self.waiting.pop();
        let id = match (self.known.ids.get(&node.id()).copied(), shape) {
            (Some(id), _) => Some(id.to_owned()),
            (None, Shape::Footnote) => Some(self.footnote_id(node)),
            (None, _) => noted.map(str::to_owned),
        };
        if let Some(id) = id {
            self.ids.insert(key, id);
        }
        self.blocks.push(HtmlBlock { key, tag });
        self.blocks_changed = true;
        self.begun.push(BegunShape::Block);
    }

    /// Ends the innermost shape.
    fn end(&mut self) {
        match self.begun.pop() {
            Some(BegunShape::Block) => self.end_block(),
            Some(BegunShape::Inline(key)) => self.inlines.retain(|inline| *inline != Inline::Element(key)),
            Some(BegunShape::Nothing) | None => {}
        }
    }

    /// An id that no element has yet; `None` for one that another element has, or that HTML does not allow.
    fn fresh(&mut self, id: &str) -> Option<String> {
        let is_usable = !id.is_empty() && !id.contains(char::is_whitespace);
        if is_usable && self.taken.insert(id.to_owned()) { Some(id.to_owned()) } else { None }
    }
}

/// The bounds of marked parts in the order of the text: at one byte ends are before begins, and of the parts
/// that begin there the longer one is around the shorter.
fn bounds(marked: &[Marked<'_>]) -> Vec<MarkBound> {
    let mut bounds: Vec<MarkBound> = Vec::new();
    for (index, marked) in marked.iter().enumerate() {
        bounds.push(MarkBound { at: marked.start, begins: true, index });
        bounds.push(MarkBound { at: marked.end, begins: false, index });
    }
    bounds.sort_by_key(|bound| {
        let length = marked[bound.index].end - marked[bound.index].start;
        (bound.at, bound.begins, Reverse(length), bound.index)
    });
    bounds
}

/// The byte of the text at which each shape ends, by the index of the note that begins it.
fn ends_of_shapes(notes: &TextNotes<'_>) -> HashMap<usize, usize> {
    let mut ends = HashMap::default();
    let mut begun = Vec::new();
    for (index, (at, note)) in notes.iter().enumerate() {
        match note {
            Note::Begin(..) => begun.push(index),
            Note::End => {
                if let Some(begin) = begun.pop() {
                    ends.insert(begin, *at);
                }
            }
            _ => {}
        }
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::{Marked, bounds};

    #[test]
    fn a_longer_part_is_around_a_shorter_one_and_ends_are_before_begins() {
        let part = |start, end| Marked { start, end, provision: None };
        let bounds: Vec<_> = bounds(&[part(0, 2), part(0, 5), part(2, 5)])
            .iter()
            .map(|bound| (bound.at, bound.begins, bound.index))
            .collect();
        let expected =
            [(0, true, 1), (0, true, 0), (2, false, 0), (2, true, 2), (5, false, 1), (5, false, 2)];
        assert_eq!(bounds, expected);
    }
}
