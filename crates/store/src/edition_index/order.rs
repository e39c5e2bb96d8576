//! Slots in their orders, which follow changes of many editions at once.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::rare::within;
use super::{ChangedSlot, IndexedEdition, SlotRows};
use crate::page::Sort;

/// The orders that slots are kept in.
#[derive(Clone, Copy)]
pub(super) enum SlotOrder {
    Urn,
    By(Sort),
    Changed,
}

pub(super) const ORDERS: [SlotOrder; 5] = [
    SlotOrder::Urn,
    SlotOrder::By(Sort::Reference),
    SlotOrder::By(Sort::Published),
    SlotOrder::By(Sort::Updated),
    SlotOrder::Changed,
];

/// The number of [`SlotOrder::Changed`] in [`ORDERS`].
pub(super) const CHANGED: usize = 4;

impl SlotRows {
    /// Puts all slots in order.
    pub(super) fn sort(&mut self) {
        let mut taken: Vec<u32> =
            (0..self.slots.len() as u32).filter(|slot| self.get(*slot).is_some()).collect();
        let id = |slot: u32| self.get(slot).map(|one| one.id);
        taken.sort_by(|a, b| self.compare_urns(*a, *b).then_with(|| id(*b).cmp(&id(*a))));
        // An edition that was removed and published again while rows were read is there twice: the later row
        // counts.
        let mut earlier = Vec::new();
        taken.dedup_by(|slot, later| {
            let is_same = self.compare_urns(*slot, *later).is_eq();
            earlier.extend(is_same.then_some(*slot));
            is_same
        });
        for slot in &earlier {
            self.slots[*slot as usize] = None;
        }
        self.free = earlier;
        let mut of_documents = vec![Vec::new(); self.documents.texts.len()];
        for slot in &taken {
            if let Some(edition) = self.get(*slot) {
                of_documents[edition.shared.document as usize].push(*slot);
            }
        }
        for slots in &mut of_documents {
            slots.sort_by(|a, b| self.latest_first(*a, *b));
        }
        self.of_documents = of_documents;
        self.shared = self.slots.iter().map(|edition| edition.as_ref().map(|one| one.shared)).collect();
        self.later = vec![None; self.slots.len()];
        for document in 0..self.of_documents.len() as u32 {
            self.find_later(document);
        }
        // Equal keys stay in the order of their URNs: the sort is stable.
        self.orders = ORDERS.map(|order| {
            let mut slots = taken.clone();
            slots.sort_by(|a, b| self.compare_keys(order, *a, *b));
            slots
        });
    }

    fn compare(&self, order: SlotOrder, a: u32, b: u32) -> Ordering {
        self.compare_keys(order, a, b).then_with(|| self.compare_urns(a, b))
    }

    fn compare_urns(&self, a: u32, b: u32) -> Ordering {
        self.urn_in(a).cmp(&self.urn_in(b))
    }

    fn compare_keys(&self, order: SlotOrder, a: u32, b: u32) -> Ordering {
        let (Some(a), Some(b)) = (self.get(a), self.get(b)) else { return a.cmp(&b) };
        match order {
            SlotOrder::Urn => Ordering::Equal,
            SlotOrder::By(Sort::Reference) => a.sort_key().cmp(b.sort_key()),
            SlotOrder::By(Sort::Published) => a.published_on().cmp(b.published_on()),
            SlotOrder::By(Sort::Updated) => a.updated.cmp(&b.updated),
            SlotOrder::Changed => {
                a.changed.cmp(&b.changed).then_with(|| within(a.urn()).cmp(&within(b.urn())))
            }
        }
    }

    /// The order of the editions of one document.
    fn latest_first(&self, a: u32, b: u32) -> Ordering {
        let key = |slot| self.get(slot).map(IndexedEdition::edition_key);
        key(b).cmp(&key(a)).then(a.cmp(&b))
    }

    /// Removes the editions with these URNs, and adds others.
    pub(super) fn replace(&mut self, removed: &[String], added: Vec<IndexedEdition>) {
        let mut slots: Vec<u32> = removed.iter().filter_map(|urn| self.slot(urn)).collect();
        slots.sort_unstable();
        slots.dedup();
        for (number, order) in ORDERS.into_iter().enumerate() {
            let mut positions = Vec::with_capacity(slots.len());
            for slot in &slots {
                positions
                    .extend(self.orders[number].binary_search_by(|one| self.compare(order, *one, *slot)));
            }
            positions.sort_unstable();
            remove_at(&mut self.orders[number], &positions);
        }
        let mut documents: BTreeSet<u32> = added.iter().map(|edition| edition.shared.document).collect();
        for slot in slots {
            documents.extend(self.take(slot));
        }
        let mut slots: Vec<u32> = added.into_iter().map(|edition| self.put(edition)).collect();
        for (number, order) in ORDERS.into_iter().enumerate() {
            slots.sort_by(|a, b| self.compare(order, *a, *b));
            let known = &self.orders[number];
            let position = |slot: u32| known.partition_point(|one| self.compare(order, *one, slot).is_lt());
            let inserted: Vec<(usize, u32)> = slots.iter().map(|slot| (position(*slot), *slot)).collect();
            insert_at(&mut self.orders[number], &inserted);
        }
        for document in documents {
            self.find_later(document);
        }
    }

    /// Removes the edition of a slot, which is in no order any more, and returns its document.
    fn take(&mut self, slot: u32) -> Option<u32> {
        let edition = self.slots[slot as usize].take()?;
        let document = edition.shared.document;
        self.shared[slot as usize] = None;
        self.of_documents[document as usize].retain(|one| *one != slot);
        self.free.push(slot);
        self.note(ChangedSlot { slot, document });
        Some(document)
    }

    /// Gives an edition a slot, which is in no order yet.
    fn put(&mut self, edition: IndexedEdition) -> u32 {
        let (shared, document) = (edition.shared, edition.shared.document);
        let slot = match self.free.pop() {
            Some(slot) => slot,
            None => {
                self.slots.push(None);
                self.shared.push(None);
                self.later.push(None);
                u32::try_from(self.slots.len() - 1).unwrap_or(u32::MAX)
            }
        };
        self.slots[slot as usize] = Some(edition);
        self.shared[slot as usize] = Some(shared);
        self.of_documents.resize(self.documents.texts.len(), Vec::new());
        let editions = &self.of_documents[document as usize];
        let at = editions.partition_point(|one| self.latest_first(*one, slot).is_lt());
        self.of_documents[document as usize].insert(at, slot);
        self.note(ChangedSlot { slot, document });
        slot
    }
}

/// Removes the items at these positions, which are in order. What follows moves once, whether one is removed
/// or 500.
fn remove_at(items: &mut Vec<u32>, positions: &[usize]) {
    let Some(&first) = positions.first() else { return };
    let mut end = first;
    for (number, position) in positions.iter().enumerate() {
        let next = positions.get(number + 1).copied().unwrap_or(items.len());
        items.copy_within(position + 1..next, end);
        end += next - position - 1;
    }
    items.truncate(end);
}

/// Inserts items, each before the one that is at its position now. Positions are in order.
fn insert_at(items: &mut Vec<u32>, inserted: &[(usize, u32)]) {
    let mut end = items.len();
    items.resize(end + inserted.len(), 0);
    for (number, (position, item)) in inserted.iter().enumerate().rev() {
        items.copy_within(*position..end, position + number + 1);
        items[position + number] = *item;
        end = *position;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All sorted lists of items below `most`.
    fn subsets(most: u32) -> Vec<Vec<u32>> {
        (0..1_u32 << most).map(|set| (0..most).filter(|item| set & (1 << item) != 0).collect()).collect()
    }

    #[test]
    fn items_are_removed_at_their_positions() {
        for removed in subsets(7) {
            let mut items: Vec<u32> = (0..7).collect();
            let positions: Vec<usize> = removed.iter().map(|one| *one as usize).collect();
            remove_at(&mut items, &positions);
            let expected: Vec<u32> = (0..7).filter(|item| !removed.contains(item)).collect();
            assert_eq!(items, expected, "{removed:?}");
        }
    }

    #[test]
    fn items_are_inserted_at_their_positions() {
        for inserted in subsets(7) {
            let mut items: Vec<u32> = (0..7).filter(|item| !inserted.contains(item)).collect();
            let position = |item: &u32| items.partition_point(|one| one < item);
            let positions: Vec<(usize, u32)> = inserted.iter().map(|item| (position(item), *item)).collect();
            insert_at(&mut items, &positions);
            assert_eq!(items, (0..7).collect::<Vec<_>>(), "{inserted:?}");
        }
    }
}
