//! A comparison as one self-contained page: counts, filters, and both editions side by side with the changed words marked. It loads nothing,
//! and can be read and printed without its script, which only hides headings whose rows are filtered away.

use std::collections::BTreeMap;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use norma_compare::{Candidate, Confidence, Edit, Link, Span, Unit, Unmatched};
use norma_model::Lang;

use super::changes::{FACETS, heading, kind, labels};
use super::rows::{Compared, Group, Row};
use super::source::Source;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Relations with what a reader reads in their place, and what it means.
const RELATIONS: [(&str, &str, &str); 6] = [
    ("new", "new", "no counterpart in the older edition was found"),
    ("removed", "removed", "no counterpart in the newer edition was found"),
    ("reworded", "reworded", "other words"),
    ("split", "possibly split", "possibly a part of a provision of the older edition"),
    ("merged", "possibly merged", "possibly became a part of a provision of the newer edition"),
    ("same", "same", "the same words; references may be renumbered"),
];

/// Which side of the comparison a text is on.
#[derive(Clone, Copy)]
enum Side {
    Older,
    Newer,
}

/// The page of a comparison.
pub(crate) fn page(editions: [&Source; 2], language: &Lang, compared: &Compared<'_>) -> String {
    let groups = compared.groups();
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
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    p.kicker { "Comparison of editions" }
                    h1 lang=(language) {
                        @if let Some(title) = &editions[1].title { (title) } @else { (editions[1].reference) }
                    }
                    div.editions {
                        @let renamed = editions[0].title != editions[1].title;
                        (edition("Older edition", editions[0], language, renamed))
                        (edition("Newer edition", editions[1], language, renamed))
                    }
                }
                main {
                    (summary(compared, &groups))
                    (table(editions, language, compared, &groups))
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

fn edition(name: &str, source: &Source, language: &Lang, with_title: bool) -> Markup {
    html! {
        div {
            p.name { (name) }
            p.reference { (source.reference) }
            @if let Some(title) = source.title.as_ref().filter(|_| with_title) { p lang=(language) { (title) } }
            p.urn { (source.urn) }
        }
    }
}

/// Counts by relation and kind of change, each with the filter for it.
fn summary(compared: &Compared<'_>, groups: &[Group<'_>]) -> Markup {
    let (mut relations, mut facets): (BTreeMap<&str, usize>, BTreeMap<&str, usize>) = Default::default();
    let mut types: BTreeMap<&str, usize> = BTreeMap::new();
    let rows = groups.iter().flat_map(|group| &group.rows).filter(|row| !matches!(row, Row::MovedAway(_)));
    for row in rows {
        *relations.entry(row.relation()).or_default() += 1;
        *types.entry(kind(compared.unit(row).kind)).or_default() += 1;
        let mut names = facet_names(compared, row);
        names.dedup();
        names.into_iter().for_each(|name| *facets.entry(name).or_default() += 1);
    }
    let count = |counts: &BTreeMap<&str, usize>, name: &str| counts.get(name).copied().unwrap_or_default();
    html! {
        section.summary aria-labelledby="summary" {
            h2 #summary { "Summary" }
            form.filters autocomplete="off" {
                fieldset {
                    legend { "Provisions" }
                    @for (name, words, meaning) in RELATIONS {
                        @let number = count(&relations, name);
                        @if number > 0 || matches!(name, "new" | "removed" | "reworded" | "same") {
                            label title=(meaning) {
                                input type="checkbox" id={ "show-" (name) } checked;
                                span.badge.(name) { (words) } " " b { (number) }
                            }
                        }
                    }
                }
                fieldset {
                    legend { "What changed" }
                    label { input type="radio" name="facet" id="facet-any" checked; "any or nothing" }
                    @for (name, words) in FACETS {
                        @if count(&facets, name) > 0 {
                            label {
                                input type="radio" name="facet" id={ "facet-" (name) };
                                (words) " " b { (count(&facets, name)) }
                            }
                        }
                    }
                }
                fieldset {
                    legend { "Type" }
                    @for (name, number) in &types {
                        label { input type="checkbox" id={ "type-" (class(name)) } checked; (name) " " b { (number) } }
                    }
                }
            }
        }
    }
}

fn table(editions: [&Source; 2], language: &Lang, compared: &Compared<'_>, groups: &[Group<'_>]) -> Markup {
    html! {
        section aria-labelledby="provisions" {
            h2 #provisions { "Provisions side by side" }
            table {
                thead {
                    tr {
                        th.change scope="col" { "Change" }
                        th scope="col" { (editions[0].reference) }
                        th scope="col" { (editions[1].reference) }
                    }
                }
                @for group in groups {
                    tbody {
                        tr.section {
                            th.change scope="rowgroup" { span.hidden { "Section" } }
                            td lang=(language) { @if let Some(section) = group.older { (heading(&compared.older.sections[section])) } }
                            td lang=(language) { @if let Some(section) = group.newer { (heading(&compared.newer.sections[section])) } }
                        }
                        @for row in &group.rows { (self::row(row, language, compared)) }
                    }
                }
            }
            @if groups.is_empty() { p { "Neither edition has a provision in this language." } }
        }
    }
}

fn row(row: &Row<'_>, language: &Lang, compared: &Compared<'_>) -> Markup {
    let relation = row.relation();
    let words = RELATIONS.iter().find(|(name, ..)| *name == relation).map_or(relation, |(_, words, _)| words);
    let unit = compared.unit(row);
    let mut classes = vec!["row".to_owned(), relation.to_owned(), format!("type-{}", class(kind(unit.kind)))];
    classes.extend(facet_names(compared, row).into_iter().map(|name| format!("facet-{name}")));
    let moved = matches!(row, Row::MovedAway(_));
    if moved {
        classes.push("away".to_owned());
    }
    let (older, newer) = (&compared.older.units, &compared.newer.units);
    html! {
        tr class=(classes.join(" ")) {
            th.change scope="row" {
                @if moved { span.badge.moved { "moved" } }
                @else {
                    span class={ "badge " (relation) } { (words) }
                    span.type { (kind(unit.kind)) }
                    @if let Row::Pair(link) = row { (facets(link, compared)) }
                }
            }
            td lang=(language) {
                @match row {
                    Row::Pair(link) => (text(&older[link.older], link.older, Side::Older, Some(link), !is_moved(link))),
                    Row::MovedAway(link) => (text(&older[link.older], link.older, Side::Older, None, true)),
                    Row::Merged(link) => (text(&older[link.older], link.older, Side::Older, None, true)),
                    Row::Removed(u) => (text(&older[u.unit], u.unit, Side::Older, None, true)),
                    Row::Split(link) => p.note { "possibly a part of " (anchor(&older[link.older], link.older, Side::Older)) },
                    Row::New(unmatched) => (candidates(unmatched, older, Side::Older)),
                }
            }
            td lang=(language) {
                @match row {
                    Row::Pair(link) => (text(&newer[link.newer], link.newer, Side::Newer, Some(link), true)),
                    Row::MovedAway(link) => p.note { "moved to " (anchor(&newer[link.newer], link.newer, Side::Newer)) },
                    Row::Split(link) => (text(&newer[link.newer], link.newer, Side::Newer, None, true)),
                    Row::New(u) => (text(&newer[u.unit], u.unit, Side::Newer, None, true)),
                    Row::Merged(link) => p.note { "possibly a part of " (anchor(&newer[link.newer], link.newer, Side::Newer)) },
                    Row::Removed(unmatched) => (candidates(unmatched, newer, Side::Newer)),
                }
            }
        }
    }
}

fn is_moved(link: &Link) -> bool {
    link.facets.moved.is_some()
}

fn facet_names(compared: &Compared<'_>, row: &Row<'_>) -> Vec<&'static str> {
    match row {
        Row::Pair(link) => {
            labels(&link.facets, compared.older, compared.newer).iter().map(|label| label.facet).collect()
        }
        Row::MovedAway(_) => vec!["moved"],
        _ => Vec::new(),
    }
}

fn facets(link: &Link, compared: &Compared<'_>) -> Markup {
    let labels = labels(&link.facets, compared.older, compared.newer);
    let words = |facet: &str| FACETS.iter().find(|(name, _)| *name == facet).map_or("", |(_, words)| *words);
    html! {
        @if !labels.is_empty() {
            ul.facets {
                @for label in &labels {
                    li class=(label.facet) {
                        span.facet { (words(label.facet)) } " "
                        @match label.facet {
                            "moved" => a href={ "#o" (link.older) } { (label.text) },
                            _ => (label.text),
                        }
                    }
                }
            }
        }
        @if link.confidence == Confidence::Likely { span.confidence { "likely, not certain" } }
    }
}

/// The text of a unit with the words marked that are not in its counterpart. It has the id of the unit where `with_id` says so: a unit that
/// moved is in the page twice.
fn text(unit: &Unit, index: usize, side: Side, link: Option<&Link>, with_id: bool) -> Markup {
    let id = with_id.then(|| target(index, side));
    let marks = |edits: Option<&Vec<Edit>>| -> Vec<Span> {
        let spans = edits.into_iter().flatten().map(|edit| match side {
            Side::Older => edit.older,
            Side::Newer => edit.newer,
        });
        spans.filter(|span| span.start < span.end).collect()
    };
    html! {
        p id=[id] dir="auto" {
            @if let Some(label) = &unit.label { span.label { (label) } " " }
            @if let Some(lead_in) = &unit.lead_in {
                span.lead { (marked(lead_in, &marks(link.map(|link| &link.lead_in)), side)) } " "
            }
            (marked(&unit.text, &marks(link.map(|link| &link.text)), side))
        }
    }
}

/// A text with some of its spans marked.
fn marked(text: &str, spans: &[Span], side: Side) -> Markup {
    let chars: Vec<char> = text.chars().collect();
    let part = |start: usize, end: usize| chars[start..end].iter().collect::<String>();
    let mut done = 0;
    html! {
        @for span in spans {
            (part(done, span.start))
            @match side {
                Side::Older => del { (part(span.start, span.end)) },
                Side::Newer => ins { (part(span.start, span.end)) },
            }
            ({ done = span.end; "" })
        }
        (part(done, chars.len()))
    }
}

fn candidates(unmatched: &Unmatched, units: &[Unit], side: Side) -> Markup {
    html! {
        p.note {
            @if unmatched.candidates.is_empty() { "nothing like it" }
            @else {
                "nearest: "
                @for (nth, Candidate { unit, similarity }) in unmatched.candidates.iter().enumerate() {
                    @if nth > 0 { ", " }
                    (anchor(&units[*unit], *unit, side)) " (" (format!("{:.0} %", similarity * 100.0)) ")"
                }
            }
        }
    }
}

/// A link to a unit by its label.
fn anchor(unit: &Unit, index: usize, side: Side) -> Markup {
    html! { a href={ "#" (target(index, side)) } { (unit.label.as_ref().unwrap_or(&unit.id)) } }
}

/// The id in the page of a unit.
fn target(index: usize, side: Side) -> String {
    match side {
        Side::Older => format!("o{index}"),
        Side::Newer => format!("n{index}"),
    }
}

/// A name as a part of a class.
fn class(name: &str) -> String {
    name.replace(' ', "-")
}
