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
use norma_store::{Entry, LineageDocument, LineageUpdate, Retired, Store};

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
    let mut links = Vec::new();
    for pair in neighbours(&editions) {
        let mut entries = Vec::with_capacity(2);
        for index in [pair.older, pair.newer] {
            let edition = &document.editions[index];
            match store.entry(&edition.urn).await?.filter(|entry| entry.revision == edition.revision) {
                Some(entry) => entries.push(entry),
                None => return Ok(None),
            }
        }
        let [older, newer] = &entries[..] else { return Ok(None) };
        let found = found_links(store, older, newer, &pair, problems).await?;
        links.push((pair, found));
    }
    let authored: Vec<AuthoredLink<'_>> = document
        .correspondences
        .iter()
        .filter_map(|row| {
            Some(AuthoredLink {
                older_urn: row.older.as_str(),
                older: row.older_id,
                newer_urn: row.newer.as_str(),
                newer: row.newer_id,
                relation: AuthoredRelation::from_word(&row.relation)?,
            })
        })
        .collect();
    let inherited = document.without_heir.iter().filter_map(|one| {
        let heir = heir(&document.partition, &one.edition, one.ordinal, &editions)?;
        (heir != one.id).then(|| Retired { heir: Some(heir), ..one.clone() })
    });
    Ok(Some(LineageUpdate {
        stem: document.stem.clone(),
        wanted: document.wanted,
        matcher: VERSION,
        partition: partition(&editions, &links, &authored),
        inherited: inherited.collect(),
    }))
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
    let id = |units: &[norma_compare::UnitName], index: usize| units.get(index)?.id.parse().ok();
    let link = |link: &norma_compare::Link<norma_compare::PartName>| {
        Some(LineageLink {
            older: id(&record.older, link.older)?,
            newer: id(&record.newer, link.newer)?,
            relation: link.relation,
            confidence: link.confidence,
        })
    };
    record.links.iter().filter_map(link).collect()
}

/// The name that an edition had before.
pub struct FormerName {
    /// Its URN then.
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
    let unknown = |why: &dyn std::fmt::Display| {
        tracing::warn!(urn = %new.urn, %why, "the stored edition cannot be read: ids of provisions that change have no successor");
        Ok(Vec::new())
    };
    let stored_urn = former.map_or(&new.urn, |former| &former.urn);
    // This publication repairs damaged blobs.
    let entry = match store.entry(stored_urn).await {
        Ok(Some(entry)) => entry,
        Ok(None) => return Ok(Vec::new()),
        Err(norma_store::StoreError::Corrupt(why)) => return unknown(&why),
        Err(error) => return Err(error),
    };
    let before = match store.provisions(stored_urn).await {
        Ok(ids) => ids.unwrap_or_default(),
        Err(norma_store::StoreError::Corrupt(why)) => return unknown(&why),
        Err(error) => return Err(error),
    };
    // The new ids by those that the provisions have under the stored name.
    let ids = new.provisions.iter().map(|provision| provision.id);
    let after: HashMap<ProvisionId, ProvisionId> = match former {
        Some(former) => former.ids.iter().copied().zip(ids).collect(),
        None => ids.clone().zip(ids).collect(),
    };
    let mut successors: Vec<(ProvisionId, ProvisionId)> =
        before.iter().filter_map(|id| Some((*id, *after.get(id)?))).filter(|(old, new)| old != new).collect();
    if before.iter().all(|id| after.contains_key(id)) {
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
    let Some(stored) = stored else { return unknown(&"its pack is damaged") };
    let carried = before.iter().filter_map(|id| after.get(id)).copied().collect();
    successors.extend(changed_ids(&stored, &Units::from(new), &|id| after.contains_key(id), &carried));
    Ok(successors)
}

/// The ids of stored provisions that are no longer present, each with that of a new provision that is not
/// among `carried`.
fn changed_ids(
    stored: &Units,
    new: &Units,
    is_present: &dyn Fn(&ProvisionId) -> bool,
    carried: &HashSet<ProvisionId>,
) -> Vec<(ProvisionId, ProvisionId)> {
    let mut changed = Vec::new();
    let pairs: Vec<(Units, Units)> = match stored.languages.is_empty() {
        true => vec![(stored.clone(), new.clone())],
        false => {
            let common = common_languages(stored, new);
            // One that an earlier version stored under its code of three letters.
            let is_short =
                |old: &Lang, new: &Lang| old != new && Lang::of_source(old.as_str()).as_ref() == Ok(new);
            let short = |old| Some((old, new.languages.iter().find(|new| is_short(old, new))?));
            let same = common.iter().map(|language| (language, language));
            let pairs = same.chain(stored.languages.iter().filter_map(short));
            pairs.map(|(old, short)| (stored.in_language(old), new.in_language(short))).collect()
        }
    };
    for (stored, new) in &pairs {
        let comparison = compare(stored, new);
        for link in &comparison.links {
            let ids = (stored.units[link.older].id.parse(), new.units[link.newer].id.parse());
            let (Ok(old), Ok(heir)) = ids else { continue };
            let unites = matches!(link.relation, UnitRelation::Same | UnitRelation::Reworded);
            let is_sure = link.confidence >= Confidence::High;
            if unites && is_sure && !is_present(&old) && !carried.contains(&heir) {
                changed.push((old, heir));
            }
        }
    }
    changed
}
