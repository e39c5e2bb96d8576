//! Rows of a comparison: both editions in one document order, grouped by section.

use norma_api::shapes::{ComparedProvision, ComparisonRelation as Relation, ProvisionChange};

use super::changes::kind;
use super::compared::Compared;

/// Rows of one section.
pub struct Group<'a> {
    /// Section of the older edition by index.
    pub(crate) older: Option<usize>,
    /// Section of the newer edition by index.
    pub(crate) newer: Option<usize>,
    /// The rows.
    pub rows: Vec<Row<'a>>,
}

/// A change with a provision on both sides.
#[derive(Clone, Copy)]
pub struct Both<'a> {
    /// The change.
    pub item: &'a ProvisionChange<'a>,
    /// The provision of the older edition.
    pub older: &'a ComparedProvision<'a>,
    /// The provision of the newer edition.
    pub newer: &'a ComparedProvision<'a>,
}

/// A change with a provision on one side.
#[derive(Clone, Copy)]
pub struct Alone<'a> {
    /// The change.
    pub item: &'a ProvisionChange<'a>,
    /// The provision.
    pub provision: &'a ComparedProvision<'a>,
}

/// One row.
#[derive(Clone, Copy)]
pub enum Row<'a> {
    /// A provision and its counterpart, at the position of the newer one.
    Pair(Both<'a>),
    /// The older position of a provision whose counterpart is in another section.
    MovedAway(Both<'a>),
    /// A provision of the newer edition that was possibly a part of an older one.
    Split(Both<'a>),
    /// A provision of the older edition that possibly became a part of a newer one.
    Merged(Both<'a>),
    /// A provision of the newer edition without counterpart.
    New(Alone<'a>),
    /// A provision of the older edition without counterpart.
    Removed(Alone<'a>),
}

impl<'a> Row<'a> {
    /// Whether it is a pair without a change.
    pub fn is_unchanged(&self) -> bool {
        matches!(self, Row::Pair(Both { item, .. }) if item.relation == Relation::Same && item.changed.is_empty())
    }

    /// Its relation, as the API names it.
    pub fn relation(&self) -> &'static str {
        match self {
            Row::Pair(both) | Row::MovedAway(both) | Row::Split(both) | Row::Merged(both) => {
                both.item.relation.as_str()
            }
            Row::New(alone) | Row::Removed(alone) => alone.item.relation.as_str(),
        }
    }

    /// The provision that it is about: the newer one where there are two.
    pub fn provision(&self) -> &'a ComparedProvision<'a> {
        match self {
            Row::Pair(both) | Row::Split(both) => both.newer,
            Row::MovedAway(both) | Row::Merged(both) => both.older,
            Row::New(alone) | Row::Removed(alone) => alone.provision,
        }
    }

    /// The name of the type of that provision.
    pub fn kind(&self) -> &'static str {
        kind(self.provision().kind)
    }

    /// The label of that provision, else its id.
    pub fn label(&self) -> &'a str {
        label(self.provision())
    }
}

/// The label of a provision, else its id.
pub(crate) fn label<'a>(provision: &'a ComparedProvision<'_>) -> &'a str {
    provision.label.as_ref().unwrap_or(&provision.id)
}

impl<'a> Compared<'a> {
    /// All rows in the order of the newer edition; what is in the older one alone comes after the provision
    /// that was in front of it.
    pub fn groups(&self) -> Vec<Group<'a>> {
        let [older_outline, newer_outline] = &self.outlines;
        let mut newer: Vec<Option<(Row<'a>, usize)>> = vec![None; newer_outline.provisions.len()];
        let mut older: Vec<Option<(Row<'a>, usize)>> = vec![None; older_outline.provisions.len()];
        // After which provision of the newer edition a row of the older one comes.
        let mut after: Vec<Option<usize>> = vec![None; older.len()];
        let pairs = self.view.section_changes.iter().filter_map(|change| {
            let [from, to] = [change.older.as_ref()?, change.newer.as_ref()?];
            Some((older_outline.section(&from.id)?, newer_outline.section(&to.id)?))
        });
        let sections: Vec<(usize, usize)> = pairs.collect();
        for item in &self.view.items {
            let from = item.older.as_ref().and_then(|one| Some((one, older_outline.provision(&one.id)?)));
            let to = item.newer.as_ref().and_then(|one| Some((one, newer_outline.provision(&one.id)?)));
            match (item.relation, from, to) {
                (Relation::New, _, Some((provision, (at, section)))) => {
                    newer[at] = Some((Row::New(Alone { item, provision }), section));
                }
                (Relation::Removed, Some((provision, (at, section))), _) => {
                    older[at] = Some((Row::Removed(Alone { item, provision }), section));
                }
                (relation, Some((one, (from, from_section))), Some((other, (to, to_section)))) => {
                    let both = Both { item, older: one, newer: other };
                    let is_moved = item.facets.as_ref().is_some_and(|facets| facets.moved.is_some());
                    match relation {
                        Relation::Split => newer[to] = newer[to].or(Some((Row::Split(both), to_section))),
                        Relation::Merged => {
                            older[from] = older[from].or(Some((Row::Merged(both), from_section)));
                        }
                        _ => {
                            newer[to] = Some((Row::Pair(both), to_section));
                            older[from] = is_moved.then_some((Row::MovedAway(both), from_section));
                            after[from] = (!is_moved).then_some(to);
                        }
                    }
                }
                _ => {}
            }
        }
        let mut by_position: Vec<Vec<usize>> = vec![Vec::new(); newer.len() + 1];
        let mut last = None;
        for (index, counterpart) in after.into_iter().enumerate() {
            last = counterpart.or(last);
            by_position[last.map_or(0, |position| position + 1)].push(index);
        }
        let mut groups: Vec<Group<'a>> = Vec::new();
        let mut add = |from: Option<usize>, to: Option<usize>, row: Row<'a>| match groups.last_mut() {
            Some(group) if group.older == from && group.newer == to => group.rows.push(row),
            _ => groups.push(Group { older: from, newer: to, rows: vec![row] }),
        };
        for (position, list) in by_position.iter().enumerate() {
            if let Some(index) = position.checked_sub(1)
                && let Some((row, to)) = newer[index]
            {
                add(sections.iter().find(|(_, t)| *t == to).map(|(from, _)| *from), Some(to), row);
            }
            for (row, from) in list.iter().filter_map(|&index| older[index]) {
                add(Some(from), sections.iter().find(|(f, _)| *f == from).map(|(_, to)| *to), row);
            }
        }
        // What a section came from is best said by what came from there: a hanging paragraph moves into a
        // first subsection "General".
        for group in &mut groups {
            let pair = group.rows.iter().find_map(|row| match row {
                Row::Pair(both) if both.item.facets.as_ref().is_none_or(|facets| facets.moved.is_none()) => {
                    older_outline.provision(&both.older.id)
                }
                _ => None,
            });
            group.older = pair.map(|(_, section)| section).or(group.older);
        }
        groups
    }
}
