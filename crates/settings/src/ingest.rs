//! Settings of ingest: workers, and limits of documents and packages.

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
    pub earlier_revisions: usize,
    pub earlier_revision_age: Duration,
}
