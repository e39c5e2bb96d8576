//! `GET /standards/{id}/sections`: the hierarchy, which whoever may discover a standard may see.

use norma_api::Operation;
use norma_api::media::View;
use norma_store::Level;

use super::access::Caller;
use super::deliver::{Answer, Ask, media, no_parameters};
use super::path::StandardId;

/// The section hierarchy without section bodies.
pub(super) async fn read(caller: Caller, StandardId(id): StandardId, Ask(request): Ask) -> Answer {
    no_parameters(&request)?;
    media(&request, Operation::Sections)?;
    let edition = caller.edition(&id, Level::Discover, &request).await?;
    edition.send(View::Sections, Operation::Sections, &request).await
}
