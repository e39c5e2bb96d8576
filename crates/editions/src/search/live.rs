//! Live slots: which edition of the catalogue each slot of the search index is.

use std::collections::{HashMap, HashSet};

use data_encoding::HEXLOWER;
use norma_store::{IndexedEdition, SlotRows};
use sha2::{Digest, Sha256};

/// Bytes of the digest that names a revision in the index.
const NAME: usize = 16;

/// Sign before the name of a revision of which the index has the title only, since its texts could not be
/// read.
const TITLE_SIGN: char = '!';

/// Name of a revision of an edition in the index.
pub(super) type RevisionName = String;

/// The name under which the index has a revision.
pub(super) fn indexed_name(name: &str, has_texts: bool) -> String {
    if has_texts { name.to_owned() } else { format!("{TITLE_SIGN}{name}") }
}

/// The name of the present revision of an edition.
pub(super) fn revision_name(edition: &IndexedEdition) -> RevisionName {
    name_of(edition.urn(), edition.revision())
}

/// The name of a revision of the edition with a URN.
pub(super) fn name_of(urn: &str, revision: &str) -> RevisionName {
    let digest = Sha256::new().chain_update(urn).chain_update([0]).chain_update(revision).finalize();
    HEXLOWER.encode(&digest[..NAME])
}

/// A revision that was added to the index.
pub(super) struct AddedRevision {
    pub(super) name: RevisionName,
    pub(super) slot: u32,
    /// True if its texts are there, not its title only.
    pub(super) has_texts: bool,
}

/// The slots of the index, each with the slot of the same revision in the index of editions. A slot whose
/// edition was replaced, recalled or removed has none: nothing is found in it, although its texts are still
/// in the index.
#[derive(Default)]
pub(super) struct LiveSlots {
    /// Slots of the index by the revisions that they are of.
    indexed: HashMap<RevisionName, u32>,
    /// Indexed slots that have the title of their edition only.
    titles_only: HashSet<u32>,
    /// Slots of revisions that another slot is of as well.
    superseded: Vec<u32>,
    /// For each slot of the index, the slot of its edition.
    rows: Vec<Option<u32>>,
    /// For each slot of an edition, its slot in the index.
    slots: Vec<Option<u32>>,
    /// The version of the index of editions that this follows.
    version: Option<usize>,
}

impl LiveSlots {
    /// Live slots of an index that has these names, which are those of [`indexed_name`].
    pub(super) fn new(indexed: impl IntoIterator<Item = (String, u32)>) -> Self {
        let mut live = Self::default();
        for (name, slot) in indexed {
            match name.strip_prefix(TITLE_SIGN) {
                Some(name) => live.insert(name.to_owned(), slot, false),
                None => live.insert(name, slot, true),
            }
        }
        live
    }

    /// Notes which slot a revision has. One with its texts replaces one without.
    fn insert(&mut self, name: RevisionName, slot: u32, has_texts: bool) {
        let former = self.indexed.get(&name).copied();
        if !has_texts && former.is_some() {
            self.superseded.push(slot);
            return;
        }
        self.superseded.extend(former);
        if !has_texts {
            self.titles_only.insert(slot);
        }
        self.indexed.insert(name, slot);
    }

    /// Number of slots of the index.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// True if it follows this version of the index of editions.
    pub(super) fn is_at(&self, rows: &SlotRows) -> bool {
        self.version == Some(rows.version())
    }

    /// True if it follows the index of editions.
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
                for row in changed {
                    self.match_row(rows, *row);
                }
            }
            None => {
                self.rows.fill(None);
                self.slots = vec![None; rows.slots()];
                for row in 0..rows.slots() as u32 {
                    self.match_row(rows, row);
                }
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
        let Some(edition) = rows.get(row) else { return };
        let Some(&slot) = self.indexed.get(&revision_name(edition)) else { return };
        if self.rows.len() <= slot as usize {
            self.rows.resize(slot as usize + 1, None);
        }
        self.rows[slot as usize] = Some(row);
        self.slots[row as usize] = Some(slot);
    }

    /// Notes that a revision is in the index now, of the edition with this URN.
    pub(super) fn add(&mut self, rows: &SlotRows, urn: &str, added: AddedRevision) {
        let AddedRevision { name, slot, has_texts } = added;
        self.insert(name, slot, has_texts);
        self.follow(rows);
        if let Some(row) = rows.slot(urn) {
            self.match_row(rows, row);
        }
    }

    /// Removes the revisions that the catalogue no longer has or that are in the index twice, and returns
    /// their slots.
    pub(super) fn take_dead(&mut self) -> Vec<u32> {
        let rows = &self.rows;
        let is_dead = |slot: u32| rows.get(slot as usize).is_none_or(Option::is_none);
        let mut dead: Vec<u32> =
            self.indexed.extract_if(|_, slot| is_dead(*slot)).map(|(_, slot)| slot).collect();
        dead.append(&mut self.superseded);
        for slot in &dead {
            self.titles_only.remove(slot);
        }
        dead
    }

    /// Number of editions in the index.
    pub(super) fn indexed(&self) -> usize {
        self.slots.iter().flatten().count()
    }

    /// True if the index has the title of an edition only, by the edition's slot.
    pub(super) fn is_title_only(&self, row: u32) -> bool {
        self.slot(row).is_some_and(|slot| self.titles_only.contains(&slot))
    }

    /// The editions of which the index has the title only, by their slots.
    pub(super) fn titles_only<'a>(
        &'a self,
        rows: &'a SlotRows,
    ) -> impl Iterator<Item = (u32, &'a IndexedEdition)> {
        let slots = if self.titles_only.is_empty() { 0 } else { rows.slots() as u32 };
        let titles_only = (0..slots).filter(|row| self.is_title_only(*row));
        titles_only.filter_map(|row| Some((row, rows.get(row)?)))
    }

    /// The editions that are not in the index.
    pub(super) fn missing<'a>(&'a self, rows: &'a SlotRows) -> impl Iterator<Item = &'a IndexedEdition> {
        (0..rows.slots() as u32).filter(|row| self.slot(*row).is_none()).filter_map(|row| rows.get(row))
    }
}
