//! The provisions of an edition that a selection names.

use std::borrow::Cow;

use norma_api::media::{Media, View};
use norma_api::problem::Code;
use norma_api::query::ProvisionsQuery;
use norma_api::shapes::{SelectionHead, SelectionReport, open_list};
use norma_model::{Identifier, Selection};

use crate::access::Access;
use crate::body::Body;
use crate::edition::{ViewItems, VisibleAmendments};
use crate::provisions::{lineage_state, lineages, matching};
use crate::representation::{Representation, head};
use crate::{Failure, Request};

/// The provisions that a selection names and that match the filters.
pub(crate) async fn selection(
    access: &mut Access<'_>,
    id: &Identifier,
    (selection, filters): (&Selection, ProvisionsQuery),
    request: Request<'_>,
) -> Result<Representation, Failure> {
    let edition = access.edition(request.operation, id).await?;

    let index = edition.index().await?;
    let named = selection.resolve(&index.outline)?;
    if named.matched.is_empty() {
        let detail = format!("`{selection}` names nothing in {}.", edition.urn());
        return Err(Failure::new(Code::SelectionNotFound, detail));
    }
    let state = lineage_state(&edition, &filters).await?;

    let canonical = selection.to_string();
    let visible = edition.amendments().await?;
    let amended_state = VisibleAmendments::state_of(visible.as_ref());
    let coding = request.coding();
    let parts = [
        "selection",
        &canonical,
        request.query(),
        state.as_deref().unwrap_or_default(),
        &amended_state,
        coding.name(),
    ];
    let has_lineages = filters.lineage;
    let (read, report, state_then) = (edition.clone(), canonical.clone(), state.clone());
    let body = Body::deferred(async move {
        let found = matching(&read, &filters, &index.outline, named.provisions).await?;
        let selection = SelectionReport {
            canonical: report.into(),
            matched: named.matched.into_iter().map(Cow::Owned).collect(),
            unmatched: named.unmatched.into_iter().map(Cow::Owned).collect(),
        };
        let front = open_list(&SelectionHead { head: head(&read), selection }, "items");
        let amended = read.amended_by_if(visible).await?;
        let lineages = lineages(&read, state_then).await?;
        read.items(View::Provisions, front.into(), ViewItems { indexes: found, lineages, amended }, coding)
            .await
    });
    let arguments = [edition.urn(), &*canonical];
    let mut representation =
        Representation::generated(&edition, request, Media::Json, (&parts, &arguments), body)?;
    if has_lineages || !amended_state.is_empty() {
        // Other editions change lineages and amend, so no single date applies.
        representation.modified = None;
    }
    Ok(representation)
}
