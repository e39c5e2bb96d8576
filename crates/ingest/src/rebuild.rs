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

/// The changes of a rebuild to the provisions of one edition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rebuilt {
    /// The edition.
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

/// The same for one that could not be derived again: it counts as stale and does not delay other rebuilds.
const FAILED: &str = ", not rebuilt";

/// The deriver of a stored edition with this mark behind its version.
fn marked(stored: &StoredEdition, mark: &str) -> (Urn, String) {
    (stored.urn.clone(), [derived_by(&stored.deriver), mark].concat())
}

/// Rebuilds the editions named, or all of them, or all that the present version did not derive. What the
/// store lost or damaged of their views is put back. One that is interrupted goes on where it stopped. `on`
/// is called for each, with their number. Then the editions of each document are put in order, and lineages
/// are updated; gives, for people, what of the latter could not be done and why.
pub async fn rebuild(
    store: &Store,
    limits: &IngestLimits,
    urns: Vec<Urn>,
    all: bool,
    mut on: impl FnMut(Result<Rebuilt, (Urn, DocumentRefusal)>, usize),
) -> Result<Vec<String>, norma_store::StoreError> {
    let stale = stale(store, &urns, all).await?;
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

/// The editions to rebuild. With names or with `all`, they are marked first, unless a rebuild of all was
/// interrupted.
async fn stale(
    store: &Store,
    urns: &[Urn],
    all: bool,
) -> Result<Vec<StoredEdition>, norma_store::StoreError> {
    let mut stored = stored_editions(store).await?;
    if let Some(unknown) = urns.iter().find(|urn| !stored.iter().any(|stored| stored.urn == **urn)) {
        return Err(norma_store::StoreError::Invalid(format!("{unknown} is not in the store")));
    }
    let (current, mark) = (DERIVER_VERSION.to_string(), rebuild_mark());
    let was_interrupted = stored.iter().any(|stored| stored.deriver.ends_with(&mark));
    if !urns.is_empty() {
        stored.retain(|stored| urns.contains(&stored.urn));
    } else if !all || was_interrupted {
        stored.retain(|stored| stored.deriver != current);
        return Ok(stored);
    }
    let derivers: Vec<_> = stored.iter().map(|stored| marked(stored, &mark)).collect();
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
    let before: HashSet<ProvisionId> =
        runtime.block_on(store.provisions(&stored.urn))?.unwrap_or_default().into_iter().collect();
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
    };
    let publish = |derived: &Derived| publisher.publish(derived, &source, &stored.origin, file);
    let mut derived = derive_again(store, runtime, limits, stored, &source, file)?;
    let (_, changed) = match publish(&derived) {
        // Another edition has taken the new name meanwhile.
        Err(DocumentRefusal::Store(norma_store::StoreError::Conflict { urn, .. }))
            if derived.former.is_some() =>
        {
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
        Some(entry) if !entry.assets.is_empty() => {
            Ok(references(store, &entry, stored).await?.into_iter().collect())
        }
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
) -> Result<Vec<(String, Digest)>, DocumentRefusal> {
    let readable = |bytes: Result<Option<Bytes>, norma_store::StoreError>| match bytes {
        Err(norma_store::StoreError::Corrupt(_)) => Ok(None),
        bytes => bytes,
    };
    let index = readable(pack::part(&store.handle(entry), PackPart::Index).await)?;
    if let Some(index) = index.and_then(|bytes| PackIndex::from_bytes(&bytes)) {
        let digest = |picture: Picture| Some((picture.reference, Digest::from_bytes(picture.digest?)));
        return Ok(index.pictures.into_iter().filter_map(digest).collect());
    }
    let view = readable(pack::part(&store.handle(entry), PackPart::Graphics).await)?.unwrap_or_default();
    match serde_json::from_slice::<StoredGraphics>(&view) {
        Ok(view) => {
            let digest = |one: StoredGraphic| Some((one.asset_reference, one.digest?.parse().ok()?));
            Ok(view.items.into_iter().filter_map(digest).collect())
        }
        Err(_) => Err(lost("list of pictures", stored)),
    }
}

/// The source, if it is there and undamaged.
async fn source(store: &Store, stored: &StoredEdition) -> Result<Bytes, DocumentRefusal> {
    let Some(entry) = store.entry(&stored.urn).await? else { return Err(lost("source", stored)) };
    let found = match pack::part(&store.handle(&entry), PackPart::Source).await {
        Err(norma_store::StoreError::Corrupt(_)) => None,
        found => Some(found?.ok_or_else(|| DocumentRefusal::LaterVersion { origin: stored.origin.clone() })?),
    };
    let same = |bytes: &Bytes| Digest::from_bytes(Sha256::digest(bytes).into()) == stored.source;
    found.filter(same).ok_or_else(|| lost("source", stored))
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
