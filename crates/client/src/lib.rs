//! Client of Norma's Content API: every operation as a typed call, for servers that read standards.
//!
//! A [`Client`] requests tokens from the caller's own tenant (OAuth 2.0 client credentials) and caches each
//! until shortly before it expires, caches responses by their `ETag`, and retries when the service is busy.
//! It can be cloned; clones share all of that. Credentials and tokens are never in `Debug` output.
//!
//! ```no_run
//! # async fn read() -> Result<(), norma_client::ClientError> {
//! use futures::TryStreamExt;
//! use norma_client::{Client, Credential, ListQuery};
//!
//! let client = Client::builder("https://norma.example", Credential::secret_file("/run/secrets/norma"))
//!     .authority("https://login.example")
//!     .tenant("8b6e9f3c-6a4e-4e0a-9d6a-0c6f0a7d1e42")
//!     .client_id("5f0e7f0a-3c1b-4b52-8f7c-2b9a0e1d3c4f")
//!     .scope("api://norma.example/.default")
//!     .build()?;
//!
//! let mut standards = std::pin::pin!(client.standards(ListQuery::default()));
//! while let Some(standard) = standards.try_next().await? {
//!     let provisions = client.selection(&standard.urn, "4-6;table:1").await?;
//!     println!("{}: {} provisions", standard.reference, provisions.items.len());
//! }
//! # Ok(())
//! # }
//! ```

mod builder;
mod calls;
mod clock;
mod credential;
mod doctor;
mod error;
mod pages;
mod retry;
mod token;
mod transport;

pub use builder::ClientBuilder;
pub use calls::GraphFormat;
pub use credential::Credential;
pub use doctor::DiagnosisStep;
pub use error::{ClientConfigError, ClientError};
pub use norma_api::query::{
    ComparisonQuery, ListFilters, ListQuery, MigrateQuery, ProvisionsQuery, SearchQuery, Sort, SortBy,
};
pub use norma_api::{Code, Media, Operation, Problem, shapes};
pub use retry::RetryPolicy;
pub use transport::RawResponse;

use std::sync::Arc;

/// Client of one Norma service.
///
/// A configuration is checked before anything is sent:
///
/// ```
/// use norma_client::{Client, ClientConfigError, Credential};
///
/// let builder = Client::builder("https://norma.example", Credential::secret_file("/run/secrets/norma"))
///     .authority("https://login.example")
///     .tenant("8b6e9f3c-6a4e-4e0a-9d6a-0c6f0a7d1e42")
///     .client_id("5f0e7f0a-3c1b-4b52-8f7c-2b9a0e1d3c4f")
///     .scope("api://norma.example");
/// let expected = ClientConfigError::ScopeWithoutDefault("api://norma.example".into());
/// assert_eq!(builder.config_errors(), [expected]);
/// let client = builder.scope("api://norma.example/.default").build()?;
/// # drop(client);
/// # Ok::<(), norma_client::ClientError>(())
/// ```
#[derive(Clone)]
pub struct Client(Arc<transport::Transport>);

impl Client {
    /// Builder of a client of the service at this URL (without `/api/…`) with this credential.
    pub fn builder(service: impl Into<String>, credential: Credential) -> ClientBuilder {
        ClientBuilder::new(service.into(), credential)
    }

    /// An access token for the service, from the cache where it is fresh enough.
    ///
    /// # Errors
    /// When the identity provider refuses or cannot be reached.
    pub async fn token(&self) -> Result<String, ClientError> {
        self.0.tokens.token(std::time::Instant::now()).await.map(|token| token.as_str().to_owned())
    }
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").field("service", &self.0.service).finish_non_exhaustive()
    }
}
