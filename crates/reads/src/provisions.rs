//! The provisions of an edition that filters leave.

use norma_api::media::{Media, View};
use norma_api::query::ProvisionsQuery;
use norma_api::shapes::open_list;
use norma_model::outline::OutlineProvision;
use norma_model::{Identifier, LineageId, Outline};

use crate::access::Access;
use crate::body::Body;
use crate::edition::{AuthorizedEdition, ViewItems, VisibleAmendments};
use crate::failure::replaced_meanwhile;
use crate::representation::{Representation, head};
use crate::word_filter::WordFilter;
use crate::{Failure, Request};

/// The provisions that the filters leave.
pub(crate) async fn provisions(
    access: &mut Access<'_>,
    id: &Identifier,
    filters: ProvisionsQuery,
    request: Request<'_>,
) -> Result<Representation, Failure> {
    let edition = access.edition(request.operation, id).await?;

    let state = lineage_state(&edition, &filters).await?;

    let visible = edition.amendments().await?;
    let amended_state = VisibleAmendments::state_of(visible.as_ref());
    let coding = request.coding();
    let parts =
        ["provisions", request.query(), state.as_deref().unwrap_or_default(), &amended_state, coding.name()];
    let has_lineages = filters.lineage;
    let (read, state_then) = (edition.clone(), state.clone());
    let body = Body::deferred(async move {
        let index = read.index().await?;
        let all = 0..index.outline.provisions.len() as u32;
        let found = matching(&read, &filters, &index.outline, all).await?;
        let lineages = lineages(&read, state_then).await?;
        let amended = read.amended_by_if(visible).await?;
        let front = open_list(&head(&read), "items");
        read.items(View::Provisions, front.into(), ViewItems { indexes: found, lineages, amended }, coding)
            .await
    });
    let mut representation =
        Representation::generated(&edition, request, Media::Json, (&parts, &[edition.urn()]), body)?;
    if has_lineages || !amended_state.is_empty() {
        // Other editions change lineages and amend, so no single date applies.
        representation.modified = None;
    }
    Ok(representation)
}

/// The state of the requested lineages; `None` if none are requested or known.
pub(crate) async fn lineage_state(
    edition: &AuthorizedEdition,
    filters: &ProvisionsQuery,
) -> Result<Option<String>, Failure> {
    if !filters.lineage {
        return Ok(None);
    }
    edition.lineage_state().await
}

/// The lineages in a state.
pub(crate) async fn lineages(
    edition: &AuthorizedEdition,
    state: Option<String>,
) -> Result<Option<Vec<LineageId>>, Failure> {
    let Some(state) = state else { return Ok(None) };
    match edition.lineages().await? {
        Some(found) if found.state == state => Ok(Some(found.ids)),
        _ => Err(replaced_meanwhile("The lineages of the standard changed while they were read; ask again.")),
    }
}

/// The provisions that match the filters: types and norm come from the index, words from the provisions.
pub(crate) async fn matching(
    edition: &AuthorizedEdition,
    filters: &ProvisionsQuery,
    outline: &Outline,
    indexes: impl IntoIterator<Item = u32>,
) -> Result<Vec<u32>, Failure> {
    let mut matching = Vec::new();
    for index in indexes {
        if accepts(filters, &outline.provisions[index as usize]) {
            matching.push(index);
        }
    }
    match WordFilter::new(&filters.q) {
        Some(words) => edition.matching(matching, words).await,
        None => Ok(matching),
    }
}

/// True if the filters accept type and norm of a provision. The words are looked for later, in its text.
fn accepts(filters: &ProvisionsQuery, provision: &OutlineProvision) -> bool {
    if !filters.types.is_empty() && !filters.types.contains(&provision.kind.into()) {
        return false;
    }
    match filters.normative {
        Some(normative) => normative == provision.normative,
        None => true,
    }
}
