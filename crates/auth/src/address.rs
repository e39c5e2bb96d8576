//! URL check of identity providers: https, or http on loopback.

use url::{Host, Url};

use crate::AuthError;

/// Checks the URL of a provider: `https`, or `http` on a loopback host; no user, no fragment.
///
/// # Errors
/// [`AuthError::Url`] with the reason.
pub fn check_provider_url(url: &str) -> Result<(), AuthError> {
    check(url)?;
    Ok(())
}

/// As [`check_provider_url`], with the parsed URL.
pub(crate) fn check(url: &str) -> Result<Url, AuthError> {
    let parsed = Url::parse(url).map_err(|error| {
        AuthError::url(url, format!("expected a whole address such as https://id.example/tenant ({error})"))
    })?;
    match parsed.scheme() {
        "https" => {}
        "http" if is_loopback(&parsed) => {}
        _ => {
            return Err(AuthError::url(
                url,
                "expected https; http is allowed for a provider on this machine (localhost) only",
            ));
        }
    }
    if !parsed.username().is_empty() || parsed.password().is_some() || parsed.fragment().is_some() {
        return Err(AuthError::url(url, "a user, a password or a fragment is not allowed; remove it"));
    }
    Ok(parsed)
}

/// True if a URL is of this machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}
