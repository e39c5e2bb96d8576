//! From a search as the API has it to what is searched.

use norma_api::query::SearchQuery;
use norma_api::shapes::SearchKind;
use norma_model::{Identifier, UrnError};
use norma_search::{ParseQueryError, TextQuery, UnitFilter, UnitKind};

/// Why each word of a query has a value of the model.
const KNOWN: &str = "a query with a word that is not known was refused when it was read";

/// The editions that a search is for, as a query of the store.
///
/// # Errors
/// One of the URNs is not one.
pub fn selected_editions(asked: &SearchQuery) -> Result<norma_store::Query, UrnError> {
    Ok(norma_store::Query {
        identifiers: asked.urn.iter().map(|urn| Identifier::parse(urn)).collect::<Result<_, _>>()?,
        publishers: asked.publisher.clone(),
        statuses: asked.status.iter().map(|&status| status.try_into().expect(KNOWN)).collect(),
        languages: asked.language.clone(),
        ics: asked.ics.clone(),
        latest: !asked.all_editions,
        named: true,
        ..norma_store::Query::default()
    })
}

/// The words of a search. One language alone is that of its words.
///
/// # Errors
/// They cannot be searched for.
pub fn text_query(asked: &SearchQuery, max_words: usize) -> Result<TextQuery, ParseQueryError> {
    let language = match asked.language.as_slice() {
        [one] => Some(one),
        _ => None,
    };
    TextQuery::parse(&asked.q, language, max_words)
}

/// The units that a search is for.
pub fn unit_filter(asked: &SearchQuery) -> UnitFilter {
    UnitFilter {
        kinds: UnitKind::ALL.into_iter().filter(|unit| asked.kinds.contains(&search_kind(*unit))).collect(),
        provisions: asked.types.iter().map(|&kind| kind.try_into().expect(KNOWN)).collect(),
        normative: asked.normative,
    }
}

/// The kind of a unit as the API has it.
pub fn search_kind(unit: UnitKind) -> SearchKind {
    match unit {
        UnitKind::Standard => SearchKind::Standard,
        UnitKind::Section => SearchKind::Section,
        UnitKind::Provision => SearchKind::Provision,
        UnitKind::Term => SearchKind::Term,
        UnitKind::Table => SearchKind::Table,
    }
}
