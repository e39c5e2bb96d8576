//! Copy of a whole store into another one, on any engine.

use std::collections::BTreeSet;
use std::time::SystemTime;

use norma_model::{Digest, Urn};

use crate::blob::StagedBlobs;
use crate::catalogue::{admin, blob, lineage_copy, publish};
use crate::transact::transact;
use crate::{Result, SearchSet, Store, StoreError};

/// Editions of one query.
const EDITION_BATCH: u32 = 500;

/// Most bytes of blobs that are copied at once, apart from one larger blob.
const BYTE_BATCH: u64 = 4 << 20;

/// Progress of a copy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Copied {
    /// Editions written to the target.
    pub editions: u64,
    /// Editions that were there already, just so.
    pub present: u64,
    /// Bytes of the blobs written.
    pub bytes: u64,
}

impl Store {
    /// Copies every edition with its blobs, each compared with its digest, and its earlier revisions. Then
    /// comparisons of neighbours, retired ids and correspondences, then the lineage key, tenants, grants and
    /// signing keys. Partitions into lineages are to be made again in the target. It may be stopped and
    /// started again, and then does the rest; what else the target has stays, except the lineage key and
    /// access, which become those of the source. `progress` is called after each edition.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] when the bytes of a blob do not fit its digest.
    pub async fn copy_to(
        &self,
        target: &Store,
        now: SystemTime,
        progress: &mut (dyn FnMut(Copied) + Send),
    ) -> Result<Copied> {
        let mut copied = Copied::default();
        let mut after: Option<Urn> = None;
        loop {
            let batch = self.editions(after.as_ref(), EDITION_BATCH).await?;
            let Some(last) = batch.last() else { break };
            after = Some(last.urn.clone());
            for edition in &batch {
                match self.copy_edition(target, &edition.urn, now).await? {
                    Some(bytes) => {
                        copied.editions += 1;
                        copied.bytes += bytes;
                    }
                    None => copied.present += 1,
                }
                self.copy_revisions(target, &edition.urn, now).await?;
                progress(copied);
            }
        }
        for table in &lineage_copy::TABLES {
            let mut last = None;
            loop {
                let page = table.page(self.engine(), last.as_ref()).await?;
                let Some(row) = page.last() else { break };
                last = Some(row.clone());
                let rows = &table.copied(self.engine(), page).await?;
                if !rows.is_empty() {
                    transact!(target, |tx| table.write(tx, rows))?;
                }
            }
        }
        let key = &self.lineage_key().await?;
        target.put_lineage_key(key, now).await?;
        let policy = &admin::policy(self.engine()).await?;
        transact!(target, |tx| admin::put_policy(tx, policy, now))?;
        Ok(copied)
    }

    /// Copies the search indexes that instances fetch, and gives the number of bytes. An index that a process
    /// builds in the target stays. One that is damaged is left out, and said in the log: it can be built
    /// again.
    ///
    /// # Errors
    /// Those of both stores.
    pub async fn copy_search_indexes(&self, target: &Store, now: SystemTime) -> Result<u64> {
        let mut bytes = 0;
        for (analyser, _) in self.search_sets().await? {
            bytes += self.copy_search_index(target, analyser, now).await?;
        }
        Ok(bytes)
    }

    async fn copy_search_index(&self, target: &Store, analyser: u32, now: SystemTime) -> Result<u64> {
        for _ in 0..self.settings().attempts.max(1) {
            let Some(set) = self.search_set(analyser, 0).await? else { return Ok(0) };
            let problem = match self.copy_search_set(target, analyser, &set, now).await {
                Err(StoreError::Corrupt(problem)) => problem,
                done => return done,
            };
            if self.search_set(analyser, set.number).await?.is_none() {
                tracing::warn!(%problem, "the search index is damaged and is not copied");
                return Ok(0);
            }
            // Another set was published meanwhile, and parts of this one are gone.
        }
        Ok(0)
    }

    async fn copy_search_set(
        &self,
        target: &Store,
        analyser: u32,
        set: &SearchSet,
        now: SystemTime,
    ) -> Result<u64> {
        let present = target.search_set(analyser, 0).await?;
        if present.is_some_and(|present| present.list == set.list && present.files == set.files) {
            return Ok(0);
        }
        let name = Self::builder_name();
        let is_claimed = || target.claim_search_index(analyser, &name, false, now);
        // Asked before the parts are copied, which may take longer than a claim holds.
        if !is_claimed().await? {
            return Ok(0);
        }
        let parts = set.files.iter().flat_map(|file| file.parts.iter().copied()).collect();
        let bytes = self.copy_blobs(target, parts, now).await?;
        if !is_claimed().await?
            || !target.publish_search_set(analyser, &name, &set.list, &set.files, now).await?
        {
            return Ok(0);
        }
        target.release_search_index(analyser, &name, now).await?;
        Ok(bytes)
    }

    /// Copies one edition and gives the number of bytes of its blobs; `None` when there was nothing to do.
    async fn copy_edition(&self, target: &Store, urn: &Urn, now: SystemTime) -> Result<Option<u64>> {
        for _ in 0..self.settings().attempts.max(1) {
            // It was removed since it was listed.
            let Some(here) = &publish::read_one(self.engine(), urn).await? else { return Ok(None) };
            here.expect_whole()?;
            if publish::read_one(target.engine(), urn).await?.as_ref() == Some(here) {
                return Ok(None);
            }
            let bytes = self.copy_blobs(target, here.blobs()?, now).await?;
            let none = &StagedBlobs::default();
            if transact!(target, |tx| publish::write(tx, urn, here, none, now))? {
                return Ok(Some(bytes));
            }
        }
        Err(StoreError::Contended(format!("{urn} changes again and again")))
    }

    /// Copies blobs, some at a time, so that few are in memory.
    async fn copy_blobs(&self, target: &Store, digests: BTreeSet<Digest>, now: SystemTime) -> Result<u64> {
        let present = blob::present(target.engine(), digests.iter()).await?;
        let (mut copied, mut batch, mut size) = (0, Vec::new(), 0);
        for digest in digests.difference(&present) {
            let blob = self.blob_verified(digest).await?;
            let blob = blob.ok_or_else(|| StoreError::corrupt(format!("the blob {digest} is missing")))?;
            size += blob.size();
            batch.push(blob);
            if size >= BYTE_BATCH {
                target.stage_blobs(&std::mem::take(&mut batch), false, now).await?;
                copied += std::mem::take(&mut size);
            }
        }
        target.stage_blobs(&batch, false, now).await?;
        Ok(copied + size)
    }
}
