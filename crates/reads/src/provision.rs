//! One provision in context: with its standard, its section and its lineage.

use http::header;
use indexmap::IndexMap;
use norma_api::media::Media;
use norma_api::shapes::{Amendment, Lineage, StandardSummary, ViewHead};
use norma_model::ProvisionId;
use norma_model::lineage::Asked;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use crate::access::{Access, LocatedProvision, ProvisionLookup, ReplacedProvision};
use crate::body::Body;
use crate::edition::{AmendedItem, AuthorizedEdition, ProvisionContext, VisibleAmendments};
use crate::failure::replaced_meanwhile;
use crate::json::{json, parsed};
use crate::migrate::change_of_retired;
use crate::representation::{Representation, head};
use crate::{Failure, Request};

/// One provision, by its id or that of its lineage.
pub(crate) async fn provision(
    access: &mut Access<'_>,
    asked: &Asked,
    request: Request<'_>,
) -> Result<Representation, Failure> {
    let LocatedProvision { edition, id, position } = match access.provision(request.operation, asked).await? {
        ProvisionLookup::Published(located) => located,
        ProvisionLookup::Replaced(replaced) => return Err(with_change(access, *replaced).await),
    };

    let lineage = edition.lineage(id, position.index).await?;
    let lineage_state = lineage.as_ref().map_or_else(String::new, |lineage| lineage.state());

    let StandardSummary { status, access: level, updated_at, .. } = edition.summary();
    let live_members = format!("{status} {level} {updated_at}");
    let id = id.to_string();
    let visible = edition.amendments().await?;
    let amended_state = VisibleAmendments::state_of(visible.as_ref());
    let parts = ["provision", &id, &live_members, &lineage_state, &amended_state];
    let (read, wanted) = (edition.clone(), id.clone());
    let body = Body::lazy(async move {
        let index = u32::try_from(position.index).unwrap_or(u32::MAX);
        let amended = read.amended_by_if(visible).await?.of(AmendedItem::Provision(index));
        let context = read.provision(position.index, lineage.as_ref()).await?;
        shape(&read, &wanted, (context, amended), [position.previous, position.next])
    });
    let mut representation =
        Representation::generated(&edition, request, Media::Json, (&parts, &[&*id]), body)?;
    // Other editions and grants change the lineage, so no single date applies.
    representation.modified = None;
    if !request.head.uri.path().ends_with(&*id) {
        representation.set(header::CONTENT_LOCATION, &request.operation.path_with(&[&id]))?;
    }
    Ok(representation)
}

/// The failure for a provision that others carry on, with what changed where its revision is retained and
/// can be read.
async fn with_change(access: &mut Access<'_>, replaced: ReplacedProvision) -> Failure {
    let ReplacedProvision { failure, retired, edition } = replaced;
    match change_of_retired(access, &edition, &retired).await {
        Ok(Some((relation, changed))) => failure.with_change(relation, changed),
        Ok(None) => failure,
        // The successors are an answer without it.
        Err(error) => {
            tracing::debug!(cause = error.detail(), "the change of a former provision cannot be read");
            failure
        }
    }
}

/// The JSON of a provision with this id and of what is around it.
fn shape(
    edition: &AuthorizedEdition,
    id: &str,
    (context, amended_by): (ProvisionContext, Vec<Amendment<'static>>),
    neighbours: [Option<ProvisionId>; 2],
) -> Result<bytes::Bytes, Failure> {
    let ProvisionContext { provision, section, ancestors, lineage } = context;
    // Values stay as they are stored: parsing and writing them again was a tenth of the time (`perf record`).
    let members: IndexMap<&str, &RawValue> = parsed(&provision)?;
    let own_id = members.get("id").map(|own| own.get().trim_matches('"'));
    if own_id != Some(id) {
        // The catalogue was asked for its index after it was asked for the edition.
        return Err(replaced_meanwhile("The standard was replaced while it was read; ask again."));
    }
    let mut names = Vec::with_capacity(ancestors.len());
    for ancestor in &ancestors {
        names.push(parsed(ancestor.as_bytes())?);
    }
    let section = raw(&SectionOfContent { ancestors: names, ..parsed(&section)? })?;
    let [previous_id, next_id] = neighbours.map(|id| id.map(|id| id.to_string()));
    let (head, standard) = (head(edition), edition.summary());
    json(&InContext {
        head,
        amended_by,
        members,
        standard,
        section_context: &section,
        previous_id,
        next_id,
        lineage,
    })
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
    normative: &'a RawValue,
    #[serde(skip_deserializing)]
    ancestors: Vec<&'a RawValue>,
    text: &'a RawValue,
}

/// The members of a [`ProvisionInContext`](norma_api::shapes::ProvisionInContext), of which those of the
/// provision stay as they are stored.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct InContext<'a> {
    #[serde(flatten)]
    head: ViewHead<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    amended_by: Vec<Amendment<'static>>,
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
