//! Blobs as values: bytes with their digest, their row in the catalogue, and what a transaction puts.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use norma_model::Digest;
use sha2::{Digest as _, Sha256};

use crate::pieces::Layout;

/// Bytes, their SHA-256 digest, and the places where they are cut into pieces.
#[derive(Clone, Debug)]
pub struct Blob {
    digest: Digest,
    bytes: Bytes,
    cuts: Vec<u32>,
}

impl Blob {
    /// Hashes the bytes.
    pub fn new(bytes: impl Into<Bytes>) -> Self {
        Self::in_pieces(bytes, [])
    }

    /// Hashes the bytes and cuts them at these places, in ascending order: a piece that begins there is read
    /// without those before it. Pieces larger than 256 KiB are cut further.
    pub fn in_pieces(bytes: impl Into<Bytes>, cuts: impl IntoIterator<Item = u32>) -> Self {
        let bytes = bytes.into();
        let digest = Digest::from_bytes(Sha256::digest(&bytes).into());
        Self { digest, bytes, cuts: cuts.into_iter().collect() }
    }

    /// Bytes that were hashed before, with what came of it.
    pub(crate) fn verified(digest: Digest, bytes: Bytes, cuts: Vec<u32>) -> Self {
        Self { digest, bytes, cuts }
    }

    /// The digest of the bytes.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// The bytes.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// Number of bytes.
    pub fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    pub(crate) fn layout(&self) -> Layout {
        Layout::new(&self.bytes, &self.cuts)
    }
}

/// The empty blob.
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

/// A blob in the catalogue: where its pieces are, and their checksums.
#[derive(Clone, Debug)]
pub(crate) struct BlobRow {
    /// Its number, which the keys of its pieces begin with.
    pub(crate) id: i64,
    pub(crate) digest: Digest,
    /// The name of its object; none where its pieces are in the engine.
    pub(crate) object: Option<String>,
    pub(crate) layout: Layout,
}

/// Rows are equal where the blob is the same, also when it is in another store.
impl PartialEq for BlobRow {
    fn eq(&self, other: &Self) -> bool {
        (&self.digest, &self.layout) == (&other.digest, &other.layout)
    }
}

impl Eq for BlobRow {}

/// Blobs that go into the catalogue with the next transaction.
#[derive(Default)]
pub(crate) struct StagedBlobs<'a> {
    pub(crate) blobs: BTreeMap<Digest, &'a Blob>,
    /// Names of their objects; none where the bytes go into the engine.
    pub(crate) objects: Option<BTreeMap<Digest, String>>,
    pub(crate) rewritten: BTreeSet<Digest>,
}

impl<'a> StagedBlobs<'a> {
    /// The blob of this digest, where its bytes are at hand, with the name of its object.
    pub(crate) fn get(&self, digest: &Digest) -> Option<(&'a Blob, Option<&str>)> {
        let blob = *self.blobs.get(digest)?;
        match &self.objects {
            None => Some((blob, None)),
            Some(objects) => objects.get(digest).map(|object| (blob, Some(object.as_str()))),
        }
    }

    /// Whether the blob is written also where it is there.
    pub(crate) fn is_rewritten(&self, digest: &Digest) -> bool {
        self.rewritten.contains(digest)
    }
}
