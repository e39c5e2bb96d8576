//! Plans: the pieces of a pack, and the bytes between them, that make up an answer.

use std::iter::Peekable;
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use norma_api::media::View;

use crate::Offsets;
use crate::graph::{END, ProvisionNodes};
use crate::gzip::{Damaged, Restart};
use crate::index::{ITEMS, SECTIONS, TextPiece};
use crate::pack::{PackDirectory, PackPart};

/// A piece of what is sent.
pub(crate) enum PlanPiece {
    /// Bytes that the pack does not have.
    Bytes(Bytes),
    /// A slice of the identity bytes of a part.
    Slice(PackPart, Range<u64>),
    /// The text of a slice of the content that is the inside of a JSON string, with this number of bytes.
    Text(Range<u64>, u64),
    /// The stored part of the graph in Turtle, with this number of bytes.
    Turtle(u64),
    /// The nodes of the graph for the provisions in this slice of their view.
    Nodes { provisions: Range<u64>, nodes: Arc<ProvisionNodes>, is_turtle: bool },
}

impl PlanPiece {
    /// Number of its bytes.
    pub(crate) fn size(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::Slice(_, range) => range.end - range.start,
            Self::Text(_, size) | Self::Turtle(size) => *size,
            Self::Nodes { nodes, is_turtle: true, .. } => nodes.turtle,
            Self::Nodes { nodes, is_turtle: false, .. } => nodes.json_ld,
        }
    }
}

/// The pieces of one answer, in order. They are made when they are asked for: a large standard has thousands.
pub struct Plan {
    pieces: Box<dyn Iterator<Item = PlanPiece> + Send + Sync>,
    /// The restart points of a plan that skips much of a part.
    offsets: Option<Arc<Offsets>>,
}

impl Plan {
    fn new(pieces: impl IntoIterator<Item = PlanPiece, IntoIter: Send + Sync + 'static>) -> Self {
        Self { pieces: Box::new(pieces.into_iter()), offsets: None }
    }

    /// An answer of these bytes alone.
    pub fn bytes(bytes: impl Into<Bytes>) -> Self {
        Self::new([PlanPiece::Bytes(bytes.into())])
    }

    /// The identity bytes of a part.
    pub fn part(part: PackPart, directory: &PackDirectory) -> Self {
        Self::new([PlanPiece::Slice(part, 0..directory.part(part).size)])
    }

    /// The identity bytes of a part that is a JSON object, with `front` instead of its opening brace.
    pub fn part_behind(front: Bytes, part: PackPart, directory: &PackDirectory) -> Self {
        Self::new([PlanPiece::Bytes(front), PlanPiece::Slice(part, 1..directory.part(part).size.max(1))])
    }

    /// The identity bytes of a view. The complete standard and its metadata have `front` instead of their
    /// first byte, the opening brace: what the catalogue says of the edition.
    ///
    /// # Errors
    /// Where the offsets are damaged.
    pub fn view(
        view: View,
        front: Bytes,
        directory: &PackDirectory,
        offsets: &Arc<Offsets>,
    ) -> Result<Self, Damaged> {
        Ok(match view {
            View::Complete | View::Metadata => {
                standard(view, front, Some(head(directory)), directory, offsets, |_| true)
            }
            View::ContentText => Self::text(offsets, 0..offsets.sections.len())?,
            View::Graph => graph(directory, offsets)?,
            View::GraphTurtle => turtle(directory, offsets)?,
            View::Source => Self::part(PackPart::Source, directory),
            View::Content => Self::part(PackPart::Content, directory),
            View::Provisions => Self::part(PackPart::Provisions, directory),
            View::Graphics => Self::part(PackPart::Graphics, directory),
            View::Terms => Self::part(PackPart::Terms, directory),
            View::Tables => Self::part(PackPart::Tables, directory),
            View::Sections => Self::part(PackPart::Sections, directory),
        })
    }

    /// The members of a standard, complete or without section bodies, that list items and are among `fields`.
    /// `front` has the members before them.
    pub fn fields(
        view: View,
        fields: &[&str],
        front: Bytes,
        directory: &PackDirectory,
        offsets: &Arc<Offsets>,
    ) -> Self {
        standard(view, front, None, directory, offsets, |name| fields.contains(&name))
    }

    /// Sections as plain text in the order of the source, each followed by a blank line. What a section goes
    /// on with after others that are within it comes after those, where they are chosen; the indexes are in
    /// ascending order.
    ///
    /// # Errors
    /// Where the offsets are damaged.
    pub fn text(
        offsets: &Arc<Offsets>,
        sections: impl IntoIterator<Item = usize, IntoIter: Send + Sync + 'static>,
    ) -> Result<Self, Damaged> {
        let texts = SectionTexts {
            offsets: offsets.clone(),
            pieces: offsets.text_pieces()?,
            chosen: sections.into_iter().peekable(),
            open: Vec::new(),
        };
        let texts = texts.flat_map(|text| [text, literal("\n\n")]);
        Ok(Self { offsets: Some(offsets.clone()), ..Self::new(texts) })
    }

    /// A JSON object that ends with a list of items of a part: provisions, or sections of the content, by
    /// their indexes in ascending order. `front` is the object up to the opening bracket of the list. `first`
    /// are members that the item with an index begins with, besides those that are stored: `"name":value,`.
    ///
    /// # Errors
    /// Where there is no such item.
    pub fn items(
        part: PackPart,
        front: Bytes,
        offsets: &Arc<Offsets>,
        indexes: Vec<u32>,
        first: impl Fn(u32) -> Option<String> + Send + Sync + 'static,
    ) -> Result<Self, Damaged> {
        let from = offsets.clone();
        let range = move |index: u32| match part {
            PackPart::Provisions => from.item(index as usize),
            _ => from.section(index as usize),
        };
        // They are in ascending order, so the last one is out of range if any is.
        if indexes.last().is_some_and(|&last| range(last).is_none()) {
            return Err(Damaged { what: part.name() });
        }
        let ranges = indexes.into_iter().filter_map(move |index| Some((index, range(index)?)));
        let items = ranges.enumerate().flat_map(move |(position, (index, range))| {
            let comma = if position == 0 { "" } else { "," };
            let Some(members) = first(index) else {
                return [literal(comma), PlanPiece::Slice(part, range)];
            };
            // They are written instead of the opening brace.
            let begin = PlanPiece::Bytes(format!("{comma}{{{members}").into());
            [begin, PlanPiece::Slice(part, range.start + 1..range.end)]
        });
        let pieces = [PlanPiece::Bytes(front)].into_iter().chain(items).chain([literal("]}")]);
        Ok(Self { offsets: Some(offsets.clone()), ..Self::new(pieces) })
    }

    /// Number of bytes of the result.
    pub fn size(self) -> u64 {
        self.pieces.fold(0, |size, piece| size.saturating_add(piece.size()))
    }

    pub(crate) fn next(&mut self) -> Option<PlanPiece> {
        self.pieces.next()
    }

    /// The last restart point before an offset of a part.
    pub(crate) fn restart(&self, part: PackPart, at: u64) -> Option<Restart> {
        let restarts = self.offsets.as_ref()?.restarts(part);
        let after = restarts.partition_point(|restart| u64::from(restart.identity) <= at);
        after.checked_sub(1).map(|before| restarts[before])
    }
}

/// The texts of chosen sections, without what is between them.
struct SectionTexts<I: Iterator<Item = usize>> {
    offsets: Arc<Offsets>,
    /// The parts of interrupted texts, by section.
    pieces: Vec<TextPiece>,
    /// Indexes in ascending order.
    chosen: Peekable<I>,
    /// Parts of sections that have begun, the next one last.
    open: Vec<TextPiece>,
}

impl<I: Iterator<Item = usize>> Iterator for SectionTexts<I> {
    type Item = PlanPiece;

    fn next(&mut self) -> Option<PlanPiece> {
        loop {
            // A part comes after the sections in front of it, as far as they are chosen.
            let next = self.chosen.peek().copied();
            let is_due = |piece: &mut TextPiece| next.is_none_or(|next| next > piece.after as usize);
            if let Some(piece) = self.open.pop_if(is_due) {
                let text = self.offsets.sections[piece.section as usize].text().start;
                let range = text + u64::from(piece.start)..text + u64::from(piece.end);
                return Some(PlanPiece::Text(range, piece.plain.into()));
            }
            let index = self.chosen.next()?;
            let first = self.pieces.partition_point(|piece| (piece.section as usize) < index);
            let end = self.pieces.partition_point(|piece| piece.section as usize <= index);
            if first < end {
                self.open.extend(self.pieces[first..end].iter().rev());
                continue;
            }
            let Some(section) = self.offsets.sections.get(index) else { continue };
            // A blank line follows each text, so a section without text gives none.
            if section.plain > 0 {
                return Some(PlanPiece::Text(section.text(), section.plain.into()));
            }
        }
    }
}

const fn literal(text: &'static str) -> PlanPiece {
    PlanPiece::Bytes(Bytes::from_static(text.as_bytes()))
}

/// The first members of a standard, complete or without section bodies, without braces.
fn head(directory: &PackDirectory) -> PlanPiece {
    PlanPiece::Slice(PackPart::Head, 1..directory.part(PackPart::Head).size.saturating_sub(1).max(1))
}

/// The items of a list view, with the commas between them.
fn items(part: PackPart, directory: &PackDirectory, offsets: &Offsets) -> PlanPiece {
    PlanPiece::Slice(part, range_of_items(part, directory, offsets))
}

fn range_of_items(part: PackPart, directory: &PackDirectory, offsets: &Offsets) -> Range<u64> {
    let start = u64::from(offsets.head) + ITEMS.len() as u64;
    start..directory.part(part).size.saturating_sub(2).max(start)
}

/// The complete standard, or the standard without section bodies. It has `front`, the head unless `front`
/// includes it, and the members with items that `has` selects.
fn standard(
    view: View,
    front: Bytes,
    head: Option<PlanPiece>,
    directory: &PackDirectory,
    offsets: &Arc<Offsets>,
    has: impl Fn(&str) -> bool,
) -> Plan {
    let lists: &[_] = match view {
        View::Complete => &[(",\"graphics\":[", PackPart::Graphics), (",\"terms\":[", PackPart::Terms)],
        _ => &[
            (",\"provisions\":[", PackPart::Provisions),
            (",\"terms\":[", PackPart::Terms),
            (",\"graphics\":[", PackPart::Graphics),
        ],
    };
    let mut ends = Vec::new();
    for &(name, part) in lists {
        if has(part.name()) {
            ends.extend([literal(name), items(part, directory, offsets), literal("]")]);
        }
    }
    ends.push(literal("}"));
    let has_sections = view == View::Complete && has("sections");
    let sections = has_sections.then(|| sections(offsets.clone())).into_iter().flatten();
    Plan::new([PlanPiece::Bytes(front)].into_iter().chain(head).chain(sections).chain(ends))
}

/// The graph in JSON-LD: the nodes of provisions come last.
fn graph(directory: &PackDirectory, offsets: &Offsets) -> Result<Plan, Damaged> {
    let nodes = offsets.provision_nodes()?;
    let end = directory.part(PackPart::Graph).size.saturating_sub(END.len() as u64);
    let provisions = range_of_items(PackPart::Provisions, directory, offsets);
    let nodes = PlanPiece::Nodes { provisions, nodes: nodes.into(), is_turtle: false };
    Ok(Plan::new([PlanPiece::Slice(PackPart::Graph, 0..end), nodes, literal(END)]))
}

/// The graph in Turtle.
fn turtle(directory: &PackDirectory, offsets: &Offsets) -> Result<Plan, Damaged> {
    let nodes = offsets.provision_nodes()?;
    let provisions = range_of_items(PackPart::Provisions, directory, offsets);
    let rest = PlanPiece::Turtle(nodes.rest_in_turtle);
    Ok(Plan::new([rest, PlanPiece::Nodes { provisions, nodes: nodes.into(), is_turtle: true }]))
}

/// The sections of the complete standard: each begins as in the hierarchy and continues as in the content.
fn sections(offsets: Arc<Offsets>) -> impl Iterator<Item = PlanPiece> + Send + Sync {
    let mut open: Vec<u16> = Vec::new();
    // One more than there are sections, to close the last ones.
    let indexes = 0..=offsets.sections.len();
    let sections = indexes.flat_map(move |index| section(&offsets, index, &mut open));
    [literal(SECTIONS)].into_iter().chain(sections).chain([literal("]")])
}

/// The pieces that lead from the section before to this one: the ends of open sections of its level or
/// deeper, then its head, its body and the begin of the list of its subsections. `open` has the levels of the
/// sections whose end was not written yet. Behind the last section only ends are left.
fn section(offsets: &Offsets, index: usize, open: &mut Vec<u16>) -> impl Iterator<Item = PlanPiece> + use<> {
    let section = offsets.sections.get(index);
    let level = section.map_or(0, |section| section.level);
    let before = open.len();
    while open.pop_if(|open| *open >= level).is_some() {}
    let closed = before - open.len();
    let mut closing = "]}".repeat(closed);
    let own = section.map(|section| {
        if closed > 0 {
            closing.push(',');
        }
        open.push(level);
        [
            PlanPiece::Slice(PackPart::Sections, offsets.node(index)),
            PlanPiece::Slice(PackPart::Content, section.body()),
            literal(",\"children\":["),
        ]
    });
    [PlanPiece::Bytes(closing.into())].into_iter().chain(own.into_iter().flatten())
}
