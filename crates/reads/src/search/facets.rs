//! Counts of the hits of a search by values, in the shapes of the contract.

use norma_api::query::SearchQuery;
use norma_api::shapes::{ProvisionType, SearchFacet, SearchFacets, ValueCount};
use norma_editions::search::{EditionFacet, FoundTexts, search_kind};
use norma_search::UnitKind;

/// The counts that a query asks for: of units by their own values, and by those of their editions.
pub(super) fn hit_counts(texts: &FoundTexts, asked: &SearchQuery) -> SearchFacets<'static> {
    let found = &texts.found;
    let mut counts = SearchFacets {
        kind: None,
        provision_type: None,
        normative: None,
        publisher: of_editions(texts, EditionFacet::Publisher),
        status: of_editions(texts, EditionFacet::Status),
        language: of_editions(texts, EditionFacet::Language),
        ics: of_editions(texts, EditionFacet::Ics),
    };
    if asked.facets.contains(&SearchFacet::Kind) {
        let mut kinds = Vec::new();
        for (unit, count) in UnitKind::ALL.iter().zip(found.kinds) {
            kinds.push((search_kind(*unit).to_string(), count));
        }
        counts.kind = Some(ordered(kinds));
    }
    if asked.facets.contains(&SearchFacet::Type) {
        let mut types = Vec::new();
        for (kind, count) in norma_search::PROVISION_KINDS.iter().zip(found.provisions) {
            types.push((ProvisionType::from(*kind).to_string(), count));
        }
        counts.provision_type = Some(ordered(types));
    }
    if asked.facets.contains(&SearchFacet::Normative) {
        let [normative, informative] = found.normative;
        let values = vec![("true".to_owned(), normative), ("false".to_owned(), informative)];
        counts.normative = Some(ordered(values));
    }
    counts
}

/// Counts by a value of editions; `None` if the search was not asked for them.
fn of_editions(texts: &FoundTexts, facet: EditionFacet) -> Option<Vec<ValueCount<'static>>> {
    let mut values = Vec::new();
    for (value, count) in texts.counts.get(&facet)? {
        values.push((value.clone(), *count));
    }
    Some(ordered(values))
}

/// Counts of values that occur, the highest first; equal ones in the order of their values.
fn ordered(mut values: Vec<(String, u64)>) -> Vec<ValueCount<'static>> {
    values.retain(|(_, count)| *count > 0);
    values.sort_by(|(a, hits_of_a), (b, hits_of_b)| hits_of_b.cmp(hits_of_a).then_with(|| a.cmp(b)));
    values.into_iter().map(|(value, count)| ValueCount { facet_value: value.into(), hits: count }).collect()
}

/// The value of editions that hits are counted by, if it is not one of their own.
pub(super) fn edition_facet(facet: SearchFacet) -> Option<EditionFacet> {
    match facet {
        SearchFacet::Publisher => Some(EditionFacet::Publisher),
        SearchFacet::Status => Some(EditionFacet::Status),
        SearchFacet::Language => Some(EditionFacet::Language),
        SearchFacet::Ics => Some(EditionFacet::Ics),
        SearchFacet::Kind | SearchFacet::Type | SearchFacet::Normative | SearchFacet::Unrecognized => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_by_their_counts_then_by_name_and_those_without_hits_are_left_out() {
        let values = [("b", 2), ("none", 0), ("a", 2), ("c", 7)];
        let counts = ordered(values.iter().map(|(value, count)| ((*value).to_owned(), *count)).collect());
        let found: Vec<_> = counts.iter().map(|one| (&*one.facet_value, one.hits)).collect();
        assert_eq!(found, [("c", 7), ("a", 2), ("b", 2)]);
    }
}
