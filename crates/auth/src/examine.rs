//! Examination of one issuer's discovery document and key set, for operators.

use std::time::Duration;

use jiff::Timestamp;

use crate::{Error, Fetch, Profile, Rules, SkippedKey, TenantId, fetch::locate, keyset::KeySet};

/// Result of examining one issuer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Examination {
    /// The issuer.
    pub issuer: String,
    /// Where its key set is, as configured or discovered.
    pub jwks_uri: Option<String>,
    /// The `kid` of each usable key, sorted.
    pub keys: Vec<String>,
    /// The keys that are not used, and reason.
    pub skipped: Vec<SkippedKey>,
    /// The provider's clock, by the `Date` of its answer.
    pub date: Option<Timestamp>,
    /// Error that prevented reading the key set.
    pub error: Option<Error>,
    /// Tolerated difference of the provider's clock, from the settings.
    skew: Duration,
}

/// Fetches discovery document and key set of one issuer as the verifier does, and reports all findings.
///
/// Errors of the fetch are in [`Examination::error`]; `rules` gives the limits and the clock tolerance.
pub async fn examine(tenant: &TenantId, profile: &Profile, rules: &Rules, fetch: &dyn Fetch) -> Examination {
    let mut examination = Examination {
        issuer: profile.issuer.clone(),
        jwks_uri: None,
        keys: Vec::new(),
        skipped: Vec::new(),
        date: None,
        error: None,
        skew: rules.skew,
    };
    examination.error = examination.look(tenant, profile, rules, fetch).await.err();
    examination
}

impl Examination {
    async fn look(
        &mut self,
        tenant: &TenantId,
        profile: &Profile,
        rules: &Rules,
        fetch: &dyn Fetch,
    ) -> Result<(), Error> {
        let url = locate(tenant, profile, fetch).await?;
        self.jwks_uri = Some(url.clone());
        let document = fetch.get(&url).await?;
        self.date = document.date;
        let set = KeySet::parse(&document.body, tenant, profile, rules)
            .map_err(|reason| Error::document(url, reason))?;
        self.keys = set.kids().map(str::to_owned).collect();
        self.keys.sort();
        self.skipped = set.skipped;
        Ok(())
    }

    /// What is wrong, a sentence each; empty when tokens of this issuer can be verified.
    pub fn problems(&self, now: Timestamp) -> Vec<String> {
        let mut problems: Vec<String> = self.error.iter().map(Error::to_string).collect();
        if self.error.is_none() && self.keys.is_empty() {
            problems.push(
                "the key set has no usable key: every token of this issuer is answered with 503".into(),
            );
        }
        problems.extend(self.skipped.iter().map(|key| {
            let name = key.kid.as_deref().map_or_else(|| "without kid".into(), |kid| format!("`{kid}`"));
            format!("key {} ({name}) is not used: {}", key.index, key.reason)
        }));
        if let Some(date) = self.date {
            let off = now.duration_since(date).unsigned_abs();
            if off > self.skew {
                let skew = self.skew.as_secs();
                problems.push(format!(
                    "the provider's clock differs from ours by {} s; at most {skew} s are allowed",
                    off.as_secs()
                ));
            }
        }
        problems
    }
}
