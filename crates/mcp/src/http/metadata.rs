//! Metadata of the protected resource (RFC 9728): which provider issues tokens for this server.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::guard::{Entrance, Guard};

/// The well-known path; that of the resource may follow (RFC 9728, 3.1).
pub(super) const PATH: &str = "/.well-known/oauth-protected-resource";

/// True for a path at which the metadata is, which needs no token.
pub(super) fn is_path(path: &str) -> bool {
    path == PATH || path.strip_prefix(PATH) == Some("/mcp")
}

pub(super) async fn show(State(guard): State<Arc<Guard>>) -> Response {
    let Entrance::Users { issuer, .. } = &guard.entrance else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let metadata = json!({
        "resource": guard.url,
        "authorization_servers": [issuer],
        "bearer_methods_supported": ["header"],
        "resource_name": "Norma: technical standards",
    });
    ([(CONTENT_TYPE, "application/json")], metadata.to_string()).into_response()
}
