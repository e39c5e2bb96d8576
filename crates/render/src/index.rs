//! Index and offsets of a pack: the names by which sections, provisions and graphics are found, and the
//! offsets of their fragments.

use std::ops::Range;

use norma_model::outline::OutlineFigure;
use norma_model::{Asset, AssetSource, Edition, Outline};
use serde::{Deserialize, Serialize};

use crate::PackPart;
use crate::graph::ProvisionNodes;
use crate::gzip::{Damaged, Restart};

/// The offsets of fragments: provisions and sections, or tables. Reading one provision needs no more of the
/// index than this.
///
/// The stored form (postcard) has lengths; offsets are added up when it is read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offsets {
    /// Length of the begin of every view: URN and revision.
    pub(crate) head: u32,
    /// Length of each item of the list: of each provision, or table.
    pub(crate) items: Vec<u32>,
    /// The sections, in document order.
    pub(crate) sections: Vec<SectionOffsets>,
    /// The reference to each section with subsections, as JSON. With it, one provision does not need a search
    /// of the whole hierarchy for the sections around it.
    pub(crate) headings: Vec<(u32, String)>,
    /// The points where the inflation of the items can begin.
    pub(crate) item_restarts: Vec<Restart>,
    /// The points where the inflation of the content can begin.
    pub(crate) content_restarts: Vec<Restart>,
    /// Offset of the end of each item in their view.
    #[serde(skip)]
    pub(crate) item_ends: Vec<u32>,
    /// The stored form of [`ProvisionNodes`], which only the graph needs, and of the chunks of interrupted
    /// texts, which few editions have. Empty for the offsets of tables.
    #[serde(skip)]
    pub(crate) provision_nodes: Vec<u8>,
}

/// Offsets of a section in the hierarchy and in the content. Lengths in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SectionOffsets {
    /// Depth: 1 at the top.
    pub level: u16,
    /// In the hierarchy, from the end of the previous fragment to the opening brace.
    pub gap: u32,
    /// In the hierarchy, from the opening brace to the member `counts`.
    pub node: u32,
    /// In the content, from the opening brace to the member `xml`.
    pub head: u32,
    /// From there to the first letter of the text.
    pub before_text: u32,
    /// The text as a JSON string, without quotation marks and without white space at its end.
    pub text: u32,
    /// From there to the end of the section.
    pub after_text: u32,
    /// The same text as plain text.
    pub plain: u32,
    /// Number of provisions in the section itself.
    pub provisions: u32,
    /// Offset in the hierarchy.
    #[serde(skip)]
    pub(crate) node_start: u32,
    /// Offset in the content.
    #[serde(skip)]
    pub(crate) start: u32,
}

/// The bytes between the head of a view and its first item.
pub(crate) const ITEMS: &str = ",\"items\":[";

/// The same in the content and in the hierarchy.
pub(crate) const SECTIONS: &str = ",\"sections\":[";

/// A part of a section's text, where other sections are between its own paragraphs. Bytes from the start of
/// the text as a JSON string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TextPiece {
    /// Index of the section.
    pub section: u32,
    /// The last section before this part; for the first part, the section itself.
    pub after: u32,
    pub start: u32,
    pub end: u32,
    /// Bytes of the part as plain text, without escapes.
    pub plain: u32,
}

impl Offsets {
    /// The parts of interrupted texts, by section; in the stored form they follow the values for the graph.
    pub(crate) fn text_pieces(&self) -> Result<Vec<TextPiece>, Damaged> {
        if self.provision_nodes.is_empty() {
            return Ok(Vec::new());
        }
        let damaged = Damaged { what: PackPart::Offsets.name() };
        let (_, rest) =
            postcard::take_from_bytes::<ProvisionNodes>(&self.provision_nodes).map_err(|_| damaged)?;
        // No list is stored for an edition without interrupted texts.
        if rest.is_empty() {
            return Ok(Vec::new());
        }
        postcard::from_bytes(rest).map_err(|_| damaged)
    }

    /// Adds them to the stored form.
    pub(crate) fn put_text_pieces(&mut self, pieces: &[TextPiece]) {
        if !pieces.is_empty() {
            let bytes = postcard::to_stdvec(pieces).expect("numbers only");
            self.provision_nodes.extend_from_slice(&bytes);
        }
    }

    /// The stored form: the offsets, then the values for the graph.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = postcard::to_stdvec(self).expect("places are numbers");
        bytes.extend_from_slice(&self.provision_nodes);
        bytes
    }

    /// Reads the stored form; `None` when another version of Norma wrote it.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (offsets, rest) = postcard::take_from_bytes::<Self>(bytes).ok()?;
        Self { provision_nodes: rest.to_vec(), ..offsets }.with_offsets()
    }

    /// The values for the nodes of provisions.
    pub(crate) fn provision_nodes(&self) -> Result<ProvisionNodes, Damaged> {
        postcard::from_bytes(&self.provision_nodes).map_err(|_| Damaged { what: PackPart::Offsets.name() })
    }

    /// Adds up the offsets.
    pub(crate) fn with_offsets(mut self) -> Option<Self> {
        let mut at = end_of_begin(self.head, ITEMS)?;
        self.item_ends = Vec::with_capacity(self.items.len());
        for length in &self.items {
            let end = at.checked_add(*length)?;
            self.item_ends.push(end);
            // A comma, or the closing bracket.
            at = end.checked_add(1)?;
        }
        let mut at = end_of_begin(self.head, SECTIONS)?;
        let mut node_end = 0_u32;
        for section in &mut self.sections {
            section.node_start = node_end.checked_add(section.gap)?;
            node_end = section.node_start.checked_add(section.node)?;
            section.start = at;
            for length in [section.head, section.before_text, section.text, section.after_text, 1] {
                at = at.checked_add(length)?;
            }
            // The closing brace, at least.
            section.after_text.checked_sub(1)?;
        }
        Some(self)
    }

    /// Bytes of an item, a provision or a table, in their view; `None` if it does not exist.
    pub fn item(&self, index: usize) -> Option<Range<u64>> {
        let end = *self.item_ends.get(index)?;
        Some(u64::from(end - self.items[index])..end.into())
    }

    /// Index of the section that has a provision, if there is such a provision.
    pub fn section_of(&self, provision: usize) -> Option<usize> {
        let mut end = 0;
        for (index, section) in self.sections.iter().enumerate() {
            end += section.provisions as usize;
            if provision < end {
                return Some(index);
            }
        }
        None
    }

    /// Index of the section around a section.
    pub fn parent_of(&self, section: usize) -> Option<usize> {
        let level = self.sections[section].level;
        self.sections[..section].iter().rposition(|other| other.level < level)
    }

    /// A section with subsections as a [`SectionRef`](norma_api::shapes::SectionRef) in JSON.
    pub fn heading(&self, section: usize) -> Option<&str> {
        let section = u32::try_from(section).ok()?;
        let index = self.headings.binary_search_by_key(&section, |(index, _)| *index).ok()?;
        Some(&self.headings[index].1)
    }

    /// Bytes of a section in the content; `None` if it does not exist.
    pub fn section(&self, section: usize) -> Option<Range<u64>> {
        let section = self.sections.get(section)?;
        Some(section.start.into()..section.end())
    }

    /// Bytes of the text of a section in the content, as the inside of a JSON string, without white space at
    /// its end. `None` if the section does not exist.
    pub fn text(&self, section: usize) -> Option<Range<u64>> {
        self.sections.get(section).map(SectionOffsets::text)
    }

    /// Bytes of a section's own members in the hierarchy, with the opening brace and without a closing one.
    pub(crate) fn node(&self, section: usize) -> Range<u64> {
        let section = &self.sections[section];
        let start = u64::from(section.node_start);
        start..start + u64::from(section.node)
    }

    pub(crate) fn restarts(&self, part: PackPart) -> &[Restart] {
        match part {
            PackPart::Provisions | PackPart::Tables => &self.item_restarts,
            PackPart::Content => &self.content_restarts,
            _ => &[],
        }
    }
}

/// Number of bytes, or of items, between two offsets.
pub(crate) fn length(start: usize, end: usize) -> u32 {
    u32::try_from(end - start).expect("limits keep a view below 4 GiB")
}

/// Offset of the first item of the list after the head of a view; `None` above 4 GiB.
fn end_of_begin(head: u32, list: &str) -> Option<u32> {
    head.checked_add(u32::try_from(list.len()).ok()?)
}

impl SectionOffsets {
    fn end(&self) -> u64 {
        self.text().end + u64::from(self.after_text)
    }

    /// Bytes of a section that are the same in the content and in the complete standard.
    pub(crate) fn body(&self) -> Range<u64> {
        u64::from(self.start) + u64::from(self.head)..self.end() - 1
    }

    /// Bytes of the text as a JSON string.
    pub(crate) fn text(&self) -> Range<u64> {
        let start = u64::from(self.start) + u64::from(self.head) + u64::from(self.before_text);
        start..start + u64::from(self.text)
    }
}

/// The index of an edition for selections, `section=` and references to graphics (postcard: by position, no
/// names).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackIndex {
    /// Sections, provisions, tables and terms by id and number.
    pub outline: Outline,
    /// The graphics, in document order.
    pub pictures: Vec<Picture>,
    /// Number of relations that the edition states.
    pub relations: u32,
}

/// A graphic by the names that a reference may use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    /// Id of the graphic in its edition.
    pub id: String,
    /// Id of the figure around it.
    pub figure: Option<String>,
    /// The href of the graphic as written in the source, else its id.
    pub reference: String,
    /// True if the reference is an href to a file of the package.
    pub is_file: bool,
    /// SHA-256 digest of the file, if the package had it.
    pub digest: Option<[u8; 32]>,
}

impl PackIndex {
    pub(crate) fn new(edition: &Edition, assets: &[Option<Asset>]) -> Self {
        let mut pictures = Vec::with_capacity(edition.graphics.len());
        for (graphic, asset) in edition.graphics.iter().zip(assets) {
            pictures.push(Picture {
                id: graphic.id.to_string(),
                figure: graphic.figure_id.clone(),
                reference: graphic.reference.clone(),
                is_file: matches!(graphic.source, AssetSource::Href(_)),
                digest: asset.as_ref().map(|asset| *asset.digest.as_bytes()),
            });
        }
        Self {
            outline: Outline::from_edition(edition),
            pictures,
            relations: u32::try_from(edition.relations.len()).expect("limits keep relations below 2^32"),
        }
    }

    /// The stored form: the figures of the outline come last.
    pub fn to_bytes(&self) -> Vec<u8> {
        let stored = postcard::to_stdvec(&(self, self.outline.figures()));
        stored.expect("an index holds numbers and text only")
    }

    /// Reads the stored form; `None` when another version of Norma wrote it.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (index, figures): (Self, Vec<OutlineFigure>) = postcard::from_bytes(bytes).ok()?;
        Some(Self { outline: index.outline.with_figures(figures), ..index })
    }

    /// The graphics for a reference, in document order: those with the closest match.
    pub fn pictures_named<'a>(&'a self, reference: &'a str) -> impl Iterator<Item = &'a Picture> {
        let closest = self.pictures.iter().filter_map(|picture| picture.closeness(reference)).min();
        self.pictures
            .iter()
            .filter(move |picture| closest.is_some() && picture.closeness(reference) == closest)
    }
}

impl Picture {
    /// How closely a reference matches: 0 by id, 1 by figure, 2 by the whole href, 3 by the name of the file,
    /// 4 by that name without extension. `None` if it does not match at all.
    fn closeness(&self, reference: &str) -> Option<u8> {
        let id = reference.strip_prefix('#').unwrap_or(reference);
        if self.id == id {
            return Some(0);
        }
        if self.figure.as_deref() == Some(id) {
            return Some(1);
        }
        if self.reference == reference {
            return Some(2);
        }
        let (own, requested) = (file_name(&self.reference), file_name(reference));
        if own.eq_ignore_ascii_case(requested) {
            return Some(3);
        }
        // One of them may be without an extension, or they have different ones.
        let (own_stem, requested_stem) = (without_extension(own), without_extension(requested));
        let is_same_stem = own_stem.eq_ignore_ascii_case(requested)
            || own.eq_ignore_ascii_case(requested_stem)
            || own_stem.eq_ignore_ascii_case(requested_stem);
        if is_same_stem { Some(4) } else { None }
    }
}

fn without_extension(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, _)) => stem,
        None => name,
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_names_the_closest_graphics_only() {
        let picture = |id: &str, figure: Option<&str>, reference: &str| Picture {
            id: id.into(),
            figure: figure.map(Into::into),
            reference: reference.into(),
            is_file: true,
            digest: None,
        };
        let index = PackIndex {
            outline: Outline::default(),
            pictures: vec![
                picture("g1", Some("fig_1"), "media/one.png"),
                picture("g2", Some("fig_1"), "media/two.svg"),
                picture("g3", None, "fig_A.1"),
                picture("one", None, "other/ONE.jpg"),
            ],
            relations: 0,
        };
        for (reference, ids) in [
            ("g1", vec!["g1"]),
            ("#fig_1", vec!["g1", "g2"]),
            ("media/two.svg", vec!["g2"]),
            ("two.svg", vec!["g2"]),
            ("folder/TWO.png", vec!["g2"]),
            ("two", vec!["g2"]),
            ("fig_A.1", vec!["g3"]),
            ("fig_A.1.png", vec!["g3"]),
            ("one", vec!["one"]),
            ("one.png", vec!["g1"]),
            ("three", vec![]),
        ] {
            let found: Vec<_> = index.pictures_named(reference).map(|p| p.id.as_str()).collect();
            assert_eq!(found, ids, "{reference}");
        }
        assert_eq!(PackIndex::from_bytes(&index.to_bytes()).as_ref(), Some(&index));
        let figure = OutlineFigure { id: "fig_1".into(), number: Some("1".into()), provisions: vec![2, 5] };
        let index = PackIndex { outline: Outline::default().with_figures(vec![figure]), ..index };
        assert_eq!(PackIndex::from_bytes(&index.to_bytes()), Some(index));
    }
}
