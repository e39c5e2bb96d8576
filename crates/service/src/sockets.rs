//! Addresses: those on which a service listens, and the URL for callers.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};

use norma_settings::{HttpSettings, Settings};

use crate::error::StartError;

/// The sockets on which a service will listen, bound before the long work of starting, so that a busy port is
/// found at once.
pub struct Sockets {
    pub(crate) api: TcpListener,
    pub(crate) ops: TcpListener,
}

impl Sockets {
    /// Binds what the settings name; nothing answers there yet.
    pub fn bind(settings: &Settings) -> Result<Self, StartError> {
        Ok(Self {
            api: listen(settings.http.listen, "listen")?,
            ops: listen(settings.http.ops_listen, "ops-listen")?,
        })
    }
}

fn listen(address: SocketAddr, setting: &'static str) -> Result<TcpListener, StartError> {
    let listener =
        TcpListener::bind(address).and_then(|listener| listener.set_nonblocking(true).map(|()| listener));
    listener.map_err(|source| StartError::Listen { address, setting, source })
}

/// The address on which a socket listens.
pub(crate) fn local(listener: &TcpListener) -> SocketAddr {
    listener.local_addr().expect("a bound listener has an address")
}

/// The begin of links: `public-url`, or the listener's own address. A listener on all addresses has none that
/// others could use, and what a request says of its host is its sender's word; so links then name loopback,
/// and the log says so.
pub(crate) fn public_url(settings: &HttpSettings, listening: SocketAddr) -> String {
    let url = settings.public_url.trim_end_matches('/');
    if !url.is_empty() {
        return url.to_owned();
    }
    if let Some(problem) = proxies_without_url(settings) {
        tracing::warn!("{problem}");
    }
    let scheme = if settings.tls_cert.is_empty() { "http" } else { "https" };
    let address = reachable(listening);
    if address != listening {
        tracing::warn!(
            %listening,
            links = %address,
            "the service listens on all addresses and public-url is not set: links in answers work on this machine only; \
             set public-url"
        );
    }
    format!("{scheme}://{address}")
}

/// The warning when a proxy is named but no public URL.
pub(crate) fn proxies_without_url(settings: &HttpSettings) -> Option<&'static str> {
    (settings.public_url.is_empty() && !settings.trusted_proxies.is_empty()).then_some(
        "trusted-proxies names a proxy and public-url is not set: links in answers lead past it; set public-url to the URL that \
         callers use",
    )
}

/// The path of a public URL, which gateways put before all paths: `/standards`; empty if it has none.
pub(crate) fn base_path(public_url: &str) -> String {
    let path = url::Url::parse(public_url).map(|url| url.path().trim_end_matches('/').to_owned());
    path.unwrap_or_default()
}

/// An address at which a listener can be reached from its own machine.
pub(crate) fn reachable(listening: SocketAddr) -> SocketAddr {
    let ip = match listening.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.to_ipv4_mapped().is_some_and(|ip| ip.is_unspecified()) => {
            Ipv4Addr::LOCALHOST.into()
        }
        ip => ip,
    };
    SocketAddr::new(ip, listening.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_never_name_all_addresses() {
        for (listening, links) in [
            ("0.0.0.0:1", "http://127.0.0.1:1"),
            ("[::]:2", "http://[::1]:2"),
            ("[::ffff:0.0.0.0]:3", "http://127.0.0.1:3"),
            ("192.0.2.1:4", "http://192.0.2.1:4"),
        ] {
            let mut settings = Settings::defaults().http;
            assert_eq!(public_url(&settings, listening.parse().unwrap()), links);
            settings.public_url = "https://norma.example/".to_owned();
            assert_eq!(public_url(&settings, listening.parse().unwrap()), "https://norma.example");
        }
    }
}
