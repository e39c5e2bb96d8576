//! One lineage, for the operator of the store, without a check of grants.

use std::collections::HashSet;

use norma_model::lineage::{Asked, PartitionPosition};
use norma_model::{LineageId, ProvisionId, Urn};
use norma_store::{LineageDocument, Retired, Store};

/// A lineage with its members and with the ids that led to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Name of the document: the URN of an edition without edition and language.
    pub document: String,
    /// Id of the lineage; `None` where it no longer has a member.
    pub id: Option<LineageId>,
    /// The members, each with its edition, oldest first.
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
    let published_in = store.edition_of(&asked).await?;
    let stem = match &published_in {
        Some((urn, _)) => Some(urn.document_urn().to_owned()),
        None => store.document_of(&asked).await?,
    };
    let Some(stem) = stem else { return Ok(None) };
    let document = store.document(&stem).await?;
    let retired = store.retired(&stem).await?;
    let mut published = HashSet::new();
    for edition in &document.editions {
        published.extend(edition.provisions.iter().copied());
    }
    let present = match carried(asked, &published, &retired) {
        Some(id) => Some(id),
        // A provision of an edition that takes no part in lineages is one of its own.
        None => store.edition_of(&asked).await?.map(|_| asked),
    };
    let members = match present {
        Some(id) => members(&document, id, store).await?,
        None => Vec::new(),
    };
    let ids: HashSet<ProvisionId> = members.iter().map(|(_, id)| *id).collect();
    let mut leading = Vec::new();
    for one in &retired {
        let leads = match present {
            // An id that is published again leads to itself.
            Some(_) if published.contains(&one.id) => false,
            Some(_) => carried(one.id, &published, &retired).is_some_and(|id| ids.contains(&id)),
            // No provision carries the asked id on: that id is all that is left of it.
            None => one.id == asked,
        };
        if leads {
            leading.push(one.clone());
        }
    }
    let id = members.first().map(|(_, oldest)| key.id_of(oldest));
    Ok(Some(Shown { document: stem, id, members, retired: leading }))
}

/// The published provision for an id: its own, or the one that its heirs lead to.
fn carried(id: ProvisionId, published: &HashSet<ProvisionId>, retired: &[Retired]) -> Option<ProvisionId> {
    let mut id = id;
    // More steps than retired ids would go in a circle.
    for _ in 0..=retired.len() {
        if published.contains(&id) {
            return Some(id);
        }
        id = retired.iter().find(|one| one.id == id)?.heir?;
    }
    None
}

async fn members(
    document: &LineageDocument,
    id: ProvisionId,
    store: &Store,
) -> Result<Vec<(Urn, ProvisionId)>, norma_store::StoreError> {
    let Some((urn, ordinal)) = store.edition_of(&id).await? else { return Ok(Vec::new()) };
    let Some(position) = position(document, &urn, ordinal) else { return Ok(vec![(urn, id)]) };
    let mut positions: Vec<_> = document.partition.older(position).collect();
    positions.reverse();
    positions.push(position);
    positions.extend(document.partition.newer(position));
    let mut members = Vec::with_capacity(positions.len());
    for position in positions {
        members.extend(member(document, position));
    }
    Ok(members)
}

/// The position of a provision in the partition; `None` where the partition is of another state of its
/// edition, or the edition takes no part in lineages.
fn position(document: &LineageDocument, urn: &Urn, ordinal: usize) -> Option<PartitionPosition> {
    let edition = document.editions.iter().find(|edition| edition.urn == *urn)?;
    let index = document.partition.edition(urn.as_str(), &edition.revision)?;
    Some((index, u32::try_from(ordinal).ok()?))
}

/// The provision at a position, if its edition is still in the state of the partition.
fn member(document: &LineageDocument, (edition, ordinal): PartitionPosition) -> Option<(Urn, ProvisionId)> {
    let state = &document.partition.editions[edition];
    for one in &document.editions {
        if one.urn.as_str() == &*state.urn && *one.revision == *state.revision {
            let id = one.provisions.get(ordinal as usize)?;
            return Some((one.urn.clone(), *id));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(n: u8) -> ProvisionId {
        ProvisionId::from_bytes([n; 16])
    }

    fn retired(own: u8, heir: Option<u8>) -> Retired {
        Retired {
            id: id(own),
            edition: "urn:nsb:std:nsb:1:ed-1:en".to_owned(),
            ordinal: 0,
            heir: heir.map(id),
            revision: "r".to_owned(),
            by_rules: false,
        }
    }

    #[test]
    fn an_id_leads_to_the_published_provision_at_the_end_of_its_heirs() {
        let published = HashSet::from([id(1)]);
        let chain = [retired(3, Some(2)), retired(2, Some(1)), retired(4, None), retired(5, Some(6))];
        for (asked, found) in [(1, Some(id(1))), (2, Some(id(1))), (3, Some(id(1))), (4, None), (5, None)] {
            assert_eq!(carried(id(asked), &published, &chain), found, "{asked}");
        }
    }

    #[test]
    fn heirs_in_a_circle_lead_nowhere() {
        let circle = [retired(2, Some(3)), retired(3, Some(2))];
        assert_eq!(carried(id(2), &HashSet::from([id(1)]), &circle), None);
    }
}
