//! Blobs: bytes by digest, which never change, so that what is in memory is always right. They are read in pieces, and
//! each piece is compared with its checksum when it enters memory.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use futures::{StreamExt, TryStreamExt};
use moka::future::Cache;
use norma_model::Digest;
use sha2::{Digest as _, Sha256};

use crate::catalogue::publish;
use crate::engine::{Engine, Held, Sql, Stored};
use crate::entry::Blob;
use crate::objects::Objects;
use crate::pieces::{self, Checksums, PIECE};
use crate::{Error, Location, Result, Settings, Store};

/// What a cached piece weighs beside its bytes.
const OVERHEAD: u32 = 128;

/// Blobs of several pieces whose catalogue rows are kept in memory.
const ROWS: u64 = 1_000;

/// The number under which a blob of one piece is kept in memory: no piece of a larger one has it.
const WHOLE: u32 = u32::MAX;

/// Where blobs are kept, with the hot pieces in memory.
pub(crate) struct Blobs {
    pub(crate) objects: Option<Objects>,
    hot: Cache<(Digest, u32), Bytes>,
    rows: Cache<Digest, Arc<Large>>,
    largest: u64,
    at_once: usize,
}

/// A blob that is not in the catalogue yet: its bytes, or the object that already holds them.
pub(crate) enum Placed {
    Here(Bytes),
    At { place: String, size: u64, checksums: Checksums },
}

/// A blob that was looked up: its bytes where it has one piece only.
#[derive(Clone)]
enum Opened {
    Whole(Bytes),
    Large(Arc<Large>),
}

/// A blob whose bytes lie not in its row of the catalogue.
struct Large {
    size: u64,
    checksums: Checksums,
    /// The name of its object; none where its pieces lie in the engine.
    place: Option<String>,
}

impl Large {
    fn of(stored: Stored) -> Self {
        let place = match stored.held {
            Held::At(place) => Some(place),
            Held::Here(_) | Held::InPieces => None,
        };
        Self { size: stored.size, checksums: stored.checksums, place }
    }
}

/// A blob that is read piece by piece. It holds no connection, transaction or file between two pieces.
pub struct BlobReader {
    store: Store,
    digest: Digest,
    opened: Opened,
}

impl BlobReader {
    /// Bytes of each piece but the last one.
    pub const PIECE: u64 = PIECE as u64;

    pub(crate) async fn open(store: &Store, digest: &Digest) -> Result<Option<Self>> {
        let opened = store.blobs().open(store.engine(), digest).await?;
        Ok(opened.map(|opened| Self { store: store.clone(), digest: *digest, opened }))
    }

    /// The digest of the whole blob.
    pub fn digest(&self) -> &Digest {
        &self.digest
    }

    /// Bytes of the whole blob.
    pub fn size(&self) -> u64 {
        match &self.opened {
            Opened::Whole(bytes) => bytes.len() as u64,
            Opened::Large(large) => large.size,
        }
    }

    /// Fails where the catalogue says another size elsewhere.
    ///
    /// # Errors
    /// [`Error::Corrupt`].
    pub fn has_size(&self, size: u64) -> Result<()> {
        if self.size() == size {
            return Ok(());
        }
        Err(Error::corrupt(format!("the blob {} has {} bytes and not {size}", self.digest, self.size())))
    }

    /// Some bytes, all of them in memory; fewer where the blob ends before.
    ///
    /// # Errors
    /// As of [`piece`](Self::piece).
    pub async fn read(&self, range: Range<u64>) -> Result<Bytes> {
        let range = range.start.min(self.size())..range.end.min(self.size());
        let mut all = BytesMut::new();
        while range.start + (all.len() as u64) < range.end {
            let at = range.start + all.len() as u64;
            let (n, start) = (at / Self::PIECE, (at % Self::PIECE) as usize);
            let piece = self.piece(u32::try_from(n).unwrap_or(u32::MAX)).await?;
            let end = piece.len().min((range.end - n * Self::PIECE) as usize);
            let part = piece.slice(start.min(end)..end);
            // Most ranges lie in one piece and need not be copied.
            if all.is_empty() && at + part.len() as u64 == range.end {
                return Ok(part);
            }
            all.extend_from_slice(&part);
        }
        Ok(all.freeze())
    }

    /// Piece `n`, counted from 0: the bytes from `n` times [`Self::PIECE`] on.
    ///
    /// # Errors
    /// [`Error::Corrupt`] when the bytes do not match their checksum, or are gone.
    pub async fn piece(&self, n: u32) -> Result<Bytes> {
        match &self.opened {
            Opened::Whole(bytes) if n == 0 => Ok(bytes.clone()),
            Opened::Whole(_) => Ok(Bytes::new()),
            Opened::Large(large) => {
                self.store.blobs().piece(self.store.engine(), &self.digest, large, n).await
            }
        }
    }
}

impl Blobs {
    pub(crate) fn open_at(location: &Location, settings: &Settings) -> Result<Self> {
        let weigh = |_: &(Digest, u32), bytes: &Bytes| {
            u32::try_from(bytes.len()).unwrap_or(u32::MAX).saturating_add(OVERHEAD)
        };
        Ok(Self {
            objects: location.blobs.as_deref().map(|address| Objects::open(address, settings)).transpose()?,
            hot: Cache::builder().weigher(weigh).max_capacity(settings.blob_cache_bytes).build(),
            rows: Cache::new(ROWS),
            largest: settings.blob_cache_item_bytes,
            at_once: settings.objects_at_once.max(1),
        })
    }

    /// Looks a blob up. Those who ask for the same one at the same time share one read.
    async fn open(&self, engine: &dyn Engine, digest: &Digest) -> Result<Option<Opened>> {
        let key = (*digest, WHOLE);
        if let Some(bytes) = self.hot.get(&key).await {
            return Ok(Some(Opened::Whole(bytes)));
        }
        if let Some(large) = self.rows.get(digest).await {
            return Ok(Some(Opened::Large(large)));
        }
        // What is no blob of one piece leaves the cache by this error that is none.
        let look = async {
            match self.look(engine, digest).await {
                Ok(Some(Opened::Whole(bytes))) => Ok(bytes),
                other => Err(other),
            }
        };
        match self.hot.try_get_with(key, look).await {
            Ok(bytes) => Ok(Some(Opened::Whole(bytes))),
            Err(other) => Arc::unwrap_or_clone(other),
        }
    }

    /// The same from the engine.
    async fn look(&self, engine: &dyn Engine, digest: &Digest) -> Result<Option<Opened>> {
        let large = match engine.blob(digest).await? {
            None => return Ok(None),
            Some(Stored { size, checksums, held: Held::Here(bytes) }) => {
                return Ok(Some(Opened::Whole(checksums.checked(digest, size, 0, bytes)?)));
            }
            Some(stored) => Arc::new(Large::of(stored)),
        };
        if pieces::count(large.size) == 1 {
            return Ok(Some(Opened::Whole(self.load(engine, digest, &large, 0).await?)));
        }
        self.rows.insert(*digest, Arc::clone(&large)).await;
        Ok(Some(Opened::Large(large)))
    }

    /// A piece of a large blob, from memory where it is kept there.
    async fn piece(&self, engine: &dyn Engine, digest: &Digest, large: &Large, n: u32) -> Result<Bytes> {
        let load = self.load(engine, digest, large, n);
        if large.size > self.largest {
            return load.await;
        }
        self.hot.try_get_with((*digest, n), load).await.map_err(Arc::unwrap_or_clone)
    }

    /// A piece from where it lies, checked. Where that fails, and the blob was put elsewhere since the catalogue was
    /// asked, from there.
    async fn load(&self, engine: &dyn Engine, digest: &Digest, large: &Large, n: u32) -> Result<Bytes> {
        let damage = match self.fetch(engine, digest, large, n).await {
            Err(Error::Corrupt(damage)) => damage,
            done => return done,
        };
        self.rows.invalidate(digest).await;
        match engine.blob(digest).await?.map(Large::of) {
            Some(now) if now.place != large.place => self.fetch(engine, digest, &now, n).await,
            _ => Err(Error::Corrupt(damage)),
        }
    }

    async fn fetch(&self, engine: &dyn Engine, digest: &Digest, large: &Large, n: u32) -> Result<Bytes> {
        let missing = |what: String| Error::corrupt(format!("{what} of the blob {digest} is missing"));
        let bytes = match (&large.place, &self.objects) {
            (Some(place), Some(objects)) => {
                let bytes = objects.get_range(place, pieces::place(large.size, n)).await?;
                bytes.ok_or_else(|| missing(format!("the object {place}")))?
            }
            (Some(_), None) => {
                let hint = "the bytes of this store lie in an object store: say which one";
                return Err(Error::Invalid(hint.to_owned()));
            }
            (None, _) => {
                let sql = Sql::new("SELECT bytes FROM blob_pieces WHERE digest = $1 AND n = $2");
                let rows = engine.read(sql.bind(digest).bind(i64::from(n))).await?;
                rows.first().ok_or_else(|| missing(format!("piece {n}")))?.bytes(0)?.clone()
            }
        };
        large.checksums.checked(digest, large.size, n, bytes)
    }

    /// All bytes with this digest.
    pub(crate) async fn read(&self, engine: &dyn Engine, digest: &Digest) -> Result<Option<Bytes>> {
        let large = match self.open(engine, digest).await? {
            None => return Ok(None),
            Some(Opened::Whole(bytes)) => return Ok(Some(bytes)),
            Some(Opened::Large(large)) => large,
        };
        let mut all = BytesMut::with_capacity(usize::try_from(large.size).unwrap_or(usize::MAX));
        for n in 0..pieces::count(large.size) {
            all.extend_from_slice(&self.piece(engine, digest, &large, n).await?);
        }
        Ok(Some(all.freeze()))
    }

    /// Reads each piece, not from memory, gives it with the size of the blob to `each`, and compares the whole with its
    /// digest; gives the number of bytes, or `None` where there is no such blob.
    pub(crate) async fn verify(
        &self,
        engine: &dyn Engine,
        digest: &Digest,
        mut each: impl FnMut(u64, &[u8]) + Send,
    ) -> Result<Option<u64>> {
        let mut hash = Sha256::new();
        let mut take = |size, piece: &[u8]| {
            hash.update(piece);
            each(size, piece);
        };
        let size = match self.look(engine, digest).await? {
            None => return Ok(None),
            Some(Opened::Whole(bytes)) => {
                take(bytes.len() as u64, &bytes);
                bytes.len() as u64
            }
            Some(Opened::Large(large)) => {
                for n in 0..pieces::count(large.size) {
                    take(large.size, &self.load(engine, digest, &large, n).await?);
                }
                large.size
            }
        };
        let found = Digest::from_bytes(hash.finalize().into());
        if found != *digest {
            return Err(Error::corrupt(format!("the bytes stored as {digest} have the digest {found}")));
        }
        Ok(Some(size))
    }

    /// All bytes with this digest, not from memory, and compared with it.
    pub(crate) async fn read_verified(&self, engine: &dyn Engine, digest: &Digest) -> Result<Option<Blob>> {
        let mut all = Vec::new();
        let gather = |size, piece: &[u8]| {
            if all.is_empty() {
                all.reserve_exact(usize::try_from(size).unwrap_or(0));
            }
            all.extend_from_slice(piece);
        };
        let there = self.verify(engine, digest, gather).await?.is_some();
        Ok(there.then(|| Blob::verified(*digest, all.into())))
    }

    async fn is_whole(&self, engine: &dyn Engine, digest: &Digest) -> Result<bool> {
        match self.verify(engine, digest, |_, _| {}).await {
            Ok(size) => Ok(size.is_some()),
            Err(Error::Corrupt(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Puts those blobs that the catalogue does not have where they belong; where it is to be mended, those as well
    /// whose bytes are not what the catalogue says. What lies in the engine waits for the transaction; an object is
    /// there before any row names it.
    pub(crate) async fn place(
        &self,
        engine: &dyn Engine,
        blobs: &BTreeMap<Digest, Bytes>,
        mend: bool,
    ) -> Result<BTreeMap<Digest, Placed>> {
        let mut there = BTreeSet::new();
        for sql in publish::present(blobs.keys()) {
            for row in engine.read(sql).await? {
                let digest = row.digest(0)?;
                if !mend || self.is_whole(engine, &digest).await? {
                    there.insert(digest);
                }
            }
        }
        let missing = blobs.iter().filter(|(digest, _)| !there.contains(digest));
        let Some(objects) = &self.objects else {
            return Ok(missing.map(|(digest, bytes)| (*digest, Placed::Here(bytes.clone()))).collect());
        };
        let puts = missing.map(|(digest, bytes)| (*digest, bytes.clone())).collect::<Vec<_>>();
        futures::stream::iter(puts)
            .map(|(digest, bytes)| async move {
                let (size, checksums) = (bytes.len() as u64, Checksums::of(&bytes));
                Ok((digest, Placed::At { place: objects.put(&digest, bytes).await?, size, checksums }))
            })
            .buffer_unordered(self.at_once)
            .try_collect()
            .await
    }
}
