//! Earlier revisions in the store: removal of those beyond the limits, and their copy.

use std::time::SystemTime;

use norma_model::Urn;

use crate::catalogue::{earlier, feed};
use crate::transact::transact;
use crate::{Result, RevisionLimits, Store};

impl Store {
    /// Removes the sources of earlier revisions that are beyond the limits, and returns the number of the
    /// editions that had some. Their names stay.
    ///
    /// # Errors
    /// Those of the engine.
    pub async fn prune_revisions(&self, limits: RevisionLimits, now: SystemTime) -> Result<usize> {
        let editions = earlier::beyond(self.engine(), limits, now).await?;
        for &edition in &editions {
            transact!(self, |tx| prune(tx, edition, limits, now))?;
        }
        Ok(editions.len())
    }

    /// Copies the earlier revisions of an edition to another store that has the edition.
    pub(super) async fn copy_revisions(&self, target: &Store, urn: &Urn, now: SystemTime) -> Result<()> {
        let rows = &earlier::rows(self.engine(), urn).await?;
        if *rows != earlier::rows(target.engine(), urn).await? {
            transact!(target, |tx| earlier::write(tx, urn, rows, now))?;
        }
        Ok(())
    }
}

/// Removes what is beyond the limits of one edition, with the lock of the catalogue.
async fn prune(
    tx: &mut dyn crate::engine::Transaction,
    edition: i64,
    limits: RevisionLimits,
    now: SystemTime,
) -> Result<()> {
    feed::lock(tx).await?;
    earlier::prune(tx, edition, limits, now).await
}
