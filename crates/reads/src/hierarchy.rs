//! The upper levels of the section hierarchy of an edition.

use norma_api::media::Media;
use norma_model::Identifier;

use crate::access::Access;
use crate::body::Body;
use crate::representation::Representation;
use crate::{Failure, Request};

/// This number of levels of the section hierarchy.
pub(crate) async fn hierarchy(
    access: &mut Access<'_>,
    id: &Identifier,
    depth: u32,
    request: Request<'_>,
) -> Result<Representation, Failure> {
    let edition = access.edition(request.operation, id).await?;

    let parts = ["sections", &depth.to_string()];
    let read = edition.clone();
    let body = Body::lazy(async move { read.hierarchy(depth).await });
    Representation::generated(&edition, request, Media::Json, (&parts, &[edition.urn()]), body)
}
