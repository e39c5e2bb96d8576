//! Reports on the ingest of an edition, read by the program that has the store.

use std::pin::Pin;

use crate::source_lines::TextOfLine;

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
    /// The source as it was ingested; empty where it is not text in UTF-8.
    pub source: String,
    /// The sections with the text that the source became, in document order.
    pub sections: Vec<IngestedSection>,
    /// The revision that the last ingest replaced, if its source is retained.
    pub replaced: Option<IngestedRevision>,
}

/// A diagnostic of a source.
#[derive(Clone, Debug)]
pub struct IngestDiagnostic {
    /// `note`, `warning` or `error`.
    pub severity: &'static str,
    /// Code of the diagnostic in docs/diagnostics.md.
    pub code: &'static str,
    /// Line of the source, from 1.
    pub line: u32,
    /// Column of the line, from 1.
    pub column: u32,
    /// What was expected and what was found, in English.
    pub message: String,
    /// What the publisher of the document can do, in English.
    pub hint: &'static str,
}

/// A section of an edition.
#[derive(Clone, Debug, Default)]
pub struct IngestedSection {
    /// Id of the section.
    pub id: String,
    /// Its id in the source, where that is another one.
    pub source_id: Option<String>,
    /// Number and title.
    pub name: String,
    /// Plain text of the section.
    pub text: String,
}

/// An earlier revision of an edition.
#[derive(Clone, Debug)]
pub struct IngestedRevision {
    /// Name of the revision, as the API takes it.
    pub name: String,
    /// Day on which it was replaced (ISO 8601).
    pub replaced_on: String,
    /// Diagnostics of its source that the present source no longer has; `None` where the source cannot be
    /// read.
    pub corrected: Option<Vec<IngestDiagnostic>>,
    /// Diagnostics of the present source that its source did not have.
    pub added: Vec<IngestDiagnostic>,
}

impl IngestReport {
    /// The line of the source that a diagnostic is about, without its end.
    pub(crate) fn line(&self, diagnostic: &IngestDiagnostic) -> Option<&str> {
        let index = usize::try_from(diagnostic.line).ok()?.checked_sub(1)?;
        self.source.lines().nth(index)
    }

    /// What a line of the source became.
    pub(crate) fn text_of(&self, diagnostic: &IngestDiagnostic) -> Option<TextOfLine<'_>> {
        TextOfLine::find(&self.source, diagnostic.line, &self.sections)
    }
}
