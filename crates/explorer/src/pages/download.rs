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

/// Downloads of a standard: name in the address, operation, media type, extension. The first one needs a
/// grant to discover it only.
pub(crate) const VIEWS: [(&str, Operation, Media, &str); 9] = [
    ("sections", Operation::Sections, Media::Json, "json"),
    ("standard", Operation::Standard, Media::Json, "json"),
    ("metadata", Operation::Metadata, Media::Json, "json"),
    ("content", Operation::Content, Media::Json, "json"),
    ("provisions", Operation::Provisions, Media::Json, "json"),
    ("terms", Operation::Terms, Media::Json, "json"),
    ("tables", Operation::Tables, Media::Json, "json"),
    ("graphics", Operation::Graphics, Media::Json, "json"),
    ("knowledge-graph", Operation::KnowledgeGraph, Media::JsonLd, "jsonld"),
];

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
    let (operation, media, extension) = match view {
        "html" => {
            let head = service.head(name).await?;
            let text = Text::read(service, &head.urn, &head.metadata.language).await?;
            let words = visit.words;
            let pictures = Pictures { address: &|_| None, missing: words.missing_file, figure: words.figure };
            let article = text.article(0..text.sections.len(), &pictures);
            let page = norma_sts::html::page(&head.metadata.reference, &text.language, &article);
            return Ok(file(name, view, "html", "text/html; charset=utf-8", page.into_bytes()));
        }
        "source" => (Operation::Content, Media::Xml, "xml"),
        "provision" => (Operation::Provision, Media::Json, "json"),
        _ => match VIEWS.iter().find(|(known, ..)| *known == view) {
            Some((_, operation, media, extension)) => (*operation, *media, *extension),
            None => {
                return Err(PageFailure::not_found(format!("expected a view of a standard, found `{view}`")));
            }
        },
    };
    let answer = service.fetch(operation, &[name], "", media).await?;
    Ok(file(name, view, extension, &answer.content_type, answer.body.into()))
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
    let revisions = [&provisions.revision, &terms.revision, &tables.revision];
    if revisions.into_iter().any(|revision| *revision != bibliographic.revision) {
        return Err(PageFailure::other(format!("{urn} was replaced while it was read: try again")));
    }
    let (provisions, terms, tables) = (provisions.items, terms.items, tables.items);
    drop(call);
    let standard = ExportedStandard { bibliographic, provisions, terms, tables };
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

pub(super) fn file(name: &str, view: &str, extension: &str, media: &str, bytes: Vec<u8>) -> Response {
    let plain = |text: &str| -> String {
        text.chars().map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' }).collect()
    };
    let disposition = format!("attachment; filename=\"{}.{}.{extension}\"", plain(name), plain(view));
    ([(CONTENT_TYPE, media.to_owned()), (CONTENT_DISPOSITION, disposition)], bytes).into_response()
}
