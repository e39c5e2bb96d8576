//! The query of the changes since a cursor.

use url::form_urlencoded::Serializer;

use super::{ParameterError, Parameters};

/// Which changes are asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangesQuery {
    /// Cursor of an answer before, as it was sent; `None` asks for a cursor to begin with.
    pub since: Option<String>,
    /// Most changes on a page; `None` for the default of the service.
    pub limit: Option<u32>,
}

impl ChangesQuery {
    /// The changes after a cursor.
    pub fn since(cursor: impl Into<String>) -> Self {
        Self { since: Some(cursor.into()), limit: None }
    }

    /// Reads the parameters of a request.
    ///
    /// # Errors
    /// A parameter that is wrong.
    pub fn from_parameters(parameters: &Parameters<'_>) -> Result<Self, ParameterError> {
        let limits = parameters.limits;
        let limit = parameters.number_up_to("limit", limits.max_page_size)?.unwrap_or(limits.page_size);
        Ok(Self { since: parameters.text("since")?, limit: Some(limit) })
    }

    /// The query string that reads back as this query.
    pub fn query_string(&self) -> String {
        let mut query = Serializer::new(String::new());
        query.extend_pairs(self.since.iter().map(|since| ("since", since)));
        query.extend_pairs(self.limit.iter().map(|limit| ("limit", limit.to_string())));
        query.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Operation;
    use crate::query::QueryLimits;

    fn read(query: &str) -> Result<ChangesQuery, ParameterError> {
        ChangesQuery::from_parameters(&Parameters::parse(Operation::Changes, query, QueryLimits::default())?)
    }

    #[test]
    fn a_query_reads_back_from_its_query_string() {
        let query = read("since=abc&limit=7").unwrap();
        assert_eq!(query, ChangesQuery { since: Some("abc".to_owned()), limit: Some(7) });
        assert_eq!(read(&query.query_string()).unwrap(), query);
        assert_eq!(read("").unwrap().limit, Some(QueryLimits::default().page_size));
        assert_eq!(ChangesQuery::default().query_string(), "");
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (query, name) in [("since=", "since"), ("since=a&since=b", "since"), ("limit=501", "limit")] {
            let error = read(query).unwrap_err();
            assert_eq!(error.problem_error().parameter.as_deref(), Some(name), "{query}");
        }
    }
}
