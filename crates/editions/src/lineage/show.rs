//! One lineage, for the operator of the store, without a check of grants.

use std::collections::HashSet;

use norma_model::lineage::Asked;
use norma_model::{LineageId, ProvisionId, Urn};
use norma_store::{LineageDocument, Retired, Store};

/// A lineage with its members and with the ids that led to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The document.
    pub document: String,
    /// Its id; `None` where it no longer has a member.
    pub id: Option<LineageId>,
    /// Its members, oldest first.
    pub members: Vec<(Urn, ProvisionId)>,
    /// Ids of provisions that are no longer published and that lead to it.
    pub retired: Vec<Retired>,
}

/// The lineage that an id means; `None` if no document has or had it.
///
/// # Errors
/// Those of the store.
pub async fn show(store: &Store, asked: Asked) -> Result<Option<Shown>, norma_store::StoreError> {
    let key = store.lineage_key().await?;
    let asked = match asked {
        Asked::Provision(id) => id,
        Asked::Lineage(id) => key.member(&id),
    };
    let published_in = store.edition_of(&asked).await?.map(|(urn, _)| urn.document_urn().to_owned());
    let stem = match published_in {
        Some(stem) => Some(stem),
        None => store.document_of(&asked).await?,
    };
    let Some(stem) = stem else { return Ok(None) };
    let document = store.document(&stem).await?;
    let retired = store.retired(&stem).await?;
    let published: HashSet<ProvisionId> =
        document.editions.iter().flat_map(|edition| edition.provisions.iter().copied()).collect();
    let carried = |id: &ProvisionId| {
        let mut id = *id;
        for _ in 0..=retired.len() {
            if published.contains(&id) {
                return Some(id);
            }
            id = retired.iter().find(|one| one.id == id)?.heir?;
        }
        None
    };
    let present = match carried(&asked) {
        Some(id) => Some(id),
        // A provision of an edition that takes no part in lineages is one of its own.
        None => store.edition_of(&asked).await?.map(|_| asked),
    };
    let members = match present {
        Some(id) => members(&document, id, store).await?,
        None => Vec::new(),
    };
    let ids: HashSet<ProvisionId> = members.iter().map(|(_, id)| *id).collect();
    let leads = |one: &&Retired| match present {
        Some(_) => carried(&one.id).is_some_and(|id| ids.contains(&id)) && !published.contains(&one.id),
        None => one.id == asked,
    };
    let retired = retired.iter().filter(leads).cloned().collect();
    let id = members.first().map(|(_, oldest)| key.id_of(oldest));
    Ok(Some(Shown { document: stem, id, members, retired }))
}

async fn members(
    document: &LineageDocument,
    id: ProvisionId,
    store: &Store,
) -> Result<Vec<(Urn, ProvisionId)>, norma_store::StoreError> {
    let Some((urn, ordinal)) = store.edition_of(&id).await? else { return Ok(Vec::new()) };
    let edition = document.editions.iter().find(|edition| edition.urn == urn);
    let index =
        edition.and_then(|edition| document.partition.edition(edition.urn.as_str(), &edition.revision));
    let (Some(index), Ok(ordinal)) = (index, u32::try_from(ordinal)) else { return Ok(vec![(urn, id)]) };
    let position = (index, ordinal);
    let mut positions: Vec<_> = document.partition.older(position).collect();
    positions.reverse();
    positions.push(position);
    positions.extend(document.partition.newer(position));
    let member = |(edition, ordinal): (usize, u32)| {
        let state = &document.partition.editions[edition];
        let same = |one: &&norma_store::DocumentEdition| {
            one.urn.as_str() == &*state.urn && *one.revision == *state.revision
        };
        let found = document.editions.iter().find(same)?;
        Some((found.urn.clone(), *found.provisions.get(ordinal as usize)?))
    };
    Ok(positions.into_iter().filter_map(member).collect())
}
