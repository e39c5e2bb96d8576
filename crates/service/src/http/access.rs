//! Access: from a bearer token to a caller, and from a caller to what the store shows them. No handler has another
//! way to an edition than through [`Caller`].

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::header;
use axum::http::request::Parts;
use jiff::Timestamp;
use norma_api::Operation;
use norma_api::problem::Code;
use norma_auth::Reject;
use norma_model::Identifier;
use norma_store::{Day, Found, Level, Seen, Viewer};

use super::client_ip;
use super::edition::Edition;
use super::listen::Peer;
use super::negotiate;
use super::problem::Failure;
use super::trace::Notes;
use crate::limits::Refusal;
use crate::state::Shared;

/// A caller whose token was accepted, and who is within their rate.
#[derive(Clone)]
pub(super) struct Caller {
    app: Arc<Shared>,
    who: Arc<norma_auth::Caller>,
    now: Timestamp,
    notes: Notes,
}

impl FromRequestParts<Arc<Shared>> for Caller {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<Shared>) -> Result<Self, Failure> {
        // A layer may have asked for the caller before the handler does.
        if let Some(caller) = parts.extensions.get::<Self>() {
            return Ok(caller.clone());
        }
        let now = app.now();
        let notes = Notes::of(&parts.extensions);
        let sent = parts.headers.get_all(header::AUTHORIZATION).iter();
        let sent: Vec<&[u8]> = sent.map(|value| value.as_bytes()).collect();
        let presented = Peer::of(&parts.extensions).map(|peer| peer.presented.clone()).unwrap_or_default();
        let who = match app.verifier.authorize(&sent, &presented, now).await {
            Ok(who) => who,
            Err(reject) => return Err(refused(app, parts, reject)),
        };
        let rate = app.rates.take(who.tenant.as_str(), &who.client);
        notes.rate(rate);
        notes.caller(who.tenant.as_str(), &who.client);
        if let Some(Refusal { retry_after }) = rate.refused {
            let detail =
                format!("This client may send {} requests a second.", app.settings.limits.rate_limit);
            return Err(
                Failure::new(Code::RateLimited, detail).with(header::RETRY_AFTER, retry_after.to_string())
            );
        }
        let place = app.requests.enter(who.tenant.as_str(), &who.client).ok_or_else(|| {
            let most = app.settings.limits.max_requests_per_client;
            let detail =
                format!("This client has {most} requests in flight; at most so many are answered at once.");
            Failure::new(Code::RateLimited, detail).with(header::RETRY_AFTER, "1")
        })?;
        if let Some(peer) = Peer::of(&parts.extensions) {
            peer.request.keep(place);
        }
        Ok(Self { app: app.clone(), who, now, notes })
    }
}

impl Caller {
    /// The running service.
    pub(super) fn app(&self) -> &Arc<Shared> {
        &self.app
    }

    /// Who asks, on which day.
    pub(super) fn viewer(&self) -> Viewer {
        let Self { who, now, .. } = self;
        let (tenant, client) = (who.tenant.to_string(), who.client.clone());
        Viewer { tenant, client, today: Day::of((*now).into()) }
    }

    /// Who asks, as their token says.
    pub(super) fn who(&self) -> &norma_auth::Caller {
        &self.who
    }

    /// Days since 1970 in UTC: what access hangs on of the time.
    pub(super) fn day(&self) -> i64 {
        self.now.as_second().div_euclid(86_400)
    }

    /// What becomes known of this request.
    pub(super) fn notes(&self) -> &Notes {
        &self.notes
    }

    /// The store as this caller may see it.
    pub(super) async fn seen(&self) -> Result<Seen<'_>, Failure> {
        let seen = self.app.store.seen_by(&self.viewer()).await?;
        // The verifier is told of suspensions by a task, which may lag behind where the database stalled.
        if seen.is_suspended() {
            return Err(Failure::new(Code::CallerSuspended, "This tenant or client is suspended."));
        }
        Ok(seen)
    }

    /// The edition that `id` means for this caller, when they may do with it what `least` says.
    pub(super) async fn edition(
        &self,
        id: &Identifier,
        least: Level,
        request: &Parts,
    ) -> Result<Edition, Failure> {
        let languages = negotiate::languages(&request.headers);
        let found = self.seen().await?.find(id, &languages).await?.ok_or_else(hidden)?;
        let edition = self.admit(found, least)?;
        let exact = matches!(id, Identifier::Urn(urn) if urn.as_str() == edition.urn());
        Ok(if exact { edition } else { edition.under_another_name() })
    }

    /// Lets the caller in to what was found, or says what they lack.
    pub(super) fn admit(&self, found: Found, least: Level) -> Result<Edition, Failure> {
        let visible = match found {
            Found::Edition(visible) => visible,
            Found::Recalled { urn, reason: _ } => {
                self.notes.standard(urn.as_str().into());
                return Err(Failure::new(Code::StandardRecalled, format!("{urn} has been recalled.")));
            }
        };
        let urn = &visible.entry().summary.urn;
        self.notes.standard(urn.as_str().into());
        if visible.level() < least {
            let detail = format!("You may discover {urn}, but its content needs a grant at level `read`.");
            return Err(Failure::new(Code::ContentNotLicensed, detail));
        }
        Ok(Edition::new(self.app.clone(), visible))
    }
}

/// The answer for a standard that is not there, and for one that the caller may not see: the same.
pub(super) fn hidden() -> Failure {
    Failure::new(Code::StandardNotFound, "There is no standard with this identifier that you may see.")
}

/// The answer to a refused token (RFC 6750, section 3): the caller learns its class, the log the rule.
fn refused(app: &Shared, parts: &Parts, reject: Reject) -> Failure {
    let (code, error, detail) = match &reject {
        Reject::Missing => (Code::TokenMissing, None, "Send `Authorization: Bearer` with an access token."),
        Reject::Malformed => (
            Code::InvalidRequest,
            Some("invalid_request"),
            "The Authorization header is not exactly one `Bearer` and a token.",
        ),
        Reject::Expired => (Code::TokenExpired, Some("invalid_token"), "The access token has expired."),
        Reject::Invalid(_) => {
            (Code::TokenInvalid, Some("invalid_token"), "The access token is not accepted.")
        }
        Reject::RoleMissing(_) => {
            (Code::RoleMissing, Some("insufficient_scope"), "The token lacks the application role.")
        }
        Reject::Suspended(_) => (Code::CallerSuspended, None, "This tenant or client is suspended."),
        Reject::KeysUnavailable { retry_after } => {
            let detail = "The identity provider's keys cannot be had at the moment.";
            app.refusals.note(&reject);
            return Failure::new(Code::Unavailable, detail)
                .with(header::RETRY_AFTER, retry_after.as_secs().to_string());
        }
    };
    app.refusals.note(&reject);
    metrics::counter!("norma_tokens_refused_total", "code" => code.as_str()).increment(1);
    let address = client_ip::address(&app.trusted_proxies, &parts.extensions, &parts.headers);
    if code.status() == 401
        && let Some(Refusal { retry_after }) = address.and_then(|ip| app.rates.refuse(ip))
    {
        return Failure::new(Code::RateLimited, "Too many refused tokens came from this address.")
            .with(header::RETRY_AFTER, retry_after.to_string());
    }
    let failure = Failure::new(code, detail);
    match (code.status(), error) {
        (401, _) | (_, Some(_)) => failure.with(header::WWW_AUTHENTICATE, challenge(app, error)),
        _ => failure,
    }
}

/// RFC 6750, section 3, with the metadata of RFC 9728, section 5.1.
fn challenge(app: &Shared, error: Option<&str>) -> String {
    let metadata = format!("{}{}", app.public_url, Operation::ProtectedResource.path());
    let error = error.map(|e| format!(", error=\"{e}\"")).unwrap_or_default();
    format!("Bearer realm=\"norma\", resource_metadata=\"{metadata}\"{error}")
}
