//! HTTP client for identity providers: HTTPS, no redirects, bounded in time and size.

use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;
use reqwest::{Certificate, Client, ClientBuilder, Response, header, redirect::Policy};
use url::Url;

use crate::address::{check, is_loopback};
use crate::{AuthError, Fetch, ProviderDocument, Rules};

/// Fetcher by HTTPS, and by plain HTTP from this machine only.
#[derive(Debug, Clone)]
pub struct Https {
    outer: Client,
    /// Client without proxy: a proxy cannot reach this machine's loopback.
    loopback: Client,
    max_document: usize,
}

impl Https {
    /// A fetcher within the limits of `rules`. Certificates are checked against the system's roots and, in
    /// addition, `roots` (PEM).
    ///
    /// # Errors
    /// [`AuthError::Setting`] when `roots` are not PEM certificates.
    pub fn new(rules: &Rules, roots: Option<&[u8]>) -> Result<Self, AuthError> {
        let refuse = |error: reqwest::Error| AuthError::setting("ca-file", cause(&error));
        let roots = match roots {
            Some(pem) => Certificate::from_pem_bundle(pem).map_err(refuse)?,
            None => Vec::new(),
        };
        let outer = builder(rules, &roots);
        let loopback = builder(rules, &roots).no_proxy();
        Ok(Self {
            outer: outer.build().map_err(refuse)?,
            loopback: loopback.build().map_err(refuse)?,
            max_document: rules.keys.max_document,
        })
    }

    async fn body(&self, url: &Url) -> Result<ProviderDocument, String> {
        let client = if is_loopback(url) { &self.loopback } else { &self.outer };
        let request = client.get(url.clone()).header(header::ACCEPT, "application/json");
        let mut response = request.send().await.map_err(|error| cause(&error))?;
        if response.status() != 200 {
            return Err(format!("expected status 200, found {}", response.status()));
        }
        let date = date(&response);
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| cause(&error))? {
            if body.len() + chunk.len() > self.max_document {
                return Err(format!("the document is larger than {} bytes", self.max_document));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(ProviderDocument { body, date })
    }
}

#[async_trait]
impl Fetch for Https {
    async fn get(&self, url: &str) -> Result<ProviderDocument, AuthError> {
        let parsed = check(url)?;
        self.body(&parsed).await.map_err(|reason| AuthError::document(url, reason))
    }
}

/// What both clients have in common.
#[allow(clippy::disallowed_methods, reason = "the one place of this crate that builds clients")]
fn builder(rules: &Rules, roots: &[Certificate]) -> ClientBuilder {
    Client::builder()
        .redirect(Policy::none())
        .timeout(rules.keys.fetch_timeout)
        .pool_idle_timeout(Duration::from_secs(15))
        .user_agent(concat!("norma-auth/", env!("CARGO_PKG_VERSION")))
        .tls_certs_merge(roots.to_vec())
}

/// The `Date` of an answer, where it has a valid one.
fn date(response: &Response) -> Option<Timestamp> {
    let date = response.headers().get(header::DATE)?.to_str().ok()?;
    Some(jiff::fmt::rfc2822::parse(date).ok()?.timestamp())
}

/// The innermost cause, which is more specific than reqwest's own message.
fn cause(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}
