//! Polarity: whether a provision states something or its negation.

use norma_model::{Comparator, ProvisionKind};

use crate::comparison::{Change, Polarity};
use crate::difference::{lower_case, tokens};
use crate::passages::overlaps_any;
use crate::units::ComparisonUnit;
use crate::vocabulary::{is_limited, negates, said};

/// The polarities of two units, where they differ.
pub(crate) fn polarity(a: &ComparisonUnit, b: &ComparisonUnit) -> Option<Change<Polarity>> {
    let (older, newer) = (Negations::of(a), Negations::of(b));
    let same_form = older.by_form == newer.by_form;
    let same_sense = older.is_odd() == newer.is_odd();
    // “not … without” says the same as “with”, if all other words are the same.
    if same_sense && (same_form || say_the_same(a, b)) {
        return None;
    }
    // Negations elsewhere may be those of words that differ anyway.
    if same_form && !say_the_same(a, b) {
        return None;
    }
    let (older_negated, newer_negated) = if same_form {
        (older.free > newer.free, newer.free > older.free)
    } else {
        (older.by_form, newer.by_form)
    };
    Some(Change { older: with_form(a, older_negated), newer: with_form(b, newer_negated) })
}

fn with_form(unit: &ComparisonUnit, negated: bool) -> Polarity {
    Polarity { negated, form: unit.verbal_form.map(|form| unit.words(form)) }
}

/// Two units say the same if they have the same words without verbal forms, negations and what replaces them.
fn say_the_same(a: &ComparisonUnit, b: &ComparisonUnit) -> bool {
    said(&a.lead_in_and_text()) == said(&b.lead_in_and_text())
}

/// The negations of a unit.
struct Negations {
    /// The verbal form is negative, and not a part of a limit such as “shall not exceed”.
    by_form: bool,
    /// Number of negating words elsewhere, conditions aside.
    free: usize,
}

impl Negations {
    fn of(unit: &ComparisonUnit) -> Self {
        let form = unit.verbal_form.as_slice();
        let mut free = 0_usize;
        let mut in_form = false;
        let mut limited = false;
        for in_lead_in in [true, false] {
            let tokens = tokens(unit.part(in_lead_in));
            let lower = lower_case(&tokens);
            for (index, token) in tokens.iter().enumerate() {
                let passage = token.span.passage(in_lead_in);
                if overlaps_any(&unit.conditions, passage) {
                    continue;
                }
                limited |= is_limited(&lower[index]);
                let next = lower.get(index + 1).map(String::as_str);
                if !negates(&lower[index], next) {
                    continue;
                }
                if overlaps_any(form, passage) {
                    in_form = true;
                } else {
                    free += 1;
                }
            }
        }
        // The reader knows a form as negative by a word in another place: “On no account shall …”.
        if unit.negated && !in_form {
            free = free.saturating_sub(1);
        }
        let in_limit = limited && has_limit(unit);
        // “need not” allows something, and denies only the duty.
        let allows = unit.kind == Some(ProvisionKind::Permission);
        Self { by_form: unit.negated && !in_limit && !allows, free }
    }

    /// An odd number of negations negates; an even one does not.
    fn is_odd(&self) -> bool {
        self.by_form != (self.free % 2 == 1)
    }
}

fn has_limit(unit: &ComparisonUnit) -> bool {
    let mut comparators = unit.quantities.iter().map(|quantity| quantity.comparator);
    comparators.any(|comparator| matches!(comparator, Some(Comparator::AtMost | Comparator::AtLeast)))
}
