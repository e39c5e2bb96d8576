//! An index that is open to be changed.

use std::any::Any;
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant, SystemTime};

use norma_model::Urn;
use norma_search::{IndexError, SearchIndex};

use super::live::{AddedRevision, RevisionName};
use super::read_again::ReadAgain;
use super::units::IndexedText;

/// An open index, with what one round of following it leaves to the next.
pub(super) struct OpenIndex {
    pub(super) index: SearchIndex,
    /// The next free slot.
    pub(super) next: u32,
    /// Since when words of removed editions may be in its files.
    pub(super) stale_since: Option<SystemTime>,
    /// True if the log says that it follows the catalogue.
    pub(super) is_reported: bool,
    /// When texts that could not be read are read again.
    pub(super) again: ReadAgain,
    /// Revisions whose rows are damaged, as the log says.
    pub(super) unreadable: HashSet<RevisionName>,
}

impl OpenIndex {
    pub(super) fn new(index: SearchIndex, next: u32) -> Self {
        let now = Instant::now();
        let stale_since = read_stale_since(index.state());
        Self {
            index,
            next,
            // An earlier process may have removed editions.
            stale_since,
            is_reported: false,
            again: ReadAgain::new(now),
            unreadable: HashSet::new(),
        }
    }

    /// Makes all changes durable and visible, with the time since when words of removed editions may be in
    /// the files: a later process continues with it.
    pub(super) fn commit(&mut self) -> Result<(), IndexError> {
        let since = self.stale_since.and_then(|since| since.duration_since(SystemTime::UNIX_EPOCH).ok());
        self.index.commit(&since.map_or_else(String::new, |since| since.as_secs().to_string()))
    }

    /// Adds the units of a text in a slot of its own. The outer error is a panic on the way, which leaves no
    /// unit.
    pub(super) fn add(
        &mut self,
        name: RevisionName,
        urn: &Urn,
        text: &IndexedText,
        has_texts: bool,
    ) -> Result<Result<AddedRevision, IndexError>, String> {
        let slot = self.next;
        self.next += 1;
        let index = &mut self.index;
        let add = || index.add(slot, &name.indexed(has_texts), urn.as_partial(), text.units());
        match catch_unwind(AssertUnwindSafe(add)) {
            Ok(added) => Ok(added.map(|()| AddedRevision { name, slot, has_texts })),
            Err(panic) => {
                self.index.remove(slot);
                Err(panicked(&*panic))
            }
        }
    }
}

/// The time that a commit stored: seconds since 1970, or nothing. An index without a commit is new.
fn read_stale_since(state: Option<&str>) -> Option<SystemTime> {
    let seconds = state?.parse().ok()?;
    Some(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds))
}

/// What a panic says.
pub(super) fn panicked(panic: &(dyn Any + Send)) -> String {
    let said = if let Some(text) = panic.downcast_ref::<String>() {
        text.as_str()
    } else if let Some(text) = panic.downcast_ref::<&str>() {
        text
    } else {
        "no message"
    };
    format!("a flaw in the program: {said}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_over_the_texts_of_one_edition_is_an_error_and_leaves_the_others() {
        let folder = tempfile::tempdir().unwrap();
        let index = SearchIndex::open(folder.path(), 15_000_000, 1).unwrap();
        let mut open = OpenIndex::new(index, 0);
        let flawed = IndexedText::flawed();
        let urn = flawed.urn().clone();
        let name = RevisionName::new(urn.as_str(), "a");
        let problem = open.add(name, &urn, &flawed, true).err().unwrap();
        assert!(problem.contains("a flaw in the program: index out of bounds"), "{problem}");
        let added = open.add(name, &urn, &flawed.into_title(), false).unwrap().unwrap();
        assert!(added.slot == 1 && !added.has_texts);
        open.index.commit("1").unwrap();
        assert_eq!(open.index.reader().editions().unwrap(), [(name.indexed(false), 1)]);
    }

    #[test]
    fn a_later_process_knows_since_when_words_of_removed_editions_are_in_the_files() {
        let folder = tempfile::tempdir().unwrap();
        let opened = || OpenIndex::new(SearchIndex::open(folder.path(), 15_000_000, 1).unwrap(), 0);
        let mut open = opened();
        assert_eq!(open.stale_since, None);
        let since = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
        open.stale_since = Some(since);
        open.commit().unwrap();
        drop(open);
        let mut open = opened();
        assert_eq!(open.stale_since, Some(since));
        open.stale_since = None;
        open.commit().unwrap();
        drop(open);
        assert_eq!(opened().stale_since, None);
    }
}
