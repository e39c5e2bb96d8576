//! Tables of the page of a comparison: the changes in each, cell by cell.

use maud::{Markup, html};
use norma_compare::{LineChange, Part, PartRelation, TableChange};

use super::rows::Compared;

/// The tables that did not stay the same.
pub(crate) fn tables(compared: &Compared<'_>) -> Markup {
    let changes = compared.comparison.tables.iter().filter(|table| table.relation != PartRelation::Same);
    let mut changes = changes.peekable();
    html! {
        @if changes.peek().is_some() {
            section.tables aria-labelledby="tables" {
                h2 #tables { "Tables" }
                @for change in changes { (table(change, compared)) }
            }
        }
    }
}

fn table(change: &TableChange, compared: &Compared<'_>) -> Markup {
    let older = change.older.map(|index| &compared.older.parts[index]);
    let newer = change.newer.map(|index| &compared.newer.parts[index]);
    let id = match (change.older, change.newer) {
        (_, Some(newer)) => format!("t{newer}"),
        (older, None) => format!("u{}", older.unwrap_or_default()),
    };
    let (relation, left_out) =
        (relation(change.relation), change.changed_cells as usize - change.cells.len());
    let [was, now] = [older, newer].map(|part| part.map(name).unwrap_or_default());
    html! {
        article.table id=(id) {
            h3 {
                @if !was.is_empty() && !now.is_empty() && was != now { del { (was) } " " ins { (now) } }
                @else if now.is_empty() { (was) } @else { (now) }
                " " span class={ "badge " (class(change.relation)) } { (relation) }
            }
            ul.facets {
                @for (line, words) in change.rows.iter().map(|line| (line, "row")).chain(change.columns.iter().map(|line| (line, "column"))) {
                    li { (self::line(line, words)) }
                }
                @if change.notes_changed { li { "notes changed" } }
            }
            @if !change.cells.is_empty() {
                div.wide tabindex="0" role="region" aria-label={ "Changed cells of " (if now.is_empty() { &was } else { &now }) } {
                    table {
                        thead { tr { th scope="col" { "Row" } th scope="col" { "Column" } th scope="col" { "Older" } th scope="col" { "Newer" } } }
                        tbody {
                            @for cell in &change.cells {
                                tr {
                                    th scope="row" { (cell.row) }
                                    td { (cell.column) }
                                    td { @if !cell.text.older.is_empty() { del { (cell.text.older) } } }
                                    td { @if !cell.text.newer.is_empty() { ins { (cell.text.newer) } } }
                                }
                            }
                        }
                    }
                }
                @if left_out > 0 { p.note { "and " (left_out) " more cells" } }
            }
        }
    }
}

/// Label and caption.
fn name(part: &Part) -> String {
    let words: Vec<&str> = [part.label.as_deref(), part.caption.as_deref()].into_iter().flatten().collect();
    if words.is_empty() { part.id.to_string() } else { words.join("  ") }
}

fn line(change: &LineChange, words: &str) -> Markup {
    let [older, newer] = [&change.older, &change.newer].map(|head| head.as_deref().unwrap_or_default());
    html! {
        span.facet { (words) } " "
        @if change.relation == PartRelation::Changed { del { (older) } " " ins { (newer) } }
        @else { (if newer.is_empty() { older } else { newer }) " " (relation(change.relation)) }
    }
}

fn relation(relation: PartRelation) -> &'static str {
    match relation {
        PartRelation::Same => "same",
        PartRelation::Changed => "changed",
        PartRelation::Moved => "moved",
        PartRelation::New => "new",
        PartRelation::Removed => "removed",
    }
}

/// The class of a table's badge: changed tables look like reworded provisions.
fn class(relation: PartRelation) -> &'static str {
    if relation == PartRelation::Changed { "reworded" } else { self::relation(relation) }
}
