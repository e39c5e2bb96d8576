//! Provision that an id of a provision or lineage means to a caller, and what became of a former one.

use std::sync::Arc;

use http::header;
use norma_api::Operation;
use norma_api::problem::Code;
use norma_api::shapes::Lineage;
use norma_model::ProvisionId;
use norma_model::lineage::Asked;
use norma_store::{Former, Lookup, ProvisionPosition};

use super::{Access, require_level, required_level};
use crate::Failure;
use crate::edition::{AuthorizedEdition, labelled};
use crate::failed::failed;
use crate::failure::provision_not_found;

/// A provision, and its place in an edition that the caller may use.
pub(crate) struct LocatedProvision {
    pub(crate) edition: Arc<AuthorizedEdition>,
    pub(crate) id: ProvisionId,
    pub(crate) position: ProvisionPosition,
}

impl Access<'_> {
    /// The published provision for an id of a provision or lineage, in its edition at the level that the
    /// operation needs.
    ///
    /// # Errors
    /// There is none that the caller may see. To a caller who may know of it, the answer says what became of
    /// one that was published.
    pub(crate) async fn provision(
        &mut self,
        operation: Operation,
        asked: &Asked,
    ) -> Result<LocatedProvision, Failure> {
        let _authorizing = self.authorizing.take();
        let (found, id, position) = self.find_provision(asked).await?;
        let granted = require_level(&mut self.standards.standard, found, required_level(operation))?;
        let edition = AuthorizedEdition::new(granted, true, &self.services);
        Ok(LocatedProvision { edition, id, position })
    }

    async fn find_provision(
        &self,
        asked: &Asked,
    ) -> Result<(Lookup, ProvisionId, ProvisionPosition), Failure> {
        if let Asked::Provision(id) = asked
            && let Some((found, position)) = self.view.provision(id).await.map_err(failed)?
        {
            return Ok((found, *id, position));
        }
        let resolved = self.view.resolve(asked).await.map_err(failed)?.ok_or_else(provision_not_found)?;
        let document = resolved.document().to_owned();
        let stored = self.view.partition(&resolved).await.map_err(failed)?;
        let decode = self.services.slots.run_sized(stored.size(), move || stored.decode());
        let partition = decode.await.map_err(failed)?;
        let id = match asked {
            Asked::Provision(id) => id,
            Asked::Lineage(_) => {
                let newest = self.view.newest(resolved, partition).await.map_err(failed)?;
                return newest.ok_or_else(provision_not_found);
            }
        };
        let former = self.view.former(resolved, partition, norma_compare::VERSION).await.map_err(failed)?;
        if matches!(former, Some(Former::Pending | Former::Replaced { lineage: None, .. })) {
            self.services.shared.lineages.request(&document);
        }
        Err(self.not_published(id, former).await)
    }

    /// The failure for a former provision: what became of it.
    async fn not_published(&self, id: &ProvisionId, former: Option<Former>) -> Failure {
        match former {
            Some(Former::Replaced { successors, lineage }) => {
                let named: Vec<String> = successors.iter().map(|one| one.id.to_string()).collect();
                let detail = format!("{id} is {} now.", named.join(", "));
                let lineage = lineage.map(|id| Lineage::of_id(id.to_string()));
                match labelled(&successors, &self.services).await {
                    Ok(related) => {
                        Failure::new(Code::ProvisionReplaced, detail).replaced_by(related, lineage)
                    }
                    Err(failure) => failure,
                }
            }
            Some(Former::Gone) => {
                Failure::new(Code::ProvisionGone, format!("{id} was published; no provision carries it on."))
            }
            Some(Former::Pending) => {
                let detail = "The editions of this provision are being compared; ask again.";
                Failure::new(Code::Unavailable, detail).with(header::RETRY_AFTER, "1")
            }
            None => provision_not_found(),
        }
    }
}
