//! The body of a request, if its operation has one: JSON, without a coding, within the limit.

use axum::body::{Body, HttpBody};
use axum::http::{HeaderMap, header};
use bytes::Bytes;
use http_body_util::LengthLimitError;
use norma_api::Operation;
use norma_api::problem::Code;
use norma_reads::Failure;

use crate::fixed_limits::{MAX_BODY_SIZE, MAX_QUOTATIONS_BODY_SIZE};

/// Reads the body; for an operation without one, nothing is read.
///
/// # Errors
/// It is not JSON by its `Content-Type`, is encoded, is larger than the limit, or breaks off.
pub(super) async fn read(operation: Operation, headers: &HeaderMap, body: Body) -> Result<Bytes, Failure> {
    if operation.describe().body.is_none() {
        return Ok(Bytes::new());
    }
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/json") {
        return Err(Failure::new(Code::UnsupportedMediaType, "The body must be `application/json`."));
    }
    for encoding in headers.get_all(header::CONTENT_ENCODING) {
        if !encoding.as_bytes().eq_ignore_ascii_case(b"identity") {
            // RFC 9110, section 12.5.3: the answer says what a body may be encoded by.
            let detail = "The body must have no `Content-Encoding`.";
            return Err(
                Failure::new(Code::UnsupportedMediaType, detail).with(header::ACCEPT_ENCODING, "identity")
            );
        }
    }
    let most = most_bytes(operation);
    // Before anything is read, so that a client with `Expect: 100-continue` does not send it.
    if body.size_hint().lower() > most as u64 {
        return Err(too_large(most));
    }
    match axum::body::to_bytes(body, most).await {
        Ok(bytes) => Ok(bytes),
        Err(error) if is_of_limit(&error) => Err(too_large(most)),
        Err(_) => Err(Failure::new(Code::InvalidBody, "The body broke off.")),
    }
}

fn is_of_limit(error: &axum::Error) -> bool {
    match std::error::Error::source(error) {
        Some(source) => source.is::<LengthLimitError>(),
        None => false,
    }
}

/// Bytes that the body of an operation may have.
fn most_bytes(operation: Operation) -> usize {
    if operation == Operation::VerifyQuotations { MAX_QUOTATIONS_BODY_SIZE } else { MAX_BODY_SIZE }
}

fn too_large(most: usize) -> Failure {
    Failure::new(Code::BodyTooLarge, format!("The body may have {most} bytes at most."))
}
