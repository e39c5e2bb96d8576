//! Transactions that are tried again when others were in the way, and publishing by them.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use norma_model::Digest;

use crate::catalogue::publish::{self, Stored};
use crate::engine::Transaction;
use crate::entry::{Blob, Outcome, Publication};
use crate::{Error, Result, Store, random};

/// Runs work on a transaction by [`Store::write`]. A macro, because a closure that borrows the transaction cannot
/// be said to give a future that may change threads.
macro_rules! transact {
    ($store:expr, |$tx:ident| $work:expr) => {
        $store
            .write(move |mut owned| async move {
                let $tx = &mut *owned;
                let done = $work.await?;
                Ok((owned, done))
            })
            .await
    };
}
pub(super) use transact;

impl Store {
    /// Publishes an edition in one step: readers see what was there before, or all of this.
    ///
    /// # Errors
    /// [`Error::Conflict`] when the URN belongs to a document from another origin with another source.
    pub async fn publish(&self, publication: &Publication, now: SystemTime) -> Result<Outcome> {
        if self.holds(publication).await? {
            return Ok(Outcome::Unchanged);
        }
        let blobs = publish::blobs(publication);
        let digests = publish::digests(publication, &blobs);
        for _ in 0..self.settings().attempts.max(1) {
            let placed = &self.0.blobs.place(self.engine(), &blobs, publication.mend).await?;
            let digests = digests.as_slice();
            let done = transact!(self, |tx| async {
                publish::put(tx, placed, publication.mend, now).await?;
                publish::publish(tx, publication, digests, now).await
            })?;
            if let Some(outcome) = done {
                return Ok(outcome);
            }
        }
        Err(Error::Contended(format!("blobs of {} are collected again and again", publication.summary.urn)))
    }

    /// Whether just this is published already. Of the publication, only name, source, derivation and origin count.
    ///
    /// # Errors
    /// [`Error::Conflict`] as in [`publish`](Self::publish), which asks the same before all else.
    pub async fn holds(&self, publication: &Publication) -> Result<bool> {
        let before = self.engine().read(publish::stored(publication)).await?;
        let is_there = match Stored::of(&before)? {
            Some(before) => before.is_same(publication)?,
            None => false,
        };
        if is_there {
            // Somebody else may have published it just now.
            self.refresh().await?;
        }
        Ok(is_there)
    }

    /// Puts blobs for a publication that will name them soon, so that not all of them need be in memory at once.
    /// Until then they are unused: a collector that waits for nothing may take them, and [`publish`](Self::publish)
    /// then ends with [`Error::Contended`]. With `mend`, those are put again that are lost or damaged.
    pub async fn lay(&self, blobs: &[Blob], mend: bool, now: SystemTime) -> Result<()> {
        let blobs: BTreeMap<Digest, Bytes> =
            blobs.iter().map(|blob| (blob.digest(), blob.bytes().clone())).collect();
        let digests: Vec<Digest> = blobs.keys().copied().collect();
        for _ in 0..self.settings().attempts.max(1) {
            let placed = &self.0.blobs.place(self.engine(), &blobs, mend).await?;
            let digests = digests.as_slice();
            let done = transact!(self, |tx| async {
                publish::put(tx, placed, mend, now).await?;
                publish::touch(tx, digests, now).await
            })?;
            if done {
                return Ok(());
            }
        }
        Err(Error::Contended("blobs are collected again and again".to_owned()))
    }

    /// Runs one transaction, again when others were in its way, and lets this handle see what it did.
    pub(super) async fn write<T, F>(&self, work: impl Fn(Box<dyn Transaction>) -> F) -> Result<T>
    where
        F: Future<Output = Result<(Box<dyn Transaction>, T)>>,
    {
        let mut attempt = 1;
        loop {
            let done = async {
                let (tx, done) = work(self.engine().begin().await?).await?;
                tx.commit().await?;
                Ok(done)
            };
            match done.await {
                Err(Error::Contended(cause)) if attempt < self.settings().attempts => {
                    tracing::debug!(%cause, attempt, "a transaction is tried again");
                    tokio::time::sleep(pause(attempt)).await;
                    attempt += 1;
                }
                Ok(done) => {
                    // The change is made; whether this handle knows of it at once is another matter.
                    if let Err(error) = self.refresh().await {
                        tracing::warn!(%error, "the catalogue could not be looked at after a change");
                    }
                    return Ok(done);
                }
                Err(error) => return Err(error),
            }
        }
    }
}

/// How long to wait before the next attempt: longer each time, and not the same for all.
fn pause(attempt: u32) -> Duration {
    Duration::from_millis(5 << attempt.min(8)).mul_f64(0.5 + random::fraction())
}
