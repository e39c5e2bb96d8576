//! Rows of the page of a comparison: what changed, the older text, the newer text.

use std::collections::HashMap;

use maud::{Markup, html};
use norma_api::shapes::{
    ComparedProvision, ComparisonCandidate, DependencyType, Edit, Likelihood, ProvisionChange, Slice,
};

use super::changes::{FACETS, labels};
use super::compared::{Compared, EditionOutline};
use super::rows::{Alone, Both, Row, label};
use crate::phrases::Words;

/// Relations, each with the words for readers, and its meaning.
pub(crate) const RELATIONS: [(&str, &str, &str); 6] = [
    ("new", "new", "no counterpart in the older edition was found"),
    ("removed", "removed", "no counterpart in the newer edition was found"),
    ("reworded", "reworded", "other words"),
    ("split", "possibly split", "possibly a part of a provision of the older edition"),
    ("merged", "possibly merged", "possibly became a part of a provision of the newer edition"),
    ("same", "same", "the same words; references may be renumbered"),
];

/// Least similarity of a provision that is listed as similar to another.
const NEAR: f32 = 0.3;

/// The values of the page that a row needs.
pub(crate) struct ComparisonPage<'a> {
    /// The group with the first rows of each section, by section of the older and of the newer edition.
    pub(crate) sections: [HashMap<usize, usize>; 2],
    /// The language of the texts, if the page is in another one.
    pub(crate) lang: Option<&'a str>,
    /// Ids of the tables that changed, in their order in the page.
    pub(crate) tables: Vec<&'a str>,
}

impl ComparisonPage<'_> {
    /// The index of a table in the page.
    fn table(&self, id: &str) -> Option<usize> {
        self.tables.iter().position(|table| *table == id)
    }
}

/// Which side of the comparison a text is on.
#[derive(Clone, Copy)]
enum Side {
    Older,
    Newer,
}

/// The keys by which a row is filtered: relation, type, likelihood and kinds of change.
pub(crate) fn keys(row: &Row<'_>) -> Vec<String> {
    let mut keys = vec![row.relation().to_owned(), class(row.kind())];
    match row {
        Row::Pair(Both { item, .. }) => {
            keys.push(likelihood(item).to_owned());
            keys.extend(item.changed.iter().map(|facet| facet.as_str().to_owned()));
        }
        Row::Split(Both { item, .. }) | Row::Merged(Both { item, .. }) => {
            keys.push(likelihood(item).to_owned())
        }
        Row::MovedAway(_) => keys.push("moved".to_owned()),
        Row::New(_) | Row::Removed(_) => {}
    }
    if row.kind() == "requirement" && !row.is_unchanged() && !matches!(row, Row::MovedAway(_)) {
        keys.push(CHANGED_REQUIREMENT.to_owned());
    }
    keys
}

/// What rows are filtered by that are about a changed requirement.
pub(crate) const CHANGED_REQUIREMENT: &str = "changed-requirement";

fn likelihood(item: &ProvisionChange<'_>) -> &'static str {
    item.likelihood.map_or("", Likelihood::as_str)
}

/// One row.
pub(crate) fn row(row: &Row<'_>, compared: &Compared<'_>, page: &ComparisonPage<'_>) -> Markup {
    let relation = row.relation();
    let say = |english| compared.words.say(english);
    let (_, name, meaning) =
        RELATIONS.iter().find(|(name, ..)| *name == relation).copied().unwrap_or_default();
    let [older, newer] = &compared.outlines;
    let target = |provision: &ComparedProvision<'_>, side: Side| match side {
        Side::Older => target(older, &provision.id, side),
        Side::Newer => target(newer, &provision.id, side),
    };
    let row_id = match row {
        Row::Pair(both) | Row::Split(both) => target(both.newer, Side::Newer),
        Row::New(alone) => target(alone.provision, Side::Newer),
        Row::MovedAway(both) | Row::Merged(both) => target(both.older, Side::Older),
        Row::Removed(alone) => target(alone.provision, Side::Older),
    };
    let away = matches!(row, Row::MovedAway(_));
    let is_alone = matches!(row, Row::New(one) | Row::Removed(one) if near(one.item).next().is_none());
    let quiet = away || row.is_unchanged();
    let text = |provision, side, item: Option<&ProvisionChange<'_>>, id: Option<String>| {
        self::text(provision, side, item, &row_id, id)
    };
    let anchor = |provision: &ComparedProvision<'_>, side| {
        html! { a href={ "#" (target(provision, side)) } { (label(provision)) } }
    };
    html! {
        div.row.grid.(relation).quiet[quiet].step[!quiet] id=(row_id) data-keys=(keys(row).join(" ")) {
            div.change {
                @if away { span.badge.moved { (say("moved")) } }
                @else {
                    span class={ "badge " (relation) } title=(say(meaning)) { (say(name)) }
                    " " span.type { (say(row.kind())) }
                    @if let Row::Pair(both) = row {
                        (facets(both, compared, page))
                        span.likelihood.likely[both.item.likelihood == Some(Likelihood::Likely)] { (say("likelihood")) " " (say(likelihood(both.item))) }
                    }
                }
            }
            div.older.empty[is_alone && relation == "new"] lang=[page.lang] {
                @match row {
                    Row::Pair(both) => {
                        // A provision that moved is in the page twice; the other row has its id.
                        @let moved = both.item.facets.as_ref().is_some_and(|facets| facets.moved.is_some());
                        @let id = (!moved).then(|| target(both.older, Side::Older));
                        (text(both.older, Side::Older, Some(both.item), id))
                    }
                    Row::MovedAway(both) | Row::Merged(both) => (text(both.older, Side::Older, None, None)),
                    Row::Removed(one) => (text(one.provision, Side::Older, None, None)),
                    Row::Split(both) => p.note lang=(compared.words.language) { (say("possibly a part of")) " " (anchor(both.older, Side::Older)) },
                    Row::New(alone) => (candidates(compared.words, alone, older, Side::Older)),
                }
            }
            div.newer.empty[is_alone && relation == "removed"] lang=[page.lang] {
                @match row {
                    Row::Pair(both) => (text(both.newer, Side::Newer, Some(both.item), None)),
                    Row::MovedAway(both) => p.note lang=(compared.words.language) { (say("moved to")) " " (anchor(both.newer, Side::Newer)) },
                    Row::Split(both) => (text(both.newer, Side::Newer, None, None)),
                    Row::New(one) => (text(one.provision, Side::Newer, None, None)),
                    Row::Merged(both) => p.note lang=(compared.words.language) { (say("possibly a part of")) " " (anchor(both.newer, Side::Newer)) },
                    Row::Removed(alone) => (candidates(compared.words, alone, newer, Side::Newer)),
                }
            }
        }
    }
}

/// The changes of a pair, with links to their locations in the page.
fn facets(both: &Both<'_>, compared: &Compared<'_>, page: &ComparisonPage<'_>) -> Markup {
    let Some(changes) = &both.item.facets else { return html! {} };
    let labels = labels(changes, compared);
    let words = |facet: &str| {
        let found = FACETS.iter().find(|(name, _)| *name == facet);
        found.map_or("", |(_, words)| compared.words.say(words))
    };
    let newer = &compared.outlines[1];
    let mut dependencies = changes.depends_on.iter();
    let mut href = |facet: &str| match facet {
        "moved" => Some(format!("#{}", target(&compared.outlines[0], &both.older.id, Side::Older))),
        "dependsOn" => {
            let dependency = dependencies.next()?;
            let id = &dependency.newer.id;
            match dependency.kind {
                DependencyType::Clause => Some(format!("#g{}", page.sections[1].get(&newer.section(id)?)?)),
                DependencyType::Table => Some(format!("#t{}", page.table(id)?)),
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

/// The text of a provision with the words marked that are not in its counterpart. Its label is a link to its
/// row.
fn text(
    provision: &ComparedProvision<'_>,
    side: Side,
    item: Option<&ProvisionChange<'_>>,
    row_id: &str,
    id: Option<String>,
) -> Markup {
    let marks = |edits: Option<&Vec<Edit>>| -> Vec<Slice> {
        let slices = edits.into_iter().flatten().map(|edit| match side {
            Side::Older => edit.older,
            Side::Newer => edit.newer,
        });
        slices.filter(|slice| slice.start < slice.end).collect()
    };
    let difference = item.and_then(|item| item.difference.as_ref());
    html! {
        p id=[id] dir="auto" {
            @if let Some(label) = &provision.label { a.label href={ "#" (row_id) } { (label) } " " }
            @if let Some(lead_in) = &provision.lead_in {
                span.lead { (marked(lead_in, &marks(difference.map(|both| &both.lead_in_edits)), side)) } " "
            }
            (marked(provision.text.as_deref().unwrap_or_default(), &marks(difference.map(|both| &both.text_edits)), side))
        }
    }
}

/// A text with some of its spans marked.
fn marked(text: &str, spans: &[Slice], side: Side) -> Markup {
    let chars: Vec<char> = text.chars().collect();
    let part =
        |start: usize, end: usize| chars.get(start..end).unwrap_or_default().iter().collect::<String>();
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

/// The provisions that come near one without counterpart.
pub fn near<'a>(item: &'a ProvisionChange<'_>) -> impl Iterator<Item = &'a ComparisonCandidate<'a>> {
    item.candidates.iter().filter(|candidate| candidate.similarity >= NEAR)
}

fn candidates(words: &Words, alone: &Alone<'_>, outline: &EditionOutline, side: Side) -> Markup {
    let near: Vec<&ComparisonCandidate<'_>> = near(alone.item).collect();
    html! {
        p.note lang=(words.language) {
            @if near.is_empty() { (words.say("nothing like it")) }
            @else {
                (words.say("nearest")) ": "
                @for (nth, candidate) in near.into_iter().enumerate() {
                    @if nth > 0 { ", " }
                    a href={ "#" (target(outline, &candidate.id, side)) } { (candidate.label.as_ref().unwrap_or(&candidate.id)) }
                    " (" (format!("{:.0} %", candidate.similarity * 100.0)) ")"
                }
            }
        }
    }
}

/// The id in the page of a provision.
fn target(outline: &EditionOutline, id: &str, side: Side) -> String {
    let index = outline.provision(id).map_or(0, |(index, _)| index);
    match side {
        Side::Older => format!("o{index}"),
        Side::Newer => format!("n{index}"),
    }
}

/// A name as a part of a class.
pub(crate) fn class(name: &str) -> String {
    name.replace(' ', "-")
}
