//! Polarity: whether a provision states something or its negation.

use norma_model::{Comparator, Passage, ProvisionKind};

use crate::comparison::{Change, Polarity};
use crate::difference::tokens;
use crate::passages::overlaps;
use crate::units::ComparisonUnit;
use crate::vocabulary::{is_limited, negates, said};

/// The polarities of two units, where they differ.
pub(crate) fn polarity(a: &ComparisonUnit, b: &ComparisonUnit) -> Option<Change<Polarity>> {
    let (x, y) = (Negations::of(a), Negations::of(b));
    let alike = || said(&whole(a)) == said(&whole(b));
    let differs = match x.by_form != y.by_form {
        // “not … without” says the same as “with”.
        true => x.is_odd() != y.is_odd() || !alike(),
        false => x.is_odd() != y.is_odd() && alike(),
    };
    let value = |unit: &ComparisonUnit, negations: &Negations, other: &Negations| Polarity {
        negated: if x.by_form == y.by_form { negations.free > other.free } else { negations.by_form },
        form: unit.verbal_form.map(|form| unit.words(form)),
    };
    differs.then(|| Change { older: value(a, &x, &y), newer: value(b, &y, &x) })
}

fn whole(unit: &ComparisonUnit) -> String {
    [unit.lead_in.as_deref().unwrap_or_default(), &unit.text].join(" ")
}

struct Negations {
    /// Whether the verbal form is negative, and not a part of a limit.
    by_form: bool,
    /// Negating words elsewhere, conditions aside.
    free: usize,
}

impl Negations {
    fn of(unit: &ComparisonUnit) -> Self {
        let (mut free, mut in_form, mut limited) = (0_usize, false, false);
        for in_lead_in in [true, false] {
            let tokens = tokens(unit.part(in_lead_in));
            let lower: Vec<String> = tokens.iter().map(|token| token.text.to_lowercase()).collect();
            for (index, token) in tokens.iter().enumerate() {
                let within = |passages: &[Passage]| {
                    passages.iter().any(|passage| overlaps(passage, in_lead_in, token.span))
                };
                if within(&unit.conditions) {
                    continue;
                }
                limited |= is_limited(&lower[index]);
                let next = lower.get(index + 1).map(String::as_str);
                if negates(&lower[index], next) {
                    match within(unit.verbal_form.as_slice()) {
                        true => in_form = true,
                        false => free += 1,
                    }
                }
            }
        }
        // The reader knows a form as negative by a word in another place: “On no account shall …”.
        if unit.negated && !in_form {
            free = free.saturating_sub(1);
        }
        let is_limit = |comparator| matches!(comparator, Comparator::AtMost | Comparator::AtLeast);
        let in_limit =
            limited && unit.quantities.iter().any(|quantity| quantity.comparator.is_some_and(is_limit));
        // “need not” allows something, and denies only the duty.
        let allows = unit.kind == Some(ProvisionKind::Permission);
        Self { by_form: unit.negated && !in_limit && !allows, free }
    }

    fn is_odd(&self) -> bool {
        self.by_form != (self.free % 2 == 1)
    }
}
