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
use norma_store::{SlotRows, Store, StoreError};
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::EditionSearch;
use super::folder::{index_folder, is_shared};
use super::live::{AddedRevision, LiveSlots, RevisionName};
use super::open_index::{OpenIndex, panicked};
use super::shared::BuilderClaim;
use super::units::IndexedText;
use super::wanted::{BatchWork, WantedRevision};

/// Time until a batch of editions is committed: what was published is found a few seconds later, also while
/// many others wait.
const BATCH: Duration = Duration::from_secs(2);

/// Time between attempts to open the index.
const RETRY: Duration = Duration::from_secs(3);

/// Time after which no word of a removed edition is left in the folder.
const PURGE: Duration = Duration::from_secs(12 * 3600);

/// Time between comparisons of all files with their checksums: also damage that no search notices is found.
pub(super) const VERIFICATION: Duration = Duration::from_secs(3600);

/// Threads that write the index. One indexes about 2 MB of text per second, and leaves the other cores to
/// requests.
const WRITERS: usize = 1;

/// How far other threads come before the one that indexes (`nice(2)`).
const NICE: i32 = 19;

/// What an operator sees of the index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexState {
    /// Editions of the catalogue that are in the index.
    pub indexed: usize,
    /// Editions of the catalogue that are not.
    pub missing: usize,
    /// Editions that are in the index with their title only, since their texts cannot be read.
    pub titles_only: usize,
    /// Bytes of its files.
    pub bytes: u64,
    /// True if it is open and follows the catalogue.
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
    /// The store cannot be read.
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
    let claim = match follower.is_shared {
        true => BuilderClaim::new(&follower.store, &follower.name, true).await?,
        false => None,
    };
    let mut open = follower.open(true)?;
    while !follower.batch(&mut open).await? {
        let state = follower.search.state();
        progress(state.indexed, state.missing);
    }
    open.index.purge()?;
    if let Some(mut claim) = claim {
        claim.publish(&open.index).await?;
        claim.release().await?;
    }
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
        let live = &state.live;
        let (indexed, missing) = (live.indexed(), live.missing_count());
        IndexState {
            indexed,
            missing,
            titles_only: live.titles_only().count_ones(..),
            bytes,
            is_open,
            problem,
        }
    }
}

pub(super) struct Follower {
    pub(super) store: Store,
    pub(super) folder: PathBuf,
    settings: SearchSettings,
    pub(super) search: EditionSearch,
    /// True if other instances may use the store: one of them builds the index for all.
    is_shared: bool,
    /// The name of this process among those that may build it.
    pub(super) name: String,
}

/// The texts of a revision, as far as they can be read.
enum ReadText {
    Whole(IndexedText),
    /// The title, and why there is no more.
    Title(IndexedText, String),
    /// Why not even the title can be read.
    Nothing(String),
    /// The catalogue has another revision meanwhile.
    Gone,
}

impl Follower {
    fn new(store: Store, settings: &Settings) -> Self {
        Self {
            store,
            folder: index_folder(&settings.search, &settings.store),
            settings: settings.search.clone(),
            search: EditionSearch::default(),
            is_shared: is_shared(&settings.store),
            name: Store::builder_name(),
        }
    }

    /// Follows the catalogue, which it looks at in this interval.
    async fn run(self, interval: Duration) {
        loop {
            let (problem, is_readable) = match AssertUnwindSafe(self.follow(interval)).catch_unwind().await {
                // What was indexed is still found, as on a full disk.
                Ok(Err(error)) => (error.to_string(), matches!(error, IndexError::Write(_))),
                Ok(Ok(never)) => match never {},
                Err(panic) => (format!("the search index failed: {}", panicked(&*panic)), false),
            };
            if self.search.fail(&problem, is_readable) {
                tracing::warn!(%problem, "the search index does not follow the catalogue until this is corrected");
            }
            tokio::time::sleep(RETRY).await;
        }
    }

    /// Follows the catalogue until the index fails.
    async fn follow(&self, interval: Duration) -> Result<Infallible, IndexError> {
        loop {
            let mut claim = match self.is_shared {
                true => Some(self.fetch_until_claimed().await?),
                false => None,
            };
            let built = self.build(interval, &mut claim).await;
            if let (Err(_), Some(claim)) = (&built, claim) {
                claim.give_up().await;
            }
            built?;
        }
    }

    /// Opens the index and builds it until it fails, or until another process builds it. A store that fails
    /// is asked again.
    async fn build(&self, interval: Duration, claim: &mut Option<BuilderClaim>) -> Result<(), IndexError> {
        let mut open = self.open(false)?;
        let mut ticks = tokio::time::interval(interval);
        let mut is_failing = false;
        let mut verified = Instant::now();
        loop {
            ticks.tick().await;
            if claim.as_ref().is_some_and(BuilderClaim::is_lost) {
                return Ok(());
            }
            // A search found it damaged.
            if !self.search.is_open() {
                drop(open);
                open = self.open(true)?;
            }
            let built = async {
                let is_done = self.batch(&mut open).await?;
                if let Some(claim) = claim {
                    if !is_done {
                        claim.index_changed();
                    }
                    claim.publish_changes(&open.index, !is_done).await?;
                }
                Ok(is_done)
            };
            let is_done = match built.await {
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
            if open.stale_since.is_some_and(|since| since.elapsed().is_ok_and(|age| age >= PURGE)) {
                open.index.purge()?;
                open.stale_since = None;
                if let Some(claim) = claim {
                    claim.index_changed();
                }
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
        let mut index = SearchIndex::open(&self.folder, memory, WRITERS)?;
        let editions = match index.reader().editions() {
            Ok(editions) if !is_new => editions,
            // A damaged index is built again.
            _ => {
                index.clear()?;
                Vec::new()
            }
        };
        let next = editions.iter().map(|(_, slot)| slot + 1).max().unwrap_or(0);
        let (reader, live) = (Some(index.reader().clone()), LiveSlots::new(editions));
        self.search.change(|state| state.renew(reader, live));
        Ok(OpenIndex::new(index, next))
    }

    /// Indexes editions until none is missing (true), or the time for a batch is over.
    async fn batch(&self, open: &mut OpenIndex) -> Result<bool, IndexingError> {
        let reader = self.store.reader();
        reader.follow_editions().await?;
        let begun = Instant::now();
        let reads_again = open.again.is_due(begun);
        let first_title = reads_again.then_some(open.again.next);
        let BatchWork { missing, titles, dead } = self.batch_work(&reader.edition_rows(), first_title);
        if reads_again && titles.is_empty() {
            open.again.end(begun);
        }
        if missing.is_empty() && titles.is_empty() && dead.is_empty() {
            return Ok(true);
        }
        let round_goes_on = !titles.is_empty();
        let has_dead = !dead.is_empty();
        for slot in dead {
            open.index.remove(slot);
            open.stale_since.get_or_insert_with(crate::clock::now);
        }
        let (added, failure) = self.add_all(open, missing.into_iter().chain(titles), begun).await?;
        let is_changed = has_dead || !added.is_empty();
        if is_changed {
            open.commit()?;
        }
        let rows = reader.edition_rows();
        self.search.change(|state| {
            for (urn, one) in added {
                let slots_lost = state.live.add(&rows, &urn, one);
                state.slots_lost(slots_lost);
            }
        });
        match failure {
            Some(error) => Err(error.into()),
            // Where nothing is new and no round goes on, the catalogue is looked at again after its interval.
            None => Ok(!is_changed && !round_goes_on),
        }
    }

    /// Follows the index of editions, and finds what is to be added and removed. Titles are read
    /// again from the slot `first_title` on.
    fn batch_work(&self, rows: &SlotRows, first_title: Option<u32>) -> BatchWork {
        self.search.change(|state| {
            state.live.follow(rows);
            let titles = match first_title {
                Some(first) => state.title_revisions(rows, first),
                None => Vec::new(),
            };
            BatchWork { missing: state.missing_revisions(rows), titles, dead: state.live.take_dead() }
        })
    }

    /// Adds revisions until the time for a batch is over, and returns those that were added, with their URNs.
    /// Where the store fails, these are to be committed all the same.
    async fn add_all(
        &self,
        open: &mut OpenIndex,
        revisions: impl Iterator<Item = WantedRevision>,
        begun: Instant,
    ) -> Result<(Vec<(String, AddedRevision)>, Option<StoreError>), IndexingError> {
        let mut added = Vec::new();
        for revision in revisions {
            if begun.elapsed() > BATCH {
                break;
            }
            if let Some(row) = revision.title_row {
                open.again.next = row + 1;
            }
            match self.add(open, &revision).await {
                Ok(None) => {}
                Ok(Some(one)) => added.push((revision.urn, one)),
                Err(IndexingError::Store(error)) => return Ok((added, Some(error))),
                Err(error) => return Err(error),
            }
        }
        Ok((added, None))
    }

    /// Adds the texts of a revision; `None` where there is nothing new of it.
    async fn add(
        &self,
        open: &mut OpenIndex,
        revision: &WantedRevision,
    ) -> Result<Option<AddedRevision>, IndexingError> {
        let WantedRevision { urn, name, title_row } = revision;
        let urn: Urn =
            urn.parse().map_err(|error: norma_model::UrnError| StoreError::Corrupt(error.to_string()))?;
        let is_first = title_row.is_none();
        let (title, problem) = match self.read(&urn, *name).await? {
            ReadText::Gone => return Ok(None),
            ReadText::Nothing(problem) => {
                // It stays missing, and the others are indexed.
                if open.unreadable.insert(*name) {
                    tracing::warn!(%urn, %problem, "search does not find a standard whose row is damaged");
                }
                return Ok(None);
            }
            ReadText::Whole(text) => match open.add(*name, &urn, &text, true) {
                Ok(added) => {
                    if !is_first {
                        tracing::info!(%urn, "search finds the texts of a standard again");
                    }
                    return Ok(Some(added?));
                }
                // A flaw of the analysis: the other editions are indexed.
                Err(panic) => (text.into_title(), panic),
            },
            ReadText::Title(title, problem) => (title, problem),
        };
        if !is_first {
            return Ok(None);
        }
        tracing::warn!(%urn, %problem, "search finds only the title of a standard until its texts can be read");
        match open.add(*name, &urn, &title, false) {
            Ok(added) => Ok(Some(added?)),
            Err(panic) => Err(IndexError::Write(panic).into()),
        }
    }

    /// Reads the texts of the edition with this URN, if it still has the revision of this name.
    async fn read(&self, urn: &Urn, name: RevisionName) -> Result<ReadText, StoreError> {
        let entry = match self.store.entry(urn).await {
            Ok(Some(entry)) => entry,
            Ok(None) => return Ok(ReadText::Gone),
            Err(StoreError::Corrupt(problem)) => return Ok(ReadText::Nothing(problem)),
            Err(error) => return Err(error),
        };
        if RevisionName::new(urn.as_str(), &entry.revision) != name {
            return Ok(ReadText::Gone);
        }
        let title = |problem: String| Ok(ReadText::Title(IndexedText::title_of(&entry), problem));
        let handle = self.store.handle(&entry);
        match AssertUnwindSafe(IndexedText::of(&handle)).catch_unwind().await {
            Ok(Ok(Some(text))) => Ok(ReadText::Whole(text)),
            Ok(Ok(None)) => title("another version of Norma wrote its pack: run `norma rebuild`".to_owned()),
            Ok(Err(StoreError::Corrupt(problem))) => title(problem),
            Ok(Err(error)) => Err(error),
            Err(panic) => title(panicked(&*panic)),
        }
    }
}
