//! Which words of a question a unit has, where not all must match.

/// Which words of a question a unit has: bits by the index of the word in [`RelaxedFound::words`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FoundWords {
    /// Words that it has, those of what is around it included.
    pub matched: u32,
    /// Words of its title or text.
    pub own: u32,
    /// Words of its title.
    pub title: u32,
}

impl FoundWords {
    pub(crate) fn rank(self) -> WordRank {
        let Self { matched, own, title } = self;
        WordRank { matched: matched.count_ones(), own: own.count_ones(), title: title.count_ones() }
    }
}

/// What orders units that have some words of a question: how many they have; of those, how many are their
/// own; and how many the title has. A greater one comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub(crate) struct WordRank {
    pub(crate) matched: u32,
    pub(crate) own: u32,
    pub(crate) title: u32,
}

/// A word of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueriedWord {
    /// The word as typed, in lower case. Words with signs between them are one.
    pub typed: String,
    /// Number of admitted units that have it, or that are below a title with it.
    pub units: u64,
}

/// What a search found that looked for units with some of the words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RelaxedFound {
    /// The words that were looked for.
    pub words: Vec<QueriedWord>,
    /// Words that only ask, and were not looked for.
    pub left_out: Vec<String>,
}
