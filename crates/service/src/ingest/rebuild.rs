//! Rebuild: stored editions derived again from their stored sources, after the deriving code has changed.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use bytes::Bytes;
use norma_model::{Digest, ProvisionId, Urn};
use norma_store::{Kept, Store};
use tokio::sync::mpsc;

use super::derive::{Refusal, derive};
use super::publication::{publication, stored_index};
use crate::config::Ingest;
use crate::render::DERIVER_VERSION;
use crate::render::compress::Compression;

/// What a rebuild did to the provisions of one edition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rebuilt {
    /// The edition.
    pub urn: Urn,
    /// Ids that were not there before.
    pub came: Vec<ProvisionId>,
    /// Ids that are there no more.
    pub went: Vec<ProvisionId>,
    /// How many ids stayed.
    pub stayed: usize,
}

/// Editions read from the catalogue at once.
const PAGE: u32 = 500;

/// Rebuilds the editions named, or all of them, or all that another version derived. Those that are up to date are
/// passed over, so that an interrupted rebuild goes on where it stopped. `on` is told of each, with their number.
pub async fn rebuild(
    store: &Store,
    settings: &Ingest,
    urns: Vec<Urn>,
    all: bool,
    mut on: impl FnMut(Result<Rebuilt, (Urn, Refusal)>, usize),
) -> Result<(), norma_store::Error> {
    let stale = stale(store, &urns, all).await?;
    let known = stale.len();
    let queue = Arc::new(Mutex::new(stale.into_iter()));
    let (outcomes, mut done) = mpsc::channel(64);
    for _ in 0..settings.parallelism() {
        let (store, settings, queue, outcomes) =
            (store.clone(), settings.clone(), queue.clone(), outcomes.clone());
        let runtime = tokio::runtime::Handle::current();
        tokio::task::spawn_blocking(move || {
            loop {
                let next = queue.lock().unwrap_or_else(|e| e.into_inner()).next();
                let Some(kept) = next else { return };
                let outcome = runtime.block_on(one(&store, &settings, &kept)).map_err(|e| (kept.urn, e));
                if outcomes.blocking_send(outcome).is_err() {
                    return;
                }
            }
        });
    }
    drop(outcomes);
    while let Some(outcome) = done.recv().await {
        on(outcome, known);
    }
    Ok(())
}

async fn stale(store: &Store, urns: &[Urn], all: bool) -> Result<Vec<Kept>, norma_store::Error> {
    let current = DERIVER_VERSION.to_string();
    let wanted =
        |kept: &Kept| if urns.is_empty() { all || kept.deriver != current } else { urns.contains(&kept.urn) };
    let mut stale = Vec::new();
    let mut last = None;
    loop {
        let page = store.editions(last.as_ref(), PAGE).await?;
        let Some(end) = page.last() else { break };
        last = Some(end.urn.clone());
        stale.extend(page.into_iter().filter(wanted));
    }
    match urns.iter().find(|urn| !stale.iter().any(|kept| kept.urn == **urn)) {
        Some(unknown) => Err(norma_store::Error::Invalid(format!("{unknown} is not in the store"))),
        None => Ok(stale),
    }
}

async fn one(store: &Store, settings: &Ingest, kept: &Kept) -> Result<Rebuilt, Refusal> {
    let lost = |digest: &Digest| norma_store::Error::Invalid(format!("{} lacks the blob {digest}", kept.urn));
    let source = store.blob(&kept.source).await?.ok_or_else(|| lost(&kept.source))?;
    let before: HashSet<ProvisionId> =
        store.provisions(&kept.urn).await?.unwrap_or_default().into_iter().collect();
    let pictures = pictures(store, kept).await?;
    let derived = derive(&source, Some(&kept.urn), settings, |href| Ok(pictures.get(href).cloned()))?;
    let after: HashSet<ProvisionId> = derived.edition.provisions.iter().map(|p| p.id).collect();
    let publication = publication(&derived, source, kept.origin.clone(), Compression::from(settings), true);
    store.publish(&publication, SystemTime::now()).await?;
    Ok(Rebuilt {
        urn: kept.urn.clone(),
        came: after.difference(&before).copied().collect(),
        went: before.difference(&after).copied().collect(),
        stayed: before.intersection(&after).count(),
    })
}

/// The stored files of an edition's graphics, by the reference that the source makes to each.
async fn pictures(store: &Store, kept: &Kept) -> Result<HashMap<String, (String, Bytes)>, Refusal> {
    let mut pictures = HashMap::new();
    let Some(entry) = store.entry(&kept.urn).await? else { return Ok(pictures) };
    let index = stored_index(store, &entry).await?;
    for picture in index.map(|index| index.pictures).unwrap_or_default() {
        if let Some(digest) = picture.digest.map(Digest::from_bytes)
            && let Some(bytes) = store.blob(&digest).await?
        {
            pictures.insert(picture.reference.clone(), (picture.reference, bytes));
        }
    }
    Ok(pictures)
}
