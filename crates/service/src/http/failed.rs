//! Conversion of store errors to failures of a request.

use norma_handlers::Failure;
use norma_store::Error;

/// The answer to a request that an error of the store ended.
pub(super) fn failed(error: Error) -> Failure {
    match &error {
        Error::Unavailable { .. } | Error::Contended(_) | Error::SchemaChanged { .. } => {
            metrics::counter!("norma_unavailable_total", "reason" => "store").increment(1);
            Failure::unavailable(&error)
        }
        _ => Failure::internal(&error),
    }
}
