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

/// Each rule with its name in settings and the claims by which its provider names the client.
const RULES: [(AppRule, &str, &[&str]); 7] = [
    (AppRule::Entra, "entra", &["azp", "appid"]),
    (AppRule::Okta, "okta", &["cid"]),
    (AppRule::Keycloak, "keycloak", &["azp"]),
    (AppRule::Auth0, "auth0", &["azp", "client_id"]),
    (AppRule::Zitadel, "zitadel", &["client_id"]),
    (AppRule::SubjectIsClient, "subject-is-client", &["client_id", "azp", "cid"]),
    (AppRule::NoSubject, "no-subject", &["client_id", "azp"]),
];

impl AppRule {
    fn row(self) -> (&'static str, &'static [&'static str]) {
        let row = RULES.iter().find(|(rule, ..)| *rule == self).expect("each rule has a row");
        (row.1, row.2)
    }

    /// The name in settings.
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// The claims by which the provider's tokens name their client; the first that is present counts.
    pub fn client_claims(self) -> &'static [&'static str] {
        self.row().1
    }

    /// Whether the claims are those of a token for an application.
    pub(crate) fn accepts(self, claims: &Map<String, Value>) -> bool {
        let text = |name: &str| claims.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
        let absent_or = |name: &str, value: &str| claims.get(name).is_none_or(|found| found == value);
        let client =
            || self.client_claims().iter().find_map(|name| claims.get(*name)).and_then(Value::as_str);
        match self {
            Self::Entra => !claims.contains_key("scp") && absent_or("idtyp", "app"),
            Self::Okta => {
                text("cid").is_some_and(|cid| text("sub") == Some(cid)) && !claims.contains_key("uid")
            }
            Self::Keycloak => text("azp").is_some_and(|azp| {
                let account = format!("service-account-{}", azp.to_lowercase());
                text("client_id").or(text("clientId")) == Some(azp)
                    && text("preferred_username") == Some(account.as_str())
            }),
            Self::Auth0 => {
                let is_client = text("sub").and_then(|sub| sub.strip_suffix("@clients"));
                is_client.is_some_and(|sub| client() == Some(sub)) && absent_or("gty", "client-credentials")
            }
            // `231234567890123456`, with `@project` behind it in earlier versions.
            Self::Zitadel => text("client_id").is_some_and(|client| {
                let id = client.split('@').next().unwrap_or_default();
                !id.bytes().all(|byte| byte.is_ascii_digit())
            }),
            Self::SubjectIsClient => text("sub").is_some_and(|sub| client() == Some(sub)),
            Self::NoSubject => !claims.contains_key("sub"),
        }
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
        RULES.iter().find(|row| row.1 == name).map(|row| row.0).ok_or_else(|| {
            let names: Vec<&str> = RULES.iter().map(|row| row.1).collect();
            AuthError::setting("app-only", format!("`{name}` is not one of {}", names.join(", ")))
        })
    }
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
        match (self, claim) {
            (Self::Array, Value::Array(items)) => {
                items.iter().map(|item| item.as_str().map(str::to_owned)).collect()
            }
            (Self::Words, Value::String(words)) => {
                Some(words.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect())
            }
            (Self::Members, Value::Object(members)) => Some(members.keys().cloned().collect()),
            _ => None,
        }
    }
}

impl FromStr for RoleForm {
    type Err = AuthError;

    fn from_str(name: &str) -> Result<Self, AuthError> {
        Self::ALL.iter().find(|row| row.1 == name).map(|row| row.0).ok_or_else(|| {
            AuthError::setting("role-form", format!("`{name}` is not one of array, words, members"))
        })
    }
}

/// Finds the claim with this name, or at this path of names separated by full stops, such as
/// `realm_access.roles`. A claim of the whole name goes first: names that are URLs have full stops, too.
pub(crate) fn find<'c>(claims: &'c Map<String, Value>, path: &str) -> Option<&'c Value> {
    let below = |at: usize| find(claims.get(&path[..at])?.as_object()?, &path[at + 1..]);
    claims.get(path).or_else(|| path.match_indices('.').find_map(|(at, _)| below(at)))
}
