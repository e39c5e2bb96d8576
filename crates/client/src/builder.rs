//! Builder of clients, and the check of their configuration before anything is sent.

use std::net::IpAddr;
use std::sync::Mutex;
use std::time::Duration;

use url::{Host, Url};

use crate::Client;
use crate::credential::Credential;
use crate::error::{ClientConfigError, ClientError};
use crate::retry::RetryPolicy;
use crate::token::Tokens;
use crate::transport::{ByteWeighter, ClientCache, Transport};

/// Default size of the response cache: 32 MiB.
const CACHE_BYTES: u64 = 32 << 20;
/// Default timeout of a request, in seconds.
const TIMEOUT: u64 = 60;
/// Typical size of a response, used to estimate the number of cache entries.
const TYPICAL_RESPONSE_BYTES: u64 = 32 << 10;

/// Builder of a client; see [`Client::builder`].
#[derive(Clone, Debug)]
pub struct ClientBuilder {
    service: String,
    credential: Credential,
    pub(crate) authority: String,
    pub(crate) tenant: String,
    client_id: String,
    scope: String,
    service_client_id: Option<String>,
    roots: Vec<u8>,
    retries: RetryPolicy,
    cache_bytes: u64,
    max_answer_bytes: u64,
    timeout: Duration,
}

impl ClientBuilder {
    pub(crate) fn new(service: String, credential: Credential) -> Self {
        Self {
            service,
            credential,
            authority: String::new(),
            tenant: String::new(),
            client_id: String::new(),
            scope: String::new(),
            service_client_id: None,
            roots: Vec::new(),
            retries: RetryPolicy::default(),
            cache_bytes: CACHE_BYTES,
            max_answer_bytes: u64::MAX,
            timeout: Duration::from_secs(TIMEOUT),
        }
    }

    /// URL of the identity provider, without the tenant. Required.
    pub fn authority(self, url: impl Into<String>) -> Self {
        Self { authority: url.into(), ..self }
    }

    /// Id or domain of the caller's own tenant. Required.
    pub fn tenant(self, tenant: impl Into<String>) -> Self {
        Self { tenant: tenant.into(), ..self }
    }

    /// Client id of the caller's own app registration. Required.
    pub fn client_id(self, id: impl Into<String>) -> Self {
        Self { client_id: id.into(), ..self }
    }

    /// The service's application ID URI followed by `/.default`. Required.
    pub fn scope(self, scope: impl Into<String>) -> Self {
        Self { scope: scope.into(), ..self }
    }

    /// Client id of the service, if known: used only to report when it was given as the caller's.
    pub fn service_client_id(self, id: impl Into<String>) -> Self {
        Self { service_client_id: Some(id.into()), ..self }
    }

    /// Certificates in PEM that are trusted in addition to the system's ones, for a private service or
    /// provider.
    pub fn extra_roots(self, pem: impl Into<Vec<u8>>) -> Self {
        Self { roots: pem.into(), ..self }
    }

    /// Retry policy of calls.
    pub fn retries(self, retries: RetryPolicy) -> Self {
        Self { retries, ..self }
    }

    /// Size in bytes of the cache of responses, which conditional requests revalidate. 0 disables it; the
    /// default is 32 MiB.
    pub fn cache_bytes(self, bytes: u64) -> Self {
        Self { cache_bytes: bytes, ..self }
    }

    /// Most bytes of one response, decoded; a longer one is an error. Unlimited by default.
    pub fn max_answer_bytes(self, bytes: u64) -> Self {
        Self { max_answer_bytes: bytes, ..self }
    }

    /// Timeout of one attempt; 60 s by default.
    pub fn timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// The errors in this configuration, most likely first; empty when it can work.
    pub fn config_errors(&self) -> Vec<ClientConfigError> {
        let mut errors = Vec::new();
        let required = [
            ("the identity provider's URL", &self.authority),
            ("the tenant", &self.tenant),
            ("the client id", &self.client_id),
            ("the scope", &self.scope),
        ];
        for (name, value) in required {
            if value.is_empty() {
                errors.push(ClientConfigError::Missing(name));
            }
        }
        errors.extend(wrong_url("service URL", &self.service));
        if !self.authority.is_empty() {
            errors.extend(wrong_url("identity provider's URL", &self.authority));
        }
        if !is_one_tenant(&self.tenant) {
            errors.push(ClientConfigError::Tenant(self.tenant.clone()));
        }
        if self.client_id.contains(['/', ':', ' ']) {
            errors.push(ClientConfigError::ClientId(self.client_id.clone()));
        }
        if let Some(id_of_service) = &self.service_client_id
            && !self.client_id.is_empty()
            && id_of_service.eq_ignore_ascii_case(&self.client_id)
        {
            errors.push(ClientConfigError::ClientIdOfService(self.client_id.clone()));
        }
        errors.extend(wrong_scope(&self.scope, &self.client_id));
        errors
    }

    /// Builds the client.
    ///
    /// # Errors
    /// [`ClientError::Config`] when the configuration cannot work, [`ClientError::Credential`] when an extra
    /// root is not a PEM certificate.
    pub fn build(self) -> Result<Client, ClientError> {
        if let Some(mistake) = self.config_errors().into_iter().next() {
            return Err(mistake.into());
        }
        let roots = reqwest::Certificate::from_pem_bundle(&self.roots)
            .map_err(|error| unusable("the extra roots are not PEM certificates", &error))?;
        #[allow(clippy::disallowed_methods, reason = "the one client of this crate")]
        let mut http = reqwest::Client::builder()
            // A redirect would send the token or the credential to another host.
            .redirect(reqwest::redirect::Policy::none())
            .timeout(self.timeout)
            .user_agent(concat!("norma-client/", env!("CARGO_PKG_VERSION")));
        if !roots.is_empty() {
            http = http.tls_certs_merge(roots);
        }
        let http = http.build().map_err(|error| unusable("TLS cannot be set up", &error))?;
        let tokens = Tokens {
            http: http.clone(),
            url: format!("{}/{}/oauth2/v2.0/token", self.authority.trim_end_matches('/'), self.tenant),
            client_id: self.client_id,
            scope: self.scope,
            credential: self.credential,
            current: Mutex::new(None),
            requesting: tokio::sync::Mutex::new(()),
        };
        let mut answers = None;
        if self.cache_bytes > 0 {
            let estimate = self.cache_bytes / TYPICAL_RESPONSE_BYTES;
            let estimate = usize::try_from(estimate).unwrap_or(usize::MAX).max(1);
            answers = Some(ClientCache::with_weighter(estimate, self.cache_bytes, ByteWeighter));
        }
        let transport = Transport {
            http,
            service: self.service.trim_end_matches('/').to_owned(),
            tokens,
            retries: self.retries,
            answers,
            max_answer_bytes: self.max_answer_bytes,
        };
        Ok(Client(transport.into()))
    }
}

fn unusable(what: &str, error: &reqwest::Error) -> ClientError {
    ClientError::Credential { what: format!("{what}: {error}") }
}

/// True if a text can be the id or domain of one tenant. `common` and its like mean any tenant, which gives
/// an application no token.
fn is_one_tenant(tenant: &str) -> bool {
    if matches!(tenant, "common" | "organizations" | "consumers") {
        return false;
    }
    tenant.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '.')
}

/// Checks a URL that tokens or credentials are sent to.
fn wrong_url(name: &'static str, text: &str) -> Option<ClientConfigError> {
    let reason = match Url::parse(text) {
        Ok(url) => reason_against(&url)?,
        Err(_) => "is not a URL",
    };
    Some(ClientConfigError::Url { name, url: text.to_owned(), reason })
}

/// The reason why no token or credential should be sent to a URL; `None` if it is a good one.
fn reason_against(url: &Url) -> Option<&'static str> {
    if !matches!(url.scheme(), "http" | "https") || url.host().is_none() {
        return Some("is not an http or https URL");
    }
    if url.scheme() == "http" && !is_loopback(url) {
        return Some("must begin with https, except on loopback");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Some("must not hold a user or password");
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Some("must not have a query or fragment");
    }
    if url.path().contains("/oauth2/") {
        return Some("must not name an endpoint: leave the path of the token endpoint out");
    }
    if url.path().starts_with("/api/") {
        return Some("must not name an operation: leave `/api/…` out");
    }
    None
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => IpAddr::from(address).is_loopback(),
        Some(Host::Ipv6(address)) => IpAddr::from(address).is_loopback(),
        None => false,
    }
}

/// The mistake in a scope; `None` for a good one, and for an empty one, which is another mistake.
fn wrong_scope(scope: &str, client_id: &str) -> Option<ClientConfigError> {
    if scope.is_empty() {
        return None;
    }
    let Some(resource) = scope.strip_suffix("/.default") else {
        return Some(ClientConfigError::ScopeWithoutDefault(scope.to_owned()));
    };
    let resource = resource.trim_end_matches('/');
    if resource.is_empty() || resource.contains(char::is_whitespace) {
        return Some(ClientConfigError::ScopeForm(scope.to_owned()));
    }
    let name = resource.strip_prefix("api://").unwrap_or(resource);
    if !client_id.is_empty() && name.eq_ignore_ascii_case(client_id) {
        return Some(ClientConfigError::ScopeOfOwnApplication(scope.to_owned()));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn right() -> ClientBuilder {
        Client::builder("https://norma.example", Credential::secret("hunter2"))
            .authority("https://login.example/")
            .tenant("8b6e9f3c-6a4e-4e0a-9d6a-0c6f0a7d1e42")
            .client_id("5f0e7f0a-3c1b-4b52-8f7c-2b9a0e1d3c4f")
            .scope("api://norma.example/.default")
    }

    #[test]
    fn a_right_configuration_has_no_mistakes_and_shows_no_secret() {
        assert_eq!(right().config_errors(), []);
        assert!(!format!("{:?}", right()).contains("hunter2"));
        assert!(!format!("{:?}", right().build().unwrap()).contains("hunter2"));
    }

    #[test]
    fn each_mistake_of_the_specification_is_found_before_anything_is_sent() {
        let own = "5f0e7f0a-3c1b-4b52-8f7c-2b9a0e1d3c4f";
        let cases = [
            (
                right().scope("api://norma.example"),
                ClientConfigError::ScopeWithoutDefault("api://norma.example".into()),
            ),
            (
                right().scope(format!("api://{own}/.default")),
                ClientConfigError::ScopeOfOwnApplication(format!("api://{own}/.default")),
            ),
            (
                right().scope(format!("{own}/.default")),
                ClientConfigError::ScopeOfOwnApplication(format!("{own}/.default")),
            ),
            (
                right().scope("api://a/.default api://b/.default"),
                ClientConfigError::ScopeForm("api://a/.default api://b/.default".into()),
            ),
            (right().service_client_id(own.to_uppercase()), ClientConfigError::ClientIdOfService(own.into())),
            (right().client_id("api://norma"), ClientConfigError::ClientId("api://norma".into())),
            (right().tenant("common"), ClientConfigError::Tenant("common".into())),
            (right().tenant("a/b"), ClientConfigError::Tenant("a/b".into())),
            (right().scope(""), ClientConfigError::Missing("the scope")),
        ];
        for (builder, mistake) in cases {
            assert_eq!(builder.config_errors(), [mistake]);
        }
    }

    #[test]
    fn credentials_go_to_https_or_loopback_only() {
        for (url, right_one) in [
            ("http://127.0.0.1:8080", true),
            ("http://localhost:8080", true),
            ("http://[::1]:8080", true),
            ("https://login.example/sub", true),
            ("http://login.example", false),
            ("ftp://login.example", false),
            ("login.example", false),
            ("https://user:word@login.example", false),
            ("https://login.example/tenant/oauth2/v2.0/token", false),
            ("https://login.example?x=1", false),
        ] {
            assert_eq!(right().authority(url).config_errors().is_empty(), right_one, "{url}");
        }
        assert!(!right_service("https://norma.example/api/content/v1"));
        assert!(right_service("https://norma.example/"));
    }

    fn right_service(url: &str) -> bool {
        ClientBuilder { service: url.to_owned(), ..right() }.config_errors().is_empty()
    }
}
