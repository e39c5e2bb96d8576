//! Refused requests of callers, with the code, status and JSON members of the real provider.

use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use jiff::Timestamp;
use serde_json::json;

use crate::{Guid, respond::no_store, trace::Trace};

/// A refused request. The code is that of the real provider, the text is our own.
#[derive(Debug)]
pub(crate) enum Refusal {
    Method(String),
    Body,
    Duplicate(&'static str),
    NoCredential,
    SeveralCredentials,
    Missing(&'static str),
    GrantType(String),
    TenantNotFound(String),
    TenantMalformed(String),
    TenantShared(String),
    ClientUnknown { client: String, tenant: Guid },
    ClientDisabled(Guid),
    SecretWrong(Guid),
    SecretExpired(Guid),
    AssertionType,
    AssertionMalformed(&'static str),
    AssertionAlgorithm(String),
    AssertionKeyUnnamed,
    AssertionApp,
    AssertionKeyUnknown(&'static str),
    AssertionTime,
    AssertionAudience(String),
    AssertionReplayed,
    ResourceParameter,
    ScopeSuffix(String),
    ScopeForm(String),
    ScopeResources,
    ResourceUnknown { resource: String, tenant: Guid },
    NotAssigned { client: Guid, resource: Guid },
    RedirectUri(String),
}

/// Advice on the most common errors; these codes have an `error_uri`.
const REMEDIES: &[(u32, &str)] = &[
    (
        90002,
        "Check the tenant in the URL: it is your own tenant's id or one of its domains, not the operator's.",
    ),
    (
        500011,
        "Check the application ID URI in `scope`. If it is right, an administrator of your tenant has not consented to the service API yet: open its consent link.",
    ),
    (
        700016,
        "Use the client id of your own app registration as `client_id`, and the tenant it is registered in. The client id of the service API belongs only in the consent link.",
    ),
    (700027, "Upload the certificate you sign with to the app registration, and sign with its own key."),
    (7000215, "Send the value of the secret, not its id, and the secret of this very client id."),
    (7000216, "Send a client_secret, or a client_assertion with its client_assertion_type."),
    (7000222, "Make a new secret for the app registration; the one you sent has expired."),
];

/// The advice that the page at `error_uri` shows.
pub(crate) fn remedy(code: u32) -> Option<&'static str> {
    REMEDIES.iter().find(|(known, _)| *known == code).map(|(_, remedy)| *remedy)
}

impl Refusal {
    /// AADSTS code, OAuth error, and message.
    pub(crate) fn parts(&self) -> (u32, &'static str, String) {
        use Refusal::*;
        match self {
            Method(method) => (
                900561,
                "invalid_request",
                format!("This endpoint takes POST requests; this one was {method}."),
            ),
            Body => (
                90014,
                "invalid_request",
                "The body has no form fields: send application/x-www-form-urlencoded.".into(),
            ),
            Duplicate(name) => {
                (9000411, "invalid_request", format!("The parameter '{name}' was sent more than once."))
            }
            NoCredential => (
                7000216,
                "invalid_client",
                "The grant needs a credential: one of 'client_secret' and 'client_assertion'.".into(),
            ),
            SeveralCredentials => (
                90023,
                "invalid_request",
                "More than one client credential, or more than one client, was named.".into(),
            ),
            Missing(name) => {
                (900144, "invalid_request", format!("The parameter '{name}' is missing in the request body."))
            }
            GrantType(grant) => (
                70003,
                "unsupported_grant_type",
                format!("The grant type '{grant}' is not served; use 'client_credentials'."),
            ),
            TenantNotFound(tenant) => {
                (90002, "invalid_request", format!("The tenant '{tenant}' does not exist."))
            }
            TenantMalformed(tenant) => {
                (900023, "invalid_request", format!("'{tenant}' is neither a tenant id nor a domain name."))
            }
            TenantShared(name) => (
                9001023,
                "invalid_request",
                format!("The grant is not served at '/{name}'; use the endpoint of your own tenant."),
            ),
            ClientUnknown { client, tenant } => (
                700016,
                "unauthorized_client",
                format!("The directory of tenant '{tenant}' has no application '{client}'."),
            ),
            ClientDisabled(client) => {
                (7000112, "unauthorized_client", format!("Application '{client}' is switched off."))
            }
            SecretWrong(client) => (
                7000215,
                "invalid_client",
                format!(
                    "The client secret is not one of application '{client}'; send the secret's value, not its id."
                ),
            ),
            SecretExpired(client) => (
                7000222,
                "invalid_client",
                format!("The client secret of application '{client}' has expired."),
            ),
            AssertionType => (
                90023,
                "invalid_request",
                "client_assertion_type must be urn:ietf:params:oauth:client-assertion-type:jwt-bearer."
                    .into(),
            ),
            AssertionMalformed(why) => {
                (50027, "invalid_client", format!("The client assertion is not a usable JWT: {why}."))
            }
            AssertionAlgorithm(alg) => (
                5002738,
                "invalid_client",
                format!("The client assertion is signed with '{alg}'; use RS256 or PS256."),
            ),
            AssertionKeyUnnamed => (
                5002723,
                "invalid_client",
                "The client assertion names no key: its header has no 'x5t', 'x5t#S256' or 'kid'.".into(),
            ),
            AssertionApp => (
                700021,
                "invalid_client",
                "'iss' and 'sub' of the client assertion must both be the 'client_id' of the request.".into(),
            ),
            AssertionKeyUnknown(why) => (
                700027,
                "invalid_client",
                format!("The signature of the client assertion was not accepted: {why}."),
            ),
            AssertionTime => {
                (700024, "invalid_client", "The client assertion is used outside its validity period.".into())
            }
            AssertionAudience(expected) => (
                700023,
                "invalid_client",
                format!(
                    "'aud' of the client assertion must be the token endpoint, {expected}, or the issuer."
                ),
            ),
            AssertionReplayed => (
                50027,
                "invalid_client",
                "The client assertion is not a usable JWT: its 'jti' was used before.".into(),
            ),
            ResourceParameter => (
                901002,
                "invalid_request",
                "The parameter 'resource' is not served here; use 'scope'.".into(),
            ),
            ScopeSuffix(scope) => (
                1002012,
                "invalid_scope",
                format!("The scope '{scope}' must be an application ID URI followed by '/.default'."),
            ),
            ScopeForm(scope) => (
                70011,
                "invalid_scope",
                format!("The scope '{scope}' is neither a URI nor a client id followed by '/.default'."),
            ),
            ScopeResources => (700022, "invalid_scope", "The scope names more than one resource.".into()),
            ResourceUnknown { resource, tenant } => (
                500011,
                "invalid_resource",
                format!(
                    "The resource '{resource}' is not known in tenant '{tenant}'; has an administrator consented to it?"
                ),
            ),
            NotAssigned { client, resource } => (
                501051,
                "invalid_grant",
                format!(
                    "Application '{client}' has no role of application '{resource}', which requires one."
                ),
            ),
            RedirectUri(uri) => {
                (50011, "invalid_request", format!("'{uri}' is not a redirect URI of the application."))
            }
        }
    }

    pub(crate) fn status(&self) -> StatusCode {
        match self.parts().1 {
            "invalid_client" => StatusCode::UNAUTHORIZED,
            _ => StatusCode::BAD_REQUEST,
        }
    }

    /// The answer of the token endpoint.
    pub(crate) fn answer(&self, url: &str, trace: &Trace, now: Timestamp) -> Response {
        self.answer_as(self.parts().1, url, trace, now)
    }

    /// The same under another OAuth error: for the metadata documents each tenant error is `invalid_tenant`.
    pub(crate) fn answer_as(&self, error: &str, url: &str, trace: &Trace, now: Timestamp) -> Response {
        let (code, _, text) = self.parts();
        let time = now.strftime("%Y-%m-%d %H:%M:%SZ");
        let Trace { trace_id, correlation_id } = trace;
        let mut body = json!({
            "error": error,
            "error_description": format!(
                "AADSTS{code}: {text} Trace ID: {trace_id} Correlation ID: {correlation_id} Timestamp: {time}"
            ),
            "error_codes": [code],
            "timestamp": time.to_string(),
            "trace_id": trace_id,
            "correlation_id": correlation_id,
        });
        if remedy(code).is_some() {
            body["error_uri"] = format!("{url}/error?code={code}").into();
        }
        (self.status(), no_store(), Json(body)).into_response()
    }
}
