//! Options of the HTTP front end, and which of them are safe together.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use ipnet::IpNet;
use norma_auth::{Algorithm, AuthError, Https, Profile, RegisteredTenant, Rules, Tenants, Verifier};
use url::Url;

use super::tls::TlsFiles;

/// Where the server listens, and whom it answers.
pub struct HttpServerOptions {
    /// Address to listen on. One that other machines reach needs `users`, and TLS or a proxy.
    pub listen: SocketAddr,
    /// Users with tokens; without them, a host that has the key in the address is answered.
    pub users: Option<UserAccess>,
    /// PEM files with the certificate chain and its private key.
    pub tls: Option<(PathBuf, PathBuf)>,
    /// Addresses or networks of proxies in front, which do TLS. Others are then not answered.
    pub trusted_proxies: Vec<String>,
    /// The address by which hosts reach the server: `https://norma.example`. Behind a proxy it is the
    /// proxy's.
    pub public_url: Option<String>,
    /// The time, by which tokens expire.
    pub clock: fn() -> SystemTime,
}

/// Which users are answered: those with an access token of one issuer for this server.
pub struct UserAccess {
    /// The issuer, as `iss` of its tokens names it.
    pub issuer: String,
    /// Where its keys are; without it, its discovery document says so.
    pub jwks_uri: Option<String>,
    /// The audiences that mean this server.
    pub audiences: Vec<String>,
    /// Signature algorithms, `RS256`, `PS256` or `ES256`.
    pub algorithms: Vec<String>,
    /// Accepted `typ` values.
    pub token_types: Vec<String>,
    /// Claims that name the program that a user works with; the first that is present counts.
    pub client_claims: Vec<String>,
    /// Tolerated difference between the provider's clock and ours.
    pub clock_skew: Duration,
    /// A root certificate in PEM for the provider, in addition to those of the system.
    pub extra_root: Option<Vec<u8>>,
    /// Requests of a user in a second, in the long run.
    pub calls_per_second: u32,
    /// Requests of a user at once.
    pub burst: u32,
}

/// Why the server does not start.
#[derive(Debug, thiserror::Error)]
pub enum HttpServerError {
    /// Other machines reach the address, and all of them would be answered.
    #[error("other machines reach `{0}`: give `--issuer` and `--audience`, or listen on 127.0.0.1")]
    NoUsers(SocketAddr),
    /// Other machines reach the address, and tokens would be sent in the clear.
    #[error(
        "other machines reach `{0}`: give `--tls-cert` and `--tls-key`, or `--trusted-proxies` with the proxy that does TLS"
    )]
    NoTls(SocketAddr),
    /// The public address is missing where it cannot be known.
    #[error(
        "give `--public-url`, the address by which hosts reach this server, such as https://norma.example"
    )]
    NoPublicUrl,
    /// The public address is not one.
    #[error("`--public-url`: expected an address such as https://norma.example without a path, found `{0}`")]
    PublicUrl(String),
    /// A proxy is not an address.
    #[error("`--trusted-proxies`: expected an IP address or a network such as 10.0.0.0/8, found `{0}`")]
    Proxy(String),
    /// Tokens cannot be verified by these options.
    #[error(transparent)]
    Users(#[from] AuthError),
    /// Certificate or key cannot be used.
    #[error("`--tls-cert`: certificate or key cannot be used: {0}")]
    Tls(String),
    /// The address is in use, or not one of this machine.
    #[error("cannot listen on {address}: {cause}; name another address")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The error of the system.
        cause: std::io::Error,
    },
    /// The listener cannot be used.
    #[error("the listener cannot be used: {cause}")]
    Serve {
        /// The error of the system.
        cause: std::io::Error,
    },
}

impl HttpServerOptions {
    /// Checks that nobody is answered by mistake.
    pub(super) fn check(&self) -> Result<(), HttpServerError> {
        let is_local = self.listen.ip().is_loopback();
        if !is_local && self.users.is_none() {
            return Err(HttpServerError::NoUsers(self.listen));
        }
        if !is_local && self.tls.is_none() && self.trusted_proxies.is_empty() {
            return Err(HttpServerError::NoTls(self.listen));
        }
        // Tokens are for the public address, and metadata names it.
        if (!is_local || !self.trusted_proxies.is_empty()) && self.public_url.is_none() {
            return Err(HttpServerError::NoPublicUrl);
        }
        Ok(())
    }

    /// Scheme, host and port of the public address.
    pub(super) fn public_origin(&self) -> Result<Option<String>, HttpServerError> {
        let Some(text) = &self.public_url else { return Ok(None) };
        let wrong = || HttpServerError::PublicUrl(text.clone());
        let url = Url::parse(text).map_err(|_| wrong())?;
        let is_plain = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
        let is_safe = url.scheme() == "https" || url.scheme() == "http" && self.listen.ip().is_loopback();
        if !is_plain || !is_safe || !url.has_host() || !url.username().is_empty() {
            return Err(wrong());
        }
        Ok(Some(url.origin().ascii_serialization()))
    }

    /// The networks of the proxies.
    pub(super) fn proxies(&self) -> Result<Vec<IpNet>, HttpServerError> {
        let mut networks = Vec::with_capacity(self.trusted_proxies.len());
        for text in &self.trusted_proxies {
            if let Ok(network) = text.parse::<IpNet>() {
                networks.push(network);
            } else if let Ok(address) = text.parse::<IpAddr>() {
                networks.push(IpNet::from(address));
            } else {
                return Err(HttpServerError::Proxy(text.clone()));
            }
        }
        Ok(networks)
    }
}

impl UserAccess {
    /// The verifier of users' tokens.
    pub(super) fn verifier(&self) -> Result<Verifier, HttpServerError> {
        let mut rules = Rules::for_users(self.audiences.iter().cloned());
        rules.algorithms =
            self.algorithms.iter().map(|name| name.parse()).collect::<Result<Vec<Algorithm>, _>>()?;
        rules.skew = self.clock_skew;
        let mut profile = Profile::other(&self.issuer, self.jwks_uri.as_deref())?;
        // The one issuer is the organisation's own, so that no claim has to name it.
        profile.tenant_claim = None;
        profile.types.clone_from(&self.token_types);
        profile.client_claims.clone_from(&self.client_claims);
        let fetch = Https::new(&rules, self.extra_root.as_deref())?;
        let verifier = Verifier::new(rules, Arc::new(fetch))?;
        let tenant = RegisteredTenant {
            id: "users".parse()?,
            profiles: vec![profile],
            suspended: false,
            suspended_clients: Vec::new(),
        };
        verifier.replace_tenants(Tenants::new([tenant])?);
        Ok(verifier)
    }
}

impl From<&(PathBuf, PathBuf)> for TlsFiles {
    fn from((certificate, key): &(PathBuf, PathBuf)) -> Self {
        Self { certificate: certificate.clone(), key: key.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn users() -> UserAccess {
        UserAccess {
            issuer: "https://login.example".to_owned(),
            jwks_uri: None,
            audiences: vec!["api://norma-mcp".to_owned()],
            algorithms: vec!["RS256".to_owned()],
            token_types: vec!["JWT".to_owned(), "at+jwt".to_owned()],
            client_claims: vec!["azp".to_owned()],
            clock_skew: Duration::from_secs(60),
            extra_root: None,
            calls_per_second: 5,
            burst: 50,
        }
    }

    fn options(listen: &str) -> HttpServerOptions {
        HttpServerOptions {
            listen: listen.parse().unwrap(),
            users: None,
            tls: None,
            trusted_proxies: Vec::new(),
            public_url: None,
            clock: || SystemTime::UNIX_EPOCH,
        }
    }

    #[test]
    fn an_address_that_other_machines_reach_needs_users_and_tls_or_a_proxy_and_its_public_address() {
        assert!(options("127.0.0.1:0").check().is_ok());
        let mut wide = options("0.0.0.0:0");
        assert!(matches!(wide.check(), Err(HttpServerError::NoUsers(_))));
        wide.users = Some(users());
        assert!(matches!(wide.check(), Err(HttpServerError::NoTls(_))));
        wide.trusted_proxies = vec!["192.0.2.1".to_owned()];
        assert!(matches!(wide.check(), Err(HttpServerError::NoPublicUrl)));
        wide.public_url = Some("https://norma.example".to_owned());
        assert!(wide.check().is_ok());
        wide.trusted_proxies.clear();
        wide.tls = Some(("cert.pem".into(), "key.pem".into()));
        assert!(wide.check().is_ok());
    }

    #[test]
    fn a_public_address_is_an_origin_with_tls() {
        let origin = |listen, url: &str| {
            HttpServerOptions { public_url: Some(url.to_owned()), ..options(listen) }.public_origin()
        };
        let plain = origin("0.0.0.0:1", "https://norma.example/").unwrap();
        assert_eq!(plain.as_deref(), Some("https://norma.example"));
        assert!(origin("127.0.0.1:1", "http://localhost:8486").is_ok());
        for wrong in
            ["http://norma.example", "https://norma.example/mcp", "norma.example", "https://u@n.example"]
        {
            assert!(matches!(origin("0.0.0.0:1", wrong), Err(HttpServerError::PublicUrl(_))), "{wrong}");
        }
    }

    #[test]
    fn proxies_are_addresses_or_networks() {
        let mut with = options("127.0.0.1:0");
        with.trusted_proxies = vec!["10.0.0.0/8".to_owned(), "::1".to_owned()];
        assert_eq!(with.proxies().unwrap().len(), 2);
        with.trusted_proxies = vec!["proxy".to_owned()];
        assert!(matches!(with.proxies(), Err(HttpServerError::Proxy(_))));
    }

    #[test]
    fn users_need_an_issuer_with_an_address_an_audience_and_an_algorithm() {
        assert!(users().verifier().is_ok());
        for wrong in [
            UserAccess { audiences: Vec::new(), ..users() },
            UserAccess { algorithms: vec!["none".to_owned()], ..users() },
            UserAccess { algorithms: Vec::new(), ..users() },
            UserAccess { issuer: "login".to_owned(), ..users() },
            UserAccess { issuer: "http://login.example".to_owned(), ..users() },
            UserAccess { client_claims: Vec::new(), ..users() },
        ] {
            assert!(wrong.verifier().is_err());
        }
    }
}
