//! Summary of a comparison: what matters most, in words, with links to the rows of the page.

use maud::{Markup, html};
use norma_api::shapes::{
    ComparisonRelation as Relation, DependencyType, Facet, ProvisionChange, ProvisionType, Strength,
    TableChange,
};

use super::changes::{arrow, labels, table_label};
use super::compared::Compared;
use super::page_rows::item_address;
use super::page_tables::changed;
use crate::phrases::{Words, fill};

/// Rows that a line names; the filters of the page show the others.
const NAMED: usize = 8;

/// Cells of a table that a line names.
const CELLS: usize = 3;

/// A row that a line of the summary names.
struct Highlight {
    address: String,
    label: String,
    /// What changed: `3 kN → 5 kN`.
    details: Vec<String>,
}

/// The lines of the summary, each with its rows; nothing where nothing of the kind changed.
pub(crate) fn highlights(compared: &Compared<'_>) -> Markup {
    let words = compared.words;
    let mut values = found(compared, &["bound", "quantity"], has_other_value);
    values.extend(tables_with_other_values(compared));
    let lines = [
        (words.say("Stricter"), found(compared, &["strength"], is_stricter)),
        (words.say("Less strict"), found(compared, &["strength"], is_less_strict)),
        (
            words.say("Reversed"),
            found(compared, &["negation"], |item| item.changed.contains(&Facet::Negation)),
        ),
        (words.say("Limits and quantities"), values),
        (words.say("New requirements"), found(compared, &[], |item| is_requirement(item, Relation::New))),
        (
            words.say("Removed requirements"),
            found(compared, &[], |item| is_requirement(item, Relation::Removed)),
        ),
        (words.say("Requirements with a changed table"), found(compared, &["dependsOn"], has_other_table)),
    ];
    let tables: Vec<Highlight> = table_names(compared);
    let is_empty = lines.iter().all(|(_, rows)| rows.is_empty()) && tables.is_empty();
    html! {
        @if !is_empty {
            section.highlights aria-labelledby="highlights" {
                h2 #highlights { (words.say("In short")) }
                dl {
                    @for (name, rows) in &lines { (line(words, name, rows)) }
                    (line(words, words.say("Changed tables"), &tables))
                }
            }
        }
    }
}

fn line(words: &Words, name: &str, rows: &[Highlight]) -> Markup {
    html! {
        @if !rows.is_empty() {
            dt { (name) " " b { (rows.len()) } }
            dd {
                @for (index, row) in rows.iter().take(NAMED).enumerate() {
                    @if index > 0 { " · " }
                    a href=(row.address) { (row.label) }
                    @if !row.details.is_empty() { (words.colon()) (row.details.join(", ")) }
                }
                @if let Some(next) = rows.get(NAMED) {
                    " · " a href=(next.address) { (fill(words.say("and {} more"), rows.len() - NAMED)) }
                }
            }
        }
    }
}

/// The items of a kind, with their changes of some facets in words.
fn found(
    compared: &Compared<'_>,
    facets: &[&str],
    is_wanted: impl Fn(&ProvisionChange<'_>) -> bool,
) -> Vec<Highlight> {
    let mut rows = Vec::new();
    for item in compared.view.items.iter().filter(|item| is_wanted(item)) {
        let Some(provision) = item.newer.as_ref().or(item.older.as_ref()) else { continue };
        let mut details = Vec::new();
        if let Some(changes) = &item.facets {
            for label in labels(changes, compared) {
                if facets.contains(&label.facet) {
                    details.push(label.text);
                }
            }
        }
        let label = provision.label.as_ref().unwrap_or(&provision.id).to_string();
        rows.push(Highlight { address: item_address(item, compared), label, details });
    }
    rows
}

fn table_names(compared: &Compared<'_>) -> Vec<Highlight> {
    let mut tables = Vec::new();
    for (index, change) in changed(compared).enumerate() {
        if let Some(label) = table_name(compared, change) {
            tables.push(Highlight { address: format!("#t{index}"), label, details: Vec::new() });
        }
    }
    tables
}

fn table_name(compared: &Compared<'_>, change: &TableChange<'_>) -> Option<String> {
    let [older, newer] = &compared.outlines;
    match (&change.newer, &change.older) {
        (Some(part), _) => Some(table_label(compared.words, part, newer)),
        (None, Some(part)) => Some(table_label(compared.words, part, older)),
        (None, None) => None,
    }
}

/// The tables that have cells with other limits or quantities, with the first of these cells.
fn tables_with_other_values(compared: &Compared<'_>) -> Vec<Highlight> {
    let words = compared.words;
    let mut tables = Vec::new();
    for (index, change) in changed(compared).enumerate() {
        let mut details: Vec<String> = Vec::new();
        for cell in change.cell_changes.iter().filter(|cell| names_value(&cell.changed)) {
            let [older, newer] = [&cell.older, &cell.newer]
                .map(|side| Some(side.text.to_string()).filter(|text| !text.is_empty()));
            let values = arrow(words, older, newer);
            details.push(format!("{} {values}", cell.row_head).trim_start().to_owned());
        }
        if details.is_empty() {
            continue;
        }
        let more = details.len().saturating_sub(CELLS);
        details.truncate(CELLS);
        // The service gives the first cells alone, and how many of the others have values is not known.
        if change.changed_cell_count as usize > change.cell_changes.len() {
            details.push("…".to_owned());
        } else if more > 0 {
            details.push(fill(words.say("and {} more cells"), more));
        }
        if let Some(label) = table_name(compared, change) {
            tables.push(Highlight { address: format!("#t{index}"), label, details });
        }
    }
    tables
}

/// How much a type of provision binds; `None` for types that are not in this order.
pub(super) fn rank(strength: &Strength<'_>) -> Option<u8> {
    match strength.kind? {
        ProvisionType::Requirement => Some(2),
        ProvisionType::Recommendation => Some(1),
        ProvisionType::Permission => Some(0),
        _ => None,
    }
}

fn ranks(item: &ProvisionChange<'_>) -> Option<(u8, u8)> {
    let change = item.facets.as_ref()?.strength.as_ref()?;
    Some((rank(&change.older)?, rank(&change.newer)?))
}

fn is_stricter(item: &ProvisionChange<'_>) -> bool {
    ranks(item).is_some_and(|(older, newer)| newer > older)
}

fn is_less_strict(item: &ProvisionChange<'_>) -> bool {
    ranks(item).is_some_and(|(older, newer)| newer < older)
}

fn has_other_value(item: &ProvisionChange<'_>) -> bool {
    let facets = item.facets.as_ref();
    names_value(&item.changed)
        || facets.is_some_and(|facets| !facets.bound.is_empty() || !facets.quantity.is_empty())
}

fn names_value(changed: &[Facet]) -> bool {
    changed.contains(&Facet::Bound) || changed.contains(&Facet::Quantity)
}

fn is_requirement(item: &ProvisionChange<'_>, relation: Relation) -> bool {
    let provision = item.newer.as_ref().or(item.older.as_ref());
    let kind = provision.and_then(|provision| provision.kind);
    item.relation == relation && kind == Some(ProvisionType::Requirement)
}

/// True for a requirement whose words are the same, while a table that it refers to changed.
fn has_other_table(item: &ProvisionChange<'_>) -> bool {
    let Some(facets) = &item.facets else { return false };
    let changes_table = facets.depends_on.iter().any(|one| one.kind == DependencyType::Table);
    changes_table && is_requirement(item, Relation::Same)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::rows::tests::{compared, view};

    #[test]
    fn new_and_removed_requirements_are_named_with_links_to_their_rows() {
        let view = view();
        let summary = highlights(&compared(&view)).into_string();
        assert!(summary.contains("New requirements <b>1</b></dt><dd><a href=\"#n1\">x</a>"), "{summary}");
        assert!(summary.contains("Removed requirements <b>1</b></dt><dd><a href=\"#o1\">b</a>"), "{summary}");
        assert!(!summary.contains("Stricter"), "{summary}");
    }

    #[test]
    fn a_changed_value_is_said_with_both_sides_and_more_rows_than_a_line_has_are_counted() {
        let mut view = view();
        let quantity = |text: &str| serde_json::json!({"value": "5", "text": text, "start": 0, "end": 4});
        let facets =
            serde_json::json!({"quantity": [{"older": quantity("3 kN"), "newer": quantity("5 kN")}]});
        view.items[0].relation = Relation::Reworded;
        view.items[0].changed = vec![Facet::Quantity];
        view.items[0].facets = Some(serde_json::from_value(facets).unwrap());
        let summary = highlights(&compared(&view)).into_string();
        assert!(
            summary.contains("<a href=\"#n0\">a&#39;</a>: 3 kN → 5 kN")
                || summary.contains("a'</a>: 3 kN → 5 kN"),
            "{summary}"
        );
        let rows: Vec<Highlight> = (0..NAMED + 2)
            .map(|number| Highlight {
                address: format!("#n{number}"),
                label: number.to_string(),
                details: Vec::new(),
            })
            .collect();
        let line = line(crate::phrases::ENGLISH, "New", &rows).into_string();
        assert!(line.contains("<a href=\"#n8\">and 2 more</a>"), "{line}");
    }

    #[test]
    fn a_quantity_that_changed_in_a_table_alone_is_among_the_quantities() {
        let mut view = view();
        let cell = |row: &str, older: &str, newer: &str, changed: &[&str]| {
            serde_json::json!({
                "rowHead": row, "columnHead": "Load", "older": {"text": older}, "newer": {"text": newer},
                "changed": changed,
            })
        };
        let table = serde_json::json!({
            "type": "changed", "changedCellCount": 2,
            "older": {"id": "t", "label": "Table 1"}, "newer": {"id": "t", "label": "Table 1"},
            "rowChanges": [], "columnChanges": [],
            "cellChanges": [cell("A", "10 m", "12 m", &["quantity"]), cell("B", "old", "new", &[])],
        });
        view.table_changes = vec![serde_json::from_value(table).unwrap()];
        let summary = highlights(&compared(&view)).into_string();
        let said = "Limits and quantities <b>1</b></dt><dd><a href=\"#t0\">Table 1</a>: A 10 m → 12 m</dd>";
        assert!(summary.contains(said), "{summary}");
    }
}
