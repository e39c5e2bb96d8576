//! Token endpoint: client credentials in, an access token or the first error out.

mod assertion;
mod claims;
mod credential;
mod scope;

use axum::{
    Extension, Json,
    body::Bytes,
    extract::{Path, State, rejection::BytesRejection},
    http::{Method, request::Parts, uri::Authority},
    response::{IntoResponse, Response},
};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::{
    DevIdp, DevIdpError, Guid, keys::TokenVersion, params::Params, provider_state::ProviderState,
    refusal::TokenRefusal, trace::RequestIds,
};
use credential::{AuthenticationMethod, PresentedCredential};

/// The parameters of the endpoint; each may occur once.
const PARAMETERS: [&str; 7] = [
    "grant_type",
    "client_id",
    "client_secret",
    "client_assertion",
    "client_assertion_type",
    "scope",
    "resource",
];

/// A client whose secret, certificate or assertion was verified.
#[derive(Clone, Copy)]
struct AuthenticatedClient {
    tenant: Guid,
    id: Guid,
    proof: AuthenticationMethod,
}

/// `POST /{tenant}/oauth2/v2.0/token`, and `/{tenant}/oauth2/token` with `resource` instead of `scope`.
pub(crate) async fn endpoint(
    State(idp): State<DevIdp>,
    Path(tenant): Path<String>,
    Extension(trace): Extension<RequestIds>,
    Extension(host): Extension<Authority>,
    parts: Parts,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    let older = !parts.uri.path().ends_with("/oauth2/v2.0/token");
    let endpoint = if older { TokenVersion::V1 } else { TokenVersion::V2 };
    // A body beyond the limit counts as one without a form.
    let form = Params::from_form(&parts.headers, &body.unwrap_or_default());
    let trace = form.as_ref().map_or(trace, |form| trace.named_in(form));

    let mut state = idp.state();
    let now = state.now();
    let request = TokenRequest { url: idp.url(), endpoint, host, tenant: &tenant, parts };
    match request.answer(form, &mut state) {
        Ok(issued) => {
            tracing::info!(tenant = %issued.client.tenant, client = %issued.client.id, "token issued");
            Json(issued.members(endpoint, state.token_lifetime_seconds, now)).into_response()
        }
        Err(refusal) => {
            // Only the code: the message may quote what the caller sent, which may be a misplaced secret.
            let (code, error) = refusal.code();
            tracing::info!(code, trace_id = %trace.trace_id, "token refused");
            refusal.answer(error, &trace, now)
        }
    }
}

struct TokenRequest<'a> {
    url: &'a str,
    endpoint: TokenVersion,
    /// The host as the caller wrote it.
    host: Authority,
    tenant: &'a str,
    parts: Parts,
}

impl TokenRequest<'_> {
    /// Checks a request in the order of the real provider: missing credential, grant type, tenant, client,
    /// proof, then scope and resource.
    fn answer(
        &self,
        form: Result<Params, TokenRefusal>,
        state: &mut ProviderState,
    ) -> Result<IssuedToken, TokenRefusal> {
        if self.parts.method != Method::POST {
            return Err(TokenRefusal::Method(self.parts.method.to_string()));
        }
        let form = form?;
        form.each_once(&PARAMETERS)?;
        let credential = PresentedCredential::find(&form, &self.parts.headers)?;
        match form.required("grant_type")? {
            "client_credentials" => {}
            other => return Err(TokenRefusal::GrantType(other.to_owned())),
        }
        let tenant = state.directory.resolve_tenant(self.tenant)?;
        let client = credential.check(state, tenant, &self.audiences(tenant))?;
        let resource = match self.endpoint {
            TokenVersion::V2 => scope::resource(&form)?,
            TokenVersion::V1 => form.required("resource")?,
        };
        let access_token = claims::access_token(state, self.url, client, resource)?;
        Ok(IssuedToken { client, resource: resource.to_owned(), access_token })
    }

    /// Valid audiences of an assertion: a token endpoint, as published or as called, or the issuer.
    fn audiences(&self, tenant: Guid) -> Vec<String> {
        let scheme = self.url.split("://").next().unwrap_or_default();
        let called = format!("{scheme}://{}", self.host);
        let mut audiences = Vec::new();
        for base in [self.url, &called] {
            for tenant in [&tenant.to_string(), self.tenant] {
                audiences.push(format!("{base}/{tenant}/oauth2/v2.0/token"));
                audiences.push(format!("{base}/{tenant}/oauth2/token"));
            }
            audiences.push(format!("{base}/{tenant}/v2.0"));
        }
        audiences.push(format!("https://sts.windows.net/{tenant}/"));
        audiences
    }
}

struct IssuedToken {
    client: AuthenticatedClient,
    resource: String,
    access_token: String,
}

impl IssuedToken {
    /// The members of the response; the older endpoint has more of them, and writes numbers as text.
    fn members(self, endpoint: TokenVersion, lifetime_seconds: u32, now: Timestamp) -> Value {
        // The current second has already begun.
        let expires_in = lifetime_seconds.saturating_sub(1);
        match endpoint {
            TokenVersion::V2 => json!({
                "token_type": "Bearer",
                "expires_in": expires_in,
                "ext_expires_in": expires_in,
                "access_token": self.access_token,
            }),
            TokenVersion::V1 => json!({
                "token_type": "Bearer",
                "expires_in": expires_in.to_string(),
                "ext_expires_in": expires_in.to_string(),
                "expires_on": (now.as_second() + i64::from(lifetime_seconds)).to_string(),
                "not_before": now.as_second().to_string(),
                "resource": self.resource,
                "access_token": self.access_token,
            }),
        }
    }
}

impl DevIdp {
    /// The token that the endpoint would issue for the service API to a client app with a secret; a shortcut
    /// for tests.
    ///
    /// # Errors
    /// [`DevIdpError::UnknownClient`], or [`DevIdpError::Refused`] with the endpoint's message.
    pub fn access_token(&self, tenant: Guid, client_id: Guid) -> Result<String, DevIdpError> {
        let mut state = self.state();
        state.directory.app_mut(tenant, client_id)?;
        let client = AuthenticatedClient { tenant, id: client_id, proof: AuthenticationMethod::Secret };
        let resource = state.service.application_id_uri.clone();
        claims::access_token(&state, self.url(), client, &resource)
            .map_err(|refusal| DevIdpError::Refused(refusal.to_string()))
    }
}
