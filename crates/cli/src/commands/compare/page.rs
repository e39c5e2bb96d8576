//! A comparison as one self-contained page: a summary, an outline, and both editions side by side with the
//! changed words marked. It loads nothing. Without its script it can be read, folded and printed; the script
//! filters, searches and steps from change to change.

use std::collections::{BTreeMap, HashMap};

use maud::{DOCTYPE, Markup, PreEscaped, html};
use norma_compare::{PartRelation, Section, SectionChange};
use norma_model::Lang;

use super::changes::{FACETS, heading, section_label};
use super::page_rows::{Page, RELATIONS, class, keys, row};
use super::page_tables::tables;
use super::rows::{Compared, Group, Row};
use super::source::Source;
use super::summary::sentence;

/// The style of this page, in addition to that of all pages.
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Likelihoods of pairs, the least sure first.
const LIKELIHOODS: [(&str, &str); 3] = [("likely", "likely"), ("high", "high"), ("certain", "certain")];

/// The page of a comparison.
pub(crate) fn page(editions: [&Source; 2], language: &Lang, compared: &Compared<'_>) -> String {
    let groups = compared.groups();
    let page = Page::new(compared, &groups, language);
    let title = format!("{} compared with {}", editions[1].reference, editions[0].reference);
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
            body {
                header {
                    p.kicker { "Comparison of editions" }
                    h1 lang=[page.lang] {
                        @if let Some(title) = &editions[1].title { (title) } @else { (editions[1].reference) }
                    }
                    div.editions {
                        @let renamed = editions[0].title != editions[1].title;
                        (edition("Older edition", editions[0], page.lang, renamed))
                        (edition("Newer edition", editions[1], page.lang, renamed))
                    }
                    p.sentence { (sentence(compared.comparison)) "." }
                }
                (outline(compared, &page))
                main {
                    (filters(compared, &groups))
                    (provisions(editions, compared, &groups, &page))
                    (tables(compared))
                }
                footer {
                    p {
                        "Compared by words, sections and order (matcher " (norma_compare::VERSION)
                        "). A provision is called new or removed where no counterpart was found: look at the nearest ones before you rely on it."
                    }
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    markup.into_string()
}

fn edition(name: &str, source: &Source, lang: Option<&str>, with_title: bool) -> Markup {
    html! {
        div {
            p.name { (name) }
            p.reference { (source.reference) }
            @if let Some(title) = source.title.as_ref().filter(|_| with_title) { p lang=[lang] { (title) } }
            p.urn { (source.urn()) }
        }
    }
}

/// The sections with changes and those of the first level, with counts.
fn outline(compared: &Compared<'_>, page: &Page<'_>) -> Markup {
    let side = |change: &SectionChange| match (change.newer, change.older) {
        (Some(newer), _) => (&compared.newer.sections, newer),
        (None, older) => (&compared.older.sections, older.unwrap_or_default()),
    };
    let depth = |sections: &[Section], index: usize| {
        std::iter::successors(Some(index), |&section| sections[section].parent).count() - 1
    };
    let tables = compared.comparison.tables.iter().filter(|table| table.relation != PartRelation::Same);
    let tables = tables.count();
    html! {
        nav.outline aria-label="Sections" {
            details open {
                summary { "Sections" }
                ul lang=[page.lang] {
                    @for change in &compared.comparison.outline {
                        @let (sections, index) = side(change);
                        @let depth = depth(sections, index);
                        @let group = page.group(change);
                        @if let Some(group) = group.filter(|_| depth == 0 || change.relation != PartRelation::Same) {
                            li class={ "depth-" (depth.min(4)) @if change.relation == PartRelation::Same { " same" } } {
                                a href={ "#g" (group) } { (heading(&sections[index])) }
                                (counts(change))
                            }
                        }
                    }
                    @if tables > 0 {
                        li.depth-0 lang="en" { a href="#tables" { "Tables" } span.counts { (count("reworded", "", tables, "changed")) } }
                    }
                }
            }
        }
    }
}

fn counts(change: &SectionChange) -> Markup {
    let [_, changed, new, removed] = change.provisions;
    html! {
        span.counts lang="en" {
            (count("reworded", "", changed as usize, "changed"))
            (count("new", "+", new as usize, "new"))
            (count("removed", "−", removed as usize, "removed"))
        }
    }
}

fn count(name: &str, sign: &str, count: usize, words: &str) -> Markup {
    html! {
        @if count > 0 { " " span.badge.(name) title={ (count) " " (words) } { (sign) (count) span.hidden { " " (words) } } }
    }
}

/// Filters with counts, and the bar with search and steps.
fn filters(compared: &Compared<'_>, groups: &[Group<'_>]) -> Markup {
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    let mut types: Vec<(&str, &str)> = Vec::new();
    for row in groups.iter().flat_map(|group| &group.rows).filter(|row| !matches!(row, Row::MovedAway(_))) {
        keys(compared, row).into_iter().for_each(|key| *found.entry(key).or_default() += 1);
        types.push((compared.kind(row), compared.kind(row)));
    }
    types.sort_unstable();
    types.dedup();
    let relations = RELATIONS.map(|(name, words, _)| (name, words));
    let sets: [(_, _, &[_]); 4] = [
        ("relation", "Provisions", &relations),
        ("changed", "What changed", &FACETS),
        ("type", "Type", &types),
        ("likelihood", "Likelihood", &LIKELIHOODS),
    ];
    html! {
        form.filters.scripted role="search" aria-label="Provisions" autocomplete="off" hidden {
            @for (name, legend, options) in sets {
                fieldset {
                    legend { (legend) }
                    @for (key, words) in options {
                        @let key = class(key);
                        @if let Some(count) = found.get(&key) {
                            label {
                                input type="checkbox" name=(name) value=(key);
                                span class={ "badge " (key) } { (words) " " b { (count) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn provisions(
    editions: [&Source; 2],
    compared: &Compared<'_>,
    groups: &[Group<'_>],
    page: &Page<'_>,
) -> Markup {
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
            fold([first, last], rows, html! { @for section in sections { (section) } })
        });
    }
    html! {
        section aria-labelledby="provisions" {
            h2 #provisions { "Provisions side by side" }
            div.bar {
                div.tools.scripted hidden {
                    input type="search" aria-label="Search provisions" placeholder="Search" autocomplete="off";
                    button type="button" data-step="-1" title="Previous change (k)" { "↑ " span { "Previous" } }
                    button type="button" data-step="1" title="Next change (j)" { "↓ " span { "Next" } }
                    button type="button" data-reset="" hidden { "Show all" }
                    span role="status" {}
                }
                div.heads.grid { span { "Change" } span { (editions[0].reference) } span { (editions[1].reference) } }
            }
            @for part in &parts { (part) }
        }
    }
}

/// Rows that the browser lays out at once, when they are near the visible part.
const CHUNK: usize = 50;

/// A section with its rows; runs of unchanged ones are folded if more than one row changed.
fn section(compared: &Compared<'_>, group: &Group<'_>, index: usize, page: &Page<'_>) -> Markup {
    let headings = [
        group.older.map(|section| heading(&compared.older.sections[section])),
        group.newer.map(|section| heading(&compared.newer.sections[section])),
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
                            @let ends = [&piece[0], &piece[piece.len() - 1]].map(|row| compared.label(row));
                            @let inside = html! { @for part in piece.chunks(CHUNK) { div.rows { (rows(part)) } } };
                            (fold(ends, piece.len(), inside))
                        } @else { (rows(piece)) }
                    }
                }
            }
        }
    }
}

fn fold([first, last]: [String; 2], rows: usize, inside: Markup) -> Markup {
    html! {
        details.fold {
            summary {
                (first) @if first != last { " to " (last) } ": " b { (rows) } @if rows == 1 { " provision unchanged" } @else { " provisions unchanged" }
            }
            (inside)
        }
    }
}

fn group_label(compared: &Compared<'_>, group: &Group<'_>) -> String {
    let section = group.newer.map(|section| &compared.newer.sections[section]);
    let section = section.or_else(|| group.older.map(|section| &compared.older.sections[section]));
    section.map_or_else(String::new, section_label)
}

impl<'a> Page<'a> {
    fn new(compared: &Compared<'_>, groups: &[Group<'_>], language: &'a Lang) -> Self {
        let mut sections = [HashMap::new(), HashMap::new()];
        for (index, group) in groups.iter().enumerate() {
            let sides = [(group.older, &compared.older.sections), (group.newer, &compared.newer.sections)];
            for (of_side, (section, all)) in sections.iter_mut().zip(sides) {
                for section in std::iter::successors(section, |&section| all[section].parent) {
                    of_side.entry(section).or_insert(index);
                }
            }
        }
        let lang = Some(language.as_str()).filter(|&tag| tag != "en");
        Self { sections, lang }
    }

    /// The group with the first rows of a section.
    fn group(&self, change: &SectionChange) -> Option<usize> {
        match (change.older, change.newer) {
            (_, Some(newer)) => self.sections[1].get(&newer).copied(),
            (older, None) => self.sections[0].get(&older?).copied(),
        }
    }
}
