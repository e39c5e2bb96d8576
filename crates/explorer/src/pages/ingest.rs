//! Page of an ingest, for an operator: what is stored of an edition, and what is flawed in its source.

use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;
use maud::{Markup, html};

use crate::failure::PageFailure;
use crate::frame::{FramedPage, answer, encoded, page, standard_address};
use crate::ingests::IngestDiagnostic;
use crate::visit::Visit;

pub(crate) async fn show(visit: Visit, Path((_, _, urn)): Path<(String, String, String)>) -> Response {
    let made = made(&visit, &urn).await;
    answer(&visit, made).await
}

async fn made(visit: &Visit, urn: &str) -> Result<Response, PageFailure> {
    let Some(read_report) = &visit.site.read_ingest_report else {
        return Err(PageFailure::not_found("start the explorer with `--store` to see what ingests found"));
    };
    let Some(report) = read_report(urn.to_owned()).await.map_err(PageFailure::other)? else {
        return Err(PageFailure::not_found(format!("the store has no edition `{urn}`")));
    };
    let words = visit.words;
    let severities = ["error", "warning", "note"].map(|severity| {
        let count = report.diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count();
        (severity, count)
    });
    let trail = [
        (urn.to_owned(), standard_address(visit, urn)),
        (words.ingest.to_owned(), visit.at(&format!("i/{}", encoded(urn)))),
    ];
    let body = html! {
        div.column.broad {
            h1 { (words.ingest) }
            p.urn { (urn) }
            @if report.diagnostics.is_empty() { p.notice { (words.no_diagnostics) } }
            @else {
                p.actions lang="en" { @for (severity, count) in severities.iter().filter(|(_, count)| *count > 0) { span.status data-severity=(severity) { (severity) " " b { (count) } } } }
                (table(visit, &report.diagnostics))
            }
            h2 { (words.stored) }
            dl.stored lang="en" { @for (name, value) in &report.stored { dt { (name) } dd { (value) } } }
        }
    };
    Ok(page(visit, StatusCode::OK, FramedPage { title: words.ingest, trail: &trail, body, script: None }))
}

fn table(visit: &Visit, diagnostics: &[IngestDiagnostic]) -> Markup {
    let words = visit.words;
    html! {
        div.wide tabindex="0" role="region" aria-label=(words.diagnostics) {
            table.list data-sortable {
                thead { tr { @for head in [words.line, words.severity, words.code, words.diagnostic, words.hint] { th scope="col" { (head) } } } }
                tbody {
                    @for one in diagnostics {
                        tr lang="en" {
                            td { (one.line) ":" (one.column) }
                            td { span.status data-severity=(one.severity) { (one.severity) } }
                            td { code { (one.code) } }
                            td { (one.message) }
                            td { (one.hint) }
                        }
                    }
                }
            }
        }
    }
}
