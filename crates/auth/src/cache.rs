//! Cache of verified tokens, so that a caller's next request costs a hash instead of a signature check.

use std::sync::Arc;

use aws_lc_rs::digest::{SHA256, digest};
use quick_cache::{Weighter, sync::Cache};

use crate::{Caller, claims::Lifetime, issuer_keys::IssuerKeys, keyset::VerificationKey};

/// SHA-256 of a token; the token itself is not stored.
pub(crate) type TokenFingerprint = [u8; 32];

/// A verified token with everything that its acceptance depends on.
pub(crate) struct VerifiedToken {
    pub(crate) caller: Arc<Caller>,
    pub(crate) lifetime: Lifetime,
    pub(crate) issuer: Arc<IssuerKeys>,
    pub(crate) key: Arc<VerificationKey>,
}

#[derive(Clone)]
struct TokenWeight;

impl Weighter<TokenFingerprint, Arc<VerifiedToken>> for TokenWeight {
    fn weight(&self, _: &TokenFingerprint, verified: &Arc<VerifiedToken>) -> u64 {
        let roles: usize = verified.caller.roles.iter().map(|role| role.len() + 24).sum();
        let subject = verified.caller.subject.as_ref().map_or(0, String::len);
        (384 + verified.caller.client.len() + subject + roles) as u64
    }
}

/// Verified tokens, bounded in memory; the least used are evicted first.
pub(crate) struct TokenCache(Option<Cache<TokenFingerprint, Arc<VerifiedToken>, TokenWeight>>);

impl TokenCache {
    /// A cache of about this memory; without memory, nothing is cached.
    pub(crate) fn new(bytes: u64) -> Self {
        if bytes == 0 {
            return Self(None);
        }
        let items = usize::try_from(bytes / 512).unwrap_or(usize::MAX);
        Self(Some(Cache::with_weighter(items, bytes, TokenWeight)))
    }

    pub(crate) fn fingerprint(token: &str) -> TokenFingerprint {
        let digest = digest(&SHA256, token.as_bytes());
        digest.as_ref().try_into().expect("SHA-256 has 32 bytes")
    }

    pub(crate) fn get(&self, token: &TokenFingerprint) -> Option<Arc<VerifiedToken>> {
        self.0.as_ref()?.get(token)
    }

    pub(crate) fn insert(&self, token: TokenFingerprint, verified: Arc<VerifiedToken>) {
        if let Some(cache) = &self.0 {
            cache.insert(token, verified);
        }
    }

    pub(crate) fn remove(&self, token: &TokenFingerprint) {
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
