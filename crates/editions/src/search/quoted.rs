//! Units that a quotation may be from, in editions that its caller may read.

use norma_model::Lang;
use norma_search::{MOST_CANDIDATES, QuotedUnit, SearchError, SearchReader, UnitKind};
use norma_store::{Level, SlotRows};

use super::{CallerScope, NoAnswer, QuotationSearchInSteps};

/// The texts and editions by which the units of a quotation are found.
#[derive(Clone, Debug)]
pub struct QuotationSearch {
    /// The whole quotation, then its sentences.
    pub texts: Vec<String>,
    /// URNs of the editions that it may be from.
    pub editions: Vec<String>,
}

/// Units that have at least half of the words of a quotation or of one of its sentences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuotationCandidates {
    /// At most [`MOST_CANDIDATES`], those with the most words first.
    pub units: Vec<QuotationCandidate>,
    /// True where the index does not have one of the editions, or not yet.
    pub is_incomplete: bool,
    /// True where the words of a text are in too many units to be looked at.
    pub has_too_many: bool,
}

/// A unit of an edition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuotationCandidate {
    /// Index of its edition among those that are searched.
    pub edition: usize,
    /// The revision of the edition that is in the index.
    pub revision: String,
    /// Its kind.
    pub kind: UnitKind,
    /// Its index among the units of its kind in the edition.
    pub index: u32,
    /// The language of its text; `None` where that is not one that is stemmed.
    pub language: Option<&'static str>,
}

/// An edition that is in the index.
struct IndexedSlot {
    /// Its slot in the index.
    slot: u32,
    /// Index among the editions that are searched.
    edition: usize,
    /// Its slot in the index of editions.
    row: u32,
}

impl QuotationSearchInSteps {
    /// Goes on until `is_over` (`None`), which is asked after each quotation, or until all are looked for.
    ///
    /// # Errors
    /// [`NoAnswer::Changed`]: an edition among these changed after they were selected.
    pub fn step(
        &mut self,
        is_over: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Vec<QuotationCandidates>>, NoAnswer> {
        while let Some(asked) = self.asked.get(self.found.len()) {
            let found = self.candidates(asked)?;
            self.found.push(found);
            if is_over() {
                break;
            }
        }
        if self.found.len() < self.asked.len() {
            return Ok(None);
        }
        Ok(Some(std::mem::take(&mut self.found)))
    }

    /// The units that a quotation may be from.
    fn candidates(&self, asked: &QuotationSearch) -> Result<QuotationCandidates, NoAnswer> {
        let rows = self.editions.rows().ok_or(NoAnswer::Changed)?;
        let state = self.search.at(&rows);
        let mut candidates = QuotationCandidates::default();
        let Some(reader) = &state.reader else {
            candidates.is_incomplete = true;
            return Ok(candidates);
        };
        let scope = CallerScope { rows: &rows, live: &state.live, editions: &self.editions };
        let slots = indexed_slots(&scope, asked);
        candidates.is_incomplete = slots.len() < asked.editions.len();
        match units_of(reader, &rows, &slots, asked) {
            Ok(units) => candidates.units = candidates_of(&units, &rows, &slots),
            Err(SearchError::TooManyMatches) => candidates.has_too_many = true,
            Err(SearchError::Damaged(problem)) => {
                let opened = state.opened;
                drop(state);
                if self.search.fail_opened(&problem, opened) {
                    tracing::warn!(%problem, "the search index is damaged and will be built again");
                }
                candidates.is_incomplete = true;
            }
        }
        Ok(candidates)
    }
}

/// The editions that the caller may read and whose texts are in the index.
fn indexed_slots(scope: &CallerScope<'_>, asked: &QuotationSearch) -> Vec<IndexedSlot> {
    let mut slots = Vec::with_capacity(asked.editions.len());
    for (edition, urn) in asked.editions.iter().enumerate() {
        let Some(row) = scope.rows.slot(urn) else { continue };
        if scope.editions.level(row) != Some(Level::Read) || scope.live.titles_only().contains(row as usize) {
            continue;
        }
        if let Some(slot) = scope.live.slot(row) {
            slots.push(IndexedSlot { slot, edition, row });
        }
    }
    slots
}

/// The units of these editions with words of a text: of each text the first one, then of each the second one.
fn units_of(
    reader: &SearchReader,
    rows: &SlotRows,
    slots: &[IndexedSlot],
    asked: &QuotationSearch,
) -> Result<Vec<QuotedUnit>, SearchError> {
    if slots.is_empty() {
        return Ok(Vec::new());
    }
    let languages = languages_of(rows, slots);
    let numbers: Vec<u32> = slots.iter().map(|one| one.slot).collect();
    let mut of_texts: Vec<Vec<QuotedUnit>> = Vec::with_capacity(asked.texts.len());
    for text in &asked.texts {
        let found = reader.units_with_words(text, &languages, &numbers)?;
        let is_whole = found.first().is_some_and(has_all_words);
        of_texts.push(found);
        if is_whole {
            break;
        }
    }
    let longest = of_texts.iter().map(Vec::len).max().unwrap_or_default();
    let mut units: Vec<QuotedUnit> = Vec::new();
    for rank in 0..longest {
        for unit in of_texts.iter().filter_map(|found| found.get(rank)) {
            if units.len() < MOST_CANDIDATES && !units.iter().any(|known| known.is_same_as(unit)) {
                units.push(*unit);
            }
        }
    }
    Ok(units)
}

/// Whether a provision or a term has all words of a text: its sentences are then not looked for. In the text
/// of a section, words may be far from each other.
fn has_all_words(unit: &QuotedUnit) -> bool {
    matches!(unit.kind, UnitKind::Provision | UnitKind::Term) && unit.shared == unit.words
}

/// The languages of these editions, each once.
fn languages_of(rows: &SlotRows, slots: &[IndexedSlot]) -> Vec<Lang> {
    let mut languages: Vec<Lang> = Vec::new();
    for edition in slots.iter().filter_map(|one| rows.get(one.row)) {
        for code in rows.languages(edition) {
            if let Ok(language) = code.parse::<Lang>()
                && !languages.contains(&language)
            {
                languages.push(language);
            }
        }
    }
    languages
}

fn candidates_of(units: &[QuotedUnit], rows: &SlotRows, slots: &[IndexedSlot]) -> Vec<QuotationCandidate> {
    let mut candidates = Vec::with_capacity(units.len());
    for unit in units {
        let Some(of_edition) = slots.iter().find(|one| one.slot == unit.slot) else { continue };
        let Some(edition) = rows.get(of_edition.row) else { continue };
        candidates.push(QuotationCandidate {
            edition: of_edition.edition,
            revision: edition.revision().to_owned(),
            kind: unit.kind,
            index: unit.index,
            language: unit.language,
        });
    }
    candidates
}
