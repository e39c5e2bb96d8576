//! What the store keeps of a document: put together when it is published, and read back where ingest needs it.

use std::collections::HashSet;
use std::time::SystemTime;

use bytes::Bytes;
use norma_api::media::View;
use norma_model::{Asset, AssetSource, Edition, Identifier};
use norma_store::{Blob, Encoding, Entry, Outcome, Publication, Store, Summary};
use tokio::runtime::Handle;

use super::derive::{Derived, File, Refusal};
use super::flaws;
use crate::render::compress::{self, Compression, Stream};
use crate::render::{self, DERIVER_VERSION, INDEX, Index};

/// Bytes of pictures and views that are held before they go to the store: those of a small document go with its publication, in
/// one transaction; of a large one only so much is in memory at a time.
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
    /// Renders the views of a document, compresses them and publishes it. `file` gives what it gave when the document was
    /// derived.
    pub(super) fn publish(
        &self,
        derived: &Derived,
        source: &Bytes,
        origin: &str,
        file: impl Fn(&str) -> Result<File, Refusal>,
    ) -> Result<Outcome, Refusal> {
        let mut attempt = 1;
        loop {
            match self.attempt(derived, source, origin, &file) {
                Err(Refusal::Store(norma_store::Error::Contended(cause))) if attempt < ATTEMPTS => {
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
        file: impl Fn(&str) -> Result<File, Refusal>,
    ) -> Result<Outcome, Refusal> {
        let publication = publication(derived, source.clone(), origin, self);
        if self.runtime.block_on(self.store.holds(&publication))? {
            return Ok(Outcome::Unchanged);
        }
        let mut filling = Filling { publisher: self, publication, held: 0 };
        filling.coded(View::Source, source.clone())?;
        let Derived { edition, assets, revision, .. } = derived;
        filling.pictures(edition, assets, file)?;
        let index = render::render(edition, assets, revision, |view, bytes| filling.coded(view, bytes))?;
        filling.add(INDEX, Encoding::Identity, index.to_bytes().into())?;
        filling.add(flaws::STORED, Encoding::Identity, flaws::to_bytes(&derived.diagnostics).into())?;
        Ok(self.runtime.block_on(self.store.publish(&filling.publication, SystemTime::now()))?)
    }
}

/// A publication that gets its pictures and views one by one.
struct Filling<'a> {
    publisher: &'a Publisher<'a>,
    publication: Publication,
    held: u64,
}

impl Filling<'_> {
    /// Adds the bytes of each picture once.
    fn pictures(
        &mut self,
        edition: &Edition,
        assets: &[Option<Asset>],
        file: impl Fn(&str) -> Result<File, Refusal>,
    ) -> Result<(), Refusal> {
        let mut added = HashSet::new();
        for (graphic, asset) in edition.graphics.iter().zip(assets) {
            let Some(asset) = asset.as_ref().filter(|asset| added.insert(asset.digest)) else { continue };
            let bytes = match &graphic.source {
                AssetSource::Embedded { bytes, .. } => Some(Bytes::copy_from_slice(bytes)),
                AssetSource::Href(href) => file(href)?.ok().map(|(_, bytes)| bytes),
                AssetSource::Missing => None,
            };
            let blob = bytes.map(Blob::new).filter(|blob| blob.digest() == asset.digest);
            let blob = blob.ok_or_else(|| Refusal::Changed { reference: graphic.reference.clone() })?;
            self.held += blob.size();
            self.publication.assets.push(asset.clone());
            self.publication.pictures.push(blob);
            self.lay_many()?;
        }
        Ok(())
    }

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
        self.lay_many()
    }

    /// Lays what is held once it is much.
    fn lay_many(&mut self) -> Result<(), norma_store::Error> {
        if self.held < HELD {
            return Ok(());
        }
        let (views, mut blobs): (Vec<_>, Vec<_>) = self.publication.views.drain(..).map(laid).unzip();
        blobs.append(&mut self.publication.pictures);
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
        assets: Vec::new(),
        pictures: Vec::new(),
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

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::super::derive::derive;
    use super::*;
    use crate::config::{Layers, Origin};

    const DOCUMENT: &str = "<standard xmlns:xlink='http://www.w3.org/1999/xlink'><front><std-meta><title-wrap><full>Pegs</full>\
        </title-wrap><std-ident><originator>NSB</originator><doc-type>IS</doc-type><doc-number>1</doc-number>\
        <edition>1</edition></std-ident><content-language>en</content-language><std-ref type='dated'>NSB 1:2020</std-ref>\
        </std-meta></front><body><sec><fig><graphic xlink:href='peg.png'/></fig></sec></body></standard>";

    #[test]
    fn a_picture_that_changes_meanwhile_is_refused_and_nothing_is_published() {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("norma.db").display().to_string();
        let settings = Layers::default().set("store", &path, Origin::Command).unwrap().settings().unwrap();
        let store = runtime.block_on(crate::stores::open_store(&settings.store)).unwrap();
        let limits = settings.ingest;
        let publisher = Publisher {
            store: &store,
            runtime: runtime.handle(),
            how: Compression::from(&limits),
            replace: false,
            mend: false,
        };
        let source = Bytes::from_static(DOCUMENT.as_bytes());
        let asked = Cell::new(0);
        let changing = |_: &str| {
            asked.set(asked.get() + 1);
            Ok(Ok(("peg.gif".to_owned(), Bytes::from(format!("GIF89a {}", asked.get())))))
        };
        let derived = derive(&source, None, &limits, changing).unwrap();
        let refused = publisher.publish(&derived, &source, "peg.xml", changing).unwrap_err();
        assert!(refused.to_string().contains("`peg.png` changed"), "{refused}");
        assert_eq!(runtime.block_on(store.stats()).unwrap().editions, 0);
        let same = |_: &str| Ok(Ok(("peg.gif".to_owned(), Bytes::from_static(b"GIF89a 1"))));
        assert!(matches!(publisher.publish(&derived, &source, "peg.xml", same), Ok(Outcome::Created)));
    }
}
