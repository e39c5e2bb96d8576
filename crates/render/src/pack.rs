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
    /// The knowledge graph in JSON-LD, without the nodes of provisions.
    Graph,
    /// The ordered content.
    Content,
    /// The provisions.
    Provisions,
    /// The tables.
    Tables,
    /// The diagnostics of the ingest.
    Diagnostics,
    /// The graphics.
    Graphics,
    /// The terms.
    Terms,
    /// The first members of a standard, complete or without section bodies.
    Head,
    /// The names for selections and references: see [`PackIndex`](crate::PackIndex).
    Index,
    /// The offsets of the tables: an [`Offsets`](crate::Offsets) with the tables as items.
    TableOffsets,
    /// The section hierarchy.
    Sections,
    /// The offsets of fragments in the other parts: see [`Offsets`](crate::Offsets).
    Offsets,
}

impl PackPart {
    /// Every part, in the order of the pack.
    pub const ALL: [Self; 14] = [
        Self::Source,
        Self::Units,
        Self::Graph,
        Self::Content,
        Self::Provisions,
        Self::Tables,
        Self::Diagnostics,
        Self::Graphics,
        Self::Terms,
        Self::Head,
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

    /// Its name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Units => "units",
            Self::Graph => "graph",
            Self::Content => "content",
            Self::Provisions => "provisions",
            Self::Tables => "tables",
            Self::Diagnostics => "diagnostics",
            Self::Graphics => "graphics",
            Self::Terms => "terms",
            Self::Head => "head",
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
        let mut bytes = Vec::with_capacity(parts.iter().map(|part| part.bytes.len()).sum());
        let parts = parts.map(|Encoded { bytes: part, size, identity_tag, compressed, restarts: _ }| {
            bytes.extend_from_slice(&part);
            let tag = tag_of(&part).to_be_bytes();
            DirectoryRow {
                stored: part.len() as u64,
                size,
                compressed,
                tag,
                identity_tag: identity_tag.to_be_bytes(),
            }
        });
        let directory = PackDirectory::new(parts, [0; COMPOSED.len()]).expect("a pack fits into memory");
        let cuts = cuts(&directory);
        let composed = COMPOSED.map(|view| {
            let plan = Plan::view(view, Bytes::from_static(b"{"), &directory, offsets);
            plan.expect("this version wrote the offsets").size()
        });
        let directory = (VERSION, parts, composed);
        let directory = postcard::to_stdvec(&directory).expect("a directory holds numbers only").into();
        Self { bytes: bytes.into(), cuts, directory }
    }
}

/// The offsets of the pieces of a pack, without the first.
fn cuts(directory: &PackDirectory) -> Vec<u32> {
    let mut cuts: Vec<u32> = Vec::new();
    for part in PackPart::ALL {
        let Range { start, end } = directory.part(part).range;
        let offset = |at: u64| u32::try_from(at).expect("limits keep a pack below 4 GiB");
        if ALONE.contains(&part) || start - cuts.last().map_or(0, |&cut| u64::from(cut)) >= MIN_PIECE {
            cuts.push(offset(start));
        }
        cuts.extend((start..end).step_by(MAX_PIECE).skip(1).map(offset));
    }
    cuts
}

/// The version of the form of packs. A new order or form of a part is a new version, which comes with one of
/// the store, so that an older program refuses the store (docs/decisions/0015-migrations.md).
const VERSION: u8 = 4;

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

/// A part in its pack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// Its range in the pack.
    pub range: Range<u64>,
    /// Number of its identity bytes.
    pub size: u64,
    /// Whether it is stored in gzip; otherwise the stored bytes are the identity bytes.
    pub compressed: bool,
    /// CRC-64/NVME of its stored bytes.
    pub tag: u64,
    /// CRC-64/NVME of its identity bytes.
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

    /// A directory for parts that are in the order of [`PackPart::ALL`].
    fn new(rows: [DirectoryRow; PackPart::ALL.len()], composed: Composed) -> Option<Self> {
        let (mut end, mut fits) = (0_u64, true);
        let parts = rows.map(|DirectoryRow { stored, size, compressed, tag, identity_tag }| {
            let start = end;
            end = start.saturating_add(stored);
            fits &= end < u64::MAX && (compressed || stored == size);
            let [tag, identity_tag] = [tag, identity_tag].map(u64::from_be_bytes);
            Stored { range: start..end, size, compressed, tag, identity_tag }
        });
        fits.then_some(Self { parts, composed, size: end })
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
        let (what, Stored { size, compressed, .. }) = (part.name(), self.part(part));
        let size = usize::try_from(*size).map_err(|_| Damaged { what })?;
        match compressed {
            true => inflate(what, &stored, size).map(Bytes::from),
            false => (stored.len() == size).then_some(stored).ok_or(Damaged { what }),
        }
    }

    /// Number of identity bytes of a view, without the members that depend on the catalogue.
    pub fn size(&self, view: View) -> u64 {
        match PackPart::of(view) {
            Some(part) => self.part(part).size,
            None => COMPOSED.iter().position(|&one| one == view).map_or(0, |n| self.composed[n]),
        }
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
        assert_eq!(directory.part(PackPart::Offsets).range, 91..105);
        let sizes = [View::GraphTurtle, View::Graph].map(|view| directory.size(view));
        assert_eq!((directory.pack_size(), sizes), (105, [10, 11]));
        for version in [0, VERSION - 1, VERSION + 1] {
            let other = [&[version], &bytes[1..]].concat();
            assert_eq!(PackDirectory::parse(&other), None);
        }
    }
}
