//! Kind of document, from its type as written.

use norma_model::urn::{document_type, segment};
use norma_model::{StandardType, Supplement, SupplementKind};

use super::Identity;

/// Kinds that are standards and have no code.
const STANDARDS: &[&str] = &["is", "st", "standard", "international-standard", "en", "norm"];

/// The code of a type as written; the inner `None` is a standard, which has no code.
pub(super) fn code_of(label: &str) -> Option<Option<String>> {
    if STANDARDS.contains(&segment(label).as_str()) {
        return Some(None);
    }
    document_type(label).map(|code| Some(code.to_owned()))
}

impl Identity {
    /// The kind of document, by the code of its type or by the type as written; a standard where it states
    /// none.
    pub(in super::super) fn standard_type(&self, supplement: &Option<Supplement>) -> StandardType {
        if let Some(code) = &self.doc_type {
            return standard_type(code, supplement);
        }
        let label = self.type_label.as_deref().map(segment).unwrap_or_default();
        if STANDARDS.contains(&label.as_str()) {
            return standard_type("is", supplement);
        }
        standard_type(&label, supplement)
    }
}

/// The kind of document by its code.
pub(in super::super) fn standard_type(code: &str, supplement: &Option<Supplement>) -> StandardType {
    match supplement.as_ref().map(|s| s.kind) {
        Some(SupplementKind::Amendment) => return StandardType::Amendment,
        Some(SupplementKind::Corrigendum) => return StandardType::Corrigendum,
        Some(SupplementKind::Addendum) => return StandardType::Other,
        None => {}
    }
    match code {
        "is" | "" => StandardType::Is,
        "ts" => StandardType::Ts,
        "tr" => StandardType::Tr,
        "pas" => StandardType::Pas,
        "iwa" => StandardType::Iwa,
        "guide" => StandardType::Guide,
        "amendment" | "amd" => StandardType::Amendment,
        "corrigendum" | "cor" => StandardType::Corrigendum,
        _ => StandardType::Other,
    }
}
