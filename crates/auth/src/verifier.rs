//! The order of the checks, on one page: the first that fails is the answer.

use std::{
    collections::{HashMap, HashSet},
    fmt,
    sync::Arc,
};

use arc_swap::ArcSwap;
use jiff::Timestamp;

use crate::{
    Caller, ConnectionToken, Error, Fetch, KeyHealth, Reject, Rule, Rules, Tenants, bearer,
    cache::{Fingerprint, TokenCache, VerifiedToken},
    issuer_keys::{Context, IssuerKeys, RefetchLimiter, wait_for_fetch},
    jws::Jws,
    tenant::canonical,
};

/// Judges bearer tokens of the registered tenants.
///
/// All methods take the time as an argument. Fetches run as tasks of the tokio runtime that calls them.
pub struct Verifier {
    context: Arc<Context>,
    registry: ArcSwap<Registry>,
    tokens: TokenCache,
}

/// Registered issuers; a token's `iss` is looked up here before anything else happens for it.
#[derive(Default)]
struct Registry(HashMap<String, RegisteredIssuer>);

struct RegisteredIssuer {
    issuer: Arc<IssuerKeys>,
    suspensions: Arc<Suspensions>,
}

struct Suspensions {
    suspended: bool,
    clients: HashSet<String>,
}

impl Verifier {
    /// A verifier that knows no tenant yet, and so refuses every token.
    ///
    /// # Errors
    /// What [`Rules::check`] finds.
    pub fn new(rules: Rules, fetch: Arc<dyn Fetch>) -> Result<Self, Error> {
        rules.check()?;
        let tokens = TokenCache::new(rules.cache_bytes);
        Ok(Self { context: Arc::new(Context { rules, fetch }), registry: ArcSwap::default(), tokens })
    }

    /// Judges a token at a time.
    ///
    /// Waits for the provider only when the token names a key that is not known; a verified token is
    /// remembered, but its times, its key, its tenant and its client are looked at on each call.
    ///
    /// # Errors
    /// The first rule that the token breaks, in the order of [`Rule`].
    pub async fn verify(&self, token: &str, now: Timestamp) -> Result<Arc<Caller>, Reject> {
        self.verify_with_fingerprint(token, now).await.map(|(caller, _)| caller)
    }

    /// Judges the values of a request's `Authorization` headers: [`bearer`] and [`Self::verify`], with both left out
    /// where the sent the same header a moment ago and the token is remembered.
    ///
    /// # Errors
    /// Those of the two.
    pub async fn authorize(
        &self,
        headers: &[&[u8]],
        connection: &ConnectionToken,
        now: Timestamp,
    ) -> Result<Arc<Caller>, Reject> {
        let only = headers.first().filter(|_| headers.len() == 1);
        let known = only.and_then(|header| connection.fingerprint(header));
        if let Some(verdict) = known.and_then(|fingerprint| self.recheck(&fingerprint, now)) {
            return verdict;
        }
        let (caller, fingerprint) =
            self.verify_with_fingerprint(bearer(headers.iter().copied())?, now).await?;
        only.into_iter().for_each(|header| connection.remember(header, fingerprint));
        Ok(caller)
    }

    /// The verdict on a token that was verified before, unless its issuer or key is gone.
    fn recheck(&self, fingerprint: &Fingerprint, now: Timestamp) -> Option<Result<Arc<Caller>, Reject>> {
        let verified = self.tokens.get(fingerprint)?;
        let verdict = self.check_current(&verified, now);
        if verdict.is_none() {
            self.tokens.remove(fingerprint);
        }
        verdict.map(|good| good.map(|()| verified.caller.clone()))
    }

    async fn verify_with_fingerprint(
        &self,
        token: &str,
        now: Timestamp,
    ) -> Result<(Arc<Caller>, Fingerprint), Reject> {
        let rules = &self.context.rules;
        if token.len() > rules.max_token {
            return Err(Rule::Length.into());
        }
        let fingerprint = TokenCache::fingerprint(token);
        if let Some(verdict) = self.recheck(&fingerprint, now) {
            return verdict.map(|caller| (caller, fingerprint));
        }

        let jws = Jws::parse(token, rules)?;
        let issuer = self.registry.load().issuer(jws.claims.issuer()?).ok_or(Rule::IssuerUnknown)?;
        let (profile, claims) = (&issuer.profile, &jws.claims);
        jws.header.check(profile)?;
        let key = issuer.key(&jws.header.kid, now, &self.context).await?;
        key.verify(jws.header.algorithm, jws.signed, &jws.signature)?;
        claims.tenant(profile, &issuer.tenant)?;
        claims.audience(profile, rules)?;
        let lifetime = claims.lifetime()?;
        lifetime.check(now, rules.skew)?;
        if rules.app_only {
            claims.app_only()?;
        }
        let caller = Arc::new(Caller {
            tenant: issuer.tenant.clone(),
            roles: claims.roles(profile)?,
            client: claims.client(profile)?,
            expires: lifetime.until,
        });
        if !caller.roles.contains(&rules.role) {
            return Err(Reject::RoleMissing(caller));
        }
        let verified =
            Arc::new(VerifiedToken { caller: caller.clone(), lifetime, issuer: issuer.clone(), key });
        self.tokens.insert(fingerprint, verified.clone());
        // Asked last and of the registry as it is now: it may have changed while the keys were fetched.
        self.check_current(&verified, now).ok_or(Rule::KeyUnknown)??;
        Ok((caller, fingerprint))
    }

    /// What may change between two uses of a verified token: time, suspensions, and, with `None`, whether
    /// its issuer and its key are still there.
    fn check_current(&self, verified: &VerifiedToken, now: Timestamp) -> Option<Result<(), Reject>> {
        let (registry, rules) = (self.registry.load(), &self.context.rules);
        let registered = registry.0.get(&verified.issuer.profile.issuer)?;
        if !Arc::ptr_eq(&registered.issuer, &verified.issuer)
            || !verified.issuer.has_key(&verified.key, now, rules)
        {
            return None;
        }
        if let Err(reject) = verified.lifetime.check(now, rules.skew) {
            return Some(Err(reject));
        }
        let suspended = registered.suspensions.suspends(&verified.caller);
        Some(if suspended { Err(Reject::Suspended(verified.caller.clone())) } else { Ok(()) })
    }

    /// Replaces the registered tenants. Keys of issuers that stay as they were are kept; tokens of others are
    /// forgotten.
    pub fn replace_tenants(&self, tenants: Tenants) {
        let old = self.registry.load();
        let mut new = HashMap::new();
        for tenant in tenants {
            let kept =
                |issuer: &str| old.0.get(issuer).filter(|registered| registered.issuer.tenant == tenant.id);
            let known = tenant.profiles.iter().find_map(|profile| kept(&profile.issuer));
            let refetch_limiter = known.map_or_else(
                || Arc::new(RefetchLimiter::default()),
                |registered| registered.issuer.refetch_limiter.clone(),
            );
            let suspensions = Arc::new(Suspensions {
                suspended: tenant.suspended,
                clients: tenant.suspended_clients.iter().map(|client| canonical(client)).collect(),
            });
            let mut issuers = Vec::new();
            for profile in &tenant.profiles {
                let same = kept(&profile.issuer).filter(|registered| registered.issuer.profile == *profile);
                let issuer = match same {
                    Some(registered) => registered.issuer.clone(),
                    None => {
                        Arc::new(IssuerKeys::new(tenant.id.clone(), profile.clone(), refetch_limiter.clone()))
                    }
                };
                issuers.push(issuer.clone());
                new.insert(
                    profile.issuer.clone(),
                    RegisteredIssuer { issuer, suspensions: suspensions.clone() },
                );
            }
            refetch_limiter.set_issuers(&issuers);
        }
        let new = Arc::new(Registry(new));
        self.registry.store(new.clone());
        self.tokens.retain(|issuer| {
            new.0
                .get(&issuer.profile.issuer)
                .is_some_and(|registered| Arc::ptr_eq(&registered.issuer, issuer))
        });
    }

    /// Refreshes the key sets that are due, the longest overdue first and at most
    /// [`KeyRules::max_parallel`](crate::KeyRules::parallel) of them; returns when they are settled. Call it
    /// every second or so.
    pub async fn refresh_due(&self, now: Timestamp) {
        let mut due: Vec<Arc<IssuerKeys>> =
            self.registry.load().0.values().map(|registered| registered.issuer.clone()).collect();
        due.retain(|issuer| issuer.due().is_none_or(|due| now >= due));
        due.sort_by_key(|issuer| issuer.due());
        let start = due.iter().filter_map(|issuer| issuer.refresh(now, &self.context));
        let started: Vec<_> = start.take(self.context.rules.keys.max_parallel).collect();
        for wait in started {
            wait_for_fetch(wait).await;
        }
    }

    /// How the keys of each registered issuer stand, sorted by tenant and issuer.
    pub fn health(&self, now: Timestamp) -> Vec<KeyHealth> {
        let registry = self.registry.load();
        let mut health: Vec<_> = registry
            .0
            .values()
            .map(|registered| registered.issuer.health(now, &self.context.rules))
            .collect();
        health.sort_by(|a, b| (&a.tenant, &a.issuer).cmp(&(&b.tenant, &b.issuer)));
        health
    }

    /// How many verified tokens are remembered.
    pub fn cached_tokens(&self) -> usize {
        self.tokens.len()
    }
}

impl Registry {
    fn issuer(&self, issuer: &str) -> Option<Arc<IssuerKeys>> {
        self.0.get(issuer).map(|registered| registered.issuer.clone())
    }
}

impl Suspensions {
    fn suspends(&self, caller: &Caller) -> bool {
        self.suspended || self.clients.contains(&caller.client)
    }
}

impl fmt::Debug for Verifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let issuers = self.registry.load().0.len();
        f.debug_struct("Verifier")
            .field("rules", &self.context.rules)
            .field("issuers", &issuers)
            .finish_non_exhaustive()
    }
}

/// Reads a token as far as that goes without issuer and key: its parts, header, and the types of its claims.
///
/// `Ok` says nothing about trust. It is the entry for fuzzing, and lets a tool tell a mangled token from a
/// refused one.
///
/// # Errors
/// The first rule that the token breaks.
pub fn inspect(token: &str, rules: &Rules) -> Result<(), Reject> {
    let claims = Jws::parse(token, rules)?.claims;
    claims.issuer()?;
    claims.lifetime()?;
    Ok(())
}
