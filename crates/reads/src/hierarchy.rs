//! The upper levels of the section hierarchy of an edition.

use norma_api::media::Media;
use norma_model::Identifier;

use crate::access::Access;
use crate::body::Body;
use crate::edition::{VisibleAmendments, member};
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

    let visible = edition.amendments().await?;
    let amended_state = VisibleAmendments::state_of(visible.as_ref());
    let parts = ["sections", &depth.to_string(), &amended_state];
    let read = edition.clone();
    let body = Body::lazy(async move {
        let amended = member(&read.amended_by_if(visible).await?.all());
        let hierarchy = read.hierarchy(depth).await?;
        if amended.is_empty() {
            return Ok(hierarchy);
        }
        let rest = hierarchy.get(1..).unwrap_or_default();
        Ok([b"{", amended.as_bytes(), rest].concat().into())
    });
    let mut representation =
        Representation::generated(&edition, request, Media::Json, (&parts, &[edition.urn()]), body)?;
    if !amended_state.is_empty() {
        // Amendments and grants come and go, so no single date applies.
        representation.modified = None;
    }
    Ok(representation)
}
