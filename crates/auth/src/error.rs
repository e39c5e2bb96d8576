//! What can go wrong outside a token: settings that would be lax, and documents of a provider that cannot be
//! had.

/// A setting, a tenant or a provider's document that Norma cannot work with.
///
/// A refused token is not an `Error` but a [`Reject`](crate::Reject).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A setting is missing or would let through what must be refused.
    #[error("setting `{name}`: {why}")]
    Setting {
        /// Name of the setting, as in [`Rules`](crate::Rules).
        name: &'static str,
        /// What is wrong, and what would be right.
        why: String,
    },
    /// A tenant's registration contradicts itself or another one.
    #[error("tenant `{tenant}`: {why}")]
    Tenant {
        /// The tenant's id as it was given.
        tenant: String,
        /// What is wrong, and what would be right.
        why: String,
    },
    /// A URL cannot be used to reach a provider.
    #[error("URL `{url}`: {why}")]
    Url {
        /// The URL as it was given.
        url: String,
        /// What is wrong, and what would be right.
        why: String,
    },
    /// A provider's discovery document or key set could not be had, or was not one.
    #[error("{url}: {why}")]
    Document {
        /// Where it was asked for.
        url: String,
        /// What happened.
        why: String,
    },
}

impl Error {
    pub(crate) fn setting(name: &'static str, why: impl Into<String>) -> Self {
        Self::Setting { name, why: why.into() }
    }

    pub(crate) fn tenant(tenant: impl Into<String>, why: impl Into<String>) -> Self {
        Self::Tenant { tenant: tenant.into(), why: why.into() }
    }

    pub(crate) fn url(url: impl Into<String>, why: impl Into<String>) -> Self {
        Self::Url { url: url.into(), why: why.into() }
    }

    pub(crate) fn document(url: impl Into<String>, why: impl Into<String>) -> Self {
        Self::Document { url: url.into(), why: why.into() }
    }
}
