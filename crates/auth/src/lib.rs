//! Bearer tokens: a token, keys and a time in; a [`Caller`] or a [`Reject`] out.
//!
//! A token passes when an issuer of a registered tenant signed it, with a key that this issuer publishes, for
//! one of our audiences, for an application, with the required role, and when its time has come and is not
//! over. No setting can switch off signature, issuer, audience, expiry or role.
//!
//! | word | meaning |
//! |---|---|
//! | tenant | an organisation whose identity provider issues tokens for its clients |
//! | profile | one shape of a tenant's tokens: issuer, key set, claims |
//! | rules | what each token is held against; the settings |
//! | key set | the public keys of an issuer (RFC 7517), found by `kid` |
//!
//! ```no_run
//! use std::sync::Arc;
//! use jiff::Timestamp;
//! use norma_auth::{Https, Profile, Rules, Tenant, TenantId, Tenants, Verifier, bearer};
//!
//! # async fn example(header: &[u8]) -> Result<(), Box<dyn std::error::Error>> {
//! let rules = Rules::new(["api://norma.example"], "Content.Read");
//! let verifier = Verifier::new(rules.clone(), Arc::new(Https::new(&rules, None)?))?;
//! let id: TenantId = "8d3b0c86-5c5e-4f0a-9f0e-3a1c5d7e9b11".parse()?;
//! let profiles = vec![Profile::v2("https://login.example", &id)?];
//! verifier.replace_tenants(Tenants::new([Tenant { id, profiles, suspended: false, suspended_clients: vec![] }])?);
//! let caller = verifier.verify(bearer([header])?, Timestamp::now()).await?;
//! println!("{} of {}", caller.client, caller.tenant);
//! # Ok(())
//! # }
//! ```
//!
//! There is no clock in here: each call says what time it is. There is no HTTP server either: turning a
//! [`Reject`] into an answer is up to the service.

mod address;
mod bearer;
mod cache;
mod caller;
mod claims;
mod connection_token;
mod error;
mod examine;
mod fetch;
mod issuer_keys;
mod json;
mod jws;
mod keyset;
mod reject;
mod rules;
mod tenant;
mod verifier;

pub use bearer::bearer;
pub use caller::Caller;
pub use connection_token::ConnectionToken;
pub use error::Error;
pub use examine::{Examination, examine};
pub use fetch::{Document, Fetch, Https};
pub use issuer_keys::KeyHealth;
pub use keyset::SkippedKey;
pub use reject::{Reject, Rule};
pub use rules::{Algorithm, KeyRules, Rules};
pub use tenant::{Profile, Tenant, TenantId, Tenants};
pub use verifier::{Verifier, inspect};
