//! Side of a pair of editions.

/// One of two editions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PairSide {
    /// The one that comes first.
    Older,
    /// The one that comes after it.
    Newer,
}
