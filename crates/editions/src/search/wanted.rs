//! Revisions that are not in the search index, or are there with their title only.

use norma_store::{IndexedEdition, SlotRows};

use super::SearchState;
use super::live::RevisionName;

/// Most editions of a batch.
const BATCH_EDITIONS: usize = 1_000;

/// A revision whose texts are to be indexed.
pub(super) struct WantedRevision {
    pub(super) urn: String,
    pub(super) name: RevisionName,
    /// Slot in the index of editions, where the title of the revision is indexed already.
    pub(super) title_row: Option<u32>,
}

/// What one batch changes in the index, at most.
pub(super) struct BatchWork {
    pub(super) missing: Vec<WantedRevision>,
    /// Revisions whose texts are read again, since the index has their titles only.
    pub(super) titles: Vec<WantedRevision>,
    /// Slots of revisions that the catalogue no longer has.
    pub(super) dead: Vec<u32>,
}

impl SearchState {
    /// Revisions that are not in the index, for one batch.
    pub(super) fn missing_revisions(&self, rows: &SlotRows) -> Vec<WantedRevision> {
        let missing = self.live.missing(rows).take(BATCH_EDITIONS);
        missing.map(|(edition, revision)| WantedRevision::new(edition, revision, None)).collect()
    }

    /// Revisions whose titles only are in the index, from this slot of the index of editions on, for one
    /// batch.
    pub(super) fn title_revisions(&self, rows: &SlotRows, from: u32) -> Vec<WantedRevision> {
        let titles = self.live.titles_only().ones().map(|row| row as u32).filter(|row| *row >= from);
        let titles = titles.filter_map(|row| {
            let edition = rows.get(row)?;
            Some(WantedRevision::new(edition, RevisionName::of(edition), Some(row)))
        });
        titles.take(BATCH_EDITIONS).collect()
    }
}

impl WantedRevision {
    fn new(edition: &IndexedEdition, name: RevisionName, title_row: Option<u32>) -> Self {
        Self { urn: edition.urn().to_owned(), name, title_row }
    }
}
