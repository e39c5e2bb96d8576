//! Candidates: the units that quotations may be from, found in the index.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use norma_editions::search::{
    EditionSearch, MAX_SELECTIONS, NoAnswer, QuotationCandidates, QuotationSearch, QuotationSearchInSteps,
};
use norma_model::{Identifier, PartialUrn, Urn};
use norma_store::Query;

use crate::Failure;
use crate::access::Access;

/// Longest work of a request in one turn, with the quotation that is begun: the next client waits this long.
const CANDIDATES_STEP: Duration = Duration::from_millis(5);

/// The index with the editions of some documents that the caller may read.
pub(super) struct QuotationIndex {
    /// `None` where the search is off.
    search: Option<EditionSearch>,
    selected: Query,
}

impl QuotationIndex {
    /// The index for the documents of these editions.
    pub(super) fn new(access: &Access<'_>, urns: impl Iterator<Item = Urn>) -> Self {
        let mut documents = BTreeSet::new();
        for urn in urns {
            documents.insert(urn.document_urn().to_owned());
        }
        let mut identifiers = Vec::with_capacity(documents.len());
        for document in documents {
            identifiers.extend(document.parse::<PartialUrn>().ok().map(Identifier::Partial));
        }
        let selected = Query { identifiers, ..Query::default() };
        Self { search: access.services().shared.search.clone(), selected }
    }

    /// Whether a later request may find more.
    pub(super) fn is_on(&self) -> bool {
        self.search.is_some()
    }

    /// The candidates of each of these quotations. They are incomplete where the index does not have an
    /// edition.
    pub(super) async fn candidates(
        &self,
        access: &mut Access<'_>,
        asked: &[QuotationSearch],
    ) -> Result<Vec<QuotationCandidates>, Failure> {
        let incomplete = QuotationCandidates { is_incomplete: true, ..QuotationCandidates::default() };
        let Some(search) = &self.search else { return Ok(vec![incomplete; asked.len()]) };
        let services = access.services().clone();
        for attempt in 0..MAX_SELECTIONS {
            let editions = access.searchable(&self.selected, attempt > 0).await?;
            let step = services.trace.step("search");
            let begun = services.slots.begin_search().await;
            let searches = search.begin_quotations(editions, asked.to_vec());
            let found = services.slots.run_in_steps(searches, candidates_step).await;
            drop(begun);
            step.end();
            match found {
                Ok(found) => return Ok(found),
                // An edition of the documents changed meanwhile.
                Err(NoAnswer::Changed | NoAnswer::TooManyMatches) => continue,
            }
        }
        Ok(vec![incomplete; asked.len()])
    }
}

/// Goes on with quotations for one turn.
fn candidates_step(
    search: &mut QuotationSearchInSteps,
) -> Option<Result<Vec<QuotationCandidates>, NoAnswer>> {
    let begun = Instant::now();
    search.step(&mut || begun.elapsed() >= CANDIDATES_STEP).transpose()
}
