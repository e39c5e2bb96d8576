//! The address that a request came from, behind trusted proxies.

use std::net::{IpAddr, SocketAddr};

use axum::http::{Extensions, HeaderMap};
use ipnet::IpNet;
use norma_settings::UnusableSetting;

use super::peer::Peer;

/// The caller's address: the peer's, or, if that is a trusted proxy, the last untrusted one in
/// X-Forwarded-For.
pub(super) fn address(trusted: &[IpNet], extensions: &Extensions, headers: &HeaderMap) -> Option<IpAddr> {
    let peer = Peer::find(extensions)?.address.ip().to_canonical();
    Some(client_ip(peer, headers, |ip| trusted.iter().any(|network| network.contains(ip))))
}

/// Reads X-Forwarded-For from its end, where the nearest proxy wrote, as long as the writers are trusted. A
/// value that is not an address ends the walk: what comes before it cannot be trusted.
fn client_ip(peer: IpAddr, headers: &HeaderMap, trusted: impl Fn(&IpAddr) -> bool) -> IpAddr {
    let mut hops: Vec<&str> = Vec::new();
    for value in headers.get_all("x-forwarded-for") {
        hops.extend(value.to_str().unwrap_or_default().split(','));
    }
    let mut nearest = peer;
    for hop in hops.into_iter().rev() {
        if !trusted(&nearest) {
            break;
        }
        let Some(address) = written_address(hop.trim()) else { break };
        nearest = address.to_canonical();
    }
    nearest
}

/// The address that a proxy wrote. Some proxies write the port as well.
fn written_address(hop: &str) -> Option<IpAddr> {
    if let Ok(address) = hop.parse::<IpAddr>() {
        return Some(address);
    }
    let with_port = hop.parse::<SocketAddr>().ok()?;
    Some(with_port.ip())
}

/// The networks of the setting `trusted-proxies`, each given as an address or a network.
pub(crate) fn networks(proxies: &[String]) -> Result<Vec<IpNet>, UnusableSetting> {
    let mut networks = Vec::with_capacity(proxies.len());
    for text in proxies {
        if let Ok(network) = text.parse::<IpNet>() {
            networks.push(network);
        } else if let Ok(address) = text.parse::<IpAddr>() {
            networks.push(IpNet::from(address));
        } else {
            return Err(UnusableSetting {
                setting: "trusted-proxies",
                why: format!("expected an IP address or a network such as 10.0.0.0/8, found `{text}`"),
            });
        }
    }
    Ok(networks)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderName;

    use super::*;

    #[test]
    fn only_what_trusted_proxies_wrote_is_believed() {
        let ip = |text: &str| text.parse::<IpAddr>().unwrap();
        let trusted = |ip: &IpAddr| ip.to_string().starts_with("10.");
        for (peer, sent, address) in [
            ("198.51.100.1", &["203.0.113.9"][..], "198.51.100.1"),
            ("10.0.0.1", &["203.0.113.9"], "203.0.113.9"),
            ("10.0.0.1", &["192.0.2.66, 203.0.113.9, 10.0.0.2"], "203.0.113.9"),
            ("10.0.0.1", &["192.0.2.66", "203.0.113.9:4711"], "203.0.113.9"),
            ("10.0.0.1", &["[2001:db8::7]:80"], "2001:db8::7"),
            ("10.0.0.1", &["192.0.2.66, unknown, 10.0.0.2"], "10.0.0.2"),
            ("10.0.0.1", &[], "10.0.0.1"),
        ] {
            let headers: HeaderMap = sent
                .iter()
                .map(|value| (HeaderName::from_static("x-forwarded-for"), value.parse().unwrap()))
                .collect();
            assert_eq!(client_ip(ip(peer), &headers, trusted), ip(address), "{peer} {sent:?}");
        }
    }
}
