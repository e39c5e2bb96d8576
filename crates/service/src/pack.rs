//! Packs of the store: parts of editions, read piece by piece.

use std::ops::Range;

use bytes::Bytes;
use norma_compare::Units;
use norma_render::{Assembly, Damaged, Directory, Offsets, PARTS_OF_UNITS, Part, Plan, Segment, Step};
use norma_store::{BlobReader, EditionHandle, Error};

/// A plan that is carried out on a pack in the store.
pub(crate) struct Assembled {
    pack: BlobReader,
    assembly: Assembly,
}

impl Assembled {
    pub(crate) fn new(pack: BlobReader, plan: Plan, directory: &Directory) -> Self {
        Self { pack, assembly: Assembly::new(plan, directory) }
    }

    /// The next bytes; `None` at the end.
    ///
    /// # Errors
    /// Those of the store; [`Error::Corrupt`] as well where stored bytes do not inflate to what is stated for them.
    pub(crate) async fn next(&mut self) -> Result<Option<Bytes>, Error> {
        loop {
            match self.assembly.step() {
                Ok(Step::Needs(range)) => {
                    let mut piece = self.pack.piece_from(range.start).await?;
                    piece.truncate(usize::try_from(range.end - range.start).unwrap_or(usize::MAX));
                    self.assembly.supply(piece);
                }
                Ok(Step::Bytes(bytes)) => return Ok(Some(bytes)),
                Ok(Step::End) => return Ok(None),
                Err(damaged) => return Err(corrupt(&self.pack, damaged)),
            }
        }
    }

    /// All that is left.
    ///
    /// # Errors
    /// As of [`next`](Self::next).
    pub(crate) async fn all(mut self) -> Result<Bytes, Error> {
        // Most answers come in one stretch.
        let Some(first) = self.next().await? else { return Ok(Bytes::new()) };
        let mut all = Vec::from(first);
        while let Some(more) = self.next().await? {
            all.extend_from_slice(&more);
        }
        Ok(all.into())
    }
}

/// Reader of fragments of a pack; those that follow one another in a segment cost one inflation.
pub(crate) struct Fragments<'a> {
    pack: BlobReader,
    directory: &'a Directory,
    offsets: &'a Offsets,
    segment: Option<(Segment, Bytes)>,
}

impl<'a> Fragments<'a> {
    pub(crate) fn new(pack: BlobReader, directory: &'a Directory, offsets: &'a Offsets) -> Self {
        Self { pack, directory, offsets, segment: None }
    }

    /// The identity bytes of a fragment of a part.
    ///
    /// # Errors
    /// Those of the store; [`Error::Corrupt`] as well where stored bytes do not inflate to what is stated for them.
    pub(crate) async fn read(&mut self, part: Part, fragment: Range<u64>) -> Result<Bytes, Error> {
        let known = self.segment.take().filter(|(segment, _)| segment.holds(part, &fragment));
        let segment = match known {
            Some(known) => known,
            None => {
                let damaged = |damaged| corrupt(&self.pack, damaged);
                let segment =
                    Segment::find(self.directory, self.offsets, part, &fragment).map_err(damaged)?;
                let stored = self.pack.read(segment.stored.clone()).await?;
                let identity = segment.inflate(stored).map_err(damaged)?;
                (segment, identity)
            }
        };
        let (Segment { identity: Range { start, .. }, .. }, bytes) = self.segment.insert(segment);
        Ok(bytes.slice((fragment.start - *start) as usize..(fragment.end - *start) as usize))
    }
}

fn corrupt(pack: &BlobReader, damaged: Damaged) -> Error {
    Error::Corrupt(format!("the pack {}: {damaged}", pack.digest()))
}

/// The identity bytes of a part, inflated at once.
///
/// # Errors
/// Those of the store; [`Error::Corrupt`] as well where stored bytes do not inflate to what is stated for them.
pub(crate) async fn part_of(pack: &BlobReader, directory: &Directory, part: Part) -> Result<Bytes, Error> {
    let stored = pack.read(directory.part(part).range.clone()).await?;
    identity(pack, directory, part, stored)
}

/// The identity bytes of a part, of the stored ones.
///
/// # Errors
/// [`Error::Corrupt`] where these do not inflate to what is stated for them.
pub(crate) fn identity(
    pack: &BlobReader,
    directory: &Directory,
    part: Part,
    stored: Bytes,
) -> Result<Bytes, Error> {
    directory.identity(part, stored).map_err(|damaged| corrupt(pack, damaged))
}

/// The identity bytes of a part of an edition, empty where an earlier version of Norma wrote its pack and had no such part;
/// `None` when a later version wrote it.
///
/// # Errors
/// Those of the store, and [`Error::Corrupt`] for a damaged pack.
pub async fn part(edition: &EditionHandle, part: Part) -> Result<Option<Bytes>, Error> {
    let Some(directory) = Directory::parse(&edition.entry().directory) else { return Ok(None) };
    part_of(&edition.pack(), &directory, part).await.map(Some)
}

/// The units of an edition in all its languages, for a comparison; `None` when another version of Norma wrote its pack.
///
/// # Errors
/// Those of the store, and [`Error::Corrupt`] for a damaged pack.
pub async fn units(edition: &EditionHandle) -> Result<Option<Units>, Error> {
    let mut parts = PARTS_OF_UNITS.map(|_| Bytes::new());
    for (bytes, wanted) in parts.iter_mut().zip(PARTS_OF_UNITS) {
        let Some(found) = part(edition, wanted).await? else { return Ok(None) };
        *bytes = found;
    }
    Ok(norma_render::units(&parts))
}
