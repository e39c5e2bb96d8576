//! Rows of a comparison: both editions in one document order, grouped by section.

use norma_api::shapes::{ComparedProvision, ComparisonRelation as Relation, ProvisionChange};

use super::changes::kind;
use super::compared::{Compared, ComparedPosition};

/// Rows of one section.
pub struct Group<'a> {
    /// Section of the older edition by index.
    pub(crate) older: Option<usize>,
    /// Section of the newer edition by index.
    pub(crate) newer: Option<usize>,
    /// At least one row, in the order in which they are shown.
    pub rows: Vec<Row<'a>>,
}

impl Group<'_> {
    /// True if all rows are pairs without a change.
    pub(crate) fn is_unchanged(&self) -> bool {
        self.rows.iter().all(Row::is_unchanged)
    }
}

/// A change with a provision on both sides.
#[derive(Clone, Copy)]
pub struct Both<'a> {
    /// The item of the comparison with both provisions.
    pub item: &'a ProvisionChange<'a>,
    /// The provision of the older edition.
    pub older: &'a ComparedProvision<'a>,
    /// The provision of the newer edition.
    pub newer: &'a ComparedProvision<'a>,
}

/// A change with a provision on one side.
#[derive(Clone, Copy)]
pub struct Alone<'a> {
    /// The item of the comparison with this provision alone.
    pub item: &'a ProvisionChange<'a>,
    /// The new or the removed provision.
    pub provision: &'a ComparedProvision<'a>,
}

/// A row of the page: a provision and its counterpart, or one of the two.
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
    /// True for a pair with the same words in which nothing else changed.
    pub fn is_unchanged(&self) -> bool {
        match self {
            Row::Pair(Both { item, .. }) => item.relation == Relation::Same && item.changed.is_empty(),
            _ => false,
        }
    }

    /// The relation of the provisions, as the API names it.
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

/// A row with the section that it is shown in, by index.
#[derive(Clone, Copy)]
struct SectionRow<'a> {
    row: Row<'a>,
    section: usize,
}

/// The rows of both editions, by the index of their provision.
struct ComparedRows<'a> {
    newer: Vec<Option<SectionRow<'a>>>,
    older: Vec<Option<SectionRow<'a>>>,
    /// For each older provision whose row is that of its counterpart, the index of the counterpart.
    counterparts: Vec<Option<usize>>,
}

/// A section of the older edition and its counterpart in the newer one, by index.
struct SectionPair {
    older: usize,
    newer: usize,
}

impl<'a> Compared<'a> {
    /// All rows in the order of the newer edition; what is in the older one alone comes after the provision
    /// that was in front of it.
    pub fn groups(&self) -> Vec<Group<'a>> {
        let sections = self.section_pairs();
        let rows = self.edition_rows();
        let mut groups: Vec<Group<'a>> = Vec::new();
        for (position, older_indexes) in older_by_position(&rows).into_iter().enumerate() {
            // At position 0 are older provisions that come before all newer ones.
            if let Some(index) = position.checked_sub(1)
                && let Some(SectionRow { row, section }) = rows.newer[index]
            {
                let pair = sections.iter().find(|pair| pair.newer == section);
                add_row(&mut groups, pair.map(|pair| pair.older), Some(section), row);
            }
            for index in older_indexes {
                if let Some(SectionRow { row, section }) = rows.older[index] {
                    let pair = sections.iter().find(|pair| pair.older == section);
                    add_row(&mut groups, Some(section), pair.map(|pair| pair.newer), row);
                }
            }
        }
        for group in &mut groups {
            if let Some(section) = self.origin(group) {
                group.older = Some(section);
            }
        }
        groups
    }

    fn section_pairs(&self) -> Vec<SectionPair> {
        let [older_outline, newer_outline] = &self.outlines;
        let mut pairs = Vec::new();
        for change in &self.view.section_changes {
            let (Some(older), Some(newer)) = (&change.older, &change.newer) else { continue };
            if let (Some(older), Some(newer)) =
                (older_outline.section(&older.id), newer_outline.section(&newer.id))
            {
                pairs.push(SectionPair { older, newer });
            }
        }
        pairs
    }

    /// The row of each provision. Items with provisions that the outlines do not have give none.
    fn edition_rows(&self) -> ComparedRows<'a> {
        let [older_outline, newer_outline] = &self.outlines;
        let (newer_count, older_count) = (newer_outline.provisions.len(), older_outline.provisions.len());
        let mut rows = ComparedRows {
            newer: vec![None; newer_count],
            older: vec![None; older_count],
            counterparts: vec![None; older_count],
        };
        for item in &self.view.items {
            let older = item.older.as_ref().and_then(|one| Some((one, older_outline.provision(&one.id)?)));
            let newer = item.newer.as_ref().and_then(|one| Some((one, newer_outline.provision(&one.id)?)));
            match (item.relation, older, newer) {
                (Relation::New, _, Some((provision, position))) => {
                    let row = Row::New(Alone { item, provision });
                    rows.newer[position.index] = Some(SectionRow { row, section: position.section });
                }
                (Relation::Removed, Some((provision, position)), _) => {
                    let row = Row::Removed(Alone { item, provision });
                    rows.older[position.index] = Some(SectionRow { row, section: position.section });
                }
                (_, Some((older, from)), Some((newer, to))) => {
                    rows.add_both(Both { item, older, newer }, from, to);
                }
                _ => {}
            }
        }
        rows
    }

    /// The older section of the first provision in a group that did not move. It says better than the pairs
    /// of sections where a group came from: a hanging paragraph moves into a first subsection "General".
    fn origin(&self, group: &Group<'a>) -> Option<usize> {
        let stayed = group.rows.iter().find_map(|row| match row {
            Row::Pair(both) if !both.is_moved() => self.outlines[0].provision(&both.older.id),
            _ => None,
        });
        stayed.map(|position| position.section)
    }
}

impl Both<'_> {
    /// True if the newer provision is in another section than the counterpart of the older one's section.
    pub(crate) fn is_moved(&self) -> bool {
        self.item.facets.as_ref().is_some_and(|facets| facets.moved.is_some())
    }
}

impl<'a> ComparedRows<'a> {
    fn add_both(&mut self, both: Both<'a>, from: ComparedPosition, to: ComparedPosition) {
        let in_newer = |row| Some(SectionRow { row, section: to.section });
        let in_older = |row| Some(SectionRow { row, section: from.section });
        match both.item.relation {
            // A provision that is in several items has the row of the first one.
            Relation::Split => self.newer[to.index] = self.newer[to.index].or(in_newer(Row::Split(both))),
            Relation::Merged => {
                self.older[from.index] = self.older[from.index].or(in_older(Row::Merged(both)));
            }
            _ => {
                self.newer[to.index] = in_newer(Row::Pair(both));
                if both.is_moved() {
                    self.older[from.index] = in_older(Row::MovedAway(both));
                    self.counterparts[from.index] = None;
                } else {
                    self.older[from.index] = None;
                    self.counterparts[from.index] = Some(to.index);
                }
            }
        }
    }
}

/// The older provisions by the newer one that they come after: those at 0 come before all newer ones, those
/// at N after the one with index N - 1.
fn older_by_position(rows: &ComparedRows<'_>) -> Vec<Vec<usize>> {
    let mut by_position: Vec<Vec<usize>> = vec![Vec::new(); rows.newer.len() + 1];
    let mut position = 0;
    for (index, counterpart) in rows.counterparts.iter().enumerate() {
        if let Some(counterpart) = counterpart {
            position = counterpart + 1;
        }
        by_position[position].push(index);
    }
    by_position
}

/// Adds a row to the last group if it has the same sections, else to a new one.
fn add_row<'a>(groups: &mut Vec<Group<'a>>, older: Option<usize>, newer: Option<usize>, row: Row<'a>) {
    match groups.last_mut() {
        Some(group) if group.older == older && group.newer == newer => group.rows.push(row),
        _ => groups.push(Group { older, newer, rows: vec![row] }),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use norma_api::shapes::ComparisonView;
    use serde_json::json;

    use super::*;
    use crate::comparison::EditionOutline;

    /// A comparison of two editions with two sections each: `a` and `d` stay, `b` is removed, `x` is new, and
    /// `c` moves from the first section to the second.
    pub(crate) fn view() -> ComparisonView<'static> {
        let edition = |urn: &str| json!({"urn": urn, "revision": "1", "reference": "X 1", "title": "Lids & <caps>", "access": "read"});
        let provision = |id: &str| json!({"id": id, "label": id, "type": "requirement", "text": format!("{id} shall close.")});
        let pair = |id: &str, newer: &str| json!({"relation": "same", "older": provision(id), "newer": provision(newer)});
        let section = |older: &str, newer: &str| {
            json!({
                "type": "same", "older": {"id": older}, "newer": {"id": newer},
                "counts": {"same": 1, "changed": 0, "new": 0, "removed": 0},
            })
        };
        let mut moved = pair("c", "c'");
        moved["changed"] = json!(["moved"]);
        moved["facets"] = json!({"moved": {"older": {"id": "s1"}, "newer": {"id": "t2"}}});
        let view = json!({
            "older": edition("urn:x:1"), "newer": edition("urn:x:2"), "language": "en", "matcher": 1,
            "counts": serde_json::to_value(norma_api::shapes::ComparisonCounts::default()).unwrap(),
            "items": [
                pair("a", "a'"),
                json!({"relation": "removed", "older": provision("b")}),
                moved,
                json!({"relation": "new", "newer": provision("x")}),
                pair("d", "d'"),
            ],
            "sectionChanges": [section("s1", "t1"), section("s2", "t2")],
        });
        serde_json::from_value(view).unwrap()
    }

    fn outline(sections: [(&str, &[&str]); 2]) -> EditionOutline {
        let mut outline = EditionOutline::default();
        for (id, _) in sections {
            outline.add_section(id, Some(id), None, None);
        }
        for (section, provisions) in sections {
            for provision in provisions {
                outline.add_provision(provision, section);
            }
        }
        outline
    }

    pub(crate) fn compared<'a>(view: &'a ComparisonView<'a>) -> Compared<'a> {
        let older = outline([("s1", &["a", "b", "c"]), ("s2", &["d"])]);
        let newer = outline([("t1", &["a'", "x"]), ("t2", &["c'", "d'"])]);
        Compared::new(view, [older, newer])
    }

    #[test]
    fn what_only_the_older_edition_has_comes_after_what_was_in_front_of_it() {
        let view = view();
        let mut shown = Vec::new();
        for group in compared(&view).groups() {
            for row in &group.rows {
                let kind = match row {
                    Row::Pair(_) => "pair",
                    Row::MovedAway(_) => "moved away",
                    Row::New(_) => "new",
                    Row::Removed(_) => "removed",
                    Row::Split(_) | Row::Merged(_) => "other",
                };
                shown.push((group.older, group.newer, kind, row.label()));
            }
        }
        let expected = [
            (Some(0), Some(0), "pair", "a'"),
            (Some(0), Some(0), "removed", "b"),
            (Some(0), Some(0), "moved away", "c"),
            (Some(0), Some(0), "new", "x"),
            (Some(1), Some(1), "pair", "c'"),
            (Some(1), Some(1), "pair", "d'"),
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn a_provision_that_no_outline_has_is_in_no_row() {
        let view = view();
        let empty = Compared::new(&view, [EditionOutline::default(), EditionOutline::default()]);
        assert!(empty.groups().is_empty());
    }
}
