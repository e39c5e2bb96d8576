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

#[cfg(test)]
mod tests {
    use norma_model::Lang;

    use super::*;

    #[test]
    fn the_latest_editions_are_searched_and_those_that_the_caller_names() {
        let latest = selected_editions(&SearchQuery::new("anchor")).unwrap();
        assert!(latest.latest && latest.named && latest.identifiers.is_empty());
        let all = SearchQuery { all_editions: true, ..SearchQuery::new("anchor") };
        assert!(!selected_editions(&all).unwrap().latest);
        let wrong = SearchQuery { urn: vec!["urn:nothing".to_owned()], ..SearchQuery::new("anchor") };
        assert!(selected_editions(&wrong).is_err());
    }

    #[test]
    fn kinds_of_text_limit_the_units_and_none_lets_all_through() {
        let all = unit_filter(&SearchQuery::new("anchor"));
        assert!(all.kinds.is_empty());
        let terms = SearchQuery { kinds: vec![SearchKind::Term], ..SearchQuery::new("anchor") };
        assert_eq!(unit_filter(&terms).kinds, [UnitKind::Term]);
    }

    #[test]
    fn a_query_has_a_word_and_at_most_as_many_as_the_limit() {
        let in_languages = |language| SearchQuery { language, ..SearchQuery::new("Anker und Nägel") };
        assert!(text_query(&in_languages(vec![Lang::en()]), 3).is_ok());
        assert!(text_query(&in_languages(Vec::new()), 2).is_err());
        assert!(text_query(&SearchQuery::new(""), 3).is_err());
    }
}
