//! Tables of the page of a comparison: the changes in each, cell by cell.

use maud::{Markup, html};
use norma_api::shapes::{ComparedPart, PartChangeType, RowOrColumnChange, TableChange};

use super::compared::{Compared, EditionOutline};
use crate::phrases::{Words, fill};

/// The tables that did not stay the same.
pub(crate) fn changed<'a>(compared: &Compared<'a>) -> impl Iterator<Item = &'a TableChange<'a>> {
    compared.view.table_changes.iter().filter(|table| table.kind != PartChangeType::Same)
}

/// What changed in them.
pub(crate) fn tables(compared: &Compared<'_>) -> Markup {
    let mut changes = changed(compared).enumerate().peekable();
    let say = |english| compared.words.say(english);
    html! {
        @if changes.peek().is_some() {
            section.tables aria-labelledby="tables" {
                h2 #tables { (say("Tables")) }
                @for (index, change) in changes { (table(index, change, compared)) }
            }
        }
    }
}

fn table(index: usize, change: &TableChange<'_>, compared: &Compared<'_>) -> Markup {
    let captions = change.caption_change.as_ref();
    let [was, now] = [
        (&change.older, captions.map(|both| &both.older)),
        (&change.newer, captions.map(|both| &both.newer)),
    ];
    let was = was
        .0
        .as_ref()
        .map(|part| name(part, was.1.map(|text| &*text.text), &compared.outlines[0]))
        .unwrap_or_default();
    let now = now
        .0
        .as_ref()
        .map(|part| name(part, now.1.map(|text| &*text.text), &compared.outlines[1]))
        .unwrap_or_default();
    let left_out = change.changed_cell_count as usize - change.cell_changes.len();
    let say = |english| compared.words.say(english);
    html! {
        article.table id={ "t" (index) } {
            h3 {
                @if !was.is_empty() && !now.is_empty() && was != now { del { (was) } " " ins { (now) } }
                @else if now.is_empty() { (was) } @else { (now) }
                " " span class={ "badge " (class(change.kind)) } { (say(change.kind.as_str())) }
            }
            ul.facets {
                @for (line, what) in change.row_changes.iter().map(|line| (line, "row")).chain(change.column_changes.iter().map(|line| (line, "column"))) {
                    li { (self::line(compared.words, line, what)) }
                }
                @if change.annotations_changed { li { (say("notes changed")) } }
            }
            @if !change.cell_changes.is_empty() {
                div.wide tabindex="0" role="region" aria-label={ (say("Changed cells of")) " " (if now.is_empty() { &was } else { &now }) } {
                    table {
                        thead { tr { @for head in ["Row", "Column", "Older", "Newer"] { th scope="col" { (say(head)) } } } }
                        tbody {
                            @for cell in &change.cell_changes {
                                tr {
                                    th scope="row" { (cell.row_head) }
                                    td { (cell.column_head) }
                                    td { @if !cell.older.text.is_empty() { del { (cell.older.text) } } }
                                    td { @if !cell.newer.text.is_empty() { ins { (cell.newer.text) } } }
                                }
                            }
                        }
                    }
                }
                @if left_out > 0 { p.note { (fill(say("and {} more cells"), left_out)) } }
            }
        }
    }
}

/// Label and caption.
fn name(part: &ComparedPart<'_>, caption: Option<&str>, outline: &EditionOutline) -> String {
    if let Some(name) = outline.table(&part.id) {
        return name.to_owned();
    }
    let words: Vec<&str> = [part.label.as_deref(), caption].into_iter().flatten().collect();
    if words.is_empty() { part.id.to_string() } else { words.join("  ") }
}

fn line(words: &Words, change: &RowOrColumnChange<'_>, what: &'static str) -> Markup {
    let [older, newer] = [&change.older, &change.newer].map(|head| head.as_deref().unwrap_or_default());
    html! {
        span.facet { (words.say(what)) } " "
        @if change.kind == PartChangeType::Changed { del { (older) } " " ins { (newer) } }
        @else { (if newer.is_empty() { older } else { newer }) " " (words.say(change.kind.as_str())) }
    }
}

/// The class of a table's badge: changed tables look like reworded provisions.
fn class(kind: PartChangeType) -> &'static str {
    if kind == PartChangeType::Changed { "reworded" } else { kind.as_str() }
}
