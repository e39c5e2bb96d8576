//! Sections of the content of an edition, as JSON or as plain text.

use norma_api::media::View;
use norma_api::problem::Code;
use norma_api::shapes::open_list;
use norma_model::Identifier;

use crate::access::Access;
use crate::body::Body;
use crate::edition::{ViewItems, VisibleAmendments};
use crate::representation::{Representation, head};
use crate::sections::find_sections;
use crate::{Failure, Request};

/// The sections that `section` names and their subsections, cut out of a view of the content.
pub(crate) async fn content(
    access: &mut Access<'_>,
    id: &Identifier,
    (view, section): (View, &str),
    request: Request<'_>,
) -> Result<Representation, Failure> {
    let edition = access.edition(request.operation, id).await?;

    let index = edition.index().await?;
    let mut indexes = Vec::new();
    for sections in find_sections(&index.outline, section) {
        indexes.extend(sections.map(|index| u32::try_from(index).unwrap_or(u32::MAX)));
    }
    if indexes.is_empty() {
        let detail = format!("{} has no section `{section}`.", edition.urn());
        return Err(Failure::new(Code::SectionNotFound, detail));
    }

    let visible = match view {
        View::ContentText => None,
        _ => edition.amendments().await?,
    };
    let amended_state = VisibleAmendments::state_of(visible.as_ref());
    let coding = request.coding();
    let read = edition.clone();
    let body = Body::deferred(async move {
        let amended = read.amended_by_if(visible).await?;
        // As in the text of the whole standard, a blank line follows each section.
        let front = if view == View::ContentText { vec![] } else { open_list(&head(&read), "sections") };
        read.items(view, front.into(), ViewItems { indexes, lineages: None, amended }, coding).await
    });
    let parts = [view.name(), section, &amended_state, coding.name()];
    let mut representation =
        Representation::generated(&edition, request, view.media(), (&parts, &[edition.urn()]), body)?;
    if !amended_state.is_empty() {
        // Amendments and grants come and go, so no single date applies.
        representation.modified = None;
    }
    Ok(representation)
}
