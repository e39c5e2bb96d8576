//! HTTP client for identity providers: HTTPS, no redirects, bounded in time and size.

use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;
use reqwest::{Certificate, Client, header, redirect::Policy};
use serde::Deserialize;
use url::Url;

use crate::{
    Error, Profile, Rules,
    address::{check, is_loopback},
    keyset::KeySet,
    tenant::{TENANT_PLACEHOLDER, TenantId},
};

/// A document of a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The body, JSON in UTF-8.
    pub body: Vec<u8>,
    /// When the provider says it was sent, by its own clock (RFC 9110, 6.6.1).
    pub date: Option<Timestamp>,
}

/// Source of key sets and discovery documents: [`Https`] in a service.
#[async_trait]
pub trait Fetch: Send + Sync + 'static {
    /// Gets the document at a URL.
    ///
    /// # Errors
    /// [`Error::Document`] when it cannot be fetched.
    async fn get(&self, url: &str) -> Result<Document, Error>;
}

/// Fetches by HTTPS; by plain HTTP from this machine only.
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
    /// [`Error::Setting`] when `roots` are not PEM certificates.
    #[allow(clippy::disallowed_methods, reason = "the one client of this crate")]
    pub fn new(rules: &Rules, roots: Option<&[u8]>) -> Result<Self, Error> {
        let refuse = |error: reqwest::Error| Error::setting("ca-file", cause(&error));
        let roots = roots.map(Certificate::from_pem_bundle).transpose().map_err(refuse)?.unwrap_or_default();
        let builder = || {
            Client::builder()
                .redirect(Policy::none())
                .timeout(rules.keys.fetch_timeout)
                .pool_idle_timeout(Duration::from_secs(15))
                .user_agent(concat!("norma-auth/", env!("CARGO_PKG_VERSION")))
                .tls_certs_merge(roots.clone())
        };
        Ok(Self {
            outer: builder().build().map_err(refuse)?,
            loopback: builder().no_proxy().build().map_err(refuse)?,
            max_document: rules.keys.max_document,
        })
    }

    async fn body(&self, url: &Url) -> Result<Document, String> {
        let client = if is_loopback(url) { &self.loopback } else { &self.outer };
        let request = client.get(url.clone()).header(header::ACCEPT, "application/json");
        let mut response = request.send().await.map_err(|error| cause(&error))?;
        if response.status() != 200 {
            return Err(format!("expected status 200, found {}", response.status()));
        }
        let date = response.headers().get(header::DATE).and_then(|date| date.to_str().ok());
        let date = date.and_then(|date| jiff::fmt::rfc2822::parse(date).ok()).map(|date| date.timestamp());
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| cause(&error))? {
            if body.len() + chunk.len() > self.max_document {
                return Err(format!("the document is larger than {} bytes", self.max_document));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(Document { body, date })
    }
}

#[async_trait]
impl Fetch for Https {
    async fn get(&self, url: &str) -> Result<Document, Error> {
        let parsed = check(url)?;
        self.body(&parsed).await.map_err(|reason| Error::document(url, reason))
    }
}

/// The innermost cause, which is more specific than reqwest's own message.
fn cause(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}

/// The members of a discovery document that matter here (OpenID Connect Discovery, 3).
#[derive(Deserialize)]
struct Discovery {
    issuer: String,
    jwks_uri: String,
}

/// URL of the key set of a profile: as configured, else from the issuer's discovery document.
pub(crate) async fn locate(tenant: &TenantId, profile: &Profile, fetch: &dyn Fetch) -> Result<String, Error> {
    if let Some(configured) = &profile.jwks_uri {
        return Ok(configured.clone());
    }
    let url = format!("{}/.well-known/openid-configuration", profile.issuer.trim_end_matches('/'));
    let document = fetch.get(&url).await?;
    let found: Discovery = serde_json::from_slice(&document.body)
        .map_err(|error| Error::document(&url, format!("not a discovery document: {error}")))?;
    if found.issuer.replace(TENANT_PLACEHOLDER, tenant.as_str()) != profile.issuer {
        return Err(Error::document(
            &url,
            format!("expected issuer `{}`, found `{}`", profile.issuer, found.issuer),
        ));
    }
    let keys = check(&found.jwks_uri)?;
    if keys.scheme() == "http" && !is_loopback(&check(&url)?) {
        return Err(Error::document(
            &url,
            "its `jwks_uri` is on this machine (loopback), which is allowed for a loopback provider only",
        ));
    }
    Ok(found.jwks_uri)
}

/// Fetches the key set of a profile, with its discovery document where that is needed.
pub(crate) async fn load(
    tenant: &TenantId,
    profile: &Profile,
    rules: &Rules,
    fetch: &dyn Fetch,
) -> Result<KeySet, Error> {
    let url = locate(tenant, profile, fetch).await?;
    let document = fetch.get(&url).await?;
    KeySet::parse(&document.body, tenant, profile, rules).map_err(|reason| Error::document(url, reason))
}
