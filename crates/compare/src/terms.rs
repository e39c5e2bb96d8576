//! Terms of both editions: pairs for the same concept, and whether it was redefined.

use foldhash::HashSet;

use crate::features::normalized;
use crate::units::{Term, TermWording};

impl Term {
    /// Whether two terms have a designation in common. Case is ignored.
    pub(crate) fn names_concept_of(&self, other: &Self) -> bool {
        let folded = |designation: &TermWording| normalized(&designation.text).to_lowercase();
        let known: HashSet<String> = self.designations.iter().map(folded).collect();
        other.designations.iter().any(|designation| known.contains(&folded(designation)))
    }

    /// Whether a term has another definition in the newer edition.
    pub(crate) fn redefined_in(&self, newer: &Self) -> bool {
        let [from, to] = [self, newer]
            .map(|term| term.definitions.iter().map(|d| normalized(&d.text)).collect::<Vec<String>>());
        from != to
    }
}
