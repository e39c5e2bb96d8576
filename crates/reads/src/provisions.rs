//! Handlers of provisions: filtered, by selection, and one in context.

use std::borrow::Cow;
use std::sync::Arc;

use http::header;
use indexmap::IndexMap;
use norma_api::media::{Media, View};
use norma_api::problem::Code;
use norma_api::query::ProvisionsQuery;
use norma_api::shapes::{Lineage, SelectionHead, SelectionReport, StandardSummary, ViewHead, open_list};
use norma_model::{LineageId, Outline, ProvisionId, Selection};
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use crate::representation::{Body, head, parsed};
use crate::{AuthorizedEdition, Failure, ProvisionContext, Representation, Request, json};

/// The provisions that the filters leave.
pub(crate) async fn filtered<'e>(
    edition: &'e dyn AuthorizedEdition,
    filters: &'e ProvisionsQuery,
    request: Request<'_>,
) -> Result<Representation<'e>, Failure> {
    let state = lineage_state(edition, filters).await?;
    let coding = request.coding();
    let inputs = ["provisions", request.query(), &state.clone().unwrap_or_default(), coding.name()];
    let arguments = &[edition.urn()];
    let body = Body::deferred(async move {
        let index = edition.index().await?;
        let all = 0..index.outline().provisions.len() as u32;
        let found = matching(edition, filters, index.outline(), all).await?;
        let lineages = lineages(edition, state).await?;
        let front = open_list(&head(edition), "items");
        edition.items(View::Provisions, front.into(), (found, lineages), coding).await
    });
    let mut representation =
        Representation::generated(edition, request, Media::Json, (&inputs, arguments), body)?;
    undated(&mut representation, filters);
    Ok(representation)
}

/// The state of the requested lineages; `None` if none are requested or known.
async fn lineage_state(
    edition: &dyn AuthorizedEdition,
    filters: &ProvisionsQuery,
) -> Result<Option<String>, Failure> {
    match filters.lineage {
        true => edition.lineage_state().await,
        false => Ok(None),
    }
}

/// The lineages in a state.
async fn lineages(
    edition: &dyn AuthorizedEdition,
    state: Option<String>,
) -> Result<Option<Vec<LineageId>>, Failure> {
    let Some(state) = state else { return Ok(None) };
    match edition.lineages().await? {
        Some(found) if found.state == state => Ok(Some(found.ids)),
        _ => Err(replaced_meanwhile("The lineages of the standard changed while they were read; ask again.")),
    }
}

/// Removes the date: other editions change lineages, so no single date applies.
fn undated(representation: &mut Representation<'_>, filters: &ProvisionsQuery) {
    if filters.lineage {
        representation.modified = None;
    }
}

fn replaced_meanwhile(detail: &'static str) -> Failure {
    Failure::new(Code::Unavailable, detail).with(header::RETRY_AFTER, "1")
}

/// The provisions that a selection names and that match the filters.
pub(crate) async fn selected<'e>(
    edition: &'e dyn AuthorizedEdition,
    selection: &Selection,
    filters: &'e ProvisionsQuery,
    request: Request<'_>,
) -> Result<Representation<'e>, Failure> {
    let index = edition.index().await?;
    if selection.names_figures() && index.outline().figures().is_none() {
        return Err(Failure::before_rebuild("figures can be selected"));
    }
    let named = selection.resolve(index.outline())?;
    if named.matched.is_empty() {
        let detail = format!("`{selection}` names nothing in {}.", edition.urn());
        return Err(Failure::new(Code::SelectionNotFound, detail));
    }
    let canonical = selection.to_string();
    let report = canonical.clone();
    let state = lineage_state(edition, filters).await?;
    let coding = request.coding();
    let state_name = state.clone().unwrap_or_default();
    let inputs = ["selection", &canonical, request.query(), &state_name, coding.name()];
    let body = Body::deferred(async move {
        let found = matching(edition, filters, index.outline(), named.provisions).await?;
        let texts = |items: Vec<String>| items.into_iter().map(Cow::Owned).collect();
        let selection = SelectionReport {
            canonical: report.into(),
            matched: texts(named.matched),
            unmatched: texts(named.unmatched),
        };
        let front = open_list(&SelectionHead { head: head(edition), selection }, "items");
        let lineages = lineages(edition, state).await?;
        edition.items(View::Provisions, front.into(), (found, lineages), coding).await
    });
    let arguments = &[edition.urn(), &canonical];
    let mut representation =
        Representation::generated(edition, request, Media::Json, (&inputs, arguments), body)?;
    undated(&mut representation, filters);
    Ok(representation)
}

/// One provision, at this index of its edition and between these two, with its standard, its section and its
/// lineage.
///
/// # Errors
/// It cannot be read.
pub async fn provision<'e>(
    edition: &'e dyn AuthorizedEdition,
    id: &ProvisionId,
    (index, [previous, next]): (usize, [Option<ProvisionId>; 2]),
    request: Request<'_>,
) -> Result<Representation<'e>, Failure> {
    let lineage = edition.lineage(*id, index).await?;
    let lineage_state = lineage.as_ref().map_or_else(String::new, |lineage| lineage.state());
    let id = id.to_string();
    let wanted = id.clone();
    let body = Body::lazy(async move {
        let ProvisionContext { provision, section, ancestors, lineage } =
            edition.provision(index, lineage.as_deref()).await?;
        // Values stay as they are stored: parsing and writing them again was a tenth of the time
        // (`perf record`).
        let members: IndexMap<&str, &RawValue> = parsed(&provision)?;
        if members.get("id").is_none_or(|id| id.get().trim_matches('"') != wanted) {
            // The catalogue was asked for its index after it was asked for the edition.
            return Err(replaced_meanwhile("The standard was replaced while it was read; ask again."));
        }
        let ancestors: Result<_, Failure> = ancestors.iter().map(|one| parsed(one.as_bytes())).collect();
        let section = raw(&SectionOfContent { ancestors: ancestors?, ..parsed(&section)? })?;
        let [previous_id, next_id] = [previous, next].map(|id| id.map(|id| id.to_string()));
        let (head, standard) = (head(edition), edition.summary());
        json(&InContext { head, members, standard, section_context: &section, previous_id, next_id, lineage })
    });
    let StandardSummary { status, access, updated_at, .. } = edition.summary();
    let live_fields = format!("{status} {access} {updated_at}");
    let inputs = (&["provision", &id, &live_fields, &lineage_state][..], &[&*id][..]);
    let mut representation = Representation::generated(edition, request, Media::Json, inputs, body)?;
    // Other editions and grants change the lineage, so no single date applies.
    representation.modified = None;
    if !request.head.uri.path().ends_with(&*id) {
        representation.set(header::CONTENT_LOCATION, &request.operation.path_with(&[&id]))?;
    }
    Ok(representation)
}

/// The JSON of a shape, to be included in other JSON as it is.
fn raw(shape: &impl Serialize) -> Result<Box<RawValue>, Failure> {
    to_raw_value(shape).map_err(|error| Failure::internal(&error))
}

/// A section of the content as a [`SectionContext`](norma_api::shapes::SectionContext), without the markup,
/// which is most of it.
#[derive(Serialize, Deserialize)]
struct SectionOfContent<'a> {
    #[serde(borrow)]
    id: &'a RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a RawValue>,
    #[serde(rename = "type")]
    kind: &'a RawValue,
    /// Not in packs of 0.2 that were not rebuilt.
    #[serde(skip_serializing_if = "Option::is_none")]
    normative: Option<&'a RawValue>,
    #[serde(skip_deserializing)]
    ancestors: Vec<&'a RawValue>,
    text: &'a RawValue,
}

/// A [`ProvisionInContext`](norma_api::shapes::ProvisionInContext).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct InContext<'a> {
    #[serde(flatten)]
    head: ViewHead<'a>,
    /// The members of the stored provision.
    #[serde(flatten)]
    members: IndexMap<&'a str, &'a RawValue>,
    standard: StandardSummary<'a>,
    section_context: &'a RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    previous_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lineage: Option<Lineage<'static>>,
}

/// The provisions that match the filters: types and norm come from the index, words from the provisions.
async fn matching(
    edition: &dyn AuthorizedEdition,
    filters: &ProvisionsQuery,
    outline: &Outline,
    indexes: impl IntoIterator<Item = u32>,
) -> Result<Vec<u32>, Failure> {
    #[derive(Deserialize)]
    struct SearchedText<'a> {
        #[serde(borrow)]
        text: Cow<'a, str>,
    }
    let fits = |index: &u32| {
        let provision = &outline.provisions[*index as usize];
        let typed = filters.types.is_empty() || filters.types.contains(&provision.kind.into());
        typed && filters.normative.is_none_or(|normative| normative == provision.normative)
    };
    let indexes: Vec<u32> = indexes.into_iter().filter(fits).collect();
    let queries: Vec<String> = filters.q.iter().map(|q| q.to_lowercase()).collect();
    if queries.is_empty() {
        return Ok(indexes);
    }
    let has_words = move |provision: &[u8]| {
        serde_json::from_slice::<SearchedText<'_>>(provision).is_ok_and(|SearchedText { text }| {
            let text = text.to_lowercase();
            queries.iter().any(|words| words.split_whitespace().all(|word| text.contains(word)))
        })
    };
    edition.matching(indexes, Arc::new(has_words)).await
}
