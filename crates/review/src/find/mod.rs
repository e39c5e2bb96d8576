//! Search of a document for citations, quotations, and what belongs to what.

mod binding;
mod block_quotations;
mod links;
mod quotations;
mod scanned;
mod sentences;
mod vocabulary;

use norma_model::printed::PrintedDocument;

pub(crate) use binding::bound_documents;
pub(crate) use links::{LinkStrength, QuotationLink, linked_quotations};
pub(crate) use scanned::ScannedBlock;

/// The designation of a document with its date, as the reader of citations reads it again.
fn designation(document: &PrintedDocument) -> String {
    match &document.citation.year {
        Some(year) if !document.text.contains(year.as_str()) => format!("{} ({year})", document.text),
        _ => document.text.clone(),
    }
}

/// A citation of places in a document that is cited elsewhere.
pub(crate) fn with_document(document: &PrintedDocument, locations: &str) -> String {
    format!("{}, {locations}", designation(document))
}
