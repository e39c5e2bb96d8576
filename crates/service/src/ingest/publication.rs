//! What the store keeps of a document: put together when it is published, and read back where ingest needs it.

use bytes::Bytes;
use norma_api::media::View;
use norma_model::Identifier;
use norma_store::{Blob, Encoding, Entry, Publication, Store, Summary};

use super::derive::Derived;
use super::flaws;
use crate::render::compress::{self, Compression};
use crate::render::{self, DERIVER_VERSION, INDEX, Index};

/// All that the store keeps of a document.
pub(super) fn publication(
    derived: &Derived,
    source: Bytes,
    origin: String,
    how: Compression,
    replace: bool,
) -> Publication {
    let edition = &derived.edition;
    let rendered = render::render(edition, &derived.assets, &derived.revision);
    let beside = [(INDEX, rendered.index.to_bytes()), (flaws::STORED, flaws::to_bytes(&derived.diagnostics))];
    let mut views: Vec<(String, Encoding, Blob)> = beside
        .into_iter()
        .map(|(name, bytes)| (name.to_owned(), Encoding::Identity, Blob::new(bytes)))
        .collect();
    for (view, bytes) in rendered.views.into_iter().chain([(View::Source, source.to_vec())]) {
        let coded = match render::has_standing(view) {
            true => compress::tail(&bytes[1..], how),
            false => compress::whole(&bytes, how),
        };
        for (encoding, bytes) in coded.into_iter().chain([(Encoding::Identity, bytes)]) {
            views.push((view.name().to_owned(), encoding, Blob::new(bytes)));
        }
    }
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
        origin,
        // What could never be asked for needs no alias.
        aliases: metadata.identifiers.iter().filter_map(|id| Identifier::parse(id).ok()).collect(),
        relations: edition.relations.clone(),
        provisions: edition.provisions.iter().map(|p| p.id).collect(),
        views,
        assets: derived
            .assets
            .iter()
            .flatten()
            .filter_map(|asset| Some((asset.clone(), derived.files.get(&asset.digest)?.clone())))
            .collect(),
        replace,
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
