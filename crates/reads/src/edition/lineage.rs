//! Lineages of provisions as their reader may see them, with the labels of members in other editions.

use std::borrow::Cow;
use std::sync::Arc;

use norma_api::shapes::{Lineage, LineageRelation, RelatedProvision};
use norma_compare::VERSION;
use norma_model::lineage::{Asked, Followed};
use norma_model::{LineageId, ProvisionId};
use norma_store::Relative;
use serde::Deserialize;
use tokio::runtime::Handle;

use super::AuthorizedEdition;
use crate::Failure;
use crate::failed::failed;
use crate::failure::replaced_meanwhile;
use crate::services::RequestServices;
use crate::tag::digest;

/// The lineages of the provisions of an edition.
pub(crate) struct EditionLineages {
    /// The state of the lineages of the document.
    pub(crate) state: String,
    /// Their ids, in document order.
    pub(crate) ids: Vec<LineageId>,
}

impl AuthorizedEdition {
    /// The lineage of the provision with this id and ordinal, with the members in editions that the caller
    /// may read. `None` while the document waits for its lineages to be updated.
    pub(crate) async fn lineage(
        &self,
        id: ProvisionId,
        ordinal: usize,
    ) -> Result<Option<FoundLineage>, Failure> {
        self.expect_readable()?;
        let ordinal = u32::try_from(ordinal).map_err(|error| Failure::internal(&error))?;
        let _step = self.services.trace.step("read");
        let stored = self.granted.partition().await.map_err(failed)?;
        let decode = self.services.slots.run_sized(stored.size(), move || stored.decode());
        let partition = decode.await.map_err(failed)?;
        let lineage = self.granted.lineage(partition, id, ordinal, VERSION).await.map_err(failed)?;
        self.request_update(lineage.is_none());
        let Some(lineage) = lineage else { return Ok(None) };
        let urn = self.granted.entry().summary.urn.to_string();
        Ok(Some(FoundLineage { urn, lineage, services: self.services.clone() }))
    }

    /// The lineages of all its provisions; `None` while the document waits for them to be updated.
    pub(crate) async fn lineages(&self) -> Result<Option<EditionLineages>, Failure> {
        self.expect_readable()?;
        self.reserve_work().await?;
        let (granted, runtime) = (self.granted.clone(), Handle::current());
        // The partition and lists of ids are read and searched, for all provisions.
        let find = move || runtime.block_on(granted.lineages(VERSION));
        let found = self.services.slots.run(find).await.map_err(failed)?;
        Ok(found.map(|(state, ids)| EditionLineages { state, ids }))
    }

    /// The state of the lineages of the document, without the lineages; `None` while they are updated.
    pub(crate) async fn lineage_state(&self) -> Result<Option<String>, Failure> {
        self.expect_readable()?;
        let state = self.granted.lineage_state(VERSION).await.map_err(failed)?;
        self.request_update(state.is_none());
        Ok(state)
    }

    /// The fates of these provisions and lineages in the edition, in their order. `None` for those that do
    /// not exist, or only in editions that the caller may not read. `from` is the edition in which the
    /// members of lineages are sources.
    pub(crate) async fn fates(
        &self,
        asked: &[Asked],
        from: Option<&Self>,
    ) -> Result<Vec<Option<Followed>>, Failure> {
        self.expect_readable()?;
        let _step = self.services.trace.step("read");
        let from = from.map(|from| from.urn().to_owned());
        let (granted, asked, runtime) = (self.granted.clone(), asked.to_vec(), Handle::current());
        // Partitions and lists of ids are read and searched, for many ids.
        let find = move || runtime.block_on(granted.fates(&asked, from.as_deref(), VERSION));
        let (fates, is_fresh) = self.services.slots.run(find).await.map_err(failed)?;
        self.request_update(!is_fresh);
        Ok(fates)
    }

    /// The id of the provision with this ordinal, and those that it had in earlier revisions.
    pub(crate) async fn ids_in_revisions(&self, ordinal: usize) -> Result<Vec<String>, Failure> {
        self.expect_readable()?;
        let ids = self.granted.ids_in_revisions(ordinal).await.map_err(failed)?;
        Ok(ids.iter().map(ToString::to_string).collect())
    }

    /// Requests an update of the document's lineages, if they wait for one.
    fn request_update(&self, is_due: bool) {
        if is_due {
            self.services.shared.lineages.request(self.granted.entry().summary.urn.document_urn());
        }
    }
}

/// The lineage of a provision of the edition with this URN, before the labels of its members are read.
pub(crate) struct FoundLineage {
    urn: String,
    lineage: norma_store::Lineage,
    services: RequestServices,
}

impl FoundLineage {
    fn relatives(&self) -> impl Iterator<Item = &Relative> {
        self.lineage.predecessors.iter().chain(&self.lineage.successors)
    }

    async fn related(&self, relative: &Relative) -> Result<RelatedProvision<'static>, Failure> {
        related(relative, &edition(relative, &self.services)).await
    }

    /// Name of the state of its members: the same state gives the same answer.
    pub(crate) fn state(&self) -> String {
        let mut named = vec![self.lineage.id.to_string()];
        for id in &self.lineage.earlier_ids {
            named.push(id.to_string());
        }
        for Relative { edition, id, is_member, .. } in self.relatives() {
            let entry = edition.entry();
            named.push(format!("{id} {} {} {is_member}", entry.summary.urn, entry.revision));
        }
        digest(named.join("\n").as_bytes())
    }

    /// Most bytes of memory for reading the labels. One edition is read after the other; what cannot be read
    /// fails then.
    pub(crate) fn memory(&self) -> u64 {
        let mut most = 0;
        for relative in self.relatives() {
            most = most.max(edition(relative, &self.services).fragment_memory().unwrap_or_default());
        }
        most
    }

    /// The lineage with the labels of its members.
    ///
    /// # Errors
    /// One of these cannot be read: without the label, the answer would be another one under the same entity
    /// tag.
    pub(crate) async fn labelled(&self) -> Result<Lineage<'static>, Failure> {
        let (mut predecessors, mut successors) = (Vec::new(), Vec::new());
        for id in &self.lineage.earlier_ids {
            predecessors.push(RelatedProvision {
                urn: self.urn.clone().into(),
                id: id.to_string().into(),
                label: None,
                kind: LineageRelation::EarlierRevision,
            });
        }
        for relative in &self.lineage.predecessors {
            predecessors.push(self.related(relative).await?);
        }
        for relative in &self.lineage.successors {
            successors.push(self.related(relative).await?);
        }
        let id = self.lineage.id.to_string().into();
        Ok(Lineage { id, predecessors: Some(predecessors), successors: Some(successors) })
    }
}

/// Provisions of other editions, with their labels.
///
/// # Errors
/// There is no room for reading these, or one of them cannot be read.
pub(crate) async fn labelled(
    relatives: &[Relative],
    services: &RequestServices,
) -> Result<Vec<RelatedProvision<'static>>, Failure> {
    let mut found = Vec::new();
    for relative in relatives {
        let edition = edition(relative, services);
        services.memory.add(edition.fragment_memory()?).await?;
        found.push(related(relative, &edition).await?);
    }
    Ok(found)
}

/// The edition of a provision in a lineage, which the caller may read.
fn edition(relative: &Relative, services: &RequestServices) -> Arc<AuthorizedEdition> {
    AuthorizedEdition::new(relative.edition.clone(), true, services)
}

/// A provision of another edition, with its label.
async fn related(
    relative: &Relative,
    edition: &AuthorizedEdition,
) -> Result<RelatedProvision<'static>, Failure> {
    let label = label(edition, relative.ordinal, &relative.id).await?;
    Ok(RelatedProvision {
        urn: relative.edition.entry().summary.urn.to_string().into(),
        id: relative.id.to_string().into(),
        label: Some(label.into()),
        kind: if relative.is_member { LineageRelation::Member } else { LineageRelation::Possible },
    })
}

/// The label of the provision with this ordinal and id.
async fn label(edition: &AuthorizedEdition, ordinal: usize, id: &ProvisionId) -> Result<String, Failure> {
    #[derive(Deserialize)]
    struct Labelled<'a> {
        #[serde(borrow)]
        id: Cow<'a, str>,
        #[serde(borrow)]
        label: Cow<'a, str>,
    }
    let fragment = edition.fragment(ordinal).await?;
    let Ok(read) = serde_json::from_slice::<Labelled<'_>>(&fragment) else {
        return Err(edition.unreadable("a provision"));
    };
    if *read.id != id.to_string() {
        // The catalogue was asked for the id after it was asked for the edition.
        let detail = "Another edition of the standard was replaced while it was read; ask again.";
        return Err(replaced_meanwhile(detail));
    }
    Ok(read.label.into_owned())
}
