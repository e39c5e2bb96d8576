//! Locations that a query cites: they are the answer where they may be read.

use std::collections::{BTreeSet, HashMap};

use norma_api::query::SearchQuery;
use norma_api::shapes::{AccessLevel, SearchAnswer, SearchHit, SearchState};
use norma_audit::AuditedStandard;
use norma_editions::search::SearchInput;
use norma_model::printed::{FoundLocation, OutlinePart, PrintedCitation};
use norma_search::{Tier, UnitHit, UnitKind};

use super::hits::{self, HitWords};
use crate::access::{Access, CitedEditionLookup, audited};
use crate::as_of::AsOf;
use crate::representation::Representation;
use crate::{Failure, Request};

/// The hits of the locations that a query cites.
pub(super) struct CitedHits {
    /// In the order of the edition, at most as many as a page has.
    hits: Vec<SearchHit<'static>>,
    /// The number of locations.
    total: u64,
    /// The edition that they are of, for the audit.
    pub(super) edition: AuditedStandard,
}

impl CitedHits {
    /// The cited locations of a search without filters. `None` where the query cites nothing that the caller
    /// may read: then its words are searched for.
    pub(super) async fn of(
        access: &mut Access<'_>,
        asked: &SearchQuery,
        input: &SearchInput,
    ) -> Result<Option<Self>, Failure> {
        if asked.cursor.is_some() || asked.grouped || !asked.facets.is_empty() || has_filters(asked) {
            return Ok(None);
        }
        let Ok(citation) = PrintedCitation::read(&asked.q) else { return Ok(None) };
        let Some(document) = &citation.document else { return Ok(None) };
        if citation.locations.is_empty() {
            return Ok(None);
        }
        let CitedEditionLookup::One(found) = access.edition_of_citation(document, &AsOf::default()).await?
        else {
            return Ok(None);
        };
        if found.edition.summary().access != AccessLevel::Read {
            return Ok(None);
        }
        let edition = found.edition.for_part();
        let index = edition.index().await?;
        let mut units = BTreeSet::new();
        for location in &citation.locations {
            let FoundLocation::Parts(parts) = index.outline.find_location(location) else { return Ok(None) };
            units.extend(parts.into_iter().filter_map(unit_of));
        }
        if units.is_empty() {
            return Ok(None);
        }
        let total = units.len() as u64;
        let mut shown = Vec::new();
        for (position, (kind, index)) in (0..).zip(units).take(input.page.limit) {
            // Of a section its title is shown.
            let tier = Tier::TitleWords;
            shown.push(UnitHit { tier, words: None, slot: 0, position, kind, index, language: None });
        }
        let editions = HashMap::from([(0, edition.clone())]);
        let words = HitWords { query: &input.query, asked: &[] };
        let mut texts = hits::with_texts(shown.iter(), &editions, &words).await?;
        let mut hits = Vec::with_capacity(shown.len());
        for hit in &shown {
            hits.extend(texts.remove(&(hit.slot, hit.position)));
        }
        // A title is not content.
        let only_discovered = shown.iter().all(UnitHit::shows_title_only);
        let edition = AuditedStandard { only_discovered, ..audited(&edition) };
        Ok(Some(Self { hits, total, edition }))
    }

    /// The answer: these hits alone, however much of the index is built.
    pub(super) fn answer(self, request: Request<'_>) -> Result<Representation, Failure> {
        let answer = SearchAnswer {
            total: self.total,
            relaxed: false,
            hints: None,
            state: SearchState::Complete,
            progress: None,
            hit_counts: None,
            items: self.hits,
            standards: Vec::new(),
            next: None,
        };
        Representation::from_large_shape(&answer, request.coding())
    }
}

fn has_filters(asked: &SearchQuery) -> bool {
    let SearchQuery { kinds, types, normative, language, ics, publisher, status, urn, .. } = asked;
    let has_texts = !(ics.is_empty() && publisher.is_empty() && urn.is_empty());
    let has_values = !(kinds.is_empty() && types.is_empty() && language.is_empty() && status.is_empty());
    has_texts || has_values || normative.is_some()
}

/// A part as a unit of the index, which has no figures.
fn unit_of(part: OutlinePart) -> Option<(UnitKind, u32)> {
    match part {
        OutlinePart::Section(index) => Some((UnitKind::Section, index)),
        OutlinePart::Provision(index) => Some((UnitKind::Provision, index)),
        OutlinePart::Table(index) => Some((UnitKind::Table, index)),
        OutlinePart::Term(index) => Some((UnitKind::Term, index)),
        OutlinePart::Figure(_) => None,
    }
}
