//! Changes of conditions: those that the reader of provisions lists, and exceptions that were added or
//! dropped without being listed.

use norma_model::Passage;

use crate::alignment::aligned_by_equality;
use crate::comparison::Change;
use crate::passages::{PassageEdit, PassageWords, overlaps_any};
use crate::units::ComparisonUnit;
use crate::vocabulary::{ConditionWords, content, is_exception};

/// Conditions that were added, dropped or reworded. A value or reference within one that changed is a change
/// of its own.
pub(crate) fn changed_conditions(
    a: &ComparisonUnit,
    b: &ComparisonUnit,
    edits: &[PassageEdit],
) -> Vec<Change<Option<PassageWords>>> {
    let (older, newer) = (conditions(a), conditions(b));
    let mut changes = Vec::new();
    for pair in aligned_by_equality(&older, &newer) {
        // The reader may list a condition in one edition alone, where the words are in both.
        match pair {
            (Some(x), None) if are_words_of(&older[x].content, b) => continue,
            (None, Some(y)) if are_words_of(&newer[y].content, a) => continue,
            _ => {}
        }
        let (x, y) = pair;
        changes.push(Change {
            older: x.map(|x| a.words(a.conditions[x])),
            newer: y.map(|y| b.words(b.conditions[y])),
        });
    }
    for edit in edits {
        changes.extend(exception(a, b, *edit));
    }
    changes
}

/// The conditions of a unit without their values and references.
fn conditions(unit: &ComparisonUnit) -> Vec<ConditionWords> {
    let mut masks = unit.reference_passages();
    for quantity in &unit.quantities {
        masks.push(quantity.passage);
    }
    let mut conditions = Vec::with_capacity(unit.conditions.len());
    for passage in &unit.conditions {
        conditions.push(ConditionWords::of(&unit.words_without(*passage, &masks)));
    }
    conditions
}

/// Added or dropped words that begin like an exception, which the reader does not list: “, except on
/// Sundays”.
fn exception(
    a: &ComparisonUnit,
    b: &ComparisonUnit,
    edit: PassageEdit,
) -> Option<Change<Option<PassageWords>>> {
    let is_dropped = edit.older.start < edit.older.end;
    let is_added = edit.newer.start < edit.newer.end;
    // Words that replace others are no exception by themselves.
    if is_dropped == is_added {
        return None;
    }
    let (unit, passage) = if is_dropped { (a, edit.older) } else { (b, edit.newer) };
    if overlaps_any(&unit.conditions, passage) {
        return None;
    }
    let words = unit.words(passage);
    let bare = words.text.trim_start_matches([',', ' ']);
    if !is_exception(bare) {
        return None;
    }
    let skipped = (words.text.chars().count() - bare.chars().count()) as u32;
    let passage = Passage { start: passage.start + skipped, ..passage };
    let exception = Some(PassageWords { text: bare.into(), passage });
    Some(if is_dropped {
        Change { older: exception, newer: None }
    } else {
        Change { older: None, newer: exception }
    })
}

/// All of some words are in a unit; without words this says nothing and is false.
pub(crate) fn are_words_of(words: &[String], unit: &ComparisonUnit) -> bool {
    if words.is_empty() {
        return false;
    }
    let all = content(&unit.lead_in_and_text());
    words.iter().all(|word| all.contains(word))
}
