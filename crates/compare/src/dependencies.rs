//! Dependencies: what both units of a pair refer to, itself or through sections that did not change, and the
//! changes in it.

use std::collections::VecDeque;

use foldhash::HashSet;

use crate::comparison::{Change, Dependency, DependencyKind, Link, UnitRelation};
use crate::facets::FacetContext;
use crate::reach::{ReferenceReach, TargetPair};
use crate::units::{ComparisonUnit, UnitTarget};

/// Most steps from a unit to a target: what it refers to is one step away. Beyond them the extent of a change
/// is unknown.
const MOST_STEPS: usize = 3;

/// Adds to each pair what it depends on.
pub(crate) fn add_dependencies(context: &FacetContext<'_>, reach: &ReferenceReach<'_>, links: &mut [Link]) {
    for link in links {
        if !matches!(link.relation, UnitRelation::Same | UnitRelation::Reworded) {
            continue;
        }
        let (a, b) = (&context.older.units[link.older], &context.newer.units[link.newer]);
        let named = named_by_both(context, reach, a, b);
        let found = &mut link.facets.depends_on;
        if !named.is_empty() {
            found.extend(followed(reach, named, [a.section, b.section]));
        }
        for &target in &link.facets.terms {
            let kind = DependencyKind::Term;
            found.push(Dependency { kind, target, changed: 1, new: 0, removed: 0, unknown: false });
        }
        found.sort_by_key(order);
    }
}

/// The key by which dependencies are sorted, which is the same for exchanged editions.
fn order(dependency: &Dependency) -> (DependencyKind, usize, usize) {
    let Change { older, newer } = dependency.target;
    (dependency.kind, older.min(newer), older.max(newer))
}

impl ComparisonUnit {
    /// What the unit and its context refer to.
    pub(crate) fn targets(&self) -> impl Iterator<Item = &UnitTarget> {
        let own = self.references.iter().filter_map(|reference| reference.target.as_ref());
        own.chain(&self.context.targets)
    }
}

/// The targets of both units that may lead to a change, each once.
fn named_by_both(
    context: &FacetContext<'_>,
    reach: &ReferenceReach<'_>,
    a: &ComparisonUnit,
    b: &ComparisonUnit,
) -> Vec<TargetPair> {
    let mut named = Vec::new();
    for x in a.targets() {
        let Some(y) = b.targets().find(|y| context.same_part(x, y)) else { continue };
        let Some(pair) = reach.pair(x, y) else { continue };
        if reach.may_lead_to_change(pair) && !named.contains(&pair) {
            named.push(pair);
        }
    }
    named
}

/// The changes to which targets lead. A target that changed itself is not followed any further.
fn followed(reach: &ReferenceReach<'_>, named: Vec<TargetPair>, homes: [usize; 2]) -> Vec<Dependency> {
    let mut visited: HashSet<TargetPair> = named.iter().copied().collect();
    // Targets to follow, each with its number of steps from the unit.
    let mut open: VecDeque<(TargetPair, usize)> = named.into_iter().map(|pair| (pair, 1)).collect();
    let mut found = Vec::new();
    // Targets on the last step, each with one that would be the next.
    let mut beyond: Vec<(TargetPair, TargetPair)> = Vec::new();
    while let Some((pair, step)) = open.pop_front() {
        if reach.holds(pair, homes) {
            continue;
        }
        if let Some(dependency) = reach.change(pair) {
            found.push(dependency);
            continue;
        }
        let TargetPair::Section(older, newer) = pair else { continue };
        for part in reach.parts_in(older, newer) {
            if visited.insert(part) {
                found.extend(reach.change(part));
            }
        }
        for next in reach.references_of(older, newer) {
            if !reach.may_lead_to_change(next) {
                continue;
            }
            if step == MOST_STEPS {
                beyond.push((pair, next));
            } else if visited.insert(next) {
                open.push_back((next, step + 1));
            }
        }
    }
    // The last target that was added: it is added once, however many targets are beyond it.
    let mut last = None;
    for (pair, next) in beyond {
        let TargetPair::Section(older, newer) = pair else { continue };
        if last == Some(pair) || visited.contains(&next) {
            continue;
        }
        if reach.leads_to_change(next, &visited, homes) {
            let (kind, target) = (DependencyKind::Clause, Change { older, newer });
            found.push(Dependency { kind, target, changed: 0, new: 0, removed: 0, unknown: true });
            last = Some(pair);
        }
    }
    found
}
