//! Tables of the page of a comparison: the changes in each, cell by cell.

use maud::{Markup, html};
use norma_api::shapes::{CellChange, ComparedPart, PartChangeType, RowOrColumnChange, TableChange};

use super::changes::table_label;
use super::compared::{Compared, EditionOutline};
use super::marked_table::MarkedTable;
use super::printed::printed;
use crate::phrases::{Words, fill};

/// The tables that did not stay the same.
pub(crate) fn changed<'a>(compared: &Compared<'a>) -> impl Iterator<Item = &'a TableChange<'a>> {
    compared.view.table_changes.iter().filter(|table| table.kind != PartChangeType::Same)
}

/// What changed in the tables, one after the other.
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
    let [older_outline, newer_outline] = &compared.outlines;
    let captions = change.caption_change.as_ref();
    let words = compared.words;
    let was = name(words, change.older.as_ref(), captions.map(|both| &*both.older.text), older_outline);
    let now = name(words, change.newer.as_ref(), captions.map(|both| &*both.newer.text), newer_outline);
    let grid = change.newer.as_ref().and_then(|part| newer_outline.grid(&part.id));
    let lang = Some(&*compared.view.language).filter(|&tag| tag != compared.words.language);
    let left_out = change.changed_cell_count as usize - change.cell_changes.len();
    let say = |english| compared.words.say(english);
    html! {
        article.table id={ "t" (index) } {
            h3 {
                @if !was.is_empty() && !now.is_empty() && was != now { del { (was) } " " ins { (now) } }
                @else if now.is_empty() { (was) } @else { (now) }
                " " span class={ "badge " (class(change.kind)) } { (say(kind_words(change.kind))) }
            }
            ul.facets {
                @for row in &change.row_changes { li { (line(compared.words, row, say("row"))) } }
                @for column in &change.column_changes { li { (line(compared.words, column, say("column"))) } }
                @if change.annotations_changed { li { (say("notes changed")) } }
            }
            @let name = if now.is_empty() { &was } else { &now };
            @match grid.filter(|_| change.kind == PartChangeType::Changed) {
                Some(grid) => {
                    @let marked = MarkedTable::new(grid, change);
                    div.wide tabindex="0" role="region" aria-label=(name) lang=[lang] { (marked.show(compared.words)) }
                    (cells(&marked.others, compared.words, name))
                }
                None => (cells(&change.cell_changes.iter().collect::<Vec<_>>(), compared.words, name)),
            }
            @if left_out > 0 { p.note { (fill(say("and {} more cells"), left_out)) } }
        }
    }
}

/// Changed cells as a list, for those that no table shows.
fn cells(changes: &[&CellChange<'_>], words: &Words, table_name: &str) -> Markup {
    html! {
        @if !changes.is_empty() {
            div.wide tabindex="0" role="region" aria-label={ (words.say("Changed cells of")) " " (table_name) } {
                table {
                    thead { tr { @for head in ["Row", "Column", "Older", "Newer"] { th scope="col" { (words.say(head)) } } } }
                    tbody {
                        @for cell in changes {
                            tr {
                                th scope="row" { (cell.row_head) }
                                td { (cell.column_head) }
                                td { @if !cell.older.text.is_empty() { del { (printed(&cell.older.text)) } } }
                                td { @if !cell.newer.text.is_empty() { ins { (printed(&cell.newer.text)) } } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Label and caption of a table in one edition, else where it is; empty if the edition does not have it.
fn name(
    words: &Words,
    part: Option<&ComparedPart<'_>>,
    caption: Option<&str>,
    outline: &EditionOutline,
) -> String {
    let Some(part) = part else { return String::new() };
    if let Some(name) = outline.table(&part.id) {
        return name.to_owned();
    }
    let named: Vec<&str> =
        [part.label.as_deref(), caption].into_iter().flatten().filter(|name| !name.is_empty()).collect();
    if named.is_empty() { table_label(words, part, outline) } else { named.join("  ") }
}

/// The change of a row or column; `what` is the word for one of the two.
fn line(words: &Words, change: &RowOrColumnChange<'_>, what: &str) -> Markup {
    let [older, newer] = [&change.older, &change.newer].map(|head| head.as_deref().unwrap_or_default());
    html! {
        span.facet { (what) } " "
        @if change.kind == PartChangeType::Changed { del { (older) } " " ins { (newer) } }
        @else { (if newer.is_empty() { older } else { newer }) " " (words.say(change.kind.as_str())) }
    }
}

/// Words for the change of a table, whose French ones agree with "tableau".
fn kind_words(kind: PartChangeType) -> &'static str {
    match kind {
        PartChangeType::New => "new table",
        PartChangeType::Removed => "removed table",
        PartChangeType::Moved => "moved table",
        _ => "changed table",
    }
}

/// The class of a table's badge: changed tables look like reworded provisions.
fn class(kind: PartChangeType) -> &'static str {
    if kind == PartChangeType::Changed { "reworded" } else { kind.as_str() }
}
