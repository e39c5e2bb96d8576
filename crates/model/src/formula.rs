//! Formulae, with the values that references to them need.

use crate::Digest;

/// A numbered formula of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    /// Number without brackets: `4`, `A.1`.
    pub number: Box<str>,
    /// Index of its section.
    pub section: usize,
    /// SHA-256 of the names and texts of its elements, without its label. Formulae with the same digest say
    /// the same.
    pub digest: Digest,
}
