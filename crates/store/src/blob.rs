//! Blobs as values: bytes with their digest, their row in the catalogue, and the blobs of a transaction.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use norma_model::Digest;
use sha2::{Digest as _, Sha256};

use crate::pieces::BlobLayout;

/// Bytes, their SHA-256 digest, and the offsets at which they are cut into pieces.
#[derive(Clone, Debug)]
pub struct Blob {
    digest: Digest,
    bytes: Bytes,
    cuts: Vec<u32>,
}

impl Blob {
    /// A blob of these bytes, whose digest is computed here.
    pub fn new(bytes: impl Into<Bytes>) -> Self {
        Self::in_pieces(bytes, [])
    }

    /// Hashes the bytes and cuts them at these offsets, in ascending order, so that a piece is read without
    /// those before it. Pieces larger than 256 KiB are cut further.
    pub fn in_pieces(bytes: impl Into<Bytes>, cuts: impl IntoIterator<Item = u32>) -> Self {
        let bytes = bytes.into();
        let digest = Digest::from_bytes(Sha256::digest(&bytes).into());
        Self { digest, bytes, cuts: cuts.into_iter().collect() }
    }

    /// Bytes that are already hashed, with their digest.
    pub(crate) fn verified(digest: Digest, bytes: Bytes, cuts: Vec<u32>) -> Self {
        Self { digest, bytes, cuts }
    }

    /// The digest of the bytes.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// The bytes of the whole blob, which are shared and not copied.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// Number of bytes of the whole blob.
    pub fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    pub(crate) fn layout(&self) -> BlobLayout {
        BlobLayout::new(&self.bytes, &self.cuts)
    }
}

/// A blob without bytes, in the place of a pack that is not rendered yet.
impl Default for Blob {
    fn default() -> Self {
        Self::new(Bytes::new())
    }
}

/// Blobs of the same bytes are equal, however they are cut.
impl PartialEq for Blob {
    fn eq(&self, other: &Self) -> bool {
        self.digest == other.digest
    }
}

impl Eq for Blob {}

/// A blob in the catalogue: its storage, and the lengths and checksums of its pieces.
#[derive(Clone, Debug)]
pub(crate) struct BlobRow {
    /// Number of the row, with which the keys of the blob's pieces begin.
    pub(crate) id: i64,
    pub(crate) digest: Digest,
    /// The name of its object; `None` if its pieces are in the engine.
    pub(crate) object: Option<String>,
    pub(crate) layout: BlobLayout,
}

/// Rows are equal if the blob is the same, also when it is in another store.
impl PartialEq for BlobRow {
    fn eq(&self, other: &Self) -> bool {
        (&self.digest, &self.layout) == (&other.digest, &other.layout)
    }
}

impl Eq for BlobRow {}

/// Blobs for the catalogue in the next transaction.
#[derive(Default)]
pub(crate) struct StagedBlobs<'a> {
    pub(crate) blobs: BTreeMap<Digest, &'a Blob>,
    /// Names of their objects; `None` if the bytes are put into the engine.
    pub(crate) objects: Option<BTreeMap<Digest, String>>,
    pub(crate) rewritten: BTreeSet<Digest>,
}

impl<'a> StagedBlobs<'a> {
    /// The blob with this digest, if its bytes are available, with the name of its object.
    pub(crate) fn get(&self, digest: &Digest) -> Option<(&'a Blob, Option<&str>)> {
        let blob = *self.blobs.get(digest)?;
        match &self.objects {
            None => Some((blob, None)),
            Some(objects) => objects.get(digest).map(|object| (blob, Some(object.as_str()))),
        }
    }

    /// True if the blob is written even if it exists.
    pub(crate) fn is_rewritten(&self, digest: &Digest) -> bool {
        self.rewritten.contains(digest)
    }
}
