//! Changes of limits that have no value: words that became their opposite, and words such as `only`.

use norma_model::Passage;

use crate::comparison::{Bound, Change};
use crate::difference::tokens;
use crate::passages::{PassageEdit, PassageWords, overlaps_any};
use crate::units::ComparisonUnit;
use crate::vocabulary::{are_opposite, is_restriction, join_otherwise, lower_words};

/// Limiting words that became their opposite: `before` and `after`.
pub(crate) fn opposite_words(
    a: &ComparisonUnit,
    b: &ComparisonUnit,
    edits: &[PassageEdit],
) -> Vec<Change<Bound>> {
    if edits.is_empty() {
        return Vec::new();
    }
    let (older_references, newer_references) = (a.reference_passages(), b.reference_passages());
    let mut found = Vec::new();
    for edit in edits {
        // The words of a reference are a name, and limit nothing.
        if overlaps_any(&older_references, edit.older) || overlaps_any(&newer_references, edit.newer) {
            continue;
        }
        let (older, newer) = (a.words(edit.older), b.words(edit.newer));
        let ([x], [y]) = (&lower_words(&older.text)[..], &lower_words(&newer.text)[..]) else { continue };
        // “if it is wet and cold” is another condition than “if it is wet or cold”.
        let in_condition = overlaps_any(&a.conditions, edit.older) || overlaps_any(&b.conditions, edit.newer);
        if are_opposite(x, y) || join_otherwise(x, y) && !in_condition {
            found.push(Change { older: bound(older), newer: bound(newer) });
        }
    }
    found
}

/// Words that restrict a provision, such as `only`, that were added or dropped. The side without it has no
/// words.
pub(crate) fn restricting_words(
    a: &ComparisonUnit,
    b: &ComparisonUnit,
    edits: &[PassageEdit],
) -> Vec<Change<Bound>> {
    let mut found = Vec::new();
    for edit in edits {
        let (older, newer) = match (restriction(a, edit.older), restriction(b, edit.newer)) {
            (Some(dropped), None) => (dropped, start_of(edit.newer)),
            (None, Some(added)) => (start_of(edit.older), added),
            _ => continue,
        };
        found.push(Change { older: bound(a.words(older)), newer: bound(b.words(newer)) });
    }
    // A word that only moved was neither added nor dropped.
    if !found.is_empty() && restrictions(a) == restrictions(b) {
        found.clear();
    }
    found
}

fn bound(words: PassageWords) -> Bound {
    Bound { comparator: None, words }
}

/// The position at which a word that is not there would be.
fn start_of(passage: Passage) -> Passage {
    Passage { end: passage.start, ..passage }
}

/// The first word in a passage that restricts.
fn restriction(unit: &ComparisonUnit, passage: Passage) -> Option<Passage> {
    let words = unit.words(passage);
    for token in tokens(&words.text) {
        if is_restriction(&token.text.to_lowercase()) {
            let start = passage.start + token.span.start as u32;
            let end = passage.start + token.span.end as u32;
            return Some(Passage { start, end, ..passage });
        }
    }
    None
}

/// Number of words of a unit that restrict.
fn restrictions(unit: &ComparisonUnit) -> usize {
    let mut count = 0;
    for in_lead_in in [true, false] {
        for word in lower_words(unit.part(in_lead_in)) {
            count += usize::from(is_restriction(&word));
        }
    }
    count
}
