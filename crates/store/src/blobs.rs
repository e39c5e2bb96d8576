//! Blobs: bytes by digest, which never change, so that what is in memory is always right.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use futures::{StreamExt, TryStreamExt};
use moka::future::Cache;
use norma_model::Digest;

use crate::catalogue::publish;
use crate::engine::{Engine, Stored};
use crate::entry::Blob;
use crate::objects::Objects;
use crate::{Error, Location, Result, Settings};

/// What a cached blob weighs beside its bytes.
const OVERHEAD: u32 = 128;

/// Where blobs are kept, with the hot ones in memory.
pub(crate) struct Blobs {
    pub(crate) objects: Option<Objects>,
    hot: Cache<Digest, Bytes>,
    largest: u64,
    at_once: usize,
}

/// A blob that is not in the catalogue yet: its bytes, or the object that already holds them.
pub(crate) enum Placed {
    Here(Bytes),
    At(String, u64),
}

impl Blobs {
    pub(crate) fn open(location: &Location, settings: &Settings) -> Result<Self> {
        let weigh = |_: &Digest, bytes: &Bytes| {
            u32::try_from(bytes.len()).unwrap_or(u32::MAX).saturating_add(OVERHEAD)
        };
        Ok(Self {
            objects: location.blobs.as_deref().map(|address| Objects::open(address, settings)).transpose()?,
            hot: Cache::builder().weigher(weigh).max_capacity(settings.blob_cache_bytes).build(),
            largest: settings.blob_cache_item_bytes,
            at_once: settings.objects_at_once.max(1),
        })
    }

    /// The bytes with this digest. Those who ask at the same time share one read.
    pub(crate) async fn read(&self, engine: &dyn Engine, digest: &Digest) -> Result<Option<Bytes>> {
        if let Some(bytes) = self.hot.get(digest).await {
            return Ok(Some(bytes));
        }
        // A blob that is too large for the cache leaves it by this error that is none.
        let load = async {
            match self.load(engine, digest).await {
                Ok(Some(bytes)) if bytes.len() as u64 <= self.largest => Ok(bytes),
                other => Err(other),
            }
        };
        match self.hot.try_get_with(*digest, load).await {
            Ok(bytes) => Ok(Some(bytes)),
            Err(other) => Arc::unwrap_or_clone(other),
        }
    }

    /// Some bytes of the blob with this digest; fewer where it ends before.
    pub(crate) async fn range(
        &self,
        engine: &dyn Engine,
        digest: &Digest,
        size: u64,
        range: Range<u64>,
    ) -> Result<Option<Bytes>> {
        let range = range.start.min(size)..range.end.min(size);
        if size > self.largest
            && let (Some(objects), Some(Stored::At(place))) = (&self.objects, engine.blob(digest).await?)
        {
            return objects.get_range(&place, range).await;
        }
        let Some(bytes) = self.read(engine, digest).await? else { return Ok(None) };
        let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(bytes.len());
        Ok(Some(bytes.slice(place(range.start)..place(range.end.max(range.start)))))
    }

    async fn load(&self, engine: &dyn Engine, digest: &Digest) -> Result<Option<Bytes>> {
        let mut last = None;
        loop {
            let place = match engine.blob(digest).await? {
                None => return Ok(None),
                Some(Stored::Here(bytes)) => return Ok(Some(bytes)),
                Some(Stored::At(place)) => place,
            };
            let Some(objects) = &self.objects else {
                let hint = "the bytes of this store lie in an object store: say which one";
                return Err(Error::Invalid(hint.to_owned()));
            };
            if let Some(bytes) = objects.get(&place, digest).await? {
                return Ok(Some(bytes));
            }
            // It may have been collected and put again under another name since the catalogue was asked.
            if last.as_ref() == Some(&place) {
                return Err(Error::corrupt(format!("the object {place} is missing")));
            }
            last = Some(place);
        }
    }

    /// The same, not from memory, and hashed again.
    pub(crate) async fn read_verified(&self, engine: &dyn Engine, digest: &Digest) -> Result<Option<Blob>> {
        let Some(bytes) = self.load(engine, digest).await? else { return Ok(None) };
        let blob = Blob::new(bytes);
        if blob.digest() == *digest {
            Ok(Some(blob))
        } else {
            Err(Error::corrupt(format!("the bytes stored as {digest} have the digest {}", blob.digest())))
        }
    }

    async fn is_whole(&self, engine: &dyn Engine, digest: &Digest) -> Result<bool> {
        match self.read_verified(engine, digest).await {
            Ok(blob) => Ok(blob.is_some()),
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
                let size = bytes.len() as u64;
                Ok((digest, Placed::At(objects.put(&digest, bytes).await?, size)))
            })
            .buffer_unordered(self.at_once)
            .try_collect()
            .await
    }
}
