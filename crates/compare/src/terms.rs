//! Terms of both editions: pairs for the same concept, and whether it was redefined.

use foldhash::HashSet;
use norma_model::Term;

use crate::features::normalized;

/// Two terms are one concept if they have a designation in common. Case is ignored.
pub(crate) fn are_one_concept(a: &Term, b: &Term) -> bool {
    let of_a: HashSet<String> = folded_designations(a).collect();
    folded_designations(b).any(|designation| of_a.contains(&designation))
}

fn folded_designations(term: &Term) -> impl Iterator<Item = String> {
    term.designations.iter().map(|designation| normalized(&designation.text).to_lowercase())
}

/// A term is redefined if it has another definition in the newer edition.
pub(crate) fn is_redefined(older: &Term, newer: &Term) -> bool {
    definitions(older) != definitions(newer)
}

fn definitions(term: &Term) -> Vec<String> {
    term.definitions.iter().map(|definition| normalized(&definition.text)).collect()
}
