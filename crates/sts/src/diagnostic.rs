//! Diagnostics: what is flawed in a source, where, and how its publisher can mend it.

/// How much a flaw matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing; nothing is lost.
    Note,
    /// Something was repaired, worked out or left open.
    Warning,
    /// The document is refused, or a part of it cannot be served.
    Error,
}

/// One flaw of a source. The codes are listed in docs/diagnostics.md and never change their meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable code in kebab case: `missing-edition`.
    pub code: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// Line in the source, from 1.
    pub line: u32,
    /// Column in the source, from 1, in Unicode scalar values.
    pub column: u32,
    /// What is wrong, as a sentence.
    pub message: String,
    /// How to mend it.
    pub hint: Option<String>,
}
