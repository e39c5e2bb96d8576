//! Search over the stored editions: an index of their texts in a folder of this instance, which follows the
//! catalogue, and what a caller may find in it.

mod asked;
mod follow;
mod live;
mod operator;
mod units;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use norma_api::shapes::Status;
use norma_model::Urn;
use norma_search::{
    Found, HitGroup, Page, Scope, SearchError, SearchReader, SlotAccess, SlotKey, TextQuery, UnitFilter,
    UnitHit,
};
use norma_store::{IndexedEdition, Level, SearchableEditions, SlotRows};

pub use self::asked::{search_kind, selected_editions, text_query, unit_filter};
pub use self::follow::{IndexState, IndexingError, rebuild_index};
use self::live::LiveSlots;
pub use self::operator::{OperatorAnswer, OperatorHit, OperatorSearchError, search_as_operator};
pub use self::units::{AnchoredProvision, SectionText};

/// Most selections of editions for one search, while the catalogue changes.
pub const MAX_SELECTIONS: u32 = 5;

/// The search of this instance. Cloning gives another handle on the same one.
#[derive(Clone, Default)]
pub struct EditionSearch(Arc<RwLock<SearchState>>);

#[derive(Default)]
struct SearchState {
    /// `None` until the index is open, and after it turned out to be damaged.
    reader: Option<SearchReader>,
    live: LiveSlots,
    /// Editions that are not in the index, as last counted.
    missing: usize,
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
    /// Editions that the caller may find, and that fit the filters.
    pub selected: usize,
}

impl FoundTexts {
    /// Whether all editions that the caller may find were searched.
    pub fn is_complete(&self) -> bool {
        self.indexed == self.selected
    }
}

/// An edition with hits.
#[derive(Clone, Debug)]
pub struct FoundEdition {
    /// Its URN.
    pub urn: Urn,
    /// The revision that was searched.
    pub revision: String,
}

/// A value of editions by which hits are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EditionFacet {
    /// The publisher.
    Publisher,
    /// The status.
    Status,
    /// Each language of the text.
    Language,
    /// Each ICS code.
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
    /// More units match than the setting `search-matches` allows.
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

impl EditionSearch {
    /// Finds units in editions of a caller. Takes the processor for a few milliseconds.
    ///
    /// # Errors
    /// [`NoAnswer`] says what to do.
    pub fn search(
        &self,
        editions: &SearchableEditions,
        query: &TextQuery,
        filter: &UnitFilter,
        page: &Page,
        facets: &[EditionFacet],
    ) -> Result<FoundTexts, NoAnswer> {
        let rows = editions.rows().ok_or(NoAnswer::Changed)?;
        let state = self.at(&rows);
        let scope = CallerScope { rows: &rows, live: &state.live, editions };
        let selected = editions.slots().count();
        let found = match &state.reader {
            Some(reader) => reader.search(query, &scope, filter, page),
            None => Ok(Found::default()),
        };
        let (found, is_readable) = match found {
            Ok(found) => (found, state.reader.is_some()),
            Err(SearchError::TooManyMatches) => return Err(NoAnswer::TooManyMatches),
            Err(SearchError::Damaged(problem)) => {
                drop(state);
                if self.fail(&problem, false) {
                    tracing::warn!(%problem, "the search index is damaged and will be built again");
                }
                return Ok(FoundTexts::of_none(selected));
            }
        };
        let indexed = match is_readable {
            true => editions.slots().filter(|row| state.live.slot(*row).is_some()).count(),
            false => 0,
        };
        let of_groups = found.groups.iter().map(|HitGroup { slot, .. }| *slot);
        let slots = found.hits.iter().map(|UnitHit { slot, .. }| *slot).chain(of_groups);
        let edition = |slot| {
            let edition = scope.edition(slot)?;
            let urn = edition.urn().parse().ok()?;
            Some((slot, FoundEdition { urn, revision: edition.revision().to_owned() }))
        };
        let editions = slots.filter_map(edition).collect();
        let mut counts: BTreeMap<EditionFacet, BTreeMap<String, u64>> =
            facets.iter().map(|facet| (*facet, BTreeMap::new())).collect();
        for (slot, count) in &found.slots {
            let Some(edition) = scope.edition(*slot) else { continue };
            for (facet, values) in &mut counts {
                for value in facet.values(&rows, edition) {
                    *values.entry(value).or_default() += count;
                }
            }
        }
        Ok(FoundTexts { found, editions, counts, indexed, selected })
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

    /// Whether the index is open.
    fn is_open(&self) -> bool {
        self.0.read().unwrap_or_else(PoisonError::into_inner).reader.is_some()
    }

    /// Notes why the index does not follow the catalogue, and returns whether that is new. Unless it
    /// `is_readable`, nothing is found until it is opened again.
    fn fail(&self, problem: &str, is_readable: bool) -> bool {
        self.change(|state| {
            if !is_readable {
                *state = SearchState { problem: state.problem.take(), ..SearchState::default() };
            }
            state.problem.replace(problem.to_owned()).as_deref() != Some(problem)
        })
    }
}

impl FoundTexts {
    /// Nothing, since no edition is indexed.
    fn of_none(selected: usize) -> Self {
        let (found, editions, counts) = Default::default();
        Self { found, editions, counts, indexed: 0, selected }
    }
}
