//! Verification of bearer tokens: a token, keys and a time in; a [`Caller`] or a [`Reject`] out.
//!
//! A token is accepted when an issuer of a registered tenant signed it with a key that this issuer publishes,
//! for an accepted audience, for an application, with the required role, and within its validity period. No
//! setting can switch off signature, issuer, audience, expiry or role. A program for the users of one
//! organisation has [`Rules::for_users`], by which a subject is required in place of the role.
//!
//! | term | meaning |
//! |---|---|
//! | tenant | an organisation whose identity provider issues tokens for its clients |
//! | profile | one shape of a tenant's tokens: issuer, key set, claims |
//! | rules | the settings by which tokens are checked |
//! | key set | the public keys of an issuer (RFC 7517), found by `kid` |
//!
//! A running example is at [`Verifier`].
//!
//! The crate reads no clock: each call gets the time as an argument. Turning a [`Reject`] into an HTTP
//! response is up to the service.

mod address;
mod app_rule;
mod bearer;
mod cache;
mod caller;
mod claims;
mod connection_token;
mod error;
mod examine;
mod fetch;
#[cfg(feature = "https")]
mod https;
mod issuer_keys;
mod json;
mod jws;
mod keyset;
mod reject;
mod rules;
mod tenant;
mod verifier;

pub use address::check_provider_url;
pub use app_rule::{AppRule, RoleForm};
pub use bearer::bearer;
pub use caller::Caller;
pub use connection_token::ConnectionToken;
pub use error::AuthError;
pub use examine::{Examination, examine};
pub use fetch::{Fetch, ProviderDocument};
#[cfg(feature = "https")]
pub use https::Https;
pub use issuer_keys::KeyHealth;
pub use keyset::SkippedKey;
pub use reject::{Reject, TokenRule};
pub use rules::{Algorithm, KeyRules, MAX_TOKEN_SIZE, Rules};
pub use tenant::{Profile, RegisteredTenant, TenantId, Tenants};
pub use verifier::{Verifier, inspect};
