//! Conversion of settings and stored tenants to the rules of the token verifier.

use std::collections::BTreeMap;
use std::sync::Arc;

use norma_auth::{
    Algorithm, Https, KeyRules, Profile, RegisteredTenant, RoleForm, Rules, TenantId, Tenants, Verifier,
};
use norma_store::Policy;

use norma_settings::IdentitySettings;

/// The reason why identity cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum IdentityError {
    /// A setting or a tenant is not usable.
    #[error(transparent)]
    Unusable(#[from] norma_auth::AuthError),
    /// The file of root certificates cannot be read.
    #[error("`auth-ca`: cannot read {path}: {cause}")]
    Unreadable {
        /// The file that `auth-ca` names.
        path: String,
        /// The error of the system.
        cause: String,
    },
}

/// A verifier with these settings, without tenants yet.
pub(crate) fn verifier(settings: &IdentitySettings, keys: KeyRules) -> Result<Verifier, IdentityError> {
    let mut rules = rules(settings)?;
    rules.keys = keys;
    let fetch = fetch(settings, &rules)?;
    Ok(Verifier::new(rules, Arc::new(fetch))?)
}

/// The way out to providers.
pub(crate) fn fetch(settings: &IdentitySettings, rules: &Rules) -> Result<Https, IdentityError> {
    let roots = match settings.auth_ca.as_str() {
        "" => None,
        path => match std::fs::read(path) {
            Ok(roots) => Some(roots),
            Err(error) => {
                let cause = error.to_string();
                return Err(IdentityError::Unreadable { path: path.to_owned(), cause });
            }
        },
    };
    Ok(Https::new(rules, roots.as_deref())?)
}

/// The rules that each token is held against.
pub(crate) fn rules(settings: &IdentitySettings) -> Result<Rules, norma_auth::AuthError> {
    let mut rules = Rules::new(settings.audience.iter().cloned(), &settings.role);
    rules.algorithms.clear();
    for name in &settings.algorithms {
        rules.algorithms.push(name.parse()?);
    }
    rules.app_only = match settings.app_only.as_str() {
        "off" => None,
        rule => Some(rule.parse()?),
    };
    settings.role_form.parse::<RoleForm>()?;
    rules.skew = settings.clock_skew.std();
    Ok(rules)
}

/// The audiences in tokens of Entra ID, and which of the two names `audience` does not have.
pub(crate) fn audiences(settings: &IdentitySettings) -> String {
    let (ids, uris): (Vec<_>, Vec<_>) =
        settings.audience.iter().partition(|name| uuid::Uuid::try_parse(name).is_ok());
    let fact = "tokens of Entra ID in version 2 carry the service's client id as audience, those in version 1 its application ID URI";
    match (ids.is_empty(), uris.is_empty()) {
        (true, _) => format!("{fact}; `audience` has no client id (a GUID)"),
        (_, true) => format!("{fact}; `audience` has no application ID URI"),
        (false, false) => format!("{fact}; `audience` has both"),
    }
}

/// The registered tenants with their issuers. One that cannot be used is left out and logged: it must not
/// keep the others out.
pub(crate) fn tenants(settings: &IdentitySettings, policy: &Policy) -> Tenants {
    let mut usable: Vec<RegisteredTenant> = Vec::new();
    for stored in &policy.tenants {
        match usable_with(&usable, settings, stored, policy) {
            Ok(tenant) => usable.push(tenant),
            Err(error) => tracing::error!(tenant = stored.id, %error, "a tenant cannot be used"),
        }
    }
    Tenants::new(usable).unwrap_or_default()
}

/// A tenant, if it can be used together with others.
fn usable_with(
    others: &[RegisteredTenant],
    settings: &IdentitySettings,
    stored: &norma_store::Tenant,
    policy: &Policy,
) -> Result<RegisteredTenant, norma_auth::AuthError> {
    let tenant = tenant(settings, stored, policy)?;
    let mut all = others.to_vec();
    all.push(tenant.clone());
    Tenants::new(all)?;
    Ok(tenant)
}

/// Checks whether a tenant can be used with these settings and those of the policy, before it is registered.
///
/// # Errors
/// [`IdentityError::Unusable`] when its settings cannot be used, or another tenant has one of its issuers.
pub fn check(
    settings: &IdentitySettings,
    tenant: &norma_store::Tenant,
    policy: &Policy,
) -> Result<(), IdentityError> {
    Tenants::new([self::tenant(settings, tenant, policy)?])?;
    let others = policy.tenants.iter().filter(|other| other.id != tenant.id);
    let policy = Policy { tenants: others.chain([tenant]).cloned().collect(), ..Policy::default() };
    for (issuer, tenants) in shared_issuers(settings, &policy) {
        if !tenants.contains(&tenant.id) {
            continue;
        }
        if let Some(other) = tenants.iter().find(|other| **other != tenant.id) {
            let reason = format!("its issuer {issuer} is that of tenant {other}; one issuer, one tenant");
            return Err(norma_auth::AuthError::Tenant { tenant: tenant.id.clone(), reason }.into());
        }
    }
    Ok(())
}

/// Issuers that several tenants have, compared letter for letter as in tokens, and the ids of those tenants.
pub(crate) fn shared_issuers(settings: &IdentitySettings, policy: &Policy) -> BTreeMap<String, Vec<String>> {
    let mut tenants: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for stored in &policy.tenants {
        // One that cannot be used is reported where tenants are read.
        let Ok(tenant) = tenant(settings, stored, policy) else { continue };
        for profile in tenant.profiles {
            tenants.entry(profile.issuer).or_default().push(stored.id.clone());
        }
    }
    tenants.retain(|_, tenants| tenants.len() > 1);
    tenants
}

/// The profiles of a tenant. A tenant of the provider has its two shapes of tokens, with fixed tenant and
/// client claims. One with an issuer of its own has its registered claims, or else those in the settings.
pub(crate) fn tenant(
    settings: &IdentitySettings,
    stored: &norma_store::Tenant,
    policy: &Policy,
) -> Result<RegisteredTenant, norma_auth::AuthError> {
    let id: TenantId = stored.id.parse()?;
    let own = &stored.tokens;
    let mut profiles = match &stored.issuer {
        Some(issuer) => vec![profile_of_issuer(settings, stored, issuer)?],
        None if stored.jwks_uri.is_some()
            || own.tenant_claim.is_some()
            || own.client_claims.is_some()
            || own.app_only.is_some() =>
        {
            return Err(norma_auth::AuthError::Tenant {
                tenant: stored.id.clone(),
                reason: "keys, tenant claim, client claims and a rule for applications of its own need an issuer of its own"
                    .to_owned(),
            });
        }
        None => vec![
            Profile::v2(&settings.auth_url, &id)?,
            Profile::v1(&settings.auth_url, &settings.v1_issuer_template, &id)?,
        ],
    };
    let mut algorithms: Option<Vec<Algorithm>> = None;
    if let Some(names) = &own.algorithms {
        let mut parsed = Vec::with_capacity(names.len());
        for name in names {
            parsed.push(name.parse()?);
        }
        algorithms = Some(parsed);
    }
    for profile in &mut profiles {
        profile.types.clone_from(own.types.as_ref().unwrap_or(&settings.token_types));
        profile.type_optional = own.type_optional.unwrap_or(settings.token_type_optional);
        profile.audiences.clone_from(&own.audiences);
        profile.algorithms.clone_from(&algorithms);
        if let Some(claim) = &own.role_claim {
            profile.role_claim.clone_from(claim);
        }
        profile.role_form = own.role_form.as_ref().unwrap_or(&settings.role_form).parse()?;
    }
    let suspended_clients = policy.suspended_clients(&stored.id).map(str::to_owned).collect();
    Ok(RegisteredTenant { id, profiles, suspended: stored.suspended, suspended_clients })
}

/// The profile of tokens from the issuer of a tenant that has one of its own.
fn profile_of_issuer(
    settings: &IdentitySettings,
    stored: &norma_store::Tenant,
    issuer: &str,
) -> Result<Profile, norma_auth::AuthError> {
    let own = &stored.tokens;
    let mut profile = Profile::other(issuer, stored.jwks_uri.as_deref())?;
    let claim = own.tenant_claim.as_ref().unwrap_or(&settings.tenant_claim);
    profile.tenant_claim = if claim.is_empty() { None } else { Some(claim.clone()) };
    profile.app_only = match &own.app_only {
        Some(rule) => Some(rule.parse()?),
        None => None,
    };
    profile.client_claims = if let Some(claims) = &own.client_claims {
        claims.clone()
    } else if let Some(rule) = profile.app_only {
        rule.client_claims().iter().map(|&claim| claim.to_owned()).collect()
    } else {
        settings.client_claims.clone()
    };
    profile.role_claim.clone_from(&settings.role_claim);
    Ok(profile)
}

#[cfg(test)]
mod tests {
    use norma_auth::AppRule;
    use norma_settings::Settings;
    use norma_store::TokenShape;

    use super::*;

    const GUID: &str = "11111111-aaaa-4aaa-8aaa-111111111111";

    fn stored(id: &str, issuer: Option<&str>, tokens: TokenShape) -> norma_store::Tenant {
        let issuer = issuer.map(str::to_owned);
        norma_store::Tenant { id: id.into(), issuer, tokens, ..norma_store::Tenant::default() }
    }

    fn profiles(stored: &norma_store::Tenant) -> Vec<Profile> {
        let settings = Settings::defaults().identity;
        check(&settings, stored, &Policy::default()).unwrap();
        tenant(&settings, stored, &Policy::default()).unwrap().profiles
    }

    #[test]
    fn a_tenants_own_shape_goes_before_the_settings_and_the_rest_is_as_they_say() {
        let as_settings = profiles(&stored("acme", Some("https://acme.test"), TokenShape::default()));
        assert_eq!(as_settings[0].tenant_claim.as_deref(), Some("tid"));
        assert_eq!(as_settings[0].types, ["JWT", "at+jwt"]);
        let own = TokenShape {
            tenant_claim: Some(String::new()),
            role_claim: Some("groups".into()),
            audiences: Some(vec!["https://norma.test".into()]),
            algorithms: Some(vec!["ES256".into()]),
            ..TokenShape::default()
        };
        let shaped = &profiles(&stored("acme", Some("https://acme.test"), own))[0];
        assert_eq!((shaped.tenant_claim.clone(), shaped.role_claim.as_str()), (None, "groups"));
        assert_eq!(shaped.client_claims, as_settings[0].client_claims);
        assert_eq!(shaped.algorithms, Some(vec![Algorithm::Es256]));
        assert_eq!(shaped.audiences, Some(vec!["https://norma.test".to_owned()]));
    }

    #[test]
    fn a_tenant_of_the_provider_is_always_named_by_its_own_claim() {
        let own = TokenShape { types: Some(vec!["at+jwt".into()]), ..TokenShape::default() };
        for profile in profiles(&stored(GUID, None, own)) {
            assert_eq!(
                (profile.tenant_claim.as_deref(), &profile.types[..]),
                (Some("tid"), &["at+jwt".to_owned()][..])
            );
        }
        let settings = Settings::defaults().identity;
        for lax in [
            TokenShape { tenant_claim: Some(String::new()), ..TokenShape::default() },
            TokenShape { client_claims: Some(vec!["sub".into()]), ..TokenShape::default() },
            TokenShape { audiences: Some(Vec::new()), ..TokenShape::default() },
            TokenShape { algorithms: Some(vec!["none".into()]), ..TokenShape::default() },
        ] {
            let checked = check(&settings, &stored(GUID, None, lax.clone()), &Policy::default());
            assert!(checked.is_err(), "{lax:?}");
        }
    }

    #[test]
    fn a_rule_for_applications_brings_its_client_claims_and_needs_an_issuer() {
        let rule = |rule: &str| TokenShape { app_only: Some(rule.into()), ..TokenShape::default() };
        let okta = &profiles(&stored("acme", Some("https://acme.test"), rule("okta")))[0];
        assert_eq!((okta.app_only, &okta.client_claims[..]), (Some(AppRule::Okta), &["cid".to_owned()][..]));
        let own = TokenShape { client_claims: Some(vec!["sub".into()]), ..rule("okta") };
        assert_eq!(profiles(&stored("acme", Some("https://acme.test"), own))[0].client_claims, ["sub"]);
        let settings = Settings::defaults().identity;
        for (id, issuer, rule) in [
            (GUID, None, rule("okta")),
            ("acme", Some("https://acme.test"), rule("off")),
            ("acme", Some("https://acme.test"), rule("cognito")),
            ("acme", Some("https://cognito-idp.eu-west-1.amazonaws.com/x"), TokenShape::default()),
            (
                "acme",
                Some("https://acme.test"),
                TokenShape { role_form: Some("list".into()), ..TokenShape::default() },
            ),
        ] {
            assert!(
                check(&settings, &stored(id, issuer, rule.clone()), &Policy::default()).is_err(),
                "{rule:?}"
            );
        }
    }

    #[test]
    fn it_is_said_which_audience_of_entra_is_not_accepted() {
        for (audience, said) in [
            (&["api://norma"][..], "no client id"),
            (&[GUID], "no application ID URI"),
            (&[GUID, "api://norma"], "has both"),
        ] {
            let audience = audience.iter().map(|name| (*name).to_owned()).collect();
            let settings = IdentitySettings { audience, ..Settings::defaults().identity };
            assert!(audiences(&settings).contains(said), "{said}");
        }
    }

    #[test]
    fn two_tenants_cannot_have_one_issuer_whether_it_is_their_own_or_made_from_settings() {
        let settings = Settings::defaults().identity;
        let made = format!("{}/{GUID}/v2.0", settings.auth_url);
        let acme = || stored("acme", Some("https://acme.test"), TokenShape::default());
        let provider = || stored(GUID, None, TokenShape::default());
        for (known, added, is_shared) in [
            (acme(), stored("other", Some("https://acme.test"), TokenShape::default()), true),
            (acme(), stored("other", Some("https://acme.test/"), TokenShape::default()), false),
            (acme(), stored("acme", Some("https://acme.test"), TokenShape::default()), false),
            (provider(), stored("other", Some(&made), TokenShape::default()), true),
            (stored("other", Some(&made), TokenShape::default()), provider(), true),
            (provider(), acme(), false),
        ] {
            let policy = Policy { tenants: vec![known.clone()], ..Policy::default() };
            match check(&settings, &added, &policy) {
                Err(refusal) => {
                    let said = refusal.to_string();
                    assert!(is_shared && said.contains(&known.id) && said.contains(&added.id), "{said}");
                }
                Ok(()) => assert!(!is_shared, "{known:?} and {added:?}"),
            }
            let both = Policy { tenants: vec![known, added], ..Policy::default() };
            let ids: Vec<&String> = both.tenants.iter().map(|tenant| &tenant.id).collect();
            assert_eq!(shared_issuers(&settings, &both).is_empty(), !is_shared && ids[0] != ids[1]);
        }
    }
}
