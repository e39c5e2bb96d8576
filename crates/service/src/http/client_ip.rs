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
    let values = headers.get_all("x-forwarded-for").iter().map(|value| value.to_str().unwrap_or_default());
    let chain: Vec<&str> = values.flat_map(|value| value.split(',')).map(str::trim).collect();
    let mut nearest = peer;
    for hop in chain.into_iter().rev() {
        // Some proxies write the port as well.
        let address = hop.parse().or_else(|_| hop.parse::<SocketAddr>().map(|address| address.ip()));
        match address.map(|ip: IpAddr| ip.to_canonical()) {
            Ok(address) if trusted(&nearest) => nearest = address,
            _ => break,
        }
    }
    nearest
}

/// The networks of the setting `trusted-proxies`, each given as an address or a network.
pub(crate) fn networks(proxies: &[String]) -> Result<Vec<IpNet>, UnusableSetting> {
    let network = |text: &String| {
        let one = || text.parse::<std::net::IpAddr>().map(IpNet::from);
        text.parse::<IpNet>().or_else(|_| one()).map_err(|_| UnusableSetting {
            setting: "trusted-proxies",
            why: format!("expected an IP address or a network such as 10.0.0.0/8, found `{text}`"),
        })
    };
    proxies.iter().map(network).collect()
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
