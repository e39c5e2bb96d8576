//! Limits of an ingest: those that settings give, and those that no setting changes.

use norma_settings::IngestSettings;
use norma_store::{Batch, RevisionLimits};
use norma_sts::ExtractionLimits;

/// Times that a file of a zip archive may be larger than its compressed form. Deflate reaches 1,032 (zlib's
/// technical details), and only with content that repeats one byte.
pub(crate) const MAX_ZIP_RATIO: u64 = 200;

/// Limits of an ingest.
#[derive(Clone, Debug)]
pub struct IngestLimits {
    /// Documents worked on at once.
    pub workers: usize,
    /// Bytes of the largest file of a package other than the XML.
    pub max_file_size: u64,
    /// Bytes of the largest package, unpacked.
    pub max_package_size: u64,
    /// Files in a package.
    pub max_package_files: usize,
    /// Limits of one document. The size of its source is a setting, the others are those of
    /// [`ExtractionLimits::default`].
    pub document: ExtractionLimits,
    /// Limits of one transaction, those of [`Batch::default`].
    pub batch: Batch,
    /// How many earlier revisions of an edition are retained, and how long.
    pub revisions: RevisionLimits,
}

impl IngestLimits {
    /// The limits by the settings. Without a number of workers, there is one for each core.
    pub fn new(settings: &IngestSettings) -> Self {
        let workers = match settings.workers {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            workers => workers,
        };
        let source_bytes = settings.max_document_size.in_memory();
        Self {
            workers,
            max_file_size: settings.max_file_size.bytes(),
            max_package_size: settings.max_package_size.bytes(),
            max_package_files: settings.max_package_files,
            document: ExtractionLimits { source_bytes, ..ExtractionLimits::default() },
            batch: Batch::default(),
            revisions: RevisionLimits {
                count: settings.earlier_revisions,
                age: settings.earlier_revision_age.std(),
            },
        }
    }
}
