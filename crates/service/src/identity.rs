//! From settings and stored tenants to what the verifier of tokens needs.

use std::sync::Arc;

use norma_auth::{Https, Profile, Rules, Tenant, TenantId, Tenants, Verifier};
use norma_store::Policy;

use crate::config::Identity;

/// Why identity cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A setting or a tenant is not usable.
    #[error(transparent)]
    Unusable(#[from] norma_auth::Error),
    /// The file of root certificates cannot be read.
    #[error("`auth-ca`: cannot read {path}: {cause}")]
    Unreadable {
        /// The file.
        path: String,
        /// What the system said.
        cause: String,
    },
}

/// A verifier under these settings, which knows no tenant yet.
pub(crate) fn verifier(settings: &Identity) -> Result<Verifier, Error> {
    let rules = rules(settings)?;
    let roots = match settings.auth_ca.as_str() {
        "" => None,
        path => Some(
            std::fs::read(path)
                .map_err(|e| Error::Unreadable { path: path.to_owned(), cause: e.to_string() })?,
        ),
    };
    let fetch = Https::new(&rules, roots.as_deref())?;
    Ok(Verifier::new(rules, Arc::new(fetch))?)
}

/// The rules that each token is held against.
fn rules(settings: &Identity) -> Result<Rules, norma_auth::Error> {
    let mut rules = Rules::new(settings.audience.iter().cloned(), &settings.role);
    rules.algorithms =
        settings.algorithms.iter().map(|name| name.parse()).collect::<Result<_, norma_auth::Error>>()?;
    rules.app_only = settings.app_only;
    rules.skew = settings.clock_skew.std();
    rules.max_token = settings.max_token_size.in_memory();
    rules.cache_bytes = settings.token_cache.bytes();
    rules.keys.refresh = settings.key_refresh.std();
    rules.keys.keep = settings.key_lifetime.std();
    rules.keys.refetches = settings.key_refetches;
    rules.keys.refetch_gap = settings.key_refetch_gap.std();
    rules.keys.negative = settings.key_unknown_for.std();
    rules.keys.fetch_timeout = settings.key_fetch_timeout.std();
    rules.keys.max_document = settings.key_set_size.in_memory();
    Ok(rules)
}

/// The registered tenants with their issuers. One that cannot be used is left out and logged: it must not keep the
/// others out.
pub(crate) fn tenants(settings: &Identity, policy: &Policy) -> Tenants {
    let mut usable: Vec<Tenant> = Vec::new();
    for stored in &policy.tenants {
        let together = tenant(settings, stored, policy)
            .and_then(|tenant| Tenants::new(usable.iter().cloned().chain([tenant.clone()])).map(|_| tenant));
        match together {
            Ok(tenant) => usable.push(tenant),
            Err(error) => tracing::error!(tenant = stored.id, %error, "a tenant cannot be used"),
        }
    }
    Tenants::new(usable).unwrap_or_default()
}

/// Whether a tenant can be used under these settings, before it is registered.
pub fn check(settings: &Identity, tenant: &norma_store::Tenant) -> Result<(), Error> {
    Ok(self::tenant(settings, tenant, &Policy::default()).map(drop)?)
}

/// A tenant of the provider has its two shapes of tokens; one with an issuer of its own has the claims that the
/// settings name.
fn tenant(
    settings: &Identity,
    stored: &norma_store::Tenant,
    policy: &Policy,
) -> Result<Tenant, norma_auth::Error> {
    let id: TenantId = stored.id.parse()?;
    let mut profiles = match &stored.issuer {
        Some(issuer) => {
            let mut profile = Profile::other(issuer, stored.jwks_uri.as_deref())?;
            profile.role_claim.clone_from(&settings.role_claim);
            profile.tenant_claim = Some(settings.tenant_claim.clone()).filter(|claim| !claim.is_empty());
            vec![profile]
        }
        None => vec![
            Profile::v2(&settings.auth_url, &id)?,
            Profile::v1(&settings.auth_url, &settings.v1_issuer_template, &id)?,
        ],
    };
    for profile in &mut profiles {
        profile.types.clone_from(&settings.token_types);
    }
    let mine = policy.suspended.iter().filter(|(tenant, _)| *tenant == stored.id);
    let suspended_clients = mine.map(|(_, client)| client.clone()).collect();
    Ok(Tenant { id, profiles, suspended: stored.suspended, suspended_clients })
}
