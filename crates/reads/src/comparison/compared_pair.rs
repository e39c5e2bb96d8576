//! Comparison of two editions, with what its pages are made of.

use norma_api::shapes::ComparisonCounts;
use norma_compare::{ComparisonRecord, UnitName};
use norma_editions::comparison::{EarlierTexts, FoundComparison};

use super::items::{ItemIndex, item_indices, whole_counts};
use crate::pair_side::PairSide;

/// The limits of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PageSize {
    /// Largest number of items.
    pub(crate) items: usize,
    /// The page has texts, or items of one section: both are read from the editions.
    pub(crate) reads_editions: bool,
    /// The page has the changes of sections and tables.
    pub(crate) has_parts: bool,
}

/// A comparison with what its pages are made of.
#[derive(Clone, Debug)]
pub struct ComparedPair {
    pub(crate) record: ComparisonRecord,
    /// The ordinals, in their whole edition, of the units of the older and of the newer edition.
    pub(crate) ordinals: [Vec<u32>; 2],
    /// The items in the order of the contract.
    pub(crate) items: Vec<ItemIndex>,
    pub(crate) counts: ComparisonCounts,
    /// The texts of an edition in an earlier revision.
    pub(crate) texts: [Option<EarlierTexts>; 2],
}

impl ComparedPair {
    /// Makes it from a record, and the ordinals of its units in their whole editions.
    pub fn new(record: ComparisonRecord, ordinals: [Vec<u32>; 2]) -> Self {
        let (mut items, counts) = (item_indices(&record), whole_counts(&record));
        items.shrink_to_fit();
        Self { record, ordinals, items, counts, texts: [None, None] }
    }

    /// The units of one side, in document order.
    pub(crate) fn units(&self, side: PairSide) -> &[UnitName] {
        match side {
            PairSide::Older => &self.record.older,
            PairSide::Newer => &self.record.newer,
        }
    }

    /// The ordinal of a unit in its whole edition, which has units in other languages too.
    pub(crate) fn ordinal(&self, side: PairSide, unit: usize) -> Option<u32> {
        self.ordinals[side.index()].get(unit).copied()
    }

    /// Approximate number of bytes of memory.
    pub fn memory(&self) -> usize {
        let ordinals: usize = self.ordinals.iter().map(Vec::len).sum();
        let texts: usize = self.texts.iter().flatten().map(EarlierTexts::memory).sum();
        self.record.memory() + 4 * ordinals + size_of::<ItemIndex>() * self.items.len() + texts
    }
}

impl From<FoundComparison> for ComparedPair {
    fn from(FoundComparison { record, ordinals, texts }: FoundComparison) -> Self {
        Self { texts, ..Self::new(record, ordinals) }
    }
}
