//! Changes of quantities: another value, unit or tolerance, or another comparator of the same value.

use norma_model::{Comparator, Quantity};

use crate::alignment::aligned;
use crate::comparison::{Amount, Bound, Change};
use crate::measure::MeasureValue;
use crate::units::ComparisonUnit;

/// What changed in the quantities of two units.
#[derive(Default)]
pub(crate) struct QuantityChanges {
    /// Quantities with another value, unit or tolerance.
    pub(crate) values: Vec<Change<Option<Amount>>>,
    /// Quantities with another comparator.
    pub(crate) bounds: Vec<Change<Bound>>,
}

/// Compares the quantities that were read in two units.
pub(crate) fn changed_quantities(
    older: &[Quantity],
    newer: &[Quantity],
    a: &ComparisonUnit,
    b: &ComparisonUnit,
) -> QuantityChanges {
    let older_values: Vec<MeasureValue> = older.iter().map(MeasureValue::new).collect();
    let newer_values: Vec<MeasureValue> = newer.iter().map(MeasureValue::new).collect();
    let rank = |x: usize, y: usize| {
        if older_values[x].says(&newer_values[y]) {
            usize::from(older[x].comparator != newer[y].comparator)
        } else if older_values[x].kind == newer_values[y].kind {
            2
        } else {
            3
        }
    };
    let mut changes = QuantityChanges::default();
    for (x, y) in aligned(older.len(), newer.len(), 3, rank) {
        if let (Some(x), Some(y)) = (x, y) {
            if has_other_bound(&older[x], &newer[y]) {
                changes.bounds.push(Change { older: bound(&older[x], a), newer: bound(&newer[y], b) });
            }
            if older_values[x].says(&newer_values[y]) {
                continue;
            }
        }
        changes
            .values
            .push(Change { older: x.map(|x| amount(&older[x], a)), newer: y.map(|y| amount(&newer[y], b)) });
    }
    changes
}

fn bound(quantity: &Quantity, unit: &ComparisonUnit) -> Bound {
    Bound { comparator: quantity.comparator, words: unit.words(quantity.passage) }
}

fn amount(quantity: &Quantity, unit: &ComparisonUnit) -> Amount {
    Amount { quantity: quantity.clone(), text: unit.words(quantity.passage).text }
}

/// Two quantities limit differently if both state a comparator, and not the same. A comparator that is not
/// stated is not known to differ.
fn has_other_bound(older: &Quantity, newer: &Quantity) -> bool {
    let (Some(before), Some(after)) = (older.comparator, newer.comparator) else { return false };
    before != after && !is_end_of_range([before, after])
}

/// One of two comparators is that of a range and the other one that of a single value: the second end of the
/// range then counts as a change of the value.
fn is_end_of_range(comparators: [Comparator; 2]) -> bool {
    comparators.contains(&Comparator::Between) && comparators.contains(&Comparator::Equal)
}

/// What differs between two single quantities, such as those of cells.
#[derive(Clone, Copy, Default)]
pub(crate) struct QuantityDifference {
    /// The value, unit or tolerance differs.
    pub(crate) value: bool,
    /// The comparator differs, or only one of the two states it.
    pub(crate) comparator: bool,
}

impl QuantityDifference {
    pub(crate) fn of(a: &Quantity, b: &Quantity) -> Self {
        let same_value = MeasureValue::new(a).says(&MeasureValue::new(b));
        Self { value: !same_value, comparator: a.comparator != b.comparator }
    }
}
