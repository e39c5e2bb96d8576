//! Side of a pair of editions.

/// One of two editions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PairSide {
    /// The one that comes first.
    Older,
    /// The one that comes after it.
    Newer,
}

impl PairSide {
    /// The side of the other edition.
    pub(crate) fn opposite(self) -> Self {
        match self {
            Self::Older => Self::Newer,
            Self::Newer => Self::Older,
        }
    }

    /// The index of the side in an array of two, which has the older edition first.
    pub(crate) fn index(self) -> usize {
        match self {
            Self::Older => 0,
            Self::Newer => 1,
        }
    }
}
