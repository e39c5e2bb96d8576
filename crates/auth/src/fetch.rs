//! Documents of identity providers: discovery and key sets, from any fetcher.

use async_trait::async_trait;
use jiff::Timestamp;
use serde::Deserialize;

use crate::{
    AuthError, Profile, Rules,
    address::{check, is_loopback},
    keyset::KeySet,
    tenant::{TENANT_PLACEHOLDER, TenantId},
};

/// A document of a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderDocument {
    /// The body, JSON in UTF-8.
    pub body: Vec<u8>,
    /// The time at which the provider sent it, by its own clock (RFC 9110, 6.6.1).
    pub date: Option<Timestamp>,
}

/// Source of key sets and discovery documents: `Https` in a service.
#[async_trait]
pub trait Fetch: Send + Sync + 'static {
    /// Gets the document at a URL.
    ///
    /// # Errors
    /// [`AuthError::Document`] when it cannot be fetched.
    async fn get(&self, url: &str) -> Result<ProviderDocument, AuthError>;
}

/// The members of a discovery document that Norma uses (OpenID Connect Discovery, 3).
#[derive(Deserialize)]
struct Discovery {
    issuer: String,
    jwks_uri: String,
}

/// Finds the URL of the key set of a profile: the configured one, or else that of the issuer's discovery
/// document.
pub(crate) async fn locate(
    tenant: &TenantId,
    profile: &Profile,
    fetch: &dyn Fetch,
) -> Result<String, AuthError> {
    if let Some(configured) = &profile.jwks_uri {
        return Ok(configured.clone());
    }
    let url = format!("{}/.well-known/openid-configuration", profile.issuer.trim_end_matches('/'));
    let document = fetch.get(&url).await?;
    let found: Discovery = serde_json::from_slice(&document.body)
        .map_err(|error| AuthError::document(&url, format!("not a discovery document: {error}")))?;
    if found.issuer.replace(TENANT_PLACEHOLDER, tenant.as_str()) != profile.issuer {
        return Err(AuthError::document(
            &url,
            format!("expected issuer `{}`, found `{}`", profile.issuer, found.issuer),
        ));
    }
    let keys = check(&found.jwks_uri)?;
    if keys.scheme() == "http" && !is_loopback(&check(&url)?) {
        return Err(AuthError::document(
            &url,
            "its `jwks_uri` is on this machine (loopback), which is allowed for a loopback provider only",
        ));
    }
    Ok(found.jwks_uri)
}

/// Fetches the key set of a profile, with its discovery document if that is needed.
pub(crate) async fn load(
    tenant: &TenantId,
    profile: &Profile,
    rules: &Rules,
    fetch: &dyn Fetch,
) -> Result<KeySet, AuthError> {
    let url = locate(tenant, profile, fetch).await?;
    let document = fetch.get(&url).await?;
    KeySet::parse(&document.body, tenant, profile, rules).map_err(|reason| AuthError::document(url, reason))
}
