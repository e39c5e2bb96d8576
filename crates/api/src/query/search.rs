//! The query of a search.

use norma_model::Lang;
use url::form_urlencoded::{Serializer, parse};

use super::{ParameterError, Parameters, invalid};
use crate::shapes::{ProvisionType, SearchFacet, SearchKind, Status};
use crate::values::{IcsPrefix, NonBlankText};

/// Hits of a page where the caller does not say how many.
const HITS: u32 = 20;

/// What is searched for, and where. An empty list lets everything through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchQuery {
    /// Words that are searched for, as typed.
    pub q: String,
    /// Kinds of text; alternatives.
    pub kinds: Vec<SearchKind>,
    /// Types of provisions; alternatives.
    pub types: Vec<ProvisionType>,
    /// The normative status of provisions; `None` for either.
    pub normative: Option<bool>,
    /// Languages of standards; alternatives.
    pub language: Vec<Lang>,
    /// Beginnings of ICS codes; alternatives.
    pub ics: Vec<String>,
    /// Publishers of standards; alternatives.
    pub publisher: Vec<String>,
    /// Statuses of standards; alternatives.
    pub status: Vec<Status>,
    /// All editions are searched, not only the latest ones.
    pub all_editions: bool,
    /// URNs of standards; alternatives.
    pub urn: Vec<String>,
    /// What to count hits by.
    pub facets: Vec<SearchFacet>,
    /// Hits are grouped by standard.
    pub grouped: bool,
    /// Most items of a page.
    pub limit: u32,
    /// Where the page before ended.
    pub cursor: Option<String>,
}

impl SearchQuery {
    /// A search for these words, with default values.
    pub fn new(q: impl Into<String>) -> Self {
        Self {
            q: q.into(),
            kinds: Vec::new(),
            types: Vec::new(),
            normative: None,
            language: Vec::new(),
            ics: Vec::new(),
            publisher: Vec::new(),
            status: Vec::new(),
            all_editions: false,
            urn: Vec::new(),
            facets: Vec::new(),
            grouped: false,
            limit: HITS,
            cursor: None,
        }
    }

    /// Reads the parameters of a request.
    ///
    /// # Errors
    /// A parameter that is wrong, or `q` that is absent.
    pub fn from_parameters(parameters: &Parameters<'_>) -> Result<Self, ParameterError> {
        let q = parameters.one("q")?.map(|NonBlankText(text)| text);
        let facets = parameters.list("facets")?.unwrap_or_default();
        let facets = SearchFacet::ALL.iter().copied().filter(|facet| facets.contains(&facet.as_str()));
        Ok(Self {
            q: q.ok_or_else(|| invalid("q", "is absent; expected words to find"))?,
            kinds: parameters.words("in")?,
            types: parameters.words("type")?,
            normative: parameters.boolean("normative")?,
            language: parameters.all("language", |language: Lang| language)?,
            ics: parameters.all("ics", |IcsPrefix(digits)| digits)?,
            publisher: parameters.all("publisher", |NonBlankText(text)| text)?,
            status: parameters.words("status")?,
            all_editions: parameters.choice("edition")? == Some("all"),
            urn: parameters.texts("urn")?,
            facets: facets.collect(),
            grouped: parameters.choice("group")?.is_some(),
            limit: parameters.number("limit")?.unwrap_or(HITS),
            cursor: parameters.text("cursor")?,
        })
    }

    /// What the hits and their order depend on, as a query string: all but facets and page.
    pub fn canonical(&self) -> String {
        Self { facets: Vec::new(), limit: HITS, cursor: None, ..self.clone() }.query_string()
    }

    /// The query string of the page that begins at a cursor.
    pub fn next(&self, cursor: &str) -> String {
        Self { cursor: Some(cursor.to_owned()), ..self.clone() }.query_string()
    }

    /// True if a query string asks for a page after the first.
    pub fn asks_for_next_page(query: &str) -> bool {
        parse(query.as_bytes()).any(|(name, _)| name == "cursor")
    }

    /// The query string that reads back as this query.
    pub fn query_string(&self) -> String {
        let Self { q, kinds, types, normative, language, ics, publisher, .. } = self;
        let Self { status, all_editions, urn, facets, grouped, limit, cursor, .. } = self;
        let mut query = Serializer::new(String::new());
        query.append_pair("q", q);
        query.extend_pairs(kinds.iter().map(|kind| ("in", kind.as_str())));
        query.extend_pairs(types.iter().map(|kind| ("type", kind.as_str())));
        query.extend_pairs(normative.iter().map(|normative| ("normative", normative.to_string())));
        query.extend_pairs(language.iter().map(|language| ("language", language.as_str())));
        query.extend_pairs(ics.iter().map(|ics| ("ics", ics)));
        query.extend_pairs(publisher.iter().map(|publisher| ("publisher", publisher)));
        query.extend_pairs(status.iter().map(|status| ("status", status.as_str())));
        query.extend_pairs(all_editions.then_some(("edition", "all")));
        query.extend_pairs(urn.iter().map(|urn| ("urn", urn)));
        let facets: Vec<&str> = facets.iter().map(|facet| facet.as_str()).collect();
        query.extend_pairs((!facets.is_empty()).then(|| ("facets", facets.join(","))));
        query.extend_pairs(grouped.then_some(("group", "standard")));
        query.extend_pairs((*limit != HITS).then(|| ("limit", limit.to_string())));
        query.extend_pairs(cursor.iter().map(|cursor| ("cursor", cursor)));
        query.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Operation;
    use crate::query::QueryLimits;

    fn read(query: &str) -> Result<SearchQuery, ParameterError> {
        SearchQuery::from_parameters(&Parameters::parse(Operation::Search, query, QueryLimits::default())?)
    }

    #[test]
    fn a_query_reads_back_from_its_query_string() {
        let text = "q=pull-out+force&in=term&in=provision&type=requirement&normative=true&language=en&ics=43\
                    &publisher=NSB&status=published&edition=all&urn=urn%3Ansb%3Astd%3Ansb%3A4210&facets=type%2Cics\
                    &group=standard&limit=5&cursor=abc";
        let query = read(text).unwrap();
        assert_eq!(query.query_string(), text);
        assert_eq!(read(&query.canonical()).unwrap().canonical(), query.canonical());
        assert_eq!(query.next("x"), text.replace("cursor=abc", "cursor=x"));
        assert_eq!(read("q=a").unwrap(), SearchQuery::new("a"));
        assert!(SearchQuery::asks_for_next_page(text) && !SearchQuery::asks_for_next_page("q=cursor"));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (query, name) in [
            ("in=term", "q"),
            ("q=", "q"),
            ("q=a&q=b", "q"),
            ("q=a&in=note", "in"),
            ("q=a&limit=101", "limit"),
            ("q=a&facets=type,size", "facets"),
            ("q=a&edition=first", "edition"),
            ("q=a&group=section", "group"),
        ] {
            let error = read(query).unwrap_err();
            assert_eq!(error.problem_error().parameter.as_deref(), Some(name), "{query}");
        }
    }
}
