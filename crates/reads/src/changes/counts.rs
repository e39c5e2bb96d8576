//! Counts of changed provisions of corrected editions: those of the comparison of both revisions.

use norma_api::problem::Code;
use norma_api::query::{AskedRevision, ComparisonQuery};
use norma_api::shapes::ComparisonCounts;
use norma_editions::earlier::NamedRevision;
use norma_store::{EditionChangeKind, Level, ListedChange, PresentCause};

use crate::Failure;
use crate::access::Access;
use crate::comparison::ComparablePair;

/// Comparisons of one answer: each may take as long as that of two editions. Those that others asked for are
/// in memory.
pub(super) const MAX_COUNTED: usize = 20;

/// Counts of the changes of one answer.
#[derive(Default)]
pub(super) struct ChangeCounts(usize);

impl ChangeCounts {
    /// How many comparisons there were so far.
    pub(super) fn made(&self) -> usize {
        self.0
    }

    /// The counts of a change; `None` where there is no comparison. The text of an edition that was only
    /// derived by other rules is the same.
    ///
    /// # Errors The comparison gets no turn or no memory soon: the answer is to be asked for again, so that
    /// it does not depend on how busy the service is.
    pub(super) async fn of(
        &mut self,
        access: &mut Access<'_>,
        change: &ListedChange,
    ) -> Result<Option<ComparisonCounts>, Failure> {
        let EditionChangeKind::Present { row, cause: PresentCause::Content, former_revision, .. } =
            &change.kind
        else {
            return Ok(None);
        };
        let Some(former) = former_revision.as_ref().filter(|_| row.level == Level::Read) else {
            return Ok(None);
        };
        let compared = compared(access, change, &row.revision, former).await;
        match compared {
            Ok(Some(counts)) => {
                self.0 += 1;
                Ok(Some(counts))
            }
            Ok(None) => Ok(None),
            Err(failure) if failure.is_passing() => Err(failure),
            // There is no comparison of these revisions: too large, removed, or derived by another version.
            Err(failure) if failure.code() != Code::Internal => Ok(None),
            Err(failure) => Err(failure),
        }
    }
}

async fn compared(
    access: &mut Access<'_>,
    change: &ListedChange,
    revision: &str,
    former: &str,
) -> Result<Option<ComparisonCounts>, Failure> {
    let Some((edition, revisions)) = access.revisions_of_listed(&change.urn, revision).await? else {
        return Ok(None);
    };
    let Ok(NamedRevision::Earlier(earlier)) = revisions.find(&AskedRevision::Revision(former.to_owned()))
    else {
        return Ok(None);
    };
    if !earlier.reason.is_empty() {
        return Ok(None);
    }
    let Some(pair) = access.pair_of_revision(&edition, change.urn.as_str(), earlier).await? else {
        return Ok(None);
    };
    let pair = ComparablePair::read(pair, &ComparisonQuery::default(), access.services()).await?;
    let held = pair.of_revision().await?;
    Ok(Some(held.pair().counts))
}
