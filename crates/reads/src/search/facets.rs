//! Counts of the hits of a search by values, in the shapes of the contract.

use std::collections::BTreeMap;

use norma_api::query::SearchQuery;
use norma_api::shapes::{ProvisionType, SearchFacet, SearchFacets, ValueCount};
use norma_editions::search::{EditionFacet, FoundTexts, search_kind};
use norma_search::UnitKind;

/// The counts that are asked for.
pub(super) fn hit_counts(texts: &FoundTexts, asked: &SearchQuery) -> SearchFacets<'static> {
    let found = &texts.found;
    let mut kinds = Vec::new();
    for (unit, count) in UnitKind::ALL.iter().zip(found.kinds) {
        kinds.push((search_kind(*unit).to_string(), count));
    }
    let mut types = Vec::new();
    for (kind, count) in norma_search::PROVISION_KINDS.iter().zip(found.provisions) {
        types.push((ProvisionType::from(*kind).to_string(), count));
    }
    let [normative, informative] = found.normative;
    let normative = vec![("true".to_owned(), normative), ("false".to_owned(), informative)];
    let of_units = |facet, values| asked.facets.contains(&facet).then(|| ordered(values));
    let of_editions = |facet| {
        let counts: &BTreeMap<String, u64> = texts.counts.get(&facet)?;
        Some(ordered(counts.iter().map(|(value, count)| (value.clone(), *count)).collect()))
    };
    SearchFacets {
        kind: of_units(SearchFacet::Kind, kinds),
        provision_type: of_units(SearchFacet::Type, types),
        normative: of_units(SearchFacet::Normative, normative),
        publisher: of_editions(EditionFacet::Publisher),
        status: of_editions(EditionFacet::Status),
        language: of_editions(EditionFacet::Language),
        ics: of_editions(EditionFacet::Ics),
    }
}

/// Counts of values, the highest first.
fn ordered(mut values: Vec<(String, u64)>) -> Vec<ValueCount<'static>> {
    values.retain(|(_, count)| *count > 0);
    values.sort_by(|a, b| (b.1, &a.0).cmp(&(a.1, &b.0)));
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
