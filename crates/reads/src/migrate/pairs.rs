//! Comparisons of the edition that ids are followed into with the editions that they come from.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use norma_api::problem::Code;
use norma_api::query::ComparisonQuery;

use crate::Failure;
use crate::access::{Access, GrantedPair};
use crate::comparison::{CachedComparison, ComparablePair};
use crate::edition::AuthorizedEdition;
use crate::pair_side::PairSide;

/// The comparisons between the edition and another one, for each language that both have.
pub(super) struct PairComparisons {
    /// The side of the other edition.
    pub(super) other: PairSide,
    /// One for each language; fewer if two editions cannot be compared.
    pub(super) all: Vec<Arc<CachedComparison>>,
    /// The matcher has not compared the two yet, so that candidates are missing.
    pub(super) is_pending: bool,
}

/// The comparisons with each of these editions, by their URNs.
///
/// # Errors
/// The store cannot be read.
pub(super) async fn comparisons<'u>(
    access: &mut Access<'_>,
    edition: &AuthorizedEdition,
    others: BTreeSet<&'u str>,
) -> Result<BTreeMap<&'u str, PairComparisons>, Failure> {
    let mut compared = BTreeMap::new();
    for urn in others {
        compared.insert(urn, comparisons_with(access, edition, urn).await?);
    }
    Ok(compared)
}

async fn comparisons_with(
    access: &mut Access<'_>,
    edition: &AuthorizedEdition,
    urn: &str,
) -> Result<PairComparisons, Failure> {
    let mut found = PairComparisons { other: PairSide::Older, all: Vec::new(), is_pending: false };
    let Some(pair) = access.pair_of_lineages(edition, urn).await? else { return Ok(found) };
    found.other = pair.named.opposite();
    let [a, b] = pair.granted.each_ref().map(|one| &one.entry().summary.languages);
    for language in norma_compare::languages_of_both(a, b) {
        let query = ComparisonQuery { language: Some(language), ..ComparisonQuery::with(urn) };
        let comparable = ComparablePair::read(pair.clone(), &query, access.services()).await;
        let compared = match comparable {
            Ok(comparable) => comparable.stored_or_followed().await,
            Err(failure) => Err(failure),
        };
        match compared {
            Ok((compared, is_stored)) => {
                found.is_pending |= !is_stored;
                found.all.push(compared);
            }
            // Outcomes are known without it.
            Err(failure) if matches!(failure.code(), Code::NotComparable | Code::ComparisonTooLarge) => {}
            Err(failure) if failure.code() == Code::Unavailable => found.is_pending = true,
            Err(failure) => return Err(failure),
        }
    }
    Ok(found)
}

/// The comparisons of a pair of which one is an earlier revision of the edition with this URN, and the reason
/// where there are none.
///
/// # Errors
/// The store cannot be read.
pub(super) async fn comparisons_of_revision(
    access: &mut Access<'_>,
    pair: GrantedPair,
    urn: &str,
) -> Result<(PairComparisons, Option<String>), Failure> {
    let mut found = PairComparisons { other: pair.named.opposite(), all: Vec::new(), is_pending: false };
    let mut reason = None;
    let [a, b] = pair.granted.each_ref().map(|one| &one.entry().summary.languages);
    for language in norma_compare::languages_of_both(a, b) {
        let query = ComparisonQuery { language: Some(language), ..ComparisonQuery::with(urn) };
        let compared = match ComparablePair::read(pair.clone(), &query, access.services()).await {
            Ok(comparable) => comparable.of_revision().await,
            Err(failure) => Err(failure),
        };
        match compared {
            Ok(compared) => found.all.push(compared),
            Err(failure) if is_permanent(failure.code()) => reason = Some(failure.detail().to_owned()),
            Err(failure) if failure.code() == Code::Unavailable => found.is_pending = true,
            Err(failure) => return Err(failure),
        }
    }
    Ok((found, reason))
}

/// True for a refusal that will be the same later: the two editions can never be compared.
fn is_permanent(code: Code) -> bool {
    matches!(code, Code::NotComparable | Code::ComparisonTooLarge | Code::RevisionGone)
}
