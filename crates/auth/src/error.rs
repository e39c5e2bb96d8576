//! Errors other than rejected tokens: settings, tenants, URLs, and documents of a provider.

/// Error in a setting, a tenant's registration, a URL or a provider's document.
///
/// A refused token is not an `AuthError` but a [`Reject`](crate::Reject).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AuthError {
    /// A setting is missing or would accept invalid tokens.
    #[error("setting `{name}`: {reason}")]
    Setting {
        /// Name of the setting, as operators write it.
        name: &'static str,
        /// The error, and the expected value.
        reason: String,
    },
    /// A tenant's registration contradicts itself or another one.
    #[error("tenant `{tenant}`: {reason}")]
    Tenant {
        /// The tenant's id as it was given.
        tenant: String,
        /// The error, and the expected value.
        reason: String,
    },
    /// A URL cannot be used to reach a provider.
    #[error("URL `{url}`: {reason}")]
    Url {
        /// The URL as it was given.
        url: String,
        /// The error, and the expected value.
        reason: String,
    },
    /// A provider's discovery document or key set could not be fetched or parsed.
    #[error("{url}: {reason}")]
    Document {
        /// The URL that was asked for the keys.
        url: String,
        /// What was wrong with the document, or why it was not fetched.
        reason: String,
    },
}

impl AuthError {
    pub(crate) fn setting(name: &'static str, reason: impl Into<String>) -> Self {
        Self::Setting { name, reason: reason.into() }
    }

    pub(crate) fn tenant(tenant: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Tenant { tenant: tenant.into(), reason: reason.into() }
    }

    pub(crate) fn url(url: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Url { url: url.into(), reason: reason.into() }
    }

    pub(crate) fn document(url: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Document { url: url.into(), reason: reason.into() }
    }
}
