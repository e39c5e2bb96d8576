//! Migration: what the lineages of a document say about ids in one edition, and what changed since the
//! edition of each id.

use std::sync::Arc;

use crate::{AuthorizedEdition, AuthorizedMigration, ComparedPair, Failure, PairComparisons, PairSide};
use futures::future::BoxFuture;
use norma_api::problem::Code;
use norma_api::query::ComparisonQuery;
use norma_model::lineage::{Asked, Followed};

use crate::comparison::EditionPair;
use crate::edition::Authorized;
use crate::failed::failed;
use crate::services::ReadState;

/// An edition in which ids are followed.
pub struct Migration<'s> {
    shared: &'s ReadState,
    edition: Authorized,
    from: Option<Box<Authorized>>,
    /// Whether texts are wanted.
    pub texts: bool,
}

/// Bytes of memory for an item of the answer while it is made: as values and as JSON.
const ITEM: u64 = 4096;

impl<'s> Migration<'s> {
    /// Into `edition`, with the memory that the answer takes. `from` is the edition of labels and of members
    /// of lineages.
    ///
    /// # Errors
    /// There is no room.
    pub async fn new(
        shared: &'s ReadState,
        edition: Authorized,
        from: Option<Box<Authorized>>,
        texts: bool,
    ) -> Result<Self, Failure> {
        let others: Vec<&Authorized> = from.as_deref().into_iter().collect();
        let items = shared.settings.limits.max_migrated_ids as u64;
        edition.reserve_work_with(&others, items.saturating_mul(ITEM)).await?;
        Ok(Self { shared, edition, from, texts })
    }

    async fn find_comparisons(&self, urn: &str) -> Result<PairComparisons, Failure> {
        let Authorized { granted, services, .. } = &self.edition;
        let mut found = PairComparisons { other: PairSide::Older, all: Vec::new(), is_pending: false };
        let Some(other) = granted.other(urn).await.map_err(failed)? else { return Ok(found) };
        if !other.entry().precedes(granted.entry()) {
            found.other = PairSide::Newer;
        }
        let [a, b] = [granted, &other].map(|one| &one.entry().summary.languages);
        for language in norma_compare::languages_of_both(a, b) {
            let query = ComparisonQuery { language: Some(language), ..ComparisonQuery::with(urn) };
            let editions = (granted.clone(), other.clone());
            let compared = match EditionPair::new(self.shared, editions, true, &query, services).await {
                Ok(pair) => pair.stored_or_followed().await,
                Err(failure) => Err(failure),
            };
            match compared {
                Ok((compared, is_stored)) => {
                    found.is_pending |= !is_stored;
                    found.all.push(compared as Arc<dyn AsRef<ComparedPair> + Send + Sync>);
                }
                // Outcomes are known without it.
                Err(failure) if matches!(failure.code(), Code::NotComparable | Code::ComparisonTooLarge) => {}
                Err(failure) if failure.code() == Code::Unavailable => found.is_pending = true,
                Err(failure) => return Err(failure),
            }
        }
        Ok(found)
    }
}

impl AuthorizedMigration for Migration<'_> {
    fn edition(&self) -> &dyn AuthorizedEdition {
        &self.edition
    }

    fn from(&self) -> Option<&dyn AuthorizedEdition> {
        self.from.as_deref().map(|from| from as &dyn AuthorizedEdition)
    }

    fn fates<'a>(&'a self, asked: &'a [Asked]) -> BoxFuture<'a, Result<Vec<Option<Followed>>, Failure>> {
        Box::pin(self.edition.find_fates(asked, self.from()))
    }

    fn comparisons<'a>(&'a self, urn: &'a str) -> BoxFuture<'a, Result<PairComparisons, Failure>> {
        Box::pin(self.find_comparisons(urn))
    }
}
