//! Packs of the store: whole parts of editions.

use bytes::Bytes;
use norma_compare::Units;
use norma_render::{Damaged, PARTS_OF_UNITS, PackDirectory, PackPart};
use norma_store::{BlobReader, EditionHandle, StoreError};

/// Error for stored bytes that are not what the directory or the offsets say.
pub fn corrupt(pack: &BlobReader, damaged: Damaged) -> StoreError {
    StoreError::Corrupt(format!("the pack {}: {damaged}", pack.digest()))
}

/// The identity bytes of a part, inflated at once.
///
/// # Errors
/// Those of the store; [`StoreError::Corrupt`] as well where stored bytes do not inflate to what is stated
/// for them.
async fn part_of(pack: &BlobReader, directory: &PackDirectory, part: PackPart) -> Result<Bytes, StoreError> {
    let stored = pack.read(directory.part(part).range.clone()).await?;
    identity(pack, directory, part, stored)
}

/// The identity bytes of a part, inflated from the stored ones.
///
/// # Errors
/// [`StoreError::Corrupt`] where these do not inflate to what is stated for them.
pub fn identity(
    pack: &BlobReader,
    directory: &PackDirectory,
    part: PackPart,
    stored: Bytes,
) -> Result<Bytes, StoreError> {
    directory.identity(part, stored).map_err(|damaged| corrupt(pack, damaged))
}

/// The identity bytes of a part of an edition. Empty where an earlier version of Norma wrote the pack without
/// this part; `None` when a later version wrote it.
///
/// # Errors
/// Those of the store, and [`StoreError::Corrupt`] for a damaged pack.
pub async fn part(edition: &EditionHandle, part: PackPart) -> Result<Option<Bytes>, StoreError> {
    let Some(directory) = PackDirectory::parse(&edition.entry().directory) else { return Ok(None) };
    part_of(&edition.pack(), &directory, part).await.map(Some)
}

/// The units of an edition in all its languages, for a comparison; `None` when another version of Norma wrote
/// its pack.
///
/// # Errors
/// Those of the store, and [`StoreError::Corrupt`] for a damaged pack.
pub async fn units(edition: &EditionHandle) -> Result<Option<Units>, StoreError> {
    match StoredUnits::read(edition).await? {
        Some(stored) => stored.parse(),
        None => Ok(None),
    }
}

/// The units of an edition as they are stored. Reading them waits for the store, parsing them takes the
/// processor.
pub(crate) struct StoredUnits {
    pack: BlobReader,
    directory: PackDirectory,
    parts: [Bytes; PARTS_OF_UNITS.len()],
}

impl StoredUnits {
    /// Reads them; `None` when a later version of Norma wrote the pack.
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) async fn read(edition: &EditionHandle) -> Result<Option<Self>, StoreError> {
        let Some(directory) = PackDirectory::parse(&edition.entry().directory) else { return Ok(None) };
        let pack = edition.pack();
        let mut parts = PARTS_OF_UNITS.map(|_| Bytes::new());
        for (bytes, part) in parts.iter_mut().zip(PARTS_OF_UNITS) {
            *bytes = pack.read(directory.part(part).range.clone()).await?;
        }
        Ok(Some(Self { pack, directory, parts }))
    }

    /// The identity bytes of [`PARTS_OF_UNITS`].
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] for a damaged pack.
    pub(crate) fn identity(self) -> Result<[Bytes; PARTS_OF_UNITS.len()], StoreError> {
        let Self { pack, directory, mut parts } = self;
        for (bytes, part) in parts.iter_mut().zip(PARTS_OF_UNITS) {
            *bytes = identity(&pack, &directory, part, std::mem::take(bytes))?;
        }
        Ok(parts)
    }

    /// The units; `None` when another version of Norma wrote them.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] for a damaged pack.
    pub(crate) fn parse(self) -> Result<Option<Units>, StoreError> {
        Ok(norma_render::units(&self.identity()?))
    }
}
