//! Error of an extraction: the reason why a document cannot become an edition, its position, and the remedy.

use crate::diagnostic::kind_of;

/// Error of an extraction, at the position in the source where reading stopped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct ExtractionError {
    /// Stable code in kebab case, one of [`crate::diagnostic_kinds`].
    pub code: &'static str,
    /// Line in the source, from 1.
    pub line: u32,
    /// Column in the source, from 1, in Unicode scalar values.
    pub column: u32,
    /// A sentence about the error, with the words of this source.
    pub message: String,
    /// What the publisher can do about it.
    pub hint: &'static str,
}

impl ExtractionError {
    /// An error at a line and column, with the hint of its code.
    pub(crate) fn new(code: &'static str, (line, column): (u32, u32), message: String) -> Self {
        Self { code, line, column, message, hint: kind_of(code).map_or("", |m| m.hint) }
    }
}
