//! Failures of a request: those of the store, and content that is not licensed.

use crate::Failure;
use norma_api::problem::Code;
use norma_model::Urn;
use norma_store::StoreError;

/// The failure for an error of the store.
pub fn failed(error: StoreError) -> Failure {
    match &error {
        StoreError::Unavailable { .. }
        | StoreError::Contended(_)
        | StoreError::SchemaChanged { .. }
        | StoreError::Replaced { .. } => {
            metrics::counter!("norma_unavailable_total", "reason" => "store").increment(1);
            Failure::unavailable(&error)
        }
        _ => Failure::internal(&error),
    }
}

/// The failure for content of an edition that the caller may only discover.
pub(crate) fn unlicensed(urn: &Urn) -> Failure {
    let detail = format!("You may discover {urn}, but its content needs a grant at level `read`.");
    Failure::new(Code::ContentNotLicensed, detail)
}
