//! Publishing of editions and blobs.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::time::SystemTime;

use norma_model::Digest;

use crate::blob::Blob;
use crate::catalogue::{blob, publish};
use crate::entry::{Outcome, Publication};
use crate::transact::transact;
use crate::{Result, Store, StoreError};

impl Store {
    /// Publishes an edition in one step: readers see the state before, or all of this.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the URN belongs to a document from another origin with another source.
    pub async fn publish(&self, publication: &Publication, now: SystemTime) -> Result<Outcome> {
        let outcome = self.publish_all(std::slice::from_ref(publication), now).await.pop();
        outcome.unwrap_or_else(|| Err(StoreError::corrupt("a publication came to nothing")))
    }

    /// Publishes editions, those with different URNs in one transaction, and returns the outcome of each.
    /// Each is published as a whole or not at all, and a refused one does not affect the others. Other
    /// writers wait until such a transaction has ended: the caller sees to it that there are not too many,
    /// nor too large ones.
    pub async fn publish_all(&self, publications: &[Publication], now: SystemTime) -> Vec<Result<Outcome>> {
        let mut outcomes = Vec::with_capacity(publications.len());
        while outcomes.len() < publications.len() {
            let (mut urns, mut batch) = (HashSet::new(), Vec::new());
            for one in &publications[outcomes.len()..] {
                // A URN that comes again begins the next transaction.
                if !one.urns().all(|urn| urns.insert(urn)) {
                    break;
                }
                batch.push(one);
            }
            match self.publish_together(&batch, now).await {
                Ok(done) => outcomes.extend(done),
                // One of them is what the engine refuses: the others are published without it.
                Err(error) if batch.len() > 1 && !error.is_passing() => {
                    for one in batch {
                        let done = self.publish_together(&[one], now).await;
                        outcomes.extend(done.unwrap_or_else(|error| vec![Err(error)]));
                    }
                }
                Err(error) => outcomes.extend(batch.iter().map(|_| Err(error.clone()))),
            }
        }
        outcomes
    }

    /// Publishes editions with different URNs in one transaction, except those whose blobs are collected
    /// meanwhile.
    async fn publish_together(
        &self,
        batch: &[&Publication],
        now: SystemTime,
    ) -> Result<Vec<Result<Outcome>>> {
        let before = publish::existing(self.engine(), batch).await?;
        let mut outcomes: Vec<Option<Result<Outcome>>> = Vec::with_capacity(batch.len());
        let mut has_unchanged = false;
        for one in batch {
            let is_same = match before.get(one.summary.urn.as_str()) {
                Some(stored) => stored.is_same(one),
                None => Ok(false),
            };
            has_unchanged |= matches!(is_same, Ok(true));
            outcomes.push(match is_same {
                Ok(false) => None,
                Ok(true) => Some(Ok(Outcome::Unchanged)),
                Err(refused) => Some(Err(refused)),
            });
        }
        if has_unchanged {
            // Somebody else may have published it just now.
            self.core().refresh().await?;
        }
        for attempt in 0..self.settings().attempts.max(1) {
            let mut open = Vec::new();
            for (index, outcome) in outcomes.iter().enumerate() {
                if matches!(outcome, None | Some(Err(StoreError::Contended(_)))) {
                    open.push(index);
                }
            }
            if open.is_empty() {
                break;
            }
            let rest: Vec<&Publication> = open.iter().map(|index| batch[*index]).collect();
            let done = match self.publish_once(&rest, now).await {
                Err(error) if attempt == 0 => return Err(error),
                // The others are published already.
                Err(error) => rest.iter().map(|_| Err(error.clone())).collect(),
                Ok(done) => done,
            };
            for (index, outcome) in open.into_iter().zip(done) {
                outcomes[index] = Some(outcome);
            }
        }
        Ok(outcomes.into_iter().flatten().collect())
    }

    async fn publish_once(&self, batch: &[&Publication], now: SystemTime) -> Result<Vec<Result<Outcome>>> {
        let blobs = publish::blobs(batch);
        let repaired =
            batch.iter().filter(|one| one.repair).flat_map(|one| publish::blobs(&[one]).into_keys());
        let damaged = self.blobs().damaged(self.engine(), &repaired.collect()).await?;
        let staged = &self.blobs().stage(self.engine(), &blobs, damaged).await?;
        transact!(self, |tx| publish::publish(tx, batch, staged, now))
    }

    /// True if just this is published already. Of the publication, only name, source, derivation and origin
    /// count.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] as in [`publish`](Self::publish), which asks the same before all else.
    pub async fn holds(&self, publication: &Publication) -> Result<bool> {
        let before = publish::existing(self.engine(), &[publication]).await?;
        let before = before.get(publication.summary.urn.as_str());
        let is_there = before.map_or(Ok(false), |before| before.is_same(publication))?;
        if is_there {
            // Somebody else may have published it just now.
            self.core().refresh().await?;
        }
        Ok(is_there)
    }

    /// Puts pictures for a publication that will name them soon, so that they need not all be in memory at
    /// once. Until then they are unused: a collector that waits for nothing may take them, and
    /// [`publish`](Self::publish) then ends with [`StoreError::Contended`]. With `repair`, those are put
    /// again that are lost or damaged.
    pub async fn stage_blobs(&self, blobs: &[Blob], repair: bool, now: SystemTime) -> Result<()> {
        let blobs: BTreeMap<Digest, &Blob> = blobs.iter().map(|blob| (blob.digest(), blob)).collect();
        let digests = &blobs.keys().copied().collect::<BTreeSet<_>>();
        for _ in 0..self.settings().attempts.max(1) {
            let again = match repair {
                true => self.blobs().damaged(self.engine(), digests).await?,
                false => BTreeSet::new(),
            };
            let staged = &self.blobs().stage(self.engine(), &blobs, again).await?;
            if transact!(self, |tx| blob::ensure(tx, digests, staged, now))?.len() == digests.len() {
                return Ok(());
            }
        }
        Err(StoreError::Contended("blobs are collected again and again".to_owned()))
    }
}
