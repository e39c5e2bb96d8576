//! Authentication: from a bearer token to a caller within their limits.

use std::borrow::Cow;
use std::sync::Arc;

use axum::http::header;
use axum::http::request::Parts;
use jiff::Timestamp;
use norma_api::Operation;
use norma_api::paths::Requirement;
use norma_api::problem::Code;
use norma_auth::{Reject, TokenRule};
use norma_reads::Failure;
use norma_store::{Day, Viewer};

use crate::http::client_ip;
use crate::http::context::RequestContext;
use crate::http::peer::Peer;
use crate::limits::RateRefusal;
use crate::state::Shared;

/// A caller with an accepted token, who is not suspended and within their rate.
pub(in crate::http) struct AcceptedCaller {
    who: Arc<norma_auth::Caller>,
    now: Timestamp,
}

/// The caller of an operation; `None` if the operation needs no token.
///
/// # Errors
/// The token is refused, or the caller has used up the rate or the requests in flight that a client may have.
pub(in crate::http) async fn authenticate(
    shared: &Shared,
    context: &mut RequestContext,
    request: &Parts,
    operation: Operation,
) -> Result<Option<AcceptedCaller>, Failure> {
    if operation.describe().requirement < Requirement::Token {
        return Ok(None);
    }
    let now = shared.now();
    let sent = request.headers.get_all(header::AUTHORIZATION).iter();
    let sent: Vec<&[u8]> = sent.map(|value| value.as_bytes()).collect();
    let connection_token =
        Peer::find(&request.extensions).map(|peer| peer.connection_token.clone()).unwrap_or_default();
    // Suspended tenants and clients are refused here as well: the verifier knows them.
    let who = match shared.verifier.authorize(&sent, &connection_token, now).await {
        Ok(who) => who,
        Err(reject) => return Err(refused(shared, request, reject)),
    };
    let (tenant, client) = (who.tenant.as_str(), &who.client);
    let rate = shared.rates.take(tenant, client);
    context.rate = Some(rate);
    context.caller = Some((tenant.to_owned(), client.clone()));
    if let Some(RateRefusal { retry_after }) = rate.refused {
        let detail = format!("This client may send {} requests a second.", shared.settings.limits.rate_limit);
        return Err(
            Failure::new(Code::RateLimited, detail).with(header::RETRY_AFTER, retry_after.to_string())
        );
    }
    let slot = shared.requests.acquire(tenant, client).ok_or_else(|| {
        let most = shared.settings.limits.max_requests_per_client;
        let detail = format!("This client has {most} requests in flight, which is the limit.");
        Failure::new(Code::RateLimited, detail).with(header::RETRY_AFTER, "1")
    })?;
    if let Some(peer) = Peer::find(&request.extensions) {
        peer.request.hold(slot);
    }
    Ok(Some(AcceptedCaller { who, now }))
}

impl AcceptedCaller {
    /// The caller's name, as the token gives it.
    pub(in crate::http) fn who(&self) -> &norma_auth::Caller {
        &self.who
    }

    /// The viewer: the caller and the day.
    pub(in crate::http) fn viewer(&self) -> Viewer {
        let Self { who, now } = self;
        Viewer::verified(who.tenant.as_str(), &who.client, Day::from_time((*now).into()))
    }

    /// Days since 1970 in UTC, on which access depends.
    pub(in crate::http) fn day(&self) -> i64 {
        self.now.as_second().div_euclid(86_400)
    }
}

/// The answer to a refused token (RFC 6750, section 3), with the reason.
fn refused(shared: &Shared, request: &Parts, reject: Reject) -> Failure {
    if let Some(left_out) = shared.refusals.line() {
        tracing::info!(reason = %reject, left_out, "a token was refused");
    }
    let (code, error) = match &reject {
        Reject::Missing => (Code::TokenMissing, None),
        Reject::Malformed => (Code::InvalidRequest, Some("invalid_request")),
        Reject::Expired => (Code::TokenExpired, Some("invalid_token")),
        Reject::Invalid(_) | Reject::OtherAudience(_) => (Code::TokenInvalid, Some("invalid_token")),
        Reject::RoleMissing(_) => (Code::RoleMissing, Some("insufficient_scope")),
        Reject::Suspended(_) => (Code::CallerSuspended, None),
        Reject::KeysUnavailable { retry_after } => {
            return Failure::new(Code::Unavailable, reason(&reject, ""))
                .with(header::RETRY_AFTER, retry_after.as_secs().to_string());
        }
    };
    metrics::counter!("norma_tokens_refused_total", "code" => code.as_str()).increment(1);
    let address = client_ip::address(&shared.trusted_proxies, &request.extensions, &request.headers);
    if code.status() == 401
        && let Some(RateRefusal { retry_after }) = address.and_then(|ip| shared.rates.refuse(ip))
    {
        return Failure::new(Code::RateLimited, "Too many refused tokens came from this address.")
            .with(header::RETRY_AFTER, retry_after.to_string());
    }
    let failure = Failure::new(code, reason(&reject, &shared.settings.identity.role));
    match (code.status(), error) {
        (401, _) | (_, Some(_)) => failure.with(header::WWW_AUTHENTICATE, challenge(shared, error)),
        _ => failure,
    }
}

/// The error of the token, as its sender may know it. What depends on which issuers are registered here, and
/// on their keys, is one sentence: until the signature is verified, the sender may be a stranger who looks
/// for the operator's customers.
fn reason(reject: &Reject, role: &str) -> Cow<'static, str> {
    match reject {
        Reject::Missing => "The request has no `Authorization: Bearer` with an access token.".into(),
        Reject::Malformed => "The Authorization header is not exactly one `Bearer` and a token.".into(),
        Reject::Expired => "The `exp` of the token is in the past.".into(),
        Reject::Invalid(
            TokenRule::IssuerUnknown
            | TokenRule::Algorithm
            | TokenRule::Type
            | TokenRule::KeyUnknown
            | TokenRule::KeyAlgorithm
            | TokenRule::Signature,
        ) => "The token's issuer is not that of a registered tenant, or its type, algorithm, key or signature is not one that \
              is accepted from that issuer."
            .into(),
        Reject::Invalid(rule) => {
            let rule = rule.to_string();
            match (rule.strip_prefix("its "), rule.strip_prefix("it ")) {
                (Some(rest), _) => format!("The token's {rest}.").into(),
                (_, Some(rest)) => format!("The token {rest}.").into(),
                _ => format!("The token is not well-formed: {rule}.").into(),
            }
        }
        Reject::OtherAudience(audience) => format!("The token is for another audience, `{audience}`.").into(),
        Reject::RoleMissing(_) => format!("The token does not have the application role `{role}`.").into(),
        Reject::Suspended(_) => "This tenant or client is suspended.".into(),
        Reject::KeysUnavailable { .. } => "The identity provider's keys cannot be fetched at the moment.".into(),
    }
}

/// The challenge of RFC 6750, section 3, with the metadata of RFC 9728, section 5.1.
fn challenge(shared: &Shared, error: Option<&str>) -> String {
    let metadata = format!("{}{}", shared.public_url, Operation::ProtectedResource.path());
    let error = error.map(|e| format!(", error=\"{e}\"")).unwrap_or_default();
    format!("Bearer realm=\"norma\", resource_metadata=\"{metadata}\"{error}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_depends_on_who_is_registered_is_one_sentence_and_all_else_is_said() {
        let of = |rule: TokenRule| reason(&rule.into(), "Content.Read");
        let of_strangers = of(TokenRule::IssuerUnknown);
        for rule in [
            TokenRule::Algorithm,
            TokenRule::Type,
            TokenRule::KeyUnknown,
            TokenRule::KeyAlgorithm,
            TokenRule::Signature,
        ] {
            assert_eq!(of(rule), of_strangers, "{rule:?}");
        }
        assert_eq!(of(TokenRule::Parts), "The token does not consist of three non-empty parts.");
        assert_eq!(
            of(TokenRule::Base64),
            "The token is not well-formed: a part is not base64url without padding."
        );
        assert_eq!(of(TokenRule::NotYet), "The token is not valid yet.");
        let other = reason(&Reject::OtherAudience("api://other".to_owned()), "Content.Read");
        assert_eq!(other, "The token is for another audience, `api://other`.");
    }
}
