//! Changes that a caller sees, and what they need to be counted.

use std::sync::Arc;

use norma_editions::earlier::Revisions;
use norma_model::{Identifier, Urn};
use norma_store::{ChangePosition, ChangesPage, Lookup, TurnClient};

use super::Access;
use crate::Failure;
use crate::edition::AuthorizedEdition;
use crate::failed::failed;

impl Access<'_> {
    /// The client of the caller.
    pub(crate) fn client(&self) -> TurnClient {
        self.services.slots.client().clone()
    }

    /// The key of cursors for this purpose, and the name of what the caller's grants give today.
    pub(crate) fn cursor_key(&self, purpose: &str) -> ([u8; 32], [u8; 32]) {
        (self.view.derived_key(purpose), self.view.rights_name())
    }

    /// The position of the last change that the caller sees.
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) async fn last_change(&mut self) -> Result<ChangePosition, Failure> {
        // The view itself is of what the caller may see.
        self.authorizing.take();
        let _step = self.services.trace.step("read");
        self.view.last_change().await.map_err(failed)
    }

    /// The changes after a position that the caller sees; `None` where the catalogue was never in this state.
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) async fn changes_since(
        &mut self,
        since: ChangePosition,
        limit: u32,
    ) -> Result<Option<ChangesPage>, Failure> {
        self.authorizing.take();
        let _step = self.services.trace.step("read");
        self.view.changes_since(since, limit).await.map_err(failed)
    }

    /// An edition with its revisions, if it is in this revision and the caller may read it.
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) async fn revisions_of_listed(
        &self,
        urn: &Urn,
        revision: &str,
    ) -> Result<Option<(Arc<AuthorizedEdition>, Revisions)>, Failure> {
        let found = self.view.find(&Identifier::Urn(urn.clone()), &[]).await.map_err(failed)?;
        let Some(Lookup::Edition(granted)) = found else { return Ok(None) };
        let Some(handle) = granted.readable().filter(|_| granted.entry().revision == revision) else {
            return Ok(None);
        };
        let revisions = Revisions::read(&handle).await.map_err(failed)?;
        Ok(Some((AuthorizedEdition::new(granted, true, &self.services), revisions)))
    }
}
