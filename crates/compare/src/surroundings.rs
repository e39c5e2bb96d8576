//! Changes around two units: sentences that limit them, footnotes, and neighbours that a word joins with
//! them.

use crate::alignment::{aligned, aligned_by_equality};
use crate::comparison::{Change, Dependency, DependencyKind};
use crate::passages::PassageWords;
use crate::units::{ComparisonUnit, UnitLimit};
use norma_model::Passage;

/// Sentences after the units that limit them, where one was added, dropped or reworded.
pub(crate) fn changed_limits(a: &ComparisonUnit, b: &ComparisonUnit) -> Vec<Change<Option<PassageWords>>> {
    let (older, newer) = (&a.context.limits, &b.context.limits);
    if older.is_empty() && newer.is_empty() {
        return Vec::new();
    }
    let rank = |x: usize, y: usize| usize::from(older[x].hash != newer[y].hash);
    let mut changes = Vec::new();
    for (x, y) in aligned(older.len(), newer.len(), 1, rank) {
        changes.push(Change {
            older: x.map(|x| words_after(a, &older[x])),
            newer: y.map(|y| words_after(b, &newer[y])),
        });
    }
    changes
}

/// The words of a sentence after a unit, which is at the end of the unit's text and not a part of it.
fn words_after(unit: &ComparisonUnit, limit: &UnitLimit) -> PassageWords {
    let end = unit.text.chars().count() as u32;
    PassageWords { text: limit.text.clone(), passage: Passage { in_lead_in: false, start: end, end } }
}

/// Footnotes and joined sentences of two units that changed; `target` are the units by index.
pub(crate) fn changed_around(
    a: &ComparisonUnit,
    b: &ComparisonUnit,
    target: Change<usize>,
) -> Vec<Dependency> {
    let lists = [
        (DependencyKind::Footnote, &a.context.footnotes, &b.context.footnotes),
        (DependencyKind::Sentence, &a.context.neighbours, &b.context.neighbours),
    ];
    let mut found = Vec::new();
    for (kind, older, newer) in lists {
        if older == newer {
            continue;
        }
        let mut dependency = Dependency { kind, target, changed: 0, new: 0, removed: 0, unknown: false };
        for pair in aligned_by_equality(older, newer) {
            match pair {
                (Some(_), Some(_)) => dependency.changed += 1,
                (None, _) => dependency.new += 1,
                (_, None) => dependency.removed += 1,
            }
        }
        // The same ones in another order say the same.
        if dependency.changed + dependency.new + dependency.removed > 0 {
            found.push(dependency);
        }
    }
    found
}
