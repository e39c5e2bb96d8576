//! What the store keeps of a document: put together when it is published, and read back where ingest needs it.

use std::time::SystemTime;

use bytes::Bytes;
use norma_api::media::View;
use norma_model::Identifier;
use norma_store::{Blob, Encoding, Entry, Outcome, Publication, Store, Summary};
use tokio::runtime::Handle;

use super::derive::Derived;
use super::flaws;
use crate::render::compress::{self, Compression, Stream};
use crate::render::{self, DERIVER_VERSION, INDEX, Index};

/// Bytes of views that are held before they go to the store: those of a small document go with its publication, in one
/// transaction; of a large one only so much is in memory at a time.
const HELD: u64 = 2 << 20;

/// How often a large document's views are made when a collector that waits for nothing takes them away again.
const ATTEMPTS: u32 = 4;

/// Publishes documents, from a thread that may wait.
pub(super) struct Publisher<'a> {
    pub(super) store: &'a Store,
    pub(super) runtime: &'a Handle,
    pub(super) how: Compression,
    pub(super) replace: bool,
    pub(super) mend: bool,
}

impl Publisher<'_> {
    /// Renders the views of a document, compresses them and publishes it.
    pub(super) fn publish(
        &self,
        derived: &Derived,
        source: &Bytes,
        origin: &str,
    ) -> Result<Outcome, norma_store::Error> {
        let mut attempt = 1;
        loop {
            match self.attempt(derived, source, origin) {
                Err(norma_store::Error::Contended(cause)) if attempt < ATTEMPTS => {
                    tracing::debug!(%cause, attempt, "a document is published again");
                    attempt += 1;
                }
                outcome => return outcome,
            }
        }
    }

    fn attempt(
        &self,
        derived: &Derived,
        source: &Bytes,
        origin: &str,
    ) -> Result<Outcome, norma_store::Error> {
        let publication = publication(derived, source.clone(), origin, self);
        if self.runtime.block_on(self.store.holds(&publication))? {
            return Ok(Outcome::Unchanged);
        }
        let mut filling = Filling { publisher: self, publication, held: 0 };
        filling.coded(View::Source, source.clone())?;
        let Derived { edition, assets, revision, .. } = derived;
        let index = render::render(edition, assets, revision, |view, bytes| filling.coded(view, bytes))?;
        filling.add(INDEX, Encoding::Identity, index.to_bytes().into())?;
        filling.add(flaws::STORED, Encoding::Identity, flaws::to_bytes(&derived.diagnostics).into())?;
        self.runtime.block_on(self.store.publish(&filling.publication, SystemTime::now()))
    }
}

/// A publication that gets its views one by one.
struct Filling<'a> {
    publisher: &'a Publisher<'a>,
    publication: Publication,
    held: u64,
}

impl Filling<'_> {
    /// Adds a view in all encodings.
    fn coded(&mut self, view: View, bytes: Bytes) -> Result<(), norma_store::Error> {
        let how = self.publisher.how;
        let (sent, stream) = match render::has_standing(view) {
            true => (&bytes[1..], Stream::Tail),
            false => (&bytes[..], Stream::Whole),
        };
        for (encoding, form) in compress::forms(sent, stream, how) {
            self.add(view.name(), encoding, form.into())?;
        }
        self.add(view.name(), Encoding::Identity, bytes)
    }

    fn add(&mut self, name: &str, encoding: Encoding, bytes: Bytes) -> Result<(), norma_store::Error> {
        self.held += bytes.len() as u64;
        self.publication.views.push((name.to_owned(), encoding, Blob::new(bytes)));
        if self.held < HELD {
            return Ok(());
        }
        let (views, blobs): (Vec<_>, Vec<_>) = self.publication.views.drain(..).map(laid).unzip();
        let Publisher { store, runtime, .. } = self.publisher;
        runtime.block_on(store.lay(&blobs, self.publication.mend, SystemTime::now()))?;
        self.publication.laid.extend(views);
        self.held = 0;
        Ok(())
    }
}

fn laid((name, encoding, blob): (String, Encoding, Blob)) -> (norma_store::View, Blob) {
    (norma_store::View { name, encoding, digest: blob.digest(), size: blob.size() }, blob)
}

/// All that the store keeps of a document but its views.
fn publication(derived: &Derived, source: Bytes, origin: &str, how: &Publisher<'_>) -> Publication {
    let edition = &derived.edition;
    let metadata = &edition.metadata;
    Publication {
        summary: Summary {
            urn: edition.urn.clone(),
            reference: metadata.reference.clone(),
            title: metadata.title().map(|t| t.full.clone()).unwrap_or_default(),
            publisher: metadata.publisher.clone(),
            number: metadata.number.clone(),
            part: metadata.part.clone(),
            supplement: metadata.supplement.clone(),
            languages: metadata.languages.clone(),
            kind: metadata.standard_type,
            published_on: metadata.published_on().cloned(),
            ics: edition.ics.iter().map(|i| i.code.clone()).collect(),
        },
        status: edition.status,
        original: metadata.languages.first().is_some_and(|l| l.primary() == "en"),
        source: Blob::new(source),
        deriver: DERIVER_VERSION.to_string(),
        revision: derived.revision.clone(),
        origin: origin.to_owned(),
        // What could never be asked for needs no alias.
        aliases: metadata.identifiers.iter().filter_map(|id| Identifier::parse(id).ok()).collect(),
        relations: edition.relations.clone(),
        provisions: edition.provisions.iter().map(|p| p.id).collect(),
        views: Vec::new(),
        laid: Vec::new(),
        assets: derived
            .assets
            .iter()
            .flatten()
            .filter_map(|asset| Some((asset.clone(), derived.files.get(&asset.digest)?.clone())))
            .collect(),
        replace: how.replace,
        mend: how.mend,
    }
}

/// The stored index of an edition; `None` when another version wrote it.
pub(super) async fn stored_index(store: &Store, entry: &Entry) -> Result<Option<Index>, norma_store::Error> {
    Ok(stored(store, entry, INDEX).await?.and_then(|bytes| Index::from_bytes(&bytes)))
}

/// The plain bytes stored under a name beside the views.
pub(super) async fn stored(
    store: &Store,
    entry: &Entry,
    name: &str,
) -> Result<Option<Bytes>, norma_store::Error> {
    match entry.view(name, Encoding::Identity) {
        Some(view) => store.blob(&view.digest).await,
        None => Ok(None),
    }
}
