//! Review of documents: whether what they say about standards is true.
//!
//! The crate is pure: it has no IO, HTTP or clock. A caller gives bytes of documents ([`read_document`]),
//! asks a service what a [`Review`] wants to know, and gets a [`ReviewReport`].

mod advice;
mod ask;
mod citation_findings;
mod find;
mod finding;
mod html;
mod language;
mod quotation_findings;
mod read;
mod report;
mod review;
mod sarif;

pub use finding::{
    ActualText, FindingEdition, FindingLevel, FindingPosition, ReviewFinding, ReviewRule, UnknownFindingLevel,
};
pub use read::{
    DocumentBlock, DocumentError, DocumentFormat, DocumentPart, DocumentPosition, MAX_DOCUMENT_BYTES,
    MAX_DOCX_ENTRIES, MAX_DOCX_PART_BYTES, MAX_DOCX_RATIO, read_document,
};
pub use report::{
    InvalidBaseline, REPORT_VERSION, ReviewBaseline, ReviewReport, ReviewedFile, UnknownDocument,
};
pub use review::{Review, ReviewDocument, UnexpectedAnswer};
