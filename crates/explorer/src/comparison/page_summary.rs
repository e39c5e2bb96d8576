//! Summary of a comparison: what matters most, in words, with links to the rows of the page.

use maud::{Markup, html};
use norma_api::shapes::{
    ComparisonRelation as Relation, DependencyType, Facet, ProvisionChange, ProvisionType, Strength,
};

use super::changes::labels;
use super::compared::Compared;
use super::page_rows::item_address;
use super::page_tables::changed;
use crate::phrases::{Words, fill};

/// Rows that a line names; the filters of the page show the others.
const NAMED: usize = 8;

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
    let lines = [
        (words.say("Stricter"), found(compared, &["strength"], is_stricter)),
        (words.say("Less strict"), found(compared, &["strength"], is_less_strict)),
        (
            words.say("Reversed"),
            found(compared, &["negation"], |item| item.changed.contains(&Facet::Negation)),
        ),
        (words.say("Limits and quantities"), found(compared, &["bound", "quantity"], has_other_value)),
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
                    @if !row.details.is_empty() { ": " (row.details.join(", ")) }
                }
                @if rows.len() > NAMED { " · " (fill(words.say("and {} more"), rows.len() - NAMED)) }
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
        let part = change.newer.as_ref().or(change.older.as_ref());
        let label = part.and_then(|part| part.label.as_deref().or(Some(&part.id))).unwrap_or_default();
        tables.push(Highlight {
            address: format!("#t{index}"),
            label: label.to_owned(),
            details: Vec::new(),
        });
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
    item.changed.contains(&Facet::Bound) || item.changed.contains(&Facet::Quantity)
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
                address: String::new(),
                label: number.to_string(),
                details: Vec::new(),
            })
            .collect();
        let line = line(crate::phrases::ENGLISH, "New", &rows).into_string();
        assert!(line.contains("and 2 more"), "{line}");
    }
}
