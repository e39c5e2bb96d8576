//! Reports on the ingest of an edition, read by the program that has the store.

use std::pin::Pin;

/// A report that is being read; `None` where the store does not have the edition. The error says in words why
/// the store cannot be read.
pub type PendingReport = Pin<Box<dyn Future<Output = Result<Option<IngestReport>, String>> + Send>>;

/// Reads the report on the edition with a URN.
pub type ReadIngestReport = Box<dyn Fn(String) -> PendingReport + Send + Sync>;

/// The report on one edition.
#[derive(Clone, Debug, Default)]
pub struct IngestReport {
    /// What is stored of it: names in English, and values.
    pub stored: Vec<(&'static str, String)>,
    /// What is flawed in its source, in the order of its lines.
    pub diagnostics: Vec<IngestDiagnostic>,
}

/// A diagnostic of a source.
#[derive(Clone, Debug)]
pub struct IngestDiagnostic {
    /// `note`, `warning` or `error`.
    pub severity: &'static str,
    /// Its code, as docs/diagnostics.md has it.
    pub code: &'static str,
    /// Line of the source, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// What was found.
    pub message: String,
    /// What to do.
    pub hint: &'static str,
}
