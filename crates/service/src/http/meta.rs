//! What is open to everybody, and the limits: documents about the service itself.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use axum::extract::State;
use axum::http::{HeaderValue, Method, header};
use bytes::Bytes;
use norma_api::media::Media;
use norma_api::problem::Code;
use norma_api::shapes::{Limits, RateLimit};
use norma_api::{Operation, jsonld, openapi};
use norma_model::selection::{MAX_SELECTION_ITEMS, MAX_SELECTION_LENGTH};

use super::access::Caller;
use super::deliver::{Answer, Ask, Representation, json, media, no_parameters};
use super::document::Document;
use super::etag::ETag;
use super::path::{ProblemCode, nothing_here};
use crate::config::Settings;
use crate::state::Shared;

/// The limits in force for callers.
pub(super) async fn limits(caller: Caller, Ask(request): Ask) -> Answer {
    no_parameters(&request)?;
    media(&request, Operation::Limits)?;
    let settings = &caller.app().settings;
    let limits = &settings.limits;
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let shape = Limits {
        rate: (limits.rate_limit > 0)
            .then_some(RateLimit { requests_per_second: limits.rate_limit, burst: limits.rate_burst }),
        default_page_size: limits.page_size,
        max_page_size: limits.max_page_size,
        max_query_values: number(limits.max_query_values),
        max_query_words: number(limits.max_query_words),
        max_selection_characters: number(MAX_SELECTION_LENGTH),
        max_selection_items: number(MAX_SELECTION_ITEMS),
        max_references: number(limits.max_asset_references),
        asset_url_seconds: u32::try_from(limits.asset_url_lifetime.std().as_secs()).unwrap_or(u32::MAX),
        max_body_bytes: settings.http.max_body_size.bytes(),
        max_uri_bytes: settings.http.max_uri_size.bytes(),
        max_token_bytes: settings.identity.max_token_size.bytes(),
    };
    let body = json(&shape)?;
    let tag = ETag::new(&[&crate::digest::short(&body)]);
    Representation::json(tag, None).answer(&request, async { Ok(body) }).await
}

/// What the service says of itself to everybody; it depends on the settings.
pub(crate) struct Documents {
    openapi: Document,
    protected_resource: Document,
}

impl Documents {
    /// The documents of a service with these settings at this public URL.
    pub(crate) fn new(settings: &Settings, public_url: &str) -> Self {
        let identity = &settings.identity;
        let auth_url = identity.auth_url.trim_end_matches('/');
        // Not every caller's tenant may be named here, so the provider's word for all organisations stands for it: what
        // its discovery document says has `{tenantid}` where the caller puts the own tenant.
        let organizations = format!("{auth_url}/organizations");
        let token_url = format!("{organizations}/oauth2/v2.0/token");
        // By convention the application ID URI is an audience that is a URI; the client id is a bare GUID.
        let resource = identity.audience.iter().find(|a| a.contains(':')).or(identity.audience.first());
        let scope = format!("{}/.default", resource.map_or("", String::as_str));
        let protected =
            openapi::protected_resource(public_url, &format!("{organizations}/v2.0"), &identity.audience);
        Self {
            openapi: json_document(openapi::document(public_url, &token_url, &scope).to_string()),
            protected_resource: json_document(protected),
        }
    }
}

fn json_document(bytes: impl Into<Bytes>) -> Document {
    Document::new(Media::Json.content_type(), bytes)
}

fn html_document(page: String) -> Document {
    Document::new(Media::Html.content_type(), page)
}

/// The OpenAPI document.
pub(super) async fn openapi(State(app): State<Arc<Shared>>, Ask(request): Ask) -> Answer {
    app.documents.openapi.answer(&request).await
}

/// Where to ask for tokens, and for what (RFC 9728).
pub(super) async fn protected_resource(State(app): State<Arc<Shared>>, Ask(request): Ask) -> Answer {
    app.documents.protected_resource.answer(&request).await
}

/// The documentation for people: one page that loads nothing from elsewhere.
pub(super) async fn docs(Ask(request): Ask) -> Answer {
    static PAGE: LazyLock<Document> =
        LazyLock::new(|| html_document(openapi::docs_page(Operation::OpenApi.path())));
    PAGE.answer(&request).await
}

/// What no route leads to. Only a browser at the root finds a page, which leads it to the documentation.
pub(super) async fn elsewhere(Ask(request): Ask) -> Answer {
    static PAGE: LazyLock<Document> = LazyLock::new(|| html_document(openapi::home_page()));
    let reads = matches!(request.method, Method::GET | Method::HEAD);
    let accept = request.headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    let media = Media::negotiate(accept, &[Media::Problem, Media::Html]);
    if request.uri.path() != "/" || !reads || media != Ok(Media::Html) {
        return Err(nothing_here());
    }
    let mut response = PAGE.answer(&request).await?;
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("Accept, Accept-Encoding"));
    Ok(response)
}

/// The script of the documentation page.
pub(super) async fn docs_script(Ask(request): Ask) -> Answer {
    static SCRIPT: LazyLock<Option<Document>> = LazyLock::new(|| {
        let (_, bytes) = scalar_api_reference::get_asset_with_mime("scalar.js")?;
        Some(Document::new("text/javascript; charset=utf-8", bytes))
    });
    SCRIPT.as_ref().ok_or_else(nothing_here)?.answer(&request).await
}

/// The page of a problem.
pub(super) async fn problem(ProblemCode(code): ProblemCode, Ask(request): Ask) -> Answer {
    static PAGES: LazyLock<HashMap<Code, Document>> =
        LazyLock::new(|| Code::ALL.iter().map(|&code| (code, html_document(code.html()))).collect());
    let page = code.parse().ok().and_then(|code: Code| PAGES.get(&code));
    page.ok_or_else(nothing_here)?.answer(&request).await
}

/// The vocabulary of the knowledge graph.
pub(super) async fn vocabulary(Ask(request): Ask) -> Answer {
    static VOCABULARY: LazyLock<Document> =
        LazyLock::new(|| Document::new(Media::Turtle.content_type(), jsonld::vocabulary()));
    VOCABULARY.answer(&request).await
}
