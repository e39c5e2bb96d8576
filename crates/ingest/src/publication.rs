//! Publication of a derived document: rendering, staging of its pictures, and the transaction.

use std::collections::HashSet;

use bytes::Bytes;
use norma_editions::earlier::{self, NewRevision, UnitParts};
use norma_editions::lineage;
use norma_model::{Asset, AssetSource, Digest, Edition, Identifier, ProvisionId};
use norma_render::{Compression, PARTS_OF_UNITS, Pack, PackDirectory};
use norma_store::{Blob, Outcome, Publication, ReplacedRevision, Store, Summary};
use sha2::{Digest as _, Sha256};
use tokio::runtime::Handle;

use crate::derive::{DERIVER_VERSION, Derived, DocumentRefusal, File, derive_units};
use crate::diagnostics;
use crate::limits::IngestLimits;

/// Bytes of pictures that are held before they are staged. Those of a small document go into the transaction
/// of its publication; of a large one only this many bytes are in memory at a time.
const STAGE_THRESHOLD: u64 = 2 << 20;

/// Most attempts to put the pictures of a document, when a collector without a grace period removes them
/// again.
const MAX_ATTEMPTS: u32 = 4;

/// Publishes documents, from a thread that may wait.
pub(crate) struct DocumentPublisher<'a> {
    pub(crate) store: &'a Store,
    pub(crate) runtime: &'a Handle,
    pub(crate) compression: Compression,
    pub(crate) replace: bool,
    pub(crate) repair: bool,
    pub(crate) limits: &'a IngestLimits,
}

/// Ids of provisions that an edition no longer has, each with the id that continues its lineage.
pub(crate) type ChangedIds = Vec<(ProvisionId, ProvisionId)>;

/// A document that was rendered.
pub(crate) enum RenderedDocument {
    /// The document needs no further step.
    Finished(Outcome, ChangedIds),
    /// It waits for a transaction.
    Pending(Box<Publication>),
}

impl DocumentPublisher<'_> {
    /// Renders a document and publishes it, in a transaction of its own. `file` gives what it gave when the
    /// document was derived.
    pub(crate) fn publish(
        &self,
        derived: &Derived,
        source: &[u8],
        origin: &str,
        file: impl Fn(&str) -> Result<File, DocumentRefusal>,
    ) -> Result<(Outcome, ChangedIds), DocumentRefusal> {
        match self.prepare(derived, source, origin, file)? {
            RenderedDocument::Finished(outcome, changed) => Ok((outcome, changed)),
            RenderedDocument::Pending(publication) => {
                let outcome =
                    self.runtime.block_on(self.store.publish(&publication, norma_editions::clock::now()))?;
                Ok((outcome, publication.successors))
            }
        }
    }

    /// Renders a document for a transaction with several documents. One with so many pictures that some of
    /// them went to the store before is published at once.
    pub(crate) fn prepare(
        &self,
        derived: &Derived,
        source: &[u8],
        origin: &str,
        file: impl Fn(&str) -> Result<File, DocumentRefusal>,
    ) -> Result<RenderedDocument, DocumentRefusal> {
        let mut attempt = 1;
        loop {
            match self.attempt(derived, source, origin, &file) {
                Err(DocumentRefusal::Store(norma_store::StoreError::Contended(cause)))
                    if attempt < MAX_ATTEMPTS =>
                {
                    tracing::debug!(%cause, attempt, "a document is published again");
                    attempt += 1;
                }
                prepared => return prepared,
            }
        }
    }

    fn attempt(
        &self,
        derived: &Derived,
        source: &[u8],
        origin: &str,
        file: impl Fn(&str) -> Result<File, DocumentRefusal>,
    ) -> Result<RenderedDocument, DocumentRefusal> {
        let mut publication = publication(derived, source, origin, self);
        if self.runtime.block_on(self.store.holds(&publication))? {
            return Ok(RenderedDocument::Finished(Outcome::Unchanged, Vec::new()));
        }
        let Derived { edition, assets, revision, diagnostics, former, .. } = derived;
        let successors = lineage::successors(self.store, edition, former.as_ref());
        publication.successors = self.runtime.block_on(successors)?;
        let staged = self.pictures(edition, assets, file, &mut publication)?;
        let encoded = diagnostics::to_bytes(diagnostics);
        let pack = norma_render::render(edition, assets, revision, source, &encoded, self.compression);
        publication.replaced = self.replaced(derived, source, &pack)?;
        publication.pack = Blob::in_pieces(pack.bytes, pack.cuts);
        publication.directory = pack.directory;
        if staged {
            let outcome =
                self.runtime.block_on(self.store.publish(&publication, norma_editions::clock::now()))?;
            return Ok(RenderedDocument::Finished(outcome, publication.successors));
        }
        Ok(RenderedDocument::Pending(Box::new(publication)))
    }

    /// The stored revision that a document replaces, and what is retained of it.
    fn replaced(
        &self,
        derived: &Derived,
        source: &[u8],
        pack: &Pack,
    ) -> Result<Option<ReplacedRevision>, DocumentRefusal> {
        let urn = &derived.edition.urn;
        let stored_urn = match &derived.former {
            Some(former) => &former.urn,
            None => urn,
        };
        // `earlier::replaced` looks the entry up again, and decides what an error of the lookup means.
        if let Ok(None) = self.runtime.block_on(self.store.entry(stored_urn)) {
            return Ok(None);
        }
        let pictures: Vec<_> = derived.assets.iter().map(picture_digest).collect();
        let units = unit_parts(pack).expect("this version wrote the pack");
        let new = NewRevision {
            urn,
            revision: &derived.revision,
            deriver: &DERIVER_VERSION.to_string(),
            source,
            pictures: &pictures,
            units: &units,
        };
        let again = |source: &[u8], pictures: &[Option<[u8; 32]>]| {
            let pack = derive_units(source, urn, pictures, self.limits).map_err(|error| error.to_string())?;
            unit_parts(&pack).ok_or_else(|| "its units cannot be read".to_owned())
        };
        let replaced = earlier::replaced(self.store, stored_urn, new, self.limits.revisions, &again);
        Ok(self.runtime.block_on(replaced)?)
    }

    /// Adds the bytes of each picture once. Where they are many, some go to the store before the publication:
    /// then true.
    fn pictures(
        &self,
        edition: &Edition,
        assets: &[Option<Asset>],
        file: impl Fn(&str) -> Result<File, DocumentRefusal>,
        publication: &mut Publication,
    ) -> Result<bool, DocumentRefusal> {
        let (mut added, mut held, mut staged) = (HashSet::new(), 0, false);
        for (graphic, asset) in edition.graphics.iter().zip(assets) {
            let Some(asset) = asset else { continue };
            if !added.insert(asset.digest) {
                continue;
            }
            let bytes = match &graphic.source {
                AssetSource::Embedded { bytes, .. } => Some(Bytes::copy_from_slice(bytes)),
                AssetSource::Href(href) => file(href)?.ok().map(|(_, bytes)| bytes),
                AssetSource::Missing => None,
            };
            let blob = match bytes.map(Blob::new) {
                Some(blob) if blob.digest() == asset.digest => blob,
                // The file is another one than when the document was derived.
                _ => return Err(DocumentRefusal::Changed { reference: graphic.reference.clone() }),
            };
            held += blob.size();
            publication.assets.push(asset.clone());
            publication.pictures.push(blob);
            if held >= STAGE_THRESHOLD {
                let pictures = std::mem::take(&mut publication.pictures);
                self.runtime.block_on(self.store.stage_blobs(
                    &pictures,
                    self.repair,
                    norma_editions::clock::now(),
                ))?;
                (held, staged) = (0, true);
            }
        }
        Ok(staged)
    }
}

fn picture_digest(asset: &Option<Asset>) -> Option<[u8; 32]> {
    asset.as_ref().map(|asset| *asset.digest.as_bytes())
}

/// What comparisons read of a pack; `None` where another version wrote it.
fn unit_parts(pack: &Pack) -> Option<UnitParts> {
    let directory = PackDirectory::parse(&pack.directory)?;
    let mut parts = UnitParts::default();
    for (bytes, part) in parts.iter_mut().zip(PARTS_OF_UNITS) {
        let range = &directory.part(part).range;
        let stored = pack.bytes.slice(range.start as usize..range.end as usize);
        *bytes = directory.identity(part, stored).ok()?;
    }
    Some(parts)
}

/// The stored values of a document, except its pack and its pictures.
fn publication(derived: &Derived, source: &[u8], origin: &str, how: &DocumentPublisher<'_>) -> Publication {
    let edition = &derived.edition;
    let metadata = &edition.metadata;
    Publication {
        summary: Summary::from(&**edition),
        status: edition.status,
        original: metadata.languages.first().is_some_and(|l| l.primary() == "en"),
        urn_given: derived.urn_given,
        former_urn: derived.former.as_ref().map(|former| former.urn.clone()),
        source: Digest::from_bytes(Sha256::digest(source).into()),
        source_size: source.len() as u64,
        deriver: DERIVER_VERSION.to_string(),
        revision: derived.revision.clone(),
        origin: origin.to_owned(),
        // A name that cannot be requested needs no alias.
        aliases: metadata.identifiers.iter().filter_map(|id| Identifier::parse(id).ok()).collect(),
        relations: edition.relations.clone(),
        provisions: edition.provisions.iter().map(|p| p.id).collect(),
        successors: Vec::new(),
        replaced: None,
        pack: Blob::default(),
        directory: Bytes::new(),
        assets: Vec::new(),
        pictures: Vec::new(),
        replace: how.replace,
        repair: how.repair,
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::derive::{KnownUrns, derive};

    const DOCUMENT: &str = "<standard xmlns:xlink='http://www.w3.org/1999/xlink'><front><std-meta><title-wrap><full>Pegs</full>\
        </title-wrap><std-ident><originator>NSB</originator><doc-type>IS</doc-type><doc-number>1</doc-number>\
        <edition>1</edition></std-ident><content-language>en</content-language><std-ref type='dated'>NSB 1:2020</std-ref>\
        </std-meta></front><body><sec><fig><graphic xlink:href='peg.png'/></fig></sec></body></standard>";

    #[test]
    fn a_picture_that_changes_meanwhile_is_refused_and_nothing_is_published() {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let mut settings = norma_settings::Settings::defaults();
        settings.store.store = folder.path().join("norma.db").display().to_string();
        let store = runtime.block_on(norma_editions::stores::open_store(&settings.store)).unwrap();
        let limits = crate::IngestLimits::new(&settings.ingest);
        let publisher = DocumentPublisher {
            store: &store,
            runtime: runtime.handle(),
            compression: Compression::default(),
            replace: false,
            repair: false,
            limits: &limits,
        };
        let source = Bytes::from_static(DOCUMENT.as_bytes());
        let reads = Cell::new(0);
        let changing = |_: &str| {
            reads.set(reads.get() + 1);
            Ok(Ok(("peg.gif".to_owned(), Bytes::from(format!("GIF89a {}", reads.get())))))
        };
        let derived = derive(&source, KnownUrns::default(), &limits, changing).unwrap();
        let refused = publisher.publish(&derived, &source, "peg.xml", changing).unwrap_err();
        assert!(refused.to_string().contains("`peg.png` changed"), "{refused}");
        assert_eq!(runtime.block_on(store.stats()).unwrap().editions, 0);
        let same = |_: &str| Ok(Ok(("peg.gif".to_owned(), Bytes::from_static(b"GIF89a 1"))));
        assert!(matches!(publisher.publish(&derived, &source, "peg.xml", same), Ok((Outcome::Created, _))));
    }
}
