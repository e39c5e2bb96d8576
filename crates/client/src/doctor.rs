//! Diagnosis of a caller's configuration: steps against provider and service, each failure with its likely
//! cause.

use std::time::SystemTime;

use data_encoding::BASE64URL_NOPAD;
use norma_api::query::ListQuery;
use norma_api::{Code, Media, Operation};
use serde_json::Value;

use crate::Client;
use crate::builder::ClientBuilder;
use crate::error::{ClientConfigError, ClientError};
use crate::retry::RetryPolicy;

/// Result of one step of a diagnosis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiagnosisStep {
    /// The step: `configuration`, `credential`, `service`, `scope`, `provider`, `clock`, `token`, `role`,
    /// `call` or `standards`.
    pub check: &'static str,
    /// The result as a sentence.
    pub message: String,
    /// The remedy; `None` when the step succeeded.
    pub fix: Option<String>,
}

impl DiagnosisStep {
    fn ok(check: &'static str, message: impl Into<String>) -> Self {
        Self { check, message: message.into(), fix: None }
    }

    fn problem(check: &'static str, message: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { check, message: message.into(), fix: Some(fix.into()) }
    }
}

/// Tolerated clock difference in seconds; a service allows a minute by default.
const SKEW: u64 = 60;

impl ClientBuilder {
    /// Tests this configuration against provider and service; skips steps that have no meaning after a
    /// failure. When the configuration itself has errors, nothing is sent.
    pub async fn diagnose(self) -> Vec<DiagnosisStep> {
        let errors = self.config_errors();
        if !errors.is_empty() {
            let mut steps = Vec::new();
            for error in &errors {
                steps.push(DiagnosisStep::problem("configuration", error.to_string(), remedy(error)));
            }
            return steps;
        }
        let provider = format!("{}/{}", self.authority.trim_end_matches('/'), self.tenant);
        let once = RetryPolicy { attempts: 0, ..RetryPolicy::default() };
        match self.retries(once).build() {
            Ok(client) => Diagnosis { client, provider }.examine().await,
            Err(error) => vec![DiagnosisStep::problem(
                "configuration",
                error.to_string(),
                "give certificates in PEM as further roots",
            )],
        }
    }
}

/// A diagnosis and its client.
struct Diagnosis {
    client: Client,
    /// URL of the identity provider with the tenant.
    provider: String,
}

impl Diagnosis {
    async fn examine(&self) -> Vec<DiagnosisStep> {
        let mut findings = vec![DiagnosisStep::ok("configuration", "the values have the expected form")];
        findings.push(self.credential().await);
        findings.extend(self.service().await);
        findings.extend(self.provider().await);
        // Without credential or provider there is no token, and without a token no call.
        let no_token_possible =
            findings.iter().any(|step| step.fix.is_some() && matches!(step.check, "credential" | "provider"));
        if no_token_possible {
            return findings;
        }
        let token = match self.client.token().await {
            Ok(token) => token,
            Err(error) => {
                findings.push(no_token(&error));
                return findings;
            }
        };
        let claims = claims(&token);
        findings.extend(token_steps(&claims));
        let call = self.call(&claims).await;
        let succeeded = call.fix.is_none();
        findings.push(call);
        if succeeded {
            findings.push(self.standards().await);
        }
        findings
    }

    /// Reads and uses the secret or certificate.
    async fn credential(&self) -> DiagnosisStep {
        let tokens = &self.client.0.tokens;
        match tokens.credential.fields(&tokens.client_id, &tokens.url, seconds_since_1970()).await {
            Ok(_) => DiagnosisStep::ok("credential", "it can be read and used"),
            Err(error) => DiagnosisStep::problem(
                "credential",
                error.to_string(),
                "set a file with the client secret, or one with certificate and RSA key in PEM",
            ),
        }
    }

    /// Checks that the service publishes its metadata (RFC 9728), and that the scope is one of its scopes.
    async fn service(&self) -> Vec<DiagnosisStep> {
        let base = &self.client.0.service;
        let url = format!("{base}{}", Operation::ProtectedResource.path());
        let fix = "check the service URL: scheme, host and port, without any path of an operation; for a private \
                   certificate, set it as an extra root";
        let (metadata, _) = match self.document(&url).await {
            Ok(answer) => answer,
            Err(why) => return vec![DiagnosisStep::problem("service", why, fix)],
        };
        if metadata["resource"].as_str().is_none() {
            return vec![DiagnosisStep::problem(
                "service",
                format!("{url} does not return the metadata of a Norma service"),
                fix,
            )];
        }
        let mut findings = vec![DiagnosisStep::ok("service", format!("{base} answers"))];
        findings.push(self.scope(&texts(&metadata["scopes_supported"])));
        findings
    }

    /// Checks that the scope is one of those that the service states, where it states some.
    fn scope(&self, of_service: &[&str]) -> DiagnosisStep {
        let scope = self.client.0.tokens.scope.as_str();
        let Some(first) = of_service.first() else {
            return DiagnosisStep::ok("scope", format!("`{scope}` names the service"));
        };
        if of_service.contains(&scope) {
            return DiagnosisStep::ok("scope", format!("`{scope}` names the service"));
        }
        DiagnosisStep::problem(
            "scope",
            format!("`{scope}` is not one of this service's: {}", of_service.join(", ")),
            format!(
                "request the application ID URI of the service, not of the caller's own registration: `{first}`"
            ),
        )
    }

    /// Asks the provider whether it knows the tenant, and compares its clock.
    async fn provider(&self) -> Vec<DiagnosisStep> {
        let url = format!("{}/v2.0/.well-known/openid-configuration", self.provider);
        let (metadata, date) = match self.document(&url).await {
            Ok(answer) => answer,
            Err(why) => {
                return vec![DiagnosisStep::problem(
                    "provider",
                    why,
                    "check the identity provider's URL, and that the tenant is the caller's own (id or domain)",
                )];
            }
        };
        let issuer = metadata["issuer"].as_str().unwrap_or("a provider without a name");
        let mut findings = vec![DiagnosisStep::ok("provider", format!("{issuer} answers"))];
        if let Some(date) = date {
            findings.push(clock(date));
        }
        findings
    }

    /// Makes a call, to see whether the service accepts the token.
    async fn call(&self, claims: &Value) -> DiagnosisStep {
        let answer = self.client.fetch(Operation::Limits, &[], "", Media::Json).await;
        match answer {
            Ok(_) => DiagnosisStep::ok("call", "the service accepts the token"),
            Err(error) => DiagnosisStep::problem("call", error.to_string(), refused(&error, claims)),
        }
    }

    /// Lists standards, to see whether there is anything to read.
    async fn standards(&self) -> DiagnosisStep {
        match self.client.page(&ListQuery { limit: 1, ..ListQuery::default() }).await {
            Ok(page) if page.total == 0 => DiagnosisStep::problem(
                "standards",
                "the caller sees no standard",
                "ask the operator of the service for a grant to this tenant or client",
            ),
            Ok(page) => DiagnosisStep::ok("standards", format!("the caller sees {}", page.total)),
            Err(error) => {
                DiagnosisStep::problem("standards", error.to_string(), "ask the operator of the service")
            }
        }
    }

    /// A public JSON document and the `Date` of its response.
    async fn document(&self, url: &str) -> Result<(Value, Option<SystemTime>), String> {
        let unreachable = |error| ClientError::unreachable(url, error).to_string();
        let answer = self.client.0.http.get(url).send().await.map_err(unreachable)?;
        let mut date = None;
        if let Some(value) = answer.headers().get(reqwest::header::DATE)
            && let Ok(text) = value.to_str()
        {
            date = httpdate::parse_http_date(text).ok();
        }
        let status = answer.status();
        let body = answer.bytes().await.map_err(unreachable)?;
        let value: Value = serde_json::from_slice(&body).unwrap_or_default();
        if status.is_success() && value.is_object() {
            return Ok((value, date));
        }
        let description = value["error_description"].as_str().unwrap_or_default();
        let why = description.lines().next().unwrap_or("no document");
        Err(format!("{url} answered with status {}: {why}", status.as_u16()))
    }
}

/// Compares this machine's clock with the time of a response from the provider.
fn clock(of_provider: SystemTime) -> DiagnosisStep {
    let now = crate::clock::now();
    let difference = match now.duration_since(of_provider) {
        Ok(ahead) => ahead,
        Err(behind) => behind.duration(),
    };
    let seconds = difference.as_secs();
    if seconds <= SKEW {
        return DiagnosisStep::ok("clock", format!("it differs from the provider's by {seconds} s"));
    }
    DiagnosisStep::problem(
        "clock",
        format!("this machine's clock differs from the provider's by {seconds} s"),
        "set the clock: assertions and tokens are valid for a limited time",
    )
}

fn seconds_since_1970() -> u64 {
    crate::clock::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs()
}

/// The texts of an array; none of anything else.
fn texts(value: &Value) -> Vec<&str> {
    let Some(items) = value.as_array() else { return Vec::new() };
    items.iter().filter_map(Value::as_str).collect()
}

/// The remedy for an error in the configuration.
fn remedy(mistake: &ClientConfigError) -> &'static str {
    match mistake {
        ClientConfigError::Missing(_) => {
            "set it: the operator of the service and the caller's own tenant provide the values"
        }
        ClientConfigError::Url { .. } => "give the bare URL, with https unless it is on this machine",
        ClientConfigError::Tenant(_) => "give the id of the caller's own tenant",
        ClientConfigError::ClientId(_) | ClientConfigError::ClientIdOfService(_) => {
            "give the client id of the caller's own app registration"
        }
        ClientConfigError::ScopeWithoutDefault(_) => "append `/.default` to the service's application ID URI",
        ClientConfigError::ScopeForm(_) => {
            "request the service's application ID URI and `/.default`, nothing else"
        }
        ClientConfigError::ScopeOfOwnApplication(_) => {
            "build the scope from the application ID URI that the operator of the service gave"
        }
    }
}

/// The step on a token that the provider did not issue.
fn no_token(error: &ClientError) -> DiagnosisStep {
    match error {
        ClientError::TokenRefused { status, error, description, hint } => DiagnosisStep::problem(
            "token",
            format!("the identity provider refused a token ({status} {error}): {description}"),
            hint.unwrap_or("read the provider's message, and compare tenant, client id and scope"),
        ),
        _ => DiagnosisStep::problem(
            "token",
            error.to_string(),
            "check the identity provider's URL and the network",
        ),
    }
}

/// The claims of the token without verification, for advice only.
fn claims(token: &str) -> Value {
    let payload = token.split('.').nth(1).unwrap_or_default();
    let Ok(bytes) = BASE64URL_NOPAD.decode(payload.as_bytes()) else { return Value::Null };
    serde_json::from_slice(&bytes).unwrap_or_default()
}

/// The steps on a token that the provider issued: its audience, its time, its roles.
fn token_steps(claims: &Value) -> Vec<DiagnosisStep> {
    let message = match claims["aud"].as_str() {
        Some(audience) => format!("the provider issues one, for `{audience}`"),
        None => "the provider issues one".to_owned(),
    };
    let mut findings = vec![DiagnosisStep::ok("token", message)];
    let now = seconds_since_1970();
    if let Some(begin) = claims["nbf"].as_u64()
        && begin > now + SKEW
    {
        findings.push(DiagnosisStep::problem(
            "clock",
            format!("the token becomes valid in {} s by this machine's clock", begin - now),
            "set the clock: this machine's is slower than the provider's",
        ));
    }
    if claims.is_object() {
        let roles = texts(&claims["roles"]);
        if roles.is_empty() {
            findings.push(DiagnosisStep::problem("role", "the token has no application role", NO_ROLE));
        } else {
            findings.push(DiagnosisStep::ok("role", format!("the token has {}", roles.join(", "))));
        }
    }
    findings
}

const NO_ROLE: &str = "add the service's application permission to the app registration, and have an administrator of the \
                       tenant grant admin consent; a token from before that does not have it";

/// The most likely reason why a service rejects a fresh token.
fn refused(error: &ClientError, claims: &Value) -> String {
    let claim = |name: &str| claims[name].as_str().unwrap_or("unknown");
    match error.code() {
        Some(Code::TokenInvalid) => format!(
            "either the scope is not the service's (the token is for `{}`), or the operator has not registered tenant \
             `{}` (issuer `{}`): compare the scope, then ask the operator",
            claim("aud"),
            claim("tid"),
            claim("iss")
        ),
        Some(Code::TokenExpired) => "set this machine's, the provider's and the service's clocks".to_owned(),
        Some(Code::RoleMissing) => NO_ROLE.to_owned(),
        Some(Code::CallerSuspended) => {
            "ask the operator of the service to resume tenant or client".to_owned()
        }
        Some(Code::RateLimited) => "wait, then call less often".to_owned(),
        Some(Code::Unavailable) => {
            "try again later; if the problem persists, tell the operator of the service".to_owned()
        }
        _ => "check the service URL: the response is not from the Content API".to_owned(),
    }
}
