//! Client authentication: the client id with its secret or its assertion.

use axum::http::{HeaderMap, header::AUTHORIZATION};
use data_encoding::BASE64;
use url::form_urlencoded;

use super::{AuthenticatedClient, assertion};
use crate::{
    Guid, directory::SecretCheck, params::Params, provider_state::ProviderState, refusal::TokenRefusal,
};

const JWT_BEARER: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/// Authentication method of a client, which tokens state.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AuthenticationMethod {
    Secret,
    Certificate,
}

/// The credential of a request, not yet checked.
pub(super) struct PresentedCredential {
    client_id: Option<String>,
    kind: SecretOrAssertion,
}

enum SecretOrAssertion {
    Secret(String),
    Assertion { kind: Option<String>, text: String },
}

impl PresentedCredential {
    /// Reads the credential from the form or from HTTP Basic (RFC 6749, section 2.3.1; RFC 7521, section
    /// 4.2).
    pub(super) fn find(form: &Params, headers: &HeaderMap) -> Result<PresentedCredential, TokenRefusal> {
        let mut client_id = form.get("client_id").map(str::to_owned);
        let mut found = Vec::new();
        if let Some(BasicCredential { id, secret }) = basic(headers) {
            if let Some(in_form) = &client_id
                && *in_form != id
            {
                return Err(TokenRefusal::SeveralCredentials);
            }
            client_id = Some(id);
            found.push(SecretOrAssertion::Secret(secret));
        }
        if let Some(secret) = form.get("client_secret") {
            found.push(SecretOrAssertion::Secret(secret.to_owned()));
        }
        if let Some(text) = form.get("client_assertion") {
            let kind = form.get("client_assertion_type").map(str::to_owned);
            found.push(SecretOrAssertion::Assertion { kind, text: text.to_owned() });
        }
        let kind = found.pop().ok_or(TokenRefusal::NoCredential)?;
        if !found.is_empty() {
            return Err(TokenRefusal::SeveralCredentials);
        }
        Ok(PresentedCredential { client_id, kind })
    }

    /// Finds the app in the tenant and checks the credential by its registration.
    pub(super) fn check(
        &self,
        state: &mut ProviderState,
        tenant: Guid,
        audiences: &[String],
    ) -> Result<AuthenticatedClient, TokenRefusal> {
        let now = state.now();
        let named = self.client_id.as_deref().ok_or(TokenRefusal::Missing("client_id"))?;
        let unknown = || TokenRefusal::ClientUnknown { client: named.to_owned(), tenant };
        let id: Guid = named.parse().map_err(|_| unknown())?;
        let app = state.principal(tenant, id).ok_or_else(unknown)?;
        if app.disabled {
            return Err(TokenRefusal::ClientDisabled(id));
        }
        let proof = match &self.kind {
            SecretOrAssertion::Secret(secret) => match app.check_secret(secret, now) {
                SecretCheck::Valid => AuthenticationMethod::Secret,
                SecretCheck::Expired => return Err(TokenRefusal::SecretExpired(id)),
                SecretCheck::Wrong => return Err(TokenRefusal::SecretWrong(id)),
            },
            SecretOrAssertion::Assertion { kind, text } => {
                match kind.as_deref() {
                    Some(JWT_BEARER) => {}
                    Some(_) => return Err(TokenRefusal::AssertionType),
                    None => return Err(TokenRefusal::Missing("client_assertion_type")),
                }
                if let Some(once) = assertion::check(text, id, &app, audiences, now)?
                    && !state.first_use(id, &once.jti, once.expires, now)
                {
                    return Err(TokenRefusal::AssertionReplayed);
                }
                AuthenticationMethod::Certificate
            }
        };
        Ok(AuthenticatedClient { tenant, id, proof })
    }
}

/// Client id and secret of an HTTP Basic header.
struct BasicCredential {
    id: String,
    secret: String,
}

/// The credential of an HTTP Basic header, where there is one with a secret.
fn basic(headers: &HeaderMap) -> Option<BasicCredential> {
    let (scheme, encoded) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let decoded = BASE64.decode(encoded.trim().as_bytes()).ok()?;
    let pair = String::from_utf8(decoded).ok()?;
    let (id, secret) = pair.split_once(':')?;
    if secret.is_empty() {
        return None;
    }
    Some(BasicCredential { id: form_decoded(id), secret: form_decoded(secret) })
}

/// Decodes one part of an HTTP Basic credential: each is form-encoded by itself (RFC 6749, section 2.3.1).
fn form_decoded(text: &str) -> String {
    // One form key without a value is one decoded text.
    let key = text.replace('&', "%26").replace('=', "%3D");
    match form_urlencoded::parse(key.as_bytes()).next() {
        Some((text, _)) => text.into_owned(),
        None => String::new(),
    }
}
