//! The access step: from a bearer token to a caller, and from a caller and a call to the parts of the store
//! that they may use. No handler has another way to an edition: [`Authorized`](edition::Authorized) is made
//! in this module only.

mod ticket;
mod token;

use std::sync::Arc;

use axum::http::header;
use axum::http::request::Parts;
use norma_api::Operation;
use norma_api::paths::{Caching, Requirement};
use norma_api::problem::Code;
use norma_api::quality::parse_quality_list;
use norma_api::query::{ComparisonQuery, ListQuery};
use norma_api::shapes::Lineage;
use norma_audit::AuditedStandard;
use norma_model::lineage::Asked;
use norma_model::{Digest, Identifier, Lang, ProvisionId, Urn};
use norma_reads::{
    Authorized, Call, EditionPair, Failure, GrantedCatalogue, GrantedSearch, Migration, RequestServices,
    RequestedPart, ServiceDocument, failed, labelled, list_of, nothing_here, provision_not_found, unlicensed,
};
use norma_store::{
    CatalogueView, Former, GrantedEdition, Level, Lookup, ProvisionPosition, TurnClient, Viewer,
};

use super::context::{RequestContext, Standards};
use crate::state::Shared;
use ticket::{Signer, Ticket};
pub(super) use token::{AcceptedCaller, authenticate};

/// The values that a caller may use, as a handler gets them.
pub(super) enum Granted<'s> {
    /// The list of standards that they may see.
    List(GrantedCatalogue<'s>, ListQuery),
    /// What a search found.
    Search(Box<GrantedSearch>),
    /// Part of an edition.
    Edition(Authorized, RequestedPart),
    /// One provision, at a place of its edition.
    Provision(Authorized, ProvisionId, ProvisionPosition),
    /// The comparison of two editions.
    Comparison(EditionPair<'s>, ComparisonQuery),
    /// The counterparts of ids in an edition, or of labels of another.
    Migrate(Migration<'s>),
    /// URLs of the assets of an edition.
    Resolve(Authorized, Signer),
    /// The bytes of an asset, for this number of seconds.
    Asset(Authorized, Digest, i64),
    /// The limits in force.
    Limits,
    /// A document about the service.
    Document(ServiceDocument),
}

impl Granted<'_> {
    /// How the answer may be cached, where its operation allows this.
    pub(super) fn caching(&self, allowed: Caching) -> Caching {
        match self {
            Granted::Search(found) if !found.is_complete() => Caching::Never,
            _ => allowed,
        }
    }
}

/// Authorizes a call: gives its values if the caller may use them at the level that the operation needs.
///
/// # Errors
/// It is not there, or the caller may not see or read it.
pub(super) async fn authorize<'s>(
    shared: &'s Arc<Shared>,
    context: &mut RequestContext,
    caller: Option<AcceptedCaller>,
    (operation, call): (Operation, Call),
    request: &Parts,
) -> Result<Granted<'s>, Failure> {
    let signed = match call {
        Call::Document(document) => return Ok(Granted::Document(document)),
        Call::Asset(signed) => signed,
        call => {
            let caller = caller
                .ok_or_else(|| Failure::new(Code::TokenMissing, "This operation needs an access token."))?;
            return authorize_caller(shared, context, &caller, (operation, call), request).await;
        }
    };
    authorize_ticket(shared, context, &signed).await
}

/// Authorizes a caller with a token.
async fn authorize_caller<'s>(
    shared: &'s Arc<Shared>,
    context: &mut RequestContext,
    caller: &AcceptedCaller,
    (operation, call): (Operation, Call),
    request: &Parts,
) -> Result<Granted<'s>, Failure> {
    let viewer = caller.viewer();
    let view = view_for(shared, &viewer).await?;
    let level = required_level(operation, &call);
    let services = &services(shared, context, &viewer);
    let find = async |id: &Identifier| {
        view.find(id, &languages(request)).await.map_err(failed)?.ok_or_else(standard_not_found)
    };
    let edition = async |name: &mut Option<AuditedStandard>, id: &Identifier| {
        let granted = require_level(name, find(id).await?, level)?;
        let exact = is_exact(id, &granted);
        Ok::<_, Failure>(Authorized::new(granted, exact, services))
    };
    let Standards { standard, other, is_search, found } = &mut context.standards;
    Ok(match call {
        Call::Limits => Granted::Limits,
        Call::Edition(id, part) => Granted::Edition(edition(standard, &id).await?, part),
        Call::Resolve(id) => {
            let edition = edition(standard, &id).await?;
            Granted::Resolve(edition, Signer::new(shared, viewer).await?)
        }
        Call::Provision(asked) => {
            let (found, id, position) = provision(&view, &asked, services).await?;
            let granted = require_level(standard, found, level)?;
            Granted::Provision(Authorized::new(granted, true, services), id, position)
        }
        Call::Comparison(id, with, query) => {
            // Both are looked for before anything is said of either.
            let (first, second) = (find(&id).await?, find(&with).await?);
            let (first, second) =
                (require_level(standard, first, level)?, require_level(other, second, level)?);
            let exact = is_exact(&id, &first) && is_exact(&with, &second);
            Granted::Comparison(
                EditionPair::new(&shared.reads, (first, second), exact, &query, services).await?,
                query,
            )
        }
        Call::Migrate(id, from, texts) => {
            let migrated_to = edition(standard, &id).await?;
            let from = match from {
                Some(from) => Some(Box::new(edition(other, &from).await?)),
                None => None,
            };
            Granted::Migrate(Migration::new(&shared.reads, migrated_to, from, texts).await?)
        }
        Call::Search(query) => {
            let searched = GrantedSearch::find(&shared.reads, &view, query, services).await?;
            (*is_search, *found) = (true, searched.audited());
            Granted::Search(Box::new(searched))
        }
        Call::List(query) => Granted::List(GrantedCatalogue::new(view, services.trace.clone()), query),
        Call::Document(_) | Call::Asset(_) => return Err(nothing_here()),
    })
}

/// The published provision for an id of a provision or lineage.
///
/// # Errors
/// There is none that the caller may see. To a caller who may know of it, the answer says what became of one
/// that was published.
async fn provision(
    view: &CatalogueView<'_>,
    asked: &Asked,
    services: &RequestServices,
) -> Result<(Lookup, ProvisionId, ProvisionPosition), Failure> {
    if let Asked::Provision(id) = asked
        && let Some((found, position)) = view.provision(id).await.map_err(failed)?
    {
        return Ok((found, *id, position));
    }
    let resolved = view.resolve(asked).await.map_err(failed)?.ok_or_else(provision_not_found)?;
    let stored = view.partition(&resolved).await.map_err(failed)?;
    let partition = services.slots.run_sized(stored.size(), move || stored.decode()).await.map_err(failed)?;
    let document = resolved.document().to_owned();
    let id = match asked {
        Asked::Provision(id) => id,
        Asked::Lineage(_) => {
            let newest = view.newest(resolved, partition).await.map_err(failed)?;
            return newest.ok_or_else(provision_not_found);
        }
    };
    let former = view.former(resolved, partition, norma_compare::VERSION).await.map_err(failed)?;
    if matches!(former, Some(Former::Pending | Former::Replaced { lineage: None, .. })) {
        services.lineages.request(&document);
    }
    Err(match former {
        Some(Former::Replaced { successors, lineage }) => {
            let named: Vec<String> = successors.iter().map(|one| one.id.to_string()).collect();
            let detail = format!("{id} is {} now.", named.join(", "));
            let related = labelled(&successors, services).await?;
            let lineage = lineage.map(|id| Lineage::of_id(id.to_string()));
            Failure::new(Code::ProvisionReplaced, detail).replaced_by(related, lineage)
        }
        Some(Former::Gone) => {
            Failure::new(Code::ProvisionGone, format!("{id} was published; no provision carries it on."))
        }
        Some(Former::Pending) => {
            let detail = "The editions of this provision are being compared; ask again.";
            Failure::new(Code::Unavailable, detail).with(header::RETRY_AFTER, "1")
        }
        None => provision_not_found(),
    })
}

/// The services for editions that answer this request.
fn services(shared: &Shared, context: &mut RequestContext, viewer: &Viewer) -> RequestServices {
    RequestServices {
        memory: context.memory(&shared.reads.in_flight),
        lineages: shared.reads.lineages.clone(),
        slots: shared.reads.slots.of_client(client(viewer.tenant(), viewer.client())),
        trace: context.trace.clone(),
    }
}

/// A client for turns with others.
pub(super) fn client(tenant: &str, name: &str) -> TurnClient {
    TurnClient { tenant: tenant.into(), name: name.into() }
}

/// The store as a viewer may see it.
async fn view_for<'s>(shared: &'s Shared, viewer: &Viewer) -> Result<CatalogueView<'s>, Failure> {
    let view = shared.store.view_for(viewer).await.map_err(failed)?;
    // A task reports suspensions to the verifier, and may lag if the database stalled.
    if view.is_suspended() {
        return Err(Failure::new(Code::CallerSuspended, "This tenant or client is suspended."));
    }
    Ok(view)
}

/// Whether a request names an edition by its canonical URN.
fn is_exact(id: &Identifier, granted: &GrantedEdition) -> bool {
    matches!(id, Identifier::Urn(urn) if *urn == granted.entry().summary.urn)
}

/// The found edition, if the caller may use it at this level. `name` is what the audit will say.
fn require_level(
    name: &mut Option<AuditedStandard>,
    found: Lookup,
    level: Level,
) -> Result<GrantedEdition, Failure> {
    let granted = match found {
        Lookup::Edition(granted) => granted,
        Lookup::Recalled { urn, reason: _ } => {
            *name = Some(AuditedStandard { urn: urn.as_str().into(), only_discovered: false });
            return Err(Failure::new(Code::StandardRecalled, format!("{urn} has been recalled.")));
        }
    };
    let urn = &granted.entry().summary.urn;
    let only_discovered = granted.level() == Level::Discover;
    *name = Some(AuditedStandard { urn: urn.as_str().into(), only_discovered });
    if granted.level() < level {
        return Err(unlicensed(urn));
    }
    Ok(granted)
}

/// The level that a call of an operation needs for its edition.
fn required_level(operation: Operation, call: &Call) -> Level {
    match operation.describe().requirement {
        Requirement::Read if is_discoverable(operation, call) => Level::Discover,
        // Whether one of the two may be read is decided where both are known: `EditionPair::new`.
        Requirement::Discover | Requirement::ReadEither => Level::Discover,
        Requirement::Open | Requirement::SignedUrl | Requirement::Token | Requirement::Read => Level::Read,
    }
}

/// Whether a call asks only for members of an answer that the table of operations opens at level `discover`.
fn is_discoverable(operation: Operation, call: &Call) -> bool {
    let Call::Edition(_, RequestedPart::Fields(_, fields)) = call else { return false };
    fields.iter().all(|field| operation.describe().discoverable.contains(field))
}

/// Authorizes a signed URL: we signed it, it has not expired, its caller is not suspended and may still read
/// the edition. Grants and recalls may have changed since it was signed.
async fn authorize_ticket<'s>(
    shared: &'s Arc<Shared>,
    context: &mut RequestContext,
    signed: &str,
) -> Result<Granted<'s>, Failure> {
    let now = shared.now();
    let policy = shared.store.policy().await.map_err(failed)?;
    let ticket = Ticket::open(signed, &policy.signing_keys)
        .ok_or_else(|| Failure::new(Code::AssetUrlInvalid, "The signature does not fit this URL."))?;
    let viewer = ticket.viewer(now);
    let Ticket { urn, digest, tenant, client, expires } = ticket;
    context.caller = Some((tenant, client));
    context.standards.standard = Some(AuditedStandard { urn: urn.as_str().into(), only_discovered: false });
    if expires <= now.as_second() {
        let detail = "This URL has expired; resolve the reference again.";
        return Err(Failure::new(Code::AssetUrlExpired, detail));
    }
    let urn: Urn = urn.parse().map_err(|error| Failure::internal(&error))?;
    let found = view_for(shared, &viewer).await?.find(&Identifier::Urn(urn), &[]).await.map_err(failed)?;
    match found {
        Some(Lookup::Edition(granted)) if granted.level() >= Level::Read => {
            let edition = Authorized::new(granted, true, &services(shared, context, &viewer));
            Ok(Granted::Asset(edition, Digest::from_bytes(digest), expires - now.as_second()))
        }
        Some(Lookup::Recalled { .. }) => {
            let detail = "The standard of this asset has been recalled.";
            Err(Failure::new(Code::StandardRecalled, detail))
        }
        _ => Err(Failure::new(Code::AssetUrlInvalid, "This URL is no longer valid.")),
    }
}

/// The failure for a standard that does not exist or that the caller may not see; both are the same.
fn standard_not_found() -> Failure {
    Failure::new(Code::StandardNotFound, "There is no standard with this identifier that you may see.")
}

/// The languages of `Accept-Language`, the preferred one first, without refused ones and `*`.
fn languages(request: &Parts) -> Vec<Lang> {
    let accept = list_of(&request.headers, header::ACCEPT_LANGUAGE).unwrap_or_default();
    let mut ranges: Vec<_> = parse_quality_list(&accept).filter(|range| range.quality > 0).collect();
    ranges.sort_by_key(|range| std::cmp::Reverse(range.quality));
    ranges.iter().filter_map(|range| range.value.parse().ok()).collect()
}

#[cfg(test)]
mod tests;
