//! Derivation: from one document of a package, with the files of its graphics, to all that will be published.
//! Everything of ingest but the store; `norma check` ends here.

use bytes::Bytes;
use data_encoding::HEXLOWER;
use norma_editions::lineage::FormerName;
use norma_model::{Asset, AssetSource, Digest, Edition, Urn};
use norma_render::{Compression, Pack};
use norma_sts::Diagnostic;
use sha2::{Digest as _, Sha256};

use crate::file_index::NotTaken;
use crate::limits::IngestLimits;
use crate::package::PackageError;
use crate::{diagnostics, sniff};

/// The version of the deriving code. It changes whenever the same source would give another edition or other
/// bytes: stored editions of another version are stale.
pub const DERIVER_VERSION: u32 = norma_sts::DERIVER_VERSION * 1000 + norma_render::VERSION;

/// The result of deriving one document.
pub struct Derived {
    /// The content of the document as it was read.
    pub edition: Edition,
    /// Parallel to the edition's graphics: the picture of each, if there is one.
    pub assets: Vec<Option<Asset>>,
    /// Flaws of the document or its package.
    pub diagnostics: Vec<Diagnostic>,
    /// Names the state of source, pictures and deriving code.
    pub revision: String,
    /// True if the URN was given; otherwise it is the document's.
    pub urn_given: bool,
    /// The earlier name of the edition, if it has another one now.
    pub former: Option<FormerName>,
}

/// URNs that are known before a document is read.
#[derive(Clone, Copy, Default)]
pub struct KnownUrns<'a> {
    /// The one that it gets, whatever it says itself.
    pub given: Option<&'a Urn>,
    /// The one that the store has it under.
    pub stored: Option<&'a Urn>,
}

impl<'a> KnownUrns<'a> {
    /// The URN that a document is given, if any.
    pub fn given(given: Option<&'a Urn>) -> Self {
        Self { given, stored: None }
    }
}

/// The reason why a document cannot be ingested.
#[derive(Debug, thiserror::Error)]
pub enum DocumentRefusal {
    /// The bytes of the document cannot be read from its package.
    #[error(transparent)]
    Package(#[from] PackageError),
    /// It cannot become an edition.
    #[error(transparent)]
    Document(#[from] norma_sts::ExtractionError),
    /// The root element is not that of a standard.
    #[error("expected the root element of a standard ({}), found `{root}`", norma_sts::ROOT_ELEMENTS.join(", "))]
    NotAStandard {
        /// Name of the root element, without prefix.
        root: String,
    },
    /// The file of a graphic changed during the ingest.
    #[error("the file of the graphic `{reference}` changed while the document was ingested; ingest it again")]
    Changed {
        /// The reference of the graphic.
        reference: String,
    },
    /// Values that only the store held can no longer be read.
    #[error("its {what} is lost or damaged; ingest the document again: `norma ingest --repair {origin}`")]
    Lost {
        /// What is lost, such as the source or a picture.
        what: &'static str,
        /// The origin of the document.
        origin: String,
    },
    /// A program of a later version stored it.
    #[error(
        "a later version of Norma stored it, which this one cannot read; rebuild with that version, or ingest the document again: \
         `norma ingest --repair {origin}`"
    )]
    LaterVersion {
        /// The origin of the document.
        origin: String,
    },
    /// The store has another document with its URN, or cannot be reached.
    #[error(transparent)]
    Store(#[from] norma_store::StoreError),
}

impl DocumentRefusal {
    /// The remedy, if the error's text does not say it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Document(error) => Some(error.hint),
            Self::NotAStandard { .. } => {
                Some("name files of NISO STS or ISOSTS, whatever else is in their folder")
            }
            Self::Package(_)
            | Self::Changed { .. }
            | Self::Lost { .. }
            | Self::LaterVersion { .. }
            | Self::Store(_) => None,
        }
    }
}

/// Name and bytes of the file that an href means, or the reason why the graphic gets no file.
pub(crate) type File = Result<(String, Bytes), NotTaken>;

/// Extracts one document and matches its graphics with files: `file` finds the file that an href means. The
/// bytes are looked at and not stored: all pictures of a document may be far larger than it is.
pub fn derive(
    source: &[u8],
    urns: KnownUrns<'_>,
    limits: &IngestLimits,
    mut file: impl FnMut(&str) -> Result<File, DocumentRefusal>,
) -> Result<Derived, DocumentRefusal> {
    let options = norma_sts::ExtractionOptions {
        urn: urns.given.cloned(),
        former_urn: urns.stored.cloned(),
        limits: limits.document.clone(),
    };
    let extraction = norma_sts::extract(source, &options)?;
    let mut diagnostics = extraction.diagnostics;
    let mut assets = Vec::with_capacity(extraction.edition.graphics.len());
    for (graphic, &position) in extraction.edition.graphics.iter().zip(&extraction.graphic_positions) {
        let file = match &graphic.source {
            AssetSource::Embedded { bytes, .. } => Ok((String::new(), Bytes::copy_from_slice(bytes))),
            AssetSource::Href(href) => file(href)?,
            AssetSource::Missing => {
                assets.push(None);
                continue;
            }
        };
        match picture_of(file) {
            Ok((name, asset)) => {
                if let Some(named) = sniff::by_extension(&name)
                    && named != asset.media_type
                {
                    diagnostics.push(diagnostics::other_kind(graphic, position, &name, &asset.media_type));
                }
                assets.push(Some(asset));
            }
            Err(reason) => {
                diagnostics.push(diagnostics::not_taken(graphic, position, &reason));
                assets.push(None);
            }
        }
    }
    diagnostics.sort_by_key(|diagnostic| (diagnostic.line, diagnostic.column));
    let revision = revision(source, &assets);
    let former = match urns.stored {
        Some(stored) if *stored != extraction.edition.urn => {
            Some(FormerName { urn: stored.clone(), ids: extraction.former_ids })
        }
        _ => None,
    };
    let urn_given = urns.given.is_some();
    Ok(Derived { edition: extraction.edition, assets, diagnostics, revision, urn_given, former })
}

/// The name of a file and the picture that its bytes are, or the reason why the graphic gets none.
fn picture_of(file: File) -> Result<(String, Asset), NotTaken> {
    let (name, bytes) = file?;
    match asset(&bytes) {
        Some(asset) => Ok((name, asset)),
        None => Err(NotTaken::NotAPicture(name)),
    }
}

/// The pack of a source that was ingested before, under the URN of its edition, for its units only: with the
/// digests of its pictures, and without their files, its revision and its source.
///
/// # Errors
/// This version refuses the document.
pub(crate) fn derive_units(
    source: &[u8],
    urn: &Urn,
    pictures: &[Option<[u8; 32]>],
    limits: &IngestLimits,
) -> Result<Pack, norma_sts::ExtractionError> {
    let options = norma_sts::ExtractionOptions {
        urn: Some(urn.clone()),
        former_urn: None,
        limits: limits.document.clone(),
    };
    let edition = norma_sts::extract(source, &options)?.edition;
    let mut assets = vec![None; edition.graphics.len()];
    // Where other rules find other graphics, no picture is known to be that of one.
    if pictures.len() == assets.len() {
        for (asset, digest) in assets.iter_mut().zip(pictures) {
            *asset = digest.map(|digest| Asset {
                media_type: String::new(),
                digest: Digest::from_bytes(digest),
                size: 0,
                dimensions: None,
            });
        }
    }
    Ok(norma_render::render(&edition, &assets, "", b"", b"", Compression::with_level(1)))
}

/// The asset of a picture; `None` for a file of another kind.
fn asset(bytes: &[u8]) -> Option<Asset> {
    Some(Asset {
        media_type: sniff::picture(bytes)?.to_owned(),
        digest: Digest::from_bytes(Sha256::digest(bytes).into()),
        size: bytes.len() as u64,
        dimensions: sniff::dimensions(bytes),
    })
}

/// Sixteen hexadecimal digits over the source, its pictures and the version of the deriving code.
fn revision(source: &[u8], assets: &[Option<Asset>]) -> String {
    let mut hash = Sha256::new();
    hash.update(DERIVER_VERSION.to_be_bytes());
    hash.update(Sha256::digest(source));
    for asset in assets {
        hash.update(asset.as_ref().map_or(&[0; 32], |a| a.digest.as_bytes()));
    }
    HEXLOWER.encode(&hash.finalize()[..8])
}
