//! Follower: brings the search index to the state of the catalogue, in a folder of this instance.

use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use futures::FutureExt;
use norma_model::Urn;
use norma_search::{IndexError, SearchIndex, SearchReader};
use norma_settings::{SearchSettings, Settings};
use norma_store::{Store, StoreError};
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::live::{LiveSlots, name_of, revision_name};
use super::units::IndexedText;
use super::{EditionSearch, SearchState};

/// Time until a batch of editions is committed: what was published is found a few seconds later, also while
/// many others wait.
const BATCH: Duration = Duration::from_secs(2);

/// Most editions of a batch.
const BATCH_EDITIONS: usize = 1_000;

/// Time between attempts to open the index.
const RETRY: Duration = Duration::from_secs(3);

/// Time after which no word of a removed edition is left in the folder.
const PURGE: Duration = Duration::from_secs(12 * 3600);

/// Time between comparisons of all files with their checksums: also damage that no search notices is found.
const VERIFICATION: Duration = Duration::from_secs(3600);

/// Sign before the name of a revision of which only the title is indexed, since its pack cannot be read. The
/// next process does not know this name, and tries again.
const UNREADABLE: &str = "!";

/// How far other threads come before the one that indexes (`nice(2)`).
const NICE: i32 = 19;

/// What an operator sees of the index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexState {
    /// Editions of the catalogue that are in the index.
    pub indexed: usize,
    /// Editions of the catalogue that are not.
    pub missing: usize,
    /// Bytes of its files.
    pub bytes: u64,
    /// Whether it is open and follows the catalogue.
    pub is_open: bool,
    /// Why it does not.
    pub problem: Option<String>,
}

/// Why the index cannot follow the catalogue.
#[derive(Debug, thiserror::Error)]
pub enum IndexingError {
    /// The index cannot be used.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The store fails.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Removes all that the index of these settings has, and builds it from the store. `progress` gets the
/// numbers of editions that are indexed and that are missing.
///
/// # Errors
/// Another process uses the index, its folder cannot be written, or the store fails.
pub async fn rebuild_index(
    store: Store,
    settings: &Settings,
    mut progress: impl FnMut(usize, usize),
) -> Result<IndexState, IndexingError> {
    let follower = Follower::new(store, settings);
    let mut open = follower.open(true)?;
    while !follower.batch(&mut open).await? {
        let state = follower.search.state();
        progress(state.indexed, state.missing);
    }
    open.index.purge()?;
    Ok(follower.search.state())
}

impl EditionSearch {
    /// Starts the search, with a thread of low priority that builds the index and follows the catalogue until
    /// the returned task ends.
    ///
    /// # Errors
    /// The thread cannot be started.
    pub fn start(store: Store, settings: &Settings) -> std::io::Result<(Self, JoinHandle<()>)> {
        let follower = Follower::new(store, settings);
        let search = follower.search.clone();
        let (running, stopped) = oneshot::channel::<()>();
        let (runtime, interval) = (Handle::current(), settings.store.poll_interval.std());
        std::thread::Builder::new().name("search".to_owned()).spawn(move || {
            let _ = rustix::process::nice(NICE);
            runtime.block_on(async {
                tokio::select! {
                    // First: a runtime that ends wakes timers, which then panic when they are asked.
                    biased;
                    _ = stopped => {}
                    () = follower.run(interval) => {}
                }
            });
        })?;
        let task = tokio::spawn(async move {
            let _running = running;
            std::future::pending::<()>().await;
        });
        Ok((search, task))
    }

    /// What an operator sees of the index.
    pub fn state(&self) -> IndexState {
        let state = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let bytes = state.reader.as_ref().map_or(0, SearchReader::size);
        let problem = state.problem.clone();
        let is_open = state.reader.is_some() && problem.is_none() && state.live.is_following();
        IndexState { indexed: state.live.indexed(), missing: state.missing, bytes, is_open, problem }
    }
}

struct Follower {
    store: Store,
    folder: PathBuf,
    settings: SearchSettings,
    search: EditionSearch,
}

/// An open index.
struct OpenIndex {
    index: SearchIndex,
    /// The next free slot.
    next: u32,
    /// Since when words of removed editions may be in its files.
    stale_since: Option<Instant>,
    /// Whether the log says that it follows the catalogue.
    is_reported: bool,
}

impl Follower {
    fn new(store: Store, settings: &Settings) -> Self {
        let folder = settings.search.folder(&settings.store);
        Self { store, folder, settings: settings.search.clone(), search: EditionSearch::default() }
    }

    /// Follows the catalogue, which it looks at in this interval.
    async fn run(self, interval: Duration) {
        loop {
            let (problem, is_readable) = match AssertUnwindSafe(self.follow(interval)).catch_unwind().await {
                // What was indexed is still found, as on a full disk.
                Ok(Err(error)) => (error.to_string(), matches!(error, IndexError::Write(_))),
                Ok(Ok(never)) => match never {},
                Err(_) => ("the search index failed in an unexpected way".to_owned(), false),
            };
            if self.search.fail(&problem, is_readable) {
                tracing::warn!(%problem, "the search index does not follow the catalogue until this is corrected");
            }
            tokio::time::sleep(RETRY).await;
        }
    }

    /// Opens the index and follows the catalogue until the index fails. A store that fails is asked again.
    async fn follow(&self, interval: Duration) -> Result<Infallible, IndexError> {
        let mut open = self.open(false)?;
        let mut ticks = tokio::time::interval(interval);
        let mut is_failing = false;
        let mut verified = Instant::now();
        loop {
            ticks.tick().await;
            // A search found it damaged.
            if !self.search.is_open() {
                drop(open);
                open = self.open(true)?;
            }
            let is_done = match self.batch(&mut open).await {
                Ok(is_done) => is_done,
                Err(IndexingError::Index(error)) => return Err(error),
                Err(IndexingError::Store(error)) => {
                    if !std::mem::replace(&mut is_failing, true) {
                        tracing::warn!(%error, "the search index does not follow the catalogue for now");
                    }
                    continue;
                }
            };
            is_failing = false;
            if !std::mem::replace(&mut open.is_reported, true) {
                self.search.change(|state| state.problem = None);
                let (folder, editions) = (self.folder.display(), self.search.state().indexed);
                tracing::info!(%folder, editions, "the search index follows the catalogue");
            }
            if !is_done {
                // The next batch begins at once.
                ticks.reset_immediately();
            }
            if open.stale_since.is_some_and(|since| since.elapsed() >= PURGE) {
                open.index.purge()?;
                open.stale_since = None;
            }
            if verified.elapsed() >= VERIFICATION {
                open.index.verify()?;
                verified = Instant::now();
            }
        }
    }

    /// Opens the index, without what it had where `is_new`.
    fn open(&self, is_new: bool) -> Result<OpenIndex, IndexError> {
        let memory = usize::try_from(self.settings.search_memory.bytes()).unwrap_or(usize::MAX);
        let open = || SearchIndex::open(&self.folder, memory, self.settings.search_threads);
        let mut index = open()?;
        let mut editions = index.reader().editions();
        if is_new || editions.is_err() {
            index.clear()?;
            editions = Ok(Vec::new());
        }
        let editions = editions.unwrap_or_default();
        let next = editions.iter().map(|(_, slot)| slot + 1).max().unwrap_or(0);
        let (reader, live) = (Some(index.reader().clone()), LiveSlots::new(editions));
        self.search.change(|state| {
            let problem = state.problem.take();
            *state = SearchState { reader, live, problem, ..SearchState::default() };
        });
        // An earlier process may have removed editions.
        Ok(OpenIndex { index, next, stale_since: Some(Instant::now()), is_reported: false })
    }

    /// Indexes editions until none is missing (true), or the time for a batch is over.
    async fn batch(&self, open: &mut OpenIndex) -> Result<bool, IndexingError> {
        let reader = self.store.reader();
        let state = reader.follow_editions().await?;
        let (missing, dead) = {
            let rows = reader.edition_rows();
            self.search.change(|state| {
                state.live.follow(&rows);
                state.missing = state.live.missing(&rows).count();
                let missing = state.live.missing(&rows).take(BATCH_EDITIONS);
                let named = missing.map(|edition| (edition.urn().to_owned(), revision_name(edition)));
                (named.collect::<Vec<_>>(), state.live.take_dead())
            })
        };
        if missing.is_empty() && dead.is_empty() {
            return Ok(true);
        }
        for slot in dead {
            open.index.remove(slot);
            open.stale_since.get_or_insert_with(Instant::now);
        }
        let (begun, mut added) = (Instant::now(), Vec::new());
        for (urn, name) in missing {
            if begun.elapsed() > BATCH {
                break;
            }
            if let Some(slot) = self.add(open, &urn, &name).await? {
                added.push((urn, name, slot));
            }
        }
        open.index.commit(&state.sequence.to_string())?;
        let rows = reader.edition_rows();
        self.search.change(|state| {
            for (urn, name, slot) in added {
                state.live.add(&rows, &urn, name, slot);
            }
            state.missing = state.live.missing(&rows).count();
        });
        Ok(false)
    }

    /// Adds the texts of an edition, and returns its slot; `None` where the catalogue has another revision
    /// meanwhile.
    async fn add(&self, open: &mut OpenIndex, urn: &str, name: &str) -> Result<Option<u32>, IndexingError> {
        let urn: Urn =
            urn.parse().map_err(|error: norma_model::UrnError| StoreError::Corrupt(error.to_string()))?;
        let Some(entry) = self.store.entry(&urn).await? else { return Ok(None) };
        if name_of(urn.as_str(), &entry.revision) != name {
            return Ok(None);
        }
        let (text, problem) = match IndexedText::of(&self.store.handle(&entry)).await {
            Ok(Some(text)) => (text, None),
            Ok(None) => {
                (IndexedText::title_of(&entry), Some("another version of Norma wrote its pack".to_owned()))
            }
            Err(StoreError::Corrupt(problem)) => (IndexedText::title_of(&entry), Some(problem)),
            Err(error) => return Err(error.into()),
        };
        let mut name = name.to_owned();
        if let Some(problem) = problem {
            tracing::warn!(%urn, %problem, "search finds only the title of a standard");
            name.insert_str(0, UNREADABLE);
        }
        let slot = open.next;
        open.next += 1;
        open.index.add(slot, &name, urn.as_partial(), text.units())?;
        Ok(Some(slot))
    }
}
