//! Page of a comparison of two editions.

use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;
use maud::{Markup, html};
use norma_api::Operation;
use norma_api::query::ComparisonQuery;
use norma_api::shapes::{
    ComparisonAnswer, ComparisonSummary, ComparisonView, ProvisionsView, SectionHead, SectionNode,
    SectionsView, TablesView,
};
use norma_export::{Format, export_changes};

use super::download::{exported, file};
use crate::calls::Service;
use crate::comparison::{Compared, EditionOutline, body};
use crate::failure::{FailureKind, PageFailure};
use crate::frame::{FramedPage, answer, encoded, page, standard_address};
use crate::visit::Visit;

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
    let made = async {
        let format: Format = format.parse()?;
        let service = &visit.site.service;
        let _turn = service.large_turn().await;
        match read(service, &older, &newer).await? {
            ComparisonAnswer::Whole(view) => {
                let newer = view.newer.urn.clone();
                let bytes = exported(service, move |options| export_changes(&view, format, options)).await?;
                Ok(file(&newer, "changes", format.as_str(), format.media_type(), bytes))
            }
            ComparisonAnswer::Summary(_) => Err(PageFailure {
                kind: FailureKind::Unlicensed,
                detail: "a grant to read both editions is needed".to_owned(),
            }),
        }
    };
    let made = made.await;
    answer(&visit, made).await
}

async fn read(service: &Service, older: &str, newer: &str) -> Result<ComparisonAnswer<'static>, PageFailure> {
    let query = ComparisonQuery { text: true, ..ComparisonQuery::with(newer) };
    let (_turn, client) = service.turn().await;
    Ok(client.comparison(older, &query).await?)
}

async fn made(visit: &Visit, older: &str, newer: &str) -> Result<Response, PageFailure> {
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
    let title = format!("{}: {} – {}", visit.words.comparison, editions[0].reference, editions[1].reference);
    Ok(page(visit, StatusCode::OK, FramedPage { title: &title, trail: &trail, body, script }))
}

fn downloads(visit: &Visit, view: &ComparisonView<'_>) -> Markup {
    let of = format!("c/{}/{}", encoded(&view.older.urn), encoded(&view.newer.urn));
    html! {
        @if !view.items.is_empty() {
            p.actions {
                @for format in Format::ALL {
                    a.button href=(visit.at(&format!("{of}/{}", format.as_str()))) { (visit.words.changes) " (" (format.as_str().to_uppercase()) ")" } " "
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
            outline.add_table(&table.id, table.label.as_deref(), table.caption.as_deref());
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
        ("same", counts.same),
        ("reworded", counts.reworded),
        ("split", counts.split),
        ("merged", counts.merged),
        ("new", counts.new),
        ("removed", counts.removed),
    ];
    html! {
        div.column {
            h1 { (visit.words.comparison) }
            p.notice { (visit.words.summary_only) }
            table { tbody { @for (name, count) in rows { tr { th scope="row" { (name) } td { (count) } } } } }
        }
    }
}
