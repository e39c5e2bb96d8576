//! Blobs: bytes by digest, which never change, so that what is in memory is always right.

use bytes::Bytes;
use moka::future::Cache;
use norma_model::Digest;

use crate::engine::Engine;
use crate::entry::Blob;
use crate::{Error, Result, Settings};

/// Where blobs are read, with the hot ones in memory.
pub(crate) struct Blobs {
    hot: Cache<Digest, Bytes>,
    largest: u64,
}

impl Blobs {
    pub(crate) fn new(settings: &Settings) -> Self {
        let weigh =
            |_: &Digest, bytes: &Bytes| u32::try_from(bytes.len()).unwrap_or(u32::MAX).saturating_add(128);
        Self {
            hot: Cache::builder().weigher(weigh).max_capacity(settings.blob_cache_bytes).build(),
            largest: settings.blob_cache_item_bytes,
        }
    }

    /// The bytes with this digest.
    pub(crate) async fn read(&self, engine: &dyn Engine, digest: &Digest) -> Result<Option<Bytes>> {
        if let Some(bytes) = self.hot.get(digest).await {
            return Ok(Some(bytes));
        }
        let Some(bytes) = engine.blob(digest).await? else { return Ok(None) };
        if bytes.len() as u64 <= self.largest {
            self.hot.insert(*digest, bytes.clone()).await;
        }
        Ok(Some(bytes))
    }

    /// The same, hashed again: for checks and copies.
    pub(crate) async fn read_verified(&self, engine: &dyn Engine, digest: &Digest) -> Result<Option<Blob>> {
        let Some(bytes) = engine.blob(digest).await? else { return Ok(None) };
        let blob = Blob::new(bytes);
        if blob.digest() == *digest {
            Ok(Some(blob))
        } else {
            Err(Error::corrupt(format!("the bytes stored as {digest} have the digest {}", blob.digest())))
        }
    }
}
