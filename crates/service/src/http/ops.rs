//! For the operator: whether the service lives, whether it can answer, and what it counts.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::state::Shared;

/// The process runs.
pub(super) async fn live() -> &'static str {
    "ok\n"
}

/// Whether the store answers; how the keys of each tenant stand, and how many standards another version derived,
/// is told beside it. A provider that is down makes no
/// instance unready: its known keys go on working, and no other instance would do better.
pub(super) async fn ready(State(app): State<Arc<Shared>>) -> Response {
    let store = app.store.check().await.map_or_else(|error| error.to_string(), |()| "ok".to_owned());
    let keys: Vec<_> = app
        .verifier
        .health(app.now())
        .into_iter()
        .map(|keys| json!({ "tenant": keys.tenant.to_string(), "issuer": keys.issuer, "keys": keys.keys }))
        .collect();
    let stopping = app.is_stopping();
    let status = if store == "ok" && !stopping { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let state = json!({
        "store": store,
        "stopping": stopping,
        "identity": keys,
        "staleStandards": app.stale(),
    });
    (status, axum::Json(state)).into_response()
}

/// Counts in Prometheus' text format.
pub(super) async fn metrics(State(app): State<Arc<Shared>>) -> Response {
    ::metrics::gauge!("norma_response_bytes_in_flight").set(app.in_flight.bytes() as f64);
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], app.metrics.render()).into_response()
}
