//! Errors of calls and of configurations.

use std::time::Duration;

use norma_api::{Code, Problem};

/// Error of a call.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The configuration cannot work; nothing was sent.
    #[error(transparent)]
    Config(#[from] ClientConfigError),
    /// The credential cannot be used; nothing was sent.
    #[error("{what}")]
    Credential {
        /// Which file or part cannot be used, and why.
        what: String,
    },
    /// The identity provider refused to issue a token.
    #[error("the identity provider refused a token ({status} {error}): {description}{}", hint.map(|h| format!(" — {h}")).unwrap_or_default())]
    TokenRefused {
        /// Status of the HTTP response.
        status: u16,
        /// `error` of the answer (RFC 6749, 5.2).
        error: String,
        /// `error_description` of the response, or the beginning of its body.
        description: String,
        /// The most likely cause.
        hint: Option<&'static str>,
    },
    /// The service answered with a problem.
    #[error("{} ({} {}): {}", problem.title, problem.status, problem.code, problem.detail)]
    Problem {
        /// The problem document of the response (RFC 9457).
        problem: Box<Problem<'static>>,
        /// Time to wait, as the service requests.
        retry_after: Option<Duration>,
    },
    /// The response is not from the service, or from an incompatible version of it.
    #[error("{url} returned status {status} with an unexpected response: {reason}")]
    Unexpected {
        /// The requested URL, without its query.
        url: String,
        /// Status of the HTTP response.
        status: u16,
        /// What the body was expected to be, and where it differs.
        reason: String,
    },
    /// The service or the identity provider cannot be reached.
    #[error("{url} cannot be reached: {reason}")]
    Unreachable {
        /// The requested URL, without its query.
        url: String,
        /// Causes from the outermost to the innermost.
        reason: String,
    },
}

impl ClientError {
    /// The problem's code, if the error is a problem with a code that this version knows.
    pub fn code(&self) -> Option<Code> {
        match self {
            Self::Problem { problem, .. } => problem.known_code(),
            _ => None,
        }
    }

    /// Conversion of a reqwest error, without the URL's query and signature: a signed asset URL grants access
    /// to the bytes.
    pub(crate) fn unreachable(url: &str, error: reqwest::Error) -> Self {
        let error = error.without_url();
        let causes = std::iter::successors(Some(&error as &dyn std::error::Error), |e| e.source());
        let reason = causes.map(ToString::to_string).collect::<Vec<_>>().join(": ");
        Self::Unreachable { url: bare(url), reason }
    }
}

/// A URL without query, and without the signature of an asset.
pub(crate) fn bare(url: &str) -> String {
    let url = url.split('?').next().unwrap_or(url);
    match url.split_once("/assets/") {
        Some((before, rest)) if rest != "resolve" => format!("{before}/assets/…"),
        _ => url.to_owned(),
    }
}

/// A configuration that cannot work, found before anything is sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClientConfigError {
    /// A required value is not set.
    #[error("{0} is not set")]
    Missing(&'static str),
    /// A URL is malformed, or has parts that it must not have.
    #[error("{name} `{url}` {reason}")]
    Url {
        /// Which of the URLs it is, for the message.
        name: &'static str,
        /// The URL as it was given.
        url: String,
        /// The error in it.
        reason: &'static str,
    },
    /// The tenant does not name a single tenant.
    #[error(
        "tenant `{0}` does not name a single tenant: expected the id or domain of the caller's own tenant"
    )]
    Tenant(String),
    /// The client id is malformed.
    #[error(
        "`{0}` is not a client id: expected the id of the caller's own app registration, without `api://` and `/`"
    )]
    ClientId(String),
    /// The scope does not end in `/.default`.
    #[error(
        "scope `{0}` does not end in `/.default`: expected the service's application ID URI and `/.default`"
    )]
    ScopeWithoutDefault(String),
    /// The scope names several resources, or has no resource.
    #[error(
        "scope `{0}` does not name one resource: expected the service's application ID URI, followed by `/.default`"
    )]
    ScopeForm(String),
    /// The scope's resource is the client itself.
    #[error(
        "scope `{0}` asks for a token for the client itself: either the scope is built from the caller's own \
         application ID URI instead of the service's, or the service's client id was taken for the caller's"
    )]
    ScopeOfOwnApplication(String),
    /// The client id is the service's.
    #[error(
        "client id `{0}` is the service's, which is for consent only: expected that of the caller's own app registration"
    )]
    ClientIdOfService(String),
}
