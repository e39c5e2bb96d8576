//! Refusals: why a document cannot become an edition, where, and what mends it.

/// Why a document is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct Error {
    /// Stable code in kebab case; the catalogue of [`crate::catalogue`] lists it.
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
