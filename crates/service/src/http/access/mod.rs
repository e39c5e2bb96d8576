//! Access to the catalogue: from a bearer token or a signed URL to a viewer, and from a viewer to what the
//! store shows them. [`norma_reads::Access`] decides what they may read of it.

mod ticket;
mod token;

use norma_api::problem::Code;
use norma_reads::{Failure, failed};
use norma_store::{CatalogueView, TurnClient, Viewer};

pub(super) use self::ticket::SignedAsset;
pub(super) use self::token::{AcceptedCaller, authenticate};
use crate::state::Shared;

/// A client for turns with others.
pub(super) fn client(tenant: &str, name: &str) -> TurnClient {
    TurnClient { tenant: tenant.into(), name: name.into() }
}

/// The catalogue as a viewer may see it.
///
/// # Errors
/// The tenant or client is suspended, or the store cannot be read.
pub(super) async fn view_for<'s>(shared: &'s Shared, viewer: &Viewer) -> Result<CatalogueView<'s>, Failure> {
    let view = shared.store.view_for(viewer).await.map_err(failed)?;
    // A task reports suspensions to the verifier, and may lag if the database stalled.
    if view.is_suspended() {
        return Err(Failure::new(Code::CallerSuspended, "This tenant or client is suspended."));
    }
    Ok(view)
}
