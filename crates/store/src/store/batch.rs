//! Batches of publications: several editions in one transaction, each reported after its commit.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::time::{Instant, timeout_at};

use crate::entry::{Outcome, Publication};
use crate::{Result, Store};

/// Limits of one transaction: whichever is reached first ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batch {
    /// Most editions of a batch. Default: 256.
    pub editions: usize,
    /// Bytes of their packs and pictures, apart from one larger edition. Default: 4 MiB.
    pub bytes: u64,
    /// Time since the first of them arrived. Default: 1 s.
    pub time: Duration,
}

impl Default for Batch {
    fn default() -> Self {
        Self { editions: 256, bytes: 4 << 20, time: Duration::from_secs(1) }
    }
}

/// Sender of publications for [`Batches`], each with a tag that its outcome is reported with. Cloning gives
/// another one.
pub struct Publications<T> {
    waiting: mpsc::Sender<Waiting<T>>,
    room: Arc<Semaphore>,
    batch: Batch,
}

/// Publications that are published one transaction after the other.
pub struct Batches<T> {
    waiting: mpsc::Receiver<Waiting<T>>,
    batch: Batch,
}

struct Waiting<T> {
    publication: Publication,
    tag: T,
    /// The share of the publication in the bytes that may be in memory.
    _permit: OwnedSemaphorePermit,
}

/// Bytes of a block, the unit in which bytes are counted.
const BLOCK: u64 = 1 << 10;

impl Batch {
    /// The sender of publications, and the receiver that publishes them. At most twice the bytes of a
    /// transaction are in memory: those of one that is published, and those of the next.
    pub fn begin<T>(self) -> (Publications<T>, Batches<T>) {
        let (sender, waiting) = mpsc::channel(self.editions.max(1));
        let room = Arc::new(Semaphore::new(2 * self.blocks(self.bytes) as usize));
        (Publications { waiting: sender, room, batch: self }, Batches { waiting, batch: self })
    }

    /// A number of bytes in blocks, at most all bytes of a transaction.
    fn blocks(self, bytes: u64) -> u32 {
        u32::try_from(bytes.min(self.bytes).div_ceil(BLOCK)).unwrap_or(u32::MAX >> 3).clamp(1, u32::MAX >> 3)
    }
}

impl<T> Clone for Publications<T> {
    fn clone(&self) -> Self {
        Self { waiting: self.waiting.clone(), room: Arc::clone(&self.room), batch: self.batch }
    }
}

impl<T> Publications<T> {
    /// Sends a publication as soon as there is memory for it. False when publishing has ended.
    pub async fn send(&self, publication: Publication, tag: T) -> bool {
        let blocks = self.batch.blocks(publication.bytes());
        let Ok(room) = Arc::clone(&self.room).acquire_many_owned(blocks).await else { return false };
        self.waiting.send(Waiting { publication, tag, _permit: room }).await.is_ok()
    }
}

impl<T> Batches<T> {
    /// Publishes the next of them in one transaction, as [`Store::publish_all`] does, and returns the outcome
    /// of each. None when all are published and the senders are gone. `now` is asked for when the transaction
    /// begins.
    pub async fn publish(
        &mut self,
        store: &Store,
        now: impl Fn() -> SystemTime,
    ) -> Vec<(T, Result<Outcome>)> {
        let Some(first) = self.waiting.recv().await else { return Vec::new() };
        let end = Instant::now() + self.batch.time;
        let mut bytes = first.publication.bytes();
        let mut batch = vec![first];
        while batch.len() < self.batch.editions && bytes < self.batch.bytes {
            let Ok(Some(next)) = timeout_at(end, self.waiting.recv()).await else { break };
            bytes += next.publication.bytes();
            batch.push(next);
        }
        let (mut publications, mut others) = (Vec::new(), Vec::new());
        for Waiting { publication, tag, _permit } in batch {
            publications.push(publication);
            others.push((tag, _permit));
        }
        let outcomes = store.publish_all(&publications, now()).await;
        others.into_iter().zip(outcomes).map(|((tag, _), outcome)| (tag, outcome)).collect()
    }
}
