//! Partitions that a request found to be out of date, made again by a running service, one after the other.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use norma_store::Store;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::update;
use crate::config::Ingest;

/// Documents that wait; a request for more is left to the next one.
const WAITING: usize = 64;

/// Takes requests for documents whose partition is to be made again.
#[derive(Clone)]
pub(crate) struct Refresher {
    waiting: mpsc::Sender<String>,
    /// Set when the store turns out to be read-only: nothing is made then, since it could not be kept.
    is_read_only: Arc<AtomicBool>,
}

impl Refresher {
    /// Starts the task that does it, which ends with the refresher.
    pub(crate) fn start(store: Store, limits: Ingest) -> (Self, JoinHandle<()>) {
        let (sender, mut waiting) = mpsc::channel::<String>(WAITING);
        let is_read_only = Arc::new(AtomicBool::new(false));
        let read_only = Arc::clone(&is_read_only);
        let task = tokio::spawn(async move {
            while let Some(document) = waiting.recv().await {
                // Requests that waited while the first of them found it.
                if read_only.load(Ordering::Relaxed) {
                    continue;
                }
                match update(&store, &document, &limits).await {
                    Ok(problems) => problems.iter().for_each(|problem| tracing::warn!(%problem)),
                    Err(error @ norma_store::Error::ReadOnly) => {
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

    /// Has the partition of a document made again where it is not that of its present editions. Does not wait: the catalogue's state
    /// changes when it is done, and remembered answers go with the old one. False where the request is not taken: the store is
    /// read-only, or too many wait, and a later request asks again.
    pub(crate) fn request(&self, document: &str) -> bool {
        !self.is_read_only.load(Ordering::Relaxed) && self.waiting.try_send(document.to_owned()).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::ingest::{Options, ingest};
    use crate::stores::new_store;

    const DOCUMENT: &str = "<standard><front><std-meta><title-wrap><full>Pegs</full></title-wrap><std-ident>\
        <originator>NSB</originator><doc-type>IS</doc-type><doc-number>1</doc-number><edition>1</edition></std-ident>\
        <content-language>en</content-language><std-ref type='dated'>NSB 1:2020</std-ref></std-meta></front><body>\
        <sec><title>Pegs</title><p>Pegs shall be made of wood.</p></sec></body></standard>";

    #[tokio::test(flavor = "multi_thread")]
    async fn a_document_that_changed_is_made_again_when_it_is_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let (settings, store) = new_store(folder.path()).await;
        let options = Options::new(settings.ingest.clone());
        for edition in ["1", "2"] {
            let file = folder.path().join(format!("{edition}.xml"));
            let source = DOCUMENT.replace("<edition>1", &format!("<edition>{edition}"));
            std::fs::write(&file, source.replace(":2020", &format!(":202{edition}"))).unwrap();
            ingest(&store, vec![file], &options, |_, _| {}).await;
        }
        let urn = store.editions(None, 1).await.unwrap()[0].urn.clone();
        let document = urn.document_urn();
        let (refresher, task) = Refresher::start(store.clone(), settings.ingest);
        // A removal without an update, as of a command that was stopped.
        assert!(store.remove(&urn, crate::clock::now()).await.unwrap());
        assert!(refresher.request(document));
        let deadline = tokio::time::Instant::now() + Duration::from_secs(30);
        while !store.changed_documents(None, "").await.unwrap().is_empty() {
            assert!(tokio::time::Instant::now() < deadline, "the document is not made again");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        assert_eq!(store.document(document).await.unwrap().partition.editions.len(), 1);
        drop(refresher);
        task.await.unwrap();
    }
}
