//! `GET /standards/{id}/graphics`: the graphics that the standard refers to.

use norma_api::Operation;
use norma_api::media::View;
use norma_store::Level;

use super::access::Caller;
use super::deliver::{Answer, Ask, media, no_parameters};
use super::path::StandardId;

/// The graphics that the standard refers to.
pub(super) async fn read(caller: Caller, StandardId(id): StandardId, Ask(request): Ask) -> Answer {
    no_parameters(&request)?;
    media(&request, Operation::Graphics)?;
    let edition = caller.edition(&id, Level::Read, &request).await?;
    edition.send(View::Graphics, Operation::Graphics, &request).await
}
