//! JSON errors of the endpoints other than those of tokens and metadata.

use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde_json::json;

use crate::DevIdpError;

pub(crate) fn problem(status: StatusCode, text: impl ToString) -> Response {
    (status, Json(json!({ "error": text.to_string() }))).into_response()
}

impl IntoResponse for DevIdpError {
    fn into_response(self) -> Response {
        problem(StatusCode::CONFLICT, self)
    }
}
