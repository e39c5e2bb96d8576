//! Comparison of two editions, with what its pages are made of.

use norma_api::shapes::ComparisonCounts;
use norma_compare::ComparisonRecord;

use super::items::{ItemIndex, item_indices, whole_counts};

/// The limits of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PageSize {
    /// Most items.
    pub(crate) items: usize,
    /// Whether it has texts, or items of one section: both need the editions.
    pub(crate) reads_editions: bool,
    /// Whether it has sections and tables.
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
}

impl ComparedPair {
    /// Makes it from a record, and the ordinals of its units in their whole editions.
    pub fn new(record: ComparisonRecord, ordinals: [Vec<u32>; 2]) -> Self {
        let (mut items, counts) = (item_indices(&record), whole_counts(&record));
        items.shrink_to_fit();
        Self { record, ordinals, items, counts }
    }

    /// Approximate number of bytes of memory.
    pub fn memory(&self) -> usize {
        let ordinals: usize = self.ordinals.iter().map(Vec::len).sum();
        self.record.memory() + 4 * ordinals + size_of::<ItemIndex>() * self.items.len()
    }
}
