//! Pairs of editions to compare, as handlers get them.

use std::sync::Arc;

use futures::future::BoxFuture;
use norma_api::shapes::{ComparedEdition, ComparisonCounts, ComparisonRelation, Facet};
use norma_compare::{ComparisonRecord, Facets, PartName, UnitRelation};
use norma_model::Lang;

use crate::comparison::{ItemIndex, item_indices, whole_counts};
use crate::{AuthorizedEdition, Failure};

/// One of two editions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairSide {
    /// The one that comes first.
    Older,
    /// The one that comes after it.
    Newer,
}

/// Two editions that the caller of this request may discover, and of which the caller may read at least one.
pub trait AuthorizedPair: Send + Sync {
    /// The description of an edition in the answer, for a caller who may discover it.
    fn edition(&self, side: PairSide) -> ComparedEdition<'static>;
    /// Both editions, the older one first, where the caller may read both.
    fn readable(&self) -> Option<[&dyn AuthorizedEdition; 2]>;
    /// The side that the path names, and whether path and parameter have the canonical URNs. Where they are
    /// not, the answer says which editions were meant.
    fn named(&self) -> (PairSide, bool);
    /// Number of provisions of both editions, in all their languages.
    fn provisions(&self) -> usize;
    /// The language that is compared.
    fn language(&self) -> &Lang;
    /// A digest of the publisher's table for the two, which changes their comparison but not a revision.
    fn table(&self) -> &str;
    /// The comparison, cached or made now, with the memory for a page of it. A caller who may not read both
    /// editions gets its counts only.
    fn comparison(
        &self,
        page: PageSize,
    ) -> BoxFuture<'_, Result<Arc<dyn AsRef<ComparedPair> + Send + Sync>, Failure>>;
    /// Does work that takes long, without delaying other requests.
    fn work(&self, work: Box<dyn FnOnce() + Send>) -> BoxFuture<'_, ()>;
}

/// The limits of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageSize {
    /// Most items.
    pub items: usize,
    /// Whether it has texts, or items of one section: both need the editions.
    pub reads_editions: bool,
    /// Whether it has sections and tables.
    pub has_parts: bool,
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

/// The relation in the words of the contract.
pub(crate) fn relation(relation: UnitRelation) -> ComparisonRelation {
    match relation {
        UnitRelation::Same => ComparisonRelation::Same,
        UnitRelation::Reworded => ComparisonRelation::Reworded,
        UnitRelation::Split => ComparisonRelation::Split,
        UnitRelation::Merged => ComparisonRelation::Merged,
    }
}

/// Kinds of change, in the order of the contract.
pub(crate) fn changed(facets: &Facets<PartName>) -> Vec<Facet> {
    use norma_compare::Facet as Kind;
    let name = |kind| match kind {
        Kind::Strength => Facet::Strength,
        Kind::Negation => Facet::Negation,
        Kind::Quantity => Facet::Quantity,
        Kind::Bound => Facet::Bound,
        Kind::Condition => Facet::Condition,
        Kind::Subject => Facet::Subject,
        Kind::References => Facet::References,
        Kind::Terms => Facet::Terms,
        Kind::DependsOn => Facet::DependsOn,
        Kind::Moved => Facet::Moved,
    };
    facets.kinds().into_iter().map(name).collect()
}
