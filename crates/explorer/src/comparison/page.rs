//! A comparison as one self-contained page: a summary, an outline, and both editions side by side with the
//! changed words marked. It loads nothing. Without its script it can be read, folded and printed; the script
//! filters, searches and steps from change to change.

use std::collections::{BTreeMap, HashMap};

use maud::{DOCTYPE, Markup, PreEscaped, html};
use norma_api::shapes::{ComparedEdition, ComparedPart, PartChangeType, SectionChange};

use super::changes::FACETS;
use super::compared::{Compared, EditionOutline};
use super::page_rows::{CHANGED_REQUIREMENT, ComparisonPage, RELATIONS, class, keys, row};
use super::page_tables::{changed, tables};
use super::rows::{Group, Row};
use super::summary::sentence;
use crate::phrases::{Words, fill};

/// The style of this page, in addition to that of all pages.
pub(crate) const STYLE: &str = include_str!("comparison.css");
pub(crate) const SCRIPT: &str = include_str!("comparison.js");

/// Likelihoods of pairs, the least sure first.
const LIKELIHOODS: [(&str, &str); 3] = [("likely", "likely"), ("high", "high"), ("certain", "certain")];

/// The page of a comparison as one file that loads nothing.
pub fn document(compared: &Compared<'_>) -> String {
    let view = compared.view;
    let title = format!("{} compared with {}", view.newer.reference, view.older.reference);
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                title { (title) }
                style { (PreEscaped(norma_api::page::STYLE)) (PreEscaped(STYLE)) }
            }
            body.comparison { (parts(compared, None)) script { (PreEscaped(SCRIPT)) } }
        }
    };
    markup.into_string()
}

/// The same within a page of the explorer, with links to downloads.
pub(crate) fn body(compared: &Compared<'_>, downloads: &Markup) -> Markup {
    html! { div.comparison lang=(compared.words.language) { (parts(compared, Some(downloads))) } }
}

fn parts(compared: &Compared<'_>, downloads: Option<&Markup>) -> Markup {
    let view = compared.view;
    let groups = compared.groups();
    let page = ComparisonPage::new(compared, &groups);
    let say = |english| compared.words.say(english);
    let renamed = view.older.title != view.newer.title;
    let changes = html! {
        (filters(compared.words, &groups))
        (provisions(compared, &groups, &page))
        (tables(compared))
    };
    html! {
        header {
            p.kicker { (say("Comparison of editions")) }
            h1 lang=[page.lang] {
                @if view.newer.title.is_empty() { (view.newer.reference) } @else { (view.newer.title) }
            }
            div.editions {
                (edition(say("Older edition"), &view.older, page.lang, renamed))
                (edition(say("Newer edition"), &view.newer, page.lang, renamed))
            }
            p.sentence { (sentence(compared)) "." }
            @if let Some(links) = downloads { (links) }
        }
        (outline(compared, &page))
        @if downloads.is_none() { main { (changes) } } @else { div.changes { (changes) } }
        footer {
            p {
                (fill(say("Compared by words, sections and order (matcher {})."), view.matcher)) " "
                (say("A provision is called new or removed where no counterpart was found: look at the nearest ones before you rely on it."))
            }
        }
    }
}

fn edition(name: &str, edition: &ComparedEdition<'_>, lang: Option<&str>, with_title: bool) -> Markup {
    html! {
        div {
            p.name { (name) }
            p.reference { (edition.reference) }
            @if with_title && !edition.title.is_empty() { p lang=[lang] { (edition.title) } }
            p.urn { (edition.urn) }
        }
    }
}

/// The sections with changes and those of the first level, with counts.
fn outline(compared: &Compared<'_>, page: &ComparisonPage<'_>) -> Markup {
    let [older, newer] = &compared.outlines;
    let side = |change: &SectionChange<'_>| match (&change.newer, &change.older) {
        (Some(section), _) => Some((newer, newer.section(&section.id)?)),
        (None, Some(section)) => Some((older, older.section(&section.id)?)),
        (None, None) => None,
    };
    let depth = |outline: &EditionOutline, index: usize| {
        std::iter::successors(Some(index), |&section| outline.sections[section].parent).count() - 1
    };
    let tables = page.tables.len();
    let sections = compared.view.section_changes.iter().filter_map(|change| {
        let (outline, index) = side(change)?;
        let (depth, group) = (depth(outline, index), page.group(change, compared)?);
        let is_shown = depth == 0 || change.kind != PartChangeType::Same;
        is_shown.then(|| (change, outline.sections[index].heading(), depth, group))
    });
    let say = |english| compared.words.say(english);
    html! {
        nav.outline aria-label=(say("Sections")) {
            details open {
                summary { (say("Sections")) }
                ul lang=[page.lang] {
                    @for (change, heading, depth, group) in sections {
                        li class={ "depth-" (depth.min(4)) @if change.kind == PartChangeType::Same { " same" } } {
                            a href={ "#g" (group) } { (heading) }
                            (counts(compared.words, change))
                        }
                    }
                    @if tables > 0 {
                        li.depth-0 lang=(compared.words.language) { a href="#tables" { (say("Tables")) } span.counts { (count("reworded", "", tables, say("changed"))) } }
                    }
                }
            }
        }
    }
}

fn counts(words: &Words, change: &SectionChange<'_>) -> Markup {
    let counts = change.counts;
    html! {
        span.counts lang=(words.language) {
            (count("reworded", "", counts.changed as usize, words.say("changed")))
            (count("new", "+", counts.new as usize, words.say("new")))
            (count("removed", "−", counts.removed as usize, words.say("removed")))
        }
    }
}

fn count(name: &str, sign: &str, count: usize, words: &str) -> Markup {
    html! {
        @if count > 0 { " " span.badge.(name) title={ (count) " " (words) } { (sign) (count) span.hidden { " " (words) } } }
    }
}

/// Filters with counts, and the bar with search and steps.
fn filters(words: &Words, groups: &[Group<'_>]) -> Markup {
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    let mut types: Vec<(&str, &'static str)> = Vec::new();
    for row in groups.iter().flat_map(|group| &group.rows).filter(|row| !matches!(row, Row::MovedAway(_))) {
        keys(row).into_iter().for_each(|key| *found.entry(key).or_default() += 1);
        types.push((row.kind(), row.kind()));
    }
    types.sort_unstable();
    types.dedup();
    let relations = RELATIONS.map(|(name, said, _)| (name, said));
    let sets: [(_, _, &[_]); 5] = [
        ("relation", "Provisions", &relations),
        ("changed", "What changed", &FACETS),
        ("type", "Type", &types),
        ("likelihood", "Likelihood", &LIKELIHOODS),
        ("only", "Only", &[(CHANGED_REQUIREMENT, "changed requirements")]),
    ];
    html! {
        form.filters.scripted role="search" aria-label=(words.provisions) autocomplete="off" hidden {
            @for (name, legend, options) in sets {
                fieldset {
                    legend { (words.say(legend)) }
                    @for (key, said) in options {
                        @let key = class(key);
                        @if let Some(count) = found.get(&key) {
                            label {
                                input type="checkbox" name=(name) value=(key);
                                span class={ "badge " (key) } { (words.say(said)) " " b { (count) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn provisions(compared: &Compared<'_>, groups: &[Group<'_>], page: &ComparisonPage<'_>) -> Markup {
    let (mut parts, mut next): (Vec<Markup>, usize) = (Vec::new(), 0);
    while let Some(group) = groups.get(next) {
        let run = groups[next..].iter().take_while(|group| group.rows.iter().all(Row::is_unchanged)).count();
        let whole = next..next + run;
        next += run.max(1);
        parts.push(if run == 0 {
            section(compared, group, next - 1, page)
        } else {
            let [first, last] = [whole.start, whole.end - 1].map(|at| group_label(compared, &groups[at]));
            let rows = groups[whole.clone()].iter().map(|group| group.rows.len()).sum();
            let sections = whole.map(|at| section(compared, &groups[at], at, page));
            fold(compared.words, [first, last], rows, html! { @for section in sections { (section) } })
        });
    }
    let say = |english| compared.words.say(english);
    html! {
        section aria-labelledby="provisions" {
            h2 #provisions { (say("Provisions side by side")) }
            div.bar {
                div.tools.scripted hidden {
                    input type="search" aria-label=(say("Search provisions")) placeholder=(compared.words.search) autocomplete="off";
                    button type="button" data-step="-1" title=(say("Previous change (k)")) { "↑ " span { (say("Previous")) } }
                    button type="button" data-step="1" title=(say("Next change (j)")) { "↓ " span { (say("Next")) } }
                    button type="button" data-reset="" hidden { (say("Show all")) }
                    span role="status" data-of=(say("of")) data-change=(say("change")) data-changes=(say("changes")) data-rows=(say("rows")) {}
                }
                div.heads.grid { span { (say("Change")) } span { (compared.view.older.reference) } span { (compared.view.newer.reference) } }
            }
            @for part in &parts { (part) }
        }
    }
}

/// Rows that the browser lays out at once, when they are near the visible part.
const CHUNK: usize = 50;

/// A section with its rows; runs of unchanged ones are folded if more than one row changed.
fn section(compared: &Compared<'_>, group: &Group<'_>, index: usize, page: &ComparisonPage<'_>) -> Markup {
    let headings = [
        group.older.map(|section| compared.outlines[0].sections[section].heading()),
        group.newer.map(|section| compared.outlines[1].sections[section].heading()),
    ];
    let is_mixed = !group.rows.iter().all(Row::is_unchanged);
    let is_fold = |run: &[Row<'_>]| is_mixed && run.len() > 1 && run[0].is_unchanged();
    let rows = |run: &[Row<'_>]| html! { @for one in run { (row(one, compared, page)) } };
    let runs = group.rows.chunk_by(|a, b| a.is_unchanged() == b.is_unchanged());
    let (mut chunks, mut height): (Vec<Vec<&[Row<'_>]>>, usize) = (Vec::new(), CHUNK);
    for piece in runs.flat_map(|run| run.chunks(if is_fold(run) { run.len() } else { CHUNK })) {
        let own = if is_fold(piece) { 1 } else { piece.len() };
        if height + own > CHUNK {
            chunks.push(Vec::new());
            height = 0;
        }
        height += own;
        chunks.last_mut().into_iter().for_each(|chunk| chunk.push(piece));
    }
    html! {
        section.group id={ "g" (index) } {
            h3.grid lang=[page.lang] {
                @match &headings {
                    [Some(older), Some(newer)] if older == newer => span.both { (newer) },
                    [older, newer] => {
                        span.was { @if let Some(older) = older { (older) } }
                        span.now { @if let Some(newer) = newer { (newer) } }
                    }
                }
            }
            @for chunk in chunks {
                div.rows {
                    @for piece in chunk {
                        @if is_fold(piece) {
                            @let ends = [&piece[0], &piece[piece.len() - 1]].map(|row| row.label().to_owned());
                            @let inside = html! { @for part in piece.chunks(CHUNK) { div.rows { (rows(part)) } } };
                            (fold(compared.words, ends, piece.len(), inside))
                        } @else { (rows(piece)) }
                    }
                }
            }
        }
    }
}

fn fold(words: &Words, [first, last]: [String; 2], rows: usize, inside: Markup) -> Markup {
    html! {
        details.fold {
            summary {
                (first) @if first != last { " " (words.say("to")) " " (last) } ": " b { (rows) } " " (words.say(if rows == 1 { "provision unchanged" } else { "provisions unchanged" }))
            }
            (inside)
        }
    }
}

fn group_label(compared: &Compared<'_>, group: &Group<'_>) -> String {
    let [older, newer] = &compared.outlines;
    let section = group.newer.map(|section| &newer.sections[section]);
    let section = section.or_else(|| group.older.map(|section| &older.sections[section]));
    section.map_or_else(String::new, |section| section.short().to_owned())
}

impl<'a> ComparisonPage<'a> {
    fn new(compared: &Compared<'a>, groups: &[Group<'_>]) -> Self {
        let mut sections = [HashMap::new(), HashMap::new()];
        for (index, group) in groups.iter().enumerate() {
            let sides = [group.older, group.newer].into_iter().zip(&compared.outlines);
            for (of_side, (section, outline)) in sections.iter_mut().zip(sides) {
                for section in std::iter::successors(section, |&section| outline.sections[section].parent) {
                    of_side.entry(section).or_insert(index);
                }
            }
        }
        let lang = Some(&*compared.view.language).filter(|&tag| tag != compared.words.language);
        let id = |part: &'a ComparedPart<'a>| &*part.id;
        let tables =
            changed(compared).map(|table| table.newer.as_ref().or(table.older.as_ref()).map_or("", id));
        Self { sections, lang, tables: tables.collect() }
    }

    /// The group with the first rows of a section.
    fn group(&self, change: &SectionChange<'_>, compared: &Compared<'_>) -> Option<usize> {
        let [older, newer] = &compared.outlines;
        match (&change.older, &change.newer) {
            (_, Some(section)) => self.sections[1].get(&newer.section(&section.id)?).copied(),
            (older_section, None) => {
                self.sections[0].get(&older.section(&older_section.as_ref()?.id)?).copied()
            }
        }
    }
}
