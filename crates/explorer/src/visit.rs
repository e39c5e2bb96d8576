//! Requests of pages, and the state that they share.

use std::sync::Arc;
use std::time::SystemTime;

use axum::extract::FromRequestParts;
use axum::http::header::ACCEPT_LANGUAGE;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;

use crate::calls::Service;
use crate::frame::no_page;
use crate::ingests::ReadIngestReport;
use crate::phrases::{LANGUAGES, Words, preferred, words};

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
    /// Where colleagues open pages of this explorer, without a slash at its end.
    pub(crate) link_base: Option<String>,
    pub(crate) read_ingest_report: Option<ReadIngestReport>,
    /// The time, of which the day is needed.
    pub(crate) clock: fn() -> SystemTime,
}

/// Name and value of a parameter of a query.
pub(crate) type PageParameter = (&'static str, String);

/// Parameters of a search that its links and the search box keep, by their names in the API.
const SEARCH: [&str; 11] =
    ["q", "type", "in", "normative", "status", "language", "publisher", "ics", "urn", "edition", "group"];

/// The path of the page that checks a text, after the language. The guard lets a form be sent to it, and to
/// no other page.
pub(crate) const CHECK_PATH: &str = "check";

/// A request of a page.
pub(crate) struct Visit {
    pub(crate) site: Arc<Site>,
    pub(crate) words: &'static Words,
    /// Path after the language, with the query.
    rest: String,
    /// The query without its question mark; empty where there is none.
    query: String,
}

impl Visit {
    /// A request of an address that has no language: the page is in the one that the browser prefers, and its
    /// links to other languages lead to the first page.
    fn lost(site: Arc<Site>, headers: &HeaderMap) -> Self {
        let accept = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        Self { site, words: preferred(accept), rest: String::new(), query: String::new() }
    }

    /// The address of another page in the same language: `s/` and what follows.
    pub(crate) fn at(&self, path: &str) -> String {
        format!("/{}/{}/{path}", self.site.key, self.words.language)
    }

    /// The address of another page for colleagues; `None` where no base is set.
    pub(crate) fn shared(&self, path: &str) -> Option<String> {
        let base = self.site.link_base.as_deref()?;
        Some(format!("{base}/{}/{path}", self.words.language))
    }

    /// This page in every language: the language and the address.
    pub(crate) fn in_languages(&self) -> impl Iterator<Item = (&'static str, String)> {
        let address = |language: &str| format!("/{}/{language}/{}", self.site.key, self.rest);
        LANGUAGES.into_iter().map(move |language| (language, address(language)))
    }

    /// The address of this page.
    pub(crate) fn own(&self) -> String {
        self.at(&self.rest)
    }

    /// The address of a file that all pages share.
    pub(crate) fn file(&self, path: &str) -> String {
        format!("/{}/{path}", self.site.key)
    }

    /// Parameters of the query with these names, in the order of the names.
    pub(crate) fn parameters(&self, names: &[&'static str]) -> Vec<PageParameter> {
        let mut parameters = Vec::new();
        for &name in names {
            for value in self.values(name) {
                parameters.push((name, value));
            }
        }
        parameters
    }

    /// Words and filters of a search, on its page.
    pub(crate) fn searched(&self) -> Vec<PageParameter> {
        let is_search = self.rest.split('?').next() == Some("search");
        if is_search { self.parameters(&SEARCH) } else { Vec::new() }
    }

    /// Values of a parameter of the query that are not empty.
    pub(crate) fn values(&self, name: &str) -> Vec<String> {
        let mut values = Vec::new();
        for (key, value) in url::form_urlencoded::parse(self.query.as_bytes()) {
            // A form sends the fields that a person left empty, too.
            if key == name && !value.trim().is_empty() {
                values.push(value.trim().to_owned());
            }
        }
        values
    }

    /// The first value of a parameter that is not empty.
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
            return Err(no_page(&Self::lost(Arc::clone(site), &parts.headers)));
        };
        let query = uri.query().unwrap_or_default().to_owned();
        let mark = if query.is_empty() { "" } else { "?" };
        Ok(Self { site: Arc::clone(site), words, rest: format!("{path}{mark}{query}"), query })
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use axum::body::Body;
    use axum::http::{Request, StatusCode};
    use norma_client::{Client, ClientBuilder, Credential};

    use super::*;

    pub(crate) const HOST_AND_PORT: &str = "127.0.0.1:8000";
    pub(crate) const KEY: &str = "key";

    /// Nothing answers there: port 9 is "discard" (RFC 863).
    pub(crate) const SERVICE: &str = "http://127.0.0.1:9";

    /// A client of a service that cannot be reached.
    pub(crate) fn client() -> ClientBuilder {
        Client::builder(SERVICE, Credential::secret("secret"))
            .authority(SERVICE)
            .tenant("8b6e9f3c-6a4e-4e0a-9d6a-0c6f0a7d1e42")
            .client_id("5f0e7f0a-3c1b-4b52-8f7c-2b9a0e1d3c4f")
            .scope("api://norma.example/.default")
    }

    pub(crate) fn site() -> Site {
        Site {
            host: HOST_AND_PORT.to_owned(),
            key: KEY.to_owned(),
            service: Service::new(client(), SERVICE.to_owned()).unwrap(),
            tenant: "tenant-1".to_owned(),
            client_id: "client-1".to_owned(),
            featured: None,
            link_base: None,
            read_ingest_report: None,
            clock: || SystemTime::UNIX_EPOCH,
        }
    }

    /// A request of the page at this path after the key.
    pub(crate) async fn visit(path: &str) -> Visit {
        let request = Request::get(format!("/{KEY}/{path}")).body(Body::empty()).unwrap();
        let (mut parts, _) = request.into_parts();
        Visit::from_request_parts(&mut parts, &Arc::new(site())).await.unwrap()
    }

    #[tokio::test]
    async fn a_page_has_an_address_in_each_language_with_its_query() {
        let visit = visit("de/s/urn%3Ax?at=sec_4").await;
        assert_eq!(visit.words.language, "de");
        assert_eq!(visit.own(), "/key/de/s/urn%3Ax?at=sec_4");
        let addresses: Vec<_> = visit.in_languages().collect();
        assert_eq!(addresses[0], ("en", "/key/en/s/urn%3Ax?at=sec_4".to_owned()));
        assert_eq!(addresses[2], ("fr", "/key/fr/s/urn%3Ax?at=sec_4".to_owned()));
    }

    #[tokio::test]
    async fn values_are_decoded_and_empty_ones_are_left_out() {
        let visit = visit("en/search?type=&q=+proof+load%20&type=requirement&type=permission&x=1").await;
        assert_eq!(visit.value("q").as_deref(), Some("proof load"));
        assert_eq!(visit.values("type"), ["requirement", "permission"]);
        assert_eq!(visit.value("status"), None);
        let searched = [("q", "proof load"), ("type", "requirement"), ("type", "permission")];
        assert_eq!(visit.searched(), searched.map(|(name, value)| (name, value.to_owned())));
    }

    #[tokio::test]
    async fn only_the_page_of_a_search_keeps_its_words() {
        assert!(visit("en/s/urn%3Ax?q=lid").await.searched().is_empty());
        assert!(visit("en/?q=lid").await.searched().is_empty());
    }

    #[tokio::test]
    async fn a_language_without_an_interface_is_not_found() {
        let (mut parts, _) = Request::get("/key/ja/search").body(Body::empty()).unwrap().into_parts();
        let refused = Visit::from_request_parts(&mut parts, &Arc::new(site())).await;
        assert_eq!(refused.err().unwrap().status(), StatusCode::NOT_FOUND);
    }
}
