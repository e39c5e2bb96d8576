//! Handlers of provisions: filtered, by selection, and one in context.

use std::borrow::Cow;
use std::sync::Arc;

use http::header;
use indexmap::IndexMap;
use norma_api::media::{Media, View};
use norma_api::problem::Code;
use norma_api::query::ProvisionsQuery;
use norma_api::shapes::{SelectionHead, SelectionReport, Summary, ViewHead, open_list};
use norma_model::{Outline, ProvisionId, Selection};
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use crate::representation::{Body, digest, head, parsed};
use crate::{AuthorizedEdition, Context, Failure, Representation, Request, json};

/// The provisions that the filters leave.
pub(crate) fn filtered<'e>(
    edition: &'e dyn AuthorizedEdition,
    filters: &'e ProvisionsQuery,
    request: Request<'_>,
) -> Result<Representation<'e>, Failure> {
    let body = Body::deferred(async move {
        let index = edition.index().await?;
        let all = 0..index.outline().provisions.len() as u32;
        let found = matching(edition, filters, index.outline(), all).await?;
        edition.items(View::Provisions, open_list(&head(edition), "items").into(), found).await
    });
    let inputs = ["provisions", request.query()];
    Representation::generated(edition, request, Media::Json, (&inputs, &[edition.urn()]), body)
}

/// The provisions that a selection names and the filters leave.
pub(crate) async fn selected<'e>(
    edition: &'e dyn AuthorizedEdition,
    selection: &Selection,
    filters: &'e ProvisionsQuery,
    request: Request<'_>,
) -> Result<Representation<'e>, Failure> {
    let index = edition.index().await?;
    let named = selection.resolve(index.outline())?;
    if named.matched.is_empty() {
        let detail = format!("`{selection}` names nothing in {}.", edition.urn());
        return Err(Failure::new(Code::SelectionNotFound, detail));
    }
    let canonical = selection.to_string();
    let report = canonical.clone();
    let body = Body::deferred(async move {
        let found = matching(edition, filters, index.outline(), named.provisions).await?;
        let texts = |items: Vec<String>| items.into_iter().map(Cow::Owned).collect();
        let selection = SelectionReport {
            canonical: report.into(),
            matched: texts(named.matched),
            unmatched: texts(named.unmatched),
        };
        let front = open_list(&SelectionHead { head: head(edition), selection }, "items");
        edition.items(View::Provisions, front.into(), found).await
    });
    let inputs = ["selection", &canonical, request.query()];
    Representation::generated(edition, request, Media::Json, (&inputs, &[edition.urn(), &canonical]), body)
}

/// One provision, at this index of its edition and between these two, with its standard, its section and its lineage.
///
/// # Errors
/// It cannot be read.
pub async fn provision<'e>(
    edition: &'e dyn AuthorizedEdition,
    id: &ProvisionId,
    (index, [previous, next]): (usize, [Option<ProvisionId>; 2]),
    request: Request<'_>,
) -> Result<Representation<'e>, Failure> {
    let lineage = edition.lineage(*id, index).await?.map(|lineage| raw(&lineage)).transpose()?;
    let lineage_state = digest(lineage.as_ref().map_or("", |lineage| lineage.get()).as_bytes());
    let id = id.to_string();
    let wanted = id.clone();
    let body = Body::lazy(async move {
        let Context { provision, section, ancestors } = edition.provision(index).await?;
        // Values stay as they are stored: parsing and writing them again was a tenth of the time (`perf record`).
        let mut members: IndexMap<&str, &RawValue> = parsed(&provision)?;
        if members.get("id").is_none_or(|id| id.get().trim_matches('"') != wanted) {
            // The catalogue was asked for its index after it was asked for the edition.
            let detail = "The standard was replaced while it was read; ask again.";
            return Err(Failure::new(Code::Unavailable, detail).with(header::RETRY_AFTER, "1"));
        }
        let ancestors: Result<_, Failure> = ancestors.iter().map(|one| parsed(one.as_bytes())).collect();
        let section = raw(&Section { ancestors: ancestors?, ..parsed(&section)? })?;
        members.insert("section", &section);
        let [previous, next] = [previous, next].map(|id| id.map(|id| id.to_string()));
        let (head, standard, lineage) = (head(edition), edition.summary(), lineage.as_deref());
        json(&InContext { head, members, standard, previous, next, lineage })
    });
    let Summary { status, access, updated_at, .. } = edition.summary();
    let live_fields = format!("{status} {access} {updated_at}");
    let inputs = (&["provision", &id, &live_fields, &lineage_state][..], &[&*id][..]);
    let mut representation = Representation::generated(edition, request, Media::Json, inputs, body)?;
    // Other editions and grants change the lineage; no one date tells when.
    representation.modified = None;
    Ok(representation)
}

/// The JSON of a shape, which becomes a part of other JSON as it is.
fn raw(shape: &impl Serialize) -> Result<Box<RawValue>, Failure> {
    to_raw_value(shape).map_err(|error| Failure::internal(&error))
}

/// A section of the content as a [`SectionInContext`](norma_api::shapes::SectionInContext); the markup, which is most of one, is
/// passed over.
#[derive(Serialize, Deserialize)]
struct Section<'a> {
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
    #[serde(skip_deserializing)]
    ancestors: Vec<&'a RawValue>,
    text: &'a RawValue,
}

/// A [`ProvisionInContext`](norma_api::shapes::ProvisionInContext).
#[derive(Serialize)]
struct InContext<'a> {
    #[serde(flatten)]
    head: ViewHead<'a>,
    /// Those of the stored provision.
    #[serde(flatten)]
    members: IndexMap<&'a str, &'a RawValue>,
    standard: Summary<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    previous: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lineage: Option<&'a RawValue>,
}

/// The provisions that the filters leave: types and norm come from the index, words from the provisions.
async fn matching(
    edition: &dyn AuthorizedEdition,
    filters: &ProvisionsQuery,
    outline: &Outline,
    indexes: impl IntoIterator<Item = u32>,
) -> Result<Vec<u32>, Failure> {
    #[derive(Deserialize)]
    struct Text<'a> {
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
        serde_json::from_slice::<Text<'_>>(provision).is_ok_and(|Text { text }| {
            let text = text.to_lowercase();
            queries.iter().any(|words| words.split_whitespace().all(|word| text.contains(word)))
        })
    };
    edition.matching(indexes, Arc::new(has_words)).await
}
