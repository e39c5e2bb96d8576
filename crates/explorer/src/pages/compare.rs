//! Page of a comparison of two editions.

use std::sync::Arc;

use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;
use maud::{Markup, html};
use norma_api::Operation;
use norma_api::query::ComparisonQuery;
use norma_api::shapes::{
    ComparisonAnswer, ComparisonSummary, ComparisonView, ProvisionChange, ProvisionsView, SectionHead,
    SectionNode, SectionsView, TablesView,
};
use norma_export::{Format, export_changes};

use super::download::{exported, file};
use super::languages;
use crate::calls::Service;
use crate::comparison::{Compared, EditionOutline, body, item_keys};
use crate::documents::edition_urn;
use crate::failure::{FailureKind, PageFailure};
use crate::frame::{FramedPage, answer, encoded, page, standard_address};
use crate::visit::Visit;

/// Filters of the page by which a spreadsheet is filtered, by their names in its address.
const FILTER_NAMES: [&str; 5] = ["relation", "changed", "type", "likelihood", "only"];

pub(crate) async fn show(
    visit: Visit,
    Path((_, _, older, newer)): Path<(String, String, String, String)>,
) -> Response {
    let made = made(&visit, &older, &newer).await;
    answer(&visit, made).await
}

/// The changes as a spreadsheet.
pub(crate) async fn spreadsheet(
    visit: Visit,
    Path((_, _, older, newer, format)): Path<(String, String, String, String, String)>,
) -> Response {
    let made = changes_file(&visit, &older, &newer, &format).await;
    answer(&visit, made).await
}

async fn changes_file(
    visit: &Visit,
    older: &str,
    newer: &str,
    format: &str,
) -> Result<Response, PageFailure> {
    let Ok(format) = format.parse::<Format>() else {
        return Err(PageFailure::not_found(format!("expected the format `csv` or `xlsx`, found `{format}`")));
    };
    let service = &visit.site.service;
    let _turn = service.large_turn().await;
    let ComparisonAnswer::Whole(mut view) = read(service, older, newer).await? else {
        return Err(PageFailure {
            kind: FailureKind::Unlicensed,
            detail: "a grant to read both editions is needed".to_owned(),
        });
    };
    let filter = ExportFilter::of(visit);
    view.items.retain(|item| filter.accepts(item));
    let name = format!("{}_{}", view.older.reference, view.newer.reference);
    let bytes = exported(service, move |options| export_changes(&view, format, options)).await?;
    Ok(file(&name, "changes", format.as_str(), format.media_type(), bytes))
}

/// The filters of the page, which its script puts into the address of the spreadsheet.
struct ExportFilter {
    /// Keys of each kind of filter. An item has one of each kind that is not empty.
    keys: Vec<Vec<String>>,
    /// Words in lower case, all of which an item has.
    words: Vec<String>,
}

impl ExportFilter {
    fn of(visit: &Visit) -> Self {
        let mut keys = Vec::new();
        for name in FILTER_NAMES {
            let values = visit.values(name);
            if !values.is_empty() {
                keys.push(values);
            }
        }
        let searched = visit.value("q").unwrap_or_default().to_lowercase();
        Self { keys, words: searched.split_whitespace().map(str::to_owned).collect() }
    }

    fn accepts(&self, item: &ProvisionChange<'_>) -> bool {
        let own = item_keys(item);
        if !self.keys.iter().all(|keys| keys.iter().any(|key| own.contains(key))) {
            return false;
        }
        let mut text = String::new();
        for provision in [&item.older, &item.newer].into_iter().flatten() {
            for part in [&provision.label, &provision.lead_in, &provision.text].into_iter().flatten() {
                text.push_str(&part.to_lowercase());
                text.push(' ');
            }
        }
        self.words.iter().all(|word| text.contains(word))
    }
}

async fn read(service: &Service, older: &str, newer: &str) -> Result<ComparisonAnswer<'static>, PageFailure> {
    let query = ComparisonQuery { text: true, ..ComparisonQuery::with(newer) };
    let (_turn, client) = service.turn().await;
    Ok(client.comparison(older, &query).await?)
}

async fn made(visit: &Visit, older: &str, newer: &str) -> Result<Response, PageFailure> {
    // Translations have no words in common that could be compared: they are shown next to each other.
    if edition_urn(older) == edition_urn(newer) && older != newer {
        return languages::made(visit, older, newer).await;
    }
    let service = &visit.site.service;
    let _turn = service.large_turn().await;
    let found = read(service, older, newer).await?;
    let (body, script, editions) = match &found {
        ComparisonAnswer::Summary(summary) => {
            (counts(visit, summary), None, [&summary.older, &summary.newer])
        }
        ComparisonAnswer::Whole(view) => {
            let has_tables = !view.table_changes.is_empty();
            // One after the other: both at once would take all calls.
            let older = outline(service, &view.older.urn, has_tables).await?;
            let newer = outline(service, &view.newer.urn, has_tables).await?;
            let view: &ComparisonView<'_> = view;
            let script = visit.file("comparison.js");
            let compared = Compared { words: visit.words, ..Compared::new(view, [older, newer]) };
            (body(&compared, &downloads(visit, view)), Some(script), [&view.older, &view.newer])
        }
    };
    let trail =
        editions.map(|edition| (edition.reference.to_string(), standard_address(visit, &edition.urn)));
    let title = format!(
        "{}{}{} – {}",
        visit.words.comparison,
        visit.words.colon(),
        editions[0].reference,
        editions[1].reference
    );
    Ok(page(visit, StatusCode::OK, FramedPage { title: &title, trail: &trail, body, script }))
}

fn downloads(visit: &Visit, view: &ComparisonView<'_>) -> Markup {
    let of = format!("c/{}/{}", encoded(&view.older.urn), encoded(&view.newer.urn));
    html! {
        @if !view.items.is_empty() {
            p.actions {
                @for format in Format::ALL {
                    a.button data-export href=(visit.at(&format!("{of}/{}", format.as_str()))) { (visit.words.changes) " (" (format.as_str().to_uppercase()) ")" } " "
                }
            }
        }
    }
}

/// Where the provisions of an edition are.
async fn outline(service: &Service, urn: &str, has_tables: bool) -> Result<EditionOutline, PageFailure> {
    let of = [urn];
    let (sections, provisions) = tokio::try_join!(
        service.json::<SectionsView<'static>>(Operation::Sections, &of, ""),
        service.json::<ProvisionsView<'static>>(Operation::Provisions, &of, ""),
    )?;
    let mut outline = EditionOutline::default();
    add_sections(&mut outline, &sections.sections, None);
    for provision in &provisions.items {
        outline.add_provision(&provision.id, &provision.section.id);
    }
    if has_tables {
        let tables: TablesView<'static> = service.json(Operation::Tables, &of, "").await?;
        for table in &tables.items {
            let section = &table.section.id;
            outline.add_table(&table.id, table.label.as_deref(), table.caption.as_deref(), section);
            // The page shows texts alone: no index of a graphic or a provision is needed.
            if let Some(grid) = table.to_model_grid(|_| None, |_| None) {
                outline.add_grid(&table.id, Arc::new(grid));
            }
        }
    }
    Ok(outline)
}

fn add_sections(outline: &mut EditionOutline, nodes: &[SectionNode<'_>], parent: Option<&str>) {
    for node in nodes {
        let SectionHead { id, label, title, .. } = &node.head;
        outline.add_section(id, label.as_deref(), title.as_deref(), parent);
        add_sections(outline, &node.children, Some(id));
    }
}

/// Counts for a caller who may read one of the two editions only.
fn counts(visit: &Visit, summary: &ComparisonSummary<'_>) -> Markup {
    let counts = summary.counts;
    let rows = [
        ("same words", counts.same),
        ("reworded", counts.reworded),
        ("possibly split", counts.split),
        ("possibly merged", counts.merged),
        ("new", counts.new),
        ("removed", counts.removed),
    ];
    html! {
        div.column {
            h1 { (visit.words.comparison) }
            p.notice { (visit.words.summary_only) }
            table { tbody { @for (name, count) in rows { tr { th scope="row" { (visit.words.counted(name, count as usize)) } td { (count) } } } } }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::visit::tests::visit;

    #[tokio::test]
    async fn a_spreadsheet_has_the_items_that_the_filters_and_words_of_the_page_leave() {
        let item = |relation: &str, kind: &str, text: &str| -> ProvisionChange<'static> {
            let provision = json!({"id": "prv_1", "label": "4.2(1)", "type": kind, "text": text});
            serde_json::from_value(json!({"relation": relation, "newer": provision})).unwrap()
        };
        let items = [
            item("new", "requirement", "The lid shall close."),
            item("new", "permission", "The lid may close."),
            item("reworded", "requirement", "The box shall close."),
        ];
        let accepted = async |query: &str| -> Vec<bool> {
            let filter = ExportFilter::of(&visit(&format!("en/c/a/b/csv?{query}")).await);
            items.iter().map(|item| filter.accepts(item)).collect()
        };
        assert_eq!(accepted("").await, [true, true, true]);
        assert_eq!(accepted("relation=new&type=requirement").await, [true, false, false]);
        assert_eq!(accepted("relation=new&relation=reworded&q=LID+4.2").await, [true, true, false]);
        assert_eq!(accepted("only=changed-requirement").await, [true, false, true]);
    }
}
