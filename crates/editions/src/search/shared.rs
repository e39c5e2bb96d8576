//! The index of a store that instances share: one of them builds it, the others fetch its files.
//!
//! The catalogue says which process builds it, and which files it published last. A builder that gives no
//! sign of life is replaced by the first instance that notices.

use std::collections::HashMap;
use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use norma_search::{
    ANALYSER_VERSION, CommittedFile, IndexError, KnownEditions, ReceivedIndex, SearchError, SearchIndex,
    SearchReader,
};
use norma_store::{BUILDER_LOST, SEARCH_PART, SearchSetFile, Store, StoreError};
use tokio::task::JoinHandle;

use super::follow::{Follower, IndexingError, VERIFICATION};
use super::live::LiveSlots;

/// Time between looks at the catalogue for published files, and for a builder that is lost.
const FETCH: Duration = Duration::from_secs(1);

/// Time between signs of life of the builder: four fit into the time after which it is replaced.
const SIGN_OF_LIFE: Duration = Duration::from_secs(BUILDER_LOST.as_secs() / 4);

/// Least time between two published sets while editions wait to be indexed: each instance fetches each set.
const PUBLISH: Duration = Duration::from_secs(10);

/// The claim of this process to build the index, renewed until it is dropped.
pub(super) struct BuilderClaim {
    store: Store,
    name: String,
    is_lost: Arc<AtomicBool>,
    renewal: JoinHandle<()>,
    /// The files of the last set, by their names.
    published: HashMap<String, SearchSetFile>,
    /// When the last set was published.
    published_at: Option<Instant>,
    /// True if the index changed since then.
    is_changed: bool,
    /// True if parts that are in the store may be damaged, and are put again then.
    repairs: bool,
}

impl BuilderClaim {
    /// Claims the index for this process; `None` where another one builds it, unless that is to be
    /// `replaced`.
    pub(super) async fn new(store: &Store, name: &str, replaced: bool) -> Result<Option<Self>, StoreError> {
        let now = crate::clock::now();
        if !store.claim_search_index(ANALYSER_VERSION, name, replaced, now).await? {
            return Ok(None);
        }
        let is_lost = Arc::<AtomicBool>::default();
        let renewal = tokio::spawn(renew(store.clone(), name.to_owned(), Arc::clone(&is_lost)));
        Ok(Some(Self {
            store: store.clone(),
            name: name.to_owned(),
            is_lost,
            renewal,
            published: HashMap::new(),
            published_at: None,
            is_changed: true,
            repairs: false,
        }))
    }

    /// True if another process builds the index now.
    pub(super) fn is_lost(&self) -> bool {
        self.is_lost.load(Ordering::Relaxed)
    }

    /// Notes that the index was changed.
    pub(super) fn index_changed(&mut self) {
        self.is_changed = true;
    }

    /// Publishes the index if it was changed, not too often while it `goes_on` to change.
    pub(super) async fn publish_changes(
        &mut self,
        index: &SearchIndex,
        goes_on: bool,
    ) -> Result<(), IndexingError> {
        let is_early = goes_on && self.published_at.is_some_and(|at| at.elapsed() < PUBLISH);
        if !self.is_changed || is_early {
            return Ok(());
        }
        self.publish(index).await
    }

    /// Publishes the files of the last commit.
    pub(super) async fn publish(&mut self, index: &SearchIndex) -> Result<(), IndexingError> {
        let committed = index.committed()?;
        let mut files = Vec::with_capacity(committed.files.len());
        for file in committed.files {
            match self.published.get(&file.name) {
                Some(known) if known.size == file.size => files.push(known.clone()),
                _ => files.push(self.put(file).await?),
            }
        }
        let (list, now) = (Bytes::from(committed.list), crate::clock::now());
        let done = self.store.publish_search_set(ANALYSER_VERSION, &self.name, &list, &files, now).await;
        if matches!(done, Err(StoreError::Contended(_))) {
            // A part was collected: all are stored again.
            self.published.clear();
        }
        if !done? {
            self.is_lost.store(true, Ordering::Relaxed);
            return Ok(());
        }
        self.published = files.into_iter().map(|file| (file.name.clone(), file)).collect();
        (self.published_at, self.is_changed, self.repairs) = (Some(Instant::now()), false, false);
        Ok(())
    }

    /// Stores a file in parts.
    async fn put(&self, committed: CommittedFile) -> Result<SearchSetFile, IndexingError> {
        let CommittedFile { name, size, mut file } = committed;
        let unreadable = |error: std::io::Error| IndexError::Write(format!("{name} cannot be read: {error}"));
        let mut parts = Vec::new();
        loop {
            let mut part = Vec::new();
            (&mut file).take(SEARCH_PART as u64).read_to_end(&mut part).map_err(unreadable)?;
            if part.is_empty() {
                break;
            }
            parts.push(self.store.put_search_part(part.into(), self.repairs, crate::clock::now()).await?);
        }
        Ok(SearchSetFile { name, size, parts })
    }

    /// Lets another process build the index at once.
    pub(super) async fn release(self) -> Result<(), StoreError> {
        self.store.release_search_index(ANALYSER_VERSION, &self.name, crate::clock::now()).await
    }

    /// Lets another process build the index, since this one cannot: others may have room on their disks.
    pub(super) async fn give_up(self) {
        if let Err(error) = self.release().await {
            tracing::debug!(%error, "another process builds the search index when the claim has expired");
        }
    }
}

impl Drop for BuilderClaim {
    fn drop(&mut self) {
        self.renewal.abort();
    }
}

/// Gives signs of life, also while a large document is indexed.
async fn renew(store: Store, name: String, is_lost: Arc<AtomicBool>) {
    loop {
        tokio::time::sleep(SIGN_OF_LIFE).await;
        match store.claim_search_index(ANALYSER_VERSION, &name, false, crate::clock::now()).await {
            Ok(true) => {}
            Ok(false) => {
                is_lost.store(true, Ordering::Relaxed);
                return;
            }
            // The store is asked again; where this takes too long, another process replaces this one.
            Err(error) => tracing::debug!(%error, "the builder of the search index gives no sign of life"),
        }
    }
}

/// What this process has of an index that another one builds.
struct FetchedIndex {
    received: ReceivedIndex,
    /// The number of the set that was fetched last.
    number: u64,
    /// The files of that set, by their names.
    files: HashMap<String, SearchSetFile>,
    /// Its editions, as far as searches were shown them; `None` before that.
    editions: Option<KnownEditions>,
}

impl FetchedIndex {
    /// Compares all files with their checksums again, and shows the set again.
    fn distrust(&mut self) {
        self.received.distrust();
        (self.number, self.editions) = (0, None);
    }
}

impl Follower {
    /// Fetches what another process publishes until this one is to build the index.
    pub(super) async fn fetch_until_claimed(&self) -> Result<BuilderClaim, IndexError> {
        let received = ReceivedIndex::open(&self.folder)?;
        let mut fetched = FetchedIndex { received, number: 0, files: HashMap::new(), editions: None };
        let (mut is_failing, mut verified) = (false, Instant::now());
        let mut ticks = tokio::time::interval(FETCH);
        loop {
            ticks.tick().await;
            if !self.search.is_open() || verified.elapsed() >= VERIFICATION {
                fetched.distrust();
                verified = Instant::now();
            }
            let done = async {
                let mut claim = BuilderClaim::new(&self.store, &self.name, false).await?;
                match (self.fetch(&mut fetched).await, &mut claim) {
                    (Ok(()), _) => {}
                    // What the former builder published is damaged in the store: this one builds it again.
                    (Err(IndexingError::Store(StoreError::Corrupt(_))), Some(claim)) => {
                        fetched.files.clear();
                        claim.repairs = true;
                    }
                    (Err(error), _) => {
                        if let Some(claim) = claim {
                            claim.give_up().await;
                        }
                        return Err(error);
                    }
                }
                self.follow_catalogue().await?;
                Ok(claim)
            };
            match done.await {
                Ok(Some(mut claim)) => {
                    claim.published = fetched.files;
                    return Ok(claim);
                }
                Ok(None) => is_failing = false,
                Err(IndexingError::Index(error)) => return Err(error),
                Err(IndexingError::Store(error)) => {
                    if !std::mem::replace(&mut is_failing, true) {
                        tracing::warn!(%error, "the search index is not fetched for now");
                    }
                }
            }
        }
    }

    /// Fetches the files that were published since the last set, and shows them to searches.
    async fn fetch(&self, fetched: &mut FetchedIndex) -> Result<(), IndexingError> {
        let Some(set) = self.store.search_set(ANALYSER_VERSION, fetched.number).await? else { return Ok(()) };
        for file in &set.files {
            let received = &mut fetched.received;
            if !received.has(&file.name, file.size) && !self.fetch_file(received, file).await? {
                // Another set was published meanwhile, and a part of this one removed: the next look finds
                // it.
                return Ok(());
            }
        }
        let names: Vec<&str> = set.files.iter().map(|file| file.name.as_str()).collect();
        let reader = fetched.received.open_segments(&set.list, &names)?;
        self.show(&reader, &mut fetched.editions).await?;
        fetched.number = set.number;
        tracing::debug!(number = set.number, files = set.files.len(), "the search index was fetched");
        fetched.files = set.files.into_iter().map(|file| (file.name.clone(), file)).collect();
        Ok(())
    }

    /// Shows an index to searches. Where they have its former state, with the editions that are `known`, only
    /// what changed since is looked at.
    async fn show(
        &self,
        reader: &SearchReader,
        known: &mut Option<KnownEditions>,
    ) -> Result<(), IndexingError> {
        let damaged = |error: SearchError| IndexError::Write(error.to_string());
        let catalogue = self.store.reader();
        catalogue.follow_editions().await?;
        if let Some(mut editions) = known.take() {
            let changes = reader.changed_editions(&mut editions).map_err(damaged)?;
            let rows = catalogue.edition_rows();
            if self.search.change(|state| state.follow_index(reader, &rows, &changes)) {
                *known = Some(editions);
                return Ok(());
            }
        }
        let mut editions = KnownEditions::default();
        let all = reader.changed_editions(&mut editions).map_err(damaged)?;
        let mut live = LiveSlots::new(all.added);
        // Before the index is shown: searches wait for slots that do not follow the catalogue.
        live.follow(&catalogue.edition_rows());
        self.search.change(|state| {
            state.renew(Some(reader.clone()), live);
            state.problem = None;
        });
        *known = Some(editions);
        Ok(())
    }

    /// Fetches a file; false where a part is no longer in the store. Each part is compared with its digest.
    async fn fetch_file(
        &self,
        received: &mut ReceivedIndex,
        file: &SearchSetFile,
    ) -> Result<bool, IndexingError> {
        let mut written = received.receive(&file.name)?;
        for part in &file.parts {
            let Some(blob) = self.store.blob_verified(part).await? else { return Ok(false) };
            written.append(blob.bytes())?;
        }
        written.finish(received)?;
        Ok(true)
    }

    /// Follows the index of editions, so that states and metrics count what is missing.
    async fn follow_catalogue(&self) -> Result<(), StoreError> {
        let reader = self.store.reader();
        reader.follow_editions().await?;
        let rows = reader.edition_rows();
        self.search.change(|state| {
            state.live.follow(&rows);
        });
        Ok(())
    }
}
