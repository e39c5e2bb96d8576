//! Tenants, and the profiles of the tokens that their providers issue.

use std::{collections::HashSet, fmt, str::FromStr};

use crate::{Algorithm, AppRule, AuthError, RoleForm, address, rules::is_word};

/// Name of a tenant: a GUID in lower case, or a name chosen by the operator for a provider without tenants.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TenantId(String);

impl TenantId {
    /// The id in its one canonical form.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TenantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for TenantId {
    type Err = AuthError;

    /// Parses a GUID in any case, or 1 to 64 of `a-z 0-9 - _ .` beginning with a letter or digit.
    fn from_str(text: &str) -> Result<Self, AuthError> {
        let id = canonical(text);
        if is_tenant_name(&id) {
            return Ok(Self(id));
        }
        Err(AuthError::tenant(text, "expected the tenant's GUID, or 1 to 64 of a-z 0-9 - _ ."))
    }
}

/// GUIDs compare without regard to case, other identifiers letter for letter.
pub(crate) fn canonical(id: &str) -> String {
    if is_guid(id) { id.to_ascii_lowercase() } else { id.to_owned() }
}

fn is_tenant_name(id: &str) -> bool {
    let is_alphanumeric = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let bytes = id.as_bytes();
    // The first byte is there: the length is checked before.
    (1..=64).contains(&bytes.len())
        && is_alphanumeric(bytes[0])
        && bytes.iter().all(|byte| is_alphanumeric(*byte) || b"-_.".contains(byte))
}

fn is_guid(text: &str) -> bool {
    if text.len() != 36 {
        return false;
    }
    for (at, byte) in text.bytes().enumerate() {
        let is_expected = match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        };
        if !is_expected {
            return false;
        }
    }
    true
}

/// One shape of a tenant's tokens: their issuer, the location of its keys, and the names of claims.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Profile {
    /// The value of `iss`, letter for letter.
    pub issuer: String,
    /// The URL of the key set; without it, the issuer's discovery document gives it (OpenID Connect
    /// Discovery, 4).
    pub jwks_uri: Option<String>,
    /// Accepted `typ` values, compared as media types are: without regard to case or to `application/`.
    /// Default: `JWT` and `at+jwt`.
    pub types: Vec<String>,
    /// True if `typ` may be absent. Default: no.
    pub type_optional: bool,
    /// The claim that must name the tenant. `None`, only for a provider without one: the issuer alone
    /// identifies the tenant. Default: `tid`.
    pub tenant_claim: Option<String>,
    /// Claims that name the client; the first that is present counts.
    pub client_claims: Vec<String>,
    /// The claim with the roles, or the path of one in objects: `realm_access.roles`. Default: `roles`.
    pub role_claim: String,
    /// The form of that claim. Default: an array.
    pub role_form: RoleForm,
    /// The rule by which a token shows that it was issued to an application, in place of
    /// [`Rules::app_only`](crate::Rules::app_only). Default: `None`.
    pub app_only: Option<AppRule>,
    /// Narrows [`Rules::algorithms`](crate::Rules::algorithms) for this issuer; it cannot widen it. Default:
    /// `None`.
    pub algorithms: Option<Vec<Algorithm>>,
    /// Names under which this issuer's tokens address the service, in place of
    /// [`Rules::audiences`](crate::Rules::audiences). Default: `None`.
    pub audiences: Option<Vec<String>>,
    /// True if an audience that is a URI may have one final slash more or less, as in v1 tokens. Default: no.
    pub audience_slash: bool,
}

impl Profile {
    /// Tokens in the v2 shape: issuer `{auth_url}/{tenant}/v2.0`, client in `azp`.
    ///
    /// # Errors
    /// [`AuthError::Tenant`] when the tenant is not a GUID, [`AuthError::Url`] when `auth_url` is not a
    /// provider URL.
    pub fn v2(auth_url: &str, tenant: &TenantId) -> Result<Self, AuthError> {
        let base = Self::base(auth_url, tenant)?;
        let key_set = format!("{base}/discovery/v2.0/keys");
        let mut profile = Self::shape(format!("{base}/v2.0"), Some(key_set));
        profile.client_claims = vec!["azp".into()];
        Ok(profile)
    }

    /// Tokens in the v1 shape: issuer by `template`, in which `{tenantid}` is replaced by the tenant; client
    /// in `appid`.
    ///
    /// # Errors
    /// As [`Profile::v2`]; [`AuthError::Tenant`] too when the template does not mention the tenant.
    pub fn v1(auth_url: &str, template: &str, tenant: &TenantId) -> Result<Self, AuthError> {
        let base = Self::base(auth_url, tenant)?;
        if !template.contains(TENANT_PLACEHOLDER) {
            let reason = format!(
                "the v1 issuer template `{template}` does not contain {TENANT_PLACEHOLDER}, so that all tenants would share one issuer"
            );
            return Err(AuthError::tenant(tenant.as_str(), reason));
        }
        let issuer = template.replace(TENANT_PLACEHOLDER, tenant.as_str());
        let mut profile = Self::shape(issuer, Some(format!("{base}/discovery/keys")));
        profile.client_claims = vec!["appid".into()];
        profile.audience_slash = true;
        Ok(profile)
    }

    /// Tokens of any other provider, with the claims of RFC 9068 and a tenant claim `tid`; change the members
    /// that differ.
    ///
    /// # Errors
    /// [`AuthError::Url`] when neither `jwks_uri` nor `issuer` is a provider URL.
    pub fn other(issuer: &str, jwks_uri: Option<&str>) -> Result<Self, AuthError> {
        address::check(jwks_uri.unwrap_or(issuer))?;
        if issuer.starts_with("https://cognito-idp.") {
            // Refused with the reason.
            "cognito".parse::<AppRule>()?;
        }
        if issuer.is_empty() || issuer.contains(char::is_whitespace) {
            return Err(AuthError::url(issuer, "an issuer must not be empty or contain white space"));
        }
        let mut profile = Self::shape(issuer.into(), jwks_uri.map(Into::into));
        profile.client_claims = vec!["client_id".into(), "azp".into(), "appid".into()];
        Ok(profile)
    }

    fn base(auth_url: &str, tenant: &TenantId) -> Result<String, AuthError> {
        address::check(auth_url)?;
        if !is_guid(tenant.as_str()) {
            return Err(AuthError::tenant(
                tenant.as_str(),
                "expected the tenant's GUID, which this provider puts into its tokens",
            ));
        }
        Ok(format!("{}/{tenant}", auth_url.trim_end_matches('/')))
    }

    /// Checks that no value would reject every token or accept an empty claim; the error is the reason.
    fn check(&self) -> Result<(), String> {
        if let Some(rule) = self.app_only {
            self.check_app_rule(rule)?;
        }
        check_words("token type", !self.type_optional, &self.types)?;
        check_words("tenant claim", false, self.tenant_claim.as_slice())?;
        check_words("client claim", true, &self.client_claims)?;
        check_words("role claim", true, std::slice::from_ref(&self.role_claim))?;
        if let Some(audiences) = &self.audiences {
            check_words("audience", true, audiences)?;
        }
        Ok(())
    }

    /// Checks that tokens which a rule accepts can name their client and have roles.
    fn check_app_rule(&self, rule: AppRule) -> Result<(), String> {
        let claims = rule.client_claims();
        let names_client =
            self.client_claims.iter().any(|claim| claim == "sub" || claims.contains(&claim.as_str()));
        if !names_client {
            let claims = claims.join("`, `");
            return Err(format!(
                "tokens by the rule `{rule}` name their client in `{claims}`, and none of its client claims is one of these"
            ));
        }
        if rule == AppRule::Entra && self.role_claim == "scp" {
            return Err(
                "tokens of applications have no `scp` by the rule `entra`; name another role claim".into()
            );
        }
        Ok(())
    }

    fn shape(issuer: String, jwks_uri: Option<String>) -> Self {
        Self {
            issuer,
            jwks_uri,
            types: vec!["JWT".into(), "at+jwt".into()],
            type_optional: false,
            tenant_claim: Some("tid".into()),
            client_claims: Vec::new(),
            role_claim: "roles".into(),
            role_form: RoleForm::Array,
            app_only: None,
            algorithms: None,
            audiences: None,
            audience_slash: false,
        }
    }
}

/// Placeholder of the tenant's id in templates of issuers.
pub(crate) const TENANT_PLACEHOLDER: &str = "{tenantid}";

/// Checks the values of a list, `name` for each; the error is the reason.
fn check_words(name: &str, is_needed: bool, values: &[String]) -> Result<(), String> {
    if is_needed && values.is_empty() {
        return Err(format!("no {name} is accepted; name at least one"));
    }
    for value in values {
        if !is_word(value) {
            return Err(format!("the {name} `{value}` is empty or has white space"));
        }
    }
    Ok(())
}

/// A tenant with its issuers, as it is registered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegisteredTenant {
    /// The id, by which it is registered.
    pub id: TenantId,
    /// The shapes of its tokens, at least one.
    pub profiles: Vec<Profile>,
    /// True if all its callers are suspended.
    pub suspended: bool,
    /// The clients that are suspended, where not all callers are.
    pub suspended_clients: Vec<String>,
}

/// All registered tenants at one moment; no two share an id or an issuer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tenants(Vec<RegisteredTenant>);

impl Tenants {
    /// Checks the tenants against each other.
    ///
    /// # Errors
    /// [`AuthError::Tenant`] for the first one that repeats an id or an issuer, has no profile, or one that
    /// cannot work.
    pub fn new(tenants: impl IntoIterator<Item = RegisteredTenant>) -> Result<Self, AuthError> {
        let tenants: Vec<RegisteredTenant> = tenants.into_iter().collect();
        let mut ids = HashSet::new();
        let mut issuers = HashSet::new();
        for tenant in &tenants {
            let refuse = |reason: String| Err(AuthError::tenant(tenant.id.as_str(), reason));
            if !ids.insert(&tenant.id) {
                return refuse("it is registered twice; remove one registration".into());
            }
            if tenant.profiles.is_empty() {
                return refuse("it has no issuer; add one".into());
            }
            for profile in &tenant.profiles {
                if let Err(reason) = profile.check() {
                    return refuse(reason);
                }
            }
            for profile in &tenant.profiles {
                if !issuers.insert(&profile.issuer) {
                    let issuer = &profile.issuer;
                    return refuse(format!(
                        "issuer `{issuer}` is registered already; one issuer, one tenant"
                    ));
                }
            }
        }
        Ok(Self(tenants))
    }
}

impl IntoIterator for Tenants {
    type Item = RegisteredTenant;
    type IntoIter = std::vec::IntoIter<RegisteredTenant>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}
