//! Live slots: which edition of the catalogue each slot of the search index is.

use std::collections::{BTreeSet, HashMap};

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
    /// Indexed slots that have the title of their edition only.
    titles_only: BTreeSet<u32>,
    /// Slots of the index that are of no edition of the catalogue, or of one that another slot is of as well.
    dead: BTreeSet<u32>,
    /// For each slot of the index, the slot of its edition.
    rows: Vec<Option<u32>>,
    /// For each slot of an edition, its slot in the index.
    slots: Vec<Option<u32>>,
    /// The slots of editions that are in the index.
    found: FixedBitSet,
    /// The slots of editions that are not.
    missing: BTreeSet<u32>,
    /// The version of the index of editions that this follows.
    version: Option<usize>,
}

impl LiveSlots {
    /// Live slots of an index that has these names, which are those of [`RevisionName::indexed`].
    pub(super) fn new(indexed: impl IntoIterator<Item = (String, u32)>) -> Self {
        let mut live = Self::default();
        for (name, slot) in indexed {
            match RevisionName::read(&name) {
                Some((name, has_texts)) => live.insert(name, slot, has_texts),
                None => {
                    live.dead.insert(slot);
                }
            }
        }
        live
    }

    /// Notes which slot a revision has. One with its texts replaces one without.
    fn insert(&mut self, name: RevisionName, slot: u32, has_texts: bool) {
        let former = self.indexed.get(&name).copied();
        if !has_texts && former.is_some() {
            self.dead.insert(slot);
            return;
        }
        self.dead.extend(former);
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
                self.found.grow(rows.slots());
                for row in changed {
                    self.match_row(rows, row);
                }
            }
            None => self.match_all(rows),
        }
        self.version = Some(rows.version());
    }

    fn match_all(&mut self, rows: &SlotRows) {
        self.rows.fill(None);
        self.slots = vec![None; rows.slots()];
        self.found = FixedBitSet::with_capacity(rows.slots());
        self.missing.clear();
        for row in 0..rows.slots() as u32 {
            self.match_row(rows, row);
        }
        for slot in self.indexed.values() {
            if self.row(*slot).is_none() {
                self.dead.insert(*slot);
            }
        }
    }

    fn match_row(&mut self, rows: &SlotRows, row: u32) {
        self.found.remove(row as usize);
        self.missing.remove(&row);
        if let Some(former) = self.slots[row as usize].take()
            && self.row(former) == Some(row)
        {
            self.rows[former as usize] = None;
            self.dead.insert(former);
        }
        let Some(edition) = rows.get(row) else { return };
        let Some(&slot) = self.indexed.get(&RevisionName::of(edition)) else {
            self.missing.insert(row);
            return;
        };
        if self.rows.len() <= slot as usize {
            self.rows.resize(slot as usize + 1, None);
        }
        self.rows[slot as usize] = Some(row);
        self.slots[row as usize] = Some(slot);
        self.found.insert(row as usize);
        self.dead.remove(&slot);
    }

    /// Notes that a revision is in the index now, of the edition with this URN.
    pub(super) fn add(&mut self, rows: &SlotRows, urn: &str, added: AddedRevision) {
        let AddedRevision { name, slot, has_texts } = added;
        // Where the catalogue has the revision no more, nothing is found in the slot.
        self.dead.insert(slot);
        self.insert(name, slot, has_texts);
        self.follow(rows);
        if let Some(row) = rows.slot(urn) {
            self.match_row(rows, row);
        }
    }

    /// Follows changes of an index that another process writes. False, with nothing done, where a slot is
    /// another edition's now: that is another index.
    pub(super) fn follow_index(&mut self, rows: &SlotRows, changes: &EditionChanges) -> bool {
        let is_new = |name: &str, slot: u32| match RevisionName::read(name) {
            Some((name, _)) => self.indexed.get(&name) != Some(&slot),
            None => true,
        };
        let is_known = |slot: u32| self.row(slot).is_some() || self.dead.contains(&slot);
        if changes.added.iter().any(|(name, slot)| is_known(*slot) && is_new(name, *slot)) {
            return false;
        }
        self.follow(rows);
        if !changes.removed.is_empty() {
            self.indexed.retain(|_, slot| !changes.removed.contains(slot));
            self.titles_only.retain(|slot| !changes.removed.contains(slot));
        }
        for slot in &changes.removed {
            if let Some(row) = self.row(*slot) {
                self.match_row(rows, row);
            }
            self.dead.remove(slot);
        }
        for (name, slot) in &changes.added {
            let Some((name, has_texts)) = RevisionName::read(name) else {
                self.dead.insert(*slot);
                continue;
            };
            // A merge wrote it again.
            if self.indexed.get(&name) == Some(slot) {
                continue;
            }
            let row = self.indexed.get(&name).and_then(|former| self.row(*former));
            self.dead.insert(*slot);
            self.insert(name, *slot, has_texts);
            if let Some(row) = row {
                self.match_row(rows, row);
            }
        }
        if !changes.added.is_empty() {
            for row in std::mem::take(&mut self.missing) {
                self.match_row(rows, row);
            }
        }
        true
    }

    /// Removes the revisions that the catalogue no longer has or that are in the index twice, and returns
    /// their slots.
    pub(super) fn take_dead(&mut self) -> Vec<u32> {
        if self.dead.is_empty() {
            return Vec::new();
        }
        let dead = std::mem::take(&mut self.dead);
        self.indexed.retain(|_, slot| !dead.contains(slot));
        self.titles_only.retain(|slot| !dead.contains(slot));
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

    /// True if the index has the title of an edition only, by the edition's slot.
    pub(super) fn is_title_only(&self, row: u32) -> bool {
        self.slot(row).is_some_and(|slot| self.titles_only.contains(&slot))
    }

    /// The slots of editions of which the index has the title only, in order.
    pub(super) fn titles_only(&self) -> BTreeSet<u32> {
        self.titles_only.iter().filter_map(|slot| self.row(*slot)).collect()
    }

    /// Number of editions that are not in the index.
    pub(super) fn missing_count(&self) -> usize {
        self.missing.len()
    }

    /// The editions that are not in the index.
    pub(super) fn missing<'a>(&'a self, rows: &'a SlotRows) -> impl Iterator<Item = &'a IndexedEdition> {
        self.missing.iter().filter_map(|row| rows.get(*row))
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

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
            all.clone().map(|row| (live.slot(row), live.is_title_only(row))).collect()
        };
        assert_eq!(of_rows(live), of_rows(&new));
        for slot in indexed.keys() {
            assert_eq!(live.row(*slot), new.row(*slot), "{slot}");
        }
        assert_eq!((live.found(), live.titles_only()), (new.found(), new.titles_only()));
        assert_eq!((live.indexed(), live.missing_count()), (new.indexed(), new.missing_count()));
        let missing = |live: &LiveSlots| -> Vec<String> {
            live.missing(rows).map(|edition| edition.urn().to_owned()).collect()
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
        assert!(live.follow_index(&rows, &added(&one, 0)));
        assert!(live.follow_index(&rows, &added(&two, 1)));
        assert!(!live.follow_index(&rows, &added(&one, 1)));
        assert!(!live.follow_index(&rows, &added("no name", 0)));
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
                0 => drop(store.remove(&one.summary.urn, SystemTime::now()).await.unwrap()),
                1 | 2 => drop(store.publish(&one, SystemTime::now()).await.unwrap()),
                3 => {
                    let dead = live.take_dead();
                    removed += dead.len();
                    indexed.retain(|slot, _| !dead.contains(slot));
                }
                _ => {
                    // The builder adds a text that it read a moment ago.
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
                if fetched.follow_index(&rows, &changes(&published, &indexed, &mut state)) {
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
