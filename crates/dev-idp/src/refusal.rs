//! Refused requests of callers, with the code, status and JSON members of the real provider.

use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use jiff::Timestamp;
use serde_json::json;

use crate::{Guid, problem::problem, trace::RequestIds};

/// A refused request. The code is that of the real provider, the text is our own.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TokenRefusal {
    #[error("This endpoint takes POST requests; this one was {0}.")]
    Method(String),
    #[error("The body has no form fields: send application/x-www-form-urlencoded.")]
    Body,
    #[error("The parameter '{0}' was sent more than once.")]
    Duplicate(&'static str),
    #[error("The grant needs a credential: one of 'client_secret' and 'client_assertion'.")]
    NoCredential,
    #[error("More than one client credential, or more than one client, was named.")]
    SeveralCredentials,
    #[error("The parameter '{0}' is missing.")]
    Missing(&'static str),
    #[error("The grant type '{0}' is not served; use 'client_credentials'.")]
    GrantType(String),
    #[error("The tenant '{0}' does not exist; name your own tenant by its id or one of its domains.")]
    TenantNotFound(String),
    #[error("'{0}' is neither a tenant id nor a domain name.")]
    TenantMalformed(String),
    #[error("The grant is not served at '/{0}'; use the endpoint of your own tenant.")]
    TenantShared(String),
    #[error(
        "The directory of tenant '{tenant}' has no application '{client}'; send the client id of your own \
         app registration, and use the tenant in which it is registered."
    )]
    ClientUnknown { client: String, tenant: Guid },
    #[error("Application '{0}' is switched off.")]
    ClientDisabled(Guid),
    #[error("The client secret is not one of application '{0}'; send the secret's value, not its id.")]
    SecretWrong(Guid),
    #[error("The client secret of application '{0}' has expired; make a new one.")]
    SecretExpired(Guid),
    #[error("client_assertion_type must be urn:ietf:params:oauth:client-assertion-type:jwt-bearer.")]
    AssertionType,
    #[error("The client assertion is not a usable JWT: {0}.")]
    AssertionMalformed(&'static str),
    #[error("The client assertion is signed with '{0}'; use RS256 or PS256.")]
    AssertionAlgorithm(String),
    #[error("The client assertion names no key: its header has no 'x5t', 'x5t#S256' or 'kid'.")]
    AssertionKeyUnnamed,
    #[error("'iss' and 'sub' of the client assertion must both be the 'client_id' of the request.")]
    AssertionApp,
    #[error(
        "The signature of the client assertion was not accepted: {0}. Add the certificate to the app \
         registration, and sign with its own key."
    )]
    AssertionKeyUnknown(&'static str),
    #[error("The client assertion is used outside its validity period.")]
    AssertionTime,
    #[error("'aud' of the client assertion must be the token endpoint, {0}, or the issuer.")]
    AssertionAudience(String),
    #[error("The client assertion is not a usable JWT: its 'jti' was used before.")]
    AssertionReplayed,
    #[error("The parameter 'resource' is not served here; use 'scope'.")]
    ResourceParameter,
    #[error("The scope '{0}' must be an application ID URI followed by '/.default'.")]
    ScopeSuffix(String),
    #[error("The scope '{0}' is neither a URI nor a client id followed by '/.default'.")]
    ScopeForm(String),
    #[error("The scope names more than one resource.")]
    ScopeResources,
    #[error(
        "The resource '{resource}' is not known in tenant '{tenant}'. If it is the right application ID URI, \
         an administrator of the tenant must open the consent link."
    )]
    ResourceUnknown { resource: String, tenant: Guid },
    #[error("Application '{client}' has no role of application '{resource}', which requires one.")]
    NotAssigned { client: Guid, resource: Guid },
    #[error("'{0}' is not a redirect URI of the application.")]
    RedirectUri(String),
}

impl TokenRefusal {
    /// AADSTS code and OAuth error.
    pub(crate) fn code(&self) -> (u32, &'static str) {
        use TokenRefusal::*;
        match self {
            Method(_) => (900561, "invalid_request"),
            Body => (90014, "invalid_request"),
            Duplicate(_) => (9000411, "invalid_request"),
            NoCredential => (7000216, "invalid_client"),
            SeveralCredentials | AssertionType => (90023, "invalid_request"),
            Missing(_) => (900144, "invalid_request"),
            GrantType(_) => (70003, "unsupported_grant_type"),
            TenantNotFound(_) => (90002, "invalid_request"),
            TenantMalformed(_) => (900023, "invalid_request"),
            TenantShared(_) => (9001023, "invalid_request"),
            ClientUnknown { .. } => (700016, "unauthorized_client"),
            ClientDisabled(_) => (7000112, "unauthorized_client"),
            SecretWrong(_) => (7000215, "invalid_client"),
            SecretExpired(_) => (7000222, "invalid_client"),
            AssertionMalformed(_) | AssertionReplayed => (50027, "invalid_client"),
            AssertionAlgorithm(_) => (5002738, "invalid_client"),
            AssertionKeyUnnamed => (5002723, "invalid_client"),
            AssertionApp => (700021, "invalid_client"),
            AssertionKeyUnknown(_) => (700027, "invalid_client"),
            AssertionTime => (700024, "invalid_client"),
            AssertionAudience(_) => (700023, "invalid_client"),
            ResourceParameter => (901002, "invalid_request"),
            ScopeSuffix(_) => (1002012, "invalid_scope"),
            ScopeForm(_) => (70011, "invalid_scope"),
            ScopeResources => (700022, "invalid_scope"),
            ResourceUnknown { .. } => (500011, "invalid_resource"),
            NotAssigned { .. } => (501051, "invalid_grant"),
            RedirectUri(_) => (50011, "invalid_request"),
        }
    }

    /// The answer of the token endpoint and of metadata documents under the OAuth error `error`.
    pub(crate) fn answer(&self, error: &str, trace: &RequestIds, now: Timestamp) -> Response {
        let code = self.code().0;
        let status = match self.code().1 {
            "invalid_client" => StatusCode::UNAUTHORIZED,
            _ => StatusCode::BAD_REQUEST,
        };
        let time = now.strftime("%Y-%m-%d %H:%M:%SZ");
        let RequestIds { trace_id, correlation_id } = trace;
        let body = json!({
            "error": error,
            "error_description": format!(
                "AADSTS{code}: {self} Trace ID: {trace_id} Correlation ID: {correlation_id} Timestamp: {time}"
            ),
            "error_codes": [code],
            "timestamp": time.to_string(),
            "trace_id": trace_id,
            "correlation_id": correlation_id,
        });
        (status, Json(body)).into_response()
    }
}

/// The answer of the endpoints for administrators.
impl IntoResponse for TokenRefusal {
    fn into_response(self) -> Response {
        problem(StatusCode::BAD_REQUEST, format!("AADSTS{}: {self}", self.code().0))
    }
}
