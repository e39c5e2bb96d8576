//! Settings of ingest: limits of documents and packages, workers, batches.

use norma_store::Batch;
use serde::Deserialize;

use crate::{Duration, Size};

/// Limits of ingest; each field is explained in the commented defaults.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[expect(missing_docs, reason = "default.toml is the one home of these explanations")]
pub struct IngestSettings {
    pub workers: usize,
    pub max_document_size: Size,
    pub max_file_size: Size,
    pub max_package_size: Size,
    pub max_package_files: usize,
    pub max_zip_ratio: u64,
    pub max_depth: u32,
    pub max_nodes: u32,
    pub max_attribute_size: Size,
    pub max_entity_expansion: Size,
    pub max_entity_depth: usize,
    pub max_prefixes: usize,
    pub max_undeclared_prefixes: usize,
    pub max_parts: usize,
    pub min_part_size: Size,
    pub max_sentence_size: Size,
    pub max_table_size: Size,
    pub max_interrupted_text: Size,
    pub max_diagnostics: usize,
    pub gzip_level: u32,
    pub batch_documents: usize,
    pub batch_size: Size,
    pub batch_time: Duration,
    pub max_comparison_units: usize,
    pub max_comparison_size: Size,
}

impl IngestSettings {
    /// The limits of one transaction.
    pub fn batch(&self) -> Batch {
        Batch { editions: self.batch_documents, bytes: self.batch_size.bytes(), time: self.batch_time.std() }
    }

    /// Documents worked on at once.
    pub fn parallelism(&self) -> usize {
        match self.workers {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            workers => workers,
        }
    }
}
