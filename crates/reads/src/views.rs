//! Views of an edition as they are stored, and members of those that are composed.

use http::header;
use norma_api::media::{ContentCoding, Media, View};
use norma_api::shapes::{Amendment, CatalogueMembers};
use norma_model::Identifier;

use crate::access::Access;
use crate::edition::{AuthorizedEdition, ViewFront, member};
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
    let has_related = match &members {
        None => true,
        Some(members) => members.contains(&"relatedEditions"),
    };
    // Other media have no place for what amendments change.
    let visible = match view.media() {
        Media::Json => edition.amendments().await?,
        _ => None,
    };
    let has_amendments = visible.is_some();
    let front = match visible {
        None if view.has_live_fields() => ViewFront::Live(front(&edition, view, has_related, Vec::new())),
        None => ViewFront::Stored,
        Some(visible) => {
            let without_changes = front(&edition, view, has_related, Vec::new());
            let state = format!("{}\n{}", visible.state, String::from_utf8_lossy(&without_changes));
            let read = edition.clone();
            let make = Box::pin(async move {
                let amended_by = read.amended_by(&visible).await?.all();
                Ok::<_, Failure>(front(&read, view, has_related, amended_by))
            });
            ViewFront::Amended { state, make }
        }
    };
    let coded = edition.view(view, members, coding, front)?;

    let mut representation = Representation::view(&edition, request, view.media(), coding, coded)?;
    if view.has_live_fields() || has_amendments {
        // Other editions and grants change these members, so no single date applies.
        representation.modified = None;
    }
    Ok(representation)
}

/// The opening brace of a view, and the members of the catalogue that come before the stored ones.
fn front(
    edition: &AuthorizedEdition,
    view: View,
    has_related: bool,
    amended_by: Vec<Amendment<'static>>,
) -> Vec<u8> {
    if !view.has_live_fields() {
        return format!("{{{}", member(&amended_by)).into_bytes();
    }
    let summary = edition.summary();
    let members = CatalogueMembers {
        status: edition.status(),
        status_reason: edition.status_reason(),
        withdrawn_on: summary.withdrawn_on,
        notice: summary.notice,
        amended_by,
        related_editions: has_related.then(|| edition.related()),
    };
    members.json_prefix()
}
