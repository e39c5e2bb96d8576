//! Claims of a token: each rule is one small check, and the verifier applies them in a fixed order.

use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::{
    Profile, Reject, Rules, TokenRule, app_rule,
    tenant::{TenantId, canonical},
};

/// The claims of a token, not yet verified.
pub(crate) struct TokenClaims(pub(crate) Map<String, Value>);

/// The latest valid NumericDate, in seconds: `Timestamp::MAX`, 9999-12-30T22:00:00Z. A local time in any zone
/// then stays within the year 9999.
const LAST_SECOND: f64 = 253_402_207_200.0;

impl TokenClaims {
    pub(crate) fn issuer(&self) -> Result<&str, TokenRule> {
        self.0.get("iss").and_then(Value::as_str).ok_or(TokenRule::IssuerType)
    }

    /// Checks that the tenant claim names the tenant of the issuer.
    pub(crate) fn tenant(&self, profile: &Profile, tenant: &TenantId) -> Result<(), TokenRule> {
        let Some(name) = &profile.tenant_claim else { return Ok(()) };
        let found = self.0.get(name).and_then(Value::as_str);
        if found == Some(tenant.as_str()) { Ok(()) } else { Err(TokenRule::Tenant) }
    }

    /// Checks that `aud` is an accepted audience, or an array of strings with one (RFC 7519, 4.1.3).
    pub(crate) fn audience(&self, profile: &Profile, rules: &Rules) -> Result<(), TokenRule> {
        let named = match self.0.get("aud") {
            None => return Err(TokenRule::AudienceType),
            Some(Value::String(one)) => vec![one.as_str()],
            Some(many) => strings(many).ok_or(TokenRule::AudienceType)?,
        };
        let accepted = profile.audiences.as_ref().unwrap_or(&rules.audiences);
        for own in accepted {
            if named.iter().any(|named| same_audience(own, named, profile.audience_slash)) {
                return Ok(());
            }
        }
        Err(TokenRule::Audience)
    }

    /// Reads `exp`, which is required, and `nbf` and `iat`, which are optional; all must be NumericDates.
    pub(crate) fn lifetime(&self) -> Result<Lifetime, TokenRule> {
        // Not used, but another type says that the token is not well formed.
        self.date("iat")?;
        let from = self.date("nbf")?;
        let until = self.date("exp")?.ok_or(TokenRule::Date)?;
        Ok(Lifetime { from, until })
    }

    fn date(&self, name: &str) -> Result<Option<Timestamp>, TokenRule> {
        let Some(value) = self.0.get(name) else { return Ok(None) };
        let date = numeric_date(value).ok_or(TokenRule::Date)?;
        Ok(Some(date))
    }

    /// Checks that the token was issued to an application, by the rule of its issuer or else that of the
    /// settings.
    pub(crate) fn app_only(&self, profile: &Profile, rules: &Rules) -> Result<(), TokenRule> {
        match profile.app_only.or(rules.app_only) {
            Some(rule) if !rule.accepts(&self.0) => Err(TokenRule::Delegated),
            _ => Ok(()),
        }
    }

    /// The client, by the first of the profile's claims that is present.
    pub(crate) fn client(&self, profile: &Profile) -> Result<String, TokenRule> {
        let claim = profile.client_claims.iter().find_map(|name| self.0.get(name));
        match claim.and_then(Value::as_str) {
            Some(client) if !client.trim().is_empty() => Ok(canonical(client)),
            _ => Err(TokenRule::Client),
        }
    }

    /// The subject, where it is a string that is not blank.
    pub(crate) fn subject(&self) -> Option<String> {
        let subject = self.0.get("sub")?.as_str()?;
        if subject.trim().is_empty() { None } else { Some(subject.to_owned()) }
    }

    /// All roles of the caller; none when the claim is absent, as it is without a granted role.
    pub(crate) fn roles(&self, profile: &Profile) -> Result<Vec<String>, TokenRule> {
        match app_rule::find(&self.0, &profile.role_claim) {
            None => Ok(Vec::new()),
            Some(claim) => profile.role_form.read(claim).ok_or(TokenRule::RoleType),
        }
    }

    /// At most 200 characters of the audiences that the token names, for the operator.
    pub(crate) fn named_audiences(&self) -> String {
        let named = match self.0.get("aud") {
            Some(Value::String(one)) => one.clone(),
            Some(many) => strings(many).unwrap_or_default().join(", "),
            None => String::new(),
        };
        named.chars().take(200).collect()
    }
}

/// Validity period of a token, by its issuer's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Lifetime {
    pub(crate) from: Option<Timestamp>,
    pub(crate) until: Timestamp,
}

impl Lifetime {
    /// Checks that `now` is from `nbf` until just before `exp` (RFC 7519, 4.1.4 and 4.1.5), with a tolerance
    /// of `skew`.
    pub(crate) fn check(&self, now: Timestamp, skew: Duration) -> Result<(), Reject> {
        if now >= later(self.until, skew) {
            return Err(Reject::Expired);
        }
        match self.from {
            Some(from) if later(now, skew) < from => Err(TokenRule::NotYet.into()),
            _ => Ok(()),
        }
    }
}

/// `time + by`, at most [`Timestamp::MAX`].
pub(crate) fn later(time: Timestamp, by: Duration) -> Timestamp {
    time.checked_add(by).unwrap_or(Timestamp::MAX)
}

/// Seconds since 1970, perhaps with a fraction (RFC 7519, 2); neither negative nor beyond the calendar.
fn numeric_date(value: &Value) -> Option<Timestamp> {
    let seconds = value.as_f64()?;
    if !(0.0..=LAST_SECOND).contains(&seconds) {
        return None;
    }
    Timestamp::from_millisecond((seconds * 1000.0) as i64).ok()
}

/// The items of an array that holds strings only.
fn strings(value: &Value) -> Option<Vec<&str>> {
    value.as_array()?.iter().map(Value::as_str).collect()
}

fn same_audience(own: &str, named: &str, slash_optional: bool) -> bool {
    let is_uri = own.contains("://");
    if slash_optional && is_uri { strip_slash(own) == strip_slash(named) } else { own == named }
}

fn strip_slash(text: &str) -> &str {
    text.strip_suffix('/').unwrap_or(text)
}
