//! Latest editions: those that no later edition of their document replaces for a viewer.

use super::visible::Visible;
use super::{SharedValues, SlotRows};
use crate::columns::DRAFT;

impl SlotRows {
    /// True if no later edition in one of its languages is visible. A draft is never the latest, and makes no
    /// other edition an earlier one.
    pub(super) fn is_latest(&self, slot: u32, shared: SharedValues, visible: &Visible) -> bool {
        if shared.status == DRAFT {
            return false;
        }
        // Most often there is no later edition, or the viewer may see the next one: that decides without the
        // other editions of the document.
        let Some(next) = self.later[slot as usize] else { return true };
        if visible.contains(next) {
            return false;
        }
        let editions = &self.of_documents[shared.document as usize];
        !editions.iter().any(|other| visible.contains(*other) && self.is_later(*other, slot))
    }

    /// Finds for each edition of a document the next later one.
    pub(super) fn find_later(&mut self, document: u32) {
        // The latest comes first.
        let editions = std::mem::take(&mut self.of_documents[document as usize]);
        for (at, slot) in editions.iter().enumerate() {
            let next = editions[..at].iter().rev().find(|other| self.is_later(**other, *slot));
            self.later[*slot as usize] = next.copied();
        }
        self.of_documents[document as usize] = editions;
    }

    /// True for an edition that is later than another one of the same document, in one of its languages, and
    /// no draft.
    fn is_later(&self, other: u32, slot: u32) -> bool {
        let (Some(other), Some(one)) = (self.get(other), self.get(slot)) else { return false };
        other.shared.status != DRAFT
            && other.edition_key() > one.edition_key()
            && self.share_language(one.shared.languages, other.shared.languages)
    }

    /// True if two sets of languages, by their numbers, have one in common.
    fn share_language(&self, one: u32, other: u32) -> bool {
        let others = self.languages.text(other);
        self.languages.text(one).split(' ').any(|language| others.split(' ').any(|other| other == language))
    }
}
