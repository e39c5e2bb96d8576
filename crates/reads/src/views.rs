//! Handler of the parts of an edition: stored views, and answers made from them.

use http::header;
use norma_api::media::{ContentCoding, View};
use norma_api::shapes::CatalogueMembers;

use crate::content::{hierarchy, sections};
use crate::provisions::{filtered, selected};
use crate::tables;
use crate::{AuthorizedEdition, Failure, Representation, Request, RequestedPart};

/// Answers with a part of an edition.
///
/// # Errors
/// The part is not there, or cannot be read.
pub async fn part<'e>(
    edition: &'e dyn AuthorizedEdition,
    part: &'e RequestedPart,
    request: Request<'_>,
) -> Result<Representation<'e>, Failure> {
    match part {
        RequestedPart::View(view) => stored(edition, *view, None, request),
        RequestedPart::Fields(view, fields) => stored(edition, *view, Some(fields), request),
        RequestedPart::Hierarchy(depth) => hierarchy(edition, *depth, request),
        RequestedPart::Sections(view, section) => sections(edition, *view, section, request).await,
        RequestedPart::Table(table, media) => tables::one(edition, table, *media, request).await,
        RequestedPart::Provisions(filters) => filtered(edition, filters, request).await,
        RequestedPart::Selection(selection, filters) => selected(edition, selection, filters, request).await,
    }
}

/// A stored view, or members of it, in the coding that the caller prefers.
fn stored<'e>(
    edition: &'e dyn AuthorizedEdition,
    view: View,
    fields: Option<&'e [&'static str]>,
    request: Request<'_>,
) -> Result<Representation<'e>, Failure> {
    let accept = request.list(header::ACCEPT_ENCODING);
    let coding = ContentCoding::negotiate(accept.as_deref(), &edition.codings(view));
    let live_fields = view.has_live_fields().then(|| {
        let has_related = fields.is_none_or(|fields| fields.contains(&"relatedEditions"));
        let related_editions = has_related.then(|| edition.related());
        let live_fields = CatalogueMembers { status: edition.status(), related_editions };
        live_fields.json_prefix()
    });
    let coded = edition.view(view, fields, coding, live_fields)?;
    let mut representation = Representation::view(edition, request, view.media(), coding, coded)?;
    if view.has_live_fields() {
        // Other editions and grants change these members, so no single date applies.
        representation.modified = None;
    }
    Ok(representation)
}
