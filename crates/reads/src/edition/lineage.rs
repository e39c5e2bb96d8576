//! Lineages of provisions as their reader may see them, with the labels of members in other editions.

use std::borrow::Cow;

use crate::{AuthorizedEdition, Failure, Lineages, ProvisionLineage};
use futures::future::BoxFuture;
use http::header;
use norma_api::problem::Code;
use norma_api::shapes::{Lineage, LineageRelation, RelatedProvision};
use norma_compare::VERSION;
use norma_model::ProvisionId;
use norma_model::lineage::{Asked, Followed};
use norma_store::Relative;
use serde::Deserialize;
use tokio::runtime::Handle;

use crate::edition::Authorized;
use crate::failed::failed;
use crate::services::RequestServices;

impl Authorized {
    /// As [`AuthorizedEdition::lineage`](crate::AuthorizedEdition::lineage).
    pub(crate) async fn find_lineage(
        &self,
        id: ProvisionId,
        ordinal: usize,
    ) -> Result<Option<Box<dyn ProvisionLineage>>, Failure> {
        self.expect_readable()?;
        let ordinal = u32::try_from(ordinal).map_err(|error| Failure::internal(&error))?;
        let _step = self.services.trace.step("read");
        let stored = self.granted.partition().await.map_err(failed)?;
        let decode = self.services.slots.run_sized(stored.size(), move || stored.decode());
        let partition = decode.await.map_err(failed)?;
        let lineage = self.granted.lineage(partition, id, ordinal, VERSION).await.map_err(failed)?;
        self.request_update(lineage.is_none());
        let urn = self.granted.entry().summary.urn.to_string();
        let found = lineage.map(|lineage| FoundLineage { urn, lineage, services: self.services.clone() });
        Ok(found.map(|found| Box::new(found) as Box<dyn ProvisionLineage>))
    }

    /// As [`AuthorizedEdition::lineages`](crate::AuthorizedEdition::lineages).
    pub(crate) async fn find_lineages(&self) -> Result<Option<Lineages>, Failure> {
        self.expect_readable()?;
        self.reserve_work().await?;
        let (granted, runtime) = (self.granted.clone(), Handle::current());
        // The partition and lists of ids are read and searched, for all provisions.
        let find = move || runtime.block_on(granted.lineages(VERSION));
        let found = self.services.slots.run(find).await.map_err(failed)?;
        Ok(found.map(|(state, ids)| Lineages { state, ids }))
    }

    /// As [`AuthorizedEdition::lineage_state`](crate::AuthorizedEdition::lineage_state).
    pub(crate) async fn find_lineage_state(&self) -> Result<Option<String>, Failure> {
        self.expect_readable()?;
        let state = self.granted.lineage_state(VERSION).await.map_err(failed)?;
        self.request_update(state.is_none());
        Ok(state)
    }

    /// As [`AuthorizedMigration::fates`](crate::AuthorizedMigration::fates), with the edition in
    /// which the members of lineages are sources.
    pub async fn find_fates(
        &self,
        asked: &[Asked],
        from: Option<&dyn AuthorizedEdition>,
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

    /// Requests an update of the document's lineages, if they wait for one.
    fn request_update(&self, is_due: bool) {
        if is_due {
            self.services.lineages.request(self.granted.entry().summary.urn.document_urn());
        }
    }
}

/// The lineage of a provision of the edition with this URN.
struct FoundLineage {
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
}

/// Provisions of other editions, with their labels.
///
/// # Errors
/// There is no room for reading these, or one of them cannot be read.
pub async fn labelled(
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

impl ProvisionLineage for FoundLineage {
    fn state(&self) -> String {
        let earlier = self.lineage.earlier_ids.iter().map(ToString::to_string);
        let relatives = self.relatives().map(|Relative { edition, id, is_member, .. }| {
            let entry = edition.entry();
            format!("{id} {} {} {is_member}", entry.summary.urn, entry.revision)
        });
        let named = [self.lineage.id.to_string()].into_iter().chain(earlier).chain(relatives);
        crate::digest(named.collect::<Vec<_>>().join("\n").as_bytes())
    }

    fn memory(&self) -> u64 {
        // One edition is read after the other; what cannot be read fails then.
        let memory =
            self.relatives().filter_map(|relative| edition(relative, &self.services).fragment_memory().ok());
        memory.max().unwrap_or_default()
    }

    fn labelled(&self) -> BoxFuture<'_, Result<Lineage<'static>, Failure>> {
        Box::pin(async move {
            let earlier = self.lineage.earlier_ids.iter().map(|id| RelatedProvision {
                urn: self.urn.clone().into(),
                id: id.to_string().into(),
                label: None,
                kind: LineageRelation::EarlierRevision,
            });
            let (mut predecessors, mut successors) = (earlier.collect::<Vec<_>>(), Vec::new());
            for relative in &self.lineage.predecessors {
                predecessors.push(self.related(relative).await?);
            }
            for relative in &self.lineage.successors {
                successors.push(self.related(relative).await?);
            }
            let id = self.lineage.id.to_string().into();
            Ok(Lineage { id, predecessors: Some(predecessors), successors: Some(successors) })
        })
    }
}

/// The edition of a provision in a lineage, which the caller may read.
fn edition(relative: &Relative, services: &RequestServices) -> Authorized {
    Authorized::new(relative.edition.clone(), true, services)
}

/// A provision of another edition, with its label.
async fn related(relative: &Relative, edition: &Authorized) -> Result<RelatedProvision<'static>, Failure> {
    let label = label(edition, relative.ordinal, &relative.id).await?;
    Ok(RelatedProvision {
        urn: relative.edition.entry().summary.urn.to_string().into(),
        id: relative.id.to_string().into(),
        label: Some(label.into()),
        kind: match relative.is_member {
            true => LineageRelation::Member,
            false => LineageRelation::Possible,
        },
    })
}

/// The label of the provision with this ordinal and id.
async fn label(edition: &Authorized, ordinal: usize, id: &ProvisionId) -> Result<String, Failure> {
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
        return Err(Failure::new(Code::Unavailable, detail).with(header::RETRY_AFTER, "1"));
    }
    Ok(read.label.into_owned())
}
