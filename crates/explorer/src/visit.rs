//! Requests of pages, and the state that they share.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};

use crate::calls::Service;
use crate::ingests::ReadIngestReport;
use crate::phrases::{LANGUAGES, Words, words};

/// What all requests share.
pub(crate) struct Site {
    /// Host and port that requests must name.
    pub(crate) host: String,
    /// First part of every path.
    pub(crate) key: String,
    pub(crate) service: Service,
    pub(crate) tenant: String,
    pub(crate) client_id: String,
    pub(crate) featured: Option<String>,
    pub(crate) read_ingest_report: Option<ReadIngestReport>,
}

/// Name and value of a parameter of a query.
pub(crate) type PageParameter = (&'static str, String);

/// Parameters of a search that its links and the search box keep, by their names in the API.
const SEARCH: [&str; 11] =
    ["q", "type", "in", "normative", "status", "language", "publisher", "ics", "urn", "edition", "group"];

/// A request of a page.
pub(crate) struct Visit {
    pub(crate) site: Arc<Site>,
    pub(crate) words: &'static Words,
    /// Path after the language, and query.
    rest: String,
    query: String,
}

impl Visit {
    /// The address of another page in the same language: `s/` and what follows.
    pub(crate) fn at(&self, path: &str) -> String {
        format!("/{}/{}/{path}", self.site.key, self.words.language)
    }

    /// This page in every language: the language and the address.
    pub(crate) fn in_languages(&self) -> impl Iterator<Item = (&'static str, String)> {
        LANGUAGES
            .into_iter()
            .map(|language| (language, format!("/{}/{language}/{}", self.site.key, self.rest)))
    }

    /// The address of this page.
    pub(crate) fn own(&self) -> String {
        self.at(&self.rest)
    }

    /// The address of a file that all pages share.
    pub(crate) fn file(&self, path: &str) -> String {
        format!("/{}/{path}", self.site.key)
    }

    /// Parameters of the query with these names.
    pub(crate) fn parameters(&self, names: &[&'static str]) -> Vec<PageParameter> {
        names.iter().flat_map(|&name| self.values(name).into_iter().map(move |value| (name, value))).collect()
    }

    /// Words and filters of a search, on its page.
    pub(crate) fn searched(&self) -> Vec<PageParameter> {
        let is_search = self.rest.split('?').next() == Some("search");
        if is_search { self.parameters(&SEARCH) } else { Vec::new() }
    }

    /// Values of a parameter of the query that are not empty.
    pub(crate) fn values(&self, name: &str) -> Vec<String> {
        let pairs = url::form_urlencoded::parse(self.query.as_bytes());
        let values = pairs.filter(|(key, value)| key == name && !value.trim().is_empty());
        values.map(|(_, value)| value.trim().to_owned()).collect()
    }

    /// The first of them.
    pub(crate) fn value(&self, name: &str) -> Option<String> {
        self.values(name).into_iter().next()
    }
}

impl FromRequestParts<Arc<Site>> for Visit {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, site: &Arc<Site>) -> Result<Self, Response> {
        let uri: &Uri = &parts.uri;
        let mut segments = uri.path().splitn(4, '/').skip(2);
        let (language, path) = (segments.next().unwrap_or_default(), segments.next().unwrap_or_default());
        let Some(words) = words(language) else {
            return Err((StatusCode::NOT_FOUND, "The explorer has no such page.\n").into_response());
        };
        let query = uri.query().unwrap_or_default().to_owned();
        let mark = if query.is_empty() { "" } else { "?" };
        Ok(Self { site: Arc::clone(site), words, rest: format!("{path}{mark}{query}"), query })
    }
}
