//! Endpoints for the operator: liveness, readiness and metrics.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::state::Shared;

/// Answers that the process runs.
pub(super) async fn live() -> &'static str {
    "ok\n"
}

/// Readiness: whether the store answers, for how many issuers of tokens keys are known, and how many
/// standards another version derived. No tenant is named: those who reach the port need not know the
/// customers (`norma doctor operator` and the log name them). A provider that is down does not make an
/// instance unready: its known keys go on working, and another instance would do no better.
pub(super) async fn ready(State(shared): State<Arc<Shared>>) -> Response {
    let store = shared.store.check().await.map_or_else(|error| error.to_string(), |()| "ok".to_owned());
    let issuers = shared.verifier.health(shared.now());
    let with_keys = issuers.iter().filter(|issuer| issuer.ready).count();
    let stopping = shared.is_stopping();
    let status = if store == "ok" && !stopping { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let state = json!({
        "store": store,
        "stopping": stopping,
        "identity": { "issuers": issuers.len(), "withKeys": with_keys },
        "staleStandards": shared.stale(),
    });
    (status, axum::Json(state)).into_response()
}

/// Counts in Prometheus' text format.
pub(super) async fn metrics(State(shared): State<Arc<Shared>>) -> Response {
    ::metrics::gauge!("norma_response_bytes_in_flight").set(shared.reads.in_flight.bytes() as f64);
    ::metrics::gauge!("norma_slots_waiting").set(shared.reads.slots.waiting() as f64);
    if let Some(search) = &shared.reads.search {
        let state = search.state();
        ::metrics::gauge!("norma_search_missing_editions").set(state.missing as f64);
        ::metrics::gauge!("norma_search_titles_only").set(state.titles_only as f64);
        ::metrics::gauge!("norma_search_index_bytes").set(state.bytes as f64);
        ::metrics::gauge!("norma_search_open").set(f64::from(u8::from(state.is_open)));
    }
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], shared.metrics.render()).into_response()
}
