//! Refusals: why a document cannot become an edition, where, and what mends it.

use crate::diagnostic::kind_of;

/// Why a document is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct Error {
    /// Stable code in kebab case; the catalogue of [`crate::diagnostic_kinds`] lists it.
    pub code: &'static str,
    /// Line in the source, from 1.
    pub line: u32,
    /// Column in the source, from 1, in Unicode scalar values.
    pub column: u32,
    /// What is wrong, as a sentence.
    pub message: String,
    /// How to mend it.
    pub hint: &'static str,
}

impl Error {
    /// A refusal at a line and column, with the hint that the catalogue has for it.
    pub(crate) fn new(code: &'static str, (line, column): (u32, u32), message: String) -> Self {
        Self { code, line, column, message, hint: kind_of(code).map_or("", |m| m.hint) }
    }
}
