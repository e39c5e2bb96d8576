//! Guard of the HTTP front end: which requests reach the protocol.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::SystemTime;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::header::{
    AUTHORIZATION, CACHE_CONTROL, HOST, ORIGIN, RETRY_AFTER, WWW_AUTHENTICATE, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use data_encoding::BASE32_NOPAD;
use ipnet::IpNet;
use jiff::Timestamp;
use norma_auth::{Reject, Verifier, bearer};

use super::metadata;
use super::user_limit::UserLimit;
use crate::server::UserSubject;

/// What requests are compared with.
pub(super) struct Guard {
    /// The address of the protocol.
    pub(super) url: String,
    /// Host, with the port where that is not the scheme's own, as requests name it.
    pub(super) host: String,
    /// Scheme, host and port.
    pub(super) origin: String,
    /// Proxies that alone are answered; where none is named, all addresses are.
    pub(super) proxies: Vec<IpNet>,
    pub(super) entrance: Entrance,
    pub(super) clock: fn() -> SystemTime,
}

/// How a request shows that it may come in.
pub(super) enum Entrance {
    /// Its path begins with this key.
    Key(String),
    /// It has a token of a user.
    Users { verifier: Arc<Verifier>, limit: Arc<UserLimit>, issuer: String },
}

/// A key of 128 random bits, the first part of the path.
///
/// # Panics
/// Where the system gives no random bits.
#[allow(clippy::disallowed_methods, reason = "this is the one place")]
pub(super) fn key() -> String {
    let mut bits = [0; 16];
    getrandom::fill(&mut bits).expect("the system gives random bits");
    BASE32_NOPAD.encode(&bits).to_lowercase()
}

pub(super) fn timestamp(clock: fn() -> SystemTime) -> Timestamp {
    Timestamp::try_from(clock()).unwrap_or(Timestamp::MAX)
}

/// Answers a request that comes from the host or proxy, names this server, and may come in.
pub(super) async fn guard(
    State(guard): State<Arc<Guard>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    mut request: Request,
    next: Next,
) -> Response {
    let mut response = match guard.refusal(peer, &request) {
        Some(refusal) => refusal.into_response(),
        None => match guard.admit(&mut request).await {
            Ok(()) => next.run(request).await,
            Err(refusal) => refusal,
        },
    };
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

impl Guard {
    /// Why a request is not answered with any key or token: another peer than the proxies, another host (a
    /// name that was rebound to this address), another origin.
    fn refusal(&self, peer: SocketAddr, request: &Request) -> Option<(StatusCode, &'static str)> {
        let peer = peer.ip().to_canonical();
        if !self.proxies.is_empty() && !self.proxies.iter().any(|network| network.contains(&peer)) {
            return Some((StatusCode::FORBIDDEN, "Only the proxy of this server is answered.\n"));
        }
        let headers = request.headers();
        // HTTP/2 names the host in its target.
        let named = match request.uri().authority() {
            Some(authority) => Some(authority.as_str()),
            None => only_value(headers, &HOST).and_then(|value| value.to_str().ok()),
        };
        if named.is_none_or(|named| !named.eq_ignore_ascii_case(&self.host)) {
            return Some((StatusCode::FORBIDDEN, "This server answers to its own host and port only.\n"));
        }
        // Programs send no origin; pages of a browser send theirs.
        if headers.contains_key(ORIGIN)
            && only_value(headers, &ORIGIN).is_none_or(|origin| *origin != *self.origin)
        {
            return Some((StatusCode::FORBIDDEN, "Pages of other origins are not answered.\n"));
        }
        None
    }

    /// Lets a request in by its key or token. Adds the user's subject to it.
    async fn admit(&self, request: &mut Request) -> Result<(), Response> {
        let (verifier, limit) = match &self.entrance {
            Entrance::Key(key) if request.uri().path().split('/').nth(1) == Some(key) => return Ok(()),
            Entrance::Key(_) => {
                let text = "Nothing is at this address. Use the whole address that the program printed.\n";
                return Err((StatusCode::NOT_FOUND, text).into_response());
            }
            Entrance::Users { .. } if metadata::is_path(request.uri().path()) => return Ok(()),
            Entrance::Users { verifier, limit, .. } => (verifier, limit),
        };
        let values = request.headers().get_all(AUTHORIZATION).iter().map(HeaderValue::as_bytes);
        let subject = match bearer(values) {
            Ok(token) => {
                verifier.verify(token, timestamp(self.clock)).await.map(|caller| caller.subject.clone())
            }
            Err(reject) => Err(reject),
        };
        let subject = match subject {
            Ok(Some(subject)) => subject,
            // The rules for users require a subject.
            Ok(None) => return Err(self.challenge(&Reject::Missing)),
            Err(reject) => return Err(self.challenge(&reject)),
        };
        if let Err(seconds) = limit.take(&subject) {
            let text = format!("Too many requests of this user; try again in {seconds} s.\n");
            return Err(
                (StatusCode::TOO_MANY_REQUESTS, [(RETRY_AFTER, seconds.to_string())], text).into_response()
            );
        }
        // Neither the tool nor the client that it calls the service by needs the token.
        request.headers_mut().remove(AUTHORIZATION);
        request.extensions_mut().insert(UserSubject(subject));
        Ok(())
    }

    /// The answer to a request without a token that counts (RFC 6750, 3; RFC 9728, 5.1).
    fn challenge(&self, reject: &Reject) -> Response {
        let metadata = format!("resource_metadata=\"{}\"", self.metadata_url());
        let (status, value, text) = match reject {
            Reject::Missing => (StatusCode::UNAUTHORIZED, metadata, "An access token is needed."),
            Reject::Malformed => (
                StatusCode::BAD_REQUEST,
                format!("error=\"invalid_request\", {metadata}"),
                "The Authorization header is malformed.",
            ),
            Reject::KeysUnavailable { retry_after } => {
                let seconds = retry_after.as_secs().max(1).to_string();
                let text = "The provider's keys cannot be fetched; try again later.\n";
                return (StatusCode::SERVICE_UNAVAILABLE, [(RETRY_AFTER, seconds)], text).into_response();
            }
            Reject::Expired => (
                StatusCode::UNAUTHORIZED,
                format!("error=\"invalid_token\", error_description=\"the token has expired\", {metadata}"),
                "The access token has expired.",
            ),
            // Which rule a token breaks is not said to strangers.
            _ => (
                StatusCode::UNAUTHORIZED,
                format!("error=\"invalid_token\", {metadata}"),
                "The access token is not accepted.",
            ),
        };
        (status, [(WWW_AUTHENTICATE, format!("Bearer {value}"))], format!("{text}\n")).into_response()
    }

    /// Where the metadata of the protected resource is (RFC 9728, 3.1).
    fn metadata_url(&self) -> String {
        format!("{}{}/mcp", self.origin, metadata::PATH)
    }
}

/// The value of a header field that a request has once.
fn only_value<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a HeaderValue> {
    let mut values = headers.get_all(name).iter();
    let first = values.next();
    if values.next().is_some() { None } else { first }
}
