//! Settings of the identity provider and of the tokens that are accepted.

use serde::Deserialize;

use crate::Duration;

/// The identity provider; each field is explained in the commented defaults.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[expect(missing_docs, reason = "default.toml is the one home of these explanations")]
pub struct IdentitySettings {
    pub auth_url: String,
    pub auth_ca: String,
    pub v1_issuer_template: String,
    pub audience: Vec<String>,
    pub role: String,
    pub algorithms: Vec<String>,
    pub token_types: Vec<String>,
    pub token_type_optional: bool,
    pub tenant_claim: String,
    pub client_claims: Vec<String>,
    pub role_claim: String,
    pub role_form: String,
    pub app_only: String,
    pub clock_skew: Duration,
}
