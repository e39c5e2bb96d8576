//! Pairs of editions that are compared, as handlers get them: the comparison, as far as the caller of the request may read it.

use futures::future::BoxFuture;
use norma_api::shapes::{ComparedEdition, ComparisonRelation, Facet};
use norma_compare::{Record, RecordedFacets, RecordedLink, Relation};
use norma_model::{Lang, ProvisionKind};

use crate::{AuthorizedEdition, Failure};

/// One of two editions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The one that comes first.
    Older,
    /// The one that comes after it.
    Newer,
}

/// Two editions that the caller of this request may discover, and of which they may read at least one.
pub trait AuthorizedPair: Send + Sync {
    /// What the answer says of an edition: what a caller who may discover it may know.
    fn edition(&self, side: Side) -> ComparedEdition<'_>;
    /// The edition, where the caller may read it.
    fn readable(&self, side: Side) -> Option<&dyn AuthorizedEdition>;
    /// Which of the two the path names, and whether path and parameter are the canonical URNs. Where they are not, the answer says
    /// which editions were meant.
    fn named(&self) -> (Side, bool);
    /// The language that is compared.
    fn language(&self) -> &Lang;
    /// The comparison, as far as the caller may read it, and a digest of all of it: a publisher's table changes it, and no revision.
    fn comparison(&self) -> BoxFuture<'_, Result<(AuthorizedComparison, String), Failure>>;
}

/// A comparison as far as its caller may read it.
#[derive(Clone, Debug)]
pub enum AuthorizedComparison {
    /// Of a caller who may read both editions.
    Both(Record),
    /// Of a caller who may read this one and only discover the other.
    One(Side, OneSided),
}

/// What the reader of one edition may know of a comparison with an edition that they may only discover: no id, label, value or
/// candidate of the other edition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OneSided {
    /// The provisions of the edition in document order; one that is in a pair and in a possible split or merger comes once for each
    /// relation.
    pub provisions: Vec<OneSidedProvision>,
}

/// A provision of the edition that may be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OneSidedProvision {
    /// Its id.
    pub id: Box<str>,
    /// For people: `4.2.1(2)`.
    pub label: Option<Box<str>>,
    /// Its type, where that is known.
    pub kind: Option<ProvisionKind>,
    /// What became of it.
    pub relation: ComparisonRelation,
    /// Kinds of change.
    pub changed: Vec<Facet>,
}

impl OneSided {
    /// What the reader of this side may know of a comparison.
    pub fn new(record: &Record, side: Side) -> Self {
        let (units, unmatched, alone) = match side {
            Side::Older => (&record.older, &record.older_unmatched, ComparisonRelation::Removed),
            Side::Newer => (&record.newer, &record.newer_unmatched, ComparisonRelation::New),
        };
        let own = |link: &RecordedLink| match side {
            Side::Older => link.older,
            Side::Newer => link.newer,
        };
        let linked =
            record.links.iter().map(|link| (own(link), relation(link.relation), changed(&link.facets)));
        let unmatched = unmatched.iter().map(|unmatched| (unmatched.unit, alone, Vec::new()));
        let mut found: Vec<_> = linked.chain(unmatched).collect();
        found.sort();
        // How many parts a provision was split into is known to readers of the other edition only.
        found.dedup_by_key(|(unit, relation, _)| (*unit, *relation));
        let provisions = found.into_iter().filter_map(|(unit, relation, changed)| {
            let unit = units.get(unit)?;
            Some(OneSidedProvision {
                id: unit.id.clone(),
                label: unit.label.clone(),
                kind: unit.kind,
                relation,
                changed,
            })
        });
        Self { provisions: provisions.collect() }
    }
}

/// The relation in the words of the contract.
pub(crate) fn relation(relation: Relation) -> ComparisonRelation {
    match relation {
        Relation::Same => ComparisonRelation::Same,
        Relation::Reworded => ComparisonRelation::Reworded,
        Relation::Split => ComparisonRelation::Split,
        Relation::Merged => ComparisonRelation::Merged,
    }
}

/// Kinds of change, in the order of the contract.
pub(crate) fn changed(facets: &RecordedFacets) -> Vec<Facet> {
    let RecordedFacets { moved, strength, negation, quantities, references, terms } = facets;
    let kinds = [
        (Facet::Moved, moved.is_some()),
        (Facet::Strength, strength.is_some()),
        (Facet::Negation, negation.is_some()),
        (Facet::Quantities, !quantities.is_empty()),
        (Facet::References, !references.is_empty()),
        (Facet::Terms, !terms.is_empty()),
    ];
    kinds.into_iter().filter(|(_, is_there)| *is_there).map(|(facet, _)| facet).collect()
}
