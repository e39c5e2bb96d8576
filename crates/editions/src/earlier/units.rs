//! Units of an earlier revision, read from the differences between revisions.

use bytes::Bytes;
use norma_compare::Units;
use norma_store::{EditionHandle, RetainedRevision, StoreError, derived_by};

use super::difference;
use super::retain::{join, split};
use crate::pack::StoredUnits;

/// The units of an earlier revision as they are stored. Reading them waits for the store, parsing them takes
/// the processor.
pub(crate) struct EarlierUnits {
    present: StoredUnits,
    /// The retained revisions from the wanted one on, the newest first: each is a difference from the one
    /// before it.
    chain: Vec<RetainedRevision>,
}

impl EarlierUnits {
    /// Reads the units of the revision with this number; `None` where another version of Norma derived them
    /// or the edition, or where they are not retained.
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) async fn read(edition: &EditionHandle, number: i64) -> Result<Option<Self>, StoreError> {
        let Some(present) = StoredUnits::read(edition).await? else { return Ok(None) };
        let mut chain = edition.retained_revisions(number).await?;
        let own = derived_by(&edition.entry().deriver);
        // What could not be derived has no units and nothing refers to it.
        chain.retain(|one| one.units.reason.is_empty());
        let is_there = chain.last().is_some_and(|last| last.number == number);
        if !is_there || chain.iter().any(|one| one.units.deriver != own) {
            return Ok(None);
        }
        Ok(Some(Self { present, chain }))
    }

    /// The units; `None` when another version of Norma wrote them.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] where they are damaged.
    pub(crate) fn parse(self) -> Result<Option<Units>, StoreError> {
        let mut joined: Bytes = join(&self.present.identity()?).into();
        for RetainedRevision { number, units, .. } in self.chain {
            joined = difference::decode(&joined, &units.difference, units.size).ok_or_else(|| {
                StoreError::Corrupt(format!("the units of earlier revision {number} cannot be read"))
            })?;
        }
        Ok(split(&joined).and_then(|parts| norma_render::units(&parts)))
    }
}
