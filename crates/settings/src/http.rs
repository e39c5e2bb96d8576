//! Settings of the listeners.

use std::net::SocketAddr;

use serde::Deserialize;

use crate::{Duration, Size};

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
    pub tls_interval: Duration,
    pub cors_origins: Vec<String>,
    pub header_timeout: Duration,
    pub idle_timeout: Duration,
    pub write_timeout: Duration,
    pub request_timeout: Duration,
    pub unread_body_time: Duration,
    pub lingering_time: Duration,
    pub lingering_size: Size,
    pub max_lingering: usize,
    pub max_lingering_per_address: usize,
    pub drain_time: Duration,
    pub shutdown_grace: Duration,
    pub max_connections: usize,
    pub max_connections_per_address: usize,
    pub max_ops_connections: usize,
    pub max_streams: u32,
    pub max_header_size: Size,
    pub max_uri_size: Size,
    pub max_body_size: Size,
}
