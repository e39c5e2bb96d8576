//! Search indexes that one instance builds and the others fetch: their files, in parts that are blobs.

use std::time::{Duration, SystemTime};

use bytes::Bytes;
use norma_model::Digest;

use crate::blob::Blob;
use crate::catalogue::search_set;
use crate::transact::transact;
use crate::{Result, Store, random};

/// Most bytes of a part of a file: what is in memory while it is stored or fetched.
pub const SEARCH_PART: usize = 16 << 20;

/// Time without a sign of life after which another process may build an index.
pub const BUILDER_LOST: Duration = Duration::from_secs(10);

/// Time after which an index that nothing builds is removed from the store by `norma gc`.
pub(crate) const INDEX_FORGOTTEN: Duration = Duration::from_secs(12 * 3600);

/// The files of a search index, as its builder published them together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchSet {
    /// Its number, which is higher for a later set of the same analyser.
    pub number: u64,
    /// The engine's list of segments.
    pub list: Bytes,
    /// The files of the segments.
    pub files: Vec<SearchSetFile>,
}

/// A file of a search index, which never changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchSetFile {
    /// Its name in the folder of the index.
    pub name: String,
    /// Its length in bytes.
    pub size: u64,
    /// The digests of its parts, in their order.
    pub parts: Vec<Digest>,
}

impl Store {
    /// A name for a process that may build search indexes, which no other process has.
    pub fn builder_name() -> String {
        random::name()
    }

    /// Makes a process the builder of the index of an analyser, or notes that it still is: true. False where
    /// another process is, and gave a sign of life within [`BUILDER_LOST`], unless it is to be `replaced`.
    ///
    /// # Errors
    /// Those of the engine.
    pub async fn claim_search_index(
        &self,
        analyser: u32,
        builder: &str,
        replaced: bool,
        now: SystemTime,
    ) -> Result<bool> {
        let lost_after = if replaced { Duration::ZERO } else { BUILDER_LOST };
        // Each instance asks every second: only one that may build the index writes.
        if !replaced
            && search_set::is_held_by_other(self.engine(), analyser, builder, now, lost_after).await?
        {
            return Ok(false);
        }
        transact!(self, |tx| search_set::claim(tx, analyser, builder, now, lost_after))
    }

    /// Lets another process build the index at once, or as soon as its clock says so. The index stays in the
    /// store as long as after a last sign of life.
    ///
    /// # Errors
    /// Those of the engine.
    pub async fn release_search_index(&self, analyser: u32, builder: &str, now: SystemTime) -> Result<()> {
        let lost = now.checked_sub(BUILDER_LOST).unwrap_or(SystemTime::UNIX_EPOCH);
        transact!(self, |tx| search_set::release(tx, analyser, builder, lost))
    }

    /// The files that were published last for the index of an analyser; `None` where there are none, or none
    /// with a number above `known`.
    ///
    /// # Errors
    /// Those of the engine.
    pub async fn search_set(&self, analyser: u32, known: u64) -> Result<Option<SearchSet>> {
        search_set::newer(self.engine(), analyser, known).await
    }

    /// Stores a part of a file, which [`publish_search_set`](Self::publish_search_set) names soon, and
    /// returns its digest. With `repair`, a part that is there and damaged is put again.
    ///
    /// # Errors
    /// Those of the engine and of the object store.
    pub async fn put_search_part(&self, bytes: Bytes, repair: bool, now: SystemTime) -> Result<Digest> {
        let part = Blob::new(bytes);
        self.stage_blobs(std::slice::from_ref(&part), repair, now).await?;
        Ok(part.digest())
    }

    /// Publishes the files of an index in one step, and removes the parts that no set has any more. False,
    /// with nothing done, where another process builds the index.
    ///
    /// # Errors
    /// [`StoreError::Contended`](crate::StoreError::Contended) where a part is not in the store; those of the
    /// engine and of the object store.
    pub async fn publish_search_set(
        &self,
        analyser: u32,
        builder: &str,
        list: &Bytes,
        files: &[SearchSetFile],
        now: SystemTime,
    ) -> Result<bool> {
        let former = transact!(self, |tx| search_set::publish(tx, analyser, builder, list, files, now))?;
        let Some(former) = former else { return Ok(false) };
        // A part that was stored within this second stays for the next collection.
        self.collect(&former, now).await?;
        Ok(true)
    }

    /// The sets of all analysers, each with its analyser.
    pub(crate) async fn search_sets(&self) -> Result<Vec<(u32, SearchSet)>> {
        search_set::all(self.engine()).await
    }

    /// Removes indexes that no process builds any more.
    pub(crate) async fn forget_search_indexes(&self, now: SystemTime) -> Result<()> {
        let unseen_since = now.checked_sub(INDEX_FORGOTTEN).unwrap_or(SystemTime::UNIX_EPOCH);
        transact!(self, |tx| search_set::forget(tx, unseen_since))
    }
}
