//! Views of an edition as they are stored, and members of those that are composed.

use http::header;
use norma_api::media::{ContentCoding, View};
use norma_api::shapes::CatalogueMembers;
use norma_model::Identifier;

use crate::access::Access;
use crate::representation::Representation;
use crate::{Failure, Request};

/// A view, in the coding that the caller prefers. With `members`, those members of a composed view and the
/// ones that are always included.
pub(crate) async fn view(
    access: &mut Access<'_>,
    id: &Identifier,
    (view, members): (View, Option<Vec<&'static str>>),
    request: Request<'_>,
) -> Result<Representation, Failure> {
    let edition = match &members {
        None => access.edition(request.operation, id).await?,
        Some(members) => access.edition_for_members(request.operation, id, members).await?,
    };

    let accept = request.list(header::ACCEPT_ENCODING);
    let coding = ContentCoding::negotiate(accept.as_deref(), &edition.codings(view));
    let mut live_members = None;
    if view.has_live_fields() {
        let has_related = members.as_ref().is_none_or(|members| members.contains(&"relatedEditions"));
        let related_editions = has_related.then(|| edition.related());
        live_members = Some(CatalogueMembers { status: edition.status(), related_editions }.json_prefix());
    }
    let coded = edition.view(view, members, coding, live_members)?;

    let mut representation = Representation::view(&edition, request, view.media(), coding, coded)?;
    if view.has_live_fields() {
        // Other editions and grants change these members, so no single date applies.
        representation.modified = None;
    }
    Ok(representation)
}
