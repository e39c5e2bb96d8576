//! Live slots: which edition of the catalogue each slot of the search index is.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use data_encoding::HEXLOWER;
use fixedbitset::FixedBitSet;
use norma_search::EditionChanges;
use norma_store::{IndexedEdition, SlotRows};
use sha2::{Digest, Sha256};

/// Bytes of the digest that names a revision in the index.
const NAME: usize = 16;

/// Sign before the name of a revision of which the index has the title only, since its texts could not be
/// read.
const TITLE_SIGN: char = '!';

/// Name of a revision of an edition in the index: the first bytes of a digest of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct RevisionName([u8; NAME]);

impl RevisionName {
    /// The name of a revision of the edition with a URN.
    pub(super) fn new(urn: &str, revision: &str) -> Self {
        let digest = Sha256::new().chain_update(urn).chain_update([0]).chain_update(revision).finalize();
        Self(std::array::from_fn(|at| digest[at]))
    }

    /// The name of the present revision of an edition.
    pub(super) fn of(edition: &IndexedEdition) -> Self {
        Self::new(edition.urn(), edition.revision())
    }

    /// The text under which the index has the revision.
    pub(super) fn indexed(self, has_texts: bool) -> String {
        let name = HEXLOWER.encode(&self.0);
        if has_texts { name } else { format!("{TITLE_SIGN}{name}") }
    }

    /// Reads the text under which an index has a revision; false where it has the title only.
    fn read(indexed: &str) -> Option<(Self, bool)> {
        let (name, has_texts) = match indexed.strip_prefix(TITLE_SIGN) {
            Some(name) => (name, false),
            None => (indexed, true),
        };
        let bytes = HEXLOWER.decode(name.as_bytes()).ok()?;
        Some((Self(bytes.try_into().ok()?), has_texts))
    }
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
///
/// Sets of what is missing or superfluous are kept up to date, so that nothing looks through all editions of
/// a large catalogue while it does not change.
#[derive(Default)]
pub(super) struct LiveSlots {
    /// Slots of the index by the revisions that they are of.
    indexed: HashMap<RevisionName, u32>,
    /// All slots of the index.
    index_slots: Vec<IndexSlot>,
    /// Slots of the index that are of no edition of the catalogue, or of one that another slot is of as well.
    dead: BTreeSet<u32>,
    /// For each slot of an edition, its slot in the index.
    slots: Vec<Option<u32>>,
    /// The slots of editions that are in the index.
    found: FixedBitSet,
    /// Those of them of which the index has the title only.
    titles_only: FixedBitSet,
    /// The slots of editions that are not in the index, with their present revisions.
    missing: BTreeMap<u32, RevisionName>,
    /// The version of the index of editions that this follows.
    version: Option<usize>,
}

/// What is known of a slot of the index.
#[derive(Clone, Copy, Default)]
struct IndexSlot {
    /// The revision that it is of; `None` where that is another slot, or none.
    revision: Option<RevisionName>,
    /// True if the index has the texts, not the title only.
    has_texts: bool,
    /// The slot of the edition, if the catalogue has the revision.
    row: Option<u32>,
}

impl LiveSlots {
    /// Live slots of an index that has these names, which are those of [`RevisionName::indexed`].
    pub(super) fn new(indexed: impl IntoIterator<Item = (String, u32)>) -> Self {
        let mut live = Self::default();
        for (name, slot) in indexed {
            match RevisionName::read(&name) {
                Some((revision, has_texts)) => drop(live.insert(revision, slot, has_texts)),
                None => drop(live.dead.insert(slot)),
            }
        }
        live
    }

    /// Notes which slot a revision has. One with its texts replaces one without, whose edition is returned.
    fn insert(&mut self, revision: RevisionName, slot: u32, has_texts: bool) -> Option<u32> {
        // Until an edition of the catalogue turns out to have the revision.
        self.dead.insert(slot);
        let former = self.indexed.get(&revision).copied();
        if !has_texts && former.is_some() {
            return None;
        }
        self.indexed.insert(revision, slot);
        if self.index_slots.len() <= slot as usize {
            self.index_slots.resize(slot as usize + 1, IndexSlot::default());
        }
        self.index_slots[slot as usize] = IndexSlot { revision: Some(revision), has_texts, row: None };
        let former = former?;
        self.dead.insert(former);
        self.index_slots[former as usize].revision = None;
        self.row(former)
    }

    /// Number of slots of the index.
    pub(super) fn len(&self) -> usize {
        self.index_slots.len()
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
        self.index_slots.get(slot as usize)?.row
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
                self.found.grow(rows.slots());
                self.titles_only.grow(rows.slots());
                for row in changed {
                    self.match_row(rows, row);
                }
            }
            None => self.match_all(rows),
        }
        self.version = Some(rows.version());
    }

    fn match_all(&mut self, rows: &SlotRows) {
        self.slots = vec![None; rows.slots()];
        self.found = FixedBitSet::with_capacity(rows.slots());
        self.titles_only = self.found.clone();
        self.missing.clear();
        for slot in &mut self.index_slots {
            slot.row = None;
        }
        self.dead.extend(self.indexed.values());
        for row in 0..rows.slots() as u32 {
            self.match_row(rows, row);
        }
    }

    fn match_row(&mut self, rows: &SlotRows, row: u32) {
        self.found.remove(row as usize);
        self.titles_only.remove(row as usize);
        self.missing.remove(&row);
        if let Some(former) = self.slots[row as usize].take()
            && self.row(former) == Some(row)
        {
            self.index_slots[former as usize].row = None;
            self.dead.insert(former);
        }
        let Some(edition) = rows.get(row) else { return };
        let revision = RevisionName::of(edition);
        let Some(&slot) = self.indexed.get(&revision) else {
            self.missing.insert(row, revision);
            return;
        };
        let indexed = &mut self.index_slots[slot as usize];
        indexed.row = Some(row);
        self.titles_only.set(row as usize, !indexed.has_texts);
        self.slots[row as usize] = Some(slot);
        self.found.insert(row as usize);
        self.dead.remove(&slot);
    }

    /// Notes that a revision is in the index now, of the edition with this URN. True if another slot lost its
    /// edition by that.
    pub(super) fn add(&mut self, rows: &SlotRows, urn: &str, added: AddedRevision) -> bool {
        let AddedRevision { name, slot, has_texts } = added;
        let superseded = self.insert(name, slot, has_texts);
        self.follow(rows);
        if let Some(row) = rows.slot(urn) {
            self.match_row(rows, row);
        }
        superseded.is_some()
    }

    /// Follows changes of an index that another process writes: true if slots lost their editions by them.
    /// `None`, with nothing done, where a slot is another edition's now: that is another index.
    pub(super) fn follow_index(&mut self, rows: &SlotRows, changes: &EditionChanges) -> Option<bool> {
        let is_new = |name: &str, slot: u32| match RevisionName::read(name) {
            Some((revision, _)) => self.indexed.get(&revision) != Some(&slot),
            None => true,
        };
        let is_known = |slot: u32| self.row(slot).is_some() || self.dead.contains(&slot);
        if changes.added.iter().any(|(name, slot)| is_known(*slot) && is_new(name, *slot)) {
            return None;
        }
        self.follow(rows);
        let mut rows_again = BTreeSet::new();
        for slot in &changes.removed {
            rows_again.extend(self.row(*slot));
            self.forget(*slot);
        }
        let mut added = HashSet::new();
        for (name, slot) in &changes.added {
            match RevisionName::read(name) {
                // A merge wrote it again.
                Some((revision, _)) if self.indexed.get(&revision) == Some(slot) => {}
                Some((revision, has_texts)) => {
                    rows_again.extend(self.insert(revision, *slot, has_texts));
                    added.insert(revision);
                }
                None => drop(self.dead.insert(*slot)),
            }
        }
        // A slot that was removed may be another edition's later.
        let lost = !changes.removed.is_empty() || !rows_again.is_empty();
        if !added.is_empty() {
            let is_there = self.missing.iter().filter(|(_, revision)| added.contains(revision));
            rows_again.extend(is_there.map(|(row, _)| *row));
        }
        for row in rows_again {
            self.match_row(rows, row);
        }
        for slot in &changes.removed {
            self.dead.remove(slot);
        }
        Some(lost)
    }

    /// Removes the revision of a slot.
    fn forget(&mut self, slot: u32) {
        let known = self.index_slots.get_mut(slot as usize).and_then(|known| known.revision.take());
        if let Some(revision) = known {
            self.indexed.remove(&revision);
        }
    }

    /// Removes the revisions that the catalogue no longer has or that are in the index twice, and returns
    /// their slots.
    pub(super) fn take_dead(&mut self) -> Vec<u32> {
        let dead = std::mem::take(&mut self.dead);
        for slot in &dead {
            self.forget(*slot);
        }
        dead.into_iter().collect()
    }

    /// Number of editions in the index.
    pub(super) fn indexed(&self) -> usize {
        self.found.count_ones(..)
    }

    /// The slots of the editions in the index.
    pub(super) fn found(&self) -> &FixedBitSet {
        &self.found
    }

    /// The slots of the editions of which the index has the title only.
    pub(super) fn titles_only(&self) -> &FixedBitSet {
        &self.titles_only
    }

    /// Number of editions that are not in the index.
    pub(super) fn missing_count(&self) -> usize {
        self.missing.len()
    }

    /// The editions that are not in the index, with their present revisions.
    pub(super) fn missing<'a>(
        &'a self,
        rows: &'a SlotRows,
    ) -> impl Iterator<Item = (&'a IndexedEdition, RevisionName)> {
        self.missing.iter().filter_map(|(row, revision)| Some((rows.get(*row)?, *revision)))
    }
}

#[cfg(test)]
mod tests {
    use norma_model::{StandardType, Status, Urn};
    use norma_store::{Blob, Publication, Reader, Store, StoreOptions, Summary};

    use super::*;

    /// The edition with a number, in a state of its source.
    fn publication(number: u64, state: u64) -> Publication {
        let urn: Urn = format!("urn:nsb:std:nsb:{number}:ed-1:en").parse().unwrap();
        let source = Blob::new(format!("{urn} {state}")).digest();
        Publication {
            summary: Summary {
                reference: format!("NSB {number}"),
                title: "Anchors".to_owned(),
                publisher: "NSB".to_owned(),
                number: number.to_string(),
                part: None,
                supplement: None,
                languages: urn.languages(),
                kind: StandardType::Is,
                published_on: None,
                ics: Vec::new(),
                urn,
            },
            status: Status::Published,
            urn_given: false,
            former_urn: None,
            original: true,
            source,
            source_size: 1,
            deriver: "1".to_owned(),
            revision: source.hex()[..16].to_owned(),
            origin: "a.xml".to_owned(),
            aliases: Vec::new(),
            relations: Vec::new(),
            provisions: Vec::new(),
            successors: Vec::new(),
            replaced: None,
            pack: Blob::default(),
            directory: Vec::new().into(),
            assets: Vec::new(),
            pictures: Vec::new(),
            replace: true,
            repair: false,
        }
    }

    /// Numbers without a pattern, the same in each run (Knuth's linear congruential generator).
    fn next(state: &mut u64, end: u64) -> u64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) % end
    }

    /// What both say of all editions and slots.
    fn compare(live: &LiveSlots, indexed: &HashMap<u32, String>, rows: &SlotRows) {
        let mut new = LiveSlots::new(indexed.iter().map(|(slot, name)| (name.clone(), *slot)));
        new.follow(rows);
        let all = 0..rows.slots() as u32;
        let of_rows = |live: &LiveSlots| -> Vec<_> {
            all.clone().map(|row| (live.slot(row), live.titles_only().contains(row as usize))).collect()
        };
        assert_eq!(of_rows(live), of_rows(&new));
        for slot in indexed.keys() {
            assert_eq!(live.row(*slot), new.row(*slot), "{slot}");
        }
        assert_eq!(live.found(), new.found());
        assert_eq!((live.indexed(), live.missing_count()), (new.indexed(), new.missing_count()));
        let missing = |live: &LiveSlots| -> Vec<String> {
            live.missing(rows).map(|(edition, _)| edition.urn().to_owned()).collect()
        };
        assert_eq!(missing(live), missing(&new));
        assert_eq!(live.dead, new.dead);
    }

    /// What changed from one published set to the next; a merge has some others again.
    fn changes(
        published: &HashMap<u32, String>,
        indexed: &HashMap<u32, String>,
        state: &mut u64,
    ) -> EditionChanges {
        let removed = published.keys().copied().filter(|slot| !indexed.contains_key(slot)).collect();
        let mut slots: Vec<u32> = indexed.keys().copied().collect();
        slots.sort_unstable();
        slots.retain(|slot| !published.contains_key(slot) || next(state, 3) == 0);
        EditionChanges {
            added: slots.into_iter().map(|slot| (indexed[&slot].clone(), slot)).collect(),
            removed,
        }
    }

    #[test]
    fn an_index_in_which_a_slot_is_of_another_edition_is_another_index() {
        let rows = SlotRows::default();
        let [one, two] = ["one", "two"].map(|urn| RevisionName::new(urn, "a").indexed(true));
        let mut live = LiveSlots::new([(one.clone(), 0)]);
        let added =
            |name: &str, slot| EditionChanges { added: vec![(name.to_owned(), slot)], ..Default::default() };
        assert_eq!(live.follow_index(&rows, &added(&one, 0)), Some(false));
        assert_eq!(live.follow_index(&rows, &added(&two, 1)), Some(false));
        assert_eq!(live.follow_index(&rows, &added(&one, 1)), None);
        assert_eq!(live.follow_index(&rows, &added("no name", 0)), None);
    }

    #[tokio::test]
    async fn slots_that_followed_changes_are_those_of_an_index_that_was_opened_now() {
        let folder = tempfile::tempdir().unwrap();
        let location = folder.path().join("norma.db").to_str().unwrap().parse().unwrap();
        let store = Store::open(&location, &StoreOptions::default()).await.unwrap();
        let catalogue: Reader = store.reader();
        let (mut live, mut indexed, mut state) = (LiveSlots::default(), HashMap::new(), 70);
        // What another process knows, to which sets of the index are published now and then.
        let (mut fetched, mut published) = (LiveSlots::default(), HashMap::new());
        let (mut next_slot, mut removed, mut followed) = (0, 0, 0);
        for _ in 0..300 {
            let number = next(&mut state, 6);
            let one = publication(number, next(&mut state, 2));
            let urn = one.summary.urn.to_string();
            match next(&mut state, 6) {
                0 => drop(store.remove(&one.summary.urn, crate::clock::now()).await.unwrap()),
                1 | 2 => drop(store.publish(&one, crate::clock::now()).await.unwrap()),
                3 => {
                    let dead = live.take_dead();
                    removed += dead.len();
                    indexed.retain(|slot, _| !dead.contains(slot));
                }
                _ => {
                    // The builder adds a text, of which the catalogue may have another revision by now.
                    let name = RevisionName::new(&urn, &one.revision);
                    let has_texts = next(&mut state, 3) > 0;
                    let is_known =
                        |has_texts| indexed.values().any(|known| *known == name.indexed(has_texts));
                    if !is_known(true) && (has_texts || !is_known(false)) {
                        let added = AddedRevision { name, slot: next_slot, has_texts };
                        live.add(&catalogue.edition_rows(), &urn, added);
                        indexed.insert(next_slot, name.indexed(has_texts));
                        next_slot += 1;
                    }
                }
            }
            catalogue.follow_editions().await.unwrap();
            let rows = catalogue.edition_rows();
            live.follow(&rows);
            compare(&live, &indexed, &rows);
            if next(&mut state, 4) == 0 {
                // A merge may have a title again that was superseded: that counts as another index.
                if fetched.follow_index(&rows, &changes(&published, &indexed, &mut state)).is_some() {
                    followed += 1;
                } else {
                    fetched = LiveSlots::new(indexed.iter().map(|(slot, name)| (name.clone(), *slot)));
                }
                published.clone_from(&indexed);
            }
            fetched.follow(&rows);
            compare(&fetched, &published, &rows);
        }
        assert!(removed > 20 && followed > 50, "{removed} {followed}");
    }
}
