//! Rebuild: stored editions derived again from their stored sources, after the deriving code has changed.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use norma_editions::{clock, lineage, pack};
use norma_model::{Digest, ProvisionId, Urn};
use norma_render::{Compression, PackIndex, PackPart, Picture};
use norma_store::{Entry, Store, StoredEdition, derived_by};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};
use tokio::runtime::Handle;
use tokio::sync::mpsc;

use crate::derive::{DERIVER_VERSION, Derived, DocumentRefusal, File, KnownUrns, derive};
use crate::diagnostics;
use crate::file_index::NotTaken;
use crate::limits::IngestLimits;
use crate::publication::DocumentPublisher;
use crate::share::IngestShare;

/// The changes of a rebuild to the provisions of one edition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rebuilt {
    /// URN under which the edition is stored after the rebuild.
    pub urn: Urn,
    /// The URN that it had before, if it has another one now.
    pub former_urn: Option<Urn>,
    /// The reason why it keeps its URN, when another edition has the one that its document gives.
    pub urn_taken: Option<String>,
    /// Ids that were not there before.
    pub came: Vec<ProvisionId>,
    /// Ids that no longer exist.
    pub went: Vec<ProvisionId>,
    /// Number of ids that stayed.
    pub stayed: usize,
    /// Ids that no longer exist, each with the new id that continues its lineage.
    pub changed: Vec<(ProvisionId, ProvisionId)>,
}

/// Editions read from the catalogue at once.
const PAGE: u32 = 500;

/// The mark behind the version of an edition that is to be derived again. Of a rebuild that is stopped, those
/// with this mark are left, and the next one continues with them.
fn rebuild_mark() -> String {
    format!(", to be rebuilt by {DERIVER_VERSION}")
}

/// The mark behind the version of an edition that could not be derived again: it counts as stale and does not
/// delay other rebuilds.
const FAILED: &str = ", not rebuilt";

/// The deriver of a stored edition with this mark behind its version.
fn marked(stored: &StoredEdition, mark: &str) -> (Urn, String) {
    (stored.urn.clone(), [derived_by(&stored.deriver), mark].concat())
}

/// Rebuilds the editions named, or all of them, or all that the present version did not derive. What the
/// store lost or damaged of their views is put back. One that is interrupted goes on where it stopped. `on`
/// is called for each, with their number. With a share, only its editions are derived, while other machines
/// derive theirs. Then the editions of each document are put in order, and lineages
/// are updated; gives, for people, what of the latter could not be done and why.
pub async fn rebuild(
    store: &Store,
    limits: &IngestLimits,
    urns: Vec<Urn>,
    all: bool,
    share: IngestShare,
    mut on: impl FnMut(Result<Rebuilt, (Urn, DocumentRefusal)>, usize),
) -> Result<Vec<String>, norma_store::StoreError> {
    let stale = stale(store, &urns, all, share).await?;
    let known = stale.len();
    let queue = Arc::new(Mutex::new(stale.into_iter()));
    let (outcomes, mut done) = mpsc::channel(64);
    for _ in 0..limits.workers {
        let (store, limits, queue, outcomes) =
            (store.clone(), limits.clone(), queue.clone(), outcomes.clone());
        let runtime = Handle::current();
        tokio::task::spawn_blocking(move || {
            loop {
                let next = queue.lock().unwrap_or_else(|e| e.into_inner()).next();
                let Some(stored) = next else { return };
                let outcome = rebuild_one(&store, &runtime, &limits, &stored).map_err(|e| (stored.urn, e));
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
    store.renew_order(clock::now()).await?;
    Ok(lineage::update_changed(store, limits.workers, true).await)
}

/// The editions of the share to rebuild. With names or with `all`, they are marked first, unless a rebuild of
/// all was interrupted.
async fn stale(
    store: &Store,
    urns: &[Urn],
    all: bool,
    share: IngestShare,
) -> Result<Vec<StoredEdition>, norma_store::StoreError> {
    let mut stored = stored_editions(store).await?;
    for urn in urns {
        if !stored.iter().any(|stored| stored.urn == *urn) {
            return Err(norma_store::StoreError::Invalid(format!("{urn} is not in the store")));
        }
    }
    // A share marks its own editions alone: another machine may have derived the others already.
    stored.retain(|stored| share.has(stored.urn.as_str()));
    let mark = rebuild_mark();
    if urns.is_empty() {
        let was_interrupted = stored.iter().any(|stored| stored.deriver.ends_with(&mark));
        if !all || was_interrupted {
            // What was marked and is not rebuilt yet has the mark, which is not a version.
            let current = DERIVER_VERSION.to_string();
            stored.retain(|stored| stored.deriver != current);
            return Ok(stored);
        }
    } else {
        stored.retain(|stored| urns.contains(&stored.urn));
    }
    let mut derivers = Vec::with_capacity(stored.len());
    for stored in &stored {
        derivers.push(marked(stored, &mark));
    }
    store.set_derivers(&derivers).await?;
    Ok(stored)
}

async fn stored_editions(store: &Store) -> Result<Vec<StoredEdition>, norma_store::StoreError> {
    let mut stored = Vec::new();
    loop {
        let page = store.editions(stored.last().map(|last: &StoredEdition| &last.urn), PAGE).await?;
        if page.is_empty() {
            return Ok(stored);
        }
        stored.extend(page);
    }
}

/// Rebuilds one, and notes it where that fails.
fn rebuild_one(
    store: &Store,
    runtime: &Handle,
    limits: &IngestLimits,
    stored: &StoredEdition,
) -> Result<Rebuilt, DocumentRefusal> {
    let done = rederive(store, runtime, limits, stored);
    if let Err(
        DocumentRefusal::Lost { .. } | DocumentRefusal::LaterVersion { .. } | DocumentRefusal::Document(_),
    ) = &done
    {
        runtime.block_on(store.set_derivers(&[marked(stored, FAILED)]))?;
    }
    done
}

fn rederive(
    store: &Store,
    runtime: &Handle,
    limits: &IngestLimits,
    stored: &StoredEdition,
) -> Result<Rebuilt, DocumentRefusal> {
    let source = runtime.block_on(source(store, stored))?;
    let ids_before = runtime.block_on(store.provisions(&stored.urn))?.unwrap_or_default();
    let before: HashSet<ProvisionId> = ids_before.into_iter().collect();
    let pictures = runtime.block_on(pictures(store, stored))?;
    let file = |href: &str| {
        let Some(digest) = pictures.get(href) else { return Ok(Err(NotTaken::Missing)) };
        Ok(Ok((href.to_owned(), runtime.block_on(verified_blob(store, digest, "picture", stored))?)))
    };
    let publisher = DocumentPublisher {
        store,
        runtime,
        compression: Compression::default(),
        replace: true,
        repair: true,
        limits,
    };
    let publish = |derived: &Derived| publisher.publish(derived, &source, &stored.origin, file);
    let mut derived = derive_again(store, runtime, limits, stored, &source, file)?;
    let renames = derived.former.is_some();
    let (_, changed) = match publish(&derived) {
        // Another edition has taken the new name meanwhile.
        Err(DocumentRefusal::Store(norma_store::StoreError::Conflict { urn, .. })) if renames => {
            derived = with_stored_urn(limits, stored, &source, Some(&urn), file)?;
            publish(&derived)?
        }
        published => published?,
    };
    let after: HashSet<ProvisionId> = derived.edition.provisions.iter().map(|p| p.id).collect();
    Ok(Rebuilt {
        urn: derived.edition.urn.clone(),
        former_urn: derived.former.map(|former| former.urn),
        urn_taken: diagnostics::message_of_urn_taken(&derived.diagnostics).map(str::to_owned),
        came: after.difference(&before).copied().collect(),
        went: before.difference(&after).copied().collect(),
        stayed: before.intersection(&after).count(),
        changed,
    })
}

/// Derives an edition under the URN that its source gives, unless another one was given, or another edition
/// has it.
fn derive_again(
    store: &Store,
    runtime: &Handle,
    limits: &IngestLimits,
    stored: &StoredEdition,
    source: &[u8],
    file: impl Fn(&str) -> Result<File, DocumentRefusal> + Copy,
) -> Result<Derived, DocumentRefusal> {
    if stored.urn_given {
        return with_stored_urn(limits, stored, source, None, file);
    }
    let derived = match derive(source, KnownUrns { given: None, stored: Some(&stored.urn) }, limits, file) {
        Err(DocumentRefusal::Document(error)) if error.code == "no-identity" => {
            return with_stored_urn(limits, stored, source, None, file);
        }
        derived => derived?,
    };
    let urn = &derived.edition.urn;
    // It is renamed, unless another edition has the new name.
    if derived.former.is_none() || runtime.block_on(store.entry(urn))?.is_none() {
        return Ok(derived);
    }
    with_stored_urn(limits, stored, source, Some(urn), file)
}

/// Derives an edition under its present URN: one that was given, or the old one if the new one is `taken`.
fn with_stored_urn(
    limits: &IngestLimits,
    stored: &StoredEdition,
    source: &[u8],
    taken: Option<&Urn>,
    file: impl Fn(&str) -> Result<File, DocumentRefusal>,
) -> Result<Derived, DocumentRefusal> {
    let mut derived = derive(source, KnownUrns::given(Some(&stored.urn)), limits, file)?;
    if let Some(taken) = taken {
        derived.urn_given = false;
        derived.diagnostics.insert(0, diagnostics::urn_taken(&stored.urn, taken));
    }
    Ok(derived)
}

/// The stored files of an edition's graphics, by the references in the source.
async fn pictures(store: &Store, stored: &StoredEdition) -> Result<HashMap<String, Digest>, DocumentRefusal> {
    match store.entry(&stored.urn).await? {
        Some(entry) if !entry.assets.is_empty() => references(store, &entry, stored).await,
        _ => Ok(HashMap::new()),
    }
}

/// The members of the view of the graphics that are needed, as any version wrote it.
#[derive(Deserialize)]
struct StoredGraphics {
    items: Vec<StoredGraphic>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredGraphic {
    #[serde(alias = "reference")]
    asset_reference: String,
    digest: Option<String>,
}

/// The picture for each reference: by the index, or by the view of the graphics if that cannot be read.
async fn references(
    store: &Store,
    entry: &Arc<Entry>,
    stored: &StoredEdition,
) -> Result<HashMap<String, Digest>, DocumentRefusal> {
    let mut digests = HashMap::new();
    let index = readable_part(store, entry, PackPart::Index).await?;
    if let Some(index) = index.and_then(|bytes| PackIndex::from_bytes(&bytes)) {
        for Picture { reference, digest, .. } in index.pictures {
            if let Some(digest) = digest {
                digests.insert(reference, Digest::from_bytes(digest));
            }
        }
        return Ok(digests);
    }
    let view = readable_part(store, entry, PackPart::Graphics).await?.unwrap_or_default();
    let Ok(view) = serde_json::from_slice::<StoredGraphics>(&view) else {
        return Err(lost("list of pictures", stored));
    };
    for StoredGraphic { asset_reference, digest } in view.items {
        // A graphic without a file has no digest.
        if let Some(Ok(digest)) = digest.map(|digest| digest.parse()) {
            digests.insert(asset_reference, digest);
        }
    }
    Ok(digests)
}

/// A part of a pack; `None` where it is damaged or another version of Norma wrote it.
async fn readable_part(
    store: &Store,
    entry: &Arc<Entry>,
    part: PackPart,
) -> Result<Option<Bytes>, norma_store::StoreError> {
    match pack::part(&store.handle(entry), part).await {
        Err(norma_store::StoreError::Corrupt(_)) => Ok(None),
        read => read,
    }
}

/// The source, if it is there and undamaged.
async fn source(store: &Store, stored: &StoredEdition) -> Result<Bytes, DocumentRefusal> {
    let Some(entry) = store.entry(&stored.urn).await? else { return Err(lost("source", stored)) };
    let source = match pack::part(&store.handle(&entry), PackPart::Source).await {
        Ok(Some(source)) => source,
        Ok(None) => return Err(DocumentRefusal::LaterVersion { origin: stored.origin.clone() }),
        Err(norma_store::StoreError::Corrupt(_)) => return Err(lost("source", stored)),
        Err(error) => return Err(error.into()),
    };
    if Digest::from_bytes(Sha256::digest(&source).into()) != stored.source {
        return Err(lost("source", stored));
    }
    Ok(source)
}

/// The bytes with this digest, if they are there and undamaged.
async fn verified_blob(
    store: &Store,
    digest: &Digest,
    what: &'static str,
    stored: &StoredEdition,
) -> Result<Bytes, DocumentRefusal> {
    match store.blob_verified(digest).await {
        Ok(Some(blob)) => Ok(blob.bytes().clone()),
        Ok(None) | Err(norma_store::StoreError::Corrupt(_)) => Err(lost(what, stored)),
        Err(error) => Err(error.into()),
    }
}

fn lost(what: &'static str, stored: &StoredEdition) -> DocumentRefusal {
    DocumentRefusal::Lost { what, origin: stored.origin.clone() }
}
