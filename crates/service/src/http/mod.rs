//! HTTP: all routes on one page, and what they share.

mod access;
mod admission;
mod assets;
mod body;
mod client_ip;
mod connection;
mod content;
mod cors;
mod deliver;
mod document;
mod edition;
mod etag;
mod graph;
mod graphics;
mod head;
mod in_flight;
mod listen;
mod meta;
mod negotiate;
mod ops;
mod path;
mod problem;
mod provisions;
mod range;
mod response_cache;
mod sections;
mod socket;
mod standards;
mod streams;
mod terms;
mod tls;
mod trace;
mod words;

pub(crate) use admission::Admission;
pub(crate) use client_ip::networks;
pub(crate) use in_flight::InFlight;
pub(crate) use listen::{Listener, serve};
pub(crate) use meta::Documents;
pub(crate) use problem::Failure;
pub(crate) use response_cache::ResponseCache;

use std::sync::Arc;

use axum::Router;
use axum::middleware::map_response;
use axum::response::Response;
use axum::routing::{get, post};
use norma_api::Operation;
use norma_api::problem::Code;
use tower::Layer;
use tower::util::{Either, option_layer};
use tower_http::cors::Cors;

use crate::error::StartError;
use crate::state::Shared;
use trace::Traced;

/// Every route of the API's listener, with what is done around each of them.
pub(crate) fn api(app: Arc<Shared>) -> Result<Either<Cors<Traced>, Traced>, StartError> {
    let cors = cors::layer(&app.settings.http.cors_origins)?;
    let routes = routes().with_state(app.clone());
    Ok(option_layer(cors).layer(Traced::new(app, routes)))
}

fn routes() -> Router<Arc<Shared>> {
    Router::new()
        .route(Operation::Standards.path(), get(standards::list))
        .route(Operation::Standard.path(), get(standards::complete))
        .route(Operation::Metadata.path(), get(standards::metadata))
        .route(Operation::Sections.path(), get(sections::read))
        .route(Operation::Content.path(), get(content::read))
        .route(Operation::Provisions.path(), get(provisions::all))
        .route(Operation::Selection.path(), get(provisions::selected))
        .route(Operation::Terms.path(), get(terms::read))
        .route(Operation::Graphics.path(), get(graphics::read))
        .route(Operation::Provision.path(), get(provisions::one))
        .route(Operation::KnowledgeGraph.path(), get(graph::read))
        .route(Operation::ResolveAssets.path(), post(assets::resolve))
        .route(Operation::Limits.path(), get(meta::limits))
        .route(Operation::Asset.path(), get(assets::bytes))
        .route(Operation::OpenApi.path(), get(meta::openapi))
        .route(Operation::Docs.path(), get(meta::docs))
        .route(norma_api::openapi::DOCS_SCRIPT_PATH, get(meta::docs_script))
        .route(Operation::ProblemPage.path(), get(meta::problem))
        .route(Operation::ProtectedResource.path(), get(meta::protected_resource))
        .route(Operation::Vocabulary.path(), get(meta::vocabulary))
        .method_not_allowed_fallback(method_not_allowed)
        .fallback(meta::elsewhere)
}

/// The routes of the operator's listener.
pub(crate) fn ops(app: Arc<Shared>) -> Router {
    Router::new()
        .route("/livez", get(ops::live))
        .route("/readyz", get(ops::ready))
        .route("/metrics", get(ops::metrics))
        .with_state(app)
        .layer(map_response(async |mut response: Response| {
            trace::guard(response.headers_mut());
            response
        }))
}

/// The router adds `Allow`.
async fn method_not_allowed() -> Failure {
    Failure::new(Code::MethodNotAllowed, "This path does not take this method.")
}
