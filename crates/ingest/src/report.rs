//! Report on one document: verdict, counts and diagnostics.

use std::path::PathBuf;

use norma_model::{ProvisionId, Urn};
use norma_render::PackIndex;
use norma_store::{Entry, Outcome};
use norma_sts::Diagnostic;

use crate::derive::{Derived, DocumentRefusal};

/// The result of one document.
#[derive(Debug)]
pub struct DocumentReport {
    /// The document: its path, with the package's before it.
    pub document: PathBuf,
    /// URN of the edition, when it could be known.
    pub urn: Option<Urn>,
    /// Title in the main language, if it is known.
    pub title: Option<String>,
    /// What became of the document in the store.
    pub verdict: IngestVerdict,
    /// Counts of its parts.
    pub tally: EditionTally,
    /// Flaws of the document, by line and column.
    pub diagnostics: Vec<Diagnostic>,
    /// Ids of provisions that the edition no longer has, each with the id that continues its lineage.
    pub changed_ids: Vec<(ProvisionId, ProvisionId)>,
}

/// The result for a document.
#[derive(Debug)]
pub enum IngestVerdict {
    /// It is new in the store.
    Created,
    /// It replaced an earlier state of the same edition.
    Replaced,
    /// It was there already, the same.
    Unchanged,
    /// It is XML of another kind; its root element.
    Skipped(String),
    /// The document was refused, and nothing of it was stored.
    Refused(DocumentRefusal),
}

impl IngestVerdict {
    /// The word for the verdict in reports: `created`.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Replaced => "replaced",
            Self::Unchanged => "unchanged",
            Self::Skipped(_) => "skipped",
            Self::Refused(_) => "refused",
        }
    }
}

impl From<Outcome> for IngestVerdict {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Created => Self::Created,
            Outcome::Replaced { .. } => Self::Replaced,
            Outcome::Unchanged => Self::Unchanged,
        }
    }
}

/// Counts of the parts of an edition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EditionTally {
    /// Bytes of the source.
    pub bytes: u64,
    /// Number of sections, at all levels.
    pub sections: usize,
    /// Number of provisions of all types.
    pub provisions: usize,
    /// Number of terms that the document defines.
    pub terms: usize,
    /// Number of graphics, with those that have no file.
    pub graphics: usize,
    /// Graphics with a file.
    pub available: usize,
    /// Number of tables in the whole text.
    pub tables: usize,
    /// Number of ICS codes.
    pub ics: usize,
    /// Number of relations to other documents.
    pub relations: usize,
}

impl std::ops::AddAssign for EditionTally {
    fn add_assign(&mut self, more: Self) {
        let Self { bytes, sections, provisions, terms, graphics, available, tables, ics, relations } = more;
        self.bytes += bytes;
        self.sections += sections;
        self.provisions += provisions;
        self.terms += terms;
        self.graphics += graphics;
        self.available += available;
        self.tables += tables;
        self.ics += ics;
        self.relations += relations;
    }
}

impl EditionTally {
    /// The counts of what is stored.
    pub(crate) fn from_stored(bytes: usize, entry: &Entry, index: &PackIndex) -> Self {
        Self {
            bytes: bytes as u64,
            sections: index.outline.sections.len(),
            provisions: index.outline.provisions.len(),
            terms: index.outline.terms.len(),
            graphics: index.pictures.len(),
            available: index.pictures.iter().filter(|picture| picture.digest.is_some()).count(),
            tables: index.outline.tables.len(),
            ics: entry.summary.ics.len(),
            relations: index.relations as usize,
        }
    }

    /// The counts of what was derived.
    pub(crate) fn from_derived(bytes: usize, derived: &Derived) -> Self {
        let edition = &derived.edition;
        Self {
            bytes: bytes as u64,
            sections: edition.sections.len(),
            provisions: edition.provisions.len(),
            terms: edition.terms.len(),
            graphics: edition.graphics.len(),
            available: derived.assets.iter().flatten().count(),
            tables: edition.tables.len(),
            ics: edition.ics.len(),
            relations: edition.relations.len(),
        }
    }
}

impl DocumentReport {
    /// The report of a document that was derived.
    pub(crate) fn new(document: PathBuf, verdict: IngestVerdict, size: usize, derived: Derived) -> Self {
        let tally = EditionTally::from_derived(size, &derived);
        let urn = Some(derived.edition.urn.clone());
        let title = derived.edition.metadata.title().map(|title| title.full.clone());
        Self {
            document,
            urn,
            title,
            verdict,
            tally,
            diagnostics: derived.diagnostics,
            changed_ids: Vec::new(),
        }
    }

    /// The report of a document without an edition, with the reason.
    pub(crate) fn without_edition(document: PathBuf, verdict: IngestVerdict) -> Self {
        Self {
            document,
            urn: None,
            title: None,
            verdict,
            tally: EditionTally::default(),
            diagnostics: Vec::new(),
            changed_ids: Vec::new(),
        }
    }
}
