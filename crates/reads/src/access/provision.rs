//! Provision that an id of a provision or lineage means to a caller, and what became of a former one.

use std::sync::Arc;

use http::header;
use norma_api::Operation;
use norma_api::problem::Code;
use norma_api::shapes::Lineage;
use norma_model::ProvisionId;
use norma_model::lineage::Asked;
use norma_store::{Former, Lookup, ProvisionPosition, Relative, Retired};

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

/// The result of looking for a provision.
pub(crate) enum ProvisionLookup {
    /// The provision is published in an edition that the caller may use.
    Published(LocatedProvision),
    /// It was, and others carry it on.
    Replaced(Box<ReplacedProvision>),
}

/// A provision that is no longer published, and the nearest one that carries it on.
pub(crate) struct ReplacedProvision {
    /// The failure that names the successors.
    pub(crate) failure: Failure,
    /// The requested id, with the revision that had it.
    pub(crate) retired: Retired,
    /// The edition of the nearest successor, which the caller may read.
    pub(crate) edition: Arc<AuthorizedEdition>,
}

/// A provision of the catalogue, or what became of a former one.
enum PublishedOrReplaced {
    Published(Lookup, ProvisionId, ProvisionPosition),
    Replaced(Box<ReplacedProvision>),
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
    ) -> Result<ProvisionLookup, Failure> {
        let _authorizing = self.authorizing.take();
        let (found, id, position) = match self.find_provision(asked).await? {
            PublishedOrReplaced::Published(found, id, position) => (found, id, position),
            PublishedOrReplaced::Replaced(replaced) => return Ok(ProvisionLookup::Replaced(replaced)),
        };
        let granted = require_level(&mut self.standards.standard, found, required_level(operation))?;
        let edition = AuthorizedEdition::new(granted, true, &self.services);
        Ok(ProvisionLookup::Published(LocatedProvision { edition, id, position }))
    }

    /// The edition with a published provision, whatever the level of the caller; `None` also for a recalled
    /// one.
    pub(super) async fn listed_edition_with(
        &self,
        id: &ProvisionId,
    ) -> Result<Option<Arc<AuthorizedEdition>>, Failure> {
        match self.view.provision(id).await.map_err(failed)? {
            Some((Lookup::Edition(granted), _)) => {
                Ok(Some(AuthorizedEdition::new(granted, true, &self.services)))
            }
            Some((Lookup::Recalled { .. }, _)) | None => Ok(None),
        }
    }

    /// Looks for the id among published provisions, then among retired ids and lineages. The id of a lineage
    /// means its newest published member.
    async fn find_provision(&self, asked: &Asked) -> Result<PublishedOrReplaced, Failure> {
        if let Asked::Provision(id) = asked
            && let Some((found, position)) = self.view.provision(id).await.map_err(failed)?
        {
            return Ok(PublishedOrReplaced::Published(found, *id, position));
        }
        let Some(resolved) = self.view.resolve(asked).await.map_err(failed)? else {
            return Err(provision_not_found());
        };
        let document = resolved.document().to_owned();
        let stored = self.view.partition(&resolved).await.map_err(failed)?;
        let decode = self.services.slots.run_sized(stored.size(), move || stored.decode());
        let partition = decode.await.map_err(failed)?;
        let id = match asked {
            Asked::Provision(id) => id,
            Asked::Lineage(_) => {
                let newest = self.view.newest(resolved, partition).await.map_err(failed)?;
                let Some((found, id, position)) = newest else { return Err(provision_not_found()) };
                return Ok(PublishedOrReplaced::Published(found, id, position));
            }
        };
        let retired = resolved.retired().cloned();
        let former = self.view.former(resolved, partition, norma_compare::VERSION).await.map_err(failed)?;
        // Without lineages of the present editions, the next request gets a better answer.
        if let Some(Former::Pending | Former::Replaced { lineage: None, .. }) = &former {
            self.services.shared.lineages.request(&document);
        }
        let mut nearest = None;
        if let Some(Former::Replaced { successors, .. }) = &former {
            nearest = successors.first().cloned();
        }
        let failure = self.not_published(id, former).await;
        let (Some(Relative { edition, .. }), Some(retired)) = (nearest, retired) else { return Err(failure) };
        let edition = AuthorizedEdition::new(edition, true, &self.services);
        Ok(PublishedOrReplaced::Replaced(Box::new(ReplacedProvision { failure, retired, edition })))
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
