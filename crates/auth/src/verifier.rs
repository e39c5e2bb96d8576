//! Verifier of bearer tokens: all checks in their order; the first that fails gives the rejection.

use std::{
    collections::{HashMap, HashSet},
    fmt,
    sync::Arc,
};

use arc_swap::ArcSwap;
use jiff::Timestamp;

use crate::{
    AuthError, Caller, ConnectionToken, Fetch, KeyHealth, RegisteredTenant, Reject, Rules, TenantId, Tenants,
    TokenRule, bearer,
    cache::{TokenCache, TokenFingerprint, VerifiedToken},
    issuer_keys::{IssuerContext, IssuerKeys, RefetchLimiter, wait_for_fetch},
    jws::Jws,
    tenant::canonical,
};

/// Verifies bearer tokens of the registered tenants.
///
/// All methods take the time as an argument. Fetches run as tasks of the tokio runtime that calls them.
///
/// ```
/// use std::sync::Arc;
///
/// use aws_lc_rs::rand::SystemRandom;
/// use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
/// use data_encoding::BASE64URL_NOPAD as BASE64;
/// use norma_auth::{
///     Algorithm, AuthError, Fetch, Profile, ProviderDocument, RegisteredTenant, Rules, Tenants, Verifier,
/// };
///
/// /// The provider's key set; a service uses `Https`, which fetches it.
/// struct KeySet(String);
///
/// #[async_trait::async_trait]
/// impl Fetch for KeySet {
///     async fn get(&self, _url: &str) -> Result<ProviderDocument, AuthError> {
///         Ok(ProviderDocument { body: self.0.clone().into_bytes(), date: None })
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let key = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING)?;
/// let (x, y) = key.public_key().as_ref()[1..].split_at(32);
/// let (x, y) = (BASE64.encode(x), BASE64.encode(y));
/// let keys = KeySet(format!(r#"{{"keys":[{{"kty":"EC","crv":"P-256","kid":"k1","x":"{x}","y":"{y}"}}]}}"#));
///
/// let header = BASE64.encode(br#"{"alg":"ES256","typ":"JWT","kid":"k1"}"#);
/// let claims = BASE64.encode(
///     br#"{"iss":"https://login.example","tid":"acme","aud":"api://norma","azp":"reader",
///          "roles":["Content.Read"],"exp":1900000000}"#,
/// );
/// let signature = key.sign(&SystemRandom::new(), format!("{header}.{claims}").as_bytes())?;
/// let token = format!("{header}.{claims}.{}", BASE64.encode(signature.as_ref()));
///
/// let mut rules = Rules::new(["api://norma"], "Content.Read");
/// rules.algorithms = vec![Algorithm::Es256];
/// let verifier = Verifier::new(rules, Arc::new(keys))?;
/// let profiles = vec![Profile::other("https://login.example", Some("https://login.example/keys"))?];
/// let id = "acme".parse()?;
/// let tenant = RegisteredTenant { id, profiles, suspended: false, suspended_clients: vec![] };
/// verifier.replace_tenants(Tenants::new([tenant])?);
///
/// let caller = verifier.verify(&token, "2026-01-31T00:00:00Z".parse()?).await?;
/// assert_eq!((caller.client.as_str(), caller.tenant.as_str()), ("reader", "acme"));
/// # Ok(())
/// # }
/// ```
pub struct Verifier {
    context: Arc<IssuerContext>,
    registry: ArcSwap<Registry>,
    tokens: TokenCache,
}

/// Registered issuers by the value of `iss`.
#[derive(Default)]
struct Registry(HashMap<String, RegisteredIssuer>);

struct RegisteredIssuer {
    issuer: Arc<IssuerKeys>,
    suspensions: Arc<Suspensions>,
}

/// The callers of a tenant that are suspended.
struct Suspensions {
    all_clients: bool,
    clients: HashSet<String>,
}

impl Verifier {
    /// A verifier without tenants, which rejects every token.
    ///
    /// # Errors
    /// Those of [`Rules::check`].
    pub fn new(rules: Rules, fetch: Arc<dyn Fetch>) -> Result<Self, AuthError> {
        rules.check()?;
        let tokens = TokenCache::new(rules.cache_bytes);
        Ok(Self { context: Arc::new(IssuerContext { rules, fetch }), registry: ArcSwap::default(), tokens })
    }

    /// Verifies a token at the time `now`.
    ///
    /// Waits for the provider only when the token names an unknown key. A verified token is cached, but its
    /// validity period, its key, its tenant and its client are checked on each call.
    ///
    /// # Errors
    /// The first rule that the token breaks, in the order of [`TokenRule`].
    pub async fn verify(&self, token: &str, now: Timestamp) -> Result<Arc<Caller>, Reject> {
        let (caller, _) = self.verify_with_fingerprint(token, now).await?;
        Ok(caller)
    }

    /// Verifies the values of a request's `Authorization` headers by [`bearer`] and [`Self::verify`]. Both
    /// are skipped when the connection sent the same header before and its token is cached.
    ///
    /// # Errors
    /// Those of the two.
    pub async fn authorize(
        &self,
        headers: &[&[u8]],
        connection: &ConnectionToken,
        now: Timestamp,
    ) -> Result<Arc<Caller>, Reject> {
        let only_header = match headers {
            [header] => Some(*header),
            _ => None,
        };
        if let Some(header) = only_header
            && let Some(fingerprint) = connection.fingerprint(header)
            && let Some(verdict) = self.recheck(&fingerprint, now)
        {
            return verdict;
        }
        let token = bearer(headers.iter().copied())?;
        let (caller, fingerprint) = self.verify_with_fingerprint(token, now).await?;
        if let Some(header) = only_header {
            connection.remember(header, fingerprint);
        }
        Ok(caller)
    }

    /// Checks a cached token again; `None` when it is not cached, or its issuer or key is gone.
    fn recheck(&self, fingerprint: &TokenFingerprint, now: Timestamp) -> Option<Result<Arc<Caller>, Reject>> {
        let verified = self.tokens.get(fingerprint)?;
        match self.check_current(&verified, now) {
            Some(Ok(())) => Some(Ok(verified.caller.clone())),
            Some(Err(reject)) => Some(Err(reject)),
            None => {
                self.tokens.remove(fingerprint);
                None
            }
        }
    }

    async fn verify_with_fingerprint(
        &self,
        token: &str,
        now: Timestamp,
    ) -> Result<(Arc<Caller>, TokenFingerprint), Reject> {
        // `Jws::parse` also refuses it, but after the token was hashed.
        if token.len() > self.context.rules.max_token {
            return Err(TokenRule::Length.into());
        }
        let fingerprint = TokenCache::fingerprint(token);
        if let Some(verdict) = self.recheck(&fingerprint, now) {
            return Ok((verdict?, fingerprint));
        }
        let verified = Arc::new(self.verify_uncached(token, now).await?);
        self.tokens.insert(fingerprint, verified.clone());
        // Checked last and in the present registry, which may have changed while the keys were fetched.
        self.check_current(&verified, now).ok_or(TokenRule::KeyUnknown)??;
        Ok((verified.caller.clone(), fingerprint))
    }

    /// Checks all of a token but suspensions.
    async fn verify_uncached(&self, token: &str, now: Timestamp) -> Result<VerifiedToken, Reject> {
        let rules = &self.context.rules;
        let jws = Jws::parse(token, rules)?;
        let claims = &jws.claims;
        let issuer = self.registry.load().issuer(claims.issuer()?).ok_or(TokenRule::IssuerUnknown)?;
        let profile = &issuer.profile;
        jws.header.check(profile)?;
        let key = issuer.key(&jws.header.kid, now, &self.context).await?;
        key.verify(jws.header.algorithm, jws.signed, &jws.signature)?;

        claims.tenant(profile, &issuer.tenant)?;
        match claims.audience(profile, rules) {
            Ok(()) => {}
            // The operator sees which audiences the token is for.
            Err(TokenRule::Audience) => return Err(Reject::OtherAudience(claims.named_audiences())),
            Err(rule) => return Err(rule.into()),
        }
        let lifetime = claims.lifetime()?;
        lifetime.check(now, rules.skew)?;
        claims.app_only(profile, rules)?;
        // Roles of users are for other programs, in any form.
        let roles = if rules.for_users { Vec::new() } else { claims.roles(profile)? };
        let caller = Arc::new(Caller {
            tenant: issuer.tenant.clone(),
            roles,
            client: claims.client(profile)?,
            subject: claims.subject(),
            expires: lifetime.until,
        });
        if rules.for_users {
            if caller.subject.is_none() {
                return Err(TokenRule::Subject.into());
            }
        } else if !caller.roles.contains(&rules.role) {
            return Err(Reject::RoleMissing(caller));
        }
        Ok(VerifiedToken { caller, lifetime, issuer, key })
    }

    /// Checks what may change between two uses of a verified token: time and suspensions; `None` when its
    /// issuer or its key is gone.
    fn check_current(&self, verified: &VerifiedToken, now: Timestamp) -> Option<Result<(), Reject>> {
        let rules = &self.context.rules;
        let registry = self.registry.load();
        let registered = registry.0.get(&verified.issuer.profile.issuer)?;
        if !Arc::ptr_eq(&registered.issuer, &verified.issuer) {
            return None;
        }
        if !verified.issuer.has_key(&verified.key, now, rules) {
            return None;
        }
        if let Err(reject) = verified.lifetime.check(now, rules.skew) {
            return Some(Err(reject));
        }
        if registered.suspensions.suspends(&verified.caller) {
            return Some(Err(Reject::Suspended(verified.caller.clone())));
        }
        Some(Ok(()))
    }

    /// Replaces the registered tenants. Unchanged issuers keep their keys; cached tokens of the others are
    /// dropped.
    pub fn replace_tenants(&self, tenants: Tenants) {
        let old = self.registry.load();
        let mut new = Registry::default();
        for tenant in tenants {
            new.register(&tenant, &old);
        }
        let new = Arc::new(new);
        self.registry.store(new.clone());
        self.tokens.retain(|issuer| new.has(issuer));
    }

    /// Refreshes the key sets that are due, the longest overdue first and at most
    /// [`KeyRules::max_parallel`](crate::KeyRules::max_parallel) of them. Returns when these fetches have
    /// ended. Call it about every second.
    pub async fn refresh_due(&self, now: Timestamp) {
        let mut due = Vec::new();
        for registered in self.registry.load().0.values() {
            if registered.issuer.is_due(now) {
                due.push(registered.issuer.clone());
            }
        }
        due.sort_by_key(|issuer| issuer.due());
        let mut started = Vec::new();
        for issuer in due {
            if started.len() == self.context.rules.keys.max_parallel {
                break;
            }
            started.extend(issuer.refresh(now, &self.context));
        }
        for wait in started {
            wait_for_fetch(wait).await;
        }
    }

    /// State of the keys of each registered issuer, sorted by tenant and issuer.
    pub fn health(&self, now: Timestamp) -> Vec<KeyHealth> {
        let mut health = Vec::new();
        for registered in self.registry.load().0.values() {
            health.push(registered.issuer.health(now, &self.context.rules));
        }
        health.sort_by(|a, b| (&a.tenant, &a.issuer).cmp(&(&b.tenant, &b.issuer)));
        health
    }
}

impl Registry {
    fn issuer(&self, issuer: &str) -> Option<Arc<IssuerKeys>> {
        let registered = self.0.get(issuer)?;
        Some(registered.issuer.clone())
    }

    /// The issuer of this name, where it is registered for this tenant.
    fn issuer_of(&self, tenant: &TenantId, issuer: &str) -> Option<Arc<IssuerKeys>> {
        self.issuer(issuer).filter(|keys| keys.tenant == *tenant)
    }

    /// True if the issuer of some keys is registered with exactly these.
    fn has(&self, keys: &Arc<IssuerKeys>) -> bool {
        match self.0.get(&keys.profile.issuer) {
            Some(registered) => Arc::ptr_eq(&registered.issuer, keys),
            None => false,
        }
    }

    /// Registers a tenant. Issuers that are the same as in `old` keep their keys.
    fn register(&mut self, tenant: &RegisteredTenant, old: &Self) {
        let registered_before =
            tenant.profiles.iter().find_map(|profile| old.issuer_of(&tenant.id, &profile.issuer));
        let refetch_limiter = match registered_before {
            Some(keys) => keys.refetch_limiter.clone(),
            None => Arc::new(RefetchLimiter::default()),
        };
        let suspensions = Arc::new(Suspensions {
            all_clients: tenant.suspended,
            clients: tenant.suspended_clients.iter().map(|client| canonical(client)).collect(),
        });
        let mut issuers = Vec::new();
        for profile in &tenant.profiles {
            let issuer = match old.issuer_of(&tenant.id, &profile.issuer) {
                Some(keys) if keys.profile == *profile => keys,
                _ => Arc::new(IssuerKeys::new(tenant.id.clone(), profile.clone(), refetch_limiter.clone())),
            };
            issuers.push(issuer.clone());
            let registered = RegisteredIssuer { issuer, suspensions: suspensions.clone() };
            self.0.insert(profile.issuer.clone(), registered);
        }
        refetch_limiter.set_issuers(&issuers);
    }
}

impl Suspensions {
    fn suspends(&self, caller: &Caller) -> bool {
        self.all_clients || self.clients.contains(&caller.client)
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

/// Parses a token by the rules that need neither issuer nor key: its parts, header, and the types of its
/// claims.
///
/// `Ok` does not mean that the token is valid. For fuzzing, and for tools that distinguish malformed tokens
/// from rejected ones.
///
/// # Errors
/// The first rule that the token breaks.
pub fn inspect(token: &str, rules: &Rules) -> Result<(), Reject> {
    let claims = Jws::parse(token, rules)?.claims;
    claims.issuer()?;
    claims.lifetime()?;
    Ok(())
}
