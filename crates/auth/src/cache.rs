//! Tokens that were verified a moment ago, so that a caller's next request costs a hash instead of a
//! signature.

use std::sync::Arc;

use aws_lc_rs::digest::{SHA256, digest};
use quick_cache::{Weighter, sync::Cache};

use crate::{Caller, claims::Lifetime, keyset::Key, source::Source};

/// SHA-256 of a token: the token itself is not kept.
pub(crate) type Fingerprint = [u8; 32];

/// A token that passed, with all that its acceptance still hangs on.
pub(crate) struct Passed {
    pub(crate) caller: Arc<Caller>,
    pub(crate) lifetime: Lifetime,
    pub(crate) source: Arc<Source>,
    pub(crate) key: Arc<Key>,
}

#[derive(Clone)]
struct Weight;

impl Weighter<Fingerprint, Arc<Passed>> for Weight {
    fn weight(&self, _: &Fingerprint, passed: &Arc<Passed>) -> u64 {
        let roles: usize = passed.caller.roles.iter().map(|role| role.len() + 24).sum();
        (384 + passed.caller.client.len() + roles) as u64
    }
}

/// The tokens that passed, bounded in memory; the seldom used go first.
pub(crate) struct Tokens(Option<Cache<Fingerprint, Arc<Passed>, Weight>>);

impl Tokens {
    pub(crate) fn new(bytes: u64) -> Self {
        let items = usize::try_from(bytes / 512).unwrap_or(usize::MAX);
        Self((bytes > 0).then(|| Cache::with_weighter(items, bytes, Weight)))
    }

    pub(crate) fn fingerprint(token: &str) -> Fingerprint {
        let digest = digest(&SHA256, token.as_bytes());
        digest.as_ref().try_into().expect("SHA-256 has 32 bytes")
    }

    pub(crate) fn find(&self, token: &Fingerprint) -> Option<Arc<Passed>> {
        self.0.as_ref()?.get(token)
    }

    pub(crate) fn keep(&self, token: Fingerprint, passed: Arc<Passed>) {
        if let Some(cache) = &self.0 {
            cache.insert(token, passed);
        }
    }

    pub(crate) fn forget(&self, token: &Fingerprint) {
        if let Some(cache) = &self.0 {
            cache.remove(token);
        }
    }

    /// Drops what no longer hangs on a living source.
    pub(crate) fn retain(&self, living: impl Fn(&Arc<Source>) -> bool) {
        if let Some(cache) = &self.0 {
            cache.retain(|_, passed| living(&passed.source));
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.0.as_ref().map_or(0, Cache::len)
    }
}
