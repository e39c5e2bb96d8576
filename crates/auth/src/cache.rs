//! Cache of verified tokens, so that a caller's next request costs a hash instead of a signature check.

use std::sync::Arc;

use aws_lc_rs::digest::{SHA256, digest};
use quick_cache::{Weighter, sync::Cache};

use crate::{Caller, claims::Lifetime, issuer_keys::IssuerKeys, keyset::Key};

/// SHA-256 of a token; the token itself is not stored.
pub(crate) type Fingerprint = [u8; 32];

/// A verified token with everything that its acceptance depends on.
pub(crate) struct VerifiedToken {
    pub(crate) caller: Arc<Caller>,
    pub(crate) lifetime: Lifetime,
    pub(crate) issuer: Arc<IssuerKeys>,
    pub(crate) key: Arc<Key>,
}

#[derive(Clone)]
struct Weight;

impl Weighter<Fingerprint, Arc<VerifiedToken>> for Weight {
    fn weight(&self, _: &Fingerprint, verified: &Arc<VerifiedToken>) -> u64 {
        let roles: usize = verified.caller.roles.iter().map(|role| role.len() + 24).sum();
        (384 + verified.caller.client.len() + roles) as u64
    }
}

/// Verified tokens, bounded in memory; the least used are evicted first.
pub(crate) struct TokenCache(Option<Cache<Fingerprint, Arc<VerifiedToken>, Weight>>);

impl TokenCache {
    pub(crate) fn new(bytes: u64) -> Self {
        let items = usize::try_from(bytes / 512).unwrap_or(usize::MAX);
        Self((bytes > 0).then(|| Cache::with_weighter(items, bytes, Weight)))
    }

    pub(crate) fn fingerprint(token: &str) -> Fingerprint {
        let digest = digest(&SHA256, token.as_bytes());
        digest.as_ref().try_into().expect("SHA-256 has 32 bytes")
    }

    pub(crate) fn get(&self, token: &Fingerprint) -> Option<Arc<VerifiedToken>> {
        self.0.as_ref()?.get(token)
    }

    pub(crate) fn insert(&self, token: Fingerprint, verified: Arc<VerifiedToken>) {
        if let Some(cache) = &self.0 {
            cache.insert(token, verified);
        }
    }

    pub(crate) fn remove(&self, token: &Fingerprint) {
        if let Some(cache) = &self.0 {
            cache.remove(token);
        }
    }

    /// Drops the tokens of issuers for which `living` is false.
    pub(crate) fn retain(&self, living: impl Fn(&Arc<IssuerKeys>) -> bool) {
        if let Some(cache) = &self.0 {
            cache.retain(|_, verified| living(&verified.issuer));
        }
    }
}
