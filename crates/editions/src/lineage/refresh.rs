//! Refresh of partitions that a request found out of date, by a running service, one after the other.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use norma_store::Store;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::update;

/// Most documents that wait; requests for more are dropped, and the next request repeats them.
const WAITING: usize = 64;

/// Receiver of requests for documents with a partition to be made again.
#[derive(Clone)]
pub struct Refresher {
    waiting: mpsc::Sender<String>,
    /// Set when the store turns out to be read-only: no partition is made then, since it could not be stored.
    is_read_only: Arc<AtomicBool>,
}

impl Refresher {
    /// Starts the task that makes partitions; it ends with the refresher.
    pub fn start(store: Store) -> (Self, JoinHandle<()>) {
        let (sender, mut waiting) = mpsc::channel::<String>(WAITING);
        let is_read_only = Arc::new(AtomicBool::new(false));
        let read_only = Arc::clone(&is_read_only);
        let task = tokio::spawn(async move {
            while let Some(document) = waiting.recv().await {
                // Requests that waited while the first of them found it.
                if read_only.load(Ordering::Relaxed) {
                    continue;
                }
                match update(&store, &document).await {
                    Ok(problems) => problems.iter().for_each(|problem| tracing::warn!(%problem)),
                    Err(error @ norma_store::StoreError::ReadOnly) => {
                        read_only.store(true, Ordering::Relaxed);
                        let hint = "lineages are absent until a program that can write, as `norma rebuild`, updates them";
                        tracing::warn!(%document, %error, hint, "lineages are not updated");
                    }
                    Err(error) => tracing::warn!(%document, %error, "lineages are not updated"),
                }
            }
        });
        (Self { waiting: sender, is_read_only }, task)
    }

    /// Requests the partition of a document, unless it is that of its present editions. Does not wait: the
    /// catalogue's state changes when it is done, and remembered answers go with the old one. False where the
    /// request is not taken: the store is read-only, or too many wait, and a later request asks again.
    pub fn request(&self, document: &str) -> bool {
        !self.is_read_only.load(Ordering::Relaxed) && self.waiting.try_send(document.to_owned()).is_ok()
    }
}
