//! Outline of the page of a comparison: sections with links to their rows, and how much of each changed.

use std::collections::HashMap;

use maud::{Markup, html};
use norma_api::shapes::{PartChangeType, SectionChange};

use super::compared::{Compared, EditionOutline};
use super::page_rows::ComparisonPage;
use super::page_tables::changed;
use super::rows::Group;
use crate::phrases::Words;

/// A line of the outline.
struct OutlineLine<'a> {
    change: &'a SectionChange<'a>,
    heading: String,
    /// Number of sections around it.
    depth: usize,
    /// The group that it links to, by index.
    group: usize,
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
                    @for line in lines(compared, page) {
                        li class={ "depth-" (line.depth.min(4)) @if line.change.kind == PartChangeType::Same { " same" } } {
                            a href={ "#g" (line.group) } { (line.heading) }
                            (counts(compared.words, line.change))
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

fn lines<'a>(compared: &Compared<'a>, page: &ComparisonPage<'_>) -> Vec<OutlineLine<'a>> {
    let mut lines = Vec::new();
    for change in &compared.view.section_changes {
        let Some((outline, section)) = side(change, compared) else { continue };
        // A section without rows has no group to link to.
        let Some(group) = page.group(change, compared) else { continue };
        let depth = outline.with_ancestors(section).count() - 1;
        if depth > 0 && change.kind == PartChangeType::Same {
            continue;
        }
        lines.push(OutlineLine { change, heading: outline.sections[section].heading(), depth, group });
    }
    lines
}

/// The section of a change in the newer edition if it is there, else in the older one.
fn side<'c>(change: &SectionChange<'_>, compared: &'c Compared<'_>) -> Option<(&'c EditionOutline, usize)> {
    let [older, newer] = &compared.outlines;
    match (&change.newer, &change.older) {
        (Some(section), _) => Some((newer, newer.section(&section.id)?)),
        (None, Some(section)) => Some((older, older.section(&section.id)?)),
        (None, None) => None,
    }
}

fn counts(words: &Words, change: &SectionChange<'_>) -> Markup {
    let counts = change.counts;
    html! {
        span.counts lang=(words.language) {
            (count("reworded", "", counts.changed as usize, words.counted("changed", counts.changed as usize)))
            (count("new", "+", counts.new as usize, words.counted("new", counts.new as usize)))
            (count("removed", "−", counts.removed as usize, words.counted("removed", counts.removed as usize)))
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

    /// The group with the first rows of a section.
    fn group(&self, change: &SectionChange<'_>, compared: &Compared<'_>) -> Option<usize> {
        let [older, newer] = &compared.outlines;
        if let Some(section) = &change.newer {
            return self.sections[1].get(&newer.section(&section.id)?).copied();
        }
        let section = change.older.as_ref()?;
        self.sections[0].get(&older.section(&section.id)?).copied()
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
