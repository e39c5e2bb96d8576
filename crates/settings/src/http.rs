//! Settings of the listeners.

use std::net::SocketAddr;

use serde::Deserialize;

use crate::Duration;

/// Listeners, TLS and their limits; each field is explained in the commented defaults.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[expect(missing_docs, reason = "default.toml is the one home of these explanations")]
pub struct HttpSettings {
    pub listen: SocketAddr,
    pub ops_listen: SocketAddr,
    pub public_url: String,
    pub trusted_proxies: Vec<String>,
    pub tls_cert: String,
    pub tls_key: String,
    pub cors_origins: Vec<String>,
    pub header_timeout: Duration,
    pub idle_timeout: Duration,
    pub write_timeout: Duration,
    pub request_timeout: Duration,
    pub drain_time: Duration,
    pub shutdown_grace: Duration,
    pub max_connections: usize,
    pub max_connections_per_address: usize,
}
