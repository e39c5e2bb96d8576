//! Rows of a comparison: both editions in one document order, grouped by section.

use super::changes::kind;
use norma_compare::{Comparison, Link, Relation, Unit, Units, Unmatched};

/// Two editions that were compared, with the result.
pub(crate) struct Compared<'a> {
    pub(crate) older: &'a Units,
    pub(crate) newer: &'a Units,
    pub(crate) comparison: &'a Comparison,
}

/// Rows of one section.
pub(crate) struct Group<'a> {
    /// Section of the older edition by index.
    pub(crate) older: Option<usize>,
    /// Section of the newer edition by index.
    pub(crate) newer: Option<usize>,
    pub(crate) rows: Vec<Row<'a>>,
}

/// One row.
#[derive(Clone, Copy)]
pub(crate) enum Row<'a> {
    /// A unit and its counterpart, at the position of the newer one.
    Pair(&'a Link),
    /// The older position of a unit whose counterpart is in another section.
    MovedAway(&'a Link),
    /// A unit of the newer edition that was possibly a part of an older one.
    Split(&'a Link),
    /// A unit of the older edition that possibly became a part of a newer one.
    Merged(&'a Link),
    /// A unit of the newer edition without counterpart.
    New(&'a Unmatched),
    /// A unit of the older edition without counterpart.
    Removed(&'a Unmatched),
}

impl Row<'_> {
    /// Whether it is a pair without a change.
    pub(crate) fn is_unchanged(&self) -> bool {
        matches!(self, Row::Pair(link) if link.relation == Relation::Same && link.facets.kinds().is_empty())
    }

    /// Its relation, as the API names it.
    pub(crate) fn relation(&self) -> &'static str {
        match self {
            Row::Pair(link) | Row::MovedAway(link) if link.relation == Relation::Same => "same",
            Row::Pair(_) | Row::MovedAway(_) => "reworded",
            Row::Split(_) => "split",
            Row::Merged(_) => "merged",
            Row::New(_) => "new",
            Row::Removed(_) => "removed",
        }
    }
}

impl<'a> Compared<'a> {
    /// The unit of a row: the newer one if there are two.
    pub(crate) fn unit(&self, row: &Row<'_>) -> &'a Unit {
        match row {
            Row::Pair(link) | Row::Split(link) => &self.newer.units[link.newer],
            Row::MovedAway(link) | Row::Merged(link) => &self.older.units[link.older],
            Row::New(unmatched) => &self.newer.units[unmatched.unit],
            Row::Removed(unmatched) => &self.older.units[unmatched.unit],
        }
    }

    /// The name of the type of that unit.
    pub(crate) fn kind(&self, row: &Row<'_>) -> &'static str {
        kind(self.unit(row).kind)
    }

    /// The label of that unit, else its id.
    pub(crate) fn label(&self, row: &Row<'_>) -> String {
        let unit = self.unit(row);
        unit.label.as_ref().unwrap_or(&unit.id).to_string()
    }

    /// All rows in the order of the newer edition; units of the older one alone come after the unit before
    /// them.
    pub(crate) fn groups(&self) -> Vec<Group<'a>> {
        let Comparison { sections, links, older_unmatched, newer_unmatched, .. } = self.comparison;
        let mut newer: Vec<Option<Row<'a>>> = vec![None; self.newer.units.len()];
        let mut older: Vec<Option<Row<'a>>> = vec![None; self.older.units.len()];
        let is_pair = |link: &Link| matches!(link.relation, Relation::Same | Relation::Reworded);
        for link in links {
            match link.relation {
                Relation::Split => newer[link.newer] = newer[link.newer].or(Some(Row::Split(link))),
                Relation::Merged => older[link.older] = older[link.older].or(Some(Row::Merged(link))),
                Relation::Same | Relation::Reworded => {}
            }
        }
        newer_unmatched.iter().for_each(|unmatched| newer[unmatched.unit] = Some(Row::New(unmatched)));
        older_unmatched.iter().for_each(|unmatched| older[unmatched.unit] = Some(Row::Removed(unmatched)));
        // After which unit of the newer edition a row of the older one comes.
        let mut after: Vec<Option<usize>> = vec![None; self.older.units.len()];
        let mut counterparts: Vec<Option<&Link>> = vec![None; self.older.units.len()];
        for link in links.iter().filter(|link| is_pair(link)) {
            newer[link.newer] = Some(Row::Pair(link));
            older[link.older] = link.facets.moved.is_some().then_some(Row::MovedAway(link));
            counterparts[link.older] = Some(link);
        }
        let mut last = None;
        for (position, counterpart) in after.iter_mut().zip(&counterparts) {
            if let Some(link) = counterpart
                && link.facets.moved.is_none()
            {
                last = Some(link.newer);
            }
            *position = last;
        }
        let mut by_position: Vec<Vec<usize>> = vec![Vec::new(); self.newer.units.len() + 1];
        for (index, position) in after.iter().enumerate().filter(|(index, _)| older[*index].is_some()) {
            by_position[position.map_or(0, |position| position + 1)].push(index);
        }
        let mut groups: Vec<Group<'a>> = Vec::new();
        let mut add = |from: Option<usize>, to: Option<usize>, row: Row<'a>| match groups.last_mut() {
            Some(group) if group.older == from && group.newer == to => group.rows.push(row),
            _ => groups.push(Group { older: from, newer: to, rows: vec![row] }),
        };
        for (position, list) in by_position.iter().enumerate() {
            if let Some(index) = position.checked_sub(1)
                && let Some(row) = newer[index]
            {
                let to = self.newer.units[index].section;
                add(sections.iter().find(|(_, t)| *t == to).map(|(from, _)| *from), Some(to), row);
            }
            for &index in list {
                let from = self.older.units[index].section;
                let to = sections.iter().find(|(f, _)| *f == from).map(|(_, to)| *to);
                if let Some(row) = older[index] {
                    add(Some(from), to, row);
                }
            }
        }
        // What a section came from is best said by what came from there: a hanging paragraph moves into a
        // first subsection "General".
        for group in &mut groups {
            let pair = group.rows.iter().find_map(|row| match row {
                Row::Pair(link) if link.facets.moved.is_none() => Some(link.older),
                _ => None,
            });
            group.older = pair.map(|older| self.older.units[older].section).or(group.older);
        }
        groups
    }
}
