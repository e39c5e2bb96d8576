//! Follower: brings the search index to the state of the catalogue, in a folder of this instance.

use std::any::Any;
use std::collections::HashSet;
use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
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

use super::folder::index_folder;
use super::live::{AddedRevision, LiveSlots, RevisionName, indexed_name, name_of};
use super::read_again::ReadAgain;
use super::units::IndexedText;
use super::wanted::{BatchWork, WantedRevision};
use super::{EditionSearch, SearchState};

/// Time until a batch of editions is committed: what was published is found a few seconds later, also while
/// many others wait.
const BATCH: Duration = Duration::from_secs(2);

/// Time between attempts to open the index.
const RETRY: Duration = Duration::from_secs(3);

/// Time after which no word of a removed edition is left in the folder.
const PURGE: Duration = Duration::from_secs(12 * 3600);

/// Time between comparisons of all files with their checksums: also damage that no search notices is found.
const VERIFICATION: Duration = Duration::from_secs(3600);

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
        let SearchState { missing, titles_only, .. } = *state;
        IndexState { indexed: state.live.indexed(), missing, titles_only, bytes, is_open, problem }
    }
}

struct Follower {
    store: Store,
    folder: PathBuf,
    settings: SearchSettings,
    search: EditionSearch,
}

/// An open index, with what one round of following it leaves to the next.
struct OpenIndex {
    index: SearchIndex,
    /// The next free slot.
    next: u32,
    /// Since when words of removed editions may be in its files.
    stale_since: Option<Instant>,
    /// True if the log says that it follows the catalogue.
    is_reported: bool,
    /// When texts that could not be read are read again.
    again: ReadAgain,
    /// Revisions whose rows are damaged, as the log says.
    unreadable: HashSet<RevisionName>,
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
        let folder = index_folder(&settings.search, &settings.store);
        Self { store, folder, settings: settings.search.clone(), search: EditionSearch::default() }
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
        let state = reader.follow_editions().await?;
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
            open.stale_since.get_or_insert_with(Instant::now);
        }
        let (added, failure) = self.add_all(open, missing.into_iter().chain(titles), begun).await?;
        let is_changed = has_dead || !added.is_empty();
        if is_changed {
            open.index.commit(&state.sequence.to_string())?;
        }
        let rows = reader.edition_rows();
        self.search.change(|state| {
            for (urn, one) in added {
                state.live.add(&rows, &urn, one);
            }
            state.count(&rows);
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
            state.count(rows);
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
        let (title, problem) = match self.read(&urn, name).await? {
            ReadText::Gone => return Ok(None),
            ReadText::Nothing(problem) => {
                // It stays missing, and the others are indexed.
                if open.unreadable.insert(name.clone()) {
                    tracing::warn!(%urn, %problem, "search does not find a standard whose row is damaged");
                }
                return Ok(None);
            }
            ReadText::Whole(text) => match open.add(name, &urn, &text, true) {
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
        match open.add(name, &urn, &title, false) {
            Ok(added) => Ok(Some(added?)),
            Err(panic) => Err(IndexError::Write(panic).into()),
        }
    }

    /// Reads the texts of the edition with this URN, if it still has the revision of this name.
    async fn read(&self, urn: &Urn, name: &str) -> Result<ReadText, StoreError> {
        let entry = match self.store.entry(urn).await {
            Ok(Some(entry)) => entry,
            Ok(None) => return Ok(ReadText::Gone),
            Err(StoreError::Corrupt(problem)) => return Ok(ReadText::Nothing(problem)),
            Err(error) => return Err(error),
        };
        if name_of(urn.as_str(), &entry.revision) != name {
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

impl OpenIndex {
    fn new(index: SearchIndex, next: u32) -> Self {
        let now = Instant::now();
        Self {
            index,
            next,
            // An earlier process may have removed editions.
            stale_since: Some(now),
            is_reported: false,
            again: ReadAgain::new(now),
            unreadable: HashSet::new(),
        }
    }

    /// Adds the units of a text in a slot of its own. The outer error is a panic on the way, which leaves no
    /// unit.
    fn add(
        &mut self,
        name: &str,
        urn: &Urn,
        text: &IndexedText,
        has_texts: bool,
    ) -> Result<Result<AddedRevision, IndexError>, String> {
        let slot = self.next;
        self.next += 1;
        let index = &mut self.index;
        let add = || index.add(slot, &indexed_name(name, has_texts), urn.as_partial(), text.units());
        match catch_unwind(AssertUnwindSafe(add)) {
            Ok(added) => Ok(added.map(|()| AddedRevision { name: name.to_owned(), slot, has_texts })),
            Err(panic) => {
                self.index.remove(slot);
                Err(panicked(&*panic))
            }
        }
    }
}

/// What a panic says.
fn panicked(panic: &(dyn Any + Send)) -> String {
    let said = if let Some(text) = panic.downcast_ref::<String>() {
        text.as_str()
    } else if let Some(text) = panic.downcast_ref::<&str>() {
        text
    } else {
        "no message"
    };
    format!("a flaw in the program: {said}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_over_the_texts_of_one_edition_is_an_error_and_leaves_the_others() {
        let folder = tempfile::tempdir().unwrap();
        let index = SearchIndex::open(folder.path(), 15_000_000, 1).unwrap();
        let mut open = OpenIndex::new(index, 0);
        let flawed = IndexedText::flawed();
        let urn = flawed.urn().clone();
        let problem = open.add("a", &urn, &flawed, true).err().unwrap();
        assert!(problem.contains("a flaw in the program: index out of bounds"), "{problem}");
        let added = open.add("a", &urn, &flawed.into_title(), false).unwrap().unwrap();
        assert!(added.slot == 1 && !added.has_texts);
        open.index.commit("1").unwrap();
        assert_eq!(open.index.reader().editions().unwrap(), [("!a".to_owned(), 1)]);
    }
}
