//! Search of an operator: all editions of a store, without grants, in the index of this machine.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use norma_api::query::{QueryLimits, SearchQuery};
use norma_api::shapes::{ProvisionType, SearchKind};
use norma_model::{Urn, UrnError};
use norma_search::{
    IndexError, IndexedUnit, LanguageText, Page, ParseQueryError, SearchError, SearchReader, TextQuery,
    UnitHit, UnitKind, excerpt,
};
use norma_settings::Settings;
use norma_store::{Store, StoreError};

use super::asked::{search_kind, selected_editions, text_query, unit_filter};
use super::folder::index_folder;
use super::live::LiveSlots;
use super::units::IndexedText;
use super::{EditionSearch, FoundTexts, MAX_MATCHES, MAX_SELECTIONS, NoAnswer, SearchInput};

/// What an operator finds.
#[derive(Debug)]
pub struct OperatorAnswer {
    /// Number of all hits, of which `hits` are the best ones.
    pub total: u64,
    /// Editions that were searched.
    pub indexed: usize,
    /// Searched editions whose title alone was searched, since their texts cannot be read.
    pub titles_only: usize,
    /// Editions that fit the filters.
    pub selected: usize,
    /// No text has all words: the hits have some of them.
    pub relaxed: bool,
    /// The best hits, in order.
    pub hits: Vec<OperatorHit>,
}

/// A unit that an operator finds.
#[derive(Debug)]
pub struct OperatorHit {
    /// URN of the edition with the unit.
    pub urn: Urn,
    /// Designation of the edition.
    pub reference: String,
    /// What the unit is.
    pub kind: SearchKind,
    /// The type of a provision.
    pub provision: Option<ProvisionType>,
    /// Label of the unit as printed, if it has one.
    pub label: Option<String>,
    /// Id of the unit in its edition; `None` for a whole standard.
    pub id: Option<String>,
    /// An excerpt of its text.
    pub text: String,
}

/// Why an operator finds nothing.
#[derive(Debug, thiserror::Error)]
pub enum OperatorSearchError {
    /// There is no index, or it is damaged.
    #[error(
        "there is no sound search index in {}: a running `norma serve` builds it, or `norma search rebuild`; \
         `search-dir` names its folder", .0.display()
    )]
    NoIndex(PathBuf),
    /// The folder cannot be used.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// A file is damaged.
    #[error(transparent)]
    Damaged(#[from] SearchError),
    /// The words cannot be searched for.
    #[error(transparent)]
    Words(#[from] ParseQueryError),
    /// A URN is not one.
    #[error("`urn`: {0}")]
    Urn(#[from] UrnError),
    /// More units match than [`MAX_MATCHES`], or the catalogue changes all the time.
    #[error(transparent)]
    NoAnswer(#[from] NoAnswer),
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Finds units in all editions of a store. The index is only read, also while a service writes it.
///
/// # Errors
/// [`OperatorSearchError`] says what to do.
pub async fn search_as_operator(
    store: &Store,
    settings: &Settings,
    asked: &SearchQuery,
) -> Result<OperatorAnswer, OperatorSearchError> {
    let query = text_query(asked, QueryLimits::default().max_words)?;
    let limit = asked.limit as usize;
    let page = Page { limit, after: None, grouped: false, max_matches: MAX_MATCHES, relaxes: true };
    let (selected, filter) = (selected_editions(asked)?, unit_filter(asked));
    let folder = index_folder(&settings.search, &settings.store);
    let reader = SearchReader::open(&folder)?.ok_or(OperatorSearchError::NoIndex(folder))?;
    let live = LiveSlots::new(reader.editions()?);
    let search = EditionSearch::default();
    search.change(|state| state.renew(Some(reader), live));
    let input = Arc::new(SearchInput { query, filter, page, facets: Vec::new() });
    for _ in 0..MAX_SELECTIONS {
        let editions = store.searchable(&selected).await?;
        match search.begin(editions, &input).step(&mut || false) {
            Ok(found) => {
                return answer(store, &input.query, found.expect("one step is the whole search")).await;
            }
            Err(NoAnswer::Changed) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(NoAnswer::Changed.into())
}

/// Editions whose texts are not in the index of this machine.
#[derive(Debug)]
pub struct IndexGaps {
    /// Editions that are not in it.
    pub missing: usize,
    /// URNs of editions of which it has the title only, since their texts could not be read.
    pub titles_only: Vec<String>,
}

/// Editions whose texts are not in the index of these settings; `None` where there is none, or it is damaged.
/// It is only read, also while a service writes it.
///
/// # Errors
/// [`OperatorSearchError`] says what to do.
pub async fn index_gaps(
    store: &Store,
    settings: &Settings,
) -> Result<Option<IndexGaps>, OperatorSearchError> {
    let Some(index) = SearchReader::open(&index_folder(&settings.search, &settings.store))? else {
        return Ok(None);
    };
    let mut live = LiveSlots::new(index.editions()?);
    let reader = store.reader();
    reader.follow_editions().await?;
    let rows = reader.edition_rows();
    live.follow(&rows);
    let titles_only = live.titles_only().ones().filter_map(|row| rows.get(row as u32));
    let titles_only = titles_only.map(|edition| edition.urn().to_owned()).collect();
    Ok(Some(IndexGaps { missing: live.missing_count(), titles_only }))
}

/// The hits with their texts, each edition read once.
async fn answer(
    store: &Store,
    query: &TextQuery,
    found: FoundTexts,
) -> Result<OperatorAnswer, OperatorSearchError> {
    let mut texts: HashMap<u32, IndexedText> = HashMap::new();
    for (slot, edition) in &found.editions {
        let Some(entry) = store.entry(&edition.urn).await? else { continue };
        let text = match IndexedText::of(&store.handle(&entry)).await {
            Ok(Some(text)) => text,
            // Its title was found.
            Ok(None) | Err(StoreError::Corrupt(_)) => IndexedText::title_of(&entry),
            Err(error) => return Err(error.into()),
        };
        texts.insert(*slot, text);
    }
    let relaxed = found.found.relaxed.is_some() && !found.found.hits.is_empty();
    let query = if relaxed { query.of_asked_words(u32::MAX) } else { query.clone() };
    let units: HashMap<u32, _> = texts.iter().map(|(slot, text)| (*slot, text.units())).collect();
    let mut hits = Vec::with_capacity(found.found.hits.len());
    for hit in &found.found.hits {
        // An edition that was removed meanwhile has no text.
        let (Some(text), Some(units)) = (texts.get(&hit.slot), units.get(&hit.slot)) else { continue };
        if let Some(unit) = units.get(hit.position as usize) {
            hits.push(operator_hit(hit, text, unit, &query));
        }
    }
    Ok(OperatorAnswer {
        total: found.found.total,
        indexed: found.indexed,
        titles_only: found.titles_only,
        selected: found.selected,
        relaxed,
        hits,
    })
}

fn operator_hit(hit: &UnitHit, text: &IndexedText, unit: &IndexedUnit<'_>, query: &TextQuery) -> OperatorHit {
    let below = if hit.shows_title_only() { Vec::new() } else { unit.text.clone() };
    let parts = LanguageText::titled(unit.title.clone(), below);
    // The label as printed is the last key of other units than standards and terms.
    let has_label = unit.keys.len() > 1 && !matches!(hit.kind, UnitKind::Standard | UnitKind::Term);
    let label = if has_label { unit.keys.last() } else { None };
    let id = if hit.kind == UnitKind::Standard { None } else { unit.keys.first() };
    OperatorHit {
        urn: text.urn().clone(),
        reference: text.reference().to_owned(),
        kind: search_kind(hit.kind),
        provision: unit.provision.map(Into::into),
        label: label.map(|label| (*label).to_owned()),
        id: id.map(|id| (*id).to_owned()),
        text: excerpt(&parts, query).text,
    }
}
