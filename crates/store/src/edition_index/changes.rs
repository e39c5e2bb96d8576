//! The changes that a viewer sees, in the order of their keys.

use std::sync::Arc;

use super::order::CHANGED;
use super::rare::{ChangeKey, Leave, RareSubject};
use super::{IndexedEdition, SlotRows, Visible};
use crate::access::Rights;

/// The last change of an edition that a viewer sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SeenChange {
    pub(crate) key: ChangeKey,
    pub(crate) urn: Arc<str>,
    pub(crate) subject: ChangedSubject,
}

/// What became of the edition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChangedSubject {
    /// It is there; the row of this number has it, and its own last change has the other number.
    Present { id: i64, changed: i64 },
    /// It was recalled.
    Recalled,
    /// It was removed, or the viewer's grants do not cover it any more, since it changed.
    Removed,
}

/// Some of the changes that a viewer sees.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SeenChanges {
    /// In the order of their keys.
    pub(crate) changes: Vec<SeenChange>,
    /// There are more after them.
    pub(crate) has_more: bool,
    /// The index has later changes of some of the viewer's editions, which are left out.
    pub(crate) is_behind: bool,
}

/// The index as a viewer sees it.
struct Seen<'i> {
    rows: &'i SlotRows,
    visible: &'i Visible,
    rights: &'i Rights,
}

impl SlotRows {
    /// Number of the last change among visible editions.
    pub(super) fn last_change(&self, visible: &Visible) -> i64 {
        let last = self.orders[CHANGED].iter().rev().find(|slot| visible.contains(**slot));
        last.and_then(|slot| self.get(*slot)).map_or(0, |one| one.changed)
    }

    /// The changes after a key that a viewer sees: at most `limit`, the first ones. Each
    /// edition is there once, by the last change among them. Changes that the index does not have completely
    /// yet are left out.
    pub(crate) fn changes(
        &self,
        (visible, rights): (&Visible, &Rights),
        since: ChangeKey,
        limit: usize,
    ) -> SeenChanges {
        let seen = Seen { rows: self, visible, rights };
        let mut slots = seen.slots(since).peekable();
        let mut rare = seen.rare(since).peekable();
        let is_behind = visible.last_change() > self.complete_to;
        let mut found = SeenChanges { is_behind, ..SeenChanges::default() };
        loop {
            let next = match (slots.peek(), rare.peek()) {
                (Some(slot), Some(other)) if other.key < slot.key => rare.next(),
                (Some(_), _) => slots.next(),
                (None, _) => rare.next(),
            };
            let Some(change) = next else { return found };
            // An amendment changed after the edition itself: what is said of the edition is of both.
            if let Some(earlier) = found.changes.iter().position(|one| one.urn == change.urn) {
                found.changes.remove(earlier);
            }
            if found.changes.len() == limit {
                found.has_more = true;
                return found;
            }
            found.changes.push(change);
        }
    }

    /// True if no change after a key can be one that a viewer sees, which takes no search.
    pub(crate) fn has_no_change(&self, visible: &Visible, since: ChangeKey) -> bool {
        let is_later = |one: &IndexedEdition| ChangeKey::new(one.changed, one.urn()) > since;
        let mut at_once = self.changed_from(since.number).take_while(|(_, one)| one.changed == since.number);
        visible.last_change() <= since.number
            && !at_once.any(|(slot, one)| visible.contains(slot) && is_later(one))
            && self.rare.between(since, self.complete_to).next().is_none()
    }

    /// The key of the last change that a viewer sees.
    pub(crate) fn last_seen(&self, visible: &Visible, rights: &Rights) -> ChangeKey {
        let seen = Seen { rows: self, visible, rights };
        let slot = self.orders[CHANGED].iter().rev().filter_map(|slot| seen.slot(*slot)).next();
        let from = ChangeKey::default();
        let rare = self.rare.between(from, self.complete_to).rev().find_map(|one| seen.rare_change(one));
        let keys = [slot, rare].into_iter().flatten().map(|change| change.key);
        keys.max().unwrap_or_default()
    }

    /// The slots of editions that changed with this number or a later one, in order.
    fn changed_from(&self, number: i64) -> impl Iterator<Item = (u32, &IndexedEdition)> {
        let order = &self.orders[CHANGED];
        let begin = order.partition_point(|slot| self.get(*slot).is_some_and(|one| one.changed < number));
        order[begin..].iter().filter_map(|slot| Some((*slot, self.get(*slot)?)))
    }
}

impl<'i> Seen<'i> {
    fn sees(&self, urn: &str) -> bool {
        self.rows.slot(urn).is_some_and(|slot| self.visible.contains(slot))
    }

    /// Own changes of visible editions after a key.
    fn slots(&self, since: ChangeKey) -> impl Iterator<Item = SeenChange> {
        let changed = self.rows.changed_from(since.number);
        let seen = changed.filter_map(|(slot, _)| self.slot(slot));
        seen.filter(move |change| change.key > since)
    }

    /// The own change of the edition in a slot, if it is visible.
    fn slot(&self, slot: u32) -> Option<SeenChange> {
        if !self.visible.contains(slot) {
            return None;
        }
        let one = self.rows.get(slot)?;
        if one.changed > self.rows.complete_to {
            return None;
        }
        let subject = ChangedSubject::Present { id: one.id, changed: one.changed };
        let key = ChangeKey::new(one.changed, one.urn());
        Some(SeenChange { key, urn: one.urn().into(), subject })
    }

    fn last_amended(&self, urn: &str) -> Option<i64> {
        self.rows.rare.last_amended(urn, self.rights, |urn| self.sees(urn))
    }

    fn rare(&self, since: ChangeKey) -> impl Iterator<Item = SeenChange> {
        self.rows.rare.between(since, self.rows.complete_to).filter_map(|one| self.rare_change(one))
    }

    /// A rare change, if the viewer sees it and it is the last one of its edition.
    fn rare_change(&self, (key, subject): &(ChangeKey, RareSubject)) -> Option<SeenChange> {
        match subject {
            RareSubject::Gone(urn) => {
                if self.sees(urn) {
                    return None;
                }
                let Leave { number: last, is_recalled } = self.rows.rare.leave(urn, self.rights)?;
                let subject = if is_recalled { ChangedSubject::Recalled } else { ChangedSubject::Removed };
                let urn = Arc::clone(urn);
                (last == key.number).then_some(SeenChange { key: *key, urn, subject })
            }
            RareSubject::Amended(urn) => {
                let slot = self.rows.slot(urn).filter(|slot| self.visible.contains(*slot))?;
                let one = self.rows.get(slot)?;
                if self.last_amended(urn) != Some(key.number) || one.changed >= key.number {
                    return None;
                }
                let subject = ChangedSubject::Present { id: one.id, changed: one.changed };
                Some(SeenChange { key: *key, urn: Arc::clone(urn), subject })
            }
        }
    }
}
