//! HTML from a text and the notes of the walk that wrote it: blocks, then words in their looks, and over both
//! the marks of provisions.

mod changes;
mod inline;

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
    begun: Vec<BegunShape>,
    blocks: Vec<HtmlBlock>,
    blocks_changed: bool,
    /// Blocks that are written and not ended, each with the last element written in it.
    open: Vec<(HtmlBlock, Option<Tag>)>,
    inlines: Vec<Inline>,
    open_inlines: Vec<Inline>,
    gap: HtmlGap,
    /// Whether a row that is struck out of the head of a table is written.
    struck_in_head: bool,
    /// Ids that wait for the next element or words.
    waiting: Vec<&'t str>,
    /// Ids of the elements that notes begin.
    ids: HashMap<usize, String>,
    /// Where in the text each shape ends.
    ends: HashMap<usize, usize>,
    table_cells: TableCells,
    /// Begins and ends of what is marked, in order: byte, whether it begins, its index.
    bounds: std::iter::Peekable<std::vec::IntoIter<(usize, bool, usize)>>,
    /// Footnotes by node, with the number of each that has no id; and those that have a mark.
    footnotes: HashMap<usize, usize>,
    referred: HashSet<String>,
}

impl<'a, 't> Composer<'a, 't> {
    pub(super) fn new(
        known: SectionNotes<'a, 't>,
        text: &'a str,
        html: &'a mut Html,
        taken: &'a mut HashSet<String>,
    ) -> Self {
        let mut bounds: Vec<(usize, bool, usize)> = Vec::new();
        for (index, marked) in known.marked.iter().enumerate() {
            bounds.extend([(marked.start, true, index), (marked.end, false, index)]);
        }
        // Of those that begin together the longer one is around the shorter.
        let length = |index: usize| known.marked[index].end - known.marked[index].start;
        bounds.sort_by_key(|&(at, begins, index)| (at, begins, std::cmp::Reverse(length(index)), index));
        let mut ends = HashMap::default();
        let mut begun = Vec::new();
        for (index, (at, note)) in known.notes.iter().enumerate() {
            match note {
                Note::Begin(..) => begun.push(index),
                Note::End => drop(begun.pop().map(|begin| ends.insert(begin, *at))),
                _ => {}
            }
        }
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
            while let Some((_, begins, index)) = self.bounds.next_if(|(at, ..)| *at <= self.at) {
                match begins {
                    true => self.inlines.push(Inline::Marked(index)),
                    false => self.inlines.retain(|inline| *inline != Inline::Marked(index)),
                }
            }
            if self.at >= to {
                return;
            }
            let end = self.bounds.peek().map_or(to, |(at, ..)| to.min(*at));
            let piece = &self.text[self.at..end];
            self.at = end;
            self.words(piece);
        }
    }

    fn words(&mut self, piece: &str) {
        if let Some(&pre) = self.blocks.last().filter(|block| block.tag == Tag::Pre) {
            // A line break at its start would be an empty line above it.
            let is_open = self.open.iter().any(|(block, _)| *block == pre);
            self.ready(true);
            return self.html.text(if is_open { piece } else { piece.trim_start_matches('\n') });
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

    fn blank(&mut self, blank: &str) {
        let gap = match blank {
            "" => return,
            _ if blank.contains('\n') => HtmlGap::Break,
            _ => HtmlGap::Space,
        };
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

    fn inlines_are_open(&mut self, inlines: &[Inline]) {
        let same = self.open_inlines.iter().zip(inlines).take_while(|(one, other)| one == other).count();
        self.close_inlines(same);
        match self.gap {
            HtmlGap::None => {}
            HtmlGap::Space => self.html.out.push(' '),
            HtmlGap::Break => {
                self.html.begin(Tag::Br, &[]);
                self.html.out.push('\n');
            }
        }
        self.gap = HtmlGap::None;
        for &inline in &inlines[same..] {
            self.open_inline(inline);
            self.open_inlines.push(inline);
        }
    }

    fn close_inlines(&mut self, down_to: usize) {
        while self.open_inlines.len() > down_to {
            match self.open_inlines.pop() {
                Some(Inline::Element(key)) => {
                    let tag = self.inline_tag(key);
                    tag.into_iter().for_each(|tag| self.html.end(tag));
                }
                Some(Inline::Marked(index)) => match self.known.marked[index].provision {
                    Some(_) => self.html.end(Tag::Span),
                    None => self.html.end(Tag::Em),
                },
                Some(Inline::Inserted) => self.html.end(Tag::Ins),
                None => {}
            }
        }
    }

    fn close_blocks(&mut self, down_to: usize) {
        self.close_inlines(0);
        while self.open.len() > down_to {
            let Some((HtmlBlock { tag, .. }, last)) = self.open.pop() else { return };
            if tag == Tag::Dl && last == Some(Tag::Dt) {
                self.empty(Tag::Dd);
            }
            self.html.end(tag);
        }
    }

    fn empty(&mut self, tag: Tag) {
        self.html.begin(tag, &[]);
        self.html.end(tag);
    }

    fn blocks_are_open(&mut self, words: bool) {
        if !self.blocks_changed {
            return;
        }
        self.blocks_changed = !words;
        let mut wanted: Vec<HtmlBlock> = Vec::with_capacity(self.blocks.len() + 4);
        for (index, &block) in self.blocks.iter().enumerate() {
            if holds_words_only(block.tag) && index + 1 < self.blocks.len() {
                continue;
            }
            self.imply(&mut wanted, block.tag, block.key);
            wanted.push(block);
        }
        self.imply(&mut wanted, Tag::Span, IMPLIED);
        let top = wanted.last();
        let is_formula = |key: usize| matches!(self.shape(key), Some((Shape::Group("formula"), _)));
        if words
            && top.is_none_or(|top| {
                matches!(top.tag, Tag::Div | Tag::Blockquote | Tag::Figure) && !is_formula(top.key)
            })
        {
            wanted.push(HtmlBlock { key: IMPLIED, tag: Tag::P });
        }
        let same = self.open.iter().zip(&wanted).take_while(|(one, other)| one.0 == **other).count();
        if same == self.open.len() && same == wanted.len() {
            return;
        }
        self.close_blocks(same);
        self.gap = HtmlGap::None;
        for block in wanted.drain(same..) {
            self.open_block(block);
        }
    }

    /// Adds the elements that must be between the last block and an element within it.
    fn imply(&self, wanted: &mut Vec<HtmlBlock>, tag: Tag, key: usize) {
        let in_head =
            matches!(self.shape(key), Some((Shape::Row { in_head: true }, _))) || self.struck_in_head;
        while let Some(top) = wanted.last() {
            let tag = match (top.tag, tag) {
                (Tag::Ul | Tag::Ol, Tag::Li)
                | (Tag::Thead | Tag::Tbody, Tag::Tr)
                | (Tag::Tr, Tag::Td | Tag::Th)
                | (Tag::Dl, Tag::Dt | Tag::Dd) => return,
                (Tag::Ul | Tag::Ol, _) => Tag::Li,
                (Tag::Table, Tag::Tr) if in_head => Tag::Thead,
                (Tag::Table, _) => Tag::Tbody,
                (Tag::Thead | Tag::Tbody, _) => Tag::Tr,
                (Tag::Tr, _) => Tag::Td,
                (Tag::Dl, _) => Tag::Dd,
                (_, Tag::Dt | Tag::Dd) => Tag::Dl,
                _ => return,
            };
            wanted.push(HtmlBlock { key: IMPLIED, tag });
        }
    }

    fn shape(&self, key: usize) -> Option<(Shape<'t>, XmlNode<'t>)> {
        match self.known.notes.get(key)?.1 {
            Note::Begin(shape, node) => Some((shape, node)),
            _ => None,
        }
    }

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
        let own = self.known.ids.get(&node.id()).map(|id| (*id).to_owned());
        let own = own.or_else(|| matches!(shape, Shape::Footnote).then(|| self.footnote_id(node)));
        let named = self.waiting.pop();
        if let Some(id) = own.or_else(|| named.map(str::to_owned)) {
            self.ids.insert(key, id);
        }
        self.blocks.push(HtmlBlock { key, tag });
        self.blocks_changed = true;
        self.begun.push(BegunShape::Block);
    }

    fn begin_inline(&mut self, key: usize) {
        let is_link =
            |inline: &Inline| matches!(*inline, Inline::Element(key) if self.inline_tag(key) == Some(Tag::A));
        let tag = self.inline_tag(key);
        let Some(tag) = tag.filter(|tag| *tag != Tag::A || !self.inlines.iter().any(is_link)) else {
            return self.begun.push(BegunShape::Nothing);
        };
        let end = self.ends.get(&key).copied().unwrap_or(self.at);
        // White space at the start is before the element.
        let blank = self.text[self.at..end.max(self.at)].len()
            - self.text[self.at..end.max(self.at)].trim_start().len();
        self.text_to(self.at + blank);
        if tag != Tag::Em
            && let Some(id) = self.waiting.pop()
        {
            self.ids.insert(key, id.to_owned());
        }
        // What ends within the element is in it, and goes on from before it.
        let within =
            |inline: &Inline| matches!(*inline, Inline::Marked(index) if self.known.marked[index].end < end);
        let (inner, mut outer): (Vec<Inline>, Vec<Inline>) =
            self.inlines.iter().partition(|inline| within(inline));
        outer.push(Inline::Element(key));
        outer.extend(inner);
        self.inlines = outer;
        self.begun.push(BegunShape::Inline(key));
    }

    fn end(&mut self) {
        match self.begun.pop() {
            Some(BegunShape::Block) => {
                let Some(&block) = self.blocks.last() else { return };
                let is_open = |composer: &Self| composer.open.iter().position(|(open, _)| *open == block);
                match block.tag {
                    Tag::Td | Tag::Th if is_open(self).is_none() => self.ready(false),
                    Tag::Tr => {
                        let missing = self.table_cells.missing.get(&block.key).copied().unwrap_or_default();
                        if let Some(row) = is_open(self).filter(|_| missing > 0) {
                            self.close_blocks(row + 1);
                            (0..missing).for_each(|_| self.empty(Tag::Td));
                        }
                    }
                    Tag::Div if is_open(self).is_some() => self.link_back(block.key),
                    _ => {}
                }
                self.blocks.pop();
                self.blocks_changed = true;
            }
            Some(BegunShape::Inline(key)) => self.inlines.retain(|inline| *inline != Inline::Element(key)),
            Some(BegunShape::Nothing) | None => {}
        }
    }

    /// An id that no element has yet.
    fn fresh(&mut self, id: &str) -> Option<String> {
        let usable = !id.is_empty() && !id.contains(char::is_whitespace);
        (usable && self.taken.insert(id.to_owned())).then(|| id.to_owned())
    }

    fn open_block(&mut self, block: HtmlBlock) {
        let HtmlBlock { key, tag } = block;
        let last = self.open.last_mut().map(|(_, last)| last.replace(tag)).unwrap_or_default();
        if tag == Tag::Dd && last.is_none() {
            self.empty(Tag::Dt);
        }
        let mut attributes: Vec<(Attribute, String)> = Vec::new();
        if let Some(id) = self.ids.remove(&key).and_then(|id| self.fresh(&id)) {
            attributes.push((Attribute::Id, id));
        }
        if let Some((shape, node)) = self.shape(key) {
            let kind = match shape {
                Shape::Paragraph(kind) | Shape::Group(kind) | Shape::Figure(kind) => kind,
                Shape::Footnote => "footnote",
                _ => "",
            };
            if !kind.is_empty() {
                attributes.push((Attribute::Type, kind.to_owned()));
            }
            self.add_language(node, &mut attributes);
            if let Shape::Cell(_) = shape {
                self.cell(key, tag, &mut attributes);
            }
        }
        self.begin_tag(tag, &attributes);
        self.open.push((block, None));
    }

    fn cell(&mut self, key: usize, tag: Tag, attributes: &mut Vec<(Attribute, String)>) {
        if let Some(cell) = self.table_cells.cells.remove(&key) {
            (0..cell.before).for_each(|_| self.empty(Tag::Td));
            let spans = [(Attribute::Colspan, cell.columns), (Attribute::Rowspan, cell.rows)];
            attributes.extend(spans.iter().filter(|(_, n)| *n > 1).map(|(name, n)| (*name, n.to_string())));
        }
        if tag == Tag::Th {
            let in_head = self.open.iter().any(|(block, _)| block.tag == Tag::Thead);
            attributes.push((Attribute::Scope, if in_head { "col" } else { "row" }.to_owned()));
        }
    }

    fn begin_tag(&mut self, tag: Tag, attributes: &[(Attribute, String)]) {
        let attributes: Vec<(Attribute, &str)> = attributes.iter().map(|(a, v)| (*a, v.as_str())).collect();
        self.html.begin(tag, &attributes);
    }
}

/// Whether an element holds words and what is within a line.
fn holds_words_only(tag: Tag) -> bool {
    matches!(tag, Tag::P | Tag::Pre | Tag::Dt | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6)
}
