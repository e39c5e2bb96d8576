//! Access: the one place that looks editions up. Each operation gets its editions by one call of this module,
//! at the level that the table of operations names.
//!
//! The store shows a caller the catalogue as they may see it. [`Access`] keeps this view to itself, so an
//! operation has no other way to an edition; and an edition that it gives reads no more than its level
//! allows.

mod changes;
mod citation;
mod document;
mod pair;
mod provision;

use std::collections::HashMap;
use std::sync::Arc;

use http::header;
use norma_api::Operation;
use norma_api::paths::Requirement;
use norma_api::problem::Code;
use norma_api::quality::parse_quality_list;
use norma_api::shapes::Amendment;
use norma_audit::AuditedStandard;
use norma_editions::search::FoundEdition;
use norma_model::{Identifier, Lang, Urn};
use norma_store::{
    CatalogueView, GrantedEdition, Level, ListPage, Lookup, OperatorNotice, PageKey, Query,
    SearchableEditions, SigningKey, StoreError, TurnClient,
};
use norma_traces::{Step, Trace};

pub(crate) use self::citation::{CitedEditionLookup, EditionOfCitation, audited};
pub(crate) use self::pair::{GrantedPair, named_revision};
pub(crate) use self::provision::{LocatedProvision, ProvisionLookup, ReplacedProvision};
use crate::edition::AuthorizedEdition;
use crate::failed::{failed, unlicensed};
use crate::in_flight::RequestMemory;
use crate::services::{ReadState, RequestServices};
use crate::{Failure, list_of, summary};

/// The catalogue as the caller of one request may use it.
pub struct Access<'r> {
    view: CatalogueView<'r>,
    /// The caller's languages, the preferred one first.
    languages: Vec<Lang>,
    services: RequestServices,
    /// The standards whose content is requested, for the audit.
    standards: &'r mut RequestedStandards,
    /// The step of the trace, until the caller is authorized.
    authorizing: Option<Step>,
}

/// The standards whose content was requested, if the caller may see them.
#[derive(Clone, Default)]
pub struct RequestedStandards {
    /// The one that the path names.
    pub standard: Option<AuditedStandard>,
    /// The one that a parameter names.
    pub other: Option<AuditedStandard>,
    /// The request is a search, which may have found nothing.
    pub is_search: bool,
    /// Those that a search or the resolution of citations shows.
    pub found: Vec<AuditedStandard>,
}

impl<'r> Access<'r> {
    /// What a caller may use of the catalogue, by their view of it. `authorizing` is the step of the trace
    /// that ends when the first call of this module does.
    pub fn new(
        view: CatalogueView<'r>,
        (shared, client): (&Arc<ReadState>, TurnClient),
        (memory, trace): (RequestMemory, Trace),
        head: &http::request::Parts,
        (standards, authorizing): (&'r mut RequestedStandards, Step),
    ) -> Self {
        let slots = shared.slots.of_client(client);
        let services = RequestServices { shared: Arc::clone(shared), memory, slots, trace };
        Self { view, languages: languages(head), services, standards, authorizing: Some(authorizing) }
    }

    /// The services of the request.
    pub(crate) fn services(&self) -> &RequestServices {
        &self.services
    }

    /// The edition that an identifier means, at the level that the operation needs.
    ///
    /// # Errors
    /// There is none that the caller may see; it was recalled; or the level of the caller is too low.
    pub(crate) async fn edition(
        &mut self,
        operation: Operation,
        id: &Identifier,
    ) -> Result<Arc<AuthorizedEdition>, Failure> {
        let _authorizing = self.authorizing.take();
        let found = self.find(id).await?;
        self.require(found, id, required_level(operation))
    }

    /// The edition that an identifier means, for these members of the answer of an operation: the table of
    /// operations opens some of them at level `discover`.
    ///
    /// # Errors
    /// As of [`edition`](Self::edition).
    pub(crate) async fn edition_for_members(
        &mut self,
        operation: Operation,
        id: &Identifier,
        members: &[&'static str],
    ) -> Result<Arc<AuthorizedEdition>, Failure> {
        let _authorizing = self.authorizing.take();
        let discoverable = operation.describe().discoverable;
        let level = if members.iter().all(|member| discoverable.contains(member)) {
            Level::Discover
        } else {
            required_level(operation)
        };
        let found = self.find(id).await?;
        self.require(found, id, level)
    }

    /// The edition that ids are followed into, and the one that labels are taken from, where it is named.
    ///
    /// # Errors
    /// As of [`edition`](Self::edition), for either.
    pub(crate) async fn editions_of_migration(
        &mut self,
        operation: Operation,
        id: &Identifier,
        from: Option<&Identifier>,
    ) -> Result<(Arc<AuthorizedEdition>, Option<Arc<AuthorizedEdition>>), Failure> {
        let _authorizing = self.authorizing.take();
        let level = required_level(operation);
        let found = self.find(id).await?;
        let edition = self.require(found, id, level)?;
        let Some(from) = from else { return Ok((edition, None)) };
        let found = self.find(from).await?;
        let granted = require_level(&mut self.standards.other, found, level)?;
        let is_exact = is_exact(from, &granted);
        Ok((edition, Some(AuthorizedEdition::new(granted, is_exact, &self.services))))
    }

    /// The edition of an asset whose signed URL names it by its URN. Grants and recalls may have changed
    /// since the URL was signed.
    ///
    /// # Errors
    /// The edition was recalled, or the caller of that time may no longer read it.
    pub(crate) async fn edition_of_asset(&mut self, urn: Urn) -> Result<Arc<AuthorizedEdition>, Failure> {
        let _authorizing = self.authorizing.take();
        match self.view.find(&Identifier::Urn(urn), &[]).await.map_err(failed)? {
            Some(Lookup::Edition(granted)) if granted.level() >= Level::Read => {
                Ok(AuthorizedEdition::new(granted, true, &self.services))
            }
            Some(Lookup::Recalled { .. }) => {
                let detail = "The standard of this asset has been recalled.";
                Err(Failure::new(Code::StandardRecalled, detail))
            }
            _ => Err(Failure::new(Code::AssetUrlInvalid, "This URL is no longer valid.")),
        }
    }

    /// A page of the list of editions that the caller may see.
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) async fn page(
        &mut self,
        query: &Query,
        after: Option<&PageKey>,
        limit: u32,
    ) -> Result<ListPage, StoreError> {
        // The view itself is of what the caller may see.
        self.authorizing.take();
        let _step = self.services.trace.step("read");
        self.view.list(query, after, limit).await
    }

    /// The amendments of an edition of the list that the caller may see, by name.
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) async fn named_amendments(&self, urn: &Urn) -> Result<Vec<Amendment<'static>>, Failure> {
        match self.view.find(&Identifier::Urn(urn.clone()), &[]).await.map_err(failed)? {
            Some(Lookup::Edition(granted)) => {
                AuthorizedEdition::new(granted, true, &self.services).named_amendments().await
            }
            _ => Ok(Vec::new()),
        }
    }

    /// The editions among the selected ones whose titles or texts the caller may find. `again`: the catalogue
    /// changed since the call before.
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) async fn searchable(
        &mut self,
        selected: &Query,
        again: bool,
    ) -> Result<SearchableEditions, Failure> {
        let authorizing = self.authorizing.take();
        let _authorizing = authorizing.unwrap_or_else(|| self.services.trace.step("authorize"));
        if again {
            self.view = self.view.renewed().await.map_err(failed)?;
        }
        self.view.searchable(selected).await.map_err(failed)
    }

    /// The editions that a search found texts in, by slot, as the caller may use them; `None` where the
    /// catalogue has another revision of one meanwhile.
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) async fn found(
        &mut self,
        found: &HashMap<u32, FoundEdition>,
    ) -> Result<Option<HashMap<u32, Arc<AuthorizedEdition>>>, Failure> {
        let mut editions = HashMap::new();
        for (slot, FoundEdition { urn, revision }) in found {
            let edition = self.view.find(&Identifier::Urn(urn.clone()), &[]).await.map_err(failed)?;
            match edition {
                Some(Lookup::Edition(granted)) if granted.entry().revision == *revision => {
                    editions.insert(*slot, AuthorizedEdition::new(granted, true, &self.services));
                }
                _ => return Ok(None),
            }
        }
        Ok(Some(editions))
    }

    /// Notes for the audit that a search shows these standards.
    pub(crate) fn note_search(&mut self, found: Vec<AuditedStandard>) {
        self.standards.is_search = true;
        self.standards.found = found;
    }

    /// The key that URLs of assets are sealed with.
    ///
    /// # Errors
    /// The store has none.
    pub(crate) fn signing_key(&self) -> Result<&SigningKey, Failure> {
        if let Some(key) = self.view.signing_key() {
            return Ok(key);
        }
        let detail = if self.view.is_read_only() {
            "The store has no key to sign asset URLs with, and can only be read."
        } else {
            "The store has no key to sign asset URLs with yet."
        };
        Err(Failure::new(Code::Unavailable, detail).with(header::RETRY_AFTER, "2"))
    }

    /// The edition that an identifier means, whatever the level of the caller; `None` also for a recalled
    /// one, which no list shows.
    async fn listed_edition(
        &self,
        id: &Identifier,
        languages: &[Lang],
    ) -> Result<Option<Arc<AuthorizedEdition>>, Failure> {
        match self.view.find(id, languages).await.map_err(failed)? {
            Some(Lookup::Edition(granted)) => Ok(Some(AuthorizedEdition::new(granted, true, &self.services))),
            Some(Lookup::Recalled { .. }) | None => Ok(None),
        }
    }

    async fn find(&self, id: &Identifier) -> Result<Lookup, Failure> {
        let found = self.view.find(id, &self.languages).await.map_err(failed)?;
        found.ok_or_else(standard_not_found)
    }

    /// The edition that was found by the identifier in the path, if the caller may use it at this level.
    fn require(
        &mut self,
        found: Lookup,
        id: &Identifier,
        level: Level,
    ) -> Result<Arc<AuthorizedEdition>, Failure> {
        let granted = require_level(&mut self.standards.standard, found, level)?;
        let is_exact = is_exact(id, &granted);
        Ok(AuthorizedEdition::new(granted, is_exact, &self.services))
    }
}

/// True if an identifier is the canonical URN of the edition that it means.
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
        Lookup::Recalled { urn, reason: _, notice } => {
            *name = Some(AuditedStandard { urn: urn.as_str().into(), only_discovered: false });
            return Err(Failure::new(Code::StandardRecalled, recalled(&urn, notice.as_ref())));
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

/// What a caller with a grant is given of a recall: its day, and the text of the operator.
fn recalled(urn: &Urn, notice: Option<&OperatorNotice>) -> String {
    let Some(notice) = notice else { return format!("{urn} has been recalled.") };
    let day = summary::day(notice.at);
    match notice.text.as_str() {
        "" => format!("{urn} was recalled on {day}."),
        text => format!("{urn} was recalled on {day}: {text}"),
    }
}

/// The level that an operation needs for its edition, by the table of operations.
fn required_level(operation: Operation) -> Level {
    match operation.describe().requirement {
        // Whether one of the two may be read is decided where both are known: `GrantedPair::new`.
        Requirement::Discover | Requirement::ReadEither => Level::Discover,
        Requirement::Open | Requirement::SignedUrl | Requirement::Token | Requirement::Read => Level::Read,
    }
}

/// The failure for a standard that does not exist or that the caller may not see; both are the same.
fn standard_not_found() -> Failure {
    Failure::new(Code::StandardNotFound, "There is no standard with this identifier that you may see.")
}

/// The languages of `Accept-Language`, the preferred one first, without refused ones and `*`.
fn languages(head: &http::request::Parts) -> Vec<Lang> {
    let accept = list_of(&head.headers, header::ACCEPT_LANGUAGE).unwrap_or_default();
    let mut ranges: Vec<_> = parse_quality_list(&accept).filter(|range| range.quality > 0).collect();
    ranges.sort_by_key(|range| std::cmp::Reverse(range.quality));
    let mut languages = Vec::with_capacity(ranges.len());
    for range in ranges {
        // `*` is not a language: the store chooses one where the edition has none of these.
        if let Ok(language) = range.value.parse() {
            languages.push(language);
        }
    }
    languages
}

#[cfg(test)]
mod tests;
