//! Rows of the page of a comparison: what changed, the older text, the newer text.

use std::collections::HashMap;

use maud::{Markup, html};
use norma_compare::{Candidate, Confidence, DependencyKind, Edit, Link, PartKind, Span, Unit, Unmatched};

use super::changes::{FACETS, labels};
use super::rows::{Compared, Row};

/// Relations, each with the words for readers, and its meaning.
pub(crate) const RELATIONS: [(&str, &str, &str); 6] = [
    ("new", "new", "no counterpart in the older edition was found"),
    ("removed", "removed", "no counterpart in the newer edition was found"),
    ("reworded", "reworded", "other words"),
    ("split", "possibly split", "possibly a part of a provision of the older edition"),
    ("merged", "possibly merged", "possibly became a part of a provision of the newer edition"),
    ("same", "same", "the same words; references may be renumbered"),
];

/// Least similarity of a unit that is listed as similar to another.
const NEAR: f32 = 0.3;

/// The values of the page that a row needs.
pub(crate) struct Page<'a> {
    /// The group with the first rows of each section, by section of the older and of the newer edition.
    pub(crate) sections: [HashMap<usize, usize>; 2],
    /// The language of the texts, if the page is in another one.
    pub(crate) lang: Option<&'a str>,
}

/// Which side of the comparison a text is on.
#[derive(Clone, Copy)]
enum Side {
    Older,
    Newer,
}

/// The keys by which a row is filtered: relation, type, likelihood and kinds of change.
pub(crate) fn keys(compared: &Compared<'_>, row: &Row<'_>) -> Vec<String> {
    let mut keys = vec![row.relation().to_owned(), class(compared.kind(row))];
    match row {
        Row::Pair(link) => {
            keys.push(likelihood(link).to_owned());
            keys.extend(link.facets.kinds().iter().map(|facet| facet.name().to_owned()));
        }
        Row::Split(link) | Row::Merged(link) => keys.push(likelihood(link).to_owned()),
        Row::MovedAway(_) => keys.push("moved".to_owned()),
        Row::New(_) | Row::Removed(_) => {}
    }
    keys
}

fn likelihood(link: &Link) -> &'static str {
    match link.confidence {
        Confidence::Likely => "likely",
        Confidence::High => "high",
        Confidence::Certain => "certain",
    }
}

/// One row.
pub(crate) fn row(row: &Row<'_>, compared: &Compared<'_>, page: &Page<'_>) -> Markup {
    let relation = row.relation();
    let (_, words, meaning) =
        RELATIONS.iter().find(|(name, ..)| *name == relation).copied().unwrap_or_default();
    let (older, newer) = (&compared.older.units, &compared.newer.units);
    let row_id = match row {
        Row::Pair(link) | Row::Split(link) => target(link.newer, Side::Newer),
        Row::New(unmatched) => target(unmatched.unit, Side::Newer),
        Row::MovedAway(link) | Row::Merged(link) => target(link.older, Side::Older),
        Row::Removed(unmatched) => target(unmatched.unit, Side::Older),
    };
    let away = matches!(row, Row::MovedAway(_));
    let is_alone = matches!(row, Row::New(one) | Row::Removed(one) if near(one).next().is_none());
    let quiet = away || row.is_unchanged();
    let text = |unit: usize, side: Side, link: Option<&Link>, id: Option<String>| {
        let unit = match side {
            Side::Older => &older[unit],
            Side::Newer => &newer[unit],
        };
        self::text(unit, side, link, &row_id, id)
    };
    html! {
        div.row.grid.(relation).quiet[quiet].step[!quiet] id=(row_id) data-keys=(keys(compared, row).join(" ")) {
            div.change {
                @if away { span.badge.moved { "moved" } }
                @else {
                    span class={ "badge " (relation) } title=(meaning) { (words) }
                    " " span.type { (compared.kind(row)) }
                    @if let Row::Pair(link) = row {
                        (facets(link, compared, page))
                        span.likelihood.likely[link.confidence == Confidence::Likely] { "likelihood " (likelihood(link)) }
                    }
                }
            }
            div.older.empty[is_alone && relation == "new"] lang=[page.lang] {
                @match row {
                    Row::Pair(link) => {
                        // A unit that moved is in the page twice; the other row has its id.
                        @let id = link.facets.moved.is_none().then(|| target(link.older, Side::Older));
                        (text(link.older, Side::Older, Some(link), id))
                    }
                    Row::MovedAway(link) | Row::Merged(link) => (text(link.older, Side::Older, None, None)),
                    Row::Removed(one) => (text(one.unit, Side::Older, None, None)),
                    Row::Split(link) => p.note lang="en" { "possibly a part of " (anchor(&older[link.older], link.older, Side::Older)) },
                    Row::New(unmatched) => (candidates(unmatched, older, Side::Older)),
                }
            }
            div.newer.empty[is_alone && relation == "removed"] lang=[page.lang] {
                @match row {
                    Row::Pair(link) => (text(link.newer, Side::Newer, Some(link), None)),
                    Row::MovedAway(link) => p.note lang="en" { "moved to " (anchor(&newer[link.newer], link.newer, Side::Newer)) },
                    Row::Split(link) => (text(link.newer, Side::Newer, None, None)),
                    Row::New(one) => (text(one.unit, Side::Newer, None, None)),
                    Row::Merged(link) => p.note lang="en" { "possibly a part of " (anchor(&newer[link.newer], link.newer, Side::Newer)) },
                    Row::Removed(unmatched) => (candidates(unmatched, newer, Side::Newer)),
                }
            }
        }
    }
}

/// The changes of a pair, with links to their locations in the page.
fn facets(link: &Link, compared: &Compared<'_>, page: &Page<'_>) -> Markup {
    let labels = labels(&link.facets, compared.older, compared.newer);
    let words = |facet: &str| FACETS.iter().find(|(name, _)| *name == facet).map_or("", |(_, words)| *words);
    let mut dependencies = link.facets.depends_on.iter();
    let mut href = |facet: &str| match facet {
        "moved" => Some(format!("#{}", target(link.older, Side::Older))),
        "dependsOn" => {
            let dependency = dependencies.next()?;
            match dependency.kind {
                DependencyKind::Clause => {
                    Some(format!("#g{}", page.sections[1].get(&dependency.target.newer)?))
                }
                DependencyKind::Part(PartKind::Table) => Some(format!("#t{}", dependency.target.newer)),
                _ => None,
            }
        }
        _ => None,
    };
    html! {
        @if !labels.is_empty() {
            ul.facets {
                @for label in &labels {
                    li class=(label.facet) {
                        span.facet { (words(label.facet)) } " "
                        @match href(label.facet) {
                            Some(href) => a href=(href) { (label.text) },
                            None => (label.text),
                        }
                    }
                }
            }
        }
    }
}

/// The text of a unit, marking the words that are not in its counterpart. Its label is a link to its row.
fn text(unit: &Unit, side: Side, link: Option<&Link>, row_id: &str, id: Option<String>) -> Markup {
    let marks = |edits: Option<&Vec<Edit>>| -> Vec<Span> {
        let spans = edits.into_iter().flatten().map(|edit| match side {
            Side::Older => edit.older,
            Side::Newer => edit.newer,
        });
        spans.filter(|span| span.start < span.end).collect()
    };
    html! {
        p id=[id] dir="auto" {
            @if let Some(label) = &unit.label { a.label href={ "#" (row_id) } { (label) } " " }
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

/// The units that come near one without counterpart.
pub(crate) fn near(unmatched: &Unmatched) -> impl Iterator<Item = &Candidate> {
    unmatched.candidates.iter().filter(|candidate| candidate.similarity >= NEAR)
}

fn candidates(unmatched: &Unmatched, units: &[Unit], side: Side) -> Markup {
    let near: Vec<&Candidate> = near(unmatched).collect();
    html! {
        p.note lang="en" {
            @if near.is_empty() { "nothing like it" }
            @else {
                "nearest: "
                @for (nth, Candidate { unit, similarity }) in near.into_iter().enumerate() {
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
pub(crate) fn class(name: &str) -> String {
    name.replace(' ', "-")
}
