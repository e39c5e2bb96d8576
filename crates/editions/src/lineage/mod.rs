//! Lineages of stored documents: made from the comparisons of neighbouring editions after each change of a
//! document.
//!
//! The store counts the changes of a document in the transaction that makes them, so that the next reader or
//! writer finds what is left to do: an ingest that was stopped after its commit leaves a document whose
//! partition is made by the next ingest, rebuild or request.

mod import;
mod refresh;
mod show;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use norma_compare::{
    AuthoredLink, AuthoredRelation, ComparisonRecord, Confidence, LineageEdition, LineageLink, Neighbours,
    UnitRelation, Units, VERSION, common_languages, compare, heir, neighbours, partition,
};
use norma_model::{Lang, ProvisionId, Urn};
use norma_render::{PackPart, units_of_provisions};
use norma_store::{DocumentEdition, Entry, LineageDocument, LineageUpdate, Retired, Store};

pub use self::import::{COLUMNS, ImportError, ImportRow, Imported, import, parse};
pub use self::refresh::Refresher;
pub use self::show::{Shown, show};
use crate::comparison::{self, ComparisonError};
use crate::pack;

/// Most attempts at a document that others change meanwhile.
const ATTEMPTS: u32 = 8;

/// Makes the partition of a document into lineages, unless it is that of its present editions. Makes the
/// comparisons for it too. Two at once are safe: what the document changed to meanwhile decides whose result
/// is stored. Gives, for people, which neighbours cannot be compared and why; no lineage reaches across them.
///
/// # Errors
/// Those of the store.
pub async fn update(store: &Store, stem: &str) -> Result<Vec<String>, norma_store::StoreError> {
    for _ in 0..ATTEMPTS {
        let document = store.document(stem).await?;
        // The partition of a later version is kept: the program that made it makes it again.
        if document.is_fresh(VERSION) || document.matcher > VERSION {
            return Ok(Vec::new());
        }
        // Before comparing for nothing.
        if store.is_read_only() {
            return Err(norma_store::StoreError::ReadOnly);
        }
        let mut problems = Vec::new();
        let Some(update) = derive(store, &document, &mut problems).await? else { continue };
        if store.put_lineages(&update, crate::clock::now()).await? {
            return Ok(problems);
        }
    }
    Err(norma_store::StoreError::Contended(format!("{stem} changes again and again")))
}

/// Updates all documents that changed since their partition was made, some `at_once`. With `renew`, also
/// those with a partition of another version of the matcher. Gives, for people, what could not be done and
/// why: one document stops no other, and the next update tries again.
pub async fn update_changed(store: &Store, at_once: usize, renew: bool) -> Vec<String> {
    let (mut problems, mut after) = (Vec::new(), String::new());
    loop {
        let stems = match store.changed_documents(renew.then_some(VERSION), &after).await {
            Ok(stems) => stems,
            Err(error) => {
                problems
                    .push(format!("lineages are not updated: {error}; the next ingest or rebuild does it"));
                return problems;
            }
        };
        let Some(last) = stems.last() else { return problems };
        after.clone_from(last);
        for chunk in stems.chunks(at_once.max(1)) {
            let updates = chunk.iter().map(|stem| update(store, stem));
            for (stem, done) in chunk.iter().zip(futures::future::join_all(updates).await) {
                match done {
                    Ok(more) => problems.extend(more),
                    Err(error) => problems.push(format!("lineages of {stem} are not updated: {error}")),
                }
            }
        }
    }
}

/// The partition of a document as it was read; `None` if the document changed meanwhile.
async fn derive(
    store: &Store,
    document: &LineageDocument,
    problems: &mut Vec<String>,
) -> Result<Option<LineageUpdate>, norma_store::StoreError> {
    let editions: Vec<LineageEdition<'_>> = document
        .editions
        .iter()
        .map(|edition| LineageEdition {
            urn: edition.urn.as_str(),
            revision: &edition.revision,
            languages: &edition.languages,
            provisions: &edition.provisions,
        })
        .collect();
    let Some(links) = neighbour_links(store, document, &editions, problems).await? else { return Ok(None) };
    let mut authored = Vec::new();
    for row in &document.correspondences {
        // A relation that only a later version knows is left out.
        if let Some(relation) = AuthoredRelation::from_word(&row.relation) {
            authored.push(AuthoredLink {
                older_urn: row.older.as_str(),
                older: row.older_id,
                newer_urn: row.newer.as_str(),
                newer: row.newer_id,
                relation,
            });
        }
    }
    let mut inherited = Vec::new();
    for one in &document.without_heir {
        let heir = heir(&document.partition, &one.edition, one.ordinal, &editions);
        if heir.is_some_and(|heir| heir != one.id) {
            inherited.push(Retired { heir, ..one.clone() });
        }
    }
    Ok(Some(LineageUpdate {
        stem: document.stem.clone(),
        wanted: document.wanted,
        matcher: VERSION,
        partition: partition(&editions, &links, &authored),
        inherited,
    }))
}

/// The links between each two neighbours; `None` if one of them changed meanwhile.
async fn neighbour_links(
    store: &Store,
    document: &LineageDocument,
    editions: &[LineageEdition<'_>],
    problems: &mut Vec<String>,
) -> Result<Option<Vec<(Neighbours, Vec<LineageLink>)>>, norma_store::StoreError> {
    let mut links = Vec::new();
    for pair in neighbours(editions) {
        let Some(older) = present_entry(store, &document.editions[pair.older]).await? else {
            return Ok(None);
        };
        let Some(newer) = present_entry(store, &document.editions[pair.newer]).await? else {
            return Ok(None);
        };
        let found = found_links(store, &older, &newer, &pair, problems).await?;
        links.push((pair, found));
    }
    Ok(Some(links))
}

/// The entry of an edition, if it is still in the revision that was read with its document.
async fn present_entry(
    store: &Store,
    edition: &DocumentEdition,
) -> Result<Option<Arc<Entry>>, norma_store::StoreError> {
    let entry = store.entry(&edition.urn).await?;
    Ok(entry.filter(|entry| entry.revision == edition.revision))
}

async fn found_links(
    store: &Store,
    older: &Arc<Entry>,
    newer: &Arc<Entry>,
    Neighbours { language, .. }: &Neighbours,
    problems: &mut Vec<String>,
) -> Result<Vec<LineageLink>, norma_store::StoreError> {
    match comparison::of_neighbours(&store.handle(older), &store.handle(newer), language).await {
        Ok(record) => Ok(record_links(&record)),
        Err(ComparisonError::Store(error)) if !matches!(error, norma_store::StoreError::Corrupt(_)) => {
            Err(error)
        }
        Err(error) => {
            let (older, newer) = (&older.summary.urn, &newer.summary.urn);
            problems.push(format!("no lineage reaches from {older} to {newer}: {error}"));
            Ok(Vec::new())
        }
    }
}

fn record_links(record: &ComparisonRecord) -> Vec<LineageLink> {
    let mut links = Vec::with_capacity(record.links.len());
    for link in &record.links {
        let older = unit_id(&record.older, link.older);
        let newer = unit_id(&record.newer, link.newer);
        if let (Some(older), Some(newer)) = (older, newer) {
            links.push(LineageLink { older, newer, relation: link.relation, confidence: link.confidence });
        }
    }
    links
}

fn unit_id(units: &[norma_compare::UnitName], index: usize) -> Option<ProvisionId> {
    units.get(index)?.id.parse().ok()
}

/// The name that an edition had before.
pub struct FormerName {
    /// URN of the edition before it was renamed.
    pub urn: Urn,
    /// The ids of its provisions under that URN, in document order.
    pub ids: Vec<ProvisionId>,
}

/// The ids of an edition's stored provisions that a new derivation of it no longer gives, each with the id
/// that continues its lineage. A comparison of the two derivations finds them. An edition that had another
/// name before changes all its ids.
pub async fn successors(
    store: &Store,
    new: &norma_model::EditionParts,
    former: Option<&FormerName>,
) -> Result<Vec<(ProvisionId, ProvisionId)>, norma_store::StoreError> {
    let stored_urn = former.map_or(&new.urn, |former| &former.urn);
    // This publication repairs damaged blobs.
    let entry = match store.entry(stored_urn).await {
        Ok(Some(entry)) => entry,
        Ok(None) => return Ok(Vec::new()),
        Err(norma_store::StoreError::Corrupt(why)) => return Ok(no_successors(&new.urn, &why)),
        Err(error) => return Err(error),
    };
    let before = match store.provisions(stored_urn).await {
        Ok(ids) => ids.unwrap_or_default(),
        Err(norma_store::StoreError::Corrupt(why)) => return Ok(no_successors(&new.urn, &why)),
        Err(error) => return Err(error),
    };
    // The new ids by those that the provisions have under the stored name.
    let mut after = HashMap::with_capacity(new.provisions.len());
    for (index, provision) in new.provisions.iter().enumerate() {
        let under_stored_name = match former {
            Some(former) => former.ids.get(index),
            None => Some(&provision.id),
        };
        if let Some(id) = under_stored_name {
            after.insert(*id, provision.id);
        }
    }
    let (mut successors, mut carried) = (Vec::new(), HashSet::new());
    let mut is_each_carried = true;
    for old in &before {
        let Some(new) = after.get(old) else {
            is_each_carried = false;
            continue;
        };
        carried.insert(*new);
        if old != new {
            successors.push((*old, *new));
        }
    }
    if is_each_carried {
        return Ok(successors);
    }
    let stored = match comparison::units(&store.handle(&entry)).await {
        Ok(units) => Some(units),
        Err(ComparisonError::Store(error)) if !matches!(error, norma_store::StoreError::Corrupt(_)) => {
            return Err(error);
        }
        // Provisions are written in one form by all versions.
        Err(_) => match pack::part(&store.handle(&entry), PackPart::Provisions).await {
            Ok(provisions) => provisions.and_then(|bytes| units_of_provisions(&bytes)),
            Err(norma_store::StoreError::Corrupt(_)) => None,
            Err(error) => return Err(error),
        },
    };
    let Some(stored) = stored else { return Ok(no_successors(&new.urn, "its pack is damaged")) };
    successors.extend(changed_ids(&stored, &Units::from(new), &after, &carried));
    Ok(successors)
}

/// The successors where the stored edition is damaged.
fn no_successors(urn: &Urn, why: &str) -> Vec<(ProvisionId, ProvisionId)> {
    tracing::warn!(%urn, %why, "the stored edition cannot be read: ids of provisions that change have no successor");
    Vec::new()
}

/// The ids of stored provisions that are not among the keys of `present`, each with that of a new provision
/// that is not among `carried`.
fn changed_ids(
    stored: &Units,
    new: &Units,
    present: &HashMap<ProvisionId, ProvisionId>,
    carried: &HashSet<ProvisionId>,
) -> Vec<(ProvisionId, ProvisionId)> {
    let mut changed = Vec::new();
    for (stored, new) in &common_units(stored, new) {
        let comparison = compare(stored, new);
        for link in &comparison.links {
            let ids = (stored.units[link.older].id.parse(), new.units[link.newer].id.parse());
            let (Ok(old), Ok(heir)) = ids else { continue };
            let unites = matches!(link.relation, UnitRelation::Same | UnitRelation::Reworded);
            let is_sure = link.confidence >= Confidence::High;
            if unites && is_sure && !present.contains_key(&old) && !carried.contains(&heir) {
                changed.push((old, heir));
            }
        }
    }
    changed
}

/// The units of two editions in each language that both have.
fn common_units(stored: &Units, new: &Units) -> Vec<(Units, Units)> {
    if stored.languages.is_empty() {
        return vec![(stored.clone(), new.clone())];
    }
    let mut pairs = Vec::new();
    for language in common_languages(stored, new) {
        pairs.push((stored.in_language(&language), new.in_language(&language)));
    }
    // A language that an earlier version stored under its code of three letters.
    for old in &stored.languages {
        let Ok(short) = Lang::of_source(old.as_str()) else { continue };
        if short != *old && new.languages.contains(&short) {
            pairs.push((stored.in_language(old), new.in_language(&short)));
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use norma_compare::{ComparisonSection, ComparisonUnit, UnitsParts};

    use super::*;

    fn id(n: u8) -> ProvisionId {
        ProvisionId::from_bytes([n; 16])
    }

    /// Units in one language, each an id and a text.
    fn units(language: &str, texts: &[(u8, &str)]) -> Units {
        let language: Lang = language.parse().unwrap();
        let mut units = Vec::new();
        for (n, text) in texts {
            let (id, text) = (id(*n).to_string().into(), (*text).into());
            units.push(ComparisonUnit { id, text, ..ComparisonUnit::default() });
        }
        let section = ComparisonSection { language: Some(language.clone()), ..ComparisonSection::default() };
        let (languages, sections) = (vec![language], vec![section]);
        Units::new(UnitsParts { languages, sections, units, ..UnitsParts::default() }).unwrap()
    }

    #[test]
    fn a_provision_with_another_id_is_continued_by_the_one_with_its_text() {
        let stored = units("en", &[(1, "Anchors shall be marked."), (2, "Nails may rust.")]);
        let new = units("en", &[(3, "Anchors shall be marked."), (2, "Nails may rust.")]);
        let present = HashMap::from([(id(2), id(2)), (id(3), id(3))]);
        let changed = changed_ids(&stored, &new, &present, &HashSet::from([id(2)]));
        assert_eq!(changed, [(id(1), id(3))]);
    }

    #[test]
    fn no_provision_is_continued_by_one_that_continues_another() {
        let stored = units("en", &[(1, "Anchors shall be marked.")]);
        let new = units("en", &[(3, "Anchors shall be marked.")]);
        assert!(changed_ids(&stored, &new, &HashMap::new(), &HashSet::from([id(3)])).is_empty());
    }

    #[test]
    fn a_language_under_its_code_of_three_letters_is_compared_with_the_short_code() {
        let text = "Anker müssen halten.";
        let stored = units("deu", &[(1, text)]);
        let found = |new: &Units| changed_ids(&stored, new, &HashMap::new(), &HashSet::new());
        assert_eq!(found(&units("de", &[(2, text)])), [(id(1), id(2))]);
        assert!(found(&units("fr", &[(2, text)])).is_empty());
    }
}
