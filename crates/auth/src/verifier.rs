//! The order of the checks, on one page: the first that fails is the answer.

use std::{
    collections::{HashMap, HashSet},
    fmt,
    sync::Arc,
};

use arc_swap::ArcSwap;
use jiff::Timestamp;

use crate::{
    Caller, Error, Fetch, KeyHealth, Presented, Reject, Rule, Rules, Tenants, bearer,
    cache::{Fingerprint, Passed, Tokens},
    jws::Jws,
    source::{Ground, Refetches, Source, ended},
    tenant::canonical,
};

/// Judges bearer tokens of the registered tenants.
///
/// All methods take the time as an argument. Fetches run as tasks of the tokio runtime that calls them.
pub struct Verifier {
    ground: Arc<Ground>,
    registry: ArcSwap<Registry>,
    tokens: Tokens,
}

/// Registered issuers; a token's `iss` is looked up here before anything else happens for it.
#[derive(Default)]
struct Registry(HashMap<String, Place>);

struct Place {
    source: Arc<Source>,
    standing: Arc<Standing>,
}

struct Standing {
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
        let tokens = Tokens::new(rules.cache_bytes);
        Ok(Self { ground: Arc::new(Ground { rules, fetch }), registry: ArcSwap::default(), tokens })
    }

    /// Judges a token at a time.
    ///
    /// Waits for the provider only when the token names a key that is not known; a verified token is
    /// remembered, but its times, its key, its tenant and its client are looked at on each call.
    ///
    /// # Errors
    /// The first rule that the token breaks, in the order of [`Rule`].
    pub async fn verify(&self, token: &str, now: Timestamp) -> Result<Arc<Caller>, Reject> {
        self.judge(token, now).await.map(|(caller, _)| caller)
    }

    /// Judges the values of a request's `Authorization` headers: [`bearer`] and [`Self::verify`], with both left out
    /// where the connection presented the same a moment ago and the token is remembered.
    ///
    /// # Errors
    /// Those of the two.
    pub async fn authorize(
        &self,
        headers: &[&[u8]],
        presented: &Presented,
        now: Timestamp,
    ) -> Result<Arc<Caller>, Reject> {
        let only = headers.first().filter(|_| headers.len() == 1);
        let known = only.and_then(|header| presented.fingerprint(header));
        if let Some(verdict) = known.and_then(|fingerprint| self.again(&fingerprint, now)) {
            return verdict;
        }
        let (caller, fingerprint) = self.judge(bearer(headers.iter().copied())?, now).await?;
        only.into_iter().for_each(|header| presented.keep(header, fingerprint));
        Ok(caller)
    }

    /// The verdict on a token that passed before, unless what it passed by is gone.
    fn again(&self, fingerprint: &Fingerprint, now: Timestamp) -> Option<Result<Arc<Caller>, Reject>> {
        let passed = self.tokens.find(fingerprint)?;
        let verdict = self.standing(&passed, now);
        if verdict.is_none() {
            self.tokens.forget(fingerprint);
        }
        verdict.map(|good| good.map(|()| passed.caller.clone()))
    }

    async fn judge(&self, token: &str, now: Timestamp) -> Result<(Arc<Caller>, Fingerprint), Reject> {
        let rules = &self.ground.rules;
        if token.len() > rules.max_token {
            return Err(Rule::Length.into());
        }
        let fingerprint = Tokens::fingerprint(token);
        if let Some(verdict) = self.again(&fingerprint, now) {
            return verdict.map(|caller| (caller, fingerprint));
        }

        let jws = Jws::parse(token, rules)?;
        let source = self.registry.load().source(jws.claims.issuer()?).ok_or(Rule::IssuerUnknown)?;
        let (profile, claims) = (&source.profile, &jws.claims);
        jws.header.check(profile)?;
        let key = source.key(&jws.header.kid, now, &self.ground).await?;
        key.verify(jws.header.algorithm, jws.signed, &jws.signature)?;
        claims.tenant(profile, &source.tenant)?;
        claims.audience(profile, rules)?;
        let lifetime = claims.lifetime()?;
        lifetime.check(now, rules.skew)?;
        if rules.app_only {
            claims.app_only()?;
        }
        let caller = Arc::new(Caller {
            tenant: source.tenant.clone(),
            roles: claims.roles(profile)?,
            client: claims.client(profile)?,
            expires: lifetime.until,
        });
        if !caller.roles.contains(&rules.role) {
            return Err(Reject::RoleMissing(caller));
        }
        let passed = Arc::new(Passed { caller: caller.clone(), lifetime, source: source.clone(), key });
        self.tokens.keep(fingerprint, passed.clone());
        // Asked last and of the registry as it is now: it may have changed while the keys were fetched.
        self.standing(&passed, now).ok_or(Rule::KeyUnknown)??;
        Ok((caller, fingerprint))
    }

    /// What may change between two uses of a token that passed: time, suspensions, and, with `None`, whether
    /// its issuer and its key are still there.
    fn standing(&self, passed: &Passed, now: Timestamp) -> Option<Result<(), Reject>> {
        let (registry, rules) = (self.registry.load(), &self.ground.rules);
        let place = registry.0.get(&passed.source.profile.issuer)?;
        if !Arc::ptr_eq(&place.source, &passed.source) || !passed.source.holds(&passed.key, now, rules) {
            return None;
        }
        if let Err(reject) = passed.lifetime.check(now, rules.skew) {
            return Some(Err(reject));
        }
        let suspended = place.standing.suspends(&passed.caller);
        Some(if suspended { Err(Reject::Suspended(passed.caller.clone())) } else { Ok(()) })
    }

    /// Replaces the registered tenants. Keys of issuers that stay as they were are kept; tokens of others are
    /// forgotten.
    pub fn replace_tenants(&self, tenants: Tenants) {
        let old = self.registry.load();
        let mut new = HashMap::new();
        for tenant in tenants {
            let kept = |issuer: &str| old.0.get(issuer).filter(|place| place.source.tenant == tenant.id);
            let known = tenant.profiles.iter().find_map(|profile| kept(&profile.issuer));
            let refetches =
                known.map_or_else(|| Arc::new(Refetches::default()), |place| place.source.refetches.clone());
            let standing = Arc::new(Standing {
                suspended: tenant.suspended,
                clients: tenant.suspended_clients.iter().map(|client| canonical(client)).collect(),
            });
            let mut sources = Vec::new();
            for profile in &tenant.profiles {
                let same = kept(&profile.issuer).filter(|place| place.source.profile == *profile);
                let source = match same {
                    Some(place) => place.source.clone(),
                    None => Arc::new(Source::new(tenant.id.clone(), profile.clone(), refetches.clone())),
                };
                sources.push(source.clone());
                new.insert(profile.issuer.clone(), Place { source, standing: standing.clone() });
            }
            refetches.share(&sources);
        }
        let new = Arc::new(Registry(new));
        self.registry.store(new.clone());
        self.tokens.retain(|source| {
            new.0.get(&source.profile.issuer).is_some_and(|place| Arc::ptr_eq(&place.source, source))
        });
    }

    /// Refreshes the key sets that are due, the longest overdue first and at most
    /// [`KeyRules::parallel`](crate::KeyRules::parallel) of them; returns when they are settled. Call it
    /// every second or so.
    pub async fn refresh_due(&self, now: Timestamp) {
        let mut due: Vec<Arc<Source>> =
            self.registry.load().0.values().map(|place| place.source.clone()).collect();
        due.retain(|source| source.due().is_none_or(|due| now >= due));
        due.sort_by_key(|source| source.due());
        let start = due.iter().filter_map(|source| source.refresh(now, &self.ground));
        let started: Vec<_> = start.take(self.ground.rules.keys.parallel).collect();
        for wait in started {
            ended(wait).await;
        }
    }

    /// How the keys of each registered issuer stand, sorted by tenant and issuer.
    pub fn health(&self, now: Timestamp) -> Vec<KeyHealth> {
        let registry = self.registry.load();
        let mut health: Vec<_> =
            registry.0.values().map(|place| place.source.health(now, &self.ground.rules)).collect();
        health.sort_by(|a, b| (&a.tenant, &a.issuer).cmp(&(&b.tenant, &b.issuer)));
        health
    }

    /// How many verified tokens are remembered.
    pub fn remembered(&self) -> usize {
        self.tokens.len()
    }
}

impl Registry {
    fn source(&self, issuer: &str) -> Option<Arc<Source>> {
        self.0.get(issuer).map(|place| place.source.clone())
    }
}

impl Standing {
    fn suspends(&self, caller: &Caller) -> bool {
        self.suspended || self.clients.contains(&caller.client)
    }
}

impl fmt::Debug for Verifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let issuers = self.registry.load().0.len();
        f.debug_struct("Verifier")
            .field("rules", &self.ground.rules)
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
