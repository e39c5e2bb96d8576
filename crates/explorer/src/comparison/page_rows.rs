//! Rows of the page of a comparison: what changed, the older text, the newer text.

use std::collections::HashMap;

use maud::{Markup, html};
use norma_api::shapes::{
    ComparedProvision, ComparisonCandidate, ComparisonRelation, Dependency, DependencyType, Edit, Likelihood,
    ProvisionChange, Slice,
};

use super::changes::{FACETS, kind, labels};
use super::compared::Compared;
use super::printed::printed;
use super::rows::{Alone, Both, Row, label};
use crate::phrases::Words;

/// Relations, each with the words for readers, and its meaning.
pub(crate) const RELATIONS: [(&str, &str, &str); 6] = [
    ("new", "new", "no counterpart in the older edition was found"),
    ("removed", "removed", "no counterpart in the newer edition was found"),
    ("reworded", "reworded", "other words"),
    ("split", "possibly split", "possibly a part of a provision of the older edition"),
    ("merged", "possibly merged", "possibly became a part of a provision of the newer edition"),
    ("same", "same words", "the same words; references may be renumbered"),
];

/// The words for a relation, for one or several provisions.
pub(crate) fn relation_words(words: &Words, relation: &str, count: usize) -> &'static str {
    let known = RELATIONS.iter().find(|(name, ..)| *name == relation);
    known.map_or("", |(_, english, _)| words.counted(english, count))
}

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
    match row {
        // The pair at its newer position has the other keys.
        Row::MovedAway(_) => vec![row.relation().to_owned(), class(row.kind()), "moved".to_owned()],
        Row::Pair(Both { item, .. }) | Row::Split(Both { item, .. }) | Row::Merged(Both { item, .. }) => {
            item_keys(item)
        }
        Row::New(Alone { item, .. }) | Row::Removed(Alone { item, .. }) => item_keys(item),
    }
}

/// The keys by which an item of a comparison is filtered, in the page and in a spreadsheet.
pub(crate) fn item_keys(item: &ProvisionChange<'_>) -> Vec<String> {
    let is_merged = item.relation == ComparisonRelation::Merged;
    let provision = if is_merged { &item.older } else { &item.newer };
    let provision = provision.as_ref().or(item.older.as_ref());
    let kind = kind(provision.and_then(|provision| provision.kind));
    let mut keys = vec![item.relation.as_str().to_owned(), class(kind)];
    if let Some(likelihood) = item.likelihood {
        keys.push(likelihood.as_str().to_owned());
    }
    keys.extend(item.changed.iter().map(|facet| facet.as_str().to_owned()));
    let is_unchanged = item.relation == ComparisonRelation::Same && item.changed.is_empty();
    if kind == "requirement" && !is_unchanged {
        keys.push(CHANGED_REQUIREMENT.to_owned());
    }
    keys
}

/// The key of rows about a requirement that changed, is new or was removed.
pub(crate) const CHANGED_REQUIREMENT: &str = "changed-requirement";

/// Likelihoods of pairs, the least sure first, each with the words for readers.
pub(crate) const LIKELIHOODS: [(&str, &str); 3] =
    [("likely", "medium"), ("high", "high"), ("certain", "very high")];

/// The words for the likelihood of a pair.
fn likelihood(item: &ProvisionChange<'_>) -> &'static str {
    let known = item.likelihood.and_then(|own| LIKELIHOODS.iter().find(|(name, _)| *name == own.as_str()));
    known.map_or("", |(_, english)| *english)
}

/// A row of three columns: what changed, the older text, the newer text.
pub(crate) fn row(row: &Row<'_>, compared: &Compared<'_>, page: &ComparisonPage<'_>) -> Markup {
    let relation = row.relation();
    let row_id = row_id(row, compared);
    let is_alone = match row {
        Row::New(alone) | Row::Removed(alone) => near(alone.item).next().is_none(),
        _ => false,
    };
    let quiet = matches!(row, Row::MovedAway(_)) || row.is_unchanged();
    // The row of the same provision at its newer position: the two are counted as one.
    let counterpart = match row {
        Row::MovedAway(both) => Some(target(compared, &both.newer.id, Side::Newer)),
        _ => None,
    };
    html! {
        div.row.grid.(relation).quiet[quiet].step[!quiet] id=(row_id) data-keys=(keys(row).join(" ")) data-moved-to=[counterpart] {
            div.change { (change(row, compared, page)) }
            div.older.empty[is_alone && relation == "new"] lang=[page.lang] { (older_text(row, compared, &row_id)) }
            div.newer.empty[is_alone && relation == "removed"] lang=[page.lang] { (newer_text(row, compared, &row_id)) }
        }
    }
}

/// The id in the page of the provision that a row is about.
fn row_id(row: &Row<'_>, compared: &Compared<'_>) -> String {
    match row {
        Row::Pair(_) | Row::Split(_) | Row::New(_) => target(compared, &row.provision().id, Side::Newer),
        Row::MovedAway(_) | Row::Merged(_) | Row::Removed(_) => {
            target(compared, &row.provision().id, Side::Older)
        }
    }
}

/// The column of what changed.
fn change(row: &Row<'_>, compared: &Compared<'_>, page: &ComparisonPage<'_>) -> Markup {
    let words = compared.words;
    if let Row::MovedAway(_) = row {
        return html! { span.badge.moved { (words.counted("moved", 1)) } };
    }
    let relation = row.relation();
    let (_, name, meaning) =
        RELATIONS.iter().find(|(name, ..)| *name == relation).copied().unwrap_or_default();
    html! {
        span class={ "badge " (relation) } title=(words.say(meaning)) { (words.counted(name, 1)) }
        " " span.type { (words.say(row.kind())) }
        @if let Row::Pair(both) = row {
            (facets(both, compared, page))
            span.likelihood.likely[both.item.likelihood == Some(Likelihood::Likely)] { (words.say("likelihood")) " " (words.say(likelihood(both.item))) }
        }
    }
}

/// The column of the older edition.
fn older_text(row: &Row<'_>, compared: &Compared<'_>, row_id: &str) -> Markup {
    match row {
        Row::Pair(both) => {
            // A provision that moved is in the page twice; the other row has its id.
            let id = if both.is_moved() { None } else { Some(target(compared, &both.older.id, Side::Older)) };
            text(both.older, Side::Older, Some(both.item), row_id, id)
        }
        Row::MovedAway(both) | Row::Merged(both) => text(both.older, Side::Older, None, row_id, None),
        Row::Removed(alone) => text(alone.provision, Side::Older, None, row_id, None),
        Row::Split(both) => note(compared.words.say("possibly a part of"), both.older, Side::Older, compared),
        Row::New(alone) => candidates(alone, compared, Side::Older),
    }
}

/// The column of the newer edition.
fn newer_text(row: &Row<'_>, compared: &Compared<'_>, row_id: &str) -> Markup {
    match row {
        Row::Pair(both) => text(both.newer, Side::Newer, Some(both.item), row_id, None),
        Row::Split(both) => text(both.newer, Side::Newer, None, row_id, None),
        Row::New(alone) => text(alone.provision, Side::Newer, None, row_id, None),
        Row::MovedAway(both) => note(compared.words.say("moved to"), both.newer, Side::Newer, compared),
        Row::Merged(both) => {
            note(compared.words.say("possibly a part of"), both.newer, Side::Newer, compared)
        }
        Row::Removed(alone) => candidates(alone, compared, Side::Newer),
    }
}

/// Words with a link to a provision, instead of a text.
fn note(words: &str, provision: &ComparedProvision<'_>, side: Side, compared: &Compared<'_>) -> Markup {
    let address = format!("#{}", target(compared, &provision.id, side));
    html! {
        p.note lang=(compared.words.language) { (words) " " a href=(address) { (label(provision)) } }
    }
}

/// The changes of a pair, with links to their locations in the page.
fn facets(both: &Both<'_>, compared: &Compared<'_>, page: &ComparisonPage<'_>) -> Markup {
    let Some(changes) = &both.item.facets else { return html! {} };
    let labels = labels(changes, compared);
    let mut dependencies = changes.depends_on.iter();
    html! {
        @if !labels.is_empty() {
            ul.facets {
                @for label in &labels {
                    @let address = match label.facet {
                        "moved" => Some(format!("#{}", target(compared, &both.older.id, Side::Older))),
                        // The labels of dependencies are in the order of the dependencies.
                        "dependsOn" => dependencies.next().and_then(|next| dependency_address(next, compared, page)),
                        _ => None,
                    };
                    li class=(label.facet) {
                        span.facet { (facet_words(label.facet, compared.words)) } " "
                        @match address {
                            Some(address) => a href=(address) { (label.text) },
                            None => (label.text),
                        }
                    }
                }
            }
        }
    }
}

/// The words for a facet.
pub(crate) fn facet_words(facet: &str, words: &Words) -> &'static str {
    let known = FACETS.iter().find(|(name, _)| *name == facet);
    known.map_or("", |(_, english)| words.say(english))
}

/// The address in the page of what a provision depends on; `None` for what the page does not list.
fn dependency_address(
    dependency: &Dependency<'_>,
    compared: &Compared<'_>,
    page: &ComparisonPage<'_>,
) -> Option<String> {
    let id = &dependency.newer.id;
    match dependency.kind {
        DependencyType::Clause => {
            let section = compared.outlines[1].section(id)?;
            Some(format!("#g{}", page.sections[1].get(&section)?))
        }
        DependencyType::Table => Some(format!("#t{}", page.table(id)?)),
        _ => None,
    }
}

/// The text of a provision, with marks around the words that are not in its counterpart. The label is a link
/// to the row.
fn text(
    provision: &ComparedProvision<'_>,
    side: Side,
    item: Option<&ProvisionChange<'_>>,
    row_id: &str,
    id: Option<String>,
) -> Markup {
    let difference = item.and_then(|item| item.difference.as_ref());
    let (lead_in_edits, text_edits) = match difference {
        Some(difference) => (&difference.lead_in_edits[..], &difference.text_edits[..]),
        None => (&[][..], &[][..]),
    };
    html! {
        p id=[id] dir="auto" {
            @if let Some(label) = &provision.label { a.label href={ "#" (row_id) } { (label) } " " }
            @if let Some(lead_in) = &provision.lead_in {
                span.lead { (marked(lead_in, lead_in_edits, side)) } " "
            }
            (marked(provision.text.as_deref().unwrap_or_default(), text_edits, side))
        }
    }
}

/// A text with marks around the words that differ from its counterpart.
fn marked(text: &str, edits: &[Edit], side: Side) -> Markup {
    let chars: Vec<char> = text.chars().collect();
    let mut parts: Vec<Markup> = Vec::new();
    let mut done = 0;
    for edit in edits {
        let Slice { start, end } = match side {
            Side::Older => edit.older,
            Side::Newer => edit.newer,
        };
        // Words that only the other side has.
        if start >= end {
            continue;
        }
        let (before, words) = (part(&chars, done, start), part(&chars, start, end));
        parts.push(match side {
            Side::Older => html! { (printed(&before)) del { (printed(&words)) } },
            Side::Newer => html! { (printed(&before)) ins { (printed(&words)) } },
        });
        done = end;
    }
    html! { @for one in &parts { (one) } (printed(&part(&chars, done, chars.len()))) }
}

/// Two texts as one: the newer one, with the words that it does not have any longer where they were.
pub(crate) fn merged(older: &str, newer: &str, edits: &[Edit]) -> Markup {
    let (older, newer): (Vec<char>, Vec<char>) = (older.chars().collect(), newer.chars().collect());
    let mut parts: Vec<Markup> = Vec::new();
    let mut done = 0;
    for edit in edits {
        let before = part(&newer, done, edit.newer.start);
        let gone = part(&older, edit.older.start, edit.older.end);
        let came = part(&newer, edit.newer.start, edit.newer.end);
        parts.push(html! {
            (printed(&before))
            @if !gone.is_empty() { del { (printed(&gone)) } @if !came.is_empty() { " " } }
            @if !came.is_empty() { ins { (printed(&came)) } }
        });
        done = edit.newer.end;
    }
    html! { @for one in &parts { (one) } (printed(&part(&newer, done, newer.len()))) }
}

/// The characters between two offsets; empty where they are not in the text.
fn part(chars: &[char], start: usize, end: usize) -> String {
    chars.get(start..end).unwrap_or_default().iter().collect()
}

/// The provisions that come near one without counterpart.
pub fn near<'a>(item: &'a ProvisionChange<'_>) -> impl Iterator<Item = &'a ComparisonCandidate<'a>> {
    item.candidates.iter().filter(|candidate| candidate.similarity >= NEAR)
}

/// The nearest provisions of the other edition, for a provision without counterpart.
fn candidates(alone: &Alone<'_>, compared: &Compared<'_>, side: Side) -> Markup {
    let words = compared.words;
    let near: Vec<&ComparisonCandidate<'_>> = near(alone.item).collect();
    html! {
        p.note lang=(words.language) {
            @if near.is_empty() { (words.say("nothing like it")) }
            @else {
                (words.say("nearest")) (words.colon())
                @for (nth, candidate) in near.into_iter().enumerate() {
                    @if nth > 0 { ", " }
                    a href={ "#" (target(compared, &candidate.id, side)) } { (candidate.label.as_ref().unwrap_or(&candidate.id)) }
                    " (" (format!("{:.0} %", candidate.similarity * 100.0)) ")"
                }
            }
        }
    }
}

/// The id in the page of a provision.
fn target(compared: &Compared<'_>, id: &str, side: Side) -> String {
    let (letter, outline) = match side {
        Side::Older => ('o', &compared.outlines[0]),
        Side::Newer => ('n', &compared.outlines[1]),
    };
    let index = outline.provision(id).map_or(0, |position| position.index);
    format!("{letter}{index}")
}

/// The address in the page of the row about an item.
pub(crate) fn item_address(item: &ProvisionChange<'_>, compared: &Compared<'_>) -> String {
    let is_merged = item.relation == ComparisonRelation::Merged;
    match (&item.older, &item.newer) {
        (_, Some(newer)) if !is_merged => format!("#{}", target(compared, &newer.id, Side::Newer)),
        (Some(older), _) => format!("#{}", target(compared, &older.id, Side::Older)),
        (None, _) => String::new(),
    }
}

/// A name as a part of a class.
pub(crate) fn class(name: &str) -> String {
    name.replace(' ', "-")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::rows::tests::{compared, view};

    fn edit(older: (usize, usize), newer: (usize, usize)) -> Edit {
        let slice = |(start, end)| Slice { start, end };
        Edit { older: slice(older), newer: slice(newer) }
    }

    #[test]
    fn a_row_is_filtered_by_relation_type_and_whether_a_requirement_changed() {
        let view = view();
        let groups = compared(&view).groups();
        let rows = &groups[0].rows;
        assert_eq!(keys(&rows[0]), ["same", "requirement"]);
        assert_eq!(keys(&rows[1]), ["removed", "requirement", CHANGED_REQUIREMENT]);
        assert_eq!(keys(&rows[2]), ["same", "requirement", "moved"]);
    }

    #[test]
    fn words_that_the_other_edition_has_otherwise_are_marked_on_their_side() {
        let edits = [edit((4, 7), (4, 4)), edit((8, 9), (5, 7))];
        let older = marked("Das Öl <1", &edits, Side::Older).into_string();
        assert_eq!(older, "Das <del>Öl </del>&lt;<del>1</del>");
        let newer = marked("Das <22.", &edits, Side::Newer).into_string();
        assert_eq!(newer, "Das &lt;<ins>22</ins>.");
    }

    #[test]
    fn two_texts_as_one_have_the_words_of_both_editions_where_they_differ() {
        let edits = [edit((4, 7), (4, 4)), edit((8, 9), (5, 7))];
        let both = merged("Das Öl <1.", "Das <22.", &edits).into_string();
        assert_eq!(both, "Das <del>Öl </del>&lt;<del>1</del> <ins>22</ins>.");
    }

    #[test]
    fn a_text_without_edits_is_unmarked_and_edits_beyond_it_are_empty() {
        assert_eq!(marked("A & B", &[], Side::Newer).into_string(), "A &amp; B");
        assert_eq!(marked("A", &[edit((5, 7), (0, 0))], Side::Older).into_string(), "<del></del>");
    }
}
