//! Selections: the caller's choice of provisions (RFC 5141's `docelement`, extended).

use crate::Outline;

/// A parsed selection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    canonical: String,
}

/// What a selection names in one edition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matched {
    /// Indices in [`Outline::provisions`], ascending, without repeats.
    pub provisions: Vec<u32>,
    /// Items that name something, in canonical form and the order written.
    pub matched: Vec<String>,
    /// Items that name nothing here.
    pub unmatched: Vec<String>,
}

/// Why a text is no selection.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("at character {offset}: {reason}")]
pub struct SelectionError {
    /// Zero-based offset of the offending character, in Unicode scalar values.
    pub offset: usize,
    /// What is wrong and what may stand there.
    pub reason: String,
}

impl Selection {
    /// Works the selection out over an outline.
    pub fn resolve(&self, outline: &Outline) -> Matched {
        let _ = (outline, &self.canonical);
        Matched::default()
    }
}
