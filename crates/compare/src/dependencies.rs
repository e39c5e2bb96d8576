//! Dependencies: things that both units of a pair refer to, and the changes in them. One step only: what is
//! referred to may itself depend on something, which does not count.

use crate::comparison::{
    Change, Dependency, DependencyKind, Link, PartRelation, SectionChange, TableChange, UnitRelation,
};
use crate::facets::FacetContext;
use crate::part_links::PartLinks;
use crate::units::{ComparisonUnit, NumberedPartKind, UnitTarget, Units};

/// The changes in both editions, by possible target of a reference.
pub(crate) struct Changes<'a> {
    pub(crate) context: &'a FacetContext<'a>,
    pub(crate) tables: &'a [TableChange],
    pub(crate) outline: &'a [SectionChange],
}

impl Changes<'_> {
    /// Adds to each pair what it depends on.
    pub(crate) fn add_to(&self, links: &mut [Link]) {
        let context = self.context;
        for link in
            links.iter_mut().filter(|l| matches!(l.relation, UnitRelation::Same | UnitRelation::Reworded))
        {
            let (a, b) = (&context.older.units[link.older], &context.newer.units[link.newer]);
            let mut found: Vec<Dependency> = Vec::new();
            for x in &a.references {
                let y = b.references.iter().find(|y| context.same_target(x, y));
                let targets = x.target.as_ref().zip(y.and_then(|y| y.target.as_ref()));
                let Some(dependency) = targets.and_then(|(s, t)| self.dependency(s, t, [a, b])) else {
                    continue;
                };
                if !found
                    .iter()
                    .any(|known| known.kind == dependency.kind && known.target == dependency.target)
                {
                    found.push(dependency);
                }
            }
            let term = |change: &Change<usize>| Dependency {
                kind: DependencyKind::Term,
                target: *change,
                changed: 1,
                new: 0,
                removed: 0,
            };
            found.extend(link.facets.terms.iter().map(term));
            found.sort_by_key(|one| {
                (one.kind, one.target.older.min(one.target.newer), one.target.older.max(one.target.newer))
            });
            link.facets.depends_on = found;
        }
    }

    fn dependency(
        &self,
        older: &UnitTarget,
        newer: &UnitTarget,
        units: [&ComparisonUnit; 2],
    ) -> Option<Dependency> {
        match (older, newer) {
            (&UnitTarget::Section(s), &UnitTarget::Section(t)) => {
                let holds = holds(self.context.older, s, units[0].section)
                    || holds(self.context.newer, t, units[1].section);
                let change =
                    self.outline.iter().find(|change| change.older == Some(s) && change.newer == Some(t))?;
                let [_, changed, new, removed] = change.provisions;
                let any = changed + new + removed > 0;
                let target = Change { older: s, newer: t };
                (any && !holds).then_some(Dependency {
                    kind: DependencyKind::Clause,
                    target,
                    changed,
                    new,
                    removed,
                })
            }
            (&UnitTarget::Part(s), &UnitTarget::Part(t)) => {
                let kind = self.context.older.parts[s].kind;
                let counts = match kind {
                    NumberedPartKind::Table => {
                        let fits = |change: &&TableChange| change.older == Some(s) && change.newer == Some(t);
                        counts(self.tables.iter().find(fits)?)?
                    }
                    _ => PartLinks::changed(self.context, s, t).then_some([1, 0, 0])?,
                };
                let [changed, new, removed] = counts;
                let target = Change { older: s, newer: t };
                Some(Dependency { kind: DependencyKind::Part(kind), target, changed, new, removed })
            }
            _ => None,
        }
    }
}

/// Numbers of changes in a table; `None` without a change.
fn counts(table: &TableChange) -> Option<[u32; 3]> {
    let lines = |relation| {
        table.rows.iter().chain(&table.columns).filter(|line| line.relation == relation).count() as u32
    };
    let around = u32::from(table.notes_changed) + u32::from(table.caption.is_some());
    let other = lines(PartRelation::Changed) + lines(PartRelation::Moved);
    let counts =
        [table.changed_cells + around + other, lines(PartRelation::New), lines(PartRelation::Removed)];
    (table.relation == PartRelation::Changed).then_some(counts)
}

/// Whether a section is another one, or around it.
fn holds(units: &Units, outer: usize, inner: usize) -> bool {
    std::iter::successors(Some(inner), |&section| units.sections[section].parent)
        .any(|section| section == outer)
}
