//! Rules by which providers mark a token as issued to an application, not to a user; forms of the claim with
//! roles.

use std::{fmt, str::FromStr};

use serde_json::{Map, Value};

use crate::AuthError;

/// The rule by which a provider marks a token as issued to an application (client credentials, RFC 6749,
/// 4.4).
///
/// The list is closed, and none of the rules accepts every token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AppRule {
    /// Microsoft Entra ID: no `scp`; `idtyp` is absent or `app`.
    Entra,
    /// Okta: `cid` is also the `sub`, and there is no `uid`.
    Okta,
    /// Keycloak: the `client_id` of a service account (before version 25 `clientId`) is also the `azp`.
    /// `preferred_username` is that of the client's service account.
    Keycloak,
    /// Auth0: `sub` is the client followed by `@clients`; `gty` is absent or `client-credentials`.
    Auth0,
    /// Zitadel: `client_id` is the name of a service user. That of an application, for which people sign in,
    /// is a number.
    Zitadel,
    /// `sub` is the client, as RFC 9068, section 2.2, recommends where there is no user.
    SubjectIsClient,
    /// There is no `sub`: IdentityServer and others, whose tokens for users always have one.
    NoSubject,
}

/// A rule with what settings and claims say of it.
struct AppRuleRow {
    rule: AppRule,
    /// The name of the rule in settings.
    name: &'static str,
    /// The claims by which its provider names the client.
    client_claims: &'static [&'static str],
}

static RULES: [AppRuleRow; 7] = [
    AppRuleRow { rule: AppRule::Entra, name: "entra", client_claims: &["azp", "appid"] },
    AppRuleRow { rule: AppRule::Okta, name: "okta", client_claims: &["cid"] },
    AppRuleRow { rule: AppRule::Keycloak, name: "keycloak", client_claims: &["azp"] },
    AppRuleRow { rule: AppRule::Auth0, name: "auth0", client_claims: &["azp", "client_id"] },
    AppRuleRow { rule: AppRule::Zitadel, name: "zitadel", client_claims: &["client_id"] },
    AppRuleRow {
        rule: AppRule::SubjectIsClient,
        name: "subject-is-client",
        client_claims: &["client_id", "azp", "cid"],
    },
    AppRuleRow { rule: AppRule::NoSubject, name: "no-subject", client_claims: &["client_id", "azp"] },
];

impl AppRule {
    fn row(self) -> &'static AppRuleRow {
        RULES.iter().find(|row| row.rule == self).expect("each rule has a row")
    }

    /// The name in settings.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The claims by which the provider's tokens name their client; the first that is present counts.
    pub fn client_claims(self) -> &'static [&'static str] {
        self.row().client_claims
    }

    /// True if the claims are those of a token for an application.
    pub(crate) fn accepts(self, claims: &Map<String, Value>) -> bool {
        match self {
            Self::Entra => !claims.contains_key("scp") && is_absent_or(claims, "idtyp", "app"),
            Self::Okta => {
                if claims.contains_key("uid") {
                    return false;
                }
                let client = text(claims, "cid");
                client.is_some() && client == text(claims, "sub")
            }
            Self::Keycloak => is_service_account(claims),
            Self::Auth0 => {
                let Some(subject) = text(claims, "sub") else { return false };
                let Some(client) = subject.strip_suffix("@clients") else { return false };
                self.client(claims) == Some(client) && is_absent_or(claims, "gty", "client-credentials")
            }
            Self::Zitadel => {
                let Some(client) = text(claims, "client_id") else { return false };
                // `231234567890123456`, with `@project` behind it in earlier versions.
                let id = client.split('@').next().unwrap_or_default();
                !id.bytes().all(|byte| byte.is_ascii_digit())
            }
            Self::SubjectIsClient => {
                let subject = text(claims, "sub");
                subject.is_some() && subject == self.client(claims)
            }
            Self::NoSubject => !claims.contains_key("sub"),
        }
    }

    /// The client that the claims name; `None` where the first claim that is present is not a string.
    fn client(self, claims: &Map<String, Value>) -> Option<&str> {
        let claim = self.client_claims().iter().find_map(|name| claims.get(*name))?;
        claim.as_str()
    }
}

impl fmt::Display for AppRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for AppRule {
    type Err = AuthError;

    fn from_str(name: &str) -> Result<Self, AuthError> {
        if name == "cognito" {
            let reason = "access tokens of Amazon Cognito for applications have no audience (`aud`), so that one for any other \
                          service would be accepted; use another provider";
            return Err(AuthError::setting("app-only", reason));
        }
        for row in &RULES {
            if row.name == name {
                return Ok(row.rule);
            }
        }
        let names: Vec<&str> = RULES.iter().map(|row| row.name).collect();
        Err(AuthError::setting("app-only", format!("`{name}` is not one of {}", names.join(", "))))
    }
}

/// The text of a claim that is not empty.
fn text<'c>(claims: &'c Map<String, Value>, name: &str) -> Option<&'c str> {
    let text = claims.get(name)?.as_str()?;
    if text.is_empty() { None } else { Some(text) }
}

fn is_absent_or(claims: &Map<String, Value>, name: &str, expected: &str) -> bool {
    match claims.get(name) {
        Some(found) => found == expected,
        None => true,
    }
}

/// True if the claims are those of a service account of Keycloak.
fn is_service_account(claims: &Map<String, Value>) -> bool {
    let Some(client) = text(claims, "azp") else { return false };
    if text(claims, "client_id").or(text(claims, "clientId")) != Some(client) {
        return false;
    }
    let account = format!("service-account-{}", client.to_lowercase());
    text(claims, "preferred_username") == Some(account.as_str())
}

/// Form of the claim with the roles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum RoleForm {
    /// An array of strings.
    #[default]
    Array,
    /// A string of words with single spaces between them, as `scope` is (RFC 9068, section 2.2.3).
    Words,
    /// An object, whose member names are the roles.
    Members,
}

impl RoleForm {
    const ALL: [(Self, &str); 3] =
        [(Self::Array, "array"), (Self::Words, "words"), (Self::Members, "members")];

    /// The roles of a claim; `None` where it has another form.
    pub(crate) fn read(self, claim: &Value) -> Option<Vec<String>> {
        let mut roles = Vec::new();
        match (self, claim) {
            (Self::Array, Value::Array(items)) => {
                for item in items {
                    roles.push(item.as_str()?.to_owned());
                }
            }
            (Self::Words, Value::String(words)) => {
                let words = words.split(' ').filter(|word| !word.is_empty());
                roles.extend(words.map(str::to_owned));
            }
            (Self::Members, Value::Object(members)) => roles.extend(members.keys().cloned()),
            _ => return None,
        }
        Some(roles)
    }
}

impl FromStr for RoleForm {
    type Err = AuthError;

    fn from_str(name: &str) -> Result<Self, AuthError> {
        for (form, form_name) in Self::ALL {
            if form_name == name {
                return Ok(form);
            }
        }
        Err(AuthError::setting("role-form", format!("`{name}` is not one of array, words, members")))
    }
}

/// Finds the claim with this name, or at this path of names separated by full stops, such as
/// `realm_access.roles`. A claim of the whole name goes first: names that are URLs have full stops, too.
pub(crate) fn find<'c>(claims: &'c Map<String, Value>, path: &str) -> Option<&'c Value> {
    if let Some(claim) = claims.get(path) {
        return Some(claim);
    }
    for (dot, _) in path.match_indices('.') {
        if let Some(Value::Object(members)) = claims.get(&path[..dot])
            && let Some(claim) = find(members, &path[dot + 1..])
        {
            return Some(claim);
        }
    }
    None
}
