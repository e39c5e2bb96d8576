//! Items of a page of a comparison: those after the cursor that the filters of the query let through.

use std::ops::Range;
use std::sync::Arc;

use norma_api::query::ComparisonQuery;
use norma_api::shapes::ProvisionType;

use super::compared::changed;
use super::compared_pair::ComparedPair;
use super::items::{ItemIndex, likelihood};
use crate::Failure;
use crate::edition::AuthorizedEdition;
use crate::pair_side::PairSide;
use crate::sections::{find_sections, provisions_in};

/// The items of a page.
pub(super) struct PageItems {
    pub(super) items: Vec<ItemIndex>,
    /// The index, among all items of the comparison, of the first item of the next page.
    pub(super) next: Option<usize>,
}

/// The ordinals of the provisions in the section that a query asks for, of the older and the newer edition.
pub(super) type OrdinalsInSection = [Vec<Range<u32>>; 2];

/// The items of the page that a query asks for.
pub(super) fn page_items(
    compared: &ComparedPair,
    query: &ComparisonQuery,
    in_section: &OrdinalsInSection,
) -> PageItems {
    let first = query.after.as_ref().map_or(0, |after| after.index);
    let limit = query.limit as usize;
    let mut items = Vec::new();
    for (index, item) in compared.items.iter().enumerate().skip(first) {
        if !accepts(query, compared, *item, in_section) {
            continue;
        }
        if items.len() == limit {
            return PageItems { items, next: Some(index) };
        }
        items.push(*item);
    }
    PageItems { items, next: None }
}

/// Finds the section that a query asks for, in each edition.
pub(super) async fn ordinals_in_section(
    editions: &[Arc<AuthorizedEdition>; 2],
    compared: &ComparedPair,
    query: &ComparisonQuery,
) -> Result<OrdinalsInSection, Failure> {
    let mut in_section = OrdinalsInSection::default();
    let Some(section) = &query.section else { return Ok(in_section) };
    for side in [PairSide::Older, PairSide::Newer] {
        let ordinals = &mut in_section[side.index()];
        if let Some(texts) = &compared.texts[side.index()] {
            // An earlier revision has no index: the comparison has the sections of its units.
            for unit in texts.units_in(section) {
                if let Some(ordinal) = compared.ordinal(side, unit) {
                    ordinals.push(ordinal..ordinal + 1);
                }
            }
            continue;
        }
        let index = editions[side.index()].index().await?;
        for sections in find_sections(&index.outline, section) {
            ordinals.push(provisions_in(&index.outline, &sections));
        }
    }
    Ok(in_section)
}

/// True if each filter of a query accepts an item. A filter without values accepts all.
fn accepts(
    query: &ComparisonQuery,
    compared: &ComparedPair,
    item: ItemIndex,
    in_section: &OrdinalsInSection,
) -> bool {
    if !query.relations.is_empty() && !query.relations.contains(&item.relation(&compared.record)) {
        return false;
    }
    if !query.types.is_empty() && !has_type(&query.types, compared, item) {
        return false;
    }
    // Only a pair has changes and a likelihood.
    let link = item.link(&compared.record);
    if !query.changed.is_empty() {
        let Some(link) = link else { return false };
        if !changed(&link.facets).iter().any(|facet| query.changed.contains(facet)) {
            return false;
        }
    }
    if !query.likelihoods.is_empty() {
        let Some(link) = link else { return false };
        if !query.likelihoods.contains(&likelihood(link.confidence)) {
            return false;
        }
    }
    query.section.is_none() || is_in_section(compared, item, in_section)
}

/// True if the provision of either edition has one of these types.
fn has_type(types: &[ProvisionType], compared: &ComparedPair, item: ItemIndex) -> bool {
    let units = item.units(&compared.record);
    for side in [PairSide::Older, PairSide::Newer] {
        if let Some(unit) = units[side.index()]
            && let Some(unit) = compared.units(side).get(unit)
            && let Some(kind) = unit.kind
            && types.contains(&ProvisionType::from(kind))
        {
            return true;
        }
    }
    false
}

/// True if the provision of either edition is in the section.
fn is_in_section(compared: &ComparedPair, item: ItemIndex, in_section: &OrdinalsInSection) -> bool {
    let units = item.units(&compared.record);
    for side in [PairSide::Older, PairSide::Newer] {
        if let Some(unit) = units[side.index()]
            && let Some(ordinal) = compared.ordinal(side, unit)
            && in_section[side.index()].iter().any(|ordinals| ordinals.contains(&ordinal))
        {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use norma_api::query::ComparisonPosition;
    use norma_api::shapes::{ComparisonRelation, Facet, Likelihood};

    use super::super::example::compared;
    use super::*;

    /// The ids of the items of a page, and the index of the next one.
    fn page(query: &ComparisonQuery, in_section: &OrdinalsInSection) -> (Vec<String>, Option<usize>) {
        let compared = compared();
        let PageItems { items, next } = page_items(&compared, query, in_section);
        let mut ids = Vec::new();
        for item in items {
            let [older, newer] = item.units(&compared.record);
            let older = older.map(|unit| compared.record.older[unit].id.clone());
            let newer = newer.map(|unit| compared.record.newer[unit].id.clone());
            ids.push(newer.or(older).unwrap().into_string());
        }
        (ids, next)
    }

    fn all() -> ComparisonQuery {
        ComparisonQuery::with("urn:x")
    }

    #[test]
    fn pages_follow_each_other_without_gap_and_the_last_one_names_no_next() {
        let first = ComparisonQuery { limit: 4, ..all() };
        let (ids, next) = page(&first, &Default::default());
        assert_eq!((ids.join(" "), next), ("same' reworded' new' first'".to_owned(), Some(4)));
        let after = Some(ComparisonPosition { index: 4, state: String::new() });
        let (ids, next) = page(&ComparisonQuery { after, ..first }, &Default::default());
        assert_eq!((ids.join(" "), next), ("second' removed".to_owned(), None));
    }

    #[test]
    fn the_next_page_begins_at_the_next_item_that_the_filters_accept() {
        let relations = vec![ComparisonRelation::Same, ComparisonRelation::Removed];
        let query = ComparisonQuery { limit: 1, relations, ..all() };
        assert_eq!(page(&query, &Default::default()), (vec!["same'".to_owned()], Some(5)));
    }

    #[test]
    fn each_filter_alone_decides() {
        let ids = |query: ComparisonQuery| page(&query, &Default::default()).0.join(" ");
        assert_eq!(
            ids(ComparisonQuery { types: vec![ProvisionType::Permission], ..all() }),
            "reworded' new'"
        );
        assert_eq!(ids(ComparisonQuery { changed: vec![Facet::Normative], ..all() }), "reworded'");
        assert_eq!(ids(ComparisonQuery { changed: vec![Facet::Moved], ..all() }), "");
        // New and removed provisions have no likelihood.
        let likelihoods = vec![Likelihood::Likely, Likelihood::Certain];
        assert_eq!(ids(ComparisonQuery { likelihoods, ..all() }), "same' reworded'");
    }

    #[test]
    fn an_item_is_in_a_section_if_either_of_its_provisions_is() {
        let query = ComparisonQuery { section: Some("4".to_owned()), ..all() };
        let ordinals = 11..13;
        let in_older: OrdinalsInSection = [vec![ordinals], Vec::new()];
        assert_eq!(page(&query, &in_older).0.join(" "), "reworded' removed");
        let in_newer: OrdinalsInSection = [Vec::new(), vec![20..21, 24..25]];
        assert_eq!(page(&query, &in_newer).0.join(" "), "same' second'");
        assert_eq!(page(&query, &Default::default()).0.len(), 0);
    }
}
