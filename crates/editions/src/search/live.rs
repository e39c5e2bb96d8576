//! Live slots: which edition of the catalogue each slot of the search index is.

use std::collections::HashMap;

use data_encoding::HEXLOWER;
use norma_store::{IndexedEdition, SlotRows};
use sha2::{Digest, Sha256};

/// Bytes of the digest that names a revision in the index.
const NAME: usize = 16;

/// Name of a revision of an edition in the index.
pub(super) type RevisionName = String;

/// The name of the present revision of an edition.
pub(super) fn revision_name(edition: &IndexedEdition) -> RevisionName {
    name_of(edition.urn(), edition.revision())
}

/// The name of a revision of the edition with a URN.
pub(super) fn name_of(urn: &str, revision: &str) -> RevisionName {
    let digest = Sha256::new().chain_update(urn).chain_update([0]).chain_update(revision).finalize();
    HEXLOWER.encode(&digest[..NAME])
}

/// The slots of the index, each with the slot of the same revision in the index of editions. A slot whose
/// edition was replaced, recalled or removed has none: nothing is found in it, although its texts are still
/// in the index.
#[derive(Default)]
pub(super) struct LiveSlots {
    /// Slots of the index by the revisions that they are of.
    indexed: HashMap<RevisionName, u32>,
    /// By slot of the index, the slot of its edition.
    rows: Vec<Option<u32>>,
    /// By slot of an edition, its slot in the index.
    slots: Vec<Option<u32>>,
    /// The version of the index of editions that this follows.
    version: Option<usize>,
}

impl LiveSlots {
    /// With these revisions in the index.
    pub(super) fn new(indexed: impl IntoIterator<Item = (RevisionName, u32)>) -> Self {
        Self { indexed: indexed.into_iter().collect(), ..Self::default() }
    }

    /// Number of slots of the index.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether it follows this version of the index of editions.
    pub(super) fn is_at(&self, rows: &SlotRows) -> bool {
        self.version == Some(rows.version())
    }

    /// Whether it follows the index of editions.
    pub(super) fn is_following(&self) -> bool {
        self.version.is_some()
    }

    /// The slot of the edition that a slot of the index is of.
    pub(super) fn row(&self, slot: u32) -> Option<u32> {
        *self.rows.get(slot as usize)?
    }

    /// The slot of the index for the edition in a slot.
    pub(super) fn slot(&self, row: u32) -> Option<u32> {
        *self.slots.get(row as usize)?
    }

    /// Follows the index of editions to its present version.
    pub(super) fn follow(&mut self, rows: &SlotRows) {
        match self.version.and_then(|version| rows.changed_since(version)) {
            Some(changed) => {
                self.slots.resize(rows.slots(), None);
                changed.iter().for_each(|row| self.match_row(rows, *row));
            }
            None => {
                self.rows.fill(None);
                self.slots = vec![None; rows.slots()];
                (0..rows.slots() as u32).for_each(|row| self.match_row(rows, row));
            }
        }
        self.version = Some(rows.version());
    }

    fn match_row(&mut self, rows: &SlotRows, row: u32) {
        if let Some(former) = self.slots[row as usize].take()
            && self.row(former) == Some(row)
        {
            self.rows[former as usize] = None;
        }
        let slot = rows.get(row).and_then(|edition| self.indexed.get(&revision_name(edition)).copied());
        if let Some(slot) = slot {
            if self.rows.len() <= slot as usize {
                self.rows.resize(slot as usize + 1, None);
            }
            self.rows[slot as usize] = Some(row);
            self.slots[row as usize] = Some(slot);
        }
    }

    /// Notes that a revision is in the index now, of the edition with this URN.
    pub(super) fn add(&mut self, rows: &SlotRows, urn: &str, name: RevisionName, slot: u32) {
        self.indexed.insert(name, slot);
        self.follow(rows);
        rows.slot(urn).into_iter().for_each(|row| self.match_row(rows, row));
    }

    /// Removes the revisions that the catalogue no longer has, and returns their slots.
    pub(super) fn take_dead(&mut self) -> Vec<u32> {
        let rows = &self.rows;
        let is_dead = |slot: u32| rows.get(slot as usize).is_none_or(Option::is_none);
        self.indexed.extract_if(|_, slot| is_dead(*slot)).map(|(_, slot)| slot).collect()
    }

    /// Number of editions in the index.
    pub(super) fn indexed(&self) -> usize {
        self.slots.iter().flatten().count()
    }

    /// The editions that are not in the index.
    pub(super) fn missing<'a>(&'a self, rows: &'a SlotRows) -> impl Iterator<Item = &'a IndexedEdition> {
        (0..rows.slots() as u32).filter(|row| self.slot(*row).is_none()).filter_map(|row| rows.get(row))
    }
}
