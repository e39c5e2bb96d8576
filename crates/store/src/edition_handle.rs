//! Edition handle: an edition with its pack, its assets and its comparisons, for an operator or a viewer.

use std::sync::Arc;

use bytes::Bytes;
use norma_model::{Digest, Lang};

use crate::catalogue::{blob, comparison, earlier, lineage};
use crate::core::Core;
use crate::entry::Entry;
use crate::lineage::{ComparisonKey, Correspondence, StoredComparison};
use crate::transact::transact;
use crate::{BlobReader, EarlierRevision, Result, RetainedRevision, StoreError};

/// An edition in the state in which it was read, with access to its pack, its assets and its comparisons.
#[derive(Clone)]
pub struct EditionHandle {
    core: Arc<Core>,
    entry: Arc<Entry>,
}

impl EditionHandle {
    pub(crate) fn new(core: &Arc<Core>, entry: &Arc<Entry>) -> Self {
        Self { core: Arc::clone(core), entry: Arc::clone(entry) }
    }

    fn core(&self) -> &Core {
        &self.core
    }

    /// The values of the edition in the catalogue.
    pub fn entry(&self) -> &Arc<Entry> {
        &self.entry
    }

    /// The pack of the edition, to be read piece by piece.
    pub fn pack(&self) -> BlobReader {
        BlobReader::new(&self.core, Arc::clone(&self.entry.pack_row))
    }

    /// The asset of the edition with this digest, to be read piece by piece; `None` if it has no such asset.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] where the asset is lost, and those of the engine.
    pub async fn asset(&self, digest: &Digest) -> Result<Option<BlobReader>> {
        if self.entry.asset(digest).is_none() {
            return Ok(None);
        }
        let row = blob::find(self.core.engine(), digest).await?;
        let row = row.ok_or_else(|| StoreError::corrupt(format!("the blob {digest} is missing")))?;
        Ok(Some(BlobReader::new(&self.core, Arc::new(row))))
    }

    /// The stored record of the comparison of this edition, as the older one, with another. `None` if no
    /// record of these revisions by this version of the matcher is stored.
    ///
    /// # Errors
    /// Those of the engine.
    pub async fn comparison(
        &self,
        newer: &Self,
        language: &Lang,
        matcher: u32,
    ) -> Result<Option<StoredComparison>> {
        comparison::comparison(self.core.engine(), &self.key(newer, language, matcher)).await
    }

    /// True if [`comparison`](Self::comparison) would give a record. It is not read.
    ///
    /// # Errors
    /// Those of the engine.
    pub async fn has_comparison(&self, newer: &Self, language: &Lang, matcher: u32) -> Result<bool> {
        comparison::is_stored(self.core.engine(), &self.key(newer, language, matcher)).await
    }

    /// Stores such a record, of two neighbours in their document. False where one of the editions is not in
    /// the state that was compared.
    ///
    /// # Errors
    /// [`StoreError::ReadOnly`](crate::StoreError::ReadOnly) where nothing can be written, and those of the
    /// engine.
    pub async fn put_comparison(
        &self,
        newer: &Self,
        language: &Lang,
        matcher: u32,
        record: Bytes,
    ) -> Result<bool> {
        let (key, record) = (&self.key(newer, language, matcher), &record);
        transact!(self, |tx| comparison::put_comparison(tx, key, record))
    }

    /// The publisher's correspondences for the provisions of this edition, as the older one, in another.
    ///
    /// # Errors
    /// Those of the engine.
    pub async fn correspondences(&self, newer: &Self) -> Result<Vec<Correspondence>> {
        lineage::correspondences(self.core.engine(), &self.entry.summary.urn, &newer.entry.summary.urn).await
    }

    /// The earlier revisions of the edition, the oldest first.
    ///
    /// # Errors
    /// [`StoreError::Contended`] where it is in another revision meanwhile, and those of the engine.
    pub async fn earlier_revisions(&self) -> Result<Vec<EarlierRevision>> {
        let Entry { summary, revision, .. } = &*self.entry;
        earlier::list(self.core.engine(), &summary.urn, revision).await
    }

    /// The retained revisions of the edition from this number on, the newest first: what a retained revision
    /// is a difference from comes before it. Empty where the edition is in another revision meanwhile.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] where one is damaged, and those of the engine.
    pub async fn retained_revisions(&self, least: i64) -> Result<Vec<RetainedRevision>> {
        let Entry { summary, revision, .. } = &*self.entry;
        earlier::retained(self.core.engine(), &summary.urn, revision, least).await
    }

    fn key(&self, newer: &Self, language: &Lang, matcher: u32) -> ComparisonKey {
        ComparisonKey {
            older: self.entry.summary.urn.clone(),
            older_revision: self.entry.revision.clone(),
            newer: newer.entry.summary.urn.clone(),
            newer_revision: newer.entry.revision.clone(),
            language: language.clone(),
            matcher,
        }
    }
}
