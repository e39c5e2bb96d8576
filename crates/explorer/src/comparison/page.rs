//! A comparison as one self-contained page: a summary, an outline, and both editions side by side with the
//! changed words marked. It loads nothing. Without its script it can be read, folded and printed; the script
//! filters, searches and steps from change to change.

use std::collections::BTreeMap;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use norma_api::shapes::ComparedEdition;

use super::changes::FACETS;
use super::compared::Compared;
use super::page_outline::outline;
use super::page_rows::{CHANGED_REQUIREMENT, ComparisonPage, LIKELIHOODS, RELATIONS, class, keys, row};
use super::page_summary::highlights;
use super::page_tables::tables;
use super::rows::{Group, Row};
use super::summary::sentence;
use crate::documents::document_urn;
use crate::phrases::{Words, fill};

/// The style of this page, in addition to that of all pages.
pub(crate) const STYLE: &str = include_str!("comparison.css");
pub(crate) const SCRIPT: &str = include_str!("comparison.js");

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
    // One that adopts another document does not replace it.
    let (first, second) = if document_urn(&view.older.urn) == document_urn(&view.newer.urn) {
        (say("Older edition"), say("Newer edition"))
    } else {
        (say("First document"), say("Second document"))
    };
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
                (edition(first, &view.older, page.lang, renamed))
                (edition(second, &view.newer, page.lang, renamed))
            }
            p.sentence { (sentence(compared)) "." }
            (highlights(compared))
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
            p.reference title=(edition.urn) { (edition.reference) }
            @if with_title && !edition.title.is_empty() { p lang=[lang] { (edition.title) } }
        }
    }
}

/// Filters with counts, and the bar with search and steps.
fn filters(words: &Words, groups: &[Group<'_>]) -> Markup {
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    let mut types: Vec<(&str, &'static str)> = Vec::new();
    for group in groups {
        for row in &group.rows {
            // The pair at its newer position counts; this is its older one.
            if let Row::MovedAway(_) = row {
                continue;
            }
            for key in keys(row) {
                *found.entry(key).or_default() += 1;
            }
            types.push((row.kind(), row.kind()));
        }
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
                @if options.iter().any(|(key, _)| found.contains_key(&class(key))) {
                    fieldset {
                        legend { (words.say(legend)) }
                        @for (key, said) in options {
                            @let key = class(key);
                            @if let Some(count) = found.get(&key) {
                                label {
                                    input type="checkbox" name=(name) value=(key);
                                    span class={ "badge " (key) } { (words.counted(said, *count)) " " b { (count) } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn provisions(compared: &Compared<'_>, groups: &[Group<'_>], page: &ComparisonPage<'_>) -> Markup {
    let parts = parts_of_groups(compared, groups, page);
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

/// The sections with changes, then the others folded into one line.
fn parts_of_groups(compared: &Compared<'_>, groups: &[Group<'_>], page: &ComparisonPage<'_>) -> Vec<Markup> {
    let mut parts = Vec::new();
    let mut unchanged = Vec::new();
    let mut unchanged_rows = 0;
    for (index, group) in groups.iter().enumerate() {
        let section = section(compared, group, index, page);
        if group.is_unchanged() {
            unchanged.push(section);
            unchanged_rows += group.rows.len();
        } else {
            parts.push(section);
        }
    }
    if !unchanged.is_empty() {
        let name = compared.words.say("Sections without a change");
        let sections = html! { @for section in &unchanged { (section) } };
        parts.push(fold(compared.words, Some(name), unchanged_rows, sections));
    }
    parts
}

/// Rows that the browser lays out at once, when they are near the visible part.
const CHUNK: usize = 50;

/// A section with its changed rows, then the others; several of them are folded where something changed.
fn section(compared: &Compared<'_>, group: &Group<'_>, index: usize, page: &ComparisonPage<'_>) -> Markup {
    let (unchanged, changed): (Vec<Row<'_>>, Vec<Row<'_>>) =
        group.rows.iter().partition(|row| row.is_unchanged());
    let is_folded = !changed.is_empty() && unchanged.len() > 1;
    html! {
        section.group id={ "g" (index) } {
            (section_heading(compared, group, page))
            (chunks(&changed, compared, page))
            @if is_folded {
                (fold(compared.words, None, unchanged.len(), chunks(&unchanged, compared, page)))
            } @else { (chunks(&unchanged, compared, page)) }
        }
    }
}

/// Rows in chunks of at most [`CHUNK`].
fn chunks(rows: &[Row<'_>], compared: &Compared<'_>, page: &ComparisonPage<'_>) -> Markup {
    html! { @for chunk in rows.chunks(CHUNK) { div.rows { @for one in chunk { (row(one, compared, page)) } } } }
}

fn section_heading(compared: &Compared<'_>, group: &Group<'_>, page: &ComparisonPage<'_>) -> Markup {
    let [older, newer] = &compared.outlines;
    let headings = [
        group.older.map(|section| older.sections[section].heading()),
        group.newer.map(|section| newer.sections[section].heading()),
    ];
    html! {
        h3.grid lang=[page.lang] {
            @match &headings {
                // A narrow page shows the newer one alone.
                [Some(older), Some(newer)] if older == newer => {
                    span.was.again aria-hidden="true" { (older) }
                    span.now { (newer) }
                }
                [older, newer] => {
                    span.was { @if let Some(older) = older { (older) } }
                    span.now { @if let Some(newer) = newer { (newer) } }
                }
            }
        }
    }
}

/// Rows without a change as one line that opens.
fn fold(words: &Words, name: Option<&str>, rows: usize, inside: Markup) -> Markup {
    html! {
        details.fold {
            summary {
                @if let Some(name) = name { (name) (words.colon()) }
                @let (one, several) = (words.say("provision unchanged"), words.say("provisions unchanged"));
                b { (rows) } " " span data-one=(one) data-several=(several) { (if rows == 1 { one } else { several }) }
            }
            (inside)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::rows::tests::{compared, view};

    #[test]
    fn a_page_of_its_own_loads_nothing_and_escapes_what_documents_say() {
        let view = view();
        let page = document(&compared(&view));
        assert!(page.contains("<h1>Lids &amp; &lt;caps&gt;</h1>"), "{page}");
        assert!(!page.contains("<caps>") && !page.contains(" src=") && !page.contains("<link"), "{page}");
    }

    #[test]
    fn each_row_has_an_id_and_a_moved_provision_is_linked_from_its_older_row() {
        let view = view();
        let compared = compared(&view);
        let page = body(&compared, &html! {}).into_string();
        for id in ["n0", "o1", "o2", "n1", "n2", "n3"] {
            assert_eq!(page.matches(&format!(" id=\"{id}\"")).count(), 1, "{id}: {page}");
        }
        assert!(page.contains("moved to <a href=\"#n2\">c'</a>"), "{page}");
    }

    #[test]
    fn unchanged_rows_come_last_and_are_folded_where_several_are_in_a_section_with_changes() {
        let view = view();
        let compared = compared(&view);
        let groups = compared.groups();
        let (pair, changed) = (groups[1].rows[1], groups[0].rows[1]);
        let page = ComparisonPage::new(&compared, &groups);
        let shown =
            |rows| section(&compared, &Group { older: None, newer: None, rows }, 0, &page).into_string();
        let both = shown(vec![pair, pair, changed]);
        assert!(both.find("removed").unwrap() < both.find("<details class=\"fold\">").unwrap(), "{both}");
        assert!(!shown(vec![pair, changed]).contains("<details"));
        assert!(!shown(vec![pair, pair]).contains("<details"));
        assert!(!shown(vec![changed, changed]).contains("<details"));
        assert_eq!(shown(vec![changed; 51]).matches("<div class=\"rows\">").count(), 2);
    }

    #[test]
    fn sections_without_a_change_are_one_line_at_the_end() {
        let mut view = view();
        for index in [0, 4] {
            view.items[index].changed.clear();
        }
        view.items.truncate(1);
        let compared = compared(&view);
        let text = body(&compared, &html! {}).into_string();
        assert_eq!(text.matches("Sections without a change").count(), 1, "{text}");
    }
}
