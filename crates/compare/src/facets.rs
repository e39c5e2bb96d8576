//! Facets: the changes in a pair of units, each kind separately.

use crate::bounds::{opposite_words, restricting_words};
use crate::comparison::{Change, Facets, Strength};
use crate::conditions::changed_conditions;
use crate::measure_words::quantities_with_words;
use crate::passages::PassageEdit;
use crate::polarity::polarity;
use crate::quantities::changed_quantities;
use crate::reference_names::ReferenceNames;
use crate::sections::SectionLinks;
use crate::subjects::{changed_agent, changed_subject};
use crate::surroundings::changed_limits;
use crate::terms::{are_one_concept, is_redefined};
use crate::units::{ComparisonUnit, Units};

/// Both editions with what corresponds in them.
pub(crate) struct FacetContext<'a> {
    pub(crate) older: &'a Units,
    pub(crate) newer: &'a Units,
    /// The section that represents each section, in both editions.
    pub(crate) homes: [&'a [u32]; 2],
    pub(crate) links: &'a SectionLinks,
    pub(crate) reference_names: &'a ReferenceNames,
}

impl FacetContext<'_> {
    /// The changes in a pair of units whose words differ by `edits`, without those in their dependencies.
    pub(crate) fn facets(&self, a: &ComparisonUnit, b: &ComparisonUnit, edits: &[PassageEdit]) -> Facets {
        // Equal words measure the same, so only other ones are read again.
        let mut quantities = if edits.is_empty() {
            changed_quantities(&a.quantities, &b.quantities, a, b)
        } else {
            changed_quantities(&quantities_with_words(a), &quantities_with_words(b), a, b)
        };
        if quantities.bounds.is_empty() {
            quantities.bounds = opposite_words(a, b, edits);
            quantities.bounds.extend(restricting_words(a, b, edits));
        }
        let mut subject = changed_subject(a, b);
        if subject.is_none() && !edits.is_empty() {
            subject = changed_agent(a, b);
        }
        let mut conditions = changed_conditions(a, b, edits);
        conditions.extend(changed_limits(a, b));
        Facets {
            moved: self.moved(a, b),
            strength: changed_strength(a, b).map(Box::new),
            normative: self.normative(a, b),
            negation: polarity(a, b).map(Box::new),
            quantities: quantities.values,
            bounds: quantities.bounds,
            conditions,
            subject: subject.map(Box::new),
            references: self.references(a, b),
            terms: self.terms(a, b),
            depends_on: Vec::new(),
        }
    }

    /// The sections, where they do not correspond.
    fn moved(&self, a: &ComparisonUnit, b: &ComparisonUnit) -> Option<Change<usize>> {
        let (from, to) = (self.homes[0][a.section], self.homes[1][b.section]);
        if self.links.linked(from, to) {
            return None;
        }
        Some(Change { older: a.section, newer: b.section })
    }

    /// The status of the sections, where both are known and differ.
    fn normative(&self, a: &ComparisonUnit, b: &ComparisonUnit) -> Option<Change<bool>> {
        let older = self.older.sections[a.section].normative?;
        let newer = self.newer.sections[b.section].normative?;
        (older != newer).then_some(Change { older, newer })
    }

    /// Terms that both units or their contexts use, with another definition in the newer edition.
    fn terms(&self, a: &ComparisonUnit, b: &ComparisonUnit) -> Vec<Change<usize>> {
        let mut found: Vec<Change<usize>> = Vec::new();
        for &older in a.terms.iter().chain(&a.context.terms) {
            let term = &self.older.terms[older];
            // Two concepts can share a designation: the one with the same definition was not changed.
            let mut redefined = None;
            let mut is_unchanged = false;
            for &newer in b.terms.iter().chain(&b.context.terms) {
                let other = &self.newer.terms[newer];
                if !are_one_concept(term, other) {
                    continue;
                }
                if is_redefined(term, other) {
                    redefined.get_or_insert(newer);
                } else {
                    is_unchanged = true;
                }
            }
            let Some(newer) = redefined.filter(|_| !is_unchanged) else { continue };
            let change = Change { older, newer };
            if !found.contains(&change) {
                found.push(change);
            }
        }
        found
    }
}

/// The types of two units with their verbal forms, where the types differ.
fn changed_strength(a: &ComparisonUnit, b: &ComparisonUnit) -> Option<Change<Strength>> {
    if a.kind == b.kind {
        return None;
    }
    Some(Change { older: strength(a), newer: strength(b) })
}

fn strength(unit: &ComparisonUnit) -> Strength {
    Strength { kind: unit.kind, form: unit.verbal_form.map(|form| unit.words(form)) }
}
