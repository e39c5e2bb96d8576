//! The pack: all stored representations of one edition, one after the other, and the directory with their
//! offsets.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use norma_api::media::View;
use serde::{Deserialize, Serialize};

use crate::gzip::{Damaged, Encoded, inflate, tag_of};
use crate::{Offsets, Plan};

/// A part of a pack, in this order: large ones first, so that those for most reads are together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PackPart {
    /// The document as it came in.
    Source,
    /// The units of a comparison, without what provisions, terms and tables have of them, in postcard. See
    /// [`units`](crate::units()).
    Units,
    /// Where paragraphs, items and provisions are in the texts: see
    /// [`amended_edition`](crate::amended_edition()).
    Blocks,
    /// The knowledge graph in JSON-LD, without the nodes of provisions.
    Graph,
    /// The text of all sections in document order, in the shape of the API.
    Content,
    /// The provisions in document order, in the shape of the API.
    Provisions,
    /// The tables with their cells, in the shape of the API.
    Tables,
    /// The diagnostics of the ingest.
    Diagnostics,
    /// The graphics without their files, in the shape of the API.
    Graphics,
    /// The terms with their definitions, in the shape of the API.
    Terms,
    /// The first members of a standard, complete or without section bodies.
    Head,
    /// What an amendment changes: see [`instructions`](crate::instructions()). Other documents have an empty
    /// list.
    Instructions,
    /// The names for selections and references: see [`PackIndex`](crate::PackIndex).
    Index,
    /// The offsets of the tables: an [`Offsets`](crate::Offsets) with the tables as items.
    TableOffsets,
    /// The sections without their text, each within the one around it.
    Sections,
    /// The offsets of fragments in the other parts: see [`Offsets`](crate::Offsets).
    Offsets,
}

impl PackPart {
    /// Every part, in the order of the pack.
    pub const ALL: [Self; 16] = [
        Self::Source,
        Self::Units,
        Self::Blocks,
        Self::Graph,
        Self::Content,
        Self::Provisions,
        Self::Tables,
        Self::Diagnostics,
        Self::Graphics,
        Self::Terms,
        Self::Head,
        Self::Instructions,
        Self::Index,
        Self::TableOffsets,
        Self::Sections,
        Self::Offsets,
    ];

    /// The part that is a view of the API; the other views are composed.
    pub const fn of(view: View) -> Option<Self> {
        match view {
            View::Source => Some(Self::Source),
            View::Content => Some(Self::Content),
            View::Provisions => Some(Self::Provisions),
            View::Graphics => Some(Self::Graphics),
            View::Terms => Some(Self::Terms),
            View::Tables => Some(Self::Tables),
            View::Sections => Some(Self::Sections),
            View::Complete | View::Metadata | View::ContentText | View::Graph | View::GraphTurtle => None,
        }
    }

    /// The name of the part in messages for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Units => "units",
            Self::Blocks => "blocks",
            Self::Graph => "graph",
            Self::Content => "content",
            Self::Provisions => "provisions",
            Self::Tables => "tables",
            Self::Diagnostics => "diagnostics",
            Self::Graphics => "graphics",
            Self::Terms => "terms",
            Self::Head => "head",
            Self::Instructions => "instructions",
            Self::Index => "index",
            Self::TableOffsets => "table offsets",
            Self::Sections => "sections",
            Self::Offsets => "offsets",
        }
    }
}

/// The views that are composed, in the order of their lengths in a directory.
const COMPOSED: [View; 5] =
    [View::Complete, View::Metadata, View::ContentText, View::GraphTurtle, View::Graph];

/// The stored form of an edition, ready to be published.
#[derive(Clone, Debug)]
pub struct Pack {
    /// All parts, one after the other.
    pub bytes: Bytes,
    /// Offsets at which a new piece is worth a separate row or request.
    pub cuts: Vec<u32>,
    /// The stored form of the [`PackDirectory`].
    pub directory: Bytes,
}

/// A piece smaller than this is joined with the next part: each piece is a separate row or request.
const MIN_PIECE: u64 = 16 << 10;

/// Parts that begin a piece even if they are small. Most reads need one of them, and a cache holds more of
/// them this way (measured in docs/decisions/0005-pieces-and-checksums.md).
const ALONE: [PackPart; 2] = [PackPart::Sections, PackPart::Offsets];

/// Most bytes of a piece, which a streamed answer holds of the pack.
pub(crate) const MAX_PIECE: usize = 48 << 10;

impl Pack {
    /// Puts the parts together, in the order of [`PackPart::ALL`]. The composed views are those of `offsets`.
    pub(crate) fn new(parts: [Encoded; PackPart::ALL.len()], offsets: &Arc<Offsets>) -> Self {
        let rows = parts.each_ref().map(DirectoryRow::new);
        let mut bytes = Vec::with_capacity(parts.iter().map(|part| part.bytes.len()).sum());
        for part in parts {
            bytes.extend_from_slice(&part.bytes);
        }
        let directory = PackDirectory::new(rows, [0; COMPOSED.len()]).expect("a pack fits into memory");
        let cuts = cuts(&directory);
        let composed = COMPOSED.map(|view| {
            let plan = Plan::view(view, Bytes::from_static(b"{"), &directory, offsets);
            plan.expect("this version wrote the offsets").size()
        });
        let stored = postcard::to_stdvec(&(VERSION, rows, composed));
        let directory = stored.expect("a directory holds numbers only").into();
        Self { bytes: bytes.into(), cuts, directory }
    }
}

/// The offsets of the pieces of a pack, without the first.
fn cuts(directory: &PackDirectory) -> Vec<u32> {
    let mut cuts: Vec<u32> = Vec::new();
    for part in PackPart::ALL {
        let Range { start, end } = directory.part(part).range;
        let piece_start = cuts.last().map_or(0, |&cut| u64::from(cut));
        if ALONE.contains(&part) || start - piece_start >= MIN_PIECE {
            cuts.push(offset(start));
        }
        cuts.extend((start..end).step_by(MAX_PIECE).skip(1).map(offset));
    }
    cuts
}

fn offset(at: u64) -> u32 {
    u32::try_from(at).expect("limits keep a pack below 4 GiB")
}

/// The version of the form of packs. A new order or form of a part is a new version, which comes with one of
/// the store, so that an older program refuses the store (docs/decisions/0015-migrations.md).
const VERSION: u8 = 5;

/// The stored form of a directory: its version, a row for each part, and the lengths of the composed views
/// (postcard: by position, no names).
type Composed = [u64; COMPOSED.len()];

#[derive(Clone, Copy, Serialize, Deserialize)]
struct DirectoryRow {
    stored: u64,
    size: u64,
    compressed: bool,
    tag: [u8; 8],
    identity_tag: [u8; 8],
}

impl DirectoryRow {
    fn new(part: &Encoded) -> Self {
        Self {
            stored: part.bytes.len() as u64,
            size: part.size,
            compressed: part.compressed,
            tag: tag_of(&part.bytes).to_be_bytes(),
            identity_tag: part.identity_tag.to_be_bytes(),
        }
    }
}

/// A part in its pack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// Range of the stored bytes in the pack.
    pub range: Range<u64>,
    /// Number of identity bytes.
    pub size: u64,
    /// True if the part is stored in gzip; otherwise the stored bytes are the identity bytes.
    pub compressed: bool,
    /// CRC-64/NVME of the stored bytes.
    pub tag: u64,
    /// CRC-64/NVME of the identity bytes.
    pub identity_tag: u64,
}

/// The offset of each part of a pack, the length of each view, and the tags of both: everything for an answer
/// without body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackDirectory {
    parts: [Stored; PackPart::ALL.len()],
    composed: Composed,
    size: u64,
}

impl PackDirectory {
    /// Reads the stored form; `None` when another version of Norma wrote it.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let (version, rest) = bytes.split_first()?;
        if *version != VERSION {
            return None;
        }
        let (rows, composed) = postcard::from_bytes(rest).ok()?;
        Self::new(rows, composed)
    }

    /// A directory for parts that are in the order of [`PackPart::ALL`]; `None` where their lengths
    /// contradict each other.
    fn new(rows: [DirectoryRow; PackPart::ALL.len()], composed: Composed) -> Option<Self> {
        let mut size = 0_u64;
        for row in &rows {
            size = size.checked_add(row.stored)?;
            // What is not compressed is stored as it is.
            if !row.compressed && row.stored != row.size {
                return None;
            }
        }
        let mut end = 0;
        let parts = rows.map(|row| {
            let start = end;
            end = start + row.stored;
            Stored {
                range: start..end,
                size: row.size,
                compressed: row.compressed,
                tag: u64::from_be_bytes(row.tag),
                identity_tag: u64::from_be_bytes(row.identity_tag),
            }
        });
        Some(Self { parts, composed, size })
    }

    /// The entry of a part.
    pub fn part(&self, part: PackPart) -> &Stored {
        &self.parts[part as usize]
    }

    /// The identity bytes of a part whose stored bytes are all in memory.
    ///
    /// # Errors
    /// Where the stored bytes are not what the directory says.
    pub fn identity(&self, part: PackPart, stored: Bytes) -> Result<Bytes, Damaged> {
        let what = part.name();
        let Stored { size, compressed, .. } = self.part(part);
        let size = usize::try_from(*size).map_err(|_| Damaged { what })?;
        if *compressed {
            return inflate(what, &stored, size).map(Bytes::from);
        }
        if stored.len() != size {
            return Err(Damaged { what });
        }
        Ok(stored)
    }

    /// Number of identity bytes of a view, without the members that depend on the catalogue.
    pub fn size(&self, view: View) -> u64 {
        if let Some(part) = PackPart::of(view) {
            return self.part(part).size;
        }
        let index = COMPOSED.iter().position(|&composed| composed == view);
        index.map_or(0, |index| self.composed[index])
    }

    /// Number of bytes of the whole pack.
    pub fn pack_size(&self) -> u64 {
        self.size
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_of_another_version_is_not_read() {
        let row = |stored| DirectoryRow {
            stored,
            size: stored,
            compressed: false,
            tag: [1; 8],
            identity_tag: [2; 8],
        };
        let rows: [DirectoryRow; PackPart::ALL.len()] = std::array::from_fn(|index| row(index as u64 + 1));
        let bytes = postcard::to_stdvec(&(VERSION, rows, [7_u64, 8, 9, 10, 11])).unwrap();
        let directory = PackDirectory::parse(&bytes).unwrap();
        assert_eq!(directory.part(PackPart::Source).range, 0..1);
        assert_eq!(directory.part(PackPart::Units).range, 1..3);
        assert_eq!(directory.part(PackPart::Offsets).range, 120..136);
        let sizes = [View::GraphTurtle, View::Graph].map(|view| directory.size(view));
        assert_eq!((directory.pack_size(), sizes), (136, [10, 11]));
        for version in [0, VERSION - 1, VERSION + 1] {
            let other = [&[version], &bytes[1..]].concat();
            assert_eq!(PackDirectory::parse(&other), None);
        }
    }
}
