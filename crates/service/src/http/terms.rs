//! `GET /standards/{id}/terms`: the terms extracted from the standard.

use norma_api::Operation;
use norma_api::media::View;
use norma_store::Level;

use super::access::Caller;
use super::deliver::{Answer, Ask, media, no_parameters};
use super::path::StandardId;

/// The terms extracted from the standard.
pub(super) async fn read(caller: Caller, StandardId(id): StandardId, Ask(request): Ask) -> Answer {
    no_parameters(&request)?;
    media(&request, Operation::Terms)?;
    let edition = caller.edition(&id, Level::Read, &request).await?;
    edition.send(View::Terms, Operation::Terms, &request).await
}
