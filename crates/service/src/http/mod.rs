//! HTTP: listeners, the request pipeline, and the state of its steps.

mod access;
mod admission;
mod body;
mod client_ip;
mod conditional;
mod connection;
mod context;
mod cors;
mod documents;
mod head;
mod limits_in_force;
mod lingering;
mod listen;
mod ops;
mod pipeline;
mod range;
mod request_body;
mod response_cache;
mod route;
mod socket;
mod streams;
mod tls;

pub(crate) use admission::Admission;
pub(crate) use client_ip::networks;
pub(crate) use documents::Documents;
pub(crate) use listen::{Listener, serve};
pub(crate) use response_cache::ResponseCache;
pub(crate) use tls::check_certificate;

use std::sync::Arc;

use axum::Router;
use axum::middleware::map_response;
use axum::response::Response;
use axum::routing::get;
use tower::Layer;
use tower::util::{Either, option_layer};
use tower_http::cors::Cors;

use crate::error::StartError;
use crate::state::Shared;
use pipeline::Pipeline;

/// The service of the API's listener.
pub(crate) fn api(shared: Arc<Shared>) -> Result<Either<Cors<Pipeline>, Pipeline>, StartError> {
    let cors = cors::layer(&shared.settings.http.cors_origins)?;
    Ok(option_layer(cors).layer(Pipeline::new(shared)))
}

/// The routes of the operator's listener.
pub(crate) fn ops(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/livez", get(ops::live))
        .route("/readyz", get(ops::ready))
        .route("/metrics", get(ops::metrics))
        .with_state(shared)
        .layer(map_response(async |mut response: Response| {
            context::add_security_headers(response.headers_mut());
            response
        }))
}
