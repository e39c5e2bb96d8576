//! Downloads: views of a standard and of a provision, as the service answers them, and spreadsheets.

use axum::extract::Path;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use norma_api::{Media, Operation};
use norma_client::ProvisionsQuery;
use norma_export::{ExportError, ExportOptions, ExportedStandard, Format, export};

use crate::calls::Service;
use crate::content::{Pictures, Text};
use crate::failure::PageFailure;
use crate::frame::answer;
use crate::visit::Visit;

/// A view of a standard that can be downloaded as the service answers it.
#[derive(Clone, Copy)]
pub(crate) struct DownloadedView {
    /// The last part of the address.
    pub(crate) name: &'static str,
    operation: Operation,
    media: Media,
    extension: &'static str,
}

/// Downloads of a standard. The first one needs a grant to discover it only.
pub(crate) static VIEWS: [DownloadedView; 9] = [
    in_json("sections", Operation::Sections),
    in_json("standard", Operation::Standard),
    in_json("metadata", Operation::Metadata),
    in_json("content", Operation::Content),
    in_json("provisions", Operation::Provisions),
    in_json("terms", Operation::Terms),
    in_json("tables", Operation::Tables),
    in_json("graphics", Operation::Graphics),
    DownloadedView {
        name: "knowledge-graph",
        operation: Operation::KnowledgeGraph,
        media: Media::JsonLd,
        extension: "jsonld",
    },
];

/// Downloads that the lists of a standard do not have: its source, and one provision.
static OTHERS: [DownloadedView; 2] = [
    DownloadedView { name: "source", operation: Operation::Content, media: Media::Xml, extension: "xml" },
    in_json("provision", Operation::Provision),
];

const fn in_json(name: &'static str, operation: Operation) -> DownloadedView {
    DownloadedView { name, operation, media: Media::Json, extension: "json" }
}

pub(crate) async fn show(
    visit: Visit,
    Path((_, _, name, view)): Path<(String, String, String, String)>,
) -> Response {
    let made = made(&visit, &name, &view).await;
    answer(&visit, made).await
}

async fn made(visit: &Visit, name: &str, view: &str) -> Result<Response, PageFailure> {
    let service = &visit.site.service;
    let _turn = service.large_turn().await;
    if let Ok(format) = view.parse::<Format>() {
        let bytes = spreadsheet(service, name, format).await?;
        return Ok(file(name, "provisions", format.as_str(), format.media_type(), bytes));
    }
    if view == "html" {
        let page = html_page(visit, name).await?;
        return Ok(file(name, view, "html", "text/html; charset=utf-8", page.into_bytes()));
    }
    let Some(known) = OTHERS.iter().chain(&VIEWS).find(|known| known.name == view) else {
        return Err(PageFailure::not_found(format!("expected a view of a standard, found `{view}`")));
    };
    let answer = service.fetch(known.operation, &[name], "", known.media).await?;
    Ok(file(name, view, known.extension, &answer.content_type, answer.body.into()))
}

/// The text of a standard as one page that loads nothing, without pictures.
async fn html_page(visit: &Visit, name: &str) -> Result<String, PageFailure> {
    let (service, words) = (&visit.site.service, visit.words);
    let head = service.head(name).await?;
    let text = Text::read(service, &head.urn, &head.metadata.language).await?;
    let pictures = Pictures { address: &|_| None, missing: words.missing_file, figure: words.figure };
    let article = text.article(0..text.sections.len(), &pictures);
    Ok(norma_sts::html::page(&head.metadata.reference, &text.language, &article))
}

/// The provisions of a standard as a spreadsheet; in XLSX with its terms and tables.
async fn spreadsheet(service: &Service, name: &str, format: Format) -> Result<Vec<u8>, PageFailure> {
    let (call, client) = service.turn().await;
    let bibliographic = client.bibliographic_data(name).await?;
    // A shorter URN names the newest edition: from here on, the one that was found.
    let urn = &*bibliographic.urn;
    let filters = ProvisionsQuery { lineage: true, ..ProvisionsQuery::default() };
    let provisions = client.provisions(urn, &filters).await?;
    let (terms, tables) = (client.terms(urn).await?, client.tables(urn).await?);
    let outline = client.sections(urn).await?;
    let revisions = [&provisions.revision, &terms.revision, &tables.revision, &outline.revision];
    if revisions.into_iter().any(|revision| *revision != bibliographic.revision) {
        return Err(PageFailure::other(format!("{urn} was replaced while it was read: try again")));
    }
    let (provisions, terms, tables) = (provisions.items, terms.items, tables.items);
    let outline = outline.sections;
    drop(call);
    let standard = ExportedStandard { bibliographic, provisions, terms, tables, outline };
    exported(service, move |options| export(&[standard], format, options)).await
}

/// A spreadsheet of what came from a service. It is made on a thread of its own: a large one takes the
/// processor for seconds, and the threads of the runtime answer other pages meanwhile.
pub(super) async fn exported(
    service: &Service,
    export: impl FnOnce(&ExportOptions<'_>) -> Result<Vec<u8>, ExportError> + Send + 'static,
) -> Result<Vec<u8>, PageFailure> {
    let service = service.url().to_owned();
    let make = move || export(&ExportOptions { service: &service, ..ExportOptions::default() });
    let made = tokio::task::spawn_blocking(make).await;
    Ok(made.map_err(|error| PageFailure::other(format!("the spreadsheet was not made: {error}")))??)
}

/// An answer that the browser saves as a file.
pub(super) fn file(name: &str, view: &str, extension: &str, media: &str, bytes: Vec<u8>) -> Response {
    let file_name = format!("{}.{}.{extension}", in_file_name(name), in_file_name(view));
    let disposition = format!("attachment; filename=\"{file_name}\"");
    ([(CONTENT_TYPE, media.to_owned()), (CONTENT_DISPOSITION, disposition)], bytes).into_response()
}

/// A text with hyphens for all characters that a header field, a shell or a file system may read otherwise.
fn in_file_name(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '.';
    text.chars().map(|c| if is_plain(c) { c } else { '-' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_after_its_urn_and_view_without_special_characters() {
        let answer = file("urn:x:std:9\"9\n9:en", "changes", "csv", "text/csv", Vec::new());
        let disposition = answer.headers()[CONTENT_DISPOSITION].to_str().unwrap();
        assert_eq!(disposition, "attachment; filename=\"urn-x-std-9-9-9-en.changes.csv\"");
    }
}
