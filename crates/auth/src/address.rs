//! Addresses of providers: which may be asked at all.

use url::{Host, Url};

use crate::Error;

/// A URL that may be asked: `https`, or `http` on a loopback host; no user, no fragment.
pub(crate) fn check(url: &str) -> Result<Url, Error> {
    let parsed = Url::parse(url).map_err(|error| Error::url(url, error.to_string()))?;
    match parsed.scheme() {
        "https" => {}
        "http" if is_loopback(&parsed) => {}
        _ => {
            return Err(Error::url(
                url,
                "use https; http is for a provider on this machine (localhost) only",
            ));
        }
    }
    if !parsed.username().is_empty() || parsed.password().is_some() || parsed.fragment().is_some() {
        return Err(Error::url(url, "leave out user, password and fragment"));
    }
    Ok(parsed)
}

/// Whether it leads to this machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}
