//! Search over the stored editions: an index of their texts in a folder of this instance, which follows the
//! catalogue, and what a caller may find in it.

mod asked;
mod folder;
mod follow;
mod live;
mod open_index;
mod operator;
mod quoted;
mod read_again;
mod shared;
mod surroundings;
mod units;
mod wanted;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use norma_api::shapes::Status;
use norma_model::Urn;
use norma_search::{
    EditionChanges, Found, Page, Scope, SearchError, SearchInSteps, SearchReader, SlotAccess, SlotKey,
    TextQuery, UnitFilter,
};
use norma_store::{IndexedEdition, Level, SearchableEditions, SlotRows};

pub use self::asked::{search_kind, selected_editions, text_query, unit_filter};
pub use self::folder::index_folder;
pub use self::follow::{IndexState, IndexingError, rebuild_index};
use self::live::LiveSlots;
pub use self::operator::{
    IndexGaps, OperatorAnswer, OperatorHit, OperatorSearchError, index_gaps, search_as_operator,
};
pub use self::quoted::{QuotationCandidate, QuotationCandidates, QuotationSearch};
pub use self::units::{AnchoredProvision, SectionText};

/// Most selections of editions for one search, while the catalogue changes.
pub const MAX_SELECTIONS: u32 = 5;

/// Units that match a search at most. Each is looked at once for each word, and its place is kept until
/// the page is made; a search with more has no page that a reader would look through.
pub const MAX_MATCHES: u64 = 2_000_000;

/// The search of this instance. Cloning gives another handle on the same one.
#[derive(Clone, Default)]
pub struct EditionSearch(Arc<RwLock<SearchState>>);

#[derive(Default)]
struct SearchState {
    /// `None` until the index is open, and after it turned out to be damaged.
    reader: Option<SearchReader>,
    /// How often an index was opened or given up. The slots of one are not those of the next.
    opened: u64,
    live: LiveSlots,
    /// Why the index does not follow the catalogue.
    problem: Option<String>,
}

/// What a search found for a caller.
#[derive(Debug)]
pub struct FoundTexts {
    /// Hits, totals and counts.
    pub found: Found,
    /// The editions of the hits, by slot.
    pub editions: HashMap<u32, FoundEdition>,
    /// Counts of the hits by values of their editions, for those that were asked for.
    pub counts: BTreeMap<EditionFacet, BTreeMap<String, u64>>,
    /// Editions that were searched.
    pub indexed: usize,
    /// Searched editions that the caller may read and whose title alone was searched, since their texts
    /// cannot be read.
    pub titles_only: usize,
    /// Editions that the caller may find, and that fit the filters.
    pub selected: usize,
}

impl FoundTexts {
    /// How far the texts that the caller may find were searched.
    pub fn state(&self) -> norma_api::shapes::SearchState {
        use norma_api::shapes::SearchState;
        if self.indexed < self.selected {
            return SearchState::Building;
        }
        if self.titles_only > 0 { SearchState::Partial } else { SearchState::Complete }
    }
}

/// An edition with hits.
#[derive(Clone, Debug)]
pub struct FoundEdition {
    /// URN of the edition.
    pub urn: Urn,
    /// The revision that was searched.
    pub revision: String,
}

/// A value of editions by which hits are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EditionFacet {
    /// The publisher of the edition.
    Publisher,
    /// The status of the edition as of now.
    Status,
    /// Each language of the text.
    Language,
    /// Each ICS code of the edition.
    Ics,
}

impl EditionFacet {
    fn values(self, rows: &SlotRows, edition: &IndexedEdition) -> Vec<String> {
        match self {
            Self::Publisher => vec![rows.publisher(edition).to_owned()],
            Self::Status => {
                rows.status(edition).map(|one| Status::from(one).to_string()).into_iter().collect()
            }
            Self::Language => rows.languages(edition).map(str::to_owned).collect(),
            Self::Ics => rows.ics(edition).map(str::to_owned).collect(),
        }
    }
}

/// Why a search has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoAnswer {
    /// The catalogue changed after the editions of the caller were selected. Select them again.
    #[error("the catalogue changed")]
    Changed,
    /// More units match than the search may look at.
    #[error("too many units match; write a rarer word, or filter by edition or type")]
    TooManyMatches,
}

/// Everything of the caller's editions, by slots of the index.
struct CallerScope<'s> {
    rows: &'s SlotRows,
    live: &'s LiveSlots,
    editions: &'s SearchableEditions,
}

impl CallerScope<'_> {
    fn edition(&self, slot: u32) -> Option<&IndexedEdition> {
        self.rows.get(self.live.row(slot)?)
    }
}

impl Scope for CallerScope<'_> {
    fn slots(&self) -> usize {
        self.live.len()
    }

    fn access(&self, slot: u32) -> Option<SlotAccess> {
        self.editions.level(self.live.row(slot)?).map(|level| match level {
            Level::Discover => SlotAccess::Title,
            Level::Read => SlotAccess::All,
        })
    }

    fn key(&self, slot: u32) -> SlotKey<'_> {
        match self.edition(slot) {
            Some(edition) => SlotKey {
                in_force: edition.is_in_force(),
                date: edition.published_on(),
                reference: edition.sort_key(),
                urn: edition.urn(),
            },
            None => SlotKey { in_force: false, date: "", reference: "", urn: "" },
        }
    }
}

/// What a search looks for.
#[derive(Clone, Debug)]
pub struct SearchInput {
    /// The words that are searched for.
    pub query: TextQuery,
    /// Units that are searched.
    pub filter: UnitFilter,
    /// Hits that are returned.
    pub page: Page,
    /// Values of editions by which hits are counted.
    pub facets: Vec<EditionFacet>,
}

/// A search in editions of a caller that is made in steps, so that many take turns on few threads. Between
/// two steps it holds no lock.
pub struct EditionSearchInSteps {
    search: EditionSearch,
    editions: SearchableEditions,
    facets: Vec<EditionFacet>,
    running: Option<RunningSearch>,
    input: Arc<SearchInput>,
}

/// Quotations whose candidates are looked for in editions of a caller, in steps as those of a search. Between
/// two steps it holds no lock.
pub struct QuotationSearchInSteps {
    search: EditionSearch,
    editions: SearchableEditions,
    asked: Vec<QuotationSearch>,
    found: Vec<QuotationCandidates>,
}

/// A search in the index, with what was known of the editions at its begin.
struct RunningSearch {
    units: SearchInSteps,
    /// The index that it is in.
    opened: u64,
    searched: SearchedEditions,
}

/// How many of a caller's editions are searched.
#[derive(Clone, Copy, Default)]
struct SearchedEditions {
    indexed: usize,
    titles_only: usize,
    selected: usize,
}

impl EditionSearchInSteps {
    /// Goes on until `is_over` (`None`), which is asked about every 40 µs, or until all is found.
    ///
    /// # Errors
    /// [`NoAnswer`] says what to do.
    pub fn step(&mut self, is_over: &mut dyn FnMut() -> bool) -> Result<Option<FoundTexts>, NoAnswer> {
        let search = self.search.clone();
        let rows = self.editions.rows().ok_or(NoAnswer::Changed)?;
        let state = search.at(&rows);
        let scope = CallerScope { rows: &rows, live: &state.live, editions: &self.editions };
        let mut running = match self.running.take() {
            Some(running) if running.opened == state.opened => running,
            // The index was opened again meanwhile, and its slots are others.
            Some(_) => return Err(NoAnswer::Changed),
            None => match &state.reader {
                Some(reader) => RunningSearch {
                    units: reader.begin(
                        &self.input.query,
                        scope.slots(),
                        &self.input.filter,
                        &self.input.page,
                    ),
                    opened: state.opened,
                    searched: SearchedEditions::of(&self.editions, &state.live),
                },
                None => return Ok(Some(FoundTexts::of_none(self.editions.count()))),
            },
        };
        match running.units.step(&scope, is_over) {
            Ok(false) => {
                self.running = Some(running);
                Ok(None)
            }
            Ok(true) => {
                let found = running.units.finish(&scope);
                Ok(Some(FoundTexts::new(found, &scope, &self.facets, running.searched)))
            }
            Err(SearchError::TooManyMatches) => Err(NoAnswer::TooManyMatches),
            Err(SearchError::Damaged(problem)) => {
                let opened = state.opened;
                drop(state);
                if self.search.fail_opened(&problem, opened) {
                    tracing::warn!(%problem, "the search index is damaged and will be built again");
                }
                Ok(Some(FoundTexts::of_none(running.searched.selected)))
            }
        }
    }
}

impl SearchedEditions {
    fn of(editions: &SearchableEditions, live: &LiveSlots) -> Self {
        Self {
            indexed: editions.count_in(live.found()),
            // Of an edition that the caller may only discover, nothing but the title is found in any case.
            titles_only: editions.count_readable_in(live.titles_only()),
            selected: editions.count(),
        }
    }
}

impl SearchState {
    /// Replaces the index, or gives it up.
    fn renew(&mut self, reader: Option<SearchReader>, live: LiveSlots) {
        (self.reader, self.live) = (reader, live);
        self.opened += 1;
    }

    /// Follows changes of the index that is open, in which another process writes. False, with nothing done,
    /// where it is another index.
    fn follow_index(&mut self, reader: &SearchReader, rows: &SlotRows, changes: &EditionChanges) -> bool {
        if self.reader.is_none() {
            return false;
        }
        let Some(slots_lost) = self.live.follow_index(rows, changes) else { return false };
        self.reader = Some(reader.clone());
        self.slots_lost(slots_lost);
        true
    }

    /// Where slots `lost` their editions, searches that are under way begin again: their hits may be there,
    /// and the slots may be of other editions later.
    fn slots_lost(&mut self, lost: bool) {
        self.opened += u64::from(lost);
    }
}

impl EditionSearch {
    /// Begins a search for units in editions of a caller, which takes the processor in the steps that follow.
    pub fn begin(&self, editions: SearchableEditions, input: &Arc<SearchInput>) -> EditionSearchInSteps {
        EditionSearchInSteps {
            search: self.clone(),
            editions,
            facets: input.facets.clone(),
            running: None,
            input: Arc::clone(input),
        }
    }

    /// Begins to look for the units that quotations may be from, in editions of a caller.
    pub fn begin_quotations(
        &self,
        editions: SearchableEditions,
        asked: Vec<QuotationSearch>,
    ) -> QuotationSearchInSteps {
        QuotationSearchInSteps { search: self.clone(), editions, asked, found: Vec::new() }
    }

    /// The state, with live slots that follow these rows.
    fn at(&self, rows: &SlotRows) -> RwLockReadGuard<'_, SearchState> {
        loop {
            let state = self.0.read().unwrap_or_else(PoisonError::into_inner);
            if state.live.is_at(rows) {
                return state;
            }
            drop(state);
            self.change(|state| state.live.follow(rows));
        }
    }

    fn change<T>(&self, change: impl FnOnce(&mut SearchState) -> T) -> T {
        change(&mut self.0.write().unwrap_or_else(PoisonError::into_inner))
    }

    fn is_open(&self) -> bool {
        self.0.read().unwrap_or_else(PoisonError::into_inner).reader.is_some()
    }

    /// Notes why the index does not follow the catalogue, and returns whether that is new. Unless it
    /// `is_readable`, nothing is found until it is opened again.
    fn fail(&self, problem: &str, is_readable: bool) -> bool {
        self.change(|state| {
            if !is_readable {
                state.renew(None, LiveSlots::default());
            }
            state.problem.replace(problem.to_owned()).as_deref() != Some(problem)
        })
    }

    /// Notes that a search found the index damaged, unless another index is open meanwhile.
    fn fail_opened(&self, problem: &str, opened: u64) -> bool {
        let is_present = self.change(|state| state.opened == opened);
        is_present && self.fail(problem, false)
    }
}

impl FoundTexts {
    /// Hits with their editions, and the counts of what was asked for.
    fn new(
        found: Found,
        scope: &CallerScope<'_>,
        facets: &[EditionFacet],
        searched: SearchedEditions,
    ) -> Self {
        let mut editions = HashMap::new();
        let of_hits = found.hits.iter().map(|hit| hit.slot);
        let of_groups = found.groups.iter().map(|group| group.slot);
        for slot in of_hits.chain(of_groups) {
            let Some(edition) = scope.edition(slot) else { continue };
            let Ok(urn) = edition.urn().parse() else { continue };
            editions.insert(slot, FoundEdition { urn, revision: edition.revision().to_owned() });
        }
        let mut counts: BTreeMap<EditionFacet, BTreeMap<String, u64>> =
            facets.iter().map(|facet| (*facet, BTreeMap::new())).collect();
        for (slot, count) in &found.slots {
            let Some(edition) = scope.edition(*slot) else { continue };
            for (facet, values) in &mut counts {
                for value in facet.values(scope.rows, edition) {
                    *values.entry(value).or_default() += count;
                }
            }
        }
        let SearchedEditions { indexed, titles_only, selected } = searched;
        Self { found, editions, counts, indexed, titles_only, selected }
    }

    /// Nothing, since no edition is indexed.
    fn of_none(selected: usize) -> Self {
        let (found, editions, counts) = Default::default();
        Self { found, editions, counts, indexed: 0, titles_only: 0, selected }
    }
}
