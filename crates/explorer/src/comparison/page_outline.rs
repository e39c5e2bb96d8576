//! Outline of the page of a comparison: sections with links to their rows, and how much of each changed.

use std::collections::HashMap;

use maud::{Markup, html};
use norma_api::shapes::{
    ComparisonRelation as Relation, Facet, PartChangeType, ProvisionChange, SectionChange,
};

use super::compared::{Compared, EditionOutline};
use super::page_rows::ComparisonPage;
use super::page_tables::changed;
use super::rows::Group;
use crate::phrases::Words;

/// A section of the outline. It is shown where it has rows and is of the first level or has a change.
struct OutlineLine<'a> {
    change: &'a SectionChange<'a>,
    /// The section of the older edition by index.
    older: Option<usize>,
    /// The section of the newer edition by index.
    newer: Option<usize>,
    /// Number of sections around it.
    depth: usize,
    /// What became of the provisions in it and in the sections within it.
    counts: ItemCounts,
}

/// Numbers of items of the comparison. Each item is counted once, as in the sentence that sums up the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct ItemCounts {
    /// Pairs in which something changed, and possible splits and mergers.
    changed: usize,
    /// Pairs with the same words in another section, in which nothing else changed.
    moved: usize,
    new: usize,
    removed: usize,
}

impl ItemCounts {
    fn add(&mut self, item: &ProvisionChange<'_>) {
        match item.relation {
            Relation::New => self.new += 1,
            Relation::Removed => self.removed += 1,
            Relation::Same if item.changed.is_empty() => {}
            Relation::Same if item.changed == [Facet::Moved] => self.moved += 1,
            _ => self.changed += 1,
        }
    }
}

/// The sections with changes and those of the first level, with counts.
pub(crate) fn outline(compared: &Compared<'_>, page: &ComparisonPage<'_>) -> Markup {
    let tables = page.tables.len();
    let say = |english| compared.words.say(english);
    html! {
        nav.outline aria-label=(say("Sections")) {
            details open {
                summary { (say("Sections")) }
                ul lang=[page.lang] {
                    @for line in lines(compared) {
                        @let is_same = line.change.kind == PartChangeType::Same && line.counts == ItemCounts::default();
                        @if let Some(group) = page.group(&line).filter(|_| line.depth == 0 || !is_same) {
                            li class={ "depth-" (line.depth.min(4)) @if is_same { " same" } } {
                                a href={ "#g" (group) } { (heading(compared, &line)) }
                                (counts(compared.words, line.counts))
                            }
                        }
                    }
                    @if tables > 0 {
                        li.depth-0 lang=(compared.words.language) { a href="#tables" { (say("Tables")) } span.counts { (count("reworded", "", tables, say(if tables == 1 { "changed table" } else { "changed tables" }))) } }
                    }
                }
            }
        }
    }
}

/// All sections of both editions with their counts, in the order of the newer edition. A section that was
/// removed comes where it was.
fn lines<'a>(compared: &Compared<'a>) -> Vec<OutlineLine<'a>> {
    let [older_outline, newer_outline] = &compared.outlines;
    let mut lines: Vec<OutlineLine<'a>> = Vec::new();
    for change in &compared.view.section_changes {
        let older = change.older.as_ref().and_then(|section| older_outline.section(&section.id));
        let newer = change.newer.as_ref().and_then(|section| newer_outline.section(&section.id));
        let (depth, at) = match (newer, older) {
            (Some(section), _) => (newer_outline.with_ancestors(section).count() - 1, lines.len()),
            (None, Some(section)) => {
                let depth = older_outline.with_ancestors(section).count() - 1;
                (depth, index_of_removed(&lines, older_outline, section))
            }
            (None, None) => continue,
        };
        lines.insert(at, OutlineLine { change, older, newer, depth, counts: ItemCounts::default() });
    }
    add_counts(&mut lines, compared);
    lines
}

/// Where a removed section comes: after the section before it in the one around it and all within that, else
/// first in the one around it.
fn index_of_removed(lines: &[OutlineLine<'_>], older: &EditionOutline, section: usize) -> usize {
    let around = older.sections[section].parent;
    let before = (0..section).rev().find(|&other| older.sections[other].parent == around);
    let Some(anchor) = before.or(around) else { return 0 };
    let Some(at) = lines.iter().position(|line| line.older == Some(anchor)) else { return lines.len() };
    if before.is_none() {
        return at + 1;
    }
    let depth = lines[at].depth;
    at + 1 + lines[at + 1..].iter().take_while(|line| line.depth > depth).count()
}

/// Counts each item in the section that has its row, and in those around it.
fn add_counts(lines: &mut [OutlineLine<'_>], compared: &Compared<'_>) {
    let [older_outline, newer_outline] = &compared.outlines;
    let mut by_section = [HashMap::new(), HashMap::new()];
    for (index, line) in lines.iter().enumerate() {
        for (side, section) in [line.older, line.newer].into_iter().enumerate() {
            if let Some(section) = section {
                by_section[side].insert(section, index);
            }
        }
    }
    for item in &compared.view.items {
        // The row of a removed provision, and of a part of a merger, is that of the older edition.
        let is_older = matches!(item.relation, Relation::Removed | Relation::Merged);
        let (provision, outline, side) =
            if is_older { (&item.older, older_outline, 0) } else { (&item.newer, newer_outline, 1) };
        let position = provision.as_ref().and_then(|provision| outline.provision(&provision.id));
        let mut next = position.and_then(|position| by_section[side].get(&position.section).copied());
        while let Some(index) = next {
            let line = &mut lines[index];
            line.counts.add(item);
            let (around, side) = match (line.newer, line.older) {
                (Some(section), _) => (newer_outline.sections[section].parent, 1),
                (None, Some(section)) => (older_outline.sections[section].parent, 0),
                (None, None) => (None, 0),
            };
            next = around.and_then(|section| by_section[side].get(&section).copied());
        }
    }
}

/// The heading of a section in the newer edition if it is there, else in the older one.
fn heading(compared: &Compared<'_>, line: &OutlineLine<'_>) -> String {
    let [older, newer] = &compared.outlines;
    match (line.newer, line.older) {
        (Some(section), _) => newer.sections[section].heading(),
        (None, Some(section)) => older.sections[section].heading(),
        (None, None) => String::new(),
    }
}

fn counts(words: &Words, counts: ItemCounts) -> Markup {
    html! {
        span.counts lang=(words.language) {
            (count("reworded", "", counts.changed, words.counted("changed", counts.changed)))
            (count("moved", "→", counts.moved, words.counted("moved", counts.moved)))
            (count("new", "+", counts.new, words.counted("new", counts.new)))
            (count("removed", "−", counts.removed, words.counted("removed", counts.removed)))
        }
    }
}

fn count(name: &str, sign: &str, count: usize, words: &str) -> Markup {
    html! {
        @if count > 0 { " " span.badge.(name) title={ (count) " " (words) } { (sign) (count) span.hidden { " " (words) } } }
    }
}

impl<'a> ComparisonPage<'a> {
    pub(crate) fn new(compared: &Compared<'a>, groups: &[Group<'_>]) -> Self {
        let [older, newer] = &compared.outlines;
        let mut sections = [HashMap::new(), HashMap::new()];
        for (index, group) in groups.iter().enumerate() {
            add_sections(&mut sections[0], older, group.older, index);
            add_sections(&mut sections[1], newer, group.newer, index);
        }
        let lang = Some(&*compared.view.language).filter(|&tag| tag != compared.words.language);
        let mut tables = Vec::new();
        for change in changed(compared) {
            let table = change.newer.as_ref().or(change.older.as_ref());
            tables.push(table.map_or("", |table| &*table.id));
        }
        Self { sections, lang, tables }
    }

    /// The group with the first rows of a section; `None` where it has no rows.
    fn group(&self, line: &OutlineLine<'_>) -> Option<usize> {
        let [older, newer] = &self.sections;
        let in_newer = line.newer.and_then(|section| newer.get(&section));
        in_newer.or_else(|| older.get(&line.older?)).copied()
    }
}

/// Notes that a group has rows of a section and of those around it, unless an earlier group has.
fn add_sections(
    groups: &mut HashMap<usize, usize>,
    outline: &EditionOutline,
    section: Option<usize>,
    group: usize,
) {
    let Some(section) = section else { return };
    for section in outline.with_ancestors(section) {
        groups.entry(section).or_insert(group);
    }
}

#[cfg(test)]
mod tests {
    use norma_api::shapes::ComparisonView;
    use serde_json::json;

    use super::*;
    use crate::comparison::rows::tests::{compared, view};
    use crate::comparison::sentence;

    #[test]
    fn the_counts_of_the_first_level_add_up_to_those_of_the_sentence() {
        let view = view();
        let compared = compared(&view);
        let mut sum = ItemCounts::default();
        for line in lines(&compared).iter().filter(|line| line.depth == 0) {
            sum.changed += line.counts.changed;
            sum.moved += line.counts.moved;
            sum.new += line.counts.new;
            sum.removed += line.counts.removed;
        }
        assert_eq!(sum, ItemCounts { changed: 0, moved: 1, new: 1, removed: 1 });
        assert_eq!(sentence(&compared), "1 moved; 1 new; 1 removed; 2 unchanged");
    }

    #[test]
    fn what_moved_away_is_not_counted_as_removed() {
        let view = view();
        let lines = lines(&compared(&view));
        let counts: Vec<ItemCounts> = lines.iter().map(|line| line.counts).collect();
        let first = ItemCounts { new: 1, removed: 1, ..ItemCounts::default() };
        assert_eq!(counts, [first, ItemCounts { moved: 1, ..ItemCounts::default() }]);
    }

    #[test]
    fn a_removed_section_is_where_it_was_and_counts_in_the_one_around_it() {
        let change = |kind: &str, older: Option<&str>, newer: Option<&str>| {
            let mut change =
                json!({"type": kind, "counts": {"same": 0, "changed": 0, "new": 0, "removed": 0}});
            for (side, id) in [("older", older), ("newer", newer)] {
                if let Some(id) = id {
                    change[side] = json!({"id": id});
                }
            }
            change
        };
        let mut json = serde_json::to_value(view()).unwrap();
        json["items"] = json!([{"relation": "removed", "older": {"id": "p", "type": "requirement"}}]);
        json["sectionChanges"] = json!([
            change("changed", Some("5"), Some("5'")),
            change("same", Some("5.1"), Some("5.1'")),
            change("same", Some("6"), Some("6'")),
            change("removed", Some("1"), None),
            change("removed", Some("5.2"), None),
            change("removed", Some("5.2.1"), None),
        ]);
        let view: ComparisonView<'static> = serde_json::from_value(json).unwrap();
        let outline = |sections: &[(&str, Option<&str>)]| {
            let mut outline = EditionOutline::default();
            for (id, parent) in sections {
                outline.add_section(id, Some(id), None, *parent);
            }
            outline
        };
        let mut older = outline(&[
            ("1", None),
            ("5", None),
            ("5.1", Some("5")),
            ("5.2", Some("5")),
            ("5.2.1", Some("5.2")),
            ("6", None),
        ]);
        older.add_provision("p", "5.2.1");
        let newer = outline(&[("5'", None), ("5.1'", Some("5'")), ("6'", None)]);
        let compared = Compared::new(&view, [older, newer]);
        let mut shown = Vec::new();
        for line in lines(&compared) {
            shown.push((heading(&compared, &line), line.counts.removed));
        }
        let expected = [("1", 0), ("5'", 1), ("5.1'", 0), ("5.2", 1), ("5.2.1", 1), ("6'", 0)];
        let expected: Vec<_> = expected.map(|(name, removed)| (name.to_owned(), removed)).into();
        assert_eq!(shown, expected);
    }
}
