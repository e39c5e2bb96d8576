//! Transactions that are retried after contention.

use std::time::Duration;

use crate::catalogue::schema;
use crate::core::Core;
use crate::engine::Transaction;
use crate::{Result, StoreError, random};

/// Runs work on a transaction by [`Core::write`]. A macro, because a closure that borrows the transaction
/// cannot be said to give a future that may change threads.
macro_rules! transact {
    ($store:expr, |$tx:ident| $work:expr) => {
        $store
            .core()
            .write(move |mut owned| async move {
                let $tx = &mut *owned;
                let done = $work.await?;
                Ok((owned, done))
            })
            .await
    };
}
pub(crate) use transact;

impl Core {
    /// Runs one transaction, repeats it when others interfered, and updates this store's state from it.
    pub(crate) async fn write<T, F>(&self, work: impl Fn(Box<dyn Transaction>) -> F) -> Result<T>
    where
        F: Future<Output = Result<(Box<dyn Transaction>, T)>>,
    {
        let mut attempt = 1;
        loop {
            let done = async {
                let (mut tx, done) = work(self.engine().begin().await?).await?;
                // Also of those that do not wait for the lock of the catalogue, which looks at it too.
                schema::expect_unchanged_in(&mut *tx).await?;
                // What is written into a file that was exchanged is lost.
                self.engine().expect_same_file()?;
                tx.commit().await?;
                Ok(done)
            };
            match done.await {
                Err(StoreError::Contended(cause)) if attempt < self.settings().attempts => {
                    tracing::debug!(%cause, attempt, "a transaction is tried again");
                    tokio::time::sleep(pause(attempt)).await;
                    attempt += 1;
                }
                Ok(done) => {
                    // The change is made; whether this store knows of it at once is another matter.
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

/// The pause before the next attempt: longer each time, and not the same for all.
fn pause(attempt: u32) -> Duration {
    Duration::from_millis(5 << attempt.min(8)).mul_f64(0.5 + random::fraction())
}
