//! Blob storage: pieces from the engine or an object store, with a cache. Bytes of a digest never change, so
//! that cached pieces are always right; each is compared with its checksum when it enters memory.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use futures::{StreamExt, TryStreamExt};
use norma_model::Digest;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use sha2::{Digest as _, Sha256};

use crate::blob::{Blob, BlobRow, StagedBlobs};
use crate::cache::cache_of_bytes;
use crate::catalogue::blob;
use crate::core::Core;
use crate::engine::Engine;
use crate::objects::Objects;
use crate::pieces::PIECE;
use crate::{Location, Result, StoreError, StoreOptions};

/// Bytes of a small piece.
const SMALL_PIECE: u64 = 2 << 10;

/// Most bytes of a blob that is cached in memory.
const MAX_CACHED_BLOB: u64 = 4 << 20;

/// Most bytes of an object that are read at once where all of it is read. With a request for each piece, a
/// reader would wait for the object store 64 times for each part of a search index, instead of four times.
const READ_AT_ONCE: u64 = 4 << 20;

/// Objects that are written at once, at most.
const MAX_CONCURRENT_PUTS: usize = 8;

/// The storage of blobs, with often used pieces in memory.
pub(crate) struct Blobs {
    pub(crate) objects: Option<Objects>,
    hot: Cache<(Digest, usize), Bytes, BySize>,
}

/// A cache of pieces with this size in bytes.
fn hot_pieces(bytes: u64) -> Cache<(Digest, usize), Bytes, BySize> {
    cache_of_bytes(bytes, SMALL_PIECE, PIECE as u64, BySize)
}

#[derive(Clone)]
struct BySize;

impl Weighter<(Digest, usize), Bytes> for BySize {
    fn weight(&self, _: &(Digest, usize), bytes: &Bytes) -> u64 {
        128 + bytes.len() as u64
    }
}

/// A blob that is read piece by piece. It holds no connection, transaction or file between two pieces.
#[derive(Clone)]
pub struct BlobReader {
    core: Arc<Core>,
    row: Arc<BlobRow>,
    /// The bytes that it gives; `None`: all.
    windows: Option<Vec<Range<u64>>>,
}

impl BlobReader {
    /// Most bytes of a piece.
    pub const PIECE: u64 = PIECE as u64;

    pub(crate) fn new(core: &Arc<Core>, row: Arc<BlobRow>) -> Self {
        Self { core: Arc::clone(core), row, windows: None }
    }

    /// The same blob, limited to the bytes of these ranges. Offsets stay those of the blob.
    pub(crate) fn within(self, windows: Vec<Range<u64>>) -> Self {
        Self { windows: Some(windows), ..self }
    }

    /// The end of the readable bytes from `at`; `at` if there are none.
    fn end_from(&self, at: u64) -> u64 {
        let Some(windows) = &self.windows else { return self.size().max(at) };
        windows.iter().find(|window| window.contains(&at)).map_or(at, |window| window.end)
    }

    /// The digest of the whole blob.
    pub fn digest(&self) -> &Digest {
        &self.row.digest
    }

    /// Bytes of the whole blob.
    pub fn size(&self) -> u64 {
        self.row.layout.size()
    }

    /// Reads some bytes, all of them into memory; fewer if the end comes before, none if they begin outside
    /// the readable ranges. Only the pieces that hold them are read.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] when the bytes of a piece do not match their checksum, or are gone.
    pub async fn read(&self, range: Range<u64>) -> Result<Bytes> {
        let (mut at, end) = (range.start, range.end.min(self.end_from(range.start)));
        let mut all = BytesMut::new();
        let size = usize::try_from(end.saturating_sub(at)).unwrap_or(usize::MAX);
        while at < end {
            let piece = self.piece_from(at).await?;
            if piece.is_empty() {
                break;
            }
            let part = piece.slice(..piece.len().min((end - at) as usize));
            at += part.len() as u64;
            // Most ranges are in one piece and need not be copied.
            if all.is_empty() && at == end {
                return Ok(part);
            }
            all.reserve(size - all.len());
            all.extend_from_slice(&part);
        }
        Ok(all.freeze())
    }

    /// The bytes from `at` to the end of their piece, at most 256 KiB, within the readable ranges. For
    /// streams.
    ///
    /// # Errors
    /// As of [`read`](Self::read).
    pub async fn piece_from(&self, at: u64) -> Result<Bytes> {
        let Some(n) = self.row.layout.piece_at(at).filter(|_| at < self.end_from(at)) else {
            return Ok(Bytes::new());
        };
        let piece = self.core.blobs().piece(self.core.engine(), &self.row, n).await?;
        let start = self.row.layout.range(n).start;
        let end = piece.len().min((self.end_from(at) - start) as usize);
        Ok(piece.slice((at - start) as usize..end))
    }
}

impl Blobs {
    pub(crate) fn open_at(location: &Location, settings: &StoreOptions) -> Result<Self> {
        Ok(Self {
            objects: location.blobs.as_deref().map(|address| Objects::open(address, settings)).transpose()?,
            hot: hot_pieces(settings.blob_cache_bytes),
        })
    }

    /// A piece of a blob, from memory if it is cached. Those who ask for the same one at the same time share
    /// one read.
    async fn piece(&self, engine: &dyn Engine, row: &BlobRow, n: usize) -> Result<Bytes> {
        let load = self.load(engine, row, n..n + 1);
        if row.layout.size() > MAX_CACHED_BLOB {
            return load.await;
        }
        self.hot.get_or_insert_async(&(row.digest, n), load).await
    }

    /// Loads consecutive pieces from storage and checks them. Where that fails, and the blob was put
    /// elsewhere since the catalogue was asked, from there.
    async fn load(&self, engine: &dyn Engine, row: &BlobRow, pieces: Range<usize>) -> Result<Bytes> {
        let damage = match self.fetch(engine, row, pieces.clone()).await {
            Err(StoreError::Corrupt(damage)) => damage,
            done => return done,
        };
        match blob::find(engine, &row.digest).await? {
            Some(now) if (now.id, &now.object) != (row.id, &row.object) && now.layout == row.layout => {
                self.fetch(engine, &now, pieces).await
            }
            _ => Err(StoreError::Corrupt(damage)),
        }
    }

    async fn fetch(&self, engine: &dyn Engine, row: &BlobRow, pieces: Range<usize>) -> Result<Bytes> {
        let (digest, n) = (&row.digest, pieces.start);
        let bytes = match (&row.object, &self.objects) {
            (Some(object), Some(objects)) => objects.get_range(object, row.layout.span(&pieces)).await?,
            (Some(_), None) => {
                let hint = "the bytes of this store are in an object store: say which one";
                return Err(StoreError::Invalid(hint.to_owned()));
            }
            (None, _) => engine.piece(blob::piece_key(row.id, n)).await?,
        };
        let bytes =
            bytes.ok_or_else(|| StoreError::corrupt(format!("piece {n} of the blob {digest} is missing")))?;
        row.layout.checked(digest, pieces, bytes)
    }

    /// Reads all pieces from storage, gives some at a time to `each`, and compares the whole with its digest.
    pub(crate) async fn verify(
        &self,
        engine: &dyn Engine,
        row: &BlobRow,
        mut each: impl FnMut(&[u8]) + Send,
    ) -> Result<()> {
        let mut hash = Sha256::new();
        // The engine has each piece in a row of its own.
        let most = if row.object.is_some() { READ_AT_ONCE } else { 0 };
        for pieces in row.layout.runs(most) {
            let bytes = self.load(engine, row, pieces).await?;
            hash.update(&bytes);
            each(&bytes);
        }
        let (digest, found) = (row.digest, Digest::from_bytes(hash.finalize().into()));
        if found != digest {
            return Err(StoreError::corrupt(format!("the bytes stored as {digest} have the digest {found}")));
        }
        Ok(())
    }

    /// Reads all bytes of a blob from storage and compares them with its digest.
    pub(crate) async fn read_verified(&self, engine: &dyn Engine, row: &BlobRow) -> Result<Blob> {
        let mut all = Vec::with_capacity(usize::try_from(row.layout.size()).unwrap_or(0));
        self.verify(engine, row, |piece| all.extend_from_slice(piece)).await?;
        Ok(Blob::verified(row.digest, all.into(), row.layout.cuts()))
    }

    async fn is_whole(&self, engine: &dyn Engine, row: &BlobRow) -> Result<bool> {
        match self.verify(engine, row, |_| {}).await {
            Ok(()) => Ok(true),
            Err(StoreError::Corrupt(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The damaged blobs among these.
    pub(crate) async fn damaged(
        &self,
        engine: &dyn Engine,
        digests: &BTreeSet<Digest>,
    ) -> Result<BTreeSet<Digest>> {
        let mut damaged = BTreeSet::new();
        for digest in digests {
            if let Some(row) = blob::find(engine, digest).await?
                && !self.is_whole(engine, &row).await?
            {
                damaged.insert(*digest);
            }
        }
        Ok(damaged)
    }

    /// Stages blobs: those for the engine wait for the transaction, while an object is stored before any row
    /// names it. Blobs that the catalogue already has are skipped, unless they are to be `rewritten`.
    pub(crate) async fn stage<'a>(
        &self,
        engine: &dyn Engine,
        blobs: &BTreeMap<Digest, &'a Blob>,
        rewritten: BTreeSet<Digest>,
    ) -> Result<StagedBlobs<'a>> {
        let mut names = BTreeMap::new();
        if let Some(objects) = &self.objects {
            let there = blob::present(engine, blobs.keys()).await?;
            let mut puts = Vec::new();
            for (digest, blob) in blobs {
                if !there.contains(digest) || rewritten.contains(digest) {
                    puts.push((*digest, blob.bytes().clone()));
                }
            }
            names = futures::stream::iter(puts)
                .map(async |(digest, bytes)| Ok((digest, objects.put(&digest, bytes).await?)))
                .buffer_unordered(MAX_CONCURRENT_PUTS)
                .try_collect()
                .await?;
        }
        Ok(StagedBlobs { blobs: blobs.clone(), objects: self.objects.is_some().then_some(names), rewritten })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_pieces_supersede_large_ones_that_are_not_asked_for_any_more() {
        let cache = hot_pieces(4 << 20);
        let read = |keys: std::ops::Range<usize>, size: usize| {
            let digest = Digest::from_bytes([0; 32]);
            let is_hit = |key: &usize| {
                let is_known = cache.get(&(digest, *key)).is_some();
                if !is_known {
                    cache.insert((digest, *key), vec![0; size].into());
                }
                is_known
            };
            keys.filter(is_hit).count()
        };
        for _ in 0..10 {
            read(0..500, 40_000);
        }
        // Far fewer than the 256 keys that each of the four shards remembers, however chance distributes
        // them.
        let hits: Vec<usize> = (0..10).map(|_| read(1_000..1_700, 2_000)).collect();
        assert_eq!(hits[9], 700, "{hits:?}");
    }
}
