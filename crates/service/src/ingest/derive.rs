//! Derivation: one document of a package and the files of its graphics become all that will be published.
//! Everything of ingest but the store; `norma check` ends here.

use bytes::Bytes;
use norma_model::{Asset, AssetSource, Digest, Edition, Urn};
use norma_sts::Diagnostic;
use sha2::{Digest as _, Sha256};

use super::package::PackageError;
use super::{flaws, sniff};
use crate::config::Ingest;

/// What one document came to.
pub struct Derived {
    /// The edition.
    pub edition: Edition,
    /// Parallel to the edition's graphics: the picture of each, where there is one.
    pub assets: Vec<Option<Asset>>,
    /// What is flawed in the document or its package.
    pub diagnostics: Vec<Diagnostic>,
    /// Names the state of source, pictures and deriving code.
    pub revision: String,
}

/// Why a document cannot be taken in.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// Its bytes cannot be had.
    #[error(transparent)]
    Package(#[from] PackageError),
    /// It is no edition.
    #[error(transparent)]
    Document(#[from] norma_sts::Error),
    /// It is XML of another kind.
    #[error("its root element is `{root}`, that of no standard; those are {}", norma_sts::ROOTS.join(", "))]
    Foreign {
        /// Name of the root element, without prefix.
        root: String,
    },
    /// The file of a graphic is another one than a moment ago.
    #[error(
        "the file of the graphic `{reference}` changed while the document was taken in; take it in again"
    )]
    Changed {
        /// What the graphic names.
        reference: String,
    },
    /// What the store held of it, and what nothing else tells, cannot be had any more.
    #[error("its {what} is lost or damaged; take the document in again: `norma ingest --mend {origin}`")]
    Lost {
        /// What is lost.
        what: &'static str,
        /// Where the document came from.
        origin: String,
    },
    /// The store holds another document with its URN, or cannot be reached.
    #[error(transparent)]
    Store(#[from] norma_store::Error),
}

/// Extracts one document and matches its graphics with files: `file` gives name and bytes of the file that an href
/// means, where there is one. The bytes are looked at and not kept: all pictures of a document may be far larger than it is.
pub fn derive(
    source: &[u8],
    urn: Option<&Urn>,
    limits: &Ingest,
    mut file: impl FnMut(&str) -> Result<Option<(String, Bytes)>, Refusal>,
) -> Result<Derived, Refusal> {
    let extraction = norma_sts::extract(source, &options(urn, limits))?;
    let mut diagnostics = extraction.diagnostics;
    let mut assets = Vec::with_capacity(extraction.edition.graphics.len());
    for graphic in &extraction.edition.graphics {
        let found = match &graphic.source {
            AssetSource::Embedded { media_type, bytes } => {
                Some((media_type.clone(), String::new(), Bytes::copy_from_slice(bytes)))
            }
            AssetSource::Href(href) => file(href)?.map(|(name, bytes)| (None, name, bytes)),
            AssetSource::Missing => None,
        };
        if let (None, AssetSource::Href(href)) = (&found, &graphic.source) {
            diagnostics.push(flaws::missing_file(graphic.id.as_str(), href));
        }
        assets.push(found.map(|(stated, name, bytes)| {
            let asset = asset(stated, &name, &bytes);
            if sniff::by_extension(&name).is_some_and(|named| named != asset.media_type) {
                diagnostics.push(flaws::other_kind(graphic.id.as_str(), &name, &asset.media_type));
            }
            asset
        }));
    }
    let revision = revision(source, &assets);
    Ok(Derived { edition: extraction.edition, assets, diagnostics, revision })
}

fn options(urn: Option<&Urn>, settings: &Ingest) -> norma_sts::Options {
    let limits = norma_sts::Limits {
        source_bytes: settings.max_document_size.in_memory(),
        depth: settings.max_depth,
        nodes: settings.max_nodes,
        attribute_bytes: settings.max_attribute_size.in_memory(),
        expansion_bytes: settings.max_entity_expansion.in_memory(),
        expansion_depth: settings.max_entity_depth,
        prefixes: settings.max_prefixes,
        undeclared_prefixes: settings.max_undeclared_prefixes,
        parts: settings.max_parts,
        part_bytes: settings.min_part_size.in_memory(),
        sentence_bytes: settings.max_sentence_size.in_memory(),
        flaws: settings.max_flaws,
    };
    norma_sts::Options { urn: urn.cloned(), limits }
}

/// What a file is: by its bytes, then by what the source states, then by its name.
fn asset(stated: Option<String>, name: &str, bytes: &[u8]) -> Asset {
    let sniffed = sniff::media_type(name, bytes);
    let media_type = match stated {
        Some(stated) if sniffed == "application/octet-stream" => stated,
        _ => sniffed,
    };
    Asset {
        digest: Digest::from_bytes(Sha256::digest(bytes).into()),
        media_type,
        size: bytes.len() as u64,
        dimensions: sniff::dimensions(bytes),
    }
}

/// Sixteen hexadecimal digits over the source, its pictures and the version of the deriving code.
fn revision(source: &[u8], assets: &[Option<Asset>]) -> String {
    let mut hash = Sha256::new();
    hash.update(crate::render::DERIVER_VERSION.to_be_bytes());
    hash.update(Sha256::digest(source));
    for asset in assets {
        hash.update(asset.as_ref().map_or(&[0; 32], |a| a.digest.as_bytes()));
    }
    hash.finalize()[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}
