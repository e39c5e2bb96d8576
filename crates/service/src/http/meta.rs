//! What is open to everybody, and the limits: documents about the service itself.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use norma_api::media::Media;
use norma_api::problem::Code;
use norma_api::shapes::{Limits, RateLimit};
use norma_api::{Operation, jsonld, openapi};
use norma_model::selection::{MAX_SELECTION_ITEMS, MAX_SELECTION_LENGTH};

use super::access::Caller;
use super::deliver::{Answer, Ask, Representation, json, media, no_parameters};
use super::etag::ETag;
use super::path::{ProblemCode, nothing_here};
use crate::app::App;

/// The limits in force for callers.
pub(super) async fn limits(caller: Caller, Ask(request): Ask) -> Answer {
    no_parameters(&request)?;
    media(&request, Operation::Limits)?;
    let settings = &caller.app().settings;
    let limits = &settings.limits;
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let shape = Limits {
        rate: (limits.rate_limit > 0)
            .then_some(RateLimit { requests_per_second: limits.rate_limit, burst: limits.burst() }),
        default_page_size: limits.page_size,
        max_page_size: limits.max_page_size,
        max_selection_characters: number(MAX_SELECTION_LENGTH),
        max_selection_items: number(MAX_SELECTION_ITEMS),
        max_references: number(limits.max_asset_references),
        asset_url_seconds: u32::try_from(limits.asset_url_life().as_secs()).unwrap_or(u32::MAX),
        max_body_bytes: settings.http.max_body_size.bytes(),
        max_uri_bytes: settings.http.max_uri_size.bytes(),
        max_token_bytes: settings.identity.max_token_size.bytes(),
    };
    let body = json(&shape)?;
    let tag = ETag::new(&[&crate::digest::short(&body)]);
    Representation::json(tag, None).answer(&request, async { Ok(body) }).await
}

/// The OpenAPI document.
pub(super) async fn openapi(State(app): State<Arc<App>>) -> Response {
    document(Media::Json, app.openapi.clone())
}

/// The documentation for people: one page that loads nothing from elsewhere.
pub(super) async fn docs() -> Response {
    document(Media::Html, openapi::docs_page(Operation::OpenApi.path()))
}

/// The script of the documentation page.
pub(super) async fn docs_script() -> Response {
    match scalar_api_reference::get_asset_with_mime("scalar.js") {
        Some((mime, bytes)) => ([(header::CONTENT_TYPE, mime)], bytes).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// The page of a problem.
pub(super) async fn problem(ProblemCode(code): ProblemCode) -> Answer {
    let code: Code = code.parse().map_err(|_| nothing_here())?;
    Ok(document(Media::Html, code.html()))
}

/// Where to ask for tokens, and for what (RFC 9728).
pub(super) async fn protected_resource(State(app): State<Arc<App>>) -> Answer {
    let identity = &app.settings.identity;
    Ok(document(
        Media::Json,
        openapi::protected_resource(&app.public_url, &identity.auth_url, &identity.audience),
    ))
}

/// The vocabulary of the knowledge graph.
pub(super) async fn vocabulary() -> Response {
    document(Media::Turtle, jsonld::vocabulary())
}

fn document(media: Media, body: impl Into<axum::body::Body>) -> Response {
    let mut response = Response::new(body.into());
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media.content_type()));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=300"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}
